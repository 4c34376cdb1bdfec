//! Drawing one queue's lines. plotters works in whole pixels, so the canvas is as large as the screen's own pixels.

use crate::ui::{dom, format};
use heddle_view::{Series, SeriesPoint};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use web_sys::{Element, HtmlCanvasElement};

/// Draws `series` up to `end`, with a line at `now`, in the fill of the class `colour`.
pub fn draw(canvas: &HtmlCanvasElement, series: &Series, (now, end): (i64, i64), colour: &str) {
    let r = canvas.get_bounding_client_rect();
    let scale = dom::window().device_pixel_ratio().clamp(1.0, 4.0);
    let (w, h) = ((r.width() * scale) as u32, (r.height() * scale) as u32);
    if w < 60 || h < 40 {
        return;
    }
    // Setting the size clears the canvas; setting an unchanged size does too, but flickers in some browsers.
    if canvas.width() != w || canvas.height() != h {
        canvas.set_width(w);
        canvas.set_height(h);
    }
    // If the chart cannot be drawn, the canvas stays empty; its label has the numbers.
    let _ = plot(canvas, series, (now, end), colour, scale);
}

/// Returns a colour of the style sheet as numbers; the browser resolves `light-dark()` and the like.
fn token(near: &Element, name: &str) -> RGBColor {
    let black = RGBColor(0, 0, 0);
    let Some(style) = dom::window().get_computed_style(near).ok().flatten() else { return black };
    let Some(html) = wasm_bindgen::JsCast::dyn_ref::<web_sys::HtmlElement>(near) else { return black };
    let before = html.style().get_property_value("color").unwrap_or_default();
    let _ = html.style().set_property("color", &format!("var(--{name})"));
    let text = style.get_property_value("color").unwrap_or_default();
    let _ = html.style().set_property("color", &before);
    let numbers: Vec<u8> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).take(3).collect();
    match numbers[..] {
        [r, g, b] => RGBColor(r, g, b),
        _ => black,
    }
}

/// The axis of time, with the scrubber's ticks.
struct Times {
    end: f64,
    ticks: Vec<f64>,
}

impl Ranged for Times {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;
    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (value / self.end * f64::from(to - from)).round() as i32
    }
    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }
    fn range(&self) -> std::ops::Range<f64> {
        0.0..self.end
    }
}

type Fail = Box<dyn std::error::Error>;

fn plot(
    canvas: &HtmlCanvasElement,
    series: &Series,
    (now, end): (i64, i64),
    colour: &str,
    scale: f64,
) -> Result<(), Fail> {
    let px = |n: f64| (n * scale).round() as u32;
    let (ground, ink, quiet, line) =
        (token(canvas, "ground"), token(canvas, "ink"), token(canvas, "ink-3"), token(canvas, "line"));
    let fill = match colour.as_bytes().get(1) {
        Some(n @ b'1'..=b'8') => format!("cat-{}", char::from(*n)),
        _ => "edge".to_owned(),
    };
    let (used, maximum, pending) = (token(canvas, &fill), token(canvas, "rejected"), token(canvas, "waiting"));
    let root = CanvasBackend::with_canvas_object(canvas.clone()).ok_or("no canvas")?.into_drawing_area();
    root.fill(&ground)?;
    let unit = super::unit(series);
    let top = series.points.iter().map(|p| p.maximum.max(p.steady).max(p.used + p.pending)).max().unwrap_or(0);
    let top = (top as f64 / unit * 1.06).max(1.0);
    let ticks: Vec<f64> = crate::when::ticks(end).into_iter().map(|t| t as f64).collect();
    let labels = ticks.len();
    let mut chart = ChartBuilder::on(&root)
        .margin_top(px(20.0))
        .margin_right(px(24.0))
        .x_label_area_size(px(18.0))
        .y_label_area_size(px(40.0))
        .build_cartesian_2d(Times { end: end as f64, ticks }, 0f64..top)?;
    let text = ("system-ui, sans-serif", px(10.0)).into_font().color(&quiet);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(line)
        .light_line_style(TRANSPARENT)
        .axis_style(quiet)
        .x_labels(labels)
        .y_labels(4)
        .label_style(text)
        .x_label_formatter(&|ms| format::tick(*ms as i64))
        .y_label_formatter(&|v| format::fraction(*v))
        .draw()?;
    let steps = |value: fn(&SeriesPoint) -> i64| stairs(&series.points, unit, end, value);
    chart.draw_series(
        AreaSeries::new(steps(|p| p.used), 0.0, used.mix(0.55)).border_style(used.stroke_width(px(1.0))),
    )?;
    let reserved = steps(|p| p.reserved);
    if reserved.iter().any(|(_, gb)| *gb > 0.0) {
        let violet = token(canvas, "reserved");
        chart
            .draw_series(AreaSeries::new(reserved, 0.0, violet.mix(0.35)).border_style(violet.stroke_width(px(1.5))))?;
    }
    chart.draw_series(LineSeries::new(steps(|p| p.maximum), maximum.stroke_width(px(1.0))))?;
    dashed(&mut chart, steps(|p| p.used + p.pending), 2.0 * scale, pending.stroke_width(px(1.5)))?;
    dashed(&mut chart, steps(|p| p.guaranteed), 6.0 * scale, ink.stroke_width(px(1.5)))?;
    let steady = steps(|p| p.steady);
    if steady.iter().any(|(_, n)| *n > 0.0) {
        dashed(&mut chart, steady, 3.0 * scale, quiet.stroke_width(px(1.0)))?;
    }
    chart.draw_series(LineSeries::new([(now as f64, 0.0), (now as f64, top)], ink.stroke_width(px(1.0))))?;
    root.present()?;
    Ok(())
}

type Chart<'a> = ChartContext<'a, CanvasBackend, Cartesian2d<Times, RangedCoordf64>>;

fn dashed(chart: &mut Chart<'_>, points: Vec<(f64, f64)>, dash: f64, style: ShapeStyle) -> Result<(), Fail> {
    let size = dash.round().max(1.0) as u32;
    chart.draw_series(DashedLineSeries::new(points, size, size, style))?;
    Ok(())
}

/// Returns a line of steps: a value holds until the next point.
fn stairs(points: &[SeriesPoint], unit: f64, end: i64, value: fn(&SeriesPoint) -> i64) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::with_capacity(points.len() * 2 + 1);
    for p in points {
        let v = value(p) as f64 / unit;
        if let Some((_, before)) = out.last().copied() {
            out.push((p.time_ms as f64, before));
        }
        out.push((p.time_ms as f64, v));
    }
    if let Some((_, last)) = out.last().copied() {
        out.push((end as f64, last));
    }
    out
}
