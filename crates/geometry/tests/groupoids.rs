//! The laws of Lie groupoids, proven on every kind of them (CG-C3).

use rattleback_geometry::groupoid::{
    ActionGroupoid, Coadjoint, Cotangent, GaugeGroupoid, GroupGroupoid, Groupoid, PairGroupoid,
    Prolongation, RightAction, RowVectors, Translations, cotangent_source, cotangent_target,
};
use rattleback_geometry::{DirectProduct, Group, LieGroup};
use rattleback_symbolic::{Expr, Symbol, prove_all_zero, substitute_all};

fn assert_equal(a: &[Expr], b: &[Expr], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    let differences: Vec<Expr> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let verdict = prove_all_zero(&differences);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

fn vector(name: &str, n: usize) -> Vec<Expr> {
    let symbols = (0..n).map(|k| Symbol::variable(&format!("{name}{k}")));
    symbols.map(Expr::from).collect()
}

/// An element of a product of groups in free parameters.
fn element(group: &DirectProduct, name: &str) -> Vec<Expr> {
    let parts = group.factors().iter().enumerate();
    parts
        .flat_map(|(k, f)| f.parametrization(&format!("{name}{k}")))
        .collect()
}

/// The derivative at ε = 0 of a map along x + εv.
fn along(map: impl Fn(&[Expr]) -> Vec<Expr>, x: &[Expr], v: &[Expr]) -> Vec<Expr> {
    let step = Symbol::variable("eps");
    let shifted: Vec<Expr> = x.iter().zip(v).map(|(x, v)| x + v * &step).collect();
    let slopes: Vec<Expr> = map(&shifted).iter().map(|e| e.diff(&step)).collect();
    substitute_all(&slopes, &[(step, Expr::zero())])
}

/// What holds for three steps in a row, at any point of the groupoid.
fn assert_laws<G: Groupoid>(groupoid: &G, [g, h, k]: &[Vec<Expr>; 3]) {
    let gh = groupoid.product(g, h);
    assert_equal(&groupoid.gap(g, h), &groupoid.gap(h, k), "the steps meet");
    assert_equal(&groupoid.source(&gh), &groupoid.source(g), "α(gh) = α(g)");
    assert_equal(&groupoid.target(&gh), &groupoid.target(h), "β(gh) = β(h)");
    let hk = groupoid.product(h, k);
    let (left, right) = (groupoid.product(&gh, k), groupoid.product(g, &hk));
    assert_equal(&left, &right, "(gh)k = g(hk)");
    let (here, there) = (
        groupoid.unit(&groupoid.source(g)),
        groupoid.unit(&groupoid.target(g)),
    );
    assert_equal(&groupoid.product(&here, g), g, "ε(α(g)) g = g");
    assert_equal(&groupoid.product(g, &there), g, "g ε(β(g)) = g");
    let back = groupoid.inverse(g);
    assert_equal(
        &groupoid.source(&back),
        &groupoid.target(g),
        "α(g⁻¹) = β(g)",
    );
    assert_equal(&groupoid.product(g, &back), &here, "g g⁻¹ = ε(α(g))");
    assert_equal(&groupoid.product(&back, g), &there, "g⁻¹ g = ε(β(g))");

    let x = vector("X", groupoid.rank());
    let left = |g: &[Expr]| groupoid.left(g, &x);
    let right = |g: &[Expr]| groupoid.right(g, &x);
    let still = vec![Expr::zero(); groupoid.base()];
    assert_equal(
        &along(|g| groupoid.source(g), g, &left(g)),
        &still,
        "Tα X← = 0",
    );
    assert_equal(
        &along(|g| groupoid.target(g), g, &right(g)),
        &still,
        "Tβ X→ = 0",
    );
    let moved = along(|h| groupoid.product(g, h), h, &left(h));
    assert_equal(&moved, &left(&gh), "T l_g X←(h) = X←(gh)");
    let moved = along(|g| groupoid.product(g, h), g, &right(g));
    assert_equal(&moved, &right(&gh), "T r_h X→(g) = X→(gh)");
    let back = along(
        |e| groupoid.product(&groupoid.inverse(e), g),
        &here,
        &left(&here),
    );
    let minus: Vec<Expr> = back.iter().map(|e| -e).collect();
    assert_equal(&minus, &right(g), "X→(g) = −T(r_g ∘ i) X(α(g))");

    // [X←, Y→] = 0.
    let y = vector("Y", groupoid.rank());
    let there = along(|g| groupoid.right(g, &y), g, &left(g));
    let here = along(|g| groupoid.left(g, &x), g, &groupoid.right(g, &y));
    assert_equal(&there, &here, "[X←, Y→] = 0");
}

/// A field on a groupoid for each section.
type Fields<'a> = dyn Fn(&[Expr], &[Expr]) -> Vec<Expr> + 'a;

/// [X←, Y←] = [X, Y]← and [X→, Y→] = −[X, Y]→ for sections with constant components.
fn assert_brackets<G: Groupoid>(
    groupoid: &G,
    g: &[Expr],
    bracket: impl Fn(&[Expr], &[Expr]) -> Vec<Expr>,
) {
    let (x, y) = (vector("X", groupoid.rank()), vector("Y", groupoid.rank()));
    let z = bracket(&x, &y);
    let lie = |x_g: Vec<Expr>, y_g: Vec<Expr>, field: &Fields<'_>| {
        let there = along(|g| field(g, &y), g, &x_g);
        let here = along(|g| field(g, &x), g, &y_g);
        let differences = there.iter().zip(&here).map(|(t, h)| t - h);
        differences.collect::<Vec<Expr>>()
    };
    let left = |g: &[Expr], x: &[Expr]| groupoid.left(g, x);
    let found = lie(left(g, &x), left(g, &y), &left);
    assert_equal(&found, &left(g, &z), "[X←, Y←] = [X, Y]←");
    let right = |g: &[Expr], x: &[Expr]| groupoid.right(g, x);
    let found = lie(right(g, &x), right(g, &y), &right);
    let minus: Vec<Expr> = right(g, &z).iter().map(|e| -e).collect();
    assert_equal(&found, &minus, "[X→, Y→] = −[X, Y]→");
}

