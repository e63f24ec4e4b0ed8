//! Samples: records drawn at random from what a list shows, recorded with everything that is needed to repeat it.

use std::collections::BTreeMap;

use domain::{
    id::SampleId,
    key_limits::Verb,
    page::{Page, PageRequest},
    right::{Resource, Right},
    sample::{Drawing, Sample as Drawn, SampleComplaint, SampleInput},
    tag::Tag,
    text::Name,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use store::{Reader, Tx, record, sample as rows};

pub use store::sample::SampleRow;

use crate::{
    Error, Records, Result,
    audit::{Who, who},
    author::Author,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    ids::random_u128,
    pages::{self, Rendered},
    records::{AnyKind, RecordKind, any},
    report::each_part,
    words,
};

/// A list to draw from, as a request names it.
#[derive(Debug)]
pub struct Population<K: RecordKind> {
    pub filter: K::Filter,
    pub tag: Option<Tag>,
    /// The parameters of the request, which are recorded with the sample.
    pub named: BTreeMap<String, String>,
}

/// A sample with the names of its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    pub row: SampleRow,
    /// Each record in the order in which it was drawn; `None` for the name of one that was deleted since.
    pub records: Vec<(String, Option<String>)>,
    pub drawn_by: Who,
}

impl Records {
    /// Draws a sample from the records that match at this moment.
    pub async fn draw_sample<K: RecordKind>(
        &self,
        caller: &Caller,
        population: Population<K>,
        input: &SampleInput,
        idempotency: Option<Idempotency>,
        render: fn(&Sample) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Samples, Right::Write)?;
        caller.require_right(K::RESOURCE, Right::Read)?;
        caller.require_noun(K::NOUN, Verb::Read)?;
        let wish = input.read()?;
        let Population { filter, tag, named } = population;
        let seed = wish.seed.or_else(|| Name::fitted(&format!("{:032x}", random_u128())));
        let seed = seed.ok_or_else(|| Error::internal("a random seed is no text"))?;
        let (population, drawn) =
            self.drawn_from::<K>(caller, (filter, tag), (seed.clone(), wish.size)).await?;
        if population == 0 {
            return Err(Error::invalid("filter", SampleComplaint::NothingMatches));
        }
        let author = Author::new(self, caller);
        let sample = Drawn {
            list: K::TABLE.name.to_owned(),
            filter: named,
            size: wish.size,
            purpose: wish.purpose,
            population,
            drawn,
            seed,
            drawn_by: caller.actor().to_string(),
            drawn_at: author.now,
        };
        let write = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                let row = author.record_sample(tx, &sample)?;
                Ok((row.id.to_string(), author.with_names(tx, row)?))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// How many records match, and those that are drawn. The records are read part by part from one snapshot, so that the
    /// list may be of any length.
    async fn drawn_from<K: RecordKind>(
        &self,
        caller: &Caller,
        (filter, tag): (K::Filter, Option<Tag>),
        (seed, size): (Name, u32),
    ) -> Result<(u64, Vec<String>)> {
        let filter = K::shown_to(filter, caller);
        let work = self.export_work(caller).await?;
        let (scope, held) = (*caller.scope(), work.held());
        let search = K::search_text(&filter).map(|text| words::search(caller.tenant(), K::WORDS, text));
        let load = move |reader: &mut Reader<'_>, request: PageRequest| {
            record::list::<K>(reader, &scope, &filter, search.clone(), request.tagged(tag))
                .map_err(Error::from)
        };
        let read = move |reader: &mut Reader<'_>| {
            let mut drawing = Drawing::new(&seed, size);
            each_part(reader, u64::MAX, &load, |_, part| {
                for row in part {
                    drawing.add(row.id.to_string());
                }
                held.context().check()
            })?;
            Ok::<_, Error>(drawing.finish())
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// A rendered page of the list, newest first.
    pub async fn sample_page(
        &self,
        caller: &Caller,
        request: PageRequest,
        render: fn(&Page<SampleRow>) -> Vec<u8>,
    ) -> Result<Rendered> {
        caller.require_right(Resource::Samples, Right::Read)?;
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| Ok(rows::list(r, &scope, request)?);
        self.page(caller, "samples", &pages::part(request), load, render).await
    }

    /// A page of the list as values.
    pub async fn samples(&self, caller: &Caller, request: PageRequest) -> Result<Page<SampleRow>> {
        caller.require_right(Resource::Samples, Right::Read)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, request)).await.map_err(Error::from)
    }

    /// One sample. A key needs the scope of its records, too.
    pub async fn sample(&self, caller: &Caller, id: SampleId) -> Result<Sample> {
        caller.require_right(Resource::Samples, Right::Read)?;
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let row = rows::get(reader, author.scope(), id)?.ok_or(Error::NotFound)?;
            if let Some(kind) = AnyKind::of_table(&row.sample.list) {
                author.caller.require_noun(kind.noun, Verb::Read)?;
            }
            author.with_names(reader, row)
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}

impl Author {
    pub(crate) fn record_sample(&self, tx: &mut Tx<'_>, sample: &Drawn) -> Result<SampleRow> {
        let row = SampleRow { id: self.core.ids.next(self.now), sample: sample.clone() };
        rows::insert(tx, self.scope(), &row)?;
        // The log proves which records were drawn, and in which order, without naming them all.
        let digest: [u8; 32] = Sha256::digest(sample.drawn.join("\n")).into();
        let detail = json!({
            "list": sample.list, "filters": sample.filter, "size": sample.size, "seed": sample.seed.as_str(),
            "purpose": sample.purpose.as_str(), "population": sample.population, "drawn_sha256": store::sql::hex(&digest),
        });
        self.audit(tx, "sample.drawn", row.id, &detail)?;
        Ok(row)
    }

    fn with_names(&self, reader: &mut Reader<'_>, row: SampleRow) -> Result<Sample> {
        let mut records = Vec::with_capacity(row.sample.drawn.len());
        for id in &row.sample.drawn {
            records.push((id.clone(), any::name_of(reader, self.scope(), id)?));
        }
        let drawn_by = who(reader, self.scope(), &row.sample.drawn_by)?;
        Ok(Sample { row, records, drawn_by })
    }
}
