//! A measurement as a command: arguments in, one line of JSON out.

use std::fmt::Display;
use std::process::ExitCode;

/// Runs a measurement with the arguments of the process and prints what it gives.
pub fn run<E: Display>(measure: fn(&[String]) -> Result<serde_json::Value, E>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match measure(&arguments) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}
