//! `rattleback compare`: two motions from the same start, and their distance.

use crate::arguments::CompareArguments;
use crate::comparison::Comparison;
use crate::destination;
use crate::failure::Failure;
use crate::interrupt;
use crate::motion_page::Page;
use crate::notes;
use crate::number::shown;
use crate::preparation::{Prepared, options};
use crate::record;
use crate::recording::Recording;
use crate::terminal;
use rattleback::mechanics::Form;
use rattleback::report::Table;
use rattleback::simulation::{Options, Outcome, Row, Simulation, SimulationError};
use serde_json::json;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;

/// Motions farther apart than this many tolerances have parted.
const TOLERANCES: f64 = 1e4;
/// Rows by which one motion may be ahead of the other.
const AHEAD: usize = 256;

/// Simulates both motions and reports where and how far they part.
pub fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let results = [arguments.output.as_deref(), arguments.plot.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    let mut prepared = Prepared::of(&arguments.model, &arguments.motion)?;
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
    let mut one = simulation(&mut prepared, &first)?;
    let mut two = simulation(&mut prepared, &second)?;
    let labels = [label(one.form(), two.form()), label(two.form(), one.form())];
    let threshold = TOLERANCES * (first.rtol + first.atol);
    let pair = [(&one.motion, labels[0]), (&two.motion, labels[1])];
    let mut comparison = Comparison::new(&prepared.model, pair, threshold);
    let metadata = record::metadata(&prepared.model, &prepared.reading.source, &one)
        .with("form", format!("{} and {}", one.form(), two.form()));
    let table = Table::new(comparison.columns.clone()).described(metadata);
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
    let outcome_one = outcome_one.map_err(|e| prepared.complain(e))?;
    let outcome_two = outcome_two.map_err(|e| prepared.complain(e))?;
    let forms = [one.form(), two.form()];
    let notes = notes::on_motion(&prepared.model, "compare", &forms);
    let pages = [
        page(&prepared, &one, &outcome_one),
        page(&prepared, &two, &outcome_two),
    ];
    let to_standard_output = arguments
        .output
        .as_ref()
        .is_some_and(|o| o.as_os_str() == "-");
    let report = if arguments.model.json {
        let mut all = json(&pages, labels, &comparison);
        all["notes"] = json!(notes);
        format!("{all:#}\n")
    } else {
        let notes = notes.iter().map(|note| format!("\nnote: {note}\n"));
        text(&pages, labels, &comparison) + &notes.collect::<String>()
    };
    let shown = if to_standard_output {
        terminal::tell(&report);
        Ok(())
    } else {
        terminal::write(&report)
    };
    let [one, two] = pages.map(|page| page.error());
    let failure = one.or(two);
    match (trouble, failure) {
        (Some(e), _) => Err(e),
        (None, Some(why)) => Err(Failure::Computation(why)),
        (None, None) => finished.and(shown),
    }
}

/// What takes the rows of both motions at one time.
type Pairs<'a> = dyn FnMut(&[f64], &[f64]) -> ControlFlow<()> + 'a;

/// Follows two motions side by side, the first one a few rows ahead in a thread of its own. The sink gets the
/// rows of both at each time, as long as both have one; the one that is left alone is followed to its end.
fn in_step(
    one: &mut Simulation,
    two: &mut Simulation,
    stop: &AtomicBool,
    sink: &mut Pairs<'_>,
) -> [Result<Outcome, SimulationError>; 2] {
    let (sender, receiver) = sync_channel::<Vec<f64>>(AHEAD);
    std::thread::scope(|scope| {
        let first = scope.spawn(move || {
            one.run(stop, &mut |Row(row)| match sender.send(row.to_vec()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            })
        });
        let mut broken = false;
        let second = two.run(stop, &mut |Row(row)| {
            let Ok(other) = receiver.recv() else {
                return ControlFlow::Break(());
            };
            let said = sink(&other, row);
            broken = said.is_break();
            said
        });
        if !broken {
            while receiver.recv().is_ok() {}
        }
        drop(receiver);
        let first = first.join().unwrap_or_else(|panic| resume_unwind(panic));
        [first, second]
    })
}

fn simulation(prepared: &mut Prepared, options: &Options) -> Result<Simulation, Failure> {
    let made = Simulation::new(&prepared.model, &prepared.system, options, Vec::new());
    made.map_err(|e| prepared.complain(e))
}

fn page<'a>(prepared: &'a Prepared, simulation: &'a Simulation, outcome: &'a Outcome) -> Page<'a> {
    Page {
        model: &prepared.model,
        simulation,
        outcome,
        events: Vec::new(),
        notes: Vec::new(),
    }
}

/// Vakonomic motion goes by its name; every other formulation has the nonholonomic motion, and the
/// usual ones are called so where that tells them from the `other`.
fn label(form: Form, other: Form) -> &'static str {
    match form {
        Form::Vakonomic => "vakonomic",
        Form::Hamel => "nonholonomic",
        Form::LagrangeDAlembert if other == Form::Vakonomic => "nonholonomic",
        _ => form.name(),
    }
}

fn json(pages: &[Page<'_>; 2], labels: [&str; 2], comparison: &Comparison) -> serde_json::Value {
    json!({
        labels[0]: pages[0].json(),
        labels[1]: pages[1].json(),
        "max_distance": comparison.largest.0,
        "max_distance_time": comparison.largest.1,
        "parted_at": comparison.parted,
    })
}

fn text(pages: &[Page<'_>; 2], labels: [&str; 2], comparison: &Comparison) -> String {
    let mut text = String::new();
    for (page, label) in pages.iter().zip(labels) {
        let _ = writeln!(text, "--- {label} ---\n{}", page.text());
    }
    let (distance, time) = comparison.largest;
    let _ = writeln!(text, "--- distance of the positions ---");
    match comparison.parted {
        None => {
            let _ = writeln!(
                text,
                "the motions agree as far as the tolerances can tell: at most {distance:.1e} apart"
            );
        }
        Some(t) => {
            let _ = writeln!(
                text,
                "the motions part at t = {}; at most {} apart, at t = {}",
                shown(t, 1.0),
                shown(distance, 1.0),
                shown(time, 1.0)
            );
        }
    }
    text
}
