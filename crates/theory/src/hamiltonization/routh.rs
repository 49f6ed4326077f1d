//! Routh reduction of internal cyclic coordinates before Hamiltonization (HJ, lift-and-Hamiltonize search).

use super::{Found, Hamiltonization};
use crate::Effort;
use crate::chaplygin::Reduction;
use crate::exact::{choices, tidy};
use rattleback_geometry::{Frame, StructureFunctions};
use rattleback_symbolic::{Expr, Matrix, Role, Symbol, dot, inverse};

/// The base coordinates ψ whose momentum is conserved: nothing depends on ψ and Ξ_ψα = 0.
fn conserved(r: &Reduction) -> Vec<usize> {
    let coordinate = |a: usize| {
        let s = &r.base.fibre()[a];
        r.base.base().iter().find(|z| z.derivative() == *s).cloned()
    };
    (0..r.rank())
        .filter(|&a| {
            let Some(psi) = coordinate(a) else {
                return false;
            };
            let silent = r
                .metric
                .entries()
                .iter()
                .chain(r.tensor.iter().flat_map(|t| t.entries()))
                .chain([&r.potential])
                .all(|e| !e.contains(&psi));
            let quiet: Vec<Expr> = r
                .tensor
                .iter()
                .flat_map(|t| t.row(a).to_vec())
                .filter(|e| !e.is_zero())
                .collect();
            silent && (quiet.is_empty() || r.prove_zero(&quiet).is_proven())
        })
        .collect()
}

/// The Hamiltonizations after elimination of conserved momenta, fewest first.
pub(super) fn search(r: &Reduction, judged: bool, effort: Effort) -> Vec<Found> {
    let all = conserved(r);
    let mut found = Vec::new();
    for size in 1..=all.len() {
        for ignored in choices(&all, size) {
            if effort.is_spent() {
                return found;
            }
            if r.rank() <= ignored.len() {
                continue;
            }
            let Some(Routhian {
                reduction,
                magnetic,
                constants,
                shifted,
            }) = eliminate(r, &ignored)
            else {
                continue;
            };
            let Ok(h) = Hamiltonization::with_magnetic(&reduction, magnetic, effort) else {
                continue;
            };
            let names: Vec<String> = constants.iter().map(ToString::to_string).collect();
            let with = if judged {
                String::new()
            } else {
                format!(", with the fibre ({})", r.fibre.join(", "))
            };
            found.push(Found {
                by: "routh".into(),
                how: format!(
                    "after Routh reduction with {} constant{with}",
                    names.join(", ")
                ),
                fibre: r.fibre.clone(),
                odometers: Vec::new(),
                ignored: constants,
                shifted,
                hamiltonization: h,
            });
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}

/// What is left when momenta are constant.
struct Routhian {
    reduction: Reduction,
    magnetic: Matrix,
    constants: Vec<Symbol>,
    shifted: Vec<(Symbol, Expr)>,
}

/// The reduction on the remaining coordinates at constant momenta c = P_ψ. With the mechanical
/// connection a^ψ_α = ḡ^ψχ ḡ_χα and shifted momenta p̃_α = P_α − c_ψ a^ψ_α:
///
/// ```text
/// ĝ = ḡ_αβ − ḡ_αψ ḡ^ψχ ḡ_χβ,   V̂ = V̄ + ½ ḡ^ψχ c_ψ c_χ,   Ξ̃ = Ξ(p̃ + c a, c) + c_ψ da^ψ
/// ```
///
/// The part of Ξ̃ free of p̃ is returned apart; the constants c are turned into parameters.
fn eliminate(r: &Reduction, ignored: &[usize]) -> Option<Routhian> {
    let kept: Vec<usize> = (0..r.rank()).filter(|a| !ignored.contains(a)).collect();
    let inner = inverse(&r.metric.select(ignored, ignored)).ok()?.solution;
    let across = r.metric.select(ignored, &kept);
    let connection = (&inner * &across).map(tidy);
    let correction = &across.transpose() * &connection;
    let metric = (&r.metric.select(&kept, &kept) - &correction).map(tidy);
    let upper = inverse(&metric).ok()?.solution.map(tidy);
    let constants: Vec<Symbol> = ignored
        .iter()
        .map(|&a| Symbol::constant(r.momenta[a].name()))
        .collect();
    debug_assert!(constants.iter().all(|c| c.role() == Role::Constant));
    let c: Vec<Expr> = constants.iter().map(Expr::from).collect();
    let potential = tidy(&(&r.potential + dot(&c, &inner.apply(&c)) / 2));
    let n = kept.len();
    let base = kept_frame(&r.base, &kept);
    let tensor: Vec<Matrix> = kept
        .iter()
        .map(|&g| r.tensor[g].select(&kept, &kept))
        .collect();
    // Ξ at p̃ = 0, and the curvature of the mechanical connection.
    let shift: Vec<Expr> = (0..n).map(|a| dot(&c, &connection.column(a))).collect();
    let mut magnetic = Matrix::zeros(n, n);
    for i in 0..n {
        for j in i + 1..n {
            let mut value = Expr::zero();
            for (g, t) in tensor.iter().enumerate() {
                value += &t[(i, j)] * &shift[g];
            }
            for (&psi, c) in ignored.iter().zip(&c) {
                value += &r.tensor[psi][(kept[i], kept[j])] * c;
            }
            let along =
                |a: usize, f: &Expr| base.act_basis(a, std::slice::from_ref(f)).swap_remove(0);
            value += along(i, &shift[j]) - along(j, &shift[i]);
            let value = tidy(&value);
            magnetic[(j, i)] = -&value;
            magnetic[(i, j)] = value;
        }
    }
    let momenta: Vec<Symbol> = kept.iter().map(|&a| r.momenta[a].clone()).collect();
    let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
    let hamiltonian = tidy(&(dot(&p, &upper.apply(&p)) / 2 + &potential));
    let coordinates = base.base().to_vec();
    let reduced = Reduction {
        metric,
        inverse_metric: upper,
        potential,
        hamiltonian,
        tensor,
        circles: r
            .circles
            .iter()
            .filter(|s| coordinates.contains(s))
            .cloned()
            .collect(),
        base,
        momenta,
        lifts: kept.iter().map(|&a| r.lifts[a].clone()).collect(),
        ..r.clone()
    };
    let shifted = reduced
        .momenta
        .iter()
        .zip(&shift)
        .map(|(p, s)| (p.clone(), tidy(&(Expr::from(p) - s))))
        .collect();
    Some(Routhian {
        reduction: reduced,
        magnetic,
        constants,
        shifted,
    })
}

/// The frame without the eliminated coordinates.
fn kept_frame(base: &Frame, kept: &[usize]) -> Frame {
    let rows: Vec<usize> = (0..base.base().len())
        .filter(|&i| kept.iter().any(|&a| !base.anchor()[(i, a)].is_zero()))
        .collect();
    let at = |i: usize| kept.iter().position(|&k| k == i);
    let mut structure = StructureFunctions::default();
    for (a, b, d, c) in base.structure().iter() {
        if let (Some(a), Some(b), Some(d)) = (at(a), at(b), at(d)) {
            structure.set(a, b, d, c.clone());
        }
    }
    Frame::new(
        rows.iter().map(|&i| base.base()[i].clone()).collect(),
        kept.iter().map(|&a| base.fibre()[a].clone()).collect(),
        base.anchor().select(&rows, kept),
        structure,
    )
}
