//! Models from text, values of expressions at points, and integrated motions.
#![allow(dead_code)] // Each test file uses its own part.

use rattleback_compile::{Evaluator, StartState};
use rattleback_language::{Model, Source, parse};
use rattleback_mechanics::{Form, Problem, System};
use rattleback_symbolic::{Expr, Symbol, Tape, free_symbols};
use rattleback_testing::models;

/// A model and its system; where a system is wanted it is taken for that.
pub struct Given {
    pub model: Model,
    pub problem: Problem,
    pub system: System,
}

impl std::ops::Deref for Given {
    type Target = System;
    fn deref(&self) -> &System {
        &self.system
    }
}

pub fn given(text: &str) -> Given {
    let outcome = parse(&Source::new("test.mech", text));
    let model = outcome
        .model
        .unwrap_or_else(|| panic!("{:?}\n{text}", outcome.diagnostics));
    let problem = Problem::from_model(&model).expect("a problem");
    let system = problem.system.clone();
    Given {
        model,
        problem,
        system,
    }
}

/// The system of a model text.
pub fn system(text: &str) -> System {
    given(text).system
}

/// A shipped model.
pub fn shipped(name: &str) -> Given {
    given(&models::text(name))
}

/// All shipped models with a Lagrangian by name: nothing here is about others.
pub fn all_shipped() -> Vec<String> {
    models::with_lagrangian()
}

/// An expression of the model language in the symbols of a system.
pub fn formula(system: &System, text: &str) -> Expr {
    // Symbols are equal if their names and roles are: a model with the same names gives them.
    let names =
        |symbols: &[Symbol]| -> Vec<String> { symbols.iter().map(ToString::to_string).collect() };
    let mut data = vec![system.lagrangian().clone()];
    data.extend(system.constraints().forms().entries().iter().cloned());
    let constants: Vec<Symbol> = free_symbols(&data)
        .into_iter()
        .filter(|s| s.role() == rattleback_symbolic::Role::Constant)
        .collect();
    let mut source = String::from("system formula\n");
    for c in names(&constants) {
        source += &format!("param {c} = 1\n");
    }
    source += &format!("coord {}\n", names(system.frame().base()).join(", "));
    source += &format!("lagrangian {text}\n");
    let outcome = parse(&Source::new("formula.mech", source));
    let read = outcome
        .model
        .unwrap_or_else(|| panic!("{:?}", outcome.diagnostics))
        .lagrangian;
    // Assumptions belong to the system's own symbols.
    let own: Vec<(Symbol, Expr)> = free_symbols(std::slice::from_ref(&read))
        .into_iter()
        .filter_map(|s| {
            let mut all = constants.iter().chain(system.frame().base());
            let same = all.find(|x| x.to_string() == s.to_string())?;
            Some((s, Expr::from(same)))
        })
        .collect();
    read.substitute(&own)
}

/// Deterministic numbers in (-1, 1), none of them special.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A value for every symbol: parameters positive, variables anything.
    pub fn point(&mut self, all: &[Expr]) -> Vec<(Symbol, f64)> {
        free_symbols(all)
            .into_iter()
            .map(|s| {
                let x = self.next();
                let positive = s.role() == rattleback_symbolic::Role::Constant;
                (s, if positive { 0.6 + 0.5 * x } else { x })
            })
            .collect()
    }
}

/// The values of expressions at a point; symbols without a value are 0.
pub fn values(all: &[Expr], point: &[(Symbol, f64)]) -> Vec<f64> {
    let symbols = free_symbols(all);
    let numbers: Vec<f64> = symbols
        .iter()
        .map(|s| point.iter().find(|(x, _)| x == s).map_or(0.0, |p| p.1))
        .collect();
    Tape::new(&symbols, all)
        .expect("all symbols")
        .evaluate(&numbers)
}

/// Is a/b the same number at several points?
#[track_caller]
pub fn assert_proportional(a: &Expr, b: &Expr) {
    let mut numbers = Numbers::new(7);
    let both = [a.clone(), b.clone()];
    // Constants keep their values from point to point: the factor may depend on them.
    let fixed = numbers.point(&both);
    let mut ratios = Vec::new();
    for _ in 0..12 {
        let moved: Vec<(Symbol, f64)> = fixed
            .iter()
            .map(|(s, v)| {
                let constant = s.role() == rattleback_symbolic::Role::Constant;
                (s.clone(), if constant { *v } else { numbers.next() })
            })
            .collect();
        let v = values(&both, &moved);
        if v.iter().all(|x| x.is_finite()) && v[1] != 0.0 {
            ratios.push((v[0] / v[1]).abs());
        }
    }
    assert!(ratios.len() > 2, "no values: {a} and {b}");
    for r in &ratios {
        assert!(
            (r - ratios[0]).abs() < 1e-9 * ratios[0].abs().max(1e-9),
            "{a} is no multiple of {b}: {ratios:?}"
        );
    }
}

/// x' = f(x) by the classical method of order four.
pub fn rk4(f: &dyn Fn(&[f64]) -> Vec<f64>, x: &[f64], time: f64, steps: usize) -> Vec<f64> {
    let h = time / steps as f64;
    let mut x = x.to_vec();
    let add = |x: &[f64], k: &[f64], s: f64| -> Vec<f64> {
        x.iter().zip(k).map(|(x, k)| x + s * k).collect()
    };
    for _ in 0..steps {
        let a = f(&x);
        let b = f(&add(&x, &a, h / 2.0));
        let c = f(&add(&x, &b, h / 2.0));
        let d = f(&add(&x, &c, h));
        for i in 0..x.len() {
            x[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
    }
    x
}

/// The state of a formulation after some time, from the start of the model, with the state's names.
pub fn simulate(g: &Given, form: Form, time: f64, steps: usize) -> Vec<(Symbol, f64)> {
    let equations = g.system.equations(form).expect("equations");
    let start = StartState::of(&g.problem, &g.system).expect("a start");
    let program = Evaluator::new(&equations, &start.constants).expect("a program");
    let x = start.state_of(&equations).expect("a state");
    let rates = |x: &[f64]| {
        program
            .at(0.0, x, &start.constant_values)
            .expect("rates")
            .rates
    };
    let end = rk4(&rates, &x, time, steps);
    equations.state.iter().cloned().zip(end).collect()
}

pub fn value(state: &[(Symbol, f64)], name: &str) -> f64 {
    state
        .iter()
        .find(|(s, _)| s.to_string() == name)
        .unwrap_or_else(|| panic!("no {name}"))
        .1
}

pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}
