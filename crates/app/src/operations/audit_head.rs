//! The heads of the audit chains leave the machine by themselves, because only a head kept elsewhere shows that the end
//! of a chain was cut off.
//!
//! After every nightly check and every backup each head is a security event, which is a line of the log and is
//! forwarded with the others. A mail a day, and one with every scheduled backup, takes all of them to a receiver of the
//! operator's choice. The heads of the last check are also kept in the data directory, which access to the database
//! alone does not reach.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use domain::{
    audit::Head,
    user::Email,
    wording::{Label, Language},
};
use outbound::message::{self, MailText};
use serde_json::{Value, json};
use store::{Tx, audit as rows};

use crate::{
    Operations, Result,
    audit::head_text,
    security::{AuditHead, SecurityEvent, What},
};

/// The file in the data directory.
const FILE: &str = "audit-heads.json";
/// A mail names no more heads than this; the log has all.
const MOST_LINES: usize = 1000;
/// After a week the heads of a day are of little use.
const OF_USE_MS: i64 = 7 * 24 * 60 * 60 * 1000;

const SUBJECT: Label = Label::new("Heads of the audit log", "Köpfe des Prüfprotokolls");
const BACKUP_SUBJECT: Label =
    Label::new("Heads of the audit log in a backup", "Köpfe des Prüfprotokolls in einer Sicherung");
const BROKEN_SUBJECT: Label = Label::new("The audit log is broken", "Das Prüfprotokoll ist gebrochen");
const GREETING: Label = Label::new("Hello,", "Guten Tag,");
const TEXT: Label = Label::new(
    "these are the heads of the audit chains: chain, number of the last entry, hash. Keep this mail. Its text, saved as \
     a file, shows later whether a chain was cut off or rewritten: tidewall audit verify --heads FILE",
    "dies sind die Köpfe der Prüfprotokolle: Kette, Nummer des letzten Eintrags, Prüfwert. Bitte bewahren Sie diese E-Mail \
     auf. Ihr Text, als Datei gespeichert, zeigt später, ob eine Kette abgeschnitten oder neu geschrieben wurde: \
     tidewall audit verify --heads DATEI",
);
const OF_BACKUP: Label = Label::new(
    "A backup was taken. It ends in the heads below.",
    "Eine Sicherung wurde erstellt. Sie endet mit den folgenden Köpfen.",
);
const FAULTS: Label = Label::new("The check found faults:", "Die Prüfung hat Fehler gefunden:");
const MORE: Label =
    Label::new("Further chains, in the log only: {count}", "Weitere Ketten, nur im Log: {count}");
const CLOSING: Label = Label::new(
    "You get this mail because audit.heads_to names your address.",
    "Sie erhalten diese E-Mail, weil Ihre Adresse in audit.heads_to steht.",
);

/// What the operator decides about heads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditRules {
    /// Who gets a mail with the heads of all chains, once a day and with every scheduled backup.
    pub heads_to: Option<Email>,
}

/// Heads by their chains.
pub type Heads = BTreeMap<String, Head>;

/// Why heads are made known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// Every chain was checked to its head.
    Check,
    /// A backup was read back that ends in these heads.
    Backup,
}

impl Operations {
    /// Makes known and mails the heads in which a backup ends.
    pub async fn announce_backup(&self, heads: &Heads) -> Result<()> {
        self.make_heads_known(heads, Occasion::Backup);
        self.mail_heads(heads, &[], Occasion::Backup).await?;
        Ok(())
    }

    /// Writes each head as a security event, and keeps those of a check on this machine.
    pub(crate) fn make_heads_known(&self, heads: &Heads, occasion: Occasion) {
        let reason = match occasion {
            Occasion::Check => "daily",
            Occasion::Backup => "backup",
        };
        for (chain, head) in heads {
            let event = SecurityEvent::allowed(What::AuditHead).because(reason);
            let event = SecurityEvent { tenant: chain.parse().ok(), ..event };
            let head = AuditHead { chain: chain.clone(), seq: head.seq, hash: head_text(head) };
            self.note(event.with_head(head));
        }
        if occasion == Occasion::Check
            && let Err(error) = self.keep_heads(heads)
        {
            tracing::warn!(%error, "the heads of the audit log could not be kept in the data directory");
        }
    }

