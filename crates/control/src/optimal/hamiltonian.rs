//! H(t, x, u, p) = p·f − cost at a node: its value, and what it says of the controls there.

use super::plant::Kind;
use super::posed::{Bounded, Posed, SimpleBound};
use super::tolerance::VANISHING_PIVOT;
use rattleback_compile::program::{Derivatives, Interpreter, Program};
use rattleback_numeric::{Guess, Ldlt, Newton, Workspace, complete_pivots};
use rattleback_symbolic::{Expr, Symbol};

/// Time, state, free numbers and costates of a node.
pub(super) type Place<'a> = (f64, &'a [f64], &'a [f64], &'a [f64]);

/// H(t, x, u, p) = p·f − cost as a program, with its slopes by the controls.
pub(super) struct Hamiltonian {
    rates: Interpreter,
    slopes: Interpreter,
    derivatives: Derivatives,
    controls: usize,
    /// The bounds along the path that have no controls in them, with their values.
    walls: Interpreter,
    limits: Vec<[f64; 2]>,
    /// Those that have, with theirs.
    fences: Interpreter,
    fenced: Vec<[f64; 2]>,
}

/// How near a bound on the state is where it holds the path, beside 1 + its size.
const TOUCHES: f64 = 1e-5;
/// A control is held by a bound that it is this part of the room from.
const HELD: f64 = 1e-3;
/// How far beside a control it is looked whether H is flat there, too, beside 1 + its size.
const BESIDE: f64 = 1e-2;

impl Hamiltonian {
    pub fn of(posed: &Posed) -> Option<Self> {
        let plant = &posed.plant;
        if plant.is_map {
            return None;
        }
        let free = posed.free.iter().map(|(f, _)| f.clone());
        let inputs: Vec<Symbol> = (plant.controls.iter().cloned())
            .chain([Symbol::time()])
            .chain(plant.state_symbols())
            .chain(free)
            .collect();
        let outputs: Vec<Expr> = (plant.velocity.iter().chain(&plant.rates))
            .chain([&plant.cost])
            .cloned()
            .collect();
        let program = Program::new(&inputs, &posed.constants, &plant.stages, &outputs).ok()?;
        let derivatives = program.with_second_derivatives(0..plant.controls.len());
        let (values, limits): (Vec<Expr>, Vec<[f64; 2]>) = posed.walls().into_iter().unzip();
        let walls = Program::new(&inputs, &posed.constants, &plant.stages, &values).ok()?;
        let on_controls = posed.paths.iter().filter(|b| b.on_controls);
        let (values, fenced): (Vec<Expr>, Vec<[f64; 2]>) = on_controls
            .map(|b| (b.value.clone(), [b.lower, b.upper]))
            .unzip();
        let fences = Program::new(&inputs, &posed.constants, &plant.stages, &values).ok()?;
        Some(Self {
            walls: Interpreter::new(walls),
            limits,
            fences: Interpreter::new(fences),
            fenced,
            rates: Interpreter::new(program),
            slopes: Interpreter::new(derivatives.program.clone()),
            derivatives,
            controls: plant.controls.len(),
        })
    }

    pub fn at(&self, (t, x, free, p): Place, u: &[f64]) -> f64 {
        let Some((rates, cost)) = self.rates_at(t, x, free, u) else {
            return f64::NAN;
        };
        let power: f64 = rates.iter().zip(p).map(|(f, p)| f * p).sum();
        power - cost
    }

    /// By how much H changes at most by a step of the controls to either side; infinite where it has no value.
    pub fn changes(&self, place: Place, u: &[f64], step: &[f64]) -> f64 {
        let beside = |sign: f64| -> Vec<f64> {
            let all = u.iter().zip(step);
            all.map(|(u, d)| u + sign * d).collect()
        };
        let here = self.at(place, u);
        let change = |sign: f64| (self.at(place, &beside(sign)) - here).abs();
        let both = [change(1.0), change(-1.0)];
        match both.iter().all(|c| c.is_finite()) {
            true => both[0].max(both[1]),
            false => f64::INFINITY,
        }
    }

    /// f by direction, and the running cost.
    pub fn rates_at(&self, t: f64, x: &[f64], free: &[f64], u: &[f64]) -> Option<(Vec<f64>, f64)> {
        let inputs = [u, &[t], x, free].concat();
        let mut out = self.rates.values(&inputs).ok()?;
        let cost = out.pop()?;
        Some((out, cost))
    }

