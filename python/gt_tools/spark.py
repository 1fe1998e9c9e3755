"""One query on the logs of a fleet, by Apache Spark.

    frame = gt_tools.spark.query(spark, "logs/**/*.gtf", "node: count(best >= beta)")

    driver      patterns ──▶ logs ──▶ tasks: a few logs each, or some blocks of a large one; the query bound to the first log
    executors   mapInArrow: open · ask ──▶ rows, or partial answers; a log without an answer is a row with an error
    driver      a DataFrame, whose schema is known before any of it runs

The package has to be installed where the executors run. No node travels that is not a row of the answer.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Optional, Sequence, Union

from . import _gt_tools
from ._gt_tools import CheckList, GtError, LogError, QueryError
from ._remote import Paths, expand, local_copy
from ._tasks import Piece, divided

if TYPE_CHECKING:
    import pyarrow
    from ._gt_tools import SentCheck, ToldCheck
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["check", "query"]

#: So many logs are asked at once in a task: their answers are in memory together.
LOGS_AT_ONCE = 32

Batches = Iterator["pyarrow.RecordBatch"]


class _Asked:
    """A query with all that a task needs to know of it; it is sent to the executors."""

    def __init__(self, text: str, options: "dict[str, Any]", metadata: Sequence[str], errors: str) -> None:
        self.text, self.options, self.metadata, self.errors = text, options, list(metadata), errors

    def describe(self, files: Sequence[str], combine: bool) -> "tuple[pyarrow.Schema, str, bool]":
        """The columns of the answer, the first log that the query fits, and whether a tree's blocks can be asked apart."""
        import pyarrow

        wrong: Optional[GtError] = None
        for path in files:
            try:
                with tempfile.TemporaryDirectory() as folder:
                    empty, is_divisible = _gt_tools.describe_many(
                        [local_copy(path, folder)], self.text, combine=combine, metadata=self.metadata, **self.options
                    )
                return _for_spark(pyarrow.schema(empty)), path, is_divisible
            except GtError as error:
                # What is wrong with the query says more than what is wrong with a log.
                if wrong is None or (isinstance(wrong, LogError) and isinstance(error, QueryError)):
                    wrong = error
        raise wrong or LogError("there is no log to be asked")

    def tables(self, pieces: "Sequence[Piece]", schema: "pyarrow.Schema") -> "Iterator[pyarrow.Table]":
        """The answers of a task, in the columns that were announced."""
        for piece, paths in _together(pieces):
            with tempfile.TemporaryDirectory() as folder:
                here, wrong = _copies(paths, folder)
                for path, sentence in wrong:
                    yield self._row_of_error(schema, path, sentence)
                if here:
                    yield from self._ask(piece, here, schema)

    def _ask(self, piece: Piece, here: "dict[str, str]", schema: "pyarrow.Schema") -> "Iterator[pyarrow.Table]":
        import pyarrow
        import pyarrow.compute

        try:
            answer, _ = _gt_tools.query_many(
                list(here), self.text, metadata=self.metadata, threads=1, **{**self.options, **piece.options()}
            )
            table = _typed(pyarrow.table(answer))
            if table.schema.types != schema.types:
                raise QueryError("the columns of its answer have other types than those of the first log")
        except GtError as error:
            # The query fits none of these, or another one than the first: each is asked by itself.
            for local, path in here.items():
                if len(here) > 1:
                    yield from self._ask(piece, {local: path}, schema)
                else:
                    yield self._row_of_error(schema, path, str(error).strip())
            return
        if any(local != path for local, path in here.items()):
            place = pyarrow.compute.index_in(table.column(0), pyarrow.array(list(here)))
            names = pyarrow.array(list(here.values())).take(place)
            table = table.set_column(0, table.schema.field(0), names)
        if self.errors == "raise":
            wrong = table.filter(table.column(table.num_columns - 1).is_valid())
            for path, sentence in zip(wrong.column(0).to_pylist(), wrong.column(wrong.num_columns - 1).to_pylist()):
                raise QueryError(f"{path}: {sentence}")
        yield table.rename_columns(schema.names).cast(schema)

    def partials(self, pieces: "Sequence[Piece]") -> "Iterator[tuple[Optional[bytes], Optional[str]]]":
        """What the logs of a task add to one answer over all, and what is wrong with some."""
        for piece, paths in _together(pieces):
            with tempfile.TemporaryDirectory() as folder:
                here, wrong = _copies(paths, folder)
                yield from ((None, f"{path}: {sentence}") for path, sentence in wrong)
                if here:
                    yield from self._add(piece, here)

    def _add(self, piece: Piece, here: "dict[str, str]") -> "Iterator[tuple[Optional[bytes], Optional[str]]]":
        try:
            options = {**self.options, **piece.options()}
            part, errors = _gt_tools.partials(list(here), self.text, threads=1, **options)
        except GtError as error:
            for local, path in here.items():
                if len(here) > 1:
                    yield from self._add(piece, {local: path})
                else:
                    yield None, f"{path}: {str(error).strip()}"
            return
        yield part, None
        for wrong, sentence in errors:
            yield None, f"{here[os.fspath(wrong)]}: {sentence}"

    def _row_of_error(self, schema: "pyarrow.Schema", path: str, sentence: str) -> "pyarrow.Table":
        if self.errors == "raise":
            raise QueryError(f"{path}: {sentence}")
        return _row(schema, {0: path, len(schema) - 1: sentence})


