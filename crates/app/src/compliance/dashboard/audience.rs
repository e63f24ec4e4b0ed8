//! Which widgets a user sees by default. The catalogue names the functions of an institution that each widget is for;
//! a user has a role in the workspace, which corresponds to a few of these functions.

use catalogue::{vocabulary::Role as Function, widget::Widget};
use domain::user::Role;

use super::Dashboard;

/// Widgets about the service itself, for its administrators.
const OF_THE_SERVICE: [&str; 2] = ["widget-vulnerabilities", "widget-service-performance"];

/// The functions that each role corresponds to.
fn functions(role: Role) -> &'static [Function] {
    match role {
        Role::Viewer | Role::Auditor => {
            &[Function::ManagementBody, Function::Compliance, Function::InternalAudit, Function::Legal]
        }
        Role::Contributor => &[Function::SecurityOperations, Function::ItOperations, Function::Development],
        Role::Manager => &[Function::Ciso, Function::ThirdPartyManager],
        Role::Administrator => Function::ALL,
    }
}

impl Dashboard {
    /// Whether the widget is shown to this role; `all` shows everything the role may see.
    pub fn offers(&self, widget: &str, role: Role, all: bool) -> bool {
        if OF_THE_SERVICE.contains(&widget) {
            return role == Role::Administrator;
        }
        // An edited catalogue may lack the widget; then it is shown to every role.
        all || self.edition.widgets.get(widget).is_none_or(|widget| is_for(widget, role))
    }
}

fn is_for(widget: &Widget, role: Role) -> bool {
    widget.roles.iter().any(|function| functions(role).contains(function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_stands_for_something() {
        for role in Role::ALL {
            assert!(!functions(*role).is_empty(), "{role}");
        }
        assert!(functions(Role::Manager).contains(&Function::Ciso));
    }
}
