"""Faults: nothing is lost, and the app explains them."""
import colorsys
import re

import pytest
import steps
from conftest import NAME, PASSWORD, ROOT, chromium, sign_in
from playwright.sync_api import expect
from test_real_at_once import show

pytestmark = pytest.mark.sizes("phone")
scripted = pytest.mark.scripted
SCANS = "/api/v1/scans"
# What the reader finds in steps.PHOTO.
SPINES = 26


def found(app, n=SPINES):
    expect(app.locator(".results-panel h1")).to_have_text(f"{n} spines found")


def photos(server):
    """Returns how many photos each scan on the server has."""
    return [len(job["photos"]) for job in server.call("GET", "/scans")["items"]]


def let_retry(app, tries):
    """Lets the pauses between uploads pass, until so many were tried."""
    def have_tried():
        app.clock.fast_forward(4000)
        return app.server.stats()["requests"].get(f"POST {SCANS}", 0) >= tries
    steps.until(app, have_tried)


@scripted
def test_a_broken_upload_is_tried_again_by_itself(app, server):
    server.fail("POST", SCANS, status=503, times=2)
    app.clock.install()
    steps.send(app)
    let_retry(app, 3)
    found(app)
    assert photos(server) == [1]


@scripted
def test_after_three_retries_a_person_decides_and_the_photo_is_kept(app, server):
    server.fail("POST", SCANS, status=503, times=99, detail="The disk of the server is full.")
    app.clock.install()
    steps.send(app)
    let_retry(app, 4)
    expect(app.locator(".progress")).to_contain_text("The disk of the server is full.")
    app.reload()
    expect(app.locator(".progress")).to_contain_text("The disk of the server is full.")
    assert server.stats()["requests"][f"POST {SCANS}"] == 4
    server.heal()
    app.get_by_role("button", name="Retry").click()
    found(app)


@pytest.mark.touched
@scripted
def test_a_refused_photo_is_not_tried_again(app, server):
    server.fail("POST", SCANS, status=422, times=9, detail="The shelf is unknown. Choose another.")
    steps.send(app)
    expect(app.locator(".progress")).to_contain_text("The shelf is unknown. Choose another.")
    assert server.stats()["requests"][f"POST {SCANS}"] == 1


@pytest.mark.touched
@scripted
def test_a_busy_server_is_waited_for_in_sight(app, server):
    server.fail("POST", SCANS, status=429, retryAfterMs=600_000)
    app.clock.install()
    steps.send(app)
    expect(app.locator(".count-line")).to_contain_text(re.compile(r"The server is busy. Retrying in \d+ s"))
    app.clock.fast_forward(600_000)
    found(app)


@scripted
def test_a_cut_socket_loses_nothing(app, server):
    server.cut_socket(after=9)
    sockets, closed = [], []
    app.on("websocket", lambda ws: (sockets.append(ws.url), ws.on("close", lambda _: closed.append(ws))))
    # No limit ends a connection while the page's clock stands still.
    app.clock.install()
    app.open("/scan")
    app.locator(".checks").wait_for()
    app.clock.pause_at(app.evaluate("Date.now()") / 1000 + 60)
    steps.send(app)
    steps.until(app, lambda: closed)
    with app.expect_websocket():
        app.clock.run_for(500)
    app.clock.resume()
    found(app)
    assert len(sockets) == 2 and "after=" in sockets[1]


@scripted
@pytest.mark.parametrize("streams, way", [
    pytest.param(False, "text/event-stream", marks=pytest.mark.touched), (True, "application/json")])
def test_without_a_socket_other_ways_are_taken(app, server, streams, way):
    accepted = []
    app.on("request", lambda r: accepted.append(r.headers.get("accept")) if "/events" in r.url else None)
    server.refuse(sockets=True, streams=streams)
    app.clock.install()
    steps.send(app)
    steps.until(app, lambda: way in accepted)
    server.send("GET", f"{SCANS}/{steps.job(app)['id']}/events?after=0")
    app.clock.fast_forward(2000)
    found(app)


def test_a_silent_proxy_is_not_waited_for(app):
    app.route_web_socket(re.compile("/ws/progress"), lambda ws: None)  # opens, and never says a word
    app.clock.install()
    app.add_init_script("""
      globalThis.opened = 0;
      globalThis.WebSocket = class extends WebSocket { constructor(...what) { super(...what); this.addEventListener("open", () => opened++); } };
    """)
    steps.send(app)
    app.wait_for_function("() => opened")
    app.clock.fast_forward(8000)
    found(app)


