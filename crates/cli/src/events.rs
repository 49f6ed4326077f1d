//! `--event` and `--stop` of the command line.

use crate::arguments::EventArguments;
use crate::failure::{BAD_INPUT, Failure};
use crate::terminal;
use rattleback::language::{AskedError, Diagnostic, Model, Source};
use rattleback::request;
use rattleback::simulation::EventSpec;

/// Reads all events; a mistake is told with its place in the argument.
pub fn read(model: &Model, arguments: &EventArguments) -> Result<Vec<EventSpec>, Failure> {
    let plain = arguments.event.iter().map(|text| (text, false));
    let all = plain.chain(arguments.stop.iter().map(|text| (text, true)));
    let read = |(text, terminal): (&String, bool)| {
        request::event(model, text, terminal).map_err(|error| match told(error) {
            Failure::Input(why) => {
                let option = if terminal { "--stop" } else { "--event" };
                Failure::Input(format!("{option} \"{text}\": {why}"))
            }
            other => other,
        })
    };
    all.map(read).collect()
}

/// A mistake in a text beside the model, told with its place.
pub fn told(error: AskedError) -> Failure {
    match error {
        AskedError::Expression(source, diagnostics) => shown(&source, &diagnostics),
        AskedError::Text(why) => Failure::Input(why),
    }
}

/// Mistakes in an expression that an option gives, shown at their places.
fn shown(source: &Source, diagnostics: &[Diagnostic]) -> Failure {
    for d in diagnostics {
        terminal::tell(&d.render(source, terminal::colours()));
    }
    Failure::Reported { code: BAD_INPUT }
}
