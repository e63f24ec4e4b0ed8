//! The value of a field of the report, from and to JSON.

use std::collections::BTreeMap;

use serde_json::{Number, Value as Json, json};

use crate::{
    change::without_repeats,
    currency::Currency,
    lei::Lei,
    moment::Moment,
    money::Money,
    rounding::Hundredths,
    text::{TextError, clipped, prose},
    user::Email,
    violation::Complaint,
};

use super::{
    complaint::ReportComplaint,
    field::{Field, Kind, field},
};

/// The maximum length of a text in the official file.
pub const MAX_TEXT: usize = 32_767;
/// The maximum duration in the official file, in days.
pub(super) const MAX_DAYS: u64 = 999;
const DAY: u64 = 24 * 60;
/// How much of an unknown answer a violation repeats.
const MAX_SHOWN: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Flag(bool),
    Integer(u64),
    /// Tenths of a per cent.
    Percent(u64),
    Money(Money),
    Moment(Moment),
    Minutes(u64),
    /// The code of an answer of the official list.
    Choice(&'static str),
    Choices(Vec<&'static str>),
}

/// Values by field number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<&'static str, Value>);

impl Values {
    pub fn get(&self, number: &str) -> Option<&Value> {
        self.0.get(number)
    }

    pub fn set(&mut self, field: &'static Field, value: Value) {
        self.0.insert(field.number, value);
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(number, value)| (*number, value))
    }

    /// The stored and exchanged form.
    pub fn to_json(&self) -> Json {
        self.iter().map(|(number, value)| (number.to_owned(), value.to_json())).collect()
    }

    /// Parses stored or entered values, in the given currency. Violations are by field; `null` clears a field.
    pub fn read(
        entered: &serde_json::Map<String, Json>,
        currency: Currency,
    ) -> (Self, Vec<(String, Complaint)>) {
        let mut values = Self::default();
        let mut complaints = Vec::new();
        for (number, json) in entered.iter().filter(|(_, json)| !json.is_null()) {
            let Some(field) = field(number) else {
                complaints.push((number.clone(), ReportComplaint::UnknownField.into()));
                continue;
            };
            match Value::read(field, json, currency) {
                Ok(value) => values.set(field, value),
                Err(complaint) => complaints.push((number.clone(), complaint)),
            }
        }
        (values, complaints)
    }
}

impl Value {
    /// A time to the second: the file has no smaller unit, and sent values must compare equal to known ones.
    pub fn at(moment: Moment) -> Self {
        Self::Moment(Moment::from_millis(moment.millis().div_euclid(1000) * 1000))
    }

    /// A share in tenths of a per cent, rounded half up as Annex II asks.
    pub fn share(part: u64, whole: u64) -> Option<Self> {
        let (part, whole) = (u128::from(part), u128::from(whole));
        let tenths = (part * 2000 + whole).checked_div(whole * 2)?;
        u64::try_from(tenths).ok().map(Self::Percent)
    }

    pub fn read(field: &'static Field, json: &Json, currency: Currency) -> Result<Self, Complaint> {
        match (field.kind, json) {
            (Kind::Boolean, Json::Bool(flag)) => Ok(Self::Flag(*flag)),
            (Kind::Boolean, Json::String(text)) => match text.as_str() {
                "true" => Ok(Self::Flag(true)),
                "false" => Ok(Self::Flag(false)),
                _ => Err(ReportComplaint::NotAFlag.into()),
            },
            (Kind::Choice, Json::String(code)) => read_choice(field, code).map(Self::Choice),
            (Kind::Choices, Json::Array(codes)) => read_choices(field, codes),
            (Kind::Integer | Kind::Percent | Kind::Money, Json::Number(number)) => {
                read_number(field, &number.to_string(), currency)
            }
            (Kind::Integer | Kind::Percent | Kind::Money, Json::String(text)) => {
                read_number(field, text.trim(), currency)
            }
            (_, Json::String(text)) => read_text(field, text),
            _ => Err(ReportComplaint::wrong_shape(field.kind).into()),
        }
    }

    /// In the shape it is entered in.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Text(text) => json!(text),
            Self::Flag(flag) => json!(flag),
            Self::Integer(number) => json!(number),
            Self::Percent(tenths) => json_number(&Hundredths::of((*tenths).into(), 10).to_string()),
            Self::Money(money) => json_number(&major_units(*money)),
            Self::Moment(at) => json!(at),
            Self::Minutes(minutes) => json!(days_hours_minutes(*minutes)),
            Self::Choice(code) => json!(code),
            Self::Choices(codes) => json!(codes),
        }
    }

    pub fn is_chosen(&self, code: &str) -> bool {
        match self {
            Self::Choice(chosen) => *chosen == code,
            Self::Choices(codes) => codes.contains(&code),
            _ => false,
        }
    }
}

