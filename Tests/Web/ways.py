"""How the tests bring the app to each of its screens."""
import re

from conftest import SHELF
from playwright.sync_api import expect

THEMES = ["paper", "lamplight", "harbour", "plum", "moss"]


def look(page, theme):
    kind = "light" if theme in ("paper", "moss") else "dark"
    page.add_init_script(f"localStorage.setItem('shelflist.look', JSON.stringify({{mode: '{kind}', {kind}: '{theme}'}}))")


def scan(app, photos=1):
    """Sends the example and waits for its results."""
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [SHELF] * photos)
    if photos == 1:
        app.get_by_role("button", name="Use photo").click()
    else:
        app.get_by_role("button", name=f"Read {photos}").click()
    app.wait_for_selector(".results-panel h1", timeout=20_000)


def add_everything(app):
    app.locator(".results-top").get_by_role("button", name="More").click()
    app.get_by_role("button", name="Add everything, review later").click()
    app.locator("dialog .btn.main").click()
    app.wait_for_selector(".undo")


def add_all_to(house):
    """The same against the real server, from the main button."""
    house.get_by_role("button", name=re.compile("^Add 2. and review later")).click()
    house.locator("dialog .btn.main").click()
    expect(house.locator(".undo")).to_contain_text("books are in your library")


def add_ready(house):
    """The same, for what was read surely."""
    house.get_by_role("button", name=re.compile("^Add .* ready")).click()
    house.locator("dialog .btn.main").click()
    expect(house.locator(".undo")).to_contain_text("in your library")


def read_shelf(house, photo=SHELF):
    """Has a photo read by the real reader, and says how many spines were found."""
    house.open("/scan")
    house.set_input_files("input[type=file]:not([capture])", photo)
    house.get_by_role("button", name="Use photo").click()
    found = house.locator(".results-panel h1", has_text="spines found")
    found.wait_for(timeout=120_000)
    return int(found.text_content().split()[0])


def fill_queue(app):
    scan(app)
    add_everything(app)
    app.open("/review")
    app.wait_for_selector(".queue-card a")


def open_library(app):
    app.open("/library")
    app.wait_for_selector(".cell a")


def open_book(app):
    open_library(app)
    app.locator(".cell a").first.click()
    app.wait_for_selector(".work-head")


def choose_book(app):
    scan(app)
    app.get_by_role("button", name="Review").first.click()
    app.wait_for_selector(".book-card")


def find_match(app):
    choose_book(app)
    app.locator("[data-key=match]").click()
    app.locator(".match-row").first.click()
    app.wait_for_selector(".match-change h2")


def correct(app):
    fill_queue(app)
    app.locator(".queue-card a").first.click()
    app.wait_for_selector(".correct-form")


def camera(app):
    app.open("/scan")
    app.wait_for_selector(".checks")


def primer(app):
    app.add_init_script("navigator.permissions.query = async () => ({ state: 'prompt' })")
    app.open("/scan")
    app.wait_for_selector(".primer")


def outside(page):
    """The words and controls that reach out of the window, where nothing scrolls to them. The page itself never scrolls
    sideways (what reaches out is cut off), so its width tells nothing."""
    return page.evaluate("""() => {
      const scrolls = (e) => e && (/(auto|scroll)/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
      return [...document.querySelectorAll("main :is(h1, h2, p, a, button, label, input, select), .nav :is(a, span), dialog[open] :is(h2, p, button)")].filter((e) => {
        if (!e.checkVisibility() || e.closest(".sr, [aria-hidden=true], .virtual, .spine-row") || e.type === "file") return false;
        const box = e.getBoundingClientRect();
        return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(e);
      }).map((e) => `${e.tagName}.${e.className} ${e.textContent.slice(0, 30)} ${Math.round(e.getBoundingClientRect().right)}`);
    }""")


def plain(path, selector):
    def go(app):
        app.open(path)
        app.wait_for_selector(selector)
    go.__name__ = path.strip("/").replace("/", "-")
    return go


SCREENS = {
    "library": open_library, "book": open_book, "scan": camera, "scan-primer": primer, "results": scan, "results-book": choose_book, "match": find_match,
    "review": fill_queue, "correct": correct, "settings": plain("/settings", ".provider"), "statistics": plain("/stats", ".charts"), "lists": plain("/import", ".drop"),
    "add": plain("/add", ".searchbox"), "shelves": plain("/shelves", ".shelf-row"), "shelf": plain("/shelves/s1", ".shelf-grid .cover"), "photos": plain("/scans", ".scan-list"),
    "sign-in": plain("/welcome", ".welcome-box form"), "search": plain("/search", ".lib-search input:focus"),
}
