//! Answers about distributed shells.

#[cfg(test)]
pub(crate) mod page;
pub mod say;

use super::KindAnswers;
use crate::explain::say::wants as say_wants;
use crate::explain::wants::{Lack, since_asked};
use crate::explain::{Names, words};
use heddle_core::check::Check;
use heddle_core::model::{AppId, Millis, Resource};
use heddle_core::strategy::Master;

pub(crate) struct DistributedShell;

impl KindAnswers for DistributedShell {
    fn cut(&self, amounts: &[String]) -> Option<String> {
        Some(say::cut(amounts))
    }

    fn lacks(&self, names: Names<'_>, app: AppId) -> Vec<Lack> {
        let Some(Master::DistributedShell(shell)) = names.run(app).and_then(|run| run.master.as_ref()) else {
            return Vec::new();
        };
        let rejected: Vec<String> = shell.unsent().map(|ask| names.past_request_name(app, ask.key())).collect();
        let rejected: Vec<&str> = rejected.iter().map(String::as_str).collect();
        let unsent = shell.unsent().map(|ask| Lack {
            app,
            name: names.past_request_name(app, ask.key()),
            count: ask.count,
            since: since_asked(names, app, ask.key(), ask.count),
            size: ask.size,
            check: Check::AskDue,
            sentence: say::rejected_and_sent_again(&rejected),
        });
        let gone = shell.gone();
        let heard = |at: Option<(Millis, Millis)>| at.map(|(first, last)| (first, words::clock(last)));
        let lost =
            heard(gone.lost_at).map(|(since, at)| (gone.lost, since, say::lost_and_not_asked_again(gone.lost, &at)));
        let killed = heard(gone.preempted_at);
        let killed = killed.map(|(since, _)| (gone.preempted, since, say_wants::not_asked_again(gone.preempted)));
        let gone = lost.into_iter().chain(killed).map(|(count, since, sentence)| Lack {
            app,
            name: names.app(app).to_string(),
            count,
            since,
            size: Resource::ZERO,
            check: Check::LossAskedAgain,
            sentence,
        });
        unsent.chain(gone).collect()
    }
}
