//! Real solutions of equations, enclosed, at which a function is certainly not zero.

use super::point::Points;
use super::random::{Random, mix};
use super::verdict::Enclosure;
use crate::meaning::doubles::Doubles;
use crate::meaning::enclosure::{Enclosures, Interval};
use crate::meaning::{Lowered, Numbers, Prepared};
use crate::work::{cancelled, count_work};
use crate::{Expr, Rational, Sign, Symbol, facts_of, free_symbols};

/// What holds at the points that are looked for.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// What vanishes there.
    pub equations: Vec<Expr>,
    /// What the equations are solved for, beginning at 0.
    pub unknowns: Vec<Symbol>,
    /// Of these, too, as many are solved for as there are equations beyond the unknowns, beginning where they are drawn;
    /// the others are free.
    pub spare: Vec<Symbol>,
}

/// A real solution at which a function is certainly not zero.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedWitness {
    /// Values of the symbols that are free.
    pub point: Vec<(Symbol, Rational)>,
    /// Where those that are solved for lie.
    pub solved: Vec<(Symbol, Enclosure)>,
    /// The value of the function there lies inside, zero outside.
    pub value: Enclosure,
}

type Values = Vec<Interval<f64>>;

/// Points that are tried.
const DRAWS: usize = 24;
/// Newton's iterations from a point.
const ITERATIONS: usize = 40;
/// A solution is looked for in boxes that reach so far beyond what Newton's iteration finds, in parts of its size.
const REACHES: [f64; 3] = [1e-13, 1e-11, 1e-9];

/// Is the function certainly not zero at a real point where the equations hold, with all that is assumed of symbols? The
/// solution is enclosed by an interval Newton step: N(X) = m − J(X)⁻¹ r(m) lies inside X only around the one zero of r in X.
///
/// ```
/// use rattleback_symbolic::{Conditions, Expr, Symbol, nonzero_where};
/// let [x, y] = ["x", "y"].map(Symbol::variable);
/// let circle = Expr::from(&x).powi(2) + Expr::from(&y).powi(2) - 1;
/// let on = Conditions { equations: vec![circle.clone()], unknowns: vec![], spare: vec![x.clone(), y.clone()] };
/// let found = nonzero_where(&(Expr::from(&x) - Expr::from(&y)), &on).unwrap();
/// assert!(found.value.excludes_zero() && found.solved.len() == 1);
/// // What vanishes on the circle is not zero nowhere on it.
/// assert!(nonzero_where(&(circle * Expr::from(&x)), &on).is_none());
/// ```
pub fn nonzero_where(f: &Expr, on: &Conditions) -> Option<SolvedWitness> {
    let extra = on.equations.len().checked_sub(on.unknowns.len())?;
    let all = [std::slice::from_ref(f), &on.equations].concat();
    let is_unknown = |s: &Symbol| on.unknowns.contains(s);
    let mut roots = all.clone();
    // Unknowns are not drawn, and spare symbols are, wherever they occur.
    roots.extend(on.spare.iter().map(Expr::from));
    let free: Vec<Expr> = free_symbols(&roots)
        .into_iter()
        .filter(|s| !is_unknown(s))
        .map(Expr::from)
        .collect();
    if on.unknowns.iter().any(is_restricted) {
        return None;
    }
    let points = Points::new(&free);
    let mut random = Random::new(all.iter().fold(7, |h, e| mix(h ^ e.0.hash)));
    let mut system: Option<System> = None;
    for attempt in 0..DRAWS {
        if cancelled() {
            return None;
        }
        let Some(point) = points.draw(attempt, &mut random) else {
            continue;
        };
        let point = points.named(point);
        let Some(chosen) = chosen(on, extra, &point) else {
            continue;
        };
        if system.as_ref().is_none_or(|s| s.chosen != chosen) {
            system = System::new(f, on, chosen);
        }
        if let Some(found) = system.as_ref().and_then(|s| s.witness(&point)) {
            return Some(found);
        }
    }
    None
}

/// Does a relation to other symbols hold for it, which a box of values would have to be held against?
fn is_restricted(s: &Symbol) -> bool {
    !facts_of(std::slice::from_ref(s)).is_empty()
}

