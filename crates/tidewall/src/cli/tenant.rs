//! `tidewall tenant`: the institutions a store serves.

use std::io::{self, Write};

use app::{authz::Caller, tenant::TenantRow};
use clap::{Args, Subcommand};
use domain::{currency::Currency, tenant::Slug, text::Name, user::SecondFactorPolicy, wording::Language};
use serde_json::{Value, json};

use super::{
    CliError, GlobalFlags,
    offline::{Access, with_app},
    print_json, table,
};

const EXAMPLES: &str = "\
Examples:
  tidewall tenant create north-bank --name 'North Bank AG'
  tidewall tenant language north-bank de
  tidewall tenant currency north-bank CHF
  tidewall tenant rename north-bank 'North Bank SE'
  tidewall tenant close north-bank --yes
  tidewall tenant list --json

`close` archives a tenant: its people cannot sign in, its keys stop working, nothing is sent, and all of its records
stay. `open` undoes it.";

/// Create, list, rename, set up, close and open tenants
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TenantArgs {
    #[command(subcommand)]
    pub verb: TenantVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum TenantVerb {
    /// Create a tenant, and the store if there is none yet
    Create {
        /// Short name: lower-case letters, digits, inner hyphens
        slug: Slug,
        /// Full name
        #[arg(long)]
        name: String,
    },
    /// Set the language of the messages a tenant's webhooks send
    Language {
        slug: Slug,
        /// en or de
        language: Language,
    },
    /// Set the currency a tenant's concentration analyses are given in
    Currency {
        slug: Slug,
        /// A code such as EUR
        currency: Currency,
    },
    /// Give a tenant another full name; its short name stays
    Rename {
        slug: Slug,
        /// The new full name
        name: String,
    },
    /// Archive a tenant: sign-in and keys stop working, the records stay
    Close {
        slug: Slug,
        /// Confirm it
        #[arg(long)]
        yes: bool,
    },
    /// Open an archived tenant again
    Open { slug: Slug },
    /// List all tenants
    List,
}

pub(super) fn run(global: &GlobalFlags, args: TenantArgs, out: &mut impl Write) -> Result<(), CliError> {
    let access = match &args.verb {
        TenantVerb::Create { .. } => Access::Create,
        TenantVerb::List => Access::Read,
        TenantVerb::Close { slug, yes: false } => {
            return Err(CliError::Usage(format!(
                "closing {slug} signs everyone of it out and stops its keys: add --yes to confirm"
            )));
        }
        _ => Access::Change,
    };
    with_app(global, access, async |app, _| match args.verb {
        TenantVerb::Create { slug, name } => {
            let name = named("--name", &name)?;
            let tenant = app.people.create_tenant(slug, name).await?;
            if global.json {
                print_json(&described(&tenant), out)
            } else {
                writeln!(out, "{}", tenant.id)?;
                let _ = writeln!(
                    io::stderr(),
                    "Created {}. Invite its first administrator with `tidewall user invite ADDRESS --tenant {} --role \
                     administrator`.",
                    tenant.name,
                    tenant.slug
                );
                // The id alone is for programs, so the sentence is for people only.
                print_policy(app.people.second_factor_of_new_tenants());
                Ok(())
            }
        }
        TenantVerb::Language { slug, language } => {
            let tenant = app.people.tenant_by_slug(slug).await?;
            Ok(app.people.set_language(&Caller::operator(&tenant), language).await?)
        }
        TenantVerb::Currency { slug, currency } => {
            let tenant = app.people.tenant_by_slug(slug).await?;
            Ok(app.people.set_currency(&Caller::operator(&tenant), currency).await?)
        }
        TenantVerb::Rename { slug, name } => {
            let (name, tenant) = (named("NAME", &name)?, app.people.tenant_by_slug(slug).await?);
            Ok(app.people.rename_tenant(&Caller::operator(&tenant), name).await?)
        }
        TenantVerb::Close { slug, yes: _ } => {
            let tenant = app.people.tenant_by_slug(slug).await?;
            Ok(app.people.close_tenant(&Caller::operator(&tenant)).await?)
        }
        TenantVerb::Open { slug } => {
            let tenant = app.people.tenant_by_slug(slug).await?;
            Ok(app.people.open_tenant(&Caller::operator(&tenant)).await?)
        }
        TenantVerb::List => {
            let tenants = app.people.tenants().await?;
            if global.json {
                return print_json(&tenants.iter().map(described).collect::<Value>(), out);
            }
            let row = |tenant: &TenantRow| {
                [
                    tenant.slug.to_string(),
                    tenant.id.to_string(),
                    state(tenant).into(),
                    tenant.name.to_string(),
                ]
            };
            let rows: Vec<_> = tenants.iter().map(row).collect();
            table::print(["tenant", "id", "state", "name"], &rows, out)
        }
    })
}

/// Says what the new tenant requires.
fn print_policy(policy: SecondFactorPolicy) {
    let of = match policy {
        SecondFactorPolicy::Nobody => return,
        SecondFactorPolicy::Administrators => "administrators",
        SecondFactorPolicy::Everybody => "all users",
    };
    // Whether it is read changes nothing about the tenant.
    let _ = writeln!(
        io::stderr(),
        "The tenant requires a second factor of {of}, who set it up at their first sign-in. Its settings and \
         sign_in.second_factor_of_new_institutions change this."
    );
}

fn named(argument: &str, text: &str) -> Result<Name, CliError> {
    Name::parse(text).map_err(|error| CliError::Usage(format!("{argument} {error}")))
}

fn state(tenant: &TenantRow) -> &'static str {
    if tenant.closed_at.is_some() { "closed" } else { "open" }
}

fn described(tenant: &TenantRow) -> Value {
    json!({
        "id": tenant.id,
        "slug": tenant.slug.as_str(),
        "name": tenant.name.as_str(),
        "language": tenant.language.as_str(),
        "state": state(tenant),
        "closed_at": tenant.closed_at,
        "created_at": tenant.created_at,
    })
}
