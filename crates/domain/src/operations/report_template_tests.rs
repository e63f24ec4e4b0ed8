use super::*;

const PERSON: &str = "usr_01k9x14js0e00000000000000a";

fn now() -> Moment {
    "2026-11-18T12:00:00Z".parse().unwrap()
}

fn schedule(cron: &str) -> ScheduleInput {
    ScheduleInput {
        cron: cron.into(),
        covers: "quarter".into(),
        kind: "board".into(),
        framework: None,
        language: "de".into(),
        people: vec![PERSON.into(), PERSON.into()],
    }
}

fn input() -> ReportTemplateInput {
    ReportTemplateInput {
        name: Change::Set("Quarter".into()),
        classification: Change::Set("Confidential".into()),
        parts: Change::Set(vec!["risks".into(), "decisions".into(), "risks".into()]),
        paragraphs: Change::Set(vec![ParagraphInput {
            before: Some("risks".into()),
            title: "Outlook".into(),
            text: "All is well".into(),
        }]),
        signatories: Change::Set(vec![SignatoryInput { name: "Ada".into(), function: "CISO".into() }]),
        schedule: Change::Set(schedule("0 7 5 1,4,7,10 *")),
    }
}

fn created(input: &ReportTemplateInput) -> Result<ReportTemplate, Violations> {
    input.create(now(), &TimeZone::utc())
}

#[test]
fn what_is_stored_is_read_again() {
    let template = created(&input()).unwrap();
    let stored = serde_json::to_string(&template.content).unwrap();
    assert_eq!(serde_json::from_str::<TemplateContent>(&stored).unwrap(), template.content);
    assert_eq!(template.content.schedule.as_ref().unwrap().people.len(), 1);
    assert_eq!(template.parts_of(ReportKind::Board), [ReportPart::Risks, ReportPart::Decisions]);
    assert_eq!(
        template.parts_of(ReportKind::Incidents),
        [ReportPart::Incidents],
        "none of its parts is chosen"
    );
}

#[test]
fn a_change_keeps_what_it_does_not_name() {
    let template = created(&input()).unwrap();
    let renamed = ReportTemplateInput { name: Change::Set("Year".into()), ..ReportTemplateInput::default() };
    let after = renamed.change(&template, now(), &TimeZone::utc()).unwrap();
    assert_eq!((after.name.as_str(), &after.content), ("Year", &template.content));
    let cleared = ReportTemplateInput { schedule: Change::Clear, ..ReportTemplateInput::default() };
    let after = cleared.change(&template, now(), &TimeZone::utc()).unwrap();
    assert_eq!(after.content.schedule, None);
}

#[test]
fn odd_input_is_refused_by_its_field() {
    let refused = |input: ReportTemplateInput, field: &str| {
        let violations = created(&input).unwrap_err();
        assert!(violations.fields().contains_key(field), "{field}: {violations:?}");
    };
    for cron in ["* * * * *", "0 * * * *", "0 7,9 * * *", "yearly", "0 7 30 2 *", ""] {
        refused(ReportTemplateInput { schedule: Change::Set(schedule(cron)), ..input() }, "schedule.cron");
    }
    let with = |change: fn(&mut ScheduleInput)| {
        let mut schedule = schedule("0 7 * * *");
        change(&mut schedule);
        ReportTemplateInput { schedule: Change::Set(schedule), ..input() }
    };
    assert!(created(&with(|_| ())).is_ok(), "daily is not too often");
    refused(with(|schedule| schedule.people = vec!["someone".into()]), "schedule.people");
    refused(with(|schedule| schedule.kind = "framework".into()), "schedule.framework");
    refused(with(|schedule| schedule.framework = Some("dora".into())), "schedule.framework");
    refused(with(|schedule| schedule.covers = "decade".into()), "schedule.covers");
    refused(with(|schedule| schedule.language = "fr".into()), "schedule.language");
    refused(ReportTemplateInput { name: Change::Keep, ..input() }, "name");
    refused(ReportTemplateInput { parts: Change::Set(vec!["weather".into()]), ..input() }, "parts");
    let many = vec![SignatoryInput { name: "A".into(), function: "B".into() }; 7];
    refused(ReportTemplateInput { signatories: Change::Set(many), ..input() }, "signatories");
    let long = ParagraphInput { before: None, title: "T".into(), text: "x".repeat(4_001) };
    refused(ReportTemplateInput { paragraphs: Change::Set(vec![long]), ..input() }, "paragraphs");
}
