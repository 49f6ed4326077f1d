//! Values of expressions modulo a prime, at points that share the values of their parameters.
//!
//! A value here is the image under a ring homomorphism: sine and cosine go to points of the circle,
//! square roots to roots. Functions without algebraic relations go to unrelated elements, so that a
//! relation may be missed, but what is found is proven afterwards anyway.

use rattleback_symbolic::{
    Expr, Function, Kind, Map, Rational, Role, Symbol, count_work, postorder,
    powers_as_exponentials,
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The Mersenne prime 2^61 − 1; −1 is no square modulo it.
const P: u64 = (1 << 61) - 1;

pub(super) fn add(a: u64, b: u64) -> u64 {
    let s = a + b;
    if s >= P { s - P } else { s }
}

pub(super) fn negate(a: u64) -> u64 {
    if a == 0 { 0 } else { P - a }
}

pub(super) fn mul(a: u64, b: u64) -> u64 {
    let t = u128::from(a) * u128::from(b);
    let s = (t as u64 & P) + (t >> 61) as u64;
    if s >= P { s - P } else { s }
}

fn power(mut base: u64, mut e: u64) -> u64 {
    let mut result = 1;
    while e > 0 {
        if e & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        e >>= 1;
    }
    result
}

pub(super) fn inverse(a: u64) -> Option<u64> {
    (a != 0).then(|| power(a, P - 2))
}

pub(super) fn square_root(a: u64) -> Option<u64> {
    let root = power(a, P.div_ceil(4));
    (mul(root, root) == a).then_some(root)
}

pub(super) fn rational(r: &Rational) -> Option<u64> {
    let (n, d) = r.as_small()?;
    let sign = |x: i64| {
        let size = x.unsigned_abs() % P;
        if x < 0 { negate(size) } else { size }
    };
    Some(mul(sign(n), inverse(sign(d))?))
}

/// The fraction n/d with small n and d that an element is the image of.
pub(super) fn small_fraction(x: u64) -> Option<Rational> {
    const SMALL: i128 = 1 << 20;
    let (mut r0, mut r1) = (i128::from(P), i128::from(x));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1.abs() >= SMALL {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (t0, t1) = (t1, t0 - q * t1);
    }
    let small = t1 != 0 && t1.abs() < SMALL;
    small.then(|| Rational::new(r1 as i64 * t1.signum() as i64, t1.abs() as i64))
}

/// Angles are taken from this fraction of them, so that their halves and thirds exist.
const ANGLE_UNIT: i64 = 12;

/// Coefficients of unit angles, or of logarithms of unit exponentials.
type Units = Box<[(usize, i64)]>;

enum Op {
    Constant(u64),
    Symbol(usize),
    /// A function without relations, by its place among the atoms.
    Atom(usize),
    Sum(u64, Box<[(usize, u64)]>),
    /// Powers with positive exponents.
    Product(Box<[(usize, u64)]>),
    Inverse(usize),
    Root(usize),
    Cosine(Units),
    Sine(Units),
    Exponential(Units),
    /// (exp + sign·1/exp)/2.
    Hyperbolic(Units, bool),
}

/// Expressions as a program over the field.
pub(super) struct Program {
    ops: Vec<Op>,
    symbols: Vec<Symbol>,
    /// For each symbol the operation that gives its value, if it is parametrised.
    parametrised: Vec<Option<usize>>,
    atoms: Vec<Expr>,
    outputs: Vec<usize>,
}

struct Builder {
    ops: Vec<Op>,
    place: Map<Expr, usize>,
    /// Inverses and roots of values: they are dear, and the same ones occur in many products.
    inverses: Map<usize, usize>,
    roots: Map<usize, usize>,
    symbols: Vec<Symbol>,
    parametrised: Vec<Option<usize>>,
    atoms: Vec<Expr>,
}

impl Builder {
    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn inverse_of(&mut self, value: usize) -> usize {
        if let Some(&known) = self.inverses.get(&value) {
            return known;
        }
        let new = self.push(Op::Inverse(value));
        self.inverses.insert(value, new);
        new
    }

    fn root_of(&mut self, value: usize) -> usize {
        if let Some(&known) = self.roots.get(&value) {
            return known;
        }
        let new = self.push(Op::Root(value));
        self.roots.insert(value, new);
        new
    }

    fn atom(&mut self, e: &Expr) -> usize {
        if let Some(k) = self.atoms.iter().position(|a| a == e) {
            return k;
        }
        self.atoms.push(e.clone());
        self.atoms.len() - 1
    }

    fn symbol(&mut self, s: &Symbol) -> usize {
        if let Some(k) = self.symbols.iter().position(|x| x == s) {
            return k;
        }
        self.symbols.push(s.clone());
        self.parametrised.push(None);
        self.symbols.len() - 1
    }

    fn units(&mut self, e: &Expr) -> Option<Units> {
        let mut units = Vec::new();
        for (atom, weight) in linear_form(e) {
            let k = (&weight * &Rational::from(ANGLE_UNIT)).as_integer()?;
            if k.abs() > 10_000 {
                return None;
            }
            units.push((self.atom(&atom), k));
        }
        Some(units.into())
    }

    fn function(&mut self, f: Function, x: &[Expr], whole: &Expr) -> Op {
        let units = match f {
            Function::Cos
            | Function::Sin
            | Function::Exp
            | Function::Cosh
            | Function::Sinh
            | Function::Tanh => self.units(&x[0]),
            _ => None,
        };
        match (f, units) {
            (Function::Cos, Some(u)) => Op::Cosine(u),
            (Function::Sin, Some(u)) => Op::Sine(u),
            (Function::Exp, Some(u)) => Op::Exponential(u),
            (Function::Cosh, Some(u)) => Op::Hyperbolic(u, false),
            (Function::Sinh, Some(u)) => Op::Hyperbolic(u, true),
            (Function::Tanh, Some(u)) => {
                let sine = self.push(Op::Hyperbolic(u.clone(), true));
                let cosine = self.push(Op::Hyperbolic(u, false));
                let inverse = self.inverse_of(cosine);
                Op::Product(Box::new([(sine, 1), (inverse, 1)]))
            }
            _ => Op::Atom(self.atom(whole)),
        }
    }

    /// Adds an expression; `None` if it has no image.
    fn add(&mut self, root: &Expr) -> Option<usize> {
        let mut todo = postorder(std::slice::from_ref(root), |_| true);
        todo.retain(|e| !self.place.contains_key(e));
        for e in todo {
            let of = |place: &Map<Expr, usize>, x: &Expr| place.get(x).copied();
            let op = match e.kind() {
                Kind::Number(r) => Op::Constant(rational(r)?),
                Kind::Pi => Op::Atom(self.atom(&e)),
                Kind::Undefined => return None,
                Kind::Symbol(s) => Op::Symbol(self.symbol(s)),
                Kind::Scaled(c, x) => Op::Sum(0, Box::new([(of(&self.place, x)?, rational(c)?)])),
                Kind::Sum(c, terms) => {
                    let mut all = Vec::with_capacity(terms.len());
                    for (t, c) in terms {
                        all.push((of(&self.place, t)?, rational(c)?));
                    }
                    Op::Sum(rational(c)?, all.into())
                }
                Kind::Product(factors) => {
                    let mut all = Vec::with_capacity(factors.len());
                    for (b, r) in factors {
                        let (n, d) = r.as_small()?;
                        if d > 2 {
                            return None;
                        }
                        let mut base = of(&self.place, b)?;
                        if d == 2 {
                            base = self.root_of(base);
                        }
                        if n < 0 {
                            base = self.inverse_of(base);
                        }
                        all.push((base, n.unsigned_abs()));
                    }
                    Op::Product(all.into())
                }
                Kind::Function(f, x) => self.function(*f, x, &e),
            };
            let place = self.push(op);
            self.place.insert(e, place);
        }
        self.place.get(root).copied()
    }
}

impl Program {
    /// The expressions, on a space whose coordinates may be parametrised.
    pub(super) fn new(all: &[Expr], on: &[(Symbol, Expr)]) -> Option<Self> {
        let all = powers_as_exponentials(all);
        let mut builder = Builder {
            ops: Vec::new(),
            place: Map::default(),
            inverses: Map::default(),
            roots: Map::default(),
            symbols: Vec::new(),
            parametrised: Vec::new(),
            atoms: Vec::new(),
        };
        for (s, e) in on {
            let value = builder.add(e)?;
            let k = builder.symbol(s);
            builder.parametrised[k] = Some(value);
        }
        let mut outputs = Vec::with_capacity(all.len());
        for e in &all {
            outputs.push(builder.add(e)?);
        }
        Some(Self {
            ops: builder.ops,
            symbols: builder.symbols,
            parametrised: builder.parametrised,
            atoms: builder.atoms,
            outputs,
        })
    }

    /// How many square roots have to exist at a point.
    pub(super) fn roots(&self) -> usize {
        let is_root = |op: &&Op| matches!(op, Op::Root(_));
        self.ops.iter().filter(is_root).count()
    }

    /// The values at a point: variables differ from point to point, parameters do not. `None` at a pole
    /// or where a root is missing.
    pub(super) fn values(&self, point: u64) -> Option<Vec<u64>> {
        let draw = |what: &str, key: &dyn Fn(&mut DefaultHasher), moves: bool| {
            let mut h = DefaultHasher::new();
            what.hash(&mut h);
            key(&mut h);
            (if moves { point + 1 } else { 0 }).hash(&mut h);
            h.finish() % P
        };
        let atoms: Vec<u64> = self
            .atoms
            .iter()
            .map(|e| {
                let moves = e.free_symbols().iter().any(|s| s.role() != Role::Constant);
                draw("atom", &|h| e.hash(h), moves)
            })
            .collect();
        let symbols: Vec<u64> = self
            .symbols
            .iter()
            .map(|s| {
                draw(
                    "symbol",
                    &|h| s.to_string().hash(h),
                    s.role() != Role::Constant,
                )
            })
            .collect();
        count_work(self.ops.len() as u64);
        let mut memory: Vec<u64> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let value = self.run(op, &memory, &symbols, &atoms)?;
            memory.push(value);
        }
        Some(self.outputs.iter().map(|&o| memory[o]).collect())
    }

    fn run(&self, op: &Op, memory: &[u64], symbols: &[u64], atoms: &[u64]) -> Option<u64> {
        Some(match op {
            Op::Constant(c) => *c,
            Op::Symbol(k) => self.parametrised[*k].map_or(symbols[*k], |o| memory[o]),
            Op::Atom(k) => atoms[*k],
            Op::Sum(c, terms) => terms
                .iter()
                .fold(*c, |sum, (t, c)| add(sum, mul(memory[*t], *c))),
            Op::Product(factors) => factors.iter().fold(1, |total, (b, n)| {
                let factor = match n {
                    1 => memory[*b],
                    _ => power(memory[*b], *n),
                };
                mul(total, factor)
            }),
            Op::Inverse(x) => inverse(memory[*x])?,
            Op::Root(x) => square_root(memory[*x])?,
            Op::Cosine(u) => angle(u, atoms)?.0,
            Op::Sine(u) => angle(u, atoms)?.1,
            Op::Exponential(u) => exponential(u, atoms)?,
            Op::Hyperbolic(u, odd) => {
                let up = exponential(u, atoms)?;
                let down = inverse(up)?;
                let down = if *odd { negate(down) } else { down };
                mul(inverse(2)?, add(up, down))
            }
        })
    }
}

