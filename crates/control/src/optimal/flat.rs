//! A problem by its flat outputs: without dynamics to be held, as a second way to the same solution.

use super::tolerance::{NOTHING, SAME_TIME};
use super::{Controlled, Posed, Status};
use rattleback_mechanics::optimality::Flatness;
use rattleback_mechanics::{Condition, ConditionKind, Given, Problem, Relation, at_start};
use rattleback_symbolic::{Expr, Symbol, Tape};
use std::fmt::Write;

/// A solution by flat outputs, held against the ordinary one.
#[derive(Clone, Debug)]
pub struct FlatRoute {
    /// The outputs, and state and controls as functions of them.
    pub flatness: Flatness,
    /// The model that was solved: chains of the outputs' derivatives.
    pub model: String,
    /// How it ended.
    pub status: Status,
    /// Its cost.
    pub cost: Option<f64>,
    /// The largest difference from the ordinary solution in cost and in the state at nodes that both have, each
    /// relative to the largest value.
    pub difference: f64,
}

/// A problem posed by its flat outputs, beside its ordinary solution.
pub struct FlatProblem<'a> {
    chains: Chains<'a>,
    along: Along,
}

impl<'a> FlatProblem<'a> {
    /// The chains of the outputs' derivatives, and the ordinary path that they are held against.
    pub fn of(
        flatness: &'a Flatness,
        problem: &Problem,
        posed: &Posed,
        found: &Controlled,
    ) -> Self {
        let path = &found.solution.trajectory;
        let state = posed.plant.state_symbols();
        Self {
            chains: Chains::of(flatness, problem),
            along: Along {
                symbols: state.iter().chain(&posed.plant.controls).cloned().collect(),
                constants: posed.constants.iter().chain(&posed.free).cloned().collect(),
                rows: (0..path.times.len())
                    .map(|k| [&path.states[k][..], &path.controls[k]].concat())
                    .collect(),
                times: path.times.clone(),
            },
        }
    }

    /// The problem as a model of its own, in the model language.
    pub fn model(&self, problem: &Problem) -> String {
        self.chains.model(problem, &self.along)
    }

    /// The ordinary path in chains, as far as state and controls tell.
    pub fn columns(&self) -> Vec<(String, Vec<f64>)> {
        self.chains.columns(&self.along)
    }

    /// How far the solution by flat outputs is from the ordinary one.
    pub fn difference(&self, found: &Controlled, flat: &Controlled) -> f64 {
        self.chains.compared(found, flat, &self.along)
    }
}

/// The ordinary path.
struct Along {
    symbols: Vec<Symbol>,
    constants: Vec<(Symbol, f64)>,
    rows: Vec<Vec<f64>>,
    times: Vec<f64>,
}

impl Along {
    /// A function of state and controls at a node; none where it asks for more.
    fn value(&self, e: &Expr, k: usize) -> Option<f64> {
        let time = [(Symbol::time(), self.times[k])];
        let state = self
            .symbols
            .iter()
            .cloned()
            .zip(self.rows[k].iter().copied());
        let all = state.chain(self.constants.iter().cloned()).chain(time);
        let (symbols, values): (Vec<Symbol>, Vec<f64>) = all.unzip();
        let tape = Tape::new(&symbols, std::slice::from_ref(e)).ok()?;
        tape.evaluate(&values)
            .first()
            .copied()
            .filter(|v| v.is_finite())
    }
}

/// Each output with its derivatives below an order of its own, which steers.
struct Chains<'a> {
    flatness: &'a Flatness,
    /// The order of each output.
    orders: Vec<u32>,
    /// Jets of outputs by the states and controls of the chains.
    names: Vec<(Symbol, Expr)>,
}

