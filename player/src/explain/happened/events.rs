//! The journal's entries as rows of the events table and as marks of the scrubber, in plain words.

use crate::apps::{OwnAct, own};
use crate::explain::away::states_count;
use crate::explain::marks;
use crate::explain::names::{Names, is_am_request, is_in};
use crate::explain::refusal::{self, RefusalNotice};
use crate::explain::say::events::{self as say, Tone};
use crate::explain::say::preemption;
use crate::explain::verdicts;
use crate::explain::view::{EventOutcome, EventView, Mark, Selection, Timeline};
use crate::explain::words;
use heddle_core::check::{About, Amounts, Check, Failure, Outcome as CheckOutcome};
use heddle_core::constraint::Attributes;
use heddle_core::constraint::algorithm::{Met, Trail};
use heddle_core::constraint::attributes::split_name;
use heddle_core::journal::{
    Change, Entry, Finding, KillableBecause, MasterAct, NodeGone, Processing, Subject, VisitEnd,
};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, RequestKey, Resource, Selector};
use heddle_core::rm::{AppEnd, AppState, RmApp};
use heddle_core::scenario::{Act, AttributeChange};
use heddle_core::scheduler::Locality;
use heddle_core::scheduler::app::EndCause;
use heddle_core::sim::{Notice, Tried, TriedOutcome};
use heddle_core::strategy::exit::KILLED_BY_APPMASTER;

/// The number of bars in the histogram of placements.
const STRETCHES: usize = 200;
/// The number of a node's attributes that are named one by one.
const ATTRIBUTES: usize = 4;

/// The words for an entry, without its times.
struct EntryWords {
    fate: EventOutcome,
    verb: &'static str,
    who: Option<Selection>,
    name: String,
    node: String,
    why: String,
    yarn: String,
}

impl EntryWords {
    fn new(fate: EventOutcome, verb: &'static str) -> Self {
        EntryWords {
            fate,
            verb,
            who: None,
            name: String::new(),
            node: String::new(),
            why: String::new(),
            yarn: String::new(),
        }
    }

    fn app(mut self, names: Names<'_>, app: AppId) -> Self {
        self.name = names.app(app).to_string();
        self.who = Some(Selection::App(self.name.clone()));
        self
    }

    fn container(mut self, names: Names<'_>, id: ContainerId) -> Self {
        self.name = names.container_name(id);
        self.who = Some(names.container(id));
        self
    }

    fn request(mut self, names: Names<'_>, app: AppId, key: RequestKey) -> Self {
        let asks = names.rm().scheduled(app).and_then(|a| Some(a.asks.at(a.asks.find(key)?)));
        self.name = names.request_name(app, key, asks.map_or(0, |a| a.outstanding()));
        self.who = Some(names.request(app, key));
        self
    }

    fn on(mut self, names: Names<'_>, node: NodeId) -> Self {
        self.node = names.node(node).to_string();
        self
    }

    /// Returns the row: the first and the last time, and how many times.
    fn row(self, first: Millis, last: Millis, times: u64) -> EventView {
        let EntryWords { fate, verb, who, name, node, why, yarn } = self;
        EventView {
            time_ms: first,
            last_ms: last,
            fate,
            verb: verb.to_string(),
            who,
            name,
            node,
            why,
            yarn,
            mend: String::new(),
            times,
        }
    }

    fn about_node(mut self, names: Names<'_>, node: NodeId) -> Self {
        self.name = names.node(node).to_string();
        self.node.clone_from(&self.name);
        self.who = Some(Selection::Node(self.name.clone()));
        self
    }

    fn why(mut self, why: impl Into<String>) -> Self {
        self.why = why.into();
        self
    }

    fn yarn(mut self, yarn: impl Into<String>) -> Self {
        self.yarn = yarn.into();
        self
    }
}

/// Returns a row of the events table; `None` for entries that are only part of others.
pub fn event(names: Names<'_>, first: Millis, last: Millis, times: u64, entry: &Entry) -> Option<EventView> {
    Some(said(names, entry)?.row(first, last, times))
}

