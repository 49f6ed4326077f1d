//! Quotients: the space of the fibres that forms are transversal to, with the lifts of its directions.

use crate::frame::{Frame, Section};
use crate::structure::StructureFunctions;
use crate::subframe::Subframe;
use rattleback_symbolic::{Expr, LinearError, Matrix, Symbol, solve};

/// A base whose directions e_α the annihilator D of forms lifts to the ambient frame, TQ = D ⊕ V with V the directions
/// of the fibre (HJ-C27, C28, DP-B12, VE-C18):
///
/// ```text
/// h_α = e_α − A^a_α e_a ∈ D,        [e_α, e_β] = c^γ_αβ e_γ on the base
/// [h_α, h_β] − c^γ_αβ h_γ ∈ V: the curvature, up to its sign
/// ```
///
/// ```
/// use rattleback_geometry::{Frame, Quotient};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// // z' = x y', with z as fibre.
/// let q = ["x", "y", "z"].map(Symbol::variable);
/// let tq = Frame::coordinates(&q);
/// let forms = Matrix::from_rows(&[vec![0.into(), -Expr::from(&q[0]), 1.into()]]);
/// let plane = Quotient::across(&tq, &forms, &[2], &q[2..]).unwrap();
/// assert_eq!(plane.base.base(), &q[..2]);
/// // [h_x, h_y] = ∂_z.
/// assert_eq!(plane.vertical_bracket(&tq, 0, 1), [0, 0, 1].map(Expr::from));
/// ```
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The frame of the base; its velocities are those of the ambient frame that are not fibre.
    pub base: Frame,
    /// The lifts h_α, with the base velocities as their velocities.
    pub lifts: Subframe,
    /// The ambient velocities of the fibre, by their numbers.
    pub vertical: Vec<usize>,
    /// The directions ξ_a of the fibre: those velocities, or fields along whose orbits it lies.
    pub fields: Vec<Section>,
    /// A with s'^a = −A^a_α r'^α.
    pub connection: Matrix,
    /// Functions that must not vanish.
    pub conditions: Vec<Expr>,
}

impl Quotient {
    /// The base across a fibre with these velocities and positions. An error where the forms do not determine the
    /// velocities of the fibre, or where they were not solved for them.
    pub fn across(
        ambient: &Frame,
        forms: &Matrix,
        vertical: &[usize],
        positions: &[Symbol],
    ) -> Result<Self, LinearError> {
        let unit = |a: usize| (0..ambient.rank()).map(move |i| i64::from(i == a).into());
        let fields: Vec<Section> = vertical.iter().map(|&a| unit(a).collect()).collect();
        Self::along(ambient, forms, fields, vertical, positions)
    }

    /// The base along the orbits of fields ξ_a, on a slice that they cross: there these positions are held, and the
    /// directions tangent to it are those of the other velocities. Forms and fields are given on the slice.
    ///
    /// ```text
    /// h_α = e_α − A^a_α ξ_a ∈ D
    /// ```
    pub fn along(
        ambient: &Frame,
        forms: &Matrix,
        fields: Vec<Section>,
        vertical: &[usize],
        positions: &[Symbol],
    ) -> Result<Self, LinearError> {
        let horizontal = complement(ambient, vertical);
        let rows: Vec<usize> = (0..forms.rows()).collect();
        let across: Vec<Vec<Expr>> = fields.iter().map(|xi| forms.apply(xi)).collect();
        let solved = solve(
            &Matrix::new(forms.rows(), fields.len(), |i, a| across[a][i].clone()),
            &forms.select(&rows, &horizontal),
        )?;
        let varies = |c: &Expr| c.as_number().is_none();
        Ok(Self {
            base: ambient.without(vertical, positions),
            lifts: lifts(ambient, vertical, &fields, &solved.solution),
            vertical: vertical.to_vec(),
            fields,
            conditions: solved.conditions.into_iter().filter(varies).collect(),
            connection: solved.solution,
        })
    }

    /// The same quotient with its connection and conditions rewritten.
    pub fn rewritten(&self, ambient: &Frame, rewrite: impl Fn(&[Expr]) -> Vec<Expr>) -> Self {
        let columns = self.connection.cols();
        let entries = rewrite(self.connection.entries());
        let connection = Matrix::new(self.connection.rows(), columns, |i, j| {
            entries[i * columns + j].clone()
        });
        let conditions = rewrite(&self.conditions);
        let varies = |c: &Expr| c.as_number().is_none();
        Self {
            lifts: lifts(ambient, &self.vertical, &self.fields, &connection),
            conditions: conditions.into_iter().filter(varies).collect(),
            connection,
            ..self.clone()
        }
    }

