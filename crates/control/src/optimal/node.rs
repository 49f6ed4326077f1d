//! A state as an expression of its directions: coordinates as they are, group elements near one of their own.
//!
//! Near ĝ an element is ĝ(1 + ξ + ξ²/2), the jet that every retraction has: derivatives up to the second by ξ at 0 are
//! those of the retraction, and the elements are moved between iterations.

use super::plant::Plant;
use rattleback_lie::Trivialization;
use rattleback_mechanics::Factor;
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// A state by symbols of its own.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The directions: coordinates, ξ of group factors, components.
    pub variables: Vec<Symbol>,
    /// The entries of group elements.
    pub elements: Vec<Symbol>,
    /// The positions of the model.
    pub base: Vec<Expr>,
    /// The positions and components of the model by these.
    pub pairs: Vec<(Symbol, Expr)>,
}

/// A symbol that no model has.
pub(super) fn local(name: &str, tag: &str) -> Symbol {
    Symbol::variable(&format!("{name}#{tag}"))
}

impl Node {
    pub fn new(plant: &Plant, tag: &str) -> Self {
        let frame = plant.system.frame();
        let (mut variables, mut elements) = (Vec::new(), Vec::new());
        let mut own: Vec<(Symbol, Expr)> = Vec::new();
        let mut along = Vec::new();
        for factor in plant.factors() {
            let z = &plant.base()[factor.base.clone()];
            let entries: Vec<Symbol> = z.iter().map(|z| local(&z.to_string(), tag)).collect();
            own.extend(z.iter().cloned().zip(entries.iter().map(Expr::from)));
            match factor.group {
                None => {
                    variables.extend(entries);
                    along.push(Expr::zero());
                }
                Some(group) => {
                    let xi =
                        (0..group.dimension()).map(|a| local(&format!("{}~{a}", factor.name), tag));
                    let xi: Vec<Symbol> = xi.collect();
                    along.extend(xi.iter().map(Expr::from));
                    variables.extend(xi);
                    elements.extend(entries);
                }
            }
        }
        // g + ρ(g)ξ + ½ ρ(ρ(g)ξ)ξ.
        let first = frame.anchored(&along);
        let second = frame.act(&along, &first);
        let jet: Vec<Expr> = (plant.base().iter().zip(first.iter().zip(&second)))
            .map(|(z, (x, xx))| Expr::from(z) + x + xx / 2)
            .collect();
        let base = substitute_all(&jet, &own);
        let positions = plant.base().iter().cloned();
        let mut pairs: Vec<(Symbol, Expr)> = positions.zip(base.iter().cloned()).collect();
        for c in &plant.components {
            let own = local(&c.symbol.to_string(), tag);
            pairs.push((c.symbol.clone(), Expr::from(&own)));
            variables.push(own);
        }
        Self {
            variables,
            elements,
            base,
            pairs,
        }
    }
}

/// τ⁻¹ of the way from one element to another, in the velocities of the factor: Cayley.
pub(super) fn difference(factor: &Factor, from: &[Expr], to: &[Expr]) -> Option<Vec<Expr>> {
    let group = factor.group?;
    let way = match factor.trivialization {
        Trivialization::Body => group.product(&group.inverse(from), to),
        Trivialization::Space => group.product(to, &group.inverse(from)),
    };
    group.cayley_inverse(&way).ok()
}

/// The numbers of a node: directions (0 on groups) and the entries of group elements, of a state of positions and
/// components.
pub(super) fn numbers(plant: &Plant, state: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut variables, mut elements) = (Vec::new(), Vec::new());
    for factor in plant.factors() {
        let z = &state[factor.base.clone()];
        match factor.group {
            None => variables.push(z[0]),
            Some(group) => {
                variables.resize(variables.len() + group.dimension(), 0.0);
                elements.extend(z);
            }
        }
    }
    variables.extend(&state[plant.base().len()..]);
    (variables, elements)
}

/// The state of a node's numbers.
pub(super) fn state(plant: &Plant, variables: &[f64], elements: &[f64]) -> Vec<f64> {
    let (mut out, mut element) = (Vec::new(), 0);
    let mut variable = 0;
    for factor in plant.factors() {
        match factor.group {
            None => out.push(variables[variable]),
            Some(group) => {
                let n = group.coordinates();
                out.extend(&elements[element..element + n]);
                element += n;
            }
        }
        variable += factor.fibre.len();
    }
    out.extend(&variables[variable..variable + plant.components.len()]);
    out
}
