//! A discrete system as JSON (CLI.md).

use super::{Page, regular_matrix};
use crate::control::discrete::{ControlNumbers, Formulas, HamiltonJacobi, Kind, behind};
use crate::discrete::{Action, ActionError, Limit, Node, Rolled};
use crate::document::Formulas as Writer;
use crate::document::length::{Limit as Length, written_length};
use crate::mechanics::Regularity;
use crate::mechanics::discrete::Kept;
use crate::symbolic::{Expr, Order, SolvedWitness, Symbol};
use rattleback_numeric::Dense;
use serde_json::{Map, Value, json};

impl Page<'_> {
    /// What a machine is told.
    pub(super) fn data(&self) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("system", self.problem.system.name().into());
        let rule = match self.found.space.kind {
            Kind::Given => Value::Null,
            _ => self.found.request.making.to_string().into(),
        };
        put("rule", rule);
        put("step", self.found.numbers.step.into());
        match &self.found.formulas {
            Ok(formulas) => self.formulas_json(formulas, &mut put),
            Err(why) => {
                let null = [
                    "lagrangian",
                    "momenta",
                    "equations",
                    "hamiltonian_right",
                    "hamiltonian_left",
                ];
                for key in null {
                    put(key, Value::Null);
                }
                put("why", json!({"lagrangian": why.to_string()}));
            }
        }
        let judgement = self.found.judgement.as_ref();
        let is_formula = self.found.formulas.is_ok();
        let judged = judgement.map(|j| regularity(&j.regularity, is_formula));
        put("regularity", judged.unwrap_or_default());
        let conserved = judgement.iter().flat_map(|j| &j.conserved);
        let conserved = conserved.map(|(name, kept)| claim(name, kept));
        put("conserved", conserved.collect());
        let (expected, measured) = (self.found.numbers.expected, self.found.numbers.measured);
        let mut order = json!({
            "expected": expected,
            "measured": measured,
            "lagrangian": self.found.numbers.variational,
        });
        if let (Kind::Jets(_), Value::Object(order)) = (self.found.space.kind, &mut order) {
            order.insert("conditions".into(), json!(self.found.numbers.conditions));
        }
        put("order", order);
        if let Some(limit) = &self.found.numbers.limit {
            put("limit", limit_json(limit));
        }
        let next = self.found.numbers.next.iter().cloned();
        put("next", next.collect_object());
        if let Some(found) = &self.found.numbers.action {
            put("action", self.action_json(found));
        }
        if let Some(control) = &self.found.control {
            control_json(control, &mut put);
        }
        put("warnings", json!(self.found.numbers.warnings));
        object.into()
    }

    fn formulas_json(
        &self,
        formulas: &Formulas,
        put: &mut dyn FnMut(&str, Value) -> Option<Value>,
    ) {
        let writer = Writer::new(Order::new(&[]));
        let written = |e: &Expr| Value::from(writer.object(e));
        put("lagrangian", written(&formulas.lagrangian.value));
        let momenta = formulas.momenta.iter();
        let momenta = momenta.map(|(p, e): &(Symbol, Expr)| (p.to_string(), written(e)));
        put("momenta", Value::Object(momenta.collect()));
        put(
            "equations",
            formulas.equations.iter().map(written).collect(),
        );
        let (mut why, mut generic) = (Map::new(), Map::new());
        let names = ["hamiltonian_right", "hamiltonian_left"];
        for (name, h) in names.into_iter().zip(&formulas.hamiltonians) {
            match (&h.generic, &h.exists) {
                (Ok(found), Ok(())) if is_too_long(&found.value) => {
                    why.insert(name.into(), "its formula is too long to be written".into());
                    put(name, Value::Null)
                }
                (Ok(found), Ok(())) => put(name, written(&found.value)),
                (Ok(found), Err(e)) => {
                    why.insert(name.into(), e.to_string().into());
                    generic.insert(name.into(), written(&found.value));
                    put(name, Value::Null)
                }
                (Err(e), _) => {
                    why.insert(name.into(), e.to_string().into());
                    put(name, Value::Null)
                }
            };
        }
        put("why", why.into());
        put("generic", generic.into());
    }

    fn action_json(&self, found: &HamiltonJacobi) -> Value {
        let by_name = |values: &[f64]| self.by_name(values);
        let maybe = |values: &Option<Vec<f64>>| values.as_deref().map_or(Value::Null, by_name);
        let action = &found.action;
        let start = action.path.first();
        let path: Vec<Value> = action.path.iter().map(|node| by_name(&node.q)).collect();
        let [right, left] = &found.theorem;
        json!({
            "S": action.value,
            "DS": by_name(&action.slope),
            "D2S": self.square(&action.curvature),
            "p_start": start.map_or(Value::Null, |node| by_name(&node.p)),
            "path": path,
            "along": self.along(action),
            "caustics": action.caustics,
            "residuals": {
                "right": found.residuals.right,
                "left": found.residuals.left,
                "backward": found.residuals.backward,
                "lagrangian": found.residuals.lagrangian,
                "why": found.residuals.no_value_behind.as_ref().map(behind),
            },
            "maps": {
                "right": maybe(&found.maps.right),
                "left": by_name(&found.maps.left),
                "lagrangian": by_name(&found.maps.left),
                "back": maybe(&found.maps.back),
            },
            "theorem": {
                "from": found.checked.0,
                "to": found.checked.1,
                "right": rolled(right),
                "left": rolled(left),
            },
            "trivialising": self.trivialising(found),
            "branches": self.branches(found),
            "searched": found.scan.as_ref().map(|s| json!({
                "from": s.range.0,
                "to": s.range.1,
                "resolved": s.is_resolved,
            })),
        })
    }

    /// S, DS and D²S at the nodes of the motion.
    fn along(&self, action: &Action) -> Vec<Value> {
        let nodes = action.path.iter().zip(&action.values);
        let nodes = nodes.zip(&action.curvatures);
        let at_node = |((node, value), curvature): ((&Node, &f64), &Option<Vec<f64>>)| {
            let second = curvature.as_deref().map_or(Value::Null, |c| self.square(c));
            json!({"S": value, "DS": self.by_name(&node.p), "D2S": second})
        };
        nodes.map(at_node).collect()
    }

    /// The motions that end at the same point, each with its action.
    fn branches(&self, found: &HamiltonJacobi) -> Vec<Value> {
        let shown = found.branches.iter().map(|b| {
            let begins = b.path.first();
            json!({
                "S": b.value,
                "start": begins.map(|n| self.by_name(&n.q)),
                "p_start": begins.map(|n| self.by_name(&n.p)),
                "caustics": b.caustics,
            })
        });
        shown.collect()
    }

    fn trivialising(&self, found: &HamiltonJacobi) -> Value {
        match &found.trivialised {
            Ok(t) => json!({
                "momenta": t.momenta.iter().map(|p| self.by_name(p)).collect::<Vec<_>>(),
                "spread": t.spread,
                "residual": t.residual,
            }),
            Err(e) => json!({"why": e.to_string()}),
        }
    }

    /// One number per coordinate, under its name.
    fn by_name(&self, values: &[f64]) -> Value {
        let names = self.coordinates().into_iter();
        Value::Object(names.zip(values.iter().map(|x| json!(x))).collect())
    }

    /// A square matrix over the coordinates, row by row.
    fn square(&self, entries: &[f64]) -> Value {
        let n = self.found.space.positions.len().max(1);
        json!(entries.chunks(n).collect::<Vec<_>>())
    }

    /// The names of the coordinates, in their order.
    pub(super) fn coordinates(&self) -> Vec<String> {
        self.found
            .space
            .positions
            .iter()
            .map(ToString::to_string)
            .collect()
    }
}

