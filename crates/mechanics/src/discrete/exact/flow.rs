//! The flow of a linear system whose eigenvalues come in pairs ±λ, as those of mechanics do.

use super::no_formula;
use super::swing::Swing;
use crate::discrete::DiscreteError;
use rattleback_symbolic::{
    Expr, Matrix, characteristic, normalize, prove_all_zero, prove_zero, roots_by_radicals,
    simplify,
};

/// The flow of z' = N z + f.
pub(super) struct Flow {
    /// e^{Nh}.
    pub moved: Matrix,
    /// ∫ e^{Nt} dt over the step,
    pub summed: Matrix,
    /// and the integral of that.
    pub summed_twice: Matrix,
}

impl Flow {
    /// With E_m(s) = Σ_j s^j h^{2j+m}/(2j+m)!, functions of A = N²:
    ///
    /// ```text
    /// e^{Nh} = E₀ + N E₁        ∫ e^{Nt} dt = E₁ + N E₂        ∫∫ e^{Nt} dt = E₂ + N E₃
    /// ```
    pub fn new(n: &Matrix, h: &Expr) -> Result<Self, DiscreteError> {
        let square = (n * n).map(normalize);
        let nodes = nodes(n)?;
        let table: Result<Vec<_>, _> = nodes.iter().map(|node| node.series(h)).collect();
        let table = table?;
        let functions = [0, 1, 2, 3].map(|m| interpolated(&square, &nodes, &table, m));
        let [moved, summed, summed_twice] = [0, 1, 2].map(|m| {
            let odd = n * &functions[m + 1];
            Matrix::new(n.rows(), n.cols(), |i, j| {
                simplify(&(&functions[m][(i, j)] + &odd[(i, j)]))
            })
        });
        Ok(Self {
            moved,
            summed,
            summed_twice,
        })
    }
}

/// A root s of the characteristic polynomial in λ², so many times.
struct Node {
    square: Expr,
    times: usize,
}

/// χ(λ) = π(λ²): the roots of π with their multiplicities. π(N²) = 0 (Cayley and Hamilton).
fn nodes(n: &Matrix) -> Result<Vec<Node>, DiscreteError> {
    let all = characteristic(n);
    let odd: Vec<Expr> = all.iter().skip(1).step_by(2).cloned().collect();
    if !prove_all_zero(&odd).is_proven() {
        return Err(no_formula("its frequencies do not come in pairs"));
    }
    let even: Vec<Expr> = all.into_iter().step_by(2).collect();
    let roots = roots_by_radicals(&even);
    let roots =
        roots.ok_or_else(|| no_formula("no square roots were found that write its frequencies"))?;
    let node = |square: Expr| {
        let mut slopes = even.clone();
        let mut times = 0;
        while !slopes.is_empty() && prove_zero(&value(&slopes, &square)).is_proven() {
            times += 1;
            slopes = derivative(&slopes);
        }
        Node { square, times }
    };
    let nodes: Vec<Node> = roots.into_iter().map(node).collect();
    match nodes.iter().map(|n| n.times).sum::<usize>() == even.len() - 1 {
        true => Ok(nodes),
        false => Err(no_formula("how often its frequencies occur is not decided")),
    }
}

/// Of a polynomial, constant coefficient first.
fn value(p: &[Expr], x: &Expr) -> Expr {
    p.iter().rev().fold(Expr::zero(), |sum, c| sum * x + c)
}

fn derivative(p: &[Expr]) -> Vec<Expr> {
    let higher = p.iter().enumerate().skip(1);
    higher.map(|(k, c)| c * k as i64).collect()
}

/// E_m^{(r)}(s)/r! by r, then by m from 0 to 3.
type Series = Vec<[Expr; 4]>;

impl Node {
    /// The Taylor coefficients of E₀ to E₃ at s, as many as the node occurs.
    ///
    /// At s = 0 they are h^{2r+m}/(2r+m)!. Elsewhere E_m is homogeneous in √s and 1/h, from which
    ///
    /// ```text
    /// 2 s E_m' = h E_{m−1} − m E_m        E₋₁ = s E₁
    /// ```
    fn series(&self, h: &Expr) -> Result<Series, DiscreteError> {
        let s = &self.square;
        if s.is_zero() {
            let at = |r: usize| [0, 1, 2, 3].map(|m| over_factorial(h, 2 * r + m));
            return Ok((0..self.times).map(at).collect());
        }
        let swing = Swing::new(s, h)?;
        let rise = (&swing.cosine - 1) / s;
        let lag = (&swing.sine - h) / s;
        let mut found = vec![[swing.cosine, swing.sine, rise, lag]];
        for r in 1..self.times {
            let before = &found[r - 1];
            let older = match r {
                1 => Expr::zero(),
                _ => found[r - 2][1].clone(),
            };
            let sink = s * &before[1] + older;
            let next = [0, 1, 2, 3].map(|m| {
                let lower = if m == 0 { &sink } else { &before[m - 1] };
                let weight = (m + 2 * (r - 1)) as i64;
                (h * lower - weight * &before[m]) / (2 * s * r as i64)
            });
            found.push(next);
        }
        Ok(found)
    }
}

/// h^n/n!.
fn over_factorial(h: &Expr, n: usize) -> Expr {
    (1..=n as i64).fold(Expr::one(), |product, k| product * h / k)
}

/// E_m(A) by Newton's interpolation at the nodes, each as often as it occurs (Hermite).
fn interpolated(a: &Matrix, nodes: &[Node], table: &[Series], m: usize) -> Matrix {
    let at: Vec<(usize, &Expr)> = nodes
        .iter()
        .enumerate()
        .flat_map(|(k, node)| std::iter::repeat_n((k, &node.square), node.times))
        .collect();
    // f[s_i, …, s_{i+width}], by i.
    let mut differences: Vec<Expr> = at.iter().map(|(k, _)| table[*k][0][m].clone()).collect();
    let mut factor = Matrix::identity(a.rows());
    let mut sum = Matrix::zeros(a.rows(), a.cols());
    for width in 0..at.len() {
        let first = &differences[0];
        sum = Matrix::new(a.rows(), a.cols(), |i, j| {
            &sum[(i, j)] + &factor[(i, j)] * first
        });
        factor = (&factor * &minus(a, at[width].1)).map(normalize);
        if prove_all_zero(factor.entries()).is_proven() {
            break;
        }
        let divided = |i: usize| {
            let (from, to) = (at[i], at[i + width + 1]);
            match from.0 == to.0 {
                true => table[from.0][width + 1][m].clone(),
                false => (&differences[i + 1] - &differences[i]) / (to.1 - from.1),
            }
        };
        differences = (0..differences.len() - 1).map(divided).collect();
    }
    sum
}

/// A − s.
fn minus(a: &Matrix, s: &Expr) -> Matrix {
    Matrix::new(a.rows(), a.cols(), |i, j| {
        &a[(i, j)] - s * i64::from(i == j)
    })
}
