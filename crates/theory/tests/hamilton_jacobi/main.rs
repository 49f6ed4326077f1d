//! Hamilton-Jacobi theory (HJ, DP part B): one-forms are verified, equations solved, motions integrated.

#[path = "../common/mod.rs"]
mod common;

mod coordinates;
mod families;
mod first_integrals;
mod forces;
mod one_forms;
mod separation;
mod systems;
mod trial;
mod variants;
