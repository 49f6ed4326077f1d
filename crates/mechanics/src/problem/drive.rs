//! The system that the controls of a problem push, and what feeds them.

use super::{Auxiliary, Input, Origin, Parameter, Problem};
use crate::system::System;
use rattleback_language::Update;
use rattleback_symbolic::{Expr, Role, Symbol, dot, substitute_all};

impl Problem {
    /// The system under its controls, F_A + u_a B^a_A, each a symbol that its equations leave open.
    pub fn open(&self) -> System {
        self.driven_but(|_| true)
    }

    /// The system as it moves: every control at its law, which is 0 where there is none.
    pub fn driven(&self) -> System {
        self.driven_but(|_| false)
    }

    /// The system as it moves, but for controls that stay open.
    pub fn driven_but(&self, open: impl Fn(&Symbol) -> bool) -> System {
        if self.controls.is_empty() {
            return self.system.clone();
        }
        let symbols = self.controls.iter().map(|c| &c.symbol);
        let feed: Vec<(Symbol, Expr)> = symbols
            .map(|u| match open(u) {
                true => (u.clone(), Expr::from(u)),
                false => (u.clone(), self.law(u)),
            })
            .collect();
        let inputs: Vec<Expr> = feed.iter().map(|(_, value)| value.clone()).collect();
        let along = |a: usize| -> Vec<Expr> {
            let forms = self.controls.iter();
            forms.map(|c| c.form[a].clone()).collect()
        };
        let force = self.system.force().iter().enumerate();
        let force: Vec<Expr> = force.map(|(a, f)| f + dot(&inputs, &along(a))).collect();
        let rates = self.system.auxiliary().iter();
        let rates = rates.map(|(z, rate)| (z.clone(), rate.substitute(&feed)));
        let mut system = self
            .system
            .clone()
            .with_auxiliary(rates.collect())
            .with_force(substitute_all(&force, &feed));
        system.feed = feed;
        system
    }

    /// z' of each auxiliary state that has a rate, in the names of the model.
    pub fn auxiliary_rates(&self) -> Vec<(Symbol, Expr)> {
        let rate = |a: &Auxiliary| match &a.update {
            Update::Rate(rate) => Some((a.symbol.derivative(), rate.clone())),
            Update::Map(_) => None,
        };
        self.auxiliary.iter().filter_map(rate).collect()
    }

    /// What is fed into a control: its law, derivatives of auxiliary states put in; 0 where there is none.
    pub fn law(&self, control: &Symbol) -> Expr {
        let law = |u: &Symbol| {
            let input = self.inputs.iter().find(|i| i.control == *u);
            input.map_or_else(Expr::zero, |i| i.law.clone())
        };
        let rates = self.auxiliary_rates().into_iter();
        let controls = self.controls.iter();
        let controls = controls.map(|c| (c.symbol.clone(), law(&c.symbol)));
        let known: Vec<(Symbol, Expr)> = rates.chain(controls).collect();
        let symbols: Vec<Symbol> = known.iter().map(|(s, _)| s.clone()).collect();
        let mut found = law(control);
        // Reading has made sure that no law comes back to itself: each round leaves one name fewer.
        for _ in 0..=known.len() {
            if !found.contains_any(&symbols) {
                break;
            }
            found = found.substitute(&known);
        }
        found
    }

    /// The same problem with another law for a control. Constants of the law that it does not know become
    /// parameters with the value 0.
    pub fn with_law(mut self, control: &Symbol, law: Expr) -> Self {
        let place = self.controls.iter().position(|c| c.symbol == *control);
        let origin = Origin::Control(place.unwrap_or_default());
        for symbol in law.free_symbols() {
            let is_known = self.parameters.iter().any(|p| p.symbol == symbol);
            if symbol.role() == Role::Constant && !is_known {
                self.parameters.push(Parameter {
                    symbol,
                    value: Expr::zero(),
                    origin,
                });
            }
        }
        self.inputs.retain(|input| input.control != *control);
        self.inputs.push(Input {
            control: control.clone(),
            law,
            origin,
        });
        self
    }

    /// The controls that nothing feeds.
    pub fn unfed(&self) -> Vec<&Symbol> {
        let symbols = self.controls.iter().map(|c| &c.symbol);
        let is_fed = |u: &&Symbol| self.inputs.iter().any(|i| i.control == **u);
        symbols.filter(|u| !is_fed(u)).collect()
    }

    /// The value of a control whose law is constant, in the parameters; none where it moves.
    pub fn constant_law(&self, control: &Symbol) -> Option<Expr> {
        let law = self.law(control);
        let moves = |s: &Symbol| s.role() != Role::Constant;
        (!law.free_symbols().iter().any(moves)).then_some(law)
    }
}
