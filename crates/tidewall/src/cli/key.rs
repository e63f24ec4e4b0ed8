//! `tidewall key`: API keys from the command line.

use std::{io::Write, str::FromStr};

use app::{
    api_key::{ApiKeyRow, KeyRequest, NewKey, Overlap},
    pages::Renderer,
};
use clap::{Args, Subcommand};
use domain::{
    id::ApiKeyId,
    key_limits::KeyLimits,
    moment::Moment,
    page::PageRequest,
    permission::{Permission, Permissions},
    text::Name,
};
use serde_json::{Value, json};

use super::{
    CliError, GlobalFlags,
    offline::{Access, acting_for, with_app},
    print_json, table,
};
use crate::config::parse_duration;

const EXAMPLES: &str = "\
Examples:
  tidewall key create --tenant north-bank --permissions write,manage_keys
  KEY=$(tidewall key create --tenant north-bank --name ci --expires-in 90d)
  tidewall key list --tenant north-bank
  tidewall key create --tenant north-bank --scopes findings:read,webhooks:read --networks 192.0.2.0/24
  tidewall key rotate key_01… --tenant north-bank --overlap-hours 48
  tidewall key revoke key_01… --tenant north-bank

`key create` prints the key alone on standard output. It is not shown again: the store keeps only its digest.";

/// Create, list, rotate and revoke API keys
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct KeyArgs {
    #[command(subcommand)]
    pub verb: KeyVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum KeyVerb {
    /// Create a key and print it, this once
    Create {
        /// The tenant it belongs to
        #[arg(long)]
        tenant: String,
        /// What it is for
        #[arg(long, default_value = "command line")]
        name: String,
        /// `write`, `manage_keys`, comma-separated; every key reads
        #[arg(long, default_value = "read")]
        permissions: String,
        /// How long it works: 90d, 12h, 1s. As long as `keys.default_life` says if left out
        #[arg(long, value_name = "TIME")]
        expires_in: Option<String>,
        /// What it reaches: findings:read, webhooks:write, comma-separated. Everything its permissions allow if left out
        #[arg(long)]
        scopes: Option<String>,
        #[arg(
            long,
            help = "Where it may be used from: 192.0.2.0/24, 2001:db8::7, comma-separated. Everywhere if left out"
        )]
        networks: Option<String>,
    },
    /// List a tenant's keys, without their secrets
    List {
        #[arg(long)]
        tenant: String,
    },
    /// Make a key in place of another one and print it, this once
    Rotate {
        /// The key's id, as `key list` shows it
        id: String,
        #[arg(long)]
        tenant: String,
        /// For how many hours the old key still works
        #[arg(long, default_value_t = 24, value_name = "HOURS")]
        overlap_hours: i64,
    },
    /// Revoke a key: it stops working within a second everywhere
    Revoke {
        /// The key's id, as `key list` shows it
        id: String,
        #[arg(long)]
        tenant: String,
    },
}

