//! A kernel as functions: short ones, since the time to allocate registers grows faster than their length.
#![allow(unsafe_code)]

use std::ops::Range;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::{Context, ir};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use rattleback_compile::taylor::{Start, TaylorPlan};

use super::code::Code;
use super::emit::{Emitter, Sketch};
use super::order::{Order, first_running};
use super::steps::{self, Batch, LONGEST};
use crate::code::Owner;
use crate::cranelift::{convention, encoding, module, signature};
use crate::jit_memory::JitMemory;
use crate::taylor::kernel::{Emitted, Entry};
use crate::taylor::layout::{Layout, Place};
use crate::taylor::tasks::{Task, state_series};
use crate::{Lanes, NativeError};

/// The most parts that are written one behind the other instead of being called.
const TOGETHER: usize = 3;

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

/// Some of the work of one order.
struct Part<'t> {
    batches: Vec<Batch<'t>>,
    /// Do states come first?
    begins: bool,
    /// Do guards come last?
    guards: bool,
}

/// How a part gets into the kernel.
enum Piece<'t> {
    /// Written there.
    Inline(Part<'t>),
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
        let cuts = steps::parts(&sketch.layout, tasks);
        let orders = (0..first).map(Order::Known);
        let mut pieces = Vec::new();
        for order in orders.chain([Order::Running]) {
            for (place, batches) in cuts.iter().enumerate() {
                let part = Part {
                    batches: batches.clone(),
                    begins: place == 0,
                    guards: order.is_first() && place + 1 == cuts.len(),
                };
                pieces.push((order, Piece::Inline(part)));
            }
        }
        if first == order {
            pieces.retain(|(order, _)| *order != Order::Running);
        }
        if pieces.len() > TOGETHER {
            pieces = self.functions(sketch, pieces)?;
        }
        self.function("kernel", 2, sketch, |emitter, _| {
            let failed = Place::workspace(emitter.sketch.layout.failed);
            let failed = emitter.code.address(failed);
            let zero = emitter.code.integer(0);
            emitter.code.store_integer(failed, zero);
            for (order, piece) in &pieces {
                if let Order::Known(k) = *order {
                    emitter.turn_to(k);
                    place(emitter, piece, zero);
                }
            }
            if first < order {
                run(emitter, &pieces, first..order);
            }
            emitter.turn_to(order);
            emitter.states();
            let mask = emitter.code.load_integer(failed);
            emitter.code.builder.ins().return_(&[mask]);
        })
    }

    /// Every part as a function of its own.
    fn functions<'t>(
        &mut self,
        sketch: &mut Sketch,
        pieces: Vec<(Order, Piece)>,
    ) -> Result<Vec<(Order, Piece<'t>)>, NativeError> {
        let mut made = Vec::new();
        for (number, (order, piece)) in pieces.iter().enumerate() {
            let id = self.function(&format!("part{number}"), 3, sketch, |emitter, others| {
                match *order {
                    Order::Known(k) => emitter.turn_to(k),
                    Order::Running => emitter.run_through(others[0]),
                }
                place(emitter, piece, others[0]);
                let nothing = emitter.code.integer(0);
                emitter.code.builder.ins().return_(&[nothing]);
            })?;
            made.push((*order, id));
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

/// The loop over the orders that have code in common.
fn run(emitter: &mut Emitter, pieces: &[(Order, Piece)], orders: Range<usize>) {
    let [first, end] = [orders.start, orders.end].map(|k| emitter.code.integer(k as i64));
    let begins = emitter.code.differ(first, end);
    let turns = emitter.code.begin_loop(begins, &[first]);
    let k = turns.values[0];
    emitter.run_through(k);
    for (_, piece) in pieces.iter().filter(|(order, _)| *order == Order::Running) {
        place(emitter, piece, k);
    }
    let next = emitter.code.advance(k, 1);
    let goes_on = emitter.code.differ(next, end);
    emitter.code.end_loop(turns, goes_on, &[next]);
    emitter.forget();
}

fn place(emitter: &mut Emitter, piece: &Piece, k: ir::Value) {
    match piece {
        Piece::Inline(part) => write(emitter, part),
        Piece::Function(address) => emitter.code.call_part(*address, k),
    }
}

fn write(emitter: &mut Emitter, part: &Part) {
    if part.begins {
        emitter.states();
    }
    for batch in &part.batches {
        emitter.batch(batch);
    }
    if part.guards {
        emitter.keep_guards();
    }
}
