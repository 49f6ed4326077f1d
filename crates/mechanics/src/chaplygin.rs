//! Chaplygin structure: a fibre that the constraints determine and nothing depends on.

use crate::engine::Sections;
use crate::error::MechanicsError;
use crate::system::System;
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, LinearError, Matrix, Symbol, Verdict, dot, solve, substitute_all};

/// The reduced system on the base: TQ = D ⊕ V with V the fibre directions, and the horizontal lifts
/// h_α ∈ D of the base velocities (HJ-C27 to C30, DP-B12 to B14, VE-C12, C18).
#[derive(Clone, Debug)]
pub struct Chaplygin {
    /// Base coordinates r.
    pub base: Vec<Symbol>,
    /// Horizontal lifts as ambient sections; their velocities are the base velocities.
    pub sections: Sections,
    /// The reduced Lagrangian l(r, r') = L on D.
    pub lagrangian: Expr,
    /// The energy on D, in the base velocities.
    pub energy: Expr,
    /// Ξ_αβ = −⟨p, [h_α, h_β]⟩ with p = ∂L/∂y on D, in the base velocities.
    pub gyroscopic: Matrix,
    /// The connection form's coefficients: fibre velocity s'^a = −A^a_α r'^α.
    pub connection: Matrix,
    /// The curvature −A([h_α, h_β])^a: one antisymmetric matrix per fibre velocity.
    pub curvature: Vec<Matrix>,
    /// The force on the base: ⟨F, h_α⟩, and ⟨p, ∂h_α/∂t⟩ of lifts that turn with time.
    pub force: Vec<Expr>,
    /// Functions that must not vanish.
    pub conditions: Vec<Expr>,
    /// How the fibre was found.
    pub notes: Vec<String>,
}

impl Chaplygin {
    /// The structure with the declared fibre, the one of the declared symmetries, or one of cyclic
    /// coordinates, in this order.
    pub fn of(system: &System) -> Result<Self, MechanicsError> {
        let fail = |why: &str| MechanicsError::NotChaplygin { why: why.into() };
        if system.constraints().is_empty() {
            return Err(fail("it has no constraints"));
        }
        if !system.constraints().is_linear() {
            return Err(fail("its constraints are not linear in the velocities"));
        }
        let m = system.constraints().len();
        if !system.fibre.is_empty() {
            return Self::with_fibre(system, &system.fibre, "declared");
        }
        let symmetric = symmetry_fibre(system);
        if let Some(fibre) = symmetric.filter(|f| dimension(system, f) == m) {
            return Self::with_fibre(system, &fibre, "of the declared symmetries");
        }
        let cyclic: Vec<usize> = (0..system.factors().len())
            .filter(|&i| is_cyclic(system, i))
            .collect();
        let mut candidates = Vec::new();
        subsets_of_dimension(system, &cyclic, m, &mut candidates);
        let found = candidates
            .iter()
            .filter_map(|fibre| Self::with_fibre(system, fibre, "cyclic").ok());
        let mut best = found.min_by_key(|c| c.defects(system)).ok_or_else(|| {
            fail("no set of cyclic coordinates is determined by the constraints; declare `fibre`")
        })?;
        if !system.symmetries().is_empty() {
            let names: Vec<&str> = system
                .symmetries()
                .iter()
                .map(|s| s.name.as_str())
                .collect();
            best.notes.push(format!(
                "the declared symmetries ({}) do not move just the coordinates of a fibre of dimension {m}; the fibre is one of cyclic coordinates",
                names.join(", ")
            ));
        }
        Ok(best)
    }

    /// (conditions that vanish at the start, conditions that may vanish somewhere): fewer is better.
    fn defects(&self, system: &System) -> (usize, usize) {
        let open = self.conditions.iter().filter(|f| !f.is_nonvanishing());
        let at_start = open.clone().filter(|f| system.vanishes_at_start(f)).count();
        (at_start, open.count())
    }

