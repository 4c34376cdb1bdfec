//! Values drawn from a distribution, as SLS writes them: `{"val": 5, "std": 1}`. The numbers are the same on every target,
//! since only operations defined by IEEE 754 are used.

use super::super::json::Loose;
use crate::client::json::{Node, Value};
use crate::model::Span;

/// The maximum number of values read from a list.
const MOST: usize = 10_000;

/// A constant or a distribution.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    Constant(f64),
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// Given by its own mean and standard deviation, not by those of its logarithm.
    LogNormal {
        mean: f64,
        deviation: f64,
    },
    /// One of these values, each with its weight.
    Discrete(Vec<(f64, f64)>),
}

/// The reason why a node is not a value, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSample {
    pub at: Span,
    pub what: String,
}

impl Sample {
    /// Reads a value. A plain number is a constant. Errors: the fields do not fit together.
    pub fn read(node: &Node) -> Result<Sample, NoSample> {
        if let Value::Int(_) | Value::Float(_) | Value::Text(_) = node.value {
            return number(node).map(Sample::Constant);
        }
        let fail = |at: &Node, what: &str| Err(NoSample { at: at.span, what: what.into() });
        let (std, dist) = (node.get("std"), node.get("dist"));
        let (discrete, weights) = (node.get("discrete"), node.get("weights"));
        let Some(val) = node.get("val") else {
            let Some(list) = discrete else { return fail(node, "it has neither `val` nor `discrete`") };
            return one_of(list, weights);
        };
        if let Some(other) = discrete.or(weights) {
            return fail(other, "`val` goes with neither `discrete` nor `weights`");
        }
        let mean = number(val)?;
        let Some(std) = std else {
            return match dist {
                Some(dist) => fail(dist, "`dist` needs `std`"),
                None => Ok(Sample::Constant(mean)),
            };
        };
        let deviation = number(std)?;
        if deviation < 0.0 {
            return fail(std, "`std` is negative");
        }
        let deviation = if deviation == 0.0 { (mean / 6.0).abs() } else { deviation };
        match dist.map(|d| d.text().unwrap_or("")) {
            None | Some("LOGNORM") if mean > 0.0 => Ok(Sample::LogNormal { mean, deviation }),
            None | Some("LOGNORM") => fail(val, "a LOGNORM has a positive mean"),
            Some("NORM") => Ok(Sample::Normal { mean, deviation }),
            Some(_) => fail(dist.unwrap_or(node), "`dist` is LOGNORM or NORM"),
        }
    }

    /// Draws a value.
    pub fn draw(&self, random: &mut Random) -> f64 {
        match self {
            Sample::Constant(value) => *value,
            Sample::Normal { mean, deviation } => mean + deviation * random.normal(),
            Sample::LogNormal { mean, deviation } => {
                let variation = ln_1p((deviation / mean) * (deviation / mean));
                mean / exp(variation / 2.0) * exp(variation.sqrt() * random.normal())
            }
            Sample::Discrete(values) => {
                let weights: Vec<f64> = values.iter().map(|(_, weight)| *weight).collect();
                random.choose(&weights).and_then(|at| values.get(at)).map_or(0.0, |(value, _)| *value)
            }
        }
    }

    /// Draws a value and rounds it to the nearest whole number.
    pub fn draw_int(&self, random: &mut Random) -> i64 {
        // The cast saturates.
        (self.draw(random) + 0.5).floor() as i64
    }
}

fn number(node: &Node) -> Result<f64, NoSample> {
    let value = node.float().filter(|value| value.abs() < 1e15);
    value.ok_or_else(|| NoSample { at: node.span, what: "this is no number that can be used".into() })
}

fn one_of(list: &Node, weights: Option<&Node>) -> Result<Sample, NoSample> {
    let fail = |at: &Node, what: &str| Err(NoSample { at: at.span, what: what.into() });
    let values = list.list(&[]);
    if values.is_empty() || values.len() > MOST {
        return fail(list, "`discrete` has no values, or too many");
    }
    let each = match weights {
        None => vec![1.0; values.len()],
        Some(weights) => weights.list(&[]).into_iter().map(number).collect::<Result<Vec<f64>, _>>()?,
    };
    if each.len() != values.len() {
        return fail(weights.unwrap_or(list), "`weights` are not as many as the values of `discrete`");
    }
    if let Some(weights) = weights.filter(|_| !can_choose(&each)) {
        return fail(weights, "`weights` are 0 or more, and not all 0");
    }
    let values = values.into_iter().map(number).collect::<Result<Vec<f64>, _>>()?;
    Ok(Sample::Discrete(values.into_iter().zip(each).collect()))
}

/// Returns whether these weights allow a choice.
pub fn can_choose(weights: &[f64]) -> bool {
    weights.iter().all(|w| *w >= 0.0 && w.is_finite()) && weights.iter().sum::<f64>() > 0.0
}

