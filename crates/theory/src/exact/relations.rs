//! Linear relations with constant coefficients between vectors of functions.
//!
//! The functions are evaluated at many points of a prime field, all with the same values of the
//! parameters. A relation with constant coefficients holds at every point, so the kernel of that
//! table contains the values of all of them; each kernel vector is lifted to numbers, or to functions of the
//! parameters, and kept only if the relation is then proven.

use super::field::{Element, FIELD, Residues};
use crate::finding::search::{CutShort, Search, Searched};
use crate::{Effort, Gap};
use rattleback_symbolic::{
    Budget, Expr, Function, Kind, Map, Matrix, Role, Symbol, count_work, dot, normalize_within,
    nullspace_within, postorder, prove_all_zero, replace_all, residues_are_faithful,
    substitute_all,
};

/// Points beyond the number of unknowns, to make an accidental relation unlikely.
const SPARE: usize = 8;
/// Roots beyond which points where all of them exist are too rare.
const MOST_ROOTS: usize = 8;
/// What looking for such points may cost.
const MOST_OPERATIONS: u64 = 20_000_000;
/// A relation between more functions than this is lifted only if its coefficients are numbers.
const SYMBOLIC: usize = 14;
/// What coefficients that depend on parameters may cost: those that a person would write.
const EXACT: Budget = Budget {
    terms: 5_000,
    work: 1_000_000,
};

/// A basis of the constants c (numbers, or functions of parameters) with Σ_j c_j f_j = 0. `on`
/// parametrises redundant coordinates. Each relation is proven; `None` if the effort runs out.
pub(crate) fn constant_relations(
    functions: &[Vec<Expr>],
    on: &[(Symbol, Expr)],
    effort: Effort,
) -> Option<Vec<Vec<Expr>>> {
    let mut search = Search::of(Searched::Relations, effort);
    let found = all_constant_relations(functions, on, &mut search);
    match search.finish() {
        Ok(_) | Err(CutShort::LeftOut(_)) => Some(found),
        Err(CutShort::Effort { .. } | CutShort::Cancelled) => None,
    }
}

/// [`constant_relations`], with what was left out noted in the search.
pub(crate) fn all_constant_relations(
    functions: &[Vec<Expr>],
    on: &[(Symbol, Expr)],
    search: &mut Search,
) -> Vec<Vec<Expr>> {
    let length = functions.first().map_or(0, Vec::len);
    let Some(mut program) = Residues::new(&functions.concat(), on) else {
        search.leave_out(Gap::NoFieldValues);
        return Vec::new();
    };
    let (operations, roots) = (program.operations(), program.roots());
    let table = Table {
        columns: functions.len(),
        length,
        operations,
        roots,
    };
    let Some(rows) = table.rows(&mut |point| program.at(point), search) else {
        return Vec::new();
    };
    let is_faithful = || residues_are_faithful(&substitute_all(&functions.concat(), on));
    let functions = (functions.len(), || functions.to_vec());
    lifted(rows, functions, is_faithful, on, search)
}

/// The rates of a motion, with their values at points of a prime field: worked out once, however many functions are
/// differentiated along it.
pub(crate) struct Along {
    rates: Vec<Expr>,
    program: Option<Residues>,
    known: Map<u64, Option<Vec<Element>>>,
}

impl Along {
    /// On a space whose redundant coordinates `on` parametrises.
    pub(crate) fn new(rates: &[Expr], on: &[(Symbol, Expr)]) -> Self {
        Self {
            rates: rates.to_vec(),
            program: Residues::new(rates, on),
            known: Map::default(),
        }
    }

    fn at(&mut self, point: u64) -> Option<&[Element]> {
        let Self { program, known, .. } = self;
        let values = known.entry(point);
        let values = values.or_insert_with(|| program.as_mut().and_then(|p| p.at(point)));
        values.as_deref()
    }

    /// A basis of the constants c for which Σ_j c_j f_j is kept by the motion, given the gradients of the functions.
    pub(crate) fn kept(
        &mut self,
        gradients: &[Vec<Expr>],
        on: &[(Symbol, Expr)],
        search: &mut Search,
    ) -> Vec<Vec<Expr>> {
        let width = self.rates.len();
        let program = Residues::new(&gradients.concat(), on);
        let (Some(mut program), Some(flow)) = (program, &self.program) else {
            search.leave_out(Gap::NoFieldValues);
            return Vec::new();
        };
        let table = Table {
            columns: gradients.len(),
            length: 1,
            operations: program.operations() + flow.operations(),
            roots: program.roots() + flow.roots(),
        };
        let mut rate_at = |point: u64| {
            let slopes = program.at(point)?;
            let rates = self.at(point)?;
            count_work(slopes.len() as u64);
            let along = |slope: &[Element]| {
                let products = slope.iter().zip(rates).filter(|(s, _)| !s.is_zero());
                products.fold(Element::ZERO, |sum, (s, r)| {
                    FIELD.add(sum, FIELD.mul(*s, *r))
                })
            };
            Some(slopes.chunks(width.max(1)).map(along).collect())
        };
        let Some(rows) = table.rows(&mut rate_at, search) else {
            return Vec::new();
        };
        let rates = &self.rates;
        let is_faithful = || {
            let all = gradients.iter().chain([rates]).flatten().cloned();
            residues_are_faithful(&substitute_all(&all.collect::<Vec<Expr>>(), on))
        };
        let functions = || gradients.iter().map(|g| vec![dot(g, rates)]).collect();
        lifted(rows, (gradients.len(), functions), is_faithful, on, search)
    }
}

