//! The linear system of a problem about a state, and what it tells.

use crate::claims::{Claims, dense};
use crate::constancy::{Change, Course, changes};
use crate::entries::{Found, is_zero_constant};
use crate::equilibrium::{Rest, is_undone};
use crate::error::{EquilibriumError, LinearizeError};
use crate::nearest::{MOST_DESCENTS, Nearest};
use crate::noise::rates_and_slopes;
use crate::plant::Plant;
use crate::point::{StatePoint, simple_rate};
use crate::reach::Reach;
use crate::regulated::{Regulated, Spot, regulated};
use crate::regulator::NoRegulator;
use crate::steady::{Steady, rates};
use crate::symmetries::only_coordinate;
use rattleback_compile::{LinearizationError, Linearizer};
use rattleback_mechanics::{
    Chart, LinearSystem, NamedSection, Problem, Stage, System, VariationalEquations,
};
use rattleback_numeric::Eigen;
use rattleback_symbolic::{
    Expr, Kind, Symbol, diff_all, postorder, prove_all_zero, substitute_all,
};

/// About which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The start.
    Start,
    /// The equilibrium nearest to the start.
    Equilibrium,
    /// The steady motion nearest to the start.
    Steady,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Question {
    /// About which state.
    pub place: Place,
    /// Are the laws of the inputs part of the system?
    pub closed: bool,
    /// The symmetries that may carry a steady motion.
    pub symmetries: Vec<NamedSection>,
}

/// A linear system about a state with what it tells.
#[derive(Clone, Debug)]
pub struct Linearization {
    /// The state.
    pub at: Vec<(String, f64)>,
    /// How far it is from the start.
    pub away: f64,
    /// The time.
    pub time: f64,
    /// The controls with their values there.
    pub inputs: Vec<(String, f64)>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// Outputs that have no finite slopes there, and are left out.
    pub without_slopes: Vec<String>,
    /// A, B, C, D in numbers.
    pub numbers: LinearSystem<f64>,
    /// The same in the parameters, or why there is no such form.
    pub exact: Result<LinearSystem<Expr>, String>,
    /// Does nothing move there, in the frame that moves with the symmetries?
    pub at_rest: bool,
    /// What is not known to stay as it is along the motion: claims and regulators are for systems that do.
    pub changes: Vec<Change>,
    /// The symmetries that carry the state along with their rates: then A is that of the frame that moves with them.
    pub steady: Vec<Carried>,
    /// Symmetries that would carry the state along as those before them do: in their frames A is another.
    pub idle: Vec<String>,
    /// How each independent direction is read off the entries of the state: x_k − x0_k = Σ_i N_ki (s_i − s0_i).
    pub readings: Vec<Vec<(String, f64)>>,
    /// Eigenvalues with their modes.
    pub eigen: Eigen,
    /// Controllable, stabilisable, observable?
    pub claims: Claims,
    /// The regulators of the cost; none where there is no cost, or nothing to steer by.
    pub regulated: Option<Regulated>,
}

/// A symmetry that carries a steady motion along.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The symmetry.
    pub symmetry: NamedSection,
    /// How fast.
    pub rate: f64,
    /// The coordinate that it moves at that speed, where it moves nothing else.
    pub coordinate: Option<Symbol>,
}

/// The part of a rate that is rounding.
const ROUNDING: f64 = 1e-12;

/// Rates that changes of the start by this part explain are none.
const AT_REST: f64 = 1e-9;

/// Parts of the time at which a state must rest too: none is a simple part of a period.
const MOMENTS: [f64; 4] = [0.012_37, 0.141_593, 0.527_13, 0.918_27];

/// Equations with more nodes than this are linearised in numbers only.
const LONGEST: usize = 20_000;

/// More unknowns than this are not solved for where the state puts constants such as cos(1/20) into their matrix: nothing
/// cancels between such constants, and the formulas grow with the factorial of the unknowns.
const MOST_AMONG_CONSTANTS: usize = 3;

