//! Nine motions with known final states: pendulum chains, sleighs, a disk, a snakeboard, a ball and
//! a tractor with trailers.

use rattleback_compile::program::Program;
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A vector field with an initial state and the state that it leads to.
pub struct Problem {
    pub name: &'static str,
    pub program: Program,
    pub end: f64,
    pub start: Vec<f64>,
    /// The state at the end, from an integration in extended precision.
    pub reference: Vec<f64>,
}

impl Problem {
    /// max_i |x_i − ref_i|/(1 + |ref_i|)
    pub fn error(&self, x: &[f64]) -> f64 {
        let pairs = x.iter().zip(&self.reference);
        let errors = pairs.map(|(x, r)| (x - r).abs() / (1.0 + r.abs()));
        errors.fold(0.0, f64::max)
    }
}

pub fn problems() -> Vec<Problem> {
    let programs = [
        ("pendulum2", pendulum(2)),
        ("pendulum4", pendulum(4)),
        ("pendulum8", pendulum(8)),
        ("sleigh", sleigh(false)),
        ("sleigh_forced", sleigh(true)),
        ("disk", disk()),
        ("snakeboard", snakeboard()),
        ("chaplygin_ball", chaplygin_ball()),
        ("trailers3", trailers(3)),
    ];
    let with_data = |(name, program)| {
        let (end, start, reference) = data(name);
        Problem {
            name,
            program,
            end,
            start: start.to_vec(),
            reference: reference.to_vec(),
        }
    };
    programs.into_iter().map(with_data).collect()
}

pub fn problem(name: &str) -> Problem {
    let found = problems().into_iter().find(|p| p.name == name);
    found.expect("one of the nine problems")
}

fn symbols(n: usize) -> Vec<Symbol> {
    (0..n).map(|i| Symbol::variable(&format!("x{i}"))).collect()
}

fn expressions(symbols: &[Symbol]) -> Vec<Expr> {
    symbols.iter().map(Expr::from).collect()
}

/// The program of x' = rates, after `stages`.
pub fn field(state: &[Symbol], stages: &[Stage], rates: &[Expr]) -> Program {
    let mut inputs = vec![Symbol::time()];
    inputs.extend_from_slice(state);
    Program::new(&inputs, &[], stages, rates).expect("all symbols are inputs")
}

fn time() -> Expr {
    Expr::from(Symbol::time())
}

/// A chain of `n` point masses, absolute angles from the downward vertical.
pub fn pendulum(n: usize) -> Program {
    let state = symbols(2 * n);
    let x = expressions(&state);
    let (angle, rate) = x.split_at(n);
    let mu = |i: usize, j: usize| Expr::from((n - i.max(j)) as i64);
    let gravity = Expr::ratio(981, 100);
    let matrix = Matrix::new(n, n, |i, j| mu(i, j) * (&angle[i] - &angle[j]).cos());
    let rhs = (0..n).map(|i| {
        let others = (0..n).filter(|&j| j != i);
        let turning: Expr = others
            .map(|j| mu(i, j) * (&angle[i] - &angle[j]).sin() * rate[j].powi(2))
            .sum();
        -mu(i, i) * &gravity * angle[i].sin() - turning
    });
    let rhs: Vec<Expr> = rhs.collect();
    let unknowns: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("a{i}"))).collect();
    let mut rates = rate.to_vec();
    rates.extend(expressions(&unknowns));
    let stage = Stage::Linear {
        unknowns,
        matrix,
        rhs,
    };
    field(&state, &[stage], &rates)
}

pub fn sleigh(forced: bool) -> Program {
    let (mass, arm) = (Expr::one(), Expr::ratio(1, 5));
    let inertia = Expr::ratio(29, 100);
    let state = symbols(5);
    let x = expressions(&state);
    let (heading, v, w) = (&x[2], &x[3], &x[4]);
    let torque = if forced {
        Expr::ratio(1, 2) * (2 * time()).cos()
    } else {
        Expr::zero()
    };
    let rates = [
        v * heading.cos(),
        v * heading.sin(),
        w.clone(),
        &arm * w.powi(2),
        (torque - mass * &arm * v * w) / inertia,
    ];
    field(&state, &[], &rates)
}

