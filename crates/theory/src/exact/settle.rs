//! Functions on groups as a person would write them: the relations between the entries are used.

use super::tidy;
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Kind, Map, Rational, Symbol, postorder, prove_zero};

/// Longer formulas are left as they are.
const READABLE: usize = 600;

/// [`tidy`] for many functions on the configuration space of one system: entries of groups that others
/// determine are written by those, and parts that are constant on the groups, or equal to one entry, too.
pub(crate) struct Settle<'a> {
    system: &'a System,
    /// Entries that are numbers or other entries, up to a sign.
    linear: Vec<(Symbol, Expr)>,
    /// The entries that are left, with their values at the sample points.
    entries: Vec<(Symbol, Vec<Rational>)>,
    /// Values of the charts of the groups.
    samples: Vec<Vec<(Symbol, Expr)>>,
}

impl<'a> Settle<'a> {
    /// For the functions of a system.
    pub(crate) fn new(system: &'a System) -> Self {
        let samples = samples(system.parametrization());
        let mut settle = Self {
            linear: Vec::new(),
            entries: Vec::new(),
            system,
            samples,
        };
        for (s, chart) in by_column(system) {
            if let Some(value) = chart.as_number() {
                settle.linear.push((s, value.into()));
                continue;
            }
            let Some(values) = settle.values(&Expr::from(&s)) else {
                continue;
            };
            match settle.entry_with(&values) {
                Some(other) => settle.linear.push((s, other)),
                None => settle.entries.push((s, values)),
            }
        }
        settle
    }

    /// Entries that are numbers or other entries, up to a sign.
    pub(crate) fn redundant(&self) -> &[(Symbol, Expr)] {
        &self.linear
    }

    /// The same function on the groups, shorter if possible.
    pub(crate) fn apply(&self, e: &Expr) -> Expr {
        let plain = tidy(e);
        let touched = |s: &Symbol| self.system.parametrization().iter().any(|(x, _)| x == s);
        if plain.node_count() > READABLE || !plain.free_symbols().iter().any(touched) {
            return plain;
        }
        let reduced = tidy(&plain.substitute(&self.linear));
        let mut done: Map<Expr, Expr> = Map::default();
        for node in postorder(std::slice::from_ref(&reduced), |_| true) {
            let rebuilt = node
                .kind()
                .rebuild(|c| done.get(c).unwrap_or(c).clone())
                .unwrap_or_else(|| node.clone());
            done.insert(node, self.shorter(&rebuilt));
        }
        let settled = done.remove(&reduced).unwrap_or(reduced);
        tidy(&settled)
    }

    /// [`Settle::apply`] of several functions.
    pub(crate) fn all(&self, functions: &[Expr]) -> Vec<Expr> {
        functions.iter().map(|e| self.apply(e)).collect()
    }

    /// Is the function a number, or one of the others up to its sign, at the sample points?
    pub(crate) fn repeats(&self, others: &[Expr], f: &Expr) -> bool {
        let Some(values) = self.values(f) else {
            return false;
        };
        let minus: Vec<Rational> = values.iter().map(|v| v * &Rational::from(-1)).collect();
        let same = |other: &Expr| {
            let known = self.values(other);
            known.is_some_and(|known| known == values || known == minus)
        };
        values.iter().all(|v| *v == values[0]) || others.iter().any(same)
    }

    /// A sum or product with its part on the groups replaced.
    fn shorter(&self, e: &Expr) -> Expr {
        let on_groups = |x: &Expr| {
            let symbols = x.free_symbols();
            !symbols.is_empty()
                && symbols
                    .iter()
                    .all(|s| self.entries.iter().any(|(entry, _)| entry == s))
        };
        match e.kind() {
            Kind::Sum(_, terms) => {
                let part = Expr::sum(
                    terms
                        .iter()
                        .filter(|(t, _)| on_groups(t))
                        .map(|(t, c)| Expr::from(c) * t),
                );
                match self.known(&part) {
                    Some(value) => e - &part + value,
                    None => e.clone(),
                }
            }
            Kind::Product(_) if on_groups(e) => self.known(e).unwrap_or_else(|| e.clone()),
            _ => e.clone(),
        }
    }

    /// The number or the entry that a function on the groups is equal to.
    fn known(&self, f: &Expr) -> Option<Expr> {
        if f.as_number().is_some() || f.as_symbol().is_some() {
            return None;
        }
        let values = self.values(f)?;
        let candidate = match values.iter().all(|v| *v == values[0]) {
            true => Expr::from(&values[0]),
            false => self.entry_with(&values)?,
        };
        let gap = (f - &candidate).substitute(self.system.parametrization());
        prove_zero(&gap).is_proven().then_some(candidate)
    }

