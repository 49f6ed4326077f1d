//! Compositions of a symmetric method with itself, to higher orders.

use super::base::SymmetricBase;
use super::verlet::Verlet;
use super::verlet_general::GeneralVerlet;
use crate::compensated::Compensated;
use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method, Needs, Order, Setting};
use crate::stepper::{Step, Stepper};

/// What is true of all compositions of Stoermer and Verlet's method.
const COMMON: Method = Method {
    name: "",
    aliases: &[],
    about: "a composition of Stoermer and Verlet's method",
    order: Order::ByTolerance,
    adaptive: false,
    lanes: false,
    symplectic: true,
    symmetric: true,
    needs: Needs {
        momenta: true,
        jacobian: true,
        ..Needs::RATES
    },
    work: "",
    dense: "a shorter step",
};

/// `verlet`.
pub const VERLET: Method = Method {
    name: "verlet",
    order: Order::Fixed(2),
    work: "2 evaluations; implicit unless H = T(p) + V(q)",
    ..COMMON
};
/// `yoshida4`.
pub const YOSHIDA_4: Method = Method {
    name: "yoshida4",
    order: Order::Fixed(4),
    work: "3 steps of Verlet",
    ..COMMON
};
/// `yoshida6`.
pub const YOSHIDA_6: Method = Method {
    name: "yoshida6",
    order: Order::Fixed(6),
    work: "7 steps of Verlet",
    ..COMMON
};
/// `yoshida8`.
pub const YOSHIDA_8: Method = Method {
    name: "yoshida8",
    order: Order::Fixed(8),
    work: "15 steps of Verlet",
    ..COMMON
};
/// `suzuki4`.
pub const SUZUKI_4: Method = Method {
    name: "suzuki4",
    order: Order::Fixed(4),
    work: "5 steps of Verlet",
    ..COMMON
};
/// `suzuki6`.
pub const SUZUKI_6: Method = Method {
    name: "suzuki6",
    order: Order::Fixed(6),
    work: "25 steps of Verlet",
    ..COMMON
};
/// `suzuki8`.
pub const SUZUKI_8: Method = Method {
    name: "suzuki8",
    order: Order::Fixed(8),
    work: "125 steps of Verlet",
    ..COMMON
};

/// How many steps of which parts γ_i h make one step of h.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The base method itself, order 2.
    Plain,
    /// Order 4 with 3 steps.
    Yoshida4,
    /// Order 6 with 7 steps (Yoshida's solution A).
    Yoshida6,
    /// Order 8 with 15 steps (Yoshida's form with the weights of Suzuki and Umeno, which are much
    /// smaller than his own).
    Yoshida8,
    /// Order 4 with 5 steps: more work than Yoshida's, but a much smaller error.
    Suzuki4,
    /// Order 6 with 25 steps.
    Suzuki6,
    /// Order 8 with 125 steps.
    Suzuki8,
}

/// The first half of the symmetric sequences; the middle makes their sum 1.
const YOSHIDA6: [f64; 3] = [
    0.784_513_610_477_557_3,
    0.235_573_213_359_358_13,
    -1.177_679_984_178_871,
];
const YOSHIDA8: [f64; 7] = [
    0.741_670_364_350_613,
    -0.409_100_825_800_031_6,
    0.190_754_710_296_238_4,
    -0.573_862_471_116_082_2,
    0.299_064_181_303_655_9,
    0.334_624_918_245_298_16,
    0.315_293_092_396_766_6,
];

impl Scheme {
    /// The order of convergence over a symmetric method of order 2.
    pub fn order(self) -> u32 {
        match self {
            Scheme::Plain => 2,
            Scheme::Yoshida4 | Scheme::Suzuki4 => 4,
            Scheme::Yoshida6 | Scheme::Suzuki6 => 6,
            Scheme::Yoshida8 | Scheme::Suzuki8 => 8,
        }
    }

    /// The parts γ_i, symmetric, with Σγ_i = 1.
    pub fn weights(self) -> Vec<f64> {
        match self {
            Scheme::Plain => vec![1.0],
            Scheme::Yoshida4 => symmetric(&[1.0 / (2.0 - 2.0_f64.cbrt())]),
            Scheme::Yoshida6 => symmetric(&YOSHIDA6),
            Scheme::Yoshida8 => symmetric(&YOSHIDA8),
            Scheme::Suzuki4 | Scheme::Suzuki6 | Scheme::Suzuki8 => suzuki(self.order()),
        }
    }
}

impl Family for Scheme {
    const METHODS: &'static [Method] = &[
        VERLET, YOSHIDA_4, YOSHIDA_6, YOSHIDA_8, SUZUKI_4, SUZUKI_6, SUZUKI_8,
    ];

    /// Explicit where H = T(p) + V(q), implicit otherwise.
    fn stepper<F: Jets + 'static, S: Setting>(
        method: &Method,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        let scheme = match *method {
            YOSHIDA_4 => Scheme::Yoshida4,
            YOSHIDA_6 => Scheme::Yoshida6,
            YOSHIDA_8 => Scheme::Yoshida8,
            SUZUKI_4 => Scheme::Suzuki4,
            SUZUKI_6 => Scheme::Suzuki6,
            SUZUKI_8 => Scheme::Suzuki8,
            _ => Scheme::Plain,
        };
        let (n, partition) = (setting.dimension(), setting.partition()?);
        Ok(match setting.is_separable()? {
            true => Box::new(Composition::new(Verlet::new(partition), scheme, n)),
            false => Box::new(Composition::new(GeneralVerlet::new(partition), scheme, n)),
        })
    }
}

