//! The indirect route against the oracles of optimal control: extremals from tabulated costates, two-point problems,
//! free ends and numbers, conditions on the way, conjugate points.

use rattleback_compile::StartState;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_control::indirect::{self, Extremal, IndirectGuess, IndirectOptions, SecondOrder};
use rattleback_language::{Source, parse};
use rattleback_mechanics::{Form, Problem};
use rattleback_symbolic::{Expr, Symbol};

fn problem(text: &str) -> Problem {
    let model = parse(&Source::new("test.mech", text))
        .model
        .expect("a model");
    Problem::for_form(&model, Some(Form::Optimality)).expect("a problem")
}

/// The flow of the form `optimality` from the start of the model, by the classical Runge-Kutta rule.
struct Flow {
    times: Vec<f64>,
    rows: Vec<Vec<f64>>,
    states: usize,
    hamiltonian: Vec<f64>,
    controls: Vec<Vec<f64>>,
}

fn flow(problem: &Problem, until: f64, steps: usize) -> Flow {
    let system = problem.steered();
    let equations = system.equations(Form::Optimality).expect("conditions");
    let start = StartState::of(problem, &system).expect("a start");
    let state = start.state_of(&equations).expect("a state");
    let constants: Vec<(Symbol, f64)> = start
        .constants
        .iter()
        .cloned()
        .zip(start.constant_values.iter().copied())
        .collect();
    let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
        .chain(equations.state.iter().cloned())
        .collect();
    let steering = system.steering().expect("a control system");
    let shown: Vec<Expr> = steering
        .unknowns()
        .iter()
        .map(Expr::from)
        .chain([equations.energy.clone()])
        .collect();
    let program = |all: &[Expr]| {
        Interpreter::new(
            Program::new(&inputs, &constants, &equations.stages, all).expect("a program"),
        )
    };
    let (rates, shown) = (program(&equations.rates), program(&shown));
    let at = |t: f64, x: &[f64]| rates.values(&[&[t], x].concat()).expect("rates");
    let h = until / steps as f64;
    let plus = |x: &[f64], d: &[f64], part: f64| -> Vec<f64> {
        x.iter().zip(d).map(|(x, d)| x + part * d).collect()
    };
    let mut x = state;
    let (mut times, mut rows) = (vec![0.0], vec![x.clone()]);
    for k in 0..steps {
        let t = h * k as f64;
        let a = at(t, &x);
        let b = at(t + h / 2.0, &plus(&x, &a, h / 2.0));
        let c = at(t + h / 2.0, &plus(&x, &b, h / 2.0));
        let d = at(t + h, &plus(&x, &c, h));
        let slopes = a.iter().zip(&b).zip(c.iter().zip(&d));
        for (x, ((a, b), (c, d))) in x.iter_mut().zip(slopes) {
            *x += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        }
        times.push(t + h);
        rows.push(x.clone());
    }
    let costates = system.costate_symbols().len();
    let (mut hamiltonian, mut controls) = (Vec::new(), Vec::new());
    for (t, x) in times.iter().zip(&rows) {
        let mut values = shown.values(&[&[*t], &x[..]].concat()).expect("values");
        hamiltonian.push(values.pop().expect("H"));
        controls.push(values);
    }
    Flow {
        states: equations.state.len() - costates,
        times,
        rows,
        hamiltonian,
        controls,
    }
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
        "{found} is not {expected}"
    );
}

fn all_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    found
        .iter()
        .zip(expected)
        .for_each(|(f, e)| near(*f, *e, tolerance));
}

impl Flow {
    fn last(&self) -> &[f64] {
        &self.rows[self.rows.len() - 1][..self.states]
    }

    fn spread(&self) -> f64 {
        let (low, high) = self
            .hamiltonian
            .iter()
            .fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        high - low
    }

    /// Some of its rows, bent, as a guess: states and controls, without costates.
    fn guess(&self, every: usize, bend: f64) -> IndirectGuess {
        let keep = |k: &usize| k.is_multiple_of(every) || *k + 1 == self.times.len();
        let places: Vec<usize> = (0..self.times.len()).filter(keep).collect();
        let bent = |x: &[f64]| -> Vec<f64> { x.iter().map(|v| v * (1.0 + bend)).collect() };
        IndirectGuess {
            times: places.iter().map(|&k| self.times[k]).collect(),
            states: places
                .iter()
                .map(|&k| bent(&self.rows[k][..self.states]))
                .collect(),
            controls: Some(places.iter().map(|&k| bent(&self.controls[k])).collect()),
            ..IndirectGuess::default()
        }
    }
}

fn solve(problem: &Problem, guess: &IndirectGuess) -> Extremal {
    indirect::solve(problem, guess, &IndirectOptions::default()).expect("an extremal")
}

