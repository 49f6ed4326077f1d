//! The linear system about a state: exact against numbers, and numbers against the motion itself.

use proptest::prelude::*;
use rattleback_compile::{Linearizer, StartState};
use rattleback_language::{Model, Source, parse};
use rattleback_mechanics::{Equations, Form, LinearSystem, Problem, System, VariationalEquations};
use rattleback_symbolic::{Expr, Symbol};
use rattleback_testing::system::{Seeds, Shape};

struct Case {
    model: Model,
    system: System,
    equations: Equations,
    variational: VariationalEquations,
    start: StartState,
}

impl Case {
    fn of(text: &str) -> Self {
        Self::in_form(text, None).unwrap()
    }

    /// In a form, or in the default one; none where the form does not apply.
    fn in_form(text: &str, form: Option<Form>) -> Option<Self> {
        let parsed = parse(&Source::new("case.mech", text));
        let model = parsed
            .model
            .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
        let problem = Problem::from_model(&model).unwrap();
        let system = problem.open();
        let form = form.unwrap_or_else(|| Form::default_for(&system));
        let equations = system.equations(form).ok()?;
        let variational = VariationalEquations::of(&system, &equations).ok()?;
        let start = StartState::of(&problem, &system).unwrap();
        Some(Self {
            model,
            system,
            equations,
            variational,
            start,
        })
    }

    /// The rates at a state.
    fn rates(&self, state: &[f64]) -> Vec<f64> {
        let evaluator =
            rattleback_compile::Evaluator::new(&self.equations, &self.start.constants).unwrap();
        let at = evaluator.at(self.start.time, state, &self.start.constant_values);
        at.unwrap().rates
    }

    /// The largest difference between A and slopes of the rates along curves of neighbouring states.
    ///
    /// A curve leaves the state with δz = ρ η, δw; what it misses of groups and constraints is even in its parameter, so
    /// that central differences do not see it. Rows of group elements are left out: there A is trivialised.
    fn largest_difference(&self) -> f64 {
        let state = self.start.state_of(&self.equations).unwrap();
        let rest = vec![0.0; self.controls().len()];
        let linearizer = self.linearizer();
        let (linear, chart, follow) = linearizer
            .at_with_chart(self.start.time, &state, &rest, None)
            .unwrap();
        let frame = self.variational.frame();
        let (positions, sections) = (frame.base().len(), frame.rank());
        let anchor = self.start.evaluate(frame.anchor().entries()).unwrap();
        let plain = |j: usize| {
            let mut factors = self.system.factors().iter().filter(|f| f.group.is_none());
            factors.find(|f| f.fibre.contains(&j)).map(|f| f.base.start)
        };
        let h = 1e-4;
        let mut worst: f64 = 0.0;
        for (k, &j) in chart.independent.iter().enumerate() {
            let mut direction = vec![0.0; sections + state.len() - positions];
            direction[j] = 1.0;
            for (&d, row) in chart.dependent.iter().zip(&follow) {
                direction[d] = row[k];
            }
            let along = |step: f64| {
                let mut near = state.clone();
                for (i, x) in near.iter_mut().enumerate() {
                    *x += step
                        * match i < positions {
                            true => (0..sections)
                                .map(|a| anchor[i * sections + a] * direction[a])
                                .sum::<f64>(),
                            false => direction[sections + i - positions],
                        };
                }
                self.rates(&near)
            };
            // Differences of two steps, extrapolated.
            let slope = |h: f64, i: usize| (along(h)[i] - along(-h)[i]) / (2.0 * h);
            for (row, &r) in chart.independent.iter().enumerate() {
                let entry = match r < sections {
                    true => plain(r),
                    false => Some(positions + r - sections),
                };
                let Some(i) = entry else { continue };
                let expected = (4.0 * slope(h / 2.0, i) - slope(h, i)) / 3.0;
                let found = linear.a[row][k];
                worst = worst.max((found - expected).abs() / (1.0 + expected.abs()));
            }
        }
        worst
    }

    fn controls(&self) -> Vec<Symbol> {
        self.model
            .controls
            .iter()
            .map(|c| c.symbol.clone())
            .collect()
    }

    fn observed(&self) -> Vec<Expr> {
        let values = self.model.observables.iter();
        values.flat_map(|o| o.value.entries().to_vec()).collect()
    }

    fn linearizer(&self) -> Linearizer {
        let controls = self.controls();
        let constants = self.start.constants.iter().cloned();
        let constants = constants.zip(self.start.constant_values.iter().copied());
        let constants: Vec<(Symbol, f64)> =
            constants.filter(|(s, _)| !controls.contains(s)).collect();
        Linearizer::new(&self.variational, &constants, &controls, &self.observed()).unwrap()
    }

