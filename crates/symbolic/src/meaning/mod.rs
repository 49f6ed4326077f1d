//! One lowering of the expression graph, and the meanings that its operations can have.
//!
//! [`Lowered`] is a straight-line program with exact constants. A [`Meaning`] says what its numbers,
//! sums, products, powers and functions are: floating-point numbers or enclosures.

pub(crate) mod directed;
pub(crate) mod doubles;
pub(crate) mod elementary;
pub(crate) mod enclosure;
pub(crate) mod floats;
pub(crate) mod multiple;
pub(crate) mod wide;

use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Rational, Symbol};

/// What the operations of a program compute. A value that does not exist (outside a domain, at a pole) is
/// a value of its own kind, like NaN: no operation fails.
pub(crate) trait Meaning {
    /// What a node is worth.
    type Value: Clone;
    /// A rational exponent, prepared once.
    type Exponent;
    /// An exact number.
    fn number(&self, r: &Rational) -> Self::Value;
    /// The circle constant.
    fn pi(&self) -> Self::Value;
    /// The value of what is never defined.
    fn undefined(&self) -> Self::Value;
    /// a + b.
    fn plus(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// a·b.
    fn times(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// How a rational exponent is used.
    fn exponent(&self, r: &Rational) -> Self::Exponent;
    /// a^r.
    fn power(&self, a: &Self::Value, r: &Self::Exponent) -> Self::Value;
    /// f(x), or f(x, y); functions of one argument ignore the second.
    fn function(&self, f: Function, x: &Self::Value, y: &Self::Value) -> Self::Value;
}

/// One operation; operands are indices of earlier ones, numbers are indices of the pool.
enum Op<N, E> {
    Constant(N),
    Pi,
    Undefined,
    Input(usize),
    Sum(N, Box<[(usize, N)]>),
    Scale(usize, N),
    Product(Box<[(usize, E)]>),
    Function(Function, usize, usize),
}

/// An expression mentions a symbol that is not among the inputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no value is given for `{0}`")]
pub struct MissingInput(pub Symbol);

/// Expressions as a program over exact constants.
pub(crate) struct Lowered {
    inputs: usize,
    ops: Vec<Op<Rational, Rational>>,
    outputs: Vec<usize>,
}

impl Lowered {
    /// Lowers `outputs` as functions of `inputs`.
    pub(crate) fn new(inputs: &[Symbol], outputs: &[Expr]) -> Result<Self, MissingInput> {
        let slot: Map<&Symbol, usize> = inputs.iter().enumerate().map(|(i, s)| (s, i)).collect();
        let mut place: Map<Expr, usize> = Map::default();
        let mut ops = Vec::new();
        for e in postorder(outputs, |_| true) {
            let at = |c: &Expr| place[c];
            let op = match e.kind() {
                Kind::Number(r) => Op::Constant(r.clone()),
                Kind::Pi => Op::Pi,
                Kind::Undefined => Op::Undefined,
                Kind::Symbol(s) => Op::Input(*slot.get(s).ok_or_else(|| MissingInput(s.clone()))?),
                Kind::Sum(c, terms) => Op::Sum(
                    c.clone(),
                    terms.iter().map(|(t, c)| (at(t), c.clone())).collect(),
                ),
                Kind::Scaled(c, x) => Op::Scale(at(x), c.clone()),
                Kind::Product(factors) => {
                    Op::Product(factors.iter().map(|(b, r)| (at(b), r.clone())).collect())
                }
                Kind::Function(f, x) => Op::Function(*f, at(&x[0]), at(x.get(1).unwrap_or(&x[0]))),
            };
            place.insert(e, ops.len());
            ops.push(op);
        }
        Ok(Self {
            inputs: inputs.len(),
            ops,
            outputs: outputs.iter().map(|e| place[e]).collect(),
        })
    }

    /// The number of operations.
    pub(crate) fn len(&self) -> usize {
        self.ops.len()
    }

    /// Does a constant satisfy this?
    pub(crate) fn has_constant(&self, test: impl Fn(&Rational) -> bool) -> bool {
        self.ops.iter().any(|op| match op {
            Op::Constant(r) | Op::Scale(_, r) => test(r),
            Op::Sum(c, terms) => test(c) || terms.iter().any(|(_, w)| test(w)),
            _ => false,
        })
    }

    /// The program with its constants in one meaning.
    pub(crate) fn prepare<M: Meaning>(&self, meaning: M) -> Prepared<M> {
        let number = |r: &Rational| meaning.number(r);
        let ops = self.ops.iter().map(|op| match op {
            Op::Constant(r) => Op::Constant(number(r)),
            Op::Pi => Op::Constant(meaning.pi()),
            Op::Undefined => Op::Constant(meaning.undefined()),
            Op::Input(i) => Op::Input(*i),
            Op::Sum(c, terms) => Op::Sum(
                number(c),
                terms.iter().map(|(t, w)| (*t, number(w))).collect(),
            ),
            Op::Scale(x, c) => Op::Scale(*x, number(c)),
            Op::Product(factors) => Op::Product(
                factors
                    .iter()
                    .map(|(b, r)| (*b, meaning.exponent(r)))
                    .collect(),
            ),
            Op::Function(f, a, b) => Op::Function(*f, *a, *b),
        });
        Prepared {
            ops: ops.collect(),
            outputs: self.outputs.clone(),
            inputs: self.inputs,
            meaning,
        }
    }
}

/// A program in one meaning, ready to run at many points.
pub(crate) struct Prepared<M: Meaning> {
    meaning: M,
    inputs: usize,
    ops: Vec<Op<M::Value, M::Exponent>>,
    outputs: Vec<usize>,
}

impl<M: Meaning> Prepared<M> {
    /// The number of operations.
    pub(crate) fn len(&self) -> usize {
        self.ops.len()
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.inputs
    }

    /// What the numbers mean.
    pub(crate) fn meaning(&self) -> &M {
        &self.meaning
    }

    /// The outputs at these inputs.
    pub(crate) fn evaluate(&self, inputs: &[M::Value]) -> Vec<M::Value> {
        self.outputs(&self.run(inputs))
    }

    /// The outputs among all values.
    pub(crate) fn outputs(&self, memory: &[M::Value]) -> Vec<M::Value> {
        self.outputs.iter().map(|&o| memory[o].clone()).collect()
    }

    /// The value of every operation.
    pub(crate) fn run(&self, inputs: &[M::Value]) -> Vec<M::Value> {
        debug_assert_eq!(inputs.len(), self.inputs);
        let m = &self.meaning;
        let mut memory: Vec<M::Value> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let value = match op {
                Op::Constant(c) => c.clone(),
                Op::Pi => m.pi(),
                Op::Undefined => m.undefined(),
                Op::Input(i) => inputs[*i].clone(),
                Op::Sum(c, terms) => terms
                    .iter()
                    .fold(c.clone(), |s, (t, w)| m.plus(&s, &m.times(w, &memory[*t]))),
                Op::Scale(x, c) => m.times(c, &memory[*x]),
                Op::Product(factors) => {
                    let mut factors = factors.iter().map(|(b, r)| m.power(&memory[*b], r));
                    match factors.next() {
                        Some(first) => factors.fold(first, |p, x| m.times(&p, &x)),
                        None => m.number(&Rational::ONE),
                    }
                }
                Op::Function(f, a, b) => m.function(*f, &memory[*a], &memory[*b]),
            };
            memory.push(value);
        }
        memory
    }
}
