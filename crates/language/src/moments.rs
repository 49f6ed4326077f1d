//! Symbols for the values of a quantity at other moments: at the start of the motion, at the next node.

use rattleback_symbolic::{Expr, Role, Symbol};

/// The symbol that stands for the value of `symbol` at the start of the motion, a constant: `start(x')`.
///
/// ```
/// use rattleback_language::at_start;
/// use rattleback_symbolic::Symbol;
/// assert_eq!(at_start(&Symbol::variable("x").derivative()).to_string(), "start(x')");
/// ```
pub fn at_start(symbol: &Symbol) -> Symbol {
    Symbol::constant(&format!("start({symbol})")).with_sign(symbol.sign())
}

/// The symbol that stands for the value of `symbol` at the next node of a discrete motion: `next(x)`.
///
/// ```
/// use rattleback_language::at_next;
/// use rattleback_symbolic::Symbol;
/// assert_eq!(at_next(&Symbol::variable("x")).to_string(), "next(x)");
/// ```
pub fn at_next(symbol: &Symbol) -> Symbol {
    Symbol::variable(&format!("next({symbol})")).with_sign(symbol.sign())
}

/// An expression with what moves put at another moment.
pub(crate) fn moved(e: &Expr, moment: impl Fn(&Symbol) -> Symbol) -> Expr {
    let symbols = e.free_symbols().into_iter();
    let moves = symbols.filter(|s| s.role() != Role::Constant);
    let pairs: Vec<(Symbol, Expr)> = moves.map(|s| (s.clone(), moment(&s).into())).collect();
    e.substitute(&pairs)
}
