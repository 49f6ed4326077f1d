//! The order of a discrete map, measured.

/// How many steps of the given length a comparison takes.
const STEPS: usize = 16;
/// Differences below this part of the state are rounding.
const ROUNDING: f64 = 1e-11;
/// The step is doubled so often to come clear of rounding.
const DOUBLINGS: u32 = 6;

/// log₂ of |x_H − x_{H/2}|/|x_{H/2} − x_{H/4}| after a time of 16 h, where x_H is followed with steps of length H; H
/// is h, or longer where the differences would be rounding. None where a step fails or nothing is seen.
pub fn measured_order(
    start: &[f64],
    h: f64,
    mut advance: impl FnMut(f64, &[f64], f64) -> Option<Vec<f64>>,
) -> Option<f64> {
    for doubling in 0..=DOUBLINGS {
        let step = h * f64::from(2u32.pow(doubling));
        let mut end = |pieces: usize| -> Option<Vec<f64>> {
            let (n, length) = (STEPS * pieces, step / pieces as f64);
            let mut x = start.to_vec();
            for k in 0..n {
                x = advance(k as f64 * length, &x, length)?;
            }
            Some(x)
        };
        let [a, b, c] = [end(1)?, end(2)?, end(4)?];
        let size = c.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let (coarse, fine) = (distance(&a, &b), distance(&b, &c));
        if fine > ROUNDING * size {
            return Some((coarse / fine).log2());
        }
    }
    None
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}
