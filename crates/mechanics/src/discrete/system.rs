//! A system in steps: its discrete Lagrangian, momenta, forces and constraints.

use super::chart::{Chart, End};
use super::error::DiscreteError;
use super::quadrature::lagrange;
use super::rule::Rule;
use super::{Reading, Retraction};
use crate::constraints::ConstraintOrigin;
use crate::system::{Factor, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

/// Where velocity constraints hold in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// A(q) x = h b at the middle of the step.
    Midpoint,
    /// A(q) x = h b at its end.
    Node,
}

impl Placement {
    /// The part of the step before the place.
    pub(super) fn part(self) -> Expr {
        match self {
            Self::Midpoint => Expr::ratio(1, 2),
            Self::Node => Expr::one(),
        }
    }
}

/// How a system is made discrete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discretization {
    /// The rule of the discrete Lagrangian.
    pub rule: Rule,
    /// The retraction of group factors.
    pub retraction: Retraction,
    /// Where velocity constraints hold.
    pub placement: Placement,
    /// What the expressions are for.
    pub reading: Reading,
}

impl Discretization {
    /// By a rule, with Cayley maps, constraints at midpoints, for programs.
    pub fn by(rule: Rule) -> Self {
        Self {
            rule,
            retraction: Retraction::Cayley,
            placement: Placement::Midpoint,
            reading: Reading::Program,
        }
    }
}

/// A system in steps (g₀, x) with g₁ = g₀ τ(x).
///
/// Positions are the symbols of the model at the beginning of the step, t its time there. The unknowns are
/// velocities ξ_j: the path of a step passes g₀ τ(h ξ_j) at its controls, the last of which is its end, so
/// that x = h ξ_s. Nothing divides by h.
#[derive(Clone, Debug)]
pub struct DiscreteSystem {
    pub(super) chart: Chart,
    pub(super) how: Discretization,
    /// The step.
    pub(super) h: Symbol,
    /// Positions and velocities of the model.
    pub(super) z: Vec<Symbol>,
    pub(super) y: Vec<Symbol>,
    /// The Lagrangian in body velocities.
    pub(super) continuous: Expr,
    /// ξ_j, by controls.
    pub(super) velocities: Vec<Vec<Symbol>>,
    /// L_d/h.
    pub(super) density: Expr,
    pub(super) before: Vec<Expr>,
    pub(super) inner: Vec<Expr>,
    pub(super) after: Vec<Expr>,
    pub(super) next: Vec<Expr>,
    /// The constraint forms in body velocities, and their offsets.
    pub(super) forms: Matrix,
    pub(super) offsets: Vec<Expr>,
    /// What the constraints say about ξ_s,
    pub(super) constraints: Vec<Expr>,
    /// and their forms where they say it.
    pub(super) placed_forms: Matrix,
    pub(super) has_force: bool,
}

/// What a system is at each point of a path.
struct Path<'a> {
    system: &'a System,
    chart: &'a Chart,
    h: Expr,
    continuous: &'a Expr,
    force: &'a [Expr],
}

