//! Morphisms of algebroids: maps of sections over maps of coordinates, and pull-back of forms (AC-C12).

use crate::distribution::Distribution;
use crate::forms::Form;
use crate::frame::Frame;
use crate::proof::{Parametrization, vanish_on};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, substitute_all};

/// A bundle map y'^A = F^A_B(z) y^B over z' = f(z), from one frame to another.
///
/// ```
/// use rattleback_geometry::{Form, Morphism};
/// use rattleback_symbolic::{Expr, Symbol};
/// let plane = ["x", "y"].map(Symbol::variable);
/// let polar = ["r", "phi"].map(Symbol::variable);
/// let (r, phi) = (Expr::from(&polar[0]), Expr::from(&polar[1]));
/// let map = Morphism::tangent(&polar, &plane, &[&r * phi.cos(), &r * phi.sin()]);
/// let area = map.pull_back(&Form::dual(0).wedge(&Form::dual(1)));
/// assert!(rattleback_symbolic::prove_zero(&(area.component(&[0, 1]) - &r)).is_proven());
/// assert!(map.is_morphism(&[]).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct Morphism {
    source: Frame,
    target: Frame,
    fibre: Matrix,
    base: Vec<Expr>,
}

impl Morphism {
    /// From F (rows: sections of the target) and the coordinates of the target as functions.
    pub fn new(source: &Frame, target: &Frame, fibre: Matrix, base: &[Expr]) -> Self {
        debug_assert_eq!((fibre.rows(), fibre.cols()), (target.rank(), source.rank()));
        debug_assert_eq!(base.len(), target.base().len());
        Self {
            source: source.clone(),
            target: target.clone(),
            fibre,
            base: base.to_vec(),
        }
    }

    /// The tangent map of a coordinate map.
    pub fn tangent(source: &[Symbol], target: &[Symbol], map: &[Expr]) -> Self {
        let jacobian = Matrix::new(map.len(), source.len(), |i, j| map[i].diff(&source[j]));
        let (from, to) = (Frame::coordinates(source), Frame::coordinates(target));
        Self::new(&from, &to, jacobian, map)
    }

    fn replacement(&self) -> Vec<(Symbol, Expr)> {
        let coordinates = self.target.base().iter().cloned();
        coordinates.zip(self.base.iter().cloned()).collect()
    }

    /// The pulled-back form, ω_{A…}(f) F^A_B e^B ∧ ….
    pub fn pull_back(&self, form: &Form) -> Form {
        let rows: Vec<Form> = (0..self.fibre.rows())
            .map(|a| Form::covector(self.fibre.row(a)))
            .collect();
        let replacement = self.replacement();
        let mut result = Form::zero(form.degree());
        for (indices, value) in form.components() {
            let start = Form::function(&value.substitute(&replacement));
            let product = indices.iter().fold(start, |w, &a| w.wedge(&rows[a]));
            result = result.plus(&product);
        }
        result
    }

    /// What must vanish for d F* = F* d, on the target's coordinates and on its dual basis.
    pub fn defect(&self) -> Vec<Expr> {
        let anchor = substitute_all(self.target.anchor().entries(), &self.replacement());
        let n = self.target.rank();
        let anchor = Matrix::new(self.base.len(), n, |i, a| anchor[i * n + a].clone());
        let through_target = &anchor * &self.fibre;
        let mut all = Vec::new();
        for (i, f) in self.base.iter().enumerate() {
            let direct = self.source.differential(f);
            all.extend(direct.iter().zip(through_target.row(i)).map(|(x, y)| x - y));
        }
        for a in 0..n {
            let after = self.pull_back(&Form::dual(a)).differential(&self.source);
            let before = self.pull_back(&Form::dual(a).differential(&self.target));
            all.extend(after.minus(&before).values());
        }
        all
    }

    /// Is it a morphism of algebroids?
    pub fn is_morphism(&self, on: &Parametrization) -> Verdict {
        vanish_on(&self.defect(), on)
    }
}

impl Distribution {
    /// Is D, restricted to the submanifold where `equations` vanish, a subalgebroid: is its anchor
    /// tangent to the submanifold, and do brackets stay in D there? `inside` parametrises it.
    pub fn is_subalgebroid_over(&self, equations: &[Expr], inside: &Parametrization) -> Verdict {
        let mut defect: Vec<Expr> = self
            .involutivity_tensor()
            .into_iter()
            .map(|(.., t)| t)
            .collect();
        for a in 0..self.rank() {
            defect.extend(self.frame().act(&self.section(a), equations));
        }
        vanish_on(&defect, inside)
    }
}
