//! The ready pack catches every planted fault, each by the check that is made for it, and nothing where none is planted.

use gt_search::Fault;
use serde_json::Value;

use crate::command::{gt, says};
use crate::folder::Folder;

/// The check that must find a fault.
fn finder(fault: Fault) -> &'static str {
    match fault {
        Fault::QuietMovesInQuiescence => "quiescence explosions",
        Fault::EndlessExtensions => "extension chains",
        Fault::EmptyWindow => "empty windows",
        Fault::CutoffBelowBeta => "values against windows",
        Fault::DepthKept => "depth that does not shrink",
        Fault::OrderReversed => "first-move cut-offs",
        Fault::RootOrderReversed => "best-move changes",
        Fault::NeedlessResearch => "re-search rate",
        Fault::OptimisticScout => "re-searches in vain",
        Fault::ShallowTableAnswers => "shallow table answers",
        Fault::DoubleNullMove => "null move below null move",
        Fault::MovesForgotten => "inner nodes without children",
    }
}

const POSITION: &str = "4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -";

/// The names of the checks of the pack with this verdict.
fn verdicts(folder: &Folder, fault: Option<Fault>, status: &str) -> Vec<String> {
    let mut words = vec!["search", "chess", "--position", POSITION, "--depth", "8", "--nodes", "200000"];
    words.extend(["--with", "table_depth", "--log", "run.gtf", "--force"]);
    if let Some(fault) = fault {
        words.extend(["--fault", fault.name()]);
    }
    says(folder.path(), &words);
    let (_, out, errors) =
        gt(folder.path(), &["check", "--pack", "alpha-beta", "run.gtf", "--format", "json"]);
    assert_eq!(errors, "");
    let report: Value = serde_json::from_str(&out).unwrap();
    let checks = report["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["status"] == status)
        .map(|check| check["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn our_engine_passes_the_whole_pack() {
    let held = verdicts(&Folder::new(), None, "holds");
    assert_eq!(held.len(), Fault::ALL.len(), "every check holds, none is skipped: {held:?}");
}

#[test]
fn every_fault_is_caught() {
    let folder = Folder::new();
    for fault in Fault::ALL {
        let failed = verdicts(&folder, Some(fault), "fails");
        assert!(failed.iter().any(|name| name == finder(fault)), "{}: {failed:?}", fault.name());
    }
}

#[test]
fn every_check_of_the_pack_has_a_fault_that_it_catches() {
    let pack = gt_check::Pack::named("alpha-beta").unwrap();
    for name in pack.check_names() {
        assert!(Fault::ALL.into_iter().any(|fault| finder(fault) == name), "no fault is caught by `{name}`");
    }
}
