//! The ideas of the full-strength search by name, so that each can be switched off and its worth measured.
//!
//! ```text
//! gt match strong strong,without=lmr --cpu 50ms      what are late-move reductions worth?
//! ```

use super::Options;

/// An idea that a search can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // `sentence` says it.
pub enum Idea {
    Table,
    Killers,
    History,
    Replies,
    Hints,
    Aspiration,
    EvaluationCache,
    Corrections,
    TableEstimates,
    Quiescence,
    QuiescencePruning,
    QuiescenceChecks,
    QuiescenceTable,
    NullMove,
    LateMoveReductions,
    LateMovePruning,
    Futility,
    ReverseFutility,
    ExchangePruning,
    InternalReductions,
    SingularExtensions,
    CheckExtensions,
    ThreatExtensions,
}

impl Idea {
    /// Every idea.
    pub const ALL: [Self; 23] = [
        Self::Table,
        Self::Killers,
        Self::History,
        Self::Replies,
        Self::Hints,
        Self::Aspiration,
        Self::EvaluationCache,
        Self::Corrections,
        Self::TableEstimates,
        Self::Quiescence,
        Self::QuiescencePruning,
        Self::QuiescenceChecks,
        Self::QuiescenceTable,
        Self::NullMove,
        Self::LateMoveReductions,
        Self::LateMovePruning,
        Self::Futility,
        Self::ReverseFutility,
        Self::ExchangePruning,
        Self::InternalReductions,
        Self::SingularExtensions,
        Self::CheckExtensions,
        Self::ThreatExtensions,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Killers => "killers",
            Self::History => "history",
            Self::Replies => "replies",
            Self::Hints => "hints",
            Self::Aspiration => "aspiration",
            Self::EvaluationCache => "evaluation-cache",
            Self::Corrections => "corrections",
            Self::TableEstimates => "table-estimates",
            Self::Quiescence => "quiescence",
            Self::QuiescencePruning => "quiescence-pruning",
            Self::QuiescenceChecks => "quiescence-checks",
            Self::QuiescenceTable => "quiescence-table",
            Self::NullMove => "null-move",
            Self::LateMoveReductions => "lmr",
            Self::LateMovePruning => "late-move-pruning",
            Self::Futility => "futility",
            Self::ReverseFutility => "reverse-futility",
            Self::ExchangePruning => "exchange-pruning",
            Self::InternalReductions => "internal-reductions",
            Self::SingularExtensions => "singular-extensions",
            Self::CheckExtensions => "check-extensions",
            Self::ThreatExtensions => "threat-extensions",
        }
    }

    /// The idea with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|idea| idea.name() == name)
    }

    /// Reads names with commas or plus signs between them.
    ///
    /// # Errors
    /// Returns an error that lists the known ideas if a name is unknown.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let names = text.split([',', '+']).map(str::trim).filter(|name| !name.is_empty());
        names
            .map(|name| {
                let known = Self::ALL.map(Self::name).join(", ");
                Self::named(name).ok_or_else(|| format!("there is no idea `{name}`; there are {known}"))
            })
            .collect()
    }
}

impl Options {
    /// Whether a search with these options uses an idea.
    #[must_use]
    pub fn uses(&self, idea: Idea) -> bool {
        self.clone().without(idea) != *self
    }

    /// Returns the options with an idea switched off.
    #[must_use]
    pub fn without(mut self, idea: Idea) -> Self {
        match idea {
            Idea::Table => self.table_bytes = 0,
            Idea::Killers => self.killers = false,
            Idea::History => self.history = false,
            Idea::Replies => self.continuation_history = false,
            Idea::Hints => self.hint_weight = 0,
            Idea::Aspiration => self.aspiration = None,
            Idea::EvaluationCache => self.evaluation_cache = false,
            Idea::Corrections => self.corrections = false,
            Idea::TableEstimates => self.table_estimates = false,
            Idea::Quiescence => self.quiescence_plies_max = None,
            Idea::QuiescencePruning => self.quiescence_margin = None,
            Idea::QuiescenceChecks => self.quiescence_threat_plies = 0,
            Idea::QuiescenceTable => self.quiescence_table = false,
            Idea::NullMove => self.null_move_reduction = None,
            Idea::LateMoveReductions => self.late_move_reductions = false,
            Idea::LateMovePruning => self.late_move_pruning = false,
            Idea::Futility => self.futility_margin = None,
            Idea::ReverseFutility => self.reverse_futility_margin = None,
            Idea::ExchangePruning => self.exchange_pruning = false,
            Idea::InternalReductions => self.internal_reductions = false,
            Idea::SingularExtensions => self.singular_extensions = false,
            Idea::CheckExtensions => self.check_extensions = false,
            Idea::ThreatExtensions => self.threat_extensions = false,
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strong_search_uses_every_idea_and_can_do_without_each() {
        for idea in Idea::ALL {
            let strong = Options::selective();
            assert!(strong.uses(idea), "{idea:?}");
            assert!(!strong.without(idea).uses(idea), "{idea:?}");
            assert_eq!(Idea::named(idea.name()), Some(idea));
        }
        assert!(!Options::default().uses(Idea::NullMove));
    }

    #[test]
    fn lists_are_read_and_unknown_names_answered_with_all() {
        assert_eq!(Idea::parse_list("lmr, null-move"), Ok(vec![Idea::LateMoveReductions, Idea::NullMove]));
        assert_eq!(Idea::parse_list("lmr+table"), Ok(vec![Idea::LateMoveReductions, Idea::Table]));
        assert_eq!(Idea::parse_list(""), Ok(Vec::new()));
        let error = Idea::parse_list("lmr,lmx").unwrap_err();
        assert!(error.contains("`lmx`") && error.contains("late-move-pruning"), "{error}");
    }
}
