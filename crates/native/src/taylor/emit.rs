//! The code of a jet: order after order, item after item.

use crate::x86::{Address, Assembler, Label};
use iced_x86::Register;
use rattleback_compile::taylor::{Rule, Series, Start, TaylorPlan};

use super::blocks::BlockPlan;
use super::cache::{Cache, Content};
use super::code::{Code, Operand, Operation, Vector, Width};
use super::groups::GroupPlan;
use super::layout::{COEFFICIENTS, LANES, Layout, Pack, ROW, WORKSPACE};
use super::runtime;
use super::schedule::{Item, schedule};

/// The least number of sums that are worked out side by side.
const SMALLEST_GROUP: usize = 3;

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
    pub(super) cache: Cache,
    /// Initial values of functions, at addresses that the code knows.
    pub(super) starts: &'a [Start],
    /// The subroutine for sines and cosines.
    pub(super) sincos: Label,
    /// Reciprocals of divisors that are constant.
    pub(super) reciprocals: Vec<Option<i32>>,
    /// The series of each state component that is used.
    states: Vec<Option<Series>>,
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
    sincos: Label,
    assembler: &mut Assembler,
) -> Emitted<'p> {
    let code = Code {
        assembler,
        count: 0,
    };
    let mut emitter = Emitter {
        layout: Layout::new(plan, width, order),
        code,
        cache: Cache::default(),
        starts,
        sincos,
        reciprocals: vec![None; plan.rules().len()],
        states: state_series(plan),
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
        let items = match self.layout.width {
            Width::One => split_small_groups(schedule(plan, LANES)),
            Width::Four => schedule(plan, 1),
        };
        // Results first: what is worked out together need not be brought together.
        let results: Vec<Vec<Pack>> = items.iter().map(|item| self.results(item)).collect();
        let mut seen = self.layout.packs.len();
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
                let width = self.layout.group_width(members.len());
                let mut packs = vec![self.layout.result(members, width)];
                let cosines: Vec<Series> = members
                    .iter()
                    .filter_map(|&s| match plan.rules()[s as usize] {
                        Rule::Sine { cosine, .. } => Some(cosine),
                        _ => None,
                    })
                    .collect();
                if !cosines.is_empty() {
                    packs.push(self.layout.result(&cosines, width));
                }
                packs
            }
            Item::Block(block) => {
                let unknowns = &plan.blocks()[*block as usize].solution;
                let rows = self.layout.rows_at_once(unknowns.len());
                let width = self.layout.group_width(rows);
                let packs = unknowns.chunks(rows);
                packs.map(|rows| self.layout.result(rows, width)).collect()
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
        let row = (k * plan.dimension()) as i32;
        for (i, &rate) in plan.rates().iter().enumerate() {
            let place = Address::At(COEFFICIENTS, (row + i as i32) * width.bytes());
            let register = match self.states[i] {
                Some(series) => self.cache.claim(Content::Value(series), k),
                None => (i % 8) as Vector,
            };
            match self.operand(rate, k - 1) {
                Some(value) if k > 1 => {
                    let value = self.in_register(width, register, value);
                    let multiply = Operation::Mul;
                    self.code.apply(multiply, width, register, value, inverse);
                }
                Some(Operand::Register(value)) => self.code.copy(width, register, value),
                Some(Operand::Memory(value)) => self.code.load(width, register, value),
                None => self.code.zero(register),
            }
            self.code.store(width, place, register);
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
        let row = self.cache.claim(Content::Row(pack), k);
        if !place.theta || k == 1 {
            self.assemble(place.width, row, &place.sources, k);
        } else {
            let source = self.cache.claim(Content::Source(pack), k);
            let order = self.layout.constant(k as f64);
            self.assemble(place.width, source, &place.sources, k);
            self.code
                .apply(Operation::Mul, place.width, row, source, order);
        }
        self.code.store(place.width, place.at(k), row);
    }

    /// The current coefficient of a series; none if it vanishes.
    pub(super) fn operand(&mut self, series: Series, k: usize) -> Option<Operand> {
        let memory = self.layout.value(series, k)?;
        let is_current = !matches!(self.layout.plan.rules()[series as usize], Rule::Time)
            && !self.layout.plan.is_fixed(series);
        if is_current && let Some(register) = self.cache.find(Content::Value(series), k) {
            return Some(Operand::Register(register));
        }
        Some(Operand::Memory(memory))
    }

    /// The current coefficients of a pack.
    pub(super) fn row(&mut self, pack: Pack, k: usize) -> Operand {
        let place = &self.layout.packs[pack];
        let memory = place.at(k);
        let content = place.series.map_or(Content::Row(pack), Content::Value);
        match self.cache.find(content, k) {
            Some(register) => Operand::Register(register),
            None => Operand::Memory(memory),
        }
    }

    /// The operand in a register: where it is, or else `d`.
    pub(super) fn in_register(&mut self, width: Width, d: Vector, operand: Operand) -> Vector {
        match operand {
            Operand::Register(register) => register,
            Operand::Memory(address) => {
                self.code.load(width, d, address);
                d
            }
        }
    }

    /// Brings the k-th coefficients of `lanes` together in register `d`. Uses registers 6 and 7.
    pub(super) fn assemble(&mut self, width: Width, d: Vector, lanes: &[Series], k: usize) {
        if self.layout.width == width {
            self.load_or_zero(width, d, lanes[0], k);
            return;
        }
        let lane = |i: usize| lanes.get(i).copied().unwrap_or(lanes[0]);
        if (1..LANES).all(|i| lane(i) == lane(0)) {
            match self.operand(lane(0), k) {
                Some(Operand::Memory(value)) => self.code.broadcast(d, value),
                Some(Operand::Register(value)) => self.code.broadcast_register(d, value),
                None => self.code.zero(d),
            }
            return;
        }
        self.pair(6, [lane(0), lane(1)], k);
        if lanes.len() > 2 {
            self.pair(7, [lane(2), lane(3)], k);
            self.code.insert_upper(d, 6, 7);
        } else {
            self.code.insert_upper(d, 6, 6);
        }
    }

    fn pair(&mut self, d: Vector, [low, high]: [Series; 2], k: usize) {
        let zero = Operand::Memory(self.layout.constant(0.0));
        let low = self.operand(low, k).unwrap_or(zero);
        let high = self.operand(high, k).unwrap_or(zero);
        let low = self.in_register(Width::One, d, low);
        self.code.join(d, low, high);
    }

    /// d = the current coefficient.
    pub(super) fn load_or_zero(&mut self, width: Width, d: Vector, series: Series, k: usize) {
        match self.operand(series, k) {
            Some(Operand::Memory(value)) => self.code.load(width, d, value),
            Some(Operand::Register(value)) => self.code.copy(width, d, value),
            None => self.code.zero(d),
        }
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
        self.call(function, &[a, b, result], &[address, count]);
    }

    /// A call, after which no register is what it was.
    pub(super) fn call(&mut self, function: u64, addresses: &[Address], numbers: &[u64]) {
        self.code.call(function, addresses, numbers);
        self.cache.clear();
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

fn state_series(plan: &TaylorPlan) -> Vec<Option<Series>> {
    let mut states = vec![None; plan.dimension()];
    for (series, rule) in plan.rules().iter().enumerate() {
        if let Rule::State(i) = rule {
            states[*i as usize] = Some(series as Series);
        }
    }
    states
}

/// Few sums are quicker one by one: bringing operands together takes longer than the sums.
fn split_small_groups(items: Vec<Item>) -> Vec<Item> {
    let split = |item: Item| match item {
        Item::Group(kind, members) if members.len() < SMALLEST_GROUP => members
            .into_iter()
            .map(|series| Item::Group(kind, vec![series]))
            .collect(),
        other => vec![other],
    };
    items.into_iter().flat_map(split).collect()
}