impl DiscreteSystem {
    /// The discrete system of a system of first order.
    ///
    /// ```
    /// use rattleback_mechanics::System;
    /// use rattleback_mechanics::discrete::{DiscreteSystem, Discretization, Rule};
    /// use rattleback_symbolic::{Expr, Symbol, prove_zero};
    /// let x = Symbol::variable("x");
    /// let l = Expr::from(x.derivative()).powi(2)/2 + Expr::from(&x).cos();
    /// let pendulum = System::on_coordinates("pendulum", &[x], l);
    /// let verlet = DiscreteSystem::new(&pendulum, Discretization::by(Rule::Trapezoid))?;
    /// // p₀ = ξ + (h/2) sin x
    /// let [xi, h] = [&verlet.velocities()[0][0], verlet.step_symbol()].map(Expr::from);
    /// let expected = xi + h / 2 * Expr::from(Symbol::variable("x")).sin();
    /// assert!(prove_zero(&(&verlet.momenta_before()[0] - expected)).is_proven());
    /// # Ok::<(), rattleback_mechanics::discrete::DiscreteError>(())
    /// ```
    pub fn new(system: &System, how: Discretization) -> Result<Self, DiscreteError> {
        check(system, how.rule)?;
        let chart = Chart::new(system.factors(), how.retraction, how.reading);
        let (z, y) = (
            system.frame().base().to_vec(),
            system.frame().fibre().to_vec(),
        );
        let continuous = in_body(&chart, &z, &y, system.lagrangian());
        let force = system.force().iter().map(|f| in_body(&chart, &z, &y, f));
        let force = chart.body_covector(&expressions(&z), &force.collect::<Vec<_>>());
        let h = step_symbol(system);
        let path = Path {
            system,
            chart: &chart,
            h: Expr::from(&h),
            continuous: &continuous,
            force: &force,
        };
        let velocities = unknowns(&y, how.rule.degree());
        let varied = path.varied(how.rule, &velocities)?;
        let (forms, offsets) = body_forms(&chart, system);
        let x: Vec<Expr> = displacement(&path.h, velocities.last());
        let next = chart.moved(&expressions(&z), &x)?;
        let mut discrete = DiscreteSystem {
            before: Vec::new(),
            inner: varied.inner.concat(),
            after: chart.momentum(End::After, &x, &varied.end)?,
            density: varied.density,
            next,
            constraints: Vec::new(),
            placed_forms: Matrix::zeros(0, 0),
            has_force: force.iter().any(|f| !f.is_zero()),
            forms,
            offsets,
            continuous: continuous.clone(),
            velocities,
            h: h.clone(),
            how,
            z,
            y,
            chart: chart.clone(),
        };
        let departing = chart.momentum(End::Before, &x, &varied.end)?;
        discrete.before = departing
            .iter()
            .zip(&varied.start)
            .map(|(p, d)| p - d)
            .collect();
        discrete.constrain(system)?;
        Ok(discrete)
    }

    /// The rule, the retraction and the placement.
    pub fn discretization(&self) -> Discretization {
        self.how
    }
    /// The step.
    pub fn step_symbol(&self) -> &Symbol {
        &self.h
    }
    /// The positions at the beginning of a step.
    pub fn positions(&self) -> &[Symbol] {
        &self.z
    }
    /// The velocities ξ_j of a step, by controls; the last are those of its end, x = h ξ_s.
    pub fn velocities(&self) -> &[Vec<Symbol>] {
        &self.velocities
    }
    /// L_d, stationary in the inner controls.
    pub fn lagrangian(&self) -> Expr {
        &self.density * &self.h
    }
    /// p₀ = −D₁L_d, less the forces of the step.
    pub fn momenta_before(&self) -> &[Expr] {
        &self.before
    }
    /// p₁ = D₂L_d, with the forces of the step.
    pub fn momenta_after(&self) -> &[Expr] {
        &self.after
    }
    /// Are there forces or controls besides the Lagrangian?
    pub fn has_force(&self) -> bool {
        self.has_force
    }

    /// All unknowns ξ_j.
    pub(super) fn unknowns(&self) -> Vec<Symbol> {
        self.velocities.concat()
    }

    /// ∂(p₀, inner equations)/∂ξ: L_d is regular where it is invertible, as −h D₁D₂L_d is where there are no
    /// inner controls (DP-A4).
    pub fn step_matrix(&self) -> Matrix {
        let unknowns = self.unknowns();
        // The inner controls come first among the unknowns, p₀ belongs to the last.
        let rows: Vec<Vec<Expr>> = self
            .inner
            .iter()
            .chain(&self.before)
            .map(|e| e.gradient(&unknowns))
            .collect();
        Matrix::from_rows(&rows)
    }

    /// One equation per constraint: A(q) ξ + a = 0 where it is placed, g(q₁) = 0 for positions.
    fn constrain(&mut self, system: &System) -> Result<(), DiscreteError> {
        let last = self.velocities.last();
        let xi = last.map_or(Vec::new(), |v| expressions(v));
        let placed = self.placed()?;
        let at_end = self.at(&self.next, &Expr::one());
        let positions = 0..system.constraints().len();
        let positions = positions.map(|s| self.position_constraint(system, s));
        let (mut equations, mut rows) = (Vec::new(), Vec::new());
        for (s, position) in positions.enumerate() {
            let place = if position.is_some() { &at_end } else { &placed };
            let row = substitute_all(self.forms.row(s), place);
            equations.push(match position {
                Some(g) => g.substitute(place),
                None => dot(&row, &xi) + self.offsets[s].substitute(place),
            });
            rows.push(row);
        }
        self.constraints = equations;
        self.placed_forms = Matrix::new(rows.len(), self.forms.cols(), |s, a| rows[s][a].clone());
        Ok(())
    }

