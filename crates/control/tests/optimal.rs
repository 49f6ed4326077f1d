//! Optimal control without constraints on the velocities, against the oracle tables (AC 4.4, CG P-CART, P-TWO, P-SPL).

mod common;

use common::{all_near, cost, discrete, near, solved};
use rattleback_control::optimal::{Extremum, Scheme};

const CART: &str = "system cart\nparam M = 1, m = 0.3, l = 0.5, g = 9.81\ncoord x\ncoord th : angle\n\
    kinetic M/2*x'^2 + m/2*(x'^2 + 2*x'*l*th'*cos(th) + l^2*th'^2)\npotential m*g*l*cos(th)\n\
    control u on x\ncost u^2/2\n";

fn cart(m: f64, ends: &str) -> String {
    format!("{}{ends}", CART.replace("m = 0.3", &format!("m = {m}")))
}

const P_CART: &str = "start x = 0, th = 0.2, x' = 0, th' = 0\ngoal x = 0.5, th = 0, x' = 0, th' = 0\ntime 0 .. 1.5\n";

#[test]
fn the_double_integrator_has_its_closed_form() {
    let s = solved(
        "system a\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\nstart x = 0, x' = 0.4\ngoal x = 1.3, x' = -0.2\ntime 0 .. 1.7\n",
    );
    near(cost(&s), 1.66529615306, 1e-10);
    near(s.trajectory.controls[0][0], 1.99307958477, 1e-9);
    assert_eq!(s.extremum, Extremum::Minimum);
}

#[test]
fn the_cart_pole_transfer_has_its_cost_and_costates() {
    let s = solved(&cart(0.3, P_CART));
    near(cost(&s), 2.087576694340, 1e-8);
    let p = [
        1.594536551327,
        -17.463672534728,
        -0.663558936661,
        -3.506299551766,
    ];
    all_near(&s.trajectory.costates[0], &p, 1e-5);
    near(s.trajectory.hamiltonian[0], 1.6452603195, 1e-6);
    near(s.trajectory.controls[0][0], 6.1365925906, 1e-6);
    let middle = s.trajectory.states.len() / 2;
    let state = [
        0.421871387796,
        -0.065880292735,
        0.464995208931,
        -0.134608536559,
    ];
    all_near(&s.trajectory.states[middle], &state, 1e-6);
}

#[test]
fn both_accelerations_give_the_table_of_the_cart_pole() {
    let text = cart(0.3, P_CART);
    for (n, known) in [
        (10, 1.7378672760),
        (20, 1.9810117245),
        (40, 2.0593690551),
        (80, 2.0804189916),
    ] {
        near(cost(&discrete(&text, Scheme::Midpoint, n)), known, 1e-9);
    }
    let s = discrete(&text, Scheme::Midpoint, 20);
    let node = [
        0.415816146566,
        -0.062908818730,
        0.468666889991,
        -0.135686737777,
    ];
    all_near(&s.trajectory.states[10], &node, 1e-9);
}

#[test]
fn other_ends_of_the_cart_pole() {
    let one = solved(&cart(
        0.2,
        "start x = 0, th = 0\ngoal x = 0.5, th = 0, x' = 0, th' = 0\ntime 0 .. 1\n",
    ));
    near(cost(&one), 46.3409719466, 1e-7);
    all_near(
        &one.trajectory.costates[0],
        &[163.723975902, 240.389706701, 81.8619879510, 52.0463042414],
        2e-3,
    );
    let two = solved(&cart(
        0.2,
        "start th = 0.2\ngoal x = 0, th = 0, x' = 0, th' = 0\ntime 0 .. 1.5\n",
    ));
    near(cost(&two), 6.56330227800, 1e-7);
    near(two.trajectory.hamiltonian[0], 9.78350092457, 1e-5);
}

#[test]
fn pendulum_and_pendubot() {
    let s = solved(
        "system p\ncoord q : angle\nkinetic q'^2/2\npotential -cos(q)\ncontrol u on q\ncost u^2/2\ngoal q = pi, q' = 0\ntime 0 .. 3\n",
    );
    near(cost(&s), 2.65658286092, 1e-8);
    all_near(
        &s.trajectory.costates[0],
        &[-0.302840649482, 2.02141371477],
        1e-6,
    );
    let s = solved(
        "system p\nparam m1 = 1, m2 = 0.8, l1 = 1, l2 = 0.7, g = 9.81\ncoord q1, q2 : angle\n\
        lagrangian (m1+m2)*l1^2*q1'^2/2 + m2*l2^2*(q1'+q2')^2/2 + m2*l1*l2*cos(q2)*q1'*(q1'+q2') + (m1+m2)*g*l1*cos(q1) + m2*g*l2*cos(q1+q2)\n\
        control u on q1\ncost u^2/2\ngoal q1 = 0.4, q2 = -0.1, q1' = 0, q2' = 0\ntime 0 .. 2\n",
    );
    near(cost(&s), 6.17055335538, 1e-7);
    near(s.trajectory.hamiltonian[0], 7.74039898055, 1e-5);
}

