//! What a comparison of two motions came to, for a person and for a machine.

use crate::comparison::Comparison;
use crate::document::{Data, Document};
use crate::mechanics::Form;
use crate::motion_page::Page;
use rattleback_numeric::number::shown;
use serde_json::json;

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

/// Both pages and the distance, in no notation yet.
pub fn document(
    pages: &[Page<'_>; 2],
    labels: [&str; 2],
    comparison: &Comparison,
    notes: Vec<String>,
) -> Document {
    let motions = pages.iter().zip(labels);
    let motions = motions.map(|(page, label)| (label.to_owned(), page.document()));
    let distance = Document::new(distance(comparison));
    let distance = ("distance of the positions".to_owned(), distance);
    let data = json!({
        labels[0]: pages[0].json(),
        labels[1]: pages[1].json(),
        "max_distance": comparison.largest.0,
        "max_distance_time": comparison.largest.1,
        "parted_at": comparison.parted,
        "compared_until": comparison.until,
        "notes": notes,
    });
    Document {
        parts: motions.chain([distance]).collect(),
        ..Document::new("").with_data(Data::Plain(data))
    }
    .with_notes(notes)
}

/// How far apart the motions are, in a sentence.
fn distance(comparison: &Comparison) -> String {
    let (distance, time) = comparison.largest;
    match comparison.parted {
        None if time.is_nan() && comparison.until.is_nan() => "nothing was compared".to_owned(),
        None => format!(
            "the motions agree until t = {} as far as the tolerances can tell: at most {distance:.1e} apart",
            shown(comparison.until, 0.0)
        ),
        Some(t) => format!(
            "the motions part at t = {}; at most {} apart, at t = {}",
            shown(t, 0.0),
            shown(distance, 0.0),
            shown(time, 0.0)
        ),
    }
}
