//! A master for tests: it does everything that a master can do, and stores what it receives.

use super::{AmAction, ApplicationMaster, AskLog, Progress, TimerId, Turn};
use crate::api::{AllocateCall, AllocateResponse, AskRow, NodeUpdate, PreemptionMessage};
use crate::journal::{GiveUp, MasterAct};
use crate::model::{ContainerId, Millis, Resource};

/// The action when a timer fires.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    /// Launches the container that it got at this place in order.
    Launch(usize),
    Stop(usize),
    Nothing,
    CancelTick,
    Fail,
    Unregister,
}

/// A master that asks at once, and follows one script in each attempt: times after registration, and the actions then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probe {
    pub(crate) asks: i64,
    pub(crate) scripts: Vec<Vec<(Millis, Do)>>,
    pub(crate) tick_ms: Option<Millis>,
    /// The size of each container; 0: 1 GB.
    pub(crate) size_mb: i64,
    /// Whether every heartbeat and tick matters, so that it is never quiet.
    pub(crate) busy: bool,
    pub(crate) attempt: usize,
    pub(crate) asked: bool,
    pub(crate) got: Vec<ContainerId>,
    pub(crate) log: AskLog,
}

const TICK: TimerId = 1_000;

impl Probe {
    fn heard(turn: &mut Turn<'_>, what: String) {
        let (now, place) = (turn.now, turn.store.iter().count());
        turn.store.put(format!("{place:04}"), format!("{now} {what}"));
    }

    fn nodes(nodes: &[NodeUpdate]) -> String {
        let one = |n: &NodeUpdate| format!("{}{}", if n.usable() { "+" } else { "-" }, n.host);
        nodes.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

impl ApplicationMaster for Probe {
    fn first_heartbeat_ms(&self) -> Millis {
        0
    }

    fn registered(&mut self, turn: &mut Turn<'_>) {
        let kept = turn.store.iter().count();
        let nodes = Probe::nodes(&turn.reports().running_nodes());
        self.attempt = turn.attempt.attempt as usize - 1;
        Probe::heard(turn, format!("attempt {} finds {kept} lines, nodes {nodes}", self.attempt + 1));
        for (timer, (after, _)) in (0..).zip(self.scripts.get(self.attempt).into_iter().flatten()) {
            turn.act(AmAction::SetTimer { timer, at: turn.now + after });
        }
        if let Some(period_ms) = self.tick_ms {
            turn.act(AmAction::SetTick { timer: TICK, period_ms });
        }
    }

    fn call(&mut self, _turn: &mut Turn<'_>) -> AllocateCall {
        let row = AskRow::anywhere(1, Resource::new(if self.size_mb > 0 { self.size_mb } else { 1024 }, 1), self.asks);
        let first = !std::mem::replace(&mut self.asked, true) && self.attempt == 0;
        AllocateCall { asks: first.then_some(row).into_iter().collect(), ..AllocateCall::default() }
    }

    fn refused(&mut self, turn: &mut Turn<'_>) {
        Probe::heard(turn, "refused".into());
        turn.act(AmAction::GiveUp(GiveUp::CallRefused));
    }

    fn nodes_updated(&mut self, turn: &mut Turn<'_>, nodes: &[NodeUpdate]) {
        Probe::heard(turn, format!("nodes {}", Probe::nodes(nodes)));
    }

    fn preemption_message(&mut self, turn: &mut Turn<'_>, message: &PreemptionMessage) {
        let seqs: Vec<u64> = message.containers().map(|c| c.seq).collect();
        Probe::heard(turn, format!("may be preempted: {seqs:?}"));
    }

    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse) {
        for done in &answer.completed {
            Probe::heard(turn, format!("{} over: {}", done.id.seq, done.exit_code));
        }
        self.got.extend(answer.allocated.iter().map(|g| g.id));
    }

    fn container_started(&mut self, turn: &mut Turn<'_>, container: ContainerId) {
        Probe::heard(turn, format!("{} started", container.seq));
    }

    fn start_failed(&mut self, turn: &mut Turn<'_>, container: ContainerId) {
        Probe::heard(turn, format!("{} not started", container.seq));
    }

    fn timer(&mut self, turn: &mut Turn<'_>, timer: TimerId) {
        if timer == TICK {
            return Probe::heard(turn, "tick".into());
        }
        let step = self.scripts[self.attempt][timer as usize].1.clone();
        match step {
            Do::Launch(k) => turn.act(AmAction::Launch { container: self.got[k], run_ms: None, exit_code: 0 }),
            Do::Stop(k) => turn.act(AmAction::Stop { container: self.got[k] }),
            Do::Nothing => {}
            Do::CancelTick => turn.act(AmAction::CancelTimer { timer: TICK }),
            Do::Fail => {
                let app = turn.attempt.app;
                turn.note(|| MasterAct::GaveUp { app, why: GiveUp::TaskFailures { failures: 1 } });
                turn.act(AmAction::Fail { exit_code: 3 });
            }
            Do::Unregister => turn.act(AmAction::Unregister { succeeded: true }),
        }
    }

    fn is_quiet(&self) -> bool {
        self.asked && !self.busy
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }

    fn asks(&self) -> &AskLog {
        &self.log
    }
}
