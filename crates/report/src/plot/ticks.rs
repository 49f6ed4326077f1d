//! Where an axis has marks, and what they say.

use std::f64::consts::PI;

use super::decimals::{fixed, multiple_of_pi, power_of_ten, raised};
use super::range::Range;
use super::text::Text;

/// The marks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    /// Value and label of the marks.
    pub major: Vec<(f64, String)>,
    /// Marks without labels.
    pub minor: Vec<f64>,
    /// What all labels leave out: a power of ten such as `×10⁵`, or a number to add, `×10⁻⁹ + 1.78`.
    pub factor: Option<String>,
}

impl Ticks {
    /// The width of the widest label.
    pub fn widest(&self, size: f64) -> f64 {
        let widths = self
            .major
            .iter()
            .map(|(_, label)| Text::plain(label).width(size));
        widths.fold(0.0, f64::max)
    }

    /// How far apart the labels are on an axis of this many pixels.
    pub fn distance(&self, range: Range, pixels: f64) -> f64 {
        let values: Vec<f64> = self.major.iter().map(|(value, _)| *value).collect();
        let steps = values.windows(2).map(|w| w[1] - w[0]);
        steps.fold(range.length(), f64::min) / range.length() * pixels
    }
}

/// About `count` marks at 1, 2 or 5 times a power of ten. What their labels would share is left out.
pub(crate) fn linear(range: Range, count: f64) -> Ticks {
    let Some((shared, text)) = shared(range) else {
        return around_zero(range, count);
    };
    let mut ticks = around_zero(Range::new(range.low - shared, range.high - shared), count);
    for (value, _) in &mut ticks.major {
        *value += shared;
    }
    let sign = if shared < 0.0 { '−' } else { '+' };
    let factor = ticks
        .factor
        .map(|factor| format!("{factor} "))
        .unwrap_or_default();
    ticks.factor = Some(format!("{factor}{sign} {text}"));
    ticks
}

/// A round number that all values of a range are close to, and its size as a text.
fn shared(range: Range) -> Option<(f64, String)> {
    /// Labels with more digits than this are hard to tell apart.
    const CLOSE: f64 = 1e-4;
    let size = range.low.abs().max(range.high.abs());
    if range.length() > CLOSE * size {
        return None;
    }
    let power = range.length().log10().ceil() + 1.0;
    let unit = 10_f64.powf(power);
    let shared = (range.middle() / unit).round() * unit;
    let decimals = (-power).clamp(0.0, 17.0) as usize;
    let exponent = (size.log10() + 1e-9).floor();
    let text = match (-4.0..9.0).contains(&exponent) {
        true => trimmed(&fixed(shared.abs(), decimals)),
        false => {
            let decimals = (exponent - power).clamp(0.0, 17.0) as usize;
            let mantissa = shared.abs() / 10_f64.powf(exponent);
            let power = raised(exponent as i32);
            format!("{}×10{power}", trimmed(&fixed(mantissa, decimals)))
        }
    };
    (shared != 0.0).then_some((shared, text))
}

/// Decimals without zeros at their end.
fn trimmed(number: &str) -> String {
    match number.contains('.') {
        true => number
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => number.to_owned(),
    }
}

fn around_zero(range: Range, count: f64) -> Ticks {
    let rough = range.length() / count.max(1.0);
    let power = rough.log10().floor();
    let unit = 10_f64.powf(power);
    let share = rough / unit;
    let nice = [1.0, 2.0, 5.0].into_iter().find(|n| share <= *n * 1.1);
    let step = nice.unwrap_or(10.0) * unit;
    let exponent = common_exponent(range, step);
    let decimals = (-(step.log10() + 1e-9).floor() + f64::from(exponent)).max(0.0);
    let decimals = decimals.min(12.0) as usize;
    // Scaling in two steps keeps tiny and huge ranges finite.
    let label = |value: f64| {
        let half = exponent / 2;
        fixed(
            value / 10_f64.powi(half) / 10_f64.powi(exponent - half),
            decimals,
        )
    };
    Ticks {
        major: multiples(range, step).map(|v| (v, label(v))).collect(),
        minor: Vec::new(),
        factor: (exponent != 0).then(|| format!("×10{}", raised(exponent))),
    }
}

/// A power of ten to leave out of the labels, where they would have many zeros.
fn common_exponent(range: Range, step: f64) -> i32 {
    let size = range.low.abs().max(range.high.abs());
    let exponent = (size.log10() + 1e-9).floor();
    let is_plain = (-2.0..5.0).contains(&exponent) && step > 1e-6;
    if is_plain || !exponent.is_finite() {
        0
    } else {
        exponent as i32
    }
}

/// The multiples of a step in a range.
fn multiples(range: Range, step: f64) -> impl Iterator<Item = f64> {
    const MOST: f64 = 100.0;
    let slack = 1e-6;
    let first = (range.low / step - slack).ceil();
    let last = (range.high / step + slack).floor().min(first + MOST);
    let count = if last >= first {
        (last - first) as u32 + 1
    } else {
        0
    };
    (0..count).map(move |k| (first + f64::from(k)) * step)
}

