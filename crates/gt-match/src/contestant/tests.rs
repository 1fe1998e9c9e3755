use super::*;
use gt_play::{Progress, Thought};

/// An engine with a bug.
struct Panicking(Box<dyn AnyGame>);

impl Engine for Panicking {
    fn position(&self) -> &dyn AnyGame {
        &*self.0
    }

    fn set_position(&mut self, _: &Setup, _: &[String]) -> gt_play::Result<()> {
        Ok(())
    }

    fn forget(&mut self) {}

    fn think(&mut self, _: &Request<'_>, _: &mut dyn FnMut(&Progress)) -> Thought {
        panic!("a bug that the test wants")
    }
}

#[test]
fn an_engine_that_panics_loses_and_is_made_anew() {
    let entrant = Entrant::parse("pvs").unwrap();
    let MoveSource::Own(options) = &entrant.source else { panic!() };
    let position = GameKind::TicTacToe.open(&Setup::default()).unwrap();
    let engine: Box<dyn Engine> = Box::new(Panicking(position.boxed_clone()));
    let mut contestant = Contestant::Own { options, engine: Some(engine), watch: None };
    let rules = ProgramRules {
        start: &std::process::Command::spawn,
        patience: Duration::ZERO,
        margin: Duration::ZERO,
    };
    let opening = Opening { setup: Setup::default(), moves: Vec::new() };
    let stop = Arc::default();
    let turn = Turn {
        position: &*position,
        opening: &opening,
        moves: &[],
        budget: Budget { depth: Some(1), ..Budget::default() },
        left: Duration::ZERO,
        clocks: &[],
        stop: &stop,
    };
    let failure = contestant.think(&turn, &rules).err();
    assert!(matches!(failure, Some(Failure::Forfeit { kind: "crash", .. })));
    assert!(contestant.new_game(GameKind::TicTacToe, &opening, 1, &rules).is_ok());
    assert!(contestant.think(&turn, &rules).is_ok());
}
