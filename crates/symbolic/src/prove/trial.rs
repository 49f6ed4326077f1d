//! One random point of one random prime field, and the program's values there.
//!
//! The values are a ring homomorphism of the expressions: what holds identically holds here. Roots are
//! taken with every choice of signs, because the field cannot tell which branch is the real one.

use super::field::{Element, Field, Point, TORSION};
use super::program::{Base, Op, Program};
use super::random::{Random, mix};
use crate::function::Function;
use crate::work::count_work;
use dashu::integer::UBig;

/// More square roots than this are not decided: each doubles the number of branches.
pub(crate) const MAX_ROOTS: u32 = 8;

/// Operations on all branches together beyond which a point is not tried.
const MAX_BRANCH_WORK: u64 = 1 << 26;

/// Why a point is of no use. Another one may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// A denominator vanishes.
    Pole,
    /// A radicand has no root.
    NoRoot,
    /// Too many independent square roots.
    Branches,
}

/// A field, the images of the constants, and the values of all leaves.
pub(crate) struct Trial<'p> {
    program: &'p Program,
    field: Field,
    constants: Vec<Element>,
    primes: Vec<Element>,
    torsion: Point,
    symbols: Vec<Element>,
    angles: Vec<Point>,
    exponentials: Vec<Element>,
    pi: Element,
    half: Element,
    /// Keys the values of functions that satisfy no relation.
    secret: u64,
    random: Random,
}

/// Values of one run.
pub(crate) struct Values {
    memory: Vec<Element>,
    /// Inverses that were needed so far, zero where none was.
    inverses: Vec<Element>,
    /// Square roots chosen so far: radicand and root.
    chosen: Vec<(Element, Element)>,
}

impl<'p> Trial<'p> {
    /// A random field in which the program's numbers have images; no point yet.
    pub(crate) fn new(program: &'p Program, mut random: Random) -> Option<Self> {
        let field = Field::random(&mut random, program.odd, &squares(program))?;
        Self::over(field, program, random)
    }

    /// The same with a fixed field, where that has the images.
    pub(crate) fn quick(program: &'p Program, random: Random) -> Option<Self> {
        let field = Field::largest();
        if field.suits(program.odd, &squares(program)) {
            Self::over(field, program, random)
        } else {
            Self::new(program, random)
        }
    }

    fn over(field: Field, program: &'p Program, mut random: Random) -> Option<Self> {
        let constants = program.constants.iter().map(|r| field.rational(r));
        let constants: Vec<Element> = constants.collect::<Option<_>>()?;
        let torsion = match program.torsion {
            true => field.torsion_point(&mut random),
            false => (field.one, Element::ZERO),
        };
        let primes = program.primes.iter();
        let primes = primes.map(|(n, degree)| prime_root(&field, torsion, n, *degree));
        let primes = primes.collect::<Option<_>>()?;
        let half = field.invert(field.small(2))?;
        Some(Self {
            program,
            constants,
            primes,
            torsion,
            symbols: Vec::new(),
            angles: Vec::new(),
            exponentials: Vec::new(),
            pi: Element::ZERO,
            half,
            secret: 0,
            field,
            random,
        })
    }

    /// Draws a new point.
    pub(crate) fn draw(&mut self) {
        let (field, random, program) = (&self.field, &mut self.random, self.program);
        self.secret = random.next();
        self.pi = field.draw(random);
        self.symbols = program.symbols.iter().map(|_| field.draw(random)).collect();
        let atoms: Vec<Point> = (0..program.angle_atoms)
            .map(|_| field.draw_point(random))
            .collect();
        let turn = |p: Point, &(i, k): &(usize, i64)| match k {
            1 => field.rotate(p, atoms[i]),
            _ => field.rotate(p, field.turn(atoms[i], k)),
        };
        self.angles = program
            .angles
            .iter()
            .map(|a| {
                let start = field.turn(self.torsion, a.torsion);
                a.multiples.iter().fold(start, turn)
            })
            .collect();
        let units: Vec<Element> = (0..program.exponential_atoms)
            .map(|_| draw_unit(field, random))
            .collect();
        let grow = |p: Element, &(i, k): &(usize, i64)| {
            // A unit has all powers.
            let power = field.signed_power(units[i], k).unwrap_or(field.one);
            field.mul(p, power)
        };
        self.exponentials = program
            .exponentials
            .iter()
            .map(|form| form.iter().fold(field.one, grow))
            .collect();
    }

