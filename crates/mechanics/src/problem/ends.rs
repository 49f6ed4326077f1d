//! What a problem asks at its ends and on its way: conditions, guesses, free numbers; and what feeds its controls.

use super::{Origin, Problem};
use rattleback_language::{self as language, Model, Relation, Update};
use rattleback_symbolic::{Expr, Symbol};

/// A condition on the state at one time, in free numbers and values at the start too.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it says.
    pub kind: ConditionKind,
    /// Where it stands.
    pub origin: Origin,
}

/// What a condition says.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// `left relation right`.
    Scalar {
        /// Left side.
        left: Expr,
        /// The relation.
        relation: Relation,
        /// Right side.
        right: Expr,
    },
    /// A group factor is a given element.
    Element {
        /// The name of the factor.
        factor: String,
        /// The entries of the element.
        entries: Vec<Expr>,
    },
}

/// Conditions at a time inside the horizon.
#[derive(Clone, Debug)]
pub struct Via {
    /// The time.
    pub time: Expr,
    /// What holds there.
    pub conditions: Vec<Condition>,
    /// Where it stands.
    pub origin: Origin,
}

/// The first iterate of one quantity along the path.
#[derive(Clone, Debug)]
pub struct Guess {
    /// A position, an auxiliary state or a control.
    pub symbol: Symbol,
    /// In time, parameters and free numbers.
    pub value: Expr,
    /// Where it stands.
    pub origin: Origin,
}

/// An output of which state and controls are said to be functions.
#[derive(Clone, Debug)]
pub struct FlatOutput {
    /// Its symbol, which has derivatives.
    pub symbol: Symbol,
    /// In the state.
    pub value: Expr,
}

/// The law that feeds a control.
#[derive(Clone, Debug)]
pub struct Input {
    /// The control.
    pub control: Symbol,
    /// In time, parameters and the state.
    pub law: Expr,
    /// Where it stands.
    pub origin: Origin,
}

/// A variable of first order beside the configuration.
#[derive(Clone, Debug)]
pub struct Auxiliary {
    /// Its symbol.
    pub symbol: Symbol,
    /// Its rate, derivatives of auxiliary states put in, or its value at the next node.
    pub update: Update,
    /// Where it is declared.
    pub origin: Origin,
}

impl Problem {
    /// Is there a condition at the end, or on the way, or a cost there: a problem with ends?
    pub fn has_ends(&self) -> bool {
        !self.goals.is_empty() || !self.vias.is_empty() || !self.terminals.is_empty()
    }
}

fn condition(c: &language::Condition, origin: Origin) -> Condition {
    let kind = match c {
        language::Condition::Scalar {
            left,
            relation,
            right,
            ..
        } => ConditionKind::Scalar {
            left: left.clone(),
            relation: *relation,
            right: right.clone(),
        },
        language::Condition::Element { group, entries, .. } => ConditionKind::Element {
            factor: group.clone(),
            entries: entries.clone(),
        },
    };
    Condition { kind, origin }
}

pub(super) fn goals(model: &Model) -> Vec<Condition> {
    let all = model.goals.iter().enumerate();
    all.map(|(i, c)| condition(c, Origin::Goal(i))).collect()
}

pub(super) fn vias(model: &Model) -> Vec<Via> {
    let via = |(i, v): (usize, &language::Via)| Via {
        time: v.time.clone(),
        conditions: v
            .conditions
            .iter()
            .map(|c| condition(c, Origin::Via(i)))
            .collect(),
        origin: Origin::Via(i),
    };
    model.vias.iter().enumerate().map(via).collect()
}

pub(super) fn guesses(model: &Model) -> Vec<Guess> {
    let guess = |(i, g): (usize, &language::Guess)| Guess {
        symbol: g.symbol.clone(),
        value: g.value.clone(),
        origin: Origin::Guess(i),
    };
    model.guesses.iter().enumerate().map(guess).collect()
}

pub(super) fn flats(model: &Model) -> Vec<FlatOutput> {
    let rates = model.rates();
    let all = model.flats.iter().flat_map(|f| {
        let entries = f.value.entries();
        let name = |i: usize| match entries.len() {
            1 => f.name.clone(),
            _ => format!("{}[{}]", f.name, i + 1),
        };
        let output = |(i, value): (usize, &Expr)| FlatOutput {
            symbol: Symbol::variable(&name(i)),
            value: value.substitute(&rates),
        };
        entries.iter().enumerate().map(output).collect::<Vec<_>>()
    });
    all.collect()
}

pub(super) fn inputs(model: &Model) -> Vec<Input> {
    let input = |(i, input): (usize, &language::Input)| Input {
        control: input.control.clone(),
        law: input.law.clone(),
        origin: Origin::Input(i),
    };
    model.inputs.iter().enumerate().map(input).collect()
}

pub(super) fn auxiliary(model: &Model) -> Vec<Auxiliary> {
    let rates = model.rates();
    let auxiliary = |(i, s): (usize, &language::AuxiliaryState)| {
        let rate = rates.iter().find(|(z, _)| *z == s.symbol.derivative());
        Auxiliary {
            symbol: s.symbol.clone(),
            update: rate.map_or_else(|| s.update.clone(), |(_, r)| Update::Rate(r.clone())),
            origin: Origin::Auxiliary(i),
        }
    };
    model.states.iter().enumerate().map(auxiliary).collect()
}
