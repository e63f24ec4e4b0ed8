//! A tenant's risk appetite by category. No rows mean that none is set.

use domain::{
    moment::Moment,
    risk::{Appetite, RiskCategory, RiskLevel},
};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Value};

crate::sql! {
    LEVELS = "SELECT category, level FROM risk_appetite WHERE tenant_id = $1";
    CLEAR = "DELETE FROM risk_appetite WHERE tenant_id = $1";
    PUT = "INSERT INTO risk_appetite (tenant_id, category, level) VALUES ($1, $2, $3)";
    RULE = "SELECT second_person_from FROM risk_rules WHERE tenant_id = $1";
    PUT_RULE = "INSERT INTO risk_rules (tenant_id, second_person_from, updated_at) VALUES ($1, $2, $3)
                ON CONFLICT (tenant_id) DO UPDATE SET
                    second_person_from = excluded.second_person_from, updated_at = excluded.updated_at";
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Appetite> {
    let mut appetite = Appetite::default();
    let levels = reader.query(&LEVELS, params![scope.tenant()], |row| {
        Ok((row.parse::<RiskCategory>(0)?, row.rank::<RiskLevel>(1)?))
    })?;
    appetite.levels.extend(levels);
    if let Some(level) = reader.query_opt(&RULE, params![scope.tenant()], |row| row.parse(0))? {
        appetite.second_person_from = level;
    }
    Ok(appetite)
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, appetite: &Appetite, at: Moment) -> Result<()> {
    tx.execute(&CLEAR, params![scope.tenant()])?;
    for (category, level) in &appetite.levels {
        tx.execute(
            &PUT,
            &[Value::from(scope.tenant()), Value::from(category.as_str()), Value::rank(*level)],
        )?;
    }
    tx.execute(&PUT_RULE, params![scope.tenant(), appetite.second_person_from.as_str(), at])?;
    Ok(())
}
