//! `serve --demo`: one realistic tenant in an empty store, and how to access it.

mod audit;
mod compliance;
mod drill;
mod filing;
mod own;
mod person;
mod profile;
mod provider;
mod register;
mod scan;
mod together;
mod training;
mod work;

use std::io::Write;

use app::{
    App,
    api_key::{KeyRequest, NewKey},
    authz::Caller,
};
use domain::{permission::Permissions, text::Name, user::SecondFactorPolicy};

use crate::cli::CliError;

/// The demo tenant's short name.
pub const SLUG: &str = "demo";

/// Fills the store unless it has a tenant already, and prints the credentials once.
pub async fn fill(app: &App, base_url: &str, out: &mut impl Write) -> Result<(), CliError> {
    if !app.people.tenants().await?.is_empty() {
        writeln!(out, "The store is not empty: the demo adds nothing. {base_url}/api is being served.")?;
        return Ok(());
    }
    let slug = SLUG.parse().map_err(|error| CliError::Usage(format!("{error}")))?;
    let tenant = app.people.create_tenant(slug, name("Demo Bank AG")?).await?;
    let owner = Caller::operator(&tenant);
    // A demo is looked at once; setting up an authenticator app would come first otherwise.
    app.people.require_second_factor(&owner, SecondFactorPolicy::Nobody).await?;
    let people = person::add(app, &owner).await?;
    profile::fill(app, &owner).await?;
    register::fill(app, &owner).await?;
    work::fill(app, &owner).await?;
    own::fill(app, &owner).await?;
    compliance::fill(app, &owner).await?;
    drill::fill(app, &owner).await?;
    training::fill(app, &owner).await?;
    provider::fill(app, &owner).await?;
    profile::rate_functions(app, &owner).await?;
    scan::fill(app).await?;
    let request = KeyRequest::new(name("Demo key")?, Permissions::all());
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    let key = app.people.create_key(&owner, request, None, Box::new(reveal)).await?.body;
    together::fill(app, &owner).await?;
    audit::fill(app, &owner).await?;
    filing::fill(app, &owner).await?;
    writeln!(out, "Tidewall demo, tenant `{SLUG}`\n")?;
    writeln!(out, "  Workspace  {base_url}/workspace")?;
    for (place, person) in people.iter().enumerate() {
        let head = if place == 0 { "Sign in" } else { "" };
        writeln!(out, "  {head:<10} {:<29} password {}   {}", person.email, person.password, person.what)?;
    }
    writeln!(
        out,
        "             no second factor is required here; of new institutions, administrators need one"
    )?;
    writeln!(out, "  API        {base_url}/api   documentation {base_url}/api/docs")?;
    writeln!(out, "  API key    {key}\n")?;
    writeln!(
        out,
        "Try:  curl -H \"Authorization: Bearer {key}\" {base_url}/api/v1/concentration-risk/latest\n"
    )?;
    out.flush()?;
    Ok(())
}

fn name(text: &str) -> Result<Name, CliError> {
    Name::parse(text).map_err(|error| CliError::Usage(error.to_string()))
}
