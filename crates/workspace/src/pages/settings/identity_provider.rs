//! The settings of the identity provider, for administrators, and a check of the connection.

use app::identity_provider::{CallError, Chosen, ProviderFault, Step};
use axum::extract::State;
use domain::{
    identity_provider::IdentityProviderInput,
    right::{Resource, Right},
    text::Name,
    user::Role,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    pages::identity_provider::address,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{common, identity_provider as texts},
    ui::{
        self, Confirm,
        badge::Tone,
        field::{self, Choice, Field},
        notice::{complaints, notice},
    },
};

const SECRET: &str = "client_secret";
const NAMES: [(&str, Label); 11] = [
    ("issuer", texts::ISSUER),
    ("client_id", texts::CLIENT_ID),
    (SECRET, texts::CLIENT_SECRET),
    ("scopes", texts::SCOPES),
    ("label", texts::LABEL),
    ("domains", texts::DOMAINS),
    ("groups_claim", texts::GROUPS_CLAIM),
    ("group_roles", texts::GROUP_ROLES),
    ("default_role", texts::DEFAULT_ROLE),
    ("creates_accounts", texts::CREATES),
    ("factor_values", texts::FACTORS),
];

/// The way to these settings, for those who may change them.
pub(super) fn part(visit: &Visit) -> Markup {
    html! {
        @if visit.may(Resource::SignIn, Right::Write) {
            (ui::section(visit.t(texts::TITLE), &html! {
                p { (visit.t(texts::INTRO)) }
                (ui::link_button(route::SIGN_IN_SETTINGS, visit.t(texts::OPEN), false))
            }))
        }
    }
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let chosen = workspace.app.access.identity_provider(visit.caller()).await?;
    let form = chosen.as_ref().map_or_else(Form::default, filled);
    let page = Page::read(&workspace, &visit, chosen).await?;
    respond::page(page.render(&visit, &form, &html! {}))
}

fn filled(chosen: &Chosen) -> Form {
    let settings = &chosen.settings;
    let lines = |texts: Vec<String>| texts.join("\n");
    let mut pairs = vec![
        ("issuer", settings.issuer.to_string()),
        ("client_id", settings.client_id.to_string()),
        ("scopes", settings.scopes.join(" ")),
        ("label", settings.label.to_string()),
        ("domains", lines(settings.domains.iter().map(|domain| domain.as_str().to_owned()).collect())),
        ("groups_claim", settings.groups_claim.as_ref().map(Name::to_string).unwrap_or_default()),
        ("group_roles", lines(settings.group_roles.iter().map(ToString::to_string).collect())),
        ("default_role", settings.default_role.map(|role| role.to_string()).unwrap_or_default()),
        ("factor_values", settings.factor_values.join("\n")),
    ];
    if settings.creates_accounts {
        pairs.push(("creates_accounts", "1".into()));
    }
    Form::filled(pairs)
}

/// What the page shows besides the form.
struct Page {
    chosen: Option<Chosen>,
    callback: String,
    link: String,
}

impl Page {
    async fn read(
        workspace: &Workspace,
        visit: &Visit,
        chosen: Option<Chosen>,
    ) -> Result<Self, crate::error::PageError> {
        let tenant = workspace.app.tenant_of(visit.caller()).await?;
        let link = format!("{}{}", workspace.options.public_url, address(tenant.slug.as_str()));
        Ok(Self { chosen, callback: workspace.app.access.callback_address(), link })
    }

    fn render(&self, visit: &Visit, form: &Form, sentence: &Markup) -> Markup {
        let t = |label| visit.t(label);
        let content = html! {
            (ui::head(t(texts::TITLE), t(texts::INTRO), None))
            (ui::notice::done(visit, &[("saved", texts::SAVED), ("removed", texts::REMOVED)]))
            (sentence)
            (complaints(visit, form, &NAMES))
            (ui::section(t(texts::REGISTER), &html! {
                p { (t(texts::REGISTER_HELP)) }
                p { code { (self.callback) } }
                @if self.chosen.is_some() {
                    p { (t(texts::LINK_HELP)) }
                    p { code { (self.link) } }
                }
            }))
            (ui::section(t(texts::SETTINGS), &self.ask(visit, form)))
            @if self.chosen.is_some() {
                (ui::section(t(texts::CHECK), &html! {
                    p { (t(texts::CHECK_HELP)) }
                    (ui::post_button(visit, &format!("{}/check", route::SIGN_IN_SETTINGS), t(texts::CHECK)))
                }))
                (Confirm {
                    action: &format!("{}/remove", route::SIGN_IN_SETTINGS),
                    opener: texts::REMOVE,
                    about: t(texts::TITLE),
                    question: t(texts::REMOVE_ASK).to_owned(),
                    sure: texts::REMOVE_SURE,
                }.render(visit))
            }
        };
        ui::layout::page(visit, t(texts::TITLE), &content)
    }

