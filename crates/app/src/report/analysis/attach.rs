//! A kept simulation as evidence: its report belongs to the file of the decision it was made for.

use std::{fs, io::Read as _};

use domain::{
    change::Change,
    evidence::EvidenceInput,
    id::SimulationId,
    key_limits::Verb,
    right::{Resource, Right},
    wording::Language,
};

use super::super::Content;
use crate::{
    Error, Reports, Result,
    authz::Caller,
    evidence::{EvidenceView, Link, SentFile},
    history::Detail,
    idempotency::{Creation, Idempotency},
    upload::Upload,
};

impl Reports {
    /// Keeps the report of a simulation as evidence, attached to a record if one is named.
    pub async fn attach_simulation(
        &self,
        caller: &Caller,
        (id, language): (SimulationId, Language),
        link: Option<Link>,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<EvidenceView>) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Analyses, Right::Write)?;
        caller.require_noun("evidence", Verb::Write)?;
        let kept = self.third_parties.kept_simulation(caller, id).await?;
        let file = self.simulation_pdf(caller, id, language).await?;
        let upload = match file.content {
            Content::Bytes(bytes) => Upload::bytes(bytes),
            Content::Stored(file) => Upload::bytes(whole(file)?.into()),
        };
        let input = EvidenceInput {
            title: Change::Set(kept.head.name),
            collected_on: Change::Set(kept.head.made_at.day().to_string()),
            ..EvidenceInput::default()
        };
        let sent = SentFile { name: file.name, upload };
        self.compliance.add_evidence(caller, input, Some(sent), link, idempotency, render).await
    }
}

fn whole(mut file: fs::File) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(Error::internal)?;
    Ok(bytes)
}
