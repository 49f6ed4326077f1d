//! Tens of thousands of identities that hold on one branch, in a short interval or under an assumption, and as many that
//! hold on another branch or nearly: true by construction, and by their values in doubles.

use rattleback_symbolic::{Assumptions, Expr, Fact, Rational, Sign, Symbol, Verdict, prove_zero};
use rattleback_testing::Random;
use std::f64::consts::PI;

/// Half the width of the interval of x.
const HALF: f64 = 1.0 / 64.0;
/// The room that is left to the next branch point.
const ROOM: f64 = 1e-3;
const CASES: usize = 3_000;
/// Kinds of relations.
const KINDS: usize = 22;

/// What is zero all over a domain, and what is not.
struct Case {
    zero: Expr,
    wrong: Expr,
}

impl Case {
    fn new(left: Expr, right: Expr, wrong: Expr) -> Self {
        Case {
            wrong: &left - wrong,
            zero: left - right,
        }
    }
}

/// A coordinate in a short interval, a free one and two parameters a > b > 0.
struct Domain {
    symbols: [Symbol; 4],
    middle: f64,
    x: Expr,
    y: Expr,
    a: Expr,
    b: Expr,
}

impl Domain {
    fn new(r: &mut Random) -> Self {
        let middle = Rational::new(r.below(1601) as i64 - 800, 100);
        let plain = [
            Symbol::variable("x"),
            Symbol::variable("y"),
            Symbol::constant("a"),
            Symbol::constant("b"),
        ];
        let [x, _, a, b] = plain.clone().map(|s| Expr::from(&s));
        let half = Expr::ratio(1, 64);
        let positive = [
            &x - Expr::from(&middle) + &half,
            Expr::from(&middle) + &half - &x,
            &a - &b,
            b,
        ];
        let facts = positive.map(|e| Fact::new(e, Sign::Positive));
        let given = Assumptions::new(&facts);
        let symbols = plain.map(|s| given.apply(&s));
        let [x, y, a, b] = symbols.clone().map(|s| Expr::from(&s));
        Domain {
            symbols,
            middle: middle.to_f64(),
            x,
            y,
            a,
            b,
        }
    }

    /// Does the interval lie less than this far from a place, with room to spare?
    fn within(&self, at: f64, half: f64) -> bool {
        (self.middle - at).abs() < half - HALF - ROOM
    }

    /// Values at points of the domain.
    fn values(&self, e: &Expr) -> Vec<f64> {
        let points = [
            (-0.9, 0.3, 1.7, 0.6),
            (0.1, -1.1, 2.3, 1.9),
            (0.8, 2.1, 0.9, 0.2),
        ];
        points
            .iter()
            .filter_map(|(t, y, a, b)| {
                let at = [self.middle + t * HALF, *y, *a, *b];
                let at: Vec<(Symbol, f64)> = self.symbols.iter().cloned().zip(at).collect();
                e.evaluate(&at).ok()
            })
            .collect()
    }
}

fn n(k: i64) -> Expr {
    Expr::from(k)
}

fn signed(is_positive: bool, e: &Expr) -> Expr {
    if is_positive { e.clone() } else { -e }
}

/// A fraction that is not zero.
fn fraction(r: &mut Random) -> Rational {
    let top = 1 + r.below(12) as i64;
    let sign = if r.below(2) == 0 { 1 } else { -1 };
    Rational::new(sign * top, 1 + r.below(9) as i64)
}

