//! The frame of every page.

use domain::user::Theme;
use maud::{DOCTYPE, Markup, html};

use super::{chart, icon, navigation, person};
use crate::{
    assets,
    extract::{View, Visit},
    route,
    texts::{cell, common, inbox},
};

/// A page of a signed-in user.
pub(crate) fn page(visit: &Visit, title: &str, content: &Markup) -> Markup {
    let body = html! {
        a.skip href="#content" { (visit.t(common::SKIP)) }
        header.bar {
            a.menu-open href="#menu" { (icon::MENU.render()) span.unseen { (visit.t(common::MENU)) } }
            a.brand href=(route::HOME) { (icon::TIDE.render()) (visit.t(common::PRODUCT)) }
            span.tenant { (visit.session().tenant_name.as_str()) }
            button.button.palette-open type="button" hidden {
                (icon::SEARCH.render()) span { (visit.t(common::SEARCH_OR_GO)) } kbd { "Ctrl K" }
            }
            a.search-link href=(route::SEARCH) { (icon::SEARCH.render()) span.unseen { (visit.t(common::SEARCH)) } }
            (bell(visit))
            (account(visit))
        }
        nav.side #menu aria-label=(visit.t(common::MAIN_MENU)) {
            a.menu-close href="#content" { (icon::CLOSE.render()) (visit.t(common::MENU)) }
            (navigation::menu(visit))
        }
        main #content tabindex="-1" { (navigation::trail(visit, title)) (content) }
        (navigation::palette(visit))
        (keys(visit))
        (chart::textures())
    };
    document(visit, &product_title(visit, title), "app", &body)
}

/// The keys that lists follow, shown by one of them. They need a script.
fn keys(visit: &Visit) -> Markup {
    let known = [
        ("J", cell::NEXT_ROW),
        ("K", cell::PREVIOUS_ROW),
        (visit.t(cell::ENTER), cell::OPEN_ROW),
        ("X", cell::TICK_ROW),
        ("E", cell::EDIT_ROW),
        ("S", cell::STATUS_ROW),
        ("A", cell::ASSIGN_ROW),
        ("D", cell::DAY_ROW),
        (visit.t(cell::ESCAPE), cell::LEAVE),
        ("?", cell::THESE_KEYS),
    ];
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { (visit.t(cell::KEYS)) }
            p.hint { (visit.t(cell::KEYS_HELP)) }
            dl.keys { @for (key, label) in known { dt { kbd { (key) } } dd { (visit.t(label)) } } }
            button.button type="button" { (visit.t(cell::CLOSE)) }
        }
    }
}

/// The way to the inbox, with the number of unread notices.
fn bell(visit: &Visit) -> Markup {
    let unread = visit.session().unread;
    html! {
        a.bell href=(route::INBOX) {
            (icon::BELL.render())
            span.unseen { (visit.fill(inbox::BELL, &[("count", &unread)])) }
            @if unread > 0 { span.bell-count aria-hidden="true" { (unread.min(99)) } }
        }
    }
}

/// The user's own menu.
fn account(visit: &Visit) -> Markup {
    let user = &visit.session().user;
    html! {
        details.account {
            summary {
                span.initials aria-hidden="true" { (person::initials(user.name.as_str())) }
                span.unseen { (visit.t(common::OPEN_MENU)) }
            }
            div.account-menu {
                p { strong { (user.name.as_str()) } br; span.quiet { (user.email.as_str()) } }
                p.quiet { (visit.t(user.role.label())) }
                ul {
                    @for (address, text) in navigation::own_pages(visit) {
                        li { a href=(address) { (visit.t(text)) } }
                    }
                }
                form method="post" action=(route::SIGN_OUT) {
                    (visit.form_token())
                    button.button type="submit" { (visit.t(common::SIGN_OUT)) }
                }
            }
        }
    }
}

/// A page for visitors who are not signed in.
pub(crate) fn bare(view: &View, title: &str, content: &Markup) -> Markup {
    let body = html! {
        a.skip href="#content" { (view.t(common::SKIP)) }
        header.door-brand { (icon::TIDE.render()) (view.t(common::PRODUCT)) }
        main #content tabindex="-1" { div.door { (content) } }
    };
    document(view, &product_title(view, title), "guest", &body)
}

/// A page that the institution shows to a reader outside: its name stands at the top, and the text has the whole width.
pub(crate) fn letter(view: &View, sender: &str, title: &str, content: &Markup) -> Markup {
    let body = html! {
        a.skip href="#content" { (view.t(common::SKIP)) }
        header.letter-head { strong { (sender) } }
        main #content tabindex="-1" { (content) }
    };
    document(view, &format!("{title} · {sender}"), "letter", &body)
}

fn product_title(view: &View, title: &str) -> String {
    format!("{title} · {}", view.t(common::PRODUCT))
}

fn document(view: &View, title: &str, class: &str, body: &Markup) -> Markup {
    let scheme = match view.theme {
        Theme::Device => "light dark",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    html! {
        (DOCTYPE)
        html lang=(view.language.as_str()) data-theme=(view.theme.as_str()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content=(scheme);
                title { (title) }
                link rel="icon" type="image/svg+xml" href=(assets::ICON.path());
                link rel="preload" as="font" type="font/woff2" href=(assets::TYPEFACE.path()) crossorigin;
                link rel="stylesheet" href=(assets::STYLE.path());
                script src=(assets::SCRIPT.path()) defer {}
            }
            body class=(class) { (body) }
        }
    }
}
