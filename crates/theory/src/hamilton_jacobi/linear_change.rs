//! Linear coordinates in which a potential splits: constant tensors K with d(K dV) closed.
//!
//! For H = ½ pᵀGp + V with a constant metric, F = ½ pᵀKp + U is constant along all motions exactly if
//! dU = G⁻¹K dV. The symmetric K with closed right sides are found by exact linear algebra; on an
//! eigenspace of B = G⁻¹K the coordinates w·q with Bw = λw belong together, and V is the sum of functions
//! of one group each.

use super::Setting;
use super::change::Change;
use crate::Effort;
use crate::exact::{constant_relations, tidy};
use crate::roots::square_root;
use rattleback_mechanics::System;
use rattleback_symbolic::{
    Expr, Kind, Matrix, Role, Symbol, characteristic, inverse, nullspace, postorder,
    prove_all_zero, prove_zero, solve,
};

/// Tensors in more dimensions have too many entries.
const MANY: usize = 6;

/// The change to linear coordinates, grouped by eigenspaces; `None` if there is no finer group.
pub(crate) fn splitting(
    system: &System,
    fresh: &dyn Fn(&str) -> Symbol,
    effort: Effort,
) -> Option<Change> {
    let q = system.frame().base();
    let n = q.len();
    let unconstrained = system.constraints().is_empty() && !system.has_groups();
    if !unconstrained || !(2..=MANY).contains(&n) || system.order() > 1 {
        return None;
    }
    let mass = system.mass_matrix().map(tidy);
    if !mass.entries().iter().all(Expr::is_constant) {
        return None;
    }
    let rest: Vec<(Symbol, Expr)> = q.iter().map(|s| (s.derivative(), Expr::zero())).collect();
    let potential = -system.lagrangian().substitute(&rest);
    let slope = potential.gradient(q);
    let hessian = Matrix::new(n, n, |i, j| slope[i.min(j)].diff(&q[i.max(j)]));
    let tensors = tensors(&mass, &hessian, effort)?;
    let mut groups: Vec<Vec<Vec<Expr>>> =
        vec![(0..n).map(|i| unit(n, i)).collect::<Vec<Vec<Expr>>>()];
    for b in &tensors {
        groups = groups.iter().flat_map(|g| refined(g, b)).collect();
    }
    if groups.len() < 2 {
        return None;
    }
    let rows: Vec<Vec<Expr>> = groups.concat();
    let back = inverse(&Matrix::from_rows(&rows)).ok()?.solution.map(tidy);
    let new: Vec<Symbol> = (1..=n).map(|i| fresh(&format!("u{i}"))).collect();
    let values: Vec<Expr> = new.iter().map(Expr::from).collect();
    let all: Vec<usize> = (0..n).collect();
    let values = back.apply(&values).iter().map(tidy).collect();
    Some(Change::replacing(
        "linear",
        q,
        &all,
        &new,
        values,
        Vec::new(),
    ))
}

/// One linear function u = Σ a_i q_i that metric, potential and projected brackets depend on, as a
/// coordinate in the place of one of those in it; `None` if it is a coordinate already.
pub(crate) fn essential(
    system: &System,
    s: &Setting,
    fresh: &dyn Fn(&str) -> Symbol,
) -> Option<Change> {
    if system.has_groups() || system.order() > 1 {
        return None;
    }
    let q = s.frame.base();
    let brackets = s.brackets.iter().flat_map(|(_, c)| c);
    let data = s.inverse_metric.entries().iter().chain(brackets);
    let data: Vec<&Expr> = data.chain([&s.potential]).collect();
    let first = data.iter().find(|e| e.contains_any(q))?.gradient(q);
    let pivot = first.iter().position(|e| !e.is_zero())?;
    let ratios: Vec<Expr> = first.iter().map(|e| tidy(&(e / &first[pivot]))).collect();
    let moves = |e: &Expr| e.free_symbols().iter().any(|x| x.role() != Role::Constant);
    let single = ratios.iter().filter(|r| !r.is_zero()).count() < 2;
    if single || ratios.iter().any(moves) {
        return None;
    }
    let gaps: Vec<Expr> = data
        .iter()
        .flat_map(|e| {
            let slope = e.gradient(q);
            (0..q.len())
                .map(|i| &slope[i] - &ratios[i] * &slope[pivot])
                .collect::<Vec<_>>()
        })
        .collect();
    if !prove_all_zero(&gaps).is_proven() {
        return None;
    }
    let u = fresh("u");
    let others = (0..q.len()).filter(|i| *i != pivot);
    let rest = Expr::sum(others.map(|i| &ratios[i] * Expr::from(&q[i])));
    let value = Expr::from(&u) - rest;
    Some(Change::replacing(
        "linear",
        q,
        &[pivot],
        &[u],
        vec![value],
        Vec::new(),
    ))
}

fn unit(n: usize, i: usize) -> Vec<Expr> {
    (0..n).map(|j| i64::from(i == j).into()).collect()
}

