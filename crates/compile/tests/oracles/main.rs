//! Reference values of the theory pages: every public row, evaluated and compared.
//!
//! The data are in `crates/mechanics/tests/oracles`. A quantity may be worked out along several
//! routes; each of them must give the value. A trap is what a known mistake gives: every route must
//! differ from it.

mod algebra;
mod brackets;
mod case;
mod data;
mod dynamics;
mod higher_order;
mod phase_space;
mod reduction;
mod refusals;
mod run;

use run::check_page;

#[test]
fn nonholonomic_geometry_values() {
    check_page("NG");
}

#[test]
fn hamilton_jacobi_values() {
    check_page("HJ");
}

#[test]
fn projection_values() {
    check_page("DP");
}

#[test]
fn vakonomic_values() {
    check_page("VE");
}

#[test]
fn quasi_velocity_values() {
    check_page("CG");
}

#[test]
fn algebroid_values() {
    check_page("AC");
}
