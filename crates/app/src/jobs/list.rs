//! The list of all scheduled jobs.
//!
//! The work of a job is in the module of its record; here it only gets its name, schedule and limits. The binary may
//! add jobs that depend on its settings, such as the folder of backups.

use std::time::Duration;

use domain::{actor::Actor, cron::BadCron, time_zone::TimeZone};

use super::Job;
use crate::{App, Result, evidence::Pruned, heal::HealOutcome};

/// The operator's settings for jobs.
#[derive(Debug, Clone)]
pub struct JobOptions {
    /// The time zone of schedules.
    pub zone: TimeZone,
    /// How long finished deliveries stay in the log.
    pub deliveries_kept: Duration,
}

impl Default for JobOptions {
    fn default() -> Self {
        Self { zone: TimeZone::utc(), deliveries_kept: Duration::from_hours(30 * 24) }
    }
}

const MINUTE: Duration = Duration::from_mins(1);

/// Every job of the application.
pub fn standard(options: &JobOptions) -> Result<Vec<Job>, BadCron> {
    let kept = i64::try_from(options.deliveries_kept.as_millis()).unwrap_or(i64::MAX);
    let jobs = vec![
        Job::new(
            "acceptance-expiry",
            "Opens findings and risks whose acceptance has run out",
            "*/5 * * * *",
            expire_acceptances,
        )?,
        Job::new("deadlines", "Announces deadlines that have come near", "* * * * *", raise_deadlines)?,
        Job::new(
            "work-notices",
            "Notifies people of work that is due soon or overdue",
            "*/5 * * * *",
            notify_of_days,
        )?
        .jittered(MINUTE),
        Job::new("notices", "Mails people what concerns them, at once or daily", "* * * * *", mail_notices)?,
        Job::new(
            "review-deadlines",
            "Announces reviews of concentration analyses that have come near",
            "23 * * * *",
            raise_review_deadlines,
        )?
        .jittered(5 * MINUTE),
        Job::new(
            "key-notices",
            "Notifies administrators of API keys that end soon",
            "35 6 * * *",
            notice_keys,
        )?
        .jittered(5 * MINUTE),
        Job::new(
            "recurring-incidents",
            "Proposes incidents with the same root cause as a series",
            "50 5 1 * *",
            propose_series,
        )?
        .jittered(10 * MINUTE)
        .within(30 * MINUTE),
        Job::new("letters", "Sends mail to people that still waits", "* * * * *", send_user_mail)?,
        Job::new("timeline-sync", "Reads the catalogue and every feed again", "15 4 * * *", sync_timeline)?
            .jittered(10 * MINUTE),
        Job::new("search-upkeep", "Joins the pieces of the search index", "*/10 * * * *", tidy_search)?
            .jittered(MINUTE)
            .within(5 * MINUTE),
        Job::new(
            "evidence-uploads",
            "Deletes the bytes of uploads that were cut off, and of deleted files in the bucket",
            "*/10 * * * *",
            prune_uploads,
        )?
        .jittered(MINUTE)
        .within(30 * MINUTE),
        Job::new("bundles", "Makes the audit bundles that were asked for", "* * * * *", make_bundles)?
            .within(60 * MINUTE),
        Job::new(
            "reports",
            "Makes the reports that were asked for or are scheduled",
            "* * * * *",
            make_reports,
        )?
        .within(30 * MINUTE),
        Job::new("retention", "Deletes what is past its time", "7 * * * *", move |app| forget(app, kept))?
            .jittered(5 * MINUTE)
            .within(30 * MINUTE),
        Job::new("integrity-check", "Checks the store and every audit chain", "40 3 * * *", check_integrity)?
            .jittered(10 * MINUTE)
            .within(120 * MINUTE),
        Job::new("statistics", "Keeps the scores of the day", "*/15 * * * *", keep_scores)?.jittered(MINUTE),
        Job::new("health-sample", "Keeps how the service is", "* * * * *", sample_health)?
            .within(MINUTE)
            .on_every_node(),
        Job::new("auto-heal", "Looks for trouble and puts it right", "* * * * *", heal)?
            .within(5 * MINUTE)
            .on_every_node(),
        Job::new("key-use", "Writes when API keys were last used", "* * * * *", note_key_use)?
            .within(MINUTE)
            .on_every_node(),
        Job::new(
            "limit-sweep",
            "Forgets request counts that can no longer matter",
            "* * * * *",
            sweep_limits,
        )?
        .within(MINUTE)
        .on_every_node(),
    ];
    Ok(jobs.into_iter().map(|job| job.in_zone(options.zone.clone())).collect())
}