/// A straight line from the start to a goal, without costates.
fn straight(from: &[f64], to: &[f64], until: f64) -> IndirectGuess {
    let rows = (0..=20).map(|k| {
        let s = f64::from(k) / 20.0;
        from.iter().zip(to).map(|(a, b)| a + s * (b - a)).collect()
    });
    IndirectGuess {
        times: (0..=20).map(|k| until * f64::from(k) / 20.0).collect(),
        states: rows.collect(),
        ..IndirectGuess::default()
    }
}

/// The state nearest to a time.
fn at(extremal: &Extremal, t: f64) -> usize {
    let gap = |k: &usize| (extremal.times[*k] - t).abs();
    (0..extremal.times.len())
        .min_by(|a, b| gap(a).total_cmp(&gap(b)))
        .expect("nodes")
}

const CART: &str = "system cart\nparam M = 1, m = 0.2, l = 0.5, g = 9.81\ncoord x\ncoord theta : angle\n\
    kinetic M/2*x'^2 + m/2*(x'^2 + 2*l*x'*theta'*cos(theta) + l^2*theta'^2)\n\
    potential m*g*l*cos(theta)\ncontrol u on x\ncost u^2/2\nsymmetry shift = (x: 1)\n";

/// CP1: from its tabulated costates to the goal, then as a two-point problem from a straight line.
#[test]
fn cart_pole_transfer() {
    let start = "start p_x = 163.723975902, p_theta = 240.389706701, p_x_1 = 81.8619879510, p_theta_1 = 52.0463042414\n";
    let posed = problem(&format!(
        "{CART}{start}goal x = 0.5, theta = 0, x' = 0, theta' = 0\ntime 0 .. 1\n"
    ));
    let flow = flow(&posed, 1.0, 2000);
    all_near(flow.last(), &[0.5, 0.0, 0.0, 0.0], 1e-7);
    near(flow.hamiltonian[0], 247.100244613, 1e-9);
    assert!(flow.spread() < 1e-7);
    all_near(
        &flow.rows[1000][..4],
        &[0.25, 0.0, 2.14632647170, -2.15798799389],
        1e-8,
    );
    near(flow.controls[500][0], 12.9017973785, 1e-8);

    let found = solve(&posed, &straight(&[0.0; 4], &[0.5, 0.0, 0.0, 0.0], 1.0));
    near(found.cost, 46.3409719466, 1e-9);
    near(found.hamiltonian, 247.100244613, 1e-9);
    assert!(found.hamiltonian_spread < 1e-7);
    all_near(
        &found.costates[0],
        &[163.723975902, 240.389706701, 81.8619879510, 52.0463042414],
        1e-8,
    );
    near(found.controls[0][0], -22.2306205317, 1e-8);
    assert_eq!(found.momenta.len(), 1);
    near(found.momenta[0].1, 163.723975902, 1e-8);
    assert!(found.momenta[0].2 < 1e-7);
    assert_eq!(found.second_order, SecondOrder::Minimum);
}

/// CP2, and the envelope relations dJ/dx_T = p(T), dJ/dT = −H by differences.
#[test]
fn cart_pole_balance_and_its_envelope() {
    let posed = |goal: f64, until: f64| {
        problem(&format!(
            "{CART}start theta = 0.2\ngoal x = {goal}, theta = 0, x' = 0, theta' = 0\ntime 0 .. {until}\n"
        ))
    };
    let guess = straight(&[0.0, 0.2, 0.0, 0.0], &[0.0; 4], 1.5);
    let found = solve(&posed(0.0, 1.5), &guess);
    near(found.cost, 6.56330227800, 1e-9);
    near(found.hamiltonian, 9.78350092457, 1e-9);
    all_near(
        &found.costates[0],
        &[
            -19.7727460942,
            -68.3948241493,
            -16.5580935254,
            -14.5827054000,
        ],
        1e-8,
    );
    let h = 1e-3;
    let slope =
        (solve(&posed(h, 1.5), &guess).cost - solve(&posed(-h, 1.5), &guess).cost) / (2.0 * h);
    near(slope, found.costates[found.costates.len() - 1][0], 1e-5);
    let rate = (solve(&posed(0.0, 1.5 + h), &guess).cost
        - solve(&posed(0.0, 1.5 - h), &guess).cost)
        / (2.0 * h);
    near(rate, -found.hamiltonian, 1e-5);
}

