//! The output of YARN's command line: lists of applications, attempts, containers and nodes, and reports about one of them
//! or a queue. They complete other answers; alone they often suffice only for a pasted line.

use super::lines::cells;
use super::rest::printed;
use super::seen::{Amount, SeenApp, SeenAttempt, SeenContainer, SeenNode, parts};
use super::{Gathered, InputText, Moment, ReadOutcome, RemarkAbout, count};
use crate::model::{DEFAULT_PARTITION, Millis, Problem, Span};
use indexmap::IndexMap;

/// The headings of reports.
const REPORTS: [(&str, Report); 4] = [
    ("Application Report", Report::App),
    ("Node Report", Report::Node),
    ("Queue Information", Report::Queue),
    ("Detailed Node Information", Report::Details),
];
/// Values that mean nothing is set.
const NOTHING: [&str; 5] = ["N/A", "<Not set>", "null", "UNDEFINED", ""];
/// The size of a container if no list has it.
const CONTAINER: (i64, i64) = (1024, 1);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Report {
    App,
    Node,
    Queue,
    /// Details of the node in the row before.
    Details,
}

/// A queue from a list or a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedQueue {
    /// The capacity, in percent of its parent.
    pub capacity: Option<f64>,
    pub weight: Option<f64>,
    /// Further properties, relative to the queue.
    pub properties: Vec<(String, String)>,
}

/// The heads of tables: the first column, and another required one.
const HEADS: [(&str, &str); 5] = [
    ("Application-Id", "Application-Name"),
    ("Node-Id", "Node-State"),
    ("Container-Id", "Host"),
    ("ApplicationAttempt-Id", "AM-Container-Id"),
    ("Queue Name", "Queue Path"),
];

/// Returns whether a text has a list or a report.
pub(super) fn is(look: &InputText<'_>) -> bool {
    if look.root().is_some() || look.json().is_some() {
        return false;
    }
    look.text.lines().take(50).any(|line| head(&cells(line)).is_some() || report(line).is_some())
}

/// Returns whether a text has the sizes of nodes, which suffice for a cluster.
pub(super) fn has_sizes(look: &InputText<'_>) -> bool {
    look.text.contains("Configured Resources :")
}

fn head(cells: &[&str]) -> Option<&'static str> {
    HEADS.into_iter().find(|(first, other)| cells.contains(first) && cells.contains(other)).map(|(first, _)| first)
}

fn report(line: &str) -> Option<Report> {
    let line = line.trim();
    REPORTS.iter().find(|(start, _)| line.strip_prefix(start).is_some_and(|rest| rest.trim() == ":")).map(|(_, r)| *r)
}

/// Reads all lists and reports of a text.
pub(super) fn read(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    let mut reader = Reader { look, problems: Vec::new(), counts: IndexMap::new(), heads: Vec::new(), open: None };
    let mut at = 0;
    for line in look.text.split_inclusive('\n') {
        reader.line(line, at, g);
        at += line.len();
    }
    reader.close(g);
    let Reader { problems, counts, .. } = reader;
    if has_sizes(look)
        && g.moment.what.is_empty()
        && let Some(first) = g.seen.nodes.values().find(|node| node.is_there())
    {
        g.moment = Moment { at_ms: 0, what: format!("node:{}", first.host()) };
        g.lists_nodes = true;
    }
    let holds: Vec<String> = counts.iter().map(|(what, n)| count(*n, what)).collect();
    if holds.is_empty() {
        return ReadOutcome::not_read(problems);
    }
    ReadOutcome::of(holds.join(", "), problems)
}

