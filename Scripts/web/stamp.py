#!/usr/bin/env python3
"""Writes the list of the web app's files and their version into Web/sw.js; --check only says whether it is right."""
import hashlib
import re
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "Web"
WORKER = WEB / "sw.js"
# The classic script and the page are files like the others; the worker itself is fetched by the browser.
KINDS = {".js", ".css", ".svg", ".png", ".webmanifest"}


def stamped(text: str) -> str:
    files = sorted(p.relative_to(WEB).as_posix() for p in WEB.rglob("*") if p.suffix in KINDS and p != WORKER)
    digest = hashlib.sha256()
    # The worker's own code counts as well, apart from the two lines that are written here.
    digest.update(re.sub(r'const VERSION = .*?;\nconst FILES = \[.*?\];', "", text, flags=re.S).encode())
    for name in [*files, "index.html"]:
        digest.update(name.encode() + b"\0" + (WEB / name).read_bytes())
    listed = "".join(f'  "{name}",\n' for name in files)
    return re.sub(r'const VERSION = ".*?";\nconst FILES = \[.*?\];',
                  f'const VERSION = "{digest.hexdigest()[:12]}";\nconst FILES = [\n{listed}];', text, flags=re.S)


text = WORKER.read_text()
fresh = stamped(text)
if "--check" in sys.argv:
    if fresh != text:
        sys.exit("lint: Web/sw.js does not list the app's files as they are. Mend it with: python3 Scripts/web/stamp.py")
elif fresh != text:
    WORKER.write_text(fresh)
