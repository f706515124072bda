"""The whole way with the stand-in server: from the shutter to the library to the corrected queue."""
import re

import pytest
from conftest import SHELF
from playwright.sync_api import expect


def shoot(app):
    app.open("/scan")
    app.get_by_role("button", name="Take the photo").wait_for()
    app.get_by_role("button", name="Take the photo").click()
    app.get_by_role("button", name="Use photo").click()
    expect(app.locator(".results-panel h1")).to_contain_text("spines found", timeout=20_000)


def test_from_the_shutter_to_the_library(app):
    shoot(app)
    expect(app.locator("sl-stage .mark")).to_have_count(26)
    app.get_by_role("button", name=re.compile("^Add 20 ready books")).click()
    app.locator("dialog").get_by_role("button", name="Add 20 books").click()
    expect(app.locator(".undo")).to_contain_text("20 books are in your library")
    app.open("/library")
    expect(app.locator(".cell")).not_to_have_count(0)
    expect(app.get_by_role("link", name="Moby-Dick, by Herman Melville")).to_be_visible()


def test_undo_takes_the_books_out_again(app, server):
    shoot(app)
    app.get_by_role("button", name=re.compile("^Add 20 ready books")).click()
    app.locator("dialog").get_by_role("button", name="Add 20 books").click()
    expect(app.locator(".undo")).to_contain_text("20 books")
    assert len(server.world.entries) == 20
    app.get_by_role("button", name="Undo").click()
    expect(app.get_by_role("button", name=re.compile("^Add 20 ready books"))).to_be_visible()
    assert len(server.world.entries) == 0


def test_a_tap_on_the_photo_chooses_the_spine(app):
    shoot(app)
    app.wait_for_selector("sl-stage.ready")
    place = app.evaluate("""() => {
      const stage = document.querySelector("sl-stage");
      const book = stage.books.find((b) => b.title === "Dracula");
      const [x, y] = stage.placeOf(book.id), box = stage.getBoundingClientRect();
      return [x + box.left, y + box.top];
    }""")
    app.mouse.click(*place)
    expect(app.locator(".spine-row")).to_have_attribute("aria-valuetext", re.compile("Dracula"))
    expect(app.locator(".mark.chosen")).to_have_count(1)


def test_files_are_taken_as_well(app):
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [SHELF, SHELF])
    app.get_by_role("button", name="Read 2").click()
    expect(app.locator(".results-panel h1")).to_have_text("52 spines found", timeout=20_000)


@pytest.mark.books(148)
def test_search_answers_as_one_types(app, size):
    app.open("/search")
    app.get_by_role("searchbox", name="Search the library").fill("mantel house")
    expect(app.locator(".lib-head p")).to_have_text(re.compile(r"^\d+ books? found"))
    for label in app.locator(".cell-main").evaluate_all("list => list.map((a) => a.ariaLabel)"):
        assert "Mantel" in label and "House" in label
