//! The linear system of motions beside a path, e' = A e + B δu, in the directions of the state.

use super::super::extract::Trajectory;
use super::super::node::{local, numbers};
use super::super::posed::Posed;
use super::super::sample::{Sample, Where};
use rattleback_compile::program::{Derivatives, Interpreter, Program};
use rattleback_lie::Trivialization;
use rattleback_numeric::Dense;
use rattleback_symbolic::{Expr, Symbol};

/// A linear system at a node, with the velocity and the rates of components there.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub a: Dense,
    pub b: Dense,
    pub rates: Vec<f64>,
}

/// V and the rates of components by directions and controls, with their slopes.
pub(super) struct Beside {
    program: Interpreter,
    derivatives: Derivatives,
    directions: usize,
    controls: usize,
}

impl Beside {
    pub fn of(posed: &Posed) -> Option<Self> {
        let plant = &posed.plant;
        let node = posed.node("b");
        let controls: Vec<Symbol> = (plant.controls.iter())
            .map(|u| local(&u.to_string(), "b"))
            .collect();
        let rank = plant.system.frame().rank();
        let at = Where {
            base: node.base.clone(),
            components: node.variables[rank..].iter().map(Expr::from).collect(),
            controls: Some(controls.iter().map(Expr::from).collect()),
            time: Symbol::time().into(),
        };
        let sample = Sample::of(posed, &at, "b");
        let outputs: Vec<Expr> = sample.velocity.into_iter().chain(sample.rates).collect();
        let free = posed.free.iter().map(|(f, _)| f.clone());
        let inputs: Vec<Symbol> = node
            .variables
            .iter()
            .chain(&controls)
            .cloned()
            .chain([Symbol::time()])
            .chain(free)
            .chain(node.elements)
            .collect();
        let program = Program::new(&inputs, &posed.constants, &sample.stages, &outputs).ok()?;
        let (directions, controls) = (plant.directions(), controls.len());
        let derivatives = program.with_derivatives(0..directions + controls);
        Some(Self {
            program: Interpreter::new(derivatives.program.clone()),
            derivatives,
            directions,
            controls,
        })
    }

    /// The system at a node of a path.
    pub fn at(&self, posed: &Posed, path: &Trajectory, free: &[f64], k: usize) -> Option<Linear> {
        let (variables, elements) = numbers(&posed.plant, &path.states[k]);
        let time = [path.times[k]];
        let inputs = [&variables[..], &path.controls[k], &time, free, &elements].concat();
        let out = self.program.values(&inputs).ok()?;
        let parts = self.derivatives.split(&out);
        let (n, m) = (self.directions, self.controls);
        let (mut a, mut b) = (Dense::zeros(n, n), Dense::zeros(n, m));
        for ((i, j), value) in self.derivatives.jacobian.iter().zip(parts.jacobian) {
            match j < n {
                true => a[(i, j)] += value,
                false => b[(i, j - n)] += value,
            }
        }
        let rates = parts.values.to_vec();
        turn(posed, &rates, &mut a);
        let finite = |all: &[f64]| all.iter().all(|x| x.is_finite());
        let is_finite = finite(a.entries()) && finite(b.entries()) && finite(&rates);
        is_finite.then_some(Linear { a, b, rates })
    }
}

/// The deviation of a group element turns with it: with g = g_r exp(e), e' = δw − [w, e]; in space e' = δw + [w, e].
fn turn(posed: &Posed, rates: &[f64], a: &mut Dense) {
    for factor in posed.plant.factors() {
        let Some(group) = factor.group else { continue };
        let w = &rates[factor.fibre.clone()];
        let sign = match factor.trivialization {
            Trivialization::Body => -1.0,
            Trivialization::Space => 1.0,
        };
        for j in 0..group.dimension() {
            let moved = group.bracket(w, &group.basis::<f64>(j));
            for (i, x) in moved.iter().enumerate() {
                a[(factor.fibre.start + i, factor.fibre.start + j)] += sign * x;
            }
        }
    }
}
