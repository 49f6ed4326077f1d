//! The command line `rattleback`.

mod analysis;
mod arguments;
mod closed_output;
mod command;
mod comparison;
mod complaint;
mod destination;
mod ensemble_page;
mod events;
mod failure;
mod form_argument;
mod interrupt;
mod kind;
mod method_argument;
mod motion_page;
mod notes;
mod number;
mod preparation;
mod progress;
mod reading;
mod record;
mod recording;
mod sheet;
mod start;
mod statistics;
mod summary;
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
