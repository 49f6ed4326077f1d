//! Quotients of trigonometric functions in doubles, without cancellation near 0.

/// c_k(θ) = Σ_j (−θ²)^j/(2j + k)!.
pub(crate) fn stumpff(order: u32, theta: f64) -> f64 {
    match order {
        0 => theta.cos(),
        1 => sinc(theta),
        // 1 − cos θ = 2 sin²(θ/2)
        2 => 0.5 * sinc(theta / 2.0).powi(2),
        _ => higher(order, theta),
    }
}

fn sinc(theta: f64) -> f64 {
    if theta == 0.0 {
        1.0
    } else {
        theta.sin() / theta
    }
}

/// The series where the recursion c_k = (1/(k − 2)! − c_{k−2})/θ² would cancel.
fn higher(order: u32, theta: f64) -> f64 {
    let square = theta * theta;
    let (reach, terms) = if order == 3 { (1.0, 10) } else { (16.0, 18) };
    if square <= reach {
        return series(order, square, terms) / factorial(order);
    }
    if order == 3 {
        return (theta - theta.sin()) / (theta * square);
    }
    (1.0 / factorial(order - 2) - stumpff(order - 2, theta)) / square
}

/// Σ_j (−θ²)^j k!/(2j + k)!, nested.
fn series(order: u32, square: f64, terms: u32) -> f64 {
    let mut sum = 1.0;
    for j in (0..terms).rev() {
        let k = f64::from(order + 2 * j + 1);
        sum = 1.0 - square / (k * (k + 1.0)) * sum;
    }
    sum
}

fn factorial(k: u32) -> f64 {
    (2..=k).map(f64::from).product()
}

/// |B_2k|/(2k)! for k = 1, 2, …
const BERNOULLI: [f64; 10] = [
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30_240.0,
    1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    3617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    174_611.0 / 802_857_662_698_291_200_000.0,
];

/// β = (1 − (θ/2) cot(θ/2))/θ² = Σ_{k≥1} |B_2k|/(2k)! θ^(2k−2).
pub(crate) fn cotangent_defect(theta: f64) -> f64 {
    let square = theta * theta;
    if square > 1.0 {
        let half = theta / 2.0;
        return (1.0 - half / half.tan()) / square;
    }
    BERNOULLI.iter().rev().fold(0.0, |sum, b| b + square * sum)
}

/// dβ/d(θ²) = Σ_{k≥2} (k − 1)|B_2k|/(2k)! θ^(2k−4).
pub(crate) fn cotangent_defect_slope(theta: f64) -> f64 {
    let square = theta * theta;
    if square > 1.0 {
        let half = theta / 2.0;
        let (alpha, stretch) = (half / half.tan(), (half / half.sin()).powi(2));
        return ((alpha + stretch) / 2.0 - 1.0) / (square * square);
    }
    let terms = BERNOULLI.iter().enumerate().skip(1).rev();
    terms.fold(0.0, |sum, (k, b)| k as f64 * b + square * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_at_zero() {
        for order in 0..8 {
            assert_eq!(stumpff(order, 0.0), 1.0 / factorial(order));
        }
        assert_eq!(cotangent_defect(0.0), 1.0 / 12.0);
        assert_eq!(cotangent_defect_slope(0.0), 1.0 / 720.0);
    }

    #[test]
    fn series_meet_their_closed_forms() {
        for order in 3..8 {
            for square in [1.0_f64, 16.0] {
                let (below, above) = (square.sqrt() * (1.0 - 1e-15), square.sqrt() * (1.0 + 1e-15));
                let (a, b) = (stumpff(order, below), stumpff(order, above));
                assert!((a / b - 1.0).abs() < 1e-13, "{order} {square}: {a} {b}");
            }
        }
        let (a, b) = (cotangent_defect(1.0), cotangent_defect(1.0 + 1e-15));
        assert!((a / b - 1.0).abs() < 1e-14, "{a} {b}");
        let (a, b) = (
            cotangent_defect_slope(1.0),
            cotangent_defect_slope(1.0 + 1e-15),
        );
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    }

    /// θ² c_{k+2} = 1/k! − c_k, at every size of the angle.
    #[test]
    fn recursion_holds() {
        for k in 0..6 {
            for step in 0..200 {
                let theta = 0.05 * f64::from(step);
                let left = theta * theta * stumpff(k + 2, theta);
                let right = 1.0 / factorial(k) - stumpff(k, theta);
                assert!((left - right).abs() < 4e-15, "{k} {theta}");
            }
        }
    }
}
