//! Loads GLEIF's golden copy: millions of rows are read one at a time, and only the LEIs that occur in a register are
//! stored.
//!
//! The operator provides the file: level 1 (who is who) or level 2 (who owns whom) as CSV, zipped or not.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{BufReader, Read, Seek as _},
};

use csv::StringRecord;
use domain::{
    actor::Actor,
    id::TenantId,
    import::FileComplaint,
    moment::Day,
    register::filing::issued::{IssuedLei, IssuedLeis},
};
use serde_json::json;
use store::{Reader, Tx, issued_lei as rows};
use zip::ZipArchive;

use crate::{Error, Result, ThirdParties, audit, authz::Caller, upload};

/// The result of a load.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GleifReport {
    /// Rows of the file.
    pub rows: u64,
    /// Distinct LEIs in the registers of all tenants.
    pub in_use: u64,
    /// How many of these the file contains.
    pub found: u64,
}

/// The data read from a file.
#[derive(Debug, Default)]
struct Taken {
    rows: u64,
    issued: IssuedLeis,
    /// The ultimate parent of each LEI, from a file of relationships.
    parents: BTreeMap<String, String>,
    /// Whether the file was one of relationships.
    related: bool,
}

impl ThirdParties {
    /// Loads a golden copy. Data loaded before stays for LEIs that are no longer in use.
    pub async fn import_gleif(&self, file: File) -> Result<GleifReport> {
        let today = self.clock.now().day();
        let used = self.db.platform().read(in_use).await?;
        let wanted: BTreeSet<String> = used.values().flatten().cloned().collect();
        let asked = wanted.clone();
        let read = tokio::task::spawn_blocking(move || take(file, &asked, today));
        let mut taken = read.await.map_err(Error::internal)??;
        let found = if taken.related { taken.parents.len() } else { taken.issued.len() };
        let report = GleifReport { rows: taken.rows, in_use: wanted.len() as u64, found: found as u64 };
        if !taken.related {
            for lei in wanted {
                taken.issued.entry(lei).or_insert_with(|| IssuedLei::absent(today));
            }
        }
        self.db.platform().bookkeep(move |tx| store_all(tx, &taken)).await?;
        self.note_load(used, &report).await?;
        Ok(report)
    }

    /// Adds an audit entry for every tenant with LEIs in use, which also invalidates its cached pages.
    async fn note_load(
        &self,
        used: BTreeMap<TenantId, BTreeSet<String>>,
        report: &GleifReport,
    ) -> Result<()> {
        let (now, rows) = (self.clock.now(), report.rows);
        for (tenant, leis) in used {
            let caller = Caller::system(tenant);
            let scope = *caller.scope();
            let detail = json!({ "leis": leis.len(), "rows": rows });
            let write = move |tx: &mut Tx<'_>| {
                audit::record(tx, Actor::Operator, now, "register.leis_loaded", scope.tenant(), &detail)
            };
            self.db.tenant(&scope).write(write).await?;
        }
        Ok(())
    }
}

fn in_use(reader: &mut Reader<'_>) -> Result<BTreeMap<TenantId, BTreeSet<String>>> {
    let mut used: BTreeMap<TenantId, BTreeSet<String>> = BTreeMap::new();
    rows::for_each_in_use(reader, |tenant, lei| {
        used.entry(tenant).or_default().insert(lei.to_owned());
    })?;
    Ok(used)
}

fn store_all(tx: &mut Tx<'_>, taken: &Taken) -> Result<()> {
    for (lei, issued) in &taken.issued {
        rows::put(tx, lei, issued)?;
    }
    for (lei, parent) in &taken.parents {
        rows::put_parent(tx, lei, parent)?;
    }
    Ok(())
}

fn take(mut file: File, wanted: &BTreeSet<String>, today: Day) -> Result<Taken> {
    let mut head = [0; 4];
    let length = file.read(&mut head).map_err(|error| upload::unreadable(&error))?;
    file.rewind().map_err(|error| upload::unreadable(&error))?;
    if !upload::is_zip(&head[..length]) {
        return taken(BufReader::new(file), wanted, today);
    }
    let damaged = |error: zip::result::ZipError| {
        Error::invalid("file", FileComplaint::NotAnArchive { problem: error.to_string() })
    };
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    let is_table = |name: &str| name.to_ascii_lowercase().ends_with(".csv");
    let index = (0..archive.len()).find(|index| {
        archive.name_for_index(*index).is_some_and(|name| name.is_ok_and(|name| is_table(&name)))
    });
    let index = index.ok_or_else(|| Error::invalid("file", FileComplaint::NoGoldenCopy))?;
    taken(BufReader::new(archive.by_index(index).map_err(damaged)?), wanted, today)
}

/// Reads the file row by row into one reused record.
fn taken(reader: impl Read, wanted: &BTreeSet<String>, today: Day) -> Result<Taken> {
    let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(reader);
    let unreadable =
        |error: csv::Error| Error::invalid("file", FileComplaint::NotRead { problem: error.to_string() });
    let headings = Headings::of(table.headers().map_err(unreadable)?)
        .ok_or_else(|| Error::invalid("file", FileComplaint::NoGoldenCopy))?;
    let mut taken = Taken { related: matches!(headings, Headings::Related { .. }), ..Taken::default() };
    let mut record = StringRecord::new();
    while table.read_record(&mut record).map_err(unreadable)? {
        taken.rows += 1;
        headings.take(&record, wanted, today, &mut taken);
    }
    Ok(taken)
}

