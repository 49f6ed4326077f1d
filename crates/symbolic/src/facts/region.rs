//! Points that satisfy assumptions.

use super::certificate::closure;
use super::{Fact, plain};
use crate::prove::random::{Random, mix};
use crate::{Expr, Rational, Sign, Symbol, Tape};

/// Steps of the search for a point that satisfies all relations.
const MAX_STEPS: usize = 400;

/// The real points where some symbols, and those that relations tie them to, keep all that is assumed of
/// them.
///
/// ```
/// use rattleback_symbolic::{Assumptions, Expr, Fact, Region, Sign, Symbol};
/// let [a, b] = ["a", "b"].map(Symbol::constant);
/// let above = Fact::new(Expr::from(&a) - Expr::from(&b) - 100, Sign::Positive);
/// let given = Assumptions::new(&[above]);
/// let region = Region::of(&[given.apply(&b)]);
/// // The point has a value for `a` too: without one nobody could check it.
/// assert_eq!(region.symbols().len(), 2);
/// assert!(region.points().take(5).all(|p| region.contains(&p) == Some(true)));
/// ```
pub struct Region {
    symbols: Vec<Symbol>,
    facts: Vec<Fact>,
    /// The places of the symbols of each fact.
    places: Vec<Vec<usize>>,
    /// All the facts as floating-point functions, for the search only.
    tape: Option<Tape>,
}

impl Region {
    /// The region of these symbols: they come first among [`Region::symbols`], in this order.
    pub fn of(symbols: &[Symbol]) -> Self {
        let mut all = symbols.to_vec();
        let mut facts = Vec::new();
        for (fact, source) in closure(symbols) {
            for s in fact.expression().free_symbols() {
                if !all.iter().any(|known| known.plain() == s) {
                    all.push(s.with_facts(source.clone()));
                }
            }
            facts.push(fact);
        }
        Self::new(all, facts)
    }

    /// The region of plain symbols under given relations.
    pub(super) fn with_facts(symbols: &[Symbol], facts: &[Fact]) -> Self {
        let mut all = symbols.to_vec();
        for s in facts.iter().flat_map(|f| f.expression().free_symbols()) {
            if !all.contains(&s) {
                all.push(s);
            }
        }
        Self::new(all, facts.to_vec())
    }

    fn new(symbols: Vec<Symbol>, facts: Vec<Fact>) -> Self {
        let bare: Vec<Symbol> = symbols.iter().map(Symbol::plain).collect();
        let place = |s: &Symbol| bare.iter().position(|b| b == s);
        let places = facts
            .iter()
            .map(|f| {
                f.expression()
                    .free_symbols()
                    .iter()
                    .filter_map(place)
                    .collect()
            })
            .collect();
        let expressions: Vec<Expr> = facts.iter().map(|f| plain(f.expression())).collect();
        let tape = Tape::new(&bare, &expressions).ok();
        Self {
            symbols,
            facts,
            places,
            tape,
        }
    }

    /// The symbols of a point, in order.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The relations between them; what their own signs say is not repeated.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// Does the point satisfy all assumptions? Nothing where a relation cannot be decided there.
    pub fn contains(&self, values: &[Rational]) -> Option<bool> {
        let signs = self.symbols.iter().zip(values);
        if signs.into_iter().any(|(s, v)| !sign_allows(s.sign(), v)) {
            return Some(false);
        }
        let point: Vec<(Symbol, Rational)> = self
            .symbols
            .iter()
            .cloned()
            .zip(values.iter().cloned())
            .collect();
        let mut certain = Some(true);
        for f in &self.facts {
            match f.holds_at(&point) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => certain = None,
            }
        }
        certain
    }

    /// The point itself if it satisfies all assumptions, else one that does and that was reached from it;
    /// nothing where none was found. The same point always leads to the same answer.
    pub fn settle(&self, mut values: Vec<Rational>) -> Option<Vec<Rational>> {
        if values.len() != self.symbols.len() {
            return None;
        }
        for (v, s) in values.iter_mut().zip(&self.symbols) {
            if !sign_allows(s.sign(), v) {
                *v = match v.is_zero() {
                    true => signed(s.sign(), Rational::ONE),
                    false => -&*v,
                };
            }
        }
        if self.facts.is_empty() {
            return Some(values);
        }
        let tape = self.tape.as_ref()?;
        let seed = values.iter().fold(7, |h, v| mix(h ^ v.fingerprint()));
        let mut search = Search {
            region: self,
            tape,
            random: Random::new(seed),
            values,
        };
        for _ in 0..MAX_STEPS {
            let broken = search.broken();
            if broken.is_empty() && self.contains(&search.values) == Some(true) {
                return Some(search.values);
            }
            search.step(&broken);
        }
        None
    }

    /// Points of the region, without end unless none can be found any more.
    pub fn points(&self) -> impl Iterator<Item = Vec<Rational>> + '_ {
        let mut random = Random::new(self.symbols.len() as u64);
        std::iter::from_fn(move || {
            let attempts = 0..3;
            attempts
                .filter_map(|_| {
                    let start = self.symbols.iter();
                    self.settle(start.map(|s| fresh(s, &mut random)).collect())
                })
                .next()
        })
    }
}

