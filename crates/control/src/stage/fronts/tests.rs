//! Fronts beside the whole matrix: random programs of random shapes.

use super::super::assembly::{Kkt, Shift};
use super::super::problem::{Piece, Point, StageProblem};
use super::super::term::Term;
use proptest::prelude::*;
use rattleback_compile::program::Program;
use rattleback_numeric::{Inertia, Ldlt};
use rattleback_symbolic::{Expr, Symbol};
use std::sync::Arc;

/// Numbers between −1 and 1 with three digits, by a linear congruence.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn number(&mut self) -> Expr {
        Expr::ratio(self.below(2001) as i64 - 1000, 1000)
    }

    /// A quadratic function of some variables; most coefficients are zero.
    fn quadratic(&mut self, x: &[Expr]) -> Expr {
        let mut terms = vec![self.number()];
        for (i, a) in x.iter().enumerate() {
            for b in &x[..=i] {
                if self.below(3) == 0 {
                    terms.push(self.number() * a * b);
                }
            }
        }
        Expr::sum(terms)
    }

    fn linear(&mut self, x: &[Expr]) -> Expr {
        let terms: Vec<Expr> = x.iter().map(|x| self.number() * x).collect();
        Expr::sum(terms)
    }
}

/// What is drawn: states, variables inside of an interval, controls, conditions at the ends, shared variables, intervals.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    states: usize,
    inside: usize,
    controls: usize,
    ends: [usize; 2],
    shared: usize,
    intervals: usize,
    /// Do the conditions determine states, x₁ = …, or are they any?
    explicit: bool,
}

fn sizes() -> impl Strategy<Value = Sizes> {
    let numbers = (
        1..4usize,
        0..3usize,
        1..3usize,
        0..2usize,
        1..6usize,
        any::<bool>(),
    );
    let all = numbers.prop_flat_map(|n| (Just(n), 0..=n.0, 0..=n.0));
    all.prop_map(
        |((states, inside, controls, shared, intervals, explicit), a, b)| Sizes {
            states,
            inside,
            controls,
            ends: [a, b],
            shared,
            intervals,
            explicit,
        },
    )
}

fn term(random: &mut Random, count: usize, rows: &[Option<usize>]) -> Arc<Term> {
    let symbols: Vec<Symbol> = (0..count)
        .map(|i| Symbol::variable(&format!("x{i}")))
        .collect();
    let x: Vec<Expr> = symbols.iter().map(Expr::from).collect();
    let mut outputs = vec![random.quadratic(&x)];
    for own in rows {
        let little = match own {
            Some(_) => Expr::ratio(1, 5),
            None => Expr::one(),
        };
        let rest = random.linear(&x) + Expr::ratio(1, 10) * random.quadratic(&x);
        let first = own.map_or(Expr::zero(), |i| x[i].clone());
        outputs.push(first + little * rest);
    }
    let program = Program::new(&symbols, &[], &[], &outputs).unwrap();
    Arc::new(Term::new(&program, count))
}

/// Blocks of a state, controls and what is inside, with conditions between neighbours and at both ends.
fn program(random: &mut Random, of: Sizes) -> StageProblem {
    let (n, block) = (of.states, of.states + of.controls + of.inside);
    let last = n + of.controls;
    let variables = of.intervals * block + last + of.shared;
    let shared = variables - of.shared..variables;
    let own = |i: usize| of.explicit.then_some(i);
    let inner = (0..of.inside).map(|i| own(last + i));
    let closing = (0..n).map(|i| own(block + i));
    let rows: Vec<Option<usize>> = inner.chain(closing).collect();
    let ends: Vec<Vec<Option<usize>>> =
        of.ends.iter().map(|&c| (0..c).map(own).collect()).collect();
    let terms = vec![
        term(random, n + of.shared, &ends[0]),
        term(random, block + last + of.shared, &rows),
        term(random, last + of.shared, &ends[1]),
    ];
    let mut problem = StageProblem {
        blocks: [vec![block; of.intervals], vec![last]].concat(),
        shared: of.shared,
        lower: vec![f64::NEG_INFINITY; variables],
        upper: vec![f64::INFINITY; variables],
        homes: Vec::new(),
        terms,
        pieces: Vec::new(),
        charts: Vec::new(),
        angles: Vec::new(),
        units: None,
    };
    let mut lay = |term: usize, at: std::ops::Range<usize>, home: usize| {
        let count = problem.terms[term].constraints();
        let first = problem.homes.len();
        problem.homes.extend(std::iter::repeat_n(home, count));
        problem.pieces.push(Piece {
            term,
            variables: at.chain(shared.clone()).collect(),
            elements: Vec::new(),
            data: Vec::new(),
            rows: (first..first + count).collect(),
        });
    };
    lay(0, 0..n, 0);
    for k in 0..of.intervals {
        lay(1, k * block..(k + 1) * block + last, k);
    }
    lay(
        2,
        of.intervals * block..of.intervals * block + last,
        of.intervals,
    );
    problem
}

