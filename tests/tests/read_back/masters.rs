//! The sentences about requests of Slider applications and Samza jobs, checked against their ApplicationMasters' own state
//! and the nodes.

use super::form::{clock, listed, number, whole};
use super::sentences::{Beside, Reader, Said, said};
use heddle_core::apps::samza::strategy::{ANY_HOST, Wish};
use heddle_core::apps::slider::strategy::master::SliderMaster;
use heddle_core::apps::slider::strategy::requests::{Request, Target, component_of};
use heddle_core::apps::slider::strategy::{Component, Slider};
use heddle_core::model::Resource;
use heddle_core::scheduler::{Node, Scheduler};

/// The forms of the masters' sentences.
pub const FORMS: &[(&str, Reader)] = &[
    // ---- Slider: what it waits for
    ("Slider asks for {w} on {w} and nowhere else; relaxed by its first check after {t}.", |b, c| {
        on_host(b, c[0], c[1], Some(c[2]))
    }),
    ("Slider asks for {w} on {w}, which is {w}, and nowhere else; relaxed by its first check after {t}.", |b, c| {
        on_host(b, c[0], c[1], Some(c[3]))
    }),
    ("Slider asks for {w} on {w} and nowhere else; never relaxed (strict placement).", |b, c| {
        on_host(b, c[0], c[1], None)
    }),
    ("Slider asks for {w} on {w}, which is {w}, and nowhere else; never relaxed (strict placement).", |b, c| {
        on_host(b, c[0], c[1], None)
    }),
    ("Slider wanted {w} on {w}, and relaxed the request at {t}: YARN may place it anywhere.", |b, c| {
        asked_by_slider(b, c[0], |master, r| {
            r.target == Target::Host(c[1].to_string()) && r.escalated_at.map(|at| at - master.clock()) == whole_ms(c[2])
        })
    }),
    ("Slider asks for {w} anywhere.", |b, c| asked_by_slider(b, c[0], |_, r| r.target == Target::Anywhere)),
    ("Slider asks for {w} on the only host without an instance of it.", |b, c| one_of(b, &[c[0], "1"])),
    ("Slider asks for {w} on any of {n} hosts without an instance of it.", one_of),
    ("{n} instance of {w} not asked for yet: instances that must not share a host are asked for one by one.", pending),
    ("{n} instances of {w} not asked for yet: instances that must not share a host are asked for one by one.", pending),
    ("{n} instance of {w} not asked for: no host can take one. YARN sees no demand for it.", no_host),
    ("{n} instance of {w} not asked for: no host can take one ({x}). YARN sees no demand for it.", no_host),
    ("{n} instances of {w} not asked for: no host can take one. YARN sees no demand for them.", no_host),
    ("{n} instances of {w} not asked for: no host can take one ({x}). YARN sees no demand for them.", no_host),
    ("Slider asks for {w} at its next review.", |b, c| {
        of_component(b, c[0], |_, c| c.counters.delta() - c.counters.pending_aa > 0)
    }),
    ("Slider counts a request of {w} as made and has forgotten it; YARN may still have it.", |b, c| {
        of_component(b, c[0], |slider, c| c.counters.requested > tracked(slider, c) as i64)
    }),
    ("The FifoScheduler takes no notice of that: it may place it on any node.", |b, _| {
        said(matches!(b.s.rm().scheduler(), Scheduler::Fifo(_)), || "it is no FifoScheduler".into())
    }),
    ("YARN knows no host {w}.", |b, c| said(b.s.node(c[0]).is_none(), || format!("{} is known", c[0]))),
    ("A label is never sent with hosts: YARN gives it nothing on {x}, which has the label {w}.", label_not_sent),
    ("A label is never sent with hosts: YARN gives it nothing on {x}, which have the label {w}.", label_not_sent),
    // ---- Slider: the manual's causes, and their cures
    ("Cause {n} of Slider's manual: {x}.", cause),
    ("More nodes would help, or fewer or smaller instances; Slider itself does its part.", |b, _| {
        cures(b, 1, "More nodes would help, or fewer or smaller instances; Slider itself does its part.")
    }),
    ("It comes when others end, or with a smaller size; Slider itself does its part.", |b, _| {
        cures(b, 2, "It comes when others end, or with a smaller size; Slider itself does its part.")
    }),
    ("A queue or a user with a larger share would help, or patience; Slider itself does its part.", |b, _| {
        cures(b, 3, "A queue or a user with a larger share would help, or patience; Slider itself does its part.")
    }),
    ("Bring the host back, or set the policy to 0 and start the ApplicationMaster anew.", |b, _| {
        cures(b, 4, "Bring the host back, or set the policy to 0 and start the ApplicationMaster anew.")
    }),
    ("More hosts with its label would help, or fewer instances: Slider never puts two on one host.", |b, _| {
        cures(b, 5, "More hosts with its label would help, or fewer instances: Slider never puts two on one host.")
    }),
    ("More hosts would help, or fewer instances: Slider never puts two on one host.", |b, _| {
        cures(b, 5, "More hosts would help, or fewer instances: Slider never puts two on one host.")
    }),
    ("Ask for less, or bring a larger node.", |b, _| cures(b, 6, "Ask for less, or bring a larger node.")),
    ("Label more nodes, or change yarn.label.expression and start the ApplicationMaster anew.", |b, _| {
        cures(b, 7, "Label more nodes, or change yarn.label.expression and start the ApplicationMaster anew.")
    }),
    // ---- Samza
    ("Samza has asked for container {w} on {x} since {t}.", |b, c| asked_by_samza(b, c[0], c[1], c[2])),
    ("Samza has asked for container {w} on {x} since {t}, and asks anew at {t}.", |b, c| {
        asked_by_samza(b, c[0], c[1], c[2])
    }),
    ("Samza has asked for container {w} on {x} since {t}, and goes elsewhere if it is not there by {t}.", |b, c| {
        asked_by_samza(b, c[0], c[1], c[2])
    }),
    ("A container on {w} is there for container {w}; Samza starts it there with its next look.", |b, c| {
        let samza = b.s.names.sim.samza(b.place()).and_then(|m| m.attempt()).map(|a| a.samza());
        let head = samza.and_then(|samza| samza.requests().head());
        let there = head.and_then(|head| Some(samza?.requests().peek(&head.wish)?.host.as_str()));
        let is_it = head.is_some_and(|head| head.processor == c[1]) && there == Some(c[0]);
        said(is_it, || format!("{there:?} is there for {head:?}"))
    }),
    (
        "A container on {w} is there for container {w}, which asked for {x}; Samza serves only the head of its queue, container {w}.",
        |b, c| {
            let Some(samza) = b.s.names.sim.samza(b.place()).and_then(|m| m.attempt()).map(|a| a.samza()) else {
                return Said::Other;
            };
            let head = samza.requests().head().map(|r| r.processor.as_str());
            let waits = samza.requests().queue().any(|r| r.processor == c[1] && is_place(&r.wish, c[2]));
            said(head == Some(c[3]) && waits, || format!("{head:?} is at the head"))
        },
    ),
    (
        "{n} container on {w} was given back: a copy of the same state is on that {x}, which YARN is not told.",
        |b, c| copies(b, c[0], c[1]),
    ),
    (
        "{n} containers, the last one on {w}, were given back: a copy of the same state is on that {x}, which YARN is not told.",
        |b, c| copies(b, c[0], c[1]),
    ),
    ("There is no host but {x}.", |b, c| {
        let Some((hosts, _)) = listed(c[0]) else { return Said::Other };
        said(b.s.in_service().iter().all(|n| hosts.contains(&n.host.as_str())), || "another node is in service".into())
    }),
    ("No host but {x} has room for it: {x}.", |b, c| {
        let Some((hosts, _)) = listed(c[0]) else { return Said::Other };
        let others = b.s.in_service().into_iter().filter(|n| !hosts.contains(&n.host.as_str()));
        said(others.into_iter().all(|n| !b.s.fits(b.s.w.size, n.free())), || format!("not only {hosts:?} have room"))
    }),
];

