//! The recurrences of a vector field: one rule per power series.

use rattleback_symbolic::Function;

use super::degree::Degree;

/// A power series, by its place in the plan.
pub type Series = u32;

/// How the k-th coefficient c_k of a series follows from coefficients known before.
///
/// Θ = τ d/dτ is the derivation that multiplies the k-th coefficient by k. Written with Θ, the
/// differential equation of an elementary function has no shift of the index, so that all
/// transcendental functions come down to three rules: [`Rule::Integral`], [`Rule::Growth`] and the
/// pair [`Rule::Sine`], [`Rule::Cosine`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A number.
    Constant(f64),
    /// A constant of the motion that is given with the initial state.
    Parameter(u32),
    /// t + τ.
    Time,
    /// A component of the state: c_k = rate_(k−1)/k.
    State(u32),
    /// c_k = a_k + b_k
    Add(Series, Series),
    /// c_k = a_k − b_k
    Sub(Series, Series),
    /// c_k = −a_k
    Neg(Series),
    /// c_k = k·a_k
    Theta(Series),
    /// c_k = Σ_j a_j b_(k−j)
    Mul(Series, Series),
    /// c_k = Σ_j a_j a_(k−j)
    Square(Series),
    /// c_k = (a_k − Σ_(j≥1) b_j c_(k−j))/b_0
    Div(Series, Series),
    /// c_k = (a_k − Σ_(0<j<k) c_j c_(k−j))/(2 c_0)
    Sqrt(Series),
    /// Θc = q: c_k = q_k/k.
    Integral {
        /// q
        rate: Series,
        /// c_0
        start: Start,
    },
    /// Θc = q·c: c_k = (1/k) Σ_(j≥1) q_j c_(k−j).
    Growth {
        /// q
        rate: Series,
        /// c_0
        start: Start,
    },
    /// Θs = q·c: s_k = (1/k) Σ_(j≥1) q_j c_(k−j).
    Sine {
        /// q, which is Θ of the angle.
        rate: Series,
        /// The angle.
        angle: Series,
        /// c: the cosine of the same angle.
        cosine: Series,
        /// Is this the hyperbolic sine?
        hyperbolic: bool,
    },
    /// Θc = ∓q·s: c_k = ∓(1/k) Σ_(j≥1) q_j s_(k−j), with the lower sign for the hyperbolic cosine.
    Cosine {
        /// q, which is Θ of the angle.
        rate: Series,
        /// The angle.
        angle: Series,
        /// s: the sine of the same angle.
        sine: Series,
        /// Is this the hyperbolic cosine?
        hyperbolic: bool,
    },
    /// Component `component` of x in A x = b:
    /// x_k = A_0⁻¹ (b_k − Σ_(j≥1) A_j x_(k−j)), with one factorisation of A_0 for all orders.
    Solution {
        /// Which of the plan's blocks.
        block: u32,
        /// Which unknown.
        component: u32,
    },
}

impl Rule {
    /// Calls `visit` with the series that stand in the rule itself; those of a block are not among them,
    /// nor is the partner of a sine or cosine.
    pub(super) fn for_each_operand(self, mut visit: impl FnMut(Series)) {
        match self {
            Rule::Constant(_)
            | Rule::Parameter(_)
            | Rule::Time
            | Rule::State(_)
            | Rule::Solution { .. } => {}
            Rule::Add(a, b) | Rule::Sub(a, b) | Rule::Mul(a, b) | Rule::Div(a, b) => {
                visit(a);
                visit(b);
            }
            Rule::Neg(a) | Rule::Theta(a) | Rule::Square(a) | Rule::Sqrt(a) => visit(a),
            Rule::Integral { rate, start } | Rule::Growth { rate, start } => {
                visit(rate);
                start.arguments().into_iter().for_each(visit);
            }
            Rule::Sine { rate, angle, .. } | Rule::Cosine { rate, angle, .. } => {
                visit(rate);
                visit(angle);
            }
        }
    }
}

