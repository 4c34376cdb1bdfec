//! The meaning of colours: application, queue, user, tag, or the reason why nodes refuse the selection.

use crate::store::{CATEGORIES, ColourBy, Palette, nth};
use crate::ui::names;
use heddle_view::{ContainerView, NodeView, Snapshot, WhyView};
use yew::prelude::*;

pub struct Paint<'a> {
    by: ColourBy,
    palette: &'a Palette,
    why: Option<&'a WhyView>,
}

impl<'a> Paint<'a> {
    /// Colours by `by`, with the colours assigned so far; `why` has the reasons.
    pub fn new(by: ColourBy, palette: &'a Palette, why: Option<&'a WhyView>) -> Self {
        Paint { by, palette, why }
    }

    /// Returns the class of a container.
    pub fn container(&self, c: &ContainerView, node: &NodeView) -> &'static str {
        match self.by {
            ColourBy::App => self.palette.app(&c.app),
            ColourBy::Queue => self.palette.queue(&c.queue),
            ColourBy::User => self.palette.user(&c.user),
            ColourBy::Tag => c.tags.first().map_or("k0", |t| self.palette.tag(t)),
            ColourBy::Reason => self.reason(&node.name),
        }
    }

    /// Returns the class of an application's share of a queue.
    pub fn share(&self, app: &str, queue: &str, user: &str) -> &'static str {
        match self.by {
            ColourBy::Queue => self.palette.queue(queue),
            ColourBy::User => self.palette.user(user),
            _ => self.palette.app(app),
        }
    }

    /// Returns the class of an application.
    pub fn app(&self, app: &str) -> &'static str {
        self.palette.app(app)
    }

    fn reason(&self, node: &str) -> &'static str {
        let buckets = self.why.map(|w| w.buckets.as_slice()).unwrap_or_default();
        buckets.iter().position(|b| b.nodes.iter().any(|n| n == node)).map_or("k0", nth)
    }

    /// Draws the meaning of each colour in the picture.
    pub fn legend(&self, snapshot: &Snapshot) -> Html {
        let entry = |class: &'static str, text: String, family: Option<String>| {
            html! {
                <span data-family={family} title={text.clone()}><i class={classes!("sw", class)}/>{ names::short(&text) }</span>
            }
        };
        let mut out: Vec<Html> = Vec::new();
        match self.by {
            ColourBy::App => {
                for a in &snapshot.apps {
                    let class = self.palette.app(&a.name);
                    if class != "k0" && a.used.memory_mb > 0 || !a.waiting.is_empty() {
                        out.push(entry(class, a.name.clone(), Some(format!("app:{}", a.name))));
                    }
                }
            }
            ColourBy::Queue => {
                for q in snapshot.queues.iter().filter(|q| q.leaf) {
                    out.push(entry(self.palette.queue(&q.path), q.name.clone(), Some(format!("queue:{}", q.path))));
                }
            }
            ColourBy::User => {
                let mut seen: Vec<&str> = Vec::new();
                for a in &snapshot.apps {
                    if !seen.contains(&a.user.as_str()) {
                        seen.push(&a.user);
                        out.push(entry(self.palette.user(&a.user), a.user.clone(), None));
                    }
                }
            }
            ColourBy::Tag => {
                if self.palette.tags().is_empty() {
                    return html! { <span class="dim">{ "no container has a tag" }</span> };
                }
                for tag in self.palette.tags() {
                    out.push(entry(self.palette.tag(tag), tag.clone(), None));
                }
                out.push(entry("k0", "no tag".into(), None));
            }
            ColourBy::Reason => match self.why {
                Some(why) if !why.buckets.is_empty() => {
                    for (i, b) in why.buckets.iter().enumerate() {
                        out.push(entry(nth(i), crate::ui::rich::plain(&b.text), None));
                    }
                }
                _ => {
                    return html! { <span class="dim">{ "choose a waiting request to see what stops it where" }</span> };
                }
            },
        }
        let more = out.len().saturating_sub(CATEGORIES);
        out.truncate(CATEGORIES);
        html! { <>{ for out }if more > 0 { <span class="dim">{ format!("and {more} more") }</span> }</> }
    }
}
