//! `rattleback export`: the equations as source code or LaTeX.

use crate::arguments::{DeriveArguments, ExportArguments, Format, Language, ModelArguments};
use crate::command::derive;
use crate::destination;
use crate::failure::Failure;
use crate::input_table;
use crate::interrupt;
use crate::reading;
use crate::recording::told;
use crate::terminal;
use rattleback::export::Target;
use rattleback::mechanics::Form;
use rattleback::report::write_whole;
use serde_json::json;

/// Derives, writes the source and puts it where it was asked for.
pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let results = [arguments.output.as_deref()];
    destination::check(&arguments.model.model, &results)?;
    if arguments.standalone && arguments.to != Language::Latex {
        let why = "--standalone is for --to latex: code stands alone as it is; leave it out";
        return Err(Failure::Input(why.into()));
    }
    let target = match arguments.to {
        Language::C => Target::C,
        Language::Rust => Target::Rust,
        Language::Python => Target::Python,
        Language::Latex => return latex(arguments),
    };
    let model = reading::read(&arguments.model)?;
    let mut prepared = model.prepare(arguments.form)?;
    let feeds = input_table::read(
        &prepared.problem,
        &arguments.model,
        &arguments.inputs,
        &results,
    )?;
    let (form, source) = model.export_in(&mut prepared, arguments.form, target, feeds.tables())?;
    put(arguments, prepared.problem.system.name(), form, source)
}

/// The sheet of `derive`, every formula in full.
fn latex(arguments: &ExportArguments) -> Result<(), Failure> {
    if !arguments.inputs.input.is_empty() {
        let why = "--input is for code: formulas have no tables; leave it out with --to latex";
        return Err(Failure::Input(why.into()));
    }
    let model = &arguments.model;
    let sheet = DeriveArguments {
        model: ModelArguments {
            model: model.model.clone(),
            set: model.set.clone(),
            json: false,
        },
        form: arguments.form,
        shortest: false,
        format: Format::Latex,
        full: true,
        standalone: arguments.standalone,
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
