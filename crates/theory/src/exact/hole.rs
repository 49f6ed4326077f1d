//! Places of codimension two at which a form is singular: a loop around one may have a period.

use super::tidy;
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_zero, solve};

/// An axis on which a singular function vanishes, in the plane of two coordinates; the others are fixed.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    /// The two coordinates.
    pub(super) plane: [usize; 2],
    /// The values at which it is.
    pub(super) centre: [Expr; 2],
}

impl Hole {
    /// The form along the unit circle around it: ω_i (−sin s) + ω_j cos s.
    pub(super) fn along_circle(&self, q: &[Symbol], form: &[Expr], s: &Symbol) -> Expr {
        let [i, j] = self.plane;
        let angle = Expr::from(s);
        let there = [
            (q[i].clone(), &self.centre[0] + angle.cos()),
            (q[j].clone(), &self.centre[1] + angle.sin()),
        ];
        form[j].substitute(&there) * angle.cos() - form[i].substitute(&there) * angle.sin()
    }
}

/// The holes that zeros of these functions make, for planes through a point: the origin, and centres of
/// functions that are quadratic in the plane.
pub(super) fn holes(q: &[Symbol], poles: &[Expr], base: &[(Symbol, Expr)]) -> Vec<Hole> {
    let mut found: Vec<Hole> = Vec::new();
    for i in 0..q.len() {
        for j in i + 1..q.len() {
            let fixed: Vec<(Symbol, Expr)> = base
                .iter()
                .filter(|(s, _)| *s != q[i] && *s != q[j])
                .cloned()
                .collect();
            let pair = [&q[i], &q[j]];
            let inside = |p: &&Expr| pair.iter().all(|s| p.contains(s));
            for pole in poles.iter().filter(inside) {
                let pole = pole.substitute(&fixed);
                let origin = Some([Expr::zero(), Expr::zero()]);
                for centre in [origin, stationary(&pole, pair)].into_iter().flatten() {
                    let at = [
                        (q[i].clone(), centre[0].clone()),
                        (q[j].clone(), centre[1].clone()),
                    ];
                    let known = found
                        .iter()
                        .any(|h| h.plane == [i, j] && h.centre == centre);
                    if !known && prove_zero(&pole.substitute(&at)).is_proven() {
                        found.push(Hole {
                            plane: [i, j],
                            centre,
                        });
                    }
                }
            }
        }
    }
    found
}

/// Poles whose zeros are not all known to be among the holes: those that may vanish at isolated points of a plane
/// and are neither quadratic nor linear in it.
pub(super) fn unlocated<'p>(q: &[Symbol], poles: &'p [Expr]) -> Vec<&'p Expr> {
    let is_curved = |p: &Expr| {
        let own: Vec<&Symbol> = q.iter().filter(|s| p.contains(s)).collect();
        let second = own
            .iter()
            .flat_map(|x| own.iter().map(|y| p.diff(x).diff(y)));
        own.len() > 1
            && second
                .into_iter()
                .any(|e| e.contains_any(own.iter().copied()))
    };
    poles
        .iter()
        .filter(|p| is_curved(p) && !p.is_nonvanishing())
        .collect()
}

/// Where the gradient of a quadratic function of two variables vanishes.
fn stationary(p: &Expr, [x, y]: [&Symbol; 2]) -> Option<[Expr; 2]> {
    let gradient = [p.diff(x), p.diff(y)];
    let hessian = Matrix::new(2, 2, |i, j| gradient[i].diff([x, y][j]));
    if hessian.entries().iter().any(|e| e.contains_any([x, y])) {
        return None;
    }
    let nothing = [(x.clone(), Expr::zero()), (y.clone(), Expr::zero())];
    let right: Vec<Expr> = gradient.iter().map(|g| -g.substitute(&nothing)).collect();
    let solved = solve(&hessian, &Matrix::column_vector(&right)).ok()?;
    Some([
        tidy(&solved.solution[(0, 0)]),
        tidy(&solved.solution[(1, 0)]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_of_circles_and_the_origin() {
        let q = ["x", "y", "z"].map(Symbol::variable);
        let [x, y, z] = [0, 1, 2].map(|i| Expr::from(&q[i]));
        let base: Vec<(Symbol, Expr)> = q.iter().map(|s| (s.clone(), Expr::one())).collect();
        let around = (&x - 3).powi(2) + 2 * (&y + 1).powi(2);
        let steep = x.powi(4) + z.powi(2);
        let found = holes(&q, &[around, steep, 1 + x.powi(2) + y.powi(2)], &base);
        let places: Vec<([usize; 2], [Expr; 2])> =
            found.into_iter().map(|h| (h.plane, h.centre)).collect();
        assert_eq!(
            places,
            [
                ([0, 1], [3.into(), (-1).into()]),
                ([0, 2], [Expr::zero(), Expr::zero()])
            ]
        );
    }
}
