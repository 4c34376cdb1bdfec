//! The records of a history file: JSON-encoded Avro records, one after the other (slider-placement.md 14.1), written as Slider
//! writes them and read as it reads them, damage included (14.2).

use super::json::{Kind, TextFault, Token, Tokens, quoted};
use crate::model::{Millis, java};
use std::fmt::Write as _;

/// The package of the records' types.
pub const PACKAGE: &str = "org.apache.slider.server.avro.";
/// The only version of the format.
const VERSION: i32 = 1;
/// The number of bytes that the parser reads at a time; bytes that it has read are not missed after the footer.
const BUFFER: usize = 4000;

/// The record of one component on one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRecord {
    /// The host.
    pub host: String,
    /// The component's id.
    pub role: i32,
    /// Whether a container was live there when the file was written.
    pub active: bool,
    /// The time at which the last one ended there.
    pub last_used: Millis,
}

/// The contents of a history file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Records {
    /// The time at which it was written.
    pub saved: Millis,
    /// The number of components when the ApplicationMaster started.
    pub roles: i32,
    /// Names and ids of the components. Read, but not used.
    pub mapping: Vec<(String, i32)>,
    /// The nodes.
    pub nodes: Vec<NodeRecord>,
    /// The number of node records in the footer.
    pub count: i64,
}

/// A single record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// RoleHistoryHeader.
    Header {
        /// The version of the format.
        version: i32,
        /// The time at which the file was written.
        saved: Millis,
        /// The number of components.
        roles: i32,
    },
    /// RoleHistoryMapping.
    Mapping(Vec<(String, i32)>),
    /// NodeEntryRecord.
    Node(NodeRecord),
    /// RoleHistoryFooter, with the number of node records.
    Footer(i64),
}

/// Formats a time as `java.util.Date.toGMTString` does.
fn gmt(at: Millis) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (days, second) = (at.div_euclid(86_400_000), at.rem_euclid(86_400_000) / 1000);
    // Days since the first of March of the year 0, in eras of 400 years.
    let z = days + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let name = MONTHS[(month - 1).rem_euclid(12) as usize];
    format!("{day} {name} {year} {:02}:{:02}:{:02} GMT", second / 3600, second / 60 % 60, second % 60)
}

/// Returns the text of a history file. The mapping is in the order of a Java `HashMap`.
pub fn write(records: &Records) -> String {
    let saved = records.saved;
    let mut out = String::new();
    let mut record = |kind: &str, fields: String| {
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = write!(out, "{gap}{{\"entry\":{{\"{PACKAGE}{kind}\":{{{fields}}}}}}}");
    };
    record(
        "RoleHistoryHeader",
        format!(
            "\"version\":{VERSION},\"saved\":{saved},\"savedx\":\"{saved:x}\",\"savedate\":\"{}\",\"roles\":{}",
            gmt(saved),
            records.roles
        ),
    );
    let pairs: Vec<&(String, i32)> = records.mapping.iter().collect();
    let pairs = java::walk_by(&pairs, |(name, _)| name).into_iter();
    let pairs: Vec<String> = pairs.map(|(name, key)| format!("{}:{key}", quoted(name))).collect();
    record("RoleHistoryMapping", format!("\"rolemap\":{{{}}}", pairs.join(",")));
    for node in &records.nodes {
        let fields = format!(
            "\"host\":{},\"role\":{},\"active\":{},\"last_used\":{}",
            quoted(&node.host),
            node.role,
            node.active,
            node.last_used
        );
        record("NodeEntryRecord", fields);
    }
    record("RoleHistoryFooter", format!("\"count\":{}", records.nodes.len()));
    out
}

/// Reads a history file as Slider does: everything up to the footer has to be right; after it only text that the parser has not
/// seen yet is missed.
pub fn read(text: &str) -> Result<Records, TextFault> {
    let mut r = Reader::new(text)?;
    let Record::Header { version, saved, roles } = r.record()? else {
        return r.fault("the first record is no header");
    };
    if version != VERSION {
        return r.fault(format!("version {version} is not known"));
    }
    let mut out = Records { saved, roles, ..Records::default() };
    loop {
        match r.record()? {
            Record::Header { .. } => return r.fault("a second header"),
            Record::Mapping(pairs) if out.mapping.is_empty() => out.mapping = pairs,
            Record::Mapping(_) => {}
            Record::Node(node) => out.nodes.push(node),
            Record::Footer(count) => {
                out.count = count;
                break;
            }
        }
    }
    let buffered = r.tokens.seen().div_ceil(BUFFER) * BUFFER;
    if text.as_bytes().get(buffered).is_some_and(|b| *b > 0) {
        return Err(TextFault { at: buffered, what: "the file goes on behind its footer".into() });
    }
    Ok(out)
}

/// Reads one record.
pub fn read_one(text: &str) -> Result<Record, TextFault> {
    Reader::new(text)?.record()
}

