//! Adaptive integration of smooth functions by the Gauss-Kronrod pair with 7 and 15 nodes.

/// The nodes of one interval.
pub(super) const NODES: usize = 15;

/// Positive nodes on (−1, 1) and zero; every second one is a Gauss node.
const ABSCISSAE: [f64; 8] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
    0.0,
];

const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_56,
    0.104_790_010_322_250_19,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_82,
];

const GAUSS: [f64; 4] = [
    0.129_484_966_168_869_7,
    0.279_705_391_489_276_64,
    0.381_830_050_505_118_9,
    0.417_959_183_673_469_4,
];

/// Pieces beyond which an integral counts as divergent.
const MOST_PIECES: usize = 2000;

/// The shortest piece, as a part of the whole: what is not smooth on it is a pole.
const SHORTEST: f64 = 1e-9;

/// One interval with its share of the integral.
struct Piece {
    from: f64,
    to: f64,
    value: f64,
    /// An estimate that is not below round-off.
    error: f64,
    /// ∫ |f|.
    size: f64,
}

/// What stops an integration.
#[derive(Debug)]
pub(super) enum Stopped<E> {
    /// The integrand failed.
    Integrand(E),
    /// The error stays at this size.
    Divergent(f64),
}

/// ∫ f from `from` to `to`, with an error of `tolerance` relative to ∫ |f|. The integrand is asked for its
/// values at the nodes of an interval together.
pub(super) fn integrate<E>(
    mut f: impl FnMut(&[f64; NODES]) -> Result<[f64; NODES], E>,
    from: f64,
    to: f64,
    tolerance: f64,
) -> Result<f64, Stopped<E>> {
    let mut piece = |a: f64, b: f64| -> Result<Piece, Stopped<E>> {
        let values = f(&nodes(a, b)).map_err(Stopped::Integrand)?;
        Ok(Piece::of(a, b, &values))
    };
    let mut pieces = vec![piece(from, to)?];
    loop {
        let error: f64 = pieces.iter().map(|p| p.error).sum();
        let size: f64 = pieces.iter().map(|p| p.size).sum();
        if !(error.is_finite() && size.is_finite()) {
            return Err(Stopped::Divergent(error));
        }
        if error <= tolerance * size + f64::MIN_POSITIVE {
            return Ok(pieces.iter().map(|p| p.value).sum());
        }
        let worst = (0..pieces.len()).max_by(|&i, &j| pieces[i].error.total_cmp(&pieces[j].error));
        let Some(worst) = worst.map(|i| pieces.swap_remove(i)) else {
            return Ok(0.0);
        };
        let middle = (worst.from + worst.to) / 2.0;
        let short = (worst.to - worst.from).abs() < SHORTEST * (to - from).abs();
        if pieces.len() >= MOST_PIECES || short {
            return Err(Stopped::Divergent(error));
        }
        pieces.push(piece(worst.from, middle)?);
        pieces.push(piece(middle, worst.to)?);
    }
}

fn nodes(a: f64, b: f64) -> [f64; NODES] {
    let (centre, half) = ((a + b) / 2.0, (b - a) / 2.0);
    std::array::from_fn(|k| match k {
        0..8 => centre - half * ABSCISSAE[k],
        _ => centre + half * ABSCISSAE[NODES - 1 - k],
    })
}

impl Piece {
    /// Both rules, and the error estimate of QUADPACK: the difference d, seen relative to the variation v of
    /// the integrand as v·min(1, (200 d/v)^(3/2)).
    fn of(from: f64, to: f64, values: &[f64; NODES]) -> Self {
        let half = (to - from) / 2.0;
        let symmetric = |k: usize| k.min(NODES - 1 - k);
        let rule = |g: &dyn Fn(f64) -> f64| -> f64 {
            (0..NODES)
                .map(|k| KRONROD[symmetric(k)] * g(values[k]))
                .sum()
        };
        let kronrod = rule(&|x| x);
        let gauss: f64 = (0..7)
            .map(|j| GAUSS[j.min(6 - j)] * values[2 * j + 1])
            .sum();
        let variation = rule(&|x| (x - kronrod / 2.0).abs()) * half.abs();
        let size = rule(&f64::abs) * half.abs();
        let difference = ((kronrod - gauss) * half).abs();
        let estimate = if variation > 0.0 {
            variation * (200.0 * difference / variation).powf(1.5).min(1.0)
        } else {
            difference
        };
        Self {
            from,
            to,
            value: kronrod * half,
            error: estimate.max(50.0 * f64::EPSILON * size),
            size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64) -> Result<f64, Stopped<()>> {
        integrate(|x| Ok(x.map(&f)), from, to, 1e-13)
    }

    #[test]
    fn one_piece_is_exact_to_degree_22_and_gauss_to_13() {
        for degree in 0..=22 {
            let values = nodes(0.0, 1.0).map(|x| x.powi(degree));
            let exact = 1.0 / f64::from(degree + 1);
            let piece = Piece::of(0.0, 1.0, &values);
            assert!((piece.value - exact).abs() < 2e-16, "degree {degree}");
            let gauss: f64 = (0..7)
                .map(|j: usize| GAUSS[j.min(6 - j)] * values[2 * j + 1])
                .sum();
            assert_eq!((gauss / 2.0 - exact).abs() < 2e-16, degree <= 13);
        }
    }

    #[test]
    fn known_integrals() {
        let close = |found: Result<f64, Stopped<()>>, exact: f64| {
            let found = found.expect("an integral");
            assert!(
                (found - exact).abs() < 1e-13 * (1.0 + exact.abs()),
                "{found} {exact}"
            );
        };
        // Dawson-like, elliptic and peaked integrands; tables of 17 digits.
        close(
            integral(|x| (x * x).exp(), 0.0, 1.0),
            1.462_651_745_907_181_6,
        );
        close(
            integral(|x| 1.0 / (1.0 + x.powi(4)).sqrt(), 0.0, 1.0),
            0.927_037_338_650_685_9,
        );
        close(
            integral(|x| 1e-3 / (1e-6 + x * x), -1.0, 1.0),
            2.0 * 1e3f64.atan(),
        );
        close(integral(f64::sin, 3.0, 0.0), 3f64.cos() - 1.0);
        close(integral(|_| 0.0, 0.0, 1.0), 0.0);
    }

    #[test]
    fn a_pole_diverges() {
        assert!(integral(|x| 1.0 / (x - 0.3), 0.0, 1.0).is_err());
        assert!(integral(|x| 1.0 / x, -1.0, 1.0).is_err());
    }
}
