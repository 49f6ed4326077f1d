//! Rust: structures for state and parameters, one function per quantity.

use std::fmt::Write;

use super::body::{Body, Statement};
use super::dialect::Dialect;
use super::formula::list;
use super::frame::{Language, pattern, rows};
use super::names::type_name;
use super::routines::{Function, Identifiers, Implicit, can_fail};
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
        "solve",
        "newton",
        "piece",
        "norm",
        "START",
        "f64",
        "as",
        "async",
        "await",
        "break",
        "const",
        "continue",
        "crate",
        "dyn",
        "else",
        "enum",
        "extern",
        "false",
        "fn",
        "for",
        "gen",
        "if",
        "impl",
        "in",
        "let",
        "loop",
        "match",
        "mod",
        "move",
        "mut",
        "pub",
        "ref",
        "return",
        "self",
        "Self",
        "static",
        "struct",
        "super",
        "trait",
        "true",
        "type",
        "unsafe",
        "use",
        "where",
        "while",
        "abstract",
        "become",
        "box",
        "do",
        "final",
        "macro",
        "override",
        "priv",
        "try",
        "typeof",
        "unsized",
        "virtual",
        "yield",
        "State",
        "Parameters",
        "NoSolution",
        "Linearized",
        "Ok",
        "Err",
        "Some",
        "None",
    ],
    prefix: "f64::",
    logarithm: "ln",
    power: "powf",
    fused: Some("mul_add"),
    infinity: "f64::INFINITY",
    not_a_number: "f64::NAN",
    pi: "std::f64::consts::PI",
};

/// Rust with the standard library.
pub(super) struct Rust;

impl Language for Rust {
    const DIALECT: Dialect = DIALECT;
    const GAP: &'static str = "\n";
    const START: &'static str = "";
    const NO_SOLUTION: &'static str = "/// The equations have no solution at this state.\n\
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub struct NoSolution;\n\n";
    const SOLVE: &'static str = include_str!("helpers/solve.rust");
    const NEWTON: &'static str = include_str!("helpers/newton.rust");
    const PIECE: &'static str = include_str!("helpers/piece.rust");

    fn head(notes: &[String]) -> String {
        let mut out = String::new();
        for note in notes {
            out += format!("//! {}", one_line(note)).trim_end();
            out.push('\n');
        }
        out + "\n#![allow(dead_code, non_snake_case, unused_variables)]\n\n"
    }

    fn variables(what: &Export, names: &Identifiers) -> String {
        let mut out = structure("State", "The state.", &what.state, &names.state);
        let _ = write!(
            out,
            "/// The state at the start.\npub const START: State = State {{\n{}}};\n\n",
            values(&what.state, &names.state)
        );
        out += &structure(
            "Parameters",
            "The parameters.",
            &what.parameters,
            &names.parameters,
        );
        let _ = write!(
            out,
            "impl Default for Parameters {{\n    fn default() -> Self {{\n        Parameters {{\n{}        }}\n    }}\n}}\n\n",
            values(&what.parameters, &names.parameters).replace("    ", "            ")
        );
        out
    }

    fn table(name: &str, pieces: &[String]) -> String {
        let rows: String = pieces.iter().map(|p| format!("    [{p}],\n")).collect();
        let count = pieces.len();
        format!(
            "/// From each time on, the coefficients of a cubic in the time since then.\npub static {name}: [[f64; 5]; {count}] = [\n{rows}];\n\n"
        )
    }

    fn record(function: &Function) -> String {
        let outputs = function.outputs.iter();
        let fields: String = outputs
            .map(|name| format!("    pub {name}: f64,\n"))
            .collect();
        format!(
            "/// {}\n{DERIVES}pub struct {} {{\n{fields}}}\n\n",
            one_line(&function.routine.note),
            Self::kind(function)
        )
    }

