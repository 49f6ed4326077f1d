//! Hamilton-Jacobi theory (HJ, DP part B): one-forms are verified, equations solved, motions integrated.

#[path = "../support/mod.rs"]
mod support;

mod coordinates;
mod families;
mod first_integrals;
mod forces;
mod one_forms;
mod separation;
mod systems;
mod trial;
mod variants;
