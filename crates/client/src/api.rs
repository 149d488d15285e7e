//! The server over HTTP.

use protocol::ErrorBody;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::ClientError;

/// The server over HTTP, as one account.
#[derive(Clone, Debug)]
pub struct Api {
    base: String,
    http: reqwest::Client,
    token: Option<String>,
}

fn unreachable(error: &reqwest::Error) -> ClientError {
    ClientError::Unreachable(error.to_string())
}

impl Api {
    /// The server at an address, `http://127.0.0.1:4600`.
    pub fn new(base: &str) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), http: reqwest::Client::new(), token: None }
    }

    /// The same server, as the account of a token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// A new guest, and the server as he sees it.
    pub async fn guest(base: &str, nickname: &str) -> Result<Self, ClientError> {
        let api = Self::new(base);
        let signed_in: Value = api.post("/accounts/guest", &json!({ "nickname": nickname })).await?;
        let token = signed_in["token"].as_str().ok_or_else(|| ClientError::Nonsense("no token".to_owned()))?;
        Ok(api.with_token(token))
    }

    /// The token of the account.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Where sockets are opened.
    pub fn socket_url(&self) -> String {
        format!("{}/ws", self.base.replacen("http", "ws", 1))
    }

    /// Asks for something.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.send(self.http.get(format!("{}{path}", self.base))).await
    }

    /// Asks for bytes.
    pub async fn get_bytes(&self, path: &str) -> Result<Vec<u8>, ClientError> {
        let answer = self.ask(self.http.get(format!("{}{path}", self.base))).await?;
        Ok(answer.bytes().await.map_err(|it| unreachable(&it))?.to_vec())
    }

    /// Asks that something be done.
    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, ClientError> {
        self.send(self.http.post(format!("{}{path}", self.base)).body(body.to_string())).await
    }

    /// Asks that something end.
    pub async fn delete(&self, path: &str) -> Result<(), ClientError> {
        self.ask(self.http.delete(format!("{}{path}", self.base))).await.map(drop)
    }

    async fn ask(&self, request: reqwest::RequestBuilder) -> Result<reqwest::Response, ClientError> {
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let answer = request.send().await.map_err(|it| unreachable(&it))?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let text = answer.text().await.map_err(|it| unreachable(&it))?;
        let body: ErrorBody = serde_json::from_str(&text).map_err(|_| ClientError::Nonsense(text))?;
        Err(ClientError::Refused(Box::new(body)))
    }

    async fn send<T: DeserializeOwned>(&self, request: reqwest::RequestBuilder) -> Result<T, ClientError> {
        let text = self.ask(request).await?.text().await.map_err(|it| unreachable(&it))?;
        serde_json::from_str(&text).map_err(|error| ClientError::Nonsense(error.to_string()))
    }
}