/// The positions of the columns of a file.
enum Headings {
    Entities {
        lei: usize,
        name: usize,
        country: usize,
        entity: usize,
        registration: usize,
        renewal: Option<usize>,
    },
    Related {
        child: usize,
        parent: usize,
        kind: usize,
        status: Option<usize>,
    },
}

impl Headings {
    fn of(record: &StringRecord) -> Option<Self> {
        let at = |wanted: &str| {
            record.iter().position(|heading| heading.trim_start_matches('\u{feff}').trim() == wanted)
        };
        if let Some(child) = at("Relationship.StartNode.NodeID") {
            return Some(Self::Related {
                child,
                parent: at("Relationship.EndNode.NodeID")?,
                kind: at("Relationship.RelationshipType")?,
                status: at("Relationship.RelationshipStatus"),
            });
        }
        Some(Self::Entities {
            lei: at("LEI")?,
            name: at("Entity.LegalName")?,
            country: at("Entity.LegalAddress.Country")?,
            entity: at("Entity.EntityStatus")?,
            registration: at("Registration.RegistrationStatus")?,
            renewal: at("Registration.NextRenewalDate"),
        })
    }

    fn take(&self, record: &StringRecord, wanted: &BTreeSet<String>, today: Day, taken: &mut Taken) {
        let cell = |position: usize| record.get(position).unwrap_or_default();
        match self {
            Self::Entities { lei, name, country, entity, registration, renewal } => {
                if !wanted.contains(cell(*lei)) {
                    return;
                }
                let day = renewal.and_then(|renewal| cell(renewal).get(..10)?.parse().ok());
                let issued = IssuedLei {
                    name: short(cell(*name)),
                    entity_status: short(cell(*entity)),
                    registration_status: short(cell(*registration)),
                    country: short(cell(*country)),
                    renews_on: day,
                    parent: None,
                    loaded_on: today,
                };
                taken.issued.insert(cell(*lei).to_owned(), issued);
            }
            Self::Related { child, parent, kind, status } => {
                let active = status.is_none_or(|status| cell(status) == "ACTIVE");
                if active && cell(*kind) == "IS_ULTIMATELY_CONSOLIDATED_BY" && wanted.contains(cell(*child)) {
                    taken.parents.insert(cell(*child).to_owned(), short(cell(*parent)));
                }
            }
        }
    }
}

/// A text of the file, bounded and without control characters.
fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(500).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write as _};

    use super::*;

    const HEAD: &str = "LEI,Entity.LegalName,Entity.LegalAddress.Country,Entity.EntityStatus,\
                        Registration.RegistrationStatus,Registration.NextRenewalDate\n";

    /// A table of any length, generated while it is read, so that the test itself needs no memory for it.
    struct Generated {
        next: u64,
        rows: u64,
        rest: io::Cursor<Vec<u8>>,
    }

    impl Read for Generated {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            loop {
                let read = self.rest.read(into)?;
                if read > 0 || self.next == self.rows {
                    return Ok(read);
                }
                let mut text = Vec::new();
                let filler = "x".repeat(1_000);
                writeln!(
                    text,
                    "{:020},\"Name, {}\",DE,ACTIVE,ISSUED,2027-01-01T00:00:00Z,{filler}",
                    self.next, self.next
                )?;
                self.next += 1;
                self.rest = io::Cursor::new(text);
            }
        }
    }

    fn peak() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    fn today() -> Day {
        "2026-11-16".parse().unwrap()
    }

    #[test]
    fn two_hundred_thousand_rows_cost_no_memory_beyond_what_is_in_use() {
        let wanted: BTreeSet<String> = [7_u64, 150_000, 999_999].map(|number| format!("{number:020}")).into();
        let rest = io::Cursor::new(HEAD.as_bytes().to_vec());
        let before = peak();
        let taken = taken(Generated { next: 0, rows: 200_000, rest }, &wanted, today()).unwrap();
        assert_eq!((taken.rows, taken.issued.len()), (200_000, 2));
        let issued = &taken.issued[&format!("{:020}", 150_000)];
        assert_eq!((issued.name.as_str(), issued.renews_on), ("Name, 150000", "2027-01-01".parse().ok()));
        let grown = peak().saturating_sub(before);
        assert!(grown < 20, "{grown} MiB for a file of more than 200 MiB");
    }

    #[test]
    fn relationships_give_the_head_of_the_group() {
        let text = "Relationship.StartNode.NodeID,Relationship.EndNode.NodeID,Relationship.RelationshipType,\
                    Relationship.RelationshipStatus\nA,P,IS_ULTIMATELY_CONSOLIDATED_BY,ACTIVE\n\
                    A,Q,IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE\nB,P,IS_ULTIMATELY_CONSOLIDATED_BY,INACTIVE\n";
        let wanted = ["A", "B"].map(str::to_owned).into();
        let taken = taken(text.as_bytes(), &wanted, today()).unwrap();
        assert_eq!(taken.parents, BTreeMap::from([("A".to_owned(), "P".to_owned())]));
    }

    #[test]
    fn other_tables_are_refused() {
        assert!(taken("a,b\n1,2\n".as_bytes(), &BTreeSet::new(), today()).is_err());
    }
}
