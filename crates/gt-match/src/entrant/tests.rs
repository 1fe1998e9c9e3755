use std::time::Duration;

use gt_play::Strength;

use super::*;

fn own(text: &str) -> EngineOptions {
    match Entrant::parse(text).unwrap().source {
        MoveSource::Own(options) => options,
        MoveSource::Program(_) => panic!("{text} is a program"),
    }
}

fn program(text: &str) -> ProgramOptions {
    match Entrant::parse(text).unwrap().source {
        MoveSource::Program(options) => options,
        MoveSource::Own(_) => panic!("{text} is an engine of ours"),
    }
}

#[test]
fn engines_are_described() {
    let options = own("alpha-beta, eval=mobility,hash=2,threads=1,seed=9");
    assert_eq!(options.algorithm, Some(Algorithm::AlphaBeta));
    assert_eq!(
        (options.evaluation.as_deref(), options.table_bytes, options.seed),
        (Some("mobility"), 2 << 20, 9)
    );
    assert_eq!(own("strong,elo=1500").strength, Strength::new(1500).ok());
    assert_eq!((own("strong,level=10").strength, own("program").algorithm), (None, None));
    let entrant = Entrant::parse("pvs,time=50ms,depth=9,name=a b").unwrap();
    assert_eq!((entrant.name.as_str(), entrant.budget.depth), ("a b", Some(9)));
    assert_eq!(entrant.budget.time, Some(Duration::from_millis(50)));
}

#[test]
fn programs_are_described() {
    let options =
        program("cmd:/opt/bin/stockfish --x 'a b',option.Threads=1,option.Move Overhead=30,option.Ponder=");
    assert_eq!(options.words, ["/opt/bin/stockfish", "--x", "a b"]);
    let settings = [("Threads", "1"), ("Move Overhead", "30"), ("Ponder", "")];
    assert_eq!(options.settings, settings.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let options = program("cmd:\"a,b c\" d,option.Book=\"x,y\",patience=3");
    assert_eq!(options.words, ["a,b c", "d"]);
    assert_eq!(options.settings, [("Book".to_owned(), "x,y".to_owned())]);
    assert_eq!(options.patience, Duration::from_secs(3));
    assert_eq!(Entrant::parse("cmd:/opt/my.engine").unwrap().name, "my");
}

#[test]
fn errors_point_at_the_part() {
    let cases = [
        ("strogn", 1, "there is no algorithm `strogn`"),
        ("", 1, "something is missing"),
        ("pvs,", 5, "something is missing"),
        ("pvs,depth", 5, "`depth` lacks its `=`"),
        ("pvs,depth=x", 11, "`x` is not a whole number"),
        ("pvs,depth=500", 11, "at most 200"),
        ("pvs,nodes=0", 11, "0 is too few"),
        ("pvs,level=11", 11, "11"),
        ("strong,without=lmx", 16, "there is no idea `lmx`"),
        ("pvs,elo=99999", 9, "from 1000 to 2400"),
        ("pvs,time=soon", 10, "a time is written"),
        ("pvs,ünd=1,evil=2", 5, "there is no `ünd`"),
        ("pvs,option.Hash=1", 5, "is for programs"),
        ("cmd:x,eval=y", 7, "there is no `eval`"),
        ("cmd:", 1, "a program follows"),
        ("cmd:x,option.A=\"b", 16, "is not closed"),
        ("pvs,time=1,clock=10+1", 1, "exclude each other"),
    ];
    for (text, character, problem) in cases {
        let error = Entrant::parse(text).unwrap_err().to_string();
        assert!(
            error.contains(&format!("character {character}: ")) && error.contains(problem),
            "{text}: {error}"
        );
    }
}

#[test]
fn what_does_not_fit_is_refused_before_the_match() {
    let check = |text: &str, game: GameKind, players: usize, budget: Budget| {
        let setup = Setup { players: Some(players), ..Setup::default() };
        Entrant::parse(text).unwrap().check(game, &setup, &budget)
    };
    let nodes = Budget { nodes: Some(1), ..Budget::default() };
    let depth = Budget { depth: Some(1), ..Budget::default() };
    let cpu = Budget { cpu: Some(Duration::from_secs(1)), ..Budget::default() };
    assert_eq!(check("strong", GameKind::Chess, 2, nodes), Ok(()));
    assert!(check("strong", GameKind::ChineseCheckers, 3, nodes).unwrap_err().contains("for two players"));
    assert!(check("pvs,eval=x", GameKind::Chess, 2, nodes).unwrap_err().contains("`x`"));
    assert!(check("uct", GameKind::Chess, 2, depth).unwrap_err().contains("nodes or time"));
    assert!(check("uct,eval=material", GameKind::Chess, 2, nodes).unwrap_err().contains("no evaluation"));
    assert!(check("pvs,threads=2", GameKind::Chess, 2, cpu).unwrap_err().contains("one thread"));
}

#[test]
fn names_are_made_to_differ() {
    let mut entrants = ["pvs", "pvs", "strong", "pvs"].map(|text| Entrant::parse(text).unwrap());
    make_names_differ(&mut entrants);
    assert_eq!(entrants.map(|entrant| entrant.name), ["pvs", "pvs#2", "strong", "pvs#3"]);
}

#[test]
fn tables_are_no_larger_than_a_budget_fills() {
    let size = |text: &str, game: GameKind, nodes: Option<u64>| {
        let mut entrant = Entrant::parse(text).unwrap();
        entrant.fit_table(game, &Budget { nodes, ..Budget::default() });
        match entrant.source {
            MoveSource::Own(options) => options.table_bytes,
            MoveSource::Program(_) => panic!("{text} is a program"),
        }
    };
    assert_eq!(size("pvs", GameKind::Chess, None), 16 << 20);
    assert_eq!(size("pvs", GameKind::Chess, Some(1000)), 2_048_000);
    assert_eq!(size("pvs", GameKind::Chess, Some(u64::MAX)), 16 << 20);
    assert_eq!(size("pvs", GameKind::TicTacToe, None), 64 << 10);
    assert_eq!(size("pvs,hash=32", GameKind::Chess, Some(1)), 32 << 20);
}
