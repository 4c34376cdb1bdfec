//! Secrets that are recognised by their surroundings, without a secret's name: headers, ids, addresses without a scheme,
//! and the options of command-line tools.

use super::{Scan, is_name_byte};

/// A step from the start of a pattern to its value.
enum PatternStep {
    /// Any number of these bytes.
    Any(&'static [u8]),
    /// One of these bytes.
    One(&'static [u8]),
    /// At least one letter.
    Word,
    /// Everything up to and including this byte; if the value would end before it, the pattern does not match.
    Past(u8),
}

/// A pattern: its beginning, the steps to its value, and the end of the value.
struct Shape {
    /// The name of the secret.
    name: &'static str,
    begins: &'static [&'static str],
    steps: &'static [PatternStep],
    /// Bytes that end the value besides [`ends`].
    stops: &'static [u8],
    /// The byte that must follow the value.
    before: Option<u8>,
}

const QUOTES: PatternStep = PatternStep::Any(b"\"'\\ ");

const SHAPES: [Shape; 5] = [
    // `Authorization: Bearer …`, quoted or not.
    Shape {
        name: "Authorization",
        begins: &["uthorization"],
        steps: &[
            QUOTES,
            PatternStep::One(b":="),
            QUOTES,
            PatternStep::Word,
            PatternStep::One(b" \t"),
            PatternStep::Any(b" \t"),
        ],
        stops: b"",
        before: None,
    },
    // A ZooKeeper id, in hadoop.zk.auth, in ACLs and on its command line: `digest:user:password`.
    Shape {
        name: "digest:",
        begins: &["digest:", "addauth digest "],
        steps: &[PatternStep::Past(b':')],
        stops: b":",
        before: None,
    },
    // `jdbc:oracle:thin:user/password@host`.
    Shape {
        name: "jdbc:oracle:",
        begins: &["jdbc:oracle:"],
        steps: &[PatternStep::Past(b'/')],
        stops: b"@",
        before: Some(b'@'),
    },
    // OpenSSL's `-passin pass:…`.
    Shape {
        name: "-pass pass:",
        begins: &["-pass pass:", "-passin pass:", "-passout pass:"],
        steps: &[],
        stops: b"",
        before: None,
    },
    // `sqlplus user/password@host`.
    Shape {
        name: "sqlplus",
        begins: &["sqlplus ", "sqlplus -s ", "sqlplus -S ", "sqlplus -L ", "sqlldr ", "expdp ", "impdp "],
        steps: &[PatternStep::Any(b"\"'\\ "), PatternStep::Past(b'/')],
        stops: b"@",
        before: None,
    },
];

/// Tokens of GitHub, GitLab and Slack, a webhook, and JSON web tokens: the name of the secret, its prefix, and the least
/// number of bytes after it.
const PREFIXES: [(&str, &str, usize); 11] = [
    ("GitHub token", "ghp_", 16),
    ("GitHub token", "gho_", 16),
    ("GitHub token", "ghs_", 16),
    ("GitHub token", "github_pat_", 16),
    ("GitLab token", "glpat-", 12),
    ("Slack token", "xoxb-", 10),
    ("Slack token", "xoxp-", 10),
    ("Slack token", "xoxa-", 10),
    ("Slack token", "xapp-", 10),
    ("Slack webhook", "hooks.slack.com/services/", 10),
    ("JSON web token", "eyJ", 40),
];

/// The way in which an option's value follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glue {
    /// `-pVALUE` only: `-p` alone prompts for it.
    Glued,
    /// `-a VALUE` only.
    Apart,
    /// `-PVALUE` or `-P VALUE`.
    Both,
}

/// A tool whose options contain secrets under other names.
pub(super) struct Tool {
    names: &'static [&'static str],
    /// A word that must come first: the `login` of `docker login`.
    word: Option<&'static str>,
    options: &'static [&'static str],
    glue: Glue,
    /// The byte between user and password in the value; `None`: the whole value is secret.
    after: Option<u8>,
}

const fn tool(names: &'static [&'static str], options: &'static [&'static str], glue: Glue) -> Tool {
    Tool { names, word: None, options, glue, after: None }
}

