//! The OpenAPI and AsyncAPI documents, made from the table of routes and the list of messages.

use axum::Json;
use serde_json::{Value, json};
use utoipa::openapi::{
    ContentBuilder, HttpMethod, InfoBuilder, ObjectBuilder, OpenApi, OpenApiBuilder, PathItem, Paths, RefOr, Required,
    ResponseBuilder, Schema, SchemaFormat, Type,
    path::{OperationBuilder, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
    schema::{AdditionalProperties, KnownFormat, SchemaType},
    security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
};

use crate::{
    duel::described,
    routes::{Access, Route, table},
};

fn text(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description))
}

fn number(description: &str) -> ObjectBuilder {
    let format = SchemaFormat::KnownFormat(KnownFormat::Int32);
    ObjectBuilder::new().schema_type(Type::Integer).format(Some(format)).minimum(Some(0)).description(Some(description))
}

fn open_object() -> ObjectBuilder {
    ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .property("commandId", text("What you call the request; the same again is not done again."))
        .property("knownVersion", number("The version it was made for; refused with 409 if it is another now."))
}

fn done(it: ObjectBuilder) -> RefOr<Schema> {
    RefOr::T(Schema::Object(it.build()))
}

/// The body of `POST /matches/{id}/actions`.
pub fn action() -> RefOr<Schema> {
    let kind = "The action, `pass`, `end_turn`, or `direct_manipulation` for a move by hand.";
    let any = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
    done(open_object().property("type", text(kind)).required("type").property("targets", any))
}

/// The body of `POST /matches/{id}/inputs`.
pub fn input() -> RefOr<Schema> {
    let any = ObjectBuilder::new().schema_type(SchemaType::AnyValue).description(Some("`selection`, or short forms"));
    done(open_object().property("inputId", text("`i5`")).required("inputId").property("answers", any))
}

/// The body of `POST /matches/{id}/undo`.
pub fn version() -> RefOr<Schema> {
    done(open_object())
}

/// The body of `POST /matches/{id}/takeback`.
pub fn takeback() -> RefOr<Schema> {
    let agree = ObjectBuilder::new().schema_type(Type::Boolean);
    let agree = agree.description(Some("Whether you want it; true without. Who asked takes it back with false."));
    done(open_object().property("to", number("The version to go back to.")).required("to").property("agree", agree))
}

/// The body of `POST /matches/{id}/control`.
pub fn control() -> RefOr<Schema> {
    let verbs = ["concede", "pause", "resume", "drop_item", "void", "kick", "set_result"];
    let verb = text("What to do.").enum_values(Some(verbs));
    done(open_object().property("verb", verb).required("verb"))
}

/// What every refusal looks like.
fn error() -> RefOr<Schema> {
    let it = ObjectBuilder::new()
        .property("error", text("In a few words."))
        .property("code", text("Stable; for programs."))
        .property("message", text("For people."))
        .property("currentVersion", number("The version of the match, if the request was made for another."))
        .required("error")
        .required("code")
        .required("message");
    done(it)
}

fn method(name: &str) -> HttpMethod {
    match name {
        "POST" => HttpMethod::Post,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

fn operation(route: &Route) -> utoipa::openapi::path::Operation {
    let path_parameters = route.path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'));
    let mut operation = OperationBuilder::new().summary(Some(route.summary)).operation_id(Some(operation_id(route)));
    for name in path_parameters {
        let schema = done(ObjectBuilder::new().schema_type(Type::String));
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path).required(Required::True);
        operation = operation.parameter(parameter.schema(Some(schema)));
    }
    for (name, schema) in query(route) {
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query).required(Required::False);
        operation = operation.parameter(parameter.schema(Some(done(schema))));
    }
    if let Some(body) = route.body {
        let content = ContentBuilder::new().schema(Some(body())).build();
        operation =
            operation.request_body(Some(RequestBodyBuilder::new().content("application/json", content).build()));
    }
    if route.access != Access::Anyone {
        operation = operation.security(SecurityRequirement::new("token", Vec::<String>::new()));
    }
    operation =
        operation.response(route.success.to_string(), ResponseBuilder::new().description("All is well.").build());
    let refusal = ContentBuilder::new().schema(Some(error())).build();
    let refusal =
        ResponseBuilder::new().description("It is refused; nothing changed.").content("application/json", refusal);
    operation
        .response("4XX", refusal.build())
        .response("503", ResponseBuilder::new().description("Try again later."))
        .build()
}

