//! The course of a function along a motion: between which numbers it and its slope stay.

use super::{Motion, RecordKind};
use rattleback_mechanics::Stage;
use rattleback_numeric::{Bounds, solve_between};
use rattleback_symbolic::{
    Expr, MissingInput, Ranges, Role, Set, Symbol, free_symbols, prove_zero,
};

/// Longer functions are not judged.
const LONGEST: usize = 400;
/// Linear equations with more unknowns are not enclosed: that takes longer than samples, and tells less.
const MOST_UNKNOWNS: usize = 8;

/// A function of (t, state, varied values) and its slope along any path, over boxes of them.
#[derive(Clone)]
pub struct Course {
    /// Which of (t, state) it is about.
    about: Vec<usize>,
    constants: Vec<Bounds>,
    /// What is solved for, one after the other.
    solves: Vec<Solve>,
    /// Of the function and of ġ = ∂g/∂t ṫ + ∂g/∂x ẋ, in what is solved for and its slopes, too.
    ranges: Ranges,
}

/// Linear equations A u = b for unknowns along a path, and for their slopes: A u̇ = ḃ − Ȧ u.
#[derive(Clone)]
struct Solve {
    unknowns: usize,
    /// A, b, Ȧ and ḃ.
    ranges: Ranges,
}

impl Motion {
    /// Is it proven that a function of the model and of what is recorded does not change along motions? One of conserved
    /// quantities, or one whose rate vanishes where the equations are explicit.
    pub fn keeps(&self, function: &Expr) -> bool {
        let is_kept = |s: &Symbol| {
            let name = s.to_string();
            let mut records = self.records.iter();
            let record = records.find(|r| r.name == name && !self.state.contains(s));
            match record {
                Some(r) if r.kind == RecordKind::Energy => {
                    self.power.as_ref().is_some_and(Expr::is_zero)
                }
                Some(r) => r.conserved,
                None => s.role() == Role::Constant,
            }
        };
        // What is varied may be fed in, and change with time.
        if function.contains_any(&self.varied()) {
            return false;
        }
        function.free_symbols().iter().all(is_kept) || self.is_explicitly_kept(function)
    }

    /// ġ = ∂g/∂t + ∂g/∂x f(t, x) = 0, where f has no equations left to be solved.
    fn is_explicitly_kept(&self, function: &Expr) -> bool {
        let function = self.express_recorded(function);
        let path = std::iter::once((Symbol::time(), Expr::one()));
        let rates = self.state.iter().cloned().zip(self.ambient.rates.clone());
        let slope = path.chain(rates).map(|(s, rate)| function.diff(&s) * rate);
        let slope = Expr::sum(slope);
        self.stages.is_empty() && slope.node_count() < LONGEST && prove_zero(&slope).is_proven()
    }

    /// The course of a function; none for one that takes the solution of equations that are not linear, or many.
    pub fn course(&self, function: &Expr) -> Option<Course> {
        let function = self
            .variation
            .apply(std::slice::from_ref(function))
            .swap_remove(0);
        let stages = self.needed_for(&function)?;
        let (names, values): (Vec<Symbol>, Vec<f64>) = self.constants.iter().cloned().unzip();
        let path: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(self.state.iter().cloned())
            .collect();
        let rates: Vec<Symbol> = path.iter().map(rate_of).collect();
        let solved = stages.iter().flat_map(|(_, all)| all);
        let read = free_symbols(&solved.chain([&function]).cloned().collect::<Vec<_>>());
        let about = path.iter().enumerate();
        let about = about.filter(|(_, s)| read.contains(s)).map(|(k, _)| k);
        let about = about.collect();
        let mut known = Known {
            inputs: [self.inputs(), rates, names].concat(),
            moving: path,
        };
        let mut solves = Vec::new();
        for (unknowns, all) in stages {
            solves.push(Solve {
                unknowns: unknowns.len(),
                ranges: known.ranges(&all).ok()?,
            });
            known.inputs.extend(unknowns.iter().cloned());
            known.inputs.extend(unknowns.iter().map(rate_of));
            known.moving.extend(unknowns);
        }
        Some(Course {
            about,
            solves,
            ranges: known.ranges(&[function]).ok()?,
            constants: values.into_iter().map(|x| (x, x)).collect(),
        })
    }

