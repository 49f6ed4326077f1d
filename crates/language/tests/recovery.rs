//! Recovery: one run reports every independent mistake at its place.

mod common;

use common::{BASE, errors, findings, only_error};

#[test]
fn several_mistakes_are_all_reported() {
    let text = "\
systm bad
param m = 1, J = 2x, k =
coord x, y, tehta : angel
group R : SO(4) velocity w
lagrangian m/2*(x'^2 + yy'^2)
constraint [x', y'] = [1, 2, 3]
param t = 3
coord x
start x = 0, x = 1
draw disc radius m at [x, y]
fibre m
";
    assert_eq!(
        errors(text),
        [
            (1, 1, "unknown-statement"),
            (2, 19, "implicit-product"),
            (2, 19, "not-allowed"),
            (2, 25, "syntax"),
            (3, 21, "syntax"),
            (4, 11, "group"),
            (5, 24, "unknown-name"),
            (6, 23, "shape"),
            (7, 7, "reserved"),
            (8, 7, "duplicate"),
            (9, 14, "duplicate"),
            (10, 6, "draw"),
            (11, 7, "fibre"),
        ]
    );
}

#[test]
fn an_unclosed_bracket_does_not_swallow_the_next_statement() {
    let text = format!("{BASE}observe a = (x + 1\nobserve b = zz\n");
    assert_eq!(errors(&text), [(5, 13, "bracket"), (6, 13, "unknown-name")]);
}

#[test]
fn an_indented_statement_is_pointed_out_and_read() {
    let text = "system a\nparam m = 1\n  coord x\nlagrangian m*x'^2\n";
    assert_eq!(errors(text), [(3, 3, "syntax")]);
    assert!(only_error(text).contains("remove the indentation"));
}

#[test]
fn a_misspelt_statement_still_declares_its_names() {
    assert_eq!(
        errors("system a\npram m = 1\ncord x\nlagrangian m*x'^2\n"),
        [(2, 1, "unknown-statement"), (3, 1, "unknown-statement")]
    );
    // Even one that cannot be guessed keeps its names from causing more errors.
    assert_eq!(
        errors("system a\nmass m = 1\ncoord x\nlagrangian m*x'^2\n").len(),
        1
    );
}

#[test]
fn a_missing_comma_or_colon_keeps_the_names() {
    assert_eq!(
        errors("system a\ncoord x y\nlagrangian x'^2 + y'^2\n"),
        [(2, 9, "syntax")]
    );
    assert_eq!(
        errors("system a\ngroup R SO(3) velocity w\nlagrangian dot(w, w)\n"),
        [(2, 9, "syntax")]
    );
    assert_eq!(
        errors("system a\nparam m 2, k = 3\ncoord x\nlagrangian m*k*x'^2\n"),
        [(2, 9, "syntax")]
    );
}

#[test]
fn a_control_has_no_derivative() {
    assert_eq!(
        errors(&format!("{BASE}control u on x\nobserve o = u'\n")),
        [(6, 13, "derivative")]
    );
    assert_eq!(
        errors(&format!(
            "{BASE}control u on x\nlet p = u*x\nobserve o = p'\n"
        )),
        [(7, 13, "derivative")]
    );
    assert_eq!(
        errors(&format!("{BASE}control u on x\nobserve o = u + (x*y)'\n")),
        []
    );
}

#[test]
fn both_places_of_a_duplicate_are_shown() {
    let text = only_error("system a\nparam m = 1\ncoord m\nlagrangian m'^2\n");
    assert!(
        text.contains("second, as a coordinate") && text.contains("first, as a parameter"),
        "{text}"
    );
    assert!(
        text.contains("2 │ param m = 1") && text.contains("3 │ coord m"),
        "{text}"
    );
}

#[test]
fn the_source_line_is_underlined() {
    let text = only_error(&format!(
        "{BASE}let v = [1,\n\t  2, qq]\nobserve o = v[1]\n"
    ));
    assert!(text.contains("test.mech:6:7"), "{text}");
    assert!(text.contains("6 │    2, qq]"), "{text}");
    assert!(text.contains("──"), "{text}");
}

#[test]
fn what_must_be_there_is_missed() {
    assert_eq!(errors(""), [(1, 1, "missing")]);
    assert_eq!(errors("coord x\nlagrangian x'^2\n"), [(1, 1, "missing")]);
    assert_eq!(
        errors("coord x\nsystem a\nlagrangian x'^2\n"),
        [(2, 1, "order")]
    );
    assert_eq!(errors("system a\ncoord x\n"), [(3, 1, "missing")]);
    assert_eq!(errors("system a\nlagrangian 1\n"), [(3, 1, "missing")]);
    assert_eq!(
        errors("system a\ncoord x\npotential x\n"),
        [(3, 1, "missing")]
    );
}

