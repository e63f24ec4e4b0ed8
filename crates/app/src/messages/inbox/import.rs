//! Notices about imports: one for everything that an import assigned to a person, and one to the person for whom a
//! program imported.

use std::collections::BTreeMap;

use domain::{actor::Actor, id::UserId, inbox::Reason, text::Name};
use store::Tx;

use super::About;
use crate::{Result, author::Author};

/// What an import did.
#[derive(Debug)]
pub(crate) struct Imported<'i> {
    /// The table of its records.
    pub(crate) kind: &'static str,
    /// What it was read from, such as the name of a scanner.
    pub(crate) source: &'i str,
    /// How many records it created or changed.
    pub(crate) records: u64,
    /// How many records it assigned, by the name of the new owner.
    pub(crate) assigned: &'i BTreeMap<String, u64>,
}

impl Author {
    /// A person who imports sees the result; the one a key stands for gets a notice.
    pub(crate) fn notify_of_import(&self, tx: &mut Tx<'_>, import: &Imported<'_>) -> Result<()> {
        if import.records == 0 {
            return Ok(());
        }
        let mut people: BTreeMap<UserId, u64> = BTreeMap::new();
        for (name, count) in import.assigned {
            if let Ok(name) = Name::parse(name)
                && let [person] = self.named(tx, &name)?[..]
            {
                *people.entry(person).or_default() += count;
            }
        }
        if let actor @ Actor::Key(_) = self.caller.actor()
            && let Ok(person) = self.person(tx, actor)?.parse()
        {
            people.insert(person, import.records);
        }
        for (person, count) in people {
            let about = About {
                subject: format!("import:{}", import.kind),
                version: self.now.millis(),
                kind: import.kind,
                reference: None,
                title: format!("{}: {count}", import.source),
                due: None,
            };
            self.notify(tx, person, Reason::ImportFinished, &about)?;
        }
        Ok(())
    }
}
