//! Waiting ApplicationMasters and refused submissions under the FairScheduler.

use super::draft::{self, AM, Draft, JOB, NO_AM, Pair, am, bounded, name, path, queue_name, size, step, tasks};
use crate::import::lines::figure::Figures;

fn draft(title: &str) -> Draft {
    Draft { fair: true, ..Draft::new(title, 20_000, JOB) }
}

fn names(f: &Figures, d: &mut Draft) -> (String, String) {
    let queue = f.text("queue").and_then(queue_name).unwrap_or_else(|| {
        d.assume("queue root.q");
        "root.q"
    });
    (path(queue), f.text("user").and_then(name).unwrap_or("alice").to_string())
}

fn ask(f: &Figures, d: &mut Draft) -> Result<Pair, String> {
    let ask = f.pair("ask").unwrap_or_else(|| {
        d.assume("an AM of 1024 MB");
        (1024, 1)
    });
    bounded(&[ask])?;
    if ask.0 <= 0 { Err("an AM of 0 MB is none".into()) } else { Ok(ask) }
}

/// Returns an allocation file with nested queues, and `inner` in the last one.
fn allocations(path: &str, inner: &str, more: &str) -> String {
    let parts: Vec<&str> = path.split('.').skip(1).collect();
    let mut out = String::from("<?xml version=\"1.0\"?>\n<allocations>\n");
    for part in &parts {
        out.push_str(&format!("<queue name=\"{part}\">"));
    }
    out.push_str(inner);
    for _ in &parts {
        out.push_str("</queue>");
    }
    out + "\n" + more + "</allocations>"
}

/// Returns a task that starts late, so that only the AM runs until then.
fn stays(step: i64) -> String {
    tasks(1, (step, 1), ", delay = \"10 min\"")
}

pub fn am_share(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("maxAMShare of a queue");
    let ask = ask(f, &mut d)?;
    let (path, user) = names(f, &mut d);
    d.allow(&[ask]);
    d.assume(format!(
        "maxAMShare 0.5 of one node of {}, and one AM of that size runs",
        size((ask.0 * 2, ask.1.max(1) * 2))
    ));
    d.allocations = Some(allocations(&path, "<maxAMShare>0.5</maxAMShare>", ""));
    d.node("n1", (ask.0 * 2, ask.1.max(1) * 2), "");
    let step = step([ask.0].into_iter());
    d.app("first", "1 s", &path, "bob", &am(ask), &stays(step));
    d.app("job", "5 s", &path, &user, &am(ask), &stays(step));
    Ok(d)
}

/// Returns a maximum as the allocation file has it; whole numbers beyond an int go by their names.
fn resources((mb, vcores): Pair) -> String {
    if mb.max(vcores) > i64::from(i32::MAX) {
        format!("memory-mb={mb}, vcores={vcores}")
    } else {
        format!("{mb} mb, {vcores} vcores")
    }
}

pub fn max_share(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("maxResources of a queue");
    let ask = ask(f, &mut d)?;
    let most = f.pair("queue_max").unwrap_or_else(|| {
        d.assume("the queue's maximum is not in the text: one AM less");
        (ask.0, ask.1)
    });
    // The usual maximum is no limit at all.
    let is_unlimited = |n: i64| n >= i64::from(i32::MAX);
    let unlimited = (is_unlimited(most.0), is_unlimited(most.1));
    let room = (
        if unlimited.0 { ask.0.saturating_mul(4) } else { most.0 },
        if unlimited.1 { ask.1.saturating_mul(4).max(8) } else { most.1 },
    );
    let written = most;
    let most = room;
    if unlimited.0 && unlimited.1 {
        return Err("a queue with such a maximum has no limit".into());
    }
    bounded(&[most])?;
    let (path, user) = names(f, &mut d);
    let step = step([ask.0, most.0].into_iter());
    d.allow(&[ask, most]);
    d.allocations = Some(allocations(
        &path,
        &format!("<maxAMShare>-1.0</maxAMShare><maxResources>{}</maxResources>", resources(written)),
        "",
    ));
    let node = (most.0.saturating_add(ask.0).max(step), most.1.saturating_add(ask.1).max(1));
    d.node("n1", node, "");
    if ask.0 <= most.0 && ask.1 <= most.1 {
        if most.0 > 0 && most.1 > 0 {
            if unlimited.0 || unlimited.1 {
                d.assume("one of both is unlimited; the other is used up");
            }
            d.assume("another application of the queue holds all that it may");
            d.app("busy", "0 s", &path, "bob", NO_AM, &tasks(1, most, ""));
        }
    } else {
        d.assume("the queue is empty: the AM alone is more than its maximum");
    }
    d.app("job", "10 s", &path, &user, &am(ask), &stays(step));
    Ok(d)
}

