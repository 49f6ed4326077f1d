//! Discrete Hamiltonians that are given directly: their maps forward and back, and the way to L_d and to the other
//! side (DP-A9 to A11).

use super::hamiltonian::{DiscreteHamiltonian, NoHamiltonian, Side, affine_solution};
use super::lagrangian::DiscreteLagrangian;
use super::step::{Step, solving};
use super::system::expressions;
use rattleback_symbolic::{Expr, Symbol, dot, simplify, substitute_all};

impl DiscreteHamiltonian {
    /// A discrete Hamiltonian that is given: H⁺(q₀, p₁), or H⁻(p₀, q₁).
    pub fn new(side: Side, positions: &[Symbol], momenta: &[Symbol], value: Expr) -> Self {
        Self {
            side,
            positions: positions.to_vec(),
            momenta: momenta.to_vec(),
            value,
        }
    }

    /// The map (q₀, p₀) to (q₁, p₁) in these symbols for the node: p₀ = D₁H⁺ is solved for p₁ from p₀ on, or
    /// q₀ = −D₁H⁻ for q₁ from q₀ on. It needs D₁D₂H invertible, and no discrete Lagrangian.
    pub fn step(&self, h: &Symbol, q: &[Symbol], p: &[Symbol]) -> Step {
        let (q0, p0) = (expressions(q), expressions(p));
        let (sought, known, start, given) = match self.side {
            Side::Right => (&self.momenta, &self.positions, &p0, &q0),
            Side::Left => (&self.positions, &self.momenta, &q0, &p0),
        };
        let Exchanged {
            unknowns,
            found,
            position,
            momentum,
            value,
        } = self.exchanged((sought, start), (known, given));
        let (misses, next, action) = match self.side {
            // p₀ = D₁H⁺, q₁ = D₂H⁺, L = p₁·q₁ − H⁺.
            Side::Right => (
                difference(&momentum, &p0),
                [&position[..], &found].concat(),
                dot(&found, &position) - value,
            ),
            // q₀ = −D₁H⁻, p₁ = −D₂H⁻, L = −p₀·q₀ − H⁻.
            Side::Left => (
                difference(&position, &q0),
                [&found[..], &momentum].concat(),
                -dot(&p0, &q0) - value,
            ),
        };
        node_step(h, q, p, solving(unknowns, misses), next, action)
    }

    /// The map back, (q₁, p₁) to (q₀, p₀), in these symbols: q₁ = D₂H⁺ is solved for q₀, or p₁ = −D₂H⁻ for p₀.
    pub fn step_back(&self, h: &Symbol, q: &[Symbol], p: &[Symbol]) -> Step {
        let (q1, p1) = (expressions(q), expressions(p));
        let (sought, known, start, given) = match self.side {
            Side::Right => (&self.positions, &self.momenta, &q1, &p1),
            Side::Left => (&self.momenta, &self.positions, &p1, &q1),
        };
        let Exchanged {
            unknowns,
            found,
            position,
            momentum,
            value,
        } = self.exchanged((sought, start), (known, given));
        let (misses, next, action) = match self.side {
            Side::Right => (
                difference(&position, &q1),
                [&found[..], &momentum].concat(),
                dot(&p1, &q1) - value,
            ),
            Side::Left => (
                difference(&momentum, &p1),
                [&position[..], &found].concat(),
                -dot(&found, &position) - value,
            ),
        };
        node_step(h, q, p, solving(unknowns, misses), next, action)
    }

    /// The equations beside the start of what is sought, with what is given.
    fn exchanged(
        &self,
        (sought, start): (&[Symbol], &[Expr]),
        (known, given): (&[Symbol], &[Expr]),
    ) -> Exchanged {
        let (unknowns, found) = beside(sought, start);
        let all = [pairs(sought, &found), pairs(known, given)].concat();
        let (position, momentum) = self.equations();
        Exchanged {
            position: substitute_all(&position, &all),
            momentum: substitute_all(&momentum, &all),
            value: self.value.substitute(&all),
            unknowns,
            found,
        }
    }

    /// L_d, where the momentum can be eliminated: D₂D₂H⁺, or D₁D₁H⁻, must be invertible, which it is not for
    /// plants with fewer controls than coordinates.
    pub fn lagrangian(&self, other: &[Symbol]) -> Result<DiscreteLagrangian, NoHamiltonian> {
        let (position, _) = self.equations();
        let block = match self.side {
            Side::Right => "D2 D2 H+",
            Side::Left => "D1 D1 H-",
        };
        let ends = expressions(other);
        let found = affine_solution(&difference(&position, &ends), &self.momenta, block)?;
        let at = pairs(&self.momenta, &found);
        let work = dot(&found, &ends);
        let h = self.value.substitute(&at);
        let value = match self.side {
            Side::Right => simplify(&(work - h)),
            Side::Left => simplify(&(-work - h)),
        };
        Ok(match self.side {
            Side::Right => DiscreteLagrangian::new(&self.positions, other, value),
            Side::Left => DiscreteLagrangian::new(other, &self.positions, value),
        })
    }

    /// The Hamiltonian of the other side, by way of L_d; `other` are the positions at the other end, `momenta` its
    /// momenta.
    pub fn other_side(
        &self,
        other: &[Symbol],
        momenta: &[Symbol],
    ) -> Result<DiscreteHamiltonian, NoHamiltonian> {
        let side = match self.side {
            Side::Right => Side::Left,
            Side::Left => Side::Right,
        };
        self.lagrangian(other)?.hamiltonian(side, momenta)
    }
}

/// A Hamiltonian and its equations with what is sought in unknowns beside its start.
struct Exchanged {
    unknowns: Vec<Symbol>,
    found: Vec<Expr>,
    position: Vec<Expr>,
    momentum: Vec<Expr>,
    value: Expr,
}

/// Unknowns beside a start, and what is sought in them.
fn beside(sought: &[Symbol], start: &[Expr]) -> (Vec<Symbol>, Vec<Expr>) {
    let delta = |s: &Symbol| Symbol::variable(&format!("{}~delta", s.name()));
    let unknowns: Vec<Symbol> = sought.iter().map(delta).collect();
    let found = start.iter().zip(&unknowns).map(|(x, d)| x + d).collect();
    (unknowns, found)
}

fn node_step(
    h: &Symbol,
    q: &[Symbol],
    p: &[Symbol],
    stage: crate::equations::Stage,
    next: Vec<Expr>,
    action: Expr,
) -> Step {
    Step {
        inputs: [vec![Symbol::time(), h.clone()], q.to_vec(), p.to_vec()].concat(),
        stages: vec![stage],
        from: Vec::new(),
        next,
        action,
        forms: Step::without_forms(),
        turns: Vec::new(),
    }
}

fn pairs(symbols: &[Symbol], values: &[Expr]) -> Vec<(Symbol, Expr)> {
    symbols
        .iter()
        .cloned()
        .zip(values.iter().cloned())
        .collect()
}

fn difference(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
