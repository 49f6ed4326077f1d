//! `rattleback control`: the solution of a problem with ends.

use crate::arguments::ControlArguments;
use crate::destination;
use crate::failure::Failure;
use crate::interrupt;
use crate::page;
use crate::progress::Progress;
use crate::reading;
use crate::recording::{Recording, told};
use rattleback::control::optimal::{Feedback, Status};
use rattleback::control::stage::Watch;
use rattleback::mechanics::optimality::Flatness;
use rattleback::report::TableReader;
use rattleback::session::{Controlled, FlatRoute};
use rattleback::{Error, Model, control_page};
use std::sync::atomic::{AtomicBool, Ordering};

/// Solves, writes the path and the page. After a failure the best iterate is written all the same.
pub fn run(arguments: &ControlArguments) -> Result<(), Failure> {
    let results = [arguments.output.as_deref(), arguments.plot.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    let model = reading::read(&arguments.model)?;
    let mut request = model
        .control()
        .scheme(arguments.scheme)
        .route(arguments.route.into())
        .ends(arguments.ends.into())
        .retraction(arguments.retraction.into())
        .tolerance(arguments.tol)
        .starts(arguments.starts);
    if let Some(nodes) = arguments.nodes {
        request = request.nodes(nodes);
    }
    if let Some(path) = &arguments.guess {
        let columns = TableReader::open(path).and_then(|mut table| table.columns());
        request = request.guess(&columns.map_err(told)?)?;
    }
    let stop = interrupt::keep();
    let watch = Watching {
        stop,
        progress: Progress::count("iterating", 200),
    };
    let flat = model.flatness()?;
    let found = match &arguments.ansatz {
        Some(ansatz) => model.control_within(&request, ansatz, &watch),
        None => request.run(&watch),
    };
    let beside = found.and_then(|found| Beside::of(&model, arguments, flat, found, &watch));
    watch.progress.finish();
    let Beside {
        found,
        flat,
        feedback,
    } = beside?;
    let mut table = control_page::table(&found, model.source().text());
    if let Some(feedback) = &feedback {
        let columns = control_page::gain_columns(feedback, &found.names.controls);
        table.columns.extend(columns);
    }
    let mut recording = Recording::open(
        table,
        arguments.output.as_deref(),
        arguments.plot.as_deref(),
        None,
    )?;
    for (k, mut row) in control_page::rows(&found).enumerate() {
        row.extend(feedback.iter().flat_map(|f| f.gains[k].clone()));
        recording.row(&row)?;
    }
    recording.finish()?;
    let shown = control_page::Page {
        found: &found,
        flat: flat.as_ref(),
        feedback: feedback.as_ref(),
    };
    page::write(&shown.document(), arguments.model.json, &arguments.page)?;
    match control_page::failure(&found) {
        Some(text) => Err(Failure::Computation(text)),
        None => Ok(()),
    }
}

/// A solution with what stands beside it.
struct Beside {
    found: Controlled,
    flat: Option<FlatRoute>,
    feedback: Option<Feedback>,
}

impl Beside {
    fn of(
        model: &Model,
        arguments: &ControlArguments,
        flat: Option<Result<Flatness, String>>,
        mut found: Controlled,
        watch: &Watching,
    ) -> Result<Self, Error> {
        let solved = found.solution.status == Status::Solved;
        let flat = match flat {
            Some(Ok(flat)) if solved && arguments.ansatz.is_none() => {
                match model.control_flat(&flat, &found, watch) {
                    Ok(route) => Some(route),
                    Err(Error::Cancelled(phase)) => return Err(Error::Cancelled(phase)),
                    Err(e) => {
                        let text = format!("the problem was not solved by its flat outputs: {e}");
                        found.notes.push(text);
                        None
                    }
                }
            }
            Some(Err(why)) => {
                found.notes.push(why);
                None
            }
            _ => None,
        };
        let feedback = match arguments.feedback && solved {
            true => Some(model.feedback(&found)?),
            false => None,
        };
        Ok(Self {
            found,
            flat,
            feedback,
        })
    }
}

/// Iterations on a bar, and Ctrl-C.
struct Watching {
    stop: &'static AtomicBool,
    progress: Progress,
}

impl Watch for Watching {
    fn stop(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn progress(&self, iteration: usize, _infeasibility: f64, _optimality: f64) {
        self.progress.set_count(iteration);
    }
}