def query(
    spark: "SparkSession",
    paths: Paths,
    text: str,
    *,
    errors: str = "row",
    combine: bool = False,
    cut: str = "error",
    metadata: Sequence[str] = (),
    trees: Sequence[int] = (),
    tasks: Optional[int] = None,
    **parameters: Any,
) -> "DataFrame":
    """Asks one query of many logs.

    `paths` are paths that every machine sees, addresses that fsspec reads, or patterns of these. The columns are `log`, `tree`,
    those of `metadata`, the query's own, and `error`; their types are known before it runs. A log that cannot be read, is cut
    off or that the query does not fit is a row with an error; with `errors="raise"` it fails the job. `cut="answer"` asks logs
    that were not closed as far as they go. With `combine`, the aggregates and groups of all logs are one
    answer, made of partial ones, with an `error` for each log that is not in it. `tasks` says how many tasks Spark gets; else
    there are some for each core.
    """
    options = _options(errors, cut, trees, parameters)
    asked, files = _Asked(text, options, metadata, errors), expand(paths)
    schema, model, is_divisible = asked.describe(files, combine)
    work = divided(files, is_divisible, _cores(spark), tasks, trees)
    if combine:
        return _combined(spark, asked, work, schema, model)

    def answer(batches: Batches) -> Batches:
        for pieces in _of(batches, work):
            for table in asked.tables(pieces, schema):
                yield from table.to_batches()

    return _frame(spark, len(work), answer, schema)


def _combined(
    spark: "SparkSession", asked: _Asked, work: "list[list[Piece]]", schema: "pyarrow.Schema", model: str
) -> "DataFrame":
    """One answer over all: partial ones are made where the logs are read, and joined by one task."""
    import pyarrow

    between = pyarrow.schema([("part", pyarrow.binary()), ("error", pyarrow.string())])

    def add(batches: Batches) -> Batches:
        for pieces in _of(batches, work):
            for part, sentence in asked.partials(pieces):
                if sentence is not None and asked.errors == "raise":
                    raise QueryError(sentence)
                yield from _row(between, {0: part, 1: sentence}).to_batches()

    def join(batches: Batches) -> Batches:
        parts: "list[bytes]" = []
        for batch in batches:
            parts.extend(part for part in batch.column(0).to_pylist() if part is not None)
            for sentence in batch.column(1).drop_null().to_pylist():
                yield from _row(schema, {len(schema) - 1: sentence}).to_batches()
        with tempfile.TemporaryDirectory() as folder:
            total = _gt_tools.total(local_copy(model, folder), asked.text, parts, **asked.options)
        table = _typed(pyarrow.table(total))
        nothing = pyarrow.nulls(table.num_rows, pyarrow.string())
        table = table.append_column(pyarrow.field("error", pyarrow.string()), nothing)
        yield from table.rename_columns(schema.names).cast(schema).to_batches()

    partial = _frame(spark, len(work), add, between)
    return partial.repartition(1).mapInArrow(join, _spark_schema(schema))


