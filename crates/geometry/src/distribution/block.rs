//! The blocks of a constraint matrix: rows that share no column can be solved apart.

use rattleback_symbolic::Matrix;

/// Rows and the columns in which they are not zero.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) rows: Vec<usize>,
    pub(super) columns: Vec<usize>,
}

/// The connected components of the bipartite graph of rows and columns, in order of first row.
pub(super) fn blocks(forms: &Matrix) -> Vec<Block> {
    let mut label: Vec<usize> = (0..forms.rows()).collect();
    for j in 0..forms.cols() {
        let touching: Vec<usize> = (0..forms.rows())
            .filter(|&i| !forms[(i, j)].is_zero())
            .map(|i| label[i])
            .collect();
        if let Some(&smallest) = touching.iter().min() {
            for l in &mut label {
                if touching.contains(l) {
                    *l = smallest;
                }
            }
        }
    }
    let mut found = Vec::new();
    for first in 0..forms.rows() {
        let rows: Vec<usize> = (0..forms.rows()).filter(|&i| label[i] == first).collect();
        if !rows.is_empty() {
            let columns = (0..forms.cols())
                .filter(|&j| rows.iter().any(|&i| !forms[(i, j)].is_zero()))
                .collect();
            found.push(Block { rows, columns });
        }
    }
    found
}

/// The columns in which no row acts.
pub(super) fn free_columns(forms: &Matrix) -> Vec<usize> {
    (0..forms.cols())
        .filter(|&j| (0..forms.rows()).all(|i| forms[(i, j)].is_zero()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::Expr;

    #[test]
    fn components_are_found_through_chains() {
        let pattern = [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0]];
        let forms = Matrix::new(3, 6, |i, j| Expr::from(pattern[i][j]));
        let expected = [(vec![0, 2], vec![0, 3, 4]), (vec![1], vec![1])]
            .map(|(rows, columns)| Block { rows, columns });
        assert_eq!(blocks(&forms), expected);
        assert_eq!(free_columns(&forms), [2, 5]);
    }
}
