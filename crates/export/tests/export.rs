//! Exported source, compiled and run, against the interpreter.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use rattleback_compile::program::{Interpreter, System as Block};
use rattleback_compile::{Between, Motion, StartState, Table, Tables, Variation};
use rattleback_export::{Export, Routine, Target, export};
use rattleback_language::{Model, Source, parse};
use rattleback_mechanics::{Form, Problem};
use rattleback_symbolic::Symbol;

/// A directory of its own for one test, removed in the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let name = format!("rattleback-export-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn model_of(text: &str) -> Model {
    let outcome = parse(&Source::new("test.mech", text));
    outcome
        .model
        .unwrap_or_else(|| panic!("{:?}", outcome.diagnostics))
}

fn exported(model: &Model, form: Option<Form>) -> Option<Export> {
    exported_with(Problem::from_model(model).ok()?, form, Tables::default())
}

fn exported_with(problem: Problem, form: Option<Form>, tables: Tables) -> Option<Export> {
    let system = match tables.is_empty() {
        true => problem.open(),
        false => problem.driven(),
    };
    system.check_regular().ok()?;
    let form = form.unwrap_or_else(|| Form::default_for(&system));
    let equations = system.equations(form).ok()?;
    let start = StartState::of(&problem, &system).ok()?;
    let coefficients = tables.symbols();
    let is_given = |s: &&Symbol| {
        let is_fed = !tables.is_empty() && problem.is_control(s);
        !is_fed && !coefficients.contains(s)
    };
    let given = start.constants.iter().filter(is_given);
    let given = Variation::of_constants(&given.cloned().collect::<Vec<_>>());
    let variation = given.with_constants(&coefficients);
    let motion = Motion::new(&problem, &system, &equations, &start, variation);
    let state = motion.start(&start, &equations).ok()?;
    Some(Export::of_motion(&problem, &motion, &start, &state, tables).unwrap())
}

/// The shipped models in the form that suits them, and some in every form that exists for them.
fn cases() -> &'static [(String, Export)] {
    static CASES: LazyLock<Vec<(String, Export)>> = LazyLock::new(all_cases);
    &CASES
}

fn all_cases() -> Vec<(String, Export)> {
    let paths = rattleback_testing::models::paths();
    let mut cases = Vec::new();
    for path in &paths {
        let model = model_of(&fs::read_to_string(path).unwrap());
        let forms: &[Option<Form>] = match model.name.as_str() {
            "relativistic_particle" | "knife_edge" | "heavy_top" => &[
                None,
                Some(Form::Hamel),
                Some(Form::Hamiltonian),
                Some(Form::Vakonomic),
            ],
            _ => &[None],
        };
        for (number, form) in forms.iter().enumerate() {
            if let Some(mut export) = exported(&model, *form) {
                export.name = format!("{}_{number}", export.name);
                cases.push((export.name.clone(), export));
            }
        }
    }
    cases.extend([hostile(), singular(), bounded(), fed()]);
    cases.extend(["knife_edge", "pendulum_chain", "heavy_top"].map(|name| {
        let found = cases
            .iter()
            .find(|(n, _)| *n == format!("{name}_0"))
            .unwrap();
        optimized(&found.1)
    }));
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    let implicit = |r: &Routine| {
        let mut blocks = r.program.blocks.iter();
        blocks.any(|b| matches!(b.system, Block::Implicit { .. }))
    };
    let some = |is: &dyn Fn(&Routine) -> bool| cases.iter().any(|(_, e)| routines(e).any(is));
    assert!(some(&implicit), "no case needs Newton's method");
    assert!(
        some(&|r| r.name == "observables"),
        "no case has observables"
    );
    cases
}

