//! The variational equations of a formulation: how a small change of the state moves.

use crate::equations::Equations;
use crate::{MechanicsError, Stage, System};
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Symbol, diff_all};

/// A direction in which a state may vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along a section of the frame, δz = ρ(e_A): a coordinate, or a left-trivialised direction of a group.
    Section(usize),
    /// A component of the state beside the positions.
    Component(usize),
}

/// Motions z' = ρ Y(z, w), w' = W(z, w) near one another. With δz = ρ η,
///
/// ```text
/// η'^D = δY^D − C^D_AB Y^A η^B        δw' = δW
/// ```
///
/// so that a group element varies in as many directions as the group has, whatever the number of its entries.
#[derive(Clone, Debug)]
pub struct VariationalEquations {
    pub(super) frame: Frame,
    /// The names of the directions.
    pub(super) names: Vec<String>,
    pub(super) directions: Vec<Direction>,
    /// The components w of the state.
    components: Vec<Symbol>,
    pub(super) stages: Vec<Stage>,
    /// Y, then W.
    pub(super) flow: Vec<Expr>,
    /// What vanishes on the states that constraints leave.
    pub(super) residuals: Vec<Expr>,
}

impl VariationalEquations {
    /// Those of equations whose state is positions and model velocities, free velocities of a first-order system,
    /// or higher derivatives.
    pub fn of(system: &System, equations: &Equations) -> Result<Self, MechanicsError> {
        let frame = system.frame().clone();
        let positions = frame.base().len();
        let velocity = system.velocity_of(equations)?;
        let components: Vec<Symbol> = equations.state[positions..].to_vec();
        let sections = (0..frame.rank()).map(Direction::Section);
        let beside = (0..components.len()).map(Direction::Component);
        let names = section_names(system);
        let component_names = components.iter().map(Symbol::to_string);
        Ok(Self {
            directions: sections.chain(beside).collect(),
            names: names.into_iter().chain(component_names).collect(),
            flow: [velocity, equations.rates[positions..].to_vec()].concat(),
            stages: equations.stages.clone(),
            residuals: system.residuals_of(equations),
            components,
            frame,
        })
    }

    /// The directions, sections first.
    pub fn directions(&self) -> &[Direction] {
        &self.directions
    }

    /// Their names: a coordinate, `R~1` for a direction of a group factor, a velocity.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The frame of the positions.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The components of the state beside the positions.
    pub fn components(&self) -> &[Symbol] {
        &self.components
    }

    /// The solves before the flow.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Y and W, in the state and the unknowns of the solves.
    pub fn flow(&self) -> &[Expr] {
        &self.flow
    }

    /// What vanishes on the states that constraints leave.
    pub fn residuals(&self) -> &[Expr] {
        &self.residuals
    }

    /// The derivatives of functions of the state along a direction, unknowns of the solves held.
    pub fn along(&self, direction: &Direction, f: &[Expr]) -> Vec<Expr> {
        match direction {
            Direction::Section(a) => self.frame.act_basis(*a, f),
            Direction::Component(k) => diff_all(f, &self.components[*k]),
        }
    }
}

impl System {
    /// The velocity in the frame as a function of the state of these equations.
    pub(crate) fn velocity_of(&self, equations: &Equations) -> Result<Vec<Expr>, MechanicsError> {
        match self.knows_velocities(equations) {
            true => Ok(self.frame.velocity()),
            false => Ok(self.sections()?.velocity()),
        }
    }

    /// What vanishes on the states of these equations: constraints on velocities do so by themselves in a frame
    /// of the distribution.
    fn residuals_of(&self, equations: &Equations) -> Vec<Expr> {
        match self.knows_velocities(equations) {
            true => self.constraints.all_residuals(&self.frame),
            false => self.constraints.holonomic().to_vec(),
        }
    }

    /// Are the velocities of the model components of the state, or solved for?
    fn knows_velocities(&self, equations: &Equations) -> bool {
        let solved = || equations.stages.iter().flat_map(Stage::unknowns);
        let known = |y: &Symbol| equations.state.iter().chain(solved()).any(|s| s == y);
        self.frame.fibre().iter().all(known)
    }
}

/// `x` for a coordinate, `R~1`, `R~2`, … for a group factor.
fn section_names(system: &System) -> Vec<String> {
    let name = |f: &crate::Factor| -> Vec<String> {
        match f.group {
            None => vec![f.name.clone()],
            Some(_) => (1..=f.fibre.len())
                .map(|i| format!("{}~{i}", f.name))
                .collect(),
        }
    };
    system.factors().iter().flat_map(name).collect()
}
