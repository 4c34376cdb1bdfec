//! The order of POPULAR_TAGS (PopularTagsIterator): requests with the most frequent tags come first. YARN counts the
//! requests with a tag in the very list that it is sorting. Up to 31 requests, the sort compares only while the list is
//! whole; from 32 on, Java's merge sort (TimSort) compares while parts of the list are duplicated or missing, which
//! distorts the order. So this module replays that sort step by step.

use super::algorithm::BatchRequest;
use std::collections::BTreeMap;

const MIN_MERGE: usize = 32;
const MIN_GALLOP: isize = 7;

/// The order of the requests, as indices. `None`: the sort detects a contradiction and throws, which ends the run.
pub fn order(requests: &[BatchRequest]) -> Option<Vec<usize>> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tags = Vec::with_capacity(requests.len());
    for request in requests {
        let mut own: Vec<usize> = Vec::new();
        for tag in request.tags.iter() {
            let next = numbers.len();
            let number = *numbers.entry(tag).or_insert(next);
            if !own.contains(&number) {
                own.push(number);
            }
        }
        tags.push(own);
    }
    let mut sort = Sort {
        a: (0..requests.len()).collect(),
        carriers: vec![0; numbers.len()],
        tags,
        runs: Vec::new(),
        min_gallop: MIN_GALLOP,
    };
    for at in 0..sort.a.len() {
        sort.count(at, 1);
    }
    sort.sort()?;
    Some(sort.a)
}

/// Java's TimSort over the list, whose comparator reads the list.
struct Sort {
    /// The list: places of requests.
    a: Vec<usize>,
    /// The present number of requests in the list with each tag.
    carriers: Vec<i64>,
    tags: Vec<Vec<usize>>,
    /// Runs that wait to be merged: start and length.
    runs: Vec<(usize, usize)>,
    min_gallop: isize,
}

impl Sort {
    fn count(&mut self, request: usize, by: i64) {
        for tag in &self.tags[request] {
            self.carriers[*tag] += by;
        }
    }

    fn popularity(&self, request: usize) -> i64 {
        self.tags[request].iter().map(|tag| self.carriers[*tag]).max().unwrap_or(0).max(0)
    }

    /// The comparator: below 0 if `x` comes first.
    fn compare(&self, x: usize, y: usize) -> i64 {
        self.popularity(y) - self.popularity(x)
    }

    fn put(&mut self, at: usize, request: usize) {
        let old = std::mem::replace(&mut self.a[at], request);
        self.count(old, -1);
        self.count(request, 1);
    }

    /// `System.arraycopy` within the list.
    fn copy(&mut self, from: usize, to: usize, n: usize) {
        let part = self.a[from..from + n].to_vec();
        self.copy_in(&part, to);
    }

    fn copy_in(&mut self, part: &[usize], to: usize) {
        for (i, request) in part.iter().enumerate() {
            self.put(to + i, *request);
        }
    }

    fn sort(&mut self) -> Option<()> {
        let (mut lo, hi) = (0, self.a.len());
        let mut left = hi;
        if left < 2 {
            return Some(());
        }
        if left < MIN_MERGE {
            let run = self.run(lo, hi);
            self.binary_sort(lo, hi, lo + run);
            return Some(());
        }
        let least = min_run(left);
        while left > 0 {
            let mut run = self.run(lo, hi);
            if run < least {
                let force = left.min(least);
                self.binary_sort(lo, lo + force, lo + run);
                run = force;
            }
            self.runs.push((lo, run));
            self.collapse(false)?;
            lo += run;
            left -= run;
        }
        self.collapse(true)
    }

    /// The length of the run that begins here; a descending one is reversed.
    fn run(&mut self, lo: usize, hi: usize) -> usize {
        let mut at = lo + 1;
        if at == hi {
            return 1;
        }
        let descending = self.compare(self.a[at], self.a[lo]) < 0;
        at += 1;
        while at < hi && (self.compare(self.a[at], self.a[at - 1]) < 0) == descending {
            at += 1;
        }
        if descending {
            self.a[lo..at].reverse();
        }
        at - lo
    }

