//! What can go wrong in a derivation, each with its origin in the model where there is one.

use crate::formulation::Form;
use crate::origin::Origin;

use rattleback_symbolic::{Expr, Symbol};

/// A derivation that cannot be done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MechanicsError {
    /// A constraint is not affine in the velocities.
    #[error("this constraint is nonlinear in the velocities, which `{form}` cannot treat")]
    NonlinearConstraint {
        /// Where it stands.
        origin: Origin,
        /// What was asked for.
        form: String,
    },
    /// A constraint has accelerations.
    #[error("this constraint contains derivatives beyond velocities, which `{form}` cannot treat")]
    HigherOrderConstraint {
        /// Where it stands.
        origin: Origin,
        /// What was asked for.
        form: String,
    },
    /// A constraint has higher derivatives than the Lagrangian.
    #[error(
        "this constraint is of order {order}, the Lagrangian of order {lagrangian}: multipliers are not determined"
    )]
    BeyondLagrangian {
        /// Where it stands.
        origin: Origin,
        /// The order of the constraint.
        order: u32,
        /// The order of the Lagrangian.
        lagrangian: u32,
    },
    /// A force or control acts by what the equations are to tell.
    #[error("this one-form contains `{symbol}`, which follows from the forces")]
    AcceleratedForce {
        /// Where it stands.
        origin: Origin,
        /// The derivative.
        symbol: String,
    },
    /// Two constraints cannot hold together.
    #[error("this constraint contradicts the ones before it")]
    ContradictoryConstraint {
        /// Where it stands.
        origin: Origin,
    },
    /// There are as many independent constraints as velocities, or more.
    #[error(
        "{constraints} constraints that are independent at generic positions leave no freedom to a system with {velocities} \
         velocities"
    )]
    NoFreedom {
        /// How many constraints.
        constraints: usize,
        /// How many velocities.
        velocities: usize,
    },
    /// The formulation is for unconstrained systems.
    #[error(
        "`{form}` is for systems without constraints; this one has {constraints}: ask for `lagrange-dalembert` or `hamel`"
    )]
    Constrained {
        /// The formulation.
        form: Form,
        /// How many constraints.
        constraints: usize,
    },
    /// The formulation is for Lagrangians in velocities only.
    #[error(
        "`{form}` is for Lagrangians in positions and velocities; this one has derivatives up to order {order}: ask for `higher-order`"
    )]
    HigherOrder {
        /// The formulation.
        form: Form,
        /// The order of the Lagrangian.
        order: u32,
    },
    /// The formulation needs L = T − V.
    #[error(
        "`{form}` needs a Lagrangian T − V with a kinetic energy quadratic in the velocities: {why}"
    )]
    NotNatural {
        /// The formulation.
        form: Form,
        /// What is different.
        why: String,
    },
    /// The formulation is for linear constraints.
    #[error(
        "`{form}` is for constraints linear in the velocities; these have a part free of velocities: ask for `lagrange-dalembert` or `hamel`"
    )]
    AffineConstraints {
        /// The formulation.
        form: Form,
    },
    /// The kinetic energy is degenerate.
    #[error(
        "the Lagrangian is degenerate: its Hessian in the {on} is singular, so the equations do not determine the accelerations"
    )]
    Degenerate {
        /// The derivatives that it is taken in.
        on: &'static str,
        /// Where the Lagrangian stands.
        origin: Option<Origin>,
    },
    /// The Lagrangian is linear in velocities, and the formulation needs more.
    #[error(
        "`{form}` needs a Lagrangian that is not linear in any velocity; this one is, and gives first-order equations: ask for `{works}`"
    )]
    FirstOrder {
        /// The formulation.
        form: Form,
        /// The one that is there.
        works: Form,
    },
    /// The momenta do not determine the velocities.
    #[error(
        "`{form}` needs velocities that follow from the momenta; this Lagrangian is degenerate off the constraint distribution: ask for `lagrange-dalembert` or `hamel`"
    )]
    NotInvertible {
        /// The formulation.
        form: Form,
    },
    /// A frame field of the model is not allowed by the constraints, or the fields do not span.
    #[error("{what}")]
    BadFrame {
        /// What is wrong.
        what: String,
        /// Where the frame stands.
        origin: Option<Origin>,
    },
    /// There may be a Chaplygin structure, but its equations are not derived in that form.
    #[error("the reduced equations are not derived here: {why}")]
    ReductionNotDerived {
        /// What is in the way.
        why: String,
    },
    /// The equations are on a slice across orbits.
    #[error(
        "`{form}` is on a slice across the orbits of the symmetries here, and its motion is none of the model's positions"
    )]
    OnSlice {
        /// The formulation.
        form: Form,
    },
    /// There is no Chaplygin structure.
    #[error("this is not a Chaplygin system: {why}")]
    NotChaplygin {
        /// What fails.
        why: String,
    },
    /// A quantity divides by zero wherever it is evaluated.
    #[error("{what} divides by an expression that is identically zero")]
    Undefined {
        /// Which quantity.
        what: String,
        /// Where it stands.
        origin: Option<Origin>,
    },
    /// The Lagrangian has the rate of an auxiliary state, which depends on something whose own rate the formulation has not.
    #[error(
        "`{form}` cannot treat a Lagrangian with the derivative of an auxiliary state whose rate depends on `{on}`: the derivative of `{on}` is open there; {}",
        advice(*form)
    )]
    AuxiliaryRate {
        /// The formulation.
        form: Form,
        /// What the rate depends on.
        on: Symbol,
    },
    /// A constraint holds a variable whose rate is open.
    #[error(
        "this constraint restricts the auxiliary state `{state}`, whose rate contains a control"
    )]
    ConstrainedControl {
        /// Which state.
        state: String,
        /// Where the constraint stands.
        origin: Origin,
    },
    /// A Lagrangian of two points has no continuous motion.
    #[error("this is a discrete Lagrangian L(x, next(x)), which has no motion in continuous time")]
    DiscreteLagrangian {
        /// Where it stands.
        origin: Option<Origin>,
    },
    /// A Lagrangian of two points is not one of positions alone.
    #[error("the map of this discrete Lagrangian cannot be taken: {why}")]
    NoDiscreteMap {
        /// What is in the way.
        why: String,
        /// Where the Lagrangian stands.
        origin: Option<Origin>,
    },
    /// There is no Lagrangian.
    #[error("`{what}` needs a Lagrangian; this model has states alone: `{works}` is its form")]
    NoLagrangian {
        /// What was asked for.
        what: String,
        /// The one that is there.
        works: Form,
    },
    /// The formulation is for models without a Lagrangian.
    #[error("`{form}` is for models of states alone; this one has a Lagrangian: ask for `{works}`")]
    HasLagrangian {
        /// The formulation.
        form: Form,
        /// The one that is there.
        works: Form,
    },
    /// Nothing is made least.
    #[error(
        "`optimality` needs something that is made least: this problem has controls and no cost"
    )]
    NoObjective,
    /// There are no conditions of this kind.
    #[error("the conditions of optimality are not derived here: {why}")]
    NoOptimality {
        /// What is in the way.
        why: String,
    },
    /// The conditions do not determine the controls.
    #[error(
        "the problem is singular: its Hamiltonian does not determine {} by stationarity ({missing} of its conditions say nothing about them)",
        .controls.iter().map(|u| format!("`{u}`")).collect::<Vec<_>>().join(", ")
    )]
    Singular {
        /// The controls.
        controls: Vec<String>,
        /// How many conditions say nothing of the controls.
        missing: usize,
    },
    /// A question that the zero test could not decide.
    #[error("not decided: {why}")]
    Undecided {
        /// Why.
        why: String,
    },
    /// The constraint distribution has no frame.
    #[error("{0}")]
    Distribution(String),
    /// A function that must not vanish does so identically.
    #[error("`{0}` vanishes identically")]
    Vanishing(Expr),
}

