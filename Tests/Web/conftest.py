"""Fixtures of the web app's tests: browser, camera, stand-in and real server."""
import csv
import functools
import gzip
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
os.environ["FONTCONFIG_FILE"] = str(HERE / "fonts.conf")

import contract  # noqa: E402
import standin  # noqa: E402

pytest_plugins = ["guard"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SIZES = {"phone": PHONE, "desktop": DESKTOP}
SHELF = ROOT / "Examples/shelf.jpg"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


def made(name, *how, taken=()):
    """Returns a file made from the example photo by ffmpeg, once; `taken` are input options."""
    file = ROOT / ".deps/web" / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *taken, "-i", str(SHELF), *how, str(file)], check=True, timeout=60)
    return file


def camera_file():
    """Returns a camera recording of the example shelf."""
    return made("camera.y4m", "-t", "0.4", "-r", "5", "-vf", "scale=1920:1440", "-pix_fmt", "yuv420p", taken=["-loop", "1"])


def small_photo():
    """Returns a small example for tests that read nothing: preparing the large one takes a second."""
    return made("small.jpg", "-vf", "scale=1200:-1", "-q:v", "4")


def poor_photo():
    """Returns a blurred example, of which the reader misreads a part."""
    return made("poor.jpg", "-vf", "scale=540:-1,gblur=sigma=0.6,scale=1800:-1", "-q:v", "6")


def blurred_photo():
    """Returns an example that fails the check for sharpness."""
    return made("blurred.jpg", "-vf", "scale=1200:-1,gblur=sigma=16", "-q:v", "4")


def chromium():
    """Returns launch options of Chromium with a simulated camera."""
    return {"executable_path": CHROMIUM, "args": [
        "--no-sandbox", "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={camera_file()}"]}


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return chromium()


def pytest_generate_tests(metafunc):
    """Runs tests on phone and desktop, unless the mark `sizes` selects one."""
    if "size" in metafunc.fixturenames:
        mark = metafunc.definition.get_closest_marker("sizes")
        names = mark.args if mark else list(SIZES)
        metafunc.parametrize("size", [SIZES[n] for n in names], ids=names)


def asks_first(request):
    """Whether books wait until they are added (the setting Ask before adding): in all tests without the mark `at_once`."""
    return request.node.get_closest_marker("at_once") is None


@pytest.fixture
def server(request):
    """The stand-in, with as many books as the mark `books` says. All its answers must be as documented."""
    mark = request.node.get_closest_marker("books")
    running = standin.serve(0, mark.args[0] if mark else 0)
    violations = []
    running.RequestHandlerClass.checked = staticmethod(lambda *answer: violations.extend(contract.violations(*answer)))
    running.world = running.RequestHandlerClass.world
    running.world.settings["askBeforeAdding"] = asks_first(request)
    running.address = f"http://127.0.0.1:{running.server_address[1]}"
    yield running
    running.shutdown()
    running.server_close()
    assert violations == []


@pytest.fixture
def browser_context_args(size):
    return {**size, "locale": "en-GB", "permissions": ["camera"]}


@pytest.fixture
def app(page, server):
    """A page of the app. Its console must have no errors at the end."""
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.set_default_timeout(10_000)
    page.address = server.address
    page.errors = errors
    page.open = lambda path: page.goto(f"{server.address}/#{path}")
    yield page
    # The browser also logs requests that the test made to fail.
    unexpected = [t for t in errors if "Failed to load resource" not in t and "WebSocket" not in t and "ERR_" not in t]
    assert unexpected == []


def pytest_configure(config):
    config.addinivalue_line("markers", "books(n): how many books the library has at the start")
    config.addinivalue_line("markers", "at_once: sure books of a scan are added at once, as by default")
    config.addinivalue_line("markers", "sizes(names): which of phone and desktop; both, if it is not there")


