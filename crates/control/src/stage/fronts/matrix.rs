//! The KKT matrix by the derivatives of its pieces.

use super::super::problem::StageProblem;

/// W + Σ, A and what is added to the rows, as they come from the pieces.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// Where the entries of each piece begin: of its Jacobian, of its Hessian.
    places: Vec<[usize; 2]>,
    jacobian: Vec<f64>,
    hessian: Vec<f64>,
    /// What is added to the diagonal: to variables, then to conditions.
    pub diagonal: Vec<f64>,
    /// Whether second derivatives are left out.
    pub is_flat: bool,
}

impl Matrix {
    pub fn of(problem: &StageProblem) -> Self {
        let mut ends = [0; 2];
        let mut places = Vec::with_capacity(problem.pieces.len() + 1);
        for piece in &problem.pieces {
            places.push(ends);
            let term = &problem.terms[piece.term];
            ends[0] += term.jacobian().entries();
            ends[1] += term.hessian().entries();
        }
        places.push(ends);
        Self {
            places,
            jacobian: vec![0.0; ends[0]],
            hessian: vec![0.0; ends[1]],
            diagonal: vec![0.0; problem.variables() + problem.constraints()],
            is_flat: false,
        }
    }

    /// Where the entries of a piece stand: of its Jacobian, of its Hessian.
    fn places(&self, piece: usize) -> [std::ops::Range<usize>; 2] {
        let (from, to) = (self.places[piece], self.places[piece + 1]);
        [from[0]..to[0], from[1]..to[1]]
    }

    /// The entries of a piece, to be written: of its Jacobian, of its Hessian.
    pub fn entries_of(&mut self, piece: usize) -> [&mut [f64]; 2] {
        let [first, second] = self.places(piece);
        [&mut self.jacobian[first], &mut self.hessian[second]]
    }

    /// The entries of the Jacobian of a piece.
    pub fn jacobian_of(&self, piece: usize) -> &[f64] {
        &self.jacobian[self.places(piece)[0].clone()]
    }

    /// The entries of its Hessian; none where second derivatives are left out.
    pub fn hessian_of(&self, piece: usize) -> &[f64] {
        match self.is_flat {
            true => &[],
            false => &self.hessian[self.places(piece)[1].clone()],
        }
    }

    /// y = M x, variables first, then conditions.
    pub fn multiply(&self, problem: &StageProblem, x: &[f64], y: &mut [f64]) {
        let n = problem.variables();
        let all = y.iter_mut().zip(x).zip(&self.diagonal);
        all.for_each(|((y, x), d)| *y = d * x);
        for (number, piece) in problem.pieces.iter().enumerate() {
            let term = &problem.terms[piece.term];
            let variables = &piece.variables;
            let first = term.first(self.jacobian_of(number));
            for ((i, j), a) in first {
                let Some(row) = i.checked_sub(1) else {
                    continue;
                };
                let (row, variable) = (n + piece.rows[row], variables[j]);
                y[row] += a * x[variable];
                y[variable] += a * x[row];
            }
            let second = term.second(self.hessian_of(number));
            for ((i, j), w) in second {
                let (a, b) = (variables[i], variables[j]);
                y[a] += w * x[b];
                if i != j {
                    y[b] += w * x[a];
                }
            }
        }
    }
}
