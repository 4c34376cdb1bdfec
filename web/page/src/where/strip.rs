//! The queue strip: queues on 0 to 100 % of the partition; used, reserved, requested, guaranteed, maximum. Of many queues those
//! that matter are shown: the selected one, the stories', then by what they lack and want.

use super::Picture;
use crate::ui::format::{fraction, in_unit, unit};
use crate::ui::{gb, size, vars};
use heddle_view::SchedulerChoice;
use heddle_view::{Amount, QueuePartitionView, QueueView, Selection, StoriesView};
use std::cmp::Reverse;
use yew::prelude::*;

/// The most queues of a partition that are shown as a tree; of more, this many leaves are.
const TREE: usize = 14;
const LEAVES: usize = 5;
/// The most queues that have rows whatever they hold; of more, those that hold and want nothing share a line.
const ROWS: usize = 6;

pub fn strip(picture: &Picture<'_>, stories: &StoriesView) -> Html {
    let snapshot = picture.snapshot;
    if snapshot.queues.is_empty() {
        return html! {};
    }
    let one = snapshot.queues.iter().filter(|q| q.leaf).count() <= 1;
    // A single leaf is enough; otherwise the tree without the root, whose bar is the whole.
    let queues: Vec<&QueueView> = snapshot.queues.iter().filter(|q| if one { q.leaf } else { q.depth > 0 }).collect();
    let partitions: Vec<_> =
        snapshot.partitions.iter().filter(|p| p.total.memory_mb > 0 || p.name.is_empty()).collect();
    let (share, shared) = match snapshot.scheduler {
        SchedulerChoice::Fair => ("fair sh.", "fair share as of the last update"),
        _ => ("guarant.", "guaranteed"),
    };
    // With a line for the folded ones the height is that of the topology, so that a queue that begins to be used moves no node.
    let rows_of = |name: &str| queues.iter().filter(|q| q.partitions.iter().any(|p| p.partition == name)).count();
    let room: Vec<usize> = partitions.iter().map(|p| rows_of(&p.name)).collect();
    let kept = room.iter().any(|all| (ROWS + 1..=TREE).contains(all));
    let lines: usize = room.iter().map(|all| if *all > TREE { LEAVES } else { (*all).min(ROWS + 1) }).sum();
    let height = kept.then(|| vars(&[("rows", lines as f64), ("heads", room.len() as f64)]));
    html! {
        <div class={classes!("qs", kept.then_some("held"))} aria-label="Queues" data-vars={height}>
            { for partitions.iter().map(|partition| {
                let total = &partition.total;
                let mut rows: Vec<(&QueueView, &QueuePartitionView)> = queues.iter()
                    .filter_map(|q| q.partitions.iter().find(|p| p.partition == partition.name).map(|p| (*q, p)))
                    .collect();
                let all = rows.len();
                let many = all > TREE;
                if many {
                    rows.retain(|(q, _)| q.leaf);
                }
                let leaves = rows.len();
                if many {
                    rows = first(picture, stories, rows, total);
                }
                let one = one || many;
                let folded = if many || all <= ROWS { vec![] } else { fold(picture, stories, &mut rows) };
                let size = if snapshot.dominant { format!("{} · {} vcores", size(total.memory_mb), total.vcores) } else { size(total.memory_mb) };
                let of = match partition.name.as_str() {
                    _ if partitions.len() < 2 => String::new(),
                    "" => " without a label".to_owned(),
                    label => format!(" of label {label}"),
                };
                let by = if snapshot.dominant { ", each by its dominant resource, in %" } else { "" };
                let title = format!("share of {size}{of}{by}");
                html! {
                    <table>
                        <thead><tr><th>{ if many { format!("{} of {leaves} queues, in root", rows.len()) } else { "Queue".to_owned() } }</th><th title={title.clone()}>{ title }</th><th class="num">{ "used" }</th>
                            <th class="num">{ "reserved" }</th>
                            <th class="num">{ "waiting" }</th><th class="num" title={shared}>{ share }</th><th class="num">{ "max" }</th></tr></thead>
                        <tbody>{ for rows.iter().map(|(q, p)| row(picture, q, p, total, (one, many))) }
                            if !folded.is_empty() { { idle(&folded) } }</tbody>
                    </table>
                }
            }) }
        </div>
    }
}

