#!/usr/bin/env python3
"""Moves the wall clock of a running server, years ahead and back, while a person is signed in and a photo is read; then
checks that the session, the scan and the photo are still there.

usage: clock_jumps.py
"""
import argparse
import datetime
import http.client
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from harness import LONGEST, ROOT, Server, form

YEAR = 365 * 24 * 3600


def main():
    argparse.ArgumentParser().parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        library, clock = work / "faults.so", work / "clock"
        source = pathlib.Path(__file__).with_name("disk_faults.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        clock.write_text("0\n")
        server = Server(work / "data", environment={"LD_PRELOAD": str(library), "FAULT_CLOCK": str(clock)})
        server.start()
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", "/api/v1/setup", json.dumps({"name": "Ada", "password": "correct horse", "role": "owner"}),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 201, answer.read()
        cookie = {"Cookie": answer.getheader("set-cookie").split(";")[0]}
        answer.read()
        jumps = [0, 10 * YEAR, -10 * YEAR, 3600, -3600, 0]
        photo = (ROOT / "Examples/shelf.jpg").read_bytes()
        jobs = []
        for number, jump in enumerate(jumps):
            body, kind = form(photo + str(number).encode())
            status, answer = server.request("POST", "/api/v1/scans", body, {"Content-Type": kind, **cookie})
            if status != 202:
                problems.append(f"after a jump of {jumps[number - 1]} s an upload is answered with {status}: {answer}")
                break
            jobs.append(answer["jobId"])
            clock.write_text(f"{jump}\n")
            since = time.monotonic()
            while not (state := server.request("GET", f"/api/v1/scans/{jobs[-1]}", headers=cookie)[1]).get("finishedAt"):
                if time.monotonic() - since > LONGEST:
                    problems.append(f"a photo was not read within {LONGEST} s after a jump of {jump} s: {state}")
                    break
                time.sleep(0.1)
            # A book that is added now shows that the clock was really moved.
            status, book = server.request("POST", "/api/v1/library", json.dumps({"title": f"Book {number}"}),
                                          {"Content-Type": "application/json", **cookie})
            added = datetime.datetime.fromisoformat(book["addedAt"]).timestamp()
            if abs(added - time.time() - jump) > LONGEST:
                problems.append(f"the server's clock did not follow a jump of {jump} s: {book['addedAt']}")
            for job in jobs:
                status, state = server.request("GET", f"/api/v1/scans/{job}", headers=cookie)
                if status != 200 or state.get("status") != "completed":
                    problems.append(f"a scan is gone or not completed after a jump of {jump} s: {status} {state}")
        assert server.stop() == 0, "the server did not stop cleanly"
    print(f"{len(jumps)} jumps of the clock by up to 10 years, {len(problems)} problems")
    print(*problems, sep="\n", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
