//! The functions of the language by name.

use super::{Arccosine, Arcsine, Arctangent, Exponential};
use super::{HyperbolicCosine, HyperbolicSine, HyperbolicTangent, Logarithm, each};
use rattleback_symbolic::Function;

/// The functions of one number that generated code calls, by their places here.
pub(crate) const CALLED: [Function; 8] = [
    Function::Asin,
    Function::Acos,
    Function::Atan,
    Function::Sinh,
    Function::Cosh,
    Function::Tanh,
    Function::Exp,
    Function::Log,
];

/// A function of one number at each place.
pub(crate) fn function(f: Function, x: &[f64], y: &mut [f64]) {
    match f {
        Function::Asin => each(Arcsine, [x], y),
        Function::Acos => each(Arccosine, [x], y),
        Function::Atan => each(Arctangent, [x], y),
        Function::Sinh => each(HyperbolicSine, [x], y),
        Function::Cosh => each(HyperbolicCosine, [x], y),
        Function::Tanh => each(HyperbolicTangent, [x], y),
        Function::Exp => each(Exponential, [x], y),
        Function::Log => each(Logarithm, [x], y),
        // Sines and cosines come in pairs, angles of points and powers have two arguments: not by this way.
        Function::Sin | Function::Cos | Function::Atan2 | Function::Power => y.fill(f64::NAN),
    }
}
