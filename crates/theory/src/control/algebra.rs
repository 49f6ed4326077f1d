//! Left-normed brackets of drift and controls, their ranks and what they leave alone (AC-C41).

use super::state_frame;
use crate::distribution::integrals_along;
use crate::exact::tidy;
use crate::presymplectic::prolonged;
use crate::{Effort, Gap, Reason};
use rattleback_geometry::{Distribution, Frame, Section, Trivialization};
use rattleback_mechanics::optimality::Steering;
use rattleback_mechanics::{ConstraintOrigin, Form, NamedSection, System};
use rattleback_symbolic::{Expr, Matrix, Role, Symbol, dot, generic_rank, substitute_all};

/// The longest brackets that are looked at.
const LONGEST: usize = 6;
/// More brackets of one length are not made: those of the first are enough where a system has few controls.
const MOST: usize = 400;

/// Ranks of the span of brackets by length.
#[derive(Clone, Debug, Default)]
pub struct Accessibility {
    /// At generic states, until they stop growing.
    pub generic: Vec<usize>,
    /// At rest at the positions of the start.
    pub at_start: Option<Vec<usize>>,
    /// Why the generic rank may be larger.
    pub open: Option<Reason>,
}

impl Accessibility {
    /// The rank at generic states.
    pub fn rank(&self) -> usize {
        self.generic.last().copied().unwrap_or(0)
    }

    /// The length at which it is reached.
    pub fn length(&self) -> usize {
        let rank = self.rank();
        self.generic
            .iter()
            .position(|&r| r == rank)
            .map_or(0, |i| i + 1)
    }

    /// The rank at rest at the start, with the length at which it is reached.
    pub fn at_rest(&self) -> Option<(usize, usize)> {
        let ranks = self.at_start.as_ref()?;
        let rank = *ranks.last()?;
        let length = ranks.iter().position(|&r| r == rank)? + 1;
        Some((rank, length))
    }

    /// Is the generic rank known?
    pub fn is_closed(&self) -> bool {
        self.open.is_none()
    }
}

/// The brackets that were made.
pub(super) struct Brackets {
    /// How many independent states there are, controls that became states not counted.
    pub(super) dimension: usize,
    lifted: usize,
    pub(super) ranks: Accessibility,
    frame: Frame,
    generators: Vec<Section>,
    /// A basis of the span at generic states.
    basis: Vec<Section>,
}

/// Drift and inputs, and the frame that they are written in.
struct Generators {
    frame: Frame,
    sections: Vec<Section>,
    /// Controls that are states here.
    lifted: usize,
}

/// Drift and inputs of f(x) + u_i g_i(x). Where the controls do not enter linearly they become states, whose rates are
/// the controls: that changes nothing about what is reached.
fn generators(system: &System, steering: &Steering) -> Result<Generators, Reason> {
    let values = constants(system);
    let rates = steering.explicit();
    let rates = rates.ok_or_else(|| Reason::from(Gap::NoAccelerations))?;
    let rates = substitute_all(&rates, &values);
    let u = &steering.controls;
    if u.is_empty() {
        return Err(Gap::NoControls.into());
    }
    if rates.iter().any(|e| e.contains(&Symbol::time())) {
        return Err(Gap::DependsOnTime.into());
    }
    let slopes: Vec<Section> = u
        .iter()
        .map(|u| rattleback_symbolic::diff_all(&rates, u))
        .collect();
    let is_affine = !slopes.iter().flatten().any(|e| e.contains_any(u));
    let says = |z: &Section| z.iter().any(|e| !e.is_zero());
    if is_affine {
        let still: Vec<_> = u.iter().map(|u| (u.clone(), Expr::zero())).collect();
        let drift = substitute_all(&rates, &still);
        let all = std::iter::once(drift).chain(slopes);
        return Ok(Generators {
            frame: state_frame(steering),
            sections: all.filter(says).collect(),
            lifted: 0,
        });
    }
    let frame = prolonged(&state_frame(steering), u);
    let n = frame.rank();
    let rest = vec![Expr::zero(); u.len()];
    let drift = [rates, rest].concat();
    let unit = |k: usize| frame.basis(n - u.len() + k);
    let sections = std::iter::once(drift).filter(says);
    Ok(Generators {
        sections: sections.chain((0..u.len()).map(unit)).collect(),
        lifted: u.len(),
        frame,
    })
}

