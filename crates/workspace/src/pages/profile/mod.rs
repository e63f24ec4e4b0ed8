//! The user's own account: name and language, password, second factor, passkeys, sessions.

mod calendar;
mod passkeys;
mod second_factor;

use app::{
    proof::Proof,
    session::{Session, browser_name},
    sign_in_rules::SignInRules,
    user::ProfileChange,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    id::SessionId,
    password::Password,
    text::Name,
    user::Theme,
    wording::{Label, Language},
};
use maud::{Markup, html};

use super::refused_sign_ins;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    proof::{self, Proven},
    respond::{self, Answer},
    route,
    session_layer::Client,
    texts::{
        calendar as calendar_texts, common, link, passkey as passkey_texts, profile as texts,
        refused_sign_in as refused_texts, sign_in as sign_in_texts,
    },
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::PROFILE, get(show).post(change))
        .route(&below("password"), post(change_password))
        .route(&below("sessions/others"), post(end_others))
        .route(&below("sessions/{id}"), post(end_one))
        .merge(calendar::router())
        .merge(passkeys::router())
        .merge(second_factor::router())
}

fn below(rest: &str) -> String {
    format!("{}/{rest}", route::PROFILE)
}

/// The field of the password form with the code of the second factor.
const CODE: &str = "code";

const NAMES: [(&str, Label); 9] = [
    ("name", common::NAME),
    ("language", texts::LANGUAGE),
    ("theme", texts::THEME),
    ("time_zone", texts::TIME_ZONE),
    ("current_password", texts::CURRENT_PASSWORD),
    (CODE, sign_in_texts::CODE),
    ("new_password", texts::NEW_PASSWORD),
    (passkeys::NAME, passkey_texts::NAME),
    ("passkey", passkey_texts::PASSKEY),
];

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, &filled(visit.session())).await?)
}

fn filled(session: &Session) -> Form {
    let user = &session.user;
    Form::filled([
        ("name", user.name.to_string()),
        ("language", user.language.map_or("", Language::as_str).to_owned()),
        ("theme", user.theme.to_string()),
        ("time_zone", user.time_zone.as_ref().map(ToString::to_string).unwrap_or_default()),
    ])
}

/// The whole page; `form` contains the entries of the form that was sent.
async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let session = visit.session();
    let sessions = workspace.app.access.sessions(session).await?;
    let refused = workspace.app.access.own_refused_sign_ins(session).await?;
    let required =
        workspace.app.people.second_factor_policy(&session.caller).await?.requires(session.user.role);
    let passkeys = workspace.app.access.passkeys(session).await?;
    let calendar = workspace.app.work.calendar_made_at(session).await?;
    let codes_left = workspace.app.access.recovery_codes_left(session).await?;
    let known = [
        ("saved", texts::WAS_SAVED),
        ("password", texts::PASSWORD_CHANGED),
        ("second-factor-off", texts::SECOND_FACTOR_REMOVED),
        ("passkey-added", passkey_texts::WAS_ADDED),
        ("passkey-removed", passkey_texts::WAS_REMOVED),
        ("session-ended", texts::SESSION_ENDED),
        ("others-ended", texts::OTHERS_ENDED),
        ("calendar-revoked", calendar_texts::WAS_REVOKED),
    ];
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::TITLE), &visit.fill(texts::INTRO, &[("email", &session.user.email)]), None))
        (ui::notice::done(visit, &known))
        (complaints(visit, form, &NAMES))
        (ui::section(t(texts::ABOUT_YOU), &about(visit, form)))
        (ui::section(t(texts::SECOND_FACTOR), &second_factor::part(visit, codes_left, required)))
        (ui::section(t(passkey_texts::TITLE), &passkeys::part(workspace, visit, form, &passkeys)))
        (ui::section(t(texts::PASSWORD), &password(visit, form)))
        (ui::section(t(calendar_texts::TITLE), &calendar::part(visit, calendar)))
        (ui::section(t(texts::SESSIONS), &browsers(visit, &workspace.app.sign_in_rules, &sessions)))
        (ui::section(t(refused_texts::TITLE), &refused_sign_ins::own(visit, &refused)))
    };
    Ok(ui::layout::page(visit, t(texts::TITLE), &content))
}

