//! Every formulation of every shipped model, whole, as a person reads it: what a form shows that the ones before did
//! not.

use crate::common::{all_files, reads_as_before, shipped};
use rattleback::mechanics::Form;
use rattleback::report::document::{Document, Section};
use rattleback::report::spelled;
use std::fmt::Write;

#[test]
fn every_form_of_the_shipped_models_reads_as_before() {
    for name in all_files() {
        let model = rattleback::Model::open(shipped(&name)).unwrap();
        let examination = model.check().unwrap();
        let summary = examination.summary.unwrap();
        let mut page = Page::default();
        for form in summary.forms {
            page.put(&model, form);
        }
        reads_as_before(&format!("forms__{name}"), &page.text);
    }
}

#[derive(Default)]
struct Page {
    text: String,
    seen: Vec<String>,
}

impl Page {
    fn put(&mut self, model: &rattleback::Model, form: Form) {
        let derivation = model.derive(form).unwrap();
        let document = derivation.sheet().document();
        let _ = writeln!(self.text, "==== {form}");
        for section in document.sections.clone() {
            let text = alone(&document, section);
            if !self.seen.contains(&text) {
                self.text.push_str(&text);
                self.seen.push(text);
            }
        }
    }
}

/// A section as text; numbers at the start are for other tests, and notes name what a form does not use.
fn alone(document: &Document, section: Section) -> String {
    let heading = &section.heading;
    if heading.starts_with("At the start") || heading.starts_with("Observed") || heading == "Notes"
    {
        return String::new();
    }
    let alone = Document {
        order: document.order.clone(),
        sections: vec![section],
        ..Document::new("")
    };
    // As the program shows it.
    spelled(&alone.text(true), |option| Some(format!("--{option}")))
}
