//! A program as statements: what is used once stands in place, what is shared gets a name.

use std::collections::VecDeque;

use super::dialect::Dialect;
use super::formula::Formula;
use super::names::Scope;
use rattleback_compile::program::{Op, Program, Slot, System};

/// Formulas longer than this get a name, so that lines stay readable.
const LONGEST: usize = 56;

/// One statement of a function.
pub(super) enum Statement {
    /// `name = value`
    Let { name: String, value: String },
    /// `names` solve `matrix · names = rhs`; the matrix by rows. No name for what is not used.
    Solve {
        names: Vec<Option<String>>,
        work: [String; 2],
        matrix: Vec<String>,
        rhs: Vec<String>,
    },
    /// `names` are a root of the equations with this number, given `known`.
    Newton {
        names: Vec<Option<String>>,
        work: [String; 2],
        equations: usize,
        known: Vec<String>,
    },
    /// The function fails unless |value| > VANISHING_PIVOT·|scale|.
    Check { value: String, scale: String },
}

/// A function's statements and results.
pub(super) struct Body {
    pub statements: Vec<Statement>,
    pub outputs: Vec<String>,
    /// Which inputs occur.
    pub used: Vec<bool>,
}

/// Equations to be solved by Newton's method, to be written as functions of their own.
pub(super) struct Equations {
    pub number: usize,
    pub known: usize,
    pub unknowns: Vec<String>,
    pub program: Program,
}

/// Gives numbers to the equations that are met.
#[derive(Default)]
pub(super) struct Queue {
    pub waiting: VecDeque<Equations>,
    met: Vec<(Vec<String>, Program)>,
}

impl Queue {
    /// The number of these equations; the same for the same ones.
    fn number(&mut self, known: usize, unknowns: &[String], program: &Program) -> usize {
        let same = |(names, other): &(Vec<String>, Program)| {
            let plain = other.blocks.is_empty() && program.blocks.is_empty();
            let alike = other.ops == program.ops && other.outputs == program.outputs;
            plain && alike && names == unknowns
        };
        if let Some(place) = self.met.iter().position(same) {
            return place + 1;
        }
        self.met.push((unknowns.to_vec(), program.clone()));
        self.waiting.push_back(Equations {
            number: self.met.len(),
            known,
            unknowns: unknowns.to_vec(),
            program: program.clone(),
        });
        self.met.len()
    }
}

/// Writes a program with these names for its inputs.
pub(super) fn body(
    program: &Program,
    inputs: &[String],
    mut scope: Scope,
    dialect: &Dialect,
    queue: &mut Queue,
) -> Body {
    let mut writer = Writer {
        program,
        inputs,
        dialect,
        uses: uses(program),
        formulas: Vec::with_capacity(program.ops.len()),
        counters: [0; 2],
        solves: 0,
        body: Body {
            statements: Vec::new(),
            outputs: Vec::new(),
            used: vec![false; inputs.len()],
        },
    };
    for place in 0..program.ops.len() {
        writer.take(place, &mut scope, queue);
    }
    let outputs = program.outputs.iter().map(|k| writer.formula(*k).text);
    writer.body.outputs = outputs.collect();
    writer.body
}

/// How often each value is used on the way to the outputs; 0 for what they do not need.
fn uses(program: &Program) -> Vec<usize> {
    let mut uses = vec![0_usize; program.ops.len()];
    let count = |k: Slot, uses: &mut Vec<usize>| {
        if let Some(n) = uses.get_mut(k as usize) {
            *n += 1;
        }
    };
    for k in &program.outputs {
        count(*k, &mut uses);
    }
    let mut solved = vec![false; program.blocks.len()];
    for (place, op) in program.ops.iter().enumerate().rev() {
        let needed = uses.get(place).is_some_and(|n| *n > 0);
        let counted = match *op {
            // The components of a solution share the operands of their block.
            Op::Solution(block, _) => {
                let first = solved.get_mut(block as usize);
                needed && first.is_some_and(|solved| !std::mem::replace(solved, true))
            }
            Op::Check { .. } => true,
            _ => needed,
        };
        if counted {
            program.for_each_operand(place as Slot, |k| count(k, &mut uses));
        }
    }
    uses
}

struct Writer<'a> {
    program: &'a Program,
    inputs: &'a [String],
    dialect: &'a Dialect,
    uses: Vec<usize>,
    formulas: Vec<Formula>,
    /// Of shared values, and of solutions without names.
    counters: [usize; 2],
    solves: usize,
    body: Body,
}

