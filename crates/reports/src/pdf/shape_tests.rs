use proptest::prelude::*;

use super::*;

fn both(check: impl Fn(FaceShaper<'static>)) {
    let typeface = Typeface::get().unwrap();
    check(FaceShaper::new(&typeface.regular));
    check(FaceShaper::new(&typeface.bold));
}

/// Put together from words, once while they are new and once when they are known.
fn assert_same(shaper: &mut FaceShaper<'static>, text: &str) {
    let whole = shaper.shape_whole(text);
    assert_eq!(shaper.shape_words(text), whole, "{text:?}");
    assert_eq!(shaper.shape_words(text), whole, "{text:?}");
}

#[test]
fn no_plain_character_depends_on_what_stands_beyond_a_space() {
    both(|mut shaper| {
        for character in ('\0'..='\u{2fff}').filter(|character| is_plain(*character)) {
            assert_same(&mut shaper, &format!("{character} {character}x  {character} f"));
        }
    });
}

#[test]
fn text_with_marks_is_shaped_as_a_whole() {
    for text in ["x \u{301}", "1\u{2044}2", "Ω", "ж", "ש"] {
        assert!(!text.chars().all(is_plain), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn words_have_the_same_glyphs_as_the_whole_text(text in "([ -~\u{a1}-\u{ac}\u{ae}-\u{17f}‘-„–—•…€]{0,9} ?){0,8}") {
        both(|mut shaper| assert_same(&mut shaper, &text));
    }
}