pub fn reserved(f: &Figures, yes: bool) -> Result<Draft, String> {
    let mut d = draft(if yes { "An AM waits on its reservation" } else { "An AM may not reserve a node" });
    let ask = ask(f, &mut d)?;
    let (path, user) = names(f, &mut d);
    // Only requests of more than two increments may reserve a node.
    let step = step([ask.0, (ask.0 / 4).max(1)].into_iter());
    d.allow(&[ask, ((ask.0 / 4).max(1), 1)]);
    d.allocations = Some(allocations(&path, "<maxAMShare>-1.0</maxAMShare>", ""));
    d.assume("one node, which another application of the queue fills");
    d.node("n1", ask, "");
    d.app("busy", "0 s", &path, "bob", NO_AM, &tasks(1, ask, ""));
    if !yes {
        d.assume("yarn.scheduler.fair.reservable-nodes 0: no node may be reserved where the request is relaxed");
        d.site("scheduler.fair.reservable-nodes", "0.0");
    }
    d.app("job", "10 s", &path, &user, &am(ask), &stays(step));
    Ok(d)
}

/// The maximum number of running applications is reached, for the queue or for the user.
pub fn parallel(f: &Figures, of_queue: bool) -> Result<Draft, String> {
    let mut d = draft("As many applications run as may at a time");
    let (path, user) = names(f, &mut d);
    let (inner, more) = match of_queue {
        true => ("<maxRunningApps>1</maxRunningApps>", String::new()),
        false => ("", format!("<user name=\"{user}\"><maxRunningApps>1</maxRunningApps></user>\n")),
    };
    d.allocations = Some(allocations(&path, inner, &more));
    d.assume("maxRunningApps 1, and one application runs");
    d.node("n1", (8192, 8), "");
    let first = if of_queue { "bob" } else { &user };
    d.app("first", "1 s", &path, first, AM, &stays(1024));
    d.app("job", "5 s", &path, &user, AM, &stays(1024));
    Ok(d)
}

pub fn rejected(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("Placement rules reject an application");
    let user = f.text("user").and_then(name).unwrap_or_else(|| {
        d.assume("user alice");
        "alice"
    });
    d.assume("the application names no queue, and the rules reject all that do not");
    d.allocations = Some(
        "<?xml version=\"1.0\"?>\n<allocations>\n<queue name=\"etl\"/>\n<queuePlacementPolicy><rule name=\"specified\" \
         create=\"false\"/><rule name=\"reject\"/></queuePlacementPolicy>\n</allocations>"
            .into(),
    );
    d.node("n1", (8192, 8), "");
    d.app("job", "5 s", "default", user, AM, &stays(1024));
    Ok(d)
}

pub fn zero(f: &Figures, of_am: bool) -> Result<Draft, String> {
    let mut d = draft("A queue with nothing of a resource");
    let (path, user) = names(f, &mut d);
    let most = f.pair("queue_max").unwrap_or_else(|| {
        d.assume("the queue may have no memory");
        (0, 4)
    });
    bounded(&[most])?;
    if most.0 != 0 && most.1 != 0 {
        return Err("of memory and vcores the queue may have some: which resource is 0 needs its configuration".into());
    }
    d.allocations =
        Some(allocations(&path, &format!("<maxResources>{} mb, {} vcores</maxResources>", most.0, most.1), ""));
    d.node("n1", (8192, 8), "");
    if !of_am {
        return Err("the AM itself would be refused there before its requests are".into());
    }
    d.app("job", "5 s", &path, &user, AM, &stays(1024));
    Ok(d)
}

pub fn not_leaf(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A queue that is no leaf");
    let asked = f.text("queue").and_then(queue_name).unwrap_or("root.prod");
    let path = path(asked);
    d.allocations = Some(allocations(&format!("{path}.etl"), "", ""));
    d.assume(format!("{path} has one child, etl"));
    d.node("n1", (8192, 8), "");
    d.app("job", "5 s", &path, "alice", AM, &stays(1024));
    Ok(d)
}

pub fn acl(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A user may not submit here");
    let (path, user) = names(f, &mut d);
    let known = f.text("known").and_then(queue_name).map_or_else(|| path.clone(), draft::path);
    if known != path && !path.starts_with(&format!("{known}.")) {
        return Err("the queue of the ACL is not above the one that was asked for".into());
    }
    let admin = if user == "yarn" { "hdfs" } else { "yarn" };
    d.site("acl.enable", true);
    d.site("admin.acl", admin);
    let rights = format!("<aclSubmitApps>{admin}</aclSubmitApps><aclAdministerApps>{admin}</aclAdministerApps>");
    let file = allocations(&known, &rights, "");
    d.allocations =
        Some(file.replacen("<allocations>\n", &format!("<allocations>\n<queue name=\"root\">{rights}"), 1).replacen(
            "\n</allocations>",
            "</queue>\n</allocations>",
            1,
        ));
    d.assume(format!("only {admin} may submit there"));
    d.node("n1", (8192, 8), "");
    d.app("job", "5 s", &path, &user, AM, &stays(1024));
    Ok(d)
}
