//! Confirmation of identity before critical actions.
//!
//! A session may be stolen. So actions that could take over the account (factors, keys, users) need the password
//! within the last minutes, and a code if a second factor is on.

use domain::{password::Password, violation::AccountComplaint};
use serde_json::json;
use store::session as sessions;

use crate::{
    App, Error, Result, audit,
    code_check::{Checked, Presenter},
    second_factor::Presented,
    security::{SecurityEvent, What},
    session::{Session, Visitor},
};

/// The result of a confirmation.
#[derive(Debug)]
pub enum Proof {
    /// The session, which counts as confirmed from now on.
    Given(Box<Session>),
    /// Too many wrong codes: the session was ended.
    Ended,
}

impl App {
    /// Checks the password again, and a code if a second factor is on.
    pub async fn prove(
        &self,
        session: &Session,
        password: Password,
        code: &str,
        visitor: &Visitor,
    ) -> Result<Proof> {
        self.confirm(session, "proof_password", password).await?;
        let (app, code, now) = (self.clone(), Presented::parse(code), self.clock.now());
        let (scope, actor, asks) =
            (*session.caller.scope(), session.caller.actor(), session.user.has_second_factor);
        let presenter = Presenter {
            scope,
            user: session.user.id,
            session: session.id,
            device: visitor.device.clone(),
            address: visitor.address.to_string(),
        };
        let checked = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let checked = if asks {
                    app.check_code(tx, &presenter, &code, now)?
                } else {
                    Checked::Right("password")
                };
                if let Checked::Right(means) = checked {
                    if !sessions::prove(tx, presenter.session, now)? {
                        return Err(Error::NotFound);
                    }
                    let detail = json!({ "address": presenter.address, "means": means });
                    audit::record(tx, actor, now, "user.proved", presenter.user, &detail)?;
                }
                Ok(checked)
            })
            .await?;
        self.post_user_mail();
        let event = |event: SecurityEvent| event.of(session.caller.tenant(), session.user.id);
        if !matches!(checked, Checked::Right(_)) {
            self.note(event(SecurityEvent::refused(What::Proof)).from(visitor.address).because("code"));
        }
        match checked {
            Checked::Right(_) => {
                self.note(event(SecurityEvent::allowed(What::Proof)).from(visitor.address));
                let caller = session.caller.clone().proved(Some(now));
                Ok(Proof::Given(Box::new(Session { caller, ..session.clone() })))
            }
            Checked::Ended => Ok(Proof::Ended),
            Checked::Wrong => Err(Error::invalid("proof_code", AccountComplaint::NextCode)),
            Checked::Paused { seconds } => {
                let minutes = i64::try_from(seconds.div_ceil(60)).unwrap_or(i64::MAX);
                Err(Error::invalid("proof_code", AccountComplaint::WrongTooOften { minutes }))
            }
        }
    }
}
