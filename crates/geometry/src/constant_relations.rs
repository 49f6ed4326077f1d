//! Linear relations with constant coefficients between vectors of functions.

use crate::express::Basis;
use crate::proof::{Parametrization, vanish_on};
use rattleback_symbolic::{Expr, Matrix, Role, Symbol, free_symbols, substitute_all};

/// A basis of the constants c with Σ_a c_a f_a = 0; constants may contain parameters.
///
/// A relation with constant coefficients holds at every point, so the functions are evaluated at as
/// many unrelated points as there are functions (each with its own copy of the variables); what
/// solves all those equations is a candidate, and is kept if the relation can be proven.
pub(crate) fn constant_relations(functions: &[Vec<Expr>], on: &Parametrization) -> Vec<Vec<Expr>> {
    let count = functions.len();
    let length = functions.first().map_or(0, Vec::len);
    let here: Vec<Vec<Expr>> = functions.iter().map(|f| substitute_all(f, on)).collect();
    let variables: Vec<Symbol> = free_symbols(&here.concat())
        .into_iter()
        .filter(|s| s.role() != Role::Constant)
        .collect();
    // Row a of the table is f_a at all points; a relation between rows is what is sought.
    let mut table: Vec<Vec<Expr>> = vec![Vec::with_capacity(count * length); count];
    for point in 0..count {
        let copy = copies(&variables, point);
        for (row, f) in table.iter_mut().zip(&here) {
            row.extend(substitute_all(f, &copy));
        }
    }
    let table = Matrix::new(count, count * length, |a, k| table[a][k].clone());
    let Ok(basis) = Basis::of_rows(&table, &[]) else {
        return Vec::new();
    };
    let solver = basis.solver();
    (0..count)
        .filter(|a| !basis.kept.contains(a))
        .filter_map(|a| {
            let c = solver.coefficients(table.row(a));
            let values = constants(&c, &variables, count)?;
            let mut relation = vec![Expr::zero(); count];
            relation[a] = Expr::one();
            for (&k, value) in basis.kept.iter().zip(values) {
                relation[k] = -value;
            }
            let defect: Vec<Expr> = (0..length)
                .map(|k| Expr::sum((0..count).map(|b| &relation[b] * &functions[b][k])))
                .collect();
            vanish_on(&defect, on).is_proven().then_some(relation)
        })
        .collect()
}

fn copies(variables: &[Symbol], point: usize) -> Vec<(Symbol, Expr)> {
    variables
        .iter()
        .map(|s| (s.clone(), copy(s, point).into()))
        .collect()
}

fn copy(s: &Symbol, point: usize) -> Symbol {
    Symbol::variable(&format!("{s}_at_{point}")).with_sign(s.sign())
}

/// Coefficients that do not depend on the points, read off at some values of the variables.
fn constants(c: &[Expr], variables: &[Symbol], points: usize) -> Option<Vec<Expr>> {
    // Distinct small rationals, so that differences between points do not vanish.
    let values: Vec<(Symbol, Expr)> = (0..points)
        .flat_map(|p| variables.iter().map(move |s| copy(s, p)))
        .enumerate()
        .map(|(k, s)| (s, Expr::ratio(k as i64 + 2, 7)))
        .collect();
    let read = substitute_all(c, &values);
    if read.iter().any(Expr::is_undefined) {
        return None;
    }
    Some(read.iter().map(crate::tidy::tidy).collect())
}
