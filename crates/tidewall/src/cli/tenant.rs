//! `tidewall tenant`: the institutions a store serves.

use std::io::Write;

use app::{authz::Caller, tenant::TenantRow};
use clap::{Args, Subcommand};
use domain::{tenant::Slug, text::Name, wording::Language};
use serde_json::{Value, json};

use super::{CliError, GlobalFlags, offline::with_app, print_json};

const EXAMPLES: &str = "\
Examples:
  tidewall tenant create north-bank --name 'North Bank AG'
  tidewall tenant language north-bank de
  tidewall tenant list --json";

/// Make and list tenants
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TenantArgs {
    #[command(subcommand)]
    pub verb: TenantVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum TenantVerb {
    /// Make a tenant
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
    /// List all tenants
    List,
}

pub(super) fn run(global: &GlobalFlags, args: TenantArgs, out: &mut impl Write) -> Result<(), CliError> {
    with_app(global, async |app, _| match args.verb {
        TenantVerb::Create { slug, name } => {
            let name = Name::parse(&name).map_err(|error| CliError::Usage(format!("--name {error}")))?;
            let tenant = app.create_tenant(slug, name).await?;
            if global.json {
                print_json(&described(&tenant), out)
            } else {
                Ok(writeln!(out, "{}", tenant.id)?)
            }
        }
        TenantVerb::Language { slug, language } => {
            let tenant = app.tenant_by_slug(slug).await?;
            Ok(app.set_language(&Caller::operator(&tenant), language).await?)
        }
        TenantVerb::List => {
            let tenants = app.tenants().await?;
            if global.json {
                return print_json(&tenants.iter().map(described).collect::<Value>(), out);
            }
            for tenant in tenants {
                writeln!(out, "{:<24} {}  {}", tenant.slug, tenant.id, tenant.name)?;
            }
            Ok(())
        }
    })
}

fn described(tenant: &TenantRow) -> Value {
    json!({
        "id": tenant.id,
        "slug": tenant.slug.as_str(),
        "name": tenant.name.as_str(),
        "language": tenant.language.as_str(),
        "created_at": tenant.created_at,
    })
}
