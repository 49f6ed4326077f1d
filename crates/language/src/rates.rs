//! What the rates of auxiliary states and the laws of controls come to, put into each other.

use std::collections::{HashMap, HashSet};

use rattleback_symbolic::{Expr, Symbol};

use crate::auxiliary::{Input, Update};
use crate::model::Model;
use crate::numeric::Values;
use crate::source::Span;

impl Model {
    /// The law of a control, where it has one.
    pub fn input(&self, control: &Symbol) -> Option<&Input> {
        self.inputs.iter().find(|input| input.control == *control)
    }

    /// Gives a control a law in the place of the one that it has.
    pub(crate) fn set_input(&mut self, input: Input) {
        let mut controls = self.controls.iter().map(|c| &c.symbol);
        // The symbol of this model: it may know of other assumptions.
        let own = controls.find(|c| c.name() == input.control.name());
        let input = Input {
            control: own.unwrap_or(&input.control).clone(),
            ..input
        };
        match self.inputs.iter_mut().find(|i| i.control == input.control) {
            Some(law) => *law = input,
            None => self.inputs.push(input),
        }
    }

    /// z' and the rate of every auxiliary state, free of the derivatives of auxiliary states: what has to be put in
    /// wherever z' occurs.
    ///
    /// ```
    /// use rattleback_language::{Source, parse};
    /// let text = "system a\nstate v, z\nrate v' = 1 - v, z' = 2*v'\n";
    /// let model = parse(&Source::new("a", text)).model.unwrap();
    /// let (symbol, rate) = &model.rates()[1];
    /// assert_eq!((symbol.to_string(), rate.to_string()), ("z'".into(), "2 - 2*v".into()));
    /// ```
    pub fn rates(&self) -> Vec<(Symbol, Expr)> {
        let resolved = self.resolved_rates();
        let rate = |(z, rate, _): (Symbol, &Expr, Span)| {
            let rate = resolved.get(&z).unwrap_or(rate).clone();
            (z, rate)
        };
        self.stated_rates().map(rate).collect()
    }

    /// A bound for the size of all rates once the rates that they use are put in.
    pub(crate) fn size_of_rates(&self) -> usize {
        let stated: Vec<(Symbol, &Expr)> = self.stated_rates().map(|(z, e, _)| (z, e)).collect();
        let uses = uses(&stated);
        let mut sizes = vec![0usize; stated.len()];
        for i in resolved(&uses) {
            let own = stated[i].1.node_count();
            let used = uses[i].iter().map(|&j| sizes[j]);
            sizes[i] = used.fold(own, usize::saturating_add);
        }
        sizes.into_iter().fold(0, usize::saturating_add)
    }

    /// The derivatives of auxiliary states as values; undefined where numbers would grow beyond reason.
    pub(crate) fn resolved_rates(&self) -> Values {
        let stated: Vec<(Symbol, &Expr)> = self.stated_rates().map(|(z, e, _)| (z, e)).collect();
        let mut rates = Values::default();
        // Reading makes sure that no rate comes back to itself.
        for i in resolved(&uses(&stated)) {
            rates.add(stated[i].0.clone(), stated[i].1);
        }
        rates
    }

    fn stated_rates(&self) -> impl Iterator<Item = (Symbol, &Expr, Span)> {
        self.states.iter().filter_map(|state| match &state.update {
            Update::Rate(rate) => Some((state.symbol.derivative(), rate, state.update_span)),
            Update::Map(_) => None,
        })
    }

    /// Rates and laws that come back to themselves, one after the other, each with its place: an algebraic loop.
    pub(crate) fn algebraic_loop(&self) -> Vec<(Symbol, Span)> {
        let laws = self.inputs.iter();
        let laws = laws.map(|input| (input.control.clone(), &input.law, input.span));
        let all: Vec<(Symbol, &Expr, Span)> = self.stated_rates().chain(laws).collect();
        let stated: Vec<(Symbol, &Expr)> = all.iter().map(|(s, e, _)| (s.clone(), *e)).collect();
        let uses = uses(&stated);
        let done: HashSet<usize> = resolved(&uses).into_iter().collect();
        let stuck = |i: &usize| !done.contains(i);
        // Whatever is stuck uses something that is stuck: following that leads round the loop.
        let mut way: Vec<usize> = Vec::new();
        let mut next = (0..all.len()).find(stuck);
        while let Some(i) = next {
            if let Some(first) = way.iter().position(|&j| j == i) {
                way.drain(..first);
                break;
            }
            way.push(i);
            next = uses[i].iter().copied().find(|j| stuck(j));
        }
        way.iter().map(|&i| (all[i].0.clone(), all[i].2)).collect()
    }
}

/// For each pair (symbol, expression) the pairs whose symbols its expression contains.
fn uses(items: &[(Symbol, &Expr)]) -> Vec<Vec<usize>> {
    let index: HashMap<&Symbol, usize> = items.iter().zip(0..).map(|((s, _), i)| (s, i)).collect();
    let used = |e: &Expr| {
        let symbols = e.free_symbols();
        symbols
            .iter()
            .filter_map(|s| index.get(s).copied())
            .collect()
    };
    items.iter().map(|(_, e)| used(e)).collect()
}

/// An order in which every item comes behind those that it uses; items in or behind a loop are left out.
fn resolved(uses: &[Vec<usize>]) -> Vec<usize> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
    for (i, used) in uses.iter().enumerate() {
        used.iter().for_each(|&j| users[j].push(i));
    }
    let mut missing: Vec<usize> = uses.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..uses.len()).filter(|&i| missing[i] == 0).collect();
    let mut done = 0;
    while let Some(&j) = order.get(done) {
        done += 1;
        for &i in &users[j] {
            missing[i] -= 1;
            if missing[i] == 0 {
                order.push(i);
            }
        }
    }
    order
}
