//! Distributions of known systems: bases that stay regular, rank drops, growth vectors.

use rattleback_geometry::{
    Distribution, DistributionError, Frame, Group, LieGroup, Trivialization,
};
use rattleback_symbolic::{Expr, Matrix, Sign, Symbol};

fn variables<const N: usize>(names: [&str; N]) -> ([Symbol; N], [Expr; N]) {
    let symbols = names.map(Symbol::variable);
    let expressions = symbols.clone().map(Expr::from);
    (symbols, expressions)
}

fn positive(name: &str) -> Expr {
    Symbol::constant(name).with_sign(Sign::Positive).into()
}

fn zeros(n: usize) -> Vec<Expr> {
    vec![Expr::zero(); n]
}

fn row(n: usize, entries: &[(usize, Expr)]) -> Vec<Expr> {
    let mut all = zeros(n);
    for (j, e) in entries {
        all[*j] = e.clone();
    }
    all
}

/// The distribution, with the proof that its basis is annihilated by the given forms.
fn distribution(q: &[Symbol], forms: &[Vec<Expr>]) -> Distribution {
    let forms = Matrix::from_rows(forms);
    let d = Distribution::annihilated_by(&Frame::coordinates(q), &forms, &[]).unwrap();
    assert!(d.check_annihilates(&forms).is_proven());
    assert_eq!(d.rank() + d.annihilator().rows(), q.len());
    d
}

fn ranks(d: &Distribution) -> Vec<usize> {
    d.growth().unwrap().ranks
}

#[test]
fn vertical_disk_rolls_along_its_heading() {
    let (q, [_, _, phi, _]) = variables(["x", "y", "phi", "theta"]);
    let r = positive("R");
    let d = distribution(
        &q,
        &[
            row(4, &[(0, 1.into()), (3, -&r * phi.cos())]),
            row(4, &[(1, 1.into()), (3, -&r * phi.sin())]),
        ],
    );
    assert_eq!(d.section(0), row(4, &[(2, 1.into())]));
    assert_eq!(
        d.section(1),
        [&r * phi.cos(), &r * phi.sin(), 0.into(), 1.into()]
    );
    assert!(d.conditions().is_empty() && d.rank_drop().is_empty());
    assert_eq!(ranks(&d), [2, 3, 4]);
}

#[test]
fn chaplygin_sleigh_with_its_offset_blade() {
    let (q, [_, _, theta]) = variables(["x", "y", "theta"]);
    let a = positive("a");
    let d = distribution(&q, &[vec![theta.sin(), -theta.cos(), a.clone()]]);
    assert_eq!(d.section(0), [theta.cos(), theta.sin(), 0.into()]);
    assert_eq!(
        d.section(1),
        [-&a * theta.sin(), &a * theta.cos(), 1.into()]
    );
    assert!(d.conditions().is_empty());
    assert_eq!(ranks(&d), [2, 3]);
}

#[test]
fn snakeboard_is_regular_where_the_wheels_are_crosswise() {
    let (q, [_, _, theta, _, phi]) = variables(["x", "y", "theta", "psi", "phi"]);
    let r = positive("r");
    let wheel = |angle: Expr, sign: i64| {
        row(
            5,
            &[
                (0, -angle.sin()),
                (1, angle.cos()),
                (2, sign * &r * phi.cos()),
            ],
        )
    };
    let d = distribution(&q, &[wheel(&theta + &phi, -1), wheel(&theta - &phi, 1)]);
    assert_eq!(d.rank(), 3);
    assert_eq!(d.rank_drop(), [phi.cos()]);
    assert!(d.conditions().is_empty());
    let rolling = [
        &r * phi.cos() * theta.cos(),
        &r * phi.cos() * theta.sin(),
        -phi.sin(),
        0.into(),
        0.into(),
    ];
    assert_eq!(d.section(0), rolling);
    assert_eq!(ranks(&d), [3, 4, 5]);
    let straight = [
        (q[4].clone(), Expr::zero()),
        (q[2].clone(), Expr::ratio(1, 3)),
    ];
    assert_eq!(d.growth_at(&straight, 4).unwrap().ranks, [3, 4, 5]);
}

