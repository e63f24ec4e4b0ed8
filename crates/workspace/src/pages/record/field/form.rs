//! The fields of a record in its form: the entries, and the values that they are filled with.

use domain::{field::Field as Named, id::Uuid7, text::Name};
use maud::{Markup, html};

use super::{super::form::filled, Ask, Entry, FormField, Need, Place, all};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{pick, record::form::RecordForm, requirements},
    ui::field::{self, Field},
};

impl<K: RecordForm> FormField<K> {
    /// The values in the form.
    async fn filled(
        &self,
        workspace: &Workspace,
        visit: &Visit,
        record: &K,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let value = match self.entry {
            Entry::Title(of) => of(record).to_string(),
            Entry::Line(of) | Entry::Person(of) => filled(of(record)),
            Entry::Text(of) => of(record).unwrap_or_default(),
            Entry::Decimal(of) => of(visit, record).unwrap_or_default(),
            Entry::Day(of) => filled(of(record)),
            Entry::Moment(of) => field::moment_value(visit, of(record)),
            Entry::Prose(of) => filled(of(record)),
            Entry::Number(_, of) => filled(of(record)),
            // A box that is not checked is not sent.
            Entry::Flag(of) if !of(record) => return Ok(Vec::new()),
            Entry::Flag(_) => "1".to_owned(),
            Entry::Choice(_, of) => of(record).to_owned(),
            Entry::Words(_, of) => {
                return Ok(of(record).into_iter().map(|word| (self.field.name, word.to_owned())).collect());
            }
            Entry::Chosen(_, of) => of(record).unwrap_or_default(),
            Entry::Lines(of) | Entry::Suggested(_, of) => of(record).join("\n"),
            Entry::Requirements(of) => requirements::labels(workspace, visit, &of(record)).await?,
            Entry::Records(_, of) => pick::labels(workspace, visit, of(record)).await?,
            Entry::Record(_, of) => pick::labels(workspace, visit, of(record)).await?,
            Entry::Custom(_, values) => return Ok(values(visit, record)),
        };
        Ok(vec![(self.field.name, value)])
    }

    /// What the form asks.
    async fn asked(&self, ask: &Ask<'_, K>) -> Result<Markup, PageError> {
        let (Named { name, label }, Ask { workspace, visit, form, .. }) = (self.field, ask);
        let entry = match self.entry {
            Entry::Records(kinds, _) => pick::fields(workspace, visit, form, (name, label), kinds).await?,
            Entry::Record(kinds, _) => {
                let form = with_names(workspace, visit, form, name).await?;
                pick::field(workspace, visit, &form, (name, label), kinds).await?
            }
            Entry::Requirements(_) => requirements::fields(visit, form),
            Entry::Chosen(offer, _) => {
                let select = field::select(visit, form, name, label, &offer(ask).await?);
                match self.hint {
                    Some(hint) => html! { div { (select) p.hint { (visit.t(hint)) } } },
                    None => select,
                }
            }
            Entry::Suggested(offer, _) => {
                field::suggested(visit, form, name, label, self.hint, &offer(ask).await?)
            }
            Entry::Custom(render, _) => render(ask).await?,
            _ => self.simple(visit, form),
        };
        let Some(below) = self.below else { return Ok(entry) };
        let below = below(ask).await?;
        Ok(html! { div { (entry) (below) } })
    }

