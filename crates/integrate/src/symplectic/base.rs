//! What compositions are made of.

use crate::compensated::Compensated;
use crate::field::{Fault, VectorField};

/// A symmetric one-step method of order 2: stepping by h and then by −h leads back.
pub trait SymmetricBase<F: VectorField + ?Sized> {
    /// Steps the state from t to t + h in place. Does not allocate.
    fn advance(
        &mut self,
        field: &mut F,
        t: f64,
        h: f64,
        state: &mut Compensated,
    ) -> Result<(), Fault>;

    /// Forgets what was kept from the last step, because the state does not follow from it.
    fn forget(&mut self);

    /// How many times the method has evaluated the field so far.
    fn evaluations(&self) -> u64;
}
