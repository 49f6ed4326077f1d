//! Brackets given by their matrix: fields, brackets of functions, Jacobiator, Casimirs
//! (HJ-C03, NG-B2, B5, B6).

use crate::equations::BracketMatrix;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero, substitute_all};

impl BracketMatrix {
    /// The field of g: rates {coordinate, g} of all coordinates.
    ///
    /// ```
    /// use rattleback_mechanics::BracketMatrix;
    /// use rattleback_symbolic::{Expr, Matrix, Symbol};
    /// let [q, p] = ["q", "p"].map(Symbol::variable);
    /// let one = Expr::one();
    /// let matrix = Matrix::from_rows(&[vec![Expr::zero(), one.clone()], vec![-one, Expr::zero()]]);
    /// let canonical = BracketMatrix { coordinates: vec![q.clone(), p.clone()], matrix };
    /// let h = (Expr::from(&p).powi(2) + Expr::from(&q).powi(2)) / 2;
    /// assert_eq!(canonical.field(&h), [Expr::from(&p), -Expr::from(&q)]);
    /// ```
    pub fn field(&self, g: &Expr) -> Vec<Expr> {
        self.matrix.apply(&g.gradient(&self.coordinates))
    }

    /// {f, g} = ∂_i f Π^ij ∂_j g.
    pub fn bracket(&self, f: &Expr, g: &Expr) -> Expr {
        dot(&f.gradient(&self.coordinates), &self.field(g))
    }

    /// {f, {g, h}} + {g, {h, f}} + {h, {f, g}}.
    pub fn jacobiator(&self, f: &Expr, g: &Expr, h: &Expr) -> Expr {
        let nested = |a: &Expr, b: &Expr, c: &Expr| self.bracket(a, &self.bracket(b, c));
        nested(f, g, h) + nested(g, h, f) + nested(h, f, g)
    }

    /// The Jacobiators of all triples of coordinates i < j < k.
    pub fn jacobiators(&self) -> Vec<(usize, usize, usize, Expr)> {
        let z: Vec<Expr> = self.coordinates.iter().map(Expr::from).collect();
        let mut all = Vec::new();
        for i in 0..z.len() {
            for j in i + 1..z.len() {
                for k in j + 1..z.len() {
                    all.push((i, j, k, self.jacobiator(&z[i], &z[j], &z[k])));
                }
            }
        }
        all
    }

    /// Does the Jacobi identity hold, so that the bracket is Poisson? `on` parametrises redundant
    /// coordinates.
    pub fn is_poisson(&self, on: &[(Symbol, Expr)]) -> Verdict {
        let all: Vec<Expr> = self.jacobiators().into_iter().map(|(.., e)| e).collect();
        prove_all_zero(&substitute_all(&all, on))
    }

    /// Does f commute with everything?
    pub fn is_casimir(&self, f: &Expr, on: &[(Symbol, Expr)]) -> Verdict {
        prove_all_zero(&substitute_all(&self.field(f), on))
    }

    /// Is f a first integral of h, {f, h} = 0?
    pub fn is_conserved(&self, f: &Expr, h: &Expr, on: &[(Symbol, Expr)]) -> Verdict {
        prove_all_zero(&substitute_all(&[self.bracket(f, h)], on))
    }

    /// The matrix {f_i, f_j}: zero for functions in involution.
    pub fn involution(&self, f: &[Expr]) -> Matrix {
        super::coframe::skew(f.len(), |i, j| self.bracket(&f[i], &f[j]))
    }
}
