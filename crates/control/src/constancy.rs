//! What of a linear system changes along the motion that it is about: with time, or where symmetries carry the state on
//! and leave controls, outputs or cost behind.

use crate::plant::Plant;
use crate::point::StatePoint;
use rattleback_mechanics::{NamedSection, Problem};
use rattleback_symbolic::{Expr, Symbol, diff_all, prove_all_zero, substitute_all};

/// Something that is not known to stay as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Change {
    /// The equations contain the time.
    #[error("the equations contain the time: A and B are those of one moment")]
    Time,
    /// A control pushes elsewhere as the state is carried on.
    #[error(
        "control {0} is not carried along by the symmetries of the motion: B changes in the frame that moves with it"
    )]
    Control(String),
    /// An output.
    #[error("output {0} changes along the motion by itself: C is that of one moment")]
    Output(String),
    /// The cost.
    #[error("the cost changes along the motion by itself: no constant gains fit it")]
    Cost,
}

impl Change {
    /// Do the motions of the plant change with it?
    pub fn is_of_plant(&self) -> bool {
        matches!(self, Change::Time | Change::Control(_))
    }

    /// Does what is seen of the motions change?
    pub fn is_of_outputs(&self) -> bool {
        matches!(self, Change::Time | Change::Output(_))
    }

    /// Does it leave a regulator as it is?
    pub fn is_of_no_cost(&self) -> bool {
        matches!(self, Change::Output(_))
    }
}

/// A motion that symmetries carry along, z(t) = exp(t Σ ω_k ξ_k) z.
pub(crate) struct Course<'a> {
    /// The symmetries.
    pub fields: &'a [NamedSection],
    /// Their rates, and the same exactly where they are known so.
    pub rates: Vec<f64>,
    pub exact: Option<Vec<Expr>>,
    /// The state.
    pub point: &'a StatePoint,
    /// The values of the parameters.
    pub values: &'a [(Symbol, Expr)],
}

/// What is not known to be constant along a motion.
pub(crate) fn changes(problem: &Problem, plant: &Plant, course: &Course<'_>) -> Vec<Change> {
    let system = &plant.system;
    let mut all = Vec::new();
    all.extend(plant.has_time().then_some(Change::Time));
    for u in &plant.controls {
        let pushes = |f: &NamedSection| -> Vec<Expr> {
            let forces = system.changes_of_forces(&f.components);
            let lagrangian = system.change_along(&f.components, system.lagrangian());
            let parts = forces.iter().chain([&lagrangian]);
            parts.map(|e| e.diff(u)).collect()
        };
        let each: Vec<Vec<Expr>> = course.fields.iter().map(pushes).collect();
        let parts = each.first().map_or(0, Vec::len);
        let terms = |i: usize| each.iter().map(|e| e[i].clone()).collect();
        let is_constant = (0..parts).all(|i| course.cancel(plant, Expr::zero(), terms(i)));
        all.extend((!is_constant).then(|| Change::Control(u.to_string())));
    }
    let along = |e: &Expr| -> Vec<Expr> {
        let fields = course.fields.iter();
        fields
            .map(|f| system.change_along(&f.components, e))
            .collect()
    };
    let time = Symbol::time();
    let unknowns = plant.equations.stages.iter().flat_map(|s| s.unknowns());
    let unknowns: Vec<Symbol> = unknowns.cloned().collect();
    // What a solve gives is carried along as the equations are, which only the whole of them would show.
    let is_open = |e: &Expr| !course.fields.is_empty() && e.contains_any(&unknowns);
    // An output may grow evenly: its slopes C stay.
    let keeps_slopes = |e: &Expr| {
        let all = [vec![e.diff(&time)], along(e)].concat();
        let by_directions = plant.variational.directions().iter();
        let by_directions = by_directions.map(|d| plant.variational.along(d, &all));
        let by_controls = plant.controls.iter().map(|u| diff_all(&all, u));
        let mut slopes = by_directions.chain(by_controls);
        slopes.all(|mut slope| {
            let by_time = slope.remove(0);
            course.cancel(plant, by_time, slope)
        })
    };
    let (names, outputs) = plant.outputs();
    let changing = names.into_iter().zip(&outputs);
    let changing = changing.filter(|(_, e)| is_open(e) || !keeps_slopes(e));
    all.extend(changing.map(|(name, _)| Change::Output(name)));
    let cost = Expr::sum(problem.costs.iter().cloned());
    let is_regulated = !plant.controls.is_empty();
    let is_constant = || course.cancel(plant, cost.diff(&time), along(&cost));
    all.extend((is_regulated && !is_constant()).then_some(Change::Cost));
    all
}

/// Random numbers of the size of one, in no simple relation.
const OFF: [f64; 5] = [0.337_31, -0.561_22, 0.914_69, -0.261_50, 0.717_15];
/// What is left of terms that cancel, beside their size.
const ROUNDING: f64 = 1e-9;

impl Course<'_> {
    /// Is e + Σ ω_k f_k = 0 wherever the state may be? Proven for all rates or for these; where these are known in floating
    /// point only, seen at states off the motion.
    fn cancel(&self, plant: &Plant, e: Expr, f: Vec<Expr>) -> bool {
        let on_groups = plant.system.parametrization();
        let is_zero = |all: Vec<Expr>| {
            let all = substitute_all(&all, on_groups);
            // What is true may be special to the values.
            prove_all_zero(&all).is_proven()
                || prove_all_zero(&substitute_all(&all, self.values)).is_proven()
        };
        if is_zero([std::slice::from_ref(&e), &f[..]].concat()) {
            return true;
        }
        match &self.exact {
            Some(rates) => {
                let terms = rates.iter().zip(&f).map(|(w, f)| w * f);
                is_zero(vec![e + Expr::sum(terms)])
            }
            None => (0..OFF.len()).all(|k| self.cancel_at(plant, &e, &f, k)),
        }
    }

    fn cancel_at(&self, plant: &Plant, e: &Expr, f: &[Expr], k: usize) -> bool {
        let system = &plant.system;
        let off = |i: usize| OFF[(i + k) % OFF.len()] * (1.0 + k as f64);
        let directions =
            system.frame().rank() + plant.equations.state.len() - system.frame().base().len();
        let by: Vec<f64> = (0..directions).map(off).collect();
        let state = self.point.moved(system, &by);
        let mut values = plant.constants.clone();
        values.extend(plant.equations.state.iter().cloned().zip(state));
        values.push((Symbol::time(), self.point.time + off(0).abs()));
        let controls = plant.controls.iter().cloned().enumerate();
        values.extend(controls.map(|(i, u)| (u, off(i + 1))));
        let value = |e: &Expr| e.evaluate(&values).unwrap_or(f64::NAN);
        let terms = self.rates.iter().zip(f).map(|(w, f)| w * value(f));
        let terms: Vec<f64> = terms.chain([value(e)]).collect();
        let size: f64 = terms.iter().map(|x| x.abs()).sum();
        terms.iter().sum::<f64>().abs() <= ROUNDING * size
    }
}
