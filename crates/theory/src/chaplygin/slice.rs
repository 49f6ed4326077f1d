//! Reduction along the orbits of a symmetry that are no coordinate lines: on a slice across them (HJ-C27 to
//! C32 without adapted coordinates).

use super::reduction::{Quotient, Restricted};
use super::{NoReduction, Reduction};
use crate::exact::{tidy, tidy_all};
use crate::{Gap, Named};
use rattleback_geometry::{Quotient as Orbits, Section, Subframe};
use rattleback_mechanics::System;
use rattleback_mechanics::fibre::subsets;
use rattleback_mechanics::phase::SymmetryAlgebra;
use rattleback_symbolic::{Expr, Matrix, Symbol, determinant, dot, solve, substitute_all};

/// A slice: some factors are held at fixed positions, those of the others are coordinates of the space of
/// orbits.
struct Slice {
    held: Vec<(Symbol, Expr)>,
    vertical: Vec<usize>,
    horizontal: Vec<usize>,
    /// Minors that must not vanish for the orbits to cross the slice.
    crossing: Expr,
}

impl Reduction {
    /// The reduction by a group that leaves the system alone and whose orbits are transversal to D.
    ///
    /// Near a slice S the space is S × G, and what is invariant is known from its values on S: the quotient
    /// [along the fields](Orbits::along), with [its brackets](Orbits::brackets_along).
    pub fn along_orbits(system: &System, algebra: &SymmetryAlgebra) -> Result<Self, NoReduction> {
        let slice = Slice::of(system, algebra)?;
        let positions: Vec<Symbol> = slice.held.iter().map(|(s, _)| s.clone()).collect();
        let here = |e: &Expr| tidy(&e.substitute(&slice.held));
        let fields = algebra.fields().iter();
        let fields: Vec<Section> = fields
            .map(|f| f.components.iter().map(here).collect())
            .collect();
        let frame = system.frame();
        let forms = system.constraints().forms().map(here);
        let across = Orbits::along(frame, &forms, fields.clone(), &slice.vertical, &positions);
        let across = across.map_err(|e| {
            let gap = Gap::OrbitsAlongSlice.with("error", e.to_string());
            NoReduction::Undecided(gap.into())
        })?;
        let across = across.rewritten(frame, tidy_all);
        let base = across.base.clone();
        let basis = across.lifts.basis.map(tidy);
        let lifts: Vec<Section> = (0..basis.cols()).map(|a| basis.column(a)).collect();
        let sections = Subframe::spanned(basis, base.fibre().to_vec());
        let at_slice = |all: &[Expr]| substitute_all(all, &slice.held);
        let lagrangian = at_slice(std::slice::from_ref(system.lagrangian()));
        let lagrangian = sections
            .restrict(system.frame(), &lagrangian)
            .swap_remove(0);
        let covector = sections.restrict(system.frame(), &at_slice(&system.momenta()));
        let curvature = across.brackets_along(|a, b, d| algebra.constant(a, b, d).clone());
        let curvature: Vec<Matrix> = curvature.iter().map(|k| k.map(tidy)).collect();
        let arms: Vec<Expr> = fields.iter().map(|xi| dot(&covector, xi)).collect();
        let n = base.rank();
        let xi = Matrix::new(n, n, |a, b| {
            -Expr::sum(curvature.iter().zip(&arms).map(|(k, arm)| &k[(a, b)] * arm))
        });
        let restricted = Restricted::new(
            system,
            &sections.velocities,
            lagrangian,
            covector,
            &xi,
            lifts,
            curvature.iter().map(|k| k.map(|e| tidy(&-e))).collect(),
        )?;
        let names: Vec<String> = algebra.fields().iter().map(|f| f.name.clone()).collect();
        restricted.on_base(
            system,
            Quotient {
                base,
                fibre_velocities: names
                    .iter()
                    .map(|n| Symbol::variable(n).derivative())
                    .collect(),
                names,
                connection: across.connection,
                conditions: distinct(
                    std::iter::once(slice.crossing.clone()).chain(across.conditions),
                ),
                near: near(system, algebra, &slice),
                slice: slice.held.clone(),
                held: slice.held,
            },
        )
    }
}

/// The functions that vary, each once.
fn distinct(all: impl Iterator<Item = Expr>) -> Vec<Expr> {
    let mut kept: Vec<Expr> = Vec::new();
    for e in all.filter(|e| e.as_number().is_none()) {
        if !kept.contains(&e) {
            kept.push(e);
        }
    }
    kept
}

impl Slice {
    /// The slice that is simplest to write on: coordinates on lines are held rather than circles, those that
    /// all orbits cross rather than others, and at values at which the fields are short.
    fn of(system: &System, algebra: &SymmetryAlgebra) -> Result<Self, NoReduction> {
        let all: Vec<usize> = (0..system.factors().len()).collect();
        let mut best: Option<((usize, bool, usize), Slice)> = None;
        for factors in subsets(system, &all, algebra.fields().len()) {
            for held in held_values(system, algebra, &factors) {
                let Some(slice) = Slice::at(system, algebra, &factors, held) else {
                    continue;
                };
                let circles = slice
                    .held
                    .iter()
                    .filter(|(s, _)| system.circles().contains(s))
                    .count();
                let partial = !slice.crossing.is_nonvanishing();
                let score = (circles, partial, slice.length(algebra));
                if best.as_ref().is_none_or(|(b, _)| score < *b) {
                    best = Some((score, slice));
                }
            }
        }
        best.map(|b| b.1)
            .ok_or_else(|| NoReduction::Undecided(Gap::NoSlice.into()))
    }

