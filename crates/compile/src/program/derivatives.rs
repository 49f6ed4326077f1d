//! Programs that give derivatives along with their values.

use super::builder::Builder;
use super::forward::Dual;
use super::op::{Op, Program, Slot};
use super::sparsity::Sparsity;
use std::ops::Range;

/// A program with its derivatives by some of its inputs, which shares what they have in common.
///
/// Its outputs are f, then the entries of ∂f_i/∂x_j in the order of `jacobian`, then those of the lower triangle of
/// Σ_i λ_i ∂²f_i/∂x_j∂x_k in the order of `hessian`; j and k count the inputs asked for.
///
/// ```
/// use rattleback_compile::program::{Interpreter, Program};
/// use rattleback_symbolic::{Expr, Symbol};
/// let symbols = ["x", "y"].map(|name| Symbol::variable(name));
/// let [x, y] = symbols.each_ref().map(Expr::from);
/// // f = (x² y, 3 y)
/// let f = Program::new(&symbols, &[], &[], &[x.powi(2) * &y, 3 * &y]).unwrap();
/// let d = f.with_second_derivatives([0, 1]);
/// let out = Interpreter::new(d.program.clone()).values(&[2.0, 5.0, 10.0, 1.0]).unwrap();
/// let parts = d.split(&out);
/// assert_eq!(parts.values, [20.0, 15.0]);
/// assert_eq!(d.jacobian.iter().collect::<Vec<_>>(), [(0, 0), (0, 1), (1, 1)]);
/// assert_eq!(parts.jacobian, [20.0, 4.0, 3.0]);
/// // 10 ∂²(x² y): 2y, and 2x below.
/// assert_eq!(d.hessian.iter().collect::<Vec<_>>(), [(0, 0), (1, 0)]);
/// assert_eq!(parts.hessian, [100.0, 40.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Derivatives {
    /// The inputs are those of the function, then λ where there are second derivatives.
    pub program: Program,
    /// The number of values of f.
    pub values: usize,
    /// ∂f_i/∂x_j.
    pub jacobian: Sparsity,
    /// The lower triangle of Σ_i λ_i ∂²f_i; without rows where second derivatives were not asked for.
    pub hessian: Sparsity,
}

/// The outputs of [`Derivatives::program`], told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts<'a> {
    /// f.
    pub values: &'a [f64],
    /// The entries of its Jacobian.
    pub jacobian: &'a [f64],
    /// The entries of the lower triangle of Σ λ_i ∂²f_i.
    pub hessian: &'a [f64],
}

impl Derivatives {
    /// Tells the outputs of the program apart.
    pub fn split<'a>(&self, outputs: &'a [f64]) -> Parts<'a> {
        let (values, rest) = outputs.split_at(self.values);
        let (jacobian, hessian) = rest.split_at(self.jacobian.entries());
        Parts {
            values,
            jacobian,
            hessian,
        }
    }
}

impl Program {
    /// The program whose outputs are those of f(t, x, …), then df/dt = ∂f/∂t + Σ ∂f/∂x_i x'_i along a motion: its
    /// inputs are those of f, then x' with `dimension` components.
    pub fn along_motion(&self, dimension: usize) -> Program {
        let inputs = self.inputs + dimension;
        let mut b = Builder::new(inputs);
        let one = b.constant(1.0);
        let seeds: Vec<Dual> = (0..self.inputs)
            .map(|i| Dual {
                value: b.push(Op::Input(i as u32)),
                tangent: match i {
                    0 => vec![(0, one)],
                    i if i <= dimension => {
                        vec![(0, b.push(Op::Input((self.inputs + i - 1) as u32)))]
                    }
                    _ => Vec::new(),
                },
            })
            .collect();
        let found = self.forward(&mut b, &seeds);
        let zero = b.constant(0.0);
        let slope = |dual: &Dual| dual.tangent.first().map_or(zero, |&(_, slot)| slot);
        let values = found.iter().map(|dual| dual.value);
        let outputs: Vec<Slot> = values.chain(found.iter().map(slope)).collect();
        b.finish(outputs)
    }

