//! First integrals: energy, integrals of the constraints, and polynomials in the velocities found by
//! ansatz with exact linear algebra (NG-N1 to N3, VE-C27, HJ-C03).

use super::MomentumReport;
use super::ansatz::{coefficient_functions, functions_up_to};
use crate::exact::{constant_relations, factors_of, is_negative, tidy};
use crate::{Claim, Deadline, DistributionReport};
use rattleback_geometry::independent_rows;
use rattleback_mechanics::System;
use rattleback_mechanics::engine::hessian;
use rattleback_mechanics::phase::{FrameMomenta, tangent_lift};
use rattleback_symbolic::{
    Expr, Matrix, Symbol, Verdict, determinant, dot, prove_all_zero, substitute_all,
};

/// Where an integral comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The energy.
    Energy,
    /// A function of positions that the constraints keep.
    Constraints,
    /// The momentum of a symmetry that the reaction happens to keep.
    Symmetry,
    /// The momentum of a symmetry that lies in D.
    HorizontalSymmetry,
    /// The momentum of a field of D that is no symmetry, though its momentum is kept.
    Gauge,
    /// Quadratic in the velocities.
    Quadratic,
    /// Of degree three in the velocities.
    Cubic,
    /// Of degree four in the velocities.
    Quartic,
}

impl Origin {
    /// In a word.
    pub fn word(&self) -> &'static str {
        match self {
            Origin::Energy => "energy",
            Origin::Constraints => "constraints",
            Origin::Symmetry => "symmetry",
            Origin::HorizontalSymmetry => "horizontal symmetry",
            Origin::Gauge => "gauge momentum",
            Origin::Quadratic => "quadratic",
            Origin::Cubic => "cubic",
            Origin::Quartic => "quartic",
        }
    }
}

/// A function that is constant along every motion.
#[derive(Clone, Debug)]
pub struct FirstIntegral {
    /// The function, in positions and ambient velocities.
    pub value: Expr,
    /// The same in positions and the momenta of the frame of D.
    pub canonical: Expr,
    /// Where it comes from.
    pub origin: Origin,
    /// The field of D whose momentum it is, if it is linear.
    pub field: Option<Vec<Expr>>,
    /// The bracket with the Hamiltonian vanishes.
    pub proof: Claim,
}

/// The integrals that were found.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::System;
/// use rattleback_theory::{Deadline, FirstIntegralReport, Origin};
/// // A gauge momentum: sqrt(1 + y²) x' is conserved, although no symmetry gives it.
/// let text = "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n";
/// let model = parse(&Source::new("particle.mech", text)).model.unwrap();
/// let particle = System::from_model(&model).unwrap().system;
/// let found = FirstIntegralReport::of(&particle, Deadline::none());
/// assert!(found.all.iter().any(|i| i.origin == Origin::Gauge));
/// ```
#[derive(Clone, Debug)]
pub struct FirstIntegralReport {
    /// Are there integrals besides the energy?
    pub claim: Claim,
    /// All that were found; the linear ones are independent of each other, the quadratic ones of all others.
    pub all: Vec<FirstIntegral>,
    /// The brackets of the integrals with each other.
    pub involution: Matrix,
    /// May the system be restricted to the levels of the linear integrals (NG-N3): are the brackets
    /// {f_a, f_b} of some of them invertible?
    pub levels: Claim,
    /// How many of them are functionally independent.
    pub independent: usize,
    /// How many would determine the motion up to time: dim Q + rank D − 1.
    pub enough: usize,
}

/// A metric with more nodes has no factors that a person would think of.
const SHORT: usize = 300;
/// Unknown coefficients of one ansatz.
const UNKNOWNS: usize = 160;
/// Unknown coefficients per degree of an ansatz of degree three or four.
const UNKNOWNS_PER_DEGREE: usize = 80;
/// Degrees of freedom beyond which degrees three and four have too many coefficients.
const FEW: usize = 3;

impl FirstIntegralReport {
    /// Looks for integrals.
    pub fn of(system: &System, deadline: Deadline) -> Self {
        match search(system, deadline) {
            Ok(report) => report,
            Err(why) => Self {
                claim: Claim::undecided(why),
                all: Vec::new(),
                involution: Matrix::zeros(0, 0),
                levels: Claim::undecided("there are no integrals to restrict to"),
                independent: 0,
                enough: 0,
            },
        }
    }
}

