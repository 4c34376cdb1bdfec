//! The keys of every kind of facts in the areas whose drivers know them all: those of `given` and of `expect`.

/// A kind, the keys of `given`, and the keys of `expect`; see [`super::shape`].
pub(super) type ShapeRow = (&'static str, &'static str, &'static str);

const CAPACITY: &[ShapeRow] = &[
    ("compare", "calculator cluster pairs types", "result"),
    ("min-max-by-calculator", "calculator cluster pairs", "less less_or_equal greater greater_or_equal max min"),
    ("fits-in", "calculator pairs", "result"),
    ("normalize", "calculator ask min max increment", "memory_mb vcores"),
    ("normalize-request", "calculator asks min max rows_ask_memory_and_max_memory", "memory_mb result"),
    ("ratio", "numerator denominator types", "default dominant"),
    ("insufficient-resources", "calculator pairs_required_available", "names"),
    ("multiply-round-down", "rows_resource_by", "result"),
    ("multiply-round-up", "rows_resource_by", "result"),
    ("componentwise-min", "pairs", "result"),
    ("componentwise-max", "pairs", "result"),
    (
        "child-order",
        "policy partition queues_in_configured_order{name absolute_capacity used_capacity priority
        can_access_partition}",
        "order",
    ),
    (
        "app-order",
        "policy size_based_weight apps{id serial priority recovering start_time used used_mb pending_mb}
        apps_serial_priority_recovering steps{do app id used_mb pending_mb informed}",
        "order orders preemption_order reverse_orders_for_preemption",
    ),
    (
        "app-order-compare",
        "policy size_based_weight a{serial priority recovering start_time used used_mb pending_mb}
        b{serial priority recovering start_time used used_mb pending_mb}",
        "a_vs_b",
    ),
    (
        // `history` says how the nodes got into their states.
        "capacities",
        "config* yarn_site* nodes cluster_memory_mb cluster_vcores create_queues history*",
        "%{effective_min effective_max effective_min_mb effective_max_mb absolute_capacity absolute_max capacity
        weight user_limit_factor am_percent queue_am_limit_mb}",
    ),
    ("config-error", "config* yarn_site* nodes cluster_memory_mb cluster_vcores", "error_contains"),
    ("config-check", "config* yarn_site* nodes cluster_memory_mb cluster_vcores", "valid"),
    (
        "queue-states",
        "config* steps?do{load{} refresh{set*} submit_app{app queue user} finish_app{app}}",
        "states_after_each_step*",
    ),
    (
        "queue-mapping",
        "mapping rules_json* override existing_queues requested_queue user user_groups_primary_first application",
        "queue full_path rejected",
    ),
    ("queue-mapping-parse", "text", "type source queue"),
    ("capacity-vector-parse", "text types", "*"),
    ("queue-template", "config* children", "*"),
    ("auto-create", "config* nodes cluster_memory_mb cluster_vcores path", "created error_contains"),
    ("maximum-allocation", "config* yarn_site*", "*"),
    ("application-count-limits", "config* queue", "max_applications max_applications_per_user"),
    ("am-limits", "config* queue cluster_memory_mb min_allocation active_users", "queue_am_limit_mb user_am_limit_mb"),
    (
        "activation",
        "config* queue cluster_memory_mb min_allocation steps?do{submit_app{app user am_memory_mb priority}
        finish_app{app} refresh{set*} set_cluster_memory{memory_mb}}",
        "after_each_step{active pending ~_active ~_pending}",
    ),
    (
        "headroom",
        "config* queue cluster_memory_mb min_allocation steps?do{submit_and_ask{app user memory_mb count}
        set_cluster_memory{memory_mb}}",
        "headroom_mb_of_every_app_after_each_step",
    ),
    (
        "submission",
        "config* labels{name exclusive} nodes{id rack memory_mb vcores label}
        steps?do{submit_app{app queue user} kill_app{app}}",
        "after_each_step{accepted message_contains}",
    ),
    (
        "ask-label-updates",
        "queue_accessible_labels queue_default_label calls{name memory_mb count label priority}",
        "label_of_priority_after_each_call%",
    ),
    (
        "queue-limit-check",
        "limit_mb queue_used_mb unreservable_mb partition variants{continue_look}",
        "allowed headroom_mb_first",
    ),
    (
        "user-limit-check",
        "user_used_mb app_reserved_mb partition variants{limit_mb continue_look}",
        "allowed amount_needed_unreserve_mb",
    ),
    (
        "user-limit",
        "partition_total min_allocation queue_usage_ratio effective_min effective_max_rounded_down user_limit_percent
        user_limit_factor active_users_used active_users_weight",
        "memory_mb",
    ),
    (
        "leaf-scenario",
        "queue config* yarn_site* cluster{memory_mb node_count} min_allocation max_allocation
        nodes{id rack memory_mb vcores} steps?do{
            submit_app{app user priority}
            ask{app priority requests{name memory_mb vcores count relax priority}}
            assign{node times} release_one{app} release_all{app} blacklist{app add remove} set_config{set*}}",
        "checks{after_step result active_users queue_used_mb queue_reserved_mb pending_within_user_limits_mb
        app_used_mb% app_reserved_mb% app_pending_mb% headroom_mb% running_containers% outstanding%
        outstanding_by_priority% missed_opportunities% missed_opportunities_by_priority%% node_allocated_mb%
        node_reserved_mb%}",
    ),
    (
        // Amounts of further resource types have the names that `extra_resource_types` gives them.
        "scheduler-scenario",
        "config* yarn_site* labels{name exclusive} min_allocation max_allocation extra_resource_types
        nodes{id rack memory_mb vcores label gpu resource1} steps?do{
            none{}
            submit_app{app queue user am am_memory_mb am_vcores am_label priority gpu resource1}
            launch_am{app node times}
            ask{app priority requests{name memory_mb vcores count label relax priority gpu resource1}}
            heartbeat{node times} heartbeat_alternating{nodes times}
            heartbeat_until_allocated{node app containers} schedule_every_node_once{times}
            kill_app{app} finish_app{app} finish_attempt{app} move_app{app queue} set_priority{app priority}
            expire_container{app container_number} release_container{app container_number}
            release_one{app} release_all{app}
            add_node{node{id rack memory_mb vcores label gpu resource1}} remove_node{node}
            update_node{node memory_mb vcores gpu resource1} set_node_label{node label}
            set_node_decommissioning{node} set_config{set*} refresh{set*}}",
        "checks{after_step rejected containers% containers_on_node%% reserved_containers% node_containers%
        node_allocated% node_allocated_mb% node_unallocated% node_unallocated_mb% node_total% node_reserved%
        queue_used_mb% queue_reserved_mb% queue_used_mb_on_label%% queue_reserved_mb_on_label%%
        queue_pending_within_user_limits_mb%%
        am_limit%{memory_mb vcores} am_used%{memory_mb vcores} active_apps% pending_apps% apps_pending%
        runnable_apps% non_runnable_apps% active_users active_users_incl_pending_only users_with_only_pending_apps
        app_priority% app_used_mb% app_reserved_mb% app_pending_mb% app_pending_mb_by_priority%%
        app_diagnostics_contains% headroom_mb% rounds_ending_with_no_container_on_node%}",
    ),
];

