"""The whole way against the real server with the real reader: shutter, library, corrected queue."""
import re
import sqlite3
import urllib.request

import pytest
import ways
from conftest import SHELF
from playwright.sync_api import expect


pytestmark = pytest.mark.limit(600)


@pytest.mark.sizes("phone")
def test_from_the_shutter_to_the_corrected_queue(house):
    house.open("/scan")
    house.get_by_role("button", name="Take the photo").click()
    house.get_by_role("button", name="Use photo").click()
    expect(house.locator(".results-panel h1")).to_contain_text("spines found", timeout=90_000)
    spines = int(house.locator(".results-panel h1").text_content().split()[0])
    assert spines >= 23  # of the 26 that the example shows
    ways.add_all_to(house)
    house.open("/library")
    expect(house.locator(".lib-head p")).to_contain_text(f"{spines} books")
    expect(house.locator(".board a")).to_have_count(spines)
    house.open("/review")
    expect(house.locator(".queue-card a").first).to_be_visible()
    waiting = house.locator(".queue-card").count()
    house.keyboard.press("j")
    house.keyboard.press("v")
    expect(house.locator(".queue-card")).to_have_count(waiting - 1)
    house.keyboard.press("u")
    expect(house.locator(".queue-card")).to_have_count(waiting)
    house.locator(".queue-card a").first.click()
    house.get_by_role("textbox", name="Title").fill("A title by hand")
    house.get_by_role("button", name="Save and next").click()
    expect(house.locator(".undo")).to_contain_text("Saved: A title by hand")
    house.open("/search")
    house.get_by_role("searchbox", name="Search the library").fill("title by hand")
    expect(house.locator(".lib-head p")).to_contain_text("1 book found")
    house.locator(".cell a").first.click()
    expect(house.locator(".work-place")).to_contain_text(re.compile("from the (left|top)"))
    assert house.troubles == []


@pytest.mark.sizes("desktop")
def test_a_server_that_dies_in_the_middle_loses_nothing(house, real):
    house.open("/scan")
    house.set_input_files("input[type=file]:not([capture])", [SHELF, SHELF])
    house.get_by_role("button", name="Read 2").click()
    expect(house.locator(".progress")).to_contain_text("Looking for spines")
    real.kill()
    house.wait_for_timeout(1500)
    real.start()
    expect(house.locator(".results-panel h1")).to_contain_text("spines found", timeout=120_000)
    ways.add_all_to(house)
    with sqlite3.connect(f"file:{next(real.folder.rglob('library.sqlite'))}?mode=ro", uri=True) as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert any("entr" in n.lower() for n in names)


@pytest.mark.sizes("phone")
def test_what_the_policy_of_the_real_server_says(house, real):
    with urllib.request.urlopen(real.address, timeout=5) as answer:
        policy = answer.headers["content-security-policy"]
    assert "unsafe-inline" not in policy and "unsafe-eval" not in policy
    violations = []
    house.on("console", lambda m: violations.append(m.text) if "Content Security Policy" in m.text else None)
    for path in ("/library", "/scan", "/review", "/settings", "/stats", "/import"):
        house.open(path)
        house.wait_for_timeout(300)
    assert violations == []
