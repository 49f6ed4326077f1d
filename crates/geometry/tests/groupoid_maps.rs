//! Cotangent groupoids and morphisms of every groupoid, in numbers.

use rattleback_geometry::groupoid::{
    Acting, ActionGroupoid, Anchor, GaugeGroupoid, GroupGroupoid, Groupoid, GroupoidMorphism,
    PairGroupoid, Prolongation, RowVectors, Shape, cotangent_inverse, cotangent_product,
    cotangent_source, cotangent_target, cotangent_unit,
};
use rattleback_lie::{DirectProduct, Group, Retraction, tangent_map};

/// Numbers without a pattern.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }
    fn list(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
    fn element(&mut self, group: Group) -> Vec<f64> {
        let x = self.list(group.dimension());
        Retraction::Exponential.apply(group, &x)
    }
}

fn pairing(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[track_caller]
fn close(a: &[f64], b: &[f64], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-11, "{what}: {a:?} is not {b:?}");
    }
}

/// ν with α̃(ν) = m: any covector, moved along the right fields, which are independent at a regular element.
fn with_source(groupoid: &impl Groupoid, h: &[f64], nu: &[f64], m: &[f64]) -> Vec<f64> {
    let rank = groupoid.rank();
    let basis = |a: usize| -> Vec<f64> { (0..rank).map(|b| f64::from(u8::from(a == b))).collect() };
    let fields: Vec<Vec<f64>> = (0..rank).map(|a| groupoid.right(h, &basis(a))).collect();
    let mut nu = nu.to_vec();
    // Projections, repeated: the fields need not be orthogonal.
    for _ in 0..4000 {
        for (field, wanted) in fields.iter().zip(m) {
            let miss = wanted - pairing(&nu, field);
            let square = pairing(field, field);
            nu.iter_mut()
                .zip(field)
                .for_each(|(n, f)| *n += miss / square * f);
        }
    }
    nu
}

/// Pairs of vectors at g and h that stay composable: at the ends, in the middle, and along the base.
fn composable(
    groupoid: &impl Groupoid,
    g: &[f64],
    h: &[f64],
    numbers: &mut Numbers,
) -> Vec<[Vec<f64>; 2]> {
    let (n, rank) = (groupoid.coordinates(), groupoid.rank());
    let x = numbers.list(rank);
    let minus = |v: Vec<f64>| -> Vec<f64> { v.iter().map(|x| -x).collect() };
    let mut all = vec![
        [groupoid.right(g, &x), vec![0.0; n]],
        [vec![0.0; n], groupoid.left(h, &x)],
        [groupoid.left(g, &x), minus(groupoid.right(h, &x))],
    ];
    // A tangent vector of the base: what a left field does to the target of a step that ends there.
    let before = groupoid.inverse(g);
    let at = tangent_map(|k| groupoid.target(k), &before, &groupoid.left(&before, &x));
    let first = groupoid.lifted(g, &at);
    let meets = tangent_map(|k| groupoid.target(k), g, &first);
    all.push([first, groupoid.lifted(h, &meets)]);
    all
}

/// AC-PR9: products, inverses and units of covectors; the graph of the product is Lagrangian because the tautological forms
/// add up, ⟨μ, δg⟩ + ⟨ν, δh⟩ = ⟨μ ⊕ ν, δ(gh)⟩, over the base of the right dimension.
fn assert_cotangent(groupoid: &impl Groupoid, g: &[f64], h: &[f64], seed: u64) {
    let mut numbers = Numbers(seed);
    let n = groupoid.coordinates();
    close(
        &groupoid.gap(g, h),
        &vec![0.0; groupoid.base()],
        "composable",
    );
    let mu = numbers.list(n);
    let nu = numbers.list(n);
    let nu = with_source(groupoid, h, &nu, &cotangent_target(groupoid, g, &mu));
    let both = groupoid.product(g, h);
    let product = cotangent_product(groupoid, (g, &mu), (h, &nu));
    for [x, y] in composable(groupoid, g, h, &mut numbers) {
        let z = tangent_map(
            |pair| groupoid.product(&pair[..n], &pair[n..]),
            &[g, h].concat(),
            &[x.clone(), y.clone()].concat(),
        );
        let sum = pairing(&mu, &x) + pairing(&nu, &y);
        close(&[pairing(&product, &z)], &[sum], "tautological forms");
    }
    let source = |g: &[f64], mu: &[f64]| cotangent_source(groupoid, g, mu);
    let target = |g: &[f64], mu: &[f64]| cotangent_target(groupoid, g, mu);
    close(
        &source(&both, &product),
        &source(g, &mu),
        "source of a product",
    );
    close(
        &target(&both, &product),
        &target(h, &nu),
        "target of a product",
    );

    let back = groupoid.inverse(g);
    let inverse = cotangent_inverse(groupoid, g, &mu);
    close(
        &source(&back, &inverse),
        &target(g, &mu),
        "source of an inverse",
    );
    close(
        &target(&back, &inverse),
        &source(g, &mu),
        "target of an inverse",
    );
    // μ ⊕ ĩ(μ) is a unit: it vanishes along units, and is α̃(μ) on AG.
    let unit = groupoid.product(g, &back);
    let whole = cotangent_product(groupoid, (g, &mu), (&back, &inverse));
    let a = source(g, &mu);
    let exact = cotangent_unit(groupoid, &groupoid.source(g), &a).unwrap();
    close(&target(&unit, &whole), &a, "unit on the algebroid");
    close(&target(&unit, &exact), &a, "ε̃ on the algebroid");
    close(&source(&unit, &exact), &a, "ε̃ from the other side");
}

