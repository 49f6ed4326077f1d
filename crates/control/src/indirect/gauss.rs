//! Gauss collocation of s stages, order 2s: nodes, weights and the matrix of integrals.

/// ∫_0^{c_i} ℓ_j = a_ij, ∫_0^1 ℓ_j = b_j for the Lagrange polynomials ℓ_j of the nodes c.
#[derive(Clone, Debug)]
pub(super) struct Gauss {
    pub(super) c: Vec<f64>,
    pub(super) b: Vec<f64>,
    /// By rows.
    pub(super) a: Vec<f64>,
}

impl Gauss {
    /// The method of s stages.
    pub(super) fn new(s: usize) -> Self {
        let c = nodes(s);
        let integral = |j: usize, to: f64| -> f64 {
            let powers = lagrange(&c, j);
            let terms = powers.iter().enumerate();
            terms
                .map(|(k, p)| p * to.powi(k as i32 + 1) / (k as f64 + 1.0))
                .sum()
        };
        Self {
            b: (0..s).map(|j| integral(j, 1.0)).collect(),
            a: (0..s * s).map(|k| integral(k % s, c[k / s])).collect(),
            c,
        }
    }

    pub(super) fn stages(&self) -> usize {
        self.c.len()
    }
}

/// The zeros of the Legendre polynomial of degree s, on [0, 1].
fn nodes(s: usize) -> Vec<f64> {
    let legendre = |x: f64| {
        let (mut before, mut here) = (1.0, x);
        for k in 2..=s {
            let k = k as f64;
            (before, here) = (here, ((2.0 * k - 1.0) * x * here - (k - 1.0) * before) / k);
        }
        let slope = s as f64 * (x * here - before) / (x * x - 1.0);
        (here, slope)
    };
    let zero = |i: usize| {
        let mut x = -(std::f64::consts::PI * (i as f64 + 0.75) / (s as f64 + 0.5)).cos();
        for _ in 0..50 {
            let (value, slope) = legendre(x);
            x -= value / slope;
        }
        (x + 1.0) / 2.0
    };
    (0..s).map(zero).collect()
}

/// The coefficients of ℓ_j by powers.
fn lagrange(c: &[f64], j: usize) -> Vec<f64> {
    let mut powers = vec![1.0];
    for (m, x) in c.iter().enumerate().filter(|(m, _)| *m != j) {
        let scale = 1.0 / (c[j] - c[m]);
        let mut next = vec![0.0; powers.len() + 1];
        for (k, p) in powers.iter().enumerate() {
            next[k + 1] += p * scale;
            next[k] -= p * x * scale;
        }
        powers = next;
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_twice_the_stages() {
        for s in 1..=4 {
            let gauss = Gauss::new(s);
            for k in 0..2 * s {
                let sum: f64 = gauss
                    .b
                    .iter()
                    .zip(&gauss.c)
                    .map(|(b, c)| b * c.powi(k as i32))
                    .sum();
                assert!((sum - 1.0 / (k as f64 + 1.0)).abs() < 1e-14, "{s} {k}");
            }
            for i in 0..s {
                let row: f64 = gauss.a[i * s..(i + 1) * s].iter().sum();
                assert!((row - gauss.c[i]).abs() < 1e-14);
            }
        }
    }
}
