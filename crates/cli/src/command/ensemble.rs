//! `rattleback ensemble`: many motions on all cores.

use crate::arguments::EnsembleArguments;
use crate::destination;
use crate::events;
use crate::failure::Failure;
use crate::input_table;
use crate::interrupt;
use crate::preparation::{self, complain, options};
use crate::progress::Progress;
use crate::recording::told;
use crate::terminal;
use rattleback::ensemble::{Ensemble, EnsembleError, Finished, Members, Status};
use rattleback::ensemble_page::{EnsemblePage, event_names};
use rattleback::language::Model;
use rattleback::record;
use rattleback::report::{
    Column, ColumnKind, EarlierTable, Feeds, Metadata, ReportError, RowSink, Table, TableWriter,
};
use rattleback::request;
use rattleback::session::Prepared;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The key under which a table says which ensemble it holds.
const ENSEMBLE: &str = "ensemble";
/// The key under which it says what was fed to controls.
const INPUT: &str = "input";

/// Follows all members, writes one row for each and reports.
pub fn run(arguments: &EnsembleArguments) -> Result<(), Failure> {
    let results = [arguments.output.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    let mut prepared = preparation::prepared(&arguments.model, &arguments.motion)?;
    let members = members(arguments, &prepared.model).map_err(|e| Failure::Input(e.to_string()))?;
    let options = options(&arguments.motion);
    let events = events::read(&prepared.model, &arguments.events)?;
    let varied = request::varied(&prepared.model, &members);
    let varied = varied.map_err(|e| Failure::Input(e.to_string()))?;
    let feeds = input_table::read(
        &prepared.problem,
        &arguments.model,
        &arguments.inputs,
        &results,
    )?;
    input_table::check_varied(&feeds, &members.names())?;
    let tables = feeds.tables();
    prepared.feed(&tables);
    let (problem, system) = (&prepared.problem, &prepared.system);
    let options = prepared.timed(&options, &varied);
    let made = options.map_err(EnsembleError::from).and_then(|options| {
        Ensemble::with_tables(problem, system, &options, members, &varied, events, tables)
    });
    let ensemble = match made {
        Ok(ensemble) => ensemble,
        Err(EnsembleError::Simulation(e)) => return Err(complain(&mut prepared, e, &feeds)),
        Err(e) => return Err(Failure::Input(e.to_string())),
    };
    let table = table(arguments, &prepared, &ensemble, &feeds);
    let mut page = EnsemblePage::new(&prepared.problem, &ensemble, &table);
    page.fed = feeds.controls();
    page.replaced = feeds.replaced().to_vec();
    let stop = interrupt::keep();
    let mut writer = open(arguments, &table, &mut page)?;
    let trouble = follow(
        &ensemble,
        page.kept,
        arguments.threads,
        stop,
        &mut page,
        &mut writer,
    );
    let finished = writer.as_mut().map_or(Ok(()), |w| w.finish().map_err(told));
    let text = if arguments.model.json {
        format!("{:#}\n", page.json())
    } else {
        terminal::text(&page.document(), false)
    };
    let shown = terminal::show(&text);
    // Rows that are lost weigh more than a page that nobody reads.
    trouble.map_or(finished, Err)?;
    page.check(arguments.output.is_some())
        .map_err(Failure::Computation)?;
    shown
}

/// Runs with a progress bar; a row that cannot be written ends the run. A table gets members without
/// gaps, also after a stop, so that it can be gone on with.
fn follow(
    ensemble: &Ensemble,
    first: usize,
    threads: Option<usize>,
    stop: &AtomicBool,
    page: &mut EnsemblePage<'_>,
    writer: &mut Option<TableWriter>,
) -> Option<Failure> {
    let done = AtomicUsize::new(first);
    let over = AtomicBool::new(false);
    let mut trouble = None;
    let mut row = Vec::new();
    let mut expected = first;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let progress = Progress::count("members", ensemble.members.count());
            while !over.load(Ordering::Relaxed) {
                progress.set_count(done.load(Ordering::Relaxed));
                std::thread::park_timeout(Duration::from_millis(100));
            }
            progress.finish();
        });
        let begun = Instant::now();
        ensemble.run(first, threads, stop, &done, &mut |member: Finished<'_>| {
            if writer.is_some() && member.member != expected {
                return;
            }
            expected += 1;
            page.push(&member);
            if let Some(writer) = writer.as_mut().filter(|_| trouble.is_none()) {
                row.clear();
                row.push(member.member as f64);
                row.extend_from_slice(member.given);
                row.extend_from_slice(member.row);
                for (event, found) in ensemble.events.iter().zip(member.events) {
                    row.push(found.first);
                    row.extend((!event.terminal).then_some(found.count as f64));
                }
                row.extend([f64::from(member.status.code()), member.steps as f64]);
                if let Err(e) = writer.row(&row) {
                    trouble = Some(told(e));
                    stop.store(true, Ordering::SeqCst);
                }
            }
        });
        page.seconds = begun.elapsed().as_secs_f64();
        over.store(true, Ordering::Relaxed);
    });
    trouble
}

