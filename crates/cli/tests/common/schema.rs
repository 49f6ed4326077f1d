//! The schemas of `docs/schema`, and whether a value obeys one.
//!
//! The keywords that the schemas use, and no others: an unknown one is a fault of the schema. A schema that lists
//! properties leaves room for new ones; here it does not, so that no key goes undocumented.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// All schemas by file name.
pub struct Schemas(BTreeMap<String, Value>);

impl Schemas {
    pub fn load() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
        let files = std::fs::read_dir(&folder).unwrap().map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let schema = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            (name, schema)
        });
        Self(files.collect())
    }

    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// What a value breaks, each with the way to it; empty where it obeys the schema.
    pub fn faults(&self, file: &str, value: &Value) -> Vec<String> {
        let schema = &self.0[file];
        let mut faults = Vec::new();
        let at = Place {
            schemas: self,
            file,
        };
        at.check(schema, value, "$", &mut faults);
        faults
    }
}

#[derive(Clone, Copy)]
struct Place<'a> {
    schemas: &'a Schemas,
    file: &'a str,
}

impl<'a> Place<'a> {
    fn check(self, schema: &'a Value, value: &Value, way: &str, faults: &mut Vec<String>) {
        let Some(schema) = schema.as_object() else {
            if *schema == Value::Bool(false) {
                faults.push(format!("{way} is not allowed"));
            }
            return;
        };
        for (keyword, rule) in schema {
            match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" => {}
                "$ref" => {
                    let (place, target) = self.resolve(rule.as_str().unwrap());
                    place.check(target, value, way, faults);
                }
                "type" => self.check_type(rule, value, way, faults),
                "enum" => {
                    if !rule.as_array().unwrap().contains(value) {
                        faults.push(format!("{way} is {value}, not one of {rule}"));
                    }
                }
                "anyOf" => self.check_any(rule, value, way, faults),
                "required" => {
                    for key in rule.as_array().unwrap() {
                        let key = key.as_str().unwrap();
                        if value.is_object() && value.get(key).is_none() {
                            faults.push(format!("{way} has no `{key}`"));
                        }
                    }
                }
                "properties" | "additionalProperties" => {}
                "items" => {
                    for (k, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{way}[{k}]"), faults);
                    }
                }
                other => panic!("{}: the keyword `{other}` is not known here", self.file),
            }
        }
        self.check_properties(schema, value, way, faults);
    }

    fn check_properties(
        self,
        schema: &'a serde_json::Map<String, Value>,
        value: &Value,
        way: &str,
        faults: &mut Vec<String>,
    ) {
        let (properties, others) = (schema.get("properties"), schema.get("additionalProperties"));
        let (Some(object), true) = (value.as_object(), properties.or(others).is_some()) else {
            return;
        };
        for (key, item) in object {
            let way = format!("{way}.{key}");
            match properties.and_then(|p| p.get(key)).or(others) {
                Some(rule) => self.check(rule, item, &way, faults),
                None => faults.push(format!("{way} is not in the schema")),
            }
        }
    }

    fn check_type(self, rule: &Value, value: &Value, way: &str, faults: &mut Vec<String>) {
        let is = |name: &Value| match name.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("{}: no type `{other}`", self.file),
        };
        let fits = match rule {
            Value::Array(names) => names.iter().any(is),
            name => is(name),
        };
        if !fits {
            faults.push(format!("{way} is {value}, not {rule}"));
        }
    }

    fn check_any(self, rule: &'a Value, value: &Value, way: &str, faults: &mut Vec<String>) {
        let mut nearest: Option<Vec<String>> = None;
        for choice in rule.as_array().unwrap() {
            let mut found = Vec::new();
            self.check(choice, value, way, &mut found);
            if nearest.as_ref().is_none_or(|n| found.len() < n.len()) {
                nearest = Some(found);
            }
        }
        faults.extend(nearest.unwrap_or_default());
    }

    /// `#/$defs/name` of this file, or `file.json#/$defs/name` of another.
    fn resolve(self, reference: &'a str) -> (Self, &'a Value) {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let file = if file.is_empty() { self.file } else { file };
        let target = self.schemas.0.get(file).and_then(|s| s.pointer(pointer));
        let target = target.unwrap_or_else(|| panic!("{}: no {reference}", self.file));
        (Self { file, ..self }, target)
    }
}
