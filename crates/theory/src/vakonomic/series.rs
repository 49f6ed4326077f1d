//! The conditions on μ at one state by Taylor series along the motion (VE-C09, C10): no formula is
//! differentiated, so that nothing grows.
//!
//! With Φ' = −N Φ, Φ(0) = 1 and p' = λ − N p, p(0) = 0 the multiplier is Φ μ(0) + p, and every
//! coefficient of M (Φ μ(0) + p) must vanish. Modulo a prime at a random state this gives the generic
//! ranks: the first level that adds nothing is the last.

use super::comparison::Comparison;
use super::prolongation::Outcome;
use crate::Effort;
use crate::exact::{Flow, Residue, Scalar, small_point};
use rattleback_symbolic::{
    Enclosure, Expr, Rational, Symbol, free_symbols, residues_are_faithful, substitute_all,
};

/// What the conditions say at generic states.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// They leave an affine set of multipliers of this dimension.
    Consistent {
        /// Its dimension.
        dimension: usize,
    },
    /// They contradict each other.
    Contradiction(Plan),
}

/// The rows that contradict each other: those with pivots, in order, and the one that does not fit.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pivots: Vec<(usize, usize)>,
    misfit: usize,
}

/// Random states at which a value may be missing.
const MOST_POINTS: u64 = 24;
/// States without contradiction after which there is none.
const AGREEING: usize = 3;

/// The flow with the entries of M, N and λ on it.
pub(super) struct Conditions<'a> {
    c: &'a Comparison,
    flow: Flow,
}

impl<'a> Conditions<'a> {
    /// `None` if a function in them has no Taylor series here.
    pub(super) fn of(c: &'a Comparison) -> Option<Self> {
        let functions = [
            c.turning.entries(),
            c.transport.entries(),
            c.reactions.as_slice(),
        ]
        .concat();
        let state = c.positions.iter().chain(&c.velocities).cloned();
        let rates: Vec<_> = state.zip(c.rates.iter().cloned()).collect();
        Some(Self {
            c,
            flow: Flow::new(&functions, &rates)?,
        })
    }

    /// The rows M_j μ(0) = b_j, j = 0, …, m + 1, each with its right side last. Among them is a level
    /// that adds nothing.
    fn rows<S: Scalar>(&self, start: &[S]) -> Option<Vec<Vec<S>>> {
        let m = self.c.multipliers.len();
        let order = m + 1;
        let all = self.flow.series(start, order)?;
        let (turning, rest) = all.split_at(self.c.turning.entries().len());
        let (transport, reactions) = rest.split_at(m * m);
        let zero = S::of(&Rational::ZERO)?;
        // Column s of Φ for s < m, then p.
        let mut columns = vec![vec![vec![zero; m]]; m + 1];
        for (s, column) in columns.iter_mut().enumerate().take(m) {
            column[0][s] = S::of(&Rational::ONE)?;
        }
        for k in 0..order {
            let step = S::whole(k + 1)?.inverse()?;
            for (s, column) in columns.iter_mut().enumerate() {
                let mut next = Vec::with_capacity(m);
                for t in 0..m {
                    let turned = (0..m).fold(zero, |sum, u| {
                        (0..=k).fold(sum, |sum, i| {
                            sum.plus(transport[t * m + u][i].times(column[k - i][u]))
                        })
                    });
                    let pushed = if s == m { reactions[t][k] } else { zero };
                    next.push(pushed.plus(turned.negative()?).times(step));
                }
                column.push(next);
            }
        }
        let mut rows = Vec::new();
        for j in 0..=order {
            for entries in turning.chunks(m) {
                let mut row = Vec::with_capacity(m + 1);
                for column in &columns {
                    row.push((0..m).fold(zero, |sum, u| {
                        (0..=j).fold(sum, |sum, i| {
                            sum.plus(entries[u][i].times(column[j - i][u]))
                        })
                    }));
                }
                row[m] = row[m].negative()?;
                rows.push(row);
            }
        }
        Some(rows)
    }

