//! Plain values: of attributes, of fields of events, and what a ruleset says to clients only.

use alloc::string::{String, ToString};

/// A value of the match, a player or a card: a whole number, a name or a Ref.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Scalar {
    /// A whole number.
    Number(i64),
    /// A name or a Ref.
    Text(String),
}

impl Scalar {
    /// The number, if it is one.
    pub fn number(&self) -> Option<i64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

impl core::fmt::Display for Scalar {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl From<i64> for Scalar {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<String> for Scalar {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Any JSON with whole numbers: what a ruleset says to clients only, and answers of free form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Json(pub selector::Value);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Json {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let inner = generator.subschema_for::<Json>();
        schemars::json_schema!({
            "description": "Any JSON with whole numbers.",
            "type": ["null", "boolean", "integer", "string", "array", "object"],
            "items": inner.clone(),
            "additionalProperties": inner,
        })
    }
}
