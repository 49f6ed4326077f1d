//! Every formulation of a random system describes the same motion.

mod common;

use common::{Place, check_agreement};
use proptest::prelude::*;
use rattleback_compile::{Evaluator, Staged};
use rattleback_geometry::{Frame, Group, LieGroup, Trivialization};
use rattleback_mechanics::{Constraints, Factor, Form, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// Raw random numbers from which a system is built.
#[derive(Clone, Debug)]
struct Seeds(Vec<i64>, usize);

impl Seeds {
    fn next(&mut self, below: i64) -> i64 {
        self.1 += 1;
        self.0[self.1 % self.0.len()]
            .wrapping_mul(self.1 as i64 * 7 + 3)
            .rem_euclid(below)
    }

    /// A small trigonometric or polynomial function of the variables.
    fn function(&mut self, z: &[Expr]) -> Expr {
        let pick = self.next(z.len() as i64) as usize;
        let other = self.next(z.len() as i64) as usize;
        let c = Expr::ratio(self.next(9) - 4, 5);
        let shape = match self.next(6) {
            0 => z[pick].sin(),
            1 => z[pick].cos() * &z[other],
            2 => &z[pick] * &z[other],
            3 => (&z[pick] - &z[other]).cos(),
            4 => Expr::one(),
            _ => z[pick].clone(),
        };
        c * shape
    }
}

struct Case {
    system: System,
    positions: Vec<f64>,
    velocities: Vec<f64>,
}

fn factors(sizes: &[(Option<Group>, usize, usize)]) -> Vec<Factor> {
    let (mut base, mut fibre) = (0, 0);
    let mut all = Vec::new();
    for (i, &(group, b, f)) in sizes.iter().enumerate() {
        all.push(Factor {
            name: format!("f{i}"),
            group,
            trivialization: rattleback_geometry::Trivialization::Body,
            base: base..base + b,
            fibre: fibre..fibre + f,
            unit: None,
        });
        (base, fibre) = (base + b, fibre + f);
    }
    all
}

/// Coordinates, with a group factor in some cases.
fn random_frame(seeds: &mut Seeds, coordinates: usize, with_group: bool) -> (Frame, Vec<Factor>) {
    let q: Vec<Symbol> = (0..coordinates)
        .map(|i| Symbol::variable(&format!("q{i}")))
        .collect();
    let mut frames: Vec<Frame> = q
        .iter()
        .map(|s| Frame::coordinates(std::slice::from_ref(s)))
        .collect();
    let mut sizes = vec![(None, 1, 1); coordinates];
    if with_group {
        let group =
            [Group::SO2, Group::SO3, Group::SE2, Group::SU2, Group::SE3][seeds.next(5) as usize];
        let side = if seeds.next(2) == 0 {
            Trivialization::Body
        } else {
            Trivialization::Space
        };
        let entries: Vec<Symbol> = (0..group.coordinates())
            .map(|i| Symbol::variable(&format!("g[{i}]")))
            .collect();
        let w: Vec<Symbol> = (0..group.dimension())
            .map(|i| Symbol::variable(&format!("w[{i}]")))
            .collect();
        frames.push(group.frame(&entries, &w, side));
        sizes.push((Some(group), group.coordinates(), group.dimension()));
    }
    (Frame::direct_sum(&frames), factors(&sizes))
}

/// L = ½ yᵀ(1 + BᵀB) y − V with B and V random functions: positive definite everywhere.
fn random_lagrangian(seeds: &mut Seeds, frame: &Frame) -> Expr {
    let z: Vec<Expr> = frame.base().iter().map(Expr::from).collect();
    let y = frame.velocity();
    let n = frame.rank();
    let rows = Expr::sum((0..2).map(|_| {
        let row: Vec<Expr> = (0..n).map(|_| seeds.function(&z)).collect();
        rattleback_symbolic::dot(&row, &y).powi(2)
    }));
    let diagonal = Expr::sum(y.iter().map(|v| v * v));
    (diagonal + rows) / 2 - seeds.function(&z) - seeds.function(&z)
}

/// What random constraints are like.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Linear in the velocities.
    Linear,
    /// Linear in the velocities, with coefficients that change with time.
    Turning,
    /// With parts free of velocities.
    Affine,
}

