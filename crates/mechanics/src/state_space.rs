//! The state of a formulation: which symbols, and what each of them is.

use rattleback_symbolic::Symbol;
use std::ops::Deref;

/// What a component of a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotRole {
    /// A coordinate, or an entry of a group element.
    Position,
    /// A velocity of the model, or a higher derivative.
    Velocity,
    /// A velocity in a frame of the constraints.
    FrameVelocity,
    /// A momentum, of the model's velocities, of a frame or reduced.
    Momentum,
    /// A multiplier that moves: that of a variational problem.
    Multiplier,
    /// A variable of first order beside the configuration.
    Auxiliary,
    /// A costate of a control problem.
    Costate,
}

/// A component of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its symbol.
    pub symbol: Symbol,
    /// What it is.
    pub role: SlotRole,
}

/// The components of a state in order. As a slice it is its symbols.
///
/// ```
/// use rattleback_mechanics::{SlotRole, StateSpace};
/// use rattleback_symbolic::Symbol;
/// let x = Symbol::variable("x");
/// let space = StateSpace::default()
///     .with(SlotRole::Position, [x.clone()])
///     .with(SlotRole::Velocity, [x.derivative()]);
/// assert_eq!(space[0], x);
/// assert_eq!(space.role(&x.derivative()), Some(SlotRole::Velocity));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSpace {
    symbols: Vec<Symbol>,
    roles: Vec<SlotRole>,
}

impl StateSpace {
    /// Followed by components of one role.
    pub fn with(mut self, role: SlotRole, symbols: impl IntoIterator<Item = Symbol>) -> Self {
        symbols
            .into_iter()
            .for_each(|symbol| self.push(Slot { symbol, role }));
        self
    }

    /// Adds a component at the end.
    pub fn push(&mut self, slot: Slot) {
        self.symbols.push(slot.symbol);
        self.roles.push(slot.role);
    }

    /// The components one by one.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        let both = self.symbols.iter().cloned().zip(&self.roles);
        both.map(|(symbol, &role)| Slot { symbol, role })
    }

    /// What a symbol is, if the state contains it.
    pub fn role(&self, symbol: &Symbol) -> Option<SlotRole> {
        let place = self.symbols.iter().position(|s| s == symbol)?;
        Some(self.roles[place])
    }
}

impl Deref for StateSpace {
    type Target = [Symbol];

    fn deref(&self) -> &[Symbol] {
        &self.symbols
    }
}
