"""The row of bench/run that measures a large data set: the time to the first request, and memory.
DuckDB's library, which inferbench needs for such files, also makes the file."""
import ctypes
import os
from pathlib import Path

from lab import OURS, ROOT, cell, middle, table
from times import first_bytes

ROW_BYTES = 1780       # of a row in the file, about
GROUP_ROWS = 10_240    # rows of a row group


def library(lab):
    """The path of DuckDB's library: $INFERBENCH_DUCKDB, or where tests/tools/fetch_duckdb puts it."""
    usual = [lab.programs.parent / "duckdb/libduckdb.so", ROOT / "build/release/duckdb/libduckdb.so"]
    named = os.environ.get("INFERBENCH_DUCKDB")
    for file in [Path(named)] if named else usual:
        if file.exists():
            return file
    raise SystemExit("the row parquet needs DuckDB's library; tests/tools/fetch_duckdb fetches it")


def write(file, duckdb, rows):
    """Writes a Parquet file with a number and a text of about 2 kB in each row. The texts are digits
    of hashes, so that the file is hardly smaller than its contents."""
    engine = ctypes.CDLL(str(duckdb))
    engine.duckdb_result_error.restype = ctypes.c_char_p
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    answer = ctypes.create_string_buffer(256)  # larger than the struct of the result
    if (engine.duckdb_open(None, ctypes.byref(database))
            or engine.duckdb_connect(database, ctypes.byref(connection))):
        raise SystemExit(f"{duckdb} does not open a database")
    sql = (f"COPY (SELECT i AS id, array_to_string([hash(i * 100 + j) FOR j IN range(100)], ' ')"
           f" AS question FROM range({rows}) numbers(i)) TO '{file}'"
           f" (FORMAT parquet, ROW_GROUP_SIZE {GROUP_ROWS})")
    failed = engine.duckdb_query(connection, sql.encode(), answer)
    reason = engine.duckdb_result_error(answer) if failed else b""
    engine.duckdb_destroy_result(answer)
    engine.duckdb_disconnect(ctypes.byref(connection))
    engine.duckdb_close(ctypes.byref(database))
    if failed:
        raise SystemExit(f"DuckDB cannot write {file}: {reason.decode()}")


def forget(file):
    """Removes the file from the system's cache, so that the next run reads the disk."""
    with open(file, "rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def parquet(lab):
    """Measures the time from exec to the first bytes of the first request, and the peak memory of a
    run, for a data set in one Parquet file."""
    duckdb = library(lab)
    os.environ["INFERBENCH_DUCKDB"] = str(duckdb)  # for inferbench
    file = lab.folder / "rows.parquet"
    number = max(GROUP_ROWS, int(lab.gigabytes * 1e9 / ROW_BYTES))
    lab.tell(f"writing {number:,} rows")
    write(file, duckdb, number)
    of_file = ["--dataset-name", "hf", "--dataset-path", file]
    requests = lab.count(1000)

    def first(cold):
        if cold:
            forget(file)
        return first_bytes(lab, of_file)

    def run(port, *more):
        return lab.ours(port, requests, 64, tokens=16, rss=True, more=more)

    times = lab.interleaved(cold=lambda: first(True), warm=lambda: first(False))
    with lab.server("--ttft", "0", "--itl", "0") as port:
        seen = lab.interleaved(**{
            "random": lambda: run(port),
            OURS: lambda: run(port, *of_file, "--hf-output-len", 16)})
    size = file.stat().st_size / 1e9
    file.unlink()
    print("### A data set in a Parquet file\n")
    print(f"{number:,} rows, {size:.2f} GB; seconds from exec to the first bytes of a request, when"
          f" the system has the file in its cache (warm) and when not (cold), and the peak memory of"
          f" a run of {requests:,} requests; median of {lab.runs}. The limits, for 5 GB, are 3 s and"
          " 500 MB.\n")
    table(["GB", "first request, cold, s", "warm, s", "largest, s", "peak MB",
           "peak MB of the dataset random"],
          [[f"{size:.2f}", *[cell(middle(times[how], lambda ms: ms / 1e3)) for how in times],
            cell(max(ms for all_ms in times.values() for ms in all_ms) / 1e3),
            *[cell(middle(seen[who], lambda c: c["rss_kib"] * 1024 / 1e6), "{:.0f}")
              for who in (OURS, "random")]]])
