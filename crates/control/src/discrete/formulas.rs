//! The formulas of a discrete system in coordinates, and what is proven of them.

use super::space::{Kind, Space};
use super::{Making, Request};
use rattleback_mechanics::discrete::{
    DiscreteError, DiscreteHamiltonian, DiscreteLagrangian, DiscreteSystem, JetRule, Kept,
    NoHamiltonian, Side,
};
use rattleback_mechanics::{Problem, System};
use rattleback_symbolic::{Expr, Symbol, prove_zero, simplify, substitute_all};

/// A discrete Lagrangian of two points with all that follows from it.
pub struct Formulas {
    /// The step.
    pub h: Symbol,
    /// The time from node to node: the step, or 1 where they are counted.
    pub between: Expr,
    /// L_d.
    pub lagrangian: DiscreteLagrangian,
    /// `p_x_0`, `p_x_1` with their formulas.
    pub momenta: Vec<(Symbol, Expr)>,
    /// What vanishes along motions, in three points.
    pub equations: Vec<Expr>,
    /// Right and left.
    pub hamiltonians: [Hamiltonian; 2],
    /// Constants with the step.
    pub values: Vec<(Symbol, Expr)>,
}

/// A discrete Hamiltonian: as a formula, and whether it exists at the values.
pub struct Hamiltonian {
    /// The formula, for other steps and parameters perhaps.
    pub generic: Result<DiscreteHamiltonian, NoHamiltonian>,
    /// At the values.
    pub exists: Result<(), NoHamiltonian>,
}

impl Formulas {
    /// The formulas of a model in coordinates without constraints.
    pub fn new(
        problem: &Problem,
        system: &System,
        space: &Space,
        discrete: Option<&DiscreteSystem>,
        request: &Request,
    ) -> Result<Self, DiscreteError> {
        let in_the_way = [
            (system.has_groups(), "group factors"),
            (system.is_constrained(), "constraints"),
            (system.is_forced(), "forces"),
        ];
        if let Some((_, has)) = in_the_way.into_iter().find(|(is_there, _)| *is_there) {
            return Err(match space.kind {
                Kind::Jets(_) => DiscreteError::NotJets { has },
                _ => DiscreteError::NotTwoPoints { has },
            });
        }
        let [start, end, third] = [0, 1, 2].map(|k| space.node(k));
        let (h, lagrangian) = match (discrete, space.kind, request.making) {
            (Some(discrete), ..) => (
                discrete.step_symbol().clone(),
                discrete.in_coordinates(&start, &end)?,
            ),
            (None, Kind::Given, _) => (space.step(), space.given(system)?),
            (None, Kind::Jets(order), Making::Rule(rule)) => {
                let (h, rule) = (space.step(), JetRule::of(rule, order)?);
                let l = DiscreteLagrangian::of_jets(system, rule, &h, &start, &end)?;
                (h, l)
            }
            (None, ..) => {
                let h = space.step();
                let exact = |system: &System| match space.kind {
                    Kind::Jets(_) => DiscreteLagrangian::exact_of_jets(system, &h, &start, &end),
                    _ => DiscreteLagrangian::exact(system, &h, &start, &end),
                };
                // Whether coordinates swing or run away, values tell where parameters do not.
                let found = exact(system);
                let found = found.or_else(|e| exact(&system.at_parameter_values()).map_err(|_| e));
                (h.clone(), found?)
            }
        };
        let mut values = problem.values.pairs().to_vec();
        if let Some(step) = &request.step {
            values.push((h.clone(), step.clone()));
        }
        // A given Lagrangian has no step of its own: its nodes are counted.
        let between = match space.kind {
            Kind::Given => Expr::one(),
            _ => Expr::from(&h),
        };
        let [p0, p1] = [0, 1].map(|k| space.momenta_of(k));
        let tidy = |all: Vec<Expr>| all.iter().map(simplify).collect::<Vec<_>>();
        let before = p0.iter().cloned().zip(tidy(lagrangian.momenta_before()));
        let after = p1.iter().cloned().zip(tidy(lagrangian.momenta_after()));
        let hamiltonian = |side: Side, momenta: &[Symbol]| Hamiltonian {
            generic: lagrangian.hamiltonian(side, momenta),
            exists: lagrangian.hamiltonian_exists(side, &values),
        };
        Ok(Self {
            momenta: before.chain(after).collect(),
            equations: tidy(lagrangian.equations(&third, &between)),
            between,
            hamiltonians: [hamiltonian(Side::Right, &p1), hamiltonian(Side::Left, &p0)],
            h,
            values,
            lagrangian,
        })
    }
}

/// d/dt of functions of time and positions.
pub(super) fn along_motion(system: &System, f: &[Expr]) -> Vec<Expr> {
    let moved = system.frame().rates(f).into_iter();
    let passed = f.iter().map(|e| e.diff(&Symbol::time()));
    moved.zip(passed).map(|(a, b)| a + b).collect()
}

/// X(q₀)·D₁L_d + X(q₁)·D₂L_d = 0 for each declared symmetry: then X·p is the same at all nodes. On velocities it acts
/// by its derivatives along the motion.
pub(super) fn conserved(
    system: &System,
    space: &Space,
    l: &DiscreteLagrangian,
    h: &Expr,
) -> Vec<(String, Kept)> {
    let now = Expr::from(Symbol::time());
    let at = |node: &[Symbol], time: &Expr, x: &[Expr]| {
        let here = space.positions.iter().cloned();
        let here = here.zip(node.iter().map(Expr::from));
        let pairs: Vec<(Symbol, Expr)> = here.chain([(Symbol::time(), time.clone())]).collect();
        substitute_all(x, &pairs)
    };
    let n = system.frame().base().len();
    let change = |components: &[Expr]| {
        let mut prolonged = components.to_vec();
        for level in 1..space.positions.len() / n.max(1) {
            let below = prolonged[(level - 1) * n..].to_vec();
            prolonged.extend(along_motion(system, &below));
        }
        let before = at(&l.start, &now, &prolonged);
        l.change(&before, &at(&l.end, &(&now + h), &prolonged))
    };
    let symmetries = system.symmetries().iter();
    symmetries
        .map(|s| (s.name.clone(), prove_zero(&change(&s.components)).into()))
        .collect()
}
