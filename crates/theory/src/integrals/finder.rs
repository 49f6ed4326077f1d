//! Functions of positions and velocities tried as first integrals, one by one and by ansatz.

use super::{FirstIntegral, FirstIntegralReport, Origin, Polynomials};
use crate::exact::{Along, Settle, tidy};
use crate::finding::search::{Search, Searched};
use crate::symmetry::{coefficient_functions, functions_up_to};
use crate::{Answer, Effort, Evidence, Function, Gap, Named, Reason, Theorem};
use rattleback_geometry::independent_rows;
use rattleback_mechanics::System;
use rattleback_mechanics::phase::{FrameMomenta, tangent_lift};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

/// Unknown coefficients of one ansatz.
const UNKNOWNS: usize = 160;
/// Unknown coefficients per degree of an ansatz of degree three or four.
const UNKNOWNS_PER_DEGREE: usize = 80;
/// Degrees of freedom beyond which degrees three and four have too many coefficients.
const FEW: usize = 3;

/// What was found so far, and what is needed to try more.
pub(super) struct Finder<'a> {
    system: &'a System,
    settle: Settle<'a>,
    phase: &'a FrameMomenta,
    /// Rates of (z, P).
    pub(super) flow: Vec<Expr>,
    along: Along,
    momenta: Vec<(Symbol, Expr)>,
    pub(super) all: Vec<FirstIntegral>,
    /// What was left out.
    pub(super) search: Search,
}

impl<'a> Finder<'a> {
    pub(super) fn new(system: &'a System, phase: &'a FrameMomenta, effort: Effort) -> Self {
        let flow = phase.bracket().field(phase.hamiltonian());
        Self {
            along: Along::new(&flow, system.parametrization()),
            flow,
            momenta: ambient_momenta(system, phase),
            settle: Settle::new(system),
            system,
            phase,
            all: Vec::new(),
            search: Search::of(polynomials(2), effort),
        }
    }

    /// Begins with what an ansatz gave.
    pub(super) fn take(&mut self, found: Polynomials) {
        self.all = found.all;
        self.search.extend(found.searched);
        self.search.join(found.end);
    }

    fn coordinates(&self) -> &[Symbol] {
        &self.phase.bracket().coordinates
    }

    fn rate(&self, f: &Expr) -> Expr {
        dot(&f.gradient(self.coordinates()), &self.flow)
    }

    /// Takes a function that is conserved and independent of the others.
    pub(super) fn offer(&mut self, f: Expr, origin: Origin) -> bool {
        // A linear integral is worth knowing even where the energy and others determine it.
        let linear = f.degree(self.phase.momenta()) == Some(1);
        let others: Vec<&Expr> = self
            .all
            .iter()
            .filter(|i| !linear || i.origin != Origin::Energy)
            .map(|i| &i.canonical)
            .chain([&f])
            .collect();
        if self.rank(&others) < others.len() {
            return false;
        }
        let rate = [self.rate(&f)];
        let verdict = self.system.prove_zero(&rate);
        if !verdict.is_proven() {
            return false;
        }
        let field = linear.then(|| self.field_of(&f));
        let origin = match (&field, f.degree(self.phase.momenta())) {
            (Some(z), _) if self.is_symmetry(z, &f) => Origin::HorizontalSymmetry,
            (Some(_), _) if origin == Origin::Symmetry => Origin::Symmetry,
            // The stage that found it may have allowed for a higher degree.
            (None, Some(degree)) if origin.is_polynomial() => Origin::of_degree(degree),
            _ => origin,
        };
        self.all.push(FirstIntegral {
            value: match origin {
                Origin::Energy => self.settle.apply(&self.system.energy()),
                _ => self.in_velocities(&f),
            },
            canonical: self.settle.apply(&f),
            origin,
            field,
            proof: Answer::vanish(&rate, verdict, Function::BracketWithHamiltonian),
        });
        true
    }