const CONSTRAINTS: &[ShapeRow] = &[
    ("parse_spec", "text", "entries{source_tag count constraint@tree} error"),
    ("parse_expression", "text", "ast@tree error"),
    ("split_entries", "text", "parts"),
    ("source_tag", "text", "source_tag count error"),
    ("build", "builder scope min max tags op attr_op targets{kind namespace values key} children@build", "ast@tree"),
    (
        "evaluate",
        "app apps{id app_tags} nodes{id rack partition attributes%} containers{node app tags count}
        request_constraint@tree source_tags app_constraints{app source constraint@tree}
        global_constraints{source constraint@tree}",
        "satisfied% error",
    ),
    (
        "tag_counts",
        "current_app apps{id app_tags} nodes{id rack} containers{node app tags count} removed{node app tags count}
        queries{scope at namespace tags op}",
        "values",
    ),
    (
        "temp_tags",
        "nodes{id rack} steps{add{node app tags count} add_temp{node app tags count} clean_temp
        query{scope at namespace tags op}}",
        "values nodes_with_tags_per_app%",
    ),
    ("namespace_parse", "text", "type error message_starts_with"),
    ("namespace_scope", "current_app apps{id app_tags} text", "apps error"),
    (
        "constraint_manager",
        "steps{register unregister add add_global remove remove_global query app source replace constraint@tree
        constraints{source constraint@tree}}",
        "answers@tree",
    ),
    (
        "merge_levels",
        "request@tree app_constraints{app source constraint@tree} global_constraints{source constraint@tree}
        source_tags",
        "and_children@tree and_child_count",
    ),
    ("request_order", "iterator requests{id tags}", "order first then"),
    ("circular", "list already_consumed first", "sequence error"),
    (
        "place_batch",
        "app nodes{id rack partition unallocated_mb attributes%} containers{node app tags count}
        requests{id priority tags count memory_mb vcores constraint@tree} iterator attempt blacklist%
        app_constraints{app source constraint@tree} global_constraints{source constraint@tree}",
        "placed{request nodes} rejected{request count} error",
    ),
    (
        // `when` is prose: an `add_node` or `lose_node` with it happens before the previous request has settled.
        "end_to_end",
        "scheduler handler retry_attempts minimum_allocation_mb maximum_allocation_mb queues%
        nodes{id rack memory_mb vcores}
        steps{submit queue am_memory_mb am_node app_tags app_constraints{source constraint@tree}
        ask requests{id priority count memory_mb vcores tags constraint@tree}
        add_node{id rack memory_mb vcores} lose_node when}",
        "after_step{step app error allocated distinct_nodes distinct_nodes_so_far max_per_node all_on_node_of_step
        on_nodes_of_step not_on_nodes_of_step not_on_nodes on_nodes_without_tag each_node_tag_counts% still_wanted%
        first_rejected{request count reason} rejected{request count reason} rejected_total rejected_in_one_response
        rejected_tags}
        cluster{available_mb available_vcores allocated_mb allocated_vcores allocated_containers}",
    ),
    (
        "allocator",
        "queue_default_partition updates{request_id priority execution_type count memory_mb vcores tags
        constraint@tree allocate recover_preempted}",
        "outcome pending_count target_partition",
    ),
    (
        "precheck",
        "target_partition constraint@tree containers{node app tags count} mode nodes{id partition}",
        "accepted%",
    ),
    (
        "pending_resource",
        "apps% parents% steps{app scheduling_request{priority id count memory_mb vcores partition notin_node tags}
        resource_request{priority id count memory_mb vcores partition name tags}
        allocated{app priority id count} finish_all}",
        "pending_after{queue partition mb}",
    ),
    (
        // `after` is prose: the applications of a run start one after the other, each when the previous one has settled.
        "spec_run",
        "nodes apps{app text after}",
        "containers_per_node_without_am appB_containers_on_other_node_than_appA_bar",
    ),
    (
        "service_run",
        "handler nodes component{name count placement_policy{constraints{name type scope target_tags}}}
        steps{start flex}",
        "after_step{step running distinct_nodes stable component_state}",
    ),
    (
        "service_policy_validate",
        "component constraint{name type scope target_tags min_cardinality max_cardinality node_attributes*
        node_partitions}",
        "valid error",
    ),
];

