//! Expressions as a straight-line program over floating-point numbers: the reference evaluator.

use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Rational, Symbol, Wide};

enum Op {
    Constant(f64),
    Input(usize),
    Sum(f64, Box<[Term]>),
    Scale(Term),
    Product(Powers),
    Function(Function, [usize; 2]),
}

/// base^power for each.
type Powers = Box<[(usize, Power)]>;

/// A coefficient times a value.
struct Term {
    value: usize,
    coefficient: f64,
    /// Both again where the value is a product: either may leave the range of numbers where their product does not.
    wide: Option<Box<(Wide, Powers)>>,
}

impl Term {
    fn at(&self, memory: &[f64]) -> f64 {
        let plain = self.coefficient * memory[self.value];
        match &self.wide {
            Some(wide) if !plain.is_normal() => product(wide.0, &wide.1, memory).to_f64(),
            _ => plain,
        }
    }
}

#[derive(Clone, Copy)]
enum Power {
    Integer(i32),
    Real(f64),
}

/// A program that evaluates expressions at floating-point values of its input symbols.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, Tape};
/// let x = Symbol::variable("x");
/// let tape = Tape::new(std::slice::from_ref(&x), &[Expr::from(&x).powi(2) + 1]).unwrap();
/// assert_eq!(tape.evaluate(&[3.0]), [10.0]);
/// ```
pub struct Tape {
    inputs: usize,
    ops: Vec<Op>,
    outputs: Vec<usize>,
}

/// An expression mentions a symbol that is not among the inputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no value is given for `{0}`")]
pub struct MissingInput(pub Symbol);

impl Tape {
    /// Compiles `outputs` as functions of `inputs`.
    pub fn new(inputs: &[Symbol], outputs: &[Expr]) -> Result<Self, MissingInput> {
        let slot: Map<&Symbol, usize> = inputs.iter().enumerate().map(|(i, s)| (s, i)).collect();
        let mut place: Map<Expr, usize> = Map::default();
        let mut ops = Vec::new();
        for e in postorder(outputs, |_| true) {
            let at = |c: &Expr| place[c];
            let powers = |factors: &[(Expr, Rational)]| -> Powers {
                factors.iter().map(|(b, r)| (at(b), power(r))).collect()
            };
            let term = |c: &Rational, x: &Expr| Term {
                value: at(x),
                coefficient: c.to_f64(),
                wide: match x.kind() {
                    Kind::Product(factors) => Some(Box::new((Wide::of(c), powers(factors)))),
                    _ => None,
                },
            };
            let op = match e.kind() {
                Kind::Number(r) => Op::Constant(r.to_f64()),
                Kind::Pi => Op::Constant(std::f64::consts::PI),
                Kind::Undefined => Op::Constant(f64::NAN),
                Kind::Symbol(s) => Op::Input(*slot.get(s).ok_or_else(|| MissingInput(s.clone()))?),
                Kind::Sum(c, terms) => {
                    Op::Sum(c.to_f64(), terms.iter().map(|(t, c)| term(c, t)).collect())
                }
                Kind::Scaled(c, x) => Op::Scale(term(c, x)),
                Kind::Product(factors) => Op::Product(powers(factors)),
                Kind::Function(f, x) => Op::Function(*f, [at(&x[0]), x.get(1).map_or(0, at)]),
            };
            place.insert(e, ops.len());
            ops.push(op);
        }
        let outputs = outputs.iter().map(|e| place[e]).collect();
        Ok(Self {
            inputs: inputs.len(),
            ops,
            outputs,
        })
    }

    /// The number of operations.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Has it no operation at all?
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The outputs at these inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        let mut memory = Vec::with_capacity(self.ops.len());
        self.run(inputs, &mut memory);
        self.outputs.iter().map(|&o| memory[o]).collect()
    }

    fn run(&self, inputs: &[f64], memory: &mut Vec<f64>) {
        debug_assert_eq!(inputs.len(), self.inputs);
        memory.clear();
        for op in &self.ops {
            let value = match op {
                Op::Constant(c) => *c,
                Op::Input(i) => inputs[*i],
                Op::Sum(c, terms) => terms.iter().fold(*c, |s, term| s + term.at(memory)),
                Op::Scale(term) => term.at(memory),
                Op::Product(factors) => {
                    let plain = factors.iter().fold(1.0, |p, (b, r)| {
                        p * match r {
                            Power::Integer(k) => memory[*b].powi(*k),
                            Power::Real(r) => memory[*b].powf(*r),
                        }
                    });
                    match plain.is_normal() {
                        true => plain,
                        false => product(Wide::from(1.0), factors, memory).to_f64(),
                    }
                }
                Op::Function(f, [a, b]) => f.evaluate(&[memory[*a], memory[*b]]),
            };
            memory.push(value);
        }
    }
}

/// A number times powers, whatever their size.
fn product(number: Wide, factors: &[(usize, Power)], memory: &[f64]) -> Wide {
    factors.iter().fold(number, |product, (b, r)| {
        product
            * match r {
                Power::Integer(k) => Wide::from(memory[*b]).powi((*k).into()),
                Power::Real(r) => Wide::from(memory[*b].powf(*r)),
            }
    })
}

fn power(r: &Rational) -> Power {
    match r.as_integer().and_then(|k| i32::try_from(k).ok()) {
        Some(k) => Power::Integer(k),
        None => Power::Real(r.to_f64()),
    }
}

impl Expr {
    /// The value at floating-point values of its symbols.
    pub fn evaluate(&self, values: &[(Symbol, f64)]) -> Result<f64, MissingInput> {
        let symbols: Vec<Symbol> = values.iter().map(|(s, _)| s.clone()).collect();
        let numbers: Vec<f64> = values.iter().map(|(_, v)| *v).collect();
        Ok(Tape::new(&symbols, std::slice::from_ref(self))?.evaluate(&numbers)[0])
    }
}
