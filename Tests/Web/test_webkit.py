"""The same flow in a second engine, WebKitGTK, by file input, driven by the W3C WebDriver protocol."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

import pytest
from conftest import SHELF
from ports import Port

# Seconds after which a driver that answers nothing is started again, and one that does not end is killed.
SESSION_LIMIT, END_LIMIT = 60, 10
# Milliseconds that a script may wait: guard.py ends what hangs.
SCRIPT_LIMIT = 600_000
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class WebKit:
    def __init__(self):
        browser = next(iter(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")), None)
        if not browser or not shutil.which("WebKitWebDriver") or not shutil.which("Xvfb"):
            raise FileNotFoundError("webkit2gtk-driver and xvfb are missing: Scripts/setup/setup.sh test")
        self.session = self.driver = self.screen = None
        self.words = tempfile.TemporaryFile("w+")
        options = {"binary": browser, "args": ["--automation"]}
        self.port = Port()
        for _ in range(4):
            if self.begin(options):
                return
        self.words.seek(0)
        raise RuntimeError(f"WebKitWebDriver gave no session in four tries. It said: {self.words.read()[-2000:]}")

    def open_screen(self):
        """Starts a display for each attempt. Yields its environment."""
        ready, told = os.pipe()
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(told), "-screen", "0", "1280x900x24", "-nolisten", "tcp"], pass_fds=[told],
                                       stdout=self.words, stderr=self.words)
        os.close(told)
        # To the end of the line: the number and the end come in two writes, and a pipe closed between them stops the screen.
        with os.fdopen(ready) as answer:
            display = answer.readline().strip()
        return {**os.environ, "DISPLAY": f":{display}", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1",
                "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}

    def begin(self, options):
        """One try; on a busy machine the browser's processes sometimes wait for each other forever."""
        # With a bus of its own: the engine's processes find each other by it, and one that is not there is waited for.
        bus = ["dbus-run-session", "--"] if shutil.which("dbus-run-session") else []
        self.driver = subprocess.Popen([*bus, "WebKitWebDriver", f"--port={self.port.number}"], stdout=self.words, stderr=self.words,
                                       start_new_session=True, env=self.open_screen())
        # A session asked for too early is never answered.
        self.port.wait_until_open(self.driver)
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options, "timeouts": {"script": SCRIPT_LIMIT}}}}
        try:
            self.session = self.ask("POST", "/session", wanted, SESSION_LIMIT)["sessionId"]
            return True
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error
        except OSError:
            self.end_driver()
            return False

    def end_driver(self):
        if self.driver and self.driver.poll() is None:
            os.killpg(self.driver.pid, signal.SIGTERM)
            try:
                self.driver.wait(END_LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(self.driver.pid, signal.SIGKILL)
                self.driver.wait()
        if self.screen:
            self.screen.terminate()
            self.screen.wait()

    def ask(self, method, path, body=None, limit=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port.number}{path}", method=method, data=json.dumps(body or {}).encode() if method == "POST" else None,
                                         headers={"content-type": "application/json"})
        with urllib.request.urlopen(request, None, limit) as answer:
            return json.load(answer)["value"]

    def do(self, method, path, body=None):
        return self.ask(method, f"/session/{self.session}{path}", body)

    def run(self, script):
        return self.do("POST", "/execute/sync", {"script": script, "args": []})

    def until(self, script):
        """Waits until a piece of JavaScript says something true, and returns that."""
        return self.do("POST", "/execute/async", {"args": [], "script": f"""
            const done = arguments[arguments.length - 1];
            const look = () => {{ const value = {script}; if (value) done(value); else setTimeout(look, 50); }};
            look();"""})

    def press(self, words):
        self.until(f"[...document.querySelectorAll('button, a')].some((e) => e.checkVisibility() && e.textContent.trim().match({words!r}))")
        self.run(f"[...document.querySelectorAll('button, a')].filter((e) => e.checkVisibility() && e.textContent.trim().match({words!r})).at(-1).click()")

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", f"/session/{self.session}")
        finally:
            self.end_driver()
            self.port.close()


@pytest.fixture
def webkit():
    running = WebKit()
    yield running
    running.close()


@pytest.mark.reads
def test_the_whole_way_in_webkit(webkit, empty_server):
    webkit.do("POST", "/url", {"url": f"{empty_server.address}/#/library"})
    webkit.press("^Later$")
    webkit.press("^Work offline")
    webkit.until("document.querySelector('.empty')?.textContent.includes('No books yet')")
    webkit.run("location.hash = '/scan'")
    webkit.until("document.querySelector('.primer')")
    field = webkit.do("POST", "/element", {"using": "css selector", "value": "input[type=file]:not([capture])"})[ELEMENT]
    webkit.run("document.querySelector('input[type=file]:not([capture])').hidden = false")
    webkit.do("POST", f"/element/{field}/value", {"text": str(SHELF)})
    if webkit.until("document.querySelector('dialog[open] .btn.main') ? 'asks' : /progress|results/.test(document.querySelector('main > *').className) && 'reads'") == "asks":
        webkit.press("^Use photo$")
    found = webkit.until("document.querySelector('.results-panel h1')?.textContent")
    assert int(re.match(r"(\d+) spines found", found)[1]) >= 23
    webkit.until("/[0-9]+ added, [0-9]+ to check/.test(document.querySelector('.undo')?.textContent)")
    webkit.run("location.hash = '/review'")
    waiting = webkit.until("document.querySelector('.queue-card[data-item]') && Number(document.querySelector('sl-review').dataset.left)")
    webkit.run("document.querySelector('.thumb-dock [data-key=yes], .queue-actions .yes').click()")
    webkit.until(f"document.querySelector('sl-review').dataset.left === '{waiting - 1}'")
    webkit.run("location.hash = '/library'")
    webkit.until("document.querySelectorAll('.cell a').length > 5")
    webkit.until("document.querySelector('.cell .made.with-spine canvas.drawn')")
