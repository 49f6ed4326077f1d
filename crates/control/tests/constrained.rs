//! Optimal control with nonholonomic constraints, against the oracle tables (CG P-COIN, P-NHOC).

mod common;

use common::{all_near, cost, discrete, near, solved};
use rattleback_control::optimal::Scheme;

fn coin(m: f64, j: f64, ends: &str) -> String {
    format!(
        "system coin\nparam m = {m}, J = {j}\ncoord x, y\ncoord th : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*th'^2\n\
         constraint sin(th)*x' = cos(th)*y'\nframe turn = (th: 1/J)\nframe roll = (x: cos(th)/m, y: sin(th)/m)\n\
         control u1 on (th: J)\ncontrol u2 on (x: m*cos(th), y: m*sin(th))\ncost (u1^2 + u2^2)/2\n{ends}"
    )
}

#[test]
fn the_coin_has_its_costs() {
    let a = coin(
        1.0,
        1.0,
        "goal x = 1, y = 0.5, th = 0.3, x' = 0, y' = 0, th' = 0\ntime 0 .. 1\n",
    );
    let s = solved(&a);
    near(cost(&s), 26.827233808311, 1e-7);
    near(s.trajectory.hamiltonian[0], 80.481701424938, 1e-5);
    let p = [
        -29.463465630642,
        98.102303615022,
        52.628299482476,
        12.678631275826,
        0.464447867383,
    ];
    all_near(&s.trajectory.costates[0], &p, 1e-3);
}

#[test]
fn the_coin_in_motion_and_its_discrete_costs() {
    let c = coin(
        2.0,
        0.5,
        "start x' = 0.5\ngoal x = 1.5, y = 0.8, th = 0.5, th' = 0, x' = 0.5*cos(0.5), y' = 0.5*sin(0.5)\ntime 0 .. 1.5\n",
    );
    near(cost(&solved(&c)), 6.126665198615, 1e-7);
    near(
        cost(&discrete(&c, Scheme::Midpoint, 10)),
        6.424019133773,
        1e-9,
    );
    let s = discrete(&c, Scheme::Midpoint, 20);
    near(cost(&s), 6.198410688441, 1e-9);
    // The costates of cyclic coordinates are constant: the multipliers of the additions, per unit of time.
    for p in &s.trajectory.costates {
        near(p[0], -5.964054539362, 1e-6);
        near(p[1], 18.931264531385, 1e-6);
    }
}

#[test]
fn straight_rolling_costs_nothing() {
    let d = coin(
        1.0,
        1.0,
        "start x' = 1\ngoal x = 1, y = 0, th = 0, th' = 0, x' = 1\ntime 0 .. 1\n",
    );
    assert!(cost(&solved(&d)).abs() < 1e-12);
}

#[test]
fn the_sleigh_has_its_cost_and_costates() {
    let text = "system sleigh\nparam m = 1, a = 0.3, I = 0.2\ncoord x, y\ncoord theta : angle\n\
        kinetic m/2*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2) + I/2*theta'^2\n\
        constraint x'*sin(theta) - y'*cos(theta) = 0\nframe turn = (theta: 1)\nframe go = (x: cos(theta), y: sin(theta))\n\
        control u1 on (theta: I + m*a^2)\ncontrol u2 on (x: m*cos(theta), y: m*sin(theta))\ncost (u1^2 + u2^2)/2\n\
        start x' = 0.5\ngoal x = 1, y = 0.4, theta = 0.6, theta' = 0, x' = 0.5*cos(0.6), y' = 0.5*sin(0.6)\ntime 0 .. 2\n";
    let s = solved(text);
    near(cost(&s), 0.459064094753, 1e-8);
    let p = [
        -1.142080370852,
        3.518789679491,
        2.701886082098,
        1.528681613766,
        -0.490942635353,
    ];
    all_near(&s.trajectory.costates[0], &p, 1e-5);
    near(s.trajectory.hamiltonian[0], 0.717905888311, 1e-6);
}

#[test]
fn suslov_with_one_and_two_controls() {
    let text = |controls: &str, ends: &str| {
        format!(
            "system suslov\nparam I11 = 2, I22 = 1.5\ngroup R : SO(3) velocity w\n\
        kinetic (2*w[1]^2 + 1.5*w[2]^2 + w[3]^2)/2 + 0.3*w[1]*w[3] - 0.2*w[2]*w[3]\nconstraint w[3] = 0\n\
        frame a = (w[1]: 1)\nframe b = (w[2]: 1)\n{controls}start w = [0.7, -0.4, 0]\n{ends}time 0 .. 1.5\n"
        )
    };
    let both = text(
        "control u1 on (w[1]: I11)\ncontrol u2 on (w[2]: I22)\ncost (u1^2 + u2^2)/2\n",
        "goal w[1] = -0.3, w[2] = 0.8\n",
    );
    let s = solved(&both);
    near(cost(&s), 0.799412224103, 1e-8);
    near(s.trajectory.hamiltonian[0], 0.542003888090, 1e-6);
    let one = text(
        "control u1 on (w[1]: I11)\ncost u1^2/2\n",
        "goal w[1] = 0.2, w[2] = -0.1\n",
    );
    near(cost(&solved(&one)), 0.851350309446, 1e-7);
}

#[test]
fn a_pendulum_in_the_plane_stays_on_its_circle() {
    let text = "system p\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint x^2 + y^2 = 1\n\
        control u on (x: -y, y: x)\ncost u^2/2\nstart x = 0, y = -1\ngoal x = 0, y = 1, x' = 0, y' = 0\nguess x = sin(pi*t/3)\nguess y = -cos(pi*t/3)\ntime 0 .. 3\n";
    let s = solved(text);
    near(cost(&s), 2.65658286092, 1e-6);
    for x in &s.trajectory.states {
        assert!((x[0] * x[0] + x[1] * x[1] - 1.0).abs() < 1e-9);
    }
}
