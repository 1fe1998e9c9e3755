"""Logs that the tests share: one search of chess, and one small tree whose every value is known."""

import pathlib

import pytest

import gt_tools


@pytest.fixture(scope="session")
def chess_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("logs") / "chess.gtf"
    gt_tools.search("chess", depth=4, log=path)
    return path


@pytest.fixture(scope="session")
def chess_tree(chess_path: pathlib.Path) -> gt_tools.Tree:
    return gt_tools.open(chess_path).trees[-1]


#: node_id, parent_id, ply, size, last_move, and the attributes of the small tree, in the order of node_id.
SMALL = [
    (0, -1, 0, 6, 0, 3, 0.5, True, "root"),
    (1, 0, 1, 3, 7, -3, None, False, "a"),
    (2, 1, 2, 1, 8, 4, 1.5, False, "b"),
    (3, 1, 2, 1, 9, None, 2.5, True, None),
    (4, 0, 1, 2, 10, -1, -1.0, False, "a"),
    (5, 4, 2, 1, 11, 1, 0.0, True, "b"),
]


@pytest.fixture
def small_path(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "small.gtf"
    schema = {"best": "i16", "share": "f64", "flag": "bool", "word": "text"}
    with gt_tools.create(path, schema, aliases={"Three": 3}, metadata={"engine": "none"}) as log:
        with log.tree(nominal_depth=2) as tree:
            open_plies = []
            for row in SMALL:
                while open_plies and open_plies[-1][2] >= row[2]:
                    tree.leave(*open_plies.pop()[5:])
                tree.enter(row[4])
                open_plies.append(row)
            while open_plies:
                tree.leave(*open_plies.pop()[5:])
    return path


@pytest.fixture
def small_tree(small_path: pathlib.Path) -> gt_tools.Tree:
    return gt_tools.open(small_path).trees[0]
