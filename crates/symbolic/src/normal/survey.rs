//! Which ring a set of expressions needs: generators, independent angles, roots.

use super::generator::{Depth, Generator, Pair};
use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::polynomial::monomial;
use crate::power::restored;
use crate::prove::linear_form::{Lattice, linear_form};
use crate::prove::program::{factorize, root_degrees};
use crate::walk::children_first;
use crate::{Expr, Rational, TooLarge};
use dashu::integer::{IBig, UBig};

/// An argument of sine and cosine (or their hyperbolic kin, or exp): multiples of atoms, and a multiple of π.
pub(crate) struct Angle {
    pub(crate) multiples: Vec<(usize, i64)>,
    pub(crate) turn: Rational,
}

/// A family of functions with an addition theorem.
#[derive(Default)]
pub(crate) struct Angles {
    lattice: Lattice,
    index: Map<Expr, usize>,
    /// The arguments in the order of their angles, and the multiple of π split off from each.
    arguments: Vec<Expr>,
    turns: Vec<Rational>,
}

/// The ring's raw material.
pub(crate) struct Survey {
    pub(crate) depth: Depth,
    /// All subexpressions that need a value, children first.
    pub(crate) nodes: Vec<Expr>,
    pub(crate) generators: Vec<Generator>,
    /// The generator of a symbol (or its root), an opaque function, or π.
    pub(crate) index: Map<Expr, usize>,
    /// The generator of the root of a compound base.
    pub(crate) roots: Map<Expr, usize>,
    /// The degree of the root of each base.
    pub(crate) degrees: Map<Expr, u64>,
    /// The generators of numbers under roots, with the degree.
    pub(crate) primes: Map<UBig, (usize, u64)>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) circular: Family,
    pub(crate) hyperbolic: Family,
    /// The atoms' generators are exponentials.
    pub(crate) exponential: Family,
}

/// Angles of one family, resolved.
#[derive(Default)]
pub(crate) struct Family {
    /// The angle of each argument.
    pub(crate) index: Map<Expr, usize>,
    pub(crate) angles: Vec<Angle>,
    /// The pair (or the exponential's generator) of each atom.
    pub(crate) atoms: Vec<usize>,
}

/// Is the argument's value beside the point?
fn is_leaf(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Function(..))
}

/// Children first; functions are leaves.
fn order(roots: impl DoubleEndedIterator<Item = Expr>) -> Vec<Expr> {
    children_first(roots, is_leaf, |_| None)
}

impl Angles {
    /// Registers an argument.
    fn add(&mut self, x: &Expr, depth: Depth, circular: bool) -> Result<(), TooLarge> {
        if self.index.contains_key(x) {
            return Ok(());
        }
        let mut form = match depth {
            Depth::Angles => linear_form(x),
            _ => vec![(x.clone(), Rational::ONE)],
        };
        let mut turn = Rational::ZERO;
        let pi = |(m, _): &(Expr, Rational)| circular && matches!(m.kind(), Kind::Pi);
        if let Some(i) = form.iter().position(pi) {
            turn = form.swap_remove(i).1;
        }
        if form.is_empty() {
            // A multiple of π alone is a number.
            return Ok(());
        }
        // The same atoms in the same order on every run.
        form.sort_by(|a, b| a.0.cmp(&b.0));
        let i = self.lattice.add(form).ok_or(TooLarge)?;
        self.index.insert(x.clone(), i);
        self.arguments.push(x.clone());
        self.turns.push(turn);
        Ok(())
    }

    /// Arguments that are independent already serve as atoms themselves, whole: sin(x - y) alone need
    /// not become sines of x and of y.
    fn settle(&mut self) -> Result<(), TooLarge> {
        if !self.lattice.is_independent() {
            return Ok(());
        }
        self.lattice = Lattice::default();
        for x in &self.arguments {
            let form = vec![(x.clone(), Rational::ONE)];
            self.lattice.add(form).ok_or(TooLarge)?;
        }
        self.turns.fill(Rational::ZERO);
        Ok(())
    }

    /// Makes generators for the atoms.
    fn resolve(self, atom: impl FnMut(&Expr) -> usize) -> Result<Family, TooLarge> {
        let multiples = self.lattice.multiples().ok_or(TooLarge)?;
        let angles = multiples.into_iter().zip(self.turns);
        Ok(Family {
            index: self.index,
            angles: angles
                .map(|(multiples, turn)| Angle { multiples, turn })
                .collect(),
            atoms: self.lattice.arguments().iter().map(atom).collect(),
        })
    }
}

