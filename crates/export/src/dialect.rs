//! What differs between the languages inside of a formula.

use rattleback_symbolic::Function;

/// The spelling of numbers and calls in one language.
pub(super) struct Dialect {
    /// Words that cannot be names.
    pub reserved: &'static [&'static str],
    /// What stands before the name of a function of the mathematical library.
    pub prefix: &'static str,
    /// The library's name of the natural logarithm.
    pub logarithm: &'static str,
    /// The library's name of the real power.
    pub power: &'static str,
    /// The library's fused multiplication and addition, where there is one.
    pub fused: Option<&'static str>,
    pub infinity: &'static str,
    pub not_a_number: &'static str,
    pub pi: &'static str,
}

impl Dialect {
    /// The shortest digits that read back as the same number.
    pub fn number(&self, value: f64) -> String {
        match value {
            _ if value.is_nan() => self.not_a_number.to_owned(),
            f64::INFINITY => self.infinity.to_owned(),
            f64::NEG_INFINITY => format!("-{}", self.infinity),
            std::f64::consts::PI => self.pi.to_owned(),
            _ => format!("{value:?}"),
        }
    }

    /// The library's name of a function.
    pub fn function(&self, function: Function) -> &'static str {
        match function {
            Function::Log => self.logarithm,
            _ => function.name(),
        }
    }

    /// A call of the library.
    pub fn call(&self, name: &str, arguments: &[&str]) -> String {
        format!("{}{name}({})", self.prefix, arguments.join(", "))
    }
}
