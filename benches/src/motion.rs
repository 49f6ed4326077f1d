//! The motions that are measured beside other tools: the same right-hand sides, starts and horizons.

use rattleback_compile::program::Program;
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Matrix, MissingInput, Rational, Symbol};

/// x' = f(t, x) from a start over a horizon.
#[derive(Clone, Debug)]
pub struct MotionProblem {
    /// Its name in the scripts.
    pub name: &'static str,
    /// The state.
    pub state: Vec<Symbol>,
    /// Linear solves before the rates.
    pub stages: Vec<Stage>,
    /// The rates.
    pub rates: Vec<Expr>,
    /// The start state, at time 0.
    pub start: Vec<f64>,
    /// The end time.
    pub until: f64,
    /// The state at the end, from extended precision.
    pub reference: Vec<f64>,
}

impl MotionProblem {
    /// All of them.
    pub fn all() -> Vec<Self> {
        vec![
            pendulum("pendulum2", 2, &PENDULUM_2),
            pendulum("pendulum4", 4, &PENDULUM_4),
            pendulum("pendulum8", 8, &PENDULUM_8),
            sleigh(false),
            sleigh(true),
            disk(),
            snakeboard(),
            chaplygin_ball(),
            trailers(),
        ]
    }

    /// The one of a name; also the chain of 16 links, which is only compiled and has no reference.
    pub fn named(name: &str) -> Option<Self> {
        let longest = pendulum("pendulum16", 16, &[]);
        let mut all = Self::all().into_iter().chain([longest]);
        all.find(|p| p.name == name)
    }

    /// The rates as a program of (t, x).
    pub fn program(&self) -> Result<Program, MissingInput> {
        field(&self.state, &self.stages, &self.rates)
    }

    /// The [`largest_error`] at the end.
    pub fn error(&self, end: &[f64]) -> f64 {
        largest_error(end, &self.reference)
    }
}

/// max |x_i − ref_i| / (1 + |ref_i|); infinite where numbers are missing.
pub fn largest_error(found: &[f64], reference: &[f64]) -> f64 {
    if found.len() != reference.len() {
        return f64::INFINITY;
    }
    let pairs = found.iter().zip(reference);
    let errors = pairs.map(|(x, r)| (x - r).abs() / (1.0 + r.abs()));
    errors.fold(0.0, f64::max)
}

/// The program of (t, x) for x' = rates after the stages.
pub fn field(state: &[Symbol], stages: &[Stage], rates: &[Expr]) -> Result<Program, MissingInput> {
    let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
        .chain(state.iter().cloned())
        .collect();
    Program::new(&inputs, &[], stages, rates)
}

/// x0, x1, … as symbols and expressions.
fn state(n: usize) -> (Vec<Symbol>, Vec<Expr>) {
    let symbols: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("x{i}"))).collect();
    let values = symbols.iter().map(Expr::from).collect();
    (symbols, values)
}

fn number(numerator: i64, denominator: i64) -> Expr {
    Rational::new(numerator, denominator).into()
}

fn time() -> Expr {
    (&Symbol::time()).into()
}

fn solved(matrix: Matrix, rhs: Vec<Expr>) -> (Stage, Vec<Expr>) {
    let unknowns: Vec<Symbol> = (0..rhs.len())
        .map(|i| Symbol::variable(&format!("a{i}")))
        .collect();
    let values = unknowns.iter().map(Expr::from).collect();
    let stage = Stage::Linear {
        unknowns,
        matrix,
        rhs,
    };
    (stage, values)
}

/// A planar chain of point masses, in absolute angles.
fn pendulum(name: &'static str, n: usize, reference: &[f64]) -> MotionProblem {
    let (symbols, x) = state(2 * n);
    let (angle, rate) = x.split_at(n);
    let mu = |i: usize, j: usize| Expr::from((n - i.max(j)) as i64);
    let matrix = Matrix::new(n, n, |i, j| mu(i, j) * (&angle[i] - &angle[j]).cos());
    let rhs = (0..n).map(|i| {
        let weight = -(mu(i, i) * number(981, 100) * angle[i].sin());
        (0..n).fold(weight, |sum, j| {
            sum - mu(i, j) * (&angle[i] - &angle[j]).sin() * rate[j].powi(2)
        })
    });
    let (stage, accelerations) = solved(matrix, rhs.collect());
    MotionProblem {
        name,
        rates: [rate, &accelerations].concat(),
        stages: vec![stage],
        start: [vec![0.5; n], vec![0.0; n]].concat(),
        until: 50.0,
        reference: reference.to_vec(),
        state: symbols,
    }
}

