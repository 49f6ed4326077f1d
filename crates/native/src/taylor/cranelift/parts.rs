//! A kernel as functions: short ones, since the time to allocate registers grows faster than their length.
#![allow(unsafe_code)]

use std::ops::Range;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::{Context, ir};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use rattleback_compile::taylor::{Start, TaylorPlan};

use super::code::{Code, signature};
use super::emit::{Emitter, Sketch};
use super::order::{Order, first_running};
use crate::cranelift::{JitMemory, convention, encoding, module};
use crate::kernel::Owner;
use crate::taylor::kernel::{Emitted, Entry};
use crate::taylor::layout::{Layout, Place, Width};
use crate::taylor::tasks::{Task, Work, state_series};
use crate::{Lanes, NativeError};

/// About so many instructions make a function of their own.
const LONGEST: usize = 600;
/// Sums of so many registers go side by side.
const SIDE_BY_SIDE: usize = 12;

/// Compiles the coefficients up to `order`. The code refers to `starts`.
pub(in crate::taylor) fn emit<'p>(
    plan: &'p TaylorPlan,
    lanes: Lanes,
    order: usize,
    starts: &[Start],
) -> Result<Emitted<'p>, NativeError> {
    let mut layout = Layout::new(plan, lanes.into(), order);
    let tasks = layout.tasks();
    let mut sketch = Sketch {
        layout,
        starts,
        reciprocals: vec![None; plan.rules().len()],
        states: state_series(plan),
        guards: Vec::new(),
    };
    let mut workshop = Workshop::new()?;
    let kernel = workshop.kernel(&mut sketch, &tasks, order)?;
    workshop.module.finalize_definitions().map_err(encoding)?;
    let start = workshop.module.get_finalized_function(kernel);
    Ok(Emitted {
        // SAFETY: the function was declared with this signature and convention.
        entry: unsafe { std::mem::transmute::<*const u8, Entry>(start) },
        code: Owner::Jit(Box::new(JitMemory::new(workshop.module))),
        layout: sketch.layout,
        guards: sketch.guards,
        instructions: workshop.instructions,
    })
}

/// Some tasks of one order, in batches whose sums go side by side.
#[derive(Clone, Debug)]
struct Part {
    order: Order,
    batches: Vec<Range<usize>>,
    /// Do states come first?
    begins: bool,
    /// Do guards come last?
    guards: bool,
}

/// What a task comes to, in instructions.
fn length(work: &Work, layout: &Layout) -> usize {
    let wide = |width: Width| if width == Width::Four { 2 } else { 1 };
    match work {
        Work::Linear(_) => 4 * wide(layout.width),
        Work::Group(group) => 12 * wide(group.width) * group.results.len(),
        Work::Block(block) => 4 * wide(block.width) * block.size * (block.unknowns.len() + 1),
    }
}

/// Cuts tasks into batches, and batches into parts.
fn cut(sketch: &Sketch, tasks: &[Task]) -> Vec<Vec<Range<usize>>> {
    let mut parts: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    let (mut start, mut registers, mut long) = (0, 0, 0);
    for (place, task) in tasks.iter().enumerate() {
        let sums = match &task.work {
            Work::Linear(_) => 0,
            Work::Group(group) => group.results.len() * registers_of(group.width),
            Work::Block(block) => block.unknowns.len() * registers_of(block.width),
        };
        let own = length(&task.work, &sketch.layout);
        let is_long = long + own > LONGEST && long > 0;
        if (registers > 0 && registers + sums > SIDE_BY_SIDE) || is_long {
            if let Some(part) = parts.last_mut() {
                part.push(start..place);
            }
            (start, registers) = (place, 0);
            if is_long {
                parts.push(Vec::new());
                long = 0;
            }
        }
        registers += sums;
        long += own;
    }
    if let Some(part) = parts.last_mut() {
        part.push(start..tasks.len());
    }
    parts
}

fn registers_of(width: Width) -> usize {
    match width {
        Width::One => 1,
        Width::Four => 2,
    }
}

/// How a part gets into the kernel.
enum Piece {
    /// Written there.
    Inline(Part),
    /// Called.
    Function(u64),
}

/// Where functions are made.
struct Workshop {
    module: JITModule,
    context: Context,
    memory: FunctionBuilderContext,
    convention: CallConv,
    instructions: usize,
}

impl Workshop {
    fn new() -> Result<Workshop, NativeError> {
        let module = module(LONGEST)?;
        Ok(Workshop {
            context: module.make_context(),
            memory: FunctionBuilderContext::new(),
            convention: convention(&module),
            module,
            instructions: 0,
        })
    }

