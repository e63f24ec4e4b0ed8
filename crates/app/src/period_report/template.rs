//! Templates of reports: what they look like, and when one is made by itself.

use data_encoding::BASE64;
use domain::{
    framework::Framework,
    id::UserId,
    moment::Moment,
    period_report::PeriodReportComplaint,
    report_template::{ReportSchedule, ReportTemplate, ReportTemplateId, ReportTemplateInput},
    right::{Resource, Right},
    time_zone::TimeZone,
};
use reports::logo::{self, Logo, LogoError};
use serde_json::{Value, json};
use store::{Reader, Tx, report_template as rows, user};

use super::ReportTemplateRow;
use crate::{
    Error, PeriodReports, Result,
    author::Author,
    authz::Caller,
    change_log::difference,
    idempotency::{Creation, Idempotency},
};

/// The change of a logo.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LogoChange {
    #[default]
    Keep,
    Clear,
    /// A PNG image.
    Set(Vec<u8>),
}

impl LogoChange {
    /// A file that was not kept because of its size.
    pub fn too_large() -> Self {
        Self::Set(vec![0; logo::MOST_BYTES + 1])
    }

    /// An image in base64.
    pub fn read(text: &str) -> std::result::Result<Self, PeriodReportComplaint> {
        BASE64.decode(text.as_bytes()).map(Self::Set).map_err(|_| PeriodReportComplaint::NotAPng)
    }
}

/// A change of a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportTemplateChange {
    pub input: ReportTemplateInput,
    pub logo: LogoChange,
}

