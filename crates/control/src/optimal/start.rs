//! What the start of a problem fixes, and what it leaves open.

use super::plant::Kind;
use super::posed::{Posed, Remarked};
use rattleback_mechanics::{Given, Problem};
use rattleback_symbolic::{Expr, Symbol};

/// How a value of the start is meant.
enum Begins {
    /// An optimisation chooses it.
    Open,
    /// It has the value of the start state.
    Fixed,
    /// It is this expression of free numbers.
    Follows(Expr),
}

impl Posed {
    /// Decides which directions of the state are fixed at the start, and which equations hold there besides.
    pub(super) fn set_start(&mut self, problem: &Problem, depend: &[(Symbol, Expr)]) {
        let plant = &self.plant;
        let decide = |s: &Symbol| self.begins(problem, depend, s);
        let mut all: Vec<(Begins, Symbol)> = Vec::new();
        for factor in plant.factors() {
            let z = &plant.base()[factor.base.clone()];
            match factor.group {
                None => all.push((decide(&z[0]), z[0].clone())),
                Some(group) => {
                    let open = z.iter().any(|z| matches!(decide(z), Begins::Open));
                    let entry = || if open { Begins::Open } else { Begins::Fixed };
                    all.extend((0..group.dimension()).map(|_| (entry(), z[0].clone())));
                }
            }
        }
        let fibre = plant.system.frame().fibre();
        let is_open = |y: &Symbol| problem.start.get(y).is_some_and(|s| s.given == Given::Free);
        // Velocities of a frame are open where an ambient one is.
        let open_frame = plant.kind == Kind::BoundaryValue || fibre.iter().any(is_open);
        let mut rows = Vec::new();
        let mut is_framed = false;
        for c in &plant.components {
            let auxiliary = problem.auxiliary.iter().any(|a| a.symbol == c.symbol);
            let own = auxiliary || plant.jet_level(&c.symbol).is_some();
            let begins = match (own, open_frame) {
                (true, _) => decide(&c.symbol),
                (false, true) => {
                    is_framed = true;
                    Begins::Open
                }
                (false, false) => Begins::Fixed,
            };
            all.push((begins, c.symbol.clone()));
        }
        if is_framed {
            for (y, e) in &plant.known {
                let level = plant.jet_level(y);
                let stated = problem.start.get(y).filter(|s| s.given != Given::Free);
                let counts = plant.kind != Kind::BoundaryValue
                    || plant.form.is_none() && level.is_some_and(|l| l < plant.order);
                if let (Some(stated), true) = (stated, counts) {
                    rows.push(e - stated.value.substitute(depend));
                }
            }
        }
        self.fixed = Vec::new();
        for (begins, symbol) in all {
            self.fixed.push(matches!(begins, Begins::Fixed));
            if let Begins::Follows(value) = begins {
                rows.push(Expr::from(symbol) - value);
            }
        }
        self.start_rows = rows;
        self.remark_guesses(problem);
    }

    /// Has the i-th entry of the state (positions, then components) the start's value?
    pub(super) fn is_fixed_at_start(&self, i: usize) -> bool {
        let plant = &self.plant;
        let base = plant.base().len();
        let direction = match i < base {
            true => {
                let mut factors = plant.factors().iter();
                let factor = factors.find(|f| f.base.contains(&i));
                factor.map(|f| f.fibre.start)
            }
            false => Some(plant.system.frame().rank() + i - base),
        };
        direction.is_none_or(|d| self.fixed[d])
    }

    fn begins(&self, problem: &Problem, depend: &[(Symbol, Expr)], symbol: &Symbol) -> Begins {
        if self.plant.is_free_at_start(problem, symbol) {
            return Begins::Open;
        }
        let stated = problem.start.get(symbol);
        let value = stated.map(|s| s.value.substitute(depend));
        let depends = |e: &Expr| self.free.iter().any(|(f, _)| e.contains(f));
        match value.filter(depends) {
            Some(value) => Begins::Follows(value),
            None => Begins::Fixed,
        }
    }

    /// Says of stated derivatives that a stationary curve chooses them itself.
    fn remark_guesses(&mut self, problem: &Problem) {
        if self.plant.kind != Kind::BoundaryValue {
            return;
        }
        let order = self.plant.order;
        let guessed = problem.start.values.iter().find(|s| {
            let level = self.plant.jet_level(&s.symbol);
            s.given == Given::Stated && level.is_some_and(|l| l >= order)
        });
        if let Some(stated) = guessed {
            let text = format!(
                "the start value of `{}` is a first guess: the curve chooses its derivatives of order {order} and more",
                stated.symbol
            );
            self.remarks.push(Remarked {
                text,
                origin: Some(stated.origin),
            });
        }
    }
}