    fn numbers(&self) -> LinearSystem<f64> {
        let state = self.start.state_of(&self.equations).unwrap();
        let rest = vec![0.0; self.controls().len()];
        self.linearizer()
            .at(self.start.time, &state, &rest)
            .unwrap()
            .0
    }

    /// The exact system about the stated start, with its parameters put in at the end.
    fn exact(&self) -> LinearSystem<f64> {
        let state = self.start.state_of(&self.equations).unwrap();
        let rest = vec![0.0; self.controls().len()];
        let chart = self
            .linearizer()
            .at(self.start.time, &state, &rest)
            .unwrap()
            .1;
        let mut at: Vec<(Symbol, Expr)> = vec![(Symbol::time(), Expr::zero())];
        for s in self.equations.state.iter() {
            let neutral = self.system.factors().iter().find_map(|f| {
                let place = self.system.frame().base()[f.base.clone()]
                    .iter()
                    .position(|z| z == s)?;
                Some(f.group?.identity().swap_remove(place))
            });
            let stated = self.model.start.get(s).map(|a| a.value.clone());
            at.push((s.clone(), stated.or(neutral).unwrap_or_else(Expr::zero)));
        }
        at.extend(self.controls().into_iter().map(|u| (u, Expr::zero())));
        let system = self
            .variational
            .linear_system(&at, &chart, &self.controls(), &self.observed())
            .unwrap();
        let constants: Vec<(Symbol, f64)> = self
            .start
            .constants
            .iter()
            .cloned()
            .zip(self.start.constant_values.iter().copied())
            .collect();
        system.map(|e| e.evaluate(&constants).unwrap())
    }
}

fn close(a: &[Vec<f64>], b: &[Vec<f64>], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().flatten().zip(b.iter().flatten()) {
        assert!((x - y).abs() <= tolerance * (1.0 + x.abs()), "{a:?}\n{b:?}");
    }
}

fn agree(text: &str) -> LinearSystem<f64> {
    let case = Case::of(text);
    let (numbers, exact) = (case.numbers(), case.exact());
    assert_eq!(numbers.state, exact.state);
    close(&numbers.a, &exact.a, 1e-11);
    close(&numbers.b, &exact.b, 1e-11);
    close(&numbers.c, &exact.c, 1e-11);
    close(&numbers.d, &exact.d, 1e-11);
    numbers
}

const CART_POLE: &str = "system cart_pole\n\
    param M = 1, m = 0.3, l = 0.5, g = 9.81\n\
    coord x\n\
    coord theta : angle\n\
    kinetic (M + m)/2*x'^2 + m*l*x'*theta'*cos(theta) + m*l^2/2*theta'^2\n\
    potential m*g*l*cos(theta)\n\
    control u on x\n\
    observe tip = x + l*sin(theta)\n";

#[test]
fn an_inverted_pendulum_on_a_cart() {
    let linear = agree(CART_POLE);
    assert_eq!(linear.state, ["x", "theta", "x'", "theta'"]);
    let (big, m, l, g) = (1.0, 0.3, 0.5, 9.81);
    let a = [
        vec![0.0, 0.0, 1.0, 0.0],
        vec![0.0, 0.0, 0.0, 1.0],
        vec![0.0, -m * g / big, 0.0, 0.0],
        vec![0.0, (big + m) * g / (big * l), 0.0, 0.0],
    ];
    close(&linear.a, &a, 1e-12);
    let b = [
        vec![0.0],
        vec![0.0],
        vec![1.0 / big],
        vec![-1.0 / (big * l)],
    ];
    close(&linear.b, &b, 1e-12);
    close(&linear.c, &[vec![1.0, l, 0.0, 0.0]], 1e-12);
}

#[test]
fn a_rolling_constraint_leaves_independent_velocities() {
    let linear = agree(
        "system sleigh\nparam m = 2, J = 1, a = 0.4\ncoord x, y\ncoord theta : angle\n\
         kinetic m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta))\n\
         constraint sin(theta)*x' = cos(theta)*y'\ncontrol u on theta\nstart x' = 3\n",
    );
    assert_eq!(linear.state, ["x", "y", "theta", "x'", "theta'"]);
    // Straight motion at speed v: a turning rate decays like m a v/(J + m a²).
    let decay = -2.0 * 0.4 * 3.0 / (1.0 + 2.0 * 0.16);
    assert!((linear.a[4][4] - decay).abs() < 1e-12);
    // y' = v theta to first order.
    assert!((linear.a[1][2] - 3.0).abs() < 1e-12);
}

