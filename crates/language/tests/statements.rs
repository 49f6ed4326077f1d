//! Statements about parameters, coordinates, groups and Lagrangians: what each one puts into the model.

mod common;

use common::{BASE, RIGID, base_with, errors, findings, model, only_error};
use rattleback_language::{
    ConstraintKind, CoordinateKind, DrawArgument, Factor, Group, Relation, Shape, Trivialization,
    Values,
};
use rattleback_symbolic::{Expr, Sign, Symbol};

fn texts(symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(Symbol::to_string).collect()
}

#[test]
fn the_example_of_the_language_page() {
    let model = model(
        r#"
system knife_edge "Knife edge on an inclined plane"

param m = 1, J = 1/3     # mass, moment of inertia about the contact point
param g = 9.81, alpha = 0.3
assume m > 0, J > 0

coord x, y
coord phi : angle

kinetic   m/2*(x'^2 + y'^2) + J/2*phi'^2
potential -m*g*x*sin(alpha)
constraint sin(phi)*x' = cos(phi)*y'
symmetry  slide = (y: 1)

start x = 0, y = 0, phi = 0, phi' = 1.5
time 0 .. 10 step 0.01
draw trail [x, y, 0]
"#,
    );
    assert_eq!(model.name, "knife_edge");
    assert_eq!(
        model.title.as_deref(),
        Some("Knife edge on an inclined plane")
    );
    assert_eq!(model.parameters.len(), 4);
    assert_eq!(
        model.parameters[1].doc.as_deref(),
        Some("mass, moment of inertia about the contact point")
    );
    assert_eq!(model.parameters[0].symbol.sign(), Sign::Positive);
    assert_eq!(model.parameters[2].symbol.sign(), Sign::Unknown);
    assert_eq!(texts(&model.positions()), ["x", "y", "phi"]);
    assert_eq!(texts(&model.velocities()), ["x'", "y'", "phi'"]);
    assert!(matches!(
        &model.configuration[2],
        Factor::Coordinate {
            kind: CoordinateKind::Angle,
            ..
        }
    ));
    assert_eq!(
        model.lagrangian,
        model.kinetic.clone().unwrap() - model.potential.clone().unwrap()
    );
    assert_eq!(model.constraints[0].kind(), ConstraintKind::Linear);
    assert_eq!(
        model.symmetries[0].components,
        [(Symbol::variable("y").derivative(), Expr::one())]
    );
    assert_eq!(model.start.positions.len(), 3);
    assert_eq!(model.start.velocities[0].value, Expr::ratio(3, 2));
    let time = model.time.unwrap();
    assert_eq!(
        (time.from, time.to, time.step),
        (Expr::zero(), Expr::from(10), Some(Expr::ratio(1, 100)))
    );
    assert_eq!(model.draws[0].shape, "trail");
    assert!(
        matches!(&model.draws[0].size, Some(DrawArgument::Value(v)) if v.shape() == Shape::Vector(3))
    );
}

#[test]
fn text_with_marks_tabs_and_other_line_ends() {
    let text = "\u{FEFF}system a\r\ncoord\tx\r\nlagrangian\tx'^2\r\n\t+ x\r\n";
    assert_eq!(
        model(text).lagrangian.to_string(),
        model("system a\ncoord x\nlagrangian x'^2 + x")
            .lagrangian
            .to_string()
    );
    assert_eq!(
        errors("\u{FEFF}sistem a\ncoord x\nlagrangian x'^2"),
        [(1, 1, "unknown-statement")]
    );
}

#[test]
fn parameters_may_use_earlier_ones() {
    let model = base_with("param l = 2, J = m*l^2/12\nobserve o = l + J");
    let values = Values::of(&model);
    assert_eq!(values.get(&Symbol::constant("J")), Some(&Expr::ratio(1, 3)));
    assert_eq!(
        errors(&format!("{BASE}param k = x\nobserve o = k\n")),
        [(5, 11, "not-allowed")]
    );
    assert_eq!(
        errors(&format!("{BASE}param k\nobserve o = k\n")),
        [(5, 8, "syntax")]
    );
}

