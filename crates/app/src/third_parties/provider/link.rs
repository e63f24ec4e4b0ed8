//! The link that opens one questionnaire for a provider, without an account.
//!
//! The link is shown once to the user who requests it; the store keeps its digest. Its holder sees this questionnaire
//! and nothing else, and can answer it until it is submitted.

use std::net::IpAddr;

use domain::{
    id::{ProviderId, ReviewId},
    moment::Moment,
    provider::{Provider, ProviderComplaint, Review, SubmissionInput},
    rate::{Decision, Rules},
    right::{Resource, Right},
    text::Name,
    user::Email,
    wording::Label,
};
use outbound::message;
use serde_json::json;
use store::{Reader, Tx, profile, record, review_link, review_link::ReviewLink, tenant, user_mail};

use super::{ReviewChange, ReviewView};
use crate::{
    Error, Result, ThirdParties, author::Author, authz::Caller, history::Detail, mail_address,
    pages::Precondition, records, token::Token, user_mail::UserMail,
};

/// The path of the questionnaire page.
pub const PATH: &str = "/due-diligence";
/// How long a link works.
pub const LINK_DAYS: i64 = 30;
/// How long a questionnaire is not sent by mail again.
const MAILED_AGAIN_SECONDS: i64 = 60 * 60;
/// How often an hour a questionnaire accepts answers.
const SAVES: Rules =
    Rules { window_ms: 3_600_000, standard: 60, burst: 60, exceedances: 0, block_ms: 0, memory_ms: 0 };

const MAIL_SUBJECT: Label = Label::new("Questionnaire on your services", "Fragebogen zu Ihren Leistungen");
const MAIL_GREETING: Label = Label::new("Hello,", "Guten Tag,");
const MAIL_BODY: Label = Label::new(
    "we review our ICT providers and ask you to answer a questionnaire. It opens without an account for 30 days; you can save and come back, and attach files:",
    "wir prüfen unsere IKT-Dienstleister und bitten Sie, einen Fragebogen zu beantworten. Er öffnet sich 30 Tage lang ohne Konto; Sie können zwischendurch speichern und Dateien beifügen:",
);
const MAIL_CLOSING: Label = Label::new(
    "Anyone who has this link can answer for you. Please pass it on only to those who shall.",
    "Mit diesem Link kann jede Person für Sie antworten. Bitte geben Sie ihn nur an diejenigen weiter, die es sollen.",
);

/// A review with the link that was given out.
#[derive(Debug)]
pub struct SentReview {
    pub detail: Detail<ReviewView>,
    /// The whole URL, shown once.
    pub url: String,
    pub expires_at: Moment,
    /// Where it was sent by mail.
    pub mailed_to: Option<Email>,
    /// Whether the mail waits until the owner of the address has agreed to mail of the institution.
    pub awaits_confirmation: bool,
}

/// What the holder of a link sees.
#[derive(Debug, Clone)]
pub struct Questionnaire {
    pub institution: Name,
    pub provider: Name,
    pub review: ReviewView,
    pub expires_at: Moment,
}

