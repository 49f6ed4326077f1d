//! One random point of one random prime field, and the program's values there.
//!
//! The values are a ring homomorphism of the expressions: what holds identically holds here. Roots are
//! taken with every choice of signs, because the field cannot tell which branch is the real one.

use super::field::{Element, Field, Point};
use super::program::{Call, Program};
use super::random::{Random, mix};
use crate::function::{Function, Special};
use crate::meaning::Meaning;
use crate::work::count_work;
use dashu::integer::UBig;
use std::borrow::Borrow;

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
pub(crate) struct Trial<P> {
    program: P,
    constants: Vec<Element>,
    inputs: Vec<Element>,
    memory: Vec<Element>,
    torsion: Point,
    image: AtPoint,
    random: Random,
}

/// What has a value of its own at a point.
#[derive(Clone, Copy)]
pub(crate) enum Leaf {
    Secret,
    Pi,
    Symbol(usize),
    Angle(usize),
    Exponential(usize),
}

/// The meaning of a program over a prime field at one point, on one branch.
struct AtPoint {
    field: Field,
    half: Element,
    primes: Vec<Element>,
    symbols: Vec<Element>,
    angles: Vec<Point>,
    exponentials: Vec<Element>,
    pi: Element,
    /// Keys the values of functions that satisfy no relation.
    secret: u64,
    /// The signs of square roots, in the order in which they are met.
    branch: u64,
    /// Inverses that were needed so far, by operation; zero where none was.
    inverses: Vec<Element>,
    /// Square roots chosen so far: radicand and root.
    chosen: Vec<(Element, Element)>,
}

impl<P: Borrow<Program>> Trial<P> {
    /// A random field in which the program's numbers have images; no point yet.
    pub(crate) fn new(program: P, mut random: Random) -> Option<Self> {
        let borrowed = program.borrow();
        let (turns, odd) = (borrowed.turns, borrowed.odd);
        let field = Field::random_with_angles(&mut random, turns, odd, &squares(borrowed))?;
        Self::over(field, program, random)
    }

    /// The same with a fixed field, where that has the images.
    pub(crate) fn quick(program: P, random: Random) -> Option<Self> {
        if Self::is_shared(program.borrow()) {
            Self::over(Field::SHARED, program, random)
        } else {
            Self::new(program, random)
        }
    }

    /// The same with the fixed field alone.
    pub(crate) fn shared(program: P, random: Random) -> Option<Self> {
        Self::is_shared(program.borrow()).then(|| Self::over(Field::SHARED, program, random))?
    }

    fn is_shared(program: &Program) -> bool {
        let field = Field::SHARED;
        field.has_angles(program.turns) && field.suits(program.odd, &squares(program))
    }

    fn over(field: Field, owner: P, mut random: Random) -> Option<Self> {
        let program = owner.borrow();
        let constants = program.lowered.constants.iter().map(|r| field.rational(r));
        let constants: Vec<Element> = constants.collect::<Option<_>>()?;
        let torsion = match program.torsion {
            true => field.torsion_point(&mut random, program.turns),
            false => (field.one, Element::ZERO),
        };
        let primes = program.primes.iter();
        let primes =
            primes.map(|(n, degree)| prime_root(&field, (torsion, program.turns), n, *degree));
        let primes = primes.collect::<Option<_>>()?;
        let half = field.invert(field.small(2))?;
        let image = AtPoint {
            field,
            half,
            primes,
            symbols: Vec::new(),
            angles: Vec::new(),
            exponentials: Vec::new(),
            pi: Element::ZERO,
            secret: 0,
            branch: 0,
            inverses: Vec::new(),
            chosen: Vec::new(),
        };
        Some(Self {
            program: owner,
            constants,
            inputs: Vec::new(),
            memory: Vec::new(),
            torsion,
            image,
            random,
        })
    }

    /// What is evaluated.
    pub(crate) fn program(&self) -> &Program {
        self.program.borrow()
    }

    /// Draws a new point.
    pub(crate) fn draw(&mut self) {
        self.place(|_, _| {});
    }

