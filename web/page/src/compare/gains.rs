//! Who gains and who loses between two worlds: by queue, by user, by application, those with the largest difference first.

use crate::store::BEFORE;
use crate::store::{Answers, Go, Msg};
use crate::ui::{count, time};
use heddle_view::{AS_OPENED, Difference, GainView, GainsView, Selection, WorldView};
use yew::prelude::*;

/// The most rows of each list.
const ROWS: usize = 12;

/// Draws who gains and who loses in each other world; of several worlds the first is unfolded.
pub fn gained(answers: &Answers, go: &Go) -> Html {
    let Some(worlds) = &answers.worlds else { return html! { <p class="soft">{ "Running the other worlds…" }</p> } };
    let one = |(i, w): (usize, &WorldView)| {
        let (from, to, told) = pair(&worlds[0].name, w)?;
        let table = table(&from, &to, &told, w.first.as_ref(), go);
        Some(match worlds.len() {
            2 => table,
            _ => {
                html! { <details class="fold" open={i == 0}><summary><span class="h3">{ format!("Who gains, who loses: {to}") }</span></summary>{ table }</details> }
            }
        })
    };
    html! { <>{ for worlds.iter().skip(1).enumerate().filter_map(one) }</> }
}

/// Returns what is compared with what: from the scenario to another world, and from what was opened to the scenario.
fn pair(here: &str, world: &WorldView) -> Option<(String, String, GainsView)> {
    let told = world.gains.clone()?;
    if world.name != AS_OPENED && world.name != BEFORE {
        return Some((here.to_owned(), world.name.clone(), told));
    }
    Some((world.name.clone(), here.to_owned(), turned(told)))
}

/// Returns the same differences in the other direction.
fn turned(told: GainsView) -> GainsView {
    fn swap<T>(pair: (T, T)) -> (T, T) {
        (pair.1, pair.0)
    }
    let one = |g: GainView| GainView {
        wait_ms: swap(g.wait_ms),
        start_ms: swap(g.start_ms),
        end_ms: swap(g.end_ms),
        containers: swap(g.containers),
        waited_ms: swap(g.waited_ms),
        held_mb_s: swap(g.held_mb_s),
        waiting: swap(g.waiting),
        preempted: swap(g.preempted),
        lost_mb_s: swap(g.lost_mb_s),
        ..g
    };
    let all = |list: Vec<GainView>| list.into_iter().map(one).collect();
    GainsView { queues: all(told.queues), users: all(told.users), apps: all(told.apps), sum: one(told.sum) }
}

/// Returns whether a difference is good (1), bad (-1) or neither (0). The end decides if there is one; else what all containers
/// waited and the room that they held must not contradict each other.
fn side(g: &GainView) -> i32 {
    let less = |(before, after): (i64, i64)| (before - after).signum() as i32;
    let end = match g.end_ms {
        (Some(before), Some(after)) => less((before, after)),
        (None, Some(_)) => 1,
        (Some(_), None) => -1,
        (None, None) => 0,
    };
    // Less than a second of all containers together is no difference to anybody.
    let wait = if (g.waited_ms.0 - g.waited_ms.1).abs() < 1000 { 0 } else { less(g.waited_ms) };
    let (begins, room) = (less(g.wait_ms), -less(g.held_mb_s));
    let wait = if wait == 0 { begins } else { wait };
    // Room that is held longer by containers that preemption ends is no gain.
    let room = if g.preempted.0 == g.preempted.1 { room } else { 0 };
    if end == 0 && wait * room < 0 {
        return 0;
    }
    let rest = [-less(g.containers), less(g.waiting), less(g.preempted)];
    [end, wait, room].into_iter().chain(rest).find(|s| *s != 0).unwrap_or(0)
}

/// Draws the differences between two worlds; `first`: where they begin to differ.
fn table(from: &str, to: &str, told: &GainsView, first: Option<&Difference>, go: &Go) -> Html {
    let first = first.map(|d| {
        let (go, at, about) = (go.clone(), d.time_ms, d.about.clone());
        let click = move |_: MouseEvent| {
            go.emit(Msg::Jump { time_ms: at, about: about.clone() });
        };
        html! { <>{ " " }<button type="button" class="link" onclick={click}>{ format!("first difference at {}", time(d.time_ms)) }</button></> }
    });
    let lists = [("by queue", &told.queues), ("by user", &told.users), ("by application", &told.apps)];
    let sides = |side_of: i32| told.apps.iter().filter(|g| !is_same(g) && side(g) == side_of).count();
    let same = told.apps.iter().filter(|g| is_same(g)).count();
    let both = if sides(0) == 0 { String::new() } else { format!("{} both, ", sides(0)) };
    html! {
        <section class="gains" aria-label={format!("Who gains and who loses from {from} to {to}")}>
            <h3>{ "Who gains, who loses" }{ " " }<span class="told">{ format!("from {} to {}: {} gain, {} lose, {both}{same} as before", super::short(from), super::short(to), sides(1), sides(-1)) }{ for first }</span></h3>
            <div class="gainw" tabindex="0" role="region" aria-label="Differences"><table class="data">
                <thead><tr><th scope="col">{ "who" }</th><th scope="col" class="num" title="Until its first container">{ "waits" }</th><th scope="col" class="num" title="What all of its containers waited, together">{ "all wait" }</th><th scope="col" class="num">{ "starts" }</th><th scope="col" class="num">{ "ends" }</th>
                    <th scope="col" class="num">{ "containers" }</th><th scope="col" class="num" title="The memory of its containers, each as long as it was held">{ "room held" }</th><th scope="col" class="num">{ "still wait" }</th><th scope="col" class="num">{ "preempted" }</th><th scope="col" class="num">{ "work lost" }</th></tr></thead>
                { for lists.iter().map(|(name, list)| part(name, list, go)) }
                <tfoot>{ row(&told.sum, go) }</tfoot>
            </table></div>
        </section>
    }
}

