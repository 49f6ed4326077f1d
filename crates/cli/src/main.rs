//! The command line `rattleback`.

mod arguments;
mod closed_output;
mod command;
mod destination;
mod events;
mod failure;
mod form_argument;
mod input_table;
mod interrupt;
mod method_argument;
mod model_file;
mod page;
mod preparation;
mod progress;
mod reading;
mod recording;
#[cfg(test)]
mod reference;
mod refusal;
mod terminal;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::survive_long_files();
    interrupt::watch();
    match arguments::Arguments::try_parse() {
        Ok(arguments) => terminal::exit(command::run(arguments)),
        Err(refusal) => {
            // Help and version come this way too; a closed pipe is nobody's mistake.
            let _ = refusal.print();
            if !refusal.use_stderr() {
                return terminal::exit(terminal::check_open());
            }
            ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(failure::BAD_INPUT))
        }
    }
}
