//! The habits of Java that show in YARN's decisions and texts: string hashes, the iteration order of a `HashMap`, and
//! how a `float` is printed. (java.lang.String.hashCode, java.util.HashMap, java.lang.Float.toString.)

use std::cmp::Ordering;

/// `String.hashCode`, over UTF-16 units, wrapping.
pub fn string_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |h, unit| h.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// Hash of YARN's `NodeId` (NodeIdPBImpl): from host and port.
pub fn node_id_hash(host: &str, port: i32) -> i32 {
    8501i32.wrapping_mul(493_217).wrapping_add(string_hash(host)).wrapping_mul(493_217).wrapping_add(port)
}

/// The bucket of a hash in a table of `capacity` (a power of two) buckets.
fn bucket(hash: i32, capacity: usize) -> usize {
    let h = hash as u32;
    ((h ^ (h >> 16)) as usize) & (capacity - 1)
}

/// The capacity of a `HashMap` that has grown from 16 to hold `len` entries at load factor 0.75.
pub fn table_capacity(len: usize) -> usize {
    let mut capacity = 16usize;
    while len * 4 > capacity * 3 {
        capacity *= 2;
    }
    capacity
}

/// The capacity of an empty `HashMap` after `putAll` of a map with `len` entries, in Java 8 to 18 (19 and later
/// allocate less for multiples of three).
pub fn copied_capacity(len: usize) -> usize {
    (len * 4 / 3 + 1).next_power_of_two()
}

/// The iteration order of a `HashMap` grown from 16 buckets: by bucket, and within a bucket in the order of insertion.
/// `hashes` are in the order of insertion; the result holds places in `hashes`. (Buckets of eight and more, which Java
/// turns into trees, keep insertion order in their iteration too.)
pub fn hash_walk(hashes: &[i32]) -> Vec<usize> {
    hash_walk_in(hashes, table_capacity(hashes.len()))
}

/// Like [`hash_walk`], for a table of a given capacity.
pub fn hash_walk_in(hashes: &[i32], capacity: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..hashes.len()).collect();
    crate::model::order::sort_by_key(&mut order, |i| bucket(hashes[*i], capacity));
    order
}

/// Like [`hash_walk`], for a `ConcurrentHashMap`, which grows as soon as it is three quarters full, not when it would
/// exceed that.
pub fn concurrent_walk(hashes: &[i32]) -> Vec<usize> {
    hash_walk_in(hashes, table_capacity(hashes.len() + 1))
}

/// Sorts things into the iteration order of a `HashMap` into which they were put one by one, keyed by their texts.
pub fn walk_by<'a, T: Copy>(things: &[T], text: impl Fn(T) -> &'a str) -> Vec<T> {
    let hashes: Vec<i32> = things.iter().map(|t| string_hash(text(*t))).collect();
    hash_walk(&hashes).into_iter().map(|i| things[i]).collect()
}

/// Sorts texts into the iteration order of a Java `HashSet` to which they were added one by one.
pub fn set_walk<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    walk_by(texts, |text| text)
}

/// A red-black tree of places in a list, as `java.util.TreeMap` builds it.
struct Tree {
    left: Vec<usize>,
    right: Vec<usize>,
    parent: Vec<usize>,
    red: Vec<bool>,
    root: usize,
}

/// The place of no item.
const NONE: usize = usize::MAX;

impl Tree {
    /// Rotates the tree at a place: its child on one side takes its place.
    fn rotate(&mut self, at: usize, left: bool) {
        let (rises, sinks) = if left { (&mut self.right, &mut self.left) } else { (&mut self.left, &mut self.right) };
        let child = rises[at];
        let inner = sinks[child];
        rises[at] = inner;
        sinks[child] = at;
        if inner != NONE {
            self.parent[inner] = at;
        }
        let above = std::mem::replace(&mut self.parent[at], child);
        self.parent[child] = above;
        if above == NONE {
            self.root = child;
        } else if rises[above] == at {
            rises[above] = child;
        } else {
            sinks[above] = child;
        }
    }

    /// `TreeMap.fixAfterInsertion`.
    fn mend(&mut self, inserted: usize) {
        let mut at = inserted;
        while at != self.root && self.red[self.parent[at]] {
            let parent = self.parent[at];
            let grand = self.parent[parent];
            if grand == NONE {
                break;
            }
            let left = self.left[grand] == parent;
            let uncle = if left { self.right[grand] } else { self.left[grand] };
            if uncle != NONE && self.red[uncle] {
                (self.red[parent], self.red[uncle], self.red[grand]) = (false, false, true);
                at = grand;
                continue;
            }
            let inner = if left { self.right[parent] == at } else { self.left[parent] == at };
            if inner {
                at = parent;
                self.rotate(at, left);
            }
            let parent = self.parent[at];
            let grand = self.parent[parent];
            (self.red[parent], self.red[grand]) = (false, true);
            self.rotate(grand, !left);
        }
        self.red[self.root] = false;
    }
}

