//! Slips of people who come from other programs: one error each, at its place, with what to write instead.

mod common;

use common::{BASE, errors, only_error};
use rattleback_language::{Source, parse};

/// What is written, the column of the error (in the first line), and what its help says.
type Slip = (&'static str, usize, &'static str);

fn help(text: &str) -> (usize, usize, String) {
    let source = Source::new("test.mech", text);
    let all = parse(&source).diagnostics;
    let errors: Vec<_> = all.iter().filter(|d| d.is_error()).collect();
    assert_eq!(errors.len(), 1, "{text}\n{errors:#?}");
    let error = errors[0];
    let help = error.help.clone().unwrap_or_default();
    (error.line(&source), error.column(&source), help)
}

/// Each slip is the fifth line of a model, and the only error in it.
fn check(slips: &[Slip]) {
    for &(line, column, wanted) in slips {
        let text = format!("{BASE}{line}\n");
        let (at_line, at_column, help) = help(&text);
        assert_eq!((at_line, at_column), (5, column), "{line}: {help}");
        assert!(help.contains(wanted), "{line}: {help}");
    }
}

#[test]
fn derivatives() {
    check(&[
        ("observe o = xdot", 13, "write `x'`"),
        ("observe o = x_dot", 13, "write `x'`"),
        ("observe o = 2*xddot", 15, "write `x''`"),
        ("observe o = y_ddot", 13, "write `y''`"),
        ("observe o = dxdt", 13, "write `x'`"),
        ("observe o = dx", 13, "write `x'`"),
        ("observe o = diff(x, t)", 13, "a time derivative is a prime"),
        (
            "observe o = Derivative(x, t)",
            13,
            "a time derivative is a prime",
        ),
        ("observe o = D(x)", 13, "a time derivative is a prime"),
        ("observe o = dot(x)", 13, "a time derivative is a prime"),
        ("observe o = x.diff(t)", 14, "write `x'`"),
        ("start xdot = 1", 7, "write `x'`"),
        ("observe o = dx/dt", 13, "write `x'`"),
        ("observe o = x. + 1", 14, "a time derivative is a prime"),
        ("observe o = x`", 14, "a time derivative is a prime"),
        ("observe o = x\"", 14, "two primes"),
    ]);
}

#[test]
fn functions_of_time() {
    check(&[
        ("observe o = x(t)", 13, "write `x`"),
        ("observe o = x'(t)", 15, "write `x'`"),
        ("coord z(t)", 7, "write `z`"),
        ("observe o = x'[t]", 15, "write `x'`"),
        ("start x(0) = 1", 7, "start x = …"),
        ("start x'(0) = 1", 9, "start x' = …"),
        ("observe o = pi()", 13, "write `pi`"),
    ]);
}

#[test]
fn operators() {
    check(&[
        ("observe o = x**2 + y", 14, "`^`"),
        ("constraint x' == y'", 15, "one `=`"),
        ("observe o = x // the position", 15, "`#`"),
        ("observe o = x % the position", 15, "`#`"),
        ("coord z // the position, 30° at first", 9, "`#`"),
        ("/* the position */", 1, "`#`"),
        ("param k := 3", 9, "write `=`"),
        ("start x <- 3", 9, "write `=`"),
        ("start x => 3", 9, "one `=`"),
        ("observe o = x^^2", 14, "one `^`"),
        ("cost 1,5*x^2", 7, "a decimal point"),
        ("param k = 1,5", 13, "a decimal point"),
        ("start x = 1,5", 14, "a decimal point"),
        ("param k = 9.8.1", 11, "one decimal point"),
        ("param k = 1_000", 11, "write `1000`"),
        ("param k = 9.81e", 11, "`9.81e3`"),
    ]);
}

