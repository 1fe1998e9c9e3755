//! Any bytes as an evaluation of chess: read or refused, and what is read is written alike and says who stands better, not
//! who has won.

use gt_games::Chess;
use gt_games::chess::evaluate::{Weighted, Weights};
use gt_games::chess::network::{ByNetwork, Network};
use gt_search::{Evaluate, UNMEASURED_WIN_MIN};

pub(super) fn run(bytes: &[u8]) {
    if let Ok(network) = Network::parse(bytes) {
        let again = [Network::HEADER.as_bytes(), b"\n", &network.bytes()].concat();
        assert_eq!(Network::parse(&again).as_ref(), Ok(&network));
        // Leaks, as evaluations do: few changed networks are within their limits.
        check_value(ByNetwork(Box::leak(Box::new(network))));
    }
    if let Ok(weights) = Weights::parse(&String::from_utf8_lossy(bytes)) {
        assert_eq!(Weights::parse(&weights.text()).as_ref(), Ok(&weights));
        check_value(Weighted(Box::leak(Box::new(weights))));
    }
}

fn check_value(evaluation: impl Evaluate<Chess>) {
    let value = evaluation.evaluate(&Chess::new());
    assert!(value.abs() < UNMEASURED_WIN_MIN, "{value}");
}
