//! Common parts of formulas under names: "with Δ = …", where that makes a page shorter.

use super::reuse::reused;
use crate::document::length::{characters, lengths};
use crate::mechanics::{Abbreviation, Value};
use crate::symbolic::{
    Budget, Expr, Kind, Map, Set, Symbol, expand_within, fingerprint, postorder, prove_zero,
    replace_all,
};

/// Names for parts, each defined by the model's own names and those before it.
#[derive(Default)]
pub struct Naming {
    /// The names and what they stand for.
    pub parts: Vec<(Symbol, Expr)>,
    /// The model's own abbreviations that are used again.
    pub own: Vec<(Symbol, Expr)>,
    /// The same names with what they were found to stand for, one after the other.
    found: Vec<(Symbol, Expr)>,
    /// Denominators that are another one written differently.
    same: Map<Expr, Expr>,
}

/// So many names at most, or a page becomes a riddle.
const MOST_NAMES: usize = 8;
/// What a name has to save, in characters.
const LEAST_SAVED: u64 = 24;
/// What a definition costs besides its formula: its name, the equals sign, the line.
const DEFINITION: u64 = 6;
/// Letters for parts; the first that is free is taken.
const ROOTS: [&str; 4] = ["s", "rho", "sigma", "tau"];
const DENOMINATORS: [&str; 4] = ["Delta", "D", "N", "Pi"];
const OTHERS: [&str; 8] = ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"];

impl Naming {
    /// Names for the parts that `formulas` have in common, none of them among `taken`.
    pub fn of(formulas: &[Expr], own: &[Abbreviation], taken: &[String]) -> (Self, Vec<Expr>) {
        let mut naming = Naming {
            same: same_denominators(formulas),
            ..Naming::default()
        };
        let mut all = naming.with_own(&replace_all(formulas, &naming.same), own);
        let mut taken: Vec<String> = taken.to_vec();
        while naming.parts.len() < MOST_NAMES {
            let Some(part) = best(&all) else { break };
            let Some(name) = letter(&part, &all, &taken) else {
                break;
            };
            taken.push(name.into());
            let symbol = Symbol::variable(name);
            all = replace_all(&all, &table(&part, &symbol));
            // The definitions are searched for common parts as well.
            all.push(part.clone());
            naming.found.push((symbol.clone(), part.clone()));
            naming.parts.push((symbol, part));
        }
        let meanings = all.split_off(formulas.len());
        all = reused(&all, &naming.found);
        for ((_, meaning), short) in naming.parts.iter_mut().zip(meanings) {
            *meaning = short;
        }
        naming.sort();
        (naming, all)
    }

    /// Other formulas in the same names.
    pub fn apply(&self, formulas: &[Expr]) -> Vec<Expr> {
        let names = self.own.iter().chain(&self.found);
        names.fold(replace_all(formulas, &self.same), |all, (symbol, part)| {
            replace_all(&all, &table(part, symbol))
        })
    }

    /// Parts before what is made of them.
    fn sort(&mut self) {
        let mut rest = std::mem::take(&mut self.parts);
        while !rest.is_empty() {
            let is_ready = |(_, e): &(Symbol, Expr)| !rest.iter().any(|(s, _)| e.contains(s));
            // Definitions that go in a circle do not exist: each was made of names there were before it.
            let next = rest.iter().position(is_ready).unwrap_or(0);
            self.parts.push(rest.remove(next));
        }
    }

    /// The model's own scalar abbreviations in place of what they stand for.
    fn with_own(&mut self, formulas: &[Expr], own: &[Abbreviation]) -> Vec<Expr> {
        let mut all = formulas.to_vec();
        for d in own.iter().rev() {
            let Value::Scalar(e) = &d.value else { continue };
            if characters(std::slice::from_ref(e)) < 6 + d.name.len() as u64 {
                continue;
            }
            let symbol = Symbol::variable(&d.name);
            let with = replace_all(&all, &powers_of(&all, e, &symbol));
            let with = replace_all(&with, &table(e, &symbol));
            if with != all {
                all = with;
                self.own.push((symbol, e.clone()));
            }
        }
        all
    }
}

/// Odd powers of a root that the model has a name for: with r = √s also s^(-3/2) is r⁻³.
fn powers_of(all: &[Expr], root: &Expr, symbol: &Symbol) -> Map<Expr, Expr> {
    let mut table: Map<Expr, Expr> = Map::default();
    let Kind::Product(own) = root.kind() else {
        return table;
    };
    let [(base, r)] = &own[..] else {
        return table;
    };
    let Some(inverse) = r.recip().filter(|_| !r.is_integer()) else {
        return table;
    };
    for node in postorder(all, |_| true) {
        let Kind::Product(factors) = node.kind() else {
            continue;
        };
        let own = factors.iter().find(|(b, q)| b == base && !q.is_integer());
        let times = own.and_then(|(_, q)| (q * &inverse).as_integer());
        if let Some(k) = times {
            let others = factors.iter().filter(|(b, _)| b != base).cloned();
            let written = others.chain([(symbol.into(), k.into())]);
            table.insert(node.clone(), Expr::power_product(written));
        }
    }
    table
}

