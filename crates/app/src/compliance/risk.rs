//! Risks of the institution: own or adopted from the library, compared with the appetite of their category.

mod appetite;
mod matrix;

use catalogue::risk::Risk as LibraryRisk;
use domain::{
    approval::ApprovalAction,
    approval_policy::{ApprovalPolicy, ApprovalRule},
    change::Change,
    finding::Finding,
    id::{FindingId, RiskId},
    moment::Day,
    right::{Resource, Right},
    risk::{AcceptanceInput, Rating, Risk, RiskComplaint, RiskInput, RiskLevel, RiskRules, RiskStatus},
    text::{Name, Prose},
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, record, risk as rows, risk_appetite};

use crate::{
    Compliance, Core, Error, Result,
    approval::ApprovalTerms,
    author::Author,
    authz::Caller,
    catalogue::Edition,
    library_text::{self, LibraryTexts},
    records::{RecordKind, RecordRequest},
    words::{Kind, Texts},
};

pub use self::matrix::RiskMatrix;
pub use store::risk::{RiskFilter, RiskRow};

/// The maximum number of risks of the library that can be adopted at once.
const MAX_ADOPTED: usize = 500;

/// A risk with its computed values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskView {
    pub row: RiskRow,
    /// The limit of its category, if its residual level is above it.
    pub exceeds: Option<RiskLevel>,
    /// The fields whose texts are still those of the library.
    pub library_texts: LibraryTexts,
}

/// A new risk, of the institution's own or from the library.
#[derive(Debug)]
pub struct NewRisk {
    input: RiskInput,
    adopted_from: Option<String>,
}

impl From<RiskInput> for NewRisk {
    fn from(input: RiskInput) -> Self {
        Self { input, adopted_from: None }
    }
}

/// The result of adopting risks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Adopted {
    pub created: Vec<RiskId>,
    /// How many had been adopted before.
    pub skipped: u64,
}

impl RecordKind for Risk {
    type Input = RiskInput;
    type New = NewRisk;
    type Change = RiskInput;
    type View = RiskView;

    const NOUN: &'static str = "risk";
    const LIST: &'static str = "risks";
    const WORDS: Kind = Kind::new('r');
    const FOUND: Option<&'static str> = Some("own_risk");
    const RESOURCE: Resource = Resource::Risks;
    const KEEPS: bool = true;

    fn owner(&self) -> Option<&Name> {
        self.owner.as_ref()
    }

    const DECISIONS: &'static [ApprovalAction] = &[ApprovalAction::Accept];

    fn decision(action: ApprovalAction, terms: &ApprovalTerms) -> Option<RiskInput> {
        let until = terms.until.filter(|_| action == ApprovalAction::Accept)?;
        let set = |text: &str| Change::Set(text.to_owned());
        let acceptance =
            AcceptanceInput { reason: set(terms.reason.as_str()), until: Change::Set(until.to_string()) };
        Some(RiskInput {
            status: set(RiskStatus::Accepted.as_str()),
            acceptance: Change::Set(acceptance),
            note: set(terms.reason.as_str()),
            ..RiskInput::default()
        })
    }

    fn decided(before: &Self, after: &Self) -> Option<ApprovalAction> {
        let accepts = after.status == RiskStatus::Accepted && before.status != RiskStatus::Accepted;
        accepts.then_some(ApprovalAction::Accept)
    }

    /// One person proposes an acceptance and another one makes it.
    fn proposed_by(&self) -> Option<String> {
        let proposed = self.acceptance.as_ref().map(|acceptance| acceptance.proposed_by.clone());
        Some(proposed.or_else(|| self.editors.last().cloned()).unwrap_or_default())
    }

    /// From which level on a second person is needed follows from the risk appetite.
    fn rule(
        &self,
        author: &Author,
        reader: &mut Reader<'_>,
        _: &ApprovalPolicy,
        _: ApprovalAction,
    ) -> Result<ApprovalRule> {
        let appetite = risk_appetite::get(reader, author.scope())?;
        let needs = self.residual.is_some_and(|residual| appetite.needs_second_person(residual));
        Ok(if needs { ApprovalRule::MANAGER } else { ApprovalRule::NONE })
    }