/// The relations behind the kernel of a table; what may be missed is noted in the search.
fn lifted(
    rows: Vec<Vec<Element>>,
    (columns, functions): (usize, impl FnOnce() -> Vec<Vec<Expr>>),
    is_faithful: impl FnOnce() -> bool,
    on: &[(Symbol, Expr)],
    search: &mut Search,
) -> Vec<Vec<Expr>> {
    let kernel = kernel(rows, columns);
    // Every relation of the field may be found, and yet not every one that is true.
    if kernel.len() < columns && !is_faithful() {
        search.leave_out(Gap::HiddenRelations);
    }
    if kernel.is_empty() {
        return Vec::new();
    }
    let functions = functions();
    let length = functions.first().map_or(0, Vec::len);
    let flat = substitute_all(&functions.concat(), on);
    let here: Vec<Vec<Expr>> = flat.chunks(length.max(1)).map(<[Expr]>::to_vec).collect();
    let mut found = Vec::new();
    for vector in kernel {
        if !search.goes_on() {
            return found;
        }
        match lift(&vector, &here, search.effort()) {
            Some(relation) => found.push(relation),
            None => search.leave_out(Gap::NoSmallCoefficients),
        }
    }
    found
}

/// The shape of a table of values, and what they cost.
struct Table {
    columns: usize,
    /// Components of each function.
    length: usize,
    operations: usize,
    roots: usize,
}

impl Table {
    /// One row per point and component: the values of all functions. `at` gives them function by function.
    fn rows(
        &self,
        at: &mut dyn FnMut(u64) -> Option<Vec<Element>>,
        search: &mut Search,
    ) -> Option<Vec<Vec<Element>>> {
        let wanted = self.columns + SPARE;
        // Half of the field has a square root: each of them halves the points that are of use.
        let few = 8 * wanted as u64 + 40;
        let affordable = MOST_OPERATIONS / (self.operations as u64 + 1);
        let most = (few << self.roots.min(MOST_ROOTS)).min(affordable.max(few));
        let mut rows = Vec::new();
        let mut point = 0;
        while rows.len() < wanted && self.length > 0 {
            if point > most {
                search.leave_out(Gap::TooFewPoints);
                return None;
            }
            if !search.goes_on() {
                return None;
            }
            if let Some(values) = at(point) {
                rows.extend((0..self.length).map(|k| {
                    let row = values.iter().skip(k).step_by(self.length);
                    row.copied().collect::<Vec<Element>>()
                }));
            }
            point += 1;
        }
        Some(rows)
    }
}

/// A basis of the kernel, one vector per column without pivot.
fn kernel(mut rows: Vec<Vec<Element>>, columns: usize) -> Vec<Vec<Element>> {
    let mut pivots: Vec<usize> = Vec::new();
    for j in 0..columns {
        let r = pivots.len();
        let Some(i) = (r..rows.len()).find(|&i| !rows[i][j].is_zero()) else {
            continue;
        };
        rows.swap(r, i);
        count_work((rows.len() * columns) as u64);
        let scale = FIELD.invert(rows[r][j]).unwrap_or(Element::ZERO);
        rows[r].iter_mut().for_each(|x| *x = FIELD.mul(*x, scale));
        let pivot = rows[r].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != r && !row[j].is_zero() {
                let factor = FIELD.negate(row[j]);
                for (x, y) in row.iter_mut().zip(&pivot) {
                    *x = FIELD.add(*x, FIELD.mul(factor, *y));
                }
            }
        }
        pivots.push(j);
    }
    let free = (0..columns).filter(|j| !pivots.contains(j));
    free.map(|j| {
        let mut v = vec![Element::ZERO; columns];
        v[j] = FIELD.one;
        for (row, &p) in rows.iter().zip(&pivots) {
            v[p] = FIELD.negate(row[j]);
        }
        v
    })
    .collect()
}

fn lift(vector: &[Element], functions: &[Vec<Expr>], effort: Effort) -> Option<Vec<Expr>> {
    let numbers: Option<Vec<Expr>> = vector
        .iter()
        .map(|&x| FIELD.small_fraction(x).map(Expr::from))
        .collect();
    let holds = |c: &[Expr]| prove_all_zero(&combination(c, functions)).is_proven();
    if let Some(c) = numbers
        && holds(&c)
    {
        return Some(c);
    }
    let support: Vec<usize> = (0..vector.len())
        .filter(|&j| !vector[j].is_zero())
        .collect();
    if support.len() > SYMBOLIC {
        return None;
    }
    let c = solve_in_parameters(&support, functions, effort)?;
    holds(&c).then_some(c)
}

