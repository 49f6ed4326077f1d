//! Follows ten thousand motions with one method at several tolerances; prints one line of JSON.
//!
//! usage: `follow-many PROBLEM METHOD FOLDER`, METHOD taylor or dop853; FOLDER has the starts and the
//! ends of the members as 64-bit numbers in PROBLEM.start and PROBLEM.end.

use rattleback_bench::clock::processor_seconds;
use rattleback_bench::command;
use rattleback_bench::crowd::Crowd;
use rattleback_bench::motion::{MotionProblem, largest_error};
use rattleback_integrate::taylor::BatchTaylor;
use rattleback_integrate::{BatchDop853, Ensemble, EnsembleRun, MemberOutcome, Tolerance};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

const UNTIL: f64 = 10.0;
const TOLERANCES: [f64; 6] = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11];
/// At which one thread and two are compared.
const MIDDLE: f64 = 1e-9;
const REPETITIONS: usize = 3;
/// How often both are measured.
const TURNS: usize = 10;

fn main() -> ExitCode {
    command::run(measure)
}

fn measure(arguments: &[String]) -> Result<Value, Box<dyn Error>> {
    let [name, method, folder] = arguments else {
        return Err("usage: follow-many PROBLEM taylor|dop853 FOLDER".into());
    };
    let problem = MotionProblem::named(name).ok_or("no such problem")?;
    let numbers = |what: &str| numbers(&Path::new(folder).join(format!("{name}.{what}")));
    let (starts, ends) = (numbers("start")?, numbers("end")?);
    let is_taylor = method == "taylor";
    let crowd = |tolerance| {
        Crowd::new(
            &problem,
            is_taylor,
            Tolerance::both(tolerance),
            starts.clone(),
            UNTIL,
        )
    };
    let mut points = Vec::new();
    for tolerance in TOLERANCES {
        let crowd = crowd(tolerance)?;
        let (mut seconds, mut found) = (f64::INFINITY, Vec::new());
        for _ in 0..REPETITIONS {
            let begun = processor_seconds();
            found = follow(&crowd, tolerance, 1);
            seconds = seconds.min(processor_seconds() - begun);
        }
        points.push(json!([tolerance, largest_error(&found, &ends), seconds]));
    }
    let crowd = crowd(MIDDLE)?;
    // In turns, so that what else happens on the machine meets both.
    let mut best = [Cost::WORST; 2];
    for _ in 0..TURNS {
        for (best, threads) in best.iter_mut().zip([1, 2]) {
            *best = best.least(Cost::of(|| follow(&crowd, MIDDLE, threads)));
        }
    }
    let [one, two] = best;
    Ok(json!({
        "points": points,
        "wall_one_s": one.wall,
        "wall_two_s": two.wall,
        "processor_one_s": one.processor,
        "processor_two_s": two.processor,
    }))
}

/// What a run takes.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    /// Of all threads together.
    processor: f64,
}

impl Cost {
    const WORST: Cost = Cost {
        wall: f64::INFINITY,
        processor: f64::INFINITY,
    };

    fn of<T>(work: impl FnOnce() -> T) -> Cost {
        let (begun, processor) = (Instant::now(), processor_seconds());
        std::hint::black_box(work());
        Cost {
            wall: begun.elapsed().as_secs_f64(),
            processor: processor_seconds() - processor,
        }
    }

    fn least(self, other: Cost) -> Cost {
        Cost {
            wall: self.wall.min(other.wall),
            processor: self.processor.min(other.processor),
        }
    }
}

/// The states of all members at the end, one after the other.
fn follow(crowd: &Crowd, tolerance: f64, threads: usize) -> Vec<f64> {
    let n = rattleback_integrate::BatchField::dimension(&crowd.field());
    let mut ends = Vec::with_capacity(crowd.members() * n);
    let run = EnsembleRun::new().threads(threads);
    let sink = |_: usize, outcome: MemberOutcome| ends.extend_from_slice(&outcome.state);
    match crowd.policy() {
        Some(policy) => run.run(crowd, || BatchTaylor::with_policy(n, policy), sink),
        None => run.run(
            crowd,
            || BatchDop853::new(n, Tolerance::both(tolerance)),
            sink,
        ),
    };
    ends
}

fn numbers(path: &Path) -> std::io::Result<Vec<f64>> {
    let bytes = std::fs::read(path)?;
    let chunks = bytes.as_chunks().0;
    Ok(chunks.iter().map(|b| f64::from_le_bytes(*b)).collect())
}
