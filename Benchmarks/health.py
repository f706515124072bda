"""What others notice while one member asks for the heaviest route of a large library, eight at a time.

    python3 Benchmarks/health.py PROGRAM [FOLDER]     prints the figures of one build; FOLDER keeps the library
"""
import http.client
import pathlib
import statistics
import sys
import tempfile
import threading
import time

from measuring import PROGRAM, Run, quiet
from report import table, write
from serve import Server

COPIES = 50_000
AT_ONCE = 8
ANSWERS = 100
# Of each route whose processor time is measured.
REPEATED = 5
WATCHED = ["/health", "/"]


def fill(data, program):
    """A library of copies on 2,000 boards in 444 other shelves."""
    rows = "".join(
        f"Book {number * 7919 % COPIES} of many,Author {number % 977},House {number % 4} / Room {number % 40 // 4} / "
        f"Case {number % 400 // 40} / Board {number % 2000 // 400},{number % 1000} {number}\n" for number in range(COPIES))
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("title,author,shelf,call number\n" + rows)
        file.flush()
        Run([program, "library", "import", file.name, "--data", data, "--no-lookup"])


def get(port, path):
    """The status and the seconds of an answer, which is read as it arrives."""
    start = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("GET", path, headers={"Accept": "text/html"} if path == "/" else {})
    answer = connection.getresponse()
    while answer.read(1 << 16):
        pass
    connection.close()
    return answer.status, time.perf_counter() - start


def processor(server):
    """The seconds of processor time that the server has used."""
    return sum(map(int, pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])) / 100


def heaviest(server, paths):
    """The route with the most processor time, and that time for each, when it was asked for before."""
    times = {}
    for path in paths:
        get(server.port, path)
        before = processor(server)
        for _ in range(REPEATED):
            get(server.port, path)
        times[path] = (processor(server) - before) / REPEATED
    return max(times, key=times.get), times


def watched(server, path):
    """The seconds of each answer to others, and the statuses of the heavy one."""
    statuses, ended = {}, threading.Event()

    def ask():
        while not ended.is_set():
            status, _ = get(server.port, path)
            statuses[status] = statuses.get(status, 0) + 1
            if status == 429:
                ended.wait(1)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    answers = {name: [] for name in WATCHED}
    for _ in range(ANSWERS):
        for name in WATCHED:
            answers[name].append(get(server.port, name)[1])
            time.sleep(0.02)
    ended.set()
    for thread in threads:
        thread.join()
    return answers, statuses


def figures(program, data):
    """Returns a row for each watched path, and the heaviest route."""
    if not (pathlib.Path(data) / "library.sqlite").exists():
        fill(data, program)
    with quiet(), Server(data, program=program) as server:
        stocktake = server.request("GET", "/api/v1/stocktakes")["items"] or [
            server.request("POST", "/api/v1/stocktakes", b'{"name": "All"}')]
        shelf = server.request("GET", "/api/v1/shelves?limit=1")["items"][0]["id"]
        path, times = heaviest(server, [
            "/api/v1/labels?kind=place", f"/api/v1/labels?kind=copy&shelf={shelf}", "/api/v1/labels?kind=copy&ids=17",
            "/api/v1/library?sort=shelf&limit=50", f"/api/v1/stocktakes/{stocktake[0]['id']}/report",
            f"/api/v1/stocktakes/{stocktake[0]['id']}/report.csv"])
        alone = {name: [get(server.port, name)[1] for _ in range(ANSWERS)] for name in WATCHED}
        answers, statuses = watched(server, path)
    rows = [[f"`GET {name}`", ANSWERS, *(f"{1000 * value:.0f} ms" for value in (
        statistics.median(alone[name]), statistics.median(answers[name]), max(answers[name])))] for name in WATCHED]
    said = ", ".join(f"`{name}` {seconds:.2f} s" for name, seconds in times.items())
    counts = ", ".join(f"{count} times {status}" for status, count in sorted(statuses.items()))
    return rows, f"Processor time of one request: {said}. Asked for eight at a time: `{path}`, answered {counts}."


HEAD = ["", "requests", "median alone", "median under load", "slowest under load"]


def measure_health():
    with tempfile.TemporaryDirectory() as data:
        rows, said = figures(PROGRAM, data)
    write("health", table(HEAD, rows), said)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as own:
        rows, said = figures(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else own)
    print(table(HEAD, rows), said, sep="\n\n")
