//! Printed text: the order a person expects, in every notation.

use rattleback_symbolic::*;

fn constant(name: &str) -> Expr {
    Symbol::constant(name).into()
}
fn variable(name: &str) -> Expr {
    Symbol::variable(name).into()
}
fn jet(name: &str, order: u32) -> Expr {
    Symbol::variable(name).jet(order).into()
}
fn positive(name: &str) -> Expr {
    Symbol::constant(name).with_sign(Sign::Positive).into()
}

#[test]
fn factors_come_in_human_order() {
    let theta = variable("theta");
    let e = jet("theta", 1).powi(2) * theta.cos() * constant("r").powi(2) * constant("m");
    assert_eq!(e.to_string(), "m*r^2*cos(theta)*theta'^2");
    let e = theta.cos() * theta.sin() * variable("x") * Expr::pi() * 2;
    assert_eq!(e.to_string(), "2*pi*x*sin(theta)*cos(theta)");
    let e = jet("x", 2) * (constant("J") + constant("m") * constant("r").powi(2));
    assert_eq!(e.to_string(), "(J + m*r^2)*x''");
}

#[test]
fn terms_come_by_decreasing_degree() {
    let x = variable("x");
    assert_eq!((1 + &x + x.powi(2)).to_string(), "x^2 + x + 1");
    let e = constant("k") * &x + constant("m") * jet("x", 2) + constant("c") * jet("x", 1);
    assert_eq!(e.to_string(), "m*x'' + c*x' + k*x");
    let e = variable("x10") + variable("x2") + variable("x1");
    assert_eq!(e.to_string(), "x1 + x2 + x10");
}

#[test]
fn signs_are_pulled_out() {
    let (a, b, c) = (constant("a"), constant("b"), constant("c"));
    assert_eq!((&b - &a).to_string(), "b - a");
    assert_eq!((-&a - &b).to_string(), "-a - b");
    assert_eq!((-(&a * (&b - &c))).to_string(), "a*(c - b)");
    assert_eq!((&a / (-&b - &c)).to_string(), "-a/(b + c)");
    assert_eq!((&b - &a).powi(2).to_string(), "(a - b)^2");
    assert_eq!((1 - variable("x").cos()).to_string(), "1 - cos(x)");
    assert_eq!((-&a / &b).to_string(), "-a/b");
    assert_eq!((-a.powi(2)).to_string(), "-a^2");
}

#[test]
fn quotients_are_single_fractions() {
    let (a, b, c) = (constant("a"), constant("b"), constant("c"));
    assert_eq!((&a / 2).to_string(), "a/2");
    assert_eq!((3 * &a / 4).to_string(), "3*a/4");
    assert_eq!((&a / (&b * &c)).to_string(), "a/(b*c)");
    assert_eq!((3 * (&a + &b) / (2 * &c)).to_string(), "3*(a + b)/(2*c)");
    assert_eq!((Expr::one() / (2 * &a)).to_string(), "1/(2*a)");
    assert_eq!(Expr::ratio(-2, 3).to_string(), "-2/3");
    assert_eq!((&a + Expr::ratio(1, 2)).to_string(), "a + 1/2");
    assert_eq!(((&a + &b) / 2).to_string(), "(a + b)/2");
    assert_eq!((2 * (&a + &b)).to_string(), "2*(a + b)");
    assert_eq!((4 * &a + 2).to_string(), "4*a + 2");
    assert_eq!((-2 * (&a + &b)).to_string(), "-2*(a + b)");
    assert_eq!((&a / (&b / &c + 1)).to_string(), "a/(b/c + 1)");
}

