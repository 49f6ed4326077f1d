//! The code of a jet: order after order, item after item.
#![allow(unsafe_code)]

use iced_x86::Register;
use rattleback_compile::taylor::{Rule, Series, Start, TaylorPlan};

use super::code::{COEFFICIENTS, Code, Operand, Operation, Vector, WORKSPACE, address};
use crate::code::Owner;
use crate::memory::ExecutableMemory;
use crate::taylor::cache::{Cache, Content};
use crate::taylor::kernel::{Emitted, Entry};
use crate::taylor::layout::{Base, LANES, Layout, Pack, Place, ROW, Width};
use crate::taylor::runtime;
use crate::taylor::tasks::{Task, Work, state_series};
use crate::x86::{Assembler, ConstantPool, Label, SincosConstants};
use crate::{Lanes, NativeError};

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

/// Compiles the coefficients up to `order`. The code refers to `starts`.
pub(in crate::taylor) fn emit<'p>(
    plan: &'p TaylorPlan,
    lanes: Lanes,
    order: usize,
    starts: &[Start],
) -> Result<Emitted<'p>, NativeError> {
    let mut pool = ConstantPool::new();
    let turns = plan.rules().iter().any(|rule| {
        matches!(rule, Rule::Sine { hyperbolic, .. } | Rule::Cosine { hyperbolic, .. } if !hyperbolic)
    });
    let constants = turns.then(|| SincosConstants::new(&mut pool));
    let mut assembler = Assembler::new(lanes, pool);
    let sincos = assembler.label();
    let mut emitter = Emitter {
        layout: Layout::new(plan, lanes.into(), order),
        code: Code {
            assembler: &mut assembler,
            count: 0,
        },
        cache: Cache::default(),
        starts,
        sincos,
        reciprocals: vec![None; plan.rules().len()],
        states: state_series(plan),
        guards: Vec::new(),
    };
    emitter.body(order);
    let Emitter {
        layout,
        code: Code { count, .. },
        guards,
        ..
    } = emitter;
    if let Some(constants) = constants {
        assembler.place(sincos);
        constants.subroutine(&mut assembler);
    }
    let image = assembler.finish()?;
    let code = ExecutableMemory::new(&image.bytes)?;
    let address = code.address(image.entry);
    Ok(Emitted {
        // SAFETY: the code begins there and has this signature.
        entry: unsafe { std::mem::transmute::<*const u8, Entry>(address) },
        code: Owner::Pages(code),
        layout,
        guards,
        instructions: count,
    })
}

impl Emitter<'_, '_> {
    fn body(&mut self, order: usize) {
        let tasks = self.layout.tasks();
        self.prologue();
        for k in 0..=order {
            self.states(k);
            if k < order {
                for task in &tasks {
                    self.task(task, k);
                }
            }
            if k == 0 {
                self.keep_guards();
            }
        }
        self.epilogue();
    }

    fn prologue(&mut self) {
        let assembler = &mut *self.code.assembler;
        // Three registers keep the stack aligned for calls.
        assembler.push(Register::RBX);
        assembler.push(Register::R12);
        assembler.push(Register::R13);
        assembler.move_register(WORKSPACE, Register::RDI);
        assembler.move_register(COEFFICIENTS, Register::RSI);
        assembler.store_immediate(address(Place::workspace(self.layout.failed)), 0);
    }

    fn epilogue(&mut self) {
        let failed = address(Place::workspace(self.layout.failed));
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
            let place = Place {
                base: Base::Coefficients,
                offset: (row + i as i32) * width.bytes(),
            };
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
    pub(super) fn start(&mut self, start: Start, result: Place) {
        let zero = self.layout.constant(0.0);
        let [a, b] = start
            .arguments()
            .map(|s| self.layout.value(s, 0).unwrap_or(zero));
        let count = self.layout.width.bytes() as u64 / 8;
        self.call_start(start, [a, b, result], count);
    }

    /// The same for so many numbers at these places.
    pub(super) fn call_start(&mut self, start: Start, places: [Place; 3], count: u64) {
        let place = self.starts.iter().position(|s| *s == start);
        let address = place.map_or(0, |place| std::ptr::from_ref(&self.starts[place]) as u64);
        self.call(runtime::start_address(), &places, &[address, count]);
    }

    /// A call, after which no register is what it was.
    pub(super) fn call(&mut self, function: u64, addresses: &[Place], numbers: &[u64]) {
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
                self.code.store(width, Place::workspace(*place), 0);
            }
            self.guards.push((places[0], places[1]));
        }
    }
}
