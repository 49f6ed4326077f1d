//! Solutions in a frame of D: constant components, potentials that split, and one essential variable
//! (HJ-C21, C22).

use super::primitive::{logarithmic, primitive};
use super::solution::{Candidate, Method};
use super::{HamiltonJacobiError, Setting};
use crate::exact::tidy;
use rattleback_mechanics::{Quantity, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, expand, nullspace};

/// γ_a = c_a for what has no potential, γ_a = √(2 g_aa (e_a − V_a)) for what has, in an orthogonal
/// frame with constant lengths and projected brackets that vanish on them. V = Σ V_a where only Z_a
/// moves V_a.
pub(crate) fn along_frame(s: &Setting, names: &[Symbol]) -> Option<Candidate> {
    let k = s.rank();
    if !s.metric.entries().iter().all(Expr::is_constant) {
        return None;
    }
    let flat = s.brackets.iter().all(|(_, c)| c.iter().all(Expr::is_zero));
    if s.potential.is_zero() && !flat {
        return constants_only(s, names);
    }
    if !flat || !s.is_orthogonal() {
        return match s.potential.is_zero() {
            true => constants_only(s, names),
            false => None,
        };
    }
    let mut parts = vec![Expr::zero(); k];
    for term in expand(&s.potential).terms() {
        let movers: Vec<usize> = (0..k)
            .filter(|&a| !s.zero(&[s.along(a, &term)]).is_proven())
            .collect();
        match movers.as_slice() {
            [] => parts[0] += term,
            [a] => parts[*a] += term,
            _ => return None,
        }
    }
    let mut names = names.iter();
    let energy = names.next()?.clone();
    // The energy constant belongs to the last component that has a potential.
    let last = (0..k).rev().find(|&a| !parts[a].is_zero());
    let Some(last) = last else {
        return constants_only(
            s,
            &[std::slice::from_ref(&energy), names.as_slice()].concat(),
        );
    };
    let mut gamma = vec![Expr::zero(); k];
    let mut constants = vec![energy.clone()];
    let mut integrals = Vec::new();
    let mut rest = Expr::from(&energy);
    for a in (0..k).filter(|&a| a != last) {
        let c = names.next()?;
        let g = &s.metric[(a, a)];
        if parts[a].is_zero() {
            gamma[a] = c.into();
            integrals.push(Quantity::new(c.name(), momentum(s, a)));
            rest -= Expr::from(c).powi(2) / (2 * g);
        } else {
            gamma[a] = tidy(&(2 * g * (Expr::from(c) - &parts[a]))).sqrt();
            let part = momentum(s, a).powi(2) / (2 * g) + &parts[a];
            integrals.push(Quantity::new(c.name(), tidy(&part)));
            rest -= Expr::from(c);
        }
        constants.push(c.clone());
    }
    let square = 2 * &s.metric[(last, last)] * (rest - &parts[last]);
    gamma[last] = tidy(&square).sqrt();
    Some(Candidate {
        method: Method::FrameSeparation,
        form: s.covector.apply(&gamma),
        constants,
        integrals,
        levels: None,
        notes: Vec::new(),
    })
}

/// Constants c with ĉ^d_ab c_d = 0, V = 0.
fn constants_only(s: &Setting, names: &[Symbol]) -> Option<Candidate> {
    let k = s.rank();
    if !s.potential.is_zero() && !s.potential.is_constant() {
        return None;
    }
    let rows: Vec<Vec<Expr>> = s
        .brackets
        .iter()
        .map(|(_, c)| c.clone())
        .filter(|c| c.iter().any(|e| !e.is_zero()))
        .collect();
    if rows.iter().flatten().any(|e| !e.is_constant()) {
        return None;
    }
    let basis: Vec<Vec<Expr>> = match rows.is_empty() {
        true => (0..k)
            .map(|a| (0..k).map(|b| i64::from(a == b).into()).collect())
            .collect(),
        false => nullspace(&Matrix::from_rows(&rows)).ok()?.basis,
    };
    if basis.is_empty() {
        return None;
    }
    let constants: Vec<Symbol> = names.get(1..=basis.len())?.to_vec();
    let gamma: Vec<Expr> = (0..k)
        .map(|a| {
            Expr::sum(
                basis
                    .iter()
                    .zip(&constants)
                    .map(|(b, c)| &b[a] * Expr::from(c)),
            )
        })
        .collect();
    let integrals = match basis.len() == k && s.is_orthogonal() {
        true => (0..k)
            .map(|a| Quantity::new(constants[a].name(), momentum(s, a)))
            .collect(),
        false => Vec::new(),
    };
    Some(Candidate {
        method: Method::FrameSeparation,
        form: s.covector.apply(&gamma),
        constants,
        integrals,
        levels: None,
        notes: Vec::new(),
    })
}

