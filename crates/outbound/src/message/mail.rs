//! Renders a card as a mail: subject, plain text and HTML.
//!
//! The HTML is one table with inline styles and no external content: mail programs drop style sheets, banks block
//! remote images, and a message must not track when it was read.

use std::fmt::Write;

use domain::{tone::Tone, wording::Language};

use super::{
    card::{Card, Fact, Item, MAX_ITEMS},
    text::{clean, fit, html, verbatim},
    words::Words,
};

const PREFIX: &str = "[Tidewall]";
const MAX_SUBJECT: usize = 150;
const MAX_TITLE: usize = 1000;
const MAX_VALUE: usize = 500;

/// The visible parts of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
    pub language: Language,
}

/// A few paragraphs and one link, to one user.
#[derive(Debug, Clone, Copy)]
pub struct PersonalMail<'l> {
    pub subject: &'l str,
    pub greeting: &'l str,
    pub body: &'l str,
    pub url: &'l str,
    pub closing: &'l str,
}

impl PersonalMail<'_> {
    pub fn draw(&self, language: Language) -> MailText {
        let Self { subject, greeting, body, url, closing } = *self;
        ListMail { subject, greeting, body, items: &[], after: None, url, closing }.draw(language)
    }
}

/// A paragraph and a list of lines with a link each, to one user.
#[derive(Debug, Clone, Copy)]
pub struct ListMail<'l> {
    pub subject: &'l str,
    pub greeting: &'l str,
    pub body: &'l str,
    /// Each line with the address of its record.
    pub items: &'l [(String, String)],
    /// What follows the list, such as how many lines it leaves out.
    pub after: Option<&'l str>,
    pub url: &'l str,
    pub closing: &'l str,
}

impl ListMail<'_> {
    /// Cleaned and escaped like every other message: greetings and subjects contain names that users typed.
    pub fn draw(&self, language: Language) -> MailText {
        let Self { body, url, closing, .. } = *self;
        let greeting = clean(self.greeting);
        let shown = |text: &str| fit(text, usize::MAX, html);
        let (mut plain, mut listed) = (String::new(), String::new());
        for (line, url) in self.items {
            let line = clean(line);
            plain.extend(["- ", line.as_str(), "\n  ", url, "\n"]);
            listed.extend(["<li><a href=\"", &shown(url), "\">", &shown(&line), "</a></li>"]);
        }
        if !self.items.is_empty() {
            listed = format!("<ul>{listed}</ul>");
            plain.push('\n');
        }
        if let Some(after) = self.after {
            plain.extend([after, "\n\n"]);
            listed.extend(["<p>", &shown(after), "</p>"]);
        }
        MailText {
            subject: fit(&clean(self.subject), MAX_SUBJECT, verbatim),
            text: format!("{greeting}\n\n{body}\n\n{plain}{url}\n\n{closing}\n"),
            html: format!(
                "<!DOCTYPE html><html lang=\"{language}\"><body><p>{}</p><p>{}</p>{listed}\
                 <p><a href=\"{link}\">{link}</a></p><p>{}</p></body></html>",
                shown(&greeting),
                shown(body),
                shown(closing),
                link = shown(url),
            ),
            language,
        }
    }
}

pub(super) fn draw(card: &Card, language: Language) -> MailText {
    MailText {
        subject: fit(&format!("{PREFIX} {}", card.summary()), MAX_SUBJECT, verbatim),
        text: text(card, language),
        html: page(card, language),
        language,
    }
}

fn text(card: &Card, language: Language) -> String {
    let mut lines = vec![card.heading.clone()];
    lines.extend(card.title.as_ref().map(|title| fit(title, MAX_TITLE, verbatim)));
    lines.push(String::new());
    let width = card.facts.iter().map(|fact| fact.label.chars().count()).max().unwrap_or(0);
    lines.extend(card.facts.iter().map(|Fact { label, value }| {
        let padding = " ".repeat(width - label.chars().count());
        format!("{label}:{padding} {}", fit(value, MAX_VALUE, verbatim))
    }));
    for item in &card.items {
        let line = fit(&item_line(item), MAX_VALUE, verbatim);
        lines.push(format!("\n- {line}\n  {}\n  {} · {}", item.url, item.event, item.occurred_at));
    }
    if card.total > MAX_ITEMS {
        lines.push(format!("\n{}", Words(language).more(card.total - MAX_ITEMS)));
    }
    lines.extend(card.note.map(|note| format!("\n{note}")));
    lines.push(format!("\n{}:\n{}", card.link.label, card.link.url));
    // The signature separator lets mail programs collapse the rest.
    lines.push(format!("\n-- \n{}\n{}\n", card.footer, Words(language).why_this_mail()));
    lines.join("\n")
}