static TOOLS: [Tool; 18] = [
    tool(
        &[
            "mysql",
            "mysqladmin",
            "mysqlbinlog",
            "mysqlcheck",
            "mysqldump",
            "mysqlimport",
            "mysqlpump",
            "mysqlsh",
            "mysqlshow",
            "mysqlslap",
            "mariadb",
            "mariadb-admin",
            "mariadb-check",
            "mariadb-dump",
            "mariadb-import",
        ],
        &["-p"],
        Glue::Glued,
    ),
    tool(&["7z", "7za", "7zr", "7zz", "rar", "unrar"], &["-p", "-hp"], Glue::Glued),
    tool(&["sshpass"], &["-p"], Glue::Both),
    tool(&["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"], &["-p"], Glue::Both),
    tool(&["cqlsh", "beeline", "rabbitmqadmin", "influx", "clickhouse-client"], &["-p"], Glue::Both),
    tool(&["sqlcmd", "osql", "bcp", "isql", "tsql", "ipmitool", "mosquitto_pub", "mosquitto_sub"], &["-P"], Glue::Both),
    tool(&["zip", "unzip", "zipcloak"], &["-P"], Glue::Both),
    tool(
        &["ldapadd", "ldapcompare", "ldapdelete", "ldapmodify", "ldapmodrdn", "ldapsearch", "ldapwhoami"],
        &["-w"],
        Glue::Both,
    ),
    tool(&["ldappasswd"], &["-w", "-a", "-s"], Glue::Both),
    tool(&["redis-cli"], &["-a"], Glue::Apart),
    tool(&["snmpget", "snmpset", "snmpwalk", "snmpbulkwalk"], &["-A", "-X", "-c"], Glue::Both),
    tool(&["kinit", "klist"], &["-t", "-kt"], Glue::Both),
    tool(&["kadmin"], &["-w", "-t"], Glue::Both),
    Tool { word: Some("login"), ..tool(&["docker", "podman", "az", "oc", "helm", "nerdctl"], &["-p"], Glue::Both) },
    // `hadoop credential create NAME -value …`
    Tool { word: Some("credential"), ..tool(&["hadoop", "hdfs", "yarn", "mapred"], &["-value", "-v"], Glue::Apart) },
    Tool { after: Some(b':'), ..tool(&["curl"], &["-u", "--user", "-U", "--proxy-user"], Glue::Both) },
    Tool { after: Some(b','), ..tool(&["lftp"], &["-u"], Glue::Both) },
    Tool { after: Some(b'%'), ..tool(&["smbclient", "rpcclient"], &["-U", "--user"], Glue::Both) },
];

/// Prefixes of words that are not a tool's short option with its value attached: `-placement_spec` after the word `mysql`.
const NO_VALUES: [&str; 11] =
    ["placement", "priority", "port", "path", "param", "propert", "project", "profile", "proxy", "print", "progress"];

/// Returns whether a byte ends an unquoted value.
fn ends(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\"'<>,;\\".contains(&byte)
}