/// A decimal as a JSON number, whole where it is whole.
fn json_number(text: &str) -> Json {
    if let Ok(whole) = text.parse::<i64>() {
        return json!(whole);
    }
    // The digits of every accepted amount survive this: it is printed with the fewest digits that identify it.
    text.parse::<f64>().ok().and_then(Number::from_f64).map_or(Json::Null, Json::Number)
}

/// The amount in units of the currency, without trailing zeros.
fn major_units(money: Money) -> String {
    let printed = money.to_string();
    let number = printed.split(' ').next().unwrap_or_default();
    if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        number.to_owned()
    }
}

fn days_hours_minutes(minutes: u64) -> String {
    format!("{:02}:{:02}:{:02}", minutes / DAY, minutes % DAY / 60, minutes % 60)
}

fn read_choice(field: &'static Field, code: &str) -> Result<&'static str, Complaint> {
    let known = field.choices().find(|choice| choice.code == code).map(|choice| choice.code);
    known.ok_or_else(|| ReportComplaint::NotAChoice { code: clipped(code, MAX_SHOWN) }.into())
}

fn read_choices(field: &'static Field, codes: &[Json]) -> Result<Value, Complaint> {
    let mut chosen: Vec<&'static str> = Vec::new();
    for code in codes {
        let code = code.as_str().ok_or_else(|| ReportComplaint::wrong_shape(field.kind))?;
        chosen.push(read_choice(field, code)?);
    }
    let chosen = without_repeats(chosen);
    if chosen.is_empty() { Err(ReportComplaint::NothingChosen.into()) } else { Ok(Value::Choices(chosen)) }
}

fn read_number(field: &Field, text: &str, currency: Currency) -> Result<Value, Complaint> {
    if text.starts_with('-') {
        return Err(ReportComplaint::Negative.into());
    }
    match field.kind {
        Kind::Money => Ok(Value::Money(Money::parse_major(text, currency)?)),
        Kind::Percent => read_percent(text).ok_or_else(|| ReportComplaint::NotAPercentage.into()),
        _ => text.parse().map(Value::Integer).map_err(|_| ReportComplaint::NotAnInteger.into()),
    }
}

/// A decimal number of per cent, rounded half up to one decimal.
fn read_percent(text: &str) -> Option<Value> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || whole.len() > 9 {
        return None;
    }
    let tenths = whole.parse::<u64>().ok()? * 10 + u64::from(fraction.as_bytes()[0] - b'0');
    let rounds_up = fraction.as_bytes().get(1).is_some_and(|digit| *digit >= b'5');
    Some(Value::Percent(tenths + u64::from(rounds_up)))
}

fn read_text(field: &Field, text: &str) -> Result<Value, Complaint> {
    let text = text.trim();
    match field.kind {
        Kind::Moment => Ok(Value::at(text.parse()?)),
        Kind::Duration => read_duration(text).ok_or_else(|| ReportComplaint::NotADuration.into()),
        _ if text.is_empty() => Err(TextError::Empty.into()),
        _ if text.chars().count() > MAX_TEXT => Err(TextError::TooLong(MAX_TEXT).into()),
        Kind::Email => {
            text.parse::<Email>()?;
            Ok(Value::Text(text.to_owned()))
        }
        Kind::Phone if !is_phone(text) => Err(ReportComplaint::NotAPhone.into()),
        // Aggregated reports name several entities, separated by semicolons.
        Kind::Lei => {
            for part in text.split(';') {
                part.trim().parse::<Lei>()?;
            }
            Ok(Value::Text(text.to_owned()))
        }
        Kind::Text | Kind::Code | Kind::Phone => Ok(Value::Text(prose(text, MAX_TEXT)?.to_owned())),
        kind => Err(ReportComplaint::wrong_shape(kind).into()),
    }
}

/// With the international prefix that Annex II requires, in the characters that the file accepts: digits with single
/// spaces, points or hyphens between them.
fn is_phone(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('+') else { return false };
    let mut groups = rest.split([' ', '.', '-']);
    let starts = rest.starts_with(|first: char| ('1'..='9').contains(&first));
    let digits: usize = rest.bytes().filter(u8::is_ascii_digit).count();
    let first = groups.next().unwrap_or_default();
    starts
        && first.len() >= 2
        && first.bytes().all(|byte| byte.is_ascii_digit())
        && groups.all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
        && (5..=20).contains(&digits)
}

/// `DD:HH:MM`.
fn read_duration(text: &str) -> Option<Value> {
    let parts: Vec<&str> = text.split(':').collect();
    let [days, hours, minutes] = parts[..] else { return None };
    let number = |part: &str, most: u64| {
        let plain = !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u64>().ok().filter(|number| plain && *number <= most)
    };
    let (days, hours, minutes) = (number(days, MAX_DAYS)?, number(hours, 23)?, number(minutes, 59)?);
    Some(Value::Minutes(days * DAY + hours * 60 + minutes))
}
