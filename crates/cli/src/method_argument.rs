//! The value of `--method`: a method by name, with a helpful refusal of any other word.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use rattleback::language::closest;
use rattleback::simulation::Method;
use std::ffi::OsStr;

/// Reads the name of a method.
#[derive(Clone, Copy, Debug)]
pub struct MethodParser;

impl TypedValueParser for MethodParser {
    type Value = Method;

    fn parse_ref(&self, cmd: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Method, Error> {
        let name = value.to_string_lossy();
        name.parse::<Method>()
            .map_err(|_| Error::raw(ErrorKind::InvalidValue, refusal(&name)).with_cmd(cmd))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Method::all().map(Method::name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

fn refusal(name: &str) -> String {
    let methods: Vec<&str> = Method::all().map(Method::name).collect();
    let near = closest(name, methods.iter().copied()).map_or(String::new(), |near| {
        format!("\n  help: did you mean `{near}`?")
    });
    format!(
        "there is no method `{name}`{near}\n  methods: {}\n",
        methods.join(", ")
    )
}
