//! Phrases about nodes: about one by its name, about a number of them, in the headings of the matrix, and what a request
//! needs. Each phrase is checked against the state.

use super::form::{Amount, Caught, listed, number, whole};
use super::state::State;
use super::tape::Failed;
use heddle_core::check::{About, Check, Figures};
use heddle_core::constraint::Scope;
use heddle_core::constraint::Target;
use heddle_core::model::Resource;
use heddle_core::scheduler::Node;

/// Whether a phrase is true of the least and the most containers with one of its tags.
type OfCounts = fn(i64, i64) -> bool;
/// Whether a phrase with bounds is true.
type OfBounds = fn(&[i64], i64, i64) -> bool;

/// Whether a phrase is true; `None` if the state alone does not show it because it depends on what the scheduler did before.
pub type Truth = Option<bool>;

fn so(it: bool) -> Option<Truth> {
    Some(Some(it))
}

/// Returns the namespaces of the request's clauses that these words may mean; "" is its own.
fn namespaces(s: &State<'_>, whose: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for target in s.leaves().iter().flat_map(|leaf| &leaf.targets) {
        if let Target::Tags { namespace, .. } = target
            && !all.contains(namespace)
        {
            all.push(namespace.clone());
        }
    }
    all.retain(|namespace| {
        let words = match namespace.as_str() {
            "" | "self" => "of this application".to_string(),
            "not-self" => "of other applications".to_string(),
            "all" => "of any application".to_string(),
            other => match other.split_once('/') {
                Some(("app-id", id)) => format!("of {id}"),
                Some(("app-tag", tag)) => format!("of applications tagged {tag}"),
                _ => return false,
            },
        };
        words == whose || whose.is_empty() && words == "of this application"
    });
    all
}

/// Returns a tag and whose it is: "zk of other applications".
fn tag_and_whose(text: &str) -> (&str, &str) {
    match text.find(" of ") {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    }
}

