//! Hostile input: an error in bounded time and memory, never a crash.

use rattleback_language::{
    LoadError, MAX_DIAGNOSTICS, Outcome, Source, format, from_bytes, load, parse,
};

const HEAD: &str = "system a\ncoord x\nlagrangian x'^2\n";

/// Reads a text that must be refused, and renders what is said about it.
fn refused(text: &str) -> Outcome {
    let source = Source::new("hostile.mech", text);
    let outcome = parse(&source);
    assert!(outcome.model.is_none());
    assert!(outcome.diagnostics.iter().any(|d| d.is_error()));
    assert!(outcome.diagnostics.len() <= MAX_DIAGNOSTICS + 1);
    for diagnostic in &outcome.diagnostics {
        let text = diagnostic.render(&source, false);
        assert!(text.len() < 20_000, "{} bytes", text.len());
    }
    assert!(diagnosable(&outcome), "{:?}", outcome.diagnostics);
    // The formatter stands it too.
    let _ = format(text);
    outcome
}

fn diagnosable(outcome: &Outcome) -> bool {
    outcome
        .diagnostics
        .iter()
        .all(|d| !d.message.is_empty() && !d.labels.is_empty())
}

#[test]
fn nested_brackets() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("sin(", ")"),
        ("-", ""),
        ("2^", ""),
        ("x[", "]"),
        ("(-", ")"),
    ] {
        let deep = format!(
            "{HEAD}observe o = {}x{}\n",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        let outcome = refused(&deep);
        assert_eq!(
            outcome.diagnostics.len(),
            1,
            "{open}: {:?}",
            outcome.diagnostics
        );
        assert_eq!(outcome.diagnostics[0].code, "nesting");
        refused(&format!("{HEAD}observe o = {}", open.repeat(100_000)));
        refused(&format!("{HEAD}observe o = x{}", ")".repeat(100_000)));
    }
}

#[test]
fn brackets_of_other_statements() {
    for statement in [
        "force ",
        "symmetry s = ",
        "control u on ",
        "group G : ",
        "coord ",
        "start ",
        "time ",
        "draw box ",
        "bound ",
        "system ",
        "input ",
        "state ",
        "rate ",
        "map next",
        "free ",
        "goal start",
        "periodic ",
        "via ",
        "guess ",
    ] {
        refused(&format!("{HEAD}{statement}{}\n", "(".repeat(100_000)));
        refused(&format!("{HEAD}{statement}{}\n", "[".repeat(100_000)));
        refused(&format!("{HEAD}{statement}{}\n", ",".repeat(100_000)));
    }
}

#[test]
fn many_states_conditions_and_values_at_other_moments() {
    // Each rate holds all those before it: together they grow with the square.
    let chain = |n: usize, first: &str| {
        let names: Vec<String> = (0..n).map(|i| format!("z{i}")).collect();
        let rate = |i: usize| format!("z{i}' = z{}' + z{i}", i - 1);
        let rates: Vec<String> = (1..n).map(rate).collect();
        let (names, rates) = (names.join(", "), rates.join(", "));
        format!("system a\nstate {names}\nrate z0' = {first}, {rates}\n")
    };
    assert_eq!(refused(&chain(5000, "1")).diagnostics[0].code, "size");
    assert_eq!(refused(&chain(5000, "z4999'")).diagnostics[0].code, "loop");
    let model = parse(&Source::new("chain", chain(100, "1"))).model.unwrap();
    assert_eq!(model.rates().len(), 100);
    let goals = "x + start(x) >= 1, ".repeat(20_000);
    let text = format!("{HEAD}goal {goals}x = 1\n");
    let model = parse(&Source::new("goals", text)).model.unwrap();
    assert_eq!(model.goals.len(), 20_001);
    let (open, close) = ("start(".repeat(3000), ")".repeat(3000));
    refused(&format!("{HEAD}goal x = {open}x{close}\n"));
    refused(&format!("{HEAD}observe o = x{}\n", ".R".repeat(200_000)));
}

#[test]
fn a_line_of_ten_megabytes() {
    refused(&format!(
        "{HEAD}observe o = x{}\n",
        " + x".repeat(2_500_000)
    ));
    refused(&"a".repeat(10_000_000));
    refused(&format!("# {}", "c".repeat(10_000_000)));
    let bytes = vec![b'x'; 10_000_000];
    assert!(matches!(
        from_bytes("big", bytes),
        Err(LoadError::TooLarge { .. })
    ));
}