    fn binary_sort(&mut self, lo: usize, hi: usize, start: usize) {
        for at in start.max(lo + 1)..hi {
            let pivot = self.a[at];
            let (mut left, mut right) = (lo, at);
            while left < right {
                let mid = (left + right) / 2;
                if self.compare(pivot, self.a[mid]) < 0 {
                    right = mid;
                } else {
                    left = mid + 1;
                }
            }
            self.a[left..=at].rotate_right(1);
        }
    }

    /// Merges runs until their lengths satisfy the invariant; with `all`, until one is left.
    fn collapse(&mut self, all: bool) -> Option<()> {
        while self.runs.len() > 1 {
            let len = |i: usize| self.runs[i].1;
            let mut n = self.runs.len() - 2;
            if all {
                if n > 0 && len(n - 1) < len(n + 1) {
                    n -= 1;
                }
            } else if n > 0 && len(n - 1) <= len(n) + len(n + 1) || n > 1 && len(n - 2) <= len(n) + len(n - 1) {
                if len(n - 1) < len(n + 1) {
                    n -= 1;
                }
            } else if len(n) > len(n + 1) {
                break;
            }
            self.merge_at(n)?;
        }
        Some(())
    }

    fn merge_at(&mut self, i: usize) -> Option<()> {
        let ((mut base1, mut len1), (base2, mut len2)) = (self.runs[i], self.runs[i + 1]);
        self.runs[i].1 = len1 + len2;
        self.runs.remove(i + 1);
        let k = self.gallop(self.a[base2], Of::List(base1), len1, 0, true);
        base1 += k;
        len1 -= k;
        if len1 == 0 {
            return Some(());
        }
        len2 = self.gallop(self.a[base1 + len1 - 1], Of::List(base2), len2, len2 - 1, false);
        if len2 == 0 {
            return Some(());
        }
        if len1 <= len2 { self.merge_lo(base1, len1, base2, len2) } else { self.merge_hi(base1, len1, base2, len2) }
    }

    /// The position of the key in a sorted part: after its equals (`right`) or before them.
    fn gallop(&self, key: usize, part: Of<'_>, len: usize, hint: usize, right: bool) -> usize {
        let at = |i: isize| match part {
            Of::List(base) => self.a[base + i as usize],
            Of::Held(held) => held[i as usize],
        };
        // Returns whether the key comes before the element at `i`.
        let before = |i: isize| if right { self.compare(key, at(i)) < 0 } else { self.compare(key, at(i)) <= 0 };
        let (len, hint) = (len as isize, hint as isize);
        let (mut last, mut ofs) = (0isize, 1isize);
        if before(hint) {
            let most = hint + 1;
            while ofs < most && before(hint - ofs) {
                last = ofs;
                ofs = ofs * 2 + 1;
            }
            ofs = ofs.min(most);
            (last, ofs) = (hint - ofs, hint - last);
        } else {
            let most = len - hint;
            while ofs < most && !before(hint + ofs) {
                last = ofs;
                ofs = ofs * 2 + 1;
            }
            ofs = ofs.min(most);
            (last, ofs) = (last + hint, ofs + hint);
        }
        last += 1;
        while last < ofs {
            let mid = last + (ofs - last) / 2;
            if before(mid) {
                ofs = mid;
            } else {
                last = mid + 1;
            }
        }
        ofs as usize
    }

