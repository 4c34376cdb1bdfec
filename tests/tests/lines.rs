//! Every pattern with a scenario, with random figures: the line is recognised, its scenario plays, and WHY has that very line
//! among YARN's words.
#![cfg(not(target_arch = "wasm32"))]

use heddle_core::import::lines::{self, Ours, Words};
use heddle_core::import::{Given, Status, import};
use heddle_tests::facts::lines::{says, why};

/// Numbers that are the same in each run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number within a range, both ends included.
    fn of(&mut self, from: i64, to: i64) -> i64 {
        from + (self.next() % (to - from + 1) as u64) as i64
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.next() as usize % list.len()]
    }

    fn one_of(&mut self, list: &[i64]) -> i64 {
        list[self.next() as usize % list.len()]
    }

    /// Returns an amount of memory in steps that a minimum allocation can have.
    fn step(&mut self) -> i64 {
        [1024, 1024, 512, 256, 128][self.next() as usize % 5]
    }
}

fn size((mb, vcores): (i64, i64)) -> String {
    format!("<memory:{mb}, vCores:{vcores}>")
}

/// Returns a percentage as it is printed after being a float between 0 and 1.
fn printed(percent: i64) -> f32 {
    percent as f32 / 100.0 * 100.0
}

const ADDED: &str = "Application is added to the scheduler and is not yet activated.";

fn details(partition: &str, ask: (i64, i64), queue: (i64, i64), user: (i64, i64), used: (i64, i64)) -> String {
    format!(
        " Details : AM Partition = {partition}; AM Resource Request = {}; Queue Resource Limit for AM = {}; User AM Resource \
         Limit of the queue = {}; Queue AM Resource Usage = {}; ",
        size(ask),
        size(queue),
        size(user),
        size(used)
    )
}

const USERS: [&str; 4] = ["alice", "u02", "svc-etl", "bob"];
const QUEUES: [&str; 4] = ["root.default", "root.prod.etl", "root.a", "root.team-c.adhoc"];
const LABELS: [&str; 3] = ["gpu", "ssd", "x"];
const APP: &str = "application_1794000000000_0031";

