//! Values at the start against the tables of the theory documents.
#![allow(clippy::excessive_precision)] // Values as the tables print them.

use crate::common::{all_close, close, derived, shipped, written};

/// Formulations whose state has the velocities of the coordinates.
const IN_VELOCITIES: [&str; 5] = [
    "lagrange-dalembert",
    "newton",
    "projection",
    "projection-principle",
    "hamilton-dalembert",
];

/// A point of NG table 4: a model in coordinates with the frame of the table.
struct Point<'a> {
    model: String,
    velocities: &'a [&'a str],
    v: &'a [f64],
    acceleration: &'a [f64],
    multipliers: &'a [f64],
    /// Rates of the frame velocities, where the model declares the frame of the table.
    frame_rates: &'a [f64],
    energy: f64,
    momenta: &'a [f64],
    momentum_rates: &'a [f64],
    /// {P_a, P_b} for a < b with the sign of the table, which is opposite to ours.
    brackets: &'a [f64],
}

impl Point<'_> {
    fn check(&self) {
        for form in IN_VELOCITIES {
            let result = derived(&self.model, Some(form), &[]);
            let at_start = &result["at_start"];
            all_close(&at_start["state"], self.velocities, self.v);
            all_close(&at_start["rates"], self.velocities, self.acceleration);
            close("energy", &at_start["energy"], self.energy);
        }
        for form in [
            "lagrange-dalembert",
            "projection-principle",
            "hamel",
            "hamiltonian",
            "distributional",
        ] {
            let result = derived(&self.model, Some(form), &[]);
            for (s, value) in self.multipliers.iter().enumerate() {
                let name = format!("lambda{}", s + 1);
                close(&name, &result["at_start"]["multipliers"][&name], *value);
            }
            close("energy", &result["at_start"]["energy"], self.energy);
        }
        if !self.frame_rates.is_empty() {
            self.check_frame();
        }
    }

    fn check_frame(&self) {
        let numbered = |prefix: &str| -> Vec<String> {
            (1..=self.frame_rates.len())
                .map(|a| format!("{prefix}{a}"))
                .collect()
        };
        let (y, p) = (numbered("y"), numbered("P_y"));
        let y: Vec<&str> = y.iter().map(String::as_str).collect();
        let p: Vec<&str> = p.iter().map(String::as_str).collect();
        for form in ["hamel", "distributional"] {
            let result = derived(&self.model, Some(form), &[]);
            all_close(&result["at_start"]["rates"], &y, self.frame_rates);
            all_close(&result["at_start"]["momenta"], &p, self.momenta);
        }
        let result = derived(&self.model, Some("almost-poisson"), &[]);
        let at_start = &result["at_start"];
        all_close(&at_start["state"], &p, self.momenta);
        all_close(&at_start["rates"], &p, self.momentum_rates);
        close("energy", &at_start["energy"], self.energy);
        let coordinates = result["coordinates"].as_array().unwrap();
        let place = |name: &str| coordinates.iter().position(|c| c == name).unwrap();
        let mut brackets = self.brackets.iter();
        for a in 0..p.len() {
            for b in a + 1..p.len() {
                let found = &at_start["matrix"][place(p[a])][place(p[b])];
                close("bracket", found, -brackets.next().unwrap());
            }
        }
    }
}

#[test]
fn ng_a_particle() {
    Point {
        model: written(
            "ng_a",
            "system particle\nparam m = 1.3, kappa = 0.4, g = 0.7, ks = 0.9\ncoord x, y, z\n\
             kinetic m/2*(x'^2 + y'^2 + z'^2)\npotential g*z + ks/2*(x^2 + y^2)\n\
             constraint z' - y*x' - kappa*x*y' = 0\n\
             frame Z1 = (x: 1, z: y)\nframe Z2 = (y: 1, z: kappa*x)\n\
             start x = 0.3, y = -0.6, z = 0.2, x' = 0.5, y' = 0.8\n",
        ),
        velocities: &["x'", "y'", "z'"],
        v: &[0.5, 0.8, -0.204],
        acceleration: &[
            0.34800752216351751,
            0.30424464941345034,
            0.38770484463150354,
        ],
        multipliers: &[1.2040162980209546],
        frame_rates: &[0.34800752216351751, 0.30424464941345034],
        energy: 0.9480504,
        momenta: &[0.80912, 1.008176],
        momentum_rates: &[-0.06216, 0.40296],
        brackets: &[0.15912],
    }
    .check();
}