@scripted
def test_details_that_come_late_keep_nobody_waiting(app):
    library = steps.ask_open_library(app)
    library.late, library.broken, library.publisher = "dracula", "emma", "Example House"
    steps.send(app)
    found(app)
    show(app, "Jane Eyre")
    expect(app.locator(".book-card")).to_contain_text("Example House")
    app.keyboard.press("Escape")
    add = app.get_by_role("button", name=re.compile(r"^Add \d+ ready books"))
    ready = re.search(r"\d+", add.get_attribute("aria-label") or add.inner_text()).group()
    add.click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".undo")).to_contain_text(f"{ready} books are in your library")
    app.open("/library")
    banner = app.locator(".app-banners")
    expect(banner).to_contain_text(f"Looking up details: {SPINES - 1} of {SPINES} books. Open Library")
    library.gate.set()
    expect(banner).not_to_contain_text("Looking up details")


@pytest.mark.touched
@scripted
def test_details_are_followed_after_a_restart_as_well(app):
    library = steps.ask_open_library(app)
    library.late = "dracula"
    steps.send(app)
    found(app)
    app.goto("about:blank")
    with app.expect_websocket():
        app.open("/library")
    library.gate.set()
    steps.eventually(app, "() => import('/lib/scans.js').then(({ scans }) => scans.get()[0]?.over === true)")


@scripted
def test_cancel_cancels_on_the_server_as_well(app, server):
    server.hold("text", share=0.4)
    steps.send(app)
    server.wait_until_held()
    app.get_by_role("button", name="Cancel").click()
    app.locator("dialog").get_by_role("button", name="Stop and discard").click()
    app.locator(".scan").wait_for()
    assert [job["status"] for job in server.call("GET", "/scans")["items"]] == ["canceled"]
    app.open("/scans")
    expect(app.locator(".scan-list")).to_contain_text("No photos yet.")


@scripted
def test_leaving_and_coming_back_finds_the_photo_being_read(app, server):
    server.hold("text", share=0.4)
    steps.send(app)
    server.wait_until_held()
    app.get_by_role("link", name="Continue in background").click()
    app.goto("about:blank")
    app.open("/scans")
    expect(app.locator(".scan-list .pstate")).to_have_class(re.compile("analysing"))
    server.release()
    app.locator(".scan-row a").click()
    found(app)
    assert photos(server) == [1]


@pytest.mark.worker
def test_photos_wait_offline_across_a_restart_and_are_sent_once(app, server, context):
    app.open("/scan")
    steps.installed(app)
    context.set_offline(True)
    app.set_input_files("input[type=file]:not([capture])", [steps.PHOTO, steps.PHOTO])
    app.get_by_role("button", name="Read 2").click()
    expect(app.locator(".app-banners")).to_contain_text("2 photos will be read when you reconnect")
    expect(app.locator(".pstate.offline")).to_have_count(2)
    context.set_offline(False)
    app.goto("about:blank")  # closed, and opened again
    app.open("/scans")
    expect(app.locator(".scan-row a")).to_be_visible()
    assert photos(server) == [2]


HUES = {"preparing": (260, 300), "uploading": (38, 52), "analysing": (205, 225), "done": (135, 160), "error": (0, 15)}


def hue(rgb):
    """Degrees on the colour circle, or None for a grey."""
    h, _, s = colorsys.rgb_to_hls(*(int(v) / 255 for v in re.findall(r"\d+", rgb)[:3]))
    return h * 360 if s > 0.2 else None