/// A pattern's name, and a line of it with random figures.
type Pattern = (&'static str, fn(&mut Draw) -> String);

const PATTERNS: &[Pattern] = &[
    ("D01", |d| {
        let step = d.step();
        let (ask, queue) = (d.of(1, 8) * step, d.of(1, 40) * step);
        let least = (queue - ask + step).max(step);
        let used = d.of(least / step, queue.max(least) / step) * step;
        let partition = if d.of(0, 3) == 0 { d.one(&LABELS) } else { "<DEFAULT_PARTITION>" };
        let limit = (queue, 1);
        let many = if used <= queue { d.of(1, (used / step).min(4)) } else { 1 };
        format!(
            "{ADDED} Queue's AM resource limit exceeded. {}",
            details(partition, (ask, 1), limit, limit, (used, many))
        )
    }),
    ("D01 with vcores", |d| {
        let step = d.step();
        let (ask, queue) = (d.of(1, 8) * step, (d.of(8, 40) * step, d.of(2, 16)));
        let used = ((queue.0 - ask + step).max(step), 1);
        format!(
            "{ADDED} Queue's AM resource limit exceeded. {}",
            details("<DEFAULT_PARTITION>", (ask, 1), queue, queue, used)
        )
    }),
    ("D01 with a user's limit", |d| {
        let step = d.step();
        let (ask, queue) = (d.of(1, 4) * step, d.of(6, 40) * step);
        let user = d.of(queue / step / 2 + 1, queue / step) * step;
        let used = queue - ask + step;
        format!(
            "{ADDED} Queue's AM resource limit exceeded. {}",
            details("<DEFAULT_PARTITION>", (ask, 1), (queue, 1), (user, 1), (used, 1))
        )
    }),
    ("D02", |d| {
        let step = d.step();
        let ask = d.of(1, 4) * step;
        let user = d.of(1, 12) * step;
        let used = (user - ask + step).max(step);
        let queue = used + ask + d.of(1, 20) * step;
        format!(
            "{ADDED} User's AM resource limit exceeded. {}",
            details("<DEFAULT_PARTITION>", (ask, 1), (queue, 1), (user, 1), (used, 1))
        )
    }),
    ("D01 with many AMs", |d| {
        let (ask, count) = (d.one_of(&[512, 896, 1024, 1408, 2048]), d.of(5, 80));
        let limit = (ask * count + d.of(0, ask / 128 - 1) * 128, 1);
        let used = (ask * count, count);
        format!(
            "{ADDED} Queue's AM resource limit exceeded. {}",
            details("<DEFAULT_PARTITION>", (ask, 1), limit, limit, used)
        )
    }),
    ("D01 with AMs beyond the limit", |d| {
        let (ask, count, limit) = (1408, d.of(20, 60), d.of(5, 19));
        let limit = (ask * count + 256, limit);
        format!(
            "{ADDED} Queue's AM resource limit exceeded. {}",
            details("spot", (ask, 1), limit, limit, (ask * count, count))
        )
    }),
    ("D02 of several users", |d| {
        let (ask, each, users) = (d.of(1, 8) * 1024, d.of(1, 12), d.of(2, 5));
        let (user, queue) = ((ask * each, 1), (ask * each * 8, 1));
        let used = (ask * each * users, each * users);
        format!(
            "{ADDED} User's AM resource limit exceeded. {}",
            details("<DEFAULT_PARTITION>", (ask, 1), queue, user, used)
        )
    }),
    ("D03", |d| {
        let ask = (d.of(1, 20) * d.step(), d.of(1, 4));
        let none = (0, 0);
        format!(
            "{ADDED} Skipping AM assignment as cluster resource is empty. {}",
            details("<DEFAULT_PARTITION>", ask, none, none, none)
        )
    }),
    ("D05", |d| {
        let step = d.step();
        let total = d.of(8, 200) * step;
        let used = total - d.of(0, 6) * step;
        let vcores = d.of(4, 64);
        let percent = used as f32 / total as f32 * 100.0;
        format!(
            "Application is Activated, waiting for resources to be assigned for AM.  Details : AM Partition = <DEFAULT_PARTITION> ; \
             Partition Resource = {} ; Queue's Absolute capacity = 100.0 % ; Queue's Absolute used capacity = {percent:?} % ; \
             Queue's Absolute max capacity = 100.0 % ; ",
            size((total, vcores))
        )
    }),
    ("D05 of a part", |d| {
        let total = d.of(20, 200) * 1024;
        let (capacity, maximum) = (d.of(10, 90), d.of(91, 100));
        let used = total * d.of(20, 90) / 100 / 1024 * 1024;
        let percent = used as f32 / total as f32 * 100.0;
        format!(
            "Application is Activated, waiting for resources to be assigned for AM.  Details : AM Partition = <DEFAULT_PARTITION> ; \
             Partition Resource = {} ; Queue's Absolute capacity = {:?} % ; Queue's Absolute used capacity = {percent:?} % ; \
             Queue's Absolute max capacity = {:?} % ; ",
            size((total, d.of(8, 64))),
            printed(capacity),
            printed(maximum),
        )
    }),
    ("D05 at the maximum", |d| {
        let (k, share) = (d.of(1, 12), d.one_of(&[10, 20, 25, 40, 50]));
        let total = (102_400 * k, 100 * k);
        let of = |percent: i64| (total.0 * percent / 100, total.1 * percent / 100);
        let used = if d.of(0, 1) == 0 { of(share) } else { (of(share).0 - 1024 * k, of(share).1 - k) };
        format!("{ACTIVATED}  {}", active(total, share, used, share))
    }),
    ("D05 that others stop", |d| {
        let (k, share) = (d.of(1, 12), d.one_of(&[10, 20, 25, 40, 50]));
        let total = (102_400 * k, 100 * k);
        let used = (d.of(0, 8) * 1024 * k, 1);
        let used = if used.0 == 0 { (0, 0) } else { used };
        format!("{ACTIVATED}  {}", active(total, share, used, 100))
    }),
    ("D05 in an empty queue", |d| {
        let k = d.of(1, 12);
        format!("{ACTIVATED}  {}", active((102_400 * k, 100 * k), 100, (0, 0), 100))
    }),
    ("D05 + D06 with Details", |d| {
        let (total, free) = ((d.of(8, 64) * 1024, d.of(4, 16)), d.of(1, 3) * 512);
        let used = (2 * (total.0 - free), 6);
        format!(
            "{ACTIVATED}  Last Node which was processed for the application : wn{:02}:45454 ( Partition : [], Total resource : {}, \
             Available resource : {} ). {}",
            d.of(1, 99),
            size(total),
            size((free, total.1 - 3)),
            active((total.0 * 2, total.1 * 2), 100, used, 100)
        )
    }),
    ("D07 with Details", |d| {
        let (k, share) = (d.of(1, 12), d.one_of(&[10, 20, 25, 40, 50]));
        let total = (102_400 * k, 100 * k);
        let more = d.of(1, 5);
        let used = (total.0 * share / 100 + more * 1024, total.1 * share / 100 + more);
        format!("{ACTIVATED} User capacity has reached its maximum limit. {}", active(total, share, used, 100))
    }),
    ("D07 with Details and a limit", |d| {
        let (k, share) = (d.of(1, 12), d.one_of(&[10, 20, 25, 40, 50]));
        let total = (102_400 * k, 100 * k);
        let limit = (total.0 * share / 100, total.1 * share / 100);
        let used = (limit.0 + 1024, limit.1 + 1);
        format!(
            "{ACTIVATED} User capacity has reached its maximum limit, user limit is {}, resource used by {} is {}. {}",
            size(limit),
            d.one(&USERS),
            size(used),
            active(total, share, used, 100)
        )
    }),
    ("D08 with Details", |d| {
        let (node, k, share) = ((d.of(4, 64) * 1024, d.of(2, 16)), d.of(1, 4), d.one_of(&[25, 50]));
        let total = (102_400 * k, 100 * k);
        let used = (total.0 * share / 100, d.of(1, 20));
        format!(
            "{ACTIVATED} Skipping assigning to Node in Ignore Exclusivity mode.  Last Node which was processed for the application : \
             w7:45454 ( Partition : [ssd], Total resource : {}, Available resource : {} ). {}",
            size(node),
            size(node),
            active(total, share, used, share)
        )
    }),
    ("D09 with Details", |d| skipped_in(d, "Skipped scheduling for this Node as its black listed.")),
    ("D10 with Details", |d| skipped_in(d, "Skipping assigning to Node as request locality is not matching.")),
    ("D05 + D06", |d| {
        let (step, cores) = (d.step(), d.of(4, 32));
        let total = d.of(4, 64) * step;
        let free = (d.of(1, 3) * step, d.of(0, 3));
        format!(
            "Application is Activated, waiting for resources to be assigned for AM.  Last Node which was processed for the \
             application : n{:02}:45454 ( Partition : [], Total resource : {}, Available resource : {} ).",
            d.of(1, 99),
            size((total, cores)),
            size(free)
        )
    }),
    ("D07", |d| {
        let step = d.step();
        let limit = d.of(1, 16) * step;
        let used = limit + d.of(1, 8) * step;
        format!(
            "Application is Activated, waiting for resources to be assigned for AM. User capacity has reached its maximum limit, \
             user limit is {}, resource used by {} is {}.",
            size((limit, 1)),
            d.one(&USERS),
            size((used, 1))
        )
    }),
    ("D08", |d| node_skipped(d, "Skipping assigning to Node in Ignore Exclusivity mode.", true)),
    ("D09", |d| node_skipped(d, "Skipped scheduling for this Node as its black listed.", false)),
    ("D10", |d| node_skipped(d, "Skipping assigning to Node as request locality is not matching.", false)),
    ("D12", |_| "AM container is launched, waiting for AM container to Register with RM".into()),
    ("D13", |d| {
        let ask = (d.of(1, 16) * d.step(), d.of(1, 4));
        format!("{ADDED}  (Resource request: {} exceeds maximum AM resource allowed).", size(ask))
    }),
    ("D14", |d| {
        let step = d.step();
        let (ask, most) = ((d.of(1, 8) * step, d.of(1, 4)), (d.of(0, 20) * step, d.of(1, 16)));
        format!(
            "{ADDED}  (Resource request: {} exceeds current queue or its parents maximum resource allowed). Max share of queue: {}",
            size(ask),
            size(most)
        )
    }),
    ("D14 with one unlimited", |d| {
        let (ask, most) = (d.of(1, 12) * 1024, d.of(1, 20) * 1024);
        let none = i32::MAX;
        format!(
            "{ADDED}  (Resource request: {} exceeds current queue or its parents maximum resource allowed). Max share of queue: \
             <memory:{most}, vCores:{none}>",
            size((ask, 1))
        )
    }),
    ("D15", |d| fair_node(d, "is reserved")),
    ("D16", |d| fair_node(d, "cannot be reserved")),
    ("Fair, a queue's applications", |d| {
        format!("{ADDED} The queue \"{}\" has reached the maximum limit of runnable applications.", d.one(&QUEUES))
    }),
    ("Fair, a user's applications", |d| {
        format!("{ADDED} The user \"{}\" has reached the maximum limit of runnable applications.", d.one(&USERS))
    }),
    ("D17", |d| {
        format!("Reject application {APP} submitted by user {} application rejected by placement rules.", d.one(&USERS))
    }),
    ("D18", |d| format!("{} is not a leaf queue", d.one(&QUEUES))),
    ("D20", |d| format!("Queue {} is STOPPED. Cannot accept submission of application: {APP}", d.one(&QUEUES))),
    ("D21", |d| {
        let n = d.of(1, 40);
        format!("Queue {} already has {n} applications, cannot accept submission of application: {APP}", d.one(&QUEUES))
    }),
    ("D22", |d| {
        let (n, user) = (d.of(1, 40), d.one(&USERS));
        format!(
            "Queue {} already has {n} applications from user {user} cannot accept submission of application: {APP}",
            d.one(&QUEUES)
        )
    }),
    ("D23", |_| format!("Maximum system application limit reached,cannot accept submission of application: {APP}")),
    ("D24", |d| {
        let user = d.one(&USERS);
        let start = format!("Application {APP} submitted by user {user}");
        format!("{start}{start} to unknown queue: {}", d.one(&["etl", "root.nosuch", "default", "other"]))
    }),
    ("D24 of a principal", |_| {
        format!("Application {APP} submitted by user a.b@CORP.EXAMPLE to unknown queue: root.users.a.b")
    }),
    ("D28", |d| {
        let (user, queue) = (d.one(&["erin", "u02"]), d.one(&["erin", "etl"]));
        format!(
            "Application {APP} submission by user : {user} to specified queue : {queue}  is prohibited. Verify automatic queue \
             mapping for user exists in yarn.scheduler.capacity.queue-mappings"
        )
    }),
    ("D24 ambiguous", |d| {
        let queue = d.one(&["etl", "adhoc", "a"]);
        format!(
            "Application {APP} submitted by user {} to ambiguous queue: {queue} please use full queue path instead.",
            d.one(&USERS)
        )
    }),
    ("D25", |d| {
        format!(
            "Application {APP} submitted by user : {} to non-leaf queue : {}",
            d.one(&USERS),
            d.one(&["prod", "root.a.b", "x"])
        )
    }),
    ("D26", |d| format!("User {} does not have permission to submit {APP} to queue {}", d.one(&USERS), d.one(&QUEUES))),
    ("D26 Fair", |d| {
        let queue = d.one(&QUEUES);
        format!(
            "User {} does not have permission to submit {APP} to queue {queue} denied by ACL for queue {queue}",
            d.one(&USERS)
        )
    }),
    ("D27", |_| format!("Failed to place application {APP} in a queue and submit context queue is null or empty")),
    ("D28b", |_| "Application is killed by ResourceManager as it has exceeded the lifetime period.".into()),
    ("D29", |d| {
        let most = (d.of(1, 64) * d.step(), d.of(1, 32));
        let (kind, ask) = match d.of(0, 1) {
            0 => ("memory-mb", (most.0 + d.of(1, 9000), d.of(1, most.1))),
            _ => ("vcores", (d.of(1, most.0), most.1 + d.of(1, 9))),
        };
        let configured = (most.0 + d.of(0, 4) * 1024, most.1 + d.of(0, 4));
        format!(
            "Invalid resource request! Cannot allocate containers as requested resource is greater than maximum allowed allocation. \
             Requested resource type=[{kind}], Requested resource={}, maximum allowed allocation={}, please note that maximum allowed \
             allocation is calculated by scheduler based on maximum resource of registered NodeManagers, which might be less than \
             configured maximum allocation={}",
            size(ask),
            size(most),
            size(configured)
        )
    }),
    ("D29 of a further type", |d| {
        let (has, asks) = (d.of(0, 4), d.of(5, 16));
        let of = |gpu: i64| {
            if gpu == 0 {
                "<memory:8192, vCores:8>".to_string()
            } else {
                format!("<memory:8192, vCores:8, yarn.io/gpu: {gpu}>")
            }
        };
        format!(
            "Invalid resource request! Cannot allocate containers as requested resource is greater than maximum allowed allocation. \
             Requested resource type=[yarn.io/gpu], Requested resource=<memory:1024, vCores:1, yarn.io/gpu: {asks}>, maximum allowed \
             allocation={}, please note that maximum allowed allocation is calculated by scheduler based on maximum resource of \
             registered NodeManagers, which might be less than configured maximum allocation=*",
            of(has)
        )
    }),
    ("D31", |d| {
        let (label, leaf) = (d.one(&LABELS), d.one(&["default", "etl", "prod"]));
        format!(
            "Invalid resource request, queue={leaf} doesn't have permission to access all labels in resource request. \
             labelExpression of resource request={label}. Queue labels="
        )
    }),
    ("D32", |d| format!("Invalid label resource request, cluster do not contain , label= {}", d.one(&LABELS))),
    ("D33", |_| "Invalid resource request, node label not enabled but request contains label expression".into()),
    ("D34", |d| {
        format!(
            "Invalid resource request, queue={} specified more than one node label in a node label expression, node label expression \
             = gpu && ssd",
            d.one(&["default", "etl"])
        )
    }),
    ("D35", |d| {
        format!(
            "Invalid resource request, queue={} specified node label expression in a resource request has resource name = {}",
            d.one(&["default", "etl"]),
            d.one(&["n1", "n07", "/rack1"])
        )
    }),
    ("D37", |_| "Container preempted by scheduler".into()),
    ("D38", |_| "Container expired since it was unused".into()),
    ("D39", |_| "Container released on a *lost* node".into()),
    ("D42", |d| format!("ApplicationMaster for attempt appattempt_1794000000000_0031_00000{} timed out", d.of(1, 2))),
    ("D44", |d| {
        let step = d.step();
        let ask = (d.of(2, 16) * step, 1);
        let free = (d.of(1, ask.0 / step - 1) * step, d.of(1, 8));
        format!(
            "Node does not have sufficient resource for request, insufficient resources=[memory-mb]\nrequired={}, available={}",
            size(ask),
            size((free.0.max(step), free.1))
        )
    }),
    ("D45", |d| {
        format!(
            "Node does not match partition or placement constraints, unsatisfied PC expression=\"notin,node,{}\", \
             target-type=ALLOCATION_TAG",
            d.one(&["hbase", "zk", "web"])
        )
    }),
    ("D46", |d| {
        format!(
            "Node does not match partition or placement constraints, unsatisfied node partition=, required-partition={}",
            d.one(&LABELS)
        )
    }),
];

/// Settings that a refresh refuses.
const REFUSED: [&str; 18] = [
    "Illegal capacity of 120.0 for queue root.eng",
    "Illegal capacity sum of 0.9 for children of queue root for label=. It should be either 0 or 1.0",
    "Illegal capacity sum of 0.75 for children of queue eng for label=gpu. It should be either 0 or 1.0",
    "Illegal capacity sum of 0.0 for children of queue eng for label=. It is set to 0, but parent percent != 0, and doesn't allow \
     children capacity to set to 0",
    "Parent queue 'root' have children queue used mixed of  weight mode, percentage and absolute mode, it is not allowed, please double \
     check, details:{Queue=root.a, label= uses percentage mode}. {Queue=root.b, label= uses weight mode}. ",
    "Min resource configuration <memory:10240, vCores:4> is greater than its max value:<memory:8192, vCores:4> in queue:root.a",
    "Weight (150.0) for user \"bob\" must be between 0 and 100 / 100.0 (= 1.0, the number of concurrent active users in root.a)",
    "Some labels of child queue is not a subset of parent queue, these labels=[gpu]",
    "Queue maximum allocation cannot be larger than the cluster setting for queue root.a max allocation per queue: <memory:16384, \
     vCores:4> cluster setting: <memory:8192, vCores:4>",
    "root.a cannot be deleted from the capacity scheduler configuration, as the queue is not yet in stopped state. Current State : RUNNING",
    "The parent queue:root.a cannot be STOPPED as the child queue:root.a.b is in RUNNING state.",
    "Illegal queue mapping u:bob",
    "Illegal weight=20000.0 for queue=root.alabel=. Acceptable values: [0, 10000], -1 is same as not set",
    "Default lifetime 100 can't exceed maximum lifetime 50",
    "CapacityScheduler configuration validation failed:java.io.IOException: Failed to re-init queues : Can not convert the leaf queue: \
     root.a to parent queue since it is not yet in stopped state. Current State : RUNNING",
    "Trying to reinitialize root.a the maximum allocation size can not be decreased! Current setting: <memory:8192, vCores:4>, trying to \
     set it to: <memory:4096, vCores:4>",
    "Parent Queues capacity: <memory:4096, vCores:4> is less than to its children:<memory:6144, vCores:6> for queue:a",
    "Queue configuration missing child queue names for root",
];

/// Rows of the activities that may stand alone.
const BARE: [&str; 13] = [
    "Queue is not able to access partition",
    "Queue hits user max-capacity limit",
    "Queue hits max-capacity limit",
    "Queue does not have enough headroom for inner highest-priority request",
    "Node is blacklisted",
    "Node skipped because of off-switch delay",
    "Node skipped because relax locality is not allowed",
    "Node does not have sufficient resource for request",
    "Node's total resource is insufficient for request",
    "Node does not match partition or placement constraints",
    "Request skipped in Ignore Exclusivity mode for AM allocation",
    "Initial check: node resource is insufficient for minimum allocation",
    "Request skipped because non-partitioned resource request should be scheduled to non-partitioned partition first",
];

const ACTIVATED: &str = "Application is Activated, waiting for resources to be assigned for AM.";

/// The Details of an active application, as 3.1 and later print them.
fn active(total: (i64, i64), share: i64, used: (i64, i64), most: i64) -> String {
    let of = |percent: i64| size((total.0 * percent / 100, total.1 * percent / 100));
    format!(
        "Details : AM Partition = <DEFAULT_PARTITION> ; Partition Resource = {} ; Queue's Absolute capacity = {:?} % ; Queue's \
         Absolute used capacity = {:?} % ; Queue's Absolute max capacity = {:?} % ; Queue's capacity (absolute resource) = {} ; \
         Queue's used capacity (absolute resource) = {} ; Queue's max capacity (absolute resource) = {} ; ",
        size(total),
        printed(share),
        used.0 as f32 / total.0 as f32 * 100.0,
        printed(most),
        of(share),
        size(used),
        of(most)
    )
}

/// A node that was skipped, which has all of its partition but one container's room.
fn skipped_in(d: &mut Draw, why: &str) -> String {
    let (mb, cores) = (d.of(4, 64) * 1024, d.of(4, 32));
    format!(
        "{ACTIVATED} {why}  Last Node which was processed for the application : w{:02}:8041 ( Partition : [], Total resource : {}, \
         Available resource : {} ). {}",
        d.of(1, 99),
        size((mb, cores)),
        size((mb, cores)),
        active((mb + 2048, cores + 1), 100, (0, 0), 100)
    )
}

fn node_skipped(d: &mut Draw, why: &str, lent: bool) -> String {
    let (step, cores) = (d.step(), d.of(4, 32));
    let total = d.of(4, 64) * step;
    let label = if lent { d.one(&LABELS) } else { "" };
    format!(
        "Application is Activated, waiting for resources to be assigned for AM. {why}  Last Node which was processed for the \
         application : n{:02}:8041 ( Partition : [{label}], Total resource : {}, Available resource : {} ).",
        d.of(1, 99),
        size((total, cores)),
        size((total, cores))
    )
}

fn fair_node(d: &mut Draw, end: &str) -> String {
    let ask = (d.of(1, 16) * d.step(), d.of(1, 4));
    format!(
        "{ADDED}  (Resource request: {} exceeds the available resources of the node and the request {end})",
        size(ask)
    )
}

/// Checks that a line is reproduced. Errors: why not.
fn round_trip(text: &str) -> Result<(), String> {
    let line = lines::recognise(text).ok_or("not recognised")?;
    let made = import(&[Given { name: "line", text }]);
    let unknown: Vec<&str> = made.unknown.iter().map(|u| u.what.as_str()).collect();
    let scenario = made.scenario.ok_or_else(|| format!("no scenario ({}): {unknown:?}", line.row.id))?;
    let said = why(&scenario, made.moment.at_ms, &made.moment.what).map_err(|why| format!("{why}\n{scenario}"))?;
    let words: Vec<&str> = said.yarn.iter().map(|(words, _)| words.as_str()).collect();
    // An older release words it otherwise.
    let other_words = line.words == Words::Older || line.row.what == "settings refused";
    let is = |words: &&str| says(words, text) || (other_words && line.is_in(words));
    match words.iter().any(is) {
        true => Ok(()),
        false => Err(format!("[{}] YARN says {words:#?}\nby {scenario}", line.pattern())),
    }
}

#[test]
fn every_pattern_comes_out_again() {
    let most: u32 = std::env::var("HEDDLE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let only = std::env::var("HEDDLE_PATTERN").unwrap_or_default();
    let mut failures = Vec::new();
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    for text in BARE.iter().filter(|_| only.is_empty() || only == "D47") {
        if let Err(why) = round_trip(text) {
            failures.push(format!("D47: {text}\n{why}"));
        }
    }
    for text in REFUSED.iter().filter(|_| only.is_empty() || only == "V") {
        if let Err(why) = round_trip(text) {
            failures.push(format!("V: {text}\n{why}"));
        }
    }
    for (name, text) in PATTERNS.iter().filter(|(name, _)| name.contains(&only)) {
        let (mut good, mut first) = (0, None);
        for _ in 0..most {
            let text = text(&mut draw);
            match round_trip(&text) {
                Ok(()) => good += 1,
                Err(why) => first = first.or(Some(format!("{text}\n{why}"))),
            }
        }
        if let Some(first) = first {
            failures.push(format!("{name}: {good} of {most}; {first}"));
        }
    }
    assert!(failures.is_empty(), "{} of {} patterns\n{}", failures.len(), PATTERNS.len(), failures.join("\n\n"));
}

/// Prefixes, escapes and breaks around a line, and typing errors in it, do not change how it is recognised.
#[test]
fn what_stands_around_a_line_changes_nothing() {
    let line = "Queue root.a already has 12 applications from user bob cannot accept submission of application: application_17_0001";
    let escaped = line.replace("application:", "application:\\u0020");
    for text in [
        line.to_string(),
        format!(
            "2024-01-02 03:04:05,678 ERROR [main] x.Y: org.apache.hadoop.yarn.exceptions.YarnException: {line}\n\tat a.b(C.java:1)"
        ),
        format!("{{\"diagnostics\":\"{escaped}\\n\"}}"),
        format!("\u{1b}[31m{line}\u{1b}[0m"),
        format!("&quot;{}&quot;", line.replace(' ', "&nbsp;")),
        format!("<pre>{}</pre>", line.replace(' ', "\n   ")),
        format!("> **{line}**"),
        line.replace("applications from", "aplications form"),
        line.replace("submission", "submision"),
    ] {
        let found = lines::recognise(&text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(found.pattern(), "D22", "{text}");
        assert_eq!(found.figures.number("count"), Some(12), "{text}");
        assert_eq!(found.figures.text("queue"), Some("root.a"), "{text}");
    }
}

/// Figures out of bounds give no scenario, and a message says so; other texts give nothing but similar patterns.
#[test]
fn what_is_beyond_bounds_or_unknown_is_said() {
    let huge = format!(
        "{ADDED} Queue's AM resource limit exceeded. {}",
        details("<DEFAULT_PARTITION>", (1_000_000_000_000_000_000, 1), (1024, 1), (1024, 1), (1024, 1))
    );
    let made = import(&[Given { name: "line", text: &huge }]);
    assert_eq!(made.scenario, None);
    assert_eq!(made.files[0].status, Status::Partly);
    assert!(made.unknown.iter().any(|u| u.what.contains("beyond")), "{:?}", made.unknown);
    let made = import(&[Given {
        name: "line",
        text: "The queue said that its limit of resource capacity for masters was hit",
    }]);
    assert_eq!((made.scenario, made.files[0].status), (None, Status::NotRead));
    let near = import(&[Given {
        name: "line",
        text: "Application was submitted to a queue that is unknown and cannot accept submission",
    }]);
    let problem = &near.files[0].problems[0];
    assert!(problem.mend.starts_with("Near to it: "), "{problem:?}");
    assert!(
        lines::rows().filter(|row| row.ours != Ours::Yes).all(|row| !row.say.is_empty() || row.id == "D36"),
        "each says why"
    );
}

/// Whatever is pasted, nothing panics and the result is bounded: good lines with a few edits.
#[test]
fn edited_lines_are_borne() {
    let mut draw = Draw(7);
    for (_, text) in PATTERNS {
        for _ in 0..8 {
            let mut text: Vec<char> = text(&mut draw).chars().collect();
            for _ in 0..draw.of(1, 6) {
                let at = draw.of(0, text.len() as i64 - 1) as usize;
                match draw.of(0, 3) {
                    0 => text[at] = ['<', '{', '9', '\\', '\u{e9}', ':', '-', '"'][draw.of(0, 7) as usize],
                    1 => {
                        text.remove(at);
                    }
                    2 => text.insert(at, ['0', '9', '.', ' ', '\n', '>'][draw.of(0, 5) as usize]),
                    _ => text.truncate(at.max(1)),
                }
                if text.is_empty() {
                    text.push('x');
                }
            }
            let text: String = text.into_iter().collect();
            if let Some(line) = lines::recognise(&text) {
                let _ = (line.say(), line.pattern(), lines::build(&line));
            }
            lines::near(&text);
        }
    }
}