    fn merge_lo(&mut self, base1: usize, mut len1: usize, base2: usize, mut len2: usize) -> Option<()> {
        let held = self.a[base1..base1 + len1].to_vec();
        let (mut c1, mut c2, mut dest) = (0, base2, base1);
        self.put(dest, self.a[c2]);
        (dest, c2, len2) = (dest + 1, c2 + 1, len2 - 1);
        if len2 == 0 {
            self.copy_in(&held[c1..c1 + len1], dest);
            return Some(());
        }
        if len1 == 1 {
            self.copy(c2, dest, len2);
            self.put(dest + len2, held[c1]);
            return Some(());
        }
        let mut min_gallop = self.min_gallop;
        'outer: loop {
            let (mut count1, mut count2) = (0isize, 0isize);
            loop {
                if self.compare(self.a[c2], held[c1]) < 0 {
                    self.put(dest, self.a[c2]);
                    (dest, c2, len2) = (dest + 1, c2 + 1, len2 - 1);
                    (count1, count2) = (0, count2 + 1);
                    if len2 == 0 {
                        break 'outer;
                    }
                } else {
                    self.put(dest, held[c1]);
                    (dest, c1, len1) = (dest + 1, c1 + 1, len1 - 1);
                    (count1, count2) = (count1 + 1, 0);
                    if len1 == 1 {
                        break 'outer;
                    }
                }
                if (count1 | count2) >= min_gallop {
                    break;
                }
            }
            loop {
                count1 = self.gallop(self.a[c2], Of::Held(&held[c1..]), len1, 0, true) as isize;
                if count1 != 0 {
                    let n = count1 as usize;
                    self.copy_in(&held[c1..c1 + n], dest);
                    (dest, c1, len1) = (dest + n, c1 + n, len1 - n);
                    if len1 <= 1 {
                        break 'outer;
                    }
                }
                self.put(dest, self.a[c2]);
                (dest, c2, len2) = (dest + 1, c2 + 1, len2 - 1);
                if len2 == 0 {
                    break 'outer;
                }
                count2 = self.gallop(held[c1], Of::List(c2), len2, 0, false) as isize;
                if count2 != 0 {
                    let n = count2 as usize;
                    self.copy(c2, dest, n);
                    (dest, c2, len2) = (dest + n, c2 + n, len2 - n);
                    if len2 == 0 {
                        break 'outer;
                    }
                }
                self.put(dest, held[c1]);
                (dest, c1, len1) = (dest + 1, c1 + 1, len1 - 1);
                if len1 == 1 {
                    break 'outer;
                }
                min_gallop -= 1;
                if count1 < MIN_GALLOP && count2 < MIN_GALLOP {
                    break;
                }
            }
            min_gallop = min_gallop.max(0) + 2;
        }
        self.min_gallop = min_gallop.max(1);
        match len1 {
            0 => return None,
            1 => {
                self.copy(c2, dest, len2);
                self.put(dest + len2, held[c1]);
            }
            _ => self.copy_in(&held[c1..c1 + len1], dest),
        }
        Some(())
    }

    fn merge_hi(&mut self, base1: usize, mut len1: usize, base2: usize, mut len2: usize) -> Option<()> {
        let held = self.a[base2..base2 + len2].to_vec();
        // Cursors are one past their elements, so that none goes below 0.
        let (mut c1, mut c2, mut dest) = (base1 + len1, len2, base2 + len2);
        self.put(dest - 1, self.a[c1 - 1]);
        (dest, c1, len1) = (dest - 1, c1 - 1, len1 - 1);
        if len1 == 0 {
            self.copy_in(&held[..len2], dest - len2);
            return Some(());
        }
        if len2 == 1 {
            (dest, c1) = (dest - len1, c1 - len1);
            self.copy(c1, dest, len1);
            self.put(dest - 1, held[c2 - 1]);
            return Some(());
        }
        let mut min_gallop = self.min_gallop;
        'outer: loop {
            let (mut count1, mut count2) = (0isize, 0isize);
            loop {
                if self.compare(held[c2 - 1], self.a[c1 - 1]) < 0 {
                    self.put(dest - 1, self.a[c1 - 1]);
                    (dest, c1, len1) = (dest - 1, c1 - 1, len1 - 1);
                    (count1, count2) = (count1 + 1, 0);
                    if len1 == 0 {
                        break 'outer;
                    }
                } else {
                    self.put(dest - 1, held[c2 - 1]);
                    (dest, c2, len2) = (dest - 1, c2 - 1, len2 - 1);
                    (count1, count2) = (0, count2 + 1);
                    if len2 == 1 {
                        break 'outer;
                    }
                }
                if (count1 | count2) >= min_gallop {
                    break;
                }
            }
            loop {
                let k = self.gallop(held[c2 - 1], Of::List(base1), len1, len1 - 1, true);
                count1 = (len1 - k) as isize;
                if count1 != 0 {
                    let n = count1 as usize;
                    (dest, c1, len1) = (dest - n, c1 - n, len1 - n);
                    self.copy(c1, dest, n);
                    if len1 == 0 {
                        break 'outer;
                    }
                }
                self.put(dest - 1, held[c2 - 1]);
                (dest, c2, len2) = (dest - 1, c2 - 1, len2 - 1);
                if len2 == 1 {
                    break 'outer;
                }
                let k = self.gallop(self.a[c1 - 1], Of::Held(&held), len2, len2 - 1, false);
                count2 = (len2 - k) as isize;
                if count2 != 0 {
                    let n = count2 as usize;
                    (dest, c2, len2) = (dest - n, c2 - n, len2 - n);
                    self.copy_in(&held[c2..c2 + n], dest);
                    if len2 <= 1 {
                        break 'outer;
                    }
                }
                self.put(dest - 1, self.a[c1 - 1]);
                (dest, c1, len1) = (dest - 1, c1 - 1, len1 - 1);
                if len1 == 0 {
                    break 'outer;
                }
                min_gallop -= 1;
                if count1 < MIN_GALLOP && count2 < MIN_GALLOP {
                    break;
                }
            }
            min_gallop = min_gallop.max(0) + 2;
        }
        self.min_gallop = min_gallop.max(1);
        match len2 {
            0 => return None,
            1 => {
                (dest, c1) = (dest - len1, c1 - len1);
                self.copy(c1, dest, len1);
                self.put(dest - 1, held[c2 - 1]);
            }
            _ => self.copy_in(&held[..len2], dest - len2),
        }
        Some(())
    }
}