    /// The outputs at the current point with the signs of square roots given by bits of `branch`;
    /// with them the number of square roots met.
    pub(crate) fn run(&self, branch: u64, values: &mut Values) -> Result<u32, Miss> {
        count_work(self.program.ops.len() as u64);
        values.memory.clear();
        values.chosen.clear();
        values.inverses.clear();
        values
            .inverses
            .resize(self.program.ops.len(), Element::ZERO);
        for op in &self.program.ops {
            let value = self.value(op, branch, values)?;
            values.memory.push(value);
        }
        Ok(values.chosen.len() as u32)
    }

    /// The outputs of the last run.
    pub(crate) fn outputs<'v>(&'v self, values: &'v Values) -> impl Iterator<Item = Element> + 'v {
        self.program.outputs.iter().map(|&o| values.memory[o])
    }

    /// Do all outputs vanish at the current point on every branch? With the number of branches.
    pub(crate) fn vanishes(&self, values: &mut Values) -> Result<(bool, u64), Miss> {
        let mut branches = 1;
        let mut branch = 0;
        while branch < branches {
            let roots = self.run(branch, values)?;
            branches = branches.max(1 << roots);
            if branches * self.program.ops.len() as u64 > MAX_BRANCH_WORK {
                return Err(Miss::Branches);
            }
            if self.outputs(values).any(|x| !x.is_zero()) {
                return Ok((false, branches));
            }
            branch += 1;
        }
        Ok((true, branches))
    }

    fn value(&self, op: &Op, branch: u64, values: &mut Values) -> Result<Element, Miss> {
        let f = &self.field;
        let at = |i: usize| values.memory[i];
        Ok(match op {
            Op::Constant(i) => self.constants[*i],
            Op::Pi => self.pi,
            Op::Symbol(i) => match self.program.symbols[*i] {
                1 => self.symbols[*i],
                degree => f.power(self.symbols[*i], degree),
            },
            Op::SymbolRoot(i) => self.symbols[*i],
            Op::Root { base, degree } => return self.root(at(*base), *degree, branch, values),
            Op::Sum(c, terms) => terms.iter().fold(self.constants[*c], |s, &(t, w)| {
                f.add(s, f.mul(self.constants[w], at(t)))
            }),
            Op::Scale(x, c) => f.mul(self.constants[*c], at(*x)),
            Op::Product(factors) => self.product(factors, values)?,
            Op::Cos(i) => self.angles[*i].0,
            Op::Sin(i) => self.angles[*i].1,
            Op::Exp(i) => self.exponentials[*i],
            Op::Sinh(i) => self.hyperbolic(*i, |x, y| f.sub(x, y))?,
            Op::Cosh(i) => self.hyperbolic(*i, |x, y| f.add(x, y))?,
            Op::Log(parts) => parts.iter().fold(Element::ZERO, |s, &(x, w)| {
                f.add(s, f.mul(self.constants[w], self.log(at(x))))
            }),
            Op::Asin(x) => self.odd(Function::Asin, at(*x)),
            Op::Acos(x) => f.sub(f.mul(self.pi, self.half), self.odd(Function::Asin, at(*x))),
            Op::Atan(x) => self.odd(Function::Atan, at(*x)),
            Op::Atan2(y, x) => self.opaque(Function::Atan2, &[at(*y), at(*x)]),
        })
    }

    fn product(&self, factors: &[(Base, i64)], values: &mut Values) -> Result<Element, Miss> {
        let f = &self.field;
        let mut all = f.one;
        for &(b, k) in factors {
            let power = match (b, k) {
                (Base::Slot(i), 1) => values.memory[i],
                (Base::Slot(i), k) if k > 0 => f.power(values.memory[i], k.unsigned_abs()),
                (Base::Slot(i), k) => f.power(self.inverse(i, values)?, k.unsigned_abs()),
                (Base::Prime(i), k) => f.signed_power(self.primes[i], k).ok_or(Miss::Pole)?,
            };
            all = f.mul(all, power);
        }
        Ok(all)
    }

