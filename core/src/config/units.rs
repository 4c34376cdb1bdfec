//! Units of resource amounts (formats.md 2.6; UnitsConversionUtil of Hadoop 3.5.0).

use crate::api::Refusal;

/// Every unit with its numerator and denominator; the empty one is 1.
const UNITS: [(&str, i64, i64); 15] = [
    ("p", 1, 1_000_000_000_000),
    ("n", 1, 1_000_000_000),
    ("u", 1, 1_000_000),
    ("m", 1, 1_000),
    ("", 1, 1),
    ("k", 1_000, 1),
    ("M", 1_000_000, 1),
    ("G", 1_000_000_000, 1),
    ("T", 1_000_000_000_000, 1),
    ("P", 1_000_000_000_000_000, 1),
    ("Ki", 1 << 10, 1),
    ("Mi", 1 << 20, 1),
    ("Gi", 1 << 30, 1),
    ("Ti", 1 << 40, 1),
    ("Pi", 1 << 50, 1),
];

/// Is it a unit that Hadoop knows? Case matters.
pub fn is_known(unit: &str) -> bool {
    ratio(unit).is_some()
}

fn ratio(unit: &str) -> Option<(i64, i64)> {
    UNITS.iter().find(|(name, ..)| *name == unit).map(|(_, numerator, denominator)| (*numerator, *denominator))
}

fn known(unit: &str) -> Result<(i64, i64), Refusal> {
    ratio(unit).ok_or_else(|| {
        // In the order of Java's hash set.
        let names = ", Gi, G, k, m, M, n, p, P, T, u, Ti, Pi, Mi, Ki";
        Refusal::new(format!("Unknown unit '{unit}'. Known units are [{names}]"))
    })
}

/// `value` of the unit `from` in the unit `to`, cut to a whole number. Errors: an unknown unit, or a result beyond
/// 64 bits.
pub fn convert(value: i64, from: &str, to: &str) -> Result<i64, Refusal> {
    if from == to {
        return Ok(value);
    }
    let ((from_up, from_down), (to_up, to_down)) = (known(from)?, known(to)?);
    let numerator = i128::from(from_up) * i128::from(to_down);
    let denominator = i128::from(from_down) * i128::from(to_up);
    // The products of two factors are below 2^101, so times a value of 64 bits may pass 128 bits: reduce first.
    let common = gcd(numerator, denominator);
    let (numerator, denominator) = (numerator / common, denominator / common);
    i128::from(value).checked_mul(numerator).map(|n| n / denominator).and_then(|n| i64::try_from(n).ok()).ok_or_else(
        || Refusal::new(format!("Converting {value} from '{from}' to '{to}' will result in an overflow of Long")),
    )
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_cut_to_whole_numbers() {
        assert_eq!(convert(1000, "M", "Mi"), Ok(953));
        assert_eq!(convert(1024, "Mi", "k"), Ok(1_073_741));
        assert_eq!(convert(10, "Gi", "Mi"), Ok(10240));
        assert_eq!(convert(2, "k", "Mi"), Ok(0));
        assert!(convert(i64::MAX, "Gi", "Mi").is_err());
        assert!(convert(1, "gi", "Mi").is_err());
    }
}
