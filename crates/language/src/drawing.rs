//! The words of `draw`: the shapes and what may follow them.

use crate::value::Shape;

/// The shapes that can be drawn, each with what may follow it directly.
pub(crate) const DRAW_SHAPES: &[(&str, DrawSize)] = &[
    ("disk", DrawSize::None),
    ("box", DrawSize::Point),
    ("ellipsoid", DrawSize::Point),
    ("sphere", DrawSize::None),
    ("cylinder", DrawSize::None),
    ("rod", DrawSize::None),
    ("arrow", DrawSize::None),
    ("point", DrawSize::Point),
    ("trail", DrawSize::Point),
];

/// What may follow a shape without a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrawSize {
    None,
    Point,
}

/// The attributes of drawings with the shapes that they take.
const DRAW_ATTRIBUTES: &[(&str, &[Shape])] = &[
    ("radius", &[Shape::Scalar]),
    ("length", &[Shape::Scalar]),
    ("width", &[Shape::Scalar]),
    ("at", &[Shape::Vector(2), Shape::Vector(3)]),
    ("from", &[Shape::Vector(2), Shape::Vector(3)]),
    ("to", &[Shape::Vector(2), Shape::Vector(3)]),
    ("axis", &[Shape::Vector(3)]),
    ("spin", &[Shape::Scalar]),
    ("heading", &[Shape::Scalar]),
    ("lean", &[Shape::Scalar]),
    ("turn", &[Shape::Scalar]),
    (
        "attitude",
        &[Shape::Matrix(3, 3), Shape::Vector(4), Shape::Matrix(2, 2)],
    ),
    ("color", &[]),
    ("label", &[]),
];

/// The shapes that an attribute takes; none for a text.
pub(crate) fn draw_attribute(word: &str) -> Option<&'static [Shape]> {
    DRAW_ATTRIBUTES
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, shapes)| *shapes)
}

pub(crate) fn draw_attribute_names() -> impl Iterator<Item = &'static str> {
    DRAW_ATTRIBUTES.iter().map(|(name, _)| *name)
}
