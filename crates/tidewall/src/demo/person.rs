//! The users to sign in as, one for each role, each with a random password.

use app::{
    App,
    authz::Caller,
    token::Token,
    user::{UserDraft, chosen_password},
};
use domain::{
    password::Owner,
    user::{Email, Role},
};

use super::name;
use crate::cli::CliError;

/// A person of the demo: name, address, role, and what they do in the bank.
type Person = (&'static str, &'static str, Role, &'static str);

const PEOPLE: [Person; 5] = [
    ("Anna Weber", "anna.weber@demo.example", Role::Administrator, "resilience officer, administrator"),
    ("Jonas Keller", "jonas.keller@demo.example", Role::Manager, "head of IT, manager"),
    ("Miriam Vogt", "miriam.vogt@demo.example", Role::Contributor, "IT operations, contributor"),
    ("Deniz Aydin", "deniz.aydin@demo.example", Role::Auditor, "internal audit, auditor"),
    ("Clara Fontaine", "clara.fontaine@demo.example", Role::Viewer, "member of the board, viewer"),
];

/// The credentials that are printed once.
pub(super) struct SignIn {
    pub(super) email: &'static str,
    pub(super) password: String,
    pub(super) what: &'static str,
}

/// The accounts, with the administrator first. Their passwords are hashed at the same time, because hashing is slow on
/// purpose.
pub(super) async fn add(app: &App, owner: &Caller) -> Result<[SignIn; 5], CliError> {
    let [first, second, third, fourth, fifth] = PEOPLE;
    let added = tokio::try_join!(
        one(app, owner, first),
        one(app, owner, second),
        one(app, owner, third),
        one(app, owner, fourth),
        one(app, owner, fifth),
    )?;
    Ok([added.0, added.1, added.2, added.3, added.4])
}

async fn one(app: &App, owner: &Caller, person: Person) -> Result<SignIn, CliError> {
    let (called, address, role, what) = person;
    let email: Email = address.parse().map_err(|error| CliError::Usage(format!("{error}")))?;
    let password = random_password();
    let chosen = chosen_password("the demo password", &password, &Owner { email: &email, names: &[] })?;
    let draft = UserDraft { email, name: name(called)?, role };
    app.people.create_user(owner, draft, chosen).await?;
    Ok(SignIn { email: address, password, what })
}

/// Letters and digits in groups that can be read aloud; about 95 bits.
fn random_password() -> String {
    let token = Token::random();
    let letters: Vec<u8> = token.reveal().bytes().filter(u8::is_ascii_alphanumeric).take(16).collect();
    let groups = letters.chunks(4).map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join("-")
}
