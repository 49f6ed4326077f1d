//! A variational step on the base of a Chaplygin system, as programs.

use super::error::SimulationError;
use crate::compiled::{Compiled, fault};
use crate::discrete::CompiledStep;
use rattleback_compile::Motion;
use rattleback_compile::program::Program;
use rattleback_integrate::Fault;
use rattleback_integrate::variational::StepMap;
use rattleback_mechanics::discrete::{DiscreteSystem, Step};
use rattleback_mechanics::{Chaplygin, Form, Stage, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A multiplier that falls to this part of its start value ends the time.
const LEAST_MULTIPLIER: f64 = 1e-6;

/// A variational step on the base with the fibre and the time reconstructed along it.
#[derive(Clone)]
pub(super) struct BaseStep {
    /// (t, state) to base positions, w, fibre positions.
    into: Evaluated,
    /// (r, w) to the next.
    pub(super) step: CompiledStep,
    /// (t, r, w, g) to dr/dτ, dg/dτ and dt/dτ.
    along: Evaluated,
    /// (t, r, w, g) to the state.
    out: Evaluated,
    pub(super) sizes: Sizes,
    /// Which base velocities belong to coordinates, with the place of these.
    coordinates: Vec<Option<usize>>,
}

/// A function of time, a point and the numbers that differ between motions.
#[derive(Clone)]
struct Evaluated {
    code: Compiled,
    given: Vec<f64>,
}

/// How many numbers there are of each kind.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) state: usize,
    base: usize,
    velocities: usize,
    fibre: usize,
}

/// A point of the motion with its rates by τ.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) t: f64,
    /// The time of the steps, which is t where they are taken in it.
    tau: f64,
    /// r, w, g.
    x: Vec<f64>,
    /// dr/dτ, dg/dτ, dt/dτ.
    rates: Vec<f64>,
    /// dt/dτ where the motion began.
    pub(super) begun_at: f64,
}

impl Node {
    /// dt/dτ.
    pub(super) fn pace(&self) -> f64 {
        self.rates.last().copied().unwrap_or(1.0)
    }
}

impl BaseStep {
    /// For the system on the base and what is evaluated besides it.
    pub(super) fn of(
        (system, motion): (&System, &Motion),
        reduced: &Chaplygin,
        discrete: &DiscreteSystem,
        programs: &Programs,
    ) -> Result<Self, SimulationError> {
        let step = in_varied(discrete.step(), motion);
        let (given, constants) = (motion.varied(), motion.constants());
        let compiled = |inputs: &[Symbol],
                        stages: &[Stage],
                        outputs: &[Expr]|
         -> Result<Evaluated, SimulationError> {
            let inputs = [inputs, &given].concat();
            let stages: Vec<Stage> = stages_in_varied(stages, motion);
            let outputs = motion.in_varied(outputs);
            Ok(Evaluated {
                code: Compiled::new(Program::new(&inputs, constants, &stages, &outputs)?),
                given: vec![0.0; given.len()],
            })
        };
        let coordinates = reduced.base_factors(system).into_iter().flat_map(|factor| {
            let place = factor.group.is_none().then_some(factor.base.start);
            factor.fibre.map(move |_| place)
        });
        Ok(Self {
            into: compiled(&programs.state, &programs.stages, &programs.into)?,
            step: CompiledStep::new(&step, &step.inputs[2..], &given, constants)?,
            along: compiled(&programs.node, &[], &programs.along)?,
            out: compiled(&programs.node, &[], &programs.out)?,
            sizes: Sizes {
                state: motion.state.len(),
                base: reduced.base.len(),
                velocities: reduced.sections.velocities.len(),
                fibre: programs.fibre,
            },
            coordinates: coordinates.collect(),
        })
    }

    /// Takes the numbers that differ between motions; were they others?
    pub(super) fn give(&mut self, given: &[f64]) -> bool {
        if self.along.given == given {
            return false;
        }
        self.step.give(given);
        self.step.restart();
        for code in [&mut self.into, &mut self.along, &mut self.out] {
            code.given.copy_from_slice(given);
        }
        true
    }

    /// The node that a state stands for.
    pub(super) fn node(&mut self, t: f64, x: &[f64]) -> Result<Node, Fault> {
        let found = self.into.at(t, x)?;
        let rates = self.along.at(t, &found)?;
        let mut node = Node {
            t,
            tau: t,
            x: found,
            rates,
            begun_at: 0.0,
        };
        node.begun_at = node.pace();
        Ok(node)
    }

