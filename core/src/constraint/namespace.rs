//! Namespaces of allocation tags (AllocationTagNamespaceType, TargetApplicationsNamespace; placement-constraints.md 4.3).

use std::fmt;

/// The applications whose tags are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace<'a> {
    /// The asking application's.
    Own,
    /// All other applications'.
    NotSelf,
    /// All applications'.
    All,
    /// The application's with this id (cluster timestamp and number).
    App(i64, i32),
    /// The applications' with this application tag.
    AppTag(&'a str),
}

/// A namespace that YARN rejects at evaluation ("invalid allocation tags query").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidNamespace {
    pub text: String,
    /// The fault.
    pub why: &'static str,
    /// YARN's message (InvalidAllocationTagsQueryException).
    pub yarn: String,
}

impl fmt::Display for InvalidNamespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The namespace `{}` cannot be evaluated: {}", self.text, self.why)
    }
}

/// Parses a namespace: one or two parts between slashes, empty parts dropped; an empty text is `self`.
pub fn parse_namespace(text: &str) -> Result<Namespace<'_>, InvalidNamespace> {
    if text.is_empty() {
        return Ok(Namespace::Own);
    }
    let mut parts = text.split('/').filter(|p| !p.is_empty());
    let invalid = |why, yarn: String| Err(InvalidNamespace { text: text.to_string(), why, yarn });
    let (first, second, third) = (parts.next(), parts.next(), parts.next());
    let Some(first) = first.filter(|_| third.is_none()) else {
        let yarn = format!(
            "Invalid namespace string: {text}, the syntax is <namespace_prefix> or <namespace_prefix>/<namespace_value>"
        );
        return invalid("it must have one or two parts.", yarn);
    };
    match (first, second) {
        ("self", _) => Ok(Namespace::Own),
        ("not-self", _) => Ok(Namespace::NotSelf),
        ("all", _) => Ok(Namespace::All),
        ("app-id", None) => invalid(
            "app-id wants the id of an application.",
            format!("Missing the application ID in the namespace string: {text}"),
        ),
        ("app-id", Some(id)) => match parse_application_id(id) {
            Some((cluster, number)) => Ok(Namespace::App(cluster, number)),
            None => invalid(
                "application ids look like application_1700000000000_0001.",
                format!("Invalid application ID for app-id: {id}"),
            ),
        },
        ("app-tag", None) => invalid(
            "app-tag wants an application tag.",
            format!("Missing the application tag in the namespace string: {text}"),
        ),
        ("app-tag", Some(tag)) => Ok(Namespace::AppTag(tag)),
        (other, _) => invalid(
            "there are only self, not-self, all, app-id and app-tag, in lower case.",
            format!("Invalid namespace prefix: {other}, valid values are: app-tag,self,not-self,all,app-id"),
        ),
    }
}

/// `ApplicationId.fromString`: cluster timestamp and number.
pub fn parse_application_id(text: &str) -> Option<(i64, i32)> {
    let (cluster, number) = text.strip_prefix("application_")?.split_once('_')?;
    Some((cluster.parse().ok()?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_are_read_as_yarn_reads_them() {
        for (text, namespace) in [
            ("", Namespace::Own),
            ("/self//", Namespace::Own),
            ("self/whatever", Namespace::Own),
            ("not-self", Namespace::NotSelf),
            ("app-id/application_1_0012", Namespace::App(1, 12)),
            ("app-tag/Web", Namespace::AppTag("Web")),
        ] {
            assert_eq!(parse_namespace(text), Ok(namespace), "{text}");
        }
        for text in ["/", "SELF", "app-id", "app-tag/", "app-id/foo", "app-id/application_1", "a/b/c", "all/x/y"] {
            assert!(parse_namespace(text).is_err(), "{text}");
        }
    }
}
