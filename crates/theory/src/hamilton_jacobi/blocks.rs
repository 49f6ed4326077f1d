//! Systems that are sums of smaller ones: the parts are solved one by one.

use super::change::Change;
use super::search::{self, Context, Found};
use super::solution::{Candidate, Method, Solution};
use crate::exact::tidy;
use rattleback_mechanics::{Constraints, Quantity, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// More coordinates are not looked at: pairs of them are.
const MANY: usize = 10;

/// Sets of coordinates that neither the Lagrangian nor a constraint nor a force links; `None` if all
/// belong together.
pub(crate) fn parts(system: &System) -> Option<Vec<Vec<usize>>> {
    let q = system.frame().base();
    let n = q.len();
    if system.has_groups() || system.order() > 1 || !(2..=MANY).contains(&n) {
        return None;
    }
    let mut part: Vec<usize> = (0..n).collect();
    let mut join = |a: usize, b: usize| {
        let (from, to) = (part[a].max(part[b]), part[a].min(part[b]));
        part.iter_mut()
            .filter(|p| **p == from)
            .for_each(|p| *p = to);
    };
    let of = |i: usize| [q[i].clone(), q[i].derivative()];
    for i in 0..n {
        let slopes = system.lagrangian().gradient(&of(i));
        for j in i + 1..n {
            let linked = slopes
                .iter()
                .any(|s| of(j).iter().any(|x| !tidy(&s.diff(x)).is_zero()));
            if linked {
                join(i, j);
            }
        }
        let force = &system.force()[i];
        for j in (0..n).filter(|&j| force.contains_any(&of(j))) {
            join(i, j);
        }
    }
    let forms = system.constraints().forms();
    for s in 0..forms.rows() {
        let row = forms.row(s);
        let linked: Vec<usize> = (0..n)
            .filter(|&i| !row[i].is_zero() || row.iter().any(|e| e.contains(&q[i])))
            .collect();
        linked.windows(2).for_each(|w| join(w[0], w[1]));
    }
    let mut all: Vec<Vec<usize>> = Vec::new();
    for root in 0..n {
        let members: Vec<usize> = (0..n).filter(|&i| part[i] == root).collect();
        if !members.is_empty() {
            all.push(members);
        }
    }
    (all.len() > 1).then_some(all)
}

/// The part of a system on some of its coordinates: the others rest at a regular point.
fn restricted(system: &System, own: &[usize], whole: bool) -> Option<System> {
    let q = system.frame().base();
    let symbols: Vec<Symbol> = own.iter().map(|&i| q[i].clone()).collect();
    let at = |value: &Expr, which: &dyn Fn(usize) -> bool| -> Vec<(Symbol, Expr)> {
        (0..q.len())
            .filter(|&i| which(i))
            .flat_map(|i| {
                [
                    (q[i].clone(), value.clone()),
                    (q[i].derivative(), Expr::zero()),
                ]
            })
            .collect()
    };
    let lagrangian = [Expr::zero(), Expr::one(), Expr::ratio(1, 2)]
        .iter()
        .map(|value| {
            let rest = system
                .lagrangian()
                .substitute(&at(value, &|i| !own.contains(&i)));
            // The constant belongs to one part only.
            match whole {
                true => rest,
                false => rest - system.lagrangian().substitute(&at(value, &|_| true)),
            }
        })
        .find(|l| !l.is_undefined())?;
    let forms = system.constraints().forms();
    let rows: Vec<Vec<Expr>> = (0..forms.rows())
        .map(|s| {
            own.iter()
                .map(|&i| forms[(s, i)].clone())
                .collect::<Vec<_>>()
        })
        .filter(|row| row.iter().any(|e| !e.is_zero()))
        .collect();
    let constraints = match rows.is_empty() {
        true => Constraints::none(own.len()),
        false => Constraints::new(Matrix::from_rows(&rows), vec![Expr::zero(); rows.len()]),
    };
    let circles = system.circles().iter().filter(|s| symbols.contains(s));
    Some(
        System::on_coordinates(system.name(), &symbols, tidy(&lagrangian))
            .with_constraints(constraints)
            .with_force(own.iter().map(|&i| system.force()[i].clone()).collect())
            .with_circles(circles.cloned().collect()),
    )
}

/// A complete family of the sum from complete families of its parts: each keeps its own energy.
pub(crate) fn solve(system: &System, context: &Context) -> Option<(Candidate, Option<Change>)> {
    let parts = parts(system)?;
    let (energy, mut free) = context.names.split_first()?;
    let mut taken = context.taken.clone();
    let mut solved: Vec<(Vec<usize>, System, Solution)> = Vec::new();
    for (number, own) in parts.iter().enumerate() {
        let part = restricted(system, own, number == 0)?;
        let mut own_names = free.to_vec();
        if number == 0 {
            own_names.insert(0, energy.clone());
        }
        let inner = context.inside(own_names, taken.clone());
        let Found { solutions, .. } = search::run(&part, &inner).ok()?;
        let solution = solutions.into_iter().find(|s| s.complete.is_proven())?;
        let used = |s: &Symbol| solution.constants.contains(s);
        free = &free[free.iter().rposition(used).map_or(0, |i| i + 1)..];
        if let Some(c) = &solution.coordinates {
            taken.extend(c.coordinates.iter().map(|s| s.name().to_string()));
        }
        solved.push((own.clone(), part, solution));
    }
    combined(system, energy, solved)
}

fn combined(
    system: &System,
    energy: &Symbol,
    solved: Vec<(Vec<usize>, System, Solution)>,
) -> Option<(Candidate, Option<Change>)> {
    let q = system.frame().base();
    let mut form = vec![Expr::zero(); q.len()];
    let mut change: Option<Change> = None;
    // E is the sum: the first part has what the others leave.
    let others = solved[1..]
        .iter()
        .map(|(.., s)| s.verification.energy.clone());
    let left = [(energy.clone(), Expr::from(energy) - Expr::sum(others))];
    let (mut constants, mut integrals, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (own, part, s)) in solved.iter().enumerate() {
        for (&i, component) in own.iter().zip(&s.form) {
            form[i] = match number {
                0 => tidy(&component.value.substitute(&left)),
                _ => component.value.clone(),
            };
        }
        let first = s.constants.first()?;
        if number > 0 && s.verification.energy == Expr::from(first) {
            let value = match &s.coordinates {
                Some(c) => c.apply(part)?.energy(),
                None => part.energy(),
            };
            integrals.push(Quantity::new(first.name(), tidy(&value)));
        }
        constants.extend(s.constants.iter().cloned());
        integrals.extend(s.integrals.iter().cloned());
        notes.extend(s.notes.iter().cloned());
        if let Some(c) = &s.coordinates {
            let at: Vec<usize> = own.clone();
            let values = at
                .iter()
                .map(|&i| Expr::from(&q[i]).substitute(&c.old))
                .collect();
            let before = change.as_ref().map_or(q, |c| c.coordinates.as_slice());
            let mut next = Change::replacing(
                &c.name,
                before,
                &at,
                &c.coordinates,
                values,
                c.circles.clone(),
            );
            next.old.retain(|(s, e)| e.as_symbol() != Some(s));
            change = Some(match change {
                Some(first) => first.then(&next),
                None => next,
            });
        }
    }
    let names: Vec<String> = solved
        .iter()
        .map(|(own, ..)| {
            let of: Vec<&str> = own.iter().map(|&i| q[i].name()).collect();
            format!("({})", of.join(", "))
        })
        .collect();
    notes.insert(
        0,
        format!("a sum of independent parts: {}", names.join(", ")),
    );
    let candidate = Candidate {
        method: Method::Parts,
        form,
        constants,
        integrals,
        levels: None,
        notes,
    };
    Some((candidate, change))
}
