//! The rotations and motions among the factors of a model, by their parts.

use super::Names;
use crate::document::Vector;
use crate::mechanics::{Group, System, Trivialization};
use crate::symbolic::{Expr, Matrix, Symbol, normalize, prove_all_zero};

/// A factor that turns the plane or space, with its rotation and its position.
pub struct Turning {
    /// The name of the factor.
    pub name: Symbol,
    /// The number of the factor.
    pub factor: usize,
    /// The group.
    pub kind: Group,
    /// Is the velocity that of the body?
    pub body: bool,
    /// The rotation, in the entries of the element.
    pub rotation: Matrix,
    /// The entries of the position; none where it does not move.
    pub position: Vec<Expr>,
    /// Every entry, those that never change among them.
    pub entries: Vec<Symbol>,
    /// The velocities, angular first.
    pub velocities: Vec<Symbol>,
}

impl Turning {
    /// The factors of a system that turn.
    pub fn all(system: &System) -> Vec<Turning> {
        let all = 0..system.factors().len();
        all.filter_map(|i| Turning::of(system, i)).collect()
    }

    fn of(system: &System, number: usize) -> Option<Turning> {
        let factor = &system.factors()[number];
        let kind = factor.group?;
        let entries = &system.frame().base()[factor.base.clone()];
        let velocities = &system.frame().fibre()[factor.fibre.clone()];
        let g: Vec<Expr> = entries.iter().map(Expr::from).collect();
        let (rotation, position) = match kind.matrix_size().zip(kind.rotation_size()) {
            Some((width, n)) => {
                let position = (0..n).filter(|_| n < width).map(|i| &g[i * width + n]);
                let rotation = Matrix::new(n, n, |i, j| g[i * width + j].clone());
                (rotation, position.cloned().collect())
            }
            None if kind.angular_velocities() == 3 => (conjugation(kind, &g), Vec::new()),
            None => return None,
        };
        Some(Turning {
            name: Symbol::variable(&factor.name),
            factor: number,
            kind,
            body: factor.trivialization == Trivialization::Body,
            rotation,
            position,
            entries: entries.to_vec(),
            velocities: velocities.to_vec(),
        })
    }

    /// Does it move, besides turning?
    pub fn moves(&self) -> bool {
        self.kind.has_fixed_row()
    }

    /// Is an element a quaternion, not a matrix?
    pub fn is_quaternion(&self) -> bool {
        self.kind.matrix_size().is_none()
    }

    /// How many entries a row of an element has.
    pub fn width(&self) -> usize {
        self.kind.matrix_size().unwrap_or(self.entries.len())
    }

    /// The entries of the identity.
    pub fn identity(&self) -> Vec<f64> {
        self.kind.identity()
    }

    /// The entries that never change: the last row of a motion.
    pub fn fixed(&self) -> &[Symbol] {
        match self.moves() {
            true => &self.entries[self.entries.len() - self.width()..],
            false => &[],
        }
    }

    /// What vanishes on the group, of its rotation: that rows and columns have length 1 and right angles, and that each is
    /// the cross product of the others.
    pub fn relations(&self) -> Vec<Expr> {
        if self.is_quaternion() {
            let g: Vec<Expr> = self.entries.iter().map(Expr::from).collect();
            return self.kind.relations(&g);
        }
        let r = &self.rotation;
        let n = r.rows();
        let products = [r * &r.transpose(), &r.transpose() * r];
        let unit = |i: usize, j: usize| Expr::from(i64::from(i == j));
        let places = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
        let of = |m: &Matrix| -> Vec<Expr> {
            let all = places.clone().map(|(i, j)| &m[(i, j)] - unit(i, j));
            all.collect()
        };
        let minor = |i: usize, j: usize| {
            let [(a, b), (c, d)] = [i, j].map(|k| ((k + 1) % 3, (k + 2) % 3));
            &r[(a, c)] * &r[(b, d)] - &r[(a, d)] * &r[(b, c)] - &r[(i, j)]
        };
        let all = (0..9).filter(|_| n == 3);
        let crossed = all.map(|k| minor(k / 3, k % 3));
        products.iter().flat_map(of).chain(crossed).collect()
    }

    /// The dimension of the space that it turns.
    pub fn dimension(&self) -> usize {
        self.rotation.rows()
    }

    /// The rotation, with a dot or without.
    pub fn rotation_name(&self, order: u32) -> Vector {
        match self.moves() {
            true => Vector::Part(self.name.jet(order), "R"),
            false => Vector::Name(self.name.jet(order)),
        }
    }

    /// The rotation matrix as it is written: of a quaternion under a name of its own.
    pub fn rotation_in(&self, names: &mut Names) -> Vector {
        match self.is_quaternion() {
            true => {
                let own = format!("R_{}", self.name.name());
                names.define_as(&["R", &own], &Vector::Table(self.rotation.clone()))
            }
            false => self.rotation_name(0),
        }
    }

    /// The position, with a dot or without.
    pub fn position_name(&self, order: u32) -> Vector {
        Vector::Part(self.name.jet(order), "p")
    }

    /// The angular velocity that the rates of the entries have, proven; in space or in the body.
    pub fn angular(&self, rates: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Vec<Expr>> {
        if self.is_quaternion() {
            return self.angular_of_quaternion(rates);
        }
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

    /// The same of g' = g·(0, w)/2 or (0, w)·g/2, whose real part is -w·u/2.
    fn angular_of_quaternion(&self, rates: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Vec<Expr>> {
        let g: Vec<Expr> = self.entries.iter().map(Expr::from).collect();
        let found: Option<Vec<Expr>> = g.iter().map(rates).collect();
        let found = found?;
        let vector = self.entries.iter().skip(1);
        let spin: Vec<Expr> = vector.map(|u| found[0].diff(u) * -2).collect();
        let side = match self.body {
            true => Trivialization::Body,
            false => Trivialization::Space,
        };
        let expected = self.kind.rates(side, &g, &spin);
        let gaps: Vec<Expr> = found.iter().zip(&expected).map(|(f, e)| f - e).collect();
        prove_all_zero(&gaps).is_proven().then_some(spin)
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

/// The matrix of x to g x g⁻¹, with the conjugate for the inverse: of degree 2 in the entries, as what a model says of
/// rotations usually is.
fn conjugation(kind: Group, g: &[Expr]) -> Matrix {
    let turned = |x: &[Expr]| {
        let moved = kind.product(g, &kind.hat(x));
        kind.vee(&kind.product(&moved, &kind.inverse(g)))
    };
    let n = kind.dimension();
    let entries = kind.matrix_of(turned);
    Matrix::new(n, n, |i, j| normalize(&entries[i * n + j]))
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
