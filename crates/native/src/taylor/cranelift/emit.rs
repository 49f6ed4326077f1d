//! The code of one order: states, then item after item.

use cranelift_codegen::ir::types::F64;
use cranelift_codegen::ir::{InstBuilder, Value};
use rattleback_compile::taylor::{Rule, Series, Start};

use super::code::{Address, Code, Number};
use super::order::Order;
use super::steps::{Stage, Step};
use super::sums::Sum;
use crate::taylor::cache::{Cache, Content, Vector};
use crate::taylor::layout::{Base, LANES, Layout, Pack, Place, Places, ROW, Width};
use crate::taylor::runtime;
use crate::taylor::tasks::Work;

/// What all functions of a kernel have in common.
pub(super) struct Sketch<'s, 'p> {
    pub(super) layout: Layout<'p>,
    /// Initial values of functions, at addresses that the code knows.
    pub(super) starts: &'s [Start],
    /// Reciprocals of divisors that are constant.
    pub(super) reciprocals: Vec<Option<i32>>,
    /// The series of each state component that is used.
    pub(super) states: Vec<Option<Series>>,
    /// Where guarded values are kept: (value, scale).
    pub(super) guards: Vec<(i32, i32)>,
}

/// The order of a loop, in registers.
struct Running {
    /// Where coefficients of this order are, by what they are relative to and by their stride.
    pointers: Vec<((Base, i32), Value)>,
    /// k
    order: Value,
    /// 1/k
    inverse: Value,
}

/// Code under construction, at one order.
pub(super) struct Emitter<'a, 's, 'p> {
    pub(super) code: Code<'a>,
    pub(super) sketch: &'a mut Sketch<'s, 'p>,
    pub(super) order: Order,
    running: Option<Running>,
    cache: Cache,
    held: Vec<(Vector, Number)>,
}

impl<'a, 's, 'p> Emitter<'a, 's, 'p> {
    /// For order 0 at first.
    pub(super) fn new(code: Code<'a>, sketch: &'a mut Sketch<'s, 'p>) -> Self {
        Emitter {
            code,
            sketch,
            order: Order::Known(0),
            running: None,
            cache: Cache::default(),
            held: Vec::new(),
        }
    }

    /// What follows is for this order.
    pub(super) fn turn_to(&mut self, k: usize) {
        self.order = Order::Known(k);
        self.running = None;
    }

    /// What follows is for the order in a register.
    pub(super) fn run_through(&mut self, k: Value) {
        let strides = [
            (Base::Workspace, Width::One.bytes()),
            (Base::Workspace, Width::Four.bytes()),
            (Base::Coefficients, self.sketch.layout.state_row()),
        ];
        let mut pointers = Vec::new();
        for (base, stride) in strides {
            let start = self.code.base(base);
            let ins = &mut self.code.builder;
            let further = ins.ins().imul_imm_s(k, i64::from(stride));
            pointers.push(((base, stride), ins.ins().iadd(start, further)));
        }
        let ins = &mut self.code.builder;
        let order = ins.ins().fcvt_from_sint(F64, k);
        let one = ins.ins().f64const(1.0);
        let inverse = ins.ins().fdiv(one, order);
        self.order = Order::Running;
        self.running = Some(Running {
            pointers,
            order,
            inverse,
        });
        self.forget();
    }
}

