//! The colour of each category, assigned by first appearance and for good.

use heddle_view::Snapshot;

/// The number of colours; the remaining categories are grey with their names.
pub const CATEGORIES: usize = 8;

/// Names in the order of first appearance. Applications have their numbers from the scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    apps: Vec<String>,
    queues: Vec<String>,
    users: Vec<String>,
    tags: Vec<String>,
}

impl Palette {
    /// Learns the names in a new picture. Returns whether any was new.
    pub fn learn(&mut self, snapshot: &Snapshot) -> bool {
        let before = self.apps.len() + self.queues.len() + self.users.len() + self.tags.len();
        for app in &snapshot.apps {
            if self.apps.len() <= app.category {
                self.apps.resize(app.category + 1, String::new());
            }
            if self.apps[app.category] != app.name {
                self.apps[app.category].clone_from(&app.name);
            }
            learn(&mut self.users, &app.user);
        }
        for queue in snapshot.queues.iter().filter(|q| q.leaf) {
            learn(&mut self.queues, &queue.path);
        }
        for node in snapshot.racks.iter().flat_map(|r| &r.nodes) {
            for tag in node.containers.iter().flat_map(|c| &c.tags) {
                learn(&mut self.tags, tag);
            }
        }
        before != self.apps.len() + self.queues.len() + self.users.len() + self.tags.len()
    }

    /// Returns an application's class: `k1` … `k8`, or `k0` for the remaining ones.
    pub fn app(&self, name: &str) -> &'static str {
        class(&self.apps, name)
    }

    /// Returns a leaf queue's class.
    pub fn queue(&self, path: &str) -> &'static str {
        class(&self.queues, path)
    }

    /// Returns a user's class.
    pub fn user(&self, name: &str) -> &'static str {
        class(&self.users, name)
    }

    /// Returns an allocation tag's class.
    pub fn tag(&self, tag: &str) -> &'static str {
        class(&self.tags, tag)
    }

    /// The tags seen so far.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }
}

fn learn(list: &mut Vec<String>, name: &str) {
    if !name.is_empty() && !list.iter().any(|n| n == name) {
        list.push(name.to_owned());
    }
}

/// Returns the class of the i-th category.
pub fn nth(i: usize) -> &'static str {
    ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"].get(i).copied().unwrap_or("k0")
}

fn class(list: &[String], name: &str) -> &'static str {
    list.iter().position(|n| n == name).map_or("k0", nth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_stay_and_the_ninth_is_grey() {
        let mut list = Vec::new();
        for i in 0..10 {
            learn(&mut list, &format!("q{i}"));
        }
        learn(&mut list, "q3");
        assert_eq!(
            (class(&list, "q0"), class(&list, "q7"), class(&list, "q8"), class(&list, "x")),
            ("k1", "k8", "k0", "k0")
        );
        assert_eq!(list.len(), 10);
    }
}
