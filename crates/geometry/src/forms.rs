//! Exterior calculus on a frame: wedge, differential, interior product, Lie derivative (AC-C1, C11).

use crate::frame::{Frame, Section};
use rattleback_symbolic::{Expr, dot};
use std::collections::BTreeMap;

/// A k-form ω = Σ_{A1<…<Ak} ω_{A1…Ak} e^{A1} ∧ … ∧ e^{Ak}; only nonzero components are kept.
///
/// The wedge is normalised by (k+l)!/(k! l!) Alt, so (α ∧ β)(X, Y) = α(X)β(Y) - α(Y)β(X).
///
/// ```
/// use rattleback_geometry::{Form, Frame};
/// use rattleback_symbolic::{Expr, Symbol};
/// let q = ["x", "y"].map(Symbol::variable);
/// let frame = Frame::coordinates(&q);
/// let x_dy = Form::covector(&[Expr::zero(), Expr::from(&q[0])]);
/// let area = x_dy.differential(&frame);
/// assert!(area.component(&[0, 1]).is_one());
/// assert!(area.differential(&frame).is_zero());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    degree: usize,
    components: BTreeMap<Vec<usize>, Expr>,
}

impl Form {
    /// The zero k-form.
    pub fn zero(degree: usize) -> Self {
        Self {
            degree,
            components: BTreeMap::new(),
        }
    }

    /// A function as a 0-form.
    pub fn function(f: &Expr) -> Self {
        Self::from_components(0, [(Vec::new(), f.clone())])
    }

    /// The 1-form Σ α_A e^A.
    pub fn covector(components: &[Expr]) -> Self {
        let indexed = components.iter().enumerate();
        Self::from_components(1, indexed.map(|(a, e)| (vec![a], e.clone())))
    }

    /// The dual basis form e^A.
    pub fn dual(a: usize) -> Self {
        Self::from_components(1, [(vec![a], Expr::one())])
    }

    /// Σ component · e^{A1} ∧ … ∧ e^{Ak}; indices in any order, repetitions add up.
    pub fn from_components(
        degree: usize,
        components: impl IntoIterator<Item = (Vec<usize>, Expr)>,
    ) -> Self {
        let mut form = Self::zero(degree);
        for (indices, value) in components {
            form.add_to(indices, value);
        }
        form
    }

    fn add_to(&mut self, mut indices: Vec<usize>, value: Expr) {
        debug_assert_eq!(indices.len(), self.degree);
        let Some(odd) = sort_parity(&mut indices) else {
            return;
        };
        let value = if odd { -value } else { value };
        let old = self.components.remove(&indices);
        let sum = old.map_or_else(|| value.clone(), |old| old + &value);
        if !sum.is_zero() {
            self.components.insert(indices, sum);
        }
    }

    /// k.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Are there no components? An expression that vanishes without looking like it still counts.
    pub fn is_zero(&self) -> bool {
        self.components.is_empty()
    }

    /// The component ω(e_{A1}, …, e_{Ak}).
    pub fn component(&self, indices: &[usize]) -> Expr {
        let mut sorted = indices.to_vec();
        let parity = sort_parity(&mut sorted);
        match (parity, self.components.get(&sorted)) {
            (Some(false), Some(e)) => e.clone(),
            (Some(true), Some(e)) => -e,
            _ => Expr::zero(),
        }
    }

    /// The stored components, indices increasing.
    pub fn components(&self) -> impl Iterator<Item = (&[usize], &Expr)> {
        self.components.iter().map(|(i, e)| (i.as_slice(), e))
    }

    /// The stored values, for proofs that a form vanishes.
    pub fn values(&self) -> Vec<Expr> {
        self.components.values().cloned().collect()
    }

    /// Each component through a function.
    pub fn map(&self, mut f: impl FnMut(&Expr) -> Expr) -> Self {
        let mapped = self.components.iter().map(|(i, e)| (i.clone(), f(e)));
        Self::from_components(self.degree, mapped)
    }