#[test]
fn covectors_compose_on_every_groupoid() {
    for seed in 1..6 {
        let mut numbers = Numbers(seed);
        let q = numbers.list(9);
        assert_cotangent(&PairGroupoid::new(3), &q[..6], &q[3..], seed);
        for group in [Group::SO3, Group::SE2, Group::SE3, Group::SU2] {
            let groupoid = GroupGroupoid::new(DirectProduct::new(&[group]));
            let (g, h) = (numbers.element(group), numbers.element(group));
            assert_cotangent(&groupoid, &g, &h, seed);

            let groupoid = GaugeGroupoid::new(2, DirectProduct::new(&[group]));
            let first = [&q[..4], &g[..]].concat();
            let second = [&q[2..6], &h[..]].concat();
            assert_cotangent(&groupoid, &first, &second, seed);
        }
        let groupoid = ActionGroupoid::new(RowVectors::of(Group::SO3).unwrap());
        let (g, h) = (numbers.element(Group::SO3), numbers.element(Group::SO3));
        let first = [&q[..3], &g[..]].concat();
        let second = [groupoid.target(&first), h.clone()].concat();
        assert_cotangent(&groupoid, &first, &second, seed);

        let rotations = GroupGroupoid::new(DirectProduct::new(&[Group::SO3]));
        let groupoid = Prolongation::new(rotations);
        let [a, b, c] = [0, 1, 2].map(|_| numbers.element(Group::SO3));
        let first = [&a[..], &g, &b].concat();
        let second = [&b[..], &h, &c].concat();
        assert_cotangent(&groupoid, &first, &second, seed);
    }
}

/// AC-C15: the laws of a morphism, and that the induced map of algebroids commutes with the anchors.
fn assert_morphism<M: GroupoidMorphism>(morphism: &M, g: &[f64], h: &[f64]) {
    let (from, to) = (morphism.from(), morphism.to());
    let both = morphism.map(&from.product(g, h));
    close(
        &both,
        &to.product(&morphism.map(g), &morphism.map(h)),
        "products",
    );
    close(
        &to.source(&morphism.map(g)),
        &morphism.base_map(&from.source(g)),
        "sources",
    );
    close(
        &to.target(&morphism.map(g)),
        &morphism.base_map(&from.target(g)),
        "targets",
    );
    close(
        &morphism.map(&from.inverse(g)),
        &to.inverse(&morphism.map(g)),
        "inverses",
    );
    let x = from.source(g);
    let unit = from.unit(&x);
    close(
        &morphism.map(&unit),
        &to.unit(&morphism.base_map(&x)),
        "units",
    );
    let induced = morphism.induced(&x).unwrap();
    let there = to.unit(&morphism.base_map(&x));
    for (a, column) in induced.iter().enumerate() {
        let section: Vec<f64> = (0..from.rank())
            .map(|b| f64::from(u8::from(a == b)))
            .collect();
        let anchored = tangent_map(|g| from.target(g), &unit, &from.left(&unit, &section));
        let below = tangent_map(|x| morphism.base_map(x), &x, &anchored);
        let above = tangent_map(|g| to.target(g), &there, &to.left(&there, column));
        close(&above, &below, "anchors");
        // Left fields are related, so that brackets go over into brackets.
        let field = tangent_map(|g| morphism.map(g), g, &from.left(g, &section));
        let y = from.target(g);
        let column = &morphism.induced(&y).unwrap()[a];
        close(&field, &to.left(&morphism.map(g), column), "left fields");
    }
}

#[test]
fn morphisms_induce_morphisms_of_algebroids() {
    let mut numbers = Numbers(7);
    let (g, h) = (numbers.element(Group::SO3), numbers.element(Group::SO3));
    let q = numbers.list(6);
    let rows = RowVectors::of(Group::SO3).unwrap();
    let action = ActionGroupoid::new(rows.clone());
    let first = [&q[..3], &g[..]].concat();
    let second = [action.target(&first), h.clone()].concat();
    assert_morphism(&Anchor::new(action), &first, &second);
    assert_morphism(&Acting::new(rows), &first, &second);

    let rotations = DirectProduct::new(&[Group::SO3]);
    let reduction = Acting::reduction(rotations.clone());
    let p = numbers.element(Group::SO3);
    let first = [&p[..], &g].concat();
    let second = [reduction.from().target(&first), h.clone()].concat();
    assert_morphism(&reduction, &first, &second);

    let first = [&q[..4], &g[..]].concat();
    let second = [&q[2..6], &h[..]].concat();
    assert_morphism(&Shape::new(2, rotations), &first, &second);
    assert_morphism(&Anchor::new(PairGroupoid::new(2)), &q[..4], &q[2..]);
}