    /// The answer at generic states; `None` where too few random states have values.
    pub(super) fn generic(&self, effort: Effort) -> Option<Answer> {
        let m = self.c.multipliers.len();
        let mut dimensions = Vec::new();
        for point in 0..MOST_POINTS {
            if effort.is_spent() {
                return None;
            }
            let start = self.flow.residues(&self.c.on, point);
            let Some(rows) = start.and_then(|start| self.rows(&start)) else {
                continue;
            };
            match eliminate(&rows, m) {
                Answer::Consistent { dimension } => dimensions.push(dimension),
                contradiction => return Some(contradiction),
            }
            if dimensions.len() == AGREEING {
                break;
            }
        }
        // Residues take one branch of a root: what vanishes there need not on the one that is real. Hidden relations
        // between functions lower the ranks.
        if self.flow.has_roots() || !self.is_faithful() {
            return None;
        }
        // Ranks at single states may be smaller than the generic one, never greater.
        let dimension = *dimensions.iter().min()?;
        (dimensions.len() == AGREEING).then_some(Answer::Consistent { dimension })
    }

    /// Are the ranks of residues those of the functions?
    fn is_faithful(&self) -> bool {
        let Comparison {
            turning, transport, ..
        } = self.c;
        let all = [
            turning.entries(),
            transport.entries(),
            &self.c.reactions,
            &self.c.rates,
        ];
        residues_are_faithful(&substitute_all(&all.concat(), &self.c.on))
    }

    /// A state with small rational values at which the rows of a plan certainly contradict each other, and by
    /// how much.
    pub(super) fn witness(&self, plan: &Plan) -> Option<(Vec<(Symbol, Rational)>, Enclosure)> {
        let free = free_symbols(&substitute_all(&self.flow.given, &self.c.on));
        (0..MOST_POINTS).find_map(|k| {
            let at = small_point(&free, k)?;
            let start = self.flow.values(&self.c.on, &at)?;
            let value = replay(&self.rows(&start)?, plan)?.0;
            value
                .excludes_zero()
                .then(|| (on_the_space(&self.c.on, at), value))
        })
    }
}

/// A point by the coordinates of the space, in place of the parameters of a chart.
fn on_the_space(on: &[(Symbol, Expr)], at: Vec<(Symbol, Rational)>) -> Vec<(Symbol, Rational)> {
    let values: Vec<Expr> = on.iter().map(|(_, e)| e.clone()).collect();
    let known: Vec<(Symbol, Expr)> = at.iter().map(|(s, r)| (s.clone(), r.into())).collect();
    let parameters = free_symbols(&values);
    let others = at.iter().filter(|(s, _)| !parameters.contains(s)).cloned();
    let coordinates = on.iter().zip(substitute_all(&values, &known));
    let coordinates =
        coordinates.filter_map(|((s, _), e)| Some((s.clone(), e.as_number()?.clone())));
    others.chain(coordinates).collect()
}

/// The answer at generic states with its evidence; `None` where there is none.
pub(super) fn outcome(c: &Comparison, effort: Effort) -> Option<Outcome> {
    let conditions = Conditions::of(c)?;
    Some(match conditions.generic(effort)? {
        Answer::Consistent { dimension } => Outcome::Solvable { dimension },
        Answer::Contradiction(plan) => {
            let (witness, value) = conditions.witness(&plan)?;
            Outcome::Inconsistent {
                residual: None,
                witness,
                value,
            }
        }
    })
}

/// row − (its pivot entry)·pivot row, for a pivot row with 1 in its pivot.
fn reduce<S: Scalar>(row: &mut [S], pivot: usize, by: &[S]) -> Option<()> {
    let factor = row[pivot].negative()?;
    for (x, y) in row.iter_mut().zip(by) {
        *x = x.plus(factor.times(*y));
    }
    Some(())
}

/// Scales a row to 1 in its pivot.
fn normalise<S: Scalar>(row: &mut [S], pivot: usize) -> Option<()> {
    let scale = row[pivot].inverse()?;
    row.iter_mut().for_each(|x| *x = x.times(scale));
    Some(())
}