fn turn((c, s): (u64, u64), (d, t): (u64, u64)) -> (u64, u64) {
    (add(mul(c, d), negate(mul(s, t))), add(mul(c, t), mul(s, d)))
}

/// (cos, sin) of Σ coefficient·unit, the unit of an atom u being the point ((1 − u²), 2u)/(1 + u²).
fn angle(units: &[(usize, i64)], atoms: &[u64]) -> Option<(u64, u64)> {
    let mut total = (1, 0);
    for &(k, weight) in units {
        let u = atoms[k];
        let square = mul(u, u);
        let d = inverse(add(1, square))?;
        let s = mul(mul(2, u), d);
        let mut unit = (
            mul(add(1, negate(square)), d),
            if weight < 0 { negate(s) } else { s },
        );
        let mut e = weight.unsigned_abs();
        while e > 0 {
            if e & 1 == 1 {
                total = turn(total, unit);
            }
            unit = turn(unit, unit);
            e >>= 1;
        }
    }
    Some(total)
}

/// exp(Σ coefficient·unit).
fn exponential(units: &[(usize, i64)], atoms: &[u64]) -> Option<u64> {
    let mut total = 1;
    for &(k, weight) in units {
        let unit = if weight < 0 {
            inverse(atoms[k])?
        } else {
            atoms[k]
        };
        total = mul(total, power(unit, weight.unsigned_abs()));
    }
    Some(total)
}

