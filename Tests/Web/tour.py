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
from playwright.sync_api import expect, sync_playwright
from test_real_shelves import new_shelf

QUALITY = "80"
# The names of the files by the pictures of each size.
PICTURES = {
    "phone": {name: name for name in ("scan", "progress", "results", "review", "library", "shelf", "statistics")},
    "desktop": {"results": "desktop-results"},
}


class Tour:
    """Takes pictures of one page into a folder, as WebP."""

    def __init__(self, page, folder, names):
        """`names` are those of the files by the pictures to take."""
        self.page, self.folder, self.names = page, folder, names

    def take(self, name):
        steps.still(self.page)
        self.write(name, self.page.screenshot())

    def write(self, name, image):
        if name not in self.names:
            return
        file = self.folder / f"{self.names[name]}.webp"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "png_pipe", "-i", "-", "-c:v", "libwebp",
                        "-quality", QUALITY, str(file)], input=image, check=True)
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
    expect(app.locator(".checks > .good")).to_have_count(3)
    tour.take("scan")
    app.set_input_files("input[type=file]:not([capture])", conftest.SHELF)
    steps.use_photo(app)
    app.locator(".count-line b").wait_for()
    # It may last too short for a picture that shows something. Then run this script again, or keep the old picture.
    images = []
    while app.locator(".count-line b").count():
        image = app.screenshot()
        if app.locator(".count-line b").count():  # else it may show the results
            images.append(image)
    if images:
        tour.write("progress", max(images, key=len))
    app.locator(".results-panel h1", has_text="spines found").wait_for()
    app.wait_for_selector("sl-stage.ready")
    tour.dismiss()
    tour.take("results")


def browse(tour, shelf):
    """Review, library, shelf and statistics."""
    app = tour.page
    app.open("/review")
    app.locator(".spine-place canvas.drawn").first.wait_for()
    tour.take("review")
    app.open("/library")
    app.wait_for_selector(".cell a")
    tour.take("library")
    app.open(f"/shelves/{shelf}")
    app.locator(".shelf-spine canvas.drawn").first.wait_for()
    tour.take("shelf")
    app.open("/stats")
    app.wait_for_selector(".charts")
    tour.take("statistics")


def visit(browser, size, folder):
    """Takes the pictures of one size with a server of its own."""
    context = browser.new_context(**conftest.SIZES[size], device_scale_factor=2 if size == "phone" else 1.5, locale="en-GB",
                                  permissions=["camera"])
    with tempfile.TemporaryDirectory() as place:
        real = conftest.RealServer(Path(place) / "data")
        try:
            page = context.new_page()
            steps.look(page, "paper")
            tour = Tour(conftest.entered(page, real, asks=False), folder, PICTURES[size])
            shelf = new_shelf(tour.page)
            scan(tour, shelf)
            if size == "phone":
                browse(tour, shelf)
        finally:
            real.close()


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else conftest.ROOT / "docs/tour")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(**conftest.chromium())
        for size in conftest.SIZES:
            visit(browser, size, folder)
        browser.close()


main()
