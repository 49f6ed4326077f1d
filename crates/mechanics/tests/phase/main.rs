//! Exact properties of phase space on random systems: every identity is proven, none is sampled.

mod algebroids;
mod brackets;
mod constraints;
mod examples;
mod fields;
mod invariance;
mod momenta;
mod normal_form;
mod random;
mod reduction;
mod variational;
