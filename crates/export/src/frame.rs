//! The order of a source file in languages whose functions return records: Rust and Python.

use super::Export;
use super::dialect::Dialect;
use super::routines::{Function, Identifiers, Implicit, written};
use rattleback_compile::Table;

/// How the parts of a source file are written in one language.
pub(super) trait Language {
    /// Numbers and calls.
    const DIALECT: Dialect;
    /// What stands between two functions.
    const GAP: &'static str;
    /// What stands between the declarations of types and those of functions.
    const START: &'static str;
    /// The type of a failure.
    const NO_SOLUTION: &'static str;
    /// A function that solves linear equations.
    const SOLVE: &'static str;
    /// A function that solves other equations.
    const NEWTON: &'static str;
    /// A function that finds the piece of a table at a time.
    const PIECE: &'static str;

    /// The notes, and what the language wants at the head of a file.
    fn head(notes: &[String]) -> String;

    /// The types of state and parameters, with their values.
    fn variables(what: &Export, names: &Identifiers) -> String;

    /// A table with its pieces, one to a line.
    fn table(name: &str, pieces: &[String]) -> String;

    /// The type of a function's results.
    fn record(function: &Function) -> String;

    /// A function that gives Jacobian and residuals of equations.
    fn implicit(equations: &Implicit) -> String;

    /// A function with these names for its results.
    fn function(function: &Function, names: &Identifiers, outputs: &[String], kind: &str)
    -> String;

    /// The name of the type of a function's results.
    fn kind(function: &Function) -> String;
}

/// The whole source file.
pub(super) fn write<L: Language>(what: &Export) -> String {
    let names = Identifiers::new(what, &L::DIALECT);
    let written = written(what, &names, &L::DIALECT);
    let mut out = L::head(&what.notes) + &L::variables(what, &names);
    for (table, feed) in what.tables.iter().zip(&names.tables) {
        out += &L::table(&feed.table, &pieces(table, &L::DIALECT));
    }
    for function in written.functions.iter().filter(|f| !f.is_scalar()) {
        out += &L::record(function);
    }
    out += L::START;
    if written.can_fail() {
        out += L::NO_SOLUTION;
    }
    let helpers = [
        (written.largest > 0, L::SOLVE),
        (written.has_implicit(), L::NEWTON),
        (!what.tables.is_empty(), L::PIECE),
    ];
    for (_, helper) in helpers.iter().filter(|(is_needed, _)| *is_needed) {
        out += helper;
        out += L::GAP;
    }
    for equations in &written.implicit {
        out += &L::implicit(equations);
    }
    let mut functions = vec![L::function(&written.rates, &names, &names.state, "State")];
    let others = written.functions.iter();
    functions.extend(others.map(|f| L::function(f, &names, &f.outputs, &L::kind(f))));
    out + &functions.join(L::GAP)
}

/// Time and coefficients of each piece of a table.
pub(super) fn pieces(table: &Table, dialect: &Dialect) -> Vec<String> {
    let row = |row: [f64; 5]| row.map(|x| dialect.number(x)).join(", ");
    table.rows().map(row).collect()
}

/// The rows of a square matrix, one to a line.
pub(super) fn rows(matrix: &[String], n: usize) -> String {
    let rows = matrix.chunks(n.max(1));
    rows.map(|row| format!("        [{}],\n", row.join(", ")))
        .collect()
}

/// Names to unpack a list into; what is not used has none.
pub(super) fn pattern(names: &[Option<String>]) -> String {
    let names = names.iter().map(|name| name.as_deref().unwrap_or("_"));
    names.collect::<Vec<_>>().join(", ")
}
