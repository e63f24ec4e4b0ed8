//! Costly work: in a slot, with a deadline, and stopped when its request is gone.
//!
//! The thread that does the work holds the slot, not the request. An abandoned request keeps its slot until the work
//! has really stopped, so that abandoned requests cannot add up.

use std::{
    fs::File,
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use domain::{id::TenantId, import::FileComplaint};

use crate::{
    Core, Error, Result,
    authz::Caller,
    patience,
    scratch::Scratch,
    slots::{Slot, Slots},
};

/// The longest time of an import; a complete upload is imported even if its client has disconnected.
pub(crate) const IMPORT_TIME: Duration = Duration::from_mins(5);
/// The longest time of a report or an export.
pub(crate) const EXPORT_TIME: Duration = Duration::from_mins(1);
const IMPORT: Purpose = Purpose::Import(IMPORT_TIME);
const EXPORT: Purpose = Purpose::Export(EXPORT_TIME);

/// What the work is for, which decides how long it may take and what is said when it takes longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Import(Duration),
    Export(Duration),
}

/// What a step of the work needs: when it has to stop, and where temporary files go.
#[derive(Debug, Clone)]
pub(crate) struct WorkContext {
    until: Instant,
    purpose: Purpose,
    is_gone: Arc<AtomicBool>,
    scratch: Scratch,
}

impl WorkContext {
    /// Stops work that has run too long, or that no request waits for.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_gone.load(Ordering::Relaxed) {
            return Err(Error::Unavailable("the request is gone".to_owned()));
        }
        if Instant::now() >= self.until {
            return Err(match self.purpose {
                Purpose::Import(allowed) => {
                    Error::invalid("file", FileComplaint::TookTooLong { seconds: allowed.as_secs() })
                }
                Purpose::Export(allowed) => Error::Unavailable(format!(
                    "a report or an export took longer than {} s",
                    allowed.as_secs()
                )),
            });
        }
        Ok(())
    }

    pub(crate) fn should_stop(&self) -> bool {
        self.check().is_err()
    }

    /// A temporary file without a name.
    pub(crate) fn file(&self) -> io::Result<File> {
        self.scratch.file()
    }

    /// The folder of temporary files.
    pub(crate) fn folder(&self) -> io::Result<&Path> {
        self.scratch.folder()
    }

    /// Work without a request: commands of the operator.
    pub(crate) fn of_operator(folder: &Path) -> Self {
        Self::new(Purpose::Import(Duration::from_hours(1)), Scratch::at(folder))
    }

    fn new(purpose: Purpose, scratch: Scratch) -> Self {
        let (Purpose::Import(allowed) | Purpose::Export(allowed)) = purpose;
        Self { until: Instant::now() + allowed, purpose, is_gone: Arc::default(), scratch }
    }

    #[cfg(test)]
    pub(crate) fn for_tests(allowed: Duration) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
        Self::new(Purpose::Import(allowed), Scratch::below(&folder))
    }
}

/// A slot with the context of its work. The slot is free again when the last holder has dropped it.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    context: WorkContext,
    _slot: Arc<Slot>,
}

impl Held {
    pub(crate) fn context(&self) -> &WorkContext {
        &self.context
    }
}

/// Work as its request sees it. When it is dropped, the steps that still run are asked to stop.
#[derive(Debug)]
pub(crate) struct Work(Held);

impl Work {
    async fn begin(slots: &Slots, tenant: TenantId, purpose: Purpose, scratch: Scratch) -> Result<Self> {
        let slot = Arc::new(slots.take(tenant).await?);
        Ok(Self(Held { context: WorkContext::new(purpose, scratch), _slot: slot }))
    }

    /// For a step that runs elsewhere, such as on a thread of the store: it holds the slot as well.
    pub(crate) fn held(&self) -> Held {
        self.0.clone()
    }

    /// Runs a step on a thread of its own.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        step: impl FnOnce(&WorkContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let held = self.held();
        let run = move || step(held.context());
        tokio::task::spawn_blocking(run).await.map_err(Error::internal)?
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.context.is_gone.store(true, Ordering::Relaxed);
    }
}

impl Core {
    /// A slot for an import.
    pub(crate) async fn import_work(&self, caller: &Caller) -> Result<Work> {
        Work::begin(&self.admission.importing, caller.tenant(), IMPORT, self.scratch.clone()).await
    }

    /// A slot for a report, an export or a package of the register.
    pub(crate) async fn export_work(&self, caller: &Caller) -> Result<Work> {
        let work = Work::begin(&self.admission.exporting, caller.tenant(), EXPORT, self.scratch.clone());
        let work = work
            .await
            .map_err(|error| if matches!(error, Error::Busy) { Error::BusyExports } else { error })?;
        patience::for_export();
        Ok(work)
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid7;

    use super::*;

    #[tokio::test]
    async fn an_abandoned_request_keeps_its_slot_until_the_work_has_stopped() {
        let slots = Slots::new(1, 1, Duration::from_millis(20));
        let tenant = TenantId::from(Uuid7::from_parts(0, 1));
        let begin = || Work::begin(&slots, tenant, EXPORT, Scratch::below(Path::new("unused")));
        let work = begin().await.unwrap();
        let (started, has_begun) = tokio::sync::oneshot::channel();
        let (go_on, may_end) = std::sync::mpsc::channel::<()>();
        let (done, was_stopped) = tokio::sync::oneshot::channel();
        let request = tokio::spawn(async move {
            let step = move |context: &WorkContext| {
                let _ = started.send(());
                let _ = may_end.recv();
                let _ = done.send(context.should_stop());
                Ok(())
            };
            work.run(step).await
        });
        has_begun.await.unwrap();
        request.abort();
        assert!(request.await.unwrap_err().is_cancelled());
        assert!(matches!(begin().await, Err(Error::Busy)), "the work still runs");
        go_on.send(()).unwrap();
        assert!(was_stopped.await.unwrap(), "it notices that its request is gone");
        let patient = async { while begin().await.is_err() {} };
        tokio::time::timeout(Duration::from_secs(20), patient).await.unwrap();
    }
}
