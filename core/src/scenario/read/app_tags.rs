//! Application tags in the namespaces of constraints. YARN stores a tag in lower case at submission
//! (ApplicationSubmissionContextPBImpl.setApplicationTags; placement-constraints.md section 4.3), but does not convert the
//! tag in a namespace, so `app-tag/Web` finds no application that is tagged `Web`.

use super::super::application::ConstraintText;
use super::super::document::Scenario;
use super::super::happening::Act;
use super::fields::Reader;
use crate::constraint::namespace::{Namespace, parse_namespace};
use crate::constraint::settings::FORCE_LOWERCASE;
use crate::constraint::{PlacementSettings, Target};

/// Warns of each constraint whose namespace spells an application tag differently from the stored one.
pub fn tell(r: &mut Reader<'_>, s: &Scenario) {
    let site = |name: &str| s.settings.yarn_site.get(name).map(String::as_str);
    let lower = PlacementSettings::read(site).is_ok_and(|settings| settings.lower_case_tags);
    let mut last = usize::MAX;
    let entries = s.apps.iter().filter(|a| std::mem::replace(&mut last, a.entry) != a.entry);
    let of_apps = entries.flat_map(|app| {
        let registered = app.constraints.iter().map(|c| &c.constraint);
        let asked = app.kind.calls().iter().flat_map(|call| &call.scheduling).filter_map(|ask| ask.constraint.as_ref());
        registered.chain(asked)
    });
    let put = s.happenings.iter().filter_map(|h| match &h.act {
        Act::PutConstraint { constraint, .. } => Some(constraint),
        _ => None,
    });
    for constraint in of_apps.chain(put) {
        of_constraint(r, s, constraint, lower);
    }
}

fn of_constraint(r: &mut Reader<'_>, s: &Scenario, constraint: &ConstraintText, lower: bool) {
    let leaves = constraint.tree.iter().flat_map(|tree| tree.leaves());
    let namespaces = leaves.flat_map(|leaf| &leaf.targets).filter_map(|target| match target {
        Target::Tags { namespace, .. } => match parse_namespace(namespace) {
            Ok(Namespace::AppTag(tag)) => Some(tag),
            _ => None,
        },
        Target::Attribute { .. } | Target::Partition { .. } => None,
    });
    for wanted in namespaces {
        let small = wanted.to_lowercase();
        let alike = s.apps.iter().find_map(|app| {
            let tag = app.tags.iter().find(|tag| tag.to_lowercase() == small)?;
            Some((app, tag))
        });
        let tagged = alike.map(|(app, tag)| format!(" `{}` is tagged `{tag}`.", app.name)).unwrap_or_default();
        if lower && small != wanted {
            let what =
                format!("`app-tag/{wanted}` finds no application: YARN stores application tags in lower case.{tagged}");
            r.warning(constraint.span, what, format!("Write app-tag/{small}, or set {FORCE_LOWERCASE} to false."));
        } else if let Some((_, tag)) = alike.filter(|(app, _)| !lower && app.tags.iter().all(|tag| tag != wanted)) {
            let what = format!(
                "`app-tag/{wanted}` finds no application: tags keep their capitals here, as {FORCE_LOWERCASE} is false.{tagged}"
            );
            r.warning(constraint.span, what, format!("Write app-tag/{tag}."));
        }
    }
}
