"""The Python package's figures, each beside what it is to be: `make bench-python`.

    bench.py GT [PART…]        parts: query, polars, log, fleet, spark

Every figure is the best of several runs; all runs are printed.
"""

from __future__ import annotations

import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Callable

import gt_tools

GT = pathlib.Path(sys.argv[1]).resolve()
COUNT = "node: count(best = 0)"


def say(what: str, measured: str, asked: str, ratio: float) -> None:
    """A line of the report; a ratio of 1 or more is as good as asked."""
    print(f"{what:<58} {measured:>24}   asked {asked:>16}   ratio {ratio:5.2f}", flush=True)


def timed(run: Callable[[], object], times: int) -> "list[float]":
    """How long each of several runs took."""
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    print("    runs: " + ", ".join(f"{one * 1e3:.1f} ms" for one in seconds), flush=True)
    return seconds


def generate(path: pathlib.Path, depth: int, branching: int, seed: int = 1) -> None:
    words = ["gen", "--depth", str(depth), "--branching", str(branching), "--seed", str(seed), "-o", str(path)]
    subprocess.run([str(GT), *words], check=True, stdout=subprocess.DEVNULL)


def tree_6(folder: pathlib.Path) -> gt_tools.Tree:
    path = folder / "tree6.gtf"
    if not path.exists():
        generate(path, 5, 35)
    return gt_tools.open(path).trees[0]


def query(folder: pathlib.Path) -> None:
    """A count on Tree 6, against the command's own time for it."""
    tree = tree_6(folder)
    path = folder / "tree6.gtf"
    command = []
    for _ in range(5):
        done = subprocess.run([str(GT), "query", str(path), COUNT, "--format", "json"], check=True, capture_output=True)
        command.append(json.loads(done.stdout)["seconds"])
    print("    gt query: " + ", ".join(f"{one * 1e3:.1f} ms" for one in command))
    package = timed(lambda: tree.query(COUNT), 7)
    more = (min(package) - min(command)) * 1e3
    say(f"a count on {tree.nodes:,} nodes, beyond gt query", f"{more:+.1f} ms", "5 ms", 5 / max(more, 0.01))


POLARS = """
import resource, sys, time
import polars, gt_tools
tree = gt_tools.open(sys.argv[1]).trees[0]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
started = time.perf_counter()
frame = polars.DataFrame(tree)
seconds = time.perf_counter() - started
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(seconds, (after - before) * 1024, frame.estimated_size(), frame.height, frame.width)
"""


def polars_table(folder: pathlib.Path) -> None:
    """A tree's seven columns as a frame: a process of its own for each run, so that its memory is its own."""
    path = folder / "table.gtf"
    generate(path, 6, 14)
    best, least, values = 0.0, 99.0, 0
    for _ in range(3):
        words = [sys.executable, "-c", POLARS, str(path)]
        done = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        seconds, peak, size, height, width = (float(word) for word in done)
        values = int(height * width)
        print(f"    run: {seconds:.2f} s, {peak / size:.2f} times the memory of the table")
        best, least = max(best, values / seconds / 1e6), min(least, peak / size)
    say(f"seven columns to Polars, {values:,} values", f"{best:.0f} M values/s", "100 M values/s", best / 100)
    say("their memory, times that of the table", f"{least:.2f}", "1.2", 1.2 / least)


def log(folder: pathlib.Path) -> None:
    """What a node costs that is logged from Python, in CPU time: the loop with the calls, less the loop alone."""
    nodes = 1_000_000
    schema = {"depth": "i8", "alpha": "i16", "beta": "i16", "best": "i16", "type": "u8", "move": "u16"}

    def loop(call: "Callable[[object], object] | None") -> float:
        with gt_tools.create(folder / "written.gtf", schema, force=True) as writer:
            tree = writer.tree()
            tree.enter(0)
            record = {"depth": 3, "alpha": -30, "beta": 30, "best": 12, "type": 1, "move": 700}
            started = time.process_time()
            if call == "dict":
                enter, leave = tree.enter, tree.leave
                for move in range(nodes):
                    enter(move & 1023)
                    leave(record)
            elif call == "positional":
                enter, leave = tree.enter, tree.leave
                for move in range(nodes):
                    enter(move & 1023)
                    leave(3, -30, 30, 12, 1, 700)
            elif call == "leaf":
                leaf = tree.leaf
                for move in range(nodes):
                    leaf(move & 1023, 3, -30, 30, 12, 1, 700)
            else:
                for move in range(nodes):
                    move & 1023
            seconds = time.process_time() - started
            tree.leave(0, 0, 0, 0, 0, 0)
            tree.finish()
        return seconds

    empty = min(loop(None) for _ in range(3))  # type: ignore[arg-type]
    for form, asked in (("dict", 400), ("positional", 200), ("leaf", 200)):
        runs = [(loop(form) - empty) / nodes * 1e9 for _ in range(5)]  # type: ignore[arg-type]
        print("    runs: " + ", ".join(f"{one:.0f} ns" for one in runs))
        say(f"a node with six attributes, {form}", f"{min(runs):.0f} ns", f"{asked} ns", asked / min(runs))


