"""From the shutter to the library to the review queue."""
import re
import urllib.request

import pytest
import steps
from conftest import SHELF
from playwright.sync_api import expect




@pytest.mark.worker
@pytest.mark.reads
@pytest.mark.sizes("phone")
def test_from_the_shutter_to_the_corrected_queue(app):
    app.open("/scan")
    app.get_by_role("button", name="Take the photo").click()
    steps.use_photo(app)
    expect(app.locator(".results-panel h1")).to_contain_text("spines found")
    spines = int(app.locator(".results-panel h1").text_content().split()[0])
    assert spines >= 23  # of the 26 that the example shows
    steps.add_all_to(app)
    app.open("/library")
    expect(app.locator(".lib-head p")).to_contain_text(f"{spines} books")
    expect(app.locator(".board a")).to_have_count(spines)
    app.open("/review")
    expect(app.locator(".queue-card[data-item]")).to_be_visible()
    waiting = int(app.locator("sl-review").get_attribute("data-left"))
    app.keyboard.press("j")
    app.keyboard.press("v")
    steps.left(app, waiting - 1)
    app.keyboard.press("u")
    steps.left(app, waiting)
    app.locator(".thumb-dock [data-key=edit]").click()
    app.get_by_role("textbox", name="Title").fill("A title by hand")
    app.get_by_role("button", name="Save and next").click()
    expect(app.locator(".undo")).to_contain_text("Saved: A title by hand")
    app.open("/search")
    app.get_by_role("searchbox", name="Search the library").fill("title by hand")
    expect(app.locator(".lib-head p")).to_contain_text("1 book found")
    app.locator(".cell a").first.click()
    expect(app.locator(".work-place")).to_contain_text(re.compile("from the (left|top)"))
    assert app.refused == []


@pytest.mark.scripted
@pytest.mark.sizes("desktop")
def test_a_server_that_dies_in_the_middle_loses_nothing(app, server):
    server.hold("outlines")
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [SHELF, SHELF])
    app.get_by_role("button", name="Read 2").click()
    server.wait_until_held()
    expect(app.locator(".progress")).to_contain_text("Looking for spines")
    server.kill()
    expect(app.locator(".count-line")).to_contain_text("Connection lost. Your photo is safe.")
    server.start()
    expect(app.locator(".count-line")).not_to_contain_text("Connection lost")
    expect(app.locator(".results-panel h1")).to_contain_text("spines found")
    steps.add_all_to(app)
    spines = int(app.locator(".results-panel h1").text_content().split()[0])
    assert len(server.books()) == spines >= 23


@pytest.mark.touched
@pytest.mark.worker
@pytest.mark.sizes("phone")
def test_what_the_policy_of_the_real_server_says(app, server):
    with urllib.request.urlopen(server.address) as answer:
        policy = answer.headers["content-security-policy"]
    assert "'unsafe-inline'" not in policy and "'unsafe-eval'" not in policy
    violations = []
    app.on("console", lambda m: violations.append(m.text) if "Content Security Policy" in m.text else None)
    for path in ("/library", "/scan", "/review", "/settings", "/stats", "/import"):
        app.open(path)
        app.wait_for_load_state("networkidle")
    assert violations == []
