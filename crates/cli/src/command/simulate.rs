//! `rattleback simulate`: one motion, its record and how well the geometry held.

use crate::arguments::SimulateArguments;
use crate::destination;
use crate::events;
use crate::failure::Failure;
use crate::input_table;
use crate::interrupt;
use crate::preparation::{self, complain, options};
use crate::progress::Progress;
use crate::reading;
use crate::recording::Recording;
use crate::terminal;
use rattleback::control::Exponent;
use rattleback::integrate::End;
use rattleback::language::{Source, TimeOption};
use rattleback::motion_page::Page;
use rattleback::notes;
use rattleback::record;
use rattleback::report::Feeds;
use rattleback::request::{self, EventError};
use rattleback::session::Prepared;
use rattleback::simulation::{EventSpec, Outcome, Row, Simulation, SimulationError};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Simulates and reports. After a failure the rows so far are complete and readable.
pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let to_standard_output = arguments
        .output
        .as_ref()
        .is_some_and(|o| o.as_os_str() == "-");
    if arguments.model.json && to_standard_output {
        return Err(Failure::Input(
            "both --json and `-o -` write to standard output: give the table a file with -o FILE.csv".into(),
        ));
    }
    let results = [arguments.output.as_deref(), arguments.plot.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    let mut prepared = preparation::prepared(&arguments.model, &arguments.motion)?;
    let mut events = events::read(&prepared.model, &arguments.events)?;
    let exponents = exponents(arguments)?;
    // The section is the last event.
    let section = arguments.section.as_ref().map(|_| events.len());
    events.extend(section_of(&prepared, arguments.section.as_deref())?);
    let names = events.iter().map(|e| e.text.clone()).collect();
    let feeds = input_table::read(
        &prepared.problem,
        &arguments.model,
        &arguments.inputs,
        &results,
    )?;
    let mut simulation = posed(&mut prepared, arguments, events, &feeds)?;
    let table = record::table(
        &prepared.problem,
        prepared.reading.source.text(),
        &simulation,
    );
    let stop = interrupt::keep();
    let mut recording = Recording::open(
        table,
        arguments.output.as_deref(),
        arguments.plot.as_deref(),
        plot_what(&prepared, arguments).as_deref(),
    )?;
    let (outcome, trouble) = followed(&mut simulation, stop, section, &mut recording);
    let finished = recording.finish();
    let outcome = outcome.map_err(|e| complain(&mut prepared, e, &feeds))?;
    let forms = [simulation.form()];
    let mut all = notes::on_motion(&prepared.problem, "simulate", &forms, &feeds.controls());
    all.extend(notes::on_start(&simulation.assembled));
    all.extend_from_slice(feeds.replaced());
    let page = Page {
        problem: &prepared.problem,
        simulation: &simulation,
        outcome: &outcome,
        events: names,
        section,
        lyapunov: exponents,
        notes: all,
    };
    let shown = if arguments.model.json {
        terminal::show(&format!("{:#}\n", page.json()))
    } else if to_standard_output {
        terminal::tell(&terminal::text(&page.document(), false));
        Ok(())
    } else {
        terminal::show(&terminal::text(&page.document(), false))
    };
    let missed = missed_stops(&arguments.events.stop, &outcome);
    // Rows that are lost weigh more than a page that nobody reads.
    match (trouble, page.error()) {
        (Some(e), _) => Err(e),
        (None, Some(text)) => Err(Failure::Computation(text)),
        (None, None) => finished.and(missed).and(shown),
    }
}

/// The motion as it is asked for, with tables in the place of laws.
fn posed(
    prepared: &mut Prepared,
    arguments: &SimulateArguments,
    events: Vec<EventSpec>,
    feeds: &Feeds,
) -> Result<Simulation, Failure> {
    let tables = feeds.tables();
    prepared.feed(&tables);
    let (problem, system) = (&prepared.problem, &prepared.system);
    let simulation = prepared
        .timed(&options(&arguments.motion), &[])
        .and_then(|options| Simulation::with_tables(problem, system, &options, events, tables));
    simulation.map_err(|e| complain(prepared, e, feeds))
}

/// Follows the motion and records its rows, or the crossings of a section; with what went wrong with the record.
fn followed(
    simulation: &mut Simulation,
    stop: &AtomicBool,
    section: Option<usize>,
    recording: &mut Recording,
) -> (Result<Outcome, SimulationError>, Option<Failure>) {
    let progress = Progress::share("simulating");
    let (from, span) = (simulation.from, simulation.until - simulation.from);
    let mut trouble = None;
    let outcome = simulation.run_twice(stop, &mut |Row(row)| {
        progress.set((row[0] - from) / span);
        if section.is_some() {
            return ControlFlow::Continue(());
        }
        match recording.row(row) {
            Ok(()) => ControlFlow::Continue(()),
            Err(e) => {
                trouble = Some(e);
                ControlFlow::Break(())
            }
        }
    });
    progress.finish();
    if let (Ok(outcome), Some(section)) = (&outcome, section) {
        let mut hits = outcome.hits.iter().filter(|hit| hit.event == section);
        trouble = hits.find_map(|hit| recording.point(&hit.row).err());
    }
    (outcome, trouble)
}

/// The section as an event.
fn section_of(prepared: &Prepared, text: Option<&str>) -> Result<Option<EventSpec>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let event = request::event(&prepared.model, text, false);
    let event = event.map_err(|error| match error {
        EventError::Expression(source, found) => {
            let source = Source::new("--section", source.text());
            events::told(EventError::Expression(Box::new(source), found))
        }
        other => Failure::Input(format!("--section \"{text}\": {other}")),
    });
    event.map(Some)
}

/// The Lyapunov exponents that are asked for: a motion of its own, with directions beside it.
fn exponents(arguments: &SimulateArguments) -> Result<Option<Vec<Exponent>>, Failure> {
    let Some(count) = arguments.lyapunov else {
        return Ok(None);
    };
    if !arguments.inputs.input.is_empty() {
        let why = "--lyapunov takes laws by `input`, not tables";
        return Err(Failure::Input(why.into()));
    }
    if !arguments.events.stop.is_empty() {
        let why =
            "--lyapunov is of a motion over a given time: end it with --until instead of --stop";
        return Err(Failure::Input(why.into()));
    }
    let until = arguments.motion.until.as_deref();
    let times: Vec<_> = until.map(|t| (TimeOption::Until, t)).into_iter().collect();
    let model = reading::read_with_times(&arguments.model, &times)?;
    Ok(Some(model.lyapunov(count)?))
}

/// A section is drawn in the phase plane unless something else is asked for.
fn plot_what(prepared: &Prepared, arguments: &SimulateArguments) -> Option<String> {
    let usual = arguments.section.as_ref().map(|_| "phase");
    let what = arguments.plot_what.as_deref().or(usual)?;
    Some(record::plotted(&prepared.system, what))
}

/// A motion that was to end at an event, and reached its end time instead, has failed to.
fn missed_stops(stop: &[String], outcome: &Outcome) -> Result<(), Failure> {
    if stop.is_empty() || outcome.end != Some(End::Reached) {
        return Ok(());
    }
    let time = outcome.row.first().copied().unwrap_or(f64::NAN);
    Err(Failure::Computation(format!(
        "`{}` never happened until t = {time}\n  help: follow the motion longer with --until, or look \
         for it with --event, which does not insist",
        stop.join("`, `")
    )))
}
