//! Stability by energy and momentum: E − Σ ω_k J_k has a strict extremum transverse to the orbit, among the states with
//! the same momenta. Then the state is stable modulo the orbit (Lagrange and Dirichlet at rest, Routh and Patrick for
//! steady motions of groups that commute, or are compact).

use super::exact::is_positive;
use super::{Judged, Where};
use rattleback_mechanics::phase::tangent_lift;
use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::{
    Expr, Matrix, Sign, Symbol, dot, nullspace, rank, simplify, substitute_all,
};

/// The largest number of directions of the phase space that is judged.
const LARGEST: usize = 16;

/// Why it does not apply, in the words of a gap.
pub(super) enum Open {
    /// A premise is missing.
    Premise(&'static str),
    /// The second variation is not definite.
    Indefinite,
    /// A computation was not decided.
    Undecided,
}

/// Is the second variation definite? `Ok` with the number of directions it was judged on.
pub(super) fn definite(system: &System, judged: &Judged<'_>, at: &Where) -> Result<usize, Open> {
    let frame = system.frame();
    let n = frame.rank();
    if 2 * n > LARGEST {
        return Err(Open::Premise("the phase space is too large"));
    }
    let constraints = system.constraints();
    let holonomic = constraints.holonomic().len() == constraints.len();
    let rests = judged.carried.is_empty();
    if !rests && (!holonomic || system.is_forced()) {
        return Err(Open::Premise(
            "momenta of nonholonomic or forced systems are not conserved",
        ));
    }
    if !constraints.is_linear() && !holonomic {
        return Err(Open::Premise("affine constraints do work"));
    }
    if system.is_forced() && !is_dissipative(system, at) {
        return Err(Open::Premise("the power of the forces has no sign"));
    }
    // At rest the energy alone counts, whatever the symmetries; momenta help a motion.
    let keeps = !rests;
    let fields: Vec<NamedSection> = judged.symmetries.clone();
    if keeps && !commute_or_compact(system, &fields) {
        return Err(Open::Premise(
            "the symmetries neither commute nor are compact",
        ));
    }
    let p = system.momenta();
    let momentum = |f: &NamedSection| dot(&p, &f.components);
    let carried = judged.carried.iter().zip(&at.rates);
    let turning = Expr::sum(carried.map(|((f, _), rate)| rate * momentum(f)));
    let energy = system.energy() - turning;
    let residuals = constraints.all_residuals(frame);
    let along = |j: usize, f: &[Expr]| -> Vec<Expr> {
        match j < n {
            true => frame.act_basis(j, f),
            false => f.iter().map(|e| e.diff(&frame.fibre()[j - n])).collect(),
        }
    };
    let put = |all: &[Expr]| -> Vec<Expr> {
        substitute_all(all, &at.point)
            .iter()
            .map(simplify)
            .collect()
    };
    let columns =
        |f: &[Expr]| -> Vec<Vec<Expr>> { (0..2 * n).map(|j| put(&along(j, f))).collect() };
    // dE = Σ κ dc on the constraint set.
    let slope: Vec<Expr> = columns(std::slice::from_ref(&energy))
        .into_iter()
        .map(|mut c| c.swap_remove(0))
        .collect();
    let by_residual = columns(&residuals);
    let kappa = multipliers(&slope, &by_residual, residuals.len()).ok_or(Open::Premise(
        "the energy is not stationary among all states that the constraints allow",
    ))?;
    let held = Expr::sum(kappa.iter().zip(&residuals).map(|(k, c)| k * c));
    let function = energy - held;
    let first: Vec<Expr> = (0..2 * n)
        .map(|j| along(j, std::slice::from_ref(&function)).swap_remove(0))
        .collect();
    let second: Vec<Vec<Expr>> = (0..2 * n).map(|i| put(&along(i, &first))).collect();
    // Tangent directions with the same momenta.
    let mut rows: Vec<Vec<Expr>> = (0..residuals.len())
        .map(|r| by_residual.iter().map(|c| c[r].clone()).collect())
        .collect();
    if keeps {
        let momenta: Vec<Expr> = fields.iter().map(momentum).collect();
        let by_momentum = columns(&momenta);
        rows.extend((0..momenta.len()).map(|k| by_momentum.iter().map(|c| c[k].clone()).collect()));
    }
    let tangent: Vec<Vec<Expr>> = match rows.is_empty() {
        true => (0..2 * n).map(|j| unit(2 * n, j)).collect(),
        false => {
            let space = nullspace(&Matrix::from_rows(&rows)).map_err(|_| Open::Undecided)?;
            space.basis
        }
    };
    let orbit: Vec<Vec<Expr>> = fields
        .iter()
        .map(|f| {
            let lift = tangent_lift(frame, &f.components);
            put(&[lift.base, lift.fibre].concat())
        })
        .collect();
    let transverse = transverse(&rows, &orbit, &tangent)?;
    let value = |u: &[Expr], v: &[Expr]| {
        let hv: Vec<Expr> = second.iter().map(|row| dot(row, v)).collect();
        simplify(&dot(u, &hv))
    };
    let m = transverse.len();
    let form = Matrix::new(m, m, |i, j| value(&transverse[i], &transverse[j]));
    match is_positive(&form) {
        Some(true) => Ok(m),
        // What is conserved may as well have a maximum.
        Some(false) if keeps && is_positive(&form.map(|e| -e)) == Some(true) => Ok(m),
        Some(false) => Err(Open::Indefinite),
        None => Err(Open::Undecided),
    }
}

fn unit(n: usize, j: usize) -> Vec<Expr> {
    (0..n).map(|i| Expr::from(i64::from(i == j))).collect()
}

/// κ with slope = Σ κ_i row_i.
fn multipliers(slope: &[Expr], columns: &[Vec<Expr>], count: usize) -> Option<Vec<Expr>> {
    if slope
        .iter()
        .all(|e| super::exact::sign(e) == Some(std::cmp::Ordering::Equal))
    {
        return Some(vec![Expr::zero(); count]);
    }
    if count == 0 {
        return None;
    }
    let matrix = Matrix::new(slope.len(), count + 1, |j, i| match i < count {
        true => columns[j][i].clone(),
        false => slope[j].clone(),
    });
    let all = nullspace(&matrix).ok()?.basis;
    let found = all.iter().find(|v| !v[count].is_zero())?;
    Some((0..count).map(|i| -(&found[i] / &found[count])).collect())
}

/// Tangent directions that complete those of the orbit within the tangent space.
fn transverse(
    rows: &[Vec<Expr>],
    orbit: &[Vec<Expr>],
    tangent: &[Vec<Expr>],
) -> Result<Vec<Vec<Expr>>, Open> {
    // The part of the orbit that keeps the momenta: Σ c_k O_k with rows · O c = 0.
    let isotropy: Vec<Vec<Expr>> = match (rows.is_empty(), orbit.is_empty()) {
        (_, true) => Vec::new(),
        (true, false) => orbit.to_vec(),
        (false, false) => {
            let matrix = Matrix::new(rows.len(), orbit.len(), |r, k| {
                simplify(&dot(&rows[r], &orbit[k]))
            });
            let kept = nullspace(&matrix).map_err(|_| Open::Undecided)?.basis;
            let combined = |c: &Vec<Expr>| -> Vec<Expr> {
                (0..orbit[0].len())
                    .map(|i| Expr::sum(c.iter().zip(orbit).map(|(c, o)| c * &o[i])))
                    .collect()
            };
            kept.iter().map(combined).collect()
        }
    };
    let mut kept: Vec<Vec<Expr>> = Vec::new();
    let mut known: Vec<Vec<Expr>> = Vec::new();
    let size = |all: &[Vec<Expr>]| -> Result<usize, Open> {
        if all.is_empty() {
            return Ok(0);
        }
        rank(&Matrix::from_rows(all))
            .map(|r| r.rank)
            .map_err(|_| Open::Undecided)
    };
    for (k, v) in isotropy.iter().chain(tangent).enumerate() {
        let before = size(&known)?;
        known.push(v.clone());
        if size(&known)? == before {
            known.pop();
        } else if k >= isotropy.len() {
            kept.push(v.clone());
        }
    }
    Ok(kept)
}

/// Do the forces never feed energy in, at the values of the parameters?
fn is_dissipative(system: &System, at: &Where) -> bool {
    let power = dot(system.force(), &system.frame().velocity());
    let power = simplify(&(-power).substitute(&at.parameters));
    if matches!(power.sign(), Sign::Positive | Sign::NonNegative) || power.is_zero() {
        return true;
    }
    // A quadratic form in the velocities with constant coefficients.
    let y = system.frame().fibre();
    let slopes = power.gradient(y);
    let rest: Vec<(Symbol, Expr)> = y.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let starts = substitute_all(&slopes, &rest).iter().all(Expr::is_zero);
    let hessian = Matrix::new(y.len(), y.len(), |i, j| simplify(&slopes[i].diff(&y[j])));
    let numbers = hessian.entries().iter().all(|e| e.as_number().is_some());
    starts
        && numbers
        && power.degree(y) == Some(2)
        && power.substitute(&rest).is_zero()
        && is_semidefinite(&hessian)
}

/// All principal minors of a matrix of numbers at least zero.
fn is_semidefinite(m: &Matrix) -> bool {
    let n = m.rows();
    (1u32..1 << n.min(12)).all(|set| {
        let kept: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let minor = rattleback_symbolic::determinant(&m.select(&kept, &kept));
        minor.is_ok_and(|d| d.as_number().is_some_and(|r| !r.is_negative()))
    })
}

/// Do all fields commute, or do those that do not act on rotations alone?
fn commute_or_compact(system: &System, fields: &[NamedSection]) -> bool {
    use rattleback_lie::Group;
    let frame = system.frame();
    let rotates = |f: &NamedSection| {
        let moved = f
            .components
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_zero());
        let mut moved = moved.map(|(a, _)| a);
        moved.all(|a| {
            let mut factors = system.factors().iter();
            factors.any(|f| {
                let group = matches!(f.group, Some(Group::SO2 | Group::SO3 | Group::SU2));
                f.fibre.contains(&a) && group
            })
        })
    };
    fields.iter().enumerate().all(|(i, f)| {
        fields[..i].iter().all(|g| {
            let bracket = frame.bracket(&f.components, &g.components);
            system.prove_zero(&bracket).is_proven() || (rotates(f) && rotates(g))
        })
    })
}