impl Survey {
    pub(crate) fn new(roots: &[Expr], depth: Depth) -> Result<Self, TooLarge> {
        let mut nodes = order(roots.iter().cloned());
        let (mut circular, mut hyperbolic, mut exponential) =
            (Angles::default(), Angles::default(), Angles::default());
        let mut tangents_only = true;
        if depth != Depth::Plain {
            for e in &nodes {
                let Kind::Function(f, x) = e.kind() else {
                    continue;
                };
                match f {
                    Function::Sin | Function::Cos => circular.add(&x[0], depth, true)?,
                    Function::Sinh | Function::Cosh | Function::Tanh => {
                        hyperbolic.add(&x[0], depth, false)?;
                        tangents_only &= *f == Function::Tanh;
                    }
                    Function::Exp => exponential.add(&x[0], depth, false)?,
                    _ => {}
                }
            }
        }
        if tangents_only && hyperbolic.lattice.is_independent() {
            // Without relations tanh stays, which is bounded where its sinh and cosh are not.
            hyperbolic = Angles::default();
        }
        for family in [&mut circular, &mut hyperbolic, &mut exponential] {
            family.settle()?;
        }
        let mut turns = Vec::new();
        for turn in circular.turns.iter().filter(|t| !t.is_zero()) {
            let angle = Expr::from(turn) * Expr::pi();
            turns.extend([angle.cos(), angle.sin()]);
        }
        if !turns.is_empty() {
            // First, because the angles need them.
            nodes = order(turns.into_iter().chain(roots.iter().cloned()));
        }
        let degrees = match depth {
            Depth::Plain => Map::default(),
            _ => root_degrees(&nodes).map_err(|_| TooLarge)?,
        };
        if degrees
            .values()
            .any(|&d| d > u64::from(monomial::MAX_EXPONENT))
        {
            return Err(TooLarge);
        }
        let mut survey = Self {
            depth,
            generators: Vec::new(),
            index: Map::default(),
            roots: Map::default(),
            degrees,
            primes: Map::default(),
            pairs: Vec::new(),
            circular: Family::default(),
            hyperbolic: Family::default(),
            exponential: Family::default(),
            nodes: Vec::new(),
        };
        survey.families(circular, hyperbolic, exponential)?;
        for e in &nodes {
            survey.visit(e)?;
        }
        survey.nodes = nodes;
        Ok(survey)
    }

    fn families(
        &mut self,
        circular: Angles,
        hyperbolic: Angles,
        exponential: Angles,
    ) -> Result<(), TooLarge> {
        self.circular = circular.resolve(|x| self.pair(x.cos(), x.sin(), false))?;
        self.hyperbolic = hyperbolic.resolve(|x| self.pair(x.cosh(), x.sinh(), true))?;
        self.exponential = exponential.resolve(|x| self.push(Generator::plain(x.exp())))?;
        Ok(())
    }

    fn pair(&mut self, cosine: Expr, sine: Expr, hyperbolic: bool) -> usize {
        let cosine = self.push(Generator::plain(cosine));
        let sine = self.push(Generator::plain(sine));
        self.pairs.push(Pair {
            cosine,
            sine,
            hyperbolic,
        });
        self.pairs.len() - 1
    }

    fn push(&mut self, g: Generator) -> usize {
        self.generators.push(g);
        self.generators.len() - 1
    }

    fn visit(&mut self, e: &Expr) -> Result<(), TooLarge> {
        match e.kind() {
            Kind::Undefined => return Err(TooLarge),
            Kind::Symbol(_) => {
                let degree = self.degrees.get(e).copied().unwrap_or(1);
                let degree = i64::try_from(degree).map_err(|_| TooLarge)?;
                self.leaf(e, Generator::root(e.clone(), degree));
            }
            Kind::Pi => self.leaf(e, Generator::plain(e.clone())),
            Kind::Function(..) if self.is_opaque(e) => self.leaf(e, Generator::plain(e.clone())),
            Kind::Product(factors) if self.depth == Depth::Plain => {
                for (b, r) in factors.iter().filter(|(_, r)| !is_natural(r)) {
                    let power = b.powr(r);
                    self.leaf(&power, Generator::plain(power.clone()));
                }
            }
            Kind::Product(factors) => {
                for (b, _) in factors.iter().filter(|(_, r)| !r.is_integer()) {
                    self.radical(b)?;
                }
            }
            Kind::Number(_) | Kind::Sum(..) | Kind::Scaled(..) | Kind::Function(..) => {}
        }
        if self.generators.len() > 8 * MAX_WORDS {
            return Err(TooLarge);
        }
        Ok(())
    }

    fn is_opaque(&self, e: &Expr) -> bool {
        let Kind::Function(f, x) = e.kind() else {
            return false;
        };
        let family = match f {
            Function::Sin | Function::Cos => &self.circular,
            Function::Sinh | Function::Cosh | Function::Tanh => &self.hyperbolic,
            Function::Exp => &self.exponential,
            _ => return true,
        };
        !family.index.contains_key(&x[0])
    }

    fn leaf(&mut self, e: &Expr, g: Generator) {
        if !self.index.contains_key(e) {
            let i = self.push(g);
            self.index.insert(e.clone(), i);
        }
    }

    /// The generator of a root.
    fn radical(&mut self, base: &Expr) -> Result<(), TooLarge> {
        let Some(n) = base.as_number() else {
            if base.as_symbol().is_none() && !self.roots.contains_key(base) {
                let degree = i64::try_from(self.degrees[base]).map_err(|_| TooLarge)?;
                // Without exponentials there is nothing to restore.
                let written = match self.exponential.atoms.is_empty() {
                    true => base.clone(),
                    false => restored(base),
                };
                let i = self.push(Generator::root(written, degree));
                self.roots.insert(base.clone(), i);
            }
            return Ok(());
        };
        for (prime, _) in factorize(n).map_err(|_| TooLarge)? {
            if self.primes.contains_key(&prime) {
                continue;
            }
            let number = Expr::from(Rational::from(IBig::from(prime.clone())));
            let degree = self.degrees.get(&number).copied().unwrap_or(1);
            let g = Generator::root(number, i64::try_from(degree).map_err(|_| TooLarge)?);
            let i = self.push(g);
            self.primes.insert(prime, (i, degree));
        }
        Ok(())
    }

    pub(crate) fn words(&self) -> usize {
        monomial::words(self.generators.len())
    }
}

/// A positive integer exponent?
pub(crate) fn is_natural(r: &Rational) -> bool {
    r.is_integer() && r.is_positive()
}

/// More generators than 8 times this make packed monomials too long to be of use.
const MAX_WORDS: usize = 16;
