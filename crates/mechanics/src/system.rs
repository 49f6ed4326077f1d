//! A mechanical system on an anchored frame: what every formulation starts from.

mod adapted;
mod default_form;
mod first_order;
mod jet_constraints;
mod known;
mod located;
mod objective;
mod regular;

use crate::constraints::Constraints;
use crate::engine::{energy, hessian};
use crate::equations::Quantity;
use crate::error::MechanicsError;
use crate::formulation::Form;
use crate::origin::Origin;
use crate::{SlotRole, StateSpace};
pub use first_order::FirstOrder;
pub use jet_constraints::{JetConstraint, VariationalConstraint};
pub(crate) use jet_constraints::{augmented, jet};
pub use objective::Objective;

use adapted::Adapted;
use known::Known;
use rattleback_geometry::{Frame, Group, LieGroup, Trivialization, vanish_on};
use rattleback_language::{Clock, Names};
use rattleback_symbolic::{
    Expr, Matrix, Symbol, UndecidedRank, Verdict, generic_rank, prove_all_zero, substitute_all,
};
use std::ops::Range;
use std::sync::OnceLock;

/// What is known of the velocity Hessian at generic points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regularity {
    /// Its rank is full: shown by enclosures at a real point.
    Regular,
    /// Its determinant is proven to vanish identically.
    Degenerate {
        /// The derivatives that it is taken in.
        on: &'static str,
    },
    /// Neither could be shown.
    Undecided {
        /// What stood in the way.
        why: String,
    },
}

/// A factor of the configuration space within the frame.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Its name in the model.
    pub name: String,
    /// The group, or `None` for a coordinate.
    pub group: Option<Group>,
    /// The side of a group's velocity.
    pub trivialization: Trivialization,
    /// Its base coordinates in the frame.
    pub base: Range<usize>,
    /// Its velocities in the frame.
    pub fibre: Range<usize>,
    /// The unit of a coordinate, where the model states one.
    pub unit: Option<String>,
}

/// A vector field by its components in the frame.
#[derive(Clone, Debug)]
pub struct NamedSection {
    /// Its name in the model.
    pub name: String,
    /// Its components.
    pub components: Vec<Expr>,
}

/// A Lagrangian with forces and constraints on an anchored frame.
#[derive(Clone, Debug)]
pub struct System {
    pub(crate) name: String,
    pub(crate) names: Names,
    pub(crate) factors: Vec<Factor>,
    pub(crate) frame: Frame,
    pub(crate) lagrangian: Expr,
    pub(crate) lagrangian_origin: Option<Origin>,
    pub(crate) order: u32,
    pub(crate) force: Vec<Expr>,
    /// Variables of first order beside the configuration, with their rates.
    pub(crate) auxiliary: Vec<(Symbol, Expr)>,
    /// Controls with what is fed into them; one that is open stands for itself.
    pub(crate) feed: Vec<(Symbol, Expr)>,
    /// How time passes. From node to node the rates of auxiliary states are their values at the next one.
    pub(crate) clock: Clock,
    pub(crate) constraints: Constraints,
    /// Which of the constraints of the model those are.
    pub(crate) kept: Vec<usize>,
    /// Constraints that only variational problems treat.
    pub(crate) jet_constraints: Vec<JetConstraint>,
    pub(crate) symmetries: Vec<NamedSection>,
    /// Candidate solutions of the Hamilton-Jacobi equation, by components on the frame.
    pub(crate) one_forms: Vec<NamedSection>,
    pub(crate) user_frame: Vec<NamedSection>,
    pub(crate) frame_origins: Vec<Origin>,
    /// Indices of the factors that the model declares as fibre.
    pub(crate) fibre: Vec<usize>,
    /// Coordinates on a circle rather than on a line.
    pub(crate) circles: Vec<Symbol>,
    /// Group entries by free parameters: functions on a group are compared after this substitution.
    pub(crate) on_groups: Vec<(Symbol, Expr)>,
    /// A point of interest, with parameter values: charts are chosen to be regular there.
    pub(crate) near: Vec<(Symbol, Expr)>,
    pub(crate) sections: OnceLock<Result<Adapted, MechanicsError>>,
    pub(crate) first_order: OnceLock<Option<FirstOrder>>,
    pub(crate) known: Known,
    /// What the open controls are chosen for.
    pub(crate) objective: Option<Objective>,
}

impl System {
    /// A system without forces or constraints on a frame made of one coordinate per factor.
    pub fn on_coordinates(name: &str, q: &[Symbol], lagrangian: Expr) -> Self {
        let factors = q
            .iter()
            .enumerate()
            .map(|(i, s)| Factor {
                name: s.name().into(),
                group: None,
                trivialization: Trivialization::Body,
                base: i..i + 1,
                fibre: i..i + 1,
                unit: None,
            })
            .collect();
        Self::on_frame(name, Frame::coordinates(q), factors, lagrangian, 1)
    }