/// Marks at simple multiples of π; none where the range is too short for that to help.
pub(crate) fn angular(range: Range, count: f64) -> Option<Ticks> {
    const STEPS: [(i64, i64); 10] = [
        (1, 4),
        (1, 2),
        (1, 1),
        (2, 1),
        (4, 1),
        (10, 1),
        (20, 1),
        (40, 1),
        (100, 1),
        (200, 1),
    ];
    if range.length() < PI || range.low.abs().max(range.high.abs()) > 1e4 {
        return None;
    }
    let rough = range.length() / count.max(1.0);
    let (p, q) = STEPS
        .into_iter()
        .find(|(p, q)| *p as f64 * PI / *q as f64 >= 0.9 * rough)?;
    let step = p as f64 * PI / q as f64;
    let label = |value: f64| multiple_of_pi((value / step).round() as i64 * p, q);
    Some(Ticks {
        major: multiples(range, step).map(|v| (v, label(v))).collect(),
        minor: Vec::new(),
        factor: None,
    })
}

/// Decades; `range` is in powers of ten. At most about `count` have labels.
pub(crate) fn decades(range: Range, count: f64) -> Ticks {
    let stride = (range.length() / count.max(1.0)).ceil().max(1.0);
    let nice = [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 50.0, 100.0];
    let stride = nice.into_iter().find(|n| *n >= stride).unwrap_or(200.0);
    let major = multiples(range, stride)
        .map(|e| (e, power_of_ten(e as i32)))
        .collect();
    let minor = if stride > 1.0 {
        multiples(range, 1.0)
            .filter(|e| (e / stride).fract() != 0.0)
            .collect()
    } else {
        let within = range.padded(1e-9);
        multiples(Range::new(range.low.floor(), range.high), 1.0)
            .flat_map(|e| (2..10).map(move |m| e + f64::from(m).log10()))
            .filter(|v| (within.low..=within.high).contains(v))
            .collect()
    };
    Ticks {
        major,
        minor,
        factor: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &Ticks) -> Vec<&str> {
        ticks
            .major
            .iter()
            .map(|(_, label)| label.as_str())
            .collect()
    }

    #[test]
    fn linear_marks_are_nice() {
        let ticks = linear(Range::new(0.0, 10.0), 5.0);
        assert_eq!(labels(&ticks), ["0", "2", "4", "6", "8", "10"]);
        let ticks = linear(Range::new(-0.12, 0.31), 4.0);
        assert_eq!(labels(&ticks), ["−0.1", "0.0", "0.1", "0.2", "0.3"]);
        let ticks = linear(Range::new(-3e7, 2e7), 5.0);
        assert_eq!(labels(&ticks), ["−3", "−2", "−1", "0", "1", "2"]);
        assert_eq!(ticks.factor.as_deref(), Some("×10⁷"));
        let ticks = linear(Range::new(1e-7, 3e-7), 2.0);
        assert_eq!(labels(&ticks), ["1", "2", "3"]);
        assert_eq!(ticks.factor.as_deref(), Some("×10⁻⁷"));
    }

    #[test]
    fn what_labels_share_is_left_out() {
        let ticks = linear(Range::new(1.779_999_998_5, 1.780_000_000_5), 4.0);
        assert_eq!(labels(&ticks), ["−1.5", "−1.0", "−0.5", "0.0", "0.5"]);
        assert_eq!(ticks.factor.as_deref(), Some("×10⁻⁹ + 1.78"));
        assert!((ticks.major[0].0 - 1.779_999_998_5).abs() < 1e-14);
        let ticks = linear(Range::new(-1e12 - 2.0, -1e12 + 2.0), 4.0);
        assert_eq!(labels(&ticks), ["−2", "−1", "0", "1", "2"]);
        assert_eq!(ticks.factor.as_deref(), Some("− 1×10¹²"));
        let ticks = linear(Range::new(1e6, 1e6 + 10.0), 5.0);
        assert_eq!(labels(&ticks), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(ticks.factor.as_deref(), Some("+ 1000000"));
        assert_eq!(linear(Range::new(1.0, 1.1), 4.0).factor, None);
    }

    #[test]
    fn any_range_has_finite_marks() {
        for range in [
            Range::new(-1e300, 1e300),
            Range::new(0.0, 1e-308),
            Range::new(1.0, 1.0 + 1e-8),
            Range::new(-5e-324, 5e-324),
        ] {
            let ticks = linear(range.drawable(), 5.0);
            assert!(ticks.major.len() < 30, "{range:?}: {ticks:?}");
            assert!(
                ticks
                    .major
                    .iter()
                    .all(|(v, l)| v.is_finite() && l.len() < 30)
            );
        }
    }

    #[test]
    fn angles_have_marks_at_multiples_of_pi() {
        let ticks = angular(Range::new(-PI, PI), 5.0).unwrap();
        assert_eq!(labels(&ticks), ["−π", "−π/2", "0", "π/2", "π"]);
        assert_eq!(angular(Range::new(0.0, 0.5), 5.0), None);
    }

    #[test]
    fn decades_are_labelled_sparsely() {
        let ticks = decades(Range::new(-16.0, -8.0), 4.0);
        assert_eq!(labels(&ticks), ["10⁻¹⁶", "10⁻¹⁴", "10⁻¹²", "10⁻¹⁰", "10⁻⁸"]);
        assert_eq!(ticks.minor.len(), 4);
        assert_eq!(decades(Range::new(-3.0, -1.0), 4.0).minor.len(), 16);
    }
}
