//! Normal forms keep the value, reach lowest terms and stay within their budget.

use rattleback_symbolic::{
    Budget, Expr, Rational, Sign, Symbol, cancel, expand, normalize, normalize_within, prove_zero,
    together,
};

fn var(name: &str) -> Expr {
    Symbol::variable(name).into()
}

fn same(a: &Expr, b: &Expr) {
    assert_eq!(a, b, "{a} is not {b}");
}

fn keeps_value(e: &Expr, f: impl Fn(&Expr) -> Expr) -> Expr {
    let n = f(e);
    let verdict = prove_zero(&(e - &n));
    assert!(verdict.is_proven(), "{e}\nbecame {n}\n{verdict:?}");
    n
}

#[test]
fn rational_functions_in_lowest_terms() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    same(
        &normalize(&((x.powi(3) - y.powi(3)) / (&x - &y))),
        &(x.powi(2) + &x * &y + y.powi(2)),
    );
    same(&normalize(&(1 / (1 / &x + 1 / &y))), &(&x * &y / (&x + &y)));
    same(
        &normalize(&((&x + &y).powi(3) * (&x - &z) / ((&x + &y) * (&z - &x)))),
        &-(x.powi(2) + 2 * &x * &y + y.powi(2)),
    );
    let e = (&x / (&x + 1) + &y / (&x - 1)) / (x.powi(2) / (x.powi(2) - 1));
    keeps_value(&e, normalize);
    same(
        &normalize(&(&e - keeps_value(&e, normalize))),
        &Expr::zero(),
    );
}

#[test]
fn circle_relations_cancel() {
    let (x, y, m) = (var("x"), var("y"), var("m"));
    let (s, c) = (x.sin(), x.cos());
    same(&normalize(&(&s / (1 - c.powi(2)))), &s.recip());
    same(&normalize(&(c.powi(2) / (1 + &s))), &(1 - &s));
    same(&normalize(&((1 - &c) / &s - &s / (1 + &c))), &Expr::zero());
    same(&normalize(&((2 * &x).sin() / (2 * &s))), &c);
    same(
        &normalize(&((&x + &y).sin() - s.clone() * y.cos() - c.clone() * y.sin())),
        &Expr::zero(),
    );
    let e = (&m * s.powi(2) + c.powi(2) - 1) / ((&m - 1) * &s);
    same(&normalize(&e), &s);
    // A product of two pairs in the denominator.
    let product = (1 + &s) * (1 - y.sin()) * (&m + &c);
    let e = (&m + &c) * c.powi(2) * y.cos().powi(2) / product;
    same(&normalize(&e), &expand(&((1 - &s) * (1 + y.sin()))));
}

#[test]
fn hyperbolic_and_exponential_relations_cancel() {
    let x = var("x");
    same(&normalize(&((x.cosh().powi(2) - 1) / x.sinh())), &x.sinh());
    same(&normalize(&((2 * &x).sinh() / x.cosh())), &(2 * x.sinh()));
    same(
        &normalize(&((1 - x.tanh().powi(2)) * x.cosh().powi(2))),
        &Expr::one(),
    );
    same(
        &normalize(&((2 * &x).tanh() / x.tanh() * (1 + x.tanh().powi(2)))),
        &Expr::from(2),
    );
    // Alone it stays, and with it what is finite where sinh and cosh are not.
    let bounded = normalize(&((x.tanh().powi(2) - 1) / (x.tanh() - 1)));
    same(&bounded, &(x.tanh() + 1));
    same(
        &normalize(&(((2 * &x).exp() - 1) / (x.exp() - 1))),
        &(x.exp() + 1),
    );
    keeps_value(&(x.sinh() / (x.cosh() + 1) + (3 * &x).cosh()), normalize);
}

