#!/usr/bin/env python3
"""Measures the live overlay in Chromium with the real server and the real reader. Run it by Scripts/web/measure.sh live."""
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Web"))
import conftest  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

SECONDS = 20


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        server = conftest.RealServer(Path(folder) / "data")
        browser = play.chromium.launch(**conftest.chromium())
        try:
            page = browser.new_context(**conftest.PHONE, permissions=["camera"], service_workers="block").new_page()
            conftest.entered(page, server)
            page.goto(f"{server.address}/#/scan")
            page.get_by_role("button", name="Show spines in the viewfinder").click()
            page.wait_for_selector(".live-overlay[data-spines]", timeout=60_000)
            # Each time the outlines are drawn, `data-spines` is set.
            drawn = page.evaluate("""(seconds) => new Promise((done) => {
              const times = [];
              new MutationObserver((list) => list.forEach(() => times.push(performance.now())))
                .observe(document.querySelector(".live-overlay"), { attributeFilter: ["data-spines"] });
              setTimeout(() => done(times), seconds * 1000);
            })""", SECONDS)
            spines = page.locator(".live-overlay").get_attribute("data-spines")
        finally:
            browser.close()
            server.close()
    gaps = sorted(b - a for a, b in zip(drawn, drawn[1:]))
    print("| what | measured | wanted |\n| --- | --- | --- |")
    print(f"| live overlay with the real server and reader: outlines drawn in {SECONDS} s | {len(drawn)} times (the last time {spines} outlines where 26 spines stand) | {SECONDS} times |")
    print(f"| from one drawing to the next, median (95th percentile) | {statistics.median(gaps):.0f} ms ({gaps[int(len(gaps) * 0.95)]:.0f} ms) | at most 1,000 ms |")


main()
