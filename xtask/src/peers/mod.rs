//! The comparison with rivals: the same problems in one run, written up as ratios.

mod analyses;
mod compile;
mod control;
mod derivation;
mod drawn;
mod energies;
mod ensembles;
mod linearize;
mod memory;
mod ours;
mod page;
mod precision;
mod rates;
mod rival;
mod steps;
mod table;
mod trajectories;

use crate::{ChoreError, model_times, root};
use rival::Programs;
use std::fs;

/// What to measure.
pub struct Request {
    /// Runs of each measurement; the fastest counts.
    pub runs: usize,
    /// The sections to measure anew; none means all.
    pub only: Vec<String>,
    /// Wait for rivals that compile for minutes.
    pub patient: bool,
    /// How many systems are drawn at random, and from which seed.
    pub drawn: (usize, u64),
    /// Over how many periods energies are kept, and how many steps a run takes at most.
    pub long: (f64, f64),
    /// Return the page instead of writing it.
    pub dry: bool,
}

/// Measures and writes `docs/benchmarks.md`, section by section: what is measured stays even if a
/// later section fails.
pub fn compare(request: &Request) -> Result<String, ChoreError> {
    let wanted = page::wanted(&request.only).map_err(ChoreError::Unexpected)?;
    let path = root().join("docs/benchmarks.md");
    let mut page = fs::read_to_string(&path).unwrap_or_default();
    let beside = wanted.iter().any(|name| page::has_rivals(name));
    let programs = beside.then(Programs::new).transpose()?;
    for name in wanted {
        let programs = programs.as_ref().filter(|_| page::has_rivals(name));
        let mut keep = |section: &str| {
            page = page::render(&[(name, section.into())], &page);
            match request.dry {
                true => Ok(()),
                false => fs::write(&path, &page).map_err(ChoreError::file(&path)),
            }
        };
        let section = measure(name, programs, request, &mut keep)?;
        keep(&section)?;
    }
    Ok(if request.dry {
        page
    } else {
        format!("wrote {}", path.display())
    })
}

fn measure(
    name: &str,
    programs: Option<&Programs>,
    request: &Request,
    keep: &mut dyn FnMut(&str) -> Result<(), ChoreError>,
) -> Result<String, ChoreError> {
    let runs = request.runs;
    let text = match (name, programs) {
        ("drawn", _) => return drawn::section(request.drawn.0, request.drawn.1, keep),
        ("derivation", _) => derivation::section(runs)?,
        ("models", _) => model_times::markdown(&model_times::measure(runs)?),
        ("analyze", _) => analyses::section(runs)?,
        ("steps", _) => steps::section(runs)?,
        ("energies", _) => return energies::section(request.long.0, request.long.1),
        ("rates", Some(programs)) => rates::section(programs, runs)?,
        ("compile", Some(programs)) => compile::section(programs, runs, request.patient)?,
        ("trajectories", Some(programs)) => trajectories::section(programs, runs, request.patient)?,
        ("ensembles", Some(programs)) => ensembles::section(programs, runs)?,
        ("memory", Some(programs)) => memory::section(programs)?,
        ("linearize", Some(programs)) => linearize::section(programs, runs)?,
        ("control", Some(programs)) => control::section(programs, runs)?,
        _ => return Err(ChoreError::Unexpected(format!("no section `{name}`"))),
    };
    let versions = match programs {
        // Memory is only ours.
        Some(_) if name == "memory" => String::new(),
        Some(_) if name == "linearize" => rival::linearizers(),
        Some(_) if name == "control" => rival::casadi(),
        Some(programs) => programs.versions()?,
        _ => String::new(),
    };
    Ok(format!("{}{versions}\n{text}", measured_by(runs)))
}

/// How often, which may differ from section to section.
fn measured_by(runs: usize) -> String {
    match runs {
        0 | 1 => "One run.\n".into(),
        _ => format!("The fastest of {runs} runs.\n"),
    }
}