/// Returns the row of something that was refused or cut; `None` if it is about something else than asked, or is in the journal.
pub fn notice(names: Names<'_>, notice: &Notice, about: Option<&Selection>) -> Option<EventView> {
    let view = match &notice.outcome {
        TriedOutcome::Cut(cut) => refusal::cut_event(names, notice.at, &notice.tried, cut)?,
        TriedOutcome::Refused(_) => refusal::event(names, &RefusalNotice::of(notice).filter(|t| !t.in_journal())?),
        TriedOutcome::Nothing => changed_nothing(names, notice)?,
    };
    let of_act = || act_of(names, notice)?.app();
    let place = notice.tried.app().or_else(|| names.scenario().apps.iter().position(|a| Some(&*a.name) == of_act()));
    let app = place.and_then(|i| names.scenario().apps.get(i));
    let wanted = match about {
        None => true,
        Some(Selection::App(name)) => app.is_some_and(|a| a.name == *name),
        Some(Selection::User(name)) => app.is_some_and(|a| a.user == *name),
        Some(Selection::Queue(path)) => app.is_some_and(|a| a.queue == *path),
        about => view.who.as_ref() == about,
    };
    wanted.then_some(view)
}

/// Returns the act of the happening that a notice is about; `None` if it is about something else.
fn act_of<'a>(names: Names<'a>, notice: &Notice) -> Option<&'a Act> {
    let Tried::Happening(place) = notice.tried else { return None };
    names.scenario().happenings.get(place).map(|h| &h.act)
}

/// Returns the row of a happening that changed nothing.
fn changed_nothing(names: Names<'_>, notice: &Notice) -> Option<EventView> {
    let act = act_of(names, notice)?;
    let said = EntryWords::new(EventOutcome::Finished, say::NO_CHANGE).why(say::changed_nothing(act));
    let said = match (act.app(), act.node()) {
        (Some(app), _) => said.app(names, names.find_app(app)?),
        (None, Some(host)) => said.about_node(names, names.rm().node_by_host(host)?),
        (None, None) => said,
    };
    Some(said.row(notice.at, notice.at, 1))
}

/// Returns the row of a happening that leaves nothing in the journal, since the ResourceManager does not notice it: a node
/// falls silent, an AM hangs. `None`: it is another happening, it was refused, or it is about something else than asked.
pub fn unnoticed(names: Names<'_>, place: usize, about: Option<&Selection>) -> Option<EventView> {
    let happening = names.scenario().happenings.get(place)?;
    let refused = |n: &Notice| n.tried == Tried::Happening(place) && matches!(n.outcome, TriedOutcome::Refused(_));
    if happening.at > names.now || names.sim.notices().iter().any(refused) {
        return None;
    }
    let said = match &happening.act {
        Act::CrashNode(host) => EntryWords::new(EventOutcome::Lost, "falls silent")
            .about_node(names, names.rm().node_by_host(host)?)
            .why(say::FALLS_SILENT),
        Act::HangAm(app) => {
            EntryWords::new(EventOutcome::Rejected, "hangs").app(names, names.find_app(app)?).why(say::HANGS)
        }
        // Only the CapacityScheduler takes attributes.
        Act::Attributes { node, how, attributes } if names.rm().capacity().is_some() => {
            let [kept, given] = kept_in_words(names, place, node, *how, attributes)?;
            EntryWords::new(EventOutcome::Rejected, "keeps its attributes")
                .about_node(names, names.rm().node_by_host(node)?)
                .why(say::attributes_kept(&kept, &given))
        }
        _ => return None,
    };
    let app = happening.act.app().and_then(|name| names.rm().app(names.find_app(name)?));
    let wanted = match about {
        None => true,
        Some(Selection::User(name)) => app.is_some_and(|a| a.submission.user == *name),
        Some(Selection::Queue(path)) => app.is_some_and(|a| is_in(&a.queue, path)),
        about => said.who.as_ref() == about,
    };
    wanted.then(|| said.row(happening.at, happening.at, 1))
}

