//! What `linearize` shows: the linear system about a state, along a motion, or over one turn.

mod data;
mod matrix;

pub use data::along_table;

use crate::control::{Linearization, Linearized, LinearizedAlong, Monodromy, Sample, Unheld};
use crate::document::{Block, Data, Document};
use crate::mechanics::Problem;
use crate::number::shown;
use crate::sheet::element::folded;
use matrix::{by_formulas, by_numbers, of_dense};
use rattleback_numeric::Complex;

/// Lines of a page about a motion.
const MOST_LINES: usize = 20;

/// Components of a mode that are smaller than this beside the largest are left out.
const FAINT: f64 = 1e-6;

fn titled(title: Option<&String>, name: &str, about: String) -> Document {
    let title = title.map_or(name, String::as_str);
    let mut document = Document::new(format!("{title} ({name})"));
    document.lead = vec![about];
    document
}

/// The page about a state.
pub fn document(linear: &Linearized, problem: &Problem) -> Document {
    let system = &linear.system;
    let about = format!("linear system about {}", about(linear));
    let mut at = vec![place(&system.at, problem)];
    if !system.inputs.is_empty() {
        at.push(Block::paragraph(values(&system.inputs)));
    }
    let (names, numbers) = (&system.numbers.state, &system.numbers);
    let inputs: Vec<String> = system.inputs.iter().map(|(name, _)| name.clone()).collect();
    let exact = system.exact.as_ref().ok();
    let rates: Vec<String> = names.iter().map(|n| format!("({n})'")).collect();
    let outputs = &system.outputs;
    let titled = titled(linear.title.as_ref(), &linear.name, about);
    let ordered = Document {
        order: problem.order([]),
        ..titled
    };
    let document = ordered
        .section("At", at)
        .section(
            "A",
            by_formulas(&rates, names, &numbers.a, exact.map(|s| &s.a)),
        )
        .section(
            "B",
            by_formulas(&rates, &inputs, &numbers.b, exact.map(|s| &s.b)),
        )
        .section(
            "C",
            by_formulas(outputs, names, &numbers.c, exact.map(|s| &s.c)),
        )
        .section(
            "D",
            by_formulas(outputs, &inputs, &numbers.d, exact.map(|s| &s.d)),
        )
        .section("Eigenvalues with their modes", [modes(system)])
        .section("What it tells", [Block::Lines(claims(system))]);
    regulator(document, system, names, &inputs)
        .with_notes(notes(linear))
        .with_data(Data::Plain(data::json(linear)))
}

/// What it is linear about.
fn about(linear: &Linearized) -> String {
    let steady = &linear.system.steady;
    match (linear.system.at_rest, steady.is_empty()) {
        (true, true) => "an equilibrium".to_owned(),
        (true, false) => {
            let all = steady.iter();
            let all = all.map(|c| format!("{} at rate {}", c.symmetry.name, shown(c.rate, 0.0)));
            let all = all.collect::<Vec<_>>().join(", ");
            format!("a steady motion, in the frame that moves with it: {all}")
        }
        (false, _) => "a state".to_owned(),
    }
}

/// Values in a row; elements of groups take lines of their own.
fn place(at: &[(String, f64)], problem: &Problem) -> Block {
    let all = at.iter().map(|(name, x)| (name.clone(), shown(*x, 0.0)));
    let folded = folded(problem, all.collect());
    match folded
        .iter()
        .any(|(name, _)| !at.iter().any(|(n, _)| n == name))
    {
        true => Block::Values(folded),
        false => Block::paragraph(values(at)),
    }
}

/// Names and values, none of which is broken over lines.
fn values(values: &[(String, f64)]) -> String {
    let all = values.iter();
    let all = all.map(|(name, x)| format!("{name}\u{a0}=\u{a0}{}", shown(*x, 0.0)));
    all.collect::<Vec<_>>().join(", ")
}

/// What the reader should know about the state, and what does not stay as it is there.
fn notes(linear: &Linearized) -> Vec<String> {
    let moves = "the state is no equilibrium, and no symmetry that is stated or was found carries it along: A is the Jacobian of the rates there, and \
                 neighbouring motions go by it for a short time only";
    let moves = (!linear.system.at_rest).then(|| moves.to_owned());
    let without = linear.system.without_slopes.iter();
    let without = without.map(|name| {
        format!("output {name} has no finite slopes at this state: it is left out of C and D")
    });
    let idle = linear.system.idle.join(", ");
    let idle = (!idle.is_empty()).then(|| {
        format!(
            "along {idle} the state would be carried as well: in the frame of another division of the motion among the \
             symmetries the eigenvalues are others"
        )
    });
    let changes = linear.system.changes.iter().map(ToString::to_string);
    let unheld = unheld(&linear.system);
    let first = moves.into_iter().chain(without).chain(idle).chain(unheld);
    first.chain(changes).collect()
}

