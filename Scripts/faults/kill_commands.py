#!/usr/bin/env python3
"""Kills commands (SIGKILL) at chosen writes, then checks that the library is sound and in the state before or after the
command (of a list: its first rows), and that the same command, repeated, leaves what an undisturbed run leaves: import of
a list, review, backup, restore, import of a catalog, clean-up, removal of many books, a photo of a shelf, an answer about
its label, undo. What can be undone is undone at the end.

usage: kill_commands.py [--each 1] [--seed 1]

    --each N       kills of each command: one in each Nth part of its writes
"""
import argparse
import pathlib
import random
import signal
import tempfile

import harness
import scenes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    problems, kills = [], {}
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for scene in scenes.all(work):
            for part in range(options.each):
                at = 1 + int((part + chance.random()) * scene.writes / options.each)
                where, status = f"{scene.name}, killed at write {at} of {scene.writes}", 0
                # A run may make a few writes less than the one that was counted.
                while status == 0 and at > 0:
                    data = scene.copy(work / "data")
                    status, text = scene.run(data, harness.interposed(work, data, at=at, kill=1))
                    at -= 1
                if status != -signal.SIGKILL:
                    problems.append(f"{where}: ended with {status}: {text.strip()[-300:]}")
                    continue
                kills[scene.name] = kills.get(scene.name, 0) + 1
                if problem := scene.settle(data):
                    problems.append(f"{where}: {problem}")
    harness.conclude(
        f"{sum(kills.values())} kills ({', '.join(f'{name} {n}' for name, n in kills.items())}), "
        f"{len(problems)} with something lost, doubled or broken", problems)


if __name__ == "__main__":
    main()
