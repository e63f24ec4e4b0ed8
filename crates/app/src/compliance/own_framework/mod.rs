//! Frameworks of the institution's own: their rules, their requirements, and the approval by a second person.

mod compare;
mod export;
mod import;
mod oscal;
mod sheet;

use domain::{
    approval::ApprovalAction,
    approval_policy::{ApprovalPolicy, ApprovalRule, ApprovedKind},
    change::Change,
    id::OwnFrameworkId,
    moment::Day,
    own_framework::{
        MOST_BYTES, MOST_FRAMEWORKS, MOST_REQUIREMENTS, OwnFramework, OwnFrameworkComplaint,
        OwnFrameworkInput, OwnFrameworkStatus, OwnRequirement, OwnRequirementInput, RequirementWorld,
        too_close,
    },
    page::{Page, PageRequest},
    right::Resource,
    text::{Name, Prose},
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, own_framework as rows, record};

use crate::{
    Compliance, Core, Error, Result,
    approval::ApprovalTerms,
    author::Author,
    authz::Caller,
    catalogue::Edition,
    records::{RecordKind, RecordRequest},
    words::{Kind, Texts},
};

pub use self::{
    compare::Comparison,
    export::OwnFrameworkFormat,
    import::{OwnFrameworkImport, OwnFrameworkImportOutcome},
    sheet::COLUMNS,
};
pub use store::own_framework::{ForceRow as FrameworkInForce, OwnFrameworkFilter, OwnFrameworkRow};

/// What is done to a framework.
#[derive(Debug, Clone)]
pub enum OwnFrameworkChange {
    Fields(Box<OwnFrameworkInput>),
    /// One requirement is added, or takes the place of the one with its id.
    Put(Box<OwnRequirementInput>),
    /// The requirement of this id goes.
    Remove(String),
    /// These requirements take the place of all others.
    Replace(Vec<OwnRequirement>),
}

/// Which requirements of a framework.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Content {
    /// Those that are worked on.
    #[default]
    Draft,
    /// Those that were approved last and are in force.
    InForce,
    /// The set of this number.
    Number(i64),
}

impl From<OwnFrameworkInput> for OwnFrameworkChange {
    fn from(input: OwnFrameworkInput) -> Self {
        Self::Fields(Box::new(input))
    }
}

impl RecordKind for OwnFramework {
    type Input = OwnFrameworkInput;
    type New = OwnFrameworkInput;
    type Change = OwnFrameworkChange;
    type View = OwnFrameworkRow;

    const NOUN: &'static str = "own_framework";
    const LIST: &'static str = "own-frameworks";
    const WORDS: Kind = Kind::new('m');
    const FOUND: Option<&'static str> = Some("own_framework");
    const RESOURCE: Resource = Resource::OwnFrameworks;
    const KEEPS: bool = true;

    const DECISIONS: &'static [ApprovalAction] = &[ApprovalAction::Approve];

    fn decision(action: ApprovalAction, _: &ApprovalTerms) -> Option<OwnFrameworkChange> {
        let approved = Change::Set(OwnFrameworkStatus::Approved.as_str().to_owned());
        let input = OwnFrameworkInput { status: approved, ..OwnFrameworkInput::default() };
        (action == ApprovalAction::Approve).then(|| input.into())
    }

    fn decided(before: &Self, after: &Self) -> Option<ApprovalAction> {
        let approves =
            after.status == OwnFrameworkStatus::Approved && before.status != OwnFrameworkStatus::Approved;
        approves.then_some(ApprovalAction::Approve)
    }

    /// Those who edit it propose it; another one approves it.
    fn proposed_by(&self) -> Option<String> {
        Some(self.editors.last().cloned().unwrap_or_default())
    }

    fn rule(
        &self,
        _: &Author,
        _: &mut Reader<'_>,
        policy: &ApprovalPolicy,
        action: ApprovalAction,
    ) -> Result<ApprovalRule> {
        Ok(policy.rule(action, ApprovedKind::OwnFramework))
    }