/// A relation that holds in the domain; none where the interval does not lie on one branch.
fn relation(which: usize, r: &mut Random, d: &Domain) -> Option<Case> {
    let (x, y, pi) = (&d.x, &d.y, Expr::pi());
    let c = d.middle;
    match which {
        0 => {
            // asin(sin x) = ±(x − kπ)
            let k = (c / PI).round();
            let here = x - k as i64 * &pi;
            let other = x - (k as i64 + 1) * &pi;
            let is_even = k as i64 % 2 == 0;
            d.within(k * PI, PI / 2.0).then(|| {
                Case::new(
                    x.sin().asin(),
                    signed(is_even, &here),
                    signed(!is_even, &other),
                )
            })
        }
        1 => {
            let k = (c / PI).floor();
            let j = k as i64;
            let here = match j % 2 == 0 {
                true => x - j * &pi,
                false => (j + 1) * &pi - x,
            };
            d.within((k + 0.5) * PI, PI / 2.0)
                .then(|| Case::new(x.cos().acos(), here.clone(), -here))
        }
        2 => {
            let k = (c / PI).round();
            let here = x - k as i64 * &pi;
            d.within(k * PI, PI / 2.0)
                .then(|| Case::new(x.tan().atan(), here.clone(), here + &pi))
        }
        3 => {
            let k = (c / (2.0 * PI)).round();
            let here = x - 2 * k as i64 * &pi;
            let length = match r.below(3) {
                0 => n(1),
                1 => d.a.clone(),
                _ => 1 + y.powi(2),
            };
            let angle = Expr::atan2(&(&length * x.sin()), &(&length * x.cos()));
            d.within(2.0 * k * PI, PI)
                .then(|| Case::new(angle, here.clone(), here - 2 * &pi))
        }
        4 => {
            // A root of a square.
            let k = (c / PI).floor();
            let is_positive = k as i64 % 2 == 0;
            let here = signed(is_positive, &x.sin());
            d.within((k + 0.5) * PI, PI / 2.0)
                .then(|| Case::new((1 - x.cos().powi(2)).sqrt(), here.clone(), -here))
        }
        5 => {
            let off = fraction(r);
            let gap = x - Expr::from(&off);
            let here = signed(c > off.to_f64(), &gap);
            let is_apart = (c - off.to_f64()).abs() > HALF + ROOM;
            is_apart.then(|| match r.below(3) {
                0 => Case::new(gap.powi(2).sqrt(), here.clone(), -here),
                1 => Case::new(gap.powi(2).log(), 2 * here.log(), here.log()),
                _ => Case::new(
                    (gap.powi(2) * (1 + y.powi(2))).sqrt(),
                    &here * (1 + y.powi(2)).sqrt(),
                    -here * (1 + y.powi(2)).sqrt(),
                ),
            })
        }
        6 => {
            // √(u² + v²k + 2uv√k) = |u + v√k|
            let (u, v) = (fraction(r), fraction(r));
            let k = [2, 3, 5, 6, 7, 10, 11][r.below(7)];
            let sum = Expr::from(&u) + Expr::from(&v) * n(k).sqrt();
            let value = u.to_f64() + v.to_f64() * (k as f64).sqrt();
            let square = Expr::from(&(&u * &u))
                + Expr::from(&(&v * &v)) * k
                + 2 * Expr::from(&(&u * &v)) * n(k).sqrt();
            let here = signed(value > 0.0, &sum);
            Some(Case::new(square.sqrt(), here.clone(), -here))
        }
        7 => {
            // √(A + √B) ± √(A − √B) = √(2A ± 2√(A² − B))
            let a = 2 + r.below(12) as i64;
            let b = 1 + r.below((a * a - 1) as usize) as i64;
            let (p, q) = ((a + n(b).sqrt()).sqrt(), (a - n(b).sqrt()).sqrt());
            let root = |s: i64| (2 * n(a) + 2 * s * n(a * a - b).sqrt()).sqrt();
            Some(match r.below(2) {
                0 => Case::new(&p + &q, root(1), root(-1)),
                _ => Case::new(&p - &q, root(-1), root(1)),
            })
        }
        8 => {
            let (p, q) = (fraction(r), fraction(r));
            let product = &p * &q;
            let quotient = &(&p + &q) * &(&Rational::ONE - &product).recip()?;
            let turn = match product.to_f64() > 1.0 {
                false => 0,
                true => p.to_f64().signum() as i64,
            };
            let [p, q, s] = [p, q, quotient].map(|e| Expr::from(&e).atan());
            Some(Case::new(p + q, &s + turn * &pi, s + (turn + 1) * &pi))
        }
        9 => {
            // tan of half the angle of a right triangle.
            let (m, k) = (1 + r.below(12) as i64, 1 + r.below(12) as i64);
            let half = 2 * Expr::ratio(k, m).atan();
            let length = m * m + k * k;
            match r.below(2) {
                0 => {
                    let whole = Expr::ratio(m * m - k * k, length).acos();
                    Some(Case::new(whole, half.clone(), -half))
                }
                _ => {
                    let beyond = &pi - &half;
                    let whole = Expr::ratio(2 * m * k, length).asin();
                    match k.cmp(&m) {
                        std::cmp::Ordering::Less => Some(Case::new(whole, half, beyond)),
                        std::cmp::Ordering::Greater => Some(Case::new(whole, beyond, half)),
                        std::cmp::Ordering::Equal => None,
                    }
                }
            }
        }
        10 => {
            let (a, b) = (&d.a, &d.b);
            Some(match r.below(4) {
                0 => Case::new((a - b).powi(2).sqrt(), a - b, b - a),
                1 => Case::new(
                    (a.powi(2) - b.powi(2)).log(),
                    (a - b).log() + (a + b).log(),
                    (a + b).log() * 2,
                ),
                2 => Case::new(Expr::atan2(&(a - b), &(b - a)), 3 * &pi / 4, -&pi / 4),
                _ => Case::new(
                    (a.powi(2) + b.powi(2) - 2 * a * b).sqrt() + 2 * b,
                    a + b,
                    3 * b - a,
                ),
            })
        }
        11 => {
            let u = Expr::from(&fraction(r)) * x + y;
            let root = (1 + u.powi(2)).sqrt();
            Some(Case::new(
                (&u + &root).log(),
                -(&root - &u).log(),
                (root - u).log(),
            ))
        }
        12 => Some(Case::new(
            (x.exp() * (1 + y.powi(2))).log(),
            x + (1 + y.powi(2)).log(),
            x - (1 + y.powi(2)).log(),
        )),
        13 => {
            let k = (c / PI + 0.5).floor();
            let here = signed(k as i64 % 2 == 0, &x.cos());
            d.within(k * PI, PI / 2.0)
                .then(|| Case::new((1 - x.sin().powi(2)).sqrt(), here.clone(), -here))
        }
        14 => {
            let k = (c / (2.0 * PI)).floor();
            let here = signed(k as i64 % 2 == 0, &(x / 2).sin());
            d.within((2.0 * k + 1.0) * PI, PI)
                .then(|| Case::new(((1 - x.cos()) / 2).sqrt(), here.clone(), -here))
        }
        15 => {
            let k = (c / (2.0 * PI)).round();
            let here = signed(k as i64 % 2 == 0, &(x / 2).cos());
            d.within(2.0 * k * PI, PI)
                .then(|| Case::new(((1 + x.cos()) / 2).sqrt(), here.clone(), -here))
        }
        16 => {
            let u = (x - Expr::from(&Rational::new((c * 100.0).round() as i64, 100))) * 20;
            let leg = (1 - u.powi(2)).sqrt();
            Some(match r.below(3) {
                0 => Case::new(u.asin() + u.acos(), &pi / 2, -&pi / 2),
                1 => Case::new((&u / &leg).atan(), u.asin(), u.acos()),
                _ => Case::new((2 * &u * &leg).asin(), 2 * u.asin(), &pi - 2 * u.asin()),
            })
        }
        17 => {
            let positive = 1 + y.powi(2) + d.a.clone();
            let third = |e: &Expr, k: i64| e.powr(&Rational::new(k, 3));
            Some(Case::new(
                third(&positive, 1) * third(&positive, 2),
                positive.clone(),
                -positive,
            ))
        }
        18 => {
            // The angle of a point in the upper half plane.
            let up = 1 + y.powi(2);
            let angle = Expr::atan2(&up, x);
            Some(match r.below(2) {
                0 => Case::new(
                    angle,
                    &pi / 2 - (x / &up).atan(),
                    -&pi / 2 - (x / &up).atan(),
                ),
                _ if c > HALF + ROOM => Case::new(angle, (&up / x).atan(), (&up / x).atan() + &pi),
                _ if c < -HALF - ROOM => Case::new(angle, (&up / x).atan() + &pi, (&up / x).atan()),
                _ => return None,
            })
        }
        19 => {
            let is_right = c > HALF + ROOM;
            let is_left = c < -HALF - ROOM;
            let quarter = signed(is_right, &(&pi / 2));
            (is_right || is_left)
                .then(|| Case::new(x.atan() + x.recip().atan(), quarter.clone(), -quarter))
        }
        20 => {
            // atan((1 + x)/(1 − x)) = atan x + π/4, less π beyond 1
            let turn = i64::from(c > 1.0);
            let here = x.atan() + &pi / 4 - turn * &pi;
            ((c - 1.0).abs() > HALF + ROOM)
                .then(|| Case::new(((1 + x) / (1 - x)).atan(), here.clone(), here + &pi))
        }
        _ => {
            // atan(2x/(1 − x²)) = 2 atan x − kπ
            let turn = i64::from(c > 1.0) - i64::from(c < -1.0);
            let here = 2 * x.atan() - turn * &pi;
            ((c.abs() - 1.0).abs() > HALF + ROOM)
                .then(|| Case::new((2 * x / (1 - x.powi(2))).atan(), here.clone(), here - &pi))
        }
    }
}