const FAIR: &[ShapeRow] = &[
    ("acl", "allocation checks{user queue groups}", "may_submit"),
    ("compare_drf", "cluster* first{usage* min* weight} second{usage* min* weight}", "order"),
    (
        "compare_fair",
        "first{name start usage_mb min_mb demand_mb weight} second{name start usage_mb min_mb demand_mb weight}",
        "order",
    ),
    ("config_check", "yarn_site*", "error_starts_with"),
    ("fifo_config_check", "yarn_site*", "error_starts_with"),
    ("fair_shares", "resource items{weight min max active} total", "shares"),
    ("increment", "yarn_site*", "error increment{memory_mb vcores}"),
    ("normalize", "increment* minimum{memory_mb vcores} asks{memory_mb vcores}", "results{memory_mb vcores}"),
    (
        "parse_allocation",
        "allocation",
        "error message leaf_queues parent_queues users% queues%{min_mb min_vcores max_mb max_vcores max_child_mb
        max_child_vcores max_container_mb max_container_vcores max_apps max_am_share policy}",
    ),
    ("parse_resource", "value cluster* missing resource_types", "resource* error_contains"),
    (
        "placement",
        "policy configured_queues{name type} groups submissions{requested user}",
        "queues submission_error policy_error parent_rule_used",
    ),
    ("placement_from_config", "yarn_site*", "rules{name create}"),
    (
        "scenario",
        "yarn_site* allocation steps?op{add_node{node rack memory_mb vcores} remove_node{node}
        update_node{node memory_mb vcores} submit{app queue user managed_am} recover{app queue user managed_am}
        ask{app asks{priority resource memory_mb vcores containers relax_locality}} update{} heartbeat{node}
        release{app containers} expire_container{app memory_mb vcores containers which}
        complete_container{app memory_mb vcores containers which} finish_attempt{app} blacklist{app add remove}
        move{app queue} reload{allocation} create_queue{queue type} periodic_queue_check{} set_config{key value}
        advance_clock{ms}}",
        "checks{after_steps last_result leaf_queues headroom_mb% am_limit_at_last_check%{memory_mb vcores}
        cluster{total_mb allocated_mb allocated_vcores available_mb available_vcores used_share containers reserved
        reserved_containers reserved_mb reserved_vcores reserved_nodes}
        nodes%{total_mb used_mb available_mb available_vcores containers reserved reserved_containers reserved_mb
        reserved_vcores reserved_nodes}
        apps%{live live_priorities nodes% pending am_mb runnable queue container_number_minus_reserved_number containers
        reserved reserved_containers reserved_mb reserved_vcores reserved_nodes}
        queues%{exists used_mb used_vcores demand_mb fair_mb fair_vcores steady_mb steady_vcores fair_pct_of_cluster
        steady_pct_of_cluster tolerance_pct min_mb max_mb max_vcores runnable non_runnable am_used_mb
        am_used{memory_mb vcores} policy containers reserved reserved_containers reserved_mb reserved_vcores
        reserved_nodes}}",
    ),
    ("am_size", "allocation am_request{memory_mb vcores} queues", "accepted error"),
    ("am_validation", "allocation am_request{memory_mb vcores} queue", "accepted reason_contains"),
    ("ask_size", "allocation ask{memory_mb vcores} queues", "accepted error container{memory_mb vcores}"),
    ("ask_validation", "allocation queue asks{memory_mb vcores containers}", "accepted pending_after"),
    (
        "headroom_blacklist",
        "nodes%{memory_mb vcores} queue_fair_share{memory_mb vcores} blacklists",
        "headroom{memory_mb vcores}",
    ),
    ("continuous", "nodes%{memory_mb vcores} asks_one_after_the_other{memory_mb vcores}", "distinct_nodes_used"),
    ("am_limit", "queue_fair_share* cluster_available* queue_max* max_am_share am_used* am_request*", "limit* may_run"),
    (
        "headroom",
        "policy queue_max{memory_mb vcores} queue_fair_share{memory_mb vcores} queue_used{memory_mb vcores}
        cluster{memory_mb vcores} cluster_used{memory_mb vcores}",
        "headroom{memory_mb vcores}",
    ),
    ("drf_ratios", "usage* cluster* weight", "ratios* dominant"),
    ("drf_min_ratios", "usage* min*", "ratios*"),
    (
        "locality_level",
        "nodes node_threshold rack_threshold steps?op{query{} opportunity{} reset_opportunities{} set_level{level}}",
        "levels",
    ),
    (
        "locality_level_by_time",
        "node_delay_ms rack_delay_ms steps?op{query{} reset_opportunities{} advance_ms{ms} set_level{level}}",
        "levels",
    ),
    (
        "locality_timer_start",
        "node_delay_ms rack_delay_ms attempt_created_ms first_offer_ms",
        "waiting_counted_from_ms",
    ),
    ("clean_name", "names", "names"),
    ("assure_root", "names", "names"),
    ("valid_requested_queue", "names", "valid"),
    ("queue_name_part_valid", "names", "valid"),
    ("trim_queue_name", "names", "trimmed"),
    ("acl_admin", "allocation checks{user queue groups}", "may_administer"),
    ("queue_max_container", "allocation yarn_site*", "max_container*"),
    ("refresh_maximum", "before* after*", "maximum*"),
    (
        "autocorrect",
        "enabled not_yet_handed_over{allocation_id priority execution_type memory_mb vcores containers}
        asks{allocation_id priority execution_type memory_mb vcores containers resource}",
        "asked handed_over",
    ),
    (
        "fifo_scenario",
        "yarn_site* steps?op{add_node{node rack memory_mb vcores} remove_node{node} update_node{node memory_mb vcores}
        submit{app queue user managed_am} heartbeat{node} blacklist{app add remove}
        ask{app asks{priority resource memory_mb vcores containers relax_locality}}
        complete_container{app memory_mb vcores containers which}}",
        "checks{after_steps headroom_mb% cluster{used_share available_mb total_mb} apps%{live pending nodes%}
        nodes%{total_mb used_mb available_mb}}",
    ),
];

