//! The Taylor method follows motions to the digits asked for.

#[allow(dead_code)]
#[path = "../../../compile/tests/taylor/problems.rs"]
mod problems;

use problems::{Problem, field, problem, problems};
use rattleback_compile::program::Program;
use rattleback_compile::taylor::{JetFault, JetInterpreter, TaylorPlan};
use rattleback_integrate::taylor::{PropagateError, StepPolicy, Taylor};
use rattleback_integrate::{Fault, Jets, Stepper, Tolerance, VectorField};
use rattleback_symbolic::{Expr, Symbol};

/// A program as a field that differentiates its own motions.
struct Interpreted(JetInterpreter<f64>);

impl Interpreted {
    fn new(program: &Program) -> Interpreted {
        let plan = TaylorPlan::new(program).unwrap();
        Interpreted(JetInterpreter::new(plan, 40))
    }
}

impl VectorField for Interpreted {
    fn dimension(&self) -> usize {
        self.0.plan().dimension()
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        let mut jet = vec![0.0; 2 * x.len()];
        self.jet(t, x, 1, &mut jet)?;
        rates.copy_from_slice(&jet[x.len()..]);
        Ok(())
    }

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}

impl Jets for Interpreted {
    fn jet(
        &mut self,
        t: f64,
        x: &[f64],
        order: usize,
        coefficients: &mut [f64],
    ) -> Result<(), Fault> {
        let result = self.0.jet(t, x, order, coefficients);
        result.map_err(|(_, fault)| match fault {
            JetFault::NotFinite(i) => Fault::NotFinite(i),
            JetFault::Block(_) => Fault::Singular,
        })
    }
}

fn follow(problem: &Problem, tolerance: f64) -> (Vec<f64>, u64) {
    let mut field = Interpreted::new(&problem.program);
    let mut x = problem.start.clone();
    let mut taylor = Taylor::new(x.len(), Tolerance::both(tolerance));
    let done = taylor.propagate(&mut field, 0.0, problem.end, &mut x);
    (x, done.unwrap().steps)
}

/// The error follows the tolerance on all nine motions. The chains amplify every error on the way.
#[test]
fn final_states_are_those_of_the_references() {
    for problem in problems() {
        let amplification = match problem.name {
            "pendulum8" => 3e4,
            "pendulum4" => 2e3,
            _ => 1e2,
        };
        for tolerance in [1e-6, 1e-9, 1e-12, 1e-15] {
            let (x, steps) = follow(&problem, tolerance);
            let error = problem.error(&x);
            let allowed = amplification * (tolerance + 2e-15);
            assert!(
                error < allowed,
                "{}, {tolerance:e}: error {error:e} after {steps} steps",
                problem.name
            );
        }
    }
}

fn oscillator() -> Interpreted {
    let state = [Symbol::variable("x"), Symbol::variable("v")];
    let (x, v) = (Expr::from(&state[0]), Expr::from(&state[1]));
    Interpreted::new(&field(&state, &[], &[v, -x]))
}

#[test]
fn closed_forms_are_met_to_round_off() {
    let mut x = [1.0, 0.0];
    let mut taylor = Taylor::new(2, Tolerance::both(1e-17));
    taylor
        .propagate(&mut oscillator(), 0.0, 100.0, &mut x)
        .unwrap();
    assert!((x[0] - 100f64.cos()).abs() < 1e-14 && (x[1] + 100f64.sin()).abs() < 1e-14);
    // And back.
    taylor
        .propagate(&mut oscillator(), 100.0, 0.0, &mut x)
        .unwrap();
    assert!((x[0] - 1.0).abs() < 2e-14 && x[1].abs() < 2e-14);
}

/// The energy of a sleigh and the circle of a disk, over the whole motion by dense output.
#[test]
fn polynomials_are_dense_output() {
    let problem = problem("sleigh");
    let mut field = Interpreted::new(&problem.program);
    let mut taylor = Taylor::new(5, Tolerance::both(1e-14));
    let energy = |x: &[f64]| 0.5 * x[3] * x[3] + 0.5 * 0.29 * x[4] * x[4];
    let (mut t, mut x) = (0.0, problem.start.clone());
    let (mut next, mut dense) = (x.clone(), x.clone());
    let start = energy(&x);
    while t < 40.0 {
        let h = taylor.proposed_step(&mut field, t, &x, 40.0 - t);
        let h = h.unwrap().unwrap();
        let step = taylor.step(&mut field, t, &x, h, &mut next).unwrap();
        assert!(step.error <= 1.0 + 1e-9, "{}", step.error);
        for theta in [0.0, 0.3, 0.77, 1.0] {
            Stepper::interpolate(&mut taylor, &mut field, theta, &mut dense).unwrap();
            assert!((energy(&dense) - start).abs() < 1e-13);
        }
        t += h;
        x.copy_from_slice(&next);
    }
}

/// The global error of fixed steps shrinks like h^p.
#[test]
fn the_order_is_the_order_asked_for() {
    let problem = problem("pendulum2");
    let mut field = Interpreted::new(&problem.program);
    for order in [3, 5, 8] {
        let policy = StepPolicy::with_order(Tolerance::both(1e-9), order);
        let mut error = |steps: usize| {
            let mut taylor = Taylor::with_policy(4, policy);
            let h = 2.0 / steps as f64;
            let (mut x, mut next) = (problem.start.clone(), vec![0.0; 4]);
            for k in 0..steps {
                taylor
                    .step(&mut field, k as f64 * h, &x, h, &mut next)
                    .unwrap();
                x.copy_from_slice(&next);
            }
            let mut exact = problem.start.clone();
            let mut fine = Taylor::new(4, Tolerance::both(1e-17));
            fine.propagate(&mut field, 0.0, 2.0, &mut exact).unwrap();
            let differences = x.iter().zip(&exact).map(|(x, e)| (x - e).abs());
            differences.fold(0.0, f64::max)
        };
        let measured = (error(40) / error(80)).log2();
        assert!(
            (measured - order as f64).abs() < 0.4,
            "order {order}: {measured}"
        );
    }
}

#[test]
fn singularities_are_reported_where_they_are() {
    let state = [Symbol::variable("x")];
    let x = Expr::from(&state[0]);
    // x = 1/(1 − t)
    let mut blowup = Interpreted::new(&field(&state, &[], &[x.powi(2)]));
    let mut at = [1.0];
    let mut taylor = Taylor::new(1, Tolerance::both(1e-10));
    let error = taylor
        .propagate(&mut blowup, 0.0, 2.0, &mut at)
        .unwrap_err();
    let t = match error {
        PropagateError::Fault { t, .. } | PropagateError::StepUnderflow { t, .. } => t,
    };
    assert!((t - 1.0).abs() < 1e-6, "{t}");
    assert!(at[0] > 1e6);
    // x' = log x stops at once from a negative state.
    let mut logarithm = Interpreted::new(&field(&state, &[], &[x.log()]));
    let error = taylor.propagate(&mut logarithm, 0.5, 2.0, &mut [-1.0]);
    assert_eq!(
        error,
        Err(PropagateError::Fault {
            t: 0.5,
            fault: Fault::NotFinite(0)
        })
    );
}

/// A motion that is a polynomial takes the steps that its last terms allow; one at rest takes one.
#[test]
fn rest_takes_one_step() {
    let mut taylor = Taylor::new(2, Tolerance::both(1e-10));
    let mut x = [0.0, 0.0];
    let done = taylor
        .propagate(&mut oscillator(), 0.0, 1e6, &mut x)
        .unwrap();
    assert_eq!((done.steps, x), (1, [0.0, 0.0]));
}
