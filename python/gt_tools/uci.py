"""Searches of other engines as logs: what a UCI engine says in its `info` lines.

    with gt_tools.uci.InfoLog("engine.gtf", fen="…") as log:
        for line in engine_output:
            log.feed(line)

An engine tells its lines, not its tree. Each depth becomes a tree: the root, and below it the moves of the principal
variations of that depth, one after the other; lines that begin alike share their beginning.
"""

from __future__ import annotations

import subprocess
from typing import Any, Iterable, Optional, Sequence

from . import Path, WriteError, create
from ._gt_tools import LogWriter, TreeWriter

#: What every node of such a log carries. A value that the engine did not tell is missing.
SCHEMA = {
    "depth": "i16",
    "best": "i32",
    "bound": "u8",
    "mate": "i16",
    "multipv": "u16",
    "seldepth": "i16",
    "nodes": "u64",
    "time_ms": "u64",
}

#: The names of the values of `bound`: the score is exact, at least, or at most what it says.
BOUNDS = {"Exact": 0, "Lower": 1, "Upper": 2}

#: The score of a mate on the board; one in n plies is so many less.
MATE = 32_000

_INTEGERS = ("depth", "seldepth", "multipv", "nodes", "time")


def parse_info(line: str) -> "Optional[dict[str, Any]]":
    """What an `info` line says, or `None` where it tells no line of moves."""
    words = line.split()
    if not words or words[0] != "info" or "pv" not in words:
        return None
    told: "dict[str, Any]" = {"bound": BOUNDS["Exact"], "multipv": 1}
    place = 1
    while place < len(words):
        word, rest = words[place], words[place + 1 :]
        if word == "pv":
            told["pv"] = rest
            break
        if word in _INTEGERS and rest and rest[0].lstrip("-").isdigit():
            told[word] = int(rest[0])
            place += 2
        elif word == "score" and len(rest) >= 2 and rest[0] in ("cp", "mate") and rest[1].lstrip("-").isdigit():
            told[rest[0]] = int(rest[1])
            place += 3
        elif word in ("lowerbound", "upperbound"):
            told["bound"] = BOUNDS["Lower" if word == "lowerbound" else "Upper"]
            place += 1
        elif word == "string":
            return None
        else:
            place += 1
    return told if told.get("pv") and "depth" in told else None


class InfoLog:
    """A log of what an engine tells while it searches one position."""

    def __init__(
        self,
        path: Path,
        *,
        fen: str = "",
        game: str = "chess",
        metadata: "Optional[dict[str, Any]]" = None,
        force: bool = False,
    ) -> None:
        self._log: LogWriter = create(
            path, SCHEMA, game=game, aliases={"bound": BOUNDS}, metadata=metadata, force=force
        )
        self._fen = fen
        self._depth: Optional[int] = None
        self._lines: "dict[int, dict[str, Any]]" = {}
        self.trees = 0

    def feed(self, line: str) -> None:
        """Takes a line of the engine; those that tell no moves are passed over."""
        told = parse_info(line)
        if told is None:
            return
        if self._depth is not None and told["depth"] != self._depth:
            self._write()
        self._depth = told["depth"]
        self._lines[told["multipv"]] = told

    def close(self) -> None:
        """Writes the last depth and closes the log."""
        self._write()
        self._log.close()

    def __enter__(self) -> "InfoLog":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _write(self) -> None:
        lines = [self._lines[number] for number in sorted(self._lines)]
        self._lines = {}
        if not lines:
            return
        about: "dict[str, Any]" = {"nominal_depth": self._depth, "algorithm": "uci"}
        if self._fen:
            about["position"] = self._fen
        with self._log.tree(**about) as tree:
            _node(tree, 0, 0, lines)
        self.trees += 1


def _node(tree: TreeWriter, last_move: Any, ply: int, lines: "Sequence[dict[str, Any]]") -> None:
    """A node that these lines pass through, the best first, and what is below it."""
    tree.enter(last_move)
    below: "dict[str, list[dict[str, Any]]]" = {}
    for line in lines:
        if len(line["pv"]) > ply:
            below.setdefault(line["pv"][ply], []).append(line)
    for move, through in below.items():
        _node(tree, move, ply + 1, through)
    tree.leave(_values(lines[0], ply))


def _values(line: "dict[str, Any]", ply: int) -> "dict[str, Any]":
    sign = -1 if ply % 2 else 1
    mate = line.get("mate")
    score = line.get("cp")
    if mate is not None:
        score = (MATE - 2 * abs(mate)) * (1 if mate > 0 else -1)
    bound = line["bound"]
    if sign < 0 and bound:
        bound = BOUNDS["Lower"] + BOUNDS["Upper"] - bound
    values = {
        "depth": line["depth"] - ply,
        "best": None if score is None else sign * score,
        "bound": bound,
        "mate": None if mate is None else sign * mate,
        "multipv": line["multipv"],
    }
    if ply == 0:
        values.update(seldepth=line.get("seldepth"), nodes=line.get("nodes"), time_ms=line.get("time"))
    return values


def log_lines(lines: Iterable[str], path: Path, **options: Any) -> int:
    """Makes a log of an engine's output; gives the number of trees. The options are those of `InfoLog`."""
    with InfoLog(path, **options) as log:
        for line in lines:
            log.feed(line)
    return log.trees


def log_engine(
    command: "str | Sequence[str]",
    path: Path,
    *,
    fen: str = "",
    go: str = "depth 10",
    settings: "Optional[dict[str, Any]]" = None,
    force: bool = False,
) -> str:
    """Lets a UCI engine search a position, logs what it tells, and gives its best move."""
    words = [command] if isinstance(command, str) else list(command)
    try:
        engine = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    except OSError as error:
        raise WriteError(f"{words[0]}: the engine cannot be started: {error.strerror}") from None
    assert engine.stdin is not None and engine.stdout is not None
    try:
        orders = ["uci", *(f"setoption name {name} value {value}" for name, value in (settings or {}).items())]
        orders += ["isready", f"position fen {fen}" if fen else "position startpos", f"go {go}"]
        engine.stdin.write("\n".join(orders) + "\n")
        engine.stdin.flush()
        with InfoLog(path, fen=fen, metadata={"engine": words[0]}, force=force) as log:
            for line in engine.stdout:
                log.feed(line)
                if line.startswith("bestmove"):
                    return line.split()[1]
        raise WriteError(f"{words[0]}: the engine ended before it told its best move")
    finally:
        try:
            engine.stdin.write("quit\n")
            engine.stdin.flush()
        except OSError:
            pass
        try:
            engine.wait(timeout=5)
        except subprocess.TimeoutExpired:
            engine.kill()
            engine.wait()
        engine.stdin.close()
        engine.stdout.close()
