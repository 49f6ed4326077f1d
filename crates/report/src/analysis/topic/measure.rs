//! Invariant measures.

use crate::analysis::page::Topic;
use crate::document::{Labelled, Value};
use crate::mechanics::System;
use crate::symbolic::Expr;
use crate::theory::{Effort, Fact, Loop, MeasureReport, Space};

pub fn judge(system: &System, effort: Effort) -> Topic {
    let r = MeasureReport::of(system, effort);
    let (space, volume) = described(&r.space);
    let density = |e: &Option<Expr>| e.clone().map(|e| Value::Equation("N".into(), e));
    let integral = r.quadrature.clone();
    let integral = integral.map(|n| Value::Integral("N".into(), Box::new(n)));
    let label = match r.periods.vanish() {
        Some(true) => "density",
        _ => "density on the cover",
    };
    Topic::new("measure", statement(&r.space), r.claim.clone())
        .settles(Fact::Measure, &r.claim)
        .maybe("density", "density", density(&r.density))
        .maybe(
            "density_on_cover",
            "density on the cover",
            density(&r.density_on_cover),
        )
        .maybe("density_integral", label, integral)
        .data("space", Value::Word(space.into()))
        .with("volume", "relative to", Value::Word(volume.into()))
        .with("one_form", "logarithmic derivative", one_form(&r))
        .with("periods", "periods of ln N", periods(&r))
        .maybe(
            "pieces",
            "the circles are cut where one of these vanishes",
            cuts(&r),
        )
        .maybe(
            "obstruction",
            "obstruction",
            r.obstruction.clone().map(Value::Formula),
        )
        .maybe(
            "gyroscopic_free",
            "the gyroscopic force vanishes",
            r.gyroscopic_free.clone().map(Value::Answer),
        )
        .cases(&r.cases)
}

fn statement(space: &Space) -> &'static str {
    match space {
        Space::Reduced { .. } => {
            "an invariant measure of the reduced motion has a density on positions"
        }
        _ => "an invariant measure has a density on positions",
    }
}

/// A word for the space, and the volume that densities are relative to.
fn described(space: &Space) -> (&'static str, &'static str) {
    match space {
        Space::Reduced { .. } => ("reduced", "dr dP on the reduced space"),
        Space::Constrained => (
            "constrained",
            "dq dP on the constrained momentum space, with frame momenta P",
        ),
        Space::Cotangent => ("cotangent", "dq dp"),
    }
}

/// d ln N, direction by direction.
fn one_form(r: &MeasureReport) -> Value {
    let parts = r.one_form.iter().zip(&r.directions);
    let parts = parts.map(|(e, s)| {
        let of = s.to_string().trim_end_matches('\'').to_owned();
        Labelled::new(format!("(d ln N)({of})"), e.clone())
            .key("of", vec![of])
            .component()
    });
    Value::Formulas(parts.collect())
}

/// What ln N gains around each loop.
fn periods(r: &MeasureReport) -> Value {
    let gained = |(way, e): &(Loop, Expr)| match way {
        Loop::Circle(s) => {
            Labelled::new(format!("around {s}"), e.clone()).key("circle", vec![s.to_string()])
        }
        Loop::Axis(_) | Loop::Zeros(_) => {
            Labelled::new(format!("around {way}"), e.clone()).key("axis", vec![way.to_string()])
        }
    };
    Value::Formulas(r.periods.exact.iter().map(gained).collect())
}

/// What vanishes where a circle is cut.
fn cuts(r: &MeasureReport) -> Option<Value> {
    let poles = r.periods.broken.iter();
    let poles = poles.flat_map(|(s, poles)| poles.iter().map(move |p| (s, p)));
    let cutting =
        poles.map(|(s, p)| Labelled::new("", p.clone()).key("circle", vec![s.to_string()]));
    let cutting: Vec<Labelled> = cutting.collect();
    (!cutting.is_empty()).then_some(Value::Formulas(cutting))
}
