//! The equations of optimality as a formulation: Hamilton's equations of K, with the controls solved for.

use super::{Objective, Steering};
use crate::equations::{Equations, Quantity, Stage};
use crate::{Form, MechanicsError, SlotRole, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

/// p_A' = −ρ^i_A ∂K/∂z^i − C^D_AB V^B p_D, π' = −∂K/∂w, K_u = 0 (AC-C35 to C38, PR4; CG-B5, G2).
pub(crate) fn optimality(system: &System) -> Result<Equations, MechanicsError> {
    let steering = system.steering()?;
    let choice = Choice::of(system, &steering)?;
    let k = steering.joined();
    let frame = &steering.frame;
    let p: Vec<Expr> = steering.momenta.iter().map(Expr::from).collect();
    let gradient = frame.differential(&k);
    let carried = frame.gyroscopic(&steering.velocity, &p);
    let momenta = gradient.iter().zip(&carried).map(|(g, c)| -(g + c));
    let symbols: Vec<Symbol> = steering.states.iter().map(|(s, ..)| s.clone()).collect();
    let adjoints = k.gradient(&symbols).into_iter().map(|g| -g);
    let rates = frame.anchored(&steering.velocity).into_iter();
    let rates = rates.chain(steering.states.iter().map(|(.., rate)| rate.clone()));
    let rates: Vec<Expr> = rates.chain(momenta).chain(adjoints).collect();
    let costates = steering.momenta.iter().chain(&steering.adjoints).cloned();
    let state = steering.state().with(SlotRole::Costate, costates.clone());
    let h = steering.hamiltonian();
    let mut equations = Equations::new(Form::Optimality, state, rates, h.clone());
    equations.stages.extend(steering.adjoint_stage());
    equations.stages.extend(choice.stage);
    equations
        .stages
        .extend(steering.solve.iter().map(|s| Stage::Linear {
            unknowns: s.unknowns.clone(),
            matrix: s.matrix.clone(),
            rhs: s.rhs.clone(),
        }));
    equations.initial = steering.initial.clone();
    equations.initial.values.extend(costates.map(Expr::from));
    equations.multipliers = steering
        .relations
        .iter()
        .map(|(mu, _)| Quantity::new(mu.name(), mu.into()))
        .collect();
    equations.momenta = system.optimal_momenta(&steering);
    equations.residuals = steering.residuals.clone();
    equations.extras = extras(system, &steering, h);
    equations.power = Some(k.diff(&Symbol::time()));
    equations.conditions = steering.conditions.clone();
    equations.conditions.extend(choice.condition);
    equations.notes.extend(choice.note);
    Ok(equations)
}

/// The controls as functions of state and costates, and the Hamiltonian.
fn extras(system: &System, steering: &Steering, h: Expr) -> Vec<Quantity> {
    let controls = steering.controls.iter();
    let mut extras: Vec<Quantity> = match system.objective() {
        Some(Objective::Action) => Vec::new(),
        _ => controls
            .map(|u| Quantity::new(u.to_string(), u.into()))
            .collect(),
    };
    extras.push(Quantity::new("hamiltonian", h));
    extras.extend(system.second_order_quantities());
    extras
}

/// How the controls follow from K_u = 0 and φ = 0.
struct Choice {
    stage: Option<Stage>,
    condition: Option<Expr>,
    note: Option<String>,
}

impl Choice {
    /// The solve for u and μ. It must be regular: R = −K_uu, with relations bordered as in AC (3.19) (CG-B4).
    fn of(system: &System, steering: &Steering) -> Result<Self, MechanicsError> {
        let unknowns: Vec<Symbol> = steering.unknowns();
        if unknowns.is_empty() {
            return Ok(Self {
                stage: None,
                condition: None,
                note: None,
            });
        }
        let residuals = steering.stationarity();
        let slopes: Vec<Vec<Expr>> = residuals.iter().map(|e| e.gradient(&unknowns)).collect();
        let matrix = Matrix::from_rows(&slopes);
        let note = match system.generic_rank(&system.at_values(&matrix)) {
            Ok(rank) if rank < matrix.rows() => {
                return Err(MechanicsError::Singular {
                    controls: steering.controls.iter().map(Symbol::to_string).collect(),
                    missing: matrix.rows() - rank,
                });
            }
            Ok(_) => None,
            Err(open) => Some(format!(
                "whether the conditions determine the controls is not decided: {open}"
            )),
        };
        let is_linear = !matrix.entries().iter().any(|e| e.contains_any(&unknowns));
        let condition = rattleback_symbolic::determinant(&matrix).ok();
        let condition = condition.filter(|d| d.as_number().is_none() && is_linear);
        let stage = match is_linear {
            false => Stage::Implicit {
                unknowns,
                residuals,
            },
            true => {
                let rest: Vec<_> = unknowns.iter().map(|u| (u.clone(), Expr::zero())).collect();
                let rhs = substitute_all(&residuals, &rest);
                Stage::Linear {
                    unknowns,
                    matrix,
                    rhs: rhs.iter().map(|e| -e).collect(),
                }
            }
        };
        Ok(Self {
            stage: Some(stage),
            condition,
            note,
        })
    }
}

impl Steering {
    /// u and μ.
    pub fn unknowns(&self) -> Vec<Symbol> {
        let multipliers = self.relations.iter().map(|(mu, _)| mu.clone());
        self.controls.iter().cloned().chain(multipliers).collect()
    }

    /// −K_u and φ, which vanish along extremals.
    pub fn stationarity(&self) -> Vec<Expr> {
        let slopes = self.joined().gradient(&self.controls);
        let relations = self.relations.iter().map(|(_, phi)| phi.clone());
        slopes.into_iter().map(|e| -e).chain(relations).collect()
    }
}