fn operation_id(route: &Route) -> String {
    let path = route.path.replace(['/', '.'], "_").replace(['{', '}'], "");
    format!("{}{path}", route.method.to_lowercase())
}

fn query(route: &Route) -> Vec<(&'static str, ObjectBuilder)> {
    let boolean = ObjectBuilder::new().schema_type(Type::Boolean);
    match (route.method, route.path) {
        ("GET", "/matches") => vec![
            ("status", text("`open`, `live`, `over`, `void`, `damaged`")),
            ("game", text("Only matches of this game.")),
            ("mine", boolean.description(Some("Only those you sit in."))),
            ("limit", number("At most so many.")),
            ("skip", number("Those that come after so many.")),
        ],
        ("GET", "/matches/{id}/events") => {
            vec![("after", number("Those after this one.")), ("as", text("`spectator` or `judge`"))]
        }
        ("GET", "/matches/{id}/explain") => vec![
            ("ask", text("`why-not`, `if`, `value` or `trigger`")),
            ("action", text("The action of `why-not` and `if`.")),
            ("targets", text("What fills its slots so far, separated by commas.")),
            ("of", text("The card or player of `value`; the rule or card of `trigger`.")),
            ("attribute", text("The attribute of `value`.")),
            ("event", number("The event of `trigger`, for judges.")),
            ("as", text("`spectator` or `judge`")),
        ],
        ("GET", "/matches/{id}/view") => vec![("as", text("`spectator` or `judge`"))],
        ("GET", "/ws") => vec![("ticket", text("From POST /tickets."))],
        _ => Vec::new(),
    }
}

/// The OpenAPI document.
pub fn openapi() -> OpenApi {
    let info = InfoBuilder::new().title("Snapstack").version(env!("CARGO_PKG_VERSION"));
    let info = info.description(Some("Card games whose rules are data, over HTTP."));
    let mut paths = Paths::new();
    for route in table() {
        let item = PathItem::new(method(route.method), operation(&route));
        match paths.paths.get_mut(route.path) {
            Some(known) => known.merge_operations(item),
            None => drop(paths.paths.insert(route.path.to_owned(), item)),
        }
    }
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = utoipa::openapi::ComponentsBuilder::new().security_scheme("token", token).build();
    OpenApiBuilder::new().info(info.build()).paths(paths).components(Some(components)).build()
}

/// The messages of a socket: the name, who sends it, and what it says.
const MESSAGES: [(&str, bool, &str); 18] = [
    ("action.submit", false, "Do something: a semantic action, or a move by hand."),
    ("input.submit", false, "Answer what you are asked."),
    ("undo.submit", false, "Take back your own last answer, if that is fair."),
    ("takeback.submit", false, "Ask all to go back to a version; agree to it, or refuse."),
    ("system.control", false, "Concede; or a moderator's verb."),
    ("match.subscribe", false, "Follow a match, from an event on."),
    ("match.unsubscribe", false, "Follow it no more."),
    ("ping", false, "Ask whether the server is there."),
    ("event.appended", true, "Something happened."),
    ("state.delta", true, "How the table changed."),
    ("state.view", true, "The table as it is."),
    ("pending.input", true, "A question to you."),
    ("priority.changed", true, "Somebody else may act now."),
    (
        "takeback.asked",
        true,
        "Somebody asks all to go back, or one more agrees; any fresh state.view ends it unless it follows.",
    ),
    ("takeback.ended", true, "What became of it: agreed, refused, withdrawn, overtaken or replaced."),
    ("success", true, "Your request was carried out and stored."),
    ("error", true, "Your request was refused; nothing changed."),
    ("match.subscribed", true, "You follow the match from now on."),
];

