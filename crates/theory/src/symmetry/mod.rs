//! Symmetries: declared ones judged, further ones found (HJ-C03, NG-M1, N2).

mod ansatz;
mod carriers;
mod converse;
mod momenta;

pub(crate) use ansatz::{coefficient_functions, determinant_factors, functions_up_to};
pub use carriers::{found_symmetries, stated_symmetries};
pub use converse::{MotionTest, NoConverse};
pub(crate) use momenta::of_symmetries;
pub use momenta::{Momentum, MomentumReport};

use crate::exact::{Settle, all_constant_relations, common_parameter_zeros, constant_relations};
use crate::finding::search::{CutShort, Exhausted, Search, Searched};
use crate::{Answer, Case, Effort, Evidence, Function, Gap, Named, Reason, Theorem};
use ansatz::curved_functions;
use rattleback_geometry::independent_rows;
use rattleback_mechanics::phase::{CanonicalPhaseSpace, SymmetryAlgebra};
use rattleback_mechanics::{Factor, MechanicsError, NamedSection, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

/// The most unknowns of an ansatz for fields.
pub(crate) const UNKNOWNS: usize = 240;
/// The degree of the coefficients of fields.
const DEGREE: usize = 2;

/// The fields that are looked for.
pub(crate) const FIELDS: Searched = Searched::Fields {
    degree: DEGREE,
    unknowns: UNKNOWNS,
};

/// What a vector field does to a system.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Its name: the model's, or a coordinate's.
    pub name: String,
    /// Its components in the frame.
    pub components: Vec<Expr>,
    /// Was it declared?
    pub declared: bool,
    /// Does its lift leave the Lagrangian alone?
    pub lagrangian: Answer,
    /// Does it carry D into itself?
    pub distribution: Answer,
    /// Does it lie in D, so that its momentum is conserved?
    pub horizontal: Answer,
}

impl Symmetry {
    /// Is it a symmetry of the motion?
    pub fn holds(&self) -> bool {
        self.lagrangian.is_proven() && self.distribution.is_proven()
    }
}

/// The symmetries of a system.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{Effort, SymmetryReport};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let found = SymmetryReport::of(&knife, Effort::unlimited());
/// // The two translations and the rotation of the plane.
/// assert_eq!(found.all.len(), 3);
/// assert!(found.all.iter().all(|s| s.holds()));
/// ```
#[derive(Clone, Debug)]
pub struct SymmetryReport {
    /// Do the declared fields hold what they promise; are there any?
    pub claim: Answer,
    /// Declared fields first, then those found besides, independent of each other.
    pub all: Vec<Symmetry>,
    /// Were all fields with the coefficients of the ansatz looked at?
    pub(crate) exhausted: Result<Exhausted, CutShort>,
    /// The nonzero structure constants c^k_ij of the fields that hold, with [ξ_i, ξ_j] = c^k_ij ξ_k, if
    /// they close.
    pub constants: Option<Vec<(usize, usize, usize, Expr)>>,
    /// Is the momentum map equivariant?
    pub equivariant: Option<Answer>,
    /// Special values of parameters with further symmetries among the directions of the frame.
    pub cases: Vec<Case>,
}

impl SymmetryReport {
    /// Judges the declared fields and looks for others.
    pub fn of(system: &System, effort: Effort) -> Self {
        effort.shared(system, |effort| Self::afresh(system, effort))
    }

    fn afresh(system: &System, effort: Effort) -> Self {
        if system.order() > 1 {
            return Self::open(Gap::HigherDerivatives.into());
        }
        let mut all: Vec<Symmetry> = system
            .symmetries()
            .iter()
            .map(|s| judged(system, s.name.clone(), s.components.clone(), true))
            .collect();
        let settle = Settle::new(system);
        let mut search = Search::of(FIELDS, effort);
        for (name, components) in found(system, DEGREE, &mut search) {
            if is_new(system, &all, &components) {
                let s = judged(system, name, settle.all(&components), false);
                if s.holds() {
                    all.push(s);
                }
            }
        }
        let (constants, equivariant) = algebra(system, &all, effort);
        let exhausted = search.finish();
        Self {
            claim: claim(&all, &exhausted),
            all,
            exhausted,
            constants,
            equivariant,
            cases: special_symmetries(system),
        }
    }