/// Names that mean something in the target languages, and comments that would end theirs.
fn hostile() -> (String, Export) {
    let model = model_of(
        "# ends */ here, \"\"\" and there \\\nsystem hostile \"A */ title\"\n\
         param lambda = 2, in = 3, double = 1.5, fn = 0.5  # [kg] */ \"\"\"\n\
         param a1 = 1.25, solve = 0.75, y_dot = 0.3, state = 2.5, parameters = 1.5, out = 2\n\
         coord y, x, J\n\
         kinetic lambda*y'^2/2 + in*x'^2/2 + double*J'^2/2 + fn*x'*y'*cos(y)*cos(x)\n\
         potential a1*sin(x*y) + solve*exp(y_dot*y) + state*J^2 + parameters*log(out + x^2)\n\
         start y = 0.4, x = 0.3, J = 0.2, y' = 1, x' = 0.5\n",
    );
    ("hostile".to_owned(), exported(&model, None).unwrap())
}

/// A friction that would overflow as sinh/cosh, and powers of 0 and of negative numbers.
fn bounded() -> (String, Export) {
    let model = model_of(
        "system bounded\nparam k = 2, n = 3, r = 5/2\ncoord x, y\nkinetic x'^2/2 + y'^2/2\n\
         potential k*x^n/n + k*(y + 3)^r\nforce (x: -tanh(1000*x'), y: -tanh(y'))\n\
         start x = 0, x' = -1, y = -1\n",
    );
    let export = exported(&model, None).unwrap();
    let finite = |values: Option<Vec<f64>>| values.unwrap().iter().all(|v| v.is_finite());
    assert!(expected(&export).into_iter().all(finite));
    ("bounded".to_owned(), export)
}

/// Two controls that tables feed, one of them with the name of what finds their pieces.
fn fed() -> (String, Export) {
    let model = model_of(
        "system fed\nparam m = 2, U_TABLE = 3\ncoord x, y\nkinetic m*x'^2/2 + y'^2/2\npotential U_TABLE*x^2*y^2\n\
         control u on x\ncontrol piece on y\nstart x = 1, y = 2\n",
    );
    let mut problem = Problem::from_model(&model).unwrap();
    let controls: Vec<_> = problem.controls.iter().map(|c| c.symbol.clone()).collect();
    let times = vec![0.0, 0.1, 0.2, 0.3, 0.7];
    let values = [1.0, -2.0, 4.0, 0.5, 3.0];
    let mut tables = Vec::new();
    for (u, between) in controls.into_iter().zip([Between::Cubic, Between::Hold]) {
        let table = Table::new(u.clone(), times.clone(), &values, between).unwrap();
        problem = problem.with_law(&u, table.law());
        tables.push(table);
    }
    let export = exported_with(problem, None, tables.into()).unwrap();
    assert_eq!(export.parameters.len(), 2);
    ("fed".to_owned(), export)
}

/// At x = 0 the mass vanishes.
fn singular() -> (String, Export) {
    let model = model_of(
        "system singular\ncoord x, y\nkinetic x^2*x'^2/2 + y'^2/2 + x*x'*y'/4\nstart x = 1, x' = 1\n",
    );
    let mut export = exported(&model, None).unwrap();
    export.state[0].value = 0.0;
    // The interpreter solves for accelerations even where a function does without them.
    export.functions.clear();
    assert!(expected(&export)[0].is_none());
    ("singular".to_owned(), export)
}

/// The same with solves written out and fused operations.
fn optimized(export: &Export) -> (String, Export) {
    let mut export = export.clone();
    export.name += "_optimized";
    export.rates.program = export.rates.program.optimized();
    for function in &mut export.functions {
        function.program = function.program.optimized();
    }
    (export.name.clone(), export)
}

fn routines(export: &Export) -> impl Iterator<Item = &Routine> {
    std::iter::once(&export.rates).chain(&export.functions)
}

/// A state off the start, so that no velocity is zero by chance, and so that nothing is symmetric.
fn places(export: &Export) -> Vec<Vec<f64>> {
    let start: Vec<f64> = export.state.iter().map(|v| v.value).collect();
    let near = start.iter().enumerate();
    let near = near
        .map(|(i, x)| x + 0.02 * (1.0 + 0.37 * i as f64).sin())
        .collect();
    vec![start, near]
}

