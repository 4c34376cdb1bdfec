//! Snippets that people paste instead of a file, because documents show no more than that: lines of a file without their
//! root, a placement spec or the command with one, a single key, a name, a line of a history. Each is read as the part that
//! it is, or the user learns where it belongs.

use crate::apps::scenario::read::pasted;
use crate::config::properties;
use std::borrow::Cow;

/// The maximum size of a snippet, in bytes: a longer text is taken for a file.
const SNIPPET: usize = 4_000;
/// Returns an XML text with its root, if it begins with a property: documents often omit `<configuration>`. Lines stay
/// where they are.
pub fn with_root(text: &str) -> Option<String> {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->")?.1.trim_start();
    }
    let bare = rest.starts_with("<property>") && !text.contains("<configuration");
    bare.then(|| format!("<configuration>{text}\n</configuration>"))
}

/// Joins the lines of a command, as a shell does: a backslash at the end of a line is removed together with any kind of
/// line end. Trailing blanks, which a document or an editor leaves, and the shell's prompt `> ` for the rest are removed as
/// well.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') || !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let (mut out, mut goes_on) = (String::with_capacity(text.len()), false);
    for (place, line) in text.split('\n').enumerate() {
        let line = match line.trim_start().strip_prefix("> ") {
            Some(rest) if goes_on => rest,
            _ => line,
        };
        if place > 0 && !goes_on {
            out.push('\n');
        }
        // Pairs of backslashes are literal backslashes.
        let bare = line.trim_end();
        let backslashes = bare.len() - bare.trim_end_matches('\\').len();
        goes_on = backslashes % 2 == 1;
        out.push_str(if goes_on { &bare[..bare.len() - 1] } else { line });
    }
    Cow::Owned(out)
}

/// Returns the spec of a text that is a placement spec, or a command line with one, on one line or several. Does not
/// validate it.
pub fn spec(text: &str) -> Option<Cow<'_, str>> {
    if text.len() > SNIPPET {
        return None;
    }
    match one_line(text.trim()) {
        Cow::Borrowed(text) => on_one_line(text).map(Cow::Borrowed),
        Cow::Owned(text) => on_one_line(&text).map(|text| Cow::Owned(text.to_string())),
    }
}

fn on_one_line(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.is_empty() || text.contains('\n') {
        return None;
    }
    let command = text.contains("-placement_spec") || shell_arguments(text).is_some();
    (command || begins_as_spec(text)).then_some(text)
}

/// Returns whether a text begins with a source tag, written `zk(3)` or, as in Hadoop 3.1's manual, `zk=3`, and goes on as a
/// spec, even if the comma that has to stand between is missing.
fn begins_as_spec(text: &str) -> bool {
    let text = text.trim_start_matches(['"', '\'', '`']);
    let Some(at) = text.find(['(', '=']) else { return false };
    let (tag, rest) = text.split_at(at);
    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
    let (open, after) = rest.split_at(1 + digits);
    let bracket = open.starts_with('(');
    let after = if bracket { after.strip_prefix(')') } else { Some(after) };
    let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let Some(after) = after.filter(|_| digits > 0 && !tag.is_empty() && tag.chars().all(plain)) else { return false };
    let after = after.trim();
    if after == "," || bracket && after.starts_with(',') {
        return true;
    }
    let rest = after.trim_start_matches(|c: char| c.is_whitespace() || ",;:".contains(c));
    let word = rest.split_once([',', '(']).map(|(word, _)| word.trim().to_ascii_lowercase());
    word.is_some_and(|word| matches!(word.as_str(), "in" | "notin" | "cardinality" | "and" | "or"))
}