impl ThirdParties {
    /// Gives out a link to the questionnaire, and sends it to the provider's contact if that is wanted. Links given out
    /// before stop working.
    pub async fn send_review(
        &self,
        caller: &Caller,
        (provider, id): (ProviderId, ReviewId),
        by_mail: bool,
        precondition: Precondition,
    ) -> Result<SentReview> {
        caller.require_right(Resource::Providers, Right::Decide)?;
        if by_mail && !self.sends_mail() {
            return Err(Error::invalid("mail", ProviderComplaint::NoMailServer));
        }
        let (author, token) = (Author::new(self, caller), Token::random());
        let expires_at = author.now.plus_seconds(LINK_DAYS * 24 * 60 * 60);
        let url = format!("{}{PATH}/{}", self.senders.public_url, token.reveal());
        let (digest, address) = (token.digest(), url.clone());
        let write = move |tx: &mut Tx<'_>| {
            let scope = *author.scope();
            of_provider(tx, &scope, provider, id)?;
            author.change::<Review>(tx, id, &ReviewChange::Send { until: expires_at }, &precondition)?;
            let before = review_link::mailed_at(tx, &scope, id)?;
            let mailed_at = if by_mail { Some(author.next_mail(before)?) } else { before };
            review_link::replace(tx, &scope, id, &digest, (author.now, expires_at), mailed_at)?;
            // A mail with an earlier link, which works no more, need not go out.
            user_mail::delete_about(tx, &scope, &id.to_string())?;
            let mailed = if by_mail {
                Some(author.mail_link(tx, (provider, id), &address, expires_at)?)
            } else {
                None
            };
            let detail = json!({ "expires_at": expires_at, "mailed": by_mail });
            author.audit(tx, "review.sent", id, &detail)?;
            Ok::<_, Error>((records::detail::<Review>(&author.core, tx, &scope, id)?, mailed))
        };
        let (detail, mailed) = self.db.tenant(caller.scope()).write(write).await?;
        if by_mail {
            self.messages.post_user_mail();
        }
        let awaits_confirmation = mailed.as_ref().is_some_and(|(_, waits)| *waits);
        let mailed_to = mailed.map(|(address, _)| address);
        Ok(SentReview { detail, url, expires_at, mailed_to, awaits_confirmation })
    }

    /// The questionnaire of a link. `None` if the link has expired, was replaced, or never existed.
    pub async fn questionnaire(&self, token: &Token, address: IpAddr) -> Result<Option<Questionnaire>> {
        let Some(link) = self.review_link(token, address).await? else { return Ok(None) };
        // The holder of the link sees the one review it names, with the rights of the service itself.
        let caller = Caller::system(link.tenant);
        let (this, scope) = (self.clone(), *caller.scope());
        let read = move |reader: &mut Reader<'_>| {
            let institution = profile::get(reader, &scope)?.profile.legal_name;
            let Detail { record: review, .. } =
                records::detail::<Review>(&this, reader, &scope, link.review)?;
            let provider = record::get::<Provider>(reader, &scope, review.row.record.provider_id)?;
            Ok(provider.map(|provider| Questionnaire {
                institution,
                provider: provider.record.name,
                review,
                expires_at: link.expires_at,
            }))
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// Stores the provider's answers; once submitted they are read-only.
    pub async fn answer_questionnaire(
        &self,
        token: &Token,
        address: IpAddr,
        input: SubmissionInput,
    ) -> Result<()> {
        let link = self.review_link(token, address).await?.ok_or(Error::NotFound)?;
        self.admit_submission(link.review)?;
        let caller = Caller::system(link.tenant);
        let author = Author::new(self, &caller);
        let write = move |tx: &mut Tx<'_>| {
            let submitted = input.submit;
            let change = ReviewChange::Submission(input.clone());
            if author.change::<Review>(tx, link.review, &change, &Precondition::None)? {
                let detail = json!({ "submitted": submitted });
                author.audit(tx, "review.answered", link.review, &detail)?;
                if submitted {
                    author.notify_answered(tx, link.review)?;
                }
            }
            Ok::<_, Error>(())
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Counts what comes through the link to a questionnaire: answers and files alike.
    pub(super) fn admit_submission(&self, review: ReviewId) -> Result<()> {
        match self.submissions.admit(&SAVES, review, self.clock.now()) {
            Decision::Rejected { limit, retry_after } => {
                Err(Error::Limited { limit, window_seconds: SAVES.window_seconds(), retry_after })
            }
            Decision::Served { .. } => Ok(()),
        }
    }

    /// Forgets how often questionnaires took answers once that is long ago.
    pub(crate) fn sweep_submissions(&self, now: Moment) {
        self.submissions.sweep(&SAVES, now);
    }

    /// The link, unless its time is over. Addresses that try wrong ones wait longer each time, as at sign-in.
    pub(super) async fn review_link(&self, token: &Token, address: IpAddr) -> Result<Option<ReviewLink>> {
        let (digest, now) = (token.digest(), self.clock.now());
        let attempt = self.sign_in_throttle.attempt(&format!("{PATH}/{digest}"), address, now).await;
        let attempt = attempt.map_err(|too_many| Error::Limited {
            limit: SAVES.standard,
            window_seconds: SAVES.window_seconds(),
            retry_after: too_many.retry_after,
        })?;
        let read = move |reader: &mut Reader<'_>| {
            let found = review_link::get(reader, &digest)?.filter(|link| now < link.expires_at);
            let Some(link) = found else { return Ok::<_, Error>(None) };
            let institution = tenant::by_id(reader, link.tenant)?;
            Ok(institution.filter(|found| found.closed_at.is_none()).map(|_| link))
        };
        let found = self.db.platform().read(read).await?;
        if found.is_some() {
            attempt.succeeded();
        } else {
            attempt.failed(self.clock.now());
            self.note_wrong_link("questionnaire");
        }
        Ok(found)
    }
}

impl Author {
    /// The time of a mail that is sent now, unless there was one within the last hour.
    fn next_mail(&self, before: Option<Moment>) -> Result<Moment> {
        let left = before.map_or(0, |before| MAILED_AGAIN_SECONDS - before.seconds_until(self.now));
        if left > 0 {
            let minutes = (left + 59) / 60;
            return Err(Error::invalid("mail", ProviderComplaint::MailedLately { minutes }));
        }
        Ok(self.now)
    }

    /// Writes to the person at the provider, in the language of the institution. Gives the address, and whether the
    /// mail waits until its owner has agreed.
    fn mail_link(
        &self,
        tx: &mut Tx<'_>,
        (provider, review): (ProviderId, ReviewId),
        url: &str,
        expires_at: Moment,
    ) -> Result<(Email, bool)> {
        let scope = *self.scope();
        let row = record::get::<Provider>(tx, &scope, provider)?.ok_or(Error::NotFound)?;
        let to = row.record.contact;
        let to = to.ok_or_else(|| Error::invalid("contact", ProviderComplaint::NoContact))?;
        let institution = tenant::by_id(tx, scope.tenant())?.ok_or(Error::NotFound)?;
        let language = institution.language;
        let t = |label: Label| label.text(language);
        let subject = format!("{} ({})", t(MAIL_SUBJECT), institution.name);
        let text = message::PersonalMail {
            subject: &subject,
            greeting: t(MAIL_GREETING),
            body: t(MAIL_BODY),
            url,
            closing: t(MAIL_CLOSING),
        };
        let text = text.draw(language);
        let waits = !mail_address::may_mail(tx, &scope, &to)?;
        if waits {
            self.core.ask_address(tx, &self.caller, &to, self.now)?;
        }
        let about = Some(review.to_string());
        let mail = UserMail { waits, about, ..UserMail::new(to.clone(), text, expires_at) };
        self.core.queue_user_mail(tx, scope.tenant(), mail, self.now)?;
        Ok((to, waits))
    }
}

/// Refuses a review of another provider.
pub(super) fn of_provider(
    reader: &mut Reader<'_>,
    scope: &store::TenantScope,
    provider: ProviderId,
    id: ReviewId,
) -> Result<()> {
    let row = record::get::<Review>(reader, scope, id)?.ok_or(Error::NotFound)?;
    if row.record.provider_id == provider { Ok(()) } else { Err(Error::NotFound) }
}
