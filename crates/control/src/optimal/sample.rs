//! Rates, cost and bounds at one point of an interval.

use super::node::local;
use super::posed::Posed;
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

/// A point by expressions of local variables.
#[derive(Clone, Debug)]
pub(super) struct Where {
    /// Positions of the model.
    pub base: Vec<Expr>,
    /// The other components of the state.
    pub components: Vec<Expr>,
    /// The controls; none at a node without any.
    pub controls: Option<Vec<Expr>>,
    /// The time.
    pub time: Expr,
}

/// What holds there.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Systems that are solved first.
    pub stages: Vec<Stage>,
    /// The ambient velocity.
    pub velocity: Vec<Expr>,
    /// The rates of the components.
    pub rates: Vec<Expr>,
    /// The running cost.
    pub cost: Expr,
    /// The values of the path bounds that can be told there, by their numbers.
    pub paths: Vec<(usize, Expr)>,
    /// What vanishes there.
    pub equalities: Vec<Expr>,
}

impl Sample {
    /// The plant at a point; `tag` keeps the unknowns of its systems apart from those of others.
    pub fn of(posed: &Posed, at: &Where, tag: &str) -> Self {
        let plant = &posed.plant;
        let mut pairs: Vec<(Symbol, Expr)> = Vec::new();
        pairs.extend(plant.base().iter().cloned().zip(at.base.iter().cloned()));
        let components = plant.components.iter().map(|c| c.symbol.clone());
        pairs.extend(components.zip(at.components.iter().cloned()));
        let controls = at.controls.iter().flatten().cloned();
        pairs.extend(plant.controls.iter().cloned().zip(controls));
        pairs.push((Symbol::time(), at.time.clone()));
        let unknowns = plant.stages.iter().flat_map(|s| s.unknowns().to_vec());
        pairs.extend(unknowns.map(|s| (s.clone(), local(&s.to_string(), tag).into())));
        let put = |all: &[Expr]| substitute_all(all, &pairs);
        let rename = |s: &Symbol| local(&s.to_string(), tag);
        let stages = plant.stages.iter().map(|stage| match stage {
            Stage::Linear {
                unknowns,
                matrix,
                rhs,
            } => {
                let (rows, columns) = (matrix.rows(), matrix.cols());
                let entries = put(matrix.entries());
                Stage::Linear {
                    unknowns: unknowns.iter().map(rename).collect(),
                    matrix: Matrix::new(rows, columns, |i, j| entries[i * columns + j].clone()),
                    rhs: put(rhs),
                }
            }
            Stage::Implicit {
                unknowns,
                residuals,
            } => Stage::Implicit {
                unknowns: unknowns.iter().map(rename).collect(),
                residuals: put(residuals),
            },
        });
        let has_controls = at.controls.is_some();
        let paths = posed.paths.iter().enumerate();
        let paths = paths.filter(|(_, b)| has_controls || !b.on_controls);
        let equalities: Vec<Expr> = match has_controls {
            true => plant.equalities.iter().map(|(e, _)| e.clone()).collect(),
            false => Vec::new(),
        };
        Self {
            stages: match has_controls {
                true => stages.collect(),
                false => Vec::new(),
            },
            velocity: put(&plant.velocity),
            rates: match has_controls {
                true => put(&plant.rates),
                false => Vec::new(),
            },
            cost: match has_controls {
                true => plant.cost.substitute(&pairs),
                false => Expr::zero(),
            },
            paths: paths
                .map(|(i, b)| (i, b.value.substitute(&pairs)))
                .collect(),
            equalities: put(&equalities),
        }
    }
}