fn search(system: &System, deadline: Deadline) -> Result<FirstIntegralReport, String> {
    if crate::scope::is_forced(system) {
        return Err("an external force acts on the system".into());
    }
    let time = Symbol::time();
    let forms = system.constraints().forms().entries();
    if std::iter::once(system.lagrangian())
        .chain(forms)
        .any(|e| e.contains(&time))
    {
        return Err("the system depends on time".into());
    }
    let phase = FrameMomenta::of(system).map_err(|e| e.to_string())?;
    let mut found = Search {
        flow: phase.bracket().field(phase.hamiltonian()),
        momenta: ambient_momenta(system, &phase),
        system,
        phase: &phase,
        all: Vec::new(),
        degree: 2,
        deadline,
    };
    found.offer(phase.hamiltonian().clone(), Origin::Energy);
    if let Ok(d) = DistributionReport::of(system, deadline) {
        for f in d.integrals {
            found.offer(f, Origin::Constraints);
        }
    }
    for m in MomentumReport::of(system, deadline).all {
        if m.conserved.is_proven() {
            let new = found.offer(dot(phase.covector(), &m.components), Origin::Symmetry);
            if let (true, Some(last)) = (new, found.all.last_mut()) {
                last.value = m.value;
            }
        }
    }
    for weight in weights(system, &phase) {
        found.linear(&weight);
    }
    found.quadratic();
    found.higher(3, Origin::Cubic);
    found.higher(4, Origin::Quartic);
    Ok(found.report())
}

/// P_a = ⟨∂L/∂y, Z_a⟩ in the ambient velocities.
fn ambient_momenta(system: &System, phase: &FrameMomenta) -> Vec<(Symbol, Expr)> {
    let p = system.momenta();
    let basis = &phase.sections().basis;
    let values = (0..basis.cols()).map(|a| dot(&p, &basis.column(a)));
    phase.momenta().iter().cloned().zip(values).collect()
}

/// 1, and roots of the factors of the metric on D: gauge momenta have such coefficients.
fn weights(system: &System, phase: &FrameMomenta) -> Vec<Expr> {
    let mut all = vec![Expr::one()];
    let sections = phase.sections();
    let l = sections.restrict(system.frame(), std::slice::from_ref(system.lagrangian()));
    let metric = hessian(&l[0], &sections.velocities).map(tidy);
    let size: usize = metric.entries().iter().map(Expr::node_count).sum();
    if metric.rows() <= 4
        && size < SHORT
        && let Ok(d) = determinant(&metric)
    {
        for factor in factors_of(&[d]).into_iter().take(2) {
            let negative = is_negative(&factor, system.start_point());
            let factor = if negative { -factor } else { factor };
            let root = factor.sqrt();
            all.extend([root.recip(), root, factor.recip()]);
        }
    }
    all
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

struct Search<'a> {
    system: &'a System,
    phase: &'a FrameMomenta,
    /// Rates of (z, P).
    flow: Vec<Expr>,
    momenta: Vec<(Symbol, Expr)>,
    all: Vec<FirstIntegral>,
    /// The highest degree in the velocities that was tried.
    degree: usize,
    deadline: Deadline,
}

