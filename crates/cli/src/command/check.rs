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
            let page = summary::document(&reading.source, &reading.findings, None, false);
            terminal::show(&format!("{:#}\n", page.json(false)))?;
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
    let page = summary::document(&reading.source, &reading.findings, found, ok);
    if arguments.json {
        terminal::show(&format!("{:#}\n", page.json(false)))?;
    } else if found.is_some() {
        terminal::show(&terminal::text(&page, false))?;
    }
    examination.verdict.map_err(|e| match e {
        Error::Failed(failed) => Failure::at_other_start(failed),
        other => other.into(),
    })
}
