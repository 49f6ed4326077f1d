//! From a program to its recurrences.

use std::collections::HashMap;

use rattleback_symbolic::{Algebra, Function, Slope, checkpoint};

use super::degree::degrees;
use super::plan::{Guard, LinearBlock, Rule, Series, Start, TaylorPlan};
use super::prune::remove_dead;
use crate::program::{Op, Program, Slot, System};

/// Why a program has no recurrences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A block is solved by an iteration.
    #[error(
        "{unknowns} are only given by equations that are solved by iteration: choose a method \
         that needs no Taylor coefficients"
    )]
    Implicit {
        /// What is solved for.
        unknowns: String,
    },
    /// The program is no vector field.
    #[error(
        "a vector field needs the time, {outputs} state components and constants as inputs: \
         the program has {inputs} inputs"
    )]
    Shape {
        /// The number of inputs.
        inputs: usize,
        /// The number of outputs.
        outputs: usize,
    },
}

impl TaylorPlan {
    /// The recurrences of the vector field x' = f(t, x). The inputs of `program` are the time, the
    /// state and constants, its outputs are x'.
    pub fn new(program: &Program) -> Result<TaylorPlan, PlanError> {
        let dimension = program.outputs.len();
        if program.inputs <= dimension {
            return Err(PlanError::Shape {
                inputs: program.inputs,
                outputs: dimension,
            });
        }
        let mut builder = Builder::new(program);
        builder.lower_all()?;
        Ok(builder.finish())
    }
}

/// A rule as a key: numbers by their bits.
type Key = (u8, u64, u64, u64);

