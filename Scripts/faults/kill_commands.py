#!/usr/bin/env python3
"""Kills commands (SIGKILL) at random moments, then checks that the library is sound and that the same command, repeated,
leaves what an undisturbed run leaves: import of a list, review, backup, restore, import of a catalog, clean-up.

usage: kill_commands.py [--kills 60] [--seed 1]
"""
import argparse
import pathlib
import random
import sys
import tempfile

import harness
import scenes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    problems, kills = [], {}
    with tempfile.TemporaryDirectory() as work:
        list = scenes.all(work)
        lengths = {}
        for scene in list:
            data = scene.copy(pathlib.Path(work) / "data")
            _, lengths[scene.name], _ = harness.run(*scene.command(data))
        while sum(kills.values()) < options.kills:
            scene = list[sum(kills.values()) % len(list)]
            data = scene.copy(pathlib.Path(work) / "data")
            moment = chance.uniform(0.005, lengths[scene.name])
            status, _, _ = harness.run(*scene.command(data), kill_after=moment)
            if status != -9:
                lengths[scene.name] *= 0.9  # It ended before; aim earlier.
                continue
            kills[scene.name] = kills.get(scene.name, 0) + 1
            if problem := scene.settle(data):
                problems.append(f"{scene.name}, killed after {moment:.3f} s: {problem}")
    print(f"{sum(kills.values())} kills ({', '.join(f'{name} {n}' for name, n in kills.items())}), "
          f"{len(problems)} with something lost, doubled or broken")
    print(*problems, sep="\n", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
