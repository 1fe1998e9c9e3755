"""Rules and searches."""

import pathlib

import chess
import pytest

import gt_tools

#: Counts that are known elsewhere: in chess the wiki of chess programming, in tic-tac-toe the games that fill the board.
PERFT = [("chess", "", 3, 8_902), ("tic-tac-toe", "", 9, 127_872), ("connect-four", "", 4, 7**4)]


@pytest.mark.parametrize(("game", "position", "depth", "count"), PERFT)
def test_perft(game: str, position: str, depth: int, count: int) -> None:
    start = gt_tools.Position(game, position)
    assert start.perft(depth) == count
    assert sum(start.divide(depth).values()) == count
    assert start.perft(0) == 1 and start.perft(1) == len(start.moves)


def test_rules_agree_with_python_chess() -> None:
    board, position = chess.Board(), gt_tools.Position("chess")
    for number in range(60):
        moves = sorted(move.uci() for move in board.legal_moves)
        assert sorted(position.moves) == moves
        move = moves[number * 7 % len(moves)]
        board.push_uci(move)
        position = position.play(move)
        assert position.decode(position.encode(position.moves[0])) == position.moves[0]
    assert position.text.split()[0] == board.fen().split()[0]


def test_the_end_of_a_game() -> None:
    mate = gt_tools.Position("chess", moves=["f2f3", "e7e5", "g2g4", "d8h4"])
    assert (mate.outcome, mate.moves) == (1, [])
    draw = gt_tools.Position("chess", "8/8/8/4k3/8/4K3/8/8 w - - 0 1")
    assert draw.outcome == "draw"
    assert gt_tools.Position("chess").outcome is None


def test_evaluations() -> None:
    start = gt_tools.Position("chess")
    assert sum(start.evaluate()) == 0 and start.evaluate("material") == [0, 0]
    up = gt_tools.Position("chess", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").evaluate("material")
    assert up[0] > 0 and up[0] == -up[1]
    assert len(gt_tools.Position("chinese-checkers", players=3).evaluate()) == 3


def test_a_search_finds_the_mate(tmp_path: pathlib.Path) -> None:
    position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    result = gt_tools.search("chess", position, depth=3, log=tmp_path / "mate.gtf")
    assert result.best == "a1a8" and result.line[0] == "a1a8" and result.value > 10_000
    log = gt_tools.open(tmp_path / "mate.gtf")
    assert log.is_whole and log.trees[-1].metadata["position"].startswith("6k1/5ppp")
    assert result.log == tmp_path / "mate.gtf"
    with pytest.raises(gt_tools.WriteError, match="there already"):
        gt_tools.search("chess", depth=1, log=tmp_path / "mate.gtf")


def test_the_log_of_a_search_is_the_commands(tmp_path: pathlib.Path) -> None:
    """Tic-tac-toe is a draw, by every algorithm."""
    for algorithm in ("negamax", "alpha-beta", "negascout", "pvs"):
        result = gt_tools.search("tic-tac-toe", depth=9, algorithm=algorithm, log=tmp_path / f"{algorithm}.gtf")
        assert result.value == 0
    log = gt_tools.open(tmp_path / "negamax.gtf")
    assert log.trees[-1].query("node: count(@ply = 9)").count == 127_872


@pytest.mark.parametrize("algorithm", ["uct", "uct-eval"])
def test_a_search_by_playouts_is_logged_when_it_is_done(algorithm: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "playouts.gtf"
    result = gt_tools.search("connect-four", algorithm=algorithm, nodes=500, log=path)
    tree = gt_tools.open(path).trees[0]
    assert tree.metadata["algorithm"] == algorithm and tree.nodes == result.nodes > 100
    assert tree.root.best == result.value
    # The line that was visited most is the principal variation.
    principal = tree.query("node: type & PVNode select @line order by @ply desc limit 1").rows()
    assert principal == [(" ".join(result.line),)]
    moves = {child.move for child in tree.root.children}
    assert moves <= {move for move in gt_tools.Position("connect-four").moves} and result.best in moves


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: gt_tools.search("chezz"), "no such game"),
        (lambda: gt_tools.search("chess", "not a position"), "FEN|position|row"),
        (lambda: gt_tools.search("chess", algorithm="magic"), "magic"),
        (lambda: gt_tools.search("chess", depth=0), "1 to 200"),
        (lambda: gt_tools.search("chess", seconds=-1.0), "no time"),
        (lambda: gt_tools.search("chess", evaluation="taste"), "no such evaluation"),
        (lambda: gt_tools.search("connect-four", algorithm="uct"), "nodes= or seconds="),
        (lambda: gt_tools.Position("chess").play("e2e5"), "e2e5"),
        (lambda: gt_tools.Position("chess").perft(51), "beyond counting"),
        (lambda: gt_tools.Position("amazons", board="1x1"), "1x1|board"),
    ],
)
def test_wrong_requests(call, sentence: str) -> None:
    with pytest.raises(gt_tools.GameError, match=sentence):
        call()
