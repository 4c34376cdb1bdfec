//! Refusals of Slider's client: its messages, what each is about, and how to fix it.

use crate::api::{ClientRefusal, ClientStage};
use crate::apps::slider::strategy::definition::SCHEMA;
use crate::apps::slider::strategy::json::TextFault;
use crate::apps::slider::strategy::settings::key;
use crate::model::java_number::NotANumber;

/// The subject of a refusal, which is where it is fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// The command line or the client's configuration.
    Command,
    /// The application's name.
    Name,
    /// appConfig.json.
    AppConfig,
    /// `schema` of resources.json.
    Schema,
    /// A key of `global` in resources.json.
    Global(String),
    /// A component in resources.json.
    Component(String),
    /// A key of a component in resources.json.
    Key(String, String),
}

/// A refusal and its subject.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedCommand {
    pub refusal: ClientRefusal,
    pub about: About,
}

/// Exceptions of the client, by their simple names.
const BAD_CONFIG: &str = "BadConfigException";
const BAD_STATE: &str = "BadClusterStateException";
const BAD_ARGUMENTS: &str = "BadCommandArgumentsException";
const NUMBER: &str = "NumberFormatException";
const NULL: &str = "NullPointerException";

fn refuse(exception: &str, message: impl Into<String>, about: About, mend: impl Into<String>) -> RefusedCommand {
    let refusal = ClientRefusal::new(ClientStage::Submit, exception, message).mend(mend);
    RefusedCommand { refusal, about }
}

impl RefusedCommand {
    /// Marks a refusal that comes after the definition was saved, so that the name is taken.
    pub(super) fn saved(mut self) -> Self {
        self.refusal.definition_left = true;
        self
    }
}

// ---- before anything is saved

pub(super) fn arguments(message: impl Into<String>) -> RefusedCommand {
    let mut refused = refuse(BAD_ARGUMENTS, message, About::Command, "Correct the command line.");
    refused.refusal.stage = ClientStage::Read;
    refused
}

pub(super) fn twice(of: &str, what: &str) -> RefusedCommand {
    refuse(BAD_ARGUMENTS, format!("Duplicate entry for {of}: {what}"), About::Command, "Give it once.")
}

pub(super) fn name(name: &str) -> RefusedCommand {
    let mend = "Use lower-case letters, digits, `-` and `_`, and begin with a letter.";
    refuse(BAD_ARGUMENTS, format!("Illegal cluster name: {name}"), About::Name, mend)
}

pub(super) fn provider(name: &str) -> RefusedCommand {
    let words = format!("Unable to find provider of application type {name}");
    refuse(BAD_STATE, words, About::Command, "Leave `--provider` out.")
}

pub(super) fn image_and_home() -> RefusedCommand {
    let words = "Both application image path and home dir have been provided";
    refuse(BAD_CONFIG, words, About::Command, "Give one of `--image` and `--apphome`.")
}

pub(super) fn empty_queue() -> RefusedCommand {
    refuse(BAD_CONFIG, "Queue value cannot be empty.", About::Command, "Name a queue, or leave `--queue` out.")
}

/// Returns the refusal of a file at which the parser throws. The parser's message depends on a library's version.
pub(super) fn unreadable(arg: &str, file: &str, fault: &TextFault) -> RefusedCommand {
    let words = format!("incorrect argument to {arg}: \"{file}\" : {}", fault.what);
    let about = if arg == "--resources" { About::Schema } else { About::AppConfig };
    refuse(BAD_CONFIG, words, about, "Correct the JSON.")
}

/// Returns the refusal of `null` in the place of an object.
pub(super) fn null(about: About) -> RefusedCommand {
    refuse(NULL, "", about, "Write an object, between { and }, in the place of null.")
}

pub(super) fn null_map(about: About) -> RefusedCommand {
    refuse("IllegalArgumentException", "null map", about, "Write {} in the place of null.")
}

pub(super) fn no_schema(about: About) -> RefusedCommand {
    refuse(BAD_CONFIG, "'version' undefined", about, format!("Write \"schema\": \"{SCHEMA}\"."))
}

pub(super) fn schema(schema: &str, about: About) -> RefusedCommand {
    let words = format!("version {schema} incompatible with supported version {SCHEMA}");
    refuse(BAD_CONFIG, words, about, format!("Write \"schema\": \"{SCHEMA}\"."))
}

pub(super) fn prefix(key: &str, about: About) -> RefusedCommand {
    let words = format!("argument {key} does not have 'yarn.' prefix");
    refuse(BAD_CONFIG, words, about, format!("Move `{key}` to appConfig.json, or delete it."))
}

pub(super) fn template_prefix(key: &str) -> RefusedCommand {
    let words = format!("argument {key} has 'yarn.' prefix - this is not allowed in templates");
    refuse(BAD_CONFIG, words, About::AppConfig, format!("Move `{key}` to resources.json."))
}