/// Returns a sentence for each happening that gave a node attributes which YARN ignored, with its time.
pub fn attributes_ignored(names: Names<'_>, node: &str) -> Vec<String> {
    let happenings = names.scenario().happenings.iter().enumerate().filter(|(_, h)| h.at <= names.now);
    let told = happenings.filter_map(|(place, h)| match &h.act {
        Act::Attributes { node: host, how, attributes } if host == node && names.rm().capacity().is_some() => {
            let [kept, given] = kept_in_words(names, place, host, *how, attributes)?;
            Some(say::attributes_ignored(&words::clock(h.at), &kept, &given))
        }
        _ => None,
    });
    told.collect()
}

/// Returns the attributes of a host whose values after a happening differ from those that it gives them ("disk=hdd"), and the
/// given ones ("disk=ssd"), each as a list; `None`: there are none. YARN ignores an added value while the attribute has one.
fn kept_in_words(
    names: Names<'_>,
    place: usize,
    host: &str,
    how: AttributeChange,
    attributes: &[(String, String)],
) -> Option<[String; 2]> {
    let scenario = names.scenario();
    let until = scenario.happenings.get(place).filter(|_| how != AttributeChange::Remove)?.at;
    let added = |attributes| (AttributeChange::Add, attributes);
    let registered = scenario.nodes.iter().filter(|n| n.spec.host == host && n.at <= until);
    let mut changes: Vec<_> = registered.map(|n| (n.at, added(&n.attributes))).collect();
    for (i, happening) in scenario.happenings.iter().enumerate() {
        let change = match &happening.act {
            Act::AddNode(node) if node.spec.host == host => added(&node.attributes),
            Act::Attributes { node, how, attributes } if node == host => (*how, attributes),
            _ => continue,
        };
        if (happening.at, i) <= (until, place) {
            changes.push((happening.at, change));
        }
    }
    heddle_core::model::order::sort_by_key(&mut changes, |(at, _)| *at);
    let mut known = Attributes::default();
    for (_, (how, attributes)) in changes {
        known.change(host, &how.call(attributes), attributes);
    }
    let kept = attributes.iter().filter_map(|(name, value)| {
        let has = split_name(name).and_then(|(prefix, name)| known.value(host, prefix, name))?;
        (has != value.as_str()).then(|| (format!("{name}={has}"), format!("{name}={value}")))
    });
    let (kept, given): (Vec<_>, Vec<_>) = kept.unzip();
    (!kept.is_empty()).then(|| [kept, given].map(|all| words::list(&all, ATTRIBUTES)))
}

/// Something that nobody planned, as a sentence without its full stop: a loss, a preemption, a kill, or giving up.
#[derive(Clone, Debug)]
pub struct Surprise {
    pub at: Millis,
    /// "etl-3 was preempted at 0:05: Others were owed its room"
    pub sentence: String,
    pub about: Option<Selection>,
}

/// Returns the surprise that an entry is, if it is one. Refusals, and the ends that follow from them, are shown as refusals.
pub fn surprise(names: Names<'_>, at: Millis, entry: &Entry) -> Option<Surprise> {
    let refused =
        |app| refusal::of_app(names, names.app(app)).is_some_and(|t| !matches!(t.tried, Tried::Request { .. }));
    match entry {
        Entry::Changed(Change::Rejected { .. }) => return None,
        Entry::Changed(Change::AppEnded { app }) if refused(*app) => return None,
        _ => {}
    }
    let said = said(names, entry)
        .filter(|s| matches!(s.fate, EventOutcome::Rejected | EventOutcome::Lost | EventOutcome::Preempting))?;
    let own_verb = match entry {
        Entry::Changed(Change::AppEnded { app }) => !names.rm().app(*app).is_some_and(|a| a.state == AppState::Killed),
        Entry::Changed(Change::Completed { why, .. }) => matches!(why, EndCause::Completed | EndCause::Expired),
        Entry::Changed(Change::NodeRemoved { why, .. }) => matches!(why, NodeGone::Decommissioned | NodeGone::Shutdown),
        _ => false,
    };
    // An ApplicationMaster's decision about a container is the application's act.
    let master = if let Entry::Acted(act) = entry { own(act) } else { None };
    let (name, own_verb) = master.map_or((said.name.as_str(), own_verb), |act| (names.app(act.app()), true));
    let sentence = say::surprise(name, own_verb, said.verb, &words::clock(at), &said.why);
    Some(Surprise { at, sentence, about: said.who })
}

