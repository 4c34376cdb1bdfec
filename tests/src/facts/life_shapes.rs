//! The keys of facts about life cycles: those of `given` and of `expect`; see [`super::shape`].

use super::shapes::ShapeRow;

/// A request that a step adds to the client's table.
const ASKS: &str = "topology% steps?do{add{request priority size relax nodes racks label allocation_id} remove{request}
    heartbeat{} heartbeat-fails{during?do{add{request priority size relax nodes racks label allocation_id}
    remove{request} release{containers} check{asks counts% ask_counts% releases any_label table_empty}}}
    release{containers} check{asks counts% ask_counts% releases any_label table_empty labels% rows_without_label}
    match{priority name size groups group_sets group_count} match-id{allocation_id list}}";

const MR_STEPS: &str = "topology% map_size nodes% max_failures_per_node ignore_threshold_percent maps{task hosts}
    steps?do{map-request{task hosts earlier_attempt_failed} map-request-after-failure{task hosts}
    am-heartbeat{asks_sent assigned blacklist_additions blacklist_removals all_on} node-heartbeats{nodes}
    nodes-unhealthy{nodes} task-failed-on{host task} map-running{task node}}";

pub(super) const LIFECYCLES: &[ShapeRow] = &[
    ("am-exit-counting", "exit_statuses", "blames_node counts_as_failure"),
    ("am-node-blacklist", "add enabled nodes threshold", "additions removals"),
    (
        "am-node-blame",
        "am_exit_status enabled nodes nodes_at_second_attempt nodes_when_first_attempt_started threshold",
        "next_attempt_on_same_node node_blacklisted_for_am other_containers_still_allowed_on_it
        second_attempt_on_other_node",
    ),
    ("app", "events max_attempts start", "diagnostics_contains removed_from_scheduler states"),
    ("app-attempt", "events start", "diagnostics_contains states"),
    (
        "ask-table",
        ASKS,
        "error error_at_step asks releases labels% rows_without_label counts% ask_counts%
        table{priority name count relax allocation_id}",
    ),
    ("attempts", "am_ends{at_ms cause exit_status} max_attempts validity_ms", "app_state_after attempts_in_total counts"),
    (
        "auto-correct",
        "enabled call{name mb vcores count priority allocation_id execution}
        granted_not_pulled{mb vcores priority allocation_id execution}",
        "counts_after handed_out",
    ),
    ("client-blacklist", "steps{add remove additions removals}", "error"),
    (
        "decommission",
        "nodes app_on graceful steps then",
        "app_state final% host1 host2 host3 host1_after host2_after host3_after host1_after_its_heartbeat
        host2_after_its_heartbeat host3_after_its_heartbeat host1_action_after_app
        host1_action_when_container_completes node_action state_after_request",
    ),
    ("decommission-timeout", "per_host_s% default_s later{default_s host1 host2 host3}", "timeout_s%"),
    ("decommission-watch", "timeout_s before{running app_finished} reports{running app_finished}", "ready status"),
    (
        "ds-am",
        "total steps?do{allocated{containers} completed{statuses%} check{allocated launched shell_ids completed done}}",
        "error",
    ),
    ("finished-list", "steps", "node_told_to_forget told"),
    (
        "keep-containers",
        "keep max_attempts validity_ms containers% steps event later am_ends{at_ms cause exit_status}",
        "after_app_end_container_2 app_state attempts_in_total completed_told finished_told_to_new_master gone kept
        queue_used told_at_registration told_at_registration_of_attempt_3",
    ),
    ("keep-decision", "failed_attempts keep max_attempts", "transfer_containers"),
    ("liveness-expiry", "check_period_ms expiry_ms last_ping_ms monitor", "expires_at_ms"),
    ("match-requests", ASKS, "error"),
    ("max-attempts", "am_max_attempts asked global_max_attempts", "max_attempts"),
    ("mr-allocator", MR_STEPS, "assigned_tasks error"),
    ("mr-assign", "topology% scheduled_maps{task hosts} allocated_in_order priority", "task_on% tasks_on_h1"),
    ("mr-available-containers", "available need resource_types", "containers"),
    ("mr-blacklist", MR_STEPS, "error"),
    ("mr-blacklist-ignore", "threshold_percent pairs{known blacklisted}", "ignore"),
    ("mr-exit", "exit_status", "task_attempt_event"),
    ("mr-node-report", MR_STEPS, "task_kill_events updated_nodes"),
    ("mr-oversize", "max_container size task_type", "asks"),
    (
        "mr-preemption-policy",
        "policy containers{name size} size strict_containers contract_containers contract_request{name count size} messages",
        "only_reduces preempted preempted_memory_at_least preempted_memory_at_most second_message_changes_set
        task_kill_events",
    ),
    ("mr-recompute", "steps{heartbeat{completed_maps}}", "reduce_schedule_recomputed"),
    (
        "mr-reduce-preempt",
        "assigned_maps assigned_reduces check_times_ms headroom map_size no_headroom_delay_s pending_reduces reduce_size
        scheduled_maps scheduled_maps_request_time_ms scheduled_reduces unconditional_delay_s",
        "diagnostic kill_events pending_reduces preempted_reducers",
    ),
    (
        "mr-reduce-ramp",
        "assigned_maps assigned_reduces completed_maps map_size pending_reduces ramp_up_limit reduce_size reduce_started
        resource_limit resource_types scheduled_maps scheduled_reduces slow_start total_maps",
        "action started",
    ),
    (
        "mr-running-limits",
        "hosts_of_map map_limit map_size maps reduce_limit reduce_size reduces slow_start
        steps?do{heartbeats{n asks_sent last_any_maps last_any_reduces} grant-map{on as} grant-reduce{on as}
        complete{c}}",
        "error limit_applied",
    ),
    (
        "mr-withdraw-reduces",
        "topology% assigned_maps assigned_reduces headroom map_size maps_wait_ms no_headroom_delay_s
        pending_reduces{task hosts} reduce_size scheduled_maps{task hosts} scheduled_reduces{task hosts}
        unconditional_delay_s",
        "asks_to_send{priority name size count} pending_reduces scheduled_reduces",
    ),
    ("nm-container", "events", "counted_as exit_status out_of_band_heartbeat states"),
    (
        "nm-retry",
        "codes exit_code fails_at_ms interval_ms max_retries policy validity_ms",
        "relaunched relaunches remaining_after_update",
    ),
    ("nm-retry-decision", "exit_code max_retries policy validity_ms", "remaining retry"),
    ("node-heartbeat-id", "node_id rm_id", "diagnostics node_action node_state"),
    ("node-heartbeat-interval", "yarn_site*", "next_interval_ms"),
    (
        "node-heartbeat-scaling",
        "cluster_utilized_vcores cluster_vcores default_ms max_ms min_ms node_cpu_share node_vcores physical_size_known
        slowdown speedup",
        "interval_ms",
    ),
    (
        "node-reconnect",
        "steps{register mb healthy heartbeats http_port running_apps check_available_mb}",
        "error host1 host2 http_port%",
    ),
    ("node-registration", "capacity minimum_allocation node_state", "node_action"),
    (
        "node-space",
        "node nodes am scheduler constraint_handler steps?do{allocate{mb as tag count on state} acquire{c}
        ask{mb count} launched-on-node{c} node-reports{c state} release{c} node-manager-restart{node}
        check{tags% c state} node-heartbeat{node times expect_allocated}}",
        "allocated_without_new_ask error new_container_id second_container_allocated",
    ),
    ("node-unregister", "steps", "actions shutdown_nodes"),
    ("rm-container", "events", "diagnostics exit_status invalid_event remembers_ask states"),
    ("rm-container-tags", "events tag then", "tag_count_after_release tag_count_after_start tag_count_before"),
    (
        "rm-node",
        "start capacity nodes events{heartbeat{healthy running_apps keep_alive_apps}
        reconnect{running_apps new_http_port} resource_update started{healthy} node event}",
        "active_change apps_told capacity lost_in_total original_capacity_kept scheduler_removals_in_total state states
        counter_changes{active decommissioned decommissioning lost rebooted unhealthy shutdown}",
    ),
    (
        "rm-node-cleanup",
        "to_clean finished_apps steps{report{app state} app_finished}",
        "answer{apps containers} apps_to_clean running_apps waiting_after{apps containers}",
    ),
    (
        "rm-node-reports",
        "reports% scheduler_busy scheduler_busy_until_report then",
        "completed_after completed_told diagnostics_contains exit_status forgotten_when_am_has_pulled node_updates
        running_after updates_queued updates_queued_after updates_queued_before",
    ),
    (
        "service-exit",
        "components{policy containers} completions{component exit_status}",
        "marked marked_failed_of_component_0 marked_succeeded_of_component_0 re_requested service_exit",
    ),
    (
        "service-policy",
        "desired exit_status failed policy ready succeeded",
        "has_completed has_completed_successfully long_lived ready_for_dependents relaunch",
    ),
    ("sls-host-name", "names", "rack_host"),
    ("unregistered-nodes", "enabled exclude include steps{register mb}", "active decommissioned lost"),
    ("untracked-removal", "nodes states_to_remove steps timeout_ms without_include_path", "active_at_end inactive_after"),
];