/// The iteration order of a `TreeSet` to which items were added one by one. With an order that is not transitive the
/// shape of the tree decides. Of items that compare equal the first stays. The result holds places in `items`.
pub fn tree_walk<T>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<usize> {
    let n = items.len();
    let mut tree =
        Tree { left: vec![NONE; n], right: vec![NONE; n], parent: vec![NONE; n], red: vec![false; n], root: NONE };
    'items: for i in 0..n {
        if tree.root == NONE {
            tree.root = i;
            continue;
        }
        let mut at = tree.root;
        loop {
            let side = match compare(&items[i], &items[at]) {
                Ordering::Less => &mut tree.left[at],
                Ordering::Greater => &mut tree.right[at],
                Ordering::Equal => continue 'items,
            };
            if *side == NONE {
                *side = i;
                break;
            }
            at = *side;
        }
        tree.parent[i] = at;
        tree.red[i] = true;
        tree.mend(i);
    }
    let (mut order, mut path, mut at) = (Vec::with_capacity(n), Vec::new(), tree.root);
    while at != NONE || !path.is_empty() {
        while at != NONE {
            path.push(at);
            at = tree.left[at];
        }
        if let Some(next) = path.pop() {
            order.push(next);
            at = tree.right[next];
        }
    }
    order
}

/// Chooses the even last digit, as Java does, when two shortest texts are equally near.
fn half_even(x: f32, text: String) -> String {
    let (Some(last), true) = (text.bytes().last(), text.contains('.')) else { return text };
    if last % 2 == 0 {
        return text;
    }
    let mut other = text.clone();
    other.pop();
    other.push(char::from(last - 1));
    let exact = format!("{:.60}", f64::from(x));
    if exact.trim_end_matches('0') == format!("{other}5") { other } else { text }
}

/// `Float.toString`.
pub fn float_text(x: f32) -> String {
    if x.is_nan() {
        return "NaN".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    if x == 0.0 {
        return if x.is_sign_negative() { "-0.0".into() } else { "0.0".into() };
    }
    let with_point = |s: String| if s.contains('.') { s } else { s + ".0" };
    if (1e-3..1e7).contains(&x.abs()) {
        return with_point(half_even(x, format!("{x}")));
    }
    let text = if (1e7..2f32.powi(62)).contains(&x.abs()) { whole_text(x) } else { format!("{x:e}") };
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}E{exponent}", with_point(mantissa.into())),
        None => text,
    }
}

/// Prints a whole number as Java before 19 did: it rounds away digits that the 24 bits do not determine, and now and
/// then one that they do (FloatingDecimal).
fn whole_text(x: f32) -> String {
    let (value, power) = (x.abs() as i64, 63 - (x.abs() as i64).leading_zeros());
    let free = match power.saturating_sub(25) {
        ..2 => 0,
        // The number of digits of a power of two, less one.
        bits => bits * 30_103 / 100_000,
    };
    let unit = 10i64.pow(free);
    let digits = ((value + unit / 2) / unit).to_string();
    let exponent = digits.len() - 1 + free as usize;
    let (first, rest) = digits.split_at(1);
    let rest = rest.trim_end_matches('0');
    let sign = if x < 0.0 { "-" } else { "" };
    if rest.is_empty() { format!("{sign}{first}e{exponent}") } else { format!("{sign}{first}.{rest}e{exponent}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_javas() {
        assert_eq!(string_hash(""), 0);
        assert_eq!(string_hash("hello"), 99_162_322);
        assert_eq!(string_hash("polygenelubricants"), i32::MIN);
    }

    #[test]
    fn floats_print_as_in_java() {
        for (x, text) in [
            (0.1f32, "0.1"),
            (100.0, "100.0"),
            (33.333332, "33.333332"),
            (1e7, "1.0E7"),
            (1e10, "1.0E10"),
            (1e11, "9.9999998E10"),
            (-1.5e12, "-1.50000003E12"),
            (0.00012, "1.2E-4"),
            (1125.0 / 256.0, "4.3945312"),
        ] {
            assert_eq!(float_text(x), text);
        }
    }

    #[test]
    fn a_tree_is_walked_in_order() {
        let items: Vec<u64> = (0..200u64).map(|i| i * 7919 % 211).collect();
        let walked: Vec<u64> = tree_walk(&items, u64::cmp).into_iter().map(|i| items[i]).collect();
        let mut sorted = items.clone();
        sorted.sort_unstable();
        assert_eq!(walked, sorted);
        assert!(tree_walk(&[1, 1, 1], i32::cmp).len() == 1 && tree_walk(&[], i32::cmp).is_empty());
    }

    #[test]
    fn a_table_grows_past_three_quarters() {
        assert_eq!(table_capacity(12), 16);
        assert_eq!(table_capacity(13), 32);
    }
}
