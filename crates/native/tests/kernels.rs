//! Machine code against plain evaluation.

mod common;

use common::{
    Raw, evaluate, exact_program, failing_program, implicit_program, raw, solve_program,
    tame_program,
};
use proptest::prelude::*;
use rattleback_compile::program::{Op, Program};
use rattleback_native::{Backend, Kernel, Lanes, NativeError, WideFunction};

#[cfg(feature = "cranelift")]
const BACKENDS: [Backend; 2] = [Backend::Best, Backend::Cranelift];
#[cfg(not(feature = "cranelift"))]
const BACKENDS: [Backend; 1] = [Backend::Best];

/// Runs four states, by one kernel of four lanes or one by one; the outputs per state and the mask.
fn run(
    program: &Program,
    states: &[Vec<f64>; 4],
    lanes: Lanes,
    backend: Backend,
) -> (Vec<Vec<f64>>, u8) {
    let kernel = Kernel::compile(program, lanes, backend).expect("a valid program compiles");
    let width = lanes.count();
    let mut scratch = vec![f64::NAN; kernel.scratch_len()];
    let mut mask = 0;
    let mut results = Vec::new();
    for (group, members) in states.chunks(width).enumerate() {
        let mut inputs = vec![0.0; program.inputs * width];
        for (lane, member) in members.iter().enumerate() {
            for (i, x) in member.iter().enumerate() {
                inputs[i * width + lane] = *x;
            }
        }
        let mut outputs = vec![f64::NAN; program.outputs.len() * width];
        mask |= kernel.run(&inputs, &mut outputs, &mut scratch) << (group * width);
        for lane in 0..width {
            results.push(outputs.iter().skip(lane).step_by(width).copied().collect());
        }
    }
    (results, mask)
}

fn each_kernel(mut act: impl FnMut(Lanes, Backend)) {
    for backend in BACKENDS {
        for lanes in [Lanes::One, Lanes::Four] {
            act(lanes, backend);
        }
    }
}

fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn states(inputs: usize) -> impl Strategy<Value = [Vec<f64>; 4]> {
    prop::array::uniform4(prop::collection::vec(-3.0..3.0f64, inputs))
}

fn program_and_states() -> impl Strategy<Value = (usize, Vec<Raw>, Vec<u32>, [Vec<f64>; 4])> {
    (1usize..30).prop_flat_map(|n| {
        let outputs = prop::collection::vec(any::<u32>(), 1..60);
        (Just(n), raw(), outputs, states(n))
    })
}

