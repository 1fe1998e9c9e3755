"""Searches written with python-chess, logged.

    tree = gt_tools.chess.LoggedSearch("run.gtf", board, {"depth": "i8", "best": "i32"})
    with tree:
        with tree.root() as node:
            for move in board.legal_moves:
                with tree.move(move) as child:      # pushes the move, and takes it back at the end
                    child.best = …
            node.best = …
"""

from __future__ import annotations

from typing import Any, Optional

from . import Path, create
from ._gt_tools import LogWriter, OpenNode

#: The number of a null move in logs of chess.
NULL_MOVE = 65_535


class LoggedSearch:
    """A board of python-chess whose moves are logged as one tree."""

    def __init__(
        self,
        log: "Path | LogWriter",
        board: Any,
        schema: Any = None,
        *,
        force: bool = False,
        **metadata: Any,
    ) -> None:
        self.board = board
        self._own: Optional[LogWriter] = None
        if not isinstance(log, LogWriter):
            log = self._own = create(log, schema, game="chess", force=force)
        self.tree = log.tree(position=board.fen(), **metadata)

    def root(self, **values: Any) -> OpenNode:
        """The root, as a context."""
        return self.tree.node(0, **values)

    def move(self, move: Any, **values: Any) -> "_Moved":
        """A move, as a context: it is made on the board, and taken back at the end."""
        return _Moved(self.board, move, self.tree.node(NULL_MOVE if not move else move.uci(), **values))

    def close(self) -> None:
        """Finishes the tree, and closes the log if it was begun here."""
        self.tree.finish()
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> "LoggedSearch":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            self.close()
            return
        self.tree.abandon()
        if self._own is not None:
            self._own.close()


class _Moved:
    def __init__(self, board: Any, move: Any, node: OpenNode) -> None:
        self._board, self._move, self._node = board, move, node

    def __enter__(self) -> OpenNode:
        node = self._node.__enter__()
        self._board.push(self._move)
        return node

    def __exit__(self, *error: Any) -> None:
        self._board.pop()
        self._node.__exit__(*error)
