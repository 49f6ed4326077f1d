//! Equations of motion in any formulation: a named state and how its rates are worked out.

use crate::formulation::Form;
use crate::{MechanicsError, StateSpace};
use rattleback_symbolic::{Expr, Matrix, Set, Symbol, substitute_all};

/// A step of working out the rates. Later steps may use the unknowns of earlier ones, so that a
/// linear solve can stay symbolic and nothing swells.
#[derive(Clone, Debug)]
pub enum Stage {
    /// `matrix · unknowns = rhs`.
    Linear {
        /// What is solved for.
        unknowns: Vec<Symbol>,
        /// The square matrix.
        matrix: Matrix,
        /// The right-hand side.
        rhs: Vec<Expr>,
    },
    /// `residuals(unknowns) = 0`, by Newton's method.
    Implicit {
        /// What is solved for.
        unknowns: Vec<Symbol>,
        /// What must vanish.
        residuals: Vec<Expr>,
    },
}

impl Stage {
    /// What the stage determines.
    pub fn unknowns(&self) -> &[Symbol] {
        match self {
            Stage::Linear { unknowns, .. } | Stage::Implicit { unknowns, .. } => unknowns,
        }
    }

    /// Every entry of the matrix and the right side, or every residual.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (one, other) = match self {
            Stage::Linear { matrix, rhs, .. } => (matrix.entries(), &rhs[..]),
            Stage::Implicit { residuals, .. } => (&residuals[..], &[][..]),
        };
        one.iter().chain(other)
    }

    /// The stages whose unknowns these expressions ask for, or those stages themselves.
    pub fn needed<'a>(stages: &'a [Stage], by: &[Expr]) -> Vec<&'a Stage> {
        let mut wanted: Set<Symbol> = by.iter().flat_map(Expr::free_symbols).collect();
        let mut found: Vec<&Stage> = Vec::new();
        for stage in stages.iter().rev() {
            if stage.unknowns().iter().any(|u| wanted.contains(u)) {
                wanted.extend(stage.expressions().flat_map(Expr::free_symbols));
                found.push(stage);
            }
        }
        found.reverse();
        found
    }

    /// M_ij a_j = f_i row by row, or residual_i = 0.
    pub fn rows(&self) -> Vec<(Expr, Expr)> {
        match self {
            Stage::Linear {
                unknowns,
                matrix,
                rhs,
            } => {
                let a: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
                let left = matrix.apply(&a).into_iter();
                left.zip(rhs.iter().cloned()).collect()
            }
            Stage::Implicit { residuals, .. } => {
                let all = residuals.iter();
                all.map(|r| (r.clone(), Expr::zero())).collect()
            }
        }
    }

    /// The parts of a linear system that do not meet, each a system of its own: the matrix is block diagonal
    /// in them.
    pub fn parts(&self) -> Vec<Stage> {
        let Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } = self
        else {
            return vec![self.clone()];
        };
        let part = |places: Vec<usize>| Stage::Linear {
            unknowns: places.iter().map(|&i| unknowns[i].clone()).collect(),
            matrix: Matrix::new(places.len(), places.len(), |i, j| {
                matrix[(places[i], places[j])].clone()
            }),
            rhs: places.iter().map(|&i| rhs[i].clone()).collect(),
        };
        connected(matrix).into_iter().map(part).collect()
    }

    /// The same step with other names for what is solved for.
    pub fn renamed(&self, names: &[Symbol]) -> Stage {
        let instead = self.unknowns().iter().cloned();
        let instead: Vec<(Symbol, Expr)> = instead.zip(names.iter().map(Expr::from)).collect();
        match self.map(|all| substitute_all(all, &instead)) {
            Stage::Linear { matrix, rhs, .. } => Stage::Linear {
                unknowns: names.to_vec(),
                matrix,
                rhs,
            },
            Stage::Implicit { residuals, .. } => Stage::Implicit {
                unknowns: names.to_vec(),
                residuals,
            },
        }
    }

    /// The same step with its expressions rewritten.
    pub fn map(&self, rewrite: impl Fn(&[Expr]) -> Vec<Expr>) -> Stage {
        match self {
            Stage::Linear {
                unknowns,
                matrix,
                rhs,
            } => {
                let entries = rewrite(matrix.entries());
                let columns = matrix.cols();
                Stage::Linear {
                    unknowns: unknowns.clone(),
                    matrix: Matrix::new(matrix.rows(), columns, |i, j| {
                        entries[i * columns + j].clone()
                    }),
                    rhs: rewrite(rhs),
                }
            }
            Stage::Implicit {
                unknowns,
                residuals,
            } => Stage::Implicit {
                unknowns: unknowns.clone(),
                residuals: rewrite(residuals),
            },
        }
    }
}

