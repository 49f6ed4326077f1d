//! Letters of names: Greek letters, subscripts, dots.

/// The Greek letters and their names in the model language.
const GREEK: [(&str, char); 48] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("iota", 'ι'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("omicron", 'ο'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("upsilon", 'υ'),
    ("phi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Alpha", 'Α'),
    ("Beta", 'Β'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Epsilon", 'Ε'),
    ("Zeta", 'Ζ'),
    ("Eta", 'Η'),
    ("Theta", 'Θ'),
    ("Iota", 'Ι'),
    ("Kappa", 'Κ'),
    ("Lambda", 'Λ'),
    ("Mu", 'Μ'),
    ("Nu", 'Ν'),
    ("Xi", 'Ξ'),
    ("Omicron", 'Ο'),
    ("Pi", 'Π'),
    ("Rho", 'Ρ'),
    ("Sigma", 'Σ'),
    ("Tau", 'Τ'),
    ("Upsilon", 'Υ'),
    ("Phi", 'Φ'),
    ("Chi", 'Χ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
];

/// The letter of a Greek letter's name.
///
/// ```
/// use rattleback_symbolic::{greek_letter, greek_name};
/// assert_eq!(greek_letter("theta"), Some('θ'));
/// assert_eq!(greek_name('Ω'), Some("Omega"));
/// assert_eq!(greek_letter("x"), None);
/// ```
pub fn greek_letter(name: &str) -> Option<char> {
    GREEK.iter().find(|(n, _)| *n == name).map(|(_, c)| *c)
}

/// The ASCII name of a Greek letter.
pub fn greek_name(letter: char) -> Option<&'static str> {
    GREEK.iter().find(|(_, c)| *c == letter).map(|(n, _)| *n)
}

/// A name taken apart: `p_theta1` is the stem `p` with the subscripts `theta` and `1`;
/// `R[1,2]` is `R` with `1` and `2`.
pub(super) struct Name<'a> {
    pub(super) stem: &'a str,
    /// Written without a bracket: `x1`, `p_x`.
    pub(super) plain: Vec<&'a str>,
    /// Written in brackets: `w[1]`.
    pub(super) indices: Vec<&'a str>,
}

impl<'a> Name<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        let (body, indices) = match name.split_once('[') {
            Some((body, rest)) => (body, rest.trim_end_matches(']').split(',').collect()),
            None => (name, Vec::new()),
        };
        let mut words = body.split('_').filter(|w| !w.is_empty());
        let (stem, digits) = split_digits(words.next().unwrap_or(body));
        // A name that gave way to another differs by what stands at its end alone: `p_x_`.
        let gave_way = body.len() > 1 && body.ends_with('_');
        let mut plain = Vec::new();
        plain.extend((!digits.is_empty()).then_some(digits));
        for word in words {
            let (letters, digits) = split_digits(word);
            plain.extend((!letters.is_empty()).then_some(letters));
            plain.extend((!digits.is_empty()).then_some(digits));
        }
        plain.extend(gave_way.then_some("_"));
        Name {
            stem,
            plain,
            indices,
        }
    }

    /// The whole name as a word.
    pub(super) fn spelled(name: &'a str) -> Self {
        Name {
            stem: name,
            plain: Vec::new(),
            indices: Vec::new(),
        }
    }

    /// All subscripts in order.
    pub(super) fn subscripts(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.plain.iter().chain(&self.indices).copied()
    }
}

/// `theta12` is `theta` and `12`; a name of digits only stays whole.
fn split_digits(word: &str) -> (&str, &str) {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if letters.is_empty() {
        return (word, "");
    }
    word.split_at(letters.len())
}

/// Is it one letter, Greek names included? Only such a stem can wear a dot.
pub(super) fn is_one_letter(stem: &str) -> bool {
    stem.chars().count() == 1 || greek_letter(stem).is_some()
}

/// The name in Unicode, with its time derivatives as dots where that reads well, else as primes.
/// The model language reads it back.
pub(super) fn unicode_name(name: &str, derivatives: u32) -> String {
    let mut out = String::new();
    let dots = Name::of(name);
    let bracket = name.find('[').unwrap_or(name.len());
    let dotted = derivatives <= 2 && dots.indices.is_empty() && is_one_letter(dots.stem);
    for (i, word) in name[..bracket].split('_').enumerate() {
        if i > 0 {
            out.push('_');
        }
        let (letters, digits) = split_digits(word);
        match greek_letter(letters) {
            Some(c) => out.push(c),
            None => out.push_str(letters),
        }
        if i == 0 && dotted {
            add_dots(&mut out, derivatives);
        }
        out.extend(digits.chars().map(subscript));
    }
    out.push_str(&name[bracket..]);
    if !dotted {
        out.extend((0..derivatives).map(|_| '\''));
    }
    out
}

fn add_dots(out: &mut String, derivatives: u32) {
    let composed = match (out.as_str(), derivatives) {
        ("x", 1) => "ẋ",
        ("x", 2) => "ẍ",
        ("y", 1) => "ẏ",
        ("y", 2) => "ÿ",
        ("z", 1) => "ż",
        ("r", 1) => "ṙ",
        (_, 1) => return out.push('\u{307}'),
        (_, 2) => return out.push('\u{308}'),
        _ => return,
    };
    out.clear();
    out.push_str(composed);
}

fn subscript(digit: char) -> char {
    digit
        .to_digit(10)
        .and_then(|d| char::from_u32(0x2080 + d))
        .unwrap_or(digit)
}

/// How many columns a text takes: combining marks take none.
pub(super) fn width(text: &str) -> usize {
    let combining = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}');
    text.chars().filter(|c| !combining(*c)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let n = Name::of("p_theta1");
        assert_eq!((n.stem, n.plain), ("p", vec!["theta", "1"]));
        let n = Name::of("R[1,2]");
        assert_eq!((n.stem, n.indices), ("R", vec!["1", "2"]));
        let n = Name::of("p_x_");
        assert_eq!((n.stem, n.plain), ("p", vec!["x", "_"]));
        let n = Name::of("_");
        assert_eq!(n.stem, "_");
    }

    #[test]
    fn dots_go_on_single_letters() {
        assert_eq!(unicode_name("theta", 1), "θ\u{307}");
        assert_eq!(unicode_name("theta1", 2), "θ\u{308}₁");
        assert_eq!(unicode_name("x", 1), "ẋ");
        assert_eq!(unicode_name("x", 3), "x'''");
        assert_eq!(unicode_name("speed", 1), "speed'");
        assert_eq!(unicode_name("w[1]", 1), "w[1]'");
        assert_eq!(unicode_name("p_theta", 0), "p_θ");
        assert_eq!(width("θ\u{307}₁"), 2);
    }

    #[test]
    fn greek_goes_both_ways() {
        for (name, letter) in GREEK {
            assert_eq!(greek_letter(name), Some(letter));
            assert_eq!(greek_name(letter), Some(name));
        }
    }
}
