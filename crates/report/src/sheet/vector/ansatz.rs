//! A vector as a combination of given ones: proposed in floating point, proven exactly or not used.

use crate::document::Vector;
use crate::symbolic::{Expr, Symbol, Tape, free_symbols, prove_all_zero};

/// A vector that an equation may contain.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// How it is written.
    pub vector: Vector,
    /// Its components.
    pub value: Vec<Expr>,
}

/// Coefficients beyond this are not those of a formula that a person writes.
const LARGEST_DENOMINATOR: i64 = 12;
const LARGEST_EXPONENT: f64 = 4.0;
/// What is below this part of the largest number is round-off.
const ROUND_OFF: f64 = 1e-9;

/// `target` = Σ c_k v_k with few of the candidates, earlier ones preferred, and c_k a number times powers of the
/// parameters. `None` where there is no such sum or the proof that it is one fails.
pub fn combination(
    target: &[Expr],
    candidates: &[Candidate],
    parameters: &[Symbol],
) -> Option<Vec<(Expr, Vector)>> {
    if target.iter().all(Expr::is_zero) {
        return Some(Vec::new());
    }
    let sampler = Sampler::new(target, candidates, parameters)?;
    let all: Vec<usize> = (0..candidates.len()).collect();
    let found = sampler.fit(&all, None)?;
    let support: Vec<usize> = (0..found.len()).filter(|&k| found[k] != 0.0).collect();
    let at_values = sampler.fit(&support, None)?;
    let mut exponents = vec![Vec::new(); support.len()];
    for p in 0..parameters.len() {
        let doubled = sampler.fit(&support, Some(p))?;
        for (k, (twice, once)) in doubled.iter().zip(&at_values).enumerate() {
            exponents[k].push(exponent(twice / once)?);
        }
    }
    let mut terms = Vec::new();
    let mut rest: Vec<Expr> = target.to_vec();
    for (k, &place) in support.iter().enumerate() {
        let powers = parameters.iter().zip(&exponents[k]);
        let monomial = powers.clone().map(|(p, &e)| (Expr::from(p), e.into()));
        let monomial = Expr::power_product(monomial.collect::<Vec<_>>());
        let size: f64 = (0..parameters.len())
            .map(|p| sampler.parameter(p).powf(exponents[k][p] as f64))
            .product();
        let coefficient = small_fraction(at_values[k] / size)? * monomial;
        for (r, v) in rest.iter_mut().zip(&candidates[place].value) {
            *r = &*r - &coefficient * v;
        }
        terms.push((coefficient, candidates[place].vector.clone()));
    }
    prove_all_zero(&rest).is_proven().then_some(terms)
}

/// The power of two that a coefficient grew by.
fn exponent(ratio: f64) -> Option<i64> {
    let e = ratio.abs().log2();
    let near = e.round();
    let fits = ratio > 0.0 && (e - near).abs() < 1e-6 && near.abs() <= LARGEST_EXPONENT;
    fits.then_some(near as i64)
}

/// The fraction with a small denominator that a number is.
fn small_fraction(x: f64) -> Option<Expr> {
    (1..=LARGEST_DENOMINATOR).find_map(|d| {
        let n = (x * d as f64).round();
        let fits = (x * d as f64 - n).abs() < 1e-7 && n != 0.0 && n.abs() < 1e6;
        fits.then(|| Expr::from(n as i64) / d)
    })
}

/// Values of the candidates and the target at points that depend on nothing but their number.
struct Sampler {
    program: Tape,
    /// The values of the symbols at each point; parameters first, the same at every point.
    points: Vec<Vec<f64>>,
    components: usize,
    candidates: usize,
}

