//! The scope: what every declared name means.

use std::collections::HashMap;

use rattleback_lie::Group;
use rattleback_symbolic::{Assumptions, Expr, Role, Sign, Symbol};

use crate::auxiliary::Clock;
use crate::names::Names;
use crate::source::Span;
use crate::value::Value;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A mistake in its declaration has been reported; uses are not.
    Unknown,
    /// Declared, but its value is not worked out yet.
    Pending,
    Parameter(Value),
    Coordinate(Symbol),
    /// An auxiliary state.
    Auxiliary(Symbol),
    Group {
        kind: Group,
        element: Value,
        entries: Vec<Symbol>,
        velocities: Vec<Symbol>,
        velocity_name: String,
    },
    /// The velocity of a group: its symbols as a value.
    Velocity(Value),
    Control(Symbol),
    Abbreviation(Value),
    Observable(Value),
    /// A symmetry, frame field or one-form: a name, but no quantity.
    Field,
}

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) meaning: Meaning,
    /// What messages call it: `a parameter`, ….
    pub(crate) what: &'static str,
    pub(crate) span: Span,
    /// Place in the order of declarations.
    pub(crate) rank: usize,
    /// What the value depends on.
    pub(crate) dependence: Dependence,
}

/// What a value depends on, beyond the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dependence {
    pub(crate) time: bool,
    pub(crate) positions: bool,
    pub(crate) velocities: bool,
    pub(crate) controls: bool,
    /// Numbers that an optimisation may choose; they are as good as parameters wherever those are allowed.
    pub(crate) free: bool,
    /// Values at the next node.
    pub(crate) next: bool,
    /// What the program generates: momenta, multipliers, the energy.
    pub(crate) generated: bool,
}

impl Dependence {
    /// What either depends on.
    pub(crate) fn and(self, other: Dependence) -> Dependence {
        Dependence {
            time: self.time || other.time,
            positions: self.positions || other.positions,
            velocities: self.velocities || other.velocities,
            controls: self.controls || other.controls,
            free: self.free || other.free,
            next: self.next || other.next,
            generated: self.generated || other.generated,
        }
    }
}

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) entries: HashMap<String, Entry>,
    /// Time derivatives of the entries of group elements.
    pub(crate) rates: HashMap<Symbol, Expr>,
    /// What each variable symbol is, by name.
    pub(crate) variables: HashMap<String, Variable>,
    /// Signs that assumptions give to names.
    pub(crate) signs: HashMap<String, Sign>,
    /// Relations that assumptions give to names.
    pub(crate) assumptions: Assumptions,
    /// Names that the program makes up beside those of the model.
    pub(crate) names: Names,
    /// Parameters that stand for their values, not for symbols.
    pub(crate) fixed: HashMap<String, Expr>,
    /// The names of the frame fields, in file order.
    pub(crate) frame: Vec<String>,
    /// How time passes.
    pub(crate) clock: Clock,
    /// What makes time discrete, where it is.
    pub(crate) discrete: Option<Span>,
}

/// What the symbols of a name without primes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    Position,
    /// A group velocity: already a first derivative.
    Velocity,
    Control,
    /// An auxiliary state.
    Auxiliary,
}

impl Scope {
    /// The value of a name, if it has one.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        match &self.entries.get(name)?.meaning {
            Meaning::Parameter(value)
            | Meaning::Velocity(value)
            | Meaning::Abbreviation(value)
            | Meaning::Observable(value) => Some(value.clone()),
            Meaning::Coordinate(symbol) | Meaning::Auxiliary(symbol) | Meaning::Control(symbol) => {
                Some(Value::Scalar(symbol.into()))
            }
            Meaning::Group { element, .. } => Some(element.clone()),
            Meaning::Unknown | Meaning::Pending | Meaning::Field => None,
        }
    }

    /// The order of a symbol as a derivative of the configuration: 0 for positions, 1 for velocities.
    pub(crate) fn order(&self, symbol: &Symbol) -> Option<u32> {
        match self.variables.get(symbol.name())? {
            Variable::Position => Some(symbol.order()),
            Variable::Velocity => Some(symbol.order() + 1),
            Variable::Control | Variable::Auxiliary => None,
        }
    }

    /// The total time derivative, with group elements moved by their velocities.
    pub(crate) fn total_derivative(&self, entries: &[Expr]) -> Vec<Expr> {
        rattleback_symbolic::derivations(entries, |symbol| match symbol.role() {
            Role::Constant => Expr::zero(),
            Role::Time => Expr::one(),
            Role::Variable => self
                .rates
                .get(symbol)
                .cloned()
                .unwrap_or_else(|| symbol.derivative().into()),
        })
    }

    /// An expression of another reading in the constants of this one.
    pub(crate) fn in_scope(&self, e: &Expr) -> Expr {
        let pairs: Vec<(Symbol, Expr)> = e
            .free_symbols()
            .into_iter()
            .map(|s| (s.clone(), self.assumed(s.plain()).into()))
            .collect();
        e.substitute(&pairs)
    }

    /// The symbol with what the assumptions say about it.
    pub(crate) fn assumed(&self, symbol: Symbol) -> Symbol {
        let signed = match self.signs.get(symbol.name()) {
            Some(&sign) => symbol.with_sign(sign),
            None => symbol,
        };
        self.assumptions.apply(&signed)
    }
}
