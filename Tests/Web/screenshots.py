#!/usr/bin/env python3
"""Takes a picture of every screen, on the phone and on the desktop, into a folder (default .build/screenshots)."""
import sys
from pathlib import Path

import conftest
import standin
import ways
from playwright.sync_api import sync_playwright

THEME = {"phone": "paper", "desktop": "lamplight"}
FULL = {"settings", "statistics"}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else conftest.ROOT / ".build/screenshots")
    wanted = sys.argv[2:] or list(ways.SCREENS)
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=[
            "--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={conftest.camera_file()}"])
        for size, options in conftest.SIZES.items():
            for name in wanted:
                server = standin.serve(0, 148)
                page = browser.new_context(**options, device_scale_factor=2, locale="en-GB", permissions=["camera"]).new_page()
                page.set_default_timeout(20_000)
                page.open = lambda path, page=page, server=server: page.goto(f"http://127.0.0.1:{server.server_address[1]}/#{path}")
                ways.look(page, THEME[size])
                ways.SCREENS[name](page)
                page.wait_for_timeout(900)
                page.screenshot(path=folder / f"{size}-{name}.png", full_page=name in FULL)
                print(folder / f"{size}-{name}.png", flush=True)
                page.context.close()
                server.shutdown()
        browser.close()


main()
