//! Time, steps and error of the Taylor method in machine code on nine motions:
//! `cargo run --release -p rattleback-native --example taylor [cranelift] [motion] [orders]`.

#[allow(dead_code)]
#[path = "../../../benches/src/motion.rs"]
mod motion;

use motion::MotionProblem;
use rattleback_compile::taylor::TaylorPlan;
use rattleback_integrate::taylor::{StepPolicy, Taylor};
use rattleback_integrate::{Fault, Jets, Tolerance, VectorField};
use rattleback_native::taylor::{TaylorKernel, TaylorWorkspace};
use rattleback_native::{Backend, Lanes};

struct Native {
    kernel: TaylorKernel,
    memory: TaylorWorkspace,
}

impl VectorField for Native {
    fn dimension(&self) -> usize {
        self.kernel.dimension()
    }

    fn rates(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}

impl Jets for Native {
    fn jet(&mut self, t: f64, x: &[f64], _: usize, jet: &mut [f64]) -> Result<(), Fault> {
        match self.kernel.jet(&mut self.memory, &[t], x, jet) {
            0 => Ok(()),
            _ => Err(Fault::Singular),
        }
    }
}

/// Processor time of this program in microseconds.
fn clock() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 * 1e6 + now.tv_nsec as f64 * 1e-3
}

/// The least time of a run in microseconds, over several rounds.
fn least(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let start = clock();
        let mut count = 0;
        while clock() - start < 5e3 {
            (0..10).for_each(|_| run());
            count += 10;
        }
        best = best.min((clock() - start) / f64::from(count));
    }
    best
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let backend = if arguments.first().is_some_and(|a| a == "cranelift") {
        arguments.remove(0);
        Backend::Cranelift
    } else {
        Backend::Best
    };
    let orders: Vec<usize> = arguments
        .iter()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    for problem in MotionProblem::all() {
        let wanted = |name: &String| *name == problem.name || name == "all";
        if !arguments.first().is_none_or(wanted) {
            continue;
        }
        let plan = TaylorPlan::new(&problem.program().unwrap()).expect("explicit equations");
        for tolerance in [1e-4, 1e-6, 1e-9, 1e-12, 2.3e-16] {
            let tolerance = Tolerance::both(tolerance);
            let mut policies = vec![StepPolicy::new(tolerance)];
            policies.extend(orders.iter().map(|&p| StepPolicy::with_order(tolerance, p)));
            for policy in policies {
                let started = clock();
                let kernel = TaylorKernel::compile(&plan, policy.order(), Lanes::One, backend);
                let kernel = kernel.expect("this processor");
                let compile = clock() - started;
                let memory = kernel.workspace();
                let instructions = kernel.instructions();
                let mut field = Native { kernel, memory };
                let mut taylor = Taylor::with_policy(problem.start.len(), policy);
                let mut x = problem.start.clone();
                let mut steps = 0;
                let mut coefficients = vec![0.0; x.len() * (policy.order() + 1)];
                let jet = least(|| {
                    let _ = field.jet(0.0, &problem.start, 0, &mut coefficients);
                });
                let time = least(|| {
                    x.copy_from_slice(&problem.start);
                    let done = taylor.propagate(&mut field, 0.0, problem.until, &mut x);
                    steps = done.expect("a motion without singularities").steps;
                });
                println!(
                    "{:15} tol {:7.1e} order {:2} compile {:7.0} us ({:6} instr) jet {:8.3} us \
                     steps {:5} time {:9.1} us error {:8.1e}",
                    problem.name,
                    tolerance.relative,
                    policy.order(),
                    compile,
                    instructions,
                    jet,
                    steps,
                    time,
                    problem.error(&x)
                );
            }
        }
    }
}
