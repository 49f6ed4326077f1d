//! Right and left discrete Hamiltonians, where their equations can be solved (DP-A7 to A11).

use super::lagrangian::DiscreteLagrangian;
use super::system::expressions;
use rattleback_symbolic::{
    Expr, LinearError, Matrix, Symbol, Verdict, determinant, dot, prove_zero, simplify, solve,
    substitute_all,
};

/// Which discrete Hamiltonian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// H⁺(q₀, p₁) = p₁·q₁ − L_d.
    Right,
    /// H⁻(p₀, q₁) = −p₀·q₀ − L_d.
    Left,
}

/// A function of a position at one end and a momentum at the other.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscreteHamiltonian {
    /// Which one.
    pub side: Side,
    /// q₀ for the right one, q₁ for the left one.
    pub positions: Vec<Symbol>,
    /// p₁ for the right one, p₀ for the left one.
    pub momenta: Vec<Symbol>,
    /// H.
    pub value: Expr,
}

/// Why there is no formula of a discrete Hamiltonian.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoHamiltonian {
    /// The Legendre block is singular.
    #[error("the Legendre block {block} is singular")]
    Singular {
        /// `D2 D2 L_d` or `D1 D1 L_d`.
        block: &'static str,
    },
    /// The momentum is not affine in the position that is to be eliminated.
    #[error("the equation for {unknowns} has no closed solution: it is not linear")]
    NotLinear {
        /// What would have to be solved for.
        unknowns: String,
    },
    /// The zero test did not decide.
    #[error("whether the Legendre block {block} is singular is not decided: {why}")]
    Undecided {
        /// Which block.
        block: &'static str,
        /// What stood in the way.
        why: String,
    },
}

impl Side {
    /// The block of second derivatives that must be invertible.
    pub fn block(self) -> &'static str {
        match self {
            Side::Right => "D2 D2 L_d",
            Side::Left => "D1 D1 L_d",
        }
    }
}

impl DiscreteLagrangian {
    /// The discrete Hamiltonian in these momenta: the position at the end of the momentum is eliminated from
    /// p₁ = D₂L_d or p₀ = −D₁L_d.
    pub fn hamiltonian(
        &self,
        side: Side,
        momenta: &[Symbol],
    ) -> Result<DiscreteHamiltonian, NoHamiltonian> {
        let (unknowns, kept, legendre) = match side {
            Side::Right => (&self.end, &self.start, self.momenta_after()),
            Side::Left => (&self.start, &self.end, self.momenta_before()),
        };
        let misses: Vec<Expr> = legendre.iter().zip(momenta).map(|(l, p)| l - p).collect();
        let found = affine_solution(&misses, unknowns, side.block())?;
        let pairs: Vec<(Symbol, Expr)> = unknowns.iter().cloned().zip(found.clone()).collect();
        let sign = match side {
            Side::Right => 1,
            Side::Left => -1,
        };
        let work = sign * dot(&expressions(momenta), &found);
        Ok(DiscreteHamiltonian {
            side,
            positions: kept.clone(),
            momenta: momenta.to_vec(),
            value: simplify(&(work - self.value.substitute(&pairs))),
        })
    }

    /// Is the Legendre block of a side invertible at these values? An error says why not.
    pub fn hamiltonian_exists(
        &self,
        side: Side,
        values: &[(Symbol, Expr)],
    ) -> Result<(), NoHamiltonian> {
        let block = match side {
            Side::Right => self.end_block(),
            Side::Left => self.start_block(),
        };
        let undecided = |why: String| NoHamiltonian::Undecided {
            block: side.block(),
            why,
        };
        let at_values = block.substitute(values);
        let det = determinant(&at_values).map_err(|e| undecided(e.to_string()))?;
        match prove_zero(&det) {
            Verdict::Refuted { .. } => Ok(()),
            Verdict::Proven { .. } => Err(NoHamiltonian::Singular {
                block: side.block(),
            }),
            Verdict::Undecided { why } => Err(undecided(why.to_string())),
        }
    }
}

/// The unknowns of equations that are affine in them; `block` names the matrix that must be invertible.
pub(super) fn affine_solution(
    equations: &[Expr],
    unknowns: &[Symbol],
    block: &'static str,
) -> Result<Vec<Expr>, NoHamiltonian> {
    let rows: Vec<Vec<Expr>> = equations.iter().map(|e| e.gradient(unknowns)).collect();
    let matrix = Matrix::from_rows(&rows);
    if matrix.entries().iter().any(|e| e.contains_any(unknowns)) {
        let names: Vec<String> = unknowns.iter().map(ToString::to_string).collect();
        return Err(NoHamiltonian::NotLinear {
            unknowns: names.join(", "),
        });
    }
    let zero: Vec<(Symbol, Expr)> = unknowns.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let rest = substitute_all(equations, &zero);
    let right: Vec<Expr> = rest.iter().map(|r| -r).collect();
    let solved = solve(&matrix, &Matrix::column_vector(&right)).map_err(|e| match e {
        LinearError::Singular { .. } => NoHamiltonian::Singular { block },
        other => NoHamiltonian::Undecided {
            block,
            why: other.to_string(),
        },
    })?;
    Ok(solved.solution.column(0))
}

impl DiscreteHamiltonian {
    /// The equations that give the other position and the other momentum: (q₁, p₀) = (D₂H⁺, D₁H⁺) or
    /// (q₀, p₁) = (−D₁H⁻, −D₂H⁻) (DP-A9, A10).
    pub fn equations(&self) -> (Vec<Expr>, Vec<Expr>) {
        let (positions, momenta) = (
            self.value.gradient(&self.momenta),
            self.value.gradient(&self.positions),
        );
        let signed = |all: Vec<Expr>| match self.side {
            Side::Right => all,
            Side::Left => all.iter().map(|e| -e).collect(),
        };
        (signed(positions), signed(momenta))
    }
}
