//! True identities are never refuted and near-identities never proven, a hundred thousand per run.

use rattleback_symbolic::{Expr, Rational, Sign, Symbol, Verdict, prove_zero};

fn var(name: &str) -> Expr {
    Symbol::variable(name).into()
}

fn positive(name: &str) -> Expr {
    Symbol::constant(name).with_sign(Sign::Positive).into()
}

fn negative(name: &str) -> Expr {
    Symbol::constant(name).with_sign(Sign::Negative).into()
}

fn n(k: i64) -> Expr {
    Expr::from(k)
}

fn q(a: i64, b: i64) -> Expr {
    Expr::ratio(a, b)
}

/// Identities that hold wherever they are defined and their assumptions hold.
fn identities() -> Vec<(&'static str, Expr)> {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let (a, b, m) = (positive("a"), positive("b"), negative("m"));
    let pi = Expr::pi();
    let s = |k: i64| n(k).sqrt();
    let at = |k: i64| q(1, k).atan();
    let c = |k: i64, d: i64| (q(k, d) * &pi).cos();
    vec![
        ("sin asin", x.asin().sin() - &x),
        ("cos acos", x.acos().cos() - &x),
        ("tan atan", x.atan().tan() - &x),
        ("sin acos", x.acos().sin() - (1 - x.powi(2)).sqrt()),
        ("cos asin", x.asin().cos() - (1 - x.powi(2)).sqrt()),
        ("tan asin", x.asin().tan() - &x / (1 - x.powi(2)).sqrt()),
        ("sin atan", x.atan().sin() - &x / (1 + x.powi(2)).sqrt()),
        ("cos atan", x.atan().cos() - (1 + x.powi(2)).sqrt().recip()),
        (
            "sin atan2",
            Expr::atan2(&y, &x).sin() - &y / (x.powi(2) + y.powi(2)).sqrt(),
        ),
        (
            "cos atan2",
            Expr::atan2(&y, &x).cos() - &x / (x.powi(2) + y.powi(2)).sqrt(),
        ),
        ("tan atan2", Expr::atan2(&y, &x).tan() - &y / &x),
        (
            "sin 2 atan2",
            (2 * Expr::atan2(&y, &x)).sin() - 2 * &x * &y / (x.powi(2) + y.powi(2)),
        ),
        (
            "cos 2 atan",
            (2 * x.atan()).cos() - (1 - x.powi(2)) / (1 + x.powi(2)),
        ),
        ("cos 3 acos", (3 * x.acos()).cos() - 4 * x.powi(3) + 3 * &x),
        (
            "sin (asin + acos)",
            (x.asin() + y.acos()).sin() - &x * &y - (1 - x.powi(2)).sqrt() * (1 - y.powi(2)).sqrt(),
        ),
        (
            "sin (z + atan)",
            (&z + x.atan()).sin() - (z.sin() + &x * z.cos()) / (1 + x.powi(2)).sqrt(),
        ),
        ("asin + acos", x.asin() + x.acos() - &pi / 2),
        ("atan2 right half", Expr::atan2(&y, &a) - (&y / &a).atan()),
        (
            "atan2 upper half",
            Expr::atan2(&a, &x) - &pi / 2 + (&x / &a).atan(),
        ),
        (
            "atan2 quadrant",
            Expr::atan2(&a, &m) - (&a / &m).atan() - &pi,
        ),
        ("atan reciprocal", a.atan() + a.recip().atan() - &pi / 2),
        (
            "atan quotient",
            (&a / &b).atan() + (&b / &a).atan() - &pi / 2,
        ),
        (
            "log product",
            (x.powi(2) + &x).log() - x.log() - (1 + &x).log(),
        ),
        ("log square", x.powi(2).log() - 2 * x.log()),
        (
            "log quotient",
            (&x / &y).log() - x.log() + y.log() + (&x / &y).log() - x.log() + y.log(),
        ),
        (
            "log root",
            (1 + x.powi(2)).sqrt().log() - (1 + x.powi(2)).log() / 2,
        ),
        (
            "log difference of squares",
            (x.powi(2) - y.powi(2)).log() - (&x - &y).log() - (&x + &y).log(),
        ),
        (
            "log times z",
            &z * (x.powi(2) - 1).log() - &z * (&x - 1).log() - &z * (&x + 1).log(),
        ),
        (
            "log of parameters",
            (&a * &b.powi(3)).log() - a.log() - 3 * b.log(),
        ),
        ("log 12", n(12).log() - 2 * n(2).log() - n(3).log()),
        ("log of a root", (3 + 2 * s(2)).log() - 2 * (1 + s(2)).log()),
        ("Machin", 4 * at(5) - at(239) - &pi / 4),
        ("Euler", at(2) + at(3) - &pi / 4),
        ("three arcs", at(2) + at(5) + at(8) - &pi / 4),
        ("Dase", n(1).atan() + n(2).atan() + n(3).atan() - &pi),
        ("Gauss", 12 * at(18) + 8 * at(57) - 5 * at(239) - &pi / 4),
        ("asin half", q(1, 2).asin() - &pi / 6),
        ("acos root", (s(2) / 2).acos() - &pi / 4),
        ("atan root", s(3).atan() - &pi / 3),
        ("asin 3/5", q(3, 5).asin() + q(4, 5).asin() - &pi / 2),
        ("acos and atan", q(3, 5).acos() - q(4, 3).atan()),
        (
            "atan2 of numbers",
            Expr::atan2(&n(1), &n(-1)) - q(3, 4) * &pi,
        ),
        ("nested 3", (3 + 2 * s(2)).sqrt() - 1 - s(2)),
        ("nested 6", (6 + 2 * s(5)).sqrt() - 1 - s(5)),
        ("nested 5", (5 + 2 * s(6)).sqrt() - s(2) - s(3)),
        ("nested 7", (7 - 4 * s(3)).sqrt() - 2 + s(3)),
        ("nested 11", (11 - 6 * s(2)).sqrt() - 3 + s(2)),
        (
            "nested times x",
            &x * (4 + 2 * s(3)).sqrt() - &x - &x * s(3),
        ),
        ("cos pi/7", c(1, 7) - c(2, 7) + c(3, 7) - q(1, 2)),
        ("cos pi/9", c(1, 9) * c(2, 9) * c(4, 9) - q(1, 8)),
        (
            "cos pi/11",
            c(1, 11) + c(3, 11) + c(5, 11) + c(7, 11) + c(9, 11) - q(1, 2),
        ),
        (
            "cos pi/13",
            c(2, 13) + c(6, 13) + c(8, 13) - (s(13) - 1) / 4,
        ),
        (
            "cos pi/17",
            Expr::sum((1..9).map(|k| c(2 * k, 17))) + q(1, 2),
        ),
        (
            "sin 2pi/7",
            (q(2, 7) * &pi).sin() + (q(4, 7) * &pi).sin() - (q(6, 7) * &pi).sin() - s(7) / 2,
        ),
        (
            "Gauss sum 11",
            (q(3, 11) * &pi).tan() + 4 * (q(2, 11) * &pi).sin() - s(11),
        ),
        (
            "tan products",
            (&pi / 7).tan() * (q(2, 7) * &pi).tan() * (q(3, 7) * &pi).tan() - s(7),
        ),
        ("exp log", x.log().exp() - &x),
        ("cosh log", x.log().cosh() - (&x + x.recip()) / 2),
        ("sinh log", x.log().sinh() - (&x - x.recip()) / 2),
        (
            "tanh log",
            x.log().tanh() - (x.powi(2) - 1) / (x.powi(2) + 1),
        ),
        (
            "tanh",
            (2 * &x).tanh() - 2 * x.tanh() / (1 + x.tanh().powi(2)),
        ),
        (
            "cosh sum",
            (&x + &y).cosh() - x.cosh() * y.cosh() - x.sinh() * y.sinh(),
        ),
        ("power sum", (&x + &y).exp() / x.exp() - y.exp()),
        ("root of a square", m.powi(2).sqrt() + &m),
        (
            "root of a square times",
            (m.powi(2) * (1 + &x.powi(2))).sqrt() + &m * (1 + x.powi(2)).sqrt(),
        ),
        (
            "root of a positive square",
            (a.powi(2) * b.powi(4)).sqrt() - &a * b.powi(2),
        ),
        (
            "radius",
            (x.powi(2) + y.powi(2)).sqrt().powi(3)
                - (x.powi(2) + y.powi(2)) * (x.powi(2) + y.powi(2)).sqrt(),
        ),
        ("half angle", (&x / 2).tan() - x.sin() / (1 + x.cos())),
    ]
}