/// Names and numbers as an object.
trait AsObject {
    fn collect_object(self) -> Value;
}

impl<I: Iterator<Item = (String, f64)>> AsObject for I {
    fn collect_object(self) -> Value {
        Value::Object(self.map(|(name, x)| (name, json!(x))).collect())
    }
}

fn regularity(found: &Regularity, is_formula: bool) -> Value {
    let matrix = regular_matrix(is_formula);
    match found {
        Regularity::Regular => json!({
            "verdict": "proven",
            "how": format!("{matrix} is invertible: enclosures at a real point show its full rank"),
        }),
        Regularity::Degenerate { .. } => json!({
            "verdict": "refuted",
            "witness": format!("the determinant of {matrix} vanishes identically"),
        }),
        Regularity::Undecided { why } => json!({"verdict": "undecided", "why": why}),
    }
}

fn claim(name: &str, kept: &Kept) -> Value {
    match kept {
        Kept::Proven => json!({
            "name": name,
            "verdict": "proven",
            "how": "the discrete Lagrangian is invariant",
        }),
        Kept::Refuted { witness } => json!({
            "name": name,
            "verdict": "refuted",
            "witness": changed(witness),
        }),
        Kept::Undecided { why } => json!({
            "name": name,
            "verdict": "undecided",
            "why": why,
        }),
    }
}