/// Where a problem is linearised, and what carries that state along.
struct Located {
    point: StatePoint,
    /// How far it is from the start.
    away: f64,
    steady: Vec<Carried>,
    idle: Vec<String>,
    /// How far it was looked for.
    reach: Reach,
}

impl Linearization {
    /// Linearises a problem.
    pub fn of(problem: &Problem, question: &Question) -> Result<Self, LinearizeError> {
        let plant = Plant::of(problem, question.closed)?;
        let there = located(problem, &plant, question)?;
        let (point, steady) = (there.point, there.steady);
        let u = plant.input_values(point.time, &point.state)?;
        let mut reach = Reach::of(&plant.system, &point, &u);
        reach.extend(&there.reach);
        let frame = Frame::of(&plant, &steady);
        let (seen, without_slopes) = frame.smooth_outputs(&plant, &point, &u);
        let (names, outputs): (Vec<String>, Vec<Expr>) = seen.into_iter().unzip();
        let linearizer = frame.linearizer(&plant, &outputs)?;
        let (mut numbers, chart, follow) =
            linearizer.at_with_chart(point.time, &point.state, &u, None)?;
        let formulas = Formulas {
            plant: &plant,
            point: &point,
            fields: &frame.fields,
            steady: &steady,
            chart: &chart,
            outputs: &outputs,
        };
        let time = problem.start_time();
        let at_rest = rests(problem, &plant, question, &point, |t, u| {
            if t == point.time && formulas.rest(&time, problem.values.pairs()) {
                return Ok(true);
            }
            rests_to_rounding(&plant.system, &linearizer, &point, (t, u), &reach)
        })?;
        let changes = formulas.changes(problem);
        let exact = formulas.at(time);
        let found = Found {
            system: &plant.system,
            linearizer: &linearizer,
            point: &point,
            inputs: &u,
            chart: &chart,
            reach: &reach,
        };
        let claims = found.claims(&mut numbers, exact.as_ref().ok(), problem.values.pairs())?;
        let claims = claims.where_constant(at_rest, &changes);
        let regulated = regulated(
            problem,
            &plant,
            &Spot {
                linear: &numbers,
                chart: &chart,
                follow: &follow,
                equations: &frame.variational,
                constants: &frame.constants,
                point: &point,
                inputs: &u,
                reach: &reach,
            },
            obstacle(at_rest, &changes),
            claims.unsure().map(NoRegulator::Unsure),
        );
        let anchor = linearizer.anchor(point.time, &point.state, &u)?;
        let state = plant.equations.state.iter().map(ToString::to_string);
        let state: Vec<String> = state.collect();
        let controls = plant.controls.iter().map(ToString::to_string);
        Ok(Self {
            readings: readings(&plant.system, &chart, &anchor, &state),
            at: state.into_iter().zip(point.state.iter().copied()).collect(),
            away: there.away,
            time: point.time,
            inputs: controls.zip(u).collect(),
            outputs: names,
            without_slopes,
            at_rest,
            eigen: Eigen::of(&dense(&numbers.a, numbers.state.len()))?,
            claims,
            changes,
            steady,
            idle: there.idle,
            numbers,
            exact,
            regulated,
        })
    }
}

/// The frame that moves with the symmetries that carry a state along.
struct Frame {
    fields: Vec<NamedSection>,
    /// How neighbours move in it, with the rates of the symmetries among the constants.
    variational: VariationalEquations,
    constants: Vec<(Symbol, f64)>,
}

impl Frame {
    fn of(plant: &Plant, steady: &[Carried]) -> Self {
        let fields: Vec<NamedSection> = steady.iter().map(|c| c.symmetry.clone()).collect();
        let symbols = rates(fields.len());
        let open: Vec<Expr> = symbols.iter().map(Expr::from).collect();
        let variational = plant.variational.moving_with(&plant.system, &fields, &open);
        let mut constants = plant.constants.clone();
        constants.extend(symbols.into_iter().zip(steady.iter().map(|c| c.rate)));
        Self {
            variational: variational.unwrap_or_else(|| plant.variational.clone()),
            fields,
            constants,
        }
    }