    /// Positions and time where velocity constraints hold in a step.
    pub(super) fn placed(&self) -> Result<Vec<(Symbol, Expr)>, DiscreteError> {
        let part = self.how.placement.part();
        let x: Vec<Expr> = self.displacements().iter().map(|x| &part * x).collect();
        let there = self.chart.moved(&expressions(&self.z), &x)?;
        Ok(self.at(&there, &part))
    }

    /// The g with g = 0 whose differential a constraint is.
    fn position_constraint(&self, system: &System, s: usize) -> Option<Expr> {
        let given = system.constraints();
        if given.origins()[s] != ConstraintOrigin::Holonomic {
            return None;
        }
        let is_its_differential = |g: &&Expr| {
            system.frame().differential(g) == given.forms().row(s)
                && g.diff(&Symbol::time()) == given.offsets()[s]
        };
        given.holonomic().iter().find(is_its_differential).cloned()
    }

    /// Positions and time at a part of the step.
    pub(super) fn at(&self, z: &[Expr], part: &Expr) -> Vec<(Symbol, Expr)> {
        let time = Expr::from(Symbol::time()) + part * &self.h;
        let positions = self.z.iter().cloned().zip(z.iter().cloned());
        positions.chain([(Symbol::time(), time)]).collect()
    }
}

/// The variation of the discrete action, per step: what multiplies the variations of its parts.
struct Varied {
    density: Expr,
    /// h dΛ + forces, on variations of g₀ with x held.
    start: Vec<Expr>,
    /// On variations of the inner controls, which vanishes.
    inner: Vec<Vec<Expr>>,
    /// On variations of x.
    end: Vec<Expr>,
}

impl Path<'_> {
    /// Λ = Σ b_i L(g₀ τ(X_i), Σ_j ℓ'_j(c_i) ξ_j) with X_i = h Σ_j ℓ_j(c_i) ξ_j, and its variation with forces
    /// (discrete Lagrange-d'Alembert).
    fn varied(&self, rule: Rule, velocities: &[Vec<Symbol>]) -> Result<Varied, DiscreteError> {
        let n = self.system.frame().rank();
        let controls = rule.controls();
        let mut density = Vec::new();
        let mut start = vec![Vec::new(); n];
        let mut pushes = vec![vec![Vec::new(); n]; controls.len()];
        for station in rule.stations() {
            let basis = lagrange(&controls, &station.place);
            let combined = |f: &dyn Fn(&(Expr, Expr)) -> Expr| -> Vec<Expr> {
                let sum =
                    |a: usize| Expr::sum(basis.iter().zip(velocities).map(|(l, v)| f(l) * &v[a]));
                (0..n).map(sum).collect()
            };
            let x = combined(&|l| &l.0 * &self.h);
            let here = self.here(&x, &combined(&|l| l.1.clone()), &station.place)?;
            density.push(&station.weight * self.continuous.substitute(&here));
            let force = substitute_all(self.force, &here);
            if force.iter().all(Expr::is_zero) {
                continue;
            }
            let impulse = |f: Expr| f * &station.weight * &self.h;
            for (a, f) in self.chart.carried_back(&x, &force)?.into_iter().enumerate() {
                start[a].push(impulse(f));
            }
            for (a, f) in self.chart.pulled_back(&x, &force)?.into_iter().enumerate() {
                for (push, l) in pushes.iter_mut().zip(&basis) {
                    push[a].push(impulse(&f * &l.0));
                }
            }
        }
        let density = Expr::sum(density);
        let z = expressions(self.system.frame().base());
        let slopes = self.system.frame().differential(&density);
        let slopes = self.chart.body_covector(&z, &slopes);
        let start = slopes.iter().zip(start);
        let start = start.map(|(d, f)| d * &self.h + Expr::sum(f)).collect();
        let mut varied = velocities.iter().zip(pushes).map(|(v, push)| {
            let slopes = density.gradient(v).into_iter().zip(push);
            slopes.map(|(d, f)| d + Expr::sum(f)).collect::<Vec<Expr>>()
        });
        let inner = varied.by_ref().take(velocities.len() - 1).collect();
        let end = varied.next().unwrap_or_default();
        Ok(Varied {
            density,
            start,
            inner,
            end,
        })
    }

    /// Positions, velocities and time at a point of the path.
    fn here(
        &self,
        x: &[Expr],
        velocity: &[Expr],
        place: &Expr,
    ) -> Result<Vec<(Symbol, Expr)>, DiscreteError> {
        let frame = self.system.frame();
        let positions = self.chart.moved(&expressions(frame.base()), x)?;
        let time = Expr::from(Symbol::time()) + place * &self.h;
        let old = frame.base().iter().chain(frame.fibre()).cloned();
        let new = positions.into_iter().chain(velocity.iter().cloned());
        Ok(old.zip(new).chain([(Symbol::time(), time)]).collect())
    }
}

