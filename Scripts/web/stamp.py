#!/usr/bin/env python3
"""Writes the list and version of the web app's files into Web/sw.js, and the modules that the first screen needs into
Web/index.html. --check only checks both."""
import hashlib
import re
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "Web"
WORKER, PAGE = WEB / "sw.js", WEB / "index.html"
# The worker itself is not listed: the browser fetches it.
KINDS = {".js", ".css", ".svg", ".png", ".wasm", ".webmanifest"}
FIRST = ["app.js", "screens/library.js"]
STAMP = re.compile(r'const VERSION = ".*?";\nconst FILES = \[.*?\];', re.S)
PRELOADS = re.compile(r'(?:  <link rel="modulepreload"[^\n]*\n)+')


def needed(names: list[str]) -> list[str]:
    """The modules with their static imports, recursively."""
    found: list[str] = []
    for name in names:
        if name in found:
            continue
        found.append(name)
        imports = re.findall(r'^(?:import|export)\b[^;"]*?"(\.[^"]+)";', (WEB / name).read_text(), re.M)
        inner = [((WEB / name).parent / i).resolve().relative_to(WEB).as_posix() for i in imports]
        found += [i for i in needed(inner) if i not in found]
    return found


def page(text: str) -> str:
    links = "".join(f'  <link rel="modulepreload" href="{name}">\n' for name in sorted(needed(FIRST)))
    return PRELOADS.sub(lambda _: links, text)


def worker(text: str, page_text: str) -> str:
    files = sorted(p.relative_to(WEB).as_posix() for p in WEB.rglob("*") if p.suffix in KINDS and p != WORKER)
    digest = hashlib.sha256()
    # Includes the worker's own code, except for the two constants that are written here.
    digest.update(STAMP.sub("", text).encode())
    for name in files:
        digest.update(name.encode() + b"\0" + (WEB / name).read_bytes())
    digest.update(page_text.encode())
    listed = "".join(f'  "{name}",\n' for name in files)
    return STAMP.sub(lambda _: f'const VERSION = "{digest.hexdigest()[:12]}";\nconst FILES = [\n{listed}];', text)


fresh_page = page(PAGE.read_text())
for path, fresh in ((PAGE, fresh_page), (WORKER, worker(WORKER.read_text(), fresh_page))):
    if fresh == path.read_text():
        continue
    if "--check" in sys.argv:
        sys.exit(f"lint: Web/{path.name} is out of date. Run: python3 Scripts/web/stamp.py")
    path.write_text(fresh)
