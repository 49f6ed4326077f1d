//! J ω: the momenta of a factor, with what its velocities add to each other's.

use super::ansatz::Candidate;
use super::terms::applied;
use crate::document::Vector;
use crate::symbolic::{Expr, Matrix, Role, Symbol, dot, free_symbols};

/// J ω with its parts.
pub struct Momentum {
    pub name: Vector,
    pub value: Vec<Expr>,
    pub of: Vector,
    pub velocity: Vec<Expr>,
    pub inertia: Inertia,
}

impl Momentum {
    /// The velocity, and the momentum where it has another direction.
    pub fn candidates(&self) -> Vec<Candidate> {
        let own = Candidate {
            vector: self.of.clone(),
            value: self.velocity.clone(),
        };
        let momentum = Candidate {
            vector: self.name.clone(),
            value: self.value.clone(),
        };
        match is_multiple_of_identity(&self.inertia.value) {
            true => vec![own],
            false => vec![own, momentum],
        }
    }

    /// ω·J ω/2.
    pub fn energy(&self) -> Quadratic {
        let half = Expr::from(1) / 2;
        let vector = match &self.inertia.name {
            Vector::Scalar(j) => self.of.clone().dot(self.of.clone()).scaled(j * &half),
            _ => self.of.clone().dot(self.name.clone()).scaled(half.clone()),
        };
        Quadratic {
            of: self.velocity.clone(),
            vector,
            value: dot(&self.velocity, &self.value) * half,
        }
    }
}

/// A matrix J that is constant in the frame of the velocity, or in that of the body.
pub struct Inertia {
    pub name: Vector,
    pub value: Matrix,
}

/// A part of the energy that is quadratic in velocities or momenta.
pub struct Quadratic {
    pub of: Vec<Expr>,
    pub vector: Vector,
    pub value: Expr,
}

/// Three components of a velocity with their rows of the system.
pub struct Block {
    pub symbols: Vec<Symbol>,
    pub velocity: Vector,
    /// What its rows determine: the velocity or its rate.
    pub unknown: Vector,
    pub rows: Vec<usize>,
}

/// The entries of a matrix that couple two velocities.
pub fn part(matrix: &Matrix, of: &Block, by: &Block) -> Matrix {
    Matrix::new(3, 3, |i, j| matrix[(of.rows[i], by.rows[j])].clone())
}

/// Do only parameters occur in it?
pub fn is_constant(matrix: &Matrix) -> bool {
    let all = free_symbols(matrix.entries());
    all.iter().all(|s| s.role() == Role::Constant)
}

/// What the velocities of a factor add to each other's momenta.
pub fn coupled(matrix: &Matrix, blocks: &[Block], momenta: &[Momentum]) -> Vec<Candidate> {
    let mut all = Vec::new();
    for block in blocks {
        for (other, momentum) in blocks.iter().zip(momenta) {
            let coupling = part(matrix, block, other);
            let is_own = other.rows == block.rows;
            if !is_own && coupling.entries().iter().any(|e| !e.is_zero()) {
                all.push(Candidate {
                    vector: applied(&coupling, &momentum.of),
                    value: coupling.apply(&momentum.velocity),
                });
            }
        }
    }
    all
}

/// ω·C v for each two velocities of a factor.
pub fn shared_energy(matrix: &Matrix, blocks: &[Block], momenta: &[Momentum]) -> Vec<Quadratic> {
    let mut all = Vec::new();
    for (b, block) in blocks.iter().enumerate() {
        for (other, with) in blocks[..b].iter().zip(momenta) {
            let coupling = part(matrix, other, block);
            if coupling.entries().iter().any(|e| !e.is_zero()) {
                let own = momenta[b].velocity.clone();
                all.push(Quadratic {
                    vector: with.of.clone().dot(applied(&coupling, &momenta[b].of)),
                    value: dot(&with.velocity, &coupling.apply(&own)),
                    of: own,
                });
            }
        }
    }
    all
}

/// J ω, or a number times ω.
pub fn of_inertia(inertia: &Inertia, velocity: &Vector) -> Vector {
    match &inertia.name {
        Vector::Scalar(number) => velocity.clone().scaled(number.clone()),
        name => name.clone().times(velocity.clone()),
    }
}

pub fn is_multiple_of_identity(m: &Matrix) -> bool {
    let places = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
    let mut places = places;
    places.all(|(i, j)| match i == j {
        true => m[(i, i)] == m[(0, 0)],
        false => m[(i, j)].is_zero(),
    })
}
