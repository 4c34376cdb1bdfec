//! Share: a link with everything in it, a file, or a frame for another page.

use super::Props;
use crate::share::address_of;
use crate::store::{Dialog, Doc, Effect, Msg};
use heddle_view::Edit;
use yew::prelude::*;

/// A link up to this length fits into mails and tickets.
const COMFORTABLE: usize = 8 * 1024;

/// `1.8 kB`.
fn kb(n: usize) -> String {
    format!("{:.1} kB", n as f64 / 1024.0)
}

/// `three-zookeepers.toml`.
fn file_name(title: &str) -> String {
    let mut name = String::new();
    for c in title.to_ascii_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.ends_with('-') && !name.is_empty() {
            name.push('-');
        }
    }
    let name: String = name.trim_end_matches('-').chars().take(60).collect();
    format!("{}.toml", if name.is_empty() { "scenario" } else { &name })
}

/// Lists what is masked or marked in the shared text.
fn left_out(doc: &Doc) -> Html {
    html! { <>{ for doc.left_out().iter().map(|text| html! { <p class="soft left-out">{ text }</p> }) }</> }
}

/// Draws the switch that removes the names, with what is shared then and what is lost.
fn names(props: &Props) -> Html {
    let names = props.doc.names();
    let toggle = {
        let edit = names.map_or_else(Edit::leave_names, |left| Edit::bring_names(left.names.clone()));
        // If nothing else has changed since, undo restores the exact text.
        let undo = names.is_some() && props.doc.can_undo() == Some(Edit::LEAVE_NAMES);
        props.go.reform(move |_: Event| match undo {
            true => Msg::Undo,
            false => Msg::Change { edit: edit.clone(), typed: String::new() },
        })
    };
    let remarks = names.into_iter().flat_map(|left| &left.remarks);
    html! {
        <>
            <label class="check"><input type="checkbox" id="leave-names" checked={names.is_some()} onchange={toggle}/>
                { "Leave the names: queues, users, hosts, applications and everything else get others" }</label>
            if let Some(left) = names {
                <p class="soft">{ format!("{} names are left. They come back with the switch, in this tab only.", left.names.len()) }</p>
            }
            { for remarks.map(|remark| html! { <p class="waiting">{ remark }</p> }) }
            <details open={names.is_some()}>
                <summary>{ "The text that is shared" }</summary>
                <pre class="snip" id="share-text" tabindex="0" aria-label="The text that is shared">{ props.doc.passed_on() }</pre>
            </details>
        </>
    }
}

/// Draws the dialog's content; `with_view` if the link includes the view.
pub fn body(props: &Props, with_view: bool) -> Html {
    let doc = &props.doc;
    let title = doc.told_title();
    let link = props.answers.link.as_ref().map(|link| link.as_deref().map(address_of));
    let save = {
        let (name, text) = (file_name(title), doc.passed_on());
        props.go.reform(move |_: MouseEvent| Msg::Do(Effect::Save { name: name.clone(), text: text.clone() }))
    };
    let toggle = props.go.reform(move |_: Event| Msg::Dialog(Some(Dialog::Share { with_view: !with_view })));
    html! {
        <>
            <p>{ "The whole scenario is in the link itself. It is not stored anywhere, and what stands behind the # is never sent to a server." }</p>
            { left_out(doc) }
            { names(props) }
            <label class="check"><input type="checkbox" checked={with_view} onchange={toggle}/>{ "open at this time, with this selected" }</label>
            { match &link {
                None => html! { <p class="soft" role="status">{ "Writing the link…" }</p> },
                Some(Ok(link)) => {
                    let copy = {
                        let (text, what) = (link.clone(), format!("Link ({})", kb(link.len())));
                        props.go.reform(move |_: MouseEvent| Msg::Do(Effect::Copy { text: text.clone(), what: what.clone() }))
                    };
                    let embed = {
                        let address = link.replacen('#', "#embed/", 1);
                        format!("<iframe src=\"{address}\" title=\"{}\" width=\"100%\" height=\"560\" loading=\"lazy\"></iframe>", title.replace(['"', '<', '>', '&'], " "))
                    };
                    let copy_embed = {
                        let embed = embed.clone();
                        props.go.reform(move |_: MouseEvent| Msg::Do(Effect::Copy { text: embed.clone(), what: "Frame".into() }))
                    };
                    html! {
                        <>
                            <div class="snip" id="share-link" tabindex="0" aria-label="Link">{ link }</div>
                            if props.answers.link_left_out { <p class="waiting" id="left-out">{ "What is compared is too long for a link: it opens the scenario alone." }</p> }
                            if link.len() > COMFORTABLE { <p class="waiting">{ format!("{} is long for a mail or a ticket: a file may be better.", kb(link.len())) }</p> }
                            <div class="acts2">
                                <button type="button" class="btn prim" id="copy-link" onclick={copy}>{ format!("Copy link ({})", kb(link.len())) }</button>
                                <button type="button" class="btn edge" onclick={save.clone()}>{ "Save as file" }</button>
                                <button type="button" class="btn" onclick={copy_embed}>{ "Copy as frame" }</button>
                            </div>
                        </>
                    }
                }
                Some(Err(why)) => html! {
                    <>
                        <p class="waiting" role="alert">{ *why }</p>
                        <div class="acts2"><button type="button" class="btn prim" onclick={save.clone()}>{ "Save as file" }</button></div>
                    </>
                },
            } }
            <p class="eyebrow"><button type="button" class="link" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Drafts)))}>{ "Drafts kept in this browser" }</button></p>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn file_names_are_plain() {
        assert_eq!(file_name("Three ZooKeepers, two nodes"), "three-zookeepers-two-nodes.toml");
        assert_eq!(file_name("…"), "scenario.toml");
    }
}
