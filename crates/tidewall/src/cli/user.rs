//! `tidewall user`: the users of the workspace.

use std::io::{self, BufRead as _, Write};

use app::{
    App,
    authz::Caller,
    one_time_link::{INVITATION_DAYS, OTHER_DAYS},
    token::Token,
    user::{UserDraft, UserPatch, UserRow, chosen_password},
};
use clap::{Args, Subcommand};
use domain::{
    page::PageRequest,
    password::Owner,
    text::Name,
    user::{Email, Role},
};
use serde_json::{Value, json};

use super::{
    CliError, GlobalFlags,
    offline::{Access, acting_for, with_app},
    print_json, table,
};

const EXAMPLES: &str = "\
Examples:
  tidewall user invite anna.weber@bank.example --tenant north-bank --role manager
  echo \"$PASSWORD\" | tidewall user create ops@bank.example --tenant north-bank --role administrator --password-stdin
  tidewall user reset anna.weber@bank.example
  tidewall user list --tenant north-bank
  tidewall user role anna.weber@bank.example administrator
  tidewall user disable anna.weber@bank.example

`invite` and `reset` print a link that works once; hand it to that person only. It lets them choose a password.";

/// Create, invite, list, change, reset, disable and enable the accounts of people
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct UserArgs {
    #[command(subcommand)]
    pub verb: UserVerb,
}

/// Who gets an account, and in which role.
#[derive(Clone, Debug, Args)]
pub struct NewUserArgs {
    /// The address they sign in with
    email: Email,
    /// The tenant they belong to
    #[arg(long)]
    tenant: String,
    /// viewer, auditor, contributor, manager or administrator
    #[arg(long)]
    role: Role,
    /// Their name; if left out, they are asked for it when they choose their password
    #[arg(long)]
    name: Option<String>,
}

