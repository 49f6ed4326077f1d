//! The Taylor method as a stepper.

use super::defect::{LEAP, WITNESSES, defect, larger};
use super::expansion::Expansion;
use crate::control::Tolerance;
use crate::explicit::Dop853;
use crate::field::{Fault, Jets};
use crate::method::{AnyStepper, Family, Method, Needs, Order, Setting};
use crate::step_policy::StepPolicy;
use crate::stepper::{Step, Stepper};

/// `taylor`.
pub const TAYLOR: Method = Method {
    name: "taylor",
    aliases: &[],
    about: "Taylor series of an order that suits the tolerance",
    order: Order::ByTolerance,
    adaptive: true,
    lanes: true,
    symplectic: false,
    symmetric: false,
    needs: Needs {
        series: true,
        ..Needs::RATES
    },
    work: "one series",
    dense: "the series, free",
};

/// The Taylor method of an order that suits the tolerance.
///
/// Steps whose length the last coefficients cannot vouch for are held against the rates. Where a motion has no
/// series (a root at zero), DOP853 steps on.
#[derive(Clone, Debug)]
pub struct Taylor {
    pub(super) policy: StepPolicy,
    pub(super) expansion: Expansion,
    /// Where the expansion was made.
    at: Option<f64>,
    /// How far the expansion can be trusted.
    reach: f64,
    h: f64,
    /// The last step that was in order.
    trusted: f64,
    /// The longest step in which the field may turn.
    longest: f64,
    /// May the field turn in the step taken last?
    in_doubt: bool,
    expansions: u64,
    pub(super) change: Vec<f64>,
    pub(super) remainder: Vec<f64>,
    rates: Vec<f64>,
    /// A state inside the step.
    inside: Vec<f64>,
    /// Where there are no series.
    rescue: Dop853,
    is_rescued: bool,
}

impl Taylor {
    /// For motions of this dimension.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Taylor {
        Taylor::with_policy(dimension, StepPolicy::new(tolerance))
    }

    /// With an order and a tolerance of the caller's choice.
    pub fn with_policy(dimension: usize, policy: StepPolicy) -> Taylor {
        Taylor {
            policy,
            expansion: Expansion::new(dimension, policy.order()),
            at: None,
            reach: 0.0,
            h: 0.0,
            trusted: 0.0,
            longest: f64::INFINITY,
            in_doubt: true,
            expansions: 0,
            change: vec![0.0; dimension],
            remainder: vec![0.0; dimension],
            rates: vec![0.0; dimension],
            inside: vec![0.0; dimension],
            rescue: Dop853::new(dimension, policy.tolerance()),
            is_rescued: false,
        }
    }

    /// The order and the step sizes.
    pub fn policy(&self) -> &StepPolicy {
        &self.policy
    }

    /// The polynomial around the state expanded last.
    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// Expands the motion through (t, x), unless that has just been done.
    fn expand_once<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        if self.at == Some(t) && self.expansion.start() == x {
            return Ok(());
        }
        self.at = None;
        self.reach = self.expand(field, t, x)?;
        self.at = Some(t);
        Ok(())
    }

    /// How far the polynomial is from the rates at (t + τ, x) in the step, over what is allowed.
    fn defect<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        [t, tau]: [f64; 2],
        x: &[f64],
    ) -> Result<f64, Fault> {
        self.expansion.slope(tau, &mut self.change);
        field.rates(t + tau, x, &mut self.rates)?;
        let (h, tolerance) = (self.h, self.policy.tolerance());
        let states = x.iter().zip(&self.rates);
        let largest = states.fold(0.0, |m: f64, (x, f)| m.max(x.abs() + (h * f).abs()));
        let slopes = self.change.iter().zip(&self.rates).zip(x);
        let defects = slopes.map(|((slope, f), x)| defect(tolerance, h, [*slope, *f, *x], largest));
        Ok(defects.fold(0.0, larger))
    }

    /// The largest defect at the witnesses inside the step.
    fn defect_inside<F: Jets + ?Sized>(&mut self, field: &mut F, t: f64) -> Result<f64, Fault> {
        let mut inside = std::mem::take(&mut self.inside);
        let defects = (1..WITNESSES).map(|k| {
            let tau = self.h * f64::from(k) / f64::from(WITNESSES);
            self.expansion.state(tau, &mut inside);
            self.defect(field, [t, tau], &inside)
        });
        let largest = defects.reduce(|a, b| Ok(larger(a?, b?)));
        self.inside = inside;
        largest.unwrap_or(Ok(0.0))
    }

    /// A step of this length, or a shorter one where the field may turn in it.
    fn wanted<F: Jets + ?Sized>(&self, field: &mut F, length: f64) -> f64 {
        let is_bold = length > self.longest && field.may_turn();
        match is_bold && field.doubts(self.expansion.coefficients(), length) {
            true => self.longest,
            false => length,
        }
    }

    /// Expands the motion through (t, x), and says how far that reaches.
    #[inline]
    pub(super) fn expand<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
    ) -> Result<f64, Fault> {
        self.expansions += 1;
        self.expansion.expand(field, t, x)?;
        self.expansion.reach(&self.policy)
    }
}

