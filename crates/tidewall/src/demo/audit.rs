//! What the auditor of the demo bank did: a sample of findings, requests for evidence in every state, and a working note
//! that was released.

use std::collections::{BTreeMap, HashMap};

use app::{
    App, Error, Result,
    authz::Caller,
    finding::{FindingFilter, States},
    seed::Seed,
};
use domain::{
    change::Change,
    evidence_request::{AnswerInput, EvidenceRequestInput, RequestStep},
    finding::Finding,
    id::{FindingId, UserId},
    moment::Moment,
    page::PageRequest,
    sample::{Drawing, Sample},
    text::Name,
    user::Role,
};

use crate::cli::CliError;

const DENIZ: &str = "Deniz Aydin";
const MIRIAM: &str = "Miriam Vogt";
const JONAS: &str = "Jonas Keller";
const SEED: &str = "demo-2026";
const SIZE: u32 = 5;

type People = HashMap<String, (UserId, Role)>;

pub(super) async fn fill(app: &App, owner: &Caller) -> std::result::Result<(), CliError> {
    let people = app.people.people_page(owner, PageRequest::default()).await?.items;
    let people: People =
        people.into_iter().map(|person| (person.name.to_string(), (person.id, person.role))).collect();
    let filter = FindingFilter { states: States::All, ..FindingFilter::default() };
    let page =
        app.records.records::<Finding>(owner, &filter, PageRequest::part(PageRequest::MAX_LIMIT, 0)).await?;
    let mut findings: Vec<FindingId> = page.items.iter().map(|finding| finding.id).collect();
    findings.sort_unstable_by_key(ToString::to_string);
    let now = app.clock.now();
    app.seed(owner, move |seed| Audit { seed, people: &people, findings: &findings, now }.take_place())
        .await?;
    Ok(())
}

struct Audit<'a, 't, 'c> {
    seed: &'a mut Seed<'t, 'c>,
    people: &'a People,
    findings: &'a [FindingId],
    now: Moment,
}

impl Audit<'_, '_, '_> {
    fn take_place(&mut self) -> Result<()> {
        let drawn = self.draw()?;
        let Some(first) = drawn.first().cloned() else { return Ok(()) };
        self.on(16, DENIZ)?;
        let closed = self.ask(
            "The minutes of the last retest of this finding, with the tester's name.",
            &first,
            MIRIAM,
            -9,
        )?;
        self.on(11, MIRIAM)?;
        self.seed.answer_evidence_request(
            closed,
            &answer("The minutes are attached to the test case; the tester was not part of the repair."),
        )?;
        self.on(9, DENIZ)?;
        self.seed.move_evidence_request(closed, &RequestStep::Close)?;
        let answered = self.ask(
            "The list of privileged accounts as of the last quarter, and who reviewed it.",
            "dora-art-09-04-c",
            JONAS,
            4,
        )?;
        self.on(2, JONAS)?;
        self.seed.answer_evidence_request(
            answered,
            &answer(
                "Reviewed on the first of the month by the heads of department; exported from the directory.",
            ),
        )?;
        self.on(6, DENIZ)?;
        self.ask(
            "Proof that the backup of the ledger was restored outside the primary site this year.",
            "dora-art-12-06",
            MIRIAM,
            5,
        )?;
        self.seed.release_note(&first, "Sampled: cause and repair are documented, and the retest was made by another person. No exception.")
    }

    /// Five findings by chance, as the page of a sample shows them.
    fn draw(&mut self) -> Result<Vec<String>> {
        self.on(18, DENIZ)?;
        let by = self.people.get(DENIZ).ok_or(Error::NotFound)?.0;
        let text = |text: &str| Name::parse(text).map_err(|error| Error::invalid("seed", error));
        let seed = text(SEED)?;
        let mut drawing = Drawing::new(&seed, SIZE);
        for id in self.findings {
            drawing.add(id.to_string());
        }
        let (population, drawn) = drawing.finish();
        let sample = Sample {
            list: "findings".to_owned(),
            filter: BTreeMap::from([("status".to_owned(), "all".to_owned())]),
            size: SIZE,
            seed,
            purpose: text("Remediation of findings: cause, repair and retest")?,
            population,
            drawn: drawn.clone(),
            drawn_by: by.to_string(),
            drawn_at: days_before(self.now, 18),
        };
        self.seed.record_sample(&sample)?;
        Ok(drawn)
    }

    /// From now on this person acts, so many days ago.
    fn on(&mut self, days_ago: i64, name: &str) -> Result<()> {
        let (person, role) = self.people.get(name).copied().ok_or(Error::NotFound)?;
        self.seed.at(days_before(self.now, days_ago));
        self.seed.by(person, role);
        Ok(())
    }

    fn ask(
        &mut self,
        text: &str,
        subject: &str,
        owner: &str,
        due_in: i64,
    ) -> Result<domain::id::EvidenceRequestId> {
        self.seed.ask_for_evidence(&EvidenceRequestInput {
            text: set(text),
            subject: set(subject),
            owner: set(owner),
            due_on: set(&self.now.day().plus_days(due_in).to_string()),
        })
    }
}

fn answer(text: &str) -> AnswerInput {
    AnswerInput { text: set(text), ..AnswerInput::default() }
}

fn days_before(now: Moment, days: i64) -> Moment {
    now.plus_seconds(-days * 24 * 60 * 60)
}

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}
