//! What an operator can set: by flags, by variables that begin with `SNAPSTACK_`, or in a file.

use std::{ffi::OsString, net::SocketAddr, path::PathBuf};

use clap::Parser;
use thiserror::Error;

/// The beginning of every variable.
const PREFIX: &str = "SNAPSTACK_";

/// Hosts matches over HTTP and WebSocket.
///
/// Each setting is a flag, a variable that begins with SNAPSTACK_, or a line `name = value` in the file given with
/// --config. A flag wins over a variable, a variable over the file.
#[derive(Clone, Debug, Parser)]
#[command(name = "snapstack serve", args_override_self = true)]
pub struct Config {
    /// A file of settings, in TOML.
    #[arg(long, env = "SNAPSTACK_CONFIG")]
    pub config: Option<PathBuf>,
    /// Where to listen.
    #[arg(long, env = "SNAPSTACK_LISTEN", default_value = "127.0.0.1:4600")]
    pub listen: SocketAddr,
    /// Where to keep everything: `memory`, the path of a SQLite file, or `postgres://...`.
    #[arg(long, env = "SNAPSTACK_STORE", default_value = "snapstack.db")]
    pub store: String,
    /// The folder of games to load at the start.
    #[arg(long, env = "SNAPSTACK_GAMES", default_value = "games")]
    pub games: PathBuf,
    /// Whether a match may be created with a seed of the creator's choice, for tests: whoever knows it knows every card.
    #[arg(long, env = "SNAPSTACK_ALLOW_SEEDS")]
    pub allow_seeds: bool,
    /// Web pages from these origins may open sockets; `*` for any. Programs that send no origin always may.
    #[arg(
        long,
        env = "SNAPSTACK_ORIGINS",
        value_delimiter = ',',
        default_value = "http://localhost:4600,http://127.0.0.1:4600"
    )]
    pub origins: Vec<String>,
    /// How long somebody stays signed in, in hours.
    #[arg(long, env = "SNAPSTACK_SESSION_HOURS", default_value_t = 720)]
    pub session_hours: u32,
    /// How many tokens a new account gets.
    #[arg(long, env = "SNAPSTACK_WELCOME_TOKENS", default_value_t = 10)]
    pub welcome_tokens: u32,
    /// How many tokens a new guest gets, if not as many as others; with 0 only who has a password plays for tokens.
    #[arg(long, env = "SNAPSTACK_GUEST_TOKENS")]
    pub guest_tokens: Option<u32>,
    /// How many new accounts of an address get these tokens in a day; further ones begin with none.
    #[arg(long, env = "SNAPSTACK_WELCOMES_PER_DAY_MAX", default_value_t = 10)]
    pub welcomes_per_day_max: u32,
    /// The largest body of a request, in bytes.
    #[arg(long, env = "SNAPSTACK_BODY_BYTES_MAX", default_value_t = 1 << 20)]
    pub body_bytes_max: usize,
    /// The largest frame on a socket, in bytes.
    #[arg(long, env = "SNAPSTACK_FRAME_BYTES_MAX", default_value_t = 64 << 10)]
    pub frame_bytes_max: usize,
    /// How many messages a socket may send in a second; ten times as many at once.
    #[arg(long, env = "SNAPSTACK_MESSAGES_PER_SECOND_MAX", default_value_t = 20)]
    pub messages_per_second_max: u32,
    /// How many requests whoever holds a token, or an address without one, may send in a second; ten times as many at
    /// once.
    #[arg(long, env = "SNAPSTACK_REQUESTS_PER_SECOND_MAX", default_value_t = 50)]
    pub requests_per_second_max: u32,
    /// How many explanations an account may wait for at a time.
    #[arg(long, env = "SNAPSTACK_EXPLANATIONS_PER_ACCOUNT_MAX", default_value_t = 2)]
    pub explanations_per_account_max: u32,
    /// How many rulesets an account may publish.
    #[arg(long, env = "SNAPSTACK_RULESETS_PER_ACCOUNT_MAX", default_value_t = 100)]
    pub rulesets_per_account_max: u32,
    /// How many tickets an account may hold.
    #[arg(long, env = "SNAPSTACK_TICKETS_PER_ACCOUNT_MAX", default_value_t = 16)]
    pub tickets_per_account_max: u32,
    /// How many sockets an account may hold.
    #[arg(long, env = "SNAPSTACK_SOCKETS_PER_ACCOUNT_MAX", default_value_t = 16)]
    pub sockets_per_account_max: u32,
    /// How many sockets an address may hold.
    #[arg(long, env = "SNAPSTACK_SOCKETS_PER_ADDRESS_MAX", default_value_t = 256)]
    pub sockets_per_address_max: u32,
    /// How many accounts an address may create in a minute.
    #[arg(long, env = "SNAPSTACK_ACCOUNTS_PER_MINUTE_MAX", default_value_t = 60)]
    pub accounts_per_minute_max: u32,
    /// How many messages may wait for a slow reader before he is cut off.
    #[arg(long, env = "SNAPSTACK_OUTBOX_MAX", default_value_t = 512)]
    pub outbox_max: usize,
    /// How often a socket is asked whether it is there, in milliseconds; two may go unanswered.
    #[arg(long, env = "SNAPSTACK_HEARTBEAT_MS", default_value_t = 30_000)]
    pub heartbeat_ms: u64,
    /// How long a socket for duels may take to say who it is, in milliseconds.
    #[arg(long, env = "SNAPSTACK_HELLO_MS", default_value_t = 10_000)]
    pub hello_ms: u64,
    /// How many requests may wait for one match.
    #[arg(long, env = "SNAPSTACK_MAILBOX_MAX", default_value_t = 256)]
    pub mailbox_max: usize,
    /// How many matches an account may have open or in play.
    #[arg(long, env = "SNAPSTACK_MATCHES_PER_ACCOUNT_MAX", default_value_t = 100)]
    pub matches_per_account_max: u32,
    /// After how many seconds without a visitor a match leaves memory.
    #[arg(long, env = "SNAPSTACK_IDLE_SECONDS", default_value_t = 60)]
    pub idle_seconds: u64,
    /// For how many seconds a ticket opens a socket.
    #[arg(long, env = "SNAPSTACK_TICKET_SECONDS", default_value_t = 30)]
    pub ticket_seconds: u64,
    /// How long a bot waits before it answers, in milliseconds.
    #[arg(long, env = "SNAPSTACK_BOT_DELAY_MS", default_value_t = 0)]
    pub bot_delay_ms: u64,
    /// Accounts of these names are moderators.
    #[arg(long, env = "SNAPSTACK_MODERATORS", value_delimiter = ',')]
    pub moderators: Vec<String>,
}

