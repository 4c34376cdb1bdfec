//! Refused submissions under the CapacityScheduler, and applications that are held back.

use super::draft::{AM, Draft, JOB, TASK, name, path, queue_name, user_name};
use crate::import::lines::figure::Figures;

/// The maximum number of applications created because a line counts them.
const MOST: i64 = 10_000;

fn draft(title: &str, f: &Figures) -> Draft {
    let mut d = Draft::new(title, 20_000, JOB);
    d.nodes_of_log(f, (8192, 8));
    d
}

fn queue<'f>(f: &'f Figures, d: &mut Draft) -> &'f str {
    f.text("queue").and_then(queue_name).unwrap_or_else(|| {
        d.assume("queue root.default");
        "default"
    })
}

fn user<'f>(f: &'f Figures, d: &mut Draft) -> &'f str {
    f.text("user").and_then(user_name).unwrap_or_else(|| {
        d.assume("user alice");
        "alice"
    })
}

pub fn stopped(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A stopped queue", f);
    let queue = queue(f, &mut d);
    let user = user(f, &mut d);
    let path = d.queue(queue);
    d.capacity(&format!("{path}.state"), "STOPPED");
    d.app("job", "5 s", &path, user, AM, TASK);
    Ok(d)
}

/// Returns the count in a line.
fn count(f: &Figures) -> Result<i64, String> {
    match f.number("count") {
        Some(n @ 0..=MOST) => Ok(n),
        Some(n) => Err(format!("{n} applications are more than the {MOST} that are built of a line")),
        None => Ok(1),
    }
}

fn crowd(d: &mut Draft, n: i64, path: &str, user: &str) {
    if n > 0 {
        d.app("earlier-{1}", "1 s", path, user, AM, &format!("copies = {n}\n{TASK}"));
    }
}

pub fn queue_full(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A queue has as many applications as it may", f);
    let (n, queue) = (count(f)?, queue(f, &mut d));
    let user = user(f, &mut d);
    let path = d.queue(queue);
    d.capacity(&format!("{path}.maximum-applications"), n);
    d.assume(format!("maximum-applications {n} of {path}"));
    crowd(&mut d, n, &path, "bob");
    d.app("job", "5 s", &path, user, AM, TASK);
    Ok(d)
}

pub fn user_full(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A user has as many applications as it may", f);
    let (n, queue) = (count(f)?, queue(f, &mut d));
    let user = user(f, &mut d);
    let path = d.queue(queue);
    let most = n.max(1) * 2;
    d.capacity(&format!("{path}.maximum-applications"), most);
    let factor = if n == 0 { 0.0 } else { 0.5 };
    d.capacity(&format!("{path}.user-limit-factor"), factor);
    d.assume(format!("maximum-applications {most} of {path}, and user-limit-factor {factor}"));
    crowd(&mut d, n, &path, user);
    d.app("job", "5 s", &path, user, AM, TASK);
    Ok(d)
}

pub fn system_full(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("The cluster has as many applications as it may", f);
    let queue = queue(f, &mut d);
    let user = user(f, &mut d);
    let path = d.queue(queue);
    d.capacity("maximum-applications", 1);
    d.assume("maximum-applications 1 for the whole system, and one application runs");
    crowd(&mut d, 1, &path, "bob");
    d.app("job", "5 s", &path, user, AM, TASK);
    Ok(d)
}

pub fn unknown_queue(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A queue that is not there", f);
    let asked = f.text("queue").and_then(name).unwrap_or_else(|| {
        d.assume("queue nosuch");
        "nosuch"
    });
    let user = user(f, &mut d);
    let there = if asked.rsplit('.').next() == Some("other") { "another" } else { "other" };
    d.queue(there);
    d.assume(format!("the cluster has root.{there} only"));
    d.app("job", "5 s", asked, user, AM, TASK);
    Ok(d)
}

pub fn ambiguous(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("Two leaves of one name", f);
    let asked = f.text("queue").and_then(name).filter(|q| !q.contains('.')).unwrap_or_else(|| {
        d.assume("queue etl");
        "etl"
    });
    let user = user(f, &mut d);
    let (one, other) = if ["a", "b"].contains(&asked) { ("x", "y") } else { ("a", "b") };
    d.capacity("root.queues", format!("{one},{other}"));
    for parent in [one, other] {
        d.capacity(&format!("root.{parent}.capacity"), 50);
        d.capacity(&format!("root.{parent}.queues"), asked);
        d.capacity(&format!("root.{parent}.{asked}.capacity"), 100);
    }
    d.assume(format!("two leaves, root.{one}.{asked} and root.{other}.{asked}"));
    d.app("job", "5 s", asked, user, AM, TASK);
    Ok(d)
}

