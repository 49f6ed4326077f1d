//! Taylor series of functions along a flow, without expanding a formula.
//!
//! Every node of the formulas is a series; its next coefficient follows from those of its parts, and
//! the next coefficient of the state from the rates.

use super::recurrence::Recurrence;
use super::{Given, Node, Recurrences, Scalar};
use crate::meaning::Lowering;
use crate::walk::postorder;
use crate::{Expr, Role, Symbol, powers_as_exponentials};

/// Functions along a flow.
///
/// ```
/// use rattleback_symbolic::{Expr, Flow, Symbol};
/// let x = Symbol::variable("x");
/// // sin x along x' = 1 from x = 0.
/// let flow = Flow::new(&[Expr::from(&x).sin()], &[(x.clone(), Expr::one())]).unwrap();
/// let at = [(x, 0.0)];
/// let start: Vec<f64> = flow.given().iter().map(|e| e.evaluate(&at).unwrap()).collect();
/// assert_eq!(flow.series(&start, 3).unwrap(), [[0.0, 1.0, 0.0, -1.0 / 6.0]]);
/// ```
pub struct Flow {
    recurrences: Vec<Recurrence>,
    given: Vec<Expr>,
    outputs: Vec<usize>,
    /// For each moving place the place of its rate.
    moving: Vec<(usize, usize)>,
}

impl Flow {
    /// Functions of the state of `rates` (a symbol and its rate each) and of time; `None` if a
    /// function in them has no series here.
    pub fn new(functions: &[Expr], rates: &[(Symbol, Expr)]) -> Option<Self> {
        let functions = &powers_as_exponentials(functions);
        let values: Vec<Expr> = rates.iter().map(|(_, e)| e.clone()).collect();
        let symbols: Vec<Expr> = rates.iter().map(|(s, _)| s.into()).collect();
        let values = powers_as_exponentials(&values);
        let roots = [functions.as_slice(), &symbols, &values].concat();
        let nodes = postorder(&roots, |_| true);
        let mut given = Given::default();
        let pi = given.add(&Expr::pi());
        let mut lowering = Lowering::with_capacity(nodes.len());
        for e in &nodes {
            lowering.node(e, &mut given).ok()?;
        }
        let lowered = lowering.finish(given.all.len(), &roots);
        let mut recurrences = Recurrences {
            pi,
            ..Recurrences::default()
        };
        let constants = lowered.constants.iter().cloned().map(Node::Number);
        let constants: Vec<Node> = constants.collect();
        let inputs: Vec<Node> = given
            .all
            .iter()
            .enumerate()
            .map(|(i, e)| recurrences.input(i, e, &symbols))
            .collect();
        let mut memory = Vec::new();
        lowered
            .run(&mut recurrences, &constants, &inputs, &mut memory)
            .ok()?;
        let places: Vec<usize> = lowered
            .outputs(&memory)
            .iter()
            .map(|node| recurrences.series(node))
            .collect();
        let (outputs, rest) = places.split_at(functions.len());
        let (state, rates) = rest.split_at(symbols.len());
        Some(Self {
            outputs: outputs.to_vec(),
            moving: state.iter().copied().zip(rates.iter().copied()).collect(),
            recurrences: recurrences.all,
            given: given.all,
        })
    }

    /// Symbols and functions whose starting values are asked for.
    pub fn given(&self) -> &[Expr] {
        &self.given
    }

    /// Does it take square roots, of which elements of a field know one branch?
    pub fn has_roots(&self) -> bool {
        let is_root = |r: &Recurrence| matches!(r, Recurrence::Root(_));
        self.recurrences.iter().any(is_root)
    }

    /// The series of the functions up to an order, from starting values of what is given.
    pub fn series<S: Scalar>(&self, start: &[S], order: usize) -> Option<Vec<Vec<S>>> {
        let mut memory: Vec<Vec<S>> = vec![Vec::with_capacity(order + 1); self.recurrences.len()];
        for k in 0..=order {
            for (at, recurrence) in self.recurrences.iter().enumerate() {
                let next = recurrence.coefficient(at, k, &memory, start)?;
                // The next coefficient of what moves is there already.
                if memory[at].len() == k {
                    memory[at].push(next);
                }
            }
            if k < order {
                let step = S::whole(k + 1)?.inverse()?;
                for &(at, rate) in &self.moving {
                    let next = memory[rate][k].times(step);
                    memory[at].push(next);
                }
            }
        }
        Some(self.outputs.iter().map(|&o| memory[o].clone()).collect())
    }
}

impl Recurrences {
    /// What is given as a series: a coordinate or time moves, anything else stays.
    fn input(&mut self, place: usize, e: &Expr, state: &[Expr]) -> Node {
        let Some(s) = e.as_symbol() else {
            // Functions have recurrences of their own.
            return Node::Number(crate::Rational::ZERO);
        };
        let moves = state.contains(e) || s.role() == Role::Time;
        Node::Series(self.push(match moves {
            true => Recurrence::Moving(place),
            false => Recurrence::Given(place),
        }))
    }
}
