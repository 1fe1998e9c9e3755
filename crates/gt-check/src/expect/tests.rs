use super::*;

#[track_caller]
fn read(text: &str) -> Expectation {
    text.parse().unwrap()
}

#[test]
fn comparisons_hold_up_to_their_limit() {
    for (text, holds, fails) in [
        ("= 0", &[0.0][..], &[1.0, -1.0][..]),
        ("!= 0", &[1.0, -1.0], &[0.0]),
        ("< 100", &[99.0, -5.0], &[100.0, 101.0]),
        ("<= 1_000", &[1000.0], &[1000.5]),
        ("> 2.5", &[2.6], &[2.5, 2.0]),
        (">=80", &[80.0, 81.0], &[79.9]),
        ("between 10 and 20", &[10.0, 15.0, 20.0], &[9.9, 20.1]),
        ("between -3 and -1", &[-2.0], &[0.0]),
    ] {
        let expectation = read(text);
        assert!(!expectation.needs_baseline(), "{text}");
        assert!(holds.iter().all(|number| expectation.holds(*number, None)), "{text}");
        assert!(!fails.iter().any(|number| expectation.holds(*number, None)), "{text}");
    }
}

#[test]
fn baselines_are_compared_with() {
    for (text, holds, fails) in [
        ("same as baseline", &[200.0][..], &[199.0, 201.0][..]),
        ("within 10% of baseline", &[180.0, 220.0], &[179.0, 221.0]),
        ("within 3 of baseline", &[197.0, 203.0], &[196.0, 204.0]),
        ("<= baseline", &[200.0, 3.0], &[200.1]),
        ("<= 110% of baseline", &[220.0, 0.0], &[220.1]),
        ("> 50% of baseline", &[101.0], &[100.0]),
    ] {
        let expectation = read(text);
        assert!(expectation.needs_baseline(), "{text}");
        assert!(holds.iter().all(|number| expectation.holds(*number, Some(200.0))), "{text}");
        assert!(!fails.iter().any(|number| expectation.holds(*number, Some(200.0))), "{text}");
        assert!(!expectation.holds(200.0, None), "{text} without a baseline");
    }
    assert!(read("within 10% of baseline").holds(-105.0, Some(-100.0)), "of a negative baseline");
}

#[test]
fn percentages_say_of_what() {
    assert_eq!(read("<= 2% of nodes").scale(), Scale::PercentOfNodes);
    assert_eq!(read("between 5% and 10% of nodes").scale(), Scale::PercentOfNodes);
    assert_eq!(read(">= 80%").scale(), Scale::Percent);
    assert_eq!(read("<= 110% of baseline").scale(), Scale::Plain);
    assert_eq!(read("  <=   2%  of nodes ").to_string(), "<= 2% of nodes");
}

#[test]
fn what_is_no_expectation_is_refused_with_the_forms() {
    for text in
        ["", "0", "= many", "within 10%", "between 1", "== 0", "<= 5 of baseline", "= 1e999", "at most 5"]
    {
        let error = text.parse::<Expectation>().unwrap_err();
        assert!(error.contains("an expectation is written"), "{text}: {error}");
    }
}
