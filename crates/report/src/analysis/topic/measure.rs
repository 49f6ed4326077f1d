//! Invariant measures.

use crate::analysis::page::Topic;
use crate::document::{Labelled, Value};
use crate::mechanics::System;
use crate::symbolic::Expr;
use crate::theory::{Effort, Fact, Loop, MeasureReport, Space};

pub fn judge(system: &System, effort: Effort) -> Topic {
    let r = MeasureReport::of(system, effort);
    let (space, volume) = match &r.space {
        Space::Reduced { .. } => ("reduced", "dr dP on the reduced space"),
        Space::Constrained => (
            "constrained",
            "dq dP on the constrained momentum space, with frame momenta P",
        ),
        Space::Cotangent => ("cotangent", "dq dp"),
    };
    let form = r
        .one_form
        .iter()
        .zip(&r.directions)
        .map(|(e, s)| {
            let of = s.to_string().trim_end_matches('\'').to_owned();
            Labelled::new(format!("(d ln N)({of})"), e.clone()).key("of", vec![of])
        })
        .collect();
    let periods =
        r.periods
            .exact
            .iter()
            .map(|(way, e)| match way {
                Loop::Circle(s) => Labelled::new(format!("around {s}"), e.clone())
                    .key("circle", vec![s.to_string()]),
                Loop::Axis(_) | Loop::Zeros(_) => Labelled::new(format!("around {way}"), e.clone())
                    .key("axis", vec![way.to_string()]),
            })
            .collect();
    let cutting = r.periods.broken.iter().flat_map(|(s, poles)| {
        let circle = s.to_string();
        let named =
            move |p: &Expr| Labelled::new("", p.clone()).key("circle", vec![circle.clone()]);
        poles.iter().map(named).collect::<Vec<_>>()
    });
    let cutting: Vec<Labelled> = cutting.collect();
    let cuts = (!cutting.is_empty()).then_some(Value::Formulas(cutting));
    let integral = r
        .quadrature
        .clone()
        .map(|n| Value::Integral("N".into(), Box::new(n)));
    let label = match r.periods.vanish() {
        Some(true) => "density",
        _ => "density on the cover",
    };
    Topic::new(
        "measure",
        match r.space {
            Space::Reduced { .. } => {
                "an invariant measure of the reduced motion has a density on positions"
            }
            _ => "an invariant measure has a density on positions",
        },
        r.claim.clone(),
    )
    .settles(Fact::Measure, &r.claim)
    .maybe(
        "density",
        "density",
        r.density.clone().map(|e| Value::Equation("N".into(), e)),
    )
    .maybe(
        "density_on_cover",
        "density on the cover",
        r.density_on_cover
            .clone()
            .map(|e| Value::Equation("N".into(), e)),
    )
    .maybe("density_integral", label, integral)
    .data("space", Value::Word(space.into()))
    .with("volume", "relative to", Value::Word(volume.into()))
    .with("one_form", "logarithmic derivative", Value::Formulas(form))
    .with("periods", "periods of ln N", Value::Formulas(periods))
    .maybe(
        "pieces",
        "the circles are cut where one of these vanishes",
        cuts,
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
