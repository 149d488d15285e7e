//! The threads that read, each with a connection of its own. A connection never leaves its thread: the client of
//! Postgres must not be used or dropped where an async runtime runs.

use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use tokio::sync::oneshot;

use crate::{
    error::StorageError,
    sql::{Connection, Connector},
};

/// How many threads read.
const N_READERS: usize = 4;

/// Something to read. Gets no connection if none can be opened.
type Job = Box<dyn FnOnce(Result<&mut dyn Connection, StorageError>) + Send>;

/// The way to the reading threads. They end when this is dropped.
pub struct Readers(mpsc::Sender<Job>);

impl Readers {
    /// Starts the threads; each opens its connection when it is first needed.
    pub fn start<C: Connector>(connector: &Arc<C>) -> Result<Self, StorageError> {
        let (sender, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        for at in 0..N_READERS {
            let (connector, receiver) = (connector.clone(), receiver.clone());
            let thread = thread::Builder::new().name(format!("storage-reader-{at}"));
            let spawned = thread.spawn(move || work(&*connector, &receiver));
            spawned.map_err(|error| StorageError::Other(error.to_string()))?;
        }
        Ok(Self(sender))
    }

    /// Reads on one of the threads.
    pub async fn read<T, F>(&self, read: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Connection) -> Result<T, StorageError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| drop(reply.send(connection.and_then(read))));
        self.0.send(job).map_err(|_| StorageError::Closed)?;
        answer.await.map_err(|_| StorageError::Closed)?
    }
}

fn work<C: Connector>(connector: &C, jobs: &Mutex<mpsc::Receiver<Job>>) {
    let mut idle: Option<C::Connection> = None;
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        let mut connection = match idle.take().filter(C::Connection::is_alive) {
            Some(connection) => connection,
            None => match connector.open() {
                Ok(connection) => connection,
                Err(error) => {
                    job(Err(error));
                    continue;
                }
            },
        };
        job(Ok(&mut connection));
        idle = Some(connection);
    }
}
