//! The versions of a record.

use domain::{
    moment::Moment,
    page::{Page, PageRequest},
};
use serde_json::Value;
use store::{
    Reader, TenantScope,
    record::{self as rows, RecordRow},
    version::{self, VersionRow},
};

use super::{RecordKind, content::content};
use crate::{Error, Records, Result, authz::Caller};

/// One version of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    pub number: i64,
    pub from: Moment,
    /// `None` for the current version.
    pub until: Option<Moment>,
    /// Who made the change that ended it.
    pub replaced_by: Option<String>,
    pub fields: Value,
}

impl Records {
    /// A page of the record's versions, the current one first. Versions from before they were stored are missing.
    pub async fn record_versions<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
        request: PageRequest,
    ) -> Result<Page<Version>> {
        let (caller, scope) = (caller.clone(), *caller.scope());
        let read = move |reader: &mut Reader<'_>| {
            let row = rows::get::<K>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            row.record.check_reader(&caller)?;
            versions::<K>(reader, &scope, id, request)
        };
        self.db.tenant(&scope).read(read).await
    }

    pub async fn record_version<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
        number: i64,
    ) -> Result<Version> {
        let (caller, scope) = (caller.clone(), *caller.scope());
        self.db
            .tenant(&scope)
            .read(move |r| {
                let row = rows::get::<K>(r, &scope, id)?.ok_or(Error::NotFound)?;
                row.record.check_reader(&caller)?;
                if row.version == number {
                    return Ok(current(&row));
                }
                let earlier = version::get(r, &scope, &id.to_string(), number)?.ok_or(Error::NotFound)?;
                Version::try_from(earlier)
            })
            .await
    }
}

/// A page of the versions, inside a snapshot.
pub(crate) fn versions<K: RecordKind>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: K::Id,
    request: PageRequest,
) -> Result<Page<Version>> {
    let row = rows::get::<K>(reader, scope, id)?.ok_or(Error::NotFound)?;
    let subject = id.to_string();
    let total = version::count(reader, scope, &subject)? + 1;
    // The current version is in the record's own table, before the earlier ones.
    let is_first = request.offset() == 0;
    let limit = u64::from(request.limit()) - u64::from(is_first);
    let mut items: Vec<Version> = is_first.then(|| current(&row)).into_iter().collect();
    let earlier = version::list(reader, scope, &subject, limit, request.offset().saturating_sub(1))?;
    for row in earlier {
        items.push(Version::try_from(row)?);
    }
    Ok(Page::new(items, total, request))
}

fn current<K: RecordKind>(row: &RecordRow<K>) -> Version {
    Version {
        number: row.version,
        from: row.updated_at,
        until: None,
        replaced_by: None,
        fields: content(row),
    }
}

impl TryFrom<VersionRow> for Version {
    type Error = Error;

    fn try_from(row: VersionRow) -> Result<Self> {
        Ok(Self {
            number: row.version,
            from: row.from,
            until: Some(row.until),
            replaced_by: Some(row.replaced_by),
            fields: serde_json::from_str(&row.content).map_err(Error::internal)?,
        })
    }
}
