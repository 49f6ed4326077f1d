//! Expressions: numbers, operators, functions, vectors, primes, shapes.

mod common;

use common::{BASE, assert_same, base_with, errors, only_error, value};

fn error_in(expression: &str) -> String {
    only_error(&format!("{BASE}observe o = {expression}\n"))
}

#[test]
fn numbers_are_exact() {
    assert_eq!(value("0.25"), "1/4");
    assert_eq!(value("1e-3"), "1/1000");
    assert_eq!(value("1.5E2"), "150");
    assert_eq!(value(".5"), "1/2");
    assert_eq!(value("(2)*((3))"), "6");
    assert_eq!(
        value("123456789012345678901234567890"),
        "123456789012345678901234567890"
    );
}

#[test]
fn operators_bind_as_in_mathematics() {
    assert_same("-x^2", "-(x^2)");
    assert_same("2^-1", "1/2");
    assert_same("2^3^2", "512");
    assert_same("2^-1*4", "2");
    assert_same(
        "a0 - b0 - c0"
            .replace("a0", "7")
            .replace("b0", "2")
            .replace("c0", "1")
            .as_str(),
        "4",
    );
    assert_same("12/2/3", "2");
    assert_same("12/2*3", "18");
    assert_same("2*-3", "-6");
    assert_same("- -x", "x");
    assert_same("1 - -x", "1 + x");
    assert_same("2^-x^2", "2^(-(x^2))");
    assert_same("x'^2", "(x')^2");
    assert_same("m·x − y", "m*x - y");
}

#[test]
fn implicit_multiplication_is_an_error_that_says_so() {
    let text = error_in("2x");
    assert!(
        text.contains("there is no implicit multiplication") && text.contains("write `2*x`"),
        "{text}"
    );
    assert!(error_in("2(x + 1)").contains("implicit multiplication"));
    assert!(error_in("(x)(y)").contains("implicit multiplication"));
    assert!(error_in("x y").contains("write `x*y`"));
    assert!(error_in("x(y + 1)").contains("write `x*(…)`"));
}

#[test]
fn primes_and_dots_are_derivatives() {
    assert_same("ẋ", "x'");
    assert_same("ẍ", "x''");
    assert_same("ÿ", "y''");
    assert_same("x\u{0307}", "x'");
    assert_same("x″", "x''");
    assert_same("(x*y)'", "x'*y + x*y'");
    assert_same("sin(x)''", "cos(x)*x'' - sin(x)*x'^2");
}

#[test]
fn a_prime_on_an_abbreviation_is_its_total_derivative() {
    let model = base_with("let s = x*y + t\nobserve o = s'\nobserve p = x'*y + x*y' + 1");
    assert_eq!(model.observables[0].value, model.observables[1].value);
}

#[test]
fn functions_are_known() {
    assert_same("sec(x)*cos(x)", "1");
    assert_same("cot(x)*tan(x)", "1");
    assert_same("csc(x)*sin(x)", "1");
    assert_same("sqrt(4)", "2");
    assert_same("log(exp(x))", "x");
    assert_same("atan2(0, 1)", "0");
    assert_same("sin(pi/2)", "1");
    assert_same("tanh(x)*cosh(x)", "sinh(x)");
    assert_same("asin(1) + acos(1)", "pi/2");
    assert_same("atan(1)", "π/4");
}

#[test]
fn vectors_and_matrices() {
    assert_same("dot([x, y], [1, 2])", "x + 2*y");
    assert_same("cross([1, 0, 0], [0, 1, 0])", "[0, 0, 1]");
    assert_same("norm2([x, y])", "x^2 + y^2");
    assert_same("transpose([[1, 2], [3, 4]])", "[[1, 3], [2, 4]]");
    assert_same("[[1, 2], [3, 4]]*[x, y]", "[x + 2*y, 3*x + 4*y]");
    assert_same("[[1, 2], [3, 4]]*[[0, 1], [1, 0]]", "[[2, 1], [4, 3]]");
    assert_same("2*[x, y]/4", "[x/2, y/2]");
    assert_same("[x, y][2]", "y");
    assert_same("[[1, 2], [3, 4]][2,1]", "3");
    assert_same("([[1, 2], [3, 4]]*[x, y])[1]", "x + 2*y");
    assert_same("hat([1, 2, 3])*[x, y, 0]", "cross([1, 2, 3], [x, y, 0])");
    assert_same("diag(1, x)", "[[1, 0], [0, x]]");
    assert_same("rotation([0, 0, 2], pi/2)*[1, 0, 0]", "[0, 1, 0]");
    assert_same("[x, y]'", "[x', y']");
}