/// PD1: the pendulum is swung up with a torque.
#[test]
fn pendulum_swing_up() {
    let posed = problem(
        "system p\ncoord q : angle\nlagrangian q'^2/2 + cos(q)\ncontrol u on q\ncost u^2/2\n\
         start p_q = -0.302840649482, p_q_1 = 2.02141371477\ngoal q = pi, q' = 0\ntime 0 .. 3\n",
    );
    let flow = flow(&posed, 3.0, 1000);
    all_near(flow.last(), &[std::f64::consts::PI, 0.0], 1e-8);
    let found = solve(&posed, &straight(&[0.0, 0.0], &[3.1, 0.0], 3.0));
    near(found.cost, 2.65658286092, 1e-9);
    near(found.hamiltonian, 2.04305670313, 1e-9);
}

const BODY: &str = "system body\nparam I1 = 1, I2 = 2, I3 = 3\ngroup R : SO(3) velocity w\n\
    lagrangian (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\ncontrol u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\n";

/// RB3: a body with two torques, unequal inertia; the spatial momentum R p is constant.
#[test]
fn body_with_two_torques() {
    let posed = problem(&format!(
        "{BODY}cost u1^2 + u2^2\n\
         start p_R = [-9.53990011853, -0.914823669341, 28.1853848317], p_w = [-3.64540508127, -2.02656781321, 63.6347228927]\n\
         goal R = rotation([0.5, -0.3, 0.2], sqrt(0.38)), w = [0, 0, 0]\ntime 0 .. 3\n"
    ));
    let flow = flow(&posed, 3.0, 3000);
    all_near(&flow.last()[9..], &[0.0; 3], 1e-8);
    near(flow.hamiltonian[0], 3.57893062048, 1e-9);
    let middle = &flow.rows[1500];
    all_near(
        &middle[9..12],
        &[0.414014153987, -0.307202188036, -0.00298438174732],
        1e-8,
    );
    all_near(
        &middle[..3],
        &[0.942510247673, -0.00542195624134, -0.334133259975],
        1e-8,
    );
    all_near(
        &flow.controls[1500],
        &[0.747169329951, 0.707361129342],
        1e-8,
    );
    let spatial = |x: &[f64]| -> Vec<f64> {
        (0..3)
            .map(|i| (0..3).map(|j| x[3 * i + j] * x[12 + j]).sum())
            .collect()
    };
    all_near(&spatial(&flow.rows[3000]), &spatial(&flow.rows[0]), 1e-8);

    let found = solve(&posed, &flow.guess(60, 0.02));
    near(found.cost, 3.57893062048, 1e-9);
    near(found.hamiltonian, 3.57893062048, 1e-9);
    all_near(
        &found.costates[0][..3],
        &[-9.53990011853, -0.914823669341, 28.1853848317],
        1e-7,
    );
}

/// P-RB: accelerations as controls on SO(3), full actuation, from a straight line.
#[test]
fn body_with_three_accelerations() {
    let posed = problem(
        "system body\nparam I1 = 2, I2 = 1.5, I3 = 1\ngroup R : SO(3) velocity w\n\
         lagrangian (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\n\
         control u1 on (w[1]: I1)\ncontrol u2 on (w[2]: I2)\ncontrol u3 on (w[3]: I3)\ncost (u1^2 + u2^2 + u3^2)/2\n\
         start w = [0.1, 0.2, -0.1]\ngoal R = rotation([0.4, -0.6, 0.8], sqrt(1.16)), w = [0, 0.3, 0.2]\ntime 0 .. 2\n",
    );
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let from = [&identity[..], &[0.1, 0.2, -0.1]].concat();
    let to = [&identity[..], &[0.0, 0.3, 0.2]].concat();
    let found = solve(&posed, &straight(&from, &to, 2.0));
    near(found.cost, 1.346825344888, 1e-9);
    all_near(
        &found.controls[0],
        &[0.685900097512, -1.376212845200, 1.283084641225],
        1e-8,
    );
    all_near(
        &found.costates[0][..3],
        &[0.882849774435, -1.591034290640, 0.855993072685],
        1e-8,
    );
}

const COIN: &str = "coord x, y\ncoord theta : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\n\
    constraint sin(theta)*x' = cos(theta)*y'\nframe turn = (theta: 1/J)\n\
    frame roll = (x: cos(theta)/m, y: sin(theta)/m)\n\
    control u1 on (x: m*cos(theta), y: m*sin(theta))\ncontrol u2 on (theta: J)\ncost (u1^2 + u2^2)/2\n\
    symmetry east = (x: 1)\nsymmetry around = (x: -y, y: x, theta: 1)\n";