/// Returns the fewest and the most containers with one of the written tags, "zk of other applications" or "zk and hb"; `None`
/// if the request has no clause about them.
fn counts(s: &State<'_>, node: &Node, scope: Scope, written: &str) -> Option<(i64, i64)> {
    let (tags, whose) = tag_and_whose(written);
    // Any tag: how many there are of each.
    if matches!(tags, "tagged containers" | "tagged container" | "tags") {
        let namespace = namespaces(s, whose).into_iter().next()?;
        let counts = s.counts(node, scope == Scope::Rack, &namespace).ok()?;
        return Some((counts.iter().copied().min().unwrap_or(0), counts.iter().copied().max().unwrap_or(0)));
    }
    let tags: Vec<&str> = tags.split(['+']).flat_map(|t| t.split(" and ")).collect();
    let known = |tag: &str| {
        s.leaves()
            .iter()
            .flat_map(|leaf| &leaf.targets)
            .any(|target| matches!(target, Target::Tags { values, .. } if values.iter().any(|v| v == tag)))
    };
    if !tags.iter().all(|tag| known(tag)) {
        return None;
    }
    let namespace = namespaces(s, whose).into_iter().next()?;
    let all: Result<Vec<i64>, ()> = tags.iter().map(|tag| s.count(node, scope, &namespace, tag)).collect();
    let all = all.ok()?;
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// Checks "zk-1, zk-2 and 3 more": whether the containers that a clause forbids are there, and their number.
fn containers(s: &State<'_>, node: &Node, scope: Scope, text: &str) -> Option<bool> {
    let (named, more) = listed(text)?;
    for leaf in s.leaves().into_iter().filter(|leaf| leaf.scope == scope && leaf.max == 0) {
        for target in &leaf.targets {
            let Target::Tags { namespace, values } = target else { continue };
            let mut there = Vec::new();
            for tag in values {
                for c in s.tagged(node, scope == Scope::Rack, namespace, tag).ok()? {
                    let name = s.names.container_name(c.id);
                    if !there.contains(&name) {
                        there.push(name);
                    }
                }
            }
            if named.iter().all(|name| there.iter().any(|t| t == name))
                && there.len() as i64 == named.len() as i64 + more
            {
                return Some(true);
            }
        }
    }
    None
}

/// Checks the words after "has" or "is in a rack with".
fn has_of_clause(s: &State<'_>, node: &Node, scope: Scope, text: &str) -> Option<Truth> {
    let text = text.strip_suffix(", left by containers of a lost node").unwrap_or(text);
    // Only some of them are there.
    let part = [" of them left by a container of a lost node", " of them left by containers of a lost node"];
    if let Some((text, leaked)) = part.iter().find_map(|end| text.strip_suffix(end)?.rsplit_once(", ")) {
        let (n, tag) = text.split_once(' ')?;
        let there = s.tagged(node, scope == Scope::Rack, "self", tag).ok()?.len() as i64;
        let whole = has_of_clause(s, node, scope, text)?;
        return Some(
            whole.map(|so| so && number(n).zip(number(leaked)).is_some_and(|(n, leaked)| n - leaked <= there)),
        );
    }
    if let Some(tag) = text.strip_prefix("no ")
        && let Some((least, _)) = counts(s, node, scope, tag)
    {
        return so(least == 0);
    }
    if let Some((n, tag)) = text.split_once(' ')
        && let (Some(n), Some((least, most))) = (number(n), counts(s, node, scope, tag))
    {
        return so(n == least || n == most);
    }
    containers(s, node, scope, text).map(Some)
}

/// Returns whether the latest look at the node recorded that nothing can be given up, for this reason and this amount.
fn nothing_given_up(s: &State<'_>, node: &Node, why: &str, amount: &str) -> bool {
    let here = About::OnNode(s.w.app, s.w.key, node.id);
    let mine = |f: &&Failed| f.checked.about == here && f.checked.check == Check::Unreserve;
    let Some(figures) = s.failed.iter().rfind(mine).map(|f| &f.checked.figures) else { return false };
    let (Figures::GiveUp { amount: needed, fails }, Some(app)) = (figures, s.app()) else { return false };
    let queue = s.names.queue(app.queue);
    let is = |form: &str| whole(form, why).into_iter().next();
    let so = match &fails.figures {
        Figures::Amounts(a) if fails.check == Check::UserLimit => {
            let user = s.rm().cluster().user_name(app.user);
            is("{w} uses {m} in {w}, more than the user limit of {m}").is_some_and(|c| {
                (c[0], c[2]) == (user, queue) && s.is(a.used(), c[1]).is_ok() && s.is(a.limit, c[3]).is_ok()
            }) && !s.fits(a.used(), a.limit)
        }
        Figures::Amounts(a) if fails.check == Check::Headroom => {
            let left = a.limit.component_max(Resource::ZERO);
            is("{w} may still take only {m}").is_some_and(|c| c[0] == queue && s.is(left, c[1]).is_ok())
                && !s.fits(s.w.size, a.limit)
        }
        Figures::Reservations { outstanding, reserved, .. } => is("{n} of {n} outstanding are reserved")
            .is_some_and(|c| (number(c[0]), number(c[1])) == (Some(*reserved), Some(*outstanding))),
        _ => false,
    };
    so && s.is(*needed, amount).is_ok()
}

/// Checks the end of a sentence after a node's name: "has 2 GB free", "is held for zk-2". Returns `None` if it is no such
/// phrase.
pub fn of_node(s: &State<'_>, node: &Node, phrase: &str) -> Option<Truth> {
    // A phrase about several nodes.
    for (plural, singular) in [("are ", "is "), ("have ", "has "), ("lend ", "lends ")] {
        if let Some(rest) = phrase.strip_prefix(plural) {
            return of_node(s, node, &format!("{singular}{rest}"));
        }
    }
    let one = |form: &str| -> Option<Caught<'_>> { whole(form, phrase).into_iter().next() };
    if let Some(c) = one("has {m} free") {
        return so(s.is(node.free(), c[0]).is_ok());
    }
    if let Some(c) = one("has {m} free, and keeps a reservation of {m}, asked for earlier") {
        let kept = node.reserved.map(|slot| s.rm().cluster().containers.at(slot).size);
        let own = !s.is_held(node) && kept.is_some_and(|size| s.is(size, c[1]).is_ok());
        return so(own && s.is(node.free(), c[0]).is_ok());
    }
    if let Some(truth) = none_of_type(s, node, phrase) {
        return so(truth);
    }
    if let Some(c) = one("has {m} in all") {
        return so(s.is(node.total, c[0]).is_ok());
    }
    if let Some(c) = one("is held for {x}") {
        return so(s.is_held(node) && s.reserved_for(node).as_deref() == Some(c[0]));
    }
    if let Some(been) = phrase.strip_prefix("has been ")
        && let Some(truth) = away(s, node, been)
    {
        return so(truth);
    }
    if let Some(c) = one("has an instance of {w}") {
        return so(has_an_instance(s, node, c[0]));
    }
    if phrase == "has no label" {
        return so(s.names.partition(node.partition).is_empty());
    }
    if let Some(c) = one("has label {w}") {
        return so(s.names.partition(node.partition) == c[0]);
    }
    if let Some(c) = one("has label {w}, which lends no room to ApplicationMasters") {
        let exclusive = s.rm().cluster().partitions[node.partition.index()].exclusive;
        return so(s.names.partition(node.partition) == c[0] && !exclusive && s.w.am);
    }
    if let Some(c) = one("lends its room after {n} missed chances, {n} so far") {
        let missed = s.app().and_then(|a| Some(a.asks.at(a.asks.find(s.w.key)?).missed_non_partitioned));
        return so(number(c[0]) == Some(s.rm().cluster().node_count as i64) && number(c[1]) == missed);
    }
    if phrase == "is blacklisted" {
        return so(s.app().is_some_and(|a| [node.host_place, node.rack].iter().any(|p| a.avoided().contains(p))));
    }
    if phrase == "is barred: a commit failed there before" {
        return so(s.w.placing.iter().any(|p| p.barred.contains(&node.id)));
    }
    if phrase == "is not where it asked to be" {
        let rack = s.rm().cluster().place_name(node.rack);
        return so(!s.w.places.is_empty() && !s.w.places.contains(&node.host))
            .map(|truth| truth.filter(|_| !s.w.places.iter().any(|p| p == rack)));
    }
    if let Some(c) = one("is taken after {n} missed chances; {n} so far") {
        let missed = s.app().and_then(|a| Some(a.asks.at(a.asks.find(s.w.key)?).opportunities));
        // The next look has not counted its chance yet.
        let told = number(c[1])?;
        return Some((missed.is_some_and(|m| (m - 1..=m).contains(&told)) && number(c[0])? > told).then_some(true));
    }
    if one("is taken after more than {s}; {s} so far").is_some()
        || one("is in a rack it asked for, which is taken after more than {n} missed chances; none is counted while the row for any place may not relax").is_some()
        || one("is asked for without its rack {w}").is_some()
    {
        return so(!s.w.places.is_empty());
    }
    if one("is not tried: multi-node placement without a sorting policy tries {h} and no other").is_some() {
        return so(s.rm().capacity().is_some_and(|c| c.conf().multi_node.enabled));
    }
    if let Some(c) = one(
        "has room, but {x}: a reservation of {m} for this request would have to be given up, and none is that large",
    ) {
        return so(s.fits(s.w.size, node.free()) && nothing_given_up(s, node, c[0], c[1]));
    }
    if phrase.starts_with("cannot be judged: ") {
        return so(s.allowed(node).is_err());
    }
    if phrase.starts_with("cannot take it: ") {
        return so(s.allowed(node) != Ok(true));
    }
    if let Some(tag) = phrase.strip_prefix("is in a rack without ")
        && let Some(truth) = has_of_clause(s, node, Scope::Rack, &format!("no {tag}"))
    {
        return Some(truth);
    }
    if let Some(rest) = phrase.strip_prefix("is in a rack with ")
        && let Some(truth) = has_of_clause(s, node, Scope::Rack, rest)
    {
        return Some(truth);
    }
    if let Some(rest) = phrase.strip_prefix("has ") {
        if let Some(truth) = has_of_clause(s, node, Scope::Node, rest) {
            return Some(truth);
        }
        if let Some(truth) = attribute(s, node, rest) {
            return Some(truth);
        }
    }
    // What holds of an OR: each of several.
    both(phrase, |from, to| {
        let (left, right) = (&phrase[..from], &phrase[to..]);
        let right = if ["is ", "has ", "are ", "have "].iter().any(|verb| right.starts_with(verb)) {
            right.to_string()
        } else {
            format!("has {right}")
        };
        Some((of_node(s, node, left)?, of_node(s, node, &right)?))
    })
}

/// Checks two phrases said together, whichever "and" or comma separates them.
fn both(phrase: &str, parts: impl Fn(usize, usize) -> Option<(Truth, Truth)>) -> Option<Truth> {
    let at = |separator: &'static str| phrase.match_indices(separator).map(|(i, part)| (i, i + part.len()));
    let (left, right) = at(" and ").chain(at(", ")).find_map(|(from, to)| parts(from, to))?;
    Some(match (left, right) {
        (Some(a), Some(b)) => Some(a && b),
        (Some(false), _) | (_, Some(false)) => Some(false),
        _ => None,
    })
}

/// Returns whether a container of a component runs on a node.
fn has_an_instance(s: &State<'_>, node: &Node, component: &str) -> bool {
    let of_it = |name: &str| name.rsplit_once('-').is_some_and(|(name, _)| name.ends_with(&format!(" {component}")));
    s.rm().containers_on(node.id).any(|c| c.id.app == s.w.app && of_it(&s.names.container_name(c.id)))
}

/// Checks "no java", "java=1.7".
fn attribute(s: &State<'_>, node: &Node, text: &str) -> Option<Truth> {
    let named = |name: &str| {
        s.leaves()
            .iter()
            .flat_map(|leaf| &leaf.targets)
            .any(|t| matches!(t, Target::Attribute { name: n, .. } if n == name))
    };
    if let Some(name) = text.strip_prefix("no ").filter(|name| named(name)) {
        return so(s.attribute(node, name).is_none());
    }
    let (name, value) = text.split_once('=')?;
    if named(name) { so(s.attribute(node, name) == Some(value)) } else { None }
}

/// Returns whether a node has nothing of a resource type: "has no gpu"; `None` if the phrase names no type.
fn none_of_type(s: &State<'_>, node: &Node, phrase: &str) -> Option<bool> {
    let name = ["has no ", "have no "].iter().find_map(|form| phrase.strip_prefix(form))?;
    let names = s.rm().cluster().types.names();
    let place = names.iter().position(|n| n.rsplit('/').next() == Some(name))?;
    Some(node.total[place] == 0 && s.w.size[place] > 0)
}

/// Checks the word for the state of a node that is away.
fn state_word(s: &State<'_>, node: &Node, word: &str) -> Option<bool> {
    let states = [
        ("unregistered", "NEW"),
        ("unhealthy", "UNHEALTHY"),
        ("decommissioning", "DECOMMISSIONING"),
        ("decommissioned", "DECOMMISSIONED"),
        ("lost", "LOST"),
        ("rebooted", "REBOOTED"),
        ("shut down", "SHUTDOWN"),
    ];
    if word == "silent" {
        return Some(node.in_scheduler && s.is_silent(node));
    }
    states.iter().find(|(known, _)| *known == word).map(|(_, state)| node.state.text() == *state)
}

/// Checks the words about a node that is away, with since when and until when: "silent since 0:30 and counts as lost at
/// 10:00", "decommissioning since 0:20, leaves by 5:20".
pub fn away(s: &State<'_>, node: &Node, text: &str) -> Option<bool> {
    let one = |form: &str| whole(form, text).into_iter().next();
    let ends = ["", " and counts as lost at {t}", ", lost at {t}", " and leaves by {t}", ", leaves by {t}"];
    let caught = ends.iter().find_map(|end| one(&format!("{{x}} since {{t}}{end}")))?;
    let state = state_word(s, node, caught[0])?;
    let silent = caught[0] == "silent";
    let since = if silent { node.last_heartbeat } else { node.state_since };
    let ended = caught.get(2).is_none_or(|until| {
        let (until, timing) = (super::form::clock(until), &s.names.scenario().timing);
        // The monitor looks every third of the expiry time.
        let lost = (node.last_heartbeat + timing.node_expiry, node.last_heartbeat + timing.node_expiry * 4 / 3);
        let leaves = node.decommission_began.unwrap_or(since) + node.decommission_timeout.unwrap_or(-1);
        until.is_some_and(|at| if silent { (lost.0..=lost.1).contains(&at) } else { at == leaves })
    });
    // No known figure may be missing.
    let ends = silent || caught[0] == "decommissioning" && node.decommission_timeout.is_some();
    let whole = (caught.len() == 3) == ends;
    Some(state && super::form::clock(caught[1]) == Some(since) && ended && whole)
}

/// Checks the words after a number of nodes for each of them: "are full", "run zk", "3 full" without its number.
pub fn of_each(s: &State<'_>, node: &Node, phrase: &str) -> Option<Truth> {
    let bare =
        ["is ", "are ", "has been ", "have been "].iter().find_map(|be| phrase.strip_prefix(be)).unwrap_or(phrase);
    // Several nodes in one state since different times have no time in the sentence.
    if let Some(truth) = away(s, node, bare).or_else(|| state_word(s, node, bare)) {
        return so(truth);
    }
    if let Some(truth) = none_of_type(s, node, phrase) {
        return so(truth);
    }
    if bare.starts_with("kept from it by the locality delay until ") {
        return Some((!s.w.places.is_empty()).then_some(true));
    }
    let free = || s.fits(s.w.size, node.free());
    match bare {
        "held" | "held for others" => return so(s.is_held(node)),
        "full" => return so(!s.has_room(node)),
        "too full" => return Some(if free() { None } else { Some(true) }),
        "too small" => return so(!s.fits(s.w.size, node.total)),
        "other label" => return so(node.partition != s.w.partition),
        "without a label" => return so(s.names.partition(node.partition).is_empty()),
        "has an instance" | "have an instance" => {
            let slider = s.names.sim.place_of(s.w.app).and_then(|place| s.names.sim.slider(place));
            let slider = slider.and_then(|master| master.attempt()).map(|attempt| attempt.slider());
            let any = slider.is_some_and(|slider| slider.components().any(|c| has_an_instance(s, node, &c.name)));
            return so(any);
        }
        "blacklisted" => {
            let listed = of_node(s, node, "is blacklisted")? == Some(true);
            return so(listed || of_node(s, node, "is barred: a commit failed there before")? == Some(true));
        }
        "elsewhere"
        | "not where it asked to be"
        | "asked for without its rack"
        | "without its rack asked for"
        | "in a rack that waiting does not open" => {
            return Some((!s.w.places.is_empty()).then_some(true));
        }
        "not tried, since no policy sorts the nodes for multi-node placement" => {
            return so(s.rm().capacity().is_some_and(|c| c.conf().multi_node.enabled));
        }
        "with nothing to give up" => return Some(None),
        "cannot be judged" => return so(s.allowed(node).is_err()),
        "would take it" => return Some(None),
        _ => {}
    }
    match phrase {
        "has another label" | "have another label" => return so(node.partition != s.w.partition),
        "has no label" | "have no label" => return so(s.names.partition(node.partition).is_empty()),
        "has too little room" | "have too little room" => return Some(if free() { None } else { Some(true) }),
        "has room only for a reservation given up" | "have room only for a reservation given up" => return so(free()),
        _ => {}
    }
    if let Some(label) = ["has label ", "have label "].iter().find_map(|has| phrase.strip_prefix(has)) {
        return so(s.names.partition(node.partition) == label);
    }
    if let Some(component) = ["has an instance of ", "have an instance of "].iter().find_map(|p| phrase.strip_prefix(p))
    {
        return so(has_an_instance(s, node, component));
    }
    let forms: [(&str, Scope, OfCounts); 26] = [
        ("run too many {x}", Scope::Node, |_, most| most > 0),
        ("runs too many {x}", Scope::Node, |_, most| most > 0),
        ("run {x}", Scope::Node, |_, most| most > 0),
        ("runs {x}", Scope::Node, |_, most| most > 0),
        ("lack {x}", Scope::Node, |_, _| true),
        ("lacks {x}", Scope::Node, |_, _| true),
        ("are without {x}", Scope::Node, |least, _| least == 0),
        ("is without {x}", Scope::Node, |least, _| least == 0),
        ("have too few {x}", Scope::Node, |_, _| true),
        ("has too few {x}", Scope::Node, |_, _| true),
        ("in a rack without {x}", Scope::Rack, |least, _| least == 0),
        ("in a rack with too few {x}", Scope::Rack, |_, _| true),
        ("in a rack with too many {x}", Scope::Rack, |_, most| most > 0),
        ("in a rack with {x}", Scope::Rack, |_, most| most > 0),
        ("rack lacks {x}", Scope::Rack, |_, _| true),
        ("racks lack {x}", Scope::Rack, |_, _| true),
        ("are in a rack without {x}", Scope::Rack, |least, _| least == 0),
        ("is in a rack without {x}", Scope::Rack, |least, _| least == 0),
        ("are in a rack with too few {x}", Scope::Rack, |_, _| true),
        ("is in a rack with too few {x}", Scope::Rack, |_, _| true),
        ("are in a rack with too many {x}", Scope::Rack, |_, most| most > 0),
        ("is in a rack with too many {x}", Scope::Rack, |_, most| most > 0),
        ("are in a rack with {x}", Scope::Rack, |_, most| most > 0),
        ("is in a rack with {x}", Scope::Rack, |_, most| most > 0),
        ("rack full of {x}", Scope::Rack, |_, most| most > 0),
        ("racks full of {x}", Scope::Rack, |_, most| most > 0),
    ];
    for (form, scope, holds) in forms {
        for caught in whole(form, phrase) {
            if let Some((least, most)) = counts(s, node, scope, caught[0]) {
                return so(holds(least, most) && fails_a_clause_of(s, node, scope, caught[0]));
            }
        }
    }
    if bare == "rack full" {
        return so(s.leaves().iter().any(|leaf| leaf.scope == Scope::Rack) && s.allowed(node) != Ok(true));
    }
    let excluded =
        ["has the ", "have the "].iter().find_map(|p| phrase.strip_prefix(p)?.strip_suffix(" that it excludes"));
    if let Some(name) = excluded {
        let excludes = |leaf: &&heddle_core::constraint::Single| {
            let of_it = |t: &Target| matches!(t, Target::Attribute { name: n, .. } if n == name);
            leaf.op == heddle_core::constraint::AttributeOp::Ne && leaf.targets.iter().any(of_it)
        };
        return so(s.leaves().iter().any(|leaf| excludes(&&**leaf)) && s.allowed(node) != Ok(true));
    }
    if let Some(name) = ["other ", "has another ", "have another "].iter().find_map(|p| phrase.strip_prefix(p)) {
        let name = name.strip_suffix(", or none").unwrap_or(name);
        let known = s
            .leaves()
            .iter()
            .flat_map(|l| &l.targets)
            .any(|t| matches!(t, Target::Attribute { name: n, .. } if n == name));
        if known {
            return so(s.allowed(node) != Ok(true));
        }
    }
    both(phrase, |from, to| Some((of_each(s, node, &phrase[..from])?, of_each(s, node, &phrase[to..])?)))
}

/// Returns whether some clause about a tag does not hold on a node.
fn fails_a_clause_of(s: &State<'_>, node: &Node, scope: Scope, written: &str) -> bool {
    let (tags, _) = tag_and_whose(written);
    s.leaves().iter().any(|leaf| {
        leaf.scope == scope
            && leaf.targets.iter().any(|target| match target {
                Target::Tags { namespace, values } => {
                    let every = matches!(tags, "tagged containers" | "tagged container" | "tags");
                    if every && values.is_empty() {
                        return true;
                    }
                    let of_it = tags.split(['+']).flat_map(|t| t.split(" and ")).all(|t| values.iter().any(|v| v == t));
                    let count = |tag: &String| s.count(node, scope, namespace, tag).unwrap_or(-1);
                    let (least, most) = (values.iter().map(count).min(), values.iter().map(count).max());
                    let few = least.is_some_and(|n| n < i64::from(leaf.min));
                    of_it && (few || most.is_some_and(|n| n > i64::from(leaf.max)))
                }
                Target::Attribute { .. } | Target::Partition { .. } => false,
            })
    })
}

/// Checks one condition of "Needs a node …". Returns `None` if it is no such phrase.
pub fn condition(s: &State<'_>, node: &Node, text: &str) -> Option<Truth> {
    let one = |form: &str| -> Option<Caught<'_>> { whole(form, text).into_iter().next() };
    if let Some(c) = one("with {m} free") {
        return Some(s.has_at_least(node.free(), c[0]));
    }
    if let Some(c) = one("of at least {m}") {
        return Some(s.has_at_least(node.total, c[0]));
    }
    match text {
        "that runs" => {
            return so(node.state.text() == "RUNNING" && !s.is_silent(node));
        }
        "that nobody holds" => return so(!s.is_held(node)),
        "with room" => return so(s.has_room(node)),
        "without a label" => return so(s.names.partition(node.partition).is_empty()).map(|t| lent(s, node, t)),
        "that is not blacklisted" => return of_each(s, node, "blacklisted").map(|t| t.map(|it| !it)),
        "that can satisfy the constraint" => return so(false),
        without if without.starts_with("without an instance of ") => {
            return so(!has_an_instance(s, node, without.trim_start_matches("without an instance of ")));
        }
        "that is tried" | "where it asked to be" | "for which a reservation can be given up" => return Some(None),
        _ => {}
    }
    if let Some(c) = one("with label {w}") {
        return so(s.names.partition(node.partition) == c[0]);
    }
    let (scope, text) = match text.strip_prefix("in a rack ") {
        Some(rest) => (Scope::Rack, rest),
        None => (Scope::Node, text),
    };
    let bounded: [(&str, OfBounds); 5] = [
        ("with at least {n} {x}", |n, least, _| least >= n[0]),
        ("with at most {n} {x}", |n, _, most| most <= n[0]),
        ("with {n} to {n} {x}", |n, least, most| least >= n[0] && most <= n[1]),
        ("without {x}", |_, _, most| most == 0),
        ("with {x}", |_, least, _| least >= 1),
    ];
    for (form, holds) in bounded {
        for caught in whole(form, text) {
            let (tag, numbers) = caught.split_last()?;
            let numbers: Vec<i64> = numbers.iter().filter_map(|n| number(n)).collect();
            if let Some((least, most)) = counts(s, node, scope, tag) {
                return so(holds(&numbers, least, most));
            }
            if let Some((name, value)) = tag.split_once('=') {
                let has = s.attribute(node, name) == Some(value);
                return so(if form == "without {x}" { !has } else { has });
            }
        }
    }
    None
}

/// A labelled node that lends its room counts as one without a label.
fn lent(s: &State<'_>, node: &Node, truth: Truth) -> Truth {
    let exclusive = s.rm().cluster().partitions[node.partition.index()].exclusive;
    if exclusive { truth } else { truth.filter(|it| *it) }
}

/// Conditions and how they are joined.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    One(String),
    All(Vec<Wanted>),
    Any(Vec<Wanted>),
}

