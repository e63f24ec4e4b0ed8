//! Documents like those of the service, with invented records: for the tests, and for viewing.

use tidewall_reports::document::{
    Align, Badge, BarChart, Cell, Column, Document, Language, Section, Table, Tone,
};

const SEVERITIES: [(&str, &str, Tone); 5] = [
    ("critical", "kritisch", Tone::Critical),
    ("high", "hoch", Tone::Warning),
    ("medium", "mittel", Tone::Notice),
    ("low", "niedrig", Tone::Neutral),
    ("info", "Hinweis", Tone::Neutral),
];

const TITLES: [(&str, &str); 4] = [
    (
        "Restores of the core banking backup are not exercised",
        "Rücksicherung des Kernbanksystems wird nicht geübt",
    ),
    (
        "Administrator accounts of the payment gateway are shared",
        "Administratorkonten des Zahlungsgateways werden geteilt",
    ),
    (
        "Exit plan for the cloud provider lacks a tested alternative",
        "Ausstiegsplan für den Cloud-Anbieter nennt keine geprüfte Alternative",
    ),
    (
        "Certificates of the trading interface expire unnoticed",
        "Zertifikate der Handelsschnittstelle laufen unbemerkt ab",
    ),
];

const DESCRIPTION: (&str, &str) = (
    "The test team restored the nightly backup into an isolated environment and found that the transaction log of \
     the last four hours could not be applied: the key for the log volume is kept on the same host as the data. \
     Recovery to the agreed point is therefore not possible if that host is lost.\n\nThe business continuity plan \
     assumes a recovery point of fifteen minutes. Until the key is kept apart, the real figure is four hours.",
    "Das Testteam hat die nächtliche Sicherung in eine getrennte Umgebung eingespielt und festgestellt, dass sich das \
     Transaktionsprotokoll der letzten vier Stunden nicht anwenden lässt: Der Schlüssel des Protokolldatenträgers \
     liegt auf demselben Rechner wie die Daten. Fällt dieser Rechner aus, ist der vereinbarte Stand nicht \
     wiederherstellbar.\n\nDer Notfallplan geht von höchstens fünfzehn Minuten Datenverlust aus. Solange der Schlüssel \
     nicht getrennt aufbewahrt wird, sind es vier Stunden.",
);

fn pick<'a>(language: Language, (en, de): (&'a str, &'a str)) -> &'a str {
    match language {
        Language::English => en,
        Language::German => de,
    }
}

/// A list of findings: overview chart and table, then every finding with its facts and text.
pub(crate) fn findings(language: Language, count: usize) -> Document {
    let say = |en, de| pick(language, (en, de));
    let mut chart = BarChart::new(say("Open findings by severity", "Offene Feststellungen nach Schwere"));
    for (index, &(en, de, tone)) in SEVERITIES.iter().enumerate() {
        let share = (count + SEVERITIES.len() - 1 - index) / SEVERITIES.len();
        chart = chart.bar(
            say(en, de),
            f64::from(u32::try_from(share).unwrap_or(u32::MAX)),
            share.to_string(),
            tone,
        );
    }
    let mut overview = Table::new([
        Column::points(say("Reference", "Kennung"), 62).row_header(),
        Column::share(say("Title", "Titel"), 3),
        Column::points(say("Severity", "Schwere"), 58),
        Column::points(say("Status", "Status"), 66),
        Column::points(say("Due on", "Fällig am"), 54).align(Align::End),
    ])
    .caption(say("All findings of this report", "Alle Feststellungen dieses Berichts"));
    let mut details = Section::new(say("Findings", "Feststellungen"));
    for index in 0..count {
        let (en, de, tone) = SEVERITIES[index % SEVERITIES.len()];
        let reference = format!("F-2026-{:04}", index + 1);
        let title = pick(language, TITLES[index % TITLES.len()]);
        let due = format!("2026-12-{:02}", index % 28 + 1);
        let status = [say("open", "offen"), say("in progress", "in Bearbeitung")][index % 2];
        overview = overview.row([
            Cell::from(reference.as_str()),
            Cell::from(title),
            Cell::badge(tone, say(en, de)),
            Cell::from(status),
            Cell::from(due.as_str()),
        ]);
        details = details
            .heading(format!("{reference} {title}"))
            .badges([Badge::new(tone, say(en, de)), Badge::new(Tone::Notice, status)])
            .key_values([
                (say("Owner", "Verantwortlich"), "Payments operations"),
                (
                    say("Affected asset", "Betroffen"),
                    "core-db-02.prod.hanse.example, log volume /var/lib/ledger",
                ),
                (say("Measures", "Maßnahmen"), "dora-art-12-02, iso-27001-a-8-13"),
                (say("Due on", "Fällig am"), due.as_str()),
            ])
            .subheading(say("Description", "Beschreibung"))
            .paragraph(pick(language, DESCRIPTION))
            .subheading(say("Remediation", "Behebung"))
            .paragraph(say(
                "Keep the key in the vault of the second site and restore once a quarter.",
                "Schlüssel im Tresor des zweiten Standorts aufbewahren und vierteljährlich zurücksichern.",
            ));
    }
    Document::new(language, say("Open findings", "Offene Feststellungen"))
        .subtitle(say(
            "Digital operational resilience testing 2026",
            "Tests der digitalen Betriebsstabilität 2026",
        ))
        .organisation("Hanse Bank AG")
        .generated_at(say("14 November 2026, 09:30 UTC", "14.11.2026, 09:30 UTC"))
        .filter(say("status: open, severity: all", "Status: offen, Schwere: alle"))
        .fact(say("Records", "Datensätze"), count.to_string())
        .section(
            Section::new(say("Overview", "Überblick"))
                .lead(say(
                    "Every finding that has not been closed, the most severe first.",
                    "Alle Feststellungen, die nicht geschlossen sind, die schwersten zuerst.",
                ))
                .chart(chart)
                .table(overview),
        )
        .section(details)
}