struct Reader<'l, 't> {
    look: &'l InputText<'t>,
    problems: Vec<Problem>,
    /// The number of things of each kind.
    counts: IndexMap<&'static str, usize>,
    /// The head of the current table; empty: none.
    heads: Vec<String>,
    /// The report that is being read, with its fields and its start.
    open: Option<(Report, IndexMap<String, String>, usize)>,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &str, at: usize, g: &mut Gathered) {
        if let Some(report) = report(line) {
            let details = report == Report::Details;
            self.close(g);
            self.open = Some((report, IndexMap::new(), at));
            // Rows of nodes continue after the details of one.
            if !details {
                self.heads.clear();
            }
            return;
        }
        let row = cells(line);
        if head(&row).is_some() {
            self.close(g);
            self.heads = row.into_iter().map(str::to_owned).collect();
            return;
        }
        if let Some((_, fields, _)) = &mut self.open
            && let Some((key, value)) = field(line)
        {
            fields.entry(key.to_owned()).or_insert_with(|| value.to_owned());
            return;
        }
        if !self.heads.is_empty() && row.len() > 1 {
            self.close(g);
            self.row(&row, line, at, g);
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_insert(0) += 1;
    }

    fn row(&mut self, row: &[&str], line: &str, at: usize, g: &mut Gathered) {
        let heads: Vec<&str> = self.heads.iter().map(String::as_str).collect();
        let cell = |name: &str| super::lines::cell(&heads, row, name).filter(|cell| !NOTHING.contains(cell));
        let number = |name: &str| cell(name).and_then(|cell| cell.parse::<i64>().ok());
        let first = row.first().copied().unwrap_or("");
        match heads.first().copied().unwrap_or("") {
            "Application-Id" if first.starts_with("application_") => {
                let mut app = app(first, g);
                let word = |name| cell(name).unwrap_or("").to_owned();
                (app.name, app.kind, app.user) = (word("Application-Name"), word("Application-Type"), word("User"));
                (app.queue, app.state) = (word("Queue"), word("State"));
                g.seen.apps.insert(first.to_owned(), app);
                g.seen.sources.entry("apps").or_insert_with(|| self.look.name.to_owned());
                self.count("application");
            }
            "Node-Id" if first.contains(':') => {
                let node = SeenNode {
                    state: cell("Node-State").unwrap_or("").to_owned(),
                    containers: number("Number-of-Running-Containers"),
                    ..node(first, g)
                };
                g.seen.nodes.insert(first.to_owned(), node);
                g.seen.sources.entry("nodes").or_insert_with(|| self.look.name.to_owned());
                self.count("node");
            }
            "Container-Id" if parts(first).is_some() => {
                let finished = cell("State").is_some_and(|state| state == "COMPLETE");
                if let Some(node) = cell("Host").filter(|_| !finished) {
                    self.container(first, node, number("Start Time"), g);
                }
            }
            "ApplicationAttempt-Id" => {
                let of = |id: &str| {
                    let (rest, number) = id.strip_prefix("appattempt_")?.rsplit_once('_')?;
                    Some((format!("application_{rest}"), number.parse::<i64>().ok()?))
                };
                let Some((app, number)) = of(first) else { return };
                let am_container = cell("AM-Container-Id").map(str::to_owned);
                if g.seen.attempts.get(&app).is_none_or(|known| known.number <= number) {
                    g.seen.attempts.insert(app, SeenAttempt { number, am_container, ..SeenAttempt::default() });
                }
                self.count("attempt");
            }
            "Queue Name" => {
                let pairs = heads.iter().zip(row).map(|(head, cell)| ((*head).to_owned(), (*cell).to_owned()));
                self.queue(&pairs.collect(), g);
            }
            _ => {
                let span = Span::new(at, at + line.trim_end().len());
                let what = "This row belongs to none of the tables that are read; it is left out.";
                self.problems
                    .push(Problem::warning(self.look.name, span, what).mend("Give the table as it was printed."));
            }
        }
    }

    fn container(&mut self, id: &str, node: &str, started: Option<Millis>, g: &mut Gathered) {
        if !g.seen.containers.contains_key(id) {
            let container = SeenContainer {
                id: id.to_owned(),
                node: node.to_owned(),
                size: Amount::new(CONTAINER.0, CONTAINER.1),
                started: started.filter(|at| *at > 0),
                ..SeenContainer::default()
            };
            g.seen.containers.insert(id.to_owned(), container);
            if !self.counts.contains_key("container") {
                let what = "Sizes of the containers: 1 GB and 1 vcore each are taken.";
                g.lack(what, "…/appattempts/ID/containers says it");
            }
        }
        g.seen.listed = true;
        g.seen.sources.entry("containers").or_insert_with(|| self.look.name.to_owned());
        self.count("container");
    }

    /// Finishes the current report.
    fn close(&mut self, g: &mut Gathered) {
        let Some((report, fields, at)) = self.open.take() else { return };
        let told = match report {
            Report::App => self.app(&fields, g),
            Report::Node => self.node(&fields, g),
            Report::Queue => self.queue(&fields, g),
            Report::Details => self.details(&fields, g),
        };
        if told.is_none() {
            let what = "The report does not say what it is of.";
            let problem = Problem::warning(self.look.name, Span::new(at, at), what);
            self.problems.push(problem.mend("Give it as it was printed."));
        }
    }

    fn app(&mut self, fields: &IndexMap<String, String>, g: &mut Gathered) -> Option<()> {
        let word = |key: &str| fields.get(key).map(String::as_str).filter(|value| !NOTHING.contains(value));
        let id = word("Application-Id").filter(|id| id.starts_with("application_"))?;
        let mut seen = app(id, g);
        let text = |key: &str| word(key).unwrap_or("").to_owned();
        (seen.name, seen.kind, seen.user) = (text("Application-Name"), text("Application-Type"), text("User"));
        (seen.queue, seen.state) = (text("Queue"), text("State"));
        seen.diagnostics = text("Diagnostics");
        seen.priority = word("Application Priority").and_then(|p| p.parse().ok()).or(seen.priority);
        seen.started = word("Start-Time").and_then(|at| at.parse().ok()).or(seen.started);
        seen.unmanaged = word("Unmanaged Application") == Some("true");
        seen.master_node = word("AM Host").map(|host| format!("{host}:0")).or(seen.master_node);
        let label = |key: &str| word(key).filter(|label| *label != DEFAULT_PARTITION).map(str::to_owned);
        seen.label = label("Application Node Label Expression").or(seen.label);
        seen.am_label = label("AM container Node Label Expression").or(seen.am_label);
        g.seen.apps.insert(id.to_owned(), seen);
        g.seen.sources.entry("apps").or_insert_with(|| self.look.name.to_owned());
        self.count("application");
        Some(())
    }

    fn node(&mut self, fields: &IndexMap<String, String>, g: &mut Gathered) -> Option<()> {
        let word = |key: &str| fields.get(key).map(String::as_str).filter(|value| !NOTHING.contains(value));
        let id = word("Node-Id").filter(|id| id.contains(':'))?;
        let number = |key: &str| {
            let digits: String = word(key)?.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<i64>().ok()
        };
        let known = node(id, g);
        let pair = |memory, vcores| Some(Amount::new(number(memory)?, number(vcores).unwrap_or(0)));
        let seen = SeenNode {
            rack: word("Rack").map(str::to_owned).or(known.rack),
            state: word("Node-State").unwrap_or("").to_owned(),
            total: pair("Memory-Capacity", "CPU-Capacity").or(known.total),
            used: pair("Memory-Used", "CPU-Used").or(known.used),
            containers: number("Containers").or(known.containers),
            label: label(word("Node-Labels")).or(known.label),
            ..known
        };
        g.seen.nodes.insert(id.to_owned(), seen);
        g.seen.sources.entry("nodes").or_insert_with(|| self.look.name.to_owned());
        self.count("node");
        Some(())
    }

    /// Reads the details of the node whose row precedes them.
    fn details(&mut self, fields: &IndexMap<String, String>, g: &mut Gathered) -> Option<()> {
        let node = g.seen.nodes.values_mut().last()?;
        let size = |key: &str| fields.get(key).and_then(|text| printed(text));
        node.total = size("Configured Resources").or(node.total.take());
        node.used = size("Allocated Resources").or(node.used.take());
        node.label = label(fields.get("Node-Labels").map(String::as_str)).or(node.label.take());
        g.seen.sources.entry("nodes").or_insert_with(|| self.look.name.to_owned());
        Some(())
    }

    fn queue(&mut self, fields: &IndexMap<String, String>, g: &mut Gathered) -> Option<()> {
        let word = |key: &str| fields.get(key).map(String::as_str).filter(|value| !NOTHING.contains(value));
        let path = word("Queue Path").or(word("Queue Name"))?;
        let path = if path == "root" || path.starts_with("root.") { path.to_owned() } else { format!("root.{path}") };
        let percent = |key: &str| word(key).and_then(|text| text.trim_end_matches('%').parse::<f64>().ok());
        let mut queue = ListedQueue {
            capacity: percent("Capacity").filter(|c| (0.0..=100.0).contains(c)),
            weight: percent("Weight").filter(|w| *w >= 0.0),
            properties: Vec::new(),
        };
        let mut put = |key: &str, value: Option<String>| queue.properties.extend(value.map(|v| (key.to_owned(), v)));
        put("maximum-capacity", percent("Maximum Capacity").filter(|m| *m > 0.0 && *m < 100.0).map(|m| m.to_string()));
        put("state", word("State").filter(|state| *state == "STOPPED").map(str::to_owned));
        let most =
            word("Maximum Parallel Apps").and_then(|n| n.parse::<i64>().ok()).filter(|n| *n < i64::from(i32::MAX));
        put("max-parallel-apps", most.map(|n| n.to_string()));
        put("accessible-node-labels", word("Accessible Node Labels").filter(|l| *l != "*").map(str::to_owned));
        let label = word("Default Node Label expression").filter(|label| *label != DEFAULT_PARTITION);
        put("default-node-label-expression", label.map(str::to_owned));
        g.listed_queues.insert(path, queue);
        g.seen.sources.entry("queues").or_insert_with(|| self.look.name.to_owned());
        self.count("queue");
        Some(())
    }
}