/// Statements that are false, most of them true on another branch.
fn falsehoods() -> Vec<(&'static str, Expr)> {
    let (x, y) = (var("x"), var("y"));
    let (a, m) = (positive("a"), negative("m"));
    let pi = Expr::pi();
    let s = |k: i64| n(k).sqrt();
    let c = |k: i64, d: i64| (q(k, d) * &pi).cos();
    vec![
        ("asin sin", x.sin().asin() - &x),
        ("acos cos", x.cos().acos() - &x),
        ("atan tan", x.tan().atan() - &x),
        ("cos asin below", x.asin().cos() + (1 - x.powi(2)).sqrt()),
        ("atan2 everywhere", Expr::atan2(&y, &x) - (&y / &x).atan()),
        ("atan2 left half", Expr::atan2(&a, &m) - (&a / &m).atan()),
        (
            "atan reciprocal everywhere",
            x.atan() + x.recip().atan() - &pi / 2,
        ),
        ("log of a square", x.powi(2).log() - x.powi(2).log() / 2),
        (
            "the other root of 6 + 2√5",
            (6 + 2 * s(5)).sqrt() + 1 + s(5),
        ),
        (
            "the other root of 3 - 2√2",
            (3 - 2 * s(2)).sqrt() - 1 + s(2),
        ),
        ("root of a square", x.powi(2).sqrt() - &x),
        ("root of a negative square", m.powi(2).sqrt() - &m),
        ("cos pi/7", c(1, 7) + c(2, 7) + c(3, 7) - q(1, 2)),
        (
            "cos pi/13",
            c(2, 13) + c(6, 13) + c(8, 13) + (s(13) + 1) / 4,
        ),
        (
            "sin 2pi/7",
            (q(2, 7) * &pi).sin() + (q(4, 7) * &pi).sin() - (q(6, 7) * &pi).sin() + s(7) / 2,
        ),
        (
            "Machin off by one",
            4 * q(1, 5).atan() - q(1, 238).atan() - &pi / 4,
        ),
        (
            "Dase without its turn",
            n(1).atan() + n(2).atan() + n(3).atan(),
        ),
        (
            "nearly an integer",
            (&pi * n(163).sqrt()).exp()
                - "262537412640768744"
                    .parse::<Rational>()
                    .map(Expr::from)
                    .unwrap(),
        ),
        ("nearly pi", &pi - q(355, 113)),
    ]
}

