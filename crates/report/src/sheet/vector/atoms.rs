//! The vectors that an equation of a rotation may be made of.

use super::Names;
use super::ansatz::Candidate;
use super::group::Turning;
use crate::document::Vector;
use crate::mechanics::{Problem, Value};
use crate::symbolic::{Expr, Kind, Role, Symbol, free_symbols};

/// Products with one of so many scalars at most are tried.
const MOST_SCALARS: usize = 8;

/// What an equation is made of.
pub struct Atoms<'a> {
    /// The model.
    pub problem: &'a Problem,
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
    /// Candidates for a vector in the frame of the velocity, the body or space, those that are written shortest first.
    pub fn in_own(&self, target: &[Expr], names: &mut Names) -> Vec<Candidate> {
        let present = free_symbols(target);
        let fixed = self.fixed(&present, names);
        let units = units();
        let named: Vec<&Candidate> = self.leading.iter().chain(&fixed).collect();
        let mut all = products(&named, &named);
        all.extend(products(&named, &units.iter().collect::<Vec<_>>()));
        all.extend(fixed.iter().cloned());
        all.extend(self.pushed(&present, &units, names));
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
        let inner = self.in_own(target, names);
        if !self.turning.body {
            return inner;
        }
        let inner = inner.into_iter();
        inner.map(|c| rotated(self.turning, c, names)).collect()
    }

    /// Directions fixed in the other frame and in other bodies, abbreviations and reactions, in the frame of the velocity.
    fn fixed(&self, present: &[Symbol], names: &mut Names) -> Vec<Candidate> {
        let mut all = self.abbreviations(present);
        for i in (0..3).rev() {
            let axis = self.axis(i, names);
            let known = all.iter().any(|c| c.value == axis.value);
            if !known && is_present(&axis.value, present) {
                all.push(axis);
            }
        }
        let others = Turning::all(&self.problem.system);
        let others = others.iter().filter(|t| t.dimension() == 3);
        for other in others.filter(|t| t.name != self.turning.name) {
            let axes = units().into_iter().map(|u| rotated(other, u, names));
            let axes: Vec<Candidate> = axes.collect();
            let axes = axes.into_iter().filter(|c| is_present(&c.value, present));
            let seen: Vec<Candidate> = axes.map(|c| self.seen(c, names)).collect();
            all.extend(seen);
        }
        for reaction in &self.reactions {
            if is_present(&reaction.value, present) {
                all.push(self.seen(reaction.clone(), names));
            }
        }
        all
    }

    /// An axis of space seen from the body, or one of the body seen from space.
    fn axis(&self, i: usize, names: &mut Names) -> Candidate {
        let along = Candidate {
            vector: Vector::Column(unit(i)),
            value: unit(i),
        };
        if !self.turning.body {
            return rotated(self.turning, along, names);
        }
        let value: Vec<Expr> = self.turning.rotation.row(i).to_vec();
        let meaning = match self.turning.is_quaternion() {
            true => Vector::Column(value.clone()),
            false => self.seen(along, names).vector,
        };
        let own = format!("gamma_{}", self.turning.name.name());
        let vector = match (i, self.turning.is_quaternion()) {
            (2, true) => names.define_as(&["gamma", &own], &meaning),
            (2, false) => names.define("gamma", &meaning),
            _ => meaning,
        };
        Candidate { vector, value }
    }

    /// Reactions as they are, and turned by a right angle about an axis of space.
    fn pushed(&self, present: &[Symbol], units: &[Candidate], names: &mut Names) -> Vec<Candidate> {
        let reactions = self.reactions.iter();
        let reactions: Vec<&Candidate> = reactions
            .filter(|r| is_present(&r.value, present))
            .collect();
        let turned = products(&units.iter().collect::<Vec<_>>(), &reactions);
        let own = reactions.into_iter().cloned();
        let all: Vec<Candidate> = own.chain(turned).collect();
        let seen = all.iter().map(|c| self.seen(c.clone(), names));
        let seen: Vec<Candidate> = seen.collect();
        all.into_iter().chain(seen).collect()
    }

    /// A term k/l X × a with a = [0, 0, l] as k X × [0, 0, 1].
    pub fn without_division(&self, (coefficient, vector): (Expr, Vector)) -> (Expr, Vector) {
        if !divides(&coefficient) {
            return (coefficient, vector);
        }
        let better = self.problem.abbreviations.iter().find_map(|d| {
            let Value::Vector(v) = &d.value else {
                return None;
            };
            let place = v.iter().position(|e| !e.is_zero())?;
            let alone = v.len() == 3 && v.iter().filter(|e| !e.is_zero()).count() == 1;
            let factor = &coefficient * &v[place];
            let name = Vector::Name(Symbol::variable(&d.name));
            let fits = alone && vector.contains(&name) && !divides(&factor);
            fits.then(|| (factor, vector.replaced(&name, &Vector::Column(unit(place)))))
        });
        better.unwrap_or((coefficient, vector))
    }

    /// A vector of space in the frame of the velocity.
    fn seen(&self, v: Candidate, names: &mut Names) -> Candidate {
        if !self.turning.body {
            return v;
        }
        let back = self.turning.rotation_in(names).transposed();
        Candidate {
            vector: back.times(v.vector),
            value: self.turning.rotation.transpose().apply(&v.value),
        }
    }

    /// The model's own vectors that may occur.
    fn abbreviations(&self, present: &[Symbol]) -> Vec<Candidate> {
        let all = self.problem.abbreviations.iter();
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

/// Does a parameter stand below?
fn divides(e: &Expr) -> bool {
    match e.split_coefficient().1.kind() {
        Kind::Product(factors) => factors.iter().any(|(_, r)| r.is_negative()),
        _ => false,
    }
}

/// A vector of a body in space.
fn rotated(turning: &Turning, v: Candidate, names: &mut Names) -> Candidate {
    Candidate {
        vector: turning.rotation_in(names).times(v.vector),
        value: turning.rotation.apply(&v.value),
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