    fn open(why: Reason) -> Self {
        Self {
            claim: Answer::undecided(why.clone()),
            all: Vec::new(),
            exhausted: Err(CutShort::LeftOut(Box::new(why))),
            constants: None,
            equivariant: None,
            cases: Vec::new(),
        }
    }
}

fn claim(all: &[Symmetry], exhausted: &Result<Exhausted, CutShort>) -> Answer {
    let broken = |s: &&Symmetry| s.declared && !s.holds();
    if let Some(s) = all.iter().find(broken) {
        return match Answer::all(&[&s.lagrangian, &s.distribution]) {
            Answer::Undecided(why) => {
                let gap = Gap::DeclaredFieldOpen.with("field", s.name.clone());
                Answer::undecided(Reason::because(gap, why))
            }
            shown => shown.against(Theorem::DeclaredFieldFails.with("field", s.name.clone())),
        };
    }
    if all.is_empty() {
        return Answer::undecided(Reason::NotFound {
            what: Gap::NoField.into(),
            searched: FIELDS,
            end: exhausted.clone(),
        });
    }
    let declared = all.iter().filter(|s| s.declared).count();
    let shown = all
        .iter()
        .map(|s| Answer::all(&[&s.lagrangian, &s.distribution]));
    let shown = shown.filter_map(|a| a.evidence().cloned());
    let theorem = Theorem::FieldsHold
        .with("declared", declared)
        .with("found", all.len() - declared);
    Answer::proven(Evidence::theorem(
        theorem,
        [Evidence::Parts(shown.collect())],
    ))
}

fn judged(system: &System, name: String, components: Vec<Expr>, declared: bool) -> Symmetry {
    let change = system.change_of_lagrangian(&components);
    let moved = system
        .sections()
        .map(|sections| system.changes_of_constraints(sections, &components));
    let arms = system.constraints().forms().apply(&components);
    let vanish = |f: &[Expr], what: Function| Answer::vanish(f, system.prove_zero(f), what);
    Symmetry {
        lagrangian: vanish(&[change], Function::LagrangianAlongLift),
        distribution: match moved {
            Ok(moved) => vanish(&moved, Function::ConstraintsOnMoved),
            Err(e) => Answer::failed(e),
        },
        horizontal: vanish(&arms, Function::ConstraintsOnField),
        name,
        components,
        declared,
    }
}

/// Fields that leave a system alone and are affine in coordinates, sines and cosines: translations and
/// rotations of any kind, independent of each other.
pub(crate) fn affine_symmetries(system: &System, search: &mut Search) -> Vec<NamedSection> {
    let settle = Settle::new(system);
    let mut all: Vec<Symmetry> = Vec::new();
    for (name, components) in found(system, 1, search) {
        if is_new(system, &all, &components) {
            all.push(judged(system, name, settle.all(&components), false));
        }
    }
    all.into_iter()
        .filter(Symmetry::holds)
        .map(|s| NamedSection {
            name: s.name,
            components: s.components,
        })
        .collect()
}