    fn create(author: &Author, tx: &mut Tx<'_>, new: &OwnFrameworkInput) -> Result<Self> {
        let record = new.create()?;
        author.check_key(tx, &record)?;
        Ok(record.edited_by(&author.caller.actor().to_string()))
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &OwnFrameworkRow,
        change: &OwnFrameworkChange,
    ) -> Result<Self> {
        match change {
            OwnFrameworkChange::Fields(input) => {
                author.moved_framework(tx, &before.record, input.change(&before.record)?)
            }
            OwnFrameworkChange::Put(input) => author.put_requirement(tx, before, input),
            OwnFrameworkChange::Remove(id) => author.remove_requirement(tx, before, id),
            OwnFrameworkChange::Replace(all) => author.with_requirements(tx, before, all),
        }
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "key": self.key,
            "title": self.title.as_str(),
            "description": self.description.as_ref().map(Prose::as_str),
            "edition": self.edition.as_ref().map(Name::as_str),
            "owner": self.owner.as_ref().map(Name::as_str),
            "status": self.status,
            "content": self.content,
            "requirements": self.requirements,
            "in_force": self.in_force.as_ref().map(|held| json!({
                "title": held.title.as_str(),
                "edition": held.edition.as_ref().map(Name::as_str),
                "content": held.content,
            })),
            "editors": self.editors,
            "approved_at": self.approved.as_ref().map(|signed| signed.at),
            "approved_by": self.approved.as_ref().map(|signed| signed.by.as_str()),
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let names = [&self.owner, &self.edition].into_iter().flatten().map(Name::as_str);
        let body = self.description.as_ref().map(Prose::as_str).into_iter().chain(names).collect();
        let heading = vec![self.title.as_str().into(), self.key.to_string().into()];
        Texts { heading, body }
    }

    fn search_text(filter: &OwnFrameworkFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        _: &Core,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<OwnFrameworkRow>,
    ) -> Result<Vec<OwnFrameworkRow>> {
        Ok(rows)
    }

    fn row(view: &OwnFrameworkRow) -> &OwnFrameworkRow {
        view
    }

    /// What is in force is retired first. What was said about its requirements stays, though nothing shows it.
    fn check_archive(&self, _: Day) -> Result<()> {
        match self.in_force {
            Some(_) => Err(Error::invalid("own_framework", OwnFrameworkComplaint::InForce)),
            None => Ok(()),
        }
    }

    fn release(author: &Author, tx: &mut Tx<'_>, row: &OwnFrameworkRow) -> Result<()> {
        row.record.check_archive(author.today(tx)?)?;
        rows::forget(tx, author.scope(), row.id).map_err(Error::from)
    }
}

impl RecordRequest<OwnFramework> for OwnFrameworkInput {
    fn decides(&self, _: Option<&OwnFramework>) -> bool {
        self.status == Change::Set(OwnFrameworkStatus::Approved.as_str().to_owned())
    }

    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

impl RecordRequest<OwnFramework> for OwnFrameworkChange {
    fn decides(&self, before: Option<&OwnFramework>) -> bool {
        matches!(self, Self::Fields(input) if input.decides(before))
    }

    fn note(&self) -> Option<Prose> {
        if let Self::Fields(input) = self { input.note() } else { None }
    }
}

impl Author {
    /// Refuses a key whose requirements could be taken for those of another framework, and more frameworks than fit.
    fn check_key(&self, tx: &mut Tx<'_>, record: &OwnFramework) -> Result<()> {
        let own = rows::keys(tx, self.scope(), MOST_FRAMEWORKS)?;
        if own.len() as u64 >= MOST_FRAMEWORKS {
            let too_many = OwnFrameworkComplaint::TooMany { most: MOST_FRAMEWORKS };
            return Err(Error::invalid("own_frameworks", too_many));
        }
        let edition = self.core.catalogue()?;
        let known = edition.frameworks.iter().map(|framework| framework.id.as_str());
        let others = known.chain(own.iter().map(|(_, key)| key.as_str()));
        match too_close(record.key.as_str(), others) {
            None => Ok(()),
            Some(other) => {
                let taken = OwnFrameworkComplaint::KeyTaken { other: other.to_owned() };
                Err(Error::invalid("key", taken))
            }
        }
    }

    /// The framework after its fields changed or it moved. An approval is nothing but an approval.
    fn moved_framework(
        &self,
        tx: &mut Tx<'_>,
        before: &OwnFramework,
        after: OwnFramework,
    ) -> Result<OwnFramework> {
        let by = self.caller.actor().to_string();
        if before.status == after.status {
            // Who sees to it is no part of what is approved.
            let asks_the_same = OwnFramework { owner: before.owner.clone(), ..after.clone() } == *before;
            return Ok(if asks_the_same { after } else { after.edited_by(&by) });
        }
        let only_moves = OwnFramework { status: before.status, ..after.clone() } == *before;
        match after.status {
            OwnFrameworkStatus::Approved if only_moves => {
                self.require_decider(tx)?;
                before.approved_by(self.decider(tx, &by, &before.editors)?, self.now)
            }
            OwnFrameworkStatus::Approved => Err(OwnFrameworkComplaint::OnlyApproval),
            OwnFrameworkStatus::Retired if only_moves => Ok(after.retired()),
            OwnFrameworkStatus::Retired => Ok(after.edited_by(&by).retired()),
            OwnFrameworkStatus::Draft => Ok(after.edited_by(&by)),
        }
        .map_err(|complaint| Error::invalid("status", complaint))
    }

