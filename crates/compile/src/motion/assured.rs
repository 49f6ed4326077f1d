//! What a proof, once, shows to stay regular wherever a motion goes: nobody has to watch it.

use rattleback_mechanics::System;
use rattleback_symbolic::{
    Budget, Expr, Function, Kind, Matrix, Role, Set, Sign, Symbol, determinant_within, postorder,
    prove_all_zero,
};

/// More rows than this, besides those with a column of their own, are not judged.
const MOST_ROWS: usize = 3;
/// Nor are solves with more unknowns: proofs about long formulas take longer than a watch.
const MOST_UNKNOWNS: usize = 6;
/// A pivot of a metric that is smaller than this part of its diagonal may be rounding.
const ROUNDING: f64 = 1e-9;

/// Do rows stay independent for all finite values of what moves?
///
/// Entries without poles stay finite. A row that alone has a constant in some column depends on no others; what
/// is left has a determinant, its own or that of Gram, whose sign is known.
pub(super) fn stay_independent(
    rows: &Matrix,
    state: &[Symbol],
    constants: &[(Symbol, f64)],
) -> bool {
    if !have_no_poles(rows.entries(), state) {
        return false;
    }
    let rest = without_pivots(&with_signs(rows, constants));
    match rest.rows() {
        0 => true,
        m if m > MOST_ROWS || m > rest.cols() => false,
        _ => {
            let square = match rest.rows() == rest.cols() {
                true => rest,
                false => &rest * &rest.transpose(),
            };
            let volume = determinant_within(&square, Budget::SMALL);
            volume.is_ok_and(|v| v.is_nonvanishing())
        }
    }
}

/// Are they made of the state, of time and of sines and cosines by sums and products alone? Symbols with assumptions
/// have ends where these do, and are left to the watch.
fn have_no_poles(entries: &[Expr], state: &[Symbol]) -> bool {
    let mut moving: Set<Expr> = Set::default();
    postorder(entries, |_| true).into_iter().all(|node| {
        let mut moves = matches!(node.kind(), Kind::Symbol(s) if s.role() != Role::Constant);
        node.kind().for_each_child(|x| moves |= moving.contains(x));
        if !moves {
            return true;
        }
        let is_whole = match node.kind() {
            Kind::Symbol(s) => {
                let is_free = s.sign() == Sign::Unknown && s.facts().is_empty();
                is_free && (s.role() == Role::Time || state.contains(s))
            }
            Kind::Product(factors) => factors.iter().all(|(base, exponent)| {
                !moving.contains(base) || exponent.as_integer().is_some_and(|k| k >= 0)
            }),
            Kind::Function(f, _) => matches!(f, Function::Sin | Function::Cos),
            _ => true,
        };
        moving.insert(node);
        is_whole
    })
}

fn moves(e: &Expr) -> bool {
    e.free_symbols().iter().any(|s| s.role() != Role::Constant)
}

/// The rows with constants that have the signs of their values.
fn with_signs(rows: &Matrix, constants: &[(Symbol, f64)]) -> Matrix {
    let signed = |(s, value): &(Symbol, f64)| {
        let told = match value {
            x if *x > 0.0 => s.with_sign(Sign::Positive).into(),
            x if *x < 0.0 => s.with_sign(Sign::Negative).into(),
            x if *x == 0.0 => Expr::zero(),
            _ => s.into(),
        };
        (s.clone(), told)
    };
    rows.substitute(&constants.iter().map(signed).collect::<Vec<_>>())
}

/// The rows and columns that are left when each row with a constant in a column where all others vanish has gone
/// with that column.
fn without_pivots(m: &Matrix) -> Matrix {
    let mut rows: Vec<usize> = (0..m.rows()).collect();
    let mut columns: Vec<usize> = (0..m.cols()).collect();
    let pivot = |rows: &[usize], j: usize| {
        let mut filled = rows.iter().filter(|i| !m[(**i, j)].is_zero());
        let (row, others) = (*filled.next()?, filled.next());
        let is_constant = !moves(&m[(row, j)]) && m[(row, j)].is_nonvanishing();
        (others.is_none() && is_constant).then_some(row)
    };
    loop {
        let before = rows.len();
        columns.retain(|&j| match pivot(&rows, j) {
            None => true,
            Some(row) => {
                rows.retain(|i| *i != row);
                false
            }
        });
        if rows.len() == before {
            return m.select(&rows, &columns);
        }
    }
}