fn said(names: Names<'_>, entry: &Entry) -> Option<EntryWords> {
    match entry {
        Entry::Changed(change) => say_change(names, change),
        Entry::Found(finding) => say_finding(names, finding),
        Entry::Processed(processing) => Some(say_processing(names, processing)),
        Entry::Acted(MasterAct::GaveBack { container, asked, worked, keeps }) => {
            let why = say::given_back(*asked, &words::span(*worked), *keeps);
            Some(EntryWords::new(EventOutcome::Preempting, "given back").container(names, *container).why(why))
        }
        Entry::Acted(act) => own(act).and_then(|act| decision(names, act)),
    }
}

/// Returns the words for a decision of an ApplicationMaster, about a container or the whole application.
fn decision(names: Names<'_>, act: &dyn OwnAct) -> Option<EntryWords> {
    let (tone, verb, why) = act.said(names)?;
    let said = EntryWords::new(fate(tone), verb);
    let said = match act.container() {
        Some(container) => said.container(names, container),
        None => said.app(names, act.app()),
    };
    Some(said.why(why).yarn(act.words(names)))
}

fn fate(tone: Tone) -> EventOutcome {
    match tone {
        Tone::Joins => EventOutcome::Joined,
        Tone::Waits => EventOutcome::Waiting,
        Tone::Placed => EventOutcome::Placed,
        Tone::Over => EventOutcome::Finished,
        Tone::Bad => EventOutcome::Rejected,
    }
}

