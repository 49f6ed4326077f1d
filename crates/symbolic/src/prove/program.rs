//! An expression graph as a straight-line program over a prime field.
//!
//! Compilation decides what each leaf means: a symbol under a root is written as a power of a new
//! unknown, radicals of numbers as radicals of primes, angles as combinations of independent ones.

use super::field::{TORSION, gcd};
use super::linear_form::{Lattice, linear_form};
use super::random::mix;
use crate::function::Function;
use crate::hash::{Map, Set};
use crate::node::Kind;
use crate::power::as_exponentials;
use crate::{Expr, Rational, Sign, Symbol};
use dashu::integer::{IBig, UBig};

/// One value of the program.
pub(crate) enum Op {
    /// A number, by its index in the pool.
    Constant(usize),
    Pi,
    /// The d-th power of the unknown that stands for a symbol.
    Symbol(usize),
    /// That unknown: the d-th root of the symbol.
    SymbolRoot(usize),
    /// A root of a computed value; all its branches count.
    Root {
        base: usize,
        degree: u64,
    },
    Sum(usize, Box<[(usize, usize)]>),
    Scale(usize, usize),
    Product(Box<[(Base, i64)]>),
    Cos(usize),
    Sin(usize),
    Exp(usize),
    Sinh(usize),
    Cosh(usize),
    /// Σ weight·log(value).
    Log(Box<[(usize, usize)]>),
    Asin(usize),
    Acos(usize),
    Atan(usize),
    Atan2(usize, usize),
}

/// What a factor of a product is a power of.
#[derive(Clone, Copy)]
pub(crate) enum Base {
    /// A computed value.
    Slot(usize),
    /// The root of a prime number, by its index.
    Prime(usize),
}

/// An angle: multiples of independent angles and of the torsion angle 2π/turns.
pub(crate) struct Angle {
    pub(crate) multiples: Vec<(usize, i64)>,
    pub(crate) torsion: i64,
}

/// Why an expression has no image in a prime field.
pub(crate) type Unsupported = &'static str;

/// The compiled graph.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
    pub(crate) outputs: Vec<usize>,
    pub(crate) constants: Vec<Rational>,
    /// The degree d of the power u^d that stands for each symbol.
    pub(crate) symbols: Vec<u64>,
    pub(crate) angles: Vec<Angle>,
    pub(crate) angle_atoms: usize,
    pub(crate) exponentials: Vec<Vec<(usize, i64)>>,
    pub(crate) exponential_atoms: usize,
    /// Numbers under radicals and the degree of their root.
    pub(crate) primes: Vec<(UBig, u64)>,
    /// Least common multiple of the odd parts of all root degrees.
    pub(crate) odd: u64,
    pub(crate) torsion: bool,
    /// Angles are multiples of 2π/turns.
    pub(crate) turns: u64,
    pub(crate) seed: u64,
}

/// Does the value of `e` come from its argument's form instead of its argument's value?
fn by_form(e: &Expr) -> bool {
    use Function::{Cos, Cosh, Exp, Sin, Sinh, Tanh};
    matches!(
        e.kind(),
        Kind::Function(Sin | Cos | Exp | Sinh | Cosh | Tanh, _)
    )
}

/// Children first, without the arguments that only matter by their form.
fn order(roots: impl DoubleEndedIterator<Item = Expr>) -> Vec<Expr> {
    let mut seen: Set<Expr> = Set::default();
    let mut all = Vec::new();
    let mut stack: Vec<(Expr, bool)> = roots.rev().map(|e| (e, false)).collect();
    while let Some((e, done)) = stack.pop() {
        if done {
            all.push(e);
        } else if seen.insert(e.clone()) {
            if by_form(&e) {
                all.push(e);
                continue;
            }
            stack.push((e.clone(), true));
            e.kind().for_each_child(|c| {
                if !seen.contains(c) {
                    stack.push((c.clone(), false));
                }
            });
        }
    }
    all
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}

struct Compiler {
    program: Program,
    slots: Map<Expr, usize>,
    pool: Map<Rational, usize>,
    /// The degree of the root of each base (and prime) under a radical.
    roots: Map<Expr, u64>,
    root_slots: Map<Expr, usize>,
    symbols: Map<Symbol, usize>,
    primes: Map<UBig, usize>,
    angles: Lattice,
    torsions: Vec<i64>,
    exponentials: Lattice,
    angle_of: Map<Expr, usize>,
    exponential_of: Map<Expr, usize>,
}

const TOO_BIG: Unsupported = "an exponent or a multiple of an angle is beyond machine integers";