fn whole_ms(text: &str) -> Option<i64> {
    clock(text)
}

// ---- Slider

fn books<'a>(b: &Beside<'a>) -> Option<(&'a SliderMaster, &'a Slider)> {
    let master = b.s.names.sim.slider(b.place())?;
    Some((master, master.attempt()?.slider()))
}

fn requests<'a>(slider: &'a Slider, of: &Component) -> impl Iterator<Item = &'a Request> {
    let (all, id) = (&slider.history().requests, of.id());
    all.placed().chain(all.open()).filter(move |r| r.component == id)
}

fn tracked(slider: &Slider, of: &Component) -> usize {
    requests(slider, of).count()
}

fn of_component(b: &Beside<'_>, name: &str, is: impl Fn(&Slider, &Component) -> bool) -> Said {
    let Some((_, slider)) = books(b) else { return Said::Other };
    let Some(component) = slider.components().find(|c| c.name == name) else { return Said::Other };
    said(is(slider, component), || format!("{name}: {:?}", component.counters))
}

fn asked_by_slider(b: &Beside<'_>, name: &str, is: impl Fn(&SliderMaster, &Request) -> bool) -> Said {
    let Some((master, _)) = books(b) else { return Said::Other };
    of_component(b, name, |slider, c| requests(slider, c).any(|r| is(master, r)))
}