fn say_change(names: Names<'_>, change: &Change) -> Option<EntryWords> {
    let types = &names.rm().cluster().types;
    let size = |r: &Resource| words::size(*r, types);
    let calc = names.rm().cluster().calculator;
    let counted = |r: &Resource| words::counted(*r, calc, types);
    Some(match change {
        Change::NodeAdded { node, total, partition } => {
            let why = say::node_joined(&size(total), names.partition(*partition));
            EntryWords::new(EventOutcome::Joined, "joined").about_node(names, *node).why(why)
        }
        Change::NodeRemoved { node, why } => {
            let (verb, words) = say::node_gone(*why);
            EntryWords::new(EventOutcome::Lost, verb).about_node(names, *node).why(words)
        }
        Change::NodeResized { node, from, to } => EntryWords::new(EventOutcome::Joined, "resized")
            .about_node(names, *node)
            .why(say::instead_of(&size(to), &size(from))),
        Change::NodeDecommissioning { node } => {
            let why = if states_count(names) { say::DRAINING } else { say::DRAINING_BY_SIZE };
            EntryWords::new(EventOutcome::Lost, "draining").about_node(names, *node).why(why)
        }
        Change::NodeRelabelled { node, from, to } => {
            let name = |p| say::label(names.partition(p));
            let why = say::instead_of(&name(*to), &name(*from));
            EntryWords::new(EventOutcome::Joined, "labelled").about_node(names, *node).why(why)
        }
        Change::Submitted { app, queue, user } => EntryWords::new(EventOutcome::Joined, "submitted")
            .app(names, *app)
            .why(say::submitted(names.queue(*queue), names.rm().cluster().user_name(*user))),
        Change::Rejected { app } => {
            let place = names.sim.place_of(*app);
            let known = names.rm().app(*app);
            let refusal = known.and_then(RmApp::rejected);
            let told = place.zip(refusal).map(|(i, refusal)| RefusalNotice {
                at: names.now,
                tried: Tried::Submission(i),
                refusal,
                choice: None,
            });
            let why = told.as_ref().map_or(String::new(), |t| refusal::rule(names, t).because);
            let yarn = known.map_or("", |a| a.diagnostics.as_str());
            EntryWords::new(EventOutcome::Rejected, "rejected").app(names, *app).why(why).yarn(yarn)
        }
        Change::AttemptAdded { app, attempt } if *attempt > 1 => {
            EntryWords::new(EventOutcome::Joined, "starts again").app(names, *app).why(say::attempt(*attempt))
        }
        Change::AttemptAdded { .. } | Change::AttemptEnded { .. } => return None,
        Change::Refreshed => {
            let said = EntryWords::new(EventOutcome::Joined, "settings").why(say::REFRESHED);
            EntryWords { name: "settings".to_string(), ..said }
        }
        Change::Unanswered { app } => {
            EntryWords::new(EventOutcome::Rejected, "not answered").app(names, *app).why(say::UNANSWERED)
        }
        Change::NotRunnable { app, why } => {
            let whose = match why.about {
                About::User(user) if why.check == Check::UserParallelLimitReadable => {
                    let why = say::no_number(names.rm().cluster().user_name(user));
                    return Some(EntryWords::new(EventOutcome::Rejected, "not added").app(names, *app).why(why));
                }
                About::User(user) => crate::explain::say::user(names.rm().cluster().user_name(user)),
                about => about.queue().map_or(String::new(), |queue| names.queue(queue).to_string()),
            };
            let (running, maximum) = why.figures.as_count().unwrap_or_default();
            EntryWords::new(EventOutcome::Waiting, "held back")
                .app(names, *app)
                .why(say::held_back(&whose, running, maximum))
        }
        Change::Activated { app, am_used, am_limit, as_only_one } => {
            let within = calc.fits_in(am_used, am_limit);
            let why = say::activated(&counted(am_used), &counted(am_limit), *as_only_one, within);
            EntryWords::new(EventOutcome::Joined, "activated").app(names, *app).why(why)
        }
        Change::NotActivated { app, why } => {
            let said = EntryWords::new(EventOutcome::Waiting, "not activated").app(names, *app);
            let amounts = why.figures.as_amounts();
            let text = |of: fn(&Amounts) -> Resource| amounts.map_or(String::new(), |a| counted(&of(a)));
            let (used, asked, limit) = (text(Amounts::used), text(Amounts::asked), text(|a| a.limit));
            let whose = if why.check == Check::UserAmLimit { "the user" } else { "the queue" };
            let words = match amounts {
                Some(_) => say::not_activated(whose, &used, &asked, &limit),
                None => say::NO_CLUSTER.to_string(),
            };
            said.why(words).yarn(why.check.row().yarn)
        }
        Change::Allocated { container, node, size: s, key, locality, from_reservation, am } => {
            let near = match locality {
                Locality::NodeLocal => 0,
                Locality::RackLocal => 1,
                Locality::OffSwitch => 2,
            };
            EntryWords::new(EventOutcome::Placed, "placed")
                .container(names, *container)
                .on(names, *node)
                .why(say::placed(&size(s), near, *from_reservation, (!am).then_some(key.priority)))
                .yarn(locality.text())
        }
        Change::Reserved { container, node, size: s, key, free } => EntryWords::new(EventOutcome::Reserved, "reserved")
            .request(names, container.app, *key)
            .on(names, *node)
            .why(say::reserved(&counted(s), names.node(*node), &counted(free)))
            .yarn("Node does not have sufficient resource for request"),
        Change::Unreserved { container, node, why, .. } => {
            let words = say::unreserved(*why)?;
            EntryWords::new(EventOutcome::Reserved, "unreserved")
                .container(names, *container)
                .on(names, *node)
                .why(words)
        }
        Change::ReservationMoved { container, from, to } => EntryWords::new(EventOutcome::Reserved, "moved")
            .container(names, *container)
            .on(names, *to)
            .why(preemption::reservation_moved(names.node(*from), names.node(*to)))
            .yarn(Selector::QueuePriority.class()),
        Change::Marked { container, node, by, killed_at, because, .. } => {
            let ends = marks::ends(names, *container, *killed_at);
            let figures = because.as_ref().map(|b| marks::because(names, b)).unwrap_or_default();
            let beyond = because.as_ref().is_some_and(|b| b.is_beyond_maximum());
            let because = preemption::because(*by, names.queue_of(container.app), beyond);
            let why = preemption::marked(&because, &figures, &ends);
            EntryWords::new(EventOutcome::Preempting, "marked").container(names, *container).on(names, *node).why(why)
        }
        Change::AskedBack { app, containers } => {
            let why = preemption::asked_back(i64::from(*containers));
            EntryWords::new(EventOutcome::Preempting, "asked back").app(names, *app).why(why)
        }
        Change::Starved { app, fair, fair_since, minimum, minimum_since, chosen, .. } => {
            let lack =
                |r: &Resource, since| (!r.is_zero()).then(|| (words::fair_share(*r, types), words::clock(since)));
            let why = say::starved(lack(fair, *fair_since), lack(minimum, *minimum_since), *chosen);
            EntryWords::new(EventOutcome::Waiting, "starved").app(names, *app).why(why)
        }
        Change::Warned { container, node, starved, kill_at, .. } => EntryWords::new(EventOutcome::Preempting, "warned")
            .container(names, *container)
            .on(names, *node)
            .why(say::warned(names.app(*starved), &words::clock(*kill_at))),
        Change::MadeKillable { container, node, because, .. } => {
            let why = match *because {
                KillableBecause::Round { by, since, beyond_maximum } => {
                    let because = preemption::because(by, names.queue_of(container.app), beyond_maximum);
                    preemption::killable(&because, &words::clock(since))
                }
                KillableBecause::Overcommit => preemption::killable_by_overcommit(),
            };
            EntryWords::new(EventOutcome::Preempting, "killable").container(names, *container).on(names, *node).why(why)
        }
        Change::Preempted { container, node, what_for, .. } => {
            let why = marks::preempted(names, *container, *what_for);
            EntryWords::new(EventOutcome::Preempting, "preempted")
                .container(names, *container)
                .on(names, *node)
                .why(why)
        }
        // The kill has its own entry; under the FairScheduler only the end has one.
        Change::Completed { why: EndCause::Preempted, .. } if names.rm().fair().is_none() => return None,
        Change::CommitRefused { app, key, node, why, .. } => {
            let words = verdicts::failure(names, why, About::App(*app));
            EntryWords::new(EventOutcome::Waiting, "not committed")
                .request(names, *app, *key)
                .on(names, *node)
                .why(words)
        }
        Change::Completed { container, node, exit_code, why, .. } => {
            let (fate, verb, words) = ended(*why, *exit_code);
            EntryWords::new(fate, verb).container(names, *container).on(names, *node).why(words)
        }
        Change::AppEnded { app } => {
            let known = names.rm().app(*app);
            let words = known.map_or("", |a| a.diagnostics.as_str());
            let (fate, verb) = match known.and_then(|a| a.end.as_ref()) {
                Some(AppEnd::AmFailed { .. } | AppEnd::Rejected(_)) => (EventOutcome::Rejected, "failed"),
                Some(AppEnd::Killed | AppEnd::LifetimeOver) => (EventOutcome::Rejected, "killed"),
                Some(AppEnd::Unregistered) if names.run(*app).and_then(|r| r.succeeded) == Some(false) => {
                    (EventOutcome::Rejected, "gave up")
                }
                Some(AppEnd::Unregistered) | None => (EventOutcome::Finished, "finished"),
            };
            let why = refusal::end(names, *app).unwrap_or_default();
            EntryWords::new(fate, verb).app(names, *app).why(why).yarn(words)
        }
        Change::Moved { app, from, to } => EntryWords::new(EventOutcome::Joined, "moved")
            .app(names, *app)
            .why(say::moved(names.queue(*from), names.queue(*to))),
        Change::PriorityChanged { app, from, to } => EntryWords::new(EventOutcome::Joined, "priority")
            .app(names, *app)
            .why(say::instead_of(&to.to_string(), &from.to_string())),
    })
}

