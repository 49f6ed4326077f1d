//! Curvilinear coordinates that a Hamiltonian may separate in: polar ones where a rotation of two
//! coordinates leaves it alone, and spherical and parabolic ones about that axis.

use super::change::Change;
use super::separation::levi_civita;
use crate::Effort;
use crate::exact::{constant_relations, tidy};
use crate::roots::square_root;
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Sign, Symbol};

/// Pairs of more coordinates are not tried.
const MANY: usize = 7;

/// A rotation (q_i − a)∂_j − μ²(q_j − b)∂_i that leaves H alone.
#[derive(Clone, Debug)]
struct Rotation {
    plane: [usize; 2],
    centre: [Expr; 2],
    /// μ, with the sign of c_1 and c_2 opposite.
    ratio: Expr,
}

/// Changes of coordinates after which H(q, p) passes Levi-Civita's test, with H in them.
pub(crate) fn separating(
    h: &Expr,
    q: &[Symbol],
    p: &[Symbol],
    fresh: &dyn Fn(&str) -> Symbol,
    effort: Effort,
) -> Option<Change> {
    let rotations = rotations(h, q, p, effort);
    for rotation in &rotations {
        let mut changes = vec![polar(q, rotation, fresh)];
        for axis in (0..q.len()).filter(|i| !rotation.plane.contains(i)) {
            let centre = height(&rotations, axis);
            changes.push(spherical(q, rotation, axis, &centre, fresh));
            changes.push(parabolic(q, rotation, axis, &centre, fresh));
        }
        for change in changes {
            if effort.is_spent() {
                return None;
            }
            let Some((turned, momenta)) = change.hamiltonian(h, q, p) else {
                continue;
            };
            if levi_civita(&turned, &change.coordinates, &momenta).is_proven() {
                return Some(change);
            }
        }
    }
    None
}

/// Polar coordinates of a constrained system in which neither the Lagrangian nor a constraint has the angle.
pub(crate) fn with_cyclic_angle(
    system: &System,
    fresh: &dyn Fn(&str) -> Symbol,
    effort: Effort,
) -> Option<Change> {
    let q = system.frame().base();
    if system.constraints().is_empty() || system.has_groups() || q.len() > MANY {
        return None;
    }
    let straight = |i: &usize| !system.circles().contains(&q[*i]);
    for i in (0..q.len()).filter(straight) {
        for j in (i + 1..q.len()).filter(straight) {
            if effort.is_spent() {
                return None;
            }
            let about_origin = Rotation {
                plane: [i, j],
                centre: [Expr::zero(), Expr::zero()],
                ratio: Expr::one(),
            };
            let change = polar(q, &about_origin, fresh);
            let turned = change.apply(system)?;
            let forms = turned.constraints().forms().entries();
            let cyclic = !turned.lagrangian().contains_any(&change.circles)
                && forms.iter().all(|e| !e.contains_any(&change.circles));
            if cyclic {
                return Some(change);
            }
        }
    }
    None
}

/// The rotations of two coordinates about any centre whose momentum is constant along the motions.
fn rotations(h: &Expr, q: &[Symbol], p: &[Symbol], effort: Effort) -> Vec<Rotation> {
    let n = q.len();
    let mut found = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            let x = [&q[i], &q[j]].map(Expr::from);
            let y = [&p[i], &p[j]].map(Expr::from);
            let ansatz = [&x[0] * &y[1], &x[1] * &y[0], y[1].clone(), y[0].clone()];
            let rate = |f: &Expr| {
                let slopes =
                    (0..n).map(|k| f.diff(&q[k]) * h.diff(&p[k]) - f.diff(&p[k]) * h.diff(&q[k]));
                vec![Expr::sum(slopes)]
            };
            let rates: Vec<Vec<Expr>> = ansatz.iter().map(rate).collect();
            let relations = constant_relations(&rates, &[], effort).unwrap_or_default();
            let turned = relations
                .iter()
                .find(|c| !c[0].is_zero() && !c[1].is_zero());
            let Some(c) = turned else { continue };
            found.push(Rotation {
                plane: [i, j],
                centre: [tidy(&-(&c[2] / &c[0])), tidy(&-(&c[3] / &c[1]))],
                ratio: square_root(&tidy(&-(&c[1] / &c[0]))),
            });
        }
    }
    found
}

/// The centre along another axis, from a rotation that moves it.
fn height(rotations: &[Rotation], axis: usize) -> Expr {
    let at = |r: &Rotation| {
        r.plane
            .iter()
            .position(|i| *i == axis)
            .map(|k| r.centre[k].clone())
    };
    rotations.iter().find_map(at).unwrap_or_else(Expr::zero)
}

/// (q_i, q_j) = centre + ρ (μ cos φ, sin φ).
fn plane(r: &Rotation, rho: &Expr, phi: &Symbol) -> Vec<Expr> {
    let angle = Expr::from(phi);
    vec![
        &r.centre[0] + &r.ratio * rho * angle.cos(),
        &r.centre[1] + rho * angle.sin(),
    ]
}

fn polar(q: &[Symbol], r: &Rotation, fresh: &dyn Fn(&str) -> Symbol) -> Change {
    let (rho, phi) = (fresh("rho").with_sign(Sign::Positive), fresh("phi"));
    let values = plane(r, &Expr::from(&rho), &phi);
    let circles = vec![phi.clone()];
    Change::replacing("polar", q, &r.plane, &[rho, phi], values, circles)
}

fn spherical(
    q: &[Symbol],
    r: &Rotation,
    axis: usize,
    centre: &Expr,
    fresh: &dyn Fn(&str) -> Symbol,
) -> Change {
    let rho = fresh("rho").with_sign(Sign::Positive);
    let (theta, phi) = (fresh("theta"), fresh("phi"));
    let tilt = Expr::from(&theta);
    let mut values = plane(r, &(Expr::from(&rho) * tilt.sin()), &phi);
    values.push(centre + Expr::from(&rho) * tilt.cos());
    let at = [r.plane[0], r.plane[1], axis];
    let circles = vec![theta.clone(), phi.clone()];
    Change::replacing("spherical", q, &at, &[rho, phi, theta], values, circles)
}

/// ρ = uv, z = (u² − v²)/2.
fn parabolic(
    q: &[Symbol],
    r: &Rotation,
    axis: usize,
    centre: &Expr,
    fresh: &dyn Fn(&str) -> Symbol,
) -> Change {
    let (u, v, phi) = (fresh("u"), fresh("v"), fresh("phi"));
    let (x, y) = (Expr::from(&u), Expr::from(&v));
    let mut values = plane(r, &(&x * &y), &phi);
    values.push(centre + (x.powi(2) - y.powi(2)) / 2);
    let at = [r.plane[0], r.plane[1], axis];
    let circles = vec![phi.clone()];
    Change::replacing("parabolic", q, &at, &[u, phi, v], values, circles)
}
