//! What a person reads of equations: how long it is, and that it reads back.

use crate::common::random::{Seeds, Shape};
use crate::common::readback::read;
use crate::common::{all_files, shipped};
use proptest::prelude::*;
use rattleback::Model;
use rattleback::mechanics::Form;
use rattleback::report::document::{Block, Document, Vector};
use rattleback::session::Derivation;
use rattleback::sheet::Sheet;
use rattleback::symbolic::{Expr, Rational, Style, Symbol, prove_zero, text};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The table that nobody may exceed.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lengths.md");

/// Characters and terms.
fn size(page: &str) -> (usize, usize) {
    let signs = page.matches(" + ").count() + page.matches(" - ").count();
    let equations = page.matches(" = ").count();
    (page.chars().count(), signs + equations)
}

/// The rows of a table of Markdown by their first cell.
fn recorded(table: &str) -> BTreeMap<String, Vec<usize>> {
    let rows = table.lines().filter(|l| l.starts_with("| `"));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let name = cells.next().unwrap().trim_matches('`').to_owned();
        (name, cells.map(|c| c.parse().unwrap()).collect())
    })
    .collect()
}

#[test]
fn no_page_is_longer_than_recorded() {
    let mut found = BTreeMap::new();
    for name in all_files() {
        let derivation = Model::open(shipped(&name)).unwrap().derive(None).unwrap();
        let short = derivation.sheet().formulas().text(true);
        let full = Sheet {
            full: true,
            ..derivation.sheet()
        };
        let (characters, terms) = size(&short);
        let (before, _) = size(&full.formulas().text(true));
        found.insert(name, vec![characters, terms, before]);
    }
    if std::env::var_os("INSTA_UPDATE").is_some_and(|v| v == "always") {
        let table = std::fs::read_to_string(TABLE).unwrap_or_default();
        let words: String = table
            .lines()
            .take_while(|l| !l.starts_with("| `"))
            .map(|l| format!("{l}\n"))
            .collect();
        let mut out = words;
        for (name, row) in &found {
            let _ = writeln!(out, "| `{name}` | {} | {} | {} |", row[0], row[1], row[2]);
        }
        std::fs::write(TABLE, out).unwrap();
    }
    let table = recorded(&std::fs::read_to_string(TABLE).unwrap());
    for (name, row) in &found {
        let limit = table
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not in docs/lengths.md"));
        assert!(
            row[0] <= limit[0] && row[1] <= limit[1],
            "{name}: {} characters and {} terms, recorded are {} and {}",
            row[0],
            row[1],
            limit[0],
            limit[1]
        );
    }
}

