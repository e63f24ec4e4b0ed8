use domain::id::Uuid7;

use super::*;

fn id<T: From<Uuid7>>() -> T {
    T::from(Uuid7::from_parts(1, 1))
}

#[test]
fn a_user_has_the_rights_of_the_role() {
    for role in Role::ALL {
        let caller = Caller::user(id(), id(), *role);
        for resource in Resource::ALL {
            assert_eq!(caller.right(*resource), role.right(*resource), "{role} {resource}");
        }
        assert_eq!(caller.may_administer(), *role == Role::Administrator);
    }
}

#[test]
fn a_refusal_names_the_role_that_may() {
    let contributor = Caller::user(id(), id(), Role::Contributor);
    let refused = |resource, right| contributor.require_right(resource, right).unwrap_err().to_string();
    assert_eq!(refused(Resource::Findings, Right::Decide), "this needs the role manager");
    assert_eq!(refused(Resource::Settings, Right::Write), "only an administrator may do this");
    assert!(contributor.require_right(Resource::Findings, Right::Write).is_ok());
}

#[test]
fn no_key_administers_whatever_it_holds() {
    let key = Caller::acting(id(), Actor::Key(id()), Permissions::all());
    assert!(key.has(Resource::Findings, Right::Decide) && key.may(Permission::ManageKeys));
    assert!(matches!(key.require_administrator(), Err(Error::NotAdministrator)));
    assert!(matches!(key.require_right(Resource::Settings, Right::Write), Err(Error::NotAdministrator)));
    let reader = Caller::acting(id(), Actor::Key(id()), Permissions::READ_ONLY);
    let refused = reader.require_right(Resource::Findings, Right::Write);
    assert!(matches!(refused, Err(Error::Forbidden(Permission::Write))));
    let refused = reader.require_right(Resource::AuditLog, Right::Read);
    assert!(matches!(refused, Err(Error::Forbidden(Permission::ManageKeys))));
}
