//! Pulses that the model states as functions of time, and that are over before a step would meet them.
//!
//! exp(−((t − c)/w)²) is narrow, but its argument is not: the places where the arguments of functions and powers
//! vanish or turn are found on a coarse grid, and the function is looked at there. What it does between such places
//! it does slowly enough for the error estimates of adaptive steps.

use super::options::Horizon;
use rattleback_compile::StartState;
use rattleback_language::Model;
use rattleback_symbolic::{Expr, Function, Kind, Set, Symbol, Tape, postorder};

/// How many times at least, and at most, the arguments are looked at.
const LEAST_TIMES: f64 = 512.0;
const MOST_TIMES: f64 = 16_384.0;
/// Bisections to find a place.
const BISECTIONS: u32 = 60;
/// A peak is one if it is higher than this part of what is around it.
const PEAK: f64 = 1e-6;
/// It is narrow if no more than this part of it is left half of the spacing beside it.
const LEFT: f64 = 0.1;
/// Longer formulas are not shown.
const LONGEST: usize = 60;

/// The time between rows, and from when to when.
#[derive(Clone, Copy, Debug)]
struct Times {
    pub from: f64,
    pub until: f64,
    pub spacing: f64,
}

/// Warnings of pulses that steps as long as the rows are apart may miss, for the values of the model.
pub(crate) fn cautions(model: &Model, start: &StartState, horizon: &Horizon) -> Vec<String> {
    let constants = start.constants.iter().cloned();
    let constants: Vec<(Symbol, f64)> = constants.zip(start.constant_values.clone()).collect();
    let times = Times {
        from: horizon.from,
        until: horizon.until,
        spacing: horizon.step,
    };
    warnings(model, &constants, times)
}

/// Warnings of pulses that steps as long as the spacing may miss.
fn warnings(model: &Model, constants: &[(Symbol, f64)], times: Times) -> Vec<String> {
    let forces = model.forces.iter().flat_map(|force| &force.components);
    let stated: Vec<Expr> = std::iter::once(model.lagrangian.clone())
        .chain(forces.map(|(_, component)| component.clone()))
        .chain(model.constraints.iter().map(|c| c.expr.clone()))
        .collect();
    let known: Set<Symbol> = constants.iter().map(|(s, _)| s.clone()).collect();
    let mut all = Vec::new();
    for signal in signals(&stated, &known) {
        all.extend(warning(&signal, constants, times));
    }
    all
}

/// The largest parts of expressions that time and constants alone determine.
fn signals(stated: &[Expr], known: &Set<Symbol>) -> Vec<Expr> {
    let order = postorder(stated, |_| true);
    let mut determined: Set<Expr> = Set::default();
    let mut timed: Set<Expr> = Set::default();
    for e in &order {
        let (mut all, mut any) = (true, false);
        e.kind().for_each_child(|child| {
            all &= determined.contains(child);
            any |= timed.contains(child);
        });
        if let Kind::Symbol(s) = e.kind() {
            any = *s == Symbol::time();
            all = any || known.contains(s);
        }
        if all {
            determined.insert(e.clone());
        }
        if all && any {
            timed.insert(e.clone());
        }
    }
    let mut found = Vec::new();
    let mut add = |signal: Expr| {
        if signal.as_symbol().is_none() && !found.contains(&signal) {
            found.push(signal);
        }
    };
    stated
        .iter()
        .filter(|e| timed.contains(*e))
        .for_each(|e| add(e.clone()));
    for e in order.iter().filter(|e| !timed.contains(*e)) {
        match e.kind() {
            // What is added up may cancel: two edges make a pulse.
            Kind::Sum(_, terms) => {
                let here = terms.iter().filter(|(t, _)| timed.contains(t));
                let sum = Expr::linear_combination(here.cloned());
                if !sum.is_zero() {
                    add(sum);
                }
            }
            kind => kind.for_each_child(|child| {
                if timed.contains(child) {
                    add(child.clone());
                }
            }),
        }
    }
    found
}