/// The sets of indices that the entries of a square matrix connect, each in order.
fn connected(matrix: &Matrix) -> Vec<Vec<usize>> {
    let n = matrix.rows();
    let meet = |i: usize, j: usize| !matrix[(i, j)].is_zero() || !matrix[(j, i)].is_zero();
    let mut rest: Vec<usize> = (0..n).collect();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let mut part = vec![rest.remove(0)];
        let mut seen = 0;
        while let Some(&i) = part.get(seen) {
            let (near, far) = rest.into_iter().partition(|&j| meet(i, j));
            part.extend::<Vec<usize>>(near);
            rest = far;
            seen += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// A named quantity that belongs to the equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its name in the model language.
    pub name: String,
    /// Its value, in the state and the unknowns of the stages.
    pub value: Expr,
    /// Is it read in the unknowns it is stated in: a Lagrangian in its velocities, a reaction in its
    /// multipliers? Then they are not eliminated from it.
    pub stated: bool,
    /// Where it stands, if it is an entry of a matrix or a vector.
    pub entry: Option<Entry>,
}

/// A place in a matrix, or in a vector, which has one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the whole.
    pub of: &'static str,
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub column: usize,
}

impl Quantity {
    /// A named quantity.
    pub fn new(name: impl Into<String>, value: Expr) -> Self {
        Self {
            name: name.into(),
            value,
            stated: false,
            entry: None,
        }
    }

    /// An entry of a matrix, `M[1,2]`.
    pub(crate) fn in_matrix(of: &'static str, (row, column): (usize, usize), value: Expr) -> Self {
        Self {
            entry: Some(Entry { of, row, column }),
            ..Self::new(format!("{of}[{},{}]", row + 1, column + 1), value)
        }
    }

    /// An entry of a vector, `g[1]`.
    pub(crate) fn in_vector(of: &'static str, row: usize, value: Expr) -> Self {
        Self {
            entry: Some(Entry { of, row, column: 0 }),
            ..Self::new(format!("{of}[{}]", row + 1), value)
        }
    }

    /// A named quantity that stays in the unknowns it is stated in.
    pub fn stated(name: impl Into<String>, value: Expr) -> Self {
        Self {
            stated: true,
            ..Self::new(name, value)
        }
    }
}

/// The brackets of the coordinates with each other.
#[derive(Clone, Debug)]
pub struct BracketMatrix {
    /// The coordinates, in the order of rows and columns.
    pub coordinates: Vec<Symbol>,
    /// `matrix[(i, j)]` is {coordinate i, coordinate j}.
    pub matrix: Matrix,
}

/// Equations of motion: `state' = rates`, after the stages.
#[derive(Clone, Debug)]
pub struct Equations {
    /// Which formulation this is.
    pub form: Form,
    /// The state, positions first.
    pub state: StateSpace,
    /// How the unknowns of the rates are found, in order.
    pub stages: Vec<Stage>,
    /// One rate per state component.
    pub rates: Vec<Expr>,
    /// Multipliers: reactions λ, or μ' for vakonomic motion.
    pub multipliers: Vec<Quantity>,
    /// The generalised reaction force λ_s A^s on each velocity, in the multipliers.
    pub reactions: Vec<Quantity>,
    /// The energy.
    pub energy: Expr,
    /// How the energy changes along motions, where the formulation says so itself.
    pub power: Option<Expr>,
    /// Momenta p_A, or Ostrogradsky momenta.
    pub momenta: Vec<Quantity>,
    /// What vanishes along motions: the constraints, as functions of the state.
    pub residuals: Vec<Expr>,
    /// Further objects of the formulation: a reduced Lagrangian, a Hamiltonian, the gyroscopic form.
    pub extras: Vec<Quantity>,
    /// Rates of positions that the state does not contain, in all positions: the reconstruction. On a slice the
    /// velocities along the orbits.
    pub reconstruction: Vec<Quantity>,
    /// The positions that are held on a slice, where the equations are written on one: the state is then not that of
    /// the model but of the point of the slice on its orbit.
    pub slice: Vec<(Symbol, Expr)>,
    /// The bracket matrix, for bracket formulations.
    pub bracket: Option<BracketMatrix>,
    /// Functions that must not vanish where these equations hold.
    pub conditions: Vec<Expr>,
    /// The sections that the equations are written on, as columns, where those are fewer than the ambient ones.
    pub basis: Option<Matrix>,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// How the state follows from positions and velocities of the model.
    pub initial: Initial,
}

/// The state in terms of the ambient positions z, velocities y (and their jets) and multipliers μ.
#[derive(Clone, Debug, Default)]
pub struct Initial {
    /// Solves that come first.
    pub stages: Vec<Stage>,
    /// One value per state component.
    pub values: Vec<Expr>,
    /// Positions at which alone the state follows.
    pub on: Vec<(Symbol, Expr)>,
}