impl Writer<'_> {
    fn formula(&self, k: Slot) -> Formula {
        let known = self.formulas.get(k as usize);
        known.cloned().unwrap_or_else(|| Formula::atom("0.0"))
    }

    fn texts(&self, slots: &[Slot]) -> Vec<String> {
        slots.iter().map(|k| self.formula(*k).text).collect()
    }

    /// Writes one instruction; the components of a solution with the first of them.
    fn take(&mut self, place: usize, scope: &mut Scope, queue: &mut Queue) {
        let Some(op) = self.program.ops.get(place) else {
            return;
        };
        match *op {
            Op::Solution(block, 0) => return self.solution(place, block, scope, queue),
            Op::Solution(..) => return,
            Op::Check { value, scale, .. } => {
                let (value, scale) = (self.formula(value).text, self.formula(scale).text);
                self.body.statements.push(Statement::Check { value, scale });
                return self.formulas.push(Formula::atom("0.0"));
            }
            _ => {}
        }
        let uses = self.uses.get(place).copied().unwrap_or(0);
        let formula = self.of(op, uses > 0);
        let simple = matches!(op, Op::Constant(_) | Op::Input(_));
        if simple || uses == 0 || (uses == 1 && formula.text.len() <= LONGEST) {
            self.formulas.push(formula);
        } else {
            let name = self.name_for(op, scope);
            self.body.statements.push(Statement::Let {
                name: name.clone(),
                value: formula.text,
            });
            self.formulas.push(Formula::atom(name));
        }
    }

    /// The formula of an instruction.
    fn of(&mut self, op: &Op, used: bool) -> Formula {
        if let Op::Input(i) = *op
            && let Some(flag) = self.body.used.get_mut(i as usize)
        {
            *flag |= used;
        }
        let at = |k: Slot| self.formula(k);
        let call = |name: &str, arguments: &[Slot]| {
            let texts = self.texts(arguments);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            Formula::atom(self.dialect.call(name, &texts))
        };
        match *op {
            Op::Constant(value) => Formula::number(self.dialect.number(value)),
            Op::Input(i) => {
                let name = self.inputs.get(i as usize).map(String::as_str);
                Formula::atom(name.unwrap_or("0.0"))
            }
            Op::Add(a, b) => at(a).sum('+', &at(b)),
            Op::Sub(a, b) => at(a).sum('-', &at(b)),
            Op::Mul(a, b) => at(a).product('*', &at(b)),
            Op::Div(a, b) => at(a).product('/', &at(b)),
            Op::Neg(a) => at(a).negative(),
            Op::Sqrt(a) => call("sqrt", &[a]),
            Op::MulAdd(a, b, c) => self.fused(at(a), at(b), at(c), '+'),
            Op::NegMulAdd(a, b, c) => self.fused(at(a).negative(), at(b), at(c), '+'),
            Op::MulSub(a, b, c) => self.fused(at(a), at(b), at(c), '-'),
            Op::NegMulSub(a, b, c) => self.fused(at(a).negative(), at(b), at(c), '-'),
            Op::Power(a, r) => {
                let (base, exponent) = (at(a).text, self.dialect.number(r));
                Formula::atom(self.dialect.call(self.dialect.power, &[&base, &exponent]))
            }
            Op::Function(f, a) => call(self.dialect.function(f), &[a]),
            Op::PowerOf(a, b) => call(self.dialect.power, &[a, b]),
            // Zero has no sign here, and −0 + 0 is 0.
            Op::Atan2(a, b) => {
                let (y, x) = (
                    at(a).sum('+', &Formula::number(self.dialect.number(0.0))),
                    at(b),
                );
                Formula::atom(self.dialect.call("atan2", &[&y.text, &x.text]))
            }
            Op::Solution(..) | Op::Check { .. } => Formula::atom("0.0"),
        }
    }

    /// a·b ± c, rounded once where the language can do that.
    fn fused(&self, a: Formula, b: Formula, c: Formula, sign: char) -> Formula {
        match self.dialect.fused {
            Some(name) => {
                let c = if sign == '-' { c.negative() } else { c };
                Formula::atom(self.dialect.call(name, &[&a.text, &b.text, &c.text]))
            }
            None => a.product('*', &b).sum(sign, &c),
        }
    }

    /// `sin_theta` for a sine of theta; a number for what has no such name.
    fn name_for(&mut self, op: &Op, scope: &mut Scope) -> String {
        if let Op::Function(f, a) = *op {
            let argument = self.formula(a).text;
            let is_name = argument
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if is_name && argument.len() < 24 {
                return scope.declare(&format!("{}_{argument}", f.name()));
            }
        }
        let [shared, _] = &mut self.counters;
        scope.number("a", shared)
    }

    fn solution(&mut self, place: usize, block: u32, scope: &mut Scope, queue: &mut Queue) {
        let Some(block) = self.program.blocks.get(block as usize) else {
            return;
        };
        let size = block.system.size();
        if !self.uses.iter().skip(place).take(size).any(|n| *n > 0) {
            let unused = std::iter::repeat_n(Formula::atom("0.0"), size);
            return self.formulas.extend(unused);
        }
        let stated: Vec<&str> = block.unknowns.split(", ").collect();
        let names: Vec<String> = if stated.len() == size {
            stated.iter().map(|name| scope.declare(name)).collect()
        } else {
            let [_, unnamed] = &mut self.counters;
            (0..size).map(|_| scope.number("s", unnamed)).collect()
        };
        let uses = self.uses.iter().skip(place).take(size);
        let named = uses
            .zip(&names)
            .map(|(uses, name)| (*uses > 0).then(|| name.clone()));
        let named: Vec<Option<String>> = named.collect();
        self.solves += 1;
        let number = self.solves;
        let mut work = |stem: &str| scope.declare(&format!("{stem}{number}"));
        let statement = match &block.system {
            System::Linear { matrix, rhs, .. } => Statement::Solve {
                names: named,
                work: [work("matrix"), work("solution")],
                matrix: self.texts(matrix),
                rhs: self.texts(rhs),
            },
            System::Implicit { known, newton, .. } => Statement::Newton {
                names: named,
                work: [work("known"), work("solution")],
                equations: queue.number(known.len(), &names, newton),
                known: self.texts(known),
            },
        };
        self.body.statements.push(statement);
        self.formulas.extend(names.into_iter().map(Formula::atom));
    }
}
