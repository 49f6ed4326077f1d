//! The frame of the constraint distribution: the model's own, or a computed one.

use super::System;
use crate::Restriction;
use crate::error::MechanicsError;
use rattleback_geometry::{Distribution, Subframe};
use rattleback_symbolic::{Expr, Matrix, Symbol, uncounted};

/// A frame of the constraint distribution and where it holds.
#[derive(Clone, Debug)]
pub(crate) struct Adapted {
    sections: Subframe,
    conditions: Vec<Expr>,
    rank_drop: Vec<Expr>,
}

impl System {
    /// The frame of the constraint distribution: the model's own, or a computed one.
    pub fn sections(&self) -> Result<&Subframe, MechanicsError> {
        self.adapted().map(|a| &a.sections)
    }

    /// The problem on the frame of the constraint distribution.
    pub fn restricted(&self) -> Result<Restriction, MechanicsError> {
        let sections = self.sections()?;
        Ok(Restriction::of(
            &self.frame,
            sections,
            &self.lagrangian,
            self.order,
            &self.force,
        ))
    }

    /// Functions that must not vanish where the frame of the distribution is used.
    pub fn frame_conditions(&self) -> &[Expr] {
        self.adapted().map_or(&[], |a| &a.conditions)
    }

    /// Functions whose zeros are the places where the constraint forms lose rank.
    pub fn rank_drop(&self) -> &[Expr] {
        self.adapted().map_or(&[], |a| &a.rank_drop)
    }

    /// Does the model declare a frame of the constraint distribution?
    pub fn has_declared_frame(&self) -> bool {
        !self.user_frame.is_empty()
    }

    /// [`System::rank_drop`] if the distribution has been worked out already.
    pub(crate) fn known_rank_drop(&self) -> &[Expr] {
        match self.sections.get() {
            Some(Ok(adapted)) => &adapted.rank_drop,
            _ => &[],
        }
    }

    fn adapted(&self) -> Result<&Adapted, MechanicsError> {
        self.sections
            .get_or_init(|| uncounted(|| self.adapt()))
            .as_ref()
            .map_err(Clone::clone)
    }

    fn adapt(&self) -> Result<Adapted, MechanicsError> {
        if self.constraints.is_empty() && self.user_frame.is_empty() {
            return Ok(self.whole());
        }
        // A frame has no poles where the constraints, as written, have.
        let (forms, offsets) = self.constraints.cleared();
        let computed =
            Distribution::annihilated_by_near(&self.frame, &forms, &self.on_groups, &self.near)
                .map_err(|e| MechanicsError::Distribution(e.to_string()))?;
        let (basis, conditions) = if self.user_frame.is_empty() {
            (
                of_common_size(computed.basis()),
                computed.conditions().to_vec(),
            )
        } else {
            (self.checked_user_frame()?, Vec::new())
        };
        let velocities = self.frame_velocities(basis.cols());
        let sections = Subframe {
            drift: self.drift(&forms, &offsets)?,
            basis,
            velocities,
        };
        Ok(Adapted {
            sections,
            conditions,
            rank_drop: computed.rank_drop().to_vec(),
        })
    }

    /// y1, y2, …
    fn frame_velocities(&self, rank: usize) -> Vec<Symbol> {
        (1..=rank).map(|a| self.names.frame_velocity(a)).collect()
    }

    /// All velocities are allowed: the frame itself, with new names for the velocities.
    fn whole(&self) -> Adapted {
        let n = self.frame.rank();
        let sections = Subframe {
            drift: vec![Expr::zero(); n],
            basis: Matrix::identity(n),
            velocities: self.frame_velocities(n),
        };
        Adapted {
            sections,
            conditions: Vec::new(),
            rank_drop: Vec::new(),
        }
    }

    /// X₀ with A X₀ + a = 0.
    fn drift(&self, forms: &Matrix, offsets: &[Expr]) -> Result<Vec<Expr>, MechanicsError> {
        if self.constraints.is_linear() {
            return Ok(vec![Expr::zero(); self.frame.rank()]);
        }
        let minus_a: Vec<Expr> = offsets.iter().map(|e| -e).collect();
        crate::pivots::particular_solution(forms, &minus_a)
            .map_err(|e| MechanicsError::Distribution(e.to_string()))
    }

    /// The model's frame as columns, after checks: allowed by the constraints, and spanning.
    fn checked_user_frame(&self) -> Result<Matrix, MechanicsError> {
        let bad = |field: usize, what: String| MechanicsError::BadFrame {
            what,
            origin: self.frame_origins.get(field).copied(),
        };
        let n = self.frame.rank();
        let k = n - self.constraints.len();
        let found = self.user_frame.len();
        if found != k {
            let fields = if found == 1 { "field" } else { "fields" };
            let what = format!(
                "the frame has {found} {fields}, but the constraints leave {k} degrees of freedom"
            );
            return Err(bad(0, what));
        }
        for (i, field) in self.user_frame.iter().enumerate() {
            let residuals = self.constraints.forms().apply(&field.components);
            if !self.prove_zero(&residuals).is_proven() {
                let what = format!("the frame field `{}` breaks the constraints", field.name);
                return Err(bad(i, what));
            }
        }
        let basis = Matrix::new(n, k, |i, a| self.user_frame[a].components[i].clone());
        match self.generic_rank(&basis.transpose()) {
            Ok(rank) if rank < k => Err(bad(0, "the frame fields are linearly dependent".into())),
            Ok(_) => Ok(basis),
            Err(open) => Err(MechanicsError::Undecided {
                why: format!("whether the frame fields are independent: {open}"),
            }),
        }
    }
}

/// Columns with coefficients of extreme size, such as decimals leave behind when they are cleared, divided by their
/// first one: quasi-velocities should not be small against every tolerance.
fn of_common_size(basis: &Matrix) -> Matrix {
    let factor = |a: usize| {
        let column = basis.column(a);
        let first = column.iter().find(|e| !e.is_zero())?;
        let (c, _) = first.split_coefficient();
        let size = Expr::from(c.clone()).evaluate(&[]).ok()?.abs();
        (!(1.0 / EXTREME..=EXTREME).contains(&size)).then(|| Expr::from(c))
    };
    let factors: Vec<Option<Expr>> = (0..basis.cols()).map(factor).collect();
    Matrix::new(basis.rows(), basis.cols(), |i, a| match &factors[a] {
        Some(c) => &basis[(i, a)] / c,
        None => basis[(i, a)].clone(),
    })
}

/// Coefficients beyond this, or its inverse, are extreme.
const EXTREME: f64 = 1e6;
