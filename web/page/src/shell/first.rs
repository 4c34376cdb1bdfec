//! The first visit in three acts: a third zk waits and gets a node; a fourth is asked for; it waits in its turn. After the first
//! edit the scenario's own captions no longer hold, so that the page tells on, as long as the spec is the one that it knows.

use heddle_view::{Snapshot, Tally};

/// The known spec around its number.
const SPEC: (&str, &str) = ("spec = \"zk(", "),NOTIN,NODE,zk\"");

/// An act after the first edit.
#[derive(Debug, PartialEq)]
pub struct FirstAct {
    /// What stands below the headline.
    pub caption: String,
    /// What to try next: its words, and the scenario's text for it.
    pub next: Option<(String, String)>,
}

/// What the picture shows of the one application.
#[derive(Clone, Copy)]
pub struct Seen {
    pub nodes: usize,
    /// Its live containers, with its AM.
    pub running: usize,
    pub waiting: usize,
}

impl Seen {
    /// Counts them; `None` if there are other applications.
    pub fn of(snapshot: &Snapshot) -> Option<Seen> {
        let nodes = snapshot.racks.iter().map(|r| r.nodes.len()).sum();
        let Tally { running, waiting, .. } = snapshot.tally;
        (snapshot.apps.len() == 1).then_some(Seen { nodes, running, waiting })
    }
}

/// Returns the present act of an edited first scenario; `None` if it is no longer about the known spec.
pub fn act(text: &str, seen: Seen) -> Option<FirstAct> {
    let (before, rest) = text.split_once(SPEC.0)?;
    let (count, after) = rest.split_once(SPEC.1)?;
    let count: usize = count.parse().ok()?;
    let nodes = seen.nodes;
    match seen.waiting {
        0 if seen.running == count + 1 => {
            let more = count + 1;
            let text = format!("{before}{}{more}{}{after}", SPEC.0, SPEC.1);
            let caption = format!(
                "{count} containers on {nodes} nodes, none beside another zk. Ask for one more: is there a node for it?"
            );
            Some(FirstAct { caption, next: Some((format!("ask for {more} containers"), text)) })
        }
        1.. if count > nodes => Some(FirstAct {
            caption: format!(
                "{count} containers with anti-affinity need {count} nodes; there are {nodes}. One is pending until a node joins or two may share."
            ),
            next: None,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn each_act_leads_to_the_next() {
        let text = "title = \"x\"\nspec = \"zk(3),NOTIN,NODE,zk\"\nsize = \"2 GB/1\"";
        let placed = act(text, Seen { nodes: 3, running: 4, waiting: 0 }).expect("all are placed");
        assert!(placed.caption.starts_with("3 containers on 3 nodes, none beside another zk."), "{}", placed.caption);
        let (words, next) = placed.next.expect("a next act");
        assert_eq!((words.as_str(), next.as_str()), ("ask for 4 containers", text.replace("zk(3)", "zk(4)").as_str()));
        let waits = act(&next, Seen { nodes: 3, running: 4, waiting: 1 }).expect("the fourth waits");
        assert!(
            waits.caption.starts_with("4 containers with anti-affinity need 4 nodes; there are 3."),
            "{}",
            waits.caption
        );
        assert_eq!(waits.next, None);
        // Whatever else somebody made of it is not told on.
        assert_eq!(act("spec = \"zk(3),IN,NODE,zk\"", Seen { nodes: 3, running: 4, waiting: 0 }), None);
        assert_eq!(act(text, Seen { nodes: 3, running: 2, waiting: 1 }), None);
    }
}
