//! A model with the regulator of its cost as its inputs.

use crate::control::{Carried, Linearization, Linearized};
use crate::language::{Source, parse};
use std::fmt::Write;

/// Why the law cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRegulated {
    /// There is nothing to regulate, or nothing by which.
    #[error("a regulator needs controls and a `cost`, and the loop open")]
    NoCost,
    /// The Riccati equation says no.
    #[error("there is no regulator to write: {0}")]
    NoRegulator(String),
    /// The law of a steady motion that is no translation.
    #[error(
        "the law about this steady motion is no formula of the model language: `{symmetry}` moves more than one coordinate"
    )]
    Moving {
        /// The symmetry.
        symmetry: String,
    },
    /// The law would have to turn with what it does not hold.
    #[error(
        "the law is no formula of the model language: it does not hold where the state is along `{symmetry}`, and would have to turn with it"
    )]
    Turning {
        /// The symmetry.
        symmetry: String,
    },
}

/// The text of the model with u = u0 − K (x − x0) as its inputs, in the place of those that it has. Directions of
/// a group element are read off its entries, to first order; about a steady motion x0 moves on.
pub fn regulated(linear: &Linearized, source: &Source) -> Result<String, NotRegulated> {
    let system = &linear.system;
    let regulated = system.regulated.as_ref().ok_or(NotRegulated::NoCost)?;
    let regulator = regulated.continuous.as_ref();
    let regulator = regulator.map_err(|why| NotRegulated::NoRegulator(why.to_string()))?;
    let moving = moving(system)?;
    // Where the state goes along a shift the law stays as it is, by K v = 0; along others it would have to turn.
    let turns = regulated.unheld.iter().find(|u| !u.is_shift);
    if let Some(turns) = turns {
        let symmetry = format!("{} = {}", turns.name, turns.field);
        return Err(NotRegulated::Turning { symmetry });
    }
    let law = |i: usize, u0: f64| {
        let mut law = plain(u0);
        for (j, reading) in system.readings.iter().enumerate() {
            let gain = regulator.gain[(i, j)];
            for (name, weight) in reading.iter().filter(|_| gain != 0.0) {
                let from = origin(system, name, &moving);
                let factor = gain * weight;
                let sign = if factor < 0.0 { '+' } else { '-' };
                let _ = write!(law, " {sign} {}*{from}", plain(factor.abs()));
            }
        }
        law
    };
    let mut text = source.text().to_owned();
    // The laws of the file: a setting may have replaced them in the model.
    let stated = parse(source).model.map_or_else(Vec::new, |m| m.inputs);
    let mut added = String::new();
    let mut replaced: Vec<(usize, usize, String)> = Vec::new();
    for (i, (u, u0)) in system.inputs.iter().enumerate() {
        let line = format!("{u} = {}", law(i, *u0));
        let written = stated.iter().find(|i| i.control.to_string() == *u);
        match written {
            Some(i) => replaced.push((i.span.start as usize, i.span.end as usize, line)),
            None => added += &format!("input {line}\n"),
        }
    }
    replaced.sort_by_key(|(start, _, _)| std::cmp::Reverse(*start));
    for (start, end, line) in replaced {
        text.replace_range(start..end, &line);
    }
    let text = text.trim_end();
    Ok(match added.is_empty() {
        true => format!("{text}\n"),
        false => format!(
            "{text}\n\n# The regulator of the cost about the state that it was linearised at.\n{added}"
        ),
    })
}

/// (x − x0), or (x − x0 − rate·t) for what a steady motion carries along.
fn origin(system: &Linearization, name: &str, moving: &[(String, f64)]) -> String {
    let value = system.at.iter().find(|(n, _)| n == name);
    let value = value.map_or(0.0, |(_, x)| *x);
    let rate = moving.iter().find(|(n, _)| n == name);
    match (value == 0.0, rate) {
        (true, None) => name.to_owned(),
        (_, None) => format!("({name} {})", minus(value)),
        (_, Some((_, rate))) => {
            let from = value - rate * system.time;
            format!("({name} {} {}*t)", minus(from), minus(*rate))
        }
    }
}

/// The coordinates that the symmetries of a steady motion carry along, with their speeds.
fn moving(system: &Linearization) -> Result<Vec<(String, f64)>, NotRegulated> {
    let one = |carried: &Carried| match &carried.coordinate {
        Some(q) => Ok((q.to_string(), carried.rate)),
        None => Err(NotRegulated::Moving {
            symmetry: carried.symmetry.name.clone(),
        }),
    };
    system.steady.iter().map(one).collect()
}

/// A number that the language reads: decimal, never in an exponent form that it does not know.
fn plain(x: f64) -> String {
    format!("{x:?}")
}

fn minus(x: f64) -> String {
    match x < 0.0 {
        true => format!("+ {:?}", -x),
        false => format!("- {x:?}"),
    }
}