/// P-COIN-1: the flow on T*D from given costates, with its integrals.
#[test]
fn coin_flow() {
    let posed = problem(&format!(
        "system coin\nparam m = 1.3, J = 0.7\n{COIN}\
         start x = 0.1, y = -0.2, theta = 0.3, theta' = 0.5/0.7, x' = 1.1/1.3*cos(0.3), y' = 1.1/1.3*sin(0.3)\n\
         start p_x = 0.4, p_y = -0.3, p_theta = 0.2, p_y1 = 0.15, p_y2 = -0.25\ntime 0 .. 2\ngoal x = 1\n"
    ));
    let flow = flow(&posed, 2.0, 2000);
    let expected = [
        0.690908932121,
        0.377417945768,
        1.463351841182,
        0.089982963121,
        0.058932001985,
    ];
    all_near(flow.last(), &expected, 1e-9);
    all_near(
        &flow.rows[2000][7..],
        &[0.608239857943, -1.185114216195, -0.214277245675],
        1e-9,
    );
    near(flow.hamiltonian[2000], 0.44951013287024, 1e-11);
    let momenta = posed
        .steered()
        .equations(Form::Optimality)
        .expect("conditions")
        .momenta;
    let names: Vec<&str> = momenta.iter().map(|q| q.name.as_str()).collect();
    assert_eq!(names, ["momentum_east", "momentum_around"]);
}

/// P-COIN-2 and P-COIN-4: between ends.
#[test]
fn coin_between_ends() {
    let rest = problem(&format!(
        "system coin\nparam m = 1, J = 1\n{COIN}\
         start p_x = -29.463465630642, p_y = 98.102303615022, p_theta = 52.628299482476, p_y1 = 12.678631275826, p_y2 = 0.464447867383\n\
         goal x = 1, y = 0.5, theta = 0.3, theta' = 0, x' = 0\ntime 0 .. 1\n"
    ));
    let flow = flow(&rest, 1.0, 1000);
    all_near(flow.last(), &[1.0, 0.5, 0.3, 0.0, 0.0], 1e-7);
    let found = solve(&rest, &flow.guess(40, 0.03));
    near(found.cost, 26.827233808311, 1e-9);
    near(found.hamiltonian, 3.0 * 26.827233808311, 1e-9);
    let middle = at(&found, 0.5);
    near(found.times[middle], 0.5, 1e-12);
    let expected = [
        0.413955425626,
        0.173787933194,
        0.555778713010,
        0.513452620585,
        1.937200607791,
    ];
    all_near(&found.states[middle], &expected, 1e-8);
}

/// P-NHOC-3: a sleigh, whose frame has a curved connection.
#[test]
fn sleigh_between_ends() {
    let posed = problem(
        "system sleigh\nparam m = 1, a = 0.3, I = 0.2\ncoord x, y\ncoord theta : angle\n\
         kinetic m/2*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + I/2*theta'^2\n\
         constraint sin(theta)*x' = cos(theta)*y'\nframe turn = (theta: 1)\nframe go = (x: cos(theta), y: sin(theta))\n\
         control u1 on (theta: I + m*a^2)\ncontrol u2 on (x: m*cos(theta), y: m*sin(theta))\ncost (u1^2 + u2^2)/2\n\
         start x' = 0.5\n\
         start p_x = -1.142080370852, p_y = 3.518789679491, p_theta = 2.701886082098, p_y1 = 1.528681613766, p_y2 = -0.490942635353\n\
         goal x = 1, y = 0.4, theta = 0.6, theta' = 0, x' = 0.5*cos(0.6)\ntime 0 .. 2\n",
    );
    let flow = flow(&posed, 2.0, 1000);
    all_near(flow.last(), &[1.0, 0.4, 0.6, 0.0, 0.5], 1e-8);
    let found = solve(&posed, &flow.guess(50, 0.05));
    near(found.cost, 0.459064094753, 1e-9);
    near(found.hamiltonian, 0.717905888311, 1e-9);
}

/// SC2: a Riemannian cubic on SO(3), a boundary-value problem of second order; SC3 in closed form.
#[test]
fn riemannian_cubics() {
    let cubic = |rest: &str| {
        problem(&format!(
            "system cubic\ngroup R : SO(3) velocity w\nlagrangian (w[1]'^2 + w[2]'^2 + w[3]'^2)/2\n{rest}"
        ))
    };
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let posed = cubic(
        "start w = [0.5, 0, 0.2]\ngoal R = rotation([0.6, -0.3, 0.8], sqrt(1.09)), w = [0, 0.4, -0.3]\ntime 0 .. 1\n",
    );
    let row = |w: &[f64]| [&identity[..], w].concat();
    let found = solve(
        &posed,
        &straight(&row(&[0.5, 0.0, 0.2]), &row(&[0.0, 0.4, -0.3]), 1.0),
    );
    near(found.cost, 6.79903653954, 1e-9);
    near(found.hamiltonian, 19.2786857702, 1e-9);
    // p_w = w', and the left-trivialised momentum is −w''.
    let expected = [
        5.44554527595,
        -7.14553909889,
        8.66503494145,
        1.91212947630,
        -2.70074138867,
        4.32383731254,
    ];
    all_near(&found.costates[0], &expected, 1e-8);
    let posed = cubic(
        "start w = [0, 0, 0]\ngoal R = rotation([1, 0.5, -0.4], sqrt(1.41)), w = [0, 0, 0]\ntime 0 .. 2\n",
    );
    let found = solve(&posed, &straight(&row(&[0.0; 3]), &row(&[0.0; 3]), 2.0));
    near(found.cost, 1.0575, 1e-10);
    near(found.hamiltonian, 1.58625, 1e-10);
}

