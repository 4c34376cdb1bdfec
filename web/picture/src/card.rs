//! The picture of a gallery card: the nodes and what waits at the end of the run.

use heddle_player::Player;
use heddle_view::{Bar, CardPicture, NodeBar, Snapshot};

/// The most nodes, containers of a node, and requests that a card shows.
const NODES: usize = 24;
const CONTAINERS: usize = 12;
const WAITING: usize = 4;
/// The number of fills of the page.
const FILLS: u8 = 8;

/// Draws the end of a run that was played to its end; if nothing is left there, the moment with which the scenario opens.
pub fn card(player: &mut Player, opens_ms: i64) -> CardPicture {
    let end = player.snapshot(None);
    let shows = end.racks.iter().flat_map(|r| &r.nodes).any(|n| !n.containers.is_empty()) || !end.waiting.is_empty();
    if shows {
        return of(&end);
    }
    player.seek(opens_ms);
    of(&player.snapshot(None))
}

fn of(snapshot: &Snapshot) -> CardPicture {
    let nodes = || snapshot.racks.iter().flat_map(|r| &r.nodes);
    let most = nodes().map(|n| n.total.memory_mb.max(n.used.memory_mb)).max().unwrap_or(1).max(1);
    let length = |mb: i64| (mb.clamp(0, most) * 1000 / most) as u16;
    let fill = |app: &str| {
        let category = snapshot.apps.iter().find(|a| a.name == app).map_or(0, |a| a.category);
        (category % usize::from(FILLS)) as u8 + 1
    };
    let bars = nodes().take(NODES).map(|n| {
        let mut containers: Vec<Bar> = Vec::new();
        let many = n.containers.len() > CONTAINERS;
        for c in &n.containers {
            let bar = Bar { fill: fill(&c.app), length: length(c.size.memory_mb) };
            match containers.last_mut() {
                // Of many, those of one application beside each other are one bar.
                Some(last) if many && last.fill == bar.fill => last.length = last.length.saturating_add(bar.length),
                _ => containers.push(bar),
            }
        }
        NodeBar { length: length(n.total.memory_mb), containers }
    });
    let waiting = snapshot.waiting.iter().filter(|w| w.size.memory_mb > 0).take(WAITING);
    CardPicture {
        nodes: bars.collect(),
        waiting: waiting.map(|w| Bar { fill: fill(&w.app), length: length(w.size.memory_mb) }).collect(),
    }
}