#[test]
fn matrix_parameters_are_flattened_and_keep_their_zeros() {
    let model = base_with("param I = diag(1, 2), v = [0, 3]\nassume I[1,1] > 0\nobserve o = I*v");
    let names: Vec<&str> = model.parameters.iter().map(|p| p.symbol.name()).collect();
    assert_eq!(names, ["m", "I[1,1]", "I[2,2]", "v[2]"]);
    assert_eq!(model.parameters[1].symbol.sign(), Sign::Positive);
    let value = model.find("I").unwrap();
    assert!(value.entries()[1].is_zero() && !value.entries()[0].is_zero());
}

#[test]
fn assumptions() {
    let model = base_with(
        "param a = 2, b = 1, c = -1, d = 3\nassume 0 < b < a, c <= -1/2, d != 0, d >= 0, a^2 > b\nobserve o = a + b + c + d",
    );
    let sign = |name: &str| {
        model
            .parameters
            .iter()
            .find(|p| p.symbol.name() == name)
            .unwrap()
            .symbol
            .sign()
    };
    assert_eq!(
        [sign("a"), sign("b"), sign("c"), sign("d")],
        [
            Sign::Positive,
            Sign::Positive,
            Sign::Negative,
            Sign::Positive
        ]
    );
    assert_eq!(model.assumptions.len(), 6);
    assert_eq!(model.assumptions[5].relation, Relation::Greater);
    assert_eq!(
        errors(&format!("{BASE}assume m = 1\n")),
        [(5, 8, "assumption")]
    );
    assert_eq!(errors(&format!("{BASE}assume m\n")), [(5, 9, "syntax")]);
}

#[test]
fn relations_reach_the_algebra() {
    let model = base_with(
        "param a = 3, b = 2, c = 1\nlet minor = a*b - c^2\nassume minor > 0, a > 0, 1 < y < 5, y' < b\nobserve o = minor, p = y - 1, q = y' - b, r = c + y",
    );
    let sign = |name: &str| match model.find(name).unwrap().entries() {
        [e] => e.sign(),
        _ => panic!("{name} is no scalar"),
    };
    assert_eq!(
        ["o", "p", "q", "r"].map(sign),
        [
            Sign::Positive,
            Sign::Positive,
            Sign::Negative,
            Sign::Unknown
        ]
    );
    // A sign of a symbol is no relation, one of an abbreviation is.
    let plain = base_with("param k = 1\nassume k > 0\nobserve o = k");
    assert!(plain.parameters[1].symbol.facts().is_empty());
}

#[test]
fn assumptions_that_exclude_each_other() {
    let at = |statements: &str| errors(&format!("{BASE}{statements}\n"));
    assert_eq!(at("assume x > 0, x < 0"), [(5, 15, "assumption")]);
    // For the values given there is nothing between the bounds.
    let bounds = "param a = 2, b = 1\nassume a < x < b\nobserve o = a + b";
    assert_eq!(at(bounds), [(6, 12, "assumption")]);
    assert_eq!(at("assume x^2 + 1 <= 0"), [(5, 8, "assumption")]);
    assert_eq!(
        at("assume x*x' > 0, x < 0, x' > 0"),
        [(5, 25, "assumption")]
    );
    assert!(at("assume x >= 0, x <= 0").is_empty());
}

#[test]
fn kinds_of_coordinates() {
    let model =
        model("system a\ncoord a, b : angle, c\ncoord d\nlagrangian a'^2 + b'^2 + c'^2 + d'^2\n");
    let angle = |f: &Factor| {
        matches!(
            f,
            Factor::Coordinate {
                kind: CoordinateKind::Angle,
                ..
            }
        )
    };
    let angles: Vec<bool> = model.configuration.iter().map(angle).collect();
    assert_eq!(angles, [true, true, false, false]);
    assert_eq!(
        errors("system a\ncoord x'\nlagrangian x'^2\n"),
        [(2, 7, "derivative")]
    );
}

