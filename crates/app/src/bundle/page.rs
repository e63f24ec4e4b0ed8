//! The page for people: it reads offline, without scripts, styles or pictures from elsewhere.

use std::{
    fmt::{self, Write as _},
    fs::File,
};

use bundle::{FileEntry, Writer};
use domain::{
    assessment::AssessmentStatus,
    moment::Moment,
    vocabulary::Vocabulary as _,
    wording::{Label, Language},
};

use super::{
    claims::{Claims, Rests},
    gather::Gathering,
    words,
};
use crate::catalogue::framework::Requirement;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}\
table{border-collapse:collapse;width:100%;margin:1rem 0 2rem}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;\
border-bottom:1px solid #ccc}th{background:#f2f2f2}code,pre{font-family:ui-monospace,monospace}pre{background:#f2f2f2;\
padding:.6rem;overflow:auto}dt{font-weight:600}dd{margin:0 0 .4rem}";

/// Text that is not markup.
struct Plain<'t>(&'t str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                other => out.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// The page as text.
pub(super) fn written(gathering: &Gathering, writer: &Writer<File>, claims: &Claims) -> String {
    let mut page = String::new();
    // Writing to a text cannot fail.
    let _ = draw(&mut page, gathering, writer, claims);
    page
}

fn draw(page: &mut String, gathering: &Gathering, writer: &Writer<File>, claims: &Claims) -> fmt::Result {
    let language = gathering.wish.language;
    let t = |label: Label| label.text(language);
    let institution = Plain(&gathering.institution);
    write!(page, "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\">")?;
    write!(page, "<meta name=\"viewport\" content=\"width=device-width\">")?;
    write!(page, "<title>{}: {institution}</title><style>{STYLE}</style></head>\n<body>", t(words::TITLE))?;
    writeln!(page, "<h1>{}: {institution}</h1>", t(words::TITLE))?;
    facts(page, gathering)?;
    write!(page, "<h2>{}</h2><p>{}</p>", t(words::VERIFY), Plain(t(words::VERIFY_TEXT)))?;
    writeln!(page, "<pre>tidewall bundle verify FILE.zip --key KEY\npython3 verify.py FILE.zip KEY</pre>")?;
    write!(page, "<h2>{}</h2><table><thead><tr>", t(words::REQUIREMENTS))?;
    for head in
        [words::NUMBER, words::REQUIREMENT, words::STATUS, words::APPROVED, words::RESTS_ON, words::EVIDENCE]
    {
        write!(page, "<th scope=\"col\">{}</th>", t(head))?;
    }
    writeln!(page, "</tr></thead><tbody>")?;
    for (requirement, rests) in claims.all() {
        row(page, language, requirement, rests, &claims.files(rests))?;
    }
    write!(page, "</tbody></table>\n<h2>{}</h2><table><thead><tr>", t(words::LISTS))?;
    write!(
        page,
        "<th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead><tbody>",
        t(words::FILE),
        t(words::BYTES)
    )?;
    for FileEntry { path, bytes, .. } in writer.files() {
        if !path.starts_with("evidence/") {
            writeln!(page, "<tr><td><a href=\"{path}\">{path}</a></td><td>{bytes}</td></tr>")?;
        }
    }
    write!(page, "</tbody></table>\n<h2>{}</h2>", t(words::MISSING))?;
    missing(page, language, writer)?;
    page.write_str("</body></html>\n")
}

fn facts(page: &mut String, gathering: &Gathering) -> fmt::Result {
    let (wish, language) = (&gathering.wish, gathering.wish.language);
    let framework = wish.framework.map(|framework| framework.name());
    let from = wish.from.map(|day| day.to_string());
    let facts = [
        (words::AS_OF, wish.as_of.to_string()),
        (words::FRAMEWORK, framework.unwrap_or_else(|| words::ALL_FRAMEWORKS.text(language).to_owned())),
        (words::ENTRIES_FROM, from.unwrap_or_else(|| words::BEGINNING.text(language).to_owned())),
        (words::CATALOGUE, gathering.edition.version.to_string()),
    ];
    page.write_str("<dl>")?;
    for (label, value) in facts {
        write!(page, "<dt>{}</dt><dd>{}</dd>", label.text(language), Plain(&value))?;
    }
    page.write_str("</dl>\n")
}

fn row(
    page: &mut String,
    language: Language,
    requirement: &Requirement,
    rests: &Rests,
    files: &[(String, String)],
) -> fmt::Result {
    let said = |name: &str| rests.assessment.as_ref()?.get(name)?.as_str();
    let status = said("status").and_then(AssessmentStatus::find);
    let status = status.map_or(words::NOT_ASSESSED.text(language), |status| status.label().text(language));
    let approved = said("approved_at").and_then(|at| at.parse::<Moment>().ok());
    let approved = approved.map(|at| at.day().to_string()).unwrap_or_default();
    let title = requirement.title.get(language);
    write!(page, "<tr id=\"{}\"><td>{}</td>", requirement.id, Plain(&requirement.number))?;
    write!(page, "<td>{}</td><td>{}</td><td>{approved}</td><td>", Plain(title), Plain(status))?;
    for (list, records) in &rests.records {
        write!(page, "<a href=\"lists/{list}.xlsx\">{list}</a>: ")?;
        for (place, (id, version)) in records.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(page, "{comma}<code>{}</code> {} {version}", Plain(id), words::VERSION.text(language))?;
        }
        page.write_str("<br>")?;
    }
    page.write_str("</td><td>")?;
    for (path, _) in files {
        write!(page, "<a href=\"{path}\">{path}</a><br>")?;
    }
    page.write_str("</td></tr>\n")
}

fn missing(page: &mut String, language: Language, writer: &Writer<File>) -> fmt::Result {
    if writer.is_missing().is_empty() {
        return write!(page, "<p>{}</p>", words::NOTHING_MISSING.text(language));
    }
    page.write_str("<ul>")?;
    for missing in writer.is_missing() {
        write!(page, "<li><code>{}</code>: {}</li>", Plain(&missing.what), Plain(&missing.why))?;
    }
    page.write_str("</ul>")
}
