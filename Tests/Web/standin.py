#!/usr/bin/env python3
"""A stand-in for Shelflist's server in the tests of the web app. It reads no photo and is never shipped.

Its answers are made from the example's labels (Examples/shelf.json). test_standin.py checks them against
docs/api/openapi.json and the real server. POST /test/faults makes requests fail.
"""
import base64
import functools
import hashlib
import hmac
import json
import random
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import uuid
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "Web"
TRUTH = json.loads((ROOT / "Examples/shelf.json").read_text())
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".webmanifest": "application/manifest+json"}
CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
       "worker-src 'self'; manifest-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
STAGE = 0.02
NOW = "2026-11-20T10:00:00Z"
LIMITS = {"photoBytes": 20_000_000, "photoPixels": 100_000_000, "photosPerJob": 5, "jobsInFlight": 10, "requestsPerMinute": 60,
          "jsonBytes": 1_000_000, "csvBytes": 50_000_000, "csvRows": 200_000, "resultHours": 24}
TIMINGS = {"decode": 0.1, "detect": 0.3, "recognise": 0.4, "group": 0.1, "match": 0.1}
QUALITY = {"sharpness": 0.9, "exposure": 0.5, "glare": 0, "tilt": 0, "suggestions": []}


class World:
    def __init__(self, books=0):
        self.lock = threading.Condition()
        self.jobs, self.keys, self.faults, self.undos = {}, {}, {}, {}
        self.shelves = [{"id": f"s{i + 1}", "name": n} for i, n in enumerate(["Hall shelf", "Study, left", "Bedroom"])]
        self.entries, self.detections = {}, {}
        self.changes, self.changed = [], 0
        # Rows of lists that did not become books, and the search for missing records and covers.
        self.failed_rows, self.find = {}, {"status": "idle", "total": 0, "done": 0, "completed": 0, "failures": [], "undoToken": None}
        self.previews = 0
        # Reports on detections; covers by their name.
        self.reports, self.covers, self.installed = [], {}, None
        self.settings = {"threshold": 0.6, "reader": "local", "isReaderConfigured": False, "assistReader": "gemini", "keepShelfPhotos": True, "keepShelfPictures": True, "updateCatalog": False, "askBeforeAdding": False, "sourceChosen": True}
        self.providers = [
            {"id": "openlibrary", "name": "Open Library", "enabled": True, "hasKey": False, "state": "ok"},
            {"id": "isbndb", "name": "ISBNdb", "enabled": False, "hasKey": True, "state": "off"}]
        self.setup_needed = False
        self.second_factor, self.last_period, self.confirmed = False, 0, True
        self.sessions = [
            {"id": "s1", "current": True, "agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "address": "192.0.2.7", "createdAt": NOW, "lastUsedAt": NOW},
            {"id": "s2", "current": False, "agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1", "address": "192.0.2.8", "createdAt": NOW, "lastUsedAt": NOW},
        ]
        self.member = MEMBER
        self.open_id = None
        self.settings_revision = 1
        self.readers = [{"id": "gemini", "name": "Gemini", "model": "gemini-3.8-flash", "host": "generativelanguage.googleapis.com", "hasKey": False, "needsKey": True, "agreed": False},
                        {"id": "openai", "name": "OpenAI", "model": "gpt-5.4-mini", "host": "api.openai.com", "hasKey": False, "needsKey": True, "agreed": False}]
        self.apps = {}
        # The catalog on disk, the download, and when the dumps' server was asked. Faults "dumps" say how it answers.
        self.catalog, self.download, self.asked_dumps = None, None, None
        self.next, self.spines = 1, 0
        if books:
            rng = random.Random(7)
            people = "Italo Calvino,Eleanor Catton,Susanna Clarke,Joseph Conrad,George Eliot,R. F. Kuang,Hilary Mantel,Toni Morrison,Ursula K. Le Guin,Olga Tokarczuk,Mikhail Bulgakov,W. G. Sebald".split(",")
            words = "Cities,House,River,Winter,Glass,Garden,Night,Letters,Stone,Light,Island,Memory,Roads,Salt,Field".split(",")
            for i in range(books):
                self.add({"title": f"{rng.choice(['The', 'A', 'Invisible', 'Last', 'Quiet'])} {rng.choice(words)}{'' if i < 60 else f' {i}'}",
                          "authors": [rng.choice(people)], "year": rng.randint(1890, 2024), "shelf": rng.choice(["s1", "s2", "s3", None]),
                          "readingStatus": rng.choice(["toRead", "reading", "read", None])})

    def rows(self):
        return {"entries": self.entries, "detections": self.detections, "failed_rows": self.failed_rows}

    @contextmanager
    def action(self, token=None):
        """Records what the block changes of books, so that it can be undone; yields a dictionary that gets the token."""
        before = {table: {i: dict(row) for i, row in rows.items()} for table, rows in self.rows().items()}
        done = {"undoToken": None}
        yield done
        changes = [(table, i, before[table].get(i), dict(rows[i]) if i in rows else None)
                   for table, rows in self.rows().items() for i in {**before[table], **rows} if differ(before[table].get(i), rows.get(i))]
        if changes:
            done["undoToken"] = token or uuid.uuid4().hex
            self.undos.setdefault(done["undoToken"], []).extend(changes)

    def undo(self, token):
        """Returns the number of books changed back, or what is wrong."""
        changes = self.undos.get(token)
        if not changes:
            return "This action has already been undone." if changes == [] else "This action is too old to be undone. Change the books by hand."
        last = {(table, i): after for table, i, _, after in changes}
        if any(differ(self.rows()[table].get(i), after) for (table, i), after in last.items()):
            return ("This cannot be undone: a later action changed the same books. Undo the later action first, or correct the books by hand.")
        for table, i, before, _ in reversed(changes):
            now = self.rows()[table].pop(i, None)
            if before:
                self.rows()[table][i] = {**before, "revision": max(before["revision"], (now or before)["revision"]) + 1}
        self.undos[token] = []
        return len({i for (table, i) in last if table == "entries"}) or 1

    def add_books(self, job, books, shelf=None):
        """Adds books of a job that it has not added yet."""
        made = []
        for book in books:
            d = self.detection(job, book)
            if not d:
                edit = job["edits"].get(book["id"], {})
                # A spine on the recorded shelf of a copy is that copy.
                here = next((x for x in self.entries.values() if shelf and x["shelf"] == shelf and x["title"] == book["title"]), None)
                e = here or self.add({"title": edit.get("title") or book["title"] or "?", "authors": edit.get("authors") or ([book["author"]] if book["author"] else []), "isbn": edit.get("isbn") or book.get("isbn"),
                              "reviewStatus": "userEdited" if edit.get("title") or edit.get("authors") or edit.get("isbn") else book["reviewStatus"],
                              "confidence": book["confidence"], "checked": book["checked"], "shelf": shelf})
                i, self.spines = f"d{self.spines + 1}", self.spines + 1
                d = self.detections[i] = {"id": i, "entry": e["id"], "book": book, "job": job["id"], "revision": 1}
            if d["entry"] in self.entries:
                made.append({"bookId": book["id"], "entryId": d["entry"], "detectionId": d["id"], "reviewStatus": self.entries[d["entry"]]["reviewStatus"]})
        return made

    def detection(self, job, book):
        return next((d for d in self.detections.values() if d["job"] == job["id"] and d["book"]["id"] == book["id"]), None)

    def state(self, job, book):
        """What became of a book of a scan."""
        nothing = dict.fromkeys(("entryId", "detectionId", "reviewStatus", "title", "author", "isbn"))
        d, edit = self.detection(job, book), job["edits"].get(book["id"], {})
        if not d:
            return nothing | {"state": "rejected" if edit.get("rejected") else "open", "title": edit.get("title"), "isbn": edit.get("isbn"),
                              "author": ", ".join(edit["authors"]) if edit.get("authors") else None}
        e = self.entries.get(d["entry"])
        if not e:
            return nothing | {"state": d.get("outcome", "removed"), "detectionId": d["id"]}
        return {"state": "review" if e["reviewStatus"] == "needsReview" else "added", "entryId": e["id"], "detectionId": d["id"], "reviewStatus": e["reviewStatus"],
                "title": e["title"], "author": ", ".join(e["authors"]), "isbn": e["isbn"]}

    def add(self, fields):
        i = self.next
        self.next += 1
        i = f"e{i}"
        self.entries[i] = {"id": i, "workId": "w" + i, "title": "", "subtitle": None, "authors": [], "isbn": None, "year": None,
                           "coverUrl": None, "cropUrl": None, "ownership": "owned", "readingStatus": None, "rating": None,
                           "shelf": None, "reviewStatus": "verified", "tags": [],
                           "addedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "revision": 1, **fields}
        return self.entries[i]

    def entry(self, e, whole=False):
        """Returns an entry as in a list, or with all details."""
        shelf = next(({"id": s["id"], "name": s["name"]} for s in self.shelves if s["id"] == e["shelf"]), None)
        out = {**{k: v for k, v in e.items() if k not in ("revision", "notes", "publisher", "pages", "found", "loan", "hadCover") and (k not in ("confidence", "checked") or e[k] is not None and (whole or e["reviewStatus"] == "needsReview"))}, "author": ", ".join(e["authors"]), "etag": f"r{e['revision']}", "shelf": shelf}
        seen = next((d for d in self.detections.values() if d["entry"] == e["id"]), None)
        out["cropUrl"] = seen and f"/api/v1/detections/{seen['id']}/crop"
        if whole:
            out |= {k: e[k] for k in ("notes", "publisher", "pages", "loan") if e.get(k) is not None} | {"copies": 1}
            if edition := edition_of(e):
                out["editionId"] = edition["id"]
            if seen:
                photo = photo_id(seen)
                out["position"] = {"photoId": photo, "photoUrl": f"/api/v1/photos/{photo}/image", "detectionId": seen["id"], "boundingBox": seen["book"]["boundingBox"], "quad": seen["book"]["quad"]}
        return out

    def job(self):
        j = {"id": uuid.uuid4().hex, "token": uuid.uuid4().hex, "events": [], "photos": {}, "results": [], "expected": 1, "state": "queued", "edits": {}, "adds": False, "shelf": None}
        self.jobs[j["id"]] = j
        return j

    def tell(self, job, kind, **data):
        with self.lock:
            job["events"].append({"id": len(job["events"]) + 1, "jobId": job["id"], "time": NOW, "type": kind, "data": data})
            self.lock.notify_all()

    def read(self, job):
        time.sleep(STAGE)
        for n in range(1, job["expected"] + 1):
            with self.lock:
                if not self.lock.wait_for(lambda: n in job["photos"] or job["state"] == "canceled", timeout=30):
                    break
            if job["state"] == "canceled":
                return
            self.tell(job, "progress", stage="analyzing", progress=0.2, message="Looking for spines", photo=n)
            self.tell(job, "photo", **job_photo(job, n, "reading"))
            books = [b for b in books_of(job["id"], n) if b["title"] not in self.faults.get("without", [])]
            if self.faults.get("no source"):
                for book in books:
                    book |= {"checked": False, "confidence": min(book["confidence"], 0.59), "reviewStatus": "needsReview", "matches": []}
            time.sleep(self.faults.get("slow", STAGE))
            self.tell(job, "segmented", totalBooks=len(books), photo=n, image=f"/api/v1/scans/{job['id']}/photos/{n}/segmented", spines=[{"quad": b["quad"], "boundingBox": b["boundingBox"]} for b in books])
            for i, book in enumerate(books):
                if job["state"] == "canceled":
                    return
                time.sleep(self.faults.get("slow", STAGE))
                self.tell(job, "book_progress", current=i + 1, total=len(books), stage="identified", photo=n)
                self.tell(job, "result", book=book, photo=n)
            job["results"].append(books)
            self.tell(job, "photo", **job_photo(job, n, "done"))
            if job["adds"]:
                with self.lock, self.action(job["id"]):
                    made = self.add_books(job, books, job["shelf"])
                unsure = sum(x["reviewStatus"] == "needsReview" for x in made)
                self.tell(job, "imported", photo=n, entries=len(made), needsReview=unsure, duplicates=0)
        if self.faults.get("enrich"):
            self.enrich(job)
        job["state"] = "completed"
        job["asking"] = bool(self.faults.get("ask"))
        self.tell(job, "completed", resultsUrl=f"/api/v1/scans/{job['id']}/results", summary=summary_of(job))
        if job["asking"]:
            self.ask(job)

    def ask(self, job):
        """Answers about the least sure books of the first photo, as many as the fault says, and removes the next, once the
        fault is cleared."""
        with self.lock:
            count = int(self.faults.get("ask", 1))
            self.lock.wait_for(lambda: not self.faults.get("ask"), timeout=30)
        books = sorted(job["results"][0], key=lambda b: b["confidence"])
        sure, gone = books[:count], books[count]
        for book in sure:
            truth = TRUTH["books"][int(book["id"].rsplit("-", 1)[1]) - 1]
            book |= {"title": truth["title"], "author": truth["author"], "confidence": 0.96, "checked": True, "reviewStatus": "verified",
                     "matches": [{"title": truth["title"], "subtitle": None, "author": truth["author"], "isbn": book["isbn"], "confidence": 0.96, "source": "openlibrary"}]}
            self.change_untouched(job, book, {k: book[k] for k in ("title", "author", "isbn")})
        job["results"][0].remove(gone)
        self.change_untouched(job, gone, None)
        self.tell(job, "updated", photo=1, books=[{**book, "tier": "ready", "source": "openlibrary"} for book in sure], removed=[gone["id"]])
        job["asking"] = False

    def change_untouched(self, job, book, after):
        """Changes what was imported of a book, or removes it, if no person has touched it."""
        d = next((d for d in self.detections.values() if d["job"] == job["id"] and d["book"]["id"] == book["id"]), None)
        e = d and self.entries.get(d["entry"])
        if not e or d["revision"] > 1 or e["revision"] > 1 or e["reviewStatus"] != "needsReview":
            return
        before = dict(e)
        d["revision"] += 1
        if after:
            e |= {"title": after["title"], "authors": [after["author"]], "isbn": after["isbn"], "reviewStatus": "verified"}
        else:
            self.entries.pop(e["id"])
        self.changed += 1
        self.changes.insert(0, {"id": str(self.changed), "detection": d["id"], "before": before, "after": after, "revision": d["revision"], "seen": False})

    def change(self, c):
        """Returns an automatic change as the API does."""
        e, before, d = self.entries.get(c["before"]["id"]), c["before"], self.detections[c["detection"]]
        return {"id": c["id"], "time": NOW, "action": "identified" if c["after"] else "withdrawn", "workId": before["workId"], "entryId": e and e["id"],
                "before": {"title": before["title"], "author": ", ".join(before["authors"]) or None}, "after": c["after"], "source": c["after"] and "openlibrary",
                "reviewStatus": e and e["reviewStatus"], "cropUrl": f"/api/v1/detections/{d['id']}/crop",
                "undoable": d["revision"] == c["revision"] and bool(e) == bool(c["after"]), "seen": c["seen"]}

    def enrich(self, job):
        """Looks up every book, and does not finish while the fault is set."""
        books = [b for photo in job["results"] for b in photo]
        self.tell(job, "progress", stage="enriching", progress=0.5, message=f"Looking up {len(books)} books.")
        self.tell(job, "enrichment_degraded", provider="isbndb", message="ISBNdb does not answer.", retryAfterMs=0)
        for n, book in enumerate(books[:-1]):
            book["enrichment"] = "enriched"
            book["metadata"] = {"publisher": "Example House", "year": 1950 + n, "coverUrl": None, "isbn": book["isbn"]}
            self.tell(job, "enriched", bookId=book["id"], enrichment="enriched", metadata=book["metadata"], current=n + 1, total=len(books))
        with self.lock:
            self.lock.wait_for(lambda: not self.faults.get("enrich"), timeout=30)


def differ(a, b):
    """Whether two rows differ apart from their revisions, which grow with every change."""
    return (a and {**a, "revision": 0}) != (b and {**b, "revision": 0})


def photo_id(detection):
    return f"{detection['job']}-{detection['book']['photo']}"


def crop_url(detection):
    return f"/api/v1/detections/{detection['id']}/crop?v={detection['id']}"


def job_photo(job, n, status):
    base = f"/api/v1/scans/{job['id']}/photos/{n}"
    done = status == "done"
    return {"index": n, "status": status, "name": "a.jpg", "bytes": len(job["photos"].get(n, b"")), "books": len(TRUTH["books"]) if done else None,
            "problem": None, "url": base, "annotatedUrl": f"{base}/annotated"}


def summary_of(job):
    books = [b for page in job["results"] for b in page]
    tiers = [tier(b) for b in books]
    return {"photos": len(job["results"]), "photosFailed": 0, "books": len(books), "seconds": 1.0, "suggestions": [], "duplicatesFolded": 0,
            **{t: tiers.count(t) for t in TIERS}}


def job_of(job):
    base = f"/api/v1/scans/{job['id']}"
    status = {"queued": "running"}.get(job["state"], job["state"])
    over = status in ("completed", "canceled")
    return {"id": job["id"], "status": status, "stage": "completed" if over else "analyzing", "progress": 1 if over else 0.3, "message": "Reading the spines.",
            "photos": [job_photo(job, n, "done" if over else "queued") for n in sorted(job["photos"])], "photosExpected": job["expected"],
            "books": sum(map(len, job["results"])), "needsReview": 0, "imported": job["adds"] and over, "asking": job.get("asking", False), "lastEventId": len(job["events"]),
            "options": {"import": job["adds"], "preprocess": None, "reader": None, "shelf": job["shelf"], "threshold": None, **({"askBeforeAdding": True} if job.get("asks") else {})},
            "createdAt": NOW, "updatedAt": NOW, "finishedAt": NOW if over else None, "expiresAt": NOW if over else None,
            "statusUrl": base, "eventsUrl": f"{base}/events", "resultsUrl": f"{base}/results"}


TIERS = ("needsReview", "verify", "ready", "notChecked")


def tier(book):
    confidence = book["confidence"]
    return "notChecked" if not book["checked"] else "needsReview" if confidence < 0.5 else "verify" if confidence < 0.8 else "ready"


def books_of(job, photo):
    out = []
    rng = random.Random(photo)
    for i, b in enumerate(TRUTH["books"]):
        x, y, w, h = b["box"]
        c = [0.97, 0.99, 0.95, 0.93, 0.88, 0.77, 0.98, 0.31, 0.86, 0.08, 0.91][i % 11]
        title = b["title"] if c > 0.2 else b["title"][:9] + "r"
        box, quad = {"x": x, "y": y, "width": w, "height": h}, [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
        out.append({"id": f"{photo}-book-{i + 1}", "photo": photo, "cropUrl": f"/api/v1/scans/{job}/books/{photo}-book-{i + 1}/crop", "enrichment": "none", "metadata": None,
                    "positions": [{"bookId": f"book-{i + 1}", "photo": photo, "boundingBox": box, "quad": quad}], "title": title, "author": b["author"] if c > 0.2 else "", "isbn": b["isbn"],
                    "confidence": c, "checked": True, "reviewStatus": "verified" if c >= 0.6 else "needsReview",
                    "boundingBox": box, "quad": quad,
                    "text": [{"text": b["title"].upper(), "score": 0.99}, {"text": b["author"], "score": 0.9}],
                    "matches": [{"title": b["title"], "subtitle": None, "author": b["author"], "isbn": b["isbn"], "confidence": c, "source": "openlibrary"}]})
    rng.shuffle(out)
    return out


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world: World
    # Called with each answer: method, path, status, content type, body.
    checked = None

    def log_message(self, *_):
        pass

    def answer(self, value=None, status=200, headers=(), kind="application/json"):
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        status = 204 if value is None and status == 200 else status
        if self.checked and self.path.startswith("/api/v1/"):
            self.checked(self.command, urlsplit(self.path).path, status, kind if body else "", body)
        self.send_response(status)
        if body:
            self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("content-security-policy", CSP)
        self.send_header("cache-control", "no-cache")
        for k, v in headers:
            self.send_header(k, v)
        self.end_headers()
        self.wfile.write(body)

    def problem(self, status, code, detail, **more):
        self.answer({"type": f"openapi.json#{code}", "title": code, "status": status, "detail": detail, "code": code,
                     "retryable": status in (429, 503), **more}, status, kind="application/problem+json")

    def cut(self):
        """Ends the connection without an answer. Closing alone would not: the reading and writing sides keep it open."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def stale(self, etag, required=True):
        """Answers a request whose If-Match is not `etag`, and returns whether it did."""
        given = self.headers.get("if-match")
        if given is None and required:
            self.problem(428, "precondition_required", "Send the ETag that was last seen as If-Match.", field="If-Match")
        elif given is not None and given.strip('"') != etag:
            self.problem(409, "edit_conflict", "Someone else changed this in the meantime.")
        else:
            return False
        return True

    def unknown(self, what="thing"):
        self.problem(404, "not_found", f"There is no such {what}.")

    def body(self):
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def do_GET(self):
        self.route("GET")

    def do_POST(self):
        self.route("POST")

    def do_PUT(self):
        self.route("PUT")

    def do_PATCH(self):
        self.route("PATCH")

    def do_DELETE(self):
        self.route("DELETE")

    def route(self, method):
        url = urlsplit(self.path)
        path, query = unquote(url.path), {k: v[0] for k, v in parse_qs(url.query).items()}
        w = self.world
        if path == "/test/faults":
            with w.lock:
                w.faults = json.loads(self.body() or b"{}")
                w.lock.notify_all()
            return self.answer({})
        fault = w.faults.get(f"{method} {path}")
        if fault:
            self.body()
            fault["times"] = fault.get("times", 1) - 1
            if fault["times"] <= 0:
                w.faults.pop(f"{method} {path}")
            if fault.get("cut"):
                return self.cut()
            return self.problem(fault["status"], fault.get("code", "fault"), fault.get("detail", "This request was made to fail."), retryAfterMs=fault.get("retryAfterMs", 0))
        if path == "/ws/progress":
            return self.socket(query) if not w.faults.get("noSocket") else self.problem(404, "none", "none")
        if not path.startswith("/api/v1/"):
            return self.static(path)
        parts = path[len("/api/v1/"):].split("/")
        for pattern, verb, work in ROUTES:
            match = re.fullmatch(pattern, "/".join(parts))
            if match and verb == method:
                return work(self, w, query, *match.groups())
        self.body()
        self.problem(404, "no_such_route", "There is nothing at this address.")

    def static(self, path):
        file = (WEB / path.lstrip("/")).resolve()
        if path in ("", "/"):
            file = WEB / "index.html"
        if not file.is_relative_to(WEB) or not file.is_file():
            return self.problem(404, "not_found", "There is nothing at this address.")
        self.answer(file.read_bytes(), kind=TYPES.get(file.suffix, "application/octet-stream"))

    def form(self):
        raw = self.body()
        boundary = re.search(r"boundary=(.+)", self.headers["content-type"]).group(1).encode()
        photos, fields = [], {}
        for part in raw.split(b"--" + boundary):
            head, _, data = part.partition(b"\r\n\r\n")
            if b'filename="' in head:
                photos.append(data[:-2])
            elif b'name="' in head:
                fields[re.search(rb'name="([^"]+)"', head).group(1).decode()] = data[:-2].decode()
        return photos, fields

    def events_after(self, job, last, until):
        w = self.world
        with w.lock:
            w.lock.wait_for(lambda: len(job["events"]) > last, timeout=max(0, until - time.time()))
            return job["events"][last:]

    def socket(self, query):
        job = self.world.jobs.get(query.get("jobId", ""))
        if not job:
            return self.problem(404, "not_found", "No such job.")
        key = self.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("upgrade", "websocket")
        self.send_header("connection", "Upgrade")
        self.send_header("sec-websocket-accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        first = self.headers.get("sec-websocket-protocol", "").split(",")[0].strip()
        if first:
            self.send_header("sec-websocket-protocol", first)
        self.end_headers()
        self.close_connection = True
        last, sent = int(query.get("after", 0)), 0
        try:
            while True:
                for event in self.events_after(job, last, time.time() + 20):
                    last = event["id"]
                    data = json.dumps(event).encode()
                    self.wfile.write(bytes([0x81]) + (bytes([len(data)]) if len(data) < 126 else bytes([126]) + struct.pack(">H", len(data))) + data)
                    self.wfile.flush()
                    sent += 1
                    if self.world.faults.get("cutSocketAfter") == sent:
                        self.world.faults.pop("cutSocketAfter")
                        return self.cut()
                    if event["type"] in ("completed", "canceled"):
                        return
        except OSError:
            return

    def sse(self, job):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        last = int(self.headers.get("last-event-id") or 0)
        try:
            while True:
                for e in self.events_after(job, last, time.time() + 20):
                    last = e["id"]
                    self.wfile.write(f"id: {e['id']}\nevent: {e['type']}\ndata: {json.dumps(e['data'])}\n\n".encode())
                    self.wfile.flush()
                    if e["type"] in ("completed", "canceled"):
                        return
        except OSError:
            return


def create_scan(h, w, _):
    key = h.headers.get("idempotency-key")
    photos, fields = h.form()
    if not photos and "expected" not in fields:
        return h.problem(400, "bad_request", "There is no photo in the request.", field="photo")
    known = key in w.keys
    if known:
        job = w.keys[key]
    else:
        job = w.keys[key] = w.job()
        job["shelf"] = fields.get("shelf")
        job["asks"] = "import" not in fields and w.settings["askBeforeAdding"]
        job["adds"] = fields.get("import", "false" if job["asks"] else "true") == "true"
        job["expected"] = int(fields.get("expected", len(photos) or 1))
        job["photos"] = {i + 1: p for i, p in enumerate(photos)}
        w.tell(job, "progress", stage="uploading", progress=0.1, message="Photo received")
        threading.Thread(target=w.read, args=(job,), daemon=True).start()
    base = f"/api/v1/scans/{job['id']}"
    h.answer({"jobId": job["id"], "token": job["token"], "statusUrl": base, "eventsUrl": f"{base}/events", "resultsUrl": f"{base}/results",
              "webSocketUrl": f"/ws/progress?jobId={job['id']}", "photoUrl": f"{base}/photos/{{n}}", "expiresAt": NOW, "job": job_of(job)}, 200 if known else 202)


def scans(h, w, query):
    jobs = [job for job in reversed(w.jobs.values()) if job.get("app") == query.get("app")] if "app" in query else list(reversed(w.jobs.values()))
    h.answer({**page([job_of(job) for job in jobs][:int(query.get("limit", 50))]), "total": len(jobs)})


def put_photo(h, w, _, job, n):
    body, n, j = h.body(), int(n), w.jobs.get(job)
    if not j:
        return h.unknown("scan")
    with w.lock:
        j["photos"][n] = body
        w.lock.notify_all()
    h.answer(job_photo(j, n, "queued"), 202)


def get_photo(h, w, _, job, n):
    photo = w.jobs.get(job, {"photos": {}})["photos"].get(int(n))
    h.answer(photo, kind="image/jpeg") if photo else h.unknown("photo")


def finish(h, w, _, job):
    h.body()
    h.answer(job_of(w.jobs[job])) if job in w.jobs else h.unknown("scan")


def results(h, w, _, job):
    j = w.jobs.get(job)
    if not j:
        return h.unknown("scan")
    alone = ("photo", "positions", "cropUrl", "enrichment", "metadata", "id")
    h.answer({"jobId": job, "status": j["state"] if j["state"] != "queued" else "running", "summary": summary_of(j),
              "photos": [{"path": f"photo-{i + 1}.jpg", "width": 4000, "height": 3000, "turn": 0, "seconds": 1.0, "timings": TIMINGS, "preprocessed": False, "quality": QUALITY,
                          "otherText": [], "books": [{**{k: v for k, v in b.items() if k not in alone}, "id": b["positions"][0]["bookId"]} for b in books]}
                         for i, books in enumerate(j["results"])],
              "books": [{**b, "library": w.state(j, b)} for page in j["results"] for b in page], "undoToken": job if w.undos.get(job) else None})


def change_book(h, w, _, job, i):
    body, j = json.loads(h.body()), w.jobs.get(job)
    book = j and next((b for page in j["results"] for b in page if b["id"] == i), None)
    if not book:
        return h.unknown("book")
    record = body.get("record") or {}
    title = body.get("title", record.get("title"))
    if title is not None and not title.strip():
        return h.problem(422, "invalid_field", "'title' is empty. A book needs a title.", field="title")
    fields = {k: v for k, v in {**{k: record[k] for k in ("title", "authors", "isbn") if k in record}, **body}.items() if k in ("title", "authors", "isbn")}
    d = w.detection(j, book)
    e = d and w.entries.get(d["entry"])
    if d and not e:
        return h.problem(409, "not_possible", "This book is not in the library: it was rejected, removed or skipped, or it is a duplicate that waits for an answer.")
    with w.action() as done:
        if e and body.get("rejected"):
            w.entries.pop(e["id"])
            d["outcome"] = "rejected"
        elif e and fields:
            e.update(fields, reviewStatus="userEdited", revision=e["revision"] + 1)
        elif not e:
            j["edits"][i] = {**j["edits"].get(i, {}), **fields, **({"rejected": body["rejected"]} if "rejected" in body else {})}
    h.answer({"book": {**book, "library": w.state(j, book)}, **done})


def import_books(h, w, _, job):
    body = json.loads(h.body())
    if job not in w.jobs:
        return h.unknown("scan")
    j = w.jobs[job]
    books = {x["id"]: x for p in j["results"] for x in p}
    wanted = body.get("books", list(books))
    if unknown := next((b for b in wanted if b not in books), None):
        return h.problem(422, "invalid_field", f"The job has no book '{unknown}'. Use the IDs in its results.", field="books")
    with w.action() as done:
        made = w.add_books(j, [b for i, b in books.items() if i in wanted and not j["edits"].get(i, {}).get("rejected")], body.get("shelf"))
    h.answer({"imported": made, "skipped": [i for i in wanted if w.state(j, books[i])["state"] in ("rejected", "removed")], "duplicates": [], **done})


def queue(w):
    out = []
    for d in w.detections.values():
        e = w.entries.get(d["entry"])
        if e and e["reviewStatus"] == "needsReview":
            out.append(item(w, d, e))
    return sorted(out, key=lambda x: (x["tier"] == "notChecked", x["confidence"]))


def item(w, d, e):
    b, c, author = d["book"], d["book"]["confidence"], ", ".join(e["authors"]) or None
    return {"id": d["id"], "kind": "detection", "workId": e["workId"], "entryId": e["id"], "title": e["title"], "author": author, "isbn": e["isbn"],
            "confidence": c, "tier": tier(b), "reviewStatus": e["reviewStatus"], "resolvedTitle": e["title"], "resolvedAuthor": author,
            "boundingBox": b["boundingBox"], "quad": b["quad"], "photoId": photo_id(d), "cropUrl": crop_url(d), "coverUrl": w.entry(e)["coverUrl"], "text": b["text"], "matches": b["matches"],
            "shelf": w.entry(e)["shelf"], "duplicates": [], "etag": f"r{d['revision']}"}


KINDS = ("detection", "duplicateQuestion", "missing", "failedEnrichment", "failedRow", "incomplete")


def review(h, w, query):
    kind = query.get("kind")
    if kind not in (None, *KINDS):
        return h.problem(400, "invalid_field", f"'kind' must be one of {', '.join(KINDS)}.", field="kind")
    items = [x for x in (incomplete(w) if kind == "incomplete" else inbox(w)) if kind in (None, x["kind"])]
    items = [x for x in items if query.get("shelf") in (None, (x["shelf"] or {}).get("id")) and query.get("photo") in (None, x["photoId"])]
    h.answer({"items": items, "nextCursor": None, "total": len(items), "counts": counts_of(w)})


def inbox(w):
    """What waits for a decision; the stand-in asks no duplicate questions and has no books of lists."""
    return queue(w) + missing(w) + [failed_row(row) for row in w.failed_rows.values()]


def missing(w):
    """The gaps of all shelves."""
    gaps = [s for shelf in w.shelves for board in boards_of(w, shelf["id"]) for s in board if s["state"] == "missing"]
    return [item(w, w.detections[s["detectionId"]], w.entries[s["entry"]["id"]]) | {"id": f"m{s['entry']['id']}", "kind": "missing"} for s in gaps]


def failed_row(row):
    nothing = dict.fromkeys(("workId", "entryId", "author", "isbn", "confidence", "tier", "reviewStatus", "resolvedTitle", "resolvedAuthor", "boundingBox", "photoId", "cropUrl", "coverUrl", "shelf"))
    return {**nothing, "id": row["id"], "kind": "failedRow", "title": row["content"], "problem": f"{row['name']}, line {row['line']}: {row['reason']}",
            "text": [], "matches": [], "duplicates": [], "etag": "r1"}


def incomplete(w):
    """Books without a cover."""
    spines = {d["entry"]: d for d in w.detections.values()}
    return [{**(item(w, spines[e["id"]], e) if e["id"] in spines else bare(w, e)), "id": f"i{e['id']}", "kind": "incomplete"}
            for e in w.entries.values() if e["reviewStatus"] != "needsReview" and not w.entry(e)["coverUrl"]]


def bare(w, e):
    """A book that no photo shows."""
    nothing = dict.fromkeys(("confidence", "boundingBox", "photoId", "cropUrl", "coverUrl", "resolvedTitle", "resolvedAuthor"))
    return {**nothing, "workId": e["workId"], "entryId": e["id"], "title": e["title"], "author": ", ".join(e["authors"]) or None, "isbn": e["isbn"],
            "tier": "needsReview", "reviewStatus": e["reviewStatus"], "text": [], "matches": [], "shelf": w.entry(e)["shelf"], "duplicates": [],
            "etag": f"r{e['revision']}"}


def find_incomplete(verb):
    def work(h, w, _):
        h.body()
        on = any(p["enabled"] for p in w.providers)
        if verb == "POST" and not on:
            return h.problem(409, "not_ready", "No source of records is on. Turn one on in the settings, or download the catalog.")
        if verb == "POST":
            n = len(incomplete(w))
            w.find.update(status="completed", total=n, done=n, completed=0)
        h.answer({**w.find, "sourcesOn": on})
    return work


def dismiss(h, w, _):
    ids = json.loads(h.body())["ids"]
    if any(not i.startswith("r") for i in ids):
        return h.problem(422, "invalid_field", "'ids' has an ID that is not that of a row of a list.", field="ids")
    with w.action() as done:
        changed = sum(w.failed_rows.pop(i, None) is not None for i in ids)
    h.answer({"changed": changed, "remaining": counts_of(w)["total"], **done})


def counts_of(w):
    items, gaps = queue(w), missing(w)
    return {"total": len(items) + len(gaps) + len(w.failed_rows), **{t: sum(x["tier"] == t for x in items) for t in TIERS}, "failedEnrichment": 0,
            "failedRows": len(w.failed_rows), "duplicateQuestions": 0, "missing": len(gaps), "incomplete": len(incomplete(w)),
            "automaticChanges": sum(not c["seen"] for c in w.changes)}


def automatic_changes(h, w, query):
    start, limit = int(query.get("cursor", "o0")[1:]), int(query.get("limit", 50))
    end = start + limit
    h.answer({"items": [w.change(c) for c in w.changes[start:end]], "nextCursor": f"o{end}" if end < len(w.changes) else None, "total": len(w.changes)})


def see_changes(h, w, _):
    through = json.loads(h.body()).get("through")
    if not isinstance(through, str) or not through.isdigit():
        return h.problem(422, "invalid_field", "'through' is not the ID of an automatic change.", field="through")
    if not any(c["id"] == through for c in w.changes):
        return h.unknown("change")
    for c in w.changes:
        c["seen"] = c["seen"] or int(c["id"]) <= int(through)
    h.answer()


def undo_change(h, w, _, i):
    h.body()
    c = next((c for c in w.changes if c["id"] == i), None)
    if not c:
        return h.unknown("change")
    if not w.change(c)["undoable"]:
        return h.problem(409, "not_possible", "The last action cannot be undone: one of its books was changed since. Correct it by hand.")
    w.changes.remove(c)
    before = c["before"]
    w.detections[c["detection"]]["revision"] += 1
    w.entries[before["id"]] = w.entries.get(before["id"], before) | {k: before[k] for k in ("title", "authors", "isbn", "reviewStatus")}
    h.answer({"changed": 1, "undoToken": None, "remaining": counts_of(w)["total"]})


@functools.cache
def cropped(photo, area):
    done = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", "pipe:0", "-vf", f"{area},scale=-1:320", "-f", "mjpeg", "-q:v", "4", "pipe:1"], input=photo, capture_output=True, check=True, timeout=20)
    return done.stdout


def scan_crop(h, w, _, job, book):
    j = w.jobs.get(job)
    known = j and next((b for books in j["results"] for b in books if b["id"] == book), None)
    if not known:
        return h.unknown("book")
    box = known["boundingBox"]
    h.answer(cropped(j["photos"][known["photo"]], f"crop=iw*{box['width']}:ih*{box['height']}:iw*{box['x']}:ih*{box['y']}"), kind="image/jpeg")


def crop(h, w, _, d):
    """The spine in its photo, upright as it stands."""
    x = w.detections.get(d)
    photo = x and w.jobs[x["job"]]["photos"].get(x["book"]["photo"])
    if not photo:
        return h.unknown("detection")
    box = x["book"]["boundingBox"]
    h.answer(cropped(photo, f"crop=iw*{box['width']}:ih*{box['height']}:iw*{box['x']}:ih*{box['y']}"), kind="image/jpeg")


def decide(status, required=False, match=False):
    def work(h, w, _, d):
        d = w.detections.get(d)
        body = json.loads(h.body() or b"{}")
        if not d or d["entry"] not in w.entries:
            return h.unknown("detection")
        if h.stale(f"r{d['revision']}", required):
            return None
        e = w.entries[d["entry"]]
        with w.action() as done:
            d["revision"] += 1
            if status is None:
                w.entries.pop(e["id"])
                d["outcome"] = "rejected"
            else:
                e["reviewStatus"] = status
                record = body.get("record") or body
                e.update({k: record[k] for k in ("title", "authors", "isbn") if record.get(k)})
        if match:
            return h.answer({"applied": True, "changes": [], "keeps": [], "workId": e["workId"], "etag": f"r{d['revision']}", **done})
        h.answer({"changed": 1, "remaining": counts_of(w)["total"], **done})
    return work


def verify_all(h, w, _):
    body = json.loads(h.body())
    ids = [x for x in queue(w) if x["tier"] == body.get("tier") or x["id"] in body.get("ids", [])]
    with w.action() as done:
        for x in ids:
            w.entries[x["entryId"]]["reviewStatus"] = "verified"
    h.answer({"changed": len(ids), "remaining": counts_of(w)["total"], **done})


def reject_all(h, w, _):
    ids = set(json.loads(h.body())["ids"])
    if any(i not in w.detections or w.detections[i]["entry"] not in w.entries for i in ids):
        return h.unknown("detection")
    with w.action() as done:
        for i in ids:
            w.entries.pop(w.detections[i]["entry"])
            w.detections[i]["outcome"] = "rejected"
    h.answer({"changed": len(ids), "remaining": counts_of(w)["total"], **done})


def undo(h, w, _):
    token = json.loads(h.body()).get("undoToken")
    if not isinstance(token, str):
        return h.problem(400, "invalid_field", "The field 'undoToken' has the wrong type.", field="undoToken")
    changed = w.undo(token)
    if isinstance(changed, str):
        return h.problem(409, "not_possible", changed)
    h.answer({"changed": changed, "undoToken": None, "remaining": counts_of(w)["total"]})


def bulk(h, w, _):
    body = json.loads(h.body())
    if any(i not in w.entries for i in body["ids"]):
        return h.unknown("entry")
    with w.action() as done:
        for i in set(body["ids"]):
            if body.get("delete"):
                w.entries.pop(i)
                continue
            e = w.entries[i]
            e.update({k: body[k] for k in ("shelf", "ownership", "readingStatus") if k in body})
            e["tags"] = sorted(set(e["tags"]) | set(body.get("addTags", [])))
            e["revision"] += 1
    h.answer({"changed": len(set(body["ids"])), **done})


def library(h, w, query):
    items = [w.entry(e) for e in w.entries.values()]
    start, limit = int(query.get("cursor", 0)), int(query.get("limit", 50))
    h.answer({"items": items[start:start + limit], "total": len(items), "nextCursor": str(start + limit) if start + limit < len(items) else None})


def version(h, w, _):
    state = [sorted(w.entries.items()), w.shelves]
    h.answer({"version": hashlib.sha1(json.dumps(state).encode()).hexdigest()})


def one(h, w, _, i):
    e = w.entries.get(i)
    h.answer(w.entry(e, whole=True), headers=[("etag", f'"r{e["revision"]}"')]) if e else h.unknown("entry")


def change(h, w, _, i):
    e = w.entries.get(i)
    body = json.loads(h.body())
    if h.stale(e and f"r{e['revision']}"):
        return None
    if not e:
        return h.unknown("entry")
    if not 0 <= (body.get("rating") or 0) <= 5:
        return h.problem(422, "invalid_field", "rating: stars go from 0 to 5.", field="rating")
    with w.action() as done:
        e.update(body)
        e["revision"] += 1
    h.answer(w.entry(e, whole=True) | tokens(done))


def tokens(done):
    """What an answer says of undoing a change; nothing where nothing was changed."""
    return {k: v for k, v in (done or {}).items() if v}


def lend(h, w, _, i):
    body, e = json.loads(h.body()), w.entries.get(i)
    if not e:
        return h.unknown("entry")
    with w.action() as done:
        e.update(ownership="lent", loan={"to": body["to"]}, revision=e["revision"] + 1)
    h.answer(w.entry(e, whole=True) | done)


def drop(h, w, _, i):
    h.body()
    with w.action() as done:
        e = w.entries.pop(i, None)
    if not e:
        return h.unknown("entry")
    h.answer({"changed": 1, **done})


def page(items):
    """A list that fits on its first page."""
    items = list(items)
    return {"items": items, "nextCursor": None, "total": len(items)}


def shelf_of(w, s):
    return {**s, "etag": "1", "entries": sum(e["shelf"] == s["id"] for e in w.entries.values())}


def shelf_list(h, w, _):
    h.answer(page([shelf_of(w, s) for s in w.shelves]))


def new_shelf(h, w, _):
    name = json.loads(h.body())["name"].strip()
    if not name:
        return h.problem(422, "invalid_field", "name: it is empty.", field="name")
    s = next((s for s in w.shelves if s["name"] == name), None)
    if not s:
        s = {"id": f"s{len(w.shelves) + 1}", "name": name}
        w.shelves.append(s)
    h.answer(shelf_of(w, s), 201)


def search(h, w, query):
    q = query.get("q", "").lower().split()
    if not q:
        return h.problem(400, "invalid_field", "The query has no search text. Send it as ?q=…", field="q")
    found = [b for b in TRUTH["books"] if all(any(x in f.lower() for f in (b["title"], b["author"])) for x in q)]
    found = found or [b for b in TRUTH["books"] if any(x in b["author"].lower() or x in b["title"].lower() for x in q)]
    names = ["openlibrary", "googlebooks", "local"]
    if not any(p["enabled"] for p in w.providers):
        return h.answer({"items": [], "sources": [{"source": n, "state": "off", "count": 0} for n in ("openlibrary", "googlebooks", "isbndb")]})
    items = [{"id": f"r{i}", "title": b["title"], "subtitle": None, "authors": [b["author"]], "isbn": b["isbn"], "year": 1950 + i, "publisher": "Example House", "pages": None,
              "language": None, "series": None, "coverUrl": f"/api/v1/covers/openlibrary-{i}" if f"openlibrary-{i}" in w.covers else None, "source": names[i % 3], "sources": [names[i % 3]], "work": None} for i, b in enumerate(found[:8])]
    h.answer({"items": items, "sources": [{"source": n, "state": "ok", "count": sum(x["source"] == n for x in items)} for n in names]})


def cancel(h, w, _, job):
    h.body()
    j = w.jobs.get(job)
    if j and j["state"] not in ("completed", "canceled"):
        j["state"] = "canceled"
        w.tell(j, "canceled")
    h.answer()


def events(h, w, query, job):
    j = w.jobs.get(job)
    if not j:
        return h.unknown("scan")
    if "text/event-stream" in (h.headers.get("accept") or ""):
        if w.faults.get("noStream"):
            return h.problem(404, "not_found", "No stream.")
        return h.sse(j)
    after = int(query.get("after", 0))
    h.answer({"events": j["events"][after:], "lastEventId": len(j["events"]), "done": j["state"] in ("completed", "canceled") and not j.get("asking")})


def preview(h, w, _):
    h.body()
    w.previews += 1
    spines = books_of("live", 1)
    h.answer({"width": 1024, "height": 768, "spines": [{"quad": b["quad"], "boundingBox": b["boundingBox"], "text": []} for b in spines], "quality": QUALITY, "seconds": 0.2})


def photo_image(h, w, _, p):
    job, _, n = p.rpartition("-")
    get_photo(h, w, _, job, n if n.isdigit() else 0)


def detection(h, w, _, d):
    x = w.detections.get(d)
    h.answer(item(w, x, w.entries[x["entry"]])) if x and x["entry"] in w.entries else h.unknown("detection")


def counts(h, w, _):
    h.answer(counts_of(w))


def feedback(h, w, _):
    body = json.loads(h.body() or b"{}")
    detection, job, book = (body.get(k) for k in ("detectionId", "jobId", "bookId"))
    if body.get("problem") not in (None, "wrongTitle", "twoBooks", "notABook", "cutOff"):
        return h.problem(422, "invalid_field", "'problem' must be one of wrongTitle, twoBooks, notABook, cutOff.", field="problem")
    if "correct" not in body and not body.get("problem"):
        return h.problem(400, "invalid_field", "The field 'correct' is missing.", field="correct")
    if body.get("correct") and body.get("problem"):
        return h.problem(422, "invalid_field", "A correct detection has no problem. Leave out 'problem'.", field="problem")
    if detection is not None and job is None and book is None:
        if not detection.lstrip("d").isdigit():
            return h.problem(422, "invalid_field", "'detectionId' is not a detection in the library. For a book of a scan, send 'jobId' and 'bookId'.", field="detectionId")
        if detection not in w.detections:
            return h.unknown("detection")
        w.reports.append(body)
        return h.answer()
    if detection is not None or job is None or book is None:
        return h.problem(422, "invalid_field", "Name the spine: 'detectionId' for one in the library, or 'jobId' with 'bookId'.", field="detectionId")
    if job not in w.jobs:
        return h.problem(422, "invalid_field", f"There is no scan '{job}'. It may have expired; report the book in the library.", field="jobId")
    if not any(b["id"] == book for p in w.jobs[job]["results"] for b in p):
        return h.problem(422, "invalid_field", f"The scan has no book '{book}'. Use the IDs in its results.", field="bookId")
    w.reports.append(body)
    h.answer()


def counted(pairs):
    out = {}
    for key in pairs:
        out[key] = out.get(key, 0) + 1
    return [{"key": str(k), "count": n} for k, n in sorted(out.items(), key=lambda p: -p[1])]


def photo_of(h, w, _, p):
    mine = [d for d in w.detections.values() if photo_id(d) == p and d["entry"] in w.entries]
    if not mine:
        return h.unknown("photo")
    h.answer(photo_message(w, mine))


def photo_message(w, mine):
    """A photo by its detections. A later scan is a later photo."""
    p, shelf = photo_id(mine[0]), w.jobs[mine[0]["job"]].get("shelf")
    return {"id": p, "shelf": next(({"id": s["id"], "name": s["name"]} for s in w.shelves if s["id"] == shelf), None), "width": 4000, "height": 3000,
            "takenAt": f"2026-11-20T10:00:{list(w.jobs).index(mine[0]['job']):02}Z", "url": None if w.faults.get("noPhotos") else f"/api/v1/photos/{p}/image",
            "detections": [{"detectionId": d["id"], "entryId": d["entry"], "title": d["book"]["title"], "boundingBox": d["book"]["boundingBox"], "quad": d["book"]["quad"],
                            "outcome": "entry"} for d in mine]}


def stats(h, w, _):
    e = list(w.entries.values())
    decades = sorted(counted(str(x["year"] // 10 * 10) for x in e if x["year"]), key=lambda c: c["key"])
    h.answer({"entries": len(e), "works": len(e), "authors": len({a for x in e for a in x["authors"]}), "shelves": len(w.shelves), "photos": 3,
              "byShelf": counted((w.entry(x)["shelf"] or {}).get("name", "") for x in e), "byStatus": counted(x["readingStatus"] or "none" for x in e), "byDecade": decades,
              "byAuthor": counted(a for x in e for a in x["authors"]), "addedByMonth": [{"key": f"2026-{m:02}", "count": 5 + m * 7 % 11} for m in range(1, 12)],
              "storageBytes": {"photos": 48_000_000, "covers": 9_100_000, "database": 2_300_000}})


def review_stats(h, w, _):
    h.answer({"reviewed": 210, "correct": 176, "byTier": [{"tier": "needsReview", "reviewed": 90, "correct": 61}, {"tier": "verify", "reviewed": 120, "correct": 115}],
              "byConfidence": [], "byMonth": [{"month": f"2026-{m:02}", "reviewed": 30, "correct": 20 + m} for m in range(3, 10)],
              "threshold": w.settings["threshold"], "thresholds": [{"threshold": t / 100, "accepted": 2 * t, "acceptedWrong": 90 - t, "asked": 210 - 2 * t} for t in range(40, 91, 5)]})


def settings_of(w):
    pictures = {"pictures": 3, "bytes": 840_000, "usualBytes": 300_000, "longSide": 2048}
    return {**w.settings, "shelfPictures": pictures, "etag": f"s{w.settings_revision}", "providers": w.providers, "readers": w.readers}


def change_settings(h, w, _):
    body = json.loads(h.body())
    if h.stale(f"s{w.settings_revision}"):
        return None
    if not 0.4 <= body.get("threshold", 0.6) <= 0.9:
        return h.problem(422, "invalid_field", "threshold: it may be 0.40 to 0.90.", field="threshold")
    if body.get("sourceChosen") is False:
        return h.problem(422, "invalid_field", "'sourceChosen' can only be set to true.", field="sourceChosen")
    for change in body.pop("providers", []):
        provider = next((p for p in w.providers if p["id"] == change["id"]), None)
        if provider is None:
            return h.problem(422, "invalid_field", "There is no such provider.", field="providers")
        if "enabled" in change:
            provider.update(enabled=change["enabled"], state="ok" if change["enabled"] else "off")
        if "key" in change:
            provider["hasKey"] = change["key"] is not None
        w.settings["sourceChosen"] = True
    for change in body.pop("readers", []):
        reader = next((r for r in w.readers if r["id"] == change["id"]), None)
        if reader is None:
            return h.problem(422, "invalid_field", "There is no such provider.", field="reader")
        reader.update({name: change[name] for name in ("model", "agreed") if name in change})
        if "key" in change:
            reader["hasKey"] = change["key"] is not None
    mode = body.get("reader", "local")
    asked = next((r for r in w.readers if r["id"] == (w.settings["assistReader"] if mode == "assist" else mode)), None)
    if asked and not (asked["hasKey"] and asked["agreed"]):
        return h.problem(422, "invalid_field", "You have not agreed to what it receives.", field="reader")
    w.settings.update(body)
    w.settings_revision += 1
    h.answer(settings_of(w))


DUMPS = {"bytes": 14_800_000_000, "date": "2026-10-31", "step": 0.5}
FREE = 120_000_000_000


def filter_of(h, languages, isbn, status):
    """Returns the filter of a request, or None if it was refused."""
    codes = {"deu": "ger", "fra": "fre"}
    languages = [codes.get(code, code) for code in languages]
    if unknown := [code for code in languages if code not in ("eng", "ger", "fre", "spa", "ita", "grc")]:
        h.problem(status, "invalid_field", f"“{unknown[0]}” is not the code of a language.", field="languages")
        return None
    return {"languages": sorted(languages), "isbn": isbn}


def advance_download(w):
    """Each look at a running download moves it on, unless the fault "dumps" holds it or makes it fail."""
    running, fault = w.download, w.faults.get("dumps", {})
    if not running or running["state"] not in ("running", "stopping"):
        return
    kept = {k: running[k] for k in ("languages", "isbn")}
    w.asked_dumps = NOW
    progress = running.setdefault("progress", {"stage": "preparing", "file": "", "bytes": 0, "totalBytes": DUMPS["bytes"], "editions": 0, "fraction": 0})
    share = progress["bytes"] / DUMPS["bytes"]
    if running["state"] == "stopping":
        w.download = {**kept, "state": "stopped", "unfinishedBytes": 3_200_000_000} if share else None
    elif reason := fault.get("fails"):
        waits = reason in ("unreachable", "refused", "changed")
        w.download = {**kept, "state": "waiting" if waits else "stopped", "failure": {"reason": reason, "detail": "openlibrary.org cannot be reached.", "time": NOW},
                      **({"unfinishedBytes": 3_200_000_000} if share else {})}
    elif fault.get("elsewhere"):
        w.download = {"state": "elsewhere"}
    elif share < 1:
        share = max(share, min(share + DUMPS["step"], fault.get("hold", 1)))
        progress |= {"stage": "downloading", "totalBytes": DUMPS["bytes"], "file": "ol_dump_editions_2026-10-31.txt.gz", "bytes": int(DUMPS["bytes"] * share), "fraction": share,
                     "bytesPerSecond": 6_250_000.0, "secondsLeft": (1 - share) * 2368, "editions": int(40_000_000 * share)}
    elif progress["stage"] == "downloading":
        running["progress"] = {k: v for k, v in progress.items() if k not in ("bytesPerSecond", "secondsLeft")} | {"stage": "indexing", "fraction": 0.5}
    else:
        w.catalog, w.download = {**kept, "dumps": DUMPS["date"], "finishedAt": NOW}, None


def catalog_of(w):
    has = w.catalog is not None
    return {"exists": has, "works": 30_512_000 if has else 0, "editions": 40_125_000 if has else 0, "authors": 11_020_000 if has else 0,
            "bytes": 18_400_000_000 if has else 0, "searchable": has, "freeBytes": FREE, **({"downloaded": w.catalog} if has else {}),
            **({"checkedAt": w.asked_dumps} if w.asked_dumps else {}), **({"download": w.download} if w.download else {})}


def catalog(h, w, _):
    with w.lock:
        advance_download(w)
        h.answer(catalog_of(w))


def estimate(h, w, query):
    chosen = filter_of(h, [c for c in query.get("languages", "").split(",") if c], query.get("isbn") == "true", 400)
    fault = w.faults.get("dumps", {})
    if chosen is None:
        return None
    if fault.get("unreachable"):
        return h.problem(503, "dumps_unavailable", "openlibrary.org cannot be reached. Check the connection, then start the download again; it resumes.")
    at_most, disk = bool(chosen["languages"] or chosen["isbn"]), DUMPS["bytes"]
    free = fault.get("free", FREE)
    h.answer({"dumps": DUMPS["date"], "bytes": DUMPS["bytes"], "diskBytes": disk, "atMost": at_most, "freeBytes": free, "fits": disk <= free,
              "current": bool(w.catalog) and {k: w.catalog[k] for k in chosen} == chosen, "resumed": bool(w.download and w.download.get("unfinishedBytes"))})


def begin_download(h, w, chosen):
    with w.lock:
        if w.download and w.download["state"] in ("running", "stopping", "elsewhere"):
            return h.problem(409, "download_running", "A download is running already. Wait until it is done, or stop it.")
        done = DUMPS["step"] * DUMPS["bytes"] if w.download and w.download.get("unfinishedBytes") else 0
        w.download = {"state": "running", **chosen, "startedAt": NOW, "progress": {
            "stage": "preparing", "file": "", "bytes": int(done), "editions": 0, "fraction": done / DUMPS["bytes"]}}
        h.answer(catalog_of(w), 202)


def start_download(h, w, _):
    body = json.loads(h.body())
    chosen = filter_of(h, body.get("languages") or [], body.get("isbn") or False, 422)
    return chosen and begin_download(h, w, chosen)


def update_catalog(h, w, _):
    h.body()
    if w.catalog is None:
        return h.problem(409, "not_downloaded", "There is no downloaded catalog. Download one first.")
    begin_download(h, w, {k: w.catalog[k] for k in ("languages", "isbn")})


def cancel_download(h, w, query):
    h.body()
    with w.lock:
        state = (w.download or {}).get("state")
        if state == "running":
            w.download["state"] = "stopping"
        elif state == "waiting":
            w.download["state"] = "stopped"
        if query.get("keep") == "false":
            w.download = None
        h.answer(catalog_of(w), 202)


def edition_of(e):
    """The edition of an entry that was edited or has had a cover."""
    if not (e.get("publisher") or e.get("pages") or e.get("hadCover")):
        return None
    return {"id": f"d{e['id']}", "workId": e["workId"], "isbn": e["isbn"], "publisher": e.get("publisher"), "year": e["year"], "pages": e.get("pages"),
            "format": None, "language": None, "coverUrl": e["coverUrl"]}


def work_of(h, w, _, i, done=None):
    e = w.entries.get(i[1:])
    h.answer({"id": i, "title": e["title"], "subtitle": None, "authors": [{"name": a, "role": "author"} for a in e["authors"]], "series": None, "coverUrl": None,
              "reviewStatus": e["reviewStatus"], "editions": [x for x in [edition_of(e)] if x], "entries": [w.entry(e, whole=True)],
              "detections": [d["id"] for d in w.detections.values() if d["entry"] == e["id"]], "etag": f"r{e['revision']}"} | tokens(done)) if e else h.unknown("work")


def change_work(h, w, _, i):
    e = w.entries.get(i[1:])
    body = json.loads(h.body())
    if h.stale(e and f"r{e['revision']}"):
        return None
    if not e:
        return h.unknown("work")
    with w.action() as done:
        e.update({k: body[k] for k in ("title", "authors", "isbn", "publisher", "year", "pages") if k in body})
        e["revision"] += 1
    work_of(h, w, _, i, done)


def put_cover(h, w, _, i):
    body, e = h.body(), w.entries.get(i)
    if not e:
        return h.unknown("entry")
    if h.headers["content-type"].startswith("image/"):
        if not body.startswith((b"\xff\xd8", b"\x89PNG", b"RIFF")):
            return h.problem(415, "not_an_image", "This is not a picture. Use JPEG, PNG, WebP or HEIC.")
        name = f"{hashlib.sha1(body).hexdigest()}.jpg"
        w.covers[name] = body
    else:
        address = json.loads(body)["coverUrl"]
        name = address.rpartition("/")[2]
        if address != f"/api/v1/covers/{name}":
            return h.problem(422, "invalid_field", "'coverUrl' is not a cover of this server. Use one from a book or a search result.", field="coverUrl")
        if name not in w.covers:
            return h.unknown("cover")
    use_cover(h, w, e, f"/api/v1/covers/{name}")


def drop_cover(h, w, _, i):
    h.body()
    e = w.entries.get(i)
    if not e:
        return h.unknown("entry")
    use_cover(h, w, e, None)


def use_cover(h, w, e, address):
    with w.action() as done:
        e["coverUrl"] = address
        if address:
            e["hadCover"] = True
    h.answer(w.entry(e, whole=True) | tokens(done))


def get_cover(h, w, _, name):
    h.answer(w.covers[name], kind="image/jpeg") if name in w.covers else h.unknown("cover")


def history(h, w, _, i):
    e = w.entries.get(i[1:])
    named = e and {"title": e["title"], "author": ", ".join(e["authors"])}
    h.answer(page([{"time": NOW, "action": "imported", "before": named, "after": named, "undone": False}])) if e else h.unknown("work")


LISTING = {"id": "i1", "name": "books.csv", "format": "goodreads", "encoding": "UTF-8", "delimiter": ",", "columns": ["Title", "Author", "ISBN13", "My Rating"],
           "mapping": {"Title": "title", "Author": "author", "ISBN13": "isbn", "My Rating": "rating"},
           "sample": [["Dune", "Frank Herbert", "9780441013593", "5"], ["<img src=x onerror=alert(1)>", "<b>Author</b>", "", "0"], ["Babel", "R. F. Kuang", "9780063021426", "4"]],
           "rows": 3, "done": 0, "added": 0, "skipped": 0, "toReview": 0, "failedRows": [], "undoToken": None}


def new_list(h, w, _):
    h.body()
    h.answer({**LISTING, "status": "preview"}, 201)


def start_list(h, w, _, i):
    """Adds the first and the last row of the sample; the other one fails."""
    h.body()
    if i != "i1":
        return h.unknown("list")
    with w.action("list-1"):
        for title, author, isbn, _ in LISTING["sample"][::2]:
            w.add({"title": title, "authors": [author], "isbn": isbn})
    h.answer({**LISTING, "status": "running"}, 202)


def get_list(h, w, _, i):
    done = {"status": "completed", "undoToken": "list-1", "done": 3, "added": 2, "toReview": 1, "failedRows": [{"line": 3, "reason": "There is no author.", "content": "Babel"}]}
    h.answer({**LISTING, **done}) if i == "i1" else h.unknown("list")


def shelf_one(h, w, _, i):
    s = next((s for s in w.shelves if s["id"] == i), None)
    h.answer(shelf_of(w, s)) if s else h.unknown("shelf")


def shelf_photos(h, w, _, i):
    if not any(s["id"] == i for s in w.shelves):
        return h.unknown("shelf")
    photos = {}
    for d in w.detections.values():
        if d["entry"] in w.entries and w.jobs[d["job"]].get("shelf") == i:
            photos.setdefault(photo_id(d), []).append(d)
    h.answer(page(photo_message(w, mine) for mine in photos.values()))


def on_shelf(w, i):
    return [e for e in w.entries.values() if e["shelf"] == i]


def shelf_spines(h, w, _, i):
    """Each copy once, in the photo that showed it last; a gap where a later scan of the shelf does not show a copy."""
    if not any(s["id"] == i for s in w.shelves):
        return h.unknown("shelf")
    seen = seen_on(w, i)
    h.answer({"shelfId": i, "scannedAt": NOW if seen else None, "boards": boards_of(w, i), "unseen": [w.entry(e) for e in on_shelf(w, i) if e["id"] not in seen]})


def seen_on(w, i):
    return {d["entry"]: d for d in w.detections.values() if d["entry"] in w.entries and w.entries[d["entry"]]["shelf"] == i}


def boards_of(w, i):
    seen = seen_on(w, i)
    latest = max((d["job"] for d in seen.values()), key=list(w.jobs).index, default=None)

    def spine(d):
        e, box = w.entries[d["entry"]], d["book"]["boundingBox"]
        state = "present" if d["job"] == latest else "found" if found_since(w, e, latest) else "lent" if e["ownership"] == "lent" else "missing"
        return {"entry": w.entry(e), "state": state, "detectionId": d["id"], "photoId": photo_id(d), "cropUrl": crop_url(d),
                "width": round(box["width"] * 4000), "height": round(box["height"] * 3000)}
    spines = sorted(seen.values(), key=lambda d: d["book"]["boundingBox"]["x"])
    boards = [[spine(d) for d in spines if (d["book"]["boundingBox"]["y"] >= 0.5) == low] for low in (False, True)]
    return [b for b in boards if b]


def found_since(w, entry, job):
    # Whether a member found the book after this scan; "found" is the number of scans at that time.
    return entry.get("found", 0) > list(w.jobs).index(job)


def shelf_found(h, w, _, i):
    ids = json.loads(h.body())["ids"]
    if not ids:
        return h.problem(422, "invalid_field", "'ids' must have 1 to 10,000 entries.", field="ids")
    if any(e not in w.entries for e in ids) or not any(s["id"] == i for s in w.shelves):
        return h.unknown("entry")
    with w.action() as done:
        for e in ids:
            w.entries[e].update(shelf=i, ownership="owned", found=len(w.jobs), loan=None, revision=w.entries[e]["revision"] + 1)
    h.answer({"changed": len(ids), **done})


def inventory(h, w, _, i):
    job = json.loads(h.body())["jobId"]
    if not any(s["id"] == i for s in w.shelves):
        return h.unknown("shelf")
    if job not in w.jobs:
        return h.problem(422, "invalid_field", f"There is no scan '{job}' in the library. It may have expired; scan the shelf again.", field="jobId")
    books = [b for p in w.jobs[job]["results"] for b in p]
    titles, here = {b["title"] for b in books}, on_shelf(w, i)
    added = {d["book"]["id"] for d in w.detections.values() if d["job"] == job}
    others = [e for e in w.entries.values() if e["shelf"] != i and e["title"] in titles]
    known = {e["title"] for e in here + others}
    shown = [e for e in here if e["title"] in titles or found_since(w, e, job) and e["ownership"] != "lent"]
    unseen = [e for e in here if e not in shown]
    h.answer({"shelfId": i, "isFirst": not any(d["job"] != job and d["entry"] in w.entries and w.entries[d["entry"]]["shelf"] == i for d in w.detections.values()),
              "present": [w.entry(e) for e in shown], "new": [], "missing": [w.entry(e) for e in unseen if e["ownership"] != "lent"],
              "lent": [w.entry(e) for e in unseen if e["ownership"] == "lent"], "moved": [w.entry(e) for e in others],
              "notAdded": [{"bookId": b["id"], "title": b["title"], "author": b["author"], "confidence": b["confidence"], "cropUrl": b["cropUrl"]}
                           for b in books if b["id"] not in added and b["title"] not in known], "questions": []})


QR_CODE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h1v1H0z"/></svg>'
MEMBER = {"id": "m1", "name": "Test", "role": "owner", "createdAt": NOW, "secondFactor": False, "password": True, "openId": False, "etag": "1"}
PASSWORD = "correct horse battery"
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


def bad_app_name(h, w, body, own=None):
    """Answers with the problem of an app's name, if it has one."""
    name = body.get("name")
    if not isinstance(name, str):
        return h.problem(400, "invalid_field", "'name' is missing or has the wrong type.", field="name") or True
    if not 1 <= len(name) <= 64 or not name.strip() or any(ord(c) < 32 for c in name):
        return h.problem(422, "invalid_field", "The name of the app must have 1 to 64 characters and no control characters.", field="name") or True
    if any(a["name"] == name and a["id"] != own for a in w.apps.values()):
        return h.problem(409, "name_taken", f"An app called '{name}' is already connected. Choose another name, or revoke it.", field="name") or True
    return False


def connect_app(h, w, _):
    body = json.loads(h.body())
    if bad_app_name(h, w, body):
        return
    app = {"id": uuid.uuid4().hex, "name": body["name"], "generation": "automatic", "importsAtOnce": True, "devices": [], "createdAt": NOW, "lastUsedAt": None, "etag": "a1"}
    w.apps[app["id"]] = app
    path = "/app/" + uuid.uuid4().hex[:26]
    h.answer({"app": app, "path": path, "url": f"http://192.0.2.9:8080{path}", "qrCode": QR_CODE, "reachable": True}, 201)


def change_app(h, w, _, i):
    body, app = json.loads(h.body()), w.apps.get(i)
    if not app:
        return h.unknown("app")
    if h.stale(app["etag"]) or ("name" in body and bad_app_name(h, w, body, i)):
        return
    app.update(body, etag=f"a{int(app['etag'][1:]) + 1}")
    h.answer(app)


def revoke_app(h, w, _, i):
    h.body()
    h.answer() if w.apps.pop(i, None) else h.unknown("app")


def session(h, w, _):
    if w.setup_needed:
        return h.answer({"setupNeeded": True, "signedIn": True, "via": "local", "member": None, "confirmed": False, "openId": w.open_id})
    h.answer(signed_in(w))


def signed_in(w):
    if w.member is None:
        return {"setupNeeded": False, "signedIn": False, "via": "none", "member": None, "confirmed": False, "openId": w.open_id}
    return {"setupNeeded": False, "signedIn": True, "via": "session", "member": w.member | {"secondFactor": w.second_factor}, "confirmed": w.confirmed, "openId": w.open_id}


def with_password(route):
    """A route that takes a password, which a server without passwords refuses."""
    def checked(h, w, *rest):
        if not (w.open_id and w.open_id["onlyWay"]):
            return route(h, w, *rest)
        h.body()
        h.problem(403, "password_off", f"This server does not use passwords. Sign in with {w.open_id['name']}.")
    return checked


@with_password
def sign_in(h, w, _):
    body = json.loads(h.body())
    if w.second_factor and not body.get("code"):
        return h.problem(401, "code_needed", "This member has a second factor. Send the code of the authenticator app too.", field="code")
    if w.second_factor and not used(w, SECRET, body["code"]):
        return h.problem(401, "wrong_code", "The code is wrong or was used already. Wait for the next one, or use a recovery code.", field="code")
    w.member = w.member or MEMBER
    w.confirmed = True
    session(h, w, _)


def one_time_code(secret, later=0):
    """The code of RFC 6238 that an authenticator app shows now, or some periods of 30 seconds later."""
    mac = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30 + later), "sha1")
    number = struct.unpack(">I", mac[mac[-1] & 15:][:4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def used(w, secret, code):
    """Whether a code is valid: one period early or late, and later than the last one."""
    now = int(time.time()) // 30
    periods = [now + i for i in (-1, 0, 1) if one_time_code(secret, i) == code.replace(" ", "") and now + i > w.last_period]
    w.last_period = max(periods, default=w.last_period)
    return bool(periods)


def confirmed(route):
    """A route that needs the password again."""
    def checked(h, w, *rest):
        if w.confirmed:
            return route(h, w, *rest)
        h.body()
        h.problem(403, "confirmation_needed", "This requires the password again. Confirm it first (POST /api/v1/session/confirm).")
    return checked


@with_password
def confirm(h, w, _):
    if json.loads(h.body())["password"] != PASSWORD:
        return h.problem(401, "wrong_credentials", "The name or the password is wrong. Check both.")
    w.confirmed = True
    h.answer()


def end_session(h, w, _, i):
    h.body()
    known = [s for s in w.sessions if s["id"] == i]
    w.sessions = [s for s in w.sessions if s["id"] != i]
    h.answer() if known else h.unknown("session")


def end_others(h, w, _):
    h.body()
    w.sessions = [s for s in w.sessions if s["current"]]
    h.answer()


def new_factor(h, w, _):
    h.body()
    h.answer({"secret": SECRET, "url": f"otpauth://totp/Shelflist:Test?secret={SECRET}&issuer=Shelflist", "qrCode": QR_CODE})


def turn_on_factor(h, w, _):
    body = json.loads(h.body())
    if not used(w, body["secret"], body["code"]):
        return h.problem(401, "wrong_code", "The code is wrong or was used already. Wait for the next one, or use a recovery code.", field="code")
    w.second_factor = True
    h.answer({"recoveryCodes": [f"abcdefg{n}-hjkmnpqr" for n in range(10)]})


def turn_off_factor(h, w, _):
    h.body()
    w.second_factor = False
    h.answer()


AUDIT = [
    {"time": NOW, "event": "signedIn", "member": "Test", "subject": None, "address": "192.0.2.7"},
    {"time": NOW, "event": "memberAdded", "member": "Test", "subject": "Bea", "address": "192.0.2.7"},
    {"time": NOW, "event": "signInFailed", "member": None, "subject": None, "address": "203.0.113.9"},
]


def sign_out(h, w, _):
    h.body()
    w.member = None
    h.answer(headers=[("clear-site-data", '"cache", "storage"')])


def setup(h, w, _):
    h.body()
    if not w.setup_needed:
        return h.problem(409, "already_set_up", "This Shelflist has an owner. Sign in instead.")
    w.setup_needed = False
    w.confirmed = True
    h.answer(signed_in(w), 201)


ROUTES = [
    (r"tags", "GET", lambda h, w, _: h.answer(page(sorted(counted(t for e in w.entries.values() for t in e["tags"]), key=lambda tag: tag["key"])))),
    (r"photos/([\w-]+)", "GET", photo_of), (r"preview", "POST", preview), (r"stats", "GET", stats), (r"stats/review", "GET", review_stats), (r"settings", "GET", lambda h, w, _: h.answer(settings_of(w))), (r"settings", "PATCH", change_settings), (r"works/(\w+)", "GET", work_of), (r"works/(\w+)", "PATCH", change_work),
    (r"library/(\w+)/loan", "PUT", lend), (r"library/(\w+)/cover", "PUT", put_cover), (r"library/(\w+)/cover", "DELETE", drop_cover), (r"covers/([\w.~-]+)", "GET", get_cover),
    (r"works/(\w+)/history", "GET", history),
    (r"catalog", "GET", catalog), (r"catalog/update", "POST", update_catalog), (r"catalog/download/estimate", "GET", estimate),
    (r"catalog/download", "POST", start_download), (r"catalog/download", "DELETE", cancel_download),
    (r"settings/threshold-preview", "GET", lambda h, w, q: h.answer({"threshold": float(q["threshold"]), "reviews": 210, "wouldAsk": 84, "asked": 30, "missed": 4})),
    (r"about", "GET", lambda h, w, _: h.answer({"name": "Shelflist", "version": "0.3.0", "commit": "1a2b3c4d5e6f", "installed": w.installed, "limits": LIMITS, "readers": ["local"], "formats": ["jpeg", "png", "webp", "heic"], "models": [{"name": "detection", "version": "PP-OCRv6 small"}]})),
    (r"phone", "GET", lambda h, w, _: h.answer({"address": None, "certificateUrl": None, "certificateFingerprint": None, "qrCode": None})),
    (r"members", "GET", lambda h, w, _: h.answer(page([MEMBER | {"secondFactor": w.second_factor}]))),
    (r"session/confirm", "POST", confirm), (r"sessions", "GET", lambda h, w, _: h.answer(page(w.sessions))),
    (r"sessions", "DELETE", end_others), (r"sessions/([\w-]+)", "DELETE", end_session), (r"audit", "GET", lambda h, w, _: h.answer(page(AUDIT))),
    (r"session/second-factor", "POST", confirmed(new_factor)), (r"session/second-factor", "PUT", confirmed(turn_on_factor)),
    (r"session/second-factor", "DELETE", confirmed(turn_off_factor)),
    (r"tokens", "GET", lambda h, w, _: h.answer(page([{"id": "t1", "name": "Phone app", "scopes": ["scan"], "createdAt": NOW, "expiresAt": None, "lastUsedAt": None}]))),
    (r"apps", "GET", lambda h, w, _: h.answer(page(list(w.apps.values())))), (r"apps", "POST", confirmed(connect_app)),
    (r"apps/([\w-]+)", "PATCH", change_app), (r"apps/([\w-]+)", "DELETE", revoke_app),
    (r"imports", "POST", new_list), (r"imports/(\w+)/start", "POST", start_list), (r"imports/(\w+)", "GET", get_list), (r"imports/(\w+)", "DELETE", lambda h, w, _, i: (h.body(), h.answer())),
    (r"shelves/(\w+)", "GET", shelf_one), (r"shelves/(\w+)/photos", "GET", shelf_photos), (r"shelves/(\w+)/spines", "GET", shelf_spines),
    (r"shelves/(\w+)/found", "POST", shelf_found), (r"shelves/(\w+)/inventory", "POST", inventory),
    (r"scans", "POST", create_scan), (r"scans", "GET", scans), (r"scans/(\w+)/photos/(\d)", "PUT", put_photo), (r"scans/(\w+)/results", "GET", results),
    (r"scans/(\w+)/events", "GET", events), (r"scans/(\w+)/import", "POST", import_books), (r"scans/(\w+)/books/([\w-]+)", "PATCH", change_book), (r"scans/(\w+)", "DELETE", cancel),
    (r"scans/(\w+)/finish", "POST", finish),
    (r"scans/(\w+)/photos/(\d+)", "GET", get_photo), (r"scans/(\w+)/books/([\w-]+)/crop", "GET", scan_crop),
    (r"photos/([\w-]+)/image", "GET", photo_image),
    (r"changes", "GET", version), (r"library", "GET", library), (r"library/bulk", "POST", bulk), (r"library/(\w+)", "GET", one), (r"library/(\w+)", "PATCH", change), (r"library/(\w+)", "DELETE", drop),
    (r"shelves", "GET", shelf_list), (r"shelves", "POST", new_shelf), (r"search", "GET", search),
    (r"review", "GET", review), (r"review/counts", "GET", counts), (r"review/verify-all", "POST", verify_all), (r"review/reject-all", "POST", reject_all),
    (r"review/dismiss", "POST", dismiss), *[(r"review/incomplete/find", verb, find_incomplete(verb)) for verb in ("GET", "POST", "DELETE")],
    (r"review/automatic", "GET", automatic_changes), (r"review/automatic/seen", "POST", see_changes), (r"review/automatic/(\w+)/undo", "POST", undo_change),
    (r"detections/([\w-]+)/crop", "GET", crop), (r"undo", "POST", undo), (r"duplicates", "GET", lambda h, w, _: h.answer(page([]))),
    (r"detections/([\w-]+)", "GET", detection), (r"detections/([\w-]+)/verify", "POST", decide("verified")), (r"detections/([\w-]+)/reject", "POST", decide(None)),
    (r"detections/([\w-]+)/correct", "POST", decide("userEdited", required=True)), (r"detections/([\w-]+)/match", "POST", decide("userEdited", match=True)),
    (r"feedback", "POST", feedback),
    (r"setup", "POST", setup), (r"session", "POST", sign_in), (r"session", "DELETE", sign_out), (r"session", "GET", session),
]


def serve(port=0, books=0):
    handler = type("Standin", (Handler,), {"world": World(books)})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    running = serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8321, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"http://127.0.0.1:{running.server_address[1]}", flush=True)
    threading.Event().wait()