#[test]
fn groups_have_entries_and_velocities() {
    let rigid = model(RIGID);
    assert_eq!(
        texts(&rigid.positions())[..4],
        ["R[1,1]", "R[1,2]", "R[1,3]", "R[2,1]"]
    );
    assert_eq!(texts(&rigid.velocities()), ["w[1]", "w[2]", "w[3]"]);
    assert_eq!(rigid.order, 1);
    let all = model(
        "system g\ngroup A : SO(2) velocity a\ngroup B : SE(2) velocity (p, q, r) space\ngroup C : SE(3) velocity c\n\
         group D : SU(2) velocity d\ngroup E : R(2)\ncoord z\n\
         lagrangian a^2 + p^2 + q^2 + r^2 + dot(c, c) + dot(d, d) + norm2(E') + z'^2 + A[1,1] + B[1,3] + C[1,4] + D[4] + E[2]\n",
    );
    let kinds: Vec<String> = all
        .configuration
        .iter()
        .map(|f| match f {
            Factor::Group {
                kind,
                entries,
                velocities,
                ..
            } => format!("{kind} {} {}", entries.len(), velocities.len()),
            Factor::Coordinate { symbol, .. } => symbol.to_string(),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "SO(2) 4 1",
            "SE(2) 9 3",
            "SE(3) 16 6",
            "SU(2) 4 3",
            "R(2) 2 2",
            "z"
        ]
    );
    assert_eq!(texts(&all.velocities())[..4], ["a", "p", "q", "r"]);
    assert!(texts(&all.velocities()).contains(&"E[1]'".to_owned()));
    let Factor::Group {
        trivialization,
        kind,
        ..
    } = &all.configuration[1]
    else {
        panic!()
    };
    assert_eq!(
        (*trivialization, *kind),
        (Trivialization::Space, Group::SE2)
    );
    // The last row of a motion is exact.
    assert_eq!(
        all.find("B").unwrap().entries()[6..],
        [Expr::zero(), Expr::zero(), Expr::one()]
    );
}

/// The value of an expression with some number for each symbol.
fn at_random(e: &Expr) -> f64 {
    let number = |(k, s): (usize, Symbol)| (s, (1.0 + k as f64).sqrt().fract() + 0.1);
    let values: Vec<(Symbol, f64)> = e
        .free_symbols()
        .into_iter()
        .enumerate()
        .map(number)
        .collect();
    e.evaluate(&values).unwrap()
}

#[test]
fn group_elements_move_with_their_velocities() {
    let same = |setup: &str, a: &str, b: &str| {
        let text = format!(
            "system g\n{setup}\ncoord z\nlagrangian z'^2\nlet a = {a}\nobserve p = a'\nobserve q = {b}\n"
        );
        let model = model(&text);
        let (left, right) = (&model.observables[0].value, &model.observables[1].value);
        for (l, r) in left.entries().iter().zip(right.entries()) {
            assert!(at_random(&(l - r)).abs() < 1e-12, "{setup}: {l} is not {r}");
        }
    };
    same(
        "group R : SO(3) velocity w",
        "R*[1, 2, 3]",
        "R*cross(w, [1, 2, 3])",
    );
    same(
        "group R : SO(3) velocity w space",
        "R*[1, 2, 3]",
        "cross(w, R*[1, 2, 3])",
    );
    same("group R : SO(2) velocity w", "R[1,1]", "R[1,2]*w");
    same(
        "group X : SE(2) velocity (w, u, v)",
        "X[1,3]",
        "X[1,1]*u + X[1,2]*v",
    );
    same(
        "group X : SE(3) velocity w",
        "X[1,4]",
        "X[1,1]*w[4] + X[1,2]*w[5] + X[1,3]*w[6]",
    );
    same(
        "group g : SU(2) velocity w",
        "g[1]",
        "-(g[2]*w[1] + g[3]*w[2] + g[4]*w[3])/2",
    );
    same(
        "group g : SU(2) velocity w",
        "g[2]",
        "(g[1]*w[1] + g[3]*w[3] - g[4]*w[2])/2",
    );
    same("group v : R(2)", "v[1]*v[2]", "v'[1]*v[2] + v[1]*v'[2]");
}