/// Returns the field of a report: `User : ann`.
fn field(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().split_once(" :")?;
    let key = key.trim();
    (!key.is_empty() && key.len() < 60).then(|| (key, value.trim()))
}

/// Returns the first of a node's labels.
fn label(list: Option<&str>) -> Option<String> {
    let first = list?.split(',').next()?.trim();
    (!first.is_empty() && first != DEFAULT_PARTITION && !NOTHING.contains(&first)).then(|| first.to_owned())
}

/// Returns an application as known so far.
fn app(id: &str, g: &Gathered) -> SeenApp {
    let known = g.seen.apps.get(id).cloned();
    known.unwrap_or_else(|| SeenApp { id: id.to_owned(), ..SeenApp::default() })
}

fn node(id: &str, g: &Gathered) -> SeenNode {
    let known = g.seen.nodes.get(id).cloned();
    known.unwrap_or_else(|| SeenNode { id: id.to_owned(), ..SeenNode::default() })
}

/// Sets the sizes of nodes without one, and vcores where only memory is said (no node registers without any): from
/// yarn-site.xml, else the NodeManager's default.
pub(super) fn sizes(g: &mut Gathered) {
    let unsaid = |node: &SeenNode| node.is_there() && node.total.as_ref().is_none_or(|size| size.vcores <= 0);
    if !g.seen.nodes.values().any(unsaid) {
        return;
    }
    let total = super::hosts::node_size(g);
    let mut without_vcores = 0;
    for node in g.seen.nodes.values_mut().filter(|node| node.is_there()) {
        if let Some(size) = node.total.as_mut().filter(|size| size.vcores <= 0) {
            size.vcores = total.vcores.max(node.used.as_ref().map_or(0, |used| used.vcores));
            without_vcores += 1;
        }
    }
    if without_vcores > 0 {
        let what = format!(
            "{} of {}: no text says how many.",
            count(without_vcores, "node"),
            count(total.vcores as usize, "vcore")
        );
        g.infer_of(RemarkAbout::Nodes, what, "yarn.nodemanager.resource.cpu-vcores, or its default");
    }
    let without = |node: &&SeenNode| node.is_there() && node.total.is_none();
    if !g.seen.nodes.values().any(|node| without(&node)) {
        return;
    }
    for node in g.seen.nodes.values_mut().filter(|node| node.total.is_none()) {
        node.total = Some(total.clone());
    }
    g.lack(
        format!("Sizes of nodes: {} is taken for those of which no text says it.", total.written()),
        "yarn node -list -showDetails or /ws/v1/cluster/nodes says it",
    );
}