fn say_processing(names: Names<'_>, processing: &Processing) -> EntryWords {
    match processing {
        Processing::Batch { app, attempt, proposed, left, died, trails } => {
            let placed: usize = proposed.iter().map(|(_, nodes)| nodes.len()).sum();
            let waiting: i64 = left.iter().map(|(_, count)| count).sum();
            let met = met_by_the_rest(trails, left);
            let met: Vec<_> = met.iter().map(|(met, looks, at)| (say_met(met), *looks, names.node(*at))).collect();
            let why = say::batch(*attempt, placed, waiting, *died, &met);
            EntryWords::new(if placed > 0 { EventOutcome::Reserved } else { EventOutcome::Waiting }, "batch")
                .app(names, *app)
                .why(why)
        }
        Processing::Rejected { app, key, count, check } => {
            let failed = Failure::of(*check);
            let (why, yarn) = (verdicts::failure(names, &failed, About::Request(*app, *key)), check.row().yarn);
            let attempts = names.rm().placement().settings.retry_attempts;
            let said = EntryWords::new(EventOutcome::Rejected, "rejected").request(names, *app, *key);
            EntryWords { name: names.past_request_name(*app, *key), ..said }
                .why(say::rejected(*count, attempts, &why))
                .yarn(yarn)
        }
    }
}

