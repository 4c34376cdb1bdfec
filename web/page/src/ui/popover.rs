//! Numbers that open their formulas; Esc closes and restores the focus. Only one is open at a time.

use crate::store::{Go, Msg, Pop};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Draws a number with a dotted underline that opens its formula.
pub fn number(go: &Go, text: Html, title: &str, lines: &[String]) -> Html {
    opens(go, text, title, lines, false)
}

/// Draws such a number as an item of a group with arrow keys.
pub fn item(go: &Go, text: &str, title: &str, lines: &[String]) -> Html {
    opens(go, super::rich::rich(text), title, lines, true)
}

fn opens(go: &Go, text: Html, title: &str, lines: &[String], item: bool) -> Html {
    if lines.is_empty() {
        return text;
    }
    let (go, title, lines) = (go.clone(), title.to_owned(), lines.to_vec());
    let onclick = move |e: MouseEvent| {
        // yew handles events at the root, so the button is found from the click's target.
        let hit = e.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let Some(at) = hit.and_then(|t| t.closest("button").ok().flatten()) else { return };
        let r = at.get_bounding_client_rect();
        go.emit(Msg::Pop(Some(Pop { title: title.clone(), lines: lines.clone(), x: r.left(), y: r.bottom() + 6.0 })));
    };
    html! { <button type="button" class="v" aria-haspopup="dialog" data-item={item.then_some("")} tabindex={item.then_some("-1")} {onclick}>{ text }</button> }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The content and position.
    pub pop: Pop,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Popover(props: &Props) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with(props.pop.clone(), move |pop| {
            let before = super::focus::here();
            if let Some(element) = node.cast::<HtmlElement>() {
                // Keeps it inside the window.
                let window = super::dom::window();
                let width = window.inner_width().ok().and_then(|w| w.as_f64()).unwrap_or(1000.0);
                let height = window.inner_height().ok().and_then(|h| h.as_f64()).unwrap_or(800.0);
                let r = element.get_bounding_client_rect();
                let x = pop.x.min(width - r.width() - 8.0).max(8.0);
                let y = if pop.y + r.height() > height - 8.0 { (pop.y - r.height() - 30.0).max(8.0) } else { pop.y };
                let _ = element.style().set_property("--x", &x.to_string());
                let _ = element.style().set_property("--y", &y.to_string());
                let _ = element.focus();
            }
            move || {
                if let Some(before) = before {
                    before.back();
                }
            }
        });
    }
    let go = props.go.clone();
    let onblur = move |_| go.emit(Msg::Pop(None));
    html! {
        <div class="pop" role="dialog" aria-label={props.pop.title.clone()} tabindex="-1" ref={node} {onblur}>
            <h4>{ &props.pop.title }</h4>
            <ul>{ for props.pop.lines.iter().map(|l| html! { <li>{ super::rich::rich(l) }</li> }) }</ul>
        </div>
    }
}