impl PeriodReports {
    /// All templates of the institution, without their images.
    pub async fn report_templates(&self, caller: &Caller) -> Result<Vec<ReportTemplateRow>> {
        caller.require_right(Resource::Reports, Right::Read)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::all(r, &scope)).await.map_err(Error::from)
    }

    pub async fn report_template(&self, caller: &Caller, id: ReportTemplateId) -> Result<ReportTemplateRow> {
        caller.require_right(Resource::Reports, Right::Read)?;
        let scope = *caller.scope();
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope, id)).await?;
        found.ok_or(Error::NotFound)
    }

    pub async fn create_report_template(
        &self,
        caller: &Caller,
        change: ReportTemplateChange,
        idempotency: Option<Idempotency>,
        render: fn(&ReportTemplateRow) -> String,
    ) -> Result<Creation> {
        let author = self.template_author(caller, &change).await?;
        let write = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                let row = author.add_template(tx, &change)?;
                Ok((row.id.to_string(), row))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    pub async fn change_report_template(
        &self,
        caller: &Caller,
        id: ReportTemplateId,
        change: ReportTemplateChange,
    ) -> Result<ReportTemplateRow> {
        let author = self.template_author(caller, &change).await?;
        let write = move |tx: &mut Tx<'_>| author.change_template(tx, id, &change);
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Deletes a template. Reports that were made with it stay as they are.
    pub async fn delete_report_template(&self, caller: &Caller, id: ReportTemplateId) -> Result<()> {
        caller.require_right(Resource::Reports, Right::Decide)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let row = author.report_template(tx, id)?;
            rows::delete(tx, author.scope(), id)?;
            author.audit(tx, "report_template.deleted", id, &json!({ "name": row.template.name.as_str() }))
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Who may change templates, once the image and the framework of the change are checked.
    async fn template_author(&self, caller: &Caller, change: &ReportTemplateChange) -> Result<Author> {
        caller.require_right(Resource::Reports, Right::Decide)?;
        if let LogoChange::Set(bytes) = &change.logo {
            let bytes = bytes.clone();
            let read = tokio::task::spawn_blocking(move || Logo::read(&bytes).map(|_| ())).await;
            read.map_err(Error::internal)?.map_err(|error| Error::invalid("logo", refusal(error)))?;
        }
        if let domain::change::Change::Set(schedule) = &change.input.schedule
            && let Some(id) = schedule.framework.as_deref().filter(|id| !id.is_empty())
        {
            let edition = self.edition_of(caller).await?;
            edition.framework_named(id).map_err(|error| Error::invalid("schedule.framework", error))?;
        }
        Ok(Author::new(self, caller))
    }
}

impl Author {
    fn add_template(&self, tx: &mut Tx<'_>, change: &ReportTemplateChange) -> Result<ReportTemplateRow> {
        let zone = self.institution_zone(tx)?;
        let template = change.input.create(self.now, &zone)?;
        if rows::all(tx, self.scope())?.len() >= ReportTemplate::MOST {
            let most = ReportTemplate::MOST;
            return Err(Error::invalid("name", PeriodReportComplaint::TooManyTemplates { most }));
        }
        self.check_notified(tx, &template)?;
        let id: ReportTemplateId = self.core.ids.next(self.now);
        let next_run_at = next_run(&template, self.now, &zone);
        let logo = logo_of(&change.logo, None);
        let row =
            ReportTemplateRow { id, template, logo, next_run_at, created_at: self.now, updated_at: self.now };
        rows::insert(tx, self.scope(), &row)?;
        self.audit(tx, "report_template.created", id, &content(&row))?;
        Ok(row)
    }

    fn change_template(
        &self,
        tx: &mut Tx<'_>,
        id: ReportTemplateId,
        change: &ReportTemplateChange,
    ) -> Result<ReportTemplateRow> {
        let before = self.report_template(tx, id)?;
        let zone = self.institution_zone(tx)?;
        let template = change.input.change(&before.template, self.now, &zone)?;
        self.check_notified(tx, &template)?;
        let logo = logo_of(&change.logo, before.logo.clone());
        let schedule = |template: &ReportTemplate| template.content.schedule.clone();
        // The next report of a schedule that stays as it is comes when it was to come.
        let next_run_at = if schedule(&template) == schedule(&before.template) {
            before.next_run_at
        } else {
            next_run(&template, self.now, &zone)
        };
        let row = ReportTemplateRow { template, logo, next_run_at, updated_at: self.now, ..before.clone() };
        if (&row.template, &row.logo) == (&before.template, &before.logo) {
            return Ok(before);
        }
        rows::update(tx, self.scope(), &row)?;
        self.audit(tx, "report_template.changed", id, &difference(&content(&before), &content(&row)))?;
        Ok(row)
    }

    /// A schedule names people of the institution.
    fn check_notified(&self, reader: &mut Reader<'_>, template: &ReportTemplate) -> Result<()> {
        let people = template.content.schedule.iter().flat_map(|schedule| &schedule.people);
        for person in people {
            if user::get(reader, self.scope(), *person)?.is_none() {
                return Err(Error::invalid("schedule.people", PeriodReportComplaint::NotAPerson));
            }
        }
        Ok(())
    }
}

fn next_run(template: &ReportTemplate, now: Moment, zone: &TimeZone) -> Option<Moment> {
    template.content.schedule.as_ref().map(|schedule| schedule.cron.next_after(now, zone))
}

fn logo_of(change: &LogoChange, before: Option<String>) -> Option<String> {
    match change {
        LogoChange::Keep => before,
        LogoChange::Clear => None,
        LogoChange::Set(bytes) => Some(BASE64.encode(bytes)),
    }
}

fn refusal(error: LogoError) -> PeriodReportComplaint {
    match error {
        LogoError::NotAPng => PeriodReportComplaint::NotAPng,
        LogoError::TooLarge => PeriodReportComplaint::LargeLogo {
            bytes: logo::MOST_BYTES,
            width: logo::MOST_WIDTH,
            height: logo::MOST_HEIGHT,
        },
    }
}

/// What the audit log compares. Of an image it says whether there is one.
fn content(row: &ReportTemplateRow) -> Value {
    let content = &row.template.content;
    let paragraphs: Vec<&str> = content.paragraphs.iter().map(|one| one.title.as_str()).collect();
    let signatories: Vec<&str> = content.signatories.iter().map(|one| one.name.as_str()).collect();
    json!({
        "name": row.template.name.as_str(),
        "classification": content.classification.as_ref().map(AsRef::<str>::as_ref),
        "parts": content.parts,
        "paragraphs": paragraphs,
        "signatories": signatories,
        "schedule": content.schedule.as_ref().map(scheduled),
        "logo": row.logo.is_some(),
    })
}

fn scheduled(schedule: &ReportSchedule) -> Value {
    json!({
        "cron": schedule.cron.as_str(), "covers": schedule.covers, "kind": schedule.kind,
        "framework": schedule.framework.map(|id: Framework| id.to_string()),
        "people": schedule.people.iter().map(UserId::to_string).collect::<Vec<_>>(),
    })
}