/// The kinds of the area that have drivers.
const FORMATS: &[ShapeRow] = &[
    ("config_xml", "files includes* env* system*", "get* raw* final override_warnings sources* error"),
    ("config_value", "type text default unit key_unit", "value error"),
    ("resource_pairs", "text types", "*"),
    ("resource_type_name", "text", "valid"),
    ("unit_convert", "from to value", "value error"),
    ("node_label_list", "text", "labels error"),
    ("schedulerconf_cli", "args", "*"),
    ("sched_conf_parse", "text", "*"),
    ("sched_conf_json", "text", "*"),
    ("sched_conf_mutation", "base* requests*", "assembled accepted error message_contains queues* capacity* get*"),
    ("capacity_vector", "queue text types", "vector* error"),
    ("capacity_legacy", "queue text types", "percent weight absolute error"),
    ("setting_default", "key", "value"),
    (
        "rest_queue",
        "conf* nodes auto_created",
        "queues%{mode queueType creationMethod autoCreationEligibility isAbsoluteResource capacity maxCapacity
        absoluteCapacity absoluteMaxCapacity weight normalizedWeight vector effectiveMin effectiveMax maxApplications
        amLimit leafQueueTemplate* autoQueueTemplateProperties* autoQueueParentTemplateProperties*
        autoQueueLeafTemplateProperties*}",
    ),
    ("sls_nodes", "text default_memory_mb default_vcores", "nodes%{memory_mb vcores labels}"),
    ("sls_generate_nodes", "num_nodes num_racks", "nodes racks"),
    ("sls_rack_host", "text", "rack host"),
    ("synth_sample", "text", "between one_of int error"),
    (
        "dynoyarn",
        "text",
        "apps{id submit_ms user queue type label tags am stages{count average_ms runtimes_ms priority resource}}",
    ),
];

