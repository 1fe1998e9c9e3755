"""Tables into logs and back."""

import pathlib

import pandas
import polars
import pyarrow
import pytest

import gt_tools


def test_a_tree_comes_back_as_it_was(chess_path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    log = gt_tools.open(chess_path)
    tree = log.trees[-1]
    again = gt_tools.from_arrow(pyarrow.table(tree), tmp_path / "again.gtf")
    assert again.schema == log.schema and again.aliases == log.aliases and again.game == "chess"
    assert again.trees[0].metadata == tree.metadata
    assert pyarrow.table(again.trees[0]).equals(pyarrow.table(tree))
    # Polars keeps no metadata of the schema: the attributes come back, what is said about the log has to be said again.
    third = gt_tools.from_arrow(polars.DataFrame(tree), tmp_path / "third.gtf", game="chess")
    assert third.trees[0].nodes == tree.nodes
    assert third.trees[0].query("node: sum(best)").value == tree.query("node: sum(best)").value


def test_every_type_and_any_order(tmp_path: pathlib.Path) -> None:
    frame = polars.DataFrame(
        {
            "id": [2, 0, 1],
            "parent": [0, None, 0],
            "last_move": [5, 0, 4],
            "small": polars.Series([1, None, 3], dtype=polars.UInt8),
            "large": polars.Series([2**63, 1, 2], dtype=polars.UInt64),
            "real": [0.5, None, 1.5],
            "truth": [True, False, None],
            "word": ["b", "root", None],
            "kind": polars.Series(["x", "y", "x"], dtype=polars.Categorical),
        }
    )
    rename = {"id": "node_id", "parent": "parent_id"}
    log = gt_tools.from_arrow(frame, tmp_path / "types.gtf", rename=rename, metadata={"engine": "me"})
    assert log.schema == {
        "small": "u8",
        "large": "u64",
        "real": "f64",
        "truth": "bool",
        "word": "text",
        "kind": "text",
    }
    assert log.metadata["engine"] == "me"
    rows = [tuple(node.values.values()) for node in [log.trees[0].root, *log.trees[0].root.children]]
    assert rows == [
        (None, 1, None, False, "root", "y"),
        (3, 2, 1.5, None, None, "x"),
        (1, 2**63, 0.5, True, "b", "x"),
    ]


def test_pandas_is_taken(tmp_path: pathlib.Path) -> None:
    frame = pandas.DataFrame({"node_id": [0, 1], "parent_id": [-1, 0], "best": [1.0, 2.0], "word": ["a", "b"]})
    log = gt_tools.from_arrow(pyarrow.Table.from_pandas(frame), tmp_path / "pandas.gtf")
    assert [node.best for node in log.trees[0].root.path] == [1.0]
    assert log.trees[0].node(1).word == "b"


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"node_id": [0]}, "there is no column `parent_id`"),
        ({"node_id": [0, 0], "parent_id": [-1, 0]}, "node"),
        ({"node_id": [0, 1], "parent_id": [-1, 7]}, "parent"),
        ({"node_id": [0], "parent_id": [-1], "list": [[1, 2]]}, "no counterpart in a log"),
        ({"node_id": [0], "parent_id": [-1], "a b": [1]}, "cannot name an attribute"),
        ({"node_id": ["x"], "parent_id": [-1]}, "node_id"),
        ({"node_id": [], "parent_id": []}, "there is no row"),
    ],
)
def test_what_is_no_tree_is_refused(tmp_path: pathlib.Path, columns: dict, sentence: str) -> None:
    path = tmp_path / "refused.gtf"
    with pytest.raises(gt_tools.ConvertError, match=sentence):
        gt_tools.from_arrow(pyarrow.table(columns), path)
    assert not path.exists() and not list(tmp_path.iterdir())


def test_a_file_that_is_there_stays(small_path: pathlib.Path) -> None:
    before = small_path.read_bytes()
    table = pyarrow.table(gt_tools.open(small_path).trees[0])
    with pytest.raises(gt_tools.WriteError, match="force=True"):
        gt_tools.from_arrow(table, small_path)
    assert small_path.read_bytes() == before
    assert gt_tools.from_arrow(table, small_path, force=True).trees[0].nodes == 6
