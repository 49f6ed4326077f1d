//! Statements about forms, states, controls and horizons: what each one puts into the model.

mod common;

use common::{BASE, RIGID, base_with, errors, model};
use rattleback_language::{Condition, FibreItem};
use rattleback_symbolic::{Expr, Sign, Symbol, Verdict, prove_zero};

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
