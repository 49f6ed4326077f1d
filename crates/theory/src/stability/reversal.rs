//! Motions that run backwards in a mirror: near a family of steady states that the mirror leaves alone, one mode on the
//! imaginary axis across it means that all motions nearby close.
//!
//! Let ρ(q, v) = (S q + c, −S v), S a diagonal matrix of signs, leave Lagrangian, constraints and forces alone. Then motions go
//! over into motions run backwards; L may change by a total derivative. Modulo the orbit of the symmetries let A have one pair of
//! eigenvalues ±iω and zeros otherwise, and let ρ leave a hypersurface alone that contains the steady state. On it the
//! flow is along the one direction that ρ turns over, a function f times it, and df is not zero: else there were no pair.
//! So the steady states nearby are the zeros of f, a manifold as large as the zeros are many. A motion nearby turns about them and
//! meets the hypersurface twice in each turn; between two such points it is its own mirror image, so it closes. Hence it
//! stays as near as it is during one turn.

use super::linear::{Linear, Point};
use crate::symmetry::{derivative_defects, is_independent};
use rattleback_mechanics::{System, VariationalEquations};
use rattleback_symbolic::{Expr, Matrix, Symbol, simplify, substitute_all};

/// Mirrors that are tried.
const MOST: usize = 6;

/// Is there a mirror that leaves the state alone and, across the orbit, a hypersurface?
pub(super) fn has_mirror(
    system: &System,
    equations: &VariationalEquations,
    linear: &Linear,
    point: &Point,
) -> bool {
    if system.has_groups() {
        return false;
    }
    let frame = system.frame();
    let n = frame.rank();
    let at = |s: &Symbol| {
        let known = point.values.iter().find(|(z, _)| z == s);
        known.map_or_else(Expr::zero, |(_, e)| e.clone())
    };
    let moves: Vec<bool> = frame
        .fibre()
        .iter()
        .map(|y| !point.signs.is_zero(&at(y)))
        .collect();
    // Where it moves the sign is −1.
    let open: Vec<usize> = (0..n).filter(|&a| !moves[a]).collect();
    if open.len() > MOST {
        return false;
    }
    let place: Vec<Expr> = frame.base().iter().map(at).collect();
    (0..1u32 << open.len()).any(|set| {
        let sign = |a: usize| match open.iter().position(|&o| o == a) {
            Some(k) if set >> k & 1 == 0 => 1,
            _ => -1,
        };
        let signs: Vec<i64> = (0..n).map(sign).collect();
        fixes_hypersurface(equations, linear, &signs, point)
            && keeps_orbits(system, linear, &signs, &place)
            && reverses(system, &signs, &place)
    })
}

/// Is ρ on the directions across the orbit a reflection: all eigenvalues 1 but one?
fn fixes_hypersurface(
    equations: &VariationalEquations,
    linear: &Linear,
    signs: &[i64],
    point: &Point,
) -> bool {
    let n = signs.len();
    let fibre = equations.frame().fibre();
    let all: Option<Vec<i64>> = linear
        .chart
        .independent
        .iter()
        .map(|&j| match j < n {
            true => Some(signs[j]),
            false => {
                let w = &equations.components()[j - n];
                let a = fibre.iter().position(|y| y == w)?;
                Some(-signs[a])
            }
        })
        .collect();
    let Some(all) = all else {
        return false;
    };
    let size = all.len();
    let turned =
        |row: &[Expr]| -> Vec<Expr> { row.iter().zip(&all).map(|(e, s)| *s * e).collect() };
    let mut along = linear.projection.directions();
    if !along.all(|row| {
        linear
            .projection
            .apply(&turned(row))
            .iter()
            .all(Expr::is_zero)
    }) {
        return false;
    }
    let diagonal = Matrix::new(size, size, |i, j| {
        Expr::from(if i == j { all[i] } else { 0 })
    });
    let mirror = linear.projection.reduced(&diagonal);
    let m = mirror.rows();
    let trace = Expr::sum((0..m).map(|i| mirror[(i, i)].clone()));
    let same = |a: &Matrix, b: &Matrix| {
        let mut pairs = a.entries().iter().zip(b.entries());
        pairs.all(|(x, y)| point.signs.is_zero(&simplify(&(x - y))))
    };
    let squared = &mirror * &mirror;
    let there = &mirror * &linear.across;
    let back = (&linear.across * &mirror).map(|e| -e);
    let reflects = simplify(&(trace - (m as i64 - 2))).is_zero();
    reflects && same(&squared, &Matrix::identity(m)) && same(&there, &back)
}

