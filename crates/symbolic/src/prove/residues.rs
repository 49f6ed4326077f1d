//! Values of expressions in one prime field, at points that all programs share.

use super::field::Element;
use super::program::{Leaves, compile_shared};
use super::random::{Random, mix};
use super::trial::{Leaf, Trial};
use crate::prove::program::Program;
use crate::{Expr, Role, Symbol};

/// Expressions as functions on numbered points of [`Field::SHARED`](crate::Field::SHARED).
///
/// A value is the image under a ring homomorphism: what holds identically holds here. Variables differ from
/// point to point, constants do not; a name has one value at a point in all programs. Of square roots one
/// branch is taken, and functions without algebraic relations go to unrelated elements, so that a relation
/// may be missed.
///
/// ```
/// use rattleback_symbolic::{Expr, Residues, Symbol};
/// let x = Expr::from(Symbol::variable("x"));
/// let mut square = Residues::new(&[x.sin().powi(2) + x.cos().powi(2)], &[]).unwrap();
/// let mut one = Residues::new(&[Expr::one()], &[]).unwrap();
/// assert_eq!(square.at(7), one.at(3));
/// ```
pub struct Residues {
    trial: Trial<Program>,
    /// The key of each leaf, and whether it differs from point to point.
    symbols: Vec<(u64, bool)>,
    angles: Vec<(u64, bool)>,
    exponentials: Vec<(u64, bool)>,
}

impl Residues {
    /// The expressions, on a space whose coordinates `on` may parametrise; `None` where one has no image.
    pub fn new(all: &[Expr], on: &[(Symbol, Expr)]) -> Option<Self> {
        let (program, leaves) = compile_shared(all, on).ok()?;
        let Leaves {
            symbols,
            angles,
            exponentials,
        } = leaves;
        Some(Self {
            trial: Trial::shared(program, Random::new(0))?,
            symbols: symbols.iter().map(|s| key(&s.into())).collect(),
            angles: angles.iter().map(key).collect(),
            exponentials: exponentials.iter().map(key).collect(),
        })
    }

    /// How many operations it has.
    pub fn operations(&self) -> usize {
        self.trial.program().lowered.len()
    }

    /// How many roots have to exist at a point.
    pub fn roots(&self) -> usize {
        self.trial.program().roots()
    }

    /// The values at a point; `None` at a pole or where a root is missing.
    pub fn at(&mut self, point: u64) -> Option<Vec<Element>> {
        let Self {
            trial,
            symbols,
            angles,
            exponentials,
        } = self;
        let keyed = |kind: u64, (key, moves): (u64, bool)| {
            let place = if moves { point + 1 } else { 0 };
            Random::new(mix(mix(key ^ kind) ^ place))
        };
        trial.place(|leaf, random| {
            *random = match leaf {
                Leaf::Secret => keyed(0, (0, false)),
                Leaf::Pi => keyed(1, (0, false)),
                Leaf::Symbol(i) => keyed(2, symbols[i]),
                Leaf::Angle(i) => keyed(3, angles[i]),
                Leaf::Exponential(i) => keyed(4, exponentials[i]),
            }
        });
        trial.run(0).ok()?;
        Some(trial.outputs())
    }
}

fn key(e: &Expr) -> (u64, bool) {
    let moves = e.free_symbols().iter().any(|s| s.role() != Role::Constant);
    (e.0.hash, moves)
}
