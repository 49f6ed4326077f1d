//! `rattleback export`: the equations as source code or LaTeX.

use crate::arguments::{DeriveArguments, ExportArguments, Format, Language, ModelArguments};
use crate::command::derive;
use crate::destination;
use crate::failure::Failure;
use crate::input_table::Inputs;
use crate::interrupt;
use crate::preparation::Prepared;
use crate::recording::told;
use crate::terminal;
use rattleback::compile::{Motion, StartState, Variation};
use rattleback::complaint::Complaint;
use rattleback::export::{Export, Target, export};
use rattleback::mechanics::Form;
use rattleback::report::write_whole;
use rattleback::symbolic::Symbol;
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
    let mut prepared = Prepared::read(&arguments.model, arguments.form)?;
    let inputs = Inputs::read(
        &prepared.model,
        &arguments.model,
        &arguments.inputs,
        &results,
    )?;
    let tables = inputs.tables();
    prepared.feed(&tables);
    // What is exported takes controls as arguments, but for those that a law feeds along the motion.
    let (model, problem) = (&prepared.model, &prepared.problem);
    let system = &problem.driven_but(|u| problem.constant_law(u).is_some());
    let reading = &mut prepared.reading;
    let form = arguments.form.unwrap_or_else(|| Form::default_for(system));
    let equations = system
        .equations(form)
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
    let start = StartState::of(problem, system)
        .map_err(|e| reading.complain(Complaint::about_start(&e, model)))?;
    let coefficients = tables.symbols();
    let is_law = |u: &Symbol| problem.is_control(u) && problem.constant_law(u).is_none();
    let is_given = |u: &&Symbol| !is_law(u) && !coefficients.contains(u);
    let given = start.constants.iter().filter(is_given);
    let given: Vec<Symbol> = given.cloned().collect();
    let motion = Motion::new(
        problem,
        system,
        &equations,
        &start,
        Variation::of_constants(&given).with_constants(&coefficients),
    );
    let failed = |what: String| Failure::Computation(format!("cannot export {form}: {what}"));
    let state = motion
        .start(&start, &equations)
        .map_err(|e| failed(e.to_string()))?;
    let exported = Export::of_motion(problem, &motion, &start, &state, tables)
        .map_err(|e| failed(e.to_string()))?;
    let source = export(&exported, target);
    put(arguments, &model.name, form, source)
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