/// Σ_j c_j f_j.
pub(crate) fn combination(c: &[Expr], functions: &[Vec<Expr>]) -> Vec<Expr> {
    let length = functions.first().map_or(0, Vec::len);
    let used: Vec<usize> = (0..c.len()).filter(|&j| !c[j].is_zero()).collect();
    (0..length)
        .map(|k| Expr::sum(used.iter().map(|&j| &c[j] * &functions[j][k])))
        .collect()
}

/// The relation between the functions at these positions, exactly: the functions at rational points are
/// functions of the parameters alone.
fn solve_in_parameters(
    support: &[usize],
    functions: &[Vec<Expr>],
    effort: Effort,
) -> Option<Vec<Expr>> {
    let mut flat: Vec<Expr> = support.iter().flat_map(|&j| functions[j].clone()).collect();
    let normal = |all: &[Expr]| -> Option<Vec<Expr>> {
        let within = |e: &Expr| match (effort.is_spent(), e.is_undefined()) {
            (true, _) => None,
            (_, true) => Some(e.clone()),
            _ => normalize_within(e, EXACT),
        };
        all.iter().map(within).collect()
    };
    // Normal forms have sines and cosines of plain angles only.
    if at_rational_point(&flat, 0).is_none() {
        flat = normal(&flat)?;
    }
    let length = flat.len() / support.len();
    let mut rows: Vec<Vec<Expr>> = Vec::new();
    for number in 0..support.len() as i64 + 2 {
        // Functions of the parameters alone are short.
        let values = normal(&at_rational_point(&flat, number)?)?;
        for k in 0..length {
            let row: Vec<Expr> = values.iter().skip(k).step_by(length).cloned().collect();
            if row.iter().any(Expr::is_undefined) {
                continue;
            }
            if row.iter().any(|e| !e.is_zero()) && !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    rows.truncate(4 * support.len());
    let space = nullspace_within(&Matrix::from_rows(&rows), EXACT).ok()?;
    let [relation] = space.basis.as_slice() else {
        return None;
    };
    let mut c = vec![Expr::zero(); functions.len()];
    for (&j, value) in support.iter().zip(relation) {
        c[j] = value.clone();
    }
    // Scaled so that the last coefficient, which has no pivot, is 1.
    let last = relation.last()?.clone();
    let scaled: Vec<Expr> = c.iter().map(|e| super::tidy(&(e / &last))).collect();
    (!last.is_zero()).then_some(scaled)
}

/// The values at a point with rational coordinates and rational sines and cosines.
fn at_rational_point(all: &[Expr], number: i64) -> Option<Vec<Expr>> {
    let moving = |e: &Expr| e.free_symbols().iter().any(|s| s.role() != Role::Constant);
    let mut table: Map<Expr, Expr> = Map::default();
    let mut atoms: Vec<Expr> = Vec::new();
    for e in postorder(all, |_| true) {
        let Kind::Function(f, x) = e.kind() else {
            continue;
        };
        if !moving(&x[0]) {
            continue;
        }
        if x[0].as_symbol().is_none() || !matches!(f, Function::Sin | Function::Cos) {
            return None;
        }
        let k = match atoms.iter().position(|a| *a == x[0]) {
            Some(k) => k,
            None => {
                atoms.push(x[0].clone());
                atoms.len() - 1
            }
        };
        let u = Expr::ratio(2 + number * 3 + k as i64, 3 + 2 * k as i64 + number % 2);
        let d = 1 + u.powi(2);
        let value = match f {
            Function::Cos => (1 - u.powi(2)) / d,
            _ => 2 * u / d,
        };
        table.insert(e.clone(), value);
    }
    let fixed = replace_all(all, &table);
    let free: Vec<(Symbol, Expr)> = rattleback_symbolic::free_symbols(&fixed)
        .into_iter()
        .filter(|s| s.role() != Role::Constant)
        .enumerate()
        .map(|(k, s)| {
            (
                s,
                Expr::ratio(3 + 2 * number + 5 * k as i64, 4 + number + k as i64),
            )
        })
        .collect();
    Some(substitute_all(&fixed, &free))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_parameters_are_found() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let [a, b] = ["a", "b"].map(|n| Expr::from(Symbol::constant(n)));
        let f = [
            vec![x.sin().powi(2), &a * &x],
            vec![x.cos().powi(2), Expr::zero()],
            vec![Expr::one(), &b * &x],
            vec![y.clone(), Expr::zero()],
            vec![Expr::zero(), x.clone()],
        ];
        let found = constant_relations(&f, &[], Effort::unlimited()).unwrap_or_default();
        assert_eq!(found.len(), 1);
        let c = &found[0];
        assert!(prove_all_zero(&combination(c, &f)).is_proven());
        assert!(!c[0].is_zero() && c[3].is_zero());
    }

    #[test]
    fn functions_without_relation_have_none() {
        let x = Expr::from(Symbol::variable("x"));
        let f = [vec![x.sin()], vec![x.cos()], vec![x.clone()], vec![x.exp()]];
        assert_eq!(
            constant_relations(&f, &[], Effort::unlimited()),
            Some(vec![])
        );
    }
}
