//! A month in which the people of the demo bank work together: they comment, ask for decisions and make them. At its
//! end something waits for each of them.

use std::collections::HashMap;

use app::{
    App, Error, Result,
    approval::ApprovalDecision,
    authz::Caller,
    finding::{FindingFilter, States},
    seed::Seed,
};
use domain::{
    approval::{ApprovalId, ApprovalInput},
    change::Change,
    comment::CommentInput,
    finding::{Finding, FindingInput, FindingStatus},
    id::{FindingId, UserId},
    moment::Moment,
    page::PageRequest,
    retest::RetestInput,
    user::Role,
    vocabulary::Severity,
};

use self::Act::{Affect, Ask, Decide, Retest, Say};
use crate::cli::CliError;

const ANNA: &str = "Anna Weber";
const JONAS: &str = "Jonas Keller";
const MIRIAM: &str = "Miriam Vogt";
const DENIZ: &str = "Deniz Aydin";
const CLARA: &str = "Clara Fontaine";

/// One thing that a person does on a day.
struct Step {
    days_ago: i64,
    by: &'static str,
    about: About,
    act: Act,
}

/// The finding a step is about: the first of this owner, severity and status.
type About = (&'static str, Severity, FindingStatus);

const ACCEPTED: About = (MIRIAM, Severity::High, FindingStatus::Open);
const DOUBTED: About = (JONAS, Severity::High, FindingStatus::Open);
const EXTENDED: About = (ANNA, Severity::Critical, FindingStatus::InProgress);
const REPAIRED: About = (ANNA, Severity::Critical, FindingStatus::Resolved);
const AUDITED: About = (MIRIAM, Severity::High, FindingStatus::Closed);

enum Act {
    /// A comment, and the people it mentions.
    Say(&'static str, &'static [&'static str]),
    /// The action, the reason, and the end of an acceptance in days from today.
    Ask(&'static str, &'static str, Option<i64>),
    Decide(ApprovalDecision, &'static str),
    /// A passed retest, and what happened in it.
    Retest(&'static str),
    /// Names another affected system.
    Affect(&'static str),
}

const fn step(days_ago: i64, by: &'static str, about: About, act: Act) -> Step {
    Step { days_ago, by, about, act }
}

/// The month in order: a request that is granted, one that is refused, questions of the auditor, a request that lapses
/// because its finding changes, and one thing that waits for each person.
const STEPS: &[Step] = &[
    step(
        28,
        MIRIAM,
        ACCEPTED,
        Say("The vendor ships no fix before its spring release. Can we live with it until then?", &[JONAS]),
    ),
    step(
        27,
        JONAS,
        ACCEPTED,
        Say("Only with the console closed to the office network. Is that done?", &[MIRIAM]),
    ),
    step(26, MIRIAM, ACCEPTED, Say("Done yesterday; the firewall change is recorded.", &[])),
    step(
        26,
        MIRIAM,
        ACCEPTED,
        Ask(
            "accept",
            "No fix before the spring release; reachable from the management network only.",
            Some(60),
        ),
    ),
    step(
        25,
        JONAS,
        ACCEPTED,
        Decide(ApprovalDecision::Grant, "Agreed until the release; look at it again then."),
    ),
    step(
        20,
        MIRIAM,
        DOUBTED,
        Ask(
            "false_positive",
            "The scanner reports the version of the load balancer, not of the service.",
            None,
        ),
    ),
    step(
        19,
        ANNA,
        DOUBTED,
        Decide(ApprovalDecision::Refuse, "The retest of last week found it behind the load balancer too."),
    ),
    step(
        14,
        DENIZ,
        AUDITED,
        Say("Which evidence shows that another person made the retest than the repair?", &[MIRIAM]),
    ),
    step(
        13,
        MIRIAM,
        AUDITED,
        Say("The report of the retest names the tester; it is attached to the test case.", &[DENIZ]),
    ),
    step(12, ANNA, EXTENDED, Ask("accept", "The system is switched off in two months.", Some(55))),
    step(10, MIRIAM, EXTENDED, Affect("card-processing, standby site")),
    step(
        10,
        MIRIAM,
        EXTENDED,
        Say("The standby site is affected as well; I added it, so please ask anew.", &[ANNA]),
    ),
    step(
        3,
        MIRIAM,
        DOUBTED,
        Ask("accept", "The replacement arrives next quarter; access is logged until then.", Some(80)),
    ),
    step(
        2,
        ANNA,
        EXTENDED,
        Ask("accept", "Both sites are switched off in January; access is logged until then.", Some(75)),
    ),
    step(2, JONAS, REPAIRED, Retest("Restored within two hours, twice.")),
    step(1, JONAS, REPAIRED, Ask("close", "Retested yesterday without a result.", None)),
    step(1, ANNA, DOUBTED, Say("Deniz, is the log of accesses enough for your sample?", &[DENIZ])),
    step(1, ANNA, EXTENDED, Say("Clara, this one is on the agenda of the next board meeting.", &[CLARA])),
];

pub(super) async fn fill(app: &App, owner: &Caller) -> std::result::Result<(), CliError> {
    let people = app.people.people_page(owner, PageRequest::default()).await?.items;
    let people =
        people.into_iter().map(|person| (person.name.to_string(), (person.id, person.role))).collect();
    let findings = findings(app, owner).await?;
    let now = app.clock.now();
    app.seed(owner, move |seed| {
        let asked = HashMap::new();
        let mut month = Month { seed, people: &people, findings: &findings, asked, now };
        STEPS.iter().try_for_each(|step| month.take(step))
    })
    .await?;
    Ok(())
}

/// What is needed of a finding to choose it.
struct Known {
    id: FindingId,
    owner: String,
    severity: Severity,
    status: FindingStatus,
}

/// The findings that were there before the month began.
async fn findings(app: &App, owner: &Caller) -> Result<Vec<Known>> {
    let filter = FindingFilter { states: States::All, ..FindingFilter::default() };
    let page =
        app.records.records::<Finding>(owner, &filter, PageRequest::part(PageRequest::MAX_LIMIT, 0)).await?;
    let begin = days_before(app.clock.now(), DAYS);
    let known = page.items.into_iter().filter(|finding| finding.created_at < begin).filter_map(|finding| {
        let record = finding.record;
        Some(Known {
            id: finding.id,
            owner: record.owner?.to_string(),
            severity: record.severity,
            status: record.status,
        })
    });
    Ok(known.collect())
}

/// The length of the month.
const DAYS: i64 = 29;

fn days_before(now: Moment, days: i64) -> Moment {
    now.plus_seconds(-days * 24 * 60 * 60)
}

type People = HashMap<String, (UserId, Role)>;

struct Month<'m, 't, 'c> {
    seed: &'m mut Seed<'t, 'c>,
    people: &'m People,
    findings: &'m [Known],
    /// The requests so far, by their findings.
    asked: HashMap<FindingId, ApprovalId>,
    now: Moment,
}

impl Month<'_, '_, '_> {
    fn take(&mut self, step: &Step) -> Result<()> {
        let (person, role) = self.person(step.by)?;
        let id = self.find(step.about)?;
        self.seed.at(days_before(self.now, step.days_ago));
        self.seed.by(person, role);
        match step.act {
            Say(text, mentions) => self.say(id, text, mentions),
            Ask(action, reason, days) => {
                let request = self.ask(id, action, reason, days)?;
                self.asked.insert(id, request);
                Ok(())
            }
            Decide(decision, note) => {
                let request = self.asked.get(&id).ok_or(Error::NotFound)?;
                self.seed.decide(*request, decision, note)
            }
            Retest(result) => {
                let day = days_before(self.now, step.days_ago).day().to_string();
                let input = RetestInput {
                    result: set("passed"),
                    performed_on: set(&day),
                    actual_result: set(result),
                    ..RetestInput::default()
                };
                self.seed.retest_finding(id, &input)
            }
            Affect(asset) => {
                let input = FindingInput { affected_asset: set(asset), ..FindingInput::default() };
                self.seed.change_finding(id, &input)
            }
        }
    }

    fn find(&self, (owner, severity, status): About) -> Result<FindingId> {
        let meant =
            |known: &&Known| known.owner == owner && known.severity == severity && known.status == status;
        self.findings.iter().find(meant).map(|known| known.id).ok_or(Error::NotFound)
    }

    fn person(&self, name: &str) -> Result<(UserId, Role)> {
        self.people.get(name).copied().ok_or(Error::NotFound)
    }

    fn say(&mut self, about: FindingId, text: &str, mentions: &[&str]) -> Result<()> {
        let mentions = mentions.iter().map(|name| Ok(self.person(name)?.0.to_string()));
        let mentions = Change::Set(mentions.collect::<Result<Vec<_>>>()?);
        self.seed.comment(&about.to_string(), &CommentInput { text: set(text), mentions })
    }

    fn ask(&mut self, about: FindingId, action: &str, reason: &str, days: Option<i64>) -> Result<ApprovalId> {
        let until = days.map_or(Change::Keep, |days| set(&self.now.day().plus_days(days).to_string()));
        self.seed.ask(ApprovalInput {
            subject: set(&about.to_string()),
            action: set(action),
            reason: set(reason),
            until,
            approvers: Change::Keep,
            ..ApprovalInput::default()
        })
    }
}

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}
