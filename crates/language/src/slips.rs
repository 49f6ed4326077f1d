//! Slips: what people write who come from other programs or from paper, and what they mean by it.
//!
//! Only words and characters are known here; who asks knows the place and what is declared.

/// The statement that a word of another program stands for.
pub(crate) fn statement(word: &str) -> Option<&'static str> {
    Some(match word.to_lowercase().as_str() {
        "coordinate" | "coordinates" | "coords" | "variable" | "variables" | "var" | "dof" => {
            "coord"
        }
        "parameter" | "parameters" | "params" | "const" | "constant" | "constants" => "param",
        "assumption" | "assumptions" | "assuming" | "where" => "assume",
        "define" | "def" | "set" => "let",
        "lagrange" => "lagrangian",
        "kinetic_energy" => "kinetic",
        "potential_energy" => "potential",
        "nonholonomic" | "holonomic" | "subject" => "constraint",
        "damping" | "damper" | "friction" | "dissipation" | "torque" => "force",
        "actuator" | "actuate" => "control",
        "fiber" | "fibres" | "fibers" => "fibre",
        "output" | "outputs" | "record" | "measure" => "observe",
        "init" | "initial" | "initially" => "start",
        "final" | "target" => "goal",
        "minimize" | "minimise" | "objective" => "cost",
        "limit" | "limits" => "bound",
        "horizon" | "tspan" | "duration" => "time",
        "name" | "model" => "system",
        _ => return None,
    })
}

/// What to write instead of a line that begins with a word of a programming language.
pub(crate) fn no_statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" | "else" | "elif" | "elseif" | "end" | "switch" | "case" => NO_CASES,
        "for" | "while" | "do" | "repeat" => {
            "a model has no loops: write a sum out, or use vectors with `dot` and `norm2`"
        }
        "import" | "include" | "using" | "from" | "require" => {
            "a model is one file; nothing has to be imported"
        }
        "function" | "lambda" | "return" => {
            "a model has no functions of its own: name an expression with `let`"
        }
        "event" | "events" | "when" | "until" => {
            "a motion ends where something happens with `simulate ‹stop \"x = 0\"›`; ‹event› lists crossings"
        }
        "angle" | "angles" => "a coordinate on the circle is `coord x : angle`",
        "plot" | "print" | "simulate" | "solve" | "derive" => {
            "a model says what the system is; what to do with it is said on the command line"
        }
        _ => return None,
    })
}

const NO_CASES: &str = "a model has no cases: a smooth step is `(1 + tanh(x/eps))/2` with a small parameter `eps`; a motion ends where something happens with `simulate ‹stop \"x = 0\"›`";

/// Is it a word that begins a conditional expression elsewhere?
pub(crate) fn is_conditional(word: &str) -> bool {
    matches!(
        word,
        "if" | "piecewise" | "Piecewise" | "ifelse" | "if_else" | "cond"
    )
}

/// What to write instead of a differential equation.
pub(crate) const DIFFERENTIAL_EQUATION: &str = "equations of motion follow from the Lagrangian; a constraint is `constraint x' = …`, a variable with a rate of its own `state x` and `rate x' = …`";

/// What to write instead of a conditional expression.
pub(crate) const CONDITIONAL: &str = NO_CASES;

