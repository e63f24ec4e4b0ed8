use super::*;

#[test]
fn the_tables_of_the_release_are_whole() {
    let release = Release::parse(&RELEASE_4_0).unwrap();
    let sizes: Vec<_> = release.columns.iter().map(Vec::len).collect();
    assert_eq!(sizes, [6, 11, 4, 5, 18, 3, 3, 3, 3, 4, 12, 7, 10, 12, 19]);
    let columns = || release.columns.iter().flatten();
    assert_eq!(columns().filter(|column| column.key).count(), 35);
    assert_eq!(columns().filter(|column| column.cell == CellType::Link).count(), 3);
    let lists: HashSet<_> = columns().filter_map(|column| column.list().map(|list| list.name)).collect();
    assert_eq!(lists.len(), 21);
    assert_eq!(release.references.len(), 22);
    let (identifiers, business): (Vec<_>, Vec<_>) =
        release.rules.iter().partition(|rule| rule.kind.is_identifier());
    assert_eq!((business.len(), identifiers.len()), (49, 6));
    assert!(release.package.report.contains(&release.package.entry_point));
}

#[test]
fn everything_has_a_title_in_both_languages() {
    let release = Release::current();
    assert_eq!(release.titles.len(), 15);
    let titles = release.titles.iter().copied();
    for title in titles.chain(release.columns.iter().flatten().map(|column| column.title)) {
        assert!(!title.en.is_empty() && !title.de.is_empty(), "{title:?}");
    }
}

#[test]
fn only_functions_were_published_under_other_numbers() {
    for template in Template::ALL {
        for column in template.columns() {
            let shifted = template == Template::Functions && column.number >= 50;
            assert_eq!(column.first_published_as, column.number + if shifted { 10 } else { 0 });
        }
    }
}

#[test]
fn a_table_that_does_not_fit_is_named() {
    let wrong = |tables: Tables| Release::parse(&tables).unwrap_err().to_string();
    let unknown =
        Tables { rules: "rule,template,column,kind,given\nv1,B_01.01,c0999,lei_form,\n", ..RELEASE_4_0 };
    assert_eq!(wrong(unknown), "rules.csv: row 1: \"c0999\"");
    let no_list = Tables { lists: "list,code,label\n", ..RELEASE_4_0 };
    assert_eq!(wrong(no_list), "columns.csv: row 3: \"countries\"");
}
