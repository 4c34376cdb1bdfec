//! Hosts that the failed ApplicationMasters of an application blame (SimpleBlacklistManager; lifecycles-and-timing.md 4.4).

/// The blamed hosts. `T`: how hosts are identified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedHosts<T>(Vec<T>);

impl<T> Default for BlamedHosts<T> {
    fn default() -> Self {
        BlamedHosts(Vec::new())
    }
}

/// The blacklist of the request for the next ApplicationMaster's container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedUpdates<T> {
    /// Hosts to add.
    pub additions: Vec<T>,
    /// Hosts to remove.
    pub removals: Vec<T>,
}

impl<T: Clone + PartialEq> BlamedHosts<T> {
    /// Blames a host, at most once.
    pub fn add(&mut self, host: T) {
        if !self.0.contains(&host) {
            self.0.push(host);
        }
    }

    /// Returns the blacklist: all blamed hosts while they are less than `share` of the nodes, else none.
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