pub fn non_leaf(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A queue with children", f);
    let asked = f.text("queue").and_then(name).unwrap_or_else(|| {
        d.assume("queue prod");
        "prod"
    });
    let user = user(f, &mut d);
    if asked == "root" {
        d.queue("default");
    } else {
        d.queue(&format!("{}.etl", path(asked)));
        d.assume(format!("{asked} has one child, etl"));
    }
    d.app("job", "5 s", asked, user, AM, TASK);
    Ok(d)
}

pub fn acl(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A user may not submit here", f);
    let queue = queue(f, &mut d);
    let user = user(f, &mut d);
    let path = d.queue(queue);
    let admin = if user == "yarn" { "hdfs" } else { "yarn" };
    d.site("acl.enable", true);
    d.site("admin.acl", admin);
    let parts: Vec<&str> = path.split('.').collect();
    for i in 1..=parts.len() {
        let at = parts[..i].join(".");
        for right in ["acl_submit_applications", "acl_administer_queue"] {
            d.capacity(&format!("{at}.{right}"), admin);
        }
    }
    d.assume(format!("only {admin} may submit to {path}"));
    d.app("job", "5 s", &path, user, AM, TASK);
    Ok(d)
}

pub fn priority_acl(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A priority that the user may not have", f);
    let queue = queue(f, &mut d);
    let user = user(f, &mut d);
    let priority = f.number("priority").filter(|p| (0..=1000).contains(p)).unwrap_or(5);
    let path = d.queue(queue);
    d.site("acl.enable", true);
    d.site("cluster.max-application-priority", priority.max(10));
    let other = if user == "bob" { "alice" } else { "bob" };
    d.capacity(
        &format!("{path}.acl_application_max_priority"),
        format!("[user={other} max_priority={}]", priority.max(10)),
    );
    d.assume(format!("only {other} may have a priority in {path}"));
    d.app("job", "5 s", &path, user, AM, &format!("priority = {priority}\n{TASK}"));
    Ok(d)
}

pub fn no_queue(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("No queue is named", f);
    let user = user(f, &mut d);
    d.queue("default");
    d.assume("the submission names an empty queue, and no rule gives one");
    d.app("job", "5 s", "", user, AM, TASK);
    Ok(d)
}

pub fn mapping_only(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("A queue for mapped applications only", f);
    let asked = f.text("queue").and_then(name).unwrap_or("bob");
    let leaf = asked.rsplit('.').next().unwrap_or(asked);
    let user = user(f, &mut d);
    let parent = if leaf == "users" { "people" } else { "users" };
    d.capacity("root.queues", parent);
    d.capacity(&format!("root.{parent}.capacity"), 100);
    d.capacity(&format!("root.{parent}.auto-create-child-queue.enabled"), true);
    d.capacity(&format!("root.{parent}.leaf-queue-template.capacity"), 50);
    // A user's own queue takes what is mapped to it; of that user another mapping must come first.
    let made_for = if user == leaf { "someone" } else { leaf };
    d.capacity("queue-mappings", format!("u:{made_for}:root.{parent}.{leaf}"));
    d.assume(format!("root.{parent}.{leaf} was made for an application of {made_for} by a mapping"));
    d.app("first", "1 s", "default", made_for, AM, TASK);
    d.app("job", "5 s", leaf, user, AM, TASK);
    Ok(d)
}

pub fn lifetime(f: &Figures) -> Result<Draft, String> {
    let mut d = draft("An application whose lifetime is over", f);
    let queue = queue(f, &mut d);
    let user = user(f, &mut d);
    d.at = 60_000;
    let path = d.queue(queue);
    d.assume("a lifetime of 30 s");
    d.app("job", "5 s", &path, user, AM, &format!("lifetime = \"30 s\"\n{TASK}"));
    Ok(d)
}

/// Applications that `max-parallel-apps` holds back; YARN's diagnostics do not mention it.
pub fn parallel(f: &Figures, of_queue: bool) -> Result<Draft, String> {
    let mut d = draft("As many applications run as may at a time", f);
    let queue = queue(f, &mut d);
    let user = user(f, &mut d);
    let path = d.queue(queue);
    let (key, first) = if of_queue {
        (format!("{path}.max-parallel-apps"), "bob")
    } else {
        (format!("user.{user}.max-parallel-apps"), user)
    };
    d.capacity(&key, 1);
    d.capacity("maximum-am-resource-percent", 1);
    d.assume("max-parallel-apps 1, and one application runs");
    d.app("first", "1 s", &path, first, AM, TASK);
    d.app("job", "5 s", &path, user, AM, TASK);
    Ok(d)
}
