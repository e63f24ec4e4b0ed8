//! Background work: scheduled jobs and the delivery of messages.

mod acceptance;
mod deadline;
pub mod delivery;
pub mod heal;
mod integrity;
mod job;
mod list;
mod report;
mod run;
mod scheduler;
pub(crate) mod supervise;
mod watch;

pub use self::{
    job::{Job, Overlap, RunsOn},
    list::{JobOptions, standard},
    report::{JobReport, JobState},
    run::JobRun,
    scheduler::Scheduler,
    watch::watch,
};
