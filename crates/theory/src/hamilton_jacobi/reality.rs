//! Is a family real somewhere? Roots of functions that are negative everywhere solve the equations too, but
//! carry no motion.

use super::Setting;
use rattleback_mechanics::{Quantity, System};
use rattleback_symbolic::{Expr, Rational, Region, Role, Symbol, free_symbols};

/// Points that are tried.
const POINTS: u64 = 48;

/// Looks for a motion whose constants make γ real: at random points with random velocities in D, the
/// constants are the values of the first integrals. True where this cannot be judged.
pub(crate) fn is_real(
    system: &System,
    s: &Setting,
    form: &[Expr],
    constants: &[Symbol],
    integrals: &[Quantity],
) -> bool {
    if system.has_groups() {
        return true;
    }
    let energy = system.energy();
    let functions: Vec<Expr> = integrals.iter().map(|i| i.value.clone()).collect();
    let data = [
        form,
        &functions,
        &s.fields.concat(),
        std::slice::from_ref(&energy),
    ]
    .concat();
    let fibre = s.frame.fibre();
    let fixed: Vec<Symbol> = free_symbols(&data)
        .into_iter()
        .filter(|x| x.role() == Role::Constant && !constants.contains(x))
        .chain(s.frame.base().iter().cloned())
        .collect();
    let region = Region::of(&fixed);
    let trial = |number: u64| -> Option<bool> {
        let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        // Close to 1, where the assumptions allow it.
        let draw = |_: &Symbol| Rational::new(20 + (64.0 * next()) as i64, 64);
        let proposal = region.symbols().iter().map(draw).collect();
        let point = region.settle(proposal)?;
        let values = point.iter().map(Rational::to_f64);
        let mut known: Vec<(Symbol, f64)> = region.symbols().iter().cloned().zip(values).collect();
        let sizes: Vec<f64> = s.fields.iter().map(|_| 2.0 * next() - 0.7).collect();
        let mut velocity = Vec::new();
        for (i, y) in fibre.iter().enumerate() {
            let mut value = 0.0;
            for (z, size) in s.fields.iter().zip(&sizes) {
                value += size * z[i].evaluate(&known).ok()?;
            }
            velocity.push((y.clone(), value));
        }
        known.extend(velocity);
        let mut values = Vec::new();
        for (i, c) in constants.iter().enumerate() {
            let integral = integrals.iter().find(|f| f.name == c.name());
            values.push(match integral {
                Some(f) => f.value.evaluate(&known).ok()?,
                None if i == 0 => energy.evaluate(&known).ok()?,
                None => next(),
            });
        }
        known.extend(constants.iter().cloned().zip(values));
        let mut real = true;
        for e in form {
            real &= e.evaluate(&known).ok()?.is_finite();
        }
        Some(real)
    };
    (1..=POINTS).any(|n| trial(n).unwrap_or(true))
}