/// The definitions of a page: `let` lines, scalar ones also as symbols.
fn definitions(document: &Document, style: &Style) -> (String, Vec<(Symbol, Expr)>) {
    let mut lines = String::new();
    let mut scalar = Vec::new();
    for section in document.sections.iter().filter(|s| s.heading == "with") {
        for block in &section.blocks {
            match block {
                Block::Equations(all) => {
                    for (left, right) in all {
                        let _ =
                            writeln!(lines, "let {} = {}", text(left, style), text(right, style));
                        scalar.push((left.as_symbol().unwrap().clone(), right.clone()));
                    }
                }
                Block::Vectors(all) => {
                    for (left, right) in all {
                        // Multipliers are no names of the language outside formulas.
                        let meaning = right.text(style);
                        if !meaning.contains("lambda") {
                            let _ = writeln!(lines, "let {} = {meaning}", left.text(style));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    (lines, scalar)
}

/// Every scalar formula of a page is read back with its definitions as `let`, and is proven to be what it was.
fn reads_back(name: &str, source: &str) {
    let derivation = Model::read(source).unwrap().derive(None).unwrap();
    let sheet = derivation.sheet();
    let document = sheet.document();
    let style = Style::ascii().with_order(sheet.order());
    let (lines, scalar) = definitions(&document, &style);
    // The model's own abbreviations are there already.
    let own: Vec<&str> = derivation
        .problem
        .abbreviations
        .iter()
        .map(|d| d.name.as_str())
        .collect();
    let is_new = |line: &&str| {
        let name = line.trim_start_matches("let ").split(' ').next();
        !own.contains(&name.unwrap_or_default())
    };
    let lines: Vec<&str> = lines.lines().filter(is_new).collect();
    let extended = format!("{source}\n{}\n", lines.join("\n"));
    let model = Model::read(&extended).unwrap_or_else(|e| panic!("{name}: {e}\n{extended}"));
    let model = model.declared();
    let whole = |e: &Expr| {
        scalar.iter().rev().fold(e.clone(), |e, pair| {
            e.substitute(std::slice::from_ref(pair))
        })
    };
    let blocks = document.sections.iter().flat_map(|s| &s.blocks);
    for block in blocks {
        let Block::Equations(all) = block else {
            continue;
        };
        for (_, right) in all {
            let printed = text(right, &style);
            let found = read(model, &printed);
            let gap = found - whole(right);
            assert!(
                prove_zero(&gap).is_proven(),
                "{name}: `{printed}` is read as another formula"
            );
        }
    }
}

#[test]
fn pages_of_the_shipped_models_read_back() {
    for name in all_files() {
        reads_back(&name, &rattleback_testing::models::text(&name));
    }
}

/// The equations of motion of the page less those in full, on the constraint set: `set` gives positions and velocities by
/// coordinates on it.
fn assert_the_same_on(set: &[(Symbol, Expr)], derivation: &Derivation) {
    let document = derivation.sheet().document();
    let (_, scalar) = definitions(&document, &Style::ascii());
    let moving = document.sections.iter();
    let moving = moving.filter(|s| s.heading == "Equations of motion");
    let mut compared = 0;
    for block in moving.flat_map(|s| &s.blocks) {
        let Block::Equations(all) = block else {
            continue;
        };
        for (left, right) in all {
            let whole = right.substitute(&scalar).substitute(&scalar);
            let of = left.as_symbol().unwrap();
            let state = derivation.equations.state.iter();
            let mut rates = state.zip(&derivation.equations.rates);
            let (_, full) = rates.find(|(s, _)| s.derivative() == *of).unwrap();
            let gap = (&whole - full).substitute(set);
            assert!(prove_zero(&gap).is_proven(), "{left} = {whole}");
            compared += 1;
        }
    }
    assert!(compared > 1);
}

/// A position by coordinates on a set, and its velocity.
fn moved(q: &str, e: Expr) -> [(Symbol, Expr); 2] {
    let q = Symbol::variable(q);
    let velocity = (q.derivative(), e.total_derivative());
    [velocity, (q, e)]
}

/// On the sphere the page says the same as the equations in full, and it says it by the length of the rod.
#[test]
fn equations_of_motion_are_written_on_the_constraint_set() {
    let variable = |name: &str| Expr::from(Symbol::variable(name));
    let derived = |name: &str| Model::open(shipped(name)).unwrap().derive(None).unwrap();
    let pendulum = derived("spherical_pendulum");
    let length = pendulum
        .problem
        .parameters
        .iter()
        .find(|p| p.symbol.name() == "l");
    let l = Expr::from(&length.unwrap().symbol);
    let [a, b] = ["a", "b"].map(variable);
    let sphere = [
        moved("x", &l * a.sin() * b.cos()),
        moved("y", &l * a.sin() * b.sin()),
        moved("z", &l * a.cos()),
    ];
    assert_the_same_on(&sphere.concat(), &pendulum);
    let page = pendulum.sheet().formulas().text(false);
    assert!(page.contains("x'' = -x*k1/l^2\n"), "{page}");
    assert!(page.contains("\non the constraints\n"), "{page}");
    assert!(page.contains("  x^2 + y^2 + z^2    = l^2\n"), "{page}");
    // Functions that somebody differentiates stay as they are.
    assert!(
        page.contains("E = m*(x'^2 + y'^2 + z'^2)/2 + m*g*z"),
        "{page}"
    );
    let robot = derived("mobile_robot");
    let (theta, speed) = (variable("theta"), variable("speed"));
    let radius = robot
        .problem
        .parameters
        .iter()
        .find(|p| p.symbol.name() == "R");
    let rolling = [
        ("x", &speed * theta.cos()),
        ("y", &speed * theta.sin()),
        ("psi", &speed / Expr::from(&radius.unwrap().symbol)),
    ];
    let rolling = rolling.map(|(q, e)| (Symbol::variable(q).derivative(), e));
    assert_the_same_on(&rolling, &robot);
    let page = robot.sheet().formulas().text(false);
    assert!(page.contains("psi''   = 0\n"), "{page}");
    assert!(page.contains("lambda1 = -m*R*theta'*psi'\n"), "{page}");
    let full = Sheet {
        full: true,
        ..robot.sheet()
    };
    assert!(!full.text(false).contains("\non the constraints\n"));
}

/// The shortest form comes first, as long as it says, and the usual one is among those that it is compared with.
#[test]
fn the_shortest_form_is_the_shortest() {
    for name in ["knife_edge", "central_force", "heavy_top"] {
        let model = Model::open(shipped(name)).unwrap();
        let shortest = model.derive_shortest().unwrap();
        let usual = model.derive(None).unwrap();
        let lengths = &shortest.lengths;
        assert_eq!(lengths[0], (shortest.form, shortest.sheet().characters()));
        assert!(
            lengths.is_sorted_by_key(|(_, n)| n.unwrap_or(usize::MAX)),
            "{name}: {lengths:?}"
        );
        assert!(lengths.contains(&(usual.form, usual.sheet().characters())));
        let page = shortest.sheet().text(false);
        assert!(page.contains("\nOther forms, in characters\n"), "{page}");
        assert!(usual.sheet().json(false).get("lengths").is_none());
    }
    // Motion under ideal reactions is not that of the variational problem.
    let source = "system skate\nparam m = 1\nassume m > 0\ncoord x, y, th : angle
lagrangian x''^2/2 + y''^2/2 + m*th''^2/2\nconstraint sin(th)*x' = cos(th)*y'\nstart x' = 1\n";
    let shortest = Model::read(source).unwrap().derive_shortest().unwrap();
    assert_eq!(shortest.form, Form::HigherOrder);
    assert_eq!(shortest.lengths.len(), 1);
}

#[test]
fn groups_are_written_as_vectors() {
    let page = |name: &str| {
        let derivation = Model::open(shipped(name)).unwrap().derive(None).unwrap();
        derivation.sheet().formulas().text(false)
    };
    let has = |name: &str, lines: &[&str]| {
        let page = page(name);
        for line in lines {
            assert!(page.contains(line), "no `{line}` in:\n{page}");
        }
    };
    has(
        "rattleback",
        &[
            "R' = R*hat(w)",
            "Inertia*w' = cross(Inertia*w, w) + cross(rho, transpose(R)*lambda)",
            "[x', y', z'] + R*cross(w, rho) = 0",
            "m*z'' = lambda3 - m*g",
        ],
    );
    has(
        "chaplygin_ball",
        &["Inertia*w' = cross(Inertia*w, w) + r*transpose(R)*cross(lambda, [0, 0, 1])"],
    );
    has(
        "heavy_top",
        &[
            "J*w' = cross(J*w, w) + k*cross(gamma, [0, 0, 1])",
            "gamma = transpose(R)*[0, 0, 1]",
        ],
    );
    has(
        "underwater_vehicle",
        &[
            "X.R' = X.R*hat(Omega)",
            "X.p' = X.R*V",
            "M*V' = cross(M*V, Omega)",
        ],
    );
    // The rotors add to the momentum: it is not J*w, and is not said to be.
    assert!(!page("heavy_top_rotors").contains("p_w = "));
    assert!(!page("underwater_vehicle").contains("X[4,"));
}

#[test]
fn a_vector_is_its_components() {
    let w = Vector::Name(Symbol::variable("w"));
    assert_eq!(w.clone().hat().text(&Style::ascii()), "hat(w)");
    assert!(Vector::Sum(vec![(false, w.clone())]).contains(&w));
}

fn seeds() -> impl Strategy<Value = Seeds> {
    prop::collection::vec(any::<u32>(), 12).prop_map(Seeds::new)
}

fn shapes() -> impl Strategy<Value = Shape> {
    let group = prop::option::of(0usize..5);
    (2usize..4, 0usize..3, group).prop_map(|(coordinates, constraints, group)| Shape {
        coordinates,
        constraints,
        group,
        affine: false,
        turning: false,
        symmetric: false,
    })
}

proptest! {
    #![proptest_config(rattleback_testing::cases(8))]

    /// A page is never longer than its equations in components, solved.
    #[test]
    fn random_pages_are_not_longer_than_the_full_ones(mut seeds in seeds(), shape in shapes()) {
        let source = seeds.model(shape);
        let model = Model::read(&source).unwrap();
        let Ok(derivation) = model.derive(None) else { return Ok(()) };
        let full = Sheet { full: true, ..derivation.sheet() };
        let (short, _) = size(&derivation.sheet().formulas().text(true));
        let (long, _) = size(&full.formulas().text(true));
        prop_assert!(short <= long + 40, "{short} characters instead of {long}\n{source}");
        reads_back("random", &source);
    }

    /// Beads on ellipses with a spring between them.
    #[test]
    fn random_pages_hold_on_the_constraint_set(
        axes in prop::collection::vec([1i64..4, 1..4, 1..4], 1..3),
        weight in 0..4,
    ) {
        let mut source = "system beads\nparam m = 1, k = 2\nassume m > 0\n".to_owned();
        let mut set = Vec::new();
        let mut kinetic = Vec::new();
        let beads = axes.len();
        for (i, [p, q, r]) in (1..).zip(axes) {
            let _ = writeln!(source, "coord x{i}, y{i}");
            let _ = writeln!(source, "constraint {}*x{i}^2 + {}*y{i}^2 = {}", p * p, q * q, r * r);
            let _ = writeln!(source, "start x{i} = {r}/{p}, y{i} = 0, y{i}' = 1");
            let s = Expr::from(Symbol::variable(&format!("s{i}")));
            let at = |n: i64| Expr::from(Rational::new(r, n));
            set.extend(moved(&format!("x{i}"), at(p) * s.cos()));
            set.extend(moved(&format!("y{i}"), at(q) * s.sin()));
            kinetic.push(format!("x{i}'^2 + y{i}'^2"));
        }
        let _ = writeln!(source, "kinetic m/2*({})", kinetic.join(" + "));
        let _ = writeln!(source, "potential k*(x1 - x{beads})^2 + {weight}*y1");
        let derivation = Model::read(&source).unwrap().derive(None).unwrap();
        assert_the_same_on(&set, &derivation);
        reads_back("beads", &source);
    }
}
