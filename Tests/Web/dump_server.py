"""Open Library's dumps, for tests: of numbered books, with sizes, pauses and faults on command."""
import json
import threading
import zlib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BOOKS = 24_000
LANGUAGES = ("eng", "ger", "fre")
DATE = "2026-10-31"


def kept(languages, isbn):
    """How many of the books are in these languages (all, if there are none) and, where `isbn`, have an ISBN."""
    return sum((not languages or language(n) in languages) and (not isbn or has_isbn(n)) for n in range(1, BOOKS + 1))


def language(n):
    return LANGUAGES[n % 3]


def has_isbn(n):
    return n % 2 == 0


def isbn(n):
    digits = f"979{n:09}"
    return digits + str(-sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10)


def lines(kind):
    """The lines of a dump."""
    author = {"key": "/authors/OL1A"}
    for n in range(1, BOOKS + 1):
        if kind == "edition":
            key, body = f"/books/OL{n}M", {"works": [{"key": f"/works/OL{n}W"}], "authors": [author], "languages": [{"key": f"/languages/{language(n)}"}]}
            body |= {"isbn_13": [isbn(n)]} if has_isbn(n) else {}
        else:
            key, body = f"/works/OL{n}W", {"authors": [{"author": author}]}
        yield f"/type/{kind}\t{key}\t1\t2026-01-01T00:00:00\t{json.dumps({'title': f'Book {n}', **body})}\n"


def compressed(kind):
    """The two halves of a dump. The first can be read without the second."""
    text = list(lines(kind)) if kind != "author" else ["/type/author\t/authors/OL1A\t1\t2026-01-01T00:00:00\t{\"name\": \"A Writer\"}\n"]
    packer, middle = zlib.compressobj(1, wbits=31), len(text) // 2
    first = packer.compress("".join(text[:middle]).encode()) + packer.flush(zlib.Z_FULL_FLUSH)
    return first, packer.compress("".join(text[middle:]).encode()) + packer.flush()


class Handler(BaseHTTPRequestHandler):
    """Redirects to files with a date, as Open Library does."""
    files: dict
    # Set: answers. Else questions wait.
    answers: threading.Event
    # Set: sends whole files. Else downloads wait in the middle of the editions.
    sends: threading.Event
    asked: list
    # The bytes of each file that the server claims to have, instead of the real ones.
    claimed: int | None = None
    # Closes connections without an answer.
    is_down = False
    # Sends a web page in place of each file.
    is_page = False

    def do_HEAD(self):
        self.asked.append(self.path)
        self.answers.wait()
        self.begin()

    def do_GET(self):
        self.asked.append(self.path)
        if self.is_page:
            return self.head(200, [("content-type", "text/html"), ("content-length", "0")])
        for part in self.begin():
            self.wfile.write(part)
            self.wfile.flush()
            if "edition" in self.path:
                self.sends.wait()

    def begin(self):
        """Sends the head of an answer, and returns the parts of its body."""
        if self.is_down:
            self.close_connection = True
            return ()
        if "latest" in self.path:
            self.head(302, [("location", self.path.replace("latest", DATE)), ("content-length", "0")])
            return ()
        parts = next(parts for kind, parts in self.files.items() if kind in self.path)
        self.head(200, [("content-type", "application/gzip"), ("content-length", str(self.claimed or sum(map(len, parts))))])
        return parts

    def head(self, status, headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True  # the download was stopped

    def log_message(self, *_):
        pass


FILES = {}


@contextmanager
def running(monkeypatch, folder="data"):
    """Serves dumps to servers that start later. Yields a class with `answers` and `sends` (events), `claimed`, `is_down`, `is_page`,
    and with `bytes` (of all files), `half` (after which downloads wait) and `asked` (paths)."""
    for kind in ("edition", "work", "author"):
        if kind not in FILES:
            FILES[kind] = compressed(kind)
    handler = type("Handler", (Handler,), {"files": FILES, "answers": threading.Event(), "sends": threading.Event(), "asked": []})
    handler.bytes, handler.half = sum(len(part) for parts in FILES.values() for part in parts), len(FILES["edition"][0])
    handler.answers.set()
    handler.sends.set()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("SHELFLIST_DUMPS_URL", f"http://127.0.0.1:{server.server_address[1]}/{folder}/")
    yield handler
    handler.answers.set()
    handler.sends.set()
    server.shutdown()
    server.server_close()
