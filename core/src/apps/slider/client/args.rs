//! The command line of `slider create` after its name (ActionCreateArgs, ArgOps; the parser is JCommander).

use super::words::{self, RefusedCommand};

/// How often a parameter may occur, and how many values it takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// No value.
    Flag,
    /// One value; at most once.
    Once,
    /// A whole number; at most once.
    Number,
    /// One value; any number of times.
    Each,
    /// The given number of values; any number of times.
    Many(usize),
}

/// Parameters with all their names.
const KNOWN: [(&[&str], Takes); 29] = [
    (&["--component", "--comp", "--role"], Takes::Many(2)),
    (&["--option", "-O"], Takes::Many(2)),
    (&["--compopt", "--co", "--roleopt"], Takes::Many(3)),
    (&["--resopt", "-ro"], Takes::Many(2)),
    (&["--rescompopt", "--rco"], Takes::Many(3)),
    (&["--addon"], Takes::Many(2)),
    (&["-D"], Takes::Each),
    (&["-S"], Takes::Each),
    (&["--queue"], Takes::Once),
    (&["--provider"], Takes::Once),
    (&["--resources"], Takes::Once),
    (&["--template"], Takes::Once),
    (&["--image"], Takes::Once),
    (&["--apphome"], Takes::Once),
    (&["--appconf"], Takes::Once),
    (&["--zkpath"], Takes::Once),
    (&["--zkhosts"], Takes::Once),
    (&["--package"], Takes::Once),
    (&["--metainfo"], Takes::Once),
    (&["--metainfojson"], Takes::Once),
    (&["--appdef"], Takes::Once),
    (&["--rm"], Takes::Once),
    (&["--out", "-o"], Takes::Once),
    (&["--wait"], Takes::Number),
    (&["--fs", "--filesystem"], Takes::Once),
    (&["--basepath"], Takes::Once),
    (&["--manager", "--m"], Takes::Once),
    (&["--debug"], Takes::Flag),
    (&["--help"], Takes::Flag),
];
/// Parameters that were given before the others.
const GIVEN: [&str; 3] = ["--resources", "--template", "--image"];

/// The arguments other than the two files and the image.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Args {
    pub queue: Option<String>,
    pub provider: Option<String>,
    pub app_home: Option<String>,
    /// `--component`: name and count.
    pub components: Vec<[String; 2]>,
    /// `--option`, of appConfig.json.
    pub options: Vec<[String; 2]>,
    /// `--compopt`, of a component of appConfig.json.
    pub component_options: Vec<[String; 3]>,
    /// `--resopt`, of resources.json.
    pub resource_options: Vec<[String; 2]>,
    /// `--rescompopt`, of a component of resources.json.
    pub resource_component_options: Vec<[String; 3]>,
    /// `-D`: settings of the client.
    pub settings: Vec<(String, String)>,
}

impl Args {
    /// Reads the name and the arguments after the files. `before`: the command line from the name to there, as messages print
    /// it. Errors: the client does not understand it.
    pub fn read(before: &str, name: &str, args: &[String]) -> Result<Self, RefusedCommand> {
        Self::name(&args.iter().fold(before.to_string(), |line, arg| format!("{line} {arg}")), name)?;
        let read = Self::options(before, args)?;
        if name.trim().is_empty() {
            return Err(words::arguments(
                "org.apache.slider.core.exceptions.BadCommandArgumentsException: Not enough arguments for action: create \
                 Expected minimum 1 but got 0",
            ));
        }
        Ok(read)
    }

    /// Checks the name, which is an argument too. `line`: the command line, as messages print it. Errors: the name is taken for
    /// a parameter.
    fn name(line: &str, name: &str) -> Result<(), RefusedCommand> {
        let parser =
            |what: &str| words::arguments(format!("com.beust.jcommander.ParameterException: {what} in {line}"));
        if name.trim().is_empty() {
            return Ok(());
        }
        if name.starts_with('-') {
            return Err(parser(&format!("Unknown option: {name}")));
        }
        if name != name.trim() {
            return Err(parser(&format!("Unknown parameter: {}", name.trim())));
        }
        Ok(())
    }