    pub(super) fn state(&mut self, node: &Node) -> Result<Vec<f64>, Fault> {
        self.out.at(node.t, &node.x)
    }

    /// A step of some length in τ.
    pub(super) fn stepped(&mut self, node: &Node, length: f64) -> Result<Node, Fault> {
        let (n, v) = (self.sizes.base, self.sizes.velocities);
        let mut after = node.clone();
        let (from, to) = (&node.x[..n + v], &mut after.x[..n + v]);
        self.step.advance(node.tau, from, length, to)?;
        after.tau += length;
        self.reconstruct(node, &mut after, length)?;
        after.rates = self.along.at(after.t, &after.x)?;
        let pace = after.pace();
        let lost = node.begun_at.abs() < LEAST_MULTIPLIER * pace.abs();
        match lost || pace * node.begun_at <= 0.0 {
            true => Err(Fault::NotConverged),
            false => Ok(after),
        }
    }

    /// Fibre and time at the end of a step, by Runge and Kutta's method over the cubic through its ends.
    fn reconstruct(&mut self, before: &Node, after: &mut Node, h: f64) -> Result<(), Fault> {
        let (n, v, m) = (self.sizes.base, self.sizes.velocities, self.sizes.fibre);
        let later = |part: f64| before.t + part * h * before.pace();
        // dr/dτ at the end does not depend on the fibre.
        let end = self.along.at(later(1.0), &after.x)?;
        let ends = |i: usize| (before.x[i], after.x[i], before.rates[i], end[i]);
        let middle = (0..n).map(|i| {
            let (a, b, da, db) = ends(i);
            0.5 * (a + b) + h / 8.0 * (da - db)
        });
        let mut halfway: Vec<f64> = middle.collect();
        halfway.extend((0..v).map(|w| match self.coordinates[w] {
            Some(i) => {
                let (a, b, da, db) = ends(i);
                1.5 * (b - a) / h - 0.25 * (da + db)
            }
            None => 0.5 * (before.x[n + w] + after.x[n + w]),
        }));
        let g: Vec<f64> = before.x[n + v..].to_vec();
        let along = &mut self.along;
        let mut slope = |t: f64, place: &[f64], gained: &dyn Fn(usize) -> f64| {
            let fibre = (0..m).map(|j| g[j] + gained(j));
            let inputs: Vec<f64> = place.iter().copied().chain(fibre).collect();
            along.at(t, &inputs).map(|found| found[n..].to_vec())
        };
        let first = before.rates[n..].to_vec();
        let second = slope(later(0.5), &halfway, &|j| h / 2.0 * first[j])?;
        let third = slope(later(0.5), &halfway, &|j| h / 2.0 * second[j])?;
        let fourth = slope(later(1.0), &after.x[..n + v], &|j| h * third[j])?;
        let gained = |j: usize| h / 6.0 * (first[j] + 2.0 * (second[j] + third[j]) + fourth[j]);
        (0..m).for_each(|j| after.x[n + v + j] = g[j] + gained(j));
        after.t = before.t + gained(m);
        Ok(())
    }
}

impl Evaluated {
    fn at(&mut self, t: f64, x: &[f64]) -> Result<Vec<f64>, Fault> {
        let mut outputs = vec![0.0; self.code.outputs()];
        let inputs = [&[t], x, &self.given].concat();
        self.code.call(&inputs, &mut outputs).map_err(fault)?;
        match outputs.iter().position(|x| !x.is_finite()) {
            Some(i) => Err(Fault::NotFinite(i)),
            None => Ok(outputs),
        }
    }
}

/// A step in what is varied.
pub(super) fn in_varied(step: Step, motion: &Motion) -> Step {
    let forms = |m: &Matrix| {
        let entries = motion.in_varied(m.entries());
        Matrix::new(m.rows(), m.cols(), |s, a| entries[s * m.cols() + a].clone())
    };
    Step {
        forms: step.forms.each_ref().map(forms),
        stages: stages_in_varied(&step.stages, motion),
        from: motion.in_varied(&step.from),
        next: motion.in_varied(&step.next),
        turns: motion.in_varied(&step.turns),
        ..step
    }
}

