//! `rattleback derive`: the exact equations in one formulation.

use crate::arguments::{DeriveArguments, Format};
use crate::complaint::{self, Complaint};
use crate::failure::Failure;
use crate::kind::Kind;
use crate::notes;
use crate::reading::Reading;
use crate::sheet::Sheet;
use crate::start::AtStart;
use crate::terminal;
use rattleback::compile::{StartError, StartState};
use rattleback::language::Model;
use rattleback::mechanics::{Form, MechanicsError, System};

/// Derives, evaluates at the start and writes the sheet. If the start cannot be evaluated, the
/// equations are written all the same.
pub fn run(arguments: &DeriveArguments) -> Result<(), Failure> {
    let derived = derived(arguments)?;
    terminal::write(&derived.text)?;
    derived.at_start
}

/// A sheet as text.
pub struct Derived {
    /// The name of the system.
    pub system: String,
    /// The formulation.
    pub form: Form,
    /// The sheet.
    pub text: String,
    /// Whether the start can be evaluated.
    pub at_start: Result<(), Failure>,
}

/// Derives and writes the sheet as text.
pub fn derived(arguments: &DeriveArguments) -> Result<Derived, Failure> {
    let mut reading = Reading::of(&arguments.model)?;
    let model = reading.take_model()?;
    let built = System::from_model(&model).map_err(|e| mechanics(&mut reading, &e, &model))?;
    let system = built.system;
    let mut notes: Vec<String> = Vec::new();
    for remark in &built.remarks {
        let diagnostic = complaint::remark(remark, &model);
        notes.push(format!(
            "line {}: {}",
            diagnostic.line(&reading.source),
            remark.message
        ));
        reading.add(diagnostic);
    }
    system
        .check_regular()
        .map_err(|e| mechanics(&mut reading, &e, &model))?;
    let form = arguments.form.unwrap_or_else(|| Form::default_for(&system));
    let equations = system
        .equations(form)
        .map_err(|e| mechanics(&mut reading, &e, &model))?;
    let start =
        StartState::of(&model, &system).map_err(|e| start_state(&mut reading, &e, &model))?;
    let at_start = AtStart::of(&model, &start, &equations);

    notes.extend(equations.notes.iter().cloned());
    notes.extend(notes::on_unused(&model, form));
    if let Ok(at_start) = &at_start {
        let message = |name: &String| {
            format!("`observe {name}` needs more than the state and has no value at the start")
        };
        notes.extend(at_start.unobserved.iter().map(message));
    }
    let explicit = equations.explicit();
    let shown = match arguments.model.json {
        true => explicit,
        false => system.spoken(&explicit),
    };
    let sheet = Sheet {
        model: &model,
        kind: &Kind::of(&model, &system),
        equations: &shown,
        frame: system.frame_names(),
        at_start: at_start.as_ref().ok(),
        notes,
        full: arguments.full,
    };
    Ok(Derived {
        text: written(&sheet, arguments),
        system: model.name.clone(),
        form,
        at_start: at_start.map(|_| ()),
    })
}

fn written(sheet: &Sheet, arguments: &DeriveArguments) -> String {
    match arguments.format {
        format if arguments.model.json => format!("{:#}\n", sheet.json(format == Format::Mathml)),
        Format::Text => sheet.text(!arguments.ascii),
        Format::Latex => sheet.latex(),
        Format::Mathml => sheet.mathml(),
    }
}

fn mechanics(reading: &mut Reading, error: &MechanicsError, model: &Model) -> Failure {
    reading.complain(Complaint::about_mechanics(error, model))
}

fn start_state(reading: &mut Reading, error: &StartError, model: &Model) -> Failure {
    reading.complain(Complaint::about_start(error, model))
}
