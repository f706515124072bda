#!/usr/bin/env python3
"""Checks that changes of the code that reads photos were compared with `ModelFingerprint.reading`: servers and workers of
two releases share photos only where that number is the same, so it has to be raised when a photo's text may change.

usage: check_reading.py [--changed | --same | --self-test]

  --changed   after a change by which text, positions, scores or quality of a photo may differ: raises the number
  --same      after a change by which no digit differs, such as a new name
"""
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FINGERPRINT = ROOT / "Sources/WorkQueue/Reading/ModelFingerprint.swift"
#: The number and the hash of the sources for which it was set.
RECORD = ROOT / "Scripts/reading-sources.txt"
#: From a photo's bytes to its text, and the libraries and models with their versions.
SOURCES = ("Sources/CImageCodecs", "Sources/COpenVINO", "Sources/Imaging", "Sources/Inference", "Sources/SpineReading",
           "Sources/Reading/PhotoScanner.swift", "Sources/Reading/PhotoText.swift",
           "Sources/WorkQueue/Reading/PhotoMessages.swift", "Scripts/setup/wheels.txt")
#: Pictures for people.
LEFT_OUT = ("Sources/Imaging/Drawing/",)
NUMBER = re.compile(r"(private static let reading = )(\d+)")


def essence(text):
    """The lines without indentation, empty lines and comments."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "#:", "# ")))


def hash_of(files):
    """The hash of texts by path."""
    total = hashlib.sha256()
    for path in sorted(files):
        total.update(f"{path}\n{essence(files[path])}\n".encode())
    return total.hexdigest()[:16]


def sources():
    paths = [path for name in SOURCES for path in ((ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name])]
    files = {path.relative_to(ROOT).as_posix(): path for path in paths if path.is_file()}
    return {name: path.read_text(encoding="utf-8") for name, path in files.items() if not name.startswith(LEFT_OUT)}


def problem(number, current, record):
    """What is wrong; None for nothing."""
    if record.split() == [str(number), current]:
        return None
    return ("The code that reads photos has changed, and ModelFingerprint.reading was not compared with it. Run: "
            "python3 Scripts/check_reading.py --changed, or --same if no digit of a photo's text can differ.")


def self_test():
    files = {"a.swift": "let a = 1\n", "b.swift": "let b = 2\n"}
    first = hash_of(files)
    assert hash_of({**files, "a.swift": "// Why.\n\n  let a = 1\n"}) == first
    assert hash_of({**files, "a.swift": "let a = 2\n"}) != first
    assert hash_of({"a.swift": files["a.swift"]}) != first
    assert problem(1, first, f"1 {first}\n") is None
    assert problem(2, first, f"1 {first}\n") and problem(1, first, f"1 0{first[1:]}x\n") and problem(1, first, "")
    assert len(sources()) > 30


def main():
    options = sys.argv[1:]
    if options == ["--self-test"]:
        return self_test()
    text = FINGERPRINT.read_text(encoding="utf-8")
    number = int(NUMBER.search(text)[2])
    if options == ["--changed"]:
        number += 1
        FINGERPRINT.write_text(NUMBER.sub(rf"\g<1>{number}", text), encoding="utf-8")
    if options in (["--changed"], ["--same"]):
        RECORD.write_text(f"{number} {hash_of(sources())}\n", encoding="utf-8")
    elif options:
        sys.exit(__doc__)
    record = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
    if found := problem(number, hash_of(sources()), record):
        sys.exit(found)
    return None


if __name__ == "__main__":
    main()
