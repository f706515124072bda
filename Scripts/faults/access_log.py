"""The access log of a data folder, for tests that interrupt a server."""
import collections
import json
import pathlib


def files(data):
    return [file for name in ("audit", "sign-ins") for file in sorted(pathlib.Path(data).glob(f"{name}*.jsonl"))]


def read(file):
    """Returns the entries of a file, and its number of lines that are damaged."""
    found, damaged = [], 0
    for line in file.read_bytes().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            damaged += 1
    return found, damaged


def entries(data):
    """How often each change was recorded, without times and addresses."""
    return collections.Counter(
        (entry["event"], entry.get("member"), entry.get("subject")) for file in files(data) for entry in read(file)[0])


def damage(data):
    """What is wrong with the log: a fault may cut off one line of each file, the last one then."""
    for file in files(data):
        damaged = read(file)[1]
        if damaged > 1:
            return f"{damaged} lines of {file.name} are damaged"
    return None


def lost(data, before, added):
    """Returns the entries of a step that was answered which are not in the log, after those that were there before."""
    missing = before + added - entries(data)
    return ", ".join(" ".join(map(str, filter(None, entry))) for entry in missing)