impl<'a> Chains<'a> {
    fn of(flatness: &'a Flatness, problem: &Problem) -> Self {
        let taken = |name: &str| {
            let mut all = problem.parameters.iter().map(|p| &p.symbol);
            all.any(|s| s.to_string() == name)
        };
        let used: Vec<&Expr> = (flatness.state.iter())
            .chain(&flatness.controls)
            .chain(&flatness.velocities)
            .map(|(_, e)| e)
            .chain([&flatness.lagrangian])
            .collect();
        let highest = |y: &Symbol| {
            let most = flatness.jets.len() as u32;
            let present = |k: &u32| used.iter().any(|e| e.contains(&y.jet(*k)));
            (1..=most).rev().find(present).unwrap_or(1)
        };
        let orders: Vec<u32> = flatness.outputs.iter().map(highest).collect();
        let mut names = Vec::new();
        for (i, (y, order)) in flatness.outputs.iter().zip(&orders).enumerate() {
            for k in 0..=*order {
                let mut name = format!("flat{}_{k}", i + 1);
                while taken(&name) {
                    name.push('_');
                }
                names.push((y.jet(k), Expr::from(Symbol::variable(&name))));
            }
        }
        Self {
            flatness,
            orders,
            names,
        }
    }

    fn name(&self, i: usize, k: u32) -> &Expr {
        let jet = self.flatness.outputs[i].jet(k);
        let found = self.names.iter().find(|(s, _)| *s == jet);
        found.map_or(&self.names[0].1, |(_, e)| e)
    }

    /// State, velocities and controls of the model by the chains, also at the start.
    fn pairs(&self) -> Vec<(Symbol, Expr)> {
        let f = self.flatness;
        let all = f.state.iter().chain(&f.velocities).chain(&f.controls);
        let mut pairs: Vec<(Symbol, Expr)> = all
            .map(|(s, e)| (s.clone(), e.substitute(&self.names)))
            .collect();
        let first: Vec<(Symbol, Expr)> = (self.names.iter())
            .filter_map(|(_, e)| e.as_symbol().map(|s| (s.clone(), at_start(s).into())))
            .collect();
        let started: Vec<(Symbol, Expr)> = (pairs.iter())
            .map(|(s, e)| (at_start(s), e.substitute(&first)))
            .collect();
        pairs.extend(started);
        pairs
    }

    /// The text of the model in chains.
    fn model(&self, problem: &Problem, along: &Along) -> String {
        let pairs = self.pairs();
        let put = |e: &Expr| e.substitute(&pairs).to_string();
        let mut out = format!("system {}_flat\n", problem.system.name());
        for p in &problem.parameters {
            let (word, value) = match problem.free.contains(&p.symbol) {
                true => ("free", problem.values.at(&Expr::from(&p.symbol))),
                false => ("param", p.value.clone()),
            };
            let _ = writeln!(out, "{word} {} = {value}", p.symbol);
        }
        for (i, order) in self.orders.iter().enumerate() {
            for k in 0..*order {
                let _ = writeln!(out, "state {}", self.name(i, k));
            }
            let _ = writeln!(out, "control {}", self.name(i, *order));
            for k in 0..*order {
                let _ = writeln!(out, "rate {}' = {}", self.name(i, k), self.name(i, k + 1));
            }
        }
        let lagrangian = self.flatness.lagrangian.substitute(&self.names);
        let _ = writeln!(out, "cost {lagrangian}");
        for terminal in &problem.terminals {
            let _ = writeln!(out, "terminal {}", put(terminal));
        }
        for b in &problem.bounds {
            let side = |e: &Option<Expr>, on_left: bool| match (e, on_left) {
                (None, _) => String::new(),
                (Some(e), true) => format!("{} <= ", put(e)),
                (Some(e), false) => format!(" <= {}", put(e)),
            };
            let (lower, upper) = (side(&b.lower, true), side(&b.upper, false));
            let _ = writeln!(out, "bound {lower}{}{upper}", put(&b.expr));
        }
        self.start(problem, along, &mut out);
        for c in &problem.goals {
            if let Some(text) = condition(c, &put) {
                let _ = writeln!(out, "goal {text}");
            }
        }
        for via in &problem.vias {
            for c in &via.conditions {
                if let Some(text) = condition(c, &put) {
                    let _ = writeln!(out, "via {}: {text}", via.time);
                }
            }
        }
        if let Some(h) = &problem.horizon {
            let _ = writeln!(out, "time {} .. {}", h.from, h.to);
        }
        out
    }

