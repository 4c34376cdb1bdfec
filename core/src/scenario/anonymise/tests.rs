use super::{Anonymised, anonymise, with_names};
use crate::scenario::read;

const HEAD: &str = "heddle = 1\nscheduling = \"heartbeat\"\n";
const NODE: &str = "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n";
const APP: &str = "[[apps]]\nname = \"a\"\ntasks = [{ count = 1 }]\n";
const SAMZA: &str = "[[apps]]\nname = \"s\"\nkind = \"samza\"\nstreams = { \"k.in\" = 1 }\n\"job.properties\" = '''\njob.name=j\ntask.inputs=k.in\nMORE\n'''\n";

/// Every place where a name stands, with `NAME` in it.
const PLACES: &[&str] = &[
    "title = \"NAME waits\"\n[[apps]]\nname = \"NAME\"\ntasks = [{ count = 1 }]\n",
    "note = '''\nWhy NAME-1 and root.NAME wait.\n'''\n[[apps]]\nname = \"NAME\"\ntasks = [{ count = 1 }]\n",
    "# NAME\n[[apps]]\nname = \"NAME\"\ntasks = [{ count = 1 }]\n",
    "[card]\nid = \"NAME\"\nquestion = \"NAME?\"\n[[apps]]\nname = \"NAME\"\ntasks = [{ count = 1 }]\n",
    "[[captions]]\nat = 1\ntext = \"NAME\"\nselect = \"request:NAME/0_1\"\n[[apps]]\nname = \"NAME\"\ntasks = [{ count = 1 }]\n",
    "[[nodes]]\nname = \"NAME\"\nsize = \"8 GB/8\"\n",
    "[[nodes]]\nname = \"NAME{01}.x\"\ncount = 3\nsize = \"8 GB/8\"\n[[expect]]\nnode = \"NAME02.x\"\nplaced = 0\n",
    "[[nodes]]\nname = \"m\"\nrack = \"/NAME/NAME2\"\nsize = \"8 GB/8\"\n",
    "labels = [\"NAME(exclusive=false)\"]\nyarn-site = { node-labels.enabled = true }\n[[nodes]]\nname = \"m\"\nlabel = \"NAME\"\nsize = \"8 GB/8\"\n",
    "[[labels]]\nname = \"NAME\"\n",
    "[[nodes]]\nname = \"m\"\nsize = \"8 GB/8\"\nattributes = { \"rm.yarn.io/NAME\" = \"NAME\" }\n",
    "[users]\n\"NAME\" = [\"NAMEs\"]\n",
    "[[apps]]\nname = \"NAME{}\"\ncopies = 2\nuser = \"NAME{}\"\ntasks = [{ count = 1 }]\n",
    "[[apps]]\nname = \"b\"\nqueue = \"root.NAME.NAME2\"\ntags = [\"workflowid:NAME\", \"NAME\"]\ntasks = [{ count = 1 }]\n",
    "[[apps]]\nname = \"b\"\nam = { places = [\"/NAME\", \"NAME\"], label = \"NAME\" }\ntasks = [{ name = \"NAME\", count = 1, places = [\"NAME\"] }, { count = 1, after = [\"NAME\"], label = \"NAME\" }]\n",
    "[[apps]]\nname = \"b\"\nkind = \"distributed-shell\"\ncontainers = 3\nspec = \"NAME(3),NOTIN,NODE,NAME:NAME2(2),java=NAME\"\n",
    "[[apps]]\nname = \"b\"\nkind = \"requests\"\n[[apps.calls]]\nasks = [{ place = \"NAME\" }, { place = \"*\" }]\nblacklist_add = [\"NAME\"]\nscheduling = [{ id = 1, tags = [\"NAME\"], constraint = \"and(notin,node,all/NAME2:in,rack,NAME3)\" }]\n",
    "[[apps]]\nname = \"b\"\nkind = \"requests\"\nconstraints = [{ tags = [\"NAME\"], constraint = { scope = \"node\", max = 2, targets = [{ namespace = \"app-tag/NAME\", values = [\"NAME\"] }, { attribute = \"NAME\", values = [\"NAME\"] }] } }]\n",
    "[[apps]]\nname = \"b\"\nkind = \"requests\"\n[apps.now]\ndiagnostics = \"[NAME] in root.NAME\"\nrunning = [{ node = \"NAME\", am = true }]\nblacklist = [\"/NAME\"]\n[[nodes]]\nname = \"NAME\"\nsize = \"8 GB/8\"\n",
    "[[apps]]\nname = \"b\"\nkind = \"slider\"\ncomponents = [{ name = \"NAME\", \"yarn.role.priority\" = 1, \"yarn.label.expression\" = \"NAME\" }]\n",
    "[[apps]]\nname = \"b\"\nkind = \"slider\"\n\"resources.json\" = '{\"components\": {\"NAME\": {\"yarn.role.priority\": \"1\", \"yarn.label.expression\": \"NAME\"}}}'\n",
    "[[apps]]\nname = \"b\"\nkind = \"slider\"\ncomponents = [{ name = \"c\", \"yarn.role.priority\" = 1 }]\n[[apps.history]]\nname = \"rolehistory-000001a1b3155400.json\"\ntext = \"\"\"\n{\"entry\":{\"a\":{\"version\":1}}}\n{\"entry\":{\"a\":{\"host\":\"NAME\",\"role\":1}}}\n\"\"\"\n",
    "[[apps]]\nname = \"b\"\nkind = \"yarn-service\"\ncomponents = [{ name = \"NAME\", count = 1 }, { name = \"c\", dependencies = [\"NAME\"] }]\n",
    "[capacity-scheduler]\nroot.queues = \"default,NAME\"\nroot.default.capacity = 50\nroot.NAME.capacity = 50\nroot.NAME.accessible-node-labels.NAME.capacity = 1\nroot.NAME.acl_submit_applications = \"NAME NAMEs\"\n",
    "[capacity-scheduler.root]\nqueues = \"default,NAME\"\ndefault.capacity = 50\n[capacity-scheduler.root.NAME]\ncapacity = 50\n",
    "[capacity-scheduler]\nqueue-mappings = \"u:NAME:default, g:NAMEs:root.NAME,u:%user:%primary_group\"\nuser.NAME.max-parallel-apps = 3\nroot.default.user-settings.NAME.weight = 2\nworkflow-priority-mappings = \"NAME:root.default:3\"\n",
    "[capacity-scheduler]\nmapping-rule-format = \"json\"\nmapping-rule-json = '{\"rules\": [{\"type\": \"group\", \"matches\": \"NAME\", \"policy\": \"custom\", \"customPlacement\": \"root.NAME.%user\"}]}'\n",
    "[capacity-scheduler]\nroot.default.acl_application_max_priority = \"[user=NAME group=NAMEs max_priority=3]\"\nroot.default.default-node-label-expression = \"NAME\"\n",
    "[files]\n\"capacity-scheduler.xml\" = '''<configuration><!-- NAME --><property><name>yarn.scheduler.capacity.root.queues</name><value>default,NAME</value><description>of NAME</description></property><property><name>yarn.scheduler.capacity.root.default.capacity</name><value>50</value></property><property><name>yarn.scheduler.capacity.root.NAME.capacity</name><value>50</value></property><property><name>com.NAME</name><value>NAME.example</value></property></configuration>'''\n",
    "[files]\n\"yarn-site.xml\" = '''<configuration><property><name>yarn.resourcemanager.hostname</name><value>NAME</value></property><property><name>yarn.admin.acl</name><value>NAME NAMEs</value></property></configuration>'''\n\"NAME.txt\" = \"all of NAME\"\n",
    "scheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '''<allocations><!-- NAME --><queue name=\"NAME\"><aclSubmitApps>NAME NAMEs</aclSubmitApps><queue name=\"NAME2\"/></queue><user name=\"NAME\"><maxRunningApps>1</maxRunningApps></user><queuePlacementPolicy><rule name=\"specified\"/><rule name=\"default\" queue=\"root.NAME\"/></queuePlacementPolicy></allocations>'''\n[[shares]]\nqueue = \"root.NAME\"\n",
    "scheduler = \"fair\"\n[files]\n\"yarn-site.xml\" = '''<configuration><property><name>yarn.scheduler.fair.am.preemption.root.NAME</name><value>false</value></property></configuration>'''\n",
    "[[happenings]]\nat = 1\ndo = \"add_node\"\nname = \"NAME\"\nsize = \"8 GB/8\"\n[[happenings]]\nat = 2\ndo = \"crash_node\"\nnode = \"NAME\"\n",
    "[[happenings]]\nat = 1\ndo = \"move_app\"\napp = \"NAME\"\nqueue = \"root.NAME\"\n",
    "[[happenings]]\nat = 1\ndo = \"label_node\"\nnode = \"n\"\nlabel = \"NAME\"\n[[happenings]]\nat = 1\ndo = \"change_attributes\"\nnode = \"n\"\nattributes = { NAME = \"NAME\" }\n",
    "[[happenings]]\nat = 1\ndo = \"refresh\"\ncapacity-scheduler = { root.queues = \"default,NAME\", root.default.capacity = 50, root.NAME.capacity = 50 }\n",
    "[[happenings]]\nat = 1\ndo = \"put_constraint\"\ntags = [\"NAME\"]\nconstraint = \"notin,node,NAME\"\n",
    "[[worlds]]\nname = \"more for NAME\"\nset = { root.default.accessible-node-labels.NAME.capacity = 50 }\n[[worlds]]\nproperty = \"root.default.user-settings.NAME.weight\"\nvalues = [1, 2]\n",
    "[[expect]]\napp = \"NAME\"\nplaced = 1\nreason = \"NAME waits for root.NAME\"\nbecause = \"of NAME\"\n[[expect]]\nuser = \"NAME\"\nqueue = \"root.NAME\"\nused_memory = 0\n[[expect]]\napp = \"a\"\non = { NAME = 1 }\n",
    "[samza]\nchangelogs = { NAME = \"1 MB\" }\nlogged_store_base_dir = \"/data/NAME\"\n",
    "SAMZA job.name=NAME\\ntask.class=com.NAME.Task\\nsystems.NAME.samza.factory=org.apache.x.Y\\nstores.NAME.factory=org.apache.x.Y\\nstores.NAME.changelog=NAME.NAME2\\nyarn.queue=NAME\\nyarn.package.path=hdfs://NAME/x\\nyarn.container.label=NAME",
];