/// What to write instead of a function that the language does not have.
pub(crate) fn function(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().as_str() {
        "ln" => "the natural logarithm is `log`",
        "log10" => "write `log(x)/log(10)`",
        "log2" => "write `log(x)/log(2)`",
        "abs" | "fabs" => "write `sqrt(x^2)`",
        "sign" | "sgn" | "signum" => {
            "write `tanh(x/eps)` with a small parameter `eps` for a smooth one; `x/sqrt(x^2)` jumps at 0"
        }
        "heaviside" | "unitstep" | "step" => {
            "write `(1 + tanh(x/eps))/2` with a small parameter `eps`"
        }
        "max" => "write `(a + b + sqrt((a - b)^2))/2`",
        "min" => "write `(a + b - sqrt((a - b)^2))/2`",
        "floor" | "ceil" | "round" | "mod" | "fmod" | "rem" => {
            "there is no rounding; angles need no wrapping, and sines do not mind full turns"
        }
        "arcsin" => "write `asin`",
        "arccos" => "write `acos`",
        "arctan" => "write `atan`",
        "tg" => "write `tan`",
        "ctg" | "cotan" => "write `cot`",
        "sum" | "total" | "prod" | "product" => {
            "write it out, or use vectors with `dot` and `norm2`"
        }
        "arctan2" => "write `atan2(y, x)`",
        "asinh" | "arcsinh" | "arsinh" => "write `log(x + sqrt(x^2 + 1))`",
        "acosh" | "arccosh" | "arcosh" => "write `log(x + sqrt(x^2 - 1))`",
        "atanh" | "arctanh" | "artanh" => "write `log((1 + x)/(1 - x))/2`",
        "sinc" => "write `sin(x)/x`",
        "pow" | "power" => "a power is written with `^`: `x^3`",
        "square" | "sq" => "write `x^2`",
        "cbrt" => "write `x^(1/3)`",
        "norm" | "length" => "write `sqrt(norm2(v))`",
        "inner" => "write `dot(a, b)`",
        "skew" => "write `hat(v)`",
        "diff" | "derivative" | "dt" | "d" | "ddt" | "der" | "timederivative" => DERIVATIVE,
        "rad" | "radians" | "rad2deg" | "deg" | "degrees" | "deg2rad" => {
            "angles are in radians: write `30*pi/180`"
        }
        "inv" | "inverse" => "write `1/x`; the program inverts matrices where it has to",
        "eye" | "identitymatrix" => "write `diag(1, 1, 1)`",
        "rational" => "numbers are exact: write `1/3`",
        "rot" | "rotx" | "roty" | "rotz" | "rotmat" => {
            "write `rotation([0, 0, 1], angle)` with the axis first"
        }
        _ => return None,
    })
}

/// What a letter means that is a constant or an operation elsewhere.
pub(crate) fn letter(name: &str) -> Option<&'static str> {
    Some(match name {
        "e" | "E" => "the exponential function is `exp(x)`",
        "i" | "j" => NO_IMAGINARY,
        "I" => {
            "there is no imaginary unit; a unit matrix is `diag(1, 1, 1)`, a moment of inertia is declared: `param I = …`"
        }
        "T" => {
            "the time is `t`, the transpose `transpose(A)`; an open end of the time is declared: `free T ~ 1`"
        }
        "inf" | "Inf" | "infinity" | "oo" => "leave a bound out where there is none",
        _ => return None,
    })
}

const NO_IMAGINARY: &str = "quantities are real: there is no imaginary unit";

/// How a time derivative is written.
pub(crate) const DERIVATIVE: &str = "a time derivative is a prime: `x'`, `x''`";

/// Is it a derivative where a part is taken, as in `x.diff(t)`?
pub(crate) fn is_derivative_call(part: &str) -> bool {
    matches!(part, "diff" | "dt" | "dot" | "derivative" | "ddt")
}

/// What a name means that spells out a time derivative: what it is of, and how many primes.
pub(crate) fn derivative(name: &str, is_known: impl Fn(&str) -> bool) -> Option<(&str, usize)> {
    let behind = [
        ("_dddot", 3),
        ("dddot", 3),
        ("_ddot", 2),
        ("ddot", 2),
        ("_dot", 1),
        ("dot", 1),
        ("_prime", 1),
        ("_dt", 1),
    ];
    let before = [
        ("dddot_", 3),
        ("dddot", 3),
        ("ddot_", 2),
        ("ddot", 2),
        ("dot_", 1),
        ("dot", 1),
        ("dd", 2),
        ("d", 1),
    ];
    let bare = name
        .strip_suffix("_dt")
        .or_else(|| name.strip_suffix("dt"))
        .and_then(|n| n.strip_prefix('d'))
        .map(|owner| (owner, 1));
    let suffixed = behind
        .iter()
        .filter_map(|&(end, k)| Some((name.strip_suffix(end)?, k)));
    let prefixed = before
        .iter()
        .filter_map(|&(head, k)| Some((name.strip_prefix(head)?, k)));
    bare.into_iter()
        .chain(suffixed)
        .chain(prefixed)
        .find(|(owner, _)| !owner.is_empty() && is_known(owner))
}