    /// [h_α, h_β] − c^γ_αβ h_γ.
    pub fn vertical_bracket(&self, ambient: &Frame, a: usize, b: usize) -> Section {
        let h = |a: usize| self.lifts.basis.column(a);
        let mut bracket = ambient.bracket(&h(a), &h(b));
        for d in 0..self.base.rank() {
            let c = self.base.structure().get(a, b, d);
            if !c.is_zero() {
                let kept = h(d);
                bracket
                    .iter_mut()
                    .zip(&kept)
                    .for_each(|(x, h)| *x -= &c * h);
            }
        }
        bracket
    }

    /// K^d_αβ with [h_α, h_β] − c^γ_αβ h_γ = K^d_αβ ξ_d, one matrix per field, for fields that leave D alone and close
    /// with [ξ_a, ξ_b] = C^d_ab ξ_d; with c = −A:
    ///
    /// ```text
    /// K^d_αβ = e_α[c^d_β] − e_β[c^d_α] − c^γ_αβ c^d_γ − C^d_ab c^a_α c^b_β
    /// ```
    ///
    /// The last term has its sign because the invariant fields that are ξ_a on the slice close with −C.
    pub fn brackets_along(&self, constants: impl Fn(usize, usize, usize) -> Expr) -> Vec<Matrix> {
        let c = self.connection.map(|e| -e);
        let (m, n) = (c.rows(), c.cols());
        let slopes: Vec<Vec<Vec<Expr>>> = (0..m)
            .map(|d| (0..n).map(|a| self.base.act_basis(a, c.row(d))).collect())
            .collect();
        let component = |d: usize, a: usize, b: usize| {
            let turned = (0..n).map(|g| self.base.structure().get(a, b, g) * &c[(d, g)]);
            let pairs = (0..m).flat_map(|i| (0..m).map(move |j| (i, j)));
            let closed = pairs.map(|(i, j)| constants(i, j, d) * &c[(i, a)] * &c[(j, b)]);
            &slopes[d][a][b] - &slopes[d][b][a] - Expr::sum(turned) - Expr::sum(closed)
        };
        let one = |d: usize| {
            let mut k = Matrix::zeros(n, n);
            for a in 0..n {
                for b in a + 1..n {
                    let value = component(d, a, b);
                    k[(b, a)] = -&value;
                    k[(a, b)] = value;
                }
            }
            k
        };
        (0..m).map(one).collect()
    }
}

fn complement(ambient: &Frame, vertical: &[usize]) -> Vec<usize> {
    let all = 0..ambient.rank();
    all.filter(|i| !vertical.contains(i)).collect()
}

/// h_α = e_α − A^a_α ξ_a.
fn lifts(ambient: &Frame, vertical: &[usize], fields: &[Section], connection: &Matrix) -> Subframe {
    let horizontal = complement(ambient, vertical);
    let basis = Matrix::new(ambient.rank(), horizontal.len(), |i, alpha| {
        let own: Expr = i64::from(horizontal[alpha] == i).into();
        let along = fields.iter().enumerate();
        own - Expr::sum(along.map(|(a, xi)| &connection[(a, alpha)] * &xi[i]))
    });
    let velocities = horizontal.iter().map(|&i| ambient.fibre()[i].clone());
    Subframe::spanned(basis, velocities.collect())
}

impl Frame {
    /// The frame of the positions and velocities that are left when those of a fibre are dropped.
    pub fn without(&self, vertical: &[usize], positions: &[Symbol]) -> Frame {
        let horizontal = complement(self, vertical);
        let z = self.base();
        let rows: Vec<usize> = (0..z.len())
            .filter(|&i| !positions.contains(&z[i]))
            .collect();
        let at = |i: usize| horizontal.iter().position(|&h| h == i);
        let mut structure = StructureFunctions::default();
        for (a, b, d, c) in self.structure().iter() {
            if let (Some(a), Some(b), Some(d)) = (at(a), at(b), at(d)) {
                structure.set(a, b, d, c.clone());
            }
        }
        let velocities = horizontal.iter().map(|&i| self.fibre()[i].clone());
        Frame::new(
            rows.iter().map(|&i| z[i].clone()).collect(),
            velocities.collect(),
            self.anchor().select(&rows, &horizontal),
            structure,
        )
    }
}
