//! One lowering of the expression graph, and the meanings that its operations can have.
//!
//! [`Lowered`] is a straight-line program with exact constants. A [`Reading`] says how powers and
//! functions of the graph become operations, a [`Meaning`] what its numbers, sums, products, powers and
//! functions are: floating-point numbers, enclosures, elements of a prime field or Taylor series.

mod careful;
pub(crate) mod directed;
pub(crate) mod doubles;
pub(crate) mod elementary;
pub(crate) mod elimination;
pub(crate) mod enclosure;
pub(crate) mod floats;
pub(crate) mod lowering;
pub(crate) mod multiple;
mod quick;
pub(crate) mod series;
pub(crate) mod wide;

use crate::Rational;
use crate::function::Function;
pub use lowering::MissingInput;
pub(crate) use lowering::{Lowering, Reading};
use std::convert::Infallible;

/// What the operations of a program compute.
pub(crate) trait Meaning {
    /// What a node is worth.
    type Value: Clone;
    /// An exponent, prepared once.
    type Power;
    /// A function, prepared once.
    type Call;
    /// Why a run ends early. Where a value that does not exist (outside a domain, at a pole) is a value of
    /// its own kind, like NaN, no operation fails.
    type Miss;
    /// The circle constant.
    fn pi(&mut self) -> Self::Value;
    /// The value of what is never defined.
    fn undefined(&mut self) -> Self::Value;
    /// a + b.
    fn plus(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// a·b.
    fn times(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// a^r, where a is the value of the operation `at`.
    fn power(
        &mut self,
        at: usize,
        a: &Self::Value,
        r: &Self::Power,
    ) -> Result<Self::Value, Self::Miss>;
    /// f(x), or f(x, y); functions of one argument ignore the second.
    fn function(
        &mut self,
        f: &Self::Call,
        x: &Self::Value,
        y: &Self::Value,
    ) -> Result<Self::Value, Self::Miss>;
    /// A function that the form of its argument gave a value, not the argument's value.
    fn form(&mut self, f: &Self::Call) -> Result<Self::Value, Self::Miss>;
    /// constant + Σ weight·value.
    fn sum<'v>(
        &mut self,
        constant: &'v Self::Value,
        terms: impl Iterator<Item = (&'v Self::Value, &'v Self::Value)>,
    ) -> Self::Value
    where
        Self::Value: 'v,
    {
        let mut total = constant.clone();
        for (weight, value) in terms {
            let term = self.times(weight, value);
            total = self.plus(&total, &term);
        }
        total
    }
}

/// A meaning that takes exact numbers, powers and functions as they are.
pub(crate) trait Numbers: Meaning<Call = Function, Miss = Infallible> {
    /// An exact number.
    fn number(&self, r: &Rational) -> Self::Value;
    /// How a rational exponent is used.
    fn exponent(&self, r: &Rational) -> Self::Power;
}

/// One operation; operands are indices of earlier ones, numbers are indices of the pool.
#[derive(Clone)]
pub(crate) enum Op<P, C> {
    Constant(usize),
    Pi,
    Undefined,
    Input(usize),
    /// Constant and (operand, weight).
    Sum(usize, Box<[(usize, usize)]>),
    /// Operand and weight.
    Scale(usize, usize),
    Product(Box<[(usize, P)]>),
    Function(C, usize, usize),
    /// A function whose argument matters by its form alone.
    Form(C),
}

/// Expressions as a program over exact constants.
pub(crate) struct Lowered<P = Rational, C = Function> {
    pub(crate) inputs: usize,
    pub(crate) ops: Vec<Op<P, C>>,
    pub(crate) outputs: Vec<usize>,
    pub(crate) constants: Vec<Rational>,
}

impl<P, C> Lowered<P, C> {
    /// The number of operations.
    pub(crate) fn len(&self) -> usize {
        self.ops.len()
    }

