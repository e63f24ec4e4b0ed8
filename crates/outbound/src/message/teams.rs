//! Renders a card as an Adaptive Card in the envelope of a Teams workflow webhook.
//!
//! Text from users goes into text runs, which have no Markdown; facts have, so values are escaped there. Teams drops
//! messages above 28 KB by its own count, which is more than the size sent, and does so silently inside the workflow,
//! so the budget stays well below.

use serde_json::{Value, json};

use domain::tone::Tone;

use super::{
    DIGEST_LIMIT,
    card::{Card, Item},
    text::{fit, markdown, verbatim, without_mentions},
    words::Words,
};

const MAX_BYTES: usize = 18_000;
const MAX_TITLE: usize = 500;
const MAX_VALUE: usize = 300;
const MAX_SUMMARY: usize = 200;
const MAX_ITEM_TITLE: usize = 200;

pub(super) fn draw(card: &Card, language: Words) -> Value {
    let mut shown = card.items.len().min(DIGEST_LIMIT);
    loop {
        let message = envelope(card, language, shown);
        if shown == 0 || message.to_string().len() <= MAX_BYTES {
            return message;
        }
        shown -= 1;
    }
}

fn envelope(card: &Card, language: Words, shown: usize) -> Value {
    json!({
        "type": "message",
        // Without a summary, phones only announce that a card was posted.
        "summary": fit(&without_mentions(&card.summary()), MAX_SUMMARY, verbatim),
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "contentUrl": null,
            "content": {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.4",
                "lang": language.0.as_str(),
                "msteams": {"width": "Full"},
                "body": body(card, language, shown),
                "actions": [{"type": "Action.OpenUrl", "title": card.link.label, "url": card.link.url}],
            },
        }],
    })
}

fn body(card: &Card, language: Words, shown: usize) -> Vec<Value> {
    let mut body = vec![json!({
        "type": "TextBlock", "text": card.heading, "size": "Large", "weight": "Bolder", "wrap": true,
        "color": colour(card.tone),
    })];
    if let Some(title) = card.title.as_deref().filter(|title| !title.is_empty()) {
        body.push(runs(&[run(title, MAX_TITLE)]));
    }
    let facts: Vec<_> = card
        .facts
        .iter()
        .map(|fact| json!({"title": fact.label, "value": fit(&without_mentions(&fact.value), MAX_VALUE, markdown)}))
        .collect();
    body.push(json!({"type": "FactSet", "facts": facts}));
    body.extend(card.items.iter().take(shown).map(item));
    if card.total > shown {
        body.push(runs(&[run(&language.more(card.total - shown), MAX_TITLE)]));
    }
    if let Some(note) = card.note {
        body.push(json!({"type": "TextBlock", "text": note, "wrap": true}));
    }
    body.push(json!({
        "type": "TextBlock", "text": fit(&card.footer, MAX_VALUE, markdown), "size": "Small", "isSubtle": true,
        "wrap": true, "separator": true,
    }));
    body
}

fn item(item: &Item) -> Value {
    let mut reference = run(&item.reference, MAX_VALUE);
    reference["weight"] = "Bolder".into();
    reference["selectAction"] = json!({"type": "Action.OpenUrl", "url": item.url});
    let mut parts = vec![reference, run(&format!(" {}", item.title), MAX_ITEM_TITLE)];
    if !item.detail.is_empty() {
        let mut detail = run(&format!(" ({})", item.detail), MAX_ITEM_TITLE);
        detail["isSubtle"] = true.into();
        parts.push(detail);
    }
    let mut line = runs(&parts);
    line["id"] = item.event.as_str().into();
    line
}

fn runs(inlines: &[Value]) -> Value {
    json!({"type": "RichTextBlock", "inlines": inlines})
}

fn run(text: &str, max: usize) -> Value {
    json!({"type": "TextRun", "text": fit(&without_mentions(text), max, verbatim)})
}

fn colour(tone: Tone) -> &'static str {
    match tone {
        Tone::Critical => "Attention",
        Tone::Warning | Tone::Notice => "Warning",
        Tone::Good => "Good",
        Tone::Running | Tone::Neutral | Tone::Muted => "Default",
    }
}