/// A spline through a waypoint: costates jump there, the rest is continuous. On [0, 1] and [1, 2] through 0, 1, 0 with rest
/// at the ends the natural join has slope 0: J = 12 · 1/2 on each side.
#[test]
fn spline_through_a_waypoint() {
    let posed = problem(
        "system spline\ncoord x\nlagrangian x''^2/2\nstart x = 0, x' = 0\nvia 1: x = 1\ngoal x = 0, x' = 0\ntime 0 .. 2\n",
    );
    let found = solve(&posed, &straight(&[0.0, 0.0], &[0.0, 0.0], 2.0));
    near(found.cost, 12.0, 1e-10);
    let middle = at(&found, 1.0);
    near(found.states[middle][0], 1.0, 1e-12);
    near(found.states[middle][1], 0.0, 1e-10);
    // p = −x''' is −(−12) before and −12 after.
    near(found.costates[0][0].abs(), 12.0, 1e-9);
    near(
        found.costates[0][0],
        -found.costates[found.costates.len() - 1][0],
        1e-9,
    );
}

/// Free ends: a mass pulled to 1 by a cost at the end, x_T = k/(k + 3/T³) with v free.
#[test]
fn terminal_cost() {
    let posed = problem(
        "system mass\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\nterminal 5*(x - 1)^2\ntime 0 .. 2\n",
    );
    let found = solve(&posed, &straight(&[0.0, 0.0], &[0.5, 0.0], 2.0));
    // Least of 3 x²/(2 T³) + 5 (x − 1)².
    let x = 10.0 / (10.0 + 3.0 / 8.0);
    let last = found.states.len() - 1;
    near(found.states[last][0], x, 1e-10);
    near(
        found.cost,
        1.5 * x * x / 8.0 + 5.0 * (x - 1.0).powi(2),
        1e-10,
    );
    all_near(&found.costates[last], &[-10.0 * (x - 1.0), 0.0], 1e-9);
    assert_eq!(found.second_order, SecondOrder::Minimum);
}

/// A free end time: J = 6 d²/T³ + c T is least where T⁴ = 18 d²/c, and H = 0 there.
#[test]
fn free_end_time() {
    let posed = problem(
        "system mass\nfree T = 2\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2 + 3\ngoal x = 1, x' = 0\ntime 0 .. T\n",
    );
    let found = solve(&posed, &straight(&[0.0, 0.0], &[1.0, 0.0], 2.0));
    let time = 6.0_f64.powf(0.25);
    near(found.free[0].1, time, 1e-10);
    near(found.cost, 6.0 / time.powi(3) + 3.0 * time, 1e-10);
    near(found.hamiltonian, 0.0, 1e-8);
}

/// Free numbers and starts: the cheapest start velocity, and a spring whose stiffness is chosen.
#[test]
fn free_start_and_parameter() {
    let posed = problem(
        "system mass\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\nstart x' = free(0.2)\ngoal x = 1\ntime 0 .. 1\n",
    );
    let found = solve(&posed, &straight(&[0.0, 0.2], &[1.0, 0.2], 1.0));
    near(found.cost, 0.0, 1e-12);
    near(found.states[0][1], 1.0, 1e-9);
    let posed = problem(
        "system mass\nfree k = 1\ncoord x\nlagrangian x'^2/2 - k*x^2/2\ncontrol u on x\ncost u^2/2 + k^2/20\n\
         start x = 1\ngoal x = 0, x' = 0\ntime 0 .. 1\n",
    );
    let found = solve(&posed, &straight(&[1.0, 0.0], &[0.0, 0.0], 1.0));
    let at = |k: f64| {
        let fixed = problem(&format!(
            "system mass\nparam k = {k}\ncoord x\nlagrangian x'^2/2 - k*x^2/2\ncontrol u on x\ncost u^2/2 + k^2/20\n\
             start x = 1\ngoal x = 0, x' = 0\ntime 0 .. 1\n"
        ));
        solve(&fixed, &straight(&[1.0, 0.0], &[0.0, 0.0], 1.0)).cost
    };
    let k = found.free[0].1;
    near(found.cost, at(k), 1e-9);
    assert!(at(k + 0.01) > found.cost && at(k - 0.01) > found.cost);
}