/// The page of linear systems along a motion: the eigenvalues over time.
pub fn along_document(linear: &LinearizedAlong) -> Document {
    let about = "linear systems along the motion".to_owned();
    let document = titled(linear.title.as_ref(), &linear.name, about);
    let document = document.with_data(Data::Plain(data::along_json(linear)));
    let Some(first) = linear.samples.first() else {
        return document;
    };
    let stride = linear.samples.len().div_ceil(MOST_LINES).max(1);
    let row = |sample: &Sample| {
        let eigenvalues = &sample.eigenvalues;
        let scale = largest(eigenvalues);
        let all = eigenvalues.iter().map(|v| eigenvalue(v, scale));
        let time = format!("t = {}", shown(sample.time, 0.0));
        (time, all.collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<(String, String)> = linear.samples.iter().step_by(stride).map(row).collect();
    let width = rows.iter().map(|(t, _)| t.len()).max().unwrap_or(0);
    let mut eigenvalues = vec![Block::Rows(width, rows)];
    if stride > 1 {
        let samples = linear.samples.len();
        let left_out = format!("(every {stride}th of {samples} samples)");
        eigenvalues.push(Block::Lines(vec![left_out]));
    }
    document
        .section("State", [Block::paragraph(first.system.state.join(", "))])
        .section("Eigenvalues of A", eigenvalues)
}

/// The page of one turn of a periodic motion.
pub fn monodromy_document(problem: &Problem, turn: &Monodromy) -> Document {
    let about = format!("one turn of a periodic motion, of period {}", turn.period);
    let misses = format!("The motion misses its start by {:.1e}.", turn.misses);
    titled(problem.title.as_ref(), problem.system.name(), about)
        .section(
            "Monodromy matrix",
            by_numbers(&turn.state, &turn.state, &of_dense(&turn.matrix)),
        )
        .section(
            "Floquet multipliers",
            [Block::Lines(listed(&turn.multipliers))],
        )
        .section("", [Block::Lines(vec![misses])])
        .with_data(Data::Plain(data::monodromy_json(problem, turn)))
}

fn largest(values: &[Complex]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| m.max(v.modulus()))
}

fn listed(values: &[Complex]) -> Vec<String> {
    let scale = largest(values);
    values.iter().map(|v| eigenvalue(v, scale)).collect()
}

/// An eigenvalue or a component of a mode beside others of a scale. A few hundred operations have rounded it: a part of it
/// that is so small beside the other is 0. Beside other eigenvalues it may be small and right.
fn eigenvalue(v: &Complex, scale: f64) -> String {
    const OPERATIONS: f64 = 500.0;
    let own = OPERATIONS * v.modulus();
    let [re, im] = [v.re, v.im.abs()].map(|x| shown(x, own.max(scale)));
    match (re.as_str(), im.as_str()) {
        (_, "0") => re,
        ("0", _) => format!("{}{im}i", if v.im < 0.0 { "-" } else { "" }),
        _ => format!(
            "{re}\u{a0}{}\u{a0}{im}i",
            if v.im < 0.0 { '-' } else { '+' }
        ),
    }
}

/// Eigenvalues and what moves in each; of a pair the second has the conjugate mode.
fn modes(system: &Linearization) -> Block {
    let values = &system.eigen.values;
    let scale = largest(values);
    let mode = |(value, vector): (&Complex, &Vec<Complex>)| {
        let most = largest(vector);
        let names = system.numbers.state.iter().zip(vector);
        let parts = names.filter(|(_, v)| v.modulus() > FAINT * most);
        let part = |(name, v): (&String, &Complex)| {
            let scaled = Complex::new(v.re / most, v.im / most);
            format!("{name}:\u{a0}{}", eigenvalue(&scaled, 1.0))
        };
        let moved = match value.im < 0.0 {
            true => "the conjugate".to_owned(),
            false => parts.map(part).collect::<Vec<_>>().join(", "),
        };
        (eigenvalue(value, scale), moved)
    };
    let rows: Vec<(String, String)> = values.iter().zip(&system.eigen.vectors).map(mode).collect();
    let width = rows.iter().map(|(v, _)| v.len()).max().unwrap_or(0);
    Block::Rows(width, rows)
}

fn claims(system: &Linearization) -> Vec<String> {
    let mut all = Vec::new();
    if !system.inputs.is_empty() {
        all.push(("controllable", &system.claims.controllable));
        all.push(("stabilisable", &system.claims.stabilisable));
    }
    if !system.outputs.is_empty() {
        all.push(("observable", &system.claims.observable));
    }
    let said = all.into_iter().map(|(name, claim)| {
        let verdict = match claim.holds {
            Some(true) => "yes",
            Some(false) => "no",
            None => "undecided",
        };
        format!("{name}: {verdict}; {}", claim.why)
    });
    said.collect()
}

/// The regulator of the cost, where there is one.
fn regulator(
    document: Document,
    system: &Linearization,
    names: &[String],
    inputs: &[String],
) -> Document {
    let Some(regulated) = &system.regulated else {
        return document;
    };
    let found = match &regulated.continuous {
        Err(why) => {
            return document.section("Regulator", [Block::paragraph(format!("none: {why}"))]);
        }
        Ok(found) => found,
    };
    let gains = by_numbers(inputs, names, &of_dense(&found.gain));
    let document = document
        .section("Regulator u = u0 - K (x - x0)", gains)
        .section(
            "Eigenvalues of the closed loop",
            [Block::Lines(listed(&found.modes))],
        );
    let Some((step, held)) = &regulated.sampled else {
        return document;
    };
    let held = match held {
        Ok(held) => by_numbers(inputs, names, &of_dense(&held.gain)),
        Err(why) => Some(Block::paragraph(format!("none: {why}"))),
    };
    document.section(
        format!("The same with u held over each step of {step}"),
        held,
    )
}

/// What the regulator lets go, and how its gains are to be read then.
fn unheld(system: &Linearization) -> Option<String> {
    let unheld = &system.regulated.as_ref()?.unheld;
    let name = |u: &Unheld| match u.field == format!("({}: 1)", u.name) {
        true => u.name.clone(),
        false => format!("{} = {}", u.name, u.field),
    };
    let names: Vec<String> = unheld.iter().map(name).collect();
    let turns = unheld.iter().any(|u| !u.is_shift);
    let frame = match turns {
        true => "; K is in the frame that they carry along",
        false => "",
    };
    (!names.is_empty()).then(|| {
        format!(
            "the regulator does not hold where the state is along {}: neither the plant nor the cost tells{frame}",
            names.join(", ")
        )
    })
}
