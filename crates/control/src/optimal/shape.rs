//! Which variables a node and its interval have, and in which order.

use super::posed::Posed;
use super::scheme::Scheme;
use std::ops::Range;

/// The variables of a block: state and controls of a node, then those of the interval behind it.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The directions of a state.
    pub directions: usize,
    /// The controls.
    pub controls: usize,
    /// Has the node controls?
    pub node_controls: bool,
    /// Points inside of the interval.
    pub inside: usize,
    /// Sets of controls of the interval itself.
    pub interval_controls: usize,
    /// Velocities that live on the interval, where they are staggered.
    pub staggered: usize,
    /// Multipliers that keep positions on their constraints.
    pub projections: usize,
    /// Slacks at the node.
    pub node_slacks: usize,
    /// Slacks at each other point of the interval.
    pub slacks: usize,
    /// Slacks of inequalities at the end.
    pub end_slacks: usize,
}

impl Shape {
    pub fn of(posed: &Posed, scheme: Scheme, interval_controls: usize) -> Self {
        let plant = &posed.plant;
        let is_staggered = scheme == Scheme::Variational
            || scheme == Scheme::Midpoint && plant.system.has_groups();
        let node_controls = scheme.has_node_controls() || is_staggered;
        let at_nodes = |on_nodes: bool| {
            let counts = posed.paths.iter().filter(|b| on_nodes || !b.on_controls);
            counts.count()
        };
        let goals = posed.goal.requirements.iter();
        Self {
            directions: plant.directions(),
            controls: plant.controls.len(),
            node_controls,
            inside: scheme.inside(),
            interval_controls: if is_staggered { 0 } else { interval_controls },
            staggered: if is_staggered {
                plant.system.frame().rank()
            } else {
                0
            },
            projections: plant.holonomic.len(),
            node_slacks: at_nodes(node_controls),
            slacks: posed.paths.len(),
            end_slacks: goals.filter(|r| !r.equal).count(),
        }
    }

    /// What keeps the positions of the node on their constraints.
    pub fn projections(&self) -> Range<usize> {
        self.directions..self.directions + self.projections
    }

    /// The controls of the node.
    pub fn controls_at_node(&self) -> Range<usize> {
        let n = if self.node_controls { self.controls } else { 0 };
        let start = self.projections().end;
        start..start + n
    }

    /// The slacks of the node.
    pub fn slacks_at_node(&self) -> Range<usize> {
        let start = self.controls_at_node().end;
        start..start + self.node_slacks
    }

    /// The slacks of inequalities at the end, in the last block.
    pub fn slacks_at_end(&self) -> Range<usize> {
        let start = self.slacks_at_node().end;
        start..start + self.end_slacks
    }

    /// The state of the point j inside.
    pub fn inside(&self, j: usize) -> Range<usize> {
        let start = self.slacks_at_node().end + j * (self.directions + self.controls);
        start..start + self.directions
    }

    /// The controls of the point j inside.
    pub fn controls_inside(&self, j: usize) -> Range<usize> {
        let start = self.inside(j).end;
        start..start + self.controls
    }

    /// The j-th controls of the interval.
    pub fn controls_of_interval(&self, j: usize) -> Range<usize> {
        let start = self.inside(self.inside).start + j * self.controls;
        start..start + self.controls
    }

    /// The velocities of the interval.
    pub fn staggered(&self) -> Range<usize> {
        let start = self.controls_of_interval(self.interval_controls).start;
        start..start + self.staggered
    }

    /// The slacks of the j-th point of the interval.
    pub fn slacks_of(&self, j: usize) -> Range<usize> {
        let start = self.staggered().end + j * self.slacks;
        start..start + self.slacks
    }

    /// How many points of the interval have slacks of their own.
    pub fn slack_points(&self) -> usize {
        self.inside + self.interval_controls
    }

    /// The variables of a block with an interval.
    pub fn size(&self) -> usize {
        self.slacks_of(self.slack_points()).start
    }

    /// The variables of the last block.
    pub fn last_size(&self) -> usize {
        self.slacks_at_end().end
    }
}
