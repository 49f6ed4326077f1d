//! Subframes: a frame of a distribution D, with the bracket projected on it and what the projection loses.

use crate::frame::{Frame, Section};
use crate::structure::StructureFunctions;
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

/// Subframe y = X₀ + v^a e_a of an ambient frame, which may depend on the base and on time: a drift X₀ and a basis
/// of a distribution D.
///
/// The restriction is a map of frames. D has the anchor ρ(e_a), the drift ρ(X₀) and the projected bracket
///
/// ```text
/// [e_a, e_b] = C^c_ab e_c + (what is lost)
/// ```
///
/// where C^c is read off a component in which e_c is constant and every other e_b vanishes. A section without such
/// a component takes no part in the projected bracket: nothing is divided by, so that the frame of D has no pole
/// that D has not. Whatever is not kept is in [`Subframe::lost`], so that no choice of a complement changes the
/// equations.
///
/// ```
/// use rattleback_geometry::{Frame, Subframe};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// // z' = x y': e_1 = ∂_x, e_2 = ∂_y + x ∂_z.
/// let q = ["x", "y", "z"].map(Symbol::variable);
/// let x = Expr::from(&q[0]);
/// let tq = Frame::coordinates(&q);
/// let basis = Matrix::from_rows(&[vec![1.into(), 0.into()], vec![0.into(), 1.into()], vec![0.into(), x]]);
/// let v = ["u", "w"].map(Symbol::variable);
/// let d = Subframe::spanned(basis, v.to_vec());
/// assert!(d.frame(&tq).structure().is_empty());
/// // [V, e_2] = u [e_1, e_2] = u ∂_z leaves D: the projection loses it.
/// assert_eq!(d.lost(&tq, 1), [Expr::zero(), Expr::zero(), Expr::from(&v[0])]);
/// ```
#[derive(Clone, Debug)]
pub struct Subframe {
    /// The drift X₀; zero for constraints linear in the velocities.
    pub drift: Section,
    /// The basis e_a as columns of ambient components.
    pub basis: Matrix,
    /// The velocities v^a.
    pub velocities: Vec<Symbol>,
}

impl Subframe {
    /// The span of the columns of a matrix, without drift.
    pub fn spanned(basis: Matrix, velocities: Vec<Symbol>) -> Self {
        Self {
            drift: vec![Expr::zero(); basis.rows()],
            basis,
            velocities,
        }
    }

    /// How many sections there are.
    pub fn rank(&self) -> usize {
        self.velocities.len()
    }

    /// The ambient velocity V = X₀ + v^a e_a.
    pub fn velocity(&self) -> Section {
        let moving = self.moving();
        self.drift.iter().zip(&moving).map(|(x, b)| x + b).collect()
    }

    /// v^a e_a.
    fn moving(&self) -> Section {
        let v: Vec<Expr> = self.velocities.iter().map(Expr::from).collect();
        self.basis.apply(&v)
    }

    /// Functions of the ambient base and velocities on y = V.
    pub fn restrict(&self, ambient: &Frame, f: &[Expr]) -> Vec<Expr> {
        let pairs: Vec<_> = ambient
            .fibre()
            .iter()
            .cloned()
            .zip(self.velocity())
            .collect();
        substitute_all(f, &pairs)
    }

    /// The jets Y_i = d^i V/dt^i along motions in D, i < order, as functions of z, v, …, v^(i).
    pub fn jets(&self, ambient: &Frame, order: u32) -> Vec<Section> {
        let mut jets = vec![self.velocity()];
        for _ in 1..order {
            let last = &jets[jets.len() - 1];
            jets.push(ambient.rates_along(&jets[0], last, |_| false));
        }
        jets
    }

    /// The pairs y^(i) = Y_i that put functions of the ambient jets on D.
    pub fn jet_pairs(&self, ambient: &Frame, order: u32) -> Vec<(Symbol, Expr)> {
        let jets = self.jets(ambient, order);
        let level = |(section, i): (Section, u32)| {
            let raised = ambient.fibre().iter().map(move |y| y.jet(y.order() + i));
            raised.zip(section).collect::<Vec<_>>()
        };
        jets.into_iter().zip(0..).flat_map(level).collect()
    }

