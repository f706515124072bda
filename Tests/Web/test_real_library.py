"""The library against the real server: second copies, inventory, loans, lists in and out, a book by its ISBN."""
import re
import subprocess
import tarfile

import pytest
import standin
import steps
from playwright.sync_api import expect

pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone")]

LIST = """Title,Author,ISBN,Bookshelf,Status,Who knows
Dune,Frank Herbert,9780441013593,Study,read,x
Babel,R. F. Kuang,9780063021426,Study,to-read,y
,A Person,,,,z
"""


@pytest.fixture
def another_photo(tmp_path):
    """Returns another photo of the same shelf: the same photo would be recognised."""
    file = tmp_path / "again.jpg"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-i", steps.SHELF, "-vf", "crop=iw*0.985:ih*0.985,eq=brightness=0.02", "-q:v", "3", file],
                   check=True, timeout=60)
    return file


def books(real_app):
    """Returns the server's library."""
    return real_app.evaluate("fetch('/api/v1/library?limit=500').then((r) => r.json()).then((p) => p.items)")


def whole_books(real_app):
    """Returns the library with all details; a list has only what a row shows."""
    whole = "(id) => fetch('/api/v1/library/' + id).then((r) => r.json())"
    return [real_app.evaluate(whole, one["id"]) for one in books(real_app)]


def book(real_app):
    """Returns all details of the only book."""
    [one] = whole_books(real_app)
    return one


def type_book(real_app, title, author):
    real_app.get_by_role("button", name="Enter manually").click()
    sheet = real_app.get_by_role("dialog", name="Enter manually")
    sheet.get_by_label("Title").fill(title)
    sheet.get_by_label("Author").fill(author)
    sheet.get_by_role("button", name="Add").click()
    expect(real_app.locator(".undo")).to_contain_text(f"{title} is in your library")


def test_second_copies_are_asked_about_once(real_app, real, another_photo):
    # Only of books that were read surely; those that wait for review are asked about there.
    real.give_catalog([(b["title"], b["author"], b["isbn"]) for b in standin.TRUTH["books"]])
    steps.read_shelf(real_app)
    steps.add_ready(real_app)
    before = len(books(real_app))
    assert before >= 10
    steps.read_shelf(real_app, another_photo)
    real_app.get_by_role("button", name=re.compile("^Add .* ready")).click()
    real_app.locator("dialog .btn.main").click()
    sheet = real_app.get_by_role("dialog", name="Second cop")
    expect(sheet).to_be_visible(timeout=30_000)
    assert sheet.get_by_role("checkbox").count() >= 8
    new = len(books(real_app))
    sheet.get_by_role("checkbox").first.check()
    with real_app.expect_response(re.compile("/duplicates/decide$")):
        sheet.get_by_role("button", name="Done").click()
    real_app.wait_for_load_state("networkidle")
    assert len(books(real_app)) == new + 1
    assert real_app.errors == []


def test_the_inventory_says_what_is_missing(real_app, another_photo):
    real_app.open("/shelves")
    real_app.get_by_role("button", name="New shelf").first.click()
    real_app.get_by_role("dialog").get_by_label("Name").fill("Hall")
    real_app.get_by_role("dialog").get_by_role("button", name="Create shelf").click()
    real_app.locator(".shelf-row", has_text="Hall").click()
    real_app.get_by_role("link", name="Scan this shelf").click()
    real_app.locator(".scan-shelf", has_text="Hall").wait_for()
    steps.read_shelf(real_app)
    steps.add_all_to(real_app)
    real_app.open("/add")
    real_app.get_by_label("Shelf", exact=True).select_option(label="Hall")
    type_book(real_app, "A book behind the others", "A Person")
    steps.read_shelf(real_app, another_photo)
    steps.add_all_to(real_app)  # where a copy is known to stand, it is that copy: nothing is asked
    real_app.open("/shelves")
    real_app.locator(".shelf-row", has_text="Hall").click()
    real_app.get_by_role("button", name="Check for missing books").click()
    sheet = real_app.get_by_role("dialog")
    missing = sheet.locator("section", has=real_app.get_by_role("heading", name="Missing"))
    expect(missing).to_contain_text("A book behind the others", timeout=30_000)
    present = sheet.locator("details", has_text="In place")
    assert present.locator("li").count() >= 15
    assert real_app.errors == []


def test_a_book_is_lent_and_comes_back(real_app):
    real_app.open("/add")
    type_book(real_app, "Middlemarch", "George Eliot")
    real_app.open("/library")
    real_app.get_by_role("link", name="Middlemarch, by George Eliot").click()
    real_app.get_by_role("button", name=re.compile("^Copy")).click()
    sheet = real_app.get_by_role("dialog", name="Lend")
    sheet.get_by_label("Lend to").fill("Dorothea")
    sheet.get_by_label(re.compile("^Due date")).fill("2027-01-31")
    sheet.get_by_role("button", name="Lend").click()
    expect(real_app.locator(".undo")).to_contain_text("Lent to Dorothea.")
    real_app.open("/library")
    real_app.get_by_role("button", name="Lent", exact=True).click()
    expect(real_app.locator(".cell a")).to_have_count(1)
    assert book(real_app)["loan"]["to"] == "Dorothea"
    real_app.locator(".cell a").click()
    real_app.get_by_role("button", name=re.compile("^Lent")).click()
    real_app.get_by_role("button", name="Mark as returned").click()
    expect(real_app.locator(".undo")).to_contain_text("Returned.")
    assert book(real_app).get("loan") is None
    assert real_app.errors == []


def test_a_list_comes_in_and_the_library_goes_out(real_app, real, tmp_path):
    real_app.open("/import")
    real_app.set_input_files("input[type=file]", {"name": "books.csv", "mimeType": "text/csv", "buffer": LIST.encode()})
    expect(real_app.locator(".import-columns")).to_contain_text("Frank Herbert")
    real_app.get_by_label("Field for column Who knows").select_option("notes")
    real_app.get_by_role("button", name=re.compile("^Import")).click()
    expect(real_app.locator("h2", has_text="2 books added")).to_be_visible(timeout=60_000)
    expect(real_app.locator("details")).to_contain_text("could not be imported")
    real_app.open("/library")
    expect(real_app.get_by_role("link", name="Dune, by Frank Herbert")).to_be_visible()
    assert {b["title"]: b["notes"] for b in whole_books(real_app)} == {"Dune": "x", "Babel": "y"}
    for format, words in (("CSV", "Frank Herbert"), ("Goodreads", "Babel"), ("JSON", "9780441013593"), ("BibTeX", "@book")):
        real_app.open("/import")
        with real_app.expect_download() as download:
            real_app.get_by_role("link", name=format, exact=True).click()
        assert words in download.value.path().read_text()
    real_app.open("/settings")
    with real_app.expect_download() as download:
        real_app.get_by_role("link", name=re.compile("^Download a backup")).click()
    with tarfile.open(download.value.path()) as tar:
        assert any(name.endswith("library.sqlite") for name in tar.getnames())
    assert real_app.errors == []


def test_a_book_by_its_isbn(real_app, real):
    real.give_catalog([("Dune", "Frank Herbert", "9780441013593")])
    real_app.open("/add")
    real_app.get_by_role("searchbox", name="ISBN, title or author").fill("978-0-441-01359-3")
    real_app.get_by_role("button", name="Add Dune").click(timeout=30_000)
    expect(real_app.locator(".undo")).to_contain_text("Dune is in your library")
    assert [(b["title"], b["isbn"]) for b in books(real_app)] == [("Dune", "9780441013593")]
    assert real_app.errors == []