#[test]
fn roller_racer_is_solved_row_by_row() {
    let (q, [_, _, theta, phi]) = variables(["x", "y", "theta", "phi"]);
    let (d1, d2) = (positive("d1"), positive("d2"));
    let front = &theta + &phi;
    let forms = [
        vec![-theta.sin(), theta.cos(), 0.into(), 0.into()],
        vec![-front.sin(), front.cos(), &d1 * phi.cos() + &d2, d2.clone()],
    ];
    let d = distribution(&q, &forms);
    assert!(d.conditions().is_empty());
    assert_eq!(d.section(0)[..2], [theta.cos(), theta.sin()]);
    assert!(d.section(1)[2].is_one());
    assert_eq!(ranks(&d), [2, 3, 4]);
}

#[test]
fn trailers_follow_with_polynomial_rates() {
    let names: Vec<String> = (0..4).map(|k| format!("theta{k}")).collect();
    let q: Vec<Symbol> = ["x", "y"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .map(Symbol::variable)
        .collect();
    let theta: Vec<Expr> = q[2..].iter().map(Expr::from).collect();
    let length = positive("d");
    let forms: Vec<Vec<Expr>> = (0..4)
        .map(|k| {
            let mut form = row(6, &[(0, -theta[k].sin()), (1, theta[k].cos())]);
            for j in 1..=k {
                form[2 + j] = -&length * (&theta[k] - &theta[j]).cos();
            }
            form
        })
        .collect();
    let d = distribution(&q, &forms);
    assert_eq!(d.rank(), 2);
    assert!(d.conditions().is_empty() && d.rank_drop().is_empty());
    assert_eq!(
        d.section(0)[..3],
        [theta[0].cos(), theta[0].sin(), 0.into()]
    );
    assert_eq!(ranks(&d), [2, 3, 4, 5, 6]);
}

#[test]
fn martinet_stalls_where_the_plane_is_tangent() {
    let (q, [_, y, _]) = variables(["x", "y", "z"]);
    let d = distribution(&q, &[vec![-y.powi(2), 0.into(), 1.into()]]);
    assert_eq!(ranks(&d), [2, 3]);
    let singular = d.growth_at(&[(q[1].clone(), Expr::zero())], 6).unwrap();
    assert_eq!(singular.ranks, [2, 2, 3]);
    assert!(singular.complete);
    let regular = d
        .growth_at(&[(q[1].clone(), Expr::ratio(1, 2))], 6)
        .unwrap();
    assert_eq!(regular.ranks, [2, 3]);
}

#[test]
fn holonomic_constraints_are_recognised() {
    let (q, [x, y, z]) = variables(["x", "y", "z"]);
    let d = distribution(&q, &[vec![x.clone(), y, z]]);
    assert!(d.is_involutive().is_proven());
    assert_eq!(ranks(&d), [2]);
    assert_eq!(d.conditions(), [Expr::from(&q[2])]);
    let forms = d.annihilator().clone();
    let point = [
        (q[0].clone(), 1.into()),
        (q[1].clone(), 0.into()),
        (q[2].clone(), 0.into()),
    ];
    let near = Distribution::annihilated_by_near(d.frame(), &forms, &[], &point).unwrap();
    assert_eq!(near.conditions(), [x]);
}

#[test]
fn redundant_forms_are_set_aside_with_proof() {
    let (q, [x, y, _]) = variables(["x", "y", "z"]);
    let first = vec![x.sin(), y.clone(), Expr::one()];
    let second = vec![Expr::one(), x.clone(), Expr::zero()];
    let third: Vec<Expr> = (0..3)
        .map(|j| &y * &first[j] - x.cos() * &second[j])
        .collect();
    let d = distribution(&q, &[first, second, third]);
    let [redundant] = d.redundant() else {
        panic!("one form is redundant: {:?}", d.redundant());
    };
    assert_eq!(redundant.row, 2);
    assert_eq!(redundant.coefficients, [y, -x.cos()]);
    assert!(redundant.verdict.is_proven());
}

#[test]
fn relations_of_a_group_decide_redundancy() {
    let entries: Vec<Symbol> = (1..=9)
        .map(|k| Symbol::variable(&format!("R{k}")))
        .collect();
    let omega = ["w1", "w2", "w3"].map(Symbol::variable);
    let frame = Group::SO3.frame(&entries, &omega, Trivialization::Body);
    let r = Group::SO3.element(&entries);
    let on: Vec<_> = entries
        .iter()
        .cloned()
        .zip(Group::SO3.parametrization("R"))
        .collect();
    // The first two columns' cross product is the third one: dependent on the group only.
    let cross = |i: usize, j: usize| &r[3 * i] * &r[3 * j + 1] - &r[3 * j] * &r[3 * i + 1];
    let forms = Matrix::from_rows(&[
        vec![r[2].clone(), r[5].clone(), r[8].clone()],
        vec![cross(1, 2), cross(2, 0), cross(0, 1)],
    ]);
    let free = Distribution::annihilated_by(&frame, &forms, &[]).unwrap();
    assert_eq!(free.rank(), 1);
    let on_group = Distribution::annihilated_by(&frame, &forms, &on).unwrap();
    assert_eq!(on_group.rank(), 2);
    assert_eq!(on_group.conditions(), [r[8].clone()]);
    assert_eq!(ranks(&on_group), [2, 3]);
    assert!(on_group.is_involutive().is_refuted());
}

#[test]
fn suslov_and_the_rolling_ball_on_the_group() {
    let entries: Vec<Symbol> = (1..=9)
        .map(|k| Symbol::variable(&format!("R{k}")))
        .collect();
    let omega = ["w1", "w2", "w3"].map(Symbol::variable);
    let on: Vec<_> = entries
        .iter()
        .cloned()
        .zip(Group::SO3.parametrization("R"))
        .collect();
    let body = Group::SO3.frame(&entries, &omega, Trivialization::Body);
    let suslov = Matrix::from_rows(&[row(3, &[(2, 1.into())])]);
    let d = Distribution::annihilated_by(&body, &suslov, &on).unwrap();
    assert_eq!(ranks(&d), [2, 3]);

    let radius = positive("r");
    let (plane, _) = variables(["x", "y"]);
    let space = Group::SO3.frame(&entries, &omega, Trivialization::Space);
    let frame = Frame::direct_sum(&[Frame::coordinates(&plane), space]);
    let rolling = Matrix::from_rows(&[
        row(5, &[(0, 1.into()), (3, -&radius)]),
        row(5, &[(1, 1.into()), (2, radius.clone())]),
    ]);
    let d = Distribution::annihilated_by(&frame, &rolling, &on).unwrap();
    assert_eq!(ranks(&d), [3, 5]);
}

#[test]
fn spans_and_annihilators_are_inverse() {
    let (q, [x, y, _, _]) = variables(["x", "y", "z", "w"]);
    let frame = Frame::coordinates(&q);
    let sections = vec![
        vec![1.into(), 0.into(), y.clone(), x.sin()],
        vec![0.into(), 1.into(), -&x, x.cos()],
    ];
    let d = Distribution::spanned_by(&frame, &sections, &[]).unwrap();
    assert!(d.check_annihilates(d.annihilator()).is_proven());
    let back = Distribution::annihilated_by(&frame, d.annihilator(), &[]).unwrap();
    assert!(back.check_annihilates(d.annihilator()).is_proven());
    assert_eq!(back.rank(), 2);
    let dependent = [sections[0].clone(), sections[0].clone()];
    let refused = Distribution::spanned_by(&frame, &dependent, &[]);
    assert_eq!(refused.unwrap_err(), DistributionError::DependentSection(1));
}

#[test]
fn bad_forms_are_refused() {
    let (q, [x, _]) = variables(["x", "y"]);
    let frame = Frame::coordinates(&q);
    let short = Matrix::from_rows(&[vec![x.clone()]]);
    let shape = DistributionError::Shape {
        expected: 2,
        found: 1,
    };
    assert_eq!(
        Distribution::annihilated_by(&frame, &short, &[]).unwrap_err(),
        shape
    );
    let hidden = (x.sin().powi(2) + x.cos().powi(2) - 1).recip();
    let pole = Matrix::from_rows(&[vec![hidden, Expr::one()]]);
    let refused = Distribution::annihilated_by(&frame, &pole, &[]);
    assert!(matches!(refused, Err(DistributionError::NoValue(_))));
}

#[test]
fn no_forms_and_too_many_forms() {
    let (q, [x, y]) = variables(["x", "y"]);
    let frame = Frame::coordinates(&q);
    let free = Distribution::annihilated_by(&frame, &Matrix::zeros(0, 2), &[]).unwrap();
    assert_eq!(free.basis(), &Matrix::identity(2));
    assert!(free.is_involutive().is_proven());
    let all = distribution(&q, &[vec![x, y.clone()], vec![1.into(), 1.into()]]);
    assert_eq!(all.rank(), 0);
    assert_eq!(all.rank_drop().len(), 1);
    assert_eq!(ranks(&all), [0usize; 0]);
}
