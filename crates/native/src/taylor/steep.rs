//! How much the series vary that divisors, roots and exponentials are made of.
//!
//! A quotient, a root, a power or an exponential is analytic where its divisor, radicand or base has no zero. So with
//! b(τ) = Σ b_k τ^k and Σ_(k≥1) |b_k| h^k < |b_0| nothing turns within |τ| ≤ h that the coefficients do not know of,
//! and no exponential e^(∫q) comes up from nothing while Σ |q_k| h^k/k is small. A product has no zero where its
//! factors have none, and they vary less than it does.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, HashSet};

use rattleback_compile::taylor::{Degree, Rule, Series, Start, TaylorPlan};

use super::layout::{Base, LANES, Layout, PackPlace, Places, Width};

/// How a series is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    /// Σ |c_k| h^k over |c_0|.
    Root,
    /// The same for a divisor, or how near its [`least`] value comes to zero.
    Divisor,
    /// Σ |q_k| h^k/k.
    Exponent,
}

/// A root may become less by three fifths, an exponential by a factor of e².
const ROOT: f64 = 0.6;
const EXPONENT: f64 = 2.0;
/// A divisor may become less by four fifths, and so may each of its factors as long as all of them together do not
/// become less by more than this factor.
const DIVISOR: f64 = 0.8;
const TOGETHER: f64 = 25.0;

/// More coefficients are not looked at: what they add is less than the last of these.
const MOST: usize = 64;
const ONES: [f64; MOST] = [1.0; MOST];
/// 1/k, without a division at each step.
const RECIPROCALS: [f64; MOST] = {
    let mut all = [1.0; MOST];
    let mut k = 1;
    while k < MOST {
        all[k] = 1.0 / k as f64;
        k += 1;
    }
    all
};

/// How much each series may vary.
type Limits = BTreeMap<(Series, Measure), f64>;

/// The series of a plan that are to vary little.
fn limits(plan: &TaylorPlan) -> Limits {
    let mut all = Limits::new();
    let mut limit = |series: Series, measure, most: f64| {
        if plan.degrees()[series as usize] != Degree::CONSTANT {
            let least = all.entry((series, measure)).or_insert(most);
            *least = least.min(most);
        }
    };
    let radicands: HashSet<Series> = (plan.rules().iter())
        .filter_map(|rule| match rule {
            Rule::Sqrt(a) => Some(*a),
            _ => None,
        })
        .collect();
    for (series, &rule) in plan.rules().iter().enumerate() {
        match rule {
            Rule::Sqrt(_) => limit(series as Series, Measure::Root, ROOT),
            Rule::Div(_, divisor) => {
                let factors = factors(plan, &radicands, divisor);
                let most = part(factors.len() as f64);
                (factors.into_iter()).for_each(|f| limit(f, Measure::Divisor, most));
            }
            // The base of a power is a divisor of its rate.
            Rule::Growth {
                start: Start::Power(base, exponent),
                ..
            } => limit(base, Measure::Divisor, part(exponent.abs())),
            Rule::Growth { rate, .. }
            | Rule::Sine {
                rate,
                hyperbolic: true,
                ..
            } => limit(rate, Measure::Exponent, EXPONENT),
            _ => {}
        }
    }
    all
}

/// The part of itself by which each of so many factors may become less.
fn part(factors: f64) -> f64 {
    DIVISOR.min(1.0 - TOGETHER.powf(-1.0 / factors))
}

/// The factors of a divisor, each as often as it stands there, but for roots and what is under roots, which have a limit
/// of their own. The coefficients of factors are all known, as they are convolved.
fn factors(plan: &TaylorPlan, radicands: &HashSet<Series>, divisor: Series) -> Vec<Series> {
    let is_constant = |s: Series| plan.degrees()[s as usize] == Degree::CONSTANT;
    let (mut found, mut left) = (Vec::new(), vec![divisor]);
    while let Some(factor) = left.pop() {
        match plan.rules()[factor as usize] {
            Rule::Sqrt(_) => {}
            _ if radicands.contains(&factor) => {}
            Rule::Mul(a, b) if !is_constant(a) && !is_constant(b) => left.extend([a, b]),
            Rule::Square(a) => left.extend([a, a]),
            _ => found.push(factor),
        }
    }
    found
}