@pytest.mark.touched
def test_each_state_of_a_photo_has_its_colour_its_sign_and_its_word(app, context):
    app.open("/scan")
    steps.installed(app)
    context.set_offline(True)
    app.set_input_files("input[type=file]:not([capture])", [steps.PHOTO] * 5)
    app.get_by_role("button", name="Read 5").click()
    expect(app.locator(".pstate.offline")).to_have_count(5)
    seen = {}
    for theme in steps.THEMES:
        app.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        for states in (["preparing", "uploading", "analysing", "done", "error"], ["offline"] * 5):
            app.evaluate("""async (states) => {
              const { scans, setPhoto } = await import("/lib/scans.js");
              scans.get()[0].photos.forEach((id, i) => setPhoto(id, { state: states[i] }));
            }""", states)
            expect(app.locator(f".pstate.{states[0]}")).to_have_count(states.count(states[0]))
            for name, colour, sign, word in app.locator(".pstate").evaluate_all(
                    "list => list.map((e) => [e.classList[1], getComputedStyle(e.firstElementChild).backgroundColor, e.firstElementChild.innerHTML, e.textContent])"):
                wanted, found = HUES.get(name), hue(colour)
                assert wanted[0] <= found <= wanted[1] if wanted else found is None, f"{name} in {theme}: {colour}"
                seen[name] = (sign, word)
    assert set(seen) == {*HUES, "offline"}
    signs, words = zip(*seen.values())
    assert len(set(signs)) == len(set(words)) == 6


@pytest.mark.touched
@scripted
@pytest.mark.books(12)
def test_who_has_to_sign_in_comes_to_what_they_wanted(app, server):
    server.fail("GET", "/api/v1/library", status=401, detail="Sign in first.")
    app.open("/library")
    app.get_by_label("Name").fill(NAME)
    app.get_by_label("Password").fill(PASSWORD)
    app.get_by_role("button", name="Sign in").click()
    expect(app.locator(".cell a")).to_have_count(12)
    expect(app.locator(".note")).to_have_count(0)


@pytest.mark.touched
@pytest.mark.worker
@pytest.mark.books(30)
def test_the_library_opens_without_a_network(app, context):
    steps.open_library(app)
    steps.installed(app)
    steps.eventually(app, "() => import('/lib/store.js').then((store) => store.all('library')).then((kept) => kept.length === 30)")
    context.set_offline(True)
    app.goto("about:blank")
    app.open("/library")
    expect(app.locator(".cell a").first).to_be_visible()
    expect(app.locator(".app-banners")).to_contain_text("You’re offline. You can browse the library.")
    expect(app.locator(".lib-head")).to_contain_text("30 books")


@pytest.mark.worker
@pytest.mark.touched
@pytest.mark.books(30)
def test_a_screen_without_its_styles_says_so_and_opens_later(app, context):
    """The library opens without the styles of the other screens."""
    styles = re.compile(r"/css/screens\.css")
    app.route(styles, lambda route: route.abort())
    steps.open_library(app)
    app.open("/settings")
    expect(app.locator("#main")).to_contain_text("This part of the app could not be loaded.")
    app.unroute(styles)
    app.open("/library")
    app.open("/settings")
    expect(app.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    assert app.evaluate("[...document.styleSheets].filter((sheet) => sheet.href.endsWith('css/screens.css')).length") == 1


@pytest.mark.touched
@pytest.mark.books(3)
@pytest.mark.sizes("phone")
def test_the_buttons_of_the_library_say_that_their_words_are_missing(app):
    words = re.compile(r"/i18n/en\.js")
    app.route(words, lambda route: route.abort())
    steps.open_library(app)
    for name in ("Sort and view", "More"):
        app.get_by_role("button", name=name).first.click()
        expect(app.locator(".note.bad")).to_contain_text("This part of the app could not be loaded.")
        expect(app.locator("dialog[open]")).to_have_count(0)
        app.open("/search")
        app.open("/library")
        expect(app.locator(".note.bad")).to_have_count(0)
    app.unroute(words)
    app.get_by_role("button", name="More").first.click()
    expect(app.locator("dialog[open]")).to_contain_text("Select books")


@pytest.mark.touched
@pytest.mark.books(3)
@pytest.mark.sizes("phone")
def test_what_the_library_opens_waits_for_its_words(app):
    """The library opens with a few words; the others come behind it."""
    held = []
    app.route(re.compile(r"/i18n/en\.js"), lambda route: held.append(route))
    steps.open_library(app)
    expect(app.locator(".lib-head")).to_contain_text("3 books")
    app.get_by_role("button", name="Sort and view").first.click()
    steps.until(app, lambda: held)
    expect(app.locator("dialog[open]")).to_have_count(0)
    for route in held:
        route.continue_()
    sheet = app.locator("dialog[open]")
    expect(sheet).to_contain_text("Author, A to Z")
    assert not re.search(r"\b(library|common|sort)\.\w", sheet.inner_text())


# Collects every text, label and title that the page ever shows.
SHOWN = """(() => {
  const shown = (globalThis.shown = new Set());
  const note = (node) => {
    if (node.nodeType === Node.TEXT_NODE) shown.add(node.data);
    for (const name of ["aria-label", "title", "placeholder"]) shown.add(node.getAttribute?.(name) ?? "");
    node.childNodes.forEach(note);
  };
  new MutationObserver((changes) => changes.forEach((one) => note(one.target)))
    .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})()"""


@pytest.mark.touched
@pytest.mark.books(3)
@pytest.mark.sizes("phone")
@pytest.mark.parametrize("tap, module", [
    ("Sort and view", "screens/library/order"), ("More", "elements/sheet"), ("Import", "screens/import"), ("Add", "screens/add"),
    ("Review", "screens/review"), ("Settings", "screens/settings")])
def test_no_key_is_shown_in_place_of_a_word_that_is_still_loaded(app, tap, module):
    keys = {key for name in ("first/en", "en") for key in re.findall(r'^  "([\w.]+)":', (ROOT / f"Web/i18n/{name}.js").read_text(), re.M)}
    held = []
    app.add_init_script(SHOWN)
    app.route(re.compile(r"/i18n/en\.js"), lambda route: held.append(route))
    steps.open_library(app)
    places = app.locator(".lib-head, .lib-tools, .tabs")
    places.get_by_role("button", name=tap).or_(places.get_by_role("link", name=tap)).click()
    steps.until(app, lambda: held)
    app.evaluate(f"import('/{module}.js').then(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))))")
    expect(app.locator("dialog[open]")).to_have_count(0)
    expect(app.locator(".lib-head")).to_be_visible()  # until the next screen has its words
    for route in held:
        route.continue_()
    app.locator("dialog[open], .page:not(:has(.lib-head))").first.wait_for()
    shown = set(app.evaluate("[...shown]"))
    assert "Library" in shown
    assert {text for text in shown if text.strip() in keys} == set()


def background_sync(app, server):
    """What the browser does when the network is back and no page is open."""
    session = app.context.new_cdp_session(app)
    known = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda e: known.extend(
        r for r in e["registrations"] if r["scopeURL"] == f"{server.address}/" and not r["isDeleted"]))
    session.send("ServiceWorker.enable")
    steps.until(app, lambda: known)
    session.send("ServiceWorker.dispatchSyncEvent", {"origin": server.address, "registrationId": known[0]["registrationId"], "tag": "send-photos", "lastChance": False})


