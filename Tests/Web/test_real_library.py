"""The library: loans, lists in and out, a book by its ISBN."""
import re
import tarfile

import pytest
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


def type_book(app, title, author):
    app.get_by_role("button", name="Enter manually").click()
    sheet = app.get_by_role("dialog", name="Enter manually")
    sheet.get_by_label("Title").fill(title)
    sheet.get_by_label("Author").fill(author)
    sheet.get_by_role("button", name="Add").click()
    expect(app.locator(".undo")).to_contain_text(f"{title} is in your library")


def test_a_book_is_lent_and_comes_back(app):
    app.open("/add")
    type_book(app, "Middlemarch", "George Eliot")
    app.open("/library")
    app.get_by_role("link", name="Middlemarch, by George Eliot").click()
    app.get_by_role("button", name=re.compile("^Copy")).click()
    sheet = app.get_by_role("dialog", name="Lend")
    sheet.get_by_label("Lend to").fill("Dorothea")
    sheet.get_by_label(re.compile("^Due date")).fill("2027-01-31")
    sheet.get_by_role("button", name="Lend").click()
    expect(app.locator(".undo")).to_contain_text("Lent to Dorothea.")
    app.open("/library")
    app.get_by_role("button", name="Lent", exact=True).click()
    expect(app.locator(".cell a")).to_have_count(1)
    assert book(app)["loan"]["to"] == "Dorothea"
    app.locator(".cell a").click()
    app.get_by_role("button", name=re.compile("^Lent")).click()
    app.get_by_role("button", name="Mark as returned").click()
    expect(app.locator(".undo")).to_contain_text("Returned.")
    assert book(app).get("loan") is None
    assert app.refused == []


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
    for format, words in (("CSV", "Frank Herbert"), ("Goodreads", "Babel"), ("JSON", "9780441013593"), ("BibTeX", "@book")):
        app.open("/import")
        with app.expect_download() as download:
            app.get_by_role("link", name=format, exact=True).click()
        assert words in download.value.path().read_text()
    app.open("/settings")
    with app.expect_download() as download:
        app.get_by_role("link", name=re.compile("^Download a backup")).click()
    with tarfile.open(download.value.path()) as tar:
        assert any(name.endswith("library.sqlite") for name in tar.getnames())
    assert app.refused == []


def test_a_book_by_its_isbn(app, server):
    server.give_catalog([("Dune", "Frank Herbert", "9780441013593")])
    app.open("/add")
    app.get_by_role("searchbox", name="ISBN, title or author").fill("978-0-441-01359-3")
    app.get_by_role("button", name="Add Dune").click()
    expect(app.locator(".undo")).to_contain_text("Dune is in your library")
    assert [(b["title"], b["isbn"]) for b in books(app)] == [("Dune", "9780441013593")]
    assert app.refused == []
