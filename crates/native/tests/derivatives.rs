//! Programs with derivatives, in machine code against the interpreter.

mod common;

use common::{Raw, evaluate, exact_program, implicit_program, raw, solve_program};
use proptest::prelude::*;
use rattleback_compile::program::Program;
use rattleback_native::{Backend, Function, Kernel, Lanes};

/// Values, Jacobian and Hessian in one program, through every backend: to the last bit, for arithmetic is exact.
fn same_bits(program: &Program, at: &[f64]) -> Result<(), TestCaseError> {
    let inputs = [at, &vec![0.7; program.outputs.len()][..]].concat();
    let d = program.with_second_derivatives(0..program.inputs);
    let optimized = d.program.optimized();
    let (expected, sound) = evaluate(&optimized, &inputs);
    for backend in [
        Backend::Best,
        #[cfg(feature = "cranelift")]
        Backend::Cranelift,
    ] {
        let kernel = Kernel::compile(&optimized, Lanes::One, backend);
        let kernel = kernel.map_err(|e| TestCaseError::fail(e.to_string()))?;
        let mut found = vec![f64::NAN; expected.len()];
        let mut scratch = vec![f64::NAN; kernel.scratch_len()];
        let mask = kernel.run(&inputs, &mut found, &mut scratch);
        prop_assert_eq!(mask == 0, sound);
        if sound {
            for (f, e) in found.iter().zip(&expected) {
                prop_assert!(
                    f.to_bits() == e.to_bits() || f.is_nan() && e.is_nan(),
                    "{f} for {e}"
                );
            }
        }
    }
    Ok(())
}

/// The function as everyone calls it, against the interpreter up to rounding, and the Jacobian of second derivatives
/// against that of first ones bit for bit.
fn called_alike(program: &Program, at: &[f64], tolerance: f64) {
    let (n, m) = (program.inputs, program.outputs.len());
    let inputs = [at, &vec![0.7; m][..]].concat();
    let d = program.with_second_derivatives(0..n);
    let (expected, sound) = evaluate(&d.program, &inputs);
    assert!(sound);
    let function = Function::new(d.program.clone());
    let mut found = vec![f64::NAN; expected.len()];
    let called = function.call(&inputs, &mut found, &mut function.memory());
    called.expect("the interpreter finds it");
    for (f, e) in found.iter().zip(&expected) {
        assert!((f - e).abs() <= tolerance * (1.0 + e.abs()), "{f} for {e}");
    }
    let first = program.with_derivatives(0..n);
    assert_eq!(first.jacobian, d.jacobian);
    let (once, _) = evaluate(&first.program, at);
    assert_eq!(once, expected[..once.len()]);
}

proptest! {
    #![proptest_config(rattleback_testing::cases(40))]

    #[test]
    fn arithmetic_with_second_derivatives_has_the_same_bits(
        raw in raw().prop_map(|mut raw: Vec<Raw>| { raw.truncate(60); raw }),
        outputs in prop::collection::vec(any::<u32>(), 1..4),
        at in prop::collection::vec(0.5..2.0f64, 4),
    ) {
        same_bits(&exact_program(4, &raw, &outputs), &at)?;
    }
}

#[test]
fn systems_inside_programs_are_differentiated_in_machine_code() {
    for size in 1..5 {
        let program = solve_program(size);
        let at: Vec<f64> = (0..program.inputs)
            .map(|k| (k as f64 * 0.7).sin())
            .collect();
        called_alike(&program, &at, 1e-11);
    }
    for size in 1..4 {
        let program = implicit_program(size);
        let at: Vec<f64> = (0..program.inputs).map(|k| 0.3 + 0.2 * k as f64).collect();
        called_alike(&program, &at, 1e-9);
    }
}
