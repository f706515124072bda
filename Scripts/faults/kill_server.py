#!/usr/bin/env python3
"""Kills the server (SIGKILL) at chosen writes while photos are uploaded, read and imported, until all were sent; then
checks that every photo that was answered with 202 was read and imported exactly once.

usage: kill_server.py [--uploads 10] [--kills 5] [--photo Scripts/faults/spines.jpg] [--program PROGRAM] [--seed 1]

Each request is repeated until it is answered, as a client would; uploads have an Idempotency-Key. The server does not
read a photo again at which it died twice; such photos are retried once at the end, as a person would.
"""
import argparse
import http.client
import json
import pathlib
import random
import signal
import sqlite3
import sys
import tempfile

from harness import LONGEST, PHOTO, PROGRAM, Server, interposed


def writes_of(photo, work, program):
    """The number of writes of a server that reads one photo."""
    count, data = work / "count", work / "undisturbed"
    server = Server(data, program=program)
    server.start(interposed(work, data, count=count))
    server.ended(server.upload(photo))
    assert server.stop() == 0, "the server did not stop cleanly"
    return int(count.read_text())


class MortalServer(Server):
    """A server that is killed at the next of several writes each time it is started."""

    def __init__(self, work, program, moments):
        super().__init__(work / "data", program=program)
        self.work, self.moments, self.kills, self.is_mortal = work, moments, 0, False
        self.start_again()

    def start_again(self):
        while True:
            self.is_mortal = bool(self.moments)
            fault = interposed(self.work, self.work / "data", at=self.moments.pop(), kill=1) if self.is_mortal else {}
            if self.try_start(fault):
                return
            self.count_kill()

    def count_kill(self):
        status = self.process.wait(LONGEST)
        assert self.is_mortal and status == -signal.SIGKILL, f"the server ended with {status}"
        self.kills += 1

    def insist(self, request):
        """Sends a request until it is answered."""
        while True:
            try:
                return request()
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                self.count_kill()
                self.start_again()

    def finish(self):
        """Stops it; a moment of a kill may also come only now."""
        if self.stop():
            self.count_kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--uploads", type=int, default=10)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--photo", type=pathlib.Path)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    photo = options.photo.read_bytes() if options.photo else PHOTO
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        writes = writes_of(photo, work, options.program)
        server = MortalServer(
            work, options.program, [chance.randint(1, writes) for _ in range(options.kills)])
        accepted = []
        for number in range(options.uploads):
            # Bytes after the end of a JPEG are ignored: each photo is another file.
            headers = {"Idempotency-Key": f"photo-{number}", "X-Device-ID": "killer"}
            accepted.append(server.insist(lambda: server.upload(photo + str(number).encode(), headers)))
        done = {job: server.insist(lambda: server.ended(job)) for job in accepted}
        server.finish()

        server.start()
        retried = [job for job, state in done.items() if state["status"] == "failed"]
        for job in retried:
            status, answer = server.request("POST", f"/api/v1/scans/{job}/photos/1/retry")
            assert status == 202, (status, answer)
        done |= {job: server.ended(job) for job in retried}
        assert server.stop() == 0, "the server did not stop cleanly"

        library = sqlite3.connect(f"{server.data}/library.sqlite")
        assert library.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        taken = dict(library.execute("SELECT job, count(*) FROM detection GROUP BY job"))
        jobs = sqlite3.connect(f"{server.data}/jobs.sqlite")
        problems = []
        for job, state in done.items():
            imports = jobs.execute(
                "SELECT count(*) FROM event WHERE job = ? AND json_extract(content, '$.type') = 'imported'", [job]
            ).fetchone()[0]
            if state["status"] != "completed" or imports != 1 or taken.get(f"{job}/1") != state["books"]:
                problems.append((job, state["status"], imports, taken.get(f"{job}/1"), state["books"]))
    print(f"{len(done)} photos accepted, {server.kills} kills, {len(retried)} photos retried because two kills "
          f"interrupted them, {len(problems)} not read and imported exactly once")
    for problem in problems:
        print(*problem, file=sys.stderr)
    if server.kills == 0:
        sys.exit("The server was never killed.")
    sys.exit(1 if problems or len(done) != options.uploads else 0)


if __name__ == "__main__":
    main()
