//! Events: functions whose zeros are looked for along a motion.

use crate::compiled::Compiled;
use rattleback_compile::{Course, Motion};
use rattleback_integrate::{Bounds, Direction, MemberEvent, Tube};
use rattleback_mechanics::Form;
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// Where along a motion to look.
#[derive(Clone, Debug)]
pub struct EventSpec {
    /// How it was written.
    pub text: String,
    /// What crosses zero, in positions and velocities of the model and in what is recorded.
    pub function: Expr,
    /// Which crossings count.
    pub direction: Direction,
    /// Does the motion end there?
    pub terminal: bool,
}

/// An event in something that has no value along a motion.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{name}` has no value along a motion in the form {form}")]
pub struct WithoutValue {
    /// How the event was written.
    pub text: String,
    /// Does the motion end there?
    pub terminal: bool,
    /// What has no value.
    pub name: String,
    /// The formulation that is followed.
    pub form: Form,
    /// What has one.
    pub usable: Vec<String>,
}

/// What crosses zero at an event, as a function of (t, state, varied values) of a motion.
#[derive(Clone)]
pub(crate) struct EventCode {
    function: Compiled,
    course: Option<Course>,
    /// Is it proven that it does not change? Then what is seen of it is rounding, and crosses nothing.
    is_kept: bool,
}

impl EventCode {
    /// The value at these inputs; not a number where it has none: then it has no sign, and nothing crosses.
    pub fn value(&mut self, inputs: &[f64]) -> f64 {
        let mut value = [f64::NAN];
        if self.is_kept {
            return f64::NAN;
        }
        let _ = self.function.call(inputs, &mut value);
        value[0]
    }

    /// Is it known how the function goes between two states?
    pub fn is_bounded(&self) -> bool {
        self.is_kept || self.course.is_some()
    }

    /// What is known of it in a tube, for these varied values.
    pub fn bounds(&self, given: &[f64], tube: &Tube) -> Bounds {
        if self.is_kept {
            return Bounds {
                value: Some((1.0, 1.0)),
                slope: Some((0.0, 0.0)),
            };
        }
        let over = |c: &Course| c.over(given, tube.inside(), tube.slopes());
        let [value, slope] = self.course.as_ref().map_or([None; 2], over);
        Bounds { value, slope }
    }
}

impl EventSpec {
    /// With its code for a motion.
    pub(crate) fn compile(&self, motion: &Motion) -> Result<EventCode, WithoutValue> {
        let function = motion.express_recorded(&self.function);
        let program = motion.program(std::slice::from_ref(&function));
        let program = program.map_err(|MissingInput(s)| self.without_value(&s, motion))?;
        Ok(EventCode {
            function: Compiled::new(program),
            course: motion.course(&function),
            is_kept: motion.keeps(&self.function),
        })
    }

    /// A name that the motion has no value for, with the names that can be used.
    fn without_value(&self, symbol: &Symbol, motion: &Motion) -> WithoutValue {
        let inputs = motion.inputs().into_iter().map(|s| s.to_string());
        let recorded = motion.records.iter().map(|r| r.name.clone());
        WithoutValue {
            text: self.text.clone(),
            terminal: self.terminal,
            name: symbol.to_string(),
            form: motion.form,
            usable: inputs.chain(recorded).collect(),
        }
    }

    /// How it is looked for in ensembles.
    pub fn member_event(&self) -> MemberEvent {
        MemberEvent {
            direction: self.direction,
            terminal: self.terminal,
        }
    }
}