/// Compiles `outputs`; equal inputs give equal programs.
pub(crate) fn compile(outputs: &[Expr]) -> Result<Program, Unsupported> {
    let outputs = &as_exponentials(outputs, true);
    let mut nodes = order(outputs.iter().cloned());
    let roots = root_degrees(&nodes)?;
    let computed = |e: &Expr| roots.contains_key(e) && e.as_symbol().is_none();
    if nodes.iter().any(computed) {
        // Radicands first: a point where one has no root is given up early.
        let radicands: Vec<Expr> = nodes.iter().filter(|e| computed(e)).cloned().collect();
        nodes = order(radicands.into_iter().chain(outputs.iter().cloned()));
    }
    let mut compiler = Compiler {
        program: Program {
            odd: 1,
            turns: turns(&nodes),
            ops: Vec::with_capacity(nodes.len()),
            ..Program::default()
        },
        slots: Map::with_capacity_and_hasher(nodes.len(), Default::default()),
        pool: Map::default(),
        roots,
        root_slots: Map::default(),
        symbols: Map::default(),
        primes: Map::default(),
        angles: Lattice::default(),
        torsions: Vec::new(),
        exponentials: Lattice::default(),
        angle_of: Map::default(),
        exponential_of: Map::default(),
    };
    for e in &nodes {
        compiler.node(e)?;
    }
    compiler.finish(outputs)
}

/// The least common denominator of the exponents of each base, and of each prime under a radical.
pub(crate) fn root_degrees(nodes: &[Expr]) -> Result<Map<Expr, u64>, Unsupported> {
    let mut degrees: Map<Expr, u64> = Map::default();
    for e in nodes {
        let Kind::Product(factors) = e.kind() else {
            continue;
        };
        for (b, r) in factors.iter().filter(|(_, r)| !r.is_integer()) {
            let (_, q) = r.as_small().ok_or(TOO_BIG)?;
            let mut join = |key: Expr| {
                let d = degrees.entry(key).or_insert(1);
                *d = lcm(*d, q.unsigned_abs()).ok_or(TOO_BIG)?;
                Ok(())
            };
            match b.as_number() {
                None => join(b.clone())?,
                Some(n) => {
                    for (prime, _) in factorize(n)? {
                        join(Expr::from(Rational::from(IBig::from(prime))))?;
                    }
                }
            }
        }
    }
    Ok(degrees)
}

/// A positive integer as a product of small primes and what is left.
pub(crate) fn factorize(n: &Rational) -> Result<Vec<(UBig, i64)>, Unsupported> {
    if !n.is_integer() || !n.is_positive() {
        return Err("a root of a number that is not a positive integer");
    }
    let mut rest = dashu::base::UnsignedAbs::unsigned_abs(n.numerator());
    let mut factors = Vec::new();
    for p in 2u32..1000 {
        let mut multiplicity = 0;
        while rest > UBig::ONE && &rest % p == 0 {
            rest /= p;
            multiplicity += 1;
        }
        if multiplicity > 0 {
            factors.push((UBig::from(p), multiplicity));
        }
        if rest == UBig::ONE {
            return Ok(factors);
        }
    }
    factors.push((rest, 1));
    Ok(factors)
}

impl Compiler {
    fn constant(&mut self, r: &Rational) -> usize {
        if let Some(&i) = self.pool.get(r) {
            return i;
        }
        let i = self.program.constants.len();
        self.program.constants.push(r.clone());
        self.pool.insert(r.clone(), i);
        i
    }

    fn push(&mut self, op: Op) -> usize {
        self.program.ops.push(op);
        self.program.ops.len() - 1
    }

    fn node(&mut self, e: &Expr) -> Result<(), Unsupported> {
        let op = match e.kind() {
            Kind::Number(r) => Op::Constant(self.constant(r)),
            Kind::Pi => Op::Pi,
            Kind::Undefined => return Err("it contains a division by zero"),
            Kind::Symbol(s) => Op::Symbol(self.symbol(s)),
            Kind::Sum(c, terms) => {
                let c = self.constant(c);
                let terms = terms
                    .iter()
                    .map(|(t, w)| (self.slots[t], self.constant(w)))
                    .collect();
                Op::Sum(c, terms)
            }
            Kind::Scaled(c, x) => Op::Scale(self.slots[x], self.constant(c)),
            Kind::Product(factors) => Op::Product(self.factors(factors)?),
            Kind::Function(f, x) => self.function(*f, x)?,
        };
        let slot = self.push(op);
        self.slots.insert(e.clone(), slot);
        Ok(())
    }

    fn symbol(&mut self, s: &Symbol) -> usize {
        let degree = self.roots.get(&Expr::from(s)).copied().unwrap_or(1);
        let i = self.program.symbols.len();
        self.program.symbols.push(degree);
        self.symbols.insert(s.clone(), i);
        i
    }

