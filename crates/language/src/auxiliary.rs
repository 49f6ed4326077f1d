//! Auxiliary states with their rates or maps, and the laws that drive the controls.

use rattleback_symbolic::{Expr, Symbol};

use crate::source::Span;

/// How time passes in a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Along the line.
    #[default]
    Continuous,
    /// From node to node, by the `map` of each state.
    Map,
    /// From node to node, by a Lagrangian of [two points](crate::at_next) L(x, next(x)).
    DiscreteLagrangian,
}

/// How an auxiliary state goes on.
#[derive(Clone, Debug)]
pub enum Update {
    /// z' = rate. Derivatives of other states stand for their rates: [`Model::rates`](crate::Model::rates) has them put in.
    Rate(Expr),
    /// next(z) = map.
    Map(Expr),
}

impl Update {
    /// The right-hand side.
    pub fn expression(&self) -> &Expr {
        match self {
            Update::Rate(e) | Update::Map(e) => e,
        }
    }
}

/// A variable of first order beside the configuration.
#[derive(Clone, Debug)]
pub struct AuxiliaryState {
    /// Its symbol. Its derivative, in any expression of the model, stands for its rate.
    pub symbol: Symbol,
    /// Its rate or its map.
    pub update: Update,
    /// Where the rate or the map stands.
    pub update_span: Span,
    /// The comment at its declaration.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// The law that feeds a control where nothing is optimised.
#[derive(Clone, Debug)]
pub struct Input {
    /// The control.
    pub control: Symbol,
    /// An expression in `t`, parameters, coordinates, velocities and auxiliary states.
    pub law: Expr,
    /// The comment at its statement.
    pub doc: Option<String>,
    /// Where it stands, in the file or in the setting.
    pub span: Span,
    /// The setting of the command line that gave it, if one did.
    pub setting: Option<String>,
}
