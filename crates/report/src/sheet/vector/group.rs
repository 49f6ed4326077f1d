//! The rotations and motions among the factors of a model, by their parts.

use crate::document::Vector;
use crate::language::{Factor, Group, Model, Trivialization};
use crate::symbolic::{Expr, Matrix, Symbol, prove_all_zero};

/// A factor SO(n) or SE(n) with the entries of its rotation and of its position.
pub struct Turning {
    /// The name of the factor.
    pub name: Symbol,
    /// Does it move, besides turning?
    pub moves: bool,
    /// Is the velocity that of the body?
    pub body: bool,
    /// The entries of the rotation.
    pub rotation: Matrix,
    /// The entries of the position; none for SO(n).
    pub position: Vec<Expr>,
    /// Every entry, those that never change among them.
    pub entries: Vec<Symbol>,
    /// The velocities, angular first.
    pub velocities: Vec<Symbol>,
}

impl Turning {
    /// The factors of a model that turn.
    pub fn all(model: &Model) -> Vec<Turning> {
        model.configuration.iter().filter_map(Turning::of).collect()
    }

    fn of(factor: &Factor) -> Option<Turning> {
        let Factor::Group {
            name,
            kind,
            entries,
            velocities,
            trivialization,
            ..
        } = factor
        else {
            return None;
        };
        let (n, moves) = match kind {
            Group::SO2 => (2, false),
            Group::SO3 => (3, false),
            Group::SE2 => (2, true),
            Group::SE3 => (3, true),
            Group::SU2 | Group::R(_) => return None,
        };
        let width = n + usize::from(moves);
        let entry = |i: usize, j: usize| Expr::from(&entries[i * width + j]);
        Some(Turning {
            name: Symbol::variable(name),
            moves,
            body: *trivialization == Trivialization::Body,
            rotation: Matrix::new(n, n, entry),
            position: (0..n).filter(|_| moves).map(|i| entry(i, n)).collect(),
            entries: entries.clone(),
            velocities: velocities.clone(),
        })
    }

    /// The dimension of the space that it turns.
    pub fn dimension(&self) -> usize {
        self.rotation.rows()
    }

    /// The rotation, with a dot or without.
    pub fn rotation_name(&self, order: u32) -> Vector {
        match self.moves {
            true => Vector::Part(self.name.jet(order), "R"),
            false => Vector::Name(self.name.jet(order)),
        }
    }

    /// The position, with a dot or without.
    pub fn position_name(&self, order: u32) -> Vector {
        Vector::Part(self.name.jet(order), "p")
    }

    /// The angular velocity that the rates of the entries have, proven; in space or in the body.
    pub fn angular(&self, rates: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Vec<Expr>> {
        let n = self.dimension();
        let rate = |i: usize, j: usize| rates(&self.rotation[(i, j)]);
        let slope = |i: usize, j: usize, k: usize, l: usize| {
            let by = self.rotation[(k, l)].as_symbol()?.clone();
            Some(rate(i, j)?.diff(&by))
        };
        let found = match (n, self.body) {
            (2, true) => vec![slope(0, 0, 0, 1)?],
            (2, false) => vec![slope(1, 0, 0, 0)?],
            (_, true) => vec![slope(0, 1, 0, 2)?, slope(0, 2, 0, 0)?, slope(0, 0, 0, 1)?],
            (_, false) => vec![slope(2, 0, 1, 0)?, slope(0, 0, 2, 0)?, slope(1, 0, 0, 0)?],
        };
        let product = match self.body {
            true => &self.rotation * &skew(&found),
            false => &skew(&found) * &self.rotation,
        };
        let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let gaps: Option<Vec<Expr>> = places
            .map(|(i, j)| Some(rate(i, j)? - &product[(i, j)]))
            .collect();
        prove_all_zero(&gaps?).is_proven().then_some(found)
    }

    /// The velocity of the position, in the body or, less that of turning, in space; proven.
    pub fn linear(
        &self,
        rates: &dyn Fn(&Expr) -> Option<Expr>,
        angular: &[Expr],
    ) -> Option<Vec<Expr>> {
        let rate: Option<Vec<Expr>> = self.position.iter().map(rates).collect();
        let rate = rate?;
        if !self.body {
            let turned = skew(angular).apply(&self.position);
            return Some(rate.iter().zip(&turned).map(|(r, t)| r - t).collect());
        }
        let by = |j: usize| self.rotation[(0, j)].as_symbol().cloned();
        let found: Option<Vec<Expr>> = (0..self.dimension())
            .map(|j| Some(rate[0].diff(&by(j)?)))
            .collect();
        let found = found?;
        let product = self.rotation.apply(&found);
        let gaps: Vec<Expr> = rate.iter().zip(&product).map(|(r, p)| r - p).collect();
        prove_all_zero(&gaps).is_proven().then_some(found)
    }
}

/// The skew matrix of an angular velocity, in the plane or in space.
pub fn skew(w: &[Expr]) -> Matrix {
    let zero = Expr::zero;
    match w {
        [w] => Matrix::from_rows(&[vec![zero(), -w], vec![w.clone(), zero()]]),
        _ => Matrix::from_rows(&[
            vec![zero(), -&w[2], w[1].clone()],
            vec![w[2].clone(), zero(), -&w[0]],
            vec![-&w[1], w[0].clone(), zero()],
        ]),
    }
}
