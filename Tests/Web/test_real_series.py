"""Series: their gaps, the wish list, and the fields of a book."""
import re

import pytest
from playwright.sync_api import expect
from test_sheets import form as edit

pytestmark = [pytest.mark.sizes("phone")]


def add(app, title, series):
    app.server.call("POST", "/library", {"title": title, "authors": ["Ann Guin"], "correction": {"series": series}})


def test_gaps_of_a_series_go_to_the_wish_list_and_back(app):
    add(app, "A Wizard", "Earthsea, #1")
    add(app, "The Shore", "Earthsea, #4")
    add(app, "Faust", "Reclam ; 45")
    app.open("/library")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Series").click()
    expect(app.locator(".rows li")).to_have_count(2)
    app.get_by_role("radio", name="With gaps").check()
    expect(app.locator(".rows li")).to_have_count(1)
    app.get_by_role("link", name=re.compile("Earthsea.*2 missing", re.S)).click()
    expect(app.locator(".volumes li")).to_have_count(4)
    app.get_by_role("button", name="Volume 2 is missing. Put it on the wish list.").click()
    expect(app.locator(".undo")).to_contain_text("1 volume is on the wish list.")
    expect(app.locator(".volumes li").nth(1)).to_contain_text("On the wish list")
    app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(app.locator(".volumes li").nth(1)).to_contain_text("Wish list")
    expect(app.get_by_role("button", name="Volume 2 is missing. Put it on the wish list.")).to_be_visible()

    app.get_by_role("button", name="Edit series").click()
    form = app.get_by_role("dialog", name="Edit series")
    form.get_by_label("Name", exact=True).fill("Erdsee")
    form.get_by_label("Number of volumes").fill("5")
    form.get_by_role("button", name="Save").click()
    expect(app.locator(".volumes li")).to_have_count(5)
    app.get_by_role("button", name="All missing volumes to the wish list").click()
    expect(app.locator(".undo")).to_contain_text("3 volumes are on the wish list.")
    expect(app.locator(".volumes .gap")).to_have_count(0)
    # The wish ends when the volume comes, whatever its title is.
    add(app, "The Tombs", "Erdsee ; 2")
    app.reload()
    expect(app.locator(".volumes li").nth(1)).to_contain_text("The Tombs")
    assert app.refused == []


@pytest.mark.touched
def test_a_book_gets_a_series_and_a_number_on_its_page(app):
    add(app, "A Wizard", "Earthsea, #1")
    app.open("/library")
    app.get_by_role("link", name="A Wizard, by Ann Guin").click()
    expect(app.get_by_role("link", name="Earthsea, volume 1")).to_be_visible()
    form = edit(app)
    form.get_by_label("Volume").fill("two")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("Enter a number such as 3, 2.5 or 1-3")
    form.get_by_label("Volume").fill("2.5")
    form.get_by_role("button", name="Save").click()
    app.get_by_role("link", name="Earthsea, volume 2.5").click()
    expect(app.locator(".volumes li")).to_contain_text(["A Wizard"])
    assert app.server.books()[0]["seriesNumber"] == "2.5"
    assert app.refused == []


@pytest.mark.touched
def test_the_books_of_a_series_are_shown_in_the_library_until_the_filter_is_removed(app):
    add(app, "A Wizard", "The Earthsea, #1")
    add(app, "Tales", "Earthsea")
    add(app, "Faust", "Reclam ; 45")
    app.open("/series")
    app.get_by_role("link", name=re.compile("Earthsea")).click()
    app.get_by_role("link", name="Show in the library").click()
    expect(app.locator(".cell a")).to_have_count(2)
    app.get_by_role("button", name="The Earthsea", exact=True).click()
    expect(app.locator(".cell a")).to_have_count(3)
    expect(app.get_by_role("button", name="The Earthsea", exact=True)).to_have_count(0)
    assert app.refused == []
