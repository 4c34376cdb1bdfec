//! The meaning of colours: application, queue, user, tag, or the reason why nodes refuse the selection.

use crate::store::{CATEGORIES, ColourBy, Palette, nth};
use crate::ui::names;
use heddle_view::{ContainerView, NodeView, QueueView, Snapshot, WhyView};
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

    /// Returns the meaning of fills.
    pub fn by(&self) -> ColourBy {
        self.by
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
    pub fn share(&self, app: &str, queue: &str) -> &'static str {
        match self.by {
            ColourBy::Queue => self.palette.queue(queue),
            by => self.palette.of(by, app),
        }
    }

    /// Returns the class of what an application waits for or wishes.
    pub fn app(&self, app: &str) -> &'static str {
        self.palette.of(self.by, app)
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
                for a in snapshot.apps.iter().filter(|a| a.used.memory_mb > 0 || !a.waiting.is_empty()) {
                    out.push(entry(self.palette.app(&a.name), a.name.clone(), Some(format!("app:{}", a.name))));
                }
            }
            ColourBy::Queue => {
                let leaves = || snapshot.queues.iter().filter(|q| q.leaf);
                // Of many, those that have or want something.
                let many = leaves().count() > CATEGORIES;
                let busy = |q: &&QueueView| q.partitions.iter().any(|p| p.used.memory_mb + p.pending.memory_mb > 0);
                for q in leaves().filter(|q| !many || busy(q)) {
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
