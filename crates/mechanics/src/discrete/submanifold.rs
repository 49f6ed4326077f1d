//! The flow that a Lagrangian submanifold of T*(P^αG) is the graph of (CG-D8, D11).

use rattleback_geometry::groupoid::{Groupoid, cotangent_source, cotangent_target};
use rattleback_symbolic::{Expr, Matrix, Symbol, derivations};

/// Σ_L over pairs of steps as the map β̃|Σ ∘ (α̃|Σ)⁻¹ on A*(P^αG), whose points are a step g with the values of a
/// covector on sections (X, W): a on the X, b on the W.
///
/// On the point (μ, D₁L − μ, D₂L) over (g₁, g₁, g₂)
///
/// ```text
/// α̃: a = ⟨D₁L, X→(g₁)⟩,                                  b = −⟨μ, W←(g₁)⟩   at g₁
/// β̃: a' = ⟨D₁L − μ, X←(g₁)⟩ − ⟨D₂L, X→(g₂)⟩,   b' = ⟨D₂L, W←(g₂)⟩    at g₂
/// ```
///
/// so that μ drops out: a determines g₂, and a' = ⟨D₁L, X←(g₁)⟩ + b − ⟨D₂L, X→(g₂)⟩. With constraints L is L + λ_a Φ^a, and
/// Φ = 0 determines λ.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmanifoldFlow {
    /// What vanishes at g₂ and λ: ⟨D₁L, X→(g₁)⟩ − a, then Φ.
    pub equations: Vec<Expr>,
    /// a' and b'.
    pub next: Vec<Expr>,
    /// X→(g₁) W←(g₂) L, bordered by X→(g₁)Φ and W←(g₂)Φ: where it is invertible, α̃|Σ and β̃|Σ both are, and the flow is
    /// reversible and Poisson.
    pub regularity: Matrix,
}

impl SubmanifoldFlow {
    /// Of L and Φ, functions of the coordinates of two composable steps and of the multipliers.
    pub fn of(
        groupoid: &impl Groupoid,
        [first, second]: [&[Symbol]; 2],
        l: &Expr,
        (constraints, multipliers): (&[Expr], &[Symbol]),
        (a, b): (&[Symbol], &[Symbol]),
    ) -> Self {
        let push = constraints.iter().zip(multipliers).map(|(phi, m)| phi * m);
        let l = l + Expr::sum(push);
        let [g1, g2] = [first, second].map(|s| s.iter().map(Expr::from).collect::<Vec<_>>());
        let (d1, d2) = (l.gradient(first), l.gradient(second));
        let departs = cotangent_source(groupoid, &g1, &d1);
        let arrives = cotangent_target(groupoid, &g1, &d1);
        let meets = cotangent_source(groupoid, &g2, &d2);
        let ends = cotangent_target(groupoid, &g2, &d2);
        let turned = arrives.iter().zip(&meets).zip(b);
        let turned = turned.map(|((arrives, meets), b)| arrives + b - meets);
        let equations = departs.iter().zip(a).map(|(p, a)| p - a);
        let fields = Fields {
            groupoid,
            first,
            second,
            at: (&g1, &g2),
        };
        Self {
            regularity: fields.bordered(&departs, constraints),
            next: turned.chain(ends).collect(),
            equations: equations.chain(constraints.iter().cloned()).collect(),
        }
    }
}

/// Invariant fields on two steps.
struct Fields<'a, G> {
    groupoid: &'a G,
    first: &'a [Symbol],
    second: &'a [Symbol],
    at: (&'a [Expr], &'a [Expr]),
}

impl<G: Groupoid> Fields<'_, G> {
    fn bordered(&self, departs: &[Expr], constraints: &[Expr]) -> Matrix {
        let (rank, held) = (self.groupoid.rank(), constraints.len());
        let basis =
            |a: usize| -> Vec<Expr> { (0..rank).map(|b| i64::from(a == b).into()).collect() };
        let moved = |f: &[Expr], symbols: &[Symbol], field: &[Expr]| {
            derivations(f, |s| {
                let place = symbols.iter().position(|c| c == s);
                place.map_or_else(Expr::zero, |i| field[i].clone())
            })
        };
        // Columns: W← on g₂.
        let by_end = |f: &[Expr]| -> Vec<Vec<Expr>> {
            let field = |a: usize| self.groupoid.left(self.at.1, &basis(a));
            (0..rank)
                .map(|a| moved(f, self.second, &field(a)))
                .collect()
        };
        let by_start = |f: &[Expr]| -> Vec<Vec<Expr>> {
            let field = |a: usize| self.groupoid.right(self.at.0, &basis(a));
            (0..rank).map(|a| moved(f, self.first, &field(a))).collect()
        };
        let (mixed, below) = (by_end(departs), by_end(constraints));
        let beside = by_start(constraints);
        Matrix::new(rank + held, rank + held, |i, j| {
            match (i < rank, j < rank) {
                (true, true) => mixed[j][i].clone(),
                (true, false) => beside[i][j - rank].clone(),
                (false, true) => below[j][i - rank].clone(),
                (false, false) => Expr::zero(),
            }
        })
    }
}
