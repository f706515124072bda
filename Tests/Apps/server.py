"""The real server, and an app that knows nothing but the address of its key."""
import json
import os
import pathlib
import re
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHOTO = (ROOT / "Examples/shelf.jpg").read_bytes()


class Server:
    """`shelflist serve` in a data folder, with a catalog of one book."""

    def __init__(self, folder, *options):
        self.folder, self.options, self.port = folder, options, 0
        self.binary = pathlib.Path(os.environ.get("SHELFLIST_BINARY") or ROOT / ".build/release/shelflist")
        records = pathlib.Path(folder, "records.csv")
        records.write_text("Title,Author,ISBN\nEmma,Jane Austen,9780141439587\n")
        self.run("catalog", "import", records, "--catalog", pathlib.Path(folder, "catalog.sqlite"))
        self.start()

    def run(self, *arguments):
        return subprocess.run([self.binary, *arguments], check=True, capture_output=True, timeout=60).stdout

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "serve", "--port", str(self.port), "--data", self.folder, *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log = []
        for line in self.process.stdout:
            log.append(line)
            found = re.search(r"is at http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                # Drains the pipe.
                threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True).start()
                return
        raise RuntimeError("the server did not start: " + "".join(log))

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()

    def connect(self, name):
        """Returns the address for an app, as Settings, Connect an app shows it."""
        path = json.loads(self.run("apps", "add", name, "--format", "json", "--data", self.folder))["path"]
        return f"http://127.0.0.1:{self.port}{path}"


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
        with urllib.request.urlopen(asked, timeout=70) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read())


def socket_address(address):
    return address.replace("http", "ws", 1)