    fn create(author: &Author, tx: &mut Tx<'_>, new: &NewRisk) -> Result<Self> {
        let reference = rows::next_reference(tx, author.scope())?;
        let NewRisk { input, adopted_from } = new;
        judged(author, tx, input, None, |rules| {
            Ok(input.create(reference, adopted_from.as_deref(), rules)?)
        })
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &RiskRow, input: &RiskInput) -> Result<Self> {
        let after =
            judged(
                author,
                tx,
                input,
                Some(&before.record),
                |rules| Ok(input.change(&before.record, rules)?),
            )?;
        author.check_acceptance(tx, &before.record, &after)?;
        Ok(after)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference,
            "adopted_from": self.adopted_from,
            "title": self.title.as_str(),
            "cause": self.cause.as_ref().map(Prose::as_str),
            "event": self.event.as_ref().map(Prose::as_str),
            "effect": self.effect.as_ref().map(Prose::as_str),
            "category": self.category,
            "owner": self.owner.as_ref().map(Name::as_str),
            "functions": self.functions,
            "controls": self.controls,
            "findings": self.findings,
            "inherent": self.inherent.map(rating_fields),
            "residual": self.residual.map(rating_fields),
            "target": self.target.map(rating_fields),
            "treatment": self.treatment,
            "acceptance": self.acceptance.as_ref().map(|acceptance| json!({
                "reason": acceptance.reason.as_str(),
                "until": acceptance.until,
                "proposed_by": acceptance.proposed_by,
                "approved_by": acceptance.approved_by,
            })),
            "status": self.status,
            "review_on": self.review_on,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let prose = [&self.event, &self.cause, &self.effect].into_iter().flatten().map(Prose::as_str);
        let owner = self.owner.as_ref().map(Name::as_str);
        Texts {
            heading: vec![self.title.as_str().into(), self.reference.to_string().into()],
            body: prose.chain(owner).collect(),
        }
    }

    fn search_text(filter: &RiskFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<RiskRow>,
    ) -> Result<Vec<RiskView>> {
        let appetite = risk_appetite::get(reader, scope)?;
        let edition = core.edition_in(reader, scope)?;
        let view = |row: RiskRow| RiskView {
            exceeds: appetite.exceeded(&row.record),
            library_texts: library_text::of_risk(&edition, &row.record),
            row,
        };
        Ok(rows.into_iter().map(view).collect())
    }

    fn row(view: &RiskView) -> &RiskRow {
        &view.row
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(RiskInput { owner: Change::Set(heir.to_string()), ..RiskInput::default() })
    }

    fn translate(view: &mut RiskView, edition: &Edition, language: Language) {
        library_text::translate_risk(edition, &mut view.row.record, language);
    }

    /// A risk that two people accepted stays in the lists while the acceptance is valid.
    fn check_archive(&self, _: Day) -> Result<()> {
        match self.accepted_until() {
            Some(_) => Err(Error::invalid("risk", RiskComplaint::Accepted)),
            None => Ok(()),
        }
    }

    fn release(author: &Author, tx: &mut Tx<'_>, row: &RiskRow) -> Result<()> {
        row.record.check_archive(author.today(tx)?)
    }
}

impl RecordRequest<Risk> for RiskInput {
    fn decides(&self, before: Option<&Risk>) -> bool {
        self.accepts(before)
    }

    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

impl RecordRequest<Risk> for NewRisk {
    fn decides(&self, _: Option<&Risk>) -> bool {
        self.input.accepts(None)
    }

