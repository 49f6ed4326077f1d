//! What all steady states of a problem have in common.

use super::family;
use super::linear::Point;
use crate::finding::search::Search;
use crate::symmetry::{FIELDS, affine_symmetries, is_independent, is_symmetry};
use crate::{Effort, FirstIntegralReport, Reason};
use rattleback_mechanics::{Form, NamedSection, Problem, System, VariationalEquations};
use rattleback_symbolic::Expr;
use std::cell::OnceCell;

/// Longer Lagrangians are not searched for integrals and further symmetries.
const SEARCHED: usize = 400;

/// The system with its symmetries, and what is worked out about it once, when it is asked for.
pub(crate) struct Ground<'a> {
    /// Values and start.
    pub problem: &'a Problem,
    /// What moves.
    pub system: &'a System,
    /// The symmetries of its equations that are known.
    pub symmetries: Vec<NamedSection>,
    effort: Effort,
    strict: OnceCell<Vec<NamedSection>>,
    found: OnceCell<Vec<NamedSection>>,
    integrals: OnceCell<Vec<Expr>>,
    equations: OnceCell<Result<VariationalEquations, Reason>>,
}

impl<'a> Ground<'a> {
    /// Nothing is worked out yet.
    pub fn new(
        problem: &'a Problem,
        system: &'a System,
        symmetries: Vec<NamedSection>,
        effort: Effort,
    ) -> Self {
        Self {
            problem,
            system,
            symmetries,
            effort,
            strict: OnceCell::new(),
            found: OnceCell::new(),
            integrals: OnceCell::new(),
            equations: OnceCell::new(),
        }
    }

    /// The variational equations of the default form.
    pub(super) fn equations(&self) -> Result<&VariationalEquations, Reason> {
        let derived = self.equations.get_or_init(|| {
            let equations = self.system.equations(Form::default_for(self.system));
            let equations = equations.map_err(Reason::failed)?;
            VariationalEquations::of(self.system, &equations).map_err(Reason::failed)
        });
        derived.as_ref().map_err(Clone::clone)
    }

    /// The symmetries that leave the Lagrangian itself alone.
    pub(super) fn strict(&self) -> Vec<NamedSection> {
        let all = self.strict.get_or_init(|| {
            let all = self.symmetries.iter().cloned();
            all.filter(|f| is_symmetry(self.system, f).is_proven())
                .collect()
        });
        all.clone()
    }

    /// Does a field leave the Lagrangian itself alone?
    pub(super) fn is_strict(&self, field: &NamedSection) -> bool {
        let mut all = self.strict().into_iter();
        all.any(|f| f.components == field.components)
    }

    /// The same with those that a search finds besides.
    pub(super) fn with_found(&self) -> Vec<NamedSection> {
        let all = self.found.get_or_init(|| {
            let mut all = self.strict();
            if self.system.lagrangian().node_count() > SEARCHED {
                return all;
            }
            let mut search = Search::of(FIELDS, self.effort.part(4));
            for field in affine_symmetries(self.system, &mut search) {
                let known: Vec<Vec<Expr>> = all.iter().map(|f| f.components.clone()).collect();
                let new = is_independent(self.system, &known, &field.components);
                if new && is_symmetry(self.system, &field).is_proven() {
                    all.push(field);
                }
            }
            all
        });
        all.clone()
    }

    /// First integrals besides the energy, linear in the velocities.
    pub(super) fn integrals(&self) -> &[Expr] {
        self.integrals.get_or_init(|| {
            if self.system.is_forced() || self.system.lagrangian().node_count() > SEARCHED {
                return Vec::new();
            }
            let report = FirstIntegralReport::by_ansatz(self.system, self.effort.part(4));
            let linear = report.all.into_iter().filter(|i| i.field.is_some());
            let linear = linear.filter(|i| i.proof.is_proven());
            linear.map(|i| i.value).collect()
        })
    }

    /// The dimension of the steady states near a point.
    pub(super) fn dimension(&self, point: &Point) -> Option<usize> {
        match point.carried.is_empty() {
            true => family::dimension(self.system, &[], point),
            false => family::dimension(self.system, &self.symmetries, point),
        }
    }
}