    /// The values of all operations, given those of constants and inputs.
    pub(crate) fn run<M: Meaning<Power = P, Call = C>>(
        &self,
        m: &mut M,
        constants: &[M::Value],
        inputs: &[M::Value],
        memory: &mut Vec<M::Value>,
    ) -> Result<(), M::Miss> {
        debug_assert_eq!(inputs.len(), self.inputs);
        memory.clear();
        memory.reserve(self.ops.len());
        for op in &self.ops {
            let value = match op {
                Op::Constant(c) => constants[*c].clone(),
                Op::Pi => m.pi(),
                Op::Undefined => m.undefined(),
                Op::Input(i) => inputs[*i].clone(),
                Op::Sum(c, terms) => {
                    let terms = terms.iter().map(|&(t, w)| (&constants[w], &memory[t]));
                    m.sum(&constants[*c], terms)
                }
                Op::Scale(x, c) => m.times(&constants[*c], &memory[*x]),
                Op::Product(factors) => product(m, factors, memory)?,
                Op::Function(f, a, b) => m.function(f, &memory[*a], &memory[*b])?,
                Op::Form(f) => m.form(f)?,
            };
            memory.push(value);
        }
        Ok(())
    }

    /// The outputs among all values.
    pub(crate) fn outputs<V: Clone>(&self, memory: &[V]) -> Vec<V> {
        self.outputs.iter().map(|&o| memory[o].clone()).collect()
    }
}

/// Π b^r of at least one factor, which a lowering sees to.
fn product<M: Meaning>(
    m: &mut M,
    factors: &[(usize, M::Power)],
    memory: &[M::Value],
) -> Result<M::Value, M::Miss> {
    let (first, r) = &factors[0];
    let mut all = m.power(*first, &memory[*first], r)?;
    for (b, r) in &factors[1..] {
        let factor = m.power(*b, &memory[*b], r)?;
        all = m.times(&all, &factor);
    }
    Ok(all)
}

impl Lowered {
    /// Does a constant satisfy this?
    pub(crate) fn has_constant(&self, test: impl Fn(&Rational) -> bool) -> bool {
        self.constants.iter().any(test)
    }

    /// The program with its constants in one meaning.
    pub(crate) fn prepare<M: Numbers>(&self, meaning: M) -> Prepared<M> {
        let power = |(b, r): &(usize, Rational)| (*b, meaning.exponent(r));
        let ops = self.ops.iter().map(|op| match op {
            Op::Constant(c) => Op::Constant(*c),
            Op::Pi => Op::Pi,
            Op::Undefined => Op::Undefined,
            Op::Input(i) => Op::Input(*i),
            Op::Sum(c, terms) => Op::Sum(*c, terms.clone()),
            Op::Scale(x, c) => Op::Scale(*x, *c),
            Op::Product(factors) => Op::Product(factors.iter().map(power).collect()),
            Op::Function(f, a, b) => Op::Function(*f, *a, *b),
            Op::Form(f) => Op::Form(*f),
        });
        Prepared {
            program: Lowered {
                inputs: self.inputs,
                ops: ops.collect(),
                outputs: self.outputs.clone(),
                constants: Vec::new(),
            },
            constants: self.constants.iter().map(|r| meaning.number(r)).collect(),
            meaning,
        }
    }
}

/// A program in one meaning, ready to run at many points.
pub(crate) struct Prepared<M: Meaning> {
    meaning: M,
    program: Lowered<M::Power, M::Call>,
    constants: Vec<M::Value>,
}

impl<M: Numbers + Clone> Prepared<M> {
    /// The number of operations.
    pub(crate) fn len(&self) -> usize {
        self.program.len()
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.program.inputs
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
        self.program.outputs(memory)
    }

    /// The value of every operation.
    pub(crate) fn run(&self, inputs: &[M::Value]) -> Vec<M::Value> {
        let mut memory = Vec::new();
        let mut meaning = self.meaning.clone();
        match (self.program).run(&mut meaning, &self.constants, inputs, &mut memory) {
            Ok(()) => memory,
            Err(never) => match never {},
        }
    }
}
