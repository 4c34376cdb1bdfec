//! What is not modelled, and where the model deviates on purpose; the text is docs/deviations.md.

use super::Props;
use crate::ui::rich;
use yew::prelude::*;

/// Draws the document's headings, lists and paragraphs.
pub fn body(props: &Props) -> Html {
    let Some(text) = &props.answers.limits else { return html! { <p class="soft" role="status">{ "Loading…" }</p> } };
    let mut out = Vec::new();
    for block in text.split("\n\n").map(str::trim).filter(|b| !b.is_empty()) {
        if let Some(heading) = block.strip_prefix("## ") {
            out.push(html! { <h3 class="h3">{ heading }</h3> });
        } else if block.starts_with("# ") {
            // The dialog has a title already.
        } else if block.starts_with("- ") || block.starts_with("* ") {
            let mut items: Vec<String> = Vec::new();
            for line in block.lines() {
                match line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
                    Some(item) => items.push(item.to_owned()),
                    None => {
                        if let Some(last) = items.last_mut() {
                            last.push(' ');
                            last.push_str(line.trim());
                        }
                    }
                }
            }
            out.push(html! { <ul>{ for items.iter().map(|i| html! { <li>{ "· " }{ rich::rich(i) }</li> }) }</ul> });
        } else if block.starts_with('|') {
            let rows = block.lines().filter(|l| !l.contains("---")).map(|l| {
                let cells = l.trim_matches('|').split('|').map(|c| html! { <td>{ rich::rich(c.trim()) }</td> });
                html! { <tr>{ for cells }</tr> }
            });
            out.push(html! { <div class="report"><table><tbody>{ for rows }</tbody></table></div> });
        } else {
            out.push(html! { <p>{ rich::rich(&block.replace('\n', " ")) }</p> });
        }
    }
    html! { { for out } }
}
