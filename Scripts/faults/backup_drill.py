#!/usr/bin/env python3
"""Fills a library, backs it up, restores it elsewhere, and compares every row of every table and every file; plain and
encrypted.

usage: backup_drill.py
"""
import argparse
import pathlib
import tempfile

import harness
import libraries
import scenes


def main():
    argparse.ArgumentParser().parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        full = scenes.filled(work)
        passphrase = work / "passphrase"
        passphrase.write_text("a shelf of one's own\n")
        for name, options in (("plain", []), ("encrypted", ["--passphrase-file", passphrase])):
            backup, other = work / f"{name}.tar", work / name
            harness.must("backup", backup, "--data", full, *options)
            harness.must("restore", backup, "--data", other, *options)
            before, after = libraries.rows(full), libraries.rows(other)
            # Scans expire, and their photos are not in a backup.
            before |= {table: [] for table in before if table.startswith("job")}
            for table in sorted({*before, *after}):
                if before.get(table) != after.get(table):
                    problems.append(f"{name}: the table {table} differs")
            # Pictures are compared by their content there.
            if differences := libraries.differences(libraries.state(other), libraries.state(full)):
                problems.append(f"{name}: {differences}")
            harness.must("library", "check", "--data", other)
        if harness.run("restore", work / "encrypted.tar", "--data", work / "without")[0] == 0:
            problems.append("an encrypted backup was restored without its passphrase")
        count = sum(map(len, before.values()))
    harness.conclude(
        f"2 backups restored, {count} rows of {len(before)} tables compared, {len(problems)} differences", problems)


if __name__ == "__main__":
    main()