/// A pseudorandom number generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number of at least 0 and less than 1.
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number with mean 0 and deviation 1: the sum of twelve uniform numbers, a sufficient approximation.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// Chooses an index by the weights; `None`: there is nothing to choose.
    pub fn choose(&mut self, weights: &[f64]) -> Option<usize> {
        if !can_choose(weights) {
            return None;
        }
        let mut left = self.uniform() * weights.iter().sum::<f64>();
        for (at, weight) in weights.iter().enumerate() {
            if left < *weight {
                return Some(at);
            }
            left -= weight;
        }
        weights.iter().rposition(|w| *w > 0.0)
    }
}

/// Returns e to the power of x, within the range that the distributions need.
fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let halvings = 10;
    let small = x / f64::from(1 << halvings);
    let (mut sum, mut term) = (1.0, 1.0);
    for n in 1..=12 {
        term *= small / f64::from(n);
        sum += term;
    }
    (0..halvings).fold(sum, |power, _| power * power)
}

/// Returns the natural logarithm of 1 + x, for x not negative.
fn ln_1p(x: f64) -> f64 {
    let (mut y, mut doublings) = (1.0 + x, 0);
    while y > 2.0 && doublings < 1100 {
        y /= 2.0;
        doublings += 1;
    }
    let t = (y - 1.0) / (y + 1.0);
    let (mut sum, mut power) = (0.0, t);
    for n in 0..24 {
        sum += power / f64::from(2 * n + 1);
        power *= t * t;
    }
    2.0 * sum + f64::from(doublings) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::super::super::json;
    use super::*;

    fn read(text: &str) -> Result<Sample, NoSample> {
        Sample::read(&json::read(text).values[0])
    }

    #[test]
    fn fields_go_together_or_are_refused() {
        assert_eq!(read("7"), Ok(Sample::Constant(7.0)));
        assert_eq!(read(r#"{"val": "7"}"#), Ok(Sample::Constant(7.0)));
        assert_eq!(read(r#"{"val": 12, "std": 0}"#), Ok(Sample::LogNormal { mean: 12.0, deviation: 2.0 }));
        assert_eq!(read(r#"{"val": 12, "std": 1, "dist": "NORM"}"#), Ok(Sample::Normal { mean: 12.0, deviation: 1.0 }));
        assert_eq!(read(r#"{"discrete": ["1", 2]}"#), Ok(Sample::Discrete(vec![(1.0, 1.0), (2.0, 1.0)])));
        for bad in [
            "{}",
            r#"{"std": 1}"#,
            r#"{"val": 1, "dist": "NORM"}"#,
            r#"{"val": 1, "discrete": [1]}"#,
            r#"{"val": 1, "weights": [1]}"#,
            r#"{"val": 1, "std": 1, "dist": "norm"}"#,
            r#"{"val": 0, "std": 1}"#,
            r#"{"val": 1, "std": -1}"#,
            r#"{"val": "x"}"#,
            r#"{"val": 1e300}"#,
            r#"{"discrete": []}"#,
            r#"{"discrete": [1, 2], "weights": [1]}"#,
            r#"{"discrete": [1, 2], "weights": [0, 0]}"#,
            r#"{"discrete": [1, 2], "weights": [-1, 2]}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    /// The means and deviations of many draws match the distribution.
    #[test]
    fn draws_have_the_mean_and_the_deviation_of_their_distribution() {
        for text in [r#"{"val": 20, "std": 4}"#, r#"{"val": 20, "std": 4, "dist": "NORM"}"#] {
            let (sample, mut random) = (read(text).unwrap(), Random::new(1));
            let draws: Vec<f64> = (0..20_000).map(|_| sample.draw(&mut random)).collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let deviation = (draws.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / 20_000.0).sqrt();
            assert!((mean - 20.0).abs() < 0.2 && (deviation - 4.0).abs() < 0.2, "{text}: {mean} {deviation}");
        }
        let (sample, mut random) = (read(r#"{"discrete": [1, 2], "weights": [3, 1]}"#).unwrap(), Random::new(1));
        let ones = (0..10_000).filter(|_| sample.draw_int(&mut random) == 1).count();
        assert!((7_200..7_800).contains(&ones), "{ones}");
    }

    #[test]
    fn exp_and_ln_are_those_of_the_standard_library() {
        for x in [0.0, 0.01, 0.3, 1.0, 2.5, 40.0, 1e6] {
            assert!((ln_1p(x) - f64::ln_1p(x)).abs() < 1e-9, "{x}");
        }
        for x in [-20.0, -1.0, 0.0, 0.2, 3.0, 20.0] {
            assert!((exp(x) / f64::exp(x) - 1.0).abs() < 1e-9, "{x}");
        }
    }
}
