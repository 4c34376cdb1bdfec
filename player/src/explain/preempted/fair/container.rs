//! Why a container was chosen for a starved application, and what became of it; or why it is spared.

use super::super::case::{condition, unreached};
use super::{on_condition, since, text};
use crate::explain::names::Names;
use crate::explain::say::preemption::{WHY_IT, WHY_NOT_IT, fair as say};
use crate::explain::view::{Met, PreemptionView};
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::{AppId, ContainerId, Millis};
use heddle_core::preemption::fair::{Search, SpareReason};
use heddle_core::scheduler::ContainerState;

/// What the journal has about a container and its warning.
#[derive(Clone, Debug, Default)]
pub struct WarningHistory {
    pub warned: Option<Warned>,
    /// When it was killed for that.
    pub killed: Option<Millis>,
    /// When it ended in another way.
    pub ended: Option<Millis>,
}

/// The warning: the container is to make room.
#[derive(Clone, Debug)]
pub struct Warned {
    pub at: Millis,
    pub starved: AppId,
    pub kill_at: Millis,
    /// The search that chose it.
    pub search: Option<Search>,
}

/// The conditions for a container, in the order in which a search checks them.
const ORDER: [Check; 4] = [Check::VictimAlive, Check::LeafGives, Check::MasterSpared, Check::GiverShare];

/// Returns the answer for a container; `searches`: the latest, for all that were starved then.
pub fn container(
    names: Names<'_>,
    id: ContainerId,
    story: &WarningHistory,
    searches: &[Search],
) -> Option<PreemptionView> {
    let s = names.rm().fair()?;
    if let Some(warned) = &story.warned {
        return Some(told(names, id, warned, story));
    }
    let over = |state| matches!(state, ContainerState::Over | ContainerState::Reserved);
    let live = names.rm().container(id).filter(|c| !over(c.state))?;
    let on = s.conf().preemption.on;
    let mut conditions = vec![on_condition(names, on)];
    let spares = |search: &&Search| spared(search, id).is_some();
    let search = searches.iter().rev().find(spares).or(searches.last()).filter(|_| on);
    let mut seen = 0;
    let sentence = match search {
        None => {
            let (met, sentence) =
                if on { (Met::No, say::NOBODY_STARVED) } else { (Met::Unreached, say::NOTHING_TAKEN) };
            conditions.push(condition(Check::SomebodyStarved, met, String::new()));
            sentence.to_string()
        }
        Some(search) => {
            let (at, app) = (words::clock(search.at), names.app(search.app));
            conditions.push(condition(Check::SomebodyStarved, Met::Yes, say::searched_for(app, &at)));
            let looked = search.picks.iter().flat_map(|p| &p.looked).any(|look| look.node == live.node);
            let mut stop = |check: Check, why: String| {
                let before = ORDER.iter().take_while(|c| **c != check);
                seen = before.clone().count() + 1;
                conditions.extend(before.map(|c| condition(*c, Met::Yes, String::new())));
                conditions.push(condition(check, Met::No, why));
            };
            match spared(search, id) {
                _ if live.allocated_at > search.at => say::came_after(&at),
                Some(why) => {
                    let sentence = because(names, id, why);
                    stop(why.check(), words::plain(&sentence));
                    say::left_alone(&at, app, &sentence)
                }
                None => {
                    let why = if looked { say::ENOUGH_BEFORE } else { say::NODE_NOT_REACHED };
                    if !looked {
                        stop(Check::VictimAlive, why.to_string());
                    }
                    say::not_come_to(&at, app, why)
                }
            }
        }
    };
    let check = conditions.iter().find(|c| c.met == Met::No).map(|c| c.check.clone());
    conditions.extend(ORDER.iter().skip(seen).copied().map(unreached));
    let (title, round_ms) = (WHY_NOT_IT.to_string(), search.map(|search| search.at));
    Some(PreemptionView { title, sentence, round_ms, check, conditions, ..PreemptionView::default() })
}

/// Returns why a search spared a container, if the search reached it.
fn spared(search: &Search, id: ContainerId) -> Option<SpareReason> {
    let looks = search.picks.iter().flat_map(|p| &p.looked);
    looks.flat_map(|look| &look.spared).rfind(|spared| spared.container == id).map(|spared| spared.why)
}

fn because(names: Names<'_>, id: ContainerId, why: SpareReason) -> String {
    match why {
        SpareReason::Over => say::OVER.to_string(),
        SpareReason::Protected { queue } => say::protected_by(names.queue(queue)),
        SpareReason::Master => say::MASTER.to_string(),
        SpareReason::BelowShare { used, share } => {
            say::would_be_below(names.app(id.app), &text(names, used), &text(names, share))
        }
    }
}

/// Returns the answer for a chosen container.
fn told(names: Names<'_>, id: ContainerId, warned: &Warned, story: &WarningHistory) -> PreemptionView {
    let (at, kill_at) = (words::clock(warned.at), words::clock(warned.kill_at));
    let choices = warned.search.iter().flat_map(|s| &s.picks).filter_map(|p| p.choice.as_ref());
    let mine = choices.clone().find(|c| c.containers.contains(&id));
    let mut sentence = String::new();
    if let (Some(search), Some(choice)) = (&warned.search, mine) {
        let lack = search.lack;
        let parts = [since(names, lack.fair, lack.fair_since), since(names, lack.minimum, lack.minimum_since)];
        let [fair, minimum] = parts;
        let lack = say::lacked(fair, minimum);
        sentence = say::chosen(&at, names.app(warned.starved), &lack, names.node(choice.node));
    }
    let end = match (story.killed, story.ended) {
        (Some(killed), _) => say::was_killed(&words::clock(killed)),
        (None, Some(ended)) => say::ended_before(&words::clock(ended)),
        (None, None) => say::warned(&at, &kill_at),
    };
    let sentence = format!("{sentence} {end}").trim().to_string();
    PreemptionView { title: WHY_IT.to_string(), sentence, round_ms: Some(warned.at), ..PreemptionView::default() }
}
