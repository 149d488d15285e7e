//! Every route of the server, as data: the documents are made from it, and the server's router is checked against it.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::{bodies, error_body::ErrorBody, messages::SuccessBody, request};

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Anyone,
    /// Whoever has signed in.
    SignedIn,
    /// Whoever sits at the table.
    Player,
    /// Whoever sits at the table, moderators, and all who have signed in where a match lets them watch.
    Viewer,
    /// Those who sat at the table once the match is over, and moderators.
    Replay,
    /// Moderators, and whoever sits alone at an open table.
    Owner,
    /// Players for conceding, moderators for all else.
    Control,
    /// Moderators.
    Moderator,
}

/// What a body is.
#[derive(Clone, Copy)]
pub enum Body {
    /// Nothing.
    None,
    /// Plain text.
    Text,
    /// Bytes.
    Bytes,
    /// JSON of a type.
    Json(fn(&mut SchemaGenerator) -> Schema),
}

/// A parameter of the query.
pub struct Parameter {
    pub name: &'static str,
    pub kind: &'static str,
    pub text: &'static str,
}

/// A route.
pub struct Operation {
    pub method: &'static str,
    pub path: &'static str,
    pub summary: &'static str,
    pub tag: &'static str,
    pub access: Access,
    pub query: &'static [Parameter],
    pub request: Body,
    /// The status when all is well, and what is answered then.
    pub success: (u16, Body),
}

fn json<T: JsonSchema>() -> Body {
    Body::Json(SchemaGenerator::subschema_for::<T>)
}

/// What every refusal looks like.
pub fn error() -> Body {
    json::<ErrorBody>()
}

const fn parameter(name: &'static str, kind: &'static str, text: &'static str) -> Parameter {
    Parameter { name, kind, text }
}

const AS: Parameter = parameter("as", "string", "`spectator` or `judge`, to see what they see.");

const LIST: [Parameter; 5] = [
    parameter("status", "string", "`open`, `live`, `over`, `void` or `damaged`."),
    parameter("game", "string", "Only matches of this game."),
    parameter("mine", "boolean", "Only those you sit in."),
    parameter("limit", "integer", "At most so many."),
    parameter("skip", "integer", "Those that come after so many."),
];

const EVENTS: [Parameter; 4] = [
    parameter("after", "integer", "Those after this one."),
    parameter("limit", "integer", "At most so many."),
    parameter("format", "string", "`ndjson` for the messages of a socket, one a line."),
    AS,
];

const EXPLAIN: [Parameter; 7] = [
    parameter("ask", "string", "`why-not`, `if`, `value` or `trigger`."),
    parameter("action", "string", "The action of `why-not` and `if`."),
    parameter("targets", "string", "What fills its slots so far, separated by commas."),
    parameter("of", "string", "The card or player of `value`; the rule or card of `trigger`."),
    parameter("attribute", "string", "The attribute of `value`."),
    parameter("event", "integer", "The event of `trigger`, for judges."),
    AS,
];

struct Row(&'static str, &'static str, Access, &'static str, &'static str);

impl Row {
    fn takes(self, request: Body, success: (u16, Body)) -> Operation {
        self.with(&[], request, success)
    }

    fn gives(self, success: Body) -> Operation {
        self.with(&[], Body::None, (200, success))
    }

    fn asks(self, query: &'static [Parameter], success: Body) -> Operation {
        self.with(query, Body::None, (200, success))
    }

    fn with(self, query: &'static [Parameter], request: Body, success: (u16, Body)) -> Operation {
        let Row(method, path, access, tag, summary) = self;
        Operation { method, path, summary, tag, access, query, request, success }
    }
}

/// All routes.
pub fn all() -> Vec<Operation> {
    let mut all = server();
    all.extend(accounts());
    all.extend(games());
    all.extend(matches());
    all.extend(play());
    all.extend(sockets());
    all
}

fn server() -> Vec<Operation> {
    use Access::Anyone;
    vec![
        Row("GET", "/healthz", Anyone, "server", "Whether the server runs.").gives(Body::Text),
        Row("GET", "/readyz", Anyone, "server", "Whether the server can read and write its store.").gives(Body::Text),
        Row("GET", "/metrics", Anyone, "server", "Numbers for Prometheus.").gives(Body::Text),
        Row("GET", "/protocol", Anyone, "server", "The version of the contract, and its limits.")
            .gives(json::<bodies::ProtocolBody>()),
        Row("GET", "/openapi.json", Anyone, "server", "This document.").gives(json::<view::Json>()),
        Row("GET", "/asyncapi.json", Anyone, "server", "The messages of sockets.").gives(json::<view::Json>()),
        Row("GET", "/schemas.json", Anyone, "server", "Every type as JSON Schema.").gives(json::<view::Json>()),
        Row("GET", "/types.d.ts", Anyone, "server", "Every type as TypeScript.").gives(Body::Text),
    ]
}

