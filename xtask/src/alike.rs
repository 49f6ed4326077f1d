//! Lines of output that say the same: times differ from run to run, last digits from machine to machine.

/// Numbers that agree to this relative accuracy count as the same.
const RELATIVE: f64 = 1e-6;
/// Numbers below this are errors of rounding: any two count as the same.
const ROUNDING: f64 = 1e-9;

/// Do two lines say the same?
pub fn alike(one: &str, two: &str) -> bool {
    if one == two {
        return true;
    }
    let (one, two) = (pieces(one), pieces(two));
    one.len() == two.len() && (0..one.len()).all(|i| same(&one, &two, i))
}

fn same(one: &[String], two: &[String], i: usize) -> bool {
    let (a, b) = (&one[i], &two[i]);
    let (Ok(x), Ok(y)) = (a.parse::<f64>(), b.parse::<f64>()) else {
        return a == b || is_time(a) && is_time(b);
    };
    let next = |all: &[String]| all.get(i + 1).is_some_and(|word| is_time(word));
    let named = |all: &[String]| i > 0 && all[i - 1].ends_with("_seconds");
    let timed = next(one) && next(two) || named(one) && named(two);
    let largest = x.abs().max(y.abs());
    timed || (x - y).abs() <= (RELATIVE * largest).max(ROUNDING)
}

/// A unit of time, or of speed.
fn is_time(word: &str) -> bool {
    matches!(word, "us" | "ms" | "s" | "per")
}

/// Numbers and words; blanks and punctuation between them do not count.
fn pieces(line: &str) -> Vec<String> {
    let inside = |c: char| c.is_alphanumeric() || "._'+-".contains(c);
    line.split(|c| !inside(c))
        .map(|piece| piece.trim_end_matches('.'))
        .filter(|piece| !piece.is_empty())
        .map(String::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_last_digits_may_differ() {
        assert!(alike("6 steps in 361 us", "6 steps in 1.2 ms"));
        assert!(alike("\"wall_seconds\": 0.25,", "\"wall_seconds\": 0.5,"));
        assert!(alike("x = 0.5328986120132344", "x = 0.5328986120132346"));
        assert!(alike("largest change 9.5e-12", "largest change 1.2e-11"));
        assert!(alike(
            "5 members, 9088 per second",
            "5 members, 10000 per second"
        ));
    }

    #[test]
    fn everything_else_may_not() {
        assert!(!alike("6 steps in 361 us", "7 steps in 361 us"));
        assert!(!alike("x = 0.53", "x = 0.54"));
        assert!(!alike("x = 0.53", "y = 0.53"));
        assert!(!alike("energy", "energy 1"));
        assert!(!alike("\"t\": 1.0", "\"t\": 2.0"));
    }
}
