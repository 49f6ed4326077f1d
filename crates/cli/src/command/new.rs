//! `rattleback new`: a commented starter model.

use crate::failure::Failure;
use crate::terminal;
use rattleback::language::{Source, parse, reserved};
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

const STARTER: &str = include_str!("starter.mech");

/// Writes NAME.mech; the last part of the path is the name of the system.
pub fn run(name: &Path) -> Result<(), Failure> {
    let path = match name.extension() {
        Some(extension) if extension == "mech" => name.to_path_buf(),
        _ => {
            let mut whole = name.as_os_str().to_owned();
            whole.push(".mech");
            whole.into()
        }
    };
    let system = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let text = starter(system)?;
    let refuse = |error: std::io::Error| {
        let path = path.display();
        Failure::Input(match error.kind() {
            ErrorKind::AlreadyExists => {
                format!("`{path}` exists already; choose another name or remove it first")
            }
            _ => format!("cannot write `{path}`: {error}"),
        })
    };
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(refuse)?;
    if let Err(error) = file.write_all(text.as_bytes()) {
        // Half a model would stand in the way of the next try; that it cannot be removed adds nothing to what is said.
        let _ = std::fs::remove_file(&path);
        let path = path.display();
        return Err(Failure::Computation(format!(
            "cannot write `{path}`: {error}"
        )));
    }
    let path = path.display();
    terminal::write(&format!("wrote {path}\ntry: rattleback derive {path}\n"))
}

/// The starter with this system name, in its ASCII spelling; a name that the language cannot read is refused.
fn starter(system: &str) -> Result<String, Failure> {
    let named = |name: &str| STARTER.replacen("system NAME", &format!("system {name}"), 1);
    // Only one word: a blank or a line end would add to the model.
    let one_word = system.chars().all(|c| c.is_alphanumeric() || c == '_');
    let model = one_word
        .then(|| parse(&Source::new("starter", named(system))).model)
        .flatten();
    match model {
        Some(model) if reserved(&model.name).is_none() => Ok(named(&model.name)),
        _ => Err(Failure::Input(format!(
            "`{system}` is no name for a system: use letters, digits and `_`, a letter first, and no word that means something else"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starter_has_no_findings() {
        let text = starter("sleigh").unwrap();
        let outcome = parse(&Source::new("sleigh.mech", text));
        assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    }

    #[test]
    fn bad_names_are_refused() {
        for name in [
            "",
            "two words",
            "3d",
            "a-b",
            "x\ncoord z",
            "sin",
            "t",
            "π",
            "param",
            "ẋ",
        ] {
            assert!(starter(name).is_err(), "{name}");
        }
    }

    #[test]
    fn greek_names_are_spelled_out() {
        assert!(starter("θ").unwrap().contains("\nsystem theta"));
    }
}