/// What the interpreter gives at each place, routine by routine; none where it faults.
fn expected(export: &Export) -> Vec<Option<Vec<f64>>> {
    let parameters: Vec<f64> = export.parameters.iter().map(|v| v.value).collect();
    let mut all = Vec::new();
    for place in places(export) {
        for routine in routines(export) {
            let coefficients = export.tables.values(0.25);
            let inputs = [&[0.25], &place[..], &parameters, &coefficients].concat();
            all.push(
                Interpreter::new(routine.program.clone())
                    .values(&inputs)
                    .ok(),
            );
        }
    }
    all
}

fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{complaints}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compares lines of numbers, `none` where there is no solution.
fn compare(name: &str, export: &Export, lines: &mut dyn Iterator<Item = &str>) {
    for (case, expected) in expected(export).into_iter().enumerate() {
        let line = lines
            .next()
            .unwrap_or_else(|| panic!("{name}: too few lines"));
        let Some(expected) = expected else {
            assert_eq!(line.trim(), "none", "{name}, case {case}");
            continue;
        };
        let found: Vec<f64> = line
            .split_whitespace()
            .map(|v| v.parse().unwrap())
            .collect();
        assert_eq!(found.len(), expected.len(), "{name}, case {case}: {line}");
        for (found, expected) in found.iter().zip(&expected) {
            let error = (found - expected).abs();
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(
                same || error <= 1e-10 * (1.0 + expected.abs()),
                "{name}, case {case}: {found} instead of {expected}"
            );
        }
    }
}

fn list(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
    texts.join(", ")
}

#[test]
fn c_gives_the_same_numbers() {
    let directory = Directory::new("c");
    let mut sources = Vec::new();
    let mut main = String::from("#include <stdio.h>\n");
    let mut calls = String::new();
    let cases = cases();
    for (name, export) in cases {
        let mut driver = source(export, Target::C);
        let _ = write!(driver, "\n#include <stdio.h>\nvoid run_{name}(void)\n{{\n");
        for place in places(export) {
            let parameters = if export.parameters.is_empty() {
                ""
            } else {
                "&p, "
            };
            let _ = writeln!(driver, "    {{\n    {name}_state s = {{{}}};", list(&place));
            if !export.parameters.is_empty() {
                let _ = writeln!(driver, "    {name}_parameters p = {name}_defaults;");
            }
            for routine in routines(export) {
                let r = &routine.name;
                let (function, kind) = match r.as_str() {
                    "rates" | "next" => (format!("{name}_{r}"), format!("{name}_state")),
                    "energy" => (format!("{name}_energy"), "double".to_owned()),
                    _ => (format!("{name}_find_{r}"), format!("{name}_{r}")),
                };
                let count = routine.outputs.len();
                let _ = writeln!(
                    driver,
                    "    {{ {kind} out; if ({function}(0.25, &s, {parameters}&out)) printf(\"none\");\n      else for (int i = 0; i < {count}; i++) printf(\"%.17g \", ((double *)&out)[i]);\n      printf(\"\\n\"); }}"
                );
            }
            driver += "    }\n";
        }
        driver += "}\n";
        sources.push(directory.write(&format!("{name}.c"), &driver));
        let _ = writeln!(main, "void run_{name}(void);");
        let _ = writeln!(calls, "    run_{name}();");
    }
    let _ = write!(main, "int main(void)\n{{\n{calls}    return 0;\n}}\n");
    sources.push(directory.write("main.c", &main));
    let program = directory.0.join("program");
    let strict = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Wno-unused-const-variable",
        "-Werror",
        "-O1",
    ];
    run(Command::new("cc")
        .args(strict)
        .args(&sources)
        .arg("-o")
        .arg(&program)
        .arg("-lm"));
    let output = run(&mut Command::new(&program));
    let mut lines = output.lines();
    for (name, export) in cases {
        compare(name, export, &mut lines);
    }
}