    fn linearizer(&self, plant: &Plant, outputs: &[Expr]) -> Result<Linearizer, LinearizeError> {
        let (equations, constants) = (&self.variational, &self.constants);
        Ok(Linearizer::new(
            equations,
            constants,
            &plant.controls,
            outputs,
        )?)
    }

    /// The outputs that have slopes at the point, and the names of those that have none.
    fn smooth_outputs(
        &self,
        plant: &Plant,
        point: &StatePoint,
        u: &[f64],
    ) -> (Vec<(String, Expr)>, Vec<String>) {
        let has_slopes = |outputs: &[Expr]| {
            let alone = self.linearizer(plant, outputs).ok();
            let found = alone.map(|l| l.at_with_chart(point.time, &point.state, u, None));
            !matches!(found, Some(Err(LinearizationError::NotFinite)))
        };
        let (names, outputs) = plant.outputs();
        let all_have = has_slopes(&outputs);
        let observed = names.into_iter().zip(outputs);
        let (seen, left_out): (Vec<_>, Vec<_>) =
            observed.partition(|(_, e)| all_have || has_slopes(std::slice::from_ref(e)));
        (seen, left_out.into_iter().map(|(name, _)| name).collect())
    }
}

/// Why there can be no regulator.
fn obstacle(at_rest: bool, changes: &[Change]) -> Option<NoRegulator> {
    if !at_rest {
        return Some(NoRegulator::Moves);
    }
    let change = changes.iter().find(|c| !c.is_of_no_cost());
    change.cloned().map(NoRegulator::Varies)
}

/// The part of its size by which a state is moved to see how fast it moves elsewhere.
const ELSEWHERE: f64 = 0.3;

/// How fast a state moves at others: a body that falls alike everywhere does not rest, however stiff something else is.
fn usual_rates(
    system: &System,
    linearizer: &Linearizer,
    point: &StatePoint,
    (t, u): (f64, &[f64]),
    reach: &Reach,
) -> Vec<f64> {
    let mut usual: Vec<f64> = Vec::new();
    for k in 0..4 {
        let sign = |i: usize| if (i + k).is_multiple_of(3) { -1.0 } else { 1.0 };
        let far = reach.of_directions().iter().enumerate();
        let by: Vec<f64> = far
            .map(|(i, s)| ELSEWHERE * sign(i) * s.max(f64::MIN_POSITIVE))
            .collect();
        let there = linearizer.rest(t, &point.moved(system, &by), u);
        let Ok((rates, _)) = there else { continue };
        usual.resize(rates.len(), 0.0);
        usual
            .iter_mut()
            .zip(rates)
            .for_each(|(a, b)| *a = a.max(b.abs()));
    }
    usual
}

/// Does the state rest, and not only for a moment where equations or laws contain the time?
fn rests(
    problem: &Problem,
    plant: &Plant,
    question: &Question,
    point: &StatePoint,
    rests_at: impl Fn(f64, &[f64]) -> Result<bool, LinearizeError>,
) -> Result<bool, LinearizeError> {
    let at = |t: f64| rests_at(t, &plant.input_values(t, &point.state)?);
    let now = at(point.time)?;
    match question.place {
        _ if now => {}
        Place::Start => return Ok(false),
        Place::Equilibrium => return Err(LinearizeError::Equilibrium(EquilibriumError::Moves)),
        Place::Steady => return Err(LinearizeError::Steady(EquilibriumError::Moves)),
    }
    if !plant.depends_on_time() {
        return Ok(true);
    }
    let until = problem.horizon.as_ref();
    let until = until.and_then(|h| problem.values.number(&h.to));
    let span = until.map_or(1.0, |until| until - point.time);
    for part in MOMENTS {
        let time = point.time + part * span;
        if !at(time)? {
            let only_now = EquilibriumError::OnlyNow { time: point.time };
            return match question.place {
                Place::Start => Ok(false),
                Place::Equilibrium => Err(LinearizeError::Equilibrium(only_now)),
                Place::Steady => Err(LinearizeError::Steady(only_now)),
            };
        }
    }
    Ok(true)
}

