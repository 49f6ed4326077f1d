//! `analyze` as a user meets it: topics, verdicts, JSON, LaTeX, budgets.

use crate::common::{all_shipped, rattleback, shipped, written};
use serde_json::{Value, json};

const TOPICS: [&str; 14] = [
    "regularity",
    "distribution",
    "symmetries",
    "momenta",
    "first_integrals",
    "jacobi",
    "chaplygin",
    "measure",
    "hamiltonization",
    "hamilton_jacobi",
    "vakonomic",
    "presymplectic",
    "equilibria",
    "stability",
];

fn analyzed(model: &str, topics: &str) -> Value {
    let model = shipped(model);
    rattleback(["analyze", &model, "--only", topics, "--json"])
        .exits(0)
        .json()
}

#[test]
fn the_knife_edge_in_json() {
    let all = analyzed(
        "knife_edge",
        "distribution,chaplygin,measure,hamiltonization,jacobi",
    );
    let d = &all["distribution"];
    assert_eq!(d["verdict"], "proven");
    assert_eq!(d["dimension"], 3);
    assert_eq!(d["rank"], 2);
    assert_eq!(d["growth"], json!([2, 3]));
    assert_eq!(d["growth_at_start"], json!([2, 3]));
    assert_eq!(d["step"], 2);
    assert_eq!(d["bracket_generating"], true);
    assert_eq!(d["integrable"], false);
    assert_eq!(d["integrals"], json!([]));
    let c = &all["chaplygin"];
    assert_eq!(c["verdict"], "proven");
    assert_eq!(c["abelian"], true);
    assert_eq!(c["fibre"], json!(["y"]));
    assert_eq!(c["base"], json!(["x", "phi"]));
    assert!(c["reduced_lagrangian"]["text"].is_string());
    assert!(c["reduced_hamiltonian"]["latex"].is_string());
    assert_eq!(c["gyroscopic"][0]["of"], json!(["x", "phi"]));
    assert_eq!(all["measure"]["density"]["text"], "cos(phi)");
    assert_eq!(all["measure"]["space"], "reduced");
    assert_eq!(all["hamiltonization"]["multiplier"]["text"], "cos(phi)");
    assert!(all["hamiltonization"]["hamiltonian"]["text"].is_string());
    assert_eq!(all["jacobi"]["verdict"], "refuted");
    assert!(all["jacobi"]["witness"].is_string());
}

#[test]
fn every_model_has_every_topic_with_evidence() {
    for model in all_shipped() {
        let all = rattleback(["analyze", &shipped(&model), "--json"])
            .exits(0)
            .json();
        for topic in TOPICS {
            let t = &all[topic];
            let evidence = match t["verdict"].as_str() {
                Some("proven") => &t["how"],
                Some("refuted") => &t["witness"],
                Some("undecided") => &t["why"],
                other => panic!("{model}: {topic} is {other:?}"),
            };
            let words = evidence.as_str().unwrap_or_default();
            assert!(!words.is_empty(), "{model}: {topic}");
        }
    }
}

#[test]
fn what_is_found_besides_says_how() {
    let sleigh = analyzed("chaplygin_sleigh", "hamiltonization");
    assert_eq!(sleigh["hamiltonization"]["verdict"], "refuted");
    assert_eq!(sleigh["hamiltonization"]["found"][0]["by"], "odometer");
    let board = analyzed("snakeboard", "hamiltonization");
    assert_eq!(board["hamiltonization"]["found"][0]["by"], "routh");
}

#[test]
fn an_unknown_topic_gets_the_list() {
    let model = shipped("knife_edge");
    rattleback(["analyze", &model, "--only", "measures"])
        .exits(2)
        .says(&["no topic `measures`", "hamiltonization"]);
    rattleback(["analyze", &model, "--budget", "20"])
        .exits(2)
        .says(&["--effort", "--timeout"]);
    for wrong in ["--effort=-1", "--effort=inf", "--timeout=-1"] {
        let option = wrong.split('=').next().unwrap_or(wrong);
        rattleback(["analyze", &model, wrong])
            .exits(2)
            .says(&[option]);
    }
}

#[test]
fn time_that_is_up_is_not_a_hang() {
    let model = shipped("chaplygin_sphere");
    for (option, word) in [("--effort", "effort"), ("--timeout", "cancelled")] {
        let all = rattleback(["analyze", &model, option, "0", "--json"])
            .exits(0)
            .json();
        assert!(all["hamiltonization"]["verdict"].is_string());
        let topic = &all["first_integrals"];
        if topic["verdict"] == "undecided" {
            let why = topic["why"].as_str().unwrap_or_default();
            assert!(why.contains(word), "{why}");
        }
    }
}

