//! Sentences about preemption that gains nothing, the last of an answer: each a form, compared with what rounds preempted and
//! who got what since.

use super::form::{begins, bold, bolds, clock, number};
use super::tape::{Given, Taken, Tape};
use heddle_core::model::{AppId, Millis, QueueId};
use heddle_core::rm::ResourceManager;

/// The data for forms.
struct Told<'a> {
    rm: &'a ResourceManager,
    tape: &'a Tape,
}

/// Returns whether the words in the holes are true.
type Is = fn(&Told<'_>, &[&str]) -> bool;

const FORMS: &[(&str, Is)] = &[
    (
        "Preemption goes in circles: since {t} {n} rounds have killed {n} container of {h}, {x} every {x}. {h} got that room again {n} times; {h}, which is owed room, got nothing.",
        |t, c| t.circles(c),
    ),
    (
        "Preemption goes in circles: since {t} {n} rounds have killed {n} containers of {h}, {x} every {x}. {h} got that room again {n} times; {h}, which is owed room, got nothing.",
        |t, c| t.circles(c),
    ),
    (
        "Preemption goes to and fro: since {t} {h} and {h} have taken the same room from each other {n} times, back and forth in {x}; {n} container was killed.",
        |t, c| t.ping_pong(c),
    ),
    (
        "Preemption goes to and fro: since {t} {h} and {h} have taken the same room from each other {n} times, back and forth in {x}; {n} containers were killed.",
        |t, c| t.ping_pong(c),
    ),
    (
        "{n} container of {hs} was killed at {t}, and {h}, which waits for room, has been given nothing since.",
        |t, c| t.in_vain(c[0], c[1], [c[2], c[2]], c[3]),
    ),
    (
        "{n} containers of {hs} were killed at {t}, and {h}, which waits for room, has been given nothing since.",
        |t, c| t.in_vain(c[0], c[1], [c[2], c[2]], c[3]),
    ),
    (
        "{n} containers of {hs} were killed from {t} to {t}, and {h}, which waits for room, has been given nothing since.",
        |t, c| t.in_vain(c[0], c[1], [c[2], c[3]], c[4]),
    ),
];

/// Removes such a sentence from an answer. Returns its form as well.
pub fn without(rm: &ResourceManager, tape: &Tape, text: &str) -> Result<(String, Option<&'static str>), String> {
    let told = Told { rm, tape };
    for (at, _) in text.match_indices(". ") {
        let (head, tail) = (&text[..=at], &text[at + 2..]);
        for (form, is) in FORMS {
            let whole_sentence = |rest: &str| rest.is_empty() || rest.starts_with(' ');
            let mut all = begins(form, tail);
            all.retain(|(_, rest)| whole_sentence(rest));
            if let Some((_, rest)) = all.iter().find(|(caught, _)| is(&told, caught)) {
                return Ok((format!("{head}{rest}"), Some(form)));
            }
            if !all.is_empty() {
                return Err(format!("it is not so: {tail:?}, read as {form:?}"));
            }
        }
    }
    Ok((text.to_string(), None))
}

impl<'a> Told<'a> {
    /// Returns containers that rounds preempted since a moment from applications that still exist, with their queues.
    fn taken(&self, since: Millis) -> Vec<(Taken, QueueId)> {
        let rm = self.rm;
        let taken = self.tape.taken.iter().filter(|taken| taken.at >= since);
        taken.filter_map(|taken| Some((*taken, rm.scheduled(taken.app)?.queue))).collect()
    }

    /// Returns what a queue got since a moment.
    fn given_to(&self, queue: QueueId, since: Millis) -> Vec<&'a Given> {
        let in_queue = |app: AppId| self.rm.scheduled(app).is_some_and(|app| app.queue == queue);
        self.tape.given.iter().filter(|given| given.at >= since && in_queue(given.app)).collect()
    }

    fn queue(&self, name: &str) -> Option<QueueId> {
        self.rm.queue(bold(name)?)
    }

    /// `c`: since when, rounds, containers, who gives, how many, how often, who gives, how often it got the room again, who
    /// is owed.
    fn circles(&self, c: &[&str]) -> bool {
        let (Some(from), Some(gives), Some(owed)) = (clock(c[0]), self.queue(c[3]), self.queue(c[8])) else {
            return false;
        };
        let taken: Vec<Taken> = self.taken(from).into_iter().filter(|(_, q)| *q == gives).map(|(t, _)| t).collect();
        let mut rounds: Vec<Millis> = taken.iter().map(|taken| taken.at).collect();
        rounds.dedup();
        let again = self
            .given_to(gives, from)
            .iter()
            .filter(|g| taken.iter().any(|t| t.node == g.node && t.at <= g.at))
            .count();
        rounds.first() == Some(&from)
            && number(c[1]) == Some(rounds.len() as i64)
            && number(c[2]) == Some(taken.len() as i64)
            && self.queue(c[6]) == Some(gives)
            && number(c[7]) <= Some(again as i64)
            && self.given_to(owed, from).is_empty()
    }

    /// `c`: since when, the two queues, turns, the span of a turn, containers.
    fn ping_pong(&self, c: &[&str]) -> bool {
        let (Some(from), Some(a), Some(b)) = (clock(c[0]), self.queue(c[1]), self.queue(c[2])) else { return false };
        let taken = self.taken(from);
        let mut turns: Vec<QueueId> = taken.iter().map(|(_, queue)| *queue).collect();
        turns.dedup();
        turns.first() == Some(&a)
            && turns.iter().all(|queue| [a, b].contains(queue))
            && number(c[3]) == Some(turns.len() as i64)
            && number(c[5]) == Some(taken.len() as i64)
    }

    /// Checks that so many were preempted from queues between these moments and none later, and that this queue has got
    /// nothing since.
    fn in_vain(&self, n: &str, gives: &str, [from, to]: [&str; 2], owed: &str) -> bool {
        let (Some(from), Some(to), Some(owed)) = (clock(from), clock(to), self.queue(owed)) else { return false };
        let taken: Vec<_> = self.taken(from).into_iter().filter(|(_, queue)| *queue != owed).collect();
        let Some((named, more)) = bolds(gives) else { return false };
        let mut queues: Vec<QueueId> = taken.iter().map(|(_, queue)| *queue).collect();
        queues.sort_unstable();
        queues.dedup();
        let is_named = |path: &&str| self.rm.queue(path).is_some_and(|queue| queues.contains(&queue));
        number(n) == Some(taken.len() as i64)
            && queues.len() as i64 == named.len() as i64 + more
            && named.iter().all(is_named)
            && taken.first().is_some_and(|(first, _)| first.at == from)
            && taken.last().is_some_and(|(last, _)| last.at == to)
            && self.given_to(owed, from).is_empty()
    }
}