@pytest.mark.worker
@scripted
def test_the_worker_sends_what_waits_when_no_page_is_open(app, server, context):
    steps.keep_offline(app, context)
    app.goto("about:blank")
    context.set_offline(False)
    server.hold("outlines")
    background_sync(app, server)
    server.wait_until_held()
    assert photos(server) == [1]
    server.release()
    app.open("/scans")  # opened later, the app finds what the worker did, and does not send it again
    expect(app.locator(".scan-row a")).to_be_visible()
    assert photos(server) == [1]


@pytest.mark.worker
def test_a_page_that_opens_while_the_worker_sends_goes_on_from_there(app, server, context):
    steps.keep_offline(app, context)
    app.goto("about:blank")
    context.set_offline(False)
    # The page's turn comes only when the worker's is over, although it looked at the line before.
    app.add_init_script("""addEventListener("DOMContentLoaded", () => {
      const request = navigator.locks.request.bind(navigator.locks);
      navigator.locks.request = async (name, options, work) => {
        const { sendWaiting } = await import("/lib/send.js");
        navigator.locks.request = request;
        await sendWaiting();
        return request(name, options, work);
      };
    })""")
    app.open("/scans")
    expect(app.locator(".scan-row a")).to_be_visible()
    assert photos(server) == [1]


@pytest.mark.touched
def test_a_refused_camera_leaves_other_ways(launch_browser, server, size):
    browser = launch_browser(**chromium(allows_camera=False))
    context = browser.new_context(**size)
    sign_in(context, server)
    page = context.new_page()
    page.goto(f"{server.address}/#/scan")
    page.get_by_role("button", name="Use the camera").click()
    expect(page.get_by_role("heading", name="Camera access is blocked")).to_be_visible()
    page.get_by_role("button", name="How to allow it").click()
    expect(page.get_by_role("dialog")).to_contain_text("Set Camera to Allow")
    page.keyboard.press("Escape")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open the camera").first.click()
    chooser.value.set_files(steps.PHOTO)
    expect(page.locator(".results-panel h1")).to_contain_text("spines found")
    browser.close()