    /// One over a computed value; the same denominators come again and again.
    fn inverse(&self, i: usize, values: &mut Values) -> Result<Element, Miss> {
        if values.inverses[i].is_zero() {
            let inverse = self.field.invert(values.memory[i]);
            values.inverses[i] = inverse.ok_or(Miss::Pole)?;
        }
        Ok(values.inverses[i])
    }

    /// The root of a computed value: the odd part is unique, the sign is the branch's.
    fn root(
        &self,
        a: Element,
        degree: u64,
        branch: u64,
        values: &mut Values,
    ) -> Result<Element, Miss> {
        let f = &self.field;
        let odd = degree >> degree.trailing_zeros();
        let mut root = a;
        if degree.is_multiple_of(2) {
            root = match values.chosen.iter().find(|(radicand, _)| *radicand == a) {
                Some(&(_, root)) => root,
                None => {
                    let bit = values.chosen.len() as u32;
                    if bit >= MAX_ROOTS {
                        return Err(Miss::Branches);
                    }
                    let root = f.square_root(a).ok_or(Miss::NoRoot)?;
                    let negative = branch >> bit & 1 == 1;
                    let root = if negative { f.negate(root) } else { root };
                    values.chosen.push((a, root));
                    root
                }
            };
        }
        f.odd_root(root, odd).ok_or(Miss::NoRoot)
    }

    fn hyperbolic(
        &self,
        i: usize,
        join: impl Fn(Element, Element) -> Element,
    ) -> Result<Element, Miss> {
        let e = self.exponentials[i];
        let inverse = self.field.invert(e).ok_or(Miss::Pole)?;
        Ok(self.field.mul(self.half, join(e, inverse)))
    }

    /// A random function of the arguments' values: equal arguments, equal results, no other relation.
    fn opaque(&self, f: Function, x: &[Element]) -> Element {
        let key = x
            .iter()
            .fold(mix(self.secret ^ f as u64), |h, x| mix(h ^ x.bits()));
        self.field.draw(&mut Random::new(key))
    }

    fn log(&self, x: Element) -> Element {
        if x == self.field.one {
            Element::ZERO
        } else {
            self.opaque(Function::Log, &[x])
        }
    }

    /// The same for an odd function.
    fn odd(&self, f: Function, x: Element) -> Element {
        let minus = self.field.negate(x);
        if x.is_zero() {
            x
        } else if x == self.field.one && f == Function::Asin {
            self.field.mul(self.pi, self.half)
        } else if x == self.field.one {
            // atan 1 = π/4.
            let half = self.field.mul(self.pi, self.half);
            self.field.mul(half, self.half)
        } else if minus == self.field.one {
            self.field.negate(self.odd(f, minus))
        } else if x.bits() < minus.bits() {
            self.opaque(f, &[x])
        } else {
            self.field.negate(self.opaque(f, &[minus]))
        }
    }
}

impl Values {
    pub(crate) fn new() -> Self {
        Self {
            memory: Vec::new(),
            inverses: Vec::new(),
            chosen: Vec::new(),
        }
    }
}

/// The numbers that need square roots.
fn squares(program: &Program) -> Vec<UBig> {
    let even = |(n, degree): &(UBig, u64)| degree.is_multiple_of(2).then(|| n.clone());
    program.primes.iter().filter_map(even).collect()
}

fn draw_unit(field: &Field, random: &mut Random) -> Element {
    loop {
        let x = field.draw(random);
        if !x.is_zero() {
            return x;
        }
    }
}

/// n^(1/degree) for a prime n. √2, √3 and √5 must agree with the torsion angles that contain them.
fn prime_root(field: &Field, torsion: Point, n: &UBig, degree: u64) -> Option<Element> {
    let odd = degree >> degree.trailing_zeros();
    let mut root = field.natural(n);
    if degree.is_multiple_of(2) {
        // cos(2π/n)
        let cosine = |n| field.turn(torsion, TORSION as i64 / n).0;
        let double = |x| field.add(x, x);
        root = match u64::try_from(n) {
            Ok(2) => double(cosine(8)),
            Ok(3) => double(cosine(12)),
            Ok(5) => field.sub(double(double(cosine(10))), field.one),
            _ => field.square_root(root)?,
        };
    }
    field.odd_root(root, odd)
}