    /// The structure for these factors as fibre.
    pub fn with_fibre(system: &System, fibre: &[usize], how: &str) -> Result<Self, MechanicsError> {
        let fail = |why: String| MechanicsError::NotChaplygin { why };
        let (frame, constraints) = (system.frame(), system.constraints());
        let names: Vec<&str> = fibre
            .iter()
            .map(|&i| system.factors()[i].name.as_str())
            .collect();
        let names = names.join(", ");
        let vertical: Vec<usize> = fibre
            .iter()
            .flat_map(|&i| system.factors()[i].fibre.clone())
            .collect();
        let horizontal: Vec<usize> = (0..frame.rank())
            .filter(|i| !vertical.contains(i))
            .collect();
        if vertical.len() != constraints.len() {
            return Err(fail(format!(
                "the fibre ({names}) has {} dimensions, but there are {} constraints",
                vertical.len(),
                constraints.len()
            )));
        }
        let base_factors: Vec<usize> = (0..system.factors().len())
            .filter(|i| !fibre.contains(i))
            .collect();
        if base_factors
            .iter()
            .any(|&i| system.factors()[i].group.is_some())
        {
            let why = "the base contains a group factor; reduce with `hamel` instead";
            return Err(MechanicsError::ReductionNotDerived { why: why.into() });
        }
        let rows: Vec<usize> = (0..constraints.len()).collect();
        let a = constraints.forms();
        let solved = solve(&a.select(&rows, &vertical), &a.select(&rows, &horizontal)).map_err(
            |e| match e {
                LinearError::Singular { .. } => fail(format!(
                    "the constraints do not determine the velocities of the fibre ({names})"
                )),
                e => MechanicsError::ReductionNotDerived {
                    why: format!("the velocities of the fibre ({names}): {e}"),
                },
            },
        )?;
        let connection = solved.solution;
        let basis = Matrix::new(frame.rank(), horizontal.len(), |i, alpha| {
            match vertical.iter().position(|&v| v == i) {
                Some(k) => -&connection[(k, alpha)],
                None => i64::from(horizontal[alpha] == i).into(),
            }
        });
        let sections = Sections {
            drift: vec![Expr::zero(); frame.rank()],
            basis,
            velocities: horizontal
                .iter()
                .map(|&i| frame.fibre()[i].clone())
                .collect(),
        };
        let base: Vec<Symbol> = base_factors
            .iter()
            .flat_map(|&i| frame.base()[system.factors()[i].base.clone()].to_vec())
            .collect();
        let mut reduced = Self {
            base,
            lagrangian: Expr::zero(),
            energy: Expr::zero(),
            gyroscopic: Matrix::zeros(0, 0),
            connection,
            curvature: Vec::new(),
            force: Vec::new(),
            conditions: solved
                .conditions
                .into_iter()
                .filter(|c| c.as_number().is_none())
                .collect(),
            notes: vec![format!("fibre ({names}), {how}")],
            sections,
        };
        reduced.fill(system, &vertical)?;
        reduced.drop_fibre(system, fibre)?;
        Ok(reduced)
    }

    fn fill(&mut self, system: &System, vertical: &[usize]) -> Result<(), MechanicsError> {
        let frame = system.frame();
        let restricted = self
            .sections
            .restrict(frame, &[system.lagrangian().clone(), system.energy()]);
        [self.lagrangian, self.energy] = [restricted[0].clone(), restricted[1].clone()];
        let p = self.sections.restrict(frame, &system.momenta());
        let force = self.sections.restrict(frame, system.force());
        let k = self.sections.rank();
        let h: Vec<Vec<Expr>> = (0..k).map(|a| self.sections.basis.column(a)).collect();
        let turning = self.sections.turning(&p);
        self.force = h
            .iter()
            .zip(&turning)
            .map(|(x, turned)| dot(&force, x) + turned)
            .collect();
        self.gyroscopic = Matrix::zeros(k, k);
        self.curvature = vec![Matrix::zeros(k, k); vertical.len()];
        for i in 0..k {
            for j in i + 1..k {
                let bracket = frame.bracket(&h[i], &h[j]);
                let xi = -dot(&p, &bracket);
                self.gyroscopic[(j, i)] = -&xi;
                self.gyroscopic[(i, j)] = xi;
                for (b, &v) in self.curvature.iter_mut().zip(vertical) {
                    b[(j, i)] = bracket[v].clone();
                    b[(i, j)] = -&bracket[v];
                }
            }
        }
        Ok(())
    }