/// The coordinates that metric, potential and brackets depend on, closed under Z_a.
fn essential(s: &Setting, mut start: Vec<Symbol>) -> Vec<Symbol> {
    let q = s.frame.base();
    let seen = |e: &Expr, into: &mut Vec<Symbol>| {
        for x in q.iter().filter(|x| e.contains(x)) {
            if !into.contains(x) {
                into.push(x.clone());
            }
        }
    };
    for e in s.inverse_metric.entries() {
        seen(e, &mut start);
    }
    seen(&s.potential, &mut start);
    for (_, c) in &s.brackets {
        c.iter().for_each(|e| seen(e, &mut start));
    }
    let mut done = 0;
    while done < start.len() {
        let x = Expr::from(&start[done]);
        for a in 0..s.rank() {
            seen(&tidy(&s.along(a, &x)), &mut start);
        }
        done += 1;
    }
    start
}

/// Everything depends on one coordinate u: in a frame with Z_n[u] = 1, Z_i[u] = 0, Z_n ⟂ Z_i
///
/// ```text
/// γ_i' = ĉ^j_ni γ_j + ĉ^n_ni γ_n        ĉ^d_ij γ_d = 0        ½ g^nn γ_n² + ½ g^ij γ_i γ_j + V = E
/// ```
pub(crate) fn one_variable(
    system: &System,
    s: &Setting,
    names: &[Symbol],
) -> Result<Vec<Candidate>, HamiltonJacobiError> {
    if !s.on.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let needed = essential(s, Vec::new());
    let choices: Vec<Symbol> = match needed.as_slice() {
        [] => s.frame.base().to_vec(),
        [u] => vec![u.clone()],
        _ => Vec::new(),
    };
    for u in choices {
        if essential(s, vec![u.clone()]).len() != 1 {
            continue;
        }
        for order in orders(s.rank()) {
            if let Some(adapted) = adapted(system, s, &u, &order)?
                && let Some(candidate) = eliminate(&adapted, &u, names)
            {
                found.push(candidate);
                break;
            }
        }
    }
    Ok(found)
}

/// Orders of Gram and Schmidt that are tried.
fn orders(k: usize) -> Vec<Vec<usize>> {
    let forward: Vec<usize> = (0..k.saturating_sub(1)).collect();
    let mut all = Vec::new();
    for shift in 0..forward.len().max(1) {
        let mut turned = forward.clone();
        turned.rotate_left(shift.min(forward.len()));
        let back: Vec<usize> = turned.iter().rev().copied().collect();
        for order in [turned, back] {
            if !all.contains(&order) {
                all.push(order);
            }
        }
    }
    all
}

/// The frame (Z_i …, Z_n) of one coordinate.
fn adapted(
    system: &System,
    s: &Setting,
    u: &Symbol,
    order: &[usize],
) -> Result<Option<Setting>, HamiltonJacobiError> {
    let k = s.rank();
    let x = Expr::from(u);
    let zeta: Vec<Expr> = (0..k).map(|a| tidy(&s.along(a, &x))).collect();
    let Some(pivot) = (0..k)
        .filter(|&a| !zeta[a].is_zero())
        .min_by_key(|&a| (!zeta[a].is_nonvanishing(), zeta[a].node_count()))
    else {
        return Ok(None);
    };
    let raised = s.inverse_metric.apply(&zeta);
    let square = Expr::sum(raised.iter().zip(&zeta).map(|(a, b)| a * b));
    let n = s.frame.rank();
    let combine = |c: &[Expr]| -> Vec<Expr> {
        (0..n)
            .map(|i| tidy(&Expr::sum(s.fields.iter().zip(c).map(|(z, c)| &z[i] * c))))
            .collect()
    };
    let normal: Vec<Expr> = raised.iter().map(|e| tidy(&(e / &square))).collect();
    let mut level = Vec::new();
    for a in (0..k).filter(|&a| a != pivot) {
        let mut c = vec![Expr::zero(); k];
        c[a] = Expr::one();
        c[pivot] = -(&zeta[a] / &zeta[pivot]);
        level.push(combine(&c));
    }
    let mut fields: Vec<_> = order
        .iter()
        .filter_map(|&i| level.get(i).cloned())
        .collect();
    fields.push(combine(&normal));
    let setting = Setting::in_fields(system, fields)?;
    let all: Vec<usize> = (0..k).collect();
    Ok(Some(setting.orthogonal(system, &all)?))
}

