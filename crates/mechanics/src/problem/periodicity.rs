//! Angles that are angles: is everything in the model a function on the circle?

use rattleback_geometry::Frame;
use rattleback_language::{ConstraintKind, CoordinateKind, Factor, Model, at_next};
use rattleback_symbolic::{Expr, Symbol, Verdict, prove_all_zero};

use super::{Origin, Remark, RemarkKind};

/// The coordinates on circles, and what is to be said of angles that are none: f(θ + 2π) = f(θ) must hold for the
/// Lagrangian, the constraint forms, the forces and the fields of the model. Where it does not, or is not known to,
/// the coordinate is one on the line.
pub(crate) fn circles(model: &Model, frame: &Frame) -> (Vec<Symbol>, Vec<Remark>) {
    let (mut circles, mut remarks) = (Vec::new(), Vec::new());
    let functions = functions(model, frame);
    for (i, factor) in model.configuration.iter().enumerate() {
        let Factor::Coordinate {
            symbol,
            kind: CoordinateKind::Angle,
            ..
        } = factor
        else {
            continue;
        };
        match prove_all_zero(&changes(&functions, symbol)) {
            Verdict::Proven { .. } => circles.push(symbol.clone()),
            verdict => remarks.push(line(symbol, &functions, &verdict, Origin::Factor(i))),
        }
    }
    (circles, remarks)
}

/// Everything that the equations and their geometry are made of, as far as it contains positions.
fn functions(model: &Model, frame: &Frame) -> Vec<Expr> {
    let forms = (model.forces.iter()).chain(model.controls.iter().map(|c| &c.form));
    let fields = model.symmetries.iter().chain(&model.frame);
    let components = forms
        .flat_map(|f| &f.components)
        .chain(fields.flat_map(|f| &f.components))
        .map(|(_, e)| e.clone());
    // A position constraint acts by its differential: that of x = R θ is a form on the circle.
    let constraints = model.constraints.iter().flat_map(|c| match c.kind {
        ConstraintKind::Holonomic => frame.differential(&c.expr),
        _ => vec![c.expr.clone()],
    });
    std::iter::once(model.lagrangian.clone())
        .chain(constraints)
        .chain(components)
        .collect()
}

/// f(θ + 2π) − f(θ).
fn changes(functions: &[Expr], angle: &Symbol) -> Vec<Expr> {
    // A full turn of a path of nodes turns them all.
    let nodes = [angle.clone(), at_next(angle)].into_iter();
    let turned: Vec<_> = nodes
        .map(|s| (s.clone(), Expr::from(s) + 2 * Expr::pi()))
        .collect();
    let containing = functions.iter().filter(|f| f.contains(angle));
    containing.map(|f| f.substitute(&turned) - f).collect()
}

fn line(angle: &Symbol, functions: &[Expr], verdict: &Verdict, origin: Origin) -> Remark {
    let containing: Vec<&Expr> = functions.iter().filter(|f| f.contains(angle)).collect();
    let certainty = match verdict {
        Verdict::Refuted { .. } => "is not",
        _ => "is not known to be",
    };
    let which = match verdict {
        Verdict::Refuted { witness, .. } => containing.get(witness.which),
        _ => None,
    };
    let example = match which {
        Some(f) if f.node_count() <= SHORT => format!(": {f} changes on the way"),
        _ => String::new(),
    };
    Remark {
        kind: RemarkKind::NotPeriodic,
        message: format!(
            "the model {certainty} the same after a full turn of `{angle}`{example}; it is judged as a coordinate on the line"
        ),
        origin,
    }
}

/// Longer functions are not shown.
const SHORT: usize = 40;
