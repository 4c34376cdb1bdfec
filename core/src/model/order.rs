//! Stable sorting through one shared instance of the standard library's sort: each type and key that is sorted with
//! `slice::sort_by` costs the page some 4 kB. For lists that are short or rarely sorted; the scheduler's own orders are
//! sorted in place.

use std::cmp::Ordering;

/// The places of the items, in the order in which `slice::sort_by` would put them.
pub fn places<T>(items: &[T], mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_places(&mut order, &mut |a, b| compare(&items[a], &items[b]));
    order
}

/// Like `slice::sort_by`.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl FnMut(&T, &T) -> Ordering) {
    let order = places(items, compare);
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|place| taken[place].take()));
}

/// Like `slice::sort_by_key`.
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Like `slice::sort`.
pub fn sort<T: Ord>(items: &mut Vec<T>) {
    sort_by(items, T::cmp);
}

#[inline(never)]
fn sort_places(places: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    places.sort_by(|a, b| compare(*a, *b));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut ours: Vec<(u32, usize)> = (0..200).map(|i| ((i * 7919 % 13) as u32, i)).collect();
        let mut theirs = ours.clone();
        sort_by_key(&mut ours, |x| x.0);
        theirs.sort_by_key(|x| x.0);
        assert_eq!(ours, theirs);
        sort(&mut ours);
        theirs.sort();
        assert_eq!(ours, theirs);
    }
}