    /// The linear equations that a function needs solved, in their order: the unknowns, and the entries of A and b.
    fn needed_for(&self, function: &Expr) -> Option<Vec<(Vec<Symbol>, Vec<Expr>)>> {
        let mut wanted: Set<Symbol> = function.free_symbols().into_iter().collect();
        let mut found = Vec::new();
        for stage in self.variation.apply_to_stages(&self.stages).iter().rev() {
            if !stage.unknowns().iter().any(|u| wanted.contains(u)) {
                continue;
            }
            let Stage::Linear {
                unknowns,
                matrix,
                rhs,
            } = stage
            else {
                return None;
            };
            if unknowns.len() > MOST_UNKNOWNS {
                return None;
            }
            let all = [matrix.entries(), rhs].concat();
            wanted.extend(all.iter().flat_map(Expr::free_symbols));
            found.push((unknowns.clone(), all));
        }
        found.reverse();
        Some(found)
    }
}

/// What functions along a path may use.
struct Known {
    inputs: Vec<Symbol>,
    /// What has a slope.
    moving: Vec<Symbol>,
}

impl Known {
    /// Functions, and then their slopes.
    fn ranges(&self, all: &[Expr]) -> Result<Ranges, MissingInput> {
        let slope = |f: &Expr| {
            let terms = self.moving.iter();
            Expr::sum(terms.map(|s| f.diff(s) * Expr::from(rate_of(s))))
        };
        let slopes: Vec<Expr> = all.iter().map(slope).collect();
        Ranges::new(&self.inputs, &[all, &slopes].concat())
    }
}

/// The slope of a symbol along a path. No name of a model has a blank.
fn rate_of(s: &Symbol) -> Symbol {
    Symbol::variable(&format!("rate of {s}"))
}

impl Solve {
    /// Bounds of the unknowns and of their slopes, between these bounds of what is known.
    fn over(&self, sides: &[Bounds]) -> Option<[Vec<Bounds>; 2]> {
        let n = self.unknowns;
        let found: Option<Vec<Bounds>> = self.ranges.over(sides).into_iter().collect();
        let found = found?;
        let (values, slopes) = found.split_at(n * (n + 1));
        let (matrix, rhs) = values.split_at(n * n);
        let (turning, pushed) = slopes.split_at(n * n);
        let unknowns = solve_between(n, matrix, rhs)?;
        // ḃ − Ȧ u.
        let rest = |i: usize| {
            let row = turning[i * n..(i + 1) * n].iter().zip(&unknowns);
            row.fold(pushed[i], |rest, (a, u)| minus(rest, product(*a, *u)))
        };
        let rest: Vec<Bounds> = (0..n).map(rest).collect();
        let rates = solve_between(n, matrix, &rest)?;
        Some([unknowns, rates])
    }
}

fn product(a: Bounds, b: Bounds) -> Bounds {
    let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    let low = all.into_iter().fold(f64::INFINITY, f64::min);
    let high = all.into_iter().fold(f64::NEG_INFINITY, f64::max);
    (low.next_down(), high.next_up())
}

fn minus(a: Bounds, b: Bounds) -> Bounds {
    ((a.0 - b.1).next_down(), (a.1 - b.0).next_up())
}

impl Course {
    /// Which of (t, state) the function depends on, by itself or by what is solved for.
    pub fn about(&self) -> &[usize] {
        &self.about
    }

    /// The least and the most of the function and of its slope, for varied values that are given and boxes of (t, state)
    /// and of their slopes.
    pub fn over(&self, given: &[f64], inside: &[Bounds], slopes: &[Bounds]) -> [Option<Bounds>; 2] {
        let given: Vec<Bounds> = given.iter().map(|x| (*x, *x)).collect();
        let mut sides = [inside, &given, slopes, &self.constants].concat();
        for solve in &self.solves {
            let Some([unknowns, rates]) = solve.over(&sides) else {
                return [None; 2];
            };
            sides.extend(unknowns);
            sides.extend(rates);
        }
        let found = self.ranges.over(&sides);
        [found[0], found[1]]
    }
}