#[test]
fn functions() {
    check(&[
        ("observe o = sin x", 13, "write `sin(x)`"),
        ("observe o = sin^2(x) + y", 13, "write `sin(x)^2`"),
        ("observe o = sign(x)", 13, "tanh(x/eps)"),
        ("observe o = sgn(x)", 13, "tanh(x/eps)"),
        ("observe o = abs(x)", 13, "sqrt(x^2)"),
        ("observe o = ln(x)", 13, "`log`"),
        ("observe o = max(x, y)", 13, "sqrt((a - b)^2)"),
        ("observe o = arctan(x)", 13, "`atan`"),
        ("observe o = atan(y, x)", 13, "atan2(y, x)"),
        ("observe o = pow(x, 2)", 13, "x^3"),
        ("observe o = norm([x, y])", 13, "sqrt(norm2(v))"),
        ("observe o = if(x > 0, 1, 0)", 13, "a model has no cases"),
        (
            "observe o = Piecewise((1, x > 0), (0, True))",
            13,
            "a model has no cases",
        ),
        (
            "observe o = if x > 0 then 1 else 0",
            13,
            "a model has no cases",
        ),
        ("observe o = e^x", 13, "`exp(x)`"),
        ("observe o = sin[x]", 13, "write `sin(…)`"),
        ("observe o = Sin[x]", 13, "`sin(…)`"),
        ("observe o = np.sin(x)", 13, "write `sin(…)`"),
        ("observe o = 2*math.pi", 15, "write `pi`"),
        ("param k = deg(30)", 11, "`30*pi/180`"),
    ]);
}

/// An unknown function gets the nearest one and the list.
#[test]
fn unknown_functions_name_the_nearest_and_all() {
    let (.., near) = help(&format!("{BASE}observe o = crss(x)\n"));
    assert!(near.contains("did you mean `cross`?"), "{near}");
    let (.., far) = help(&format!("{BASE}observe o = frobnicate(x)\n"));
    for help in [near, far] {
        assert!(help.contains("functions are: sin, cos, tan"), "{help}");
        assert!(help.contains("rotation"), "{help}");
    }
}

#[test]
fn units() {
    check(&[
        (
            "param k = 1 kg",
            13,
            "write `1` and say the unit in a comment",
        ),
        ("param k = 2.5 kg*m^2/s", 15, "`# [kg*m^2/s]`"),
        ("param k = 9.81 [m/s^2]", 16, "`# [m/s^2]`"),
        ("param k = 30 deg", 14, "`30*pi/180`"),
        ("param k = 30°", 13, "`30*pi/180`"),
    ]);
    // A letter may be a parameter: both are told.
    let (.., help) = help(&format!("{BASE}observe o = 2 m\n"));
    assert!(
        help.contains("write `2*m`") && help.contains("unit"),
        "{help}"
    );
}

#[test]
fn statements() {
    check(&[
        ("if x > 0", 1, "a model has no cases"),
        ("for i = 1", 1, "no loops"),
        ("import numpy", 1, "one file"),
        ("coordinate z", 1, "`coord`"),
        ("coordinates z", 1, "`coord`"),
        ("parameter k = 3", 1, "`param`"),
        ("constant k = 3", 1, "`param`"),
        ("damping (x: -x')", 1, "`force`"),
        ("friction (x: -x')", 1, "`force`"),
        ("fiber x", 1, "`fibre`"),
        ("initial x = 1", 1, "`start`"),
        ("minimize x^2", 1, "`cost`"),
        ("cost J = x^2", 6, "without `J =`"),
        ("time 10", 8, "time 0 .. 10"),
        ("time 0 to 10", 8, "time 0 .. 10"),
        ("time 0:10", 7, "time 0 .. 10"),
        ("time 0 .. 10 dt 0.1", 14, "step 0.01"),
        ("time 0 .. 10, 0.1", 13, "step 0.01"),
        ("angle z", 1, "coord x : angle"),
        ("coord z = 1", 9, "start z = …"),
        ("coord z[3]", 8, "coord z1, z2"),
        ("x'' = -x", 1, "from the Lagrangian"),
        ("param k", 8, "write `k = …`"),
        ("param k = 1,", 13, "remove the comma"),
        ("param k = 1 j = 2", 12, "write `1, j …`"),
        ("start x = 1 x' = 2", 12, "write `1, x …`"),
        ("force -x'", 7, "force (x: "),
        ("control u: x", 10, "control u on x"),
        ("constraint x < 1", 14, "`bound`"),
        ("constraint x'", 14, "write `x' = …`"),
        ("assume y > 0 and x > 0", 13, "with a comma"),
        ("assume y positive", 9, "`m > 0`"),
        ("group R : SO3 velocity w", 11, "write `SO(3)`"),
    ]);
}