    fn ask(&self, visit: &Visit, form: &Form) -> Markup {
        let text = |name, label, hint| Field::text(visit, form, name, label).hint(hint);
        let kept = self.chosen.as_ref().is_some_and(|chosen| chosen.has_secret);
        let secret_hint = if kept { texts::SECRET_KEPT } else { texts::SECRET_HINT };
        let area = |name, label, hint| field::area(visit, form, name, label, Some(hint));
        html! {
            form method="post" action=(route::SIGN_IN_SETTINGS) {
                (visit.form_token())
                (text("issuer", texts::ISSUER, texts::ISSUER_HINT).render())
                div.columns {
                    (Field::text(visit, form, "client_id", texts::CLIENT_ID).at_most(Name::MAX).autocomplete("off")
                        .render())
                    (Field::password(visit, form, SECRET, texts::CLIENT_SECRET).hint(secret_hint).optional()
                        .autocomplete("off").render())
                    (text("scopes", texts::SCOPES, texts::SCOPES_HINT).optional().render())
                    (text("label", texts::LABEL, texts::LABEL_HINT).at_most(Name::MAX).render())
                }
                (field::required_area(visit, form, "domains", texts::DOMAINS, Some(texts::DOMAINS_HINT)))
                (text("groups_claim", texts::GROUPS_CLAIM, texts::GROUPS_CLAIM_HINT).optional().render())
                (area("group_roles", texts::GROUP_ROLES, texts::GROUP_ROLES_HINT))
                (field::select(visit, form, "default_role", texts::DEFAULT_ROLE, &roles(visit)))
                (field::switch(visit, form, "creates_accounts", texts::CREATES, Some(texts::CREATES_HELP)))
                (area("factor_values", texts::FACTORS, texts::FACTORS_HINT))
                div.form-end { button.button.primary type="submit" { (visit.t(common::SAVE)) } }
            }
        }
    }
}

fn roles(visit: &Visit) -> Vec<Choice> {
    let few = Role::ALL.iter().filter(|role| **role != Role::Administrator);
    let named = few.map(|role| Choice::new(role.as_str(), visit.t(role.label())));
    std::iter::once(Choice::new("", visit.t(texts::STAYS_OUT))).chain(named).collect()
}

fn input(form: &Form) -> IdentityProviderInput {
    let text = |name: &str| form.value(name).to_owned();
    IdentityProviderInput {
        issuer: text("issuer"),
        client_id: text("client_id"),
        scopes: text("scopes"),
        groups_claim: text("groups_claim"),
        group_roles: text("group_roles"),
        creates_accounts: form.is_checked("creates_accounts"),
        default_role: text("default_role"),
        domains: text("domains"),
        factor_values: text("factor_values"),
        label: text("label"),
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let saved =
        workspace.app.access.set_identity_provider(visit.caller(), &input(&form), form.value(SECRET)).await;
    match saved {
        Ok(()) => respond::go_to(&route::done(route::SIGN_IN_SETTINGS, "saved")),
        Err(error) => {
            form.refuse(error)?;
            let chosen = workspace.app.access.identity_provider(visit.caller()).await?;
            let page = Page::read(&workspace, &visit, chosen).await?;
            respond::refused(page.render(&visit, &form, &html! {}))
        }
    }
}

pub(super) async fn remove(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    workspace.app.access.remove_identity_provider(posted.visit.caller()).await?;
    respond::go_to(&route::done(route::SIGN_IN_SETTINGS, "removed"))
}

pub(super) async fn check(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let visit = posted.visit;
    let troubles = workspace.app.access.check_identity_provider(visit.caller()).await?;
    let chosen = workspace.app.access.identity_provider(visit.caller()).await?;
    let form = chosen.as_ref().map_or_else(Form::default, filled);
    let sentence = if troubles.is_empty() {
        notice(Tone::Good, visit.t(texts::CHECK_GOOD), &html! {})
    } else {
        notice(
            Tone::Critical,
            visit.t(texts::CHECK_BAD),
            &html! {
                ul { @for trouble in &troubles { li { (explained(&visit, trouble)) } } }
            },
        )
    };
    let page = Page::read(&workspace, &visit, chosen).await?;
    respond::page(page.render(&visit, &form, &sentence))
}

/// What is wrong with the connection, and what to do about it.
fn explained(visit: &Visit, trouble: &ProviderFault) -> String {
    match trouble {
        ProviderFault::Call { step, error } => called(visit, *step, error),
        ProviderFault::Malformed(step) => visit.fill(texts::MALFORMED, &[("step", &visit.t(asked(*step)))]),
        ProviderFault::OtherIssuer { found } => visit.fill(texts::OTHER_ISSUER, &[("found", found)]),
        ProviderFault::NoKeys => visit.t(texts::NO_KEYS).to_owned(),
        ProviderFault::NoPkce => visit.t(texts::NO_PKCE).to_owned(),
        ProviderFault::Client { error } | ProviderFault::Code { error } => {
            visit.fill(texts::CLIENT_REFUSED, &[("error", error)])
        }
    }
}

fn asked(step: Step) -> Label {
    match step {
        Step::Settings => texts::STEP_SETTINGS,
        Step::Keys => texts::STEP_KEYS,
        Step::Token => texts::STEP_TOKEN,
        Step::Person => texts::STEP_PERSON,
    }
}

fn called(visit: &Visit, step: Step, error: &CallError) -> String {
    let step = visit.t(asked(step));
    match error {
        CallError::NotAllowed => visit.fill(texts::CALL_NOT_ALLOWED, &[("step", &step)]),
        CallError::NotPublic => visit.fill(texts::CALL_NOT_PUBLIC, &[("step", &step)]),
        CallError::Redirected(status) => {
            visit.fill(texts::CALL_REDIRECTED, &[("step", &step), ("status", status)])
        }
        CallError::Refused(status) => visit.fill(texts::CALL_REFUSED, &[("step", &step), ("status", status)]),
        CallError::TooLarge(bytes) => visit.fill(texts::CALL_TOO_LARGE, &[("step", &step), ("bytes", bytes)]),
        CallError::Failed(_) => visit.fill(texts::CALL_FAILED, &[("step", &step)]),
    }
}
