//! Units with exponents set high.

/// The unit as figures show it: `m/s²` for `m/s^2`.
pub(crate) fn display_unit(unit: &str) -> String {
    let mut shown = String::with_capacity(unit.len());
    let mut raised = false;
    for c in unit.chars() {
        match c {
            '^' => raised = true,
            '*' => shown.push('·'),
            '-' if raised => shown.push('⁻'),
            _ => match c.to_digit(10).filter(|_| raised) {
                Some(digit) => shown.extend("⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize)),
                None => {
                    raised = false;
                    shown.push(c);
                }
            },
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised() {
        assert_eq!(display_unit("kg m^2"), "kg m²");
        assert_eq!(display_unit("m s^-2"), "m s⁻²");
        assert_eq!(display_unit("m/s^2 3"), "m/s² 3");
    }
}