#[test]
fn energies() {
    let (line, column, said) = help("system a\ncoord x\nlagrangian L = x'^2\n");
    assert_eq!((line, column), (3, 12));
    assert!(said.contains("let L = …"), "{said}");
    for text in ["kinetic: x'^2", "kinetic = x'^2", "kinetic energy x'^2"] {
        let (line, _, said) = help(&format!("system a\ncoord x\n{text}\n"));
        assert!(
            line == 3 && said.contains("follows at once"),
            "{text}: {said}"
        );
    }
    let text = "system a\ncoord x\nL = x'^2\n";
    let first = errors(text)[0];
    assert_eq!(first, (3, 1, "unknown-statement"));
    let source = Source::new("test.mech", text);
    let said = parse(&source).diagnostics[0]
        .help
        .clone()
        .unwrap_or_default();
    assert!(said.contains("write `lagrangian …`"), "{said}");
}

#[test]
fn characters() {
    check(&[
        ("observe o = ½*x", 13, "`1/2`"),
        ("observe o = ¾*x", 13, "`3/4`"),
        ("observe o = (x)²", 16, "`^2`"),
        ("observe o = √x", 13, "`sqrt(…)`"),
        ("observe o = x ÷ 2", 15, "`/`"),
        ("observe o = |x|", 13, "sqrt(x^2)"),
        ("observe o = ∂x", 13, "derives"),
        ("observe o = x ? 1", 15, "no cases"),
    ]);
}

/// Signs and letters of mathematics on paper and of other programs.
#[test]
fn signs_and_letters() {
    check(&[
        ("observe o = I*x", 13, "no imaginary unit"),
        ("observe o = x*T", 15, "`transpose(A)`"),
        ("observe o = x % 2", 15, "no remainder"),
        ("observe o = x @ y", 15, "`dot(a, b)`"),
        ("let Q = [1, 0; 0, 1]", 14, "`[[1, 0], [0, 1]]`"),
        ("observe o = [x, y][0]", 20, "from 1"),
        ("bound x in [-1, 1]", 8, "`-1 <= u <= 1`"),
        ("assume m <> 2", 10, "`!=`"),
        ("observe o = tg(x)", 13, "`tan`"),
        ("observe o = sum(x, y)", 13, "`dot`"),
        ("event x = 0", 1, "‹stop"),
        ("when x = 0", 1, "‹stop"),
    ]);
}

/// A statement that goes on without indentation is one mistake, and is read as it was meant.
#[test]
fn unindented_continuations() {
    for text in [
        "system a\ncoord x, y\nlagrangian x'^2 +\ny'^2\n",
        "system a\ncoord x, y\nlagrangian x'^2\n+ y'^2\n",
        "system a\ncoord x,\ny\nlagrangian x'^2 + y'^2\n",
        "system a\ncoord x, y\nlagrangian\n= x'^2 + y'^2\n",
    ] {
        let found = errors(text);
        let codes: Vec<&str> = found.iter().map(|e| e.2).collect();
        assert!(codes.contains(&"continuation"), "{text}: {found:?}");
    }
    let message = only_error("system a\ncoord x, y\nlagrangian x'^2 +\ny'^2\n");
    assert!(message.contains("test.mech:4:1"), "{message}");
    assert!(message.contains("indent it deeper"), "{message}");
    // What begins a statement is not swallowed, not even where it is misspelt.
    let found = errors("system a\nparam k =\ncoordinate x\nlagrangian k*x'^2\n");
    let codes: Vec<&str> = found.iter().map(|e| e.2).collect();
    assert_eq!(codes, ["syntax", "unknown-statement"], "{found:?}");
}