pub fn disk() -> Program {
    let state = symbols(6);
    let x = expressions(&state);
    let rates = [
        &x[4] * x[3].cos(),
        &x[4] * x[3].sin(),
        x[4].clone(),
        x[5].clone(),
        Expr::zero(),
        Expr::zero(),
    ];
    field(&state, &[], &rates)
}

pub fn snakeboard() -> Program {
    let r = |n, d| Expr::ratio(n, d);
    let (mass, board, rotor, wheel, length) =
        (r(6, 1), r(16, 1000), r(72, 1000), r(13, 10000), r(1, 5));
    let total = &board + &rotor + 2 * &wheel;
    let state = symbols(8);
    let x = expressions(&state);
    let (heading, steering, s, rotor_rate, steering_rate) = (&x[2], &x[4], &x[5], &x[6], &x[7]);
    let (cosine, sine) = (steering.cos(), steering.sin());
    let driven = (3 * time()).sin();
    let arm = &mass * length.powi(2);
    let matrix = Matrix::from_rows(&[
        vec![
            &arm * cosine.powi(2) + &total * sine.powi(2),
            &rotor * &sine,
        ],
        vec![&rotor * &sine, rotor.clone()],
    ]);
    let rhs = vec![
        -(&total - &arm) * &sine * &cosine * steering_rate * s,
        r(1, 20) * &driven - &rotor * &cosine * steering_rate * s,
    ];
    let unknowns = vec![Symbol::variable("ds"), Symbol::variable("dpsi")];
    let forward = &length * &cosine * s;
    let rates = [
        &forward * heading.cos(),
        &forward * heading.sin(),
        &sine * s,
        rotor_rate.clone(),
        steering_rate.clone(),
        Expr::from(&unknowns[0]),
        Expr::from(&unknowns[1]),
        r(-54, 10) * &driven,
    ];
    let stage = Stage::Linear {
        unknowns,
        matrix,
        rhs,
    };
    field(&state, &[stage], &rates)
}