#[test]
fn long_lines_within_the_limit() {
    refused(&format!("{HEAD}observe o = {}\n", "x ".repeat(400_000)));
    refused(&format!("{HEAD}observe o = q{}\n", " + q".repeat(200_000)));
    refused(&format!(
        "{HEAD}observe {} = x + unknown\n",
        "n".repeat(900_000)
    ));
    refused(&format!("{HEAD}observe o = {}\n", "9".repeat(900_000)));
    refused(&format!("{HEAD}observe o = x{}\n", "'".repeat(900_000)));
    refused(&format!(
        "{HEAD}observe o = [{}]*unknown\n",
        "x, ".repeat(200_000)
    ));
    refused(&format!(
        "{HEAD}observe o = diag({}x)*[1]\n",
        "x, ".repeat(200_000)
    ));
    refused(&"\0".repeat(900_000));
    refused(&"\"".repeat(900_000));
    refused(&"é".repeat(400_000));
}

#[test]
fn long_sums_and_products_are_no_problem() {
    for operator in ["+", "*", "-", "/"] {
        let text = format!(
            "{HEAD}observe o = x{}\n",
            format!(" {operator} x").repeat(100_000)
        );
        assert!(parse(&Source::new("long", text)).model.is_some());
    }
    let distinct: String = (0..20_000).map(|i| format!("param a{i} = {i}\n")).collect();
    let sum: String = (0..20_000).map(|i| format!(" + a{i}")).collect();
    let text = format!("{HEAD}{distinct}observe o = x{sum}\n");
    assert!(parse(&Source::new("long", text)).model.is_some());
}

#[test]
fn many_mistakes_are_counted() {
    let outcome = refused(&format!(
        "{HEAD}{}",
        "observe x = unknown\n".repeat(100_000)
    ));
    assert_eq!(outcome.diagnostics.last().unwrap().code, "too-many");
    refused(&format!("{HEAD}{}", "@\n".repeat(500_000)));
    refused(&"system a\n".repeat(100_000));
    let distinct: String = (0..50_000)
        .map(|i| format!("observe o{i} = unknown{i}\n"))
        .collect();
    refused(&format!("{HEAD}{distinct}"));
}

#[test]
fn bytes_that_are_not_text() {
    refused("\0\0\0");
    refused(&format!("{HEAD}observe o = x\0\n"));
    assert!(matches!(
        from_bytes("b", vec![0xff, 0xfe, 0]),
        Err(LoadError::Encoding {
            offset: 0,
            line: 1,
            ..
        })
    ));
    assert!(matches!(load("."), Err(LoadError::Directory { .. })));
    assert!(matches!(
        load("no/such/file.mech"),
        Err(LoadError::Io { .. })
    ));
    for text in [
        "\u{202E}system a",
        "system \u{2028} a",
        "\u{FEFF}\u{FEFF}",
        "a\u{0307}\u{0307}",
        "'''",
        "\r\r\r",
        "#",
        "\u{1F600}",
    ] {
        refused(text);
    }
}

#[test]
fn numbers_and_definitions_that_grow() {
    let doubling: String = (1..60)
        .map(|i| format!("let a{i} = a{}*a{}\n", i - 1, i - 1))
        .collect();
    refused(&format!(
        "{HEAD}let a0 = 3^1000\n{doubling}observe o = a59\n"
    ));
    let powers: String = (1..60)
        .map(|i| format!("let a{i} = a{}^100\n", i - 1))
        .collect();
    refused(&format!("{HEAD}let a0 = 3\n{powers}observe o = a59\n"));
    let scaled: String = (1..60)
        .map(|i| format!("let a{i} = a{}*a{}\n", i - 1, i - 1))
        .collect();
    refused(&format!("{HEAD}let a0 = 3*x\n{scaled}observe o = a59\n"));
    let matrices: String = (1..3000)
        .map(|i| format!("let a{i} = a{}*a{}\n", i - 1, i - 1))
        .collect();
    let row = format!("[{}]", vec!["x"; 60].join(", "));
    refused(&format!(
        "{HEAD}let a0 = [{}]\n{matrices}observe o = a2999\n",
        vec![row.as_str(); 60].join(", ")
    ));
}

#[test]
fn deep_definitions_are_no_problem() {
    let chain: String = (1..20_000)
        .map(|i| format!("let a{i} = sin(a{}) + {i}\n", i - 1))
        .collect();
    let text = format!("{HEAD}let a0 = x\n{chain}observe o = a19999\n");
    assert!(parse(&Source::new("deep", text)).model.is_some());
}
