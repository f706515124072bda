#!/usr/bin/env python3
"""Lets five phones scan the barcodes of one stocktake while the server is killed (SIGKILL) once and started again; then checks
that every acknowledged scan is in the stocktake exactly once, and that no other copy was seen twice.

usage: stocktake_phones.py [--copies 10000] [--scans 200] [--phones 5] [--seed 1] [--program PROGRAM]

    --scans    barcodes that each phone scans; no two phones have the same

Each phone repeats a scan until it is answered, as a person would who did not see the title. The server is killed at a chosen
write while all phones scan. A scan that was not answered may have been stored: then the repeated one says that the copy was
seen before, and the stocktake has two sightings of one copy, which it counts once.
"""
import argparse
import csv
import http.client
import io
import json
import pathlib
import random
import signal
import sqlite3
import tempfile
import threading

from harness import LONGEST, PROGRAM, Server, conclude, interposed, must


class Phone(threading.Thread):
    """A phone that scans barcodes one after the other."""

    def __init__(self, crowd, codes):
        super().__init__()
        self.crowd, self.codes = crowd, codes
        #: The answer to each scan, and how often it was sent.
        self.answers, self.sent = {}, {}
        self.problem = None

    def run(self):
        try:
            for code in self.codes:
                self.answers[code] = self.scan(code)
        except BaseException as error:
            self.problem = f"{type(error).__name__}: {error}"

    def scan(self, code):
        while True:
            server = self.crowd.running()
            self.sent[code] = self.sent.get(code, 0) + 1
            try:
                status, answer = server.request("POST", f"{self.crowd.path}/seen", {"barcode": code})
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                self.crowd.lost()
                continue
            assert status == 200, (status, answer)
            return answer


class Crowd:
    """The server that phones share; the first of them that loses its connection starts it again."""

    def __init__(self, server, path):
        self.server, self.path, self.lock = server, path, threading.Lock()
        self.kills = 0

    def running(self):
        with self.lock:
            return self.server

    def lost(self):
        with self.lock:
            if self.server.process.poll() is None and self.kills:
                return  # Another phone has started it again.
            status = self.server.process.wait(LONGEST)
            assert status == -signal.SIGKILL, f"the server ended with {status}"
            self.kills += 1
            self.server.start()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--copies", type=int, default=10_000)
    parser.add_argument("--scans", type=int, default=200)
    parser.add_argument("--phones", type=int, default=5)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        data = work / "data"
        rows = io.StringIO()
        table = csv.writer(rows)
        table.writerow(["title", "author", "shelf", "barcode"])
        for number in range(options.copies):
            shelf = f"House {number % 2} / Room {number % 20 // 2} / Board {number % 400 // 20}"
            table.writerow([f"Volume {number} of {number % 97}", f"Writer {number % 61}", shelf, f"b{number}"])
        (work / "list.csv").write_text(rows.getvalue())
        must("library", "import", work / "list.csv", "--data", data)
        must("library", "stocktake", "start", "--name", "All", "--data", data)

        codes = [f"b{number}" for number in chance.sample(range(options.copies), options.phones * options.scans)]
        server = Server(data, program=options.program)
        # Between the start, which writes little, and the end of all scans, of which each is more than one write.
        moment = options.scans + int(chance.random() * options.scans * (options.phones - 1))
        server.start(interposed(work, data, at=moment, kill=1))
        crowd = Crowd(server, "/api/v1/stocktakes/1")
        phones = [Phone(crowd, codes[number::options.phones]) for number in range(options.phones)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
        status, stocktake = server.request("GET", crowd.path)
        assert status == 200, (status, stocktake)
        assert server.stop() == 0, "the server did not stop cleanly"

        library = sqlite3.connect(data / "library.sqlite")
        assert library.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        seen = dict(library.execute(
            "SELECT barcode, count(*) FROM stocktakeSeen JOIN entry ON entry.id = entry WHERE stocktake = 1 GROUP BY barcode"))
        problems = [f"a phone: {phone.problem}" for phone in phones if phone.problem]
        repeated = 0
        for phone in phones:
            for code, answer in phone.answers.items():
                repeated += phone.sent[code] > 1
                if seen.get(code, 0) < 1:
                    problems.append(f"{code} was acknowledged and is not there")
                # A scan that was stored and not answered was sent again.
                if seen.get(code, 0) > phone.sent[code] or (phone.sent[code] == 1 and answer["changed"] != 1):
                    problems.append(f"{code} was sent {phone.sent[code]} times, and seen {seen.get(code)} times")
        if other := set(seen) - set(codes):
            problems.append(f"copies were seen that no phone scanned: {sorted(other)[:5]}")
        counts = stocktake["counts"]
        if (counts["expected"], counts["seen"]) != (options.copies, len(codes)):
            problems.append(f"the stocktake counts {counts}, for {len(codes)} scanned copies of {options.copies}")
        if crowd.kills != 1:
            problems.append(f"the server was killed {crowd.kills} times")
    conclude(
        f"{len(codes)} scans of {options.phones} phones in a stocktake of {options.copies} copies, 1 kill at write {moment}, "
        f"{repeated} scans repeated, {len(problems)} problems", problems)


if __name__ == "__main__":
    main()
