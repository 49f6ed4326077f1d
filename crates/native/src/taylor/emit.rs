//! The code of a jet: order after order, item after item.

use crate::x86::{Address, Assembler};
use iced_x86::Register;
use rattleback_compile::taylor::{Degree, Rule, Series, Start, TaylorPlan};

use super::blocks::BlockPlan;
use super::code::{Code, Operation, Vector, Width};
use super::groups::GroupPlan;
use super::layout::{COEFFICIENTS, LANES, Layout, Pack, ROW, WORKSPACE};
use super::runtime;
use super::schedule::{Item, schedule};

/// An item with its memory.
enum Work {
    Linear(Series),
    Group(GroupPlan),
    Block(BlockPlan),
}

/// An item, and the packs that are first used by it.
struct Task {
    work: Work,
    gathers: Vec<Pack>,
}

/// Code under construction.
pub(super) struct Emitter<'a, 'p> {
    pub(super) layout: Layout<'p>,
    pub(super) code: Code<'a>,
    /// Initial values of functions, at addresses that the code knows.
    pub(super) starts: &'a [Start],
    /// Reciprocals of divisors that are constant.
    reciprocals: Vec<Option<i32>>,
    guards: Vec<(i32, i32)>,
}

/// The initial values that calls work out.
pub(super) fn starts(plan: &TaylorPlan) -> Vec<Start> {
    let rules = plan.rules().iter();
    rules
        .filter_map(|&rule| match rule {
            Rule::Integral { start, .. } | Rule::Growth { start, .. } => Some(start),
            _ => None,
        })
        .collect()
}

/// What a kernel needs besides its code.
pub(super) struct Emitted<'p> {
    pub(super) layout: Layout<'p>,
    /// Where guarded values are kept: (value, scale).
    pub(super) guards: Vec<(i32, i32)>,
    /// How many instructions there are.
    pub(super) instructions: usize,
}

/// Writes the code; the layout says what memory it wants.
pub(super) fn emit<'p>(
    plan: &'p TaylorPlan,
    width: Width,
    order: usize,
    starts: &[Start],
    assembler: &mut Assembler,
) -> Emitted<'p> {
    let code = Code {
        assembler,
        count: 0,
    };
    let mut emitter = Emitter {
        layout: Layout::new(plan, width, order),
        code,
        starts,
        reciprocals: vec![None; plan.rules().len()],
        guards: Vec::new(),
    };
    let tasks = emitter.prepare();
    emitter.prologue();
    for k in 0..=order {
        emitter.states(k);
        if k < order {
            for task in &tasks {
                emitter.task(task, k);
            }
        }
        if k == 0 {
            emitter.keep_guards();
        }
    }
    emitter.epilogue();
    Emitted {
        layout: emitter.layout,
        guards: emitter.guards,
        instructions: emitter.code.count,
    }
}

impl Emitter<'_, '_> {
    fn prepare(&mut self) -> Vec<Task> {
        let plan = self.layout.plan;
        let lanes = match self.layout.width {
            Width::One => LANES,
            Width::Four => 1,
        };
        let items = schedule(plan, lanes);
        // Results first: what is worked out together need not be brought together.
        let results: Vec<Vec<Pack>> = items.iter().map(|item| self.results(item)).collect();
        let mut seen = 0;
        let mut gathered = Vec::new();
        let mut tasks: Vec<Task> = Vec::new();
        for (item, results) in items.iter().zip(results) {
            let work = match item {
                Item::Linear(series) => Work::Linear(*series),
                Item::Group(kind, members) => {
                    Work::Group(GroupPlan::new(&mut self.layout, *kind, members, &results))
                }
                Item::Block(block) => {
                    Work::Block(BlockPlan::new(&mut self.layout, *block, results))
                }
            };
            let new = (seen..self.layout.packs.len())
                .filter(|&pack| !self.layout.packs[pack].sources.is_empty());
            let gathers: Vec<Pack> = new.collect();
            seen = self.layout.packs.len();
            gathered.extend_from_slice(&gathers);
            tasks.push(Task { work, gathers });
        }
        self.settle(&tasks, &gathered);
        tasks
    }

    fn results(&mut self, item: &Item) -> Vec<Pack> {
        let plan = self.layout.plan;
        match item {
            Item::Linear(_) => Vec::new(),
            Item::Group(_, members) => {
                let mut packs = vec![self.layout.result(members)];
                let cosines: Vec<Series> = members
                    .iter()
                    .filter_map(|&s| match plan.rules()[s as usize] {
                        Rule::Sine { cosine, .. } => Some(cosine),
                        _ => None,
                    })
                    .collect();
                if !cosines.is_empty() {
                    packs.push(self.layout.result(&cosines));
                }
                packs
            }
            Item::Block(block) => {
                let rows = match self.layout.width {
                    Width::One => LANES,
                    Width::Four => 1,
                };
                let unknowns = plan.blocks()[*block as usize].solution.chunks(rows);
                unknowns.map(|rows| self.layout.result(rows)).collect()
            }
        }
    }

