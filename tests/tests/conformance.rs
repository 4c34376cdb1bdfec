//! This repository's conformance cases as ordinary tests, natively and in a browser: one for each family of traces and each
//! group of facts that Heddle must match. The lists below grow with the implementation; `cargo xtask conformance` plays
//! everything and prints what is still missing.

use heddle_tests::conformance::{Deviations, File, Outcome, play};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

/// Plays the cases of a file, restricted to the named kinds (none for all).
fn check(name: &str, text: &str, kinds: &[&str]) {
    let file = File::read(name, text).expect("a file of cases");
    let deviations = Deviations::ours().expect("a list of deviations");
    let mut played = 0;
    let mut failures = Vec::new();
    for case in file.cases.iter().filter(|c| kinds.is_empty() || kinds.contains(&c.kind.as_str())) {
        let full_name = format!("{}/{}", file.area, case.id);
        if deviations.reason(&full_name).is_some() {
            continue;
        }
        played += 1;
        match play(&file.area, case) {
            Outcome::Passed => {}
            Outcome::Failed(d) => failures.push(format!("FAIL {full_name}: {d}")),
            Outcome::Unsupported(what) => failures.push(format!("UNSUPPORTED {full_name}: {what}")),
        }
    }
    assert!(played > 0, "{name}: no case of these kinds");
    assert!(failures.is_empty(), "{name}: {} of {played} differ\n{}", failures.len(), failures.join("\n"));
}

macro_rules! families {
    ($($test:ident $family:literal,)*) => {$(
        #[cfg_attr(not(target_arch = "wasm32"), test)]
        #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
        fn $test() {
            check($family, include_str!(concat!("../conformance/traces/", $family, ".json")), &[]);
        }
    )*};
}

macro_rules! facts {
    ($($test:ident $file:literal [$($kind:literal),*],)*) => {$(
        #[cfg_attr(not(target_arch = "wasm32"), test)]
        #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
        fn $test() {
            check($file, include_str!(concat!("../conformance/", $file, ".json")), &[$($kind),*]);
        }
    )*};
}

facts! {
    facts_capacity "capacity-scheduler" [],
    facts_capacity_own "own-capacity-scheduler" [],
    facts_constraints "placement-constraints" [],
    facts_constraints_own "own-placement-constraints" [],
    facts_lines "lines" [],
    facts_clients_slider_samza "clients" ["samza-client", "slider-client"],
    facts_clients_own_slider_samza "own-clients-slider-samza" [],
    facts_preemption "preemption" [],
    facts_preemption_own "own-preemption" [],
    facts_fair "fair-scheduler" [],
    facts_fair_own "own-fair-scheduler" [],
    facts_formats "formats" [],
    facts_formats_own "own-formats" [],
    facts_slider "slider" [],
    facts_samza "samza" [],
    facts_lifecycles "lifecycles" [],
    facts_clients_services "clients" ["service"],
    facts_clients_own_services "own-clients" ["service"],
    facts_clients_own_shell "own-clients" ["shell-client"],
    facts_clients_own_paths "own-clients-paths" [],
}

/// The answers of a ResourceManager's web services, imported, and what it did next.
#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn dumps() {
    for (name, text) in [
        ("fifo-basic", include_str!("../conformance/dumps/dump-fifo-basic-182b8-0.json")),
        ("fair-basic", include_str!("../conformance/dumps/dump-fair-basic-182b8-0.json")),
        ("fair-drf", include_str!("../conformance/dumps/dump-fair-drf-182b8-1.json")),
        ("capacity-basic", include_str!("../conformance/dumps/dump-capacity-basic-182b8-0.json")),
        ("capacity-drf", include_str!("../conformance/dumps/dump-capacity-drf-182b8-0.json")),
        ("capacity-reserve", include_str!("../conformance/dumps/dump-capacity-reserve-182b8-1.json")),
        // The AM's node has lost its label; a reservation without activities; who is runnable next; a node that has left.
        ("capacity-labels", include_str!("../conformance/dumps/dump-capacity-labels-1163f-1.json")),
        ("capacity-mapping", include_str!("../conformance/dumps/dump-capacity-mapping-11640-1.json")),
        ("fair-limits", include_str!("../conformance/dumps/dump-fair-limits-1163f-1.json")),
        ("capacity-drain", include_str!("../conformance/dumps/dump-capacity-drain-11640-0.json")),
        // Applications that came after the update of the shares.
        ("fair-preempt", include_str!("../conformance/dumps/dump-fair-preempt-5d-1.json")),
        ("fair-continuous", include_str!("../conformance/dumps/dump-fair-continuous-5d-1.json")),
    ] {
        check(name, text, &[]);
    }
}

