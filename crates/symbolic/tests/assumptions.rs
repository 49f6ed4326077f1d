//! Assumptions reach signs and proofs, and no witness breaks them.

use proptest::prelude::*;
use rattleback_symbolic::{
    Assumptions, Expr, Fact, Rational, Region, Sign, Symbol, Verdict, prove_zero,
};

/// Symbols of these names under relations that are written in them.
fn under<const N: usize>(
    names: [&str; N],
    relations: impl Fn(&[Expr; N]) -> Vec<(Expr, Sign)>,
) -> [Expr; N] {
    let plain = names.map(|n| Expr::from(Symbol::constant(n)));
    let facts: Vec<Fact> = relations(&plain)
        .into_iter()
        .map(|(e, sign)| Fact::new(e, sign))
        .collect();
    let given = Assumptions::new(&facts);
    names.map(|n| given.apply(&Symbol::constant(n)).into())
}

#[test]
fn an_assumed_expression_has_its_sign() {
    let [a, b, c] = under(["I11", "I22", "I12"], |[a, b, c]| {
        vec![
            (a * b - c.powi(2), Sign::Positive),
            (a.clone(), Sign::Positive),
        ]
    });
    let minor = &a * &b - c.powi(2);
    assert_eq!(minor.sign(), Sign::Positive);
    assert_eq!((-3 * &minor).sign(), Sign::Negative);
    assert_eq!((&minor / &a).sign(), Sign::Positive);
    assert_eq!((&minor + c.powi(2) * 4).sign(), Sign::Positive);
    // b = (minor + c²)/a.
    assert_eq!(b.sign(), Sign::Positive);
    assert_eq!((&b - &c).sign(), Sign::Unknown);
    assert_eq!((&a * &b - 2 * c.powi(2)).sign(), Sign::Unknown);
}

#[test]
fn chains_and_products() {
    let [a, b, m] = under(["a", "b", "m"], |[a, b, m]| {
        vec![
            (a - b, Sign::Positive),
            (b.clone(), Sign::Positive),
            (m.clone(), Sign::NonPositive),
        ]
    });
    assert_eq!(a.sign(), Sign::Positive);
    assert_eq!(((&a - &b) * (&a + &b)).sign(), Sign::Positive);
    assert_eq!((a.powi(2) - b.powi(2)).sign(), Sign::Positive);
    assert_eq!((b.powi(3) - a.powi(3)).sign(), Sign::Negative);
    assert_eq!((&m * &a - &m * &b).sign(), Sign::NonPositive);
    assert_eq!((&m * (&a - &b) - 1).sign(), Sign::Negative);
    assert_eq!((1 / &b - 1 / &a).sign(), Sign::Positive);
    assert_eq!((&a - 2 * &b).sign(), Sign::Unknown);
    assert!(!(&a + &m).is_nonvanishing());
}

#[test]
fn what_is_not_equal_is_not_zero() {
    let [a, b] = under(["a", "b"], |[a, b]| vec![(a - b, Sign::NonZero)]);
    assert!((&b - &a).is_nonvanishing());
    assert!((a.powi(2) - 2 * &a * &b + b.powi(2)).is_nonvanishing());
    assert!(!(a.powi(2) - b.powi(2)).is_nonvanishing());
}

#[test]
fn bounds_other_than_zero() {
    let [x] = under(["x"], |[x]| {
        vec![(x - 1000, Sign::Positive), (1001 - x, Sign::Positive)]
    });
    assert_eq!((&x - 999).sign(), Sign::Positive);
    assert_eq!((&x - 1002).sign(), Sign::Negative);
    assert_eq!((&x - Expr::ratio(2001, 2)).sign(), Sign::Unknown);
    let Verdict::Refuted { witness, .. } = prove_zero(&(&x - Expr::ratio(2001, 2))) else {
        panic!("it is not constant");
    };
    let value = &witness[0].1;
    assert!(*value > Rational::from(1000) && *value < Rational::from(1001));
}