fn action_chain<A: RightAction>(groupoid: &ActionGroupoid<A>, p: Vec<Expr>) -> [Vec<Expr>; 3] {
    let mut point = p;
    ["g", "h", "k"].map(|name| {
        let g = [point.clone(), element(groupoid.action().group(), name)].concat();
        point = groupoid.target(&g);
        g
    })
}

fn pair_chain(n: usize) -> [Vec<Expr>; 3] {
    let points = ["a", "b", "c", "d"].map(|name| vector(name, n));
    [0, 1, 2].map(|k| [points[k].clone(), points[k + 1].clone()].concat())
}

#[test]
fn pairs() {
    let groupoid = PairGroupoid::new(2);
    assert_laws(&groupoid, &pair_chain(2));
    assert_brackets(&groupoid, &pair_chain(2)[0], |_, _| vec![Expr::zero(); 2]);
}

#[test]
fn groups() {
    for factors in [
        vec![Group::SO3],
        vec![Group::SE2],
        vec![Group::SU2],
        vec![Group::SO2, Group::R(2)],
    ] {
        let group = DirectProduct::new(&factors);
        let groupoid = GroupGroupoid::new(group.clone());
        let chain = ["g", "h", "k"].map(|name| element(&group, name));
        assert_laws(&groupoid, &chain);
        assert_brackets(&groupoid, &chain[0], |x, y| group.bracket(x, y));
    }
}

#[test]
fn actions() {
    let rotations = DirectProduct::new(&[Group::SO3]);
    let top = ActionGroupoid::new(RowVectors::of(Group::SO3).unwrap());
    let chain = action_chain(&top, vector("p", 3));
    assert_laws(&top, &chain);
    assert_brackets(&top, &chain[0], |x, y| rotations.bracket(x, y));
    let plane = DirectProduct::new(&[Group::SE2, Group::R(1)]);
    let steps = ActionGroupoid::new(Translations(plane.clone()));
    let chain = action_chain(&steps, element(&plane, "p"));
    assert_laws(&steps, &chain);
    assert_brackets(&steps, &chain[0], |x, y| plane.bracket(x, y));
    let covectors = ActionGroupoid::new(Coadjoint(plane.clone()));
    let chain = action_chain(&covectors, vector("m", 4));
    assert_laws(&covectors, &chain);
    assert!(RowVectors::of(Group::SU2).is_none());
}

