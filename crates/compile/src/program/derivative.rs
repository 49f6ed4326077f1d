//! Forward differentiation of programs.

use super::builder::Builder;
use super::op::{Block, Op, Program, Slot, System};
use rattleback_symbolic::{Algebra, Function, Slope};
use std::ops::Range;

impl Program {
    /// The program whose outputs are ∂outputs_i/∂input_j by rows, for the inputs in `wrt`.
    ///
    /// A solve A x = b gives A ẋ = ḃ − Ȧ x with the same matrix, so that the factorisation is shared
    /// once solves are written out.
    pub fn jacobian(&self, wrt: Range<usize>) -> Program {
        let columns = wrt.len();
        let mut forward = Forward {
            builder: Builder::new(self.inputs),
            columns,
        };
        let seeds = |i: usize| wrt.contains(&i).then(|| i - wrt.start);
        let inputs: Vec<Dual> = (0..self.inputs)
            .map(|i| {
                let value = forward.builder.push(Op::Input(i as u32));
                let mut tangent = vec![None; columns];
                if let Some(j) = seeds(i) {
                    tangent[j] = Some(forward.builder.constant(1.0));
                }
                Dual { value, tangent }
            })
            .collect();
        let outputs = forward.program(self, &inputs);
        let zero = forward.builder.constant(0.0);
        let entries = outputs
            .iter()
            .flat_map(|d| d.tangent.iter().map(|t| t.unwrap_or(zero)))
            .collect();
        forward.builder.finish(entries).scheduled()
    }
}

/// A value with its derivatives; `None` is zero.
#[derive(Clone)]
struct Dual {
    value: Slot,
    tangent: Vec<Option<Slot>>,
}

struct Forward {
    builder: Builder,
    columns: usize,
}

impl Forward {
    fn program(&mut self, program: &Program, inputs: &[Dual]) -> Vec<Dual> {
        let mut duals: Vec<Dual> = Vec::with_capacity(program.ops.len());
        let mut solved: Vec<Option<Vec<Dual>>> = vec![None; program.blocks.len()];
        for op in &program.ops {
            let dual = match op {
                Op::Input(i) => inputs[*i as usize].clone(),
                Op::Solution(b, i) => {
                    let b = *b as usize;
                    if solved[b].is_none() {
                        solved[b] = Some(self.block(&program.blocks[b], &duals));
                    }
                    match &solved[b] {
                        Some(x) => x[*i as usize].clone(),
                        None => self.constant(f64::NAN),
                    }
                }
                op => self.instruction(op, &duals),
            };
            duals.push(dual);
        }
        program
            .outputs
            .iter()
            .map(|&k| duals[k as usize].clone())
            .collect()
    }

    fn constant(&mut self, c: f64) -> Dual {
        Dual {
            value: self.builder.constant(c),
            tangent: vec![None; self.columns],
        }
    }

    /// The value by the instruction itself, the tangent by the chain rule Σ partial·ȧ.
    fn instruction(&mut self, op: &Op, duals: &[Dual]) -> Dual {
        let value = self.builder.rebuild(op, |k| duals[k as usize].value);
        let v = |k: Slot| duals[k as usize].value;
        let mut operands: Vec<Slot> = Vec::with_capacity(3);
        op.for_each_operand(|a| operands.push(a));
        let moving = |k: &Slot| duals[*k as usize].tangent.iter().any(Option::is_some);
        if !operands.iter().any(moving) {
            return Dual {
                value,
                tangent: vec![None; self.columns],
            };
        }
        let b = &mut self.builder;
        let one = b.constant(1.0);
        let minus = b.constant(-1.0);
        let partials: Vec<Slot> = match *op {
            Op::Add(..) => vec![one, one],
            Op::Sub(..) => vec![one, minus],
            Op::Neg(_) => vec![minus],
            Op::Mul(x, y) => vec![v(y), v(x)],
            Op::Div(_, y) => {
                let inverse = b.recip(v(y));
                let product = b.mul(value, inverse);
                vec![inverse, b.neg(product)]
            }
            Op::Sqrt(_) => {
                let half = b.constant(0.5);
                vec![b.div(half, value)]
            }
            Op::Power(x, r) => {
                let lower = b.power(v(x), r - 1.0);
                let r = b.constant(r);
                vec![b.mul(r, lower)]
            }
            Op::PowerOf(x, y) => {
                let less = b.sub(v(y), one);
                let lower = b.power_of(v(x), less);
                let log = b.function(Function::Log, v(x));
                vec![b.mul(v(y), lower), b.mul(value, log)]
            }
            Op::MulAdd(x, y, _) => vec![v(y), v(x), one],
            Op::NegMulAdd(x, y, _) => vec![b.neg(v(y)), b.neg(v(x)), one],
            Op::MulSub(x, y, _) => vec![v(y), v(x), minus],
            Op::NegMulSub(x, y, _) => vec![b.neg(v(y)), b.neg(v(x)), minus],
            Op::Function(f, x) => vec![slope(b, f, v(x), value)],
            Op::Atan2(y, x) => {
                let (y, x) = (v(y), v(x));
                let (y2, x2) = (b.mul(y, y), b.mul(x, x));
                let r2 = b.add(x2, y2);
                let (dy, dx) = (b.div(x, r2), b.div(y, r2));
                vec![dy, b.neg(dx)]
            }
            Op::Constant(_) | Op::Input(_) | Op::Solution(..) | Op::Check { .. } => Vec::new(),
        };
        let tangent = (0..self.columns)
            .map(|j| {
                let terms = operands.iter().zip(&partials);
                terms.fold(None, |sum, (&a, &partial)| {
                    let b = &mut self.builder;
                    let Some(rate) = duals[a as usize].tangent[j] else {
                        return sum;
                    };
                    let term = b.mul(partial, rate);
                    Some(sum.map_or(term, |s| b.add(s, term)))
                })
            })
            .collect();
        Dual { value, tangent }
    }