pub(super) fn run(global: &GlobalFlags, args: KeyArgs, out: &mut impl Write) -> Result<(), CliError> {
    let access = match args.verb {
        KeyVerb::List { .. } => Access::Read,
        KeyVerb::Create { .. } | KeyVerb::Rotate { .. } | KeyVerb::Revoke { .. } => Access::Change,
    };
    with_app(global, access, async |app, _| match args.verb {
        KeyVerb::Create { tenant, name, permissions, expires_in, scopes, networks } => {
            let caller = acting_for(&app, &tenant).await?;
            let now = app.clock.now();
            let request = KeyRequest {
                name: Name::parse(&name).map_err(|error| usage("--name", &error))?,
                permissions: Permissions::parse(&permissions)
                    .map_err(|error| usage("--permissions", &error))?,
                limits: KeyLimits {
                    scopes: parsed("--scopes", scopes.as_deref())?,
                    networks: parsed("--networks", networks.as_deref())?,
                    ends_at: match expires_in.as_deref().map(|text| (text, parse_duration(text))) {
                        None => None,
                        Some((_, Some(length))) => {
                            Some(now.plus_millis(i64::try_from(length.as_millis()).unwrap_or(i64::MAX)))
                        }
                        Some((text, None)) => {
                            return Err(usage(
                                "--expires-in",
                                &format!("{text} is no time: write 90d, 12h or 30m"),
                            ));
                        }
                    },
                },
            };
            let created = app.people.create_key(&caller, request, None, reveal(global.json)).await?;
            Ok(writeln!(out, "{}", created.body)?)
        }
        KeyVerb::Rotate { id, tenant, overlap_hours } => {
            let caller = acting_for(&app, &tenant).await?;
            let overlap = Overlap::hours(overlap_hours).map_err(|error| usage("--overlap-hours", &error))?;
            let id = key_id(&id, &tenant)?;
            let created = app.people.rotate_key(&caller, id, overlap, None, reveal(global.json)).await?;
            Ok(writeln!(out, "{}", created.body)?)
        }
        KeyVerb::List { tenant } => {
            let caller = acting_for(&app, &tenant).await?;
            let mut keys = Vec::new();
            loop {
                let page = PageRequest::new(Some(500), Some(keys.len() as u64)).unwrap_or_default();
                let page = app.people.list_keys(&caller, page).await?;
                if page.items.is_empty() {
                    break;
                }
                keys.extend(page.items);
            }
            if global.json {
                return print_json(&keys.iter().map(described).collect::<Value>(), out);
            }
            let now = app.clock.now();
            let rows: Vec<_> = keys.iter().map(|key| row(key, now)).collect();
            table::print(["id", "key", "state", "permissions", "last used", "name"], &rows, out)
        }
        KeyVerb::Revoke { id, tenant } => {
            let caller = acting_for(&app, &tenant).await?;
            app.people.revoke_key(&caller, key_id(&id, &tenant)?).await?;
            Ok(())
        }
    })
}

fn usage(flag: &str, error: &dyn std::fmt::Display) -> CliError {
    CliError::Usage(format!("{flag} {error}"))
}

fn parsed<T: FromStr<Err: std::fmt::Display>>(flag: &str, text: Option<&str>) -> Result<Option<T>, CliError> {
    text.map(str::parse).transpose().map_err(|error| usage(flag, &error))
}

fn key_id(id: &str, tenant: &str) -> Result<ApiKeyId, CliError> {
    id.parse().map_err(|_| {
        CliError::Usage(format!("{id} is no key id: `tidewall key list --tenant {tenant}` shows them"))
    })
}

/// The key alone, or with all its details.
fn reveal(json: bool) -> Renderer<NewKey, String> {
    Box::new(move |new: &NewKey| {
        if json {
            let mut shown = described(&new.record);
            shown["key"] = json!(new.key.reveal());
            return shown.to_string();
        }
        new.key.reveal().to_owned()
    })
}

fn row(key: &ApiKeyRow, now: Moment) -> [String; 6] {
    let state = match (key.revoked_at, key.limits.ends_at) {
        (Some(_), _) => "revoked",
        (None, Some(end)) if end <= now => "expired",
        (None, _) => "active",
    };
    [
        key.id.to_string(),
        key.prefix.clone(),
        state.to_owned(),
        key.permissions.to_string(),
        key.last_used_at.map_or_else(|| "never".into(), |at| at.to_string()),
        key.name.to_string(),
    ]
}

fn described(key: &ApiKeyRow) -> Value {
    json!({
        "id": key.id,
        "name": key.name.as_str(),
        "prefix": key.prefix,
        "permissions": key.permissions.iter().map(Permission::as_str).collect::<Vec<_>>(),
        "created_at": key.created_at,
        "expires_at": key.limits.ends_at,
        "revoked_at": key.revoked_at,
        "last_used_at": key.last_used_at,
        "created_by": key.created_by.as_ref().map(|maker| maker.actor.to_string()),
        "scopes": key.limits.scopes.as_ref().map(ToString::to_string),
        "networks": key.limits.networks.as_ref().map(ToString::to_string),
        "replaced_by": key.replaced_by,
    })
}
