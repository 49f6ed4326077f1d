//! `rattleback control`: the solution of a problem with ends.

use crate::arguments::ControlArguments;
use crate::destination;
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Progress;
use crate::reading;
use crate::recording::{Recording, told};
use crate::terminal;
use rattleback::control::stage::Watch;
use rattleback::control_page;
use rattleback::report::TableReader;
use std::path::Path;
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
        .tolerance(arguments.tol)
        .starts(arguments.starts);
    if let Some(nodes) = arguments.nodes {
        request = request.nodes(nodes);
    }
    if let Some(path) = &arguments.guess {
        request = request.guess(&columns(path)?)?;
    }
    let stop = interrupt::keep();
    let watch = Watching {
        stop,
        progress: Progress::count("iterating", 200),
    };
    let found = request.run(&watch);
    watch.progress.finish();
    let found = found?;
    let table = control_page::table(&found, model.source());
    let mut recording = Recording::open(
        table,
        arguments.output.as_deref(),
        arguments.plot.as_deref(),
        None,
    )?;
    for row in control_page::rows(&found) {
        recording.row(&row)?;
    }
    recording.finish()?;
    let page = match arguments.model.json {
        true => format!("{:#}\n", control_page::json(&found)),
        false => control_page::page(&found),
    };
    terminal::write(&page)?;
    match control_page::failure(&found) {
        Some(text) => Err(Failure::Computation(text)),
        None => Ok(()),
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

/// The columns of an earlier result.
fn columns(path: &Path) -> Result<Vec<(String, Vec<f64>)>, Failure> {
    let mut reader = TableReader::open(path).map_err(told)?;
    let names = reader.table().columns.iter().map(|c| c.name.clone());
    let mut all: Vec<(String, Vec<f64>)> = names.map(|n| (n, Vec::new())).collect();
    for row in reader.rows().map_err(told)? {
        for ((_, column), x) in all.iter_mut().zip(row) {
            column.push(x);
        }
    }
    Ok(all)
}