    /// Draws a point; `seed` may set the generator before each leaf.
    pub(crate) fn place(&mut self, mut seed: impl FnMut(Leaf, &mut Random)) {
        let program = self.program.borrow();
        let (image, random) = (&mut self.image, &mut self.random);
        let field = &image.field;
        seed(Leaf::Secret, random);
        image.secret = random.next();
        seed(Leaf::Pi, random);
        image.pi = field.draw(random);
        let each = |count: usize, leaf: fn(usize) -> Leaf| (0..count).map(leaf);
        image.symbols = each(program.symbols.len(), Leaf::Symbol)
            .map(|leaf| {
                seed(leaf, random);
                field.draw(random)
            })
            .collect();
        let atoms: Vec<Point> = each(program.angle_atoms, Leaf::Angle)
            .map(|leaf| {
                seed(leaf, random);
                field.draw_point(random)
            })
            .collect();
        let units: Vec<Element> = each(program.exponential_atoms, Leaf::Exponential)
            .map(|leaf| {
                seed(leaf, random);
                draw_unit(field, random)
            })
            .collect();
        self.settle(&atoms, &units);
    }

    /// The values of all leaves, from those of symbols, unit angles and unit exponentials.
    fn settle(&mut self, atoms: &[Point], units: &[Element]) {
        let program = self.program.borrow();
        let image = &mut self.image;
        let field = &image.field;
        self.inputs = (image.symbols.iter().zip(&program.symbols))
            .map(|(&u, &degree)| match degree {
                1 => u,
                _ => field.power(u, degree),
            })
            .collect();
        let turn = |p: Point, &(i, k): &(usize, i64)| match k {
            1 => field.rotate(p, atoms[i]),
            _ => field.rotate(p, field.turn(atoms[i], k)),
        };
        image.angles = program
            .angles
            .iter()
            .map(|a| {
                let start = field.turn(self.torsion, a.torsion);
                a.multiples.iter().fold(start, turn)
            })
            .collect();
        let grow = |p: Element, &(i, k): &(usize, i64)| {
            // A unit has all powers.
            let power = field.signed_power(units[i], k).unwrap_or(field.one);
            field.mul(p, power)
        };
        image.exponentials = program
            .exponentials
            .iter()
            .map(|form| form.iter().fold(field.one, grow))
            .collect();
    }

    /// The outputs at the current point with the signs of square roots given by bits of `branch`;
    /// with them the number of square roots met.
    pub(crate) fn run(&mut self, branch: u64) -> Result<u32, Miss> {
        let lowered = &self.program.borrow().lowered;
        let image = &mut self.image;
        count_work(lowered.len() as u64);
        image.branch = branch;
        image.chosen.clear();
        image.inverses.clear();
        image.inverses.resize(lowered.len(), Element::ZERO);
        lowered.run(image, &self.constants, &self.inputs, &mut self.memory)?;
        Ok(image.chosen.len() as u32)
    }

    /// The outputs of the last run.
    pub(crate) fn outputs(&self) -> Vec<Element> {
        self.program.borrow().lowered.outputs(&self.memory)
    }

    /// Does a condition on the outputs hold at the current point on every branch? With the number of
    /// branches.
    pub(crate) fn holds(
        &mut self,
        condition: &impl Fn(&Field, &[Element]) -> bool,
    ) -> Result<(bool, u64), Miss> {
        let mut branches = 1;
        let mut branch = 0;
        while branch < branches {
            let roots = self.run(branch)?;
            branches = branches.max(1 << roots);
            if branches * self.program.borrow().lowered.len() as u64 > MAX_BRANCH_WORK {
                return Err(Miss::Branches);
            }
            if !condition(&self.image.field, &self.outputs()) {
                return Ok((false, branches));
            }
            branch += 1;
        }
        Ok((true, branches))
    }
}

impl Meaning for AtPoint {
    type Value = Element;
    type Power = i64;
    type Call = Call;
    type Miss = Miss;

    fn pi(&mut self) -> Element {
        self.pi
    }
    /// The reading leaves out what is undefined.
    fn undefined(&mut self) -> Element {
        Element::ZERO
    }
    fn plus(&mut self, a: &Element, b: &Element) -> Element {
        self.field.add(*a, *b)
    }
    fn times(&mut self, a: &Element, b: &Element) -> Element {
        self.field.mul(*a, *b)
    }
    fn power(&mut self, at: usize, a: &Element, k: &i64) -> Result<Element, Miss> {
        Ok(match *k {
            1 => *a,
            k if k > 0 => self.field.power(*a, k.unsigned_abs()),
            k => {
                let inverse = self.inverse(at, *a)?;
                self.field.power(inverse, k.unsigned_abs())
            }
        })
    }
    fn function(&mut self, f: &Call, x: &Element, y: &Element) -> Result<Element, Miss> {
        match *f {
            Call::Root(degree) => self.root(*x, degree),
            Call::Opaque(f, Special::None) => Ok(self.opaque(f, &[*x, *y])),
            Call::Opaque(_, Special::ZeroAtOne) if *x == self.field.one => Ok(Element::ZERO),
            Call::Opaque(f, Special::ZeroAtOne) => Ok(self.opaque(f, &[*x])),
            Call::Opaque(f, Special::Odd(halvings)) => Ok(self.odd(f, halvings, *x)),
            _ => self.form(f),
        }
    }
    fn form(&mut self, f: &Call) -> Result<Element, Miss> {
        Ok(match *f {
            Call::SymbolRoot(i) => self.symbols[i],
            Call::Prime(i) => self.primes[i],
            Call::Circle { angle, sine: true } => self.angles[angle].1,
            Call::Circle { angle, sine: false } => self.angles[angle].0,
            Call::Exponential(i) => self.exponentials[i],
            Call::Hyperbolic { exponential, sine } => {
                let up = self.exponentials[exponential];
                let down = self.field.invert(up).ok_or(Miss::Pole)?;
                let twice = match sine {
                    true => self.field.sub(up, down),
                    false => self.field.add(up, down),
                };
                self.field.mul(self.half, twice)
            }
            // Their arguments are computed.
            Call::Root(_) | Call::Opaque(..) => return Err(Miss::NoRoot),
        })
    }
}

