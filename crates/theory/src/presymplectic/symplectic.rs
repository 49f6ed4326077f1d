//! Symplectic linear algebra and Lagrangian submanifolds (AC-C8).

use crate::exact::tidy;
use crate::{Answer, Function, Named, Theorem};
use rattleback_symbolic::{
    Expr, LinearError, Matrix, Symbol, dot, nullspace, prove_all_zero, prove_zero, rank,
};

/// What a subspace is for a two-form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubspaceClass {
    /// Its dimension.
    pub dimension: usize,
    /// Does the form vanish on it?
    pub isotropic: bool,
    /// Does it contain its orthogonal?
    pub coisotropic: bool,
    /// Is the form nondegenerate on it?
    pub symplectic: bool,
}

impl SubspaceClass {
    /// Isotropic and coisotropic.
    pub fn lagrangian(self) -> bool {
        self.isotropic && self.coisotropic
    }
}

/// {v : Ω(v, w) = 0 for all w in W}.
pub fn orthogonal(form: &Matrix, w: &[Vec<Expr>]) -> Result<Vec<Vec<Expr>>, LinearError> {
    let n = form.rows();
    if w.is_empty() {
        return Ok((0..n).map(|i| unit(n, i)).collect());
    }
    let rows: Vec<Vec<Expr>> = w.iter().map(|w| form.apply(w)).collect();
    Ok(nullspace(&Matrix::from_rows(&rows))?.basis)
}

fn unit(n: usize, i: usize) -> Vec<Expr> {
    (0..n).map(|j| i64::from(i == j).into()).collect()
}

/// Ω(w_i, w_j).
fn gram(form: &Matrix, w: &[Vec<Expr>]) -> Matrix {
    let image: Vec<Vec<Expr>> = w.iter().map(|w| form.apply(w)).collect();
    Matrix::new(w.len(), w.len(), |i, j| tidy(&dot(&w[i], &image[j])))
}

/// The class of the span of some vectors.
pub fn classify(form: &Matrix, w: &[Vec<Expr>]) -> Result<SubspaceClass, LinearError> {
    let kept = match w.is_empty() {
        true => Vec::new(),
        false => rank(&Matrix::from_rows(w))?.rows,
    };
    let w: Vec<Vec<Expr>> = kept.iter().map(|&i| w[i].clone()).collect();
    let k = w.len();
    let inner = match k {
        0 => 0,
        _ => rank(&gram(form, &w))?.rank,
    };
    let perp = orthogonal(form, &w)?;
    let joint = Matrix::from_rows(&[w, perp].concat());
    Ok(SubspaceClass {
        dimension: k,
        isotropic: inner == 0,
        coisotropic: joint.rows() == 0 || rank(&joint)?.rank == k,
        symplectic: inner == k,
    })
}

/// The kernel of the restriction of Ω to the span of independent vectors: W ∩ W^⊥.
pub fn restricted_kernel(form: &Matrix, w: &[Vec<Expr>]) -> Result<Vec<Vec<Expr>>, LinearError> {
    if w.is_empty() {
        return Ok(Vec::new());
    }
    let vectors = Matrix::from_rows(w).transpose();
    let kernel = nullspace(&gram(form, w))?.basis;
    Ok(kernel.iter().map(|c| vectors.apply(c)).collect())
}

/// Is a map x ↦ φ(x) symplectic, φ*Ω = Ω: is its graph Lagrangian for pr₁*Ω − pr₀*Ω?
pub fn is_symplectic_map(coordinates: &[Symbol], form: &Matrix, image: &[Expr]) -> Answer {
    let at: Vec<(Symbol, Expr)> = coordinates
        .iter()
        .cloned()
        .zip(image.iter().cloned())
        .collect();
    let n = coordinates.len();
    let jacobian = Matrix::new(n, n, |i, j| image[i].diff(&coordinates[j]));
    let there = form.map(|e| e.substitute(&at));
    let pulled = &(&jacobian.transpose() * &there) * &jacobian;
    let defect = &pulled - form;
    let verdict = prove_all_zero(defect.entries());
    Answer::vanish(defect.entries(), verdict, Function::PulledBackDifference)
}