fn random_case(
    mut seeds: Seeds,
    coordinates: usize,
    constraints: usize,
    with_group: bool,
    kind: Kind,
) -> Case {
    let (frame, factors) = random_frame(&mut seeds, coordinates, with_group);
    let l = random_lagrangian(&mut seeds, &frame);
    let z: Vec<Expr> = frame.base().iter().map(Expr::from).collect();
    let n = frame.rank();
    let m = constraints.min(n - 1);
    // The last m columns are the identity, so the rank is m everywhere.
    let forms = Matrix::new(m, n, |s, a| {
        if a >= n - m {
            i64::from(a - (n - m) == s).into()
        } else if kind == Kind::Turning {
            seeds.function(&z) + seeds.function(&[Symbol::time().into()])
        } else {
            seeds.function(&z)
        }
    });
    let offsets: Vec<Expr> = (0..m)
        .map(|_| {
            if kind == Kind::Affine {
                seeds.function(&z) + Expr::from(Symbol::time()).sin()
            } else {
                Expr::zero()
            }
        })
        .collect();
    let positions = random_positions(&mut seeds, &factors);
    let mut velocities: Vec<f64> = (0..n)
        .map(|i| 0.4 - 0.21 * i as f64 + 0.06 * seeds.next(9) as f64)
        .collect();
    let system = System::on_frame("random", frame, factors, l, 1)
        .with_constraints(Constraints::new(forms, offsets));
    // Solve the constraints for the last m velocities.
    let symbols: Vec<Symbol> = [
        &[Symbol::time()],
        system.frame().base(),
        system.frame().fibre(),
    ]
    .concat();
    for s in 0..m {
        velocities[n - m + s] = 0.0;
    }
    let values: Vec<f64> = [&[TIME][..], &positions, &velocities].concat();
    let residuals = Staged::new(
        &symbols,
        &[],
        &system.constraints().residuals(system.frame()),
    )
    .unwrap();
    for (s, r) in residuals.evaluate(&values).unwrap().into_iter().enumerate() {
        velocities[n - m + s] = -r;
    }
    Case {
        system,
        positions,
        velocities,
    }
}

/// A point of the configuration space: group elements lie on their group.
fn random_positions(seeds: &mut Seeds, factors: &[Factor]) -> Vec<f64> {
    let mut all = Vec::new();
    for (i, f) in factors.iter().enumerate() {
        match f.group {
            None => all.push(0.3 + 0.17 * i as f64 - 0.05 * seeds.next(7) as f64),
            Some(g) => {
                let element = g.parametrization("x");
                let free = rattleback_symbolic::free_symbols(&element);
                let values: Vec<f64> = free
                    .iter()
                    .map(|_| 0.4 - 0.1 * seeds.next(7) as f64)
                    .collect();
                all.extend(
                    Staged::new(&free, &[], &element)
                        .unwrap()
                        .evaluate(&values)
                        .unwrap(),
                );
            }
        }
    }
    all
}

const TIME: f64 = 0.7;

impl Case {
    fn agrees(&self, form: Form) -> Result<(), TestCaseError> {
        let place = Place {
            time: TIME,
            positions: &self.positions,
            velocities: &self.velocities,
            constants: &[],
        };
        check_agreement(&self.system, form, &place).map_err(TestCaseError::fail)
    }
}

fn seeds() -> impl Strategy<Value = Seeds> {
    prop::collection::vec(0i64..1_000_000, 24).prop_map(|v| Seeds(v, 0))
}

/// Formulations of a natural system with constraints linear in the velocities.
const LINEAR: [Form; 10] = [
    Form::Newton,
    Form::Manipulator,
    Form::Projection,
    Form::ProjectionPrinciple,
    Form::Hamel,
    Form::GibbsAppell,
    Form::Distributional,
    Form::HamiltonDAlembert,
    Form::Hamiltonian,
    Form::AlmostPoisson,
];

proptest! {
    #![proptest_config(rattleback_testing::cases(48))]

    #[test]
    fn formulations_agree_with_linear_constraints(s in seeds(), n in 2usize..5, m in 0usize..3, group in any::<bool>()) {
        let case = random_case(s, n, m, group, Kind::Linear);
        for form in LINEAR {
            case.agrees(form)?;
        }
    }

    #[test]
    fn formulations_agree_with_constraints_that_turn_with_time(s in seeds(), n in 2usize..5, m in 1usize..3, group in any::<bool>()) {
        let case = random_case(s, n, m, group, Kind::Turning);
        for form in LINEAR {
            case.agrees(form)?;
        }
    }

    #[test]
    fn formulations_agree_with_affine_constraints(s in seeds(), n in 2usize..5, m in 1usize..3, group in any::<bool>()) {
        let case = random_case(s, n, m, group, Kind::Affine);
        for form in [Form::Newton, Form::Manipulator, Form::Projection, Form::ProjectionPrinciple, Form::Hamel, Form::GibbsAppell, Form::Hamiltonian] {
            case.agrees(form)?;
        }
    }

    #[test]
    fn energy_is_conserved_and_reactions_do_no_work(s in seeds(), n in 2usize..5, m in 1usize..3, group in any::<bool>()) {
        let case = random_case(s, n, m, group, Kind::Turning);
        let equations = case.system.equations(Form::LagrangeDAlembert).unwrap();
        let state = [&case.positions[..], &case.velocities].concat();
        let here = Evaluator::new(&equations, &[]).unwrap().at(TIME, &state, &[]).unwrap();
        let slopes = equations.energy.gradient(&equations.state);
        let power = Staged::new(&equations.state, &[], &slopes).unwrap().evaluate(&state).unwrap();
        let rate: f64 = power.iter().zip(&here.rates).map(|(a, b)| a * b).sum();
        prop_assert!(rate.abs() < 1e-9 * (1.0 + here.energy.abs()), "dE/dt = {rate}");
        let work: f64 = equations.reactions.iter().zip(&here.reactions).map(|(q, r)| {
            let a = case.system.frame().fibre().iter().position(|y| y.name() == q.name).unwrap();
            r * case.velocities[a]
        }).sum();
        prop_assert!(work.abs() < 1e-9, "reactions work: {work}");
        prop_assert!(here.residuals.iter().all(|r| r.abs() < 1e-12));
    }
}
