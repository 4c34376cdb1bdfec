//! Chooses new names for old ones: words in the order of the old names, each with an ending that puts it into the same
//! buckets of Java's hash maps.
//!
//! A map of 10 names has 16 buckets, so four bits of each name's hash decide the order in which it is iterated; one more
//! bit is kept, since maps grow. Nothing else is kept of a name, apart from its rank. The names of a numbered group
//! (`n{1}`) share one stem; 16 bits more are kept of its hash, so that every number lands in the same bucket as before.

use super::super::application::App;
use super::super::document::Scenario;
use super::{NameKind, stays};
use crate::api::SchedulerChoice;
use crate::apps::scenario::anonymise::COMPONENT;
use crate::model::java::{node_id_hash, string_hash, table_capacity};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Letters that words are made of, in order: a consonant and a vowel in turn.
const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
const VOWELS: &[u8] = b"aeiou";
/// Letters that endings are made of.
const ENDINGS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// Bits of a stem's hash kept above those of its bucket: Java folds the upper half into the lower one.
const FOLDED: u32 = 16;
/// Names that stay; new names keep their order relative to these.
const FIXED: [&str; 4] = ["default", "default-rack", COMPONENT, "user"];
/// The largest number of hosts for which two hashes are kept: of the host, and of host and port.
const BOTH_HASHES: usize = 64;
/// The first number that replaces a ResourceManager's start time.
const FIRST_STAMP: u64 = 1_500_000_000_001;

/// A part of a text that is hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Fixed(String),
    Name(String),
}

impl Part {
    fn text(&self) -> &str {
        match self {
            Part::Fixed(text) | Part::Name(text) => text,
        }
    }
}

/// A text whose bucket in a map influences the run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HashedText {
    parts: Vec<Part>,
    /// The port, if the text is a node.
    port: Option<i32>,
    /// The number of other texts in the map.
    len: usize,
    /// Whether it may be absent from the map: true for queues that the FairScheduler may create.
    perhaps: bool,
}

impl HashedText {
    fn of(name: &str, len: usize) -> HashedText {
        HashedText { parts: vec![Part::Name(name.to_owned())], port: None, len, perhaps: false }
    }

    /// Splits a path at its separator into names and fixed parts.
    fn of_path(path: &str, parted_by: char, len: usize) -> HashedText {
        let mut parts = Vec::new();
        for piece in path.split_inclusive(parted_by) {
            let name = piece.strip_suffix(parted_by).unwrap_or(piece);
            parts.push(if stays(name) { Part::Fixed(name.into()) } else { Part::Name(name.into()) });
            parts.push(Part::Fixed(piece[name.len()..].into()));
        }
        HashedText { parts, port: None, len, perhaps: false }
    }

    /// The number of bits of the hash that are kept.
    fn bits(&self) -> u32 {
        table_capacity(self.len).ilog2() + 1
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|p| if let Part::Name(name) = p { Some(name.as_str()) } else { None })
    }

    /// Returns the bits of `text`'s hash that choose its bucket.
    fn place(&self, text: &str) -> u32 {
        let hash = self.port.map_or_else(|| string_hash(text), |port| node_id_hash(text, port)) as u32;
        (hash ^ (hash >> FOLDED)) & ((1 << self.bits()) - 1)
    }

    /// Returns the walk with all names but one replaced by their new names. `None`: one of them is not chosen yet.
    fn but_for(&self, name: &str, new: &New) -> Option<HashedText> {
        let part = |part: &Part| match part {
            Part::Name(n) if n != name => new.of(n).map(Part::Fixed),
            Part::Fixed(_) | Part::Name(_) => Some(part.clone()),
        };
        Some(HashedText { parts: self.parts.iter().map(part).collect::<Option<_>>()?, ..self.clone() })
    }

    /// Writes the text to `out` with `name` as its one name.
    fn with(&self, name: &str, out: &mut String) {
        out.clear();
        for part in &self.parts {
            out.push_str(if let Part::Fixed(text) = part { text } else { name });
        }
    }

    fn old(&self) -> String {
        self.parts.iter().map(Part::text).collect()
    }
}