    /// The function in ambient velocities: with P_a = ⟨∂L/∂y, Z_a⟩, or with velocities that are those of the
    /// frame of D, whichever is shorter.
    fn in_velocities(&self, f: &Expr) -> Expr {
        let paired = self.settle.apply(&f.substitute(&self.momenta));
        let sections = self.phase.sections();
        let frame = self.system.frame();
        let z = &sections.basis;
        let row_of = |a: usize| {
            (0..z.rows())
                .find(|&i| (0..z.cols()).all(|b| z[(i, b)] == Expr::from(i64::from(a == b))))
        };
        let rows: Option<Vec<usize>> = (0..z.cols()).map(row_of).collect();
        let Some(rows) = rows else { return paired };
        let l = sections.restrict(frame, std::slice::from_ref(self.system.lagrangian()));
        let momenta = l[0].gradient(&sections.velocities);
        let own: Vec<(Symbol, Expr)> = sections
            .velocities
            .iter()
            .cloned()
            .zip(rows.iter().map(|&i| Expr::from(&frame.fibre()[i])))
            .collect();
        let known: Vec<(Symbol, Expr)> = self
            .phase
            .momenta()
            .iter()
            .cloned()
            .zip(substitute_all(&momenta, &own))
            .collect();
        let restricted = self.settle.apply(&f.substitute(&known));
        if restricted.node_count() < paired.node_count() {
            restricted
        } else {
            paired
        }
    }

    /// Are as many independent integrals known as there are degrees of freedom?
    pub(super) fn are_as_many_as_freedoms(&self) -> bool {
        let known: Vec<&Expr> = self.all.iter().map(|i| &i.canonical).collect();
        self.rank(&known) >= self.phase.momenta().len()
    }

    /// Takes a function of positions and velocities, if it is conserved and independent of the others.
    pub(super) fn offer_in_velocities(&mut self, f: &Expr) {
        let sections = self.phase.sections();
        let on_d = sections.restrict(self.system.frame(), std::slice::from_ref(f));
        let velocities = self.phase.velocities().iter().cloned();
        let known: Vec<(Symbol, Expr)> = sections
            .velocities
            .iter()
            .cloned()
            .zip(velocities)
            .collect();
        if self.offer(on_d[0].substitute(&known), Origin::HamiltonJacobi)
            && let Some(last) = self.all.last_mut()
        {
            last.value = f.clone();
        }
    }

    /// How many of the functions are independent.
    fn rank(&self, functions: &[&Expr]) -> usize {
        let rows: Vec<Vec<Expr>> = functions.iter().map(|g| self.slopes(g)).collect();
        independent_rows(&Matrix::from_rows(&rows), self.system.parametrization())
            .map_or(0, |r| r.kept.len())
    }

    /// The derivatives along the frame and in the momenta: what a differential on phase space is.
    fn slopes(&self, f: &Expr) -> Vec<Expr> {
        let mut slopes = self.system.frame().differential(f);
        slopes.extend(f.gradient(self.phase.momenta()));
        slopes
    }

    /// Z with P_Z = f.
    fn field_of(&self, f: &Expr) -> Vec<Expr> {
        let c = f.gradient(self.phase.momenta());
        self.settle.all(&self.phase.sections().basis.apply(&c))
    }

    /// Does Z leave the Lagrangian alone, up to the rate of the part of f = P_Z + f₀ free of momenta?
    fn is_symmetry(&self, z: &[Expr], f: &Expr) -> bool {
        let frame = self.system.frame();
        let lift = tangent_lift(frame, z);
        let change = lift.apply(frame, frame.fibre(), self.system.lagrangian());
        let momenta = self.phase.momenta().iter();
        let none: Vec<(Symbol, Expr)> = momenta.map(|p| (p.clone(), Expr::zero())).collect();
        let rest = frame.rate(&f.substitute(&none));
        self.system.prove_zero(&[change + rest]).is_proven()
    }

    /// Σ c m p with monomials m and momenta p; with Σ c m where the Lagrangian has terms linear in the
    /// velocities. `written` are the momenta in ambient velocities.
    pub(super) fn linear(&mut self, momenta: &[Expr], written: Option<&[Expr]>) {
        let gyroscopic = self.is_gyroscopic();
        let most = UNKNOWNS / (momenta.len() + usize::from(gyroscopic)).max(1);
        let functions = coefficient_functions(self.system, 2, most);
        let ansatz = |momenta: &[Expr]| -> Vec<Expr> {
            let products = functions
                .iter()
                .flat_map(|m| momenta.iter().map(move |p| m * p));
            let plain = functions.iter().skip(1).filter(|_| gyroscopic).cloned();
            products.chain(plain).collect()
        };
        let written = written.map(&ansatz);
        self.solve(&ansatz(momenta), written.as_deref(), Origin::Gauge);
    }