#[test]
fn roots_and_powers() {
    let (a, b, m) = (constant("a"), constant("b"), positive("m"));
    let k = positive("k");
    assert_eq!(a.sqrt().to_string(), "sqrt(a)");
    assert_eq!((2 * &a).sqrt().to_string(), "sqrt(2*a)");
    assert_eq!((&k / &m).sqrt().to_string(), "sqrt(k/m)");
    assert_eq!((a.sqrt() * b.sqrt()).to_string(), "sqrt(a)*sqrt(b)");
    assert_eq!((&a * &b).sqrt().to_string(), "sqrt(a*b)");
    assert_eq!((Expr::one() / a.sqrt()).to_string(), "1/sqrt(a)");
    assert_eq!(a.powr(&Rational::new(-3, 2)).to_string(), "1/a^(3/2)");
    assert_eq!((Expr::from(2).sqrt() / 2).to_string(), "sqrt(2)/2");
    assert_eq!(
        Expr::from(2).powr(&Rational::new(1, 3)).to_string(),
        "2^(1/3)"
    );
    assert_eq!((&a + &b).powi(3).to_string(), "(a + b)^3");
    assert_eq!((-&a).sqrt().to_string(), "sqrt(-a)");
}

#[test]
fn quotients_of_sine_and_cosine_get_their_names() {
    let (m, r, x) = (constant("m"), constant("r"), variable("x"));
    assert_eq!(x.tan().to_string(), "tan(x)");
    assert_eq!((&m * x.cot() / &r).to_string(), "m*cot(x)/r");
    assert_eq!(x.tan().powi(2).to_string(), "tan(x)^2");
    assert_eq!((x.tan() * x.sec()).to_string(), "tan(x)/cos(x)");
    assert_eq!((x.sin().powi(3) / x.cos()).to_string(), "sin(x)^3/cos(x)");
    assert_eq!(x.sec().to_string(), "sec(x)");
    assert_eq!((&m / x.cos()).to_string(), "m/cos(x)");
    assert_eq!(x.csc().powi(2).to_string(), "csc(x)^2");
    assert_eq!(x.tanh().to_string(), "tanh(x)");
    assert_eq!((x.sin() / (2 * &x).cos()).to_string(), "sin(x)/cos(2*x)");
}

#[test]
fn odd_and_even_functions_turn_their_arguments() {
    let (a, x, y) = (constant("a"), variable("x"), variable("y"));
    assert_eq!((&y - &x).cos().to_string(), "cos(x - y)");
    assert_eq!((&a - (&x - &y).sin()).to_string(), "a - sin(x - y)");
    assert_eq!((&a + (&y - &x).sin()).to_string(), "a - sin(x - y)");
    assert_eq!((&y - &x).sin().powi(2).to_string(), "sin(x - y)^2");
    assert_eq!((&a - (&y - &x).tan()).to_string(), "a + tan(x - y)");
}

#[test]
fn subtracted_sums_give_up_their_sign() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(constant);
    let inner = &b * (&c - &d) + &d * (&c - &b);
    assert_eq!(
        (&a - &a.powi(2) * &inner).to_string(),
        "a + a^2*(d*(b - c) - b*(c - d))"
    );
    assert_eq!((-(&a - &b) / &c - 2).to_string(), "(b - a)/c - 2");
}

#[test]
fn functions_of_two_arguments() {
    let (x, y) = (variable("x"), variable("y"));
    assert_eq!(Expr::atan2(&(-&y), &x).to_string(), "atan2(-y, x)");
}

#[test]
fn a_declared_order_wins() {
    let [m, g] = ["m", "g"].map(Symbol::constant);
    let [x, y] = ["x", "y"].map(Symbol::variable);
    let style =
        Style::ascii().with_order(Order::new(&[m.clone(), g.clone(), y.clone(), x.clone()]));
    let e = Expr::from(&g) * &m * &x + Expr::from(x.jet(1)).powi(2) + Expr::from(y.jet(1)).powi(2);
    assert_eq!(text(&e, &style), "y'^2 + x'^2 + m*g*x");
}

#[test]
fn unicode_has_greek_letters_and_dots() {
    let e = constant("lambda1") * variable("theta").sin() * jet("phi2", 1) * jet("w[1]", 1);
    assert_eq!(text(&e, &Style::unicode()), "λ₁*sin(θ)*φ\u{307}₂*w[1]'");
}

