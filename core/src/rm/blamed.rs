//! Hosts that the failed ApplicationMasters of an application blame (SimpleBlacklistManager; lifecycles-and-timing.md 4.4).

/// The hosts, by whatever they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedHosts<T>(Vec<T>);

impl<T> Default for BlamedHosts<T> {
    fn default() -> Self {
        BlamedHosts(Vec::new())
    }
}

/// What the next ApplicationMaster's container is asked for with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedUpdates<T> {
    /// Hosts that it is not to go to.
    pub additions: Vec<T>,
    /// Hosts that it may go to again.
    pub removals: Vec<T>,
}

impl<T: Clone + PartialEq> BlamedHosts<T> {
    /// Blames a host, once.
    pub fn add(&mut self, host: T) {
        if !self.0.contains(&host) {
            self.0.push(host);
        }
    }

    /// All of them are avoided while they are less than the `share` of so many nodes; else none is.
    pub fn updates(&self, share: f32, nodes: usize) -> BlamedUpdates<T> {
        let avoided = (self.0.len() as f64) < f64::from(share) * nodes as f64;
        let (additions, removals) = if avoided { (self.0.clone(), Vec::new()) } else { (Vec::new(), self.0.clone()) };
        BlamedUpdates { additions, removals }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_are_not_avoided_at_all() {
        let mut hosts = BlamedHosts::default();
        hosts.add("a");
        hosts.add("a");
        assert_eq!(hosts.updates(0.5, 3).additions, ["a"], "1 of 1.5");
        // 0.2 as a float is a little more: 1 of 5 nodes is less than the share.
        assert_eq!(hosts.updates(0.2, 5).additions, ["a"]);
        hosts.add("b");
        let updates = hosts.updates(0.5, 3);
        assert_eq!((updates.additions.len(), updates.removals), (0, vec!["a", "b"]));
    }
}
