"""Asking: counts, values, nodes, rows; errors with the place; interruption."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy
import polars
import pyarrow
import pytest
from conftest import SMALL

import gt_tools


def test_counts_and_values(small_tree: gt_tools.Tree) -> None:
    assert small_tree.query("node: count(best > 0)").count == 3
    assert small_tree.query("node: count(best > $x)", x=1).value == 2
    assert small_tree.query("node: max(best)").value == 4
    assert small_tree.query("node: min(best where share > 99.0)").value is None
    assert int(small_tree.query("node: count(*)", threads=1)) == 6


def test_nodes_are_an_array(small_tree: gt_tools.Tree) -> None:
    answer = small_tree.query("node: flag")
    assert isinstance(answer.nodes, numpy.ndarray)
    assert answer.nodes.tolist() == [row[0] for row in SMALL if row[7]]
    assert answer.nodes.dtype == numpy.int64
    assert (answer.count, len(answer), bool(answer)) == (3, 3, True)
    assert polars.DataFrame(answer)["node_id"].to_list() == [0, 3, 5]
    # The array keeps its memory when nobody holds the answer any more.
    ids = small_tree.query("node: flag").nodes
    assert ids.tolist() == [0, 3, 5]
    assert small_tree.query("node: best > 1000").nodes.tolist() == []


def test_rows_are_a_table(small_tree: gt_tools.Tree) -> None:
    answer = small_tree.query("select node_id, best, share, flag, word")
    assert answer.columns == ["node_id", "best", "share", "flag", "word"]
    expected = [(row[0], *row[5:]) for row in SMALL]
    assert answer.rows() == expected == list(answer)
    assert [tuple(row.values()) for row in pyarrow.table(answer).to_pylist()] == expected
    ordered = small_tree.query("select node_id, best order by best desc limit 2")
    assert ordered.rows() == [(2, 4), (0, 3)]
    groups = small_tree.query("group by @ply select @ply, count(*), avg(share)")
    assert groups.rows() == [(0, 1, 0.5), (1, 2, -1.0), (2, 3, 4.0 / 3.0)]
    assert len(small_tree.query("node: best > 1000 select best")) == 0


def test_rows_of_a_large_answer(chess_tree: gt_tools.Tree) -> None:
    answer = chess_tree.query("select node_id, best, @line")
    frame = polars.DataFrame(answer)
    assert frame["node_id"].to_list() == list(range(chess_tree.nodes))
    last = chess_tree.node(-1)
    assert frame["@line"][-1] == " ".join(last.line)
    assert frame["best"].equals(polars.DataFrame(chess_tree)["best"].cast(polars.Int64), check_names=False)


def test_several_queries(small_tree: gt_tools.Tree) -> None:
    answers = small_tree.queries("[all]\nnode: count(*)\n\n[flagged]\nnode: flag\n")
    assert answers["all"].count == 6
    assert answers["flagged"].nodes.tolist() == [0, 3, 5]
    with pytest.raises(gt_tools.QueryError, match="2 queries"):
        small_tree.query("[all]\nnode: count(*)\n\n[flagged]\nnode: flag\n")


def test_errors_mark_the_place(small_tree: gt_tools.Tree) -> None:
    with pytest.raises(gt_tools.QueryError) as error:
        small_tree.query("node: count(bets > 3)")
    text = str(error.value)
    assert "node: count(bets > 3)" in text
    assert "            ^^^^" in text and "did you mean `best`?" in text
    with pytest.raises(gt_tools.QueryError, match="lists no nodes"):
        small_tree.query("node: count(*)").nodes
    with pytest.raises(gt_tools.QueryError, match="is a table"):
        small_tree.query("node: flag").value
    with pytest.raises(gt_tools.QueryError, match=r"parameter \$x"):
        small_tree.query("node: best > $x", x=[1])
    with pytest.raises(gt_tools.QueryError, match="64-bit"):
        small_tree.query("node: count(best * 9223372036854775807 > 1)")


#: Asks something that takes long, with Ctrl-C pressed after a moment.
INTERRUPTED = """
import signal, sys, threading, time, os
import gt_tools
tree = gt_tools.open(sys.argv[1]).trees[-1]
threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
started = time.monotonic()
try:
    gt_tools.search("chess", seconds=60)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - started < 30)
# Everything works on.
print(tree.query("node: count(*)").count == tree.nodes)
"""


def test_ctrl_c_interrupts(chess_path: pathlib.Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(chess_path)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["interrupted", "True", "True"], done.stderr


def test_threads_ask_at_once(chess_tree: gt_tools.Tree) -> None:
    expected = chess_tree.query("group by best select best, count(*)").rows()
    found = []

    def ask() -> None:
        for _ in range(5):
            found.append(chess_tree.query("group by best select best, count(*)", threads=1).rows())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 20 and all(rows == expected for rows in found)


def test_the_lock_is_released(chess_tree: gt_tools.Tree) -> None:
    """Another thread goes on while a search runs."""
    ticks = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    gt_tools.search("chess", seconds=0.5)
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during >= 5, "the other thread stood still"


def test_columns_have_names_of_their_own(small_tree: gt_tools.Tree) -> None:
    answer = small_tree.query("select best, best, best as best_2, best limit 1")
    assert answer.columns == ["best", "best_3", "best_2", "best_4"]