/// A sorted part: of the list, or of the temporary copy.
#[derive(Clone, Copy)]
enum Of<'h> {
    List(usize),
    Held(&'h [usize]),
}

fn min_run(mut n: usize) -> usize {
    let mut rest = 0;
    while n >= MIN_MERGE {
        rest |= n & 1;
        n >>= 1;
    }
    n + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Resource;

    fn requests(tags: &[&str]) -> Vec<BatchRequest> {
        let request = |(i, tag): (usize, &&str)| BatchRequest {
            allocation_request_id: i as i64,
            priority: 1,
            tags: tag.split(' ').map(String::from).collect(),
            count: 1,
            size: Resource::new(1024, 1),
            constraint: None,
        };
        tags.iter().enumerate().map(request).collect()
    }

    #[test]
    fn a_short_batch_is_in_order_of_popularity_and_else_as_it_came() {
        let names: Vec<&str> = "a,b,c d,b,c,b,d,a c,e".split(',').collect();
        // 3 requests have b, 3 have c, 2 have a, 2 have d, 1 has e; a request counts by its most popular tag.
        assert_eq!(order(&requests(&names)), Some(vec![1, 2, 3, 4, 5, 7, 0, 6, 8]));
    }

    #[test]
    fn a_long_batch_keeps_every_request_whatever_its_order() {
        for n in [32usize, 47, 64, 65, 200] {
            let names: Vec<String> = (0..n).map(|i| format!("t{} u{}", i * i % 7, i % 5)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Some(mut order) = order(&requests(&names)) {
                order.sort_unstable();
                assert!(order.into_iter().eq(0..n), "{n}");
            }
        }
    }
}
