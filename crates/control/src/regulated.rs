//! The regulators of a problem's cost about a state, and what they do not hold.

use crate::constancy::{Change, Course, changes};
use crate::orbit::Orbit;
use crate::plant::Plant;
use crate::point::StatePoint;
use crate::reach::Reach;
use crate::regulator::{Cost, LinearQuadratic, NoRegulator};
use crate::steady::Steady;
use crate::symmetries::{Carriers, is_shift};
use rattleback_mechanics::{Chart, LinearSystem, NamedSection, Problem, VariationalEquations};
use rattleback_numeric::Regulator;
use rattleback_symbolic::{Expr, Symbol};

/// Regulators about a state.
#[derive(Clone, Debug)]
pub struct Regulated {
    /// That with controls at all times, or why there is none.
    pub continuous: Result<Regulator, NoRegulator>,
    /// The same for controls that are held over a step of the model's time, which stands beside it; none where there is no
    /// step.
    pub sampled: Option<(f64, Result<Regulator, NoRegulator>)>,
    /// Symmetries along which the state may go: neither plant nor cost tell where it is.
    pub unheld: Vec<Unheld>,
}

/// A symmetry along which a regulator lets the state go.
#[derive(Clone, Debug)]
pub struct Unheld {
    /// The symmetry.
    pub name: String,
    /// The field as a person writes it.
    pub field: String,
    /// Does it shift coordinates, all states alike?
    pub is_shift: bool,
}

/// A linear system with where and how it was found.
pub(crate) struct Spot<'a> {
    pub linear: &'a LinearSystem<f64>,
    pub chart: &'a Chart,
    pub follow: &'a [Vec<f64>],
    pub equations: &'a VariationalEquations,
    pub constants: &'a [(Symbol, f64)],
    pub point: &'a StatePoint,
    pub inputs: &'a [f64],
    pub reach: &'a Reach,
}

/// The regulators of a problem's cost; `obstacle` is why there can be none, `unsure` why the whole state may not be held.
pub(crate) fn regulated(
    problem: &Problem,
    plant: &Plant,
    spot: &Spot<'_>,
    obstacle: Option<NoRegulator>,
    unsure: Option<NoRegulator>,
) -> Option<Regulated> {
    if problem.costs.is_empty() || plant.controls.is_empty() {
        return None;
    }
    let cost = Cost {
        expr: &Expr::sum(problem.costs.iter().cloned()),
        inputs: &plant.controls,
        values: spot.inputs,
        point: spot.point,
        reach: spot.reach,
        constants: spot.constants,
    };
    let posed = obstacle.map_or_else(
        || LinearQuadratic::of(spot.equations, spot.chart, spot.linear, spot.follow, &cost),
        Err,
    );
    let step = problem.horizon.as_ref().and_then(|h| h.step.as_ref());
    let step = step.and_then(|h| problem.values.number(h));
    let step = step.filter(|h| *h > 0.0 && h.is_finite());
    let posed = match posed {
        Ok(posed) => posed,
        Err(why) => {
            return Some(Regulated {
                continuous: Err(why.clone()),
                sampled: step.map(|h| (h, Err(why))),
                unheld: Vec::new(),
            });
        }
    };
    let whole = Regulated {
        continuous: posed.regulator(None),
        sampled: step.map(|h| (h, posed.regulator(Some(h)))),
        unheld: Vec::new(),
    };
    match (&whole.continuous, unsure) {
        (Ok(_), None) => Some(whole),
        (_, unsure) => {
            let across = modulo_symmetries(problem, plant, spot, &posed, step);
            let refused = |why: NoRegulator| Regulated {
                continuous: Err(NoRegulator::clone(&why)),
                sampled: step.map(|h| (h, Err(why))),
                unheld: Vec::new(),
            };
            across.or_else(|| Some(unsure.map_or(whole, refused)))
        }
    }
}

/// The regulator that lets the state go along symmetries of plant and cost: those that are stated, or else all that are
/// found.
fn modulo_symmetries(
    problem: &Problem,
    plant: &Plant,
    spot: &Spot<'_>,
    posed: &LinearQuadratic,
    step: Option<f64>,
) -> Option<Regulated> {
    let moving = Plant::of(problem, true).ok()?;
    Carriers::ALL.iter().find_map(|carriers| {
        let mut fields = carriers.of(&moving.system);
        fields.retain(|f| carries_all(problem, plant, spot, f));
        let steady = Steady::new(
            &moving.system,
            &moving.variational,
            &fields,
            &moving.constants,
        );
        let (_, directions) = steady.ok()??.fields(spot.point).ok()?;
        let independent = |v: &Vec<f64>| spot.chart.independent.iter().map(|&i| v[i]).collect();
        let directions: Vec<Vec<f64>> = directions.iter().map(independent).collect();
        let orbit = Orbit::of(&directions).filter(|orbit| posed.keeps(orbit))?;
        let found = posed.regulator_modulo(&orbit, None).ok()?;
        let moves = fields.into_iter().zip(&directions);
        let moves = moves.filter(|(_, v)| v.iter().any(|x| *x != 0.0));
        Some(Regulated {
            continuous: Ok(found),
            sampled: step.map(|h| (h, posed.regulator_modulo(&orbit, Some(h)))),
            unheld: moves
                .map(|(symmetry, _)| Unheld {
                    is_shift: is_shift(&moving.system, &symmetry),
                    field: moving.system.written(&symmetry.components),
                    name: symmetry.name,
                })
                .collect(),
        })
    })
}

/// Does a symmetry carry controls and cost along, wherever the state goes?
fn carries_all(problem: &Problem, plant: &Plant, spot: &Spot<'_>, field: &NamedSection) -> bool {
    let course = Course {
        fields: std::slice::from_ref(field),
        rates: vec![1.0],
        exact: Some(vec![Expr::one()]),
        point: spot.point,
        values: problem.values.pairs(),
    };
    let changes = changes(problem, plant, &course);
    changes.iter().all(Change::is_of_no_cost)
}
