//! Time of an ensemble of 10,000 motions by the Taylor method, four to a register, on one thread:
//! `cargo run --release -p rattleback-native --example taylor_ensemble [motion]`.

#[allow(dead_code)]
#[path = "../../../benches/src/motion.rs"]
mod motion;

use motion::MotionProblem;
use rattleback_compile::taylor::TaylorPlan;
use rattleback_integrate::taylor::{BatchJets, BatchTaylor, StepPolicy};
use rattleback_integrate::{BatchField, Block, Ensemble, EnsembleRun, LANES, Span, Tolerance};
use rattleback_native::Lanes;
use rattleback_native::taylor::{TaylorFunction, TaylorMemory};

const MEMBERS: usize = 10_000;

/// Processor time of this program in seconds.
fn clock() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

struct Field<'a> {
    function: &'a TaylorFunction,
    memory: TaylorMemory,
}

impl BatchField for Field<'_> {
    fn dimension(&self) -> usize {
        self.function.dimension()
    }

    fn assign(&mut self, _: usize, _: usize) {}

    fn rates(&mut self, _: &[f64; LANES], _: &[Block], _: &mut [Block]) -> u8 {
        0b1111
    }
}

impl BatchJets for Field<'_> {
    fn jets(&mut self, t: &[f64; LANES], x: &[Block], _: usize, jets: &mut [Block]) -> u8 {
        let (x, jets) = (x.as_flattened(), jets.as_flattened_mut());
        let result = self.function.jet(&mut self.memory, t, x, jets);
        result.map_or_else(|(mask, _)| mask, |()| 0)
    }
}

/// Starts scattered around that of a problem.
struct Scattered<'a> {
    problem: &'a MotionProblem,
    function: &'a TaylorFunction,
}

/// Numbers in [−1, 1] that look random.
fn scatter(seed: usize) -> f64 {
    let mut z = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

impl<'a> Ensemble for Scattered<'a> {
    type Field = Field<'a>;

    fn members(&self) -> usize {
        MEMBERS
    }

    fn field(&self) -> Field<'a> {
        Field {
            function: self.function,
            memory: self.function.memory(),
        }
    }

    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        for (i, (x, start)) in x.iter_mut().zip(&self.problem.start).enumerate() {
            let seed = 2 * (member * 32 + i) + 1;
            *x = start * (1.0 + 0.1 * scatter(seed)) + 0.02 * scatter(seed + 1);
        }
        Span {
            start: 0.0,
            end: 10.0,
        }
    }
}

fn follow(problem: &MotionProblem, tolerance: f64) -> (usize, f64, u64, Vec<f64>) {
    let plan = TaylorPlan::new(&problem.program().unwrap()).expect("explicit equations");
    let policy = StepPolicy::new(Tolerance::both(tolerance));
    let function = TaylorFunction::new(plan, policy.order(), Lanes::Four);
    let ensemble = Scattered {
        problem,
        function: &function,
    };
    let mut ends = Vec::new();
    let started = clock();
    let summary = EnsembleRun::new().threads(1).run(
        &ensemble,
        || BatchTaylor::with_policy(problem.start.len(), policy),
        |_, outcome| ends.extend_from_slice(&outcome.state),
    );
    (policy.order(), clock() - started, summary.steps, ends)
}

fn main() {
    let wanted = std::env::args().nth(1);
    for problem in MotionProblem::all() {
        if wanted.as_ref().is_some_and(|name| name != problem.name) {
            continue;
        }
        let (_, _, _, exact) = follow(&problem, 1e-17);
        for tolerance in [1e-6, 1e-8, 1e-10, 2.3e-16] {
            let (order, time, steps, ends) = follow(&problem, tolerance);
            let errors = ends.iter().zip(&exact);
            let errors = errors.map(|(x, e)| (x - e).abs() / (1.0 + e.abs()));
            println!(
                "{:15} tol {tolerance:7.1e} order {order:2} {:7.2} us per motion, {:6.1} steps, \
                 largest error {:8.1e}",
                problem.name,
                time * 1e6 / MEMBERS as f64,
                steps as f64 / MEMBERS as f64,
                errors.fold(0.0, f64::max)
            );
        }
    }
}
