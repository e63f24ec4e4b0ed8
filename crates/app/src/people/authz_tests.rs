use domain::id::Uuid7;

use super::*;

fn id<T: From<Uuid7>>() -> T {
    T::from(Uuid7::from_parts(1, 1))
}

#[test]
fn a_contributor_writes_records_and_nothing_else() {
    let rights = |role: &Role| {
        let caller = Caller::user(id(), id(), *role);
        let write = caller.may(Permission::Write);
        (caller.may_write_records(), write, caller.may(Permission::ManageKeys), caller.may_administer())
    };
    assert_eq!(
        Role::ALL.iter().map(rights).collect::<Vec<_>>(),
        [
            (false, false, false, false),
            (false, false, false, false),
            (true, false, false, false),
            (true, true, false, false),
            (true, true, true, true),
        ]
    );
}

#[test]
fn no_key_administers_whatever_it_holds() {
    let key = Caller::acting(id(), Actor::Key(id()), Permissions::all());
    assert!(key.may_write_records() && key.may(Permission::ManageKeys));
    assert!(matches!(key.require_administrator(), Err(Error::NotAdministrator)));
    let reader = Caller::acting(id(), Actor::Key(id()), Permissions::READ_ONLY);
    assert!(matches!(reader.require_record_write(), Err(Error::Forbidden(Permission::Write))));
}