fn item_line(item: &Item) -> String {
    let detail = if item.detail.is_empty() { String::new() } else { format!(" ({})", item.detail) };
    format!("{} {}{detail}", item.reference, item.title)
}

fn page(card: &Card, language: Language) -> String {
    let colour = colour(card.tone);
    // Above a title the heading is small; without one it is the title.
    let size = if card.title.is_some() {
        "font-size:13px;line-height:20px;"
    } else {
        "font-size:20px;line-height:28px;"
    };
    let (heading, summary) = (fit(&card.heading, MAX_VALUE, html), fit(&card.summary(), MAX_VALUE, html));
    let (url, label) = (fit(&card.link.url, usize::MAX, html), card.link.label);
    let (footer, why) = (fit(&card.footer, MAX_VALUE, html), Words(language).why_this_mail());
    let content = content(card, language);
    format!(
        r#"<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{summary}</title>
</head>
<body style="margin:0;padding:0;background-color:#eef1f4;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background-color:#eef1f4;">
<tr><td align="center" style="padding:24px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background-color:#ffffff;border-top:4px solid {colour};font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c2733;">
<tr><td style="padding:24px 28px 0 28px;{size}font-weight:600;color:{colour};">{heading}</td></tr>
{content}<tr><td style="padding:24px 28px 28px 28px;"><a href="{url}" style="display:inline-block;padding:10px 18px;background-color:#17405f;color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none;border-radius:4px;">{label}</a></td></tr>
<tr><td style="padding:14px 28px 18px 28px;border-top:1px solid #dde3e9;font-size:12px;line-height:18px;color:#55626f;word-break:break-word;">{footer}<br>{why}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
"#
    )
}

fn content(card: &Card, language: Language) -> String {
    let mut rows = String::new();
    if let Some(title) = &card.title {
        let title = fit(title, MAX_TITLE, html);
        rows += &row(
            "padding:4px 28px 0 28px;font-size:20px;line-height:28px;font-weight:600;word-break:break-word;",
            &title,
        );
    }
    rows += &row("padding:16px 28px 0 28px;", &facts(&card.facts));
    if !card.items.is_empty() {
        rows += &row("padding:12px 28px 0 28px;", &items(card, language));
    }
    if let Some(note) = card.note {
        rows +=
            &row("padding:16px 28px 0 28px;font-size:15px;line-height:22px;", &fit(note, MAX_TITLE, html));
    }
    rows
}

fn row(style: &str, content: &str) -> String {
    format!("<tr><td style=\"{style}\">{content}</td></tr>\n")
}

fn facts(facts: &[Fact]) -> String {
    let mut table = "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" \
                     style=\"font-size:15px;line-height:22px;\">"
        .to_owned();
    for Fact { label, value } in facts {
        let value = fit(value, MAX_VALUE, html);
        // Writing to a string cannot fail.
        let _ = write!(
            table,
            "<tr><td style=\"padding:2px 18px 2px 0;color:#55626f;vertical-align:top;\">{label}</td>\
             <td style=\"padding:2px 0;vertical-align:top;word-break:break-word;\">{value}</td></tr>"
        );
    }
    table + "</table>"
}

fn items(card: &Card, language: Language) -> String {
    let mut list = String::new();
    for item in &card.items {
        let (url, reference) = (fit(&item.url, usize::MAX, html), fit(&item.reference, MAX_VALUE, html));
        let (title, detail) = (fit(&item.title, MAX_VALUE, html), fit(&item.detail, MAX_VALUE, html));
        let Item { event, occurred_at, .. } = item;
        let _ = write!(
            list,
            "<div style=\"padding:8px 0;border-top:1px solid #dde3e9;font-size:15px;line-height:22px;word-break:break-word;\">\
             <a href=\"{url}\" style=\"color:#17405f;font-weight:600;\">{reference}</a> {title}\
             <div style=\"font-size:13px;line-height:18px;color:#55626f;\">{detail}</div>\
             <div style=\"font-size:12px;line-height:18px;color:#55626f;\">{event} · {occurred_at}</div></div>"
        );
    }
    if card.total > MAX_ITEMS {
        let more = Words(language).more(card.total - MAX_ITEMS);
        let _ = write!(
            list,
            "<div style=\"padding:8px 0;border-top:1px solid #dde3e9;font-size:15px;\">{more}</div>"
        );
    }
    list
}

/// Sufficient contrast on white.
fn colour(tone: Tone) -> &'static str {
    match tone {
        Tone::Critical => "#a3161a",
        Tone::Warning => "#a84300",
        Tone::Notice => "#7a5c00",
        Tone::Good => "#256144",
        Tone::Running | Tone::Neutral | Tone::Muted => "#17405f",
    }
}
