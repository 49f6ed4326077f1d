//! The differential equation of each function, in a form that recurrences and programs share.

use super::Function;

/// What a derivative is written in: the steps of a program, the series of a recurrence.
pub trait Algebra {
    /// A value.
    type Node: Copy;
    /// A number.
    fn number(&mut self, n: i64) -> Self::Node;
    /// a + b.
    fn plus(&mut self, a: Self::Node, b: Self::Node) -> Self::Node;
    /// a - b.
    fn minus(&mut self, a: Self::Node, b: Self::Node) -> Self::Node;
    /// a·b.
    fn times(&mut self, a: Self::Node, b: Self::Node) -> Self::Node;
    /// √a.
    fn root(&mut self, a: Self::Node) -> Self::Node;
}

/// The derivative of y = f(x) with respect to x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slope<N> {
    /// y' = y.
    Itself,
    /// y' = 1 - y².
    OneMinusSquare,
    /// y' = ±1/divisor.
    Over {
        /// A formula in x.
        divisor: N,
        /// Is it -1/divisor?
        negative: bool,
    },
    /// The sine s or the cosine c of an angle: s' = c and c' = ∓s, the lower sign for hyperbolic ones.
    Pair {
        /// Is it the sine?
        sine: bool,
        /// Is it hyperbolic?
        hyperbolic: bool,
    },
}

impl Function {
    /// The sine and the cosine of an angle.
    pub fn pair(hyperbolic: bool) -> (Function, Function) {
        match hyperbolic {
            true => (Function::Sinh, Function::Cosh),
            false => (Function::Sin, Function::Cos),
        }
    }
}
