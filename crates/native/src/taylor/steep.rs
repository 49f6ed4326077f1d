//! How much the series vary that divisors, roots and exponentials are made of.
//!
//! A quotient, a root, a power or an exponential is analytic where its divisor or radicand has no zero. So with
//! b(τ) = Σ b_k τ^k and Σ_(k≥1) |b_k| h^k < |b_0| nothing turns within |τ| ≤ h that the coefficients do not know of,
//! and no exponential e^(∫q) comes up from nothing while Σ |q_k| h^k/k is small.
#![allow(unsafe_code)]

use rattleback_compile::taylor::{Degree, Rule, Series, TaylorPlan};

use super::groups::GroupPlan;
use super::layout::{Base, LANES, Layout, Places, Width};
use super::schedule::Kind;
use super::tasks::{Task, Work};

/// How a series is measured, and how much it may vary.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    /// Σ |b_k| h^k over |b_0|.
    Relative(f64),
    /// Σ |q_k| h^k/k.
    Exponent(f64),
}

/// A root may become less by three fifths, a divisor by four fifths, an exponential or a power by a factor of e².
const ROOT: Measure = Measure::Relative(0.6);
const DIVISOR: Measure = Measure::Relative(0.8);
const EXPONENT: Measure = Measure::Exponent(2.0);

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

/// Series side by side that are to vary little.
#[derive(Clone, Debug)]
pub(super) struct Steep {
    places: Places,
    width: Width,
    /// The series in these lanes count.
    lanes: usize,
    /// Is there a motion in each lane?
    motions: bool,
    /// How many coefficients are known.
    rows: usize,
    measure: Measure,
}

impl Steep {
    /// What is steep in the work of a kernel.
    pub(super) fn of_tasks(layout: &Layout, tasks: &[Task]) -> Vec<Steep> {
        let groups = tasks.iter().filter_map(|task| match &task.work {
            Work::Group(group) => Steep::of_group(layout, group),
            _ => None,
        });
        groups.collect()
    }

    fn of_group(layout: &Layout, group: &GroupPlan) -> Option<Steep> {
        let (pack, measure) = match group.kind {
            Kind::Product | Kind::Square | Kind::Turn => return None,
            Kind::Root => (group.results[0], ROOT),
            Kind::Quotient if group.members.iter().all(|&s| is_rooted(layout.plan, s)) => {
                return None;
            }
            Kind::Quotient => (group.operands[0], DIVISOR),
            Kind::Growth | Kind::HyperbolicTurn => (group.operands[0], EXPONENT),
        };
        let pack = &layout.packs[pack];
        let rows = pack.degree.within(layout.order.saturating_sub(1)) + 1;
        let varies = pack.degree != Degree::CONSTANT;
        varies.then(|| Steep {
            places: pack.places,
            width: group.width,
            lanes: match group.width {
                Width::One => 1,
                Width::Four if layout.width == Width::Four => LANES,
                Width::Four => group.members.len(),
            },
            motions: layout.width == Width::Four,
            rows,
            measure,
        })
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
            Measure::Relative(_) => &ONES,
            Measure::Exponent(_) => &RECIPROCALS,
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
        for l in 0..L.min(self.lanes) {
            let most = match self.measure {
                Measure::Relative(most) => most * all[l].abs(),
                Measure::Exponent(most) => most,
            };
            // What is not a number is too much.
            let is_little = sum[l] <= most;
            mask |= u8::from(!is_little) << if self.motions { l } else { 0 };
        }
        mask
    }
}

/// Is the divisor of a quotient a product of roots and of what is under roots? It has no zero where these have none.
fn is_rooted(plan: &TaylorPlan, quotient: Series) -> bool {
    let rules = plan.rules();
    let Rule::Div(_, divisor) = rules[quotient as usize] else {
        return false;
    };
    let mut factors = vec![divisor];
    while let Some(factor) = factors.pop() {
        match rules[factor as usize] {
            Rule::Sqrt(_) | Rule::Constant(_) => {}
            _ if rules.contains(&Rule::Sqrt(factor)) => {}
            Rule::Mul(a, b) => factors.extend([a, b]),
            Rule::Square(a) | Rule::Neg(a) => factors.push(a),
            _ => return false,
        }
    }
    true
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
