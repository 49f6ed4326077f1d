//! Variational steps on the base of a Chaplygin system, with time and fibre reconstructed along them.
//!
//! In the time τ with dτ = f dt the base moves by L_C(r, w) = l(r, f w), and a variational rule of fixed length in τ is
//! symplectic there. Along a step from (r₀, w₀) to (r₁, w₁)
//!
//! ```text
//! dt/dτ = 1/f(r),   dg/dτ = −A(r, g) w
//! ```
//!
//! are followed by the classical Runge-Kutta method over the cubic through both ends, of order 4. Rows at given times t are
//! the ends of shorter steps from the node before them, which the nodes do not see.

use super::base_step::{BaseStep, Node, Programs};
use super::error::SimulationError;
use super::method::Method;
use super::options::Options;
use rattleback_compile::Motion;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_integrate::Fault;
use rattleback_integrate::variational::StepMap;
use rattleback_mechanics::discrete::{DiscreteSystem, Discretization, Reading, Rule};
use rattleback_mechanics::{Chaplygin, ChaplyginTime, MechanicsError, System};
use rattleback_symbolic::Symbol;

/// Searches for the length of a step to a time.
const MOST_SEARCHES: usize = 12;
/// Rows are at their times up to this part of them.
const SAME_TIME: f64 = 4e-15;
/// A multiplier below this part of its start value is told where a motion ends.
const NEAR_ZERO: f64 = 0.1;
/// A state is the one that was left behind if it differs by at most this part: rounding of projections.
const SAME_STATE: f64 = 1e-10;

/// The rule on the base: of order 4 in coordinates, of order 2 on groups.
pub(super) fn rule(time: &ChaplyginTime, system: &System) -> Rule {
    let on_groups = |i: usize| !time.fibre.contains(&i) && system.factors()[i].group.is_some();
    match (0..system.factors().len()).any(on_groups) {
        true => Rule::Midpoint,
        false => Rule::Gauss(2),
    }
}

/// Discrete Lagrange-d'Alembert on the base with the gyroscopic force, for a motion in the form `chaplygin`.
#[derive(Clone)]
pub(crate) struct ReducedMap(BaseStep);

impl ReducedMap {
    pub(super) fn of(
        system: &System,
        motion: &Motion,
        how: Discretization,
    ) -> Result<Self, SimulationError> {
        let reduced = Chaplygin::of(system)?;
        let discrete = DiscreteSystem::new(&reduced.forced_system(system), how);
        let method = Method::Variational(how.rule);
        let refuse = |why: String| SimulationError::Method {
            method: Box::new(method),
            why,
        };
        let discrete = discrete.map_err(|e| refuse(e.to_string()))?;
        let programs = Programs::in_momenta(system, motion, &reduced)?;
        let programs = programs.ok_or_else(|| refuse(other_state(motion)))?;
        Ok(Self(BaseStep::of(
            (system, motion),
            &reduced,
            &discrete,
            &programs,
        )?))
    }
}

impl StepMap for ReducedMap {
    fn dimension(&self) -> usize {
        self.0.sizes.state
    }

    fn advance(&mut self, t: f64, x: &[f64], h: f64, next: &mut [f64]) -> Result<(), Fault> {
        if h == 0.0 {
            next.copy_from_slice(x);
            return Ok(());
        }
        let node = self.0.node(t, x)?;
        let mut after = self.0.stepped(&node, h)?;
        after.t = t + h;
        next.copy_from_slice(&self.0.state(&after)?);
        Ok(())
    }

    fn give(&mut self, given: &[f64]) {
        self.0.give(given);
    }

    fn restart(&mut self) {
        self.0.step.restart();
    }

    fn evaluations(&self) -> u64 {
        self.0.step.evaluations()
    }
}

/// A Hamiltonized motion as a map of the state of a motion.
#[derive(Clone)]
pub(crate) struct ChaplyginMap {
    base: BaseStep,
    /// The step in t that is asked for; in τ it is f times that at the start,
    step_in_time: f64,
    /// which is the same all along a motion.
    length: Option<f64>,
    begun: Option<Place>,
    left: Option<Place>,
}

/// A state at a time, with the nodes around it.
#[derive(Clone)]
struct Place {
    t: f64,
    x: Vec<f64>,
    node: Node,
    after: Node,
}

impl Place {
    /// Times may be summed up from steps or counted from the start: they differ by rounding.
    fn is(&self, t: f64, x: &[f64], step: f64) -> bool {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= SAME_STATE * (1.0 + b.abs());
        (self.t - t).abs() <= same_time(t, step) && self.x.iter().zip(x).all(near)
    }
}

impl ChaplyginMap {
    /// For a motion whose state is made of positions and velocities.
    pub(super) fn of(
        system: &System,
        motion: &Motion,
        time: &ChaplyginTime,
        options: &Options,
        step_in_time: f64,
    ) -> Result<Self, SimulationError> {
        let method = Method::ChaplyginSymplectic;
        let refuse = |why: String| SimulationError::Method {
            method: Box::new(method),
            why,
        };
        let reduced = Chaplygin::with_fibre(system, &time.fibre).map_err(MechanicsError::from)?;
        let f = &time.multiplier;
        let base = reduced.in_chaplygin_time(system, f);
        if base.lagrangian().contains(&Symbol::time()) {
            return Err(refuse("the Lagrangian depends on time".into()));
        }
        let how = Discretization {
            rule: rule(time, system),
            retraction: options.retraction,
            placement: options.placement,
            reading: Reading::Program,
        };
        let discrete = DiscreteSystem::new(&base, how).map_err(|e| refuse(e.to_string()))?;
        let programs = Programs::in_velocities(system, motion, &reduced, f);
        let programs = programs.ok_or_else(|| refuse(other_state(motion)))?;
        Ok(Self {
            base: BaseStep::of((system, motion), &reduced, &discrete, &programs)?,
            step_in_time,
            length: None,
            begun: None,
            left: None,
        })
    }