/// Returns, for each remaining request of a batch, what happened to it at nodes in its last pass: the number of tries and the
/// first node, most frequent first.
fn met_by_the_rest<'t>(trails: &'t [Trail], left: &[(i64, i64)]) -> Vec<(&'t Met, i64, NodeId)> {
    let mut out: Vec<(&Met, i64, NodeId)> = Vec::new();
    for (id, _) in left {
        let of_request = trails.iter().filter(|trail| trail.allocation_request_id == *id);
        let Some(last) = of_request.max_by_key(|trail| trail.pass) else { continue };
        for (met, looks, node) in last.met.iter().filter(|(met, ..)| *met != Met::Proposed) {
            match out.iter_mut().find(|(known, ..)| *known == met) {
                Some((_, sum, _)) => *sum += i64::from(*looks),
                None => out.push((met, i64::from(*looks), *node)),
            }
        }
    }
    out.sort_by_key(|(_, looks, _)| -looks);
    out
}

fn say_met(met: &Met) -> String {
    match met {
        Met::Blacklisted => say::met_blacklisted(),
        Met::DoesNotFit => say::met_no_room(),
        Met::Unsatisfied(words) => say::met_unsatisfied(words),
        Met::Error(error) => say::met_error(&error.to_string()),
        // A placed request is shown with its container.
        Met::Proposed => String::new(),
        Met::Dropped => say::met_dropped(),
    }
}

fn say_finding(names: Names<'_>, finding: &Finding) -> Option<EntryWords> {
    let (about, why, yarn) = match finding {
        Finding::Checked(checked) if checked.outcome == CheckOutcome::Failed => {
            (checked.about, verdicts::failed(names, checked), verdicts::yarn(names, checked))
        }
        Finding::Leave { about, end } => {
            let yarn = match (about, end) {
                (About::OnNode(..), VisitEnd::ReReserved { .. }) => Check::NodeFree.row().yarn,
                _ => "",
            };
            (*about, verdicts::kept(names, *about, *end)?, yarn.to_string())
        }
        Finding::Checked(_)
        | Finding::Alike { .. }
        | Finding::Offer { .. }
        | Finding::IgnoreExclusivity
        | Finding::Children { .. }
        | Finding::Shares { .. }
        | Finding::Apps { .. }
        | Finding::Requests { .. }
        | Finding::Enter(_)
        | Finding::OfferOver { .. }
        | Finding::TurnOver { .. } => return None,
    };
    let said = EntryWords::new(EventOutcome::Waiting, "passed over");
    let said = match about {
        About::Queue(queue) => {
            let path = names.queue(queue).to_string();
            EntryWords { name: path.clone(), who: Some(Selection::Queue(path)), ..said }
        }
        About::App(app) => said.app(names, app),
        About::Request(app, key) => said.request(names, app, key),
        About::OnNode(app, key, node) => said.request(names, app, key).on(names, node),
        About::Cluster | About::Node(_) | About::User(_) => return None,
    };
    (!why.is_empty()).then(|| said.why(why).yarn(yarn))
}

fn ended(why: EndCause, exit_code: i32) -> (EventOutcome, &'static str, String) {
    let (verb, words) = say::ended(why, exit_code);
    let fate = match why {
        EndCause::Completed if exit_code == 0 => EventOutcome::Finished,
        EndCause::Completed if exit_code == KILLED_BY_APPMASTER => EventOutcome::Finished,
        EndCause::Released | EndCause::AppOver => EventOutcome::Finished,
        EndCause::Completed | EndCause::LostNode | EndCause::Vanished(_) | EndCause::Expired => EventOutcome::Lost,
        EndCause::Preempted | EndCause::Overcommit => EventOutcome::Preempting,
    };
    (fate, verb, words)
}

