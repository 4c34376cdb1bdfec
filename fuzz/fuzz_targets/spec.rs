//! A PlacementSpec is read, said in English and printed; then an application that has it is played.
#![no_main]

use heddle_core::constraint::{english, parse_spec, print};
use heddle_core::scenario::read;
use heddle_player::Player;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse_spec(text) {
        Ok(spec) => {
            english::spec(&spec);
            if let Ok(printed) = print::spec(&spec) {
                assert!(parse_spec(&printed).is_ok(), "{printed}");
            }
        }
        Err(e) => {
            assert!(e.problem.span.is_none_or(|s| text.get(s.start..s.end).is_some()), "{e:?}");
            return;
        }
    }
    let shell = format!(
        "heddle = 1\nuntil = \"5 min\"\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 3\nsize = \"8 GB/8\"\n\
         [[apps]]\nname = \"a\"\nkind = \"distributed-shell\"\nspec = {text:?}\n"
    );
    let Some(scenario) = read(&shell).scenario else { return };
    let Ok(mut player) = Player::begin(scenario, &shell) else { return };
    player.run(1_000);
    player.seek(player.progress().known_ms);
    let snapshot = player.snapshot(None);
    assert_eq!(snapshot.invariants.broken, None);
    if let Some(about) = &snapshot.headline_about {
        player.why(about);
    }
});
