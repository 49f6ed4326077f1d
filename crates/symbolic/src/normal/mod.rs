//! Normal forms: expressions as quotients of polynomials in lowest terms.
//!
//! The generators are symbols, roots, and the sines, cosines and exponentials of independent angles;
//! what other functions do is not known here. Everything works within a [`Budget`].

mod cancel;
mod circle;
pub(crate) mod convert;
pub(crate) mod fraction;
pub(crate) mod generator;
pub(crate) mod ring;
mod survey;

use crate::budget::Meter;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Budget, Expr};
use convert::{Converted, NoForm, convert};
use generator::Depth;
use std::rc::Rc;

/// One quotient in lowest terms, products multiplied out, angles split into independent ones;
/// the expression itself where that takes more than the default [`Budget`].
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, normalize};
/// let x = Expr::from(Symbol::variable("x"));
/// let e = (x.powi(2) - 1) / (&x - 1) + (2 * &x).sin() / x.cos() - 2 * x.sin();
/// assert_eq!(normalize(&e), &x + 1);
/// ```
pub fn normalize(e: &Expr) -> Expr {
    normalize_within(e, Budget::default()).unwrap_or_else(|| e.clone())
}

/// [`normalize`] with a budget of one's own: `None` where it does not suffice, or where the expression
/// divides by zero.
pub fn normalize_within(e: &Expr, budget: Budget) -> Option<Expr> {
    form(e, Depth::Angles, true, budget)
}

/// One quotient in lowest terms with the arguments of functions as they are: sin(2x) stays.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, cancel};
/// let x = Expr::from(Symbol::variable("x"));
/// assert_eq!(cancel(&((1 - x.cos().powi(2)) / x.sin())), x.sin());
/// ```
pub fn cancel(e: &Expr) -> Expr {
    cancel_within(e, Budget::default()).unwrap_or_else(|| e.clone())
}

/// [`cancel`] with a budget of one's own.
pub fn cancel_within(e: &Expr, budget: Budget) -> Option<Expr> {
    form(e, Depth::Pythagoras, true, budget)
}

/// One quotient over a common denominator, nothing cancelled beyond what is plain to see.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, together};
/// let (x, y) = (Expr::from(Symbol::variable("x")), Expr::from(Symbol::variable("y")));
/// assert_eq!(together(&(1 / &x + 1 / &y)), (&x + &y) / (&x * &y));
/// ```
pub fn together(e: &Expr) -> Expr {
    form(e, Depth::Pythagoras, false, Budget::default()).unwrap_or_else(|| e.clone())
}

/// Products and powers of sums multiplied out; functions and denominators stay as they are.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, expand};
/// let (x, y) = (Expr::from(Symbol::variable("x")), Expr::from(Symbol::variable("y")));
/// assert_eq!(expand(&(&x + &y).powi(2)), x.powi(2) + 2 * &x * &y + y.powi(2));
/// ```
pub fn expand(e: &Expr) -> Expr {
    expand_within(e, Budget::default()).unwrap_or_else(|| e.clone())
}

/// [`expand`] with a budget of one's own.
pub fn expand_within(e: &Expr, budget: Budget) -> Option<Expr> {
    form(e, Depth::Plain, false, budget)
}

fn form(e: &Expr, depth: Depth, lowest: bool, budget: Budget) -> Option<Expr> {
    let meter = Rc::new(Meter::new(budget));
    let e = &with_formed_arguments(e, depth, lowest, &meter)?;
    shallow_form(e, depth, lowest, &meter).ok()
}

/// The form of an expression whose functions are left alone.
fn shallow_form(e: &Expr, depth: Depth, lowest: bool, meter: &Rc<Meter>) -> Result<Expr, NoForm> {
    let Converted { ring, fractions } = convert(std::slice::from_ref(e), depth, meter)?;
    let Some(fraction) = fractions.into_iter().next() else {
        return Ok(e.clone());
    };
    let fraction = if lowest {
        fraction.cancelled(&ring)?
    } else {
        fraction
    };
    Ok(if depth == Depth::Plain {
        ring.spread(&fraction)
    } else {
        ring.quotient(&fraction)
    })
}

/// Replaces the arguments of functions by their forms, innermost first.
pub(crate) fn with_formed_arguments(
    e: &Expr,
    depth: Depth,
    lowest: bool,
    meter: &Rc<Meter>,
) -> Option<Expr> {
    let is_simple = |x: &Expr| match x.kind() {
        Kind::Sum(_, terms) => terms.iter().all(|(t, _)| t.as_symbol().is_some()),
        _ => x.split_coefficient().1.as_symbol().is_some(),
    };
    // What became of the nodes that changed.
    let mut changed: Map<Expr, Expr> = Map::default();
    for node in postorder(std::slice::from_ref(e), |_| true) {
        let mut stale = false;
        node.kind()
            .for_each_child(|c| stale |= changed.contains_key(c));
        let rebuilt = if stale {
            node.kind().rebuild(|c| changed.get(c).unwrap_or(c).clone())
        } else {
            None
        };
        let mut new = rebuilt.unwrap_or_else(|| node.clone());
        if let Kind::Function(f, arguments) = new.kind()
            && !arguments.iter().all(is_simple)
        {
            let mut formed = Vec::with_capacity(arguments.len());
            for x in arguments {
                formed.push(shallow_form(x, depth, lowest, meter).ok()?);
            }
            new = f.apply(&formed);
        }
        if new != node {
            changed.insert(node, new);
        }
    }
    Some(changed.remove(e).unwrap_or_else(|| e.clone()))
}