struct Builder<'p> {
    program: &'p Program,
    rules: Vec<Rule>,
    /// Which of them depend on nothing but parameters, as far as is plain to see.
    constant: Vec<bool>,
    known: HashMap<Key, Series>,
    blocks: Vec<LinearBlock>,
    /// Which of `blocks` a block of the program became.
    lowered: HashMap<u32, u32>,
    /// What blocks of one equation became.
    quotients: HashMap<u32, Series>,
    guards: Vec<Guard>,
    /// The series of each slot.
    slots: Vec<Series>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program) -> Builder<'p> {
        Builder {
            program,
            rules: Vec::new(),
            constant: Vec::new(),
            known: HashMap::new(),
            blocks: Vec::new(),
            lowered: HashMap::new(),
            quotients: HashMap::new(),
            guards: Vec::new(),
            slots: Vec::with_capacity(program.ops.len()),
        }
    }

    fn lower_all(&mut self) -> Result<(), PlanError> {
        for &op in &self.program.ops {
            checkpoint();
            let series = self.lower(op)?;
            self.slots.push(series);
        }
        Ok(())
    }

    fn lower(&mut self, op: Op) -> Result<Series, PlanError> {
        let of = |slots: &[Series], slot: Slot| slots[slot as usize];
        let s = |slot: Slot| of(&self.slots, slot);
        Ok(match op {
            Op::Constant(c) => self.constant(c),
            Op::Input(i) => self.input(i),
            Op::Add(a, b) => self.add(s(a), s(b)),
            Op::Sub(a, b) => self.sub(s(a), s(b)),
            Op::Mul(a, b) => self.mul(s(a), s(b)),
            Op::Div(a, b) => self.div(s(a), s(b)),
            Op::Neg(a) => self.neg(s(a)),
            Op::Sqrt(a) => self.intern(Rule::Sqrt(s(a))),
            Op::MulAdd(a, b, c) => {
                let (a, b, c) = (s(a), s(b), s(c));
                let product = self.mul(a, b);
                self.add(product, c)
            }
            Op::NegMulAdd(a, b, c) => {
                let (a, b, c) = (s(a), s(b), s(c));
                let product = self.mul(a, b);
                self.sub(c, product)
            }
            Op::MulSub(a, b, c) => {
                let (a, b, c) = (s(a), s(b), s(c));
                let product = self.mul(a, b);
                self.sub(product, c)
            }
            Op::NegMulSub(a, b, c) => {
                let (a, b, c) = (s(a), s(b), s(c));
                let product = self.mul(a, b);
                let sum = self.add(product, c);
                self.neg(sum)
            }
            Op::Power(a, exponent) => self.power(s(a), exponent),
            Op::Function(function, a) => self.function(function, s(a)),
            Op::PowerOf(a, b) => self.power_of(s(a), s(b)),
            Op::Atan2(a, b) => self.atan2(s(a), s(b)),
            Op::Solution(block, component) => self.solution(block, component)?,
            Op::Check {
                value,
                scale,
                block,
                pivot,
            } => {
                let guard = Guard {
                    value: s(value),
                    scale: s(scale),
                    block,
                    pivot,
                };
                self.guards.push(guard);
                guard.value
            }
        })
    }

    fn constant(&mut self, c: f64) -> Series {
        self.intern(Rule::Constant(c))
    }

    fn as_number(&self, a: Series) -> Option<f64> {
        match self.rules[a as usize] {
            Rule::Constant(c) => Some(c),
            _ => None,
        }
    }

    fn input(&mut self, i: u32) -> Series {
        let states = self.program.outputs.len() as u32;
        self.intern(match i {
            0 => Rule::Time,
            i if i <= states => Rule::State(i - 1),
            i => Rule::Parameter(i - states - 1),
        })
    }

    fn add(&mut self, a: Series, b: Series) -> Series {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => self.constant(x + y),
            (Some(0.0), _) => b,
            (_, Some(0.0)) => a,
            _ => match (self.rules[a as usize], self.rules[b as usize]) {
                (_, Rule::Neg(b)) => self.sub(a, b),
                (Rule::Neg(a), _) => self.sub(b, a),
                _ => self.intern(Rule::Add(a.min(b), a.max(b))),
            },
        }
    }

    fn sub(&mut self, a: Series, b: Series) -> Series {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => self.constant(x - y),
            (Some(0.0), _) => self.neg(b),
            (_, Some(0.0)) => a,
            _ => match self.rules[b as usize] {
                Rule::Neg(b) => self.intern(Rule::Add(a.min(b), a.max(b))),
                _ => self.intern(Rule::Sub(a, b)),
            },
        }
    }

    fn neg(&mut self, a: Series) -> Series {
        match self.rules[a as usize] {
            Rule::Constant(c) => self.constant(-c),
            Rule::Neg(b) => b,
            Rule::Sub(x, y) => self.intern(Rule::Sub(y, x)),
            _ => match self.as_multiple(a) {
                Some((c, x)) => {
                    let c = self.neg(c);
                    self.mul(c, x)
                }
                None => self.intern(Rule::Neg(a)),
            },
        }
    }

    fn mul(&mut self, a: Series, b: Series) -> Series {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => self.constant(x * y),
            (Some(0.0), _) | (_, Some(0.0)) => self.constant(0.0),
            (Some(1.0), _) => b,
            (_, Some(1.0)) => a,
            (Some(-1.0), _) => self.neg(b),
            (_, Some(-1.0)) => self.neg(a),
            _ if a == b => self.intern(Rule::Square(a)),
            _ => match (self.as_multiple_of(a, b)).or_else(|| self.as_multiple_of(b, a)) {
                // A square has half the products.
                Some((scale, x)) => {
                    let square = self.intern(Rule::Square(x));
                    self.mul(scale, square)
                }
                None => self.intern(Rule::Mul(a.min(b), a.max(b))),
            },
        }
    }

    /// c and x of a multiple c·x, where c is a number.
    fn as_multiple(&self, a: Series) -> Option<(Series, Series)> {
        match self.rules[a as usize] {
            Rule::Mul(c, x) | Rule::Mul(x, c) if self.as_number(c).is_some() => Some((c, x)),
            _ => None,
        }
    }

    /// The same where x is this one.
    fn as_multiple_of(&self, a: Series, x: Series) -> Option<(Series, Series)> {
        self.as_multiple(a).filter(|&(_, other)| other == x)
    }

    fn div(&mut self, a: Series, b: Series) -> Series {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => self.constant(x / y),
            (_, Some(1.0)) => a,
            (_, Some(_)) => match self.rules[a as usize] {
                // The sign goes to the number, which rounds alike.
                Rule::Neg(x) => {
                    let b = self.neg(b);
                    self.div(x, b)
                }
                _ => self.intern(Rule::Div(a, b)),
            },
            _ => self.intern(Rule::Div(a, b)),
        }
    }

    /// Θ(log a) = Θa/a.
    fn logarithmic(&mut self, a: Series) -> Series {
        let theta = self.intern(Rule::Theta(a));
        self.intern(Rule::Div(theta, a))
    }

    /// c = a^e: Θc = (e Θa/a)·c.
    fn power(&mut self, a: Series, exponent: f64) -> Series {
        let ratio = self.logarithmic(a);
        let exponent_series = self.constant(exponent);
        let rate = self.mul(exponent_series, ratio);
        self.intern(Rule::Growth {
            rate,
            start: Start::Power(a, exponent),
        })
    }

    /// c = a^b: Θc = Θ(b log a)·c, where b may be constant though it is no number.
    fn power_of(&mut self, a: Series, b: Series) -> Series {
        if let Some(exponent) = self.as_number(b) {
            return self.power(a, exponent);
        }
        let rate = if self.constant[b as usize] {
            let ratio = self.logarithmic(a);
            self.mul(b, ratio)
        } else {
            let log = self.function(Function::Log, a);
            let product = self.mul(b, log);
            self.intern(Rule::Theta(product))
        };
        let start = Start::PowerOf(a, b);
        self.intern(Rule::Growth { rate, start })
    }

    fn function(&mut self, function: Function, a: Series) -> Series {
        let start = Start::Function(function, a);
        match function.slope(self, a) {
            Some(Slope::Pair { sine, hyperbolic }) => {
                let pair = self.turn(a, hyperbolic);
                if sine { pair.0 } else { pair.1 }
            }
            Some(Slope::OneMinusSquare) => self.tangent(function, a),
            // Θc = c Θa.
            Some(Slope::Itself) => {
                let rate = self.intern(Rule::Theta(a));
                self.intern(Rule::Growth { rate, start })
            }
            // Θc = ±Θa/divisor.
            Some(Slope::Over { divisor, negative }) => {
                let theta = self.intern(Rule::Theta(a));
                let mut rate = self.intern(Rule::Div(theta, divisor));
                if negative {
                    rate = self.neg(rate);
                }
                self.intern(Rule::Integral { rate, start })
            }
            // Functions of two arguments have instructions of their own.
            None => self.constant(f64::NAN),
        }
    }

    /// tanh(a_0 + δ) = (t cosh δ + sinh δ)/(cosh δ + t sinh δ) with t = tanh a_0 and δ_0 = 0: the
    /// solution of Θu = (1 − u²) Θa as a quotient in which nothing overflows or cancels.
    fn tangent(&mut self, function: Function, a: Series) -> Series {
        let zero = self.constant(0.0);
        let rate = self.intern(Rule::Theta(a));
        let mut from = |rate, a| {
            let start = Start::Function(function, a);
            self.intern(Rule::Integral { rate, start })
        };
        let (t, delta) = (from(zero, a), from(rate, zero));
        let (sine, cosine) = self.turn(delta, true);
        let (t_cosine, t_sine) = (self.mul(t, cosine), self.mul(t, sine));
        let above = self.add(t_cosine, sine);
        let below = self.add(cosine, t_sine);
        self.div(above, below)
    }

    /// The sine and the cosine of one angle.
    fn turn(&mut self, angle: Series, hyperbolic: bool) -> (Series, Series) {
        let rate = self.intern(Rule::Theta(angle));
        let sine_rule = |cosine| Rule::Sine {
            rate,
            angle,
            cosine,
            hyperbolic,
        };
        // Their keys leave out the partner, so that a pair is found again.
        if let Some(&sine) = self.known.get(&key(sine_rule(0))) {
            return (sine, sine + 1);
        }
        let next = self.rules.len() as Series;
        let sine = self.intern(sine_rule(next + 1));
        let cosine = self.intern(Rule::Cosine {
            rate,
            angle,
            sine,
            hyperbolic,
        });
        (sine, cosine)
    }

    /// Θ atan2(y, x) = (x Θy − y Θx)/(x² + y²).
    fn atan2(&mut self, y: Series, x: Series) -> Series {
        let (theta_y, theta_x) = (self.intern(Rule::Theta(y)), self.intern(Rule::Theta(x)));
        let (a, b) = (self.mul(x, theta_y), self.mul(y, theta_x));
        let turning = self.sub(a, b);
        let (xx, yy) = (self.mul(x, x), self.mul(y, y));
        let radius = self.add(xx, yy);
        let rate = self.intern(Rule::Div(turning, radius));
        self.intern(Rule::Integral {
            rate,
            start: Start::Atan2(y, x),
        })
    }

    fn solution(&mut self, block: u32, component: u32) -> Result<Series, PlanError> {
        if !self.lowered.contains_key(&block) && !self.quotients.contains_key(&block) {
            self.linear_block(block)?;
        }
        if let Some(&quotient) = self.quotients.get(&block) {
            return Ok(quotient);
        }
        let lowered = self.lowered[&block] as usize;
        Ok(self.blocks[lowered].solution[component as usize])
    }

    /// One equation with one unknown, whose factor must not vanish.
    fn checked_quotient(&mut self, value: Series, divisor: Series, block: u32) -> Series {
        if self.as_number(divisor).is_none_or(|d| d == 0.0) {
            self.guards.push(Guard {
                value: divisor,
                scale: divisor,
                block,
                pivot: 0,
            });
        }
        self.div(value, divisor)
    }

    fn linear_block(&mut self, block: u32) -> Result<(), PlanError> {
        let source = &self.program.blocks[block as usize];
        let System::Linear {
            matrix,
            rhs,
            symmetric,
        } = &source.system
        else {
            return Err(PlanError::Implicit {
                unknowns: source.unknowns.clone(),
            });
        };
        let series = |slots: &[Slot]| slots.iter().map(|&s| self.slots[s as usize]).collect();
        let (matrix, rhs): (Vec<Series>, Vec<Series>) = (series(matrix), series(rhs));
        if let ([divisor], [value]) = (&matrix[..], &rhs[..]) {
            let quotient = self.checked_quotient(*value, *divisor, block);
            self.quotients.insert(block, quotient);
            return Ok(());
        }
        let place = self.blocks.len() as u32;
        let solution = (0..rhs.len() as u32).map(|component| {
            self.constant.push(false);
            self.rules.push(Rule::Solution {
                block: place,
                component,
            });
            self.rules.len() as Series - 1
        });
        let solution = solution.collect();
        self.blocks.push(LinearBlock {
            block,
            matrix,
            rhs,
            solution,
            symmetric: *symmetric,
        });
        self.lowered.insert(block, place);
        Ok(())
    }

    fn intern(&mut self, rule: Rule) -> Series {
        let next = self.rules.len() as Series;
        let series = *self.known.entry(key(rule)).or_insert(next);
        if series == next {
            let mut constant = !matches!(rule, Rule::Time | Rule::State(_));
            rule.for_each_operand(|a| constant &= self.constant[a as usize]);
            self.constant.push(constant);
            self.rules.push(rule);
        }
        series
    }

    fn finish(self) -> TaylorPlan {
        let rates = self.program.outputs.iter();
        let rates: Vec<Series> = rates.map(|&slot| self.slots[slot as usize]).collect();
        let mut plan = TaylorPlan {
            parameters: self.program.inputs - 1 - rates.len(),
            rules: self.rules,
            degrees: Vec::new(),
            fixed: Vec::new(),
            blocks: self.blocks,
            guards: self.guards,
            rates,
        };
        remove_dead(&mut plan);
        plan.fixed = fixed(&plan);
        plan.degrees = degrees(&plan);
        plan
    }
}

