//! One document, four notations: whatever stands on a page can be written in each of them.

use rattleback_report::document::{
    Block, Cell, Data, Document, Item, Labelled, Name, Remark, Special, Tabular, Value,
};
use rattleback_symbolic::{Expr, Symbol};
use rattleback_theory::{Answer, Case, Gap};

fn symbol(name: &str) -> Symbol {
    Symbol::variable(name)
}

/// A document with one of everything.
fn everything() -> Document {
    let (x, theta) = (symbol("x"), symbol("theta"));
    let square = Expr::from(&theta).powi(2);
    let item = |label: &str, value| Block::Item(Item::new("key", label, value));
    let labelled = vec![
        Labelled::new("F_x", square.clone()).key("name", vec!["F_x".into()]),
        Labelled::new("", square.clone()),
    ];
    let special = Special {
        case: Case {
            condition: Expr::from(&x),
            then: "nothing moves".into(),
        },
        here: true,
    };
    let table = |wide| {
        let rows = [
            (Name::Symbol(theta.derivative()), vec!["1.5e-7".into()]),
            (Name::Plain("a < b".into()), vec!["2".into()]),
        ];
        Block::Table(Tabular::of_words(&["", "value"], rows, wide))
    };
    let mut document = Document::new("A & B")
        .section(
            "Formulas",
            [
                Block::Symbols(vec![x.clone(), theta.clone()]),
                Block::Equations(vec![(x.derivative().into(), square.clone())]),
                Block::Brackets(vec![(x.clone(), theta.clone(), Expr::one())]),
                Block::NonZero(vec![square.clone()]),
            ],
        )
        .section(
            "Statements",
            [
                item("it is so", Value::Answer(Answer::undecided(Gap::Cancelled))),
                item("yes", Value::Flag(Some(true))),
                item("open", Value::Flag(None)),
                item("count", Value::Count(3)),
                item("ranks", Value::Counts(vec![2, 3])),
                item("word", Value::Word("50%".into())),
                item("names", Value::Words(vec!["theta".into()])),
                item("formula", Value::Formula(square.clone())),
                item("equation", Value::Equation("H".into(), square.clone())),
                item("formulas", Value::Formulas(labelled)),
                item("cases", Value::Cases(vec![special])),
                item(
                    "objects",
                    Value::List(vec![vec![
                        Item::line("first"),
                        Item::data("quiet", Value::Count(7)),
                        Item::new("second", "second", Value::Count(8)),
                    ]]),
                ),
            ],
        )
        .section(
            "Numbers",
            [
                Block::Rows(8, vec![("form".into(), "hamel".into())]),
                Block::Values(vec![("theta'".into(), "0.25".into())]),
                table(false),
                table(true),
                Block::Figure {
                    svg: "<svg/>".into(),
                    caption: "a path".into(),
                },
            ],
        )
        .with_notes(["mind the gap".to_owned()]);
    document.lead = vec!["a page".into(), "of everything".into()];
    document.opening = vec![Block::paragraph("first words"), Block::detail("more")];
    document.remarks.push(Remark::Warning("off".into()));
    document
}

#[test]
fn text_has_everything_in_its_order() {
    let expected = "\
A & B
  a page
  of everything
  first words
    more

Formulas
  x, theta
  x' = theta^2
  {x, theta} = 1
  theta^2 != 0

Statements
  it is so: not decided
";
    let text = everything().text(false);
    assert!(text.starts_with(expected), "{text}");
    let rest = "\
  yes: yes
  open: not decided
  count: 3
  ranks: (2, 3)
  word: 50%
  names: theta
  formula: theta^2
  equation: H = theta^2
  formulas:
    F_x = theta^2
    theta^2
  if x = 0, as it is for the values given: nothing moves
  objects:
    first
      second: 8

Numbers
  form      hamel
  theta' = 0.25
          value
  theta'  1.5e-7
  a < b   2
                value
  theta'       1.5e-7
  a < b             2
  a path

note: mind the gap

warning: off
";
    assert!(text.ends_with(rest), "{text}");
    assert!(text.is_ascii() && !everything().text(true).is_ascii());
}

