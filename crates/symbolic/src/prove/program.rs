//! How the expression graph is read over a prime field.
//!
//! The reading decides what each leaf means: a symbol under a root is written as a power of a new
//! unknown, radicals of numbers as radicals of primes, angles as combinations of independent ones.

use super::field::{TORSION, gcd};
use super::linear_form::{Lattice, linear_form};
use super::random::mix;
use crate::function::{Function, Image, Special};
use crate::hash::Map;
use crate::meaning::{self, Lowered, Reading};
use crate::node::Kind;
use crate::power::as_exponentials;
use crate::walk::children_first;
use crate::{Expr, Rational, Sign, Symbol};
use dashu::integer::{IBig, UBig};

/// A function of the program, and what else has a value of its own in a field.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// The unknown whose power a symbol is.
    SymbolRoot(usize),
    /// The root of a prime number, by its index.
    Prime(usize),
    /// A root of a computed value; all its branches count.
    Root(u64),
    /// The cosine or the sine of an angle.
    Circle { angle: usize, sine: bool },
    /// e^x.
    Exponential(usize),
    /// (e^x ± e^-x)/2.
    Hyperbolic { exponential: usize, sine: bool },
    /// A function without algebraic relations other than these.
    Opaque(Function, Special),
}

type Op = meaning::Op<i64, Call>;
type Lowering = meaning::Lowering<Compiler>;

/// An angle: multiples of independent angles and of the torsion angle 2π/turns.
pub(crate) struct Angle {
    pub(crate) multiples: Vec<(usize, i64)>,
    pub(crate) torsion: i64,
}

/// Why an expression has no image in a prime field.
pub(crate) type Unsupported = &'static str;

/// The compiled graph.
pub(crate) struct Program {
    pub(crate) lowered: Lowered<i64, Call>,
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

impl Program {
    /// How many roots are taken of computed values.
    pub(crate) fn roots(&self) -> usize {
        let is_root = |op: &&Op| matches!(op, Op::Function(Call::Root(_), ..));
        self.lowered.ops.iter().filter(is_root).count()
    }
}

/// Who the leaves of a program are.
pub(crate) struct Leaves {
    pub(crate) symbols: Vec<Symbol>,
    /// What the unit angles are angles of.
    pub(crate) angles: Vec<Expr>,
    /// What the unit exponentials are exponentials of.
    pub(crate) exponentials: Vec<Expr>,
}

/// Does the value of `e` come from its argument's form instead of its argument's value?
fn by_form(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Function(f, _) if f.image().is_by_form())
}

/// Children first, without the arguments that only matter by their form; what a symbol stands for counts as
/// its child.
fn order(
    roots: impl DoubleEndedIterator<Item = Expr>,
    stands_for: &Map<Symbol, Expr>,
) -> Vec<Expr> {
    let meant = |e: &Expr| e.as_symbol().and_then(|s| stands_for.get(s)).cloned();
    children_first(roots, by_form, meant)
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}

/// What is known of the leaves so far.
#[derive(Default)]
struct Compiler {
    /// Must leaves have the same values in other programs?
    shared: bool,
    /// The degree of the root of each base (and prime) under a radical.
    roots: Map<Expr, u64>,
    root_slots: Map<Expr, usize>,
    symbols: Map<Symbol, usize>,
    degrees: Vec<u64>,
    primes: Map<UBig, usize>,
    prime_roots: Vec<(UBig, u64)>,
    odd: u64,
    torsion: bool,
    turns: u64,
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
    let mut compiler = Compiler::default();
    let lowering = compiler.lower(outputs, &Map::default())?;
    compiler.finish(lowering, outputs)
}