#[test]
fn listed_identities_are_never_refuted() {
    let all = identities();
    let mut open = Vec::new();
    for (name, e) in &all {
        match prove_zero(e) {
            Verdict::Proven { .. } => {}
            Verdict::Refuted { witness, value } => panic!("{name}: {value} at {witness:?}"),
            Verdict::Undecided { why } => open.push(format!("{name}: {why}")),
        }
    }
    assert!(open.len() <= 2, "{open:#?}");
}

#[test]
fn listed_falsehoods_are_refuted() {
    for (name, e) in falsehoods() {
        let verdict = prove_zero(&e);
        assert!(verdict.is_refuted(), "{name}: {verdict:?}");
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    fn below(&mut self, n: u64) -> i64 {
        (self.next() % n) as i64
    }
}

/// A short expression: numbers, variables, parameters of known sign, a root or a function now and then.
fn short(r: &mut Random) -> Expr {
    let k = 1 + r.below(9);
    match r.below(9) {
        0 => var("x") + k,
        1 => k * var("x") * var("y"),
        2 => positive("a") / k + var("x"),
        3 => var("x").sin() + k,
        4 => n(k).sqrt() + r.below(5),
        5 => negative("m") * var("y") - k,
        6 => (var("y").powi(2) + k).sqrt(),
        7 => q(k, 1 + r.below(7)),
        _ => positive("a") * var("y") - var("x") / k,
    }
}

/// An identity in arguments of its own.
fn identity(r: &mut Random) -> Expr {
    let (u, v) = (short(r), short(r));
    let (k, l) = (1 + r.below(30), 1 + r.below(30));
    let (a, b) = (positive("a"), positive("b"));
    match r.below(16) {
        0 => (&u + &v).powi(2) - u.powi(2) - 2 * &u * &v - v.powi(2),
        1 => (&u + &v).sin() - u.sin() * v.cos() - u.cos() * v.sin(),
        2 => u.asin().sin() - &u,
        3 => u.atan().tan() - &u,
        4 => u.acos().sin().powi(2) + u.powi(2) - 1,
        5 => Expr::atan2(&u, &v).cos() * (u.powi(2) + v.powi(2)).sqrt() - &v,
        6 => (&u * &v).log() - u.log() - v.log(),
        7 => (u.powi(2) * v.powi(3)).log() - 2 * u.log() - 3 * v.log(),
        // √((k + l) + 2√(kl)) = √k + √l
        8 => ((n(k + l) + 2 * n(k * l).sqrt()).sqrt() - n(k).sqrt() - n(l).sqrt()) * u,
        // atan(1/k) = atan(1/(k + l)) + atan(l/(k² + kl + 1))
        9 => q(1, k).atan() - q(1, k + l).atan() - q(l, k * k + k * l + 1).atan(),
        10 => Expr::atan2(&u, &(&a * k)) - (&u / (&a * k)).atan(),
        11 => (&a / (&b * l)).atan() + (&b * l / &a).atan() - Expr::pi() / 2,
        12 => (&u + &v).exp() - u.exp() * v.exp(),
        13 => u.tanh() * u.cosh() - u.sinh(),
        14 => u.log().cosh() - (&u + u.recip()) / 2,
        _ => (2 * u.atan()).sin() - 2 * &u / (1 + u.powi(2)),
    }
}

/// What makes an identity false: a term that is certainly not zero.
fn defect(r: &mut Random) -> Expr {
    let tiny = Rational::new(1, 10)
        .pow(1 + r.below(25))
        .unwrap_or(Rational::ONE);
    let u = short(r);
    match r.below(3) {
        0 => Expr::from(&tiny),
        1 => Expr::from(&tiny) * (1 + u.powi(2)),
        _ => Expr::from(&tiny) * u.powi(2).exp(),
    }
}

/// Identities, and as many near-identities, of each half.
const PAIRS: usize = 25_000;

#[test]
fn random_identities_and_near_identities() {
    never_mistaken(20_261_116);
}

#[test]
fn more_random_identities_and_near_identities() {
    never_mistaken(61_162_011);
}

fn never_mistaken(seed: u64) {
    let mut r = Random(seed);
    let (mut proven, mut refuted) = (0, 0);
    for case in 0..PAIRS {
        let e = identity(&mut r);
        match prove_zero(&e) {
            Verdict::Proven { .. } => proven += 1,
            Verdict::Refuted { witness, value } => {
                panic!("case {case}: {e} refuted by {witness:?}: {value}")
            }
            Verdict::Undecided { .. } => {}
        }
        let near = &e + defect(&mut r);
        match prove_zero(&near) {
            Verdict::Proven { how } => panic!("case {case}: {near} proven: {how}"),
            Verdict::Refuted { .. } => refuted += 1,
            Verdict::Undecided { .. } => {}
        }
    }
    assert!(proven * 100 >= PAIRS * 90, "{proven} of {PAIRS} proven");
    assert!(refuted * 100 >= PAIRS * 85, "{refuted} of {PAIRS} refuted");
}