#[test]
fn latex_is_balanced_and_escaped() {
    let latex = everything().latex();
    for (open, close) in [("\\begin{", "\\end{"), ("\\[", "\\]"), ("{", "}")] {
        let count = |sign: &str| latex.matches(sign).count();
        assert_eq!(count(open), count(close), "{open} in {latex}");
    }
    for part in [
        "\\section*{A \\& B}\na page, of everything.\n",
        "\\paragraph{Formulas.} $x$, $\\theta$.",
        "\\emph{not decided}.",
        "50\\%",
        "1.5 \\cdot 10^{-7}",
        "If $x = 0$, as it is for the values given: nothing moves.",
        "\\emph{Note:} mind the gap.",
    ] {
        assert!(latex.contains(part), "no `{part}` in {latex}");
    }
    assert!(!latex.contains("quiet"));
}

#[test]
fn html_is_well_formed_and_escaped() {
    let html = everything().html();
    assert!(html.matches('<').count() > 50);
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let inside = tag.split('>').next().unwrap();
        let name = inside.trim_matches('/').split([' ', '/']).next().unwrap();
        match (inside.starts_with('/'), inside.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name), "{html}"),
            (false, true) => {}
            (false, false) => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?} in {html}");
    for part in [
        "<h1>A &amp; B</h1>",
        "<td>a &lt; b</td>",
        "<figure>\n<svg/>\n<figcaption>a path</figcaption>\n</figure>",
        "<p class=\"warning\">warning: off</p>",
    ] {
        assert!(html.contains(part), "no `{part}` in {html}");
    }
}

#[test]
fn data_is_written_with_its_formulas() {
    let square = Expr::from(symbol("theta")).powi(2);
    let items = vec![
        Item::line("for readers"),
        Item::data("rank", Value::Count(2)),
    ];
    let data = Data::object([
        ("name", Data::plain("a page")),
        ("energy", Data::named("of", "body", square.clone())),
        ("list", Data::texts(std::slice::from_ref(&square))),
        (
            "said",
            Data::Merged(vec![
                Data::Items(items),
                Data::object([("more", Data::plain(1))]),
            ]),
        ),
    ]);
    let json = Document::new("").with_data(data).json(true);
    assert_eq!(json["name"], "a page");
    assert_eq!(json["energy"]["of"], "body");
    assert_eq!(json["energy"]["text"], "theta^2");
    assert!(json["energy"]["mathml"].as_str().unwrap().contains("<math"));
    assert_eq!(json["list"][0], "theta^2");
    assert_eq!(json["said"], serde_json::json!({"rank": 2, "more": 1}));
}

#[test]
fn parts_stand_under_their_names() {
    let part = |title: &str| Document::new(title);
    let document = Document {
        parts: vec![
            ("one".into(), part("first")),
            ("two".into(), part("second")),
        ],
        ..Document::new("")
    };
    assert_eq!(
        document.text(false),
        "--- one ---\nfirst\n\n--- two ---\nsecond\n"
    );
    assert!(document.latex().contains("\\section*{two: second}"));
    assert!(document.html().contains("<h1>one: first</h1>"));
}

#[test]
fn matrices_have_formulas_and_names() {
    let entry = Expr::from(symbol("theta")).powi(2) / 2;
    let table = Tabular {
        head: vec![Name::Words(String::new()), Name::Plain("theta'".into())],
        rows: vec![(Name::Plain("x".into()), vec![Cell::Formula(entry)])],
        wide: false,
    };
    let document = Document::new("A").section("Matrix", [Block::Table(table)]);
    assert_eq!(
        document.text(true),
        "A\n\nMatrix\n     theta'\n  x  θ^2/2\n"
    );
    let latex = document.latex();
    assert!(latex.contains(r"$\dot{\theta}$"), "{latex}");
    assert!(latex.contains(r"$\frac{\theta^{2}}{2}$"), "{latex}");
    assert!(document.html().contains("<mfrac>"), "{}", document.html());
}

#[test]
fn formulas_without_a_label_stand_alone() {
    let formula = Value::Equation("H+".into(), Expr::from(symbol("x")));
    let document = Document::new("A").section("F", [Block::Item(Item::new("", "", formula))]);
    assert_eq!(document.text(false), "A\n\nF\n  H+ = x\n");
    assert!(!document.latex().contains(": "), "{}", document.latex());
    assert!(!document.html().contains(": "), "{}", document.html());
}
