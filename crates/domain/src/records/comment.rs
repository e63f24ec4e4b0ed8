//! Comments on records: what their author may write, how long they can change it, and what has become of them.

use crate::{
    change::{Change, Fields},
    identifier::{Id, Identified, UserId},
    moment::Moment,
    text::{Prose, TextError},
    violation::Violations,
    vocabulary::vocabulary,
    wording::sentences,
};

vocabulary! {
    /// What has become of a comment.
    CommentState {
        Open = "open" ("Open", "Offen"),
        Resolved = "resolved" ("Resolved", "Erledigt"),
        /// Its text is only shown to those who read the audit log.
        Withdrawn = "withdrawn" ("Withdrawn", "Zurückgezogen"),
    }
}

sentences! {
    /// Why a comment or a watch was refused.
    CommentComplaint {
        NoSuchPerson { id: String } =
            "must be people with an open account of your institution: {id} is none",
            "müssen Personen mit offenem Konto in Ihrem Institut sein: {id} ist keine";
        TooLate { minutes: i64 } =
            "a comment can be changed for {minutes} minutes: write another one, and withdraw this one if it is wrong",
            "Ein Kommentar lässt sich {minutes} Minuten lang ändern: bitte einen neuen schreiben und diesen zurückziehen, wenn er falsch ist";
        Withdrawn =
            "the comment was withdrawn: write another one",
            "Der Kommentar wurde zurückgezogen: bitte einen neuen schreiben";
        KeyWithoutPerson =
            "stands for no person, and only people watch records: use a key that was created in the workspace",
            "steht für keine Person, und nur Personen beobachten Einträge: bitte einen Schlüssel verwenden, der in der Oberfläche angelegt wurde";
    }
}

/// What a comment says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub text: Prose,
    /// The people it mentions, each once.
    pub mentions: Vec<UserId>,
}

pub type CommentId = Id<Comment>;

impl Identified for Comment {
    const PREFIX: &'static str = "cmt";
}

impl Comment {
    /// The maximum length of its text.
    pub const LONGEST: usize = 4_000;
    /// How long its author can change or delete it.
    pub const MINUTES: i64 = 15;

    /// Whether a comment of that moment can still be changed or deleted.
    pub fn can_be_changed(created_at: Moment, now: Moment) -> bool {
        now < created_at.plus_millis(Self::MINUTES * 60 * 1000)
    }
}

/// A comment's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommentInput {
    pub text: Change<String>,
    pub mentions: Change<Vec<String>>,
}

impl CommentInput {
    pub fn create(&self) -> Result<Comment, Violations> {
        self.read(None)
    }

    /// The comment after this change.
    pub fn change(&self, current: &Comment) -> Result<Comment, Violations> {
        self.read(Some(current))
    }

    fn read(&self, current: Option<&Comment>) -> Result<Comment, Violations> {
        let mut fields = Fields::default();
        let text = fields.required("text", &self.text, current.map(|c| c.text.clone()), |text| prose(text));
        let named = fields.list("mentions", &self.mentions, current.map(|c| c.mentions.clone()), |text| {
            let unknown = || CommentComplaint::NoSuchPerson { id: text.chars().take(80).collect() };
            text.parse::<UserId>().map_err(|_| unknown())
        });
        let mut mentions = Vec::with_capacity(named.len());
        for person in named {
            if !mentions.contains(&person) {
                mentions.push(person);
            }
        }
        fields.finish(text.map(|text| Comment { text, mentions }))
    }
}

fn prose(text: &str) -> Result<Prose, TextError> {
    if text.chars().count() > Comment::LONGEST {
        return Err(TextError::TooLong(Comment::LONGEST));
    }
    Prose::parse(text)
}

/// The people whom a text mentions by `@` and their full name. A name that several people have mentions none of them.
pub fn mentioned_in(text: &str, people: &[(UserId, &str)]) -> Vec<UserId> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let rest = &text[at + 1..];
        let is_here = |name: &str| {
            let after = rest.strip_prefix(name).filter(|_| !name.is_empty());
            after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
        };
        let here: Vec<_> = people.iter().filter(|(_, name)| is_here(name)).collect();
        // The name of one person can begin with that of another.
        let longest = here.iter().map(|(_, name)| name.len()).max();
        let meant: Vec<_> = here.iter().filter(|(_, name)| Some(name.len()) == longest).collect();
        if let [(person, _)] = meant[..]
            && !found.contains(person)
        {
            found.push(*person);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{identifier::Uuid7, vocabulary::tests::is_sound};

    fn person(number: u128) -> UserId {
        UserId::from(Uuid7::from_parts(1, number))
    }

    fn input(text: &str, mentions: &[String]) -> CommentInput {
        CommentInput { text: Change::Set(text.to_owned()), mentions: Change::Set(mentions.to_vec()) }
    }

    #[test]
    fn states_are_sound() {
        is_sound::<CommentState>();
    }

    #[test]
    fn a_text_has_one_to_four_thousand_letters() {
        assert!(input(&"ß".repeat(4000), &[]).create().is_ok());
        let refused = input(&"ß".repeat(4001), &[]).create().unwrap_err().to_string();
        assert_eq!(refused, "text must be at most 4000 characters long");
        assert_eq!(input(" \n", &[]).create().unwrap_err().to_string(), "text must not be empty");
        assert_eq!(CommentInput::default().create().unwrap_err().to_string(), "text is required");
    }

    #[test]
    fn a_person_is_mentioned_once_and_what_is_no_person_is_named() {
        let anna = person(1).to_string();
        let comment = input("Look", &[anna.clone(), anna]).create().unwrap();
        assert_eq!(comment.mentions, [person(1)]);
        let refused = input("Look", &["Anna".to_owned()]).create().unwrap_err().to_string();
        assert!(refused.contains("Anna is none"), "{refused}");
    }

    #[test]
    fn it_can_be_changed_for_a_quarter_of_an_hour() {
        let then = Moment::from_millis(0);
        assert!(Comment::can_be_changed(then, Moment::from_millis(15 * 60_000 - 1)));
        assert!(!Comment::can_be_changed(then, Moment::from_millis(15 * 60_000)));
    }

    #[test]
    fn names_after_an_at_sign_mention_exactly_one_person() {
        let people = [
            (person(1), "Anna Weber"),
            (person(2), "Anna Weber-Klein"),
            (person(3), "Ben"),
            (person(4), "Ben"),
        ];
        let found = |text| mentioned_in(text, &people);
        assert_eq!(found("@Anna Weber, please look. @Anna Weber"), [person(1)]);
        assert_eq!(found("@Anna Weber-Klein?"), [person(2)]);
        assert_eq!(found("@Anna Webers, Anna Weber, anna@Weber"), []);
        assert_eq!(found("@Ben"), [], "two people have the name");
    }
}
