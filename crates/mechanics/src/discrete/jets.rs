//! Discrete Lagrangians of Lagrangians with accelerations: functions of two points of T^(k−1)Q (CG-E5, E9).
//!
//! A discrete Lagrangian on T^(k−1)Q × T^(k−1)Q is one on the pairs of points of another space, so that its
//! equations, momenta, Hamiltonians and action are those of [`DiscreteLagrangian`].

use super::error::DiscreteError;
use super::lagrangian::DiscreteLagrangian;
use super::rule::Rule;
use crate::system::System;
use rattleback_symbolic::{Expr, Rational, Symbol, simplify};

/// How an action with accelerations is taken over a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JetRule {
    /// `h/2 [L(q₀, v₀, a₀) + L(q₁, v₁, a₁)]` with the two accelerations a₀ = 2(q₁ − q₀ − hv₀)/h², a₁ =
    /// 2(q₀ − q₁ + hv₁)/h²; for k = 2, order 2.
    Trapezoid,
    /// `h/2 [L(q̄, v̄, a₀) + L(q̄, v̄, a₁)]` at the means of the ends; for k = 2, order 2.
    Midpoint,
    /// s quadrature points on the polynomial of degree 2k − 1 through the jets at both ends: order 2k from s = k on.
    /// With k = 2, `lobatto4` is Hermite-Simpson.
    Hermite(Rule),
}

/// Discretisations that look natural and are not: velocities and positions of their nodes do not meet (trap T1).
const TRAPS: [&str; 4] = [
    "mid_dv",
    "trap_dv",
    "midpoint-difference",
    "trapezoid-difference",
];

impl JetRule {
    /// Is this the name of a discretisation that must be refused?
    pub fn is_trap(name: &str) -> bool {
        TRAPS.contains(&name)
    }

    /// The counterpart of a rule of first order.
    pub fn of(rule: Rule, order: u32) -> Result<Self, DiscreteError> {
        match rule {
            Rule::Midpoint if order == 2 => Ok(JetRule::Midpoint),
            Rule::Trapezoid if order == 2 => Ok(JetRule::Trapezoid),
            Rule::Gauss(s) | Rule::Lobatto(s) if s >= order => Ok(JetRule::Hermite(rule)),
            _ => Err(DiscreteError::RuleOfOrder { rule, order }),
        }
    }

    /// The order of its map for a Lagrangian of order k: that of the quadrature or of the polynomial.
    pub fn order(self, k: u32) -> u32 {
        match self {
            JetRule::Trapezoid | JetRule::Midpoint => 2,
            JetRule::Hermite(rule) => rule.order().min(2 * k),
        }
    }
}

impl DiscreteLagrangian {
    /// The discrete Lagrangian of a system in coordinates whose Lagrangian has derivatives up to order k ≥ 2; `start` and
    /// `end` are q, q', …, q⁽ᵏ⁻¹⁾ at the two nodes, all coordinates of an order together.
    pub fn of_jets(
        system: &System,
        rule: JetRule,
        h: &Symbol,
        start: &[Symbol],
        end: &[Symbol],
    ) -> Result<Self, DiscreteError> {
        if system.has_groups() {
            let has = "group factors";
            return Err(DiscreteError::NotTwoPoints { has });
        }
        let (n, k) = (system.frame().base().len(), system.order() as usize);
        let parabolas = match rule {
            JetRule::Trapezoid => Some(Rule::Trapezoid),
            JetRule::Midpoint => Some(Rule::Midpoint),
            JetRule::Hermite(_) => None,
        };
        if let Some(rule) = parabolas.filter(|_| k != 2) {
            let order = system.order();
            return Err(DiscreteError::RuleOfOrder { rule, order });
        }
        let step = Element {
            n,
            k,
            h: Expr::from(h),
            start: start.iter().map(Expr::from).collect(),
            end: end.iter().map(Expr::from).collect(),
        };
        let half = Expr::ratio(1, 2);
        // Weight, place within the step, jet.
        let stations: Vec<(Expr, Expr, Vec<Expr>)> = match rule {
            JetRule::Trapezoid => vec![
                (
                    half.clone(),
                    Expr::zero(),
                    step.with_acceleration(&step.start, true),
                ),
                (half, Expr::one(), step.with_acceleration(&step.end, false)),
            ],
            JetRule::Midpoint => {
                let both = step.start.iter().zip(&step.end);
                let middle: Vec<Expr> = both.map(|(a, b)| (a + b) / 2).collect();
                [true, false]
                    .map(|leaving| {
                        let jet = step.with_acceleration(&middle, leaving);
                        (half.clone(), half.clone(), jet)
                    })
                    .into()
            }
            JetRule::Hermite(rule) => rule
                .stations()
                .iter()
                .map(|s| {
                    (
                        s.weight.clone(),
                        s.place.clone(),
                        step.on_polynomial(&s.place),
                    )
                })
                .collect(),
        };
        let jets: Vec<Symbol> = (0..=k as u32)
            .flat_map(|i| system.frame().base().iter().map(move |q| q.jet(i)))
            .collect();
        let terms = stations.into_iter().map(|(weight, place, jet)| {
            let then = (Symbol::time(), Expr::from(Symbol::time()) + place * &step.h);
            let here = jets.iter().cloned().zip(jet).chain([then]);
            weight * system.lagrangian().substitute(&here.collect::<Vec<_>>())
        });
        let value = simplify(&(Expr::sum(terms) * &step.h));
        Ok(DiscreteLagrangian::new(start, end, value))
    }
}

