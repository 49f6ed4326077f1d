//! A discrete system as JSON (CLI.md).

use super::{ActionFound, Formulas, Page};
use crate::mechanics::Regularity;
use crate::sheet::json::Formulas as Writer;
use crate::symbolic::{Expr, Order, Symbol, Verdict};
use serde_json::{Map, Value, json};

impl Page<'_> {
    /// JSON for a machine.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("system", self.model.name.clone().into());
        put("rule", self.request.making.to_string().into());
        put("step", self.numbers.step.into());
        match &self.formulas {
            Ok(formulas) => self.formulas_json(formulas, &mut put),
            Err(why) => {
                let null = [
                    "lagrangian",
                    "momenta",
                    "equations",
                    "regularity",
                    "hamiltonian_right",
                    "hamiltonian_left",
                ];
                for key in null {
                    put(key, Value::Null);
                }
                put("why", json!({"lagrangian": why.to_string()}));
                put("conserved", json!([]));
            }
        }
        let (expected, measured) = (self.numbers.expected, self.numbers.measured);
        put("order", json!({"expected": expected, "measured": measured}));
        let next = self.numbers.next.iter().cloned();
        put("next", next.collect_object());
        if let Some(found) = &self.numbers.action {
            put("action", self.action_json(found));
        }
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
        put("regularity", regularity(&formulas.regularity));
        let (mut why, mut generic) = (Map::new(), Map::new());
        let names = ["hamiltonian_right", "hamiltonian_left"];
        for (name, h) in names.into_iter().zip(&formulas.hamiltonians) {
            match (&h.generic, &h.exists) {
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
        let conserved = formulas.conserved.iter();
        let conserved = conserved.map(|(name, verdict)| claim(name, verdict));
        put("conserved", conserved.collect());
    }

    fn action_json(&self, found: &ActionFound) -> Value {
        let names = self.coordinates();
        let by_name = |values: &[f64]| -> Value {
            let entries = names.iter().cloned().zip(values.iter().map(|x| json!(x)));
            Value::Object(entries.collect())
        };
        let action = &found.action;
        let rows: Vec<&[f64]> = action.curvature.chunks(names.len().max(1)).collect();
        let start = action
            .path
            .first()
            .map_or(Value::Null, |node| by_name(&node.p));
        let path: Vec<Value> = action.path.iter().map(|node| by_name(&node.q)).collect();
        json!({
            "S": action.value,
            "DS": by_name(&action.slope),
            "D2S": rows,
            "p_start": start,
            "path": path,
            "caustics": action.caustics,
            "residuals": {
                "right": found.residuals.right,
                "left": found.residuals.left,
                "lagrangian": found.residuals.lagrangian,
            },
        })
    }

    /// The names of the coordinates, in their order.
    pub(super) fn coordinates(&self) -> Vec<String> {
        let positions = self.model.configuration.iter().flat_map(|f| f.positions());
        positions.map(ToString::to_string).collect()
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

fn regularity(found: &Regularity) -> Value {
    match found {
        Regularity::Regular => json!({
            "verdict": "proven",
            "how": "D1 D2 L_d is invertible: enclosures at a real point show its full rank",
        }),
        Regularity::Degenerate { .. } => json!({
            "verdict": "refuted",
            "witness": "the determinant of D1 D2 L_d vanishes identically",
        }),
        Regularity::Undecided { why } => json!({"verdict": "undecided", "why": why}),
    }
}

fn claim(name: &str, verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Proven { .. } => json!({
            "name": name,
            "verdict": "proven",
            "how": "the discrete Lagrangian is invariant",
        }),
        Verdict::Refuted { .. } => json!({
            "name": name,
            "verdict": "refuted",
            "witness": "the discrete Lagrangian changes under the symmetry",
        }),
        Verdict::Undecided { why } => json!({
            "name": name,
            "verdict": "undecided",
            "why": why.to_string(),
        }),
    }
}
