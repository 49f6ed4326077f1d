//! Printers: text, LaTeX and MathML.
mod text;
