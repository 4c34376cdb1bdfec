//! One of Hadoop's XML files is checked, and a change of queues in XML is read.
#![no_main]

use heddle_core::config::check::check;
use heddle_core::config::mutation::parse_xml;
use heddle_core::rm::Properties;
use heddle_fuzz::lies_in;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    check("x.xml", text, &Properties::new(), &[]).problems.iter().for_each(|p| lies_in(p, text));
    let _ = parse_xml(text);
});