/// The warning of one signal, if there is a pulse in it.
fn warning(signal: &Expr, constants: &[(Symbol, f64)], times: Times) -> Option<String> {
    let value = Evaluated::new(std::slice::from_ref(signal), constants)?;
    let value = |t: f64| value.at(t)[0];
    let mut places = places(signal, constants, times)?;
    places.sort_by(f64::total_cmp);
    let between: Vec<f64> = places
        .windows(2)
        .filter(|pair| pair[1] - pair[0] < times.spacing)
        .map(|pair| f64::midpoint(pair[0], pair[1]))
        .collect();
    places.extend(between);
    places.sort_by(f64::total_cmp);
    places.dedup();
    let narrow: Vec<f64> = places
        .into_iter()
        .filter(|&t| is_narrow(&value, t, times.spacing))
        .collect();
    let &first = narrow.first()?;
    let width = width(&value, first, times.spacing);
    let text = signal.to_string();
    let what = match text.chars().count() > LONGEST {
        true => "a function of time in the model".to_owned(),
        false => format!("`{text}`"),
    };
    let more = match narrow.len() {
        1 => String::new(),
        n => format!(" and at {} other times", n - 1),
    };
    Some(format!(
        "{what} has a peak at t = {first}{more} that is {width:.1e} wide, while rows are {} apart: steps may miss it; \
         meet it with --step {width:.0e}",
        times.spacing
    ))
}

/// Is there something at a time of which little is left beside it?
fn is_narrow(value: &impl Fn(f64) -> f64, t: f64, spacing: f64) -> bool {
    let around = |d: f64| f64::midpoint(value(t - d), value(t + d));
    let far = around(spacing);
    let peak = (value(t) - far).abs();
    let left = (around(spacing / 2.0) - far).abs();
    // What has no value anywhere near is told by the motion itself.
    peak.is_finite() && peak > PEAK * far.abs() && peak > f64::MIN_POSITIVE && left <= LEFT * peak
}

/// How long more than half of a peak lasts.
fn width(value: &impl Fn(f64) -> f64, t: f64, spacing: f64) -> f64 {
    let far = f64::midpoint(value(t - spacing), value(t + spacing));
    let half = (value(t) - far).abs() / 2.0;
    let (mut inside, mut outside) = (0.0, spacing / 2.0);
    for _ in 0..BISECTIONS {
        let d = f64::midpoint(inside, outside);
        let here = (f64::midpoint(value(t - d), value(t + d)) - far).abs();
        *if here > half {
            &mut inside
        } else {
            &mut outside
        } = d;
    }
    2.0 * inside
}

/// The times at which arguments of functions and bases of powers vanish or turn.
fn places(signal: &Expr, constants: &[(Symbol, f64)], times: Times) -> Option<Vec<f64>> {
    let mut arguments: Vec<Expr> = Vec::new();
    for e in postorder(std::slice::from_ref(signal), |_| true) {
        match e.kind() {
            // Oscillations do not pass: error estimates meet them.
            Kind::Function(Function::Sin | Function::Cos, _) => {}
            Kind::Function(_, x) => arguments.extend(x.iter().cloned()),
            // Whole powers add no peaks to what their bases have.
            Kind::Product(powers) => {
                let steep = powers
                    .iter()
                    .filter(|(_, r)| r.is_negative() || !r.is_integer());
                arguments.extend(steep.map(|(base, _)| base.clone()));
            }
            _ => {}
        }
    }
    arguments.retain(|x| x.contains(&Symbol::time()));
    let rates = arguments.iter().map(|x| x.diff(&Symbol::time()));
    let watched: Vec<Expr> = arguments.iter().cloned().chain(rates).collect();
    let watched = Evaluated::new(&watched, constants)?;
    let span = times.until - times.from;
    let count = (span / times.spacing).clamp(LEAST_TIMES, MOST_TIMES).ceil();
    let at = |k: f64| times.from + span * k / count;
    let mut found = Vec::new();
    let mut before = watched.at(at(0.0));
    for k in 1..=count as u32 {
        let (begin, end) = (at(f64::from(k - 1)), at(f64::from(k)));
        let here = watched.at(end);
        for (which, (a, b)) in before.iter().zip(&here).enumerate() {
            if *a == 0.0 {
                found.push(begin);
            } else if a * b < 0.0 {
                found.push(zero(&|t| watched.at(t)[which], begin, end));
            }
        }
        before = here;
    }
    Some(found)
}

