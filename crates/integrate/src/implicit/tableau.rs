//! Collocation methods: nodes, weights, and the spectrum of the coefficient matrix.

use rattleback_numeric::Complex;
use rattleback_numeric::Scalar;

/// The most stages a method here has.
pub(crate) const MAX_STAGES: usize = 4;

/// λ, an eigenvalue of A with Im λ ≥ 0, and its eigenvectors, scaled so that left · right = 1.
#[derive(Clone, Debug)]
pub(crate) struct Eigenpair {
    pub value: Complex,
    pub right: [Complex; MAX_STAGES],
    pub left: [Complex; MAX_STAGES],
}

/// A collocation method: u(t₀) = x and u'(t₀ + c_i h) = f at s nodes determine the polynomial u.
#[derive(Clone, Debug)]
pub(crate) struct Tableau {
    pub stages: usize,
    pub nodes: &'static [f64],
    pub weights: Split,
    /// a_ij = ∫₀^{c_i} ℓ_j, by rows.
    pub matrix: Split,
    /// The eigenvalues of A, one of each conjugate pair.
    pub spectrum: Vec<Eigenpair>,
    /// ∫₀^θ ℓ_j = Σ_k integrals[j][k] θ^(k+1).
    integrals: Vec<[f64; MAX_STAGES]>,
}

/// Coefficients to more digits than a number holds, head + tail with heads of ten bits.
///
/// Rounded coefficients are those of a method that is not quite symplectic, and its energy drifts
/// by about 10⁻¹⁹ per step, always the same way (Hairer, McLachlan & Razakarivony).
#[derive(Clone, Debug)]
pub(crate) struct Split {
    heads: Vec<f64>,
    tails: Vec<f64>,
}

impl Split {
    fn new(rounded: &[f64], tails: &[f64]) -> Self {
        let heads = rounded.iter().map(|a| (a * 1024.0).round() / 1024.0);
        let heads: Vec<f64> = heads.collect();
        let tails = match tails {
            [] => rounded
                .iter()
                .zip(&heads)
                .map(|(a, head)| a - head)
                .collect(),
            _ => tails.to_vec(),
        };
        Split { heads, tails }
    }

    /// Σ_j a_(start + j) f_j over s values.
    pub fn sum(&self, start: usize, s: usize, f: impl Fn(usize) -> f64) -> f64 {
        let row = start..start + s;
        let (mut heads, mut tails) = (0.0, 0.0);
        for (j, (head, tail)) in self.heads[row.clone()]
            .iter()
            .zip(&self.tails[row])
            .enumerate()
        {
            heads += head * f(j);
            tails += tail * f(j);
        }
        heads + tails
    }
}

/// The digits that belong to a method.
pub(crate) struct Digits {
    pub nodes: &'static [f64],
    pub weights: &'static [f64],
    pub matrix: &'static [f64],
    /// What is left of the weights beyond the nearest multiples of 1/1024; empty where the digits
    /// of the weights do.
    pub weight_tails: &'static [f64],
    /// The same for the matrix.
    pub matrix_tails: &'static [f64],
    /// One of each conjugate pair, the one with Im λ > 0.
    pub eigenvalues: &'static [Complex],
}

impl Digits {
    fn whole_spectrum(&self) -> impl Iterator<Item = Complex> {
        let with_conjugate = |&z: &Complex| [Some(z), (z.im != 0.0).then(|| z.conjugate())];
        self.eigenvalues.iter().flat_map(with_conjugate).flatten()
    }
}

impl Tableau {
    pub fn new(digits: &Digits) -> Self {
        let stages = digits.nodes.len();
        let eigenvalues = digits.eigenvalues.iter();
        Tableau {
            stages,
            nodes: digits.nodes,
            weights: Split::new(digits.weights, digits.weight_tails),
            matrix: Split::new(digits.matrix, digits.matrix_tails),
            spectrum: eigenvalues.map(|&value| eigenpair(digits, value)).collect(),
            integrals: (0..stages)
                .map(|j| lagrange_integral(digits.nodes, j))
                .collect(),
        }
    }

    /// ∫₀^θ ℓ_j for each stage j: the weights that the rates of the stages have at θ.
    pub fn weights_at(&self, theta: f64) -> [f64; MAX_STAGES] {
        let mut weights = [0.0; MAX_STAGES];
        for (weight, integral) in weights.iter_mut().zip(&self.integrals) {
            *weight = theta * horner(integral, theta);
        }
        weights
    }

    /// The weights that the increments z_j of the stages have at θ: the polynomials of degree s
    /// that are 0 at 0, 1 at node j and 0 at the others.
    pub fn increment_weights_at(&self, theta: f64) -> [f64; MAX_STAGES] {
        let mut weights = [0.0; MAX_STAGES];
        for (j, (weight, &node)) in weights.iter_mut().zip(self.nodes).enumerate() {
            let others = self.nodes.iter().enumerate().filter(|&(i, _)| i != j);
            let factors = others.map(|(_, &c)| (theta - c) / (node - c));
            *weight = factors.product::<f64>() * theta / node;
        }
        weights
    }
}

fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// The coefficients of θ^(k+1) in ∫₀^θ ℓ_j, where ℓ_j is 1 at node j and 0 at the others.
fn lagrange_integral(nodes: &[f64], j: usize) -> [f64; MAX_STAGES] {
    let mut coefficients = [0.0; MAX_STAGES];
    coefficients[0] = 1.0;
    let mut degree = 0;
    for (_, &node) in nodes.iter().enumerate().filter(|&(i, _)| i != j) {
        let scale = 1.0 / (nodes[j] - node);
        degree += 1;
        for k in (0..=degree).rev() {
            let shifted = if k > 0 { coefficients[k - 1] } else { 0.0 };
            coefficients[k] = (shifted - node * coefficients[k]) * scale;
        }
    }
    for (k, c) in coefficients.iter_mut().enumerate() {
        *c /= (k + 1) as f64;
    }
    coefficients
}

type SmallMatrix = [[Complex; MAX_STAGES]; MAX_STAGES];

/// The eigenvectors of λ, from the projector on its eigenspace: ∏ (A − μ)/(λ − μ) over the other
/// eigenvalues μ is right·leftᵀ.
fn eigenpair(digits: &Digits, value: Complex) -> Eigenpair {
    let s = digits.nodes.len();
    let mut projector = SmallMatrix::default();
    for (i, row) in projector.iter_mut().enumerate() {
        row[i] = Complex::new(1.0, 0.0);
    }
    for other in digits.whole_spectrum().filter(|&mu| mu != value) {
        projector = deflate(s, &projector, digits.matrix, value, other);
    }
    let (mut row, mut column) = (0, 0);
    for i in 0..s {
        for j in 0..s {
            if projector[i][j].magnitude() > projector[row][column].magnitude() {
                (row, column) = (i, j);
            }
        }
    }
    let pivot = projector[row][column];
    let right = std::array::from_fn(|i| projector[i][column] / pivot);
    Eigenpair {
        value,
        right,
        left: projector[row],
    }
}

/// projector · (A − μ)/(λ − μ).
fn deflate(
    s: usize,
    projector: &SmallMatrix,
    matrix: &[f64],
    lambda: Complex,
    mu: Complex,
) -> SmallMatrix {
    let mut product = SmallMatrix::default();
    for i in 0..s {
        for j in 0..s {
            let image = (0..s).fold(Complex::default(), |sum, k| {
                sum + projector[i][k] * matrix[k * s + j]
            });
            product[i][j] = (image - mu * projector[i][j]) / (lambda - mu);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::super::coefficients::{GAUSS, RADAU};
    use super::*;

    fn all() -> impl Iterator<Item = (&'static Digits, Tableau)> {
        let methods = GAUSS.iter().chain([&RADAU]);
        methods.map(|digits| (digits, Tableau::new(digits)))
    }

    #[test]
    fn matrices_are_the_integrals_of_the_lagrange_polynomials() {
        for (digits, tableau) in all() {
            let rows = digits.matrix.chunks_exact(tableau.stages);
            let ends = digits.nodes.iter().zip(rows);
            for (&end, row) in ends.chain([(&1.0, digits.weights)]) {
                for (a, weight) in row.iter().zip(tableau.weights_at(end)) {
                    assert!((a - weight).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn heads_and_tails_make_up_the_coefficients() {
        for (digits, tableau) in all() {
            let splits = [
                (&tableau.weights, digits.weights),
                (&tableau.matrix, digits.matrix),
            ];
            for (split, rounded) in splits {
                assert_eq!(split.heads.len(), split.tails.len());
                for (k, a) in rounded.iter().enumerate() {
                    assert!(split.tails[k].abs() <= 1.0 / 2048.0);
                    assert_eq!(split.sum(k, 1, |_| 1.0), *a);
                }
            }
        }
    }

    #[test]
    fn eigenvectors_diagonalise_the_matrix() {
        for (digits, tableau) in all() {
            let s = tableau.stages;
            let (mut count, mut sum) = (0, vec![0.0; s * s]);
            for pair in &tableau.spectrum {
                let multiplicity = if pair.value.im == 0.0 { 1.0 } else { 2.0 };
                count += multiplicity as usize;
                for i in 0..s {
                    for j in 0..s {
                        let term = pair.value * pair.right[i] * pair.left[j];
                        sum[i * s + j] += multiplicity * term.re;
                    }
                }
            }
            assert_eq!(count, s);
            for (entry, a) in sum.iter().zip(digits.matrix) {
                assert!((entry - a).abs() < 1e-14, "{entry} is not {a}");
            }
        }
    }

    /// b_i a_ij + b_j a_ji = b_i b_j.
    #[test]
    fn gauss_methods_are_symplectic_to_the_last_digit() {
        for digits in &GAUSS {
            let (b, a, s) = (digits.weights, digits.matrix, digits.nodes.len());
            for i in 0..s {
                for j in 0..s {
                    let defect = b[i] * a[i * s + j] + b[j] * a[j * s + i] - b[i] * b[j];
                    assert!(defect.abs() < 1e-16);
                }
            }
        }
    }
}
