//! Models as text, and values of expressions at points.
#![allow(dead_code)] // Each test file uses its own part.

use rattleback_language::{Source, parse};
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Symbol, Tape, free_symbols};

/// The system of a model text.
pub fn system(text: &str) -> System {
    let outcome = parse(&Source::new("test.mech", text));
    let model = outcome
        .model
        .unwrap_or_else(|| panic!("{:?}", outcome.diagnostics));
    System::from_model(&model).expect("a system").system
}

/// The system of a shipped model.
pub fn shipped(name: &str) -> System {
    let path = format!("{}/../../models/{name}.mech", env!("CARGO_MANIFEST_DIR"));
    system(&std::fs::read_to_string(path).expect("a model"))
}

/// All shipped models by name.
pub fn all_shipped() -> Vec<String> {
    let folder = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("models")
        .filter_map(|f| Some(f.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names
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

/// A stream of numbers between -1 and 1.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
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
    let mut numbers = Numbers(7);
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