#[test]
fn latex_reads_like_a_paper() {
    let style = Style::default();
    let theta = variable("theta");
    let show = |e: &Expr| latex(e, &style);
    assert_eq!(
        show(&(theta.sin().powi(2) * constant("m"))),
        r"m \sin^{2}\theta"
    );
    assert_eq!(show(&constant("R[1,2]")), "R_{1,2}");
    assert_eq!(show(&jet("w[3]", 1)), r"\dot{w}_{3}");
    assert_eq!(show(&constant("p_theta")), r"p_{\theta}");
    assert_eq!(show(&constant("lambda1")), r"\lambda_{1}");
    assert_eq!(show(&jet("theta1", 2)), r"\ddot{\theta}_{1}");
    assert_eq!(show(&constant("mass")), r"\mathrm{mass}");
    assert_eq!(show(&variable("x").sin()), r"\sin x");
    assert_eq!(show(&(2 * &theta).sin()), r"\sin\left(2 \theta\right)");
    assert_eq!(
        show(&((constant("a") + 1) / (constant("b") - 1))),
        r"\frac{a + 1}{b - 1}"
    );
    assert_eq!(
        show(&(constant("a") * (constant("b") + 1))),
        r"a \left(b + 1\right)"
    );
    assert_eq!(show(&(-2 * &theta).exp()), r"\mathrm{e}^{-2 \theta}");
    assert_eq!(show(&(constant("a") / 2).sqrt()), r"\frac{\sqrt{2 a}}{2}");
    assert_eq!(show(&jet("x", 4)), "x^{(4)}");
    assert_eq!(
        show(&(2 * Expr::from(3).powr(&Rational::new(1, 3)))),
        r"2 \cdot 3^{1/3}"
    );
}

#[test]
fn mathml_is_well_formed() {
    let e = (variable("theta").sin().powi(2) + jet("theta1", 2) / constant("R[1,2]")).sqrt()
        * jet("x", 3)
        * constant("a<b&c")
        - constant("q").exp() / 2;
    let out = mathml(&e, &Style::default());
    check_xml(&out);
    assert!(out.contains("<mover accent=\"true\"><mi>θ</mi><mo>¨</mo></mover>"));
    assert!(out.contains("a&lt;b&amp;c"));
    check_xml(&mathml_system(
        &[(e.clone(), e.clone()), (e.clone(), e)],
        &Style::default(),
    ));
}

/// Every element is closed, in order.
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("tag is closed");
        let tag = &rest[start + 1..end];
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "in {text}"),
            None => open.push(tag.split(' ').next().expect("a name")),
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "in {text}");
}

#[test]
fn systems_are_aligned() {
    let system = [
        (jet("theta", 2), -variable("theta").sin()),
        (constant("E"), jet("theta", 1).powi(2) / 2),
    ];
    assert_eq!(
        text_system(&system, &Style::unicode()),
        "θ\u{308} = -sin(θ)\nE = θ\u{307}^2/2\n"
    );
    assert_eq!(
        text_system(&system, &Style::ascii()),
        "theta'' = -sin(theta)\nE       = theta'^2/2\n"
    );
    assert_eq!(
        latex_system(&system, &Style::default()),
        "\\begin{aligned}\n\\ddot{\\theta} &= -\\sin\\theta \\\\\nE &= \\frac{\\dot{\\theta}^{2}}{2}\n\\end{aligned}"
    );
}

#[test]
fn depth_costs_no_stack() {
    let mut e = variable("x");
    for _ in 0..100_000 {
        e = e.sin() + 1;
    }
    assert!(e.to_string().len() > 900_000);
    assert!(latex(&e, &Style::default()).len() > 900_000);
    assert!(mathml(&e, &Style::default()).len() > 900_000);
}

#[test]
fn debug_output_is_bounded() {
    let mut e = variable("x");
    for _ in 0..200 {
        e = e.sin() * e.cos() + 1;
    }
    assert!(format!("{e:?}").len() < 20_000);
}