/// Periodic ends: a free oscillator driven around once costs nothing only at its own period; else it is forced.
#[test]
fn periodic_ends() {
    let posed = problem(
        "system turn\ncoord q : angle\nkinetic q'^2/2\ncontrol u on q\ncost u^2/2 + (q' - 1)^2/2\n\
         start q' = free(2)\ngoal q = start(q) + 2*pi, q' = start(q')\ntime 0 .. 4\n",
    );
    let found = solve(&posed, &straight(&[0.0, 1.5], &[6.2, 1.5], 4.0));
    // q' = π/2 throughout.
    let v = std::f64::consts::FRAC_PI_2;
    near(found.cost, 4.0 * (v - 1.0).powi(2) / 2.0, 1e-10);
    near(found.states[0][1], v, 1e-9);
}

/// Great circles: minimal before the antipode, not beyond.
#[test]
fn geodesics_have_conjugate_points() {
    let sphere = |phi: f64| {
        problem(&format!(
            "system sphere\ncoord theta, phi\nlagrangian (theta'^2 + sin(theta)^2*phi'^2)/2\nstart theta = pi/2\n\
             goal theta = pi/2, phi = {phi}\ntime 0 .. 1\n"
        ))
    };
    let half = std::f64::consts::FRAC_PI_2;
    let short = solve(&sphere(2.0), &straight(&[half, 0.0], &[half, 2.0], 1.0));
    near(short.cost, 2.0, 1e-10);
    assert_eq!(short.second_order, SecondOrder::Minimum);
    let long = solve(&sphere(4.0), &straight(&[half, 0.0], &[half, 4.0], 1.0));
    near(long.cost, 8.0, 1e-10);
    let SecondOrder::Conjugate(times) = &long.second_order else {
        panic!("{:?}", long.second_order);
    };
    assert_eq!(times.len(), 1);
    // Between the nodes of the mesh, too.
    near(times[0], std::f64::consts::PI / 4.0, 1e-7);
}

/// A conjugate point in all directions at once does not change the sign of the determinant (sin² t).
#[test]
fn conjugate_points_are_counted_with_their_kernels() {
    let text = |until: f64| {
        problem(&format!(
            "system oscillator\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2\ngoal x = 1, y = 0.5\ntime 0 .. {until:?}\n"
        ))
    };
    let solved = |until: f64| solve(&text(until), &straight(&[0.0, 0.0], &[1.0, 0.5], until));
    assert_eq!(solved(3.0).second_order, SecondOrder::Minimum);
    let SecondOrder::Conjugate(times) = solved(4.0).second_order else {
        panic!("no conjugate point");
    };
    assert_eq!(times.len(), 2);
    all_near(&times, &[std::f64::consts::PI; 2], 1e-7);
    let SecondOrder::Conjugate(times) = solved(7.0).second_order else {
        panic!("no conjugate point");
    };
    let pi = std::f64::consts::PI;
    all_near(&times, &[pi, pi, 2.0 * pi, 2.0 * pi], 1e-6);
}

/// AC-C39: two carts and a spring by their flat output, and directly.
#[test]
fn flat_output_of_two_carts() {
    let text = "system carts\ncoord x1, x2\nlagrangian (x1'^2 + x2'^2)/2 - (x2 - x1)^2/2\ncontrol u on x1\ncost u^2/2\n\
        flat y = x2\ngoal x1 = 1, x2 = 1, x1' = 0, x2' = 0\ntime 0 .. 2\n";
    let posed = problem(text);
    let flat = posed.flatness().expect("flat");
    assert_eq!(flat.order, 4);
    let y = Symbol::variable("y");
    let jet = |k: u32| Expr::from(y.jet(k));
    let expected = (jet(4) + 2 * jet(2)).powi(2) / 2;
    assert!(rattleback_symbolic::prove_zero(&(&flat.lagrangian - expected)).is_proven());
    assert_eq!(flat.controls.len(), 1);
    let found = solve(&posed, &straight(&[0.0; 4], &[1.0, 1.0, 0.0, 0.0], 2.0));
    near(found.cost, 329.160416680972, 1e-9);
    near(found.hamiltonian, 1211.18208894, 1e-9);
    all_near(
        &found.costates[0],
        &[
            266.6577968012,
            391.6630365607,
            49.2175190139,
            609.1033143480,
        ],
        1e-8,
    );
    let outputs = problem(
        "system flat\ncoord y\nlagrangian (y'''' + 2*y'')^2/2\nstart y = 0, y' = 0, y'' = 0, y''' = 0\n\
         goal y = 1, y' = 0, y'' = 0, y''' = 0\ntime 0 .. 2\n",
    );
    let found = solve(&outputs, &straight(&[0.0; 4], &[1.0, 0.0, 0.0, 0.0], 2.0));
    near(found.cost, 329.160416680972, 1e-9);
    let wrong = problem(&text.replace("flat y = x2", "flat y = x1"));
    assert!(wrong.flatness().is_err());
}

