//! What kind of system a model describes.

use crate::mechanics::{ConstraintKind, Form, MechanicsError, Problem, System};
use crate::symbolic::Symbol;

/// What is known of the Lagrangian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LagrangianKind {
    /// T − V with a kinetic energy quadratic in the velocities.
    Natural,
    /// Linear in some velocities (all of them?), which the state then determines.
    FirstOrder(bool),
    /// Any other Lagrangian of positions and velocities, with the difference.
    General(String),
    /// Accelerations or more occur.
    HigherOrder(u32),
    /// A function of two points, L(x, next(x)).
    Discrete,
    /// There is none: states with rates.
    Rates,
    /// There is none: states with maps.
    Map,
}

/// How many constraints there are of each kind, as the model states them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstraintCount {
    /// Linear in the velocities.
    pub linear: usize,
    /// Linear with a part free of velocities.
    pub affine: usize,
    /// Free of velocities.
    pub holonomic: usize,
    /// Nonlinear in the velocities.
    pub nonlinear: usize,
    /// With accelerations or higher derivatives.
    pub higher_order: usize,
    /// Of these, the ones that follow from the others.
    pub redundant: usize,
}

impl ConstraintCount {
    /// All of them.
    pub fn stated(&self) -> usize {
        self.linear + self.affine + self.holonomic + self.nonlinear + self.higher_order
    }
}

/// What kind of system a model describes.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The Lagrangian.
    pub lagrangian: LagrangianKind,
    /// Does time occur in the Lagrangian, the forces or the constraints?
    pub time_dependent: bool,
    /// Coordinates on the line.
    pub lines: Vec<String>,
    /// Coordinates on the circle.
    pub angles: Vec<String>,
    /// Group factors with their groups.
    pub groups: Vec<(String, String)>,
    /// The dimension of the configuration space.
    pub dimension: usize,
    /// The constraints.
    pub constraints: ConstraintCount,
    /// Velocities that the constraints leave free.
    pub degrees_of_freedom: usize,
    /// Do external forces act, besides controls?
    pub forced: bool,
    /// Control inputs.
    pub controls: Vec<String>,
    /// Controls with the laws that feed them.
    pub inputs: Vec<(String, String)>,
    /// Auxiliary states.
    pub states: Vec<String>,
    /// Declared symmetries.
    pub symmetries: Vec<String>,
}

impl Kind {
    /// The kind of a problem and its system.
    pub fn of(problem: &Problem, system: &System) -> Self {
        let name = |s: &Symbol| s.to_string();
        let mut kind = Kind {
            lagrangian: lagrangian(system),
            time_dependent: time_dependent(system),
            lines: Vec::new(),
            angles: Vec::new(),
            groups: Vec::new(),
            dimension: system.frame().rank(),
            constraints: ConstraintCount::default(),
            degrees_of_freedom: 0,
            forced: problem.system.is_forced(),
            controls: problem.controls.iter().map(|c| name(&c.symbol)).collect(),
            inputs: problem
                .inputs
                .iter()
                .map(|i| (name(&i.control), i.law.to_string()))
                .collect(),
            states: problem.auxiliary.iter().map(|s| name(&s.symbol)).collect(),
            symmetries: system.symmetries().iter().map(|s| s.name.clone()).collect(),
        };
        for factor in system.factors() {
            let is_angle = || {
                system.frame().base()[factor.base.clone()]
                    .iter()
                    .all(|s| system.circles().contains(s))
            };
            let name = factor.name.clone();
            match factor.group {
                Some(group) => kind.groups.push((name, group.to_string())),
                None if is_angle() => kind.angles.push(name),
                None => kind.lines.push(name),
            }
        }
        for c in &problem.constraints {
            match c.kind {
                ConstraintKind::Linear => kind.constraints.linear += 1,
                ConstraintKind::Affine => kind.constraints.affine += 1,
                ConstraintKind::Holonomic => kind.constraints.holonomic += 1,
                ConstraintKind::Nonlinear => kind.constraints.nonlinear += 1,
                ConstraintKind::HigherOrder => kind.constraints.higher_order += 1,
            }
        }
        let jets = kind.constraints.nonlinear + kind.constraints.higher_order;
        let independent = system.constraints().len() + jets;
        kind.constraints.redundant = kind.constraints.stated().saturating_sub(independent);
        kind.degrees_of_freedom = kind.dimension.saturating_sub(independent);
        kind
    }

