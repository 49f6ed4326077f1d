//! A box around the start on which functions of several branches are analytic.

use rattleback_symbolic::{Branches, Expr, Fact, Rational, Role, Sign, Symbol};

use crate::model::Model;

/// A box, each side of which is as long as twice a share of its middle, of 1 at least.
pub(crate) struct Around {
    middle: Vec<(Symbol, Rational)>,
    share: Rational,
    /// Is its middle beside the start, on which no function of some branch is analytic?
    pub(crate) is_shifted: bool,
}

/// Halvings of the sides before the middle is given up.
const MOST_HALVINGS: i64 = 60;
/// Places beside the start that are tried, for each of some distances.
const PLACES: usize = 16;
/// Distances of those places, by halvings of 1.
const DISTANCES: [i64; 3] = [3, 8, 1];
/// Binary digits of a middle that is no short number.
const DIGITS: i32 = 24;

impl Around {
    /// The box around the start of a model, or around a place close to it; `None` where none was found, and for
    /// functions of time and of the entries of groups, whose values facts do not hold.
    pub(crate) fn start_of(model: &Model, branches: &Branches) -> Option<Self> {
        let start = model.start_values(&branches.symbols())?;
        let start: Option<Vec<(Symbol, Rational)>> = start
            .into_iter()
            .map(|(s, e)| Some((s, close_to(&e)?)))
            .collect();
        let start = start?;
        let at = |middle: Vec<(Symbol, Rational)>, is_shifted| {
            let shares = (1..=MOST_HALVINGS / 2).filter_map(|k| Rational::from(2).pow(-2 * k));
            let mut boxes = shares.map(|share| Self {
                middle: middle.clone(),
                share,
                is_shifted,
            });
            boxes.find(|b| branches.hold_on(&b.sides()))
        };
        at(start.clone(), false).or_else(|| {
            let places = DISTANCES
                .iter()
                .flat_map(|d| (0..PLACES).map(move |k| (*d, k)));
            let mut places = places.filter_map(|(d, k)| beside(&start, d, k));
            places.find_map(|middle| at(middle, true))
        })
    }

    fn sides(&self) -> Vec<(Symbol, (Rational, Rational))> {
        let side = |(s, c): &(Symbol, Rational)| {
            let half = &self.share * &c.abs().max(Rational::ONE);
            (s.clone(), (c - &half, c + &half))
        };
        self.middle.iter().map(side).collect()
    }

    /// What holds inside.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let above = |a: Expr, b: Expr| Fact::new(a - b, Sign::Positive);
        let both = |(s, (low, high)): (Symbol, (Rational, Rational))| {
            let s = Expr::from(&s);
            [above(s.clone(), low.into()), above(high.into(), s)]
        };
        self.sides().into_iter().flat_map(both).collect()
    }

    /// The middle.
    pub(crate) fn point(&self) -> Vec<(Symbol, Expr)> {
        let named = |(s, c): &(Symbol, Rational)| (s.clone(), Expr::from(c));
        self.middle.iter().map(named).collect()
    }
}

/// The number, or one with few digits that is close to it.
fn close_to(e: &Expr) -> Option<Rational> {
    if let Some(r) = e.as_number() {
        return Some(r.clone());
    }
    let x = e.evaluate(&[]).ok().filter(|x| x.is_finite())?;
    let shift = DIGITS - x.abs().max(1.0).log2().ceil() as i32;
    let digits = (x * f64::from(shift).exp2()).round() as i64;
    Some(&Rational::from(digits) * &Rational::from(2).pow(i64::from(-shift))?)
}

/// The k-th place at a distance: what moves is shifted this way or that, each by another amount.
fn beside(
    start: &[(Symbol, Rational)],
    halvings: i64,
    k: usize,
) -> Option<Vec<(Symbol, Rational)>> {
    let unit = Rational::from(2).pow(-halvings)?;
    let shifted = start.iter().enumerate().map(|(i, (s, c))| {
        let amount = &unit * &Rational::new(8 + i as i64, 8);
        let value = match (s.role(), (k >> (i % 4)) & 1) {
            (Role::Constant, _) => c.clone(),
            (_, 0) => c + &amount,
            _ => c - &amount,
        };
        (s.clone(), value)
    });
    Some(shifted.collect())
}
