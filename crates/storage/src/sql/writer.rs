//! The one thread that writes. It takes what waits, writes it in one transaction, and answers after the commit: so
//! that a hundred matches share one wait for the disk.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use tokio::sync::{mpsc, oneshot};

use crate::{
    error::{CommitError, StorageError},
    op::{self, Op},
    sql::{Connection, Connector, ops, ops::Stop, reads, schema},
};

/// How many commits wait for the writer before those who commit wait too.
const QUEUE: usize = 4096;
/// How many commits share a transaction.
const GROUP: usize = 256;
/// How long a group is tried again while others hold the database, before those who wait are told.
const PATIENCE: Duration = Duration::from_secs(5);

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
        let give_up = Instant::now() + PATIENCE;
        let all = || group.iter().flat_map(|it| &it.ops);
        if self.persist(all, give_up).is_ok() {
            return group.into_iter().for_each(|it| drop(it.reply.send(Ok(()))));
        }
        // Somebody's part was refused, which undid everybody's: each alone, then.
        for job in group {
            let result = self.persist(|| job.ops.iter(), give_up);
            let result = result.or_else(|error| self.unless_stored(&job.ops, error));
            drop(job.reply.send(result));
        }
    }

    /// Writes all in one transaction, or nothing if any part is refused; tries again while others are in the way.
    fn persist<'o, I>(&mut self, ops: impl Fn() -> I, give_up: Instant) -> Result<(), CommitError>
    where
        I: Iterator<Item = &'o Op>,
    {
        loop {
            match self.transact(|connection| ops().try_for_each(|it| ops::apply(connection, it))) {
                Ok(()) => return Ok(()),
                Err(Stop::Refused(error)) => return Err(error),
                Err(Stop::Collided) if Instant::now() < give_up => {}
                Err(Stop::Collided) => return Err(StorageError::Busy.into()),
            }
        }
    }

    /// A commit whose answer was lost may have happened: what is refused because it is there already is stored.
    fn unless_stored(&mut self, ops: &[Op], error: CommitError) -> Result<(), CommitError> {
        let is_late = matches!(error, CommitError::Conflict { .. } | CommitError::DuplicateCommand { .. });
        let Some(ours) = op::first_transition(ops).filter(|_| is_late) else { return Err(error) };
        let there = reads::transitions(&mut self.connection, &ours.match_id, ours.seq, 1)?;
        if there.first().is_some_and(|it| it.hash == ours.hash) { Ok(()) } else { Err(error) }
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
