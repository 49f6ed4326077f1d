//! Exact expressions: hash-consed algebra, calculus, normal forms, zero proofs and printers.