/// What the clock refuted and proved in turn is the same at every effort, or open.
#[test]
fn momenta_of_the_sphere_do_not_depend_on_effort() {
    let model = shipped("chaplygin_sphere");
    for effort in ["0", "0.001", "0.01", "0.1", "1"] {
        let arguments = [
            "analyze", &model, "--only", "momenta", "--json", "--effort", effort,
        ];
        let all = rattleback(arguments).exits(0).json();
        assert_ne!(all["momenta"]["verdict"], "refuted", "at {effort}");
    }
}

#[test]
fn text_and_latex() {
    let model = shipped("snakeboard");
    let text = rattleback(["analyze", &model, "--only", "measure"]).exits(0);
    assert!(text.out.contains("density: N = sin(φ)"), "{}", text.out);
    let plain = rattleback(["analyze", &model, "--only", "measure", "--ascii"]).exits(0);
    assert!(plain.out.is_ascii(), "{}", plain.out);
    let html = rattleback(["analyze", &model, "--only", "measure", "--format", "mathml"]).exits(0);
    assert!(html.out.contains("<h2>Measure</h2>") && html.out.contains("<math"));
    assert_eq!(
        html.out.matches("<p>").count(),
        html.out.matches("</p>").count()
    );
    let latex = rattleback(["analyze", &model, "--format", "latex"]).exits(0);
    assert!(latex.out.contains("\\paragraph{Measure.}"));
    assert_eq!(
        latex.out.matches("\\begin{").count(),
        latex.out.matches("\\end{").count()
    );
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let model = shipped("snakeboard");
    let run = || rattleback(["analyze", &model, "--json"]).exits(0).out;
    assert_eq!(run(), run());
}