fn eliminate(rows: &[Vec<Residue>], m: usize) -> Answer {
    let mut kept: Vec<(usize, Vec<Residue>)> = Vec::new();
    let mut pivots = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut row = row.clone();
        let reduced = kept.iter().try_for_each(|(p, by)| reduce(&mut row, *p, by));
        debug_assert!(reduced.is_some(), "residues have negatives");
        match (0..m).find(|&s| !row[s].is_zero()) {
            Some(p) if normalise(&mut row, p).is_some() => {
                kept.push((p, row));
                pivots.push((i, p));
            }
            _ if row[m].is_zero() => {}
            _ => return Answer::Contradiction(Plan { pivots, misfit: i }),
        }
    }
    Answer::Consistent {
        dimension: m - kept.len(),
    }
}

/// What is left of the misfit when the rows are eliminated in the order of the plan.
fn replay<S: Scalar>(rows: &[Vec<S>], plan: &Plan) -> Option<S> {
    let mut kept: Vec<(usize, Vec<S>)> = Vec::new();
    for &(i, p) in &plan.pivots {
        let mut row = rows[i].clone();
        for (q, by) in &kept {
            reduce(&mut row, *q, by)?;
        }
        normalise(&mut row, p)?;
        kept.push((p, row));
    }
    let mut row = rows[plan.misfit].clone();
    for (q, by) in &kept {
        reduce(&mut row, *q, by)?;
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vakonomic::prolongation;
    use rattleback_language::{Source, parse};
    use rattleback_mechanics::Problem;

    fn comparison(text: &str) -> Comparison {
        let model = parse(&Source::new("test.mech", text))
            .model
            .expect("a model");
        let system = Problem::from_model(&model).expect("a system").system;
        Comparison::of(&system).expect("a comparison")
    }

    /// Series and formulas agree, in the dimension of the solutions too; the witness of a
    /// contradiction is one for the formulas as well.
    #[test]
    fn series_say_what_formulas_say() {
        let kinetic = "kinetic (x'^2 + y'^2 + z'^2)/2\n";
        let systems = [
            format!("system a\ncoord x, y, z\n{kinetic}constraint z' = y*x' - x*y'\n"),
            format!("system b\ncoord x, y, z\n{kinetic}constraint z' = x*y'\n"),
            format!("system c\ncoord x, y, z\n{kinetic}constraint z' = y*x' + x*y'\n"),
            format!("system d\ncoord x, y, z\n{kinetic}constraint z' = sin(t) + y*x'\n"),
            "system e\ncoord u, v, x, y\nkinetic (u'^2 + v'^2 + x'^2 + y'^2)/2\n\
             constraint x' = cos(v)*u'\nconstraint y' = sin(v)*u'\n"
                .into(),
            "system f\nparam A = 2, B = 3\nassume A > 0, B > 0\ngroup R : SO(3) velocity w\n\
             lagrangian (A*w[1]^2 + B*w[2]^2 + w[3]^2)/2\nconstraint w[3] = 0\n"
                .into(),
        ];
        for text in &systems {
            let c = comparison(text);
            let formulas = prolongation::generic(&c, Effort::unlimited());
            match (outcome(&c, Effort::unlimited()), formulas) {
                (Some(Outcome::Solvable { dimension }), Outcome::Consistent(found)) => {
                    assert_eq!(dimension, found.dimension(), "{text}");
                }
                (
                    Some(Outcome::Inconsistent { witness, value, .. }),
                    Outcome::Inconsistent { residual, .. },
                ) => {
                    assert!(value.excludes_zero());
                    let at: Vec<(Symbol, f64)> = witness
                        .iter()
                        .map(|(s, r)| (s.clone(), r.to_f64()))
                        .collect();
                    let residual = residual.expect("a formula").substitute(&c.on);
                    assert!(
                        residual.evaluate(&at).expect("a value").abs() > 1e-9,
                        "{text}"
                    );
                }
                (series, formulas) => panic!("{text}: {series:?} {formulas:?}"),
            }
        }
    }
}
