//! How this crate's tests begin.

use super::Player;

/// Loads a text, which must be valid, plays it to its end, and goes to a second.
pub fn at(text: &str, seconds: i64) -> Player {
    let loaded = Player::load(text);
    let mut player = loaded.player.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    player.run_to_end();
    player.seek(seconds * 1000);
    player
}
