#!/usr/bin/env python3
"""A small server that plays Shelflist's API for the tests of the web app; it reads no photo and is never shipped.

Its answers are drawn from the example's truth (Examples/shelf.json). Faults are ordered by POST /test/faults.
"""
import base64
import hashlib
import json
import random
import re
import socket
import struct
import sys
import threading
import time
import uuid
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


class World:
    def __init__(self, books=0):
        self.lock = threading.Condition()
        self.jobs, self.keys, self.faults, self.undos = {}, {}, {}, {}
        self.shelves = [{"id": f"s{i + 1}", "name": n} for i, n in enumerate(["Hall shelf", "Study, left", "Bedroom"])]
        self.entries, self.detections = {}, {}
        self.previews = 0
        self.settings = {"threshold": 0.6, "reader": "local", "keepShelfPhotos": True}
        self.next = 1
        if books:
            rng = random.Random(7)
            people = "Italo Calvino,Eleanor Catton,Susanna Clarke,Joseph Conrad,George Eliot,R. F. Kuang,Hilary Mantel,Toni Morrison,Ursula K. Le Guin,Olga Tokarczuk,Mikhail Bulgakov,W. G. Sebald".split(",")
            words = "Cities,House,River,Winter,Glass,Garden,Night,Letters,Stone,Light,Island,Memory,Roads,Salt,Field".split(",")
            for i in range(books):
                self.add({"title": f"{rng.choice(['The', 'A', 'Invisible', 'Last', 'Quiet'])} {rng.choice(words)}{'' if i < 60 else f' {i}'}",
                          "authors": [rng.choice(people)], "year": rng.randint(1890, 2024), "shelf": rng.choice(["s1", "s2", "s3", None]),
                          "readingStatus": rng.choice(["toRead", "reading", "read", None])})

    def remember(self, back):
        token = uuid.uuid4().hex
        self.undos[token] = back
        return token

    def add(self, fields):
        i = self.next
        self.next += 1
        i = f"e{i}"
        self.entries[i] = {"id": i, "workId": "w" + i, "editionId": None, "title": "", "subtitle": None, "authors": [], "isbn": None, "year": None,
                           "coverUrl": None, "cropUrl": None, "ownership": "owned", "readingStatus": None, "rating": None, "notes": None,
                           "shelf": None, "reviewStatus": "verified", "tags": [], "loan": None, "position": None, "confidence": None,
                           "addedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "revision": 1, **fields}
        return self.entries[i]

    def entry(self, e):
        return {**e, "author": ", ".join(e["authors"]), "etag": f'"{e["revision"]}"', "shelf": next(({"id": s["id"], "name": s["name"]} for s in self.shelves if s["id"] == e["shelf"]), None)}

    def job(self):
        j = {"id": uuid.uuid4().hex, "token": uuid.uuid4().hex, "events": [], "photos": {}, "results": [], "expected": 1, "state": "queued"}
        self.jobs[j["id"]] = j
        return j

    def tell(self, job, kind, **data):
        with self.lock:
            job["events"].append({"id": len(job["events"]) + 1, "type": kind, "data": data})
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
            self.tell(job, "photo", index=n, status="reading")
            books = books_of(job["id"], n)
            time.sleep(self.faults.get("slow", STAGE))
            self.tell(job, "segmented", totalBooks=len(books), photo=n, image="", spines=[{"quad": b["quad"], "boundingBox": b["boundingBox"]} for b in books])
            for i, book in enumerate(books):
                if job["state"] == "canceled":
                    return
                time.sleep(self.faults.get("slow", STAGE))
                self.tell(job, "book_progress", current=i + 1, total=len(books), stage="analyzing", photo=n)
                self.tell(job, "result", book=book, photo=n)
            job["results"].append(books)
            self.tell(job, "photo", index=n, status="done")
        if self.faults.get("enrich"):
            self.enrich(job)
        job["state"] = "completed"
        self.tell(job, "completed", resultsUrl=f"/api/v1/scans/{job['id']}/results", summary={})


    def enrich(self, job):
        """Looks up every book, and is not done before the order is taken back."""
        books = [b for photo in job["results"] for b in photo]
        self.tell(job, "progress", stage="enriching", progress=0.5, message=f"Looking up {len(books)} books.")
        self.tell(job, "enrichment_degraded", provider="isbndb", message="ISBNdb does not answer.", retryAfterMs=0)
        for n, book in enumerate(books[:-1]):
            book["metadata"] = {"publisher": "Example House", "year": 1950 + n, "coverUrl": None, "isbn": book["isbn"]}
            self.tell(job, "enriched", bookId=book["id"], enrichment="found", metadata=book["metadata"], current=n + 1, total=len(books))
        with self.lock:
            self.lock.wait_for(lambda: not self.faults.get("enrich"), timeout=30)


def books_of(job, photo):
    out = []
    rng = random.Random(photo)
    for i, b in enumerate(TRUTH["books"]):
        x, y, w, h = b["box"]
        c = [0.97, 0.99, 0.95, 0.93, 0.88, 0.77, 0.98, 0.31, 0.86, 0.08, 0.91][i % 11]
        title = b["title"] if c > 0.2 else b["title"][:9] + "r"
        out.append({"id": f"{job[:6]}-{photo}-{i}", "photo": photo, "title": title, "author": b["author"] if c > 0.2 else "", "isbn": b["isbn"],
                    "confidence": c, "reviewStatus": "verified" if c >= 0.6 else "needsReview",
                    "boundingBox": {"x": x, "y": y, "width": w, "height": h},
                    "quad": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]],
                    "text": [{"text": b["title"].upper(), "score": 0.99}, {"text": b["author"], "score": 0.9}],
                    "matches": [{"title": b["title"], "author": b["author"], "isbn": b["isbn"], "confidence": c, "source": "openlibrary"}]})
    rng.shuffle(out)
    return out


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world: World

    def log_message(self, *_):
        pass

    def answer(self, value=None, status=200, headers=(), kind="application/json"):
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status if value is not None or status != 200 else 204)
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
        self.answer({"type": f"about:blank#{code}", "title": code, "status": status, "detail": detail, "code": code,
                     "retryable": status in (429, 503), **more}, status, kind="application/problem+json")

    def cut(self):
        """Ends the connection without an answer. Closing alone would not: the reading and writing sides keep it open."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

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
            return self.problem(fault["status"], fault.get("code", "fault"), fault.get("detail", "As ordered."), retryAfterMs=fault.get("retryAfterMs", 0))
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
        self.problem(404, "not_found", "There is nothing at this address.")

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
    if key in w.keys:
        job = w.keys[key]
    else:
        job = w.keys[key] = w.job()
        job["expected"] = int(fields.get("expected", len(photos) or 1))
        job["photos"] = {i + 1: p for i, p in enumerate(photos)}
        w.tell(job, "progress", stage="uploading", progress=0.1, message="Photo received")
        threading.Thread(target=w.read, args=(job,), daemon=True).start()
    h.answer({"jobId": job["id"], "token": job["token"]}, 202)


def put_photo(h, w, _, job, n):
    body = h.body()
    with w.lock:
        w.jobs[job]["photos"][int(n)] = body
        w.lock.notify_all()
    h.answer({"index": int(n), "status": "queued"}, 202)


def results(h, w, _, job):
    j = w.jobs.get(job)
    if not j:
        return h.problem(404, "not_found", "No such job.")
    done = {d["book"]["id"]: d for d in w.detections.values() if d.get("entry") in w.entries}
    for page in j["results"]:
        for b in page:
            b["entryId"] = done.get(b["id"], {}).get("entry")
    h.answer({"jobId": job, "status": j["state"], "summary": {"suggestions": [], "duplicatesFolded": 0},
              "photos": [{"path": f"photo-{i + 1}.jpg", "width": 4000, "height": 3000, "quality": {"suggestions": []}, "books": b} for i, b in enumerate(j["results"])],
              "books": [b for page in j["results"] for b in page]})


def import_books(h, w, _, job):
    body = json.loads(h.body())
    made = []
    for known in [x for p in w.jobs[job]["results"] for x in p if x["id"] in body["books"]]:
        d = "d-" + known["id"]
        e = w.add({"title": known["title"] or "?", "authors": [known["author"]] if known["author"] else [], "isbn": known.get("isbn"), "reviewStatus": known["reviewStatus"],
                   "confidence": known["confidence"], "cropUrl": None, "shelf": body.get("shelf")})
        w.detections[d] = {"id": d, "entry": e["id"], "book": known, "job": job, "revision": 1, "created": e["addedAt"]}
        made.append({"bookId": known["id"], "entryId": e["id"], "detectionId": d, "reviewStatus": known["reviewStatus"]})
    h.answer({"imported": made, "skipped": [], "duplicates": [], "undoToken": w.remember(lambda: [w.entries.pop(m["entryId"], None) for m in made])})


def queue(w):
    out = []
    for d in w.detections.values():
        e = w.entries.get(d["entry"])
        if e and e["reviewStatus"] == "needsReview":
            out.append(item(w, d, e))
    return sorted(out, key=lambda x: x["confidence"])


def item(w, d, e):
    b, c = d["book"], d["book"]["confidence"]
    return {"id": d["id"], "kind": "detection", "workId": e["workId"], "entryId": e["id"], "title": e["title"], "author": ", ".join(e["authors"]) or None, "isbn": e["isbn"],
            "confidence": c, "tier": "needsReview" if c < 0.5 else "verify" if c < 0.8 else "ready", "reviewStatus": e["reviewStatus"], "resolvedTitle": None, "resolvedAuthor": None,
            "boundingBox": b["boundingBox"], "quad": b["quad"], "photoId": f"{d['job']}-{b['photo']}", "cropUrl": None, "text": b["text"], "matches": b["matches"],
            "shelf": w.entry(e)["shelf"], "createdAt": d["created"], "etag": f'"{d["revision"]}"'}


def review(h, w, query):
    items = queue(w)
    h.answer({"items": items, "nextCursor": None, "total": len(items), "counts": {}})


def decide(status):
    def work(h, w, _, d):
        d = w.detections.get(d)
        body = json.loads(h.body() or b"{}")
        if not d or d["entry"] not in w.entries:
            return h.problem(404, "not_found", "This book is not in the queue any more.")
        if h.headers.get("if-match") not in (f'"{d["revision"]}"',):
            return h.problem(409, "edit_conflict", "Someone else changed this book.")
        e = w.entries[d["entry"]]
        before = dict(e)
        d["revision"] += 1
        if status is None:
            w.entries.pop(e["id"])
        else:
            e["reviewStatus"] = status
            record = body.get("record") or body
            e.update({k: record[k] for k in ("title", "authors", "isbn") if record.get(k)})
        token = w.remember(lambda: w.entries.__setitem__(before["id"], before))
        h.answer({"changed": 1, "applied": True, "changes": [], "keeps": [], "undoToken": token, "remaining": len(queue(w))})
    return work


def verify_all(h, w, _):
    body = json.loads(h.body())
    ids = [x for x in queue(w) if x["tier"] == body.get("tier") or x["id"] in body.get("ids", [])]
    for x in ids:
        w.entries[x["entryId"]]["reviewStatus"] = "verified"
    token = w.remember(lambda: [w.entries[x["entryId"]].update(reviewStatus="needsReview") for x in ids])
    h.answer({"changed": len(ids), "undoToken": token})


def undo(h, w, _):
    w.undos.pop(json.loads(h.body())["undoToken"])()
    h.answer({"changed": 1, "undoToken": None})


def bulk(h, w, _):
    body = json.loads(h.body())
    before = {i: dict(w.entries[i]) for i in body["ids"] if i in w.entries}
    for i in before:
        e = w.entries[i]
        if body.get("delete"):
            w.entries.pop(i)
            continue
        e.update({k: body[k] for k in ("shelf", "ownership", "readingStatus") if k in body})
        e["tags"] = sorted(set(e["tags"]) | set(body.get("addTags", [])))
    h.answer({"changed": len(before), "undoToken": w.remember(lambda: w.entries.update(before))})


def library(h, w, query):
    items = [w.entry(e) for e in w.entries.values()]
    start, limit = int(query.get("cursor", 0)), int(query.get("limit", 50))
    h.answer({"items": items[start:start + limit], "total": len(items), "nextCursor": str(start + limit) if start + limit < len(items) else None})


def one(h, w, _, i):
    e = w.entries.get(i)
    seen = next((d for d in w.detections.values() if d["entry"] == i), None)
    if e and seen:
        e = {**e, "position": {"photoId": f"{seen['job']}-{seen['book']['photo']}", "detectionId": seen["id"], "boundingBox": seen["book"]["boundingBox"], "quad": seen["book"]["quad"]}}
    h.answer(w.entry(e), headers=[("etag", f'"{e["revision"]}"')]) if e else h.problem(404, "not_found", "This book is not in the library.")


def change(h, w, _, i):
    e = w.entries[i]
    body = json.loads(h.body())
    if h.headers.get("if-match") != f'"{e["revision"]}"':
        return h.problem(409, "edit_conflict", "Someone else changed this book.")
    e.update(body)
    e["revision"] += 1
    h.answer(w.entry(e))


def drop(h, w, _, i):
    h.body()
    e = w.entries.pop(i, None)
    h.answer({"changed": 1, "undoToken": w.remember(lambda: w.entries.__setitem__(i, e))})


def page(items):
    """A list that fits on its first page."""
    items = list(items)
    return {"items": items, "nextCursor": None, "total": len(items)}


def shelf_list(h, w, _):
    h.answer(page([{**s, "photos": 0, "etag": "1", "entries": sum(e["shelf"] == s["id"] for e in w.entries.values())} for s in w.shelves]))


def new_shelf(h, w, _):
    s = {"id": f"s{len(w.shelves) + 1}", "name": json.loads(h.body())["name"]}
    w.shelves.append(s)
    h.answer({**s, "entries": 0, "photos": 0, "etag": "1"}, 201)


def search(h, w, query):
    q = query["q"].lower().split()
    found = [b for b in TRUTH["books"] if all(any(x in f.lower() for f in (b["title"], b["author"])) for x in q)]
    found = found or [b for b in TRUTH["books"] if any(x in b["author"].lower() or x in b["title"].lower() for x in q)]
    h.answer({"items": [{"id": f"r{i}", "title": b["title"], "subtitle": None, "authors": [b["author"]], "isbn": b["isbn"], "year": 1950 + i, "publisher": "Example House",
                         "coverUrl": None, "source": ["openlibrary", "googlebooks", "local"][i % 3]} for i, b in enumerate(found[:8])], "sources": []})


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
        return h.problem(404, "not_found", "No such job.")
    if "text/event-stream" in (h.headers.get("accept") or ""):
        if w.faults.get("noStream"):
            return h.problem(404, "not_found", "No stream.")
        return h.sse(j)
    after = int(query.get("after", 0))
    h.answer({"events": j["events"][after:], "lastEventId": len(j["events"]), "done": j["state"] in ("completed", "canceled")})


def preview(h, w, _):
    h.body()
    w.previews += 1
    spines = books_of("live", 1)
    h.answer({"width": 1024, "height": 768, "spines": [{"quad": b["quad"], "boundingBox": b["boundingBox"]} for b in spines], "quality": {}, "seconds": 0.2})


def photo_image(h, w, _, p):
    job, n = p.rsplit("-", 1)
    h.answer(w.jobs[job]["photos"][int(n)], kind="image/jpeg")


def detection(h, w, _, d):
    x = w.detections.get(d)
    h.answer(item(w, x, w.entries[x["entry"]])) if x and x["entry"] in w.entries else h.problem(404, "not_found", "This book is not in the queue any more.")


def counts(h, w, _):
    q = queue(w)
    h.answer({"total": len(q), **{t: sum(x["tier"] == t for x in q) for t in ("needsReview", "verify", "ready")}, "failedEnrichment": 0})


def counted(pairs):
    out = {}
    for key in pairs:
        out[key] = out.get(key, 0) + 1
    return [{"key": str(k), "count": n} for k, n in sorted(out.items(), key=lambda p: -p[1])]


def photo_of(h, w, _, p):
    job, n = p.rsplit("-", 1)
    mine = [d for d in w.detections.values() if d["job"] == job and d["book"]["photo"] == int(n) and d["entry"] in w.entries]
    h.answer({"id": p, "shelf": None, "width": 4000, "height": 3000, "takenAt": "2026-11-20T10:00:00Z", "url": f"/api/v1/photos/{p}/image", "annotatedUrl": "",
              "detections": [{"detectionId": d["id"], "entryId": d["entry"], "title": d["book"]["title"], "boundingBox": d["book"]["boundingBox"], "quad": d["book"]["quad"],
                              "reviewStatus": w.entries[d["entry"]]["reviewStatus"]} for d in mine]})


def stats(h, w, _):
    e = list(w.entries.values())
    decades = sorted(counted(str(x["year"] // 10 * 10) for x in e if x["year"]), key=lambda c: c["key"])
    h.answer({"entries": len(e), "works": len(e), "authors": len({a for x in e for a in x["authors"]}), "shelves": len(w.shelves), "photos": 3,
              "byShelf": counted((w.entry(x)["shelf"] or {}).get("name", "") for x in e), "byStatus": counted(x["readingStatus"] or "owned" for x in e), "byDecade": decades,
              "byAuthor": counted(a for x in e for a in x["authors"]), "addedByMonth": [{"key": f"2026-{m:02}", "count": 5 + m * 7 % 11} for m in range(1, 12)],
              "storageBytes": {"photos": 48_000_000, "covers": 9_100_000, "database": 2_300_000}})


def review_stats(h, w, _):
    h.answer({"reviewed": 210, "correct": 176, "byTier": [{"tier": "needsReview", "reviewed": 90, "correct": 61}, {"tier": "verify", "reviewed": 120, "correct": 115}],
              "byConfidence": [], "byMonth": [{"month": f"2026-{m:02}", "reviewed": 30, "correct": 20 + m} for m in range(3, 10)]})


def settings(h, w, _):
    body = json.loads(h.body() or b"{}")
    w.settings.update({k: v for k, v in body.items() if k != "providers"})
    h.answer({**w.settings, "etag": '"1"', "providers": [{"id": "openlibrary", "name": "Open Library", "enabled": True, "hasKey": False, "state": "ok"},
                                                          {"id": "isbndb", "name": "ISBNdb", "enabled": False, "hasKey": True, "state": "off"}]})


def work_of(h, w, _, i):
    e = w.entries.get(i[1:])
    h.answer({"id": i, "title": e["title"], "subtitle": None, "authors": [{"id": "a", "name": a} for a in e["authors"]], "firstPublished": e["year"], "coverUrl": None,
              "reviewStatus": e["reviewStatus"], "editions": [], "entries": [], "detections": [], "etag": '"1"'}) if e else h.problem(404, "not_found", "No such work.")


def file_import(h, w, _, i=None):
    raw = h.body()
    if i is None:
        h.answer({"id": "i1", "status": "preview", "format": "goodreads", "encoding": "UTF-8", "delimiter": ",", "columns": ["Title", "Author", "ISBN13", "My Rating"], "rows": 3, "done": 0,
                  "mapping": {"Title": "title", "Author": "author", "ISBN13": "isbn", "My Rating": "rating"}, "added": 0, "skipped": 0, "failedRows": [], "toReview": 0,
                  "sample": [["Dune", "Frank Herbert", "9780441013593", "5"], ["<img src=x onerror=alert(1)>", "<b>Author</b>", "", "0"], ["Babel", "R. F. Kuang", "9780063021426", "4"]]}, 201)
    else:
        h.answer({"id": i, "status": "completed", "format": "goodreads", "rows": 3, "done": 3, "added": 2, "skipped": 0, "failedRows": [{"line": 3, "reason": "There is no author."}], "toReview": 1})
    return raw


def shelf_one(h, w, _, i):
    s = next((s for s in w.shelves if s["id"] == i), None)
    h.answer({**s, "entries": 0, "photos": 0, "etag": "1"}) if s else h.problem(404, "not_found", "No such shelf.")


def session(h, w, _):
    h.answer({"setupNeeded": False, "signedIn": True, "via": "session", "member": {"id": "m1", "name": "Test", "role": "owner", "createdAt": ""}})


ROUTES = [
    (r"tags", "GET", lambda h, w, _: h.answer(page(sorted(counted(t for e in w.entries.values() for t in e["tags"]), key=lambda tag: tag["key"])))),
    (r"photos/([\w-]+)", "GET", photo_of), (r"preview", "POST", preview), (r"stats", "GET", stats), (r"stats/review", "GET", review_stats), (r"settings", "GET", settings), (r"settings", "PATCH", settings), (r"works/(\w+)", "GET", work_of),
    (r"works/(\w+)/history", "GET", lambda h, w, _, i: h.answer(page([{"time": "2026-11-20T10:00:00Z", "action": "imported"}]))),
    (r"settings/threshold-preview", "GET", lambda h, w, q: h.answer({"threshold": float(q["threshold"]), "reviews": 210, "wouldAsk": 84, "asked": 30, "missed": 4})),
    (r"about", "GET", lambda h, w, _: h.answer({"name": "Shelflist", "version": "0.3.0", "limits": {}, "readers": ["local"], "formats": [], "models": [{"name": "PP-OCRv6 small, detection", "version": "6.0"}]})),
    (r"members", "GET", lambda h, w, _: h.answer(page([{"id": "m1", "name": "Test", "role": "owner", "createdAt": "", "etag": "1"}]))),
    (r"tokens", "GET", lambda h, w, _: h.answer(page([{"id": "t1", "name": "Phone app", "scopes": ["scan"], "createdAt": "", "expiresAt": None, "lastUsedAt": None}]))),
    (r"devices", "GET", lambda h, w, _: h.answer(page([{"id": "d1", "deviceId": "phone-1", "state": "waiting", "firstSeen": "2026-11-20T10:00:00Z", "lastSeen": "2026-11-20T10:00:00Z", "address": "192.0.2.7", "etag": "1"}]))),
    (r"imports", "POST", file_import), (r"imports/(\w+)/start", "POST", file_import), (r"imports/(\w+)", "DELETE", lambda h, w, _, i: (h.body(), h.answer())),
    (r"shelves/(\w+)", "GET", shelf_one), (r"shelves/(\w+)/photos", "GET", lambda h, w, _, i: h.answer(page([]))),
    (r"scans", "POST", create_scan), (r"scans/(\w+)/photos/(\d)", "PUT", put_photo), (r"scans/(\w+)/results", "GET", results),
    (r"scans/(\w+)/events", "GET", events), (r"scans/(\w+)/import", "POST", import_books), (r"scans/(\w+)", "DELETE", cancel),
    (r"scans/(\w+)/finish", "POST", lambda h, w, _, j: (h.body(), h.answer({}))),
    (r"scans/(\w+)/photos/(\d+)", "GET", lambda h, w, _, j, n: h.answer(w.jobs[j]["photos"][int(n)], kind="image/jpeg")),
    (r"photos/([\w-]+)/image", "GET", photo_image),
    (r"library", "GET", library), (r"library/bulk", "POST", bulk), (r"library/(\w+)", "GET", one), (r"library/(\w+)", "PATCH", change), (r"library/(\w+)", "DELETE", drop),
    (r"shelves", "GET", shelf_list), (r"shelves", "POST", new_shelf), (r"search", "GET", search),
    (r"review", "GET", review), (r"review/counts", "GET", counts), (r"review/verify-all", "POST", verify_all), (r"undo", "POST", undo),
    (r"detections/([\w-]+)", "GET", detection), (r"detections/([\w-]+)/verify", "POST", decide("verified")), (r"detections/([\w-]+)/reject", "POST", decide(None)),
    (r"detections/([\w-]+)/correct", "POST", decide("userEdited")), (r"detections/([\w-]+)/match", "POST", decide("userEdited")),
    (r"feedback", "POST", lambda h, w, _: (h.body(), h.answer())),
    (r"session", "POST", lambda h, w, _: (h.body(), session(h, w, _))), (r"session", "GET", session),
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
