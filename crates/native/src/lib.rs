//! Programs as machine code.
