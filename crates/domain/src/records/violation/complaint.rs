//! One violation of one field: a code with its arguments.

use std::{convert::Infallible, fmt};

use super::{
    AccountComplaint, ArchiveComplaint, DestinationError, FieldComplaint, FieldName, FileComplaint,
    FilingComplaint, Reader, RecordComplaint, Sentence, Shown, StatusComplaint, sentence_traits,
};
use crate::{
    approval::ApprovalComplaint,
    approval_policy::ApprovalPolicyComplaint,
    arrangement::BadCost,
    assessment::AssessmentComplaint,
    bulk::BulkComplaint,
    comment::CommentComplaint,
    concentration::{AnalysisError, SimulationError},
    control::ControlComplaint,
    correction::CorrectionComplaint,
    country::NotACountry,
    currency::NotACurrency,
    custom_field::CustomFieldComplaint,
    cve::{NotACve, NotAScore},
    drill_run::{DrillRunComplaint, NotADrillRunReference},
    due_days::BadDueDays,
    event_hook::EventHookComplaint,
    evidence::EvidenceComplaint,
    evidence_request::{EvidenceRequestComplaint, NotAnEvidenceRequestReference},
    exchange::ExchangeComplaint,
    finding::NoSuchTestCase,
    framework::FrameworkError,
    function::FunctionComplaint,
    id::NotAnId,
    identity_provider::IdentityProviderComplaint,
    import::{EncodingError, ImportError, LineComplaint},
    incident::{IncidentComplaint, import::CandidateFileError, report::ReportComplaint},
    key_limits::LimitComplaint,
    lead_time::BadLeads,
    lei::NotALei,
    mail_domain::MailComplaint,
    moment::{NotADay, NotAMoment},
    money::{NotARate, NotAnAmount},
    own_framework::OwnFrameworkComplaint,
    page::ZeroLimit,
    password::PasswordError,
    period_report::PeriodReportComplaint,
    profile::ProfileComplaint,
    provider::ProviderComplaint,
    reference::{NotAReference, NotAnIncidentReference},
    register::{
        NotANumber, NotInList, OtherCurrency, RegisterFinding, RegisterRemedy,
        filing::{NoPackage, WorkbookFinding},
        sheets::RowComplaint,
    },
    register_filing::RegisterFilingComplaint,
    risk::{NotARiskReference, RiskComplaint},
    sample::SampleComplaint,
    tag::TagComplaint,
    task::TaskComplaint,
    tenant::NotASlug,
    test_case::NoSuchProgramme,
    text::TextError,
    threshold::OutOfRange,
    time_zone::{NotALocalTime, NotATimeZone},
    training::{NotATrainingReference, TrainingComplaint},
    user::NotAnEmail,
    view::ViewComplaint,
    vocabulary::UnknownWord,
    webhook::NoEvents,
    wording::{Language, UnknownLanguage},
};

macro_rules! complaints {
    ($($variant:ident($type:ty),)*) => {
        /// What is wrong with a field, or the remedy.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Complaint {
            /// About one item of a list, counted from 1.
            Item { number: usize, complaint: Box<Complaint> },
            /// About a part of the field.
            Part { part: FieldName, complaint: Box<Complaint> },
            /// About a text within the field.
            About { text: String, complaint: Box<Complaint> },
            /// About the structure of a request, which only a program can get wrong: in English, like the API.
            Protocol(String),
            $($variant($type),)*
        }

        impl Sentence for Complaint {
            fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Item { number, complaint } => {
                        let item = match reader.language() {
                            Language::English => "item",
                            Language::German => "Eintrag",
                        };
                        write!(f, "{item} {number} {}", complaint.shown(reader))
                    }
                    Self::Part { part, complaint } => {
                        write!(f, "{} {}", part.shown(reader), complaint.shown(reader))
                    }
                    Self::About { text, complaint } => write!(f, "{text} {}", complaint.shown(reader)),
                    Self::Protocol(text) => f.write_str(text),
                    $(Self::$variant(inner) => inner.write(reader, f),)*
                }
            }
        }

        $(impl From<$type> for Complaint {
            fn from(inner: $type) -> Self {
                Self::$variant(inner)
            }
        })*
    };
}