    /// Checks that the reduced data do not see the fibre, then writes them at its identity.
    fn drop_fibre(&mut self, system: &System, fibre: &[usize]) -> Result<(), MechanicsError> {
        let frame = system.frame();
        let mut data = vec![self.lagrangian.clone(), self.energy.clone()];
        data.extend(self.gyroscopic.entries().iter().cloned());
        data.extend(self.force.iter().cloned());
        let identity = fibre_identity(system, fibre);
        for &i in fibre {
            let factor = &system.factors()[i];
            for a in factor.fibre.clone() {
                let slopes = frame.act_basis(a, &data);
                if !matches!(system.prove_zero(&slopes), Verdict::Proven { .. }) {
                    let why = format!(
                        "the reduced Lagrangian, gyroscopic form or force depends on the fibre `{}`",
                        factor.name
                    );
                    return Err(MechanicsError::NotChaplygin { why });
                }
            }
        }
        let data = substitute_all(&data, &identity);
        let k = self.sections.rank();
        self.lagrangian = data[0].clone();
        self.energy = data[1].clone();
        self.gyroscopic = Matrix::new(k, k, |i, j| data[2 + i * k + j].clone());
        self.force = data[2 + k * k..].to_vec();
        Ok(())
    }
}

fn fibre_identity(system: &System, fibre: &[usize]) -> Vec<(Symbol, Expr)> {
    fibre
        .iter()
        .flat_map(|&i| {
            let factor = &system.factors()[i];
            let values = factor
                .group
                .map_or_else(|| vec![Expr::zero()], |g| g.identity());
            system.frame().base()[factor.base.clone()]
                .iter()
                .cloned()
                .zip(values)
        })
        .collect()
}

fn dimension(system: &System, factors: &[usize]) -> usize {
    factors
        .iter()
        .map(|&i| system.factors()[i].fibre.len())
        .sum()
}

/// The factors that the declared symmetries move.
fn symmetry_fibre(system: &System) -> Option<Vec<usize>> {
    let moved = |i: &usize| {
        let range = system.factors()[*i].fibre.clone();
        system
            .symmetries()
            .iter()
            .any(|s| s.components[range.clone()].iter().any(|c| !c.is_zero()))
    };
    let all: Vec<usize> = (0..system.factors().len()).filter(moved).collect();
    (!all.is_empty()).then_some(all)
}

/// Do Lagrangian, force and constraints not contain the factor's positions?
fn is_cyclic(system: &System, i: usize) -> bool {
    let frame: &Frame = system.frame();
    let range = system.factors()[i].base.clone();
    let positions = &frame.base()[range];
    let constraints = system.constraints();
    std::iter::once(system.lagrangian())
        .chain(system.force())
        .chain(constraints.forms().entries())
        .chain(constraints.offsets())
        .all(|e| !e.contains_any(positions))
}

/// All sets of these factors whose dimensions add up to `m`, at most a few hundred.
fn subsets_of_dimension(system: &System, from: &[usize], m: usize, found: &mut Vec<Vec<usize>>) {
    const MOST: usize = 200;
    let mut stack: Vec<(usize, Vec<usize>)> = vec![(0, Vec::new())];
    while let Some((next, chosen)) = stack.pop() {
        let size = dimension(system, &chosen);
        if size == m {
            found.push(chosen);
            if found.len() == MOST {
                return;
            }
        } else if size < m && next < from.len() {
            stack.push((next + 1, chosen.clone()));
            let mut with = chosen;
            with.push(from[next]);
            stack.push((next + 1, with));
        }
    }
}
