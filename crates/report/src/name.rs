//! Names as figures show them: Greek letters, dots for derivatives, indices set low.

use rattleback_symbolic::greek_letter;

/// A name taken apart for typesetting.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Symbol {
    /// The letters, with Greek ones and dots in place.
    pub base: String,
    /// What is set low behind it.
    pub index: String,
    /// Primes that dots cannot express.
    pub primes: usize,
}

/// A name of the model language as plain text: `θ̇₁` for `theta1'`.
///
/// ```
/// use rattleback_report::display_name;
/// assert_eq!(display_name("theta"), "θ");
/// assert_eq!(display_name("x'"), "ẋ");
/// assert_eq!(display_name("p_phi"), "p_φ");
/// ```
pub fn display_name(name: &str) -> String {
    let symbol = symbol(name);
    let digits = !symbol.index.is_empty() && symbol.index.bytes().all(|b| b.is_ascii_digit());
    let mut shown = symbol.base;
    if digits {
        shown.extend(symbol.index.chars().filter_map(low_digit));
    } else if symbol.index.contains(',') {
        shown = format!("{shown}[{}]", symbol.index);
    } else if !symbol.index.is_empty() {
        shown = format!("{shown}_{}", symbol.index);
    }
    shown + &"′".repeat(symbol.primes)
}

/// Takes a name apart: `theta_rod'` is θ̇ with the index `rod`.
pub(crate) fn symbol(name: &str) -> Symbol {
    let bare = name.trim_end_matches('\'');
    let order = name.len() - bare.len();
    let (stem, index) = split_index(bare);
    let mut symbol = Symbol {
        base: greek_letter(stem).map_or_else(|| stem.to_owned(), String::from),
        index: index.split('_').map(letters).collect::<Vec<_>>().join(" "),
        primes: order,
    };
    // A dot belongs on one letter; longer names keep their primes.
    if let (1 | 2, Some(letter), 1) = (
        order,
        symbol.base.chars().next(),
        symbol.base.chars().count(),
    ) {
        symbol.base = dotted(letter, order);
        symbol.primes = 0;
    }
    symbol
}

/// Part of an index: `θ1` for `theta1`.
fn letters(part: &str) -> String {
    let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
    match greek_letter(stem) {
        Some(letter) => format!("{letter}{}", part.get(stem.len()..).unwrap_or_default()),
        None => part.to_owned(),
    }
}

/// Splits `theta12`, `theta_rod`, `R[1,2]` into stem and index.
fn split_index(name: &str) -> (&str, &str) {
    if let Some((stem, rest)) = name.split_once('[') {
        return (stem, rest.trim_end_matches(']'));
    }
    if let Some((stem, index)) = name
        .split_once('_')
        .filter(|(stem, index)| !stem.is_empty() && !index.is_empty())
    {
        return (stem, index);
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem {
        "" => (name, ""),
        _ => name.split_at(stem.len()),
    }
}

/// A letter with one or two dots: in one character where Unicode has it, since fonts set that best.
fn dotted(letter: char, dots: usize) -> String {
    const PLAIN: &str = "xyzabcdefghmnoprstwXYZABCDEFGHMNOPRSTW";
    const ONE: &str = "ẋẏżȧḃċḋėḟġḣṁṅȯṗṙṡṫẇẊẎŻȦḂĊḊĖḞĠḢṀṄȮṖṘṠṪẆ";
    const TWO_PLAIN: &str = "xyaehiotuwXYAEHIOUW";
    const TWO: &str = "ẍÿäëḧïöẗüẅẌŸÄËḦÏÖÜẄ";
    let (plain, with, mark) = match dots {
        1 => (PLAIN, ONE, '\u{0307}'),
        _ => (TWO_PLAIN, TWO, '\u{0308}'),
    };
    let whole = plain
        .chars()
        .position(|c| c == letter)
        .and_then(|place| with.chars().nth(place));
    match whole {
        Some(whole) => whole.to_string(),
        None => [letter, mark].iter().collect(),
    }
}

fn low_digit(digit: char) -> Option<char> {
    "₀₁₂₃₄₅₆₇₈₉".chars().nth(digit.to_digit(10)? as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_letters() {
        for (name, shown) in [
            ("theta1'", "θ\u{0307}₁"),
            ("x''", "ẍ"),
            ("x'''", "x′′′"),
            ("y", "y"),
            ("R[1,2]", "R[1,2]"),
            ("w[3]", "w₃"),
            ("energy", "energy"),
            ("Omega", "Ω"),
            ("speed'", "speed′"),
            ("_", "_"),
            ("", ""),
            ("12", "12"),
            ("mu1", "μ₁"),
            ("P_psi", "P_ψ"),
            ("p_theta1", "p_θ1"),
        ] {
            assert_eq!(display_name(name), shown, "{name}");
        }
    }

    #[test]
    fn dotted_letters_line_up() {
        assert_eq!(dotted('W', 1), "Ẇ");
        assert_eq!(dotted('z', 1), "ż");
        assert_eq!(dotted('W', 2), "Ẅ");
        assert_eq!(dotted('q', 1), "q\u{0307}");
    }
}
