#!/usr/bin/env python3
"""Takes the pictures of docs/tour.md with a new server, offline, and the example photo, on a phone and on a
desktop, into a folder (default docs/tour)."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import conftest
import steps
from playwright.sync_api import sync_playwright
from test_real_shelves import new_shelf

QUALITY = "80"


class Tour:
    """Takes pictures of one page into a folder, as WebP."""

    def __init__(self, page, folder, prefix=""):
        self.page, self.folder, self.prefix = page, folder, prefix

    def take(self, name, settle=900):
        self.page.wait_for_timeout(settle)
        self.write(name, self.page.screenshot())

    def write(self, name, image):
        file = self.folder / f"{self.prefix}{name}.webp"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "png_pipe", "-i", "-", "-c:v", "libwebp",
                        "-quality", QUALITY, str(file)], input=image, check=True, timeout=60)
        print(file, file.stat().st_size, flush=True)

    def dismiss(self):
        """Closes the bar with Undo, which would cover the content."""
        close = self.page.locator(".undo").get_by_role("button", name=re.compile("Dismiss|Close"))
        if close.count() and close.first.is_visible():
            close.first.click()


def scan(tour, shelf):
    """From the viewfinder to the results."""
    app = tour.page
    app.open(f"/shelves/{shelf}")
    app.get_by_role("link", name="Scan this shelf").click()
    app.wait_for_selector(".checks")
    tour.take("scan", 2500)
    app.set_input_files("input[type=file]:not([capture])", conftest.SHELF)
    steps.use_photo(app)
    app.locator(".count-line b").wait_for(timeout=60_000)
    tour.take("progress", 250)
    app.locator(".results-panel h1", has_text="spines found").wait_for(timeout=120_000)
    tour.dismiss()
    tour.take("results", 2500)
    return app.url.split("#")[1]


def browse(tour, shelf):
    """Review, library, shelf and statistics."""
    app = tour.page
    app.open("/review")
    app.wait_for_selector(".queue-card[data-item]")
    tour.take("review", 2000)
    app.open("/library")
    app.wait_for_selector(".cell a")
    tour.take("library")
    app.open(f"/shelves/{shelf}")
    app.locator(".shelf-spine canvas.drawn").first.wait_for()
    tour.take("shelf", 2000)
    app.open("/stats")
    app.wait_for_selector(".charts")
    tour.take("statistics")


def opened(browser, size, real, fresh):
    page = browser.new_context(**conftest.SIZES[size], device_scale_factor=2 if size == "phone" else 1.5, locale="en-GB",
                               permissions=["camera"]).new_page()
    steps.look(page, "paper")
    if fresh:
        return conftest.entered(page, real, asks=False)
    page.set_default_timeout(20_000)
    page.goto(f"{real.address}/#/library")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill("a shelf of one's own")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector(".cell a")
    page.open = lambda path: page.goto(f"{real.address}/#{path}")
    return page


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else conftest.ROOT / "docs/tour")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as play:
        # The closed port keeps the server from asking Open Library.
        real = conftest.Shelflist(Path(place) / "data", "http://127.0.0.1:9/")
        try:
            browser = play.chromium.launch(**conftest.chromium())
            phone = Tour(opened(browser, "phone", real, fresh=True), folder)
            shelf = new_shelf(phone.page)
            results = scan(phone, shelf)
            browse(phone, shelf)
            desktop = Tour(opened(browser, "desktop", real, fresh=False), folder, "desktop-")
            desktop.page.open(results)
            desktop.page.locator(".results-panel h1", has_text="spines found").wait_for()
            desktop.take("results", 2500)
            desktop.page.open("/review")
            desktop.page.locator("sl-review").wait_for()
            desktop.take("review", 2500)
            browser.close()
        except Exception:
            for n, context in enumerate(browser.contexts):
                context.pages[0].screenshot(path=f"/tmp/l2/fail{n}.png")
            raise
        finally:
            real.stop()


main()
