//! Simplification: examples whose short form a person would write.

use rattleback_symbolic::*;

/// A moving quantity with its primes, or a parameter.
fn named(name: &str) -> Expr {
    let stem = name.trim_end_matches('\'');
    let primes = (name.len() - stem.len()) as u32;
    if ["theta", "phi", "q1", "q2", "x", "y", "u"].contains(&stem) {
        Symbol::variable(stem).jet(primes).into()
    } else {
        Symbol::constant(stem).into()
    }
}

/// Declares expressions by the names of their symbols.
macro_rules! names {
    ($($name:ident = $text:literal),* $(,)?) => { $(let $name = named($text);)* };
}

fn assert_simplifies(e: &Expr, expected: &str) {
    assert_simplifies_with(&Simplifier::default(), e, expected);
}

/// With squares and binomial factors in longer sums.
fn assert_by_binomials(e: &Expr, expected: &str) {
    let how = Simplifier {
        binomials: true,
        ..Simplifier::default()
    };
    assert_simplifies_with(&how, e, expected);
}

fn assert_simplifies_with(how: &Simplifier, e: &Expr, expected: &str) {
    let short = simplify_with(e, how);
    assert_eq!(short.to_string(), expected, "from {e}");
    assert!(
        !prove_zero(&(e - &short)).is_refuted(),
        "{e} is not {short}"
    );
    assert_eq!(simplify_with(&short, how), short, "not stable");
}

#[test]
fn pythagoras_both_ways() {
    names!(a = "a", b = "b", m = "m", theta = "theta", phi = "phi");
    let (s, c) = (theta.sin(), theta.cos());
    assert_simplifies(&(1 - c.powi(2)), "sin(theta)^2");
    assert_simplifies(&(&a * s.powi(2) + &a * c.powi(2)), "a");
    assert_simplifies(
        &(&a * s.powi(2) + &b * c.powi(2)),
        "a*sin(theta)^2 + b*cos(theta)^2",
    );
    assert_simplifies(
        &(&a * s.powi(2) + &b * s.powi(2) + &a * c.powi(2)),
        "a + b*sin(theta)^2",
    );
    assert_simplifies(&(s.powi(4) + 2 * s.powi(2) * c.powi(2) + c.powi(4)), "1");
    assert_simplifies(
        &(&m * (1 - s.powi(2)) * (1 - phi.cos().powi(2))),
        "m*sin(phi)^2*cos(theta)^2",
    );
    assert_simplifies(&(1 + theta.tan().powi(2)), "sec(theta)^2");
    assert_simplifies(&(theta.cosh().powi(2) - theta.sinh().powi(2)), "1");
    assert_simplifies(&(theta.cosh().powi(2) - 1), "sinh(theta)^2");
}

#[test]
fn angles_are_added() {
    names!(a = "a", q1 = "q1", q2 = "q2");
    let (s1, c1, s2, c2) = (q1.sin(), q1.cos(), q2.sin(), q2.cos());
    assert_simplifies(&(&s1 * &c2 + &c1 * &s2), "sin(q1 + q2)");
    assert_simplifies(&(&a * &c1 * &c2 + &a * &s1 * &s2), "a*cos(q1 - q2)");
    assert_simplifies(&(&s1 * &c2 - &c1 * &s2), "sin(q1 - q2)");
    assert_simplifies(&(2 * &s1 * &c1), "sin(2*q1)");
    assert_simplifies(&(c1.powi(2) - s1.powi(2)), "cos(2*q1)");
    assert_simplifies(&(2 * c1.powi(2) - 1), "cos(2*q1)");
    let d = &q1 - &q2;
    assert_simplifies(&(d.sin() * &c2 + d.cos() * &s2), "sin(q1)");
    assert_simplifies(
        &(q1.cosh() * q2.cosh() + q1.sinh() * q2.sinh()),
        "cosh(q1 + q2)",
    );
    let lagrangian = (&c1 * &c2 + &s1 * &s2).powi(2) + (&s1 * &c2 - &c1 * &s2).powi(2);
    assert_simplifies(&lagrangian, "1");
}

#[test]
fn parameters_are_factored() {
    names!(j = "J", m = "m", r = "r", s = "s", x = "x'", y = "y'");
    assert_simplifies(&(&m * r.powi(2) + &m * s.powi(2)), "m*(r^2 + s^2)");
    assert_simplifies(
        &(&m * x.powi(2) / 2 + &m * y.powi(2) / 2),
        "m*(x'^2 + y'^2)/2",
    );
    assert_simplifies(
        &(&m * x.powi(2) / 2 + &m * y.powi(2) / 2 + &j * &r / 2),
        "(m*(x'^2 + y'^2) + J*r)/2",
    );
    assert_simplifies(&(r.powi(2) + 2 * &r * &s + s.powi(2)), "(r + s)^2");
    assert_simplifies(&(&j * &r + &j * &s + &m * &r + &m * &s), "(J + m)*(r + s)");
}

#[test]
fn velocities_are_collected() {
    names!(
        j = "J",
        m = "m",
        r = "r",
        g = "g",
        theta = "theta",
        a = "theta''",
        v = "theta'"
    );
    let e = &j * &a + &m * r.powi(2) * &a + &m * &g * &r * theta.sin();
    assert_simplifies(&e, "(J + m*r^2)*theta'' + g*m*r*sin(theta)");
    let e = &j * &v + &m * &v - &r * theta.cos();
    assert_simplifies(&e, "(J + m)*theta' - r*cos(theta)");
}