impl MechanicsError {
    /// The same refusal of a constraint, for the formulation that was asked for.
    pub(crate) fn asked_for(mut self, asked: Option<Form>) -> Self {
        if let (
            Self::NonlinearConstraint { form, .. } | Self::HigherOrderConstraint { form, .. },
            Some(asked),
        ) = (&mut self, asked)
        {
            *form = asked.name().into();
        }
        self
    }

    /// The statement of the model that it is about.
    pub fn origin(&self) -> Option<Origin> {
        match self {
            Self::NonlinearConstraint { origin, .. }
            | Self::HigherOrderConstraint { origin, .. }
            | Self::BeyondLagrangian { origin, .. }
            | Self::AcceleratedForce { origin, .. }
            | Self::ConstrainedControl { origin, .. }
            | Self::ContradictoryConstraint { origin } => Some(*origin),
            Self::Degenerate { origin, .. }
            | Self::DiscreteLagrangian { origin }
            | Self::NoDiscreteMap { origin, .. }
            | Self::BadFrame { origin, .. }
            | Self::Undefined { origin, .. } => *origin,
            Self::Singular { .. } | Self::NoObjective => Some(Origin::Control(0)),
            _ => None,
        }
    }
}

/// What helps where the rate of an auxiliary state depends on what is open.
fn advice(form: Form) -> &'static str {
    match form {
        Form::EulerLagrange | Form::LagrangeDAlembert => "give the control a law by `input`",
        _ => "ask for `euler-lagrange` or `lagrange-dalembert`",
    }
}
