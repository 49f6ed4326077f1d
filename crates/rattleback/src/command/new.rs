//! `rattleback new`: a commented starter model.

use crate::failure::Failure;
use crate::terminal;
use rattleback::language::{Source, parse};
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
    file.write_all(text.as_bytes()).map_err(refuse)?;
    let path = path.display();
    terminal::write(&format!("wrote {path}\ntry: rattleback derive {path}\n"))
}

/// The starter with this system name; a name that the language cannot read is refused.
fn starter(system: &str) -> Result<String, Failure> {
    let text = STARTER.replacen("system NAME", &format!("system {system}"), 1);
    let outcome = parse(&Source::new("starter", text.as_str()));
    match outcome.model {
        Some(model) if model.name == system => Ok(text),
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
        for name in ["", "two words", "3d", "a-b", "x\ncoord z"] {
            assert!(starter(name).is_err(), "{name}");
        }
    }
}
