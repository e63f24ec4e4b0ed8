//! Own fields of the kinds of records, and what lists find records by in them. The values are stored with their record.

use domain::{
    custom_field::{CustomField, CustomValues, FieldLabel, ValueDigest},
    id::CustomFieldId,
    moment::Moment,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    INSERT = "INSERT INTO custom_fields (id, tenant_id, kind, field_key, field_type, label, label_de, choices, place,
                                         is_used, archived_at, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $11)";
    UPDATE = "UPDATE custom_fields SET label = $3, label_de = $4, choices = $5, place = $6, archived_at = $7,
                                       updated_at = $8
              WHERE tenant_id = $1 AND id = $2";
    USE = "UPDATE custom_fields SET is_used = 1
           WHERE tenant_id = $1 AND kind = $2 AND field_key = $3 AND is_used = 0";
    GET = "SELECT id, kind, field_key, field_type, label, label_de, choices, place, is_used, archived_at,
                  created_at, updated_at
           FROM custom_fields WHERE tenant_id = $1 AND id = $2";
    OF_KIND = "SELECT id, kind, field_key, field_type, label, label_de, choices, place, is_used, archived_at,
                      created_at, updated_at
               FROM custom_fields WHERE tenant_id = $1 AND kind = $2 ORDER BY place, id";
    ALL = "SELECT id, kind, field_key, field_type, label, label_de, choices, place, is_used, archived_at,
                  created_at, updated_at
           FROM custom_fields WHERE tenant_id = $1 ORDER BY kind, place, id";
    DELETE = "DELETE FROM custom_fields WHERE tenant_id = $1 AND id = $2";
    ADD_VALUE = "INSERT INTO custom_values (tenant_id, record_id, digest) VALUES ($1, $2, $3)";
    REMOVE_VALUE = "DELETE FROM custom_values WHERE tenant_id = $1 AND record_id = $2 AND digest = $3";
}

/// A field as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomFieldRow {
    pub id: CustomFieldId,
    pub field: CustomField,
    /// Whether a record ever had a value in it.
    pub is_used: bool,
    pub created_at: Moment,
    pub updated_at: Moment,
}

fn read(row: &Row<'_>) -> Result<CustomFieldRow> {
    Ok(CustomFieldRow {
        id: row.parse(0)?,
        field: CustomField {
            kind: row.get(1)?,
            key: row.get(2)?,
            field_type: row.parse(3)?,
            label: FieldLabel { text: row.get(4)?, german: row.get(5)? },
            choices: row.json(6)?,
            place: row.get(7)?,
            archived_at: row.get(9)?,
        },
        is_used: row.get(8)?,
        created_at: row.get(10)?,
        updated_at: row.get(11)?,
    })
}

fn choices(field: &CustomField) -> Result<String> {
    serde_json::to_string(&field.choices).map_err(Error::corrupt)
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &CustomFieldRow) -> Result<()> {
    let field = &row.field;
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            field.kind.as_str(),
            field.key.as_str(),
            field.field_type.as_str(),
            field.label.text.as_str(),
            field.label.german.as_deref(),
            choices(field)?,
            field.place,
            field.archived_at,
            row.created_at
        ],
    )?;
    Ok(())
}

pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &CustomFieldRow) -> Result<()> {
    let field = &row.field;
    tx.execute(
        &UPDATE,
        params![
            scope.tenant(),
            row.id,
            field.label.text.as_str(),
            field.label.german.as_deref(),
            choices(field)?,
            field.place,
            field.archived_at,
            row.updated_at
        ],
    )?;
    Ok(())
}

/// Notes that a record has a value in a field.
pub fn note_use(tx: &mut Tx<'_>, scope: &TenantScope, kind: &str, key: &str) -> Result<()> {
    tx.execute(&USE, params![scope.tenant(), kind, key])?;
    Ok(())
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: CustomFieldId,
) -> Result<Option<CustomFieldRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

/// The fields of a kind in their order, with those in the archive.
pub fn of_kind(reader: &mut Reader<'_>, scope: &TenantScope, kind: &str) -> Result<Vec<CustomFieldRow>> {
    reader.query(&OF_KIND, params![scope.tenant(), kind], read)
}

/// The fields of all kinds.
pub fn all(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<CustomFieldRow>> {
    reader.query(&ALL, params![scope.tenant()], read)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: CustomFieldId) -> Result<()> {
    tx.execute(&DELETE, params![scope.tenant(), id])?;
    Ok(())
}

/// Updates what lists find a record of this table by.
pub(crate) fn index(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    (table, record): (&str, &str),
    before: Option<&CustomValues>,
    after: &CustomValues,
) -> Result<()> {
    if before.is_none_or(CustomValues::is_empty) && after.is_empty() {
        return Ok(());
    }
    let digests = |values: &CustomValues| values.digests(table).collect::<Vec<ValueDigest>>();
    let (old, new) = (before.map(digests).unwrap_or_default(), digests(after));
    for gone in old.iter().filter(|digest| !new.contains(digest)) {
        tx.post(&REMOVE_VALUE, params![scope.tenant(), record, gone.number()])?;
    }
    for added in new.iter().filter(|digest| !old.contains(digest)) {
        tx.post(&ADD_VALUE, params![scope.tenant(), record, added.number()])?;
    }
    Ok(())
}