    fn values(&self, f: &Expr) -> Option<Vec<Rational>> {
        let chart = f.substitute(self.system.parametrization());
        let at = |sample: &Vec<(Symbol, Expr)>| chart.substitute(sample).as_number().cloned();
        self.samples.iter().map(at).collect()
    }

    fn entry_with(&self, values: &[Rational]) -> Option<Expr> {
        self.entries.iter().find_map(|(s, known)| {
            let same = |sign: i64| {
                let pairs = known.iter().zip(values);
                pairs.clone().all(|(a, b)| a * &Rational::from(sign) == *b)
            };
            match (same(1), same(-1)) {
                (true, _) => Some(Expr::from(s)),
                (_, true) => Some(-Expr::from(s)),
                _ => None,
            }
        })
    }
}

/// The entries of the groups with their charts, the first columns first: a rotation of the plane is
/// known by the image of its first direction.
fn by_column(system: &System) -> Vec<(Symbol, Expr)> {
    let base = system.frame().base();
    let mut all = Vec::new();
    for f in system.factors() {
        let Some(group) = f.group else { continue };
        let entries = &base[f.base.clone()];
        let n = group.matrix_size().unwrap_or(1);
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|i| i % n);
        for i in order {
            let chart = system
                .parametrization()
                .iter()
                .find(|(s, _)| *s == entries[i]);
            all.extend(chart.cloned());
        }
    }
    all
}

/// A few points of the charts, none of them special.
fn samples(parametrization: &[(Symbol, Expr)]) -> Vec<Vec<(Symbol, Expr)>> {
    let charts: Vec<Expr> = parametrization.iter().map(|(_, e)| e.clone()).collect();
    let free = rattleback_symbolic::free_symbols(&charts);
    let value = |k: i64, point: i64| Rational::new(2 * k + 3 * point + 1, 3 * k + 5 * point + 4);
    (0..3)
        .map(|point| {
            let all = free.iter().zip(0i64..);
            all.map(|(s, k)| (s.clone(), Expr::from(value(k, point))))
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_language::{Source, parse};
    use rattleback_mechanics::Problem;

    fn system(factors: &str, lagrangian: &str) -> System {
        let text = format!("system s\n{factors}\nlagrangian {lagrangian}\n");
        let model = parse(&Source::new("s.mech", &text)).model.expect("a model");
        Problem::from_model(&model).expect("a system").system
    }

    #[test]
    fn entries_of_a_planar_motion_are_two_and_the_place() {
        let s = system(
            "group g : SE(2) velocity (w, u, v)",
            "w^2*(g[1,1]*g[2,2] - g[1,2]*g[2,1]) + u^2*g[1,2] + v^2*g[3,3]*g[2,3]",
        );
        let e = Settle::new(&s).apply(s.lagrangian());
        let want = system(
            "group g : SE(2) velocity (w, u, v)",
            "w^2 - u^2*g[2,1] + v^2*g[2,3]",
        );
        assert_eq!(e, tidy(want.lagrangian()));
    }

    #[test]
    fn determinants_and_minors_of_a_rotation() {
        let group = "group R : SO(3) velocity w";
        let minor = "R[1,1]*R[2,2] - R[1,2]*R[2,1]";
        let s = system(
            group,
            &format!("w[1]^2*({minor}) + w[2]^2*(R[1,1]^2 + R[2,1]^2 + R[3,1]^2)"),
        );
        let e = Settle::new(&s).apply(s.lagrangian());
        let want = system(group, "w[1]^2*R[3,3] + w[2]^2");
        assert_eq!(e, tidy(want.lagrangian()));
        // A minor of other rows is another entry, with its sign.
        let other = system(group, "w[1]^2*(R[1,1]*R[2,3] - R[1,3]*R[2,1])");
        let want = system(group, "-w[1]^2*R[3,2]");
        assert_eq!(
            Settle::new(&other).apply(other.lagrangian()),
            tidy(want.lagrangian())
        );
    }

    #[test]
    fn coordinates_are_left_alone() {
        let s = system("coord x, y", "x'^2*(x^2 + y^2)");
        assert_eq!(Settle::new(&s).apply(s.lagrangian()), tidy(s.lagrangian()));
    }
}
