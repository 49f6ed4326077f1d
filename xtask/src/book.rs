//! The pages as a book, by mdBook.

use crate::{ChoreError, process, root};
use std::path::PathBuf;

/// Builds the book; a warning is a failure. Returns where it is.
pub fn build() -> Result<String, ChoreError> {
    let program = installed()?.to_string_lossy().into_owned();
    let output = process::output(&mut process::command(&program, &["build"]))?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let warned = ["WARN", "ERROR"].iter().any(|word| said.contains(word));
    if !output.status.success() || warned {
        return Err(ChoreError::Unexpected(format!("mdBook says\n{said}")));
    }
    Ok("target/book/index.html".into())
}

/// mdBook: the one of this machine, else one of our own under `target/`.
fn installed() -> Result<PathBuf, ChoreError> {
    if process::output(&mut process::command("mdbook", &["--version"])).is_ok() {
        return Ok("mdbook".into());
    }
    let folder = root().join("target/tools");
    let program = folder.join("bin/mdbook");
    if !program.exists() {
        let folder = folder.to_string_lossy();
        let arguments = [
            "install",
            "mdbook",
            "--locked",
            "--no-default-features",
            "--root",
            &folder,
        ];
        process::run(&mut process::cargo(&arguments))?;
    }
    Ok(program)
}
