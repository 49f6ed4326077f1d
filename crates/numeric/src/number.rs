//! Floating-point numbers for a person.

use crate::tolerance::ROUNDING;

/// A number with at most seven significant digits; round-off next to `scale` is shown as 0. Only numbers of one unit are
/// compared: what stands alone has the scale 0.
pub fn shown(x: f64, scale: f64) -> String {
    if x.abs() <= ROUNDING * scale {
        return "0".into();
    }
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    if (1e-4..1e7).contains(&rounded.abs()) || !rounded.is_finite() {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn seven_digits_and_no_round_off() {
        assert_eq!(shown(1.0 / 3.0, 1.0), "0.3333333");
        assert_eq!(shown(-2.0, 1.0), "-2");
        assert_eq!(shown(6.1e-17, 1.0), "0");
        assert_eq!(shown(-0.0, 0.0), "0");
        assert_eq!(shown(1.5e-7, 1.0), "1.5e-7");
        assert_eq!(shown(1.5e-27, 0.0), "1.5e-27");
        assert_eq!(shown(12_345_678.0, 1.0), "1.234568e7");
        assert_eq!(shown(f64::NAN, 1.0), "NaN");
    }
}
