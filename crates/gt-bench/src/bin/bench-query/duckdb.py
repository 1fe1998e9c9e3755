"""A DuckDB table `t` of a tree's columns, asked over standard input: a JSON object a line in, one out."""
import json, sys, threading, time
import duckdb, numpy

folder, threads = sys.argv[1], int(sys.argv[2])
arrays, selected = {}, []
for column in json.load(open(f"{folder}/columns.json")):
    name, value = column["name"], f'"{column["name"]}"'
    arrays[name] = numpy.fromfile(f"{folder}/{name}", dtype=column["dtype"])
    if column["texts"]:
        texts = ", ".join("'" + text.replace("'", "''") + "'" for text in column["texts"])
        value = f"([{texts}])[{value} + 1]"
    if column["missing"]:
        arrays[f"{name}.missing"] = numpy.fromfile(f"{folder}/{name}.missing", dtype=bool)
        value = f'case when "{name}.missing" then null else {value} end'
    selected.append(f'{value} as "{name}"')
arrays["node_id"] = numpy.arange(len(next(iter(arrays.values()))), dtype=numpy.int32)
db = duckdb.connect()
db.execute(f"set threads = {threads}")
db.execute("set enable_progress_bar = false")
db.execute(f"set temp_directory = '{folder}'")
db.execute(f"create table t as select node_id, {', '.join(selected)} from arrays")
arrays.clear()
print(json.dumps({"ready": True}), flush=True)


def timed(sql, limit):
    """The CPU seconds for each thread, and the rows; nothing where the limit is reached first."""
    timer = threading.Timer(limit, db.interrupt)
    timer.start()
    try:
        start = time.process_time()
        rows = db.execute(sql).fetchall()
        return (time.process_time() - start) / threads, rows
    except duckdb.InterruptException:
        return None
    finally:
        timer.cancel()


for line in sys.stdin:
    asked = json.loads(line)
    began, best, rows = time.monotonic(), None, None
    try:
        for _ in range(asked["runs"]):
            run = timed(asked["sql"], asked["limit_seconds"])
            if run is None:
                break
            best, rows = min(best or run[0], run[0]), run[1]
            if time.monotonic() - began > asked["limit_seconds"] / 4:
                break
        answer = {"seconds": best, "rows": rows}
    except duckdb.Error as error:
        answer = {"error": str(error)}
    print(json.dumps(answer, default=float), flush=True)
