//! Linkages and rolling systems through their singular positions: in every form and with every method either the
//! motion of an independent reference, or a failure that names the place; never another motion.
//!
//! `RATTLEBACK_FUZZ_CASES=200 cargo test -p rattleback-cli --test linkages` draws more linkages.

use crate::common::{rattleback, written};
use serde_json::Value;

/// Forms and methods that a linkage is followed in.
const WAYS: [&[&str]; 9] = [
    &[],
    &["--method", "dop853"],
    &["--method", "rk4", "--step", "0.002"],
    &["--form", "hamel"],
    &["--form", "hamel", "--method", "dop853"],
    &["--form", "hamiltonian"],
    &["--form", "projection"],
    &["--form", "almost-poisson"],
    &["--form", "distributional"],
];

/// The end of a run, if it came to its end; a failure must say where.
fn followed(name: &str, text: &str, way: &[&str]) -> Option<Value> {
    let model = written(name, text);
    let arguments = ["simulate", &model, "--json"].into_iter();
    let run = rattleback(arguments.chain(way.iter().copied()));
    match run.code {
        0 => Some(run.json()),
        1 => {
            assert!(run.err.contains("at t = "), "no place in {}", run.err);
            None
        }
        code => panic!("exit {code} of {way:?}:\n{}\n{text}", run.err),
    }
}

fn number(page: &Value, name: &str) -> f64 {
    page["final"][name].as_f64().unwrap_or(f64::NAN)
}

/// Every way ends at these values, or fails; how many came to their end.
fn holds_in_every_way(name: &str, text: &str, end: &[(&str, f64)]) -> usize {
    let mut reached = 0;
    for way in WAYS {
        let Some(page) = followed(name, text, way) else {
            continue;
        };
        reached += 1;
        // Equal steps keep to no tolerance near a singular position: another branch is farther away than that.
        let allowed = if way.contains(&"rk4") { 1e-2 } else { 1e-5 };
        for (column, expected) in end {
            let found = number(&page, column);
            assert!(
                (found - expected).abs() < allowed * (1.0 + expected.abs()),
                "{way:?}: {column} is {found}, not {expected}, in\n{text}"
            );
        }
    }
    reached
}

/// A crank, a coupler and a rocker on a base of length `ground`, all with the inertia 1: angles q1, q2, q3.
#[derive(Clone, Copy, Debug)]
struct FourBar {
    crank: f64,
    coupler: f64,
    rocker: f64,
    ground: f64,
}

impl FourBar {
    /// The angles for a crank angle, where the loop closes; the coupler is on one of two sides.
    fn closed(&self, q1: f64, side: f64) -> Option<[f64; 3]> {
        let (x, y) = (self.crank * q1.cos(), self.crank * q1.sin());
        let (dx, dy) = (self.ground - x, -y);
        let d = dx.hypot(dy);
        let (b, c) = (self.coupler, self.rocker);
        let along = (b * b - c * c + d * d) / (2.0 * d);
        let across = b * b - along * along;
        // Starts near a singular position are starts at one, to the digits of the model.
        (d > 0.05 && across > 0.01).then(|| {
            let h = side * across.sqrt();
            let joint = [x + (along * dx - h * dy) / d, y + (along * dy + h * dx) / d];
            let q2 = (joint[1] - y).atan2(joint[0] - x);
            let q3 = joint[1].atan2(joint[0] - self.ground);
            [q1, q2, q3]
        })
    }

    fn residuals(&self, q: &[f64; 3]) -> [f64; 2] {
        let [a, b, c] = [self.crank, self.coupler, self.rocker];
        [
            a * q[0].cos() + b * q[1].cos() - c * q[2].cos() - self.ground,
            a * q[0].sin() + b * q[1].sin() - c * q[2].sin(),
        ]
    }