/// The matrices B = G⁻¹K with B ∂²V symmetric.
fn tensors(mass: &Matrix, hessian: &Matrix, effort: Effort) -> Option<Vec<Matrix>> {
    let n = mass.rows();
    let mut ansatz = Vec::new();
    for i in 0..n {
        for j in i..n {
            let k = Matrix::new(n, n, |a, b| {
                i64::from((a, b) == (i, j) || (a, b) == (j, i)).into()
            });
            ansatz.push(mass * &k);
        }
    }
    let conditions: Vec<Vec<Expr>> = ansatz
        .iter()
        .map(|b| {
            let turned = b * hessian;
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            pairs
                .map(|(i, j)| &turned[(i, j)] - &turned[(j, i)])
                .collect()
        })
        .collect();
    let relations = constant_relations(&conditions, &[], effort)?;
    let combine = |c: &Vec<Expr>| {
        Matrix::new(n, n, |i, j| {
            tidy(&Expr::sum(
                c.iter().zip(&ansatz).map(|(c, b)| c * &b[(i, j)]),
            ))
        })
    };
    Some(relations.iter().map(combine).collect())
}

/// The eigenspaces of B within the span of some covectors that B keeps.
fn refined(group: &[Vec<Expr>], b: &Matrix) -> Vec<Vec<Vec<Expr>>> {
    let whole = || vec![group.to_vec()];
    let d = group.len();
    if d == 1 {
        return whole();
    }
    // B w_i = Σ_j c_ji w_j.
    let w = Matrix::from_rows(group).transpose();
    let normal = &w.transpose() * &w;
    let Ok(c) = solve(&normal, &(&w.transpose() * &(b * &w))) else {
        return whole();
    };
    let c = c.solution.map(tidy);
    let Some(values) = eigenvalues(&c) else {
        return whole();
    };
    let mut spaces = Vec::new();
    for value in values {
        let shifted = Matrix::new(d, d, |i, j| match i == j {
            true => tidy(&(&c[(i, j)] - &value)),
            false => c[(i, j)].clone(),
        });
        let Ok(kernel) = nullspace(&shifted) else {
            return whole();
        };
        let space: Vec<Vec<Expr>> = kernel
            .basis
            .iter()
            .map(|v| w.apply(v).iter().map(tidy).collect())
            .collect();
        spaces.push(space);
    }
    match spaces.iter().map(Vec::len).sum::<usize>() == d {
        true => spaces,
        false => whole(),
    }
}

/// The distinct eigenvalues: both by the formula in two dimensions; beyond, rational ones split off and two
/// may be left.
fn eigenvalues(c: &Matrix) -> Option<Vec<Expr>> {
    let mut p = characteristic(c);
    let mut found: Vec<Expr> = Vec::new();
    while p.len() > 3 {
        let root = rational_root(&p)?;
        p = deflated(&p, &root);
        if !found.contains(&root) {
            found.push(root);
        }
    }
    let [product, minus_sum, _] = &p[..] else {
        return None;
    };
    let mean = -minus_sum / 2;
    let square = tidy(&(mean.powi(2) - product));
    let half = match prove_zero(&square).is_proven() {
        true => Expr::zero(),
        false => square_root(&square),
    };
    // Roots of parameters do not cancel well: first integrals do without them.
    if half.free_symbols().iter().any(|x| !is_whole_in(&half, x)) {
        return None;
    }
    for root in [tidy(&(&mean - &half)), tidy(&(&mean + &half))] {
        if !found.contains(&root) {
            found.push(root);
        }
    }
    Some(found)
}

/// Does a symbol occur outside roots only?
fn is_whole_in(e: &Expr, x: &Symbol) -> bool {
    let root = |node: &Expr| match node.kind() {
        Kind::Product(items) => items.iter().any(|(b, r)| !r.is_integer() && b.contains(x)),
        _ => false,
    };
    !postorder(std::slice::from_ref(e), |_| true)
        .iter()
        .any(root)
}

/// A root among small fractions.
fn rational_root(p: &[Expr]) -> Option<Expr> {
    let value = |x: &Expr| {
        p.iter()
            .rev()
            .fold(Expr::zero(), |sum, c| tidy(&(sum * x + c)))
    };
    let small = (0..=12i64).flat_map(|a| (1..=4i64).map(move |d| (a, d)));
    small
        .flat_map(|(a, d)| [Expr::ratio(a, d), Expr::ratio(-a, d)])
        .find(|x| value(x).is_zero())
}

/// p/(λ − root).
fn deflated(p: &[Expr], root: &Expr) -> Vec<Expr> {
    let mut left = vec![Expr::zero(); p.len() - 1];
    let mut carry = Expr::zero();
    for i in (1..p.len()).rev() {
        carry = tidy(&(&p[i] + root * &carry));
        left[i - 1] = carry.clone();
    }
    left
}