/// What to write instead of a pair of signs.
pub(crate) fn pair(signs: &str) -> Option<&'static str> {
    Some(match signs {
        "==" | "=>" => "an equation is written with one `=`",
        "^^" => "a power is written with one `^`",
        "<>" => "`not equal` is `!=`",
        _ => return None,
    })
}

/// Is it a unit of more than one letter? A single letter is more often a parameter.
pub(crate) fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "kg" | "mg"
            | "lb"
            | "lbs"
            | "km"
            | "cm"
            | "mm"
            | "um"
            | "ft"
            | "inch"
            | "ms"
            | "sec"
            | "second"
            | "seconds"
            | "min"
            | "minutes"
            | "hour"
            | "hours"
            | "Hz"
            | "kHz"
            | "rpm"
            | "rad"
            | "radian"
            | "radians"
            | "kN"
            | "Nm"
            | "kJ"
            | "kW"
            | "Pa"
            | "kPa"
            | "meter"
            | "meters"
            | "metre"
            | "metres"
            | "newton"
            | "newtons"
            | "volt"
            | "volts"
    ) || is_degree(word)
}

/// What to write instead of a word that joins or qualifies conditions: `m > 0 and k > 0`, `m positive`.
pub(crate) fn between(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" | "AND" | "also" | "with" => "separate conditions with a comma",
        "or" | "OR" => "there is no `or`: conditions hold together, separated by commas",
        "positive" | "real" | "is" => "write a condition as a relation: `m > 0`",
        "negative" => "write a condition as a relation: `m < 0`",
        "in" => "write a range with relations: `-1 <= u <= 1`",
        "nonzero" | "not" => "write a condition as a relation: `m != 0`",
        _ => return None,
    })
}

/// Is it the word for a degree?
pub(crate) fn is_degree(word: &str) -> bool {
    matches!(word, "deg" | "degree" | "degrees")
}

/// Is it a letter that is a unit on paper?
pub(crate) fn may_be_unit(word: &str) -> bool {
    matches!(
        word,
        "m" | "s" | "g" | "N" | "J" | "W" | "K" | "A" | "V" | "h"
    )
}

/// What to do about a unit.
pub(crate) const UNITS: &str =
    "numbers have no units, and angles are in radians: say a unit in a comment, `# [kg]`";

/// What to do about a unit behind a number.
pub(crate) fn unit_help(number: &str, unit: &str) -> String {
    if is_degree(unit) {
        format!("angles are in radians: write `{number}*pi/180`")
    } else {
        format!(
            "numbers have no units: write `{number}` and say the unit in a comment, `# [{unit}]`"
        )
    }
}

/// What is wrong with a number that goes on: `9.8.1`, `1_000`, `9.81e`. None where something else follows.
pub(crate) fn number_tail(number: &str, tail: &str) -> Option<String> {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '_');
    if tail.starts_with('.') {
        Some("a number has one decimal point".to_owned())
    } else if tail.starts_with('_') && digits(tail) {
        let written = tail.replace('_', "");
        Some(format!("digits are not grouped: write `{number}{written}`"))
    } else if matches!(tail, "i" | "j") {
        Some(format!("{NO_IMAGINARY}; a product is `{number}*{tail}`"))
    } else if matches!(tail, "e" | "E") {
        Some(format!("an exponent needs its digits: `{number}e3`"))
    } else {
        None
    }
}

