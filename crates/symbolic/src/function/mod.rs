//! The elementary functions: one file each, and the table of them.
//!
//! A file says all that is to know of its function: names, canonical form, derivative, floating-point value,
//! enclosure, image in a prime field, rule for power series, sign. Whoever needs one of these asks
//! [`Function`]. tan, cot, sec and csc are quotients of sine and cosine; printers put the short names back. A
//! square root is the power 1/2.

mod angle;
mod arccosine;
mod arcsine;
mod arctangent;
mod canonical;
mod cosine;
mod exponential;
mod hyperbolic_cosine;
mod hyperbolic_sine;
mod hyperbolic_tangent;
mod logarithm;
mod real_power;
mod rule;
mod sine;
mod turn;

use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Sign, Wide};
pub use rule::{Algebra, Slope};

/// What an elementary function is, in every meaning.
trait Elementary {
    /// The name in the model language.
    const NAME: &'static str;
    /// The name in LaTeX.
    const LATEX: &'static str;
    /// How many arguments it takes.
    const ARGUMENTS: usize = 1;
    /// What becomes of it when its argument changes sign.
    const PARITY: Parity = Parity::None;

    /// The function applied to arguments that are defined, canonical.
    fn apply(x: &[Expr]) -> Expr;
    /// `∂/∂argument_k`, as a function of the arguments.
    fn derivative(k: usize, x: &[Expr]) -> Expr;
    /// The value for floating-point arguments; functions of one argument ignore the second.
    fn float(x: f64, y: f64) -> f64;
    /// The same for numbers of any size. What grows or shrinks with its argument without bounds says how.
    fn wide(x: Wide, y: Wide) -> Wide {
        Self::float(x.to_f64(), y.to_f64()).into()
    }
    /// An enclosure of the values, on the branch that the function really takes.
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        y: &Enclosed<D>,
    ) -> Enclosed<D>;
    /// What it is in a prime field.
    fn image() -> Image;
    /// The derivative of a function of one argument, for recurrences and programs.
    fn slope<A: Algebra>(_: &mut A, _: A::Node) -> Option<Slope<A::Node>> {
        None
    }
    /// The sign, given those of the arguments.
    fn sign(_: &[Sign]) -> Sign {
        Sign::Unknown
    }
}

/// What becomes of a function when its argument changes sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// f(-x) = -f(x).
    Odd,
    /// f(-x) = f(x).
    Even,
    /// Neither.
    None,
}

/// What a function is in a prime field.
#[derive(Clone, Copy)]
pub(crate) enum Image {
    /// A coordinate of a point of the circle.
    Circle { sine: bool },
    /// A unit.
    Exponential,
    /// (e^x ± e^-x)/2.
    Hyperbolic { sine: bool },
    /// Hyperbolic sine over hyperbolic cosine.
    HyperbolicQuotient,
    /// The logarithm, which makes products to sums.
    Logarithm,
    /// A function without algebraic relations other than these.
    Opaque(Special),
    /// π/2 less such a function.
    Complement(Function, Special),
    /// Why there is none.
    None(&'static str),
}

impl Image {
    /// Does its value come from its argument's form instead of its argument's value?
    pub(crate) fn is_by_form(self) -> bool {
        matches!(
            self,
            Image::Circle { .. }
                | Image::Exponential
                | Image::Hyperbolic { .. }
                | Image::HyperbolicQuotient
        )
    }
}

/// What is known of a function that satisfies no algebraic relation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    /// Nothing.
    None,
    /// f(1) = 0.
    ZeroAtOne,
    /// f(-x) = -f(x) and f(1) = π/2^this.
    Odd(u32),
}