/// Sums that divide, each with the shortest that is the same function up to its sign: one denominator gets one name.
fn same_denominators(formulas: &[Expr]) -> Map<Expr, Expr> {
    let nodes = postorder(formulas, |_| true);
    let mut sums: Vec<&Expr> = Vec::new();
    for node in &nodes {
        if let Kind::Product(factors) = node.kind() {
            let below = factors.iter().filter(|(_, r)| r.is_negative());
            sums.extend(below.map(|(b, _)| b).filter(|b| is_worth_a_name(b)));
        }
    }
    sums.sort_by_cached_key(|e| characters(std::slice::from_ref(e)));
    let mut distinct: Vec<Expr> = Vec::new();
    let mut shortest: Map<Expr, Expr> = Map::default();
    let mut same: Map<Expr, Expr> = Map::default();
    for sum in sums {
        let Some(expanded) = expand_within(sum, Budget::SMALL) else {
            continue;
        };
        let known = |e: &Expr| shortest.get(e).cloned();
        let first = known(&expanded).or_else(|| Some(-known(&-&expanded)?));
        match first {
            Some(first) if first != *sum => drop(same.insert(sum.clone(), first)),
            Some(_) => {}
            None => {
                distinct.push(sum.clone());
                shortest.insert(expanded, sum.clone());
            }
        }
    }
    let equal = equal_functions(&distinct);
    for meaning in same.values_mut() {
        *meaning = replace_all(std::slice::from_ref(meaning), &equal).swap_remove(0);
    }
    same.extend(equal);
    same
}

/// Of functions, those that are a small multiple of an earlier one, by trigonometry too: looked for in a prime field, proven.
fn equal_functions(all: &[Expr]) -> Map<Expr, Expr> {
    let mut equal: Map<Expr, Expr> = Map::default();
    let half = || Expr::from(1) / 2;
    let factors = [
        1.into(),
        (-1).into(),
        2.into(),
        (-2).into(),
        half(),
        -half(),
    ];
    let times = |factor: &Expr| all.iter().map(|e| factor * e).collect::<Vec<_>>();
    let multiples: Vec<Expr> = factors.iter().flat_map(times).collect();
    let Some(values) = fingerprint(&multiples) else {
        return equal;
    };
    let n = all.len();
    for (j, later) in all.iter().enumerate() {
        let candidates = (0..multiples.len()).filter(|k| k % n < j);
        let alike = candidates.filter(|&k| values[k] == values[j]);
        let is_first = |k: &usize| !equal.contains_key(&all[k % n]);
        let is_equal = |k: &usize| prove_zero(&(later - &multiples[*k])).is_proven();
        if let Some(first) = alike.filter(is_first).find(is_equal) {
            equal.insert(later.clone(), multiples[first].clone());
        }
    }
    equal
}

/// A part and its negative.
fn table(part: &Expr, symbol: &Symbol) -> Map<Expr, Expr> {
    let mut table: Map<Expr, Expr> = Map::default();
    table.insert(part.clone(), symbol.into());
    table.insert(-part, -Expr::from(symbol));
    table
}

/// The part whose name saves most.
fn best(all: &[Expr]) -> Option<Expr> {
    let nodes = postorder(all, |_| true);
    let mut uses: Map<Expr, u64> = Map::default();
    for e in all {
        *uses.entry(e.clone()).or_default() += 1;
    }
    // Parents before children: every use of a parent is one of its children.
    for node in nodes.iter().rev() {
        let n = uses.get(node).copied().unwrap_or(0);
        node.kind()
            .for_each_child(|c| *uses.entry(c.clone()).or_default() += n);
    }
    // A side of an equation that is nothing but a name would say nothing.
    let whole: Set<Expr> = all.iter().flat_map(|e| [e.clone(), -e]).collect();
    let lengths = lengths(&nodes);
    let mut found: Option<(u64, &Expr)> = None;
    for node in nodes.iter().filter(|e| is_worth_a_name(e)) {
        let negative = -node;
        let of = |e: &Expr| uses.get(e).copied().unwrap_or(0);
        let n = match negative == *node {
            true => of(node),
            false => of(node).saturating_add(of(&negative)),
        };
        let length = lengths.get(node).copied().unwrap_or(0);
        let saved = n.saturating_sub(1).saturating_mul(length);
        let saved = saved.saturating_sub(2 * n + DEFINITION);
        let better = found.is_none_or(|(most, _)| saved > most);
        if n > 1 && saved >= LEAST_SAVED && better && !whole.contains(node) {
            found = Some((saved, node));
        }
    }
    found.map(|(_, e)| e.clone())
}