#[test]
fn mistakes_with_groups() {
    assert!(
        only_error("system r\ngroup R : SO(4) velocity w\nlagrangian dot(w, w)\n")
            .contains("SO(2), SO(3)")
    );
    assert!(
        only_error("system r\ngroup R : SO(3)\ncoord z\nlagrangian z'^2\n").contains("velocity w")
    );
    assert!(only_error(&format!("{RIGID}observe o = R'\n")).contains("use its velocity `w`"));
    assert!(only_error(&format!("{RIGID}observe o = R[1,2]'\n")).contains("has no prime"));
    assert!(
        only_error("system r\ngroup R : SO(3) velocity (p, q)\nlagrangian p^2 + q^2\n")
            .contains("3 velocity components")
    );
    assert!(only_error(&format!("{RIGID}force (R: 1)\n")).contains("by its velocity"));
    assert!(only_error(&format!("{RIGID}observe o = identity\n")).contains("start"));
    assert!(
        only_error("system r\ngroup R : R(1000000000)\ncoord x\nlagrangian x'^2\n")
            .contains("not a group")
    );
}

#[test]
fn orders_of_lagrangians() {
    assert_eq!(model("system a\ncoord x\nlagrangian x'''^2\n").order, 3);
    assert_eq!(
        model("system a\ngroup R : SO(3) velocity w\nlagrangian norm2(w')\n").order,
        2
    );
    assert_eq!(
        model("system a\ngroup v : R(2)\nlagrangian norm2(v'')\n").order,
        2
    );
}

#[test]
fn kinds_of_constraints() {
    let kind = |equation: &str| base_with(&format!("constraint {equation}")).constraints[0].kind();
    assert_eq!(kind("x' = y*y'"), ConstraintKind::Linear);
    assert_eq!(kind("x' = y + t"), ConstraintKind::Affine);
    assert_eq!(kind("x^2 + y^2 = 1"), ConstraintKind::Holonomic);
    assert_eq!(kind("x'^2 = y'^2"), ConstraintKind::Nonlinear);
    assert_eq!(kind("x'' = y"), ConstraintKind::HigherOrder);
    assert_eq!(kind("(x' + 1)^2 - x'^2 = 1"), ConstraintKind::Linear);
    assert_eq!(
        kind("x'*(sin(y)^2 + cos(y)^2) + sin(x)^2 = y' + 1 - cos(x)^2"),
        ConstraintKind::Linear
    );
    let vector = base_with("constraint x' = y\nconstraint [x', y'] = [1, x] # why");
    let places: Vec<(usize, usize)> = vector
        .constraints
        .iter()
        .map(|c| (c.statement, c.component))
        .collect();
    assert_eq!(places, [(0, 0), (1, 0), (1, 1)]);
    assert_eq!(vector.constraints[2].doc.as_deref(), Some("why"));
}

#[test]
fn constraints_that_say_nothing() {
    assert_eq!(
        findings(&format!("{BASE}constraint x' = x'\n")),
        [(5, 12, "redundant")]
    );
    assert_eq!(
        errors(&format!("{BASE}constraint m = 2\n")),
        [(5, 12, "constraint")]
    );
    assert_eq!(
        errors(&format!("{BASE}control u on x\nconstraint x' = u\n")),
        [(6, 17, "not-allowed")]
    );
}
