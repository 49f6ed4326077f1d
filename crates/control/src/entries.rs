//! The entries of a linear system: which are zero, and of what size they came.

use crate::claims::Claims;
use crate::point::StatePoint;
use crate::reach::Reach;
use rattleback_compile::Linearizer;
use rattleback_mechanics::{Chart, LinearSystem, System};
use rattleback_numeric::SchurError;
use rattleback_symbolic::{Enclosure, Expr, Kind, Rational, Symbol, enclose, prove_all_zero};

/// The part of its size by which the state is moved to see what entries come of.
const ASIDE: f64 = 1e-6;

/// Signs of the moves, in no simple relation.
const MOVES: [u32; 3] = [0b1011_0010_1101, 0b0110_1001_0111, 0b1101_0101_1001];

/// Where a linear system was found.
pub(crate) struct Found<'a> {
    pub system: &'a System,
    pub linearizer: &'a Linearizer,
    pub point: &'a StatePoint,
    pub inputs: &'a [f64],
    pub chart: &'a Chart,
    pub reach: &'a Reach,
}

impl Found<'_> {
    /// What the system tells, after exact zeros and numbers are put into it.
    pub fn claims(
        &self,
        numbers: &mut LinearSystem<f64>,
        exact: Option<&LinearSystem<Expr>>,
        values: &[(Symbol, Expr)],
    ) -> Result<Claims, SchurError> {
        let mut sizes = self.sizes(numbers);
        if let Some(exact) = exact {
            settle(numbers, &mut sizes, exact, values);
        }
        let at_values = exact.map(|system| system.map(|e| e.substitute(values)));
        Claims::of(numbers, &sizes, at_values.as_ref())
    }

    /// What entries came of: their size, and how much they change where the state does by its own size. cos θ at π/2 is
    /// 6e-17 that came of 1.
    fn sizes(&self, numbers: &LinearSystem<f64>) -> LinearSystem<f64> {
        let mut sizes = numbers.map(|x| x.abs());
        let far = self.reach.of_directions();
        for signs in MOVES {
            let sign = |i: usize| {
                if signs >> (i % 12) & 1 == 1 {
                    1.0
                } else {
                    -1.0
                }
            };
            let by = far.iter().enumerate().map(|(i, s)| ASIDE * sign(i) * s);
            let state = self.point.moved(self.system, &by.collect::<Vec<_>>());
            let (time, chart) = (self.point.time, Some(self.chart));
            let beside = self
                .linearizer
                .at_with_chart(time, &state, self.inputs, chart);
            // Where the field ends beside the state nothing is known of the sizes.
            let Ok((mut beside, ..)) = beside else {
                continue;
            };
            for (size, there, here) in entries(&mut sizes, &mut beside, numbers) {
                *size = size.max((*there - here).abs() / ASIDE);
            }
        }
        sizes
    }
}

/// Puts exact zeros and numbers into a system in floating point, with the sizes of what they came of.
fn settle(
    numbers: &mut LinearSystem<f64>,
    sizes: &mut LinearSystem<f64>,
    exact: &LinearSystem<Expr>,
    values: &[(Symbol, Expr)],
) {
    let is_zero = |e: &Expr| {
        let there = e.substitute(values);
        [e, &there]
            .into_iter()
            .any(|e| prove_all_zero(std::slice::from_ref(e)).is_proven())
    };
    for (x, size, e) in entries(numbers, sizes, exact) {
        let there = e.substitute(values);
        let number = there.as_number().map(Rational::to_f64);
        let enclosed = || enclose(&there).filter(Enclosure::excludes_zero);
        let known = number.or_else(|| enclosed().map(|value| value.middle()));
        match known {
            Some(value) => (*x, *size) = (value, value.abs()),
            None if is_zero(e) => (*x, *size) = (0.0, 0.0),
            None => *size = size.max(magnitude(&there)),
        }
    }
}

/// Roundings of terms that cancel.
const ROUNDINGS: f64 = 8.0 * f64::EPSILON;

/// Is a constant 0, or not told from 0 beside its terms?
pub(crate) fn is_zero_constant(e: &Expr) -> bool {
    let is_rounding = || {
        let value = e.evaluate(&[]);
        value.is_ok_and(|x| x.abs() <= ROUNDINGS * magnitude(e))
    };
    e.is_zero() || is_rounding()
}

/// The size of a constant with all its terms added up: log 6 − log 2 − log 3 came of logarithms.
fn magnitude(e: &Expr) -> f64 {
    let number = |n: &Rational| n.to_f64().abs();
    match e.kind() {
        Kind::Sum(constant, terms) => {
            let terms = terms.iter().map(|(e, n)| number(n) * magnitude(e));
            number(constant) + terms.sum::<f64>()
        }
        Kind::Scaled(n, e) => number(n) * magnitude(e),
        Kind::Product(factors) => {
            let powers = factors.iter().map(|(e, n)| magnitude(e).powf(n.to_f64()));
            powers.product()
        }
        _ => e.evaluate(&[]).map_or(0.0, f64::abs),
    }
}

/// The entries of three systems side by side.
fn entries<'a, T>(
    x: &'a mut LinearSystem<f64>,
    y: &'a mut LinearSystem<f64>,
    z: &'a LinearSystem<T>,
) -> impl Iterator<Item = (&'a mut f64, &'a mut f64, &'a T)> {
    let x = [&mut x.a, &mut x.b, &mut x.c, &mut x.d].into_iter();
    let y = [&mut y.a, &mut y.b, &mut y.c, &mut y.d].into_iter();
    let z = [&z.a, &z.b, &z.c, &z.d].into_iter();
    let all = x.flatten().zip(y.flatten()).zip(z.flatten());
    all.flat_map(|((x, y), z)| {
        let entries = x.iter_mut().zip(y).zip(z);
        entries.map(|((x, y), z)| (x, y, z))
    })
}
