//! The command reference says what the program takes: no command and no option is missing, none is made up.

use crate::arguments::Arguments;
use clap::{Arg, Command, CommandFactory};
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/reference/commands.md");

/// The part of the page under a heading of the second depth.
fn section(heading: &str) -> &'static str {
    let marker = format!("\n## {heading}\n");
    let begin = PAGE
        .find(&marker)
        .unwrap_or_else(|| panic!("no section `{heading}`"));
    let rest = &PAGE[begin + marker.len()..];
    rest.split("\n## ").next().unwrap_or(rest)
}

/// The first cells of the rows of a table.
fn first_cells(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|row| row.split(" |").next())
        .map(|cell| cell.trim_end_matches('`'))
}

/// What the page says of a command, with the shared options that it links to.
fn documented(command: &str) -> BTreeSet<String> {
    let own = section(&format!("`{command}`"));
    let shared = ["models", "motions", "events"]
        .into_iter()
        .filter(|what| own.contains(&format!("(#options-of-{what})")))
        .map(|what| section(&format!("Options of {what}")));
    shared
        .chain([own])
        .flat_map(first_cells)
        .map(str::to_owned)
        .collect()
}

/// How the page writes an option: `-o, --output FILE`.
fn written(argument: &Arg) -> String {
    let short = argument.get_short().map(|c| format!("-{c}"));
    let long = argument.get_long().map(|l| format!("--{l}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let takes = argument.is_positional() || argument.get_action().takes_values();
    let values = argument.get_value_names().filter(|_| takes);
    let value = values.map(|v| {
        v.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    });
    [names.join(", "), value.unwrap_or_default()]
        .join(" ")
        .trim()
        .to_owned()
}

fn taken(command: &Command) -> BTreeSet<String> {
    let shown = |a: &&Arg| !a.is_hide_set() && !["help", "version"].contains(&a.get_id().as_str());
    command.get_arguments().filter(shown).map(written).collect()
}

#[test]
fn every_command_and_option_is_on_the_page() {
    let mut program = Arguments::command();
    program.build();
    let commands = || program.get_subcommands().filter(|c| c.get_name() != "help");
    for command in commands() {
        let (found, wanted) = (documented(command.get_name()), taken(command));
        let missing: Vec<_> = wanted.difference(&found).collect();
        let made_up: Vec<_> = found.difference(&wanted).collect();
        let name = command.get_name();
        assert!(missing.is_empty(), "`{name}`: not on the page: {missing:?}");
        assert!(
            made_up.is_empty(),
            "`{name}`: not in the program: {made_up:?}"
        );
        let overview = format!("| [`{name}`](#{name}) |");
        assert!(PAGE.contains(&overview), "`{name}` is not in the list");
    }
    let sections = PAGE
        .lines()
        .filter_map(|l| l.strip_prefix("## `")?.strip_suffix('`'));
    let headings: BTreeSet<&str> = sections.collect();
    assert_eq!(headings, commands().map(Command::get_name).collect());
}

/// The values of an option.
fn possible(option: &str) -> BTreeSet<String> {
    let program = Arguments::command();
    let simulate = program.find_subcommand("simulate").unwrap();
    let argument = simulate.get_arguments().find(|a| a.get_id() == option);
    let values = argument.unwrap().get_possible_values();
    values.iter().map(|v| v.get_name().to_owned()).collect()
}

#[test]
fn every_form_and_method_is_on_the_page() {
    for (heading, option) in [("Forms", "form"), ("Methods", "method")] {
        let rows = section(heading)
            .lines()
            .filter_map(|l| l.strip_prefix("| "));
        let cells = rows.filter_map(|row| row.split(" |").next());
        let named: BTreeSet<String> = cells
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .map(str::to_owned)
            .collect();
        assert_eq!(named, possible(option), "{heading}");
    }
}
