"""Drives `gt uci` by python-chess: python3 uci_games.py GT [GAMES]

Whole games on a short clock, each side an engine of its own: every move must be legal and in time. Then the parts of the
protocol that games do not use.

The clock counts the engine's CPU time where the system tells it: a machine busy with other work makes no flag fall."""

import sys
import time

import chess
import chess.engine


def seconds(engine):
    """The CPU time that an engine's process has used; elsewhere than on Linux, the time of day."""
    if sys.platform != "linux":
        return time.monotonic()
    # The kernel's number for the CPU clock of a process.
    return time.clock_gettime(~engine.transport.get_pid() << 3 | 2)


def play(gt, games, base=1.0, increment=0.01):
    """Games of the engine against itself on a clock; the worst that was left on one."""
    least = base
    with chess.engine.SimpleEngine.popen_uci([gt, "uci"]) as white, chess.engine.SimpleEngine.popen_uci([gt, "uci"]) as black:
        for game in range(games):
            board = chess.Board()
            # Another opening each time.
            for move in (list(board.legal_moves)[game % 20],):
                board.push(move)
            clocks = {chess.WHITE: base, chess.BLACK: base}
            while not board.is_game_over(claim_draw=True) and board.fullmove_number < 150:
                engine = white if board.turn else black
                limit = chess.engine.Limit(
                    white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
                    white_inc=increment, black_inc=increment)
                started = seconds(engine)
                result = engine.play(board, limit, game=game)
                clocks[board.turn] -= seconds(engine) - started
                assert clocks[board.turn] > 0, f"game {game}: the flag fell at {board.fen()}"
                least = min(least, clocks[board.turn])
                clocks[board.turn] += increment
                assert result.move in board.legal_moves, f"game {game}: {result.move} at {board.fen()}"
                board.push(result.move)
    return least


def ask(gt):
    with chess.engine.SimpleEngine.popen_uci([gt, "uci"]) as engine:
        engine.configure({"Hash": 16, "Threads": 2})
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
        info = engine.analyse(board, chess.engine.Limit(mate=1))
        assert info["score"].white() == chess.engine.Mate(1), info
        lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=4), multipv=4)
        assert len({line["pv"][0] for line in lines}) == 4, lines
        moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
        assert engine.play(chess.Board(), chess.engine.Limit(nodes=5000), root_moves=moves).move in moves
        pondered = engine.play(chess.Board(), chess.engine.Limit(time=0.05), ponder=True)
        board = chess.Board()
        board.push(pondered.move)
        if pondered.ponder:
            board.push(pondered.ponder)
            assert engine.play(board, chess.engine.Limit(time=0.05)).move in board.legal_moves
        with engine.analysis(chess.Board()) as analysis:
            for _ in zip(range(3), analysis):
                pass
            analysis.stop()
        # Stalemate and mate have no move.
        for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"):
            assert engine.play(chess.Board(fen), chess.engine.Limit(depth=3)).move is None


if __name__ == "__main__":
    ask(sys.argv[1])
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    least = play(sys.argv[1], games)
    print(f"{games} games at 1+0.01 s: all moves legal and in time; at least {1000 * least:.0f} ms were left")