/// Is it a sum that says more than θ₁ − θ₂ or m₁ + m₂ does, which everybody writes out?
fn is_worth_a_name(e: &Expr) -> bool {
    match e.kind() {
        Kind::Sum(_, terms) => {
            terms.len() > 2 || terms.iter().any(|(t, _)| t.as_symbol().is_none())
        }
        _ => false,
    }
}

/// A letter that says what a part does: Δ divides.
fn letter(part: &Expr, all: &[Expr], taken: &[String]) -> Option<&'static str> {
    let (mut divides, mut below_root) = (false, false);
    for node in postorder(all, |_| true) {
        if let Kind::Product(factors) = node.kind() {
            for (_, r) in factors.iter().filter(|(b, _)| b == part) {
                divides |= r.is_negative();
                below_root |= !r.is_integer();
            }
        }
    }
    let preferred: &[&str] = match (divides, below_root) {
        (_, true) => &ROOTS,
        (true, false) => &DENOMINATORS,
        _ => &[],
    };
    let mut names = preferred.iter().chain(&OTHERS);
    names
        .find(|name| !taken.iter().any(|t| t == *name))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, value: &Expr) -> [Abbreviation; 1] {
        [Abbreviation {
            name: name.into(),
            value: Value::Scalar(value.clone()),
        }]
    }

    fn symbols<const N: usize>(names: [&str; N]) -> [Expr; N] {
        names.map(|n| Symbol::variable(n).into())
    }

    #[test]
    fn a_denominator_gets_a_name_and_goes_back() {
        let [a, b, c, x, y] = symbols(["alpha", "beta", "gamma", "x", "y"]);
        let below = a.powi(2) * x.sin().powi(2) + b.powi(2) * y.cos() + &c * 3;
        let all = [&x / &below, &y / &below, (&a - &b) / below.powi(2)];
        let (naming, short) = Naming::of(&all, &[], &["Delta".to_owned()]);
        assert_eq!(naming.parts.len(), 1);
        assert_eq!(naming.parts[0].0.name(), "D");
        assert_eq!(short[0].to_string(), "x/D");
        for (before, after) in all.iter().zip(&short) {
            assert_eq!(after.substitute(&naming.parts), *before);
        }
    }

    #[test]
    fn one_denominator_has_one_name() {
        let [a, b, c, x, y] = symbols(["alpha", "beta", "gamma", "x", "y"]);
        let square = x.sin().powi(2);
        let one = &a * &b + (a.powi(2) + &c * (&a + &b)) * &square;
        let other = &a * &b + (&b * &c + &a * (&a + &c)) * &square;
        assert_ne!(one, other);
        let all = [&x / &one, &y / &other, (&x - &y) / one.powi(2)];
        let (naming, short) = Naming::of(&all, &[], &[]);
        assert_eq!(naming.parts.len(), 1);
        assert_eq!(short[1].to_string(), "y/Delta");
        assert_eq!(naming.apply(&[other])[0].to_string(), "Delta");
    }

    #[test]
    fn one_denominator_has_one_name_by_trigonometry() {
        let [a, b, x] = symbols(["alpha", "beta", "x"]);
        let one = &a + &b * x.sin().powi(2);
        let other = &a + &b - &b * x.cos().powi(2);
        let third = (&b / 2) * (&x * 2).cos() - &a - &b / 2;
        let all = [&a / &one, &b / &other, &x / &third, &x / other.powi(2)];
        let (naming, short) = Naming::of(&all, &[], &[]);
        assert_eq!(naming.parts.len(), 1, "{:?}", naming.parts);
        let short: Vec<String> = short.iter().map(ToString::to_string).collect();
        assert_eq!(short[..3], ["alpha/Delta", "beta/Delta", "-x/Delta"]);
        assert_eq!(short[3], "x/Delta^2");
    }

    #[test]
    fn powers_of_own_roots_are_written_by_their_name() {
        let [x, y] = symbols(["x", "y"]);
        let r = (x.powi(2) + y.powi(2)).sqrt();
        let (_, short) = Naming::of(&[&x / r.powi(3) + r.powi(2)], &named("r", &r), &[]);
        assert_eq!(short[0].to_string(), "x^2 + y^2 + x/r^3");
    }

    #[test]
    fn short_parts_stay() {
        let [a, x] = symbols(["a", "x"]);
        let all = [&x * (&a + 1), (&a + 1).powi(2)];
        let (naming, short) = Naming::of(&all, &[], &[]);
        assert!(naming.parts.is_empty());
        assert_eq!(short, all);
    }

    #[test]
    fn own_abbreviations_are_used_again() {
        let [m, x, y] = symbols(["m", "x", "y"]);
        let p = &m * x.powi(2) + &m * y.powi(2) + &x * &y;
        let (naming, short) = Naming::of(&[p.sin() * 2], &named("P", &p), &[]);
        assert_eq!(short[0].to_string(), "2*sin(P)");
        assert_eq!(naming.own.len(), 1);
    }
}