pub(super) fn external(message: impl Into<String>) -> RefusedCommand {
    refuse(BAD_CONFIG, message, About::AppConfig, "Create the external application first, or correct its name.")
}

// ---- numbers

pub(super) fn number(e: NotANumber, about: About) -> RefusedCommand {
    let mend = match &about {
        About::Key(_, key) | About::Global(key) => format!("Write a whole number for `{key}`."),
        _ => "Write a whole number.".to_string(),
    };
    refuse(NUMBER, e.0, about, mend)
}

pub(super) fn null_number(about: About) -> RefusedCommand {
    refuse(NUMBER, "Cannot parse null string", about, "Write a whole number in the place of null.")
}

// ---- what is checked after saving

fn of(component: &str, key: &str) -> About {
    About::Key(component.into(), key.into())
}

pub(super) fn no_count(component: &str) -> RefusedCommand {
    let mend = format!("Write `{}` of `{component}`.", key::INSTANCES);
    refuse(BAD_STATE, format!("No instance count provided for {component}"), of(component, key::INSTANCES), mend)
}

pub(super) fn negative(component: &str, count: i32) -> RefusedCommand {
    let words = format!("Component {component} has negative instance count: {count}");
    refuse(BAD_STATE, words, of(component, key::INSTANCES), "Write 0 or more.")
}

pub(super) fn no_package(words: &str) -> RefusedCommand {
    let mend = "Name the application package (a .zip file) as `application.def` in appConfig.json.";
    refuse(BAD_CONFIG, format!("Application definition must be provided. {words}"), About::AppConfig, mend)
}

pub(super) fn not_zip(path: &str) -> RefusedCommand {
    let words = format!("App definition must be packaged as a .zip file. File provided is {path}");
    refuse(BAD_CONFIG, words, About::AppConfig, "Name a .zip file as `application.def`.")
}

pub(super) fn no_metainfo() -> RefusedCommand {
    let words = "Error parsing metainfo file, possibly bad structure.";
    refuse("SliderException", words, About::AppConfig, "Install the package where `application.def` says it is.")
}

pub(super) fn long_tag(tag: &str) -> RefusedCommand {
    let words = format!("Tag {tag} is too long, maximum allowed length of a tag is 100");
    refuse("IllegalArgumentException", words, About::Command, "Shorten it in the package's metainfo.xml.")
}

pub(super) fn foreign_tag(tag: &str) -> RefusedCommand {
    let words = format!("A tag can only have ASCII characters! Invalid tag - {tag}");
    refuse("IllegalArgumentException", words, About::Command, "Use ASCII letters in the package's metainfo.xml.")
}

pub(super) fn not_member(component: &str) -> RefusedCommand {
    let words = format!("Component {component} is not a member of application.");
    let mend = "Use the names of the components in the package's metainfo.xml.";
    refuse(BAD_CONFIG, words, About::Component(component.into()), mend)
}

pub(super) fn missing(component: &str, key: &str) -> RefusedCommand {
    let words = format!("Missing option {key} from set {component}");
    let mend = format!("Add `{key}` to `{component}` itself: the client does not look for it in `global`.");
    refuse(BAD_CONFIG, words, About::Component(component.into()), mend)
}

pub(super) fn priority(component: &str, priority: i32) -> RefusedCommand {
    let words = format!("Component {component} {} value out of range {priority}", key::PRIORITY);
    refuse(BAD_CONFIG, words, of(component, key::PRIORITY), "Write 1 or more.")
}

pub(super) fn priority_twice(component: &str, priority: i32, other: &str) -> RefusedCommand {
    let words =
        format!("Component {component} has a {} value {priority} which duplicates that of {other}", key::PRIORITY);
    refuse(BAD_CONFIG, words, of(component, key::PRIORITY), "Give each component a number of its own.")
}

pub(super) fn of_client(component: &str) -> RefusedCommand {
    let words = format!(
        "Component {component} is of type CLIENT and cannot be instantiated. Use \"slider client install ...\" command \
         instead."
    );
    refuse(BAD_CONFIG, words, of(component, key::INSTANCES), "Write 0 instances.")
}

pub(super) fn out_of_range(component: &str, count: i32, (least, most): (i32, i32)) -> RefusedCommand {
    let words = format!(
        "Component {component}, {} value {count} out of range. Expected minimum is {least} and maximum is {most}",
        key::INSTANCES
    );
    refuse(BAD_CONFIG, words, of(component, key::INSTANCES), format!("Write {least} to {most}."))
}

pub(super) fn bad_bound(bound: &str, component: &str) -> RefusedCommand {
    let words = format!("Invalid value for {bound} for {component}");
    refuse(BAD_CONFIG, words, About::Command, "Correct the package's metainfo.xml.")
}

pub(super) fn role_prefix(component: &str, prefix: &str) -> RefusedCommand {
    let words = format!("Component {component} doesn't start with prefix {prefix}");
    refuse(BAD_CONFIG, words, About::AppConfig, "Correct `role.prefix`.")
}