    /// One sentence: Lagrangian, configuration space, constraints, freedom.
    pub fn sentence(&self) -> String {
        let mut parts = vec![format!("{} on {}", self.lagrangian_words(), self.space())];
        if self.constraints.stated() > 0 {
            parts.push(self.constraint_words());
        }
        if self.dimension > 0 {
            parts.push(counted(
                self.degrees_of_freedom,
                "degree of freedom",
                "degrees of freedom",
            ));
        }
        if !self.controls.is_empty() {
            parts.push(counted(self.controls.len(), "control", "controls"));
        }
        if self.time_dependent {
            parts.push("time-dependent".into());
        }
        parts.join("; ")
    }

    /// `a natural Lagrangian`, ….
    pub fn lagrangian_words(&self) -> String {
        match &self.lagrangian {
            LagrangianKind::Natural => "natural Lagrangian".to_owned(),
            LagrangianKind::FirstOrder(true) => {
                "Lagrangian linear in the velocities: a first-order system".to_owned()
            }
            LagrangianKind::FirstOrder(false) => {
                "Lagrangian linear in some velocities: partly a first-order system".to_owned()
            }
            LagrangianKind::Discrete => "discrete Lagrangian".to_owned(),
            LagrangianKind::Rates => "rates".to_owned(),
            LagrangianKind::Map => "discrete-time map".to_owned(),
            LagrangianKind::General(_) => "general Lagrangian".to_owned(),
            LagrangianKind::HigherOrder(order) => format!("Lagrangian of order {order}"),
        }
    }

    /// `3 coordinates and SO(3)`.
    pub fn space(&self) -> String {
        let coordinates = self.lines.len() + self.angles.len();
        let mut parts = Vec::new();
        if coordinates > 0 {
            parts.push(counted(coordinates, "coordinate", "coordinates"));
        }
        parts.extend(self.groups.iter().map(|(_, group)| group.clone()));
        if !self.states.is_empty() {
            parts.push(counted(self.states.len(), "state", "states"));
        }
        parts.join(" and ")
    }

    /// `2 constraints (1 linear in the velocities, 1 holonomic)`.
    pub fn constraint_words(&self) -> String {
        let c = &self.constraints;
        let kinds = [
            (c.linear, "linear in the velocities"),
            (c.affine, "affine in the velocities"),
            (c.holonomic, "holonomic"),
            (c.nonlinear, "nonlinear in the velocities"),
            (c.higher_order, "with accelerations"),
            (c.redundant, "redundant and dropped"),
        ];
        let present: Vec<(usize, &str)> = kinds.into_iter().filter(|(n, _)| *n > 0).collect();
        let all = counted(c.stated(), "constraint", "constraints");
        match present.as_slice() {
            [] => "no constraints".into(),
            [(n, "holonomic")] => counted(*n, "holonomic constraint", "holonomic constraints"),
            [(_, only)] => format!("{all} {only}"),
            several => {
                let parts: Vec<String> = several
                    .iter()
                    .map(|(n, kind)| format!("{n} {kind}"))
                    .collect();
                format!("{all} ({})", parts.join(", "))
            }
        }
    }
}

/// `1 degree`, `2 degrees`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Newton's form exists for natural Lagrangians only, and its refusal says what is different.
fn lagrangian(system: &System) -> LagrangianKind {
    if system.is_kinematic() {
        return match system.is_map() {
            true => LagrangianKind::Map,
            false => LagrangianKind::Rates,
        };
    }
    if let Err(MechanicsError::DiscreteLagrangian { .. }) = system.check_lagrangian("check") {
        return LagrangianKind::Discrete;
    }
    if system.order() > 1 {
        return LagrangianKind::HigherOrder(system.order());
    }
    if let Some(first) = system.first_order() {
        return LagrangianKind::FirstOrder(first.is_complete());
    }
    match system.applies(Form::Newton) {
        Err(MechanicsError::NotNatural { why, .. }) => LagrangianKind::General(why),
        _ => LagrangianKind::Natural,
    }
}

fn time_dependent(system: &System) -> bool {
    let t = Symbol::time();
    let constraints = system.constraints();
    std::iter::once(system.lagrangian())
        .chain(system.force())
        .chain(constraints.forms().entries())
        .chain(constraints.offsets())
        .chain(system.auxiliary().iter().map(|(_, rate)| rate))
        .any(|e| e.contains(&t))
}
