//! Stability of equilibria and steady motions: by energy and conserved quantities, by the spectrum of the linear system in
//! the frame that moves along, and by mirrors that turn time around.

mod arcs;
mod chart;
mod decay;
mod energy;
mod exact;
mod family;
mod ground;
mod linear;
mod pencil;
mod polynomial;
mod reversal;

pub use decay::dies_out;
pub(crate) use ground::Ground;

use crate::exact::tidy;
use crate::steady::{Relation, Stability, SteadyState, free_rates, open_rates};
use crate::{Answer, Evidence, Gap, Named, Reason, Theorem};
use arcs::without_arcs;
use energy::{Conserved, Definite, Open};
use exact::Signs;
use linear::{Linear, Point};
use polynomial::{Located, located};
use rattleback_mechanics::NamedSection;
use rattleback_symbolic::{Expr, Matrix, Symbol, characteristic, simplify};

impl Stability {
    /// Judges a state.
    pub(crate) fn of(ground: &Ground<'_>, state: &SteadyState) -> Self {
        match Judged::of(ground, state) {
            Some(judged) => judged.stability(),
            None => Self::open(Gap::NotRealHere),
        }
    }
}

/// The largest system that is judged, and the largest with entries that are not numbers.
const LARGEST: usize = 14;
const LARGEST_ALGEBRAIC: usize = 8;
/// Conditions longer than this are not written out.
const SHORT: usize = 40;

/// A state to be judged.
struct Judged<'a> {
    ground: &'a Ground<'a>,
    state: &'a SteadyState,
    /// What is free, at the values; rates that the start does not give stay open.
    known: Vec<(Symbol, Expr)>,
    /// The state there.
    point: Point,
}

/// A free rate by a symbol of its own: the symbols of velocities vary with the state.
fn renamed(s: &Symbol) -> Symbol {
    Symbol::variable(&format!("free {s}"))
}

impl<'a> Judged<'a> {
    /// None where the conditions of the state fail at the values.
    fn of(ground: &'a Ground<'a>, state: &'a SteadyState) -> Option<Self> {
        let values = state.values.as_ref()?;
        let problem = ground.problem;
        let open = open_rates(problem, state);
        let base = ground.system.frame().base();
        let own = |s: &Symbol| (s.clone(), Expr::from(&renamed(s)));
        let known = values.iter().filter(|(s, _)| !open.contains(s)).cloned();
        let known: Vec<(Symbol, Expr)> = known.chain(open.iter().map(own)).collect();
        let at = |e: &Expr| simplify(&problem.values.at(&e.substitute(&known)));
        let positions = values.iter().filter(|(s, _)| base.contains(s)).cloned();
        let velocities = state.velocities.iter().map(|(y, e)| (y.clone(), at(e)));
        let parameters = problem.values.pairs().iter().cloned();
        let carried = state.carried.iter().map(|(f, r)| (f.clone(), at(r)));
        let point = Point {
            values: positions.chain(velocities).chain(parameters).collect(),
            carried: carried.collect(),
            signs: Signs::with(open.iter().map(renamed).collect()),
        };
        Some(Self {
            ground,
            state,
            known,
            point,
        })
    }

    /// A function of what is free there.
    fn at(&self, e: &Expr) -> Expr {
        let values = &self.ground.problem.values;
        simplify(&values.at(&e.substitute(&self.known)))
    }

    fn stability(&self) -> Stability {
        let linear = self.linear();
        let (spectrum, conditions) = match &linear {
            Ok(linear) => (self.spectrum(linear), self.conditions(linear)),
            Err(why) => (Spectrum::Open(why.clone()), Vec::new()),
        };
        let stable = self.answer(&spectrum, linear.as_ref().ok(), &conditions);
        let attracts = matches!(spectrum, Spectrum::Attracts { .. });
        let (state, matrix) = match linear {
            Ok(linear) => (
                linear.system.state.clone(),
                Some(self.at_values(&linear.matrix())),
            ),
            Err(_) => (Vec::new(), None),
        };
        Stability {
            stable,
            state,
            matrix,
            conditions,
            attracts,
        }
    }