    /// Does H contain the controls to first order alone?
    pub fn is_affine(&self) -> bool {
        self.derivatives.hessian.entries() == 0
    }

    /// Slope and Hessian of H by the controls.
    fn curvature(&self, (t, x, free, p): Place, u: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let weights: Vec<f64> = p.iter().copied().chain([-1.0]).collect();
        let inputs = [u, &[t], x, free, &weights].concat();
        let out = self.slopes.values(&inputs).ok()?;
        let parts = self.derivatives.split(&out);
        let n = self.controls;
        let mut slope = vec![0.0; n];
        let jacobian = &self.derivatives.jacobian;
        jacobian.multiply_transposed(parts.jacobian, 1.0, &weights, &mut slope);
        let mut matrix = vec![0.0; n * n];
        for ((i, j), h) in self.derivatives.hessian.iter().zip(parts.hessian) {
            matrix[i * n + j] = *h;
            matrix[j * n + i] = *h;
        }
        Some((slope, matrix))
    }

    /// How far inside of its bound each value on the state is; none where one has no value.
    pub fn room(&self, t: f64, x: &[f64], free: &[f64], u: &[f64]) -> Option<Vec<f64>> {
        let values = self.walls.values(&[u, &[t], x, free].concat()).ok()?;
        Some(inside(&values, &self.limits))
    }

    /// The sizes of the bounds on the state.
    pub fn limits(&self) -> impl Iterator<Item = f64> {
        self.limits.iter().map(size)
    }

    /// Does a bound on the state hold the path? The controls follow from it then.
    fn touches(&self, (t, x, free, _): Place, u: &[f64]) -> bool {
        let room = self.room(t, x, free, u);
        let mut all = room.iter().flatten().zip(self.limits());
        all.any(|(room, size)| *room <= TOUCHES * (1.0 + size))
    }

    /// Does a bound on values that have controls in them hold these? Where one has no value that is not told.
    fn is_fenced(&self, (t, x, free, _): Place, u: &[f64]) -> bool {
        let Ok(values) = self.fences.values(&[u, &[t], x, free].concat()) else {
            return true;
        };
        let room = inside(&values, &self.fenced);
        let mut all = room.iter().zip(self.fenced.iter().map(size));
        all.any(|(room, size)| *room <= HELD * (1.0 + size))
    }

    /// Is ∂²H/∂u² singular among the controls that no bound holds, and no bound on the state makes up for it?
    pub fn is_flat(&self, posed: &Posed, place: Place, u: &[f64]) -> bool {
        !self.touches(place, u) && self.leaves_open(posed, place, u)
    }

    /// Is ∂²H/∂u² singular among the controls that no bound of theirs holds, there and beside? Where it vanishes at a
    /// point alone, as that of u⁴ does, H determines them all the same.
    pub fn leaves_open(&self, posed: &Posed, place: Place, u: &[f64]) -> bool {
        if !posed.plant.equalities.is_empty() || self.is_fenced(place, u) {
            return false;
        }
        let is_held = |i: &usize| {
            posed.simple.iter().any(|b| {
                let width = (b.upper - b.lower).min(1.0 + u[*i].abs());
                let gap = (u[*i] - b.lower).min(b.upper - u[*i]);
                b.on == Bounded::Control(*i) && gap <= HELD * width
            })
        };
        let open: Vec<usize> = (0..self.controls).filter(|i| !is_held(i)).collect();
        let mut beside = u.to_vec();
        for &i in &open {
            beside[i] += BESIDE * (1.0 + u[i].abs());
        }
        self.is_singular(place, u, &open) == Some(true)
            && self.is_singular(place, &beside, &open) != Some(false)
    }

    /// Is ∂²H/∂u² singular among some controls? None where it has no value.
    fn is_singular(&self, place: Place, u: &[f64], among: &[usize]) -> Option<bool> {
        let (_, matrix) = self.curvature(place, u)?;
        if matrix.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let rows = among
            .iter()
            .flat_map(|&i| among.iter().map(move |&j| (i, j)));
        let mut inner: Vec<f64> = rows.map(|(i, j)| matrix[i * self.controls + j]).collect();
        let mut pivots = vec![0.0; among.len()];
        complete_pivots(&mut inner, among.len(), &mut pivots);
        let size = matrix.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let vanishes = |p: &f64| *p <= VANISHING_PIVOT * size;
        Some(!among.is_empty() && (pivots.iter().any(vanishes) || size == 0.0))
    }

