//! Values that every noun uses: ids, time, money, text, countries, languages.

pub mod any_of;
pub mod calendar;
pub mod citation;
pub mod clock;
pub mod country;
pub mod currency;
pub mod fold;
pub mod format;
pub mod identifier;
pub mod moment;
pub mod money;
pub mod reference;
pub mod rounding;
pub mod term;
pub mod text;
pub mod time_zone;
pub mod tone;
pub mod wording;
pub mod words;