proptest! {
    #![proptest_config(rattleback_testing::cases(300))]

    #[test]
    fn arithmetic_agrees_to_the_last_bit((n, raw, outputs, states) in program_and_states()) {
        agree_to_the_last_bit(&exact_program(n, &raw, &outputs), &states)?;
    }

    #[test]
    fn checks_and_solves_agree_to_the_last_bit((n, raw, outputs, states) in program_and_states()) {
        // Short, so that not everything fails.
        let raw = &raw[..raw.len().min(60)];
        agree_to_the_last_bit(&failing_program(n, raw, &outputs), &states)?;
    }

    #[test]
    fn functions_agree_closely((n, raw, outputs, states) in program_and_states()) {
        // Short enough that a rounding error cannot grow much.
        let raw = &raw[..raw.len().min(40)];
        let program = tame_program(n, raw, &outputs);
        for lanes in [Lanes::One, Lanes::Four] {
            for backend in BACKENDS {
                let (found, _) = run(&program, &states, lanes, backend);
                for (found, state) in found.iter().zip(&states) {
                    let (expected, _) = evaluate(&program, state);
                    for (f, e) in found.iter().zip(&expected) {
                        let near = (f - e).abs() <= 1e-7 * (1.0 + e.abs());
                        // Angles may jump by a turn, and big arguments lose their digits.
                        let wild = e.abs() > 1e6 || !e.is_finite() || jumps(&program);
                        prop_assert!(near || wild, "{lanes:?} {backend:?}: {f:e} {e:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn solves_agree(size in 1usize..9, seed in prop::collection::vec(-1.0..1.0f64, 4 * 72)) {
        let program = solve_program(size);
        let part = |k: usize| seed[k * program.inputs..(k + 1) * program.inputs].to_vec();
        let states = [part(0), part(1), part(2), part(3)];
        for lanes in [Lanes::One, Lanes::Four] {
            for backend in BACKENDS {
                let (found, mask) = run(&program, &states, lanes, backend);
                for (lane, (found, state)) in found.iter().zip(&states).enumerate() {
                    let (expected, _) = evaluate(&program, state);
                    let largest = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
                    for (f, e) in found.iter().zip(&expected) {
                        let failed = mask & (1 << lane) != 0;
                        prop_assert!(!failed || largest > 1e10);
                        prop_assert!(failed || (f - e).abs() <= 1e-13 * largest * largest);
                    }
                }
            }
        }
    }
}

fn agree_to_the_last_bit(program: &Program, states: &[Vec<f64>; 4]) -> Result<(), TestCaseError> {
    for lanes in [Lanes::One, Lanes::Four] {
        for backend in BACKENDS {
            let (found, mask) = run(program, states, lanes, backend);
            for (lane, (found, state)) in found.iter().zip(states).enumerate() {
                let (expected, sound) = evaluate(program, state);
                prop_assert_eq!(sound, mask & (1 << lane) == 0, "{:?} {:?}", lanes, backend);
                for (f, e) in found.iter().zip(&expected) {
                    let agree = !sound || same_bits(*f, *e);
                    prop_assert!(agree, "{lanes:?} {backend:?}: {f:e} {e:e}");
                }
            }
        }
    }
    Ok(())
}

/// Does the program take angles of points, which jump?
fn jumps(program: &Program) -> bool {
    program.ops.iter().any(|op| matches!(op, Op::Atan2(..)))
}

fn program(inputs: usize, ops: Vec<Op>, outputs: Vec<u32>) -> Program {
    Program {
        inputs,
        ops,
        blocks: Vec::new(),
        outputs,
    }
}

fn four(x: [f64; 4]) -> [Vec<f64>; 4] {
    x.map(|x| vec![x])
}

#[test]
fn every_function_agrees() {
    use rattleback_symbolic::Function::*;
    let mut ops = vec![Op::Input(0)];
    ops.extend(
        [Sin, Cos, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log].map(|f| Op::Function(f, 0)),
    );
    ops.extend([
        Op::Power(0, 0.3),
        Op::Power(0, -1.7),
        Op::Atan2(0, 1),
        Op::Atan2(1, 0),
    ]);
    let n = ops.len() as u32;
    let p = program(1, ops, (0..n).collect());
    let states = four([0.2, 0.9, 0.55, 0.01]);
    each_kernel(|lanes, backend| {
        let (found, mask) = run(&p, &states, lanes, backend);
        assert_eq!(mask, 0);
        for (found, state) in found.iter().zip(&states) {
            let (expected, _) = evaluate(&p, state);
            for (f, e) in found.iter().zip(&expected) {
                assert!((f - e).abs() <= 1e-15 * e.abs().max(1e-3), "{f} {e}");
            }
        }
    });
}

#[test]
fn checks_fail_lane_by_lane_and_for_nan() {
    let check = |value, scale| Op::Check {
        value,
        scale,
        block: 0,
        pivot: 0,
    };
    let mut ops = vec![Op::Input(0), Op::Constant(2.0), check(0, 1)];
    // Enough work in between that the gathered failures lose their register.
    let mut last = 0;
    for k in 0..40 {
        ops.push(Op::Add(0, last));
        last = 3 + k;
    }
    ops.extend((0..39).map(|k| Op::Mul(3 + k, 4 + k)));
    ops.push(check(last, 1));
    ops.push(Op::Neg(0));
    let outputs = (3..ops.len() as u32).filter(|&s| !matches!(ops[s as usize], Op::Check { .. }));
    let p = program(1, ops.clone(), outputs.collect());
    each_kernel(|lanes, backend| {
        let states = four([1.0, 1e-14, f64::NAN, -3e-14]);
        let (found, mask) = run(&p, &states, lanes, backend);
        assert_eq!(mask, 0b0110, "{lanes:?} {backend:?}");
        assert_eq!(found[3].last(), Some(&3e-14));
        assert_eq!(run(&p, &four([0.0; 4]), lanes, backend).1, 0b1111);
        assert_eq!(run(&p, &four([5.0; 4]), lanes, backend).1, 0);
    });
}

#[test]
fn singular_matrices_fail_lane_by_lane() {
    let p = solve_program(2);
    // The diagonal entries lie across: [[a, b + 4], [c + 4, d]].
    let sound = vec![1.0, 0.0, 0.0, 2.0, 1.0, 1.0];
    let singular = vec![1.0, -3.0, -3.0, 1.0, 1.0, 1.0];
    let states = [sound.clone(), singular.clone(), sound, singular];
    each_kernel(|lanes, backend| {
        assert_eq!(run(&p, &states, lanes, backend).1, 0b1010);
    });
}

/// Four places at once: what the machine code cannot solve without exchanging rows the interpreter can, and a singular matrix
/// leaves the other places alone.
#[test]
fn four_places_at_once_are_solved_or_told() {
    let p = solve_program(2);
    // The diagonal entries lie across: [[a, b + 4], [c + 4, d]].
    let sound = [1.0, 0.0, 0.0, 2.0, 1.0, 1.0];
    let exchanged = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0];
    let singular = [1.0, -3.0, -3.0, 1.0, 1.0, 1.0];
    let function = WideFunction::new(p.clone());
    let call = |states: [[f64; 6]; 4]| {
        let inputs: Vec<[f64; 4]> = (0..6).map(|i| states.map(|s| s[i])).collect();
        let mut outputs = vec![[f64::NAN; 4]; p.outputs.len()];
        let failed = function.call(&inputs, &mut outputs, &mut function.memory());
        for (lane, state) in states.iter().enumerate() {
            let (expected, known) = evaluate(&p, state);
            assert_eq!(known, failed >> lane & 1 == 0);
            for (output, e) in outputs.iter().zip(&expected).filter(|_| known) {
                assert!((output[lane] - e).abs() <= 1e-14, "{output:?} {e}");
            }
        }
        failed
    };
    assert_eq!(call([sound, exchanged, sound, exchanged]), 0);
    assert_eq!(call([sound, singular, exchanged, sound]), 0b0010);
    assert_eq!(call([sound; 4]), 0);
}

#[test]
fn huge_angles_leave_everything_else_alone() {
    use rattleback_symbolic::Function::{Cos, Sin};
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-15 || a.is_nan() && b.is_nan();
    for angles in 1..7u32 {
        // Fifteen values live across the sines, whose arguments come from arithmetic.
        let mut ops: Vec<Op> = (0..angles).map(Op::Input).collect();
        let live = ops.len() as u32;
        ops.extend((0..15).map(|k| Op::Add(k % angles, (k + 1) % angles)));
        let doubled = ops.len() as u32;
        ops.extend((0..angles).map(|k| Op::Add(k, k)));
        let functions = ops.len() as u32;
        ops.extend((0..angles).map(|k| Op::Function(Sin, doubled + k)));
        ops.extend((0..angles).map(|k| Op::Function(Cos, doubled + k)));
        let outputs = ops.len() as u32;
        ops.extend((0..2 * angles).map(|k| Op::Neg(functions + k)));
        ops.extend((0..15).map(|k| Op::Neg(live + k)));
        let p = program(
            angles as usize,
            ops.clone(),
            (outputs..ops.len() as u32).collect(),
        );
        let state = |scale: f64| (0..angles).map(|k| scale * f64::from(k + 1)).collect();
        let states = [state(0.7), state(1e12), state(f64::INFINITY), state(-3e300)];
        each_kernel(|lanes, backend| {
            let (found, _) = run(&p, &states, lanes, backend);
            for (found, state) in found.iter().zip(&states) {
                let (expected, _) = evaluate(&p, state);
                let (f, live_found) = found.split_at(2 * angles as usize);
                let (e, live_expected) = expected.split_at(2 * angles as usize);
                assert!(f.iter().zip(e).all(|(f, e)| near(*f, *e)), "{f:?} {e:?}");
                assert_eq!(live_found, live_expected, "{lanes:?} {backend:?}");
            }
        });
    }
}

#[test]
fn implicit_systems_agree_and_fail_lane_by_lane() {
    let p = implicit_program(3);
    let sound = |k: f64| vec![k, 2.0 - k, 0.5 * k, 0.1];
    let states = [
        sound(0.3),
        vec![f64::NAN, 1.0, 1.0, 0.1],
        sound(-4.0),
        sound(0.0),
    ];
    each_kernel(|lanes, backend| {
        let (found, mask) = run(&p, &states, lanes, backend);
        assert_eq!(mask, 0b0010);
        for k in [0, 2, 3] {
            let (expected, sound) = evaluate(&p, &states[k]);
            assert!(sound);
            for (f, e) in found[k].iter().zip(&expected) {
                assert!((f - e).abs() <= 1e-14 * (1.0 + e.abs()), "{f} {e}");
            }
        }
    });
}

#[test]
fn what_is_not_finite_goes_through() {
    let ops = vec![
        Op::Input(0),
        Op::Neg(0),
        Op::Sqrt(0),
        Op::Div(0, 0),
        Op::Function(rattleback_symbolic::Function::Sin, 0),
        Op::MulAdd(0, 0, 1),
    ];
    let p = program(1, ops, vec![1, 2, 3, 4, 5]);
    let states = four([f64::INFINITY, f64::NAN, -0.0, -4.0]);
    each_kernel(|lanes, backend| {
        let (found, _) = run(&p, &states, lanes, backend);
        for (found, state) in found.iter().zip(&states) {
            let (expected, _) = evaluate(&p, state);
            for (k, (f, e)) in found.iter().zip(&expected).enumerate() {
                assert!(same_bits(*f, *e) || k == 3, "{k}: {f} {e}");
                assert!((f - e).abs() < 1e-15 || f.is_nan() && e.is_nan() || f == e);
            }
        }
    });
}

#[test]
fn outputs_may_be_inputs_constants_and_repeated() {
    let ops = vec![Op::Input(0), Op::Constant(7.0), Op::Add(0, 1)];
    let p = program(1, ops, vec![0, 1, 2, 2, 0, 1]);
    each_kernel(|lanes, backend| {
        let (found, _) = run(&p, &four([1.0, 2.0, 3.0, 4.0]), lanes, backend);
        assert_eq!(found[2], [3.0, 7.0, 10.0, 10.0, 3.0, 7.0]);
    });
}

#[test]
fn slices_may_begin_anywhere() {
    // Many sums alive at once, so that scratch memory is used, with a sine among them.
    let mut ops = vec![
        Op::Input(0),
        Op::Function(rattleback_symbolic::Function::Sin, 0),
    ];
    ops.extend((0..40).map(|k| Op::Add(k, k + 1)));
    ops.extend((0..40).map(|k| Op::Mul(2 + k, 41 - k)));
    let p = program(1, ops, (42..82).collect());
    each_kernel(|lanes, backend| {
        let kernel = Kernel::compile(&p, lanes, backend).expect("compiles");
        let width = lanes.count();
        let run_at = |offset: usize| {
            let mut inputs = vec![0.0; offset + width];
            inputs[offset..].fill(0.3);
            let mut outputs = vec![0.0; offset + 40 * width];
            let mut scratch = vec![0.0; offset + kernel.scratch_len()];
            let (y, s) = (&mut outputs[offset..], &mut scratch[offset..]);
            assert_eq!(kernel.run(&inputs[offset..], y, s), 0);
            outputs.split_off(offset)
        };
        let first = run_at(0);
        assert!(first.iter().all(|x| *x != 0.0));
        for offset in 1..5 {
            assert_eq!(run_at(offset), first);
        }
    });
}

#[test]
fn malformed_programs_are_refused() {
    let bad = [
        program(1, vec![Op::Input(1)], vec![]),
        program(1, vec![Op::Input(0), Op::Add(0, 1)], vec![]),
        program(1, vec![Op::Input(0)], vec![1]),
        program(1, vec![Op::Solution(0, 0)], vec![0]),
    ];
    for p in bad {
        let result = Kernel::compile(&p, Lanes::One, Backend::Best);
        assert!(matches!(result, Err(NativeError::Malformed { .. })));
    }
}

#[test]
fn empty_programs_run() {
    each_kernel(|lanes, backend| {
        let kernel =
            Kernel::compile(&program(0, vec![], vec![]), lanes, backend).expect("compiles");
        let mut scratch = vec![0.0; kernel.scratch_len()];
        assert_eq!(kernel.run(&[], &mut [], &mut scratch), 0);
    });
}

fn shared_between_threads<T: Send + Sync>() {}

#[test]
fn threads_share_kernels() {
    shared_between_threads::<Kernel>();
    use rattleback_symbolic::Function::{Cos, Sin};
    let ops = vec![
        Op::Input(0),
        Op::Function(Sin, 0),
        Op::Function(Cos, 0),
        Op::Mul(1, 1),
        Op::MulAdd(2, 2, 3),
    ];
    let p = program(1, ops, vec![4]);
    let kernel = Kernel::compile(&p, Lanes::One, Backend::Best).expect("compiles");
    std::thread::scope(|scope| {
        for t in 0..4 {
            let kernel = &kernel;
            scope.spawn(move || {
                let mut scratch = vec![0.0; kernel.scratch_len()];
                for k in 0..10_000 {
                    let mut out = [0.0];
                    kernel.run(&[f64::from(t * 10_000 + k)], &mut out, &mut scratch);
                    assert!((out[0] - 1.0).abs() < 1e-15);
                }
            });
        }
    });
}