/// An expression as Σ coefficient·atom; the number 1 is the atom of its constant part.
fn linear_form(e: &Expr) -> Vec<(Expr, Rational)> {
    let constant = |c: &Rational| (!c.is_zero()).then(|| (Expr::one(), c.clone()));
    match e.kind() {
        Kind::Number(r) => constant(r).into_iter().collect(),
        Kind::Sum(c, terms) => terms.iter().cloned().chain(constant(c)).collect(),
        Kind::Scaled(c, x) => vec![(x.clone(), c.clone())],
        _ => vec![(e.clone(), Rational::ONE)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_survive() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let zeros = [
            x.sin().powi(2) + x.cos().powi(2) - 1,
            (&x + 2 * &y).sin() - x.sin() * (2 * &y).cos() - x.cos() * (2 * &y).sin(),
            (&x / 2).cos().powi(2) * 2 - 1 - x.cos(),
            (&x + &y).exp() - x.exp() * y.exp(),
            x.cosh().powi(2) - x.sinh().powi(2) - 1,
            x.tanh().powi(2) + x.cosh().powi(-2) - 1,
            x.pow(&y) * x.pow(&(&y + 1)) - &x * x.pow(&(2 * &y)),
        ];
        let program = Program::new(&zeros, &[]);
        assert_eq!(program.and_then(|p| p.values(3)), Some(vec![0; 7]));
    }

    #[test]
    fn fractions_come_back() {
        for (n, d) in [(1, 2), (-3, 7), (0, 1), (12, 1), (-1, 1)] {
            let r = Rational::new(n, d);
            assert_eq!(rational(&r).and_then(small_fraction), Some(r));
        }
    }

    #[test]
    fn parameters_stay_and_variables_move() {
        let (a, x) = (Symbol::constant("a").into(), Symbol::variable("x").into());
        let program = Program::new(&[Expr::clone(&a), Expr::clone(&x)], &[]);
        let at = |k| program.as_ref().and_then(|p| p.values(k));
        let (first, second) = (at(0).unwrap_or_default(), at(1).unwrap_or_default());
        assert_eq!(first[0], second[0]);
        assert_ne!(first[1], second[1]);
    }
}