    /// The controls that make H greatest at a node: costates are known to the order of the scheme, controls of
    /// collocations at the nodes are not. Where bounds or equations hold the controls they stay as they are, and so they do
    /// where Newton's method leads away, or to a point that is no maximum of H: H(u + turns) and H(−u) are stationary, too.
    pub fn sharpen(&self, posed: &Posed, place: Place, ranges: &[f64], u: &mut Vec<f64>) {
        let bounded = |b: &SimpleBound| matches!(b.on, Bounded::Control(_));
        let held = posed.simple.iter().any(bounded)
            || posed.paths.iter().any(|b| b.on_controls)
            || !posed.plant.equalities.is_empty();
        if held || self.controls == 0 {
            return;
        }
        let Some(found) = self.stationary(place, u) else {
            return;
        };
        let size = |i: usize| NEAR.0 * ranges[i] + NEAR.1 * (1.0 + u[i].abs());
        let mut pairs = u.iter().zip(&found).enumerate();
        let is_near = pairs.all(|(i, (a, b))| (a - b).abs() <= size(i));
        // A stationary curve may be one of a Lagrangian that is not convex.
        let judged = posed.plant.kind == Kind::OptimalControl;
        if is_near && (!judged || self.is_greatest(place, &found)) {
            *u = found;
        }
    }

    /// Where ∂H/∂u = 0 near some controls; none where the steps meet a singular ∂²H/∂u².
    fn stationary(&self, place: Place, u: &[f64]) -> Option<Vec<f64>> {
        let mut memory = vec![0.0; Workspace::length(self.controls)];
        let mut work = Workspace::of(self.controls, &mut memory);
        let newton = Newton::whole_steps(SHARPENINGS);
        let outcome = newton.solve(Guess::Given(u), &mut work, |u, values| {
            let (curvature, slope) = values.split_at_mut(self.controls * self.controls);
            match self.curvature(place, u) {
                Some(found) => {
                    slope.copy_from_slice(&found.0);
                    curvature.copy_from_slice(&found.1);
                }
                // Behind the last step nothing is asked for any more.
                None => curvature.fill(f64::NAN),
            }
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(outcome) = outcome;
        (outcome.steps == SHARPENINGS).then(|| work.solution().to_vec())
    }

    /// Is −∂²H/∂u² positive, as at a maximum by the controls?
    fn is_greatest(&self, place: Place, u: &[f64]) -> bool {
        let Some((_, matrix)) = self.curvature(place, u) else {
            return false;
        };
        let mut factors = Ldlt::new(self.controls);
        let found = factors.factor(|i, j| -matrix[i * self.controls + j]);
        found.is_ok_and(|inertia| inertia.positive == self.controls)
    }
}

/// How far inside of its bounds each value is.
fn inside(values: &[f64], bounds: &[[f64; 2]]) -> Vec<f64> {
    let all = values.iter().zip(bounds);
    all.map(|(v, [lower, upper])| (v - lower).min(upper - v))
        .collect()
}

/// The size of a bound.
fn size(bounds: &[f64; 2]) -> f64 {
    let finite = bounds.iter().filter(|x| x.is_finite());
    finite.fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Newton steps towards the maximum of H.
const SHARPENINGS: usize = 4;
/// How far the maximum of H at a node may be from the control of a collocation: beside its range and its size.
const NEAR: (f64, f64) = (0.1, 0.01);

impl Posed {
    /// Values along the path that have bounds but no controls in them, and these bounds.
    fn walls(&self) -> Vec<(Expr, [f64; 2])> {
        let state = self.plant.state_symbols();
        let rank = self.plant.system.frame().rank();
        let base = self.plant.base().len();
        let symbol = |i: usize| {
            let mut factors = self.plant.factors().iter();
            let place = match i.checked_sub(rank) {
                Some(component) => Some(base + component),
                None => factors
                    .find(|f| f.group.is_none() && f.fibre.start == i)
                    .map(|f| f.base.start),
            };
            place.and_then(|k| state.get(k)).map(Expr::from)
        };
        let simple = self.simple.iter().filter_map(|b| match b.on {
            Bounded::State(i) => Some((symbol(i)?, [b.lower, b.upper])),
            _ => None,
        });
        let paths = self.paths.iter().filter(|b| !b.on_controls);
        let paths = paths.map(|b| (b.value.clone(), [b.lower, b.upper]));
        simple.chain(paths).collect()
    }
}
