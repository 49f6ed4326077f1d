//! The data files.

use serde_json::Value;
use std::path::Path;

/// One file: a system with its reference values.
pub struct Oracle {
    pub id: String,
    /// The model text; none for pure algebra.
    pub model: Option<String>,
    pub values: Vec<Row>,
    pub traps: Vec<Row>,
    /// Places where something degenerates.
    pub singular: Vec<Row>,
    pub all: Value,
}

/// One reference value.
#[derive(Clone)]
pub struct Row {
    pub id: String,
    pub quantity: String,
    pub names: Vec<String>,
    pub value: Vec<f64>,
    pub tolerance: f64,
    pub all: Value,
}

impl Row {
    fn read(v: &Value) -> Self {
        let text = |key: &str| v[key].as_str().unwrap_or_default().to_owned();
        let names = v["names"].as_array().cloned().unwrap_or_default();
        Self {
            id: text("id"),
            quantity: text("quantity"),
            names: names
                .iter()
                .map(|n| n.as_str().unwrap_or_default().to_owned())
                .collect(),
            value: numbers(&v["value"]),
            tolerance: v["tolerance"].as_f64().unwrap_or(0.0),
            all: v.clone(),
        }
    }

    /// A text field.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.all[key].as_str()
    }

    /// Parameters and start values to change first.
    pub fn set(&self) -> Vec<(String, String)> {
        let Some(map) = self.all["set"].as_object() else {
            return Vec::new();
        };
        map.iter()
            .map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned()))
            .collect()
    }
}

/// An array of numbers.
pub fn numbers(v: &Value) -> Vec<f64> {
    v.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect()
}

impl Oracle {
    /// A sign of the page against ours.
    pub fn sign(&self, key: &str) -> f64 {
        self.all["convention"][key].as_f64().unwrap_or(1.0)
    }

    /// Is the page's Jacobiator {{f, g}, h} + cyclic, minus ours?
    pub fn jacobiator_sign(&self) -> f64 {
        let nested_first = self.all["convention"]["jacobiator"]
            .as_str()
            .is_some_and(|s| s.starts_with("{{"));
        if nested_first { -1.0 } else { 1.0 }
    }

    /// Is a convention described as minus ours?
    pub fn is_minus_ours(&self, key: &str) -> bool {
        let said = self.all["convention"][key].as_str();
        said.is_some_and(|s| s.contains("minus ours") || s.contains("minus Xi"))
    }
}

/// All files whose id starts with the page's prefix.
pub fn oracles(prefix: &str) -> Vec<Oracle> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mechanics/tests/oracles");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of reference values")
        .map(|entry| entry.expect("a file").path())
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    let all: Vec<Oracle> = paths
        .iter()
        .map(|p| read(p))
        .filter(|o| o.id.starts_with(prefix))
        .collect();
    assert!(!all.is_empty(), "no reference values for {prefix}");
    all
}

fn read(path: &Path) -> Oracle {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let all: Value =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows = |key: &str| {
        all[key]
            .as_array()
            .into_iter()
            .flatten()
            .map(Row::read)
            .collect()
    };
    Oracle {
        id: all["id"].as_str().expect("an id").into(),
        model: all["model"].as_str().map(Into::into),
        values: rows("values"),
        traps: rows("traps"),
        singular: rows("singular"),
        all,
    }
}
