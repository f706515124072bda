"""Several books at once, with the way back; and what a threshold would have meant."""
import pytest
from playwright.sync_api import expect


def choose(app, n):
    app.open("/library")
    app.wait_for_selector(".cell a")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Choose several").click()
    for i in range(n):
        app.locator(".cell button").nth(i).click()
    expect(app.locator(".bulk")).to_contain_text(f"{n} chosen")


@pytest.mark.books(12)
def test_several_books_are_changed_at_once_and_back(app, server):
    before = {i: e["readingStatus"] for i, e in server.world.entries.items()}
    choose(app, 3)
    app.get_by_role("button", name="Set the status").click()
    app.locator("dialog").get_by_role("button", name="Reading", exact=True).click()
    expect(app.locator(".undo")).to_contain_text("3 books changed.")
    expect(app.locator(".bulk")).to_be_hidden()
    app.get_by_role("button", name="Undo").click()
    expect(app.locator(".undo")).to_have_count(0)
    assert {i: e["readingStatus"] for i, e in server.world.entries.items()} == before


@pytest.mark.books(12)
def test_several_books_are_deleted_and_come_back(app, server):
    choose(app, 2)
    app.locator(".bulk").get_by_role("button", name="Delete").click()
    expect(app.locator(".undo")).to_contain_text("2 books deleted.")
    expect(app.locator(".lib-head p")).to_contain_text("10 books")
    app.get_by_role("button", name="Undo").click()
    expect(app.locator(".lib-head p")).to_contain_text("12 books")
    assert len(server.world.entries) == 12


@pytest.mark.sizes("phone")
@pytest.mark.books(12)
def test_several_books_go_to_a_shelf(app, server):
    choose(app, 2)
    app.get_by_role("button", name="Put on a shelf").click()
    app.locator("dialog").get_by_role("button", name="Bedroom").click()
    expect(app.locator(".undo")).to_contain_text("2 books moved to Bedroom.")


@pytest.mark.sizes("phone")
def test_the_threshold_says_what_it_would_have_meant(app):
    app.open("/settings")
    slider = app.get_by_role("slider", name="Ask me below")
    slider.fill("0.8")
    expect(slider).to_have_attribute("aria-valuetext", "80%")
    expect(app.locator("main")).to_contain_text("On your last 210 reviews")