    /// Makes a function of so many addresses and integers.
    fn function(
        &mut self,
        name: &str,
        parameters: usize,
        sketch: &mut Sketch,
        write: impl FnOnce(&mut Emitter, &[ir::Value]),
    ) -> Result<FuncId, NativeError> {
        self.context.func.signature = signature(self.convention, parameters);
        let id = self
            .module
            .declare_function(name, Linkage::Local, &self.context.func.signature)
            .map_err(encoding)?;
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.memory);
        let (code, others) = Code::begin(builder, self.convention);
        let mut emitter = Emitter::new(code, sketch);
        write(&mut emitter, &others);
        let mut builder = emitter.code.builder;
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.instructions += self.context.func.dfg.num_insts();
        self.module
            .define_function(id, &mut self.context)
            .map_err(encoding)?;
        self.module.clear_context(&mut self.context);
        Ok(id)
    }

    /// The whole work: orders one by one, then all others in a loop.
    fn kernel(
        &mut self,
        sketch: &mut Sketch,
        tasks: &[Task],
        order: usize,
    ) -> Result<FuncId, NativeError> {
        let first = first_running(sketch.layout.plan).min(order);
        let cuts = cut(sketch, tasks);
        let mut parts: Vec<Part> = Vec::new();
        let orders = (0..first).map(Order::Known);
        let running = (first < order).then_some(Order::Running);
        for order in orders.chain(running) {
            parts.extend(cuts.iter().enumerate().map(|(place, batches)| Part {
                order,
                batches: batches.clone(),
                begins: place == 0,
                guards: order.is_first() && place + 1 == cuts.len(),
            }));
        }
        let is_short = cuts.len() == 1;
        let pieces = if is_short {
            parts
                .into_iter()
                .map(|part| (part.order, Piece::Inline(part)))
                .collect()
        } else {
            self.functions(sketch, tasks, &parts)?
        };
        self.function("kernel", 2, sketch, |emitter, _| {
            let failed = Place::workspace(emitter.sketch.layout.failed);
            let failed = emitter.code.address(failed);
            let zero = emitter.code.integer(0);
            emitter.code.store_integer(failed, zero);
            let is_running = |piece: &&(Order, Piece)| piece.0 == Order::Running;
            for (order, piece) in pieces.iter().filter(|piece| !is_running(piece)) {
                if let Order::Known(k) = order {
                    emitter.turn_to(*k);
                    let k = emitter.code.integer(*k as i64);
                    place(emitter, piece, tasks, k);
                }
            }
            if first < order {
                let start = emitter.code.integer(first as i64);
                let (block, values) = emitter.code.begin_loop(&[start]);
                let k = values[0];
                let pieces: Vec<_> = pieces.iter().filter(is_running).collect();
                if is_short {
                    emitter.run_through(k);
                }
                for (_, piece) in pieces {
                    place(emitter, piece, tasks, k);
                }
                let next = emitter.code.advance(k, 1);
                let end = emitter.code.integer(order as i64);
                let ins = emitter.code.builder.ins();
                let goes_on = ins.icmp(IntCC::NotEqual, next, end);
                emitter.code.end_loop(block, goes_on, &[next]);
                emitter.forget();
            }
            emitter.turn_to(order);
            emitter.states();
            let mask = emitter.code.load_integer(failed);
            emitter.code.builder.ins().return_(&[mask]);
        })
    }

    /// Every part as a function of its own.
    fn functions(
        &mut self,
        sketch: &mut Sketch,
        tasks: &[Task],
        parts: &[Part],
    ) -> Result<Vec<(Order, Piece)>, NativeError> {
        let mut made = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let id = self.function(&format!("part{place}"), 3, sketch, |emitter, others| {
                match part.order {
                    Order::Known(k) => emitter.turn_to(k),
                    Order::Running => emitter.run_through(others[0]),
                }
                write(emitter, part, tasks);
                let nothing = emitter.code.integer(0);
                emitter.code.builder.ins().return_(&[nothing]);
            })?;
            made.push((part.order, id));
        }
        // The kernel calls them by their addresses, however far they are.
        self.module.finalize_definitions().map_err(encoding)?;
        let address = |id| self.module.get_finalized_function(id) as usize as u64;
        let pieces = made.into_iter();
        Ok(pieces
            .map(|(order, id)| (order, Piece::Function(address(id))))
            .collect())
    }
}

fn place(emitter: &mut Emitter, piece: &Piece, tasks: &[Task], k: ir::Value) {
    match piece {
        Piece::Inline(part) => write(emitter, part, tasks),
        Piece::Function(address) => emitter.code.call_part(*address, k),
    }
}

fn write(emitter: &mut Emitter, part: &Part, tasks: &[Task]) {
    if part.begins {
        emitter.states();
    }
    for batch in &part.batches {
        emitter.batch(&tasks[batch.clone()]);
    }
    if part.guards {
        emitter.keep_guards();
    }
}