/// Is the matrix of a solve BᵀGB, with sections B that stay independent and a metric G of the velocities that is
/// constant and positive definite at these values of the constants?
pub(super) fn is_restricted_metric(
    matrix: &Matrix,
    system: &System,
    sections: &Matrix,
    constants: &[(Symbol, f64)],
) -> bool {
    let is_of_second_order = system.order() == 1 && system.first_order().is_none();
    let is_small = matrix.rows() <= MOST_UNKNOWNS;
    if !(is_of_second_order && is_small) || matrix.rows() != sections.cols() {
        return false;
    }
    let fibre = system.frame().fibre();
    let momenta = system.lagrangian().gradient(fibre);
    let rows: Vec<Vec<Expr>> = momenta.iter().map(|p| p.gradient(fibre)).collect();
    let metric = Matrix::from_rows(&rows);
    let values = metric.entries().iter().map(|e| e.evaluate(constants));
    let Ok(values) = values.collect::<Result<Vec<f64>, _>>() else {
        return false;
    };
    if sections.rows() != metric.rows() || !is_positive(values, metric.rows()) {
        return false;
    }
    let restricted = &(&sections.transpose() * &metric) * sections;
    let pairs = restricted.entries().iter().zip(matrix.entries());
    let differences: Vec<Expr> = pairs.map(|(x, y)| x - y).collect();
    prove_all_zero(&differences).is_proven()
}

/// Is a symmetric matrix positive definite, and not by rounding?
fn is_positive(mut m: Vec<f64>, n: usize) -> bool {
    (0..n).all(|k| {
        let largest = (0..n).fold(0.0, |x: f64, i| x.max(m[i * n + i].abs()));
        let pivot = m[k * n + k];
        for i in k + 1..n {
            let factor = m[i * n + k] / pivot;
            (k..n).for_each(|j| m[i * n + j] -= factor * m[k * n + j]);
        }
        pivot > ROUNDING * largest && pivot.is_finite()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[Expr]]) -> Matrix {
        Matrix::from_rows(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>())
    }

    #[test]
    fn frames_with_a_constant_block_never_end() {
        let (x, y) = (Symbol::variable("x"), Symbol::variable("y"));
        let (a, b) = (Expr::from(&x), Expr::from(&y));
        let (zero, one) = (Expr::zero(), Expr::one());
        let state = [x, y];
        let rolling = matrix(&[
            &[a.cos(), a.sin() * &b, one.clone(), zero.clone()],
            &[b.clone(), zero.clone(), zero.clone(), one.clone()],
        ]);
        assert!(stay_independent(&rolling, &state, &[]));
        // A blade: cos² + sin² = 1.
        let blade = matrix(&[
            &[a.cos(), a.sin(), zero.clone()],
            &[zero.clone(), zero.clone(), one.clone()],
        ]);
        assert!(stay_independent(&blade, &state, &[]));
        // Both vanish at the origin.
        assert!(!stay_independent(
            &matrix(&[&[a.clone(), b.clone()]]),
            &state,
            &[]
        ));
        // A pole beside a constant, and a symbol that nobody steps.
        assert!(!stay_independent(
            &matrix(&[&[one.clone(), a.recip()]]),
            &state,
            &[]
        ));
        assert!(!stay_independent(
            &matrix(&[&[one.clone(), b]]),
            &state[..1],
            &[]
        ));
        // A condition that vanishes, and one that does not.
        assert!(!stay_independent(&matrix(&[&[a.cos()]]), &state, &[]));
        assert!(stay_independent(&matrix(&[&[2 + a.cos()]]), &state, &[]));
    }

    #[test]
    fn constants_count_with_the_signs_of_their_values() {
        let [m, j, x] = ["m", "J", "x"].map(Symbol::constant);
        let angle = Symbol::variable("x");
        let sine = Expr::from(&angle).sin();
        let inertia = Expr::from(&m) * sine.powi(2) + Expr::from(&j);
        let row = matrix(&[&[inertia]]);
        let is_assured = |m_: f64, j_: f64| {
            let constants = [(m.clone(), m_), (j.clone(), j_), (x.clone(), 0.0)];
            stay_independent(&row, std::slice::from_ref(&angle), &constants)
        };
        assert!(is_assured(2.0, 1.0) && is_assured(-2.0, -1.0) && is_assured(0.0, 1.0));
        assert!(!is_assured(2.0, -1.0) && !is_assured(2.0, 0.0) && !is_assured(2.0, f64::NAN));
        assert!(!stay_independent(&row, std::slice::from_ref(&angle), &[]));
    }

    #[test]
    fn what_is_assumed_may_end() {
        let x = Symbol::variable("x").with_sign(Sign::Positive);
        let row = matrix(&[&[Expr::from(&x)]]);
        assert!(!stay_independent(&row, &[x], &[]));
    }

    #[test]
    fn rounding_is_no_proof() {
        assert!(is_positive(vec![2.0, 1.0, 1.0, 2.0], 2));
        assert!(!is_positive(vec![1.0, 2.0, 2.0, 1.0], 2));
        assert!(!is_positive(vec![1.0, 1.0, 1.0, 1.0 + 1e-12], 2));
        assert!(!is_positive(vec![f64::NAN], 1));
    }
}