impl Search<'_> {
    fn coordinates(&self) -> &[Symbol] {
        &self.phase.bracket().coordinates
    }

    fn rate(&self, f: &Expr) -> Expr {
        dot(&f.gradient(self.coordinates()), &self.flow)
    }

    /// Takes a function that is conserved and independent of the others.
    fn offer(&mut self, f: Expr, origin: Origin) -> bool {
        let on = self.system.parametrization();
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
        let verdict = prove_all_zero(&substitute_all(&[self.rate(&f)], on));
        if !verdict.is_proven() {
            return false;
        }
        let field = linear.then(|| self.field_of(&f));
        let origin = match &field {
            Some(z) if self.is_symmetry(z) => Origin::HorizontalSymmetry,
            Some(_) if origin == Origin::Symmetry => Origin::Symmetry,
            _ => origin,
        };
        self.all.push(FirstIntegral {
            value: match origin {
                Origin::Energy => tidy(&self.system.energy()),
                _ => self.in_velocities(&f),
            },
            canonical: tidy(&f),
            origin,
            field,
            proof: Claim::that_vanishes(&verdict, "its bracket with the Hamiltonian"),
        });
        true
    }

    /// The function in ambient velocities: with P_a = ⟨∂L/∂y, Z_a⟩, or with velocities that are those of the
    /// frame of D, whichever is shorter.
    fn in_velocities(&self, f: &Expr) -> Expr {
        let paired = tidy(&f.substitute(&self.momenta));
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
        let restricted = tidy(&f.substitute(&known));
        if restricted.node_count() < paired.node_count() {
            restricted
        } else {
            paired
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
        self.phase
            .sections()
            .basis
            .apply(&c)
            .iter()
            .map(tidy)
            .collect()
    }

    fn is_symmetry(&self, z: &[Expr]) -> bool {
        let frame = self.system.frame();
        let lift = tangent_lift(frame, z);
        let change = lift.apply(frame, frame.fibre(), self.system.lagrangian());
        self.system.prove_zero(&[change]).is_proven()
    }

    /// Σ c w m P_a with monomials m and a weight w.
    fn linear(&mut self, weight: &Expr) {
        let momenta: Vec<Expr> = self.phase.momenta().iter().map(Expr::from).collect();
        let most = UNKNOWNS / momenta.len().max(1);
        let functions = coefficient_functions(self.system, 2, most);
        let ansatz: Vec<Expr> = functions
            .iter()
            .flat_map(|m| momenta.iter().map(move |p| m * p * weight))
            .collect();
        self.solve(&ansatz, Origin::Gauge);
    }

    /// Σ c m P_a P_b + Σ c m.
    fn quadratic(&mut self) {
        let mut products = products(self.phase.momenta(), 2);
        products.push(Expr::one());
        let most = UNKNOWNS / products.len();
        let functions = coefficient_functions(self.system, 2, most);
        let ansatz: Vec<Expr> = functions
            .iter()
            .flat_map(|m| products.iter().map(move |p| m * p))
            .filter(|e| e.as_number().is_none())
            .collect();
        self.solve(&ansatz, Origin::Quadratic);
    }

    /// Σ c m P^a with |a| = degree, degree − 2, …, where fewer integrals than degrees of freedom are known.
    /// The degree of the coefficients grows as that of the momenta falls: a potential stands for a square.
    fn higher(&mut self, degree: usize, origin: Origin) {
        let k = self.phase.momenta().len();
        let known: Vec<&Expr> = self.all.iter().map(|i| &i.canonical).collect();
        if k > FEW || self.rank(&known) >= k {
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
        self.solve(&ansatz, origin);
        self.degree = degree;
    }

    fn solve(&mut self, ansatz: &[Expr], origin: Origin) {
        if self.deadline.passed() {
            return;
        }
        let rates: Vec<Vec<Expr>> = ansatz.iter().map(|f| vec![self.rate(f)]).collect();
        let on = self.system.parametrization();
        let relations = constant_relations(&rates, on, self.deadline).unwrap_or_default();
        let mut candidates: Vec<Expr> = relations
            .iter()
            .map(|c| Expr::sum(c.iter().zip(ansatz).map(|(c, f)| c * f)))
            .collect();
        candidates.sort_by_key(Expr::node_count);
        for f in candidates {
            if self.deadline.passed() {
                return;
            }
            self.offer(f, origin.clone());
        }
    }

    fn report(self) -> FirstIntegralReport {
        let further = self
            .all
            .iter()
            .filter(|i| i.origin != Origin::Energy)
            .count();
        let functions: Vec<&Expr> = self.all.iter().map(|i| &i.canonical).collect();
        let independent = self.rank(&functions);
        let claim = if further > 0 {
            Claim::proven(format!(
                "{further} besides the energy: the bracket of each with the Hamiltonian vanishes; {independent} of all {} are independent",
                self.all.len()
            ))
        } else if self.deadline.passed() {
            Claim::undecided(crate::deadline::OUT_OF_TIME)
        } else {
            Claim::undecided(format!(
                "no polynomial of degree {} in the velocities with polynomial and trigonometric coefficients was found; others were not tried",
                self.degree
            ))
        };
        let values: Vec<Expr> = self.all.iter().map(|i| i.canonical.clone()).collect();
        let involution = self.phase.bracket().involution(&values).map(tidy);
        FirstIntegralReport {
            claim,
            levels: self.levels(&involution),
            involution,
            independent,
            enough: self.system.frame().rank() + self.phase.momenta().len() - 1,
            all: self.all,
        }
    }

    /// Two integrals with {f, g} ≠ 0 cut out levels on which the two-form stays nondegenerate.
    fn levels(&self, involution: &Matrix) -> Claim {
        let on = self.system.parametrization();
        let n = involution.rows();
        for a in 0..n {
            for b in a + 1..n {
                let entry = std::slice::from_ref(&involution[(a, b)]);
                if let Verdict::Refuted { witness, value } =
                    prove_all_zero(&substitute_all(entry, on))
                {
                    return Claim::proven(format!(
                        "the bracket of integrals {} and {} is {value} at {}, so their common levels carry a nondegenerate two-form",
                        a + 1,
                        b + 1,
                        crate::claim::point(&witness)
                    ));
                }
            }
        }
        if n < 2 {
            return Claim::refuted("fewer than two integrals are known");
        }
        Claim::refuted("the integrals that were found commute with each other")
    }
}
