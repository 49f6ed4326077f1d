//! From the expression graph to a program.

use super::{Lowered, Op};
use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Rational, Symbol};

/// Powers of operations.
pub(crate) type Factors<P> = Box<[(usize, P)]>;

/// How the leaves, powers and functions of a graph become operations.
pub(crate) trait Reading: Sized {
    /// An exponent in the program.
    type Power;
    /// A function in the program.
    type Call;
    /// Why an expression has no program.
    type Error;
    /// A symbol.
    fn symbol(&mut self, s: &Symbol) -> Result<Op<Self::Power, Self::Call>, Self::Error>;
    /// What is never defined.
    fn undefined(&mut self) -> Result<Op<Self::Power, Self::Call>, Self::Error> {
        Ok(Op::Undefined)
    }
    /// The factors of a product, as powers of operations.
    fn factors(
        &mut self,
        lowering: &mut Lowering<Self>,
        factors: &[(Expr, Rational)],
    ) -> Result<Factors<Self::Power>, Self::Error>;
    /// A function of arguments.
    fn function(
        &mut self,
        lowering: &mut Lowering<Self>,
        f: Function,
        x: &[Expr],
    ) -> Result<Op<Self::Power, Self::Call>, Self::Error>;
}

/// A program that grows.
pub(crate) struct Lowering<R: Reading> {
    ops: Vec<Op<R::Power, R::Call>>,
    constants: Vec<Rational>,
    pool: Map<Rational, usize>,
    place: Map<Expr, usize>,
}

impl<R: Reading> Lowering<R> {
    /// A program for about so many nodes.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self {
            ops: Vec::with_capacity(nodes),
            constants: Vec::new(),
            pool: Map::default(),
            place: Map::with_capacity_and_hasher(nodes, Default::default()),
        }
    }

    /// The place of an exact number in the pool.
    pub(crate) fn constant(&mut self, r: &Rational) -> usize {
        if let Some(&i) = self.pool.get(r) {
            return i;
        }
        let i = self.constants.len();
        self.constants.push(r.clone());
        self.pool.insert(r.clone(), i);
        i
    }

    /// Adds an operation.
    pub(crate) fn push(&mut self, op: Op<R::Power, R::Call>) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// The operation of an expression that was added.
    pub(crate) fn at(&self, e: &Expr) -> usize {
        self.place[e]
    }

    /// Lets a node have the value of another one that was added.
    pub(crate) fn alias(&mut self, e: &Expr, of: &Expr) {
        let slot = self.at(of);
        self.place.insert(e.clone(), slot);
    }

    /// Adds a node whose children were added.
    pub(crate) fn node(&mut self, e: &Expr, reading: &mut R) -> Result<(), R::Error> {
        let op = match e.kind() {
            Kind::Number(r) => Op::Constant(self.constant(r)),
            Kind::Pi => Op::Pi,
            Kind::Undefined => reading.undefined()?,
            Kind::Symbol(s) => reading.symbol(s)?,
            Kind::Sum(c, terms) => {
                let c = self.constant(c);
                let term = |(t, w): &(Expr, Rational)| (self.at(t), self.constant(w));
                Op::Sum(c, terms.iter().map(term).collect())
            }
            Kind::Scaled(c, x) => Op::Scale(self.at(x), self.constant(c)),
            Kind::Product(factors) => match reading.factors(self, factors)? {
                none if none.is_empty() => Op::Constant(self.constant(&Rational::ONE)),
                factors => Op::Product(factors),
            },
            Kind::Function(f, x) => reading.function(self, *f, x)?,
        };
        let slot = self.push(op);
        self.place.insert(e.clone(), slot);
        Ok(())
    }

    /// The program of these outputs.
    pub(crate) fn finish(self, inputs: usize, outputs: &[Expr]) -> Lowered<R::Power, R::Call> {
        Lowered {
            inputs,
            outputs: outputs.iter().map(|e| self.at(e)).collect(),
            ops: self.ops,
            constants: self.constants,
        }
    }
}

/// An expression mentions a symbol that is not among the inputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no value is given for `{0}`")]
pub struct MissingInput(pub Symbol);

/// Everything as it stands: exponents are rational, functions their own names.
struct Plain<'s>(Map<&'s Symbol, usize>);

impl Reading for Plain<'_> {
    type Power = Rational;
    type Call = Function;
    type Error = MissingInput;

    fn symbol(&mut self, s: &Symbol) -> Result<Op<Rational, Function>, MissingInput> {
        let slot = self.0.get(s).ok_or_else(|| MissingInput(s.clone()))?;
        Ok(Op::Input(*slot))
    }
    fn factors(
        &mut self,
        lowering: &mut Lowering<Self>,
        factors: &[(Expr, Rational)],
    ) -> Result<Box<[(usize, Rational)]>, MissingInput> {
        let factor = |(b, r): &(Expr, Rational)| (lowering.at(b), r.clone());
        Ok(factors.iter().map(factor).collect())
    }
    fn function(
        &mut self,
        lowering: &mut Lowering<Self>,
        f: Function,
        x: &[Expr],
    ) -> Result<Op<Rational, Function>, MissingInput> {
        let second = x.get(1).unwrap_or(&x[0]);
        Ok(Op::Function(f, lowering.at(&x[0]), lowering.at(second)))
    }
}

impl Lowered {
    /// Lowers `outputs` as functions of `inputs`.
    pub(crate) fn new(inputs: &[Symbol], outputs: &[Expr]) -> Result<Self, MissingInput> {
        let mut plain = Plain(inputs.iter().enumerate().map(|(i, s)| (s, i)).collect());
        let nodes = postorder(outputs, |_| true);
        let mut lowering = Lowering::with_capacity(nodes.len());
        for e in &nodes {
            lowering.node(e, &mut plain)?;
        }
        Ok(lowering.finish(inputs.len(), outputs))
    }
}