#: A name with a query and what is expected of its number.
Checks = Mapping[str, "tuple[str, str]"]


def check(
    spark: "SparkSession",
    paths: Paths,
    checks: "Union[str, os.PathLike[str], Checks]",
    *,
    cut: str = "error",
    tasks: Optional[int] = None,
    **parameters: Any,
) -> "DataFrame":
    """Holds expectations against the trees of many logs.

    `checks` are names with a query and what its number must be (`{"windows": ("node: alpha >= beta", "= 0")}`), or the path of a
    suite of `gt check`, whose `[[check]]`s are taken. The columns are `check`, `log`, `tree`, `value` (the number as it is
    compared), `expect`, `holds` and `error`; a check over the sum of all trees has one row, without a log.
    """
    import pyarrow

    sent = _check_list(checks, parameters).sent()
    files, takes_cut_logs = expand(paths), _takes_cut_logs(cut)
    work = divided(files, False, _cores(spark), tasks)
    each, sums = [one for one in sent if one[4] != "sum"], [one for one in sent if one[4] == "sum"]
    schema = pyarrow.schema(
        [("check", pyarrow.string()), ("log", pyarrow.string()), ("tree", pyarrow.int64())]
        + [("value", pyarrow.float64()), ("expect", pyarrow.string()), ("holds", pyarrow.bool_())]
        + [("error", pyarrow.string())]
    )
    between = pyarrow.schema([*schema, ("of", pyarrow.float64()), ("nodes", pyarrow.int64())])

    def judge(batches: Batches) -> Batches:
        expected, known = {one[0]: one[3] for one in each}, CheckList(each)
        for pieces in _of(batches, work):
            for path in (piece.path for piece in pieces):
                rows = []
                for name, tree, _, _, _, value, holds, error in _measured(known, each, path, takes_cut_logs):
                    rows.append((name, path, tree, value, expected[name], holds, error))
                yield from _table(schema, rows)

    def add(batches: Batches) -> Batches:
        known = CheckList(sums)
        for pieces in _of(batches, work):
            for path in (piece.path for piece in pieces):
                rows = []
                for name, tree, nodes, number, of, _, _, error in _measured(known, sums, path, takes_cut_logs):
                    rows.append((name, path, tree, number, None, None, error, of, nodes))
                yield from _table(between, rows)

    def add_up(batches: Batches) -> Batches:
        yield from _table(schema, _sums(batches, sums))

    frames = []
    if each:
        frames.append(_frame(spark, len(work), judge, schema))
    if sums:
        added = _frame(spark, len(work), add, between).repartition(1)
        frames.append(added.mapInArrow(add_up, _spark_schema(schema)))
    return frames[0] if len(frames) == 1 else frames[0].unionByName(frames[1])


def _sums(batches: Batches, sums: "list[SentCheck]") -> "list[tuple[Any, ...]]":
    """Checks over all trees together, and a row for each number that is missing from them."""
    rows: "list[tuple[Any, ...]]" = []
    totals: "dict[str, list[Any]]" = {one[0]: [0.0, None, 0] for one in sums}
    for batch in batches:
        for name, path, tree, number, _, _, error, of, nodes in zip(*(column.to_pylist() for column in batch.columns)):
            total = totals[name]
            if error is not None:
                rows.append((name, path, tree, None, None, None, error))
            elif number is not None:
                total[0], total[2] = total[0] + number, total[2] + nodes
                total[1] = total[1] if of is None else (total[1] or 0.0) + of
    known, expected = CheckList(sums), {one[0]: one[3] for one in sums}
    for name, (number, of, nodes) in totals.items():
        value, holds = known.sum(name, number, of, nodes) or (None, None)
        rows.append((name, None, None, value, expected[name], holds, None))
    return rows


