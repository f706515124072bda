#!/usr/bin/env python3
"""Freezes a data folder and backups of this version, which later versions have to open: FrozenFolderTests unpacks them.
Run it for each release, after the version was raised, and commit the archive.

usage: freeze.py [--again]

    --again    replace the archive of this version, before it is released

Writes Tests/Recorded/versions/VERSION.tar.gz: `data`, a folder with accounts, an app, a token, a scan, a list and a catalog;
`backup.tar` and `backup.tar.age` of it; and `facts.json`, what has to be found. The books are invented, the photo is
spines.jpg.
"""
import argparse
import itertools
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import access_steps
import dumps
import harness
import session

FOLDER = harness.ROOT / "Tests/Recorded/versions"
PASSPHRASE = "a shelf of one's own"


def fill(data, address):
    """Runs a session on a server. Returns what its steps returned."""
    known = {}
    server = harness.Server(data, environment={"SHELFLIST_DUMPS_URL": address})
    server.start()
    gives = itertools.takewhile(lambda step: step.name != access_steps.of_end()[0].name, session.steps())
    for step in gives:
        # The list stays, to be undone by a later version.
        if step.name != "undo":
            step.send(server, known)
    assert server.stop() == 0, "the server did not stop cleanly"
    return known


def facts(data, known):
    library = sqlite3.connect(f"file:{data}/library.sqlite?mode=ro", uri=True)
    try:
        titles = sorted(row[0] for row in library.execute("SELECT title FROM entry JOIN work ON work.id = work"))
    finally:
        library.close()
    return {
        # Sessions and scans of the folder expire.
        "madeAt": int(time.time()),  # allowed: no code
        "owner": access_steps.NAME, "password": access_steps.PASSWORD, "members": ["Ada", "Bea"],
        "cookie": known["cookie"], "token": known["token"], "app": known["app"], "job": known["job"],
        "undoToken": known["undo"], "listed": session.ROWS, "titles": titles, "passphrase": PASSPHRASE}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    version = re.search(r"\d+\.\d+\.\d+", harness.must("--version"))[0]
    archive = FOLDER / f"{version}.tar.gz"
    if archive.exists() and not options.again:
        sys.exit(f"freeze: {archive} exists, and frozen archives are not changed. Use --again before the release.")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        data, passphrase = work / "data", work / "passphrase"
        known = fill(data, dumps.Dumps(books=20).url)
        (work / "facts.json").write_text(json.dumps(facts(data, known), indent=2, ensure_ascii=False) + "\n")
        passphrase.write_text(PASSPHRASE + "\n")
        harness.must("backup", work / "backup.tar", "--data", data)
        harness.must("backup", work / "backup.tar.age", "--data", data, "--passphrase-file", passphrase)
        # What a server computes again, and the lock and address of the one that ran.
        for name in ("cache", "server.json", "serve.lock"):
            place = data / name
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf", archive, "-C", work, "data",
             "backup.tar", "backup.tar.age", "facts.json"], check=True)
    print(f"{archive.relative_to(harness.ROOT)}: {archive.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
