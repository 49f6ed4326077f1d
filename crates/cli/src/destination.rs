//! Where results may go: never over the model or what else is read, nor over each other.

use crate::failure::Failure;
use std::path::Path;

/// Refuses results that would overwrite the model or another result.
pub fn check(model: &Path, results: &[Option<&Path>]) -> Result<(), Failure> {
    let results: Vec<&Path> = results.iter().flatten().copied().collect();
    for (k, result) in results.iter().enumerate() {
        if is_same(model, result) {
            return Err(Failure::Input(format!(
                "`{}` is the model: the result would overwrite it; give it another file",
                result.display()
            )));
        }
        if let Some(other) = results[..k].iter().find(|other| is_same(other, result)) {
            return Err(Failure::Input(format!(
                "`{}` and `{}` are one file: give each result its own",
                other.display(),
                result.display()
            )));
        }
    }
    Ok(())
}

/// Refuses results that would overwrite a table that is read.
pub fn spare(table: &Path, results: &[Option<&Path>]) -> Result<(), Failure> {
    match results.iter().flatten().find(|r| is_same(table, r)) {
        Some(result) => Err(Failure::Input(format!(
            "`{}` is read as an input: the result would overwrite it; give it another file",
            result.display()
        ))),
        None => Ok(()),
    }
}

/// Do both paths lead to one file, by whatever links? Devices and pipes keep nothing that could be lost.
#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) else {
        return false;
    };
    one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Do both paths lead to one file?
#[cfg(not(unix))]
fn is_same(one: &Path, other: &Path) -> bool {
    let found = (one.canonicalize(), other.canonicalize());
    matches!(found, (Ok(one), Ok(other)) if one == other && one.is_file())
}
