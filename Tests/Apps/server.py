"""A server for the apps, and an app that knows nothing but the address of its key."""
import faulthandler
import json
import os
import pathlib
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from servers import ROOT, RealServer, TestServer  # noqa: E402

PHOTO = (ROOT / "Examples/shelf.jpg").read_bytes()
IS_REAL = bool(os.environ.get("SHELFLIST_REAL"))
# Seconds after which a test that hangs ends the run, with the stacks of all threads.
LIMIT = 600


def start(folder, *options):
    """Starts a server in a data folder, with a catalog of one book."""
    data = pathlib.Path(folder, "data")
    data.mkdir()
    running = (RealServer if IS_REAL else TestServer)(data, *options)
    running.give_catalog([("Emma", "Jane Austen", "9780141439587")])
    return running


class AppTest(unittest.TestCase):
    """Tests with one server."""
    # All tests of a class are one client, which uploads and asks more than an app does in a minute.
    options = ("--requests-per-minute", "1000")

    @classmethod
    def setUpClass(cls):
        cls.start_server(cls)

    def start_server(self):
        """Starts the server of a class, or of one test."""
        clean_up = self.addClassCleanup if isinstance(self, type) else self.addCleanup
        folder = tempfile.TemporaryDirectory()
        clean_up(folder.cleanup)
        self.server = start(folder.name, *self.options)
        clean_up(self.server.close)

    def setUp(self):
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)

    def hold(self):
        """Has photos held while their text is read, so that a test can act in the middle; the real reader takes seconds."""
        if not IS_REAL:
            self.server.hold(share=0.4)
            self.addCleanup(self.release)

    def release(self):
        if not IS_REAL:
            self.server.release()


def connect(server, name):
    """Returns the address for an app, as *Connect an app* in the settings shows it."""
    path = json.loads(server.run("apps", "add", name, "--format", "json", "--data", server.folder))["path"]
    return f"{server.address}{path}"


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


def request(method, address, body=None, kind="application/json", **headers):
    """Sends one request; any status is an answer."""
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(address, data, method=method, headers=headers)
    if data is not None:
        asked.add_header("Content-Type", kind)
    try:
        with urllib.request.urlopen(asked) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read())


def socket_address(address):
    return address.replace("http", "ws", 1)