fn accounts() -> Vec<Operation> {
    use Access::{Anyone, SignedIn};
    let signed_in = || (201, json::<bodies::SignedIn>());
    vec![
        Row("POST", "/accounts/guest", Anyone, "accounts", "Become a guest.")
            .takes(json::<bodies::GuestBody>(), signed_in()),
        Row("POST", "/accounts", Anyone, "accounts", "Get an account with a password.")
            .takes(json::<bodies::CredentialsBody>(), signed_in()),
        Row("GET", "/accounts/me", SignedIn, "accounts", "Your account.").gives(json::<bodies::AccountBody>()),
        Row("POST", "/sessions", Anyone, "accounts", "Sign in.").takes(json::<bodies::CredentialsBody>(), signed_in()),
        Row("DELETE", "/sessions/current", SignedIn, "accounts", "Sign out.").takes(Body::None, (204, Body::None)),
        Row("POST", "/tickets", SignedIn, "accounts", "A ticket to open /ws with, once.")
            .takes(Body::None, (201, json::<bodies::TicketBody>())),
    ]
}

fn games() -> Vec<Operation> {
    use Access::{Anyone, SignedIn};
    vec![
        Row("GET", "/rulesets", Anyone, "games", "All rulesets.").gives(json::<Vec<bodies::RulesetBody>>()),
        Row("POST", "/rulesets", SignedIn, "games", "Publish a ruleset, if it has no mistakes.")
            .takes(json::<bodies::PublishBody>(), (201, json::<bodies::RulesetBody>())),
        Row("GET", "/rulesets/{hash}", Anyone, "games", "A ruleset by its hash, or a game by its name.")
            .gives(json::<bodies::RulesetBody>()),
        Row("GET", "/catalogues/{hash}", Anyone, "games", "What clients draw a game from; it never changes.")
            .gives(json::<view::Catalogue>()),
    ]
}

fn matches() -> Vec<Operation> {
    use Access::{Anyone, Moderator, Owner, Player, Replay, SignedIn};
    let row = json::<bodies::MatchBody>;
    vec![
        Row("GET", "/matches", Anyone, "matches", "Matches, newest first.")
            .asks(&LIST, json::<Vec<bodies::MatchBody>>()),
        Row("POST", "/matches", SignedIn, "matches", "Open a table.")
            .takes(json::<bodies::CreateMatch>(), (201, row())),
        Row("GET", "/matches/{id}", Anyone, "matches", "A match.").gives(row()),
        Row("DELETE", "/matches/{id}", Owner, "matches", "Declare a match void; nothing is written to it any more.")
            .gives(row()),
        Row("POST", "/matches/{id}/join", SignedIn, "matches", "Sit down.")
            .takes(json::<bodies::JoinMatch>(), (200, row())),
        Row("POST", "/matches/{id}/leave", Player, "matches", "Stand up; in a match that has begun, concede.")
            .gives(row()),
        Row("GET", "/matches/{id}/audit", Moderator, "matches", "What moderators did to a match.")
            .gives(json::<bodies::AuditBody>()),
        Row("GET", "/matches/{id}/replay", Replay, "matches", "The log of a match, for snapstack verify.")
            .gives(Body::Bytes),
    ]
}

fn play() -> Vec<Operation> {
    use Access::{Control, Player, Viewer};
    let done = || (200, json::<SuccessBody>());
    vec![
        Row("GET", "/matches/{id}/view", Viewer, "play", "The table, as you see it.")
            .asks(&[AS], json::<bodies::ViewBody>()),
        Row("GET", "/matches/{id}/events", Viewer, "play", "What happened, as you saw it.")
            .asks(&EVENTS, json::<bodies::EventsBody>()),
        Row("GET", "/matches/{id}/explain", Viewer, "play", "Why things are as they are, and what if.")
            .asks(&EXPLAIN, json::<view::Json>()),
        Row("GET", "/matches/{id}/actions", Player, "play", "What you can do now.")
            .gives(json::<bodies::ActionsBody>()),
        Row("POST", "/matches/{id}/actions", Player, "play", "Take an action, pass, or move cards by hand.")
            .takes(json::<request::ActionSubmit>(), done()),
        Row("GET", "/matches/{id}/inputs", Player, "play", "What you are asked.").gives(json::<bodies::InputsBody>()),
        Row("POST", "/matches/{id}/inputs", Player, "play", "Answer what you are asked.")
            .takes(json::<request::InputSubmit>(), done()),
        Row("POST", "/matches/{id}/choices", Player, "play", "What can fill the next slot of a submit.")
            .takes(json::<request::ChoicesQuery>(), (200, json::<bodies::PageBody>())),
        Row("POST", "/matches/{id}/undo", Player, "play", "Take back your last answer, if that is fair.")
            .takes(json::<request::UndoSubmit>(), done()),
        Row("GET", "/matches/{id}/takeback", Viewer, "play", "Who asks to go back to which version, if anybody does.")
            .gives(json::<bodies::OpenTakeback>()),
        Row(
            "POST",
            "/matches/{id}/takeback",
            Player,
            "play",
            "Ask all to go back to a version; agree to it, or refuse.",
        )
        .takes(json::<request::TakebackSubmit>(), done()),
        Row("POST", "/matches/{id}/control", Control, "play", "Concede; or a moderator's verb.")
            .takes(json::<request::SystemControl>(), done()),
    ]
}

const TICKET: [Parameter; 1] = [parameter("ticket", "string", "From POST /tickets.")];

fn sockets() -> Vec<Operation> {
    use Access::{Anyone, SignedIn};
    vec![
        Row("GET", "/duels/{game}/ws", Anyone, "sockets", "Open a socket to wait for a duel and play it.").with(
            &[],
            Body::None,
            (101, Body::None),
        ),
        Row("GET", "/ws", SignedIn, "sockets", "Open a socket.").with(&TICKET, Body::None, (101, Body::None)),
    ]
}
