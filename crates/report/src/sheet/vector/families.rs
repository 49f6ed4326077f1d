//! Components below each other as one vector, m s̈ = λ for three lines, and sums of their products as inner products.
//!
//! As everywhere here a form is proposed and used only where it is proven.

use super::ansatz::{Candidate, combination};
use super::atoms::cross;
use crate::document::{Block, Section, Vector};
use crate::mechanics::{Problem, Value};
use crate::symbolic::{Expr, Style, Symbol, dot, free_symbols, text};
use std::collections::BTreeMap;

/// Headings under which formulas stay in components: they are about single ones.
const IN_COMPONENTS: [&str; 3] = ["State", "Brackets", "Valid where"];

/// The sections with what is a vector written as one.
pub fn gathered(
    sections: Vec<Section>,
    defined: &[(Vector, Vector)],
    problem: &Problem,
) -> Vec<Section> {
    let families = Families::new(&sections, defined, problem);
    if families.dimensions.is_empty() {
        return sections;
    }
    let stays = |s: &Section| IN_COMPONENTS.iter().any(|h| s.heading.starts_with(h));
    let each = sections.into_iter().map(|s| match stays(&s) {
        true => s,
        false => families.section(s),
    });
    each.collect()
}

/// The vectors of a page whose components have names: w of w[1], w[2], w[3].
struct Families {
    /// How many components there are.
    dimensions: BTreeMap<String, usize>,
    /// Vectors with a definition.
    columns: Vec<Candidate>,
    parameters: Vec<Symbol>,
}

impl Families {
    fn new(sections: &[Section], defined: &[(Vector, Vector)], problem: &Problem) -> Self {
        let mut dimensions: BTreeMap<String, usize> = BTreeMap::new();
        for s in sections.iter().flat_map(symbols) {
            if let Some((stem, place)) = component(&s) {
                let n = dimensions.entry(stem.to_owned()).or_default();
                *n = place.max(*n);
            }
        }
        dimensions.retain(|_, n| *n > 1);
        let defined = defined.iter().filter_map(|(name, meaning)| match meaning {
            Vector::Column(value) => Some((name.clone(), value.clone())),
            _ => None,
        });
        let own = problem.abbreviations.iter().filter_map(|d| match &d.value {
            Value::Vector(v) => Some((Vector::Name(Symbol::variable(&d.name)), v.clone())),
            _ => None,
        });
        let columns = defined.chain(own);
        let columns = columns.map(|(vector, value)| Candidate { vector, value });
        let parameters = problem.parameters.iter();
        Self {
            dimensions,
            columns: columns.collect(),
            parameters: parameters.map(|p| p.symbol.clone()).collect(),
        }
    }

    fn section(&self, section: Section) -> Section {
        let blocks = section.blocks.into_iter().flat_map(|block| match block {
            Block::Equations(all) => self.equations(all),
            Block::Vectors(all) => {
                let all = all.into_iter().map(|(l, r)| (l, self.with_products(r)));
                vec![Block::Vectors(all.collect())]
            }
            other => vec![other],
        });
        Section {
            blocks: blocks.filter(|b| !b.is_empty()).collect(),
            ..section
        }
    }

    /// Equations, those between vectors first.
    fn equations(&self, all: Vec<(Expr, Expr)>) -> Vec<Block> {
        let (mut vectors, mut scalar) = (Vec::new(), Vec::new());
        let mut rest = &all[..];
        while let Some((first, behind)) = rest.split_first() {
            if let Some((n, equation)) = self.run(rest) {
                vectors.push(equation);
                rest = &rest[n..];
                continue;
            }
            let (left, right) = first;
            match (self.products(left), self.products(right)) {
                (None, None) => scalar.push(first.clone()),
                (l, r) => {
                    let stays = |e: &Expr| Vector::Scalar(e.clone());
                    let sides = (
                        l.unwrap_or_else(|| stays(left)),
                        r.unwrap_or_else(|| stays(right)),
                    );
                    vectors.push(sides);
                }
            }
            rest = behind;
        }
        vec![Block::Vectors(vectors), Block::Equations(scalar)]
    }

    /// As many equations at the front as a vector on their left has components, as one.
    fn run(&self, all: &[(Expr, Expr)]) -> Option<(usize, (Vector, Vector))> {
        let first = free_symbols(std::slice::from_ref(&all.first()?.0));
        let leading = first.iter().filter_map(|s| Some((s, component(s)?)));
        leading
            .filter(|(_, (_, place))| *place == 1)
            .find_map(|(s, (stem, _))| {
                let n = *self.dimensions.get(stem)?;
                let run = all.get(..n)?;
                let own = |k: usize| Symbol::variable(&format!("{stem}[{}]", k + 1)).jet(s.order());
                let is_own = |(k, (left, _)): (usize, &(Expr, Expr))| left.contains(&own(k));
                if !run.iter().enumerate().all(is_own) {
                    return None;
                }
                let (left, right): (Vec<Expr>, Vec<Expr>) = run.iter().cloned().unzip();
                Some((n, (self.vector(&left)?, self.vector(&right)?)))
            })
    }

    /// Components as a sum of the vectors that occur in them and of their cross products.
    fn vector(&self, target: &[Expr]) -> Option<Vector> {
        let n = target.len();
        let mut all = self.present(target);
        all.retain(|c| c.value.len() == n);
        if n == 3 {
            let pairs = (0..all.len()).flat_map(|i| (i + 1..all.len()).map(move |j| (i, j)));
            let product = |(i, j): (usize, usize)| Candidate {
                vector: all[i].vector.clone().cross(all[j].vector.clone()),
                value: cross(&all[i].value, &all[j].value),
            };
            let crossed: Vec<Candidate> = pairs.map(product).collect();
            all.extend(crossed);
        }
        Some(sum(combination(target, &all, &self.parameters)?))
    }