    /// The program whose outputs are ∂outputs_i/∂input_j by rows, for the inputs in `wrt`.
    pub fn jacobian(&self, wrt: Range<usize>) -> Program {
        let columns = wrt.len();
        let mut b = Builder::new(self.inputs);
        let wrt: Vec<usize> = wrt.collect();
        let seeds = seeds(&mut b, self.inputs, &wrt);
        let outputs = self.forward(&mut b, &seeds);
        let zero = b.constant(0.0);
        let mut entries = vec![zero; outputs.len() * columns];
        for (i, dual) in outputs.iter().enumerate() {
            for &(j, slot) in &dual.tangent {
                entries[i * columns + j as usize] = slot;
            }
        }
        b.finish(entries).scheduled()
    }

    /// The outputs with their first derivatives by these inputs.
    pub fn with_derivatives(&self, wrt: impl IntoIterator<Item = usize>) -> Derivatives {
        let wrt: Vec<usize> = wrt.into_iter().collect();
        let mut b = Builder::new(self.inputs);
        let seeds = seeds(&mut b, self.inputs, &wrt);
        let duals = self.forward(&mut b, &seeds);
        derivatives(b, &duals, &[], wrt.len())
    }

    /// The outputs with their first derivatives by these inputs, and the second ones of Σ_i λ_i output_i, where λ are
    /// further inputs: the gradient by reverse differentiation, its derivatives by forward differentiation.
    pub fn with_second_derivatives(&self, wrt: impl IntoIterator<Item = usize>) -> Derivatives {
        let wrt: Vec<usize> = wrt.into_iter().collect();
        let gradient = self.with_gradient(&wrt);
        let mut b = Builder::new(gradient.inputs);
        let seeds = seeds(&mut b, gradient.inputs, &wrt);
        let duals = gradient.forward(&mut b, &seeds);
        let (values, slopes) = duals.split_at(self.outputs.len());
        derivatives(b, values, slopes, wrt.len())
    }

    /// Inputs: these and λ. Outputs: these and ∂(Σ_i λ_i output_i)/∂input_j for the inputs in `wrt`.
    fn with_gradient(&self, wrt: &[usize]) -> Program {
        let mut b = Builder::new(self.inputs + self.outputs.len());
        let all: Vec<Slot> = (0..b.inputs).map(|i| b.push(Op::Input(i as u32))).collect();
        let (inputs, multipliers) = all.split_at(self.inputs);
        let values = self.inline(&mut b, inputs);
        let slopes = self.pull_back(&mut b, &values, multipliers, |i| wrt.contains(&i));
        let zero = b.constant(0.0);
        let outputs = self.outputs.iter().map(|&k| values[k as usize]);
        let slopes = wrt.iter().map(|&i| slopes[i].unwrap_or(zero));
        let outputs = outputs.chain(slopes).collect();
        b.finish(outputs)
    }
}

/// The inputs, each of those in `wrt` moving in a direction of its own.
fn seeds(b: &mut Builder, inputs: usize, wrt: &[usize]) -> Vec<Dual> {
    let one = b.constant(1.0);
    (0..inputs)
        .map(|i| Dual {
            value: b.push(Op::Input(i as u32)),
            tangent: (wrt.iter().position(|&w| w == i))
                .map(|j| (j as u32, one))
                .into_iter()
                .collect(),
        })
        .collect()
}

/// The values, their slopes, and the lower triangle of the slopes of the gradient.
fn derivatives(b: Builder, values: &[Dual], gradient: &[Dual], columns: usize) -> Derivatives {
    let has = |i: usize, j: u32| gradient[i].tangent.iter().any(|entry| entry.0 == j);
    // An entry that is zero on one side of the diagonal is zero on both.
    let lower = |(i, dual): (usize, &Dual)| -> Vec<(u32, Slot)> {
        let entries = dual.tangent.iter().copied();
        entries
            .filter(|&(j, _)| j as usize <= i && has(j as usize, i as u32))
            .collect()
    };
    let second: Vec<Vec<(u32, Slot)>> = gradient.iter().enumerate().map(lower).collect();
    let columns_of = |row: &Vec<(u32, Slot)>| row.iter().map(|entry| entry.0).collect();
    let jacobian = Sparsity::of_rows(columns, values.iter().map(|d| columns_of(&d.tangent)));
    let hessian = Sparsity::of_rows(columns, second.iter().map(columns_of));
    let first = values.iter().flat_map(|d| &d.tangent);
    let outputs = (values.iter().map(|d| d.value))
        .chain(first.chain(second.iter().flatten()).map(|entry| entry.1))
        .collect();
    Derivatives {
        program: b.finish(outputs).scheduled(),
        values: values.len(),
        jacobian,
        hessian,
    }
}
