//! Is a nonholonomic motion vakonomic? Decided at a state by differentiating M μ = 0 (VE-C09, C10).

use super::EquivalenceError;
use super::comparison::Comparison;
use crate::exact::tidy;
use crate::{Answer, Effort, Evidence, Function, Gap, Reason};
use rattleback_geometry::{Span, vanish_on};
use rattleback_symbolic::{
    Budget, Enclosure, Expr, Matrix, Rational, Symbol, nullspace_within, solve, substitute_all,
};

/// The affine set of multipliers μ at a state: a point and directions.
#[derive(Clone, Debug)]
pub struct Admissible {
    /// One multiplier, as functions of the state.
    pub point: Vec<Expr>,
    /// Independent directions in which it may be moved, as functions of the state.
    pub directions: Vec<Vec<Expr>>,
    /// What must not vanish for these formulas to hold.
    pub conditions: Vec<Expr>,
    /// What shows that the motion carries the set along, where that was asked.
    pub shown: Option<Evidence>,
}

impl Admissible {
    /// The dimension of the set.
    pub fn dimension(&self) -> usize {
        self.directions.len()
    }
}

/// What the prolongation says.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The conditions on μ are consistent, with this solution set.
    Consistent(Admissible),
    /// They contradict each other: this does not vanish, at this point.
    Inconsistent {
        /// What would have to vanish, where it has a formula.
        residual: Option<Expr>,
        /// Values of the symbols where it does not.
        witness: Vec<(Symbol, Rational)>,
        /// Its value there.
        value: Enclosure,
    },
    /// They are consistent at generic states; the solutions were not written down.
    Solvable {
        /// The dimension of the affine set of solutions.
        dimension: usize,
    },
    /// Neither was shown.
    Undecided {
        /// What stood in the way.
        why: Reason,
    },
}

/// The rows M_j μ = b_j of every level: M_0 = M, b_0 = 0, and
/// M_{j+1} = X(M_j) − M_j N, b_{j+1} = X(b_j) − M_j λ.
#[derive(Clone, Debug)]
struct Rows {
    /// M_j and then b_j, one vector of length m + 1 per row.
    level: Vec<Vec<Expr>>,
}

impl Rows {
    fn first(c: &Comparison) -> Self {
        let level = (0..c.turning.rows())
            .map(|a| [c.turning.row(a), &[Expr::zero()]].concat())
            .filter(|row| row.iter().any(|e| !e.is_zero()))
            .collect();
        Self { level }
    }

    fn next(&self, c: &Comparison) -> Self {
        let m = c.multipliers.len();
        let level = self.level.iter().map(|row| {
            let moved = c.along(row);
            let mut next: Vec<Expr> = (0..m)
                .map(|s| {
                    let turned = (0..m).map(|t| &row[t] * &c.transport[(t, s)]);
                    &moved[s] - Expr::sum(turned)
                })
                .collect();
            let pushed = (0..m).map(|t| &row[t] * &c.reactions[t]);
            next.push(&moved[m] - Expr::sum(pushed));
            next.iter().map(tidy).collect()
        });
        Self {
            level: level.collect(),
        }
    }
}

/// The independent conditions collected so far.
struct Stack {
    m: usize,
    augmented: Span,
    plain: Span,
    /// Rows whose M-parts are independent.
    kept: Vec<Vec<Expr>>,
}

/// What a further row does to the conditions.
#[derive(PartialEq, Eq)]
enum Effect {
    Nothing,
    Grows,
    /// Its M-part depends on the kept rows while its b-part does not fit.
    Contradicts,
}

impl Stack {
    fn new(m: usize) -> Self {
        Self {
            m,
            augmented: Span::default(),
            plain: Span::default(),
            kept: Vec::new(),
        }
    }

    /// Adds a row, given also in free parameters, in which ranks are judged.
    fn insert(&mut self, row: &[Expr], freed: &[Expr]) -> Result<Effect, EquivalenceError> {
        if !self.augmented.insert(freed)? {
            return Ok(Effect::Nothing);
        }
        if self.plain.insert(&freed[..self.m])? {
            self.kept.push(row.to_vec());
            return Ok(Effect::Grows);
        }
        Ok(Effect::Contradicts)
    }

    /// μ from the kept rows: a point with the multipliers outside the pivots set to zero, and one
    /// direction for each of them.
    fn solve(&self) -> Result<Admissible, EquivalenceError> {
        let (r, m) = (self.kept.len(), self.m);
        let pivots = self.plain.pivots();
        let free: Vec<usize> = (0..m).filter(|s| !pivots.contains(s)).collect();
        let block = Matrix::new(r, r, |i, j| self.kept[i][pivots[j]].clone());
        let right = Matrix::new(r, 1 + free.len(), |i, j| match j {
            0 => self.kept[i][m].clone(),
            _ => -&self.kept[i][free[j - 1]],
        });
        let solved = match r {
            0 => None,
            _ => Some(solve(&block, &right)?),
        };
        let column = |j: usize| {
            let mut all = vec![Expr::zero(); m];
            if let Some(solved) = &solved {
                for (k, &p) in pivots.iter().enumerate() {
                    all[p] = tidy(&solved.solution[(k, j)]);
                }
            }
            all
        };
        let all = Matrix::new(r, m, |i, j| self.kept[i][j].clone());
        let directions = match nullspace_within(&all, Budget::SMALL) {
            // Without denominators, so that the directions stay where they can.
            Ok(found) if r > 0 && found.basis.len() == free.len() => found.basis,
            _ => (0..free.len())
                .map(|j| {
                    let mut direction = column(j + 1);
                    direction[free[j]] = Expr::one();
                    direction
                })
                .collect(),
        };
        Ok(Admissible {
            shown: None,
            point: column(0),
            directions,
            conditions: solved.map_or_else(Vec::new, |s| s.conditions),
        })
    }
}