    /// Reads the arguments after the files. `before`: the command line up to there, as messages print it. Errors: the client
    /// does not understand it.
    fn options(before: &str, args: &[String]) -> Result<Self, RefusedCommand> {
        let mut out = Args::default();
        let (mut seen, mut plain): (Vec<&str>, Vec<&str>) = (GIVEN.to_vec(), Vec::new());
        let bad = |what: String| {
            let line = args.iter().fold(before.to_string(), |line, arg| format!("{line} {arg}"));
            words::arguments(format!("com.beust.jcommander.ParameterException: {what} in {line}"))
        };
        let mut rest = args.iter();
        while let Some(arg) = rest.next().map(|arg| arg.trim()) {
            if arg.is_empty() {
                continue;
            }
            let known = KNOWN.iter().find(|(names, _)| names.contains(&arg));
            let Some((names, takes)) = known else {
                if arg.starts_with('-') {
                    return Err(bad(format!("Unknown option: {arg}")));
                }
                plain.push(arg);
                continue;
            };
            let shown = names[0];
            let mut value = || rest.next().map(|v| v.trim().to_string());
            match takes {
                Takes::Flag => {}
                Takes::Many(n) => {
                    let values: Vec<String> = (0..*n).map_while(|_| value()).collect();
                    if values.is_empty() {
                        return Err(bad(format!("Expected a value after parameter {arg}")));
                    }
                    if values.len() < *n {
                        return Err(bad(format!("Expected {n} values after {arg}")));
                    }
                    out.take_many(shown, values);
                }
                Takes::Each | Takes::Once | Takes::Number => {
                    if *takes != Takes::Each && seen.contains(&shown) {
                        return Err(bad(format!("Can only specify option {arg} once.")));
                    }
                    seen.push(shown);
                    let Some(value) = value() else {
                        return Err(bad(format!("Expected a value after parameter {arg}")));
                    };
                    if *takes == Takes::Number && crate::model::java_number::parse_int(&value).is_err() {
                        return Err(bad(format!("\"{arg}\": couldn't convert \"{value}\" to an integer")));
                    }
                    out.take(shown, value);
                }
            }
        }
        if !plain.is_empty() {
            let name = before.split(' ').nth(1).unwrap_or_default();
            let all: Vec<String> =
                std::iter::once(name).chain(plain.iter().copied()).map(|p| format!(" \"{p}\" ")).collect();
            let n = all.len();
            let what = format!(
                "org.apache.slider.core.exceptions.BadCommandArgumentsException: Too many arguments for action create: \
                 limit is 1 but saw {n}: {}",
                all.concat().trim_end()
            );
            return Err(words::arguments(what));
        }
        Ok(out)
    }

    fn take(&mut self, name: &str, value: String) {
        match name {
            "--queue" => self.queue = Some(value),
            "--provider" => self.provider = Some(value),
            "--apphome" => self.app_home = Some(value),
            "-D" => {
                self.settings.extend(value.split_once('=').map(|(key, value)| (key.to_string(), value.to_string())))
            }
            _ => {}
        }
    }

    fn take_many(&mut self, name: &str, values: Vec<String>) {
        let pair = |values: Vec<String>| <[String; 2]>::try_from(values).ok();
        let triple = |values: Vec<String>| <[String; 3]>::try_from(values).ok();
        match name {
            "--component" => self.components.extend(pair(values)),
            "--option" => self.options.extend(pair(values)),
            "--resopt" => self.resource_options.extend(pair(values)),
            "--compopt" => self.component_options.extend(triple(values)),
            "--rescompopt" => self.resource_component_options.extend(triple(values)),
            _ => {}
        }
    }
}
