//! The constraint algorithm of Gotay, Nester and Hinds, on manifolds and algebroids (AC-C20).

use super::impose::{Imposed, Impossible, impose};
use crate::exact::tidy;
use crate::{Claim, Deadline};
use rattleback_geometry::Frame;
use rattleback_symbolic::{
    Budget, Expr, LinearError, Matrix, Symbol, dot, nullspace_within, prove_all_zero, rank_within,
    solve, substitute_all,
};

/// A two-form Ω and a one-form α on an anchored frame: the equation i_X Ω = α.
#[derive(Clone, Debug)]
pub struct Presymplectic {
    /// The frame; its base coordinates are those of the manifold.
    pub frame: Frame,
    /// Ω(e_a, e_b).
    pub form: Matrix,
    /// α(e_a), usually dH.
    pub covector: Vec<Expr>,
}

/// One step of the algorithm.
#[derive(Clone, Debug)]
pub struct Step {
    /// The new constraint functions.
    pub constraints: Vec<Expr>,
    /// The rank of the frame along the new set, the dimension of the set for a tangent bundle.
    pub dimension: usize,
}

/// How the algorithm ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing new: a field exists on the final set.
    Stable,
    /// Only isolated points are left.
    OnlyEquilibria,
    /// A constraint without zeros.
    Inconsistent(Expr),
    /// It was left before the end.
    Open(String),
}

/// The chain M ⊃ M_1 ⊃ … ⊃ M_f.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The rank of the frame at the beginning.
    pub dimension: usize,
    /// The steps that cut something away.
    pub steps: Vec<Step>,
    /// The final set: each symbol equals its expression.
    pub solved: Vec<(Symbol, Expr)>,
    /// One solution X on the final set, by components in the frame.
    pub field: Vec<Expr>,
    /// Directions in which X is free on the final set.
    pub gauge: Vec<Vec<Expr>>,
    /// The rank of Ω on the final set.
    pub form_rank: Option<usize>,
    /// Functions whose powers appeared as constraints: irregular ones, replaced by their radicals.
    pub irregular: Vec<Expr>,
    /// What was taken not to vanish; where it does ranks may jump.
    pub conditions: Vec<Expr>,
    /// Other branches that were not followed: factors that might vanish instead.
    pub branches: Vec<Expr>,
    /// How it ended.
    pub end: End,
    /// Is there a consistent motion on the final set?
    pub claim: Claim,
}

impl Chain {
    /// The dimensions, from the whole space to the final set.
    pub fn dimensions(&self) -> Vec<usize> {
        let steps = self.steps.iter().map(|s| s.dimension);
        std::iter::once(self.dimension).chain(steps).collect()
    }
}

/// What one elimination may cost.
const BUDGET: Budget = Budget {
    terms: 20_000,
    work: 4_000_000,
};

/// Steps after which the algorithm is left.
const MOST_STEPS: usize = 20;

impl Presymplectic {
    /// Runs the algorithm.
    pub fn chain(&self, deadline: Deadline) -> Chain {
        let n = self.frame.rank();
        let mut chain = Chain {
            dimension: n,
            steps: Vec::new(),
            solved: Vec::new(),
            field: Vec::new(),
            gauge: Vec::new(),
            form_rank: None,
            irregular: Vec::new(),
            conditions: Vec::new(),
            branches: Vec::new(),
            end: End::Stable,
            claim: Claim::undecided("not run"),
        };
        chain.end = self
            .run(&mut chain, deadline)
            .unwrap_or_else(|why| End::Open(why.to_string()));
        if chain.end == End::Stable {
            if let Err(why) = self.finish(&mut chain) {
                chain.end = End::Open(why.to_string());
            } else if self.frame.base().len() == chain.solved.len() {
                chain.end = End::OnlyEquilibria;
            }
        }
        chain.claim = self.judge(&chain);
        chain
    }

    fn run(&self, chain: &mut Chain, deadline: Deadline) -> Result<End, LinearError> {
        for _ in 0..MOST_STEPS {
            if deadline.passed() {
                return Ok(End::Open("the time budget is used up".into()));
            }
            let (matrix, right) = self.equations(&chain.solved);
            let dual = nullspace_within(&matrix.transpose(), BUDGET)?;
            for c in dual.conditions {
                if !chain.conditions.contains(&c) {
                    chain.conditions.push(c);
                }
            }
            let mut fresh = Vec::new();
            for v in &dual.basis {
                let f = tidy(&dot(v, &right).substitute(&chain.solved));
                if f.is_zero() || prove_all_zero(std::slice::from_ref(&f)).is_proven() {
                    continue;
                }
                match impose(&f, self.frame.base(), &chain.solved, &chain.conditions) {
                    Ok(imposed) => fresh.push(chain.add(imposed)),
                    Err(Impossible::Contradiction) => return Ok(End::Inconsistent(f)),
                    Err(Impossible::Unsolved(g)) => {
                        return Ok(End::Open(format!("`{g} = 0` could not be solved")));
                    }
                }
            }
            if fresh.is_empty() {
                return Ok(End::Stable);
            }
            let dimension = self.frame.rank() - chain.solved.len();
            chain.steps.push(Step {
                constraints: fresh,
                dimension,
            });
        }
        Ok(End::Open(format!("no end after {MOST_STEPS} steps")))
    }

