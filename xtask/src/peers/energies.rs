//! What it costs to keep the energy over long times: variational methods beside others at the same largest error.

use super::table::{DASH, markdown, significant};
use crate::{ChoreError, build, process, root};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest errors of the energy that are asked for.
const TARGETS: [f64; 3] = [1e-3, 1e-6, 1e-9];
/// Steps are shortened by this factor from one trial to the next.
const SHORTER: f64 = std::f64::consts::SQRT_2;
/// Steps per period of the first trial, and so many that every method which fits can take them.
const FIRST: f64 = 4.0;
const FITTING: f64 = 128.0;
/// The shortest steps, and the tightest tolerance, that are tried.
const MOST_PER_PERIOD: f64 = 2e6;
const TIGHTEST: f64 = 1e-15;
/// A trial is short: over this part of the periods, but some at least.
const TRIAL: f64 = 1e-3;
const FEWEST: f64 = 20.0;

/// A pendulum, and one of two links, from rest.
const PENDULUM: &str =
    "system pendulum\ncoord th : angle\nkinetic th'^2/2\npotential -cos(th)\nstart th = 1\n";
const LINKS: &str = "system links\ncoord a, b : angle\nkinetic a'^2 + b'^2/2 + cos(a - b)*a'*b'\n\
                     potential -2*cos(a) - cos(b)\nstart a = 0.5, b = 0.5\n";

/// A motion with the time that counts as its period.
struct Motion {
    name: &'static str,
    /// Its text, or none for a shipped model.
    text: Option<&'static str>,
    period: f64,
    /// Options of variational methods.
    options: &'static [&'static str],
}

const MOTIONS: [Motion; 5] = [
    Motion {
        name: "pendulum",
        text: Some(PENDULUM),
        period: 6.7,
        options: &[],
    },
    Motion {
        name: "double pendulum",
        text: Some(LINKS),
        period: 8.2,
        options: &[],
    },
    // The turns of the bodies, and of the wheels against the board.
    Motion {
        name: "heavy_top",
        text: None,
        period: 1.57,
        options: &[],
    },
    Motion {
        name: "chaplygin_ball",
        text: None,
        period: 5.4,
        options: &[],
    },
    Motion {
        name: "snakeboard",
        text: None,
        period: 10.5,
        options: &["--form", "hamel"],
    },
];

/// The methods; the last has a tolerance instead of a step.
const METHODS: [&str; 7] = [
    "variational-trapezoid",
    "variational-midpoint",
    "variational-gauss4",
    "variational-gauss6",
    "gauss4",
    "yoshida6",
    "taylor",
];

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    error: f64,
    steps: f64,
    evaluations: f64,
    seconds: f64,
}

/// Measures and writes the section over so many periods, with so many steps of a run at most.
pub fn section(periods: f64, most_steps: f64) -> Result<String, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let mut text = format!(
        "Over {periods:e} periods, or as many as {most_steps:e} steps make where these are fewer (`periods` says how many). \
         Numbers are per period.\n"
    );
    for motion in &MOTIONS {
        eprintln!("energies: {}", motion.name);
        let place = Place {
            binary: &binary,
            model: motion.file()?,
            motion,
        };
        text += &format!(
            "\n### {} (a period is {} s)\n\n",
            motion.name, motion.period
        );
        text += &place.table(periods, most_steps);
    }
    Ok(text)
}

impl Motion {
    /// The model as a file.
    fn file(&self) -> Result<PathBuf, ChoreError> {
        let Some(text) = self.text else {
            return Ok(root().join("models").join(format!("{}.mech", self.name)));
        };
        let path = root()
            .join("target")
            .join(format!("energies-{}.mech", self.name.replace(' ', "_")));
        fs::write(&path, text).map_err(ChoreError::file(&path))?;
        Ok(path)
    }
}

/// What is run, and on what.
struct Place<'a> {
    binary: &'a Path,
    model: PathBuf,
    motion: &'a Motion,
}