const STARTS: [&str; 9] =
    ["with ", "without ", "in a rack ", "that ", "where ", "of at least ", "for which ", "either ", "("];

impl Wanted {
    /// Reads the words after "Needs a node ".
    pub fn read(text: &str) -> Wanted {
        let parts = split(text, &[", ", " and "]);
        if parts.len() > 1 {
            return Wanted::All(parts.into_iter().map(Wanted::read).collect());
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            return Wanted::read(inner);
        }
        match text.strip_prefix("either ") {
            Some(rest) => Wanted::Any(split(rest, &[" or "]).into_iter().map(Wanted::read).collect()),
            None => Wanted::One(text.to_string()),
        }
    }

    /// Checks a node. Errors: a condition that is no known phrase.
    pub fn of(&self, s: &State<'_>, node: &Node) -> Result<Truth, String> {
        match self {
            Wanted::One(text) => condition(s, node, text).ok_or_else(|| format!("no condition is like {text:?}")),
            Wanted::All(parts) => joined(parts, s, node, true),
            Wanted::Any(parts) => joined(parts, s, node, false),
        }
    }
}

fn joined(parts: &[Wanted], s: &State<'_>, node: &Node, all: bool) -> Result<Truth, String> {
    let mut truth = Some(all);
    for part in parts {
        match part.of(s, node)? {
            Some(it) if it != all => return Ok(Some(it)),
            Some(_) => {}
            None => truth = None,
        }
    }
    Ok(truth)
}