    /// Derivatives that the state alone determines are stated; where that is not all of them, or the start is partly
    /// free, they are free and the state at the start is a condition.
    fn start(&self, problem: &Problem, along: &Along, out: &mut String) {
        let controls: Vec<Symbol> = self
            .flatness
            .controls
            .iter()
            .map(|(u, _)| u.clone())
            .collect();
        let inputs: Vec<Symbol> = (0..=self.flatness.jets.len() as u32)
            .flat_map(|k| controls.iter().map(move |u| u.jet(k)))
            .collect();
        let is_free = |s: &Symbol| {
            let stated = problem.start.get(s);
            stated.is_some_and(|s| s.given == Given::Free)
        };
        let jets = &self.flatness.jets;
        let places = || {
            let all = self.orders.iter().enumerate();
            all.flat_map(|(i, order)| (0..*order).map(move |k| (i, k)))
        };
        let determined = places().all(|(i, k)| !jets[k as usize][i].contains_any(&inputs))
            && !self.flatness.state.iter().any(|(s, _)| is_free(s));
        for (i, k) in places() {
            let value = along.value(&jets[k as usize][i], 0);
            let text = match (determined, value) {
                (true, Some(value)) => format!("{value:?}"),
                (_, value) => format!("free({:?})", value.unwrap_or(0.0)),
            };
            let _ = writeln!(out, "start {} = {text}", self.name(i, k));
        }
        if determined {
            return;
        }
        for (s, e) in self.flatness.state.iter().filter(|(s, _)| !is_free(s)) {
            let value = along.value(&Expr::from(s), 0).unwrap_or(0.0);
            let _ = writeln!(out, "goal start({}) = {value:?}", e.substitute(&self.names));
        }
    }

    /// The ordinary path in chains, as far as state and controls tell.
    fn columns(&self, along: &Along) -> Vec<(String, Vec<f64>)> {
        let mut columns = vec![("t".to_owned(), along.times.clone())];
        for (i, order) in self.orders.iter().enumerate() {
            for k in 0..=*order {
                let Some(jet) = self.flatness.jets.get(k as usize) else {
                    continue;
                };
                let values: Option<Vec<f64>> = (0..along.times.len())
                    .map(|n| along.value(&jet[i], n))
                    .collect();
                columns.extend(values.map(|v| (self.name(i, k).to_string(), v)));
            }
        }
        columns
    }

    /// In cost and in states at nodes that both have, each relative to the largest value.
    fn compared(&self, found: &Controlled, flat: &Controlled, along: &Along) -> f64 {
        let costs = found.solution.cost.zip(flat.solution.cost);
        let cost = costs.map_or(f64::NAN, |(a, b)| {
            (a - b).abs() / a.abs().max(b.abs()).max(NOTHING)
        });
        let path = &flat.solution.trajectory;
        let chain = Along {
            symbols: (flat.names.state.iter().map(|s| &s.name))
                .chain(&flat.names.controls)
                .map(|n| Symbol::variable(n))
                .collect(),
            constants: along.constants.clone(),
            rows: (0..path.times.len())
                .map(|k| [&path.states[k][..], &path.controls[k]].concat())
                .collect(),
            times: path.times.clone(),
        };
        let (mut apart, mut size) = (0.0_f64, NOTHING);
        for (s, e) in &self.flatness.state {
            let Some(place) = along.symbols.iter().position(|x| x == s) else {
                continue;
            };
            let value = e.substitute(&self.names);
            for (k, t) in along.times.iter().enumerate() {
                let near = |x: &f64| (x - t).abs() <= SAME_TIME * (1.0 + t.abs());
                let Some(n) = chain.times.iter().position(near) else {
                    continue;
                };
                let ordinary = along.rows[k][place];
                size = size.max(ordinary.abs());
                let gap = chain.value(&value, n).map(|x| (x - ordinary).abs());
                apart = apart.max(gap.unwrap_or(f64::INFINITY));
            }
        }
        cost.max(apart / size)
    }
}

/// A condition as a text of the language; conditions on group elements have no flat outputs.
fn condition(c: &Condition, put: &dyn Fn(&Expr) -> String) -> Option<String> {
    let ConditionKind::Scalar {
        left,
        relation,
        right,
    } = &c.kind
    else {
        return None;
    };
    let word = match relation {
        Relation::Equal => "=",
        Relation::LessOrEqual | Relation::Less => "<=",
        Relation::GreaterOrEqual | Relation::Greater => ">=",
        Relation::NotEqual => return None,
    };
    Some(format!("{} {word} {}", put(left), put(right)))
}