impl Place<'_> {
    fn table(&self, periods: f64, most_steps: f64) -> String {
        let mut rows = Vec::new();
        // A method that does not fit has no rows.
        let fits = |method: &&str| self.trial(method, FITTING, FEWEST).is_some();
        for method in METHODS.into_iter().filter(fits) {
            for target in TARGETS {
                let found = self.matched(method, target, periods, most_steps);
                let Some((run, followed)) = found else {
                    let dashes = std::iter::repeat_n(DASH.to_owned(), 4);
                    rows.push(
                        [vec![method.into(), format!("{target:e}")], dashes.collect()].concat(),
                    );
                    continue;
                };
                rows.push(vec![
                    method.into(),
                    format!("{target:e}"),
                    significant(run.steps / followed),
                    significant(run.evaluations / followed),
                    significant(1e6 * run.seconds / followed),
                    format!("{followed:.0}"),
                ]);
            }
        }
        let head = [
            "method",
            "energy error",
            "steps",
            "evaluations",
            "µs",
            "periods",
        ];
        markdown(&head, &rows)
    }

    /// The longest steps, or the loosest tolerance, that keep to an error: found in short trials, then held against the
    /// whole time and shortened until they do.
    fn matched(
        &self,
        method: &str,
        target: f64,
        periods: f64,
        most_steps: f64,
    ) -> Option<(Run, f64)> {
        let short = (TRIAL * periods).max(FEWEST);
        let mut fineness = FIRST;
        loop {
            let trial = self.trial(method, fineness, short);
            let per_period = trial.map_or(fineness, |run| run.steps / short);
            if trial.is_some_and(|run| run.error <= target) {
                let followed = periods.min((most_steps / per_period).floor()).max(short);
                let long = self.trial(method, fineness, followed);
                if let Some(run) = long.filter(|run| run.error <= target) {
                    return Some((run, followed));
                }
            }
            fineness *= SHORTER;
            if fineness > MOST_PER_PERIOD || per_period * short > most_steps {
                return None;
            }
        }
    }

    /// A run with steps of a part of a period, or with the tolerance that stands for it.
    fn trial(&self, method: &str, fineness: f64, periods: f64) -> Option<Run> {
        let period = self.motion.period;
        let until = (periods * period).to_string();
        let (step, tolerance) = (period / fineness, tolerance(fineness));
        if method == "taylor" && tolerance < TIGHTEST {
            return None;
        }
        let (step, tolerance) = (step.to_string(), tolerance.to_string());
        let model = self.model.to_string_lossy();
        let mut words = vec![
            "simulate", &*model, "--json", "--method", method, "--until", &until,
        ];
        match method {
            "taylor" => {
                words.extend(["--rtol", &tolerance, "--atol", &tolerance, "--step", &until])
            }
            _ => words.extend(["--step", &step]),
        }
        if method.starts_with("variational") {
            words.extend(self.motion.options);
        }
        let output = process::output(&mut process::command(
            &self.binary.to_string_lossy(),
            &words,
        ))
        .ok()?;
        let found: Value = serde_json::from_slice(&output.stdout).ok()?;
        let number = |key: &str| found[key].as_f64();
        Some(Run {
            error: number("max_energy_error").filter(|_| output.status.success())?,
            steps: number("steps")?,
            evaluations: number("rhs_evaluations")?,
            seconds: number("wall_seconds")?,
        })
    }
}

/// The tolerance that stands for a number of steps per period, of order 4.
fn tolerance(fineness: f64) -> f64 {
    0.1 * (FIRST / fineness).powi(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_go_from_loose_to_tight() {
        assert_eq!(tolerance(FIRST), 0.1);
        assert!(tolerance(MOST_PER_PERIOD) < TIGHTEST);
    }

    #[test]
    fn models_of_the_table_are_there() {
        for motion in &MOTIONS {
            assert!(motion.file().unwrap().is_file(), "{}", motion.name);
        }
    }
}