/// Everything that needs a new name.
#[derive(Default)]
pub(super) struct NameNeeds {
    names: BTreeMap<String, BTreeSet<NameKind>>,
    /// Patterns of numbered names: the parts before and after the number.
    patterns: BTreeSet<(String, String)>,
    /// Start times of ResourceManagers that ids contain.
    stamps: BTreeSet<u64>,
    walks: Vec<HashedText>,
    counts: BTreeMap<NameKind, usize>,
}

impl NameNeeds {
    pub(super) fn of(s: &Scenario, queues: &BTreeSet<String>) -> NameNeeds {
        let fair = s.settings.scheduler == SchedulerChoice::Fair;
        let mut out = NameNeeds::default();
        let nodes: Vec<_> = super::super::read::nodes(s).collect();
        for node in &nodes {
            let host = node.spec.host.as_str();
            out.walks.push(HashedText { port: Some(node.spec.port), ..HashedText::of(host, nodes.len()) });
            if nodes.len() <= BOTH_HASHES {
                out.walks.push(HashedText::of(host, nodes.len()));
            }
        }
        let users: BTreeSet<&str> = s.apps.iter().map(|a: &App| a.user.as_str()).collect();
        out.walks.extend(users.iter().filter(|u| !stays(u)).map(|user| HashedText::of(user, users.len())));
        let racks: BTreeSet<&str> = nodes.iter().map(|n| n.spec.rack.as_str()).collect();
        out.walks.extend(racks.iter().map(|rack| HashedText::of_path(rack, '/', racks.len())));
        out.walks.extend(queues.iter().map(|path| HashedText::of_path(path, '.', queues.len())));
        if fair {
            let mut made: BTreeSet<String> = users.iter().map(|user| format!("root.{user}")).collect();
            made.extend(s.apps.iter().map(|a| format!("root.{}", a.queue.trim_start_matches("root."))));
            let len = queues.len() + made.len();
            let made = made.iter().filter(|path| !queues.contains(*path));
            out.walks.extend(made.map(|path| HashedText { perhaps: true, ..HashedText::of_path(path, '.', len) }));
        }
        out.walks.retain(|walk| walk.names().next().is_some());
        out
    }

    pub(super) fn name(&mut self, kind: NameKind, name: &str) {
        if self.names.entry(name.to_owned()).or_default().insert(kind) {
            *self.counts.entry(kind).or_default() += 1;
        }
    }

    pub(super) fn numbered(&mut self, pattern: &str) {
        let (stem, _, after) = taken_apart(pattern);
        self.patterns.insert((stem.to_owned(), after.to_owned()));
    }

    pub(super) fn stamps(&mut self, words: &str) {
        self.stamps.extend(super::words::stamps(words).map(|(_, stamp)| stamp));
    }
}

/// Splits `n{01}.x` into the part before the number, the number in its braces, and the part after it.
fn taken_apart(pattern: &str) -> (&str, &str, &str) {
    let Some(open) = pattern.find('{') else { return (pattern, "", "") };
    let close = pattern[open..].find('}').map_or(pattern.len(), |n| open + n + 1);
    (&pattern[..open], &pattern[open..close], &pattern[close..])
}

/// A pattern of numbered names.
pub(super) struct Numbered {
    /// The parts before and after the number.
    pub stem: String,
    pub after: String,
    pub new_stem: String,
    pub new_after: String,
}

impl Numbered {
    /// Returns the number in a name that matches the pattern.
    fn number<'n>(&self, name: &'n str) -> Option<&'n str> {
        number(name, &self.stem, &self.after)
    }
}

/// Returns the number between `stem` and `after`.
fn number<'n>(name: &'n str, stem: &str, after: &str) -> Option<&'n str> {
    let number = name.strip_prefix(stem)?.strip_suffix(after)?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(number)
}