fn constants(system: &System) -> Vec<(Symbol, Expr)> {
    let known = |(s, _): &&(Symbol, Expr)| s.role() == Role::Constant;
    system.start_point().iter().filter(known).cloned().collect()
}

/// Brackets of growing length until their span is closed, or spans everything.
pub(super) fn brackets(system: &System, steering: &Steering, effort: Effort) -> Brackets {
    let frame = state_frame(steering);
    let holonomic = system.constraints().origins().iter();
    let holonomic = holonomic
        .filter(|o| **o == ConstraintOrigin::Holonomic)
        .count();
    let mut found = Brackets {
        dimension: frame.rank() - holonomic,
        lifted: 0,
        ranks: Accessibility::default(),
        frame,
        generators: Vec::new(),
        basis: Vec::new(),
    };
    match generators(system, steering) {
        Ok(generators) => {
            found.generators = generators.sections;
            found.frame = generators.frame;
            found.lifted = generators.lifted;
        }
        Err(why) => {
            found.ranks.open = Some(why);
            return found;
        }
    }
    found.grow(system, effort);
    found.ranks.at_start = found.at_rest(system, steering, effort);
    found
}

impl Brackets {
    /// At generic states: a level that adds nothing closes the span, since [X, f Y] = f [X, Y] + X(f) Y.
    fn grow(&mut self, system: &System, effort: Effort) {
        let mut fresh = self.generators.clone();
        for _ in 0..=self.dimension {
            if effort.is_spent() {
                self.ranks.open = Some(Gap::Cancelled.into());
                return;
            }
            let before = self.basis.len();
            let mut kept: Vec<Section> = Vec::new();
            for section in fresh {
                let candidate: Vec<Section> =
                    self.basis.iter().chain([&section]).cloned().collect();
                match rank(system, &candidate) {
                    Ok(rank) if rank == candidate.len() => {
                        self.basis.push(section.clone());
                        kept.push(section);
                    }
                    Ok(_) => {}
                    Err(why) => {
                        self.ranks.open = Some(why);
                        return;
                    }
                }
                if self.basis.len() == self.dimension + self.lifted {
                    break;
                }
            }
            if self.basis.len() == before {
                return;
            }
            self.ranks.generic.push(self.basis.len() - self.lifted);
            if self.basis.len() == self.dimension + self.lifted {
                return;
            }
            fresh = self.brackets_with(&kept);
        }
    }

    fn brackets_with(&self, level: &[Section]) -> Vec<Section> {
        let mut all: Vec<Section> = Vec::new();
        for x in &self.generators {
            for y in level {
                let bracket = self.frame.bracket(x, y);
                let says = bracket.iter().any(|e| !e.is_zero()) && !all.contains(&bracket);
                if says && all.len() < MOST {
                    all.push(bracket);
                }
            }
        }
        all
    }

    /// At a point every bracket counts, those too that are dependent at others.
    fn at_rest(&self, system: &System, steering: &Steering, effort: Effort) -> Option<Vec<usize>> {
        let point = system.start_point();
        if point.is_empty() {
            return None;
        }
        let known = |s: &Symbol| point.iter().any(|(p, _)| p == s);
        let rest = steering
            .states
            .iter()
            .map(|(s, ..)| s)
            .filter(|s| !known(s));
        let rest = rest.map(|s| (s.clone(), Expr::zero()));
        let at: Vec<(Symbol, Expr)> = point.iter().cloned().chain(rest).collect();
        let mut level = self.generators.clone();
        let mut all: Vec<Section> = Vec::new();
        let mut ranks: Vec<usize> = Vec::new();
        while ranks.len() < LONGEST && !effort.is_spent() {
            let here = level.iter().map(|z| substitute_all(z, &at));
            all.extend(here.filter(|z| z.iter().any(|e| !e.is_zero())));
            let rank = match all.is_empty() {
                true => 0,
                false => rank(system, &all).ok()?,
            };
            ranks.push(rank.saturating_sub(self.lifted));
            if ranks.last() == Some(&self.dimension) || ranks.len() == LONGEST {
                break;
            }
            level = self.brackets_with(&level);
            if level.len() >= MOST {
                break;
            }
        }
        Some(ranks)
    }

