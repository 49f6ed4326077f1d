//! Elementary functions of doubles in doubles, with a bound for the error.
//!
//! Nothing but sums, products, quotients and roots, which the machine rounds to nearest: the bounds follow from that and
//! hold on every machine, as those of its own functions do not. Each is several times what the lines above it add up to.
//! Arguments for which they do not hold have no value here.

/// The true value is within `off` of `value`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) value: f64,
    pub(super) off: f64,
}

/// 2^-49, some sixteen roundings.
const FEW: f64 = 1.0 / (1u64 << 49) as f64;

/// Off by a few roundings of itself.
fn near(value: f64) -> Near {
    let off = FEW * value.abs();
    Near { value, off }
}

/// c_n + z (c_(n-1) + z (…)), the last coefficient first.
fn horner(z: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum.mul_add(z, *c))
}

/// π/2 in three parts; the first two have 33 bits, so that multiples up to 2^20 are exact.
const HALF_TURN: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5440_0000),
    f64::from_bits(0x3dd0_b461_1a60_0000),
    f64::from_bits(0x3ba3_198a_2e03_7073),
];
/// Arguments up to this are reduced.
const MOST_TURNED: f64 = 1e6;

/// (-1)^k/(2k+1)! from k = 9 down to 1, and (-1)^k/(2k)!: what is left out is below 2^-60 for |x| < 0.8.
const SINE: [f64; 9] = [
    -1.0 / 121_645_100_408_832_000.0,
    1.0 / 355_687_428_096_000.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 39_916_800.0,
    1.0 / 362_880.0,
    -1.0 / 5040.0,
    1.0 / 120.0,
    -1.0 / 6.0,
];
const COSINE: [f64; 9] = [
    -1.0 / 6_402_373_705_728_000.0,
    1.0 / 20_922_789_888_000.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 479_001_600.0,
    -1.0 / 3_628_800.0,
    1.0 / 40_320.0,
    -1.0 / 720.0,
    1.0 / 24.0,
    -1.0 / 2.0,
];

/// (sin x, cos x): x = r + k π/2, |r| < 0.8.
pub(super) fn sin_cos(x: f64) -> Option<[Near; 2]> {
    let range = -MOST_TURNED..=MOST_TURNED;
    if !range.contains(&x) || (x != 0.0 && x.abs() < 1e-200) {
        return None;
    }
    let k = (x * std::f64::consts::FRAC_2_PI).round();
    let [first, second, third] = HALF_TURN;
    let r = ((x - k * first) - k * second) - k * third;
    // Three differences below 1 are rounded; r is x itself where nothing is taken off.
    let reduced = if k == 0.0 { 0.0 } else { FEW };
    let z = r * r;
    let (sine, cosine) = (
        (r * z).mul_add(horner(z, &SINE), r),
        z.mul_add(horner(z, &COSINE), 1.0),
    );
    let sine = Near {
        value: sine,
        off: FEW * sine.abs() + reduced,
    };
    let cosine = Near {
        value: cosine,
        off: FEW + reduced * r.abs(),
    };
    let turned = |a: Near| Near {
        value: -a.value,
        ..a
    };
    // |k| ≤ 2^20.
    Some(match (k as i64).rem_euclid(4) {
        0 => [sine, cosine],
        1 => [cosine, turned(sine)],
        2 => [turned(sine), turned(cosine)],
        _ => [turned(cosine), sine],
    })
}

/// log 2 in two parts; the first has 32 bits, so that multiples up to 2^20 are exact.
const LOG_TWO: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fee0_0000),
    f64::from_bits(0x3dea_39ef_3579_3c76),
];

/// 1/k! from k = 15 down to 0: what is left out is below 2^-66 for |x| < 0.35.
const EXPONENTIAL: [f64; 16] = [
    1.0 / 1_307_674_368_000.0,
    1.0 / 87_178_291_200.0,
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
    1.0,
    1.0,
];

/// e^x = 2^k e^r, x = r + k log 2.
pub(super) fn exp(x: f64) -> Option<Near> {
    if !(-600.0..=600.0).contains(&x) {
        return None;
    }
    if x == 0.0 {
        return Some(Near {
            value: 1.0,
            off: 0.0,
        });
    }
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = (x - k * LOG_TWO[0]) - k * LOG_TWO[1];
    Some(near(horner(r, &EXPONENTIAL) * power_of_two(k as i64)))
}

/// 2^k for |k| < 1000.
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((1023 + k) as u64) << 52)
}

/// 1/(2k+1) from k = 12 down to 0: what is left out is below 2^-60 for z = t² ≤ 1/25.
const ODD: [f64; 13] = [
    1.0 / 25.0,
    1.0 / 23.0,
    1.0 / 21.0,
    1.0 / 19.0,
    1.0 / 17.0,
    1.0 / 15.0,
    1.0 / 13.0,
    1.0 / 11.0,
    1.0 / 9.0,
    1.0 / 7.0,
    1.0 / 5.0,
    1.0 / 3.0,
    1.0,
];

