"""Spark: a cluster of two executors on this machine, one of which is killed in mid-job; damaged logs among the files."""

import os
import pathlib
import re
import shutil
import signal
import sys
import threading
import time
import zipfile

import pytest

import gt_tools

pyspark = pytest.importorskip("pyspark", reason="there is no pyspark here: pip install './python[spark]'")
if shutil.which("java") is None:
    pytest.skip("there is no Java here, and Spark needs one", allow_module_level=True)

import gt_tools.spark  # noqa: E402

COUNT = "node: count(best > 0)"


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    # The executors run in the driver's environment, which has the package.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # Three short-lived Java machines: to compile their code twice, or to collect garbage with many threads, does not pay.
    own = os.environ.get("JAVA_TOOL_OPTIONS", "")
    os.environ["JAVA_TOOL_OPTIONS"] = f"{own} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    # A task that fails is tried a second time, and not four times.
    builder = builder.config("spark.task.maxFailures", "2")
    session = builder.config("spark.log.level", "OFF").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Forty logs, one that breaks off in its header, one that lost its end, one with zeros in the middle, one of other attributes."""
    folder = tmp_path_factory.mktemp("spark")
    for number in range(40):
        gt_tools.search("tic-tac-toe", depth=3 + number % 4, log=folder / f"{number:02}.gtf")
    sound = (folder / "03.gtf").read_bytes()
    (folder / "broken.gtf").write_bytes(sound[:50])
    (folder / "cut.gtf").write_bytes(sound[:-200])
    start, end = len(sound) * 3 // 10, len(sound) * 7 // 10
    (folder / "holed.gtf").write_bytes(sound[:start] + bytes(end - start) + sound[end:])
    with gt_tools.create(folder / "other.gtf", {"worth": "i8"}) as log, log.tree() as tree:
        tree.leaf(0, 1)
    return folder


WRONG = ["broken.gtf", "cut.gtf", "holed.gtf", "other.gtf"]


def sound(folder: pathlib.Path) -> "list[pathlib.Path]":
    return sorted(folder.glob("[0-9]*.gtf"))


def test_answers_are_those_of_one_machine(spark, fleet: pathlib.Path) -> None:
    text = "node: @ply = 2 select node_id, best, @line"
    frame = gt_tools.spark.query(spark, f"{fleet}/*.gtf", text, metadata=["algorithm"])
    # The types are known before anything runs.
    assert [(field.name, field.dataType.simpleString()) for field in frame.schema] == [
        ("log", "string"),
        ("tree", "bigint"),
        ("algorithm", "string"),
        ("node_id", "bigint"),
        ("best", "bigint"),
        ("@line", "string"),
        ("error", "string"),
    ]
    found = [tuple(row) for row in frame.collect()]
    expected = gt_tools.query_many(f"{fleet}/*.gtf", text, metadata=["algorithm"]).rows()
    assert sorted(found, key=repr) == sorted(expected, key=repr)
    wrong = sorted(pathlib.Path(row[0]).name for row in found if row[-1] is not None)
    assert wrong == WRONG
    assert {row[0] for row in found if row[-1] is None} == {str(path) for path in sound(fleet)}


def test_each_log_says_what_is_wrong_with_it(spark, fleet: pathlib.Path) -> None:
    frame = gt_tools.spark.query(spark, f"{fleet}/*.gtf", COUNT)
    sentences = {pathlib.Path(row["log"]).name: row["error"] for row in frame.where("error is not null").collect()}
    assert "header" in sentences["broken.gtf"] and "not closed" in sentences["cut.gtf"]
    assert "`best` is not an attribute" in sentences["other.gtf"]
    as_far_as_it_goes = gt_tools.spark.query(spark, [fleet / "cut.gtf"], COUNT, cut="answer").collect()
    assert [row["error"] for row in as_far_as_it_goes] == [None] * len(as_far_as_it_goes) != []


def test_errors_can_fail_the_job(spark, fleet: pathlib.Path) -> None:
    for combine in (False, True):
        frame = gt_tools.spark.query(spark, [*sound(fleet), fleet / "broken.gtf"], COUNT, errors="raise", combine=combine)
        with pytest.raises(Exception, match="broken.gtf"):
            frame.collect()


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("node: count(beast)", {}, "beast"),
        ("node: best > 0", {"combine": True}, "lists nodes"),
        ("node: first(best)", {"combine": True}, "`first`"),
        ("node: count(*)", {"errors": "ignore"}, '"row" or "raise"'),
        ("node: count(*)", {"cut": "off"}, '"error" or "answer"'),
    ],
)
def test_wrong_requests_never_start_a_job(spark, fleet: pathlib.Path, text: str, options: dict, sentence: str) -> None:
    with pytest.raises(gt_tools.QueryError, match=sentence):
        gt_tools.spark.query(spark, sound(fleet), text, **options)
    with pytest.raises(gt_tools.LogError, match="no file has a name of this form"):
        gt_tools.spark.query(spark, f"{fleet}/*.nothing", text)


@pytest.mark.parametrize(
    "text",
    [
        COUNT,
        "node: avg(best)",
        "group by @ply select @ply, count(*), sum(best), avg(best), min(best), max(best) order by @ply desc",
        "group by best select best, count(*) limit 3",
        "node: median(best)",
        "group by @ply select @ply, stddev(best), count(distinct best), quantile(best, 0.9), arg_max(best, @ply)",
    ],
)
def test_partial_answers_are_joined(spark, fleet: pathlib.Path, text: str) -> None:
    frame = gt_tools.spark.query(spark, f"{fleet}/*.gtf", text, combine=True)
    assert frame.schema.names[-1] == "error"
    rows = frame.collect()
    expected = gt_tools.query_many(f"{fleet}/*.gtf", text, combine=True).rows()
    found = [tuple(row)[:-1] for row in rows if row["error"] is None]
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one == pytest.approx(other)
    wrong = [row["error"].split(":")[0] for row in rows if row["error"] is not None]
    assert sorted(pathlib.Path(path).name for path in wrong) == WRONG


def test_large_logs_are_divided_by_blocks(spark, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wide.gtf"
    with gt_tools.create(path, {"value": "i32"}) as log, log.tree() as tree, tree.node() as root:
        for number in range(300_000):
            tree.leaf(number + 1, number * 7919 % 100_003)
        root.value = -1
    monkeypatch.setattr("gt_tools._tasks.PIECE_BYTES", path.stat().st_size // 5)
    for text in ("node: value < 50", "node: value < 50 select node_id, value"):
        rows = gt_tools.spark.query(spark, [path], text, tasks=6)
        assert rows.rdd.getNumPartitions() > 3
        expected = gt_tools.query_many([path], text).rows()
        assert sorted(tuple(row) for row in rows.collect()) == sorted(expected)
    for text in ("group by value / 10000 select value / 10000, count(*), avg(value)", "node: count(*); child: count(*) > 3"):
        frame = gt_tools.spark.query(spark, [path], text, combine=True, tasks=6)
        expected = gt_tools.query_many([path], text, combine=True).rows()
        assert [tuple(row)[:-1] for row in frame.collect()] == [pytest.approx(row) for row in expected]
    # A count of each tree is one row: its log is one piece of work.
    assert [row["count"] for row in gt_tools.spark.query(spark, [path], "node: count(value < 50)").collect()] == [151]


def test_addresses_are_read_by_fsspec(spark, fleet: pathlib.Path) -> None:
    frame = gt_tools.spark.query(spark, f"file://{fleet}/0*.gtf", COUNT)
    found = sorted((row["log"], row["tree"], row["count"]) for row in frame.collect())
    expected = gt_tools.query_many(f"{fleet}/0*.gtf", COUNT).rows()
    assert found == sorted((f"file://{log}", tree, count) for log, tree, count, _ in expected)
    total = gt_tools.spark.query(spark, f"file://{fleet}/0*.gtf", COUNT, combine=True).collect()
    assert total[0]["count"] == sum(row[2] for row in expected)
    missing = gt_tools.spark.query(spark, [f"file://{fleet}/00.gtf", f"file://{fleet}/none.gtf"], COUNT)
    assert [row["log"] for row in missing.where("error is not null").collect()] == [f"file://{fleet}/none.gtf"]
    with pytest.raises(gt_tools.LogError, match="nowhere://"):
        gt_tools.spark.query(spark, "nowhere://logs/*.gtf", COUNT)


def test_logs_in_an_archive_are_read_by_every_executor(spark, fleet: pathlib.Path, tmp_path: pathlib.Path) -> None:
    archive = tmp_path / "logs.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sound(fleet)[:4]:
            packed.write(path, path.name)
    frame = gt_tools.spark.query(spark, f"zip://*.gtf::file://{archive}", COUNT)
    found = sorted((row["log"], row["tree"], row["count"]) for row in frame.collect())
    expected = gt_tools.query_many(sound(fleet)[:4], COUNT).rows()
    named = [(f"zip://{pathlib.Path(log).name}::file://{archive}", tree, count) for log, tree, count, _ in expected]
    assert found == sorted(named)


def test_unsigned_numbers_and_parameters(spark, tmp_path: pathlib.Path) -> None:
    with gt_tools.create(tmp_path / "keys.gtf", {"key": "u64"}) as log, log.tree() as tree:
        tree.leaf(0, 2**64 - 1)
    frame = gt_tools.spark.query(spark, tmp_path / "keys.gtf", "node: key > $least select key", least=5)
    assert frame.schema["key"].dataType.simpleString() == "decimal(20,0)"
    assert [int(row["key"]) for row in frame.collect()] == [2**64 - 1]


def test_expectations_are_held_against_every_log(spark, fleet: pathlib.Path) -> None:
    checks = {"windows": ("node: alpha >= beta", "= 0"), "small": ("node: count(*)", "< 100")}
    rows = gt_tools.spark.check(spark, f"{fleet}/*.gtf", checks).collect()
    right = [row for row in rows if row["error"] is None]
    for path in sound(fleet):
        for tree in gt_tools.open(path).trees:
            own = [row for row in right if (row["log"], row["tree"]) == (str(path), tree.number)]
            assert {row["check"]: (row["value"], row["holds"]) for row in own} == {
                "windows": (0.0, True),
                "small": (tree.nodes, tree.nodes < 100),
            }
    assert {row["holds"] for row in right if row["check"] == "small"} == {True, False}
    wrong = {(row["check"], pathlib.Path(row["log"]).name) for row in rows if row["error"] is not None}
    assert wrong >= {(name, log) for name in checks for log in ("broken.gtf", "cut.gtf")}
    with pytest.raises(gt_tools.QueryError, match="begins with no comparison"):
        gt_tools.spark.check(spark, sound(fleet), {"odd": (COUNT, "about 3")})


SUITE = """
[[position]]
position = "a position that this fleet does not search"

