use super::*;

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("e.epd"), "8/8/8/8/8/8/8/K1k5 w - - id \"a \\\\ b\";\n").unwrap();
    let suite = folder.path().join("s.toml");
    let text = "[engine]\ncommand = 'engine {position} {log}'\n[[position]]\nfile = 'e.epd'\ndepth = 3\n\
                [[check]]\nname = 'positions'\nquery = 'node: *'\nexpect = 'same as baseline'\n";
    std::fs::write(&suite, text).unwrap();
    let suite = Suite::read(&suite).unwrap();
    let mut baseline = Baseline::frame(&suite, Some("7.1 \"beta\"\n\u{1b}".to_owned()));
    let numbers = [("a, tree 0".to_owned(), 12.0), ("sum".to_owned(), 0.25)];
    baseline.numbers.insert("positions".to_owned(), numbers.into());
    let path = folder.path().join("s.baseline.toml");
    baseline.write(&path).unwrap();
    assert_eq!(Baseline::read(&path, &suite).unwrap(), Some(baseline));
    assert_eq!(Baseline::read(&folder.path().join("none"), &suite).unwrap(), None);
}