/// Are the mirror images S X(S q + c) of the fields constant combinations of them, so that orbits go over into orbits?
fn keeps_orbits(system: &System, linear: &Linear, signs: &[i64], place: &[Expr]) -> bool {
    let fields: Vec<Vec<Expr>> = linear.orbit.iter().map(|f| f.components.clone()).collect();
    let map = mirrored_positions(system, signs, place);
    fields.iter().all(|field| {
        let there = substitute_all(field, &map);
        let image: Vec<Expr> = there.iter().zip(signs).map(|(e, s)| *s * e).collect();
        !is_independent(system, &fields, &image)
    })
}

fn mirrored_positions(system: &System, signs: &[i64], place: &[Expr]) -> Vec<(Symbol, Expr)> {
    let base = system.frame().base();
    let mirrored = |a: usize| signs[a] * Expr::from(&base[a]) + (1 - signs[a]) * &place[a];
    (0..signs.len())
        .map(|a| (base[a].clone(), mirrored(a)))
        .collect()
}

/// Does (q, v) ↦ (S q + c, −S v), with c such that the place stays, leave Lagrangian, constraints and forces alone?
fn reverses(system: &System, signs: &[i64], place: &[Expr]) -> bool {
    let frame = system.frame();
    let n = signs.len();
    let positions = mirrored_positions(system, signs, place);
    let back = |a: usize| -signs[a] * Expr::from(&frame.fibre()[a]);
    let velocities = (0..n).map(|a| (frame.fibre()[a].clone(), back(a)));
    let map: Vec<(Symbol, Expr)> = positions.into_iter().chain(velocities).collect();
    let lagrangian = system.lagrangian();
    let mut defects = derivative_defects(system, &(lagrangian.substitute(&map) - lagrangian));
    let force = substitute_all(system.force(), &map);
    defects.extend((0..n).map(|a| signs[a] * &force[a] - &system.force()[a]));
    let constraints = system.constraints();
    if !constraints.is_empty() {
        let Ok(sections) = system.sections() else {
            return false;
        };
        // The mirrored forms vanish on the mirror images of allowed velocities.
        let forms = constraints.forms().map(|e| e.substitute(&map));
        let turned =
            |v: Vec<Expr>| -> Vec<Expr> { v.into_iter().zip(signs).map(|(e, s)| *s * e).collect() };
        for a in 0..sections.rank() {
            defects.extend(forms.apply(&turned(sections.basis.column(a))));
        }
        let offsets = substitute_all(constraints.offsets(), &map);
        let drift = turned(sections.drift.iter().map(|e| -e).collect());
        let kept = forms.apply(&drift);
        defects.extend(kept.iter().zip(&offsets).map(|(k, o)| k + o));
        let positions: Vec<Expr> = constraints.positions().cloned().collect();
        let levels = substitute_all(&positions, &map);
        let same = levels.iter().zip(&positions);
        // A level is kept as it is or turned over.
        let held = same.clone().all(|(m, g)| {
            system.prove_zero(&[m - g]).is_proven() || system.prove_zero(&[m + g]).is_proven()
        });
        if !held {
            return false;
        }
    }
    system.prove_zero(&defects).is_proven()
}
