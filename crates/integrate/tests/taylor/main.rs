//! The Taylor method follows motions to the digits asked for.

#[allow(dead_code)]
#[path = "../../../../benches/src/motion.rs"]
mod motion;

use motion::{MotionProblem, field};
use rattleback_compile::program::Program;
use rattleback_compile::taylor::{JetFault, JetInterpreter, Lanes, TaylorPlan};
use rattleback_integrate::taylor::{BatchJets, BatchTaylor, PropagateError, StepPolicy, Taylor};
use rattleback_integrate::{
    BatchField, Block, Dop853, Drive, Ensemble, EnsembleRun, Fault, Jets, LANES, MemberError,
    MemberOutcome, Output, Span, Stepper, Tolerance, VectorField,
};
use rattleback_symbolic::{Expr, Symbol};
use std::ops::ControlFlow;

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

fn follow(problem: &MotionProblem, tolerance: f64) -> (Vec<f64>, u64) {
    let mut field = Interpreted::new(&problem.program().unwrap());
    let mut x = problem.start.clone();
    let mut taylor = Taylor::new(x.len(), Tolerance::both(tolerance));
    let done = taylor.propagate(&mut field, 0.0, problem.until, &mut x);
    (x, done.unwrap().steps)
}

/// The error follows the tolerance on all nine motions. The chains amplify every error on the way.
#[test]
fn final_states_are_those_of_the_references() {
    for problem in MotionProblem::all() {
        let amplification = match problem.name {
            "pendulum8" => 3e4,
            "pendulum4" => 2e3,
            _ => 1e2,
        };
        for tolerance in [1e-6, 1e-9, 1e-12, 1e-15] {
            let (x, steps) = follow(&problem, tolerance);
            let error = problem.error(&x);
            let allowed = amplification * (tolerance + 1e-14);
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
    Interpreted::new(&field(&state, &[], &[v, -x]).unwrap())
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
    let problem = MotionProblem::named("sleigh").unwrap();
    let mut field = Interpreted::new(&problem.program().unwrap());
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
    let problem = MotionProblem::named("pendulum2").unwrap();
    let mut field = Interpreted::new(&problem.program().unwrap());
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
    let mut blowup = Interpreted::new(&field(&state, &[], &[x.powi(2)]).unwrap());
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
    let mut logarithm = Interpreted::new(&field(&state, &[], &[x.log()]).unwrap());
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

/// Under a drive the method keeps its own steps and gives output wherever it is asked for.
#[test]
fn drives_follow_the_proposed_steps() {
    let mut taylor = Taylor::new(2, Tolerance::both(1e-12));
    let mut x = [1.0, 0.0];
    let mut worst = 0.0f64;
    let mut watch = |t: f64, x: &[f64]| {
        worst = worst.max((x[0] - t.cos()).abs());
        std::ops::ControlFlow::Continue(())
    };
    let summary = Drive::new(0.0, 50.0)
        .output(Output::Spacing(0.1))
        .run(&mut oscillator(), &mut taylor, &mut x, &mut [], &mut watch)
        .unwrap();
    assert!(worst < 1e-11, "{worst:e}");
    assert_eq!(summary.rejected, 0);
    assert!(summary.steps < 40, "{}", summary.steps);
}

/// Four members of an ensemble at once.
struct InterpretedLanes(JetInterpreter<Lanes>);

impl BatchField for InterpretedLanes {
    fn dimension(&self) -> usize {
        self.0.plan().dimension()
    }

    fn assign(&mut self, _: usize, _: usize) {}

    fn rates(&mut self, t: &[f64; LANES], x: &[Block], rates: &mut [Block]) -> u8 {
        let mut jet = vec![[0.0; LANES]; 2 * x.len()];
        let failed = self.jets(t, x, 1, &mut jet);
        rates.copy_from_slice(&jet[x.len()..]);
        failed
    }
}

impl BatchJets for InterpretedLanes {
    fn jets(&mut self, t: &[f64; LANES], x: &[Block], order: usize, jets: &mut [Block]) -> u8 {
        let x: Vec<Lanes> = x.iter().map(|&x| Lanes(x)).collect();
        let mut found = vec![Lanes::default(); jets.len()];
        let result = self.0.jet(Lanes(*t), &x, order, &mut found);
        jets.iter_mut()
            .zip(&found)
            .for_each(|(to, from)| *to = from.0);
        result.map_or_else(|(mask, _)| mask, |()| 0)
    }

    fn may_turn(&self) -> bool {
        self.0.plan().may_turn()
    }
}

/// Starts near that of a problem, spans of different lengths, one member that cannot move.
struct Near {
    problem: MotionProblem,
    members: usize,
    broken: usize,
}

impl Ensemble for Near {
    type Field = InterpretedLanes;

    fn members(&self) -> usize {
        self.members
    }

    fn field(&self) -> InterpretedLanes {
        let plan = TaylorPlan::new(&self.problem.program().unwrap()).unwrap();
        InterpretedLanes(JetInterpreter::new(plan, 40))
    }

    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        for (i, x) in x.iter_mut().enumerate() {
            *x = self.problem.start[i] + 0.01 * ((member * (i + 3)) % 7) as f64;
        }
        if member == self.broken {
            x[0] = 1e200;
        }
        let end = 3.0 + member as f64 % 4.0;
        if member % 3 == 2 {
            Span {
                start: end,
                end: 0.5,
            }
        } else {
            Span { start: 0.0, end }
        }
    }
}

#[test]
fn members_move_as_if_they_were_alone() {
    let ensemble = Near {
        problem: MotionProblem::named("trailers3").unwrap(),
        members: 23,
        broken: usize::MAX,
    };
    let tolerance = Tolerance::both(1e-11);
    let times = [1.0, 2.5];
    let outcomes = |threads: usize| {
        let mut all: Vec<MemberOutcome> = Vec::new();
        let summary = EnsembleRun::new().threads(threads).times(&times).run(
            &ensemble,
            || BatchTaylor::new(8, tolerance),
            |_, outcome| all.push(outcome),
        );
        assert_eq!((summary.finished, summary.failed), (23, 0));
        all
    };
    let together = outcomes(1);
    assert_eq!(
        together,
        outcomes(3),
        "the number of threads must not matter"
    );
    let mut field = Interpreted::new(&ensemble.problem.program().unwrap());
    for (member, outcome) in together.iter().enumerate() {
        let mut taylor = Taylor::new(8, tolerance);
        let mut x = vec![0.0; 8];
        let span = ensemble.start(member, &mut x);
        let done = taylor.propagate(&mut field, span.start, span.end, &mut x);
        assert_eq!(done.unwrap().steps, outcome.steps, "member {member}");
        for (x, y) in x.iter().zip(&outcome.state) {
            assert!((x - y).abs() < 1e-13 * (1.0 + x.abs()), "{member}: {x} {y}");
        }
        for (slot, &time) in times.iter().enumerate() {
            ensemble.start(member, &mut x);
            taylor
                .propagate(&mut field, span.start, time, &mut x)
                .unwrap();
            for (x, y) in x.iter().zip(&outcome.samples[8 * slot..8 * slot + 8]) {
                assert!((x - y).abs() < 1e-9, "member {member} at {time}: {x} {y}");
            }
        }
    }
}

#[test]
fn a_member_that_fails_stops_no_other() {
    let ensemble = Near {
        problem: MotionProblem::named("chaplygin_ball").unwrap(),
        members: 9,
        broken: 4,
    };
    let mut failed = Vec::new();
    let summary = EnsembleRun::new().threads(1).run(
        &ensemble,
        || BatchTaylor::new(6, Tolerance::both(1e-9)),
        |member, outcome| {
            if outcome.error.is_some() {
                failed.push(member);
            }
        },
    );
    assert_eq!((summary.finished, failed), (9, vec![4]));
}

/// v' = −1 − |v| v with |v| = √(v²): v = tan(atan v₀ − t) until the top, −tanh of the time from there on.
fn thrown() -> Program {
    let v = Symbol::variable("v");
    let e = Expr::from(&v);
    let size = e.powi(2).sqrt();
    field(std::slice::from_ref(&v), &[], &[-1 - size * &e]).unwrap()
}

#[test]
fn roots_that_pass_zero_are_not_stepped_over() {
    for (start, top) in [(2.0, 2f64.atan()), (0.0, 0.0)] {
        let mut field = Interpreted::new(&thrown());
        let mut taylor = Taylor::new(1, Tolerance::both(1e-10));
        let mut x = [start];
        let drive = Drive::new(0.0, 2.0).output(Output::Ends);
        let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
        drive
            .run(&mut field, &mut taylor, &mut x, &mut [], &mut blind)
            .unwrap();
        let exact = -(2.0 - top).tanh();
        assert!((x[0] - exact).abs() < 1e-8, "{start}: {} {exact}", x[0]);
    }
}

/// Some of them start at the top, where there is no series; one has no rates where it starts.
struct Thrown;

impl Thrown {
    const END: f64 = 3.0;
    const BROKEN: usize = 7;
}

impl Ensemble for Thrown {
    type Field = InterpretedLanes;

    fn members(&self) -> usize {
        11
    }

    fn field(&self) -> InterpretedLanes {
        let plan = TaylorPlan::new(&thrown()).unwrap();
        InterpretedLanes(JetInterpreter::new(plan, 40))
    }

    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        x[0] = match member {
            Self::BROKEN => 1e200,
            _ => 0.3 * (member % 4) as f64,
        };
        Span {
            start: 0.0,
            end: Self::END,
        }
    }
}

#[test]
fn members_pass_zero_too_and_start_there() {
    let tolerance = Tolerance::both(1e-10);
    let times = [1e-3, 0.5, 2.0];
    let outcomes = |threads: usize| {
        let mut all: Vec<MemberOutcome> = Vec::new();
        let run = EnsembleRun::new().threads(threads).times(&times);
        let stepper = || BatchTaylor::new(1, tolerance);
        let summary = run.run(&Thrown, stepper, |_, outcome| all.push(outcome));
        assert_eq!((summary.finished, summary.failed), (11, 1));
        all
    };
    let all = outcomes(1);
    let bits = |all: &[MemberOutcome]| format!("{all:?}");
    assert_eq!(bits(&all), bits(&outcomes(3)), "threads must not matter");
    assert_eq!(all[Thrown::BROKEN].error, Some(MemberError::Fault));
    for (member, outcome) in all.iter().enumerate() {
        if member == Thrown::BROKEN {
            continue;
        }
        let mut start = [0.0];
        Thrown.start(member, &mut start);
        let top = start[0].atan();
        let exact = |t: f64| match t < top {
            true => (top - t).tan(),
            false => -(t - top).tanh(),
        };
        let found = times.iter().zip(&outcome.samples);
        for (t, v) in found.chain([(&Thrown::END, &outcome.state[0])]) {
            assert!((v - exact(*t)).abs() < 1e-8, "{member} at {t}: {v}");
        }
        let mut taylor = Taylor::new(1, tolerance);
        let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
        let alone = Drive::new(0.0, Thrown::END).output(Output::Ends).run(
            &mut Interpreted::new(&thrown()),
            &mut taylor,
            &mut start,
            &mut [],
            &mut blind,
        );
        let steps = alone.unwrap().steps.abs_diff(outcome.steps);
        assert!(
            steps <= 5,
            "{member}: {} steps, {steps} apart",
            outcome.steps
        );
        assert!((start[0] - outcome.state[0]).abs() < 1e-9, "{member}");
    }
}

/// x' = 1/(1 + t³) from 0: two coefficients out of three vanish, at every order some last two.
#[test]
fn coefficients_that_vanish_by_chance_are_not_trusted() {
    let x = Symbol::variable("x");
    let rate = (1 + Expr::from(&Symbol::time()).powi(3)).recip();
    let program = field(std::slice::from_ref(&x), &[], &[rate]).unwrap();
    // ∫₀² dt/(1 + t³)
    let exact = 3f64.ln() / 6.0 + (3f64.sqrt().atan() + (1.0 / 3f64.sqrt()).atan()) / 3f64.sqrt();
    for order in 12..18 {
        let mut field = Interpreted::new(&program);
        let policy = StepPolicy::with_order(Tolerance::both(1e-10), order);
        let mut taylor = Taylor::with_policy(1, policy);
        let mut x = [0.0];
        let drive = Drive::new(0.0, 2.0).output(Output::Ends);
        let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
        drive
            .run(&mut field, &mut taylor, &mut x, &mut [], &mut blind)
            .unwrap();
        assert!((x[0] - exact).abs() < 1e-8, "{order}: {} {exact}", x[0]);
    }
}

/// x' = exp(−(n (t − 5))²): nothing of the pulse shows in the coefficients far from it.
fn pulse(n: i64) -> Program {
    let x = Symbol::variable("x");
    let after = n * (Expr::from(&Symbol::time()) - 5);
    field(std::slice::from_ref(&x), &[], &[(-after.powi(2)).exp()]).unwrap()
}

#[test]
fn pulses_are_not_stepped_over() {
    let area = std::f64::consts::PI.sqrt();
    for (n, output) in [
        (1, Output::Ends),
        (2, Output::Ends),
        (10, Output::Ends),
        (50, Output::Ends),
        (500, Output::Spacing(0.01)),
    ] {
        let mut field = Interpreted::new(&pulse(n));
        let tolerance = Tolerance::both(1e-10);
        // The stages of DOP853 are farther apart than the witnesses of a series.
        let count = if n <= 10 { 2 } else { 1 };
        let steppers: [Box<dyn Stepper<Interpreted>>; 2] = [
            Box::new(Taylor::new(1, tolerance)),
            Box::new(Dop853::new(1, tolerance)),
        ];
        for mut stepper in steppers.into_iter().take(count) {
            let mut x = [0.0];
            let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
            Drive::new(0.0, 20.0)
                .output(output)
                .run(&mut field, &mut *stepper, &mut x, &mut [], &mut blind)
                .unwrap();
            assert!((x[0] - area / n as f64).abs() < 1e-8, "{n}: {}", x[0]);
        }
    }
}

/// Members that meet the same pulse.
struct Pulses(i64);

impl Ensemble for Pulses {
    type Field = InterpretedLanes;

    fn members(&self) -> usize {
        5
    }

    fn field(&self) -> InterpretedLanes {
        let plan = TaylorPlan::new(&pulse(self.0)).unwrap();
        InterpretedLanes(JetInterpreter::new(plan, 40))
    }

    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        x[0] = member as f64;
        Span {
            start: 0.0,
            end: 20.0,
        }
    }
}

