//! Units: what comments of the model state in square brackets, and those of rates.

/// The unit that a comment states in square brackets: `m` for "contact point \[m\]".
///
/// ```
/// use rattleback_language::unit_in_comment;
/// assert_eq!(unit_in_comment("rate of the plate [rad/s]"), Some("rad/s"));
/// assert_eq!(unit_in_comment("a number"), None);
/// ```
pub fn unit_in_comment(comment: &str) -> Option<&str> {
    let (_, after) = comment.split_once('[')?;
    let (unit, _) = after.split_once(']')?;
    let unit = unit.trim();
    let is_unit = !unit.is_empty()
        && unit
            .chars()
            .all(|c| c.is_alphanumeric() || " ^/*·-%°()".contains(c));
    // `[1]` and `R[1,2]` are indices.
    (is_unit && unit.chars().any(char::is_alphabetic)).then_some(unit)
}

/// The unit of the time derivative of a quantity in `unit`.
///
/// ```
/// use rattleback_language::rate_of_unit;
/// assert_eq!(rate_of_unit("m"), "m/s");
/// assert_eq!(rate_of_unit("m/s"), "m/s^2");
/// ```
pub fn rate_of_unit(unit: &str) -> String {
    if unit == "1" {
        return "1/s".to_owned();
    }
    match unit.rsplit_once("/s") {
        Some((quantity, "")) => format!("{quantity}/s^2"),
        Some((quantity, power)) => {
            match power.strip_prefix('^').and_then(|p| p.parse::<u32>().ok()) {
                Some(power) => format!("{quantity}/s^{}", power.saturating_add(1)),
                None => format!("({unit})/s"),
            }
        }
        None if unit.contains(['/', ' ', '*', '·']) => format!("({unit})/s"),
        None => format!("{unit}/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_no_units() {
        assert_eq!(unit_in_comment("the entry v[1]"), None);
        assert_eq!(unit_in_comment("the entry R[1,2]"), None);
        assert_eq!(unit_in_comment("open [m"), None);
        assert_eq!(unit_in_comment("mass [kg], inertia [kg m^2]"), Some("kg"));
    }

    #[test]
    fn rates_of_units() {
        assert_eq!(rate_of_unit("rad"), "rad/s");
        assert_eq!(rate_of_unit("m/s^2"), "m/s^3");
        assert_eq!(rate_of_unit("kg m"), "(kg m)/s");
    }
}