/// By how much a step changes a momentum, and where it begins where a state says that.
fn changed(witness: &SolvedWitness) -> String {
    let value = &witness.value;
    let free = witness.point.iter().map(|(s, r)| (s, r.to_string()));
    let solved = witness.solved.iter().map(|(s, x)| (s, x.to_string()));
    // Names of a step's own are no part of a state.
    let (inner, state): (Vec<_>, Vec<_>) = free
        .chain(solved)
        .partition(|(s, _)| s.name().contains('~'));
    let is_state = inner.is_empty() || !witness.solved.is_empty();
    match is_state && !state.is_empty() {
        true => {
            let place: Vec<String> = state.iter().map(|(s, x)| format!("{s} = {x}")).collect();
            format!("a step changes it by {value}, at {}", place.join(", "))
        }
        false => format!("a step changes it by {value}"),
    }
}

/// More than a machine is given.
fn is_too_long(e: &Expr) -> bool {
    !Length::EXCHANGED.allows(written_length(e))
}

/// A roll-out: by how much its nodes miss the map, and how far the family is from a solution.
fn rolled(found: &Result<Rolled, ActionError>) -> Value {
    match found {
        Ok(rolled) => json!({"defect": rolled.defect, "residual": rolled.residual}),
        Err(e) => json!({"refused": e.to_string()}),
    }
}

/// The quotients that tend to H, and what they tell.
fn limit_json(limit: &Limit) -> Value {
    let steps: Vec<Value> = limit
        .quotients
        .iter()
        .map(|q| json!({"step": q.step, "right": q.right, "left": q.left}))
        .collect();
    let both = |x: [f64; 2]| json!({"right": x[0], "left": x[1]});
    json!({
        "hamiltonian": limit.hamiltonian,
        "quotients": steps,
        "orders": {"right": limit.orders[0], "left": limit.orders[1]},
        "slopes": both(limit.slopes),
        "misses": both(limit.misses),
        "consistent": limit.is_consistent(),
    })
}

fn rows(matrix: &Dense) -> Value {
    let rows: Vec<&[f64]> = matrix.entries().chunks(matrix.columns().max(1)).collect();
    json!(rows)
}

/// `bellman` and `lqr`: objects, or null with what stands in the way under `why_bellman` and `why_lqr`.
pub(super) fn control_json(
    control: &ControlNumbers,
    put: &mut dyn FnMut(&str, Value) -> Option<Value>,
) {
    let named = |symbols: &[Symbol], values: &[f64]| -> Value {
        let names = symbols.iter().map(ToString::to_string);
        Value::Object(names.zip(values.iter().map(|x| json!(x))).collect())
    };
    let all = |symbols: &[Symbol], list: &[Vec<f64>]| -> Vec<Value> {
        list.iter().map(|v| named(symbols, v)).collect()
    };
    match &control.bellman {
        Ok(found) => put(
            "bellman",
            json!({
                "steps": found.controls.len(),
                "cost": found.cost,
                "path": all(&control.state, &found.path),
                "controls": all(&control.controls, &found.controls),
                "costates": all(&control.state, &found.costates),
                "value": found.curvatures.first().map(rows),
                "gains": found.gains.first().map(rows),
                "maximal": found.is_maximal,
                "residual": found.residual,
                "iterations": found.iterations,
            }),
        ),
        Err(why) => {
            put("why_bellman", json!(why));
            put("bellman", Value::Null)
        }
    };
    match &control.lqr {
        Ok(lqr) => put(
            "lqr",
            json!({
                "state": control.state.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "gains": rows(&lqr.gains),
                "value": rows(&lqr.value),
                "steps": lqr.steps,
            }),
        ),
        Err(why) => {
            put("why_lqr", json!(why));
            put("lqr", Value::Null)
        }
    };
}
