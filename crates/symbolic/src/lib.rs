//! Exact expressions: hash-consed algebra, calculus, normal forms, zero proofs and printers.
//!
//! This crate knows nothing of mechanics.

mod branches;
mod budget;
mod build;
mod calculus;
mod collect;
mod expr;
mod facts;
mod function;
mod hash;
mod linear;
mod matrix;
mod meaning;
mod node;
mod normal;
mod pieces;
mod polynomial;
mod power;
mod print;
mod prove;
mod ranges;
mod rational;
mod sign;
mod simplify;
mod symbol;
mod tape;
mod walk;
mod wide;
mod work;

pub use branches::Branches;
pub use budget::{Budget, TooLarge};
pub use calculus::{derivations, diff_all};
pub use collect::NotPolynomial;
pub use expr::Expr;
pub use facts::{Assumptions, Fact, Region, facts_of};
pub use function::{Algebra, Function, Parity, Slope};
pub use hash::{Map, Set};
pub use linear::{
    Eliminated, LinearError, Minors, NoPivot, Nullspace, Rank, Solved, characteristic, determinant,
    determinant_within, eliminate, inverse, inverse_within, nullspace, nullspace_within, rank,
    rank_within, roots_by_radicals, solve, solve_shared, solve_within, subsets,
};
pub use matrix::{Matrix, dot};
pub use meaning::series::{Flow, Scalar};
pub use node::{Kind, collect_garbage, interned};
pub use normal::{
    cancel, cancel_within, expand, expand_within, normalize, normalize_within, together,
};
pub use pieces::{Cut, cuts, jumps};
pub use power::powers_as_exponentials;
pub use print::{
    Order, Style, greek_letter, greek_name, latex, latex_system, mathml, mathml_system, text,
    text_system,
};
pub use prove::{
    Conditions, Element, Enclosure, Field, Reason, Residues, SolvedWitness, UndecidedRank,
    UndecidedZero, Verdict, Witness, ZeroProof, certainly_nonzero, enclose, enclose_over,
    find_nonzero, fingerprint, generic_rank, is_probably_zero, nonzero_period, nonzero_where,
    precise, prove_all_zero, prove_zero, residues_are_faithful, rounding,
};
pub use ranges::Ranges;
pub use rational::{NumberError, Rational};
pub use simplify::{Simplifier, merge_exponentials, simplify, simplify_all, simplify_with};
pub use symbol::{Role, Sign, Symbol};
pub use tape::{MissingInput, Tape};
pub use walk::{free_symbols, postorder, replace_all, rewrite, substitute_all};
pub use wide::Wide;
pub use work::{Cancel, cancelled, checkpoint, count_work, uncounted, work_done};
