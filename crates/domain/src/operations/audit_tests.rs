use super::*;

fn entry(n: i64) -> Entry {
    Entry {
        at: Moment::from_millis(n),
        actor: "operator".into(),
        action: "webhook.created".into(),
        subject: format!("whk_{n}"),
        detail: "{}".into(),
    }
}

fn chain(length: i64) -> (Vec<(i64, Hash, Entry)>, Head) {
    let mut head = Head::EMPTY;
    let entries = (1..=length)
        .map(|n| {
            head = head.append("t", &entry(n));
            (n, head.hash, entry(n))
        })
        .collect();
    (entries, head)
}

fn verify(entries: &[(i64, Hash, Entry)], stored: Head, anchor: Option<Head>) -> Result<Head, ChainFault> {
    let mut verifier = Verifier::new("t", anchor);
    for (seq, hash, entry) in entries {
        verifier.step(*seq, *hash, None, entry)?;
    }
    verifier.finish(stored)
}

#[test]
fn an_untouched_chain_verifies() {
    let (entries, head) = chain(5);
    assert_eq!(verify(&entries, head, Some(head)), Ok(head));
    assert_eq!(verify(&[], Head::EMPTY, None), Ok(Head::EMPTY));
}

#[test]
fn every_kind_of_tampering_is_found() {
    let (entries, head) = chain(6);
    let mut edited = entries.clone();
    edited[2].2.detail = "{\"x\":1}".into();
    assert_eq!(verify(&edited, head, None), Err(ChainFault::Mismatch(3)));
    let mut deleted = entries.clone();
    deleted.remove(3);
    assert_eq!(verify(&deleted, head, None), Err(ChainFault::Gap(4)));
    let mut swapped = entries.clone();
    swapped.swap(1, 2);
    assert_eq!(verify(&swapped, head, None), Err(ChainFault::Gap(2)));
    let (short, short_head) = chain(4);
    // The tail is cut and the stored head forged: only the exported head reveals it.
    assert_eq!(verify(&short, short_head, None), Ok(short_head));
    assert_eq!(verify(&short, short_head, Some(head)), Err(ChainFault::WrongEnd { expected: 6, found: 4 }));
}

type Links = Vec<(Head, Option<&'static str>, Entry)>;

/// Plain entries, the change to keys, and keyed entries, with a key of another root for the last.
fn keyed_chain(keys: &AuditKeys) -> Links {
    let mut head = Head::EMPTY;
    let key = |id: &str| match keys.find(id, "t") {
        Found::Key(key) => key,
        other => panic!("{other:?}"),
    };
    let ids = [None, None, Some("old"), Some("old"), Some("old"), Some("new")];
    ids.into_iter()
        .zip(1..)
        .map(|(id, n)| {
            let entry = Entry { action: if n == 3 { KEYED.into() } else { "a.b".into() }, ..entry(n) };
            head = match id {
                None => head.append("t", &entry),
                Some(id) => head.append_keyed("t", &entry, &key(id)),
            };
            (head, id, entry)
        })
        .collect()
}

fn checked(links: &Links, keys: &AuditKeys) -> Result<Unchecked, ChainFault> {
    let mut verifier = Verifier::new("t", None).with_keys(&Arc::new(keys.clone())).must_be_keyed(true);
    for (head, key, entry) in links {
        verifier.step(head.seq, head.hash, *key, entry)?;
    }
    let unchecked = verifier.unchecked();
    verifier.finish(links.last().unwrap().0).map(|_| unchecked)
}

/// Calculates everything from one entry on anew without the key.
fn rewritten(links: &Links, from: usize) -> Links {
    let mut head = if from == 0 { Head::EMPTY } else { links[from - 1].0 };
    let mut links = links.clone();
    for (own, key, entry) in &mut links[from..] {
        "someone else".clone_into(&mut entry.actor);
        head = head.append("t", entry);
        (*own, *key) = (head, None);
    }
    links
}

#[test]
fn without_the_key_a_keyed_chain_cannot_be_rewritten() {
    let keys = AuditKeys::new("new", [1; 32]).with("old", [2; 32]);
    let links = keyed_chain(&keys);
    assert_eq!(checked(&links, &keys), Ok(Unchecked { before_keys: 2, ..Unchecked::default() }));
    assert_eq!(checked(&rewritten(&links, 0), &keys), Err(ChainFault::NotKeyed));
    assert_eq!(checked(&rewritten(&links, 2), &keys), Err(ChainFault::NotKeyed));
    assert_eq!(checked(&rewritten(&links, 4), &keys), Err(ChainFault::Unkeyed(5)));
    // The service goes on over it with its key.
    let mut gone_on = rewritten(&links, 0);
    let (last, key) = (gone_on[5].0, keys.current("t").unwrap());
    gone_on.push((last.append_keyed("t", &entry(7), &key), Some("new"), entry(7)));
    assert_eq!(checked(&gone_on, &keys), Err(ChainFault::Unannounced(7)));
    // The names of keys stay, the hashes are plain.
    let mut named = rewritten(&links, 3);
    for (at, (_, key, _)) in named.iter_mut().enumerate().skip(3) {
        *key = links[at].1;
    }
    assert_eq!(checked(&named, &keys), Err(ChainFault::Mismatch(4)));
    for (_, key, _) in named.iter_mut().skip(3) {
        *key = Some("made up");
    }
    assert_eq!(checked(&named, &keys), Err(ChainFault::UnknownKey(4)));
}

#[test]
fn what_cannot_be_checked_is_counted() {
    let keys = AuditKeys::new("new", [1; 32]).with("old", [2; 32]);
    let links = keyed_chain(&keys);
    let none = Unchecked { before_keys: 2, ..Unchecked::default() };
    assert_eq!(checked(&links, &AuditKeys::default()), Ok(Unchecked { without_key: 4, ..none }));
    let lost = AuditKeys::new("new", [1; 32]).without("old");
    assert_eq!(checked(&links, &lost), Ok(Unchecked { lost_key: 3, ..none }));
    assert_eq!(checked(&links, &AuditKeys::new("new", [1; 32])), Err(ChainFault::UnknownKey(3)));
    let relabelled = AuditKeys::new("old", [2; 32]).without("new");
    assert_eq!(checked(&links, &relabelled), Err(ChainFault::UnknownKey(6)), "a lost key makes nothing new");
    let mut restored = links.clone();
    let entry = Entry { action: RESTORED.into(), ..entry(7) };
    restored.push((links[5].0.append("t", &entry), None, entry));
    assert_eq!(checked(&restored, &keys), Ok(Unchecked { restores: 1, ..none }));
}

#[test]
fn a_chain_passes_through_every_head_exported_before() {
    let (entries, head) = chain(6);
    let (_, early) = chain(3);
    let checked = |anchors: Vec<Head>| {
        let mut verifier = Verifier::new("t", anchors);
        for (seq, hash, entry) in &entries {
            verifier.step(*seq, *hash, None, entry)?;
        }
        verifier.finish(head)
    };
    assert_eq!(checked(vec![early, head]), Ok(head));
    let other = Head { hash: [9; 32], ..early };
    assert_eq!(checked(vec![other, head]), Err(ChainFault::WrongHead));
    let later = Head { seq: 9, ..head };
    assert_eq!(checked(vec![early, later]), Err(ChainFault::WrongEnd { expected: 9, found: 6 }));
}
