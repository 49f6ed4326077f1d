//! Reverse differentiation: the gradient of one number by everything that it depends on.

use super::builder::Builder;
use super::op::{Block, Op, Program, Slot, System};
use super::partial::partials;

/// The adjoint of each value of a program; `None` is zero.
type Adjoints = Vec<Option<Slot>>;

impl Program {
    /// Where the values of all instructions stand in the builder, for these inputs.
    pub(super) fn inline(&self, b: &mut Builder, inputs: &[Slot]) -> Vec<Slot> {
        let mut values: Vec<Slot> = Vec::with_capacity(self.ops.len());
        let mut solved: Vec<Option<Vec<Slot>>> = vec![None; self.blocks.len()];
        for op in &self.ops {
            let value = match op {
                Op::Input(i) => inputs[*i as usize],
                Op::Solution(k, i) => {
                    let block = &self.blocks[*k as usize];
                    let solution = solved[*k as usize].get_or_insert_with(|| {
                        b.solve(Block {
                            unknowns: block.unknowns.clone(),
                            system: block.system.map(|s| values[s as usize]),
                        })
                    });
                    solution[*i as usize]
                }
                op => b.rebuild(op, |s| values[s as usize]),
            };
            values.push(value);
        }
        values
    }

    /// Σ_k seed_k ∂output_k/∂input_i for each input, where `values` is where the instructions stand and `moves`
    /// which inputs are asked for.
    ///
    /// A solve A x = b with adjoint x̄ gives Aᵀ w = x̄, b̄ = w, Ā = −w xᵀ; equations r(known, x) = 0 give Jᵀ w = x̄ and
    /// the adjoint −wᵀ ∂r/∂known.
    pub(super) fn pull_back(
        &self,
        b: &mut Builder,
        values: &[Slot],
        seeds: &[Slot],
        moves: impl Fn(usize) -> bool,
    ) -> Adjoints {
        let moving = self.moving(moves);
        let mut adjoints: Adjoints = vec![None; self.ops.len()];
        for (&k, &seed) in self.outputs.iter().zip(seeds) {
            if moving[k as usize] {
                collect(b, &mut adjoints[k as usize], seed);
            }
        }
        let mut inputs: Adjoints = vec![None; self.inputs];
        let mut waiting: Vec<Adjoints> = (self.blocks.iter())
            .map(|block| vec![None; block.system.size()])
            .collect();
        for (k, op) in self.ops.iter().enumerate().rev() {
            let Some(adjoint) = adjoints[k].take() else {
                if let Op::Solution(block, 0) = *op {
                    let given = std::mem::take(&mut waiting[block as usize]);
                    self.solution(b, block, values, given, &moving, &mut adjoints);
                }
                continue;
            };
            match *op {
                Op::Input(i) => collect(b, &mut inputs[i as usize], adjoint),
                Op::Solution(block, i) => {
                    waiting[block as usize][i as usize] = Some(adjoint);
                    // The components of a block stand together, and all that use them come later.
                    if i == 0 {
                        let given = std::mem::take(&mut waiting[block as usize]);
                        self.solution(b, block, values, given, &moving, &mut adjoints);
                    }
                }
                _ => {
                    let slopes = partials(b, op, values[k], |s| values[s as usize]);
                    let mut slopes = slopes.into_iter();
                    op.for_each_operand(|a| {
                        if let Some(slope) = slopes.next().filter(|_| moving[a as usize]) {
                            let term = b.mul(slope, adjoint);
                            collect(b, &mut adjoints[a as usize], term);
                        }
                    });
                }
            }
        }
        inputs
    }

    /// Which values depend on inputs that are asked for.
    fn moving(&self, moves: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut moving = vec![false; self.ops.len()];
        for (k, op) in self.ops.iter().enumerate() {
            let mut any = matches!(op, Op::Input(i) if moves(*i as usize));
            self.for_each_operand(k as Slot, |a| any |= moving[a as usize]);
            moving[k] = any;
        }
        moving
    }

    /// Hands the adjoint of the unknowns of a block on to what the block uses.
    fn solution(
        &self,
        b: &mut Builder,
        block: u32,
        values: &[Slot],
        given: Adjoints,
        moving: &[bool],
        adjoints: &mut Adjoints,
    ) {
        if given.iter().all(Option::is_none) {
            return;
        }
        let zero = b.constant(0.0);
        let given: Vec<Slot> = given.into_iter().map(|a| a.unwrap_or(zero)).collect();
        let unknowns = |of: &Op| matches!(of, Op::Solution(k, _) if *k == block);
        let x: Vec<Slot> = (self.ops.iter().zip(values))
            .filter(|(op, _)| unknowns(op))
            .map(|(_, &value)| value)
            .collect();
        let Block { unknowns, system } = &self.blocks[block as usize];
        let mut hand_on = |b: &mut Builder, to: Slot, term: Slot| {
            if moving[to as usize] {
                collect(b, &mut adjoints[to as usize], term);
            }
        };
        match system {
            System::Linear {
                matrix,
                rhs,
                symmetric,
            } => {
                let entries: Vec<Slot> = matrix.iter().map(|&s| values[s as usize]).collect();
                let w = transposed_solve(b, unknowns, &entries, *symmetric, given);
                let n = rhs.len();
                for i in 0..n {
                    hand_on(b, rhs[i], w[i]);
                    for j in 0..n {
                        let to = matrix[i * n + j];
                        if moving[to as usize] {
                            let product = b.mul(w[i], x[j]);
                            let term = b.neg(product);
                            hand_on(b, to, term);
                        }
                    }
                }
            }
            System::Implicit { known, newton, .. } => {
                let inputs: Vec<Slot> = (known.iter().map(|&s| values[s as usize]))
                    .chain(x.iter().copied())
                    .collect();
                let inner = newton.inline(b, &inputs);
                let found: Vec<Slot> = (newton.outputs.iter())
                    .map(|&k| inner[k as usize])
                    .collect();
                let (jacobian, _) = found.split_at(x.len() * x.len());
                let w = transposed_solve(b, unknowns, jacobian, false, given);
                // The Jacobian itself has no part in it: at a solution only the residuals count.
                let mut seeds = vec![zero; jacobian.len()];
                seeds.extend(w.iter().map(|&w| b.neg(w)));
                let asked = |i: usize| known.get(i).is_some_and(|&s| moving[s as usize]);
                let terms = newton.pull_back(b, &inner, &seeds, asked);
                for (&to, term) in known.iter().zip(terms) {
                    if let Some(term) = term {
                        hand_on(b, to, term);
                    }
                }
            }
        }
    }
}

/// Aᵀ w = x̄.
fn transposed_solve(
    b: &mut Builder,
    unknowns: &str,
    matrix: &[Slot],
    symmetric: bool,
    rhs: Vec<Slot>,
) -> Vec<Slot> {
    let n = rhs.len();
    let transposed = (0..n * n).map(|k| matrix[k % n * n + k / n]).collect();
    b.solve(Block {
        unknowns: unknowns.into(),
        system: System::Linear {
            matrix: transposed,
            rhs,
            symmetric,
        },
    })
}

/// sum ← sum + term; a zero is nothing.
fn collect(b: &mut Builder, sum: &mut Option<Slot>, term: Slot) {
    let total = sum.map_or(term, |s| b.add(s, term));
    *sum = Some(total).filter(|&s| b.number(s) != Some(0.0));
}
