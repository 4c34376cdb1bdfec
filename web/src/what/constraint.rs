//! A constraint as a form: everything that YARN's builders can say, also what its text cannot. It is written back as the
//! scenario's own notation; the text field beside it is YARN's text, where there is one.

use super::Editor;
use super::field::{choice, commit, field};
use crate::edits::{self, Key};
use heddle_core::constraint::tree::UNLIMITED;
use heddle_core::constraint::{
    AttributeOp, Constraint, Scope, Single, Target, Timed, english, parse_expression, print,
};
use heddle_core::scenario::{edit::Setting, notation, units};
use std::rc::Rc;
use yew::prelude::*;

/// Changes one node of the tree.
type Change = dyn Fn(&mut Constraint, &str) -> Result<(), String>;

/// A constraint at a place of the scenario, while it is drawn.
struct Form<'a> {
    e: &'a Editor<'a>,
    whole: &'a Constraint,
    path: Vec<Key>,
    what: String,
    id: String,
}

/// The form of the constraint that stands at `path`; without one, a button that begins one.
pub fn form(e: &Editor<'_>, path: Vec<Key>, constraint: Option<&Constraint>, own: Option<&str>, what: &str) -> Html {
    let put = {
        let path = path.clone();
        e.edit(what, move |t, typed| match typed.trim() {
            "" => edits::remove(t, &path),
            typed => match parse_expression(typed) {
                Ok(_) => edits::set(t, &path, Setting::Text(typed.to_owned())),
                Err(e) => Err(format!("{} {}", e.problem.what, e.problem.mend)),
            },
        })
    };
    let id: String = path.iter().fold("k".to_owned(), |id, key| match key {
        Key::Name(name) => id + &name[..1],
        Key::At(at) => format!("{id}{at}"),
    });
    let Some(whole) = constraint else {
        return html! { <div class="fields">{ field(&id, "constraint", String::new(), "none; such as notin,node,zk", put) }</div> };
    };
    let text = print::expression(whole);
    let f = Form { e, whole, path: path.clone(), what: what.to_owned(), id: id.clone() };
    let drop = e.press(what, move |t| edits::remove(t, &path));
    html! {
        <div class="build">
            <div class="sub"><h3 class="h3">{ "Constraint" }</h3>
                <button type="button" class="x" aria-label="Remove the constraint" onclick={drop}>{ "✕" }</button></div>
            { match &text {
                Ok(text) => html! { <div class="fields">{ super::field::wide(&format!("{id}t"), "as text", text.clone(), "", put, true) }</div> },
                Err(none) => html! { <p class="eyebrow">{ format!("No YARN text says this: {} The scenario keeps it as a table.", none.what) }</p> },
            } }
            { f.node(whole, &[]) }
            <ul class="reads" aria-label="Read back">{ tree(whole, own, &mut 0, 0, &|n, words| html! { <><span class="no">{ n }</span><span>{ words }</span><span/></> }) }</ul>
        </div>
    }
}

