//! Fuzzing: whatever the text, reading and formatting end with a value, and formatting is idempotent.
//!
//! `RATTLEBACK_FUZZ_CASES=100000 cargo test -p rattleback-language --test fuzz` runs longer.

use proptest::prelude::*;
use rattleback_language::{Overrides, Source, format, from_bytes, parse};

const MODELS: &[&str] = &[
    include_str!("fuzz/everything.mech"),
    "system a\ncoord x\nlagrangian x'^2\n",
    "system plant\nstate x, v\ncontrol u\nmap next(x) = x + v, next(v) = v + u\ninput u = -x\nstart x = 1, v = free\ngoal x = 0, v = start(v)\nvia 3: x >= 0\ncost u^2\ntime 0 .. 15 step 1\n",
    "system standard\nparam k = 1/2\ncoord x\nlagrangian (next(x) - x)^2/2 - k*cos(x)\nstart x = 1, p_x = 0.3\n",
    "system k \"Knife\"\nparam m = 1, J = 1/3 # inertia\nassume m > 0\ncoord x, y\ncoord phi : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2\nconstraint sin(phi)*x' = cos(phi)*y'\nstart phi' = 1.5\ntime 0 .. 10 step 0.01\n",
];

/// Pieces that are likely to matter to the reader.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "<=",
    ">",
    "!=",
    "..",
    "'",
    "''",
    "+",
    "-",
    "*",
    "/",
    "^",
    "#",
    "\"",
    "\n",
    "\n  ",
    "\t",
    " ",
    "x",
    "y",
    "θ",
    "ẋ",
    "w",
    "w[1]",
    "R",
    "identity",
    "rotation",
    "sin",
    "1",
    "0",
    "2.5",
    "1e-3",
    "1e9999",
    "t",
    "pi",
    "mu1",
    "lambda1",
    "system",
    "param",
    "assume",
    "coord",
    "group",
    "let",
    "lagrangian",
    "kinetic",
    "potential",
    "constraint",
    "force",
    "control",
    "symmetry",
    "fibre",
    "frame",
    "oneform",
    "observe",
    "start",
    "goal",
    "cost",
    "terminal",
    "bound",
    "time",
    "draw",
    "input",
    "state",
    "rate",
    "map",
    "flat",
    "free",
    "free(",
    "periodic",
    "via",
    "guess",
    "next(",
    "start(",
    "~",
    ".R",
    ".p",
    "z",
    "z'",
    "p_x",
    "on",
    "velocity",
    "space",
    "angle",
    "step",
    "SO(3)",
    "SE(2)",
    "SU(2)",
    "R(3)",
    "disk",
    "trail",
    "at",
    "\0",
    "\u{FEFF}",
    "²",
    "∂",
    "\r\n",
    "diag(",
    "hat(",
    "dot(",
];

fn cases() -> u32 {
    std::env::var("RATTLEBACK_FUZZ_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(300)
}

/// Reads a text in every way, and checks what must hold of any text.
fn survive(text: &str) {
    let source = Source::new("fuzz", text);
    let outcome = parse(&source);
    let errors = outcome.diagnostics.iter().filter(|d| d.is_error()).count();
    assert_eq!(outcome.model.is_none(), errors > 0);
    for diagnostic in &outcome.diagnostics {
        assert!(!diagnostic.render(&source, false).is_empty());
        assert!(diagnostic.line(&source) <= source.line_count());
    }
    if let Ok(formatted) = format(text) {
        assert_eq!(format(&formatted).as_deref(), Ok(formatted.as_str()));
        let again = parse(&Source::new("fuzz", formatted));
        let codes = |o: &rattleback_language::Outcome| {
            o.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&outcome), codes(&again));
    }
    if let Ok(overrides) = Overrides::parse([text.lines().next().unwrap_or("")]) {
        let model = parse(&Source::new("base", MODELS[0]))
            .model
            .expect("the base model is right");
        let _ = model.with_overrides(&overrides);
    }
}

/// A change of a text at a place between 0 and 1.
#[derive(Clone, Debug)]
enum Change {
    Insert(f64, &'static str),
    Delete(f64, usize),
    Duplicate(f64, usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0.0..1.0, prop::sample::select(PIECES)).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (0.0..1.0, 1usize..30).prop_map(|(at, n)| Change::Delete(at, n)),
        (0.0..1.0, 1usize..80).prop_map(|(at, n)| Change::Duplicate(at, n)),
    ]
}

fn apply(text: &mut Vec<char>, change: &Change) {
    let place = |at: f64, len: usize| ((at * len as f64) as usize).min(len);
    match change {
        Change::Insert(at, piece) => {
            let at = place(*at, text.len());
            text.splice(at..at, piece.chars());
        }
        Change::Delete(at, n) => {
            let at = place(*at, text.len());
            text.drain(at..(at + n).min(text.len()));
        }
        Change::Duplicate(at, n) => {
            let at = place(*at, text.len());
            let copy: Vec<char> = text[at..(at + n).min(text.len())].to_vec();
            text.splice(at..at, copy);
        }
    }
}

#[test]
fn the_base_model_says_everything() {
    let outcome = parse(&Source::new("everything", MODELS[0]));
    assert!(
        outcome.model.is_some() && outcome.diagnostics.is_empty(),
        "{:#?}",
        outcome.diagnostics
    );
}

proptest! {
    #![proptest_config(rattleback_testing::cases(cases()))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(source) = from_bytes("bytes", bytes) {
            survive(source.text());
        }
    }

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        survive(&text);
    }

    #[test]
    fn any_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        survive(&pieces.join(" "));
        survive(&pieces.concat());
    }

    #[test]
    fn changed_models(which in 0..MODELS.len(), changes in prop::collection::vec(change(), 1..8)) {
        let mut text: Vec<char> = MODELS[which].chars().collect();
        changes.iter().for_each(|c| apply(&mut text, c));
        survive(&text.into_iter().collect::<String>());
    }
}
