#!/usr/bin/env python3
"""Kills the server (SIGKILL) at chosen writes while photos of a shelf are uploaded, read and imported, until all were sent; then
checks that every photo that was answered with 202 was read and imported exactly once, and that the library has what that of
a server has which reads the same photos undisturbed.

usage: kill_server.py [--uploads 10] [--kills 5] [--fresh] [--photo FILE] [--program PROGRAM] [--seed 1]

    --fresh    the server begins with an empty data folder, with a cache of its own: the first kill interrupts that

Each request is repeated until it is answered, as a client would; uploads have an Idempotency-Key. The server does not
read a photo again at which it died twice; such photos are retried once at the end, as a person would.
"""
import argparse
import http.client
import json
import pathlib
import random
import shutil
import signal
import sqlite3
import tempfile

import libraries
import orphans
from harness import LONGEST, PHOTO, PROGRAM, Control, Server, conclude, interposed


def writes_of(work, data, photo=None, **settings):
    """The number of writes of a server from its start to its end, in which it reads a photo."""
    control = Control(work)
    server = Server(data, **settings)
    server.start(interposed(work, data, control=control.file))
    if photo:
        server.ended(server.upload(photo, shelf=add_shelf(server)))
    assert server.stop() == 0, "the server did not stop cleanly"
    return control["writes"]


def undisturbed(data, photos, **settings):
    """Returns what a library holds after photos that were read undisturbed."""
    server = Server(data, **settings)
    server.start()
    shelf = add_shelf(server)
    for job in [server.upload(photo, shelf=shelf) for photo in photos]:
        server.ended(job)
    assert server.stop() == 0, "the server did not stop cleanly"
    return libraries.state(data, numbers=False)


def add_shelf(server):
    """Adds the shelf of the photos, unless it was added before, and returns its ID."""
    for shelf in server.request("GET", "/api/v1/shelves")[1]["items"]:
        return shelf["id"]
    status, shelf = server.request("POST", "/api/v1/shelves", {"name": "Attic"})
    assert status == 201, (status, shelf)
    return shelf["id"]


class MortalServer(Server):
    """A server that is killed at the next of several writes each time it is started."""

    def __init__(self, work, moments, **settings):
        super().__init__(work / "data", **settings)
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
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--photo", type=pathlib.Path)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    photo = options.photo.read_bytes() if options.photo else PHOTO
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        settings = {"program": options.program, "environment": {"SHELFLIST_CACHE": ""} if options.fresh else {}}
        creation = writes_of(work, work / "new", **settings)
        if not options.fresh:
            shutil.copytree(work / "new", work / "data")
        writes = writes_of(work, work / "new", photo, **settings)
        # The last is the first.
        moments = [1 + int(chance.random() * writes) for _ in range(options.kills)]
        if options.fresh:
            moments[-1] = 1 + int(chance.random() * creation)
        server = MortalServer(work, moments.copy(), **settings)
        accepted, shelf = [], server.insist(lambda: add_shelf(server))
        # Bytes after the end of a JPEG are ignored: each photo is another file.
        photos = [photo + str(number).encode() for number in range(options.uploads)]
        for number, file in enumerate(photos):
            headers = {"Idempotency-Key": f"photo-{number}", "X-Device-ID": "killer"}
            accepted.append(server.insist(lambda: server.upload(file, headers, shelf=shelf)))
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
        problems = []
        for job, state in done.items():
            imports = library.execute(
                "SELECT count(*) FROM jobEvent WHERE job = ? AND json_extract(content, '$.type') = 'imported'", [job]
            ).fetchone()[0]
            found = (state["status"], imports, taken.get(f"{job}/1"))
            if found != ("completed", 1, state["books"]):
                problems.append(f"{job} with {state['books']} books: status, imports and detections are {found}")
        wanted = undisturbed(work / "undisturbed", photos, **settings)
        if differences := libraries.differences(libraries.state(server.data, numbers=False), wanted):
            problems.append(f"the library is not that of an undisturbed server: {differences}")
        if left := orphans.after_clean_up(server.data):
            problems.append(f"pictures without a row: {left}")
        if server.kills == 0:
            problems.append("the server was never killed")
        if len(done) != options.uploads:
            problems.append(f"{options.uploads} photos have {len(done)} jobs")
    conclude(
        f"{len(done)} photos accepted, {server.kills} kills at writes {moments[::-1]} ({writes} for a photo), "
        f"{len(retried)} photos retried because two kills interrupted them, {len(problems)} problems", problems)


if __name__ == "__main__":
    main()
