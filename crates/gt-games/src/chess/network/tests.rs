use super::sums::Sums;
use super::*;
use crate::Notation;
use crate::chess::Chess;
use cozy_chess::{Board, Color, Move};
use gt_search::{Evaluate, Game};

/// A network whose weights differ everywhere, within the limits.
fn network(seed: u64) -> &'static Network {
    let mut state = seed;
    let mut draw = |most: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i32 % (2 * most + 1) - most
    };
    let inputs: Vec<i16> = (0..(INPUTS + 1) * HIDDEN).map(|_| draw(60) as i16).collect();
    let outputs: Vec<i16> = (0..2 * STAGES * HIDDEN).map(|_| draw(127) as i16).collect();
    Box::leak(Box::new(Network::new(&inputs, &outputs, std::array::from_fn(|_| draw(1000)))))
}

/// A position's value as this module's documentation describes it, without kept sums.
fn plain_value(network: &Network, board: &Board) -> i32 {
    let stage = stage_of(board.occupied().len() as usize);
    let mut sum = 0_i64;
    for (view, color) in [board.side_to_move(), !board.side_to_move()].into_iter().enumerate() {
        let is_turned = board.king(color).file() >= cozy_chess::File::E;
        let seen = |square: cozy_chess::Square| {
            let (file, rank) = (square.file() as usize, square.rank() as usize);
            (if is_turned { 7 - file } else { file }, if color == Color::White { rank } else { 7 - rank })
        };
        for unit in 0..HIDDEN {
            let mut hidden = i32::from(network.biases.0[unit]);
            for square in board.occupied() {
                let (file, rank) = seen(square);
                let piece = board.piece_on(square).expect("a piece") as usize;
                let others = usize::from(!board.colors(color).has(square));
                let input = 64 * (6 * others + piece) + 8 * rank + file;
                hidden += i32::from(network.inputs[input].0[unit]);
            }
            let held = hidden.clamp(0, UNIT);
            sum += i64::from(held * held * i32::from(network.outputs[stage][view].0[unit]));
        }
    }
    let output = sum / i64::from(UNIT) + i64::from(network.output_biases[stage]);
    (output * i64::from(VALUE_UNIT) / i64::from(UNIT * OUTPUT_UNIT)) as i32
}

/// Plays games that jump back and forth, evaluated by two networks in turn: kept sums must be those of the position, however many units are
/// computed at once.
#[test]
fn kept_sums_are_those_of_the_position() {
    let networks = [network(1), network(2)];
    let mut kept = [Sums::NONE, Sums::NONE, Sums::NONE];
    let mut random = 9_u64;
    let mut game = Chess::new();
    let mut made: Vec<(Move, _)> = Vec::new();
    for step in 0..600_u64 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let choice = (random >> 33) as usize;
        let moves = game.legal_moves();
        if moves.is_empty() || choice.is_multiple_of(7) {
            for _ in 0..made.len().min(1 + choice % 5) {
                let (mv, before) = made.pop().expect("a move");
                game.undo(mv, before);
            }
        } else {
            let mv = moves[choice % moves.len()];
            made.push((mv, game.make(mv)));
        }
        let network = networks[usize::from(step.is_multiple_of(11))];
        if !has_bare_king(game.board()) {
            let [narrow, wide, widest] = &mut kept;
            let sums = [
                narrow.of::<64>(network, &game.position),
                wide.of::<128>(network, &game.position),
                widest.of::<256>(network, &game.position),
            ];
            let [narrow, wide, widest] = sums.map(|sums| network.output(game.board(), sums));
            let expected = plain_value(network, game.board());
            let values = [ByNetwork(network).evaluate(&game), narrow, wide, widest];
            assert_eq!(values, [expected; 4], "{}", game.board());
        }
    }
}

#[test]
fn the_network_that_comes_with_the_program_is_read() {
    assert_eq!(Network::parse(include_bytes!("weights.net")).as_ref(), Ok(Network::built_in()));
    assert_ne!(Network::built_in(), &Network::new(&[], &[], [0; STAGES]));
}

#[test]
fn a_file_is_read_as_it_was_written_and_a_wrong_one_is_refused() {
    let network = network(3);
    let mut file = format!("{}# by hand\n\n", Network::HEADER).into_bytes();
    file.extend(network.bytes());
    assert_eq!(Network::parse(&file).as_ref(), Ok(network));
    let refused = |bytes: &[u8]| Network::parse(bytes).expect_err("an error").to_string();
    assert!(refused(&file[..file.len() - 1]).contains("bytes should follow"));
    assert!(refused(&[&file[..], b"0"].concat()).contains("bytes should follow"));
    assert!(refused(b"# A network for chess.\n# no end").contains("empty line"));
    assert!(refused(b"tempo 1 2\n").contains("first line"));
    let end = file.len();
    for (at, bytes) in [(end - 1, vec![127]), (end - 40, vec![0, 1]), (end - 10_000, vec![0, 100])] {
        let mut wrong = file.clone();
        wrong[at..at + bytes.len()].copy_from_slice(&bytes);
        assert!(refused(&wrong).contains("too large"), "{at}");
    }
}

/// With the largest numbers that a file may have, nothing overflows, and values stay below those of won games.
#[test]
fn the_largest_weights_give_values_that_are_not_wins() {
    let bias = LIMITS.output_bias;
    for sign in [1, -1] {
        let inputs = vec![LIMITS.input; (INPUTS + 1) * HIDDEN];
        let outputs = vec![LIMITS.output * sign; 2 * STAGES * HIDDEN];
        let network = Network::new(&inputs, &outputs, [bias * i32::from(sign); STAGES]);
        let mut file = format!("{}\n", Network::HEADER).into_bytes();
        file.extend(network.bytes());
        let network: &'static Network = Box::leak(Box::new(Network::parse(&file).expect("within limits")));
        let value = ByNetwork(network).evaluate(&Chess::new());
        assert_eq!(value, plain_value(network, Chess::new().board()));
        assert!(value.abs() < gt_search::UNMEASURED_WIN_MIN && value.signum() == i32::from(sign), "{value}");
    }
}