/// A lower bound of |b(τ)/b_0| for |τ| ≤ h, where Σ_(k≥1) |b_k| h^k is `sum`. The first three terms, which make most of
/// the square of a distance, are b_0 (1 − τ/z)(1 − τ/w), of which (1 − h/|z|)(1 − h/|w|) is left at least; negative where
/// a zero may be nearer than h.
#[inline(always)]
fn least([b0, b1, b2]: [f64; 3], h: f64, sum: f64) -> f64 {
    let (u, v) = (b1 / b0 * h, b2 / b0 * h * h);
    let discriminant = u * u - 4.0 * v;
    // h/|z| + h/|w|: of a pair, of two on one side of τ = 0, of two on either side.
    let inverses = if discriminant < 0.0 {
        2.0 * v.sqrt()
    } else if v > 0.0 {
        u.abs()
    } else {
        discriminant.sqrt()
    };
    let rest = sum / b0.abs() - u.abs() - v.abs();
    if v.abs() < 1.0 {
        1.0 - inverses + v.abs() - rest
    } else {
        -1.0
    }
}

/// Series side by side that are to vary little.
#[derive(Clone, Debug)]
pub(super) struct Steep {
    places: Places,
    width: Width,
    /// How much the series in each lane may vary; none where it may vary as it likes.
    most: [Option<f64>; LANES],
    /// Is there a motion in each lane?
    motions: bool,
    /// How many coefficients are known.
    rows: usize,
    measure: Measure,
}

impl Steep {
    /// What is steep in the work of a kernel: the packs with series that are to vary little, each series once.
    pub(super) fn of(layout: &Layout) -> Vec<Steep> {
        let mut limits = limits(layout.plan);
        let mut found = Vec::new();
        for pack in &layout.packs {
            for measure in [Measure::Root, Measure::Divisor, Measure::Exponent] {
                let mut most = [None; LANES];
                for (most, series) in most.iter_mut().zip(&pack.lanes) {
                    *most = limits.remove(&(*series, measure));
                }
                if most.iter().any(Option::is_some) {
                    found.push(Steep::of_pack(layout, pack, measure, most));
                }
            }
        }
        debug_assert!(limits.is_empty(), "series without a history: {limits:?}");
        found
    }

    fn of_pack(
        layout: &Layout,
        pack: &PackPlace,
        measure: Measure,
        most: [Option<f64>; LANES],
    ) -> Steep {
        let motions = layout.width == Width::Four;
        Steep {
            places: pack.places,
            width: pack.width,
            most: if motions { [most[0]; LANES] } else { most },
            motions,
            rows: pack.degree.within(layout.order.saturating_sub(1)) + 1,
            measure,
        }
    }

    /// The motions in which it varies too much for steps of these lengths; one length where there is one motion.
    #[inline(always)]
    fn exceeds(&self, workspace: &[f64], coefficients: &[f64], steps: &[f64]) -> u8 {
        let memory = match self.places.base {
            Base::Workspace => workspace,
            Base::Coefficients => coefficients,
        };
        let mut h = [0.0; LANES];
        for (l, h) in h.iter_mut().enumerate() {
            *h = steps[if self.motions { l } else { 0 }].abs();
        }
        match self.width {
            Width::One => self.too_much(memory, [h[0]]),
            Width::Four => self.too_much(memory, h),
        }
    }