/// Why the settings cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path} cannot be read: {why}")]
    Unreadable { path: String, why: String },
    /// The file is not TOML, or holds more than names and values.
    #[error("{path} is not a list of settings: {why}")]
    Malformed { path: String, why: String },
    /// A flag, variable or line is wrong; the text says all about it.
    #[error(transparent)]
    Usage(#[from] clap::Error),
}

impl Config {
    /// The settings of a command line, of the variables, and of the file they name.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, ConfigError> {
        let args: Vec<OsString> = args.into_iter().collect();
        let first = Self::try_parse_from(&args)?;
        let Some(path) = first.config else { return Ok(first) };
        let lines = file_args(&path)?;
        let (name, rest) = args.split_first().map_or((OsString::new(), &[][..]), |(name, rest)| (name.clone(), rest));
        let all = [name].into_iter().chain(lines).chain(rest.iter().cloned());
        Ok(Self::try_parse_from(all)?)
    }

    /// The settings nobody changed.
    pub fn standard() -> Self {
        Self::parse_from(["snapstack serve"])
    }
}

/// The lines of a file as flags, without those a variable overrides.
fn file_args(path: &std::path::Path) -> Result<Vec<OsString>, ConfigError> {
    let shown = path.display().to_string();
    let unreadable = |why: std::io::Error| ConfigError::Unreadable { path: shown.clone(), why: why.to_string() };
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let malformed = |why: String| ConfigError::Malformed { path: shown.clone(), why };
    let table: toml::Table = text.parse().map_err(|why: toml::de::Error| malformed(why.to_string()))?;
    let mut args = Vec::new();
    for (name, value) in &table {
        let variable = format!("{PREFIX}{}", name.replace('-', "_").to_uppercase());
        if std::env::var_os(variable).is_some() {
            continue;
        }
        let flag = format!("--{}", name.replace('_', "-"));
        match value {
            toml::Value::Boolean(true) => args.push(flag.into()),
            toml::Value::Boolean(false) => {}
            other => args.push(
                format!("{flag}={}", plain(other).ok_or_else(|| malformed(format!("{name} has no plain value")))?)
                    .into(),
            ),
        }
    }
    Ok(args)
}

/// A value as it is written after a flag.
fn plain(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Array(items) => Some(items.iter().map(plain).collect::<Option<Vec<_>>>()?.join(",")),
        toml::Value::Float(_) | toml::Value::Boolean(_) | toml::Value::Datetime(_) | toml::Value::Table(_) => None,
    }
}
