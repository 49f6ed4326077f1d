//! Equations of groups as vectors: which of them are written so, and that both sides have the same values at the start.

use crate::common::readback::numbers;
use rattleback::Model;
use rattleback::language::{Model as Declared, Source, Value};
use rattleback::mechanics::Form;
use rattleback::report::document::{Block, Document, Vector};
use rattleback::symbolic::{Expr, Style, text};
use std::collections::HashMap;

const QUATERNION: &str = "system top
param I1 = 1, I2 = 1.2, I3 = 1/2, k = 1.2
assume I1 > 0, I2 > 0, I3 > 0
group g : SU(2) velocity w
kinetic (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2
potential k*(g[1]^2 - g[2]^2 - g[3]^2 + g[4]^2)
start g = [cos(0.3), sin(0.3), 0, 0], w = [0.3, -0.1, 4]
";

const QUATERNION_IN_SPACE: &str = "system ball
param m = 1, r = 0.3, I = 0.04
assume m > 0, r > 0, I > 0
group q : SU(2) velocity w space
coord x, y
kinetic m/2*(x'^2 + y'^2) + I/2*dot(w, w)
constraint x' = r*w[2]
constraint y' = -r*w[1]
start q = [cos(0.3), 0, sin(0.3), 0], w = [0.1, 0.2, 3]
";

const JOINT: &str = "system joint
param m1 = 1, m2 = 2, l = 0.5, c = 0.4, g = 9.81, k = 1/2
param I1 = 1, I2 = 2, I3 = 3, J1 = 1, J2 = 1.5, J3 = 2
assume m1 > 0, m2 > 0, I1 > 0, I2 > 0, I3 > 0, J1 > 0, J2 > 0, J3 > 0
group R : SO(3) velocity w
group S : SO(3) velocity v
coord x, y, z, X, Y, Z
let a = [0, 0, l]
let b = [0, c, 0]
kinetic m1/2*(x'^2 + y'^2 + z'^2) + m2/2*(X'^2 + Y'^2 + Z'^2)
    + dot(w, diag(I1, I2, I3)*w)/2 + dot(v, diag(J1, J2, J3)*v)/2
potential m1*g*z + m2*g*Z + k*dot(R*[0, 0, 1], S*[0, 0, 1])
constraint joint: [x', y', z'] + R*cross(w, a) = [X', Y', Z'] + S*cross(v, b)
start R = rotation([1, 2, 3], 0.4), S = rotation([3, -1, 1], 0.7), w = [0.1, 0.2, 0.3], v = [0, -0.4, 1]
";

const TOP_IN_SPACE: &str = "system space
param I1 = 1, I2 = 2, I3 = 3, k = 1
assume I1 > 0, I2 > 0, I3 > 0
group R : SO(3) velocity w space
let b = transpose(R)*w
kinetic dot(b, diag(I1, I2, I3)*b)/2
potential k*R[3,3]
start w = [0.1, 0.2, 3], R = rotation([1, 0.5, 0], 0.3)
";

const COUPLED: &str = "system body
param J1 = 1, J2 = 2, J3 = 3, m1 = 1, m2 = 2, m3 = 3, c = 1/4, k = 1, h = 1/5
assume J1 > 0, J2 > 0, J3 > 0, m1 > 0, m2 > 0, m3 > 0
group T : SE(3) velocity (p, q, r, u, v, w)
kinetic (J1*p^2 + J2*q^2 + J3*r^2 + m1*u^2 + m2*v^2 + m3*w^2)/2 + c*(p*v - q*u)
potential k*T.p[3] + h*T.R[3,3]
start p = 0.1, q = -0.2, u = 1, w = 0.3
";

const CUBIC: &str = "system cubic
param k = 2
group R : SO(3) velocity w
lagrangian (w[1]'^2 + w[2]'^2 + w[3]'^2)/2 + k/2*dot(w, w)
start w = [0.5, -0.2, 0.1], w[1]' = 0.1, w[2]' = 0.3, w[3]' = -0.4
start w[1]'' = -0.6, w[2]'' = 0.2, w[3]'' = 0.5
";

const DRAGGED: &str = "system dragged
param m = 2, k = 1/2, I = 1.5
assume m > 0, k > 0, I > 0
group R : SO(3) velocity w
group s : R(3)
kinetic m/2*(s[1]'^2 + s[2]'^2 + s[3]'^2) + I/2*dot(w, w)
constraint s[1]' = k*w[1]
constraint s[2]' = k*w[2]
constraint s[3]' = k*w[3]
start w = [0.3, -0.2, 0.5]
";

/// Each with what has to stand on its page.
const CASES: [(&str, Option<Form>, &[&str]); 11] = [
    (
        QUATERNION,
        None,
        &[
            "g' = g*(0, w)/2",
            "J*w' = cross(J*w, w) + k*cross(gamma, [0, 0, 1])",
        ],
    ),
    (
        QUATERNION,
        Some(Form::Hamiltonian),
        &[
            "J*w = p_w",
            "p_w' = cross(p_w, w) + k*cross(gamma, [0, 0, 1])",
        ],
    ),
    (
        QUATERNION_IN_SPACE,
        None,
        &["q' = (0, w)*q/2", "I*w' = r*cross(lambda, [0, 0, 1])"],
    ),
    (
        JOINT,
        None,
        &[
            "cross(a, transpose(R)*lambda)",
            "cross(transpose(S)*lambda, b)",
            "S*cross(b, v) = 0",
        ],
    ),
    (JOINT, Some(Form::Hamiltonian), &["M*v = p_v", "p_x' "]),
    (
        TOP_IN_SPACE,
        None,
        &[
            "R' = hat(w)*R",
            "J_s*w' = cross(J_s*w, w) + k*cross([0, 0, 1], R*[0, 0, 1])",
        ],
    ),
    (
        COUPLED,
        None,
        &[
            "M*V' + c*cross([0, 0, 1], Omega') = ",
            "p_Omega = J*Omega + c*cross(V, [0, 0, 1])",
        ],
    ),
    (
        COUPLED,
        Some(Form::Hamiltonian),
        &["p_V' = cross(p_V, Omega) - k*gamma"],
    ),
    (
        CUBIC,
        None,
        &[
            "w''' = k*w' + cross(w'', w)",
            "E = k*dot(w, w)/2 - dot(w, w'') + dot(w', w')/2",
            "p_w = k*w - w''",
            "p_w_1 = w'",
        ],
    ),
    (
        DRAGGED,
        None,
        &[
            "m*s'' = lambda",
            "p_s = m*s'",
            "s' - k*w = 0",
            "E = I*dot(w, w)/2 + m*dot(s', s')/2",
        ],
    ),
    (
        DRAGGED,
        Some(Form::Hamiltonian),
        &["p_s' = lambda", "m*s' = p_s"],
    ),
];

#[test]
fn groups_are_written_as_vectors() {
    for (source, form, lines) in CASES {
        let model = Model::read(source).unwrap();
        let derivation = match form {
            Some(form) => model.derive(form).unwrap(),
            None => model.derive(None).unwrap(),
        };
        let sheet = derivation.sheet();
        let text = sheet.text(false);
        for line in lines {
            assert!(text.contains(line), "no `{line}` in\n{text}");
        }
        let values = Values::of(model.declared(), &sheet.json(false), &sheet.document());
        let compared = values.compare(&sheet.document());
        assert!(compared >= 3, "only {compared} pairs of sides:\n{text}");
    }
}

/// What the energy is called.
const ENERGIES: [&str; 2] = ["E", "hamiltonian"];

/// The values of names on a page, at the start.
struct Values<'a> {
    model: &'a Declared,
    numbers: HashMap<String, f64>,
    /// What names stand for, in the order of the page.
    definitions: Vec<(String, String)>,
}

impl<'a> Values<'a> {
    fn of(model: &'a Declared, json: &serde_json::Value, document: &Document) -> Self {
        let mut numbers = numbers(model, json);
        let rates = json["at_start"]["rates"].as_object().unwrap();
        let rates = rates
            .iter()
            .filter_map(|(name, v)| Some((format!("{name}'"), v.as_f64()?)));
        numbers.extend(rates);
        let momenta = json["at_start"]["momenta"].as_object().unwrap();
        numbers.extend(
            momenta
                .iter()
                .filter_map(|(name, v)| Some((name.clone(), v.as_f64()?))),
        );
        for name in ENERGIES {
            let energy = json["at_start"]["energy"].as_f64().unwrap();
            numbers.insert(name.into(), energy);
        }
        let style = Style::ascii();
        let sections = document.sections.iter().filter(|s| s.heading == "with");
        let blocks = sections.flat_map(|s| &s.blocks);
        let definitions = blocks.flat_map(|block| match block {
            Block::Vectors(all) => {
                let one = |(l, r): &(Vector, Vector)| (l.text(&style), r.text(&style));
                all.iter().map(one).collect::<Vec<_>>()
            }
            Block::Equations(all) => {
                let one = |(l, r): &(Expr, Expr)| (text(l, &style), text(r, &style));
                all.iter().map(one).collect()
            }
            _ => Vec::new(),
        });
        Self {
            definitions: definitions.collect(),
            model,
            numbers,
        }
    }

    /// Compares the sides of all equations between vectors that the language can read; how many there were.
    fn compare(&self, document: &Document) -> usize {
        let style = Style::ascii();
        let blocks = document.sections.iter().filter(|s| s.heading != "with");
        let mut count = 0;
        for block in blocks.flat_map(|s| &s.blocks) {
            let Block::Vectors(all) = block else { continue };
            for (left, right) in all {
                let (left, right) = (left.text(&style), right.text(&style));
                if right.contains("hat(") || right.contains("(0, ") || left.contains(".p'") {
                    continue;
                }
                let values = [&left, &right].map(|side| self.value(side));
                let [l, r] = values;
                // 0 stands for a vector too.
                let zero = r == [0.0] || l == [0.0];
                assert!(zero || l.len() == r.len(), "{left} = {right}");
                for i in 0..l.len().max(r.len()) {
                    let [l, r] = [&l, &r].map(|v| v.get(i).copied().unwrap_or(0.0));
                    assert!((l - r).abs() < 1e-9, "{left} = {right}: {l} and {r}");
                }
                count += 1;
            }
        }
        count
    }

    fn value(&self, side: &str) -> Vec<f64> {
        let mut written = side.to_owned();
        // Definitions may use those before them.
        for (name, meaning) in self.definitions.iter().rev() {
            written = replaced(&written, name, 0, &format!("({meaning})"));
            if let Some(entries) = meaning.strip_prefix('[').and_then(|m| m.strip_suffix(']')) {
                let rates: Vec<String> = entries.split(", ").map(|e| format!("{e}'")).collect();
                written = replaced(&written, name, 1, &format!("[{}]", rates.join(", ")));
            }
        }
        // Vectors whose components have values, and momenta of vectors that have a definition.
        for (name, components) in self.vectors() {
            for primes in 0..=3 {
                let mark = "'".repeat(primes);
                let values = components
                    .iter()
                    .map(|c| self.numbers.get(&format!("{c}{mark}")));
                let Some(values) = values.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let values: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
                written = replaced(&written, &name, primes, &format!("[{}]", values.join(", ")));
            }
        }
        for (name, value) in &self.numbers {
            let by = format!("({value:?})");
            let bare = name.trim_end_matches('\'');
            let primes = name.len() - bare.len();
            if primes > 0 || ENERGIES.contains(&&**name) {
                written = replaced(&written, bare, primes, &by);
            }
        }
        let found = self.model.expression(&Source::new("side", &*written));
        let found = found.unwrap_or_else(|e| panic!("{side}: {written}: {e:?}"));
        let entries: Vec<Expr> = match found {
            Value::Scalar(e) => vec![e],
            Value::Vector(all) => all,
            Value::Matrix(m) => m.entries().to_vec(),
        };
        let number = |e: &Expr| {
            let symbols = e.free_symbols().into_iter();
            let values = symbols.map(|s| {
                let value = self.numbers.get(&s.to_string());
                (s.clone(), *value.unwrap_or_else(|| panic!("{s} in {side}")))
            });
            e.evaluate(&values.collect::<Vec<_>>()).unwrap()
        };
        entries.iter().map(number).collect()
    }

    /// Names of vectors with those of their components.
    fn vectors(&self) -> Vec<(String, Vec<String>)> {
        let indexed = self.numbers.keys().filter_map(|n| n.strip_suffix("[1]"));
        let indexed =
            indexed.map(|n| (n.to_owned(), (1..=3).map(|i| format!("{n}[{i}]")).collect()));
        let momenta = self.definitions.iter().filter_map(|(name, meaning)| {
            let entries = meaning.strip_prefix('[')?.strip_suffix(']')?;
            let entries = entries.split(", ").map(|e| format!("p_{e}"));
            Some((format!("p_{name}"), entries.collect()))
        });
        indexed.chain(momenta).collect()
    }
}

/// The text with a name that has so many primes replaced where it is no part of another one.
fn replaced(text: &str, name: &str, primes: usize, by: &str) -> String {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let behind = after.trim_start_matches('\'');
        let whole = !behind.starts_with(|c: char| is_letter(c) || c == '[' || c == '.');
        out += before;
        let begins = !out.ends_with(|c: char| is_letter(c) || c == '.');
        if begins && whole && after.len() - behind.len() == primes {
            out += by;
            rest = behind;
        } else {
            out += name;
            rest = after;
        }
    }
    out + rest
}
