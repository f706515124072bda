#!/usr/bin/env python3
"""Lets writes fail with ENOSPC (the disk stays full) and EIO (once), one run for each write of a command; then checks that
the command did not crash or hang, that the library is sound, and that the command, repeated, leaves what an undisturbed
run leaves.

usage: disk_faults.py [--each 20] [--longest 5]

    --each N       at most N writes of each command, spread evenly; 0 for every write
    --longest S    seconds by which a command may take longer than an undisturbed one
"""
import argparse
import errno
import pathlib
import subprocess
import sys
import tempfile

import harness
import scenes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--longest", type=float, default=5)
    options = parser.parse_args()
    problems, runs, failed = [], 0, 0
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        library = work / "faults.so"
        source = pathlib.Path(__file__).with_name("disk_faults.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        # Two batches of a list; every write of a long list would take hours.
        for scene in scenes.all(work, books=60 if options.each == 0 else 400):
            data = scene.copy(work / "data")
            shim = {"LD_PRELOAD": str(library), "FAULT_BELOW": str(data)}
            status, usual, text = harness.run(*scene.command(data), environment={**shim, "FAULT_COUNT": str(work / "count")})
            assert status == 0, (scene.name, text)
            writes = int((work / "count").read_text())
            assert writes > 0, f"{scene.name} writes nothing that the library for faults sees"
            step = 1 if options.each == 0 else max(1, -(-writes // options.each))
            for number in range(1, writes + 1, step):
                for fault in ({"FAULT_ERROR": str(errno.ENOSPC), "FAULT_STAYS": "1"}, {"FAULT_ERROR": str(errno.EIO)}):
                    data = scene.copy(work / "data")
                    status, seconds, text = harness.run(
                        *scene.command(data), environment={**shim, **fault, "FAULT_AT": str(number)})
                    runs += 1
                    failed += status != 0
                    where = f"{scene.name}, write {number} of {writes}, {errno.errorcode[int(fault['FAULT_ERROR'])]}"
                    if status < 0 or "Fatal error" in text:
                        problems.append(f"{where}: crashed with {status}: {text.strip()[-300:]}")
                    elif seconds > usual + options.longest:
                        problems.append(f"{where}: took {seconds:.1f} s instead of {usual:.1f} s")
                    elif problem := scene.settle(data):
                        problems.append(f"{where}: {problem}")
            if options.each == 0:
                print(f"{scene.name}: {writes} writes", flush=True)
    print(f"{runs} failing writes, of which {failed} made the command fail with a message, "
          f"{len(problems)} with a crash, a hang, or something lost or doubled")
    print(*problems, sep="\n", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
