//! The picture of a card, as text in `scenarios/pictures.txt`: `1000 1:250 2:125|1000;1:500` is two nodes, the first with two
//! containers, and one that waits.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How the run of a scenario ends. Lengths are in thousandths of the memory of the largest node.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CardPicture {
    pub nodes: Vec<NodeBar>,
    pub waiting: Vec<Bar>,
}

/// A node of a [`CardPicture`].
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NodeBar {
    pub length: u16,
    pub containers: Vec<Bar>,
}

/// A container, or a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bar {
    /// The number of its application's fill, from 1.
    pub fill: u8,
    pub length: u16,
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.fill, self.length)
    }
}

impl FromStr for Bar {
    type Err = ();

    fn from_str(text: &str) -> Result<Bar, ()> {
        let (fill, length) = text.split_once(':').ok_or(())?;
        Ok(Bar { fill: fill.parse().map_err(drop)?, length: length.parse().map_err(drop)? })
    }
}

fn bars(text: &str) -> Result<Vec<Bar>, ()> {
    text.split_whitespace().map(str::parse).collect()
}

fn text(bars: &[Bar]) -> String {
    bars.iter().map(Bar::to_string).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for CardPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = |n: &NodeBar| format!("{} {}", n.length, text(&n.containers)).trim_end().to_owned();
        let nodes: Vec<String> = self.nodes.iter().map(node).collect();
        write!(f, "{};{}", nodes.join("|"), text(&self.waiting))
    }
}

impl FromStr for CardPicture {
    type Err = ();

    fn from_str(text: &str) -> Result<CardPicture, ()> {
        let (nodes, waiting) = text.split_once(';').ok_or(())?;
        let node = |text: &str| {
            let (length, containers) = text.split_once(' ').unwrap_or((text, ""));
            Ok(NodeBar { length: length.parse().map_err(drop)?, containers: bars(containers)? })
        };
        let nodes = nodes.split('|').filter(|n| !n.is_empty()).map(node).collect::<Result<_, ()>>()?;
        Ok(CardPicture { nodes, waiting: bars(waiting)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_its_text() {
        for text in ["1000 1:250 2:125|1000;1:500", ";", "500;", ";3:1000 3:1000"] {
            assert_eq!(text.parse::<CardPicture>().map(|p| p.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "1000", "a;", "1000 1;", "70000;"] {
            assert_eq!(text.parse::<CardPicture>(), Err(()), "{text}");
        }
    }
}