#[test]
fn fractions_cancel() {
    names!(j = "J", m = "m", r = "r", u = "u", theta = "theta");
    let d = &j + &m * r.powi(2);
    assert_simplifies(&((&j * &u + &m * r.powi(2) * &u) / &d), "u");
    assert_simplifies(&(&u / &d - &u * &j / (&j * &d)), "0");
    assert_simplifies(&(1 / &d + &m * r.powi(2) / (&j * &d)), "1/J");
    let wide = (&m * theta.sin().powi(2) + &m * theta.cos().powi(2) + &j - &m) / &j;
    assert_simplifies(&wide, "1");
    assert_simplifies(&((r.powi(2) - 1) / (&r - 1)), "r + 1");
    let (above, below) = (r.powi(2) + 3 * &r + 2, r.powi(2) + 4 * &r + 3);
    assert_simplifies(&(above / below), "(r + 2)/(r + 3)");
    assert_simplifies(&(theta.sin().powi(2) / (1 - theta.cos())), "cos(theta) + 1");
}

#[test]
fn arguments_and_radicands_are_simplified_too() {
    names!(a = "a", theta = "theta", x = "x");
    let one = theta.sin().powi(2) + theta.cos().powi(2);
    assert_simplifies(&(&x * &one).exp(), "exp(x)");
    assert_simplifies(&(&a.powi(2) * &one + 2 * &a + 1).sqrt(), "sqrt((a + 1)^2)");
}

#[test]
fn roots_are_resolved() {
    names!(m = "m", c = "c", k = "k", x = "x", v = "x'", a = "x''");
    let root = (1 - v.powi(2) / c.powi(2)).sqrt();
    let energy = &m * v.powi(2) / &root + &m * c.powi(2) * &root + &k * x.powi(2);
    assert_simplifies(&energy, "c^2*m/sqrt(1 - x'^2/c^2) + k*x^2");
    let force = (&m * &v / &root).diff(&Symbol::variable("x").jet(1)) * &a;
    assert_simplifies(&force, "m*x''/(1 - x'^2/c^2)^(3/2)");
}

#[test]
fn fractions_are_not_nested() {
    names!(
        m = "m",
        l = "l",
        g = "g",
        u = "u",
        theta = "theta",
        v = "theta'"
    );
    let e = (theta.sin() * (&m * &v.powi(2) - &g / &l) + &u / &l) / (1 + &m * theta.sin().powi(2));
    assert_simplifies(
        &e,
        "(sin(theta)*(l*m*theta'^2 - g) + u)/(l*(m*sin(theta)^2 + 1))",
    );
}

#[test]
fn the_double_pendulum_keeps_its_difference_angle() {
    names!(
        m = "m",
        l = "l",
        q1 = "q1",
        q2 = "q2",
        v1 = "q1'",
        v2 = "q2'"
    );
    let x = &l * q1.cos() * &v1 + &l * q2.cos() * &v2;
    let y = &l * q1.sin() * &v1 + &l * q2.sin() * &v2;
    let kinetic = &m * (x.powi(2) + y.powi(2)) / 2;
    assert_simplifies(&kinetic, "l^2*m*(q1'^2 + 2*cos(q1 - q2)*q1'*q2' + q2'^2)/2");
}

#[test]
fn big_expressions_come_back_quickly() {
    let x = Expr::from(Symbol::variable("x"));
    let mut e = x.clone();
    for k in 0..5000 {
        e = e.sin() + k * &x;
    }
    assert_eq!(simplify(&e), e);
    let dense = Expr::product((1..40).map(|k| &x + Expr::from(Symbol::constant(&format!("a{k}")))));
    assert_eq!(simplify(&dense), dense);
}

#[test]
fn squares_in_longer_sums_are_kept() {
    names!(
        a = "a",
        b = "b",
        k = "k",
        x = "x",
        y = "y",
        v = "q1'",
        w = "q2'"
    );
    // Two links: both velocities together have the inertia of the second.
    let inertia = &a + &b * &k;
    let links = &inertia * (&v + &w).powi(2) + &k * x.cos() * v.powi(2);
    assert_by_binomials(&expand(&links), "k*cos(x)*q1'^2 + (a + b*k)*(q1' + q2')^2");
    let square = (x.powi(2) - y.powi(2)).powi(2);
    assert_by_binomials(&expand(&(&square + &k * &x)), "(x^2 - y^2)^2 + k*x");
    // Nobody completes a square by a number.
    assert_by_binomials(&(x.powi(2) + 2 * &x + 2), "x^2 + 2*x + 2");
}

#[test]
fn products_of_binomials_are_found_back() {
    names!(x = "x", y = "y", u = "u");
    assert_by_binomials(
        &expand(&((&x + &y) * (y.powi(2) - x.powi(2)))),
        "(x + y)*(y^2 - x^2)",
    );
    assert_by_binomials(
        &expand(&((&x + &y) * (&u + 3) * (&u - &y))),
        "(u + 3)*(u - y)*(x + y)",
    );
    // What is written as a product stays one.
    assert_by_binomials(&((&x + &y) * (&x - 2 * &y)), "(x - 2*y)*(x + y)");
    assert_by_binomials(&((&x + &y) * (&u + 3) + &x), "(u + 3)*(x + y) + x");
}
