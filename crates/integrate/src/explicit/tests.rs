//! The tableaux fulfil the order conditions.

use super::tableau::Row;
use super::{dop853_tableau as eight, dormand_prince_tableau as five};

/// A whole tableau: nodes and matrix of its stages, from the rows.
struct Tableau {
    nodes: Vec<f64>,
    matrix: Vec<Vec<f64>>,
}

fn spread<const J: usize>(row: &Row<J>, width: usize) -> Vec<f64> {
    let mut dense = vec![0.0; width];
    for (stage, weight) in row.stages.iter().zip(row.weights) {
        dense[*stage] = weight;
    }
    dense
}

macro_rules! tableau {
    ($width:expr; $($row:expr),*) => {
        Tableau {
            nodes: std::iter::once(0.0).chain([$($row.node),*]).collect(),
            matrix: std::iter::once(vec![0.0; $width]).chain([$(spread(&$row, $width)),*]).collect(),
        }
    };
}

fn order_eight() -> Tableau {
    tableau!(16; eight::STAGE_1, eight::STAGE_2, eight::STAGE_3, eight::STAGE_4, eight::STAGE_5,
        eight::STAGE_6, eight::STAGE_7, eight::STAGE_8, eight::STAGE_9, eight::STAGE_10,
        eight::STAGE_11, eight::END, eight::STAGE_13, eight::STAGE_14, eight::STAGE_15)
}

fn order_five() -> Tableau {
    tableau!(7; five::STAGE_1, five::STAGE_2, five::STAGE_3, five::STAGE_4, five::STAGE_5, five::END)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Tableau {
    fn apply(&self, v: &[f64]) -> Vec<f64> {
        self.matrix.iter().map(|row| dot(row, v)).collect()
    }

    fn powers(&self, k: i32) -> Vec<f64> {
        self.nodes.iter().map(|c| c.powi(k)).collect()
    }

    fn check_row_sums(&self) {
        let sums = self.apply(&vec![1.0; self.nodes.len()]);
        for (sum, node) in sums.iter().zip(&self.nodes) {
            assert!((sum - node).abs() < 1e-13, "{sum} is not {node}");
        }
    }

    /// The conditions of quadrature trees b·c^(k−1) = 1/k, of tall trees b·A^j c^k = k!/(j+k+1)!, and
    /// of bushy trees b·(c^i A c^k) = 1/((k+1)(i+k+2)), up to the order.
    fn check_order(&self, weights: &[f64], order: i32) {
        let close = |value: f64, condition: f64, what: String| {
            assert!(
                (value - condition).abs() < 2e-13,
                "{what}: {value}, not {condition}"
            );
        };
        for k in 1..=order {
            let value = dot(weights, &self.powers(k - 1));
            close(value, 1.0 / f64::from(k), format!("b c^{}", k - 1));
        }
        for k in 1..order {
            let mut v = self.powers(k);
            let mut condition = 1.0 / f64::from(k + 1);
            for j in 1..order - k {
                v = self.apply(&v);
                condition /= f64::from(j + k + 1);
                close(dot(weights, &v), condition, format!("b A^{j} c^{k}"));
            }
        }
        for k in 1..order {
            let inner = self.apply(&self.powers(k));
            for i in 1..order - k - 1 {
                let v: Vec<f64> = self
                    .powers(i)
                    .iter()
                    .zip(&inner)
                    .map(|(a, b)| a * b)
                    .collect();
                let condition = 1.0 / f64::from((k + 1) * (i + k + 2));
                close(dot(weights, &v), condition, format!("b c^{i} A c^{k}"));
            }
        }
    }
}

#[test]
fn rows_sum_to_their_nodes() {
    order_eight().check_row_sums();
    order_five().check_row_sums();
}

#[test]
fn order_conditions_hold() {
    order_eight().check_order(&spread(&eight::END, 16), 8);
    order_five().check_order(&spread(&five::END, 7), 5);
}

#[test]
fn embedded_solutions_have_their_orders() {
    let less =
        |a: Vec<f64>, b: Vec<f64>| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
    let end = spread(&eight::END, 16);
    order_eight().check_order(&less(end.clone(), spread(&eight::ERROR_5, 16)), 5);
    order_eight().check_order(&less(end, spread(&eight::ERROR_3, 16)), 3);
    let end = spread(&five::END, 7);
    order_five().check_order(&less(end, spread(&five::ERROR, 7)), 4);
}
