//! One of Hadoop's XML files is checked, and a change of queues in XML is read.
#![no_main]

use heddle_core::config::check::check;
use heddle_core::config::mutation::parse_xml;
use heddle_core::rm::Properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for p in check("x.xml", text, &Properties::new(), &[]).problems {
        assert!(p.span.is_none_or(|s| text.get(s.start..s.end).is_some()), "{p:?}");
    }
    let _ = parse_xml(text);
});
