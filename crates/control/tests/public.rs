//! Problems of the literature with published or exact optima, at default settings.

mod common;

use common::{cost, tried};
use rattleback_control::optimal::{Request, Status};
use std::f64::consts::PI;

/// Solved, with a cost that differs from the optimum by no more than the error that is told, and the digits that are known.
#[track_caller]
fn reaches(text: &str, optimum: f64, digits: f64) {
    let found = tried(text, &Request::default());
    assert_eq!(found.status, Status::Solved);
    let (cost, told) = (cost(&found), found.cost_error.unwrap());
    let off = (cost - optimum).abs() / optimum.abs();
    assert!(
        off <= told + digits,
        "{cost} is not {optimum}: {off:.1e} off, {told:.1e} told"
    );
    assert!(told <= 1e-5, "{told:.1e}");
}

/// Where a function of growing values is zero.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        match f(middle) < 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

const POINT: &str = "system a\nfree T = 3\ncoord x\nkinetic x'^2/2\ncontrol u on x\n";

#[test]
fn points_on_a_line() {
    reaches(
        &format!("{POINT}bound -1 <= u <= 1\ncost 1\ngoal x = 1, x' = 0\ntime 0 .. T\n"),
        2.0,
        0.0,
    );
    // A soft landing on the moon: free fall, then full thrust.
    reaches(
        &format!(
            "{POINT}potential 1.5*x\nbound 0 <= u <= 3\ncost u\nstart x = 10, x' = -2\ngoal x = 0, x' = 0\ntime 0 .. T\n"
        ),
        68f64.sqrt(),
        0.0,
    );
}

/// COPS: a particle that is turned, a robot arm in the shortest time, a hanging chain.
#[test]
fn problems_of_a_collection() {
    reaches(
        "system particle\nparam a = 100\nfree T = 1\nstate x, y, vx, vy\ncontrol u\nrate x' = vx, y' = vy, vx' = a*cos(u), vy' = a*sin(u)\nbound -pi/2 <= u <= pi/2\ncost 1\ngoal y = 5, vx = 45, vy = 0\ntime 0 .. T\n",
        0.554571,
        1e-6,
    );
    reaches(
        "system arm\nparam L = 5\nfree T = 5\nstate r, th, ph, vr, vth, vph\ncontrol ur, uth, uph\nlet I = ((L - r)^3 + r^3)/3\nrate r' = vr, th' = vth, ph' = vph, vr' = ur/L, vth' = uth/(I*sin(ph)^2), vph' = uph/I\nbound -1 <= ur <= 1\nbound -1 <= uth <= 1\nbound -1 <= uph <= 1\nbound 0 <= r <= L\nbound -pi <= th <= pi\nbound 0 <= ph <= pi\ncost 1\nstart r = 4.5, ph = pi/4\ngoal r = 4.5, th = 2*pi/3, ph = pi/4, vr = 0, vth = 0, vph = 0\ntime 0 .. T\n",
        9.14093,
        5e-6,
    );
    reaches(
        "system chain\nstate x, l\ncontrol u\nrate x' = u, l' = sqrt(1 + u^2)\ncost x*sqrt(1 + u^2)\nstart x = 1\ngoal x = 3, l = 4\ntime 0 .. 1\n",
        5.06848,
        1e-6,
    );
}

/// A robot with four thrusters (Sakawa) and a body that is turned half around (Bilimoria and Wie), two links (Luus).
#[test]
fn bodies_in_shortest_time_and_with_least_fuel() {
    reaches(
        "system robot\nparam a = 0.2\ncoord x, y, q\nkinetic (x'^2 + y'^2 + q'^2)/2\ncontrol u1 on (x: cos(q), y: sin(q), q: a)\ncontrol u2 on (x: -cos(q), y: -sin(q), q: -a)\ncontrol u3 on (x: cos(q), y: sin(q), q: -a)\ncontrol u4 on (x: -cos(q), y: -sin(q), q: a)\nbound 0 <= u1 <= 1\nbound 0 <= u2 <= 1\nbound 0 <= u3 <= 1\nbound 0 <= u4 <= 1\ncost u1 + u2 + u3 + u4\nstart x = -10, y = -10, q = pi/2\ngoal x = 0, y = 0, q = 0, x' = 0, y' = 0, q' = 0\ntime 0 .. 12\n",
        7.910147,
        1e-6,
    );
    reaches(
        "system craft\nfree T = 3\ngroup R : SO(3) velocity w\nkinetic norm2(w)/2\ncontrol u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncontrol u3 on (w[3]: 1)\nbound -1 <= u1 <= 1\nbound -1 <= u2 <= 1\nbound -1 <= u3 <= 1\ncost 1\ngoal R = rotation([0,0,1], pi), w = [0,0,0]\ntime 0 .. T\n",
        3.2430,
        5e-5,
    );
    reaches(
        "system links\nfree T = 3\nstate wa, wb, th, al\ncontrol u1, u2\nlet D = 31/36 + 9/4*sin(th)^2\nrate wa' = (sin(th)*(9/4*cos(th)*wa^2 + 2*wb^2) + 4/3*(u1 - u2) - 3/2*cos(th)*u2)/D\nrate wb' = -(sin(th)*(7/2*wa^2 + 9/4*cos(th)*wb^2) - 7/3*u2 + 3/2*cos(th)*(u1 - u2))/D\nrate th' = wb - wa, al' = wa\nbound -1 <= u1 <= 1\nbound -1 <= u2 <= 1\ncost 1\nstart th = 0.5\ngoal wa = 0, wb = 0, th = 0.5, al = 0.522\ntime 0 .. T\n",
        2.98,
        1e-3,
    );
}

