//! The core in the page's environments: the same answers natively, in a page and in a worker.

use heddle_core::model::{Calculator, CalculatorKind, Resource, ResourceTypes, java};

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn floats_round_the_same_on_every_target() {
    let types = ResourceTypes::default();
    let c = Calculator::new(CalculatorKind::Dominant, &types);
    // A tenth as a 32-bit float is a little more than a tenth: 1638 MiB of 2^40.
    // A third as a 32-bit float, and the result of multiplying by it.
    assert_eq!(c.ratio(&Resource::new(1, 0), &Resource::new(3, 1)).to_bits(), (1f32 / 3f32).to_bits());
    assert_eq!(Resource::new(10_000, 10).multiply_round_down(0.3), Resource::new(3000, 3));
    assert_eq!(Resource::new(1 << 40, 7).multiply_round_down(0.1), Resource::new(109_951_164_416, 0));
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn java_habits_are_the_same_on_every_target() {
    assert_eq!(java::string_hash("polygenelubricants"), i32::MIN);
    assert_eq!(java::float_text(0.1), "0.1");
    assert_eq!(java::float_text(1.0e10), "1.0E10");
}