/// What is asked wrongly is refused, and a bound that the extremal breaks is named.
#[test]
fn refusals() {
    let posed = problem(
        "system mass\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\nbound -5 <= u <= 5\ngoal x = 1, x' = 0\ntime 0 .. 1\n",
    );
    let guess = straight(&[0.0, 0.0], &[1.0, 0.0], 1.0);
    let refused = indirect::solve(&posed, &guess, &IndirectOptions::default());
    assert!(
        matches!(refused, Err(indirect::IndirectError::Inequality { .. })),
        "{refused:?}"
    );
    let short = IndirectGuess {
        states: vec![vec![0.0]; 21],
        ..guess
    };
    let refused = indirect::solve(&posed, &short, &IndirectOptions::default());
    assert!(matches!(
        refused,
        Err(indirect::IndirectError::Guess { .. })
    ));
    let singular = problem(
        "system double\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\ncontrol u1 on x\ncontrol u2 on y\ncost (u1 + u2)^2/2\n\
         goal x = 1\ntime 0 .. 1\n",
    );
    let guess = straight(&[0.0; 4], &[1.0, 0.0, 0.0, 0.0], 1.0);
    let refused = indirect::solve(&singular, &guess, &IndirectOptions::default());
    assert!(matches!(
        refused,
        Err(indirect::IndirectError::Mechanics(_))
    ));
}

/// P-NHOC-1 and P-NHOC-2: Suslov's body on the algebra, with both accelerations and with one; the attitude stays free.
#[test]
fn suslov_with_one_and_two_controls() {
    let suslov = |controls: &str, cost: &str, rest: &str| {
        problem(&format!(
            "system suslov\ngroup R : SO(3) velocity w\n\
             lagrangian (2*w[1]^2 + 1.5*w[2]^2 + w[3]^2)/2 + 0.3*w[1]*w[3] - 0.2*w[2]*w[3]\nconstraint w[3] = 0\n\
             frame e1 = (w[1]: 1)\nframe e2 = (w[2]: 1)\n{controls}cost {cost}\n{rest}time 0 .. 1.5\n"
        ))
    };
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let row = |y: &[f64]| [&identity[..], y].concat();
    let both = suslov(
        "control u1 on (w[1]: 2)\ncontrol u2 on (w[2]: 1.5)\n",
        "(u1^2 + u2^2)/2",
        "start w = [0.7, -0.4, 0]\ngoal w[1] = -0.3, w[2] = 0.8\n",
    );
    let found = solve(
        &both,
        &straight(&row(&[0.7, -0.4]), &row(&[-0.3, 0.8]), 1.5),
    );
    near(found.cost, 0.799412224103, 1e-9);
    near(found.hamiltonian, 0.542003888090, 1e-9);
    all_near(
        &found.costates[0],
        &[0.0, 0.0, 0.0, -0.604575157790, 0.762966440783],
        1e-8,
    );
    let one = suslov(
        "control u1 on (w[1]: 2)\n",
        "u1^2/2",
        "start w = [0.7, -0.4, 0], p_y1 = 1.350073476681, p_y2 = 4.900483855790\ngoal w[1] = 0.2, w[2] = -0.1\n",
    );
    let flow = flow(&one, 1.5, 1000);
    all_near(&flow.last()[9..], &[0.2, -0.1], 1e-8);
    let found = solve(&one, &flow.guess(50, 0.05));
    near(found.cost, 0.851350309446, 1e-9);
}

/// P-GRP-5: torques on SE(2).
#[test]
fn se2_with_torques() {
    let posed = problem(
        "system s\ngroup X : SE(2) velocity (w, v1, v2)\nkinetic (0.5*w^2 + 1.5*v1^2 + 1.5*v2^2)/2\n\
         control u1 on (w: 1)\ncontrol u2 on (v1: 1)\ncontrol u3 on (v2: 1)\ncost (u1^2 + u2^2 + u3^2)/2\n\
         start v1 = 0.2\n\
         goal X = [[cos(0.6), -sin(0.6), 1/0.6*sin(0.6) - 0.5/0.6*(1 - cos(0.6))], \
                   [sin(0.6), cos(0.6), 1/0.6*(1 - cos(0.6)) + 0.5/0.6*sin(0.6)], [0, 0, 1]]\n\
         goal w = 0.1, v1 = 0.3, v2 = -0.1\ntime 0 .. 1.5\n",
    );
    let (names, _) = indirect::state_names(&posed).expect("names");
    let from: Vec<f64> = posed_identity(&names, &[0.0, 0.2, 0.0]);
    let to: Vec<f64> = posed_identity(&names, &[0.1, 0.3, -0.1]);
    let found = solve(&posed, &straight(&from, &to, 1.5));
    near(found.cost, 2.774673059239, 1e-9);
    all_near(
        &found.controls[0],
        &[0.733333333333, 1.773938675374, 2.872852450864],
        1e-8,
    );
}