impl Form<'_> {
    /// A change of the node at `at`.
    fn change(
        &self,
        at: &[usize],
        f: impl Fn(&mut Constraint, &str) -> Result<(), String> + 'static,
    ) -> Callback<String> {
        let (whole, at, path) = (self.whole.clone(), at.to_vec(), self.path.clone());
        let f: Rc<Change> = Rc::new(f);
        self.e.edit(&self.what, move |t, typed| {
            let mut whole = whole.clone();
            let node = at.iter().try_fold(&mut whole, |c, i| child(c, *i));
            f(node.ok_or("This part is gone.")?, typed)?;
            edits::set(t, &path, Setting::Toml(notation::value(&whole).to_string()))
        })
    }

    /// The same for a button.
    fn press(&self, at: &[usize], f: impl Fn(&mut Constraint) + 'static) -> Callback<MouseEvent> {
        let change = self.change(at, move |c, _| {
            f(c);
            Ok(())
        });
        Callback::from(move |_| change.emit(String::new()))
    }

    fn node(&self, c: &Constraint, at: &[usize]) -> Html {
        let join = match c {
            Constraint::Single(leaf) => return self.leaf(leaf, at),
            Constraint::And(_) => "and",
            Constraint::Or(_) => "or",
            Constraint::DelayedOr(_) => "delayed",
        };
        let id = format!("{}{}", self.id, at.iter().map(|i| format!("-{i}")).collect::<String>());
        let rejoin = self.change(at, |c, to| {
            let children = match std::mem::replace(c, Constraint::And(Vec::new())) {
                Constraint::And(l) | Constraint::Or(l) => l,
                Constraint::DelayedOr(l) => l.into_iter().map(|t| t.constraint).collect(),
                single => vec![single],
            };
            *c = match to {
                "and" => Constraint::And(children),
                "or" => Constraint::Or(children),
                _ => Constraint::DelayedOr(children.into_iter().map(timed).collect()),
            };
            Ok(())
        });
        let add = self.press(at, |c| match c {
            Constraint::And(l) | Constraint::Or(l) => l.push(fresh()),
            Constraint::DelayedOr(l) => l.push(timed(fresh())),
            Constraint::Single(_) => {}
        });
        let n = count(c);
        html! {
            <fieldset class="group">
                <div class="fields">
                    { choice(&id, "parts", join, &[("and", "all must hold (AND)"), ("or", "one must hold (OR)"), ("delayed", "in turn, by delay")], rejoin) }
                </div>
                if join == "delayed" { <p class="eyebrow">{ "YARN carries a delayed OR but cannot evaluate it: no container with it ever starts." }</p> }
                { for (0..n).map(|i| {
                    let mut here = at.to_vec();
                    here.push(i);
                    let part = match c {
                        Constraint::And(l) | Constraint::Or(l) => &l[i],
                        Constraint::DelayedOr(l) => &l[i].constraint,
                        Constraint::Single(_) => c,
                    };
                    let remove = self.press(at, move |c| match c {
                        Constraint::And(l) | Constraint::Or(l) => { l.remove(i); }
                        Constraint::DelayedOr(l) => { l.remove(i); }
                        Constraint::Single(_) => {}
                    });
                    html! {
                        <div class="part" key={i}>
                            <div class="sub">
                                { match c { Constraint::DelayedOr(l) => self.delay(&l[i], at, i), _ => html! { <span class="eyebrow">{ format!("part {}", i + 1) }</span> } } }
                                <button type="button" class="x" aria-label={format!("Remove part {}", i + 1)} onclick={remove}>{ "✕" }</button></div>
                            { self.node(part, &here) }
                        </div>
                    }
                }) }
                <button type="button" class="btn edge sm" onclick={add}>{ "+ Part" }</button>
            </fieldset>
        }
    }

    fn delay(&self, t: &Timed, at: &[usize], i: usize) -> Html {
        let shown = if t.opportunities { format!("{} opportunities", t.delay) } else { units::time_text(t.delay) };
        let put = self.change(at, move |c, typed| {
            let Constraint::DelayedOr(l) = c else { return Ok(()) };
            let number = typed.trim().strip_suffix("opportunities").map(|n| n.trim().parse());
            (l[i].delay, l[i].opportunities) = match number {
                Some(Ok(n)) => (n, true),
                _ => (units::parse_time(typed)?, false),
            };
            Ok(())
        });
        html! { <div class="fields">{ field(&format!("{}d{i}", self.id), "after", shown, "0 s", put) }</div> }
    }

    fn leaf(&self, leaf: &Single, at: &[usize]) -> Html {
        let id = |k: &str| format!("{}{}{k}", self.id, at.iter().map(|i| format!("-{i}")).collect::<String>());
        let kind = match leaf {
            l if l.op == AttributeOp::Eq => "eq",
            l if l.op == AttributeOp::Ne => "ne",
            l if l.is_in() => "in",
            l if l.is_not_in() => "notin",
            _ => "card",
        };
        let single = |f: fn(&mut Single, &str) -> Result<(), String>| {
            self.change(at, move |c, typed| if let Constraint::Single(leaf) = c { f(leaf, typed) } else { Ok(()) })
        };
        let rekind = single(|leaf, to| {
            (leaf.min, leaf.max, leaf.op) = match to {
                "in" => (1, UNLIMITED, AttributeOp::NoOp),
                "notin" => (0, 0, AttributeOp::NoOp),
                "eq" => (-1, -1, AttributeOp::Eq),
                "ne" => (-1, -1, AttributeOp::Ne),
                _ => (0, 1, AttributeOp::NoOp),
            };
            let tested = leaf.op != AttributeOp::NoOp;
            // An operator is for attributes, and an attribute without one never matches.
            for target in &mut leaf.targets {
                if tested != matches!(target, Target::Attribute { .. }) && !matches!(target, Target::Partition { .. }) {
                    let values = std::mem::take(values_of(target));
                    *target = if tested { Target::attribute("java", values) } else { Target::own_tags(values) };
                }
            }
            Ok(())
        });
        let rescope = single(|leaf, to| {
            leaf.scope = if to == "rack" { Scope::Rack } else { Scope::Node };
            Ok(())
        });
        let min = single(|leaf, typed| bound(typed, 0).map(|n| leaf.min = n));
        let max = single(|leaf, typed| bound(typed, UNLIMITED).map(|n| leaf.max = n));
        let add = self.press(at, |c| {
            if let Constraint::Single(leaf) = c {
                leaf.targets.push(if leaf.op == AttributeOp::NoOp {
                    Target::own_tags(["tag"])
                } else {
                    Target::attribute("name", ["value"])
                });
            }
        });
        let split = self.press(at, |c| {
            let first = std::mem::replace(c, Constraint::And(Vec::new()));
            *c = Constraint::And(vec![first, fresh()]);
        });
        html! {
            <>
                <div class="fields">
                    { choice(&id("k"), "wants", kind, &[("in", "at least one (IN)"), ("notin", "none (NOTIN)"), ("card", "min to max (CARDINALITY)"), ("eq", "attribute ="), ("ne", "attribute ≠")], rekind) }
                    { choice(&id("s"), "on the", &leaf.scope.to_string(), &[("node", "node"), ("rack", "rack")], rescope) }
                    if kind == "card" {
                        { field(&id("a"), "min", leaf.min.to_string(), "0", min) }
                        { field(&id("z"), "max", if leaf.max == UNLIMITED { String::new() } else { leaf.max.to_string() }, "no limit", max) }
                    }
                </div>
                { for leaf.targets.iter().enumerate().map(|(i, target)| self.target(target, at, i)) }
                <div class="row">
                    <button type="button" class="btn edge sm" onclick={add}>{ "+ Target" }</button>
                    <button type="button" class="btn edge sm" onclick={split}>{ "AND, OR …" }</button>
                </div>
            </>
        }
    }

    fn target(&self, target: &Target, at: &[usize], i: usize) -> Html {
        let change = |f: fn(&mut Target, &str)| {
            self.change(at, move |c, typed| {
                if let Constraint::Single(leaf) = c
                    && let Some(target) = leaf.targets.get_mut(i)
                {
                    f(target, typed.trim());
                }
                Ok(())
            })
        };
        let (kind, key) = match target {
            Target::Tags { namespace, .. } => match namespace.split_once('/') {
                Some((kind @ ("app-id" | "app-tag"), key)) => (kind, Some(key.to_owned())),
                _ if namespace == "app-id" || namespace == "app-tag" => (namespace.as_str(), Some(String::new())),
                _ => (namespace.as_str(), None),
            },
            Target::Attribute { name, .. } => ("attribute", Some(name.clone())),
            Target::Partition { .. } => ("partition", None),
        };
        let rekind = change(|target, to| {
            let values = std::mem::take(values_of(target));
            *target = match to {
                "attribute" => Target::attribute("name", values),
                "partition" => Target::partition(values),
                "app-id" => Target::tags("app-id/application_0_0001", values),
                "app-tag" => Target::tags("app-tag/web", values),
                own => Target::tags(own, values),
            };
        });
        let rename = change(|target, typed| match target {
            Target::Tags { namespace, .. } => {
                let kind = namespace.split('/').next().unwrap_or("app-tag").to_owned();
                *namespace = format!("{kind}/{typed}");
            }
            Target::Attribute { name, .. } => *name = typed.to_owned(),
            Target::Partition { .. } => {}
        });
        let values = change(|target, typed| {
            *values_of(target) = typed.split(',').map(str::trim).filter(|v| !v.is_empty()).map(str::to_owned).collect();
        });
        let remove = self.press(at, move |c| {
            if let Constraint::Single(leaf) = c {
                leaf.targets.remove(i);
            }
        });
        let known = ["self", "not-self", "all", "app-id", "app-tag", "attribute", "partition"];
        let names = [
            "tags of this application",
            "tags of others",
            "tags of all",
            "tags of application",
            "tags of applications tagged",
            "node attribute",
            "node partition",
        ];
        let mut options: Vec<(&str, &str)> = known.into_iter().zip(names).collect();
        if !known.contains(&kind) {
            options.push((kind, kind));
        }
        let empty = match target {
            Target::Tags { .. } => "every tag",
            Target::Partition { .. } => "default partition",
            Target::Attribute { .. } => "a value",
        };
        let onchoice = Callback::from(move |e: Event| {
            rekind.emit(e.target_unchecked_into::<web_sys::HtmlSelectElement>().value())
        });
        html! {
            <div class="target" key={i}>
                <select class="in" aria-label="Looks at" onchange={onchoice}>
                    { for options.iter().map(|(v, name)| html! { <option value={v.to_string()} selected={*v == kind}>{ *name }</option> }) }</select>
                if let Some(key) = key { <input class="in" aria-label="Which" value={key} spellcheck="false" onchange={commit(rename)}/> }
                <input class="in" aria-label="Values" value={target.values().join(", ")} placeholder={empty} spellcheck="false" onchange={commit(values)}/>
                <button type="button" class="x" aria-label="Remove the target" onclick={remove}>{ "✕" }</button>
            </div>
        }
    }
}

