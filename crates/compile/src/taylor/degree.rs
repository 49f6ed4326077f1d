//! Which series are polynomials in time: their recurrences end.

use super::plan::{LinearBlock, Rule, Series, TaylorPlan};

/// The degree of a series as a polynomial in time; coefficients above it vanish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Degree(u32);

impl Degree {
    /// Constant along every motion.
    pub const CONSTANT: Degree = Degree(0);
    /// Linear in time.
    pub const LINEAR: Degree = Degree(1);
    /// No polynomial, as far as is known.
    pub const INFINITE: Degree = Degree(u32::MAX);
    /// Higher degrees count as infinite: the longest polynomials worth telling apart.
    const HIGHEST: u32 = 6;

    /// Can the k-th coefficient differ from zero?
    pub fn reaches(self, k: usize) -> bool {
        k as u64 <= u64::from(self.0)
    }

    /// The degree, cut off at `order`.
    pub fn within(self, order: usize) -> usize {
        (self.0 as usize).min(order)
    }

    fn of(degree: u64) -> Degree {
        if degree > u64::from(Degree::HIGHEST) {
            Degree::INFINITE
        } else {
            Degree(degree as u32)
        }
    }

    fn times(self, other: Degree) -> Degree {
        Degree::of(u64::from(self.0) + u64::from(other.0))
    }

    /// Of a function that is no polynomial of its argument.
    fn transcendental(self) -> Degree {
        if self == Degree::CONSTANT {
            self
        } else {
            Degree::INFINITE
        }
    }
}

/// The least degrees that satisfy every rule, with deg x = deg x' + 1 for the state.
///
/// Iterates from below: all states constant at first. A degree can only grow, and there are
/// finitely many of them, so that this ends.
pub(super) fn degrees(plan: &TaylorPlan) -> Vec<Degree> {
    let mut states = vec![Degree::CONSTANT; plan.rates.len()];
    loop {
        let degrees = forward(plan, &states);
        let next: Vec<Degree> = plan
            .rates
            .iter()
            .map(|&rate| match plan.rules[rate as usize] {
                Rule::Constant(0.0) => Degree::CONSTANT,
                _ => Degree::LINEAR.times(degrees[rate as usize]),
            })
            .collect();
        if next == states {
            return degrees;
        }
        states = next;
    }
}

fn forward(plan: &TaylorPlan, states: &[Degree]) -> Vec<Degree> {
    let mut degrees: Vec<Degree> = Vec::with_capacity(plan.rules.len());
    for &rule in &plan.rules {
        let of = |a: Series| degrees[a as usize];
        let degree = match rule {
            Rule::Constant(_) | Rule::Parameter(_) => Degree::CONSTANT,
            Rule::Time => Degree::LINEAR,
            Rule::State(i) => states[i as usize],
            Rule::Add(a, b) | Rule::Sub(a, b) => of(a).max(of(b)),
            Rule::Neg(a) | Rule::Theta(a) => of(a),
            Rule::Mul(a, b) => of(a).times(of(b)),
            Rule::Square(a) => of(a).times(of(a)),
            Rule::Div(a, b) => match of(b) {
                Degree::CONSTANT => of(a),
                _ => Degree::INFINITE,
            },
            Rule::Sqrt(a) => of(a).transcendental(),
            Rule::Integral { rate, .. } => of(rate),
            Rule::Growth { rate, .. } => of(rate).transcendental(),
            Rule::Sine { angle, .. } | Rule::Cosine { angle, .. } => of(angle).transcendental(),
            Rule::Solution { block, .. } => solution(&plan.blocks[block as usize], &of),
        };
        degrees.push(degree);
    }
    degrees
}

fn solution(block: &LinearBlock, of: &impl Fn(Series) -> Degree) -> Degree {
    let largest = |series: &[Series]| {
        let degrees = series.iter().map(|&a| of(a));
        degrees.max().unwrap_or(Degree::CONSTANT)
    };
    match largest(&block.matrix) {
        Degree::CONSTANT => largest(&block.rhs),
        _ => Degree::INFINITE,
    }
}
