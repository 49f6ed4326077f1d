//! Numbers with the digits that are known of them.

use crate::number::shown;

/// More are never shown: the mesh or the tolerance hides them.
const MOST: i32 = 11;

/// A number that is known to an error, with one digit more than that leaves; 0 where the error hides all of it.
pub(super) fn known(x: f64, error: f64) -> String {
    if x.abs() <= error {
        return "0".into();
    }
    let left = x.abs().log10().floor() - error.abs().max(f64::MIN_POSITIVE).log10().floor();
    rounded(x, 2 + left.min(f64::from(MOST)) as i32)
}

/// A number of which nobody says how well it is known.
pub(super) fn in_full(x: f64) -> String {
    rounded(x, MOST)
}

/// So many significant digits.
fn rounded(x: f64, digits: i32) -> String {
    let behind = digits.clamp(2, MOST) - 1;
    let rounded: f64 = format!("{x:.*e}", behind as usize).parse().unwrap_or(x);
    match (1e-4..1e7).contains(&rounded.abs()) {
        true => rounded.to_string(),
        false if rounded.is_finite() && rounded != 0.0 => format!("{rounded:e}"),
        false => shown(x, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_end_where_the_error_begins() {
        assert_eq!(known(58.807_664_040_8, 5.9e-6), "58.807664");
        assert_eq!(known(3.476_838_70, 9.4e-3), "3.4768");
        assert_eq!(known(1.2e-17, 3e-16), "0");
        assert_eq!(known(-2.0, 0.0), "-2");
        assert_eq!(known(0.0, 0.0), "0");
        assert_eq!(in_full(1.0 / 3.0), "0.33333333333");
        assert_eq!(in_full(1.25e-12), "1.25e-12");
        assert_eq!(in_full(f64::NAN), "NaN");
    }
}
