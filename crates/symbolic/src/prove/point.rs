//! Real points that satisfy what is assumed of symbols.

use super::random::Random;
use crate::function::Function;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Rational, Region, Role, Sign, Symbol, free_symbols};

/// Draws points for the symbols of some expressions.
pub(crate) struct Points {
    /// The symbols of the expressions.
    pub(crate) symbols: Vec<Symbol>,
    /// Where points may lie: its symbols are those above, then those that assumptions tie to them.
    region: Region,
    /// Which symbols occur in exponents.
    exponents: Vec<bool>,
}

impl Points {
    pub(crate) fn new(roots: &[Expr]) -> Self {
        let symbols = free_symbols(roots);
        let region = Region::of(&symbols);
        let exponents = symbols_in_exponents(roots);
        Self {
            exponents: region
                .symbols()
                .iter()
                .map(|s| exponents.contains(s))
                .collect(),
            symbols,
            region,
        }
    }

    /// A point at a scale that changes with the attempt, with values for all symbols of the region; `None`
    /// where none that satisfies all assumptions was found.
    pub(crate) fn draw(&self, attempt: usize, random: &mut Random) -> Option<Vec<Rational>> {
        let proposal = (self.region.symbols().iter().zip(&self.exponents))
            .map(|(s, in_exponent)| match *in_exponent && attempt % 2 == 1 {
                // Only integers tell what becomes of negative bases.
                true => signed(s.sign(), i64::from(1 + random.below(4)).into(), random),
                // An energy is above a potential where the place is small and the constant large.
                false if attempt % 6 == 5 && s.role() == Role::Constant => {
                    draw(s.sign(), 3, random)
                }
                false if attempt % 6 == 5 => draw(s.sign(), 0, random),
                false => draw(s.sign(), attempt, random),
            })
            .collect();
        self.region.settle(proposal)
    }

    /// Is there a point that satisfies all assumptions, as far as one can find?
    pub(crate) fn exist(&self) -> bool {
        self.region.facts().is_empty() || self.region.points().next().is_some()
    }

    /// The point by its symbols.
    pub(crate) fn named(&self, point: Vec<Rational>) -> Vec<(Symbol, Rational)> {
        self.region.symbols().iter().cloned().zip(point).collect()
    }
}

fn symbols_in_exponents(roots: &[Expr]) -> Vec<Symbol> {
    let exponent = |e: &Expr| match e.kind() {
        Kind::Function(Function::Power, x) => Some(x[1].clone()),
        _ => None,
    };
    let nodes = postorder(roots, |_| true);
    free_symbols(&nodes.iter().filter_map(exponent).collect::<Vec<_>>())
}

/// A short dyadic number (a float without rounding) of the assumed sign, at varying scales.
fn draw(sign: Sign, attempt: usize, random: &mut Random) -> Rational {
    let (range, unit) = [(15, 16), (31, 8), (63, 64), (200, 4)][attempt % 4];
    let size = Rational::new(i64::from(1 + random.below(range)), unit);
    signed(sign, size, random)
}

fn signed(sign: Sign, size: Rational, random: &mut Random) -> Rational {
    let negative = match sign {
        Sign::Positive | Sign::NonNegative => false,
        Sign::Negative | Sign::NonPositive => true,
        Sign::Unknown | Sign::NonZero => random.below(2) == 0,
    };
    if negative { -size } else { size }
}
