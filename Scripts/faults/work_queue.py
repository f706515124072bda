#!/usr/bin/env python3
"""Interrupts workers, servers, the network and PostgreSQL while photos are read over a work queue, and checks that every
photo was read exactly once in effect and that nothing is left in the database.

usage: work_queue.py [--photos 200] [--workers 4] [--seed 1] [--real 4]

Needs root: workers run in network namespaces of their own, which the test cuts off. The workers wait instead of reading
(Tools/drive-queue), so that many photos can be read here; then real servers and workers read `--real` photos.
"""
import argparse
import contextlib
import ctypes
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from harness import PROGRAM, ROOT, Server, contents, form
from postgres import Postgres, programs

DRIVER = os.environ.get("SHELFLIST_DRIVER", str(pathlib.Path(PROGRAM).parent / "drive-queue"))
#: Seconds after which a silent worker loses its photos, and results that no server collects are deleted.
LEASE, RETENTION = 2, 20
#: The database's address on the bridge, and the network.
BRIDGE, NETWORK = "10.177.0.1", "10.177.0"


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class Process:
    """A process that can be killed, with its errors in a file."""

    def __init__(self, folder, name, words, output=None):
        self.name, self.words = name, list(map(str, words))
        self.errors = pathlib.Path(folder) / f"{name}.log"
        self.output = output
        self.process = None
        self.start()

    def start(self):
        with open(self.errors, "ab") as errors, contextlib.ExitStack() as stack:
            output = stack.enter_context(open(self.output, "ab")) if self.output else subprocess.DEVNULL
            # Ends with this process, whatever happens to it.
            self.process = subprocess.Popen(
                self.words, stdout=output, stderr=errors,
                preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(30)

    def log(self):
        return self.errors.read_text(errors="replace")


class Worker(Process):
    """A waiting worker in a network namespace of its own."""

    def __init__(self, folder, number, url, milliseconds, models="none"):
        self.space, self.outside = f"w{number}", f"v{number}"
        ip("netns", "add", self.space)
        ip("link", "add", self.outside, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        ip("link", "set", self.outside, "master", "bridge0", "up")
        for words in (["addr", "add", f"{NETWORK}.{10 + number}/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                      ["link", "set", "lo", "up"]):
            ip("-n", self.space, *words)
        super().__init__(folder, f"worker-{number}", [
            "ip", "netns", "exec", self.space, DRIVER, "work", "--url", url, "--lease", LEASE, "--retention", RETENTION,
            "--milliseconds", milliseconds, "--models", models, "--name", f"worker-{number}"])

    def cut_off(self):
        ip("link", "set", self.outside, "down")

    def connect(self):
        ip("link", "set", self.outside, "up")


def offer(folder, url, options):
    return Process(folder, "server", [
        DRIVER, "offer", "--url", url, "--lease", LEASE, "--retention", RETENTION, "--photos", options.photos,
        "--kilobytes", 20, "--at-once", 24, "--id", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
        "--state", pathlib.Path(folder) / "read"], output=pathlib.Path(folder) / "results")


def interrupt(folder, options, chance, database):
    """Reads photos with waiting workers through all faults."""
    workers = [Worker(folder, number, database.url, 60) for number in range(options.workers)]
    other = Worker(folder, options.workers, database.url, 60, models="other")
    server = offer(folder, database.url, options)
    counts = dict.fromkeys(("workers killed", "workers cut off", "databases killed", "servers killed"), 0)
    faults, cut = [], {}
    started = time.monotonic()
    while server.process.poll() is None:
        time.sleep(chance.uniform(0.1, 0.5))
        # Each fault once before any of them again.
        faults = faults or chance.sample(["worker", "worker", "cut", "database", "server"], 5)
        for worker in [worker for worker, end in cut.items() if time.monotonic() > end]:
            worker.connect()
            del cut[worker]
        if server.process.poll() is not None:
            break
        match faults.pop():
            case "worker":
                worker = chance.choice(workers)
                worker.kill()
                worker.start()
                counts["workers killed"] += 1
            case "cut":
                worker = chance.choice([worker for worker in workers if worker not in cut] or workers)
                worker.cut_off()
                # Long enough that its photo is given to another worker.
                cut[worker] = time.monotonic() + 2.5 * LEASE
                counts["workers cut off"] += 1
            case "database":
                database.stop("immediate")
                time.sleep(chance.uniform(0, 1))
                database.start()
                counts["databases killed"] += 1
            case "server":
                server.kill()
                server.start()
                counts["servers killed"] += 1
        if time.monotonic() - started > 60 + options.photos:
            raise SystemExit(f"the photos are not read: {database.left()}")
    seconds = time.monotonic() - started
    if server.process.returncode:
        raise SystemExit(f"the server failed: {server.log()[-2000:]}")
    for worker in cut:
        worker.connect()
    read = sorted(map(int, (pathlib.Path(folder) / "read").read_text().split()))
    if read != list(range(options.photos)):
        raise SystemExit(f"photos are lost or doubled: {len(read)} of {options.photos}, {len(set(read))} different")
    database.wait_until_empty(3 * RETENTION)
    if "refused(" not in other.log() or "other" not in other.log():
        raise SystemExit(f"the worker with other models was not refused: {other.log()}")
    for worker in [*workers, other]:
        worker.stop()
    left = database.number("SELECT count(*) FROM shelflist_work.worker WHERE models = 'other'")
    assert left == 0, "a worker that was stopped is still listed"
    counts["late results refused"] = sum(worker.log().count("late(photo") for worker in workers)
    return read, seconds, counts


def refuse_late_result(folder, database):
    """Cuts a worker off while it reads: its photo is given to another one, and its own result is refused."""
    reading = 4
    worker = Worker(folder, 40, database.url, 1000 * reading)
    server = offer(folder, database.url, argparse.Namespace(photos=1))
    (pathlib.Path(folder) / "read").write_text("")
    server.kill()
    server.start()
    while database.number("SELECT count(*) FROM shelflist_work.photo WHERE state = 'running'") != 1:
        time.sleep(0.05)
    cut = time.monotonic()
    worker.cut_off()
    other = Worker(folder, 41, database.url, 10_000)
    first = database.query("SELECT lease FROM shelflist_work.photo")[0][0]
    end = time.monotonic() + 30
    while database.query("SELECT lease, state FROM shelflist_work.photo") in ([[first, "running"]], [["", "waiting"]]):
        assert time.monotonic() < end, "the photo of a worker that was cut off was not given to another"
        time.sleep(0.1)
    # Its result is ready by then, and sent as soon as there is a connection.
    time.sleep(max(0, cut + reading + 0.5 - time.monotonic()))
    worker.connect()
    end = time.monotonic() + 60
    while "late(photo" not in worker.log():
        # The worker may also learn with its next renewal that it has lost the photo.
        if database.number("SELECT count(*) FROM shelflist_work.photo WHERE state = 'done'") or time.monotonic() > end:
            break
        time.sleep(0.1)
    assert server.process.wait(60) == 0, server.log()
    by = database.query("SELECT w.name FROM shelflist_work.history h JOIN shelflist_work.worker w ON w.id = h.worker "
                        "ORDER BY finished DESC LIMIT 1")
    assert by == [["worker-41"]], by
    late = "late(photo" in worker.log()
    worker.stop()
    other.stop()
    return late


def read_really(folder, options, database):
    """Kills a server and one of two workers while they read real photos; the library is that of a server alone."""
    folder = pathlib.Path(folder)
    photo = (ROOT / "Examples/shelf.jpg").read_bytes()
    environment = {"SHELFLIST_WORK_QUEUE": database.url, "SHELFLIST_DATA": str(folder / "worker")}

    def upload(server, number):
        body, kind = form(photo + str(number).encode())
        status, answer = server.request("POST", "/api/v1/scans", body, {
            "Content-Type": kind, "Idempotency-Key": f"photo-{number}", "X-Device-ID": "killer"})
        assert status in (200, 202), (status, answer)
        return answer["jobId"]

    def finish(server, jobs):
        end = time.monotonic() + 120 + 20 * len(jobs)
        for job in jobs:
            while (status := server.request("GET", f"/api/v1/scans/{job}")[1]["status"]) not in ("completed", "failed"):
                assert time.monotonic() < end, f"job {job} is {status}"
                time.sleep(0.2)
            assert status == "completed", status

    def worker(number):
        return Process(folder, f"reader-{number}", [PROGRAM, "worker", "--name", f"reader-{number}"])

    libraries = []
    os.environ.update(environment)
    for name in ("queue", "alone"):
        data = folder / name
        server = Server(data, environment={} if name == "queue" else {"SHELFLIST_WORK_QUEUE": ""})
        server.start()
        workers = [worker(number) for number in range(2)] if name == "queue" else []
        jobs = [upload(server, number) for number in range(options.real)]
        if workers:
            while database.number("SELECT count(*) FROM shelflist_work.photo WHERE state = 'running'") == 0:
                time.sleep(0.01)
            server.kill()
            workers[0].kill()
            server.start()
            workers[0].start()
        finish(server, jobs)
        assert server.stop() == 0
        for process in workers:
            assert process.stop() == 0, process.log()
        libraries.append(contents(data))
    for name in environment:
        del os.environ[name]
    assert libraries[0]["books"] == libraries[1]["books"], "the library differs from that of a server alone"
    return len(libraries[0]["books"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--real", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if programs() is None and "CI" not in os.environ:
        print("NOT tested: the work queue. Install PostgreSQL: apt install postgresql")
        return
    if os.geteuid() != 0:
        print("NOT tested: the work queue. Run as root, for network namespaces")
        return
    if "SHELFLIST_IN_NAMESPACE" not in os.environ:
        # Bridge, namespaces and processes vanish with this one.
        os.execvpe("unshare", ["unshare", "--net", "--mount", sys.executable, __file__, *sys.argv[1:]],
                   {**os.environ, "SHELFLIST_IN_NAMESPACE": "1"})
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    ip("link", "set", "lo", "up")
    ip("link", "add", "bridge0", "type", "bridge")
    ip("addr", "add", f"{BRIDGE}/24", "dev", "bridge0")
    ip("link", "set", "bridge0", "up")
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        database = Postgres(pathlib.Path(folder) / "postgres", address=BRIDGE)
        try:
            subprocess.run([PROGRAM, "work-queue", "init", "--work-queue", database.url], check=True,
                           stdout=subprocess.DEVNULL)
            read, seconds, counts = interrupt(folder, options, chance, database)
            late = refuse_late_result(folder, database)
            books = read_really(folder, options, database) if options.real else 0
            status = json.loads(subprocess.run(
                [PROGRAM, "work-queue", "status", "--format", "json", "--work-queue", database.url], check=True,
                capture_output=True).stdout)
            assert status["waiting"] == status["running"] == 0, status
        finally:
            database.stop("immediate")
    print(f"{len(read)} photos read once each by {options.workers} workers in {seconds:.0f} s; "
          + ", ".join(f"{count} {what}" for what, count in counts.items())
          + f"; late result {'refused' if late else 'stopped before it was sent'}"
          + (f"; {books} books of {options.real} photos read by real workers, as by a server alone" if books else ""))


if __name__ == "__main__":
    main()