impl Sampler {
    fn new(target: &[Expr], candidates: &[Candidate], parameters: &[Symbol]) -> Option<Self> {
        let values = candidates.iter().flat_map(|c| c.value.iter().cloned());
        let outputs: Vec<Expr> = values.chain(target.iter().cloned()).collect();
        let others = free_symbols(&outputs);
        let others = others.into_iter().filter(|s| !parameters.contains(s));
        let inputs: Vec<Symbol> = parameters.iter().cloned().chain(others).collect();
        let program = Tape::new(&inputs, &outputs).ok()?;
        let mut random = Sequence(0x9E37_79B9_7F4A_7C15);
        let fixed: Vec<f64> = parameters.iter().map(|_| 1.0 + random.next()).collect();
        let wanted = candidates.len() / target.len() + 8;
        let mut points = Vec::new();
        for _ in 0..4 * wanted {
            let free = (parameters.len()..inputs.len()).map(|_| 2.0 * random.next() - 1.0);
            let point: Vec<f64> = fixed.iter().copied().chain(free).collect();
            if program.evaluate(&point).iter().all(|v| v.is_finite()) {
                points.push(point);
            }
            if points.len() == wanted {
                break;
            }
        }
        (points.len() == wanted).then_some(Self {
            program,
            points,
            components: target.len(),
            candidates: candidates.len(),
        })
    }

    fn parameter(&self, p: usize) -> f64 {
        self.points[0][p]
    }

    /// The coefficients of the candidates at `places`, with one parameter doubled.
    fn fit(&self, places: &[usize], doubled: Option<usize>) -> Option<Vec<f64>> {
        let n = self.components;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for point in &self.points {
            let mut point = point.clone();
            if let Some(p) = doubled {
                point[p] *= 2.0;
            }
            let values = self.program.evaluate(&point);
            for i in 0..n {
                let row = places.iter().map(|k| values[k * n + i]);
                rows.push(row.chain([values[self.candidates * n + i]]).collect());
            }
        }
        solution(rows)
    }
}

/// The coefficients of the last column by the others, earlier columns first; `None` where it is none of their sums.
fn solution(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let columns = rows.first()?.len() - 1;
    let largest = |row: &Vec<f64>| row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let scale = rows.iter().map(largest).fold(0.0, f64::max);
    if !scale.is_finite() {
        return None;
    }
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..columns {
        let top = pivots.len();
        let candidate = (top..rows.len())
            .max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()));
        let Some(best) = candidate.filter(|&i| rows[i][column].abs() > ROUND_OFF * scale) else {
            continue;
        };
        rows.swap(top, best);
        let pivot = rows[top].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[column] / pivot[column];
            if i != top && factor != 0.0 {
                for (x, p) in row[column..].iter_mut().zip(&pivot[column..]) {
                    *x -= factor * p;
                }
                row[column] = 0.0;
            }
        }
        pivots.push(column);
    }
    let left_over = rows[pivots.len()..].iter();
    if left_over.map(|row| row[columns].abs()).fold(0.0, f64::max) > 1e3 * ROUND_OFF * scale {
        return None;
    }
    let mut found = vec![0.0; columns];
    for (row, &column) in rows.iter().zip(&pivots) {
        let value = row[columns] / row[column];
        if value.abs() > 1e-7 {
            found[column] = value;
        }
    }
    Some(found)
}

/// Numbers in [0, 1) that are the same each time.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(names: [&str; 3]) -> Vec<Expr> {
        names.map(|n| Symbol::variable(n).into()).to_vec()
    }

    fn cross(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
        (0..3)
            .map(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                &a[j] * &b[k] - &a[k] * &b[j]
            })
            .collect()
    }

    fn candidate(name: &str, value: Vec<Expr>) -> Candidate {
        Candidate {
            vector: Vector::Name(Symbol::variable(name)),
            value,
        }
    }

    #[test]
    fn a_combination_is_found_and_proven() {
        let (a, b) = (column(["a1", "a2", "a3"]), column(["b1", "b2", "b3"]));
        let (m, g) = (Symbol::constant("m"), Symbol::constant("g"));
        let all = [
            candidate("a", a.clone()),
            candidate("b", b.clone()),
            candidate("axb", cross(&a, &b)),
        ];
        let push = Expr::from(&m) * Expr::from(&g) / 2;
        let target: Vec<Expr> = (0..3).map(|i| &push * &all[2].value[i] - &b[i]).collect();
        let found = combination(&target, &all, &[m.clone(), g.clone()]);
        let found: Vec<String> = found
            .into_iter()
            .flatten()
            .map(|(c, v)| format!("{c} {v:?}"))
            .collect();
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("-1 ") && found[1].starts_with("g*m/2 "));
        // A product of components is no vector of these.
        let other: Vec<Expr> = (0..3).map(|i| &a[i] * &b[i]).collect();
        assert!(combination(&other, &all, &[m, g]).is_none());
    }
}
