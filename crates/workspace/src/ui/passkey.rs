//! The button that asks the browser for a passkey. It stands in a form, into which a script puts the answer; without a
//! script its place stays empty, and the form says why.

use app::passkey::{Assertion, Creation, Question, part};
use maud::{Markup, html};

use crate::{assets, extract::View, form::Form, texts::passkey as texts};

const CREDENTIAL: &str = "passkey_credential";
const USER: &str = "passkey_user";
const CLIENT_DATA: &str = "passkey_client_data";
const DATA: &str = "passkey_data";
const SIGNATURE: &str = "passkey_signature";
const CREATION: &str = "passkey_creation";
const ATTESTATION: &str = "passkey_attestation";

/// The fields of an answer.
pub(crate) const ANSWER: [&str; 5] = [CREDENTIAL, USER, CLIENT_DATA, DATA, SIGNATURE];

/// A button to show a passkey; `address` gives the question when it is pressed.
pub(crate) fn show_button(address: &str, text: &str, wide: bool) -> Markup {
    html! {
        (fields(&ANSWER))
        button.button.awaits-script.wide[wide] type="button" data-passkey-kind="get" data-passkey=(address) { (text) }
    }
}

/// A button to make a passkey in answer to this question.
pub(crate) fn create_button(question: &Question, text: &str) -> Markup {
    html! {
        (fields(&[CREATION, ATTESTATION]))
        button.button.primary.awaits-script type="button" data-passkey-kind="create"
            data-passkey-options=(question.options) { (text) }
    }
}

fn fields(names: &[&str]) -> Markup {
    html! { @for name in names { input type="hidden" name=(name) value=""; } }
}

/// How far the browser has got, once in each form with such a button.
pub(crate) fn status(view: &View) -> Markup {
    let t = |label| view.t(label);
    html! {
        p.hint role="status" data-passkey-status data-waiting=(t(texts::WAITING)) data-failed=(t(texts::FAILED))
            data-known=(t(texts::KNOWN)) data-unsupported=(t(texts::UNSUPPORTED)) {}
        noscript { p.hint { (t(texts::NEEDS_SCRIPT)) } }
        script src=(assets::PASSKEY_SCRIPT.path()) defer {}
    }
}

/// Whether a form carries the answer of a passkey.
pub(crate) fn is_answer(form: &Form) -> bool {
    !form.value(CREDENTIAL).is_empty()
}

pub(crate) fn assertion(form: &Form) -> Assertion {
    Assertion {
        credential_id: part(form.value(CREDENTIAL)),
        user_handle: part(form.value(USER)),
        client_data: part(form.value(CLIENT_DATA)),
        authenticator_data: part(form.value(DATA)),
        signature: part(form.value(SIGNATURE)),
    }
}

pub(crate) fn creation(form: &Form) -> Creation {
    Creation { client_data: part(form.value(CREATION)), attestation: part(form.value(ATTESTATION)) }
}
