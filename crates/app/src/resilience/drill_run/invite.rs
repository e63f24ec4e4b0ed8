//! Mails to the lead and the participants of a run: that it is planned, that it was changed, and that it was cancelled.

use domain::{
    actor::Actor,
    drill_run::{DrillRun, DrillRunStatus},
    format,
    id::UserId,
    text::Name,
    wording::Label,
};
use outbound::message;
use store::{Tx, tenant, user};

use super::DrillRunRow;
use crate::{Error, Result, author::Author, ownership::meant, user_mail::UserMail};

/// How long a mail is tried.
const TRIED_SECONDS: i64 = 3 * 24 * 60 * 60;

const PLANNED: Label = Label::new("A drill is planned", "Eine Übung ist geplant");
const CHANGED: Label = Label::new("A drill was changed", "Eine Übung wurde geändert");
const CANCELLED: Label = Label::new("A drill was cancelled", "Eine Übung wurde abgesagt");
const GREETING: Label = Label::new("Hello,", "Guten Tag,");
const LEADS: Label =
    Label::new("you lead the drill {reference} on {day}.", "Sie leiten die Übung {reference} am {day}.");
const TAKES_PART: Label = Label::new(
    "you take part in the drill {reference} on {day}.",
    "Sie nehmen an der Übung {reference} am {day} teil.",
);
const CLOSING: Label = Label::new(
    "This is an exercise, no incident. You get this mail because you lead the drill or take part in it.",
    "Dies ist eine Übung, kein Vorfall. Sie erhalten diese E-Mail, weil Sie die Übung leiten oder an ihr teilnehmen.",
);

impl Author {
    pub(super) fn invite(&self, tx: &mut Tx<'_>, row: &DrillRunRow) -> Result<()> {
        self.write_about(tx, row, PLANNED)
    }

    /// Writes again when the day, the people or the fate of the run changed.
    pub(super) fn invite_again(
        &self,
        tx: &mut Tx<'_>,
        before: &DrillRunRow,
        after: &DrillRunRow,
    ) -> Result<()> {
        let (was, is) = (&before.record, &after.record);
        if is.status == DrillRunStatus::Cancelled && was.status != is.status {
            return self.write_about(tx, after, CANCELLED);
        }
        let named_in_mail = |run: &DrillRun| (run.planned_for, run.lead.clone(), run.participants.clone());
        if is.status == DrillRunStatus::Planned && named_in_mail(was) != named_in_mail(is) {
            return self.write_about(tx, after, CHANGED);
        }
        Ok(())
    }

    fn write_about(&self, tx: &mut Tx<'_>, row: &DrillRunRow, subject: Label) -> Result<()> {
        if !self.core.sends_mail() {
            return Ok(());
        }
        let mut written: Vec<UserId> = Vec::new();
        let people = row.record.participants.iter().map(|name| (name, TAKES_PART));
        for (name, part) in row.record.lead.iter().map(|name| (name, LEADS)).chain(people) {
            if let Some(id) = self.person_meant(tx, name)?.filter(|id| !written.contains(id)) {
                written.push(id);
                self.write_to_person(tx, row, id, (subject, part))?;
            }
        }
        Ok(())
    }

    /// The one account that a name means, unless it is the author's own.
    fn person_meant(&self, tx: &mut Tx<'_>, name: &Name) -> Result<Option<UserId>> {
        let found = meant(tx, &self.caller, name)?;
        let [id] = found.as_slice() else { return Ok(None) };
        Ok(Some(*id).filter(|id| self.caller.actor() != Actor::User(*id)))
    }

    fn write_to_person(
        &self,
        tx: &mut Tx<'_>,
        row: &DrillRunRow,
        id: UserId,
        (subject, part): (Label, Label),
    ) -> Result<()> {
        let Some((person, _)) = user::get(tx, self.scope(), id)? else { return Ok(()) };
        if person.disabled_at.is_some() {
            return Ok(());
        }
        let tenant = tenant::by_id(tx, person.tenant)?.ok_or(Error::NotFound)?;
        let language = person.language.unwrap_or(tenant.language);
        let body = part
            .text(language)
            .replacen("{reference}", &row.record.reference.to_string(), 1)
            .replacen("{day}", &format::day(language, row.record.planned_for), 1);
        let mail = message::PersonalMail {
            subject: &format!("{} ({})", subject.text(language), tenant.name),
            greeting: GREETING.text(language),
            body: &body,
            url: &format!("{}/workspace/drill-runs/{}", self.core.senders.public_url, row.id),
            closing: CLOSING.text(language),
        };
        let ends_at = self.now.plus_seconds(TRIED_SECONDS);
        let mail = UserMail::new(person.email.clone(), mail.draw(language), ends_at);
        self.core.queue_user_mail(tx, tenant.id, mail, self.now)
    }
}
