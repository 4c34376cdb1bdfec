//! A PlacementSpec is read, said in English and printed; then an application that has it is played.
#![no_main]

use heddle_core::constraint::{english, parse_spec, print};
use heddle_fuzz::{lies_in, played};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse_spec(text) {
        Ok(spec) => {
            english::spec(&spec);
            if let Ok(printed) = print::spec(&spec) {
                assert!(parse_spec(&printed).is_ok(), "{printed}");
            }
        }
        Err(e) => return lies_in(&e.problem, text),
    }
    let shell = format!(
        "heddle = 1\nuntil = \"5 min\"\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 3\nsize = \"8 GB/8\"\n\
         [[apps]]\nname = \"a\"\nkind = \"distributed-shell\"\nspec = {text:?}\n"
    );
    played(&shell);
});
