//! What GLEIF's golden copy contains about the LEIs in use. Public data of the platform: every tenant sees the same.

use domain::{
    id::TenantId,
    moment::Day,
    register::{
        Template,
        filing::issued::{IssuedLei, IssuedLeis, codes_of},
        sheets::SheetRow,
    },
};

use crate::{Error, Reader, Result, Tx, params};

crate::sql! {
    LIST = whole("only the LEIs in use are kept, and the checks look up most of them",
                 "SELECT lei, name, entity_status, registration_status, country, renews_on, parent, loaded_on
                  FROM issued_leis");
    IN_USE = whole("a golden copy is compared with the registers of all tenants",
                   "SELECT tenant_id, template, cells FROM register_rows");
    PUT = "INSERT INTO issued_leis (lei, name, entity_status, registration_status, country, renews_on, parent, loaded_on)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (lei) DO UPDATE SET
               name = excluded.name, entity_status = excluded.entity_status,
               registration_status = excluded.registration_status, country = excluded.country,
               renews_on = excluded.renews_on, loaded_on = excluded.loaded_on";
    PUT_PARENT = "UPDATE issued_leis SET parent = $2 WHERE lei = $1";
}

/// All stored LEIs.
pub fn all(reader: &mut Reader<'_>) -> Result<IssuedLeis> {
    let mut known = IssuedLeis::new();
    reader.for_each(&LIST, &[], |row| {
        let issued = IssuedLei {
            name: row.get(1)?,
            entity_status: row.get(2)?,
            registration_status: row.get(3)?,
            country: row.get(4)?,
            renews_on: row.parse_opt(5)?,
            parent: row.get(6)?,
            loaded_on: row.parse(7)?,
        };
        known.insert(row.get(0)?, issued);
        Ok(())
    })?;
    Ok(known)
}

/// Calls `each` for every LEI in the registers of all tenants, once per occurrence.
pub fn for_each_in_use(reader: &mut Reader<'_>, mut each: impl FnMut(TenantId, &str)) -> Result<()> {
    reader.for_each(&IN_USE, &[], |row| {
        let Some(template) = Template::from_name(row.text(1)?) else { return Ok(()) };
        let tenant: TenantId = row.parse(0)?;
        let content = SheetRow::from_json("", template, row.text(2)?).map_err(Error::corrupt)?;
        codes_of(template, &content).for_each(|code| each(tenant, code));
        Ok(())
    })
}

pub fn put(tx: &mut Tx<'_>, lei: &str, issued: &IssuedLei) -> Result<()> {
    let IssuedLei { name, entity_status, registration_status, country, renews_on, parent, loaded_on } =
        issued;
    let renews_on = renews_on.map(|day: Day| day.to_string());
    let values = params![
        lei,
        name,
        entity_status,
        registration_status,
        country,
        renews_on,
        parent.as_deref(),
        *loaded_on,
    ];
    tx.execute(&PUT, values)?;
    Ok(())
}

/// Stores the ultimate parent of an LEI in use.
pub fn put_parent(tx: &mut Tx<'_>, lei: &str, parent: &str) -> Result<()> {
    tx.execute(&PUT_PARENT, params![lei, parent])?;
    Ok(())
}
