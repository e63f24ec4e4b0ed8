//! The rows of the register of information.

use domain::{
    id::RegisterRowId,
    page::PageRequest,
    register::{Template, sheets::SheetRow},
};
use store::{
    Reader, Tx,
    register::{self, RegisterRow},
};

use crate::{Fixture, id, note, now, on_both_engines};

on_both_engines![rows_are_kept_by_template_and_stay_with_their_tenant];

fn row(number: u128, template: Template, text: &str) -> RegisterRow {
    let id = id::<RegisterRowId>(number);
    let mut content = SheetRow::new(id.to_string(), template);
    content.cells[0] = text.into();
    RegisterRow { id, template, content, version: 1, created_at: now(), updated_at: now() }
}

async fn rows_are_kept_by_template_and_stay_with_their_tenant(fixture: Fixture) {
    let (scope, south) = (fixture.north, fixture.south);
    let branches = [row(1, Template::Branches, "Überseestraße, \"1\""), row(2, Template::Branches, "=1")];
    let made = branches.clone();
    let insert = move |tx: &mut Tx<'_>| {
        for row in made.iter().chain([&row(3, Template::Definitions, "Own")]) {
            register::insert(tx, &scope, row)?;
        }
        register::note_change(tx, &scope, now())?;
        note(tx, "register.imported")
    };
    fixture.db.tenant(&scope).write(insert).await.unwrap();
    let list =
        move |r: &mut Reader<'_>| register::list(r, &scope, Template::Branches, PageRequest::default());
    let page = fixture.db.tenant(&scope).read(list).await.unwrap();
    assert_eq!((page.items.as_slice(), page.total), (&branches[..], 2));
    let sheets = move |r: &mut Reader<'_>| register::sheets(r, &scope);
    let all = fixture.db.tenant(&scope).read(sheets).await.unwrap();
    assert_eq!((all.len(), all.rows(Template::Branches)[1].cell(0)), (3, "=1"));
    let changed_at = move |r: &mut Reader<'_>| register::changed_at(r, &scope);
    assert_eq!(fixture.db.tenant(&scope).read(changed_at).await.unwrap(), Some(now()));

    let theirs = fixture.db.tenant(&south).read(move |r| register::sheets(r, &south)).await.unwrap();
    assert!(theirs.is_empty());
    let one = branches[0].id;
    let get = move |r: &mut Reader<'_>| register::get(r, &south, Template::Branches, one);
    assert_eq!(fixture.db.tenant(&south).read(get).await.unwrap(), None);

    // A row is found under its own template only, and a change needs the version it was read with.
    let change = move |tx: &mut Tx<'_>| {
        assert!(!register::delete(tx, &scope, Template::Definitions, one)?);
        let mut changed = row(1, Template::Branches, "Paris");
        assert!(register::update(tx, &scope, &changed)?);
        assert!(!register::update(tx, &scope, &changed)?);
        changed.version = 2;
        let kept = register::get(tx, &scope, Template::Branches, one)?;
        assert_eq!(kept, Some(changed));
        register::clear(tx, &scope, Template::Branches)?;
        note(tx, "register.imported")
    };
    fixture.db.tenant(&scope).write(change).await.unwrap();
    assert_eq!(fixture.db.tenant(&scope).read(sheets).await.unwrap().len(), 1);
}