/// Cyclic coordinates, then fields with coefficients of some degree from an ansatz.
fn found(system: &System, degree: usize, search: &mut Search) -> Vec<(String, Vec<Expr>)> {
    let frame = system.frame();
    let mut fields: Vec<(String, Vec<Expr>)> = Vec::new();
    for factor in system.factors().iter().filter(|f| f.group.is_none()) {
        let position = std::slice::from_ref(&frame.base()[factor.base.start]);
        let constraints = system.constraints();
        let silent = std::iter::once(system.lagrangian())
            .chain(constraints.forms().entries())
            .chain(constraints.offsets())
            .all(|e| !e.contains_any(position));
        if silent {
            fields.push((factor.name.clone(), frame.basis(factor.fibre.start)));
        }
    }
    let n = frame.rank();
    let curved = match degree {
        0 | 1 => Vec::new(),
        _ => curved_functions(system, 160 / n.max(1)),
    };
    // A large ansatz may be cut short: what people expect is looked for before it.
    let mut searched = match n > MANY {
        true => killing_fields(system, translations_and_rotations(system), search),
        false => Vec::new(),
    };
    for ansatz in [polynomial_fields(system, degree), multiples(n, &curved)] {
        searched.extend(killing_fields(system, ansatz, search));
    }
    let numbered = searched.into_iter().enumerate();
    fields.extend(numbered.map(|(k, f)| (format!("K{}", k + 1), f)));
    fields
}

/// Dimensions beyond which translations and rotations are looked for by themselves.
const MANY: usize = 8;

/// The directions of the frame, and x^i e_j − x^j e_i for coordinates on lines.
pub(crate) fn translations_and_rotations(system: &System) -> Vec<Vec<Expr>> {
    let frame = system.frame();
    let plain: Vec<&Factor> = system
        .factors()
        .iter()
        .filter(|f| f.group.is_none() && !system.circles().contains(&frame.base()[f.base.start]))
        .collect();
    let along = |f: &Factor| frame.basis(f.fibre.start);
    let place = |f: &Factor| Expr::from(&frame.base()[f.base.start]);
    let mut all: Vec<Vec<Expr>> = (0..frame.rank()).map(|a| frame.basis(a)).collect();
    for (i, f) in plain.iter().enumerate() {
        for g in &plain[..i] {
            let (x, y) = (place(g), place(f));
            let turned = along(f).into_iter().zip(along(g));
            all.push(turned.map(|(e, d)| &x * e - &y * d).collect());
        }
    }
    all
}

/// The multiples of the directions of the frame by monomials up to a degree, as many as an ansatz may have.
fn polynomial_fields(system: &System, degree: usize) -> Vec<Vec<Expr>> {
    let n = system.frame().rank();
    multiples(
        n,
        &coefficient_functions(system, degree, UNKNOWNS / n.max(1)),
    )
}

/// Σ_j c_j Z_j.
fn combined(c: &[Expr], fields: &[Vec<Expr>]) -> Vec<Expr> {
    let n = fields.first().map_or(0, Vec::len);
    let component = |i: usize| Expr::sum(c.iter().zip(fields).map(|(c, z)| c * &z[i]));
    (0..n).map(component).collect()
}

/// The multiples of the directions of the frame by these functions.
fn multiples(n: usize, functions: &[Expr]) -> Vec<Vec<Expr>> {
    let along = |f: &Expr, a: usize| {
        let mut field = vec![Expr::zero(); n];
        field[a] = f.clone();
        field
    };
    let all = functions
        .iter()
        .flat_map(|f| (0..n).map(move |a| along(f, a)));
    all.collect()
}

/// Parameters at which a coordinate drops out of L and the constraints.
fn special_symmetries(system: &System) -> Vec<Case> {
    let frame = system.frame();
    let Ok(sections) = system.sections() else {
        return Vec::new();
    };
    let mut cases = Vec::new();
    for factor in system.factors().iter().filter(|f| f.group.is_none()) {
        let along = frame.basis(factor.fibre.start);
        let mut obstacles = system.changes_of_constraints(sections, &along);
        obstacles.push(system.change_of_lagrangian(&along));
        for condition in common_parameter_zeros(&obstacles) {
            let then = format!("({}: 1) is a symmetry", factor.name);
            cases.push(Case { condition, then });
        }
    }
    cases
}

