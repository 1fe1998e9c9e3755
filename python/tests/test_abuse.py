"""Bad input is an exception of ours, with a sentence; no panic comes through."""

import gc
import os
import pathlib
import random
import threading

import polars
import pytest

import gt_tools


def test_what_is_no_log(tmp_path: pathlib.Path) -> None:
    with pytest.raises(gt_tools.LogError, match="missing.gtf"):
        gt_tools.open(tmp_path / "missing.gtf")
    with pytest.raises(gt_tools.LogError):
        gt_tools.open(tmp_path)
    (tmp_path / "text.gtf").write_text("this is no log")
    with pytest.raises(gt_tools.LogError, match="not a game-tree log"):
        gt_tools.open(tmp_path / "text.gtf")
    for wrong in (3, None, ["x"], b"no log"):
        with pytest.raises(gt_tools.LogError):
            gt_tools.open(wrong)  # type: ignore[arg-type]


def test_a_closed_log(small_path: pathlib.Path) -> None:
    log = gt_tools.open(small_path)
    tree = log.trees[0]
    node = tree.root
    stream = tree.table("best")
    log.close()
    log.close()
    uses = [
        lambda: log.trees,
        lambda: log.schema,
        lambda: len(log),
        lambda: log.verify(),
        lambda: tree.nodes,
        lambda: tree.query("node: count(*)"),
        lambda: tree.node(0),
        lambda: tree.plot(),
        lambda: tree.view(),
        lambda: tree.to_parquet("x.parquet"),
        lambda: tree.__arrow_c_stream__(),
        lambda: stream.__arrow_c_stream__(),
        lambda: node.size,
        lambda: node.children,
        lambda: node.best,
        lambda: node.position,
        lambda: log._repr_html_(),
        lambda: tree._repr_html_(),
    ]
    for use in uses:
        with pytest.raises(gt_tools.ClosedError):
            use()
    assert "closed" in repr(log) and "closed" in repr(tree)


def test_huge_and_wrong_numbers(small_tree: gt_tools.Tree) -> None:
    for number in (6, 2**40, 2**63 - 1, -7, -(2**63)):
        with pytest.raises(gt_tools.LogError, match="no node"):
            small_tree.node(number)
    for number in (2**64, "x", None, 1.5):
        with pytest.raises((gt_tools.GtError, TypeError, OverflowError)):
            small_tree.node(number)  # type: ignore[arg-type]
    for text in ("", "node:", "\0", "node: " + "(" * 100_000, "🂡", "select " + "best, " * 5_000 + "best"):
        try:
            small_tree.query(text)
        except gt_tools.QueryError:
            pass
    with pytest.raises(gt_tools.QueryError):
        small_tree.query("group by node_id select node_id, count(*)", memory=1)
    small_tree.query("node: count(*)", threads=10_000)
    assert "<svg" in small_tree.plot(width=float("nan"), height=-1e300).svg
    with pytest.raises(gt_tools.QueryError, match="no chart `x`"):
        small_tree.plot("x")


def test_a_deleted_file(small_path: pathlib.Path) -> None:
    log = gt_tools.open(small_path)
    os.remove(small_path)
    try:
        assert log.trees[0].query("node: count(*)").count == 6
    except gt_tools.LogError:
        pass
    with pytest.raises(gt_tools.LogError):
        gt_tools.open(small_path)
    with pytest.raises(gt_tools.LogError):
        log.trees[0].view()


def test_damaged_bytes(small_path: pathlib.Path) -> None:
    """Every read of a damaged log gives values or an exception of ours."""
    whole = small_path.read_bytes()
    chance = random.Random(1)
    refused = 0
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        if chance.random() < 0.3:
            del broken[chance.randrange(len(broken)) :]
        try:
            log = gt_tools.open(bytes(broken))
            for tree in log.trees:
                tree.query("select best, share, flag, word").rows()
                tree.root.children
                polars.DataFrame(tree)
            log.verify()
        except gt_tools.GtError:
            refused += 1
        except (polars.exceptions.PolarsError, RuntimeError, OSError) as error:
            # An error in mid-stream is told by the reader, in our words.
            assert "damaged" in str(error) or "newer version" in str(error) or "memory" in str(error), error
            refused += 1
    assert refused > 100


def test_writers_that_are_used_wrongly(tmp_path: pathlib.Path) -> None:
    log = gt_tools.create(tmp_path / "wrong.gtf", {"best": int})
    tree = log.tree()
    with pytest.raises(gt_tools.WriteError, match="never entered"):
        tree.leave(1)
    with pytest.raises(gt_tools.WriteError):
        tree.enter([1])  # type: ignore[arg-type]
    with pytest.raises(gt_tools.WriteError):
        tree.enter(2**70)
    tree.enter(0)
    with pytest.raises(gt_tools.WriteError, match="being written"):
        gt_tools.create(tmp_path / "wrong.gtf", {"best": int}, force=True)
    tree.leave(1)
    with pytest.raises(gt_tools.WriteError, match="second root"):
        tree.enter(0)
    tree.finish()
    for use in (lambda: tree.enter(0), lambda: tree.leave(1), tree.finish, tree.flush, lambda: tree.leaf(0, 1)):
        with pytest.raises(gt_tools.ClosedError):
            use()
    log.close()
    log.close()
    with pytest.raises(gt_tools.ClosedError):
        log.tree()
    for schema in (3, {"best": "i7"}, {"node": int}, {"best": list}, [("best", "i8")]):
        with pytest.raises(gt_tools.WriteError):
            gt_tools.create(tmp_path / "other.gtf", schema)
    assert not (tmp_path / "other.gtf").exists()
    with pytest.raises(gt_tools.WriteError):
        gt_tools.create(tmp_path / "no such folder" / "x.gtf", {"best": int})


def test_trees_are_written_from_many_threads(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "threads.gtf"
    with gt_tools.create(path, {"best": int}) as log:

        def write(number: int) -> None:
            with log.tree(thread=number) as tree, tree.node() as root:
                for leaf in range(2_000):
                    tree.leaf(leaf, number)
                root.best = number

        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    log = gt_tools.open(path)
    assert sorted(tree.metadata["thread"] for tree in log.trees) == ["0", "1", "2", "3"]
    for tree in log.trees:
        assert tree.query("node: count(best = $thread)").count == tree.nodes == 2_001


def test_objects_outlive_what_they_came_from(small_path: pathlib.Path) -> None:
    root = gt_tools.open(small_path).trees[0].root
    gc.collect()
    assert [child.best for child in root.children] == [-3, -1]
    table = gt_tools.open(small_path).trees[0].table("best")
    gc.collect()
    assert len(polars.DataFrame(table)) == 6


def test_what_is_no_table(tmp_path: pathlib.Path) -> None:
    for wrong in (3, "x", {"node_id": [0]}, None):
        with pytest.raises(gt_tools.ConvertError, match="table of Arrow"):
            gt_tools.from_arrow(wrong, tmp_path / "x.gtf")
