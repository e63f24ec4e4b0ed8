//! The request of a page: its user, its language, and the extractors for the pages.

use std::{
    collections::BTreeMap,
    fmt::Display,
    sync::{Arc, OnceLock},
};

use app::{authz::Caller, proof::Proved, session::Session, token::Token};
use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    response::{IntoResponse as _, Redirect, Response},
};
use domain::{
    citation,
    cve::CvssScore,
    format,
    moment::{Day, Moment},
    right::{Resource, Right},
    rounding::Hundredths,
    time_zone::TimeZone,
    user::Theme,
    wording::{Label, Language, Reader, Shown},
};
use http::{Method, request::Parts};
use maud::{Markup, html};

use crate::{Workspace, csrf, error::PageError, form::Form, route, texts};

/// What every page knows about the request, signed in or not. Created once per request by [`crate::session_layer`].
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) language: Language,
    pub(crate) theme: Theme,
    /// The time zone in which times are shown and read.
    pub(crate) zone: TimeZone,
    pub(crate) signed: Option<Arc<Signed>>,
    /// Path and query as requested.
    pub(crate) address: String,
    /// The page of the workspace the request came from, with its query.
    pub(crate) came_from: Option<String>,
    pub(crate) shows_design: bool,
    pub(crate) now: Moment,
    /// The new cookie of a session that was confirmed in this request.
    pub(crate) renewed: OnceLock<Token>,
    /// What became of a form, where the page that it was sent from is the answer.
    pub(crate) said: Option<Markup>,
    /// What was entered in the form below a list that is shown again.
    pub(crate) entered: Option<Form>,
    /// The cell of a list that is being changed.
    pub(crate) editing: Option<Editing>,
}

/// The cell of a list that has a form in place of its value.
#[derive(Debug, Clone)]
pub(crate) struct Editing {
    /// The record and the column, as the address names them.
    pub(crate) place: String,
    pub(crate) form: Markup,
}

/// The signed-in user.
#[derive(Debug)]
pub(crate) struct Signed {
    pub(crate) session: Session,
    /// What the forms of the session carry.
    pub(crate) form_secret: String,
}

