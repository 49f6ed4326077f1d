//! Hamilton's principal and characteristic functions (HJ-C13, C14).

use super::primitive::primitive;
use super::separation::Separated;
use crate::exact::tidy;
use crate::{Answer, Function};
use rattleback_symbolic::{Expr, Symbol, prove_zero};

/// Is S(q, t) a solution of S_t + H(q, S_q) = 0?
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol};
/// use rattleback_theory::hamilton_jacobi::principal_function;
/// let (q, p) = (Symbol::variable("q"), Symbol::variable("p"));
/// let free = Expr::from(&p).powi(2) / 2;
/// let action = Expr::from(&q).powi(2) / (2 * Expr::from(Symbol::time()));
/// assert!(principal_function(&free, &[q], &[p], &action).is_proven());
/// ```
pub fn principal_function(h: &Expr, q: &[Symbol], p: &[Symbol], s: &Expr) -> Answer {
    let slopes: Vec<(Symbol, Expr)> = p.iter().cloned().zip(s.gradient(q)).collect();
    let gap = s.diff(&Symbol::time()) + h.substitute(&slopes);
    let verdict = prove_zero(&gap);
    Answer::vanish(&[gap], verdict, Function::PrincipalEquation)
}

/// W(q) = Σ ∫ p_i dq_i of a separated problem where the integrals are elementary, and the principal
/// function S = W − E t that belongs to it.
pub fn characteristic_function(s: &Separated) -> Option<(Expr, Expr)> {
    let parts = s
        .pieces
        .iter()
        .map(|piece| primitive(&piece.momentum, &piece.coordinate));
    let parts: Option<Vec<Expr>> = parts.collect();
    let w = tidy(&Expr::sum(parts?));
    let energy = Expr::from(s.constants.first()?);
    Some((w.clone(), w - energy * Expr::from(Symbol::time())))
}