def thousand(folder: pathlib.Path) -> "tuple[pathlib.Path, int]":
    """1,000 logs of 10^5 nodes: ten trees, a hundred files of each, so that no two are one file."""
    logs = folder / "logs"
    if not logs.exists():
        logs.mkdir()
        for seed in range(10):
            generate(logs / f"{seed}-0.gtf", 5, 10, seed)
            bytes_of_it = (logs / f"{seed}-0.gtf").read_bytes()
            for copy in range(1, 100):
                (logs / f"{seed}-{copy}.gtf").write_bytes(bytes_of_it)
    return logs, 1000 * gt_tools.open(logs / "0-0.gtf").trees[0].nodes


def fleet(folder: pathlib.Path) -> None:
    """One query on a thousand logs, by the command and by the package."""
    logs, nodes = thousand(folder)
    words = [str(GT), "query", f"{logs}/*.gtf", COUNT, "--combine"]
    command = timed(lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL), 5)
    rate = nodes / min(command) / 1e6
    say("1,000 logs of 10^5 nodes by gt query, start included", f"{rate:.0f} M nodes/s", "300 M nodes/s", rate / 300)
    package = timed(lambda: gt_tools.query_many(f"{logs}/*.gtf", COUNT, combine=True), 5)
    rate = nodes / min(package) / 1e6
    say("the same by query_many", f"{rate:.0f} M nodes/s", "300 M nodes/s", rate / 300)
    listed = timed(lambda: gt_tools.query_many(f"{logs}/*.gtf", COUNT), 5)
    rate = nodes / min(listed) / 1e6
    say("the same, a row for each log", f"{rate:.0f} M nodes/s", "300 M nodes/s", rate / 300)


def spark(folder: pathlib.Path) -> None:
    """The same by Spark, with two executors, after the first jobs have started their Pythons."""
    import gt_tools.spark
    from pyspark.sql import SparkSession

    logs, nodes = thousand(folder)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").getOrCreate()
    try:
        for _ in range(3):
            gt_tools.spark.query(session, f"{logs}/0-*.gtf", COUNT).collect()
        words = [str(GT), "query", f"{logs}/*.gtf", COUNT, "--format", "csv"]
        tasks = 0
        for combine in (False, True):
            command = [*words, "--combine"] if combine else words
            print(f"    combine={combine}: gt query, then Spark")
            own = timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 5)
            asked = lambda: gt_tools.spark.query(session, f"{logs}/*.gtf", COUNT, combine=combine)  # noqa: E731
            if not combine:
                tasks = asked().rdd.getNumPartitions()
            same = lambda batches: batches  # noqa: E731

            def nothing() -> object:
                """As many tasks that do nothing, with the same steps: what a job of Spark's takes to start."""
                frame = session.range(tasks, numPartitions=tasks).mapInArrow(same, "id long")
                return (frame.repartition(1).mapInArrow(same, "id long") if combine else frame).collect()

            # The first jobs of a kind are slow: Spark's own code is compiled while it runs.
            for _ in range(10):
                asked().collect()
                nothing()
            runs = timed(lambda: asked().collect(), 10)
            started = timed(nothing, 10)
            # Medians: the difference of two least times is that of two lucky moments.
            whole, start = statistics.median(runs), statistics.median(started)
            times, rate = (whole - start) / statistics.median(own), nodes / whole / 1e6
            what = "one answer" if combine else "a row for each"
            print(f"    {tasks} tasks: {1000 * whole:.0f} ms, of which {1000 * start:.0f} ms are what an empty job takes")
            say(f"1,000 logs by Spark, {what}: times gt query", f"{times:.1f} ({rate:.0f} M nodes/s)", "2", 2 / times)
    finally:
        session.stop()


PARTS = {"query": query, "polars": polars_table, "log": log, "fleet": fleet, "spark": spark}


def main() -> None:
    wanted = sys.argv[2:] or list(PARTS)
    for part in wanted:
        if part not in PARTS:
            sys.exit(f"there is no part `{part}`; there are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as folder:
        for part in wanted:
            print(f"{part}:", flush=True)
            PARTS[part](pathlib.Path(folder))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"this process took {memory:.0f} MiB at most")


main()