    /// Are there momenta at rest?
    fn is_gyroscopic(&self) -> bool {
        let fibre = self.system.frame().fibre();
        let rest: Vec<(Symbol, Expr)> = fibre.iter().map(|y| (y.clone(), Expr::zero())).collect();
        let momenta = substitute_all(&self.system.momenta(), &rest);
        momenta.iter().any(|p| !p.is_zero())
    }

    /// Σ c m p_a p_b + Σ c m f with monomials m, momenta p and the functions f = 1, the potential and the
    /// integrals of the constraints. `written` are the momenta in ambient velocities.
    pub(super) fn quadratic(&mut self, momenta: &[Expr], weight: &Expr, written: Option<&[Expr]>) {
        let functions = self.position_functions();
        let k = momenta.len();
        let most = UNKNOWNS / (k * (k + 1) / 2 + functions.len());
        let monomials = coefficient_functions(self.system, 2, most);
        let ansatz = |p: &[Expr]| -> Vec<Expr> {
            let pairs = (0..k).flat_map(|a| (a..k).map(move |b| (a, b)));
            let products = pairs.map(|(a, b)| &p[a] * &p[b] * weight);
            let factors: Vec<Expr> = products.chain(functions.iter().cloned()).collect();
            let all = monomials
                .iter()
                .flat_map(|m| factors.iter().map(move |f| m * f));
            all.filter(|e| e.as_number().is_none()).collect()
        };
        let written = written.map(&ansatz);
        self.solve(&ansatz(momenta), written.as_deref(), Origin::Quadratic);
    }

    /// Σ c m P^a with |a| = degree, degree − 2, …, where fewer integrals than degrees of freedom are known.
    /// The degree of the coefficients grows as that of the momenta falls: a potential stands for a square.
    pub(super) fn higher(&mut self, degree: usize, origin: Origin) {
        let k = self.phase.momenta().len();
        if k > FEW || self.are_as_many_as_freedoms() {
            return;
        }
        let mut ansatz = Vec::new();
        for lower in 0..=degree / 2 {
            let products = products(self.phase.momenta(), degree - 2 * lower);
            let most = UNKNOWNS_PER_DEGREE / products.len();
            let functions = functions_up_to(self.system, 2 + 2 * lower, lower, most.max(1));
            ansatz.extend(
                functions
                    .iter()
                    .flat_map(|m| products.iter().map(move |p| m * p))
                    .filter(|e| e.as_number().is_none()),
            );
        }
        self.solve(&ansatz, None, origin);
        self.search.extend(polynomials(degree));
    }

    /// 1, the energy at rest and the integrals of the constraints.
    fn position_functions(&self) -> Vec<Expr> {
        let momenta = self.phase.momenta().iter();
        let rest: Vec<(Symbol, Expr)> = momenta.map(|p| (p.clone(), Expr::zero())).collect();
        let potential = tidy(&self.phase.hamiltonian().substitute(&rest));
        let kept = self.all.iter().filter(|i| i.origin == Origin::Constraints);
        let further = std::iter::once(potential).chain(kept.map(|i| i.canonical.clone()));
        let moves = |e: &Expr| e.contains_any(self.system.frame().base());
        std::iter::once(Expr::one())
            .chain(further.filter(moves))
            .collect()
    }

    /// The combinations of the ansatz that are kept; `written` is the ansatz in ambient velocities.
    fn solve(&mut self, ansatz: &[Expr], written: Option<&[Expr]>, origin: Origin) {
        if !self.search.goes_on() {
            return;
        }
        let z = self.coordinates();
        let gradients: Vec<Vec<Expr>> = ansatz.iter().map(|f| f.gradient(z)).collect();
        let on = self.system.parametrization();
        let relations = self.along.kept(&gradients, on, &mut self.search);
        let combined = |c: &[Expr], all: &[Expr]| Expr::sum(c.iter().zip(all).map(|(c, f)| c * f));
        let mut candidates: Vec<(Expr, Option<Expr>)> = relations
            .iter()
            .map(|c| (combined(c, ansatz), written.map(|w| combined(c, w))))
            .collect();
        candidates.sort_by_key(|(f, _)| f.node_count());
        for (f, written) in candidates {
            if !self.search.goes_on() {
                return;
            }
            let new = self.offer(f, origin.clone());
            let written = written.map(|w| self.settle.apply(&w));
            if let (true, Some(w), Some(last)) = (new, written, self.all.last_mut())
                && w.node_count() < last.value.node_count()
            {
                last.value = w;
            }
        }
    }