const PREEMPTION: &[ShapeRow] = &[
    (
        "policy-round",
        "calculator resource_types config* partitions{name resource exclusive} nodes{id partition resource}
        queues{path priority disable_preemption app_ordering max_am_resource_percent childless_parent
        partitions%{guaranteed max used pending reserved absolute_capacity}}
        apps{id queue user priority am_container_id pending% containers{first_id count resource node requested_label
        reserved}} user_limits%% minimum_allocation
        rounds{time queues{path priority disable_preemption app_ordering max_am_resource_percent childless_parent
        partitions%{guaranteed max used pending reserved absolute_capacity}} remove_apps}",
        "marked% marked_total marked_on_node%% killed_total ideal_assigned% preemptable_extra% untouchable_extra%
        leaf_queues after_round{marked% marked_total marked_on_node%% killed_total}",
    ),
    (
        "cluster-scenario",
        "config* nodes{id memory label} queues{path capacity maximum_capacity user_limit_factor priority label_capacity%
        default_label} steps?do{submit{app queue am_memory am_node} ask{app memory count where preferred_node priority
        relax_locality label} heartbeat{nodes times} heartbeat-until{nodes until} preemption-round{times} wait{ms}
        kill-app{app}}",
        "after_step%{containers% reserved% containers_on_node%% candidates candidates_of% candidates_on reserved_on
        unallocated% killable% preempted_total preempted_memory_total preempted_vcores_total}",
    ),
    ("container-order", "containers{id request_priority}", "preemption_order_ids"),
    ("config-refresh", "initial* changed*", "before* after_next_round*"),
    ("request-visit", "rack nodes same_priority_and_size visit_order", "counted"),
    (
        "fair-scenario",
        "nodes{id memory vcores} settings* policy queues{path policy minResources minSharePreemptionTimeout
        fairSharePreemptionThreshold fairSharePreemptionTimeout allowPreemptionFrom}
        steps?do{fill{app queue container count} submit{app queue container count
        requests{where container count relax_locality}} turn-into-am{app node count per_node which} advance{seconds ms}
        update-and-preempt{} heartbeat-all{times_each}}",
        "containers% containers_after_step%% preempted preempted_on_node% starving_containers_on_distinct_nodes",
    ),
    (
        "fair-starvation",
        "nodes{id memory vcores} settings* policy queues{path policy minResources minSharePreemptionTimeout
        fairSharePreemptionThreshold fairSharePreemptionTimeout} steps?do{fill{app queue container count}
        submit{app queue container count} advance{seconds ms} update{}}",
        "unique_starved_apps starved_queues starved_apps_tracked times_queued_after_first_update
        times_queued_after_second_update times_queued_after_third_update",
    ),
    (
        "fair-node",
        "node initial_containers{count resource ids} steps?do{starving-app{app demand} mark{container for}
        release{container} stop-app{app} assign-preempted{}}",
        "reserved_after_marks reserved_at_end allocated_at_end allocated_at_end_is_full",
    ),
    (
        "fair-settings",
        "defaults_seconds{defaultMinSharePreemptionTimeout defaultFairSharePreemptionTimeout
        defaultFairSharePreemptionThreshold} queues%{minSharePreemptionTimeout fairSharePreemptionTimeout
        fairSharePreemptionThreshold} properties*",
        "configured_ms{minSharePreemptionTimeout% fairSharePreemptionTimeout% fairSharePreemptionThreshold%}
        effective%{minSharePreemptionTimeout_ms fairSharePreemptionTimeout_ms fairSharePreemptionThreshold}
        am_preemption%",
    ),
];

