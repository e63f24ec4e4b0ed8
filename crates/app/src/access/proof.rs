//! Confirmation of identity before critical actions.
//!
//! A session may be stolen. So actions that could take over the account (factors, keys, users) need the password
//! within the last minutes, and a code if a second factor is on.

use domain::{moment::Moment, password::Password, violation::AccountComplaint};
use serde_json::json;
use store::session as sessions;

use crate::{
    Access, Error, Result, audit,
    code_check::{Checked, Presenter},
    second_factor::Presented,
    security::{SecurityEvent, What},
    session::{Session, Visitor},
    token::Token,
};

/// The result of a confirmation.
#[derive(Debug)]
pub enum Proof {
    Given(Box<Proved>),
    /// Too many wrong codes: the session was ended.
    Ended,
}

/// A session that counts as confirmed from now on, and its new token: the one before stops working, so that the holder of
/// a copied cookie does not gain by the proof.
#[derive(Debug)]
pub struct Proved {
    pub session: Session,
    pub token: Token,
}

impl Proof {
    pub(crate) fn given(session: &Session, token: Token, now: Moment) -> Self {
        let caller = session.caller.clone().proved(Some(now));
        Self::Given(Box::new(Proved { session: Session { caller, ..session.clone() }, token }))
    }
}

/// The fields of the form that carry password and code.
pub(crate) struct Fields {
    pub(crate) password: &'static str,
    pub(crate) code: &'static str,
}

const FIELDS: Fields = Fields { password: "proof_password", code: "proof_code" };

impl Access {
    /// Checks the password again, and a code if a second factor is on.
    pub async fn prove(
        &self,
        session: &Session,
        password: Password,
        code: &str,
        visitor: &Visitor,
    ) -> Result<Proof> {
        self.prove_in(&FIELDS, session, (password, code), visitor).await
    }

    /// The same with the fields that complaints are shown at.
    pub(crate) async fn prove_in(
        &self,
        fields: &Fields,
        session: &Session,
        (password, code): (Password, &str),
        visitor: &Visitor,
    ) -> Result<Proof> {
        self.people.confirm(session, fields.password, password).await?;
        let token = Token::random();
        let digest = token.digest();
        let (this, code, now) = (self.clone(), Presented::parse(code), self.clock.now());
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
                    this.check_code(tx, &presenter, &code, now)?
                } else {
                    Checked::Right("password")
                };
                if let Checked::Right(means) = checked {
                    if !sessions::prove(tx, presenter.session, &digest, now)? {
                        return Err(Error::NotFound);
                    }
                    let detail = json!({ "address": presenter.address, "means": means });
                    audit::record(tx, actor, now, "user.proved", presenter.user, &detail)?;
                }
                Ok(checked)
            })
            .await?;
        self.messages.post_user_mail();
        let event = |event: SecurityEvent| event.of(session.caller.tenant(), session.user.id);
        if !matches!(checked, Checked::Right(_)) {
            self.note(event(SecurityEvent::refused(What::Proof)).from(visitor.address).because("code"));
        }
        match checked {
            Checked::Right(_) => {
                self.note(event(SecurityEvent::allowed(What::Proof)).from(visitor.address));
                Ok(Proof::given(session, token, now))
            }
            Checked::Ended => Ok(Proof::Ended),
            Checked::Wrong => Err(Error::invalid(fields.code, AccountComplaint::NextCode)),
            Checked::Paused { seconds } => {
                let minutes = i64::try_from(seconds.div_ceil(60)).unwrap_or(i64::MAX);
                Err(Error::invalid(fields.code, AccountComplaint::WrongTooOften { minutes }))
            }
        }
    }
}