/// A step between two jets.
struct Element {
    n: usize,
    k: usize,
    h: Expr,
    start: Vec<Expr>,
    end: Vec<Expr>,
}

impl Element {
    /// q, v at a place and the acceleration of the parabola that leaves the start, or arrives at the end.
    fn with_acceleration(&self, at: &[Expr], leaving: bool) -> Vec<Expr> {
        let n = self.n;
        let acceleration = |i: usize| {
            let gap = &self.end[i] - &self.start[i];
            let rest = match leaving {
                true => gap - &self.h * &self.start[n + i],
                false => &self.h * &self.end[n + i] - gap,
            };
            2 * rest / self.h.powi(2)
        };
        at.iter().cloned().chain((0..n).map(acceleration)).collect()
    }

    /// The jet of order k of the Hermite polynomial at a place of [0, 1].
    fn on_polynomial(&self, place: &Expr) -> Vec<Expr> {
        let (n, k) = (self.n, self.k);
        let mut jet = Vec::with_capacity((k + 1) * n);
        for m in 0..=k {
            // d^m/du^m of H_i(u) and of (−1)^i H_i(1 − u).
            let weights: Vec<(Expr, Expr)> = (0..k)
                .map(|i| {
                    let slope = derivative(&hermite(i, k), m);
                    let mirrored = value(&slope, &(1 - place));
                    let sign = if (i + m) % 2 == 0 { 1 } else { -1 };
                    (value(&slope, place), sign * mirrored)
                })
                .collect();
            for a in 0..n {
                let terms = weights.iter().enumerate().map(|(i, (from, to))| {
                    let both = from * &self.start[i * n + a] + to * &self.end[i * n + a];
                    both * self.h.powi(i as i64 - m as i64)
                });
                jet.push(Expr::sum(terms));
            }
        }
        jet
    }
}

/// H_i(u) = uⁱ/i! (1 − u)ᵏ Σ_{j<k−i} C(k−1+j, j) uʲ, whose i-th derivative at 0 is 1 and all others at the ends vanish;
/// coefficients of rising powers.
fn hermite(i: usize, k: usize) -> Vec<Rational> {
    let mut sum = vec![Rational::from(1)];
    for j in 1..k - i {
        let ratio = Rational::new((k - 1 + j) as i64, j as i64);
        let next = &sum[j - 1] * &ratio;
        sum.push(next);
    }
    let factorial: i64 = (1..=i as i64).product();
    let mut all: Vec<Rational> = vec![Rational::from(0); i];
    all.extend(sum.iter().map(|c| c * &Rational::new(1, factorial)));
    for _ in 0..k {
        // Times 1 − u.
        all.push(Rational::from(0));
        for d in (1..all.len()).rev() {
            all[d] = &all[d] - &all[d - 1].clone();
        }
    }
    all
}

fn derivative(polynomial: &[Rational], times: usize) -> Vec<Rational> {
    let mut p = polynomial.to_vec();
    for _ in 0..times {
        let raised = p.iter().enumerate().skip(1);
        p = raised.map(|(d, c)| c * &Rational::from(d as i64)).collect();
    }
    p
}

/// By Horner's rule.
fn value(polynomial: &[Rational], at: &Expr) -> Expr {
    let falling = polynomial.iter().rev();
    falling.fold(Expr::zero(), |sum, c| sum * at + Expr::from(c))
}

/// Σ_j D_j L_d(q_{i−j+1}, …, q_{i−j+1+k}) for a function of the first k + 1 of 2k + 1 points: the equation at the middle one
/// (CG-D2; k = 1 is the discrete Euler-Lagrange equation).
///
/// ```
/// use rattleback_mechanics::discrete::point_equations;
/// use rattleback_symbolic::{Expr, Symbol, prove_zero};
/// // The square of the second difference: its fourth difference vanishes.
/// let points: Vec<Vec<Symbol>> = (0..5).map(|k| vec![Symbol::variable(&format!("x_{k}"))]).collect();
/// let x: Vec<Expr> = points.iter().map(|p| Expr::from(&p[0])).collect();
/// let l = (&x[0] - 2 * &x[1] + &x[2]).powi(2) / 2;
/// let fourth = &x[0] - 4 * &x[1] + 6 * &x[2] - 4 * &x[3] + &x[4];
/// assert!(prove_zero(&(&point_equations(&l, &points)[0] - fourth)).is_proven());
/// ```
pub fn point_equations(l: &Expr, points: &[Vec<Symbol>]) -> Vec<Expr> {
    let k = points.len() / 2;
    let n = points.first().map_or(0, Vec::len);
    let mut sums = vec![Vec::new(); n];
    for slot in 0..=k {
        // The middle point stands in this slot: the first is points[k − slot].
        let old = points[..=k].concat().into_iter();
        let new = points[k - slot..=2 * k - slot].concat();
        let shift: Vec<(Symbol, Expr)> = old.zip(new.iter().map(Expr::from)).collect();
        let slopes = l.gradient(&points[slot]);
        for (sum, slope) in sums.iter_mut().zip(slopes) {
            sum.push(slope.substitute(&shift));
        }
    }
    sums.into_iter().map(Expr::sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::prove_all_zero;

    #[test]
    fn hermite_polynomials_have_their_jets() {
        for k in 1..=4 {
            for i in 0..k {
                for m in 0..k {
                    let slope = derivative(&hermite(i, k), m);
                    let expected = i64::from(i == m);
                    let ends = [
                        value(&slope, &Expr::zero()) - expected,
                        value(&slope, &Expr::one()),
                    ];
                    assert!(prove_all_zero(&ends).is_proven(), "{k} {i} {m}");
                }
            }
        }
    }
}
