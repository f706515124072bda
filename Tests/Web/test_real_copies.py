"""The details of a copy: folded for those without them, changed with Undo, found by the barcode, and the worth of shelves."""
import pytest
import steps
from test_real_inbox import import_list
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone")]


def open_book(app, title):
    book = app.server.call("GET", f"/library?q={title}")["items"][0]
    app.open(f"/library/{book['id']}")
    expect(app.locator("sl-work h1")).to_have_text(title)
    return book


@pytest.mark.sizes("phone", "desktop")
def test_a_copy_gets_barcode_condition_and_price(app):
    shelf = app.server.call("POST", "/shelves", {"name": "Hall"})
    app.server.add(title="Dune", authors=["Frank Herbert"], shelf=shelf["id"])
    book = open_book(app, "Dune")
    details = app.locator("sl-work details.copy")
    expect(details).not_to_have_attribute("open", "")
    details.locator("summary").click()
    details.get_by_role("button", name="Edit this copy").click()
    form = app.get_by_role("dialog", name="This copy")
    form.get_by_label("Barcode").fill("4711")
    form.get_by_label("Condition").select_option("worn")
    form.get_by_label("Price").fill("12,5")
    form.get_by_label("Acquired on").fill("last year")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("Enter a date such as 2026-11-21.")
    form.get_by_label("Acquired on").fill("2025-03")
    form.get_by_role("button", name="Save").click()
    expect(details).to_contain_text("€12.50")
    expect(details).to_contain_text("Worn")
    stored = lambda: app.server.call("GET", f"/library/{book['id']}")  # noqa: E731
    steps.until(app, lambda: stored().get("barcode") == "4711")  # shown before the server has answered
    assert stored()["price"] == {"amount": 1250, "currency": "EUR"}
    app.open("/stats")
    worth = app.get_by_role("region", name="Value")
    expect(worth).to_contain_text("Hall")
    expect(worth).to_contain_text("€12.50")
    app.open("/library?q=4711")
    expect(app.get_by_role("link", name="Dune, by Frank Herbert")).to_be_visible()
    assert app.refused == []


@pytest.mark.touched
def test_a_change_of_a_copy_is_undone_and_a_taken_barcode_is_refused(app):
    app.server.add(title="Dune", details={"barcode": "4711"})
    app.server.add(title="Emma")
    open_book(app, "Emma")
    details = app.locator("sl-work details.copy")
    details.locator("summary").click()
    details.get_by_role("button", name="Edit this copy").click()
    form = app.get_by_role("dialog", name="This copy")
    form.get_by_label("Barcode").fill("4711")
    form.get_by_role("button", name="Save").click()
    expect(app.locator(".undo")).to_contain_text("is the barcode of “Dune”")
    details.get_by_role("button", name="Edit this copy").click()
    form.get_by_label("Barcode").fill("4712")
    form.get_by_role("button", name="Save").click()
    expect(details).to_contain_text("4712")
    steps.undone(app)
    expect(details).not_to_contain_text("4712")


@pytest.mark.touched
def test_copies_of_one_book_are_listed_together(app):
    shelf = app.server.call("POST", "/shelves", {"name": "Hall"})
    app.server.add(title="Dune", authors=["Frank Herbert"], shelf=shelf["id"], details={"barcode": "1001"})
    csv = "title,author,barcode\nDune,Frank Herbert,1002\n"
    import_list(app, csv)
    open_book(app, "Dune")
    details = app.locator("sl-work details.copy")
    expect(details.get_by_text("2 copies")).to_be_visible()
    expect(details.get_by_role("link")).to_have_count(2)
    expect(details).to_contain_text("1001")
    expect(details).to_contain_text("1002")