/// `relaxes` is the time after which it relaxes; `None` for never.
fn on_host(b: &Beside<'_>, name: &str, host: &str, relaxes: Option<&str>) -> Said {
    asked_by_slider(b, name, |master, r| {
        let after = r.may_escalate.then(|| r.escalates_after - master.clock());
        r.target == Target::Host(host.to_string()) && r.escalated_at.is_none() && after == relaxes.and_then(whole_ms)
    })
}

fn one_of(b: &Beside<'_>, c: &[&str]) -> Said {
    let hosts = number(c[1]);
    asked_by_slider(b, c[0], |_, r| matches!(&r.target, Target::OneOf(all) if Some(all.len() as i64) == hosts))
}

fn pending(b: &Beside<'_>, c: &[&str]) -> Said {
    of_component(b, c[1], |_, component| number(c[0]) == Some(component.counters.pending_aa))
}

/// Checks that no host can take an anti-affine instance, because each that it may use has one.
fn no_host(b: &Beside<'_>, c: &[&str]) -> Said {
    let counted = pending(b, c);
    if !matches!(counted, Said::True) {
        return counted;
    }
    of_component(b, c[1], |_, component| component.aa_outstanding.is_none())
}

pub fn label_not_sent(b: &Beside<'_>, c: &[&str]) -> Said {
    let Some((hosts, _)) = listed(c[0]) else { return Said::Other };
    let labelled = |host: &&str| b.s.node(host).is_some_and(|n| b.s.names.partition(n.partition) == c[1]);
    said(hosts.iter().all(labelled), || format!("not all of {hosts:?} have label {}", c[1]))
}

/// Returns the nodes that Slider considers usable, optionally those with a label.
fn usable<'a>(b: &Beside<'a>, label: Option<&str>) -> Vec<&'a Node> {
    let of = |n: &&Node| label.is_none_or(|label| b.s.names.partition(n.partition) == label);
    b.s.in_service().into_iter().filter(of).collect()
}

/// Returns the components that a cause is about: each is named by the last sentence before it about what Slider waits for,
/// with whether that names the only hosts on which it may be. Several components may share a cause.
fn meant<'a>(b: &Beside<'a>, slider: &'a Slider, told: &str) -> Vec<(&'a Component, bool)> {
    let text = b.s.why.sentence.as_str();
    let of = |at: usize| {
        let before = &text[..at];
        let named = |c: &'a Component| {
            let said = ["Slider asks for {w} ", "Slider wanted {w} on ", " of {w} not asked for"];
            let places = said.iter().filter_map(|form| before.rfind(&form.replace("{w}", &c.name)));
            places.max().map(|place| (place, c))
        };
        let (place, component) = slider.components().filter_map(named).max_by_key(|(place, _)| *place)?;
        Some((component, before[place..].contains(" and nowhere else; ")))
    };
    text.match_indices(told).filter_map(|(at, _)| of(at)).collect()
}