#[test]
fn a_body_about_its_middle_axis_on_the_group() {
    let linear = agree(
        "system body\nparam I1 = 1, I2 = 2, I3 = 3\ngroup R : SO(3) velocity w\n\
         kinetic (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\nstart w = [0, 2, 0]\n",
    );
    assert_eq!(linear.state, ["R~1", "R~2", "R~3", "w[1]", "w[2]", "w[3]"]);
    // δw1' = (I2 − I3)/I1 w2 δw3, δw3' = (I1 − I2)/I3 w2 δw1.
    assert!((linear.a[3][5] + 2.0).abs() < 1e-12);
    assert!((linear.a[5][3] + 2.0 / 3.0).abs() < 1e-12);
    // η' = δw − w × η.
    assert!((linear.a[0][2] + 2.0).abs() < 1e-12 && (linear.a[2][0] - 2.0).abs() < 1e-12);
}

#[test]
fn positions_on_a_sphere_have_two_independent_directions() {
    let linear = agree(
        "system bob\nparam m = 1, g = 9.81, l = 2\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n\
         potential m*g*z\nconstraint x^2 + y^2 + z^2 = l^2\nstart z = -2\n",
    );
    assert_eq!(linear.state, ["x", "y", "x'", "y'"]);
    assert!((linear.a[2][0] + 9.81 / 2.0).abs() < 1e-12);
    assert!((linear.a[3][1] + 9.81 / 2.0).abs() < 1e-12);
}

/// dX/ds of the rates along a curve of states that satisfy the constraints, by differences.
#[test]
fn slopes_are_differences_of_the_rates() {
    let text = |turn: f64| {
        format!(
            "system car\nparam m = 2, J = 1, p = 1.3\ncoord x, y\ncoord theta : angle\ncoord delta : angle\n\
             kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2 + delta'^2/10\npotential sin(x)*cos(y)\n\
             constraint sin(theta)*x' = cos(theta)*y'\n\
             constraint theta'*p*cos(delta) = sin(delta)*(x'*cos(theta) + y'*sin(theta))\n\
             start x = 0.3, y = 0.2, theta = {}, delta = 0.5, theta' = 0.42, delta' = 0.7\n",
            0.4 + turn
        )
    };
    let case = Case::of(&text(0.0));
    let linear = case.numbers();
    assert_eq!(
        linear.state,
        ["x", "y", "theta", "delta", "theta'", "delta'"]
    );
    let h = 1e-5;
    let rates = |turn: f64| {
        let case = Case::of(&text(turn));
        let state = case.start.state_of(&case.equations).unwrap();
        let evaluator =
            rattleback_compile::Evaluator::new(&case.equations, &case.start.constants).unwrap();
        let rates = evaluator
            .at(0.0, &state, &case.start.constant_values)
            .unwrap()
            .rates;
        let kept = |name: &String| {
            let place = case
                .equations
                .state
                .iter()
                .position(|s| s.to_string() == *name);
            rates[place.unwrap()]
        };
        linear.state.iter().map(kept).collect::<Vec<f64>>()
    };
    let (up, down) = (rates(h), rates(-h));
    for (i, (u, d)) in up.iter().zip(&down).enumerate() {
        let slope = (u - d) / (2.0 * h);
        assert!(
            (slope - linear.a[i][2]).abs() < 1e-7,
            "{i}: {slope} {}",
            linear.a[i][2]
        );
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    let group = prop::option::of(0usize..5);
    (2usize..4, 0usize..2, group, any::<bool>()).prop_map(
        |(coordinates, constraints, group, affine)| Shape {
            coordinates,
            constraints,
            group,
            affine,
            turning: false,
            symmetric: false,
        },
    )
}

proptest! {
    #![proptest_config(rattleback_testing::cases(16))]

    /// A is the derivative of the flow, with constraints and on groups, in every form.
    #[test]
    fn the_linear_system_is_the_slope_of_the_flow(seeds in prop::collection::vec(0u32..1_000_000, 24), shape in shape()) {
        let text = Seeds::new(seeds).model(shape);
        let mut forms = 0;
        for form in [Form::EulerLagrange, Form::LagrangePoincare, Form::LagrangeDAlembert, Form::Hamel] {
            let Some(case) = Case::in_form(&text, Some(form)) else {
                continue;
            };
            forms += 1;
            let worst = case.largest_difference();
            prop_assert!(worst < 1e-6, "{form}: off by {worst} in\n{text}");
        }
        prop_assert!(forms >= 1, "no form applies to\n{text}");
    }
}

#[test]
fn where_constraints_lose_rank_there_is_no_linear_system() {
    let case = Case::of(
        "system cross\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x*y = 0\nstart x' = 1\n",
    );
    assert!(
        case.linearizer()
            .at(0.0, &[0.0, 0.0, 1.0, 0.0], &[])
            .is_err()
    );
}
