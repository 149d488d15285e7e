//! The one thread that writes. It takes what waits, writes it in one transaction, and answers after the commit: so
//! that a hundred matches share one wait for the disk.

use std::{sync::Arc, thread};

use tokio::sync::{mpsc, oneshot};

use crate::{
    error::{CommitError, StorageError},
    op::Op,
    sql::{Connection, Connector, ops, ops::Stop, schema},
};

/// How many commits wait for the writer before those who commit wait too.
const QUEUE: usize = 4096;
/// How many commits share a transaction.
const GROUP: usize = 256;
/// How often a commit is tried again when writers got in each other's way.
const TRIES: usize = 8;

/// Something to write, and who waits for it.
struct Job {
    ops: Vec<Op>,
    reply: oneshot::Sender<Result<(), CommitError>>,
}

/// The way to the writing thread. The thread ends when this is dropped.
pub struct Writer(mpsc::Sender<Job>);

impl Writer {
    /// Starts the thread, which opens the database and makes the tables that are missing.
    pub fn start<C: Connector>(connector: Arc<C>) -> Result<Self, StorageError> {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let (report, opened) = std::sync::mpsc::channel();
        let work = move || {
            let desk = Desk::open(connector);
            let (desk, outcome) = desk.map_or_else(|error| (None, Err(error)), |it| (Some(it), Ok(())));
            let _ = report.send(outcome);
            if let Some(desk) = desk {
                desk.work(receiver);
            }
        };
        let spawned = thread::Builder::new().name("storage-writer".to_owned()).spawn(work);
        spawned.map_err(|error| StorageError::Other(error.to_string()))?;
        opened.recv().map_err(|_| StorageError::Closed)??;
        Ok(Self(sender))
    }

    /// Writes all of it or nothing; returns once it is durable.
    pub async fn commit(&self, ops: Vec<Op>) -> Result<(), CommitError> {
        let (reply, answer) = oneshot::channel();
        self.0.send(Job { ops, reply }).await.map_err(|_| StorageError::Closed)?;
        answer.await.map_err(|_| StorageError::Closed)?
    }
}

/// Where the thread works.
struct Desk<C: Connector> {
    connector: Arc<C>,
    connection: C::Connection,
}

impl<C: Connector> Desk<C> {
    fn open(connector: Arc<C>) -> Result<Self, StorageError> {
        let mut connection = connector.open()?;
        schema::prepare(&*connector, &mut connection)?;
        Ok(Self { connector, connection })
    }

    fn work(mut self, mut jobs: mpsc::Receiver<Job>) {
        while let Some(first) = jobs.blocking_recv() {
            let mut group = vec![first];
            while group.len() < GROUP
                && let Ok(job) = jobs.try_recv()
            {
                group.push(job);
            }
            self.write(group);
        }
    }

    fn write(&mut self, group: Vec<Job>) {
        #[cfg(feature = "planted-loss")]
        let group = answer_too_early(group);
        if self.write_together(&group).is_ok() {
            return group.into_iter().for_each(|it| drop(it.reply.send(Ok(()))));
        }
        // Somebody's part was refused, which undid everybody's: each alone, then.
        for job in group {
            let result = self.write_alone(&job.ops);
            drop(job.reply.send(result));
        }
    }

    /// Writes a group in one transaction; undoes all of it if any part is refused.
    fn write_together(&mut self, group: &[Job]) -> Result<(), Stop> {
        self.transact(|connection| group.iter().flat_map(|it| &it.ops).try_for_each(|it| ops::apply(connection, it)))
    }

    fn write_alone(&mut self, ops: &[Op]) -> Result<(), CommitError> {
        for _ in 0..TRIES {
            match self.transact(|connection| ops.iter().try_for_each(|it| ops::apply(connection, it))) {
                Ok(()) => return Ok(()),
                Err(Stop::Refused(error)) => return Err(error),
                Err(Stop::Collided) => {}
            }
        }
        Err(StorageError::Other("other writers were always faster".to_owned()).into())
    }

    fn transact(&mut self, write: impl FnOnce(&mut dyn Connection) -> Result<(), Stop>) -> Result<(), Stop> {
        if !self.connection.is_alive() {
            self.connection = self.connector.open()?;
        }
        self.connection.run(self.connector.begin())?;
        let written = write(&mut self.connection);
        let ended = if written.is_ok() { self.connection.run("COMMIT") } else { self.connection.run("ROLLBACK") };
        written?;
        if ended.is_err() {
            // A commit that failed may leave the transaction open.
            let _ = self.connection.run("ROLLBACK");
        }
        Ok(ended?)
    }
}

/// The planted fault: says that all is stored, and stores it later.
#[cfg(feature = "planted-loss")]
fn answer_too_early(group: Vec<Job>) -> Vec<Job> {
    let forget = |job: Job| {
        drop(job.reply.send(Ok(())));
        Job { ops: job.ops, reply: oneshot::channel().0 }
    };
    let group = group.into_iter().map(forget).collect();
    thread::sleep(std::time::Duration::from_millis(20));
    group
}