#[test]
fn statements_that_occur_once() {
    assert_eq!(
        errors(&format!("{BASE}lagrangian x'^2\n")),
        [(5, 1, "duplicate")]
    );
    assert_eq!(
        errors(&format!("{BASE}kinetic x'^2\n")),
        [(5, 1, "duplicate")]
    );
    assert_eq!(errors(&format!("{BASE}system b\n")), [(5, 1, "duplicate")]);
    assert_eq!(
        errors(&format!("{BASE}time 0 .. 1\ntime 0 .. 2\n")),
        [(6, 1, "duplicate")]
    );
    // Costs add up.
    assert_eq!(
        errors(&format!("{BASE}cost 1\ncost x\nterminal x\nterminal y\n")),
        []
    );
}

#[test]
fn order_of_definitions() {
    assert_eq!(
        errors(&format!("{BASE}let a = b\nlet b = x\nobserve o = a\n")),
        [(5, 9, "order")]
    );
    assert_eq!(
        errors(&format!("{BASE}let a = a + 1\nobserve o = a\n")),
        [(5, 9, "order")]
    );
    assert_eq!(
        errors(&format!("{BASE}param a = 2*b, b = 1\nobserve o = a + b\n")),
        [(5, 13, "order")]
    );
    // Everything else may use names below it.
    assert_eq!(
        errors("system a\nlagrangian T\ncoord x\nlet T = x'^2\n"),
        []
    );
}

#[test]
fn reserved_names() {
    for name in ["t", "pi", "identity", "sin", "dot", "coord", "free", "next"] {
        let errors = errors(&format!("{BASE}param {name} = 1\n"));
        assert!(
            matches!(errors[..], [(5, 7, "reserved" | "syntax")]),
            "{name}: {errors:?}"
        );
    }
}

/// The program's own names give way.
#[test]
fn names_that_are_generated_may_be_declared() {
    for name in ["lambda1", "λ2", "mu1", "y7", "p_x", "P_x"] {
        let text = format!("{BASE}param {name} = 1\nobserve o = {name}\n");
        assert_eq!(errors(&text), [], "{name}");
    }
    // Elsewhere they stay unknown to a model.
    for name in ["lambda1", "y7", "p_x"] {
        let found = errors(&format!("{BASE}let o = {name}\nobserve q = o\n"));
        assert_eq!(found, [(5, 9, "generated-name")], "{name}");
    }
}

#[test]
fn unused_names_are_warned_of() {
    // The control acts through its one-form: no warning for it.
    let text = "system a\nparam m = 1, k = 2\ncoord x, y\nlet q = 2*x\ncontrol u on x\nlagrangian m*x'^2\n";
    assert_eq!(
        findings(text),
        [(2, 14, "unused"), (3, 10, "unused"), (4, 5, "unused")]
    );
}

#[test]
fn a_use_in_an_assumption_is_no_use() {
    assert_eq!(
        findings(&format!("{BASE}param k = 1\nassume k > 0\n")),
        [(5, 7, "unused")]
    );
}

#[test]
fn values_that_break_an_assumption() {
    let text = only_error(
        "system a\nparam m = 1, r = 2\nassume m > 0, r < m\ncoord x\nlagrangian r*m*x'^2\n",
    );
    assert!(
        text.contains("break this assumption") && text.contains("2 < 1"),
        "{text}"
    );
}

#[test]
fn characters_without_meaning() {
    assert_eq!(
        errors(&format!("{BASE}observe o = x @ 2\n")),
        [(5, 15, "character")]
    );
    assert_eq!(
        errors(&format!("{BASE}observe o = x²\n")),
        [(5, 13, "character")]
    );
    assert_eq!(
        errors(&format!("{BASE}observe ж = x\n")),
        [(5, 9, "character")]
    );
    assert_eq!(
        errors(&format!("{BASE}observe o = 1.\n")),
        [(5, 14, "character")]
    );
    assert_eq!(
        errors("system a \"Title\ncoord x\nlagrangian x'^2\n"),
        [(1, 10, "unclosed-text")]
    );
}

#[test]
fn a_long_line_is_shown_in_part_with_its_true_place() {
    let text = only_error(&format!(
        "{BASE}observe o = x{} + qq\n",
        " + x".repeat(3000)
    ));
    assert!(
        text.contains("test.mech:5:12017") && text.contains("+ qq"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() < 250),
        "{text}"
    );
}

#[test]
fn a_potential_alone_is_one_mistake() {
    let text = only_error("system a\ncoord x\npotential x^2\n");
    assert!(text.contains("needs a `kinetic` statement"), "{text}");
}
