//! The JSON reader and its guard on malicious files.

use std::io::Cursor;

use serde::Deserialize;

use super::*;

/// Counts the results, and halts at one of them.
#[derive(Default)]
struct Counting {
    seen: Vec<(usize, &'static str, u32)>,
    halt_at: Option<u32>,
}

impl Results for Counting {
    const EXPECTED: &'static str = "a test report";
    const GROUPS: &'static str = "groups";
    const LEAVES: &'static [&'static str] = &["a", "b"];

    fn result<'de, D: Deserializer<'de>>(
        &mut self,
        group: usize,
        leaf: &'static str,
        result: D,
    ) -> Result<bool, D::Error> {
        let number = u32::deserialize(result)?;
        self.seen.push((group, leaf, number));
        Ok(self.halt_at != Some(number))
    }
}

fn visited(text: &str) -> Result<Vec<(usize, &'static str, u32)>, ImportError> {
    let mut counting = Counting::default();
    visit_results(&mut Cursor::new(text), &mut counting).map(|()| counting.seen)
}

#[test]
fn visits_every_result_wherever_it_stands() {
    let text =
        r#"{"x": [[{}]], "groups": [{"b": [1], "name": "one", "a": [2, 3]}, {}, {"a": null, "b": [4]}]}"#;
    assert_eq!(visited(text).unwrap(), [(0, "b", 1), (0, "a", 2), (0, "a", 3), (2, "b", 4)]);
    assert_eq!(visited(r#"{"groups": null}"#).unwrap(), []);
    assert_eq!(visited("{}").unwrap(), []);
}

#[test]
fn a_halt_ends_the_walk_without_an_error() {
    let mut counting = Counting { halt_at: Some(2), ..Counting::default() };
    visit_results(&mut Cursor::new(r#"{"groups": [{"a": [1, 2, 3]}, nonsense"#), &mut counting).unwrap();
    assert_eq!(counting.seen.len(), 2);
}

#[test]
fn errors_say_what_is_wrong() {
    let text = |json: &str| visited(json).unwrap_err().to_string();
    assert!(
        text("{\"groups\": [").starts_with("the file is not valid JSON: EOF"),
        "{}",
        text("{\"groups\": [")
    );
    assert!(text("[]").starts_with("the file is JSON but not a test report: invalid type"), "{}", text("[]"));
    assert!(text("{} {}").contains("trailing"), "{}", text("{} {}"));
    assert!(text(r#"{"groups": [{"a": ["x"]}]}"#).contains("line 1 column"));
    assert!(text("").starts_with("the file is not valid JSON"));
}

#[test]
fn depth_is_refused_wherever_it_hides() {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    for text in [
        deep(10_000),
        format!("{{\"groups\": {}}}", deep(10_000)),
        format!("{{\"groups\": [{{\"a\": {}}}]}}", deep(10_000)),
        format!("{{\"skipped\": {}}}", deep(10_000)),
        "[".repeat(5_000_000),
        "{\"a\":".repeat(1_000_000),
    ] {
        assert!(matches!(visited(&text), Err(ImportError::TooDeep)), "{}", &text[..30]);
    }
    assert!(visited(&format!("{{\"skipped\": {}}}", deep(99))).is_ok());
    assert!(matches!(visited(&format!("{{\"skipped\": {}}}", deep(100))), Err(ImportError::TooDeep)));
}

#[test]
fn brackets_in_texts_are_not_depth() {
    let text = format!(r#"{{"skipped": "{} \" {} \\"}}"#, "[".repeat(500), "{".repeat(500));
    assert!(visited(&text).is_ok());
}

#[test]
fn a_giant_text_is_refused() {
    let read = |so_far: u64, rest: &str| {
        let mut guard = Guard { text: Some(so_far), ..Guard::new(rest.as_bytes()) };
        guard.read(&mut [0; 10])
    };
    assert_eq!(read(MAX_TEXT - 2, "xy\"").unwrap(), 3);
    let error = read(MAX_TEXT - 2, "xyz\"").unwrap_err();
    assert!(matches!(ImportError::from_io(error), ImportError::LongText));
    assert!(ImportError::LongText.to_string().contains("more than 8 MiB"));
}

#[test]
fn too_many_results_are_refused() {
    let limit = usize::try_from(MAX_RESULTS).unwrap();
    let text = |count: usize| format!(r#"{{"groups": [{{"a": [{}1]}}]}}"#, "1,".repeat(count - 1));
    assert_eq!(visited(&text(limit)).unwrap().len(), limit);
    assert!(matches!(visited(&text(limit + 1)), Err(ImportError::TooMany(_))));
}

#[test]
fn a_file_that_cannot_be_read_is_not_called_bad_json() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    impl Seek for Broken {
        fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
            Ok(0)
        }
    }
    let error = visit_results(&mut Broken, &mut Counting::default()).unwrap_err();
    assert_eq!(error.to_string(), "the file cannot be read: the disk is gone");
}