    /// A system without forces or constraints on any frame.
    pub fn on_frame(
        name: &str,
        frame: Frame,
        factors: Vec<Factor>,
        lagrangian: Expr,
        order: u32,
    ) -> Self {
        let n = frame.rank();
        let on_groups = group_parametrization(&frame, &factors);
        Self {
            name: name.into(),
            names: Names::default(),
            factors,
            frame,
            lagrangian,
            lagrangian_origin: None,
            order,
            force: vec![Expr::zero(); n],
            auxiliary: Vec::new(),
            feed: Vec::new(),
            clock: Clock::Continuous,
            constraints: Constraints::none(n),
            kept: Vec::new(),
            jet_constraints: Vec::new(),
            symmetries: Vec::new(),
            one_forms: Vec::new(),
            user_frame: Vec::new(),
            frame_origins: Vec::new(),
            fibre: Vec::new(),
            circles: Vec::new(),
            on_groups,
            near: Vec::new(),
            sections: OnceLock::new(),
            first_order: OnceLock::new(),
            known: Known::default(),
            objective: None,
        }
    }

    /// The same system with an external force, by components in the frame.
    pub fn with_force(mut self, force: Vec<Expr>) -> Self {
        self.force = force;
        self.known = Known::default();
        self.first_order = OnceLock::new();
        self
    }

    /// The same system with independent constraints.
    pub fn with_constraints(mut self, constraints: Constraints) -> Self {
        self.constraints = constraints;
        self.known = Known::default();
        self.sections = OnceLock::new();
        self.first_order = OnceLock::new();
        self
    }

    /// The same system with a chosen frame of its constraint distribution.
    ///
    /// ```
    /// use rattleback_mechanics::{Constraints, Form, NamedSection, System};
    /// use rattleback_symbolic::{Expr, Matrix, Symbol};
    /// let q = ["x", "y", "theta"].map(Symbol::variable);
    /// let (theta, kinetic) = (Expr::from(&q[2]), |s: &Symbol| Expr::from(s.derivative()).powi(2) / 2);
    /// let forms = Matrix::from_rows(&[vec![theta.sin(), -theta.cos(), Expr::zero()]]);
    /// let field = |name: &str, components| NamedSection { name: name.into(), components };
    /// let sleigh = System::on_coordinates("sleigh", &q, Expr::sum(q.iter().map(kinetic)))
    ///     .with_constraints(Constraints::new(forms, vec![Expr::zero()]))
    ///     .with_frame_fields(vec![
    ///         field("forward", vec![theta.cos(), theta.sin(), Expr::zero()]),
    ///         field("turn", vec![Expr::zero(), Expr::zero(), Expr::one()]),
    ///     ]);
    /// // Along the edge nothing pushes.
    /// let rates = sleigh.equations(Form::Hamel)?.explicit().rates;
    /// assert!(rates[3..].iter().all(Expr::is_zero));
    /// # Ok::<(), rattleback_mechanics::MechanicsError>(())
    /// ```
    pub fn with_frame_fields(mut self, fields: Vec<NamedSection>) -> Self {
        self.user_frame = fields;
        self.known = Known::default();
        self.sections = OnceLock::new();
        self.first_order = OnceLock::new();
        self
    }

    /// The same system with the factors at these positions as fibre of its Chaplygin structure.
    pub fn with_fibre(mut self, factors: Vec<usize>) -> Self {
        self.fibre = factors;
        self.known = Known::default();
        self
    }

    /// The same system with some of its coordinates on circles.
    pub fn with_circles(mut self, coordinates: Vec<Symbol>) -> Self {
        self.circles = coordinates;
        self.known = Known::default();
        self
    }

    /// The same system with declared infinitesimal symmetries.
    ///
    /// ```
    /// use rattleback_mechanics::{Chaplygin, Constraints, NamedSection, System};
    /// use rattleback_symbolic::{Expr, Matrix, Symbol};
    /// // x' + y' = z (x' − y'), and nothing changes along the diagonal.
    /// let q = ["x", "y", "z"].map(Symbol::variable);
    /// let [x, y, z] = q.each_ref().map(Expr::from);
    /// let kinetic = |s: &Symbol| Expr::from(s.derivative()).powi(2) / 2;
    /// let potential = (&x - &y).powi(2) + z.powi(2);
    /// let forms = Matrix::from_rows(&[vec![1 - &z, 1 + &z, Expr::zero()]]);
    /// let along = NamedSection { name: "along".into(), components: vec![1.into(), 1.into(), 0.into()] };
    /// let skew = System::on_coordinates("skew", &q, Expr::sum(q.iter().map(kinetic)) - potential)
    ///     .with_constraints(Constraints::new(forms, vec![Expr::zero()]))
    ///     .with_symmetries(vec![along]);
    /// let reduced = Chaplygin::of_any(&skew)?;
    /// assert_eq!(reduced.orbits.unwrap().held, [(q[0].clone(), Expr::zero())]);
    /// # Ok::<(), rattleback_mechanics::MechanicsError>(())
    /// ```
    pub fn with_symmetries(mut self, fields: Vec<NamedSection>) -> Self {
        self.symmetries = fields;
        self.known = Known::default();
        self
    }