    /// ⟨p, ∂e_a/∂t⟩: what a basis that turns with time adds to the rates of the momenta ⟨p, e_a⟩.
    pub fn turning(&self, ambient: &Frame, p: &[Expr]) -> Vec<Expr> {
        let (rows, columns) = (self.basis.rows(), self.basis.cols());
        let turned = ambient.unsteady(self.basis.entries(), &[]);
        let turned = Matrix::new(rows, columns, |i, a| turned[i * columns + a].clone());
        turned.transpose().apply(p)
    }

    /// The frame of D: anchor ρ(e_a), drift ρ(X₀), projected bracket.
    pub fn frame(&self, ambient: &Frame) -> Frame {
        let frame = Frame::new(
            ambient.base().to_vec(),
            self.velocities.clone(),
            ambient.anchor() * &self.basis,
            self.projected_bracket(ambient),
        );
        frame.with_drift(ambient.anchored(&self.drift))
    }

    /// The ambient component that reads off the coefficient of each section, with its constant value there.
    fn readings(&self) -> Vec<Option<(usize, Expr)>> {
        let reads = |row: usize, a: usize| {
            let others = (0..self.rank()).filter(|&b| b != a);
            self.basis[(row, a)]
                .as_number()
                .is_some_and(|c| !c.is_zero())
                && others.into_iter().all(|b| self.basis[(row, b)].is_zero())
        };
        (0..self.rank())
            .map(|a| {
                let row = (0..self.basis.rows()).find(|&row| reads(row, a))?;
                Some((row, self.basis[(row, a)].clone()))
            })
            .collect()
    }

    /// C^c_ab e_c^i = C^i(e_a, e_b) in the component i that reads off e_c, where the sections are constant.
    fn projected_bracket(&self, ambient: &Frame) -> StructureFunctions {
        let mut structure = StructureFunctions::default();
        if ambient.structure().is_empty() {
            return structure;
        }
        let readings = self.readings();
        let sections: Vec<Section> = (0..self.rank()).map(|a| self.basis.column(a)).collect();
        for a in 0..self.rank() {
            for b in a + 1..self.rank() {
                let mut bracket = vec![Expr::zero(); ambient.rank()];
                for (d, term) in ambient.structure().contract(&sections[a], &sections[b]) {
                    bracket[d] += term;
                }
                for (c, (row, value)) in readings.iter().enumerate().filter_map(numbered) {
                    structure.set(a, b, c, &bracket[*row] / value);
                }
            }
        }
        structure
    }

    /// K_a = [V, e_a] + ∂e_a/∂t − C^c_ba v^b e_c: what the bracket of D does not keep of how e_a is carried along a
    /// motion, as an ambient section.
    pub fn lost(&self, ambient: &Frame, a: usize) -> Section {
        self.all_lost(ambient, a..a + 1).swap_remove(0)
    }

    /// [`Subframe::lost`] of every section.
    pub fn losses(&self, ambient: &Frame) -> Vec<Section> {
        self.all_lost(ambient, 0..self.rank())
    }

    fn all_lost(&self, ambient: &Frame, which: std::ops::Range<usize>) -> Vec<Section> {
        let moving = self.moving();
        let readings = self.readings();
        let projected = self.projected_bracket(ambient);
        let v: Vec<Expr> = self.velocities.iter().map(Expr::from).collect();
        let drifts = self.drift.iter().any(|x| !x.is_zero());
        which
            .map(|a| {
                let e = self.basis.column(a);
                let mut lost = ambient.bracket(&moving, &e);
                for (c, (row, _)) in readings.iter().enumerate().filter_map(numbered) {
                    let kept = (0..self.rank()).map(|b| projected.get(b, a, c) * &v[b]);
                    let kept = Expr::sum(kept);
                    for (i, l) in lost.iter_mut().enumerate() {
                        // The projection keeps just this component.
                        *l = match i == *row {
                            true => Expr::zero(),
                            false => &*l - &kept * &self.basis[(i, c)],
                        };
                    }
                }
                if drifts {
                    let carried = ambient.bracket(&self.drift, &e);
                    lost.iter_mut().zip(carried).for_each(|(l, x)| *l += x);
                }
                let turned = ambient.unsteady(&e, &[]);
                lost.iter_mut().zip(turned).for_each(|(l, x)| *l += x);
                lost
            })
            .collect()
    }
}

/// The sections that a component reads off, with their numbers.
fn numbered<T>((c, reading): (usize, &Option<T>)) -> Option<(usize, &T)> {
    reading.as_ref().map(|r| (c, r))
}