#[test]
fn functions_are_enclosed() {
    let [x, y] = under(["x", "y"], |[x, y]| {
        vec![
            (x.cos() - Expr::ratio(1, 2), Sign::Positive),
            (y - x.exp(), Sign::Positive),
        ]
    });
    assert_eq!(x.cos().sign(), Sign::Positive);
    assert_eq!(y.sign(), Sign::Positive);
    let Verdict::Refuted { witness, .. } = prove_zero(&(&x * &y)) else {
        panic!("it is not zero");
    };
    let (x, y) = (witness[0].1.to_f64(), witness[1].1.to_f64());
    assert!(x.cos() > 0.5 && y > x.exp());
}

#[test]
fn where_there_is_no_point_nothing_is_refuted() {
    let [a, b] = under(["a", "b"], |[a, b]| {
        vec![
            (-(a.powi(2)) - b.powi(2), Sign::NonNegative),
            (a + b + 1, Sign::Positive),
        ]
    });
    // Only a = b = 0 is left, and no search is asked to hit a point.
    let verdict = prove_zero(&(&a * &b));
    assert!(!verdict.is_refuted(), "{verdict:?}");
}

#[test]
fn witnesses_name_what_ties_them() {
    let [a, _, c] = under(["a", "b", "c"], |[a, b, c]| {
        vec![(a - b - 5, Sign::Positive), (b - c - 5, Sign::Positive)]
    });
    assert_eq!((&a - &c - 10).sign(), Sign::Positive);
    let Verdict::Refuted { witness, .. } = prove_zero(&(&a * &c)) else {
        panic!("it is not zero");
    };
    let names: Vec<&str> = witness.iter().map(|(s, _)| s.name()).collect();
    assert_eq!(names, ["a", "c", "b"]);
    let facts = witness[0].0.facts();
    assert_eq!(facts.len(), 2);
    assert!(facts.iter().all(|f| f.holds_at(&witness) == Some(true)));
}

#[test]
fn an_assumption_about_a_velocity_stays_with_it() {
    let x = Symbol::variable("x");
    let fast = Fact::new(Expr::from(x.derivative()) - 2, Sign::Positive);
    let x = Assumptions::new(&[fast]).apply(&x);
    assert_eq!(Expr::from(&x).sign(), Sign::Unknown);
    assert_eq!(Expr::from(x.derivative()).sign(), Sign::Positive);
    assert_eq!(Expr::from(x.jet(2)).sign(), Sign::Unknown);
    assert_eq!(x.derivative(), x.jet(2).jet(1));
}

#[test]
fn the_order_of_the_relations_does_not_matter() {
    let relations = |[a, b, c]: &[Expr; 3]| {
        vec![
            (a - b, Sign::Positive),
            (b - c, Sign::NonNegative),
            (a * c - 1, Sign::Positive),
        ]
    };
    let names = ["a", "b", "c"];
    let forward = under(names, relations);
    let backward = under(names, |all| {
        let mut list = relations(all);
        list.reverse();
        list
    });
    assert_eq!(forward, backward);
}

#[test]
fn long_chains_have_points() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let all = under(names, |all| {
        let pairs = all.windows(2);
        pairs.map(|w| (&w[0] - &w[1], Sign::Positive)).collect()
    });
    let symbols: Vec<Symbol> = all.iter().filter_map(|e| e.as_symbol().cloned()).collect();
    let region = Region::of(&symbols);
    let points: Vec<Vec<Rational>> = region.points().take(10).collect();
    assert_eq!(points.len(), 10);
    for p in &points {
        assert!(p.windows(2).all(|w| w[0] > w[1]), "{p:?}");
    }
    assert_eq!((&all[0] - &all[7]).sign(), Sign::Positive);
}

#[test]
fn contradictions_are_named() {
    let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
    let fact = |e: Expr, s| Fact::new(e, s);
    let clash = Assumptions::contradiction(&[
        fact(x.clone(), Sign::Positive),
        fact(y.clone(), Sign::Positive),
        fact(x.clone(), Sign::Negative),
    ]);
    assert_eq!(clash, Some(vec![0, 2]));
    let product = Assumptions::contradiction(&[
        fact(x.clone(), Sign::Positive),
        fact(y.clone(), Sign::Positive),
        fact(&x * &y + 1, Sign::Negative),
    ]);
    assert_eq!(product, Some(vec![0, 1, 2]));
    let square = Assumptions::contradiction(&[fact(x.powi(2) + 1, Sign::NonPositive)]);
    assert_eq!(square, Some(vec![0]));
    let fine = [
        fact(&x - &y, Sign::NonNegative),
        fact(&y - &x, Sign::NonNegative),
    ];
    assert_eq!(Assumptions::contradiction(&fine), None);
}