/// The identity of one group factor, then velocities.
fn posed_identity(names: &[String], velocities: &[f64]) -> Vec<f64> {
    let entries = names.len() - velocities.len();
    let size = (entries as f64).sqrt().round() as usize;
    let one = |k: usize| f64::from(u8::from(size * size == entries && k / size == k % size));
    (0..entries)
        .map(one)
        .chain(velocities.iter().copied())
        .collect()
}

/// VH1: the vehicle on SE(2) × S¹ in coordinates; its costates are those of x, y, θ, γ and of their rates.
#[test]
fn vehicle_on_se2_and_a_circle() {
    let posed = problem(
        "system vehicle\ngroup X : SE(2) velocity (om, v1, v2)\ncoord gamma : angle\n\
         kinetic (v1^2 + v2^2 + om^2 + (om + gamma')^2)/2\n\
         control u1 on (v1: cos(gamma), v2: sin(gamma), om: -sin(gamma))\ncontrol u2 on gamma\ncost u1^2 + u2^2\n\
         start gamma = 0.3\n\
         start p_X = [68.0204583916, -5.96469090667, 39.9037671385], p_gamma = 28.4193876073\n\
         start p_om = 76.4663934990, p_v1 = -6.59044433529, p_v2 = 57.8301201811, p_gamma_1 = 34.4348996271\n\
         goal X = [[cos(0.2), -sin(0.2), 1], [sin(0.2), cos(0.2), 0.3], [0, 0, 1]], gamma = 0\n\
         goal om = 0, v1 = 0, v2 = 0, gamma' = 0\ntime 0 .. 3\n",
    );
    let flow = flow(&posed, 3.0, 3000);
    near(flow.hamiltonian[0], 15.0890699740, 1e-9);
    let last = flow.last();
    all_near(&last[last.len() - 4..], &[0.0; 4], 1e-7);
    all_near(&flow.controls[0], &[-0.813639320586, -3.79829712239], 1e-8);
    all_near(
        &flow.controls[1500],
        &[-0.0342847696597, 2.18985196275],
        1e-7,
    );
    let found = solve(&posed, &flow.guess(60, 0.01));
    near(found.cost, 15.0890699740, 1e-9);
    near(found.hamiltonian, 15.0890699740, 1e-9);
}

/// HO2: a heavy top with two torques; the turn about the vertical stays free, so that p·Γ = 0.
#[test]
fn top_with_two_torques_and_a_free_turn() {
    let posed = problem(
        "system top\ngroup R : SO(3) velocity w\nlet e = transpose(R)*[0, 0, 1]\n\
         kinetic (w[1]^2 + 1.2*w[2]^2 + 0.6*w[3]^2)/2\npotential 1.5*e[3]\n\
         control u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncost (u1^2 + u2^2)/2\n\
         start R = transpose(rotation([-0.48, 0.36, 0], acos(0.8)))\n\
         start w = [0.1, -0.2, 1.5], p_R = [-3.60770581225, 3.49540556008, -0.473775720531]\n\
         start p_w = [-2.14214012056, 3.23090477381, 19.7666472308]\n\
         goal e = [0, 0, 1], w = [0, 0, 1.5]\ntime 0 .. 2\n",
    );
    let flow = flow(&posed, 2.0, 2000);
    all_near(&flow.rows[0][6..9], &[0.36, 0.48, 0.8], 1e-12);
    near(flow.hamiltonian[0], 1.50800093460, 1e-9);
    all_near(&flow.last()[6..], &[0.0, 0.0, 1.0, 0.0, 0.0, 1.5], 1e-7);
    let found = solve(&posed, &flow.guess(50, 0.01));
    near(found.cost, 2.11722592395, 1e-8);
    all_near(&found.controls[0], &[-2.14214012056, 2.69242064484], 1e-6);
    let (end, last) = (
        &found.costates[found.costates.len() - 1],
        &found.states[found.states.len() - 1],
    );
    let vertical: f64 = (0..3).map(|i| end[i] * last[6 + i]).sum();
    assert!(vertical.abs() < 1e-8, "{vertical}");
}
