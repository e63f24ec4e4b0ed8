//! "Did you mean …": the known name nearest to an unknown one.

/// The nearest of `known`, or `None` if none is near enough.
pub(super) fn nearest<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    known
        .map(|name| (distance(written, name), name))
        .filter(|(distance, name)| *distance <= (name.len() / 3).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Edits between the two names; a name put into the wrong section counts as one.
fn distance(written: &str, name: &str) -> usize {
    let whole = strsim::damerau_levenshtein(written, name);
    if last_part(written) == last_part(name) { whole.min(1) } else { whole }
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] =
        ["listen", "operator.listen", "limits.v1.burst", "server.trusted_proxies", "smtp.url"];

    fn suggestion(written: &str) -> Option<&'static str> {
        nearest(written, KNOWN.into_iter())
    }

    #[test]
    fn finds_a_typing_error_a_wrong_separator_and_a_wrong_section() {
        assert_eq!(suggestion("lisen"), Some("listen"));
        assert_eq!(suggestion("limits.v1.brust"), Some("limits.v1.burst"));
        assert_eq!(suggestion("smtp_url"), Some("smtp.url"));
        assert_eq!(suggestion("trusted_proxies"), Some("server.trusted_proxies"));
    }

    #[test]
    fn says_nothing_rather_than_something_far_off() {
        assert_eq!(suggestion("colour"), None);
    }
}
