//! The small workloads of docs/performance.md give Hadoop's counts and checksum, natively and in browsers. No time is
//! measured here.

use heddle_core::journal::Silent;
use heddle_tests::preempting;
use heddle_tests::speed::{Clock, Load, OTHER_SCHEDULERS, WORKLOADS};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

fn comes_to_the_truth(name: &str) {
    let workload = WORKLOADS.iter().chain(&OTHER_SCHEDULERS).find(|w| w.name == name).expect("a workload of this name");
    let mut load = Load::new(*workload, Silent).expect("nothing is refused");
    let measured = load.measure(&Clock::STILL).expect("no call is refused");
    assert_eq!(Some(measured.counts), workload.truth);
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn the_small_workload_comes_to_hadoops_allocations() {
    comes_to_the_truth("small");
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn the_small_workload_with_localities_comes_to_hadoops_allocations() {
    comes_to_the_truth("small-locality");
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn the_other_schedulers_come_to_hadoops_allocations() {
    for name in ["small-fair", "small-locality-fair", "small-fifo", "small-locality-fifo"] {
        comes_to_the_truth(name);
    }
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn the_small_workloads_of_preemption_come_to_hadoops_victims() {
    for workload in preempting::WORKLOADS.iter().filter(|w| w.containers <= 1000) {
        let mut load = preempting::FullCluster::new(workload, Silent).expect("nothing is refused");
        let (_, counts) = load.measure(&Clock::STILL).expect("there is a monitor");
        assert_eq!(Some(counts), workload.truth, "{}", workload.name);
    }
}
