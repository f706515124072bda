"""Steps that bring the app to each of its screens."""
import contextlib
import re
import sqlite3
import time

import open_library as stand_in
from conftest import ALL, SHELF, blurred_photo, picture, poor_photo, small_photo
from playwright.sync_api import Error, expect

PHOTO = small_photo()
THEMES = ["paper", "lamplight", "harbour", "plum", "moss"]


def look(page, theme):
    kind = "light" if theme in ("paper", "moss") else "dark"
    page.add_init_script(f"localStorage.setItem('shelflist.look', JSON.stringify({{mode: '{kind}', {kind}: '{theme}'}}))")


def use_photo(app):
    """Agrees to a photo, unless its checks pass: then it is read without a question."""
    agree = app.get_by_role("button", name="Use photo")
    expect(agree.or_(app.locator(".progress, .results, .scan-list")).first).to_be_visible()
    if agree.is_visible():
        agree.click()


def left(app, books):
    """Expects so many books in the queue."""
    expect(app.locator("sl-review")).to_have_attribute("data-left", str(books))


def queue(app):
    """Returns the books of the server's queue, the least certain first."""
    return [item for item in app.server.call("GET", "/review?limit=200")["items"] if item["kind"] == "detection"]


def scan(app, photo=None):
    """Sends a photo, and waits for its results. Returns what the server found."""
    send(app, photo)
    return all_found(app)


def all_found(app):
    """Expects the results of a photo: as many spines as the server found. Returns these results."""
    title = app.locator(".results-panel h1")
    expect(title).to_contain_text("spines found")
    found = results(app)
    expect(title).to_have_text(f"{len(found['books'])} spines found")
    return found


def results(app):
    """Returns the server's results of the last scan."""
    return app.server.call("GET", f"/scans/{job(app)['id']}/results")


def job(app):
    """Returns the last scan."""
    return app.server.call("GET", "/scans?limit=1")["items"][0]


def more(app, name):
    """Chooses from the menu of the results."""
    app.locator(".results-top").get_by_role("button", name="More").click()
    app.get_by_role("button", name=name).click()


def add_everything(app):
    more(app, "Add everything, review later")
    app.locator("dialog .btn.main").click()
    app.wait_for_selector(".undo")


def add_all_to(app):
    """The same for photos that were read. Which books are sure depends on the sources."""
    add_everything(app)
    expect(app.locator(".undo")).to_contain_text("books are in your library")


def review_more(app):
    """Sends books to review that the list of well-known works is only fairly sure of."""
    app.server.change_settings(threshold=0.9)


def add_ready(app):
    """Adds the confident books."""
    app.get_by_role("button", name=re.compile("^Add .* ready")).click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".undo")).to_contain_text("in your library")


def read_shelf(app, photo=SHELF):
    """Has a photo read, and returns the number of spines."""
    send(app, photo)
    found = app.locator(".results-panel h1", has_text="spines found")
    found.wait_for()
    return int(found.text_content().split()[0])


def fill_queue(app, photo=None):
    """Adds the books of a photo to the library, of equal ones only one, so that there is no question about duplicates. The
    unsure ones wait in the queue: not checked, to verify and to review."""
    scanned = app.server.scan(photo or PHOTO)
    books = app.server.call("GET", f"/scans/{scanned}/results")["books"]
    app.server.call("POST", f"/scans/{scanned}/import", {"books": list({book["title"]: book["id"] for book in books}.values())})
    app.open("/review")
    app.wait_for_selector(".queue-card[data-item]")


def ask_open_library(app, titles=None):
    """Has the server ask Open Library about books, which knows those of the example with these titles, or all. Returns it: it
    answers once its `gate` is set."""
    library = app.server.helpers.enter_context(stand_in.serving(titles))
    app.server.restart(SHELFLIST_OPENLIBRARY_URL=library.address)
    app.server.go_online()
    return library


# Books of the poor photo that Open Library identifies; the title of the first is misread.
UNSURE = ["Der Zauberberg", "L’Étranger", "Die Verwandlung", "Treasure Island"]


def answered(app):
    """Waits until Open Library has answered everything."""
    eventually(app, "() => import('/lib/scans.js').then(({ scans }) => scans.get()[0]?.over === true)")


def list_first_look_ups(server):
    """Lists the first look-ups of books among the automatic changes, as in a library of an earlier version."""
    with contextlib.closing(sqlite3.connect(server.folder / "library.sqlite")) as db, db:
        assert db.execute("UPDATE reviewAction SET kind = 'identify' WHERE kind = 'lookUp'").rowcount