/// Which of the spare symbols the equations without unknowns determine at a point: the pivots of their derivatives.
fn chosen(on: &Conditions, extra: usize, point: &[(Symbol, Rational)]) -> Option<Vec<Symbol>> {
    let bare = |e: &&Expr| !e.contains_any(&on.unknowns);
    let candidates: Vec<Symbol> = on
        .spare
        .iter()
        .filter(|s| !is_restricted(s))
        .cloned()
        .collect();
    let rows: Vec<Expr> = on.equations.iter().filter(bare).cloned().collect();
    if extra == 0 {
        return Some(Vec::new());
    }
    let slopes: Vec<Expr> = rows.iter().flat_map(|r| r.gradient(&candidates)).collect();
    let program = Program::new(&slopes, point.iter().map(|(s, _)| s.clone()).collect())?;
    let at: Option<Values> = point.iter().map(|(_, r)| program.number(r)).collect();
    let values = program.values(&at?)?;
    let matrix = values.chunks(candidates.len().max(1));
    let matrix = matrix.map(|row| row.iter().cloned().map(Some).collect());
    let mut pivots = program.meaning().pivots(matrix.collect());
    pivots.sort_unstable();
    let chosen: Vec<Symbol> = pivots.into_iter().map(|j| candidates[j].clone()).collect();
    (chosen.len() == extra).then_some(chosen)
}

/// Expressions over enclosures.
struct Program {
    inputs: Vec<Symbol>,
    prepared: Prepared<Enclosures<Doubles>>,
}

impl Program {
    fn new(all: &[Expr], inputs: Vec<Symbol>) -> Option<Self> {
        let lowered = Lowered::new(&inputs, all).ok()?;
        let prepared = lowered.prepare(Enclosures(Doubles));
        Some(Self { inputs, prepared })
    }

    fn meaning(&self) -> &Enclosures<Doubles> {
        self.prepared.meaning()
    }

    fn number(&self, r: &Rational) -> Option<Interval<f64>> {
        self.meaning().number(r)
    }

    /// All values, if there are all.
    fn values(&self, at: &[Interval<f64>]) -> Option<Values> {
        count_work(self.prepared.len() as u64);
        let inputs: Vec<_> = at.iter().cloned().map(Some).collect();
        self.prepared.evaluate(&inputs).into_iter().collect()
    }
}

/// The equations with their derivatives by what is solved for, and the function.
struct System {
    chosen: Vec<Symbol>,
    /// Those first, then the unknowns.
    variables: Vec<Symbol>,
    /// Inputs are variables, then free symbols.
    residual: Program,
    slopes: Program,
    function: Program,
}

impl System {
    fn new(f: &Expr, on: &Conditions, chosen: Vec<Symbol>) -> Option<Self> {
        let variables = [&chosen[..], &on.unknowns].concat();
        let slopes = on.equations.iter().flat_map(|e| e.gradient(&variables));
        let slopes: Vec<Expr> = slopes.collect();
        let all = [std::slice::from_ref(f), &on.equations, &slopes].concat();
        let others = free_symbols(&all).into_iter();
        let others = others.filter(|s| !variables.contains(s));
        let inputs: Vec<Symbol> = variables.iter().cloned().chain(others).collect();
        Some(Self {
            residual: Program::new(&on.equations, inputs.clone())?,
            slopes: Program::new(&slopes, inputs.clone())?,
            function: Program::new(std::slice::from_ref(f), inputs)?,
            chosen,
            variables,
        })
    }

    /// The solution next to a point, if the function is certainly not zero there.
    fn witness(&self, point: &[(Symbol, Rational)]) -> Option<SolvedWitness> {
        let n = self.variables.len();
        let value = |s: &Symbol| point.iter().find(|(p, _)| p == s).map(|(_, r)| r.clone());
        let inputs = self.residual.inputs.iter();
        let start: Option<Values> = inputs
            .map(|s| self.residual.number(&value(s).unwrap_or(Rational::ZERO)))
            .collect();
        let at = self.enclosed(start?)?;
        let of_sign = |(s, x): (&Symbol, &Interval<f64>)| match s.sign() {
            Sign::Unknown => true,
            Sign::NonZero => x.low > 0.0 || x.high < 0.0,
            Sign::Positive | Sign::NonNegative => x.low > 0.0,
            Sign::Negative | Sign::NonPositive => x.high < 0.0,
        };
        if !self.variables.iter().zip(&at).all(of_sign) {
            return None;
        }
        let found = self.function.values(&at)?.pop()?;
        let value = enclosure(&found);
        let solved = self
            .variables
            .iter()
            .cloned()
            .zip(at[..n].iter().map(enclosure));
        let free = point.iter().filter(|(s, _)| !self.variables.contains(s));
        value.excludes_zero().then(|| SolvedWitness {
            point: free.cloned().collect(),
            solved: solved.collect(),
            value,
        })
    }