    /// The length of steps in τ.
    fn length(&mut self, node: &Node) -> f64 {
        let begun = self.step_in_time / node.begun_at;
        *self.length.get_or_insert(begun)
    }

    /// The nodes around a state: those that were left there, or that a step began with, or new ones.
    fn place(&mut self, t: f64, x: &[f64]) -> Result<Place, Fault> {
        for known in [&self.left, &self.begun].into_iter().flatten() {
            if known.is(t, x, self.step_in_time) {
                return Ok(known.clone());
            }
        }
        let node = self.base.node(t, x)?;
        let length = self.length(&node);
        let after = self.base.stepped(&node, length)?;
        Ok(Place {
            t,
            x: x.to_vec(),
            node,
            after,
        })
    }

    /// The end of a shorter step at a time, by Newton's method on its length.
    fn until(&mut self, node: &Node, after: &Node, target: f64) -> Result<Node, Fault> {
        let whole = self.length(node);
        let close = same_time(target, self.step_in_time);
        let mut length = whole * part_at(node, after, whole, target);
        for _ in 0..MOST_SEARCHES {
            let there = match length == 0.0 {
                true => node.clone(),
                false => self.base.stepped(node, length)?,
            };
            let miss = target - there.t;
            if miss.abs() <= close {
                return Ok(there);
            }
            length += miss / there.pace();
        }
        Err(Fault::NotConverged)
    }
}

/// Times are the same up to this.
fn same_time(t: f64, step: f64) -> f64 {
    SAME_TIME * step.abs().max(t.abs())
}

/// The part of a step at whose end the time is reached, by the cubic through the times and paces of its ends.
fn part_at(node: &Node, after: &Node, whole: f64, target: f64) -> f64 {
    let span = after.t - node.t;
    let (a, b) = (whole * node.pace() / span, whole * after.pace() / span);
    let wanted = (target - node.t) / span;
    let mut s = wanted;
    for _ in 0..4 {
        let value = s * (a + s * (3.0 - 2.0 * a - b + s * (a + b - 2.0)));
        let slope = a + s * (2.0 * (3.0 - 2.0 * a - b) + 3.0 * s * (a + b - 2.0));
        s -= (value - wanted) / slope;
    }
    match (-0.1..=1.1).contains(&s) {
        true => s,
        false => wanted,
    }
}

impl StepMap for ChaplyginMap {
    fn dimension(&self) -> usize {
        self.base.sizes.state
    }

    fn advance(&mut self, t: f64, x: &[f64], h: f64, next: &mut [f64]) -> Result<(), Fault> {
        let begun = self.place(t, x)?;
        let again = self.begun.as_ref().is_some_and(|b| b.t == t && b.x == x);
        let target = t + h;
        let (mut node, mut after) = (begun.node.clone(), begun.after.clone());
        while h != 0.0 && (target - after.t) * h >= 0.0 {
            let length = self.length(&after);
            let further = self.base.stepped(&after, length)?;
            node = std::mem::replace(&mut after, further);
        }
        let there = self.until(&node, &after, target)?;
        next.copy_from_slice(&self.base.state(&there)?);
        // A shorter step from the same state is a look inside: the nodes go on from the longer one.
        if !again {
            self.left = Some(Place {
                t: target,
                x: next.to_vec(),
                node,
                after,
            });
            self.begun = Some(begun);
        }
        Ok(())
    }

    fn give(&mut self, given: &[f64]) {
        if self.base.give(given) {
            self.restart();
        }
    }

    /// Nodes of another motion are left behind.
    fn restart(&mut self) {
        self.base.step.restart();
        (self.length, self.begun, self.left) = (None, None, None);
    }

    fn evaluations(&self) -> u64 {
        self.base.step.evaluations()
    }
}

fn other_state(motion: &Motion) -> String {
    let form = motion.form;
    format!("the state of the form {form} is not the one that it follows: leave ‹form› out")
}

/// What is known of the end of a motion in Chaplygin time: the multiplier has come near to a zero.
pub(super) fn ended(
    time: &ChaplyginTime,
    motion: &Motion,
    start: &[f64],
    end: &[f64],
) -> Option<String> {
    let f = std::slice::from_ref(&time.multiplier);
    let program = Program::new(&motion.state, motion.constants(), &[], f).ok()?;
    let f = Interpreter::new(program);
    let (before, after) = (f.values(start).ok()?[0], f.values(end).ok()?[0]);
    (after.abs() < NEAR_ZERO * before.abs()).then(|| {
        format!(
            "\n  Chaplygin time ends where its multiplier f = {} vanishes: it was {before:.4} at the start and is {after:.4} \
             there; end before it with ‹until›, or declare another `fibre`",
            time.multiplier
        )
    })
}
