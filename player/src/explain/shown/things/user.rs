//! What is known about a user.

use super::{fact, formula};
use crate::explain::formulas;
use crate::explain::names::Names;
use crate::explain::refusal;
use crate::explain::request::Explained;
use crate::explain::say::things as say;
use crate::explain::view::{EventOutcome, Selection, WhyView};
use crate::explain::words;
use heddle_core::model::Resource;

/// Returns the answer for a user.
pub fn user(names: Names<'_>, user: &str, waits: &[Explained]) -> WhyView {
    let rm = names.rm();
    let text = |r: Resource| words::counted(r, rm.cluster().calculator, &rm.cluster().types);
    let mut view =
        WhyView { about: Some(Selection::User(user.to_string())), title: user.to_string(), ..WhyView::default() };
    let mut total = Resource::ZERO;
    if rm.capacity().is_none() {
        let apps = rm.cluster().apps.iter().filter(|a| rm.cluster().user_name(a.user) == user);
        total = apps.fold(total, |sum, a| sum + a.used_total());
        view.facts.extend(crate::explain::fair::user_facts(names, user));
    }
    let queues = rm.capacity().into_iter().flat_map(|s| s.queues().iter().filter(|q| q.alive).map(move |q| (s, q)));
    for (scheduler, q) in queues {
        let Some(leaf) = q.leaf.as_deref() else { continue };
        for u in leaf.users.all().iter().filter(|u| rm.cluster().user_name(u.user) == user) {
            for p in rm.cluster().partition_ids() {
                let used = u.used.get(p.index()).copied().unwrap_or_default();
                total += used;
                if !p.is_default() && used.is_zero() {
                    continue;
                }
                let limit = scheduler.user_limit_of(rm.cluster(), q.id, u.user, p);
                let label = names.partition(p);
                view.facts.push(formula(
                    &say::figure_in("limit", &q.path, label),
                    text(limit),
                    formulas::user_limit(names, q.id, (p, false), u.user),
                ));
                view.facts.push(fact(&say::figure_in("used", &q.path, label), text(used)));
            }
        }
    }
    view.facts.extend(crate::explain::landing::of_user(names, user));
    let apps = rm.apps().iter().filter(|a| a.submission.user == user && !a.state.is_final()).count() as i64;
    view.sentence = say::user_uses(user, &text(total), apps);
    if let Some(first) = waits.first() {
        let name = names.request_name(first.waiting.app, first.waiting.key, first.waiting.count);
        view.sentence.push_str(&say::longest_waits(&name, &first.because));
        view.limits.clone_from(&first.chain.limits);
    }
    let of_user = |t: &&refusal::RefusalNotice<'_>| {
        let app = t.tried.app().and_then(|i| names.scenario().apps.get(i));
        app.is_some_and(|a| a.user == user)
    };
    let standing = refusal::standing(names);
    let refused: Vec<_> = standing.iter().filter(of_user).collect();
    if let [.., last] = refused.as_slice() {
        view.sentence.push_str(&say::also(&last.headline(names)));
        if waits.is_empty() {
            view.fate = Some(EventOutcome::Rejected);
            refusal::add(names, last, &mut view);
        }
        let before = refused[..refused.len() - 1].iter().rev();
        view.facts.extend(before.map(|t| fact("refused", words::plain(&t.headline(names)))));
    }
    view
}