families! {
    own_capacity "own-capacity",
    own_settings "own-settings",
    own_slider "own-slider",
    own_samza "own-samza",
    own_preempt "own-preempt",
    own_fair_preempt "own-fair-preempt",
    own_fair_rules "own-fair-rules",
    own_front_door "own-front-door",
    own_release_3_3 "own-release-3.3",
    capacity_async_basic "capacity-async-basic",
    capacity_async_churn "capacity-async-churn",
    capacity_async_everything "capacity-async-everything",
    capacity_async_labels "capacity-async-labels",
    capacity_async_limits "capacity-async-limits",
    capacity_async_locality "capacity-async-locality",
    capacity_async_multi_node "capacity-async-multi-node",
    capacity_async_multi_node_labels "capacity-async-multi-node-labels",
    capacity_async_preempt "capacity-async-preempt",
    capacity_async_reserve "capacity-async-reserve",
    capacity_autocreate "capacity-autocreate",
    capacity_drain "capacity-drain",
    capacity_mapping "capacity-mapping",
    capacity_mapping_dynamic "capacity-mapping-dynamic",
    capacity_multi_node "capacity-multi-node",
    constraint_scheduler "constraint-scheduler",
    constraint_scheduler_rack "constraint-scheduler-rack",
    constraint_scheduler_namespaces "constraint-scheduler-namespaces",
    constraint_attributes "constraint-attributes",
    constraint_mixed "constraint-mixed",
    constraint_processor_serial "constraint-processor-serial",
    constraint_processor_popular "constraint-processor-popular",
    constraint_processor_popular_large "constraint-processor-popular-large",
    constraint_processor_retry "constraint-processor-retry",
    constraint_text "constraint-text",
    constraint_invalid "constraint-invalid",
    preempt_am "preempt-am",
    preempt_balance "preempt-balance",
    preempt_basic "preempt-basic",
    preempt_deep "preempt-deep",
    preempt_disabled "preempt-disabled",
    preempt_drf "preempt-drf",
    preempt_intra_priority "preempt-intra-priority",
    preempt_intra_userlimit "preempt-intra-userlimit",
    preempt_labels "preempt-labels",
    preempt_lazy "preempt-lazy",
    preempt_observe "preempt-observe",
    preempt_priority "preempt-priority",
    preempt_react "preempt-react",
    preempt_reserved "preempt-reserved",
    fair_am "fair-am",
    fair_basic "fair-basic",
    fair_churn "fair-churn",
    fair_continuous "fair-continuous",
    fair_drf "fair-drf",
    fair_limits "fair-limits",
    fair_locality "fair-locality",
    fair_minmax "fair-minmax",
    fair_multi "fair-multi",
    fair_placement "fair-placement",
    fair_preempt "fair-preempt",
    fair_reserve "fair-reserve",
    fifo_basic "fifo-basic",
    fifo_locality "fifo-locality",
    capacity_absolute "capacity-absolute",
    capacity_acl "capacity-acl",
    capacity_basic "capacity-basic",
    capacity_churn "capacity-churn",
    capacity_deep "capacity-deep",
    capacity_drf "capacity-drf",
    capacity_everything "capacity-everything",
    capacity_fair_order "capacity-fair-order",
    capacity_labels "capacity-labels",
    capacity_labels_deep "capacity-labels-deep",
    capacity_limits "capacity-limits",
    capacity_locality "capacity-locality",
    capacity_multi "capacity-multi",
    capacity_priority "capacity-priority",
    capacity_refresh "capacity-refresh",
    capacity_reserve "capacity-reserve",
    capacity_reserve_locality "capacity-reserve-locality",
    capacity_resources "capacity-resources",
    capacity_vectors "capacity-vectors",
    capacity_weights "capacity-weights",
    capacity_why "capacity-why",
    capacity_why_everything "capacity-why-everything",
    capacity_why_labels "capacity-why-labels",
    capacity_why_locality "capacity-why-locality",
    slider_antiaffinity "slider-antiaffinity",
    slider_anywhere "slider-anywhere",
    slider_escalation "slider-escalation",
    slider_failures "slider-failures",
    slider_flex "slider-flex",
    slider_history_file "slider-history-file",
    slider_labels "slider-labels",
    slider_mixed "slider-mixed",
    slider_normal "slider-normal",
    slider_restart "slider-restart",
    slider_strict "slider-strict",
    samza_expiry "samza-expiry",
    samza_failures "samza-failures",
    samza_grouping "samza-grouping",
    samza_job_model "samza-job-model",
    samza_mixed "samza-mixed",
    samza_no_affinity "samza-no-affinity",
    samza_placement_actions "samza-placement-actions",
    samza_restart_locality "samza-restart-locality",
    samza_retry_window "samza-retry-window",
    samza_standby "samza-standby",
    samza_start "samza-start",
    samza_surplus "samza-surplus",
}