/// Whose account is meant.
#[derive(Clone, Debug, Args)]
pub struct AccountArgs {
    /// The address they sign in with
    email: Email,
    /// The tenant, needed where several know the address
    #[arg(long)]
    tenant: Option<String>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum UserVerb {
    /// Create an account with a password
    Create {
        #[command(flatten)]
        who: NewUserArgs,
        /// Read the password from the first line of standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Create an account and print the link with which its owner chooses a password
    Invite {
        #[command(flatten)]
        who: NewUserArgs,
    },
    /// Print a link to choose a new password
    Reset {
        #[command(flatten)]
        who: AccountArgs,
        /// Also switch off the second factor and remove passkeys, for a lost device
        #[arg(long)]
        forget_second_factor: bool,
    },
    /// List people
    List {
        /// Only of this tenant
        #[arg(long)]
        tenant: Option<String>,
    },
    /// Give a person another role
    Role {
        #[command(flatten)]
        who: AccountArgs,
        /// viewer, auditor, contributor, manager or administrator
        role: Role,
    },
    /// Disable a person's account and sign them out everywhere
    Disable {
        #[command(flatten)]
        who: AccountArgs,
    },
    /// Enable a disabled account again
    Enable {
        #[command(flatten)]
        who: AccountArgs,
    },
}

pub(super) fn run(global: &GlobalFlags, args: UserArgs, out: &mut impl Write) -> Result<(), CliError> {
    let access = match args.verb {
        UserVerb::List { .. } => Access::Read,
        _ => Access::Change,
    };
    with_app(global, access, async |app, settings| match args.verb {
        UserVerb::Create { who, password_stdin: _ } => {
            let names = [who.name.as_deref().unwrap_or_default(), who.tenant.as_str()];
            let owner = Owner { email: &who.email, names: &names };
            let password = chosen_password("the password on standard input", &first_line()?, &owner)?;
            let (caller, draft) = prepared(&app, who).await?;
            let user = app.people.create_user(&caller, draft, password).await?;
            if global.json { print_json(&described(&user), out) } else { Ok(writeln!(out, "{}", user.id)?) }
        }
        UserVerb::Invite { who } => {
            refuse_again(&app, &who).await?;
            let (caller, draft) = prepared(&app, who).await?;
            let (user, token) = app.access.invite_user(&caller, draft).await?;
            print_link(global, &settings.public_url, &user, (&token, INVITATION_DAYS), out)
        }
        UserVerb::Reset { who, forget_second_factor } => {
            let (caller, user) = found(&app, &who).await?;
            let (user, token) = app.access.reset_user(&caller, user.id, forget_second_factor).await?;
            print_link(global, &settings.public_url, &user, (&token, OTHER_DAYS), out)
        }
        UserVerb::List { tenant } => list(global, &app, tenant.as_deref(), out).await,
        UserVerb::Role { who, role } => {
            change(&app, &who, UserPatch { role: Some(role), ..UserPatch::default() }).await
        }
        UserVerb::Disable { who } => {
            change(&app, &who, UserPatch { active: Some(false), ..UserPatch::default() }).await
        }
        UserVerb::Enable { who } => {
            change(&app, &who, UserPatch { active: Some(true), ..UserPatch::default() }).await
        }
    })
}

async fn prepared(app: &App, who: NewUserArgs) -> Result<(Caller, UserDraft), CliError> {
    let caller = acting_for(app, &who.tenant).await?;
    let name = who.name.as_deref().unwrap_or(who.email.as_str());
    let name = Name::parse(name).map_err(|error| CliError::Usage(format!("--name {error}")))?;
    Ok((caller, UserDraft { email: who.email, name, role: who.role }))
}

/// The person with this address, and the operator acting for their tenant.
async fn found(app: &App, who: &AccountArgs) -> Result<(Caller, UserRow), CliError> {
    let AccountArgs { email, tenant } = who;
    let mut found = app.people.find_users(email).await?;
    if let Some(slug) = tenant {
        found.retain(|(_, tenant)| tenant.slug.as_str() == slug);
    }
    if found.len() > 1 {
        let slugs: Vec<&str> = found.iter().map(|(_, tenant)| tenant.slug.as_str()).collect();
        let text =
            format!("{email} is known in several tenants ({}): name one with --tenant", slugs.join(", "));
        return Err(CliError::Usage(text));
    }
    let missing = || CliError::Failed(format!("there is no user {email}: `tidewall user list` shows all"));
    let (user, tenant) = found.pop().ok_or_else(missing)?;
    Ok((Caller::operator(&tenant), user))
}

/// Inviting a person a second time is a mistake with a remedy.
async fn refuse_again(app: &App, who: &NewUserArgs) -> Result<(), CliError> {
    let NewUserArgs { email, tenant: slug, .. } = who;
    let found = app.people.find_users(email).await?;
    let Some((user, tenant)) = found.into_iter().find(|(_, tenant)| tenant.slug.as_str() == slug) else {
        return Ok(());
    };
    let already = if user.has_password { "has an account already" } else { "is invited already" };
    Err(CliError::Failed(format!(
        "{email} {already} (tenant {}): `tidewall user reset {email}` prints a new link",
        tenant.slug
    )))
}

async fn change(app: &App, who: &AccountArgs, patch: UserPatch) -> Result<(), CliError> {
    let (caller, user) = found(app, who).await?;
    app.people.change_user(&caller, user.id, patch).await?;
    Ok(())
}

async fn list(
    global: &GlobalFlags,
    app: &App,
    tenant: Option<&str>,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let mut users = Vec::new();
    for row in app.people.tenants().await? {
        if tenant.is_none_or(|slug| slug == row.slug.as_str()) {
            let found = all_of(app, &Caller::operator(&row)).await?;
            users.extend(found.into_iter().map(|user| (row.slug.to_string(), user)));
        }
    }
    if let (Some(slug), true) = (tenant, users.is_empty()) {
        // An unknown tenant is reported; one without users is not.
        acting_for(app, slug).await?;
    }
    if global.json {
        let described = |(tenant, user): &(String, UserRow)| {
            let mut shown = described(user);
            shown["tenant"] = json!(tenant);
            shown
        };
        return print_json(&users.iter().map(described).collect::<Value>(), out);
    }
    let row = |(tenant, user): &(String, UserRow)| {
        let last = user.signed_in_at.map_or_else(|| "never".into(), |at| at.to_string());
        let (role, state) = (user.role.as_str().to_owned(), state(user).to_owned());
        [user.email.to_string(), tenant.clone(), role, state, last, user.name.to_string()]
    };
    let rows: Vec<_> = users.iter().map(row).collect();
    table::print(["email", "tenant", "role", "state", "last signed in", "name"], &rows, out)
}

async fn all_of(app: &App, caller: &Caller) -> Result<Vec<UserRow>, CliError> {
    let mut users = Vec::new();
    loop {
        let request = PageRequest::new(Some(500), Some(users.len() as u64)).unwrap_or_default();
        let page = app.people.users(caller, request).await?;
        if page.items.is_empty() {
            return Ok(users);
        }
        users.extend(page.items);
    }
}

fn state(user: &UserRow) -> &'static str {
    match (user.disabled_at, user.has_password) {
        (Some(_), _) => "disabled",
        (None, false) => "invited",
        (None, true) => "active",
    }
}

fn print_link(
    global: &GlobalFlags,
    public_url: &str,
    user: &UserRow,
    (token, days): (&Token, i64),
    out: &mut impl Write,
) -> Result<(), CliError> {
    let link = format!("{public_url}{}", workspace::link_path(token));
    if global.json {
        let mut shown = described(user);
        shown["link"] = json!(link);
        return print_json(&shown, out);
    }
    writeln!(out, "{link}")?;
    let _ = writeln!(
        io::stderr(),
        "The link works once, within {days} day(s), while the service runs (`tidewall serve`)."
    );
    Ok(())
}

fn first_line() -> Result<String, CliError> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn described(user: &UserRow) -> Value {
    json!({
        "id": user.id,
        "email": user.email.as_str(),
        "name": user.name.as_str(),
        "role": user.role.as_str(),
        "state": state(user),
        "second_factor": user.has_second_factor,
        "signed_in_at": user.signed_in_at,
        "created_at": user.created_at,
    })
}