fn part(name: &str, list: &[GainView], go: &Go) -> Html {
    let differ = list.iter().filter(|g| !is_same(g)).count();
    let shown = list.iter().take(ROWS);
    let more = list.len().saturating_sub(ROWS);
    html! {
        <tbody>
            <tr class="by"><th scope="rowgroup" colspan="10">{ name }{ format!(": {differ} of {} differ", list.len()) }</th></tr>
            { for shown.map(|g| row(g, go)) }
            if more > 0 { <tr><td colspan="10" class="dim">{ format!("and {more} more, which differ less") }</td></tr> }
        </tbody>
    }
}

fn is_same(g: &GainView) -> bool {
    let same = |(before, after): (i64, i64)| before == after;
    same(g.wait_ms)
        && g.start_ms.0 == g.start_ms.1
        && g.end_ms.0 == g.end_ms.1
        && same(g.containers)
        && same(g.waited_ms)
        && same(g.held_mb_s)
        && same(g.waiting)
        && same(g.preempted)
        && same(g.lost_mb_s)
}

fn row(g: &GainView, go: &Go) -> Html {
    let (class, verb, sign) = match (side(g), is_same(g)) {
        (1, _) => ("placed", "gains", "▲"),
        (-1, _) => ("waiting", "loses", "▼"),
        (_, true) => ("dim", "as before", "·"),
        _ => ("", "gains and loses", "◆"),
    };
    let name = match &g.about {
        Some(about) => {
            let (about, go): (Selection, Go) = (about.clone(), go.clone());
            let click = move |_: MouseEvent| {
                go.emit(Msg::Select(Some(about.clone())));
            };
            html! { <button type="button" onclick={click}><bdi>{ &g.name }</bdi></button> }
        }
        None => html! { <bdi>{ &g.name }</bdi> },
    };
    let figure = |(before, after): (i64, i64), show: &dyn Fn(i64) -> String| match before == after {
        true => html! { <td class="num dim">{ show(after) }</td> },
        false => html! { <td class="num">{ show(before) }{ " → " }<b>{ show(after) }</b></td> },
    };
    let moment = |at: Option<i64>| at.map_or_else(|| "–".to_owned(), time);
    let moments = |(before, after): (Option<i64>, Option<i64>)| match before == after {
        true => html! { <td class="num dim">{ moment(after) }</td> },
        false => html! { <td class="num">{ moment(before) }{ " → " }<b>{ moment(after) }</b></td> },
    };
    let plain = |n: i64| count(n);
    let span = |ms: i64| match ms / 60_000 {
        0 => format!("{} s", ms / 1000),
        minutes if minutes < 600 => format!("{minutes} min"),
        minutes => format!("{} h", count(minutes / 60)),
    };
    let gb_min = |mb_s: i64| match mb_s as f64 / 1024.0 / 60.0 {
        _ if mb_s == 0 => "0".to_owned(),
        many if many >= 100.0 => format!("{} GB·min", count(many.round() as i64)),
        few => format!("{} GB·min", heddle_view::format::fraction((few * 10.0).round() / 10.0)),
    };
    html! {
        <tr><td><span {class}><span aria-hidden="true">{ sign }</span><span class="vh">{ verb }</span></span>{ " " }{ name }if g.apps > 1 { <span class="dim">{ format!(" {} applications", g.apps) }</span> }</td>
            { figure(g.wait_ms, &time) }{ figure(g.waited_ms, &span) }{ moments(g.start_ms) }{ moments(g.end_ms) }{ figure(g.containers, &plain) }{ figure(g.held_mb_s, &gb_min) }{ figure(g.waiting, &plain) }{ figure(g.preempted, &plain) }
            { figure(g.lost_mb_s, &gb_min) }</tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_direction_gains_the_other_loses() {
        let gain = GainView { wait_ms: (9000, 1000), end_ms: (Some(5), Some(3)), apps: 1, ..GainView::default() };
        assert_eq!(side(&gain), 1);
        let told = GainsView { apps: vec![gain.clone()], ..GainsView::default() };
        assert_eq!(side(&turned(told.clone()).apps[0]), -1);
        assert_eq!(turned(turned(told.clone())), told);
        assert_eq!(side(&GainView::default()), 0);
        // The end decides, then wait and room together; what is better in one and worse in the other is neither.
        let of = |waited_ms, end_ms, held_mb_s| side(&GainView { waited_ms, end_ms, held_mb_s, ..GainView::default() });
        for (end, wait, room, told) in
            [(1, -1, -1, 1), (0, 1, 1, 1), (0, -1, 1, 0), (0, 0, 1, 1), (0, 0, -1, -1), (0, 1, 0, 1)]
        {
            let better = |by: i64| (5000, 5000 - 1000 * by);
            let ends = (Some(5), Some(5 - end));
            assert_eq!(of(better(wait), ends, (5, 5 + room)), told, "{end} {wait} {room}");
        }
        assert!(is_same(&GainView::default()) && !is_same(&gain));
    }
}