/// Takes the leaves out that hold and want nothing, unless they are selected or a story tells of them. Parents stay: they say
/// whose leaves are folded.
fn fold<'q>(
    picture: &Picture<'_>,
    stories: &StoriesView,
    rows: &mut Vec<(&'q QueueView, &'q QueuePartitionView)>,
) -> Vec<&'q QueueView> {
    let nothing = |a: &Amount| a.memory_mb == 0 && a.vcores == 0 && a.more.iter().all(|(_, n)| *n == 0);
    let idle = |(q, p): &(&QueueView, &QueuePartitionView)| {
        let told = stories.cards.iter().any(|card| card.name == q.path);
        q.leaf && !told && !is_selected(picture, q) && [&p.used, &p.reserved, &p.pending].into_iter().all(nothing)
    };
    let folded: Vec<&QueueView> = rows.iter().filter(|row| idle(row)).map(|(q, _)| *q).collect();
    // One alone has its row: the line would be as high.
    if folded.len() < 2 {
        return vec![];
    }
    rows.retain(|row| !idle(row));
    folded
}

/// Draws the line of the folded queues.
fn idle(folded: &[&QueueView]) -> Html {
    let one = |q: &&QueueView| {
        let id = Selection::Queue(q.path.clone()).to_string();
        html! { <>{ " " }<button type="button" class="nm" data-sel={id.clone()} data-family={id} title={q.path.clone()}>{ &q.name }</button></> }
    };
    html! { <tr class="idle"><td colspan="7">{ format!("{} hold and want nothing:", folded.len()) }{ for folded.iter().map(one) }</td></tr> }
}

/// Returns whether a queue, or something of it, is selected.
fn is_selected(picture: &Picture<'_>, q: &QueueView) -> bool {
    match picture.selected {
        Some(Selection::Queue(path)) => *path == q.path,
        Some(about) => {
            about.app().is_some_and(|app| picture.snapshot.apps.iter().any(|a| a.name == app && a.queue == q.path))
        }
        None => false,
    }
}

/// Draws a path below the root, its last part strongest.
fn path(path: &str) -> Html {
    let short = path.strip_prefix("root.").unwrap_or(path);
    match short.rsplit_once('.') {
        Some((before, last)) => html! { <><span class="pre">{ format!("{before}.") }</span>{ last }</> },
        None => html! { { short } },
    }
}

/// The resource type that a queue is drawn in: memory, or its dominant one if the scheduler counts all.
struct Measure<'a> {
    place: usize,
    total: &'a Amount,
}

impl Measure<'_> {
    fn of(&self, a: &Amount) -> i64 {
        a.of(self.place, self.total)
    }

    /// Returns an amount in the unit of the whole, or in its own.
    fn text(&self, a: &Amount) -> String {
        let n = self.of(a);
        match self.place {
            // What is too little for the unit has its own.
            0 => match in_unit(n, self.total.memory_mb) {
                text if text == "0" && n > 0 => format!("{} GB", gb(n)),
                text => text,
            },
            1 => format!("{n} vc"),
            k => format!(
                "{n} {}",
                self.total.more.get(k - 2).map_or("", |(name, _)| name.rsplit('/').next().unwrap_or(name))
            ),
        }
    }

    /// Returns the figure of a column. Where queues are measured by different resource types it is the share of the cluster, so
    /// that a column has one unit.
    fn figure(&self, a: &Amount, share: bool) -> String {
        if !share {
            return self.text(a);
        }
        let percent = self.of(a) as f64 * 100.0 / self.of(self.total).max(1) as f64;
        format!("{} %", fraction((percent * 10.0).round() / 10.0))
    }
}

/// Returns the leaves that matter: the selected one, those of the stories, then by what each lacks of its guarantee, what it
/// wants, what it has.
fn first<'q>(
    picture: &Picture<'_>,
    stories: &StoriesView,
    mut rows: Vec<(&'q QueueView, &'q QueuePartitionView)>,
    total: &Amount,
) -> Vec<(&'q QueueView, &'q QueuePartitionView)> {
    let told = |q: &QueueView| stories.cards.iter().position(|card| card.name == q.path).unwrap_or(usize::MAX);
    rows.sort_by_key(|(q, p)| {
        let place = if picture.snapshot.dominant { p.pending.dominant(total) } else { 0 };
        let of = |a: &Amount| a.of(place, total);
        let lack = (of(&p.guaranteed) - of(&p.used)).min(of(&p.pending)).max(0);
        (!is_selected(picture, q), told(q), Reverse(lack), Reverse(of(&p.pending)), Reverse(of(&p.used)))
    });
    rows.truncate(LEAVES);
    rows
}

