//! The limits before an application's first request is tried: parallel applications and ApplicationMasters
//! (capacity-scheduler.md 4, 5).

use super::{Chain, ChainBuilder, Link, RequestStop};
use crate::explain::say;
use crate::explain::stop::StoppedBy;
use crate::explain::view::LimitView;
use crate::explain::waits::on_nodes::no_node;
use crate::explain::{formulas, words};
use heddle_core::check::{About, Amounts, Check, Checked, Failure};
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, PartitionId, Resource};
use heddle_core::scheduler::{App, Inactive};

impl ChainBuilder<'_> {
    /// Adds a limit of parallel applications; returns whether it stops the application.
    pub(super) fn parallel(&self, out: &mut Chain) -> bool {
        if self.app.runnable {
            return false;
        }
        let Some(Entry::Changed(Change::NotRunnable { why, .. })) = self.history.held else { return false };
        // YARN threw before anything was requested.
        if why.check == Check::UserParallelLimitReadable {
            return false;
        }
        // The record is of the last try; a refresh, or an application that started since, changes the figures.
        let (rm, w) = (self.names.rm(), self.w);
        let now = rm.scheduler().first_limit(rm.cluster(), w.app, w.key, w.partition);
        let now = now.filter(|now| (now.check, now.about) == (why.check, why.about));
        self.tell_parallel(out, now.as_ref().unwrap_or(why));
        true
    }

    /// Adds a limit of parallel applications that stops it.
    pub(super) fn tell_parallel(&self, out: &mut Chain, why: &Checked) {
        let names = self.names;
        let capacity = names.rm().capacity().is_some();
        let of_queue = |queue: &str| {
            if capacity { formulas::properties(names, queue, &["max-parallel-apps"]) } else { Vec::new() }
        };
        let (whose, name, properties) = match why.about {
            About::User(user) => {
                let user = names.rm().cluster().user_name(user);
                let properties = if capacity { formulas::parallel_of_user(names, user) } else { Vec::new() };
                (say::user(user), user, properties)
            }
            about => {
                let path = names.queue(about.queue().unwrap_or(self.app.queue));
                (path.to_string(), path, of_queue(path))
            }
        };
        let (running, maximum) = why.figures.as_count().unwrap_or_default();
        let mut view = self.plain(why.check, whose.clone(), false, say::one_more(running, maximum));
        (view.used, view.asked, view.limit) = (running as f64, 1.0, maximum as f64);
        view.unit = "applications".to_string();
        view.properties = properties;
        view.formula = vec![say::runs_of_at_most(&whose, running, maximum)];
        if capacity {
            view.formula.push(say::HELD_BACK_SILENTLY.to_string());
        }
        out.limits.push(view);
        let stop = RequestStop::at(why.clone(), say::parallel_stop(name, running, maximum));
        out.stop = Some(RequestStop { never: maximum <= 0, holders: self.running(why.about), ..stop });
    }

    /// Returns the applications that count against a limit of parallel applications of a queue or a user.
    fn running(&self, of: About) -> Vec<AppId> {
        let rm = self.names.rm();
        let counts = |a: &App| match of {
            About::User(user) => a.user == user,
            about => self.names.path_up(a.queue).any(|q| Some(q) == about.queue()),
        };
        rm.cluster().apps.iter().filter(|a| a.alive && a.runnable && counts(a)).map(|a| a.id).collect()
    }

    /// Adds the limits of AMs; returns whether one stops the application.
    pub(super) fn activation(&self, out: &mut Chain) -> bool {
        if self.app.active {
            if self.w.am {
                self.was_activated(out);
            }
            return false;
        }
        let Some(figures) = self.names.rm().inactive(self.app.id).cloned().or_else(|| self.inactive_now(out)) else {
            return out.stop.is_some();
        };
        // YARN's diagnostics are about an AM that waits; an application whose AM already runs elsewhere has none.
        let yarn = match self.w.am {
            true => self.names.rm().am_diagnostics(self.w.app),
            false => figures.check.row().yarn.to_string(),
        };
        let leaf = self.app.queue;
        // YARN computes no status for an application whose AM runs: the recorded figures count.
        let mut figures = figures;
        // For an application that was moved, YARN's figures are of the leaf that it came from.
        let own = self.names.rm().capacity().filter(|_| figures.leaf != leaf);
        if let Some(own) = own.map(|s| s.inactive_in_its_leaf(self.names.rm().cluster(), self.app, figures.check)) {
            figures = own;
        }
        if let (false, Some(Entry::Changed(Change::NotActivated { why, .. }))) = (self.w.am, self.history.inactive)
            && let Some(a) = why.figures.as_amounts()
        {
            let (used, limit) = if why.check == Check::UserAmLimit {
                (&mut figures.user_used, &mut figures.user_limit)
            } else {
                (&mut figures.queue_used, &mut figures.queue_limit)
            };
            (*used, *limit, figures.am_size) = (a.used(), a.limit, a.asked());
        }
        let check = figures.check;
        if check == Check::ClusterResources {
            out.limits.push(LimitView {
                unit: "nodes".to_string(),
                ..self.plain(check, say::ALL_NODES.to_string(), false, say::NO_NODES.to_string())
            });
            let failed = Failure::of(check).about(About::App(self.app.id));
            out.stop = Some(RequestStop::at(failed, no_node(self.names)).yarn(yarn));
            return true;
        }
        let (about, used, limit) = if check == Check::UserAmLimit {
            (About::App(self.app.id), figures.user_used, figures.user_limit)
        } else {
            (About::Queue(leaf), figures.queue_used, figures.queue_limit)
        };
        let failed = Checked::failed(check, about, Amounts::sum(used, figures.am_size, limit).into());
        let formula = formulas::am_limit(self.names, self.app, &figures);
        self.tell_am_limit(out, failed, (figures.partition, formula, yarn));
        if let Some(stop) = out.stop.as_mut().filter(|_| !self.w.am) {
            let queue = self.names.queue(self.app.queue);
            stop.sentence = say::not_active(self.names.app(self.w.app), queue, &stop.sentence);
        }
        true
    }

    /// Returns the figures of an application that was not active when the run began and that YARN has not looked at since: which
    /// limit keeps its AM now, if any.
    fn inactive_now(&self, out: &mut Chain) -> Option<Inactive> {
        let rm = self.names.rm();
        let scheduler = rm.capacity().filter(|_| self.w.am)?;
        let mut figures = scheduler.inactive_in_its_leaf(rm.cluster(), self.app, Check::QueueAmLimit);
        if !self.fits(figures.queue_used + figures.am_size, figures.queue_limit) {
            return Some(figures);
        }
        if !self.fits(figures.user_used + figures.am_size, figures.user_limit) {
            figures.check = Check::UserAmLimit;
            return Some(figures);
        }
        let queue = self.names.queue(self.app.queue);
        let (used, limit) = (self.text(figures.queue_used), self.text(figures.queue_limit));
        let sentence = say::fits_unasked(queue, &used, &self.text(figures.am_size), &limit);
        let yarn = rm.am_diagnostics(self.w.app);
        out.stop = Some(RequestStop::new(StoppedBy::Unasked, sentence).yarn(yarn));
        None
    }

    /// Adds a limit of AMs in a partition that stops it, with how the limit came about and YARN's words.
    pub(super) fn tell_am_limit(
        &self,
        out: &mut Chain,
        failed: Checked,
        (partition, formula, yarn): (PartitionId, Vec<String>, String),
    ) {
        let Some((used, asked, limit)) = failed.figures.as_amounts().map(|a| (a.used(), a.asked(), a.limit)) else {
            return;
        };
        let (check, queue) = (failed.check, self.names.queue(self.app.queue).to_string());
        let of_user = check == Check::UserAmLimit;
        let user = self.names.rm().cluster().user_name(self.app.user);
        let whose = if of_user { say::in_queue(user, &queue) } else { queue.clone() };
        let (of, signs) = (whose.clone(), ("≤", ">"));
        let mut view = self.link(Link { check, of, used, asked, limit, passes: false, signs });
        view.formula = formula;
        view.properties = formulas::am_percent(self.names, &queue, partition);
        if of_user {
            let more = ["user-limit-factor", "minimum-user-limit-percent"];
            view.properties.extend(formulas::properties(self.names, &queue, &more));
        }
        out.limits.push(view);
        let mut holders = self.active(of_user);
        let there = |id: &AppId| self.names.rm().scheduled(*id).is_some_and(|a| a.am_partition == partition);
        holders.retain(there);
        let counted = self.counted(&holders, used);
        let masters: Vec<&str> = counted.iter().map(|a| self.names.app(*a)).collect();
        let sentence = say::am_limit_stop(
            &format!("{whose}{}", say::on_label(self.names.partition(partition))),
            &masters,
            &self.text(used),
            &self.text(asked),
            &self.text(limit),
            !self.fits(used, limit),
        );
        out.stop = Some(RequestStop { holders, ..RequestStop::at(failed, sentence).yarn(yarn) });
    }

    /// Returns the holders whose AMs make up the counted usage, without those activated since.
    fn counted(&self, holders: &[AppId], used: Resource) -> Vec<AppId> {
        let mut left = used.memory_mb();
        let mut fits = |id: &&AppId| {
            let size = self.names.rm().scheduled(**id).map_or(0, |app| app.am_size.memory_mb());
            let counts = size <= left;
            left -= if counts { size } else { 0 };
            counts
        };
        let counted: Vec<AppId> = holders.iter().filter(|id| fits(id)).copied().collect();
        if left == 0 { counted } else { holders.to_vec() }
    }

    /// Adds the limit that its AM was activated within.
    fn was_activated(&self, out: &mut Chain) {
        let Some(Entry::Changed(Change::Activated { am_used, am_limit, as_only_one, .. })) = self.history.activated
        else {
            return;
        };
        let (queue, used) = (self.names.queue(self.app.queue).to_string(), *am_used - self.app.am_size);
        let (check, asked, limit) = (Check::QueueAmLimit, self.app.am_size, *am_limit);
        let signs = if self.fits(*am_used, limit) { ("≤", ">") } else { (">", ">") };
        let mut view = self.link(Link { check, of: queue, used, asked, limit, passes: true, signs });
        if *as_only_one {
            let of_user = self.fits(*am_used, limit);
            view.formula.push(if of_user { say::ONE_AM_OF_USER_MAY_START } else { say::ONE_AM_MAY_START }.to_string());
        }
        out.limits.push(view);
    }

    /// Returns the active applications of the queue, or only the user's.
    fn active(&self, of_user: bool) -> Vec<AppId> {
        let rm = self.names.rm();
        let leaf = rm.queues().get(self.app.queue.index()).and_then(|q| q.leaf.as_deref());
        let mine = |id: &&AppId| !of_user || rm.scheduled(**id).is_some_and(|a| a.user == self.app.user);
        leaf.iter().flat_map(|l| &l.active).filter(mine).copied().collect()
    }

    /// Returns what AM containers hold in a queue and its descendants, in the request's partition.
    pub(super) fn held_by_masters(&self, queue: heddle_core::model::QueueId) -> Resource {
        let rm = self.names.rm();
        let below = |a: &&App| self.names.path_up(a.queue).any(|q| q == queue);
        let masters = rm.cluster().apps.iter().filter(|a| a.alive).filter(below);
        let held = masters.flat_map(|a| rm.containers_of(a.id)).filter(|c| {
            c.am && c.state != heddle_core::scheduler::ContainerState::Reserved && c.partition == self.w.partition
        });
        held.fold(Resource::ZERO, |sum, c| sum + c.size)
    }
}

/// Returns what AMs hold of a queue's usage, if that is half or more.
pub(super) fn masters_half(
    maker: &ChainBuilder<'_>,
    queue: heddle_core::model::QueueId,
    used: Resource,
) -> Option<Resource> {
    let held = maker.held_by_masters(queue);
    (!held.is_zero() && held.memory_mb() * 2 >= used.memory_mb()).then_some(held)
}

/// Returns this in words: ", 2 GB of it (50 %) in ApplicationMasters".
pub(super) fn masters_share(maker: &ChainBuilder<'_>, queue: heddle_core::model::QueueId, used: Resource) -> String {
    let Some(held) = masters_half(maker, queue, used) else { return String::new() };
    // A part of several resource types has no single percentage.
    let one = maker.names.rm().cluster().calculator.kind == heddle_core::model::CalculatorKind::Default;
    let share = one.then(|| words::percent(held.memory_mb() as f64 / used.memory_mb().max(1) as f64));
    say::masters_hold(&maker.text(held), share.as_deref())
}
