"""The measurements of the server, with the standard library alone."""
import base64
import contextlib
import csv
import http.client
import io
import json
import os
import pathlib
import random
import re
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import uuid

from catalog import dump
from measuring import EXAMPLE, PROGRAM, BenchmarkError, Run, quiet, real_photos, say
from report import table, write

ENTRIES = 10_000
EDITIONS = 100_000
PHOTOS = 12
ROUNDS = 4
IDLE = 500
SMALL = 200
CUTS = 24
ROWS = 200_000
CHANGES = 100
FRAMES = 20


class Server:
    """A server over a data folder, stopped at the end."""

    def __init__(self, data, *options, program=PROGRAM):
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--data", data, "--requests-per-minute", "100000", "--jobs-per-client",
             "1000", "--log-level", "warning", *options], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if line.startswith("Shelflist is at"):
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            raise BenchmarkError("The server did not start.", f"run '{PROGRAM} serve' by hand and see what it says.")
        threading.Thread(target=lambda pipe: [None for _ in pipe], args=(self.process.stderr,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)

    @property
    def memory(self):
        """Resident memory in MB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024

    def request(self, method, path, body=None, kind="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, {"Content-Type": kind} if body is not None else {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if answer.status >= 400:
            raise BenchmarkError(f"{method} {path} was answered with {answer.status}: {data[:300]!r}", "see its detail.")
        return json.loads(data) if data else None

    def upload(self, photo):
        boundary = uuid.uuid4().hex
        body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n".encode()
                + photo + f"\r\n--{boundary}--\r\n".encode())
        return self.request("POST", "/api/v1/scans", body, f"multipart/form-data; boundary={boundary}")

    def expect_photo(self):
        """A job whose photo is still to come."""
        return self.request("POST", "/api/v1/scans", b"--b\r\nContent-Disposition: form-data; name=\"expected\"\r\n\r\n"
                            b"1\r\n--b--", "multipart/form-data; boundary=b")

    def wait(self, job):
        while not (state := self.request("GET", f"/api/v1/scans/{job}"))["finishedAt"]:
            time.sleep(0.05)
        return state

    def follow(self, job):
        """Reads a job's events to their end, as an app does."""
        with self.stream(job) as stream:
            while stream.recv(65536):
                pass

    def open(self, request):
        """A connection on which something was asked, and the answer has begun."""
        stream = socket.create_connection(("127.0.0.1", self.port))
        stream.sendall(request.encode())
        stream.recv(1)
        return stream

    def stream(self, job):
        return self.open(f"GET /api/v1/scans/{job}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                         "Accept: text/event-stream\r\n\r\n")

    def web_socket(self, job, token):
        key = base64.b64encode(os.urandom(16)).decode()
        return self.open(
            f"GET /ws/progress?jobId={job} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Protocol: shelflist, token.{token}\r\n\r\n")


def fill(data, folder):
    """A catalog, and a library of books from it."""
    files = dump(folder, EDITIONS)
    catalog = pathlib.Path(data) / "catalog.sqlite"
    Run([PROGRAM, "catalog", "import", "--catalog", catalog, *files])
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["title", "author"])
    rows.writerows([f"The {number}th night of stars", f"Ann Author{number % 700}"] for number in range(ENTRIES))
    (pathlib.Path(folder) / "list.csv").write_text(text.getvalue())
    Run([PROGRAM, "library", "import", "--data", data, "--no-lookup", pathlib.Path(folder) / "list.csv"])


def first_event(server, photo):
    times = []
    for _ in range(5):
        accepted = server.upload(photo)
        start = time.monotonic()
        stream = server.stream(accepted["jobId"])
        text = b""
        while b"event: progress" not in text:
            text += stream.recv(65536)
        times.append(time.monotonic() - start)
        stream.close()
        server.wait(accepted["jobId"])
    return statistics.median(times)


def throughput(server, photo, data):
    """Photos a minute through the API and by the bare reader with the same catalog, in turns."""
    through, bare = [], []
    for _ in range(ROUNDS):
        start = time.monotonic()
        jobs = [server.upload(photo)["jobId"] for _ in range(PHOTOS // 2)]
        for job in jobs:
            server.follow(job)
        through.append(60 * len(jobs) / (time.monotonic() - start))
        run = Run([PROGRAM, "scan", "--format", "json", "--jobs", "1", "--catalog", f"{data}/catalog.sqlite", "--",
                   *[EXAMPLE] * (1 + PHOTOS // 2)])
        bare.append(60 / statistics.mean(photo["seconds"] for photo in run.photos[1:]))
    return statistics.mean(through), statistics.mean(bare)


def cut_short(server):
    """Seconds from the request to cancel a scan, at a random moment of its reading, until nothing is read any more."""
    def reading():
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return float(re.search(r"^shelflist_photos_reading (\S+)", text, re.M)[1])

    chance, photos, times = random.Random(1), [path.read_bytes() for path in real_photos()[:4]], []
    while len(times) < CUTS:
        job = server.upload(photos[len(times) % len(photos)])["jobId"]
        while reading() == 0:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.8))
        if reading() == 0:  # read to its end already: nothing to stop
            continue
        start = time.monotonic()
        server.request("DELETE", f"/api/v1/scans/{job}")
        while reading() > 0:
            time.sleep(0.005)
        times.append(time.monotonic() - start)
    return times


def frames(server, folder):
    """Seconds for each of a viewfinder's frames, one after the other."""
    frame, times = pathlib.Path(folder) / "frame.jpg", []
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", EXAMPLE, "-vf", "scale=1024:-2", "-q:v", "6", frame], check=True)
    for _ in range(1 + FRAMES):
        start = time.monotonic()
        server.request("POST", "/api/v1/preview", frame.read_bytes(), "image/jpeg")
        times.append(time.monotonic() - start)
    return times[1:]  # the first waits for its model


def latencies(server, photo):
    """Milliseconds for each address while two photos are being read."""
    times = {path: [] for path in ("/health", "/api/v1/library?limit=50", "/api/v1/library?q=night&limit=50",
                                   "/api/v1/search?q=night+stars")}
    jobs = [server.upload(photo)["jobId"] for _ in range(PHOTOS)]
    while server.request("GET", f"/api/v1/scans/{jobs[-2]}")["finishedAt"] is None:
        for path, values in times.items():
            before = time.monotonic()
            server.request("GET", path)
            values.append(1000 * (time.monotonic() - before))
            time.sleep(0.01)
    for job in jobs:
        server.wait(job)
    return [[f"`GET {path}`", len(values), f"{statistics.median(values):.0f} ms",
             f"{sorted(values)[int(len(values) * 0.95)]:.0f} ms"] for path, values in times.items()]


def changes(server, other=None):
    """Milliseconds in which a scan is stored and ended with its events, without a photo: alone, or while `other` runs."""
    times = []
    while len(times) < CHANGES and (other is None or other.poll() is None):
        before = time.monotonic()
        server.request("DELETE", f"/api/v1/scans/{server.expect_photo()['jobId']}")
        times.append(1000 * (time.monotonic() - before))
        time.sleep(0.05)
    return times


def beside_import(folder):
    """The same while another process imports a long list into the library."""
    rows = pathlib.Path(folder) / "long.csv"
    with rows.open("w", newline="") as text:
        list_ = csv.writer(text)
        list_.writerow(["title", "author"])
        list_.writerows([f"The {number}th morning of rain", f"Bea Author{number % 9000}"] for number in range(ROWS))
    with tempfile.TemporaryDirectory() as data, Server(data) as server:
        alone = changes(server)
        other = subprocess.Popen([PROGRAM, "library", "import", "--data", data, "--no-lookup", rows],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while other.poll() is None and not server.request("GET", "/api/v1/library?limit=1")["total"]:
                time.sleep(0.05)
            beside = changes(server, other)
        finally:
            other.kill()
            other.wait()
    if len(beside) < CHANGES:
        raise BenchmarkError(f"The import ended after {len(beside)} of {CHANGES} scans.",
                             "see what 'shelflist library import' says, or import a longer list (ROWS).")
    return [[name, len(times), f"{statistics.median(times):.0f} ms", f"{max(times):.0f} ms"]
            for name, times in (("alone", alone), (f"while another process imports a list of {ROWS:,} rows", beside))]


def idle(server):
    """MB for idle streams and sockets, and the seconds in which a stop closes them."""
    accepted = server.expect_photo()
    job, token = accepted["jobId"], accepted["token"]
    before = server.memory
    kept = [server.stream(job) for _ in range(IDLE)]
    time.sleep(2)
    streams = server.memory
    kept += [server.web_socket(job, token) for _ in range(IDLE)]
    time.sleep(2)
    sockets = server.memory
    start = time.monotonic()
    server.process.terminate()
    status = server.process.wait(20)
    stop = time.monotonic() - start
    for connection in kept:
        connection.close()
    if status != 0:
        raise BenchmarkError(f"The server was stopped with {status}.", "see its log.")
    return before, streams, sockets, stop


def memory_over_photos(folder):
    """Resident memory after 20 small photos and after all of them."""
    small = pathlib.Path(folder) / "small.jpg"
    subprocess.run(["ffmpeg", "-v", "error", "-i", EXAMPLE, "-vf", "scale=480:-2", small], check=True)
    photo = small.read_bytes()
    with tempfile.TemporaryDirectory() as data, Server(data) as server:
        figures = []
        for number in range(1, SMALL + 1):
            server.wait(server.upload(photo)["jobId"])
            if number in (20, SMALL):
                figures.append(server.memory)
        return figures


def measure_serve():
    photo = EXAMPLE.read_bytes()
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as held:
        fill(data, folder)
        with quiet(), Server(data) as server:
            server.wait(server.upload(photo)["jobId"])  # warm
            first = first_event(server, photo)
        # Reading by itself takes the lock by itself.
        with Server(data) as server:
            server.wait(server.upload(photo)["jobId"])
            through, bare = throughput(server, photo, data)
            stops = cut_short(server)
            outlines = frames(server, folder)
        held.enter_context(quiet())
        with Server(data, "--photos-at-once", "2") as server:
            server.wait(server.upload(photo)["jobId"])
            times = latencies(server, photo)
            before, streams, sockets, stop = idle(server)
        written = beside_import(folder)
    write("serve",
          table(["", ""], [
              ["first event, asked for right after the upload was answered (median of 5)", f"{1000 * first:.0f} ms"],
              ["photos a minute through the API, one at a time", f"{through:.1f}"],
              ["photos a minute by the bare reader, in turns with it", f"{bare:.1f}"],
              [f"the one by the other (means of {ROUNDS} rounds of {PHOTOS // 2})", f"{through / bare:.3f}"],
              [f"{IDLE} idle event streams", f"{streams - before:.0f} MB more ({before:.0f} MB before)"],
              [f"{IDLE} idle WebSockets", f"{sockets - streams:.0f} MB more"],
              [f"stop with these {2 * IDLE} connections open", f"{stop:.1f} s"],
              [f"reading stopped after a scan was cancelled, {CUTS} times at random moments on four real photos: median",
               f"{statistics.median(stops):.2f} s"],
              ["the same: slowest", f"{max(stops):.2f} s"],
              [f"outlines of a viewfinder's frame of 1,024 px: median of {FRAMES}",
               f"{1000 * statistics.median(outlines):.0f} ms"]]),
          f"While two photos are read at once, with {ENTRIES:,} entries in the library and {EDITIONS:,} editions in the "
          "catalog, each request on a connection of its own:",
          table(["", "requests", "median", "95 of 100 within"], times),
          "A scan is stored and cancelled with its events, without a photo:",
          table(["", "scans", "median", "slowest"], written))


def measure_serve_memory():
    with quiet(), tempfile.TemporaryDirectory() as folder:
        early, late = memory_over_photos(folder)
    write("serve-memory", table(["", "resident memory"], [
        ["after 20 small photos", f"{early:.0f} MB"],
        [f"after {SMALL}", f"{late:.0f} MB ({100 * (late / early - 1):+.0f} %)"]]))
