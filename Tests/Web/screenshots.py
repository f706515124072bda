#!/usr/bin/env python3
"""Takes a picture of every screen, on the phone and on the desktop, into a folder (default .build/screenshots): each
screen, its states (empty, offline, wrong), the themes, German, and a library of ten thousand."""
import sys
from pathlib import Path

import conftest
import standin
import steps
from playwright.sync_api import sync_playwright

THEME = {"phone": "paper", "desktop": "lamplight"}
FULL = {"settings", "statistics"}
IN_GERMAN = {"library": ("/library", ".cell a"), "settings": ("/settings", ".provider"), "scan": ("/scan", ".checks"), "lists": ("/import", ".drop")}


def pictures(size):
    """What to take: its name, the way to it, the theme, how many books there are, the language."""
    for name, way in {**steps.SCREENS, **steps.STATES}.items():
        yield name, way, THEME[size], 0 if name.startswith("empty") else 148, "en-GB"
    for theme in steps.THEMES:
        for name in ("library", "results-book", "review"):
            yield f"{name}-{theme}", steps.SCREENS[name], theme, 148, "en-GB"
    for name, place in IN_GERMAN.items():
        yield f"{name}-german", steps.plain(*place), THEME[size], 148, "de-DE"
    yield "library-large", steps.open_library, THEME[size], 10_000, "en-GB"


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else conftest.ROOT / ".build/screenshots")
    wanted = sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    steps.PHOTO = conftest.SHELF  # its spines are looked at
    with sync_playwright() as play:
        browser = play.chromium.launch(**conftest.chromium())
        for size, options in conftest.SIZES.items():
            for name, way, theme, books, language in pictures(size):
                if wanted and name not in wanted:
                    continue
                server = standin.serve(0, books)
                server.RequestHandlerClass.world.settings["askBeforeAdding"] = True  # the steps add by hand
                page = browser.new_context(**options, device_scale_factor=2, locale=language, permissions=["camera"]).new_page()
                page.set_default_timeout(20_000)
                page.open = lambda path, page=page, server=server: page.goto(f"http://127.0.0.1:{server.server_address[1]}/#{path}")
                steps.look(page, theme)
                way(page)
                page.wait_for_timeout(900)
                page.screenshot(path=folder / f"{size}-{name}.png", full_page=name in FULL)
                print(folder / f"{size}-{name}.png", flush=True)
                page.context.close()
                server.shutdown()
        browser.close()


main()