fn sign_allows(sign: Sign, v: &Rational) -> bool {
    match sign {
        Sign::Unknown => true,
        Sign::NonZero => !v.is_zero(),
        Sign::Positive => v.is_positive(),
        Sign::NonNegative => !v.is_negative(),
        Sign::Negative => v.is_negative(),
        Sign::NonPositive => !v.is_positive(),
    }
}

fn signed(sign: Sign, size: Rational) -> Rational {
    match sign {
        Sign::Negative | Sign::NonPositive => -size,
        _ => size,
    }
}

/// A short dyadic number that respects the sign of the symbol.
fn fresh(s: &Symbol, random: &mut Random) -> Rational {
    let unit = [1, 8, 16, 64][random.below(4) as usize];
    let size = Rational::new(i64::from(1 + random.below(40)), unit);
    match s.sign() {
        Sign::Unknown | Sign::NonZero if random.below(2) == 0 => -size,
        sign => signed(sign, size),
    }
}

/// A number close to `x` with few binary digits: it is a float, and short in exact arithmetic.
fn dyadic(x: f64) -> Option<Rational> {
    const BITS: i32 = 16;
    if x == 0.0 {
        return Some(Rational::ZERO);
    }
    let exponent = x.abs().log2().floor();
    if !(-40.0..40.0).contains(&exponent) {
        return None;
    }
    let shift = BITS - exponent as i32;
    let digits = Rational::from((x * f64::from(shift).exp2()).round() as i64);
    let scale = Rational::from(2).pow(i64::from(-shift))?;
    Some(&digits * &scale)
}

/// A walk towards the region: one symbol of a broken relation at a time moves to where least is broken.
struct Search<'r> {
    region: &'r Region,
    tape: &'r Tape,
    random: Random,
    values: Vec<Rational>,
}

impl Search<'_> {
    fn floats(&self) -> Vec<f64> {
        self.values.iter().map(Rational::to_f64).collect()
    }

    fn broken(&self) -> Vec<usize> {
        let found = self.tape.evaluate(&self.floats());
        let facts = found.iter().zip(&self.region.facts).enumerate();
        facts
            .filter(|(_, (v, f))| lack(**v, f.sign()) > 0.0)
            .map(|(i, _)| i)
            .collect()
    }

    /// How many relations are broken, and by how much.
    fn score(&self, inputs: &[f64]) -> f64 {
        let found = self.tape.evaluate(inputs);
        let facts = found.iter().zip(&self.region.facts);
        facts.map(|(v, f)| lack(*v, f.sign())).sum()
    }

    fn step(&mut self, broken: &[usize]) {
        // All hold in floats, yet not all could be decided exactly: move anything.
        let facts = self.region.facts.len() as u32;
        let fact = match broken {
            [] => self.random.below(facts) as usize,
            some => some[self.random.below(some.len() as u32) as usize],
        };
        let places = &self.region.places[fact];
        if places.is_empty() {
            return;
        }
        let place = places[self.random.below(places.len() as u32) as usize];
        let choices = self.choices(fact, place);
        if choices.is_empty() {
            return;
        }
        let at_random = broken.is_empty() || self.random.below(8) == 0;
        let best = match at_random {
            true => self.random.below(choices.len() as u32) as usize,
            false => {
                let mut inputs = self.floats();
                let mut scores = choices.iter().map(|c| {
                    inputs[place] = c.to_f64();
                    self.score(&inputs)
                });
                least(&mut scores)
            }
        };
        self.values[place] = choices[best].clone();
    }

    /// Values to try: multiples of the present one, fresh ones, and both sides of where the relation, as
    /// far as it is linear, turns.
    fn choices(&mut self, fact: usize, place: usize) -> Vec<Rational> {
        let symbol = &self.region.symbols[place];
        let mut inputs = self.floats();
        let here = inputs[place];
        let mut found: Vec<f64> = [0.25, 0.5, 0.75, 1.25, 1.5, 2.0, 4.0, 16.0, -1.0]
            .map(|k| k * here)
            .to_vec();
        let value = self.tape.evaluate(&inputs)[fact];
        inputs[place] = here + 1.0 / 64.0;
        let slope = 64.0 * (self.tape.evaluate(&inputs)[fact] - value);
        let turn = here - value / slope;
        if turn.is_finite() {
            let steps = [-10, -6, -3, -1, 0, 2, 4].map(|k| f64::from(k).exp2());
            found.extend(steps.iter().flat_map(|h| [turn - h, turn + h]));
            found.extend([0.9 * turn, 1.1 * turn]);
        }
        let mut choices: Vec<Rational> = found.into_iter().filter_map(dyadic).collect();
        choices.extend((0..6).map(|_| fresh(symbol, &mut self.random)));
        choices.retain(|c| sign_allows(symbol.sign(), c));
        choices
    }
}

/// One, and more the more a value is off, where it does not have the sign.
fn lack(value: f64, sign: Sign) -> f64 {
    let holds = match sign {
        Sign::Positive => value > 0.0,
        Sign::NonNegative => value >= 0.0,
        Sign::NonZero => value != 0.0,
        _ => true,
    };
    match (holds, value.is_finite()) {
        (true, true) => 0.0,
        (_, false) => 3.0,
        (false, true) => 1.0 + value.abs() / (1.0 + value.abs()),
    }
}

fn least(scores: &mut dyn Iterator<Item = f64>) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (i, s) in scores.enumerate() {
        if s < best.0 {
            best = (s, i);
        }
    }
    best.1
}
