//! The own password: changed with the current one, and with a code where a second factor is on.

use domain::password::{Owner, Password};
use serde_json::json;
use store::{one_time_link, user as rows};

use crate::{
    Access, Result, audit,
    notice::Notice,
    password::Place,
    proof::{Fields, Proof},
    security::What,
    session::{Session, Visitor},
    user::chosen_password,
};

impl Access {
    /// Changes the user's own password and signs them out everywhere else. It takes the current one, and a code if a second
    /// factor is on.
    pub async fn change_password(
        &self,
        session: &Session,
        (current, code): (Password, &str),
        chosen: &str,
        visitor: &Visitor,
    ) -> Result<Proof> {
        let names = [session.user.name.as_str(), session.tenant_name.as_str()];
        let owner = Owner { email: &session.user.email, names: &names };
        let chosen = chosen_password("new_password", chosen, &owner)?;
        let fields = Fields { password: "current_password", code: "code" };
        let proof = self.prove_in(&fields, session, (current, code), visitor).await?;
        if matches!(proof, Proof::Ended) {
            return Ok(proof);
        }
        let hash = self.passwords.hash(Place::TRUSTED, chosen).await?;
        let (actor, now, scope) = (session.caller.actor(), self.clock.now(), *session.caller.scope());
        let (this, id, here) = (self.clone(), session.user.id, session.id);
        self.db
            .tenant(&scope)
            .write(move |tx| {
                rows::set_password(tx, &scope, id, &hash, now)?;
                one_time_link::delete_of_user(tx, &scope, id)?;
                this.people.tell_owner(tx, &scope, (id, Some(here)), &Notice::PasswordChanged, now)?;
                audit::record(tx, actor, now, "user.password_changed", id, &json!({}))
            })
            .await?;
        self.people.note_own(session, What::Password, "changed");
        self.messages.post_user_mail();
        Ok(proof)
    }
}