/// log x = k log 2 + 2 artanh t, x = 2^k y with 3/4 ≤ y < 3/2, t = (y - 1)/(y + 1).
pub(super) fn log(x: f64) -> Option<Near> {
    if !(1e-300..=1e300).contains(&x) {
        return None;
    }
    let mut k = (x.to_bits() >> 52) as i64 - 1023;
    let mut y = x * power_of_two(-k);
    if y >= 1.5 {
        (k, y) = (k + 1, 0.5 * y);
    }
    // y - 1 is exact.
    let t = (y - 1.0) / (y + 1.0);
    let rest = 2.0 * t * horner(t * t, &ODD);
    let k = k as f64;
    let value = k * LOG_TWO[0] + (k * LOG_TWO[1] + rest);
    let off = FEW * (rest.abs() + k.abs());
    Some(Near { value, off })
}

/// atan t for 0 ≤ t ≤ 1: t → t/(1 + √(1 + t²)) halves the angle, twice.
fn arc(t: f64) -> f64 {
    let half = |t: f64| t / (1.0 + t.mul_add(t, 1.0).sqrt());
    let t = half(half(t));
    4.0 * t * horner(-(t * t), &ODD)
}

/// The angle of the point (x, y), none of them zero or far beyond the other.
pub(super) fn atan2(y: f64, x: f64) -> Option<Near> {
    let range = 1e-100..=1e100;
    let (b, a) = (y.abs(), x.abs());
    if !range.contains(&a) || !range.contains(&b) {
        return None;
    }
    // The angle of (a, b), from the axis that is nearer.
    let quarter = std::f64::consts::FRAC_PI_2;
    let first = match b <= a {
        true => near(arc(b / a)),
        false => away(quarter, arc(a / b)),
    };
    let upper = match x > 0.0 {
        true => first,
        false => Near {
            value: 2.0 * quarter - first.value,
            off: first.off + 4.0 * FEW,
        },
    };
    Some(match y > 0.0 {
        true => upper,
        false => Near {
            value: -upper.value,
            ..upper
        },
    })
}

/// π/2 less an angle.
fn away(quarter: f64, rest: f64) -> Near {
    Near {
        value: quarter - rest,
        off: 2.0 * FEW,
    }
}

/// asin x = atan2(x, √((1 - x)(1 + x))).
pub(super) fn asin(x: f64) -> Option<Near> {
    let size = x.abs();
    // Next to 1 the root's own rounding would be seen.
    if !(1e-100..=0.999).contains(&size) {
        return None;
    }
    let found = atan2(x, ((1.0 - size) * (1.0 + size)).sqrt())?;
    Some(Near {
        off: 2.0 * found.off,
        ..found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::directed::{Directed, Toward};
    use crate::meaning::doubles::Doubles;
    use crate::meaning::enclosure::Interval;
    use crate::meaning::multiple::Multiple;

    const WIDE: Multiple = Multiple { bits: 160 };
    type Number = <Multiple as Directed>::Number;

    fn wide(x: f64) -> Number {
        let (m, e) = Doubles.parts(&x).unwrap();
        WIDE.dyadic(&m, e, Toward::Below)
    }

    /// A quarter of what is claimed must do: the bounds say that they are generous.
    fn holds(what: &str, x: f64, quickly: Option<Near>, truth: Option<Interval<Number>>) {
        let (Some(near), Some(truth)) = (quickly, truth) else {
            assert!(quickly.is_none(), "{what} {x} has no value");
            return;
        };
        let low = WIDE.to_double(&truth.low, Toward::Below);
        let high = WIDE.to_double(&truth.high, Toward::Above);
        let off = 0.25 * near.off + f64::EPSILON * near.value.abs();
        assert!(
            near.value - off <= low && high <= near.value + off,
            "{what} {x}: {near:?} {low} {high}"
        );
    }

    #[test]
    fn bounds_hold_with_room_to_spare() {
        for k in 1..4000u32 {
            // Parts of irrational numbers are spread evenly.
            let even = |step: f64| (f64::from(k) * step).fract();
            let size = 10f64.powf(14.0 * even(0.618_033_988_749_895) - 8.0);
            let x = if k % 2 == 0 { size } else { -size };
            let small = 2.0 * even(0.414_213_562_373_095) - 1.0;
            // Also next to the zeros of sine and cosine, and of the logarithm.
            let turn = f64::from(k % 200) * std::f64::consts::FRAC_PI_2 + 1e-9 * small;
            for x in [x, turn] {
                let [sine, cosine] = WIDE.sin_cos(&wide(x)).unwrap();
                let quickly = sin_cos(x);
                holds("sin", x, quickly.map(|q| q[0]), Some(sine));
                holds("cos", x, quickly.map(|q| q[1]), Some(cosine));
            }
            let power = x.clamp(-600.0, 600.0);
            holds("exp", power, exp(power), WIDE.exp(&wide(power)));
            for x in [size, 1.0 + 1e-3 * small, 1.0 + 1e-9 * small] {
                holds("log", x, log(x), WIDE.log(&wide(x)));
            }
            let y = 4.0 * even(0.732_050_807_568_877) - 2.0;
            holds("angle", y, atan2(y, x), WIDE.atan2(&wide(y), &wide(x)));
            holds("asin", small, asin(small), WIDE.asin(&wide(small)));
        }
    }
}
