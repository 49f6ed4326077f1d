//! All meanings of a program agree: floats, enclosures, power series and a prime field, over all functions.

use proptest::prelude::*;
use rattleback_symbolic::{
    Algebra, Expr, Field, Flow, Function, Parity, Rational, Residues, Slope, Symbol, enclose,
    postorder, substitute_all,
};

fn x() -> Symbol {
    Symbol::variable("x")
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        2 => (-4i64..5, 1i64..4).prop_map(|(n, d)| Expr::ratio(n, d)),
        3 => Just(Expr::from(x())),
    ]
}

/// Sums, products, quotients, powers and every function of the table.
fn expression() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(3, 12, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            2 => pair.clone().prop_map(|(a, b)| a + b),
            2 => pair.clone().prop_map(|(a, b)| a * b),
            1 => pair.clone().prop_map(|(a, b)| a / b),
            1 => inner.prop_map(|a| a.sqrt()),
            6 => (prop::sample::select(Function::ALL), pair)
                .prop_map(|(f, (a, b))| f.apply(&[a, b][..f.arguments()])),
        ]
    })
}

fn rational() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (-9i64..10, 1i64..9).prop_map(|(n, d)| Expr::ratio(n, d)),
        Just(Expr::from(x())),
    ];
    leaf.prop_recursive(4, 20, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|(a, b)| a + b),
            pair.clone().prop_map(|(a, b)| a * b),
            pair.prop_map(|(a, b)| a / b),
            (inner, -3i64..4).prop_map(|(a, n)| a.powi(n)),
        ]
    })
}

fn at(e: &Expr, r: &Rational) -> Expr {
    let point = [(x(), Expr::from(r))];
    substitute_all(std::slice::from_ref(e), &point).remove(0)
}

/// Does nothing in it lose digits at this point: is every part defined and of moderate size?
fn is_tame(e: &Expr, value: f64) -> bool {
    let point = [(x(), value)];
    postorder(std::slice::from_ref(e), |_| true)
        .iter()
        .all(|part| {
            let size = part.evaluate(&point).map_or(f64::NAN, f64::abs);
            size == 0.0 || (1e-3..1e3).contains(&size)
        })
}

proptest! {
    #![proptest_config(rattleback_testing::cases(400))]

    #[test]
    fn floats_lie_in_enclosures(e in expression(), n in -7i64..8, d in 3i64..6) {
        let r = Rational::new(n, d);
        if is_tame(&e, r.to_f64())
            && let Some(range) = enclose(&at(&e, &r))
        {
            let value = e.evaluate(&[(x(), r.to_f64())]).unwrap();
            let room = 1e-9 * (1.0 + value.abs());
            prop_assert!(range.low - room <= value && value <= range.high + room, "{e} at {r}");
        }
    }

    #[test]
    fn series_are_derivatives(e in expression(), n in -7i64..8, d in 3i64..6) {
        let r = Rational::new(n, d);
        let Some(flow) = Flow::new(std::slice::from_ref(&e), &[(x(), Expr::one())]) else {
            return Ok(());
        };
        let point = [(x(), r.to_f64())];
        let start: Vec<f64> = flow.given().iter().map(|g| g.evaluate(&point).unwrap()).collect();
        if !is_tame(&e, r.to_f64()) || start.iter().any(|v| !v.is_finite()) {
            return Ok(());
        }
        let Some(series) = flow.series(&start, 3) else {
            return Ok(());
        };
        let (mut derivative, mut factorial) = (e.clone(), 1.0);
        for (k, found) in series[0].iter().enumerate() {
            if !is_tame(&derivative, r.to_f64()) {
                break;
            }
            let value = derivative.evaluate(&point).unwrap() / factorial;
            let close = (found - value).abs() <= 1e-7 * (1.0 + value.abs());
            prop_assert!(close, "{e} at {r}, order {k}: {found} {value}");
            derivative = derivative.diff(&x());
            factorial *= (k + 1) as f64;
        }
    }

    #[test]
    fn residues_are_those_of_exact_values(e in rational(), n in -20i64..20, d in 1i64..20) {
        let r = Rational::new(n, d);
        let Some(exact) = at(&e, &r).as_number().cloned() else {
            return Ok(());
        };
        let on = [(x(), Expr::from(&r))];
        // Its own form may have poles where the exact value has none.
        if let Some(value) = Residues::new(std::slice::from_ref(&e), &on).and_then(|mut p| p.at(0)) {
            prop_assert_eq!(Some(value[0]), Field::SHARED.rational(&exact));
        }
    }

    /// A series in the field is the image of the exact series.
    #[test]
    fn series_of_residues_are_residues_of_derivatives(e in rational(), point in 0u64..50) {
        let Some(flow) = Flow::new(std::slice::from_ref(&e), &[(x(), Expr::one())]) else {
            return Ok(());
        };
        let start = Residues::new(flow.given(), &[]).and_then(|mut p| p.at(point));
        let series = start.and_then(|s| flow.series(&s, 2));
        let derivatives = [e.clone(), e.diff(&x()), e.diff(&x()).diff(&x()) / 2];
        let exact = Residues::new(&derivatives, &[]).and_then(|mut p| p.at(point));
        if let (Some(series), Some(exact)) = (series, exact) {
            prop_assert_eq!(&series[0], &exact);
        }
    }
}

struct Numbers;

impl Algebra for Numbers {
    type Node = f64;
    fn number(&mut self, n: i64) -> f64 {
        n as f64
    }
    fn plus(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }
    fn minus(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }
    fn times(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }
    fn root(&mut self, a: f64) -> f64 {
        a.sqrt()
    }
}

/// What a file says of its function in one place agrees with what it says in others.
#[test]
fn the_table_is_consistent() {
    for &f in Function::ALL {
        assert_eq!(Function::named(f.name()), Some(f));
        assert!(f.latex().starts_with('\\'));
        if f.arguments() != 1 {
            assert!(f.slope(&mut Numbers, 0.5).is_none());
            continue;
        }
        let (value, here) = (f.evaluate(&[0.625]), Expr::ratio(5, 8));
        let mirrored = f.evaluate(&[-0.625]);
        match f.parity() {
            Parity::Odd => assert_eq!(mirrored, -value),
            Parity::Even => assert_eq!(mirrored, value),
            Parity::None => assert_ne!(mirrored.abs(), value.abs()),
        }
        let signed = |negative: bool, v: f64| if negative { -v } else { v };
        let slope = match f.slope(&mut Numbers, 0.625).unwrap() {
            Slope::Itself => value,
            Slope::OneMinusSquare => 1.0 - value * value,
            Slope::Over { divisor, negative } => signed(negative, 1.0 / divisor),
            Slope::Pair { sine, hyperbolic } => {
                let (s, c) = Function::pair(hyperbolic);
                assert_eq!(f, if sine { s } else { c });
                let partner = if sine { c } else { s }.evaluate(&[0.625]);
                signed(!sine && !hyperbolic, partner)
            }
        };
        let derivative = f.derivative(0, &[here]).evaluate(&[]).unwrap();
        assert!((slope - derivative).abs() < 1e-14, "{}", f.name());
    }
}
