//! The linear system of a stretch of intervals, reduced to its ends by orthogonal elimination.

/// A_i y_i + B_i y_{i+1} + C_i θ = r_i on one interval, n rows; matrices by rows.
pub(super) struct Interval {
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
    pub(super) free: Vec<f64>,
    pub(super) rest: Vec<f64>,
}

/// What is left between the ends, and how the inner nodes follow from them.
pub(super) struct Reduced {
    /// E y_0 + F y_m + G θ = r.
    pub(super) ends: Interval,
    /// For each inner node, last first: R y_i + P y_0 + Q y_{i+1} + S θ = d with R upper triangular.
    inner: Vec<Inner>,
    n: usize,
    free: usize,
}

struct Inner {
    /// R, P, Q, S, d side by side, n rows.
    rows: Vec<f64>,
}

/// Eliminates the inner nodes one after the other. The relation between the first node and the next stays orthogonally
/// reduced, so that growing and decaying solutions of a Hamiltonian system do not swamp each other (structured
/// orthogonal factorisation).
pub(super) fn reduce(intervals: Vec<Interval>, n: usize, free: usize) -> Option<Reduced> {
    let mut intervals = intervals.into_iter();
    let mut ends = intervals.next()?;
    let mut inner = Vec::new();
    // Columns: y_i (n), y_0 (n), y_{i+1} (n), θ, right side.
    let columns = 3 * n + free + 1;
    for next in intervals {
        let mut m = vec![0.0; 2 * n * columns];
        for i in 0..n {
            let above = &mut m[i * columns..(i + 1) * columns];
            above[..n].copy_from_slice(&ends.right[i * n..(i + 1) * n]);
            above[n..2 * n].copy_from_slice(&ends.left[i * n..(i + 1) * n]);
            above[3 * n..3 * n + free].copy_from_slice(&ends.free[i * free..(i + 1) * free]);
            above[columns - 1] = ends.rest[i];
            let below = &mut m[(n + i) * columns..(n + i + 1) * columns];
            below[..n].copy_from_slice(&next.left[i * n..(i + 1) * n]);
            below[2 * n..3 * n].copy_from_slice(&next.right[i * n..(i + 1) * n]);
            below[3 * n..3 * n + free].copy_from_slice(&next.free[i * free..(i + 1) * free]);
            below[columns - 1] = next.rest[i];
        }
        triangulate(&mut m, 2 * n, n, columns);
        let part = |from: usize, width: usize| -> Vec<f64> {
            (n..2 * n)
                .flat_map(|i| m[i * columns + from..i * columns + from + width].to_vec())
                .collect()
        };
        ends = Interval {
            left: part(n, n),
            right: part(2 * n, n),
            free: part(3 * n, free),
            rest: part(columns - 1, 1),
        };
        m.truncate(n * columns);
        inner.push(Inner { rows: m });
    }
    Some(Reduced {
        ends,
        inner,
        n,
        free,
    })
}

impl Reduced {
    /// The values at all nodes, from those at the ends.
    pub(super) fn back(&self, first: &[f64], last: &[f64], theta: &[f64]) -> Option<Vec<Vec<f64>>> {
        let (n, columns) = (self.n, 3 * self.n + self.free + 1);
        let mut nodes = vec![last.to_vec()];
        for inner in self.inner.iter().rev() {
            let next = &nodes[nodes.len() - 1];
            let mut y = vec![0.0; n];
            for i in (0..n).rev() {
                let row = &inner.rows[i * columns..(i + 1) * columns];
                let product = |from: usize, x: &[f64]| -> f64 {
                    row[from..from + x.len()]
                        .iter()
                        .zip(x)
                        .map(|(a, b)| a * b)
                        .sum()
                };
                let known = product(n, first) + product(2 * n, next) + product(3 * n, theta);
                let later: f64 = (i + 1..n).map(|j| row[j] * y[j]).sum();
                y[i] = (row[columns - 1] - known - later) / row[i];
            }
            if y.iter().any(|v| !v.is_finite()) {
                return None;
            }
            nodes.push(y);
        }
        nodes.push(first.to_vec());
        nodes.reverse();
        Some(nodes)
    }
}

/// Householder reflections that make the first `count` columns upper triangular.
fn triangulate(m: &mut [f64], rows: usize, count: usize, columns: usize) {
    for k in 0..count {
        let length = (k..rows)
            .map(|i| m[i * columns + k].powi(2))
            .sum::<f64>()
            .sqrt();
        if length == 0.0 {
            continue;
        }
        let mut v: Vec<f64> = (k..rows).map(|i| m[i * columns + k]).collect();
        v[0] += length.copysign(v[0]);
        let size: f64 = v.iter().map(|x| x * x).sum();
        let mut along = vec![0.0; columns];
        for (i, x) in v.iter().enumerate() {
            let row = &m[(k + i) * columns..(k + i + 1) * columns];
            along
                .iter_mut()
                .zip(row)
                .skip(k)
                .for_each(|(s, r)| *s += x * r);
        }
        for (i, x) in v.iter().enumerate() {
            let row = &mut m[(k + i) * columns..(k + i + 1) * columns];
            let factor = 2.0 * x / size;
            row.iter_mut()
                .zip(&along)
                .skip(k)
                .for_each(|(r, s)| *r -= factor * s);
        }
    }
}