impl Family for Taylor {
    const METHODS: &'static [Method] = &[TAYLOR];

    fn stepper<F: Jets + 'static, S: Setting>(
        _: &Method,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        let (n, policy) = (setting.dimension(), setting.policy());
        Ok(Box::new(Taylor::with_policy(n, policy)))
    }
}

impl<F: Jets + ?Sized> Stepper<F> for Taylor {
    fn order(&self) -> u32 {
        self.policy.order() as u32
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.h = h;
        match self.expand_once(field, t, x) {
            Ok(()) => self.is_rescued = false,
            Err(Fault::NotFinite(_)) => {
                self.is_rescued = true;
                return self.rescue.step(field, t, x, h, next);
            }
            Err(fault) => return Err(fault),
        }
        self.expansion.state(h, next);
        // A step that the policy itself has chosen need not be judged by it again.
        let mut error = if h.abs() <= self.reach {
            0.0
        } else {
            self.policy.error(self.reach, h)
        };
        self.in_doubt = field.doubts(self.expansion.coefficients(), h);
        let may_turn = self.in_doubt && field.may_turn();
        if may_turn || h.abs() > LEAP * self.trusted {
            error = larger(error, self.defect(field, [t, h], next)?);
        }
        if may_turn && error <= 1.0 {
            error = larger(error, self.defect_inside(field, t)?);
        }
        if error <= 1.0 {
            self.trusted = h.abs();
        }
        Ok(Step { error })
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        if self.is_rescued {
            return self.rescue.interpolate(field, theta, state);
        }
        self.expansion.state(theta * self.h, state);
        Ok(())
    }

    fn ways(&self, ways: &mut [f64]) -> bool {
        if self.is_rescued {
            return Stepper::<F>::ways(&self.rescue, ways);
        }
        self.expansion.ways(self.h, ways);
        true
    }

    fn tolerance(&self) -> Option<Tolerance> {
        Some(self.policy.tolerance())
    }

    fn proposed_step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        limit: f64,
    ) -> Result<Option<f64>, Fault> {
        match self.expand_once(field, t, x) {
            Ok(()) => Ok(Some(self.wanted(field, self.reach.min(limit.abs())))),
            Err(Fault::NotFinite(_)) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn beware(&mut self, longest: f64) {
        self.longest = longest;
    }

    fn vouches(&self) -> bool {
        !self.is_rescued && !self.in_doubt
    }

    fn restart(&mut self) {
        self.at = None;
        self.trusted = 0.0;
        Stepper::<F>::restart(&mut self.rescue);
    }

    fn evaluations(&self) -> u64 {
        self.expansions + Stepper::<F>::evaluations(&self.rescue)
    }
}
