//! Momenta of symmetries: the costate paired with the generator, lifted to the velocities.
//!
//! A section η moves velocities by δy = ρ(y)[η] + C(y, η). Where Lagrangian, forces, constraints, cost and bounds do
//! not change along it, ⟨p, (η, δy)⟩ is constant along extremals.

use super::extract::Trajectory;
use super::posed::{Bounded, Posed};
use rattleback_compile::program::{Interpreter, Program};
use rattleback_mechanics::SlotRole;
use rattleback_numeric::solve_scaled;
use rattleback_symbolic::{Expr, Symbol, dot};

/// The momentum of each declared symmetry that leaves the problem as it is, at the nodes.
pub fn momenta(posed: &Posed, path: &Trajectory) -> Vec<(String, Vec<f64>)> {
    let symmetries = posed.plant.system.symmetries();
    let lifted = symmetries.iter().filter_map(|s| {
        let lift = Lift::of(posed, &s.components)?;
        let values = (0..path.times.len()).map(|k| lift.pair(posed, path, k));
        Some((s.name.clone(), values.collect::<Option<Vec<f64>>>()?))
    });
    lifted.collect()
}

/// A generator on the directions of the state.
struct Lift {
    /// η, then X by rows and X δv on the right; without constraints X is 1.
    program: Interpreter,
    rank: usize,
    velocities: Vec<usize>,
}

impl Lift {
    fn of(posed: &Posed, eta: &[Expr]) -> Option<Self> {
        let plant = &posed.plant;
        let system = &plant.system;
        let frame = system.frame();
        let jets = plant.components.iter().enumerate();
        let velocities: Vec<usize> = jets
            .filter(|(_, c)| c.role != SlotRole::Auxiliary)
            .map(|(i, _)| i)
            .collect();
        let is_first = |i: &usize| {
            let s = &plant.components[*i].symbol;
            !system.constraints().is_empty() || frame.fibre().contains(s)
        };
        if !velocities.iter().all(is_first) || velocities.len() > frame.rank() {
            return None;
        }
        let moved = lift(posed, &frame.velocity(), eta);
        if !is_invariant(posed, eta, &moved) {
            return None;
        }
        // X δv = δy − ρ(η)[V] at fixed v.
        let along = lift(posed, &plant.velocity, eta);
        let turned = frame.act(eta, &plant.velocity);
        let right: Vec<Expr> = match velocities.is_empty() {
            true => Vec::new(),
            false => along.iter().zip(&turned).map(|(a, t)| a - t).collect(),
        };
        let symbols: Vec<Symbol> = (velocities.iter())
            .map(|&i| plant.components[i].symbol.clone())
            .collect();
        let columns = plant.velocity.iter().flat_map(|v| v.gradient(&symbols));
        let outputs: Vec<Expr> = eta.iter().cloned().chain(right).chain(columns).collect();
        let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(plant.state_symbols())
            .chain(plant.controls.iter().cloned())
            .chain(posed.free.iter().map(|(f, _)| f.clone()))
            .collect();
        let program = Program::new(&inputs, &posed.constants, &[], &outputs).ok()?;
        Some(Self {
            program: Interpreter::new(program),
            rank: frame.rank(),
            velocities,
        })
    }

    fn pair(&self, posed: &Posed, path: &Trajectory, k: usize) -> Option<f64> {
        let free = posed.free.iter().map(|(_, v)| *v);
        let free: Vec<f64> = free.collect();
        let inputs = [
            &[path.times[k]],
            &path.states[k][..],
            &path.controls[k],
            &free,
        ]
        .concat();
        let out = self.program.values(&inputs).ok()?;
        let p = &path.costates[k];
        let n = self.velocities.len();
        let mut sum: f64 = out[..self.rank].iter().zip(p).map(|(e, p)| e * p).sum();
        if n > 0 {
            let right = &out[self.rank..2 * self.rank];
            let x = &out[2 * self.rank..];
            let column = |a: usize| (0..self.rank).map(move |i| x[i * n + a]);
            let mut matrix = Vec::with_capacity(n * n);
            for a in 0..n {
                for b in 0..n {
                    matrix.push(column(a).zip(column(b)).map(|(x, y)| x * y).sum());
                }
            }
            let mut step: Vec<f64> = (0..n)
                .map(|a| column(a).zip(right).map(|(x, r)| x * r).sum())
                .collect();
            solve_scaled(&mut matrix, &mut step).ok()?;
            for (&i, d) in self.velocities.iter().zip(&step) {
                sum += p[self.rank + i] * d;
            }
        }
        Some(sum)
    }
}

/// δy = ρ(y)[η] + C(y, η).
fn lift(posed: &Posed, y: &[Expr], eta: &[Expr]) -> Vec<Expr> {
    let frame = posed.plant.system.frame();
    let mut moved = frame.act(y, eta);
    for (d, term) in frame.structure().contract(y, eta) {
        moved[d] += term;
    }
    moved
}

/// Does nothing that the problem is made of change along η?
fn is_invariant(posed: &Posed, eta: &[Expr], moved: &[Expr]) -> bool {
    let plant = &posed.plant;
    let system = &plant.system;
    let frame = system.frame();
    let change = |f: &Expr| {
        let velocities = dot(&f.gradient(frame.fibre()), moved);
        frame.act(eta, std::slice::from_ref(f)).swap_remove(0) + velocities
    };
    let mut vanish = Vec::new();
    if system.order() == 1 {
        vanish.push(change(system.lagrangian()));
    } else if system.lagrangian().contains_any(frame.base()) || !eta.iter().all(Expr::is_constant) {
        return false;
    }
    // (L_η α)_A = ρ(η)[α_A] − α([η, e_A]), velocities moved along.
    let force = system.force();
    for (a, f) in force.iter().enumerate() {
        vanish.push(change(f) - dot(force, &frame.bracket(eta, &frame.basis(a))));
    }
    let constraints = system.constraints();
    if !constraints.is_empty() {
        let Ok(sections) = system.sections() else {
            return false;
        };
        if sections.drift.iter().any(|d| !d.is_zero()) || !plant.holonomic.is_empty() {
            return false;
        }
        for b in 0..sections.rank() {
            let bracket = frame.bracket(eta, &sections.basis.column(b));
            vanish.extend(constraints.forms().apply(&bracket));
        }
    }
    let framed = !constraints.is_empty();
    let symbols: Vec<Symbol> = plant.components.iter().map(|c| c.symbol.clone()).collect();
    let paths = posed.paths.iter().map(|b| &b.value);
    let auxiliary = system.auxiliary().iter().map(|(_, rate)| rate);
    for f in paths.chain([&plant.cost]).chain(auxiliary) {
        if framed && f.contains_any(&symbols) {
            return false;
        }
        vanish.push(change(f));
    }
    for b in &posed.simple {
        if let Bounded::State(i) = b.on {
            match i.checked_sub(frame.rank()) {
                None => vanish.push(eta[i].clone()),
                Some(_) if !moved.iter().all(Expr::is_zero) => return false,
                Some(_) => {}
            }
        }
    }
    vanish.iter().all(Expr::is_zero) || system.prove_zero(&vanish).is_proven()
}