#[test]
fn parameters_are_case_distinctions() {
    let text = "system particle\nparam kappa = 0.4\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
        constraint z' = y*x' + kappa*x*y'\n";
    let model = written("cases", text);
    let all = rattleback(["analyze", &model, "--only", "distribution", "--json"])
        .exits(0)
        .json();
    let cases = all["distribution"]["cases"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(cases.len(), 1);
    assert!(
        cases[0]["if"]["text"]
            .as_str()
            .is_some_and(|t| t.contains("kappa"))
    );
}

fn analyzed_text(name: &str, text: &str, topics: &str) -> Value {
    let model = written(name, text);
    rattleback(["analyze", &model, "--only", topics, "--json"])
        .exits(0)
        .json()
}

#[test]
fn a_vanishing_coefficient_is_told_first() {
    let text = "system s\nparam e = 0, m = 2\ncoord x, z, u\nkinetic m*(x'^2 + z'^2 + u'^2)/2\nconstraint u' = e*z*x'\n";
    let all = analyzed_text("at_values_coefficient", text, "distribution");
    let d = &all["distribution"];
    assert_eq!(d["verdict"], "proven");
    let here = &d["at_values"];
    assert_eq!(here["verdict"], "refuted");
    assert_eq!(here["growth"], json!([2]));
    assert!(
        here["differences"]
            .as_array()
            .unwrap()
            .iter()
            .any(|x| x["of"] == "growth")
    );
    let model = written("at_values_coefficient_text", text);
    let page = rattleback(["analyze", &model, "--only", "distribution"]).exits(0);
    let topic = page.out.split("Distribution\n").nth(1).unwrap();
    assert!(
        topic.starts_with(
            "  for the values given, the constraints are completely nonholonomic: refuted"
        ),
        "{topic}"
    );
    // With another value there is nothing to tell.
    let page = rattleback(["analyze", &model, "--only", "distribution", "--set", "e=3"]).exits(0);
    assert!(!page.out.contains("for the values given"), "{}", page.out);
}

#[test]
fn a_body_with_principal_axes_has_a_measure() {
    let model = shipped("suslov");
    let all = rattleback([
        "analyze", &model, "--only", "measure", "--json", "--set", "I13=0", "--set", "I23=0",
    ])
    .exits(0)
    .json();
    let m = &all["measure"];
    assert_eq!(m["verdict"], "refuted");
    assert_eq!(m["at_values"]["verdict"], "proven");
    let shipped = analyzed("suslov", "measure,regularity");
    assert_eq!(shipped["measure"]["at_values"]["verdict"], "refuted");
    assert_eq!(shipped["measure"]["at_values"]["differences"], json!([]));
    assert_eq!(shipped["regularity"]["verdict"], "proven");
    assert_eq!(
        shipped["regularity"]["positive_definite"]["verdict"],
        "proven"
    );
}

#[test]
fn derived_parameters_count_by_their_value() {
    let text = "system s\nparam l = 1, J = l - 1\ncoord x, z, u\nkinetic (x'^2 + z'^2 + u'^2)/2\nconstraint u' = J*z*x'\n";
    let all = analyzed_text("at_values_derived", text, "distribution");
    assert_eq!(all["distribution"]["at_values"]["verdict"], "refuted");
}

/// The coefficient |a - b| - (a - b) is zero where a > b, and only there.
#[test]
fn refutations_respect_the_assumptions() {
    let integrable = |name: &str, assumption: &str| {
        let text = format!(
            "system s\nparam a = 2, b = 1\n{assumption}\ncoord x, z, u\nkinetic (x'^2 + z'^2 + u'^2)/2\nconstraint u' = (sqrt((a - b)^2) - a + b)*z*x'\n"
        );
        analyzed_text(name, &text, "distribution")["distribution"]["integrable"].clone()
    };
    assert_eq!(integrable("facts_free", "assume b > 0"), false);
    assert_ne!(integrable("facts_bound", "assume a > b"), false);
    assert_eq!(integrable("facts_other", "assume a < 10*b"), false);
}

/// Where the values given are special, the case that they are is listed, in whatever topic.
#[test]
fn a_verdict_that_is_another_one_at_the_values_has_its_case() {
    let judged = |name: &str, text: &str, topic: &str| {
        let file = written(name, text);
        rattleback(["analyze", &file, "--only", topic, "--json"]).json()[topic].clone()
    };
    let chain = "system chain\nparam e = 0\ncoord x, y, z, u\nkinetic (x'^2 + y'^2 + z'^2 + u'^2)/2\n\
        constraint z' = y*x'\nconstraint u' = e*z*x'\n";
    let found = judged("special_chain", chain, "distribution");
    assert_eq!(found["verdict"], "proven");
    assert_eq!(found["at_values"]["verdict"], "refuted");
    let case = &found["cases"][0];
    assert_eq!(case["if"]["text"], "e", "{found}");
    assert_eq!(case["here"], true);

    let equal = "system equal\nparam a = 2, b = 2\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
        constraint z' = a*y*x' + b*x*y'\n";
    let found = judged("special_pair", equal, "distribution");
    assert_eq!(found["at_values"]["verdict"], "refuted");
    let said = found["cases"].to_string();
    assert!(said.contains("a - b") || said.contains("b - a"), "{said}");
}

/// A root that parameters leave open is decided where they have values.
#[test]
fn branches_are_decided_at_the_values() {
    let with = |a: &str, c: &str| {
        let text = format!(
            "system s\nparam a = {a}\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
             constraint z' = y*({c})*x'\nstart x = 2\n"
        );
        analyzed_text("branch_at_values", &text, "distribution")["distribution"]["at_values"]["verdict"].clone()
    };
    assert_eq!(with("1.402", "sqrt(1 - sin(a)^2) - cos(a)"), "refuted");
    assert_eq!(with("2.402", "sqrt(1 - sin(a)^2) - cos(a)"), "proven");
    assert_eq!(with("3", "asin(sin(a)) + a - pi"), "refuted");
    assert_eq!(with("1", "asin(sin(a)) + a - pi"), "proven");
    assert_eq!(with("3", "atan2(sin(a), cos(a)) - a"), "refuted");
}

/// A relation between inverse functions holds on the component of the start, and fails on another.
#[test]
fn inverse_functions_are_related_on_the_component_of_the_start() {
    for (start, integrable) in [("2", "refuted"), ("-2", "proven")] {
        let text = format!(
            "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
             constraint z' = y*(atan(sqrt(x^2 - 1)) + asin(1/x) - pi/2)*x'\nstart x = {start}\n"
        );
        let found = analyzed_text("component", &text, "distribution");
        assert_eq!(found["distribution"]["verdict"], integrable, "{found}");
    }
}

/// What is said of a fibre that the program took names it.
#[test]
fn a_momentum_along_a_fibre_says_which() {
    let model = |coordinates: &str| {
        format!(
            "system s\ncoord {coordinates}\nkinetic ((1 + sin(z)^2)*x'^2 + y'^2 + (1 + sin(x)^2)*z'^2 + u'^2)/2\n\
             constraint u' = y' + 3*x'\nstart x' = 1\n"
        )
    };
    for coordinates in ["x, y, z, u", "u, y, z, x"] {
        let found = analyzed_text("along", &model(coordinates), "vakonomic");
        let across = found["vakonomic"]["across"].as_array().unwrap();
        assert_eq!(across.len(), 1, "{found}");
        let along = across[0].as_str().unwrap();
        assert_eq!(
            found["vakonomic"]["gyro_free"]["verdict"] == "refuted",
            along == "x'",
            "{found}"
        );
    }
}

/// One leading minor that vanishes is enough, whatever is known of those before it.
#[test]
fn a_degenerate_energy_is_not_positive_definite() {
    let text = "system s\nparam a = 3, b = 3/2\nassume a > b, b > 0\ncoord x, y, z\n\
                kinetic ((a - 1)*x'^2 + (sqrt((a - b)^2) - a + b)*y'^2 + z'^2)/2\n";
    let found = analyzed_text("degenerate_energy", text, "regularity");
    let found = &found["regularity"];
    assert_eq!(found["verdict"], "refuted", "{found}");
    assert_eq!(found["positive_definite"]["verdict"], "refuted", "{found}");
}
