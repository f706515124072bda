"""The library: loans, lists in and out, a book by its ISBN."""
import re
import tarfile

import pytest
import steps
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone")]

LIST = """Title,Author,ISBN,Bookshelf,Status,Who knows
Dune,Frank Herbert,9780441013593,Study,read,x
Babel,R. F. Kuang,9780063021426,Study,to-read,y
,A Person,,,,z
"""


def books(app):
    """Returns the server's library."""
    return app.server.books()


def whole_books(app):
    """Returns the library with all details; a list has only what a row shows."""
    return [app.server.call("GET", f"/library/{one['id']}") for one in books(app)]


def book(app):
    """Returns all details of the only book."""
    [one] = whole_books(app)
    return one


def enter(app, title, author, isbn=""):
    app.get_by_role("button", name="Enter manually").click()
    sheet = app.get_by_role("dialog", name="Enter manually")
    for label, text in (("Title", title), ("Author", author), ("ISBN", isbn)):
        sheet.get_by_label(label).fill(text)
    sheet.get_by_role("button", name="Add").click()


def type_book(app, title, author, isbn=""):
    enter(app, title, author, isbn)
    expect(app.locator(".undo")).to_contain_text(f"{title} is in your library")


def lend(app):
    """Lends the book of the page to Dorothea, until 31 January 2099."""
    app.get_by_role("button", name=re.compile("^Copy")).click()
    form = app.get_by_role("dialog", name="Lend")
    form.get_by_label("Lend to").fill("Dorothea")
    form.get_by_label(re.compile("^Due date")).fill("2099-01-31")
    form.get_by_role("button", name="Lend").click()
    expect(app.locator(".undo")).to_contain_text("Lent to Dorothea.")


def test_a_book_is_lent_and_comes_back(app):
    app.open("/add")
    type_book(app, "Middlemarch", "George Eliot")
    app.open("/library")
    app.get_by_role("link", name="Middlemarch, by George Eliot").click()
    lend(app)
    app.open("/library")
    app.get_by_role("button", name="Lent", exact=True).click()
    expect(app.locator(".cell a")).to_have_count(1)
    loan = book(app)["loan"]
    assert (loan["to"], loan["due"]) == ("Dorothea", "2099-01-31")
    # Not overdue, until the day has passed.
    app.get_by_role("button", name="Lent", exact=True).click()
    expect(app.locator(".chip", has_text="Overdue")).to_have_count(0)
    app.server.call("PUT", f"/library/{book(app)['id']}/loan", {"to": "Dorothea", "since": "2020-01-01", "due": "2020-02-01"})
    app.reload()
    late = app.get_by_role("button", name="Overdue 1", exact=True)
    expect(late).to_be_in_viewport(ratio=1)
    late.click()
    app.locator(".cell a").click()
    expect(app.get_by_role("button", name=re.compile("^Lent"))).to_contain_text("To Dorothea, overdue since 1 February 2020")
    app.get_by_role("button", name=re.compile("^Lent")).click()
    app.get_by_role("button", name="Mark as returned").click()
    expect(app.locator(".undo")).to_contain_text("Returned.")
    assert book(app).get("loan") is None
    expect(app.locator(".kv", has_text="Lent before")).to_contain_text("Today: back from Dorothea")
    assert app.refused == []


