//! The queue strip: every queue on 0 to 100 % of the partition; used, held, asked for, guaranteed, maximum.

use super::Picture;
use crate::ui::{format, gb, vars};
use heddle_core::explain::view::{QueuePartitionView, QueueView, Selection};
use yew::prelude::*;

/// The strip.
pub fn strip(picture: &Picture<'_>) -> Html {
    let snapshot = picture.snapshot;
    if snapshot.queues.is_empty() {
        return html! {};
    }
    let one = snapshot.queues.iter().filter(|q| q.leaf).count() <= 1;
    // A single leaf says it all; else the tree without the root, whose bar is the whole.
    let queues: Vec<&QueueView> = snapshot.queues.iter().filter(|q| if one { q.leaf } else { q.depth > 0 }).collect();
    let partitions: Vec<_> =
        snapshot.partitions.iter().filter(|p| p.total.memory_mb > 0 || p.name.is_empty()).collect();
    html! {
        <div class="qs" aria-label="Queues">
            { for partitions.iter().map(|partition| {
                let total = partition.total.memory_mb.max(1);
                let rows: Vec<(&QueueView, &QueuePartitionView)> = queues.iter()
                    .filter_map(|q| q.partitions.iter().find(|p| p.partition == partition.name).map(|p| (*q, p)))
                    .collect();
                let reserved = rows.iter().any(|(_, p)| p.reserved.memory_mb > 0);
                let title = if partitions.len() > 1 {
                    format!("share of the {} GB of partition {}", gb(partition.total.memory_mb), format::partition(&partition.name))
                } else {
                    format!("share of {} GB", gb(partition.total.memory_mb))
                };
                html! {
                    <table>
                        <thead><tr><th>{ "Queue" }</th><th>{ title }</th><th class="num">{ "used" }</th>
                            if reserved { <th class="num opt">{ "reserved" }</th> }
                            <th class="num">{ "waiting" }</th><th class="num opt">{ "guarant." }</th><th class="num opt">{ "max" }</th></tr></thead>
                        <tbody>{ for rows.iter().map(|(q, p)| row(picture, q, p, total, reserved, one)) }</tbody>
                    </table>
                }
            }) }
        </div>
    }
}

fn dash(mb: i64) -> String {
    if mb == 0 { "–".into() } else { gb(mb) }
}

fn row(picture: &Picture<'_>, q: &QueueView, p: &QueuePartitionView, total: i64, reserved: bool, one: bool) -> Html {
    let id = Selection::Queue(q.path.clone());
    let selected = picture.selected == Some(&id);
    let pct = |mb: i64| (mb.max(0) as f64 * 100.0 / total as f64).min(100.0);
    let mut x = 0.0;
    let mut fills: Vec<Html> = Vec::new();
    if q.leaf {
        for (app, used) in &p.by_app {
            let user = picture.snapshot.apps.iter().find(|a| a.name == *app).map_or("", |a| a.user.as_str());
            let w = pct(used.memory_mb);
            fills.push(html! { <i class={classes!("u", picture.paint.share(app, &q.path, user))} data-family={format!("app:{app}")} data-vars={vars(&[("x", x), ("w", w)])}/> });
            x += w;
        }
    }
    // Whatever no application of ours accounts for, and parents as a whole.
    let plain = pct(p.used.memory_mb - p.reserved.memory_mb);
    if plain > x + 0.05 {
        fills.push(html! { <i class="u k0" data-vars={vars(&[("x", x), ("w", plain - x)])}/> });
        x = plain;
    }
    let held = pct(p.reserved.memory_mb);
    let pending = pct(p.pending.memory_mb).min(100.0 - (x + held).min(100.0));
    let max = pct(p.maximum.memory_mb);
    let depth = if one { 0.0 } else { q.depth.saturating_sub(1) as f64 };
    let label = format!(
        "{}: used {} GB, waiting {} GB, guaranteed {} GB, at most {} GB",
        q.path,
        gb(p.used.memory_mb),
        gb(p.pending.memory_mb),
        gb(p.guaranteed.memory_mb),
        gb(p.maximum.memory_mb)
    );
    html! {
        <tr class={(!q.leaf).then_some("parent")} key={q.path.clone()} aria-selected={selected.to_string()}>
            <td><button type="button" class="nm" data-sel={id.to_string()} data-family={id.to_string()} data-vars={vars(&[("d", depth)])} title={q.path.clone()}>{ &q.name }</button>
                if q.state != "RUNNING" && !q.state.is_empty() { <span class="eyebrow">{ format!(" {}", q.state.to_lowercase()) }</span> }</td>
            <td><div class="qb" role="img" aria-label={label}>
                <i class="max" data-vars={vars(&[("w", max)])}/>
                { for fills }
                if held > 0.0 { <i class="r" data-vars={vars(&[("x", x), ("w", held)])}/> }
                if pending > 0.0 { <i class="p" data-vars={vars(&[("x", x + held), ("w", pending)])}/> }
                <i class="mx" data-vars={vars(&[("x", max)])}/>
                <i class="g" data-vars={vars(&[("x", pct(p.guaranteed.memory_mb))])}/>
            </div></td>
            <td class="num b">{ gb(p.used.memory_mb) }</td>
            if reserved { <td class="num opt">{ dash(p.reserved.memory_mb) }</td> }
            <td class="num">{ dash(p.pending.memory_mb) }</td>
            <td class="num soft opt">{ gb(p.guaranteed.memory_mb) }</td>
            <td class="num soft opt">{ gb(p.maximum.memory_mb) }</td>
        </tr>
    }
}
