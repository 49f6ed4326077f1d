//! The words of the language, for pages and editors that list them.

use crate::{drawing, words};

/// Every word that begins a statement.
pub fn statements() -> impl Iterator<Item = &'static str> {
    words::statements()
}

/// Every function.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let all = words::SCALAR_FUNCTIONS.iter().chain(words::OTHER_FUNCTIONS);
    all.copied()
}

/// Names that have a value everywhere: time, pi, the identity of a group.
pub fn constants() -> impl Iterator<Item = &'static str> {
    words::CONSTANTS.iter().copied()
}

/// Words inside of statements that cannot be declared.
pub fn context_words() -> impl Iterator<Item = &'static str> {
    words::CONTEXT.iter().copied()
}

/// The families of groups.
pub fn groups() -> impl Iterator<Item = &'static str> {
    words::groups().into_iter()
}

/// The shapes that can be drawn.
pub fn shapes() -> impl Iterator<Item = &'static str> {
    drawing::DRAW_SHAPES.iter().map(|(name, _)| *name)
}

/// What can be said of a shape.
pub fn attributes() -> impl Iterator<Item = &'static str> {
    drawing::draw_attribute_names()
}
