//! The user to sign in as: the administrator of the demo tenant, with a random password.

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

const EMAIL: &str = "anna.weber@demo.example";

/// The credentials that are printed once.
pub(super) struct SignIn {
    pub(super) email: &'static str,
    pub(super) password: String,
}

pub(super) async fn add(app: &App, owner: &Caller) -> Result<SignIn, CliError> {
    let email: Email = EMAIL.parse().map_err(|error| CliError::Usage(format!("{error}")))?;
    let password = random_password();
    let chosen = chosen_password("the demo password", &password, &Owner { email: &email, names: &[] })?;
    let draft = UserDraft { email, name: name("Anna Weber")?, role: Role::Administrator };
    app.create_user(owner, draft, chosen).await?;
    Ok(SignIn { email: EMAIL, password })
}

/// Letters and digits in groups that can be read aloud; about 95 bits.
fn random_password() -> String {
    let token = Token::random();
    let letters: Vec<u8> = token.reveal().bytes().filter(u8::is_ascii_alphanumeric).take(16).collect();
    let groups = letters.chunks(4).map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join("-")
}