macro_rules! table {
    ($($(#[$doc:meta])* $F:ident in $file:ident),* $(,)?) => {
        /// A function that stays a node of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Function {
            $($(#[$doc])* $F),*
        }

        impl Function {
            /// All of them.
            pub const ALL: &'static [Function] = &[$(Function::$F),*];

            /// The name in the model language.
            pub fn name(self) -> &'static str {
                match self { $(Function::$F => $file::$F::NAME),* }
            }
            /// The name in LaTeX.
            pub fn latex(self) -> &'static str {
                match self { $(Function::$F => $file::$F::LATEX),* }
            }
            /// How many arguments it takes.
            pub fn arguments(self) -> usize {
                match self { $(Function::$F => $file::$F::ARGUMENTS),* }
            }
            /// What becomes of it when its argument changes sign.
            pub fn parity(self) -> Parity {
                match self { $(Function::$F => $file::$F::PARITY),* }
            }
            /// `∂/∂argument_k`, as a function of the arguments.
            pub fn derivative(self, k: usize, x: &[Expr]) -> Expr {
                match self { $(Function::$F => $file::$F::derivative(k, x)),* }
            }
            /// The derivative of a function of one argument, for recurrences and programs.
            pub fn slope<A: Algebra>(self, a: &mut A, x: A::Node) -> Option<Slope<A::Node>> {
                match self { $(Function::$F => $file::$F::slope(a, x)),* }
            }
            /// The value for floating-point arguments; functions of one argument ignore the second.
            pub(crate) fn float(self, x: f64, y: f64) -> f64 {
                match self { $(Function::$F => $file::$F::float(x, y)),* }
            }
            /// The same for numbers of any size.
            pub(crate) fn wide_of(self, x: Wide, y: Wide) -> Wide {
                match self { $(Function::$F => $file::$F::wide(x, y)),* }
            }
            /// An enclosure of the values, on the branch that the function really takes.
            pub(crate) fn enclose<D: Directed>(
                self,
                e: &Enclosures<D>,
                x: &Interval<D::Number>,
                y: &Enclosed<D>,
            ) -> Enclosed<D> {
                match self { $(Function::$F => $file::$F::enclose(e, x, y)),* }
            }
            /// What it is in a prime field.
            pub(crate) fn image(self) -> Image {
                match self { $(Function::$F => $file::$F::image()),* }
            }
            /// The sign, given those of the arguments.
            pub(crate) fn sign(self, x: &[Sign]) -> Sign {
                match self { $(Function::$F => $file::$F::sign(x)),* }
            }
            fn canonical(self, x: &[Expr]) -> Expr {
                match self { $(Function::$F => $file::$F::apply(x)),* }
            }
        }
    };
}

table! {
    /// Sine.
    Sin in sine,
    /// Cosine.
    Cos in cosine,
    /// Inverse sine.
    Asin in arcsine,
    /// Inverse cosine.
    Acos in arccosine,
    /// Inverse tangent.
    Atan in arctangent,
    /// Angle of the point (x, y), arguments in the order y, x.
    Atan2 in angle,
    /// Hyperbolic sine.
    Sinh in hyperbolic_sine,
    /// Hyperbolic cosine.
    Cosh in hyperbolic_cosine,
    /// Hyperbolic tangent.
    Tanh in hyperbolic_tangent,
    /// Exponential.
    Exp in exponential,
    /// Natural logarithm.
    Log in logarithm,
    /// A power, arguments in the order base, exponent; a number as exponent makes it a product.
    Power in real_power,
}

impl Function {
    /// The function with this name in the model language.
    pub fn named(name: &str) -> Option<Function> {
        Self::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// The value for floating-point arguments.
    pub fn evaluate(self, x: &[f64]) -> f64 {
        self.float(x[0], x.get(1).copied().unwrap_or(f64::NAN))
    }

    /// The value for numbers of any size.
    pub fn wide(self, x: &[Wide]) -> Wide {
        // Odd functions here have slope 1 at zero: below the normal numbers they are their argument, to the last digit.
        if self.parity() == Parity::Odd && x[0].to_f64().abs() < f64::MIN_POSITIVE {
            return x[0];
        }
        self.wide_of(x[0], x.get(1).copied().unwrap_or(Wide::from(f64::NAN)))
    }

    /// The function applied to arguments, canonical.
    pub fn apply(self, arguments: &[Expr]) -> Expr {
        if arguments.iter().any(Expr::is_undefined) {
            return Expr::undefined();
        }
        self.canonical(arguments)
    }
}

macro_rules! methods {
    ($($(#[$doc:meta])* $f:ident $F:ident),*) => {
        impl Expr {
            $($(#[$doc])* pub fn $f(&self) -> Expr { Function::$F.apply(std::slice::from_ref(self)) })*
        }
    };
}
methods!(
    /// Sine.
    sin Sin,
    /// Cosine.
    cos Cos,
    /// Inverse sine.
    asin Asin,
    /// Inverse cosine.
    acos Acos,
    /// Inverse tangent.
    atan Atan,
    /// Hyperbolic sine.
    sinh Sinh,
    /// Hyperbolic cosine.
    cosh Cosh,
    /// Hyperbolic tangent.
    tanh Tanh,
    /// Exponential.
    exp Exp,
    /// Natural logarithm.
    log Log
);

impl Expr {
    /// Tangent, as sin/cos.
    pub fn tan(&self) -> Expr {
        self.sin() / self.cos()
    }
    /// Cotangent, as cos/sin.
    pub fn cot(&self) -> Expr {
        self.cos() / self.sin()
    }
    /// Secant, as 1/cos.
    pub fn sec(&self) -> Expr {
        self.cos().recip()
    }
    /// Cosecant, as 1/sin.
    pub fn csc(&self) -> Expr {
        self.sin().recip()
    }
    /// The angle of the point (x, y).
    pub fn atan2(y: &Expr, x: &Expr) -> Expr {
        Function::Atan2.apply(&[y.clone(), x.clone()])
    }
}