fn members(arguments: &EnsembleArguments, model: &Model) -> Result<Members, EnsembleError> {
    let axes = arguments.vary.iter().map(|text| request::axis(model, text));
    let samples = arguments
        .sample
        .iter()
        .map(|text| request::sample(model, text));
    let members = Members::new(
        axes.collect::<Result<_, _>>()?,
        samples.collect::<Result<_, _>>()?,
        arguments.draws,
        arguments.seed,
    )?;
    let settings = arguments.model.set.iter();
    let set = |name: &str| {
        let mut names = settings.clone().filter_map(|text| text.split_once('='));
        names.any(|(set, _)| set.trim() == name)
    };
    match members.names().into_iter().find(|name| set(name)) {
        Some(name) => Err(EnsembleError::Text(format!(
            "`{name}` is varied, and --set {name} would count for nothing: leave one of them out"
        ))),
        None => Ok(members),
    }
}

/// One row per member: its number, what was given, the end of its motion, how it ended.
fn table(
    arguments: &EnsembleArguments,
    prepared: &Prepared,
    ensemble: &Ensemble,
    feeds: &Feeds,
) -> Table {
    let ends = record::columns(&ensemble.motion);
    // A start value stands beside the value at the end: theta'(0) and theta'.
    let given = ensemble.members.names().into_iter().map(|name| {
        let parameters = &prepared.problem.parameters;
        let is_start = parameters.iter().all(|p| p.symbol.to_string() != name);
        let name = if is_start && ends.iter().any(|c| c.name == name) {
            format!("{name}(0)")
        } else {
            name
        };
        Column::new(name, ColumnKind::Given)
    });
    let mut columns = vec![Column::new("member", ColumnKind::Index)];
    columns.extend(given);
    columns.extend(ends);
    columns.extend(event_columns(ensemble));
    columns.push(Column::new("status", ColumnKind::Outcome));
    columns.push(Column::new("steps", ColumnKind::Index));
    let motion = &arguments.motion;
    let named = event_names(ensemble).into_iter().zip(&ensemble.events);
    let events: Vec<String> = named
        .map(|(name, e)| format!("{name}: {}", e.text))
        .collect();
    let mut metadata = Metadata::new()
        .with(Metadata::SYSTEM, prepared.problem.system.name())
        .with(
            ENSEMBLE,
            format!(
                "vary {}; sample {}; draws {}; seed {}; until {}; set {}; event {}; stop {}; \
                 spacing {}; most steps {}; projection {}",
                arguments.vary.join(" "),
                arguments.sample.join(" "),
                arguments.draws,
                arguments.seed,
                ensemble.until,
                arguments.model.set.join(" "),
                arguments.events.event.join(" "),
                arguments.events.stop.join(" "),
                ensemble.spacing,
                motion.max_steps,
                !motion.no_projection
            ),
        )
        .with("form", ensemble.motion.form.name())
        .with(Metadata::METHOD, ensemble.method.name())
        .with(
            Metadata::TOLERANCE,
            format!("rtol {:e}, atol {:e}", motion.rtol, motion.atol),
        )
        .with("status", Status::MEANING)
        .with(Metadata::VERSION, env!("CARGO_PKG_VERSION"))
        .with(Metadata::MODEL, prepared.reading.source.text());
    if !arguments.inputs.input.is_empty() {
        metadata.set(INPUT, feeds.described());
    }
    if !events.is_empty() {
        metadata.set("events", events.join("\n"));
    }
    Table::new(columns).described(metadata)
}

