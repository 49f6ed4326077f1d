//! C99: structures for state and parameters, one function per quantity.

use std::fmt::Write;

use super::body::{Body, Statement};
use super::dialect::Dialect;
use super::formula::list;
use super::frame::pieces;
use super::names::identifier;
use super::routines::{Feed, Function, Identifiers, Implicit, Written, written};
use super::{Export, Variable};
use rattleback_numeric::tolerance::VANISHING_PIVOT;

const DIALECT: Dialect = Dialect {
    reserved: &[
        "t",
        "state",
        "parameters",
        "out",
        "known",
        "unknown",
        "jacobian",
        "residual",
        "solve",
        "newton",
        "piece",
        "norm",
        "LARGEST",
        "implicit_equations",
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "bool",
        "true",
        "false",
        "nullptr",
        "class",
        "new",
        "delete",
        "this",
        "template",
        "operator",
        "private",
        "public",
        "protected",
        "namespace",
        "using",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "log",
        "sqrt",
        "pow",
        "fma",
        "fabs",
        "fmax",
        "isnan",
        "isfinite",
        "NAN",
        "INFINITY",
        "NULL",
        // Macros of the compiler and of math.h outside of strict C99.
        "linux",
        "unix",
        "i386",
        "errno",
        "signbit",
        "isinf",
        "isnormal",
        "fpclassify",
        "isgreater",
        "isgreaterequal",
        "isless",
        "islessequal",
        "islessgreater",
        "isunordered",
        "math_errhandling",
        "MATH_ERRNO",
        "MATH_ERREXCEPT",
        "HUGE",
        "HUGE_VAL",
        "HUGE_VALF",
        "HUGE_VALL",
        "FP_NAN",
        "FP_INFINITE",
        "FP_ZERO",
        "FP_SUBNORMAL",
        "FP_NORMAL",
        "FP_ILOGB0",
        "FP_ILOGBNAN",
        "FP_FAST_FMA",
        "FP_FAST_FMAF",
        "FP_FAST_FMAL",
        "MAXFLOAT",
        "DOMAIN",
        "SING",
        "OVERFLOW",
        "UNDERFLOW",
        "TLOSS",
        "PLOSS",
        "X_TLOSS",
        "SNAN",
        "M_E",
        "M_LOG2E",
        "M_LOG10E",
        "M_LN2",
        "M_LN10",
        "M_PI",
        "M_PI_2",
        "M_PI_4",
        "M_1_PI",
        "M_2_PI",
        "M_2_SQRTPI",
        "M_SQRT2",
        "M_SQRT1_2",
    ],
    prefix: "",
    logarithm: "log",
    power: "pow",
    fused: Some("fma"),
    infinity: "INFINITY",
    not_a_number: "NAN",
    pi: "3.141592653589793",
};

pub(super) fn write(what: &Export) -> String {
    let names = Identifiers::new(what, &DIALECT);
    let written = written(what, &names, &DIALECT);
    let system = identifier(&what.name);
    let mut out = String::from("/*\n");
    for note in &what.notes {
        out += format!(" * {}", comment(note)).trim_end();
        out.push('\n');
    }
    out += " *\n * Every function returns 0, or 1 where the equations have no solution.\n */\n";
    out += "#include <math.h>\n\n";
    out += &structure(&format!("{system}_state"), &what.state, &names.state);
    if !what.parameters.is_empty() {
        let name = format!("{system}_parameters");
        out += &structure(&name, &what.parameters, &names.parameters);
    }
    for function in &written.functions {
        out += &output_structure(&system, function);
    }
    out += &values(
        &format!("{system}_state"),
        &format!("{system}_start"),
        &what.state,
        &names.state,
    );
    if !what.parameters.is_empty() {
        let (kind, name) = (format!("{system}_parameters"), format!("{system}_defaults"));
        out += &values(&kind, &name, &what.parameters, &names.parameters);
    }
    for (table, feed) in what.tables.iter().zip(&names.tables) {
        out += &array(&feed.table, &pieces(table, &DIALECT));
    }
    out += &helpers(&written);
    if !what.tables.is_empty() {
        out += include_str!("helpers/piece.c");
        out.push('\n');
    }
    for equations in written.implicit.iter().rev() {
        out += &implicit(equations);
    }
    let has_parameters = !what.parameters.is_empty();
    let context = Context {
        system: &system,
        names: &names,
        has_parameters,
    };
    let functions: Vec<String> = std::iter::once(&written.rates)
        .chain(&written.functions)
        .map(|f| function(&context, f, std::ptr::eq(f, &written.rates)))
        .collect();
    out + &functions.join("\n")
}

