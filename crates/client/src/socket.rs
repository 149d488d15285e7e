//! A socket to the server: messages in both directions.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use protocol::ServerMessage;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async_with_config,
    tungstenite::{Message, client::IntoClientRequest as _, http::HeaderValue},
};

use crate::error::ClientError;

/// A socket.
pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// How long a server may take to open a socket.
const OPEN_TIMEOUT: Duration = Duration::from_secs(10);

fn unreachable(why: impl ToString) -> ClientError {
    ClientError::Unreachable(why.to_string())
}

impl Socket {
    /// Opens a socket as the account of a token.
    pub async fn open(url: &str, token: &str) -> Result<Self, ClientError> {
        let mut request = url.into_client_request().map_err(unreachable)?;
        let header = HeaderValue::from_str(&format!("Bearer {token}")).map_err(unreachable)?;
        request.headers_mut().insert("authorization", header);
        let opened = tokio::time::timeout(OPEN_TIMEOUT, connect_async_with_config(request, None, true)).await;
        let (stream, _) = opened.map_err(unreachable)?.map_err(unreachable)?;
        Ok(Self(stream))
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) -> Result<(), ClientError> {
        self.0.send(Message::Text(message.to_string().into())).await.map_err(unreachable)
    }

    /// The next message; an error once the socket is closed.
    pub async fn next(&mut self) -> Result<ServerMessage, ClientError> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => {
                    return serde_json::from_str(&text).map_err(|it| ClientError::Nonsense(format!("{it}: {text}")));
                }
                Some(Ok(Message::Close(frame))) => {
                    return Err(unreachable(frame.map_or("closed".to_owned(), |it| it.to_string())));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(unreachable(error)),
                None => return Err(unreachable("closed")),
            }
        }
    }

    /// Closes it.
    pub async fn close(mut self) {
        let _ = self.0.close(None).await;
    }
}
