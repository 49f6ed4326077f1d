//! Python: named tuples for state and parameters, one function per quantity.

use std::fmt::Write;

use super::body::{Body, Statement};
use super::c::{described, is_scalar};
use super::dialect::Dialect;
use super::formula::list;
use super::names::type_name;
use super::routines::{Function, Identifiers, Implicit, can_fail, written};
use super::{Export, Variable};

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

pub(super) fn write(what: &Export) -> String {
    let names = Identifiers::new(what, &DIALECT);
    let written = written(what, &names, &DIALECT);
    let mut out = String::from("\"\"\"");
    for note in &what.notes {
        out += docstring(note).trim_end();
        out.push('\n');
    }
    out += "\"\"\"\n\nimport math\nfrom typing import NamedTuple\n\n\n";
    out += &tuple(
        "State",
        "The state, with its values at the start.",
        &what.state,
        &names.state,
    );
    let note = "The parameters, with their values in the model.";
    out += &tuple("Parameters", note, &what.parameters, &names.parameters);
    for function in written.functions.iter().filter(|f| !is_scalar(f)) {
        let fields: String = function
            .outputs
            .iter()
            .map(|name| format!("    {name}: float\n"))
            .collect();
        let _ = write!(
            out,
            "class {}(NamedTuple):\n    \"\"\"{}\"\"\"\n\n{fields}\n\n",
            type_name(&function.routine.name),
            docstring(&function.routine.note)
        );
    }
    out += "START = State()\n\n\n";
    let all = std::iter::once(&written.rates).chain(&written.functions);
    if all.map(|f| &f.body).any(can_fail) {
        out += "class NoSolution(ArithmeticError):\n    \"\"\"The equations have no solution at this state.\"\"\"\n\n\n";
    }
    if written.largest > 0 {
        out += include_str!("helpers/solve.py");
        out += "\n\n";
    }
    if written.has_implicit() {
        out += include_str!("helpers/newton.py");
        out += "\n\n";
    }
    for equations in &written.implicit {
        out += &implicit(equations);
    }
    let mut functions = vec![function(&written.rates, &names, true)];
    functions.extend(written.functions.iter().map(|f| function(f, &names, false)));
    out + &functions.join("\n\n")
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
        out += &match described(variable, name) {
            Some(note) => format!("{line}  # {}\n", note.replace(['\n', '\r'], " ")),
            None => format!("{line}\n"),
        };
    }
    out + "\n\n"
}

fn function(function: &Function, names: &Identifiers, is_rates: bool) -> String {
    let routine = function.routine;
    let kind = match is_rates {
        true => "State".to_owned(),
        false => type_name(&routine.name),
    };
    let mut out = format!(
        "def {}(t, state, parameters=Parameters()):\n    \"\"\"{}\"\"\"\n",
        routine.name,
        docstring(&routine.note)
    );
    for (used, from) in names
        .used(&function.body)
        .iter()
        .zip(["state", "parameters"])
    {
        for name in used {
            let _ = writeln!(out, "    {name} = {from}.{name}");
        }
    }
    out += &statements(&function.body);
    if is_scalar(function) {
        return out + &format!("    return {}\n", function.body.outputs.concat());
    }
    let outputs = if is_rates {
        &names.state
    } else {
        &function.outputs
    };
    let pairs = outputs.iter().zip(&function.body.outputs);
    let fields: String = pairs.map(|(n, v)| format!("        {n}={v},\n")).collect();
    out + &format!("    return {kind}(\n{fields}    )\n")
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
    let n = equations.size;
    let (jacobian, residual) = equations
        .body
        .outputs
        .split_at(equations.body.outputs.len().min(n * n));
    out + &format!(
        "    jacobian = [\n{}    ]\n    return jacobian, [{}]\n\n\n",
        rows(jacobian, n),
        residual.join(", ")
    )
}

fn rows(matrix: &[String], n: usize) -> String {
    let rows = matrix.chunks(n.max(1));
    rows.map(|row| format!("        [{}],\n", row.join(", ")))
        .collect()
}

fn statements(body: &Body) -> String {
    let mut out = String::new();
    for statement in &body.statements {
        let _ = match statement {
            Statement::Let { name, value } => writeln!(out, "    {name} = {value}"),
            Statement::Check { value, scale } => writeln!(
                out,
                "    if not abs({value}) > 1e-14*abs({scale}):\n        raise NoSolution(\"the equations are singular here\")"
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

fn pattern(names: &[Option<String>]) -> String {
    let names = names.iter().map(|name| name.as_deref().unwrap_or("_"));
    names.collect::<Vec<_>>().join(", ")
}
