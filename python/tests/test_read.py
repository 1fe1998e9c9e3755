"""Reading: what a log says of itself, its tables in every reader of Arrow, its nodes."""

import pathlib

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from conftest import SMALL

import gt_tools

COLUMNS = ["node_id", "parent_id", "ply", "size", "last_move", "best", "share", "flag", "word"]


def test_a_log_says_what_it_is(small_path: pathlib.Path) -> None:
    with gt_tools.open(small_path) as log:
        assert log.schema == {"best": "i16", "share": "f64", "flag": "bool", "word": "text"}
        assert log.aliases == {"Three": 3}
        assert log.metadata == {"engine": "none"}
        assert log.trees[0].metadata == {"nominal_depth": "2"}
        assert (log.is_whole, log.condition, len(log)) == (True, "whole", 1)
        assert log.path == small_path
        assert log.verify() == 6
        tree = log.trees[0]
        assert (tree.nodes, tree.leaves, tree.depth, len(tree), tree.is_finished) == (6, 3, 2, 6, True)


def test_a_cut_log_says_so(chess_path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    cut = tmp_path / "cut.gtf"
    cut.write_bytes(chess_path.read_bytes()[:-200])
    log = gt_tools.open(cut)
    assert not log.is_whole
    assert "not closed" in log.condition
    assert log.trees[0].query("node: count(*)").count == log.trees[0].nodes


def test_a_log_can_be_bytes(small_path: pathlib.Path) -> None:
    log = gt_tools.open(small_path.read_bytes())
    assert log.path is None
    assert log.trees[0].nodes == 6


def test_every_reader_of_arrow_takes_a_tree(small_tree: gt_tools.Tree) -> None:
    assert small_tree.columns == COLUMNS
    frame = polars.DataFrame(small_tree)
    assert frame.columns == COLUMNS
    assert frame.rows() == SMALL
    assert frame.schema["best"] == polars.Int16
    table = pyarrow.table(small_tree)
    assert [tuple(row.values()) for row in table.to_pylist()] == SMALL
    assert table.schema.field("flag").type == pyarrow.bool_()
    assert table.to_pandas()["best"].isna().sum() == 1
    t = small_tree
    assert duckdb.sql("select sum(best), count(*) from t").fetchall() == [(4, 6)]
    reader = pyarrow.RecordBatchReader.from_stream(small_tree)
    assert reader.read_all().num_rows == 6
    assert pyarrow.schema(small_tree).names == COLUMNS
    assert list(pandas.DataFrame.from_arrow(small_tree).columns) == COLUMNS


def test_frames_of_other_packages(small_tree: gt_tools.Tree) -> None:
    table = small_tree.table("node_id", "best")
    rows = [(row[0], row[5]) for row in SMALL]
    for source in (table, small_tree.query("select node_id, best")):
        assert source.to_polars().rows() == rows
        assert [tuple(row.values()) for row in source.to_arrow().to_pylist()] == rows
        frame = source.to_pandas()
        assert list(frame["node_id"]) == [row[0] for row in rows] and frame["best"].isna().sum() == 1
    assert small_tree.to_polars().columns == list(small_tree.to_pandas().columns) == COLUMNS


def test_from_arrow_of_polars(small_tree: gt_tools.Tree) -> None:
    """Polars 2 makes a series of structs of every stream but those of pyarrow; its fields are the columns."""
    for source in (small_tree, small_tree.to_arrow(), polars.DataFrame(small_tree)):
        taken = polars.from_arrow(source)
        frame = taken if isinstance(taken, polars.DataFrame) else taken.struct.unnest()
        assert frame.columns == COLUMNS and frame.rows() == SMALL
    assert isinstance(polars.from_arrow(small_tree.to_arrow()), polars.DataFrame)


def test_columns_can_be_chosen(small_tree: gt_tools.Tree) -> None:
    table = small_tree.table("word", "node_id")
    assert table.columns == ["word", "node_id"]
    assert polars.DataFrame(table).rows() == [(row[8], row[0]) for row in SMALL]
    with pytest.raises(gt_tools.ConvertError, match="`beast` that is not there"):
        small_tree.table("beast")


def test_a_large_tree_comes_in_batches(chess_tree: gt_tools.Tree, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "wide.gtf"
    with gt_tools.create(path, {"value": "i32"}) as log, log.tree() as tree:
        with tree.node() as root:
            for number in range(200_000):
                tree.leaf(number + 1, number)
            root.value = -1
    wide = gt_tools.open(path).trees[0]
    batches = list(pyarrow.RecordBatchReader.from_stream(wide))
    assert len(batches) > 2
    whole = pyarrow.Table.from_batches(batches)
    assert whole["value"].to_pylist() == [-1, *range(200_000)]
    assert whole["node_id"].to_pylist() == list(range(200_001))
    # A stream that nobody reads to its end leaves nothing behind that would keep the interpreter.
    next(iter(pyarrow.RecordBatchReader.from_stream(wide)))


def test_nodes_by_id(small_tree: gt_tools.Tree) -> None:
    for node_id, parent, ply, size, last_move, best, share, flag, word in SMALL:
        node = small_tree.node(node_id)
        assert (node.id, node.ply, node.size, node.last_move) == (node_id, ply, size, last_move)
        assert node.values == {"best": best, "share": share, "flag": flag, "word": word}
        assert node.best == best and node["word"] == word
        assert (node.parent.id if node.parent else -1) == parent
        assert [child.id for child in node.children] == [row[0] for row in SMALL if row[1] == node_id]
        assert [one.id for one in node.path] == ids_to(node_id)
        assert node.line == [str(SMALL[one][4]) for one in ids_to(node_id)[1:]]
    assert small_tree.node(-1).id == 5
    assert small_tree.root == small_tree.node(0)
    with pytest.raises(AttributeError, match="no attribute `beast`"):
        small_tree.root.beast


def ids_to(node_id: int) -> "list[int]":
    above = [] if SMALL[node_id][1] < 0 else ids_to(SMALL[node_id][1])
    return [*above, node_id]


def test_nodes_agree_with_the_table(chess_tree: gt_tools.Tree) -> None:
    frame = polars.DataFrame(chess_tree)
    for node_id in numpy.linspace(0, chess_tree.nodes - 1, 50, dtype=int):
        node, row = chess_tree.node(int(node_id)), frame.row(int(node_id), named=True)
        assert node.size == row["size"] and node.ply == row["ply"] and node.best == row["best"]
        assert (node.parent.id if node.parent else -1) == row["parent_id"]
        assert sum(child.size for child in node.children) == node.size - 1


def test_boards(chess_tree: gt_tools.Tree) -> None:
    child = chess_tree.root.children[0]
    assert child.position == chess_tree.root.position.play(child.move)
    assert child.position.text.split()[1] == "b"
    assert "<svg" in child.position.svg and "♚" in child.position.svg
    assert len(child.position.board.splitlines()) >= 8
    for game in gt_tools.games():
        svg = gt_tools.Position(game).svg
        assert svg.startswith("<svg") and svg.endswith("</svg>")


def test_parquet(chess_tree: gt_tools.Tree, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tree.parquet"
    assert chess_tree.to_parquet(path) == chess_tree.nodes
    assert polars.read_parquet(path).equals(polars.DataFrame(chess_tree))
    with pytest.raises(gt_tools.GtError, match="there already"):
        chess_tree.to_parquet(path)
    assert gt_tools.to_parquet(chess_tree, path, force=True) == chess_tree.nodes