/// Are the rates at a time, with these inputs, none but for rounding: does a small change of the state undo them, or are they
/// small beside what they usually are?
fn rests_to_rounding(
    system: &System,
    linearizer: &Linearizer,
    point: &StatePoint,
    at: (f64, &[f64]),
    reach: &Reach,
) -> Result<bool, LinearizeError> {
    let (rest, slopes) = rates_and_slopes(system, linearizer, point, at)?;
    let open = reach.unexplained(&rest, &slopes, AT_REST);
    let is_rounding = |usual: Vec<f64>| -> bool {
        let small = |i: usize, most: &f64| rest[i].abs() <= AT_REST * most;
        open.iter()
            .all(|&i| usual.get(i).is_some_and(|most| small(i, most)))
    };
    let explained =
        reach.explains(&rest, &slopes, AT_REST) && is_undone(reach, &rest, &slopes, AT_REST);
    let usual = || usual_rates(system, linearizer, point, at, reach);
    Ok(explained && (open.is_empty() || is_rounding(usual())))
}

/// The equilibrium nearest to the start.
fn nearest_equilibrium(
    problem: &Problem,
    moving: &Plant,
    start: &StatePoint,
) -> Result<Located, LinearizeError> {
    let search = Linearizer::new(&moving.variational, &moving.constants, &[], &[])?;
    let nearest = Nearest {
        system: &moving.system,
        linearizer: &search,
        inputs: &|_| Ok(Vec::new()),
        around: moving.system.frame().rank(),
        left: MOST_DESCENTS.into(),
    };
    // All of them are at rest: velocities neither tell them apart nor show the way.
    let resting = start.resting(&moving.velocities());
    let found = nearest.to(&resting, &resting);
    let Rest { point, reach, .. } = found.map_err(LinearizeError::Equilibrium)?;
    let sizes = reach.of_entries(&moving.system);
    Ok(Located {
        away: point.away(start),
        point: point.recognised(problem, moving, &[], &[], &sizes),
        steady: Vec::new(),
        idle: Vec::new(),
        reach: reach.of_state(),
    })
}

/// The state that is asked for.
fn located(
    problem: &Problem,
    plant: &Plant,
    question: &Question,
) -> Result<Located, LinearizeError> {
    let start = StatePoint::start(problem, &plant.system, &plant.equations, &plant.start)?;
    // The state is sought for the motion with its laws, whether the loop is open afterwards or not.
    let moving = Plant::of(problem, true)?;
    let constants = &moving.constants;
    let own = Reach::of(&plant.system, &start, &[]);
    let steady = Steady::new(
        &moving.system,
        &moving.variational,
        &question.symmetries,
        constants,
    )?;
    let carried = |rates: Vec<f64>| {
        let all = question.symmetries.iter().zip(rates);
        all.filter(|(_, rate)| *rate != 0.0)
            .map(|(symmetry, rate)| Carried {
                symmetry: symmetry.clone(),
                rate,
                coordinate: only_coordinate(&moving.system, symmetry),
            })
            .collect()
    };
    let named = |all: Vec<usize>| -> Vec<String> {
        let names = all.into_iter().map(|k| question.symmetries[k].name.clone());
        names.collect()
    };
    // A steady motion that the start is on is the nearest.
    let carries = match (question.place, &steady) {
        (Place::Start | Place::Steady, Some(steady)) => {
            let idle = named(steady.idle(&start)?);
            steady.rates_at(&start)?.map(|rates| (rates, idle))
        }
        _ => None,
    };
    match (question.place, steady) {
        (place, _) if place == Place::Start || carries.is_some() => {
            let (rates, idle) = carries.unwrap_or_default();
            Ok(Located {
                point: start,
                away: 0.0,
                steady: carried(rates),
                idle,
                reach: own,
            })
        }
        (Place::Equilibrium, _) => nearest_equilibrium(problem, &moving, &start),
        (_, None) => Err(LinearizeError::NoSymmetry),
        (_, Some(steady)) => {
            let found = steady.nearest(&start, &moving.velocities());
            let found = found.map_err(LinearizeError::Steady)?;
            let rates = steady.fewest_rates(&found)?;
            let Rest { point, reach, .. } = found;
            let sizes = reach.of_entries(&moving.system);
            let point = point.recognised(problem, &moving, &question.symmetries, &rates, &sizes);
            Ok(Located {
                idle: named(steady.idle(&point)?),
                away: point.away(&start),
                point,
                steady: carried(rates),
                reach: reach.of_state(),
            })
        }
    }
}