/// The constant combinations of an ansatz that leave L and the constraints alone, short ones first.
fn killing_fields(system: &System, ansatz: Vec<Vec<Expr>>, search: &mut Search) -> Vec<Vec<Expr>> {
    let sections = match system.sections() {
        Ok(sections) => sections,
        Err(e) => {
            search.leave_out(Reason::failed(e));
            return Vec::new();
        }
    };
    let mut conditions: Vec<Vec<Expr>> = Vec::new();
    for field in &ansatz {
        if !search.goes_on() {
            return Vec::new();
        }
        let mut row = vec![system.change_of_lagrangian(field)];
        row.extend(system.changes_of_constraints(sections, field));
        conditions.push(row);
    }
    let relations = all_constant_relations(&conditions, system.parametrization(), search);
    let mut killing: Vec<Vec<Expr>> = relations.iter().map(|c| combined(c, &ansatz)).collect();
    killing.sort_by_key(|f: &Vec<Expr>| f.iter().map(Expr::node_count).sum::<usize>());
    killing
}

/// Is the field no constant combination of the others?
fn is_new(system: &System, all: &[Symmetry], field: &[Expr]) -> bool {
    let known: Vec<Vec<Expr>> = all.iter().map(|s| s.components.clone()).collect();
    is_independent(system, &known, field)
}

/// Is the field no constant combination of these?
pub(crate) fn is_independent(system: &System, known: &[Vec<Expr>], field: &[Expr]) -> bool {
    let on = system.parametrization();
    let zero = field.iter().all(Expr::is_zero) || system.prove_zero(field).is_proven();
    if zero {
        return false;
    }
    let rows: Vec<Vec<Expr>> = known.iter().cloned().chain([field.to_vec()]).collect();
    let pointwise = independent_rows(&Matrix::from_rows(&rows), on);
    if pointwise.is_ok_and(|r| r.kept.len() == rows.len()) {
        return true;
    }
    // Dependent over functions is not dependent over constants.
    let last = rows.len() - 1;
    constant_relations(&rows, on, Effort::unlimited())
        .is_some_and(|relations| relations.iter().all(|c| c[last].is_zero()))
}

/// Are the brackets of fields constant combinations of them?
pub(crate) fn are_closed(system: &System, fields: &[NamedSection]) -> bool {
    let all: Vec<Vec<Expr>> = fields.iter().map(|f| f.components.clone()).collect();
    all.iter().enumerate().all(|(i, x)| {
        all[..i].iter().all(|y| {
            let bracket = system.frame().bracket(x, y);
            !is_independent(system, &all, &bracket)
        })
    })
}

type Constants = Vec<(usize, usize, usize, Expr)>;

/// c^k_ij of fields that are independent over the constants, though perhaps not at points.
fn structure_constants(
    system: &System,
    fields: &[NamedSection],
    effort: Effort,
) -> Option<Vec<Vec<Vec<Expr>>>> {
    let n = fields.len();
    let mut constants = vec![vec![vec![Expr::zero(); n]; n]; n];
    let mut rows: Vec<Vec<Expr>> = fields.iter().map(|f| f.components.clone()).collect();
    rows.push(Vec::new());
    for i in 0..n {
        for j in i + 1..n {
            rows[n] = system.frame().bracket(&rows[i], &rows[j]);
            if system.prove_zero(&rows[n]).is_proven() {
                continue;
            }
            let relations = constant_relations(&rows, system.parametrization(), effort)?;
            let relation = relations.into_iter().find(|c| !c[n].is_zero())?;
            for k in 0..n {
                let c = -&relation[k] / &relation[n];
                constants[j][i][k] = -&c;
                constants[i][j][k] = c;
            }
        }
    }
    Some(constants)
}