/// Names that are macros outside of strict C.
#[test]
fn c_compiles_in_the_dialect_of_the_compiler() {
    let model = model_of(
        "system macros\nparam linux = 2, M_PI = 3, HUGE_VAL = 1\nassume linux > 0\ncoord unix, isnan\n\
         lagrangian linux/2*unix'^2 + isnan'^2/2 - M_PI*unix^2/2 - HUGE_VAL*isnan^2\nstart unix = 1\n",
    );
    let directory = Directory::new("macros");
    let export = exported(&model, None).unwrap();
    let file = directory.write("macros.c", &source(&export, Target::C));
    run(Command::new("cc")
        .arg("-c")
        .arg(&file)
        .arg("-o")
        .arg(directory.0.join("macros.o")));
}

/// The source of an export.
fn source(what: &Export, target: Target) -> String {
    export(what, target)
}

#[test]
fn rust_gives_the_same_numbers() {
    let directory = Directory::new("rust");
    let cases = cases();
    let mut main = String::from("#![deny(warnings)]\n");
    let mut calls = String::new();
    for (name, export) in cases {
        directory.write(&format!("{name}.rs"), &source(export, Target::Rust));
        let _ = writeln!(main, "#[allow(non_snake_case)]\nmod {name};");
        for place in places(export) {
            let fields: Vec<String> =
                fields(&source(export, Target::Rust), "START: State = State {");
            let pairs: Vec<String> = fields
                .iter()
                .zip(&place)
                .map(|(f, v)| format!("{f}: {v:?}"))
                .collect();
            let _ = writeln!(
                calls,
                "    let (s, p) = ({name}::State {{ {} }}, {name}::Parameters::default());",
                pairs.join(", ")
            );
            for routine in routines(export) {
                let _ = writeln!(
                    calls,
                    "    show(&format!(\"{{:?}}\", {name}::{}(0.25, &s, &p)));",
                    routine.name
                );
            }
        }
    }
    // The debug text of a structure holds its numbers behind colons.
    main += "
fn show(text: &str) {
    if text.contains(\"NoSolution\") {
        return println!(\"none\");
    }
    let number = |word: &str| word.trim_matches(|c: char| \" ,{}()\".contains(c)).trim_start_matches(\"Ok(\").parse::<f64>().ok();
    let values: Vec<String> = text.split([' ', '(']).filter_map(number).map(|v| format!(\"{v:?}\")).collect();
    println!(\"{}\", values.join(\" \"));
}
";
    let _ = write!(main, "\nfn main() {{\n{calls}}}\n");
    let main = directory.write("main.rs", &main);
    let program = directory.0.join("program");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    run(Command::new(rustc)
        .arg("--edition=2024")
        .arg(&main)
        .arg("-o")
        .arg(&program));
    let output = run(&mut Command::new(&program));
    let mut lines = output.lines();
    for (name, export) in cases {
        compare(name, export, &mut lines);
    }
}

/// The field names of the first structure behind `head`.
fn fields(source: &str, head: &str) -> Vec<String> {
    let (_, after) = source.split_once(head).unwrap();
    let (inside, _) = after.split_once('}').unwrap();
    let names = inside.lines().filter_map(|line| line.split_once(':'));
    names.map(|(name, _)| name.trim().to_owned()).collect()
}

#[test]
fn python_gives_the_same_numbers() {
    let directory = Directory::new("python");
    let cases = cases();
    let mut main = String::from(
        "def show(f, *arguments):\n    try:\n        value = f(*arguments)\n    except ArithmeticError:\n        print('none')\n        return\n    print(*map(repr, value if isinstance(value, tuple) else [value]))\n\n",
    );
    for (name, export) in cases {
        directory.write(&format!("{name}.py"), &source(export, Target::Python));
        let _ = writeln!(main, "import {name} as m");
        for place in places(export) {
            for routine in routines(export) {
                let _ = writeln!(
                    main,
                    "show(m.{}, 0.25, m.State({}))",
                    routine.name,
                    list(&place)
                );
            }
        }
    }
    let main = directory.write("main.py", &main);
    let output = run(Command::new("python3").arg("-B").arg(&main));
    let mut lines = output.lines();
    for (name, export) in cases {
        compare(name, export, &mut lines);
    }
}
