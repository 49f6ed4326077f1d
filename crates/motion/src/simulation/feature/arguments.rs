//! What steep functions of a model are given: the numbers along which something narrow may lie.
//!
//! exp(−((x − c)/w)²) is narrow, but its argument is not: where it vanishes or turns, the function has its peak or
//! its edge, and between such places the function does what it does slowly enough for error estimates.

use rattleback_compile::Motion;
use rattleback_mechanics::{Problem, System};
use rattleback_symbolic::{Expr, Function, Kind, Rational, Role, Symbol, postorder};

/// A function does something narrow only if its argument changes by more than this in a step...
const CHANGE: f64 = 8.0;
/// ...and a power or a logarithm if it does so by more than this factor.
const FACTOR: f64 = 16.0;

/// Whole powers from this one on are exponentials of their bases' logarithms.
const HIGH: f64 = 16.0;

/// Farther from zero, exponentials have vanished, and edges are over.
const ALIVE: f64 = 40.0;

/// How a function feels that its argument changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// By the difference, as exp does.
    Difference,
    /// By the ratio, as powers do.
    Ratio,
    /// By so high a power of the ratio: what is narrow lies where the argument is largest.
    High(f64),
}

impl Scale {
    /// May a function do something narrow where its argument has this range?
    pub(super) fn is_wide(self, least: f64, largest: f64) -> bool {
        match self {
            Scale::Difference => largest - least > CHANGE,
            _ if least * largest <= 0.0 => largest > least,
            Scale::Ratio => ratio(least, largest) > FACTOR,
            Scale::High(power) => power * ratio(least, largest).ln() > CHANGE,
        }
    }

    /// The end of a step at which a function of an argument with these values does more: 0 or 1.
    pub(super) fn livelier(self, [from, to]: [f64; 2]) -> f64 {
        let grows = to.abs() > from.abs();
        match grows == matches!(self, Scale::High(_)) {
            true => 1.0,
            false => 0.0,
        }
    }

    /// Is there anything left of the narrow part of a function where its argument has one of these values?
    pub(super) fn is_alive(self, values: [f64; 2]) -> bool {
        self != Scale::Difference || values.iter().any(|g| g.abs() < ALIVE)
    }
}

/// The larger over the smaller of two numbers of one sign.
fn ratio(a: f64, b: f64) -> f64 {
    let (a, b) = (a.abs(), b.abs());
    a.max(b) / a.min(b)
}

/// An argument of a steep function, in the state of a motion.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) value: Expr,
    pub(super) scale: Scale,
    /// The function, as the model has it.
    pub(super) function: Expr,
    /// The angles whose sines and cosines it is made of: it may turn as often as they do.
    pub(super) angles: Vec<Expr>,
    /// Do series not show what is narrow? Those of a high power vanish where its base is small, and those of an angle go
    /// on across its jump.
    pub(super) is_hidden: bool,
}

/// The arguments of all steep functions of a model that change along a motion and that its state determines.
pub(super) fn arguments(problem: &Problem, system: &System, motion: &Motion) -> Vec<Argument> {
    let varied = motion.varied();
    let is_fixed = |(s, _): &&(Symbol, Expr)| !varied.contains(s);
    let values = system.constant_values();
    let fixed: Vec<(Symbol, Expr)> = values.iter().filter(is_fixed).cloned().collect();
    let mut found: Vec<Argument> = Vec::new();
    for (function, value, scale) in steep(&stated(problem, system), &fixed) {
        let value = motion.express(&[value]).swap_remove(0);
        let is_new = !found.iter().any(|a| a.value == value && a.scale == scale);
        let is_known = || motion.program(std::slice::from_ref(&value)).is_ok();
        if is_new && moves(&value) && is_known() {
            let jumps = matches!(function.kind(), Kind::Function(Function::Atan2, _));
            found.push(Argument {
                is_hidden: jumps || matches!(scale, Scale::High(_)),
                angles: angles(&value),
                value,
                scale,
                function,
            });
        }
    }
    found
}

/// What a model says of its motions.
pub(super) fn stated(problem: &Problem, system: &System) -> Vec<Expr> {
    std::iter::once(system.lagrangian().clone())
        .chain(system.force().iter().cloned())
        .chain(system.auxiliary().iter().map(|(_, rate)| rate.clone()))
        .chain(problem.constraints.iter().map(|c| c.expr.clone()))
        .collect()
}

/// May an expression change along a motion?
pub(super) fn moves(e: &Expr) -> bool {
    let free = e.free_symbols();
    free.iter().any(|s| s.role() != Role::Constant)
}

/// What an expression has sines and cosines of.
fn angles(e: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    for part in postorder(std::slice::from_ref(e), |_| true) {
        if let Kind::Function(Function::Sin | Function::Cos, x) = part.kind()
            && moves(&x[0])
            && !found.contains(&x[0])
        {
            found.push(x[0].clone());
        }
    }
    found
}

/// 0, 1, 2, …
fn is_whole(power: &Rational) -> bool {
    power.is_integer() && !power.is_negative()
}

fn is_high(power: &Rational) -> bool {
    is_whole(power) && power.to_f64() >= HIGH
}

/// The bases of high whole powers in a product; those of one power together, as x^n (1 − x)^n has its peak where neither
/// base has.
fn high(powers: &[(Expr, Rational)]) -> Vec<(Expr, f64)> {
    let mut found: Vec<(Expr, f64)> = Vec::new();
    for (base, r) in powers.iter().filter(|(_, r)| is_high(r)) {
        let power = r.to_f64();
        match found.iter_mut().find(|(_, p)| *p == power) {
            Some((all, _)) => *all = &*all * base,
            None => found.push((base.clone(), power)),
        }
    }
    found
}

/// Functions in expressions that may be narrow, with their arguments, where these constants have values.
fn steep(stated: &[Expr], values: &[(Symbol, Expr)]) -> Vec<(Expr, Expr, Scale)> {
    let mut found = Vec::new();
    for e in postorder(stated, |_| true) {
        let mut add = |value: &Expr, scale| found.push((e.clone(), value.clone(), scale));
        match e.kind() {
            Kind::Function(function, x) => match function {
                // Oscillations do not pass: error estimates meet them.
                Function::Sin | Function::Cos => {}
                Function::Log => add(&x[0], Scale::Ratio),
                // An angle turns fast where its point comes near the origin, and jumps across the axis behind it,
                // which series do not see.
                Function::Atan2 => {
                    add(&(&x[0] * &x[0] + &x[1] * &x[1]), Scale::Ratio);
                    add(&x[0], Scale::Ratio);
                }
                Function::Power => match x[1].substitute(values).as_number() {
                    Some(r) if is_whole(r) => {
                        if is_high(r) {
                            add(&x[0], Scale::High(r.to_f64()));
                        }
                    }
                    _ => {
                        add(&x[0], Scale::Ratio);
                        add(&x[1], Scale::Difference);
                    }
                },
                _ => add(&x[0], Scale::Difference),
            },
            // Low whole powers add no peaks to what their bases have.
            Kind::Product(powers) => {
                let roots = powers.iter().filter(|(_, r)| !is_whole(r));
                roots.for_each(|(base, _)| add(base, Scale::Ratio));
                for (base, power) in high(powers) {
                    add(&base, Scale::High(power));
                }
            }
            _ => {}
        }
    }
    found
}