/// A basis in which a two-form is canonical.
#[derive(Clone, Debug, Default)]
pub struct DarbouxBasis {
    /// Pairs (e_i, f_i) with Ω(e_i, f_j) = δ_ij, all other values zero.
    pub pairs: Vec<(Vec<Expr>, Vec<Expr>)>,
    /// A basis of the kernel.
    pub kernel: Vec<Vec<Expr>>,
}

/// A Darboux basis of a two-form, by elimination.
pub fn darboux(form: &Matrix) -> DarbouxBasis {
    let n = form.rows();
    let pair = |v: &[Expr], w: &[Expr]| tidy(&dot(v, &form.apply(w)));
    let mut left: Vec<Vec<Expr>> = (0..n).map(|i| unit(n, i)).collect();
    let mut found = DarbouxBasis::default();
    while let Some(e) = left.first().cloned() {
        let partner = (1..left.len()).find(|&j| prove_zero(&pair(&e, &left[j])).is_refuted());
        let Some(j) = partner else {
            found.kernel.push(left.remove(0));
            continue;
        };
        let scale = pair(&e, &left[j]);
        let f: Vec<Expr> = left.remove(j).iter().map(|x| x / &scale).collect();
        left.remove(0);
        for v in &mut left {
            let (a, b) = (pair(v, &f), pair(v, &e));
            *v = (0..n)
                .map(|i| tidy(&(&v[i] - &a * &e[i] + &b * &f[i])))
                .collect();
        }
        found.pairs.push((e, f));
    }
    found
}

/// Is an immersion u ↦ x(u) into (x, Ω) Lagrangian: Ω pulls back to zero and the dimension is half?
/// `form` is Ω in coordinates x, as functions of them.
pub fn is_lagrangian(
    coordinates: &[Symbol],
    form: &Matrix,
    parameters: &[Symbol],
    immersion: &[Expr],
) -> Result<Answer, LinearError> {
    let n = coordinates.len();
    let k = parameters.len();
    let tangents: Vec<Vec<Expr>> = parameters
        .iter()
        .map(|u| immersion.iter().map(|x| x.diff(u)).collect())
        .collect();
    if k > 0 && rank(&Matrix::from_rows(&tangents))?.rank < k {
        return Ok(Answer::refuted(Theorem::ImmersionLosesRank));
    }
    if 2 * k != n {
        let wrong = Theorem::NotHalf.with("dimension", k).with("whole", n);
        return Ok(Answer::refuted(wrong));
    }
    let at: Vec<(Symbol, Expr)> = coordinates
        .iter()
        .cloned()
        .zip(immersion.iter().cloned())
        .collect();
    let here = form.map(|e| e.substitute(&at));
    let mut values = Vec::new();
    for i in 0..k {
        for j in i + 1..k {
            values.push(dot(&tangents[i], &here.apply(&tangents[j])));
        }
    }
    let verdict = prove_all_zero(&values);
    let isotropic = Answer::vanish(&values, verdict, Function::PulledBackForm);
    Ok(isotropic.by(Theorem::LagrangianSubmanifold))
}

/// Σ_L = {a over N : a = dL on TN} for N given by parameters u ↦ x(u) and a function L(u): the
/// momenta p with p·∂x/∂u_j = ∂L/∂u_j. Gives a particular p and the free directions, the conormals
/// of N (Tulczyjew's theorem).
pub fn generated(
    parameters: &[Symbol],
    immersion: &[Expr],
    l: &Expr,
) -> Result<(Vec<Expr>, Vec<Vec<Expr>>), LinearError> {
    let rows: Vec<Vec<Expr>> = parameters
        .iter()
        .map(|u| immersion.iter().map(|x| x.diff(u)).collect())
        .collect();
    let tangents = Matrix::from_rows(&rows);
    let found = rank(&tangents)?;
    if found.rank < parameters.len() {
        return Err(LinearError::Singular {
            rank: found.rank,
            size: parameters.len(),
        });
    }
    let block = tangents.select(&found.rows, &found.cols);
    let right: Vec<Expr> = found.rows.iter().map(|&i| l.diff(&parameters[i])).collect();
    let solved = rattleback_symbolic::solve(&block, &Matrix::column_vector(&right))?.solution;
    let mut p = vec![Expr::zero(); immersion.len()];
    for (k, &i) in found.cols.iter().enumerate() {
        p[i] = tidy(&solved[(k, 0)]);
    }
    Ok((p, nullspace(&tangents)?.basis))
}