@pytest.mark.touched
def test_not_a_photo_is_said_by_name(app):
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [{"name": "notes.jpg", "mimeType": "image/jpeg", "buffer": b"not a picture"}])
    expect(app.locator(".undo")).to_contain_text("Cannot read notes.jpg")


def test_an_edit_that_somebody_else_made_first_is_not_written_over(app, server):
    # The page does not learn of it before.
    app.route("**/api/v1/changes", lambda route: route.abort())
    steps.fill_queue(app)
    waiting = len(steps.queue(app))
    detection = f"/detections/{app.locator('.queue-card').first.get_attribute('data-item')}"
    etag = server.call("GET", detection)["etag"]
    server.call("POST", f"{detection}/correct", {"title": "By hand"}, If_Match=f'"{etag}"')
    app.locator(".queue-card .yes:not(.swipe-label), .thumb-dock [data-key=yes]").first.click()
    expect(app.locator(".undo")).to_contain_text("This book has been changed")
    steps.left(app, waiting - 1)
    assert "By hand" in [book["title"] for book in server.books() if book["reviewStatus"] == "userEdited"]


HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def test_what_is_read_is_never_markup(app, server):
    shelf = server.call("POST", "/shelves", {"name": HOSTILE})["id"]
    book = server.add(title=HOSTILE, authors=[HOSTILE], shelf=shelf)
    server.call("POST", "/library/bulk", {"ids": [book["id"]], "addTags": [HOSTILE]})
    steps.open_library(app)
    app.locator(".cell a").first.click()
    expect(app.locator(".work-head h1")).to_have_text(HOSTILE)
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": f"{HOSTILE}.csv", "mimeType": "text/csv", "buffer": b"Title,Author\n<img src=x onerror=alert(1)>,<b>Author</b>\n"})
    expect(app.locator(".import-columns")).to_contain_text("<img src=x onerror=alert(1)>")
    assert app.locator("main img, main script").count() == 0
    assert app.title() != "owned"


@pytest.mark.worker
@pytest.mark.books(10)
def test_no_request_leaves_the_server_and_no_policy_is_broken(app, server):
    asked = []
    app.on("request", lambda r: asked.append(r.url))
    app.add_init_script("addEventListener('securitypolicyviolation', (e) => console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI))")

    def track(route):
        """No such address is stored; a page may not trust that."""
        response = route.fetch()
        body = response.json()
        body["items"][0]["coverUrl"] = "https://tracker.example/pixel.png"
        route.fulfill(response=response, json=body)
    app.route("**/api/v1/library?*", track)
    for screen in ("library", "results-book", "settings-account", "settings-reading", "settings-library", "settings-server", "statistics", "lists"):
        steps.SCREENS[screen](app)
    away = [u for u in asked if not u.startswith((server.address, "blob:", "data:"))]
    assert away == []
    assert [t for t in app.errors if "CSP" in t] == []


@scripted
def test_a_photo_that_the_servers_disk_cannot_read_says_why_it_waits(app, server):
    server.hold("outlines")
    steps.send(app)
    server.wait_until_held()
    # The app has the event that the photo is being read, which would replace the one below: progress is more than 0.1 after it.
    steps.eventually(app, "() => import('/lib/scans.js').then(({ scans }) => scans.get()[0].live.progress > 0.1)")
    words = "The server’s disk could not read this photo. It tries again every minute."
    waiting = {"index": 1, "status": "queued", "problem": {"code": "disk_failed", "detail": "In English."}}
    arrives = """async (data) => {
      const [{ takeEvent }, { scans }] = await Promise.all([import("/lib/scan-events.js"), import("/lib/scans.js")]);
      takeEvent(scans.get()[0], { id: 1000, type: "photo", data });
    }"""
    app.evaluate(arrives, waiting)
    expect(app.locator(".count-line")).to_have_text(words)
    app.evaluate("() => { location.hash = '#/scans'; }")
    expect(app.locator(".pstate.error")).to_have_text(words)
    with app.expect_request("**/photos/1/retry"):
        app.get_by_role("button", name="Retry").click()
    app.evaluate(arrives, {**waiting, "status": "failed"})
    expect(app.locator(".pstate.error")).to_contain_text("Check the disk, then retry.")
    server.release()
