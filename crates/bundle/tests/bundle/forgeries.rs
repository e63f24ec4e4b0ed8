//! What a forger without the key does, and what a faulty writer with it would: both verifiers give the same code.

use serde_json::{Value, json};

use crate::{OTHER_SEED, Random, SEED, forge::Forged, public, python::Python, sample};

/// Not one that an authority would make: both verifiers only look for the digest in it.
fn stamp(digest: &[u8]) -> Vec<u8> {
    [b"\x30\x30response\x04\x20", digest, b"\x02\x01\x07"].concat()
}

fn stamp_of_another(forged: &mut Forged, _: &mut Random) -> &'static str {
    forged.stamp = Some(|digest| {
        let mut other = digest.to_vec();
        other[31] ^= 1;
        stamp(&other)
    });
    "stamp.digest"
}

fn stamp_without_digest(forged: &mut Forged, _: &mut Random) -> &'static str {
    forged.stamp = Some(|digest| digest[1..].to_vec());
    "stamp.digest"
}

/// Changes the sample in one way, and names the code that this must give.
type Change = fn(&mut Forged, &mut Random) -> &'static str;

fn any_file(forged: &Forged, random: &mut Random) -> usize {
    random.below(forged.files.len())
}

fn leave_out(forged: &mut Forged, random: &mut Random) -> &'static str {
    forged.files.remove(any_file(forged, random));
    "file.left_out"
}

fn add(forged: &mut Forged, random: &mut Random) -> &'static str {
    let place = any_file(forged, random);
    forged.files.insert(place, (format!("evidence/extra-{}.txt", random.below(1000)), b"more".to_vec()));
    "file.added"
}

fn rename(forged: &mut Forged, random: &mut Random) -> &'static str {
    let place = any_file(forged, random);
    forged.files[place].0 = format!("../{}", forged.files[place].0);
    forged.name_files();
    "file.name"
}

fn swap_files(forged: &mut Forged, random: &mut Random) -> &'static str {
    let place = random.below(forged.files.len() - 1);
    forged.files.swap(place, place + 1);
    "file.order"
}

fn change_content(forged: &mut Forged, random: &mut Random) -> &'static str {
    let place = any_file(forged, random);
    let content = &mut forged.files[place].1;
    match random.below(3) {
        0 => content.push(b' '),
        1 => content.truncate(content.len() - 1),
        _ => {
            let at = random.below(content.len());
            content[at] ^= 1 << random.below(7);
        }
    }
    "file.digest"
}

fn swap_entries(forged: &mut Forged, random: &mut Random) -> &'static str {
    let first = random.below(11);
    let second = first + 1 + random.below(11 - first);
    forged.change_lines("chain.jsonl", |lines| lines.swap(first, second));
    "chain.order"
}

/// The order is changed, and the numbers are made to fit it.
fn swap_numbered_entries(forged: &mut Forged, random: &mut Random) -> &'static str {
    let first = random.below(11);
    forged.change_lines("chain.jsonl", |lines| {
        lines.swap(first, first + 1);
        (lines[first]["seq"], lines[first + 1]["seq"]) = (json!(first + 1), json!(first + 2));
    });
    if first < usize::try_from(sample::PLAIN).unwrap() && first + 1 != usize::try_from(sample::PLAIN).unwrap()
    {
        "chain.hash"
    } else {
        "chain.link"
    }
}

fn drop_entry(forged: &mut Forged, random: &mut Random) -> &'static str {
    let place = random.below(12);
    forged.change_lines("chain.jsonl", |lines| drop(lines.remove(place)));
    if place == 11 { "chain.head" } else { "chain.order" }
}

fn change_entry(forged: &mut Forged, random: &mut Random) -> &'static str {
    let (place, field) = (random.below(12), ["actor", "action", "subject", "detail"][random.below(4)]);
    forged.change_lines("chain.jsonl", |lines| lines[place][field] = json!("usr_02"));
    if i64::try_from(place).unwrap() < sample::PLAIN { "chain.hash" } else { "chain.link" }
}

fn change_head(forged: &mut Forged, random: &mut Random) -> &'static str {
    let field = ["head", "link"][random.below(2)];
    forged.manifest["chain"][field] = json!("0".repeat(64));
    "chain.head"
}

fn any_claim(lines: &mut [Value], random: &mut Random) -> usize {
    random.below(lines.len())
}

fn claim_other_version(forged: &mut Forged, random: &mut Random) -> &'static str {
    forged.change_lines("requirements.jsonl", |lines| {
        let (place, record) = (any_claim(lines, random), random.below(2));
        lines[place]["records"][record]["version"] = json!(100 + random.below(100));
    });
    "claim.record"
}