def changed_books(app, count=3):
    """Adds a scan to the library before Open Library answers about so many of its books, which are listed as changes."""
    library = ask_open_library(app, UNSURE[:count])
    scan(app, poor_photo())
    add_everything(app)
    library.gate.set()
    expect(app.locator(".results-panel")).to_contain_text("Open Library identified")
    answered(app)
    list_first_look_ups(app.server)
    app.open("/review?rest")
    app.reload()
    app.locator("a.changed-line").wait_for()


def automatic(app):
    changed_books(app)
    app.locator("a.changed-line").click()
    app.locator(".change-card canvas.drawn").first.wait_for()


def until(app, condition):
    """Waits until a function returns something true; events of the browser arrive while it waits."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "what was waited for did not happen within a minute"
        app.evaluate("1")


def eventually(app, condition):
    """Waits until an asynchronous JavaScript function returns something true, also over reloads of the page.
    `wait_for_function` does not wait for promises."""
    end = time.monotonic() + 60
    while True:
        try:
            # In short waits, so that what never happens fails this test and not the run (guard.py).
            if app.evaluate(f"""async () => {{
                const isMet = {condition};
                for (let i = 0; i < 50; i++) {{
                    if (await isMet()) return true;
                    await new Promise((resolve) => setTimeout(resolve, 20));
                }}
            }}"""):
                return
            assert time.monotonic() < end, f"not met within a minute: {condition}"
        except Error as error:
            if "navigation" not in str(error):
                raise


def keep_offline(app, context):
    """One photo in the line that could not be sent."""
    app.open("/scan")
    installed(app)
    context.set_offline(True)
    app.set_input_files("input[type=file]:not([capture])", PHOTO)
    use_photo(app)
    expect(app.locator(".pstate.offline")).to_have_count(1)


def open_library(app):
    app.open("/library")
    app.wait_for_selector(".cell a")


def open_book(app):
    open_library(app)
    app.locator(".cell a").first.click()
    app.wait_for_selector(".work-head")


def choose_book(app):
    scan(app)
    app.locator("[data-key=review]").click()
    app.wait_for_selector(".book-card")


def find_match(app):
    library = ask_open_library(app)
    choose_book(app)
    library.gate.set()  # its answers leave nothing to check
    app.locator("[data-key=match]").click()
    app.get_by_role("searchbox", name="Search for").fill("Treasure Island")
    app.locator(".match-row").first.click()
    app.wait_for_selector(".match-change h2")


def correct(app):
    fill_queue(app)
    app.locator(".queue-card a, .thumb-dock [data-key=edit]").first.click()
    app.wait_for_selector(".correct-form")


def camera(app):
    app.open("/scan")
    app.wait_for_selector(".checks")


def primer(app):
    app.add_init_script("navigator.permissions.query = async () => ({ state: 'prompt' })")
    app.open("/scan")
    app.wait_for_selector(".primer")


def send(app, photo=None):
    """Uploads a photo without waiting for the result."""
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", photo or PHOTO)
    use_photo(app)


def progress(app):
    """A photo whose spines are outlined, and whose text is being read."""
    app.server.hold("text", share=0.4)
    send(app)
    app.server.wait_until_held()
    expect(app.locator(".count-line")).to_contain_text("spines found")


def refused_upload(app):
    app.server.fail("POST", "/api/v1/scans", status=422, times=9, detail="The disk of the server is full. Free some space on it, then try again.")
    send(app)
    app.locator(".progress-actions .main").wait_for()


def busy_server(app):
    app.server.fail("POST", "/api/v1/scans", status=429, retryAfterMs=20_000)
    send(app)
    expect(app.locator(".count-line")).to_contain_text("The server is busy")


def busy_library(app):
    app.server.fail("GET", "/api/v1/library", status=429, times=99, retryAfterMs=20_000)
    app.open("/library")
    app.locator(".note.bad").wait_for()


def installed(app):
    """Waits until the app works offline."""
    app.evaluate("""() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ||
        new Promise((yes) => navigator.serviceWorker.addEventListener("controllerchange", yes))).then(() => 1)""")


def queue_of_photos(app):
    """Queues five photos in different states."""
    app.open("/scan")
    installed(app)
    app.context.set_offline(True)
    app.set_input_files("input[type=file]:not([capture])", [PHOTO] * 5)
    app.get_by_role("button", name="Read 5").click()
    app.locator(".pstate.offline").first.wait_for()
    app.evaluate("""async () => {
      const { scans, setPhoto } = await import("/lib/scans.js");
      const states = [{ state: "done" }, { state: "analysing" }, { state: "uploading", share: 0.4 }, { state: "offline" }, { state: "error", problem: { detail: "The disk of the server is full." } }];
      scans.get()[0].photos.forEach((id, i) => setPhoto(id, states[i]));
    }""")


def offline(app):
    open_library(app)
    installed(app)
    app.context.set_offline(True)
    expect(app.locator(".app-banners")).to_contain_text("offline")


def no_camera(app):
    app.add_init_script("navigator.permissions.query = async () => ({ state: 'denied' })")
    app.open("/scan")
    app.locator(".primer").wait_for()


def tray(app):
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [PHOTO] * 3)
    app.get_by_role("button", name="Show the 3 photos taken").click()


def preview(app):
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", blurred_photo())
    app.get_by_role("button", name="Use photo").wait_for()


def shelf_named(app, name="Hall shelf"):
    """Returns the ID of a shelf; creates it if there is none."""
    shelves = app.server.call("GET", "/shelves")["items"]
    return next((s["id"] for s in shelves if s["name"] == name), None) or app.server.call("POST", "/shelves", {"name": name})["id"]


def shelf(app):
    app.open(f"/shelves/{shelf_named(app)}")
    app.wait_for_selector(".cell .cover")


def shelf_spines(app):
    """Scans a shelf of known books twice; a book is missing the second time."""
    app.server.give_catalog(ALL)
    for photo in (SHELF, picture("without.jpg")):
        app.server.scan(photo, shelf=shelf_named(app), **{"import": "true"})
    app.open(f"/shelves/{shelf_named(app)}")
    app.locator(".shelf-gap").wait_for()
    app.locator(".shelf-spine canvas.drawn").first.wait_for()


def gap(app):
    shelf_spines(app)
    app.locator(".shelf-gap").click()
    app.locator("dialog .menu").wait_for()


def comparison(app):
    shelf_spines(app)
    app.get_by_role("button", name="Check for missing books").click()
    app.locator("dialog [data-key=missing]").wait_for()


def report(app):
    choose_book(app)
    app.locator(".results-top").get_by_role("button", name="More").click()
    app.get_by_role("button", name="Report a wrong detection").click()
    app.get_by_role("dialog", name="Report a wrong detection").wait_for()


def several(app):
    open_library(app)
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Select books").click()
    for n in range(3):
        app.locator(".cell button").nth(n).click()


def inline_edit(app):
    fill_queue(app)
    app.get_by_role("button", name=re.compile("^Edit")).first.click()


def confirm_adding(app):
    scan(app)
    app.locator("[data-key=add]").click()
    app.locator("dialog .btn.main").wait_for()


def settled(app):
    """Waits until the server has all decisions."""
    app.evaluate("import('/lib/review.js').then((review) => review.settled())")


def undone(app):
    """Undoes the last action, and waits for the server."""
    app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(app.locator("#live")).to_have_text("Undone.")


def still(page):
    """Waits until pictures are loaded and nothing moves."""
    page.wait_for_load_state("networkidle")
    finish_animations(page)


def finish_animations(page):
    """Brings sheets and fades to their end, and those that this starts."""
    page.evaluate("""async () => {
      for (let still = 0; still < 3; still++) {
        await new Promise((go) => requestAnimationFrame(go));
        const running = document.getAnimations().filter((a) => a.playState === "running" && a.effect.getComputedTiming().iterations !== Infinity);
        if (running.length) still = -1;
        running.forEach((a) => a.finish());
      }
    }""")


def outside(page):
    """Returns text and controls that overflow the window and cannot be scrolled to. The page clips them, so its width does
    not show it."""
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
    "review": fill_queue, "automatic": automatic, "correct": correct, "settings": plain("/settings", ".settings-list a"),
    "settings-account": plain("/settings/account", ".themes"), "settings-reading": plain("/settings/reading/reader", ".provider"),
    "settings-library": plain("/settings/library", "[data-part=storage] .kv"), "settings-server": plain("/settings/server/tokens", "[data-part=tokens] h2"), "catalog": plain("/settings/catalog", ".catalog .seg"), "statistics": plain("/stats", ".charts"), "lists": plain("/import", ".drop"),
    "add": plain("/add", ".searchbox"), "shelves": plain("/shelves", ".shelf-row"), "shelf": shelf, "photos": plain("/scans", ".scan-list"),
    "shelf-spines": shelf_spines, "gap": gap, "comparison": comparison, "report": report,
    "sign-in": plain("/welcome", ".welcome-box form"), "search": plain("/search", ".lib-search input:focus"),
}

# Those that hold answers back, so that they need the test server.
SCRIPTED = ["automatic"]

# States of screens: empty, busy, failed.
STATES = {
    "progress": progress, "refused-upload": refused_upload, "busy-server": busy_server, "busy-library": busy_library, "queue-of-photos": queue_of_photos,
    "offline": offline, "no-camera": no_camera, "tray": tray, "preview": preview, "several": several, "inline-edit": inline_edit, "confirm-adding": confirm_adding,
    "review-changed": changed_books, "empty-automatic": plain("/review/automatic", ".empty"),
    "empty-library": plain("/library", ".empty"), "empty-review": plain("/review", ".empty"), "empty-photos": plain("/scans", ".empty"),
}