    /// The same system with the values of its parameters in the place of their symbols, where these are known: what is
    /// true of it may be special to them.
    pub fn at_parameter_values(&self) -> Self {
        let known = self.near.iter();
        let known = known.filter(|(s, _)| !self.frame.base().contains(s));
        let values: Vec<(Symbol, Expr)> = known.cloned().collect();
        let fields = |all: &[NamedSection]| -> Vec<NamedSection> {
            let at = |field: &NamedSection| NamedSection {
                name: field.name.clone(),
                components: substitute_all(&field.components, &values),
            };
            all.iter().map(at).collect()
        };
        Self {
            lagrangian: self.lagrangian.substitute(&values),
            force: substitute_all(&self.force, &values),
            constraints: self.constraints.substitute(&values),
            symmetries: fields(&self.symmetries),
            user_frame: fields(&self.user_frame),
            sections: OnceLock::new(),
            first_order: OnceLock::new(),
            ..self.clone()
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The ambient frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// The factors of the configuration space.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }
    /// The Lagrangian.
    pub fn lagrangian(&self) -> &Expr {
        &self.lagrangian
    }
    /// The highest derivative of a coordinate in the Lagrangian, at least 1.
    pub fn order(&self) -> u32 {
        self.order
    }
    /// The force, by components in the frame.
    pub fn force(&self) -> &[Expr] {
        &self.force
    }
    /// The controls with what is fed into them; one that is open stands for itself.
    pub fn feed(&self) -> &[(Symbol, Expr)] {
        &self.feed
    }
    /// Does time pass from node to node, by a map of auxiliary states?
    pub fn is_map(&self) -> bool {
        self.clock == Clock::Map
    }
    /// Does time pass from node to node, by a Lagrangian of two points?
    pub fn is_discrete_lagrangian(&self) -> bool {
        self.clock == Clock::DiscreteLagrangian
    }
    /// Does a force act?
    pub fn is_forced(&self) -> bool {
        self.force.iter().any(|f| !f.is_zero())
    }
    /// The independent constraints.
    pub fn constraints(&self) -> &Constraints {
        &self.constraints
    }
    /// Is there a constraint of any kind?
    pub fn is_constrained(&self) -> bool {
        !self.constraints.is_empty() || !self.jet_constraints.is_empty()
    }
    /// The declared one-forms, by components in the dual of the frame.
    pub fn one_forms(&self) -> &[NamedSection] {
        &self.one_forms
    }
    /// The declared symmetries.
    pub fn symmetries(&self) -> &[NamedSection] {
        &self.symmetries
    }
    /// Positions of the factors that are declared as fibre.
    pub fn fibre(&self) -> &[usize] {
        &self.fibre
    }
    /// The coordinates that live on a circle.
    pub fn circles(&self) -> &[Symbol] {
        &self.circles
    }
    /// Group entries by free parameters, for proofs on the configuration space.
    pub fn parametrization(&self) -> &[(Symbol, Expr)] {
        &self.on_groups
    }
    /// The start of the model, with values of its parameters; empty without a model.
    pub fn start_point(&self) -> &[(Symbol, Expr)] {
        &self.near
    }
    /// Is a factor a group?
    pub fn has_groups(&self) -> bool {
        self.factors.iter().any(|f| f.group.is_some())
    }
    /// Is a factor a coordinate?
    pub fn has_coordinates(&self) -> bool {
        self.factors.iter().any(|f| f.group.is_none())
    }

    /// p_A = ∂L/∂y^A.
    pub fn momenta(&self) -> Vec<Expr> {
        self.lagrangian.gradient(self.frame.fibre())
    }

    /// The energy, in the velocities.
    pub fn energy(&self) -> Expr {
        energy(&self.frame, &self.lagrangian, self.order)
    }

    /// Proves that functions vanish on the configuration space, group relations used.
    pub fn prove_zero(&self, f: &[Expr]) -> Verdict {
        vanish_on(f, &self.on_groups)
    }

    /// Does a function vanish at the point of interest, for certain? False without such a point.
    pub(crate) fn vanishes_at_start(&self, f: &Expr) -> bool {
        !self.near.is_empty()
            && matches!(
                prove_all_zero(&[f.substitute(&self.near)]),
                Verdict::Proven { .. }
            )
    }

    /// The rank of a matrix of functions at a generic point of the configuration space.
    pub(crate) fn generic_rank(&self, m: &Matrix) -> Result<usize, UndecidedRank> {
        generic_rank(&m.substitute(&self.on_groups))
    }

    /// The Hessian of L in the velocities.
    pub fn mass_matrix(&self) -> Matrix {
        hessian(&self.lagrangian, self.frame.fibre())
    }

    /// An error for a Lagrangian of two points, whose motion goes from node to node.
    pub fn check_continuous(&self) -> Result<(), MechanicsError> {
        match self.clock {
            Clock::DiscreteLagrangian => Err(MechanicsError::DiscreteLagrangian {
                origin: self.lagrangian_origin,
            }),
            Clock::Continuous | Clock::Map => Ok(()),
        }
    }

    /// An error where there is no Lagrangian of continuous motions, for what needs one.
    pub fn check_lagrangian(&self, what: &str) -> Result<(), MechanicsError> {
        self.check_continuous()?;
        match self.is_kinematic() {
            true => Err(MechanicsError::NoLagrangian {
                what: what.into(),
                works: Form::default_for(self),
            }),
            false => Ok(()),
        }
    }

    /// The positions, as the first part of a state.
    pub(crate) fn positions(&self) -> StateSpace {
        StateSpace::default().with(SlotRole::Position, self.frame.base().to_vec())
    }

    /// Under names that were made up for another system of the same model.
    pub fn with_names(mut self, names: &Names) -> Self {
        self.names = names.clone();
        self.known = Known::default();
        self
    }

    /// The names that are made up for this system.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The reactions of the constraints, λ.
    pub fn multiplier_symbols(&self) -> Vec<Symbol> {
        let all = 0..self.constraints.len();
        all.map(|s| self.names.multiplier(s)).collect()
    }

    /// The multipliers of the constraints in variational problems, μ.
    pub fn variational_multipliers(&self) -> Vec<Symbol> {
        let all = 0..self.constraints.len() + self.jet_constraints.len();
        all.map(|s| self.names.variational_multiplier(s)).collect()
    }

    /// The momentum of each velocity.
    pub fn momentum_symbols(&self) -> Vec<Symbol> {
        self.jet_momentum_symbols(0)
    }

    /// The momenta that stand in the state because time leaves no velocities: those of a Lagrangian of two points.
    pub fn state_momenta(&self) -> Vec<Symbol> {
        match self.clock {
            Clock::DiscreteLagrangian => self.momentum_symbols(),
            Clock::Continuous | Clock::Map => Vec::new(),
        }
    }

    /// p_A as a motion has it: by its velocities, or as its state has it.
    pub fn momenta_on_motions(&self) -> Vec<Expr> {
        match self.clock {
            Clock::DiscreteLagrangian => self.momentum_symbols().iter().map(Expr::from).collect(),
            Clock::Continuous | Clock::Map => self.momenta(),
        }
    }

    /// The momenta of the k-th derivatives of the velocities: p_x, p_x_1, …; p_w\[1\], p_w_1\[1\], ….
    pub fn jet_momentum_symbols(&self, k: usize) -> Vec<Symbol> {
        let velocities = self.frame.fibre().iter();
        velocities
            .map(|y| self.names.momentum(y.name(), k))
            .collect()
    }

    pub(crate) fn named_momenta(&self, levels: &[Vec<Expr>]) -> Vec<Quantity> {
        let mut all = Vec::new();
        for (k, level) in levels.iter().enumerate() {
            for (symbol, p) in self.jet_momentum_symbols(k).iter().zip(level) {
                all.push(Quantity::new(symbol.name(), p.clone()));
            }
        }
        all
    }

    pub(crate) fn named_reactions(&self, lambda: &[Expr]) -> Vec<Quantity> {
        let force = self.constraints.forms().transpose().apply(lambda);
        self.frame
            .fibre()
            .iter()
            .zip(force)
            .filter(|(_, f)| !f.is_zero())
            .map(|(y, f)| Quantity::stated(y.name(), f))
            .collect()
    }
}

fn group_parametrization(frame: &Frame, factors: &[Factor]) -> Vec<(Symbol, Expr)> {
    factors
        .iter()
        .filter_map(|f| Some((f, f.group?)))
        .flat_map(|(f, group)| {
            let entries = frame.base()[f.base.clone()].to_vec();
            entries.into_iter().zip(group.parametrization(&f.name))
        })
        .collect()
}
