//! Rational points at which an expression is certainly not zero.

use super::bounded::Bounded;
use super::random::Random;
use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::work::count_work;
use crate::{Expr, Rational, Region, Sign, Symbol, free_symbols};
use dashu::base::BitTest;

enum Op {
    Constant(Bounded),
    Input(usize),
    Sum(Bounded, Box<[(usize, Bounded)]>),
    Scale(usize, Bounded),
    Product(Box<[(usize, Power)]>),
    Function(Function, usize, usize),
}

#[derive(Clone, Copy)]
enum Power {
    Integer(i32),
    Real(f64),
}

/// The expressions as a program over bounded floats.
pub(crate) struct Sampler<'e> {
    roots: &'e [Expr],
    symbols: Vec<Symbol>,
    /// Where points may lie: its symbols are those above, then those that assumptions tie to them.
    region: Region,
    /// Which symbols occur in exponents.
    exponents: Vec<bool>,
    ops: Vec<Op>,
    outputs: Vec<usize>,
    memory: Vec<Bounded>,
}

/// A point, and which output has which value there.
pub(crate) struct Witness {
    pub(crate) point: Vec<(Symbol, Rational)>,
    pub(crate) value: f64,
}

/// What sampling found.
pub(crate) enum Sample {
    /// Some output is certainly not zero.
    Nonzero(Witness),
    /// All outputs may be zero, at this number of points where they are defined.
    Consistent(usize),
}

impl<'e> Sampler<'e> {
    pub(crate) fn new(roots: &'e [Expr]) -> Self {
        let symbols = free_symbols(roots);
        let slot: Map<&Symbol, usize> = symbols.iter().enumerate().map(|(i, s)| (s, i)).collect();
        let mut place: Map<Expr, usize> = Map::default();
        let mut ops = Vec::new();
        for e in postorder(roots, |_| true) {
            let at = |c: &Expr| place[c];
            let op = match e.kind() {
                Kind::Number(r) => Op::Constant(number(r)),
                Kind::Pi => Op::Constant(Bounded::rounded(std::f64::consts::PI)),
                Kind::Undefined => Op::Constant(Bounded::UNKNOWN),
                Kind::Symbol(s) => Op::Input(slot[s]),
                Kind::Sum(c, terms) => Op::Sum(
                    number(c),
                    terms.iter().map(|(t, c)| (at(t), number(c))).collect(),
                ),
                Kind::Scaled(c, x) => Op::Scale(at(x), number(c)),
                Kind::Product(factors) => {
                    Op::Product(factors.iter().map(|(b, r)| (at(b), power(r))).collect())
                }
                Kind::Function(f, x) => Op::Function(*f, at(&x[0]), x.get(1).map_or(0, at)),
            };
            place.insert(e, ops.len());
            ops.push(op);
        }
        let outputs = roots.iter().map(|e| place[e]).collect();
        drop(slot);
        let exponents = symbols_in_exponents(roots);
        Self {
            roots,
            exponents: symbols.iter().map(|s| exponents.contains(s)).collect(),
            region: Region::of(&symbols),
            symbols,
            ops,
            outputs,
            memory: Vec::new(),
        }
    }

    /// Tries up to `points` points where everything is defined, among four times as many draws.
    pub(crate) fn sample(&mut self, random: &mut Random, points: usize) -> Sample {
        let (mut defined, mut outside) = (0, 0);
        for attempt in 0..4 * points {
            let in_exponents = self
                .exponents
                .iter()
                .copied()
                .chain(std::iter::repeat(false));
            let proposal: Vec<Rational> = (self.region.symbols().iter().zip(in_exponents))
                .map(|(s, in_exponent)| match in_exponent && attempt % 2 == 1 {
                    // Only integers tell what becomes of negative bases.
                    true => signed(s.sign(), i64::from(1 + random.below(4)).into(), random),
                    false => draw(s.sign(), attempt, random),
                })
                .collect();
            let Some(values) = self.region.settle(proposal) else {
                outside += 1;
                if outside == MAX_OUTSIDE {
                    break;
                }
                continue;
            };
            if self.run(&values) {
                defined += 1;
            }
            if let Some(&o) = self.outputs.iter().find(|&&o| self.memory[o].is_nonzero()) {
                let value = self.memory[o].value;
                return Sample::Nonzero(self.witness(values, value));
            }
            if defined >= points {
                break;
            }
        }
        Sample::Consistent(defined)
    }

    /// An exact search for purely rational expressions whose values drown in rounding.
    pub(crate) fn sample_exactly(&self, random: &mut Random, points: usize) -> Option<Witness> {
        if self.ops.len() > MAX_EXACT_OPS {
            return None;
        }
        for attempt in 0..points {
            let symbols = self.region.symbols().iter();
            let proposal = symbols.map(|s| draw(s.sign(), attempt, random)).collect();
            let values = self.region.settle(proposal)?;
            let results = exact(self.roots, &self.symbols, &values)?;
            if let Some(r) = results.iter().flatten().find(|r| !r.is_zero()) {
                return Some(self.witness(values, r.to_f64()));
            }
        }
        None
    }

    /// Is there a point that satisfies all assumptions, as far as one can find?
    pub(crate) fn can_draw(&self) -> bool {
        self.region.facts().is_empty() || self.region.points().next().is_some()
    }

    fn witness(&self, values: Vec<Rational>, value: f64) -> Witness {
        Witness {
            point: self.region.symbols().iter().cloned().zip(values).collect(),
            value,
        }
    }

