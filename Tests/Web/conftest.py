"""Fixtures of the web app's tests: browser, camera, servers and the app."""
import functools
import json
import os
import random
import shutil
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Support")]
os.environ["FONTCONFIG_FILE"] = str(HERE / "fonts.conf")

from bodies import unknown_fields  # noqa: E402
from pictures import SHELF, TRUTH, make, picture  # noqa: E402
from servers import CLOSED, NAME, PASSWORD, ROOT, RealServer, TestServer  # noqa: E402, F401

pytest_plugins = ["guard"]

# Seconds from 1970 to 2001, where the dates in files begin.
SWIFT_EPOCH = 978_307_200
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SIZES = {"phone": PHONE, "desktop": DESKTOP}
# The books of the example as records of a catalog.
ALL = [(b["title"], b["author"], b["isbn"]) for b in TRUTH["books"]]
CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium-headless-shell"
# Milliseconds: far more than a busy machine needs, and less than guard.py allows a test.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


def small_photo():
    return picture("small.jpg")


def poor_photo():
    return picture("poor.jpg")


def blurred_photo():
    return picture("blurred.jpg")


def chromium(allows_camera=True):
    """Returns launch options of Chromium with a simulated camera, and with a user who allows it or not."""
    make()
    answer = "" if allows_camera else "=deny"
    return {"executable_path": CHROMIUM, "timeout": PATIENCE, "args": [
        "--no-sandbox", f"--use-fake-ui-for-media-stream{answer}", "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={picture('camera.y4m')}"]}


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return chromium()


def pytest_addoption(parser):
    parser.addoption("--real", action="store_true", help="use the real program and reader instead of recorded photos")
    parser.addoption("--worker", action="store_true", help="let the service worker run in tests without the mark, too")
    parser.addoption("--walk", action="store_true", help="run the random walk")
    parser.addoption("--seed", type=int, default=1, help="what the random walk depends on")
    parser.addoption("--taps", type=int, default=2000, help="the length of the random walk")


def pytest_configure(config):
    config.addinivalue_line("markers", "books(n): how many books the library has at the start")
    config.addinivalue_line("markers", "at_once: sure books of a scan are added at once, as by default")
    config.addinivalue_line("markers", "sizes(names): which of phone and desktop; both, if it is not there; others than the first are touched")
    config.addinivalue_line("markers", "scripted: holds photos or orders faults, which the real program does not do")
    config.addinivalue_line("markers", "reads: always runs on the real program and reader")
    config.addinivalue_line("markers", "touched: runs only where the app, or the server behind it, was touched")
    config.addinivalue_line("markers", "walk: part of the random walk; runs only with --walk")
    config.addinivalue_line("markers", "worker: the service worker runs; it loads all files, which takes a second")
    # Once, and not in each of the processes that pytest-xdist starts.
    if not hasattr(config, "workerinput"):
        make()


