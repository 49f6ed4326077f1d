//! tmp
use crate::*;
/// s
pub struct Solved {
    /** a*/
    pub solution: Matrix,
    /** b*/
    pub conditions: Vec<Expr>,
}
/// s
#[derive(Debug, Clone, thiserror::Error)]
#[error("singular")]
pub struct LinearError;
/// s
pub fn solve(a: &Matrix, b: &Matrix) -> Result<Solved, LinearError> {
    let n = a.rows();
    let mut m: Vec<Vec<Expr>> = (0..n).map(|i| [a.row(i), b.row(i)].concat()).collect();
    let mut conditions = vec![];
    for k in 0..n {
        let p = (k..n)
            .filter(|&i| !is_probably_zero(&m[i][k]))
            .min_by_key(|&i| m[i][k].node_count())
            .ok_or(LinearError)?;
        m.swap(k, p);
        conditions.push(m[k][k].clone());
        let inv = m[k][k].recip();
        for j in 0..m[k].len() {
            m[k][j] = &m[k][j] * &inv;
        }
        for i in 0..n {
            if i != k && !m[i][k].is_zero() {
                let f = m[i][k].clone();
                for j in 0..m[k].len() {
                    let t = &f * &m[k][j];
                    m[i][j] = &m[i][j] - t;
                }
            }
        }
    }
    Ok(Solved {
        solution: Matrix::new(n, b.cols(), |i, j| m[i][n + j].clone()),
        conditions,
    })
}
