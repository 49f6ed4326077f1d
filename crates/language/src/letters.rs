//! Letters of names: Greek letters, letters with dots for derivatives, subscript digits.
//!
//! Every name has one ASCII spelling: `θ₁` is `theta1`. Dots above a letter are time derivatives: `ẋ` is `x'`.

use rattleback_symbolic::greek_name;

/// A name as written, in its ASCII spelling, with the time derivatives that its dots say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) name: String,
    pub(crate) dots: u32,
}

/// Why a word is not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadLetter {
    /// A superscript digit, which is a power.
    Superscript(char),
    /// A letter or mark outside the alphabet of names.
    Foreign(char),
}

/// The ASCII spelling of a word.
pub(crate) fn spell(word: &str) -> Result<Spelling, BadLetter> {
    let mut spelling = Spelling {
        name: String::with_capacity(word.len()),
        dots: 0,
    };
    for c in word.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            spelling.name.push(c);
        } else if let Some(name) = greek(c) {
            spelling.name.push_str(name);
        } else if let Some(dots) = combining_dots(c) {
            spelling.dots += dots;
        } else if let Some((letter, dots)) = dotted(c) {
            spelling.name.push_str(letter);
            spelling.dots += dots;
        } else if let Some(digit) = subscript(c) {
            spelling.name.push(digit);
        } else if "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c) {
            return Err(BadLetter::Superscript(c));
        } else {
            return Err(BadLetter::Foreign(c));
        }
    }
    Ok(spelling)
}

fn subscript(c: char) -> Option<char> {
    let index = u32::from(c).checked_sub(0x2080)?;
    char::from_digit(index, 10).filter(|_| index < 10)
}

fn combining_dots(c: char) -> Option<u32> {
    Some(match c {
        '\u{0307}' => 1,
        '\u{0308}' => 2,
        '\u{20DB}' => 3,
        '\u{20DC}' => 4,
        _ => return None,
    })
}

/// The name of a Greek letter; variant forms share the name.
fn greek(c: char) -> Option<&'static str> {
    greek_name(match c {
        'ϐ' => 'β',
        'ϵ' => 'ε',
        'ϑ' => 'θ',
        'ϰ' => 'κ',
        // The micro sign.
        'µ' => 'μ',
        'ϱ' => 'ρ',
        'ς' => 'σ',
        'ϕ' => 'φ',
        'ϴ' => 'Θ',
        // The sign of the ohm.
        '\u{2126}' => 'Ω',
        _ => c,
    })
}

/// Letters that Unicode has with their dots built in.
fn dotted(c: char) -> Option<(&'static str, u32)> {
    const ONE: &str = "ȦȧḂḃĊċḊḋĖėḞḟĠġḢḣṀṁṄṅȮȯṖṗṘṙṠṡṪṫẆẇẊẋẎẏŻżİ";
    const ONE_BASE: &str = "AaBbCcDdEeFfGgHhMmNnOoPpRrSsTtWwXxYyZzI";
    const TWO: &str = "ÄäËëḦḧÏïÖöẗÜüẄẅẌẍŸÿ";
    const TWO_BASE: &str = "AaEeHhIiOotUuWwXxYy";
    let find = |letters: &str, base: &'static str| {
        let index = letters.chars().position(|l| l == c)?;
        base.get(index..=index)
    };
    match c {
        'ϊ' => Some(("iota", 2)),
        'ϋ' => Some(("upsilon", 2)),
        'Ϊ' => Some(("Iota", 2)),
        'Ϋ' => Some(("Upsilon", 2)),
        _ => find(ONE, ONE_BASE)
            .map(|l| (l, 1))
            .or_else(|| find(TWO, TWO_BASE).map(|l| (l, 2))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(word: &str) -> (String, u32) {
        let s = spell(word).unwrap();
        (s.name, s.dots)
    }

    #[test]
    fn greek_is_ascii() {
        assert_eq!(spelled("θ"), ("theta".into(), 0));
        assert_eq!(spelled("φ_1"), ("phi_1".into(), 0));
        assert_eq!(spelled("θ₁"), ("theta1".into(), 0));
        assert_eq!(spelled("Δx"), ("Deltax".into(), 0));
    }

    #[test]
    fn dots_are_derivatives() {
        assert_eq!(spelled("ẋ"), ("x".into(), 1));
        assert_eq!(spelled("ẍ"), ("x".into(), 2));
        assert_eq!(spelled("ÿ"), ("y".into(), 2));
        assert_eq!(spelled("żż"), ("zz".into(), 2));
        assert_eq!(spelled("θ\u{0307}"), ("theta".into(), 1));
        assert_eq!(spelled("x\u{20DB}"), ("x".into(), 3));
        assert_eq!(spelled("φ\u{0308}₂"), ("phi2".into(), 2));
    }

    #[test]
    fn other_letters_are_refused() {
        assert_eq!(spell("x²"), Err(BadLetter::Superscript('²')));
        assert_eq!(spell("ж"), Err(BadLetter::Foreign('ж')));
        assert_eq!(spell("é"), Err(BadLetter::Foreign('é')));
    }
}