/// When each event happened first, and how often unless it ends the motion.
fn event_columns(ensemble: &Ensemble) -> Vec<Column> {
    let mut columns = Vec::new();
    for (name, event) in event_names(ensemble).into_iter().zip(&ensemble.events) {
        let count = format!("{name}_count");
        columns.push(Column::new(name, ColumnKind::Other));
        columns.extend((!event.terminal).then(|| Column::new(count, ColumnKind::Index)));
    }
    columns
}

/// The file; the page takes the members that it already has.
fn open(
    arguments: &EnsembleArguments,
    table: &Table,
    page: &mut EnsemblePage<'_>,
) -> Result<Option<TableWriter>, Failure> {
    let Some(path) = &arguments.output else {
        return Ok(None);
    };
    if !arguments.resume || !path.exists() {
        return Ok(Some(TableWriter::create(path, table).map_err(told)?));
    }
    let anew = |what: String| Failure::Input(format!("{what}; leave out --resume to begin anew"));
    let told_anew = |e: ReportError| match &e {
        // It is whole, and another run goes on with it.
        ReportError::Busy { .. } => told(e),
        _ => match told(e) {
            Failure::Input(what) => anew(what),
            other => other,
        },
    };
    let mut earlier = EarlierTable::open(path).map_err(told_anew)?;
    let same = [
        ENSEMBLE,
        INPUT,
        Metadata::MODEL,
        Metadata::TOLERANCE,
        Metadata::METHOD,
    ]
    .iter()
    .all(|key| {
        // A table in text does not keep the line end behind a description.
        let said = |table: &Table| table.metadata.get(key).map(|s| s.trim_end().to_owned());
        said(earlier.table()) == said(table)
    });
    if !same {
        return Err(anew(format!(
            "{} is the result of another ensemble: the model, the variation, the seed, an input or an option that \
             changes the motion differs",
            path.display()
        )));
    }
    let members = &page.members_of();
    let mut given = vec![0.0; members.varied()];
    let mut row = Vec::new();
    while earlier.next_row(&mut row).map_err(told_anew)? {
        let member = page.kept;
        if row.first() != Some(&(member as f64)) || member >= members.count() {
            return Err(anew(format!(
                "members are missing between the rows of {}",
                path.display()
            )));
        }
        members.values(member, &mut given);
        if !is_row_of(&row, &given) {
            return Err(anew(format!(
                "member {member} in {} is not that of this ensemble",
                path.display()
            )));
        }
        page.keep(&row);
    }
    let writer = earlier.go_on(table).map_err(told_anew)?;
    Ok(Some(writer))
}

/// Does a row begin with what the member is given, and end with a status and a number of steps?
fn is_row_of(row: &[f64], given: &[f64]) -> bool {
    let [_, rest @ .., status, steps] = row else {
        return false;
    };
    let alike = |(one, other): (&f64, &f64)| one.to_bits() == other.to_bits();
    rest.len() >= given.len()
        && rest.iter().zip(given).all(alike)
        && Status::of_code(*status).is_some()
        && *steps >= 0.0
        && steps.fract() == 0.0
}
