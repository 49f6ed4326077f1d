//! `rattleback compare`: two motions from the same start, and their distance.

use crate::arguments::CompareArguments;
use crate::destination;
use crate::failure::Failure;
use crate::input_table::Inputs;
use crate::interrupt;
use crate::preparation::{Prepared, options};
use crate::recording::Recording;
use crate::terminal;
use rattleback::comparison::{Comparison, Threshold, in_step};
use rattleback::comparison_page::{document, label};
use rattleback::motion_page::Page;
use rattleback::notes;
use rattleback::record;
use rattleback::report::Table;
use rattleback::report::document::Document;
use rattleback::simulation::{Options, Outcome, Simulation};
use std::ops::ControlFlow;

/// Motions farther apart than this many tolerances have parted.
const TOLERANCES: f64 = 1e4;

/// Simulates both motions and reports where and how far they part.
pub fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let results = [arguments.output.as_deref(), arguments.plot.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    let mut prepared = Prepared::of(&arguments.model, &arguments.motion)?;
    let inputs = Inputs::read(
        &prepared.model,
        &arguments.model,
        &arguments.inputs,
        &results,
    )?;
    prepared.feed(&inputs.tables());
    let first = options(&arguments.motion);
    let second = Options {
        form: Some(arguments.with),
        ..first.clone()
    };
    let form = first.form_for(&prepared.system);
    if form == arguments.with {
        return Err(Failure::Input(format!(
            "both motions are in the form {form}: choose another one with --form or --with"
        )));
    }
    let mut one = simulation(&mut prepared, &first, &inputs)?;
    let mut two = simulation(&mut prepared, &second, &inputs)?;
    let labels = [label(one.form(), two.form()), label(two.form(), one.form())];
    let threshold = Threshold {
        relative: TOLERANCES * first.rtol,
        absolute: TOLERANCES * first.atol,
    };
    let pair = [(&one.motion, labels[0]), (&two.motion, labels[1])];
    let mut comparison = Comparison::new(pair.map(|(motion, _)| motion), threshold);
    let metadata = record::metadata(&prepared.model, &prepared.reading.source, &one)
        .with("form", format!("{} and {}", one.form(), two.form()));
    let table = Table::new(record::compared(&prepared.model, pair)).described(metadata);
    let stop = interrupt::keep();
    let mut recording = Recording::open(
        table,
        arguments.output.as_deref(),
        arguments.plot.as_deref(),
        arguments.plot_what.as_deref(),
    )?;

    let mut trouble = None;
    let [outcome_one, outcome_two] =
        in_step(
            &mut one,
            &mut two,
            stop,
            &mut |first, second| match recording.row(comparison.row(first, second)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(e) => {
                    trouble = Some(e);
                    ControlFlow::Break(())
                }
            },
        );
    let finished = recording.finish();
    let outcome_one = outcome_one.map_err(|e| prepared.complain(e, &inputs))?;
    let outcome_two = outcome_two.map_err(|e| prepared.complain(e, &inputs))?;
    let forms = [one.form(), two.form()];
    let mut notes = notes::on_motion(&prepared.model, "compare", &forms, &inputs.fed());
    notes.extend(inputs.replaced(&prepared.model));
    let pages = [
        page(&prepared, &one, &outcome_one),
        page(&prepared, &two, &outcome_two),
    ];
    let shown = show(arguments, &document(&pages, labels, &comparison, notes));
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
        false => document.text(false),
    };
    let table = arguments.output.as_ref();
    if table.is_some_and(|o| o.as_os_str() == "-") {
        terminal::tell(&report);
        return Ok(());
    }
    terminal::show(&report)
}

fn simulation(
    prepared: &mut Prepared,
    options: &Options,
    inputs: &Inputs<'_>,
) -> Result<Simulation, Failure> {
    let Prepared {
        problem, system, ..
    } = &prepared;
    let made = Simulation::with_tables(problem, system, options, Vec::new(), inputs.tables());
    made.map_err(|e| prepared.complain(e, inputs))
}

fn page<'a>(prepared: &'a Prepared, simulation: &'a Simulation, outcome: &'a Outcome) -> Page<'a> {
    Page {
        section: None,
        lyapunov: None,
        model: &prepared.model,
        simulation,
        outcome,
        events: Vec::new(),
        notes: Vec::new(),
    }
}