fn stages_in_varied(stages: &[Stage], motion: &Motion) -> Vec<Stage> {
    let stages = stages.iter();
    stages.map(|s| s.map(|all| motion.in_varied(all))).collect()
}

/// What is evaluated besides the step.
pub(super) struct Programs {
    /// t and the state.
    state: Vec<Symbol>,
    /// t, r, w and g.
    node: Vec<Symbol>,
    /// What is solved before `into`.
    stages: Vec<Stage>,
    into: Vec<Expr>,
    along: Vec<Expr>,
    out: Vec<Expr>,
    /// The number of fibre positions.
    fibre: usize,
}

impl Programs {
    /// With a state of positions and velocities; none where it is another.
    pub(super) fn in_velocities(
        system: &System,
        motion: &Motion,
        reduced: &Chaplygin,
        f: &Expr,
    ) -> Option<Self> {
        let frame = system.frame();
        let ambient = [frame.base(), frame.fibre()].concat();
        if !is_made_of(motion, &ambient) {
            return None;
        }
        let slower = reduced
            .sections
            .velocities
            .iter()
            .map(|v| Expr::from(v) / f);
        let lifted = lifted(reduced);
        let out = |s: &Symbol| match frame.fibre().iter().position(|y| y == s) {
            Some(a) => f * &lifted[a],
            None => Expr::from(s),
        };
        let out = motion.state.iter().map(out).collect();
        Self::with(
            system,
            motion,
            reduced,
            (slower.collect(), Vec::new()),
            out,
            f,
        )
    }

    /// With a state of base positions, reduced momenta and fibre positions; none where it is another.
    pub(super) fn in_momenta(
        system: &System,
        motion: &Motion,
        reduced: &Chaplygin,
    ) -> Result<Option<Self>, SimulationError> {
        let equations = system.equations(Form::Chaplygin)?;
        let velocities = &reduced.sections.velocities;
        let momenta = equations.state[reduced.base.len()..].to_vec();
        let ambient = [system.frame().base(), &momenta].concat();
        if !is_made_of(motion, &ambient) {
            return Ok(None);
        }
        let slopes = reduced.lagrangian.gradient(velocities);
        let out = |s: &Symbol| match momenta.iter().position(|p| p == s) {
            Some(a) => slopes[a].clone(),
            None => Expr::from(s),
        };
        let out = motion.state.iter().map(out).collect();
        let same = velocities.iter().map(Expr::from).collect();
        let solved = (same, equations.stages.clone());
        Ok(Self::with(
            system,
            motion,
            reduced,
            solved,
            out,
            &Expr::one(),
        ))
    }

    fn with(
        system: &System,
        motion: &Motion,
        reduced: &Chaplygin,
        (velocities, stages): (Vec<Expr>, Vec<Stage>),
        out: Vec<Expr>,
        f: &Expr,
    ) -> Option<Self> {
        let frame = system.frame();
        let is_fibre = |z: &&Symbol| !reduced.base.contains(z);
        let fibre: Vec<Symbol> = frame.base().iter().filter(is_fibre).cloned().collect();
        let into = reduced.base.iter().map(Expr::from).chain(velocities);
        let into = into.chain(fibre.iter().map(Expr::from)).collect();
        let moved = frame.anchored(&lifted(reduced));
        let rate = |z: &Symbol| {
            let place = frame.base().iter().position(|s| s == z)?;
            Some(moved[place].clone())
        };
        let along: Option<Vec<Expr>> = reduced.base.iter().chain(&fibre).map(rate).collect();
        let mut along = along?;
        along.push(Expr::one() / f);
        let time = [Symbol::time()];
        Some(Self {
            state: [&time, &motion.state[..]].concat(),
            node: [
                &time,
                &reduced.base[..],
                &reduced.sections.velocities,
                &fibre,
            ]
            .concat(),
            fibre: fibre.len(),
            stages,
            into,
            along,
            out,
        })
    }
}

/// h_α w^α.
fn lifted(reduced: &Chaplygin) -> Vec<Expr> {
    let w: Vec<Expr> = reduced.sections.velocities.iter().map(Expr::from).collect();
    reduced.sections.basis.apply(&w)
}

fn is_made_of(motion: &Motion, symbols: &[Symbol]) -> bool {
    motion.state.len() == symbols.len() && motion.state.iter().all(|s| symbols.contains(s))
}
