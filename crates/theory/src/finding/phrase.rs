//! Something with a name and terms: a theorem, a function, a reason.

use rattleback_symbolic::{Enclosure, Expr, Rational, Symbol};

/// One of a list of named things, with the words for it.
pub trait Named: Copy + std::fmt::Debug + PartialEq + 'static {
    /// All of them.
    const ALL: &'static [Self];
    /// A short name that stays.
    fn id(self) -> &'static str;
    /// The words, with `{term}` where a term stands.
    fn template(self) -> &'static str;
    /// With a term.
    fn with(self, name: &'static str, term: impl Into<Term>) -> Phrase<Self>
    where
        Self: Sized,
    {
        Phrase::from(self).with(name, term)
    }
}

/// A named thing with the terms it speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase<N> {
    /// Its name.
    pub name: N,
    /// Its terms, by the places in the words.
    pub terms: Vec<(&'static str, Term)>,
}

/// What a phrase speaks of.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A formula.
    Formula(Expr),
    /// Formulas.
    Formulas(Vec<Expr>),
    /// A number of things.
    Count(usize),
    /// Numbers of things.
    Counts(Vec<usize>),
    /// A name.
    Name(String),
    /// Names.
    Names(Vec<String>),
    /// A real number, enclosed.
    Value(Enclosure),
    /// A point.
    Point(Vec<(Symbol, Rational)>),
}

impl<N> Phrase<N> {
    /// With one more term.
    pub fn with(mut self, name: &'static str, term: impl Into<Term>) -> Self {
        self.terms.push((name, term.into()));
        self
    }
}

impl<N> From<N> for Phrase<N> {
    fn from(name: N) -> Self {
        Self {
            name,
            terms: Vec::new(),
        }
    }
}

impl From<Expr> for Term {
    fn from(e: Expr) -> Self {
        Term::Formula(e)
    }
}
impl From<&Expr> for Term {
    fn from(e: &Expr) -> Self {
        Term::Formula(e.clone())
    }
}
impl From<Vec<Expr>> for Term {
    fn from(all: Vec<Expr>) -> Self {
        Term::Formulas(all)
    }
}
impl From<usize> for Term {
    fn from(n: usize) -> Self {
        Term::Count(n)
    }
}
impl From<&[usize]> for Term {
    fn from(all: &[usize]) -> Self {
        Term::Counts(all.to_vec())
    }
}
impl From<String> for Term {
    fn from(name: String) -> Self {
        Term::Name(name)
    }
}
impl From<&str> for Term {
    fn from(name: &str) -> Self {
        Term::Name(name.into())
    }
}
impl From<Vec<String>> for Term {
    fn from(names: Vec<String>) -> Self {
        Term::Names(names)
    }
}
impl From<&[String]> for Term {
    fn from(names: &[String]) -> Self {
        Term::Names(names.to_vec())
    }
}
impl From<&[(Symbol, Rational)]> for Term {
    fn from(at: &[(Symbol, Rational)]) -> Self {
        Term::Point(at.to_vec())
    }
}
impl From<Enclosure> for Term {
    fn from(value: Enclosure) -> Self {
        Term::Value(value)
    }
}

/// A list of named things: each variant with its words, `{term}` where a term stands.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($variant:ident: $words:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $words] $variant,)*
        }

        impl $crate::finding::Named for $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)*];
            fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant),)*
                }
            }
            fn template(self) -> &'static str {
                match self {
                    $(Self::$variant => $words,)*
                }
            }
        }
    };
}
pub(super) use named;