#[test]
fn roots_are_reduced() {
    let (x, y) = (var("x"), var("y"));
    let m = Expr::from(Symbol::constant("m").with_sign(Sign::Positive));
    let r = (x.powi(2) + y.powi(2)).sqrt();
    same(&normalize(&((&r - &x) * (&r + &x))), &y.powi(2));
    same(&normalize(&(x.powi(2) / &r + y.powi(2) / &r)), &r);
    same(
        &normalize(&(1 / (Expr::from(2).sqrt() - 1))),
        &(Expr::from(2).sqrt() + 1),
    );
    same(&normalize(&((&m - 1) / (m.sqrt() - 1))), &(m.sqrt() + 1));
    same(
        &normalize(&(Expr::from(6).sqrt() / Expr::from(2).sqrt())),
        &Expr::from(3).sqrt(),
    );
    let third = Rational::new(1, 3);
    keeps_value(
        &((1 + &x).powr(&third).powi(2) / (&x + 2) + (&x + 1).powr(&third)),
        normalize,
    );
    keeps_value(&((&x + Expr::pi() / 3).sin() / (1 + &x)), normalize);
}

#[test]
fn arguments_are_normalized_inside_out() {
    let (x, y) = (var("x"), var("y"));
    let inner = ((&x + &y).powi(2) - x.powi(2)) / &y;
    same(&normalize(&inner.log()), &(2 * &x + &y).log());
    same(&normalize(&inner.atan().exp().log()), &(2 * &x + &y).atan());
}

#[test]
fn weaker_forms() {
    let (x, y) = (var("x"), var("y"));
    same(&cancel(&((2 * &x).sin() / &x * &x)), &(2 * &x).sin());
    same(&cancel(&((x.powi(2) - y.powi(2)) / (&x + &y))), &(&x - &y));
    same(
        &together(&(1 / &x + 1 / (1 + &x))),
        &((1 + 2 * &x) / (&x * (1 + &x))),
    );
    same(
        &expand(&((&x + &y) * (&x - &y) / (1 + &x))),
        &(x.powi(2) / (1 + &x) - y.powi(2) / (1 + &x)),
    );
    same(
        &expand(&((&x + 1).powi(2) * (2 * &x).sin())),
        &((2 * &x).sin() * x.powi(2) + 2 * (2 * &x).sin() * &x + (2 * &x).sin()),
    );
    same(&expand(&(&x * (1 / &x + &x))), &(1 + x.powi(2)));
    same(&expand(&((x.sqrt() + 1).powi(2))), &(&x + 2 * x.sqrt() + 1));
}

#[test]
fn zero_divisors_and_budgets_are_refused() {
    let x = var("x");
    let zero = x.sin().powi(2) + x.cos().powi(2) - 1;
    assert!(normalize_within(&(&x / &zero), Budget::default()).is_none());
    same(&normalize(&(&x / &zero)), &(&x / &zero));
    let many = Expr::sum((0..20).map(|i| var(&format!("x{i}"))));
    assert!(normalize_within(&many.powi(20), Budget::SMALL).is_none());
    assert!(normalize_within(&x.powi(100_000), Budget::SMALL).is_none());
    let deep = (0..20_000).fold(x.clone(), |e, _| e.sin() + 1);
    assert_eq!(normalize(&deep), deep);
    let deep = (0..20_000).fold(x.clone(), |e, _| ((e * &x + &x) / &x).atan());
    assert!(expand(&deep) != deep);
}

/// SplitMix64, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % n
    }
    fn expression(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return match self.below(4) {
                0 => Expr::ratio(self.below(7) as i64 - 3, 1 + self.below(3) as i64),
                1 => var("x"),
                2 => var("y"),
                _ => Symbol::constant("m").with_sign(Sign::Positive).into(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(9) {
            0 | 1 => a + b,
            2 | 3 => a * b,
            4 => a / (b.powi(2) + 1),
            5 => a / (b + 7),
            6 => (var("x") * (1 + self.below(2) as i64)).sin() * a + b,
            7 => (var("x") + var("y")).cos() * a - b,
            _ => (a.powi(2) + 2).sqrt() * b,
        }
    }
}

#[test]
fn random_expressions_keep_their_value() {
    let mut r = Random(5);
    let mut unchanged = 0;
    for i in 0..400 {
        let e = r.expression(1 + i % 4);
        if e.is_undefined() {
            continue;
        }
        let n = keeps_value(&e, normalize);
        keeps_value(&e, expand);
        keeps_value(&e, together);
        keeps_value(&e, cancel);
        unchanged += u32::from(normalize_within(&e, Budget::default()).is_none());
        assert!(normalize(&(&e - &n)).is_zero(), "{e}");
    }
    assert!(unchanged < 10, "{unchanged}");
}
