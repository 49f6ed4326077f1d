//! A certified family is tried on motions.

use crate::support::{Given, Numbers, close, rk4};
use crate::systems::{parameters, study};
use rattleback_compile::{Evaluator, StartState};
use rattleback_mechanics::{Form, System};
use rattleback_symbolic::{Expr, Symbol, Tape, substitute_all};
use rattleback_theory::hamilton_jacobi::{HamiltonJacobi, Setting, Solution};

/// A complete solution is known; all that are shown are tried.
pub fn complete(g: &Given) -> HamiltonJacobi {
    let report = study(g);
    assert!(
        report.claim.is_proven(),
        "{}: {:?}",
        g.model.name,
        report.claim
    );
    for s in &report.solutions {
        assert!(s.verification.strong.is_proven() || s.verification.weak.is_proven());
        assert!(s.complete.is_proven());
        try_solution(g, s);
    }
    report
}

/// A family in the coordinates that it is written in, with values of its parameters.
struct Trial<'a> {
    given: &'a Given,
    solution: &'a Solution,
    system: System,
    parameters: Vec<(Symbol, f64)>,
}

impl Trial<'_> {
    fn tape(&self, more: &[Symbol], outputs: &[Expr]) -> Tape {
        let names: Vec<Symbol> = self.parameters.iter().map(|(s, _)| s.clone()).collect();
        Tape::new(&[more, &names].concat(), outputs).expect("functions of these symbols")
    }

    fn values(&self, more: &[f64]) -> Vec<f64> {
        let known: Vec<f64> = self.parameters.iter().map(|(_, v)| *v).collect();
        [more, &known].concat()
    }

    /// A point: at random, or on a group the start of the model.
    fn point(&self, numbers: &mut Numbers) -> Vec<f64> {
        let q = self.system.frame().base();
        if !self.system.has_groups() {
            return q.iter().map(|_| 0.6 + 0.3 * numbers.next()).collect();
        }
        let start = StartState::of(&self.given.problem, &self.given.system).expect("a start");
        q.iter().map(|s| start.get(s).expect("a value")).collect()
    }

    /// The constants of a random motion through a point: the values of the first integrals.
    fn constants(&self, point: &[f64], numbers: &mut Numbers) -> Vec<f64> {
        let frame = self.system.frame();
        let fields = Setting::of(&self.system).expect("a natural system").fields;
        let mut velocity = vec![0.0; frame.rank()];
        for z in &fields {
            let size = 0.7 + 0.6 * numbers.next();
            let values = self.tape(frame.base(), z).evaluate(&self.values(point));
            velocity
                .iter_mut()
                .zip(values)
                .for_each(|(v, z)| *v += size * z);
        }
        let names = [frame.base(), frame.fibre()].concat();
        let state = [point, &velocity].concat();
        let value_of = |c: &Symbol| {
            let integrals = &self.solution.integrals;
            let integral = integrals.iter().find(|i| i.name == c.name());
            let energy = (c.name() == "E").then(|| self.system.energy());
            let f = integral.map(|i| i.value.clone()).or(energy);
            f.map_or(0.4 + 0.2 * velocity[0], |f| {
                self.tape(&names, &[f]).evaluate(&self.values(&state))[0]
            })
        };
        self.solution.constants.iter().map(value_of).collect()
    }

    /// Positions and velocities of the model's own coordinates.
    fn in_own_coordinates(&self, state: &[f64]) -> Vec<f64> {
        let Some(change) = &self.solution.coordinates else {
            return state.to_vec();
        };
        let own: Vec<Expr> = self
            .given
            .system
            .frame()
            .base()
            .iter()
            .map(Expr::from)
            .collect();
        let positions = substitute_all(&own, &change.old);
        let frame = self.system.frame();
        let rates = frame.rates(&positions);
        let names = [frame.base(), frame.fibre()].concat();
        self.tape(&names, &[positions, rates].concat())
            .evaluate(&self.values(state))
    }
}

