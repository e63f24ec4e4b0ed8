//! The title of any record of the catalogue, for texts that name it by its id.

use crate::{Catalogue, language::Text};
use domain::wording::Language;

impl Catalogue {
    /// A requirement with its number, any other record by its title; `None` if the catalogue has no such record.
    pub fn title_of(&self, id: &str, language: Language) -> Option<String> {
        if let Some(requirement) = self.requirements.get(id) {
            return Some(format!("{} {}", requirement.number, requirement.title.get(language)));
        }
        self.plain_title(id).map(|title| title.get(language).to_owned())
    }

    fn plain_title(&self, id: &str) -> Option<&Text> {
        let title = self.measures.get(id).map(|record| &record.title);
        let title = title.or_else(|| self.evidence.get(id).map(|record| &record.title));
        let title = title.or_else(|| self.risks.get(id).map(|record| &record.title));
        let title = title.or_else(|| self.drills.get(id).map(|record| &record.title));
        let title = title.or_else(|| self.gaps.get(id).map(|record| &record.title));
        let title = title.or_else(|| self.milestones.get(id).map(|record| &record.title));
        let title = title.or_else(|| self.trainings.get(id).map(|record| &record.title));
        let title = title.or_else(|| self.signals.get(id).map(|record| &record.title));
        title.or_else(|| self.crosswalks.get(id).map(|record| &record.title))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_every_kind_are_named_in_both_languages() {
        let catalogue = Catalogue::embedded().unwrap();
        let english = |id: &str| catalogue.title_of(id, Language::English);
        assert!(english("dora-art-05-02").is_some_and(|title| title.starts_with("Art. 5")), "a requirement");
        for risk in catalogue.risks.iter().take(3) {
            assert_eq!(english(&risk.id).as_deref(), Some(&*risk.title.en));
            let german = catalogue.title_of(&risk.id, Language::German);
            assert_eq!(german.as_deref(), Some(&*risk.title.de));
        }
        assert_eq!(english("no-such-record"), None);
    }
}
