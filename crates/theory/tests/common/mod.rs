//! Models from text, points and integrated motions for the tests of this crate.
#![allow(dead_code)]

use rattleback_compile::{Evaluator, StartState};
use rattleback_language::{Model, Source, parse};
use rattleback_mechanics::{Form, System};
use rattleback_symbolic::{Expr, Rational, Symbol};

/// A model and its system.
pub struct Given {
    pub model: Model,
    pub system: System,
}

pub fn given(text: &str) -> Given {
    let source = Source::new("test.mech", text);
    let parsed = parse(&source);
    let model = parsed
        .model
        .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
    let system = System::from_model(&model).expect("a system").system;
    Given { model, system }
}

pub fn shipped(name: &str) -> Given {
    let path = format!("{}/../../models/{name}.mech", env!("CARGO_MANIFEST_DIR"));
    given(&std::fs::read_to_string(path).expect("a shipped model"))
}

/// Exact values by name: `point(system, &[("x", "1/2")])`.
pub fn exact(text: &str) -> Expr {
    let (n, d) = text.split_once('/').unwrap_or((text, "1"));
    Rational::new(n.parse().expect("a number"), d.parse().expect("a number")).into()
}

/// Deterministic numbers in (-1, 1), none of them special.
pub struct Numbers(u64);

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
    let start = StartState::of(&g.model, &g.system).expect("a start");
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
