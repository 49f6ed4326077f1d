//! Where a model is defined and what it assumes of positions: a state elsewhere is none of its own.

use crate::steady::Relation;
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Fact, Function, Kind, Sign, Symbol, facts_of, postorder};

/// What must hold of the positions of every state, and what must not vanish there.
pub(super) struct Domain {
    relations: Vec<Relation>,
    nonzero: Vec<Expr>,
    /// Facts speak of positions without the facts: which are meant.
    meant: Vec<(Symbol, Expr)>,
}

/// A state in the domain: what is left of its conditions.
pub(super) struct Inside {
    /// Where it is inside.
    pub relations: Vec<Relation>,
    /// What must not vanish.
    pub nonzero: Vec<Expr>,
}

impl Domain {
    /// Where the functions of a system are defined and its assumptions hold.
    pub(super) fn of(system: &System) -> Self {
        let mut domain = Self {
            relations: Vec::new(),
            nonzero: Vec::new(),
            meant: Vec::new(),
        };
        let constraints = system.constraints();
        let all: Vec<Expr> = std::iter::once(system.lagrangian())
            .chain(constraints.forms().entries())
            .chain(constraints.offsets())
            .chain(constraints.holonomic())
            .chain(system.force())
            .cloned()
            .collect();
        for node in postorder(&all, |_| true) {
            domain.defined(&node);
        }
        let base = system.frame().base();
        for fact in facts_of(base) {
            domain.assumed(&fact);
        }
        for z in base.iter().filter(|z| z.sign() != Sign::Unknown) {
            domain.assumed(&Fact::new(z.plain().into(), z.sign()));
        }
        // What speaks of no position speaks of no state.
        let plain: Vec<Symbol> = base.iter().map(Symbol::plain).collect();
        let moves = |e: &Expr| e.contains_any(base) || e.contains_any(&plain);
        domain.relations.retain(|r| {
            let difference = r.difference();
            moves(&difference) || difference.free_symbols().is_empty()
        });
        domain.nonzero.retain(moves);
        let meant = base.iter().map(|z| (z.plain(), Expr::from(z)));
        domain.meant = meant.collect();
        domain
    }

    /// Where one function is defined.
    fn defined(&mut self, node: &Expr) {
        let mut ask = |e: &Expr, edge: bool| {
            let relation = Relation::positive(e);
            self.relations.push(match edge {
                true => relation.with_edge(),
                false => relation,
            });
        };
        match node.kind() {
            Kind::Product(factors) => {
                for (b, r) in factors.iter() {
                    match (r.is_integer(), r.is_negative()) {
                        (false, negative) => ask(b, !negative),
                        (true, true) => self.nonzero.push(b.clone()),
                        (true, false) => {}
                    }
                }
            }
            Kind::Function(Function::Log, x) => ask(&x[0], false),
            Kind::Function(Function::Power, x) => ask(&x[0], true),
            Kind::Function(Function::Asin | Function::Acos, x) => {
                ask(&(1 - &x[0]), true);
                ask(&(1 + &x[0]), true);
            }
            _ => {}
        }
    }

    fn assumed(&mut self, fact: &Fact) {
        let relation = Relation::positive(fact.expression());
        match fact.sign() {
            Sign::NonZero => self.nonzero.push(fact.expression().clone()),
            Sign::NonNegative => self.relations.push(relation.with_edge()),
            _ => self.relations.push(relation),
        }
    }

    /// What a state with these positions has to satisfy; `None` where it is outside for certain.
    pub(super) fn at(&self, positions: &[(Symbol, Expr)]) -> Option<Inside> {
        let plain = positions.iter().map(|(z, e)| (z.plain(), e.clone()));
        let known: Vec<(Symbol, Expr)> = positions.iter().cloned().chain(plain).collect();
        let mut inside = Inside {
            relations: Vec::new(),
            nonzero: Vec::new(),
        };
        for relation in &self.relations {
            let here = relation.substitute(&known);
            match here.holds() {
                Some(true) => {}
                Some(false) => return None,
                None if inside.relations.contains(&here) => {}
                None => inside.relations.push(here),
            }
        }
        for e in &self.nonzero {
            let here = crate::exact::tidy(&e.substitute(&known));
            if here.is_zero() || here.is_undefined() {
                return None;
            }
            if !here.is_nonvanishing() && !inside.nonzero.contains(&here) {
                inside.nonzero.push(here);
            }
        }
        let meant = |e: &Expr| e.substitute(&self.meant);
        inside.nonzero.iter_mut().for_each(|e| *e = meant(e));
        for r in &mut inside.relations {
            (r.greater, r.less) = (meant(&r.greater), meant(&r.less));
        }
        Some(inside)
    }
}
