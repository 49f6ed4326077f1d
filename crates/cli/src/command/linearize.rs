//! `rattleback linearize`: the linear system about a state, and the regulator that holds it.

use crate::arguments::LinearizeArguments;
use crate::destination;
use crate::failure::Failure;
use crate::page;
use crate::reading;
use crate::recording::{Recording, told};
use rattleback::Model;
use rattleback::control::Place;
use rattleback::language::{listed, named_value};
use rattleback::linear_page;
use rattleback::regulated::{NotRegulated, regulated};
use rattleback::report::{Column, ColumnKind, Table, write_whole};

/// Linearises, writes the page, and the model with the regulator where that is asked for.
pub fn run(arguments: &LinearizeArguments) -> Result<(), Failure> {
    let results = [arguments.write.as_deref(), arguments.output.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    let model = reading::read(&arguments.model)?;
    let (place, settings) = place(&arguments.at)?;
    let model = model.set_as("at", &settings)?;
    if arguments.along {
        return along(arguments, &model);
    }
    if arguments.output.is_some() {
        let why = "-o writes the table of --along; without it there is one linear system, shown on the page and by --json";
        return Err(Failure::Input(why.into()));
    }
    let linear = model.linearize(place, arguments.closed)?;
    if let Some(path) = &arguments.write {
        let text = regulated(&linear, model.source()).map_err(|why| match why {
            NotRegulated::NoRegulator(_) => Failure::Computation(why.to_string()),
            NotRegulated::NoCost | NotRegulated::Moving { .. } | NotRegulated::Turning { .. } => {
                Failure::Input(why.to_string())
            }
        })?;
        write_whole(path, &text).map_err(told)?;
    }
    let document = linear_page::document(&linear, &*model.problem()?);
    page::write(&document, arguments.model.json, &arguments.page)
}

/// The linear systems along the motion: a page, and a table where that is asked for.
fn along(arguments: &LinearizeArguments, model: &Model) -> Result<(), Failure> {
    if arguments.write.is_some() {
        let why = "--write needs one state, not a motion: leave --along out";
        return Err(Failure::Input(why.into()));
    }
    if arguments.periodic {
        let turn = model.monodromy()?;
        let document = linear_page::monodromy_document(&*model.problem()?, &turn);
        return page::write(&document, arguments.model.json, &arguments.page);
    }
    let linear = model.linearize_along(arguments.closed)?;
    if let Some(path) = &arguments.output {
        let (columns, rows) = linear_page::along_table(&linear);
        let columns = columns.iter().enumerate();
        let columns = columns.map(|(k, name)| match k {
            0 => Column::new(name, ColumnKind::Time),
            _ => Column::new(name, ColumnKind::Line),
        });
        let table = Table::new(columns.collect());
        let mut recording = Recording::open(table, Some(path), None, None)?;
        rows.iter().try_for_each(|row| recording.row(row))?;
        recording.finish()?;
    }
    let document = linear_page::along_document(&linear);
    page::write(&document, arguments.model.json, &arguments.page)
}

/// Where to linearise: a word, or values that are put into the start.
fn place(at: &str) -> Result<(Place, Vec<&str>), Failure> {
    match at.trim() {
        "start" => Ok((Place::Start, Vec::new())),
        "equilibrium" => Ok((Place::Equilibrium, Vec::new())),
        "steady" => Ok((Place::Steady, Vec::new())),
        values if values.contains('=') => {
            let settings = listed(values);
            match twice(&settings) {
                None => Ok((Place::Start, settings)),
                Some(name) => Err(Failure::Input(format!(
                    "--at \"{values}\": `{name}` is given twice"
                ))),
            }
        }
        other => Err(Failure::Input(format!(
            "`{other}` is no place to linearise at\n  help: write `start`, `equilibrium`, `steady`, or values such as \"theta = 0, x' = 1\""
        ))),
    }
}

/// The name of two settings.
fn twice<'a>(settings: &[&'a str]) -> Option<&'a str> {
    let names: Vec<&str> = settings
        .iter()
        .filter_map(|s| Some(named_value(s)?.0))
        .collect();
    let again = |k: &usize| names[..*k].contains(&names[*k]);
    (0..names.len()).find(again).map(|k| names[k])
}