    fn linear(&self) -> Result<Linear, Reason> {
        let equations = self.ground.equations()?;
        // Which directions are independent is read off at numbers.
        let near = match self.point.signs.is_open() {
            false => None,
            true => {
                let values = self.point.values.iter();
                let values = values.map(|(s, e)| (s.clone(), self.closed(e)));
                let names: Vec<NamedSection> = self.fields();
                let rates = self.point.carried.iter().map(|(_, r)| self.closed(r));
                let moving =
                    equations.moving_with(self.ground.system, &names, &rates.collect::<Vec<_>>());
                moving.and_then(|m| chart::of(&m, &values.collect::<Vec<_>>()))
            }
        };
        Linear::of(
            self.ground.system,
            equations,
            &self.symmetries(),
            &self.point,
            near,
        )
    }

    /// The symmetries that carry it.
    fn fields(&self) -> Vec<NamedSection> {
        let carried = self.point.carried.iter();
        carried.map(|(f, _)| f.clone()).collect()
    }

    /// Those first, then all others that are known.
    fn symmetries(&self) -> Vec<NamedSection> {
        let mut all = self.fields();
        for field in &self.ground.symmetries {
            if !all.iter().any(|f| f.components == field.components) {
                all.push(field.clone());
            }
        }
        all
    }

    /// With open rates at the numbers that the report shows.
    fn closed(&self, e: &Expr) -> Expr {
        let values = self.state.values.iter().flatten();
        let shown: Vec<(Symbol, Expr)> = values.map(|(s, v)| (renamed(s), v.clone())).collect();
        simplify(&e.substitute(&shown))
    }

    fn at_values(&self, a: &Matrix) -> Matrix {
        a.map(|e| self.closed(e))
    }

    fn spectrum(&self, linear: &Linear) -> Spectrum {
        let a = &linear.across;
        let numbers = a.entries().iter().all(|e| e.as_number().is_some());
        let most = if numbers { LARGEST } else { LARGEST_ALGEBRAIC };
        if a.rows() > most {
            return Spectrum::Open(Gap::TooManyStates.with("states", a.rows()).into());
        }
        let p = characteristic(a);
        let signs = &self.point.signs;
        let zeros = p.iter().take_while(|e| signs.is_zero(e)).count();
        let family = || self.family(linear, zeros);
        if zeros + 1 == p.len() {
            return match zeros > 0 && family() {
                true => Spectrum::Open(Gap::NothingTransverse.into()),
                false => Spectrum::Neutral { swings: false },
            };
        }
        match located(&p[zeros..], signs) {
            None if signs.is_open() => Spectrum::ByRates,
            None => Spectrum::Neutral { swings: true },
            Some(Located::Right(roots)) => Spectrum::Unstable { roots },
            Some(Located::NotRight { pairs: 0, .. }) if family() => {
                Spectrum::Attracts { along: zeros }
            }
            Some(Located::NotRight {
                pairs: 1,
                simple: true,
            }) if zeros + 3 == p.len() => Spectrum::Centre { along: zeros },
            Some(Located::NotRight { pairs, .. }) => Spectrum::Neutral {
                swings: zeros + 2 * pairs + 1 == p.len(),
            },
        }
    }

    /// Are the steady states modulo the orbit a manifold of so many dimensions?
    fn family(&self, linear: &Linear, dimensions: usize) -> bool {
        let wanted = dimensions + linear.projection.rank();
        self.counted() == Some(wanted) || self.ground.dimension(&self.point) == Some(wanted)
    }

    /// The dimension of the family by what is free; none where it takes entries of a group that are partly determined, or
    /// free rates that the states do not tell apart.
    fn counted(&self) -> Option<usize> {
        let (ground, state) = (self.ground, self.state);
        let frame = ground.system.frame();
        let rates = free_rates(ground.system, state);
        let entries: Vec<&(Symbol, Expr)> =
            state.positions.iter().chain(&state.velocities).collect();
        let slope = |i: usize, k: usize| self.at(&entries[i].1.diff(&rates[k]));
        let told_apart = Matrix::new(entries.len(), rates.len(), slope);
        if !rates.is_empty() && family::sure_rank(&told_apart, &self.point)? < rates.len() {
            return None;
        }
        let is_free = |z: &Symbol| state.free.contains(z);
        let mut dimension = rates.len();
        for factor in ground.system.factors() {
            let entries = &frame.base()[factor.base.clone()];
            dimension += match entries.iter().filter(|z| is_free(z)).count() {
                0 => 0,
                all if all == entries.len() => factor.fibre.len(),
                _ => return None,
            };
        }
        Some(dimension)
    }

