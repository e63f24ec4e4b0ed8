//! Which widgets a role may see at all. Which of them it sees first is decided by the page.

use domain::user::Role;

use super::Dashboard;

/// Widgets about the service itself, for its administrators.
const OF_THE_SERVICE: [&str; 2] = ["widget-vulnerabilities", "widget-service-performance"];

impl Dashboard {
    /// Whether the widget may be shown to this role.
    pub fn offers(widget: &str, role: Role) -> bool {
        role == Role::Administrator || !OF_THE_SERVICE.contains(&widget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_the_service_is_for_its_administrators() {
        for role in Role::ALL {
            assert_eq!(Dashboard::offers("widget-vulnerabilities", *role), *role == Role::Administrator);
            assert!(Dashboard::offers("widget-alerts", *role), "{role}");
        }
    }
}