/// The cycloid of fastest fall to a point and to a line, a crossing in a current (Bryson and Ho), a soap film between
/// rings, a circle in the Heisenberg group.
#[test]
fn curves() {
    let fall = "free T = 2\nstate x, y, v\ncontrol u\ncost 1\n";
    // (θ − sin θ)/(1 − cos θ) = 2, R = 5/(1 − cos θ), T = θ √(R/g).
    let turn = root(|q| q - q.sin() - 2.0 * (1.0 - q.cos()), 3.0, 6.0);
    let time = turn * (5.0 / (1.0 - turn.cos()) / 9.81).sqrt();
    reaches(
        &format!(
            "system fall\n{fall}rate x' = v*sin(u), y' = -v*cos(u), v' = 9.81*cos(u)\nstart y = 10\ngoal x = 10, y = 5\ntime 0 .. T\n"
        ),
        time,
        0.0,
    );
    // At the first iterate, at rest and with u = 0, H has no curvature: that is no singular problem.
    let free = (PI / 9.81f64).sqrt();
    reaches(
        &format!(
            "system fall\n{fall}rate x' = v*cos(u), y' = v*sin(u), v' = 9.81*sin(u)\ngoal x = 1\ntime 0 .. T\n"
        ),
        free,
        0.0,
    );
    reaches(
        "system boat\nfree T = 4\nstate x, y\ncontrol th\nrate x' = cos(th) - y, y' = sin(th)\ncost 1\nstart x = 3.66, y = -1.86\ngoal x = 0, y = 0\ntime 0 .. T\n",
        5.46,
        1e-3,
    );
    // y = a cosh(x/a) with a cosh(1/2a) = 1, the larger one: 2π ∫ a cosh².
    let a = root(|a| a * (0.5 / a).cosh() - 1.0, 0.42, 1.0);
    reaches(
        "system film\nstate y\ncontrol u\nrate y' = u\ncost 2*pi*y*sqrt(1 + u^2)\nbound y >= 0\nstart y = 1\ngoal y = 1\ntime 0 .. 1\n",
        PI * a * (1.0 + a * (1.0 / a).sinh()),
        0.0,
    );
    reaches(
        "system circle\nstate x, y, z\ncontrol u, v\nrate x' = u, y' = v, z' = (x*v - y*u)/2\ncost (u^2 + v^2)/2\ngoal x = 0, y = 0, z = 1\ntime 0 .. 1\n",
        2.0 * PI,
        0.0,
    );
}

/// Cars: Dubins with an arc, a line and an arc; Reeds and Shepp with four arcs, R⁺ L⁻ R⁻ L⁺ of lengths a, b, b, a.
#[test]
fn shortest_ways_of_cars() {
    let car = "free T = 6\nstate x, y, th\nbound -1 <= u <= 1\ncost 1\ntime 0 .. T\n";
    reaches(
        &format!(
            "system dubins\n{car}control u\nrate x' = cos(th), y' = sin(th), th' = u\ngoal x = 4, y = 4, th = pi/2\n"
        ),
        3.0 * 2f64.sqrt() + PI / 2.0,
        0.0,
    );
    reaches(
        &format!(
            "system reeds\n{car}control u, v\nbound -1 <= v <= 1\nrate x' = v*cos(th), y' = v*sin(th), th' = u\ngoal x = 0, y = 2, th = 0\n"
        ),
        3.6469531638739,
        1e-12,
    );
}

/// Layers at both ends of a long time (Rao and Mease): V' = −x³ + √(x⁶ + x²) there, x³ + √(x⁶ + x²) here.
#[test]
fn layers_at_both_ends_of_a_long_time() {
    let half = |s: f64| 0.25 * (s * (1.0 + s * s).sqrt() + s.asinh());
    let optimum = half(1.0) - 0.25 + half(2.25) + 1.5f64.powi(4) / 4.0;
    for time in [50, 1000, 10_000] {
        let text = format!(
            "system layers\nstate x\ncontrol u\nrate x' = -x^3 + u\ncost (x^2 + u^2)/2\nstart x = 1\ngoal x = 3/2\ntime 0 .. {time}\n"
        );
        reaches(&text, optimum, 0.0);
    }
}

