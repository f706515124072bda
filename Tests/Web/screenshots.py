#!/usr/bin/env python3
"""Takes a picture of every screen, on the phone and on the desktop, into a folder (default .build/screenshots): each
screen, its states (empty, offline, wrong), the themes, German, and a library of ten thousand."""
import functools
import shutil
import sys
import tempfile
from pathlib import Path

import conftest
import steps
from playwright.sync_api import sync_playwright
from test_library import fill

THEME = {"phone": "paper", "desktop": "lamplight"}
FULL = {"settings-account", "settings-reading", "settings-library", "settings-server", "statistics"}
IN_GERMAN = {"library": ("/library", ".cell a"), "settings": ("/settings", ".settings-list a"), "settings-reading": ("/settings/reading", ".provider"), "scan": ("/scan", ".checks"), "lists": ("/import", ".drop")}


def pictures(size):
    """What to take: its name, the way to it, the theme, how many books there are, the language."""
    for name, way in {**steps.SCREENS, **steps.STATES}.items():
        yield name, way, THEME[size], 0 if name.startswith("empty") else 148, "en-GB"
    for theme in steps.THEMES:
        for name in ("library", "results-book", "review"):
            yield f"{name}-{theme}", steps.SCREENS[name], theme, 148, "en-GB"
    for name, place in IN_GERMAN.items():
        yield f"{name}-german", steps.plain(*place), THEME[size], 148, "de-DE"
    yield "library-large", large_library, THEME[size], 0, "en-GB"


def large_library(page):
    fill(page, 10_000)
    steps.open_library(page)


@functools.cache
def prepared(folder, books):
    """Makes a data folder with so many books, and returns it with the cookie of its owner."""
    data = folder / f"with-{books}/data"
    data.parent.mkdir()
    server = conftest.TestServer(data)
    server.set_up()
    server.change_settings(askBeforeAdding=True)  # the steps add by hand
    conftest.add_books(server, books)
    server.close()
    return data, server.cookie


def take(browser, folder, size, name, way, theme, books, language):
    """Takes one picture, with a server of its own."""
    with tempfile.TemporaryDirectory() as place:
        data, cookie = prepared(folder, books)
        shutil.copytree(data, Path(place) / "data")
        server = conftest.TestServer(Path(place) / "data", cookie=cookie)
        context = browser.new_context(**conftest.SIZES[size], device_scale_factor=2, locale=language, permissions=["camera"])
        try:
            conftest.sign_in(context, server)
            page = conftest.watched(context.new_page(), server)
            steps.look(page, theme)
            way(page)
            steps.still(page)
            return page.screenshot(full_page=name in FULL)
        finally:
            context.close()
            server.close()


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else conftest.ROOT / ".build/screenshots")
    wanted = sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    steps.PHOTO = conftest.SHELF  # its spines are looked at
    with sync_playwright() as play, tempfile.TemporaryDirectory() as place:
        browser = play.chromium.launch(**conftest.chromium())
        for size in conftest.SIZES:
            for name, *picture in pictures(size):
                if wanted and name not in wanted:
                    continue
                file = folder / f"{size}-{name}.png"
                file.write_bytes(take(browser, Path(place), size, name, *picture))
                print(file, flush=True)
        browser.close()


main()
