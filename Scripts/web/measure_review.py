#!/usr/bin/env python3
"""Clears ten books off the review queue on a phone's screen, with the real server, the real reader and a human being's
pauses, and prints a table. Run it by Scripts/web/measure.sh review."""
import collections
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Web"))
import clearing  # noqa: E402
import conftest  # noqa: E402
import steps  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

BOOKS = 10


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        server = conftest.RealServer(Path(folder) / "data")
        browser = play.chromium.launch(**conftest.chromium())
        try:
            page = browser.new_context(**conftest.PHONE, locale="en-GB", service_workers="block").new_page()
            conftest.entered(page, server)
            steps.review_more(page)
            steps.read_shelf(page, conftest.poor_photo())
            steps.add_all_to(page)
            server.give_catalog(conftest.ALL)
            page.open("/review")
            page.locator(".queue-card[data-item]").wait_for()
            waiting, began = len(clearing.queue(page)), time.perf_counter()
            done, paused = clearing.clear(page, BOOKS, sleep=time.sleep)
            took = time.perf_counter() - began
            left = len(clearing.queue(page))
        finally:
            browser.close()
            server.close()
    ways = ", ".join(f"{how} {n}" for how, n in collections.Counter(d["how"] for d in done).items())
    print("| what | measured | wanted |")
    print("| --- | --- | --- |")
    print(f"| {BOOKS} books off a queue of {waiting} ({left} left): {ways} | {took:.0f} s | under 120 s |")
    print(f"| of that, a person's time: {clearing.LOOK:g} s of looking and {clearing.DECIDE:g} s of deciding a book, "
          f"{clearing.TAP:g} s a tap, {clearing.SWIPE:g} s a swipe, {clearing.KEY:.2f} s a letter | {paused:.0f} s | |")
    print(f"| and the interface's, the server's and the script's own | {took - paused:.1f} s | |")


main()