fn algebra(
    system: &System,
    all: &[Symmetry],
    effort: Effort,
) -> (Option<Constants>, Option<Answer>) {
    let fields: Vec<NamedSection> = all
        .iter()
        .filter(|s| s.holds())
        .map(|s| NamedSection {
            name: s.name.clone(),
            components: s.components.clone(),
        })
        .collect();
    let algebra = SymmetryAlgebra::of(system, &fields).ok().or_else(|| {
        let constants = structure_constants(system, &fields, effort)?;
        SymmetryAlgebra::with_constants(system, &fields, constants).ok()
    });
    let Some(algebra) = algebra else {
        return (None, None);
    };
    let n = fields.len();
    let mut constants = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in 0..n {
                let c = algebra.constant(i, j, k);
                if !c.is_zero() {
                    constants.push((i, j, k, c.clone()));
                }
            }
        }
    }
    let equivariant = CanonicalPhaseSpace::of(system)
        .ok()
        .map(|phase| equivariant(system, &algebra, &phase));
    (Some(constants), equivariant)
}

/// Is {J_i, J_j} = −c^k_ij J_k?
fn equivariant(system: &System, algebra: &SymmetryAlgebra, phase: &CanonicalPhaseSpace) -> Answer {
    let j = algebra.momentum_map(phase);
    let mut defects = Vec::new();
    for a in 0..j.len() {
        for b in a + 1..j.len() {
            let turned = (0..j.len()).map(|k| algebra.constant(a, b, k) * &j[k]);
            defects.push(phase.bracket().bracket(&j[a], &j[b]) + Expr::sum(turned));
        }
    }
    let verdict = system.prove_zero(&defects);
    Answer::vanish(&defects, verdict, Function::EquivarianceDefect)
}

/// Does a field leave the Lagrangian, the constraints, the forces and the rates of auxiliary states alone?
pub fn is_symmetry(system: &System, field: &NamedSection) -> Answer {
    let kept = match leave_alone(system, std::slice::from_ref(field)) {
        Ok(answer) => answer,
        Err(e) => Answer::failed(e),
    };
    let changes = system.changes_of_forces(&field.components);
    let pushed = Answer::vanish(
        &changes,
        system.prove_zero(&changes),
        Function::ChangeOfSystem,
    );
    Answer::all(&[&kept, &pushed])
}

/// Does a field change the Lagrangian by a total derivative and a constant, and leave constraints and forces alone?
/// Then it is a symmetry of the equations, even if not of the Lagrangian.
pub(crate) fn changes_by_derivative(system: &System, field: &NamedSection) -> bool {
    let Ok(sections) = system.sections() else {
        return false;
    };
    let change = system.change_of_lagrangian(&field.components);
    let mut defects = derivative_defects(system, &change);
    defects.extend(system.changes_of_constraints(sections, &field.components));
    defects.extend(system.changes_of_forces(&field.components));
    system.prove_zero(&defects).is_proven()
}

/// What vanishes where a function of positions and velocities is a total derivative and a constant, so that it changes no
/// equation: γ(y) + const with a closed one-form γ.
pub(crate) fn derivative_defects(system: &System, change: &Expr) -> Vec<Expr> {
    let frame = system.frame();
    let y = frame.fibre();
    let rest: Vec<(Symbol, Expr)> = y.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let gamma = change.gradient(y);
    let mut defects: Vec<Expr> = gamma.iter().flat_map(|c| c.gradient(y)).collect();
    defects.extend(frame.differential(&change.substitute(&rest)));
    for a in 0..y.len() {
        let along = frame.act_basis(a, &gamma);
        for (b, along) in along.iter().enumerate().take(a) {
            let turned = dot(&gamma, &frame.bracket(&frame.basis(a), &frame.basis(b)));
            let back = frame
                .act_basis(b, std::slice::from_ref(&gamma[a]))
                .swap_remove(0);
            defects.push(along - back - turned);
        }
    }
    defects
}

/// Do all fields leave L and D alone?
pub(crate) fn leave_alone(
    system: &System,
    fields: &[NamedSection],
) -> Result<Answer, MechanicsError> {
    let sections = system.sections()?;
    let mut defects = Vec::new();
    for field in fields {
        defects.extend(system.changes_of_constraints(sections, &field.components));
        defects.push(system.change_of_lagrangian(&field.components));
    }
    let verdict = system.prove_zero(&defects);
    Ok(Answer::vanish(&defects, verdict, Function::ChangeOfSystem))
}