/// M, column by column.
fn dense(kkt: &Kkt, size: usize) -> Vec<f64> {
    let mut all = vec![0.0; size * size];
    let mut unit = vec![0.0; size];
    for (j, column) in all.chunks_exact_mut(size).enumerate() {
        unit[j] = 1.0;
        kkt.multiply(&unit, column);
        unit[j] = 0.0;
    }
    all
}

proptest! {
    /// Inertia and solutions are those of the whole matrix, whatever is taken from the conditions.
    #[test]
    fn fronts_agree_with_the_whole(seed: u64, of in sizes(), stiff in 0.0..3.0f64, penalty: bool) {
        let mut random = Random(seed);
        let problem = program(&mut random, of);
        let (n, m) = (problem.variables(), problem.constraints());
        let number = |i: usize| ((1.3 * i as f64 + 0.2).sin(), (0.7 * i as f64 + 0.9).cos());
        let at = Point { variables: (0..n).map(|i| number(i).0).collect(), elements: Vec::new() };
        let multipliers: Vec<f64> = (0..m).map(|i| number(i).1).collect();
        let mut kkt = Kkt::new(&problem);
        kkt.assemble(&at, 1.0, &multipliers, &mut problem.scratch()).unwrap();
        let diagonal: Vec<f64> = (0..n).map(|i| stiff * number(i).0.abs()).collect();
        let shift = Shift { variables: 0.0, constraints: if penalty { 1.0 } else { 0.0 } };
        let found = kkt.factor(&diagonal, shift);
        let matrix = dense(&kkt, n + m);
        let mut whole = Ldlt::new(n + m);
        let expected = whole.factor(|i, j| matrix[i * (n + m) + j]).unwrap();
        // What is singular but for rounding may be told either way.
        prop_assume!(condition(&whole, &matrix, n + m) < 1e9);
        prop_assert_eq!(found, Some(expected));
        let right: Vec<f64> = (0..n + m).map(|i| number(3 * i + 1).0).collect();
        let (dx, dy) = kkt.solve(&right[..n], &right[n..]).unwrap();
        let solution = [dx, dy].concat();
        let mut product = vec![0.0; n + m];
        kkt.multiply(&solution, &mut product);
        let size = solution.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        for (a, b) in product.iter().zip(&right) {
            prop_assert!((a - b).abs() < 1e-11 * size, "{} {}", a, b);
        }
    }

    /// Conditions that repeat others leave nothing to factor, and a little that is taken from them tells them apart.
    #[test]
    fn dependent_conditions_are_singular(seed: u64, intervals in 1..5usize, inside in 0..3usize) {
        let of = Sizes { states: 2, inside, controls: 2, ends: [2, 1], shared: 0, intervals, explicit: true };
        let mut problem = program(&mut Random(seed), of);
        let mut again = problem.pieces[intervals + 1].clone();
        again.rows = vec![problem.homes.len()];
        problem.homes.push(intervals);
        problem.pieces.push(again);
        let (n, m) = (problem.variables(), problem.constraints());
        let at = Point { variables: vec![0.1; n], elements: Vec::new() };
        let mut kkt = Kkt::new(&problem);
        kkt.assemble(&at, 1.0, &vec![0.0; m], &mut problem.scratch()).unwrap();
        let stiff = vec![9.0; n];
        prop_assert_eq!(kkt.factor(&stiff, Shift::default()), None);
        let little = Shift { variables: 0.0, constraints: 1e-8 };
        prop_assert_eq!(kkt.factor(&stiff, little), Some(Inertia { positive: n, negative: m, zero: 0 }));
    }
}

/// About how much larger solutions are than right-hand sides, times the size of the matrix.
fn condition(whole: &Ldlt, matrix: &[f64], n: usize) -> f64 {
    let largest = matrix.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let mut most = 0.0_f64;
    for i in 0..n {
        let mut b = vec![0.0; n];
        b[i] = 1.0;
        if whole.solve(&mut b).is_err() {
            return f64::INFINITY;
        }
        most = b.iter().fold(most, |m, x| m.max(x.abs()));
    }
    most * largest
}
