//! Upper bounds for degree and height: they tell how many random points a proof needs.
//!
//! Each value is N / Π Dₖ^eₖ with polynomials N and Dₖ in the random unknowns. The Dₖ are the numerators
//! of the values that were inverted, kept apart so that a common denominator is counted once.

use super::program::{Call, Program};
use crate::function::Special;
use crate::meaning::Op;
use crate::work::count_work;
use dashu::base::BitTest;
use std::cell::Cell;

/// Degree and height of a numerator, and the denominators by key.
#[derive(Clone, Default)]
struct Size {
    degree: f64,
    /// Bits of the sum of the absolute values of the coefficients.
    height: f64,
    /// (key, exponent), sorted by key.
    denominators: Vec<(usize, f64)>,
}

/// Bounds for the polynomial that all outputs' vanishing depends on.
pub(crate) struct Bounds {
    pub(crate) degree: f64,
    pub(crate) height: f64,
}

struct Sizes<'p> {
    program: &'p Program,
    /// Sizes by slot; a key below the number of ops is the numerator of that slot.
    all: Vec<Size>,
    /// Factor for the norm from the field with roots down to rational functions.
    conjugates: f64,
    opaque: f64,
    /// Denominators looked at; beyond a limit the bounds are infinite.
    work: Cell<usize>,
}

/// Beyond this many looks at denominators a bound is not worth its cost.
const MAX_WORK: usize = 20_000_000;

/// Bits counted for a prime number under a radical.
const PRIME_BITS: f64 = 64.0;

/// A polynomial.
fn plain(degree: f64, height: f64) -> Size {
    Size {
        degree,
        height,
        denominators: Vec::new(),
    }
}

/// The bounds for the minors of so many rows of a matrix of outputs; a minor of one row is an output.
pub(crate) fn bounds(program: &Program, minor: usize) -> Bounds {
    let mut sizes = Sizes {
        program,
        all: Vec::with_capacity(program.lowered.len()),
        // Half of φ(turns) conjugates at most.
        conjugates: if program.torsion {
            64.0f64.max(program.turns as f64 / 2.0)
        } else {
            1.0
        },
        opaque: 0.0,
        work: Cell::new(0),
    };
    for (_, degree) in &program.primes {
        sizes.conjugates *= *degree as f64;
    }
    for op in &program.lowered.ops {
        let size = sizes.size(op);
        sizes.all.push(size);
        if sizes.work.get() > MAX_WORK {
            return Bounds {
                degree: f64::INFINITY,
                height: f64::INFINITY,
            };
        }
    }
    count_work(sizes.work.get() as u64);
    let (mut degree, mut height) = (1.0f64, 1.0f64);
    let common = if minor > 1 {
        sizes.common_denominator()
    } else {
        Vec::new()
    };
    for &o in &program.lowered.outputs {
        let output = match minor {
            1 => sizes.all[o].clone(),
            _ => sizes.lifted(&sizes.all[o], &common),
        };
        degree = degree.max(output.degree);
        height = height.max(output.height);
    }
    // minor! products of entries over one denominator.
    let rows = minor as f64;
    degree *= rows;
    height = rows * (height + rows.log2());
    // Functions keyed by values collide where a difference of two arguments vanishes.
    let widest = sizes.all.iter().fold(1.0f64, |d, s| d.max(s.degree));
    degree += sizes.opaque * sizes.opaque * widest;
    Bounds {
        degree: degree * sizes.conjugates,
        height: height * sizes.conjugates,
    }
}

