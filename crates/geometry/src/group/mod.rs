//! The Lie groups of the model language: matrices, algebras and translations.
//!
//! The coordinates of a group factor are its matrix entries (or quaternion components), redundant on
//! purpose: no charts, no singularities.

mod calculus;
mod matrix_group;
mod product;

pub use calculus::{GroupCalculus, LogarithmError};
pub use matrix_group::{MatrixGroup, MatrixGroupError};
pub use product::DirectProduct;

use crate::frame::Frame;
use crate::structure::StructureFunctions;
use rattleback_symbolic::{Expr, Matrix, Symbol};
pub use rattleback_symbolic::{Group, Trivialization};

fn entry_matrix(n: usize, entries: &[(usize, usize, i64)]) -> Matrix {
    let mut m = Matrix::zeros(n, n);
    for &(i, j, v) in entries {
        m[(i, j)] = v.into();
    }
    m
}

/// The 3×3 matrix of the cross product with e_k, in an n×n matrix.
fn rotation_generator(n: usize, k: usize) -> Matrix {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    entry_matrix(n, &[(j, i, 1), (i, j, -1)])
}

/// The Lie algebra of a group, its frame, and the equations that its coordinates fulfil.
pub trait LieGroup: Copy {
    /// Which group it is.
    fn group(self) -> Group;

    /// The basis of the Lie algebra as matrices, for matrix groups.
    fn generators(self) -> Vec<Matrix> {
        match self.group() {
            Group::SO2 => vec![entry_matrix(2, &[(1, 0, 1), (0, 1, -1)])],
            Group::SO3 => (0..3).map(|k| rotation_generator(3, k)).collect(),
            Group::SE2 => vec![
                entry_matrix(3, &[(1, 0, 1), (0, 1, -1)]),
                entry_matrix(3, &[(0, 2, 1)]),
                entry_matrix(3, &[(1, 2, 1)]),
            ],
            Group::SE3 => (0..3)
                .map(|k| rotation_generator(4, k))
                .chain((0..3).map(|k| entry_matrix(4, &[(k, 3, 1)])))
                .collect(),
            Group::SU2 | Group::R(_) => Vec::new(),
        }
    }

    /// The structure constants of left-invariant fields.
    fn structure(self) -> StructureFunctions {
        let rotation: [(usize, usize, usize, i64); 3] = [(0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1)];
        match self.group() {
            Group::SO2 | Group::R(_) => StructureFunctions::default(),
            Group::SO3 | Group::SU2 => StructureFunctions::from_constants(&rotation),
            Group::SE2 => StructureFunctions::from_constants(&[(0, 1, 2, 1), (0, 2, 1, -1)]),
            Group::SE3 => {
                // [r_i, r_j] = r_k and [r_i, t_j] = t_k for (i, j, k) cyclic; translations commute.
                let mixed = rotation
                    .iter()
                    .flat_map(|&(i, j, k, c)| [(i, j + 3, k + 3, c), (j, i + 3, k + 3, -c)]);
                let all: Vec<_> = rotation.iter().copied().chain(mixed).collect();
                StructureFunctions::from_constants(&all)
            }
        }
    }

    /// The anchor: the velocity of the coordinates for each basis velocity.
    fn anchor(self, element: &[Expr], trivialization: Trivialization) -> Matrix {
        match self.group() {
            Group::R(n) => Matrix::identity(n),
            Group::SU2 => quaternion_anchor(element, trivialization),
            _ => {
                let n = self.group().matrix_size().unwrap_or(0);
                let g = Matrix::new(n, n, |i, j| element[n * i + j].clone());
                let columns: Vec<Matrix> = self
                    .generators()
                    .iter()
                    .map(|e| match trivialization {
                        Trivialization::Body => &g * e,
                        Trivialization::Space => e * &g,
                    })
                    .collect();
                Matrix::new(n * n, columns.len(), |i, a| columns[a].entries()[i].clone())
            }
        }
    }

    /// The frame of the group on its coordinates.
    fn frame(
        self,
        entries: &[Symbol],
        velocities: &[Symbol],
        trivialization: Trivialization,
    ) -> Frame {
        let element: Vec<Expr> = self.element(entries);
        let structure = match trivialization {
            Trivialization::Body => self.structure(),
            // Right-invariant fields close with the opposite sign.
            Trivialization::Space => self.structure().negated(),
        };
        let anchor = self.anchor(&element, trivialization);
        Frame::new(entries.to_vec(), velocities.to_vec(), anchor, structure)
    }

    /// The coordinates as expressions.
    fn element(self, entries: &[Symbol]) -> Vec<Expr> {
        entries.iter().map(Expr::from).collect()
    }

    /// The coordinates of the identity.
    fn identity(self) -> Vec<Expr> {
        match (self.group(), self.group().matrix_size()) {
            (_, Some(n)) => Matrix::identity(n).entries().to_vec(),
            (Group::R(n), _) => vec![Expr::zero(); n],
            _ => (0..4).map(|i| i64::from(i == 0).into()).collect(),
        }
    }