    fn factors(&mut self, factors: &[(Expr, Rational)]) -> Result<Box<[(Base, i64)]>, Unsupported> {
        let mut all = Vec::with_capacity(factors.len());
        for (b, r) in factors {
            if r.is_integer() {
                all.push((Base::Slot(self.slots[b]), r.as_integer().ok_or(TOO_BIG)?));
            } else if let Some(n) = b.as_number() {
                for (prime, multiplicity) in factorize(n)? {
                    let (index, degree) = self.prime(prime)?;
                    let k = exponent(r, degree)?;
                    let k = k.checked_mul(multiplicity).ok_or(TOO_BIG)?;
                    all.push((Base::Prime(index), k));
                }
            } else {
                let degree = self.roots[b];
                let slot = self.root(b, degree)?;
                all.push((Base::Slot(slot), exponent(r, degree)?));
            }
        }
        Ok(all.into())
    }

    /// The slot of the d-th root of a base.
    fn root(&mut self, b: &Expr, degree: u64) -> Result<usize, Unsupported> {
        if let Some(&slot) = self.root_slots.get(b) {
            return Ok(slot);
        }
        let op = match b.as_symbol().and_then(|s| self.symbols.get(s)) {
            Some(&i) => Op::SymbolRoot(i),
            None if degree.is_multiple_of(4) => {
                return Err("a fourth root of a compound expression");
            }
            None => {
                self.require_odd(degree)?;
                Op::Root {
                    base: self.slots[b],
                    degree,
                }
            }
        };
        let slot = self.push(op);
        self.root_slots.insert(b.clone(), slot);
        Ok(slot)
    }

    fn require_odd(&mut self, degree: u64) -> Result<(), Unsupported> {
        let odd = degree >> degree.trailing_zeros();
        self.program.odd = lcm(self.program.odd, odd).ok_or(TOO_BIG)?;
        Ok(())
    }

    /// The index of a prime under a radical and the degree of its root.
    fn prime(&mut self, prime: UBig) -> Result<(usize, u64), Unsupported> {
        let key = Expr::from(Rational::from(IBig::from(prime.clone())));
        let degree = self.roots.get(&key).copied().unwrap_or(1);
        if degree.is_multiple_of(4) {
            return Err("a fourth root of a number");
        }
        if let Some(&i) = self.primes.get(&prime) {
            return Ok((i, degree));
        }
        self.require_odd(degree)?;
        self.program.torsion |= degree.is_multiple_of(2);
        let i = self.program.primes.len();
        self.program.primes.push((prime.clone(), degree));
        self.primes.insert(prime, i);
        Ok((i, degree))
    }

    fn function(&mut self, f: Function, x: &[Expr]) -> Result<Op, Unsupported> {
        let slot = |i: usize| self.slots[&x[i]];
        Ok(match f {
            Function::Sin => Op::Sin(self.angle(&x[0])?),
            Function::Cos => Op::Cos(self.angle(&x[0])?),
            Function::Exp => Op::Exp(self.exponential(&x[0])?),
            Function::Sinh => Op::Sinh(self.exponential(&x[0])?),
            Function::Cosh => Op::Cosh(self.exponential(&x[0])?),
            Function::Tanh => self.tangent(&x[0])?,
            Function::Log => Op::Log(self.logarithm(&x[0])),
            Function::Asin => Op::Asin(slot(0)),
            Function::Acos => Op::Acos(slot(0)),
            Function::Atan => Op::Atan(slot(0)),
            Function::Atan2 => Op::Atan2(slot(0), slot(1)),
            Function::Power => return Err("a power of a number that is not positive"),
        })
    }

    fn angle(&mut self, x: &Expr) -> Result<usize, Unsupported> {
        if let Some(&i) = self.angle_of.get(x) {
            return Ok(i);
        }
        let mut form = linear_form(x);
        let mut torsion = 0;
        if let Some(i) = form.iter().position(|(m, _)| matches!(m.kind(), Kind::Pi))
            && let Some(k) = torsion_multiple(&form[i].1, self.program.turns)
        {
            form.swap_remove(i);
            torsion = k;
            self.program.torsion = true;
        }
        let i = self.angles.add(form).ok_or(TOO_BIG)?;
        self.torsions.push(torsion);
        self.angle_of.insert(x.clone(), i);
        Ok(i)
    }

    fn exponential(&mut self, x: &Expr) -> Result<usize, Unsupported> {
        if let Some(&i) = self.exponential_of.get(x) {
            return Ok(i);
        }
        let i = self.exponentials.add(linear_form(x)).ok_or(TOO_BIG)?;
        self.exponential_of.insert(x.clone(), i);
        Ok(i)
    }

    /// tanh = sinh/cosh.
    fn tangent(&mut self, x: &Expr) -> Result<Op, Unsupported> {
        let i = self.exponential(x)?;
        let (sine, cosine) = (self.push(Op::Sinh(i)), self.push(Op::Cosh(i)));
        Ok(Op::Product(Box::new([
            (Base::Slot(sine), 1),
            (Base::Slot(cosine), -1),
        ])))
    }

