"""Logs of game-search trees: read, asked, written and shown.

    import gt_tools

    log = gt_tools.open("run.gtf")
    tree = log.trees[-1]
    tree.query("node: count(best >= $x)", x=30).count
    polars.DataFrame(tree)                       # any reader of Arrow takes trees and answers
"""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._gt_tools import (
    Answer,
    Chart,
    ClosedError,
    ConvertError,
    GameError,
    GtError,
    Log,
    LogError,
    LogWriter,
    Node,
    OpenNode,
    Position,
    QueryError,
    SearchResult,
    Table,
    Tree,
    TreeWriter,
    Viewer,
    WriteError,
    __version__,
    games,
    search,
)
from . import _gt_tools
from ._schema import alias_list, schema_list

__all__ = [
    "Answer",
    "Chart",
    "ClosedError",
    "ConvertError",
    "FleetAnswer",
    "GameError",
    "GtError",
    "Log",
    "LogError",
    "LogWriter",
    "Node",
    "OpenNode",
    "Position",
    "QueryError",
    "SearchResult",
    "Table",
    "Tree",
    "TreeWriter",
    "Viewer",
    "WriteError",
    "create",
    "from_arrow",
    "games",
    "open",
    "query_many",
    "search",
    "to_parquet",
]

Path = Union[str, "os.PathLike[str]"]


def open(source: Union[Path, bytes]) -> Log:
    """Opens a log: a path, or the bytes of one."""
    return Log(source)


def create(
    path: Path,
    schema: Any,
    *,
    game: str = "",
    aliases: Optional[Mapping[str, Any]] = None,
    metadata: Optional[Mapping[str, Any]] = None,
    force: bool = False,
    append: bool = False,
) -> LogWriter:
    """Begins a log.

    `schema` says what every node carries: a dataclass, or a mapping of names to types (`int`, `float`, `bool`, `str`, or
    the log's own: "i8" … "u64", "f32", "f64", "bool", "text"). `aliases` name numbers: `{"PVNode": 1}`, or those of one
    attribute: `{"type": {"PVNode": 1}}`. A file that is there stays, unless `force` replaces it or `append` adds to it.
    """
    about = [(str(name), str(value)) for name, value in (metadata or {}).items()]
    return LogWriter(
        path,
        schema_list(schema),
        game=game,
        aliases=alias_list(aliases),
        metadata=about,
        force=force,
        append=append,
    )


def from_arrow(
    table: Any,
    path: Path,
    *,
    game: Optional[str] = None,
    aliases: Optional[Mapping[str, int]] = None,
    metadata: Optional[Mapping[str, Any]] = None,
    rename: Optional[Mapping[str, str]] = None,
    omit: Iterable[str] = (),
    force: bool = False,
) -> Log:
    """Makes a log of a table with a row for each node, and opens it.

    The table is anything with `__arrow_c_stream__`. Its columns `node_id` and `parent_id` make the tree (the root's parent is
    -1 or missing), `last_move` is the move, `tree` the tree's number; all others are attributes. A table that came from a tree
    makes the same log again, as far as it kept the schema's metadata.
    """
    _gt_tools.from_arrow(
        table,
        path,
        game=game,
        aliases=list((aliases or {}).items()),
        metadata=[(str(name), str(value)) for name, value in (metadata or {}).items()],
        rename=list((rename or {}).items()),
        omit=list(omit),
        force=force,
    )
    return Log(path)


def to_parquet(tree: Tree, path: Path, *, force: bool = False) -> int:
    """Writes the table of a tree as Parquet, and gives the number of rows."""
    return tree.to_parquet(path, force=force)


class FleetAnswer:
    """The answer of many logs: a table for readers of Arrow, and what was wrong with some."""

    def __init__(self, answer: Answer, errors: "Sequence[tuple[os.PathLike[str], str]]") -> None:
        self.answer = answer
        #: The logs without an answer, with the reason.
        self.errors = {os.fspath(path): sentence for path, sentence in errors}

    @property
    def columns(self) -> "list[str]":
        """The names of the columns."""
        return self.answer.columns

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.answer.seconds

    def rows(self) -> "list[tuple[Any, ...]]":
        """The rows as tuples."""
        return self.answer.rows()

    def to_arrow(self) -> Any:
        """The table as one of pyarrow's."""
        return self.answer.to_arrow()

    def to_polars(self) -> Any:
        """The table as a frame of Polars'."""
        return self.answer.to_polars()

    def to_pandas(self) -> Any:
        """The table as a frame of pandas'."""
        return self.answer.to_pandas()

    def __len__(self) -> int:
        return len(self.answer)

    def __iter__(self) -> Any:
        return iter(self.answer)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.answer.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self.answer.__arrow_c_schema__()

    def __repr__(self) -> str:
        wrong = f", {len(self.errors)} logs without an answer" if self.errors else ""
        return f"<gt_tools.FleetAnswer {len(self)} rows of {', '.join(self.columns)}{wrong}>"

    def _repr_html_(self) -> str:
        return self.answer._repr_html_()


def query_many(
    paths: Union[Path, Sequence[Path]],
    text: str,
    *,
    combine: bool = False,
    errors: str = "row",
    cut: str = "error",
    metadata: Sequence[str] = (),
    trees: Sequence[int] = (),
    threads: int = 0,
    memory: int = 1 << 30,
    **parameters: Any,
) -> FleetAnswer:
    """Asks one query of many logs, on all cores.

    `paths` are paths or patterns (`"logs/**/*.gtf"`). The answer has the columns `log`, `tree`, those of `metadata`, the
    query's own, and `error`: a log that cannot be read, is cut off or that the query does not fit is a row with an error, or
    with `errors="raise"` an exception; `cut="answer"` asks logs that were not closed as far as they go. With `combine`, the
    aggregates and groups of all logs are one answer.
    """
    if errors not in ("row", "raise"):
        raise QueryError(f'errors is "row" or "raise", not {errors!r}')
    if cut not in ("error", "answer"):
        raise QueryError(f'cut is "error" or "answer", not {cut!r}')
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    answer, wrong = _gt_tools.query_many(
        listed,
        text,
        combine=combine,
        raise_errors=errors == "raise",
        metadata=list(metadata),
        trees=list(trees),
        takes_cut_logs=cut == "answer",
        threads=threads,
        memory=memory,
        parameters=parameters,
    )
    return FleetAnswer(answer, wrong)
