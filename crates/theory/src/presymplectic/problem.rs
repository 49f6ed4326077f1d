//! The linear equations K X = r for a field on an anchored frame, on a set that is given by solved
//! coordinates.

use super::chart::GroupFactor;
use super::reduction::Reduced;
use crate::exact::{Sample, tidy_all};
use rattleback_geometry::{Frame, StructureFunctions};
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

/// Solved coordinates: each symbol equals its expression in the others.
pub(super) type Solved = [(Symbol, Expr)];

/// K X = r, to be solved by a field that is tangent to the set where it is solvable.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// The frame; its base coordinates are those of the space.
    pub(super) frame: Frame,
    /// K, one column per section.
    pub(super) matrix: Matrix,
    /// r.
    pub(super) right: Vec<Expr>,
    /// Groups whose entries are among the coordinates.
    pub(super) groups: Vec<GroupFactor>,
    /// Those entries by free parameters.
    pub(super) on: Vec<(Symbol, Expr)>,
}

/// K X = r with the tangency to a set, on that set.
pub(super) struct OnSet {
    /// K above, the slopes of the solved coordinates below.
    pub(super) matrix: Matrix,
    /// r above, the explicit rates of the set below.
    pub(super) right: Vec<Expr>,
    /// Both as they were before zeros were told from their values: (K, r), row by row.
    exact: Matrix,
    /// The values of (matrix, right) at a generic point of the set.
    pub(super) sample: Option<Sample>,
    /// How many rows come from K.
    pub(super) own: usize,
}

impl Problem {
    /// The equations on a frame.
    pub(super) fn new(
        frame: Frame,
        matrix: Matrix,
        right: Vec<Expr>,
        groups: Vec<GroupFactor>,
    ) -> Self {
        Self {
            frame,
            matrix,
            right,
            on: groups
                .iter()
                .flat_map(GroupFactor::parametrization)
                .collect(),
            groups,
        }
    }

    /// The equations on a set.
    pub(super) fn on_set(&self, solved: &Solved) -> OnSet {
        let (own, n) = (self.matrix.rows(), self.frame.rank());
        let time = Symbol::time();
        let mut all = self.matrix.entries().to_vec();
        for (w, e) in solved {
            all.extend(self.frame.differential(&(Expr::from(w) - e)));
        }
        let mut right = self.right.clone();
        // w − e(…, t) stays zero: X(w − e) = ∂e/∂t.
        right.extend(solved.iter().map(|(_, e)| e.diff(&time)));
        let all = substitute_all(&all, solved);
        let right = substitute_all(&right, solved);
        let rows = right.len();
        let both = Matrix::new(rows, n + 1, |i, a| match a < n {
            true => all[i * n + a].clone(),
            false => right[i].clone(),
        });
        let sample = Sample::of(&both, &self.on);
        let all = match &sample {
            None => tidy_all(&all),
            Some(_) => all,
        };
        // What vanishes at a generic point is zero; what rests on that is proven in the end.
        let entry = |i: usize, a: usize| match &sample {
            Some(s) if s.is_zero(i, a) => Expr::zero(),
            _ => all[i * n + a].clone(),
        };
        OnSet {
            matrix: Matrix::new(rows, n, entry),
            right: (0..rows)
                .map(|i| match &sample {
                    Some(s) if s.is_zero(i, n) => Expr::zero(),
                    _ => right[i].clone(),
                })
                .collect(),
            exact: both,
            sample,
            own,
        }
    }

    /// The rank of the frame along a set, its dimension for a tangent bundle: that of the sections whose
    /// anchors are tangent.
    pub(super) fn dimension(&self, solved: &Solved) -> usize {
        let n = self.frame.rank();
        let here = self.on_set(solved);
        let rows: Vec<usize> = (here.own..here.matrix.rows()).collect();
        let columns: Vec<usize> = (0..n).collect();
        match &here.sample {
            Some(s) if !rows.is_empty() => n - s.select(&rows, &columns).rank(),
            _ => n - solved.len(),
        }
    }

    /// The dimension of the space of coordinates on a set.
    pub(super) fn free_coordinates(&self, solved: &Solved) -> usize {
        let redundant: usize = self
            .groups
            .iter()
            .map(|g| g.entries.len() - g.group.dimension())
            .sum();
        self.frame.base().len() - redundant - solved.len()
    }

    /// The coordinates that no relation ties to others.
    pub(super) fn independent(&self) -> Vec<Symbol> {
        let tied = |q: &Symbol| self.on.iter().any(|(s, _)| s == q);
        let base = self.frame.base().iter();
        base.filter(|q| !tied(q)).cloned().collect()
    }

    /// The same problem at special values of the parameters.
    pub(super) fn at_parameters(&self, values: &[(Symbol, Expr)]) -> Self {
        let put = |all: &[Expr]| substitute_all(all, values);
        let mut special = self.clone();
        let base = self.frame.base().to_vec();
        let anchor = self.frame.anchor().map(|e| e.substitute(values));
        special.frame = with_anchor(&self.frame, base, anchor, &put);
        special.matrix = self.matrix.map(|e| e.substitute(values));
        special.right = put(&self.right);
        special
    }
}

impl OnSet {
    /// K X − r, in which no zero has been taken for granted.
    pub(super) fn gaps(&self, field: &[Expr]) -> Vec<Expr> {
        let with_right: Vec<Expr> = field.iter().cloned().chain([Expr::from(-1)]).collect();
        self.exact.apply(&with_right)
    }

    /// K X.
    pub(super) fn image(&self, direction: &[Expr]) -> Vec<Expr> {
        let without: Vec<Expr> = direction.iter().cloned().chain([Expr::zero()]).collect();
        self.exact.apply(&without)
    }

    /// What is left of the equations once those for one unknown are solved.
    pub(super) fn reduced(&self) -> Reduced {
        Reduced::of(&self.matrix, &self.right)
    }
}

/// A frame with another anchor on other coordinates, its structure functions mapped.
pub(super) fn with_anchor(
    frame: &Frame,
    base: Vec<Symbol>,
    anchor: Matrix,
    map: &dyn Fn(&[Expr]) -> Vec<Expr>,
) -> Frame {
    let mut structure = StructureFunctions::default();
    let all: Vec<_> = frame.structure().iter().collect();
    let values: Vec<Expr> = all.iter().map(|(.., c)| (*c).clone()).collect();
    for ((a, b, d, _), c) in all.iter().zip(map(&values)) {
        structure.set(*a, *b, *d, c);
    }
    Frame::new(base, frame.fibre().to_vec(), anchor, structure)
}