/// Fields that came before they were wanted, with the first token of each value and whether it is the only one.
type Aside = Vec<(String, Token)>;

/// Avro's decoder of JSON: fields may come in any order; the end of a record is read when the next one begins.
struct Reader<'t> {
    tokens: Tokens<'t>,
    current: Option<Token>,
    /// The fields put aside in the enclosing records.
    outer: Vec<Aside>,
    aside: Aside,
    /// Whether the closing braces of the last record have yet to be read.
    unclosed: bool,
    here: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Result<Self, TextFault> {
        let mut tokens = Tokens::new(text);
        let current = tokens.next_token()?;
        Ok(Reader { tokens, current, outer: Vec::new(), aside: Vec::new(), unclosed: false, here: 0 })
    }

    fn fault<T>(&self, what: impl Into<String>) -> Result<T, TextFault> {
        Err(TextFault { at: self.current.as_ref().map_or(self.here, |t| t.span.start), what: what.into() })
    }

    fn is(&self, kind: Kind) -> bool {
        self.current.as_ref().is_some_and(|t| t.kind == kind)
    }

    /// Returns the current token, and advances to the next one.
    fn take(&mut self) -> Result<Option<Token>, TextFault> {
        let taken = self.current.take();
        if let Some(token) = &taken {
            self.here = token.span.end;
        }
        self.current = self.tokens.next_token()?;
        Ok(taken)
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Result<Token, TextFault> {
        if !self.is(kind) {
            return self.fault(format!("{what} is missing"));
        }
        match self.take()? {
            Some(token) => Ok(token),
            None => self.fault(format!("{what} is missing")),
        }
    }

    fn open(&mut self) -> Result<(), TextFault> {
        self.expect(Kind::ObjectStart, "{")?;
        self.outer.push(std::mem::take(&mut self.aside));
        Ok(())
    }

    fn close(&mut self) -> Result<(), TextFault> {
        self.expect(Kind::ObjectEnd, "}")?;
        if let Some((name, _)) = self.aside.first() {
            return self.fault(format!("the field `{name}` is not known, or stands twice"));
        }
        self.aside = self.outer.pop().unwrap_or_default();
        Ok(())
    }

    /// Advances to the value of a field. Returns the token of a field that came earlier; other fields on the way are put aside.
    fn field(&mut self, name: &str) -> Result<Option<Token>, TextFault> {
        if let Some(i) = self.aside.iter().position(|(n, _)| n == name) {
            return Ok(Some(self.aside.remove(i).1));
        }
        while self.is(Kind::Name) {
            let Some(found) = self.take()? else { break };
            if found.text == name {
                return Ok(None);
            }
            let value = self.tree()?;
            self.aside.retain(|(n, _)| *n != found.text);
            self.aside.push((found.text, value));
            if !self.is(Kind::Name) {
                return self.fault(format!("the field `{name}` is missing"));
            }
        }
        Ok(None)
    }

    /// Skips a value. Returns its first token.
    fn tree(&mut self) -> Result<Token, TextFault> {
        let mut level = 0usize;
        let mut first = None;
        loop {
            let Some(token) = self.take()? else { return self.fault("a value is missing") };
            match token.kind {
                Kind::ObjectStart | Kind::ArrayStart => level += 1,
                Kind::ObjectEnd | Kind::ArrayEnd => level = level.saturating_sub(1),
                _ => {}
            }
            let first = first.get_or_insert(token);
            if level == 0 {
                return Ok(first.clone());
            }
        }
    }

    /// Returns the plain value of a field, and whether it was put aside before (numbers put aside have to be written as whole
    /// numbers).
    fn plain(&mut self, name: &str) -> Result<(Token, bool), TextFault> {
        match self.field(name)? {
            Some(token) => Ok((token, true)),
            None => match self.take()? {
                Some(token) => Ok((token, false)),
                None => self.fault(format!("the value of `{name}` is missing")),
            },
        }
    }

    fn text(&mut self, name: &str) -> Result<String, TextFault> {
        match self.plain(name)? {
            (Token { kind: Kind::Text, text, .. }, _) => Ok(text),
            (token, _) => Err(TextFault { at: token.span.start, what: format!("`{name}` is no text") }),
        }
    }

    fn boolean(&mut self, name: &str) -> Result<bool, TextFault> {
        match self.plain(name)? {
            (Token { kind: Kind::Bool, text, .. }, _) => Ok(text == "true"),
            (token, _) => Err(TextFault { at: token.span.start, what: format!("`{name}` is neither true nor false") }),
        }
    }

    fn int(&mut self, name: &str) -> Result<i32, TextFault> {
        let (token, aside) = self.plain(name)?;
        number(&token, aside, name, i64::from(i32::MIN), i64::from(i32::MAX)).map(|n| n as i32)
    }

    fn long(&mut self, name: &str) -> Result<i64, TextFault> {
        let (token, aside) = self.plain(name)?;
        number(&token, aside, name, i64::MIN, i64::MAX)
    }

    fn mapping(&mut self) -> Result<Vec<(String, i32)>, TextFault> {
        self.field("rolemap")?;
        self.expect(Kind::ObjectStart, "{")?;
        let mut pairs: Vec<(String, i32)> = Vec::new();
        while !self.is(Kind::ObjectEnd) {
            let key = self.expect(Kind::Name, "a name")?.text;
            let Some(token) = self.take()? else { return self.fault("a number is missing") };
            let id = number(&token, false, &key, i64::from(i32::MIN), i64::from(i32::MAX))? as i32;
            match pairs.iter_mut().find(|(k, _)| *k == key) {
                Some(pair) => pair.1 = id,
                None => pairs.push((key, id)),
            }
        }
        self.take()?;
        Ok(pairs)
    }

    fn record(&mut self) -> Result<Record, TextFault> {
        if std::mem::take(&mut self.unclosed) {
            self.close()?;
            self.expect(Kind::ObjectEnd, "}")?;
            self.close()?;
        }
        if self.current.is_none() {
            return self.fault("the file ends without a footer");
        }
        self.open()?;
        self.field("entry")?;
        self.expect(Kind::ObjectStart, "{")?;
        let kind = self.expect(Kind::Name, "the type of a record")?.text;
        let record = match kind.strip_prefix(PACKAGE) {
            Some("RoleHistoryHeader") => {
                self.open()?;
                let (version, saved) = (self.int("version")?, self.long("saved")?);
                self.text("savedx")?;
                self.text("savedate")?;
                Record::Header { version, saved, roles: self.int("roles")? }
            }
            Some("RoleHistoryMapping") => {
                self.open()?;
                Record::Mapping(self.mapping()?)
            }
            Some("NodeEntryRecord") => {
                self.open()?;
                Record::Node(NodeRecord {
                    host: self.text("host")?,
                    role: self.int("role")?,
                    active: self.boolean("active")?,
                    last_used: self.long("last_used")?,
                })
            }
            Some("RoleHistoryFooter") => {
                self.open()?;
                Record::Footer(self.long("count")?)
            }
            _ => return self.fault(format!("`{kind}` is no type of a record")),
        };
        self.unclosed = true;
        Ok(record)
    }
}