#[test]
fn ng_b_sleigh_on_an_incline() {
    Point {
        model: written(
            "ng_b",
            "system sleigh\nparam m = 1.7, J = 0.9, a = 0.6, gs = 0.8\ncoord x, y\ncoord theta : angle\n\
             kinetic m/2*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2) + J/2*theta'^2\n\
             potential m*gs*(x + a*cos(theta))\n\
             constraint -sin(theta)*x' + cos(theta)*y' = 0\n\
             frame Z1 = (x: cos(theta), y: sin(theta))\nframe Z2 = (theta: 1)\n\
             start x = 0.1, y = -0.2, theta = 0.7, x' = -0.4*cos(0.7), theta' = 1.1\n",
        ),
        velocities: &["x'", "y'", "theta'"],
        v: &[-0.30593687491379537, -0.25768707489507642, 1.1],
        acceleration: &[0.37074435319302629, -0.26300841346599527, 0.64449843438224597],
        multipliers: &[-0.96674765157336895],
        frame_rates: &[0.11412625017240926, 0.64449843438224597],
        energy: 1.8108712248241426,
        momenta: &[-0.68, 1.6632],
        momentum_rates: &[0.19401462529309574, 0.9744816327859559],
        brackets: &[-1.122],
    }
    .check();
}

#[test]
fn ng_c_disk_on_an_incline() {
    Point {
        model: written(
            "ng_c",
            "system disk\nparam m = 1.1, I = 0.7, J = 0.4, R = 0.8, gs = 0.5\ncoord x, y\ncoord theta, phi : angle\n\
             kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2\npotential m*gs*x\n\
             constraint x' - R*cos(phi)*theta' = 0\nconstraint y' - R*sin(phi)*theta' = 0\n\
             frame Z1 = (x: R*cos(phi), y: R*sin(phi), theta: 1)\nframe Z2 = (phi: 1)\n\
             start x = 0.2, y = 0.1, theta = 0.5, phi = 0.4, theta' = 0.6, phi' = 1.2\n",
        ),
        velocities: &["x'", "y'", "theta'", "phi'"],
        v: &[0.44210927712138484, 0.18692080430815224, 0.6, 1.2],
        acceleration: &[-0.4369975441192849, 0.44060615248988118, -0.28865159356215772, 0.0],
        multipliers: &[0.069302701468786609, 0.48466676773886929],
        frame_rates: &[-0.28865159356215772, 0.0],
        energy: 0.65072,
        momenta: &[0.8424, 0.48],
        momentum_rates: &[-0.40526683736126944, 0.0],
        brackets: &[0.0],
    }
    .check();
}

#[test]
fn ng_d_rolling_ball_in_euler_angles() {
    Point {
        model: written(
            "ng_d",
            "system ball\nparam m = 1.2, r = 0.9, I1 = 0.5, gs = 0.3\ncoord x, y\ncoord phi, theta, psi : angle\n\
             let W1 = phi'*sin(theta)*sin(psi) + theta'*cos(psi)\n\
             let W2 = phi'*sin(theta)*cos(psi) - theta'*sin(psi)\n\
             let W3 = phi'*cos(theta) + psi'\n\
             kinetic m/2*(x'^2 + y'^2) + I1/2*(W1^2 + W2^2 + W3^2)\npotential m*gs*x\n\
             constraint x' - r*(theta'*sin(phi) - psi'*sin(theta)*cos(phi)) = 0\n\
             constraint y' + r*(theta'*cos(phi) + psi'*sin(theta)*sin(phi)) = 0\n\
             start x = 0.1, y = 0.2, phi = 0.3, theta = 1.2, psi = 0.5\n\
             start x' = -0.36, y' = -0.81, phi' = 0.34803087964554698\n",
        ),
        velocities: &["x'", "y'", "phi'", "theta'", "psi'"],
        v: &[-0.36, -0.81, 0.34803087964554698, 0.74159475754850959, 0.69536008886674256],
        acceleration: &[
            -0.19809782608695652,
            0.0,
            0.37118165831260374,
            -0.29060634842387947,
            0.30204394843525432,
        ],
        multipliers: &[0.12228260869565217, 0.0],
        frame_rates: &[],
        energy: 0.83992,
        momenta: &[],
        momentum_rates: &[],
        brackets: &[],
    }
    .check();
}

