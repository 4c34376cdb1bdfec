//! What an offer added to a log, so that a like offer need not be told again.

/// What the present offer has added, and the same of the offer that may be repeated, by its ticket.
#[derive(Clone, Debug)]
pub struct Tickets<T> {
    recent: Vec<T>,
    repeatable: Option<(u64, Vec<T>)>,
    handed_out: u64,
}

impl<T> Default for Tickets<T> {
    fn default() -> Self {
        Tickets { recent: Vec::new(), repeatable: None, handed_out: 0 }
    }
}

impl<T> Tickets<T> {
    /// An offer begins.
    pub fn begin(&mut self) {
        self.recent.clear();
    }

    /// The present offer adds something.
    pub fn add(&mut self, what: T) {
        self.recent.push(what);
    }

    /// What the present offer has added since it began, or since it was remembered.
    pub fn recent(&self) -> &[T] {
        &self.recent
    }

    /// The present offer may be repeated, and none before it any more.
    pub fn remember(&mut self) -> u64 {
        self.handed_out += 1;
        self.repeatable = Some((self.handed_out, std::mem::take(&mut self.recent)));
        self.handed_out
    }

    /// What a ticket stands for; `None`: nothing any more.
    pub fn remembered(&self, ticket: u64) -> Option<&[T]> {
        self.repeatable.as_ref().filter(|(known, _)| *known == ticket).map(|(_, added)| added.as_slice())
    }

    /// No offer may be repeated any more.
    pub fn forget(&mut self) {
        self.repeatable = None;
    }

    /// How many were handed out.
    pub fn handed_out(&self) -> u64 {
        self.handed_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_stands_for_the_latest_offer_only() {
        let mut tickets = Tickets::default();
        tickets.add(1);
        tickets.begin();
        tickets.add(2);
        let first = tickets.remember();
        assert_eq!(tickets.remembered(first), Some(&[2][..]), "what came before the offer is not of it");
        let second = tickets.remember();
        assert_eq!((tickets.remembered(first), tickets.remembered(second)), (None, Some(&[][..])));
        tickets.forget();
        assert_eq!((tickets.remembered(second), tickets.handed_out()), (None, 2));
    }
}
