//! Any bytes as a file of games: read or refused, and what is read can be played and is read again.

pub(super) fn run(bytes: &[u8]) {
    for game in gt_games::saved::read(bytes, None).flatten() {
        game.position().expect("what is read can be played");
        let again = gt_games::saved::read(&game.text(), Some(game.kind)).next();
        let again = again.and_then(Result::ok).expect("what is written is read");
        assert_eq!(again.result, game.result);
        let texts = |game: &gt_games::saved::SavedGame| {
            game.moves.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&again), texts(&game));
    }
}
