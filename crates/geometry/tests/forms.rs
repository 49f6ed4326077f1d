//! Exterior calculus on random forms: the identities that define it.

mod random;

use random::{Random, symbols};
use rattleback_geometry::{
    Form, Frame, Group, LieGroup, Morphism, Section, Trivialization, vanish_on,
};
use rattleback_symbolic::{Expr, Symbol};

fn assert_zero(form: &Form, what: &str) {
    let verdict = vanish_on(&form.values(), &[]);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

/// A frame of TR³ that is not a coordinate frame, and the frame of SO(3) x R.
fn frames(random: &mut Random) -> Vec<Frame> {
    let q = symbols(&["x", "y", "z"]);
    let b = random.change_of_frame(&q, 3);
    let moving = Frame::coordinates(&q)
        .changed(&b, &symbols(&["u", "v", "w"]), &[])
        .unwrap();
    let entries: Vec<Symbol> = (1..=9)
        .map(|k| Symbol::variable(&format!("R{k}")))
        .collect();
    let rotation = Group::SO3.frame(&entries, &symbols(&["p", "q", "r"]), Trivialization::Body);
    let line = Frame::coordinates(&symbols(&["s"]));
    vec![moving, Frame::direct_sum(&[rotation, line])]
}

#[test]
fn the_differential_squares_to_zero_on_algebroids() {
    let mut random = Random::new(1);
    for frame in frames(&mut random) {
        for degree in 0..3 {
            let form = random.form(&frame, degree);
            assert_zero(&form.differential(&frame).differential(&frame), "dd");
        }
    }
}

#[test]
fn the_differential_shows_a_broken_jacobi_identity() {
    // [e1,e2] = e3, [e3,e1] = e1: not a Lie algebra.
    let structure =
        rattleback_geometry::StructureFunctions::from_constants(&[(0, 1, 2, 1), (2, 0, 0, 1)]);
    let frame = Frame::new(
        Vec::new(),
        symbols(&["a", "b", "c"]),
        rattleback_symbolic::Matrix::zeros(0, 3),
        structure,
    );
    assert!(frame.jacobi_defect().iter().any(|e| !e.is_zero()));
    let squares = (0..3).map(|a| Form::dual(a).differential(&frame).differential(&frame));
    assert!(squares.into_iter().any(|f| !f.is_zero()));
}

#[test]
fn the_differential_is_a_graded_derivation() {
    let mut random = Random::new(2);
    for frame in frames(&mut random) {
        for (k, l) in [(0, 1), (1, 1), (1, 2), (2, 1)] {
            let (a, b) = (random.form(&frame, k), random.form(&frame, l));
            let left = a.wedge(&b).differential(&frame);
            let first = a.differential(&frame).wedge(&b);
            let second = a.wedge(&b.differential(&frame));
            let sign = if k % 2 == 0 { 1 } else { -1 };
            let right = first.plus(&second.scaled(&sign.into()));
            assert_zero(&left.minus(&right), "Leibniz");
            let sign = if k * l % 2 == 0 { 1 } else { -1 };
            let swapped = b.wedge(&a).scaled(&sign.into());
            assert_zero(&a.wedge(&b).minus(&swapped), "graded commutativity");
        }
    }
}

#[test]
fn wedge_of_one_forms_has_no_factor_one_half() {
    let mut random = Random::new(3);
    let frame = Frame::coordinates(&symbols(&["x", "y", "z"]));
    let (a, b) = (random.form(&frame, 1), random.form(&frame, 1));
    let (x, y) = (random.section(&frame), random.section(&frame));
    let of = |form: &Form, s: &Section| form.evaluate(std::slice::from_ref(s));
    let expected = of(&a, &x) * of(&b, &y) - of(&a, &y) * of(&b, &x);
    let value = a.wedge(&b).evaluate(&[x, y]);
    assert!(vanish_on(&[value - expected], &[]).is_proven());
}

/// dω(X,Y) = X[ω(Y)] - Y[ω(X)] - ω([X,Y]).
#[test]
fn the_differential_is_the_invariant_formula() {
    let mut random = Random::new(4);
    for frame in frames(&mut random) {
        let form = random.form(&frame, 1);
        let (x, y) = (random.section(&frame), random.section(&frame));
        let of = |s: &Section| form.evaluate(std::slice::from_ref(s));
        let act = |s: &Section, f: Expr| frame.act(s, &[f]).swap_remove(0);
        let expected = act(&x, of(&y)) - act(&y, of(&x)) - of(&frame.bracket(&x, &y));
        let value = form.differential(&frame).evaluate(&[x, y]);
        assert!(vanish_on(&[value - expected], &[]).is_proven());
    }
}

#[test]
fn lie_derivatives_obey_cartan() {
    let mut random = Random::new(5);
    for frame in frames(&mut random) {
        let form = random.form(&frame, 2);
        let (x, y) = (random.section(&frame), random.section(&frame));
        // i_[X,Y] = L_X i_Y - i_Y L_X
        let bracket = form.interior(&frame.bracket(&x, &y));
        let along = form.interior(&y).lie_derivative(&x, &frame);
        let inside = form.lie_derivative(&x, &frame).interior(&y);
        assert_zero(&bracket.minus(&along.minus(&inside)), "i_[X,Y]");
        // (L_X ω)(Y, Z) = X[ω(Y,Z)] - ω([X,Y],Z) - ω(Y,[X,Z])
        let z = random.section(&frame);
        let lie = form
            .lie_derivative(&x, &frame)
            .evaluate(&[y.clone(), z.clone()]);
        let whole = frame
            .act(&x, &[form.evaluate(&[y.clone(), z.clone()])])
            .swap_remove(0);
        let first = form.evaluate(&[frame.bracket(&x, &y), z.clone()]);
        let second = form.evaluate(&[y, frame.bracket(&x, &z)]);
        assert!(vanish_on(&[lie - (whole - first - second)], &[]).is_proven());
        // L_{fX} α = f L_X α + df ∧ i_X α
        let f = random.function(frame.base());
        let scaled: Section = x.iter().map(|e| e * &f).collect();
        let left = form.lie_derivative(&scaled, &frame);
        let df = Form::function(&f).differential(&frame);
        let right = form.lie_derivative(&x, &frame).scaled(&f);
        let right = right.plus(&df.wedge(&form.interior(&x)));
        assert_zero(&left.minus(&right), "L_fX");
    }
}

#[test]
fn pull_back_commutes_with_wedge_and_differential() {
    let mut random = Random::new(6);
    let (p, q) = (symbols(&["a", "b"]), symbols(&["x", "y", "z"]));
    let map: Vec<Expr> = (0..3).map(|_| random.function(&p)).collect();
    let tangent = Morphism::tangent(&p, &q, &map);
    assert!(tangent.is_morphism(&[]).is_proven());
    let (from, to) = (Frame::coordinates(&p), Frame::coordinates(&q));
    let (a, b) = (random.form(&to, 1), random.form(&to, 1));
    let after = tangent.pull_back(&a.differential(&to));
    let before = tangent.pull_back(&a).differential(&from);
    assert_zero(&after.minus(&before), "naturality");
    let together = tangent.pull_back(&a.wedge(&b));
    let apart = tangent.pull_back(&a).wedge(&tangent.pull_back(&b));
    assert_zero(&together.minus(&apart), "product");
}

#[test]
fn the_anchor_is_a_morphism_and_a_wrong_sign_is_not() {
    let entries: Vec<Symbol> = (1..=9)
        .map(|k| Symbol::variable(&format!("R{k}")))
        .collect();
    let fibre = symbols(&["p", "q", "r"]);
    let coordinates = Frame::coordinates(&entries);
    let element = Group::SO3.element(&entries);
    for (trivialization, good) in [(Trivialization::Body, true), (Trivialization::Space, false)] {
        // Right-invariant fields with the structure constants of left-invariant ones are refused.
        let anchor = Group::SO3.anchor(&element, trivialization);
        let frame = Frame::new(
            entries.clone(),
            fibre.clone(),
            anchor.clone(),
            Group::SO3.structure(),
        );
        let map = Morphism::new(&frame, &coordinates, anchor, &element);
        assert_eq!(map.is_morphism(&[]).is_proven(), good);
    }
}
