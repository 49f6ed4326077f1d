//! Python: named tuples for state and parameters, one function per quantity.

use std::fmt::Write;

use super::body::{Body, Statement};
use super::dialect::Dialect;
use super::formula::list;
use super::frame::{Language, pattern, rows};
use super::names::type_name;
use super::routines::{Function, Identifiers, Implicit};
use super::{Export, Variable};
use rattleback_numeric::tolerance::VANISHING_PIVOT;

const DIALECT: Dialect = Dialect {
    reserved: &[
        "t",
        "state",
        "parameters",
        "known",
        "unknown",
        "jacobian",
        "residual",
        "math",
        "State",
        "Parameters",
        "NoSolution",
        "NamedTuple",
        "START",
        "abs",
        "max",
        "len",
        "range",
        "False",
        "None",
        "True",
        "and",
        "as",
        "assert",
        "async",
        "await",
        "break",
        "class",
        "continue",
        "def",
        "del",
        "elif",
        "else",
        "except",
        "finally",
        "for",
        "from",
        "global",
        "if",
        "import",
        "in",
        "is",
        "lambda",
        "nonlocal",
        "not",
        "or",
        "pass",
        "raise",
        "return",
        "try",
        "while",
        "with",
        "yield",
        "match",
        "case",
        "type",
        "count",
        "index",
    ],
    prefix: "math.",
    logarithm: "log",
    power: "pow",
    // Only the newest versions have one.
    fused: None,
    infinity: "math.inf",
    not_a_number: "math.nan",
    pi: "math.pi",
};

/// Python 3.
pub(super) struct Python;

impl Language for Python {
    const DIALECT: Dialect = DIALECT;
    const GAP: &'static str = "\n\n";
    const START: &'static str = "START = State()\n\n\n";
    const NO_SOLUTION: &'static str = "class NoSolution(ArithmeticError):\n    \"\"\"The equations have no solution at this state.\"\"\"\n\n\n";
    const SOLVE: &'static str = include_str!("helpers/solve.py");
    const NEWTON: &'static str = include_str!("helpers/newton.py");
    const PIECE: &'static str = include_str!("helpers/piece.py");

    fn head(notes: &[String]) -> String {
        let mut out = String::from("\"\"\"");
        for note in notes {
            out += docstring(note).trim_end();
            out.push('\n');
        }
        out + "\"\"\"\n\nimport math\nfrom typing import NamedTuple\n\n\n"
    }

    fn variables(what: &Export, names: &Identifiers) -> String {
        let note = "The state, with its values at the start.";
        let state = tuple("State", note, &what.state, &names.state);
        let note = "The parameters, with their values in the model.";
        state + &tuple("Parameters", note, &what.parameters, &names.parameters)
    }

    fn table(name: &str, pieces: &[String]) -> String {
        let rows: String = pieces.iter().map(|p| format!("    ({p}),\n")).collect();
        format!(
            "# From each time on, the coefficients of a cubic in the time since then.\n{name} = (\n{rows})\n\n\n"
        )
    }

    fn record(function: &Function) -> String {
        let outputs = function.outputs.iter();
        let fields: String = outputs.map(|name| format!("    {name}: float\n")).collect();
        format!(
            "class {}(NamedTuple):\n    \"\"\"{}\"\"\"\n\n{fields}\n\n",
            Self::kind(function),
            docstring(&function.routine.note)
        )
    }

    fn implicit(equations: &Implicit) -> String {
        let mut out = format!("def _equations{}(known, unknown):\n", equations.number);
        for (names, array) in [
            (&equations.known, "known"),
            (&equations.unknowns, "unknown"),
        ] {
            if !names.is_empty() {
                let _ = writeln!(out, "    [{}] = {array}", names.join(", "));
            }
        }
        out += &statements(&equations.body);
        let (jacobian, residual) = equations.linearized();
        out + &format!(
            "    jacobian = [\n{}    ]\n    return jacobian, [{}]\n\n\n",
            rows(jacobian, equations.size),
            residual.join(", ")
        )
    }

    fn function(
        function: &Function,
        names: &Identifiers,
        outputs: &[String],
        kind: &str,
    ) -> String {
        let routine = function.routine;
        let mut out = format!(
            "def {}(t, state, parameters=Parameters()):\n    \"\"\"{}\"\"\"\n",
            routine.name,
            docstring(&routine.note)
        );
        let used = names.used(&function.body);
        for (used, from) in used.iter().zip(["state", "parameters"]) {
            for name in used {
                let _ = writeln!(out, "    {name} = {from}.{name}");
            }
        }
        for (feed, piece) in names.fed(&function.body) {
            let table = &feed.table;
            let _ = writeln!(out, "    [{}] = _piece({table}, t)", pattern(&piece));
        }
        out += &statements(&function.body);
        if function.is_scalar() {
            return out + &format!("    return {}\n", function.body.outputs.concat());
        }
        let pairs = outputs.iter().zip(&function.body.outputs);
        let fields: String = pairs.map(|(n, v)| format!("        {n}={v},\n")).collect();
        out + &format!("    return {kind}(\n{fields}    )\n")
    }

    fn kind(function: &Function) -> String {
        type_name(&function.routine.name)
    }
}

/// Text that cannot end a docstring.
fn docstring(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "'")
        .replace(['\n', '\r'], " ")
}

fn tuple(name: &str, note: &str, variables: &[Variable], names: &[String]) -> String {
    let mut out = format!("class {name}(NamedTuple):\n    \"\"\"{note}\"\"\"\n\n");
    for (variable, name) in variables.iter().zip(names) {
        let line = format!("    {name}: float = {}", DIALECT.number(variable.value));
        out += &match variable.described(name) {
            Some(note) => format!("{line}  # {}\n", note.replace(['\n', '\r'], " ")),
            None => format!("{line}\n"),
        };
    }
    out + "\n\n"
}

fn statements(body: &Body) -> String {
    let mut out = String::new();
    for statement in &body.statements {
        let _ = match statement {
            Statement::Let { name, value } => writeln!(out, "    {name} = {value}"),
            Statement::Check { value, scale } => writeln!(
                out,
                "    if not abs({value}) > {VANISHING_PIVOT:e}*abs({scale}):\n        raise NoSolution(\"the equations are singular here\")"
            ),
            Statement::Solve {
                names,
                work: [a, _],
                matrix,
                rhs,
            } => writeln!(
                out,
                "    {a} = [\n{}    ]\n    [{}] = _solve({a}, [{}])",
                rows(matrix, rhs.len()),
                pattern(names),
                list(rhs, "    ")
            ),
            Statement::Newton {
                names,
                equations,
                known,
                ..
            } => writeln!(
                out,
                "    [{}] = _newton(_equations{equations}, {}, [{}])",
                pattern(names),
                names.len(),
                list(known, "    ")
            ),
        };
    }
    out
}
