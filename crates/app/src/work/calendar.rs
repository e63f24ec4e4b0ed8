//! The private calendar address of a person: what of theirs is due, for a calendar program, read only.
//!
//! The address is shown once; the store keeps a digest of its secret. It shows the title, the reference and the day of
//! what is on the person's list of work, and nothing else.

use std::net::IpAddr;

use domain::{
    actor::Actor,
    id::{TenantId, UserId},
    moment::Moment,
    page::PageRequest,
    rate::{Decision, Rules},
    task::TaskType,
    text::Name,
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, Tx, calendar_link, tenant, user};

use crate::{
    Error, Result, Work,
    author::Author,
    authz::Caller,
    records::AnyKind,
    session::Session,
    token::Token,
    work::{TaskFilter, TaskReader, WorkItem},
};

/// The path of calendars.
pub const PATH: &str = "/calendar";
/// How many items a calendar lists, soonest first.
const MOST: u32 = 500;
/// How often an hour a calendar is read. Programs read it a few times an hour from each device.
const READS: Rules =
    Rules { window_ms: 3_600_000, standard: 120, burst: 120, exceedances: 0, block_ms: 0, memory_ms: 0 };

/// What is due for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalCalendar {
    pub institution: Name,
    pub language: Language,
    /// With the reference of each record that has one.
    pub items: Vec<(WorkItem, Option<String>)>,
    pub read_at: Moment,
}

impl Work {
    /// Makes a new calendar address for the caller. The one before stops working.
    pub async fn make_calendar(&self, session: &Session) -> Result<Token> {
        let (author, token) = (Author::new(self, &session.caller), Token::random());
        let (user, digest) = (session.user.id, token.digest());
        let write = move |tx: &mut Tx<'_>| {
            calendar_link::put(tx, author.scope(), user, &digest, author.now)?;
            author.audit(tx, "user.calendar_made", user, &json!({}))
        };
        self.db.tenant(session.caller.scope()).write(write).await?;
        Ok(token)
    }

    /// The address of the caller's calendar stops working.
    pub async fn revoke_calendar(&self, session: &Session) -> Result<()> {
        let (author, user) = (Author::new(self, &session.caller), session.user.id);
        let write = move |tx: &mut Tx<'_>| {
            if calendar_link::made_at(tx, author.scope(), user)?.is_none() {
                return Ok::<_, Error>(());
            }
            calendar_link::delete(tx, author.scope(), user)?;
            author.audit(tx, "user.calendar_revoked", user, &json!({}))
        };
        self.db.tenant(session.caller.scope()).write(write).await
    }

    /// When the caller's calendar address was made; `None` if they have none.
    pub async fn calendar_made_at(&self, session: &Session) -> Result<Option<Moment>> {
        let (scope, user) = (*session.caller.scope(), session.user.id);
        let read = move |reader: &mut Reader<'_>| calendar_link::made_at(reader, &scope, user);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    /// What is due for the person with this calendar address. `None` if the address was revoked or never existed, or
    /// if the account is closed.
    pub async fn calendar(&self, token: &Token, address: IpAddr) -> Result<Option<PersonalCalendar>> {
        let Some((tenant, user)) = self.calendar_owner(token, address).await? else { return Ok(None) };
        if let Decision::Rejected { limit, retry_after } =
            self.calendars.admit(&READS, user, self.clock.now())
        {
            return Err(Error::Limited { limit, window_seconds: READS.window_seconds(), retry_after });
        }
        let caller = Caller::system(tenant);
        let (this, scope, clocks, now) = (self.clone(), *caller.scope(), self.clocks()?, self.clock.now());
        let read = move |reader: &mut Reader<'_>| {
            let Some(institution) = tenant::by_id(reader, tenant)?.filter(|one| one.closed_at.is_none())
            else {
                return Ok(None);
            };
            let person = user::get(reader, &scope, user)?.map(|(person, _)| person);
            let today = institution.time_zone.local(now).day;
            let is_open = |person: &user::UserRow| {
                person.disabled_at.is_none() && person.ends_on.is_none_or(|last| today <= last)
            };
            let Some(person) = person.filter(is_open) else { return Ok(None) };
            let language = person.language.unwrap_or(institution.language);
            let edition = this.edition_in(reader, &scope)?;
            let tasks = TaskReader { edition: &edition, clocks: &clocks, scope: &scope, language, now };
            let owner = Some(Actor::User(user).to_string());
            let filter = TaskFilter { owner, ..TaskFilter::default() };
            let page = tasks.page(reader, &filter, PageRequest::part(MOST, 0))?;
            let mut items = Vec::new();
            for item in page.items.into_iter().filter(|item| item.due.is_some()) {
                let reference = reference_of(reader, &scope, &item)?;
                items.push((item, reference));
            }
            Ok::<_, Error>(Some(PersonalCalendar {
                institution: institution.name,
                language,
                items,
                read_at: now,
            }))
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The person with this address. Clients that try wrong ones wait longer each time, as at sign-in.
    async fn calendar_owner(&self, token: &Token, address: IpAddr) -> Result<Option<(TenantId, UserId)>> {
        let (digest, now) = (token.digest(), self.clock.now());
        let attempt = self.sign_in_throttle.attempt(&format!("{PATH}/{digest}"), address, now).await;
        let attempt = attempt.map_err(|too_many| Error::Limited {
            limit: READS.standard,
            window_seconds: READS.window_seconds(),
            retry_after: too_many.retry_after,
        })?;
        let found = self.db.platform().read(move |reader| calendar_link::find(reader, &digest)).await?;
        if found.is_some() {
            attempt.succeeded();
        } else {
            attempt.failed(self.clock.now());
            self.note_wrong_link("calendar");
        }
        Ok(found)
    }

    /// Forgets how often calendars were read once that is long ago.
    pub(crate) fn sweep_calendars(&self, now: Moment) {
        self.calendars.sweep(&READS, now);
    }
}

fn reference_of(
    reader: &mut Reader<'_>,
    scope: &store::TenantScope,
    item: &WorkItem,
) -> Result<Option<String>> {
    if item.kind == TaskType::Assessment {
        return Ok(None);
    }
    let Some(kind) = AnyKind::of_task(item.kind) else { return Ok(None) };
    let fields = kind.find(reader, scope, &item.id)?;
    let reference = fields.as_ref().and_then(|fields| fields.get("reference")).and_then(Value::as_str);
    Ok(reference.map(str::to_owned))
}
