//! The subjects of the application, each above those that it calls.
//!
//! A subject has the use cases of the folder with the name of its field in [`Subjects`]. It dereferences to the core, and
//! calls another subject only through a field. Each contains the others by value, so there is no circle.

use std::ops::Deref;

use crate::Core;

macro_rules! subjects {
    ($($(#[$about:meta])* $subject:ident { $($field:ident: $below:ident),* })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub struct $subject {
            core: Core,
            $(pub(crate) $field: $below,)*
        }

        impl $subject {
            fn new(core: &Core, $($field: &$below),*) -> Self {
                Self { core: core.clone(), $($field: $field.clone()),* }
            }
        }

        impl Deref for $subject {
            type Target = Core;

            fn deref(&self) -> &Core {
                &self.core
            }
        }
    )*};
}

subjects! {
    /// The search over everything, and the lists of the catalogue.
    Reference {}
    /// What leaves the service, or waits in an inbox.
    Messages {}
    /// Records of any kind: lists, changes, comments, history.
    Records {}
    /// Audit, backup, health, measurements.
    Operations { messages: Messages }
    /// Institutions, accounts, roles, keys.
    People { messages: Messages }
    /// Sign-in, sessions, and what proves who a person is.
    Access { messages: Messages, people: People }
    /// Profile, controls, assessments, evidence, risks.
    Compliance { records: Records }
    /// Testing, findings, incidents.
    Resilience { records: Records, compliance: Compliance }
    /// Providers, the register of information, concentration.
    ThirdParties { messages: Messages, records: Records, compliance: Compliance }
    /// What is to be done: tasks, alerts, the start page.
    Work {
        operations: Operations,
        records: Records,
        people: People,
        compliance: Compliance,
        resilience: Resilience
    }
    /// Files of records: PDF, CSV, workbooks.
    Reports {
        records: Records,
        compliance: Compliance,
        resilience: Resilience,
        third_parties: ThirdParties,
        work: Work
    }
    /// Reports on a period, and management reviews.
    PeriodReports { compliance: Compliance, report: Reports }
    /// Bundles for auditors.
    Bundles { compliance: Compliance }
    /// Decisions of a second person, and the documents that are signed with them.
    Approvals { report: Reports, period_report: PeriodReports }
}

/// One value of each subject.
#[derive(Debug)]
pub struct Subjects {
    pub reference: Reference,
    pub messages: Messages,
    pub records: Records,
    pub operations: Operations,
    pub people: People,
    pub access: Access,
    pub compliance: Compliance,
    pub resilience: Resilience,
    pub third_parties: ThirdParties,
    pub work: Work,
    pub report: Reports,
    pub period_report: PeriodReports,
    pub bundle: Bundles,
    pub approval: Approvals,
    core: Core,
}

impl Subjects {
    pub(crate) fn new(core: Core) -> Self {
        let messages = Messages::new(&core);
        let records = Records::new(&core);
        let operations = Operations::new(&core, &messages);
        let people = People::new(&core, &messages);
        let compliance = Compliance::new(&core, &records);
        let resilience = Resilience::new(&core, &records, &compliance);
        let third_parties = ThirdParties::new(&core, &messages, &records, &compliance);
        let work = Work::new(&core, &operations, &records, &people, &compliance, &resilience);
        let report = Reports::new(&core, &records, &compliance, &resilience, &third_parties, &work);
        let period_report = PeriodReports::new(&core, &compliance, &report);
        Self {
            reference: Reference::new(&core),
            bundle: Bundles::new(&core, &compliance),
            access: Access::new(&core, &messages, &people),
            approval: Approvals::new(&core, &report, &period_report),
            messages,
            records,
            operations,
            people,
            compliance,
            resilience,
            third_parties,
            work,
            report,
            period_report,
            core,
        }
    }
}

impl Deref for Subjects {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