    pub(super) fn report(self) -> FirstIntegralReport {
        // A position constraint that the model states is no discovery.
        let stated = self.system.constraints().holonomic().len();
        let origins = || self.all.iter().map(|i| &i.origin);
        let of_constraints = origins().filter(|o| **o == Origin::Constraints).count();
        let others = origins().filter(|o| !matches!(o, Origin::Energy | Origin::Constraints));
        let further = others.count() + of_constraints.saturating_sub(stated);
        let functions: Vec<&Expr> = self.all.iter().map(|i| &i.canonical).collect();
        let independent = self.rank(&functions);
        let claim = match further {
            0 => Answer::undecided(self.not_found()),
            _ => self.found(further, independent, stated),
        };
        let values: Vec<Expr> = self.all.iter().map(|i| i.canonical.clone()).collect();
        let involution = self.phase.bracket().involution(&values);
        let involution = involution.map(|e| match self.vanishes(e) {
            true => Expr::zero(),
            false => self.settle.apply(e),
        });
        FirstIntegralReport {
            claim,
            levels: self.levels(&involution),
            involution,
            independent,
            enough: self.system.frame().rank() + self.phase.momenta().len() - 1,
            all: self.all,
        }
    }

    /// There are some, `stated` of them position constraints of the model.
    fn found(&self, further: usize, independent: usize, stated: usize) -> Answer {
        let theorem = match stated {
            0 => Theorem::IntegralsBesidesEnergy,
            _ => Theorem::IntegralsBesidesConstraints,
        };
        let theorem = theorem
            .with("further", further)
            .with("independent", independent)
            .with("all", self.all.len());
        let shown = self.all.iter().filter_map(|i| i.proof.evidence().cloned());
        Answer::proven(Evidence::theorem(
            theorem,
            [Evidence::Parts(shown.collect())],
        ))
    }

    /// How far was looked.
    fn not_found(&self) -> Reason {
        Reason::NotFound {
            what: Gap::NoIntegral.into(),
            searched: self.search.what(),
            end: self.search.clone().finish(),
        }
    }

    /// Is a function proven to be zero?
    fn vanishes(&self, e: &Expr) -> bool {
        e.is_zero() || self.system.prove_zero(std::slice::from_ref(e)).is_proven()
    }

    /// Two integrals with {f, g} ≠ 0 cut out levels on which the two-form stays nondegenerate.
    fn levels(&self, involution: &Matrix) -> Answer {
        let n = involution.rows();
        for a in 0..n {
            for b in a + 1..n {
                let entry = std::slice::from_ref(&involution[(a, b)]);
                let what = Function::BracketOfIntegrals
                    .with("first", a + 1)
                    .with("second", b + 1);
                let vanishes = Answer::vanish(entry, self.system.prove_zero(entry), what);
                if let Answer::Refuted(point) = vanishes {
                    let theorem = Theorem::LevelsNondegenerate;
                    return Answer::proven(Evidence::theorem(theorem, [point]));
                }
            }
        }
        // Integrals that were not found need not commute.
        Answer::undecided(match n {
            0 | 1 => Gap::FewIntegrals,
            _ => Gap::CommutingIntegrals,
        })
    }
}

/// The polynomials that are looked for, up to a degree in the velocities.
fn polynomials(degree: usize) -> Searched {
    Searched::Polynomials {
        degree,
        coefficients: 2,
        unknowns: UNKNOWNS,
    }
}

/// P_a = ⟨∂L/∂y, Z_a⟩ in the ambient velocities.
fn ambient_momenta(system: &System, phase: &FrameMomenta) -> Vec<(Symbol, Expr)> {
    let p = system.momenta();
    let basis = &phase.sections().basis;
    let values = (0..basis.cols()).map(|a| dot(&p, &basis.column(a)));
    phase.momenta().iter().cloned().zip(values).collect()
}

/// The monomials of one degree.
fn products(symbols: &[Symbol], degree: usize) -> Vec<Expr> {
    let mut level = vec![(Expr::one(), 0)];
    for _ in 0..degree {
        level = level
            .iter()
            .flat_map(|(m, from)| {
                let next = symbols.iter().enumerate().skip(*from);
                next.map(move |(k, s)| (m * Expr::from(s), k))
            })
            .collect();
    }
    level.into_iter().map(|(m, _)| m).collect()
}
