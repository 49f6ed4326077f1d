//! The list of all methods, collected from their files.

use crate::explicit::{Dop853, DormandPrince, RungeKutta4};
use crate::field::Jets;
use crate::group::{CommutatorFree, MuntheKaasFamily};
use crate::implicit::{Gauss, Radau5};
use crate::method::{AnyStepper, Family, Method, Setting};
use crate::symplectic::Scheme;
use crate::taylor::Taylor;
use std::str::FromStr;

pub use crate::explicit::dop853::DOP853;
pub use crate::explicit::dormand_prince::DOPRI5;
pub use crate::explicit::rk4::RK4;
pub use crate::group::commutator_free::COMMUTATOR_FREE_4;
pub use crate::group::munthe_kaas::{MUNTHE_KAAS_4, MUNTHE_KAAS_8};
pub use crate::implicit::gauss::{GAUSS_2, GAUSS_4, GAUSS_6, GAUSS_8};
pub use crate::implicit::radau::RADAU5;
pub use crate::symplectic::composition::{
    SUZUKI_4, SUZUKI_6, SUZUKI_8, VERLET, YOSHIDA_4, YOSHIDA_6, YOSHIDA_8,
};
pub use crate::taylor::method::TAYLOR;

/// One word for each file with methods for vector fields.
macro_rules! collect {
    ($($family:ty),* $(,)?) => {
        /// All methods, in the order of the files.
        pub fn all() -> impl Iterator<Item = Method> {
            [$(<$family as Family>::METHODS),*].into_iter().flatten().copied()
        }

        impl Method {
            /// The method, ready to step through this setting; none where it does not follow vector fields.
            ///
            /// ```
            /// use rattleback_integrate::{Setting, Tolerance, VectorField, Jets, Fault, methods};
            /// use rattleback_integrate::{group::Space, symplectic::Partition};
            /// # struct Decay;
            /// # impl VectorField for Decay {
            /// #     fn dimension(&self) -> usize { 1 }
            /// #     fn rates(&mut self, _: f64, x: &[f64], r: &mut [f64]) -> Result<(), Fault> {
            /// #         r[0] = -x[0];
            /// #         Ok(())
            /// #     }
            /// #     fn jacobian(&mut self, _: f64, _: &[f64], j: &mut [f64]) -> Result<(), Fault> {
            /// #         j[0] = -1.0;
            /// #         Ok(())
            /// #     }
            /// # }
            /// # impl Jets for Decay {
            /// #     fn jet(&mut self, _: f64, x: &[f64], order: usize, c: &mut [f64]) -> Result<(), Fault> {
            /// #         c[0] = x[0];
            /// #         (1..=order).for_each(|k| c[k] = -c[k - 1] / k as f64);
            /// #         Ok(())
            /// #     }
            /// # }
            /// /// x' = −x: no groups and no momenta.
            /// struct Line;
            /// impl Setting for Line {
            ///     type Refusal = &'static str;
            ///     fn dimension(&self) -> usize { 1 }
            ///     fn tolerance(&self) -> Tolerance { Tolerance::both(1e-9) }
            ///     fn space(&self) -> Result<Space, &'static str> { Err("no group") }
            ///     fn partition(&self) -> Result<Partition, &'static str> { Err("no momenta") }
            ///     fn is_separable(&self) -> Result<bool, &'static str> { Err("no momenta") }
            /// }
            /// let mut next = [0.0];
            /// let method: rattleback_integrate::Method = "midpoint".parse()?;
            /// let mut stepper = method.stepper::<Decay, _>(&Line)?.ok_or("not for fields")?;
            /// stepper.step(&mut Decay, 0.0, &[1.0], 0.1, &mut next)?;
            /// assert!((next[0] - 0.95 / 1.05).abs() < 1e-15);
            /// assert_eq!(methods::VERLET.stepper::<Decay, _>(&Line).err(), Some("no momenta"));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn stepper<F: Jets + 'static, S: Setting>(
                &self,
                setting: &S,
            ) -> Result<Option<AnyStepper<F>>, S::Refusal> {
                $(
                    if <$family as Family>::METHODS.contains(self) {
                        return <$family as Family>::stepper(self, setting).map(Some);
                    }
                )*
                Ok(None)
            }
        }
    };
}

collect![
    Taylor,
    Dop853,
    DormandPrince,
    RungeKutta4,
    Gauss,
    Radau5,
    Scheme,
    MuntheKaasFamily,
    CommutatorFree,
];

/// No method has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no method `{0}`")]
pub struct UnknownMethod(pub String);

impl FromStr for Method {
    type Err = UnknownMethod;
    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        all()
            .find(|m| m.name == name || m.aliases.contains(&name))
            .ok_or_else(|| UnknownMethod(name.into()))
    }
}

/// The list as a table in Markdown, as it stands in `docs/integrators.md`.
pub fn table() -> String {
    let head = "| method | order | step | symplectic | symmetric | needs | one step | inside a step |\n\
                | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    let mark = |is: bool| if is { "yes" } else { "" };
    let rows = all().map(|m| {
        let names: Vec<String> = std::iter::once(&m.name)
            .chain(m.aliases)
            .map(|name| format!("`{name}`"))
            .collect();
        let step = if m.adaptive { "adaptive" } else { "fixed" };
        let cells = [
            names.join(", "),
            m.order.to_string(),
            step.into(),
            mark(m.symplectic).into(),
            mark(m.symmetric).into(),
            m.needs.to_string(),
            m.work.into(),
            m.dense.into(),
        ];
        format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |")
    });
    let body: String = rows.collect();
    format!("{head}{}", body.replace("|  |", "| |"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_read_back() {
        let mut seen = Vec::new();
        for m in all() {
            for name in std::iter::once(&m.name).chain(m.aliases) {
                assert_eq!(name.parse(), Ok(m));
                assert!(!seen.contains(name), "{name} twice");
                seen.push(name);
            }
        }
        assert_eq!("rk5".parse::<Method>(), Err(UnknownMethod("rk5".into())));
    }

    #[test]
    fn the_page_has_the_table() {
        let page = include_str!("../../../docs/integrators.md");
        assert!(
            page.contains(&table()),
            "docs/integrators.md needs\n{}",
            table()
        );
    }
}
