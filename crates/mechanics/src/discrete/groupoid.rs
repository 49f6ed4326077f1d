//! The discrete Euler-Lagrange equations on any Lie groupoid (CG-C4, C5, D1).

use rattleback_geometry::groupoid::{Groupoid, Prolongation, cotangent_source, cotangent_target};
use rattleback_symbolic::{Expr, Matrix, Symbol, derivations, substitute_all};

/// The momenta that a discrete Lagrangian gives to the ends of a step, on the basis of the algebroid.
#[derive(Clone, Debug, PartialEq)]
pub struct Momenta {
    /// F⁻L_d = X→(L_d), at the beginning.
    pub before: Vec<Expr>,
    /// F⁺L_d = X←(L_d), at the end.
    pub after: Vec<Expr>,
}

fn element(symbols: &[Symbol]) -> Vec<Expr> {
    symbols.iter().map(Expr::from).collect()
}

/// The discrete Legendre transforms of L_d, a function of the coordinates `g` of an element (CG-C5).
pub fn momenta_on(groupoid: &impl Groupoid, g: &[Symbol], l: &Expr) -> Momenta {
    let (at, slopes) = (element(g), l.gradient(g));
    Momenta {
        before: cotangent_source(groupoid, &at, &slopes),
        after: cotangent_target(groupoid, &at, &slopes),
    }
}

/// X←(g_k)(L_d) − X→(g_{k+1})(L_d) for each basis section X, in the coordinates of two composable steps.
///
/// ```
/// use rattleback_geometry::groupoid::PairGroupoid;
/// use rattleback_mechanics::discrete::discrete_euler_lagrange;
/// use rattleback_symbolic::{Expr, Symbol, prove_zero};
/// let [a, b, c, d] = ["a", "b", "c", "d"].map(Symbol::variable);
/// let l = (Expr::from(&b) - &a).powi(2) / 2 - Expr::from(&a).cos();
/// let steps = PairGroupoid::new(1);
/// let equation = discrete_euler_lagrange(&steps, &[a, b.clone()], &l, &[c.clone(), d.clone()]);
/// // (b − a) − (d − c) + sin c, with c = b.
/// let [a, b, c, d] = ["a", "b", "c", "d"].map(|n| Expr::from(Symbol::variable(n)));
/// assert!(prove_zero(&(&equation[0] - (b - a - d + &c + c.sin()))).is_proven());
/// ```
pub fn discrete_euler_lagrange(
    groupoid: &impl Groupoid,
    first: &[Symbol],
    l: &Expr,
    second: &[Symbol],
) -> Vec<Expr> {
    let momenta = momenta_on(groupoid, first, l);
    let renamed: Vec<(Symbol, Expr)> = first.iter().cloned().zip(element(second)).collect();
    let departing = substitute_all(&momenta.before, &renamed);
    let pairs = momenta.after.iter().zip(&departing);
    pairs.map(|(arrives, departs)| arrives - departs).collect()
}

/// Ω(X, Y) = X→(Y←(L_d)) on basis sections, rows X: L_d is regular where it is invertible (CG-C5).
pub fn regularity_matrix(groupoid: &impl Groupoid, g: &[Symbol], l: &Expr) -> Matrix {
    let (rank, at) = (groupoid.rank(), element(g));
    let after = momenta_on(groupoid, g, l).after;
    let rows: Vec<Vec<Expr>> = (0..rank)
        .map(|a| {
            let basis: Vec<Expr> = (0..rank).map(|b| i64::from(a == b).into()).collect();
            let field = groupoid.right(&at, &basis);
            derivations(&after, |s| {
                let place = g.iter().position(|c| c == s);
                place.map_or_else(Expr::zero, |i| field[i].clone())
            })
        })
        .collect();
    Matrix::new(rank, rank, |a, b| rows[a][b].clone())
}