pub fn chaplygin_ball() -> Program {
    let state = symbols(6);
    let x = expressions(&state);
    let (momentum, vertical) = x.split_at(3);
    let inverse = [(10, 13), (10, 14), (10, 15)].map(|(n, d)| Expr::ratio(n, d));
    let scaled = |v: &[Expr]| -> Vec<Expr> { v.iter().zip(&inverse).map(|(v, a)| a * v).collect() };
    let dot = |a: &[Expr], b: &[Expr]| -> Expr { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let (am, av) = (scaled(momentum), scaled(vertical));
    let factor = dot(vertical, &am) / (1 - dot(vertical, &av));
    let spin: Vec<Expr> = am.iter().zip(&av).map(|(m, v)| m + &factor * v).collect();
    let cross = |a: &[Expr], b: &[Expr]| {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
    };
    let rates: Vec<Expr> = cross(momentum, &spin)
        .into_iter()
        .chain(cross(vertical, &spin))
        .collect();
    field(&state, &[], &rates)
}

pub fn trailers(k: usize) -> Program {
    let state = symbols(k + 5);
    let x = expressions(&state);
    let angle = &x[2..k + 3];
    let (v, w) = (&x[k + 3], &x[k + 4]);
    let inertia = Expr::ratio(1, 10);
    let (mut g, mut h) = (vec![Expr::one()], Vec::new());
    let mut turning = vec![w.clone()];
    for i in 1..=k {
        let bend = &angle[i - 1] - &angle[i];
        h.push(&g[i - 1] * bend.sin());
        g.push(&g[i - 1] * bend.cos());
        turning.push(v * &h[i - 1]);
    }
    let (mut g_rate, mut h_rate) = (vec![Expr::zero()], Vec::new());
    for i in 1..=k {
        let bend = &angle[i - 1] - &angle[i];
        let bending = &turning[i - 1] - &turning[i];
        h_rate.push(&g_rate[i - 1] * bend.sin() + &g[i - 1] * bend.cos() * &bending);
        g_rate.push(&g_rate[i - 1] * bend.cos() - &g[i - 1] * bend.sin() * &bending);
    }
    let squares = |v: &[Expr]| -> Expr { v.iter().map(|e| e.powi(2)).sum() };
    let dot = |a: &[Expr], b: &[Expr]| -> Expr { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let metric = squares(&g) + &inertia * squares(&h);
    let friction = dot(&g[1..], &g_rate[1..]) + &inertia * dot(&h, &h_rate);
    let mut rates = vec![v * angle[0].cos(), v * angle[0].sin()];
    rates.extend(turning);
    rates.push((Expr::ratio(1, 2) * time().sin() - friction * v) / metric);
    rates.push(Expr::ratio(1, 5) * (time() / 2).cos());
    field(&state, &[], &rates)
}

/// Final time, initial state, final state.
fn data(name: &str) -> (f64, &'static [f64], &'static [f64]) {
    match name {
        "pendulum2" => (
            50.0,
            &[0.5, 0.5, 0.0, 0.0],
            &[
                0.14601045991583403,
                0.10813652462931043,
                0.681253306419825,
                1.8109374894788912,
            ],
        ),
        "pendulum4" => (
            50.0,
            &[0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0],
            &[
                0.46503105600297734,
                0.4846732784203485,
                0.46860523473243,
                0.48074044818267575,
                0.45311208639482403,
                0.08932186200678068,
                0.2296115696307673,
                0.39233968433952576,
            ],
        ),
        "pendulum8" => (
            50.0,
            &[
                0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
            ],
            &[
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
            ],
        ),
        "sleigh" => (
            40.0,
            &[0.0, 0.0, 0.0, -1.0, 0.1],
            &[
                -14.306420367691214,
                27.57317575698906,
                8.314137021311641,
                1.0014489502715553,
                1.3890206297468012e-10,
            ],
        ),
        "sleigh_forced" => (
            100.0,
            &[0.0, 0.0, 0.0, 0.5, 0.0],
            &[
                279.622789747849,
                24.716077227960692,
                -0.14827466370930625,
                4.443141389751816,
                -0.03306329572598333,
            ],
        ),
        "disk" => (
            100.0,
            &[0.0, 0.0, 0.0, 0.0, 1.0, 0.7],
            &[
                1.1055581165112662,
                0.5238297098767096,
                100.0,
                70.0,
                1.0,
                0.7,
            ],
        ),
        "snakeboard" => (
            20.0,
            &[0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 1.7999999999999998],
            &[
                -0.7064516897882589,
                -0.07290655049997269,
                -0.06799576642202516,
                4.721144734099666,
                -0.1828863726613371,
                -0.8669527829814818,
                0.2942759921147894,
                -1.7143433647472819,
            ],
        ),
        "chaplygin_ball" => (
            100.0,
            &[1.0, 0.5, -0.3, 0.48, 0.6, 0.64],
            &[
                1.031539581594279,
                0.02131479125867039,
                0.5248540475959953,
                0.4884394873088707,
                -0.8505573109162716,
                0.1948823442088287,
            ],
        ),
        "trailers3" => (
            50.0,
            &[0.0, 0.0, 0.0, 0.1, 0.2, 0.30000000000000004, 1.0, 0.0],
            &[
                33.26474234354913,
                34.52238818079528,
                0.007037750509221125,
                0.19601457282498605,
                0.45908439040489124,
                0.740278356007262,
                0.9535385481392159,
                -0.05294070003910921,
            ],
        ),
        _ => (0.0, &[], &[]),
    }
}