    /// Gives a place to every series that is asked for by itself, from the results back.
    fn settle(&mut self, tasks: &[Task], gathered: &[Pack]) {
        let plan = self.layout.plan;
        for &rate in plan.rates() {
            self.layout.settle(rate);
        }
        for guard in plan.guards() {
            self.layout.settle(guard.value);
            self.layout.settle(guard.scale);
        }
        for &pack in gathered {
            for source in self.layout.packs[pack].sources.clone() {
                self.layout.settle(source);
            }
        }
        for task in tasks.iter().rev() {
            match &task.work {
                Work::Linear(series) if !self.layout.is_settled(*series) => {}
                Work::Linear(series) => {
                    let mut operands = Vec::new();
                    plan.operands(plan.rules()[*series as usize], |a| operands.push(a));
                    operands.into_iter().for_each(|a| self.layout.settle(a));
                }
                Work::Group(group) => {
                    for &series in group.plain_operands() {
                        self.layout.settle(series);
                    }
                }
                Work::Block(block) => {
                    let block = &plan.blocks()[block.block as usize];
                    for &series in block.matrix.iter().chain(&block.rhs) {
                        self.layout.settle(series);
                    }
                }
            }
        }
    }

    fn prologue(&mut self) {
        let assembler = &mut *self.code.assembler;
        // Three registers keep the stack aligned for calls.
        assembler.push(Register::RBX);
        assembler.push(Register::R12);
        assembler.push(Register::R13);
        assembler.move_register(WORKSPACE, Register::RDI);
        assembler.move_register(COEFFICIENTS, Register::RSI);
        assembler.store_immediate(Address::At(WORKSPACE, self.layout.failed), 0);
    }

    fn epilogue(&mut self) {
        let failed = Address::At(WORKSPACE, self.layout.failed);
        let assembler = &mut *self.code.assembler;
        assembler.move_immediate(Register::RAX, 0);
        assembler.or_from(Register::RAX, failed);
        assembler.clear_upper();
        assembler.pop(Register::R13);
        assembler.pop(Register::R12);
        assembler.pop(Register::RBX);
        assembler.ret();
    }

    /// x_k = rate_(k−1)/k. The caller has put x_0 in place.
    fn states(&mut self, k: usize) {
        if k == 0 {
            return;
        }
        let width = self.layout.width;
        let plan = self.layout.plan;
        let inverse = self.layout.constant(1.0 / k as f64);
        let zero = self.layout.constant(0.0);
        for (i, &rate) in plan.rates().iter().enumerate() {
            let place = ((k * plan.dimension() + i) as i32) * width.bytes();
            let register = (i % 8) as Vector;
            match self.layout.value(rate, k - 1) {
                Some(value) => {
                    self.code.load(width, register, value);
                    if k > 1 {
                        let multiply = Operation::Mul;
                        self.code
                            .with_memory(multiply, width, register, register, inverse);
                    }
                }
                None => self.code.load(width, register, zero),
            }
            self.code
                .store(width, Address::At(COEFFICIENTS, place), register);
        }
    }

    fn task(&mut self, task: &Task, k: usize) {
        for &pack in &task.gathers {
            self.gather(pack, k);
        }
        match &task.work {
            Work::Linear(series) if self.layout.is_settled(*series) => self.linear(*series, k),
            Work::Linear(_) => {}
            Work::Group(group) => group.emit(self, k),
            Work::Block(block) => block.emit(self, k),
        }
    }

    /// Writes the k-th coefficients of a pack from where its lanes are worked out.
    fn gather(&mut self, pack: Pack, k: usize) {
        let place = self.layout.packs[pack].clone();
        if !place.degree.reaches(k) || (place.theta && k == 0) {
            return;
        }
        self.assemble(0, 1, &place.sources, k);
        if place.theta && k > 1 {
            let order = self.layout.constant(k as f64);
            self.code
                .with_memory(Operation::Mul, Width::Four, 0, 0, order);
        }
        self.code.store(Width::Four, place.at(k), 0);
    }

    /// Brings the k-th coefficients of `lanes` together in register `d`.
    pub(super) fn assemble(&mut self, d: Vector, scratch: Vector, lanes: &[Series], k: usize) {
        if self.layout.width == Width::Four {
            self.load_or_zero(Width::Four, d, lanes[0], k);
            return;
        }
        let lane = |i: usize| lanes.get(i).copied().unwrap_or(lanes[0]);
        if (1..LANES).all(|i| lane(i) == lane(0)) {
            match self.layout.value(lane(0), k) {
                Some(value) => self.code.broadcast(d, value),
                None => self.code.zero(d),
            }
            return;
        }
        self.pair(d, [lane(0), lane(1)], k);
        self.pair(scratch, [lane(2), lane(3)], k);
        self.code.insert_upper(d, scratch);
    }

