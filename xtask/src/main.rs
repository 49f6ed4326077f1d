//! `cargo xtask CHORE`: tests, documentation and comparisons in one command each.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{
    ChoreError, book, conserved, crosscheck, docs, emulate, gallery, model_times, peers, suite,
};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of the project")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install what the tests need and run all of them
    Test,
    /// Paste what the program prints into the examples of README.md and docs/
    Docs {
        /// Only compare
        #[arg(long)]
        check: bool,
    },
    /// Draw the figures of the pages by the commands that stand beside them
    Gallery,
    /// Build the pages as a book with mdBook, installed under target/ where there is none
    Book,
    /// Compare derived equations with SymPy
    Crosscheck,
    /// Test machine code and the program on emulated processors: an aarch64, and an x86-64 without AVX2
    Emulate,
    /// Measure what each method keeps on nonholonomic models, and write docs/what-methods-keep.md
    Conserved {
        /// So many steps for energy and constraints
        #[arg(long, default_value_t = 1_000_000)]
        steps: u32,
        /// Measure those rows again that end on the way, and leave the others as they are
        #[arg(long)]
        only_ends: bool,
    },
    /// Measure `rattleback derive` on every shipped model
    Models,
    /// Measure ourselves beside the rivals and write docs/benchmarks.md
    Peers {
        /// Runs of each measurement; the fastest counts
        #[arg(long, default_value_t = 5)]
        runs: usize,
        /// Measure only these sections (drawn, derivation, models, analyze, rates, compile, trajectories,
        /// ensembles, memory, steps, energies, linearize, control; motion is rates to memory) and keep the others
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
        /// Leave out what rivals compile for minutes
        #[arg(long)]
        hasty: bool,
        /// Draw so many systems at random and measure only these, unless `--only` names more
        #[arg(long)]
        random: Option<usize>,
        /// What they are drawn from
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Keep energies over so many periods
        #[arg(long, default_value_t = 1e5)]
        periods: f64,
        /// Take so many steps at most for that
        #[arg(long, default_value_t = 1e8)]
        most_steps: f64,
        /// Print the page instead of writing it
        #[arg(long)]
        dry: bool,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Test => Ok(suite::run()),
        Chore::Docs { check } => docs::examples(check).map(|n| said(format!("{n} examples"))),
        Chore::Gallery => gallery::draw().map(|n| said(format!("{n} figures"))),
        Chore::Book => book::build().map(said),
        Chore::Crosscheck => crosscheck::sympy().map(|n| said(format!("{n} states compared"))),
        Chore::Emulate => emulate::processors().map(|n| said(format!("{n} passed"))),
        Chore::Conserved { steps, only_ends } => conserved::table(steps, only_ends).map(said),
        Chore::Models => model_times::table(5).map(said),
        Chore::Peers {
            runs,
            only,
            hasty,
            random,
            seed,
            periods,
            most_steps,
            dry,
        } => peers::compare(&peers::Request {
            runs,
            only: match random {
                Some(_) if only.is_empty() => vec!["drawn".into()],
                _ => only,
            },
            patient: !hasty,
            drawn: (random.unwrap_or(27), seed),
            long: (periods, most_steps),
            dry,
        })
        .map(said),
    };
    finish(done)
}

fn said(what: String) -> bool {
    println!("{what}");
    true
}

fn finish(done: Result<bool, ChoreError>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}
