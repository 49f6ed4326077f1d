//! Reduction along the orbits of a symmetry that are no coordinate lines: on a slice across them (HJ-C27 to
//! C32 without adapted coordinates).

mod slice;

use crate::chaplygin::{Chaplygin, NoReduction, Orbits};
use crate::fibre::symmetry_fibre;
use crate::phase::SymmetryAlgebra;
use crate::tidy::{tidy, tidy_all};
use crate::{MechanicsError, System};
use rattleback_geometry::{Quotient, Section, Subframe};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, determinant, dot, substitute_all};
use slice::Slice;

impl Chaplygin {
    /// [`Chaplygin::of`], and where no factors are a fibre the structure along the orbits of the declared symmetries.
    /// Its equations are on a slice, and nothing may be read off them at other positions.
    pub fn of_any(system: &System) -> Result<Self, MechanicsError> {
        let fits = system.symmetries().len() == system.constraints().len();
        match Self::of(system) {
            Err(MechanicsError::ReductionNotDerived { .. })
                if fits && system.fibre().is_empty() && symmetry_fibre(system).is_none() =>
            {
                Self::of_symmetries(system)
            }
            found => found,
        }
    }

    /// The reduction by fields that leave the system alone and whose orbits are transversal to D; nothing of this is
    /// proven here.
    ///
    /// Near a slice S the space is S × G, and what is invariant is known from its values on S: the quotient
    /// [along the fields](Quotient::along), with [its brackets](Quotient::brackets_along).
    pub fn along_orbits(system: &System, algebra: &SymmetryAlgebra) -> Result<Self, NoReduction> {
        let slice = Slice::of(system, algebra).ok_or(NoReduction::NoSlice)?;
        let positions: Vec<Symbol> = slice.held.iter().map(|(s, _)| s.clone()).collect();
        let here = |e: &Expr| tidy(&e.substitute(&slice.held));
        let fields = algebra.fields().iter();
        let fields: Vec<Section> = fields
            .map(|f| f.components.iter().map(here).collect())
            .collect();
        let frame = system.frame();
        let forms = system.constraints().forms().map(here);
        let across = Quotient::along(frame, &forms, fields.clone(), &slice.vertical, &positions)
            .map_err(|error| NoReduction::AlongSlice { error })?
            .rewritten(frame, tidy_all);
        let sections =
            Subframe::spanned(across.lifts.basis.map(tidy), across.base.fibre().to_vec());
        let on_lifts = |all: &[Expr]| sections.restrict(frame, &substitute_all(all, &slice.held));
        let restricted = on_lifts(&[system.lagrangian().clone(), system.energy()]);
        let covector = on_lifts(&system.momenta());
        let force = on_lifts(system.force());
        let force = (0..sections.rank()).map(|a| dot(&force, &sections.basis.column(a)));
        let brackets = across.brackets_along(|a, b, d| algebra.constant(a, b, d).clone());
        let brackets: Vec<Matrix> = brackets.iter().map(|k| k.map(tidy)).collect();
        let arms: Vec<Expr> = fields.iter().map(|xi| dot(&covector, xi)).collect();
        let n = across.base.rank();
        let turned =
            |a: usize, b: usize| brackets.iter().zip(&arms).map(move |(k, p)| &k[(a, b)] * p);
        Ok(Self {
            base: across.base.base().to_vec(),
            gyroscopic: Matrix::new(n, n, |a, b| -Expr::sum(turned(a, b))),
            curvature: brackets.iter().map(|k| k.map(|e| tidy(&-e))).collect(),
            force: force.collect(),
            lagrangian: restricted[0].clone(),
            energy: restricted[1].clone(),
            covector,
            conditions: distinct(std::iter::once(slice.crossing.clone()).chain(across.conditions)),
            connection: across.connection,
            frame: across.base,
            sections,
            notes: Vec::new(),
            orbits: Some(Orbits {
                fields: algebra.fields().iter().map(|f| f.name.clone()).collect(),
                met: slice.meets(system, algebra),
                held: slice.held,
            }),
            fibre: slice.factors,
        })
    }

    /// The structure along the orbits of the declared symmetries, where these are proven to leave everything alone and
    /// to lie across D.
    fn of_symmetries(system: &System) -> Result<Self, MechanicsError> {
        let open = |why: String| MechanicsError::ReductionNotDerived { why };
        let fields = system.symmetries();
        let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
        let names = names.join(", ");
        let time = Symbol::time();
        let components = fields.iter().flat_map(|f| &f.components);
        let moving = components.chain(system.constraints().forms().entries());
        if moving.into_iter().any(|e| e.contains(&time)) {
            return Err(open("constraints or symmetries depend on time".into()));
        }
        if !system.auxiliary().is_empty() {
            return Err(open("there are auxiliary states beside the orbits".into()));
        }
        let algebra = SymmetryAlgebra::of(system, fields).map_err(|e| open(e.to_string()))?;
        let kept = algebra.leaves_alone(system);
        match kept.map_err(|e| open(e.to_string()))? {
            Verdict::Proven { .. } => {}
            Verdict::Refuted { .. } => {
                let why =
                    format!("the symmetries ({names}) change L, the constraints or the force");
                return Err(open(why));
            }
            Verdict::Undecided { .. } => {
                let why =
                    format!("whether the symmetries ({names}) change anything is not decided");
                return Err(open(why));
            }
        }
        let across = algebra
            .transversality(system)
            .map_err(|e| open(e.to_string()))?;
        let across = determinant(&across).map_err(|e| open(e.to_string()))?;
        if system.prove_zero(&[across]).is_proven() {
            let why = format!("the orbits of the symmetries ({names}) are not transversal to D");
            return Err(MechanicsError::NotChaplygin { why });
        }
        let mut reduced = Self::along_orbits(system, &algebra)?;
        reduced.notes.push(format!(
            "fibre: the orbits of {names}; everything is written on a slice across them"
        ));
        Ok(reduced)
    }
}

/// The functions that vary, each once.
fn distinct(all: impl Iterator<Item = Expr>) -> Vec<Expr> {
    let mut kept: Vec<Expr> = Vec::new();
    for e in all.filter(|e| e.as_number().is_none()) {
        if !kept.contains(&e) {
            kept.push(e);
        }
    }
    kept
}