/// The new names.
#[derive(Default)]
pub(super) struct New {
    names: BTreeMap<String, String>,
    pub(super) patterns: Vec<Numbered>,
    pub(super) stamps: BTreeMap<u64, u64>,
    pub(super) remarks: Vec<String>,
    /// Old names in lower case with the new ones, longest first: for replacing them in prose.
    pub(super) spoken: Vec<(String, String)>,
}

/// Compares as Java compares strings.
fn compare(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

impl New {
    /// Returns the new name of an old one. `None`: the name stays.
    pub(super) fn of(&self, name: &str) -> Option<String> {
        if let Some(new) = self.names.get(name) {
            return Some(new.clone());
        }
        let numbered = |p: &Numbered| p.number(name).map(|n| format!("{}{n}{}", p.new_stem, p.new_after));
        self.patterns.iter().find_map(numbered)
    }

    /// Returns the new pattern of numbered names.
    pub(super) fn of_pattern(&self, pattern: &str) -> Option<String> {
        let (stem, number, after) = taken_apart(pattern);
        let new = self.patterns.iter().find(|p| p.stem == stem && p.after == after)?;
        Some(format!("{}{number}{}", new.new_stem, new.new_after))
    }

    /// Returns the old names.
    pub(super) fn olds(&self) -> impl Iterator<Item = &str> {
        let stems = self.patterns.iter().flat_map(|p| [p.stem.as_str(), p.after.as_str()]);
        self.names.keys().map(String::as_str).chain(stems)
    }

    /// Returns all pairs of old and new names.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let stems = self
            .patterns
            .iter()
            .map(|p| (format!("{}{{}}{}", p.stem, p.after), format!("{}{{}}{}", p.new_stem, p.new_after)));
        self.names.iter().map(|(old, new)| (old.clone(), new.clone())).chain(stems).collect()
    }

    /// Restores names that were chosen before.
    pub(super) fn of_pairs(pairs: Vec<(String, String)>) -> New {
        let mut out = New::default();
        for (old, new) in pairs {
            // Only patterns have braces.
            match (taken_apart(&old), taken_apart(&new)) {
                ((stem, "{}", after), (new_stem, _, new_after)) => out.patterns.push(Numbered {
                    stem: stem.into(),
                    after: after.into(),
                    new_stem: new_stem.into(),
                    new_after: new_after.into(),
                }),
                _ => _ = out.names.insert(old, new),
            }
        }
        out.speak();
        out
    }

    /// Builds the list of names to search for in prose.
    fn speak(&mut self) {
        let names = self.names.iter().filter(|(old, _)| !old.is_empty());
        let long = |text: &String| text.chars().count() >= super::words::SHORTEST;
        let parts = self.patterns.iter().flat_map(|p| [(&p.stem, &p.new_stem), (&p.after, &p.new_after)]);
        let stems = parts.filter(|(old, _)| long(old));
        let mut all: Vec<(String, String)> =
            names.chain(stems).map(|(old, new)| (old.to_lowercase(), new.clone())).collect();
        crate::model::order::sort_by_key(&mut all, |(old, _)| std::cmp::Reverse(old.len()));
        self.spoken = all;
    }

    /// Chooses a new name for each old one.
    pub(super) fn choose(asked: NameNeeds) -> New {
        let mut new = New::default();
        let NameNeeds { mut names, patterns, stamps, mut walks, counts } = asked;
        let is_numbered = |name: &str| patterns.iter().any(|(stem, after)| number(name, stem, after).is_some());
        names.retain(|name, _| !is_numbered(name));
        for (name, kinds) in &names {
            let hashed = kinds.iter().filter(|kind| is_hashed(**kind));
            let most = hashed.filter_map(|kind| counts.get(kind)).max();
            walks.extend(most.map(|len| HashedText::of(name, *len)));
        }
        // Stems of numbered names are chosen so that all numbers land in the same buckets as before.
        let mut bits: BTreeMap<&str, u32> = BTreeMap::new();
        for walk in &walks {
            for name in walk.names().filter(|name| is_numbered(name)) {
                let of = |(stem, _): &&(String, String)| name.starts_with(stem.as_str());
                for (stem, _) in patterns.iter().filter(of) {
                    let most = bits.entry(stem).or_default();
                    *most = (*most).max(walk.bits() + FOLDED);
                }
            }
        }
        let mut all: Vec<&str> = names.keys().map(String::as_str).collect();
        all.extend(patterns.iter().map(|(stem, _)| stem.as_str()));
        all.sort_by(|a, b| compare(a, b));
        all.dedup();
        let taken = OldNames::of(&all);
        let Words { words, unordered } = Words::for_all(&all, &taken);
        if !unordered.is_empty() {
            new.remarks.push(format!("{} names are not in the order of the old ones.", unordered.len()));
        }
        let mut stems: BTreeMap<&str, String> = BTreeMap::new();
        for (stem, after) in &patterns {
            let word = words.get(stem.as_str()).map_or("", String::as_str);
            let like = |bits: &u32| Some((stem_like(word, stem, *bits, &taken)?, after_like(after, *bits, &taken)?));
            let chosen = bits.get(stem.as_str()).map(like);
            if let Some(None) = chosen {
                let what = format!("`{stem}{{}}{after}`");
                new.remarks.push(format!("Java may walk maps with the new names of {what} in another order."));
            }
            let other_after = || if after.is_empty() { String::new() } else { "x".into() };
            let (new_stem, new_after) = chosen.flatten().unwrap_or_else(|| (format!("{word}0x"), other_after()));
            let new_stem = stems.entry(stem).or_insert(new_stem).clone();
            new.patterns.push(Numbered { stem: stem.clone(), after: after.clone(), new_stem, new_after });
        }
        // The longest matching stem applies.
        new.patterns.sort_by_key(|p| std::cmp::Reverse(p.stem.len() + p.after.len()));
        let mut lost = 0;
        let most = most_bits(names.len());
        let mut of_name: BTreeMap<&str, Vec<&HashedText>> = BTreeMap::new();
        for walk in &walks {
            walk.names().for_each(|name| of_name.entry(name).or_default().push(walk));
        }
        for name in in_order(&names, &walks) {
            let word = words.get(name).map_or("", String::as_str);
            if let Some(stem) = stems.get(name) {
                new.names.insert(name.to_owned(), stem.clone());
                continue;
            }
            let mut open: Vec<(HashedText, u32)> = Vec::new();
            let (mut kept, mut sum) = (0, 0);
            for walk in of_name.get(name).into_iter().flatten() {
                let Some(here) = walk.but_for(name, &new) else { continue };
                let again =
                    |(w, _): &(HashedText, u32)| w.parts == here.parts && w.port == here.port && w.len >= here.len;
                if open.iter().any(again) {
                    continue;
                }
                if sum + walk.bits() > most {
                    lost += usize::from(!walk.perhaps);
                    continue;
                }
                sum += walk.bits();
                kept += usize::from(!walk.perhaps);
                open.push((here, walk.place(&walk.old())));
            }
            let chosen = ending(word, &open, &taken);
            if chosen.is_none() {
                lost += kept;
            }
            new.names.insert(name.to_owned(), chosen.unwrap_or_else(|| format!("{word}0x")));
        }
        if lost > 0 {
            new.remarks
                .push(format!("Java may walk maps with the new names in another order: {lost} places are not kept."));
        }
        new.stamps = stamps.into_iter().zip(FIRST_STAMP..).collect();
        new.speak();
        new
    }
}