/// Compiles `outputs` where symbols may stand for functions of others, so that leaves with one name can have
/// one value in all programs: a symbol is no power of a root of its own, and all programs part the circle
/// alike.
pub(crate) fn compile_shared(
    outputs: &[Expr],
    on: &[(Symbol, Expr)],
) -> Result<(Program, Leaves), Unsupported> {
    let outputs = &as_exponentials(outputs, true);
    let values: Vec<Expr> = on.iter().map(|(_, e)| e.clone()).collect();
    let symbols = on.iter().map(|(s, _)| s.clone());
    let stands_for = symbols.zip(as_exponentials(&values, true)).collect();
    let mut compiler = Compiler {
        shared: true,
        angles: Lattice::of_parts(SHARED_PARTS),
        exponentials: Lattice::of_parts(SHARED_PARTS),
        ..Compiler::default()
    };
    let lowering = compiler.lower(outputs, &stands_for)?;
    let mut symbols: Vec<(Symbol, usize)> = compiler.symbols.drain().collect();
    symbols.sort_by_key(|(_, i)| *i);
    let leaves = Leaves {
        symbols: symbols.into_iter().map(|(s, _)| s).collect(),
        angles: compiler.angles.arguments(),
        exponentials: compiler.exponentials.arguments(),
    };
    Ok((compiler.finish(lowering, outputs)?, leaves))
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

impl Reading for Compiler {
    type Power = i64;
    type Call = Call;
    type Error = Unsupported;

    fn undefined(&mut self) -> Result<Op, Unsupported> {
        Err("it contains a division by zero")
    }

    fn symbol(&mut self, s: &Symbol) -> Result<Op, Unsupported> {
        let degree = match self.shared {
            true => 1,
            false => self.roots.get(&Expr::from(s)).copied().unwrap_or(1),
        };
        let i = self.degrees.len();
        self.degrees.push(degree);
        self.symbols.insert(s.clone(), i);
        Ok(Op::Input(i))
    }

    fn factors(
        &mut self,
        lowering: &mut Lowering,
        factors: &[(Expr, Rational)],
    ) -> Result<Box<[(usize, i64)]>, Unsupported> {
        let mut all = Vec::with_capacity(factors.len());
        for (b, r) in factors {
            if r.is_integer() {
                all.push((lowering.at(b), r.as_integer().ok_or(TOO_BIG)?));
            } else if let Some(n) = b.as_number() {
                for (prime, multiplicity) in factorize(n)? {
                    let (slot, degree) = self.prime(lowering, prime)?;
                    let k = exponent(r, degree)?;
                    all.push((slot, k.checked_mul(multiplicity).ok_or(TOO_BIG)?));
                }
            } else {
                let degree = self.roots[b];
                let slot = self.root(lowering, b, degree)?;
                all.push((slot, exponent(r, degree)?));
            }
        }
        Ok(all.into())
    }

    fn function(
        &mut self,
        lowering: &mut Lowering,
        f: Function,
        x: &[Expr],
    ) -> Result<Op, Unsupported> {
        Ok(match f.image() {
            Image::Circle { sine } => Op::Form(Call::Circle {
                angle: self.angle(&x[0])?,
                sine,
            }),
            Image::Exponential => Op::Form(Call::Exponential(self.exponential(&x[0])?)),
            Image::Hyperbolic { sine } => Op::Form(Call::Hyperbolic {
                exponential: self.exponential(&x[0])?,
                sine,
            }),
            Image::HyperbolicQuotient => self.tangent(lowering, &x[0])?,
            // That of a base which may be negative is a function of its own.
            Image::Logarithm if x.len() > 1 => {
                let at = lowering.at(&x[0]);
                Op::Function(Call::Opaque(Function::Power, Special::None), at, at)
            }
            Image::Logarithm => self.logarithm(lowering, &x[0]),
            Image::Opaque(special) => {
                let second = x.get(1).unwrap_or(&x[0]);
                let (x, y) = (lowering.at(&x[0]), lowering.at(second));
                Op::Function(Call::Opaque(f, special), x, y)
            }
            Image::Complement(of, special) => complement(lowering, of, special, &x[0]),
            Image::None(why) => return Err(why),
        })
    }
}

impl Compiler {
    fn lower(
        &mut self,
        outputs: &[Expr],
        stands_for: &Map<Symbol, Expr>,
    ) -> Result<Lowering, Unsupported> {
        let mut nodes = order(outputs.iter().cloned(), stands_for);
        self.roots = root_degrees(&nodes)?;
        let is_root = |e: &Expr| self.roots.contains_key(e);
        let computed = |e: &Expr| is_root(e) && (self.shared || e.as_symbol().is_none());
        if nodes.iter().any(computed) {
            // Radicands first: a point where one has no root is given up early.
            let radicands: Vec<Expr> = nodes.iter().filter(|e| computed(e)).cloned().collect();
            let roots = radicands.into_iter().chain(outputs.iter().cloned());
            nodes = order(roots, stands_for);
        }
        self.odd = 1;
        self.turns = match self.shared {
            true => SHARED_TURNS,
            false => turns(&nodes),
        };
        let mut lowering = Lowering::with_capacity(nodes.len());
        for e in &nodes {
            match e.as_symbol().and_then(|s| stands_for.get(s)) {
                Some(value) => lowering.alias(e, value),
                None => lowering.node(e, self)?,
            }
        }
        Ok(lowering)
    }

    /// The slot of the d-th root of a base.
    fn root(
        &mut self,
        lowering: &mut Lowering,
        b: &Expr,
        degree: u64,
    ) -> Result<usize, Unsupported> {
        if let Some(&slot) = self.root_slots.get(b) {
            return Ok(slot);
        }
        let unknown = b.as_symbol().filter(|_| !self.shared);
        let op = match unknown.and_then(|s| self.symbols.get(s)) {
            Some(&i) => Op::Form(Call::SymbolRoot(i)),
            None if degree.is_multiple_of(4) => {
                return Err("a fourth root of a compound expression");
            }
            None => {
                self.require_odd(degree)?;
                let base = lowering.at(b);
                Op::Function(Call::Root(degree), base, base)
            }
        };
        let slot = lowering.push(op);
        self.root_slots.insert(b.clone(), slot);
        Ok(slot)
    }

    fn require_odd(&mut self, degree: u64) -> Result<(), Unsupported> {
        let odd = degree >> degree.trailing_zeros();
        self.odd = lcm(self.odd, odd).ok_or(TOO_BIG)?;
        Ok(())
    }

    /// The slot of the root of a prime under a radical and the degree of that root.
    fn prime(&mut self, lowering: &mut Lowering, prime: UBig) -> Result<(usize, u64), Unsupported> {
        let key = Expr::from(Rational::from(IBig::from(prime.clone())));
        let degree = self.roots.get(&key).copied().unwrap_or(1);
        if degree.is_multiple_of(4) {
            return Err("a fourth root of a number");
        }
        if let Some(&slot) = self.primes.get(&prime) {
            return Ok((slot, degree));
        }
        self.require_odd(degree)?;
        self.torsion |= degree.is_multiple_of(2);
        let slot = lowering.push(Op::Form(Call::Prime(self.prime_roots.len())));
        self.prime_roots.push((prime.clone(), degree));
        self.primes.insert(prime, slot);
        Ok((slot, degree))
    }

    fn angle(&mut self, x: &Expr) -> Result<usize, Unsupported> {
        if let Some(&i) = self.angle_of.get(x) {
            return Ok(i);
        }
        let mut form = linear_form(x);
        let mut torsion = 0;
        if let Some(i) = form.iter().position(|(m, _)| matches!(m.kind(), Kind::Pi))
            && let Some(k) = torsion_multiple(&form[i].1, self.turns)
        {
            form.swap_remove(i);
            torsion = k;
            self.torsion = true;
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
    fn tangent(&mut self, lowering: &mut Lowering, x: &Expr) -> Result<Op, Unsupported> {
        let exponential = self.exponential(x)?;
        let [sine, cosine] = [true, false]
            .map(|sine| lowering.push(Op::Form(Call::Hyperbolic { exponential, sine })));
        Ok(Op::Product(Box::new([(sine, 1), (cosine, -1)])))
    }

    /// log Π bᵢ^rᵢ = Σ rᵢ log bᵢ where every bᵢ is known to be positive.
    fn logarithm(&mut self, lowering: &mut Lowering, x: &Expr) -> Op {
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
            let mut slot = lowering.at(b);
            if let Some(inverse) = content.recip().filter(|c| !c.is_one()) {
                let scale = lowering.constant(&inverse);
                slot = lowering.push(Op::Scale(slot, scale));
                log_number(lowering, &content, r, &mut all);
            }
            all.push((log_of(lowering, slot), lowering.constant(r)));
        }
        if c.is_positive() {
            log_number(lowering, &c, &Rational::ONE, &mut all);
        }
        Op::Sum(lowering.constant(&Rational::ZERO), all.into())
    }

    fn finish(self, lowering: Lowering, outputs: &[Expr]) -> Result<Program, Unsupported> {
        let multiples = self.angles.multiples().ok_or(TOO_BIG)?;
        let angles = (multiples.into_iter().zip(self.torsions))
            .map(|(multiples, torsion)| Angle { multiples, torsion })
            .collect();
        Ok(Program {
            lowered: lowering.finish(self.degrees.len(), outputs),
            symbols: self.degrees,
            angles,
            angle_atoms: self.angles.atoms(),
            exponentials: self.exponentials.multiples().ok_or(TOO_BIG)?,
            exponential_atoms: self.exponentials.atoms(),
            primes: self.prime_roots,
            odd: self.odd,
            torsion: self.torsion,
            turns: self.turns,
            seed: outputs.iter().fold(0, |h, e| mix(h ^ e.0.hash)),
        })
    }
}

/// π/2 - f(x).
fn complement(lowering: &mut Lowering, f: Function, special: Special, x: &Expr) -> Op {
    let x = lowering.at(x);
    let value = Op::Function(Call::Opaque(f, special), x, x);
    let terms = [
        (
            lowering.push(Op::Pi),
            lowering.constant(&Rational::new(1, 2)),
        ),
        (lowering.push(value), lowering.constant(&Rational::from(-1))),
    ];
    Op::Sum(lowering.constant(&Rational::ZERO), Box::new(terms))
}

fn log_of(lowering: &mut Lowering, x: usize) -> usize {
    let log = Call::Opaque(Function::Log, Special::ZeroAtOne);
    lowering.push(Op::Function(log, x, x))
}

/// The logarithm of a positive number, through its primes, times a weight.
fn log_number(
    lowering: &mut Lowering,
    c: &Rational,
    weight: &Rational,
    all: &mut Vec<(usize, usize)>,
) {
    let whole = |n: UBig| Rational::from(IBig::from(n));
    let numerator = Rational::from(c.numerator());
    for (part, sign) in [(numerator, 1), (whole(c.denominator()), -1)] {
        for (prime, k) in factorize(&part).unwrap_or_default() {
            let value = lowering.constant(&whole(prime));
            let slot = lowering.push(Op::Constant(value));
            let weight = weight * &Rational::from(sign * k);
            all.push((log_of(lowering, slot), lowering.constant(&weight)));
        }
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

/// Angles are multiples of this fraction of a monomial in programs with shared leaves: halves, thirds and
/// quarters of one angle are then of one unit in all of them.
const SHARED_PARTS: i64 = 12;

/// The parts of a turn in programs with shared leaves.
const SHARED_TURNS: u64 = TORSION * 7 * 11;

/// Rational parts of a turn beyond this are independent angles.
const MAX_TURNS: u64 = 100_000;

/// The least multiple of TORSION such that the multiples of π in all angles are multiples of 2π/turns.
fn turns(nodes: &[Expr]) -> u64 {
    let mut all = TORSION;
    for e in nodes {
        let Kind::Function(f, x) = e.kind() else {
            continue;
        };
        if !matches!(f.image(), Image::Circle { .. }) {
            continue;
        }
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