#[test]
fn members_do_not_step_over_pulses() {
    let area = std::f64::consts::PI.sqrt();
    let wide = f64::INFINITY;
    for (n, spacing) in [(1, wide), (2, wide), (10, wide), (50, wide), (500, 0.01)] {
        let stepper = || BatchTaylor::new(1, Tolerance::both(1e-10)).spacing(spacing);
        let run = EnsembleRun::new().threads(1);
        run.run(&Pulses(n), stepper, |member, outcome| {
            let moved = outcome.state[0] - member as f64;
            assert!((moved - area / n as f64).abs() < 1e-8, "{n}: {moved}");
        });
    }
}

/// A state without a series, whichever of its components has none: x' = √x from 0 beside x' = 1.
#[test]
fn a_component_without_a_series_is_seen_beside_others() {
    let symbols = ["x", "y"].map(Symbol::variable);
    let root = Expr::from(&symbols[0]).sqrt() + 1;
    for rates in [[root.clone(), Expr::one()], [root, Expr::zero()]] {
        let program = field(&symbols, &[], &rates).unwrap();
        let mut x = [0.0, 0.0];
        let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
        Drive::new(0.0, 1.0)
            .output(Output::Ends)
            .run(
                &mut Interpreted::new(&program),
                &mut Taylor::new(2, Tolerance::both(1e-9)),
                &mut x,
                &mut [],
                &mut blind,
            )
            .unwrap();
        // t = 2 (√x − log(1 + √x))
        let root = x[0].sqrt();
        let time = 2.0 * (root - (1.0 + root).ln());
        assert!((time - 1.0).abs() < 1e-6, "{x:?}");
    }
}