complaints! {
    Account(AccountComplaint),
    KeyLimit(LimitComplaint),
    Amount(NotAnAmount),
    Analysis(AnalysisError),
    Approval(ApprovalComplaint),
    ApprovalPolicy(ApprovalPolicyComplaint),
    Archive(ArchiveComplaint),
    Assessment(AssessmentComplaint),
    Bulk(BulkComplaint),
    Exchange(ExchangeComplaint),
    Comment(CommentComplaint),
    Control(ControlComplaint),
    Correction(CorrectionComplaint),
    Cost(BadCost),
    Country(NotACountry),
    Currency(NotACurrency),
    CustomField(CustomFieldComplaint),
    Cve(NotACve),
    Day(NotADay),
    DrillRun(DrillRunComplaint),
    DrillRunReference(NotADrillRunReference),
    DueDays(BadDueDays),
    Destination(DestinationError),
    Email(NotAnEmail),
    Encoding(EncodingError),
    Evidence(EvidenceComplaint),
    EvidenceRequest(EvidenceRequestComplaint),
    EvidenceRequestReference(NotAnEvidenceRequestReference),
    EventHook(EventHookComplaint),
    Events(NoEvents),
    Field(FieldComplaint),
    File(FileComplaint),
    Filing(FilingComplaint),
    Framework(FrameworkError),
    Function(FunctionComplaint),
    Id(NotAnId),
    IdentityProvider(IdentityProviderComplaint),
    Import(ImportError),
    Incident(IncidentComplaint),
    IncidentFile(CandidateFileError),
    IncidentReference(NotAnIncidentReference),
    IncidentReport(ReportComplaint),
    Language(UnknownLanguage),
    Leads(BadLeads),
    Mail(MailComplaint),
    Lei(NotALei),
    Line(LineComplaint),
    List(NotInList),
    LocalTime(NotALocalTime),
    Moment(NotAMoment),
    Number(NotANumber),
    OtherCurrency(OtherCurrency),
    OwnFramework(OwnFrameworkComplaint),
    Package(NoPackage),
    Page(ZeroLimit),
    Password(PasswordError),
    PeriodReport(PeriodReportComplaint),
    Profile(ProfileComplaint),
    Programme(NoSuchProgramme),
    Provider(ProviderComplaint),
    Range(OutOfRange),
    Rate(NotARate),
    Record(RecordComplaint),
    Reference(NotAReference),
    Register(RegisterFinding),
    RegisterFiling(RegisterFilingComplaint),
    RegisterRow(RowComplaint),
    Remedy(RegisterRemedy),
    Risk(RiskComplaint),
    RiskReference(NotARiskReference),
    Sample(SampleComplaint),
    Tag(TagComplaint),
    Task(TaskComplaint),
    Score(NotAScore),
    Simulation(SimulationError),
    Slug(NotASlug),
    Status(StatusComplaint),
    TestCase(NoSuchTestCase),
    Text(TextError),
    TimeZone(NotATimeZone),
    Training(TrainingComplaint),
    TrainingReference(NotATrainingReference),
    Word(UnknownWord),
    Workbook(WorkbookFinding),
    View(ViewComplaint),
}

sentence_traits!(Complaint);

impl From<Infallible> for Complaint {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Complaint {
    /// A sentence about the structure of a request. Only for the API: errors that a person can make have their own
    /// code.
    pub fn protocol(message: impl fmt::Display) -> Self {
        Self::Protocol(message.to_string())
    }

    #[must_use]
    pub fn item(index: usize, complaint: impl Into<Self>) -> Self {
        Self::Item { number: index + 1, complaint: Box::new(complaint.into()) }
    }

    #[must_use]
    pub fn about(text: String, complaint: impl Into<Self>) -> Self {
        Self::About { text, complaint: Box::new(complaint.into()) }
    }

    #[must_use]
    pub fn part(part: FieldName, complaint: impl Into<Self>) -> Self {
        Self::Part { part, complaint: Box::new(complaint.into()) }
    }
}
