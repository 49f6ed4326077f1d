//! Equations of rotations and motions as vectors.
//!
//! A form is proposed (`ansatz`) and used only where it is proven equal component by component; what is not found stays
//! in components.

mod ansatz;
mod atoms;
mod beside;
mod dynamics;
mod families;
mod group;
mod momentum;
mod terms;

pub use families::gathered;
pub use group::Turning;

use crate::document::Vector;
use crate::mechanics::{Equations, Problem, SlotRole};
use crate::symbolic::{Expr, Symbol};
use dynamics::Dynamics;

/// What is written as vectors, and what that replaces.
#[derive(Clone, Debug, Default)]
pub struct VectorForm {
    /// Ṙ = R ω̂, and the equations of motion that were found.
    pub equations: Vec<(Vector, Vector)>,
    /// How many of these are about positions.
    pub kinematic: usize,
    /// Components of the state whose rates stand among the equations.
    pub rates: Vec<Symbol>,
    /// Are the equations of motion of every group there, as they are stated?
    pub moves: bool,
    /// The constraints that were found.
    pub constraints: Vec<(Vector, Vector)>,
    /// The places of the constraints that these replace.
    pub replaced: Vec<usize>,
    /// The momenta of the groups.
    pub momenta: Vec<(Vector, Vector)>,
    /// The names of the components that these replace.
    pub momenta_of: Vec<String>,
    /// The energy.
    pub energy: Option<Vector>,
    /// What the names stand for.
    pub definitions: Vec<(Vector, Vector)>,
    /// Is some of it in unknowns that only the equations as they are stated determine?
    pub needs_stated: bool,
}

/// Names for vectors, and what they stand for.
pub struct Names {
    taken: Vec<String>,
    /// The definitions, in order.
    pub defined: Vec<(Vector, Vector)>,
}

impl Names {
    /// A name for a vector, the same each time; the vector itself where the name is taken.
    pub fn define(&mut self, name: &str, meaning: &Vector) -> Vector {
        if let Some((known, _)) = self.defined.iter().find(|(_, m)| m == meaning) {
            return known.clone();
        }
        if self.taken.iter().any(|t| t == name) {
            return meaning.clone();
        }
        self.taken.push(name.into());
        let vector = Vector::Name(Symbol::variable(name));
        self.defined.push((vector.clone(), meaning.clone()));
        vector
    }
}

impl Names {
    /// The first of several names that is free.
    pub fn define_as(&mut self, all: &[&str], meaning: &Vector) -> Vector {
        let mut named = all.iter().map(|name| self.define(name, meaning));
        let named = named.find(|vector| vector != meaning);
        named.unwrap_or_else(|| meaning.clone())
    }
}

/// The equations of the groups of a model as vectors; `None` where no group turns. `solved` has the same with every
/// solve written out where that is possible: a velocity that a solve determines is then said by what determines it.
pub fn vector_form(
    problem: &Problem,
    stated: &Equations,
    solved: &Equations,
) -> Option<VectorForm> {
    let turnings = Turning::all(&problem.system);
    if turnings.is_empty() {
        return None;
    }
    // Velocities that momenta determine stand beside them, where all of the motion is written so.
    let has_momenta = stated
        .state
        .slots()
        .iter()
        .any(|s| s.role == SlotRole::Momentum);
    let beside = || written(problem, &turnings, stated, stated);
    let by_momenta = has_momenta.then(beside).filter(|form| form.moves);
    let is_solved = solved.stages.is_empty();
    let rates = if is_solved { solved } else { stated };
    let form = by_momenta.unwrap_or_else(|| written(problem, &turnings, stated, rates));
    // Rates that are too long to be recognised are short in what is solved for.
    let turned = |form: &VectorForm| turnings.iter().all(|t| form.rates.contains(&t.entries[0]));
    if !is_solved || turned(&form) {
        return Some(form);
    }
    let in_unknowns = written(problem, &turnings, stated, stated);
    Some(match turned(&in_unknowns) {
        true => VectorForm {
            needs_stated: true,
            ..in_unknowns
        },
        false => form,
    })
}

/// The same, with what the positions do taken from `rates`.
fn written(
    problem: &Problem,
    turnings: &[Turning],
    stated: &Equations,
    rates: &Equations,
) -> VectorForm {
    let mut names = Names {
        taken: taken(problem, stated),
        defined: Vec::new(),
    };
    let mut form = VectorForm::default();
    for turning in turnings {
        kinematics(turning, rates, &mut form, &mut names);
    }
    form.kinematic = form.equations.len();
    let spatial = turnings.iter().filter(|t| t.dimension() == 3);
    let mut dynamics = Dynamics {
        problem,
        stated,
        names: &mut names,
        form: &mut form,
    };
    let spatial: Vec<&Turning> = spatial.collect();
    let all_found = dynamics.of(&spatial);
    form.moves = all_found && !spatial.is_empty() && spatial.len() == turnings.len();
    form.definitions = form.used(names.defined);
    form
}