    /// The same for coefficients of so many series side by side.
    #[inline(always)]
    fn too_much<const L: usize>(&self, memory: &[f64], h: [f64; L]) -> u8 {
        let (offset, stride) = (
            self.places.offset as usize / 8,
            self.places.stride as usize / 8,
        );
        let weights = match self.measure {
            Measure::Root | Measure::Divisor => &ONES,
            Measure::Exponent => &RECIPROCALS,
        };
        let rows = self.rows.min(MOST);
        // One slice, so that places are checked once.
        let all = &memory[offset..offset + (rows - 1) * stride + L];
        let (mut sum, mut power) = ([0.0; L], h);
        // Plain loops: closures and iterators would be compiled without the caller's instructions.
        let mut k = 1;
        while k < rows {
            for l in 0..L {
                sum[l] += weights[k] * all[k * stride + l].abs() * power[l];
                power[l] *= h[l];
            }
            k += 1;
        }
        let mut mask = 0;
        for l in 0..L {
            let Some(most) = self.most[l] else { continue };
            let unit = match self.measure {
                Measure::Root | Measure::Divisor => all[l].abs(),
                Measure::Exponent => 1.0,
            };
            // What is not a number is too much.
            let mut is_little = sum[l] <= most * unit;
            if !is_little && self.measure == Measure::Divisor && rows > 2 {
                let b = [all[l], all[stride + l], all[2 * stride + l]];
                is_little = least(b, h[l], sum[l]) >= 1.0 - most;
            }
            mask |= u8::from(!is_little) << if self.motions { l } else { 0 };
        }
        mask
    }
}

/// The motions in which any of them varies too much.
#[inline(always)]
fn any(all: &[Steep], workspace: &[f64], coefficients: &[f64], steps: &[f64]) -> u8 {
    let mut mask = 0;
    for steep in all {
        mask |= steep.exceeds(workspace, coefficients, steps);
    }
    mask
}

/// The same with the widest arithmetic.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn any_wide(all: &[Steep], workspace: &[f64], coefficients: &[f64], steps: &[f64]) -> u8 {
    any(all, workspace, coefficients, steps)
}

/// The motions, as a mask, in which any of them varies too much for steps of these lengths.
pub(super) fn exceeding(
    all: &[Steep],
    workspace: &[f64],
    coefficients: &[f64],
    steps: &[f64],
) -> u8 {
    #[cfg(target_arch = "x86_64")]
    if crate::math::has_wide() {
        // SAFETY: the processor has what the function needs.
        return unsafe { any_wide(all, workspace, coefficients, steps) };
    }
    any(all, workspace, coefficients, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// b(τ) for |τ| = h: its least size at many places, and how often it goes around zero.
    fn around(b: &[f64], h: f64) -> (f64, f64) {
        let value = |place: usize| {
            let (sin, cos) = (TAU * place as f64 / 4096.0).sin_cos();
            b.iter().rev().fold([0.0, 0.0], |[x, y], b| {
                [b + h * (x * cos - y * sin), h * (x * sin + y * cos)]
            })
        };
        let (mut smallest, mut turn) = (f64::INFINITY, 0.0);
        for place in 0..4096 {
            let ([x, y], [u, v]) = (value(place), value(place + 1));
            smallest = f64::min(smallest, x.hypot(y));
            turn += (x * v - y * u).atan2(x * u + y * v);
        }
        (smallest, (turn / TAU).round())
    }

    #[test]
    fn a_divisor_is_nowhere_less_than_its_bound() {
        let mut seed = 1_u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut positive = 0;
        for _ in 0..2000 {
            let b = [draw(), draw(), draw(), 0.1 * draw()];
            let h = draw().abs();
            let sum = h * (b[1].abs() + h * (b[2].abs() + h * b[3].abs()));
            let bound = least([b[0], b[1], b[2]], h, sum);
            let (smallest, zeros) = around(&b, h);
            assert!(bound <= smallest / b[0].abs() + 1e-3, "{b:?} {h}: {bound}");
            assert!(zeros == 0.0 || bound <= 1e-3, "{b:?} {h}: {bound}");
            positive += u32::from(bound > 0.1);
        }
        assert!(positive > 300, "{positive}");
    }

    #[test]
    fn distances_are_bounded_as_far_as_they_do_not_vanish() {
        // (1 − τ)² on the way to zero: more terms than one are larger than b_0 together.
        assert!((least([1.0, -2.0, 1.0], 0.5, 1.25) - 0.25).abs() < 1e-15);
        assert!(least([1.0, -2.0, 1.0], 1.1, 3.41) < 0.0);
    }
}