/// The coefficient c_0 of a series that comes from a differential equation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// f(a_0)
    Function(Function, Series),
    /// a_0 to a real power.
    Power(Series, f64),
    /// a_0 to the power b_0.
    PowerOf(Series, Series),
    /// The angle of the point (b_0, a_0).
    Atan2(Series, Series),
}

impl Start {
    /// The series that the value is computed from.
    pub fn arguments(self) -> [Series; 2] {
        match self {
            Start::Function(_, a) | Start::Power(a, _) => [a, a],
            Start::PowerOf(a, b) | Start::Atan2(a, b) => [a, b],
        }
    }

    /// c_0 from the values of [`Start::arguments`].
    pub fn evaluate(self, a: f64, b: f64) -> f64 {
        match self {
            Start::Function(function, _) => function.evaluate(&[a]),
            Start::Power(_, exponent) => a.powf(exponent),
            Start::PowerOf(..) => a.powf(b),
            Start::Atan2(..) => Function::Atan2.evaluate(&[a, b]),
        }
    }
}

/// A linear system A x = b among series.
#[derive(Clone, Debug)]
pub struct LinearBlock {
    /// Which block of the program it came from.
    pub block: u32,
    /// A by rows.
    pub matrix: Vec<Series>,
    /// b
    pub rhs: Vec<Series>,
    /// x
    pub solution: Vec<Series>,
    /// Is the matrix symmetric as an expression?
    pub symmetric: bool,
}

impl LinearBlock {
    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.rhs.len()
    }
}

/// A pivot that must not vanish: faults unless |value_0| > VANISHING_PIVOT·|scale_0|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guard {
    /// The pivot.
    pub value: Series,
    /// What it is small against.
    pub scale: Series,
    /// Which block of the program it belongs to.
    pub block: u32,
    /// Which pivot of that block.
    pub pivot: u32,
}

/// The recurrences of a vector field. A series only refers to earlier ones, except that a sine and
/// its cosine refer to each other (to lower orders).
#[derive(Clone, Debug)]
pub struct TaylorPlan {
    pub(super) rules: Vec<Rule>,
    pub(super) degrees: Vec<Degree>,
    pub(super) fixed: Vec<bool>,
    pub(super) blocks: Vec<LinearBlock>,
    pub(super) guards: Vec<Guard>,
    pub(super) rates: Vec<Series>,
    pub(super) parameters: usize,
}

impl TaylorPlan {
    /// The number of state components.
    pub fn dimension(&self) -> usize {
        self.rates.len()
    }

    /// The number of constants of the motion.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// The rules, in an order in which they can be worked out.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The degree of each series as a polynomial in time.
    pub fn degrees(&self) -> &[Degree] {
        &self.degrees
    }

    /// Does a series depend on nothing but parameters?
    pub fn is_fixed(&self, series: Series) -> bool {
        self.fixed[series as usize]
    }

    /// The linear systems.
    pub fn blocks(&self) -> &[LinearBlock] {
        &self.blocks
    }

    /// What must not vanish at order 0.
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }

    /// x', component by component.
    pub fn rates(&self) -> &[Series] {
        &self.rates
    }

    /// Are there roots, powers, exponentials, logarithms or angles? With them a field may go over into
    /// another one without a sign in the Taylor coefficients: √(v²) is v until v = 0 and −v from there on.
    pub fn may_turn(&self) -> bool {
        self.rules.iter().zip(&self.fixed).any(|(rule, fixed)| {
            let plain = match rule {
                Rule::Sqrt(_) | Rule::Growth { .. } | Rule::Integral { .. } => false,
                Rule::Sine { hyperbolic, .. } | Rule::Cosine { hyperbolic, .. } => !hyperbolic,
                _ => true,
            };
            !plain && !fixed
        })
    }

    /// Calls `visit` with every series that the coefficients of `rule` are computed from.
    pub fn operands(&self, rule: Rule, visit: impl FnMut(Series)) {
        match rule {
            Rule::Solution { block, .. } => {
                let block = &self.blocks[block as usize];
                block
                    .matrix
                    .iter()
                    .chain(&block.rhs)
                    .copied()
                    .for_each(visit);
            }
            _ => rule.for_each_operand(visit),
        }
    }
}