struct Context<'a> {
    system: &'a str,
    names: &'a Identifiers,
    has_parameters: bool,
}

/// Text that cannot end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
        .replace("/*", "/ *")
        .replace(['\n', '\r'], " ")
}

fn structure(name: &str, variables: &[Variable], names: &[String]) -> String {
    let mut out = String::from("typedef struct {\n");
    for (variable, name) in variables.iter().zip(names) {
        let line = format!("    double {name};");
        out += &match variable.described(name) {
            Some(note) => format!("{line:<24} /* {} */\n", comment(&note)),
            None => format!("{line}\n"),
        };
    }
    out + &format!("}} {name};\n\n")
}

fn output_structure(system: &str, function: &Function) -> String {
    if function.is_scalar() {
        return String::new();
    }
    let fields: String = function
        .outputs
        .iter()
        .map(|name| format!("    double {name};\n"))
        .collect();
    format!(
        "typedef struct {{\n{fields}}} {system}_{};\n\n",
        function.routine.name
    )
}

fn values(kind: &str, name: &str, variables: &[Variable], names: &[String]) -> String {
    let fields: String = variables
        .iter()
        .zip(names)
        .map(|(v, name)| format!("    .{name} = {},\n", DIALECT.number(v.value)))
        .collect();
    format!("static const {kind} {name} = {{\n{fields}}};\n\n")
}

/// A table with its pieces.
fn array(name: &str, pieces: &[String]) -> String {
    let rows: String = pieces.iter().map(|p| format!("    {{{p}}},\n")).collect();
    let count = pieces.len();
    format!(
        "/* From each time on, the coefficients of a cubic in the time since then. */\nstatic const double {name}[{count}][5] = {{\n{rows}}};\n\n"
    )
}

fn helpers(written: &Written) -> String {
    if written.largest == 0 {
        return String::new();
    }
    let mut out = String::from(include_str!("helpers/solve.c"));
    if written.has_implicit() {
        let _ = write!(out, "\n#define LARGEST {}\n\n", written.largest);
        out += include_str!("helpers/newton.c");
    }
    out + "\n"
}

fn function(context: &Context, function: &Function, is_rates: bool) -> String {
    let Context { system, names, .. } = context;
    let routine = function.routine;
    let result = match is_rates {
        true => format!("{system}_state"),
        false if function.is_scalar() => "double".to_owned(),
        false => format!("{system}_{}", routine.name),
    };
    let verb = if is_rates || function.is_scalar() {
        ""
    } else {
        "find_"
    };
    let indent = " ".repeat(format!("int {system}_{verb}{}(", routine.name).len());
    let parameters = match context.has_parameters {
        true => format!("{indent}const {system}_parameters *parameters,\n"),
        false => String::new(),
    };
    let mut out = format!(
        "/* {} */\nint {system}_{verb}{}(double t, const {system}_state *state,\n{parameters}{indent}{result} *out)\n{{\n",
        comment(&routine.note),
        routine.name
    );
    let [state, used] = names.used(&function.body);
    if function.body.used.first() != Some(&true) && names.fed(&function.body).next().is_none() {
        out += "    (void)t;\n";
    }
    if state.is_empty() {
        out += "    (void)state;\n";
    }
    if used.is_empty() && context.has_parameters {
        out += "    (void)parameters;\n";
    }
    for name in state {
        let _ = writeln!(out, "    const double {name} = state->{name};");
    }
    for name in used {
        let _ = writeln!(out, "    const double {name} = parameters->{name};");
    }
    for (Feed { table, row, .. }, piece) in names.fed(&function.body) {
        let count = format!("sizeof {table} / sizeof *{table}");
        let names = unpacked(&piece, row);
        let _ = writeln!(
            out,
            "    const double *{row} = piece({count}, {table}, t);{names}"
        );
    }
    out += &statements(&function.body);
    for (name, value) in function.outputs.iter().zip(&function.body.outputs) {
        let _ = match (function.is_scalar(), is_rates) {
            (true, _) => writeln!(out, "    *out = {value};"),
            // The fields of the state have their own identifiers.
            (false, true) => continue,
            (false, false) => writeln!(out, "    out->{name} = {value};"),
        };
    }
    if is_rates {
        for (name, value) in names.state.iter().zip(&function.body.outputs) {
            let _ = writeln!(out, "    out->{name} = {value};");
        }
    }
    out + "    return 0;\n}\n"
}

