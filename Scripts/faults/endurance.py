#!/usr/bin/env python3
"""Reads many photos and follows a job over many connections; checks that every photo is read once, that followers miss no
event, and that memory stays flat.

usage: endurance.py [--photos 1000] [--reconnects 1000] [--growth 100]

    --growth MB    by which the memory after the last tenth of the photos may exceed that after the first tenth
"""
import argparse
import http.client
import json
import tempfile
import time

from harness import LONGEST, PHOTO, Server, conclude


def events(server, job, after, count):
    """The numbers of the next `count` events of a job, over a connection that is then cut."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)
    try:
        connection.request("GET", f"/api/v1/scans/{job}/events", headers={
            "Accept": "text/event-stream", **({"Last-Event-ID": str(after)} if after else {})})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        found = []
        while len(found) < count and (line := answer.readline()):
            if line.startswith(b"id:"):
                found.append(int(line[3:]))
        return found
    finally:
        connection.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=1000)
    parser.add_argument("--reconnects", type=int, default=1000)
    parser.add_argument("--growth", type=float, default=100)
    options = parser.parse_args()
    problems, memory, job = [], [], None
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        server.start()
        for number in range(options.photos):
            job = server.upload(PHOTO + str(number).encode())
            state = server.ended(job)
            if state["status"] != "completed" or state["books"] == 0:
                problems.append(f"photo {number} ended as {state['status']}")
            memory.append(server.memory())
        tenth = max(1, options.photos // 10)
        first, last = max(memory[:tenth]), max(memory[-tenth:])
        if last > first + options.growth:
            problems.append(f"the memory grew from {first:.0f} to {last:.0f} MB")
        seconds = time.monotonic() - start

        status, page = server.request("GET", f"/api/v1/scans/{job}/events?after=0", headers={"Accept": "application/json"})
        whole = [event["id"] for event in page["events"]] if status == 200 and page else []
        if len(whole) < 3:
            problems.append(f"the last job has only {len(whole)} events, so the connections would show nothing")
        before, at = server.memory(), 0
        for number in range(options.reconnects):
            expected = [event for event in whole if event > at][:2]
            found = events(server, job, at, len(expected)) if expected else []
            if found != expected:
                problems.append(f"connection {number} received the events {found} instead of {expected}")
                break
            at = expected[-1] if expected else 0
        if server.memory() > before + options.growth:
            problems.append(f"{options.reconnects} connections took {server.memory() - before:.0f} MB")
        assert server.stop() == 0, "the server did not stop cleanly"
    conclude(
        f"{options.photos} photos in {seconds:.0f} s, {first:.0f} MB after the first tenth and {last:.0f} MB at the end; "
        f"{options.reconnects} connections; {len(problems)} problems", problems)


if __name__ == "__main__":
    main()