/// Levels beyond the number of multipliers that are looked at where ranks may stall.
const PATIENCE: usize = 3;
/// Rows whose formulas are longer than this are no longer differentiated.
const LONGEST: usize = 40_000;

/// At generic states: there a level that adds nothing is the last one.
pub fn generic(c: &Comparison, effort: Effort) -> Outcome {
    run(c, &[], effort).unwrap_or_else(|e| Outcome::Undecided {
        why: Reason::failed(e),
    })
}

/// At one state: exact values for positions, velocities of D and parameters. The ranks may stall at
/// a degenerate state, so some levels more are looked at.
pub fn at_state(c: &Comparison, state: &[(Symbol, Expr)], effort: Effort) -> Outcome {
    run(c, state, effort).unwrap_or_else(|e| Outcome::Undecided {
        why: Reason::failed(e),
    })
}

fn run(
    c: &Comparison,
    state: &[(Symbol, Expr)],
    effort: Effort,
) -> Result<Outcome, EquivalenceError> {
    let m = c.multipliers.len();
    let pointwise = !state.is_empty();
    let mut stack = Stack::new(m);
    let mut rows = Rows::first(c);
    let mut stalled = 0;
    loop {
        let mut grew = false;
        let mut fresh = Vec::new();
        for row in &rows.level {
            let here = substitute_all(row, state);
            match stack.insert(&here, &c.freed(&here))? {
                Effect::Grows => grew = true,
                Effect::Contradicts => return contradiction(c, &stack, &here),
                Effect::Nothing if pointwise => {}
                Effect::Nothing => continue,
            }
            fresh.push(row.clone());
        }
        stalled = if grew { 0 } else { stalled + 1 };
        if stalled > if pointwise { PATIENCE } else { 0 } || fresh.is_empty() {
            break;
        }
        if effort.is_spent() {
            return Err(EquivalenceError::Effort);
        }
        if fresh.iter().flatten().any(|e| e.node_count() > LONGEST) {
            return Err(EquivalenceError::TooLarge);
        }
        rows = Rows { level: fresh }.next(c);
    }
    let found = stack.solve()?;
    if pointwise {
        return Ok(Outcome::Consistent(found));
    }
    certified(c, &stack, found)
}

/// A contradiction, shown by a point where the row that does not fit is off.
fn contradiction(c: &Comparison, stack: &Stack, row: &[Expr]) -> Result<Outcome, EquivalenceError> {
    let residual = misfit(row, &stack.solve()?.point);
    let functions = std::slice::from_ref(&residual);
    let fits = Answer::vanish(
        functions,
        vanish_on(functions, &c.on),
        Function::MultiplierMisfit,
    );
    Ok(match fits {
        Answer::Refuted(Evidence::Point(point)) => Outcome::Inconsistent {
            residual: Some(point.function),
            witness: point.at,
            value: point.value,
        },
        Answer::Undecided(why) => Outcome::Undecided { why },
        Answer::Proven(_) | Answer::Refuted(_) => Outcome::Undecided {
            why: Gap::OnlyAtPoint.into(),
        },
    })
}

/// M μ − b for one row.
fn misfit(row: &[Expr], mu: &[Expr]) -> Expr {
    let m = mu.len();
    Expr::sum(row[..m].iter().zip(mu).map(|(a, b)| a * b)) - &row[m]
}

/// The proof that the affine set solves M μ = 0 and is carried along by the motion: all rows, and
/// the derivatives of the kept ones, hold on it.
fn certified(
    c: &Comparison,
    stack: &Stack,
    mut found: Admissible,
) -> Result<Outcome, EquivalenceError> {
    let kept = Rows {
        level: stack.kept.clone(),
    };
    let mut gaps = Vec::new();
    for mut row in Rows::first(c).level.into_iter().chain(kept.next(c).level) {
        gaps.push(misfit(&row, &found.point));
        row[stack.m] = Expr::zero();
        gaps.extend(found.directions.iter().map(|e| misfit(&row, e)));
    }
    let carried = Answer::vanish(&gaps, vanish_on(&gaps, &c.on), Function::MultiplierGap);
    Ok(match carried {
        Answer::Proven(shown) => {
            found.shown = Some(shown);
            Outcome::Consistent(found)
        }
        Answer::Refuted(shown) => Outcome::Undecided {
            why: Reason::although(Gap::MultipliersMiss, shown),
        },
        Answer::Undecided(why) => Outcome::Undecided { why },
    })
}