    /// Functions of the coordinates that vanish exactly on the group (together with orientation).
    fn relations(self, element: &[Expr]) -> Vec<Expr> {
        let orthogonal = |n: usize, stride: usize| -> Vec<Expr> {
            let pairs = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
            pairs
                .map(|(i, j)| {
                    let row_products =
                        (0..n).map(|k| &element[stride * k + i] * &element[stride * k + j]);
                    Expr::sum(row_products) - i64::from(i == j)
                })
                .collect()
        };
        let last_row = |n: usize| -> Vec<Expr> {
            (0..n)
                .map(|j| &element[n * (n - 1) + j] - i64::from(j == n - 1))
                .collect()
        };
        match self.group() {
            Group::SO2 => orthogonal(2, 2),
            Group::SO3 => orthogonal(3, 3),
            Group::SE2 => [orthogonal(2, 3), last_row(3)].concat(),
            Group::SE3 => [orthogonal(3, 4), last_row(4)].concat(),
            Group::SU2 => vec![Expr::sum(element.iter().map(|c| c * c)) - 1],
            Group::R(_) => Vec::new(),
        }
    }

    /// A dense rational parametrisation of the coordinates by free parameters, for proofs: a
    /// function on the group vanishes iff it vanishes after this substitution.
    fn parametrization(self, name: &str) -> Vec<Expr> {
        let free = |tag: &str, k: usize| Expr::from(Symbol::variable(&format!("{name}_{tag}{k}")));
        let cayley = |n: usize| -> Matrix {
            if n == 2 {
                planar_rotation(&free("c", 1))
            } else {
                spatial_rotation(&[1, 2, 3].map(|k| free("c", k)))
            }
        };
        let affine = |n: usize| -> Vec<Expr> {
            let r = cayley(n);
            let shift: Vec<Expr> = (0..n).map(|k| free("t", k)).collect();
            Matrix::new(n + 1, n + 1, |i, j| match (i < n, j < n) {
                (true, true) => r[(i, j)].clone(),
                (true, false) => shift[i].clone(),
                (false, last) => i64::from(!last).into(),
            })
            .entries()
            .to_vec()
        };
        match self.group() {
            Group::SO2 => cayley(2).entries().to_vec(),
            Group::SO3 => cayley(3).entries().to_vec(),
            Group::SE2 => affine(2),
            Group::SE3 => affine(3),
            Group::SU2 => unit_quaternion(&[1, 2, 3].map(|k| free("c", k))),
            Group::R(n) => (0..n).map(|k| free("t", k)).collect(),
        }
    }
}

impl LieGroup for Group {
    fn group(self) -> Group {
        self
    }
}

/// g' = g·(0, w)/2, or (0, w)·g/2 for space velocities.
fn quaternion_anchor(g: &[Expr], trivialization: Trivialization) -> Matrix {
    let half = |e: &Expr| e / 2;
    let sign = match trivialization {
        Trivialization::Body => 1,
        Trivialization::Space => -1,
    };
    Matrix::new(4, 3, |i, a| {
        if i == 0 {
            return -half(&g[a + 1]);
        }
        let i = i - 1;
        if i == a {
            return half(&g[0]);
        }
        // (v × e_a)_i with v = (g2, g3, g4); the other order of factors flips the cross product.
        let k = 3 - i - a;
        let positive = (k + 1) % 3 == a;
        half(&g[k + 1]) * (if positive { sign } else { -sign })
    })
}

/// The rotation ((1-c²)/(1+c²), …) by the angle 2 atan c.
fn planar_rotation(c: &Expr) -> Matrix {
    let scale = (1 + c * c).recip();
    let (cos, sin) = ((1 - c * c) * &scale, 2 * c * &scale);
    Matrix::from_rows(&[vec![cos.clone(), -&sin], vec![sin, cos]])
}

/// The rotation of the quaternion (1, c), normalised.
fn spatial_rotation(c: &[Expr; 3]) -> Matrix {
    let scale = (1 + Expr::sum(c.iter().map(|x| x * x))).recip();
    let square = Expr::sum(c.iter().map(|x| x * x));
    Matrix::new(3, 3, |i, j| {
        let symmetric = 2 * &c[i] * &c[j];
        let entry = if i == j {
            1 - &square + symmetric
        } else {
            let k = 3 - i - j;
            let sign = if (i + 1) % 3 == j { -2 } else { 2 };
            symmetric + sign * &c[k]
        };
        entry * &scale
    })
}

/// ((1-|c|²), 2c)/(1+|c|²): stereographic, so rational.
fn unit_quaternion(c: &[Expr; 3]) -> Vec<Expr> {
    let square = Expr::sum(c.iter().map(|x| x * x));
    let scale = (1 + &square).recip();
    let mut all = vec![(1 - &square) * &scale];
    all.extend(c.iter().map(|x| 2 * x * &scale));
    all
}