    /// The vectors of whose components some occur.
    fn present(&self, target: &[Expr]) -> Vec<Candidate> {
        let symbols = free_symbols(target);
        let mut own: BTreeMap<(&str, u32), Vec<&Symbol>> = BTreeMap::new();
        for s in &symbols {
            let known = component(s).filter(|(stem, _)| self.dimensions.contains_key(*stem));
            if let Some((stem, _)) = known {
                own.entry((stem, s.order())).or_default().push(s);
            }
        }
        let family = |((stem, order), found): ((&str, u32), Vec<&Symbol>)| {
            let one = |k: usize| {
                let same = |s: &&&Symbol| component(s).is_some_and(|(_, place)| place == k + 1);
                let own = || Symbol::variable(&format!("{stem}[{}]", k + 1)).jet(order);
                let found = found.iter().find(same).map(|s| (*s).clone());
                Expr::from(found.unwrap_or_else(own))
            };
            Candidate {
                vector: Vector::Name(Symbol::variable(stem).jet(order)),
                value: (0..self.dimensions[stem]).map(one).collect(),
            }
        };
        let own = own.into_iter().map(family);
        let within = |c: &&Candidate| free_symbols(&c.value).iter().all(|s| symbols.contains(s));
        let columns = self.columns.iter().filter(within).cloned();
        own.chain(columns).collect()
    }

    /// A formula with inner products of the vectors whose components it has, where that is shorter.
    fn products(&self, e: &Expr) -> Option<Vector> {
        let of = std::slice::from_ref(e);
        let symbols = free_symbols(of);
        let all = self.present(of);
        let is_whole = |c: &&Candidate| free_symbols(&c.value).iter().all(|s| symbols.contains(s));
        let all: Vec<&Candidate> = all.iter().filter(is_whole).collect();
        let moving = all.iter().flat_map(|c| free_symbols(&c.value));
        let moving = moving.filter(|s| component(s).is_some());
        let at_rest: Vec<(Symbol, Expr)> = moving.map(|s| (s, Expr::zero())).collect();
        if at_rest.is_empty() {
            return None;
        }
        let pairs = (0..all.len()).flat_map(|i| (i..all.len()).map(move |j| (i, j)));
        let alike = pairs.filter(|(i, j)| all[*i].value.len() == all[*j].value.len());
        let product = |(i, j): (usize, usize)| Candidate {
            vector: all[i].vector.clone().dot(all[j].vector.clone()),
            value: vec![dot(&all[i].value, &all[j].value)],
        };
        let candidates: Vec<Candidate> = alike.map(product).collect();
        let rest = e.substitute(&at_rest);
        let terms = combination(&[e - &rest], &candidates, &self.parameters)?;
        let mut written = sum(terms);
        if let (Vector::Sum(terms), false) = (&mut written, rest.is_zero()) {
            let is_less = rest.split_coefficient().0.is_negative();
            terms.push((is_less, Vector::Scalar(if is_less { -&rest } else { rest })));
        }
        let style = Style::ascii();
        let is_shorter = written.text(&style).len() < text(e, &style).len();
        is_shorter.then_some(written)
    }

    /// The same where the formula is a term among vectors.
    fn with_products(&self, v: Vector) -> Vector {
        let Vector::Sum(terms) = v else { return v };
        let term = |(negative, v): (bool, Vector)| match &v {
            Vector::Scalar(e) => match self.products(e) {
                Some(Vector::Sum(all)) => {
                    all.into_iter().map(|(n, v)| (n != negative, v)).collect()
                }
                _ => vec![(negative, v)],
            },
            _ => vec![(negative, v)],
        };
        Vector::Sum(terms.into_iter().flat_map(term).collect())
    }
}

/// The vector that a symbol is a component of, and which one.
fn component(s: &Symbol) -> Option<(&str, usize)> {
    let (stem, place) = s.name().strip_suffix(']')?.split_once('[')?;
    Some((stem, place.parse().ok()?))
}

/// Every symbol of a section.
fn symbols(section: &Section) -> Vec<Symbol> {
    let mut all = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Symbols(own) => all.extend(own.iter().cloned()),
            Block::Equations(own) => {
                let sides: Vec<Expr> = own.iter().flat_map(|(l, r)| [l, r]).cloned().collect();
                all.extend(free_symbols(&sides));
            }
            _ => {}
        }
    }
    all
}

/// Terms with their signs, what is added first; a cross product is turned round instead.
fn sum(terms: Vec<(Expr, Vector)>) -> Vector {
    if terms.is_empty() {
        return Vector::Scalar(Expr::zero());
    }
    let signed = |(c, v): (Expr, Vector)| match (c.split_coefficient().0.is_negative(), v) {
        (true, Vector::Cross(a, b)) => (false, Vector::Cross(b, a).scaled(-c)),
        (negative, v) => (negative, v.scaled(if negative { -c } else { c })),
    };
    let mut all: Vec<(bool, Vector)> = terms.into_iter().map(signed).collect();
    if let Some(first) = all.iter().position(|(negative, _)| !negative) {
        all[..=first].rotate_right(1);
    }
    Vector::Sum(all)
}