    /// `None` unless the orbits cross it.
    fn at(
        system: &System,
        algebra: &SymmetryAlgebra,
        factors: &[usize],
        held: Vec<(Symbol, Expr)>,
    ) -> Option<Self> {
        let vertical: Vec<usize> = factors
            .iter()
            .flat_map(|&i| system.factors()[i].fibre.clone())
            .collect();
        let horizontal = (0..system.frame().rank())
            .filter(|i| !vertical.contains(i))
            .collect();
        let minor = Matrix::new(vertical.len(), vertical.len(), |i, a| {
            algebra.fields()[a].components[vertical[i]].substitute(&held)
        });
        let crossing = tidy(&determinant(&minor).ok()?);
        system
            .prove_zero(std::slice::from_ref(&crossing))
            .is_refuted()
            .then_some(Self {
                held,
                vertical,
                horizontal,
                crossing,
            })
    }

    /// How much there is to write of the fields on it.
    fn length(&self, algebra: &SymmetryAlgebra) -> usize {
        let fields = algebra.fields().iter().flat_map(|f| &f.components);
        fields
            .map(|e| e.substitute(&self.held))
            .filter(|e| !e.is_zero())
            .map(|e| 1 + e.node_count())
            .sum()
    }
}

/// Where factors may be held: groups at the identity, coordinates at zero, at a place where a field points
/// straight across, at the start, or at one.
fn held_values(
    system: &System,
    algebra: &SymmetryAlgebra,
    factors: &[usize],
) -> Vec<Vec<(Symbol, Expr)>> {
    let mut all: Vec<Vec<(Symbol, Expr)>> = vec![Vec::new()];
    for &i in factors {
        let factor = &system.factors()[i];
        let positions = &system.frame().base()[factor.base.clone()];
        let choices: Vec<Vec<Expr>> = match factor.group {
            Some(group) => vec![group.identity()],
            None => coordinate_values(system, algebra, &positions[0])
                .into_iter()
                .map(|v| vec![v])
                .collect(),
        };
        all = all
            .iter()
            .flat_map(|known| {
                choices.iter().map(move |values| {
                    let here = positions.iter().cloned().zip(values.iter().cloned());
                    known.iter().cloned().chain(here).collect()
                })
            })
            .take(MOST_PLACES)
            .collect();
    }
    all
}

/// Further places are not tried.
const MOST_PLACES: usize = 16;

fn coordinate_values(system: &System, algebra: &SymmetryAlgebra, s: &Symbol) -> Vec<Expr> {
    let mut found = vec![Expr::zero()];
    let mut add = |e: Expr| {
        let constant = !e.contains_any(system.frame().base());
        if constant && !e.is_undefined() && !found.contains(&e) {
            found.push(e);
        }
    };
    for e in algebra.fields().iter().flat_map(|f| &f.components) {
        let slope = e.diff(s);
        if !slope.is_zero() && !slope.contains(s) {
            let nothing = [(s.clone(), Expr::zero())];
            add(tidy(&(-e.substitute(&nothing) / slope)));
        }
    }
    let start = system.start_point().iter().find(|(n, _)| n == s);
    start.into_iter().for_each(|(_, e)| add(e.clone()));
    add(Expr::one());
    found
}

/// The start of the model carried to the slice, where the fields are constant and do it along straight lines;
/// else its parameters alone, unless it lies there.
fn near(system: &System, algebra: &SymmetryAlgebra, slice: &Slice) -> Vec<(Symbol, Expr)> {
    let start = system.start_point();
    let position = |s: &Symbol| start.iter().find(|(n, _)| n == s).map(|p| p.1.clone());
    let frame = system.frame();
    let parameters = start
        .iter()
        .filter(|(s, _)| !frame.base().contains(s))
        .cloned();
    let moved = || -> Option<Vec<(Symbol, Expr)>> {
        let fields = algebra.fields();
        let constant = |e: &Expr| !e.contains_any(frame.base());
        if system.has_groups() || !fields.iter().all(|f| f.components.iter().all(constant)) {
            let there = |(s, e): &(Symbol, Expr)| position(s).as_ref() == Some(e);
            return slice.held.iter().all(there).then(|| start.to_vec());
        }
        let m = fields.len();
        let minor = Matrix::new(m, m, |i, a| fields[a].components[slice.vertical[i]].clone());
        let gaps: Option<Vec<Expr>> = slice
            .held
            .iter()
            .map(|(s, e)| Some(e - position(s)?))
            .collect();
        let steps = solve(&minor, &Matrix::column_vector(&gaps?)).ok()?;
        let steps = steps.solution.column(0);
        let carried = slice.horizontal.iter().map(|&i| {
            let s = &frame.base()[i];
            let shift = (0..m).map(|a| &steps[a] * &fields[a].components[i]);
            Some((s.clone(), tidy(&(position(s)? + Expr::sum(shift)))))
        });
        let carried: Option<Vec<(Symbol, Expr)>> = carried.collect();
        Some(parameters.clone().chain(carried?).collect())
    };
    moved().unwrap_or_else(|| parameters.clone().collect())
}
