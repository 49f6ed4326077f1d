//! The vectors that an equation of a rotation may be made of.

use super::Names;
use super::ansatz::Candidate;
use super::group::Turning;
use crate::document::Vector;
use crate::language::{Model, Value};
use crate::symbolic::{Expr, Role, Symbol, free_symbols};

/// Products with one of so many scalars at most are tried.
const MOST_SCALARS: usize = 8;

/// What an equation is made of.
pub struct Atoms<'a> {
    /// The model.
    pub model: &'a Model,
    /// The factor that turns.
    pub turning: &'a Turning,
    /// Velocities and momenta, which lead.
    pub leading: Vec<Candidate>,
    /// The multipliers of constraints, in threes.
    pub reactions: Vec<Candidate>,
    /// Symbols that stand in front of vectors: multipliers, controls, rates of coordinates.
    pub scalars: Vec<Symbol>,
}

impl Atoms<'_> {
    /// Candidates for a vector in the body, those that are written shortest first.
    pub fn in_body(&self, target: &[Expr], names: &mut Names) -> Vec<Candidate> {
        let present = free_symbols(target);
        let fixed = self.fixed(&present, names);
        let units = units();
        let named: Vec<&Candidate> = self.leading.iter().chain(&fixed).collect();
        let mut all = products(&named, &named);
        all.extend(products(&named, &units.iter().collect::<Vec<_>>()));
        all.extend(fixed.iter().cloned());
        all.extend(self.pushed(&present, &units));
        all.extend(self.leading.iter().cloned());
        all.extend(units.iter().cloned());
        let directed: Vec<&Candidate> = units.iter().chain(&fixed).collect();
        let spun: Vec<&Candidate> = self.leading.iter().take(1).collect();
        let turned = products(&units.iter().collect::<Vec<_>>(), &spun);
        let scalars = self.scalars.iter().filter(|s| present.contains(s));
        for s in scalars.take(MOST_SCALARS) {
            let factor = Expr::from(s);
            let scaled = directed.iter().copied().chain(&turned);
            all.extend(scaled.map(|v| scaled_by(v, &factor)));
        }
        all
    }

    /// Candidates for a vector in space.
    pub fn in_space(&self, target: &[Expr], names: &mut Names) -> Vec<Candidate> {
        let inner = self.in_body(target, names);
        let rotation = self.turning.rotation_name(0);
        inner
            .into_iter()
            .map(|c| Candidate {
                vector: rotation.clone().times(c.vector),
                value: self.turning.rotation.apply(&c.value),
            })
            .collect()
    }

    /// Directions of space, abbreviations and reactions, seen from the body.
    fn fixed(&self, present: &[Symbol], names: &mut Names) -> Vec<Candidate> {
        let mut all = self.abbreviations(present);
        for i in (0..3).rev() {
            let row: Vec<Expr> = self.turning.rotation.row(i).to_vec();
            let known = all.iter().any(|c| c.value == row);
            if known || !is_present(&row, present) {
                continue;
            }
            let seen = self.seen(Vector::Column(unit(i)));
            let vector = match i {
                2 => names.define("gamma", &seen),
                _ => seen,
            };
            all.push(Candidate { vector, value: row });
        }
        for reaction in &self.reactions {
            if is_present(&reaction.value, present) {
                let value = self.turning.rotation.transpose().apply(&reaction.value);
                let vector = self.seen(reaction.vector.clone());
                all.push(Candidate { vector, value });
            }
        }
        all
    }

    /// Reactions as they are, and turned by a right angle about an axis of space.
    fn pushed(&self, present: &[Symbol], units: &[Candidate]) -> Vec<Candidate> {
        let reactions = self.reactions.iter();
        let reactions: Vec<&Candidate> = reactions
            .filter(|r| is_present(&r.value, present))
            .collect();
        let turned = products(&units.iter().collect::<Vec<_>>(), &reactions);
        let own = reactions.into_iter().cloned();
        let all: Vec<Candidate> = own.chain(turned).collect();
        let seen = all.iter().map(|c| Candidate {
            vector: self.seen(c.vector.clone()),
            value: self.turning.rotation.transpose().apply(&c.value),
        });
        let seen: Vec<Candidate> = seen.collect();
        all.into_iter().chain(seen).collect()
    }

    /// A vector of space seen from the body.
    fn seen(&self, v: Vector) -> Vector {
        self.turning.rotation_name(0).transposed().times(v)
    }

    /// The model's own vectors that may occur.
    fn abbreviations(&self, present: &[Symbol]) -> Vec<Candidate> {
        let all = self.model.abbreviations.iter();
        all.filter_map(|d| match &d.value {
            Value::Vector(v) if v.len() == 3 && is_present(v, present) => Some(Candidate {
                vector: Vector::Name(Symbol::variable(&d.name)),
                value: v.clone(),
            }),
            _ => None,
        })
        .filter(|c| !is_unit(&c.value))
        .collect()
    }
}

/// Does a symbol occur that the target has too? What is constant may always occur.
fn is_present(v: &[Expr], present: &[Symbol]) -> bool {
    let all = free_symbols(v);
    let mut moving = all.iter().filter(|s| s.role() != Role::Constant).peekable();
    moving.peek().is_none() || moving.any(|s| present.contains(s))
}

fn is_unit(v: &[Expr]) -> bool {
    (0..3).any(|i| v == unit(i))
}

fn unit(i: usize) -> Vec<Expr> {
    (0..3).map(|j| i64::from(i == j).into()).collect()
}

fn units() -> Vec<Candidate> {
    let one = |i: usize| Candidate {
        vector: Vector::Column(unit(i)),
        value: unit(i),
    };
    (0..3).rev().map(one).collect()
}

fn scaled_by(c: &Candidate, factor: &Expr) -> Candidate {
    Candidate {
        vector: c.vector.clone().scaled(factor.clone()),
        value: c.value.iter().map(|e| factor * e).collect(),
    }
}

/// The cross products of vectors with vectors; a pair of lists that are the same is taken once.
fn products(left: &[&Candidate], right: &[&Candidate]) -> Vec<Candidate> {
    let same =
        left.len() == right.len() && left.iter().zip(right).all(|(a, b)| std::ptr::eq(*a, *b));
    let mut all = Vec::new();
    for (i, a) in left.iter().enumerate() {
        for (j, b) in right.iter().enumerate() {
            if same && j <= i {
                continue;
            }
            let value = cross(&a.value, &b.value);
            if value.iter().all(Expr::is_zero) {
                continue;
            }
            // The momentum stands before the velocity, J w × w.
            let (a, b) = match same {
                true => (b, a),
                false => (a, b),
            };
            let value = if same {
                value.iter().map(|e| -e).collect()
            } else {
                value
            };
            all.push(Candidate {
                vector: a.vector.clone().cross(b.vector.clone()),
                value,
            });
        }
    }
    all
}

/// a × b.
pub fn cross(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            &a[j] * &b[k] - &a[k] * &b[j]
        })
        .collect()
}
