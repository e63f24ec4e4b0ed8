//! Why a control cannot be stored.

use crate::wording::sentences;

sentences! {
    /// Why a control was refused.
    ControlComplaint {
        NotAMeasure =
            "is not the id of a measure in the catalogue",
            "ist keine Maßnahme des Katalogs";
        NotARequirement =
            "is not the id of a requirement in the catalogue",
            "ist keine Anforderung des Katalogs";
        NoReason =
            "is required when a person overrules the effectiveness: say why",
            "fehlt: Wird die Wirksamkeit von Hand festgelegt, bitte begründen";
        StrayReason =
            "goes with effectiveness: name the effectiveness it explains",
            "gehört zu einer von Hand festgelegten Wirksamkeit: bitte diese mit angeben";
        NoDueDay =
            "is only for a control with a cadence: choose one first",
            "gilt nur für eine Kontrolle mit Turnus: bitte zuerst einen Turnus wählen";
        Retired =
            "is retired: take it back into force before recording a performance",
            "ist außer Kraft: bitte vor dem Erfassen einer Durchführung wieder in Kraft setzen";
        TooMany { most: u64 } =
            "are {most} already, the most an institution may have: retire and delete some first",
            "sind schon {most}, mehr darf ein Institut nicht haben: bitte zuerst nicht mehr benötigte löschen";
        NothingToAdopt =
            "is required: name measures, or a framework whose measures to adopt",
            "fehlt: bitte Maßnahmen nennen oder ein Rahmenwerk, dessen Maßnahmen übernommen werden";
        OneOfBoth =
            "cannot be combined with framework: name one of the two",
            "lässt sich nicht mit einem Rahmenwerk verbinden: bitte eines von beiden angeben";
        NotASection =
            "is not the id of a chapter of the framework",
            "ist kein Kapitel des Rahmenwerks";
        SectionsAlone =
            "is required with sections: the framework whose chapters they are",
            "fehlt: bitte zu den Kapiteln ihr Rahmenwerk angeben";
        FunctionLength =
            "must be 1 to 255 characters",
            "muss 1 bis 255 Zeichen lang sein";
    }
}