/// Where a function changes its sign.
fn zero(f: &impl Fn(f64) -> f64, mut begin: f64, mut end: f64) -> f64 {
    let negative = f(begin) < 0.0;
    for _ in 0..BISECTIONS {
        let t = f64::midpoint(begin, end);
        *if (f(t) < 0.0) == negative {
            &mut begin
        } else {
            &mut end
        } = t;
    }
    f64::midpoint(begin, end)
}

/// Functions of time, as numbers.
struct Evaluated {
    tape: Tape,
    constants: Vec<f64>,
}

impl Evaluated {
    fn new(all: &[Expr], constants: &[(Symbol, f64)]) -> Option<Self> {
        let symbols: Vec<Symbol> = constants
            .iter()
            .map(|(s, _)| s.clone())
            .chain([Symbol::time()])
            .collect();
        Some(Evaluated {
            tape: Tape::new(&symbols, all).ok()?,
            constants: constants.iter().map(|(_, value)| *value).collect(),
        })
    }

    fn at(&self, t: f64) -> Vec<f64> {
        let mut inputs = self.constants.clone();
        inputs.push(t);
        self.tape.evaluate(&inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_language::{Source, Values, parse};

    fn warned(force: &str, spacing: f64) -> Vec<String> {
        let text = format!(
            "system s\nparam c = 3.21, w = 0.01, a = 2\ncoord q, r\nlagrangian q'^2/2 + r'^2/2 - q^2/2\n\
             force (q: {force})\n"
        );
        let model = parse(&Source::new("s.mech", text)).model.unwrap();
        let values = Values::of(&model);
        let constants: Vec<(Symbol, f64)> = model
            .parameters
            .iter()
            .map(|p| {
                (
                    p.symbol.clone(),
                    values.number(&Expr::from(&p.symbol)).unwrap(),
                )
            })
            .collect();
        let times = Times {
            from: 0.0,
            until: 10.0,
            spacing,
        };
        warnings(&model, &constants, times)
    }

    #[test]
    fn narrow_pulses_are_found_wherever_they_are() {
        for force in [
            "a*exp(-((t-c)/w)^2)",
            "(1 + exp(-((t-c)/w)^2))*q",
            "a/(1 + ((t-c)/w)^4)",
            "(tanh((t-c)/w*20) - tanh((t-c-w)/w*20))",
            "q*tanh((t-c)/w*20) - q*tanh((t-c-w)/w*20) + tanh((t-c)/w*20) - tanh((t-c-w)/w*20)",
            "exp(20000*(cos(t-c) - 1))",
            "(cosh((t-c)/w))^(-2)",
        ] {
            let found = warned(force, 0.1);
            assert_eq!(found.len(), 1, "{force}: {found:?}");
            assert!(found[0].contains("at t = 3.2"), "{}", found[0]);
            // Rows close enough meet it.
            assert_eq!(warned(force, 0.005), Vec::<String>::new(), "{force}");
        }
    }

    #[test]
    fn what_error_estimates_meet_is_not_warned_of() {
        for force in [
            "sin(1000*t)",
            "cos(1000*t)",
            "tanh((t-c)/w)",
            "exp(-t)",
            "exp(-(t-c)^2)",
            "t^2*q",
            "sqrt(1 + t^2)",
            "a*sin(t)^2/(2 + cos(t))",
            "q",
        ] {
            assert_eq!(warned(force, 0.1), Vec::<String>::new(), "{force}");
        }
    }
}