fn eliminate(s: &Setting, u: &Symbol, names: &[Symbol]) -> Option<Candidate> {
    let k = s.rank();
    let n = k - 1;
    let zero_vector = vec![Expr::zero(); k];
    let bracket = |a: usize, b: usize| -> Vec<Expr> {
        let found = s
            .brackets
            .iter()
            .find(|(ab, _)| *ab == (a.min(b), a.max(b)));
        let c = found.map_or(&zero_vector, |(_, c)| c);
        match a < b {
            true => c.clone(),
            false => c.iter().map(|e| -e).collect(),
        }
    };
    // Brackets inside the level sets of u must vanish on γ: here, altogether.
    for i in 0..n {
        for j in i + 1..n {
            if bracket(i, j).iter().any(|e| !e.is_zero()) {
                return None;
            }
        }
    }
    let energy = names.first()?;
    let g = |a: usize| &s.metric[(a, a)];
    let rows: Vec<Vec<Expr>> = (0..n).map(|i| bracket(n, i)).collect();
    if rows.iter().any(|c| !c[n].is_zero()) {
        return turning_frame(s, u, &rows, names);
    }
    let lengths: Vec<Expr> = (0..k).map(|a| g(a).clone()).collect();
    let mut gamma = vec![Expr::zero(); k];
    let mut constants = vec![energy.clone()];
    let mut kinetic = Expr::zero();
    let mut integrals = Vec::new();
    for (i, c) in rows.iter().enumerate() {
        if (0..n).any(|j| j != i && !c[j].is_zero()) {
            return None;
        }
        let f = logarithmic(&c[i], u, &lengths)?;
        let name = names.get(i + 1)?;
        gamma[i] = Expr::from(name) * &f;
        kinetic += gamma[i].powi(2) / g(i);
        integrals.push(Quantity::new(name.name(), momentum(s, i) / &f));
        constants.push(name.clone());
    }
    let square = tidy(&(g(n) * (2 * (Expr::from(energy) - &s.potential) - kinetic)));
    gamma[n] = square.sqrt();
    Some(Candidate {
        method: Method::Elimination,
        form: s.covector.apply(&gamma),
        constants,
        integrals,
        levels: None,
        notes: vec![format!("everything depends on {u} only")],
    })
}

/// p(Z_a) = g(Z_a, y) in the ambient velocities.
fn momentum(s: &Setting, a: usize) -> Expr {
    let y: Vec<Expr> = s.frame.fibre().iter().map(Expr::from).collect();
    // g♭Z_a = g_aa times the covector column of an orthogonal frame.
    let lowered = s.covector.column(a);
    tidy(&(Expr::sum(lowered.iter().zip(&y).map(|(c, y)| c * y)) * &s.metric[(a, a)]))
}

/// One component γ_1' = ĉ^1_n1 γ_1 + ĉ^n_n1 γ_n, the others constant: with √g^11 γ_1 = ρ sin χ,
/// √g^nn γ_n = ρ cos χ the angle has χ' = √(g^11/g^nn) ĉ^n_n1 where ρ is constant and √g^11 γ_1 has no
/// other term.
fn turning_frame(
    s: &Setting,
    u: &Symbol,
    rows: &[Vec<Expr>],
    names: &[Symbol],
) -> Option<Candidate> {
    let n = rows.len();
    let driven: Vec<usize> = (0..n).filter(|&i| !rows[i][n].is_zero()).collect();
    let [turned] = driven[..] else { return None };
    let idle = |i: usize| rows[i].iter().all(Expr::is_zero) && s.metric[(i, i)].is_constant();
    let others: Vec<usize> = (0..n).filter(|&i| i != turned).collect();
    let alone = others.iter().all(|&i| idle(i) && rows[turned][i].is_zero());
    if !alone || !s.potential.is_constant() {
        return None;
    }
    let (g1, gn) = (&s.metric[(turned, turned)], &s.metric[(n, n)]);
    let own = tidy(&(&rows[turned][turned] - g1.diff(u) / (2 * g1)));
    if !own.is_zero() {
        return None;
    }
    let energy = names.first()?;
    let constants = names.get(..=n)?.to_vec();
    let mut gamma = vec![Expr::zero(); n + 1];
    let mut integrals = Vec::new();
    let mut rest = Expr::from(energy) - &s.potential;
    for (&i, c) in others.iter().zip(&constants[2..]) {
        gamma[i] = c.into();
        rest -= Expr::from(c).powi(2) / (2 * &s.metric[(i, i)]);
        integrals.push(Quantity::new(c.name(), momentum(s, i)));
    }
    let turn = primitive(&tidy(&((gn / g1).sqrt() * &rows[turned][n])), u)?;
    let chi = &turn + Expr::from(&constants[1]);
    let rho = tidy(&(2 * rest)).sqrt();
    gamma[turned] = &rho * g1.sqrt() * chi.sin();
    gamma[n] = &rho * gn.sqrt() * chi.cos();
    let (p1, pn) = (momentum(s, turned), momentum(s, n));
    let angle = Expr::atan2(&(p1 / g1.sqrt()), &(pn / gn.sqrt()));
    integrals.insert(0, Quantity::new(constants[1].name(), tidy(&(angle - turn))));
    Some(Candidate {
        method: Method::Elimination,
        form: s.covector.apply(&gamma),
        constants,
        integrals,
        levels: None,
        notes: vec![format!(
            "the momentum turns with {u}; its angle is a first integral up to full turns"
        )],
    })
}
