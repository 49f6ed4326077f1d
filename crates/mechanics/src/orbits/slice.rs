//! Slices across the orbits of a symmetry: some factors are held, so that all orbits that are near cross what is left.

use crate::System;
use crate::fibre::subsets;
use crate::phase::SymmetryAlgebra;
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Matrix, Symbol, determinant, solve};

/// A slice: some factors are held at fixed positions, those of the others are coordinates of the space of
/// orbits.
pub(super) struct Slice {
    /// The factors that are held.
    pub(super) factors: Vec<usize>,
    /// Their positions.
    pub(super) held: Vec<(Symbol, Expr)>,
    /// Their velocities, by their numbers.
    pub(super) vertical: Vec<usize>,
    /// A minor of the fields that must not vanish for the orbits to cross the slice.
    pub(super) crossing: Expr,
}

impl Slice {
    /// The slice that is simplest to write on: coordinates on lines are held rather than circles, those that
    /// all orbits cross rather than others, and at values at which the fields are short.
    pub(super) fn of(system: &System, algebra: &SymmetryAlgebra) -> Option<Self> {
        let all: Vec<usize> = (0..system.factors().len()).collect();
        let mut best: Option<((usize, bool, usize), Slice)> = None;
        for factors in subsets(system, &all, algebra.fields().len()) {
            for held in held_values(system, algebra, &factors) {
                let Some(slice) = Slice::at(system, algebra, &factors, held) else {
                    continue;
                };
                let on_circles = |(s, _): &&(Symbol, Expr)| system.circles().contains(s);
                let circles = slice.held.iter().filter(on_circles).count();
                let partial = !slice.crossing.is_nonvanishing();
                let score = (circles, partial, slice.length(algebra));
                if best.as_ref().is_none_or(|(b, _)| score < *b) {
                    best = Some((score, slice));
                }
            }
        }
        best.map(|b| b.1)
    }

    /// `None` unless the orbits cross it.
    fn at(
        system: &System,
        algebra: &SymmetryAlgebra,
        factors: &[usize],
        held: Vec<(Symbol, Expr)>,
    ) -> Option<Self> {
        let moved = factors.iter().map(|&i| system.factors()[i].fibre.clone());
        let vertical: Vec<usize> = moved.flatten().collect();
        let minor = Matrix::new(vertical.len(), vertical.len(), |i, a| {
            algebra.fields()[a].components[vertical[i]].substitute(&held)
        });
        let crossing = tidy(&determinant(&minor).ok()?);
        let crosses = system.prove_zero(std::slice::from_ref(&crossing));
        crosses.is_refuted().then_some(Self {
            factors: factors.to_vec(),
            held,
            vertical,
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

    /// Where the orbit of a point meets the slice: the other positions there, in the positions of the point. Known
    /// where the fields are constant, so that they carry along straight lines.
    pub(super) fn meets(
        &self,
        system: &System,
        algebra: &SymmetryAlgebra,
    ) -> Option<Vec<(Symbol, Expr)>> {
        let (base, fields) = (system.frame().base(), algebra.fields());
        let constant = |e: &Expr| !e.contains_any(base);
        if system.has_groups() || !fields.iter().all(|f| f.components.iter().all(constant)) {
            return None;
        }
        let m = fields.len();
        let minor = Matrix::new(m, m, |i, a| fields[a].components[self.vertical[i]].clone());
        let gaps: Vec<Expr> = self.held.iter().map(|(s, e)| e - s).collect();
        let steps = solve(&minor, &Matrix::column_vector(&gaps)).ok()?;
        let steps = steps.solution.column(0);
        let others = (0..base.len()).filter(|i| !self.vertical.contains(i));
        let met = others.map(|i| {
            let along = (0..m).map(|a| &steps[a] * &fields[a].components[i]);
            (base[i].clone(), Expr::from(&base[i]) + Expr::sum(along))
        });
        Some(met.collect())
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
