//! `rattleback discrete`: the model as a system in steps.

use crate::arguments::DiscreteArguments;
use crate::destination;
use crate::failure::Failure;
use crate::page;
use crate::reading;
use crate::recording::check_figure;
use rattleback::language::TimeOption;

/// Derives, judges, computes and shows.
pub fn run(arguments: &DiscreteArguments) -> Result<(), Failure> {
    let plot = arguments.plot.as_deref();
    destination::check(&arguments.model.model, &[plot])?;
    plot.map_or(Ok(()), check_figure)?;
    let step = arguments.step.as_deref().map(|h| (TimeOption::Step, h));
    let times: Vec<_> = step.into_iter().collect();
    let model = reading::read_with_times(&arguments.model, &times)?;
    let mut request = model
        .discrete()
        .rule(&arguments.rule)?
        .retraction(arguments.retraction.into())
        .placement(arguments.placement.into())
        .from(&arguments.from);
    if let Some(steps) = arguments.steps {
        request = request.steps(steps);
    }
    if let Some(place) = &arguments.at {
        request = request.at(place);
    }
    if plot.is_some() {
        request = request.picture();
    }
    let found = request.run()?;
    if let (Some(path), Some(figure)) = (plot, found.figure()) {
        let written = figure.write(path);
        written.map_err(|e| Failure::Computation(e.to_string()))?;
    }
    page::write(&found.document(), arguments.model.json, &arguments.page)
}