fn claim_other_file(forged: &mut Forged, random: &mut Random) -> &'static str {
    forged.change_lines("requirements.jsonl", |lines| {
        let place = any_claim(lines, random);
        let part = random.below(2);
        lines[place]["files"][0][part] = json!(format!("evidence/{}.txt", random.below(100)));
    });
    "claim.file"
}

fn rest_on_other_entry(forged: &mut Forged, random: &mut Random) -> &'static str {
    let path = ["lists/assessments.jsonl", "lists/evidence.jsonl"][random.below(2)];
    forged.change_lines(path, |lines| {
        let place = any_claim(lines, random);
        let own = lines[place]["rests_on"].as_i64().unwrap();
        let other = [own - 1, own + 1, own + 100, 0, -own][random.below(5)];
        lines[place]["rests_on"] = json!(if other == own { own + 1 } else { other });
    });
    "claim.entry"
}

fn leave_record_out(forged: &mut Forged, random: &mut Random) -> &'static str {
    let path = ["lists/assessments.jsonl", "lists/evidence.jsonl"][random.below(2)];
    forged.change_lines(path, |lines| {
        let place = any_claim(lines, random);
        lines.remove(place);
    });
    "claim.record"
}

fn unreadable_claim(forged: &mut Forged, random: &mut Random) -> &'static str {
    let path = ["lists/assessments.jsonl", "requirements.jsonl"][random.below(2)];
    forged.content(path).extend(b"{\"id\": \n");
    forged.name_files();
    "claim.unreadable"
}

fn other_format(forged: &mut Forged, _: &mut Random) -> &'static str {
    forged.manifest["format"] = json!("tidewall-bundle-2");
    "manifest.unreadable"
}

const CHANGES: [Change; 18] = [
    leave_out,
    add,
    rename,
    swap_files,
    change_content,
    swap_entries,
    swap_numbered_entries,
    drop_entry,
    change_entry,
    change_head,
    claim_other_version,
    claim_other_file,
    rest_on_other_entry,
    leave_record_out,
    unreadable_claim,
    other_format,
    stamp_of_another,
    stamp_without_digest,
];

/// Even with the key nothing inconsistent passes.
#[test]
fn a_bundle_that_contradicts_itself_is_found_by_both_with_the_same_code() {
    let (mut python, mut random) = (Python::start(Some(public())), Random::new(1));
    for round in 0..sample::rounds(1600) {
        let mut forged = Forged::sample(SEED);
        let expected = CHANGES[round % CHANGES.len()](&mut forged, &mut random);
        let code = python.code(&forged.bytes(), Some(public()));
        assert_eq!(code, Some(expected), "change {} in round {round}", round % CHANGES.len());
    }
}

#[test]
fn a_forged_manifest_with_another_key_is_found_by_both() {
    let (mut python, mut random) = (Python::start(Some(public())), Random::new(2));
    for round in 0..sample::rounds(1400) {
        let mut forged = Forged::sample(OTHER_SEED);
        CHANGES[round % CHANGES.len()](&mut forged, &mut random);
        assert_eq!(python.code(&forged.bytes(), Some(public())), Some("archive.key"), "round {round}");
    }
}

#[test]
fn a_time_stamp_about_the_manifest_is_reported_by_both() {
    let mut forged = Forged::sample(SEED);
    forged.stamp = Some(stamp);
    let bytes = forged.bytes();
    assert_eq!(Python::start(Some(public())).code(&bytes, Some(public())), None);
    assert!(crate::verified(&bytes).unwrap().is_stamped);
    assert!(!crate::verified(&sample::bundle()).unwrap().is_stamped);
}

/// Without a key to compare with, the seal of a forger fits; the report says whose it is and that it was not compared.
#[test]
fn without_a_key_both_say_that_it_was_not_compared() {
    let bytes = Forged::sample(OTHER_SEED).bytes();
    let mut python = Python::start(None);
    assert_eq!(python.code(&bytes, None), None);
    let report = tidewall_bundle::verify(std::io::Cursor::new(&bytes), None).unwrap();
    assert!(!report.key_was_compared && report.key != public());
}

/// A forger keeps the manifest, its signature and the seal, and exchanges what is around them.
#[test]
fn files_exchanged_under_the_old_signatures_are_found_by_both() {
    let original = Forged::sample(SEED).bytes();
    let seal = &original[original.len() - 211..];
    let (mut python, mut random) = (Python::start(Some(public())), Random::new(3));
    for round in 0..sample::rounds(1000) {
        let mut forged = Forged::sample(SEED);
        CHANGES[round % 5](&mut forged, &mut random);
        let mut bytes = forged.bytes();
        bytes.truncate(bytes.len() - seal.len());
        bytes.extend(seal);
        assert_eq!(python.code(&bytes, Some(public())), Some("archive.signature"), "round {round}");
    }
}
