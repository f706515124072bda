"""The library against the real server: second copies, inventory, loans, lists in and out, a book by its ISBN."""
import re
import subprocess
import tarfile

import pytest
import standin
import ways
from playwright.sync_api import expect

pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone")]

LIST = """Title,Author,ISBN,Bookshelf,Status,Who knows
Dune,Frank Herbert,9780441013593,Study,read,x
Babel,R. F. Kuang,9780063021426,Study,to-read,y
,Nobody,,,,z
"""


@pytest.fixture
def another_photo(tmp_path):
    """The same shelf, photographed once more: the very same photo would be known again."""
    file = tmp_path / "again.jpg"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-i", ways.SHELF, "-vf", "crop=iw*0.985:ih*0.985,eq=brightness=0.02", "-q:v", "3", file],
                   check=True, timeout=60)
    return file


def books(house):
    """What the server says is in the library."""
    return house.evaluate("fetch('/api/v1/library?limit=500').then((r) => r.json()).then((p) => p.items)")


def whole_books(house):
    """The same with all that the server knows of each book; a list has only what a row shows."""
    whole = "(id) => fetch('/api/v1/library/' + id).then((r) => r.json())"
    return [house.evaluate(whole, one["id"]) for one in books(house)]


def book(house):
    """All that the server knows of the only book."""
    [one] = whole_books(house)
    return one


def type_book(house, title, author):
    house.get_by_role("button", name="Type it in").click()
    sheet = house.get_by_role("dialog", name="Type it in")
    sheet.get_by_label("Title").fill(title)
    sheet.get_by_label("Author").fill(author)
    sheet.get_by_role("button", name="Add").click()
    expect(house.locator(".undo")).to_contain_text(f"{title} is in your library")


def test_second_copies_are_asked_about_once(house, real, another_photo):
    # Only of books that were read surely; those that wait for review are asked about there.
    real.give_catalog([(b["title"], b["author"], b["isbn"]) for b in standin.TRUTH["books"]])
    ways.read_shelf(house)
    ways.add_ready(house)
    before = len(books(house))
    assert before >= 10
    ways.read_shelf(house, another_photo)
    house.get_by_role("button", name=re.compile("^Add .* ready")).click()
    house.locator("dialog .btn.main").click()
    sheet = house.get_by_role("dialog", name="Second cop")
    expect(sheet).to_be_visible(timeout=30_000)
    assert sheet.get_by_role("checkbox").count() >= 8
    new = len(books(house))
    sheet.get_by_role("checkbox").first.check()
    with house.expect_response(re.compile("/duplicates/decide$")):
        sheet.get_by_role("button", name="Done").click()
    house.wait_for_load_state("networkidle")
    assert len(books(house)) == new + 1
    assert house.troubles == []


def test_the_inventory_says_what_is_missing(house, another_photo):
    house.open("/shelves")
    house.get_by_role("button", name="New shelf").first.click()
    house.get_by_role("dialog").get_by_label("Name").fill("Hall")
    house.get_by_role("dialog").get_by_role("button", name="Make the shelf").click()
    house.locator(".shelf-row", has_text="Hall").click()
    house.get_by_role("link", name="Photograph this shelf").click()
    house.locator(".scan-shelf", has_text="Hall").wait_for()
    ways.read_shelf(house)
    ways.add_all_to(house)
    house.open("/add")
    house.get_by_label("Shelf", exact=True).select_option(label="Hall")
    type_book(house, "A book behind the others", "Nobody")
    ways.read_shelf(house, another_photo)
    ways.add_all_to(house)  # where a copy is known to stand, it is that copy: nothing is asked
    house.open("/shelves")
    house.locator(".shelf-row", has_text="Hall").click()
    house.get_by_role("button", name="What is missing?").click()
    sheet = house.get_by_role("dialog")
    missing = sheet.locator("section", has=house.get_by_role("heading", name="Not seen"))
    expect(missing).to_contain_text("A book behind the others", timeout=30_000)
    present = sheet.locator("section", has=house.get_by_role("heading", name="In their place"))
    assert present.locator("li").count() >= 15
    assert house.troubles == []


def test_a_book_is_lent_and_comes_back(house):
    house.open("/add")
    type_book(house, "Middlemarch", "George Eliot")
    house.open("/library")
    house.get_by_role("link", name="Middlemarch, by George Eliot").click()
    house.get_by_role("button", name=re.compile("^Copy")).click()
    sheet = house.get_by_role("dialog", name="Lend it")
    sheet.get_by_label("To whom?").fill("Dorothea")
    sheet.get_by_label(re.compile("^Back by")).fill("2027-01-31")
    sheet.get_by_role("button", name="Lend it").click()
    expect(house.locator(".undo")).to_contain_text("Lent to Dorothea.")
    house.open("/library")
    house.get_by_role("button", name="Lent", exact=True).click()
    expect(house.locator(".cell a")).to_have_count(1)
    assert book(house)["loan"]["to"] == "Dorothea"
    house.locator(".cell a").click()
    house.get_by_role("button", name=re.compile("^Lent")).click()
    house.get_by_role("button", name="It came back").click()
    expect(house.locator(".undo")).to_contain_text("It is back.")
    assert book(house).get("loan") is None
    assert house.troubles == []


def test_a_list_comes_in_and_the_library_goes_out(house, real, tmp_path):
    house.open("/import")
    house.set_input_files("input[type=file]", {"name": "books.csv", "mimeType": "text/csv", "buffer": LIST.encode()})
    expect(house.locator(".preview-table")).to_contain_text("Frank Herbert")
    house.get_by_label("What is in the column Who knows?").select_option("notes")
    house.get_by_role("button", name=re.compile("^Bring in")).click()
    expect(house.locator("h2", has_text="2 books were added")).to_be_visible(timeout=60_000)
    expect(house.locator("details")).to_contain_text("could not be taken")
    house.open("/library")
    expect(house.get_by_role("link", name="Dune, by Frank Herbert")).to_be_visible()
    assert {b["title"]: b["notes"] for b in whole_books(house)} == {"Dune": "x", "Babel": "y"}
    for format, words in (("CSV", "Frank Herbert"), ("Goodreads", "Babel"), ("JSON", "9780441013593"), ("BibTeX", "@book")):
        house.open("/import")
        with house.expect_download() as download:
            house.get_by_role("link", name=format, exact=True).click()
        assert words in download.value.path().read_text()
    house.open("/settings")
    with house.expect_download() as download:
        house.get_by_role("link", name=re.compile("^Download a backup")).click()
    with tarfile.open(download.value.path()) as tar:
        assert any(name.endswith("library.sqlite") for name in tar.getnames())
    assert house.troubles == []


def test_a_book_by_its_isbn(house, real):
    real.give_catalog([("Dune", "Frank Herbert", "9780441013593")])
    house.open("/add")
    house.get_by_role("searchbox", name="ISBN, title or author").fill("978-0-441-01359-3")
    house.get_by_role("button", name="Add Dune").click(timeout=30_000)
    expect(house.locator(".undo")).to_contain_text("Dune is in your library")
    assert [(b["title"], b["isbn"]) for b in books(house)] == [("Dune", "9780441013593")]
    assert house.troubles == []
