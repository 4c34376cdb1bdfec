//! The keys of facts about Slider: those of `given` and of `expect`; see [`super::shape`].

use super::shapes::ShapeRow;

/// A component, a node.
macro_rules! world {
    () => {
        "components{name id policy escalate_seconds node_failure_threshold label}
        nodes{host state label entries%{last_used live failed_recently}} "
    };
}

/// Steps that read the role history, in both applications and histories.
macro_rules! looks {
    () => {
        "review{id} reset_failure_window{id} node_report{host state label id} recent_list{component id}
        active_nodes{component id} eligible_hosts{component label id} can_host{host component label id}
        entry{host component id} node{host id} "
    };
}

/// Steps of a whole application.
macro_rules! acts {
    () => {
        "desired{component count} grant{id containers{container request host}} launch{containers}
        started{containers} launch_failed{container} completed{container exit_status id}
        complete_released{exit_status id} time{now} escalate{id} restart_am{id live_containers desired%}
        check{id component liveness} set_counters{component actual requested} "
    };
}

/// The results of a step.
macro_rules! told {
    () => {
        "operations{type component container hosts hosts_any_order host_count racks relax_locality request
        added_count removed_count} operation_count counts{request cancel release} requests_have_hosts
        released_containers_all_of_component application_failed error assigned assigned_count changed known
        container_failed host host_in hosts hosts_any_order hosts_present order count not_empty value blacklisted%
        online containers outcome outcome_not returned_to_list starting live releasing active available failed
        start_failed desired actual requested pending_aa aa_outstanding started delta actual_and_requested
        actual_less_than_desired requests_outstanding all_requests_satisfied live_instances added_count
        removed_count "
    };
}

pub(super) const SLIDER: &[ShapeRow] = &[
    ("sort_nodes", concat!("order component_id ", world!()), "hosts first_hosts"),
    ("compare_nodes", "order component_id pairs{host state label entries%{last_used live failed_recently}}", "results"),
    ("node_entry", "events{completed{was_released outcome}}", {
        "final{starting live releasing requested start_failed failed failed_recently preempted last_used active
        available} after_reset{failed failed_recently start_failed preempted} available_initially available_after"
    }),
    ("component_failure", "startup_failure outcome", {
        "final{failed failed_recently start_failed limits_exceeded preempted node_failed}
        after_reset{failed failed_recently start_failed limits_exceeded preempted node_failed}"
    }),
    ("priority", "id located", "decoded_id"),
    ("request_validation", "hosts label relax_locality", "valid"),
    ("resource", "limits{min_memory max_memory min_vcores max_vcores} component%", "memory vcores"),
    (
        "config",
        "global% components%% added_in_sequence",
        "components%{strict node_failure_threshold id desired memory vcores} error",
    ),
    (
        "flex_config",
        "limits{min_memory max_memory min_vcores max_vcores} global% initial_components%% flex_add%% flex_remove",
        "components%{id desired memory vcores} error ids_known ids_unknown",
    ),
    ("resolve", "global% components%%", "global% components%{size has values%}"),
    ("time_range", "prefix defaults{days hours minutes seconds} values%", "seconds"),
    ("policy_table", "", {
        "policies{value name uses_history escalates co_location_allowed one_request_at_a_time uses_unreliable_hosts}"
    }),
    ("defaults", "", "yarn.placement.escalate.seconds escalation.check.interval.seconds"),
    ("history_read", "text known_ids", "node_records discarded role_map_size"),
    (
        "history_dir",
        "known_ids files{name text save{time nodes{host id live releasing last_used}}} start",
        "loaded readable thawed_time node_records deleted kept cluster_size recent_lists%{id count hosts}
        entries{host id last_used} entries_present{host id}",
    ),
    ("history_purge", "files keep_sequence", "deleted_counts"),
    ("history_list", "files", "entries_in_order"),
    ("history_file_name", "saved", "name savedx"),
    ("history_record", "text", "type version saved roles"),
    (
        "history_roundtrip",
        "component_ids_at_start live{id instances} saved_before_flex flex_adds_ids reload_known_ids",
        "discarded",
    ),
    ("sort_names", "names", "names"),
    ("compare_names", "pairs", "signs"),
    (
        "tracker",
        concat!(
            world!(),
            "resource{memory vcores} steps?op{new_request{id host component_id} new_aa_request{id hosts component_id}
            issue{request component time} granted{id component_id host priority memory vcores}
            lookup_placed{component_id host id} counts{id} reset_component{component_id id} escalate{now id}
            force_escalate{request id}}"
        ),
        "%{count error escalated% first_host host_count hosts hosts_any_order hosts_present label_kept label_sent
        located may_escalate open operation_count operations{type request relax_locality} outcome placed
        relax_locality request}",
    ),
    (
        "history",
        concat!(
            world!(),
            "steps?op{",
            looks!(),
            "find_host{component id} request{component id} granted{id for_request host desired actual}
            placed_requests{id} build_recent_lists{} exceeds_threshold{host component threshold id}
            set_threshold{component threshold} reset_node_failures{host} update_blacklist{components id}
            order_allocations{id containers{container component host priority}}
            assigned{host component id} started{host component id} start_failed{host component id}
            release_submitted{host component id} release_completed{host component id}
            failed{host component short_lived outcome id} entry_starting{host component times}
            entry_assigned{host component times} entry_started{host component times}
            entry_released{host component times} entry_release{host component times}
            entry_requested{host component times} entry_start_failed{host component times}
            entry_failed{host component times} reset_entry_failures{host component}}"
        ),
        concat!("distinct_hosts hosts_found% %{", told!(), "}"),
    ),
    (
        "scenario",
        concat!(world!(), "global% steps?op{", looks!(), acts!(), "repeat{times steps?op{", looks!(), acts!(), "}}}"),
        concat!("application_failed_before_end %{", told!(), "}"),
    ),
];