#[test]
fn ng_e_suslov_on_the_rotation_group() {
    let result = derived(&shipped("suslov"), None, &[]);
    let at_start = &result["at_start"];
    all_close(
        &at_start["rates"],
        &["w[1]", "w[2]", "w[3]"],
        &[0.075, 0.2 / 3.0, 0.0],
    );
    close(
        "lambda1",
        &at_start["multipliers"]["lambda1"],
        -0.42583333333333333,
    );
    close("energy", &at_start["energy"], 1.18);
}

#[test]
fn ng_f_a_metric_that_varies_everywhere() {
    Point {
        model: written(
            "ng_f",
            "system curved\ncoord x, y, z\n\
             kinetic ((2 + sin(y))*x'^2 + (1.5 + z^2)*y'^2 + (1 + x^2)*z'^2)/2 + 0.3*x*x'*y' + 0.2*y'*z'\n\
             potential x*y + cos(z)\n\
             constraint z' - (y + x*z/2)*x' + x^2/3*y' = 0\n\
             frame Z1 = (x: 1, z: y + x*z/2)\nframe Z2 = (y: 1, z: -x^2/3)\n\
             start x = 0.4, y = 0.3, z = -0.5, x' = 0.7, y' = -0.9\n",
        ),
        velocities: &["x'", "y'", "z'"],
        v: &[0.7, -0.9, 0.188],
        acceleration: &[0.11916747351026624, -0.21354186526044012, -0.52295760581738994],
        multipliers: &[0.34036634280394264],
        frame_rates: &[0.11916747351026624, -0.21354186526044012],
        energy: 2.1797945325224009,
        momenta: &[1.5064801446629377, -1.4554309333333333],
        momentum_rates: &[-0.6912516997208406, -0.12588146477200237],
        brackets: &[-0.04782848],
    }
    .check();
}

#[test]
fn ng_g_snakeboard_on_an_incline() {
    Point {
        model: written(
            "ng_g",
            "system snakeboard\nparam m = 1, r = 1, J0 = 0.25, J1 = 0.125, gs = 0.2\n\
             coord x, y\ncoord theta, psi, phi : angle\n\
             kinetic m/2*(x'^2 + y'^2) + m*r^2/2*theta'^2 + J0/2*psi'^2 + J0*psi'*theta' + J1*phi'^2\n\
             potential m*gs*x\n\
             constraint -sin(theta + phi)*x' + cos(theta + phi)*y' - r*cos(phi)*theta' = 0\n\
             constraint -sin(theta - phi)*x' + cos(theta - phi)*y' + r*cos(phi)*theta' = 0\n\
             frame Z1 = (x: -2*r*cos(phi)^2*cos(theta), y: -2*r*cos(phi)^2*sin(theta), theta: sin(2*phi))\n\
             frame Z2 = (psi: 1)\nframe Z3 = (phi: 1)\n\
             start x = 0.3, y = -0.1, theta = 0.9, psi = 0.2, phi = -0.35\n\
             start theta' = 0.6*sin(-0.7), psi' = 0.5, phi' = -0.4\n",
        ),
        velocities: &["x'", "y'", "theta'", "psi'", "phi'"],
        v: &[-0.65822609762438455, -0.82946902592745995, -0.38653061234261463, 0.5, -0.4],
        acceleration: &[
            -0.31660935338617877,
            0.25947249994245656,
            -0.47764766096062193,
            0.47764766096062193,
            0.0,
        ],
        multipliers: &[0.32514766196839175, -0.056208684475396708],
        frame_rates: &[0.17156221142883444, 0.47764766096062193, 0.0],
        energy: 0.698276860879589,
        momenta: &[2.0372834138366747, 0.028367346914346342, -0.1],
        momentum_rates: &[-0.16630000939441237, 0.0, 0.0],
        brackets: &[0.0, -0.96427177150635137, 0.0],
    }
    .check();
}

