//! How the tests of this crate begin.

use super::Player;

/// A text that has to load, played to its end, at a second.
pub fn at(text: &str, seconds: i64) -> Player {
    let loaded = Player::load(text);
    let mut player = loaded.player.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    player.run_to_end();
    player.seek(seconds * 1000);
    player
}