    fn gradients(&self, q: &[f64; 3]) -> [[f64; 3]; 2] {
        let [a, b, c] = [self.crank, self.coupler, self.rocker];
        [
            [-a * q[0].sin(), -b * q[1].sin(), c * q[2].sin()],
            [a * q[0].cos(), b * q[1].cos(), -c * q[2].cos()],
        ]
    }

    /// The unit tangent of the curve of configurations, along `before`.
    fn tangent(&self, q: &[f64; 3], before: &[f64; 3]) -> [f64; 3] {
        let [u, v] = self.gradients(q);
        let w = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        let along: f64 = w.iter().zip(before).map(|(x, y)| x * y).sum();
        let length = w.iter().map(|x| x * x).sum::<f64>().sqrt().copysign(along);
        w.map(|x| x / length)
    }

    /// With inertias 1 and no potential the motion goes along its curve at a constant speed: the angles after
    /// a way of this length, by Runge-Kutta steps over every crossing of curves.
    fn after(&self, start: [f64; 3], way: f64) -> [f64; 3] {
        let steps = (way / 7.3e-4).ceil() as usize;
        let h = way / steps as f64;
        let mut q = start;
        let mut t = self.tangent(&q, &[1.0, 0.0, 0.0]);
        let moved = |q: &[f64; 3], k: &[f64; 3], h: f64| -> [f64; 3] {
            std::array::from_fn(|i| q[i] + h * k[i])
        };
        for _ in 0..steps {
            let k1 = self.tangent(&q, &t);
            let k2 = self.tangent(&moved(&q, &k1, h / 2.0), &t);
            let k3 = self.tangent(&moved(&q, &k2, h / 2.0), &t);
            let k4 = self.tangent(&moved(&q, &k3, h), &t);
            let next: [f64; 3] = std::array::from_fn(|i| {
                q[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
            });
            t = std::array::from_fn(|i| (next[i] - q[i]) / h);
            q = next;
        }
        q
    }

    /// The model, with the crank turning at this rate.
    fn model(&self, q: &[f64; 3], rate: f64, until: f64) -> String {
        let [a, b, c, g] = [self.crank, self.coupler, self.rocker, self.ground];
        let [q1, q2, q3] = q;
        format!(
            "system fourbar\ncoord q1, q2, q3 : angle\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\n\
             constraint {a}*cos(q1) + {b}*cos(q2) - {c}*cos(q3) = {g}\n\
             constraint {a}*sin(q1) + {b}*sin(q2) = {c}*sin(q3)\n\
             start q1 = {q1}, q2 = {q2}, q3 = {q3}, q1' = {rate}\ntime 0 .. {until} step 0.01\n"
        )
    }

    /// Holds every way against the curve; how many came to their end.
    fn check(&self, name: &str, q1: f64, side: f64, rate: f64) -> Option<usize> {
        let start = self.closed(q1, side)?;
        let t = self.tangent(&start, &[1.0, 0.0, 0.0]);
        // A crank at its end of travel cannot be given a rate.
        if t[0] < 0.05 {
            return None;
        }
        let until = 2.0;
        let end = self.after(start, rate / t[0] * until);
        // A stage of the reference that came too near a crossing has left the curve: it tells nothing.
        if self.residuals(&end).iter().any(|r| r.abs() > 1e-8) {
            return None;
        }
        let columns = [("q1", end[0]), ("q2", end[1]), ("q3", end[2])];
        let text = self.model(&start, rate, until);
        Some(holds_in_every_way(name, &text, &columns))
    }
}

fn four_bar([crank, coupler, rocker, ground]: [f64; 4]) -> FourBar {
    FourBar {
        crank,
        coupler,
        rocker,
        ground,
    }
}

/// Numbers in [0, 1) that are the same on every machine.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

#[test]
fn random_four_bars_move_as_their_curve_or_fail() {
    let asked = std::env::var("RATTLEBACK_FUZZ_CASES").ok();
    let cases: u64 = asked.and_then(|n| n.parse().ok()).unwrap_or(6);
    let mut reached = 0;
    for case in 0..cases {
        let mut draw = Draw(0x9e37_79b9_7f4a_7c15 ^ case);
        draw.next();
        let (u, v) = (draw.between(0.5, 2.0), draw.between(0.5, 2.0));
        let bar = match case % 6 {
            // A parallelogram, a kite, a deltoid, a rhombus, one that nearly closes flat, any.
            0 => four_bar([u, v, u, v]),
            1 => four_bar([u, v, v, u]),
            2 => four_bar([u, u, v, v]),
            3 => four_bar([u, u, u, u]),
            4 => four_bar([u, v, u, v + 1e-3]),
            _ => four_bar([0.4, v, v + 0.3, u + 0.4]),
        };
        let side = if draw.next() < 0.5 { -1.0 } else { 1.0 };
        let (q1, rate) = (draw.between(0.3, 2.8), draw.between(0.5, 3.0));
        reached += bar
            .check(&format!("fourbar{case}"), q1, side, rate)
            .unwrap_or(0);
    }
    assert!(reached > 0, "no motion came to its end");
}

/// A seed at which `hamel` came out of the crossing on another branch.
#[test]
fn a_rhombus_does_not_change_its_branch() {
    let bar = four_bar([0.610_596_948_923_100_5; 4]);
    let reached = bar.check(
        "rhombus",
        1.871_363_461_991_292_2,
        1.0,
        1.333_934_628_745_557_1,
    );
    assert!(reached.is_some_and(|n| n > 0), "no way passes");
    // One at which small steps of `dop853` did, in the rounding about the crossing.
    let bar = four_bar([0.519_369_999_660_320_5; 4]);
    for side in [-1.0, 1.0] {
        let reached = bar.check(
            "rhombus",
            2.171_778_251_716_760_5,
            side,
            2.195_616_069_466_111_3,
        );
        assert!(reached.is_some_and(|n| n > 0), "no way passes");
    }
}

/// A seed at which `hamel` with `dop853` did.
#[test]
fn a_deltoid_does_not_change_its_branch() {
    let (u, v) = (1.891_538_116_085_84, 0.569_759_965_639_126_2);
    let bar = four_bar([u, u, v, v]);
    let reached = [-1.0, 1.0].map(|side| {
        bar.check(
            "deltoid",
            1.578_247_633_083_980_3,
            side,
            2.777_838_494_314_736_3,
        )
    });
    assert!(reached.iter().any(Option::is_some), "the loop closes");
    // Decimals made a frame whose velocity was far below every tolerance.
    let (u, v) = (0.668_412_068_325_057_4, 1.940_651_751_624_534_7);
    let bar = four_bar([u, u, v, v]);
    let reached = [-1.0, 1.0].map(|side| {
        bar.check(
            "deltoid",
            2.019_137_869_914_641,
            side,
            0.579_580_247_009_256_4,
        )
    });
    assert!(reached.iter().any(Option::is_some), "the loop closes");
}

#[test]
fn a_parallelogram_of_angles_passes_its_flat_positions() {
    let bar = four_bar([2.0, 1.0, 2.0, 1.0]);
    let reached = bar.check("sympy", std::f64::consts::FRAC_PI_2, 1.0, 3.0);
    assert!(reached.is_some_and(|n| n > 0), "no way passes");
}

/// (x1, h1) = (cos φ, sin φ), and (x2, h2) the same beside it: φ'' = sin φ.
#[test]
fn two_rods_and_a_coupler_move_like_a_pendulum() {
    let text = "system rods\ncoord x1, h1, x2, h2\nkinetic (x1'^2 + h1'^2 + x2'^2 + h2'^2)/2\n\
                potential x1 + x2\nconstraint x1^2 + h1^2 = 1\nconstraint (x2 - 2)^2 + h2^2 = 1\n\
                constraint (x2 - x1)^2 + (h2 - h1)^2 = 4\n\
                start h1 = 1, x2 = 2, h2 = 1, x1' = 2\ntime 0 .. 3 step 0.01\n";
    let (mut phi, mut rate) = (std::f64::consts::FRAC_PI_2, -2.0);
    let steps = 30_000;
    let h = 3.0 / f64::from(steps);
    for _ in 0..steps {
        let (k1, l1) = (rate, phi.sin());
        let (k2, l2) = (rate + h / 2.0 * l1, (phi + h / 2.0 * k1).sin());
        let (k3, l3) = (rate + h / 2.0 * l2, (phi + h / 2.0 * k2).sin());
        let (k4, l4) = (rate + h * l3, (phi + h * k3).sin());
        phi += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        rate += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    let end = [
        ("x1", phi.cos()),
        ("h1", phi.sin()),
        ("x2", 2.0 + phi.cos()),
    ];
    holds_in_every_way("rods", text, &end);
}

/// Without gravity the rods turn evenly, whatever their speed: each flat position is passed, in the form and with the
/// method that are chosen.
#[test]
fn rods_that_turn_evenly_pass_every_flat_position() {
    for case in 0..8 {
        let mut draw = Draw(0x2545_f491_4f6c_dd1d ^ case);
        draw.next();
        let (q, rate) = (draw.between(0.3, 2.8), draw.between(0.7, 7.0));
        let (x, h) = (q.cos(), q.sin());
        let text = format!(
            "system even\ncoord x1, h1, x2, h2\nkinetic (x1'^2 + h1'^2 + x2'^2 + h2'^2)/2\n\
             constraint x1^2 + h1^2 = ({x})^2 + ({h})^2\nconstraint (x2 - 2)^2 + h2^2 = ({x})^2 + ({h})^2\n\
             constraint (x2 - x1)^2 + (h2 - h1)^2 = 4\n\
             start x1 = {x}, h1 = {h}, x2 = 2 + {x}, h2 = {h}, x1' = -{h}*{rate}, h1' = {x}*{rate}\n\
             time 0 .. 5 step 0.1\n"
        );
        let page = followed("even", &text, &[]).expect("flat positions are passed");
        let phi = q + 5.0 * rate;
        for (name, expected) in [("x1", phi.cos()), ("h1", phi.sin()), ("h2", phi.sin())] {
            let found = number(&page, name);
            assert!(
                (found - expected).abs() < 1e-7,
                "{name} is {found}, not {expected}: {text}"
            );
        }
    }
}

/// A kite 1, 1, 2, 2 turns over: its far corner is the image of the origin in the diagonal from (cos q, sin q) to
/// (2, 0), and the kinetic energy keeps its value.
#[test]
fn a_kite_passes_its_flat_position() {
    let corner = |q: f64| {
        let (u, v) = (2.0 - q.cos(), -q.sin());
        let along = (q.cos() * u + q.sin() * v) / (u * u + v * v);
        [2.0 * (q.cos() - along * u), 2.0 * (q.sin() - along * v)]
    };
    let inertia = |q: f64| {
        let d = 1e-4;
        let slope = |i: usize| {
            let [a, b] = [d, 2.0 * d].map(|d| corner(q + d)[i] - corner(q - d)[i]);
            (8.0 * a - b) / (12.0 * d)
        };
        1.0 + slope(0).powi(2) + slope(1).powi(2)
    };
    let (mut q, h) = (1.0_f64, 1e-3);
    let speed = |q: f64| 2.0 * (inertia(1.0) / inertia(q)).sqrt();
    let ([x, y], [a, b]) = ([q.cos(), q.sin()], corner(q));
    let text = format!(
        "system kite\ncoord x1, h1, x2, h2\nkinetic (x1'^2 + h1'^2 + x2'^2 + h2'^2)/2\n\
         constraint x1^2 + h1^2 = 1\nconstraint (x2 - x1)^2 + (h2 - h1)^2 = 1\n\
         constraint (x2 - 2)^2 + h2^2 = 4\n\
         start x1 = {x}, h1 = {y}, x2 = {a}, h2 = {b}, x1' = -2*{y}, h1' = 2*{x}\ntime 0 .. 5 step 0.1\n"
    );
    for _ in 0..5000 {
        let k1 = speed(q);
        let k2 = speed(q + h / 2.0 * k1);
        let k3 = speed(q + h / 2.0 * k2);
        q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + speed(q + h * k3));
    }
    let [a, b] = corner(q);
    let end = [("x1", q.cos()), ("h1", q.sin()), ("x2", a), ("h2", b)];
    assert!(holds_in_every_way("kite", &text, &end) >= 1);
    assert!(
        followed("kite", &text, &[]).is_some(),
        "the way that is chosen"
    );
}

/// Two of the five constraints say the same wherever the rods are parallel.
#[test]
fn constraints_that_are_dependent_all_along_are_refused_where_the_motion_starts() {
    let text = "system parallel\ncoord x1, h1, x2, h2, x3, h3\n\
                kinetic (x1'^2 + h1'^2 + x2'^2 + h2'^2 + x3'^2 + h3'^2)/2\n\
                constraint x1^2 + h1^2 = 1\nconstraint (x2 - 2)^2 + h2^2 = 1\n\
                constraint (x3 - 4)^2 + h3^2 = 1\nconstraint x2 - x1 = 2\nconstraint h2 - h1 = 0\n\
                start h1 = 1, x2 = 2, h2 = 1, x3 = 4, h3 = 1, x1' = 1\ntime 0 .. 3 step 0.01\n";
    for way in WAYS {
        assert!(followed("parallel", text, way).is_none(), "{way:?}");
    }
}

/// A position constraint that follows from others changes nothing in any form.
#[test]
fn implied_position_constraints_change_no_motion() {
    let circle = "x^2 + y^2 - 1";
    let of = |more: &str| {
        format!(
            "system implied\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2 + z'*x'/4\npotential y + z^2\n\
             constraint {circle} = 0\n{more}start y = -1, x' = 1, z = 0.3\ntime 0 .. 3 step 0.1\n"
        )
    };
    let page = followed("not_implied", &of(""), &[]).expect("a circle has no singular position");
    let end: Vec<(&str, f64)> = ["x", "y", "z"].map(|q| (q, number(&page, q))).to_vec();
    for implied in [
        format!("({circle})*({circle} + 3)"),
        format!("2*({circle})"),
        format!("exp({circle}) - 1"),
    ] {
        let text = of(&format!("constraint {implied} = 0\n"));
        let reached = holds_in_every_way("implied", &text, &end);
        assert_eq!(reached, WAYS.len(), "{implied}");
    }
}

/// Where a linkage lies flat its constraints determine no motion: that is said, not that a number is none.
#[test]
fn a_start_at_a_singular_position_is_told() {
    let parallelogram = "system flat\ncoord x1, y1, x2, y2\nkinetic (x1'^2 + y1'^2)/2 + x2'^2 + y2'^2\n\
                         constraint x1^2 + y1^2 = 1\nconstraint (x2 - 3)^2 + y2^2 = 1\n\
                         constraint (x2 - x1)^2 + (y2 - y1)^2 = 9\n\
                         start x1 = 1, x2 = 4, y1' = 3, y2' = 3\ntime 0 .. 4 step 0.1\n";
    let figure_eight = "system eight\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n\
                        constraint (x^2 + y^2)^2 = x^2 - y^2\nstart x' = 1, y' = 1\ntime 0 .. 4 step 0.1\n";
    for text in [parallelogram, figure_eight] {
        for way in [&[][..], &["--form", "hamiltonian"], &["--method", "dop853"]] {
            let path = written("singular_start", text);
            let arguments = ["simulate", &path].into_iter().chain(way.iter().copied());
            let run = rattleback(arguments).exits(1);
            let told = run.err.contains("singular") || run.err.contains("lose their rank");
            assert!(told && run.err.contains("at t = 0"), "{way:?}: {}", run.err);
        }
    }
}

fn bicycle(constraint: &str) -> String {
    format!(
        "system bicycle\nparam p = 3/2\ncoord x, y\ncoord theta, delta : angle\n\
         kinetic (x'^2 + y'^2 + theta'^2 + delta'^2)/2\nconstraint sin(theta)*x' = cos(theta)*y'\n\
         constraint {constraint}\nstart x' = 2, delta' = 0.7\ntime 0 .. 5 step 0.01\n"
    )
}

/// The pole of tan(delta) is one of the way in which the constraint is written, not of the motion.
#[test]
fn steering_through_a_right_angle_is_no_end() {
    let written = bicycle("theta' = tan(delta)/p*(cos(theta)*x' + sin(theta)*y')");
    let cleared = bicycle("p*cos(delta)*theta' = sin(delta)*(cos(theta)*x' + sin(theta)*y')");
    let regular = followed("cleared", &cleared, &[]).expect("the cleared constraint is regular");
    let end: Vec<(&str, f64)> = ["x", "y", "theta", "delta"]
        .map(|name| (name, number(&regular, name)))
        .to_vec();
    let ways = holds_in_every_way("bicycle", &written, &end);
    assert!(ways >= 4, "only {ways} ways come to their end");
    assert!(
        followed("bicycle", &written, &[]).is_some(),
        "the way that is chosen"
    );
}

/// A coordinate without a mass of its own: p_a = 0 is a constraint on the momenta, and is kept.
#[test]
fn momenta_stay_on_the_image_of_the_legendre_map() {
    let text = "system massless\ncoord x, q, a\nkinetic x'^2/2 + q'^2/2\npotential -cos(q)\n\
                constraint a - x - sin(q) = 0\nstart q = 1, a = sin(1), x' = 1\ntime 0 .. 5 step 0.01\n";
    let page = followed("massless", text, &["--form", "hamiltonian"]).expect("it is regular");
    assert!((number(&page, "x'") - 1.0).abs() < 1e-9);
    assert!(number(&page, "p_a").abs() < 1e-9);
    assert!(page["max_energy_error"].as_f64().unwrap() < 1e-8);
    let model = written("massless", text);
    let run = rattleback(["derive", &model, "--form", "hamiltonian"]).exits(0);
    let constraints = run.out.split("Constraints").nth(1).unwrap();
    assert!(constraints.contains("p_a"), "{constraints}");
    assert!(!constraints.contains(" 0 = 0"), "{constraints}");
}

/// The kinetic energy of a body in Euler parameters has no inertia along them.
#[test]
fn euler_parameters_agree_with_multipliers() {
    let text = "system euler\ncoord a, b, c, d\nlet w1 = 2*(a*b' - b*a' - c*d' + d*c')\n\
                let w2 = 2*(a*c' - c*a' - d*b' + b*d')\nlet w3 = 2*(a*d' - d*a' - b*c' + c*b')\n\
                kinetic (w1^2 + 2*w2^2 + 3*w3^2)/2\nconstraint a^2 + b^2 + c^2 + d^2 = 1\n\
                start a = 1, b' = 1, c' = 0.2, d' = 0.3\ntime 0 .. 5 step 0.01\n";
    let multipliers = ["--form", "lagrange-dalembert", "--rtol", "1e-11"];
    let expected = followed("euler", text, &multipliers).expect("it is regular");
    let end: Vec<(&str, f64)> = ["a", "b", "c", "d"]
        .map(|name| (name, number(&expected, name)))
        .to_vec();
    let page = followed("euler", text, &["--form", "hamiltonian"]).expect("it is regular");
    for (name, value) in &end {
        assert!((number(&page, name) - value).abs() < 1e-7, "{name}");
    }
    assert!(holds_in_every_way("euler", text, &end) >= 2);
}

/// A pendulum on a sphere leaves every frame of the sphere, and a slider with a crank as long as its rod passes
/// the place where it may stay.
#[test]
fn other_singular_positions_are_passed_or_told() {
    let sphere = "system sphere\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z\n\
                  constraint x^2 + y^2 + z^2 = 1\nstart x = 1, y' = 0.5, z' = 2\ntime 0 .. 5 step 0.01\n";
    let fine = ["--form", "lagrange-dalembert", "--rtol", "1e-12"];
    let expected = followed("sphere", sphere, &fine).expect("the sphere is regular");
    let end: Vec<(&str, f64)> = ["x", "y", "z"].map(|n| (n, number(&expected, n))).to_vec();
    assert!(holds_in_every_way("sphere", sphere, &end) >= 3);
    // q = -b: (q, s) = (φ, 2 cos φ) with T = (1 + 2 sin²φ) φ'², so that φ' falls where sin φ grows.
    let slider = "system slider\ncoord q, b : angle\ncoord s\nkinetic (q'^2 + b'^2 + s'^2)/2\n\
                  constraint cos(q) + cos(b) = s\nconstraint sin(q) + sin(b) = 0\n\
                  start q = 0.3, b = -0.3, s = 2*cos(0.3), q' = 2\ntime 0 .. 3 step 0.01\n";
    let speed = |phi: f64| {
        let inertia = |phi: f64| 1.0 + 2.0 * phi.sin().powi(2);
        2.0 * (inertia(0.3) / inertia(phi)).sqrt()
    };
    let (mut phi, h) = (0.3, 1e-4);
    for _ in 0..30_000 {
        let k1 = speed(phi);
        let k2 = speed(phi + h / 2.0 * k1);
        let k3 = speed(phi + h / 2.0 * k2);
        phi += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + speed(phi + h * k3));
    }
    let end = [("q", phi), ("b", -phi), ("s", 2.0 * phi.cos())];
    assert!(holds_in_every_way("slider", slider, &end) >= 1);
}