fn text(place: &str, name: &str) -> String {
    let place = match place.strip_prefix("SAMZA ") {
        Some(more) => SAMZA.replace("MORE", &more.replace("\\n", "\n")),
        None => place.to_owned(),
    };
    let place = place.replace("NAME", name);
    // The document's own keys stand before its tables.
    let tables = if place.starts_with('[') { Some(0) } else { place.find("\n[").map(|at| at + 1) };
    let (own, tables) = place.split_at(tables.unwrap_or(place.len()));
    format!("{HEAD}{own}{NODE}{APP}{tables}")
}

fn without(text: &str) -> Anonymised {
    anonymise(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

/// A name is gone from every place where one can stand.
#[test]
fn no_name_is_left_anywhere() {
    for place in PLACES {
        for name in ["zaphod", "Zap", "zqx-7"] {
            let text = text(place, name);
            let out = without(&text);
            assert!(!out.text.to_lowercase().contains(&name.to_lowercase()), "{place}\n{}", out.text);
            assert!(read(&out.text).scenario.is_some(), "{:#?}\n{}", read(&out.text).problems, out.text);
            let more = read(&out.text).problems.len() as i64 - read(&text).problems.len() as i64;
            assert!(more <= 0, "{:#?}\n{}", read(&out.text).problems, out.text);
        }
    }
}

#[test]
fn names_come_back() {
    let text = format!(
        "{HEAD}title = \"Why zaphod waits\"\nnote = \"Zaphod and n2\" # of zaphod\n[capacity-scheduler]\nroot.queues = \"default,zaphod\"\n\
         \"root.zaphod.capacity\" = 40\nroot.default.capacity = 60\n[[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"8 GB/8\"\n\
         [[apps]]\nname = \"etl\"\nqueue = \"zaphod\"\nuser = \"ann.b\"\ntasks = [{{ count = 1, places = [\"n2\"] }}]\n"
    );
    let out = without(&text);
    let edited = out.text.replace("capacity\" = 40", "capacity\" = 41");
    let back = with_names(&edited, &out.names).expect("it can be read");
    let wanted = text.replace("capacity\" = 40", "capacity\" = 41").replace("note = \"Zaphod", "note = \"zaphod");
    assert_eq!(back, wanted);
}

/// Equal names stay equal, and compared names keep their order.
#[test]
fn names_stay_together_and_in_order() {
    let text = format!(
        "{HEAD}[capacity-scheduler]\nroot.queues = \"default,ann,zoe\"\nroot.ann.capacity = 20\nroot.default.capacity = 60\nroot.zoe.capacity = 20\n\
         queue-mappings = \"u:%user:%user\"\n{NODE}[[apps]]\nname = \"x\"\nuser = \"ann\"\ntasks = [{{ count = 1 }}]\n"
    );
    let s = read(&without(&text).text).scenario.expect("it can be read");
    let queues = &s.settings.capacity_scheduler["yarn.scheduler.capacity.root.queues"];
    let [default, ann, zoe] = queues.split(',').collect::<Vec<_>>()[..] else { panic!("{queues}") };
    assert_eq!((default, ann), ("default", s.apps[0].user.as_str()));
    assert!(ann < default && default < zoe, "{queues}");
}

#[test]
fn ids_lose_the_start_of_their_cluster() {
    let text = format!(
        "{HEAD}note = \"application_1699999999999_0042 and container_e17_1699999999999_0042_01_000001, not application_0_0001\"\n{NODE}{APP}"
    );
    let out = without(&text).text;
    assert!(!out.contains("1699999999999") && out.contains("application_0_0001"), "{out}");
    assert_eq!(out.matches("_1500000000001_0042").count(), 2, "{out}");
}

#[test]
fn a_word_of_the_format_is_told() {
    let text = format!("{HEAD}[[nodes]]\nname = \"size\"\nsize = \"8 GB/8\"\n{APP}");
    let out = without(&text);
    assert!(out.remarks.iter().any(|r| r.contains("`size` still stands")), "{:?}", out.remarks);
}

#[test]
fn a_text_with_an_error_is_not_passed_on() {
    assert!(anonymise("heddle = 1\n[[nodes]]\nname = 3\n").is_err());
}
