"""Writing: positions, dicts, dataclasses, contexts; searches of python-chess and of UCI engines."""

import dataclasses
import pathlib
import typing

import chess
import numpy
import polars
import pytest

import gt_tools
import gt_tools.chess
import gt_tools.uci


@dataclasses.dataclass
class Record:
    best: typing.Annotated[int, "i16"]
    share: float
    seen: typing.Optional[bool] = None
    word: str = ""


def rows(path: pathlib.Path, *columns: str) -> "list[tuple[object, ...]]":
    return polars.DataFrame(gt_tools.open(path).trees[0].table(*columns)).rows()


def test_every_form_of_a_record(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "forms.gtf"
    with gt_tools.create(path, Record) as log, log.tree() as tree:
        tree.enter(0)
        tree.leaf(1, 1, 1.0, True, "x")
        tree.leaf(2, {"best": 2, "word": "y"})
        tree.leaf(3, Record(best=3, share=3.0, word="z"))
        tree.leaf(4, numpy.int8(4), numpy.float32(4.0), numpy.bool_(True), "n")
        tree.leaf(5)
        with tree.node(6, best=6) as node:
            node.share = 6.0
            node["word"] = "w"
            assert node.best == 6
        tree.leave(0, None, None, None)
    log = gt_tools.open(path)
    assert log.schema == {"best": "i16", "share": "f64", "seen": "bool", "word": "text"}
    assert rows(path, "last_move", "best", "share", "seen", "word") == [
        (0, 0, None, None, None),
        (1, 1, 1.0, True, "x"),
        (2, 2, None, None, "y"),
        (3, 3, 3.0, None, "z"),
        (4, 4, 4.0, True, "n"),
        (5, None, None, None, None),
        (6, 6, 6.0, None, "w"),
    ]


def test_an_exception_leaves_a_node_unfinished(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "broken.gtf"
    with pytest.raises(ZeroDivisionError):
        with gt_tools.create(path, {"best": int}) as log, log.tree() as tree, tree.node() as root:
            with tree.node(1) as child:
                child.best = 1
            with tree.node(2):
                1 / 0
            root.best = 2
    tree = gt_tools.open(path).trees[0]
    assert tree.query("select best, @unfinished").rows() == [(None, True), (1, False), (None, True)]


def test_moves_can_be_texts(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "nim.gtf"
    with gt_tools.create(path, {"best": int}, game="nim") as log, log.tree() as tree, tree.node(0) as root:
        for move in ("take 1", "take 2", "take 1"):
            tree.leaf(move, 1)
        root.best = 0
    tree = gt_tools.open(path).trees[0]
    assert [child.move for child in tree.root.children] == ["take 1", "take 2", "take 1"]
    assert tree.query('node: count(last_move = "take 1")').count == 2


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((1,), "1 values are given, and 2 are needed: best, word"),
        ((1, 2), "`word` is 2, and a value of type text is needed"),
        ((300, "x"), "`best` is 300, and a value of type i8 is needed"),
        (("x", "x"), "`best` is 'x'"),
        (({"beast": 1},), "none of best, word"),
    ],
)
def test_a_wrong_record_is_refused(tmp_path: pathlib.Path, values: "tuple[object, ...]", sentence: str) -> None:
    path = tmp_path / "wrong.gtf"
    with gt_tools.create(path, {"best": "i8", "word": str}) as log, log.tree() as tree:
        tree.enter(0)
        with pytest.raises(gt_tools.WriteError) as error:
            tree.leave(*values)
        assert sentence in str(error.value)
        # The node is still open, and can be left with what is right.
        tree.leave(1, "x")
    assert rows(path, "best", "word") == [(1, "x")]


def test_a_file_that_is_there_stays(small_path: pathlib.Path) -> None:
    before = small_path.read_bytes()
    with pytest.raises(gt_tools.WriteError, match="force=True replaces it"):
        gt_tools.create(small_path, {"best": int})
    assert small_path.read_bytes() == before
    with gt_tools.create(small_path, {"best": int}, force=True) as log, log.tree() as tree:
        tree.leaf(0, 1)
    with gt_tools.create(small_path, {"best": int}, append=True) as log, log.tree() as tree:
        tree.leaf(0, 2)
    assert [tree.root.best for tree in gt_tools.open(small_path).trees] == [1, 2]


def negamax(search: gt_tools.chess.LoggedSearch, node: gt_tools.OpenNode, depth: int) -> int:
    board = search.board
    node.depth = depth
    if depth == 0 or board.is_game_over():
        worth = {1: 100, 2: 300, 3: 300, 4: 500, 5: 900, 6: 0}
        pieces = board.piece_map().values()
        best = sum(worth[piece.piece_type] * (1 if piece.color == board.turn else -1) for piece in pieces)
    else:
        best = -100_000
        for move in list(board.legal_moves):
            with search.move(move) as child:
                best = max(best, -negamax(search, child, depth - 1))
    node.best = best
    return best


def test_a_search_of_python_chess(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "python-chess.gtf"
    board = chess.Board("r3k2r/8/8/3pP3/8/8/1p6/R3K2R w KQkq d6 0 1")
    with gt_tools.chess.LoggedSearch(path, board, {"depth": "i8", "best": "i32"}, engine="mine") as search:
        with search.root() as root:
            value = negamax(search, root, 2)
    assert board.fen() == chess.Board("r3k2r/8/8/3pP3/8/8/1p6/R3K2R w KQkq d6 0 1").fen()
    tree = gt_tools.open(path).trees[0]
    assert tree.nodes == 1 + tree.root.position.perft(1) + tree.root.position.perft(2)
    assert tree.root.best == value
    # Castling, en passant and promotions are the same moves in both programs.
    moves = {child.move for child in tree.root.children}
    assert moves == {move.uci() for move in board.legal_moves}
    for node in (tree.node(node_id) for node_id in range(0, tree.nodes, 37)):
        board_there = chess.Board(tree.metadata["position"])
        [board_there.push_uci(move) for move in node.line]
        assert node.position.text.split()[0] == board_there.fen().split()[0]


INFO = """\
info string this engine talks
info depth 1 seldepth 1 multipv 1 score cp 30 nodes 20 time 1 pv e2e4
info depth 2 seldepth 2 multipv 1 score cp 10 nodes 70 time 2 pv e2e4 e7e5
info depth 2 seldepth 2 multipv 2 score cp -5 lowerbound nodes 90 time 3 pv e2e4 d7d5
info depth 3 currmove e2e4 currmovenumber 1
info depth 3 seldepth 5 multipv 1 score mate 2 nodes 500 time 9 pv d2d4 d7d5 c2c4
bestmove d2d4
"""


def test_info_lines_become_trees(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "info.gtf"
    assert gt_tools.uci.log_lines(INFO.splitlines(), path) == 3
    log = gt_tools.open(path)
    first, second, third = log.trees
    assert first.metadata["nominal_depth"] == "1"
    assert [node.move for node in second.root.children] == ["e2e4"]
    below = second.root.children[0].children
    assert [(node.move, node.best, node.multipv) for node in below] == [("e7e5", 10, 1), ("d7d5", -5, 2)]
    assert second.root.nodes == 70 and below[0]["nodes"] is None
    assert second.root.children[0].best == -10
    assert third.root.best == gt_tools.uci.MATE - 4 and third.root.mate == 2
    assert third.query("node: count(bound = Exact)").count == third.nodes == 4


ENGINE = """
import sys
for line in sys.stdin:
    if line.startswith("go"):
        print("info depth 1 score cp 13 nodes 20 pv g1f3", flush=True)
        print("bestmove g1f3", flush=True)
    elif line.startswith("quit"):
        break
"""


def test_an_engine_is_run_and_logged(tmp_path: pathlib.Path) -> None:
    import sys

    script = tmp_path / "engine.py"
    script.write_text(ENGINE)
    path = tmp_path / "engine.gtf"
    assert gt_tools.uci.log_engine([sys.executable, str(script)], path, go="depth 1") == "g1f3"
    assert gt_tools.open(path).trees[0].root.children[0].move == "g1f3"
    with pytest.raises(gt_tools.WriteError, match="cannot be started"):
        gt_tools.uci.log_engine([str(tmp_path / "missing")], tmp_path / "other.gtf")