/// ⟨X←(g_k), P_k⟩ − ⟨X→(g_{k+1}), P_{k+1}⟩ with P_k = D₁L(g_k, g_{k+1}) + D₂L(g_{k−1}, g_k), for L on
/// pairs of composable steps: the second-order equations in the coordinates of four of them (CG-D1).
///
/// `l` is a function of `steps[1]` and `steps[2]`.
pub fn second_order_equations(
    groupoid: &impl Groupoid,
    steps: [&[Symbol]; 4],
    l: &Expr,
) -> Vec<Expr> {
    constrained_second_order_equations(groupoid, steps, l, &[], [&[], &[], &[]])
}

/// The second-order equations of L + λ_a Φ^a, with multipliers of their own for each of the three pairs of steps; Φ^a = 0 on
/// each pair belongs to them (CG-D6, D11).
///
/// `l` and the constraints are functions of `steps[1]` and `steps[2]`.
pub fn constrained_second_order_equations(
    groupoid: &impl Groupoid,
    steps: [&[Symbol]; 4],
    l: &Expr,
    constraints: &[Expr],
    multipliers: [&[Symbol]; 3],
) -> Vec<Expr> {
    let [_, g1, g2, _] = steps;
    // The slopes of the Lagrangian of a pair, by its first or its second step.
    let slopes = |pair: usize, by: &[Symbol]| -> Vec<Expr> {
        let push = constraints.iter().zip(multipliers[pair]);
        let augmented = l + Expr::sum(push.map(|(phi, lambda)| phi * lambda));
        let old = g1.iter().chain(g2).cloned();
        let new = element(steps[pair])
            .into_iter()
            .chain(element(steps[pair + 1]));
        let shift: Vec<(Symbol, Expr)> = old.zip(new).collect();
        substitute_all(&augmented.gradient(by), &shift)
    };
    let sum = |a: Vec<Expr>, b: Vec<Expr>| -> Vec<Expr> {
        a.iter().zip(&b).map(|(a, b)| a + b).collect()
    };
    let p1 = sum(slopes(1, g1), slopes(0, g2));
    let p2 = sum(slopes(2, g1), slopes(1, g2));
    let arrives = cotangent_target(groupoid, &element(g1), &p1);
    let departs = cotangent_source(groupoid, &element(g2), &p2);
    arrives.iter().zip(&departs).map(|(a, d)| a - d).collect()
}

/// A point of Σ_L ⊂ T*(P^αG) over the pair (g₁, g₂): the covector (μ, D₁L − μ, D₂L) over (g₁, g₁, g₂) (CG-D7). With constraints
/// `l` is L + λ_a Φ^a.
pub fn submanifold_point(l: &Expr, first: &[Symbol], second: &[Symbol], mu: &[Expr]) -> Vec<Expr> {
    let slopes = l.gradient(first);
    let rest = slopes.iter().zip(mu).map(|(d, m)| d - m);
    mu.iter()
        .cloned()
        .chain(rest)
        .chain(l.gradient(second))
        .collect()
}

/// β̃(γ_{k−1,k}) − α̃(γ_{k,k+1}) on the basis of A(P^αG), for covectors over two pairs of three steps: a sequence of points of Σ_L is a
/// motion where it vanishes (CG-D7, D8).
pub fn composability<G: Groupoid + Clone>(
    groupoid: &G,
    steps: [&[Symbol]; 3],
    covectors: [&[Expr]; 2],
) -> Vec<Expr> {
    let prolongation = Prolongation::new(groupoid.clone());
    let [g0, g1, g2] = steps.map(element);
    let before = prolongation.of_pair(&g0, &g1);
    let after = prolongation.of_pair(&g1, &g2);
    let arrives = cotangent_target(&prolongation, &before, covectors[0]);
    let departs = cotangent_source(&prolongation, &after, covectors[1]);
    arrives.iter().zip(&departs).map(|(a, d)| a - d).collect()
}
