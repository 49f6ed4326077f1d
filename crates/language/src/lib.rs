//! The model language: lexer, parser, shapes, diagnostics and the Model.