    /// log Π bᵢ^rᵢ = Σ rᵢ log bᵢ where every bᵢ is known to be positive.
    fn logarithm(&mut self, x: &Expr) -> Box<[(usize, usize)]> {
        let (c, core) = x.split_coefficient();
        let mut parts = vec![(core.clone(), Rational::ONE)];
        if !c.is_positive() {
            parts = vec![(x.clone(), Rational::ONE)];
        } else if let Kind::Product(factors) = core.kind() {
            let positive = |(b, _): &(Expr, Rational)| b.sign() == Sign::Positive;
            if factors.iter().all(positive) {
                parts = factors.to_vec();
            }
        }
        let mut all: Vec<(usize, usize)> = Vec::new();
        for (b, r) in parts.iter().filter(|(b, _)| !b.is_one()) {
            let content = content(b);
            let mut slot = self.slots[b];
            if let Some(inverse) = content.recip().filter(|c| !c.is_one()) {
                let scale = self.constant(&inverse);
                slot = self.push(Op::Scale(slot, scale));
                self.log_number(&content, r, &mut all);
            }
            all.push((slot, self.constant(r)));
        }
        if c.is_positive() {
            self.log_number(&c, &Rational::ONE, &mut all);
        }
        all.into()
    }

    /// The logarithm of a positive number, through its primes, times a weight.
    fn log_number(&mut self, c: &Rational, weight: &Rational, all: &mut Vec<(usize, usize)>) {
        let whole = |n: UBig| Rational::from(IBig::from(n));
        let numerator = Rational::from(c.numerator());
        for (part, sign) in [(numerator, 1), (whole(c.denominator()), -1)] {
            for (prime, k) in factorize(&part).unwrap_or_default() {
                let value = self.constant(&whole(prime));
                let slot = self.push(Op::Constant(value));
                let weight = weight * &Rational::from(sign * k);
                all.push((slot, self.constant(&weight)));
            }
        }
    }

    fn finish(mut self, outputs: &[Expr]) -> Result<Program, Unsupported> {
        let multiples = self.angles.multiples().ok_or(TOO_BIG)?;
        self.program.angles = multiples
            .into_iter()
            .zip(self.torsions)
            .map(|(multiples, torsion)| Angle { multiples, torsion })
            .collect();
        self.program.angle_atoms = self.angles.atoms();
        self.program.exponentials = self.exponentials.multiples().ok_or(TOO_BIG)?;
        self.program.exponential_atoms = self.exponentials.atoms();
        self.program.outputs = outputs.iter().map(|e| self.slots[e]).collect();
        self.program.seed = outputs.iter().fold(0, |h, e| mix(h ^ e.0.hash));
        Ok(self.program)
    }
}

/// The positive common factor of the numbers in a sum; 1 for anything else.
fn content(e: &Expr) -> Rational {
    match e.kind() {
        Kind::Sum(c, terms) => terms.iter().fold(c.abs(), |g, (_, w)| g.gcd(w)),
        _ => Rational::ONE,
    }
}

/// r·degree as an integer.
fn exponent(r: &Rational, degree: u64) -> Result<i64, Unsupported> {
    let degree = i64::try_from(degree).map_err(|_| TOO_BIG)?;
    (r * &Rational::from(degree)).as_integer().ok_or(TOO_BIG)
}

/// q·π as a multiple of the torsion angle, if it is one.
fn torsion_multiple(q: &Rational, turns: u64) -> Option<i64> {
    let half = turns as i64 / 2;
    let k = (q * &Rational::from(half)).as_integer()?;
    Some(k.rem_euclid(turns as i64))
}

/// Rational parts of a turn beyond this are independent angles.
const MAX_TURNS: u64 = 100_000;

/// The least multiple of TORSION such that the multiples of π in all angles are multiples of 2π/turns.
fn turns(nodes: &[Expr]) -> u64 {
    let mut all = TORSION;
    for e in nodes {
        let Kind::Function(Function::Sin | Function::Cos, x) = e.kind() else {
            continue;
        };
        let denominator = match x[0].kind() {
            Kind::Scaled(c, e) if matches!(e.kind(), Kind::Pi) => c.as_small(),
            Kind::Sum(_, terms) => terms
                .iter()
                .find(|(t, _)| matches!(t.kind(), Kind::Pi))
                .and_then(|(_, c)| c.as_small()),
            _ => None,
        };
        let wanted = denominator.and_then(|(_, d)| lcm(all, 2 * d.unsigned_abs()));
        all = wanted.filter(|&n| n <= MAX_TURNS).unwrap_or(all);
    }
    all
}