/// A discrete principle moves no auxiliary states beside positions.
pub fn check_states(system: &System) -> Result<(), DiscreteError> {
    match system.auxiliary().first() {
        None => Ok(()),
        Some(_) if system.factors().is_empty() => Ok(()),
        Some((state, _)) => Err(DiscreteError::Auxiliary {
            name: state.to_string(),
        }),
    }
}

fn check(system: &System, rule: Rule) -> Result<(), DiscreteError> {
    check_states(system)?;
    if system.order() > 1 {
        let order = system.order();
        return Err(DiscreteError::HigherOrder { order });
    }
    if system.first_order().is_some() {
        return Err(DiscreteError::FirstOrder);
    }
    system.check_regular()?;
    // A Galerkin path is a polynomial, in coordinates or in a vector space; on another group its chart would bend it.
    let bends = |f: &Factor| f.group.is_some_and(|g| !g.is_vector_space());
    if rule.degree() > 1 && system.factors().iter().any(bends) {
        return Err(DiscreteError::RuleOnGroups { rule });
    }
    if rule.degree() > 1 && !system.constraints().is_empty() {
        return Err(DiscreteError::RuleWithConstraints { rule });
    }
    Ok(())
}

pub(super) fn expressions(symbols: &[Symbol]) -> Vec<Expr> {
    symbols.iter().map(Expr::from).collect()
}

/// A function of the model's velocities as one of body velocities.
fn in_body(chart: &Chart, z: &[Symbol], y: &[Symbol], f: &Expr) -> Expr {
    let stated = chart.stated(&expressions(z), &expressions(y));
    let pairs: Vec<(Symbol, Expr)> = y.iter().cloned().zip(stated).collect();
    f.substitute(&pairs)
}

/// The constraint forms on body velocities, with their offsets.
fn body_forms(chart: &Chart, system: &System) -> (Matrix, Vec<Expr>) {
    let (forms, offsets) = system.constraints().cleared();
    let z = expressions(system.frame().base());
    let rows: Vec<Vec<Expr>> = (0..forms.rows())
        .map(|s| chart.body_covector(&z, forms.row(s)))
        .collect();
    let forms = Matrix::new(rows.len(), system.frame().rank(), |s, a| rows[s][a].clone());
    (forms, offsets)
}

/// x = h ξ.
fn displacement(h: &Expr, velocities: Option<&Vec<Symbol>>) -> Vec<Expr> {
    let velocities = velocities.into_iter().flatten();
    velocities.map(|v| h * v).collect()
}

/// ξ_j for each velocity: `x~` at the end, `x~1`, … before. A name of a model has no `~`.
fn unknowns(y: &[Symbol], degree: usize) -> Vec<Vec<Symbol>> {
    let name = |y: &Symbol, j: usize| {
        let number = if j == degree {
            String::new()
        } else {
            j.to_string()
        };
        Symbol::variable(&format!("{}~{number}", y.name()))
    };
    let control = |j: usize| y.iter().map(|y| name(y, j)).collect();
    (1..=degree).map(control).collect()
}

/// `h`, or with underscores where the model declares that name itself.
fn step_symbol(system: &System) -> Symbol {
    let mut name = String::from("h");
    while system.names.declares(&name) {
        name.push('_');
    }
    Symbol::constant(&name)
}
