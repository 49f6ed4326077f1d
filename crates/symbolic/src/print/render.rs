//! Writing a layout piece by piece: a stack instead of recursion, so depth costs no stack space.

use super::layout::{Id, Item, Layout};
use std::borrow::Cow;
use std::fmt;

/// How tightly an item holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Sum,
    Product,
    Power,
    Atom,
}

/// Something still to be written.
pub(super) enum Piece {
    Text(Cow<'static, str>),
    /// An item, in brackets unless it holds at least this tightly.
    Item(Id, Binding),
}

impl From<&'static str> for Piece {
    fn from(text: &'static str) -> Self {
        Piece::Text(Cow::Borrowed(text))
    }
}
impl From<String> for Piece {
    fn from(text: String) -> Self {
        Piece::Text(Cow::Owned(text))
    }
}

/// A way of writing items.
pub(super) trait Notation {
    /// How tightly the item holds in this notation.
    fn binding(&self, item: &Item) -> Binding;

    /// The opening and closing bracket.
    fn brackets(&self) -> (&'static str, &'static str);

    /// The pieces of an item, children left as items.
    fn pieces(&self, layout: &Layout, item: &Item, out: &mut Vec<Piece>);
}

/// Writes the item `root`.
pub(super) fn render(
    notation: &impl Notation,
    layout: &Layout,
    root: Id,
    sink: &mut impl fmt::Write,
) -> fmt::Result {
    let (open, close) = notation.brackets();
    let mut stack = vec![Piece::Item(root, Binding::Sum)];
    let mut pieces = Vec::new();
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => sink.write_str(&text)?,
            Piece::Item(id, need) => {
                let item = layout.item(id);
                let bracketed = notation.binding(item) < need;
                if bracketed {
                    pieces.push(open.into());
                }
                notation.pieces(layout, item, &mut pieces);
                if bracketed {
                    pieces.push(close.into());
                }
                stack.extend(pieces.drain(..).rev());
            }
        }
    }
    Ok(())
}

/// [`render`] into a string.
pub(super) fn rendered(notation: &impl Notation, layout: &Layout, root: Id) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = render(notation, layout, root, &mut out);
    out
}
