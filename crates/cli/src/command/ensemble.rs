//! `rattleback ensemble`: many motions on all cores.

use crate::arguments::EnsembleArguments;
use crate::destination;
use crate::events;
use crate::failure::Failure;
use crate::input_table::{self, named};
use crate::interrupt;
use crate::preparation::{self, options, told as told_of};
use crate::progress::Progress;
use crate::recording::told;
use crate::terminal;
use rattleback::Model;
use rattleback::ensemble::{Ensemble, Status};
use rattleback::ensemble_page::{EnsemblePage, event_names};
use rattleback::record;
use rattleback::report::{
    Column, ColumnKind, EarlierTable, Feeds, Metadata, ReportError, RowSink, Table, TableWriter,
};
use rattleback::session::{EnsembleRequest, Prepared};
use std::ops::ControlFlow;
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
    let model = preparation::model(&arguments.model, &arguments.motion)?;
    let mut prepared = model.prepare(arguments.motion.form)?;
    let request = asked(arguments, &model)?;
    let names = request.members()?.names();
    if let Some(name) = names
        .iter()
        .find(|n| named(&arguments.model.set, n).is_some())
    {
        return Err(Failure::Input(format!(
            "`{name}` is varied, and --set {name} would count for nothing: leave one of them out"
        )));
    }
    let events = events::read(&prepared.model, &arguments.events)?;
    let feeds = input_table::read(
        &prepared.problem,
        &arguments.model,
        &arguments.inputs,
        &results,
    )?;
    input_table::check_varied(&feeds, &names)?;
    let request = request.events(events).feed(feeds.tables());
    let made = request.compile_in(&mut prepared);
    let ensemble = made.map_err(|e| told_of(e, &feeds))?;
    let table = table(arguments, &prepared, &ensemble, &feeds);
    let mut page = EnsemblePage::new(&prepared.problem, &ensemble, &table);
    page.fed = feeds.controls();
    page.replaced = feeds.replaced().to_vec();
    interrupt::keep();
    let mut writer = open(arguments, &table, &mut page)?;
    let trouble = follow(&request, &ensemble, &mut page, &mut writer);
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
    request: &EnsembleRequest<'_>,
    ensemble: &Ensemble,
    page: &mut EnsemblePage<'_>,
    writer: &mut Option<TableWriter>,
) -> Option<Failure> {
    let first = page.kept;
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
        request.follow(ensemble, first, &done, |member| {
            if writer.is_some() && member.member != expected {
                return ControlFlow::Continue(());
            }
            expected += 1;
            page.push(member);
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
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        page.seconds = begun.elapsed().as_secs_f64();
        over.store(true, Ordering::Relaxed);
    });
    trouble
}

/// What the command line asks of an ensemble, but for events and tables.
fn asked<'a>(
    arguments: &EnsembleArguments,
    model: &'a Model,
) -> Result<EnsembleRequest<'a>, Failure> {
    let mut request = model
        .ensemble()
        .draws(arguments.draws, arguments.seed)
        .options(options(&arguments.motion));
    for text in &arguments.vary {
        request = request.vary(text)?;
    }
    for text in &arguments.sample {
        request = request.sample(text)?;
    }
    if let Some(threads) = arguments.threads {
        request = request.threads(threads);
    }
    Ok(request)
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
