//! Works out Taylor coefficients again and again, to count instructions and time:
//! `valgrind --tool=callgrind target/debug/examples/jets MOTION ORDER best|cranelift|interpreter COUNT`.

#[allow(dead_code)]
#[path = "../../../benches/src/motion.rs"]
mod motion;

use motion::MotionProblem;
use rattleback_compile::taylor::{JetInterpreter, TaylorPlan};
use rattleback_native::taylor::TaylorKernel;
use rattleback_native::{Backend, Lanes};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, order, engine, count] = arguments.as_slice() else {
        return Err("MOTION ORDER best|cranelift|interpreter COUNT".into());
    };
    let problem = MotionProblem::named(name).ok_or("no such motion")?;
    let (order, count): (usize, usize) = (order.parse()?, count.parse()?);
    let plan = TaylorPlan::new(&problem.program()?)?;
    let mut x = problem.start.clone();
    x.resize(plan.dimension(), 0.1);
    let mut jet = vec![0.0; x.len() * (order + 1)];
    let backend = match engine.as_str() {
        "best" => Some(Backend::Best),
        "cranelift" => Some(Backend::Cranelift),
        _ => None,
    };
    let begun = Instant::now();
    let compiled = backend.map(|b| TaylorKernel::compile(&plan, order, Lanes::One, b));
    let compile = begun.elapsed();
    let begun = Instant::now();
    if let Some(kernel) = compiled.transpose()? {
        let mut memory = kernel.workspace();
        for _ in 0..count {
            kernel.jet(&mut memory, &[0.0], &x, &mut jet);
        }
    } else {
        let mut interpreter = JetInterpreter::<f64>::new(plan, order);
        for _ in 0..count {
            let _ = interpreter.jet(0.0, &x, order, &mut jet);
        }
    }
    println!(
        "{name} order {order} {engine}: compile {:.2} ms, {:.3} us each",
        compile.as_secs_f64() * 1e3,
        begun.elapsed().as_secs_f64() * 1e6 / count as f64
    );
    Ok(())
}