/// Checks that a cause of Slider's manual applies to each component that it is said of.
fn cause(b: &Beside<'_>, c: &[&str]) -> Said {
    let (Some(n), Some((_, slider))) = (number(c[0]), books(b)) else { return Said::Other };
    let all = meant(b, slider, &format!("Cause {} of Slider's manual: {}.", c[0], c[1]));
    let mut wrong = all.iter().map(|of| is_cause(b, slider, *of, c[1]));
    if all.is_empty() {
        return Said::False(format!("cause {n} is told of no component: {}", c[1]));
    }
    match wrong.find(|is| *is != Some((true, n))) {
        None => Said::True,
        Some(None) => Said::Other,
        Some(Some(_)) => Said::False(format!("cause {n} is not so: {}", c[1])),
    }
}

/// Returns whether the words of a cause are true of a component, and the cause's number; `None` if they are no cause's.
fn is_cause(b: &Beside<'_>, slider: &Slider, (of, bound): (&Component, bool), words: &str) -> Option<(bool, i64)> {
    let one = |form: &str| whole(form, words).into_iter().next();
    let size = of.size;
    let fits = |room: Resource| b.s.fits(size, room);
    // A label is never sent with hosts, and without one YARN uses the default.
    let own = component_of(b.s.w.key.priority) == of.id();
    let default = if own { b.s.names.partition(b.s.w.partition) } else { "" };
    let label = of.settings.label.as_deref().filter(|_| !bound).unwrap_or(default);
    let bound = bound && !b.s.rm().scheduler().ignores_places();
    Some(if let Some(c) = one("even when nothing else runs, there is room for {n} of the {n} that are wanted") {
        let times =
            |n: &&Node| (0..b.s.types()).filter(|i| size[*i] > 0).map(|i| n.total[i] / size[i]).min().unwrap_or(0);
        let room: i64 = usable(b, Some(label)).iter().map(times).sum();
        let wanted = number(c[1]);
        (number(c[0]) == Some(room) && wanted == Some(of.counters.desired) && wanted > Some(room), 1)
    } else if let Some(c) = one("{n} node that it may use would be large enough, and what runs leaves no room")
        .or_else(|| one("{n} nodes that it may use would be large enough, and what runs leaves no room"))
    {
        let within = usable(b, Some(label));
        let large = within.iter().filter(|n| fits(n.total)).count() as i64;
        let full = bound || within.iter().all(|n| !fits(n.free()));
        (full && number(c[0]) == Some(if bound { large.min(1) } else { large }), 2)
    } else if let Some(c) =
        one("{n} node with room, kept from it by a limit of its queue or user, or by who comes first")
            .or_else(|| one("{n} nodes with room, kept from it by a limit of its queue or user, or by who comes first"))
    {
        let room = usable(b, Some(label)).iter().filter(|n| fits(n.free())).count() as i64;
        let told = number(c[0]);
        (if bound { told == Some(room.min(1)) } else { told > Some(0) && told <= Some(room) }, 3)
    } else if let Some(c) = one("{w} is {x}, and strict placement waits for it") {
        let state = b.s.node(c[0]).map_or("not in the cluster", |n| n.state.text());
        let on = requests(slider, of).any(|r| r.target == Target::Host(c[0].to_string()));
        (state == c[1] && state != "RUNNING" && on, 4)
    } else if one("no host is left").is_some() {
        (of.counters.pending_aa > 0 && of.aa_outstanding.is_none(), 5)
    } else if let Some(c) = one("no host is left: {x}") {
        // Each host that Slider knows is left out for one reason.
        let counted: Option<Vec<i64>> = c[0].split(", ").map(|part| number(part.split(' ').next()?)).collect();
        let hosts = slider.history().nodes.len() as i64;
        let all = counted.is_some_and(|counted| counted.iter().sum::<i64>() == hosts);
        (of.counters.pending_aa > 0 && of.aa_outstanding.is_none() && all, 5)
    } else if let Some(c) = one("{n} host is without an instance, and it has no room")
        .or_else(|| one("{n} hosts without an instance, and none of them has room"))
    {
        let is = |r: &Request| {
            matches!(&r.target, Target::OneOf(hosts) if {
                let full = hosts.iter().filter_map(|h| b.s.node(h)).all(|n| !fits(n.free()) || b.s.names.partition(n.partition) != default);
                Some(hosts.len() as i64) == number(c[0]) && full
            })
        };
        (requests(slider, of).any(is), 5)
    } else if let Some(c) = one("{m} and {m} is asked for, and the most that a node has is {m} and {m}") {
        let most = usable(b, None).iter().fold(Resource::ZERO, |most, n| most.component_max(n.total));
        let asked = b.s.is(of.size, c[0]).is_ok() && b.s.is(of.size, c[1]).is_ok();
        (asked && b.s.is(most, c[2]).is_ok() && b.s.is(most, c[3]).is_ok(), 6)
    } else if let Some(c) = one("no usable node has the label {w}") {
        (usable(b, Some(c[0])).is_empty(), 7)
    } else {
        let c = one("{n} node with the label {w}, without room; room elsewhere does not count")
            .or_else(|| one("{n} nodes with the label {w}, without room; room elsewhere does not count"))?;
        let those = usable(b, Some(c[1]));
        (number(c[0]) == Some(those.len() as i64) && those.iter().all(|n| !fits(n.free())), 7)
    })
}