impl AtPoint {
    /// One over a computed value; the same denominators come again and again.
    fn inverse(&mut self, at: usize, a: Element) -> Result<Element, Miss> {
        if self.inverses[at].is_zero() {
            self.inverses[at] = self.field.invert(a).ok_or(Miss::Pole)?;
        }
        Ok(self.inverses[at])
    }

    /// The root of a computed value: the odd part is unique, the sign is the branch's.
    fn root(&mut self, a: Element, degree: u64) -> Result<Element, Miss> {
        let odd = degree >> degree.trailing_zeros();
        let mut root = a;
        if degree.is_multiple_of(2) {
            root = match self.chosen.iter().find(|(radicand, _)| *radicand == a) {
                Some(&(_, root)) => root,
                None => {
                    let bit = self.chosen.len() as u32;
                    if bit >= MAX_ROOTS {
                        return Err(Miss::Branches);
                    }
                    let root = self.field.square_root(a).ok_or(Miss::NoRoot)?;
                    let negative = self.branch >> bit & 1 == 1;
                    let root = if negative {
                        self.field.negate(root)
                    } else {
                        root
                    };
                    self.chosen.push((a, root));
                    root
                }
            };
        }
        self.field.odd_root(root, odd).ok_or(Miss::NoRoot)
    }

    /// A random function of the arguments' values: equal arguments, equal results, no other relation.
    fn opaque(&self, f: Function, x: &[Element]) -> Element {
        let key = x
            .iter()
            .fold(mix(self.secret ^ f as u64), |h, x| mix(h ^ x.bits()));
        self.field.draw(&mut Random::new(key))
    }

    /// The same for an odd function with f(1) = π/2^halvings.
    fn odd(&self, f: Function, halvings: u32, x: Element) -> Element {
        let minus = self.field.negate(x);
        if x.is_zero() {
            x
        } else if x == self.field.one {
            (0..halvings).fold(self.pi, |part, _| self.field.mul(part, self.half))
        } else if minus == self.field.one {
            self.field.negate(self.odd(f, halvings, minus))
        } else if x.bits() < minus.bits() {
            self.opaque(f, &[x])
        } else {
            self.field.negate(self.opaque(f, &[minus]))
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

/// n^(1/degree) for a prime n. Square roots must agree with the torsion angles that contain them: by the
/// Gauss sum of n, and √2 = 2 cos(2π/8).
fn prime_root(
    field: &Field,
    (torsion, turns): (Point, u64),
    n: &UBig,
    degree: u64,
) -> Option<Element> {
    let odd = degree >> degree.trailing_zeros();
    let mut root = field.natural(n);
    if degree.is_multiple_of(2) {
        let angle = |k: u64, n: u64| field.turn(torsion, (k * (turns / n)) as i64);
        root = match u64::try_from(n) {
            Ok(2) => {
                let cosine = angle(1, 8).0;
                field.add(cosine, cosine)
            }
            Ok(q) if turns.is_multiple_of(q) => (1..q).fold(Element::ZERO, |sum, a| {
                let (cosine, sine) = angle(a, q);
                let wave = if q % 4 == 1 { cosine } else { sine };
                match is_residue(a, q) {
                    true => field.add(sum, wave),
                    false => field.sub(sum, wave),
                }
            }),
            _ => field.square_root(root)?,
        };
    }
    field.odd_root(root, odd)
}

/// Is a ≢ 0 a square modulo a small prime?
fn is_residue(a: u64, q: u64) -> bool {
    (1..q).any(|x| x * x % q == a % q)
}
