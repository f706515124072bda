"""From the shutter to the library to the review queue, with the real server and reader."""
import re
import sqlite3
import urllib.request

import pytest
import steps
from conftest import SHELF
from playwright.sync_api import expect


pytestmark = pytest.mark.limit(600)


@pytest.mark.sizes("phone")
def test_from_the_shutter_to_the_corrected_queue(real_app):
    real_app.open("/scan")
    real_app.get_by_role("button", name="Take the photo").click()
    steps.use_photo(real_app)
    expect(real_app.locator(".results-panel h1")).to_contain_text("spines found", timeout=90_000)
    spines = int(real_app.locator(".results-panel h1").text_content().split()[0])
    assert spines >= 23  # of the 26 that the example shows
    steps.add_all_to(real_app)
    real_app.open("/library")
    expect(real_app.locator(".lib-head p")).to_contain_text(f"{spines} books")
    expect(real_app.locator(".board a")).to_have_count(spines)
    real_app.open("/review")
    expect(real_app.locator(".queue-card[data-item]")).to_be_visible()
    waiting = int(real_app.locator("sl-review").get_attribute("data-left"))
    real_app.keyboard.press("j")
    real_app.keyboard.press("v")
    steps.left(real_app, waiting - 1)
    real_app.keyboard.press("u")
    steps.left(real_app, waiting)
    real_app.locator(".thumb-dock [data-key=edit]").click()
    real_app.get_by_role("textbox", name="Title").fill("A title by hand")
    real_app.get_by_role("button", name="Save and next").click()
    expect(real_app.locator(".undo")).to_contain_text("Saved: A title by hand")
    real_app.open("/search")
    real_app.get_by_role("searchbox", name="Search the library").fill("title by hand")
    expect(real_app.locator(".lib-head p")).to_contain_text("1 book found")
    real_app.locator(".cell a").first.click()
    expect(real_app.locator(".work-place")).to_contain_text(re.compile("from the (left|top)"))
    assert real_app.errors == []


@pytest.mark.sizes("desktop")
def test_a_server_that_dies_in_the_middle_loses_nothing(real_app, real):
    real_app.open("/scan")
    real_app.set_input_files("input[type=file]:not([capture])", [SHELF, SHELF])
    real_app.get_by_role("button", name="Read 2").click()
    expect(real_app.locator(".progress")).to_contain_text("Looking for spines")
    real.kill()
    expect(real_app.locator(".progress")).to_contain_text("Connection lost", timeout=30_000)
    real.start()
    expect(real_app.locator(".results-panel h1")).to_contain_text("spines found", timeout=120_000)
    steps.add_all_to(real_app)
    with sqlite3.connect(f"file:{next(real.folder.rglob('library.sqlite'))}?mode=ro", uri=True) as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert any("entr" in n.lower() for n in names)


@pytest.mark.sizes("phone")
def test_what_the_policy_of_the_real_server_says(real_app, real):
    with urllib.request.urlopen(real.address, timeout=5) as answer:
        policy = answer.headers["content-security-policy"]
    assert "unsafe-inline" not in policy and "unsafe-eval" not in policy
    violations = []
    real_app.on("console", lambda m: violations.append(m.text) if "Content Security Policy" in m.text else None)
    for path in ("/library", "/scan", "/review", "/settings", "/stats", "/import"):
        real_app.open(path)
        real_app.wait_for_load_state("networkidle")
    assert violations == []
