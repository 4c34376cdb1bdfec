//! What was found in an imported file: counts, problems with line and mend, what is kept but not modelled.

use yew::prelude::*;

/// Properties that are kept and written back, but decide nothing here.
pub fn kept(kept: &[(String, String)]) -> Html {
    if kept.is_empty() {
        return html! {};
    }
    html! {
        <details class="kept"><summary>{ format!("{} kept but not modelled", kept.len()) }</summary>
            <table><tbody>{ for kept.iter().map(|(k, v)| html! { <tr><td><code>{ k }</code></td><td>{ v }</td></tr> }) }</tbody></table></details>
    }
}
