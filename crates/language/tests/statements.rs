//! Statements: what each one puts into the model.

mod common;

use common::{BASE, base_with, errors, findings, model, only_error};
use rattleback_language::{
    Condition, ConstraintKind, CoordinateKind, DrawArgument, Factor, FibreItem, Group, Relation,
    Shape, Trivialization,
};
use rattleback_symbolic::{Expr, Sign, Symbol, Verdict, prove_zero};

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
    let values = model.parameter_values(&Default::default()).unwrap();
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

const RIGID: &str = "system r\ngroup R : SO(3) velocity w\nlagrangian dot(w, w)/2 - R[3,3]\n";

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

#[test]
fn forms_and_fields() {
    let model = model(&format!(
        "{RIGID}coord x, y\ncontrol u on x\ncontrol v on (w[1]: 2, y: x)\nforce (x: -x' + u, w: [0, 0, v])\n\
         symmetry s = (x: -y, y: x, w[3]: 1), r = (y: 1)\nframe X = (x: 1)\noneform g = (x: y)\nfibre R, x\nobserve E = x'\n"
    ));
    let names = |c: &[(Symbol, Expr)]| {
        c.iter()
            .map(|(s, e)| format!("{s}: {e}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&model.controls[0].form.components), ["x': 1"]);
    assert_eq!(
        names(&model.controls[1].form.components),
        ["w[1]: 2", "y': x"]
    );
    assert_eq!(model.forces[0].components.len(), 4);
    assert_eq!(
        names(&model.symmetries[0].components),
        ["x': -y", "y': x", "w[3]: 1"]
    );
    assert_eq!(model.symmetries[1].name, "r");
    assert_eq!((model.frame.len(), model.oneforms.len()), (1, 1));
    assert_eq!(
        model.fibre,
        [
            FibreItem::Group("R".into()),
            FibreItem::Coordinate(Symbol::variable("x"))
        ]
    );
}

#[test]
fn mistakes_in_forms() {
    assert_eq!(
        errors(&format!("{BASE}force (x: 1, x: 2)\n")),
        [(5, 14, "duplicate")]
    );
    assert_eq!(
        errors(&format!("{BASE}force (x': 1)\n")),
        [(5, 8, "target")]
    );
    assert_eq!(
        errors(&format!("{BASE}force (z: 1)\n")),
        [(5, 8, "unknown-name")]
    );
    assert_eq!(
        errors(&format!("{BASE}force (x: [1, 2])\n")),
        [(5, 11, "shape")]
    );
    assert_eq!(
        errors(&format!("{BASE}force F = (x: 1)\n")),
        [(5, 7, "syntax")]
    );
    assert_eq!(
        errors(&format!("{BASE}force (x 1, y: zz)\n")),
        [(5, 10, "syntax"), (5, 16, "unknown-name")]
    );
    assert_eq!(
        errors(&format!("{BASE}symmetry s = (x: x')\n")),
        [(5, 18, "not-allowed")]
    );
    assert_eq!(errors(&format!("{BASE}control u x\n")), [(5, 11, "syntax")]);
    assert_eq!(
        errors(&format!("{BASE}symmetry s = (x: 1)\nobserve o = s\n")),
        [(6, 13, "not-a-quantity")]
    );
    assert_eq!(
        errors(&format!("{BASE}fibre x, x\n")),
        [(5, 10, "duplicate")]
    );
}

/// The name of a frame field is that of the velocity along it, where generated names are.
#[test]
fn frame_fields_are_observed_by_name() {
    let m = base_with(
        "frame along = (x: 1)\nframe across = (y: 1)\nobserve o = across + y1\nparam y2 = 1\nforce (x: y2)",
    );
    let observed = m.observables[0].value.as_scalar().unwrap();
    assert_eq!(observed.to_string(), "y1 + y2_");
    let text = format!("{BASE}frame along = (x: 1)\nlet a = along\nobserve o = a\n");
    assert_eq!(errors(&text), [(6, 9, "not-a-quantity")]);
}

#[test]
fn states() {
    let model = model(&format!(
        "{RIGID}coord x\ngroup v : R(2)\ngroup g : SU(2) velocity q\nparam r0 = 2\nobserve o = x + v[1] + q[1]\n\
         start x = r0, x' = -1/2, w = [0, 0, 3], v = [1, 2], v'[1] = 5, mu1 = 0.3\n\
         start R = rotation([0,0,1], pi/2)*rotation([1,0,0], pi), g = rotation([1,0,0], pi)*rotation([0,1,0], pi)\n\
         goal R = identity, x = 1, g = identity\n"
    ));
    let shown: Vec<String> = model
        .start
        .iter()
        .map(|a| format!("{} = {}", a.symbol, a.value))
        .collect();
    assert!(shown.contains(&"x = r0".to_owned()), "{shown:?}");
    assert!(shown.contains(&"v[1]' = 5".to_owned()), "{shown:?}");
    assert!(shown.contains(&"w[3] = 3".to_owned()), "{shown:?}");
    assert!(shown.contains(&"mu1 = 3/10".to_owned()), "{shown:?}");
    // Rz(π/2) Rx(π) takes e1 to e2 and e2 to e1; i·j = k.
    assert!(
        shown.contains(&"R[2,1] = 1".to_owned()) && shown.contains(&"R[1,2] = 1".to_owned()),
        "{shown:?}"
    );
    assert!(
        shown.contains(&"g[4] = 1".to_owned()) && shown.contains(&"g[1] = 0".to_owned()),
        "{shown:?}"
    );
    let entries = |c: &Condition| match c {
        Condition::Element { group, entries, .. } => (group.clone(), entries.len()),
        Condition::Scalar { left, .. } => (left.to_string(), 1),
    };
    let goals: Vec<(String, usize)> = model.goals.iter().map(entries).collect();
    assert_eq!(goals, [("R".into(), 9), ("x".into(), 1), ("g".into(), 4)]);
    assert_eq!(model.start.multipliers.len(), 1);
}

#[test]
fn mistakes_in_states() {
    assert_eq!(
        errors(&format!("{BASE}start x = y\n")),
        [(5, 11, "not-allowed")]
    );
    assert_eq!(
        errors(&format!("{BASE}start x = 1, x = 2\n")),
        [(5, 14, "duplicate")]
    );
    assert_eq!(
        errors(&format!("{BASE}start x = 1\nstart x = 2\n")),
        [(6, 7, "duplicate")]
    );
    assert_eq!(errors(&format!("{BASE}start m = 1\n")), [(5, 7, "target")]);
    assert_eq!(
        errors(&format!("{BASE}start x + 1 = 1\n")),
        [(5, 7, "target")]
    );
    assert_eq!(
        errors(&format!("{BASE}start x = [1, 2]\n")),
        [(5, 11, "shape")]
    );
    assert_eq!(
        errors(&format!("{BASE}start x'' = 1\n")),
        [(5, 7, "target")]
    );
    assert_eq!(errors(&format!("{BASE}start t = 1\n")), [(5, 7, "target")]);
    assert_eq!(errors(&format!("{BASE}start x\n")), [(5, 8, "syntax")]);
    assert_eq!(errors(&format!("{RIGID}start R = 4\n")), [(4, 11, "shape")]);
    assert_eq!(
        errors(&format!("{RIGID}start R[1,1] = 4\n")),
        [(4, 7, "target")]
    );
    assert_eq!(
        errors(&format!("{RIGID}start w[4] = 4\n")),
        [(4, 7, "index")]
    );
    assert_eq!(
        errors(
            "system r\ngroup X : SE(2) velocity w\nlagrangian dot(w, w)\nstart X = diag(1, 1, 2)\n"
        ),
        [(4, 11, "group")]
    );
}

#[test]
fn control_problems() {
    let model = base_with(
        "control u on x\ncost u^2 + x'^2 + t\nterminal x^2\ngoal x = 1, x' = 0\nbound -1 <= u <= 1\nbound (x-1)^2 + y^2 >= 1/4\nbound 2 > y, 3 > x > 1",
    );
    assert!(model.cost().is_some() && model.terminal().is_some());
    let bounds: Vec<(String, Option<String>, Option<String>)> = model
        .bounds
        .iter()
        .map(|b| {
            (
                b.expr.to_string(),
                b.lower.as_ref().map(Expr::to_string),
                b.upper.as_ref().map(Expr::to_string),
            )
        })
        .collect();
    let text = |s: &str| Some(s.to_owned());
    assert_eq!(bounds[0], ("u".into(), text("-1"), text("1")));
    assert_eq!((&bounds[1].1, &bounds[1].2), (&text("1/4"), &None));
    assert_eq!(bounds[2], ("y".into(), None, text("2")));
    assert_eq!(bounds[3], ("x".into(), text("1"), text("3")));
    assert_eq!(errors(&format!("{BASE}bound x = 1\n")), [(5, 7, "bound")]);
    assert_eq!(
        errors(&format!("{BASE}bound 1 < x > 2\n")),
        [(5, 7, "bound")]
    );
}

#[test]
fn horizons() {
    assert_eq!(errors(&format!("{BASE}time 1 .. 0\n")), [(5, 1, "time")]);
    assert_eq!(
        errors(&format!("{BASE}time 0 .. 1 step -1\n")),
        [(5, 1, "time")]
    );
    assert_eq!(
        errors(&format!("{BASE}time 0 .. x\n")),
        [(5, 11, "not-allowed")]
    );
    assert_eq!(
        errors(&format!("{BASE}time 0 .. 1 stepp 0.1\n")),
        [(5, 13, "syntax")]
    );
    assert_eq!(errors(&format!("{BASE}time 10\n")), [(5, 8, "syntax")]);
    assert!(
        base_with("param T = 3\ntime 0 .. 2*T step T/100")
            .time
            .is_some()
    );
}

#[test]
fn drawings() {
    let model = base_with(
        "coord theta, phi : angle\nobserve o = theta + phi\nlet P = [x, y, 0]\nparam R = 2\n\
         draw disk radius R at [x, y, R] spin theta heading -phi\ndraw box [1, 0.4, 0.1] at [x, y, 0] turn theta\n\
         draw body ellipsoid [1, 2, 3] at P\ndraw rod from P to [0, 0, 0]\ndraw trail P",
    );
    let shapes: Vec<&str> = model.draws.iter().map(|d| d.shape.as_str()).collect();
    assert_eq!(shapes, ["disk", "box", "ellipsoid", "rod", "trail"]);
    let words: Vec<&str> = model.draws[0]
        .attributes
        .iter()
        .map(|(w, _)| w.as_str())
        .collect();
    assert_eq!(words, ["radius", "at", "spin", "heading"]);
    assert!(model.draws[4].size.is_some());
    assert_eq!(
        errors(&format!("{BASE}draw dsik radius 1\n")),
        [(5, 6, "draw")]
    );
    assert_eq!(
        errors(&format!("{BASE}draw disk raduis 1\n")),
        [(5, 11, "draw")]
    );
    assert_eq!(
        errors(&format!("{BASE}draw disk radius [1, 2]\n")),
        [(5, 18, "shape")]
    );
    assert_eq!(
        errors(&format!("{BASE}draw disk at x\n")),
        [(5, 14, "shape")]
    );
    assert_eq!(errors(&format!("{BASE}draw\n")), [(5, 5, "syntax")]);
}

#[test]
fn comments_document() {
    let model = model(
        "# The whole.\nsystem a\n\n# not this\n\n# a length\nparam l = 1,  # [m]\n  k = 2   # [N]\ncoord x  # place\nlagrangian l*k*x'^2\n",
    );
    assert_eq!(model.doc.as_deref(), Some("The whole."));
    assert_eq!(model.parameters[0].doc.as_deref(), Some("a length\n[m]"));
    assert_eq!(model.parameters[1].doc.as_deref(), Some("a length\n[N]"));
    assert_eq!(model.configuration[0].doc(), Some("place"));
}

/// What logarithms, roots and inverse functions ask for is known of the symbols: no witness lies outside.
#[test]
fn symbols_know_where_the_model_is_defined() {
    let model = model(
        "system s\nparam a = 1, b = 2\nassume b > 0\ncoord x, y, z, u\n\
         lagrangian (x'^2 + y'^2 + z'^2 + u'^2)/2 - sqrt(x)*b^(1/2) - log(y - a)/(y - a)^(3/2)\n\
         constraint z' = asin(z/b)*y'\nforce (u: (u - 5)^(1/3))\n",
    );
    let asked: Vec<String> = rattleback_symbolic::facts_of(&model.positions())
        .iter()
        .map(ToString::to_string)
        .collect();
    for fact in ["y - a > 0", "1 - z/b >= 0", "z/b + 1 >= 0", "u - 5 >= 0"] {
        assert!(asked.iter().any(|f| f == fact), "{fact} of {asked:?}");
    }
    let [x, y, z, u] = [0, 1, 2, 3].map(|i| Expr::from(&model.positions()[i]));
    assert_eq!(x.sign(), Sign::NonNegative);
    assert_eq!(u.sign(), Sign::Positive);
    assert_eq!((&x * &x).powr(&"1/2".parse().unwrap()), x);
    let a = Expr::from(&model.parameters[0].symbol);
    let Verdict::Refuted { witness, .. } = prove_zero(&(&x + &y - &a + &z * &u)) else {
        panic!("no witness");
    };
    let at = |name: &str| {
        let found = witness.iter().find(|(s, _)| s.name() == name);
        found.map(|(_, value)| value.to_f64()).unwrap()
    };
    assert!(at("x") >= 0.0 && at("y") > at("a") && at("u") >= 5.0 && at("z").abs() <= at("b"));
}

#[test]
fn a_model_that_is_defined_nowhere_is_a_mistake_at_its_place() {
    let mechanics = "coord x, y\nkinetic (x'^2 + y'^2)/2\n";
    for (statements, line) in [
        ("potential log(-x^2 - y^2 - 1)\n", 4),
        ("potential log(x)\nconstraint y' = sqrt(-1 - x)*x'\n", 5),
        ("assume x > 2\npotential asin(x)\n", 5),
        ("assume x < 0\npotential log(x)\n", 5),
    ] {
        let found = errors(&format!("system s\n{mechanics}{statements}"));
        assert_eq!(found.len(), 1, "{statements}: {found:?}");
        assert_eq!((found[0].0, found[0].2), (line, "domain"), "{statements}");
    }
}

#[test]
fn constraints_may_have_names() {
    let model = model(
        "system s\ncoord x, y, z, u\nkinetic (x'^2 + y'^2 + z'^2 + u'^2)/2\n\
         constraint roll: [x', y'] = [z', x*z'], u' = 0\nobserve pull = lambda_roll1 + lambda3\n",
    );
    let names: Vec<Option<&str>> = model
        .constraints
        .iter()
        .map(|c| c.name.as_deref())
        .collect();
    assert_eq!(names, [Some("roll"), Some("roll"), None]);
    let multipliers: Vec<String> = (0..3)
        .map(|s| model.names().multiplier(s).name().to_owned())
        .collect();
    assert_eq!(multipliers, ["lambda_roll1", "lambda_roll2", "lambda3"]);
    let text = "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x: x' = y'\n";
    assert_eq!(errors(text), [(4, 12, "duplicate")]);
}
