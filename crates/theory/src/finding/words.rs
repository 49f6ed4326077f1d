//! The one place where evidence becomes prose.

use super::phrase::{Named, Phrase, Term};
use super::{Absent, Evidence, Point, Reason, Zero};
use crate::finding::search::Searched;
use rattleback_symbolic::{Expr, Rational, Symbol};
use std::fmt;

/// A point in words: `x = 1/2, phi = 3`.
pub fn point(at: &[(Symbol, Rational)]) -> String {
    let values: Vec<String> = at.iter().map(|(s, r)| format!("{s} = {r}")).collect();
    if values.is_empty() {
        return "every point".into();
    }
    values.join(", ")
}

/// Longer formulas are counted, not written: the data have them.
const LONGEST: usize = super::READABLE;

/// The most characters of a formula in a sentence: what is shared in it is written out each time.
const WIDEST: usize = 300;

/// A formula that a person reads in a sentence.
fn short(e: &Expr) -> Option<String> {
    let few = e.node_count() <= LONGEST;
    few.then(|| e.to_string())
        .filter(|text| text.len() <= WIDEST)
}

/// A formula that a person reads, or how long it is.
fn formula(e: &Expr) -> String {
    short(e).unwrap_or_else(|| format!("({} operations)", e.node_count()))
}

fn list<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Formula(e) => f.write_str(&formula(e)),
            Term::Formulas(all) => f.write_str(&list(all, formula)),
            Term::Count(n) => n.fmt(f),
            Term::Counts(all) => f.write_str(&list(all, ToString::to_string)),
            Term::Name(name) => f.write_str(name),
            Term::Names(names) => f.write_str(&names.join(", ")),
            Term::Value(value) => value.fmt(f),
            Term::Point(at) => f.write_str(&point(at)),
        }
    }
}

impl<N: Named> fmt::Display for Phrase<N> {
    /// The words with the terms in their places; `{{` and `}}` are braces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.name.template();
        while let Some(at) = rest.find(['{', '}']) {
            f.write_str(&rest[..at])?;
            let after = &rest[at + 1..];
            let doubled = after.starts_with(['{', '}']);
            let place = after.find('}').filter(|_| !doubled);
            rest = match place {
                Some(end) => {
                    self.write_term(&after[..end], f)?;
                    &after[end + 1..]
                }
                None => {
                    f.write_str(&rest[at..=at])?;
                    after.get(1..).unwrap_or_default()
                }
            };
        }
        f.write_str(rest)
    }
}

impl<N> Phrase<N> {
    fn write_term(&self, place: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.terms.iter().find(|(name, _)| *name == place) {
            Some((_, term)) => write!(f, "{term}"),
            None => f.write_str("…"),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Zero(zero) => zero.fmt(f),
            Evidence::Point(point) => point.fmt(f),
            Evidence::Theorem { theorem, premises } => {
                theorem.fmt(f)?;
                write_premises(premises, f)
            }
            Evidence::Absent(absent) => absent.fmt(f),
            Evidence::Parts(parts) => {
                let mut all: Vec<String> = Vec::new();
                for words in parts.iter().map(ToString::to_string) {
                    if !all.contains(&words) {
                        all.push(words);
                    }
                }
                f.write_str(&all.join("; "))
            }
        }
    }
}

/// What a theorem rests on, where that is one thing: a theorem says itself what it takes several of.
fn write_premises(premises: &[Evidence], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match premises {
        [Evidence::Zero(zero)] => write!(f, ": {}", zero.proof),
        [Evidence::Parts(_)] => Ok(()),
        [one] => write!(f, ": {one}"),
        _ => Ok(()),
    }
}

impl fmt::Display for Zero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} vanishes: {}", self.what, self.proof)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, value, place) = (&self.what, &self.value, point(&self.at));
        match short(&self.function) {
            Some(number) if self.function.as_number().is_some() => write!(f, "{what} is {number}"),
            Some(function) => write!(f, "{what} is {function}, which is {value} at {place}"),
            None => write!(f, "{what} is {value} at {place}"),
        }
    }
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.what().fmt(f)?;
        if self.searched().what() != Searched::Branches {
            write!(f, "; searched were all {}", self.searched().what())?;
        }
        write_premises(self.premises(), f)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Zero { what, why, .. } => write!(f, "whether {what} vanishes is open: {why}"),
            Reason::CutShort(cut) => cut.fmt(f),
            Reason::NotFound {
                what,
                searched,
                end,
            } => {
                write!(f, "{what} among {searched}; others were not tried")?;
                match end {
                    Ok(_) => Ok(()),
                    Err(cut) => write!(f, ", and not all of those: {cut}"),
                }
            }
            Reason::Gap { gap, shown, behind } => {
                gap.fmt(f)?;
                write_premises(shown, f)?;
                match behind {
                    Some(reason) => write!(f, ": {reason}"),
                    None => Ok(()),
                }
            }
            Reason::Failed(error) => f.write_str(error),
        }
    }
}