/// Returns whether an entry is about `about`.
pub fn concerns(names: Names<'_>, entry: &Entry, about: &Selection) -> bool {
    let Subject { app, key, container, node, queue } = entry.subject();
    match about {
        Selection::App(name) => app.is_some_and(|a| names.app(a) == name),
        Selection::Node(name) => node.is_some_and(|n| names.node(n) == name),
        Selection::Queue(path) => {
            let of_app = || app.and_then(|a| names.rm().app(a)).map(|a| a.queue.as_str());
            let queue = queue.map(|q| names.queue(q)).or_else(of_app);
            queue.is_some_and(|q| is_in(q, path))
        }
        Selection::User(name) => app.and_then(|a| names.rm().app(a)).is_some_and(|a| a.submission.user == *name),
        Selection::Landing { .. } => false,
        Selection::Refresh(_) => matches!(entry, Entry::Changed(Change::Refreshed)),
        Selection::Container { app, k } => {
            let wanted = names.find_app(app).and_then(|a| names.nth(a, *k));
            wanted.is_some() && container == wanted
        }
        Selection::Request { app: name, key: wanted } | Selection::Clause { app: name, key: wanted, .. } => {
            let same_app = app.is_some_and(|a| names.app(a) == name);
            same_app && key.is_some_and(|k| k.to_string() == *wanted)
        }
    }
}

/// Returns the scrubber's data: marks of rare events and a histogram of placements.
pub fn timeline<'e>(
    names: Names<'_>,
    entries: impl IntoIterator<Item = (Millis, &'e Entry)>,
    end_ms: Millis,
) -> Timeline {
    let mut placements = vec![0u32; STRETCHES];
    let mut marks = Vec::new();
    for told in names.sim.notices().iter().filter_map(RefusalNotice::of).filter(|t| !t.in_journal()) {
        let view = refusal::event(names, &told);
        let text = format!("{} {}", view.name, view.verb);
        marks.push(Mark { time_ms: told.at, fate: view.fate, text, about: view.who });
    }
    for (at, entry) in entries {
        match entry {
            Entry::Changed(Change::Allocated { .. }) => {
                let at = at.clamp(0, end_ms - 1);
                let i = (at as i128 * STRETCHES as i128 / i128::from(end_ms)) as usize;
                placements[i.min(STRETCHES - 1)] += 1;
            }
            // Everything joins at the start: no marks.
            Entry::Changed(Change::NodeAdded { .. } | Change::Submitted { .. }) if at == 0 => {}
            // Most ends of a long run are of this kind; they make no mark, so their words are not built.
            Entry::Changed(Change::Completed { why, exit_code, .. })
                if ended(*why, *exit_code).0 == EventOutcome::Finished => {}
            // Findings never make a mark.
            Entry::Found(_) => {}
            Entry::Changed(_) | Entry::Processed(_) | Entry::Acted(_) => {
                let Some(said) = said(names, entry) else { continue };
                if matches!(said.fate, EventOutcome::Waiting | EventOutcome::Finished | EventOutcome::Placed) {
                    continue;
                }
                let on = if said.node.is_empty() || said.node == said.name {
                    String::new()
                } else {
                    format!(" on {}", said.node)
                };
                let text = format!("{} {}{on}", said.name, said.verb);
                marks.push(Mark { time_ms: at, fate: said.fate, text, about: said.who });
            }
        }
    }
    heddle_core::model::order::sort_by_key(&mut marks, |m: &Mark| m.time_ms);
    Timeline { end_ms, known_ms: names.sim.now(), marks, placements }
}

/// Returns whether the request with this key is the one for the application's AM.
pub fn for_am(names: Names<'_>, app: AppId, key: RequestKey) -> bool {
    names.rm().scheduled(app).is_some_and(|a| is_am_request(a, key))
}
