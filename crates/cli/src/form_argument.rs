//! The value of `--form`: a formulation by name, with a helpful refusal of any other word.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use rattleback::language::closest;
use rattleback::mechanics::Form;
use std::ffi::OsStr;

/// Reads the name of a formulation.
#[derive(Clone, Copy, Debug)]
pub struct FormParser;

impl TypedValueParser for FormParser {
    type Value = Form;

    fn parse_ref(&self, cmd: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Form, Error> {
        let name = value.to_string_lossy();
        name.parse::<Form>()
            .map_err(|_| Error::raw(ErrorKind::InvalidValue, refusal(&name)).with_cmd(cmd))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            Form::ALL
                .into_iter()
                .map(|form| PossibleValue::new(form.name())),
        ))
    }
}

/// Why a word is no formulation here, what was probably meant, and what there is.
fn refusal(name: &str) -> String {
    let forms = Form::ALL.map(Form::name);
    let known = forms.join(", ");
    let near = closest(name, forms).map_or(String::new(), |near| {
        format!("\n  help: did you mean `{near}`?")
    });
    format!("there is no form `{name}`{near}\n  forms: {known}\n")
}