def pytest_collection_modifyitems(config, items):
    left_out = {mark for mark, leaves in (("scripted", config.getoption("--real")), ("walk", not config.getoption("--walk"))) if leaves}
    kept = [item for item in items if not any(item.get_closest_marker(mark) for mark in left_out)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def pytest_generate_tests(metafunc):
    """Runs tests on phone and desktop, unless the mark `sizes` selects one. Each size after the first is a detail."""
    if "size" in metafunc.fixturenames:
        mark = metafunc.definition.get_closest_marker("sizes")
        first, *others = mark.args if mark else SIZES
        details = [pytest.param(SIZES[name], id=name, marks=pytest.mark.touched) for name in others]
        metafunc.parametrize("size", [pytest.param(SIZES[first], id=first), *details])


def asks_first(request):
    """Whether books wait until they are added (the setting Ask before adding): in all tests without the mark `at_once`."""
    return request.node.get_closest_marker("at_once") is None


@pytest.fixture
def browser_context_args(size, request):
    has_worker = request.node.get_closest_marker("worker") or request.config.getoption("--worker")
    workers = "allow" if has_worker else "block"
    return {**size, "locale": "en-GB", "permissions": ["camera"], "service_workers": workers}


@pytest.fixture
def context(context):
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture
def kind(request):
    """The class of the servers."""
    return RealServer if request.config.getoption("--real") or request.node.get_closest_marker("reads") else TestServer


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """Returns, for a class of servers, a data folder with an owner who answered the question for a source, and the owner's
    cookie."""
    @functools.cache
    def prepare(kind):
        folder = tmp_path_factory.mktemp("prepared") / "data"
        server = kind(folder)
        server.set_up()
        server.change_settings(askBeforeAdding=True)
        server.close()
        return folder, server.cookie
    return prepare


@pytest.fixture
def empty_server(kind, tmp_path):
    """A server without an owner."""
    running = kind(tmp_path / "data")
    yield running
    running.close()


@pytest.fixture
def server(kind, prepared, tmp_path, request):
    """A server with an owner, without a source, and with as many books as the mark `books` says."""
    folder, cookie = prepared(kind)
    shutil.copytree(folder, tmp_path / "data")
    enter_password_now(tmp_path / "data")
    running = kind(tmp_path / "data", cookie=cookie)
    if not asks_first(request):
        running.change_settings(askBeforeAdding=False)
    mark = request.node.get_closest_marker("books")
    if mark:
        add_books(running, mark.args[0])
    yield running
    running.close()


def enter_password_now(folder):
    """The folder was prepared before the first test; a server asks for a password that was entered 15 minutes ago."""
    file = folder / "accounts.json"
    content = json.loads(file.read_text())
    for session in content["accounts"]["sessions"]:
        session["confirmedAt"] = time.time() - SWIFT_EPOCH
    file.write_text(json.dumps(content))


def add_books(server, count):
    """Adds books of known people, the same each time, some of them on three shelves."""
    chance = random.Random(7)
    shelves = [server.call("POST", "/shelves", {"name": name})["id"] for name in ("Hall shelf", "Study, left", "Bedroom")]
    people = ("Italo Calvino,Eleanor Catton,Susanna Clarke,Joseph Conrad,George Eliot,R. F. Kuang,Hilary Mantel,Toni Morrison,"
              "Ursula K. Le Guin,Olga Tokarczuk,Mikhail Bulgakov,W. G. Sebald").split(",")
    words = "Cities,House,River,Winter,Glass,Garden,Night,Letters,Stone,Light,Island,Memory,Roads,Salt,Field".split(",")
    for number in range(count):
        first = chance.choice(["The", "A", "Invisible", "Last", "Quiet"])
        title, author = f"{first} {chance.choice(words)} {number}", chance.choice(people)
        shelf, status = chance.choice([*shelves, None]), chance.choice(["toRead", "reading", "read", None])
        server.add(title=title, authors=[author], shelf=shelf, details={"readingStatus": status})


#: What the browser logs of requests that failed (see `app.refused`): also of the worker's script, which it checks at each
#: navigation, and which the next one cuts off.
FAILED_REQUEST = ("Failed to load resource", "WebSocket", "ERR_", "error occurred when fetching the script")


@pytest.fixture
def app(page, server):
    """A page of the app, signed in as the owner; it opens with `app.open(path)`. No script may fail. `app.server` is the server."""
    sign_in(page.context, server)
    yield watched(page, server)
    assert [text for text in page.errors if not any(sign in text for sign in FAILED_REQUEST)] == []
    assert page.unknown == [], "the server drops them"


def sign_in(context, server, address=None):
    """Gives a browser the owner's cookie, for the server's address or another one."""
    name, value = server.cookie.split("=", 1)
    context.add_cookies([{"name": name, "value": value, "url": address or server.address}])


@contextmanager
def other_page(browser, server, size, **options):
    """A page, in a browser of its own, that is signed in as the owner."""
    context = browser.new_context(**size, **options)
    sign_in(context, server)
    yield context.new_page()
    context.close()


def watched(page, server):
    """Collects what fails on a page: `errors` of scripts and of the console, `refused` answers, and `unknown` fields of
    requests."""
    page.server, page.errors, page.refused, page.unknown = server, [], [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda r: page.unknown.extend(unknown_fields(r)))
    page.on("response", lambda r: page.refused.append(f"{r.status} {r.request.method} {r.url}") if r.status >= 400 else None)
    reload = page.reload

    def open_path(path):
        wait_for_history(page)
        return page.goto(f"{server.address}/#{path}")

    def reload_page():
        wait_for_history(page)
        return reload()

    page.open, page.reload = open_path, reload_page
    return page


def wait_for_history(page):
    """Waits until a closed sheet has left the history, which would cut off a navigation that begins before."""
    page.wait_for_function("() => document.querySelector('dialog[open]') || !history.state?.layer")


def entered(page, server, answer="Work offline", asks=True):
    """Creates the owner in the browser, answers the question for a source, and returns the app. `asks` is the setting Ask
    before adding."""
    watched(page, server).open("/library")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("button", name=answer).click()
    expect(page.locator(".empty")).to_contain_text("No books yet")
    [cookie] = [each for each in page.context.cookies() if each["name"].endswith("session")]
    server.cookie = f"{cookie['name']}={cookie['value']}"
    if asks:
        server.change_settings(askBeforeAdding=True)
    return page
