//! The page of a one-time link: the set-up of a new store, or a password to choose.

use app::{
    Error,
    one_time_link::{FirstTenant, FirstUser, Link, Purpose},
    token::Token,
};
use axum::{
    Router,
    extract::{Request, State},
    routing::get,
};
use domain::{password::Password, text::Name};
use http::StatusCode;
use maud::{Markup, html};

use super::sign_in as session;
use crate::{
    Workspace,
    error::PageError,
    extract::{Guest, View, view},
    form::Form,
    link_cookie::{self, LinkToken},
    respond::{self, Answer},
    route, session_layer,
    texts::{link as texts, sign_in},
    ui::{self, field::Field, notice::complaints},
};

pub(crate) fn router() -> Router<Workspace> {
    let paths = link_cookie::paths(route::LINK);
    paths.iter().fold(Router::new(), |router, path| router.route(path, get(show).post(take)))
}

/// How long a form may stay open before its link has to be opened again.
const OPEN_SECONDS: i64 = 60 * 60;

async fn show(State(workspace): State<Workspace>, Guest(view): Guest, presented: LinkToken) -> Answer {
    match found(&workspace, &presented).await? {
        Some((token, _)) if presented.is_in_address() => {
            link_cookie::exchanged(&workspace, route::LINK, &token, OPEN_SECONDS)
        }
        Some((_, link)) => respond::page(link_page(&view, &link, &first_look(&link))),
        None => Ok(gone(&view)),
    }
}

async fn found(workspace: &Workspace, presented: &LinkToken) -> Result<Option<(Token, Link)>, PageError> {
    let Some(token) = presented.token(workspace, "one_time") else { return Ok(None) };
    let link = workspace.app.access.link(token).await?;
    Ok(link.map(|link| (token.clone(), link)))
}

fn gone(view: &View) -> axum::response::Response {
    let content = html! {
        h1 { (view.t(texts::GONE_TITLE)) }
        p { (view.t(texts::GONE)) }
        (ui::link_button(route::SIGN_IN, view.t(sign_in::TITLE), true))
    };
    respond::html(StatusCode::NOT_FOUND, ui::layout::bare(view, view.t(texts::GONE_TITLE), &content))
}

fn first_look(link: &Link) -> Form {
    match link {
        Link::SetUp { tenants } if tenants.len() == 1 => {
            Form::filled([("tenant", tenants[0].slug.to_string())])
        }
        Link::Password { name, email, .. } if name.as_str() != email.as_str() => {
            Form::filled([("name", name.to_string())])
        }
        _ => Form::default(),
    }
}

fn link_page(view: &View, link: &Link, form: &Form) -> Markup {
    match link {
        Link::Password { purpose, email, tenant_name, .. } => {
            let places: [(&str, &dyn std::fmt::Display); 2] = [("email", email), ("tenant", tenant_name)];
            let (title, intro) = match purpose {
                Purpose::Reset => (view.t(texts::RESET_TITLE).to_owned(), texts::RESET_INTRO),
                _ => (view.fill(texts::INVITATION_TITLE, &places), texts::INVITATION_INTRO),
            };
            let content = html! {
                h1 { (title) }
                p.intro { (view.fill(intro, &places)) }
                (complaints(view, form, &[("name", texts::YOUR_NAME), ("password", sign_in::PASSWORD)]))
                form method="post" {
                    // Password managers store the new password under this name.
                    input type="hidden" name="username" autocomplete="username" value=(email.as_str());
                    @if *purpose == Purpose::Invitation {
                        (Field::text(view, form, "name", texts::YOUR_NAME).at_most(Name::MAX).autocomplete("name")
                            .render())
                    }
                    (chosen(view, form))
                    button.button.primary.wide type="submit" { (view.t(texts::SUBMIT)) }
                }
            };
            ui::layout::bare(view, &title, &content)
        }
        Link::SetUp { tenants } => {
            let choices: Vec<_> =
                tenants.iter().map(|tenant| (tenant.slug.to_string(), tenant.name.to_string())).collect();
            set_up_page(view, &choices, form)
        }
    }
}

