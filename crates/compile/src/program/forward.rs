//! Forward differentiation: values with their derivatives along many directions at once.

use super::builder::Builder;
use super::op::{Block, Op, Program, Slot, System};
use super::partial::partials;
use std::collections::BTreeMap;

/// A value with its derivatives.
#[derive(Clone)]
pub(super) struct Dual {
    pub value: Slot,
    pub tangent: Tangent,
}

/// The derivatives that are not zero: direction and value, by ascending direction.
pub(super) type Tangent = Vec<(u32, Slot)>;

/// ẋ of a block for each direction in which it moves; `None` is zero.
type Rates = BTreeMap<u32, Vec<Option<Slot>>>;

impl Program {
    /// Follows the instructions with the derivatives of the inputs, and gives those of the outputs.
    ///
    /// A solve A x = b gives A ẋ = ḃ − Ȧ x with the same matrix, so that the factorisation is shared
    /// once solves are written out.
    pub(super) fn forward(&self, b: &mut Builder, inputs: &[Dual]) -> Vec<Dual> {
        let mut duals: Vec<Dual> = Vec::with_capacity(self.ops.len());
        let mut solved: Vec<Option<Vec<Dual>>> = vec![None; self.blocks.len()];
        for op in &self.ops {
            let dual = match op {
                Op::Input(i) => inputs[*i as usize].clone(),
                Op::Solution(k, i) => {
                    let k = *k as usize;
                    let solution = match solved[k].take() {
                        Some(solution) => solution,
                        None => solution(b, &self.blocks[k], &duals),
                    };
                    let dual = solution[*i as usize].clone();
                    solved[k] = Some(solution);
                    dual
                }
                op => instruction(b, op, &duals),
            };
            duals.push(dual);
        }
        let outputs = self.outputs.iter();
        outputs.map(|&k| duals[k as usize].clone()).collect()
    }
}

/// The value by the instruction itself, the tangent by the chain rule Σ partial·ȧ.
fn instruction(b: &mut Builder, op: &Op, duals: &[Dual]) -> Dual {
    let v = |k: Slot| duals[k as usize].value;
    let value = b.rebuild(op, v);
    let mut tangents: Vec<&[(u32, Slot)]> = Vec::with_capacity(3);
    op.for_each_operand(|a| tangents.push(&duals[a as usize].tangent));
    let tangent = match tangents.iter().all(|t| t.is_empty()) {
        true => Vec::new(),
        false => {
            let partials = partials(b, op, value, v);
            chain(b, &partials, &tangents)
        }
    };
    Dual { value, tangent }
}

/// Σ partial·tangent over the operands, direction by direction.
fn chain(b: &mut Builder, partials: &[Slot], tangents: &[&[(u32, Slot)]]) -> Tangent {
    let mut sum = Vec::new();
    let mut rest = tangents.to_vec();
    loop {
        let directions = rest.iter().filter_map(|t| t.first());
        let Some(direction) = directions.map(|entry| entry.0).min() else {
            return sum;
        };
        let mut total = None;
        for (tangent, &partial) in rest.iter_mut().zip(partials) {
            let Some((&(_, rate), later)) = tangent.split_first().filter(|t| t.0.0 == direction)
            else {
                continue;
            };
            *tangent = later;
            let term = b.mul(partial, rate);
            total = Some(total.map_or(term, |s| b.add(s, term)));
        }
        // What has cancelled as an expression is no entry.
        sum.extend(
            total
                .filter(|&s| b.number(s) != Some(0.0))
                .map(|s| (direction, s)),
        );
    }
}

/// The unknowns of a block with their derivatives.
fn solution(b: &mut Builder, block: &Block, duals: &[Dual]) -> Vec<Dual> {
    let system = block.system.map(|k| duals[k as usize].value);
    let values = b.solve(Block {
        unknowns: block.unknowns.clone(),
        system: system.clone(),
    });
    let all = |slots: &[Slot]| -> Vec<Dual> {
        let duals = slots.iter().map(|&k| duals[k as usize].clone());
        duals.collect()
    };
    let (matrix, symmetric, rates) = match (system, &block.system) {
        (
            System::Linear {
                matrix, symmetric, ..
            },
            System::Linear {
                matrix: entries,
                rhs,
                ..
            },
        ) => {
            let rates = linear_rates(b, &all(entries), &all(rhs), &values);
            (matrix, symmetric, rates)
        }
        (_, System::Implicit { known, newton, .. }) => {
            let (matrix, rates) = implicit_rates(b, newton, all(known), &values);
            (matrix, false, rates)
        }
        // A system keeps its kind on other values.
        (System::Implicit { .. }, System::Linear { .. }) => return Vec::new(),
    };
    let mut solution: Vec<Dual> = values
        .iter()
        .map(|&value| Dual {
            value,
            tangent: Vec::new(),
        })
        .collect();
    for (direction, rhs) in rates {
        let zero = b.constant(0.0);
        let tangent = b.solve(Block {
            unknowns: block.unknowns.clone(),
            system: System::Linear {
                matrix: matrix.clone(),
                rhs: rhs.into_iter().map(|r| r.unwrap_or(zero)).collect(),
                symmetric,
            },
        });
        for (dual, t) in solution.iter_mut().zip(tangent) {
            dual.tangent.push((direction, t));
        }
    }
    solution
}

/// ḃ − Ȧ x for each direction.
fn linear_rates(b: &mut Builder, matrix: &[Dual], rhs: &[Dual], x: &[Slot]) -> Rates {
    let n = rhs.len();
    let mut rates = Rates::new();
    for (i, right) in rhs.iter().enumerate() {
        for &(direction, rate) in &right.tangent {
            rates.entry(direction).or_insert_with(|| vec![None; n])[i] = Some(rate);
        }
        for (entry, &x) in matrix[i * n..(i + 1) * n].iter().zip(x) {
            for &(direction, rate) in &entry.tangent {
                let product = b.mul(rate, x);
                let sum = &mut rates.entry(direction).or_insert_with(|| vec![None; n])[i];
                *sum = Some(match *sum {
                    Some(s) => b.sub(s, product),
                    None => b.neg(product),
                });
            }
        }
    }
    rates
}

/// J and −∂r/∂known · known˙, both at the solution.
fn implicit_rates(
    b: &mut Builder,
    newton: &Program,
    known: Vec<Dual>,
    values: &[Slot],
) -> (Vec<Slot>, Rates) {
    let n = values.len();
    let mut inputs = known;
    inputs.extend(values.iter().map(|&value| Dual {
        value,
        tangent: Vec::new(),
    }));
    let mut jacobian = newton.forward(b, &inputs);
    let residuals = jacobian.split_off(n * n);
    let mut rates = Rates::new();
    for (i, residual) in residuals.iter().enumerate() {
        for &(direction, rate) in &residual.tangent {
            let rate = b.neg(rate);
            rates.entry(direction).or_insert_with(|| vec![None; n])[i] = Some(rate);
        }
    }
    (jacobian.iter().map(|d| d.value).collect(), rates)
}