class Shelflist:
    """The real server with the real reader, in its own data folder."""

    def __init__(self, folder, dumps, *options, binary=None):
        self.folder, self.dumps, self.options, self.port, self.process, self.code = folder, dumps, options, 0, None, None
        named = os.environ.get("SHELFLIST_BINARY")
        self.binary = binary or (Path(named) if named else ROOT / ".build/release/shelflist")
        if not self.binary.exists():
            if named or os.environ.get("CI"):
                raise FileNotFoundError(f"{self.binary} is missing: build it first (make build).")
            pytest.skip("there is no built shelflist here (make build)")
        self.start()

    def run(self, *arguments):
        """Runs another command."""
        subprocess.run([self.binary, *arguments], check=True, capture_output=True, timeout=60)

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "serve", "--port", str(self.port), "--data", self.folder, "--web-root", ROOT / "Web", *self.options],
            env={**os.environ, "SHELFLIST_DUMPS_URL": self.dumps}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found and "is at" in line:
                self.port = int(found[1])
                break
        else:
            raise RuntimeError("the server did not start")
        threading.Thread(target=self.drain, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.port}"

    def drain(self):
        """Reads the pipe to its end, and the set-up code of a server without an owner."""
        for line in self.process.stdout:
            found = re.search(r"set-up code (\S+)", line)
            self.code = found[1] if found else self.code

    def give_catalog(self, rows):
        """Imports records (title, author, ISBN) into the server's catalog, and restarts it."""
        records = Path(self.folder).parent / "records.csv"
        with records.open("w", newline="") as file:
            csv.writer(file).writerows([("Title", "Author", "ISBN"), *rows])
        self.stop()
        self.run("catalog", "import", records, "--catalog", Path(self.folder) / "catalog.sqlite")
        self.start()

    def kill(self):
        self.process.kill()
        self.process.wait(20)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def dumps(tmp_path):
    """The address of a server with dumps of three books, so that no test asks Open Library."""
    folder = tmp_path / "dumps"
    folder.mkdir()

    def write(kind, entries):
        lines = (f"/type/{kind}\t{key}\t1\t2026-01-01T00:00:00\t{json.dumps(body)}\n" for key, body in entries)
        (folder / f"ol_dump_{kind}s_latest.txt.gz").write_bytes(gzip.compress("".join(lines).encode()))

    titles = ["Emma", "Middlemarch", "Dune"]
    author = {"key": "/authors/OL1A"}
    write("edition", ((f"/books/OL{n}M", {"title": title, "works": [{"key": f"/works/OL{n}W"}], "authors": [author]}) for n, title in enumerate(titles, 1)))
    write("work", ((f"/works/OL{n}W", {"title": title, "authors": [{"author": author}]}) for n, title in enumerate(titles, 1)))
    write("author", [("/authors/OL1A", {"name": "A Writer"})])
    files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietFiles, directory=folder))
    threading.Thread(target=files.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{files.server_address[1]}/"
    files.shutdown()
    files.server_close()


@pytest.fixture
def real(tmp_path, dumps):
    running = Shelflist(tmp_path / "data", dumps)
    yield running
    running.stop()


@pytest.fixture
def real_app(page, real, request):
    """The app on the real server, without a source."""
    return entered(page, real, asks=asks_first(request))


def entered(page, real, answer="Stay offline", asks=True):
    """Creates the owner in the browser, answers the question for a source, and returns the app. `asks` is the setting Ask
    before adding."""
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("response", lambda r: errors.append(f"{r.status} {r.request.method} {r.url}") if r.status >= 400 else None)
    page.set_default_timeout(20_000)
    page.goto(f"{real.address}/#/library")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill("a shelf of one's own")
    page.get_by_role("button", name="Create account").click()
    # Hashing the password takes seconds on a busy machine.
    page.get_by_role("button", name=answer).click(timeout=60_000)
    expect(page.locator(".empty")).to_contain_text("No books yet")
    if asks:
        page.evaluate("""async () => {
            const api = await import('./lib/api.js');
            await api.changeSettings({ askBeforeAdding: true }, (await api.settings()).etag);
        }""")
    page.open = lambda path: page.goto(f"{real.address}/#{path}")
    page.errors = errors
    return page
