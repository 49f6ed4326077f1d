//! Rows without a model: Lie algebras, linear brackets, bivectors.

use crate::data::{Oracle, Row, numbers};
use crate::run::{Report, route};
use rattleback_geometry::{Frame, Group, LieAlgebra, LieGroup, MatrixGroup, PrincipalConnection};
use rattleback_language::{Source, parse};
use rattleback_mechanics::BracketMatrix;
use rattleback_symbolic::{Expr, Matrix, Rational, Symbol};

/// Tangents of retractions, which come with the integrators on groups (AC-C5).
const RETRACTIONS: [&str; 4] = ["dcay", "dcay_inv", "dexp", "dexp_inv"];

pub fn check(oracle: &Oracle, report: &mut Report) {
    for row in &oracle.values {
        let values = match row.quantity.as_str() {
            "ad_star" => ad_star(row),
            "linear_poisson_bracket" => linear_bracket(row),
            "bivector_rank" => vec![
                bivector(oracle)
                    .symplectic_space(&point(row))
                    .unwrap()
                    .rank() as f64,
            ],
            "bivector_form" => vec![bivector_form(oracle, row)],
            "exp_pose" | "exp_row1" | "Ad" | "cay_row1" => group_calculus(row),
            "bundle_curvature" | "atiyah_structure" => bundle(row),
            later if RETRACTIONS.contains(&later) => continue,
            _ => {
                report.fail(oracle, row, "nobody knows this quantity".into());
                continue;
            }
        };
        report.compare(oracle, row, &[route("algebra", values)], false);
    }
}

fn group(row: &Row) -> Group {
    match row.text("group") {
        Some("SO(3)") => Group::SO3,
        Some("SE(2)") => Group::SE2,
        other => panic!("group {other:?}"),
    }
}

/// A decimal as the exact number that it spells.
fn exact(x: f64) -> Expr {
    let spelled: Rational = x.to_string().parse().expect("a decimal");
    Expr::from(&spelled)
}

fn exact_all(x: &[f64]) -> Vec<Expr> {
    x.iter().copied().map(exact).collect()
}

/// (ad*_ξ μ)_A = μ_D C^D_BA ξ^B: minus the bracket term of the equations of motion.
fn ad_star(row: &Row) -> Vec<f64> {
    let (mu, xi) = (
        exact_all(&numbers(&row.all["mu"])),
        exact_all(&numbers(&row.all["xi"])),
    );
    let y: Vec<Symbol> = (0..mu.len())
        .map(|i| Symbol::variable(&format!("y{i}")))
        .collect();
    let frame = Frame::new(
        Vec::new(),
        y,
        Matrix::zeros(0, mu.len()),
        group(row).structure(),
    );
    frame
        .gyroscopic(&xi, &mu)
        .iter()
        .map(|e| (-e).evaluate(&[]).unwrap())
        .collect()
}

/// exp, Ad and the Cayley map.
fn group_calculus(row: &Row) -> Vec<f64> {
    let group = group(row);
    let xi = exact_all(&numbers(&row.all["xi"]));
    let g = group.exp(&xi);
    let value = |e: &Expr| e.evaluate(&[]).unwrap();
    match row.quantity.as_str() {
        "exp_row1" => g[..3].iter().map(value).collect(),
        // Entries of [[R, t], [0, 1]], row by row.
        "exp_pose" => vec![value(&g[3]).atan2(value(&g[0])), value(&g[2]), value(&g[5])],
        "Ad" => {
            let b = exact_all(&numbers(&row.all["b"]));
            group.adjoint(&g, &b).iter().map(value).collect()
        }
        _ => {
            let matrices = MatrixGroup::generated_by(group.generators()).unwrap();
            let cayley = matrices.cayley(&xi).unwrap();
            cayley.row(0).iter().map(value).collect()
        }
    }
}

/// Curvature and structure functions of a bundle with connection (AC-C6, C11).
fn bundle(row: &Row) -> Vec<f64> {
    let names = row.all["base"].as_array().expect("a base");
    let x: Vec<Symbol> = names
        .iter()
        .map(|n| Symbol::variable(n.as_str().unwrap()))
        .collect();
    let group = group(row);
    let columns = &row.all["connection"];
    let a = Matrix::new(group.dimension(), x.len(), |a, i| {
        parsed(columns[i][a].as_str().unwrap(), &x)
    });
    let connection = PrincipalConnection::new(&x, &LieAlgebra::of(group), a);
    let values = if row.quantity == "bundle_curvature" {
        connection.curvature(0, 1)
    } else {
        let n = x.len() + group.dimension();
        let fibre: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("f{i}"))).collect();
        let frame = Frame::atiyah(&connection, &fibre);
        // C_(1, a=1): the first base section with the first of the algebra.
        (0..group.dimension())
            .map(|d| frame.structure().get(0, x.len(), x.len() + d))
            .collect()
    };
    let at: Vec<(Symbol, f64)> = x
        .iter()
        .map(|s| (s.clone(), row.all["at"][s.name()].as_f64().unwrap()))
        .collect();
    values.iter().map(|e| e.evaluate(&at).unwrap()).collect()
}

