//! The keys of facts about Samza: those of `given` and of `expect`; see [`super::shape`].

use super::shapes::ShapeRow;

pub(super) const SAMZA: &[ShapeRow] = &[
    (
        "config",
        "properties*",
        "cluster-manager.allocator.sleep.ms cluster-manager.container.cpu.cores
        cluster-manager.container.fail.job.after.retries cluster-manager.container.memory.mb
        cluster-manager.container.preferred-host.last.retry.delay.ms cluster-manager.container.request.timeout.ms
        cluster-manager.container.retry.count cluster-manager.container.retry.window.ms
        cluster-manager.fault-domain-aware.standby.enabled container_count container_memory_mb container_vcores error
        has_durable_stores host_affinity job.container.count job.host-affinity.enabled logged_store_path
        replication_factor standby_enabled store0.changelog store0.delete_retention_ms store0.min_compaction_lag_ms
        task.commit.ms transactional_restore yarn.am.container.memory.mb yarn.am.high-availability.enabled",
    ),
    (
        "group_by_partition",
        "config* job.elasticity.factor partitions task.broadcast.inputs",
        "tasks% task_names",
    ),
    ("group_by_ssp", "config* partitions task.broadcast.inputs", "tasks%"),
    (
        "all_ssp_to_single_task",
        "config* job.container.count partitions processor.list task.broadcast.inputs",
        "tasks% error",
    ),
    ("ssp_grouper_proxy", "grouper partitions persistent_stores previous%", "tasks%"),
    ("group_by_container_count", "containers previous% tasks", "error groups% same_as_without_previous"),
    (
        "group_by_container_ids",
        "container_count container_ids processor_locality% task_locality% repeat tasks",
        "error groups%",
    ),
    (
        "generate_standby",
        "active% replication_factor",
        "active_containers_unchanged active_tasks container_ids containers standby_tasks tasks",
    ),
    (
        "standby_constraints",
        "container containers replication_factor tasks_per_container",
        "constrained_with constrained_with_count_for_every_container never_itself same_active_prefix",
    ),
    (
        "job_model",
        "config* custom_grouper% job.container.count partitions previous_changelog% previous_tasks% stores.myStore.factory",
        "containers%{%{changelog_partition inputs}}",
    ),
    ("grouper_metadata", "config* job.container.count locality% previous_tasks%", "processor_locality% task_locality%"),
    (
        "task_assignment_update",
        "new_active% new_standby% previous_active% previous_standby%",
        "deleted_task_mappings partition_mappings_deleted",
    ),
    ("task_assignment_store", "delete write%", "read%"),
    ("locality", "writes", "read%"),
    (
        "request_state",
        "host_affinity steps?do{request{request processor host delay_ms} allocate{container host}
        assign{request buffer container} drop_from_buffers{container}}",
        "absent_buffers asks_sent buffers% delayed head host_request_counts% pending",
    ),
    ("request_queue_order", "requests{request processor t_s}", "order"),
    ("delayed_queue_order", "requests{request processor t_s}", "order"),
    (
        "initial_requests",
        "config* host_affinity last_seen%",
        "asks_sent counters{any_host_requests preferred_host_requests} delayed host_request_count_keys
        host_request_counts% pending",
    ),
    (
        "initial_requests_run",
        "cluster config* host_affinity last_seen% replication_factor standby",
        "counters{any_host_requests failed_standby_allocations preferred_host_requests} running%",
    ),
    (
        "allocator_run",
        "allocated{container host age_ms} allocated_before_requests{container host age_ms}
        assume_every_request_expired cluster config* host_affinity last_seen% requests{processor host} run standby",
        "absent_buffers all_requests_preferred_host allocation_expiry_events{processor host} buffers_before_run%
        cancelled_asks cancelled_hosts
        counters{any_host_requests expired_preferred_host_requests matched_resource_requests preferred_host_requests}
        counters_at_least{any_host_requests cancelled_asks expired_preferred_host_requests matched_resource_requests
        preferred_host_requests}
        delayed expiry_checks_less_than expiry_handled host_request_counts% launched%{container host}
        launched_containers launched_count launched_hosts% pending released released_includes",
    ),
    ("allocation_expired", "age_ms", "expired"),
    (
        "job_start",
        "am_ha config* containers force_restart host_affinity running_from_previous_attempt",
        "needed requested stopped",
    ),
    (
        "launch_failure",
        "asks_sent_before config* host_affinity pending_launch{container host processor} standby",
        "asks_sent last_ask_host",
    ),
    (
        "failure_counter",
        "config* failures{exit_code previous{age_ms count retry_delay_ms}} host_affinity last_seen%",
        "after{count delayed job_failure pending should_shutdown}",
    ),
    (
        "failure_sequence",
        "config* containers events{allocate code completed_container container exit exit_container host launched start}
        host_affinity last_seen%",
        "after{asks_sent counted_as_failure job_healthy pending pending_hosts placement% redundant_notifications released
        should_shutdown status} counted_as_failure released",
    ),
    (
        "placement_actions",
        "actions{deployment destination expiry_ms processor uuid} already_handled before{code exit restarted} cluster
        config* deployment exit_code_on_stop host_affinity launch_fails_on running% standby",
        "before_action{failed pending_launch running%}
        counters{any_host_requests failed_standby_allocations preferred_host_requests} failed moved pending_launch
        requests_left responses% running% unmoved",
    ),
    ("fault_domain", "cache% host hosts query running_nodes%", "cache_refreshes domain same"),
    (
        "restore_plain",
        "changelog{newest oldest} clean_on_container_start directory event file_offset logged offset_file_age_ms
        offset_file_mtime_ms persisted",
        "directory_deleted offset_file_exists offset_file_written_on_commit restore_from",
    ),
    (
        "restore_transactional",
        "changelog{newest oldest} checkpoint_age_ms checkpoint_dirs{dir offset valid} checkpoint_time_ms
        checkpointed_offset logged persisted stores.store1.clean.on.container.start
        task.transactional.state.retain.existing.state",
        "delete delete_count delete_includes restore{from to} retain retain_one",
    ),
    ("restore_start", "oldest restore{from to}", "error first_offset_read"),
    ("read_offset_file", "changelog files%", "offset"),
    ("container_storage_start", "checkpoints_read% job_store_directories", "job_store_directories_after"),
    (
        "local_store_monitor",
        "directories%{offset_file_age_ms offset_file_mtime_ms} host job_status preferred_host runs task_stores",
        "offset_file_deleted store_deleted",
    ),
    ("offset_file_path", "env% job.id job.name store task", "path"),
];