/// Checks that a cure follows its cause immediately, everywhere.
fn cures(b: &Beside<'_>, cause: i64, cure: &str) -> Said {
    let text = b.s.why.sentence.as_str();
    let follows = |(at, _): (usize, &str)| {
        let before = &text[..at];
        let causes = before.match_indices("Cause ").filter(|(at, _)| before[*at..].contains(" of Slider's manual: "));
        let last = causes.last().map(|(at, _)| &before[at..]);
        last.is_some_and(|last| last.starts_with(&format!("Cause {cause} of ")) && last.matches(". ").count() <= 1)
    };
    let mut told = text.match_indices(cure).peekable();
    let named = told.peek().is_some() && told.all(follows);
    said(named, || format!("the cure of cause {cause} does not follow it in {text:?}"))
}

// ---- Samza

/// Returns whether a wish is for this place: "n1", "any host".
fn is_place(wish: &Wish, text: &str) -> bool {
    match wish {
        Wish::AnyHost => text.contains("any host") || text == ANY_HOST,
        Wish::Host(host) => text == host,
        Wish::Unknown => true,
    }
}

fn asked_by_samza(b: &Beside<'_>, processor: &str, place: &str, since: &str) -> Said {
    let Some(attempt) = b.s.names.sim.samza(b.place()).and_then(|m| m.attempt()) else { return Said::Other };
    let queue: Vec<_> = attempt.samza().requests().queue().collect();
    let is = queue.iter().any(|r| r.processor == processor && is_place(&r.wish, place) && clock(since) == Some(r.at));
    said(is, || format!("no request of {processor} on {place} since {since}: {queue:?}"))
}

/// Checks that so many containers were released because of a copy, the last on this host.
fn copies(b: &Beside<'_>, n: &str, host: &str) -> Said {
    let Some(attempt) = b.s.names.sim.samza(b.place()).and_then(|m| m.attempt()) else { return Said::Other };
    let (samza, n) = (attempt.samza(), number(n));
    let mut asked = samza.requests().queue().filter_map(|r| samza.course(&r.processor)).map(|c| &c.forbidden);
    said(asked.any(|(times, on)| Some(*times as i64) == n && on == host), || format!("{n:?} on {host}"))
}