/// Returns whether names of a kind are map keys on their own. Queues and racks are keys by their paths, hosts with their
/// ports.
fn is_hashed(kind: NameKind) -> bool {
    match kind {
        NameKind::User
        | NameKind::Group
        | NameKind::Label
        | NameKind::Tag
        | NameKind::Component
        | NameKind::Stream
        | NameKind::Store => true,
        NameKind::Attribute | NameKind::Value => true,
        NameKind::Queue | NameKind::Rack | NameKind::Host | NameKind::App | NameKind::Task | NameKind::Path => false,
    }
}

/// Returns how many bits are kept over all walks of a name: each further bit doubles the time of the search.
fn most_bits(names: usize) -> u32 {
    match names {
        0..=64 => 20,
        65..=512 => 17,
        _ => 16,
    }
}

/// Returns the names in the order in which they are chosen: those that come earlier in paths first.
fn in_order<'n>(names: &'n BTreeMap<String, BTreeSet<NameKind>>, walks: &[HashedText]) -> Vec<&'n str> {
    let mut depth: BTreeMap<&str, usize> = BTreeMap::new();
    for walk in walks {
        for (at, name) in walk.names().enumerate() {
            let deepest = depth.entry(name).or_default();
            *deepest = (*deepest).max(at);
        }
    }
    let mut all: Vec<&str> = names.keys().map(String::as_str).collect();
    crate::model::order::sort_by_key(&mut all, |name| depth.get(name).copied().unwrap_or_default());
    all
}

