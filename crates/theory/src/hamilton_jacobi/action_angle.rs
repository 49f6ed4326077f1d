//! Action variables and frequencies of a separated problem (HJ-C16).

use super::separation::{Piece, Separated};
use crate::exact::tidy;
use crate::roots::square_root;
use rattleback_symbolic::{Expr, Matrix, Symbol, expand, inverse, prove_zero};

/// The action of one coordinate, I = (1/2π)∮ p dq.
#[derive(Clone, Debug)]
pub struct Action {
    /// The coordinate.
    pub coordinate: Symbol,
    /// p on the branch with the plus sign.
    pub momentum: Expr,
    /// p²; the motion swings between two zeros of it. `None` for an angle with constant momentum.
    pub square: Option<Expr>,
    /// I in closed form, where it is known.
    pub value: Option<Expr>,
}

/// Actions as functions of the constants, and the frequencies ∂H/∂I.
#[derive(Clone, Debug)]
pub struct ActionAngle {
    /// One action per coordinate.
    pub actions: Vec<Action>,
    /// ω_i = ∂E/∂I_i in the constants, where all actions are known.
    pub frequencies: Option<Vec<Expr>>,
}

impl ActionAngle {
    /// Of a separated Hamiltonian; the energy is the first constant.
    pub fn of(s: &Separated) -> Self {
        let actions: Vec<Action> = s
            .pieces
            .iter()
            .map(|piece| Action {
                coordinate: piece.coordinate.clone(),
                momentum: piece.momentum.clone(),
                square: piece.square.clone(),
                value: closed_form(piece),
            })
            .collect();
        Self {
            frequencies: frequencies(&actions, &s.constants),
            actions,
        }
    }
}

/// ∂E/∂I from the inverse of ∂I/∂c.
fn frequencies(actions: &[Action], constants: &[Symbol]) -> Option<Vec<Expr>> {
    let values: Option<Vec<&Expr>> = actions.iter().map(|a| a.value.as_ref()).collect();
    let values = values?;
    let n = constants.len();
    let jacobian = Matrix::new(n, n, |i, j| values[i].diff(&constants[j]));
    let found = inverse(&jacobian).ok()?.solution;
    Some(found.row(0).iter().map(tidy).collect())
}

/// A constant momentum on a circle is its own action; p² = A + Bq − Cq² gives
/// (A + B²/4C)/(2√C), p² = −A + B/q − C/q² gives B/(2√A) − √C, p² = A − Bq² − C/q² gives
/// A/(4√B) − √C/2, and p² = A − C/sin²q gives √A − √C; constants squared inside C are taken to be
/// positive.
fn closed_form(piece: &Piece) -> Option<Expr> {
    let Some(square) = &piece.square else {
        return Some(piece.momentum.clone());
    };
    let q = &piece.coordinate;
    let three = |e: &Expr| -> Option<[Expr; 3]> {
        let mut c = expand(e).coefficients(q).ok()?;
        if c.len() > 3 {
            return None;
        }
        c.resize(3, Expr::zero());
        c.try_into().ok()
    };
    if let Some([a, b, minus_c]) = three(square) {
        let c = -minus_c;
        if c.is_zero() {
            return None;
        }
        return Some(tidy(
            &((a + b.powi(2) / (4 * &c)) / (2 * square_root(&tidy(&c)))),
        ));
    }
    let root = |e: Expr| square_root(&tidy(&e));
    let raised = expand(&(square * Expr::from(q).powi(2)));
    if let Some([minus_c, b, minus_a]) = three(&raised) {
        let bounded = !b.is_zero() && !minus_a.is_zero();
        return bounded.then(|| tidy(&(b / (2 * root(-minus_a)) - root(-minus_c))));
    }
    if let Ok(c) = raised.coefficients(q)
        && let [minus_c, odd, a, cubic, minus_b] = &c[..]
        && odd.is_zero()
        && cubic.is_zero()
    {
        return Some(tidy(&(a / (4 * root(-minus_b)) - root(-minus_c) / 2)));
    }
    polar_angle(square, q)
}

/// √A − √C for p² = A − C/sin²q, or with a cosine: A and C from the values at two places.
fn polar_angle(square: &Expr, q: &Symbol) -> Option<Expr> {
    let x = Expr::from(q);
    let at = |value: Expr| tidy(&square.substitute(&[(q.clone(), value)]));
    for (top, wave) in [(Expr::pi() / 2, x.sin()), (Expr::zero(), x.cos())] {
        // There the wave is 1, and 1/√2 halfway between.
        let (first, second) = (at(top), at(Expr::pi() / 4));
        if first.is_undefined() || second.is_undefined() {
            continue;
        }
        let c = tidy(&(&first - &second));
        let a = tidy(&(2 * first - second));
        let gap = square - (&a - &c / wave.powi(2));
        if !c.is_zero() && prove_zero(&gap).is_proven() {
            return Some(tidy(&(square_root(&a) - square_root(&c))));
        }
    }
    None
}
