//! The types as TypeScript, from their JSON Schemas.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// All types, by their names.
pub fn write(definitions: &Map<String, Value>) -> String {
    let mut out = String::from("// Made from the types of the contract by `cargo xtask schemas`; do not edit.\n");
    for (name, schema) in definitions {
        out.push('\n');
        doc(schema, "", &mut out);
        let _ = writeln!(out, "export type {name} = {};", type_of(schema, 0));
    }
    out
}

fn doc(schema: &Value, indent: &str, out: &mut String) {
    if let Some(text) = schema["description"].as_str() {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "* /");
        let _ = writeln!(out, "{indent}/** {text} */");
    }
}

fn type_of(schema: &Value, depth: usize) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(fixed) = schema.get("const") {
        return fixed.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    for several in ["oneOf", "anyOf"] {
        if let Some(variants) = schema[several].as_array() {
            return variants.iter().map(|it| type_of(it, depth)).collect::<Vec<_>>().join(" | ");
        }
    }
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    kinds.iter().map(|it| plain(it, schema, depth)).collect::<Vec<_>>().join(" | ")
}

fn plain(kind: &str, schema: &Value, depth: usize) -> String {
    match kind {
        "integer" | "number" => "number".to_owned(),
        "array" => array(schema, depth),
        "object" => object(schema, depth),
        other => other.to_owned(),
    }
}

fn array(schema: &Value, depth: usize) -> String {
    let inner = type_of(&schema["items"], depth);
    let inner = if inner.contains(' ') { format!("({inner})") } else { inner };
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(min), Some(max)) if min == max => {
            format!("[{}]", vec![inner; usize::try_from(min).unwrap_or(0)].join(", "))
        }
        _ => format!("{inner}[]"),
    }
}

fn object(schema: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut out = String::from("{\n");
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        doc(property, &indent, &mut out);
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        let _ = writeln!(out, "{indent}{name}{mark}: {};", type_of(property, depth + 1));
    }
    if schema["additionalProperties"].is_object() {
        let inner = type_of(&schema["additionalProperties"], depth + 1);
        if schema["properties"].as_object().is_none_or(Map::is_empty) {
            return format!("{{ [key: string]: {inner} }}");
        }
        let _ = writeln!(out, "{indent}[key: string]: {inner};");
    }
    let _ = write!(out, "{}}}", "  ".repeat(depth));
    out
}
