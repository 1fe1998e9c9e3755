//! What is wrong with a suite is said in a sentence, with exit code 2.

use crate::command::gt;
use crate::folder::{Folder, about_log};

const CHECK: &str = "[[check]]\nname = 'it'\nquery = 'node: *'\nexpect = '= 0'\n";
const LOG: &str = "[[log]]\nfile = 't.gtf'\n";
const ENGINE: &str = "[engine]\ncommand = 'engine {position} {depth} {log}'\n[limits]\ndepth = 3\n";

#[test]
fn every_mistake_has_its_sentence() {
    let folder = Folder::with_log();
    for (suite, sentence) in [
        (CHECK.to_owned(), "s.toml: there is no `[[log]]` and no `[[position]]`"),
        (LOG.to_owned(), "s.toml: there is no `[[check]]`"),
        (
            format!("{LOG}{CHECK}exepct = '= 0'"),
            "s.toml:7: [[check]] has no key `exepct`; did you mean `expect`?",
        ),
        (format!("{LOG}{CHECK}[[chek]]\nname = 'x'"), "has no key `chek`; did you mean `check`?"),
        (
            format!("{LOG}tree = 'lst'\n{CHECK}"),
            "s.toml:3: `tree` is \"all\", \"last\", \"largest\" or a number",
        ),
        (format!("{LOG}tree = 9\n{CHECK}"), "tree 9"),
        (format!("[[log]]\nfile = 'none.gtf'\n{CHECK}"), "s.toml:2: there is no log none.gtf"),
        (format!("[[log]]\nfile = 's.toml'\n{CHECK}"), "s.toml: "),
        (format!("{LOG}{CHECK}{CHECK}"), "two checks are called `it`"),
        (format!("{LOG}{LOG}{CHECK}"), "two logs or positions are called `t.gtf`"),
        (format!("{LOG}[[check]]\nname = 'x'\nexpect = '= 0'"), "[[check]] needs the key `query`"),
        (
            format!("{LOG}{}", CHECK.replace("query", "qeury")),
            "s.toml:5: [[check]] has no key `qeury`; did you mean `query`?",
        ),
        (format!("{LOG}[[check]]\nquery = 'node: *'\nexpect = '= 0'"), "[[check]] needs the key `name`"),
        (format!("{LOG}{}", CHECK.replace("= 0'", "is 0'")), "an expectation is written `= 0`"),
        (format!("{LOG}{}", CHECK.replace("= 0'", "<= 5%'")), "is a percentage of what?"),
        (format!("{LOG}{CHECK}over = 'each treee'"), "did you mean \"each tree\"?"),
        (format!("{LOG}{CHECK}name2 = 3 3"), "s.toml:7: "),
        (
            format!("{LOG}[[check]]\nname = 7\nquery = 'node: *'"),
            "`name` of [[check]] is a text in quotes, not an integer",
        ),
        (format!("{LOG}[[check]]\npack = 'alfa'\n"), "there is no pack `alfa`; there is alpha-beta"),
        (
            format!("{LOG}[[check]]\npack = 'alpha-beta'\ncheck = 'empty window'\n"),
            "has no check `empty window`; did you mean `empty windows`?",
        ),
        (format!("{CHECK}[[position]]\nposition = 'x'"), "no `[engine]` that searches them"),
        (
            format!("{CHECK}{ENGINE}[[position]]\nmoves = 'e2e4'"),
            "the engine's command has `{position}`, but",
        ),
        (
            format!("{CHECK}{ENGINE}[[position]]\nposition = 'x'\nmoves = 'e2e4'"),
            "no place for moves: `{moves}`",
        ),
        (format!("{CHECK}{}[[position]]\nposition = 'x'", ENGINE.replace("{log}", "")), "it needs `{log}`"),
        (
            format!("{CHECK}{}[[position]]\nposition = 'x'", ENGINE.replace("{depth}", "{dept}")),
            "nothing is filled in for `{dept}`; did you mean `{depth}`?",
        ),
        (
            format!("{CHECK}{ENGINE}time = 'soon'\n[[position]]\nposition = 'x'"),
            "`time` is a time such as 10",
        ),
        (format!("{CHECK}{ENGINE}[[position]]\nfile = 'none.epd'"), "none.epd: "),
        (
            format!(
                "{CHECK}{}[[position]]\nposition = 'x'",
                ENGINE.replace("engine {", "./no-such-engine {")
            ),
            "no-such-engine` cannot be started",
        ),
    ] {
        let (code, out, errors) = folder.check(&suite, &[]);
        assert_eq!(code, 2, "{suite}\n{out}{errors}");
        assert!(errors.contains(sentence), "{suite}\nsaid: {errors}\nnot:  {sentence}");
    }
}

#[test]
fn queries_that_do_not_bind_are_drawn() {
    let folder = Folder::with_log();
    for (query, sentence) in [
        ("node: typ & PVNode", "did you mean `type`?"),
        ("node: best >", "expected"),
        ("group by @ply select @ply, count(*)", "it gives rows of groups, and a check needs one number"),
        ("node: any(best > 0)", "it gives a truth value, and a check needs a number"),
        ("node: best > 0\n\nnode: best < 0", "a check has one query, not 2"),
        ("node: best > $x", "`$x` has no value"),
    ] {
        let check = format!("query = '''{query}'''\nexpect = \"= 0\"");
        let (code, out, errors) = folder.check(&about_log("\"all\"", &check), &[]);
        assert_eq!(code, 2, "{query}: {out}{errors}");
        assert!(errors.contains(sentence) && errors.contains("check `it`"), "{query}: {errors}");
        assert!(out.contains("ERR   it"), "{out}");
    }
}

#[test]
fn the_command_line_is_checked_too() {
    let folder = Folder::with_log();
    folder.write("s.toml", &format!("{LOG}{CHECK}"));
    for (words, sentence) in [
        (&["check", "none.toml"][..], "none.toml: "),
        (&["check"], "required"),
        (&["check", "s.toml", "s.toml"], "one suite at a time"),
        (&["check", "--pack", "alfa", "t.gtf"], "there is no pack `alfa`"),
        (&["check", "--pack", "alpha-beta", "none.gtf"], "none.gtf"),
        (
            &["check", "s.toml", "--only", "nothing"],
            "no check, log or position is called `nothing`; there are `it`",
        ),
        (&["check", "s.toml", "--keep", "."], "it is not empty"),
    ] {
        let (code, out, errors) = gt(folder.path(), words);
        assert_eq!(code, 2, "{words:?}: {out}{errors}");
        assert!(errors.contains(sentence), "{words:?}: {errors}");
    }
}

#[test]
fn half_a_log_is_no_subject() {
    let folder = Folder::with_log();
    let bytes = std::fs::read(folder.path().join("t.gtf")).unwrap();
    std::fs::write(folder.path().join("t.gtf"), &bytes[..bytes.len() - 40]).unwrap();
    let (code, _, errors) = folder.check(&format!("{LOG}{CHECK}"), &[]);
    assert_eq!(code, 2);
    assert!(errors.contains("t.gtf") && errors.contains("half a log proves nothing"), "{errors}");
}
