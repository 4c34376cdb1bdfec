//! The CapacityScheduler's limits before a node: the label, the queues, the user, the headroom (capacity-scheduler.md 7.2, 7.3,
//! 8.2, 8.3), from the record of the latest look.

use super::activation::masters_share;
use super::{Chain, ChainBuilder, Link, RequestStop, about_lending};
use crate::explain::record::{PassRecord, PassResult};
use crate::explain::stop::StoppedBy;
use crate::explain::view::LimitView;
use crate::explain::waits::on_nodes::out_of_service;
use crate::explain::{formulas, say, words};
use heddle_core::check::{About, Amounts, Check, Checked, Figures};
use heddle_core::model::{AppId, PartitionId, QueueId, Resource};
use heddle_core::scheduler::Node;

const BELOW: (&str, &str) = ("<", "≥");
const WITHIN: (&str, &str) = ("≤", ">");

impl ChainBuilder<'_> {
    /// Adds the conditions for a request with a label: some node has it, the queue may use it, and each queue on the path has a
    /// share of it. Returns whether one of them fails.
    pub(super) fn label(&self, out: &mut Chain) -> bool {
        let rm = self.names.rm();
        let p = self.w.partition;
        if p.is_default() {
            return false;
        }
        let label = self.names.partition(p);
        let nodes = rm.cluster().nodes.iter().filter(|n| n.in_scheduler && n.partition == p).count();
        let leaf = self.names.queue(self.app.queue).to_string();
        let access = rm.queues().get(self.app.queue.index()).is_some_and(|q| q.part(p).access);
        let without_nodes = match out_of_service(self.names, |node| node.partition == p) {
            Some(away) => say::nodes_with_label_away(label, &away),
            None => say::no_node_with_label(label),
        };
        let mut links = vec![
            (
                say::nodes_with_label(label),
                nodes > 0,
                words::count(nodes as i64, "node"),
                Vec::new(),
                RequestStop::new(StoppedBy::NoOffer, without_nodes),
            ),
            (
                leaf.clone(),
                access,
                say::may_use(access).to_string(),
                formulas::properties(self.names, &leaf, &["accessible-node-labels"]),
                RequestStop::at(no_access(self.app.queue), say::label_forbidden(&leaf, label))
                    .yarn("Queue is not able to access partition"),
            ),
        ];
        for id in self.path().into_iter().rev() {
            let Some(queue) = rm.queues().get(id.index()) else { continue };
            let share = queue.part(p).shares.absolute_max_capacity;
            let nothing = Amounts::below(queue.part(p).used, Resource::ZERO).into();
            links.push((
                queue.path.clone(),
                share > 0.0,
                say::may_use_share(&words::percent(f64::from(share))),
                formulas::shares(self.names, &queue.path, p),
                RequestStop::at(
                    Checked::failed(Check::QueueLimit, About::Queue(id), nothing),
                    say::no_share_of_label(&queue.path, label),
                ),
            ));
        }
        for (of, passes, text, properties, stop) in links {
            let view = self.plain(Check::PartitionAccess, of, passes, text);
            out.limits.push(LimitView { name: say::events::label(label), properties, ..view });
            if !passes {
                out.stop = Some(RequestStop { never: true, ..stop });
                return true;
            }
        }
        false
    }

    /// Adds the limits as the latest look recorded them.
    pub(super) fn recorded(&self, out: &mut Chain) {
        out.lent = self.lent();
        let Some(look) = self.primary() else { return };
        out.looked = Some((look.at, look.node));
        // The request that came first is placed or gone: the present nodes and limits are more informative.
        if !self.comes_first_still(look) {
            return;
        }
        // A limit that stopped the request before the nodes filled up: its present state is shown.
        let own = look.partition == self.w.partition && !look.lent;
        if let Some(check) = Self::limit_of(look).filter(|_| own && self.is_outdated(look)) {
            if let Some(beyond) = self.look_beyond_maximum().filter(|_| check != Check::QueueLimit) {
                self.tell_anew(out, beyond, false);
                // YARN has reported nothing about it yet.
                out.stop.iter_mut().for_each(|stop| stop.yarn.clear());
                out.looked = None;
            } else if let Some(now) = self.look_now(Some(check)) {
                self.tell_anew(out, now, check != Check::QueueLimit);
            }
            return;
        }
        if matches!(look.fate, PassResult::Behind { .. }) && self.is_older(look) {
            return self.tell_anew(out, look.clone(), true);
        }
        let stopped = if let PassResult::Stopped(checked) = &look.fate { Some(checked) } else { None };
        // A check that passed before reservations were counted and then failed is shown once.
        let again = |pass: &&Checked| stopped.is_some_and(|s| (s.check, s.about) == (pass.check, pass.about));
        let before = out.limits.len();
        look.passed.iter().filter(|pass| !again(pass)).for_each(|pass| self.tell(out, look, pass));
        // A result about a node is not part of the chain; if every container has a reserved node, only those nodes count.
        if !(look.fate.is_of_node() || about_lending(&look.fate) || self.all_held()) {
            self.stopped(out, look);
            self.tell_lent(out);
        }
        // The figures are those of the offered partition, which may be one that lends its resources.
        if look.partition != self.w.partition {
            let of_partition = match self.names.partition(look.partition) {
                "" => say::WITHOUT_LABEL.to_string(),
                label => say::on_label(label),
            };
            out.limits.iter_mut().skip(before).for_each(|link| link.of.push_str(&of_partition));
        }
    }

    fn tell_lent(&self, out: &mut Chain) {
        if let Some(stop) = &mut out.stop {
            stop.never &= out.lent.is_empty() || !self.w.borrows(self.names);
            stop.sentence.push_str(&out.lent);
        }
    }

    fn queue_link(
        &self,
        id: QueueId,
        p: PartitionId,
        (used, limit, maximum): (Resource, Resource, Resource),
        passes: bool,
    ) -> LimitView {
        let path = self.names.queue(id).to_string();
        // It passes because it would be below its limit after giving up reservations.
        let signs = if passes && !self.below(used, limit) { (BELOW.1, BELOW.1) } else { BELOW };
        let (check, asked) = (Check::QueueLimit, Resource::ZERO);
        let mut view = self.link(Link { check, of: path.clone(), used, asked, limit, passes, signs });
        let now = self.names.rm().queues().get(id.index()).map(|queue| queue.part(p).used);
        view.formula.extend(self.used_then(used, now.filter(|_| passes)));
        if limit != maximum {
            view.formula.push(say::parent_leaves(&self.text(maximum), &self.text(limit)));
        }
        view.formula.extend(formulas::queue_max(self.names, id, p));
        if id.index() > 0 {
            view.properties = formulas::shares(self.names, &path, p);
        }
        view
    }

    /// Returns the usage at the scheduler's latest look, if it differs from the present usage.
    fn used_then(&self, then: Resource, now: Option<Resource>) -> Option<String> {
        let [then, now] = [Some(then), now].map(|r| r.map(|r| self.text(r)));
        then.zip(now).filter(|(then, now)| then != now).map(|(then, now)| say::used_then_and_now(&then, &now))
    }

    fn below(&self, used: Resource, limit: Resource) -> bool {
        (0..self.types()).any(|i| used[i] < limit[i])
    }

    /// Adds what stopped a look, with the limits before it as they are now; `before`: those limits were passed.
    fn tell_anew(&self, out: &mut Chain, look: PassRecord, before: bool) {
        let now = PassRecord { passed: self.passed_now(), ..look };
        if before {
            now.passed.iter().filter(|pass| self.is_below(pass)).for_each(|pass| self.tell(out, &now, pass));
        }
        self.stopped(out, &now);
        self.tell_lent(out);
    }

    /// Returns whether the usage is below the limit of a check.
    fn is_below(&self, checked: &Checked) -> bool {
        checked.figures.as_amounts().is_some_and(|a| self.below(a.used(), a.limit))
    }

    fn user_link(&self, p: PartitionId, used: Resource, limit: Resource, passes: bool) -> LimitView {
        let rm = self.names.rm();
        let user = rm.cluster().user_name(self.app.user);
        let queue = self.names.queue(self.app.queue).to_string();
        let (check, of, asked) = (Check::UserLimit, say::in_queue(user, &queue), Resource::ZERO);
        // YARN may keep the answer of a check that would now pass.
        let kept = !passes && self.fits(used, limit);
        let signs = if kept { (WITHIN.0, WITHIN.0) } else { WITHIN };
        let mut view = self.link(Link { check, of, used, asked, limit, passes, signs });
        let leaf = rm.queues().get(self.app.queue.index()).and_then(|queue| queue.leaf.as_deref());
        let uses = leaf.and_then(|leaf| leaf.users.get(self.app.user)).and_then(|user| user.used.get(p.index()));
        view.formula.extend(self.used_then(used, uses.copied().filter(|_| passes)));
        // For resources that a label lends, the partition's total is the only cap.
        let lent = p != self.w.partition;
        let now = rm.capacity().map(|s| s.user_limit_of(rm.cluster(), self.app.queue, self.app.user, p));
        if let Some(now) = now.filter(|now| !lent && *now != limit) {
            view.formula.push(say::limit_then_and_now(&self.text(limit), &self.text(now)));
        }
        if !passes {
            view.formula.push(if kept { say::STOPPED_BEFORE } else { say::CHECKED_BEFORE }.to_string());
        }
        view.formula.extend(formulas::user_limit(self.names, self.app.queue, (p, lent), self.app.user));
        view.properties = formulas::user_limit_properties(self.names, self.app.queue, p, limit);
        view
    }

    fn headroom_link(&self, need: Resource, headroom: Resource, passes: bool) -> LimitView {
        let of = self.names.queue(self.app.queue).to_string();
        let (check, used) = (Check::Headroom, Resource::ZERO);
        let formula = say::headroom_formula(&of, &self.text(headroom));
        let view = self.link(Link { check, of, used, asked: need, limit: headroom, passes, signs: WITHIN });
        LimitView { formula: vec![formula], ..view }
    }

    pub(super) fn stopped(&self, out: &mut Chain, look: &PassRecord) {
        match &look.fate {
            PassResult::Stopped(checked) => self.tell(out, look, checked),
            PassResult::Behind { queue, app, key, checked } => self.behind(out, look, (*queue, *app, *key), checked),
            PassResult::BehindOwn(key, verdict) => self.behind_own(out, look, *key, verdict),
            PassResult::Refused(why) => self.refused(out, look, why),
            PassResult::Given(_) | PassResult::Served(_) | PassResult::Held(_) | PassResult::NoTurn => {}
        }
    }

    pub(in crate::explain::waits) fn tell_user_limit(&self, out: &mut Chain, look: &PassRecord, checked: &Checked) {
        let Some(a) = checked.figures.as_amounts() else { return };
        if checked.fails() {
            let (used, limit) = (a.used(), a.limit);
            out.limits.push(self.user_link(look.partition, used, limit, false));
            let user = self.names.rm().cluster().user_name(self.app.user);
            let queue = self.names.queue(self.app.queue);
            let tell = if self.fits(used, limit) { say::user_stopped_before } else { say::user_limit_stop };
            let sentence = tell(user, queue, &self.told(a, used), &self.told(a, limit));
            out.stop = Some(RequestStop::at(checked.clone(), sentence).yarn(checked.check.row().yarn));
            return;
        }
        let given_back = a.besides();
        let given = given_back.unwrap_or(Resource::ZERO);
        let mut view = self.user_link(look.partition, a.used() - given, a.limit, true);
        if !given.is_zero() {
            view.formula.push(say::gives_back(self.names.app(self.w.app), &self.text(given)));
        }
        if given_back.is_some() && look.partition != PartitionId::DEFAULT {
            view.formula.push(say::COMPARED_WITHOUT_LABEL.to_string());
        }
        out.limits.push(view);
    }

    pub(in crate::explain::waits) fn tell_queue_limit(&self, out: &mut Chain, look: &PassRecord, checked: &Checked) {
        let Some(a) = checked.figures.as_amounts() else { return };
        // If it is recorded for an application, it is its leaf's limit.
        let queue = checked.about.queue();
        if checked.fails() {
            self.queue_stop(out, look, queue.unwrap_or(self.app.queue), checked, figures(a));
        } else if queue == Some(self.app.queue) {
            // A long chain of queues that pass is not informative.
            out.limits.push(self.queue_link(self.app.queue, look.partition, figures(a), true));
        }
    }

    pub(in crate::explain::waits) fn tell_access(&self, out: &mut Chain, look: &PassRecord, checked: &Checked) {
        let Some(id) = checked.about.queue().filter(|_| checked.fails()) else { return };
        let (label, path) = (self.names.partition(look.partition), self.names.queue(id));
        out.limits.push(self.plain(checked.check, path.to_string(), false, say::may_use(false).to_string()));
        let stop = RequestStop::at(checked.clone(), say::label_forbidden(path, label));
        out.stop = Some(stop.yarn(checked.check.row().yarn));
    }

    pub(in crate::explain::waits) fn tell_headroom(&self, out: &mut Chain, look: &PassRecord, checked: &Checked) {
        let Some(a) = checked.figures.as_amounts() else { return };
        if checked.fails() {
            self.headroom_stop(out, look, checked, a);
        } else {
            out.limits.push(self.headroom_link(a.asked(), a.limit, true));
        }
    }

    pub(in crate::explain::waits) fn tell_reservations(&self, out: &mut Chain, _: &PassRecord, checked: &Checked) {
        let Figures::Reservations { outstanding, reserved, .. } = checked.figures else { return };
        if checked.fails() {
            let of = self.names.request_name(self.w.app, self.w.key, self.w.count);
            out.limits.push(self.plain(checked.check, of, false, say::reserved_of(reserved, outstanding)));
            let stop = RequestStop::at(checked.clone(), say::enough_held(reserved, outstanding));
            out.stop = Some(stop.yarn(checked.check.row().yarn));
        }
    }

    pub(in crate::explain::waits) fn tell_errors(&self, out: &mut Chain, _: &PassRecord, checked: &Checked) {
        let Some((errors, _)) = checked.figures.as_count().filter(|_| checked.fails()) else { return };
        let of = self.names.request_name(self.w.app, self.w.key, self.w.count);
        out.limits.push(self.plain(checked.check, of, false, say::failed_evaluations(errors)));
        let stop = RequestStop::at(checked.clone(), say::too_many_errors(errors));
        out.stop = Some(RequestStop { never: true, ..stop.yarn(checked.check.row().yarn) });
    }

    /// Stops the request at a queue that has reached its limit.
    fn queue_stop(
        &self,
        out: &mut Chain,
        look: &PassRecord,
        id: QueueId,
        checked: &Checked,
        figures: (Resource, Resource, Resource),
    ) {
        let (used, limit, maximum) = figures;
        let path = self.names.queue(id);
        // The share of a lower queue, too, may be too small for the request for good.
        let never = !self.fits(self.w.size, maximum);
        out.limits.push(self.queue_link(id, look.partition, figures, false));
        let sentence = if limit != maximum && id.index() > 0 {
            let left = self.text(limit.minus_not_below_zero(Resource::ZERO));
            let kept = self.kept_for(Some(id));
            let above = if kept.is_empty() { self.above_is_full(look, id) } else { String::new() };
            say::after_kept(&kept, &say::left_by_parent(path, &self.text(used), &left, &above))
        } else if never && !maximum.is_zero() {
            let fit = Amounts::fit(self.w.size, maximum);
            let [most, need] = [maximum, self.w.size].map(|r| self.told(&fit, r));
            say::larger_than_maximum(path, &self.of_label(), &most, &need)
        } else if self.is_whole(id, maximum) {
            self.partition_full(id, (used, Resource::ZERO), maximum)
        } else {
            let masters = masters_share(self, id, used) + &self.only_reserved(id, look.partition);
            let below = Amounts::below(used, maximum);
            let [used, most] = [used, maximum].map(|r| self.told(&below, r));
            say::queue_max_stop(path, &used, &most, &masters, &self.of_label())
        };
        // If it is recorded for an application, it is its leaf's limit.
        let failed = Checked { about: About::Queue(id), ..checked.clone() };
        let by_parent = limit != maximum && id.index() > 0;
        let holders = if by_parent { self.kept(Some(id)).map(|(_, app, _)| app).collect() } else { Vec::new() };
        out.stop =
            Some(RequestStop { never, holders, ..RequestStop::at(failed, sentence).yarn(checked.check.row().yarn) });
    }

    /// Stops a request that does not fit in its leaf's headroom: because of the maximum of the queue on its path that leaves
    /// least, or because of headroom blocked for others.
    fn headroom_stop(&self, out: &mut Chain, look: &PassRecord, checked: &Checked, a: &Amounts) {
        let (need, headroom) = (a.asked(), a.limit);
        out.limits.push(self.headroom_link(need, headroom, false));
        let leaf = self.app.queue;
        let path = self.names.queue(leaf);
        let bound_of = |p: &Checked| match p {
            Checked { check: Check::QueueLimit, about: About::Queue(queue), figures: Figures::Amounts(a), .. } => {
                Some((*queue, a.used(), a.besides().unwrap_or(a.limit)))
            }
            _ => None,
        };
        // The application may give up what it has reserved.
        let own = self.app.reserved.get(look.partition.index()).copied().unwrap_or_default();
        // A queue's own maximum stops the request however much the cluster has free, so it comes before the whole partition.
        let stops = |(_, used, maximum): &(QueueId, Resource, Resource)| !self.fits(*used - own + need, *maximum);
        let whole = *self.names.rm().cluster().partition_total(self.w.partition);
        let first = |passed: &[Checked]| {
            let stops = passed.iter().filter_map(bound_of).filter(stops);
            stops.min_by_key(|(_, _, maximum)| *maximum == whole)
        };
        // A look that did not start at root has no record of the ancestors.
        let bound = first(&look.passed).or_else(|| first(&self.passed_now()));
        let (of, sentence, never) = match bound {
            Some((id, used, maximum)) => {
                let (of, used) = (self.names.queue(id), used - own);
                let never = !self.fits(need, maximum);
                let sentence = if never {
                    let fit = Amounts::fit(need, maximum);
                    let [most, need] = [maximum, need].map(|r| self.told(&fit, r));
                    say::larger_than_maximum(of, &self.of_label(), &most, &need)
                } else if self.is_whole(id, maximum) {
                    self.partition_full(id, (used, own), maximum)
                } else {
                    let beside = masters_share(self, id, used) + &self.reserved_by_others(id, look.partition, own);
                    let sum = Amounts::sum(used, need, maximum);
                    let [used, need, most] = [used, need, maximum].map(|r| self.told(&sum, r));
                    say::headroom_stop(of, &used, &need, &most, &beside, &self.of_label())
                };
                (a.clone().of_queue(id), sentence, never)
            }
            None => {
                let sentence = match self.owing(need, headroom) {
                    Some(over) => say::owing_stop(path, &over),
                    None => {
                        let stop = say::kept_stop(path, &self.told(a, headroom), &self.told(a, need));
                        say::after_kept(&self.kept_for(None), &stop)
                    }
                };
                (a.clone(), sentence, false)
            }
        };
        let failed = Checked { figures: of.into(), ..checked.clone() };
        out.stop =
            Some(RequestStop { never, ..RequestStop::at(failed, sentence).yarn(crate::explain::verdicts::HEADROOM) });
    }

    /// Returns what each queue on its path now uses of its maximum.
    pub(super) fn passed_now(&self) -> Vec<Checked> {
        let of = |id: QueueId| {
            let part = self.names.rm().queues().get(id.index())?.part(self.w.partition);
            let amounts = Amounts::below(part.used, part.shares.effective_max);
            Some(Checked::passed(Check::QueueLimit, About::Queue(id), amounts.into()))
        };
        self.path().into_iter().rev().filter_map(of).collect()
    }

    /// Returns whether the queue is root, with the whole partition as its maximum.
    fn is_whole(&self, id: QueueId, maximum: Resource) -> bool {
        id.index() == 0 && maximum == *self.names.rm().cluster().partition_total(self.w.partition)
    }

    /// Returns ` of label x` if a label is requested.
    fn of_label(&self) -> String {
        say::of_label(self.names.partition(self.w.partition))
    }

    /// Returns the negative amount of a type that the request does not need: its nodes became smaller than their usage.
    fn owing(&self, need: Resource, room: Resource) -> Option<String> {
        let types = &self.names.rm().cluster().types;
        let mut owing = (0..self.types()).filter(|i| need[*i] == 0 && room[*i] < 0);
        owing.next().map(|i| words::one(Resource::ZERO - room, i, types))
    }

    /// Returns the sentence for a partition that has too little left; `own`: the reservations of the request's application,
    /// which `used` does not include.
    fn partition_full(&self, root: QueueId, (used, own): (Resource, Resource), total: Resource) -> String {
        let rm = self.names.rm();
        let cluster = rm.cluster();
        let labelled = cluster.partition_ids().filter(|p| !rm.partition_total(*p).is_zero()).count() > 1;
        let whose = say::nodes_of(self.names.partition(self.w.partition), labelled);
        // Only the lacking types decide; they are named even if nothing of them is free.
        let left = (total - used).minus_not_below_zero(Resource::ZERO);
        let held = self.held_by_masters(root);
        let matters = (0..self.types()).any(|i| self.w.size[i] > left[i] && held[i] > 0);
        let masters = if matters { masters_share(self, root, used) } else { String::new() };
        let lacking = |r| self.lacking(r, left).unwrap_or_else(|| self.text(r));
        // Reserved resources are free on their nodes, but count as used.
        let reserved =
            rm.queues().get(root.index()).map_or(Resource::ZERO, |q| q.part(self.w.partition).reserved) - own;
        let free = (total - used + reserved).minus_not_below_zero(Resource::ZERO);
        let [free_text, total, need] = [free, total, self.w.size].map(lacking);
        let free_text = if (0..self.types()).all(|i| free[i] == 0) { "nothing".to_string() } else { free_text };
        let stop = say::partition_full(&whose, &free_text, &total, &masters);
        if (0..self.types()).all(|i| reserved[i] <= 0 || self.w.size[i] <= left[i]) {
            return say::needs_more(&stop, &need);
        }
        let by = if own.is_zero() { formulas::reserved_by(self.names, root, self.w.partition) } else { Vec::new() };
        let fits = |node: &Node| rm.scheduler().fits_in_room(cluster, &self.w.size, &node.free());
        let its_own = |node: &&Node| node.in_scheduler && node.partition == self.w.partition;
        let nowhere = !cluster.nodes.iter().filter(its_own).any(fits);
        say::needs_more_than_reserved(&stop, &lacking(reserved), &by, &need, nowhere)
    }

    /// Returns the reserved part of a queue's usage, and for whom it is reserved.
    fn only_reserved(&self, queue: QueueId, p: PartitionId) -> String {
        let queues = self.names.rm().queues();
        let reserved = queues.get(queue.index()).map_or(Resource::ZERO, |q| q.part(p).reserved);
        if reserved.is_zero() {
            return String::new();
        }
        say::only_reserved(&self.text(reserved), &formulas::reserved_by(self.names, queue, p))
    }

    /// Returns the part that others have reserved, beside the application's `own`.
    fn reserved_by_others(&self, queue: QueueId, p: PartitionId, own: Resource) -> String {
        if own.is_zero() {
            return self.only_reserved(queue, p);
        }
        let queues = self.names.rm().queues();
        let reserved = queues.get(queue.index()).map_or(Resource::ZERO, |q| q.part(p).reserved) - own;
        if reserved.is_zero() { String::new() } else { say::only_reserved(&self.text(reserved), &[]) }
    }

    /// Returns an ancestor that uses all of its maximum, as the look recorded it, with the reserved part.
    fn above_is_full(&self, look: &PassRecord, below: QueueId) -> String {
        let full = look.passed.iter().find_map(|p| match p {
            Checked { check: Check::QueueLimit, about: About::Queue(queue), figures: Figures::Amounts(a), .. } => {
                let (used, maximum) = (a.used(), a.besides().unwrap_or(a.limit));
                (*queue != below && !self.fits(used + self.w.size, maximum)).then_some((*queue, used, maximum))
            }
            _ => None,
        });
        let Some((id, used, maximum)) = full else { return String::new() };
        let reserved = self.only_reserved(id, look.partition) + &self.most_beside(id, below);
        let (path, text) = (self.names.queue(id), self.text(used));
        if self.below(used, maximum) {
            let sum = Amounts::sum(used, self.w.size, maximum);
            return say::above_has_too_little(path, &self.told(&sum, used), &self.told(&sum, maximum), &reserved);
        }
        say::above_is_full(path, &text, &self.text(maximum), &reserved)
    }

    /// Returns which child of a full queue has the most of it, other than the one on the path.
    fn most_beside(&self, full: QueueId, below: QueueId) -> String {
        let queues = self.names.rm().queues();
        let on_way = |id: &QueueId| self.names.path_up(below).any(|one| one == *id);
        let children = queues.get(full.index()).map_or(&[][..], |queue| queue.children.as_slice()).iter();
        let used = |id: QueueId| Some((id, queues.get(id.index())?.part(self.w.partition).used));
        let others = children.copied().filter(|id| !on_way(id)).filter_map(used);
        match others.max_by_key(|(id, used)| (used.memory_mb(), std::cmp::Reverse(*id))) {
            Some((id, used)) if !used.is_zero() => say::of_it_in(&self.text(used), self.names.queue(id)),
            Some(_) | None => String::new(),
        }
    }

    /// Returns the leaves that headroom is blocked for, with their applications and what these request: those recorded as
    /// blocked in the round. With `from`, only those below the parent of `from` and not below `from` itself.
    fn kept(&self, from: Option<QueueId>) -> impl Iterator<Item = (QueueId, AppId, Resource)> + '_ {
        let parent = from.and_then(|queue| self.names.rm().parent_of(queue));
        let below = |queue: QueueId, above: Option<QueueId>| {
            above.is_some_and(|above| self.names.path_up(queue).any(|one| one == above))
        };
        self.record.queues.iter().filter_map(move |((queue, partition), (_, _, checked))| {
            let a = checked.figures.as_amounts().filter(|_| checked.check == Check::LeafHeadroom)?;
            let others = *queue != self.app.queue && *partition == self.w.partition;
            let beside = from.is_none() || below(*queue, parent) && !below(*queue, from);
            Some((*queue, a.app.filter(|_| others && beside)?, a.asked()))
        })
    }

    /// Returns for whom headroom is blocked: leaves that come first and whose most urgent request does not fit; `from`: see
    /// [`ChainBuilder::kept`].
    pub(super) fn kept_for(&self, from: Option<QueueId>) -> String {
        let name = |queue, app, need| say::waits_for(self.names.queue(queue), self.names.app(app), &self.text(need));
        let waits: Vec<String> = self.kept(from).map(|(queue, app, need)| name(queue, app, need)).collect();
        if waits.is_empty() { String::new() } else { say::room_kept(&words::list(&waits, 2)) }
    }

    /// Returns which other labels lend resources, and from when on.
    fn lent(&self) -> String {
        let cluster = self.names.rm().cluster();
        let lends = |p: &PartitionId| {
            self.w.partition.is_default()
                && !p.is_default()
                && !cluster.partitions[p.index()].exclusive
                && !self.names.rm().partition_total(*p).is_zero()
        };
        let each = cluster.partition_ids().filter(lends).map(|p| {
            let label = self.names.partition(p);
            if !self.w.borrows(self.names) {
                return say::lends_not_to_masters(label);
            }
            say::lends(label, &self.free(cluster.free_in(p)))
        });
        let mut out: String = each.collect();
        let asks = self.app.asks.find(self.w.key).map(|place| self.app.asks.at(place));
        let (missed, needed) = (asks.map_or(0, |a| a.missed_non_partitioned), cluster.node_count as i64);
        if !out.is_empty() && self.w.borrows(self.names) && missed + 1 < needed {
            out.push_str(&say::borrows_after(needed, missed));
        }
        out
    }
}

/// Returns a queue's usage, its limit, and its own maximum.
fn figures(a: &Amounts) -> (Resource, Resource, Resource) {
    (a.used(), a.limit, a.besides().unwrap_or(a.limit))
}

/// Returns the failed check of a queue that may not use the label.
fn no_access(queue: QueueId) -> Checked {
    Checked::failed(Check::PartitionAccess, About::Queue(queue), Figures::None)
}
