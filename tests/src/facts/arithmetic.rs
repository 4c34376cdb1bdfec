//! Comparing, fitting, rounding: the two resource calculators (area capacity-scheduler).

use super::read::{amounts, calculator, int, list, resource, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::model::{Calculator, Resource};
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "compare" => compare,
        "min-max-by-calculator" => min_max,
        "fits-in" => fits_in,
        "normalize" => normalize,
        "normalize-request" => normalize_request,
        "ratio" => ratio,
        "insufficient-resources" => insufficient,
        "multiply-round-down" => multiply_round_down,
        "multiply-round-up" => multiply_round_up,
        "componentwise-min" => componentwise_min,
        "componentwise-max" => componentwise_max,
        _ => return None,
    })
}

/// Returns the pairs of a case, and the number of amounts in its rows.
fn pairs<'a>(case: &'a Case, key: &str) -> (Vec<(&'a Value, &'a Value)>, usize) {
    let rows = list(&case.given[key]);
    let len = rows.first().map_or(2, |p| list(&p[0]).len());
    (rows.iter().map(|p| (&p[0], &p[1])).collect(), len)
}

fn of_case(case: &Case, len: usize) -> Calculator {
    calculator(text(&case.given["calculator"]), len)
}

/// Applies `f` to every pair; the list must equal `expect.result`.
fn each_pair(case: &Case, key: &str, f: impl Fn(Resource, Resource, usize) -> Value) -> Outcome {
    let (pairs, _) = pairs(case, key);
    let result: Value = pairs.iter().map(|(l, r)| f(resource(l), resource(r), list(l).len())).collect();
    holds(&case.expect, &json!({ "result": result })).into()
}

fn compare(case: &Case) -> Outcome {
    let base = resource(&case.given["cluster"]);
    let calculator = of_case(case, list(&case.given["cluster"]).len());
    each_pair(case, "pairs", |l, r, _| json!(calculator.compare(&base, &l, &r) as i32))
}

fn min_max(case: &Case) -> Outcome {
    let (pairs, len) = pairs(case, "pairs");
    let (base, c) = (resource(&case.given["cluster"]), of_case(case, len));
    let column = |f: &dyn Fn(Resource, Resource) -> Value| -> Value {
        pairs.iter().map(|(l, r)| f(resource(l), resource(r))).collect()
    };
    let got = json!({
        "less": column(&|l, r| json!(c.lt(&base, &l, &r))),
        "less_or_equal": column(&|l, r| json!(c.le(&base, &l, &r))),
        "greater": column(&|l, r| json!(c.gt(&base, &l, &r))),
        "greater_or_equal": column(&|l, r| json!(c.ge(&base, &l, &r))),
        "max": column(&|l, r| amounts(*c.max(&base, &l, &r), len)),
        "min": column(&|l, r| amounts(*c.min(&base, &l, &r), len)),
    });
    holds(&case.expect, &got).into()
}

fn fits_in(case: &Case) -> Outcome {
    let (_, len) = pairs(case, "pairs");
    let c = of_case(case, len);
    each_pair(case, "pairs", |small, big, _| json!(c.fits_in(&small, &big)))
}

fn normalize(case: &Case) -> Outcome {
    let g = &case.given;
    let c = of_case(case, list(&g["ask"]).len());
    let r = c.normalize(&resource(&g["ask"]), &resource(&g["min"]), &resource(&g["max"]), &resource(&g["increment"]));
    holds(&case.expect, &json!({ "memory_mb": r.memory_mb(), "vcores": r.vcores() })).into()
}

/// Normalises a request as SchedulerUtils.normalizeRequest does: the increment is the minimum.
fn normalize_request(case: &Case) -> Outcome {
    let g = &case.given;
    let (c, min) = (of_case(case, 2), resource(&g["min"]));
    let got = if g.get("asks").is_some() {
        let max = resource(&g["max"]);
        let rows: Value =
            list(&g["asks"]).iter().map(|a| amounts(c.normalize(&resource(a), &min, &max, &min), 2)).collect();
        json!({ "result": rows })
    } else {
        let rows: Value = list(&g["rows_ask_memory_and_max_memory"])
            .iter()
            .map(|row| {
                let (ask, max) = (Resource::new(int(&row[0]), 0), Resource::new(int(&row[1]), 0));
                json!(c.normalize(&ask, &min, &max, &min).memory_mb())
            })
            .collect();
        json!({ "memory_mb": rows })
    };
    holds(&case.expect, &got).into()
}

fn ratio(case: &Case) -> Outcome {
    let (a, b) = (resource(&case.given["numerator"]), resource(&case.given["denominator"]));
    let len = list(&case.given["numerator"]).len();
    let show = |x: f32| if x == f32::INFINITY { json!("+infinity") } else { json!(f64::from(x)) };
    let got = json!({
        "default": show(calculator("default", len).ratio(&a, &b)),
        "dominant": show(calculator("dominant", len).ratio(&a, &b)),
    });
    holds(&case.expect, &got).into()
}

fn insufficient(case: &Case) -> Outcome {
    let (pairs, len) = pairs(case, "pairs_required_available");
    let (c, types) = (of_case(case, len), super::read::types(len));
    let names: Value = pairs
        .iter()
        .map(|(need, have)| {
            let names = c.insufficient(&resource(need), &resource(have), &types);
            // The corpus uses memory's short name.
            Value::from_iter(names.into_iter().map(|n| if n == "memory-mb" { "memory" } else { n }))
        })
        .collect();
    holds(&case.expect, &json!({ "names": names })).into()
}

/// Applies `f` to rows of a resource and a factor.
fn multiply(case: &Case, f: impl Fn(Resource, f64, usize) -> Resource) -> Outcome {
    let rows: Value = list(&case.given["rows_resource_by"])
        .iter()
        .map(|row| {
            let len = list(&row[0]).len();
            amounts(f(resource(&row[0]), row[1].as_f64().unwrap_or(0.0), len), len)
        })
        .collect();
    holds(&case.expect, &json!({ "result": rows })).into()
}

fn multiply_round_down(case: &Case) -> Outcome {
    multiply(case, |r, by, _| r.multiply_round_down(by as f32))
}

fn multiply_round_up(case: &Case) -> Outcome {
    multiply(case, |r, by, len| {
        let step = Resource::ZERO.map(|_| 1);
        calculator("dominant", len).multiply_normalize_up(&r, by as f32, &step)
    })
}

fn componentwise_min(case: &Case) -> Outcome {
    each_pair(case, "pairs", |l, r, len| amounts(l.component_min(r), len))
}

fn componentwise_max(case: &Case) -> Outcome {
    each_pair(case, "pairs", |l, r, len| amounts(l.component_max(r), len))
}
