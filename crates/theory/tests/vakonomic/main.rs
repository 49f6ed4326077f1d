//! Nonholonomic against vakonomic motion (VE): classes, multipliers, families.

mod check;
mod classes;
mod families;
mod lagrangian;
mod models;
mod random;
mod states;
#[path = "../support/mod.rs"]
mod support;
mod time;