/// Splits a text at separators outside brackets that a condition follows.
fn split<'t>(text: &'t str, separators: &[&str]) -> Vec<&'t str> {
    let (mut out, mut from, mut depth) = (Vec::new(), 0, 0);
    for (i, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        let begins = |sep: &&&str| {
            i >= from
                && text[i..].strip_prefix(**sep).is_some_and(|rest| STARTS.iter().any(|start| rest.starts_with(start)))
        };
        if depth == 0
            && let Some(sep) = separators.iter().find(begins)
        {
            out.push(&text[from..i]);
            from = i + sep.len();
        }
    }
    out.push(&text[from..]);
    out
}

/// Checks a heading of the matrix without its marks for a node. Returns `None` if it is no known heading.
pub fn heading(s: &State<'_>, node: &Node, title: &str) -> Option<Truth> {
    let one = |form: &str| -> Option<Caught<'_>> { whole(form, title).into_iter().next() };
    match title {
        "runs" => return so(node.state.text() == "RUNNING" && !s.is_silent(node)),
        "not held" => return so(!s.is_held(node)),
        "not full" => return so(s.has_room(node)),
        "no label" => return so(s.names.partition(node.partition).is_empty()).map(|t| lent(s, node, t)),
        "not blacklisted" => return of_each(s, node, "blacklisted").map(|t| t.map(|it| !it)),
        "tried" | "place" | "gives one up" => return Some(None),
        "delayed OR" | "empty OR" => return so(false),
        _ => {}
    }
    if let Some(c) = one("{m} free") {
        // A reservation keeps the size that was requested when it was made.
        let other = node.reserved.is_some() && !s.is_held(node);
        return Some(s.has_at_least(node.free(), c[0]).filter(|_| !other));
    }
    if let Some(c) = one("{m} in all") {
        return Some(s.has_at_least(node.total, c[0]));
    }
    if let Some(c) = one("label {w}") {
        return so(s.names.partition(node.partition) == c[0]);
    }
    // Several targets of one clause.
    if let Some((left, right)) = title.split_once(" and ") {
        let (left, right) = (heading(s, node, left)?, heading(s, node, right)?);
        return Some(left.zip(right).map(|(a, b)| a && b).or_else(|| left.or(right).filter(|it| !it)));
    }
    let (scope, title) = match title.strip_prefix("rack: ") {
        Some(rest) => (Scope::Rack, rest),
        None => (Scope::Node, title),
    };
    for (sign, equal) in [("≠", false), ("=", true)] {
        if let Some((name, value)) = title.split_once(sign)
            && !title.contains(' ')
        {
            return so((s.attribute(node, name) == Some(value)) == equal);
        }
    }
    let bounded: [(&str, OfBounds); 4] = [
        ("no {w}", |_, _, most| most == 0),
        ("≥ {n} {w}", |n, least, _| least >= n[0]),
        ("≤ {n} {w}", |n, _, most| most <= n[0]),
        ("{n}–{n} {w}", |n, least, most| least >= n[0] && most <= n[1]),
    ];
    for (form, holds) in bounded {
        if let Some(caught) = whole(form, title).into_iter().next() {
            let (tag, numbers) = caught.split_last()?;
            let numbers: Vec<i64> = numbers.iter().filter_map(|n| number(n)).collect();
            let (namespace, tags) = tag.rsplit_once('/').unwrap_or(("self", tag));
            if tags == "tags" {
                let Ok(counts) = s.counts(node, scope == Scope::Rack, namespace) else { return Some(None) };
                let most = counts.iter().copied().max().unwrap_or(0);
                return Some((form == "no {w}" || form == "≤ {n} {w}").then(|| holds(&numbers, most, most)));
            }
            let all: Result<Vec<i64>, ()> = tags.split('+').map(|t| s.count(node, scope, namespace, t)).collect();
            let Ok(all) = all else { return Some(None) };
            return so(holds(&numbers, *all.iter().min()?, *all.iter().max()?));
        }
    }
    None
}