fn symmetric(half: &[f64]) -> Vec<f64> {
    let middle = 1.0 - 2.0 * half.iter().sum::<f64>();
    let backwards = half.iter().rev();
    half.iter()
        .chain([&middle])
        .chain(backwards)
        .copied()
        .collect()
}

/// From order k to k + 2: γ, γ, 1 − 4γ, γ, γ with 4γ^(k+1) + (1 − 4γ)^(k+1) = 0.
fn suzuki(order: u32) -> Vec<f64> {
    let mut weights = vec![1.0];
    for k in (2..order).step_by(2) {
        let gamma = 1.0 / (4.0 - 4.0_f64.powf(1.0 / f64::from(k + 1)));
        let parts = symmetric(&[gamma, gamma]);
        weights = parts
            .iter()
            .flat_map(|part| weights.iter().map(move |w| part * w))
            .collect();
    }
    weights
}

/// S(γ_s h) ∘ … ∘ S(γ₁h) for a symmetric method S of order 2.
///
/// The state inside a step is that of the same composition over the shorter time, so that it has
/// the full order and is a symplectic image of the start as well.
///
/// ```
/// use rattleback_integrate::{Fault, Stepper, VectorField};
/// use rattleback_integrate::symplectic::{Composition, Partition, Scheme, Verlet};
///
/// struct Pendulum;
/// impl VectorField for Pendulum {
///     fn dimension(&self) -> usize { 2 }
///     fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
///         rates.copy_from_slice(&[x[1], -x[0].sin()]);
///         Ok(())
///     }
///     fn jacobian(&mut self, _: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
///         jacobian.copy_from_slice(&[0.0, 1.0, -x[0].cos(), 0.0]);
///         Ok(())
///     }
/// }
///
/// let mut method = Composition::new(Verlet::new(Partition::halves(1)), Scheme::Yoshida6, 2);
/// let (mut x, mut next) = ([1.0, 0.0], [0.0; 2]);
/// for k in 0..1000 {
///     method.step(&mut Pendulum, 0.1 * f64::from(k), &x, 0.1, &mut next)?;
///     x = next;
/// }
/// let energy = x[1] * x[1] / 2.0 - x[0].cos();
/// assert!((energy + 1.0_f64.cos()).abs() < 1e-6);
/// # Ok::<(), Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Composition<B> {
    base: B,
    order: u32,
    weights: Vec<f64>,
    state: Compensated,
    /// The last step.
    t: f64,
    h: f64,
    start: Vec<f64>,
    end: Vec<f64>,
    inside: Compensated,
}

impl<B> Composition<B> {
    /// The composition of `base` with itself, for states with `dimension` components.
    pub fn new(base: B, scheme: Scheme, dimension: usize) -> Self {
        Composition {
            base,
            order: scheme.order(),
            weights: scheme.weights(),
            state: Compensated::new(dimension),
            t: 0.0,
            h: 0.0,
            start: vec![0.0; dimension],
            end: vec![0.0; dimension],
            inside: Compensated::new(dimension),
        }
    }
}

/// Steps `state` from t to t + h.
fn compose<F: VectorField + ?Sized, B: SymmetricBase<F>>(
    base: &mut B,
    weights: &[f64],
    field: &mut F,
    (t, h): (f64, f64),
    state: &mut Compensated,
) -> Result<(), Fault> {
    let mut part = 0.0;
    for weight in weights {
        base.advance(field, t + part * h, weight * h, state)?;
        part += weight;
    }
    Ok(())
}

impl<F: VectorField + ?Sized, B: SymmetricBase<F>> Stepper<F> for Composition<B> {
    fn order(&self) -> u32 {
        self.order
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.state.resume(x);
        let step = (t, h);
        let outcome = compose(&mut self.base, &self.weights, field, step, &mut self.state);
        if let Err(fault) = outcome {
            self.state.restart(x);
            self.base.forget();
            return Err(fault);
        }
        self.state.write(next);
        (self.t, self.h) = step;
        self.start.copy_from_slice(x);
        self.end.copy_from_slice(next);
        Ok(Step { error: 0.0 })
    }

    fn restart(&mut self) {
        self.base.forget();
    }

    fn evaluations(&self) -> u64 {
        self.base.evaluations()
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        if theta == 1.0 {
            state.copy_from_slice(&self.end);
            return Ok(());
        }
        self.inside.restart(&self.start);
        self.base.forget();
        let step = (self.t, theta * self.h);
        let outcome = compose(&mut self.base, &self.weights, field, step, &mut self.inside);
        self.base.forget();
        outcome?;
        self.inside.write(state);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_symmetric_and_cancel_the_lowest_errors() {
        for (scheme, steps) in [
            (Scheme::Plain, 1),
            (Scheme::Yoshida4, 3),
            (Scheme::Yoshida6, 7),
            (Scheme::Yoshida8, 15),
            (Scheme::Suzuki4, 5),
            (Scheme::Suzuki6, 25),
            (Scheme::Suzuki8, 125),
        ] {
            let weights = scheme.weights();
            assert_eq!(weights.len(), steps);
            for (a, b) in weights.iter().zip(weights.iter().rev()) {
                assert!((a - b).abs() < 1e-15);
            }
            let power = |k| weights.iter().map(|w: &f64| w.powi(k)).sum::<f64>();
            assert!((power(1) - 1.0).abs() < 1e-14);
            for k in (3..=scheme.order() as i32).step_by(2) {
                assert!(power(k).abs() < 1e-13, "{scheme:?}: {}", power(k));
            }
        }
    }
}
