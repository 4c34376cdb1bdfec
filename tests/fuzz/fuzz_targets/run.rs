//! A whole run: a random scenario (its number is the first eight bytes), with other numbers in some places (four bytes
//! each, a zero ends them), played to its end. Then moments in any order: each is what it was when it was reached first.
#![no_main]

#[path = "../../tests/random/script.rs"]
mod script;

use heddle_core::scenario::read;
use heddle_player::Player;
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

/// Events that a run is played for at most.
const EVENTS: u64 = 5_000;
/// Moments that are looked at.
const MOMENTS: usize = 12;
/// What a number becomes.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "16",
    "99",
    "100",
    "101",
    "1000",
    "60000",
    "-1",
    "0.1",
    "0.5",
    "1e308",
    "2147483647",
    "2147483648",
    "9223372036854775807",
];

fuzz_target!(|data: &[u8]| {
    let Some((number, mut rest)) = data.split_first_chunk::<8>() else { return };
    let number = u64::from_le_bytes(*number);
    let (seed, fair) = (number >> 1, number & 1 == 1);
    let mut text = if fair { script::fair(seed) } else { script::scenario(seed) };
    while let Some((edit, more)) = rest.split_first_chunk::<4>() {
        rest = more;
        if edit[0] == 0 {
            break;
        }
        let place = usize::from(u16::from_le_bytes([edit[1], edit[2]]));
        text = with_number(&text, place, NUMBERS[usize::from(edit[3]) % NUMBERS.len()]);
    }
    let Some(scenario) = read(&text).scenario else { return };
    let Ok(mut player) = Player::begin(scenario, &text) else { return };
    player.run(EVENTS);
    assert_eq!(player.snapshot(None).invariants.broken, None, "{text}");
    let known = player.progress().known_ms;
    let mut seen = BTreeMap::new();
    for part in rest.iter().take(MOMENTS) {
        let at = known * i64::from(*part) / 255;
        player.seek(at);
        let snapshot = player.snapshot(None);
        assert_eq!(snapshot.invariants.broken, None, "{at} ms of\n{text}");
        for waiting in snapshot.waiting.iter().take(3) {
            assert!(!player.why(&waiting.id).sentence.is_empty(), "{} at {at} ms of\n{text}", waiting.id);
        }
        let before = seen.entry(at).or_insert_with(|| snapshot.clone());
        assert!(*before == snapshot, "{at} ms twice of\n{text}");
    }
    // And all of them once more, the other way round.
    for (at, before) in seen.iter().rev() {
        player.seek(*at);
        assert!(player.snapshot(None) == *before, "back at {at} ms of\n{text}");
    }
});

/// The text with another number in this place, counted in its numbers, round and round.
fn with_number(text: &str, place: usize, number: &str) -> String {
    let digit = |i: usize| text.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
    let starts: Vec<usize> = (0..text.len()).filter(|&i| digit(i) && !(i > 0 && digit(i - 1))).collect();
    let Some(&start) = starts.get(place % starts.len().max(1)) else { return text.to_string() };
    let end = (start..).find(|&i| !digit(i)).unwrap_or(text.len());
    format!("{}{number}{}", &text[..start], &text[end..])
}
