//! Small numbers for values of symbols.

use rattleback_symbolic::{Rational, Role, Sign, Symbol};

/// A number in sixteenths that respects the sign of a symbol, the `i`th of the `k`th point; parameters are
/// positive unless theirs says otherwise.
pub(crate) fn small_number(s: &Symbol, i: u64, k: u64) -> Rational {
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