fn fields(name: &str) -> Value {
    let (text, number, any) = (json!({ "type": "string" }), json!({ "type": "integer", "minimum": 0 }), json!({}));
    match name {
        "action.submit" => {
            json!({ "actionType": text, "params": any, "targets": any, "commandId": text, "knownVersion": number })
        }
        "input.submit" => json!({ "inputId": text, "answers": any, "commandId": text, "knownVersion": number }),
        "undo.submit" => json!({ "commandId": text, "knownVersion": number }),
        "takeback.submit" => json!({
            "to": number, "agree": { "type": "boolean" }, "commandId": text, "knownVersion": number
        }),
        "takeback.asked" => json!({ "takeback": takeback_message() }),
        "takeback.ended" => json!({
            "to": number, "by": text,
            "end": { "enum": ["agreed", "refused", "withdrawn", "overtaken", "replaced"] },
        }),
        "system.control" => json!({ "verb": text, "player": text, "item": text, "winners": any, "commandId": text }),
        "match.subscribe" => json!({ "after": number, "receipt": text, "as": text }),
        "event.appended" => json!({ "event": any, "text": text, "ui": any }),
        "state.delta" => json!({ "delta": any, "stack": any, "viewHash": text }),
        "state.view" => json!({ "view": any, "viewHash": text, "receipt": text }),
        "pending.input" => json!({ "input": any }),
        "priority.changed" => json!({ "window": any }),
        "success" => {
            json!({ "success": { "const": true }, "version": number, "moved": { "type": "boolean" }, "receipt": text })
        }
        "error" => json!({ "error": text, "code": text, "message": text, "currentVersion": number, "candidates": any }),
        "match.subscribed" => json!({ "viewer": text }),
        _ => json!({}),
    }
}

fn takeback_message() -> Value {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer", "minimum": 0 }));
    let texts = json!({ "type": "array", "items": text });
    let answer = json!({ "type": "object", "properties": { "to": number, "agree": { "type": "boolean" } } });
    let answers = json!({ "type": "object", "properties": { "agree": answer, "refuse": answer } });
    let properties = json!({
        "by": text, "to": number, "version": number, "agreed": texts, "missing": texts, "answers": answers
    });
    json!({ "type": "object", "properties": properties })
}

fn message(name: &str, is_from_server: bool, summary: &str) -> Value {
    let mut properties =
        json!({ "type": { "const": name }, "matchId": { "type": "string" }, "requestId": { "type": "string" } });
    let Value::Object(known) = &mut properties else { return properties };
    if is_from_server {
        known.insert("sequence".to_owned(), json!({ "type": "integer", "minimum": 0 }));
    }
    if let Value::Object(more) = fields(name) {
        known.extend(more);
    }
    json!({ "name": name, "summary": summary, "payload": { "type": "object", "required": ["type"], "properties": properties } })
}

/// The AsyncAPI document.
pub fn asyncapi() -> Value {
    let key = |name: &str| name.replace('.', "_");
    let reference = |name: &str| json!({ "$ref": format!("#/channels/ws/messages/{}", key(name)) });
    let messages: serde_json::Map<String, Value> =
        MESSAGES.iter().map(|(name, from_server, summary)| (key(name), message(name, *from_server, summary))).collect();
    let of = |server: bool| MESSAGES.iter().filter(|it| it.1 == server).map(|it| reference(it.0)).collect::<Vec<_>>();
    let duel = |name: &str| json!({ "$ref": format!("#/channels/duels/messages/{name}") });
    let of_duels = |server: bool| described::names(server).map(duel).collect::<Vec<_>>();
    json!({
        "asyncapi": "3.0.0",
        "info": { "title": "Snapstack", "version": env!("CARGO_PKG_VERSION"), "description": "Matches over a WebSocket: one JSON object a text frame." },
        "channels": {
            "ws": { "address": "/ws", "messages": messages },
            "duels": {
                "address": "/duels/{game}/ws",
                "parameters": { "game": { "description": "The name of a game that can be played as a duel." } },
                "messages": described::messages(),
            },
        },
        "operations": {
            "receive": { "action": "receive", "channel": { "$ref": "#/channels/ws" }, "messages": of(false) },
            "send": { "action": "send", "channel": { "$ref": "#/channels/ws" }, "messages": of(true) },
            "receiveDuels": { "action": "receive", "channel": { "$ref": "#/channels/duels" }, "messages": of_duels(false) },
            "sendDuels": { "action": "send", "channel": { "$ref": "#/channels/duels" }, "messages": of_duels(true) },
        },
    })
}

/// `GET /openapi.json`.
pub async fn openapi_route() -> Json<OpenApi> {
    Json(openapi())
}

/// `GET /asyncapi.json`.
pub async fn asyncapi_route() -> Json<Value> {
    Json(asyncapi())
}