/// HJ table 4, D1: energy and reduced momentum at the start, multipliers at t = 2.5, where phi = 2.65.
#[test]
fn hj_d1_vertical_disk() {
    let disk = shipped("vertical_rolling_disk");
    let result = derived(&disk, None, &[]);
    close("energy", &result["at_start"]["energy"], 1.437265);
    close("axle", &result["at_start"]["observed"]["axle"], 1.6099);
    close("p_theta", &result["at_start"]["momenta"]["p_theta"], 0.527);
    let later = derived(&disk, None, &["--set", "phi=2.65", "--set", "theta=4.25"]);
    let multipliers = &later["at_start"]["multipliers"];
    all_close(
        multipliers,
        &["lambda1", "lambda2"],
        &[-0.657208122637903504, -1.22742689132133747],
    );
    let reduced = derived(&disk, Some("chaplygin"), &[]);
    all_close(
        &reduced["at_start"]["state"],
        &["P_phi", "P_theta"],
        &[0.17 * 0.9, 1.6099],
    );
    all_close(
        &reduced["at_start"]["rates"],
        &["P_phi", "P_theta"],
        &[0.0, 0.0],
    );
    close("energy", &reduced["at_start"]["energy"], 1.437265);
}

/// HJ table 4, K1 (released from rest, multiplier at t = 1) and K2 (energy).
#[test]
fn hj_k1_k2_knife_edge() {
    let knife = shipped("knife_edge");
    let speed = 3.9190233752395862 / 1.5;
    let forward = format!("x'={}*cos(1.2)", speed);
    let later = derived(&knife, None, &["--set", "phi=1.2", "--set", &forward]);
    close(
        "lambda1",
        &later["at_start"]["multipliers"]["lambda1"],
        -9.40565610057500689,
    );
    let settings = ["x=0.1", "y=-0.2", "phi=0.3", "x'=0.8*cos(0.3)", "phi'=0.9"];
    let settings: Vec<&str> = settings.iter().flat_map(|s| ["--set", s]).collect();
    let general = derived(&knife, None, &settings);
    close(
        "energy",
        &general["at_start"]["energy"],
        0.13742587632930334,
    );
    close("speed", &general["at_start"]["observed"]["speed"], 0.8);
}

/// HJ table 4, knife edge at x = 0.3, phi = 0.5 with P_x = 1.1, P_phi = 0.4: reduced energy and
/// gyroscopic form. P_x = m x' / cos(phi)^2 on the constraint.
#[test]
fn hj_knife_edge_reduced() {
    let settings = ["x=0.3", "phi=0.5", "x'=1.1*cos(0.5)^2/1.5", "phi'=1"];
    let settings: Vec<&str> = settings.iter().flat_map(|s| ["--set", s]).collect();
    let reduced = derived(&shipped("knife_edge"), Some("chaplygin"), &settings);
    let at_start = &reduced["at_start"];
    all_close(&at_start["state"], &["P_x", "P_phi"], &[1.1, 0.4]);
    close("energy", &at_start["energy"], -1.0030947393286818);
    close(
        "gyroscopic",
        &at_start["extras"]["gyroscopic[x,phi]"],
        0.600932738828169565,
    );
}

/// HJ table 4, S1: energy, and that the multipliers of the wheel forms give m x'' and m y''.
#[test]
fn hj_s1_snakeboard() {
    let result = derived(&shipped("snakeboard"), None, &[]);
    let at_start = &result["at_start"];
    close("energy", &at_start["energy"], 0.845488209022753986);
    close("rotor", &at_start["observed"]["rotor"], -0.015);
    for coordinate in ["x", "y"] {
        let acceleration = at_start["rates"][format!("{coordinate}'")]
            .as_f64()
            .unwrap();
        close(
            "reaction",
            &at_start["reactions"][coordinate],
            1.7 * acceleration,
        );
    }
}

/// HJ table 4, C1: energy at the start; multiplier at t = 1.5 from the state there.
#[test]
fn hj_c1_sleigh() {
    let sleigh = shipped("chaplygin_sleigh");
    let start = derived(&sleigh, None, &[]);
    close("energy", &start["at_start"]["energy"], 1.45844);
    close("x''", &start["at_start"]["rates"]["x'"], 0.3 * 1.9 * 1.9);
    let (theta, u, p) = (2.44127111740271352, 1.213995328438733, 0.963253567922825418);
    let settings = [
        format!("theta={theta}"),
        format!("x'={u}*cos({theta})"),
        format!("theta'={p}/(0.7 + 0.3^2*1.2)"),
    ];
    let settings: Vec<&str> = settings.iter().flat_map(|s| ["--set", s]).collect();
    let later = derived(&sleigh, None, &settings);
    close(
        "lambda1",
        &later["at_start"]["multipliers"]["lambda1"],
        -1.50457626475132884,
    );
    close("energy", &later["at_start"]["energy"], 1.45844);
    close("speed", &later["at_start"]["observed"]["speed"], u);
}
