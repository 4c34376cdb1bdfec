//! Keys of properties, typed by their values. A key refers to a row of the table, so name, default, range and help
//! stand only once. The compiler checks that the row exists, and that its value has this type.

use super::{PREFIX, Property, PropertyType, capacity_table, site_table};
use crate::api::{Properties, Refusal};
use crate::config::values::{parse_boolean, parse_double, parse_float, parse_int, parse_long};
use std::marker::PhantomData;

/// A property with values of one type.
#[derive(Debug)]
pub struct Key<T> {
    property: &'static Property,
    before: &'static str,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

/// A property whose default is another value: the parent queue's, the whole scheduler's, or that of a related property.
#[derive(Clone, Copy, Debug)]
pub struct Inherited<T>(Key<T>);

/// A type as which a property's value is parsed, with Hadoop's parser for it.
pub trait Value: Sized {
    /// The kinds of properties that have this type.
    const IS: Is;
    /// A placeholder for a default that the table does not have, which no key gets.
    const ZERO: Self;

    /// Parses a text that is trimmed already. Errors: it is not a value of this type.
    fn read(text: &str, default: Self) -> Result<Self, Refusal>;
}

/// The kinds that a typed reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    Bool,
    Int,
    Long,
    Real,
}

impl Is {
    const fn takes(self, kind: &PropertyType) -> bool {
        match self {
            Is::Bool => matches!(kind, PropertyType::Bool),
            Is::Int => matches!(kind, PropertyType::Int(..)),
            Is::Long => matches!(kind, PropertyType::Long | PropertyType::Int(..) | PropertyType::Duration),
            Is::Real => matches!(kind, PropertyType::Float(..)),
        }
    }
}

impl Value for bool {
    const IS: Is = Is::Bool;
    const ZERO: Self = false;

    // `getBoolean`: anything but true and false is the default, silently.
    fn read(text: &str, default: Self) -> Result<Self, Refusal> {
        Ok(parse_boolean(text).unwrap_or(default))
    }
}

/// Implements [`Value`] with a parser that refuses what it cannot parse.
macro_rules! value {
    ($($type:ty: $is:ident by $read:ident;)*) => { $(
        impl Value for $type {
            const IS: Is = Is::$is;
            const ZERO: Self = 0 as $type;

            fn read(text: &str, _default: Self) -> Result<Self, Refusal> {
                $read(text)
            }
        }
    )* };
}

value! {
    i32: Int by parse_int;
    i64: Long by parse_long;
    f32: Real by parse_float;
    f64: Real by parse_double;
}

impl<T: Value> Key<T> {
    /// A property of capacity-scheduler.xml, without its prefix.
    pub const fn scheduler(name: &str) -> Self {
        Self::of(capacity_table::SCHEDULER, name, PREFIX)
    }

    /// A property of one queue, without the queue's path: see [`Self::name_of`].
    pub const fn queue(name: &str) -> Self {
        Self::of(capacity_table::QUEUE, name, PREFIX)
    }

    /// A property of yarn-site.xml.
    pub const fn site(name: &str) -> Self {
        Self::of(site_table::SITE, name, "")
    }

    const fn of(rows: &'static [Property], name: &str, before: &'static str) -> Self {
        let key = Self::row(rows, name, before);
        assert!(!key.property.default.is_empty(), "the property has no default");
        key
    }

    const fn row(rows: &'static [Property], name: &str, before: &'static str) -> Self {
        let mut i = 0;
        while i < rows.len() {
            if same(rows[i].name.as_bytes(), name.as_bytes()) {
                assert!(T::IS.takes(&rows[i].kind), "the property has values of another type");
                return Key { property: &rows[i], before, value: PhantomData };
            }
            i += 1;
        }
        panic!("there is no such property in the table")
    }

    /// The property's whole name; for a queue's property without the queue.
    pub fn name(self) -> String {
        format!("{}{}", self.before, self.property.name)
    }

    /// The whole name of a queue's property.
    pub fn name_of(self, path: &str) -> String {
        format!("{}{path}.{}", self.before, self.property.name)
    }

    /// The value in the first layer that has it; its default if none has, or if it cannot be parsed.
    pub fn value_in(self, layers: &[&Properties]) -> T {
        let name = self.name();
        let written = layers.iter().find_map(|layer| layer.get(&name));
        written.and_then(|text| T::read(text.trim(), self.default()).ok()).unwrap_or_else(|| self.default())
    }

    /// Its default value.
    pub fn default(self) -> T {
        T::read(self.property.default, T::ZERO).unwrap_or(T::ZERO)
    }
}

impl<T: Value> Inherited<T> {
    /// A property of one queue, without the queue's path.
    pub const fn queue(name: &str) -> Self {
        Inherited(Key::row(capacity_table::QUEUE, name, PREFIX))
    }

    /// A property of yarn-site.xml.
    pub const fn site(name: &str) -> Self {
        Inherited(Key::row(site_table::SITE, name, ""))
    }

    /// The property's whole name.
    pub fn name(self) -> String {
        self.0.name()
    }

    /// The whole name of a queue's property.
    pub fn name_of(self, path: &str) -> String {
        self.0.name_of(path)
    }
}

/// Returns whether two names are equal; `==` is not available in constants.
const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::values::Conf;

    #[test]
    fn a_key_has_the_name_the_default_and_the_reader_of_its_row() {
        const DELAY: Key<i32> = Key::scheduler("node-locality-delay");
        const PRIORITY: Key<i32> = Key::queue("priority");
        const SHARE: Key<f32> = Key::scheduler("maximum-am-resource-percent");
        const ACLS: Key<bool> = Key::site("yarn.acl.enable");
        assert_eq!((DELAY.name(), DELAY.default()), (format!("{PREFIX}node-locality-delay"), 40));
        assert_eq!(PRIORITY.name_of("root.a"), format!("{PREFIX}root.a.priority"));
        let mut conf = Conf::default();
        assert_eq!((conf.get(DELAY), conf.get(SHARE), conf.get(ACLS)), (Ok(40), Ok(0.1), Ok(false)));
        conf.set(DELAY.name(), " 7 ");
        conf.set(ACLS.name(), "perhaps");
        conf.set(PRIORITY.name_of("root.a"), "x");
        assert_eq!((conf.get(DELAY), conf.get(ACLS)), (Ok(7), Ok(false)));
        assert!(conf.get_of("root.a", PRIORITY).is_err());
        assert_eq!(conf.get_of("root.b", PRIORITY), Ok(0));
        let [seven, odd] = [" 7 ", "x"].map(|text| Properties::from_iter([(DELAY.name(), text.to_string())]));
        let none = Properties::default();
        assert_eq!([[&none, &seven], [&odd, &seven], [&none, &none]].map(|all| DELAY.value_in(&all)), [7, 40, 40]);
    }

    #[test]
    fn every_default_with_a_typed_reader_can_be_read_by_it() {
        for row in super::super::all().filter(|row| !row.default.is_empty()) {
            let read = match row.kind {
                PropertyType::Bool => parse_boolean(row.default).is_some(),
                PropertyType::Int(..) => parse_int(row.default).is_ok(),
                PropertyType::Long => parse_long(row.default).is_ok(),
                PropertyType::Float(..) => parse_float(row.default).is_ok(),
                _ => true,
            };
            assert!(read, "{}: {}", row.name, row.default);
        }
    }
}