impl Emitter<'_, '_, '_> {
    /// The width of a coefficient.
    pub(super) fn width(&self) -> Width {
        self.sketch.layout.width
    }

    /// Registers hold nothing of use.
    pub(super) fn forget(&mut self) {
        self.cache.clear();
        self.held.clear();
    }

    /// Keeps in mind where a coefficient of this order is.
    pub(super) fn hold(&mut self, content: Content, number: Number) {
        let register = self.cache.claim(content, self.order.key());
        self.held.retain(|(r, _)| *r != register);
        self.held.push((register, number));
    }

    fn held(&mut self, content: Content, key: usize) -> Option<Number> {
        let register = self.cache.find(content, key)?;
        let held = self.held.iter().find(|(r, _)| *r == register);
        held.map(|&(_, number)| number)
    }

    /// Where the coefficients of this order are.
    pub(super) fn current_pointer(&mut self, track: (Base, i32)) -> Value {
        let pointers = self.running.iter().flat_map(|r| &r.pointers);
        let known = pointers.clone().find(|(t, _)| *t == track);
        known.map_or(self.code.base(track.0), |&(_, pointer)| pointer)
    }

    /// The place of the coefficient `back` orders before this one.
    pub(super) fn back(&mut self, places: Places, back: usize) -> Address {
        match self.order {
            Order::Known(k) => self.code.address(places.at(k - back)),
            Order::Running if places.stride == 0 => self.code.address(places.at(0)),
            Order::Running => Address {
                base: self.current_pointer((places.base, places.stride)),
                offset: places.offset - places.stride * back as i32,
            },
        }
    }

    /// The place of the coefficient of a series `back` orders before this one; none if it vanishes.
    fn place(&mut self, series: Series, back: usize) -> Option<Address> {
        match self.order {
            Order::Known(k) => {
                let place = self.sketch.layout.value(series, k - back)?;
                Some(self.code.address(place))
            }
            Order::Running if !self.order.reaches(self.sketch.layout.degree(series)) => None,
            Order::Running => {
                let places = self.sketch.layout.places(series)?;
                Some(self.back(places, back))
            }
        }
    }

    /// Where the coefficient of this order goes; none if it vanishes.
    pub(super) fn own_place(&mut self, series: Series) -> Option<Address> {
        self.place(series, 0)
    }

    /// The coefficient of this order; none if it vanishes.
    pub(super) fn operand(&mut self, series: Series) -> Option<Number> {
        self.coefficient(series, 0)
    }

    fn coefficient(&mut self, series: Series, back: usize) -> Option<Number> {
        let place = self.place(series, back)?;
        let plan = self.sketch.layout.plan;
        let is_current = plan.rules()[series as usize] != Rule::Time && !plan.is_fixed(series);
        let key = match self.order {
            Order::Known(k) => k - back,
            // Of the turn before.
            Order::Running if back > 0 => return Some(self.code.load(self.width(), place)),
            Order::Running => self.order.key(),
        };
        if is_current && let Some(number) = self.held(Content::Value(series), key) {
            return Some(number);
        }
        Some(self.code.load(self.width(), place))
    }

    /// The same, or zero.
    pub(super) fn operand_or_zero(&mut self, series: Series) -> Number {
        match self.operand(series) {
            Some(number) => number,
            None => self.code.constant(self.width(), 0.0),
        }
    }

    /// The coefficients of a pack at this order.
    pub(super) fn row(&mut self, pack: Pack) -> Number {
        let place = &self.sketch.layout.packs[pack];
        let (width, places) = (place.width, place.places);
        let content = place.series.map_or(Content::Row(pack), Content::Value);
        if let Some(number) = self.held(content, self.order.key()) {
            return number;
        }
        let from = self.back(places, 0);
        self.code.load(width, from)
    }

    /// The coefficients of a pack at order 0.
    pub(super) fn first_row(&mut self, pack: Pack) -> Number {
        let place = &self.sketch.layout.packs[pack];
        let (width, from) = (place.width, self.code.address(place.at(0)));
        self.code.load(width, from)
    }

    /// Can coefficients of a pack differ from zero at this order?
    pub(super) fn reaches(&self, pack: Pack) -> bool {
        self.order.reaches(self.sketch.layout.packs[pack].degree)
    }

    /// Puts the coefficients of a pack at this order in place.
    pub(super) fn put(&mut self, pack: Pack, number: Number) {
        let place = &self.sketch.layout.packs[pack];
        let places = place.places;
        let content = place.series.map_or(Content::Row(pack), Content::Value);
        let to = self.back(places, 0);
        self.code.store(to, number);
        self.hold(content, number);
    }

    /// k
    pub(super) fn order_number(&mut self, width: Width) -> Number {
        match (self.order, &self.running) {
            (Order::Running, Some(running)) => {
                let order = running.order;
                self.code.widened(width, order)
            }
            (order, _) => self.code.constant(width, order.key() as f64),
        }
    }

    /// 1/k
    pub(super) fn inverse(&mut self, width: Width) -> Number {
        match (self.order, &self.running) {
            (Order::Running, Some(running)) => {
                let inverse = running.inverse;
                self.code.widened(width, inverse)
            }
            (order, _) => self.code.constant(width, 1.0 / order.key() as f64),
        }
    }

    /// x_k = rate_(k−1)/k. The caller has put x_0 in place.
    pub(super) fn states(&mut self) {
        if self.order.is_first() {
            return;
        }
        let (plan, width) = (self.sketch.layout.plan, self.width());
        let inverse = self.inverse(width);
        for (i, &rate) in plan.rates().iter().enumerate() {
            let number = match self.coefficient(rate, 1) {
                Some(rate) if self.order == Order::Known(1) => rate,
                Some(rate) => self.code.mul(rate, inverse),
                None => self.code.constant(width, 0.0),
            };
            let places = Places {
                base: Base::Coefficients,
                offset: i as i32 * width.bytes(),
                stride: self.sketch.layout.state_row(),
            };
            let to = self.back(places, 0);
            self.code.store(to, number);
            if let Some(series) = self.sketch.states[i] {
                self.hold(Content::Value(series), number);
            }
        }
    }

    /// Works out steps whose sums over earlier orders go side by side.
    pub(super) fn batch(&mut self, steps: &[Step]) {
        let sums: Vec<Vec<Sum>> = steps.iter().map(|step| self.sums(step)).collect();
        let all: Vec<Sum> = sums.iter().flatten().cloned().collect();
        let mut values = self.earlier(&all).into_iter();
        for (step, sums) in steps.iter().zip(sums) {
            let values: Vec<Option<Number>> = values.by_ref().take(sums.len()).collect();
            if step.stage.begins() {
                step.task.gathers.iter().for_each(|&pack| self.gather(pack));
            }
            match &step.task.work {
                Work::Linear(series) if self.sketch.layout.is_settled(*series) => {
                    self.linear(*series);
                }
                Work::Linear(_) => {}
                Work::Group(group) => self.group(group, &values),
                Work::Block(block) => self.block(block, &step.stage, &values),
            }
        }
    }

    /// The sums over earlier orders that a step adds to at this order.
    fn sums(&self, step: &Step) -> Vec<Sum> {
        match (&step.task.work, &step.stage) {
            (Work::Group(group), _) if self.reaches(group.results[0]) => self.group_sums(group),
            (Work::Block(block), stage) if self.reaches(block.unknowns[0]) => match stage {
                Stage::Whole => self.block_sums(block, 0..block.unknowns.len()),
                Stage::Rest(rows) => self.block_sums(block, rows.clone()),
                Stage::Solution(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Writes the coefficients of a pack at this order from where its lanes are worked out.
    fn gather(&mut self, pack: Pack) {
        let place = self.sketch.layout.packs[pack].clone();
        if !self.reaches(pack) || (place.theta && self.order.is_first()) {
            return;
        }
        let mut row = self.assemble(place.width, &place.sources);
        if place.theta && self.order != Order::Known(1) {
            self.hold(Content::Source(pack), row);
            let order = self.order_number(place.width);
            row = self.code.mul(row, order);
        }
        self.put(pack, row);
    }

    /// The coefficients that a pack was made from, before they were multiplied by the order.
    pub(super) fn source(&mut self, pack: Pack) -> Option<Number> {
        let content = match self.order {
            _ if !self.sketch.layout.packs[pack].theta => return None,
            Order::Known(1) => Content::Row(pack),
            _ => Content::Source(pack),
        };
        self.held(content, self.order.key())
    }

    /// Brings the coefficients of `lanes` at this order together.
    pub(super) fn assemble(&mut self, width: Width, lanes: &[Series]) -> Number {
        if self.width() == width {
            return self.operand_or_zero(lanes[0]);
        }
        let lane = |i: usize| lanes.get(i).copied().unwrap_or(lanes[0]);
        let first = self.operand_or_zero(lane(0));
        if (1..LANES).all(|i| lane(i) == lane(0)) {
            return self.code.join([first; LANES]);
        }
        let [second, third, fourth] = [1, 2, 3].map(|i| self.operand_or_zero(lane(i)));
        self.code.join([first, second, third, fourth])
    }

    /// Works out an initial value by a call.
    pub(super) fn start(&mut self, start: Start, result: Place) {
        let zero = self.sketch.layout.constant(0.0);
        let [a, b] = start
            .arguments()
            .map(|s| self.sketch.layout.value(s, 0).unwrap_or(zero));
        let place = self.sketch.starts.iter().position(|s| *s == start);
        let address = place.map_or(0, |place| {
            std::ptr::from_ref(&self.sketch.starts[place]) as u64
        });
        let count = self.width().bytes() as u64 / 8;
        let function = runtime::start_address();
        self.code.call(function, &[a, b, result], &[address, count]);
    }

    /// Keeps what is compared after the code has run.
    pub(super) fn keep_guards(&mut self) {
        for guard in self.sketch.layout.plan.guards() {
            let places = [guard.value, guard.scale].map(|series| {
                let place = self.sketch.layout.reserve(ROW);
                let number = self.operand_or_zero(series);
                let to = self.code.address(Place::workspace(place));
                self.code.store(to, number);
                place
            });
            self.sketch.guards.push((places[0], places[1]));
        }
    }
}
