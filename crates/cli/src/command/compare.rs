//! `rattleback compare`: two motions from the same start, and their distance.

use crate::arguments::CompareArguments;
use crate::destination;
use crate::failure::Failure;
use crate::input_table;
use crate::interrupt;
use crate::preparation::{self, options, told};
use crate::recording::Recording;
use crate::terminal;
use rattleback::comparison_page::{document, label};
use rattleback::motion_page::Page;
use rattleback::notes;
use rattleback::record;
use rattleback::report::Table;
use rattleback::report::document::Document;
use rattleback::session::Prepared;
use rattleback::simulation::{Outcome, Simulation};
use std::ops::ControlFlow;

/// Simulates both motions and reports where and how far they part.
pub fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let results = [arguments.output.as_deref(), arguments.plot.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    let model = preparation::model(&arguments.model, &arguments.motion)?;
    let mut prepared = model.prepare(arguments.motion.form)?;
    let feeds = input_table::read(
        &prepared.problem,
        &arguments.model,
        &arguments.inputs,
        &results,
    )?;
    let request = model
        .compare(arguments.with)
        .options(options(&arguments.motion))
        .feed(feeds.tables());
    let made = request.compile_in(&mut prepared);
    let mut pair = made.map_err(|e| told(e, &feeds))?;
    let forms = pair.motions.each_ref().map(Simulation::form);
    let labels = [label(forms[0], forms[1]), label(forms[1], forms[0])];
    let [one, two] = &pair.motions;
    let columns = [(&one.motion, labels[0]), (&two.motion, labels[1])];
    let metadata = record::metadata(&prepared.problem, prepared.reading.source.text(), one)
        .with("form", format!("{} and {}", forms[0], forms[1]));
    let table = Table::new(record::compared(columns)).described(metadata);
    interrupt::keep();
    let mut recording = Recording::open(
        table,
        arguments.output.as_deref(),
        arguments.plot.as_deref(),
        arguments.plot_what.as_deref(),
    )?;

    let mut trouble = None;
    let outcomes = request.follow(&mut pair, |row| match recording.row(row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(e) => {
            trouble = Some(e);
            ControlFlow::Break(())
        }
    });
    let finished = recording.finish();
    let [outcome_one, outcome_two] = outcomes.map_err(|e| told(e, &feeds))?;
    let mut notes = notes::on_motion(&prepared.problem, "compare", &forms, &feeds.controls());
    notes.extend_from_slice(feeds.replaced());
    let [one, two] = &pair.motions;
    let pages = [
        page(&prepared, one, &outcome_one),
        page(&prepared, two, &outcome_two),
    ];
    let shown = show(
        arguments,
        &document(&pages, labels, &pair.comparison, notes),
    );
    let [one, two] = pages.map(|page| page.error());
    let failure = one.or(two);
    match (trouble, failure) {
        (Some(e), _) => Err(e),
        (None, Some(why)) => Err(Failure::Computation(why)),
        (None, None) => finished.and(shown),
    }
}

/// Writes the page, beside the table where that goes to standard output.
fn show(arguments: &CompareArguments, document: &Document) -> Result<(), Failure> {
    let report = match arguments.model.json {
        true => format!("{:#}\n", document.json(false)),
        false => terminal::text(document, false),
    };
    let table = arguments.output.as_ref();
    if table.is_some_and(|o| o.as_os_str() == "-") {
        terminal::tell(&report);
        return Ok(());
    }
    terminal::show(&report)
}

fn page<'a>(prepared: &'a Prepared, simulation: &'a Simulation, outcome: &'a Outcome) -> Page<'a> {
    Page {
        section: None,
        lyapunov: None,
        problem: &prepared.problem,
        simulation,
        outcome,
        events: Vec::new(),
        notes: Vec::new(),
    }
}
