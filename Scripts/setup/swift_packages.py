#!/usr/bin/env python3
"""Writes Package.resolved from swift-packages.txt, which names the commit of each package, so that builds always use the
same ones. --update does the reverse: call it after `swift package update`."""
import json
import sys
from pathlib import Path

LIST = Path(__file__).with_name("swift-packages.txt")
RESOLVED = Path(__file__).resolve().parents[2] / "Package.resolved"
HEADER = "# identity, address, version and commit of each Swift package, also of those that packages depend on.\n"


def rows() -> list[list[str]]:
    lines = [line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    for row in lines:
        if len(row) != 4 or len(row[3]) != 40:
            sys.exit(f"setup: {LIST.name}: '{' '.join(row)}' is not an identity, address, version and commit.")
    return lines


def resolved() -> str:
    pins = [
        {"identity": identity, "kind": "remoteSourceControl", "location": address,
         "state": {"revision": commit, "version": version}}
        for identity, address, version, commit in rows()
    ]
    return json.dumps({"pins": pins, "version": 2}, indent=2) + "\n"


def update() -> None:
    pins = json.loads(RESOLVED.read_text())["pins"]
    found = [(p["identity"], p["location"], p["state"]["version"], p["state"]["revision"]) for p in pins]
    widths = [max(len(row[i]) for row in found) for i in range(3)]
    lines = ["  ".join([*(part.ljust(width) for part, width in zip(row, widths)), row[3]]) for row in found]
    LIST.write_text(HEADER + "\n".join(lines) + "\n")


if sys.argv[1:] == ["--update"]:
    update()
elif sys.argv[1:]:
    sys.exit("usage: swift_packages.py [--update]")
elif not RESOLVED.exists() or RESOLVED.read_text() != resolved():
    RESOLVED.write_text(resolved())