/// A relation between up to four symbols that some points satisfy for sure: the one given does.
fn relation() -> impl Strategy<Value = (Vec<(usize, usize, i64)>, i64, bool)> {
    let term = (0..4usize, 0..5usize, -3..4i64);
    (prop::collection::vec(term, 1..4), -5..6i64, any::<bool>())
}

fn polynomial(symbols: &[Expr], terms: &[(usize, usize, i64)], c: i64) -> Expr {
    let monomial = |&(i, j, w): &(usize, usize, i64)| {
        // Index 4 stands for a linear term.
        let second = symbols.get(j).cloned().unwrap_or_else(Expr::one);
        w * &symbols[i] * second
    };
    Expr::sum(terms.iter().map(monomial)) + c
}

proptest! {
    #![proptest_config(rattleback_testing::cases(400))]

    #[test]
    fn no_witness_breaks_an_assumption(
        relations in prop::collection::vec(relation(), 1..5),
        inside in prop::collection::vec(-6..7i64, 4),
        question in relation(),
    ) {
        let names = ["a", "b", "c", "d"];
        let plain: Vec<Expr> = names.iter().map(|n| Symbol::constant(n).into()).collect();
        let at: Vec<(Symbol, Expr)> = names
            .iter()
            .zip(&inside)
            .map(|(n, v)| (Symbol::constant(n), Expr::from(*v)))
            .collect();
        // Each relation is turned so that the given point satisfies it.
        let facts: Vec<Fact> = relations
            .iter()
            .filter_map(|(terms, c, strict)| {
                let e = polynomial(&plain, terms, *c);
                let here = e.substitute(&at).as_number()?.clone();
                let sign = match (here.is_zero(), here.is_positive(), strict) {
                    (true, _, _) => Sign::NonNegative,
                    (_, true, true) => Sign::Positive,
                    (_, true, false) => Sign::NonZero,
                    (_, false, true) => Sign::Negative,
                    (_, false, false) => Sign::NonPositive,
                };
                Some(Fact::new(e, sign))
            })
            .collect();
        prop_assert_eq!(Assumptions::contradiction(&facts), None);
        let given = Assumptions::new(&facts);
        let symbols: Vec<Expr> = names.iter().map(|n| given.apply(&Symbol::constant(n)).into()).collect();
        let (terms, c, _) = &question;
        let e = polynomial(&symbols, terms, *c);
        // The sign that is claimed is the one at the point that satisfies all.
        let bare: Vec<(Symbol, Expr)> = symbols
            .iter()
            .zip(&inside)
            .map(|(s, v)| (s.as_symbol().unwrap().clone(), Expr::from(*v)))
            .collect();
        let value = e.substitute(&bare).as_number().unwrap().clone();
        match e.sign() {
            Sign::Positive => prop_assert!(value.is_positive()),
            Sign::Negative => prop_assert!(value.is_negative()),
            Sign::NonNegative => prop_assert!(!value.is_negative()),
            Sign::NonPositive => prop_assert!(!value.is_positive()),
            Sign::NonZero => prop_assert!(!value.is_zero()),
            Sign::Unknown => {}
        }
        if let Verdict::Refuted { witness, .. } = prove_zero(&e) {
            for (s, v) in witness.iter() {
                for f in s.facts() {
                    let known = f.expression().free_symbols().iter().all(|x| witness.iter().any(|(w, _)| w.plain() == *x));
                    prop_assert!(!known || f.holds_at(&witness) == Some(true), "{} at {:?}", f, witness);
                }
                let fits = match s.sign() {
                    Sign::Positive => v.is_positive(),
                    Sign::Negative => v.is_negative(),
                    Sign::NonNegative => !v.is_negative(),
                    Sign::NonPositive => !v.is_positive(),
                    Sign::NonZero => !v.is_zero(),
                    Sign::Unknown => true,
                };
                prop_assert!(fits, "{} = {}", s, v);
            }
        }
    }
}
