#!/usr/bin/env python3
"""Interrupts workers, servers, the network and PostgreSQL while photos are read over a work queue, and checks that every
photo was read exactly once in effect and that nothing is left in the database. Then workers lie to a real server.

usage: work_queue.py [--photos 200] [--workers 4] [--seed 1] [--real 4]

Needs root: workers run in network namespaces of their own, which the test cuts off. The workers wait instead of reading
(Tools/drive-queue), so that many photos can be read here; then real servers and workers read `--real` photos. Faults
follow a number of results, and the test ends leases itself: nothing depends on the machine's speed.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

import libraries
from harness import LONGEST, NOT_TESTED, PHOTO, PROGRAM, Server, until
from lying_workers import read_despite_lies
from postgres import programs
from queue_processes import DRIVER, LEASE, STEP, Process, Queue

#: Seconds after a start of the database in which a server ends no lease.
PATIENCE = 1
#: Results between two faults.
EVERY = 8
#: The database's address on the bridge, and the network.
BRIDGE, NETWORK = "10.177.0.1", "10.177.0"


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class Worker(Process):
    """A waiting worker in a network namespace of its own."""

    def __init__(self, folder, number, url, *options, models="none", step=STEP):
        self.space, self.outside = f"w{number}", f"v{number}"
        ip("netns", "add", self.space)
        ip("link", "add", self.outside, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        ip("link", "set", self.outside, "master", "bridge0", "up")
        for words in (["addr", "add", f"{NETWORK}.{10 + number}/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                      ["link", "set", "lo", "up"]):
            ip("-n", self.space, *words)
        super().__init__(folder, f"worker-{number}", [
            "ip", "netns", "exec", self.space, DRIVER, "work", "--url", url, "--lease", LEASE, "--step", step,
            "--models", models, "--name", f"worker-{number}", *options])

    def cut_off(self):
        ip("link", "set", self.outside, "down")

    def connect(self):
        ip("link", "set", self.outside, "up")

    def finish_photo(self):
        """Lets a held worker return the result of its photo."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()


def offer(folder, url, photos, id="6BA7B810-9DAD-11D1-80B4-00C04FD430C8", state="read"):
    return Process(folder, "server", [
        DRIVER, "offer", "--url", url, "--lease", PATIENCE, "--step", STEP, "--photos", photos, "--kilobytes", 20,
        "--at-once", 24, "--id", id, "--state", pathlib.Path(folder) / state], output=subprocess.PIPE)


def clean_up(folder, database):
    """Lets another server delete what is left of servers that ended, as if the time for which it is kept were over."""
    database.change("finished IS NOT NULL", "finished = '-infinity'")
    database.query("UPDATE shelflist_work.owner SET seen = '-infinity'")
    other = offer(folder, database.url, 1, id="6BA7B811-9DAD-11D1-80B4-00C04FD430C8", state="read-by-another")
    assert other.process.wait(LONGEST) == 0, other.log()
    until(lambda: not any(database.left().values()), "rows are left in the database")


def interrupt(folder, options, chance, database):
    """Reads photos with waiting workers through all faults."""
    workers = [Worker(folder, number, database.worker_url, "--milliseconds", 60) for number in range(options.workers)]
    other = Worker(folder, options.workers, database.worker_url, models="other")
    server = offer(folder, database.url, options.photos)
    counts = dict.fromkeys(("workers killed", "workers cut off", "databases killed", "servers killed"), 0)
    faults, results = [], 0
    # Each result is a line, the summary as well; a server that is started again has a pipe of its own.
    while server.process.stdout.readline():
        results += 1
        if results % EVERY:
            continue
        # Each fault once before any of them again.
        faults = faults or chance.sample(["worker", "worker", "cut", "database", "server"], 5)
        worker = chance.choice(workers)
        match faults.pop():
            case "worker":
                worker.kill()
                database.wait_for_end_of(worker)
                database.end_leases(worker)
                worker.start()
                counts["workers killed"] += 1
            case "cut":
                worker.cut_off()
                database.end_leases(worker)
                worker.connect()
                counts["workers cut off"] += 1
            case "database":
                database.stop("immediate")
                database.start()
                counts["databases killed"] += 1
            case "server":
                server.kill()
                server.start()
                counts["servers killed"] += 1
    if server.process.wait(LONGEST):
        raise SystemExit(f"the server failed: {server.log()[-2000:]}")
    read = sorted(map(int, (pathlib.Path(folder) / "read").read_text().split()))
    if read != list(range(options.photos)):
        raise SystemExit(f"photos are lost or doubled: {len(read)} of {options.photos}, {len(set(read))} different")
    assert all(counts.values()), f"too few photos for every fault: {counts}"
    clean_up(folder, database)
    if "refused(" not in other.log() or "other" not in other.log():
        raise SystemExit(f"the worker with other models was not refused: {other.log()}")
    for worker in [*workers, other]:
        worker.stop()
    left = database.number("SELECT count(*) FROM shelflist_work.worker WHERE models = 'other'")
    assert left == 0, "a worker that was stopped is still listed"
    counts["late results refused"] = sum(worker.log().count("late(photo") for worker in workers)
    return read, counts


