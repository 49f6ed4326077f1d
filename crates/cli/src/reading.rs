//! Reading the model of a command line: what is found in it is told as it is found.

use crate::arguments::ModelArguments;
use crate::failure::Failure;
use crate::interrupt;
use crate::model_file;
use crate::terminal;
use rattleback::language::{Source, TimeOption};
use rattleback::reading::Finding;
use rattleback::symbolic::Cancel;
use rattleback::{Error, Model, Session};

/// The session of the program: it obeys signals and tells what is found.
pub fn session() -> Session {
    Session::new()
        .cancelled_by(&Cancel::watching(interrupt::flag()))
        .naming(option)
        .on_finding(tell)
}

/// Reads a model file and applies the settings.
pub fn read(arguments: &ModelArguments) -> Result<Model, Failure> {
    Ok(opened(arguments)?)
}

/// The same for who wants to say more about what is wrong.
pub fn opened(arguments: &ModelArguments) -> Result<Model, Error> {
    open(arguments)?.set_all(&arguments.set, &[])
}

/// Reads a model file with the options that set the time.
pub fn read_with_times(
    arguments: &ModelArguments,
    times: &[(TimeOption, &str)],
) -> Result<Model, Failure> {
    Ok(open(arguments)?.set_all(&arguments.set, times)?)
}

fn open(arguments: &ModelArguments) -> Result<Model, Error> {
    session().read_source(model_file::read(&arguments.model)?)
}

/// The option that a text comes from.
fn option(name: &str) -> String {
    match name {
        Source::SETTING => "--set".into(),
        other => format!("--{other}"),
    }
}

fn tell(finding: &Finding) {
    let text = finding
        .diagnostic
        .render(&finding.source, terminal::colours());
    terminal::tell(&text);
}