    /// Mails the heads, and what is wrong. Those of a check are mailed once a day, whichever node checks.
    pub(crate) async fn mail_heads(
        &self,
        heads: &Heads,
        wrong: &[String],
        occasion: Occasion,
    ) -> Result<bool> {
        let Some(to) = self.audit.heads_to.clone().filter(|_| self.sends_mail()) else { return Ok(false) };
        let (this, now) = (self.clone(), self.clock.now());
        let text = drawn(heads, wrong, occasion, &self.senders.public_url, Language::default());
        let mail = move |tx: &mut Tx<'_>| {
            let first = occasion == Occasion::Backup || rows::note_mailed(tx, &now.day().to_string())?;
            if first {
                this.messages.queue_operator_mail(tx, &to, text.clone(), now, now.plus_millis(OF_USE_MS))?;
            }
            Ok::<_, crate::Error>(first)
        };
        let mailed = self.db.platform().bookkeep(mail).await?;
        if mailed {
            self.messages.post_user_mail();
        }
        Ok(mailed)
    }

    fn heads_file(&self) -> PathBuf {
        self.health.around.data_dir.join(FILE)
    }

    /// A chain that is not among them, because it is broken, keeps the head it had.
    fn keep_heads(&self, heads: &Heads) -> io::Result<()> {
        let mut kept = self.kept_heads().unwrap_or_default();
        kept.extend(heads.iter().map(|(chain, head)| (chain.clone(), *head)));
        let heads: BTreeMap<&String, Value> = kept
            .iter()
            .map(|(chain, head)| (chain, json!({ "seq": head.seq, "hash": head_text(head) })))
            .collect();
        let text = json!({ "epoch": self.epoch, "heads": heads }).to_string();
        let (path, draft) = (self.heads_file(), self.heads_file().with_extension("json.new"));
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&draft)?.write_all(text.as_bytes())?;
        fs::rename(draft, path)
    }

    /// The heads this machine kept at its last check of the store in its present life.
    pub(crate) fn kept_heads(&self) -> Option<Heads> {
        kept_heads(&self.health.around.data_dir, &self.epoch)
    }
}

/// The heads kept in a data directory; nothing if there are none, or those are of the store before it was restored.
pub fn kept_heads(data_dir: &Path, epoch: &str) -> Option<Heads> {
    let text = fs::read_to_string(data_dir.join(FILE)).ok()?;
    let kept: Value = serde_json::from_str(&text).ok()?;
    let head = |(chain, head): (&String, &Value)| {
        let hash = store::sql::hash_from_hex(head["hash"].as_str()?).ok()?;
        Some((chain.clone(), Head { seq: head["seq"].as_i64()?, hash }))
    };
    (kept["epoch"] == epoch).then(|| kept["heads"].as_object()?.iter().map(head).collect()).flatten()
}

/// Whether a data directory holds heads at all.
pub fn has_kept_heads(data_dir: &Path) -> bool {
    data_dir.join(FILE).exists()
}

fn drawn(
    heads: &Heads,
    wrong: &[String],
    occasion: Occasion,
    public_url: &str,
    language: Language,
) -> MailText {
    let mut lines = Vec::new();
    if !wrong.is_empty() {
        lines.push(FAULTS.text(language).to_owned());
        lines.extend(wrong.iter().take(MOST_LINES).cloned());
        lines.push(String::new());
    }
    if occasion == Occasion::Backup {
        lines.push(OF_BACKUP.text(language).to_owned());
        lines.push(String::new());
    }
    lines.push(TEXT.text(language).to_owned());
    lines.push(String::new());
    let written = |(chain, head): (&String, &Head)| format!("{chain} {} {}", head.seq, head_text(head));
    lines.extend(heads.iter().take(MOST_LINES).map(written));
    if heads.len() > MOST_LINES {
        lines.push(MORE.text(language).replace("{count}", &(heads.len() - MOST_LINES).to_string()));
    }
    let subject = match occasion {
        _ if !wrong.is_empty() => BROKEN_SUBJECT,
        Occasion::Check => SUBJECT,
        Occasion::Backup => BACKUP_SUBJECT,
    };
    let mail = message::PersonalMail {
        subject: subject.text(language),
        greeting: GREETING.text(language),
        body: &lines.join("\n"),
        url: public_url,
        closing: CLOSING.text(language),
    };
    let text = mail.draw(language);
    MailText { html: text.html.replace('\n', "<br>"), ..text }
}