    fn implicit(equations: &Implicit) -> String {
        let (n, known) = (equations.size, equations.known.len());
        let mut out = format!(
            "fn equations{}(known: &[f64; {known}], unknown: &[f64; {n}]) -> Result<Linearized<{n}>, NoSolution> {{\n",
            equations.number
        );
        for (names, array) in [
            (&equations.known, "known"),
            (&equations.unknowns, "unknown"),
        ] {
            let _ = writeln!(out, "    let [{}] = *{array};", names.join(", "));
        }
        out += &statements(&equations.body);
        let (jacobian, residual) = equations.linearized();
        let _ = write!(
            out,
            "    let jacobian = [\n{}    ];\n    Ok((jacobian, [{}]))\n}}\n\n",
            rows(jacobian, n),
            residual.join(", ")
        );
        out
    }

    fn function(
        function: &Function,
        names: &Identifiers,
        outputs: &[String],
        kind: &str,
    ) -> String {
        let routine = function.routine;
        let fails = can_fail(&function.body);
        let result = match fails {
            true => format!("Result<{kind}, NoSolution>"),
            false => kind.to_owned(),
        };
        let mut out = format!(
            "/// {}\npub fn {}(t: f64, state: &State, parameters: &Parameters) -> {result} {{\n",
            one_line(&routine.note),
            routine.name
        );
        let used = names.used(&function.body);
        let sources = [("State", "state"), ("Parameters", "parameters")];
        for (used, (kind, from)) in used
            .iter()
            .zip(sources)
            .filter(|(used, _)| !used.is_empty())
        {
            let list: Vec<&str> = used.iter().map(|name| name.as_str()).collect();
            let _ = writeln!(
                out,
                "    let {kind} {{ {}, .. }} = *{from};",
                list.join(", ")
            );
        }
        for (feed, piece) in names.fed(&function.body) {
            let table = &feed.table;
            let _ = writeln!(out, "    let [{}] = piece(&{table}, t);", pattern(&piece));
        }
        out += &statements(&function.body);
        let value = match function.is_scalar() {
            true => function.body.outputs.concat(),
            false => {
                let pairs = outputs.iter().zip(&function.body.outputs);
                let field = |(name, value): (&String, &String)| match name == value {
                    true => format!("        {name},\n"),
                    false => format!("        {name}: {value},\n"),
                };
                let fields: String = pairs.map(field).collect();
                format!("{kind} {{\n{fields}    }}")
            }
        };
        let _ = match fails {
            true => writeln!(out, "    Ok({value})"),
            false => writeln!(out, "    {value}"),
        };
        out + "}\n"
    }

    fn kind(function: &Function) -> String {
        match function.is_scalar() {
            true => "f64".to_owned(),
            false => type_name(&function.routine.name),
        }
    }
}

const DERIVES: &str = "#[derive(Clone, Copy, Debug, PartialEq)]\n";

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn structure(name: &str, note: &str, variables: &[Variable], names: &[String]) -> String {
    let mut out = format!("/// {note}\n{DERIVES}pub struct {name} {{\n");
    for (variable, name) in variables.iter().zip(names) {
        if let Some(note) = variable.described(name) {
            // Brackets are links in documentation.
            let note = one_line(&note).replace('[', "\\[").replace(']', "\\]");
            let _ = writeln!(out, "    /// {note}");
        }
        let _ = writeln!(out, "    pub {name}: f64,");
    }
    out + "}\n\n"
}

fn values(variables: &[Variable], names: &[String]) -> String {
    let pairs = variables.iter().zip(names);
    pairs
        .map(|(v, name)| format!("    {name}: {},\n", DIALECT.number(v.value)))
        .collect()
}

fn statements(body: &Body) -> String {
    let mut out = String::new();
    for statement in &body.statements {
        let _ = match statement {
            Statement::Let { name, value } => writeln!(out, "    let {name} = {value};"),
            Statement::Check { value, scale } => writeln!(
                out,
                "    let large_enough = f64::abs({value}) > {VANISHING_PIVOT:e} * f64::abs({scale});\n    if !large_enough {{\n        return Err(NoSolution);\n    }}"
            ),
            Statement::Solve {
                names,
                work: [a, _],
                matrix,
                rhs,
            } => writeln!(
                out,
                "    let {a} = [\n{}    ];\n    let [{}] = solve({a}, [{}])?;",
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
                "    let [{}] = newton(equations{equations}, [{}])?;",
                pattern(names),
                list(known, "    ")
            ),
        };
    }
    out
}
