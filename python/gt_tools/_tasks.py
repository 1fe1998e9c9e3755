"""The logs of a fleet, divided into tasks of about one size: some logs each, or some blocks of a large one."""

from __future__ import annotations

import os
from typing import Any, NamedTuple, Optional, Sequence

from ._gt_tools import GtError, Log
from ._remote import is_remote

#: So many tasks for each core: a task that is lost costs little, and a slow one is made up for by others.
TASKS_PER_CORE = 4
#: Beyond one for each core, a task has at least so many bytes: to start one takes Spark longer than to ask a few of them.
TASK_BYTES = 64 << 20
#: A task has at most so many logs.
LOGS_PER_TASK = 512
#: A log of more bytes than these is divided, where its query allows it.
PIECE_BYTES = 64 << 20
#: What a log counts for at least, in bytes: to open it takes time too.
LEAST_BYTES = 64 << 10


class Piece(NamedTuple):
    """A log, or some blocks of one of its trees."""

    path: str
    tree: Optional[int] = None
    blocks: "Optional[tuple[int, int]]" = None

    def options(self) -> "dict[str, Any]":
        """What a call needs to know to ask this piece alone."""
        return {} if self.blocks is None else {"trees": [self.tree], "blocks": self.blocks}


def divided(
    files: Sequence[str], is_divisible: bool, cores: int, tasks: Optional[int], trees: Sequence[int] = ()
) -> "list[list[Piece]]":
    """Tasks of about one size, in the order of the files; where `trees` are named, of those."""
    pieces = [weighed for path in files for weighed in _pieces(path, is_divisible, trees)]
    in_all = sum(bytes_of_it for _, bytes_of_it in pieces)
    wanted = max(1, tasks if tasks is not None else min(TASKS_PER_CORE * cores, max(cores, int(in_all / TASK_BYTES))))
    limit = in_all / wanted
    work: "list[list[Piece]]" = []
    filled, last = 0.0, -1
    for piece, bytes_of_it in pieces:
        # A piece goes where its middle falls: tasks are as many as wanted, or fewer.
        place = min(int((filled + bytes_of_it / 2) / limit), wanted - 1) if limit else 0
        if not work or place > last or len(work[-1]) >= LOGS_PER_TASK:
            work.append([])
        last = place
        work[-1].append(piece)
        filled += bytes_of_it
    return work


def _pieces(path: str, is_divisible: bool, wanted: Sequence[int]) -> "list[tuple[Piece, float]]":
    whole = [(Piece(path), float(LEAST_BYTES))]
    if is_remote(path):
        return whole
    try:
        size = os.path.getsize(path)
    except OSError:
        # It becomes a row with an error, where it is asked.
        return whole
    whole = [(Piece(path), float(max(size, LEAST_BYTES)))]
    if not is_divisible or size <= PIECE_BYTES:
        return whole
    try:
        with Log(path) as log:
            if not log.is_whole:
                return whole
            trees = [(tree.number, tree.blocks) for tree in log.trees]
    except GtError:
        return whole
    if wanted:
        trees = [tree for tree in trees if tree[0] in wanted]
        if len(trees) < len(set(wanted)):
            return whole
    blocks = sum(count for _, count in trees)
    at_once = max(1, int(blocks * PIECE_BYTES / size))
    parts = []
    for tree, count in trees:
        for start in range(0, max(count, 1), at_once):
            end = min(start + at_once, count)
            parts.append((Piece(path, tree, (start, end)), max(1.0, size * (end - start) / max(blocks, 1))))
    return parts or whole
