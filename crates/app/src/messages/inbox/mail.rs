//! The mails with notices: one for everything that is due for a person.

use domain::{
    deadline::Due,
    format,
    id::{TenantId, UserId},
    inbox::Reason,
    moment::{Day, Moment},
    time_zone::TimeZone,
    user::Email,
    wording::{Label, Language},
};
use outbound::message::{ListMail, MailText};
use serde_json::json;
use store::{
    Reader, Tx,
    inbox::{self as rows, NoticeRow},
    tenant::{self, TenantRow},
    user::{self, UserRow},
    user_mail,
};

use crate::{
    Error, Messages, Result, author::Author, authz::Caller, records::AnyKind, security::What,
    user_mail::UserMail,
};

/// How many people get their mail in one run of the job.
const PEOPLE: u32 = 500;
/// How many notices one mail lists.
const LISTED: u32 = 50;
/// Notices are stored for 90 days; a mail that has not arrived by then is no longer sent.
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;

const ONE: Label = Label::new("{institution}: {reason}", "{institution}: {reason}");
const MANY: Label = Label::new("{institution}: {count} notices", "{institution}: {count} Nachrichten");
const GREETING: Label = Label::new("Hello", "Guten Tag");
const BODY: Label = Label::new("this concerns you at {institution}:", "bei {institution} betrifft Sie:");
const MORE: Label =
    Label::new("And {count} more in your inbox.", "Und {count} weitere in Ihrem Posteingang.");
const CLOSING: Label = Label::new(
    "Your inbox, and how you want to be notified (in your profile). This mail contains no contents of records.",
    "Ihr Posteingang; wie Sie benachrichtigt werden, wählen Sie in Ihrem Profil. Diese E-Mail enthält keine Inhalte von Datensätzen.",
);
const CLOSING_WITH_TITLES: Label = Label::new(
    "Your inbox, and how you want to be notified (in your profile).",
    "Ihr Posteingang; wie Sie benachrichtigt werden, wählen Sie in Ihrem Profil.",
);
const DUE: Label = Label::new("due {day}", "fällig {day}");

impl Messages {
    /// Mails the notices that are due and returns the number of mails. A job calls it every minute.
    pub async fn mail_notices(&self) -> Result<u64> {
        if !self.sends_mail() {
            return Ok(0);
        }
        let now = self.clock.now();
        let people = self.db.platform().read(move |r| rows::due(r, now, PEOPLE)).await?;
        let mut mails = 0;
        for (tenant, user) in people {
            mails += u64::from(self.mail_notices_of(tenant, user, now).await?);
        }
        if mails > 0 {
            self.post_user_mail();
        }
        Ok(mails)
    }

    /// Deletes notices that are older than 90 days. A job calls it.
    pub async fn prune_notices(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-KEPT_MS);
        self.db.platform().bookkeep(move |tx| rows::prune(tx, before)).await.map_err(Error::from)
    }

    async fn mail_notices_of(&self, tenant: TenantId, user: UserId, now: Moment) -> Result<bool> {
        let (this, scope) = (self.clone(), *Caller::system(tenant).scope());
        let write = move |tx: &mut Tx<'_>| {
            let notices = rows::to_mail(tx, &scope, user, now, LISTED + 1)?;
            let person = user::get(tx, &scope, user)?.map(|(person, _)| person);
            let (Some(person), false) = (person.filter(|one| one.disabled_at.is_none()), notices.is_empty())
            else {
                rows::mailed(tx, &scope, user, now, None)?;
                return Ok::<_, Error>(false);
            };
            let institution = tenant::by_id(tx, tenant)?.ok_or(Error::NotFound)?;
            let with_titles = tenant::titles_in_mail(tx, &scope)?;
            let text = this.drawn(&institution, &person, &notices, with_titles);
            let about = format!("inbox:{user}");
            let mail = UserMail {
                about: Some(about.clone()),
                ..UserMail::new(Email::clone(&person.email), text, now.plus_millis(KEPT_MS))
            };
            // The notices of a mail that waits are in the new one: recorded before that mail is deleted.
            let id = this.queued_user_mail(tx, tenant, mail, now)?;
            rows::mailed(tx, &scope, user, now, Some(id))?;
            user_mail::delete_others_about(tx, &scope, &about, id)?;
            Ok(true)
        };
        self.db.platform().bookkeep(write).await
    }

    /// Whether the mails to people of the caller's institution name the titles of records.
    pub async fn titles_in_mail(&self, caller: &Caller) -> Result<bool> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| tenant::titles_in_mail(reader, &scope);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    pub async fn allow_titles_in_mail(&self, caller: &Caller, allowed: bool) -> Result<()> {
        caller.require_administrator()?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let write = move |tx: &mut Tx<'_>| {
            let before = tenant::titles_in_mail(tx, &scope)?;
            tenant::set_titles_in_mail(tx, &scope, allowed)?;
            author.audit(
                tx,
                "tenant.changed",
                scope.tenant(),
                &json!({ "titles_in_mail": [before, allowed] }),
            )
        };
        self.db.tenant(&scope).write(write).await?;
        self.note_by(caller, What::Settings, "titles_in_mail");
        Ok(())
    }

    fn drawn(
        &self,
        institution: &TenantRow,
        person: &UserRow,
        notices: &[NoticeRow],
        with_titles: bool,
    ) -> MailText {
        let language = person.language.unwrap_or(institution.language);
        let zone = person.time_zone.as_ref().unwrap_or(&institution.time_zone);
        let site = &self.senders.public_url;
        let shown = notices.iter().take(LISTED as usize);
        let items: Vec<(String, String)> = shown
            .map(|notice| {
                let url = format!("{site}/workspace/inbox/{}", notice.id);
                let title = with_titles.then_some(notice.title.as_str()).filter(|title| !title.is_empty());
                (line(notice, title, zone, language), url)
            })
            .collect();
        let name = institution.name.to_string();
        let subject = match notices {
            [one] => ONE.text(language).replacen("{reason}", &said(one, language), 1),
            _ => MANY.text(language).replacen("{count}", &notices.len().to_string(), 1),
        };
        let left = notices.len().saturating_sub(items.len());
        let after = (left > 0).then(|| MORE.text(language).replacen("{count}", &left.to_string(), 1));
        let mail = ListMail {
            subject: &subject.replacen("{institution}", &name, 1),
            greeting: &format!("{} {},", GREETING.text(language), person.name),
            body: &BODY.text(language).replacen("{institution}", &name, 1),
            items: &items,
            after: after.as_deref(),
            url: &format!("{site}/workspace/inbox"),
            closing: if with_titles { CLOSING_WITH_TITLES } else { CLOSING }.text(language),
        };
        mail.draw(language)
    }
}

