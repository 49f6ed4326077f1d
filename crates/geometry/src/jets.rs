//! Higher-order tangent bundles: lifts, the maps j_k, and T^(k)G in trivialised form (AC-C9, C10).

use crate::frame::Frame;
use crate::group::{Group, LieGroup, Trivialization};
use rattleback_symbolic::{Expr, Symbol};

/// The coordinates (q, q', …, q^(k)) of T^(k)Q, order by order.
///
/// ```
/// use rattleback_geometry::jet_coordinates;
/// use rattleback_symbolic::Symbol;
/// let names: Vec<String> = jet_coordinates(&[Symbol::variable("x")], 2).iter().map(Symbol::to_string).collect();
/// assert_eq!(names, ["x", "x'", "x''"]);
/// ```
pub fn jet_coordinates(q: &[Symbol], order: u32) -> Vec<Symbol> {
    (0..=order)
        .flat_map(|s| q.iter().map(move |x| x.jet(x.order() + s)))
        .collect()
}

/// The lifts f, f', …, f^(l) of a function: its total time derivatives.
///
/// ```
/// use rattleback_geometry::function_lifts;
/// use rattleback_symbolic::{Expr, Symbol};
/// let x = Symbol::variable("x");
/// let lifts = function_lifts(&Expr::from(&x).powi(2), 2);
/// assert_eq!(lifts[1], 2 * Expr::from(&x) * x.jet(1));
/// ```
pub fn function_lifts(f: &Expr, order: u32) -> Vec<Expr> {
    let mut all = vec![f.clone()];
    for k in 0..order as usize {
        all.push(all[k].total_derivative());
    }
    all
}

/// The complete lift X^(k) = (X^i)^(s) ∂/∂q^(s)i of a vector field, in the order of
/// [`jet_coordinates`].
pub fn field_lift(field: &[Expr], order: u32) -> Vec<Expr> {
    let lifts: Vec<Vec<Expr>> = field.iter().map(|e| function_lifts(e, order)).collect();
    (0..=order as usize)
        .flat_map(|s| lifts.iter().map(move |l| l[s].clone()))
        .collect()
}

/// The map j_k : T^(k)Q → T(T^(k-1)Q): the point (q, …, q^(k-1)) with the velocity (q', …, q^(k)).
pub fn tangent_of_jets(q: &[Symbol], k: u32) -> (Vec<Symbol>, Vec<Symbol>) {
    let point = jet_coordinates(q, k.saturating_sub(1));
    let velocity = point.iter().map(Symbol::derivative).collect();
    (point, velocity)
}

/// Jets of curves in a group and their trivialised form T^(k)G = G × k g.
#[derive(Clone, Debug)]
pub struct GroupJets {
    group: Group,
    frame: Frame,
    trivialization: Trivialization,
}

impl GroupJets {
    /// For a group with these coordinates and velocities.
    pub fn new(
        group: Group,
        entries: &[Symbol],
        velocities: &[Symbol],
        trivialization: Trivialization,
    ) -> Self {
        let frame = group.frame(entries, velocities, trivialization);
        Self {
            group,
            frame,
            trivialization,
        }
    }

    /// From the jet (g, g', …, g^(k)) of a curve to (ξ, ξ', …, ξ^(k-1)), as functions of the jets
    /// of the entries.
    pub fn trivialize(&self, order: u32) -> Vec<Vec<Expr>> {
        let entries = self.frame.base();
        let g: Vec<Expr> = entries.iter().map(Expr::from).collect();
        let g_dot: Vec<Expr> = entries.iter().map(|s| s.derivative().into()).collect();
        let mut all: Vec<Vec<Expr>> = Vec::new();
        let mut next = self.group.velocity(self.trivialization, &g, &g_dot);
        for _ in 0..order {
            let derived = next.iter().map(Expr::total_derivative).collect();
            all.push(std::mem::replace(&mut next, derived));
        }
        all
    }

    /// From (g, ξ, …, ξ^(k-1)) to (g, g', …, g^(k)): the rates along g' = g ξ.
    pub fn curve_jet(&self, order: u32) -> Vec<Vec<Expr>> {
        let mut all = vec![self.group.element(self.frame.base())];
        for k in 0..order as usize {
            all.push(self.frame.rates(&all[k]));
        }
        all
    }

    /// The map j_k in trivialised form: the point (g, ξ, …, ξ^(k-2)) of T^(k-1)G, and its velocity
    /// (ξ, ξ', …, ξ^(k-1)).
    pub fn tangent(&self, k: u32) -> (Vec<Symbol>, Vec<Symbol>) {
        let velocities = self.frame.fibre();
        let mut point = self.frame.base().to_vec();
        if k >= 2 {
            point.extend(jet_coordinates(velocities, k - 2));
        }
        let velocity = match k {
            0 => Vec::new(),
            _ => jet_coordinates(velocities, k - 1),
        };
        (point, velocity)
    }
}
