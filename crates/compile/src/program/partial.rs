//! The partial derivatives of each instruction by its operands.

use super::builder::Builder;
use super::op::{Op, Slot};
use rattleback_symbolic::{Algebra, Function, Slope};

/// ∂op/∂operand for each operand that stands in the instruction itself; `value` is what the instruction gives, `v` the
/// values of its operands.
pub(super) fn partials(
    b: &mut Builder,
    op: &Op,
    value: Slot,
    v: impl Fn(Slot) -> Slot,
) -> Vec<Slot> {
    let one = b.constant(1.0);
    let minus = b.constant(-1.0);
    match *op {
        Op::Add(..) => vec![one, one],
        Op::Sub(..) => vec![one, minus],
        Op::Neg(_) => vec![minus],
        Op::Mul(x, y) => vec![v(y), v(x)],
        Op::Div(_, y) => {
            let inverse = b.recip(v(y));
            let product = b.mul(value, inverse);
            vec![inverse, b.neg(product)]
        }
        Op::Sqrt(_) => {
            let half = b.constant(0.5);
            vec![b.div(half, value)]
        }
        Op::Power(x, r) => {
            let lower = b.power(v(x), r - 1.0);
            let r = b.constant(r);
            vec![b.mul(r, lower)]
        }
        Op::PowerOf(x, y) => {
            let less = b.sub(v(y), one);
            let lower = b.power_of(v(x), less);
            let log = b.function(Function::Log, v(x));
            vec![b.mul(v(y), lower), b.mul(value, log)]
        }
        Op::MulAdd(x, y, _) => vec![v(y), v(x), one],
        Op::NegMulAdd(x, y, _) => vec![b.neg(v(y)), b.neg(v(x)), one],
        Op::MulSub(x, y, _) => vec![v(y), v(x), minus],
        Op::NegMulSub(x, y, _) => vec![b.neg(v(y)), b.neg(v(x)), minus],
        Op::Function(f, x) => vec![slope(b, f, v(x), value)],
        Op::Atan2(y, x) => {
            let (y, x) = (v(y), v(x));
            let (y2, x2) = (b.mul(y, y), b.mul(x, x));
            let r2 = b.add(x2, y2);
            let (dy, dx) = (b.div(x, r2), b.div(y, r2));
            vec![dy, b.neg(dx)]
        }
        Op::Constant(_) | Op::Input(_) | Op::Solution(..) | Op::Check { .. } => Vec::new(),
    }
}

/// f'(x), where `value` is f(x).
fn slope(b: &mut Builder, f: Function, x: Slot, value: Slot) -> Slot {
    match f.slope(b, x) {
        Some(Slope::Itself) => value,
        Some(Slope::OneMinusSquare) => {
            let (one, square) = (b.constant(1.0), b.mul(value, value));
            b.sub(one, square)
        }
        Some(Slope::Over { divisor, negative }) => {
            let slope = b.recip(divisor);
            if negative { b.neg(slope) } else { slope }
        }
        Some(Slope::Pair { sine, hyperbolic }) => {
            let (s, c) = Function::pair(hyperbolic);
            match (sine, hyperbolic) {
                (true, _) => b.function(c, x),
                (false, true) => b.function(s, x),
                (false, false) => {
                    let sine = b.function(s, x);
                    b.neg(sine)
                }
            }
        }
        // Functions of two arguments have instructions of their own.
        None => b.constant(f64::NAN),
    }
}

impl Algebra for Builder {
    type Node = Slot;
    fn number(&mut self, n: i64) -> Slot {
        self.constant(n as f64)
    }
    fn plus(&mut self, a: Slot, b: Slot) -> Slot {
        self.add(a, b)
    }
    fn minus(&mut self, a: Slot, b: Slot) -> Slot {
        self.sub(a, b)
    }
    fn times(&mut self, a: Slot, b: Slot) -> Slot {
        self.mul(a, b)
    }
    fn root(&mut self, a: Slot) -> Slot {
        self.sqrt(a)
    }
}