/// Returns the arguments of a command line that runs the distributed shell, without shell quotes.
pub fn shell_command(text: &str) -> Option<Vec<String>> {
    let arguments = shell_arguments(text)?;
    let mut out: Vec<String> = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    let mut letters = arguments.chars();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (None, '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None, c) if c.is_whitespace() => out.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    Some(out)
}

/// Returns what stands after the distributed shell's client: its class, or its jar alone, whose manifest names the class.
fn shell_arguments(text: &str) -> Option<&str> {
    if let Some((_, arguments)) = text.split_once("distributedshell.Client") {
        return Some(arguments);
    }
    let (before, rest) = text.split_once("distributedshell")?;
    let end = rest.find(char::is_whitespace)?;
    let (jar, arguments) = rest.split_at(end);
    let mut words = before.split_whitespace().rev();
    // The jar's folder, if it has one, is the beginning of its own word.
    let own = !before.ends_with(char::is_whitespace);
    let runs = words.nth(usize::from(own)) == Some("jar");
    (runs && jar.trim_end_matches(['"', '\'']).ends_with(".jar")).then_some(arguments)
}

/// Describes a text that is not a file, and where it belongs.
pub fn explain(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > SNIPPET {
        return None;
    }
    let key = text.trim_matches(|c: char| c == '"' || c == '{' || c == ',' || c.is_whitespace());
    let key: String = key.chars().take_while(|c| c.is_alphanumeric() || "._-".contains(*c)).collect();
    let key = key.as_str();
    if let Some(told) = pasted(text, key) {
        return Some(told);
    }
    if let Some(found) = properties::find(key, &|_| false) {
        let property = found.property;
        let default = match property.default {
            "" => String::new(),
            default => format!(" By default it is {default}."),
        };
        let table = if key.starts_with(properties::PREFIX) { "capacity-scheduler" } else { "yarn-site" };
        return Some(format!(
            "`{key}` is a property. {}{default} Give it with a value: under [{table}] of a scenario, or in an XML file.",
            property.help
        ));
    }
    if let Some(property) = properties::with_class(text) {
        return Some(format!("{text} is a class. It is a value of `{property}`: give it there."));
    }
    ["targetIn(", "targetNotIn(", "cardinality(", "minCardinality(", "maxCardinality(", "targetCardinality("]
        .iter()
        .any(|method| text.starts_with(method))
        .then(|| {
            "This is a constraint as a program builds it, with PlacementConstraints. The text form of the distributed shell is \
             another: write in,SCOPE,tag, notin,SCOPE,tag or cardinality,SCOPE,tag,MIN,MAX after a tag with its count, such as \
             zk(3),NOTIN,NODE,zk."
                .into()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_without_a_root_get_one_and_nothing_else_does() {
        let bare = "\n<!-- a --> <property>\n<name>a</name></property><property/>";
        let whole = with_root(bare).expect("it is one");
        assert!(whole.starts_with("<configuration>\n<!-- a -->") && whole.ends_with("\n</configuration>"), "{whole}");
        for text in [
            "",
            "<configuration><property/></configuration>",
            "<allocations/>",
            "a",
            "<!-- <property>",
            "<properties/>",
        ] {
            assert_eq!(with_root(text), None, "{text}");
        }
    }

    #[test]
    fn a_spec_is_told_from_other_lines() {
        for text in [
            "zk(3),NOTIN,NODE,zk",
            " zk(1),in,rack,a:b(2),x ",
            "yarn x.distributedshell.Client -jar a",
            "zk(3),",
            "zk=3,NOTIN,NODE,zk:hb=2,or(in,node,zk:in,node,hb)",
            "'zk=3,and(in,node,a:in,node,b)'",
            "zk=1,",
            "zk(3)NOTIN,NODE,zk",
            "zk(3);NOTIN,NODE,zk",
            "zk(3) cardinality,node,zk,0,1",
        ] {
            assert!(spec(text).is_some(), "{text}");
        }
        for text in [
            "",
            "hello",
            "a=b",
            "zk(three),NOTIN",
            "f(3) + 4",
            "a=3,b=4",
            "retries=3, and so on",
            "zk(),in,node,zk",
            "=3,in,node,zk",
            "é=",
            "a\nzk(3),NOTIN,NODE,zk",
            "cardinality(NODE, 3, 10, “zk”)",
        ] {
            assert_eq!(spec(text), None, "{text}");
        }
    }

    /// Each way of writing a command over several lines × each cut.
    #[test]
    fn a_command_over_several_lines_is_one() {
        let whole =
            "yarn x.distributedshell.Client -jar a.jar -shell_command 'sleep 5' -placement_spec zk(3),NOTIN,NODE,zk";
        let cuts = [" -jar", " -shell_command", " -placement_spec"];
        for end in ["\\\n", "\\\r\n", "\\\r", "\\ \t\n", "\\\n   ", "\\\r\n\t", "\\\n> "] {
            let text = cuts
                .iter()
                .fold(whole.to_string(), |text, cut| text.replacen(cut, &format!(" {end}{}", cut.trim()), 1));
            let found = spec(&text).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            assert_eq!(found.as_deref(), Some(whole), "{text:?}");
            let words = shell_command(&one_line(&text)).map(|words| words.len());
            assert_eq!(words, Some(6), "{text:?}");
            assert_eq!(spec(&format!("{text}\nnext line")), None, "two commands are no command: {text:?}");
        }
        assert_eq!(one_line("a\\\nb\\\\\nc"), "ab\\\\\nc", "two backslashes are one that ends no line");
        assert_eq!(one_line("a\\\n"), "a");
    }
}
