//! More time for a request whose work takes longer than others may.

use std::{fmt, sync::Arc, time::Duration};

use crate::costly::{EXPORT_TIME, IMPORT_TIME};

tokio::task_local! {
    static OF_REQUEST: Patience;
}

/// Prolongs the deadline of a request. The listener serves every request with it; those that did not come through a
/// listener have no deadline.
#[derive(Clone)]
pub struct Patience(Arc<dyn Fn(Duration) + Send + Sync>);

impl fmt::Debug for Patience {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Patience")
    }
}

impl Patience {
    pub fn new(prolong: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(prolong))
    }

    /// Serves a request whose deadline this one prolongs.
    pub async fn serve<F: Future>(self, request: F) -> F::Output {
        OF_REQUEST.scope(self, request).await
    }
}

/// The file of an import was received: from now on the request has the time that imports have.
pub fn for_import() {
    prolong(IMPORT_TIME);
}

/// A report or an export begins: from now on the request has the time that exports have, and a little more to say that it
/// was not enough.
pub(crate) fn for_export() {
    prolong(EXPORT_TIME + Duration::from_secs(5));
}

fn prolong(by: Duration) {
    // Jobs and commands of the operator have no deadline.
    let _ = OF_REQUEST.try_with(|patience| (patience.0)(by));
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn only_the_request_at_work_gets_more_time() {
        let given = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&given);
        let patience = Patience::new(move |by| noted.lock().unwrap().push(by));
        for_export();
        patience.serve(async { for_export() }).await;
        for_import();
        assert_eq!(*given.lock().unwrap(), [EXPORT_TIME + Duration::from_secs(5)]);
    }
}
