//! Integrals around circles, enclosed.

use super::verdict::Enclosure;
use crate::meaning::doubles::Doubles;
use crate::meaning::enclosure::{Enclosures, Interval};
use crate::meaning::{Lowered, Numbers};
use crate::work::count_work;
use crate::{Expr, Rational, Symbol};

/// The circle is cut into so many pieces, then into more.
const PIECES: [i64; 4] = [64, 512, 4096, 32_768];

/// The integral of f over 0 ≤ s ≤ 2π at values of everything else that it contains, if an enclosure of it excludes zero:
/// the sum of the hulls of f over pieces, each times its length.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, nonzero_period};
/// let s = Symbol::variable("s");
/// let f = (Expr::from(2) + Expr::from(&s).cos()).recip();
/// let found = nonzero_period(&f, &s, &[]).unwrap();
/// let exact = std::f64::consts::TAU / 3.0f64.sqrt();
/// assert!(found.low < exact && exact < found.high && found.low > 0.0);
/// assert!(nonzero_period(&Expr::from(&s).cos(), &s, &[]).is_none());
/// ```
pub fn nonzero_period(f: &Expr, s: &Symbol, point: &[(Symbol, Rational)]) -> Option<Enclosure> {
    let known: Vec<(Symbol, Expr)> = point.iter().map(|(p, r)| (p.clone(), r.into())).collect();
    let f = f.substitute(&known);
    let lowered = Lowered::new(std::slice::from_ref(s), &[f]).ok()?;
    let program = lowered.prepare(Enclosures(Doubles));
    let meaning = program.meaning();
    PIECES.into_iter().find_map(|n| {
        count_work(program.len() as u64 * n.unsigned_abs());
        let ends = |k: i64| {
            meaning.multiply(
                &meaning.circle()?,
                &meaning.number(&Rational::new(2 * k, n))?,
            )
        };
        let length = ends(1)?;
        let mut sum = meaning.number(&Rational::ZERO)?;
        for k in 0..n {
            let (from, to) = (ends(k)?, ends(k + 1)?);
            let piece = Interval {
                low: from.low,
                high: to.high,
            };
            let hull = program.evaluate(&[Some(piece)]).pop()??;
            sum = meaning.add(&sum, &meaning.multiply(&hull, &length)?)?;
        }
        let (low, high) = meaning.to_doubles(&sum);
        let enclosure = Enclosure { low, high };
        enclosure.excludes_zero().then_some(enclosure)
    })
}

/// The values of f, a function of s alone, over an interval; `None` where it is not defined on all of it, as far as an
/// enclosure tells.
///
/// ```
/// use rattleback_symbolic::{Expr, Rational, Symbol, enclose_over};
/// let s = Symbol::variable("s");
/// let [zero, one] = [0, 1].map(Rational::from);
/// let hull = enclose_over(&Expr::from(&s).cos(), &s, &zero, &one).unwrap();
/// assert!(hull.low <= 0.54 && hull.high >= 1.0);
/// assert!(enclose_over(&Expr::from(&s).log(), &s, &zero, &one).is_none());
/// ```
pub fn enclose_over(f: &Expr, s: &Symbol, from: &Rational, to: &Rational) -> Option<Enclosure> {
    let lowered = Lowered::new(std::slice::from_ref(s), std::slice::from_ref(f)).ok()?;
    let program = lowered.prepare(Enclosures(Doubles));
    let meaning = program.meaning();
    count_work(program.len() as u64);
    let (from, to) = (meaning.number(from)?, meaning.number(to)?);
    let piece = Interval {
        low: from.low,
        high: to.high,
    };
    let hull = program.evaluate(&[Some(piece)]).pop()??;
    let (low, high) = meaning.to_doubles(&hull);
    Some(Enclosure { low, high })
}