/// A bound as typed; nothing typed is `none`.
fn bound(typed: &str, none: i32) -> Result<i32, String> {
    match typed.trim() {
        "" => Ok(none),
        n => n.parse().map_err(|_| format!("`{n}` is not a whole number that YARN can hold.")),
    }
}

fn child(c: &mut Constraint, i: usize) -> Option<&mut Constraint> {
    match c {
        Constraint::Single(_) => None,
        Constraint::And(l) | Constraint::Or(l) => l.get_mut(i),
        Constraint::DelayedOr(l) => l.get_mut(i).map(|t| &mut t.constraint),
    }
}

fn count(c: &Constraint) -> usize {
    match c {
        Constraint::Single(_) => 0,
        Constraint::And(l) | Constraint::Or(l) => l.len(),
        Constraint::DelayedOr(l) => l.len(),
    }
}

fn fresh() -> Constraint {
    Constraint::target_not_in(Scope::Node, [Target::own_tags(["tag"])])
}

fn timed(constraint: Constraint) -> Timed {
    Timed { constraint, delay: 0, opportunities: false }
}

fn values_of(target: &mut Target) -> &mut Vec<String> {
    match target {
        Target::Tags { values, .. } | Target::Attribute { values, .. } | Target::Partition { values } => values,
    }
}

/// The tree in English, one line a clause, indented; `line` draws what stands in the line of a clause, given its number.
pub fn tree(
    c: &Constraint,
    own: Option<&str>,
    next: &mut usize,
    depth: usize,
    line: &dyn Fn(usize, String) -> Html,
) -> Html {
    let (word, children): (&str, Vec<&Constraint>) = match c {
        Constraint::Single(leaf) => {
            *next += 1;
            return html! {
                <li data-clause={next.to_string()} data-vars={crate::ui::vars(&[("d", depth as f64)])}>{ line(*next, english::clause(leaf, own)) }</li>
            };
        }
        Constraint::And(l) => ("all of these:", l.iter().collect()),
        Constraint::Or(l) => ("one of these:", l.iter().collect()),
        Constraint::DelayedOr(l) => {
            ("in turn, by delay (not evaluated by YARN):", l.iter().map(|t| &t.constraint).collect())
        }
    };
    html! {
        <>
            <li data-vars={crate::ui::vars(&[("d", depth as f64)])}><span/><span class="dim">{ word }</span><span/></li>
            { for children.into_iter().map(|c| tree(c, own, next, depth + 1, line)) }
        </>
    }
}