#[cfg(test)]
mod tests {
    use super::super::{Given, import};
    use crate::scenario::Scenario;

    const NODES: &str = "Total Nodes:2\n         Node-Id\t     Node-State\tNode-Http-Address\tNumber-of-Running-Containers\n\
         n1:8041\t        RUNNING\tn1:8042\t                           1\nDetailed Node Information :\n\
        \tConfigured Resources : <memory:16384, vCores:16>\n\tAllocated Resources : <memory:1024, vCores:1>\n\
        \tResource Utilization by Node : PMem:100 MB, VMem:100 MB, VCores:0.1\n\tNode-Labels : gpu\n\
         n2:8041\t           LOST\tn2:8042\t                           0\nDetailed Node Information :\n\
        \tConfigured Resources : <memory:8192, vCores:8>\n\tNode-Labels : \n";
    const APPS: &str = "Total number of applications (application-types: [], states: [RUNNING] and tags: []):1\n\
        \x20               Application-Id\t    Application-Name\t    Application-Type\t      User\t     Queue\t             State\t       Final-State\t       Progress\t                       Tracking-URL\n\
        application_17_0001\tmy job\t               SPARK\t     ann\t root.etl\t           RUNNING\t         UNDEFINED\t            10%\thttp://n1:5040\n";
    const STATUS: &str = "Application Report :\n\tApplication-Id : application_17_0001\n\tApplication-Name : my job\n\tUser : ann\n\
        \tQueue : root.etl\n\tApplication Priority : 3\n\tState : RUNNING\n\tAM Host : n1\n\tDiagnostics :\n";
    const CONTAINERS: &str = "Total number of containers :1\n\
        \x20                 Container-Id\t          Start Time\t         Finish Time\t                   State\t                    Host\t   Node Http Address\t                                LOG-URL\n\
        container_17_0001_01_000001\tMon Nov 23 10:00:00 +0000 2026\t                 N/A\t                 RUNNING\t            n1:8041\thttp://n1:8042\thttp://n1:8042/x\n";
    const QUEUE: &str = "Queue Information :\nQueue Name : etl\nQueue Path : root.etl\n\tState : RUNNING\n\tCapacity : 40.00%\n\
        \tCurrent Capacity : 10.00%\n\tMaximum Capacity : 80.00%\n\tWeight : -1.00\n\tMaximum Parallel Apps : 2147483647\n\
        \tDefault Node Label expression : <DEFAULT_PARTITION>\n\tAccessible Node Labels : *\n\tPreemption : disabled\n";

