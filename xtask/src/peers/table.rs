//! Tables of ratios.

/// What stands where nothing was measured.
pub const DASH: &str = "–";

/// A Markdown table: the first column is text, the others are numbers.
pub fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let titles: Vec<String> = head.iter().map(ToString::to_string).collect();
    let rule = format!("| --- |{}\n", " ---: |".repeat(head.len() - 1));
    let body: String = rows.iter().map(|row| line(row)).collect();
    line(&titles) + &rule + &body
}

/// The rival's time over ours, or a dash.
pub fn ratio(rival: Option<f64>, ours: Option<f64>) -> String {
    match (rival, ours) {
        (Some(rival), Some(ours)) if ours > 0.0 => significant(rival / ours),
        _ => DASH.into(),
    }
}

/// A number, or a dash.
pub fn number(value: Option<f64>) -> String {
    value.map_or(DASH.into(), significant)
}

/// Two significant digits.
pub fn significant(ratio: f64) -> String {
    if ratio == 0.0 || !ratio.is_finite() {
        return format!("{ratio}");
    }
    let exponent = ratio.abs().log10().floor();
    let step = 10f64.powf((exponent - 1.0).max(0.0));
    let decimals = (1.0 - exponent).clamp(0.0, 4.0) as usize;
    // Below ten the decimals do the rounding, above it the step does.
    if exponent < 1.0 {
        format!("{ratio:.decimals$}")
    } else {
        format!("{:.0}", (ratio / step).round() * step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_two_digits() {
        assert_eq!(significant(4.2671), "4.3");
        assert_eq!(significant(42.671), "43");
        assert_eq!(significant(8432.1), "8400");
        assert_eq!(significant(0.5123), "0.51");
        assert_eq!(significant(0.0), "0");
    }

    #[test]
    fn what_is_missing_is_a_dash() {
        assert_eq!(ratio(None, Some(1.0)), DASH);
        assert_eq!(ratio(Some(3.0), Some(2.0)), "1.5");
        assert_eq!(number(None), DASH);
    }

    #[test]
    fn tables_have_a_rule_under_the_titles() {
        let table = markdown(&["a", "b"], &[vec!["x".into(), "1".into()]]);
        assert_eq!(table, "| a | b |\n| --- | ---: |\n| x | 1 |\n");
    }
}
