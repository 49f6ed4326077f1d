//! The systems of the documents, and what the tests ask of them.

use crate::support::{Given, given};
use rattleback_compile::StartState;
use rattleback_symbolic::{Expr, Symbol};
use rattleback_theory::Effort;
use rattleback_theory::hamilton_jacobi::{HamiltonJacobi, Verification};

pub const DISK: &str = "system disk\nparam m = 1.3, R = 0.7, I = 0.31, J = 0.17\nassume m > 0, R > 0, I > 0, J > 0\n\
    coord x, y, phi, psi\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2 + I/2*psi'^2\n\
    constraint x' = R*cos(phi)*psi'\nconstraint y' = R*sin(phi)*psi'\n";
pub const KNIFE: &str = "system knife\nparam m = 1.5, J = 0.4, g = 9.81, alpha = 0.35\nassume m > 0, J > 0, g > 0\n\
    coord x, y, phi\nkinetic m/2*(x'^2 + y'^2) + J/2*phi'^2\npotential -m*g*x*sin(alpha)\n\
    constraint sin(phi)*x' = cos(phi)*y'\n";
pub const SLEIGH: &str = "system sleigh\nparam M = 1.2, J = 0.7, a = 0.3\nassume M > 0, J > 0, a > 0\ncoord x, y, theta\n\
    kinetic M/2*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2) + J/2*theta'^2\n\
    constraint sin(theta)*x' - cos(theta)*y' = 0\n";
pub const PARTICLE: &str =
    "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n";
pub const ROBOT: &str = "system robot\nparam m = 2, J = 1.5, Jw = 0.4, R = 0.5\nassume m > 0, J > 0, Jw > 0, R > 0\n\
    coord x, y, theta, psi\nkinetic m/2*(x'^2 + y'^2) + J/2*theta'^2 + 3*Jw/2*psi'^2\n\
    constraint x'*sin(theta) - y'*cos(theta) = 0\nconstraint x'*cos(theta) + y'*sin(theta) - R*psi' = 0\n";

pub fn forms(g: &Given) -> Vec<(String, Vec<Expr>)> {
    let fibre = g.system.frame().fibre();
    let dense = |components: &[(Symbol, Expr)]| {
        let mut all = vec![Expr::zero(); fibre.len()];
        for (y, e) in components {
            let i = fibre.iter().position(|s| s == y).expect("a velocity");
            all[i] += e.clone();
        }
        all
    };
    let name = |n: &Option<String>| n.clone().unwrap_or_default();
    g.model
        .oneforms
        .iter()
        .map(|f| (name(&f.name), dense(&f.components)))
        .collect()
}

pub fn study(g: &Given) -> HamiltonJacobi {
    HamiltonJacobi::of(&g.system, &forms(g), Effort::unlimited()).expect("a natural system")
}

pub fn verify(text: &str) -> (Given, Verification) {
    let g = given(text);
    let form = forms(&g).swap_remove(0).1;
    let v = Verification::of(&g.system, &form).expect("a natural system");
    (g, v)
}

pub fn parameters(g: &Given) -> Vec<(Symbol, f64)> {
    let start = StartState::of(&g.problem, &g.system).expect("a start");
    start
        .constants
        .iter()
        .cloned()
        .zip(start.constant_values)
        .collect()
}

/// The value of an expression at the parameters and at given values by name.
pub fn number(g: &Given, e: &Expr, at: &[(&str, f64)]) -> f64 {
    let mut values = parameters(g);
    values.extend(at.iter().map(|(n, v)| {
        let primes = n.chars().filter(|c| *c == '\'').count() as u32;
        (Symbol::variable(n.trim_end_matches('\'')).jet(primes), *v)
    }));
    e.evaluate(&values).unwrap_or_else(|s| panic!("{s} in {e}"))
}
