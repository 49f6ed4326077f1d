//! Runge-Kutta-Munthe-Kaas methods.

use super::pullback::{Chart, Pullback};
use crate::control::Tolerance;
use crate::explicit::{Dop853, RungeKutta4};
use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method, Needs, Order, Setting};
use crate::space::Space;
use crate::stepper::{Step, Stepper};

/// `munthe-kaas4`.
pub const MUNTHE_KAAS_4: Method = Method {
    name: "munthe-kaas4",
    aliases: &[],
    about: "Munthe-Kaas over the classical Runge-Kutta method, on the group",
    order: Order::Fixed(4),
    adaptive: false,
    lanes: false,
    symplectic: false,
    symmetric: false,
    needs: Needs {
        group: true,
        ..Needs::RATES
    },
    work: "4 evaluations and exponentials",
    dense: "cubic Hermite in the chart",
};
/// `munthe-kaas8`.
pub const MUNTHE_KAAS_8: Method = Method {
    name: "munthe-kaas8",
    about: "Munthe-Kaas over Dormand and Prince's method of order 8, on the group",
    order: Order::Fixed(8),
    adaptive: true,
    lanes: false,
    work: "12 evaluations and exponentials",
    dense: "order 7 in the chart",
    ..MUNTHE_KAAS_4
};

/// The methods of this file, whatever they are made of.
pub(crate) struct MuntheKaasFamily;

impl Family for MuntheKaasFamily {
    const METHODS: &'static [Method] = &[MUNTHE_KAAS_4, MUNTHE_KAAS_8];

    fn stepper<F: Jets + 'static, S: Setting>(
        method: &Method,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        let space = setting.space()?;
        let (d, tolerance) = (space.velocities(), setting.tolerance());
        Ok(match *method {
            MUNTHE_KAAS_4 => Box::new(MuntheKaas::new(RungeKutta4::new(d), space)),
            _ => Box::new(MuntheKaas::new(Dop853::new(d, tolerance), space)),
        })
    }
}

/// A method for vector spaces made one for a [`Space`]: in each step it follows the field in the
/// exponential chart around the present state,
///
/// ```text
/// σ' = dexp⁻¹ ξ(t, x·exp σ),   σ(0) = 0,   next = x·exp(σ(h))
/// ```
///
/// with dexp⁻¹ in closed form, so that the order is that of the method, whatever it is. Elements
/// stay on their groups because they are only ever multiplied by exponentials; one projection per
/// step keeps the rounding of these products from adding up. Dense output and error estimate are
/// the method's own. The tolerance counts turns in radians.
///
/// ```
/// use rattleback_integrate::{Dop853, Fault, Stepper, Tolerance, VectorField};
/// use rattleback_integrate::group::{Group, MuntheKaas, Space};
///
/// /// R' = R hat(w) with the body velocity w = (0, 0, t).
/// struct Spin;
/// impl VectorField for Spin {
///     fn dimension(&self) -> usize { 9 }
///     fn rates(&mut self, t: f64, r: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
///         for i in [0, 3, 6] {
///             rates[i..i + 3].copy_from_slice(&[t * r[i + 1], -t * r[i], 0.0]);
///         }
///         Ok(())
///     }
///     fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
///         Err(Fault::NotConverged)
///     }
/// }
///
/// let space = Space::new(9, &[(Group::SO3, 0)])?;
/// let inner = Dop853::new(space.velocities(), Tolerance::both(1e-10));
/// let mut method = MuntheKaas::new(inner, space);
/// let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
/// let mut next = [0.0; 9];
/// method.step(&mut Spin, 0.0, &identity, 2.0, &mut next)?;
/// assert!((next[0] - 2.0_f64.cos()).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MuntheKaas<S> {
    inner: S,
    chart: Chart,
    /// The end of the last step: its time, its coordinates in the chart, and the state.
    end_time: Option<f64>,
    sigma: Vec<f64>,
    end: Vec<f64>,
    /// Other coordinates in the chart.
    inside: Vec<f64>,
}

impl<S> MuntheKaas<S> {
    /// The method on this space. `inner` is made for `space.velocities()` components.
    pub fn new(inner: S, space: Space) -> Self {
        let (n, d) = (space.dimension(), space.velocities());
        MuntheKaas {
            inner,
            chart: Chart::new(space),
            end_time: None,
            sigma: vec![0.0; d],
            end: vec![0.0; n],
            inside: vec![0.0; d],
        }
    }
}

impl<F, S> Stepper<F> for MuntheKaas<S>
where
    F: VectorField + ?Sized,
    for<'a> S: Stepper<Pullback<'a, F>>,
{
    fn order(&self) -> u32 {
        Stepper::<Pullback<'_, F>>::order(&self.inner)
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        if x != self.chart.center {
            Stepper::<Pullback<'_, F>>::restart(&mut self.inner);
            self.chart.center_at(x);
            if self.end_time.is_some() && x == self.end {
                self.chart.keep_velocity(&self.sigma);
            }
        }
        self.end_time = None;
        self.inside.copy_from_slice(self.chart.origin());
        let mut pullback = Pullback {
            field,
            chart: &mut self.chart,
        };
        let step = self
            .inner
            .step(&mut pullback, t, &self.inside, h, &mut self.sigma)?;
        let Chart { space, center, .. } = &self.chart;
        space.chart_point(center, &self.sigma, next);
        space.project(next)?;
        self.end.copy_from_slice(next);
        self.end_time = Some(t + h);
        Ok(step)
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        let mut pullback = Pullback {
            field,
            chart: &mut self.chart,
        };
        self.inner
            .interpolate(&mut pullback, theta, &mut self.inside)?;
        let Chart { space, center, .. } = &self.chart;
        space.chart_point(center, &self.inside, state);
        space.project(state)
    }

    fn error_order(&self) -> u32 {
        Stepper::<Pullback<'_, F>>::error_order(&self.inner)
    }

    fn tolerance(&self) -> Option<Tolerance> {
        Stepper::<Pullback<'_, F>>::tolerance(&self.inner)
    }

    fn restart(&mut self) {
        Stepper::<Pullback<'_, F>>::restart(&mut self.inner);
        self.chart.forget();
        self.end_time = None;
    }

    fn evaluations(&self) -> u64 {
        self.chart.evaluations
    }
}
