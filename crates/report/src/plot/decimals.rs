//! Numbers as axis labels show them.

/// A number with this many decimals, its minus sign as long as a plus.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let is_zero = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    match value < 0.0 && !is_zero {
        true => format!("−{text}"),
        false => text,
    }
}

/// An integer in raised digits.
pub(crate) fn raised(number: i32) -> String {
    let digit = |c: char| match c.to_digit(10) {
        Some(d) => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(d as usize).unwrap_or(c),
        None => '⁻',
    };
    number.to_string().chars().map(digit).collect()
}

/// 10 to this power, for a logarithmic axis.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", raised(exponent)),
    }
}

/// `numerator`·π/`denominator` in lowest terms.
pub(crate) fn multiple_of_pi(numerator: i64, denominator: i64) -> String {
    let divisor = greatest_common_divisor(numerator, denominator).max(1);
    let (numerator, denominator) = (numerator / divisor, denominator / divisor);
    let sign = if numerator < 0 { "−" } else { "" };
    let count = match numerator.unsigned_abs() {
        0 => return "0".to_owned(),
        1 => String::new(),
        count => count.to_string(),
    };
    match denominator {
        1 => format!("{sign}{count}π"),
        _ => format!("{sign}{count}π/{denominator}"),
    }
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(fixed(-0.5, 1), "−0.5");
        assert_eq!(fixed(-0.01, 1), "0.0");
        assert_eq!(power_of_ten(-12), "10⁻¹²");
        assert_eq!(power_of_ten(0), "1");
        assert_eq!(multiple_of_pi(-2, 4), "−π/2");
        assert_eq!(multiple_of_pi(0, 4), "0");
        assert_eq!(multiple_of_pi(8, 4), "2π");
        assert_eq!(multiple_of_pi(3, 4), "3π/4");
    }
}