const TWO_LINK: &str = "system two\nparam m1 = 1.5, m2 = 1, l1 = 1, l2 = 1, J1 = m1*l1^2/12, J2 = m2*l2^2/12, g = 10\n\
    coord theta1, theta2 : angle\nlet P = [l1*cos(theta1), l1*sin(theta1)]\nlet C1 = 1/2*P\n\
    let C2 = P + l2/2*[cos(theta1 + theta2), sin(theta1 + theta2)]\n\
    kinetic m1/2*norm2(C1') + m2/2*norm2(C2') + J1/2*theta1'^2 + J2/2*(theta1' + theta2')^2\n\
    potential g*(m1*C1[2] + m2*C2[2])\ncontrol u1 on theta1\ncontrol u2 on theta2\ncost (u1^2 + u2^2)/2\n\
    start theta1 = -pi/2 + 0.2\ngoal theta1 = -pi/2, theta2 = 0, theta1' = 0, theta2' = 0\ntime 0 .. 1\n";

#[test]
fn the_two_link_manipulator_has_its_table() {
    for (n, known) in [
        (10, 2.2014092016821),
        (18, 2.1984197885671),
        (30, 2.1978179793141),
        (32, 2.1977812112631),
    ] {
        near(cost(&discrete(TWO_LINK, Scheme::Midpoint, n)), known, 1e-10);
    }
    let s = discrete(TWO_LINK, Scheme::Midpoint, 10);
    let node = [
        -1.635558013498,
        0.468213558021,
        -0.230098697125,
        -0.301562696089,
    ];
    all_near(&s.trajectory.states[5], &node, 1e-9);
    let s = solved(TWO_LINK);
    near(cost(&s), 2.1975305574119, 1e-9);
    let p = [
        -20.834316107699,
        -6.697743424438,
        -0.318963058145,
        -0.070230908031,
    ];
    all_near(&s.trajectory.costates[0], &p, 1e-4);
}

#[test]
fn collocations_agree() {
    for scheme in [Scheme::Gauss4, Scheme::Gauss6, Scheme::Radau5] {
        let s = discrete(TWO_LINK, scheme, 40);
        near(cost(&s), 2.1975305574119, 1e-6);
        near(s.trajectory.hamiltonian[0], 0.6430980515472, 1e-3);
    }
}

const SPLINE: &str = "system s\ncoord x, y\nlagrangian (x''^2 + y''^2)/2\nsymmetry east = (x: 1)\n\
    start x = 0, y = 0, x' = 10, y' = 10\ngoal x = 10, y = 0, x' = 10, y' = 20\ntime 0 .. 1\n";

#[test]
fn splines_have_their_action() {
    near(cost(&solved(SPLINE)), 1400.0, 1e-10);
    for (n, known) in [
        (10, 1373.529411764706),
        (21, 1393.905191873589),
        (80, 1399.578256794752),
    ] {
        near(cost(&discrete(SPLINE, Scheme::Trapezoid, n)), known, 1e-11);
    }
    let s = discrete(SPLINE, Scheme::Trapezoid, 21);
    all_near(
        &s.trajectory.states[5],
        &[2.380952380952, 0.511867651500, 10.0, -3.871869289477],
        1e-9,
    );
}

#[test]
fn a_stationary_curve_beyond_its_conjugate_time_is_no_minimum() {
    let text = |t: f64| {
        format!(
            "system o\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 0\ngoal x = 1\ntime 0 .. {t}\n"
        )
    };
    let short = solved(&text(2.0));
    // S = cot(T)/2 for x = sin t/sin T.
    near(cost(&short), 0.5 / 2f64.tan(), 1e-8);
    assert_eq!(short.extremum, Extremum::Minimum);
    let long = solved(&text(4.0));
    near(cost(&long), 0.5 / 4f64.tan(), 1e-7);
    assert_eq!(long.extremum, Extremum::Saddle);
}