fn about(visit: &Visit, form: &Form) -> Markup {
    let languages = [
        Choice::new("", visit.t(texts::LANGUAGE_BROWSER)),
        Choice::new("en", visit.t(texts::LANGUAGE_EN)),
        Choice::new("de", visit.t(texts::LANGUAGE_DE)),
    ];
    let themes: Vec<_> = field::words::<Theme>(visit);
    html! {
        form method="post" action=(route::PROFILE) {
            (visit.form_token())
            div.columns {
                (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).autocomplete("name").render())
                (field::select(visit, form, "language", texts::LANGUAGE, &languages))
                (field::select(visit, form, "theme", texts::THEME, &themes))
                (Field::text(visit, form, "time_zone", texts::TIME_ZONE).hint(texts::TIME_ZONE_HINT)
                    .optional().render())
            }
            div.form-end { button.button.primary type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

fn password(visit: &Visit, form: &Form) -> Markup {
    html! {
        form method="post" action=(below("password")) {
            (visit.form_token())
            input type="hidden" name="username" autocomplete="username" value=(visit.session().user.email.as_str());
            div.columns {
                (Field::password(visit, form, "current_password", texts::CURRENT_PASSWORD)
                    .autocomplete("current-password").render())
                @if visit.session().user.has_second_factor {
                    (Field::text(visit, &Form::default(), CODE, sign_in_texts::CODE).hint(sign_in_texts::CODE_HINT)
                        .autocomplete("one-time-code").render())
                }
                (Field::password(visit, form, "new_password", texts::NEW_PASSWORD).hint(link::PASSWORD_HINT)
                    .autocomplete("new-password").render())
            }
            p.hint { (visit.t(texts::PASSWORD_HELP)) }
            div.form-end { button.button type="submit" { (visit.t(texts::CHANGE_PASSWORD)) } }
        }
    }
}

fn browsers(visit: &Visit, rules: &SignInRules, sessions: &[app::session::SessionRow]) -> Markup {
    let here = visit.session().id;
    let rows: Vec<_> = sessions
        .iter()
        .map(|row| {
            let own = row.id == here;
            vec![
                html! {
                    (browser(&row.agent))
                    @if own { span.quiet { " (" (visit.t(texts::THIS_BROWSER)) ")" } }
                },
                html! { (row.address) },
                visit.time(row.created_at),
                visit.time(row.seen_at),
                html! {
                    @if !own {
                        (ui::post_button(visit, &below(&format!("sessions/{}", row.id)), visit.t(texts::END_SESSION)))
                    }
                },
            ]
        })
        .collect();
    let columns = [
        Column::text(visit.t(texts::BROWSER)),
        Column::text(visit.t(texts::ADDRESS)),
        Column::text(visit.t(texts::SINCE)),
        Column::text(visit.t(texts::SEEN)),
        Column::actions(visit.t(common::ACTIONS)),
    ];
    let hours = rules.absolute_seconds.div_euclid(60 * 60).max(1);
    let places: [(&str, &dyn std::fmt::Display); 2] =
        [("minutes", &rules.idle_seconds.div_euclid(60).max(1)), ("hours", &hours)];
    html! {
        p { (visit.fill(texts::SESSIONS_HELP, &places)) }
        (table(visit.t(texts::SESSIONS), &columns, &rows))
        @if sessions.len() > 1 {
            (ui::post_button(visit, &below("sessions/others"), visit.t(texts::END_OTHERS)))
        }
    }
}

/// A readable name of the browser; otherwise the beginning of its `User-Agent`.
pub(super) fn browser(agent: &str) -> String {
    browser_name(agent).unwrap_or_else(|| agent.chars().take(40).collect())
}

async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let name = form.checked("name", Name::parse);
    let language = form.parse_optional("language");
    let theme = form.parse("theme");
    let time_zone = form.parse_optional("time_zone");
    let wanted = (|| Some(ProfileChange { name: name?, language, theme: theme?, time_zone }))();
    let changed = match form.finish(wanted) {
        Ok(change) => workspace.app.people.change_profile(visit.session(), change).await,
        Err(error) => Err(error),
    };
    settled(&workspace, &visit, form, changed, "saved").await
}

/// Back to the profile with a message, or the profile with the violations.
async fn settled(
    workspace: &Workspace,
    visit: &Visit,
    mut form: Form,
    changed: Result<(), app::Error>,
    done: &str,
) -> Answer {
    match changed {
        Ok(()) => respond::go_to(&route::done(route::PROFILE, done)),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(workspace, visit, &form.or(&filled(visit.session()))).await?)
        }
    }
}

async fn change_password(State(workspace): State<Workspace>, caller: Client, posted: Posted) -> Answer {
    let Posted { visit, form } = posted;
    let current = (Password::presented(form.value("current_password")), form.value(CODE));
    let chosen = form.value("new_password");
    match workspace.app.access.change_password(visit.session(), current, chosen, &caller.0).await {
        Ok(Proof::Given(proved)) => {
            settled(&workspace, &visit.proved(*proved), form, Ok(()), "password").await
        }
        Ok(Proof::Ended) => Ok(proof::ended(&workspace)),
        Err(error) => settled(&workspace, &visit, form, Err(error), "password").await,
    }
}

async fn end_one(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    Proven(posted): Proven,
) -> Answer {
    let id: SessionId = id.parse().map_err(|_| PageError::NotFound)?;
    workspace.app.access.end_session(posted.visit.session(), id).await?;
    respond::go_to(&route::done(route::PROFILE, "session-ended"))
}

async fn end_others(State(workspace): State<Workspace>, Proven(posted): Proven) -> Answer {
    workspace.app.access.sign_out_elsewhere(posted.visit.session()).await?;
    respond::go_to(&route::done(route::PROFILE, "others-ended"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_have_names() {
        let edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Edg/120.0";
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1";
        assert_eq!(browser(edge), "Edge, Windows");
        assert_eq!(browser(safari), "Safari, iPhone");
        assert_eq!(browser("curl/8.5"), "curl/8.5");
    }
}