#[test]
fn mismatches_name_both_shapes() {
    let text = error_in("[x, y] + [1, 2, 3]");
    assert!(
        text.contains("a vector with 2 entries") && text.contains("a vector with 3 entries"),
        "{text}"
    );
    let text = error_in("[[1, 2], [3, 4]]*[1, 2, 3]");
    assert!(
        text.contains("a 2x2 matrix by a vector with 3 entries"),
        "{text}"
    );
    assert!(error_in("[x, y]*[x, y]").contains("dot(a, b)"));
    assert!(error_in("1/[x, y]").contains("cannot divide by a vector"));
    assert!(error_in("[x, y]^2").contains("norm2(v)"));
    assert!(error_in("sin([x, y])").contains("takes a scalar"));
    assert!(error_in("dot([x], [x, y])").contains("1 entry and a vector with 2 entries"));
    assert!(error_in("cross([x, y], [1, 2])").contains("3 entries"));
    assert!(error_in("[[x, y], [1]]").contains("have one shape"));
    assert!(error_in("[[[x]]]").contains("two deep"));
    assert!(error_in("x[1]").contains("a scalar has no entries"));
    assert!(error_in("[x, y][3]").contains("from 1 to 2"));
    assert!(error_in("[x, y][0]").contains("from 1 to 2"));
    assert!(error_in("[x, y][1,1]").contains("one index"));
    assert!(error_in("[x, y][x]").contains("an index is a whole number"));
    assert!(error_in("sin(x, y)").contains("takes 1 argument, found 2"));
}

#[test]
fn what_has_no_value_is_an_error() {
    assert!(error_in("1/0").contains("identically zero"));
    assert!(error_in("m/(x - x)").contains("identically zero"));
    assert!(error_in("1/(sin(x)^2 + cos(x)^2 - 1)").contains("identically zero"));
    assert!(error_in("((x + y)^2 - x^2 - 2*x*y - y^2)^-1").contains("zero has no negative power"));
    assert!(error_in("0^-1").contains("zero has no negative power"));
    assert!(error_in("log(0)").contains("logarithm"));
    assert!(error_in("sqrt(-1)").contains("square root"));
    assert!(error_in("asin(2)").contains("beyond 1"));
    assert!(error_in("csc(0)").contains("sine of zero"));
    assert!(error_in("atan2(0, 0)").contains("no value"));
    assert!(error_in("tan(pi/2)").contains("no value"));
}

#[test]
fn numbers_beyond_reason_are_refused() {
    for expression in [
        "9^9^9^9",
        "2^(10^9)",
        "1e999999999",
        "1e99999999999999999999",
        "2^(999999999/1000000000)",
        "7^0.12345678901",
    ] {
        assert!(
            error_in(expression).contains("test.mech:5:"),
            "{expression}"
        );
    }
}

#[test]
fn names_have_suggestions() {
    let text =
        only_error("system a\nparam mass = 1\ncoord theta\nlagrangian mas/2*theta'^2 + mass\n");
    assert!(
        text.contains("unknown name `mas`") && text.contains("did you mean `mass`?"),
        "{text}"
    );
    assert!(error_in("sim(x)").contains("did you mean `sin`?"));
    assert!(error_in("ln(x)").contains("`log`"));
    assert!(error_in("sin").contains("needs its arguments"));
    assert!(error_in("x + start").contains("a word of the statements"));
}

#[test]
fn greek_and_ascii_are_one_name() {
    let model = common::model(
        "system a\nparam μ = 1\ncoord θ : angle\nlagrangian mu/2*theta'^2 + cos(ϑ)*μ - 0*θ̇\n",
    );
    assert_eq!(model.positions()[0].name(), "theta");
    assert_eq!(model.parameters[0].symbol.name(), "mu");
}

#[test]
fn brackets_are_matched() {
    assert_eq!(
        errors(&format!("{BASE}observe o = (x + 1\n")),
        [(5, 13, "bracket")]
    );
    assert_eq!(
        errors(&format!("{BASE}observe o = [x, 1)\n")),
        [(5, 18, "bracket")]
    );
    assert_eq!(
        errors(&format!("{BASE}observe o = x + 1)\n")),
        [(5, 18, "syntax")]
    );
    assert_eq!(
        errors(&format!("{BASE}observe o = (x, y)\n")),
        [(5, 15, "syntax")]
    );
    assert_eq!(
        errors(&format!("{BASE}observe o = []\n")),
        [(5, 14, "syntax")]
    );
}
