//! Small numbers for values of symbols.

use rattleback_symbolic::{Rational, Region, Role, Sign, Symbol};

/// The `k`th point of small rational values for these symbols that satisfies every assumption on them, with
/// the symbols that assumptions tie to them behind them; nothing where none is found.
pub(crate) fn small_point(symbols: &[Symbol], k: u64) -> Option<Vec<(Symbol, Rational)>> {
    let region = Region::of(symbols);
    let all = region.symbols();
    let proposal = all.iter().zip(0..).map(|(s, i)| small_number(s, i, k));
    let values = region.settle(proposal.collect())?;
    Some(all.iter().cloned().zip(values).collect())
}

/// A number in sixteenths that respects the sign of a symbol, the `i`th of the `k`th point; parameters are
/// positive unless theirs says otherwise.
fn small_number(s: &Symbol, i: u64, k: u64) -> Rational {
    let mixed =
        (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (k + 1).wrapping_mul(0xD1B5_4A32_D192_ED03);
    let size = 1 + (mixed >> 40) % 15;
    let negative = match s.sign() {
        Sign::Negative | Sign::NonPositive => true,
        Sign::Unknown if s.role() != Role::Constant => (mixed >> 60) & 1 == 1,
        _ => false,
    };
    Rational::new(
        if negative {
            -(size as i64)
        } else {
            size as i64
        },
        16,
    )
}
