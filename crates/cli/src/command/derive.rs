//! `rattleback derive`: the exact equations in one formulation.

use crate::arguments::{DeriveArguments, Format};
use crate::failure::Failure;
use crate::reading;
use crate::terminal;
use rattleback::mechanics::Form;
use rattleback::session::Derivation;
use rattleback::sheet::Sheet;

/// Derives, evaluates at the start and writes the sheet. If the start cannot be evaluated, the
/// equations are written all the same.
pub fn run(arguments: &DeriveArguments) -> Result<(), Failure> {
    let derived = derived(arguments)?;
    terminal::show(&derived.text)?;
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
    let model = reading::read(&arguments.model)?;
    let derivation = match arguments.shortest {
        true => model.derive_shortest()?,
        false => model.derive(arguments.form)?,
    };
    Ok(Derived {
        text: written(&derivation, arguments),
        system: derivation.problem.system.name().to_owned(),
        form: derivation.form,
        at_start: derivation
            .at_start
            .map(|_| ())
            .map_err(Failure::at_other_start),
    })
}

fn written(derivation: &Derivation, arguments: &DeriveArguments) -> String {
    let sheet = Sheet {
        full: arguments.full,
        ..derivation.sheet()
    };
    match arguments.format {
        format if arguments.model.json => {
            let all = sheet.json(format == Format::Mathml);
            format!("{all:#}\n")
        }
        Format::Text => terminal::text(&sheet.document(), !arguments.ascii),
        Format::Latex if arguments.standalone => sheet.document().latex_page(),
        Format::Latex => sheet.latex(),
        Format::Mathml => sheet.mathml(),
    }
}
