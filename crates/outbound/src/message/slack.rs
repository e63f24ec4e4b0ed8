//! Renders a card as Slack's Block Kit.
//!
//! Text from users goes into `plain_text` and `rich_text`, which have no markup, and is escaped all the same.
//! Mattermost and Rocket.Chat show the top-level text instead of the blocks, so it must be complete by itself.

use serde_json::{Value, json};

use super::{
    DIGEST_LIMIT,
    card::{Card, Fact, Item},
    text::{chat, fit, slack, verbatim},
    words::Words,
};

// Slack refuses a message that exceeds a limit. Headers, sections, buttons, links, fields and list items stay within
// the documented numbers; where several add up, below the undocumented 13,000 characters for all.
const MAX_HEADER: usize = 150;
const MAX_SECTION: usize = 3000;
const MAX_FIELD: usize = 300;
/// Ten fields: a label and a value each.
const MAX_FACTS: usize = 5;
const MAX_BUTTON: usize = 75;
const MAX_URL: usize = 3000;
const MAX_ITEM: usize = 120;
const MAX_TEXT: usize = 3000;

pub(super) fn draw(card: &Card, language: Words) -> Value {
    let mut header = json!({"type": "header", "text": plain(&card.heading, MAX_HEADER)});
    if let Some(event) = &card.event {
        header["block_id"] = event.as_str().into();
    }
    let mut blocks = vec![header];
    if let Some(title) = card.title.as_deref().filter(|title| !title.is_empty()) {
        blocks.push(json!({"type": "section", "text": plain(title, MAX_SECTION)}));
    }
    blocks.extend(card.facts.chunks(MAX_FACTS).map(|facts| {
        let fields: Vec<_> =
            facts.iter().flat_map(|fact| [bold(fact.label), plain(&fact.value, MAX_FIELD)]).collect();
        json!({"type": "section", "fields": fields})
    }));
    blocks.extend(card.items.iter().take(DIGEST_LIMIT).map(line));
    if card.total > DIGEST_LIMIT {
        let more = [rich_text(&language.more(card.total - DIGEST_LIMIT))];
        blocks.push(json!({"type": "rich_text", "elements": [rich(&more)]}));
    }
    if let Some(note) = card.note {
        blocks.push(json!({"type": "section", "text": plain(note, MAX_SECTION)}));
    }
    // A button with a URL that is too long would make Slack refuse the whole message.
    if card.link.url.len() <= MAX_URL {
        let button =
            json!({"type": "button", "text": plain(card.link.label, MAX_BUTTON), "url": card.link.url});
        blocks.push(json!({"type": "actions", "elements": [button]}));
    }
    blocks.push(json!({"type": "context", "elements": [plain(&card.footer, MAX_FIELD)]}));
    json!({"text": text(card), "mrkdwn": false, "unfurl_links": false, "unfurl_media": false, "blocks": blocks})
}

/// The message without blocks: the event, the facts in a line, the link.
fn text(card: &Card) -> String {
    let fact = |fact: &Fact| format!("{}: {}", fact.label, fit(&fact.value, MAX_FIELD, chat));
    let facts: Vec<_> = card.facts.iter().map(fact).collect();
    let lines = [
        fit(&card.summary(), MAX_TEXT / 4, chat),
        fit(&facts.join(" · "), MAX_TEXT / 4, verbatim),
        fit(card.note.unwrap_or_default(), MAX_TEXT / 4, slack),
        // The URL is our own and is not escaped as chat text.
        fit(&card.link.url, MAX_TEXT / 4, slack),
    ];
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// One event of a digest, identified by the id of its block.
fn line(item: &Item) -> Value {
    let link = json!({"type": "link", "url": item.url, "text": fit(&item.reference, MAX_BUTTON, slack)});
    let mut parts = vec![link, rich_text(&format!(" {}", item.title))];
    if !item.detail.is_empty() {
        parts.push(rich_text(&format!(" ({})", item.detail)));
    }
    json!({"type": "rich_text", "block_id": item.event, "elements": [rich(&parts)]})
}

fn rich(elements: &[Value]) -> Value {
    json!({"type": "rich_text_section", "elements": elements})
}

fn rich_text(text: &str) -> Value {
    json!({"type": "text", "text": fit(text, MAX_ITEM, slack)})
}

/// Text without markup; `:emoji:` codes stay as typed.
fn plain(text: &str, max: usize) -> Value {
    json!({"type": "plain_text", "text": fit(text, max, slack), "emoji": false})
}

/// For our own texts only.
fn bold(label: &'static str) -> Value {
    json!({"type": "mrkdwn", "text": format!("*{label}*")})
}
