//! `rattleback export`: the equations as source code or LaTeX.

use crate::arguments::{DeriveArguments, ExportArguments, Format, Language, ModelArguments};
use crate::command::derive;
use crate::complaint::Complaint;
use crate::destination;
use crate::failure::Failure;
use crate::interrupt;
use crate::preparation::Prepared;
use crate::recording::told;
use crate::terminal;
use rattleback::compile::export::{Export, Target, export};
use rattleback::compile::{Motion, StartState, Variation};
use rattleback::mechanics::Form;
use rattleback::report::write_whole;
use serde_json::json;

/// Derives, writes the source and puts it where it was asked for.
pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    destination::check(&arguments.model.model, &[arguments.output.as_deref()])?;
    let target = match arguments.to {
        Language::C => Target::C,
        Language::Rust => Target::Rust,
        Language::Python => Target::Python,
        Language::Latex => return latex(arguments),
    };
    let mut prepared = Prepared::read(&arguments.model)?;
    let (model, system) = (&prepared.model, &prepared.system);
    let reading = &mut prepared.reading;
    let form = arguments.form.unwrap_or_else(|| Form::default_for(system));
    let equations = system
        .equations(form)
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
    let start = StartState::of(model, system)
        .map_err(|e| reading.complain(Complaint::about_start(&e, model)))?;
    let motion = Motion::new(
        model,
        system,
        &equations,
        &start,
        Variation::of_constants(&start.constants),
    );
    let failed = |what: String| Failure::Computation(format!("cannot export {form}: {what}"));
    let state = motion
        .start(&start, &equations)
        .map_err(|e| failed(e.to_string()))?;
    let exported =
        Export::of_motion(model, &motion, &start, &state).map_err(|e| failed(e.to_string()))?;
    let source = export(&exported, target);
    put(arguments, &model.name, form, source)
}

/// The sheet of `derive`, every formula in full.
fn latex(arguments: &ExportArguments) -> Result<(), Failure> {
    let model = &arguments.model;
    let sheet = DeriveArguments {
        model: ModelArguments {
            model: model.model.clone(),
            set: model.set.clone(),
            json: false,
        },
        form: arguments.form,
        format: Format::Latex,
        full: true,
        ascii: false,
    };
    let derived = derive::derived(&sheet)?;
    put(arguments, &derived.system, derived.form, derived.text)?;
    derived.at_start
}

fn put(
    arguments: &ExportArguments,
    system: &str,
    form: Form,
    source: String,
) -> Result<(), Failure> {
    let text = match arguments.model.json {
        true => {
            let language = format!("{:?}", arguments.to).to_lowercase();
            let all = json!({ "system": system, "form": form.to_string(), "to": language, "source": source });
            format!("{all:#}\n")
        }
        false => source,
    };
    match &arguments.output {
        Some(path) => {
            interrupt::keep();
            write_whole(path, &text).map_err(told)
        }
        None => Ok(terminal::write(&text)?),
    }
}
