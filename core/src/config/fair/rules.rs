//! Placement rules (QueuePlacementPolicy and the rules of FSPlacementRule; fair-scheduler.md section 5).

/// The criterion by which a rule chooses the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// The requested queue.
    Specified,
    /// The user's name.
    User,
    /// `nestedUserQueue`: the user's name below another rule's queue.
    NestedUser,
    /// The user's first group.
    PrimaryGroup,
    /// The first of the user's groups whose queue is configured.
    SecondaryGroup,
    /// A fixed queue.
    Default,
    /// No queue: the application is rejected.
    Reject,
}

impl RuleKind {
    /// Returns the kind by its name in the file; case-sensitive.
    pub fn read(name: &str) -> Option<Self> {
        Some(match name {
            "specified" => RuleKind::Specified,
            "user" => RuleKind::User,
            "nestedUserQueue" => RuleKind::NestedUser,
            "primaryGroup" => RuleKind::PrimaryGroup,
            "secondaryGroupExistingQueue" => RuleKind::SecondaryGroup,
            "default" => RuleKind::Default,
            "reject" => RuleKind::Reject,
            _ => return None,
        })
    }

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            RuleKind::Specified => "specified",
            RuleKind::User => "user",
            RuleKind::NestedUser => "nestedUserQueue",
            RuleKind::PrimaryGroup => "primaryGroup",
            RuleKind::SecondaryGroup => "secondaryGroupExistingQueue",
            RuleKind::Default => "default",
            RuleKind::Reject => "reject",
        }
    }

    /// YARN's class. User and nestedUserQueue have the same one.
    fn class(self) -> &'static str {
        match self {
            RuleKind::Specified => "SpecifiedPlacementRule",
            RuleKind::User | RuleKind::NestedUser => "UserPlacementRule",
            RuleKind::PrimaryGroup => "PrimaryGroupPlacementRule",
            RuleKind::SecondaryGroup => "SecondaryGroupExistingPlacementRule",
            RuleKind::Default => "DefaultPlacementRule",
            RuleKind::Reject => "RejectPlacementRule",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The criterion by which it chooses the queue.
    pub kind: RuleKind,
    /// Whether the queue may be created.
    pub create: bool,
    /// The queue of the rule `default`.
    pub queue: Option<String>,
    /// The rule that yields the parent queue.
    pub parent: Option<Box<Rule>>,
}

impl Rule {
    fn new(kind: RuleKind, create: bool) -> Self {
        Rule { kind, create, queue: None, parent: None }
    }

    /// Returns whether it always decides, so that no later rule is reached.
    pub fn is_terminal(&self) -> bool {
        let own = match self.kind {
            RuleKind::Specified | RuleKind::SecondaryGroup => false,
            RuleKind::Reject => true,
            _ => self.create,
        };
        own && self.parent.as_ref().is_none_or(|p| p.is_terminal())
    }

    /// Checks whether it may have this parent rule (or none). Errors: why not.
    pub fn check_parent(&self) -> Result<(), String> {
        let Some(parent) = &self.parent else {
            if self.kind == RuleKind::NestedUser {
                return Err("Rule 'nestedUserQueue' must have a parent rule set".into());
            }
            return Ok(());
        };
        let never = match parent.kind {
            RuleKind::Reject => Some("reject"),
            RuleKind::NestedUser => Some("nestedUserQueue"),
            _ => None,
        };
        if let Some(name) = never {
            return Err(format!("Rule '{name}' is not allowed as a parent rule for any rule"));
        }
        Ok(())
    }

    /// The checks that YARN makes when it initialises a rule (FSPlacementRule.initialize, then that of its class).
    fn check_use(&self) -> Result<(), Unfit> {
        const OUT: &str = "Take the rule within it out.";
        let Some(parent) = &self.parent else { return Ok(()) };
        let class = self.kind.class();
        if parent.kind.class() == class {
            let package = "org.apache.hadoop.yarn.server.resourcemanager.placement";
            let words = format!("Parent rule may not be the same type as the child rule: {package}.{class}");
            return Err(Unfit { words, mend: MEND_PARENT });
        }
        let words = match self.kind {
            RuleKind::Specified => "Parent rule should not be configured for Specified rule.",
            RuleKind::Default => "Parent rule must not be configured for Default rule.",
            RuleKind::Reject => "Parent rule should not be configured for Reject rule.",
            RuleKind::User | RuleKind::NestedUser | RuleKind::PrimaryGroup | RuleKind::SecondaryGroup => return Ok(()),
        };
        Err(Unfit { words: words.into(), mend: OUT })
    }
}

/// Returns YARN's message if a rule other than the last always decides.
pub fn unreached(rules: &[Rule]) -> Option<String> {
    let i = rules.split_last()?.1.iter().position(Rule::is_terminal)?;
    Some(format!("Rules after rule {} in queue placement policy can never be reached", i + 1))
}

/// The advice for a rule with an unsuitable parent rule.
pub const MEND_PARENT: &str =
    "Put one rule of another kind into it, which gives the parent queue: <rule name=\"primaryGroup\"/>, for one.";

/// Why rules cannot be used.
pub struct Unfit {
    /// YARN's message.
    pub words: String,
    /// The advice.
    pub mend: &'static str,
}

/// Checks that the last of these rules always decides, and that all are valid.
pub fn check_order(rules: &[Rule]) -> Result<(), Unfit> {
    if rules.last().is_some_and(|rule| !rule.is_terminal()) {
        return Err(Unfit {
            words: "Could get past last queue placement rule without assigning".into(),
            mend: "End with a rule that always decides, such as <rule name=\"default\"/> or <rule name=\"reject\"/>.",
        });
    }
    rules.iter().try_for_each(Rule::check_use)
}

/// The rules if the file has none: `allow-undeclared-pools` and `user-as-default-queue` decide.
pub fn default_rules(allow_undeclared: bool, user_as_default: bool) -> Vec<Rule> {
    let mut rules = vec![Rule::new(RuleKind::Specified, allow_undeclared)];
    if user_as_default {
        rules.push(Rule::new(RuleKind::User, allow_undeclared));
    }
    if !user_as_default || !allow_undeclared {
        rules.push(Rule::new(RuleKind::Default, true));
    }
    rules
}