    /// Evaluates at a point; are all outputs defined there?
    fn run(&mut self, point: &[Rational]) -> bool {
        count_work(self.ops.len() as u64);
        let inputs: Vec<f64> = point.iter().map(Rational::to_f64).collect();
        let memory = &mut self.memory;
        memory.clear();
        for op in &self.ops {
            let value = match op {
                Op::Constant(c) => *c,
                Op::Input(i) => Bounded::exact(inputs[*i]),
                Op::Sum(c, terms) => terms
                    .iter()
                    .fold(*c, |s, (t, w)| s.plus(memory[*t].times(*w))),
                Op::Scale(x, c) => memory[*x].times(*c),
                Op::Product(factors) => factors.iter().fold(Bounded::exact(1.0), |p, (b, r)| {
                    p.times(match r {
                        Power::Integer(1) => memory[*b],
                        Power::Integer(k) => memory[*b].integer_power(*k),
                        Power::Real(r) => memory[*b].real_power(*r),
                    })
                }),
                Op::Function(f, a, b) => Bounded::function(*f, memory[*a], memory[*b]),
            };
            memory.push(value);
        }
        self.outputs.iter().all(|&o| !memory[o].is_unknown())
    }
}

fn number(r: &Rational) -> Bounded {
    match r.as_small() {
        Some((n, 1)) if n.unsigned_abs() < 1 << 53 => Bounded::exact(n as f64),
        _ => Bounded::rounded(r.to_f64()),
    }
}

fn power(r: &Rational) -> Power {
    match r.as_integer().and_then(|k| i32::try_from(k).ok()) {
        Some(k) => Power::Integer(k),
        None => Power::Real(r.to_f64()),
    }
}

fn symbols_in_exponents(roots: &[Expr]) -> Vec<Symbol> {
    let exponent = |e: &Expr| match e.kind() {
        Kind::Function(Function::Power, x) => Some(x[1].clone()),
        _ => None,
    };
    let nodes = postorder(roots, |_| true);
    free_symbols(&nodes.iter().filter_map(exponent).collect::<Vec<_>>())
}

/// The sign of a number, where its enclosure tells it from zero.
pub(crate) fn enclosed_sign(constant: &Expr) -> Option<Sign> {
    let mut sampler = Sampler::new(std::slice::from_ref(constant));
    if !sampler.symbols.is_empty() || !sampler.run(&[]) {
        return None;
    }
    let value = sampler.memory[sampler.outputs[0]];
    match (value.is_nonzero(), value.value > 0.0) {
        (true, true) => Some(Sign::Positive),
        (true, false) => Some(Sign::Negative),
        (false, _) => None,
    }
}

/// A short dyadic number (a float without rounding) of the assumed sign, at varying scales.
fn draw(sign: Sign, attempt: usize, random: &mut Random) -> Rational {
    let (range, unit) = [(15, 16), (31, 8), (63, 64), (200, 4)][attempt % 4];
    let size = Rational::new(i64::from(1 + random.below(range)), unit);
    signed(sign, size, random)
}

fn signed(sign: Sign, size: Rational, random: &mut Random) -> Rational {
    let negative = match sign {
        Sign::Positive | Sign::NonNegative => false,
        Sign::Negative | Sign::NonPositive => true,
        Sign::Unknown | Sign::NonZero => random.below(2) == 0,
    };
    if negative { -size } else { size }
}

/// Draws after which no point that keeps the assumptions is looked for any more.
const MAX_OUTSIDE: usize = 4;
/// Operations beyond which no exact value is computed.
const MAX_EXACT_OPS: usize = 20_000;
/// Bits of an exact value beyond which the search is given up.
const MAX_BITS: usize = 20_000;

/// Exact values where the expressions are rational functions of small height: `None` where they are
/// not, `None` inside where a point is a pole.
fn exact(roots: &[Expr], symbols: &[Symbol], values: &[Rational]) -> Option<Vec<Option<Rational>>> {
    let point: Map<&Symbol, &Rational> = symbols.iter().zip(values).collect();
    let mut done: Map<Expr, Option<Rational>> = Map::default();
    for e in postorder(roots, |_| true) {
        let value = match e.kind() {
            Kind::Number(r) => Some(r.clone()),
            Kind::Symbol(s) => point.get(s).map(|r| (*r).clone()),
            Kind::Pi | Kind::Undefined | Kind::Function(..) => return None,
            Kind::Scaled(c, x) => done[x].as_ref().map(|x| c * x),
            Kind::Sum(c, terms) => terms.iter().try_fold(c.clone(), |s, (t, w)| {
                done[t].as_ref().map(|x| &s + &(w * x))
            }),
            Kind::Product(factors) => {
                let mut product = Some(Rational::ONE);
                for (b, r) in factors {
                    let k = r.as_integer().filter(|k| k.abs() < 1000)?;
                    product = product
                        .zip(done[b].as_ref())
                        .and_then(|(p, b)| Some(&p * &b.pow(k)?));
                }
                product
            }
        };
        if let Some(r) = &value {
            let bits = r.numerator().bit_len() + r.denominator().bit_len();
            count_work(bits as u64 / 64);
            if bits > MAX_BITS {
                return None;
            }
        }
        done.insert(e, value);
    }
    Some(roots.iter().map(|e| done[e].clone()).collect())
}