#[test]
fn gauge() {
    let group = DirectProduct::new(&[Group::SE2]);
    let groupoid = GaugeGroupoid::new(1, group.clone());
    let steps = pair_chain(1);
    let chain = [0, 1, 2].map(|k| {
        let fibre = element(&group, ["g", "h", "k"][k]);
        [steps[k].clone(), fibre].concat()
    });
    assert_laws(&groupoid, &chain);
    assert_brackets(&groupoid, &chain[0], |x, y| {
        [vec![Expr::zero()], group.bracket(&x[1..], &y[1..])].concat()
    });
}

/// (g, h, r)(r, k, s)(s, l, t) over steps of the groupoid below.
#[test]
fn prolongations() {
    let rotations = DirectProduct::new(&[Group::SO3]);
    let groupoid = Prolongation::new(GroupGroupoid::new(rotations.clone()));
    let [g, h, r, k, s, l, t] =
        ["g", "h", "r", "k", "s", "l", "t"].map(|name| element(&rotations, name));
    let chain = [[&g, &h, &r], [&r, &k, &s], [&s, &l, &t]].map(|parts| {
        let parts: Vec<Expr> = parts.into_iter().flatten().cloned().collect();
        parts
    });
    assert_laws(&groupoid, &chain);

    let pairs = Prolongation::new(PairGroupoid::new(1));
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| vector(name, 1));
    let [w, x, y, z] = ["w", "x", "y", "z"].map(|name| vector(name, 1));
    // g, r, s, t begin at a, b, c, d and end anywhere.
    let step = |from: &[Expr], to: &[Expr]| [from, to].concat();
    let (g, r, s, t) = (step(&a, &w), step(&b, &x), step(&c, &y), step(&d, &z));
    let chain = [
        [g, step(&a, &b), r.clone()].concat(),
        [r, step(&b, &c), s.clone()].concat(),
        [s, step(&c, &d), t].concat(),
    ];
    assert_laws(&pairs, &chain);
    let composable = pairs.of_pair(&step(&a, &b), &step(&b, &c));
    assert_equal(
        &composable,
        &[a.clone(), b.clone(), a, b.clone(), b, c].concat(),
        "inclusion",
    );
}

/// β̃ = Ad*_g α̃ for every covector over a group, and the graph of the product is Lagrangian: the
/// tautological forms add up, ⟨μ, δg⟩ + ⟨ν, δh⟩ = ⟨μν, δ(gh)⟩.
#[test]
fn cotangent_groupoids() {
    let group = DirectProduct::new(&[Group::SE2]);
    let (g, h) = (element(&group, "g"), element(&group, "h"));
    let below = GroupGroupoid::new(group.clone());
    let mu = vector("mu", below.coordinates());
    let (source, target) = (
        cotangent_source(&below, &g, &mu),
        cotangent_target(&below, &g, &mu),
    );
    let above = Cotangent::of_group(group.clone());
    let lifted = [source.clone(), g.clone()].concat();
    assert_equal(&above.target(&lifted), &target, "β̃ = Ad*_g α̃");

    let first = [vector("m", 3), g.clone()].concat();
    let second = [above.target(&first), h.clone()].concat();
    let product = above.product(&first, &second);
    // Covectors over g, h and gh in left trivialisation, on variations δg = gX, δh = hY.
    let (x, y) = (vector("X", 3), vector("Y", 3));
    let pairing = |m: &[Expr], x: &[Expr]| rattleback_symbolic::dot(m, x);
    let carried = group.adjoint(&group.inverse(&h), &x);
    let together: Vec<Expr> = carried.iter().zip(&y).map(|(x, y)| x + y).collect();
    let sum = pairing(&above.target(&first), &x) + pairing(&above.target(&second), &y);
    assert_equal(
        &[sum],
        &[pairing(&above.target(&product), &together)],
        "⟨μ, δg⟩ + ⟨ν, δh⟩ = ⟨μν, δ(gh)⟩",
    );

    let pairs = PairGroupoid::new(2);
    let (pair, mu) = (vector("q", 4), vector("mu", 4));
    let lifted = Cotangent::of_pair(&pair, &mu);
    let above = Cotangent::of_pairs(2);
    let source = [pair[..2].to_vec(), cotangent_source(&pairs, &pair, &mu)].concat();
    let target = [pair[2..].to_vec(), cotangent_target(&pairs, &pair, &mu)].concat();
    assert_equal(&above.source(&lifted), &source, "α̃");
    assert_equal(&above.target(&lifted), &target, "β̃");
}