    fn block(&mut self, block: &Block, duals: &[Dual]) -> Vec<Dual> {
        let system = block.system.map(|k| duals[k as usize].value);
        let values = self.builder.solve(Block {
            unknowns: block.unknowns.clone(),
            system: system.clone(),
        });
        let all = |slots: &[Slot]| slots.iter().map(|&k| duals[k as usize].clone()).collect();
        let (matrix, symmetric, rates) = match (&system, &block.system) {
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
                let (entries, rhs): (Vec<Dual>, Vec<Dual>) = (all(entries), all(rhs));
                let rates = self.linear_rates(&entries, &rhs, &values);
                (matrix.clone(), *symmetric, rates)
            }
            (_, System::Implicit { known, newton, .. }) => {
                // J ẋ = −∂r/∂known · known˙, both at the solution.
                let mut inputs: Vec<Dual> = all(known);
                inputs.extend(values.iter().map(|&value| Dual {
                    value,
                    tangent: vec![None; self.columns],
                }));
                let mut jacobian = self.program(newton, &inputs);
                let residuals = jacobian.split_off(values.len() * values.len());
                let matrix: Vec<Slot> = jacobian.iter().map(|d| d.value).collect();
                let rates = (0..self.columns)
                    .map(|j| {
                        let rate = |d: &Dual| d.tangent[j].map(|t| self.builder.neg(t));
                        residuals.iter().map(rate).collect()
                    })
                    .collect();
                (matrix, false, rates)
            }
            _ => return Vec::new(),
        };
        self.solutions(block, &values, &matrix, symmetric, rates)
    }

    /// ḃ − Ȧ x for each direction.
    fn linear_rates(
        &mut self,
        matrix: &[Dual],
        rhs: &[Dual],
        x: &[Slot],
    ) -> Vec<Vec<Option<Slot>>> {
        let n = rhs.len();
        let b = &mut self.builder;
        (0..self.columns)
            .map(|j| {
                (0..n)
                    .map(|i| {
                        let row = matrix[i * n..(i + 1) * n].iter().zip(x);
                        row.fold(rhs[i].tangent[j], |sum, (entry, &x)| {
                            let Some(rate) = entry.tangent[j] else {
                                return sum;
                            };
                            let product = b.mul(rate, x);
                            Some(match sum {
                                Some(s) => b.sub(s, product),
                                None => b.neg(product),
                            })
                        })
                    })
                    .collect()
            })
            .collect()
    }

    /// Solves the same matrix for each direction that moves.
    fn solutions(
        &mut self,
        block: &Block,
        values: &[Slot],
        matrix: &[Slot],
        symmetric: bool,
        rates: Vec<Vec<Option<Slot>>>,
    ) -> Vec<Dual> {
        let mut solution: Vec<Dual> = values
            .iter()
            .map(|&value| Dual {
                value,
                tangent: vec![None; self.columns],
            })
            .collect();
        for (j, rhs) in rates.into_iter().enumerate() {
            if rhs.iter().all(Option::is_none) {
                continue;
            }
            let zero = self.builder.constant(0.0);
            let tangent = self.builder.solve(Block {
                unknowns: block.unknowns.clone(),
                system: System::Linear {
                    matrix: matrix.to_vec(),
                    rhs: rhs.into_iter().map(|r| r.unwrap_or(zero)).collect(),
                    symmetric,
                },
            });
            for (dual, t) in solution.iter_mut().zip(tangent) {
                dual.tangent[j] = Some(t);
            }
        }
        solution
    }
}

/// f'(x), where `value` is f(x).
fn slope(b: &mut Builder, f: Function, x: Slot, value: Slot) -> Slot {
    match f.slope(b, x) {
        Some(Slope::Itself) => value,
        Some(Slope::OneMinusSquare) => {
            let (one, square) = (b.constant(1.0), b.mul(value, value));
            b.sub(one, square)
        }
        Some(Slope::Over { divisor, negative }) => {
            let slope = b.recip(divisor);
            if negative { b.neg(slope) } else { slope }
        }
        Some(Slope::Pair { sine, hyperbolic }) => {
            let (s, c) = Function::pair(hyperbolic);
            match (sine, hyperbolic) {
                (true, _) => b.function(c, x),
                (false, true) => b.function(s, x),
                (false, false) => {
                    let sine = b.function(s, x);
                    b.neg(sine)
                }
            }
        }
        // Functions of two arguments have instructions of their own.
        None => b.constant(f64::NAN),
    }
}

impl Algebra for Builder {
    type Node = Slot;
    fn number(&mut self, n: i64) -> Slot {
        self.constant(n as f64)
    }
    fn plus(&mut self, a: Slot, b: Slot) -> Slot {
        self.add(a, b)
    }
    fn minus(&mut self, a: Slot, b: Slot) -> Slot {
        self.sub(a, b)
    }
    fn times(&mut self, a: Slot, b: Slot) -> Slot {
        self.mul(a, b)
    }
    fn root(&mut self, a: Slot) -> Slot {
        self.sqrt(a)
    }
}