impl Scan<'_> {
    /// Adds the values of all patterns.
    pub(super) fn shapes(&mut self) {
        let text = self.text;
        for shape in &SHAPES {
            for begin in shape.begins {
                for (at, _) in text.match_indices(begin) {
                    self.shape(shape, at + begin.len());
                }
            }
        }
        for (at, prefix) in text.match_indices("AKIA").chain(text.match_indices("ASIA")) {
            let end = self.near_while(at, |b| b.is_ascii_uppercase() || b.is_ascii_digit());
            let alone = at == 0 || !is_name_byte(self.bytes[at - 1]);
            if alone && end - at == prefix.len() + 16 {
                self.add("AWS access key", at, end, false);
            }
        }
        // Tokens with a unique prefix.
        for (name, begin, least) in PREFIXES {
            for (at, _) in text.match_indices(begin) {
                let alone = at == 0 || !is_name_byte(self.bytes[at - 1]);
                let end = self.near_while(at, |b| is_name_byte(b) || b == b'/');
                if alone && end - at >= begin.len() + least {
                    self.add(name, at, end, false);
                }
            }
        }
        for (at, begin) in text.match_indices("Bearer ") {
            let start = at + begin.len();
            let end = self.near_while(start, |b| is_name_byte(b) || b"+/=~".contains(&b));
            if end - start >= 16 {
                self.add("Bearer", start, end, false);
            }
        }
        // Docker's config.json.
        let auths = if text.contains("\"auths\"") { text } else { "" };
        for (at, auth) in auths.match_indices("\"auth\"") {
            let sign = self.blanks(at + auth.len(), true);
            if self.bytes.get(sign) == Some(&b':') {
                self.value("auth", self.blanks(sign + 1, true), true, true, false);
            }
        }
    }

    /// Adds the value of a pattern whose beginning ends here.
    fn shape(&mut self, shape: &Shape, begin: usize) {
        let mut at = begin;
        for step in shape.steps {
            let next = match step {
                PatternStep::Any(bytes) => self.near_while(at, |b| bytes.contains(&b)),
                PatternStep::One(bytes) => at + usize::from(self.bytes.get(at).is_some_and(|b| bytes.contains(b))),
                PatternStep::Word => self.near_while(at, |b| b.is_ascii_alphabetic()),
                PatternStep::Past(byte) => {
                    let end = self.near_while(at, |b| !ends(b) && b != *byte);
                    if end > at && self.bytes.get(end) == Some(byte) { end + 1 } else { at }
                }
            };
            if next == at && !matches!(step, PatternStep::Any(_)) {
                return;
            }
            at = next;
        }
        let is_value = |b: u8| !ends(b) && !shape.stops.contains(&b);
        let end = if shape.before.is_some() { self.near_while(at, is_value) } else { self.while_at(at, is_value) };
        if shape.before.is_none_or(|before| self.bytes.get(end) == Some(&before)) {
            self.add(shape.name, at, end, false);
        }
    }

    /// Notes a word that is, or completes, the name of a tool, and adds the secret of a tool's option. `end` is where the
    /// word ends.
    pub(super) fn word_of_a_command(&mut self, word: &str, start: usize, end: usize) {
        if !word.starts_with('-') {
            let next = self.bytes.get(end).copied();
            if next.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'\\' | b'&')) {
                for tool in TOOLS.iter().filter(|tool| tool.names.contains(&word)) {
                    if !self.tools.iter().any(|(known, _)| std::ptr::eq(*known, tool)) {
                        self.tools.push((tool, tool.word));
                    }
                }
                for (_, wanted) in &mut self.tools {
                    *wanted = wanted.filter(|wanted| *wanted != word);
                }
            }
            return;
        }
        for n in 0..self.tools.len() {
            let (tool, None) = self.tools[n] else { continue };
            for option in tool.options {
                let Some(rest) = word.strip_prefix(option) else { continue };
                if rest.is_empty() {
                    self.option(tool, option, end);
                } else if self.starts(start, option)
                    && tool.glue != Glue::Apart
                    && !option.starts_with("--")
                    && !NO_VALUES.iter().any(|name| word[1..].starts_with(name))
                {
                    self.value_of_tool(tool, option, start + option.len());
                }
            }
        }
    }

    /// Adds the value of an option that ends here: in quotes that follow at once, after `=`, or after a blank.
    fn option(&mut self, tool: &Tool, option: &str, end: usize) {
        // In a list each argument has its own quotes: `["redis-cli", "-a", "…"]`.
        let listed = self.list_gap(end);
        let apart = self.blanks(end, false);
        let glued = tool.glue != Glue::Apart && listed.is_none() && apart == end;
        if glued {
            return self.value_of_tool(
                tool,
                option,
                end + usize::from(self.starts(end, "=") && option.starts_with("--")),
            );
        }
        let value = listed.unwrap_or(apart);
        if tool.glue != Glue::Glued && value > end && self.bytes.get(value) != Some(&b'-') {
            self.value_of_tool(tool, option, value);
        }
    }

    /// Returns where the next string of a list begins, including its quote, if a string of the list ends here.
    fn list_gap(&self, end: usize) -> Option<usize> {
        let quote = self.quote_at(end)?;
        let comma = self.blanks(end + quote.slashes + 1, true);
        let next = (self.bytes.get(comma) == Some(&b',')).then(|| self.blanks(comma + 1, true))?;
        self.quote_at(next).map(|_| next)
    }

    /// Adds the value that begins here, or its secret part.
    fn value_of_tool(&mut self, tool: &Tool, option: &str, at: usize) {
        let (start, end) = match self.quote_at(at) {
            Some(quote) => {
                let start = at + quote.slashes + 1;
                let Some(end) = self.end_of(start, quote) else { return };
                (start, end)
            }
            None => {
                let start = at + if self.starts(at, "&quot;") { "&quot;".len() } else { 0 };
                (start, self.end_of_word(start))
            }
        };
        let value = self.text.get(start..end).unwrap_or_default();
        let user = match tool.after {
            None => 0,
            Some(sign) => match value.bytes().position(|b| b == sign) {
                // `joe:'…'`
                Some(n) if n + 1 == value.len() && self.quote_at(end).is_some() => {
                    return self.value_of_tool(&Tool { after: None, ..*tool }, option, end);
                }
                Some(n) if !value[n..].starts_with("://") => n + 1,
                _ => return,
            },
        };
        if user < value.len() && value != "-" {
            self.add(&format!("{} {option}", tool.names[0]), start + user, end, false);
        }
    }

    /// Returns where an unquoted word of a command ends: a backslash escapes the next byte, unless it ends a string around
    /// the command or a line in it.
    fn end_of_word(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(&byte) = self.bytes.get(at) {
            let next = self.bytes.get(at + 1).copied().unwrap_or(b'\n');
            match byte {
                b'\\' if next.is_ascii_whitespace() || b"\"'\\nrt".contains(&next) => break,
                b'\\' => at += 2,
                b'&' if self.starts(at, "&quot;") => break,
                b'"' | b'\'' | b'<' | b'>' | b';' | b'|' | b'`' | b')' => break,
                _ if byte.is_ascii_whitespace() => break,
                _ => at += 1,
            }
        }
        at.min(self.bytes.len())
    }
}
