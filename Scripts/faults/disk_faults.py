#!/usr/bin/env python3
"""Lets writes fail with ENOSPC (the disk stays full) and EIO (once), and reads with EIO (once), one run for each of them;
then checks that the command did not crash, hang or write on without end, that the library is sound and in the state before
or after the command, and that the command, repeated, leaves what an undisturbed run leaves.

usage: disk_faults.py [--each 20] [--more 200]

    --each N       at most N writes and N reads of each command, spread evenly; 0 for every one
    --more N       writes by which a command may exceed an undisturbed run
"""
import argparse
import errno
import pathlib
import tempfile

import harness
import scenes

#: What fails, with which settings of disk_faults.c.
FAULTS = (("write", {"error": errno.ENOSPC, "stays": 1}), ("write", {"error": errno.EIO}), ("read", {"error": errno.EIO}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--more", type=int, default=200)
    options = parser.parse_args()
    problems, runs, hits, failed, most = [], 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        # Two batches of a list; every write of a long list would take hours.
        for scene in scenes.all(work, books=60 if options.each == 0 else 400):
            for kind, fault in FAULTS:
                total = scene.writes if kind == "write" else scene.reads
                step = 1 if options.each == 0 else max(1, -(-total // options.each))
                for number in range(1, total + 1, step):
                    data, control = scene.copy(work / "data"), harness.Control(work)
                    control.arm(number, reads=kind == "read", **fault)
                    status, text = scene.run(data, harness.interposed(work, data, control=control.file))
                    runs += 1
                    failed += status != 0
                    where = f"{scene.name}, {kind} {number} of {total}, {errno.errorcode[fault['error']]}"
                    if status < 0 or "Fatal error" in text:
                        problems.append(f"{where}: crashed with {status}: {text.strip()[-300:]}")
                        continue
                    hits += control[kind + "s"] >= number
                    more = control["writes"] - scene.writes
                    most = max(most, more)
                    if more > options.more:
                        problems.append(f"{where}: {more} writes more than in an undisturbed run")
                    elif problem := scene.settle(data):
                        problems.append(f"{where}: {problem}")
            if options.each == 0:
                print(f"{scene.name}: {scene.writes} writes, {scene.reads} reads", flush=True)
    # A run may make a few writes less than the one that was counted.
    if hits < 0.9 * runs:
        problems.append(f"Only in {hits} of {runs} runs a write or read failed.")
    harness.conclude(
        f"{hits} failing writes and reads, of which {failed} made the command fail with a message, {len(problems)} with a crash, "
        f"too many writes, or something lost or doubled; at most {most} writes more than undisturbed", problems)


if __name__ == "__main__":
    main()