/// Returns a whole number between `low` and `high`: a number with a point or an exponent is truncated.
fn number(token: &Token, aside: bool, name: &str, low: i64, high: i64) -> Result<i64, TextFault> {
    let fault = |what: &str| Err(TextFault { at: token.span.start, what: format!("`{name}` {what}") });
    let whole = match token.kind {
        Kind::Int => match token.text.parse::<i64>() {
            Ok(n) => n,
            Err(_) => return fault("is too large"),
        },
        Kind::Float if !aside => match token.text.parse::<f64>() {
            Ok(x) if x >= low as f64 && x <= high as f64 => x as i64,
            _ => return fault("is too large"),
        },
        _ => return fault("is no whole number"),
    };
    if (low..=high).contains(&whole) { Ok(whole) } else { fault("is too large") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_javas() {
        assert_eq!(gmt(1_450_435_691_617), "18 Dec 2015 10:48:11 GMT");
        assert_eq!(gmt(0), "1 Jan 1970 00:00:00 GMT");
        assert_eq!(gmt(951_782_400_000), "29 Feb 2000 00:00:00 GMT");
    }

    fn sample(hosts: usize) -> Records {
        let node = |i: usize| NodeRecord { host: format!("p{i}"), role: 1, active: i.is_multiple_of(2), last_used: 7 };
        Records {
            saved: 1_450_435_691_617,
            roles: 2,
            mapping: vec![("web".into(), 1), ("slider-appmaster".into(), 0)],
            nodes: (0..hosts).map(node).collect(),
            count: hosts as i64,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for hosts in [0, 3, 30] {
            let records = sample(hosts);
            assert_eq!(read(&write(&records)), Ok(records));
        }
    }

    #[test]
    fn a_cut_file_names_the_place() {
        let text = write(&sample(2));
        let cut = &text[..text.len() - 10];
        assert!(read(cut).is_err_and(|f| f.at == cut.len()));
        assert!(read("").is_err() && read("{broken:true}").is_err());
    }

    /// The last braces of a file of 4001 bytes are beyond what the parser has read.
    #[test]
    fn two_lengths_are_never_loaded() {
        let text = write(&sample(3));
        let filled = |length: usize| {
            let (header, rest) = text.split_once('\n').expect("several records");
            format!("{header}{}\n{rest}", " ".repeat(length - text.len()))
        };
        let loads: Vec<bool> = (3998..4005).map(|length| read(&filled(length)).is_ok()).collect();
        assert_eq!(loads, [true, true, true, false, false, true, true]);
    }
}
