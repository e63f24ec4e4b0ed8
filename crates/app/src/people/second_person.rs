//! Decisions that need a second person. A key stands for the person at the start of its chain, who can use every key of
//! it, so a key is no second person beside its maker.

use domain::{
    actor::Actor,
    second_person::{Decider, is_full},
};
use store::{Reader, Tx, api_key, tenant};

use crate::{Error, People, Result, author::Author, authz::Caller};

impl People {
    /// Whether the caller stands for one of those who changed a record since its last decision.
    pub async fn is_editor(&self, caller: &Caller, editors: &[String]) -> Result<bool> {
        let (author, editors) = (Author::new(self, caller), editors.to_vec());
        let read = move |reader: &mut Reader<'_>| Ok(author.decider(reader, "", &editors)?.is_editor);
        self.db.tenant(caller.scope()).read(read).await
    }
}

impl Author {
    /// Refuses a key where the institution leaves decisions to people.
    pub(crate) fn require_decider(&self, tx: &mut Tx<'_>) -> Result<()> {
        match self.caller.actor() {
            Actor::Key(_) if !tenant::key_policy(tx, self.scope())?.may_decide => Err(Error::KeysDoNotDecide),
            _ => Ok(()),
        }
    }

    /// The caller, and whether they stand for one of those who changed a record since its last decision.
    pub(crate) fn decider<'n>(
        &self,
        reader: &mut Reader<'_>,
        name: &'n str,
        editors: &[String],
    ) -> Result<Decider<'n>> {
        if editors.is_empty() {
            return Ok(Decider { name, is_editor: false });
        }
        let mut is_editor = is_full(editors);
        let person = self.person(reader, self.caller.actor())?;
        for editor in editors {
            let named = match editor.parse::<Actor>() {
                Ok(actor) => self.person(reader, actor)?,
                Err(_) => editor.clone(),
            };
            is_editor |= named == person;
        }
        Ok(Decider { name, is_editor })
    }

    /// The person the caller is or, as a key, stands for; a key that a person did not make stands for itself.
    pub(crate) fn stands_for(&self, reader: &mut Reader<'_>) -> Result<Actor> {
        let actor = self.caller.actor();
        let Actor::Key(id) = actor else { return Ok(actor) };
        Ok(match api_key::origin(reader, self.scope(), id)? {
            Some((_, Some(person @ Actor::User(_)))) => person,
            _ => actor,
        })
    }

    /// The person an actor stands for. A key whose chain begins with the operator, or whose maker is not known, stands
    /// for the first key of its chain.
    pub(crate) fn person(&self, reader: &mut Reader<'_>, actor: Actor) -> Result<String> {
        let Actor::Key(id) = actor else { return Ok(actor.to_string()) };
        Ok(match api_key::origin(reader, self.scope(), id)? {
            Some((_, Some(Actor::User(person)))) => person.to_string(),
            Some((first, _)) => first.to_string(),
            None => id.to_string(),
        })
    }
}