/// A factor without zeros.
fn factor(r: &mut Random, d: &Domain) -> Expr {
    match r.below(6) {
        0 => 1 + d.y.powi(2),
        1 => d.a.clone(),
        2 => d.x.exp(),
        3 => -&d.b,
        4 => n(2).sqrt(),
        _ => n(1),
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

#[test]
fn identities_hold_on_their_branch_and_nowhere_else() {
    let mut r = Random::new(20_261_120);
    let (mut judged, mut proven, mut wrong, mut refuted) = (0, 0, 0, 0);
    while judged < CASES {
        let d = Domain::new(&mut r);
        let kind = r.below(KINDS);
        let Some(case) = relation(kind, &mut r, &d) else {
            continue;
        };
        let is_sum = judged % 4 == 0;
        let other = r.below(KINDS);
        let second = relation(other, &mut r, &d).filter(|_| is_sum);
        let mut zero = factor(&mut r, &d) * case.zero;
        if let Some(second) = second {
            zero += factor(&mut r, &d) * second.zero;
        }
        judged += 1;
        let values = d.values(&zero);
        assert!(
            largest(&values) < 1e-9,
            "not zero by construction: {zero}: {values:?}"
        );
        match prove_zero(&zero) {
            Verdict::Proven { .. } => proven += 1,
            Verdict::Refuted { witness, value } => {
                panic!("case {judged}: {zero} refuted by {witness:?}: {value}")
            }
            Verdict::Undecided { .. } => {}
        }
        // Nearly zero, and zero on another branch only.
        let tiny = Rational::new(1, 10).pow(3 + r.below(20) as i64);
        let tiny = tiny.unwrap_or(Rational::ONE);
        let near = &zero + Expr::from(&tiny) * factor(&mut r, &d);
        let other = factor(&mut r, &d) * case.wrong;
        let is_elsewhere = largest(&d.values(&other)) > 1e-6;
        for e in std::iter::once(near).chain(is_elsewhere.then_some(other)) {
            wrong += 1;
            match prove_zero(&e) {
                Verdict::Proven { how } => panic!("case {judged}: {e} proven: {how}"),
                Verdict::Refuted { .. } => refuted += 1,
                Verdict::Undecided { .. } => {}
            }
        }
    }
    println!("{proven} of {judged} identities proven, {refuted} of {wrong} others refuted");
    assert!(proven * 100 >= judged * 85, "{proven} of {judged} proven");
    assert!(refuted * 100 >= wrong * 99, "{refuted} of {wrong} refuted");
}