    fn scenario(texts: &[&str]) -> Scenario {
        let given: Vec<Given<'_>> = texts.iter().map(|text| Given { name: "x", text }).collect();
        let found = import(&given);
        let text = found.scenario.unwrap_or_else(|| panic!("{:?}", found.files));
        crate::scenario::read(&text)
            .scenario
            .unwrap_or_else(|| panic!("{:?}\n{text}", crate::scenario::read(&text).problems))
    }

    #[test]
    fn what_the_command_line_prints_is_a_cluster_together() {
        let scenario = scenario(&[NODES, APPS, STATUS, CONTAINERS, QUEUE]);
        let nodes: Vec<(&str, i64)> =
            scenario.nodes.iter().map(|n| (n.spec.host.as_str(), n.spec.total.memory_mb())).collect();
        assert_eq!(nodes, [("n1", 16384)]);
        assert_eq!(scenario.nodes[0].spec.label.as_deref(), Some("gpu"));
        let app = scenario.app("application_17_0001").expect("the application");
        assert_eq!((app.user.as_str(), app.queue.as_str(), app.priority), ("ann", "root.etl", Some(3)));
        assert_eq!(app.now.as_deref().map(|now| now.running.len()), Some(1));
        let queues = &scenario.settings.capacity_scheduler;
        assert_eq!(queues["yarn.scheduler.capacity.root.etl.capacity"], "40");
        assert_eq!(queues["yarn.scheduler.capacity.root.rest.capacity"], "60");
    }

    #[test]
    fn nodes_with_their_sizes_are_a_cluster_alone() {
        let scenario = scenario(&[NODES]);
        assert_eq!(scenario.nodes[0].spec.total.vcores(), 16);
    }

    /// Each text × each cut, beside another text: no panic, and a scenario.
    #[test]
    fn a_text_that_ends_in_the_middle_is_read_as_far_as_it_goes() {
        for text in [NODES, APPS, STATUS, CONTAINERS, QUEUE] {
            for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(9) {
                import(&[Given { name: "a", text: &text[..end] }, Given { name: "b", text: QUEUE }]);
            }
        }
    }
}
