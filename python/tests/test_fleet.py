"""Many logs: one query, damaged ones told apart, answers joined."""

import pathlib

import polars
import pytest

import gt_tools


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("fleet")
    for number in range(6):
        inner = folder / f"run{number % 2}"
        inner.mkdir(exist_ok=True)
        path = inner / f"{number}.gtf"
        gt_tools.search("tic-tac-toe", depth=3 + number % 3, log=path)
    (folder / "run0" / "broken.gtf").write_bytes((folder / "run0" / "0.gtf").read_bytes()[:40])
    with gt_tools.create(folder / "run1" / "other.gtf", {"worth": "i8"}) as log, log.tree() as tree:
        tree.leaf(0, 1)
    return folder


def sound(folder: pathlib.Path) -> "list[pathlib.Path]":
    return sorted(folder.glob("run?/[0-9].gtf"))


def test_every_log_has_its_rows(fleet: pathlib.Path) -> None:
    answer = gt_tools.query_many(f"{fleet}/**/*.gtf", "node: count(best > 0)", metadata=["algorithm"])
    assert answer.columns == ["log", "tree", "algorithm", "count", "error"]
    frame = polars.DataFrame(answer)
    for path in sound(fleet):
        expected = [tree.query("node: count(best > 0)").count for tree in gt_tools.open(path).trees]
        rows = frame.filter(polars.col("log") == str(path)).sort("tree")
        assert rows["count"].to_list() == expected
        assert rows["algorithm"].to_list() == ["pvs"] * len(expected)
    assert {pathlib.Path(path).name for path in answer.errors} == {"broken.gtf", "other.gtf"}
    wrong = frame.filter(polars.col("error").is_not_null()).sort("log")
    assert wrong["count"].to_list() == [None, None]
    assert "header" in wrong["error"][0] and "`best` is not an attribute" in wrong["error"][1]


def test_joined_answers_are_those_of_all_nodes(fleet: pathlib.Path) -> None:
    trees = [tree for path in sound(fleet) for tree in gt_tools.open(path).trees]
    nodes = polars.concat([polars.DataFrame(tree.table("ply", "best")) for tree in trees])
    paths = sound(fleet)
    ask = lambda text: gt_tools.query_many(paths, text, combine=True).rows()  # noqa: E731
    assert ask("node: count(*)") == [(len(nodes),)]
    assert ask("node: sum(best)") == [(nodes["best"].sum(),)]
    assert ask("node: min(best)") == [(nodes["best"].min(),)]
    assert ask("node: avg(best)")[0][0] == pytest.approx(nodes["best"].mean())
    assert ask("node: stddev(best)")[0][0] == pytest.approx(nodes["best"].std(ddof=0))
    assert ask("node: median(best)") == [(nodes["best"].sort()[(len(nodes) + 1) // 2 - 1],)]
    assert ask("node: count(distinct best)") == [(nodes["best"].n_unique(),)]
    groups = ask("group by @ply select @ply, count(*), max(best), avg(best), 100 * count(best > 0) / count(*) order by @ply desc")
    by_ply = nodes.group_by("ply").agg(
        polars.len().alias("count"),
        polars.col("best").max().alias("max"),
        polars.col("best").mean().alias("mean"),
        (polars.col("best") > 0).sum().alias("positive"),
    )
    expected = by_ply.sort("ply", descending=True).rows()
    assert [row[:3] for row in groups] == [row[:3] for row in expected]
    assert [row[3] for row in groups] == pytest.approx([row[3] for row in expected])
    assert [row[4] for row in groups] == pytest.approx([100 * row[4] / row[1] for row in expected], abs=1)


def test_joining_tells_of_logs_without_an_answer(fleet: pathlib.Path) -> None:
    answer = gt_tools.query_many(f"{fleet}/**/*.gtf", "node: count(best > 0)", combine=True)
    assert len(answer.errors) == 2 and len(answer) == 1


def test_errors_can_be_raised(fleet: pathlib.Path) -> None:
    for combine in (False, True):
        with pytest.raises(gt_tools.GtError, match="broken.gtf|other.gtf"):
            gt_tools.query_many(f"{fleet}/**/*.gtf", "node: count(best > 0)", errors="raise", combine=combine)


@pytest.mark.parametrize(
    ("query", "options", "sentence"),
    [
        ("node: best > 0", {"combine": True}, "lists nodes"),
        ("node: first(best)", {"combine": True}, "`first`"),
        ("node: count(beast)", {}, "beast"),
        ("[a]\nnode: count(*)\n\n[b]\nnode: count(*)", {}, "one query at a time"),
        ("node: count(*)", {"errors": "ignore"}, '"row" or "raise"'),
    ],
)
def test_wrong_requests(fleet: pathlib.Path, query: str, options: dict, sentence: str) -> None:
    with pytest.raises(gt_tools.QueryError, match=sentence):
        gt_tools.query_many(sound(fleet), query, **options)


def test_no_log_at_all(tmp_path: pathlib.Path) -> None:
    with pytest.raises(gt_tools.LogError, match="no file has a name of this form"):
        gt_tools.query_many(f"{tmp_path}/*.gtf", "node: count(*)")
    with pytest.raises(gt_tools.LogError):
        gt_tools.query_many([], "node: count(*)")
    with pytest.raises(gt_tools.LogError, match="missing.gtf"):
        gt_tools.query_many([tmp_path / "missing.gtf"], "node: count(*)")


def test_parameters_and_threads(fleet: pathlib.Path) -> None:
    one = gt_tools.query_many(sound(fleet), "node: count(best > $x)", x=0, threads=1).rows()
    four = gt_tools.query_many(sound(fleet), "node: count(best > $x)", x=0, threads=4).rows()
    assert one == four
    assert one != gt_tools.query_many(sound(fleet), "node: count(best > $x)", x=-(10**6)).rows()