fn sleigh(forced: bool) -> MotionProblem {
    let (symbols, x) = state(5);
    let (a, j) = (number(1, 5), number(29, 100));
    let torque = if forced {
        number(1, 2) * (2 * time()).cos()
    } else {
        Expr::zero()
    };
    let (theta, v, w) = (&x[2], &x[3], &x[4]);
    MotionProblem {
        name: if forced { "sleigh_forced" } else { "sleigh" },
        rates: vec![
            v * theta.cos(),
            v * theta.sin(),
            w.clone(),
            &a * w.powi(2),
            (torque - &a * v * w) / j,
        ],
        stages: Vec::new(),
        start: if forced {
            vec![0.0, 0.0, 0.0, 0.5, 0.0]
        } else {
            vec![0.0, 0.0, 0.0, -1.0, 0.1]
        },
        until: if forced { 100.0 } else { 40.0 },
        reference: if forced { &SLEIGH_FORCED } else { &SLEIGH }.to_vec(),
        state: symbols,
    }
}

fn disk() -> MotionProblem {
    let (symbols, x) = state(6);
    MotionProblem {
        name: "disk",
        rates: vec![
            &x[4] * x[3].cos(),
            &x[4] * x[3].sin(),
            x[4].clone(),
            x[5].clone(),
            Expr::zero(),
            Expr::zero(),
        ],
        stages: Vec::new(),
        start: vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.7],
        until: 100.0,
        reference: DISK.to_vec(),
        state: symbols,
    }
}

fn snakeboard() -> MotionProblem {
    let (symbols, x) = state(8);
    let (m, board, rotor, wheel, r) = (
        Expr::from(6),
        number(16, 1000),
        number(72, 1000),
        number(13, 10000),
        number(1, 5),
    );
    let total = board + &rotor + 2 * &wheel;
    let lever = &m * r.powi(2);
    let (theta, phi, s, spin, steer) = (&x[2], &x[4], &x[5], &x[6], &x[7]);
    let (cosine, sine) = (phi.cos(), phi.sin());
    let drive = (3 * time()).sin();
    let inertia = &lever * cosine.powi(2) + &total * sine.powi(2);
    let matrix = Matrix::new(2, 2, |i, j| match (i, j) {
        (0, 0) => inertia.clone(),
        (1, 1) => rotor.clone(),
        _ => &rotor * &sine,
    });
    let rhs = vec![
        -((&total - &lever) * &sine * &cosine * steer * s),
        number(1, 20) * &drive - &rotor * &cosine * steer * s,
    ];
    let (stage, a) = solved(matrix, rhs);
    let forward = r * &cosine * s;
    MotionProblem {
        name: "snakeboard",
        rates: vec![
            &forward * theta.cos(),
            &forward * theta.sin(),
            &sine * s,
            spin.clone(),
            steer.clone(),
            a[0].clone(),
            a[1].clone(),
            number(-54, 10) * drive,
        ],
        stages: vec![stage],
        start: vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.6 * 3.0],
        until: 20.0,
        reference: SNAKEBOARD.to_vec(),
        state: symbols,
    }
}