impl View {
    /// The text in the reader's language.
    pub(crate) fn t(&self, label: Label) -> &'static str {
        label.text(self.language)
    }

    /// The text with its `{places}` filled.
    pub(crate) fn fill(&self, label: Label, places: &[(&str, &dyn Display)]) -> String {
        texts::fill(self.t(label), places)
    }

    /// A violation of the domain in the reader's language.
    pub(crate) fn complaint(&self, complaint: &impl Shown) -> String {
        complaint.shown(Reader::Person(self.language))
    }

    pub(crate) fn path(&self) -> &str {
        self.address.split('?').next().unwrap_or(&self.address)
    }

    /// Whether the signed-in reader has this right.
    pub(crate) fn may(&self, resource: Resource, right: Right) -> bool {
        self.signed.as_ref().is_some_and(|signed| signed.session.caller.has(resource, right))
    }

    /// One value of the query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let query = self.address.split_once('?')?.1;
        let (_, value) = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name)?;
        // No stored text contains U+0000, and PostgreSQL treats it as the end of a text.
        (!value.contains('\0')).then(|| value.into())
    }

    /// The parameters below a name that are not empty: `custom.region` is the member `region` of `custom`.
    pub(crate) fn members(&self, of: &str) -> BTreeMap<String, String> {
        let query = self.address.split_once('?').map_or("", |(_, query)| query);
        let member = |name: &str| name.strip_prefix(of)?.strip_prefix('.').map(str::to_owned);
        form_urlencoded::parse(query.as_bytes())
            .filter(|(_, value)| !value.trim().is_empty() && !value.contains('\0'))
            .filter_map(|(name, value)| Some((member(&name)?, value.into_owned())))
            .collect()
    }

    /// Every value of a parameter of the query that is sent once for each.
    pub(crate) fn queries(&self, name: &str) -> Vec<String> {
        let query = self.address.split_once('?').map_or("", |(_, query)| query);
        let values = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
        values.map(|(_, value)| value.into_owned()).filter(|value| !value.contains('\0')).collect()
    }

    pub(crate) fn day(&self, day: Day) -> String {
        format::day(self.language, day)
    }

    pub(crate) fn day_or_none(&self, day: Option<Day>) -> Markup {
        day.map_or_else(|| self.not_set(), |day| html! { (self.day(day)) })
    }

    /// A text, or a word for none.
    pub(crate) fn or_none(&self, text: Option<impl AsRef<str>>) -> Markup {
        text.map_or_else(|| self.not_set(), |text| html! { (text.as_ref()) })
    }

    /// A citation in the form that the reader's language uses.
    pub(crate) fn citation(&self, text: &str) -> String {
        citation::cited(self.language, text).into_owned()
    }

    fn not_set(&self) -> Markup {
        html! { span.quiet { (self.t(texts::record::NOT_SET)) } }
    }

    pub(crate) fn percent(&self, number: Hundredths) -> String {
        format::percent(self.language, number)
    }

    /// A difference of percentages.
    pub(crate) fn points(&self, number: Hundredths) -> String {
        format::points(self.language, number)
    }

    pub(crate) fn decimal(&self, number: Hundredths) -> String {
        format::decimal(self.language, number)
    }

    pub(crate) fn score(&self, score: CvssScore) -> String {
        format::score(self.language, score)
    }

    /// A point in time in the reader's time zone.
    pub(crate) fn moment(&self, at: Moment) -> String {
        format::moment(self.language, &self.zone, at)
    }

    /// A point in time, to the minute, readable by scripts too.
    pub(crate) fn time(&self, at: Moment) -> Markup {
        html! { time datetime=(at.to_string()) { (self.moment(at)) } }
    }

    pub(crate) fn time_or_none(&self, at: Option<Moment>) -> Markup {
        at.map_or_else(|| self.not_set(), |at| self.time(at))
    }

    pub(crate) fn time_or_never(&self, at: Option<Moment>) -> Markup {
        at.map_or_else(|| html! { span.quiet { (self.t(texts::common::NEVER)) } }, |at| self.time(at))
    }
}

/// A signed-in request that only reads. Changes are [`Posted`], which checks the form's token.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    view: Arc<View>,
    signed: Arc<Signed>,
}

impl std::ops::Deref for Visit {
    type Target = View;

    fn deref(&self) -> &View {
        &self.view
    }
}

impl Visit {
    /// `None` if the view has no signed-in user.
    pub(crate) fn new(view: &Arc<View>) -> Option<Self> {
        let signed = view.signed.clone()?;
        Some(Self { view: Arc::clone(view), signed })
    }

    /// The same visit at another page, which says what became of a form that was sent from it.
    pub(crate) fn at(&self, address: &str, said: Markup, entered: Option<Form>) -> Self {
        self.elsewhere(address, (Some(said), entered), None)
    }

    /// The same visit at a list, one cell of which is being changed.
    pub(crate) fn editing(&self, address: &str, editing: Option<Editing>) -> Self {
        self.elsewhere(address, (None, None), editing)
    }

    fn elsewhere(
        &self,
        address: &str,
        (said, entered): (Option<Markup>, Option<Form>),
        editing: Option<Editing>,
    ) -> Self {
        let view = View {
            language: self.view.language,
            theme: self.view.theme,
            zone: self.view.zone.clone(),
            signed: self.view.signed.clone(),
            address: address.to_owned(),
            came_from: self.view.came_from.clone(),
            shows_design: self.view.shows_design,
            now: self.view.now,
            renewed: OnceLock::new(),
            said,
            entered,
            editing,
        };
        Self { view: Arc::new(view), signed: Arc::clone(&self.signed) }
    }