    /// Functions that all brackets leave alone, and how many are missing: momenta of symmetries along which no control
    /// pushes, then what a search finds.
    pub(super) fn invariants(
        &self,
        system: &System,
        steering: &Steering,
        effort: Effort,
    ) -> (Vec<Expr>, usize) {
        let wanted = self.dimension + self.lifted - self.basis.len();
        let mut kept: Vec<Expr> = Vec::new();
        for f in momenta(system, steering) {
            self.offer(system, &mut kept, f, wanted);
        }
        if kept.len() < wanted {
            for f in self.searched(system, effort) {
                self.offer(system, &mut kept, f, wanted);
            }
        }
        let missing = wanted - kept.len();
        (kept, missing)
    }

    /// Takes a function whose differential is independent of those of the others.
    fn offer(&self, system: &System, kept: &mut Vec<Expr>, f: Expr, wanted: usize) {
        let all = kept.iter().chain([&f]);
        let all: Vec<Section> = all.map(|g| self.frame.differential(g)).collect();
        if kept.len() < wanted && rank(system, &all).is_ok_and(|r| r == all.len()) {
            kept.push(f);
        }
    }

    /// What the search for functions along the generators finds.
    fn searched(&self, system: &System, effort: Effort) -> Vec<Expr> {
        let factors = system.factors().to_vec();
        let states = System::on_frame("states", self.frame.clone(), factors, Expr::zero(), 1)
            .with_circles(system.circles().to_vec());
        let on = states.parametrization().to_vec();
        match Distribution::spanned_by(&self.frame, &self.generators, &on) {
            Ok(d) => integrals_along(&states, &d, &self.basis, effort),
            Err(_) => Vec::new(),
        }
    }
}

/// Momenta that no control changes: of declared symmetries, translations, and motions of groups from the left.
fn momenta(system: &System, steering: &Steering) -> Vec<Expr> {
    if system.order() > 1 || system.is_kinematic() {
        return Vec::new();
    }
    let velocity: Vec<(Symbol, Expr)> = system
        .frame()
        .fibre()
        .iter()
        .cloned()
        .zip(steering.velocity.iter().cloned())
        .collect();
    let p = substitute_all(&system.momenta(), &velocity);
    let candidates = system.symmetries().iter().cloned().chain(motions(system));
    let kept = candidates.filter(|xi| system.conserves(xi, Form::default_for(system)));
    let values = constants(system);
    kept.map(|xi| tidy(&dot(&p, &xi.components).substitute(&values)))
        .collect()
}

/// ∂/∂q for coordinates; for groups the generators of the action from the side on which the velocity does not change.
fn motions(system: &System) -> Vec<NamedSection> {
    let n = system.frame().rank();
    let mut all = Vec::new();
    for factor in system.factors() {
        let base = &system.frame().base()[factor.base.clone()];
        for a in 0..factor.fibre.len() {
            let own: Vec<Expr> = match factor.group {
                None => vec![Expr::one()],
                Some(group) => {
                    let g: Vec<Expr> = base.iter().map(Expr::from).collect();
                    let unit: Vec<Expr> = group.basis(a);
                    match factor.trivialization {
                        Trivialization::Body => group.adjoint(&group.inverse(&g), &unit),
                        Trivialization::Space => unit,
                    }
                }
            };
            let mut components = vec![Expr::zero(); n];
            components[factor.fibre.clone()].clone_from_slice(&own);
            all.push(NamedSection {
                name: factor.name.clone(),
                components,
            });
        }
    }
    all
}

fn rank(system: &System, sections: &[Section]) -> Result<usize, Reason> {
    let rows: Vec<Vec<Expr>> = sections
        .iter()
        .map(|z| substitute_all(z, system.parametrization()))
        .collect();
    generic_rank(&Matrix::from_rows(&rows)).map_err(Reason::failed)
}
