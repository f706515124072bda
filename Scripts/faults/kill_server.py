#!/usr/bin/env python3
"""Kills the server (SIGKILL) at random moments while photos are uploaded and read, until all were sent; then checks
that every photo that was answered with 202 was read and imported exactly once.

usage: kill_server.py [--uploads 100] [--photo Examples/shelf.jpg] [--program .build/release/shelflist] [--seed 1]

Each upload has an Idempotency-Key and is repeated until it is answered, as a client would. The server does not read a
photo again at which it died twice; such photos are retried once at the end, as a person would.
"""
import argparse
import http.client
import json
import pathlib
import random
import sqlite3
import sys
import tempfile
import threading
import time

from harness import PROGRAM, ROOT, Server, form


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--uploads", type=int, default=100)
    parser.add_argument("--photo", default=ROOT / "Examples/shelf.jpg")
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    photo = pathlib.Path(options.photo).read_bytes()
    with tempfile.TemporaryDirectory() as data:
        server = Server(data, program=options.program)
        server.start()
        accepted, kills, stopping = {}, 0, threading.Event()

        def upload():
            for number in range(options.uploads):
                # Bytes after the end of a JPEG are ignored: each photo is another file.
                body, kind = form(photo + str(number).encode())
                while number not in accepted:
                    try:
                        status, answer = server.request(
                            "POST", "/api/v1/scans", body,
                            {"Content-Type": kind, "Idempotency-Key": f"photo-{number}", "X-Device-ID": "killer"})
                        assert status in (200, 202), (status, answer)
                        accepted[number] = answer["jobId"]
                    except (OSError, http.client.HTTPException, json.JSONDecodeError):
                        time.sleep(0.05)
                time.sleep(chance.uniform(0, 0.3))
            stopping.set()

        sender = threading.Thread(target=upload)
        sender.start()
        while not stopping.is_set():
            time.sleep(chance.uniform(0.3, 3.0))
            server.kill()
            kills += 1
            server.start()
        sender.join()

        waiting, since, done, retried = set(accepted.values()), time.monotonic(), {}, set()
        while waiting and time.monotonic() - since < 3600:
            for job in sorted(waiting):
                _, state = server.request("GET", f"/api/v1/scans/{job}")
                if state.get("status") == "failed" and job not in retried:
                    retried.add(job)
                    status, answer = server.request("POST", f"/api/v1/scans/{job}/photos/1/retry")
                    assert status == 202, (status, answer)
                elif state.get("finishedAt"):
                    done[job] = state
                    waiting.discard(job)
            time.sleep(0.1)
        assert not waiting, f"{len(waiting)} jobs were never finished"
        assert server.stop() == 0, "the server did not stop cleanly"

        library = sqlite3.connect(f"{data}/library.sqlite")
        assert library.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        taken = dict(library.execute("SELECT job, count(*) FROM detection GROUP BY job"))
        jobs = sqlite3.connect(f"{data}/jobs.sqlite")
        problems = []
        for job, state in done.items():
            imports = jobs.execute(
                "SELECT count(*) FROM event WHERE job = ? AND json_extract(content, '$.type') = 'imported'", [job]
            ).fetchone()[0]
            if state["status"] != "completed" or imports != 1 or taken.get(f"{job}/1") != state["books"]:
                problems.append((job, state["status"], imports, taken.get(f"{job}/1"), state["books"]))
        print(f"{len(done)} photos accepted, {kills} kills, {len(retried)} photos retried because two kills interrupted "
              f"them, {len(problems)} not read and imported exactly once")
        for problem in problems:
            print(*problem, file=sys.stderr)
        sys.exit(1 if problems or len(done) != options.uploads else 0)


if __name__ == "__main__":
    main()