/// Old names in lower case, which no new name may contain.
struct OldNames {
    names: BTreeSet<String>,
    longest: usize,
}

impl OldNames {
    fn of(names: &[&str]) -> Self {
        let long = names.iter().filter(|n| n.chars().count() >= super::words::SHORTEST);
        let names: BTreeSet<String> = long.map(|n| n.to_lowercase()).collect();
        let longest = names.iter().map(String::len).max().unwrap_or(0);
        OldNames { names, longest }
    }

    fn is_in(&self, new: &str) -> bool {
        (0..new.len()).any(|from| {
            let most = new.len().min(from + self.longest);
            (from + super::words::SHORTEST..=most)
                .any(|to| new.get(from..to).is_some_and(|part| self.names.contains(part)))
        })
    }
}

/// Returns a word with the first ending that keeps all buckets.
fn ending(word: &str, walks: &[(HashedText, u32)], taken: &OldNames) -> Option<String> {
    let (mut text, mut candidate) = (String::new(), String::new());
    // If the word itself contains an old name, so does every candidate.
    let within = taken.is_in(word);
    let tens = ENDINGS.get(..10).unwrap_or_default();
    for more in 0..5u32 {
        for first in tens {
            for number in 0..(ENDINGS.len() as u64).pow(more) {
                candidate.clear();
                candidate.push_str(word);
                candidate.push(char::from(*first));
                let mut rest = number;
                for _ in 0..more {
                    candidate.push(char::from(ENDINGS[(rest % ENDINGS.len() as u64) as usize]));
                    rest /= ENDINGS.len() as u64;
                }
                let fits = walks.iter().all(|(walk, place)| {
                    walk.with(&candidate, &mut text);
                    walk.place(&text) == *place
                });
                if fits && (within || !taken.is_in(&candidate)) {
                    return Some(candidate);
                }
            }
        }
    }
    None
}

/// Returns another text to follow numbers, of the same length and with the same lower bits of its hash.
fn after_like(after: &str, bits: u32, taken: &OldNames) -> Option<String> {
    match after.len().checked_sub(6) {
        _ if after.is_empty() => Some(String::new()),
        Some(more @ 1..) if after.is_ascii() => stem_like(&"x".repeat(more), after, bits, taken),
        _ => None,
    }
}