impl Sizes<'_> {
    /// What all outputs can be written over.
    fn common_denominator(&self) -> Vec<(usize, f64)> {
        let mut common = Vec::new();
        for &o in &self.program.lowered.outputs {
            join(&mut common, &self.all[o].denominators, f64::max);
        }
        common
    }

    /// Degree and height of the polynomial behind a denominator's key.
    fn denominator(&self, key: usize) -> (f64, f64) {
        match self.all.get(key) {
            Some(size) => (size.degree, size.height),
            // 1 + t² of an angle.
            None => (2.0, 1.0),
        }
    }

    fn bits(&self, constant: usize) -> f64 {
        let r = &self.program.lowered.constants[constant];
        match r.as_small() {
            Some((n, d)) => (n.unsigned_abs().max(1) as f64).log2() + (d as f64).log2(),
            None => (r.numerator().bit_len() + r.denominator().bit_len()) as f64,
        }
    }

    fn size(&mut self, op: &Op<i64, Call>) -> Size {
        match op {
            Op::Constant(i) => plain(0.0, self.bits(*i)),
            Op::Pi => plain(1.0, 0.0),
            // The reading leaves it out.
            Op::Undefined => Size::default(),
            Op::Input(i) => plain(self.program.symbols[*i] as f64, 0.0),
            Op::Sum(c, terms) => self.sum(*c, terms),
            Op::Scale(x, c) => {
                let mut size = self.all[*x].clone();
                size.height += self.bits(*c);
                size
            }
            Op::Product(factors) => self.product(factors),
            Op::Form(f) | Op::Function(f, ..) => self.call(f, op),
        }
    }

    fn call(&mut self, f: &Call, op: &Op<i64, Call>) -> Size {
        match *f {
            Call::SymbolRoot(_) => plain(1.0, 0.0),
            Call::Prime(_) => plain(0.0, PRIME_BITS),
            Call::Root(degree) => {
                if let Op::Function(_, base, _) = op {
                    let base = &self.all[*base];
                    let below = base.denominators.iter().map(|&(key, e)| {
                        let (d, h) = self.denominator(key);
                        e * (d + h)
                    });
                    let radicand = base.degree + base.height + below.sum::<f64>();
                    self.conjugates *= degree as f64 * (1.0 + radicand);
                }
                plain(1.0, 0.0)
            }
            Call::Circle { angle, .. } => self.angle(angle),
            Call::Exponential(i) | Call::Hyperbolic { exponential: i, .. } => {
                let form = self.program.exponentials[i].iter();
                plain(form.map(|(_, k)| 2.0 * k.unsigned_abs() as f64).sum(), 2.0)
            }
            Call::Opaque(_, Special::ZeroAtOne) => {
                self.opaque += 1.0;
                plain(1.0, 1.0)
            }
            Call::Opaque(..) => {
                self.opaque += 1.0;
                plain(1.0, 2.0)
            }
        }
    }

    /// sin and cos of Σ kᵢθᵢ have numerators of degree 2Σ|kᵢ| over Π(1 + tᵢ²)^|kᵢ|.
    fn angle(&self, i: usize) -> Size {
        let mut size = Size::default();
        for &(atom, k) in &self.program.angles[i].multiples {
            let k = k.unsigned_abs() as f64;
            size.degree += 2.0 * k;
            size.height += 2.0 * k;
            size.denominators
                .push((self.program.lowered.len() + atom, k));
        }
        size.denominators.sort_by_key(|d| d.0);
        size
    }

    fn sum(&self, c: usize, terms: &[(usize, usize)]) -> Size {
        let mut common: Vec<(usize, f64)> = Vec::new();
        for &(t, _) in terms {
            self.work
                .set(self.work.get() + self.all[t].denominators.len());
            join(&mut common, &self.all[t].denominators, f64::max);
        }
        let mut total = self.lifted(&Size::default(), &common);
        let mut bits = self.bits(c);
        for &(t, w) in terms {
            let term = self.lifted(&self.all[t], &common);
            total.degree = total.degree.max(term.degree);
            total.height = total.height.max(term.height);
            bits += self.bits(w);
        }
        total.height += bits + (terms.len() as f64 + 1.0).log2();
        total.denominators = common;
        total
    }

    /// The numerator over a larger common denominator.
    fn lifted(&self, size: &Size, common: &[(usize, f64)]) -> Size {
        self.work.set(self.work.get() + common.len());
        let mut own = size.denominators.iter().peekable();
        let (mut degree, mut height) = (size.degree, size.height);
        for &(key, exponent) in common {
            let mut missing = exponent;
            if let Some(&(_, e)) = own.next_if(|d| d.0 == key) {
                missing -= e;
            }
            let (d, h) = self.denominator(key);
            degree += missing * d;
            height += missing * h;
        }
        Size {
            degree,
            height,
            denominators: Vec::new(),
        }
    }

    fn product(&self, factors: &[(usize, i64)]) -> Size {
        let mut total = Size::default();
        for &(slot, k) in factors {
            let times = k.unsigned_abs() as f64;
            // A root of a number is no denominator: its inverse is a multiple of its power.
            if let Op::Form(Call::Prime(_)) = self.program.lowered.ops[slot] {
                total.height += PRIME_BITS * times;
                continue;
            }
            let size = &self.all[slot];
            self.work.set(self.work.get() + size.denominators.len());
            if k >= 0 {
                total.degree += times * size.degree;
                total.height += times * size.height;
                join(&mut total.denominators, &size.denominators, |a, b| {
                    a + times * b
                });
            } else {
                for &(key, e) in &size.denominators {
                    let (d, h) = self.denominator(key);
                    total.degree += times * e * d;
                    total.height += times * e * h;
                }
                join(&mut total.denominators, &[(slot, times)], |a, b| a + b);
            }
        }
        total
    }
}

/// Merges sorted exponents: `f(mine or 0, theirs)`.
fn join(into: &mut Vec<(usize, f64)>, from: &[(usize, f64)], f: impl Fn(f64, f64) -> f64) {
    for &(key, e) in from {
        match into.binary_search_by_key(&key, |d| d.0) {
            Ok(i) => into[i].1 = f(into[i].1, e),
            Err(i) => into.insert(i, (key, f(0.0, e))),
        }
    }
}
