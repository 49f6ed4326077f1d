//! Random systems whose class is known by construction.

use crate::check::{judge, verify};
use crate::support::{Numbers, given};
use rattleback_theory::vakonomic::{Class, Kind};

const ROUNDS: u64 = 4;

/// Small integers from -3 to 3, not 0.
fn integers(seed: u64) -> impl FnMut() -> i64 {
    let mut numbers = Numbers::new(seed);
    move || {
        let k = (6.0 * (numbers.next() + 1.0) / 2.0) as i64 - 3;
        if k >= 0 { k + 1 } else { k }
    }
}

/// A multiple of a differential is holonomic, in any metric and potential.
#[test]
fn multiples_of_differentials() {
    for round in 0..ROUNDS {
        let mut k = integers(round);
        let (a, b, c, d) = (k(), k(), k(), k());
        // f = a x y + b z + c sin(x).
        let text = format!(
            "system closed\ncoord x, y, z\nkinetic (x'^2 + (2 + x^2)*y'^2 + 3*z'^2 + x'*z')/2\n\
             potential {d}*x*z + y^2\n\
             constraint (5 + x^2 + sin(y))*(({a}*y + {c}*cos(x))*x' + {a}*x*y' + {b}*z') = 0\n"
        );
        let report = judge(&given(&text));
        assert_eq!(
            (report.class, report.kind),
            (Class::Conditional, Some(Kind::Integrable)),
            "{text}"
        );
    }
}

/// In a metric that is invariant from both sides the free motions are one-parameter groups, so that they
/// keep every constraint that is invariant from one.
#[test]
fn bi_invariant_metrics() {
    for round in 0..ROUNDS {
        let mut k = integers(round);
        let (a, b, c, d) = (k(), k(), k(), k());
        let text = format!(
            "system straight\nparam I = 2, m = 3\nassume I > 0, m > 0\ngroup R : SO(3) velocity w\n\
             coord x\nkinetic I/2*norm2(w) + m/2*x'^2\n\
             constraint {a}*w[1] + {b}*w[2] + {c}*w[3] = {d}*x'\n"
        );
        let g = given(&text);
        let report = judge(&g);
        verify(&g, &report);
        assert_eq!(
            (report.class, report.kind),
            (Class::Conditional, Some(Kind::ReactionFree)),
            "{text}"
        );
    }
}

/// x' = ρ cos(f) u', y' = ρ sin(f) u' with ρ(u) and f(u, v): p B = ρ ρ_v vanishes, in any metric and
/// potential of the base. With ρ(u, v) it does not.
#[test]
fn wheels_of_changing_size() {
    for round in 0..ROUNDS {
        let mut k = integers(round);
        let (a, b, c, d) = (k(), k(), k(), k());
        let with = |size: &str| {
            given(&format!(
                "system wheel\nparam m = 2\nassume m > 0\ncoord u, v, x, y\nlet f = {a}*v + {b}*u^2*v\n\
                 let rho = {size}\n\
                 kinetic m/2*(x'^2 + y'^2) + (5 + sin(v)^2)*u'^2/2 + (4 + u^2)*v'^2/2\n\
                 potential {c}*u^2 + {d}*cos(v)\n\
                 constraint x' = rho*cos(f)*u'\nconstraint y' = rho*sin(f)*u'\n"
            ))
        };
        let g = with(&format!("2 + {d}*u^2"));
        let report = judge(&g);
        verify(&g, &report);
        assert_eq!(
            (report.class, report.kind),
            (Class::Conditional, Some(Kind::GyroFree)),
            "round {round}"
        );
        let report = judge(&with("2 + u^2 + v^2"));
        assert_ne!(report.class, Class::Conditional, "round {round}");
        assert!(!report.counterexample.is_empty());
    }
}

/// Squares of the constraints in the Lagrangian, L = G(r') + (s' + A r')²/2: the momentum of the fibre is
/// the constraint itself, so that nothing reacts.
#[test]
fn momenta_that_are_constraints() {
    for round in 0..ROUNDS {
        let mut k = integers(round);
        let (a, b, c, d) = (k(), k(), k(), k());
        let text = format!(
            "system submersion\ncoord u, v, w, s\nlet phi = s' + {a}*v*u' + {b}*u*w*v' + {c}*sin(u)*w'\n\
             kinetic (u'^2 + (1 + u^2)*v'^2 + (2 + v^2)*w'^2 + phi^2)/2\npotential {d}*u*v*w\n\
             constraint phi = 0\n"
        );
        let g = given(&text);
        let report = judge(&g);
        verify(&g, &report);
        assert_eq!(
            (report.class, report.kind),
            (Class::Conditional, Some(Kind::ReactionFree)),
            "{text}"
        );
    }
}