/// A, B, C, D as formulas, where the state is known exactly.
struct Formulas<'a> {
    plant: &'a Plant,
    point: &'a StatePoint,
    fields: &'a [NamedSection],
    steady: &'a [Carried],
    chart: &'a Chart,
    outputs: &'a [Expr],
}

impl Formulas<'_> {
    /// Those at a time.
    fn at(&self, time: Expr) -> Result<LinearSystem<Expr>, String> {
        let plant = self.plant;
        let (moving, at) = self.moving(time)?;
        if swells(&moving, &at) {
            return Err("formulas of this state would be too long".to_owned());
        }
        moving
            .linear_system(&at, self.chart, &plant.controls, self.outputs)
            .map_err(|e| e.to_string())
    }

    /// Are the rates at a time 0 for these values of the parameters, but for what may be rounding of their constants?
    fn rest(&self, time: &Expr, values: &[(Symbol, Expr)]) -> bool {
        let flow = self.moving(time.clone()).ok().and_then(|(moving, at)| {
            let flow = (!swells(&moving, &at)).then(|| moving.flow_at(&at).ok())?;
            flow.map(|flow| substitute_all(&flow, values))
        });
        flow.is_some_and(|flow| flow.iter().all(is_zero_constant))
    }

    /// The equations in the frame that moves with the state, and the state with its inputs.
    fn moving(&self, time: Expr) -> Result<(VariationalEquations, Vec<(Symbol, Expr)>), String> {
        let plant = self.plant;
        let Some(at) = &self.point.exact else {
            return Err("the state is known in floating point only".to_owned());
        };
        if plant.size() > LONGEST {
            return Err("the equations are too long for formulas".to_owned());
        }
        let rates = self.steady.iter().map(|carried| exact_rate(at, carried));
        let rates: Option<Vec<Expr>> = rates.collect();
        let rates = rates.ok_or("the rate of the symmetry is known in floating point only")?;
        let moving = match rates.is_empty() {
            true => Some(plant.variational.clone()),
            false => plant
                .variational
                .moving_with(&plant.system, self.fields, &rates),
        };
        let moving = moving.ok_or("the symmetry is not lifted to the state")?;
        let mut at = at.clone();
        at.push((Symbol::time(), time));
        let law = |u: &Symbol| (u.clone(), plant.law(u).substitute(&at));
        let inputs: Vec<(Symbol, Expr)> = plant.controls.iter().map(law).collect();
        at.extend(inputs);
        Ok((moving, at))
    }

    /// What is not known to stay as it is along the motion.
    fn changes(&self, problem: &Problem) -> Vec<Change> {
        let exact_rates = |at: &Vec<(Symbol, Expr)>| -> Option<Vec<Expr>> {
            self.steady.iter().map(|c| exact_rate(at, c)).collect()
        };
        let course = Course {
            fields: self.fields,
            rates: self.steady.iter().map(|c| c.rate).collect(),
            exact: self.point.exact.as_ref().and_then(exact_rates),
            values: problem.values.pairs(),
            point: self.point,
        };
        let mut changes = changes(problem, self.plant, &course);
        if changes.contains(&Change::Time) && self.stay() {
            changes.retain(|c| *c != Change::Time);
        }
        changes
    }

    /// Are they proven to be the same at all times?
    fn stay(&self) -> bool {
        let time = Symbol::time();
        self.at(Expr::from(&time)).is_ok_and(|system| {
            let LinearSystem { a, b, c, d, .. } = system;
            let entries: Vec<Expr> = [a, b, c, d].into_iter().flatten().flatten().collect();
            prove_all_zero(&diff_all(&entries, &time)).is_proven()
        })
    }
}

