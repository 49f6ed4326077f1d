//! What the types promise.

use super::*;
use crate::Effort;
use crate::finding::search::{Search, Searched};
use rattleback_symbolic::{Symbol, prove_zero};

#[test]
fn words_have_their_terms_in_place() {
    let phrase = Theorem::Chow
        .with("ranks", &[2usize, 3][..])
        .with("dimension", 3);
    assert_eq!(
        phrase.to_string(),
        "iterated brackets have ranks 2, 3 at generic points and span all 3 directions (Chow)"
    );
    let braces = Phrase::from(Function::EquivarianceDefect).to_string();
    assert_eq!(braces, "the defect of {J_i, J_j} = -c^k_ij J_k");
}

/// Names are what data are found by: no two are the same, and braces are closed.
fn are_well_formed<N: Named>() {
    for (k, name) in N::ALL.iter().enumerate() {
        assert!(N::ALL[..k].iter().all(|other| other.id() != name.id()));
        let words = name.template();
        assert_eq!(words.matches('{').count(), words.matches('}').count());
        assert!(!words.is_empty() && !words.ends_with('.'));
    }
}

#[test]
fn tables_are_well_formed() {
    are_well_formed::<Theorem>();
    are_well_formed::<Absence>();
    are_well_formed::<Function>();
    are_well_formed::<Gap>();
}

#[test]
fn a_refuted_zero_keeps_function_point_and_value() {
    let x = Expr::from(Symbol::variable("x"));
    let functions = [Expr::zero(), x.cos() - 1];
    let verdict = rattleback_symbolic::prove_all_zero(&functions);
    let answer = Answer::vanish(&functions, verdict, Function::Residual);
    let Answer::Refuted(Evidence::Point(point)) = &answer else {
        panic!("{answer:?}")
    };
    assert_eq!((point.which, &point.function), (1, &functions[1]));
    let at: Vec<(Symbol, f64)> = point
        .at
        .iter()
        .map(|(s, r)| (s.clone(), r.to_f64()))
        .collect();
    let value = point.function.evaluate(&at).expect("a value");
    assert!(point.value.low <= value && value <= point.value.high);
    let words = answer.words();
    assert!(words.starts_with("the residual is "), "{words}");
    assert!(words.contains(" at x = "), "{words}");
}

#[test]
fn only_a_search_that_came_to_its_end_says_that_there_is_none() {
    let mut whole = Search::of(Searched::Fibres, Effort::unlimited());
    assert!(whole.goes_on());
    let done = whole.finish().expect("nothing was left out");
    let none = Evidence::none(Absence::OtherHamiltonization, done, []);
    let Evidence::Absent(absent) = &none else {
        panic!("{none:?}")
    };
    assert_eq!(absent.searched().looked_at(), 1);
    assert!(none.to_string().contains("fibres"));

    let mut cut = Search::of(Searched::Fibres, Effort::units(0));
    assert!(!cut.goes_on());
    assert!(cut.finish().is_err());
}

#[test]
fn a_conjunction_is_as_good_as_its_parts() {
    let zero = Expr::zero();
    let yes = Answer::vanish(
        std::slice::from_ref(&zero),
        prove_zero(&zero),
        Function::Residual,
    );
    let no = Answer::refuted(Theorem::NoConstraints);
    let open = Answer::undecided(Gap::NotLookedAt);
    assert!(Answer::all(&[&yes, &yes]).is_proven());
    assert!(Answer::all(&[&yes, &open, &no]).is_refuted());
    assert_eq!(Answer::all(&[&yes, &open]).decided(), None);
    let both = Answer::all(&[&yes, &yes]);
    assert_eq!(both.evidence().map(|e| e.pieces().len()), Some(3));
}