impl VectorForm {
    /// The definitions of names that occur in what is written, or in those of such names.
    fn used(&self, defined: Vec<(Vector, Vector)>) -> Vec<(Vector, Vector)> {
        let mut used: Vec<(Vector, Vector)> = Vec::new();
        for definition in defined.into_iter().rev() {
            let within = |(_, meaning): &(Vector, Vector)| meaning.contains(&definition.0);
            if self.mentions(&definition.0) || used.iter().any(within) {
                used.push(definition);
            }
        }
        used.reverse();
        used
    }

    /// Does a name occur in what is written?
    fn mentions(&self, name: &Vector) -> bool {
        let all = self
            .equations
            .iter()
            .chain(&self.constraints)
            .chain(&self.momenta);
        let sides = all.flat_map(|(l, r)| [l, r]).chain(&self.energy);
        let mut sides = sides;
        sides.any(|v| v.contains(name))
    }
}

/// Ṙ = R ω̂ and ṗ = R v, where the rates are proven to be these.
fn kinematics(turning: &Turning, stated: &Equations, form: &mut VectorForm, names: &mut Names) {
    let rate = |e: &Expr| stated.rate(e.as_symbol()?).cloned();
    let Some(angular) = turning.angular(&rate) else {
        return;
    };
    let linear = match turning.moves() {
        true => match turning.linear(&rate, &angular) {
            Some(linear) => linear,
            None => return,
        },
        false => Vec::new(),
    };
    let spin = velocity(turning, 0, &angular, names);
    let rotation = turning.rotation_name(0);
    let turned = match (turning.dimension(), turning.body) {
        (_, body) if turning.is_quaternion() => {
            let (element, spin) = (rotation.clone(), Vector::Pure(Box::new(spin.clone())));
            let product = match body {
                true => element.times(spin),
                false => spin.times(element),
            };
            product.scaled(Expr::from(1) / 2)
        }
        (3, true) => rotation.clone().times(spin.clone().hat()),
        (3, false) => spin.clone().hat().times(rotation.clone()),
        _ => {
            let quarter = Vector::Table(group::skew(&[Expr::one()]));
            quarter.times(rotation.clone()).scaled(angular[0].clone())
        }
    };
    form.equations.push((turning.rotation_name(1), turned));
    form.rates.extend(turning.entries.iter().cloned());
    if turning.moves() {
        let speed = velocity(turning, angular.len(), &linear, names);
        let moved = match turning.body {
            true => rotation.times(speed),
            false => {
                let position = turning.position_name(0);
                let swept = match turning.dimension() {
                    3 => spin.cross(position),
                    _ => Vector::Table(group::skew(&[Expr::one()]))
                        .times(position)
                        .scaled(angular[0].clone()),
                };
                Vector::Sum(vec![(false, speed), (false, swept)])
            }
        };
        form.equations.push((turning.position_name(1), moved));
    }
}

/// A part of the velocity of a group: its own name, else its components.
pub(super) fn velocity(
    turning: &Turning,
    from: usize,
    value: &[Expr],
    names: &mut Names,
) -> Vector {
    let own: Vec<Expr> = turning.velocities[from..]
        .iter()
        .take(value.len())
        .map(Expr::from)
        .collect();
    let column = Vector::Column(value.to_vec());
    let stem = turning.velocities[from].name().split('[').next();
    let is_indexed = turning.velocities[from].name().ends_with("[1]");
    match (own == value, stem) {
        (true, Some(stem)) if is_indexed && turning.velocities.len() == value.len() => {
            Vector::Name(Symbol::variable(stem))
        }
        (true, _) if value.len() == 3 => {
            names.define(if from == 0 { "Omega" } else { "V" }, &column)
        }
        (false, Some(stem)) if is_indexed && !turning.moves() => {
            names.free(stem);
            names.define(stem, &column)
        }
        _ => column,
    }
}

impl Names {
    /// A name that is to be used for what the model itself means by it.
    fn free(&mut self, name: &str) {
        self.taken.retain(|t| t != name);
    }
}

/// Names that mean something already.
fn taken(problem: &Problem, stated: &Equations) -> Vec<String> {
    let stem = |s: &Symbol| s.name().split('[').next().unwrap_or(s.name()).to_owned();
    let controls = problem.controls.iter().map(|c| stem(&c.symbol));
    let state = stated.state.iter().map(stem);
    let velocities = problem.system.frame().fibre().iter().map(stem);
    let all = problem.declared_names().chain(controls);
    all.chain(state).chain(velocities).collect()
}
