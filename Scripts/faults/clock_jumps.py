#!/usr/bin/env python3
"""Sets the wall clock of a running server, years ahead and back, while a person is signed in and a photo is read; then
checks that the session, the scan and the photo are still there.

usage: clock_jumps.py
"""
import argparse
import datetime
import http.client
import json
import pathlib
import tempfile

from harness import LONGEST, PHOTO, Server, conclude, interposed

START = datetime.datetime(2027, 3, 1, 12, tzinfo=datetime.timezone.utc)
DAYS = datetime.timedelta(days=1)
HOUR = datetime.timedelta(hours=1)
JUMPS = [0 * DAYS, 3650 * DAYS, -3650 * DAYS, HOUR, -HOUR, 0 * DAYS]


def sign_up(server):
    """Creates the owner and returns the header of the session."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)
    owner = {"name": "Ada", "password": "correct horse", "role": "owner"}
    connection.request("POST", "/api/v1/setup", json.dumps(owner), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 201, answer.read()
    return {"Cookie": answer.getheader("set-cookie").split(";")[0]}


def main():
    argparse.ArgumentParser().parse_args()
    problems, jobs = [], []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        clock = work / "clock"

        def set_clock(moment):
            # The server never reads half a number.
            (work / "new").write_text(f"{int(moment.timestamp())}\n")
            (work / "new").rename(clock)

        set_clock(START)
        server = Server(work / "data", environment=interposed(work, clock=clock))
        server.start()
        cookie = sign_up(server)
        for number, jump in enumerate(JUMPS):
            jobs.append(server.upload(PHOTO + str(number).encode(), cookie))
            set_clock(START + jump)
            server.ended(jobs[-1], cookie)
            # A book that is added now shows that the clock was really set.
            status, book = server.request("POST", "/api/v1/library", json.dumps({"title": f"Book {number}"}),
                                          {"Content-Type": "application/json", **cookie})
            added = datetime.datetime.fromisoformat(book["addedAt"])
            if added != START + jump:
                problems.append(f"the server's clock did not follow a jump of {jump}: {added}")
            for job in jobs:
                status, state = server.request("GET", f"/api/v1/scans/{job}", headers=cookie)
                if status != 200 or state.get("status") != "completed":
                    problems.append(f"a scan is gone or not completed after a jump of {jump}: {status} {state}")
        assert server.stop() == 0, "the server did not stop cleanly"
    conclude(f"{len(JUMPS)} jumps of the clock by up to 10 years, {len(problems)} problems", problems)


if __name__ == "__main__":
    main()