    fn note(&self) -> Option<Prose> {
        self.input.note.as_note()
    }
}

fn rating_fields(rating: Rating) -> Value {
    json!({ "likelihood": rating.likelihood(), "impact": rating.impact(), "level": rating.level() })
}

/// Runs the rules of a risk with the tenant's data they need.
fn judged(
    author: &Author,
    tx: &mut Tx<'_>,
    input: &RiskInput,
    before: Option<&Risk>,
    rules: impl FnOnce(&RiskRules<'_>) -> Result<Risk>,
) -> Result<Risk> {
    let appetite = risk_appetite::get(tx, author.scope())?;
    let named = input.named_findings();
    let found: Vec<FindingId> = if named.is_empty() {
        Vec::new()
    } else {
        record::get_many::<Finding>(tx, author.scope(), &named)?.into_iter().map(|row| row.id).collect()
    };
    let is_finding = |id: FindingId| found.contains(&id);
    let actor = author.caller.actor().to_string();
    let accepts = matches!(&input.status, Change::Set(word) if word == RiskStatus::Accepted.as_str());
    let editors = before.filter(|_| accepts).map(editors_of).unwrap_or_default();
    rules(&RiskRules {
        today: author.now.day(),
        actor: &actor,
        proposer: author.grants_for.as_deref().unwrap_or(&actor),
        appetite: &appetite,
        is_finding: &is_finding,
        is_editor: author.decider(tx, &actor, &editors)?.is_editor,
    })
}

/// Everyone who may not be the second person. Risks of an earlier version name the proposer alone.
fn editors_of(risk: &Risk) -> Vec<String> {
    let proposed = risk.acceptance.as_ref().map(|acceptance| acceptance.proposed_by.clone());
    risk.editors.iter().cloned().chain(proposed).collect()
}

impl Author {
    /// Refuses a key that would be the second person of an acceptance where the institution leaves that to people.
    fn check_acceptance(&self, tx: &mut Tx<'_>, before: &Risk, after: &Risk) -> Result<()> {
        let accepts = after.status == RiskStatus::Accepted && before.status != RiskStatus::Accepted;
        let Some(residual) = after.residual.filter(|_| accepts) else { return Ok(()) };
        if risk_appetite::get(tx, self.scope())?.needs_second_person(residual) {
            self.require_decider(tx)?;
        }
        Ok(())
    }
}

/// A new risk from one of the library: without ratings and treatment, which are for the institution to decide.
fn adopted(source: &LibraryRisk, language: Language) -> NewRisk {
    let set = |text: &str| Change::Set(text.to_owned());
    let input = RiskInput {
        title: set(source.title.get(language)),
        event: set(source.summary.get(language)),
        category: set(source.category.as_str()),
        ..RiskInput::default()
    };
    NewRisk { input, adopted_from: Some(source.id.to_string()) }
}

impl Compliance {
    /// Creates risks of the institution from risks of the library; those adopted before are skipped.
    pub async fn adopt_risks(&self, caller: &Caller, ids: &[String], language: Language) -> Result<Adopted> {
        caller.require_right(Resource::Risks, Right::Write)?;
        let sources = self.library_risks(ids)?;
        let author = Author::new(self, caller);
        self.db
            .tenant(caller.scope())
            .write(move |tx| {
                let known = rows::adopted(tx, author.scope())?;
                let mut done = Adopted::default();
                for source in &sources {
                    if known.iter().any(|id| **id == *source.id) {
                        done.skipped += 1;
                        continue;
                    }
                    done.created.push(author.create::<Risk>(tx, &adopted(source, language))?);
                }
                Ok(done)
            })
            .await
    }

    /// The risks of the library with these ids, each once.
    fn library_risks(&self, ids: &[String]) -> Result<Vec<LibraryRisk>> {
        let edition = self.catalogue()?;
        if ids.is_empty() {
            return Err(Error::invalid("risks", RiskComplaint::NothingToAdopt));
        }
        if ids.len() > MAX_ADOPTED {
            let (most, found) = (MAX_ADOPTED, ids.len());
            return Err(Error::invalid(
                "risks",
                domain::violation::FieldComplaint::TooManyItems { most, found },
            ));
        }
        let mut sources: Vec<LibraryRisk> = Vec::with_capacity(ids.len());
        for id in ids {
            let source = edition
                .risks
                .get(id)
                .ok_or_else(|| Error::invalid("risks", RiskComplaint::NotInLibrary { id: id.clone() }))?;
            if !sources.iter().any(|other| other.id == source.id) {
                sources.push(source.clone());
            }
        }
        Ok(sources)
    }

    /// The ids of the risks of the library that are adopted already.
    pub async fn adopted_risks(&self, caller: &Caller) -> Result<Vec<String>> {
        let scope = *caller.scope();
        Ok(self.db.tenant(&scope).read(move |r| rows::adopted(r, &scope)).await?)
    }

    pub async fn risk_matrix(&self, caller: &Caller) -> Result<RiskMatrix> {
        let scope = *caller.scope();
        let cells = self.db.tenant(&scope).read(move |r| rows::cells(r, &scope)).await?;
        Ok(RiskMatrix::of(&cells))
    }
}
