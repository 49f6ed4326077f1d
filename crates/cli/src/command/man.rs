//! `rattleback man`: pages for `man`.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::terminal;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use rattleback::language::closest;

/// Writes the page of a command, or of the program.
pub fn run(command: Option<&str>) -> Result<(), Failure> {
    let mut program = Arguments::command();
    // Commands then know that they are `rattleback simulate`, on a page `rattleback-simulate`.
    program.build();
    let page = match command {
        None => Man::new(program),
        Some(name) => Man::new(found(&program, name)?.clone()),
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    terminal::write(&String::from_utf8_lossy(&text))
}

fn found<'a>(program: &'a Command, name: &str) -> Result<&'a Command, Failure> {
    program.find_subcommand(name).ok_or_else(|| {
        let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        let near = closest(name, names.iter().copied());
        let hint = near.map_or_else(
            || format!("commands: {}", names.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Failure::Input(format!("there is no command `{name}`; {hint}"))
    })
}