/// Does the state put functions of constants into the matrix of a long solve?
fn swells(equations: &VariationalEquations, at: &[(Symbol, Expr)]) -> bool {
    let functions = |all: &[Expr]| -> Vec<Expr> {
        let nodes = postorder(all, |_| true);
        let is_function = |e: &Expr| matches!(e.kind(), Kind::Function(..));
        nodes.into_iter().filter(is_function).collect()
    };
    equations
        .stages()
        .iter()
        .flat_map(Stage::parts)
        .any(|stage| {
            let Stage::Linear {
                unknowns, matrix, ..
            } = &stage
            else {
                return false;
            };
            let before = functions(matrix.entries());
            let here = || functions(&substitute_all(matrix.entries(), at));
            unknowns.len() > MOST_AMONG_CONSTANTS && here().iter().any(|f| !before.contains(f))
        })
}

/// The rate of a symmetry that moves one coordinate alone is that coordinate's velocity; others are taken as the
/// short fractions that they are.
fn exact_rate(at: &[(Symbol, Expr)], carried: &Carried) -> Option<Expr> {
    let velocity = carried.coordinate.as_ref().map(Symbol::derivative);
    let velocity = velocity.and_then(|v| at.iter().find(|(s, _)| *s == v));
    let velocity = velocity.map(|(_, e)| e.clone());
    velocity.or_else(|| simple_rate(carried.rate, ROUNDING))
}

/// How the independent directions are read off the entries of the state, to first order: η = ρ⁺ δz for positions.
fn readings(
    system: &System,
    chart: &Chart,
    anchor: &[Vec<f64>],
    state: &[String],
) -> Vec<Vec<(String, f64)>> {
    let sections = system.frame().rank();
    let positions = system.frame().base().len();
    let read = |&k: &usize| -> Vec<(String, f64)> {
        if k >= sections {
            return vec![(state[positions + k - sections].clone(), 1.0)];
        }
        let factor = system.factors().iter().find(|f| f.fibre.contains(&k));
        let Some(factor) = factor else {
            return Vec::new();
        };
        let (rows, columns) = (factor.base.clone(), factor.fibre.clone());
        let n = columns.len();
        let entry = |i: usize, a: usize| anchor[i][columns.start + a];
        let product = |a: usize, b: usize| rows.clone().map(|i| entry(i, a) * entry(i, b)).sum();
        let mut unit: Vec<f64> = (0..n)
            .map(|a| f64::from(u8::from(columns.start + a == k)))
            .collect();
        let mut matrix: Vec<f64> = (0..n * n).map(|at| product(at / n, at % n)).collect();
        if rattleback_numeric::solve_scaled(&mut matrix, &mut unit).is_err() {
            return Vec::new();
        }
        let weight = |i: usize| (0..n).map(|a| entry(i, a) * unit[a]).sum::<f64>();
        let all = rows.clone().map(|i| (state[i].clone(), weight(i)));
        all.filter(|(_, w)| *w != 0.0).collect()
    };
    chart.independent.iter().map(read).collect()
}