    /// K X = r: the equation and the tangency to the set so far, on the set.
    fn equations(&self, solved: &[(Symbol, Expr)]) -> (Matrix, Vec<Expr>) {
        let n = self.frame.rank();
        let slopes: Vec<Vec<Expr>> = solved
            .iter()
            .map(|(w, e)| self.frame.differential(&(Expr::from(w) - e)))
            .collect();
        let rows = n + slopes.len();
        let entry = |i: usize, a: usize| match i < n {
            true => self.form[(a, i)].clone(),
            false => slopes[i - n][a].clone(),
        };
        let all: Vec<Expr> = (0..rows * n).map(|k| entry(k / n, k % n)).collect();
        let here: Vec<Expr> = substitute_all(&all, solved).iter().map(tidy).collect();
        let mut right = substitute_all(&self.covector, solved);
        right.resize(rows, Expr::zero());
        (Matrix::new(rows, n, |i, a| here[i * n + a].clone()), right)
    }

    /// The field, its freedom and the rank of the form on the final set.
    fn finish(&self, chain: &mut Chain) -> Result<(), LinearError> {
        let n = self.frame.rank();
        let (matrix, right) = self.equations(&chain.solved);
        let rank = rank_within(&matrix, BUDGET)?;
        chain.field = vec![Expr::zero(); n];
        if rank.rank > 0 {
            let block = matrix.select(&rank.rows, &rank.cols);
            let values: Vec<Expr> = rank.rows.iter().map(|&i| right[i].clone()).collect();
            let solution = solve(&block, &Matrix::column_vector(&values))?.solution;
            for (k, &a) in rank.cols.iter().enumerate() {
                chain.field[a] = tidy(&solution[(k, 0)]);
            }
        }
        chain.gauge = nullspace_within(&matrix, BUDGET)?.basis;
        chain.form_rank = self.restricted_rank(&matrix).ok();
        Ok(())
    }

    /// The rank of Ω on the tangent space of the final set.
    fn restricted_rank(&self, matrix: &Matrix) -> Result<usize, LinearError> {
        let n = self.frame.rank();
        let tangent: Vec<usize> = (n..matrix.rows()).collect();
        let columns: Vec<usize> = (0..n).collect();
        let basis: Vec<Vec<Expr>> = match tangent.is_empty() {
            true => (0..n).map(|a| self.frame.basis(a)).collect(),
            false => nullspace_within(&matrix.select(&tangent, &columns), BUDGET)?.basis,
        };
        let top: Vec<usize> = (0..n).collect();
        let form = matrix.select(&top, &columns);
        let image: Vec<Vec<Expr>> = basis.iter().map(|x| form.apply(x)).collect();
        let k = basis.len();
        let restricted = Matrix::new(k, k, |i, j| tidy(&dot(&basis[i], &image[j])));
        Ok(rank_within(&restricted, BUDGET)?.rank)
    }

    fn judge(&self, chain: &Chain) -> Claim {
        match &chain.end {
            End::Inconsistent(f) => Claim::refuted(format!("`{f} = 0` has no solution")),
            End::Open(why) => Claim::undecided(why.clone()),
            End::Stable | End::OnlyEquilibria => {
                let (matrix, right) = self.equations(&chain.solved);
                let mut gaps: Vec<Expr> = matrix
                    .apply(&chain.field)
                    .iter()
                    .zip(&right)
                    .map(|(a, b)| a - b)
                    .collect();
                for direction in &chain.gauge {
                    gaps.extend(matrix.apply(direction));
                }
                crate::verdict::claim(
                    prove_all_zero(&gaps),
                    "on the final set the field solves i_X Ω = α and is tangent to it",
                )
            }
        }
    }
}

impl Chain {
    /// Takes a solved constraint in; gives the function back.
    fn add(&mut self, imposed: Imposed) -> Expr {
        let Imposed {
            symbol,
            value,
            power,
            slope,
            others,
        } = imposed;
        let function = Expr::from(&symbol) - &value;
        if power {
            self.irregular.push(function.clone());
        }
        self.conditions
            .extend(slope.filter(|s| !self.conditions.contains(s)));
        self.branches.extend(others);
        let pair = [(symbol.clone(), value.clone())];
        for (_, e) in &mut self.solved {
            *e = tidy(&e.substitute(&pair));
        }
        self.solved.push((symbol, value));
        function
    }
}
