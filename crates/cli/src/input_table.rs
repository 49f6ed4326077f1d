//! `--input u=FILE.csv` of the command line: a control fed from a table.

use crate::arguments::{InputArguments, ModelArguments};
use crate::destination;
use crate::failure::Failure;
use rattleback::language::named_value;
use rattleback::mechanics::Problem;
use rattleback::report::Feeds;
use std::path::Path;

/// Reads all tables; a mistake is told with its file and line. No result may overwrite one.
pub fn read(
    problem: &Problem,
    arguments: &ModelArguments,
    inputs: &InputArguments,
    results: &[Option<&Path>],
) -> Result<Feeds, Failure> {
    let feeds = Feeds::read(problem, &inputs.input).map_err(|e| Failure::Input(e.to_string()))?;
    for (file, asked, control) in feeds.files() {
        if let Some(set) = named(&arguments.set, &control) {
            return Err(Failure::Input(format!(
                "--input {asked}: `{control}` has a value by --set {set} too; leave one of them out"
            )));
        }
        destination::spare(file, results)?;
    }
    Ok(feeds)
}

/// A control that is varied as well as fed.
pub fn check_varied(feeds: &Feeds, varied: &[String]) -> Result<(), Failure> {
    match feeds.controls().iter().find(|u| varied.contains(u)) {
        None => Ok(()),
        Some(u) => Err(Failure::Input(format!(
            "`{u}` is varied and has a table by --input: leave one of them out"
        ))),
    }
}

/// The setting `NAME=VALUE` of a name.
pub fn named<'a>(settings: &'a [String], name: &str) -> Option<&'a String> {
    let is_of = |set: &&String| named_value(set).is_some_and(|(n, _)| n == name);
    settings.iter().find(is_of)
}
