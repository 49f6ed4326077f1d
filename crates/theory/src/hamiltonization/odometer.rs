//! Lifts by odometers: non-inertial coordinates that measure the motion along D within a larger fibre
//! (HJ, lift-and-Hamiltonize search).

use super::{Found, Hamiltonization, routh};
use crate::Effort;
use crate::chaplygin::Reduction;
use crate::exact::{tidy, tidy_all};
use rattleback_geometry::{Frame, Section};
use rattleback_mechanics::engine::hessian;
use rattleback_mechanics::fibre::candidates_of_dimension;
use rattleback_mechanics::{Constraints, Factor, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, nullspace, solve};

/// A system with odometers, and the rates of the odometers in the velocities of the system.
struct Lift {
    system: System,
    odometers: Vec<(Symbol, Expr)>,
}

/// The Hamiltonizations of lifts: for each set of cyclic factors that is larger than the constraints need,
/// odometers for D ∩ V make it a fibre.
pub(super) fn search(system: &System, effort: Effort) -> Vec<Found> {
    let m = system.constraints().len();
    let mut found = Vec::new();
    for extra in 1..=2 {
        for fibre in candidates_of_dimension(system, m + extra) {
            for unit in [false, true] {
                if effort.is_spent() {
                    return found;
                }
                let Some(lift) = lift(system, &fibre, unit) else {
                    continue;
                };
                let Ok(reduction) = Reduction::with_fibre(&lift.system, &fibre) else {
                    continue;
                };
                found.extend(judged(&reduction, &lift, effort));
                if !found.is_empty() {
                    break;
                }
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}

fn judged(reduction: &Reduction, lift: &Lift, effort: Effort) -> Vec<Found> {
    let rates: Vec<String> = lift
        .odometers
        .iter()
        .map(|(s, rate)| format!("{s}' = {rate}"))
        .collect();
    let how = format!(
        "with {}, and the fibre ({})",
        rates.join(", "),
        reduction.fibre.join(", ")
    );
    if let Ok(h) = Hamiltonization::of(reduction, effort) {
        return vec![Found {
            by: "odometer".into(),
            how: format!("after a lift by the odometer {how}"),
            fibre: reduction.fibre.clone(),
            odometers: lift.odometers.clone(),
            ignored: Vec::new(),
            shifted: Vec::new(),
            hamiltonization: h,
        }];
    }
    let mut found = routh::search(reduction, true, effort);
    for f in &mut found {
        f.by = "odometer, routh".into();
        f.how = format!("after a lift by the odometer {how}, {}", f.how);
        f.odometers = lift.odometers.clone();
    }
    found
}

/// Adds s^i with s'^i = η^i, where η is dual to a basis Z_i of D ∩ V and vanishes on lifts of the rest.
fn lift(system: &System, fibre: &[usize], unit: bool) -> Option<Lift> {
    let frame = system.frame();
    let vertical: Vec<usize> = fibre
        .iter()
        .flat_map(|&i| system.factors()[i].fibre.clone())
        .collect();
    let forms = system.constraints().forms();
    let rows: Vec<usize> = (0..forms.rows()).collect();
    let space = nullspace(&forms.select(&rows, &vertical)).ok()?;
    let inside: Vec<Section> = space
        .basis
        .iter()
        .map(|v| {
            let mut section = vec![Expr::zero(); frame.rank()];
            for (&i, e) in vertical.iter().zip(tidy_all(v)) {
                section[i] = e;
            }
            if unit {
                scaled(system, section)
            } else {
                section
            }
        })
        .collect();
    let extra = vertical.len() - forms.rows();
    if inside.len() != extra {
        return None;
    }
    // η is the metric projection on D ∩ V of the kinetic energy: it vanishes on what is orthogonal to it.
    let g = system.mass_matrix();
    if g.entries().iter().any(|e| e.contains_any(frame.fibre())) {
        return None;
    }
    let lowered: Vec<Vec<Expr>> = inside.iter().map(|z| g.apply(z)).collect();
    let gram = Matrix::new(extra, extra, |i, j| dot(&lowered[i], &inside[j]));
    let rhs = Matrix::new(extra, frame.rank(), |i, j| lowered[i][j].clone());
    let eta = solve(&gram, &rhs).ok()?.solution.map(tidy);
    // Only the fibre part is kept, so that the odometer measures motion along the fibre.
    let eta = Matrix::new(extra, frame.rank(), |i, j| {
        if vertical.contains(&j) {
            eta[(i, j)].clone()
        } else {
            Expr::zero()
        }
    });
    Some(with_odometers(system, &eta))
}

/// The section divided by its length in the kinetic metric of unit mass: |Z|² over its first factor.
fn scaled(system: &System, z: Section) -> Section {
    let l = system.lagrangian();
    let metric = hessian(l, system.frame().fibre());
    let length = tidy(&dot(&metric.apply(&z), &z));
    let inverse = length.sqrt().recip();
    tidy_all(&z.iter().map(|e| e * &inverse).collect::<Vec<_>>())
}

fn with_odometers(system: &System, eta: &Matrix) -> Lift {
    let frame = system.frame();
    let taken = |name: &str| frame.base().iter().any(|s| s.name() == name);
    let mut names: Vec<Symbol> = Vec::new();
    let mut number = 0;
    while names.len() < eta.rows() {
        number += 1;
        let name = if eta.rows() == 1 && number == 1 {
            "s".to_owned()
        } else {
            format!("s{number}")
        };
        let symbol = Symbol::variable(&name);
        let used = taken(&name) || system.lagrangian().contains(&Symbol::constant(&name));
        if !used {
            names.push(symbol);
        }
    }
    let lifted = Frame::direct_sum(&[frame.clone(), Frame::coordinates(&names)]);
    let (b, f) = (frame.base().len(), frame.rank());
    let mut factors = system.factors().to_vec();
    factors.extend(names.iter().enumerate().map(|(i, s)| Factor {
        name: s.name().into(),
        trivialization: rattleback_geometry::Trivialization::Body,
        group: None,
        base: b + i..b + i + 1,
        fibre: f + i..f + i + 1,
        unit: None,
    }));
    let old = system.constraints().forms();
    let (m, k) = (old.rows(), eta.rows());
    let forms = Matrix::new(m + k, f + k, |i, j| match (i < m, j < f) {
        (true, true) => old[(i, j)].clone(),
        (true, false) => Expr::zero(),
        (false, true) => eta[(i - m, j)].clone(),
        (false, false) => -Expr::from(i64::from(i - m == j - f)),
    });
    let offsets = vec![Expr::zero(); m + k];
    let rates = eta.apply(&frame.velocity());
    let odometers = names.iter().cloned().zip(rates.iter().map(tidy)).collect();
    let l = system.lagrangian().clone();
    let lifted = System::on_frame(system.name(), lifted, factors, l, 1)
        .with_constraints(Constraints::new(forms, offsets))
        .with_circles(system.circles().to_vec());
    Lift {
        system: lifted,
        odometers,
    }
}
