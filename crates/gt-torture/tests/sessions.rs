//! Some dozens of sessions through Rust and through C, each against the plain model; `make torture` runs them for longer.

use gt_torture::check::Thoroughness;
use gt_torture::session::{Through, sessions};
use gt_torture::{check, inputs, model, random, run, run_c};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

/// Some dozens of cases, or as many as `PROPTEST_CASES` says; what fails is kept beside this file.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(75);
    let kept = Box::new(FileFailurePersistence::WithSource("proptest-regressions"));
    ProptestConfig {
        cases,
        max_shrink_iters: 4000,
        failure_persistence: Some(kept),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_session_of_rust_is_answered_right(
        session in sessions(160, Through::Rust),
        questions in proptest::collection::vec(random::query_file(), 0..4),
    ) {
        let expected = model::expect(&session);
        check::session(&run::run(&session), &expected, &questions, Thoroughness::Full).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_session_of_c_is_answered_right(
        session in sessions(160, Through::C),
        questions in proptest::collection::vec(random::query_file(), 0..4),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let expected = model::expect(&session);
        check::session(&run_c::run(&session, folder.path()), &expected, &questions, Thoroughness::Full).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_parser_reads_or_refuses_what_it_is_given(inputs in proptest::collection::vec(inputs::changed(), 10)) {
        inputs.iter().for_each(inputs::Changed::run);
    }
}