    /// f ω.
    pub fn scaled(&self, f: &Expr) -> Self {
        self.map(|e| e * f)
    }

    /// ω + η; the degrees must agree.
    pub fn plus(&self, other: &Self) -> Self {
        debug_assert_eq!(self.degree, other.degree);
        let mut sum = self.clone();
        for (i, e) in &other.components {
            sum.add_to(i.clone(), e.clone());
        }
        sum
    }

    /// ω - η.
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.map(|e| -e))
    }

    /// ω ∧ η.
    pub fn wedge(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.degree + other.degree);
        for (i, a) in &self.components {
            for (j, b) in &other.components {
                product.add_to([i.as_slice(), j].concat(), a * b);
            }
        }
        product
    }

    /// The interior product (i_X ω)(Y, …) = ω(X, Y, …).
    pub fn interior(&self, x: &[Expr]) -> Self {
        let mut result = Self::zero(self.degree.saturating_sub(1));
        for (indices, e) in &self.components {
            for (position, &a) in indices.iter().enumerate() {
                let term = &x[a] * e;
                let signed = if position % 2 == 0 { term } else { -term };
                result.add_to(without(indices, position), signed);
            }
        }
        result
    }

    /// ω(X_1, …, X_k).
    pub fn evaluate(&self, sections: &[Section]) -> Expr {
        debug_assert_eq!(sections.len(), self.degree);
        let contracted = sections.iter().fold(self.clone(), |w, x| w.interior(x));
        contracted.component(&[])
    }

    /// The differential of the frame:
    ///
    /// ```text
    /// dω(X_0,…,X_k) = Σ_i (-1)^i X_i[ω(…X̂_i…)] + Σ_{i<j} (-1)^{i+j} ω([X_i,X_j],…X̂_i…X̂_j…)
    /// ```
    ///
    /// It squares to zero exactly where the Jacobi identity and the anchor condition hold.
    pub fn differential(&self, frame: &Frame) -> Self {
        let mut result = Self::zero(self.degree + 1);
        let (indices, values): (Vec<_>, Vec<_>) = self.components.iter().unzip();
        let values: Vec<Expr> = values.into_iter().cloned().collect();
        for a in 0..frame.rank() {
            for (i, rate) in indices.iter().zip(frame.act_basis(a, &values)) {
                result.add_to([&[a], i.as_slice()].concat(), rate);
            }
        }
        // The bracket terms are d e^D = -Σ_{A<B} C^D_AB e^A ∧ e^B inside each monomial.
        for (a, b, d, c) in frame.structure().iter() {
            for (i, e) in &self.components {
                if let Some(position) = i.iter().position(|&k| k == d) {
                    let rest = without(i, position);
                    let term = c * e;
                    let signed = if position % 2 == 0 { -term } else { term };
                    result.add_to([&[a, b], rest.as_slice()].concat(), signed);
                }
            }
        }
        result
    }

    /// The Lie derivative by Cartan's formula, L_X = i_X d + d i_X.
    pub fn lie_derivative(&self, x: &[Expr], frame: &Frame) -> Self {
        let first = self.differential(frame).interior(x);
        if self.degree == 0 {
            return first;
        }
        first.plus(&self.interior(x).differential(frame))
    }
}

/// The Lie derivative of a function, X\[f\] = ρ(X)\[f\].
pub fn lie_derivative_of_function(frame: &Frame, x: &[Expr], f: &Expr) -> Expr {
    dot(x, &frame.differential(f))
}

fn without(indices: &[usize], position: usize) -> Vec<usize> {
    let mut rest = indices.to_vec();
    rest.remove(position);
    rest
}

/// Sorts; tells whether the permutation is odd, or `None` if an index repeats.
fn sort_parity(indices: &mut [usize]) -> Option<bool> {
    let mut odd = false;
    for end in (1..indices.len()).rev() {
        for k in 0..end {
            if indices[k] > indices[k + 1] {
                indices.swap(k, k + 1);
                odd = !odd;
            }
        }
    }
    indices.windows(2).all(|w| w[0] != w[1]).then_some(odd)
}