def leaves(value, name=""):
    """Yields the values of a message with the names of their fields, without those that say nothing."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, key)
    elif value not in (None, "", []):
        yield name, value


def test_what_the_forms_of_a_book_send_is_what_the_server_has_afterwards(app):
    sent = {}

    def note(request):
        if request.method in ("POST", "PUT", "PATCH") and re.search("/api/v1/(library|works)", request.url) and request.post_data:
            sent.update(leaves(request.post_data_json))

    app.on("request", note)
    app.open("/add")
    type_book(app, "Middlemarch", "George Eliot", "9780141439549")
    app.open("/library")
    app.locator(".cell a").click()
    app.locator(".dock").get_by_role("button", name="Edit").click()
    form = app.get_by_role("dialog", name="Edit")
    for label, text in (("Publisher", "Penguin"), ("Year", "2003"), ("Pages", "880"), ("Notes", "From Oma")):
        form.get_by_label(label).fill(text)
    form.get_by_role("button", name="Save").click()
    expect(app.locator(".work-head")).to_contain_text("Penguin, 2003")
    app.locator(".seg label", has_text="Reading").click()
    app.get_by_role("button", name=re.compile("^Rating")).click()
    app.get_by_role("dialog").get_by_role("button", name="★★★★", exact=True).click()
    app.get_by_role("button", name=re.compile("^Tags")).click()
    app.get_by_role("dialog").locator("input").fill("novel, gift")
    app.get_by_role("dialog").get_by_role("button", name="Save").click()
    lend(app)
    one = book(app)
    had = dict(leaves(app.server.call("GET", f"/works/{one['workId']}"))) | dict(leaves(one))
    del sent["duplicates"], sent["source"]  # the second is only counted
    assert {"title", "authors", "isbn", "publisher", "year", "pages", "notes", "readingStatus", "rating", "tags", "to", "since", "due"} <= set(sent)
    assert {name: had.get(name) for name in sent} == sent
    assert app.refused == []


def test_a_wish_becomes_the_owned_book_when_it_is_added(app):
    app.server.add(title="Middlemarch", authors=["George Eliot"], ownership="wishlist", tags=["from Ann"])
    app.open("/library")
    app.get_by_role("button", name="Wish list", exact=True).click()
    expect(app.locator(".cell a")).to_have_count(1)
    app.open("/add")
    type_book(app, "Middlemarch", "George Eliot")
    owned = book(app)
    assert (owned["ownership"], owned["tags"]) == ("owned", ["from Ann"])
    app.open("/library")
    expect(app.locator(".cell a")).to_have_count(0)
    steps.undone(app)
    assert book(app)["ownership"] == "wishlist"
    assert app.refused == []


def test_a_press_on_a_filter_is_not_lost_when_the_tags_arrive(app):
    app.server.add(title="Middlemarch", authors=["George Eliot"], ownership="wishlist", tags=["from Ann"])
    held = []
    app.route("**/api/v1/tags*", lambda route: held.append(route))
    app.open("/scan")
    with app.expect_request("**/api/v1/tags*"):
        app.open("/library")
    chip = app.get_by_role("button", name="Wish list", exact=True)
    chip.hover()
    app.mouse.down()
    for route in held:
        route.continue_()
    expect(app.get_by_role("button", name="from Ann", exact=True)).to_be_visible()
    app.mouse.up()
    expect(chip).to_have_attribute("aria-pressed", "true")


def test_a_list_comes_in_and_the_library_goes_out(app, server, tmp_path):
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": "books.csv", "mimeType": "text/csv", "buffer": LIST.encode()})
    expect(app.locator(".import-columns")).to_contain_text("Frank Herbert")
    app.get_by_label("Field for column Who knows").select_option("notes")
    app.get_by_role("button", name=re.compile("^Import")).click()
    expect(app.locator("h2", has_text="2 books added")).to_be_visible()
    expect(app.locator("details")).to_contain_text("could not be imported")
    app.open("/library")
    expect(app.get_by_role("link", name="Dune, by Frank Herbert")).to_be_visible()
    assert {b["title"]: b["notes"] for b in whole_books(app)} == {"Dune": "x", "Babel": "y"}
    formats = {
        "CSV": "Frank Herbert", "Goodreads": "Babel", "JSON": "9780441013593", "BibTeX": "@book", "RIS": "AU  - Herbert, Frank",
        "CSL-JSON": '"family":"Kuang"', "MARCXML": "http://www.loc.gov/MARC21/slim"}
    for format, words in formats.items():
        app.open("/import")
        with app.expect_download() as download:
            app.get_by_role("link", name=format, exact=True).click()
        assert words in download.value.path().read_text()
    # One of the two books.
    app.open("/library")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Select books").click()
    app.locator(".cell", has_text="Dune").get_by_role("button").click()
    app.get_by_role("button", name="Export selected books").click()
    with app.expect_download() as download:
        app.get_by_role("dialog").get_by_role("button", name="RIS").click()
    references = download.value.path().read_text()
    assert "TI  - Dune" in references and "Babel" not in references
    app.open("/settings/library")
    with app.expect_download() as download:
        app.get_by_role("link", name=re.compile("^Download a backup")).click()
    with tarfile.open(download.value.path()) as tar:
        assert any(name.endswith("library.sqlite") for name in tar.getnames())
    assert app.refused == []


@pytest.mark.touched
def test_a_search_says_what_is_in_the_library_already(app, server):
    server.give_catalog([("Dune", "Frank Herbert", "9780441013593"), ("Dune Messiah", "Frank Herbert", "9780593098233")])
    server.add(title="Dune", authors=["Frank Herbert"])
    app.open("/add")
    app.get_by_role("searchbox", name="ISBN, title or author").fill("Dune Herbert")
    rows = app.locator(".add-list .could-row")
    expect(rows).to_have_count(2)
    expect(rows.filter(has=app.get_by_role("button", name="Add Dune", exact=True))).to_contain_text("You have it")
    expect(rows.filter(has=app.get_by_role("button", name="Add Dune Messiah"))).not_to_contain_text("You have it")


def test_a_book_by_its_isbn(app, server):
    server.give_catalog([("Dune", "Frank Herbert", "9780441013593")])
    app.open("/add")
    app.get_by_role("searchbox", name="ISBN, title or author").fill("978-0-441-01359-3")
    app.get_by_role("button", name="Add Dune").click()
    expect(app.locator(".undo")).to_contain_text("Dune is in your library")
    assert [(b["title"], b["isbn"]) for b in books(app)] == [("Dune", "9780441013593")]
    assert app.refused == []


@pytest.mark.touched
def test_a_field_that_the_server_would_drop_is_noticed(app):
    app.open("/library")
    for body in ({"name": "Hall"}, {"name": "Study", "room": {"floor": 1}}):
        app.evaluate("(body) => fetch('/api/v1/shelves', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })", body)
    assert app.unknown == ["POST /shelves .room"]
    app.unknown.clear()
