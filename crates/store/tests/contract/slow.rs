//! Slow statements are counted, whichever way they run.

use std::time::Duration;

use domain::page::PageRequest;
use store::{
    Reader, Result, Tx,
    sql::{Statement, Text, Value},
    tenant, webhook,
};

use crate::{Fixture, on_both_engines};

on_both_engines![statements_and_lists_over_the_limit_are_counted, no_limit_counts_nothing];

/// Every statement takes longer than this.
const EVERY: Option<Duration> = Some(Duration::from_nanos(1));

async fn read_tenants(fixture: &Fixture) {
    fixture.db.platform().read(tenant::list).await.unwrap();
}

async fn statements_and_lists_over_the_limit_are_counted(fixture: Fixture) {
    let slow = || fixture.db.meter().slow_statements;
    fixture.db.watch_slow(EVERY);
    read_tenants(&fixture).await;
    assert_eq!(slow(), 1, "one statement");
    let scope = fixture.north;
    let list = move |reader: &mut Reader<'_>| webhook::list(reader, &scope, PageRequest::default());
    fixture.db.tenant(&scope).read(list).await.unwrap();
    assert!(slow() > 1, "a list");
    let before = slow();
    fixture.db.platform().bookkeep(touch).await.unwrap();
    assert_eq!(slow(), before + 2, "a change, and one with several sets of parameters");
    fixture.db.watch_slow(Some(Duration::from_hours(1)));
    let before = slow();
    read_tenants(&fixture).await;
    assert_eq!(slow(), before, "nothing takes an hour");
}

const TOUCH: Statement = Statement {
    name: "slow::TOUCH",
    text: Text::Same("UPDATE tenants SET name = name WHERE slug = $1"),
    whole_table: None,
};

fn touch(tx: &mut Tx<'_>) -> Result<()> {
    tx.execute(&TOUCH, &[Value::from("north")])?;
    tx.execute_many(&TOUCH, &[vec![Value::from("north")], vec![Value::from("south")]])?;
    Ok(())
}

async fn no_limit_counts_nothing(fixture: Fixture) {
    fixture.db.watch_slow(None);
    read_tenants(&fixture).await;
    assert_eq!(fixture.db.meter().slow_statements, 0);
}