def refuse_late_result(folder, database):
    """Cuts a worker off while it reads: its photo is given to another one, and its own result is refused."""
    (pathlib.Path(folder) / "read").unlink()
    # It learns nothing of the lease's end before it returns its result.
    worker = Worker(folder, 40, database.worker_url, "--held", step=LEASE)
    server = offer(folder, database.url, 1)
    database.wait_for_running(worker)
    worker.cut_off()
    other = Worker(folder, 41, database.worker_url, "--held")
    database.end_leases(worker)
    database.wait_for_running(other)
    worker.finish_photo()
    worker.connect()
    until(lambda: "late(photo" in worker.log(), "the late result is not refused")
    other.finish_photo()
    assert server.process.wait(LONGEST) == 0, server.log()
    by = database.query("SELECT w.name FROM shelflist_work.history h JOIN shelflist_work.worker w ON w.id = h.worker "
                        "ORDER BY finished DESC LIMIT 1")
    assert by == [["worker-41"]], by
    worker.stop()
    other.stop()


def read_really(folder, options, database):
    """Kills a server and one of two workers while they read real photos; the library is that of a server alone."""
    folder = pathlib.Path(folder)
    states = []
    for name, address in (("queue", database.url), ("alone", "")):
        data = folder / name
        environment = {"SHELFLIST_WORK_QUEUE": address, "SHELFLIST_DATA": str(folder / "worker")}
        server = Server(data, environment=environment)
        server.start()
        workers = [Process(folder, f"reader-{number}", [PROGRAM, "worker", "--name", f"reader-{number}"],
                           {**environment, "SHELFLIST_WORK_QUEUE": database.worker_url})
                   for number in range(2)] if address else []
        jobs = [server.upload(PHOTO + str(number).encode(),
                              {"Idempotency-Key": f"photo-{number}", "X-Device-ID": "killer"})
                for number in range(options.real)]
        if workers:
            database.wait_for_running()
            server.kill()
            workers[0].kill()
            database.wait_for_end_of(workers[0])
            # As if its lease of 30 s had ended.
            database.change(database.running(workers[0]),
                            "state = 'waiting', worker = NULL, lease = NULL, lease_until = NULL")
            server.start()
            workers[0].start()
        for job in jobs:
            state = server.ended(job)
            assert state["status"] == "completed" and state["books"] > 0, state
        assert server.stop() == 0
        for process in workers:
            # One that was started again may have no handler for the signal yet.
            assert process.stop() in (0, -signal.SIGTERM), process.log()
        states.append(libraries.state(data, numbers=False))
    differences = libraries.differences(*states)
    assert not differences, f"the library differs from that of a server alone: {differences}"
    return len(states[0]["entry"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--real", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if programs() is None and "CI" not in os.environ:
        print("NOT tested: the work queue. Install PostgreSQL: apt install postgresql")
        sys.exit(NOT_TESTED)
    if os.geteuid() != 0:
        print("NOT tested: the work queue. Run as root, for network namespaces")
        sys.exit(NOT_TESTED)
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
        database = Queue(pathlib.Path(folder) / "postgres", address=BRIDGE)
        try:
            database.create_queue()
            read, counts = interrupt(folder, options, chance, database)
            refuse_late_result(folder, database)
            lies = read_despite_lies(folder, database)
            books = read_really(folder, options, database) if options.real else 0
            status = json.loads(subprocess.run(
                [PROGRAM, "work-queue", "status", "--format", "json", "--work-queue", database.url], check=True,
                capture_output=True).stdout)
            assert status["waiting"] == status["running"] == 0, status
        finally:
            database.stop("immediate")
    print(f"{len(read)} photos read once each by {options.workers} workers; "
          + ", ".join(f"{count} {what}" for what, count in counts.items())
          + f"; {lies} lies of workers survived"
          + (f"; {books} books of {options.real} photos read by real workers, as by a server alone" if books else ""))


if __name__ == "__main__":
    main()