def _measured(
    known: CheckList, sent: "list[SentCheck]", path: str, takes_cut_logs: bool
) -> "list[ToldCheck]":
    """The numbers of a log's trees; of a log that cannot be read, an error for each check."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            return known.on_log(local_copy(path, folder), takes_cut_logs=takes_cut_logs, threads=1)
    except GtError as error:
        return [(one[0], None, 0, None, None, None, None, str(error).strip()) for one in sent]


def _check_list(checks: "Union[str, os.PathLike[str], Checks]", parameters: "Mapping[str, Any]") -> CheckList:
    given = [(name, str(value)) for name, value in parameters.items()]
    if isinstance(checks, (str, os.PathLike)):
        sent = CheckList.read(checks).sent()
        return CheckList([(*one[:5], given + one[5], one[6]) for one in sent])
    if not checks:
        raise QueryError("there is no check: a mapping has names with a query and what is expected of it")
    return CheckList([(name, text, None, expect, "", given, None) for name, (text, expect) in checks.items()])


def _options(errors: str, cut: str, trees: Sequence[int], parameters: "Mapping[str, Any]") -> "dict[str, Any]":
    if errors not in ("row", "raise"):
        raise QueryError(f'errors is "row" or "raise", not {errors!r}')
    return {"trees": list(trees), "takes_cut_logs": _takes_cut_logs(cut), "parameters": dict(parameters)}


def _takes_cut_logs(cut: str) -> bool:
    if cut not in ("error", "answer"):
        raise QueryError(f'cut is "error" or "answer", not {cut!r}')
    return cut == "answer"


def _cores(spark: "SparkSession") -> int:
    try:
        return int(spark.sparkContext.defaultParallelism)
    except Exception:  # A session of Spark Connect has no context.
        return 8


def _frame(spark: "SparkSession", tasks: int, work: Any, schema: "pyarrow.Schema") -> "DataFrame":
    """What `work` makes of the numbers of tasks, each of which is a task of Spark's."""
    return spark.range(0, tasks, 1, max(tasks, 1)).mapInArrow(work, _spark_schema(schema))


def _of(batches: Batches, work: "list[list[Piece]]") -> "Iterator[list[Piece]]":
    for batch in batches:
        yield from (work[number] for number in batch.column(0).to_pylist())


def _together(pieces: "Sequence[Piece]") -> "Iterator[tuple[Piece, list[str]]]":
    """Whole logs that are asked at once, and parts of logs one by one."""
    whole = [piece for piece in pieces if piece.blocks is None]
    for start in range(0, len(whole), LOGS_AT_ONCE):
        yield whole[start], [piece.path for piece in whole[start : start + LOGS_AT_ONCE]]
    for piece in pieces:
        if piece.blocks is not None:
            yield piece, [piece.path]


def _copies(paths: Sequence[str], folder: str) -> "tuple[dict[str, str], list[tuple[str, str]]]":
    """The logs as files of this machine's, with the names that they have elsewhere; and those that cannot be had."""
    here: "dict[str, str]" = {}
    wrong: "list[tuple[str, str]]" = []
    for path in paths:
        try:
            here[local_copy(path, folder)] = path
        except GtError as error:
            wrong.append((path, str(error)))
    return here, wrong


def _for_spark(schema: "pyarrow.Schema") -> "pyarrow.Schema":
    """Spark has no unsigned integers: those of 64 bits become decimals of 20 digits."""
    import pyarrow

    wide = pyarrow.decimal128(20, 0)
    fields = (field.with_type(wide) if field.type == pyarrow.uint64() else field for field in schema)
    return pyarrow.schema([field.with_nullable(True) for field in fields])


def _typed(table: "pyarrow.Table") -> "pyarrow.Table":
    return table.cast(_for_spark(table.schema))


def _spark_schema(schema: "pyarrow.Schema") -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)


def _row(schema: "pyarrow.Schema", values: "Mapping[int, Any]") -> "pyarrow.Table":
    import pyarrow

    arrays = [pyarrow.array([values.get(place)], field.type) for place, field in enumerate(schema)]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def _table(schema: "pyarrow.Schema", rows: "Iterable[tuple[Any, ...]]") -> Batches:
    import pyarrow

    listed = list(rows)
    arrays = [pyarrow.array([row[place] for row in listed], field.type) for place, field in enumerate(schema)]
    yield from pyarrow.Table.from_arrays(arrays, schema=schema).to_batches()