fn chaplygin_ball() -> MotionProblem {
    let (symbols, x) = state(6);
    let (k, g) = x.split_at(3);
    let inverse = [number(10, 13), number(10, 14), number(10, 15)];
    let ak: Vec<Expr> = (0..3).map(|i| &inverse[i] * &k[i]).collect();
    let ag: Vec<Expr> = (0..3).map(|i| &inverse[i] * &g[i]).collect();
    let dot = |a: &[Expr], b: &[Expr]| &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2];
    let c = dot(g, &ak) / (1 - dot(g, &ag));
    let w: Vec<Expr> = (0..3).map(|i| &ak[i] + &c * &ag[i]).collect();
    let cross = |a: &[Expr], b: &[Expr]| -> Vec<Expr> {
        [(1, 2), (2, 0), (0, 1)]
            .iter()
            .map(|&(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
            .collect()
    };
    MotionProblem {
        name: "chaplygin_ball",
        rates: [cross(k, &w), cross(g, &w)].concat(),
        stages: Vec::new(),
        start: vec![1.0, 0.5, -0.3, 0.48, 0.6, 0.64],
        until: 100.0,
        reference: CHAPLYGIN_BALL.to_vec(),
        state: symbols,
    }
}

fn trailers() -> MotionProblem {
    const K: usize = 3;
    let (symbols, x) = state(K + 5);
    let heading = &x[2..3 + K];
    let (v, w) = (&x[3 + K], &x[4 + K]);
    let bend: Vec<Expr> = (1..=K).map(|i| &heading[i - 1] - &heading[i]).collect();
    let (mut g, mut h) = (vec![Expr::one()], Vec::new());
    for e in &bend {
        h.push(&g[g.len() - 1] * e.sin());
        g.push(&g[g.len() - 1] * e.cos());
    }
    let turning: Vec<Expr> = std::iter::once(w.clone())
        .chain(h.iter().map(|h| v * h))
        .collect();
    let (mut g_rate, mut h_rate) = (vec![Expr::zero()], Vec::new());
    for (i, e) in bend.iter().enumerate() {
        let rate = &turning[i] - &turning[i + 1];
        h_rate.push(&g_rate[i] * e.sin() + &g[i] * e.cos() * &rate);
        g_rate.push(&g_rate[i] * e.cos() - &g[i] * e.sin() * &rate);
    }
    let inertia = number(1, 10);
    let mass =
        Expr::sum(g.iter().map(|g| g.powi(2))) + &inertia * Expr::sum(h.iter().map(|h| h.powi(2)));
    let bias = Expr::sum(g.iter().zip(&g_rate).map(|(g, r)| g * r))
        + &inertia * Expr::sum(h.iter().zip(&h_rate).map(|(h, r)| h * r));
    let force = number(1, 2) * time().sin();
    let torque = number(1, 50) * (time() / 2).cos();
    let mut rates = vec![v * heading[0].cos(), v * heading[0].sin()];
    rates.extend(turning);
    rates.push((force - bias * v) / mass);
    rates.push(torque / inertia);
    MotionProblem {
        name: "trailers3",
        rates,
        stages: Vec::new(),
        start: vec![0.0, 0.0, 0.0, 0.1, 0.2, 0.1 * 3.0, 1.0, 0.0],
        until: 50.0,
        reference: TRAILERS.to_vec(),
        state: symbols,
    }
}

const PENDULUM_2: [f64; 4] = [
    0.14601045991583403,
    0.10813652462931043,
    0.681253306419825,
    1.8109374894788912,
];
const PENDULUM_4: [f64; 8] = [
    0.46503105600297734,
    0.4846732784203485,
    0.46860523473243,
    0.48074044818267575,
    0.45311208639482403,
    0.08932186200678068,
    0.2296115696307673,
    0.39233968433952576,
];
const PENDULUM_8: [f64; 16] = [
    0.2602536159056066,
    0.28242693532612745,
    0.28011334420233336,
    0.3144155396255902,
    0.373670861053518,
    0.36780277145717966,
    0.41649520356044717,
    0.6962284562676335,
    0.09513250213132833,
    -0.23489146510311978,
    -0.3290420846206303,
    -0.7940557439236225,
    -0.606100282073535,
    -1.1349982743184686,
    -1.2007781748462976,
    0.07210570932843163,
];
const SLEIGH: [f64; 5] = [
    -14.306420367691214,
    27.57317575698906,
    8.314137021311641,
    1.0014489502715553,
    1.3890206297468012e-10,
];
const SLEIGH_FORCED: [f64; 5] = [
    279.622789747849,
    24.716077227960692,
    -0.14827466370930625,
    4.443141389751816,
    -0.03306329572598333,
];
const DISK: [f64; 6] = [
    1.1055581165112662,
    0.5238297098767096,
    100.0,
    70.0,
    1.0,
    0.7,
];
const SNAKEBOARD: [f64; 8] = [
    -0.7064516897882589,
    -0.07290655049997269,
    -0.06799576642202516,
    4.721144734099666,
    -0.1828863726613371,
    -0.8669527829814818,
    0.2942759921147894,
    -1.7143433647472819,
];
const CHAPLYGIN_BALL: [f64; 6] = [
    1.031539581594279,
    0.02131479125867039,
    0.5248540475959953,
    0.4884394873088707,
    -0.8505573109162716,
    0.1948823442088287,
];
const TRAILERS: [f64; 8] = [
    33.26474234354913,
    34.52238818079528,
    0.007037750509221125,
    0.19601457282498605,
    0.45908439040489124,
    0.740278356007262,
    0.9535385481392159,
    -0.05294070003910921,
];