/// Bounds on the state: a rocket on a singular arc (Goddard), a crane for containers, a wall that moves (Jacobson and Lele),
/// an oscillator with a mixed bound (Rayleigh, Maurer).
#[test]
fn bounds_along_the_way() {
    reaches(
        "system rocket\nparam c = 0.5\nfree T = 0.2\nstate h, v, m\ncontrol u\nrate h' = v, v' = (u - 310*v^2*exp(-500*(h - 1)))/m - 1/h^2, m' = -u/c\nbound 0 <= u <= 3.5\nbound v >= 0\nterminal -h\nstart h = 1, v = 0, m = 1\ngoal m = 0.6\ntime 0 .. T\n",
        -1.012837,
        1e-6,
    );
    reaches(
        "system crane\nstate x1, x2, x3, x4, x5, x6\ncontrol u1, u2\nrate x1' = x4, x2' = x5, x3' = x6, x4' = u1 + 17.2656*x3, x5' = u2, x6' = -(u1 + 27.0756*x3 + 2*x5*x6)/x2\ncost (x3^2 + x6^2 + 0.01*(u1^2 + u2^2))/2\nbound -2.83374 <= u1 <= 2.83374\nbound -0.80865 <= u2 <= 0.71265\nbound -2.5 <= x4 <= 2.5\nbound -1 <= x5 <= 1\nstart x2 = 22, x5 = -1\ngoal x1 = 10, x2 = 14, x3 = 0, x4 = 2.5, x5 = 0, x6 = 0\ntime 0 .. 9\n",
        0.0375195,
        2e-6,
    );
    reaches(
        "system wall\nstate x1, x2\ncontrol u\nrate x1' = x2, x2' = -x2 + u\ncost x1^2 + x2^2 + 0.005*u^2\nbound x2 <= 8*(t - 0.5)^2 - 0.5\nstart x2 = -1\nterminal 0\ntime 0 .. 1\n",
        0.16982,
        5e-5,
    );
    reaches(
        "system oscillator\nstate x1, x2\ncontrol u\nrate x1' = x2, x2' = -x1 + x2*(1.4 - 0.14*x2^2) + 4*u\ncost u^2 + x1^2\nbound u + x1/6 <= 0\nstart x1 = -5, x2 = -5\nterminal 0\ntime 0 .. 4.5\n",
        44.80444,
        1e-6,
    );
}

/// A truck with two trailers (rockit, FATROP): speed and steering have bounded rates, and arcs on which H determines neither. No
/// digits are published: other schemes and finer meshes agree on these.
#[test]
fn a_truck_with_two_trailers() {
    let truck = "system truck\nparam L0 = 0.4, L1 = 1.1, L2 = 0.8, M0 = 0.1, M1 = 0.2\nfree T = 20\nstate x2, y2, th2, th1, th0, v, delta\ncontrol dv, dd\nlet b01 = th0 - th1\nlet b12 = th1 - th2\nlet w0 = v/L0*tan(delta)\nlet w1 = v/L1*sin(b01) - M0/L1*cos(b01)*w0\nlet v1 = v*cos(b01) + M0*sin(b01)*w0\nlet w2 = v1/L2*sin(b12) - M1/L2*cos(b12)*w1\nlet v2 = v1*cos(b12) + M1*sin(b12)*w1\nrate x2' = v2*cos(th2), y2' = v2*sin(th2), th2' = w2, th1' = w1, th0' = w0, v' = dv, delta' = dd\nbound -0.2 <= v <= 0.2\nbound -1 <= dv <= 1\nbound -pi/6 <= delta <= pi/6\nbound -pi/10 <= dd <= pi/10\nbound -pi/2 <= th0 - th1 <= pi/2\nbound -pi/2 <= th1 - th2 <= pi/2\nstart v = free, delta = free\ngoal x2 = 0, y2 = -2, th2 = pi/2, th1 = pi/2, th0 = pi/2\ntime 0 .. T\n";
    for (cost, optimum) in [
        ("1 + (th0 - th1)^2 + (th1 - th2)^2", 46.872),
        ("1", 27.7696),
    ] {
        let found = tried(&format!("{truck}cost {cost}\n"), &Request::default());
        assert_eq!(found.status, Status::Solved, "{cost}");
        let off = (common::cost(&found) - optimum).abs() / optimum;
        assert!(off < 1e-4 && found.cost_error.unwrap() < 1e-2, "{off:.1e}");
    }
}
