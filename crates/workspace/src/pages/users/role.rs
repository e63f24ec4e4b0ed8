//! The roles in words, made from the table of their rights.

use domain::{
    right::{Resource, Right},
    user::Role,
};
use maud::{Markup, html};

use crate::{
    extract::View,
    form::Form,
    texts::user as texts,
    ui::field::{self, Choice},
};

/// The choice of a role, with what each may do.
pub(super) fn choices(view: &View, form: &Form) -> Markup {
    let choices: Vec<_> = Role::ALL
        .iter()
        .map(|role| Choice::new(role.as_str(), view.t(role.label())).help(help(view, *role)))
        .collect();
    html! {
        (field::choices(view, form, "role", texts::ROLE, false, &choices))
        p.hint { (view.t(texts::ROLE_HINT)) }
    }
}

fn help(view: &View, role: Role) -> String {
    [reads(view, role), writes(view, role)].concat().join(" ")
}

fn reads(view: &View, role: Role) -> Vec<String> {
    let more: Vec<_> = role.resources(Right::Read).filter(|resource| !resource.is_record()).collect();
    vec![if more.is_empty() {
        view.t(texts::ROLE_READS).to_owned()
    } else {
        said(view, texts::ROLE_READS_MORE, &more)
    }]
}

fn writes(view: &View, role: Role) -> Vec<String> {
    let decided = role.resources(Right::Decide).count();
    if decided > 0 {
        let others = Resource::ALL.iter().copied().filter(|resource| role.right(*resource) < Right::Decide);
        return vec![said(view, texts::ROLE_DECIDES, &others.collect::<Vec<_>>())];
    }
    let written: Vec<_> = role.resources(Right::Write).collect();
    let own: Vec<_> = role.resources(Right::Own).collect();
    if written.is_empty() && own.is_empty() {
        return vec![view.t(texts::ROLE_CHANGES_NOTHING).to_owned()];
    }
    let lists = [(texts::ROLE_WRITES, written), (texts::ROLE_WRITES_OWN, own)];
    let lists = lists.iter().filter(|(_, list)| !list.is_empty());
    let said = lists.map(|(sentence, list)| said(view, *sentence, list));
    said.chain([view.t(texts::ROLE_DECIDES_NOTHING).to_owned()]).collect()
}

fn said(view: &View, sentence: domain::wording::Label, resources: &[Resource]) -> String {
    let names: Vec<_> = resources.iter().map(|resource| view.t(resource.label())).collect();
    view.fill(sentence, &[("list", &names.join(", "))])
}
