"""What the fault tests share: a server that can be killed, runs of commands, and comparisons of libraries."""
import hashlib
import http.client
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import threading
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHELFLIST_BINARY", str(ROOT / ".build/release/shelflist"))
#: No command or answer may take longer, in seconds. Commands that finish sooner are not slowed down by it.
LONGEST = 60


class Server:
    def __init__(self, data, *options, program=PROGRAM, environment={}):
        self.command = [program, "serve", "--port", "0", "--data", str(data), "--requests-per-minute", "100000",
                        "--jobs-per-client", "1000", *options]
        self.environment = {**os.environ, **environment}
        self.port = None
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True, env=self.environment)
        for line in self.process.stderr:
            if line.startswith("Shelflist is at"):
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            raise SystemExit(f"the server did not start: exit {self.process.wait()}")
        threading.Thread(target=lambda pipe: [None for _ in pipe], args=(self.process.stderr,), daemon=True).start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(15)

    def request(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    def memory(self):
        """The resident memory of the server in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def form(photo):
    boundary = uuid.uuid4().hex
    head = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"import\"\r\n\r\ntrue\r\n--{boundary}\r\n"
            "Content-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n").encode()
    return head + photo + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def run(*words, environment={}, kill_after=None):
    """Runs a command. Returns its exit status (negative for a signal), seconds and text."""
    start = time.monotonic()
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment})
    try:
        text, _ = process.communicate(timeout=kill_after if kill_after is not None else LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        text, _ = process.communicate()
        if kill_after is None:
            raise SystemExit(f"hangs: shelflist {' '.join(map(str, words))}") from None
    return process.returncode, time.monotonic() - start, text


def must(*words):
    status, _, text = run(*words)
    if status:
        raise SystemExit(f"exit {status}: shelflist {' '.join(map(str, words))}\n{text}")
    return text


def contents(data):
    """The books, detections and pictures of a library, by what a user sees, for comparison."""
    library = sqlite3.connect(f"file:{data}/library.sqlite?mode=ro", uri=True)
    try:
        assert library.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        books = sorted(library.execute(
            "SELECT title, authorNames, reviewStatus, coalesce(notes, '') FROM entry JOIN work ON work.id = work"))
        detections = sorted(library.execute("SELECT job, book, outcome FROM detection"))
        names = [row[0] for row in library.execute(
            "SELECT file FROM photo WHERE file IS NOT NULL UNION SELECT picture FROM photo WHERE picture IS NOT NULL")]
        covers = [row[0] for row in library.execute("SELECT DISTINCT cover FROM edition WHERE cover IS NOT NULL")]
    finally:
        library.close()
    files = {}
    for folder, list in (("photos", names), ("covers", covers)):
        for name in list:
            files[f"{folder}/{name}"] = hashlib.sha256((pathlib.Path(data) / folder / name).read_bytes()).hexdigest()
    return {"books": books, "detections": detections, "files": files}


def rows(data):
    """Every row of every table, for an exact comparison."""
    library = sqlite3.connect(f"file:{data}/library.sqlite?mode=ro", uri=True)
    try:
        tables = [row[0] for row in library.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
        return {table: sorted(map(repr, library.execute(f'SELECT * FROM "{table}"'))) for table in tables}
    finally:
        library.close()


def catalog(data):
    """The titles of the catalog."""
    file = pathlib.Path(data) / "catalog.sqlite"
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        tables = [row[0] for row in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('work', 'edition')")]
        return {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    finally:
        database.close()
