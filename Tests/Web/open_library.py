"""Open Library with the books of the example, for tests. As there, every word of a query has to occur."""
import json
import re
import threading
import unicodedata
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from pictures import TRUTH


def words(text):
    text = unicodedata.normalize("NFKD", text.casefold())
    return set(re.findall(r"[^\W_]+", "".join(c for c in text if not unicodedata.combining(c))))


# The words of each book by field.
BOOKS = [({"title": words(b["title"]), "author": words(b["author"] or ""), "isbn": {b["isbn"] or ""}}, b) for b in TRUTH["books"]]


def matches(known, query):
    """Whether a book has all words of a query in one of its alternatives, `field:words OR words`."""
    for alternative in re.split(r"\bOR\b", query):
        rest, isMet = re.sub(r"\bAND\b", " ", alternative.replace("\\", "")), True
        for field, quoted, grouped, word in re.findall(r'(\w+):(?:"([^"]*)"|\(([^)]*)\)|(\S+))', rest):
            wanted = words(quoted or grouped or word)
            isMet &= wanted <= known.get({"author_name": "author"}.get(field, field), set())
        rest = re.sub(r'\w+:(?:"[^"]*"|\([^)]*\)|\S+)', " ", rest)
        if isMet and words(rest) <= known["title"] | known["author"] and words(alternative):
            return True
    return False


class Handler(BaseHTTPRequestHandler):
    """Questions about spines wait for `gate`."""
    gate: threading.Event
    asked: list
    # A word of the lookups of details that wait for the gate, too; and one of those that fail.
    late: str | None = None
    broken: str | None = None
    publisher: str | None = None
    # The cover of every book; none if there is no picture.
    cover: bytes | None = None

    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        self.asked.append(self.path)
        asked = words(query.get("q", ""))
        # Only a question about spines has groups of words.
        if "(" in query.get("q", "") or self.late in asked:
            self.gate.wait()
        elif self.broken in asked:
            return self.send_error(500)
        if url.path.startswith("/b/") and self.cover:
            return self.reply(self.cover, "image/jpeg")
        if url.path != "/search.json":
            return self.reply({})
        found = [(n, book) for n, (known, book) in enumerate(BOOKS) if (self.titles is None or book["title"] in self.titles)
                 and ("q" not in query or matches(known, query["q"])) and all(words(query.get(f, "")) <= known[f] for f in ("title", "author"))]
        docs = [{"key": f"/works/OL{n}W", "title": b["title"], "author_name": [b["author"]], "isbn": [b["isbn"]] if b["isbn"] else [],
                 **({"cover_i": n + 1} if self.cover else {}), **({"publisher": [self.publisher]} if self.publisher else {})} for n, b in found]
        self.reply({"numFound": len(docs), "start": 0, "docs": docs[:int(query.get("limit", 100))]})

    def reply(self, body, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass  # the server that asked has ended

    def log_message(self, *_):
        pass


@contextmanager
def serving(titles=None):
    """Serves the books of the example, or those with these titles. Yields a class with `address`, `asked` (paths) and `gate`
    (an event): it answers questions about spines once that is set."""
    handler = type("Handler", (Handler,), {"gate": threading.Event(), "asked": [], "titles": titles})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    handler.address = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield handler
    handler.gate.set()
    server.shutdown()
    server.server_close()


@contextmanager
def running(monkeypatch, titles=None):
    """The same for servers that start later."""
    with serving(titles) as handler:
        monkeypatch.setenv("SHELFLIST_OPENLIBRARY_URL", handler.address)
        yield handler
