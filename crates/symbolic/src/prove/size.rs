//! Upper bounds for degree and height: they tell how many random points a proof needs.
//!
//! Each value is N / Π Dₖ^eₖ with polynomials N and Dₖ in the random unknowns. The Dₖ are the numerators
//! of the values that were inverted, kept apart so that a common denominator is counted once.

use super::program::{Base, Op, Program};
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

/// The bounds of a program.
pub(crate) fn bounds(program: &Program) -> Bounds {
    let mut sizes = Sizes {
        program,
        all: Vec::with_capacity(program.ops.len()),
        conjugates: if program.torsion { 64.0 } else { 1.0 },
        opaque: 0.0,
        work: Cell::new(0),
    };
    for (_, degree) in &program.primes {
        sizes.conjugates *= *degree as f64;
    }
    for op in &program.ops {
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
    for &o in &program.outputs {
        degree = degree.max(sizes.all[o].degree);
        height = height.max(sizes.all[o].height);
    }
    // Functions keyed by values collide where a difference of two arguments vanishes.
    let widest = sizes.all.iter().fold(1.0f64, |d, s| d.max(s.degree));
    degree += sizes.opaque * sizes.opaque * widest;
    Bounds {
        degree: degree * sizes.conjugates,
        height: height * sizes.conjugates,
    }
}

impl Sizes<'_> {
    /// Degree and height of the polynomial behind a denominator's key.
    fn denominator(&self, key: usize) -> (f64, f64) {
        match self.all.get(key) {
            Some(size) => (size.degree, size.height),
            // 1 + t² of an angle.
            None => (2.0, 1.0),
        }
    }

    fn bits(&self, constant: usize) -> f64 {
        let r = &self.program.constants[constant];
        match r.as_small() {
            Some((n, d)) => (n.unsigned_abs().max(1) as f64).log2() + (d as f64).log2(),
            None => (r.numerator().bit_len() + r.denominator().bit_len()) as f64,
        }
    }

    fn size(&mut self, op: &Op) -> Size {
        let plain = |degree: f64, height: f64| Size {
            degree,
            height,
            denominators: Vec::new(),
        };
        match op {
            Op::Constant(i) => plain(0.0, self.bits(*i)),
            Op::Pi | Op::SymbolRoot(_) => plain(1.0, 0.0),
            Op::Symbol(i) => plain(self.program.symbols[*i] as f64, 0.0),
            Op::Root { base, degree } => {
                let base = &self.all[*base];
                let below = base.denominators.iter().map(|&(key, e)| {
                    let (d, h) = self.denominator(key);
                    e * (d + h)
                });
                let radicand = base.degree + base.height + below.sum::<f64>();
                self.conjugates *= *degree as f64 * (1.0 + radicand);
                plain(1.0, 0.0)
            }
            Op::Sum(c, terms) => self.sum(*c, terms),
            Op::Scale(x, c) => {
                let mut size = self.all[*x].clone();
                size.height += self.bits(*c);
                size
            }
            Op::Product(factors) => self.product(factors),
            Op::Cos(i) | Op::Sin(i) => self.angle(*i),
            Op::Exp(i) | Op::Sinh(i) | Op::Cosh(i) => {
                let form = self.program.exponentials[*i].iter();
                plain(form.map(|(_, k)| 2.0 * k.unsigned_abs() as f64).sum(), 2.0)
            }
            Op::Log(parts) => {
                self.opaque += parts.len() as f64;
                let bits = parts.iter().map(|&(_, w)| 1.0 + self.bits(w)).sum();
                plain(1.0, bits)
            }
            Op::Asin(_) | Op::Acos(_) | Op::Atan(_) | Op::Atan2(..) => {
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
            size.denominators.push((self.program.ops.len() + atom, k));
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

    fn product(&self, factors: &[(Base, i64)]) -> Size {
        let mut total = Size::default();
        for &(base, k) in factors {
            let times = k.unsigned_abs() as f64;
            let Base::Slot(slot) = base else {
                total.height += 64.0 * times;
                continue;
            };
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