/// Checks the figure of a cell. Returns `None` if it is no figure of this kind.
pub fn figure(s: &State<'_>, node: &Node, title: &str, text: &str) -> Option<bool> {
    let there = match title {
        "not full" => node.free(),
        title if title.ends_with(" free") => node.free(),
        title if title.ends_with(" in all") => node.total,
        _ => return None,
    };
    let bare: Option<f64> = text.replace('−', "-").parse().ok();
    Some(match bare {
        // Memory has no unit; another type has its number alone.
        Some(n) => (0..s.types()).any(|i| {
            let is = if i == 0 { there[i] as f64 / 1024.0 } else { there[i] as f64 };
            (is - n).abs() < 0.006
        }),
        None => Amount::read(text).is_some() && s.is(there, text).is_ok(),
    })
}

#[test]
fn what_is_needed_is_read_as_it_is_joined() {
    let one = |text: &str| Wanted::One(text.to_string());
    assert_eq!(
        Wanted::read(
            "either (without zk and with hb) or with java=1.8, in a rack with at most 2 hb and with 2 GB free"
        ),
        Wanted::All(vec![
            Wanted::Any(vec![Wanted::All(vec![one("without zk"), one("with hb")]), one("with java=1.8")]),
            one("in a rack with at most 2 hb"),
            one("with 2 GB free"),
        ])
    );
    assert_eq!(Wanted::read("without zk and hb"), one("without zk and hb"));
}