/// What to write instead of a character that has no meaning in a model.
pub(crate) fn character(c: char) -> Option<String> {
    if let Some((a, b)) = fraction(c) {
        return Some(format!("write `{a}/{b}`"));
    }
    if let Some(k) = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|s| s == c) {
        return Some(format!("write a power as `^{k}`"));
    }
    let text = match c {
        '.' => {
            "a number needs a digit on both sides of its point: `1.0`, `0.5`; a range is `..`; a time derivative is a prime, `x'`"
        }
        ';' => {
            "a statement ends with its line; write one per line; the rows of a matrix are vectors: `[[1, 0], [0, 1]]`"
        }
        '!' => "`not equal` is `!=`; there is no factorial",
        '{' | '}' => "group with parentheses `( )`; vectors are `[a, b]`",
        '\0' => "remove the zero byte; a model is plain text",
        '⁻' | '⁺' => "write a power as `^-1`",
        '√' => "write `sqrt(…)`",
        '∛' => "write `(…)^(1/3)`",
        '÷' => "divide with `/`",
        '∗' | '•' | '∙' | '⨯' | '✕' => "multiply with `*`",
        '°' | 'º' => "angles are in radians: write `30*pi/180`",
        '|' | '‖' => "an absolute value is `sqrt(x^2)`, the length of a vector `sqrt(norm2(v))`",
        '∂' | '∫' | '∑' | '∏' | '∇' => {
            "a model states the Lagrangian; the program derives from it"
        }
        '∞' => "leave a bound out where there is none",
        '\\' => {
            "a model is not LaTeX: write `theta`, `sin(x)`, `a/b`, and `x'` for a time derivative"
        }
        '&' => "separate conditions with a comma",
        '`' | '´' | 'ʹ' => "a time derivative is a prime: `x'`",
        '?' => NO_CASES,
        '“' | '”' | '„' | '«' | '»' => {
            "a title stands between straight quotes: `\"Title\"`"
        }
        '⟨' | '⟩' => "an inner product is `dot(a, b)`",
        '∧' | '⊗' => "a cross product is `cross(a, b)`",
        '→' | '←' | '↦' | '⇒' | '≔' | '≡' => "an equation is written with `=`",
        '∈' => "the kind of a coordinate stands behind a colon: `coord theta : angle`",
        '@' => "multiply with `*`; the scalar product is `dot(a, b)`",
        '$' => "remove it; names are made of Latin and Greek letters, digits and `_`",
        _ => return None,
    };
    Some(text.to_owned())
}

fn fraction(c: char) -> Option<(u32, u32)> {
    Some(match c {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅐' => (1, 7),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        '⅑' => (1, 9),
        '⅒' => (1, 10),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn spelled_derivatives() {
        let known = |n: &str| ["x", "theta", "dot", "d"].contains(&n);
        for (name, found) in [
            ("xdot", ("x", 1)),
            ("x_ddot", ("x", 2)),
            ("theta_dot", ("theta", 1)),
            ("dxdt", ("x", 1)),
            ("dx_dt", ("x", 1)),
            ("dtheta", ("theta", 1)),
            ("dot_x", ("x", 1)),
            ("ddx", ("x", 2)),
        ] {
            assert_eq!(derivative(name, known), Some(found), "{name}");
        }
        assert_eq!(derivative("ydot", known), None);
    }

    /// A hint for a word that the language has would never be shown, or wrongly.
    #[test]
    fn slips_are_not_words_of_the_language() {
        for word in words::statements() {
            assert_eq!(statement(word), None, "{word}");
            assert_eq!(no_statement(word), None, "{word}");
        }
        for name in words::SCALAR_FUNCTIONS.iter().chain(words::OTHER_FUNCTIONS) {
            assert_eq!(function(name), None, "{name}");
        }
    }

    #[test]
    fn a_slip_is_a_statement() {
        for word in ["coordinate", "Parameters", "damping", "fiber", "minimize"] {
            let meant = statement(word).unwrap();
            assert!(words::is_statement(meant), "{word}");
        }
    }
}