impl Algebra for Builder<'_> {
    type Node = Series;
    fn number(&mut self, n: i64) -> Series {
        self.constant(n as f64)
    }
    fn plus(&mut self, a: Series, b: Series) -> Series {
        self.add(a, b)
    }
    fn minus(&mut self, a: Series, b: Series) -> Series {
        self.sub(a, b)
    }
    fn times(&mut self, a: Series, b: Series) -> Series {
        self.mul(a, b)
    }
    fn root(&mut self, a: Series) -> Series {
        self.intern(Rule::Sqrt(a))
    }
}

/// The identity of a rule. A sine or cosine is known by its angle alone.
fn key(rule: Rule) -> Key {
    let pair = |tag: u8, a: Series, b: Series| (tag, u64::from(a), u64::from(b), 0);
    match rule {
        Rule::Constant(c) => (0, c.to_bits(), 0, 0),
        Rule::Parameter(i) => pair(1, i, 0),
        Rule::Time => pair(2, 0, 0),
        Rule::State(i) => pair(3, i, 0),
        Rule::Add(a, b) => pair(4, a, b),
        Rule::Sub(a, b) => pair(5, a, b),
        Rule::Neg(a) => pair(6, a, 0),
        Rule::Theta(a) => pair(7, a, 0),
        Rule::Mul(a, b) => pair(8, a, b),
        Rule::Square(a) => pair(9, a, 0),
        Rule::Div(a, b) => pair(10, a, b),
        Rule::Sqrt(a) => pair(11, a, 0),
        Rule::Integral { rate, start } => start_key(12, rate, start),
        Rule::Growth { rate, start } => start_key(15, rate, start),
        Rule::Sine {
            angle, hyperbolic, ..
        } => pair(18, angle, u32::from(hyperbolic)),
        Rule::Cosine {
            angle, hyperbolic, ..
        } => pair(19, angle, u32::from(hyperbolic)),
        Rule::Solution { block, component } => pair(20, block, component),
    }
}

fn start_key(tag: u8, rate: Series, start: Start) -> Key {
    let [a, b] = start.arguments();
    let arguments = u64::from(a) << 32 | u64::from(b);
    match start {
        Start::Function(function, _) => (tag, u64::from(rate), arguments, function as u64),
        Start::Power(_, e) => (tag + 1, u64::from(rate), arguments, e.to_bits()),
        Start::Atan2(..) => (tag + 2, u64::from(rate), arguments, 0),
        Start::PowerOf(..) => (tag + 2, u64::from(rate), arguments, 1),
    }
}

/// Which series depend on parameters alone.
fn fixed(plan: &TaylorPlan) -> Vec<bool> {
    let mut fixed: Vec<bool> = Vec::with_capacity(plan.rules.len());
    for &rule in &plan.rules {
        let mut all = !matches!(rule, Rule::Time | Rule::State(_));
        plan.operands(rule, |a| all &= fixed[a as usize]);
        fixed.push(all);
    }
    fixed
}
