//! Further resource types keep their names, minima and maxima in whatever order they are declared, through every reader
//! and writer: one list decides the order of amounts (`ResourceTypes::with`), as Hadoop's ResourceUtils has it.
#![cfg(not(target_arch = "wasm32"))]

use heddle_core::config::resource_text::{Allocations, allocations, parse_resource};
use heddle_core::config::values::Conf;
use heddle_core::model::{Resource, ResourceTypes};

/// Names with and without a name space; their places here say which amounts are theirs.
const NAMES: [&str; 6] = ["yarn.io/gpu", "fpga", "yarn.io/fpga", "gpu", "disk", "a.b/nic"];

/// The maximum allocation of a type. No two types have the same, nor is one another's minimum.
fn maximum(name: &str) -> i64 {
    20 + 10 * place(name)
}

fn minimum(name: &str) -> i64 {
    1 + place(name)
}

/// What one container asks for.
fn asked(name: &str) -> i64 {
    10 + place(name)
}

fn place(name: &str) -> i64 {
    NAMES.iter().position(|n| *n == name).map_or(0, |i| i as i64)
}

/// Every ordered choice of `count` names.
fn orders(count: usize) -> Vec<Vec<&'static str>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1);
    let more = |got: Vec<&'static str>| {
        let left: Vec<&'static str> = NAMES.into_iter().filter(|n| !got.contains(n)).collect();
        left.into_iter().map(move |n| got.iter().copied().chain([n]).collect())
    };
    shorter.into_iter().flat_map(more).collect()
}

/// `, a=1, b=2`.
fn amounts(names: &[&str], of: fn(&str) -> i64) -> String {
    names.iter().map(|n| format!(", {n}={}", of(n))).collect()
}

fn of_types(r: Resource, types: &ResourceTypes, name: &str) -> i64 {
    r[types.place(name).unwrap_or_else(|| panic!("{name} is a type"))]
}

/// The orders that ResourceUtils of Hadoop 3.5.0 gave.
#[test]
fn types_are_numbered_as_hadoop_numbers_them() {
    for (declared, order) in [
        ("yarn.io/gpu,fpga", "fpga,yarn.io/gpu"),
        ("fpga,yarn.io/gpu", "fpga,yarn.io/gpu"),
        ("yarn.io/fpga,fpga", "fpga,yarn.io/fpga"),
        ("gpu,yarn.io/fpga,a.b/nic", "a.b/nic,yarn.io/fpga,gpu"),
        ("a.b/nic,disk,gpu,yarn.io/fpga,fpga,yarn.io/gpu", "disk,fpga,yarn.io/gpu,a.b/nic,yarn.io/fpga,gpu"),
    ] {
        let types = ResourceTypes::with(declared.split(',')).expect("they are few");
        assert_eq!(types.names()[2..].join(","), order, "{declared}");
    }
}

/// Bounds by name, from properties and from text.
#[test]
fn bounds_follow_their_names() {
    for count in 1..=NAMES.len() {
        for names in orders(count) {
            let mut conf = Conf::default();
            conf.set("yarn.resource-types", names.join(","));
            for name in &names {
                conf.set(format!("yarn.resource-types.{name}.minimum-allocation"), minimum(name).to_string());
                conf.set(format!("yarn.resource-types.{name}.maximum-allocation"), maximum(name).to_string());
            }
            let Allocations { types, minimum: low, maximum: high } = allocations(&conf).expect("they are types");
            for name in &names {
                assert_eq!(of_types(low, &types, name), minimum(name), "{names:?}");
                assert_eq!(of_types(high, &types, name), maximum(name), "{names:?}");
            }
            // YARN reads plain `gpu` and `fpga` in such lists as those of yarn.io.
            let listed: Vec<&str> = names.iter().copied().filter(|n| !matches!(*n, "gpu" | "fpga")).collect();
            let text = format!("memory-mb=5,vcores=6{}", amounts(&listed, asked));
            let read = parse_resource(&text, &types).expect("it is a list");
            for name in &listed {
                assert_eq!(of_types(read, &types, name), asked(name), "{names:?}");
                assert!(read.text(&types).contains(&format!("{name}: {}", asked(name))), "{names:?}");
            }
        }
    }
}
