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
    /// The factor of the configuration space that it is a point, a velocity or a momentum of; none where it belongs to
    /// several, or to none.
    pub factor: Option<usize>,
    /// Its unit, where the model states one.
    pub unit: Option<String>,
}

impl Slot {
    /// A component that belongs to no factor yet.
    pub fn new(symbol: Symbol, role: SlotRole) -> Self {
        Self {
            symbol,
            role,
            factor: None,
            unit: None,
        }
    }
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
    slots: Vec<Slot>,
}

impl StateSpace {
    /// Followed by components of one role.
    pub fn with(mut self, role: SlotRole, symbols: impl IntoIterator<Item = Symbol>) -> Self {
        let slots = symbols.into_iter().map(|symbol| Slot::new(symbol, role));
        slots.for_each(|slot| self.push(slot));
        self
    }

    /// Adds a component at the end.
    pub fn push(&mut self, slot: Slot) {
        self.symbols.push(slot.symbol.clone());
        self.slots.push(slot);
    }

    /// The components one by one.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What a symbol is, if the state contains it.
    pub fn role(&self, symbol: &Symbol) -> Option<SlotRole> {
        let slot = self.slots.iter().find(|slot| slot.symbol == *symbol);
        slot.map(|slot| slot.role)
    }

    /// The same components under other names.
    pub fn renamed(&self, name: impl Fn(&Symbol) -> Symbol) -> Self {
        let mut all = Self::default();
        for slot in &self.slots {
            all.push(Slot {
                symbol: name(&slot.symbol),
                ..slot.clone()
            });
        }
        all
    }
}

impl Deref for StateSpace {
    type Target = [Symbol];

    fn deref(&self) -> &[Symbol] {
        &self.symbols
    }
}