async fn expire_acceptances(app: App) -> Result<String> {
    let (findings, risks) = (app.expire_acceptances().await?, app.expire_risk_acceptances().await?);
    Ok(format!("{findings} findings and {risks} risks opened again"))
}

async fn mail_notices(app: App) -> Result<String> {
    let (mails, old) = (app.messages.mail_notices().await?, app.messages.prune_notices().await?);
    Ok(format!("{mails} mails, {old} old notices deleted"))
}

async fn notify_of_days(app: App) -> Result<String> {
    Ok(format!("{} days mentioned", app.notify_of_days().await?))
}

async fn raise_deadlines(app: App) -> Result<String> {
    let (announced, missed) = (app.raise_deadlines().await?, app.publish_missed_reports().await?);
    Ok(format!("{announced} announced, {missed} reports not sent in time"))
}

async fn notice_keys(app: App) -> Result<String> {
    Ok(format!("{} keys announced", app.people.notice_ending_keys().await?))
}

async fn propose_series(app: App) -> Result<String> {
    Ok(format!("{} incidents changed", app.resilience.propose_recurring_incidents().await?))
}

async fn send_user_mail(app: App) -> Result<String> {
    Ok(format!("{} mails done with", app.messages.send_user_mail().await?))
}

async fn raise_review_deadlines(app: App) -> Result<String> {
    Ok(format!("{} announced", app.raise_review_deadlines().await?))
}

async fn sync_timeline(app: App) -> Result<String> {
    let (report, _) = app.resilience.refresh_timeline(Actor::System).await?;
    let summary = format!("{} added, {} updated, {} removed", report.added, report.updated, report.removed);
    match report.failures.first() {
        None => Ok(summary),
        Some(first) => Ok(format!(
            "{summary}; {} sources failed, the first: {}: {}",
            report.failures.len(),
            first.source,
            first.error
        )),
    }
}

async fn tidy_search(app: App) -> Result<String> {
    Ok(format!("steps taken: {}", app.reference.tidy_search().await?))
}

async fn forget(app: App, deliveries_kept_ms: i64) -> Result<String> {
    let answers = app.prune_idempotency().await?;
    let sessions = app.access.prune_sessions().await?;
    let refusals = app.access.prune_refused_sign_ins().await?;
    app.third_parties.sweep_submissions(app.clock.now());
    app.work.sweep_calendars(app.clock.now());
    let deliveries = app.messages.prune_deliveries(deliveries_kept_ms).await?;
    let announcements = app.prune_announcements().await?;
    let (scans, mails) = (app.operations.prune_scans().await?, app.messages.prune_user_mail().await?);
    let (events, bundles) = (app.messages.prune_events().await?, app.bundle.prune_bundles().await?);
    let reports = app.period_report.prune_reports().await?;
    Ok(format!(
        "{answers} kept answers, {sessions} sessions and links, {refusals} refused sign-ins, {deliveries} deliveries, {announcements} \
         announcements, {scans} scans, {mails} mails, {events} events, {bundles} bundles, {reports} reports deleted"
    ))
}

async fn prune_uploads(app: App) -> Result<String> {
    let Pruned { uploads, objects, postponed } = app.compliance.prune_uploads().await?;
    let summary = format!("{uploads} uploads deleted");
    Ok(match (objects, postponed) {
        (0, 0) => summary,
        _ => format!("{summary}, {objects} objects removed, {postponed} to be tried again"),
    })
}

async fn make_bundles(app: App) -> Result<String> {
    Ok(format!("{} bundles made", Box::pin(app.bundle.make_bundles()).await?))
}

async fn make_reports(app: App) -> Result<String> {
    let (scheduled, made) =
        (app.period_report.schedule_reports().await?, Box::pin(app.period_report.make_reports()).await?);
    Ok(format!("{scheduled} reports scheduled, {made} made"))
}

async fn keep_scores(app: App) -> Result<String> {
    Ok(format!("scores of {} tenants kept", app.compliance.keep_scores().await?))
}

async fn sample_health(app: App) -> Result<String> {
    app.operations.sample_health().await
}

async fn heal(app: App) -> Result<String> {
    let healed = app.heal().await?.into_iter().filter(|(_, outcome, _)| *outcome != HealOutcome::NothingToDo);
    let summary: Vec<String> =
        healed.map(|(action, outcome, count)| format!("{action} {outcome} {count}")).collect();
    Ok(summary.join(", "))
}

async fn check_integrity(app: App) -> Result<String> {
    app.check_integrity().await
}

async fn note_key_use(app: App) -> Result<String> {
    app.people.note_key_use().await.map(|()| String::new())
}

async fn sweep_limits(app: App) -> Result<String> {
    app.limits.sweep(app.clock.now());
    Ok(String::new())
}