/// The linear bracket of the action algebroid of rotations on ℝ³, ρ_A = x × e_A (AC-C14).
fn linear_bracket(row: &Row) -> Vec<f64> {
    let x: Vec<Symbol> = (1..=3)
        .map(|i| Symbol::variable(&format!("x{i}")))
        .collect();
    let p: Vec<Symbol> = (1..=3)
        .map(|i| Symbol::variable(&format!("p{i}")))
        .collect();
    let y: Vec<Symbol> = (1..=3)
        .map(|i| Symbol::variable(&format!("y{i}")))
        .collect();
    let z: Vec<Expr> = x.iter().map(Expr::from).collect();
    let anchor = Matrix::new(3, 3, |i, a| match (3 + a - i) % 3 {
        // (x × e_a)_i = ε_ija x_j.
        0 => Expr::zero(),
        1 => -&z[3 - i - a],
        _ => z[3 - i - a].clone(),
    });
    let frame = Frame::new(x.clone(), y, anchor, Group::SO3.structure());
    assert!(rattleback_symbolic::prove_all_zero(&frame.anchor_defect()).is_proven());
    let bracket = rattleback_mechanics::phase::linear_bracket(&frame, &p);
    let f = parsed(row.text("f").unwrap(), &[&x[..], &p].concat());
    let g = parsed(row.text("g").unwrap(), &[&x[..], &p].concat());
    let at: Vec<f64> = [numbers(&row.all["at"]["x"]), numbers(&row.all["at"]["p"])].concat();
    let values: Vec<(Symbol, f64)> = x.into_iter().chain(p).zip(at).collect();
    vec![bracket.bracket(&f, &g).evaluate(&values).unwrap()]
}

/// An expression in these variables.
fn parsed(text: &str, variables: &[Symbol]) -> Expr {
    let names: Vec<&str> = variables.iter().map(Symbol::name).collect();
    let list = names.join(", ");
    let source = format!(
        "system e\ncoord {list}\nlagrangian {}'^2\nobserve value_ = {text}\n",
        names[0]
    );
    let outcome = parse(&Source::new("e.mech", &source));
    let model = outcome.model.expect("an expression");
    let value = model.observables[0]
        .value
        .as_scalar()
        .expect("a scalar")
        .clone();
    let pairs: Vec<(Symbol, Expr)> = model
        .positions()
        .into_iter()
        .zip(variables.iter().map(Expr::from))
        .collect();
    value.substitute(&pairs)
}

fn bivector(oracle: &Oracle) -> BracketMatrix {
    let data = &oracle.all["bivector"];
    let names = data["coordinates"].as_array().expect("coordinates");
    let coordinates: Vec<Symbol> = names
        .iter()
        .map(|n| Symbol::variable(n.as_str().unwrap()))
        .collect();
    let rows = data["matrix"].as_array().expect("a matrix");
    let n = coordinates.len();
    let matrix = Matrix::new(n, n, |i, j| {
        parsed(rows[i][j].as_str().unwrap(), &coordinates)
    });
    BracketMatrix {
        coordinates,
        matrix,
    }
}

fn point(row: &Row) -> Vec<(Symbol, Expr)> {
    let at = row.all["at"].as_object().expect("a point");
    at.iter()
        .map(|(k, v)| (Symbol::variable(k), exact(v.as_f64().unwrap())))
        .collect()
}

/// The page has v^j = α_i Π_ij, minus ours: ϖ changes its sign with the bracket.
fn bivector_form(oracle: &Oracle, row: &Row) -> f64 {
    let space = bivector(oracle).symplectic_space(&point(row)).unwrap();
    let (v, w) = (
        exact_all(&numbers(&row.all["v"])),
        exact_all(&numbers(&row.all["w"])),
    );
    assert!(
        space
            .covector(&[Expr::one(), Expr::one(), Expr::one()])
            .is_err(),
        "a vector off the sphere"
    );
    -space.form(&v, &w).unwrap().evaluate(&[]).unwrap()
}