    fn has_mirror(&self, linear: &Linear) -> bool {
        let equations = self.ground.equations();
        equations.is_ok_and(|e| reversal::has_mirror(self.ground.system, e, linear, &self.point))
    }

    fn answer(
        &self,
        spectrum: &Spectrum,
        linear: Option<&Linear>,
        conditions: &[Relation],
    ) -> Answer {
        match spectrum {
            Spectrum::Unstable { roots: Some(n) } => {
                return Answer::refuted(Theorem::EigenvaluesRight.with("roots", *n));
            }
            Spectrum::Unstable { roots: None } => {
                return Answer::refuted(Evidence::from(Theorem::EigenvaluesOffAxis));
            }
            Spectrum::Attracts { along: 0 } => {
                return Answer::proven(Evidence::from(Theorem::EigenvaluesLeft));
            }
            Spectrum::Attracts { along } => {
                return Answer::proven(Theorem::FamilyAttracts.with("along", *along));
            }
            Spectrum::Centre { along } => return self.about_centre(*along, linear),
            Spectrum::Neutral { .. } | Spectrum::ByRates | Spectrum::Open(_) => {}
        }
        // Where modes die out, or do nothing, no integral has a strict extremum.
        let swings = !matches!(spectrum, Spectrum::Neutral { swings: false });
        let behind = match self.by_energy(swings) {
            Ok(proof) => return Answer::proven(proof),
            Err(open) => open.reason(),
        };
        Answer::undecided(match spectrum {
            Spectrum::ByRates if conditions.is_empty() => Reason::from(Gap::RatesNotGiven),
            Spectrum::ByRates => {
                let all: Vec<String> = conditions.iter().map(ToString::to_string).collect();
                Gap::OneWay.with("conditions", all.join(" and ")).into()
            }
            Spectrum::Open(why) => Reason::because(Gap::SpectrumUnknown, why.clone()),
            _ => Reason::because(Gap::SpectrumOnAxis, behind),
        })
    }

    /// One pair of eigenvalues on the axis, and zeros: at rest the energy is asked first, in motion the mirror.
    fn about_centre(&self, along: usize, linear: Option<&Linear>) -> Answer {
        let rests = self.point.carried.is_empty();
        let by_energy = match rests.then(|| self.by_energy(true)) {
            Some(Ok(proof)) => return Answer::proven(proof),
            other => other,
        };
        if linear.is_some_and(|l| self.has_mirror(l)) {
            return Answer::proven(Theorem::MirroredCentre.with("along", along));
        }
        match by_energy.unwrap_or_else(|| self.by_energy(true)) {
            Ok(proof) => Answer::proven(proof),
            Err(open) => Answer::undecided(Reason::because(Gap::SpectrumOnAxis, open.reason())),
        }
    }

    /// The second variation of the energy, less what else is conserved.
    fn by_energy(&self, swings: bool) -> Result<Evidence, Open> {
        let ground = self.ground;
        let system = ground.system;
        let rests = self.point.carried.is_empty();
        let parameters = ground.problem.values.pairs();
        if let Some(open) = energy::premise(system, parameters, rests) {
            return Err(open);
        }
        if !rests && !self.fields().iter().all(|f| ground.is_strict(f)) {
            return Err(Open::Premise(
                "a symmetry that carries it changes the Lagrangian",
            ));
        }
        let strict = ground.strict();
        let alone = strict.is_empty();
        let theorem = |positive: bool| match (rests, alone, positive) {
            (true, true, true) => Theorem::EnergyMinimum,
            (true, true, false) => Theorem::EnergyMaximum,
            (true, false, true) => Theorem::EnergyMinimumAcrossOrbit,
            (true, false, false) => Theorem::EnergyMaximumAcrossOrbit,
            (false, ..) => Theorem::EnergyMomentumMinimum,
        };
        let judged = |c: &Conserved| energy::definite(system, c, &self.point);
        let shown = |held: Definite| match held.directions {
            0 => Evidence::from(Theorem::MomentaKeep),
            directions => theorem(held.positive).with("directions", directions).into(),
        };
        let constraints = system.constraints();
        let holonomic = constraints.holonomic().len() == constraints.len();
        if rests {
            let alone = judged(&Conserved::energy(strict)).map(shown);
            // Momenta of motions that leave it where it is may hold what the energy does not.
            return match alone {
                Err(Open::Indefinite) if holonomic && !system.is_forced() => {
                    let more = Conserved::momenta(system, ground.with_found())?;
                    let held = judged(&more)?;
                    Ok(Theorem::EnergyMomentumMinimum
                        .with("directions", held.directions)
                        .into())
                }
                other => other,
            };
        }
        if !holonomic && !swings {
            return Err(Open::Premise(
                "momenta of nonholonomic systems are not conserved",
            ));
        }
        if !holonomic {
            let integrals = ground.integrals();
            let kept = Conserved::integrals(system, integrals.to_vec(), &strict);
            let proof = judged(&kept)?;
            return Ok(Theorem::EnergyIntegralMinimum
                .with("directions", proof.directions)
                .into());
        }
        let declared = Conserved::momenta(system, strict).and_then(|c| judged(&c));
        match declared {
            Ok(directions) => Ok(shown(directions)),
            Err(why) => {
                let more = ground.with_found();
                if more.len() == ground.strict().len() {
                    return Err(why);
                }
                judged(&Conserved::momenta(system, more)?).map(shown)
            }
        }
    }

