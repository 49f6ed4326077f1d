//! What a comparison of two motions came to, for a person and for a machine.

use crate::comparison::Comparison;
use crate::mechanics::Form;
use crate::motion_page::Page;
use rattleback_numeric::number::shown;
use serde_json::json;
use std::fmt::Write;

/// Vakonomic motion goes by its name; every other formulation has the nonholonomic motion, and the
/// usual ones are called so where that tells them from the `other`.
pub fn label(form: Form, other: Form) -> &'static str {
    match form {
        Form::Vakonomic => "vakonomic",
        Form::Hamel => "nonholonomic",
        Form::LagrangeDAlembert if other == Form::Vakonomic => "nonholonomic",
        _ => form.name(),
    }
}

/// JSON for a machine (CLI.md).
pub fn json(
    pages: &[Page<'_>; 2],
    labels: [&str; 2],
    comparison: &Comparison,
) -> serde_json::Value {
    json!({
        labels[0]: pages[0].json(),
        labels[1]: pages[1].json(),
        "max_distance": comparison.largest.0,
        "max_distance_time": comparison.largest.1,
        "parted_at": comparison.parted,
    })
}

/// Both summaries and the distance, for a person.
pub fn text(pages: &[Page<'_>; 2], labels: [&str; 2], comparison: &Comparison) -> String {
    let mut text = String::new();
    for (page, label) in pages.iter().zip(labels) {
        let _ = writeln!(text, "--- {label} ---\n{}", page.text());
    }
    let (distance, time) = comparison.largest;
    let _ = writeln!(text, "--- distance of the positions ---");
    match comparison.parted {
        None => {
            let _ = writeln!(
                text,
                "the motions agree as far as the tolerances can tell: at most {distance:.1e} apart"
            );
        }
        Some(t) => {
            let _ = writeln!(
                text,
                "the motions part at t = {}; at most {} apart, at t = {}",
                shown(t, 1.0),
                shown(distance, 1.0),
                shown(time, 1.0)
            );
        }
    }
    text
}
