//! Access control lists of queues (AccessControlList, AppPriorityACLConfigurationParser of Hadoop 3.5.0).

use super::{Acl, PriorityAcl};
use crate::api::{Refusal, SettingsRule};
use crate::config::values::{not_a_number, trim, trimmed_list};

impl Acl {
    pub fn everybody() -> Self {
        Acl { everybody: true, ..Acl::default() }
    }

    /// Parses `user,user group,group` or `*`. No text is malformed.
    pub fn parse(text: &str) -> Self {
        if trim(text) == "*" {
            return Acl::everybody();
        }
        let (users, groups) = text.split_once(' ').unwrap_or((text, ""));
        Acl { everybody: false, users: trimmed_list(users), groups: trimmed_list(groups) }
    }

    /// Returns whether this user is allowed, by name or by a group.
    pub fn allows(&self, user: &str, groups: &[String]) -> bool {
        self.everybody || self.users.iter().any(|u| u == user) || self.groups.iter().any(|g| groups.contains(g))
    }
}

/// Parses `[user=u group=g max_priority=5 default_priority=1] …`; text outside brackets is ignored. Priorities above
/// `cluster_maximum` are capped at it. Errors: an unknown word, an invalid number, a bracket without a user, group or
/// maximum.
pub(super) fn priority_acls(text: &str, cluster_maximum: i32) -> Result<Vec<PriorityAcl>, Refusal> {
    let mut out = Vec::new();
    for group in text.split('[').skip(1) {
        let group = trim(group.split(']').next().unwrap_or(""));
        if group.is_empty() {
            continue;
        }
        out.push(priority_acl(group, cluster_maximum)?);
    }
    Ok(out)
}

fn priority_acl(group: &str, cluster_maximum: i32) -> Result<PriorityAcl, Refusal> {
    let (mut names, mut maximum, mut default) = (Vec::new(), None, 0);
    for pair in group.split(' ').filter(|p| !p.is_empty()) {
        let mut parts = pair.split('=');
        let (Some(key), Some(value)) = (parts.next(), parts.next().filter(|v| !v.is_empty())) else { continue };
        let number = || value.parse::<i32>().map_err(|_| not_a_number(value));
        match trim(key).to_ascii_uppercase().as_str() {
            "USER" | "GROUP" => names.push(trim(value).to_string()),
            "MAX_PRIORITY" => maximum = Some(number()?),
            "DEFAULT_PRIORITY" => default = number()?.max(0),
            other => {
                return Err(Refusal::of(
                    SettingsRule::NoConstant,
                    format!(
                        "No enum constant org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AppPriorityACLConfigurationParser.AppPriorityACLKeyType.{other}"
                    ),
                ));
            }
        }
    }
    // YARN reads the maximum first (AppPriorityACLConfigurationParser.getPriorityACL).
    let Some(maximum) = maximum else {
        return Err(Refusal::of(SettingsRule::PriorityAcl, "NullPointerException"));
    };
    let Some(first) = names.first() else {
        return Err(Refusal::of(SettingsRule::PriorityAcl, "Index 0 out of bounds for length 0"));
    };
    // The first name counts as users, whatever its key; the second as groups.
    let who = match names.get(1) {
        _ if first == "*" => Acl::everybody(),
        Some(second) => Acl::parse(trim(&format!("{first} {second}"))),
        None => Acl::parse(first),
    };
    Ok(PriorityAcl { who, max_priority: maximum.min(cluster_maximum), default_priority: default })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_users_then_groups() {
        let acl = Acl::parse("a,b g1,g2");
        assert!(acl.allows("b", &[]) && acl.allows("x", &["g2".into()]) && !acl.allows("x", &["a".into()]));
        assert!(Acl::parse(" * ").allows("x", &[]));
        assert!(!Acl::parse(" ").allows("x", &["x".into()]));
        assert!(Acl::parse(" g").allows("x", &["g".into()]));
    }

    #[test]
    fn priority_acls_are_cut_to_the_cluster() {
        let acls =
            priority_acls("[user=a group=g max_priority=9 default_priority=2] [user=* max_priority=1]", 5).unwrap();
        assert_eq!((acls[0].max_priority, acls[0].default_priority), (5, 2));
        assert!(acls[0].who.allows("x", &["g".into()]) && acls[1].who.everybody);
        assert!(priority_acls("*", 5).unwrap().is_empty());
        assert!(priority_acls("[usr=a max_priority=1]", 5).is_err());
    }
}
