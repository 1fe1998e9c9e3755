//! Everything that goes over HTTP as JSON, in one list each for what is sent and what is received.
//!
//! ```text
//! serde types ──▶ JSON ──▶ the page
//!      └─ the test below ──▶ web/src/api/generated/types.ts, the page's types of the same JSON
//! ```
//!
//! **Invariant:** only a type of these lists can be sent or received, so that the page's types are never fewer. What is
//! no JSON has no type here: the page's files, drawings (SVG), exports (CSV, JSON or a result file, piece by piece), and
//! a saved game.

use super::bodies::{CompleteBody, QueryBody};
use super::play::{LevelBody, LoadBody, MoveBody, Nothing, PlayerBody, SeatBody};
use super::queries::StartedRun;
use super::reply::ErrorAnswer;
use super::runs::{EndedRun, StepAnswer};
use super::wire::{Received, Sent};
use crate::calls::board::BoardAnswer;
use crate::calls::children::ChildrenAnswer;
use crate::calls::evaluation::EvaluationAnswer;
use crate::calls::find::FindAnswer;
use crate::calls::logs::LogsAnswer;
use crate::calls::moment::MomentAnswer;
use crate::calls::node::NodeAnswer;
use crate::calls::why::WhyAnswer;
use crate::changes::{GameEvent, LogEvent, TroubleEvent};
use crate::picture::Picture;
use crate::play::{GameChoices, NewGame, PlayState, PlayedPosition};
use crate::query::answer::RunAnswer;
use crate::query::charts::{ChartAnswer, ChartList};
use crate::query::check::CheckAnswer;
use crate::query::complete::CompleteAnswer;
use crate::query::differences::DiffTotals;
use crate::query::library::LibraryAnswer;

macro_rules! messages {
    (sent: $($sent:ty),+; received: $($received:ty),+;) => {
        $(impl Sent for $sent {})+
        $(impl Received for $received {})+

        /// Shows every message to a visitor.
        #[cfg(test)]
        fn visit_all(visitor: &mut impl ts_rs::TypeVisitor) {
            $(visitor.visit::<$sent>();)+
            $(visitor.visit::<$received>();)+
        }
    };
}

messages! {
    sent:
        LogsAnswer, NodeAnswer, ChildrenAnswer, FindAnswer, Picture, MomentAnswer, BoardAnswer, EvaluationAnswer,
        WhyAnswer, CheckAnswer, CompleteAnswer, StartedRun, RunAnswer, EndedRun, StepAnswer, LibraryAnswer, ChartList,
        ChartAnswer, DiffTotals, PlayState, PlayedPosition, GameChoices, LogEvent, GameEvent, TroubleEvent, ErrorAnswer;
    received:
        QueryBody, CompleteBody, MoveBody, PlayerBody, SeatBody, LevelBody, NewGame, LoadBody, Nothing;
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::collections::{BTreeMap, HashSet};
    use std::path::Path;

    use ts_rs::{Config, TS, TypeVisitor};

    use super::visit_all;

    /// The types that messages are made of: their declarations by name.
    struct Declarations {
        config: Config,
        seen: HashSet<TypeId>,
        by_name: BTreeMap<String, String>,
    }

    impl TypeVisitor for Declarations {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            if !self.seen.insert(TypeId::of::<T>()) {
                return;
            }
            T::visit_dependencies(self);
            // What TypeScript has a word of its own for has no file, and needs no declaration.
            if T::output_path().is_none() {
                return;
            }
            let name = T::ident(&self.config);
            let declared = format!("{}export {}", T::docs().unwrap_or_default(), T::decl(&self.config));
            let bare = |text: &str| text.rsplit_once("export ").map(|(_, bare)| bare.to_owned());
            let known = self.by_name.entry(name.clone()).or_insert_with(|| declared.clone());
            assert_eq!(bare(known), bare(&declared), "two types are called {name}");
        }
    }

    const HEAD: &str = "\
        // What the server sends and receives as JSON; docs/api.md says what each field means.\n\
        // Made from the server's types by crates/gt-view/src/http/messages.rs: do not change it by hand.\n\
        // `UPDATE_PAGE_TYPES=1 cargo test -p gt-view --lib` writes it anew.\n";

    fn typescript() -> String {
        let config = Config::new().with_large_int("number");
        let mut declarations = Declarations { config, seen: HashSet::new(), by_name: BTreeMap::new() };
        visit_all(&mut declarations);
        let declared: Vec<&str> = declarations.by_name.values().map(String::as_str).collect();
        let declared = declared.join("\n\n");
        let tidied = declared.replace("/**\n *", "/**").replace("\n */\n", " */\n").replace(" \n", "\n");
        format!("{HEAD}\n{tidied}\n")
    }

    #[test]
    fn the_page_has_the_types_of_the_server() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src/api/generated/types.ts");
        let made = typescript();
        if std::env::var_os("UPDATE_PAGE_TYPES").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == made,
            "the server's types have changed: `UPDATE_PAGE_TYPES=1 cargo test -p gt-view --lib` writes {}",
            path.display()
        );
    }
}