fn chosen(view: &View, form: &Form) -> Markup {
    Field::password(view, form, "password", sign_in::PASSWORD)
        .hint(texts::PASSWORD_HINT)
        .autocomplete("new-password")
        .render()
}

fn set_up_page(view: &View, tenants: &[(String, String)], form: &Form) -> Markup {
    let names = [
        ("tenant", texts::INSTITUTION),
        ("institution", texts::INSTITUTION),
        ("slug", texts::SLUG),
        ("name", texts::YOUR_NAME),
        ("email", sign_in::EMAIL),
        ("password", sign_in::PASSWORD),
    ];
    let content = html! {
        h1 { (view.t(texts::SET_UP_TITLE)) }
        p.intro { (view.t(texts::SET_UP_INTRO)) }
        (complaints(view, form, &names))
        form method="post" {
            @if tenants.is_empty() {
                (Field::text(view, form, "institution", texts::INSTITUTION).hint(texts::INSTITUTION_HINT)
                    .at_most(Name::MAX).autocomplete("organization").render())
                (Field::text(view, form, "slug", texts::SLUG).hint(texts::SLUG_HINT).at_most(63).render())
            } @else {
                div.field {
                    label for="tenant" { (view.t(texts::INSTITUTION)) }
                    select #tenant name="tenant" {
                        @for (slug, name) in tenants {
                            option value=(slug) selected[form.value("tenant") == slug] { (name) }
                        }
                    }
                }
            }
            (Field::text(view, form, "name", texts::YOUR_NAME).at_most(Name::MAX).autocomplete("name").render())
            (Field::email(view, form, "email", sign_in::EMAIL).autocomplete("username").render())
            (chosen(view, form))
            button.button.primary.wide type="submit" { (view.t(texts::SET_UP_SUBMIT)) }
        }
    };
    ui::layout::bare(view, view.t(texts::SET_UP_TITLE), &content)
}

async fn take(State(workspace): State<Workspace>, presented: LinkToken, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let (view, visitor) = (view(&parts)?, session_layer::visitor(&workspace, &parts));
    let mut form = Form::read(&parts.headers, body).await?;
    let Some((token, link)) = found(&workspace, &presented).await? else { return Ok(gone(&view)) };
    let used = match &link {
        Link::Password { purpose, name, email, .. } => {
            let nameless = name.as_str() == email.as_str();
            match given_name(&mut form, *purpose == Purpose::Invitation, nameless) {
                Ok(name) => {
                    workspace.app.access.use_link(&token, name, form.value("password"), &visitor).await
                }
                Err(error) => Err(error),
            }
        }
        Link::SetUp { tenants } => match first_user(&mut form, tenants.is_empty()) {
            Ok(first) => workspace.app.access.set_up(&token, first).await,
            Err(error) => Err(error),
        },
    };
    match used {
        Ok(person) => {
            let entry = workspace.app.access.enter(&person, &visitor).await?;
            session::entered(&workspace, entry, "", &visitor).await
        }
        Err(Error::NotFound) => Ok(gone(&view)),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(link_page(&view, &link, &form))
        }
    }
}

/// The name that an invited user chooses. An existing name may stay.
fn given_name(form: &mut Form, asked: bool, nameless: bool) -> Result<Option<Name>, Error> {
    if !asked || (!nameless && form.value("name").trim().is_empty()) {
        return Ok(None);
    }
    let name = form.checked("name", Name::parse);
    form.finish(name).map(Some)
}

fn first_user(form: &mut Form, founds: bool) -> Result<FirstUser, Error> {
    let tenant = if founds {
        let (slug, name) = (form.parse("slug"), form.checked("institution", Name::parse));
        slug.zip(name).map(|(slug, name)| FirstTenant::New { slug, name })
    } else {
        form.parse("tenant").map(FirstTenant::Existing)
    };
    let (email, name) = (form.parse("email"), form.checked("name", Name::parse));
    let password = Password::presented(form.value("password"));
    let first = (|| Some(FirstUser { tenant: tenant?, email: email?, name: name?, password }))();
    form.finish(first)
}