    /// The same for a field whose entry needs nothing besides the form.
    fn simple(&self, view: &View, form: &Form) -> Markup {
        let (Named { name, label }, hint) = (self.field, self.hint);
        match self.entry {
            Entry::Title(_) | Entry::Line(_) => {
                self.marked(Field::text(view, form, name, label).at_most(Name::MAX))
            }
            Entry::Text(_) | Entry::Decimal(_) => self.marked(Field::text(view, form, name, label)),
            Entry::Person(_) => self.marked(Field::person(view, form, name, label)),
            Entry::Day(_) => self.marked(Field::day(view, form, name, label)),
            Entry::Moment(_) => self.marked(Field::moment(view, form, name, label)),
            Entry::Number(range, _) => self.marked(Field::number(view, form, name, label, range)),
            Entry::Prose(_) if self.need == Need::Required => {
                field::required_area(view, form, name, label, hint)
            }
            Entry::Prose(_) | Entry::Lines(_) => field::area(view, form, name, label, hint),
            Entry::Flag(_) => field::switch(view, form, name, label, hint),
            Entry::Choice(words, _) => field::select(view, form, name, label, &words(view)),
            Entry::Words(words, _) => html! {
                // Sent so that a form without any box means none.
                input type="hidden" name=(name) value="";
                (field::choices(view, form, name, label, true, &words(view)))
            },
            Entry::Records(..)
            | Entry::Record(..)
            | Entry::Requirements(_)
            | Entry::Chosen(..)
            | Entry::Suggested(..)
            | Entry::Custom(..) => html! {},
        }
    }

    fn marked(&self, entry: Field<'_>) -> Markup {
        let is_required = matches!(self.need, Need::Required | Need::Fixed);
        let entry = if is_required { entry } else { entry.optional() };
        let entry = if self.place == Place::Focused { entry.focused() } else { entry };
        match self.hint {
            Some(hint) => entry.hint(hint).render(),
            None => entry.render(),
        }
    }
}

/// The form with the name of the record of which it has the id, as where an address names it.
async fn with_names(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    field: &str,
) -> Result<Form, PageError> {
    let (mut named, value) = (form.clone(), form.value(field).to_owned());
    if Uuid7::of_id(&value).is_some() {
        named.replace(field, pick::labels(workspace, visit, [value]).await?);
    }
    Ok(named)
}

/// The values of a record in its form.
pub(in crate::pages::record) async fn values<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    record: &K,
) -> Result<Vec<(&'static str, String)>, PageError> {
    let mut values = Vec::new();
    for field in all::<K>() {
        values.extend(field.filled(workspace, visit, record).await?);
    }
    Ok(values)
}

/// The sections of a form; one in which nothing is asked is left out.
pub(in crate::pages) async fn sections<K: RecordForm>(ask: &Ask<'_, K>) -> Result<Markup, PageError> {
    let mut sections = Vec::new();
    let before = ask.before.map(|row| &row.record);
    for section in K::FIELDS {
        let asked = section.fields.iter().filter(|field| field.asked_if.is_none_or(|holds| holds(before)));
        let fields = lines(ask, asked.collect()).await?;
        sections.push(match section.title {
            Some(title) if !fields.is_empty() => field::section(ask.visit, title, &together(&fields)),
            _ => together(&fields),
        });
    }
    Ok(together(&sections))
}

/// A form of these fields alone.
pub(in crate::pages) async fn only<K: RecordForm>(
    ask: &Ask<'_, K>,
    fields: &[Named],
) -> Result<Markup, PageError> {
    let asked = fields.iter().filter_map(|wanted| all::<K>().find(|field| field.field == *wanted));
    Ok(together(&lines(ask, asked.collect()).await?))
}

/// The entries for fields. Narrow ones that follow each other stand side by side.
async fn lines<K: RecordForm>(
    ask: &Ask<'_, K>,
    fields: Vec<&FormField<K>>,
) -> Result<Vec<Markup>, PageError> {
    let (mut lines, mut narrow) = (Vec::new(), Vec::new());
    for field in fields {
        let entry = field.asked(ask).await?;
        if field.place == Place::Beside {
            narrow.push(entry);
        } else {
            lines.extend(side_by_side(&mut narrow));
            lines.push(entry);
        }
    }
    lines.extend(side_by_side(&mut narrow));
    Ok(lines)
}

fn side_by_side(entries: &mut Vec<Markup>) -> Option<Markup> {
    let entries = std::mem::take(entries);
    (!entries.is_empty()).then(|| html! { div.columns { (together(&entries)) } })
}

fn together(parts: &[Markup]) -> Markup {
    html! { @for part in parts { (part) } }
}