    /// The conditions of a polynomial of degree 1 or 2 across the family, or one in λ² of degree 2, in parameters and
    /// free ones.
    fn conditions(&self, linear: &Linear) -> Vec<Relation> {
        if linear.system.state.len() > LARGEST_ALGEBRAIC {
            return Vec::new();
        }
        self.formula(linear).unwrap_or_default()
    }

    fn formula(&self, linear: &Linear) -> Option<Vec<Relation>> {
        let state = self.state;
        let base = self.ground.system.frame().base();
        let rates = state.free.iter().filter(|s| !base.contains(s));
        let own: Vec<(Symbol, Expr)> = rates
            .clone()
            .map(|s| (s.clone(), Expr::from(&renamed(s))))
            .collect();
        let put = |(s, e): &(Symbol, Expr)| (s.clone(), e.substitute(&own));
        let point = Point {
            values: [&state.positions[..], &state.gauge]
                .concat()
                .into_iter()
                .chain(state.velocities.iter().map(put))
                .collect(),
            carried: state
                .carried
                .iter()
                .map(|(f, r)| (f.clone(), r.substitute(&own)))
                .collect(),
            signs: Signs::generic(),
        };
        let equations = self.ground.equations().ok()?;
        let system = self.ground.system;
        let chart = Some(linear.chart.clone());
        let general = Linear::of(system, equations, &linear.orbit, &point, chart).ok()?;
        let n = general.across.rows();
        let size: usize = general.across.entries().iter().map(Expr::node_count).sum();
        if general.orbit.len() != linear.orbit.len() || size > n * n * SHORT {
            return None;
        }
        let p = characteristic(&general.across);
        let back: Vec<(Symbol, Expr)> = rates.map(|s| (renamed(s), Expr::from(s))).collect();
        let read = |e: &Expr| tidy(&without_arcs(&tidy(&e.substitute(&back))));
        let p: Vec<Expr> = p.iter().map(read).collect();
        let zeros = p.iter().take_while(|e| e.is_zero()).count();
        let needed: Vec<Expr> = match &p[zeros..] {
            [a, _] => vec![a.clone()],
            [b, a, _] if a.is_zero() => vec![b.clone()],
            [b, a, _] => vec![a.clone(), b.clone()],
            // Both roots λ² are real and negative.
            [c, x, b, y, _] if x.is_zero() && y.is_zero() => {
                vec![b.clone(), c.clone(), tidy(&(b.powi(2) - 4 * c))]
            }
            _ => return None,
        };
        let all = needed.iter().filter(|e| e.node_count() <= SHORT);
        let all: Vec<Relation> = all.map(Relation::positive).collect();
        match all.iter().any(|r| r.holds() == Some(false)) || all.len() < needed.len() {
            true => None,
            false => Some(all.into_iter().filter(|r| r.holds().is_none()).collect()),
        }
    }
}

/// What the eigenvalues tell.
enum Spectrum {
    /// So many have positive real part.
    Unstable { roots: Option<usize> },
    /// All but those along the family die out.
    Attracts { along: usize },
    /// One pair on the axis, and zeros.
    Centre { along: usize },
    /// On the imaginary axis; all that are not zero, or not.
    Neutral { swings: bool },
    /// The free rates decide.
    ByRates,
    /// Not known.
    Open(Reason),
}