impl Equations {
    pub(crate) fn new(form: Form, state: StateSpace, rates: Vec<Expr>, energy: Expr) -> Self {
        debug_assert_eq!(state.len(), rates.len());
        let values = state.iter().map(Expr::from).collect();
        Self {
            initial: Initial {
                values,
                ..Initial::default()
            },
            form,
            state,
            stages: Vec::new(),
            rates,
            multipliers: Vec::new(),
            reactions: Vec::new(),
            energy,
            power: None,
            momenta: Vec::new(),
            residuals: Vec::new(),
            extras: Vec::new(),
            reconstruction: Vec::new(),
            slice: Vec::new(),
            bracket: None,
            conditions: Vec::new(),
            basis: None,
            notes: Vec::new(),
        }
    }

    /// Sets how the last components of the state follow from positions and velocities.
    pub(crate) fn start_tail_from(&mut self, tail: Vec<Expr>) {
        let keep = self.state.len() - tail.len();
        self.initial.values.truncate(keep);
        self.initial.values.extend(tail);
    }

    /// Does a component of the state, a multiplier or a momentum have this name?
    pub(crate) fn names(&self, name: &str) -> bool {
        let quantities = self.multipliers.iter().chain(&self.momenta);
        let quantities = quantities.map(|q| q.name.as_str());
        let state = self.state.iter().map(Symbol::name);
        state.chain(quantities).any(|n| n == name)
    }

    /// An error where their motion is none of the model's positions.
    pub fn check_followed(&self) -> Result<(), MechanicsError> {
        match self.slice.is_empty() {
            true => Ok(()),
            false => Err(MechanicsError::OnSlice { form: self.form }),
        }
    }

    /// The rate of a state component.
    pub fn rate(&self, s: &Symbol) -> Option<&Expr> {
        let i = self.state.iter().position(|x| x == s)?;
        Some(&self.rates[i])
    }

    /// Every quantity.
    fn quantities_mut(&mut self) -> impl Iterator<Item = &mut Quantity> {
        self.multipliers
            .iter_mut()
            .chain(&mut self.reactions)
            .chain(&mut self.momenta)
            .chain(&mut self.extras)
            .chain(&mut self.reconstruction)
    }

    /// The quantities that stay in the unknowns they are stated in.
    pub(crate) fn stated_mut(&mut self) -> impl Iterator<Item = &mut Quantity> {
        self.quantities_mut().filter(|q| q.stated)
    }

    /// Every expression outside the stages from which unknowns are to be eliminated.
    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let Self {
            multipliers,
            reactions,
            momenta,
            extras,
            reconstruction,
            rates,
            energy,
            residuals,
            bracket,
            ..
        } = self;
        let quantities = multipliers
            .iter_mut()
            .chain(reactions)
            .chain(momenta)
            .chain(extras)
            .chain(reconstruction)
            .filter(|q| !q.stated)
            .map(|q| &mut q.value);
        rates
            .iter_mut()
            .chain(quantities)
            .chain(std::iter::once(energy))
            .chain(residuals)
            .chain(bracket.iter_mut().flat_map(|b| b.matrix.entries_mut()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_fall_into_what_does_not_meet() {
        let unknowns: Vec<Symbol> = (0..5).map(|i| Symbol::variable(&format!("u{i}"))).collect();
        // 0 meets 3 by one entry above the diagonal only, 3 meets 4; 1 and 2 stand alone.
        let entries = [(0, 3), (4, 3)];
        let matrix = Matrix::new(5, 5, |i, j| {
            let number = if i == j { i as i64 + 2 } else { 1 };
            if i == j || entries.contains(&(i, j)) {
                number.into()
            } else {
                Expr::zero()
            }
        });
        let rhs: Vec<Expr> = (10..15).map(Expr::from).collect();
        let whole = Stage::Linear {
            unknowns: unknowns.clone(),
            matrix,
            rhs,
        };
        let parts = whole.parts();
        let places = [vec![0, 3, 4], vec![1], vec![2]];
        assert_eq!(parts.len(), places.len());
        for (part, places) in parts.iter().zip(places) {
            let Stage::Linear {
                unknowns: names,
                matrix,
                rhs,
            } = part
            else {
                panic!("a linear system has linear parts");
            };
            for (k, &i) in places.iter().enumerate() {
                assert_eq!(names[k], unknowns[i]);
                assert_eq!(rhs[k], Expr::from(10 + i as i64));
                assert_eq!(matrix[(k, k)], Expr::from(2 + i as i64));
            }
        }
    }
}
