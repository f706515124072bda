"""What the tests of package, image and tarball share: a running server, and scanning through its API."""
import http.cookiejar
import json
import pathlib
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PHOTO = pathlib.Path(__file__).resolve().parents[2] / "Examples/shelf.jpg"
RUNNING = []


def expect(condition, message):
    if not condition:
        raise SystemExit(f"package test: {message}.")


def step(text):
    print(f"  {text}", flush=True)


class Service:
    """A server that was started by the command that `command` returns for a free port."""

    def __init__(self, command):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.log = tempfile.NamedTemporaryFile("w+", suffix=".log")
        self.process = subprocess.Popen(command(port), stdout=self.log, stderr=self.log)
        RUNNING.append(self.process)
        self.address, self.authority = f"http://127.0.0.1:{port}", None
        self.tls = ssl.create_default_context()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), urllib.request.HTTPSHandler(context=self.tls))

    def use_https(self, authority, base_path):
        """From now on asks over HTTPS; `authority` is the file that the server writes its authority to."""
        self.address = self.address.replace("http:", "https:") + base_path
        self.authority = authority

    def text(self):
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def call(self, method, path, body=None, kind="application/json", api="/api/v1"):
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{api}{path}", data, {"Content-Type": kind}, method=method)
        with self.opener.open(request, timeout=60) as answer:
            content = answer.read()
            return json.loads(content) if "json" in answer.headers["Content-Type"] else content

    def wait(self):
        for _ in range(600):
            expect(self.process.poll() is None, f"the server ended:\n{self.text()}")
            try:
                if self.authority and self.authority.exists():
                    self.tls.load_verify_locations(self.authority)
                return self.call("GET", "/health", api="")
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise SystemExit(f"package test: the server did not answer within a minute:\n{self.text()}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(30) == 0, f"the server ended with {self.process.returncode}:\n{self.text()}")


def end_all():
    for process in RUNNING:
        process.kill()
        process.wait()


def scan(service):
    """Returns the books of the example photo, which are added to the library."""
    form = (b"--b\r\nContent-Disposition: form-data; name=\"import\"\r\n\r\ntrue\r\n"
            b"--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n"
            + PHOTO.read_bytes() + b"\r\n--b--\r\n")
    job = service.call("POST", "/scans", form, "multipart/form-data; boundary=b")["jobId"]
    for _ in range(1200):
        if service.call("GET", f"/scans/{job}")["finishedAt"]:
            return service.call("GET", f"/scans/{job}/results")["books"]
        time.sleep(0.1)
    raise SystemExit(f"package test: the photo was not read within two minutes:\n{service.text()}")


def library(service):
    """Returns what has to be kept: books with their photos, and who signed in."""
    books = [service.call("GET", f"/library/{item['id']}") for item in service.call("GET", "/library?limit=100")["items"]]
    return sorted(books, key=lambda book: book["id"])
