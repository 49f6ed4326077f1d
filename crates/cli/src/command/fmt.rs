//! `rattleback fmt`: model files in the standard layout.

use crate::failure::{BAD_INPUT, COMPUTATION_FAILED, Failure};
use crate::interrupt;
use crate::terminal;
use rattleback::language::{format, load};
use rattleback::report::write_whole;
use std::path::{Path, PathBuf};

/// Formats every file, or with `check` names those that would change. A file with errors is left alone.
pub fn run(files: &[PathBuf], check: bool) -> Result<(), Failure> {
    let mut worst = 0;
    for file in files {
        match formatted(file) {
            Ok(Some(_)) if check => {
                terminal::write(&format!(
                    "{} is not in the standard layout\n",
                    file.display()
                ))?;
                worst = worst.max(COMPUTATION_FAILED);
            }
            Ok(Some(text)) => {
                interrupt::keep();
                if let Err(error) = write_whole(file, &text) {
                    terminal::tell(&format!("error: {error}"));
                    worst = worst.max(COMPUTATION_FAILED);
                }
            }
            Ok(None) => {}
            Err(message) => {
                terminal::tell(&message);
                worst = worst.max(BAD_INPUT);
            }
        }
    }
    match worst {
        0 => Ok(()),
        code => Err(Failure::Reported { code }),
    }
}

/// The file in the standard layout, if that differs from what it is.
fn formatted(file: &Path) -> Result<Option<String>, String> {
    let source = load(file).map_err(|e| format!("error: {e}"))?;
    let text = format(source.text()).map_err(|all| -> String {
        all.iter()
            .map(|d| d.render(&source, terminal::colours()))
            .collect()
    })?;
    Ok((text != source.text()).then_some(text))
}
