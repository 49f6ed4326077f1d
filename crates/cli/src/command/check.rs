//! `rattleback check`: every problem with its place, and what kind of system it is.

use crate::arguments::ModelArguments;
use crate::failure::Failure;
use crate::reading;
use crate::terminal;
use rattleback::Error;
use rattleback::summary;

/// Checks text, mechanics and start state, in this order, as far as they make sense.
pub fn run(arguments: &ModelArguments) -> Result<(), Failure> {
    let model = match reading::opened(arguments) {
        Ok(model) => model,
        Err(Error::Mistakes(mistakes)) if arguments.json => {
            let reading = &mistakes.reading;
            let value = summary::json(&reading.source, &reading.findings, None, false);
            terminal::write(&format!("{value:#}\n"))?;
            return Err(Error::Mistakes(mistakes).into());
        }
        Err(error) => return Err(error.into()),
    };
    let examination = model.check()?;
    let (reading, ok) = (&examination.reading, examination.is_ok());
    let found = examination
        .summary
        .as_ref()
        .map(|s| (&*examination.model, s));
    if arguments.json {
        let value = summary::json(&reading.source, &reading.findings, found, ok);
        terminal::write(&format!("{value:#}\n"))?;
    } else if let Some((model, summary)) = found {
        terminal::write(&summary.text(model, &reading.findings, ok))?;
    }
    examination.verdict.map_err(|e| match e {
        Error::Failed(failed) => Failure::at_other_start(failed),
        other => other.into(),
    })
}