/// The concentration report: a chart with a threshold and the table behind it, for each dimension.
pub(crate) fn concentration(language: Language) -> Document {
    let say = |en, de| pick(language, (en, de));
    let entries = [
        ("Nordwolke Infrastruktur GmbH", 43.21, "43.21 %", 4),
        ("Kontor Zahlungsdienste SE", 24.5, "24.50 %", 3),
        ("Deichwacht Managed Security Services Deutschland GmbH & Co. KG", 17.04, "17.04 %", 6),
        ("Elbdaten AG", 10.0, "10.00 %", 2),
        ("Others", 5.25, "5.25 %", 5),
    ];
    let mut document = Document::new(language, say("Concentration risk", "Konzentrationsrisiko"))
        .subtitle(say(
            "ICT third-party arrangements by annual cost",
            "IKT-Drittbezüge nach jährlichen Kosten",
        ))
        .organisation("Hanse Bank AG")
        .generated_at(say("14 November 2026, 09:30 UTC", "14.11.2026, 09:30 UTC"))
        .filter(say("scope: all, as of 2026-11-14", "Umfang: alle, Stand 14.11.2026"));
    for (name, limit) in [
        (say("Providers", "Anbieter"), 25.0),
        (say("Regions", "Regionen"), 50.0),
        (say("Technologies", "Technologien"), 33.0),
    ] {
        let threshold = say("threshold", "Schwelle");
        let mut chart =
            BarChart::new(name).full_scale(100.0).threshold(format!("{threshold} {limit} %"), limit);
        let mut table = Table::new([
            Column::share(say("Name", "Name"), 3).row_header(),
            Column::share(say("Arrangements", "Verträge"), 1).align(Align::End),
            Column::share(say("Share", "Anteil"), 1).align(Align::End),
            Column::share(say("Result", "Ergebnis"), 1),
        ]);
        for (entry, share, display, arrangements) in entries {
            let breach = share > limit;
            chart = chart.bar(entry, share, display, if breach { Tone::Critical } else { Tone::Neutral });
            table = table.row([
                Cell::from(entry),
                Cell::from(arrangements.to_string()),
                Cell::from(display),
                if breach {
                    Cell::badge(Tone::Critical, say("above", "darüber"))
                } else {
                    Cell::badge(Tone::Good, say("within", "im Rahmen"))
                },
            ]);
        }
        document = document.section(
            Section::new(name)
                .key_values([("HHI", "2 873"), (say("Level", "Stufe"), say("high", "hoch"))])
                .chart(chart)
                .table(table)
                .note(say(
                    "A share breaches when it is strictly above its threshold.",
                    "Ein Anteil verletzt die Schwelle, wenn er echt darüber liegt.",
                )),
        );
    }
    document
}

/// Rare content of real records: very long cells, foreign scripts, empty values.
pub(crate) fn oddities() -> Document {
    let endless = "A log excerpt that nobody shortened. ".repeat(120);
    let columns =
        || [Column::points("Key", 70).row_header(), Column::share("Value", 3), Column::share("Owner", 1)];
    let table = Table::new(columns())
        .caption("Cells that go on over the page")
        .row(["short", "One line.", "Operations"])
        .row(["endless", &endless, "Somebody with a very long name in a narrow column"])
        .row(["link", "https://intranet.hanse.example/wiki/very/long/path/without/any/space/at/all?query=none&more=nothing", "x"])
        .row(["scripts", "漢字 שלום مرحبا 🚀 Ελληνικά Кириллица", "Łukasz Żółć"])
        .row(["empty", "", ""]);
    let tones = [Tone::Neutral, Tone::Notice, Tone::Good, Tone::Warning, Tone::Critical];
    Document::new(Language::English, "A report with an uncommonly long title that needs more than one line on its cover")
        .subtitle("And a subtitle that explains at some length what the reader will find on the pages behind it")
        .organisation("Sparkasse Nordfriesische Inseln und Halligen")
        .generated_at("14 November 2026, 09:30 UTC")
        .filter("status: open, in_progress, resolved; severity: critical, high; programme: prg_01; search: \u{201c}backup\u{201d}")
        .fact("Classification", "Confidential")
        .section(
            Section::new("All tones")
                .badges(tones.map(|tone| Badge::new(tone, format!("{tone:?}"))))
                .lead("A lead paragraph says in one or two sentences what the section is about, before the detail begins.")
                .paragraph("Running text follows.\nIt may hold line breaks of its own.\n\nAnd paragraphs.")
                .note("A note in small print."),
        )
        .section(Section::new("Tables").table(table).table(Table::new(columns()).caption("A table without rows")))
        .section(tones.iter().zip([0.0, 12.0, 30.0, 61.0, 100.0]).fold(
            Section::new("Chart without a threshold"),
            |section, (tone, value)| section.chart(BarChart::new(format!("{tone:?}")).full_scale(100.0).bar("Bar", value, format!("{value} %"), *tone)),
        ))
}