[[check]]
name = "above"
query = "node: best > $x"
param = { x = 2000000000 }
expect = "= 0"

[[check]]
name = "share of the leaves"
query = "node: @children = 0"
expect = "between 1% and 99% of nodes"
over = "last iteration"

[[check]]
name = "all of them"
query = "node: count(*)"
expect = "= 1"
over = "sum"
"""


def test_a_suite_is_held_against_a_fleet(spark, fleet: pathlib.Path, tmp_path: pathlib.Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)
    logs = [*sound(fleet)[:6], fleet / "broken.gtf"]
    rows = gt_tools.spark.check(spark, logs, suite).collect()
    trees = [tree for path in logs[:6] for tree in gt_tools.open(path).trees]
    by_check = {name: [row for row in rows if row["check"] == name and row["error"] is None] for name in
                ("above", "share of the leaves", "all of them")}
    assert len(by_check["above"]) == len(trees) and all(row["holds"] for row in by_check["above"])
    # Of each search the trees of its last depth, one for each window.
    deepest = 0
    for path in logs[:6]:
        depths = [tree.metadata["nominal_depth"] for tree in gt_tools.open(path).trees]
        deepest += depths.count(depths[-1])
    assert len(by_check["share of the leaves"]) == deepest and all(row["holds"] for row in by_check["share of the leaves"])
    (total,) = by_check["all of them"]
    assert (total["log"], total["value"], total["holds"]) == (None, sum(tree.nodes for tree in trees), False)
    assert {row["check"] for row in rows if row["error"] is not None} == set(by_check)
    suite.write_text(SUITE.replace('"= 1"', '"same as baseline"'))
    with pytest.raises(gt_tools.QueryError, match="baseline"):
        gt_tools.spark.check(spark, logs, suite)


def test_the_chapter_runs(spark, fleet: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of the manual for Spark, in a folder with logs and a suite."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(fleet, tmp_path / "logs")
    (tmp_path / "suite.toml").write_text(SUITE)
    text = (pathlib.Path(__file__).parent.parent.parent / "docs" / "fleet.md").read_text()
    blocks = re.findall(r"^```python,spark\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    names: "dict[str, object]" = {"spark": spark}
    for block in blocks:
        exec(compile(block, "fleet.md", "exec"), names)


def test_an_executor_that_is_killed_costs_no_answer(spark, fleet: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """One executor is killed while its first task runs; Spark does its tasks again elsewhere."""
    began = tmp_path / "began"
    killed: "list[int]" = []

    def kill_one() -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until and not began.exists():
            time.sleep(0.02)
        for process in executors_below(os.getpid()):
            os.kill(process, signal.SIGKILL)
            killed.append(process)
            return

    thread = threading.Thread(target=kill_one)
    paths = [*sound(fleet), fleet / "broken.gtf"]
    frame = slow(gt_tools.spark.query(spark, paths, COUNT, tasks=8), str(began))
    thread.start()
    rows = frame.collect()
    thread.join()
    assert killed, "no executor was found"
    found = sorted((row["log"], row["tree"], row["count"]) for row in rows if row["error"] is None)
    expected = gt_tools.query_many(sound(fleet), COUNT).rows()
    assert found == sorted((log, tree, count) for log, tree, count, _ in expected)
    assert [pathlib.Path(row["log"]).name for row in rows if row["error"] is not None] == ["broken.gtf"]


def slow(frame, began: str):
    """The same rows, their tasks taking a moment longer; a file tells that one is under way."""

    def wait(batches):
        for batch in batches:
            pathlib.Path(began).touch()
            time.sleep(0.5)
            yield batch

    return frame.mapInArrow(wait, frame.schema)


def executors_below(ancestor: int) -> "list[int]":
    """The processes of Spark's executors that this process started, directly or not."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if b"CoarseGrainedExecutorBackend" in (entry / "cmdline").read_bytes() and is_below(entry, ancestor):
                found.append(int(entry.name))
        except OSError:
            # It has ended since.
            continue
    return found


def is_below(process: pathlib.Path, ancestor: int) -> bool:
    while process.name not in ("0", "1"):
        if int(process.name) == ancestor:
            return True
        process = process.parent / (process / "stat").read_text().rsplit(")", 1)[1].split()[1]
    return False