fn implicit(equations: &Implicit) -> String {
    let mut out = format!(
        "static int equations{}(const double *known, const double *unknown,\n                      double *jacobian, double *residual)\n{{\n",
        equations.number
    );
    let inputs = [
        (&equations.known, "known", 0),
        (&equations.unknowns, "unknown", equations.known.len()),
    ];
    for (names, array, from) in inputs {
        let used = equations.body.used.iter().skip(from);
        for (i, (name, _)) in names
            .iter()
            .zip(used)
            .enumerate()
            .filter(|(_, (_, used))| **used)
        {
            let _ = writeln!(out, "    const double {name} = {array}[{i}];");
        }
    }
    out += "    (void)known;\n    (void)unknown;\n";
    out += &statements(&equations.body);
    let entries = equations.size * equations.size;
    for (i, value) in equations.body.outputs.iter().enumerate() {
        let _ = match i.checked_sub(entries) {
            None => writeln!(out, "    jacobian[{i}] = {value};"),
            Some(i) => writeln!(out, "    residual[{i}] = {value};"),
        };
    }
    out + "    return 0;\n}\n\n"
}

fn statements(body: &Body) -> String {
    let mut out = String::new();
    for statement in &body.statements {
        let _ = match statement {
            Statement::Let { name, value } => {
                writeln!(out, "    const double {name} = {value};")
            }
            Statement::Check { value, scale } => writeln!(
                out,
                "    if (!(fabs({value}) > {VANISHING_PIVOT:e}*fabs({scale})))\n        return 1;"
            ),
            Statement::Solve {
                names,
                work: [a, x],
                matrix,
                rhs,
            } => {
                let n = rhs.len();
                let rows: Vec<String> = matrix
                    .chunks(n.max(1))
                    .map(|row| format!("        {},\n", row.join(", ")))
                    .collect();
                let rows = rows.concat();
                writeln!(
                    out,
                    "    double {a}[] = {{\n{rows}    }};\n    double {x}[] = {{{}}};\n    if (solve({n}, {a}, {x}))\n        return 1;{}",
                    list(rhs, "    "),
                    unpacked(names, x)
                )
            }
            Statement::Newton {
                names,
                work: [k, x],
                equations,
                known,
            } => {
                let (n, count) = (names.len(), known.len());
                let given = match known.is_empty() {
                    true => "0.0".to_owned(),
                    false => list(known, "    "),
                };
                writeln!(
                    out,
                    "    const double {k}[] = {{{given}}};\n    double {x}[{n}];\n    if (newton({n}, equations{equations}, {count}, {k}, {x}))\n        return 1;{}",
                    unpacked(names, x)
                )
            }
        };
    }
    out
}

fn unpacked(names: &[Option<String>], array: &str) -> String {
    let named = names.iter().enumerate();
    let lines = named.filter_map(|(i, name)| {
        let name = name.as_ref()?;
        Some(format!("\n    const double {name} = {array}[{i}];"))
    });
    lines.collect()
}
