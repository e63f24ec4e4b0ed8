//! The routes of what leaves the service: webhooks, event hooks, the stream of events.

pub(crate) mod event_hooks;
pub(crate) mod events;
pub(crate) mod webhooks;
