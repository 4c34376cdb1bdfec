//! The queue strip: queues on 0 to 100 % of the partition; used, reserved, requested, guaranteed, maximum. Of many queues those
//! that matter are shown: the selected one, the stories', then by what they lack and want.

use super::Picture;
use crate::ui::format::fraction;
use crate::ui::{gb, vars};
use heddle_view::SchedulerChoice;
use heddle_view::{Amount, QueuePartitionView, QueueView, Selection, StoriesView};
use std::cmp::Reverse;
use yew::prelude::*;

/// The most queues of a partition that are shown as a tree; of more, this many leaves are.
const TREE: usize = 14;
const LEAVES: usize = 5;

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
    html! {
        <div class="qs" aria-label="Queues">
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
                let size = if snapshot.dominant { format!("{} GB · {} vcores", gb(total.memory_mb), total.vcores) } else { format!("{} GB", gb(total.memory_mb)) };
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
                        <tbody>{ for rows.iter().map(|(q, p)| row(picture, q, p, total, (one, many))) }</tbody>
                    </table>
                }
            }) }
        </div>
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

    /// Returns an amount in GB, or in its own unit.
    fn text(&self, a: &Amount) -> String {
        let n = self.of(a);
        match self.place {
            0 => gb(n),
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
    let selected = |q: &QueueView| match picture.selected {
        Some(Selection::Queue(path)) => *path == q.path,
        Some(about) => {
            about.app().is_some_and(|app| picture.snapshot.apps.iter().any(|a| a.name == app && a.queue == q.path))
        }
        None => false,
    };
    let told = |q: &QueueView| stories.cards.iter().position(|card| card.name == q.path).unwrap_or(usize::MAX);
    rows.sort_by_key(|(q, p)| {
        let place = if picture.snapshot.dominant { p.pending.dominant(total) } else { 0 };
        let of = |a: &Amount| a.of(place, total);
        let lack = (of(&p.guaranteed) - of(&p.used)).min(of(&p.pending)).max(0);
        (!selected(q), told(q), Reverse(lack), Reverse(of(&p.pending)), Reverse(of(&p.used)))
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
            let user = picture.snapshot.apps.iter().find(|a| a.name == *app).map_or("", |a| a.user.as_str());
            let w = pct(m.of(used));
            fills.push(html! { <i class={classes!("u", picture.paint.share(app, &q.path, user))} data-family={format!("app:{app}")} data-vars={vars(&[("x", x), ("w", w)])}/> });
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
        if place == 0 { " GB" } else { "" }
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