/// Returns a word with an ending of six letters whose hash has the same lower bits as the stem's.
fn stem_like(word: &str, stem: &str, bits: u32, taken: &OldNames) -> Option<String> {
    let mask = 1u32.checked_shl(bits).map_or(u32::MAX, |one| one - 1);
    let hash = |text: &[u8]| text.iter().fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(*b)));
    let letters = ENDINGS.get(10..).unwrap_or_default();
    let mut tails: Vec<(u32, [u8; 3])> = Vec::new();
    for a in ENDINGS {
        for b in ENDINGS {
            tails.extend(letters.iter().map(|c| [*a, *b, *c]).map(|tail| (hash(&tail) & mask, tail)));
        }
    }
    tails.sort_unstable();
    let wanted = string_hash(stem) as u32;
    let power = 31u32.pow(3);
    for first in ENDINGS.get(..10).unwrap_or_default() {
        for second in ENDINGS {
            for third in ENDINGS {
                let head = [word.as_bytes(), &[*first, *second, *third]].concat();
                let tail = wanted.wrapping_sub(hash(&head).wrapping_mul(power)) & mask;
                let at = tails.partition_point(|(hash, _)| *hash < tail);
                let Some((_, end)) = tails.get(at).filter(|(hash, _)| *hash == tail) else { continue };
                let name: String = head.iter().chain(end).map(|b| char::from(*b)).collect();
                if !taken.is_in(&name) {
                    return Some(name);
                }
            }
        }
    }
    None
}

/// New words, by the old names, in the same order.
struct Words<'n> {
    words: BTreeMap<&'n str, String>,
    unordered: Vec<&'n str>,
}

impl<'n> Words<'n> {
    /// Makes words for names, in their order and between the fixed names, as far apart as possible.
    fn for_all(names: &[&'n str], taken: &OldNames) -> Words<'n> {
        let mut out = Words { words: BTreeMap::new(), unordered: Vec::new() };
        let mut from = 0;
        for fixed in 0..=FIXED.len() {
            let low = fixed.checked_sub(1).and_then(|n| FIXED.get(n)).copied();
            let high = FIXED.get(fixed).copied();
            let before = |name: &&str| high.is_none_or(|high| compare(name, high) == Ordering::Less);
            let to = from + names.get(from..).unwrap_or_default().iter().take_while(|name| before(name)).count();
            let here = names.get(from..to).unwrap_or_default();
            from = to;
            if here.is_empty() {
                continue;
            }
            let between = (2..=4).map(|syllables| words(syllables, low, high, here.len(), taken));
            let enough = between.into_iter().find(|words| words.len() == here.len());
            match enough {
                Some(words) => out.words.extend(here.iter().copied().zip(words)),
                // No word lies between `default` and `default-rack`.
                None => {
                    out.unordered.extend(here);
                    out.words.extend(here.iter().enumerate().map(|(i, name)| (*name, format!("zu{i:04}"))));
                }
            }
        }
        out
    }
}

/// Returns `count` words of this many syllables between two names, as far apart as possible; none if there are too few.
fn words(syllables: u32, low: Option<&str>, high: Option<&str>, count: usize, taken: &OldNames) -> Vec<String> {
    let base = (CONSONANTS.len() * VOWELS.len()) as u64;
    let word = |number: u64| {
        let mut out = Vec::new();
        for at in (0..syllables).rev() {
            let syllable = (number / base.pow(at) % base) as usize;
            out.push(CONSONANTS[syllable / VOWELS.len()]);
            out.push(VOWELS[syllable % VOWELS.len()]);
        }
        String::from_utf8(out).unwrap_or_default()
    };
    let all = base.pow(syllables);
    // Words are in order, so a binary search finds the first above the low name and the first that is not below the high
    // one.
    let first_that = |is: &dyn Fn(&str) -> bool| {
        let (mut from, mut to) = (0, all);
        while from < to {
            let middle = from + (to - from) / 2;
            if is(&word(middle)) { to = middle } else { from = middle + 1 }
        }
        from
    };
    let first = low.map_or(0, |low| first_that(&|word| compare(word, low) == Ordering::Greater));
    // A word with its ending has to be below the high name as well.
    let end =
        high.map_or(all, |high| first_that(&|word| compare(word, high) != Ordering::Less || high.starts_with(word)));
    let room = end.saturating_sub(first);
    let count = count as u64;
    if room < count {
        return Vec::new();
    }
    let place = |i: u64| first + (u128::from(i) * u128::from(room) / u128::from(count)) as u64;
    let free = |i: u64| (place(i)..place(i + 1)).map(word).find(|word| !taken.is_in(word));
    (0..count).map(|i| free(i).unwrap_or_else(|| word(place(i)))).collect()
}