/// Returns the keys of `given` and of `expect` of a kind, if the area's drivers know all of them.
pub fn of(area: &str, kind: &str) -> Option<(&'static str, &'static str)> {
    let rows = match area {
        "capacity-scheduler" => CAPACITY,
        "placement-constraints" => CONSTRAINTS,
        "fair-scheduler" => FAIR,
        "formats" => FORMATS,
        "slider" => super::slider_shapes::SLIDER,
        "samza" => super::samza_shapes::SAMZA,
        "preemption" => PREEMPTION,
        "lifecycles" => super::life_shapes::LIFECYCLES,
        "clients" => super::clients::SHAPES,
        _ => return None,
    };
    rows.iter().find(|row| row.0 == kind).map(|row| (row.1, row.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list of every key of every kind, including those of cases that are not here.
    const VOCABULARY: &str = include_str!("../../conformance/vocabulary.md");
    /// Entries of the list that are names of some case: of a queue, a node, an application, a tag, a label.
    const NAMES: &[&str] = &[
        "",
        "a",
        "b",
        "c",
        "default",
        "x",
        "y",
        "user",
        "user1",
        "user2",
        "user3",
        "user4",
        "foo",
        "bar",
        "hbase-master",
        "ws-inst",
        "ws-servant",
        "port_6000",
        "port_7000",
        "port_8000",
        "host1",
        "host2",
        "application_0_0001",
        "application_0_0002",
    ];
    /// Parts of verbatim files: mapping rules, properties of templates, capacities by resource.
    const INSIDE: &[(&str, &[&str])] = &[
        (
            "queue-mapping",
            &["create", "customPlacement", "fallbackResult", "matches", "policy", "rules", "type", "value"],
        ),
        (
            "queue-template",
            &["auto-queue-creation-v2.queue-auto-removal.enable", "capacity", "default-node-label-expression"],
        ),
        ("capacity-vector-parse", &["memory-mb", "vcores"]),
        ("queue-states", &["error_contains"]),
        ("maximum-allocation", &["memory_mb", "scheduler"]),
        ("ask-table", &["*", "host1", "host2", "host3", "host4", "host5"]),
        ("node-space", &["some-tag", "some-other-tag"]),
        ("decommission-timeout", &["host1", "host2", "host3"]),
        // Ids of steps, names of components and keys of their own files.
        ("history", &["e", "f", "g", "h", "l", "n", "o", "p", "rv", "sf", "type", "up"]),
        ("scenario", &["e", "el", "f", "g", "h", "k", "l", "role0", "role1", "role2", "u", "x"]),
        ("tracker", &["g"]),
        ("resolve", &["master", "name", "simple", "timeout", "worker", "g1", "g2"]),
        ("config", SAMZA_CONFIG),
        ("all_ssp_to_single_task", &["Task-0", "Task-1"]),
        ("allocator_run", CLUSTER_MANAGER),
        ("failure_counter", CLUSTER_MANAGER),
        ("failure_sequence", CLUSTER_MANAGER),
        ("placement_actions", CLUSTER_MANAGER),
        ("fault_domain", &["host3", "host4", "host5", "host6"]),
        ("group_by_container_ids", LOCATIONS),
        ("initial_requests", &["ANY_HOST", "abc", "def"]),
        ("request_state", &["ANY_HOST", "abc", "def", "xyz"]),
        ("local_store_monitor", &["inActiveStore", "test-store"]),
        ("offset_file_path", &["LOGGED_STORE_BASE_DIR"]),
        ("read_offset_file", &["OFFSET", "OFFSET-v2"]),
        ("task_assignment_store", &["Task0", "Task1", "Task2", "Task3", "Task4"]),
        (
            "flex_config",
            &[
                "component.unique.names",
                "conflictingPriority",
                "dynamic-6",
                "dynamicAdd7",
                "group1",
                "group2",
                "group11",
                "group12",
                "group13",
                "group21",
                "group22",
            ],
        ),
        ("time_range", &["internal.chaos.monkey.interval.seconds"]),
        ("scheduler-scenario", &["deducting_reserved", "without_deducting_reserved"]),
        ("policy-round", MONITOR),
        ("cluster-scenario", MONITOR),
        ("config-refresh", MONITOR),
        ("am_limit", RESOURCES),
        ("drf_min_ratios", RESOURCES),
        ("drf_ratios", RESOURCES),
        ("parse_resource", RESOURCES),
        ("compare_drf", RESOURCES),
        ("queue_max_container", RESOURCES),
        ("refresh_maximum", &["custom", "memory_mb", "vcores"]),
        ("fair-scenario", &["greedy", "starving", "starving1", "starving2"]),
        ("fair-starvation", &["delay_before_next_starvation_check_ms"]),
    ];

    /// Types of the FairScheduler's cases.
    const RESOURCES: &[&str] = &["memory_mb", "vcores", "test", "test1"];

    /// Properties of a Samza job, and two Slider components.
    const SAMZA_CONFIG: &[&str] = &[
        "one",
        "two",
        "cluster-manager.container.cpu.cores",
        "cluster-manager.container.memory.mb",
        "job.autosizing.container.count",
        "job.autosizing.container.cpu.cores",
        "job.autosizing.container.memory.mb",
        "job.autosizing.enabled",
        "job.changelog.system",
        "job.container.count",
        "job.default.system",
        "job.logged.store.base.dir",
        "job.standbytasks.replication.factor",
        "stores.default.changelog.min.compaction.lag.ms",
        "stores.store0.changelog",
        "stores.store0.changelog.delete.retention.ms",
        "stores.store0.changelog.min.compaction.lag.ms",
        "stores.store0.factory",
        "task.async.commit",
        "task.transactional.state.restore.enabled",
    ];

    /// Settings of Samza's allocator, and the place that means any host.
    const CLUSTER_MANAGER: &[&str] = &[
        "ANY_HOST",
        "bad",
        "cluster-manager.allocator.sleep.ms",
        "cluster-manager.container.fail.job.after.retries",
        "cluster-manager.container.preferred-host.last.retry.delay.ms",
        "cluster-manager.container.request.timeout.ms",
        "cluster-manager.container.retry.count",
        "cluster-manager.container.retry.window.ms",
    ];

    /// Containers and tasks by their names in Samza's tests.
    const LOCATIONS: &[&str] =
        &["testProcessorId1", "testProcessorId2", "testProcessorId3", "testTasKId1", "testTaskId2", "testTaskId3"];

    /// Properties of the preemption monitor in the cases' short form, and sizes of containers.
    const MONITOR: &[&str] = &[
        "additional_res_balance_based_on_reserved_containers",
        "conservative-drf",
        "intra-queue-preemption.conservative-drf",
        "intra-queue-preemption.enabled",
        "intra-queue-preemption.max-allowable-limit",
        "intra-queue-preemption.preemption-order-policy",
        "max_ignored_over_capacity",
        "max_wait_before_kill",
        "maximum-am-resource-percent",
        "maximum_allocation_gb",
        "minimum_allocation_mb",
        "monitoring_interval",
        "natural_termination_factor",
        "observe_only",
        "ordering-policy.priority-utilization.underutilized-preemption.allow-move-reservation",
        "ordering-policy.priority-utilization.underutilized-preemption.enabled",
        "ordering-policy.priority-utilization.underutilized-preemption.reserved-container-delay-ms",
        "preemption-to-balance-queue-after-satisfied.enabled",
        "preemption-to-balance-queue-after-satisfied.max-wait-before-kill",
        "root.ordering-policy",
        "select_based_on_reserved_containers",
        "total_preemption_per_round",
        "yarn.scheduler.capacity.lazy-preemption-enabled",
    ];

    /// Returns the kind, the keys of `given` and the keys of `expect` of one area of the vocabulary.
    fn vocabulary(area: &str) -> Vec<(&'static str, Vec<&'static str>, Vec<&'static str>)> {
        // A dash means no keys at all.
        let keys = |text: &'static str| text.split(',').map(str::trim).filter(|key| *key != "–").collect();
        let (_, part) = VOCABULARY.split_once(&format!("\n## {area}\n")).expect("the area is there");
        let part = part.split("\n## ").next().unwrap_or(part);
        let mut rows = Vec::new();
        let mut lines = part.lines();
        while let Some(line) = lines.next() {
            let Some((kind, given)) = line.strip_prefix("- **").and_then(|l| l.split_once("** given: ")) else {
                continue;
            };
            let expect = lines.next().and_then(|l| l.trim().strip_prefix("expect: ")).expect("a line of expectations");
            rows.push((kind, keys(given), keys(expect)));
        }
        rows
    }

    fn has(shape: &str, kind: &str, key: &str) -> bool {
        let word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let listed = |text: &str| {
            let mut words = text.split(|c| !word(c));
            words.any(|w| w == key) || (text.contains('~') && (key.ends_with("_active") || key.ends_with("_pending")))
        };
        let tree = "op scope min max attr_op targets kind namespace values key children builder tags";
        listed(shape)
            || (shape.contains('@') && listed(tree))
            || key == "note"
            || NAMES.contains(&key)
            || INSIDE.iter().any(|(k, keys)| *k == kind && keys.contains(&key))
    }

    /// Kinds whose keys are the figures of any line.
    const NOT_READ: [&str; 1] = ["diagnostic"];
    /// Keys that only our own facts use.
    const OURS: [(&str, &str); 3] =
        [("config_xml", "error"), ("capacity_vector", "error"), ("capacity_legacy", "types")];

    /// Files and clients: every kind of the vocabulary has a driver or is listed as having none; every key of it is known;
    /// and every key that a driver knows is in it.
    #[test]
    fn drivers_and_the_vocabulary_have_the_same_keys() {
        for (area, shapes) in [("formats", FORMATS), ("clients", super::super::clients::SHAPES)] {
            let rows = vocabulary(area);
            for (kind, ..) in &rows {
                let read = shapes.iter().any(|row| row.0 == *kind);
                assert!(read != (area == "formats" && NOT_READ.contains(kind)), "{area}/{kind}: read: {read}");
            }
            for (kind, given, expect) in shapes {
                let row = rows.iter().find(|row| row.0 == *kind);
                let (_, of_given, of_expect) = row.unwrap_or_else(|| panic!("{area}/{kind} is not in the vocabulary"));
                for (shape, keys) in [(given, of_given), (expect, of_expect)] {
                    // After a star, any names of the case or any text may follow.
                    let open = shape.contains('*');
                    let unknown = keys.iter().find(|key| !open && !has(shape, kind, key));
                    assert_eq!(unknown, None, "{area}/{kind}: in the vocabulary only");
                    let mut words = shape.split(|c: char| !c.is_alphanumeric() && !"_-.".contains(c));
                    let unused = words.find(|w| !w.is_empty() && !keys.contains(w) && !OURS.contains(&(kind, w)));
                    assert_eq!(unused, None, "{area}/{kind}: in the shape only");
                }
            }
        }
    }

    #[test]
    fn every_key_of_the_vocabulary_is_known() {
        for area in [
            "capacity-scheduler",
            "placement-constraints",
            "fair-scheduler",
            "preemption",
            "slider",
            "samza",
            "lifecycles",
        ] {
            let rows = vocabulary(area);
            assert!(rows.len() > 8, "{area}");
            for (kind, given, expect) in rows {
                let (known_given, known_expect) =
                    of(area, kind).unwrap_or_else(|| panic!("{area}/{kind} has no shape"));
                for (side, known, keys) in [("given", known_given, given), ("expect", known_expect, expect)] {
                    for key in keys {
                        assert!(has(known, kind, key), "{area}/{kind}: {side}: {key} is not known");
                    }
                }
            }
        }
    }
}
