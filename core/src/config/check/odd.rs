//! Values that the ResourceManager accepts, and that are probably not meant.

use crate::config::properties::Property;
use crate::config::values::{parse_float, trim};
use crate::model::{Problem, Span};

/// Returns what is odd about a value that is not refused.
pub(super) fn of(source: &str, span: Option<Span>, key: &str, property: &Property, value: &str) -> Option<Problem> {
    let value = parse_float(trim(value)).ok().filter(|v| *v > 1.0 && property.unit == "fraction")?;
    let what = format!("{key}: {value} is a fraction of a whole, {} %: nothing is limited by it.", value * 100.0);
    let meant = value / 100.0;
    let problem = Problem::warning(source, span, what);
    Some(if value <= 100.0 {
        problem.mend(format!("Write {meant} for {value} %.")).fix(meant.to_string())
    } else {
        problem.mend("Write a number from 0 to 1.")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use crate::api::Properties;

    #[test]
    fn a_percentage_where_a_fraction_is_read_is_told() {
        let said = |value: &str| {
            let text = format!(
                "<configuration><property><name>yarn.scheduler.capacity.maximum-am-resource-percent</name>\
                 <value>{value}</value></property></configuration>"
            );
            check("capacity-scheduler.xml", &text, &Properties::new(), &[])
                .problems
                .into_iter()
                .find(|p| p.what.contains("a fraction"))
                .map(|p| (p.what, p.mend, p.fix))
        };
        let (what, mend, fix) = said("20").expect("it is told");
        assert!(what.contains("20 is a fraction of a whole, 2000 %"), "{what}");
        assert_eq!((mend.as_str(), fix.as_deref()), ("Write 0.2 for 20 %.", Some("0.2")));
        assert_eq!((said("0.2"), said("1")), (None, None));
        assert_eq!(said("500").expect("it is told").2, None);
    }
}