/// The reason with the record's reference, or with its kind if it has none: never its contents.
fn said(notice: &NoticeRow, language: Language) -> String {
    let kind = AnyKind::of_table(&notice.kind).and_then(|kind| kind.task);
    let record = notice.reference.clone().or_else(|| kind.map(|kind| kind.label().text(language).to_owned()));
    let reason = happened(notice).text(language);
    record.map_or_else(|| reason.to_owned(), |record| format!("{record}: {reason}"))
}

fn line(notice: &NoticeRow, title: Option<&str>, zone: &TimeZone, language: Language) -> String {
    let due = notice.due.as_deref().and_then(|due| due_text(due, zone, language));
    let due = due.map(|day| format!(" ({})", DUE.text(language).replacen("{day}", &day, 1)));
    let title = title.map(|title| format!(": {title}")).unwrap_or_default();
    format!("{}{title}{}", said(notice, language), due.unwrap_or_default())
}

/// A stored day or moment as a person reads it.
pub fn due_text(due: &str, zone: &TimeZone, language: Language) -> Option<String> {
    let due = match due.parse::<Day>() {
        Ok(day) => Due::On(day),
        Err(_) => Due::At(due.parse().ok()?),
    };
    Some(match due {
        Due::On(day) => format::day(language, day),
        Due::At(at) => format::moment(language, zone, at),
    })
}

/// What happened, as a notice says it. The person whose work was handed over is the subject of their own notice.
pub fn happened(notice: &NoticeRow) -> Label {
    match notice.reason {
        Reason::HandedOver if notice.subject == notice.user.to_string() => {
            Label::new("your work was handed over", "Ihre Arbeit wurde übergeben")
        }
        Reason::Assigned => Label::new("assigned to you", "Ihnen zugewiesen"),
        Reason::HandedOver => Label::new("handed over to you", "Ihnen übergeben"),
        Reason::Mentioned => Label::new("you are mentioned", "Sie werden erwähnt"),
        Reason::Commented => Label::new("new comment", "neuer Kommentar"),
        Reason::ApprovalWanted => Label::new("your approval is wanted", "Ihre Freigabe ist gefragt"),
        Reason::ApprovalDecided => Label::new("your request is decided", "über Ihre Anfrage ist entschieden"),
        Reason::DueSoon => Label::new("due soon", "bald fällig"),
        Reason::Overdue => Label::new("overdue", "überfällig"),
        Reason::StatutoryClock => Label::new("statutory report due", "gesetzliche Meldung fällig"),
        Reason::EvidenceExpiring => Label::new("evidence expires", "Nachweis läuft ab"),
        Reason::ProviderAnswered => {
            Label::new("the provider has answered", "der Dienstleister hat geantwortet")
        }
        Reason::RequestAnswered => {
            Label::new("your request for evidence is answered", "Ihre Nachweisanforderung ist beantwortet")
        }
        Reason::ImportFinished => Label::new("import finished", "Import fertig"),
        Reason::ReportReady => Label::new("report ready", "Bericht fertig"),
        Reason::KeyExpiring => Label::new("API key expires", "API-Schlüssel läuft ab"),
    }
}