    /// A box with exactly one solution in it.
    fn enclosed(&self, mut at: Values) -> Option<Values> {
        let n = self.variables.len();
        for _ in 0..ITERATIONS {
            let step = self.correction(&at, &at)?;
            let size = at[..n].iter().fold(1.0f64, |m, x| m.max(x.low.abs()));
            let moved = step.iter().fold(0.0f64, |m, x| m.max(middle(x).abs()));
            for (x, c) in at.iter_mut().zip(&step) {
                let next = x.low - middle(c);
                *x = Interval {
                    low: next,
                    high: next,
                };
            }
            if moved <= REACHES[0] * size {
                let boxes = REACHES.into_iter();
                return boxes
                    .filter_map(|reach| self.inside(&at, reach * size))
                    .next();
            }
            if !moved.is_finite() {
                return None;
            }
        }
        None
    }

    /// N(X) for the box X that reaches so far around a point, if it lies inside X.
    fn inside(&self, at: &Values, reach: f64) -> Option<Values> {
        let n = self.variables.len();
        let mut around = at.clone();
        for x in &mut around[..n] {
            *x = Interval {
                low: (x.low - reach).next_down(),
                high: (x.high + reach).next_up(),
            };
        }
        let step = self.correction(at, &around)?;
        let meaning = self.residual.meaning();
        for ((x, m), c) in around.iter_mut().zip(at).zip(&step) {
            let next = meaning.subtract(m, c)?;
            if !(x.low < next.low && next.high < x.high) {
                return None;
            }
            *x = next;
        }
        Some(around)
    }

    /// J(X)⁻¹ r(m).
    fn correction(&self, at: &Values, around: &Values) -> Option<Values> {
        let n = self.variables.len();
        let residual = self.residual.values(at)?;
        let slopes = self.slopes.values(around)?;
        let rows = slopes.chunks(n.max(1)).map(<[_]>::to_vec).collect();
        self.residual.meaning().solve(rows, residual)
    }
}

fn enclosure(x: &Interval<f64>) -> Enclosure {
    Enclosure {
        low: x.low,
        high: x.high,
    }
}

fn middle(x: &Interval<f64>) -> f64 {
    enclosure(x).middle()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols<const N: usize>(names: [&str; N]) -> [Expr; N] {
        names.map(|n| Expr::from(Symbol::variable(n)))
    }

    fn as_symbols(all: &[Expr]) -> Vec<Symbol> {
        free_symbols(all)
    }

    /// u + u³ = a is solved; a function that vanishes on its solutions is not refuted, one beside it is.
    #[test]
    fn solutions_are_enclosed() {
        let [u, a] = symbols(["u", "a"]);
        let equation = &u + u.powi(3) - &a;
        let on = Conditions {
            equations: vec![equation.clone()],
            unknowns: as_symbols(std::slice::from_ref(&u)),
            spare: Vec::new(),
        };
        assert!(nonzero_where(&(&equation * u.cos()), &on).is_none());
        assert!(nonzero_where(&(&a - &u - u.powi(3)), &on).is_none());
        let found = nonzero_where(&(&u - &a), &on).unwrap();
        let (a, root) = (found.point[0].1.to_f64(), &found.solved[0].1);
        let r = |u: f64| u + u.powi(3) - a;
        // Beyond the rounding of r itself.
        assert!(
            r(root.low - 1e-15) < 0.0 && r(root.high + 1e-15) > 0.0,
            "{found:?}"
        );
        assert!(root.high - root.low < 1e-8, "{found:?}");
    }

    /// Without a real solution, or at one that is not simple, nothing is refuted.
    #[test]
    fn no_solution_refutes_nothing() {
        let [u, a] = symbols(["u", "a"]);
        let on = |equation: Expr| Conditions {
            equations: vec![equation],
            unknowns: as_symbols(std::slice::from_ref(&u)),
            spare: Vec::new(),
        };
        assert!(nonzero_where(&a, &on(u.powi(2) + 1 + a.powi(2))).is_none());
        assert!(nonzero_where(&a, &on(u.powi(2))).is_none());
        assert!(nonzero_where(&a, &on(&u - &u + &a - &a)).is_none());
    }

    /// What is assumed of a symbol holds at its solution as well.
    #[test]
    fn solutions_keep_signs() {
        let r = Symbol::variable("r").with_sign(Sign::Positive);
        let x = Symbol::variable("x");
        let sphere = Expr::from(&r).powi(2) + Expr::from(&x).powi(2) - 100;
        let on = Conditions {
            equations: vec![sphere],
            unknowns: Vec::new(),
            spare: vec![r.clone(), x.clone()],
        };
        for f in [
            Expr::from(&r),
            Expr::from(&x),
            Expr::from(&r) - Expr::from(&x),
        ] {
            let found = nonzero_where(&f, &on).unwrap();
            let (_, at) = &found.solved[0];
            let of = |s: &Symbol| {
                found
                    .point
                    .iter()
                    .find(|(p, _)| p == s)
                    .map(|p| p.1.to_f64())
            };
            let low = of(&r).unwrap_or(at.low);
            assert!(low > 0.0, "{found:?}");
        }
    }
}