    fn put_requirement(
        &self,
        tx: &mut Tx<'_>,
        before: &OwnFrameworkRow,
        input: &OwnRequirementInput,
    ) -> Result<OwnFramework> {
        let put = judged(&*self.core.catalogue()?, &before.record, input)?;
        let mut all = rows::content(tx, self.scope(), before.id, before.record.content)?;
        match all.iter_mut().find(|kept| kept.id == put.id) {
            Some(kept) => *kept = put,
            None => all.push(put),
        }
        self.with_requirements(tx, before, &all)
    }

    fn remove_requirement(
        &self,
        tx: &mut Tx<'_>,
        before: &OwnFrameworkRow,
        id: &str,
    ) -> Result<OwnFramework> {
        let mut all = rows::content(tx, self.scope(), before.id, before.record.content)?;
        let place = all.iter().position(|kept| kept.id == id).ok_or(Error::NotFound)?;
        all.remove(place);
        self.with_requirements(tx, before, &all)
    }

    /// Writes a new set, unless it is the one that is there.
    fn with_requirements(
        &self,
        tx: &mut Tx<'_>,
        before: &OwnFrameworkRow,
        all: &[OwnRequirement],
    ) -> Result<OwnFramework> {
        let (scope, record) = (self.scope(), &before.record);
        if record.status == OwnFrameworkStatus::Retired {
            return Err(Error::invalid("status", OwnFrameworkComplaint::IsRetired));
        }
        check_size(all)?;
        if rows::content(tx, scope, before.id, record.content)? == all {
            return Ok(record.clone());
        }
        let number = record.content + 1;
        rows::add_content(tx, scope, before.id, (number, self.now), all)?;
        let after = OwnFramework { content: number, requirements: all.len() as u64, ..record.clone() };
        Ok(after.edited_by(&self.caller.actor().to_string()))
    }
}

fn check_size(all: &[OwnRequirement]) -> Result<()> {
    if all.len() > MOST_REQUIREMENTS {
        let most = MOST_REQUIREMENTS;
        return Err(Error::invalid("requirements", OwnFrameworkComplaint::TooManyRequirements { most }));
    }
    let text = |kept: &OwnRequirement| {
        let ids = kept.measures.iter().chain(&kept.based_on).map(String::len).sum::<usize>();
        let note = kept.applicability.as_ref().map_or(0, String::len);
        kept.id.len()
            + kept.chapter.len()
            + kept.number.len()
            + kept.title.len()
            + kept.text.len()
            + note
            + ids
    };
    if all.iter().map(text).sum::<usize>() > MOST_BYTES {
        let most = MOST_BYTES;
        return Err(Error::invalid("requirements", OwnFrameworkComplaint::TooMuchText { most }));
    }
    Ok(())
}

/// A requirement that keeps the rules. It may refer to the catalogue, and to nothing else.
fn judged(
    edition: &Edition,
    framework: &OwnFramework,
    input: &OwnRequirementInput,
) -> Result<OwnRequirement> {
    let world = RequirementWorld {
        key: framework.key,
        is_measure: &|id| edition.measures.get(id).is_some(),
        is_requirement: &|id| edition.requirements.get(id).is_some(),
    };
    input.read(&world).map_err(Error::from)
}

impl Compliance {
    /// A framework with all its requirements. There are no more of them than one may have.
    pub async fn own_framework(
        &self,
        caller: &Caller,
        id: OwnFrameworkId,
        content: Content,
    ) -> Result<(OwnFrameworkRow, Vec<OwnRequirement>)> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            let row = record::get::<OwnFramework>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            let number = match content {
                Content::Draft => row.record.content,
                Content::InForce => row.record.in_force.as_ref().map_or(0, |held| held.content),
                Content::Number(number) if (0..=row.record.content).contains(&number) => number,
                Content::Number(_) => return Err(Error::NotFound),
            };
            let requirements = rows::content(reader, &scope, id, number)?;
            Ok((row, requirements))
        };
        self.db.tenant(&scope).read(read).await
    }

    /// The frameworks of which a set of requirements is in force.
    pub async fn own_frameworks_in_force(&self, caller: &Caller) -> Result<Vec<FrameworkInForce>> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| rows::in_force(reader, &scope, MOST_FRAMEWORKS);
        self.db.tenant(&scope).read(move |reader| read(reader).map_err(Error::from)).await
    }

    /// A page of the requirements of a framework, in their order.
    pub async fn own_requirements(
        &self,
        caller: &Caller,
        id: OwnFrameworkId,
        content: Content,
        request: PageRequest,
    ) -> Result<Page<OwnRequirement>> {
        let (_, all) = self.own_framework(caller, id, content).await?;
        Ok(Page::cut(all.into_iter(), request))
    }
}
