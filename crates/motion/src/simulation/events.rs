//! Events: functions whose zeros are looked for along a motion.

use super::field::Compiled;
use rattleback_compile::Motion;
use rattleback_integrate::{Direction, MemberEvent};
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

impl EventSpec {
    /// What crosses zero, as a function of (t, state, varied values) of a motion.
    pub fn compile(&self, motion: &Motion) -> Result<Compiled, WithoutValue> {
        let function = motion.express_recorded(&self.function);
        let program = motion.program(&[function]);
        let program = program.map_err(|MissingInput(s)| self.without_value(&s, motion))?;
        Ok(Compiled::new(program))
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
