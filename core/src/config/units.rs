//! Units of resource amounts (formats.md 2.6; UnitsConversionUtil of Hadoop 3.5.0).

use crate::api::Refusal;

/// Every unit with its numerator and denominator; the empty unit is 1.
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

/// Returns whether Hadoop knows this unit. Case matters.
pub fn is_known(unit: &str) -> bool {
    ratio(unit).is_some()
}

fn ratio(unit: &str) -> Option<(i64, i64)> {
    UNITS.iter().find(|(name, ..)| *name == unit).map(|(_, numerator, denominator)| (*numerator, *denominator))
}

fn known(unit: &str) -> Result<(i64, i64), Refusal> {
    ratio(unit).ok_or_else(|| {
        // In the iteration order of Java's hash set.
        let names = ", Gi, G, k, m, M, n, p, P, T, u, Ti, Pi, Mi, Ki";
        Refusal::new(format!("Unknown unit '{unit}'. Known units are [{names}]"))
    })
}

/// Converts `value` from the unit `from` to the unit `to` (`UnitsConversionUtil.convert`), truncated to a whole number.
/// Errors: an unknown unit, or a conversion that the real class refuses as an overflow.
pub fn convert(value: i64, from: &str, to: &str) -> Result<i64, Refusal> {
    if from == to {
        return Ok(value);
    }
    let ((from_up, from_down), (to_up, to_down)) = (known(from)?, known(to)?);
    let overflow =
        || Refusal::new(format!("Converting {value} from '{from}' to '{to}' will result in an overflow of Long"));
    // All in wrapping 64-bit arithmetic with the checks of the real class: it accepts some results that do not fit, and
    // refuses some that do.
    let numerator = from_up.wrapping_mul(to_down);
    let denominator = from_down.wrapping_mul(to_up);
    let limit = i64::MAX.checked_div(numerator).ok_or_else(overflow)?;
    let divided = |product: i64| product.checked_div(denominator).ok_or_else(overflow);
    if numerator < denominator {
        return if limit < value { Err(overflow()) } else { divided(value.wrapping_mul(numerator)) };
    }
    if limit > value {
        return divided(numerator.wrapping_mul(value));
    }
    let factor = numerator.checked_div(denominator).ok_or_else(overflow)?;
    match i64::MAX.checked_div(factor) {
        Some(limit) if limit >= value => Ok(value.wrapping_mul(factor)),
        _ => Err(overflow()),
    }
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
        assert!(convert(5_000_000_000_000_000, "P", "p").is_err() && convert(i64::MAX - 1, "m", "p").is_err());
        // A product that exceeds 64 bits on the way is refused, though the result would fit.
        assert!(convert(5_000_000_000_000_000, "p", "n").is_err());
        assert!(convert(1, "gi", "Mi").is_err());
    }
}