/// From random data the base motion q' = v(q) is integrated and compared with the motion of the model from
/// the same data in its own coordinates; the quadratures and first integrals are compared with both.
pub fn try_solution(g: &Given, s: &Solution) {
    let mut numbers = Numbers::new(17);
    let trial = Trial {
        given: g,
        solution: s,
        system: match &s.coordinates {
            Some(c) => c.apply(&g.system).expect("coordinates"),
            None => g.system.clone(),
        },
        parameters: parameters(g),
    };
    let q = trial.system.frame().base().to_vec();
    let velocity: Vec<Expr> = s
        .verification
        .velocity
        .iter()
        .map(|v| v.value.clone())
        .collect();
    let rates = trial.system.frame().anchored(&velocity);
    let inputs = [q.clone(), s.constants.clone()].concat();
    let field = trial.tape(&inputs, &[rates, velocity].concat());
    let (pn, pv): (Vec<Symbol>, Vec<f64>) = trial.parameters.iter().cloned().unzip();
    let forms = [
        Form::LagrangeDAlembert,
        Form::EulerLagrange,
        Form::LagrangePoincare,
        Form::EulerPoincare,
    ];
    let equations = forms.iter().find_map(|f| g.system.equations(*f).ok());
    let program = Evaluator::new(&equations.expect("equations"), &pn).expect("a program");
    let motion_rates = |x: &[f64]| program.at(0.0, x, &pv).expect("rates").rates;
    let (mut tried, time) = (0, 0.05);
    for _ in 0..60 {
        let start = trial.point(&mut numbers);
        let constants = trial.constants(&start, &mut numbers);
        let all = |x: &[f64]| field.evaluate(&trial.values(&[x, &constants].concat()));
        let state = |x: &[f64]| [x, &all(x)[q.len()..]].concat();
        let follow = |steps| rk4(&|x: &[f64]| all(x)[..q.len()].to_vec(), &start, time, steps);
        let (end, finer) = (follow(50), follow(100));
        // Where a branch ends nearby the field is not smooth, and not followed well.
        let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        if !end.iter().zip(&finer).all(same) {
            continue;
        }
        tried += 1;
        let own = trial.in_own_coordinates(&state(&start));
        let motion = rk4(&motion_rates, &own, time, 50);
        let expected = trial.in_own_coordinates(&state(&end));
        for (i, (a, b)) in expected.iter().zip(&motion).enumerate() {
            assert!(
                close(*a, *b, 1e-6),
                "{} {:?} entry {i} of the state: {a} {b}",
                g.model.name,
                s.method
            );
        }
        check_quadratures(&trial, &constants, &start, &end, time);
        check_integrals(&trial, &state(&start), &state(&end));
        if s.verification.strong.is_proven() && !trial.system.has_groups() {
            check_curl(&trial, &constants, &start);
        }
        if tried == 3 {
            return;
        }
    }
    let (name, method) = (&g.model.name, s.method);
    assert!(tried > 0, "{name} {method:?}: no real motion was met");
}

/// dt/du and dq/du integrated over the clock give the time and the other coordinates.
fn check_quadratures(t: &Trial, constants: &[f64], start: &[f64], end: &[f64], time: f64) {
    let Some(motion) = &t.solution.motion else {
        return;
    };
    let q = t.system.frame().base();
    let index = |x: &Symbol| q.iter().position(|s| s == x).expect("a coordinate");
    let clock = index(&motion.clock);
    // Near a turning point of the clock its own rate is no good measure.
    if (end[clock] - start[clock]).abs() < 0.2 * time {
        return;
    }
    let mut outputs: Vec<Expr> = vec![Expr::zero(); q.len()];
    outputs[clock] = Expr::one();
    for other in &motion.others {
        outputs[index(&other.coordinate)] = other.slope.clone();
    }
    let clock_time = motion.time.as_ref().expect("a clock").slope.clone();
    let names = [q, &t.solution.constants].concat();
    let tape = t.tape(&names, &[outputs, vec![clock_time]].concat());
    let n = q.len();
    let rates = |x: &[f64]| tape.evaluate(&t.values(&[&x[..n], constants].concat()));
    let x = rk4(
        &rates,
        &[start, &[0.0]].concat(),
        end[clock] - start[clock],
        100,
    );
    let name = &t.given.model.name;
    for i in 0..n {
        let (a, b) = (x[i], end[i]);
        assert!(close(a, b, 1e-6), "{name} quadrature of {}: {a} {b}", q[i]);
    }
    assert!(close(x[n], time, 1e-6), "{name} time {}", x[n]);
}

/// The first integrals have equal values at both ends of the motion.
fn check_integrals(t: &Trial, start: &[f64], end: &[f64]) {
    let frame = t.system.frame();
    let names = [frame.base(), frame.fibre()].concat();
    for integral in &t.solution.integrals {
        let tape = t.tape(&names, std::slice::from_ref(&integral.value));
        let at = |x: &[f64]| tape.evaluate(&t.values(x))[0];
        let (a, b) = (at(start), at(end));
        let name = &t.given.model.name;
        assert!(close(a, b, 1e-6), "{name} {}: {a} {b}", integral.name);
    }
}

/// dγ vanishes on D, by central differences.
fn check_curl(t: &Trial, constants: &[f64], point: &[f64]) {
    let q = t.system.frame().base();
    let form: Vec<Expr> = t.solution.form.iter().map(|c| c.value.clone()).collect();
    let tape = t.tape(&[q, &t.solution.constants].concat(), &form);
    let at = |x: &[f64]| tape.evaluate(&t.values(&[x, constants].concat()));
    let n = q.len();
    let h = 1e-5;
    let slopes: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let moved = |step: f64| {
                let mut x = point.to_vec();
                x[i] += step;
                at(&x)
            };
            let (up, down) = (moved(h), moved(-h));
            up.iter()
                .zip(&down)
                .map(|(a, b)| (a - b) / (2.0 * h))
                .collect()
        })
        .collect();
    let setting = Setting::of(&t.system).expect("a natural system");
    let fields: Vec<Vec<f64>> = setting
        .fields
        .iter()
        .map(|z| t.tape(q, z).evaluate(&t.values(point)))
        .collect();
    for (a, z) in fields.iter().enumerate() {
        for w in &fields[..a] {
            let (mut curl, mut scale) = (0.0, 1.0);
            for i in 0..n {
                for j in 0..n {
                    let term = z[i] * w[j] * (slopes[i][j] - slopes[j][i]);
                    curl += term;
                    scale += term.abs();
                }
            }
            let name = &t.given.model.name;
            // Beside a branch point the difference is no number.
            assert!(
                !curl.is_finite() || curl.abs() < 1e-5 * scale,
                "{name} {:?}: dγ = {curl}",
                t.solution.method
            );
        }
    }
}