    /// The same visit after the user confirmed their identity again. The response carries the new cookie.
    pub(crate) fn proved(self, proved: Proved) -> Self {
        let Proved { session, token } = proved;
        // A request confirms once.
        let _ = self.view.renewed.set(token);
        let form_secret = self.signed.form_secret.clone();
        Self { signed: Arc::new(Signed { session, form_secret }), ..self }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.signed.session
    }

    pub(crate) fn caller(&self) -> &Caller {
        &self.signed.session.caller
    }

    /// The hidden field of every form of this session.
    pub(crate) fn form_token(&self) -> Markup {
        html! { input type="hidden" name=(csrf::FIELD) value=(csrf::form_token(&self.signed.form_secret)); }
    }

    /// The signed-in visit of a request, or a redirect to the sign-in page.
    pub(crate) fn of(view: &Arc<View>, method: &Method) -> Result<Self, Box<Response>> {
        let visit = Self::new(view).ok_or_else(|| Box::new(to_sign_in(view, method)))?;
        // A user who must have a second factor and has none only reaches the pages that set one up.
        if visit.session().must_set_up_factor && !route::sets_up_factor(view.path()) {
            return Err(Box::new(Redirect::to(route::SECOND_FACTOR).into_response()));
        }
        Ok(visit)
    }

    /// Whether this session's own page sent the form.
    pub(crate) fn sent(&self, form: &Form) -> bool {
        self.shows(form.value(csrf::FIELD))
    }

    /// Whether this is the token of this session's forms.
    pub(crate) fn shows(&self, token: &str) -> bool {
        csrf::fits(&self.signed.form_secret, token)
    }
}

pub(crate) fn view(parts: &Parts) -> Result<Arc<View>, PageError> {
    parts.extensions.get::<Arc<View>>().cloned().ok_or(PageError::Internal)
}

/// A redirect to the sign-in page, and back here afterwards if this was only a read.
fn to_sign_in(view: &View, method: &Method) -> Response {
    let looks = matches!(*method, Method::GET | Method::HEAD);
    let next = route::own(&view.address).filter(|next| looks && *next != route::HOME);
    let address = next.map_or_else(
        || route::SIGN_IN.to_owned(),
        |next| {
            let query: String =
                form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
            format!("{}?{query}", route::SIGN_IN)
        },
    );
    Redirect::to(&address).into_response()
}

impl FromRequestParts<Workspace> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &Workspace) -> Result<Self, Response> {
        let view = view(parts).map_err(axum::response::IntoResponse::into_response)?;
        // A change must present the form's token, which this extractor does not check.
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return Err(PageError::Forged.into_response());
        }
        let visit = Visit::of(&view, &parts.method).map_err(|away| *away)?;
        // To ignore the day would pass the state of today off as that of the day.
        match view.query("as_of").filter(|day| !day.is_empty()) {
            Some(day) if day.parse::<Day>().is_err() || !route::shows_the_past(view.path()) => {
                Err(PageError::NotOfThePast.into_response())
            }
            _ => Ok(visit),
        }
    }
}

/// A signed-in visit that submits a form, with its token checked.
#[derive(Debug)]
pub(crate) struct Posted {
    pub(crate) visit: Visit,
    pub(crate) form: Form,
}

impl FromRequest<Workspace> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, _: &Workspace) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let view = view(&parts).map_err(axum::response::IntoResponse::into_response)?;
        let visit = Visit::of(&view, &parts.method).map_err(|away| *away)?;
        let form =
            Form::read(&parts.headers, body).await.map_err(axum::response::IntoResponse::into_response)?;
        let form = form.spoken(view.language);
        if visit.sent(&form) { Ok(Self { visit, form }) } else { Err(PageError::Forged.into_response()) }
    }
}

/// A request by a visitor who is not signed in (or not yet).
#[derive(Debug)]
pub(crate) struct Guest(pub(crate) Arc<View>);

impl FromRequestParts<Workspace> for Guest {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, _: &Workspace) -> Result<Self, PageError> {
        view(parts).map(Self)
    }
}