    fn pair(&mut self, d: Vector, [low, high]: [Series; 2], k: usize) {
        self.load_or_zero(Width::One, d, low, k);
        let high = match self.layout.value(high, k) {
            Some(value) => value,
            None => self.layout.constant(0.0),
        };
        self.code.load_high(d, high);
    }

    pub(super) fn load_or_zero(&mut self, width: Width, d: Vector, series: Series, k: usize) {
        match self.layout.value(series, k) {
            Some(value) => self.code.load(width, d, value),
            None => self.code.zero(d),
        }
    }

    /// A coefficient that takes no sum.
    fn linear(&mut self, series: Series, k: usize) {
        let Some(own) = self.layout.value(series, k) else {
            return;
        };
        let width = self.layout.width;
        let rule = self.layout.plan.rules()[series as usize];
        match rule {
            Rule::Add(a, b) => self.sum(Operation::Add, a, b, k),
            Rule::Sub(a, b) => self.sum(Operation::Sub, a, b, k),
            Rule::Neg(a) => {
                self.code.zero(0);
                if let Some(a) = self.layout.value(a, k) {
                    self.code.with_memory(Operation::Sub, width, 0, 0, a);
                }
            }
            Rule::Theta(a) => {
                let order = self.layout.constant(k as f64);
                self.load_or_zero(width, 0, a, k);
                self.code.with_memory(Operation::Mul, width, 0, 0, order);
            }
            Rule::Mul(a, b) => {
                let constant = self.layout.degree(a) == Degree::CONSTANT;
                let (factor, other) = if constant { (a, b) } else { (b, a) };
                self.scale(factor, other, k);
            }
            Rule::Square(a) => self.scale(a, a, k),
            Rule::Div(a, b) => self.divide(a, b, k, series),
            Rule::Integral { rate, start } => {
                if k == 0 {
                    self.start(start, own);
                    return;
                }
                let inverse = self.layout.constant(1.0 / k as f64);
                self.load_or_zero(width, 0, rate, k);
                self.code.with_memory(Operation::Mul, width, 0, 0, inverse);
            }
            // Given, or worked out in groups and blocks.
            _ => return,
        }
        self.code.store(width, own, 0);
    }

    fn sum(&mut self, operation: Operation, a: Series, b: Series, k: usize) {
        let width = self.layout.width;
        self.load_or_zero(width, 0, a, k);
        if let Some(b) = self.layout.value(b, k) {
            self.code.with_memory(operation, width, 0, 0, b);
        }
    }

    /// f_0 a_k, where f is constant.
    fn scale(&mut self, factor: Series, a: Series, k: usize) {
        let width = self.layout.width;
        self.load_or_zero(width, 0, a, k);
        if let Some(factor) = self.layout.value(factor, 0) {
            self.code.with_memory(Operation::Mul, width, 0, 0, factor);
        }
    }

    /// a_k/b_0, where b is constant: by the reciprocal from order 1 on.
    fn divide(&mut self, a: Series, b: Series, k: usize, own: Series) {
        let width = self.layout.width;
        let Some(divisor) = self.layout.value(b, 0) else {
            return;
        };
        if k > 0 {
            self.load_or_zero(width, 0, a, k);
            if let Some(place) = self.reciprocals[own as usize] {
                let place = Address::At(WORKSPACE, place);
                self.code.with_memory(Operation::Mul, width, 0, 0, place);
            }
            return;
        }
        if self.layout.degree(a) != Degree::CONSTANT {
            let place = self.layout.reserve(width.bytes());
            let one = self.layout.constant(1.0);
            self.code.load(width, 1, one);
            self.code.with_memory(Operation::Div, width, 1, 1, divisor);
            self.code.store(width, Address::At(WORKSPACE, place), 1);
            self.reciprocals[own as usize] = Some(place);
        }
        self.load_or_zero(width, 0, a, 0);
        self.code.with_memory(Operation::Div, width, 0, 0, divisor);
    }

    /// Works out an initial value by a call.
    pub(super) fn start(&mut self, start: Start, result: Address) {
        let zero = self.layout.constant(0.0);
        let [a, b] = start
            .arguments()
            .map(|s| self.layout.value(s, 0).unwrap_or(zero));
        let place = self.starts.iter().position(|s| *s == start);
        let address = place.map_or(0, |place| std::ptr::from_ref(&self.starts[place]) as u64);
        let count = self.layout.width.bytes() as u64 / 8;
        let function = runtime::start_address();
        self.code.call(function, &[a, b, result], &[address, count]);
    }

    fn keep_guards(&mut self) {
        let width = self.layout.width;
        for guard in self.layout.plan.guards() {
            let mut places = [0; 2];
            for (place, series) in places.iter_mut().zip([guard.value, guard.scale]) {
                *place = self.layout.reserve(ROW);
                self.load_or_zero(width, 0, series, 0);
                self.code.store(width, Address::At(WORKSPACE, *place), 0);
            }
            self.guards.push((places[0], places[1]));
        }
    }
}