/// `one`: whether the tree's depth is not shown; `full`: whether names are paths.
fn row(
    picture: &Picture<'_>,
    q: &QueueView,
    p: &QueuePartitionView,
    total: &Amount,
    (one, full): (bool, bool),
) -> Html {
    let id = Selection::Queue(q.path.clone());
    let selected = picture.selected == Some(&id);
    let idle = p.used.memory_mb == 0 && p.used.vcores == 0;
    let place = if picture.snapshot.dominant { if idle { &p.pending } else { &p.used }.dominant(total) } else { 0 };
    let m = Measure { place, total };
    let whole = m.of(total).max(1) as f64;
    let pct = |n: i64| (n.max(0) as f64 * 100.0 / whole).min(100.0);
    let mut x = 0.0;
    let mut fills: Vec<Html> = Vec::new();
    if q.leaf {
        for (app, used) in &p.by_app {
            let w = pct(m.of(used));
            fills.push(html! { <i class={classes!("u", picture.paint.share(app, &q.path))} data-family={format!("app:{app}")} data-vars={vars(&[("x", x), ("w", w)])}/> });
            x += w;
        }
    }
    // Usage without a known application, and parents as a whole.
    let plain = pct(m.of(&p.used) - m.of(&p.reserved));
    if plain > x + 0.05 {
        fills.push(html! { <i class="u k0" data-vars={vars(&[("x", x), ("w", plain - x)])}/> });
        x = plain;
    }
    let held = pct(m.of(&p.reserved));
    let pending = pct(m.of(&p.pending)).min(100.0 - (x + held).min(100.0));
    let max = pct(m.of(&p.maximum));
    let depth = if one { 0.0 } else { q.depth.saturating_sub(1) as f64 };
    let label = format!(
        "{}: used {}, waiting {}, guaranteed {}, at most {}{}",
        q.path,
        m.text(&p.used),
        m.text(&p.pending),
        m.text(&p.guaranteed),
        m.text(&p.maximum),
        if place == 0 { format!(" {}", unit(total.memory_mb)) } else { String::new() }
    );
    let other = picture.unlike.as_ref().and_then(|unlike| unlike.with).map(|other| {
        let queue = other.queues.iter().find(|o| o.path == q.path);
        queue.and_then(|o| o.partitions.iter().find(|o| o.partition == p.partition))
    });
    // A figure that another world beside this one has otherwise is marked.
    let df = |of: fn(&QueuePartitionView) -> &Amount| {
        other.is_some_and(|other| other.is_none_or(|other| of(other) != of(p))).then_some("df")
    };
    let cell = |of: fn(&QueuePartitionView) -> &Amount, class: &'static str| {
        let (amount, share) = (of(p), picture.snapshot.dominant);
        let text = if class == "dash" && m.of(amount) == 0 { "–".to_owned() } else { m.figure(amount, share) };
        html! { <td class={classes!("num", class, df(of))} title={share.then(|| m.text(amount))}>{ text }</td> }
    };
    html! {
        <tr class={(!q.leaf).then_some("parent")} key={q.path.clone()} aria-selected={selected.to_string()}>
            <td><button type="button" class="nm" data-sel={id.to_string()} data-family={id.to_string()} data-vars={vars(&[("d", depth)])} title={q.path.clone()}>if full { { path(&q.path) } } else { { &q.name } }</button>
                if q.state != "RUNNING" && !q.state.is_empty() { <span class="eyebrow">{ format!(" {}", q.state.to_ascii_lowercase()) }</span> }</td>
            <td><div class="qb" role="img" aria-label={label}>
                <i class="max" data-vars={vars(&[("w", max)])}/>
                { for fills }
                if held > 0.0 { <i class="r" data-vars={vars(&[("x", x), ("w", held)])}/> }
                if pending > 0.0 { <i class="p" data-vars={vars(&[("x", x + held), ("w", pending)])}/> }
                <i class="mx" data-vars={vars(&[("x", max)])}/>
                <i class="g" data-vars={vars(&[("x", pct(m.of(&p.guaranteed)))])}/>
            </div></td>
            { cell(|p| &p.used, "b") }
            { cell(|p| &p.reserved, "dash") }
            { cell(|p| &p.pending, "dash") }
            { cell(|p| &p.guaranteed, "soft") }
            { cell(|p| &p.maximum, "soft") }
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_unit() {
        let total = Amount { memory_mb: 8192, vcores: 16, more: vec![] };
        let used = Amount { memory_mb: 1024, vcores: 4, more: vec![] };
        let [memory, vcores] = [0, 1].map(|place| Measure { place, total: &total });
        assert_eq!([memory.figure(&used, true), vcores.figure(&used, true)], ["12.5 %", "25 %"]);
        assert_eq!([memory.figure(&used, false), vcores.text(&used)], ["1", "4 vc"]);
    }
}
