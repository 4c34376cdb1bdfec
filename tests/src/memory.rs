//! Runs of many applications as the page plays them: the player's estimate of their memory, the program's real memory, and
//! the time of a picture at the end.

use crate::speed::Clock;
use heddle_core::model::limits::RUN_BYTES;
use heddle_core::scenario::{read, weight};
use heddle_player::Player;

/// Returns a scenario with this many applications of four tasks, each of which runs once, on 100 nodes.
pub fn scenario(apps: usize) -> String {
    format!(
        "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"default\"\n\
         root.default.capacity = 100\nmaximum-am-resource-percent = 0.5\n[[nodes]]\nname = \"n{{001}}\"\ncount = 100\n\
         size = \"64 GB/32\"\n[[apps]]\nname = \"job{{1}}\"\ncopies = {apps}\nuser = \"ann\"\nam = \"1 GB/1\"\n\
         tasks = [{{ count = 4, size = \"2 GB/1\", duration = \"30 s\" }}]\n"
    )
}

/// Prints a line for each number of applications; `resident` returns the program's present memory in bytes. Returns whether
/// each run took at most twice its estimate.
pub fn report(apps: &[usize], clock: &Clock<'_>, resident: &dyn Fn() -> usize, print: &mut dyn FnMut(&str)) -> bool {
    let mut within = true;
    print(&format!("Memory of runs, 100 nodes, four tasks each (at most {} MB are reckoned):", RUN_BYTES >> 20));
    print(
        "| applications | events | MB reckoned before | MB reckoned | MB taken | CPU s | of it the picture | cut off |",
    );
    print("|---|---|---|---|---|---|---|---|");
    for apps in apps {
        let text = scenario(*apps);
        let Some(read) = read(&text).scenario else { continue };
        let (before, start, had) = (weight(&read) >> 20, (clock.cpu)(), resident());
        let Ok(mut player) = Player::begin(read, &text) else { continue };
        let events = player.run_to_end().events;
        player.seek(i64::MAX / 8);
        let played = (clock.cpu)();
        let cut = player.snapshot(None).cut_off.is_some();
        let end = (clock.cpu)();
        let (reckoned, takes) = (player.weight() >> 20, resident().saturating_sub(had) >> 20);
        within &= takes <= 2 * reckoned + 64;
        let (all, picture) = (end - start, end - played);
        print(&format!("| {apps} | {events} | {before} | {reckoned} | {takes} | {all:.2} | {picture:.2} | {cut} |"));
    }
    within
}
