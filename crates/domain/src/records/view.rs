//! Saved views of a list: which filters, columns and order a person wants to see again.

use crate::{
    change::{Change, Fields},
    identifier::{Id, Identified},
    text::Name,
    violation::{Complaint, Violations},
    wording::sentences,
};

sentences! {
    /// Why a view was refused.
    ViewComplaint {
        NoSuchList { known: String } =
            "must be one of {known}",
            "muss eines von {known} sein";
        OfAnotherList =
            "cannot be changed: save another view for another list",
            "lässt sich nicht ändern: bitte für eine andere Liste eine andere Ansicht speichern";
        BadQuery { name: String } =
            "must be the query string of a list, such as status=open&severity=high; {name} does not belong there",
            "muss die Abfrage einer Liste sein, etwa status=open&severity=high; {name} gehört nicht hinein";
        BadWord =
            "must be a word of small letters, digits, hyphens, underscores and dots",
            "muss ein Wort aus Kleinbuchstaben, Ziffern, Binde- und Unterstrichen und Punkten sein";
        TooMany { most: usize } =
            "a person can save {most} views: delete one that is no longer used",
            "Eine Person kann {most} Ansichten speichern: bitte eine löschen, die nicht mehr gebraucht wird";
    }
}

/// A saved view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListView {
    /// The table of the records that it lists.
    pub list: String,
    pub name: Name,
    /// Whether all people of the institution see it.
    pub is_shared: bool,
    /// Whether the list opens with it for the person who saved it.
    pub is_start: bool,
    /// The columns that are shown, in this order; all if there are none.
    pub columns: Vec<String>,
    /// The filters as the query string of the list.
    pub filters: String,
    pub order: Option<String>,
}

pub type ViewId = Id<ListView>;

impl Identified for ListView {
    const PREFIX: &'static str = "viw";
}

impl ListView {
    /// The maximum number of views of a person.
    pub const MOST: usize = 100;
    const MOST_COLUMNS: usize = 30;
    const LONGEST_QUERY: usize = 2_000;
    const LONGEST_WORD: usize = 60;

    /// The query string that shows the view.
    #[must_use]
    pub fn query(&self) -> String {
        let columns = (!self.columns.is_empty()).then(|| format!("columns={}", self.columns.join(",")));
        let order = self.order.as_ref().map(|order| format!("sort={order}"));
        let filters = Some(self.filters.clone()).filter(|filters| !filters.is_empty());
        [filters, order, columns].into_iter().flatten().collect::<Vec<_>>().join("&")
    }
}

/// Parameters of a list that are no filter.
const NO_FILTERS: [&str; 7] = ["limit", "offset", "cursor", "sort", "columns", "view", "done"];

/// The fields of a view as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViewInput {
    pub list: Change<String>,
    pub name: Change<String>,
    pub shared: Change<bool>,
    pub start: Change<bool>,
    pub columns: Change<Vec<String>>,
    pub filters: Change<String>,
    pub order: Change<String>,
}

impl ViewInput {
    /// A new view of one of these lists.
    pub fn create(&self, lists: &[&str]) -> Result<ListView, Violations> {
        self.read(None, lists)
    }

    /// The view after this change.
    pub fn change(&self, current: &ListView, lists: &[&str]) -> Result<ListView, Violations> {
        self.read(Some(current), lists)
    }

    fn read(&self, current: Option<&ListView>, lists: &[&str]) -> Result<ListView, Violations> {
        let mut fields = Fields::default();
        let list = fields.required("list", &self.list, current.map(|view| view.list.clone()), |text| {
            if lists.contains(&text.as_str()) {
                Ok(text.clone())
            } else {
                Err(ViewComplaint::NoSuchList { known: lists.join(", ") })
            }
        });
        if current.is_some_and(|view| list.as_ref().is_some_and(|list| *list != view.list)) {
            fields.refuse("list", ViewComplaint::OfAnotherList);
        }
        let name = fields
            .required("name", &self.name, current.map(|view| view.name.clone()), |text| Name::parse(text));
        let columns = current.map(|view| view.columns.clone());
        let columns = fields.list("columns", &self.columns, columns, |text| word(text));
        if columns.len() > ListView::MOST_COLUMNS {
            let (most, found) = (ListView::MOST_COLUMNS, columns.len());
            fields.refuse("columns", crate::violation::FieldComplaint::TooManyItems { most, found });
        }
        let filters = current.map(|view| view.filters.clone());
        let filters = fields.optional("filters", &self.filters, filters, |text| query(text));
        let order = current.and_then(|view| view.order.clone());
        let order = fields.optional("order", &self.order, order, |text| word(text));
        let is_shared = switch(&self.shared, current.is_some_and(|view| view.is_shared));
        let is_start = switch(&self.start, current.is_some_and(|view| view.is_start));
        fields.finish(list.zip(name).map(|(list, name)| ListView {
            list,
            name,
            is_shared,
            is_start,
            columns,
            filters: filters.unwrap_or_default(),
            order,
        }))
    }
}

fn switch(change: &Change<bool>, current: bool) -> bool {
    match change {
        Change::Keep => current,
        Change::Clear => false,
        Change::Set(value) => *value,
    }
}

fn is_word(text: &str) -> bool {
    let fits =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.');
    !text.is_empty() && text.len() <= ListView::LONGEST_WORD && text.bytes().all(fits)
}

fn word(text: &str) -> Result<String, Complaint> {
    if is_word(text) { Ok(text.to_owned()) } else { Err(ViewComplaint::BadWord.into()) }
}

/// The query string without parameters that are empty.
fn query(text: &str) -> Result<String, Complaint> {
    crate::text::prose(text, ListView::LONGEST_QUERY)?;
    let mut kept = Vec::new();
    for pair in text.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_plain =
            value.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'"' | b'<' | b'>'));
        if !is_word(name) || NO_FILTERS.contains(&name) || !is_plain {
            let name = pair.chars().take(ListView::LONGEST_WORD).collect();
            return Err(ViewComplaint::BadQuery { name }.into());
        }
        if !value.is_empty() {
            kept.push(pair);
        }
    }
    Ok(kept.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(filters: &str) -> ViewInput {
        ViewInput {
            list: Change::Set("findings".into()),
            name: Change::Set("Mine".into()),
            filters: Change::Set(filters.into()),
            ..ViewInput::default()
        }
    }

    #[test]
    fn a_view_is_the_query_string_of_its_list() {
        let mut view = input("?status=open&owner=&severity=high").create(&["findings"]).unwrap();
        assert_eq!(view.query(), "status=open&severity=high");
        view.order = Some("-created_at".into());
        view.columns = vec!["owner".into(), "due_on".into()];
        assert_eq!(view.query(), "status=open&severity=high&sort=-created_at&columns=owner,due_on");
        let renamed = ViewInput { name: Change::Set("Ours".into()), ..ViewInput::default() };
        let after = renamed.change(&view, &["findings"]).unwrap();
        assert_eq!((after.name.as_str(), after.query()), ("Ours", view.query()));
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        for bad in ["sort=severity", "offset=50", "Status=open", "a=<script>", "a=b c", "a=#top", "cursor=x"]
        {
            assert!(input(bad).create(&["findings"]).is_err(), "{bad}");
        }
        assert!(input("status=open").create(&["risks"]).is_err());
        let moved = ViewInput { list: Change::Set("risks".into()), ..ViewInput::default() };
        let view = input("").create(&["findings"]).unwrap();
        assert!(moved.change(&view, &["findings", "risks"]).is_err());
    }
}
