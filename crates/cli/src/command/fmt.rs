//! `rattleback fmt`: model files in the standard layout.

use crate::failure::{BAD_INPUT, COMPUTATION_FAILED, Failure};
use crate::interrupt;
use crate::model_file::{self, is_standard_input};
use crate::terminal;
use rattleback::language::{Source, format};
use rattleback::report::write_whole;
use std::path::{Path, PathBuf};

/// Formats every file, or with `check` names those that would change. A file with errors is left alone; standard input
/// goes to standard output.
pub fn run(files: &[PathBuf], check: bool) -> Result<(), Failure> {
    let mut worst = 0;
    for file in files {
        match formatted(file) {
            Ok((source, text)) if check => {
                if source.text() != text {
                    terminal::write(&format!(
                        "{} is not in the standard layout\n",
                        source.name()
                    ))?;
                    worst = worst.max(COMPUTATION_FAILED);
                }
            }
            Ok((_, text)) if is_standard_input(file) => terminal::write(&text)?,
            Ok((source, text)) if source.text() == text => {}
            Ok((_, text)) => {
                interrupt::keep();
                if let Err(error) = write_whole(file, &text) {
                    terminal::tell(&format!("error: {error}"));
                    worst = worst.max(COMPUTATION_FAILED);
                }
            }
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

/// The text of a file, and the same in the standard layout.
fn formatted(file: &Path) -> Result<(Source, String), String> {
    let source = model_file::read(file).map_err(|e| format!("error: {e}"))?;
    let text = format(source.text()).map_err(|all| -> String {
        all.iter()
            .map(|d| d.render(&source, terminal::colours()))
            .collect()
    })?;
    Ok((source, text))
}