/// Rows of a run by column, as far as it came.
fn rows(name: &str, text: &str, way: &[&str]) -> Vec<std::collections::HashMap<String, f64>> {
    let model = written(name, text);
    let arguments = ["simulate", &model, "-o", "-"].into_iter();
    let run = rattleback(arguments.chain(way.iter().copied()));
    let mut lines = run.out.lines().filter(|l| !l.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let row = |line: &str| {
        let values = line.split(',').map(|v| v.parse().unwrap_or(f64::NAN));
        columns
            .iter()
            .map(ToString::to_string)
            .zip(values)
            .collect()
    };
    lines.map(row).collect()
}

/// Parallelograms on the rods of a parallelogram: they stay parallelograms, or the motion ends. Steps that crept into the
/// rounding about two flat positions close to each other came out as antiparallelograms.
#[test]
fn stacked_parallelograms_stay_parallelograms() {
    for (p, q, v, w) in [
        (-0.3, 0.3, 5.0, -5.0002),
        (0.4, 0.401, 3.0, 3.01),
        (1.0, -2.0, 2.0, 1.0),
        (2.5, 0.6416, -2.0, 2.0),
    ] {
        let ([c, s], [d, e]) = ([f64::cos(p), f64::sin(p)], [f64::cos(q), f64::sin(q)]);
        let (u, h) = (-s * v, c * v);
        let (r, k) = (u - 0.7 * e * w, h + 0.7 * d * w);
        let text = format!(
            "system stacked\ncoord x1, y1, x2, y2, x3, y3, x4, y4\n\
             kinetic (x1'^2 + y1'^2 + 2*x2'^2 + 2*y2'^2 + x3'^2/2 + y3'^2/2 + x4'^2 + y4'^2)/2\n\
             constraint x1^2 + y1^2 = 1\nconstraint (x2 - 2)^2 + y2^2 = 1\n\
             constraint (x2 - x1)^2 + (y2 - y1)^2 = 4\nconstraint (x3 - x1)^2 + (y3 - y1)^2 = 0.49\n\
             constraint (x4 - x2)^2 + (y4 - y2)^2 = 0.49\nconstraint (x4 - x3)^2 + (y4 - y3)^2 = 4\n\
             start x1 = {c}, y1 = {s}, x2 = 2 + {c}, y2 = {s}, x1' = {u}, y1' = {h}, x2' = {u}, y2' = {h}\n\
             start x3 = {c} + 0.7*({d}), y3 = {s} + 0.7*({e}), x4 = 2 + {c} + 0.7*({d}), y4 = {s} + 0.7*({e})\n\
             start x3' = {r}, y3' = {k}, x4' = {r}, y4' = {k}\ntime 0 .. 3 step 0.05\n"
        );
        for way in [&["--method", "taylor"][..], &[], &["--form", "hamiltonian"]] {
            let rows = rows("stacked", &text, way);
            assert!(rows.len() > 1, "{way:?}: nothing was recorded\n{text}");
            for row in rows {
                let off = (row["x2"] - row["x1"] - 2.0).abs() + (row["y4"] - row["y3"]).abs();
                assert!(
                    off < 1e-5,
                    "{way:?}: another branch at t = {}\n{text}",
                    row["t"]
                );
            }
        }
    }
}

/// Rows inside a step that passes a singular position are those of the motion, whatever their spacing.
#[test]
fn rows_beside_a_singular_position_satisfy_the_constraints() {
    let text = "system slider\ncoord x1, y1, x2, y2, z\n\
                kinetic (x1'^2 + y1'^2 + 2*x2'^2 + 2*y2'^2 + z'^2)/2\nconstraint x1^2 + y1^2 = 1\n\
                constraint (x2 - 2)^2 + y2^2 = 1\nconstraint (x2 - x1)^2 + (y2 - y1)^2 = 4\n\
                constraint (z - x2)^2 + y2^2 = 1\n\
                start y1 = 1, x2 = 2, y2 = 1, z = 2, x1' = -6, x2' = -6, z' = -12\ntime 0 .. 3 step 0.05\n";
    for spacing in ["0.05", "0.049", "0.0123", "0.001"] {
        for row in rows("slider", text, &["--step", spacing]) {
            let circle = row["x1"].powi(2) + row["y1"].powi(2) - 1.0;
            let rod = (row["z"] - row["x2"]).powi(2) + row["y2"].powi(2) - 1.0;
            let off = circle.abs() + rod.abs();
            assert!(
                off < 1e-6,
                "off by {off} at t = {} with rows {spacing} apart",
                row["t"]
            );
        }
    }
}

/// Members of an ensemble that come to a flat position have failed; the others are right.
#[test]
fn members_of_an_ensemble_do_not_change_their_branch() {
    let text = "system even\nparam v = 1\ncoord x1, y1, x2, y2\nkinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\n\
                constraint x1^2 + y1^2 = 1\nconstraint (x2 - 2)^2 + y2^2 = 1\n\
                constraint (x2 - x1)^2 + (y2 - y1)^2 = 4\n\
                start y1 = 1, x2 = 2, y2 = 1, x1' = v\ntime 0 .. 2 step 0.1\n";
    let model = written("members", text);
    let path = crate::common::folder("members_table").join("members.csv");
    let table = path.to_str().unwrap();
    for method in ["taylor", "dop853"] {
        let arguments = [
            "ensemble",
            &model,
            "--vary",
            "v=0.1:3:13",
            "--method",
            method,
        ];
        let run = rattleback(arguments.into_iter().chain(["-o", table]));
        assert!(run.code < 2, "{}", run.err);
        let read = crate::common::tables::read(&path);
        let (v, status, x1) = (read.column("v"), read.column("status"), read.column("x1"));
        let finished: Vec<usize> = (0..v.len()).filter(|&k| status[k] == 0.0).collect();
        assert!((3..13).contains(&finished.len()), "{method}: {status:?}");
        for k in finished {
            let expected = (2.0 * v[k]).sin();
            assert!(
                (x1[k] - expected).abs() < 1e-6,
                "{method}: v = {}: {}",
                v[k],
                x1[k]
            );
        }
    }
}
